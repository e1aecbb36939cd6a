//! Arguments that several commands take.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::{Args, ValueEnum, value_parser};
use config::{FISH_LIMIT, LanguageChoice, Preferences};
use render::Quality;
use runtime::{DEFAULT_SIZE, SceneOptions, parse_size};
use shell::messages::Language;

/// Arguments of every command that shows a scene.
#[derive(Args, Clone, Debug, Default)]
pub struct SceneArgs {
    /// Scene by name (see `pelagic scene list`) or a TOML file.
    #[arg(long, value_name = "NAME|FILE", default_value = "reef")]
    pub scene: String,
    /// Change one key of the scene, such as water.type=3C; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Quality (the same as --set render.quality=...).
    #[arg(long, value_name = "TIER", value_enum, ignore_case = true)]
    pub quality: Option<Quality>,
    /// Width and height of the picture in pixels.
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<(u32, u32)>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Total number of schooling and reef fish, dealt out over the scene's species.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(..=i64::from(FISH_LIMIT)))]
    pub fish: Option<u32>,
    /// Use the shaders in this folder in place of the built-in ones; the window watches it for edits.
    #[arg(long, value_name = "DIR", value_parser = PathBufValueParser::new().try_map(folder))]
    pub shaders: Option<PathBuf>,
}

/// On or off.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnOff {
    /// On.
    On,
    /// Off.
    Off,
}

/// Language from the argument, else from the user's preferences, else from the system.
pub fn language(asked: Option<LanguageChoice>, own: &Preferences) -> Language {
    match asked.or(own.language).unwrap_or(LanguageChoice::Auto) {
        // On Linux the variables LANGUAGE, LC_ALL, LC_MESSAGES and LANG, in this order.
        LanguageChoice::Auto => {
            sys_locale::get_locale().map_or(Language::default(), |locale| Language::of_locale(&locale))
        }
        LanguageChoice::En => Language::English,
        LanguageChoice::ZhCn => Language::Chinese,
    }
}

impl SceneArgs {
    /// Converts the arguments to options of [`app`](crate::app).
    pub fn options(&self) -> SceneOptions {
        let quality = self.quality.iter().map(|tier| format!("render.quality={tier}"));
        SceneOptions {
            scene: self.scene.clone(),
            // Last, so that it wins over a --set of the same key.
            set: self.set.iter().cloned().chain(quality).collect(),
            size: self.size.unwrap_or(DEFAULT_SIZE),
            seed: self.seed,
            fish: self.fish,
            shaders: self.shaders.clone(),
        }
    }
}

fn folder(path: PathBuf) -> Result<PathBuf, &'static str> {
    if path.is_dir() { Ok(path) } else { Err("there is no such folder") }
}
