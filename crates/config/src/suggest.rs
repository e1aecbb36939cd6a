//! "Did you mean" among all keys of a scene file.

use suggest::nearest;

use crate::schema::{EntrySchema, keys};

/// The path of the key in some other table whose name is most like `word`.
pub(crate) fn nearest_elsewhere(word: &str) -> Option<&'static str> {
    let name = nearest(word, keys().iter().map(|key| key.name.as_str()))?;
    let of_lists_last = |key: &&&EntrySchema| key.path.contains(['[', '*']);
    keys().iter().filter(|key| key.name == name).min_by_key(of_lists_last).map(|key| key.path.as_str())
}
