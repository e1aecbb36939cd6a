//! User preferences for every window: `config.toml` in the user's own folder, which any argument overrides.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use located::{NotToml, Span, clip};
use render::Quality;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use suggest::nearest;

use crate::problem::{ProblemKind, ReadError, SourceLocation};
use crate::source::{Source, Sources, read};

/// Allowed range of width and height. Unit: pixels.
pub const SIDE: RangeInclusive<u32> = 16..=16_384;

/// The user's own settings; unset ones are left to the program.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preferences {
    /// Quality tier, in place of a scene's own.
    #[serde(default, deserialize_with = "choice")]
    pub quality: Option<Quality>,
    /// Language of the window.
    #[serde(default, deserialize_with = "choice")]
    pub language: Option<LanguageChoice>,
    /// The window.
    #[serde(default)]
    pub window: WindowPreferences,
}

/// Requested language of the window.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanguageChoice {
    /// The system's, if it is one of these.
    Auto,
    /// English.
    En,
    /// Chinese (simplified).
    #[value(name = "zh-CN")]
    ZhCn,
}

/// The window as the user wants it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowPreferences {
    /// Width and height, each within [`SIDE`]. Unit: pixels.
    #[serde(default, deserialize_with = "size")]
    pub size: Option<(u32, u32)>,
    /// Whether it covers all of the monitor.
    pub fullscreen: Option<bool>,
    /// Whether frames wait for the screen.
    pub vsync: Option<bool>,
}

/// Deserializes a value from its name in arguments.
fn choice<'de, T: ValueEnum, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    let found = String::deserialize(from)?;
    let wrong = |_| {
        let values: Vec<_> = T::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
        let choices: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
        let near = nearest(&found, choices.iter().copied()).map(|near| format!("; did you mean {near}?"));
        let (found, near) = (clip(&found), near.unwrap_or_default());
        D::Error::custom(format!("\"{found}\" is not one of {}{near}", choices.join(", ")))
    };
    T::from_str(&found, true).map(Some).map_err(wrong)
}

fn size<'de, D: Deserializer<'de>>(from: D) -> Result<Option<(u32, u32)>, D::Error> {
    let size = <(u32, u32)>::deserialize(from)?;
    match SIDE.contains(&size.0) && SIDE.contains(&size.1) {
        true => Ok(Some(size)),
        false => Err(D::Error::custom(format!("a side of the window is from {} to {}", SIDE.start(), SIDE.end()))),
    }
}

/// Reason why preferences cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct PreferencesError {
    location: SourceLocation,
    what: String,
}

impl std::error::Error for PreferencesError {}

impl fmt::Display for PreferencesError {
    /// `config.toml:2:1: unknown field ...`, and the line below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.what)?;
        self.location.quoted().map_or(Ok(()), |line| write!(f, "\n{line}"))
    }
}

/// Reads the user's own settings; `None` if there is no such file.
///
/// # Errors
/// At the first fault in it, or if it cannot be read.
pub fn preferences(path: &Path) -> Result<Option<Preferences>, PreferencesError> {
    let label = path.display().to_string();
    match read(path) {
        Ok(text) => parse(&label, &text).map(Some),
        Err(ReadError::Missing) => Ok(None),
        Err(why) => Err(PreferencesError {
            location: SourceLocation { file: label, position: None, excerpt: None },
            what: match why {
                ReadError::Folder => {
                    "is a folder, and the file of your own settings belongs in its place; move the folder away".into()
                }
                error => ProblemKind::Unreadable { noun: "settings", error }.to_string(),
            },
        }),
    }
}

fn parse(label: &str, text: &str) -> Result<Preferences, PreferencesError> {
    let mut sources = Sources::default();
    let source = sources.add(Source::new(label.into(), text.into(), None, 0));
    let refused = |span: &Span, what: String| PreferencesError { location: sources.location(span), what };
    located::parse(text, source).map_err(|not_toml| {
        let NotToml { span, key, fault } = *not_toml;
        let kind = ProblemKind::from(fault);
        let what = if key.is_empty() { kind.to_string() } else { format!("{key}: {kind}") };
        refused(&span, what)
    })?;
    toml::from_str(text)
        .map_err(|error| refused(&Span { source, bytes: error.span().unwrap_or(0..0) }, error.message().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        parse("config.toml", text).expect_err("refused").to_string()
    }

    #[test]
    fn what_is_said_counts_and_what_is_not_is_left_open() {
        let said = "quality = \"low\"\nlanguage = \"zh-cn\"\n[window]\nsize = [640, 360]\nvsync = false\n";
        let wanted = Preferences {
            quality: Some(Quality::Low),
            language: Some(LanguageChoice::ZhCn),
            window: WindowPreferences { size: Some((640, 360)), fullscreen: None, vsync: Some(false) },
        };
        assert_eq!(parse("config.toml", said), Ok(wanted));
        assert_eq!(parse("config.toml", ""), Ok(Preferences::default()));
    }

    #[test]
    fn a_broken_file_is_an_error_with_its_place() {
        let wrong = refused("language = \"en\"\nqualty = \"low\"\n");
        assert!(wrong.starts_with("config.toml:2:1: unknown field `qualty`, expected one of `quality`"), "{wrong}");
        assert!(wrong.ends_with("    2 | qualty = \"low\"\n      | ^^^^^^"), "{wrong}");
        assert!(
            refused("quality = \"best\"").contains(":1:11: \"best\" is not one of auto, low, medium, high, ultra\n")
        );
        assert!(refused("quality = \"hihg\"").contains("ultra; did you mean high?\n"));
        assert!(refused("quality = 3").contains(":1:11: invalid type: integer `3`, expected a string"));
        assert!(refused("[window]\nsize = [0, 9]").contains(":2:8: a side of the window is from 16 to 16384"));
        assert!(refused("[window\n").starts_with("config.toml:1:"));
        let klingon = refused("language = \"klingon\"");
        assert!(klingon.contains(":1:12: \"klingon\" is not one of auto, en, zh-CN\n"), "{klingon}");
        assert!(refused("language = \"\"").contains("\"\" is not one of auto"));
        let twice = refused("[window]\nvsync = true\n\n[window]\nsize = [640, 360]\n");
        assert!(twice.starts_with("config.toml:4:2: window: is there already, in line 1\n"), "{twice}");
        assert!(refused("quality = low").starts_with("config.toml:1:11: not TOML: a string needs quotes: \"low\"\n"));
    }

    #[test]
    fn a_missing_file_is_fine_and_a_folder_in_its_place_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(preferences(&folder.path().join("config.toml")), Ok(None));
        let refused = preferences(folder.path()).expect_err("a folder").to_string();
        let path = folder.path().display();
        assert!(refused.starts_with(&format!("{path}: is a folder, and the file of your own settings")), "{refused}");
    }
}
