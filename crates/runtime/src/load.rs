//! Loading of a scene's settings by its name, with the command line's changes.

use std::path::PathBuf;

use bench::report::RequestedRun;
use config::{Config, LoadedScene, SIDE};

use crate::{AppError, memory};

/// Width and height of a picture for which none was asked, in pixels.
pub const DEFAULT_SIZE: (u32, u32) = (1280, 720);

/// The scene to load, and changes to it.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneOptions {
    /// A built-in scene's name or a file.
    pub scene: String,
    /// `key=value` each, as in the file.
    pub set: Vec<String>,
    /// Size of the picture in pixels.
    pub size: (u32, u32),
    /// Seed of everything random.
    pub seed: u64,
    /// Total of schooling and reef fish, if it is to differ from the file's.
    pub fish: Option<u32>,
    /// Folder of shaders to use in place of the built-in ones.
    pub shaders: Option<PathBuf>,
}

impl From<&SceneOptions> for RequestedRun {
    fn from(options: &SceneOptions) -> Self {
        let shaders = options.shaders.as_ref().map(|folder| folder.display().to_string());
        Self { scene: options.scene.clone(), fish: options.fish, shaders, ..Self::default() }
    }
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self { scene: "reef".into(), set: Vec::new(), size: DEFAULT_SIZE, seed: 1, fish: None, shaders: None }
    }
}

/// Reads and checks the scene that `options` name, with its changes applied. Warnings go to the log.
///
/// # Errors
/// [`AppError::Config`] with all problems of the file and the changes; [`AppError::Fish`] and
/// [`AppError::TooLittleMemory`] if there cannot be so many animals.
pub fn load(options: &SceneOptions) -> Result<LoadedScene, AppError> {
    let loaded = load_quietly(options)?;
    loaded.warnings.iter().for_each(|warning| log::warn!("{warning}"));
    Ok(loaded)
}

/// Same as [`load`], for a scene that is read often: warnings are returned but not logged.
///
/// # Errors
/// Same as [`load`].
pub fn load_quietly(options: &SceneOptions) -> Result<LoadedScene, AppError> {
    let mut loaded = config::load(&options.scene, &options.set)?;
    if let Some(fish) = options.fish {
        loaded.config.set_fish_count(fish).map_err(|error| AppError::Fish(fish, error))?;
    }
    memory::check(&loaded.config)?;
    Ok(loaded)
}

/// Checks that `config`'s scene has a view called `name`, if one is named. The camera of a view is known once its world
/// is made.
///
/// # Errors
/// If it has none of that name; the error lists those it has.
pub fn check_camera(config: &Config, name: Option<&str>) -> Result<(), AppError> {
    let is_there = name.is_none_or(|name| config.scene.camera.views.contains_key(name));
    is_there.then_some(()).ok_or_else(|| no_such_camera(config, name))
}

/// Error for a view name that the scene does not have.
pub(super) fn no_such_camera(config: &Config, name: Option<&str>) -> AppError {
    AppError::NoSuchCamera {
        scene: config.scene.name.clone(),
        name: name.unwrap_or_default().into(),
        known: config.scene.camera.views.keys().cloned().collect(),
    }
}

/// Width and height, such as 1280x720.
///
/// # Errors
/// If `text` is no size, or a side is outside of [`SIDE`].
pub fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let wrong = || {
        let (least, most) = (SIDE.start(), SIDE.end());
        format!("'{text}' is not WIDTHxHEIGHT, such as 1280x720, each from {least} to {most}")
    };
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
    let side = |s: &str| s.parse::<u32>().ok().filter(|n| SIDE.contains(n)).ok_or_else(wrong);
    Ok((side(width)?, side(height)?))
}
