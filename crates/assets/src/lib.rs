//! The project's own models, textures and fonts: one flat folder.
//!
//! The build finds the models and textures, or has the forge make them: see `build.rs`; `assets.lock` lists their
//! hashes. Release builds embed all files; debug builds, which link many programs, read them from the disk. In a
//! browser a file is fetched when it is needed: the code that fetches asks for the names of the requested files.
//!
//! ```
//! let model = assets::read("sardine.ms3d")?;
//! assert!(model.starts_with(b"MS3D000000"));
//! assert!(assets::models().any(|name| name == "sardine"));
//! # Ok::<(), std::io::Error>(())
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files"))]

#[cfg(all(not(target_arch = "wasm32"), embedded))]
mod embedded;
#[cfg(any(target_arch = "wasm32", test))]
mod fetched;
#[cfg(all(not(target_arch = "wasm32"), not(embedded)))]
mod on_disk;
#[cfg(not(target_arch = "wasm32"))]
mod once;

#[cfg(all(not(target_arch = "wasm32"), embedded))]
pub use embedded::{ask, read};
#[cfg(target_arch = "wasm32")]
pub use fetched::{ask, put, read, refuse, renew, take_asked};
#[cfg(all(not(target_arch = "wasm32"), not(embedded)))]
pub use on_disk::{ask, read};

/// The build script's module, whose tests run with the crate's.
#[cfg(test)]
#[path = "../cache.rs"]
mod cache;

include!(concat!(env!("OUT_DIR"), "/names.rs"));

/// Fonts of the panels: proportional, monospaced and icons. egui embeds them itself, except in a browser.
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

    /// Set `UPDATE_LOCK=1` to write the lock. What is embedded is coded in another way.
    #[cfg(not(embedded))]
    #[test]
    fn what_was_made_is_what_the_lock_says() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets.lock");
        let made = names().filter_map(|name| {
            let folder = match name.rsplit_once('.')?.1 {
                "ms3d" => "models",
                "png" => "textures",
                _ => return None,
            };
            Some((format!("{folder}/{name}"), read(name).expect("it is there").to_vec()))
        });
        let made: forge::Files = made.collect();
        let total: usize = made.values().map(Vec::len).sum();
        assert!(total < 52 << 20, "they take {} MiB", total >> 20);
        let now = format!("{}{}", head(), cache::sums(&made));
        if std::env::var("UPDATE_LOCK").is_ok_and(|value| value == "1") {
            std::fs::write(path, &now).expect("written");
        }
        let lock = std::fs::read_to_string(path).unwrap_or_default();
        let only_in = |one: &str, other: &str| -> Vec<String> {
            one.lines().filter(|line| !other.lines().any(|known| known == *line)).map(str::to_owned).collect()
        };
        let (new, gone) = (only_in(&now, &lock), only_in(&lock, &now));
        assert!(
            new.is_empty() && gone.is_empty(),
            "new: {new:#?}, gone: {gone:#?}; if that is as it should be: make assets"
        );
    }

    /// The lock's first lines: its purpose, and the versions that made the files.
    fn head() -> String {
        let manifest: toml::Table = include_str!("../../forge/Cargo.toml").parse().expect("a manifest");
        let version = |dependency: &toml::Value| -> Option<String> {
            let version = dependency.as_str().or_else(|| dependency.get("version")?.as_str())?;
            Some(version.strip_prefix('=')?.to_owned())
        };
        let pinned = manifest["dependencies"].as_table().expect("a table").iter();
        let pinned = pinned.filter_map(|(name, dependency)| Some(format!("{name} {}", version(dependency)?)));
        let (forge, pinned) = (&manifest["package"]["version"], pinned.collect::<Vec<_>>().join(", "));
        format!(
            "# SHA-256 and path of what the forge makes of seed 1, on every machine; `make assets` writes it anew.\n\
             # Made by pelagic-forge {} with {pinned}.\n",
            forge.as_str().expect("a version")
        )
    }

    #[test]
    fn the_list_is_sorted_and_has_no_name_twice() {
        assert!(names().collect::<Vec<_>>().windows(2).all(|pair| pair[0] < pair[1]));
    }
}
