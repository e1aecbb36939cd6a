//! Settings in a page's address: `?scene=reef&water=3C&fish=2000&quality=low`.

use clap::ValueEnum;
use config::BUILTIN_SCENES;
use render::Stereo;
use runtime::{SceneOptions, load_quietly, parse_size};
use shell::messages::Language;
use suggest::nearest;

/// Keys of an address.
const KEYS: [&str; 11] = ["scene", "water", "fish", "quality", "lang", "stereo", "seed", "sway", "ui", "step", "size"];
/// Key that changes any key of a scene and may be repeated: `set=waves.wind_m_s=12`.
const SET: &str = "set";

/// Keys of an address that stand for a key of a scene: short key and scene key.
const OF_SCENE: [(&str, &str); 2] = [("water", "water.type"), ("quality", "render.quality")];

/// Settings of an address, as far as they are valid.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Scene and the changes to it.
    pub scene: SceneOptions,
    /// Language of the texts.
    pub language: Language,
    /// Whether the address names the language.
    pub says_language: bool,
    /// Stereo mode of the canvas.
    pub stereo: Stereo,
    /// Whether the camera sways.
    pub sway: bool,
    /// Whether text is shown over the picture.
    pub ui: bool,
    /// Step after which a single still picture is taken, if only that is wanted.
    pub step: Option<u64>,
    /// Messages about settings that were not applied.
    pub warnings: Vec<String>,
}

/// Key and value in an address for a key of a scene.
pub fn in_address(key: &str, value: &str) -> (String, String) {
    match OF_SCENE.iter().find(|(_, of_scene)| *of_scene == key) {
        Some((short, _)) => ((*short).to_owned(), value.to_owned()),
        None if KEYS.contains(&key) => (key.to_owned(), value.to_owned()),
        None => (SET.to_owned(), format!("{key}={value}")),
    }
}

/// Key of a scene for a key of an address.
pub fn in_scene(key: &str) -> &str {
    OF_SCENE.iter().find(|(short, _)| *short == key).map_or(key, |(_, of_scene)| of_scene)
}

impl Link {
    /// Reads keys and values; wrong ones are left out and reported. `language` is the person's, if none is asked for.
    pub fn read(asked: &[(String, String)], language: Language) -> Self {
        let mut link = Self {
            scene: SceneOptions::default(),
            language,
            says_language: false,
            stereo: Stereo::Off,
            sway: true,
            ui: true,
            step: None,
            warnings: Vec::new(),
        };
        // The scene is read first, since other keys are validated against it.
        let (scene, others): (Vec<_>, Vec<_>) = asked.iter().partition(|(key, _)| key == "scene");
        for (key, value) in scene.into_iter().chain(others) {
            if let Err(why) = link.take(key, value.trim()) {
                link.warnings.push(why);
            }
        }
        link
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u64>().map_err(|_| format!("{key}={value}: it is no whole number"));
        let is_on = || match value {
            "" | "1" | "on" | "true" => Ok(true),
            "0" | "off" | "false" => Ok(false),
            _ => Err(format!("{key}={value}: it is neither on nor off")),
        };
        match key {
            "scene" => {
                let names = BUILTIN_SCENES.iter().map(|scene| scene.name);
                if !names.clone().any(|name| name == value) {
                    return Err(format!("there is no scene \"{value}\"{}", meant(value, names)));
                }
                self.scene.scene = value.into();
            }
            "fish" => {
                let fish = u32::try_from(number()?).map_err(|_| format!("fish={value}: that is too many"))?;
                self.change(|scene| scene.fish = Some(fish))?;
            }
            "seed" => self.scene.seed = number()?,
            "step" => self.step = Some(number()?),
            "size" => self.scene.size = parse_size(value)?,
            "sway" => self.sway = is_on()?,
            "ui" => self.ui = is_on()?,
            "lang" => (self.language, self.says_language) = (Language::of_locale(value), true),
            "stereo" => {
                self.stereo = Stereo::from_str(value, true).map_err(|_| {
                    let values = Stereo::value_variants().iter().filter_map(ValueEnum::to_possible_value);
                    let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
                    format!("stereo={value}: it is none of {}", names.join(", "))
                })?;
            }
            SET => self.change(|scene| scene.set.push(value.into()))?,
            _ => {
                let Some((_, of_scene)) = OF_SCENE.iter().find(|(known, _)| *known == key) else {
                    let known = KEYS.into_iter().chain([SET]);
                    return Err(format!("an address has no key \"{key}\"{}", meant(key, known)));
                };
                self.change(|scene| scene.set.push(format!("{of_scene}={value}")))?;
            }
        }
        Ok(())
    }

    /// Changes the scene, unless the change makes it invalid.
    fn change(&mut self, change: impl FnOnce(&mut SceneOptions)) -> Result<(), String> {
        let mut scene = self.scene.clone();
        change(&mut scene);
        load_quietly(&scene).map_err(|error| error.to_string())?;
        self.scene = scene;
        Ok(())
    }
}

/// Suggestion for an unknown name.
fn meant<'a>(asked: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(asked, known).map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(asked: &[(&str, &str)]) -> Link {
        let asked: Vec<_> = asked.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Link::read(&asked, Language::English)
    }

    #[test]
    fn an_address_says_what_the_command_line_does() {
        let link = read(&[
            ("water", "3C"),
            ("fish", "2000"),
            ("quality", "low"),
            ("scene", "kelp"),
            ("lang", "zh-CN"),
            ("stereo", "anaglyph"),
            ("set", "waves.wind_m_s=12"),
            ("step", "60"),
            ("size", "320x180"),
            ("ui", "0"),
        ]);
        assert_eq!(link.warnings, [""; 0]);
        let set = ["water.type=3C", "render.quality=low", "waves.wind_m_s=12"].map(String::from).to_vec();
        let scene =
            SceneOptions { scene: "kelp".into(), set, fish: Some(2000), size: (320, 180), ..Default::default() };
        assert_eq!((link.scene, link.step, link.ui, link.sway), (scene, Some(60), false, true));
        assert_eq!((link.language, link.stereo), (Language::Chinese, Stereo::Anaglyph));
    }

    #[test]
    fn keys_of_a_scene_are_short_in_an_address() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(in_address("water.type", "3C"), pair("water", "3C"));
        assert_eq!(in_address("fish", "7"), pair("fish", "7"));
        assert_eq!(in_address("waves.wind_m_s", "12"), pair("set", "waves.wind_m_s=12"));
        assert_eq!((in_scene("quality"), in_scene("sun.azimuth_deg")), ("render.quality", "sun.azimuth_deg"));
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_taken() {
        let link =
            read(&[("scen", "kelp"), ("quality", "lowest"), ("fish", "-3"), ("water", "II"), ("scene", "reeef")]);
        let told = |text: &str| link.warnings.iter().any(|warning| warning.contains(text));
        assert!(told("no key \"scen\"; did you mean \"scene\"?"), "{:?}", link.warnings);
        assert!(told("no scene \"reeef\"; did you mean \"reef\"?") && told("fish=-3"), "{:?}", link.warnings);
        assert!(told("lowest") && told("did you mean"), "{:?}", link.warnings);
        assert_eq!((link.warnings.len(), link.scene.set), (4, vec!["water.type=II".to_owned()]));
    }
}
