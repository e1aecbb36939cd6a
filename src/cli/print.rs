//! Standard output.

use std::io::{ErrorKind, Write as _};

use crate::cli::CliError;

/// Prints to standard output; a closed pipe is not an error.
///
/// # Errors
/// If standard output cannot be written, because its disk is full for example.
pub fn print(text: &str) -> Result<(), CliError> {
    print_bytes(text.as_bytes())
}

/// Prints bytes that need not be text; otherwise like [`print`].
///
/// # Errors
/// Like [`print`].
pub fn print_bytes(bytes: &[u8]) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CliError::Failed(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a value as indented JSON.
///
/// # Errors
/// Like [`print`], or if the value has no JSON.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| CliError::Failed(format!("cannot be written as JSON: {error}")))?;
    print(&(text + "\n"))
}
