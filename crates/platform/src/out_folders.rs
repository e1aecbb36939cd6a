//! Output folders of the window.

use std::path::{Path, PathBuf};

/// Folders for one kind of file, in the order in which they are tried. There is at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct OutFolders(Vec<PathBuf>);

impl OutFolders {
    /// `first`, and `then` if that cannot be written to.
    pub fn new(first: PathBuf, then: Option<PathBuf>) -> Self {
        Self(std::iter::once(first).chain(then).collect())
    }

    /// Result of `attempt` in the first folder where it succeeds, and its error in the preferred folder if it failed
    /// there.
    ///
    /// # Errors
    /// If it fails in every folder: the error of the first.
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
