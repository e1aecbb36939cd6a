//! What stands on the sea floor.

use crate::forge::Entry;

/// The things of this room.
pub fn entries() -> &'static [Entry] {
    &[]
}
