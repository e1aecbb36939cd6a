//! Extensions of glTF: which are followed, which may be left out, and what is then to be seen.

use super::document::Document;

/// Extensions that are followed.
const FOLLOWED: [&str; 14] = [
    "KHR_node_visibility",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_emissive_strength",
    "KHR_materials_specular",
    "KHR_materials_ior",
    "KHR_materials_transmission",
    "KHR_materials_diffuse_transmission",
    "KHR_draco_mesh_compression",
    "KHR_meshopt_compression",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_texture_basisu",
];
/// Extensions of data about a file, which nobody sees.
const UNSEEN: [&str; 2] = ["KHR_xmp", "KHR_xmp_json_ld"];

/// Extensions that are left out, required or not: what is drawn without them.
const LEFT_OUT: [(&str, &str); 13] = [
    ("KHR_materials_unlit", "it is lit as everything else is, and does not shine"),
    ("KHR_materials_clearcoat", "its clear coat does not shine"),
    ("KHR_materials_sheen", "its cloth has no sheen"),
    ("KHR_materials_iridescence", "its colours do not change with the angle"),
    ("KHR_materials_anisotropy", "its highlights are round"),
    ("KHR_materials_volume", "it is as clear however thick it is"),
    ("KHR_materials_dispersion", "it does not split light into colours"),
    ("KHR_materials_variants", "its first variant is shown"),
    ("KHR_lights_punctual", "its lights are left out"),
    ("EXT_lights_image_based", "its lights are left out"),
    ("KHR_animation_pointer", "what it moves besides nodes and morphs stands still"),
    ("EXT_texture_avif", "its AVIF pictures are not read"),
    ("MSFT_texture_dds", "its DDS pictures are not read"),
];

/// Reason that a file cannot be read for what it requires, and what to do; `None` if it can.
pub(super) fn refusal(document: &Document) -> Option<String> {
    let is_harmless = |name: &str| {
        let is_listed = LEFT_OUT.iter().any(|(known, _)| *known == name);
        is_listed || name.starts_with("KHR_materials_") || UNSEEN.contains(&name) || FOLLOWED.contains(&name)
    };
    let unknown: Vec<&str> =
        document.extensions_required.iter().map(String::as_str).filter(|name| !is_harmless(name)).collect();
    if unknown.is_empty() {
        return None;
    }
    Some(format!("it requires {}, which is not known here; export it without", unknown.join(", ")))
}

/// A warning about each extension of a file that is not followed.
pub(super) fn warnings(document: &Document) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for name in document.extensions_used.iter().chain(&document.extensions_required) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let is_silent = |name: &&str| !FOLLOWED.contains(name) && !UNSEEN.contains(name);
    let warning = |name: &str| match LEFT_OUT.iter().find(|(known, _)| *known == name) {
        Some((_, effect)) => format!("{name} is not followed: {effect}"),
        None => format!("{name} is not known here, and not followed"),
    };
    names.into_iter().filter(is_silent).map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(used: &[&str], required: &[&str]) -> Document {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Document { extensions_used: owned(used), extensions_required: owned(required), ..Document::default() }
    }

    #[test]
    fn only_what_the_shape_depends_on_refuses_a_file() {
        assert_eq!(refusal(&document(&[], &["KHR_materials_unlit", "KHR_materials_new", "EXT_texture_avif"])), None);
        assert_eq!(refusal(&document(&[], &["KHR_draco_mesh_compression", "EXT_meshopt_compression"])), None);
        assert!(refusal(&document(&[], &["EXT_mesh_gpu_instancing"])).is_some());
    }

    #[test]
    fn each_extension_that_is_not_followed_is_told_once() {
        let told = warnings(&document(
            &["KHR_texture_transform", "KHR_materials_clearcoat", "MY_own"],
            &["KHR_materials_clearcoat"],
        ));
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("clear coat") && told[1].contains("MY_own"));
    }
}
