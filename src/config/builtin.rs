//! The scenes inside the binary.

/// A scene that needs no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinScene {
    /// What `--scene` and `extends` call it.
    pub name: &'static str,
    /// Its file, as in `assets/scenes/`.
    pub text: &'static str,
}

/// The table of the scenes called so, whose files are in `assets/scenes/`.
macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltinScene { name: $name, text: include_str!(concat!("../../assets/scenes/", $name, ".toml")) }),*]
    };
}

/// All of them; the first is the default, and the number keys choose the first nine.
///
/// A new one is added at the end. It has a file in `assets/scenes/` whose first line describes it and whose `camera.rail`
/// has 5 to 8 waypoints, a row in the README's table, and a picture in `tests/golden/`, which that test writes.
#[rustfmt::skip]
pub const BUILTIN_SCENES: &[BuiltinScene] = scenes![
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

impl BuiltinScene {
    /// The one called `name`.
    pub fn find(name: &str) -> Option<Self> {
        BUILTIN_SCENES.iter().copied().find(|scene| scene.name == name)
    }

    /// The first line of its file, without the `#`.
    pub fn description(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}
