//! Names and help texts of a scene file's settings: in English from their declarations, otherwise from `assets/locale`.

use std::collections::HashMap;
use std::sync::LazyLock;

use config::{Content, TableSchema, settings_schema};

use crate::messages::Messages;

/// English help text of each setting, by its path.
static ENGLISH: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let mut helps = HashMap::new();
    gather(settings_schema(), &mut helps);
    helps
});

fn gather(table: &'static TableSchema, helps: &mut HashMap<&'static str, &'static str>) {
    for entry in &table.0 {
        helps.insert(&entry.path, &entry.doc);
        match &entry.content {
            Content::Value(_) => {}
            Content::Table(inner) | Content::List(inner) | Content::Map(inner) => gather(inner, helps),
        }
    }
}

impl Messages {
    /// Name of the setting at a path such as `water.type`; in English its key in the file.
    pub fn setting_name(&self, path: &str) -> String {
        let in_file = || path.rsplit('.').next().unwrap_or(path).to_owned();
        self.text(&id(path), None, &[]).unwrap_or_else(in_file)
    }

    /// Help text of the setting at a path, in one line.
    pub fn setting_help(&self, path: &str) -> String {
        let english = || ENGLISH.get(path).copied().unwrap_or_default().to_owned();
        self.text(&id(path), Some("help"), &[]).unwrap_or_else(english)
    }

    /// Name of one of the values that a setting can be chosen from.
    pub fn choice(&self, value: &str) -> String {
        self.text(&choice_id(value), None, &[]).unwrap_or_else(|| value.replace('_', " "))
    }

    /// Name of a scene; built-in scenes have a name in this language.
    pub fn scene(&self, name: &str) -> String {
        self.text(&scene_id(name), None, &[]).unwrap_or_else(|| name.replace('_', " "))
    }

    /// Name of a species or a prop; the program's own models have a name in this language.
    pub fn creature(&self, name: &str) -> String {
        self.text(&creature_id(name), None, &[]).unwrap_or_else(|| name.replace('_', " "))
    }

    /// The unit of a setting, such as `degrees`.
    pub fn unit(&self, unit: &str) -> String {
        self.text(&format!("unit-{}", unit.replace([' ', '/'], "-")), None, &[]).unwrap_or_else(|| unit.to_owned())
    }
}

/// Message id for a path, without list brackets and the user's own names.
fn id(path: &str) -> String {
    format!("set-{}", path.replace("[]", "").replace(".*", "").replace(['.', '_'], "-"))
}

fn choice_id(value: &str) -> String {
    format!("choice-{}", value.replace('_', "-"))
}

fn scene_id(name: &str) -> String {
    format!("scene-{}", name.replace('_', "-"))
}

fn creature_id(name: &str) -> String {
    format!("creature-{}", name.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use config::{BUILTIN_SCENES, ValueKind};
    use fluent_bundle::FluentResource;
    use fluent_syntax::ast::Entry;

    use super::*;
    use crate::messages::Language;

    fn gather_units(table: &'static TableSchema, units: &mut BTreeSet<&'static str>) {
        for entry in &table.0 {
            match &entry.content {
                Content::Value(value) => drop(units.insert(&value.unit)),
                Content::Table(inner) | Content::List(inner) | Content::Map(inner) => gather_units(inner, units),
            }
        }
    }

    /// Gathers the choices that are words; water types and axes are not.
    fn gather_choices(table: &'static TableSchema, choices: &mut BTreeSet<&'static str>) {
        for entry in &table.0 {
            match &entry.content {
                Content::Value(value) => {
                    if let ValueKind::Choice(all) | ValueKind::Choices(all) = &value.kind {
                        choices.extend(all.iter().map(String::as_str).filter(|one| one.len() > 2 && *one != "III"));
                    }
                }
                Content::Table(inner) | Content::List(inner) | Content::Map(inner) => gather_choices(inner, choices),
            }
        }
    }

    #[test]
    fn every_setting_has_a_name_and_a_help_in_chinese_and_no_text_is_stale() {
        let resource = FluentResource::try_new(Language::Chinese.settings().to_owned()).expect("Fluent's syntax");
        let texts: BTreeSet<(String, bool)> = resource
            .entries()
            .filter_map(|entry| match entry {
                Entry::Message(text) => {
                    Some((text.id.name.to_owned(), text.attributes.iter().any(|a| a.id.name == "help")))
                }
                _ => None,
            })
            .collect();
        let settings = ENGLISH.keys().map(|path| (id(path), true));
        let mut units = BTreeSet::new();
        gather_units(settings_schema(), &mut units);
        // Symbols of units are the same in every language.
        let units = units.into_iter().filter(|unit| unit.len() > 3);
        let units = units.map(|unit| (format!("unit-{}", unit.replace([' ', '/'], "-")), false));
        let mut choices = BTreeSet::new();
        gather_choices(settings_schema(), &mut choices);
        let choices = choices.into_iter().map(|choice| (choice_id(choice), false));
        let scenes = BUILTIN_SCENES.iter().map(|scene| (scene_id(scene.name), false));
        let species = BUILTIN_SCENES.iter().flat_map(|scene| {
            let config = config::load(scene.name, &[]).expect("the built-in scenes are fine").config.scene;
            let props = config.props.into_iter().map(|prop| prop.name);
            config.species.into_iter().map(|species| species.name).chain(props).collect::<Vec<_>>()
        });
        let creatures = species.chain(assets::models().map(str::to_owned)).map(|name| (creature_id(&name), false));
        let wanted: BTreeSet<(String, bool)> =
            settings.chain(units).chain(choices).chain(scenes).chain(creatures).collect();
        let missing: Vec<_> = wanted.difference(&texts).collect();
        let stale: Vec<_> = texts.difference(&wanted).collect();
        assert!(missing.is_empty() && stale.is_empty(), "zh-CN.settings.ftl: missing {missing:?}, stale {stale:?}");
        assert_eq!(
            texts.iter().filter(|(_, has_help)| *has_help).count(),
            ENGLISH.len(),
            "no two settings share a text"
        );
    }

    #[test]
    fn settings_are_told_in_either_language() {
        let [english, chinese] = Language::ALL.map(Messages::new);
        assert_eq!(english.setting_name("waves.wind_m_s"), "wind_m_s");
        assert!(english.setting_help("waves.wind_m_s").starts_with("Wind speed at 10 m"));
        assert_eq!(chinese.setting_name("water.type"), "标准海水类型");
        assert_eq!(chinese.setting_help("render.effects.caustics"), "焦散。");
        assert_eq!(chinese.setting_name("species[].clips.*.from_frame"), "首帧");
        assert_eq!((english.unit("degrees"), chinese.unit("degrees")), ("degrees".into(), "度".into()));
        assert_eq!(chinese.unit("m"), "m");
        assert_eq!((english.choice("visit_cleaner"), chinese.choice("high")), ("visit cleaner".into(), "高".into()));
        assert_eq!((english.scene("night_reef"), chinese.scene("my bay")), ("night reef".into(), "my bay".into()));
        assert_eq!(
            (english.creature("blue_tang"), chinese.creature("my_fish")),
            ("blue tang".into(), "my fish".into())
        );
        assert_ne!(chinese.creature("blue_tang"), "blue tang");
    }
}
