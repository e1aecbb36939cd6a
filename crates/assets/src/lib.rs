//! The project's own models and textures, embedded: one flat folder in the program.
//!
//! A crate of its own, so that a change elsewhere does not embed them again.

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Names of all files, such as `sardine.ms3d` and `sardine.png`, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// Names of the models, without `.ms3d`, sorted.
pub fn models() -> impl Iterator<Item = &'static str> {
    names().filter_map(|name| name.strip_suffix(".ms3d"))
}

/// The bytes of the file called `name`.
pub fn read(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(file, _)| *file == name).map(|&(_, bytes)| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_file_is_found() {
        assert!(names().all(|name| read(name).is_some_and(|bytes| !bytes.is_empty())));
        assert!(models().all(|model| read(&format!("{model}.ms3d")).is_some()));
        assert_eq!(read("no such creature"), None);
    }

    #[test]
    fn the_list_is_sorted_and_has_no_name_twice() {
        assert!(names().collect::<Vec<_>>().windows(2).all(|pair| pair[0] < pair[1]));
    }
}
