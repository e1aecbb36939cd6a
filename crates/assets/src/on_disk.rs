//! Files on the disk, as the build found or made them: debug builds and their many test programs embed none.
#![expect(clippy::disallowed_methods, reason = "debug builds read the forge's files")]

use std::fs;
use std::io::{self, ErrorKind};

use crate::once::once;

include!(concat!(env!("OUT_DIR"), "/places.rs"));

/// Whether the file called `name` is there or never will be: a file on the disk need not be waited for.
pub fn ask(_: &str) -> bool {
    true
}

/// The bytes of the file called `name`.
///
/// # Errors
/// If there is none ([`ErrorKind::NotFound`]), or it has been removed since the build.
pub fn read(name: &str) -> io::Result<&'static [u8]> {
    let &(name, path) = FILES.iter().find(|(file, _)| *file == name).ok_or(ErrorKind::NotFound)?;
    let gone = |error| io::Error::other(format!("{path}: {error}; a debug build reads it there: build it again"));
    once(name, || fs::read(path).map_err(gone))
}
