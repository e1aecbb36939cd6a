//! Bytes that are obtained once and stay in memory for good, as embedded files do.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

static HAD: Mutex<BTreeMap<&str, &[u8]>> = Mutex::new(BTreeMap::new());

/// The bytes called `name`: the result of the first successful call of `get`.
///
/// # Errors
/// Errors of `get`.
pub fn once(name: &'static str, get: impl FnOnce() -> io::Result<Vec<u8>>) -> io::Result<&'static [u8]> {
    let mut had = HAD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = had.get(name) {
        return Ok(bytes);
    }
    let bytes: &[u8] = Vec::leak(get()?);
    had.insert(name, bytes);
    Ok(bytes)
}
