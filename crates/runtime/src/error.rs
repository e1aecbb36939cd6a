//! Errors between a command and its picture.

use std::path::PathBuf;

use config::{ConfigError, FishError};
use model::ModelError;
use platform::context_error::ContextError;
use render::RenderError;
use scene::SceneError;
use suggest::nearest;

/// Reason why a scene could not be shown or saved.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No window or no usable OpenGL.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The scene file or a `--set` is wrong; the text lists all problems.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The number of fish asked for cannot be set.
    #[error("{0} fish: {1}")]
    Fish(u32, FishError),
    /// There is no room for so many animals.
    #[error(
        "{animals} animals would take about {needed_mib} MiB, and {available_mib} MiB of memory are left; take {most} at \
        most, by --fish or each species' `count`, or close other programs"
    )]
    TooLittleMemory {
        /// Number of animals wanted.
        animals: u64,
        /// Memory that they and the rest of the scene would take. Unit: MiB.
        needed_mib: u64,
        /// Memory that is left. Unit: MiB.
        available_mib: u64,
        /// Number of animals that would fit.
        most: u64,
    },
    /// The scene names a model that cannot be loaded.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The model cannot be loaded.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The renderer cannot be made or cannot draw.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A shader file cannot be read.
    #[error("{}: {why}", path.display())]
    Shader {
        /// The file.
        path: PathBuf,
        /// Defect of the file, or the system's message.
        why: String,
    },
    /// The scene has no view of that name.
    #[error("the scene \"{scene}\" has no camera \"{name}\"; it has {}", list(.known, .name))]
    NoSuchCamera {
        /// The scene.
        scene: String,
        /// The name asked for.
        name: String,
        /// The views it has.
        known: Vec<String>,
    },
    /// The scene has no animals of that name to ride.
    #[error("the scene \"{scene}\" has no \"{name}\" to ride; it has {}", list(.known, .name))]
    NoSuchSubject {
        /// The scene.
        scene: String,
        /// The name asked for.
        name: String,
        /// The animals it has.
        known: Vec<String>,
    },
    /// A digit was pressed that no scene answers to.
    #[error("there is no scene {}; the keys 1 to {known} are scenes", index + 1)]
    NoSuchScene {
        /// Its index, from 0.
        index: usize,
        /// Number of scenes.
        known: usize,
    },
    /// The output file has an ending that names no known format.
    #[error("{}: pictures are written as .png (8 bit) or .exr (linear), so end the name in one of them", .0.display())]
    UnknownFormat(PathBuf),
    /// The output file's place was found not to be writable, before the work.
    #[error("{} cannot be written: {why}; choose another place for it", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's message.
        why: String,
    },
    /// Writing the output file failed after the work.
    #[error("{} could not be written: {why}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's message.
        why: String,
    },
    /// The system has no thread for the work.
    #[error("the system has no thread for it: {0}")]
    NoThread(std::io::Error),
    /// No benchmark can be recorded.
    #[error("no benchmark: {0}")]
    Benchmark(String),
    /// A recorded benchmark cannot be written.
    #[error("{0}. The benchmark is kept: make room there or make it writable, then B writes it")]
    Unrecorded(String),
    /// The driver threw the context away.
    #[error(
        "the graphics driver was reset while drawing ({0}); start again, with a lower --quality if it happens again"
    )]
    ContextLost(String),
    /// The change asked for cannot be shown, for that reason; the scene before it still is.
    #[error("{0}")]
    Refused(String),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

/// All names, and the one that may have been meant by `asked`.
fn list(names: &[String], asked: &str) -> String {
    if names.is_empty() {
        return "only its first view, which needs no name".into();
    }
    let near = nearest(asked, names.iter().map(String::as_str));
    names.join(", ") + &near.map_or(String::new(), |near| format!("; did you mean {near}?"))
}
