//! Tests of the precedence of cards, and of messages about bad cards.

use std::path::Path;

use life::{Active, Behaviour, Routine, Swimming};
use scene::SpeciesSettings;

use crate::{BUILTIN_CARDS, BUILTIN_SCENES, ConfigError, LoadedScene, load, load_text};

/// A temporary folder of files.
struct Folder(tempfile::TempDir);

impl Folder {
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).expect("a file"));
        Self(folder)
    }

    fn load(&self, sets: &[&str]) -> Result<LoadedScene, ConfigError> {
        let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
        load(self.0.path().join("my.toml").to_str().expect("temporary paths are UTF-8"), &sets)
    }

    fn fish(&self, sets: &[&str]) -> SpeciesSettings {
        let loaded = self.load(sets).unwrap_or_else(|error| panic!("{error}"));
        loaded.config.scene.species.into_iter().next().expect("a species")
    }

    /// The problems, a line each, without the folder.
    fn problems(&self) -> Vec<String> {
        let folder = format!("{}/", self.0.path().display());
        let error = self.load(&[]).expect_err("a bad card");
        error.problems.iter().map(|problem| problem.to_string().replace(&folder, "")).collect()
    }
}

/// A scene with one species of fish, with `more` keys.
fn fish(more: &str) -> String {
    format!("[[species]]\nname = \"fish\"\nmodel = \"builtin:sardine\"\n{more}")
}

#[test]
fn each_creature_of_the_scenes_has_its_card_and_each_card_is_fine() {
    for scene in BUILTIN_SCENES {
        for species in load(scene.name, &[]).expect("built-in scenes are fine").config.scene.species {
            let has_card = BUILTIN_CARDS.iter().any(|card| card.name == species.card);
            assert!(has_card, "{}: {} has the card {:?}", scene.name, species.name, species.card);
        }
    }
    for card in BUILTIN_CARDS {
        assert!(card.description().len() > 20 && card.description().contains(": "), "{}", card.description());
        let scene = fish(&format!("card = \"{}\"", card.name));
        let loaded = load_text("my.toml", &scene, &[]).unwrap_or_else(|error| panic!("{error}"));
        let species = &loaded.config.scene.species[0];
        assert_eq!(species.card, card.name);
        assert!(species.life.burst_bl_s() > species.life.speed_bl_s, "{}", card.name);
        let sleeps = species.life.active != Active::Always;
        assert!(!sleeps || species.life.routines.contains(&Routine::Rest), "{} never sleeps", card.name);
    }
}

#[test]
fn a_scene_wins_over_its_card_and_a_card_over_its_base() {
    let folder = Folder::of(&[
        ("my.toml", &fish("card = \"wolf.toml\"\nlength_m = 0.9\nclips.swim.to_frame = 40")),
        ("wolf.toml", "extends = \"pack.toml\"\nlength_m = 0.8\nspeed_bl_s = 1.1\nclips.swim.from_frame = 3\n"),
        ("pack.toml", "extends = \"barracuda\"\nspeed_bl_s = 1.2\nroutines = [\"herd\"]\nburst_bl_s = 6\n"),
    ]);
    let wolf = folder.fish(&[]);
    assert_eq!(wolf.life.length_m, 0.9, "of the scene");
    assert_eq!(wolf.life.speed_bl_s, 1.1, "of the card");
    assert_eq!((wolf.life.routines, wolf.life.burst_bl_s), (vec![Routine::Herd], Some(6.0)), "of its base");
    assert_eq!(
        (wolf.life.hunts, wolf.life.swimming),
        (true, Swimming::Subcarangiform),
        "of the base's base, and of the last"
    );
    assert_eq!((wolf.life.host_m, wolf.life.stride_bl), (3.0, None), "of none");
    assert_eq!((wolf.clips["swim"].from_frame, wolf.clips["swim"].to_frame), (Some(3.0), Some(40.0)), "key by key");
    assert!(Path::new(&wolf.card).is_absolute() && wolf.card.ends_with("wolf.toml"));
    assert_eq!(folder.fish(&["species.fish.speed_bl_s=2"]).life.speed_bl_s, 2.0, "an argument wins over all");
    let watched: Vec<_> = folder.load(&[]).expect("fine").files.paths().map(Path::to_owned).collect();
    let names = ["my.toml", "wolf.toml", "pack.toml"]
        .map(|name| folder.0.path().join(name).canonicalize().expect("it is there"));
    assert_eq!(watched.iter().map(|path| path.canonicalize().expect("it is there")).collect::<Vec<_>>(), names);
}

#[test]
fn a_model_brings_its_card_unless_another_is_named_or_none() {
    let of = |more: &str, sets: &[&str]| Folder::of(&[("my.toml", &fish(more))]).fish(sets);
    assert_eq!(of("", &[]).life.routines, [Routine::School, Routine::Mill]);
    let grazer = of("card = \"reef_grazer\"", &[]);
    assert_eq!((grazer.life.behaviour, grazer.card.as_str()), (Behaviour::Reef, "reef_grazer"));
    let none = of("card = \"none\"", &[]);
    let default = SpeciesSettings::default();
    assert_eq!(
        (none.card.as_str(), none.life.routines.len(), none.life.length_spread),
        ("none", 0, default.life.length_spread)
    );
    assert_eq!(of("", &["species.fish.card=moray_eel"]).life.active, Active::Night);
    assert_eq!(of("", &["species.fish.model=builtin:wreck"]).card, "none", "a wreck has no habits");
}

#[test]
fn what_is_wrong_with_a_card_is_said_once_with_its_place() {
    let bad = |card: &str, more: &[(&str, &str)]| {
        let twice =
            fish("card = \"my_card.toml\"\n") + &fish("card = \"my_card.toml\"\n").replace("\"fish\"", "\"other\"");
        let files = [&[("my.toml", twice.as_str()), ("my_card.toml", card)], more].concat();
        Folder::of(&files).problems()
    };
    assert_eq!(
        bad("active = \"day\"\nroutines = [\"graze\", \"swarm\"]\nspeed_bl_s = 40\n", &[]),
        [
            "my_card.toml:2:22: routines: \"swarm\" is not one of wander, school, mill, station, graze, plankton, hide, \
             clean, visit_cleaner, host, rest, ambush, pursue, herd, breathe, guard",
            "my_card.toml:3:14: speed_bl_s: 40 is out of range; allowed is 0.01 to 10 body lengths/s",
        ]
    );
    assert_eq!(bad("boldnes = 1", &[]), ["my_card.toml:1:1: boldnes: unknown key; did you mean boldness?"]);
    assert_eq!(bad("\nhome_m = [0, 0]", &[]), ["my_card.toml:2:1: home_m: is for a scene to say, not for a card"]);
    assert_eq!(bad("shelter = [\"ledge\", 4]", &[]), ["my_card.toml:1:21: shelter: expected a string, found 4"]);
    assert_eq!(bad("shelter = [\" \"]", &[]), ["my_card.toml:1:12: shelter: is empty"]);
    assert_eq!(
        bad("extends = \"b.toml\"", &[("b.toml", "\nextends = \"my_card.toml\"")]),
        ["b.toml:2:11: extends: the files extend each other in a circle: my_card.toml -> b.toml -> my_card.toml"]
    );
    let unknown = bad("extends = \"sardin\"", &[]);
    assert!(
        unknown[0].starts_with("my_card.toml:1:11: extends: no file and no card is called \"sardin\""),
        "{unknown:?}"
    );
    assert!(unknown[0].ends_with("did you mean sardine?") && unknown.len() == 1, "{unknown:?}");
    let said = |text: &str| Folder::of(&[("my.toml", text)]).problems();
    let unknown = said(&fish("card = \"morray_eel\""));
    assert!(unknown[0].starts_with("my.toml:4:8: species.fish.card: no file and no card is called"), "{unknown:?}");
    assert!(unknown[0].ends_with("did you mean moray_eel?"), "{unknown:?}");
    assert!(said(&fish("card = \"gone.toml\""))[0].starts_with("my.toml:4:8: species.fish.card: no file and no card"));
    assert!(said(&fish("card = \"\""))[0].ends_with("species.fish.card: is empty"));
}
