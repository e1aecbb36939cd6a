//! Animals that swim.

pub mod fish;
pub mod foil;
pub mod species;
pub mod wave;

use std::sync::OnceLock;

use crate::{Category, Entry};

/// The animals of this module.
pub fn entries() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    const OWN_PLAN: &[Entry] = &[
        swimmer("diver", "scuba diver with a torch, legs kicking in turn (Homo sapiens)", species::diver::make),
        swimmer("green_turtle", "green turtle, rowing (Chelonia mydas)", species::green_turtle::make),
        swimmer("manta", "reef manta, flapping (Mobula alfredi)", species::manta::make),
        swimmer("stingray", "blue-spotted ribbontail ray, rippling (Taeniura lymma)", species::stingray::make),
        swimmer("seahorse", "spotted seahorse, upright with a curled tail (Hippocampus kuda)", species::seahorse::make),
        swimmer("moon_jelly", "moon jellyfish, pulsing (Aurelia aurita)", species::moon_jelly::make),
    ];
    ALL.get_or_init(|| [species::FROM_DATA, OWN_PLAN].concat())
}

const fn swimmer(name: &'static str, description: &'static str, make: fn(u64) -> crate::Forged) -> Entry {
    Entry { name, kind: Category::Swimmer, description, make }
}
