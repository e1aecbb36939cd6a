//! Errors of commands and their exit codes.

use std::io::ErrorKind;

use bench::BenchError;
use config::ConfigError;
use platform::interrupt;
use runtime::AppError;
use storage::StorageError;

/// An error that determines the exit code.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Something failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Wrong arguments or a wrong file: exit code 2.
    #[error("{0}")]
    Config(String),
    /// No display or no usable OpenGL: exit code 3.
    #[error("{0}")]
    NoOpenGl(String),
    /// A benchmark got slower: exit code 4.
    #[error("{0}")]
    Regression(String),
    /// Two benchmarks cannot be compared: exit code 5.
    #[error("{0}")]
    NotComparable(String),
    /// Ctrl-C or termination: exit code 130.
    #[error("interrupted")]
    Interrupted,
}

impl CliError {
    /// The process exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::Config(_) => 2,
            Self::NoOpenGl(_) => 3,
            Self::Regression(_) => 4,
            Self::NotComparable(_) => 5,
            Self::Interrupted => interrupt::EXIT_CODE,
        }
    }
}

impl From<AppError> for CliError {
    fn from(error: AppError) -> Self {
        let text = error.to_string();
        match error {
            AppError::Config(error) => error.into(),
            AppError::Fish(fish, error) => Self::Config(format!("--fish {fish}: {error}")),
            AppError::NoSuchCamera { .. } => Self::Config(format!("--camera: {text}")),
            AppError::NoSuchSubject { .. } => Self::Config(format!("--ride: {text}")),
            AppError::Scene(_)
            | AppError::Model(_)
            | AppError::TooLittleMemory { .. }
            | AppError::NoSuchScene { .. }
            | AppError::Shader { .. }
            | AppError::UnknownFormat(_)
            | AppError::Unwritable { .. } => Self::Config(text),
            AppError::Context(_) => Self::NoOpenGl(text),
            AppError::Render(_)
            | AppError::Write { .. }
            | AppError::NoThread(_)
            | AppError::Benchmark(_)
            | AppError::Unrecorded(_)
            | AppError::ContextLost(_)
            | AppError::Refused(_) => Self::Failed(text),
            AppError::Interrupted => Self::Interrupted,
        }
    }
}

impl From<ConfigError> for CliError {
    /// The problems start on a line of their own, so that editors find each file and line at a line's beginning.
    fn from(error: ConfigError) -> Self {
        Self::Config(format!("the scene {} cannot be used\n{error}", error.scene))
    }
}

impl From<StorageError> for CliError {
    fn from(error: StorageError) -> Self {
        match error.why.kind() {
            ErrorKind::AlreadyExists => Self::Config(format!(
                "{} is there already and not of this command; choose another name, or replace it with --force",
                error.path.display()
            )),
            _ => Self::Failed(format!("cannot write {error}; choose another --out")),
        }
    }
}

impl From<BenchError> for CliError {
    fn from(error: BenchError) -> Self {
        let text = match error.advice() {
            Some(advice) => format!("{error}. {advice}"),
            None => error.to_string(),
        };
        match error {
            // Wrongly named folders or files, found before anything was measured.
            BenchError::Exists(_) | BenchError::Write { .. } | BenchError::Read { .. } | BenchError::Fish(_) => {
                Self::Config(text)
            }
            _ => Self::Failed(text),
        }
    }
}
