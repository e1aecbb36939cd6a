//! A folder of shaders that is watched for edits.

use std::path::{Path, PathBuf};

use config::FileWatcher;
use render::ShaderSource;
use runtime::{AppError, files};

/// Shaders that a person edits.
pub struct ShaderFolder {
    path: PathBuf,
    watched: FileWatcher,
}

impl ShaderFolder {
    /// Watches the shaders of `path` for edits from now on.
    pub fn new(path: PathBuf) -> Self {
        Self { watched: watch(&path), path }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a shader has been edited or added since all were read. To be asked a few times a second.
    pub fn is_edited(&mut self) -> bool {
        files::shader_files(&self.path).iter().for_each(|(_, path)| self.watched.expect(path));
        self.watched.changed()
    }

    /// The shaders as they are now.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn read(&mut self) -> Result<ShaderSource, AppError> {
        self.watched = watch(&self.path);
        files::shaders(Some(&self.path))
    }
}

fn watch(folder: &Path) -> FileWatcher {
    let mut watched = FileWatcher::default();
    files::shader_files(folder).iter().for_each(|(_, path)| watched.watch(path));
    watched
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edited_and_added_shaders_are_told_unless_they_have_been_read() {
        let room = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(room.path().join(name), text).expect("written");
        std::fs::create_dir(room.path().join("include")).expect("made");
        write("a.frag.glsl", "a");
        let mut folder = ShaderFolder::new(room.path().to_owned());
        write("include/b.glsl", "b");
        assert!(!folder.is_edited() && folder.is_edited(), "added");
        write("a.frag.glsl", "other");
        assert_eq!(folder.read().expect("readable"), files::shaders(Some(room.path())).expect("readable"));
        assert!(!folder.is_edited() && !folder.is_edited(), "read already");
        write("include/b.glsl", "another");
        assert!(!folder.is_edited() && folder.is_edited(), "edited");
    }
}
