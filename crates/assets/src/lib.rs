//! The project's own models, textures and fonts: one flat folder, embedded in the program.
//!
//! A crate of its own, so that a change elsewhere does not embed them again. In a browser, where nobody waits for what is
//! not shown, they are not embedded but fetched: whoever fetches them is told what has been asked for.

#[cfg(not(target_arch = "wasm32"))]
mod embedded;
#[cfg(any(target_arch = "wasm32", test))]
mod fetched;

#[cfg(not(target_arch = "wasm32"))]
pub use embedded::{ask, read};
#[cfg(target_arch = "wasm32")]
pub use fetched::{ask, put, read, refuse, renew, take_asked};

include!(concat!(env!("OUT_DIR"), "/names.rs"));

/// Fonts of panels, which egui brings and embeds, but not in a browser: letters, those of one width, and a few icons.
pub const PANEL_FONTS: [&str; 3] = ["Ubuntu-Light.ttf", "Hack-Regular.ttf", "egui-icons.ttf"];

/// Names of all files, such as `sardine.ms3d` and `sardine.png`, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// Names of the models, without `.ms3d`, sorted.
pub fn models() -> impl Iterator<Item = &'static str> {
    names().filter_map(|name| name.strip_suffix(".ms3d"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_file_is_found() {
        assert!(names().all(|name| ask(name) && read(name).is_ok_and(|bytes| !bytes.is_empty())));
        assert!(models().all(|model| read(&format!("{model}.ms3d")).is_ok()));
        assert_eq!(read("no such creature").expect_err("none").kind(), std::io::ErrorKind::NotFound);
    }

    #[test]
    fn the_list_is_sorted_and_has_no_name_twice() {
        assert!(names().collect::<Vec<_>>().windows(2).all(|pair| pair[0] < pair[1]));
    }
}
