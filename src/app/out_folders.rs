//! Folders for what the window writes, and where the system keeps the user's own.

use std::path::{Path, PathBuf};

use directories::{ProjectDirs, UserDirs};

/// Where pictures and results go when nothing else is said: a folder of the working folder.
pub const OUT: &str = "out";

/// The user's own settings, such as `~/.config/pelagic/config.toml`; `None` where there is no home.
pub fn preferences_file() -> Option<PathBuf> {
    Some(project()?.config_dir().join("config.toml"))
}

fn project() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "pelagic")
}

/// Folders for one kind of file, in the order in which they are tried. There is at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct OutFolders(Vec<PathBuf>);

impl OutFolders {
    /// For pictures: `out`, then the user's folder of pictures.
    pub fn of_pictures(out: &Path) -> Self {
        let pictures = UserDirs::new().map(|user| {
            // Not every system names one.
            user.picture_dir().map_or_else(|| user.home_dir().join("Pictures"), Path::to_owned)
        });
        // Said in full, so that they are found.
        Self::new(std::path::absolute(out).unwrap_or_else(|_| out.to_owned()), pictures)
    }

    /// For benchmarks, each of which has a folder of its own in it: `out`'s `bench`, then the program's folder of data.
    pub fn of_benchmarks(out: &Path) -> Self {
        Self::new(out.join("bench"), project().map(|project| project.data_dir().join("bench")))
    }

    /// For new scene files: the working folder, then the program's folder of data.
    pub fn of_scenes() -> Self {
        Self::new(PathBuf::from("."), project().map(|project| project.data_dir().join("scenes")))
    }

    /// `first`, and `then` if that cannot be written to.
    pub fn new(first: PathBuf, then: Option<PathBuf>) -> Self {
        Self(std::iter::once(first).chain(then).collect())
    }

    /// What `attempt` makes in the first folder where it succeeds, and why it did not in the one that was to be.
    ///
    /// # Errors
    /// If it fails in each: why it did in the first.
    pub fn first<T, E>(&self, mut attempt: impl FnMut(&Path) -> Result<T, E>) -> Result<(T, Option<E>), E> {
        let mut refused = None;
        for folder in &self.0 {
            match attempt(folder) {
                Ok(made) => return Ok((made, refused)),
                Err(error) => drop(refused.get_or_insert(error)),
            }
        }
        Err(refused.expect("there is a first folder"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_folder_is_for_what_the_first_does_not_take() {
        let folders = OutFolders::new("a".into(), Some("b".into()));
        let only = |good: &'static str| {
            move |folder: &Path| if folder == Path::new(good) { Ok(good) } else { Err(folder.to_owned()) }
        };
        assert_eq!(folders.first(only("a")), Ok(("a", None)));
        assert_eq!(folders.first(only("b")), Ok(("b", Some("a".into()))));
        assert_eq!(folders.first(only("c")), Err("a".into()), "the reason is that of the first");
    }
}
