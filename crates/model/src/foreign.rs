//! Files that are taken for models and are something else, told by their first bytes.

/// Advice for files of other modelling programs.
const EXPORT: &str = "open it in Blender and export glTF 2.0 (.glb)";

/// Advice for addresses that gave something else than the file.
const DOWNLOAD: &str = "download the file itself; on GitHub by \"Raw\"";
/// Advice for archives.
const UNPACK: &str = "unpack it and use the model in it";
/// Advice for models and sprites of games.
const GOLDSRC: &str = "use an .mdl file of version 10 (GoldSrc), or convert it to glTF";

/// A kind of file that is no model here.
struct Kind {
    /// First bytes of its files, of which any will do. Texts count from their first letter.
    magics: &'static [&'static [u8]],
    name: &'static str,
    advice: &'static str,
}

const fn kind(magics: &'static [&'static [u8]], name: &'static str, advice: &'static str) -> Kind {
    Kind { magics, name, advice }
}

const KINDS: [Kind; 22] = [
    kind(&[b"version https://git-lfs"], "a Git LFS pointer, not the file itself", "fetch the file with: git lfs pull"),
    kind(&[b"<!DOCTYPE", b"<!doctype", b"<html", b"<HTML"], "a web page", DOWNLOAD),
    kind(&[b"404: Not Found", b"Not Found"], "a web server's error message", DOWNLOAD),
    kind(&[b"Z2xURg"], "a glTF container as base64 text", "decode it: base64 -d FILE > FILE.glb"),
    kind(&[b"\x00\x05\x16\x07"], "a Mac's notes on a file, not the file itself", DOWNLOAD),
    kind(&[b"<COLLADA", b"<?xml"], "an XML file, such as COLLADA or X3D", EXPORT),
    kind(&[b"PK\x03\x04"], "a zip archive, or a USDZ file", UNPACK),
    kind(&[b"Rar!"], "a RAR archive", UNPACK),
    kind(&[b"7z\xbc\xaf"], "a 7-Zip archive", UNPACK),
    kind(&[b"\x1f\x8b"], "a gzip archive", UNPACK),
    kind(&[b"Kaydara FBX", b"; FBX"], "an FBX file", EXPORT),
    kind(&[b"BLENDER"], "a Blender file", EXPORT),
    kind(&[b"\x28\xb5\x2f\xfd"], "a compressed file, such as Blender's", EXPORT),
    kind(&[b"PXR-USDC", b"#usda"], "a USD file", EXPORT),
    kind(&[b"ply\n", b"ply\r"], "a PLY file", EXPORT),
    kind(&[b"solid "], "an STL file", EXPORT),
    kind(&[b"mtllib ", b"# Blender", b"# Wavefront", b"v "], "a Wavefront OBJ file", EXPORT),
    kind(&[b"IDSP"], "a sprite of GoldSrc or Quake, not a model", GOLDSRC),
    kind(&[b"IDP2"], "a Quake II model", GOLDSRC),
    kind(&[b"IDP3"], "a Quake III model", GOLDSRC),
    kind(&[b"// MilkShape 3D ASCII"], "MilkShape 3D's text format", "open it in MilkShape 3D and save it as .ms3d"),
    kind(&[b"\x89PNG", b"\xff\xd8\xff"], "a picture", "name it as a texture of a model"),
];

/// Kind of a file that is no model, and what to do; `None` if it may be a model.
pub fn foreign(bytes: &[u8]) -> Option<String> {
    if bytes.is_empty() {
        return Some("an empty file; download or export it again".into());
    }
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let is = |kind: &&Kind| kind.magics.iter().any(|magic| bytes.starts_with(magic) || text.starts_with(magic));
    KINDS.iter().find(is).map(|Kind { name, advice, .. }| format!("{name}; {advice}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_for_what_they_are_and_models_are_not_named() {
        let named = |bytes: &[u8]| foreign(bytes).unwrap_or_default();
        assert!(named(b"version https://git-lfs.github.com/spec/v1\noid ").contains("git lfs pull"));
        assert!(named(b"\xef\xbb\xbf\n  <!DOCTYPE html>").starts_with("a web page"));
        assert!(named(b"Kaydara FBX Binary  \0").contains("export glTF"));
        assert!(named(b"").starts_with("an empty file"));
        for model in [b"MS3D000000".as_slice(), b"glTF\x02\0\0\0", b"IDST\x0a\0\0\0", b"{ \"asset\": {} }"] {
            assert_eq!(foreign(model), None);
        }
    }
}
