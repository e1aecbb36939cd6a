//! Errors of a benchmark.

use std::path::PathBuf;

use storage::StorageError;

/// Reason why a benchmark could not be made, written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The driver failed during a run.
    #[error("the graphics driver failed during the benchmark: {0}. Try again; if it stays so, try --frame-end finish")]
    Driver(String),
    /// The scene could not be made.
    #[error("the scene could not be started: {0}")]
    Scene(String),
    /// The number of fish cannot be set.
    #[error("{0}")]
    Fish(String),
    /// The folder holds a result already.
    #[error("{} holds a benchmark already, which is kept", .0.display())]
    Exists(PathBuf),
    /// A folder or file cannot be written.
    #[error("{} cannot be written: {why}", path.display())]
    Write {
        /// The folder or file.
        path: PathBuf,
        /// The system's message.
        why: std::io::Error,
    },
    /// A result file cannot be read.
    #[error("{}: {why}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Defect of the file.
        why: String,
    },
}

impl BenchError {
    /// Advice on options of the command that may help.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Exists(_) => Some("Choose another folder with --out, or replace it with --force"),
            Self::Write { .. } => Some("Choose a folder with --out that you may write to and that has space"),
            Self::Driver(_) | Self::Scene(_) | Self::Fish(_) | Self::Read { .. } => None,
        }
    }
}

impl From<StorageError> for BenchError {
    fn from(StorageError { path, why }: StorageError) -> Self {
        Self::Write { path, why }
    }
}
