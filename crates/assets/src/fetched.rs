//! Files that the caller fetches on request.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{PANEL_FONTS, names};

/// State of each file that has been requested or has arrived.
static FILES: Mutex<BTreeMap<String, State>> = Mutex::new(BTreeMap::new());

enum State {
    /// Requested.
    Asked {
        /// Whether [`take_asked`] has returned it.
        is_told: bool,
    },
    Here(&'static [u8]),
    /// It could not be fetched, for this reason.
    Refused(String),
}

fn files() -> MutexGuard<'static, BTreeMap<String, State>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the file called `name` is there or never will be; if not, requests it.
pub fn ask(name: &str) -> bool {
    if !is_known(name) {
        return true;
    }
    let mut files = files();
    let state = files.entry(name.to_owned()).or_insert(State::Asked { is_told: false });
    !matches!(state, State::Asked { .. })
}

fn is_known(name: &str) -> bool {
    names().chain(PANEL_FONTS).any(|known| known == name)
}

/// The bytes of the file called `name`.
///
/// # Errors
/// If there is none ([`ErrorKind::NotFound`]), it has not arrived, or it could not be fetched.
pub fn read(name: &str) -> io::Result<&'static [u8]> {
    match files().get(name) {
        Some(State::Here(bytes)) => Ok(bytes),
        Some(State::Refused(why)) => Err(io::Error::other(why.clone())),
        None if !is_known(name) => Err(ErrorKind::NotFound.into()),
        _ => Err(io::Error::new(ErrorKind::WouldBlock, "it has not been fetched")),
    }
}

/// Stores a file that has arrived. It stays for good: the first file of a name counts.
pub fn put(name: &str, bytes: Vec<u8>) {
    let mut files = files();
    if !matches!(files.get(name), Some(State::Here(_))) {
        files.insert(name.to_owned(), State::Here(Vec::leak(bytes)));
    }
}

/// Replaces a file that has arrived. Earlier readers keep the old bytes.
pub fn renew(name: &str, bytes: Vec<u8>) {
    files().insert(name.to_owned(), State::Here(Vec::leak(bytes)));
}

/// Records that a file could not be fetched. It can still arrive.
pub fn refuse(name: &str, why: &str) {
    let mut files = files();
    if !matches!(files.get(name), Some(State::Here(_))) {
        files.insert(name.to_owned(), State::Refused(why.to_owned()));
    }
}

/// Names of the files that have been requested since the last call.
pub fn take_asked() -> Vec<String> {
    let mut files = files();
    let asked = files.iter_mut().filter_map(|(name, state)| match state {
        State::Asked { is_told } if !*is_told => {
            *is_told = true;
            Some(name.clone())
        }
        _ => None,
    });
    asked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_told_once_and_comes_or_is_refused() {
        let kind = |name| read(name).map_err(|error| error.kind());
        assert!(ask("no such creature.ms3d"), "nobody waits for what there will never be");
        assert_eq!(kind("no such creature.ms3d"), Err(ErrorKind::NotFound));
        assert!(!ask("sardine.ms3d"));
        assert_eq!(kind("sardine.png"), Err(ErrorKind::WouldBlock));
        assert!(!ask("sardine.png"));
        assert_eq!(take_asked(), ["sardine.ms3d", "sardine.png"]);
        assert_eq!(take_asked(), [""; 0]);
        put("sardine.ms3d", vec![1, 2]);
        refuse("sardine.png", "404");
        assert!(ask("sardine.ms3d") && ask("sardine.png"));
        assert_eq!((kind("sardine.ms3d"), kind("sardine.png")), (Ok(&[1, 2][..]), Err(ErrorKind::Other)));
        put("sardine.ms3d", vec![3]);
        refuse("sardine.ms3d", "404");
        put("sardine.png", vec![4]);
        renew("sardine.png", vec![5]);
        assert_eq!((kind("sardine.ms3d"), kind("sardine.png")), (Ok(&[1, 2][..]), Ok(&[5][..])));
    }
}
