//! Animals that swim.

use crate::forge::Entry;

/// The animals of this room.
pub fn entries() -> &'static [Entry] {
    &[]
}
