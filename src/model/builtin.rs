//! The project's own models and textures, embedded in the program by `build.rs`.

include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

/// Prefix of a model source that names an embedded model: `builtin:NAME`.
pub const PREFIX: &str = "builtin:";

/// Names of the embedded models, sorted: their files' names without `.ms3d`.
pub fn names() -> impl Iterator<Item = &'static str> {
    MODELS.iter().map(|(file, _)| stem(file))
}

/// The MS3D file of the model called `name`.
pub fn find(name: &str) -> Option<&'static [u8]> {
    MODELS.iter().find(|(file, _)| stem(file) == name).map(|&(_, bytes)| bytes)
}

/// An embedded texture by its file's name, exactly or else ignoring case, with the name it has here.
pub fn texture(file_name: &str) -> Option<(&'static str, &'static [u8])> {
    let exact = TEXTURES.iter().find(|(file, _)| *file == file_name);
    exact.or_else(|| TEXTURES.iter().find(|(file, _)| file.eq_ignore_ascii_case(file_name))).copied()
}

fn stem(file: &'static str) -> &'static str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_model_is_found() {
        for name in names() {
            assert!(!find(name).expect("listed").is_empty(), "{name}");
        }
        assert_eq!(find("no such creature"), None);
    }

    #[test]
    fn tables_are_sorted() {
        assert!(MODELS.is_sorted_by_key(|(file, _)| *file));
        assert!(TEXTURES.is_sorted_by_key(|(file, _)| *file));
    }
}
