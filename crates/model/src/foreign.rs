//! Files that are taken for models and are something else, told by their first bytes.

/// Advice for files of other modelling programs.
const EXPORT: &str = "open it in Blender and export glTF 2.0 (.glb)";

/// Kinds of file: first bytes, name, advice. Texts count from their first letter.
const KINDS: [(&[u8], &str, &str); 32] = [
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself", "fetch the file with: git lfs pull"),
    (b"<!DOCTYPE", "a web page", "download the file itself; on GitHub by \"Raw\""),
    (b"<!doctype", "a web page", "download the file itself; on GitHub by \"Raw\""),
    (b"<html", "a web page", "download the file itself; on GitHub by \"Raw\""),
    (b"<HTML", "a web page", "download the file itself; on GitHub by \"Raw\""),
    (b"404: Not Found", "a web server's error message", "download the file again, from another address"),
    (b"Not Found", "a web server's error message", "download the file again, from another address"),
    (b"<COLLADA", "a COLLADA file", EXPORT),
    (b"<?xml", "an XML file, such as COLLADA or X3D", EXPORT),
    (b"PK\x03\x04", "a zip archive, or a USDZ file", "unpack it and use the model in it"),
    (b"Rar!", "a RAR archive", "unpack it and use the model in it"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "unpack it and use the model in it"),
    (b"\x1f\x8b", "a gzip archive", "unpack it and use the model in it"),
    (b"Kaydara FBX", "an FBX file", EXPORT),
    (b"; FBX", "an FBX file", EXPORT),
    (b"BLENDER", "a Blender file", EXPORT),
    (b"\x28\xb5\x2f\xfd", "a compressed file, such as Blender's", EXPORT),
    (b"PXR-USDC", "a USD file", EXPORT),
    (b"#usda", "a USD file", EXPORT),
    (b"ply\n", "a PLY file", EXPORT),
    (b"ply\r", "a PLY file", EXPORT),
    (b"solid ", "an STL file", EXPORT),
    (b"mtllib ", "a Wavefront OBJ file", EXPORT),
    (b"# Blender", "a Wavefront OBJ file", EXPORT),
    (b"# Wavefront", "a Wavefront OBJ file", EXPORT),
    (b"v ", "a Wavefront OBJ file", EXPORT),
    (b"IDSP", "a sprite of GoldSrc or Quake, not a model", "use an .mdl file of version 10 (GoldSrc)"),
    (b"IDP2", "a Quake II model", "use an .mdl file of version 10 (GoldSrc), or convert it to glTF"),
    (b"IDP3", "a Quake III model", "use an .mdl file of version 10 (GoldSrc), or convert it to glTF"),
    (b"// MilkShape 3D ASCII", "MilkShape 3D's text format", "open it in MilkShape 3D and save it as .ms3d"),
    (b"\x89PNG", "a PNG picture", "name it as a texture of a model"),
    (b"\xff\xd8\xff", "a JPEG picture", "name it as a texture of a model"),
];

/// Name of what a file is instead of a model, and what to do; `None` if it may be a model.
pub fn foreign(bytes: &[u8]) -> Option<String> {
    if bytes.is_empty() {
        return Some("an empty file; download or export it again".into());
    }
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let is = |(magic, ..): &&(&[u8], _, _)| bytes.starts_with(magic) || text.starts_with(magic);
    KINDS.iter().find(is).map(|(_, name, advice)| format!("{name}; {advice}"))
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
