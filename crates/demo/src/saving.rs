//! Files that are written in the background.

use std::path::PathBuf;

use bench::live::Finished;
use runtime::AppError;
use runtime::threads::Work;

/// A file that is being written.
pub struct Saving {
    /// Kind of file, such as `picture`.
    pub what: &'static str,
    /// Path, if that is known before it is written.
    pub path: Option<PathBuf>,
    /// Background work that writes it.
    pub work: Work<Result<Written, WriteFailure>>,
}

/// A file that has been written.
pub struct Written {
    /// Path of the file.
    pub path: PathBuf,
    /// Reason why it is not where it was to be, if so.
    pub refused: Option<String>,
}

/// A file that could not be written.
pub struct WriteFailure {
    /// Reason for the failure.
    pub error: AppError,
    /// Recording to be kept until it can be written.
    pub kept: Option<Box<Finished>>,
}

/// A message about a file, and below it the reason why the file is not where it was to be.
pub fn with_reason(said: String, refused: Option<&str>) -> String {
    refused.map_or(said.clone(), |why| format!("{said}\n({why})"))
}

/// A file to be written.
pub struct SaveJob {
    /// Kind of file, such as `picture`; also the topic of messages about it.
    pub what: &'static str,
    /// Path of the file, if that is known before it is written.
    pub path: Option<PathBuf>,
    /// Writes it.
    pub work: Box<dyn FnOnce() -> Result<Written, WriteFailure> + Send>,
}
