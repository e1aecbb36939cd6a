//! Things on the sea floor, rocks, corals, sponges, plants and lost things, and a cage and a vehicle that hang in the
//! water.
//!
//! Every model stands on y = 0 over the origin, its greatest extent is 1, and plants sway by height in the shader: only
//! the giant clam has joints, to shut.

use std::sync::OnceLock;

use crate::Entry;

mod anchor;
mod cage;
mod coral;
mod cover;
mod even;
mod fan;
mod growth;
mod hewn;
mod lost;
mod plants;
pub mod relief;
mod rock;
mod rov;
mod shells;
mod small;
mod soft;
mod stone;
mod vent;
mod whale;
mod wreck;

/// The props and plants of this module.
pub fn entries() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| {
        [
            rock::ENTRIES,
            coral::ENTRIES,
            fan::ENTRIES,
            soft::ENTRIES,
            shells::ENTRIES,
            small::ENTRIES,
            plants::ENTRIES,
            lost::ENTRIES,
            vent::ENTRIES,
            wreck::ENTRIES,
            whale::ENTRIES,
            anchor::ENTRIES,
            cage::ENTRIES,
            rov::ENTRIES,
        ]
        .into_iter()
        .chain(cover::ENTRIES.iter().copied())
        .flatten()
        .copied()
        .collect()
    })
}

#[cfg(test)]
mod tests;
