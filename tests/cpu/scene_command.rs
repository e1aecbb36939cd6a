//! The command `pelagic scene`.

use std::process::{Command, Output};

use pelagic::config::{BUILTIN_CARDS, BUILTIN_SCENES, load};
use pelagic::runtime::check::{ModelFindings, check_models};

use crate::config::Folder;

fn scene_schema_prints_a_json_schema() {
    let (code, out, _) = pelagic(&["scene", "schema"]);
    assert_eq!(code, Some(0));
    let schema: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let sun = &schema["properties"]["sun"]["properties"]["elevation_deg"];
    assert_eq!((&sun["x-unit"], &sun["minimum"], &sun["default"]), (&"degrees".into(), &(-90).into(), &58.0.into()));
}

fn scene_schema_of_cards_has_the_keys_of_every_card() {
    let (code, out, _) = pelagic(&["scene", "schema", "--cards"]);
    assert_eq!(code, Some(0));
    let schema: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let keys = schema["properties"].as_object().expect("keys");
    assert!(!keys.contains_key("home_m") && !keys.contains_key("count"), "those are the scene's");
    assert_eq!(schema["properties"]["burst_bl_s"]["x-unit"], "body lengths/s");
    for card in BUILTIN_CARDS {
        let table: toml::Table = card.text.parse().expect("a card");
        assert!(table.keys().all(|key| keys.contains_key(key)), "{}", card.name);
    }
}

fn pelagic(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    let Output { status, stdout, stderr } = command.args(arguments).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("messages are UTF-8");
    (status.code(), text(stdout), text(stderr))
}

fn scene_check_says_fine_or_everything_that_is_wrong() {
    let folder = Folder::new();
    let good = folder.write("good.toml", "extends = \"reef\"\n[water]\ntype = \"1C\"\nvisibility_m = 12\n");
    let (code, out, err) = pelagic(&["scene", "check", &good]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with(&format!("{good}: fine\n  water 1C, the ground at 8 m")), "{out}");
    assert!(out.contains("one sees 12.0 m, a Secchi disc down to "), "{out}");
    assert!(out.contains("500 animals of 20 species"), "{out}");

    let bad = folder.write("bad.toml", "[water]\ntyp = 1\nturbidity = 99\n");
    let (code, out, err) = pelagic(&["scene", "check", &bad, "--set", "sun.brightness=9"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains(&format!("\n{bad}:2:1: water.typ: unknown key; did you mean water.type?\n")), "{err}");
    assert!(err.contains(&format!("\n{bad}:3:13: ")) && err.contains("\n--set sun.brightness=9: "), "{err}");
    assert!(err.trim_end().ends_with(&format!("3 problems in {bad}")), "{err}");
}

fn scene_check_says_all_that_loading_the_models_would() {
    let folder = Folder::new();
    folder.write("alone.ms3d", assets::read("sardine.ms3d").expect("it is one of ours"));
    folder.write("text.ms3d", "this is no model");
    let odd = "[[species]]\nname = \"fish\"\nmodel = \"alone.ms3d\"\ncount = 2\n\
               clips.swim = { from_frame = 1, to_frame = 5000 }\nclips.idle = { from_frame = 1, to_frame = 4 }\n";
    let odd_file = folder.write("odd.toml", odd);
    let (code, out, err) = pelagic(&["scene", "check", &odd_file]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with(&format!("{odd_file}: can be used\n")), "{out}");
    for warning in [
        "odd.toml:3:9: species.fish.model: texture 'sardine.png' is not found beside the model; a checker stands in",
        "odd.toml:5:14: species.fish.clips.swim: clip 'swim', frames 1 to 5000, stands still in part: the keys lie in",
        "odd.toml:6:14: species.fish.clips.idle: clip 'idle' does not close",
    ] {
        assert!(out.contains(warning), "\"{warning}\" is not in:\n{out}");
    }
    let (code, _, err) = pelagic(&["scene", "check", "--strict", &odd_file]);
    assert_eq!(code, Some(2));
    assert!(err.contains("warnings"), "{err}");

    let bad = "[[species]]\nname = \"ghost\"\nmodel = \"builtin:nothing\"\ncount = 1\n\
               [[props]]\nname = \"stone\"\nmodel = \"text.ms3d\"\ncount = 1\n";
    let bad = folder.write("bad.toml", bad);
    let (code, out, err) = pelagic(&["scene", "check", &bad]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(
        err.contains(&format!("\n{bad}:3:9: species.ghost.model: there is no built-in model 'nothing'; ")),
        "{err}"
    );
    assert!(err.contains(&format!("\n{bad}:7:9: props.stone.model: model '")), "{err}");
    assert!(err.contains("is not a usable MS3D file") && err.contains("2 problems in"), "{err}");
}

fn every_scene_of_the_program_passes_the_strict_check() {
    std::thread::scope(|scope| {
        for scene in BUILTIN_SCENES {
            scope.spawn(move || {
                let loaded = load(scene.name, &[]).expect("it is fine");
                let ModelFindings { problems, warnings } = check_models(&loaded);
                assert!(loaded.warnings.is_empty() && problems.is_empty() && warnings.is_empty(), "{warnings:?}");
            });
        }
    });
}

fn the_scene_of_the_guide_passes_the_strict_check() {
    let chapter = include_str!("../../docs/guide/en/scenes.md");
    let from = chapter.find("# mine.toml\n").expect("the example is there");
    let scene = chapter[from..].split("```").next().expect("it ends");
    let command = chapter.lines().find_map(|line| line.strip_prefix("pelagic forge make green_turtle"));
    let arguments = command.expect("it says where the turtle comes from").split('#').next().expect("a line");
    let folder = Folder::new();
    let mine = folder.write("mine.toml", scene);
    let mut made = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    made.args(["forge", "make", "green_turtle"]).args(arguments.split_whitespace()).current_dir(folder.path(""));
    assert!(made.output().expect("the program starts").status.success());
    let (code, out, err) = pelagic(&["scene", "check", "--strict", &mine]);
    assert_eq!(code, Some(0), "{out}{err}");
}

fn scene_list_names_the_scenes_and_dump_default_writes_one() {
    let (code, out, _) = pelagic(&["scene", "list"]);
    assert_eq!(code, Some(0));
    assert!(
        out.lines().next().is_some_and(|line| line.starts_with("reef") && line.contains("A coral garden")),
        "{out}"
    );
    assert_eq!(out.lines().count(), BUILTIN_SCENES.len());

    let folder = Folder::new();
    let (code, out, _) = pelagic(&["scene", "dump-default", "open_blue"]);
    assert_eq!(code, Some(0));
    let dumped = load(&folder.write("dumped.toml", out), &[]).expect("a dump is fine").config;
    assert_eq!(dumped, load("open_blue", &[]).expect("fine").config);
    assert_eq!(pelagic(&["scene", "dump-default", "nowhere"]).0, Some(2));
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    scene_schema_prints_a_json_schema;
    scene_schema_of_cards_has_the_keys_of_every_card;
    scene_check_says_fine_or_everything_that_is_wrong;
    scene_check_says_all_that_loading_the_models_would;
    every_scene_of_the_program_passes_the_strict_check;
    the_scene_of_the_guide_passes_the_strict_check;
    scene_list_names_the_scenes_and_dump_default_writes_one;
};
