//! Files that are written beside the animation.

use std::path::PathBuf;

use bench::live::Finished;
use runtime::AppError;
use runtime::threads::Work;

/// A file that is being written.
pub struct Saving {
    /// What it is, such as `picture`.
    pub what: &'static str,
    /// Where it goes, if that is known before it is written.
    pub path: Option<PathBuf>,
    /// Writes it.
    pub work: Work<Result<Saved, Unsaved>>,
}

/// A file that has been written.
pub struct Saved {
    /// Where.
    pub path: PathBuf,
    /// Why it is not where it was to be, if it is not.
    pub refused: Option<String>,
}

/// A file that could not be written.
pub struct Unsaved {
    /// Why.
    pub error: AppError,
    /// What is to be kept until it can be.
    pub kept: Option<Box<Finished>>,
}

/// A message about a file, and below it why the file is not where it was to be.
pub fn with_reason(said: String, refused: Option<&str>) -> String {
    refused.map_or(said.clone(), |why| format!("{said}\n({why})"))
}
