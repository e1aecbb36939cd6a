//! One file a species: numbers, pattern, sources. Fish, sharks and dolphins are data (`.toml`, in the form of a user's
//! own species file); animals with a body plan of their own are code.

pub mod diver;
pub mod green_turtle;
pub mod manta;
pub mod moon_jelly;
pub mod seahorse;
pub mod stingray;

use crate::swimmers::fish;
use crate::{Category, Entry, Forged};

/// A species of this folder.
macro_rules! species {
    ($($name:literal, $line:literal;)*) => {
        /// The species that are data.
        pub const FROM_DATA: &[Entry] = &[$(Entry {
            name: $name,
            kind: Category::Swimmer,
            description: $line,
            make: |seed| make($name, include_str!(concat!($name, ".toml")), seed),
        }),*];

        /// Name and text of their files.
        pub const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, ".toml")))),*];
    };
}

species! {
    "sardine", "slim silver schooling fish (Sardinella aurita)";
    "chromis", "blue damselfish in clouds over the reef (Chromis cyanea)";
    "anthias", "orange basslet in clouds over the reef (Pseudanthias squamipinnis)";
    "butterflyfish", "white, chevrons, yellow behind (Chaetodon auriga)";
    "yellow_tang", "yellow disc with sails (Zebrasoma flavescens)";
    "clownfish", "orange with three white bars (Amphiprion ocellaris)";
    "reef_shark", "grey reef shark (Carcharhinus amblyrhynchos)";
    "blue_tang", "royal blue, black palette, yellow tail (Paracanthurus hepatus)";
    "moorish_idol", "black, white and yellow with a pennant (Zanclus cornutus)";
    "angelfish", "emperor angelfish, striped blue and yellow (Pomacanthus imperator)";
    "parrotfish", "green and rose scales and a beak (Chlorurus sordidus)";
    "cleaner_wrasse", "slim, pale blue, one black stripe (Labroides dimidiatus)";
    "triggerfish", "clown triggerfish, white spots and orange lips (Balistoides conspicillum)";
    "puffer", "porcupinefish that swells to a ball of spines (Diodon holocanthus)";
    "barracuda", "a silver lance full of teeth (Sphyraena barracuda)";
    "bluefin_tuna", "a torpedo with a sickle tail (Thunnus thynnus)";
    "moray_eel", "honeycombed ribbon with an open mouth (Gymnothorax favagineus)";
    "anglerfish", "deep-sea angler with a glowing lure (Melanocetus johnsonii)";
    "dolphin", "bottlenose dolphin (Tursiops truncatus)";
}

/// Makes one of the project's own species.
///
/// # Panics
/// If the file that was built in is wrong; a test reads them all.
fn make(name: &str, text: &str, seed: u64) -> Forged {
    match fish::read(name, text) {
        Ok(plan) => fish::make(&plan, seed),
        Err(error) => panic!("{error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_species_file_is_sound_and_says_its_sources() {
        assert_eq!(FROM_DATA.len(), FILES.len());
        for ((name, text), entry) in FILES.iter().zip(FROM_DATA) {
            let plan = fish::read(&format!("{name}.toml"), text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((plan.name.as_str(), entry.name), (*name, *name));
            assert_eq!(plan.description, entry.description, "{name}");
            assert!(plan.about.contains("proportions after"), "{name}: {}", plan.about);
        }
    }
}
