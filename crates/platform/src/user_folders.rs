//! The user's standard folders, and the destinations of the program's files.

use std::path::{Path, PathBuf};

use directories::{ProjectDirs, UserDirs};

use crate::out_folders::OutFolders;

/// Default folder for pictures and results, relative to the working folder.
pub const OUT: &str = "out";

/// The user's own settings, such as `~/.config/pelagic/config.toml`; `None` where there is no home.
pub fn preferences_file() -> Option<PathBuf> {
    Some(project()?.config_dir().join("config.toml"))
}

/// Folder for windows' unsaved changes, such as `~/.local/share/pelagic/recovery`; `None` where there is no home.
pub fn recovery_folder() -> Option<PathBuf> {
    Some(project()?.data_dir().join("recovery"))
}

/// Folder for regenerable files, such as `~/.cache/pelagic`; `None` where there is no home. It can be deleted at any
/// time.
pub fn cache_folder() -> Option<PathBuf> {
    Some(project()?.cache_dir().to_owned())
}

fn project() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "pelagic")
}

/// Absolute path of a folder, so that messages about its files are valid from everywhere.
fn whole(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

impl OutFolders {
    /// Folders for pictures: `out`, then the user's pictures folder.
    pub fn of_pictures(out: &Path) -> Self {
        let pictures = UserDirs::new().map(|user| {
            // Not every system defines one.
            user.picture_dir().map_or_else(|| user.home_dir().join("Pictures"), Path::to_owned)
        });
        Self::new(whole(out), pictures)
    }

    /// Folders for benchmarks, each of which gets a folder of its own: `out`'s `bench`, then the program's data folder.
    pub fn of_benchmarks(out: &Path) -> Self {
        Self::new(whole(out).join("bench"), project().map(|project| project.data_dir().join("bench")))
    }

    /// Folders for new scene files: the working folder, then the program's data folder.
    pub fn of_scenes() -> Self {
        Self::new(whole(Path::new(".")), project().map(|project| project.data_dir().join("scenes")))
    }
}
