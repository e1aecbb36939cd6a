//! The scenes inside the binary.

/// A scene that needs no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinScene {
    /// What `--scene` and `extends` call it.
    pub name: &'static str,
    /// Its file, as in `assets/scenes/`.
    pub text: &'static str,
}

/// All of them; the first is the default.
pub const BUILTIN_SCENES: &[BuiltinScene] = &[
    BuiltinScene { name: "reef", text: include_str!("../../assets/scenes/reef.toml") },
    BuiltinScene { name: "open_blue", text: include_str!("../../assets/scenes/open_blue.toml") },
    BuiltinScene { name: "lagoon", text: include_str!("../../assets/scenes/lagoon.toml") },
    BuiltinScene { name: "kelp", text: include_str!("../../assets/scenes/kelp.toml") },
    BuiltinScene { name: "wreck", text: include_str!("../../assets/scenes/wreck.toml") },
    BuiltinScene { name: "deep", text: include_str!("../../assets/scenes/deep.toml") },
    BuiltinScene { name: "night_reef", text: include_str!("../../assets/scenes/night_reef.toml") },
    BuiltinScene { name: "harbour", text: include_str!("../../assets/scenes/harbour.toml") },
    BuiltinScene { name: "storm", text: include_str!("../../assets/scenes/storm.toml") },
    BuiltinScene { name: "calibration", text: include_str!("../../assets/scenes/calibration.toml") },
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
