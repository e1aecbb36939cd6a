//! Films and panoramas: a scene drawn moment by moment, in one piece or in parts, every frame a function of the seed.
//! Times are in seconds, sizes in pixels.
//!
//! A [`FilmJob`] is a scene before a camera; [`plan`] decides which moments of it are frames. [`record`] has them
//! drawn, and on the other side of a queue that holds one picture a [`FrameFolder`] keeps each in a file of its own,
//! with a [`Manifest`](manifest::Manifest) of hashes, and a [`Sink`](sink::Sink) makes one file of them all if that is
//! wanted: y4m by itself ([`y4m`]), anything else through the user's `ffmpeg` ([`encoder`]). Kept frames are not drawn
//! again.
//!
//! ```
//! use film::plan::FrameRate;
//!
//! let ntsc = FrameRate { frames: 30_000, seconds: 1001 };
//! assert_eq!(ntsc.count(10.0), Ok(300));
//! assert!((ntsc.time_s(30) - 1.001).abs() < 1e-9);
//! ```

mod boxes;
pub mod encoder;
mod film_job;
mod folder;
pub mod manifest;
pub mod merge;
pub mod panorama;
pub mod plan;
mod recording;
pub mod sink;
pub mod y4m;

pub use film_job::{CameraPath, CaptureSettings, FilmJob, subject_of};
pub use folder::FrameFolder;
pub use recording::{Recorded, record};

use std::path::PathBuf;

use runtime::AppError;

/// Reason why a film is not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// The scene, the driver or Ctrl-C.
    #[error(transparent)]
    App(#[from] AppError),
    /// The request cannot be met.
    #[error("{0}")]
    Refused(String),
    /// The folder holds something else.
    #[error("{} holds {what}; choose another --out, or remove what is in it", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// Its contents, in words.
        what: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's message.
        why: String,
    },
    /// The encoder cannot be started, or has failed.
    #[error("{0}")]
    Encoder(String),
    /// The system has no thread.
    #[error("the system has no thread for it: {0}")]
    NoThread(std::io::Error),
}

impl From<storage::StorageError> for FilmError {
    fn from(error: storage::StorageError) -> Self {
        Self::File { path: error.path, why: error.why.to_string() }
    }
}
