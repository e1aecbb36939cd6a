//! Where the system keeps the user's own, and what is written goes.

use std::path::{Path, PathBuf};

use directories::{ProjectDirs, UserDirs};

use crate::out_folders::OutFolders;

/// Where pictures and results go when nothing else is said: a folder of the working folder.
pub const OUT: &str = "out";

/// The user's own settings, such as `~/.config/pelagic/config.toml`; `None` where there is no home.
pub fn preferences_file() -> Option<PathBuf> {
    Some(project()?.config_dir().join("config.toml"))
}

/// Where windows keep changes that are not saved, such as `~/.local/share/pelagic/recovery`; `None` where there is no home.
pub fn recovery_folder() -> Option<PathBuf> {
    Some(project()?.data_dir().join("recovery"))
}

/// Where is kept what can be made again, such as `~/.cache/pelagic`; `None` where there is no home. It can be deleted at any
/// time.
pub fn cache_folder() -> Option<PathBuf> {
    Some(project()?.cache_dir().to_owned())
}

fn project() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "pelagic")
}

/// A folder's whole path: what is said of files is to lead there from everywhere.
fn whole(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

impl OutFolders {
    /// For pictures: `out`, then the user's folder of pictures.
    pub fn of_pictures(out: &Path) -> Self {
        let pictures = UserDirs::new().map(|user| {
            // Not every system names one.
            user.picture_dir().map_or_else(|| user.home_dir().join("Pictures"), Path::to_owned)
        });
        Self::new(whole(out), pictures)
    }

    /// For benchmarks, each of which has a folder of its own in it: `out`'s `bench`, then the program's folder of data.
    pub fn of_benchmarks(out: &Path) -> Self {
        Self::new(whole(out).join("bench"), project().map(|project| project.data_dir().join("bench")))
    }

    /// For new scene files: the working folder, then the program's folder of data.
    pub fn of_scenes() -> Self {
        Self::new(whole(Path::new(".")), project().map(|project| project.data_dir().join("scenes")))
    }
}
