//! The scenes and the species cards inside the binary.

/// A scene or a card that needs no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinFile {
    /// Name in `--scene`, `extends` and `card`.
    pub name: &'static str,
    /// Its file, as in `assets/`.
    pub text: &'static str,
}

/// Table of the files of these names in a folder of `assets/`.
macro_rules! files {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(BuiltinFile {
            name: $name,
            text: include_str!(concat!("../../../assets/", $folder, "/", $name, ".toml")),
        }),*]
    };
}

/// All scenes; the first is the default, and the number keys choose the first nine.
///
/// A new one is added at the end. It has a file in `assets/scenes/` whose first line describes it and whose
/// `camera.rail` has 5 to 8 waypoints, a row in the table of `docs/guide/en/scenes.md`, and a picture in
/// `tests/golden/`, which that test writes.
#[rustfmt::skip]
pub const BUILTIN_SCENES: &[BuiltinFile] = files!["scenes":
    "reef",
    "open_blue",
    "lagoon",
    "kelp",
    "wreck",
    "deep",
    "night_reef",
    "harbour",
    "storm",
    "calibration",
];

/// All cards: archetypes first, which others extend, then one for each creature of the project, under its model's name.
///
/// Each has a file in `assets/species/` whose first line describes it.
#[rustfmt::skip]
pub const BUILTIN_CARDS: &[BuiltinFile] = files!["species":
    "schooler",
    "plankton_picker",
    "reef_grazer",
    "pelagic_hunter",
    "ambusher",
    "glider",
    "drifter",
    "sardine",
    "chromis",
    "anthias",
    "blue_tang",
    "yellow_tang",
    "clownfish",
    "butterflyfish",
    "angelfish",
    "moorish_idol",
    "triggerfish",
    "puffer",
    "parrotfish",
    "cleaner_wrasse",
    "seahorse",
    "moray_eel",
    "barracuda",
    "bluefin_tuna",
    "reef_shark",
    "dolphin",
    "green_turtle",
    "stingray",
    "manta",
    "moon_jelly",
    "anglerfish",
    "diver",
];

impl BuiltinFile {
    /// The first line of its file, without the `#`.
    pub fn description(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}
