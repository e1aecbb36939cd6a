//! A folder of shaders that is watched for edits.

use std::path::{Path, PathBuf};

use crate::app::files;
use crate::config::FileWatcher;
use crate::render::ShaderSource;

/// Shaders that a person edits.
pub struct ShaderFolder {
    path: PathBuf,
    watched: FileWatcher,
}

impl ShaderFolder {
    /// Watches the shaders of `path`, taking them to be read just now.
    pub fn new(path: PathBuf) -> Self {
        Self { watched: FileWatcher::new(&shader_files(&path)), path }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a shader has been edited or added. To be asked a few times a second.
    pub fn is_edited(&mut self) -> bool {
        self.watched.follow(&shader_files(&self.path));
        self.watched.changed()
    }

    /// The shaders as they are now.
    pub fn read(&self) -> ShaderSource {
        files::shaders(Some(&self.path))
    }
}

/// The shaders in a folder and in the folders right below it.
fn shader_files(folder: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default()
    };
    let (folders, mut files): (Vec<_>, Vec<_>) = list(folder).into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| list(folder)));
    files.retain(|path| path.extension().is_some_and(|ending| ending == "glsl"));
    files
}
