//! Animals that swim.

pub mod fish;
pub mod foil;
pub mod species;
pub mod wave;

use crate::forge::{Entry, Kind};

/// The animals of this room.
pub fn entries() -> &'static [Entry] {
    const ALL: &[Entry] = &[
        swimmer("sardine", "slim silver schooling fish (Sardinella aurita)", species::sardine::make),
        swimmer("chromis", "blue damselfish in clouds over the reef (Chromis cyanea)", species::chromis::make),
        swimmer("butterflyfish", "white, chevrons, yellow behind (Chaetodon auriga)", species::butterflyfish::make),
        swimmer("yellow_tang", "yellow disc with sails (Zebrasoma flavescens)", species::yellow_tang::make),
        swimmer("clownfish", "orange with three white bars (Amphiprion ocellaris)", species::clownfish::make),
        swimmer("reef_shark", "grey reef shark (Carcharhinus amblyrhynchos)", species::reef_shark::make),
        swimmer("green_turtle", "green turtle, rowing (Chelonia mydas)", species::green_turtle::make),
        swimmer("manta", "reef manta, flapping (Mobula alfredi)", species::manta::make),
        swimmer("moon_jelly", "moon jellyfish, pulsing (Aurelia aurita)", species::moon_jelly::make),
    ];
    ALL
}

const fn swimmer(name: &'static str, description: &'static str, make: fn(u64) -> crate::forge::Forged) -> Entry {
    Entry { name, kind: Kind::Swimmer, description, make }
}
