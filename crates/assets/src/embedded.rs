//! Files that are in the program.

use std::io::{self, ErrorKind};

include!(concat!(env!("OUT_DIR"), "/bytes.rs"));

/// Whether the file called `name` is there or never will be: one that is embedded need not be waited for.
pub fn ask(_: &str) -> bool {
    true
}

/// The bytes of the file called `name`.
///
/// # Errors
/// If there is none ([`ErrorKind::NotFound`]).
pub fn read(name: &str) -> io::Result<&'static [u8]> {
    let found = FILES.iter().find(|(file, _)| *file == name);
    found.map(|&(_, bytes)| bytes).ok_or_else(|| ErrorKind::NotFound.into())
}
