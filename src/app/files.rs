//! Files that models and shaders come from: the disk, and the program's own.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::animation;
use crate::model::files::{BUILTIN, Files};
use crate::model::{LoadedModel, ModelError, ModelRequest};
use crate::render::ShaderSource;

/// The disk, and in the folder [`BUILTIN`] what is embedded in the program.
pub struct ProgramFiles;

impl Files for ProgramFiles {
    fn read(&self, path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
        if let Ok(name) = path.strip_prefix(BUILTIN) {
            let bytes = name.to_str().and_then(assets::read).ok_or(io::ErrorKind::NotFound)?;
            return Ok(bytes.to_vec());
        }
        let metadata = fs::metadata(path)?;
        // A pipe or a device would keep the reader waiting.
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        let mut bytes = Vec::new();
        if metadata.len() <= most_bytes {
            File::open(path)?.take(most_bytes + 1).read_to_end(&mut bytes)?;
        }
        let fits = metadata.len().max(bytes.len() as u64) <= most_bytes;
        if fits { Ok(bytes) } else { Err(io::ErrorKind::FileTooLarge.into()) }
    }

    fn names(&self, folder: &Path) -> Vec<OsString> {
        if folder.starts_with(BUILTIN) {
            let is_root = folder == Path::new(BUILTIN);
            return assets::names().filter(|_| is_root).map(OsString::from).collect();
        }
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        entries.filter(|entry| entry.path().is_file()).map(|entry| entry.file_name()).collect()
    }
}

/// The shaders of a folder and of its `include`, else those built into the program. What cannot be read is missing.
pub fn shaders(folder: Option<&Path>) -> ShaderSource {
    let Some(folder) = folder else { return ShaderSource::default() };
    let files =
        shader_files(folder).into_iter().filter_map(|(name, path)| Some((name, fs::read_to_string(path).ok()?)));
    ShaderSource::of_files(files.collect())
}

/// Name, such as `include/space.glsl`, and path of the shaders in a folder and in its `include`.
pub fn shader_files(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    for prefix in ["", "include/"] {
        let entries = fs::read_dir(folder.join(prefix)).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let name = path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".glsl"));
            if let Some(name) = name.map(|name| format!("{prefix}{name}")) {
                files.push((name, path));
            }
        }
    }
    files
}

/// [`animation::load_model`] from these files.
///
/// # Errors
/// As it.
pub fn load_model(request: &ModelRequest) -> Result<LoadedModel, ModelError> {
    animation::load_model(request, &ProgramFiles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_within_the_limit_are_read() {
        let room = tempfile::tempdir().expect("a folder");
        let path = room.path().join("a.bin");
        fs::write(&path, [7; 10]).expect("written");
        assert_eq!(ProgramFiles.read(&path, 10).expect("it fits"), [7; 10]);
        let kind = |path: &Path, most_bytes| ProgramFiles.read(path, most_bytes).expect_err("refused").kind();
        assert_eq!(kind(&path, 9), io::ErrorKind::FileTooLarge);
        assert_eq!(kind(&room.path().join("b.bin"), 9), io::ErrorKind::NotFound);
        assert_eq!(ProgramFiles.read(room.path(), 9).expect_err("a folder").to_string(), "it is not a file");
        fs::create_dir(room.path().join("sub")).expect("made");
        assert_eq!(ProgramFiles.names(room.path()), ["a.bin"], "folders are no files");
        assert_eq!(ProgramFiles.names(&room.path().join("gone")), [""; 0]);
    }

    #[test]
    fn embedded_files_are_a_flat_folder() {
        let builtin = Path::new(BUILTIN);
        let names = ProgramFiles.names(builtin);
        assert!(names.iter().all(|name| ProgramFiles.read(&builtin.join(name), u64::MAX).is_ok()));
        let missing = ProgramFiles.read(&builtin.join("no such creature.ms3d"), u64::MAX).expect_err("none");
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        assert_eq!(ProgramFiles.names(&builtin.join("../textures")), [""; 0]);
    }

    #[test]
    fn an_embedded_model_loads_with_its_texture() {
        let loaded = load_model(&ModelRequest::new("builtin:sardine")).expect("a built-in model");
        assert_eq!(loaded.warnings, []);
        assert!(loaded.model.materials.iter().all(|material| material.texture.is_some()));
        let error = load_model(&ModelRequest::new("builtin:dodo")).expect_err("extinct").to_string();
        assert!(error.starts_with("there is no built-in model 'dodo'; there are: amphora, "), "{error}");
    }
}
