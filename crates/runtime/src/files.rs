//! Files that models and shaders come from: the disk, and the program's own.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use model::animation;

use crate::AppError;
use config::FileWatcher;
#[cfg(not(target_arch = "wasm32"))]
use model::MAX_FILE_BYTES;
use model::files::{BUILTIN, Files};
use model::{FileVersion, LoadedModel, ModelError, ModelRequest};
#[cfg(not(target_arch = "wasm32"))]
use platform::user_folders::cache_folder;
use render::ShaderSource;
use scene::{SceneSettings, model_requests};
#[cfg(not(target_arch = "wasm32"))]
use storage::OutFile;

/// Greatest size of a shader file: 1 MiB.
const MAX_SHADER_BYTES: u64 = 1 << 20;

/// Files on disk, and in the folder [`BUILTIN`] those embedded in the program.
pub struct ProgramFiles;

impl Files for ProgramFiles {
    fn read(&self, path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
        if let Ok(name) = path.strip_prefix(BUILTIN) {
            return Ok(assets::read(&name.to_string_lossy())?.to_vec());
        }
        storage::read(path, most_bytes)
    }

    fn names(&self, folder: &Path) -> Vec<OsString> {
        if folder.starts_with(BUILTIN) {
            let is_root = folder == Path::new(BUILTIN);
            return assets::names().filter(|_| is_root).map(OsString::from).collect();
        }
        storage::names(folder).unwrap_or_default()
    }

    fn version(&self, path: &Path) -> Option<FileVersion> {
        (!path.starts_with(BUILTIN)).then(|| FileWatcher::version(path))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn kept_levels(&self, key: u64) -> Option<Vec<u8>> {
        storage::read(&levels_file(key)?, MAX_FILE_BYTES).ok()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn keep_levels(&self, key: u64, bytes: &[u8]) {
        let Some(file) = levels_file(key) else { return };
        // On failure they are made anew the next time.
        if let Err(error) = OutFile::check(&file).and_then(|out| out.write(bytes)) {
            log::debug!("levels of detail are not kept: {error}");
        }
    }
}

/// Cache file of the levels of detail that this program's code makes for a key, such as
/// `~/.cache/pelagic/levels/CODE/KEY.lods`; `None` without a home folder.
#[cfg(not(target_arch = "wasm32"))]
fn levels_file(key: u64) -> Option<PathBuf> {
    let folder = cache_folder()?.join("levels").join(model::lod::CODE_HASH);
    Some(folder.join(format!("{key:016x}.{}", model::LEVELS)))
}

/// Names of the project's own models that a scene asks for, those of morphs too, each once.
pub fn builtin_models(settings: &SceneSettings) -> Vec<String> {
    let mut names: Vec<String> =
        model_requests(settings).flat_map(|asked| builtin_files(&asked.request).collect::<Vec<_>>()).collect();
    names.sort();
    names.dedup();
    names
}

/// Whether all `assets` are there or will never be; requests those that have to be fetched.
pub fn are_fetched(assets: &[String]) -> bool {
    // No short circuit: each is requested.
    assets.iter().filter(|asset| !assets::ask(asset)).count() == 0
}

/// The shaders of a folder and of its `include`, else those built into the program.
///
/// # Errors
/// If one of them cannot be read.
pub fn shaders(folder: Option<&Path>) -> Result<ShaderSource, AppError> {
    let Some(folder) = folder else { return Ok(ShaderSource::default()) };
    let mut files = HashMap::new();
    for (name, path) in shader_files(folder) {
        let text = storage::read(&path, MAX_SHADER_BYTES)
            .and_then(|bytes| String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text")));
        match text {
            Ok(text) => drop(files.insert(name, text)),
            // The file was removed just now; if it is needed, it is reported as missing.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(AppError::Shader { path, why: error.to_string() }),
        }
    }
    Ok(ShaderSource::of_files(files))
}

/// Name, such as `include/space.glsl`, and path of the shaders in a folder and in its `include`.
pub fn shader_files(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    for prefix in ["", "include/"] {
        let folder = folder.join(prefix);
        for name in storage::names(&folder).unwrap_or_default() {
            if let Some(text) = name.to_str().filter(|name| name.ends_with(".glsl")) {
                files.push((format!("{prefix}{text}"), folder.join(&name)));
            }
        }
    }
    files
}

/// Loads a model from these files ([`animation::load_model`]), or takes it from those that [`load_ahead`] has loaded.
///
/// # Errors
/// Same as there.
pub fn load_model(request: &ModelRequest) -> Result<LoadedModel, ModelError> {
    let ahead = AHEAD.with_borrow_mut(|ahead| {
        let at = ahead.iter().position(|(known, _)| known == request)?;
        Some(ahead.swap_remove(at).1)
    });
    ahead.map_or_else(|| animation::load_model(request, &ProgramFiles), Ok)
}

thread_local! {
    /// Models that are loaded before their scene is made.
    static AHEAD: RefCell<Vec<(ModelRequest, LoadedModel)>> = const { RefCell::new(Vec::new()) };
}

/// Loads the first of these models whose files have arrived, for [`load_model`] on the same thread: in a browser there
/// is time while the others arrive.
pub fn load_ahead(requests: &[ModelRequest]) {
    let is_known = |request: &ModelRequest| AHEAD.with_borrow(|ahead| ahead.iter().any(|(known, _)| known == request));
    let is_here = |request: &&ModelRequest| {
        let mut names = builtin_files(request).peekable();
        names.peek().is_some() && names.all(|name| assets::read(&name).is_ok())
    };
    let Some(request) = requests.iter().filter(is_here).find(|request| !is_known(request)) else { return };
    // Errors are reported when the scene is made.
    if let Ok(loaded) = animation::load_model(request, &ProgramFiles) {
        AHEAD.with_borrow_mut(|ahead| ahead.push((request.clone(), loaded)));
    }
}

/// Drops models that were loaded ahead and not used.
pub fn forget_ahead() {
    AHEAD.with_borrow_mut(Vec::clear);
}

/// Names of the project's own models that a request names, those of morphs too.
fn builtin_files(request: &ModelRequest) -> impl Iterator<Item = String> {
    let sources = std::iter::once(&request.source).chain(request.morphs.values());
    sources.filter_map(|source| source.strip_prefix(BUILTIN).map(|name| format!("{name}.ms3d")))
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        assert_eq!(kind(room.path(), 9), io::ErrorKind::IsADirectory);
        assert_eq!(ProgramFiles.names(room.path()), ["a.bin"]);
        assert_eq!(ProgramFiles.names(&room.path().join("gone")), [""; 0]);
    }

    #[test]
    fn a_texture_that_is_a_folder_is_not_one_that_is_not_there() {
        let room = tempfile::tempdir().expect("a folder");
        let model = room.path().join("sardine.ms3d");
        fs::write(&model, assets::read("sardine.ms3d").expect("a built-in model")).expect("written");
        let warnings = || {
            let request = ModelRequest::new(model.to_str().expect("UTF-8"));
            load_model(&request).expect("a model").warnings.iter().map(ToString::to_string).collect::<String>()
        };
        assert!(warnings().contains("is not found beside the model"), "{}", warnings());
        fs::create_dir(room.path().join("sardine.png")).expect("made");
        assert!(warnings().contains("'sardine.png' cannot be read: it is a folder, not a file"), "{}", warnings());
    }

    #[test]
    fn a_shader_that_cannot_be_read_is_named() {
        let room = tempfile::tempdir().expect("a folder");
        fs::write(room.path().join("a.glsl"), "a").expect("written");
        fs::create_dir_all(room.path().join("include/b.glsl")).expect("made");
        let error = shaders(Some(room.path())).expect_err("a folder").to_string();
        assert!(error.ends_with("include/b.glsl: it is a folder, not a file"), "{error}");
        fs::remove_dir(room.path().join("include/b.glsl")).expect("removed");
        let files = HashMap::from([("a.glsl".to_owned(), "a".to_owned())]);
        assert_eq!(shaders(Some(room.path())).expect("readable"), ShaderSource::of_files(files));
    }

    #[test]
    fn a_scene_asks_for_the_shapes_that_its_animals_go_over_into() {
        let text = r#"extends = "reef""#;
        let scene = config::load_text("mine", text, &[]).expect("a scene").config.scene;
        let names = builtin_models(&scene);
        assert!(names.contains(&"puffer.ms3d".into()) && names.contains(&"puffer_puffed.ms3d".into()), "{names:?}");
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
    fn what_is_loaded_ahead_is_used_once() {
        let requests = ["builtin:sardine", "no such file.ms3d", "builtin:clownfish"].map(ModelRequest::new);
        let ahead = || AHEAD.with_borrow(Vec::len);
        (0..4).for_each(|_| load_ahead(&requests));
        assert_eq!(ahead(), 2);
        assert_eq!(load_model(&requests[0]).expect("a built-in model").model.name, "sardine");
        assert_eq!(ahead(), 1);
        assert_eq!(load_model(&requests[0]).expect("a built-in model").model.name, "sardine");
        forget_ahead();
        assert_eq!(ahead(), 0);
    }

    #[test]
    fn an_embedded_model_loads_with_its_texture() {
        let loaded = load_model(&ModelRequest::new("builtin:sardine")).expect("a built-in model");
        assert_eq!(loaded.warnings, []);
        assert!(loaded.model.materials.iter().all(|material| material.texture.is_some()));
        let error = load_model(&ModelRequest::new("builtin:dodo")).expect_err("extinct").to_string();
        assert!(error.starts_with("there is no built-in model 'dodo'; there are: amphora, "), "{error}");
        let error = load_model(&ModelRequest::new("builtin:sardin")).expect_err("a slip").to_string();
        assert!(error.contains("did you mean 'sardine'? there are: amphora, "), "{error}");
    }
}
