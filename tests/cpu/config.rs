//! Scene files as a person writes them: what loads, what is refused and in which words, what the command says.

use std::path::{Path, PathBuf};

use pelagic::config::{
    BUILTIN_CARDS, BUILTIN_SCENES, Config, ConfigError, FileWatcher, FishError, LoadedScene, SIZE_LIMIT, load,
};
use pelagic::life::Behaviour;
use pelagic::ocean::WaterType;
use pelagic::render::Quality;
use pelagic::runtime::check::check_homes;

/// A folder of scene files that goes away.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("temporary paths are UTF-8").to_owned()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = PathBuf::from(self.path(name));
        std::fs::create_dir_all(path.parent().expect("files are in folders")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        self.path(name)
    }

    fn load(&self, text: &str) -> Result<LoadedScene, ConfigError> {
        load(&self.write("my.toml", text), &[])
    }

    /// The problems of a file `my.toml`, a line each, without the folder.
    fn problems(&self, text: &str) -> Vec<String> {
        self.said(&self.load(text).expect_err("a bad scene"))
    }

    fn said(&self, error: &ConfigError) -> Vec<String> {
        let folder = self.path("");
        error.problems.iter().map(|problem| problem.to_string().replace(&folder, "")).collect()
    }
}

fn problem(text: &str) -> String {
    let problems = Folder::new().problems(text);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems[0].clone()
}

fn set(argument: &str) -> Result<Config, String> {
    load("reef", &[argument.to_owned()]).map(|loaded| loaded.config).map_err(|error| {
        assert_eq!(error.problems.len(), 1, "{error}");
        error.problems[0].to_string()
    })
}

fn species_names(config: &Config) -> Vec<&str> {
    config.scene.species.iter().map(|species| species.name.as_str()).collect()
}

fn what_is_no_scene_is_called_what_it_is() {
    let folder = Folder::new();
    for name in ["fish.ms3d", "Fish.GLB"] {
        let said = folder.said(&load(&folder.path(name), &[]).expect_err("a model"));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(&format!("a model, not a scene: `pelagic model view {name}`")), "{said:?}");
    }
    let said = folder.problems("extends = \"reef_grazer\"\nlength_m = 0.2\nboldness = 0.5\n");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("a creature's card, not a scene") && said[0].contains("card = \"my.toml\""), "{said:?}");
    assert_ne!(folder.problems("length_m = 0.2\n[water]\ntype = \"IA\"\n"), said, "a scene with a slip in it");
}

fn every_built_in_scene_is_fine() {
    let chapter = include_str!("../../docs/guide/en/scenes.md");
    for (i, scene) in BUILTIN_SCENES.iter().enumerate() {
        let key = if i < 9 { format!(" {} ", i + 1) } else { " ".into() };
        let row = format!("\n|{key}| `{}` |", scene.name);
        assert!(chapter.contains(&row), "the guide's table of scenes and keys has no row that begins {row}");
        let loaded = load(scene.name, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(loaded.config.scene.name, scene.name);
        assert_eq!(loaded.warnings, [], "{}", scene.name);
        assert_eq!(loaded.files.paths().count(), 0);
        let waypoints = loaded.config.scene.camera.rail.len();
        assert!((5..=8).contains(&waypoints) || scene.name == "calibration", "{}: {waypoints}", scene.name);
        assert!(scene.description().len() > 20, "{}", scene.description());
    }
}

fn the_guide_names_every_routine_and_every_archetype() {
    let chapter = include_str!("../../docs/guide/en/habits.md");
    let schema = pelagic::config::json_schema().to_value();
    let routines = schema["properties"]["species"]["items"]["properties"]["routines"]["items"]["oneOf"].as_array();
    let routines: Vec<_> = routines.expect("choices").iter().filter_map(|routine| routine["const"].as_str()).collect();
    assert!(routines.len() >= 15);
    for routine in routines {
        assert!(chapter.contains(&format!("\n| `{routine}` | ")), "the guide's table of routines lacks {routine}");
    }
    for card in BUILTIN_CARDS.iter().filter(|card| card.description().starts_with("Archetype")) {
        assert!(chapter.contains(&format!("`{}`", card.name)), "the guide does not name {}", card.name);
    }
}

fn a_species_without_room_is_told_of_with_the_place_of_its_home() {
    let homes = |text: &str| {
        let loaded = Folder::new().load(text).expect("fine");
        let problems = check_homes(&loaded).expect("built-in models are fine").into_iter();
        problems.map(|problem| {
            format!("{}: {}: {}", problem.location.position.expect("a line").0, problem.key, problem.kind)
        })
    };
    let tang = |home: &str| format!("[[species]]\nname = \"tang\"\nmodel = \"builtin:blue_tang\"\n{home}");
    let pool = "seabed = { depth_m = 0.6, relief_m = 0 }\n";
    let said: Vec<String> = homes(&format!("{pool}{}", tang("length_m = 3\nhome_m = [3, 0]\nrange_m = 4\n"))).collect();
    assert_eq!(said.len(), 1);
    assert!(
        said[0].starts_with("6: species.tang.home_m: there is no room for it: within its range the ground"),
        "{said:?}"
    );
    let rock = "[[props]]\nname = \"rock\"\nmodel = \"builtin:boulder\"\nsolid = true\nat = [[3, 0, 0, 20]]\n";
    let said: Vec<String> =
        homes(&format!("{}{rock}", tang("home_m = [3, 0]\nrange_m = 2\ndepth_m = [5, 7]\n"))).collect();
    assert_eq!(said, ["4: species.tang.home_m: there is no room for it: within its range all is rock at its depths"]);
    let eel = "[[species]]\nname = \"eel\"\nmodel = \"builtin:moray_eel\"\nhome_m = [3, 2]\nrange_m = 5\n";
    let said: Vec<String> = homes(eel).collect();
    assert_eq!(said, ["4: species.eel.home_m: there is no crevice for it in reach: it rests on open ground"]);
    assert_eq!(homes(&format!("{eel}{}", rock.replace("20", "2"))).count(), 0, "it looks out of the rock");
}

fn the_reef_has_five_hundred_animals() {
    let reef = load("reef", &[]).expect("fine").config.scene;
    assert_eq!(reef.species.iter().map(|species| species.life.count).sum::<u32>(), 500);
    let blue = load("open_blue", &[]).expect("fine").config.scene;
    assert!(!blue.seabed.present && blue.species.iter().any(|species| species.life.count >= 1000));
}

fn an_empty_file_is_the_defaults_under_its_own_name() {
    let loaded = Folder::new().load("").expect("fine");
    let mut config = Config::default();
    config.scene.name = "my".into();
    assert_eq!(loaded.config, config);
}

fn unknown_keys_and_tables_are_placed_and_the_nearest_named() {
    let near = |text: &str, expected: &str| assert_eq!(problem(text), expected);
    near("[water]\nturbidty = 1\n", "my.toml:2:1: water.turbidty: unknown key; did you mean water.turbidity?");
    near("[water]\ndepth = 1\n", "my.toml:2:1: water.depth: unknown key; did you mean seabed.depth_m?");
    near("\n  [watr]\ntype = 1", "my.toml:2:4: watr: unknown table; did you mean water?");
    near("[waves]\nwind = 3", "my.toml:2:1: waves.wind: unknown key; did you mean waves.wind_m_s?");
    near("[seabed]\ncolor = [0,0,0]", "my.toml:2:1: seabed.color: unknown key; did you mean seabed.colour?");
    near("[flora]\nzzz = 3", "my.toml:2:1: flora.zzz: unknown key; there are density, sway");
    near(
        "render.effects.caustic = true",
        "my.toml:1:16: render.effects.caustic: unknown key; did you mean render.effects.caustics?",
    );
    // A quoted key is no path, though it reads like one.
    let quoted = problem("\"water.type\" = \"IB\"");
    assert!(quoted.starts_with("my.toml:1:1: water.type: unknown key"), "{quoted}");
}

fn numbers_are_held_to_their_ranges() {
    let refused = |text: &str, expected: &str| assert_eq!(problem(text), expected);
    refused("waves.wind_m_s = 31", "my.toml:1:18: waves.wind_m_s: 31 is out of range; allowed is 0 to 30 m/s");
    refused("[water]\nturbidity = nan", "my.toml:2:13: water.turbidity: NaN is out of range; allowed is 0 to 10");
    refused(
        "[post]\nexposure_ev = -inf",
        "my.toml:2:15: post.exposure_ev: -inf is out of range; allowed is -10 to 10 stops",
    );
    refused("[seabed]\ncolour = [0.1, 1.5, 0]", "my.toml:2:16: seabed.colour: 1.5 is out of range; allowed is 0 to 1");
    refused("[camera]\neye_m = [0, 1]", "my.toml:2:9: camera.eye_m: has 2 numbers; it takes 3");
    refused(
        "[particles]\nsnow_count = 4000000000",
        "my.toml:2:14: particles.snow_count: 4000000000 is out of range; allowed is 0 to 50000",
    );
}

fn values_are_held_to_their_types() {
    let expects = |text: &str, expected: &str| assert_eq!(problem(text), expected);
    expects(
        "[waves]\nfetch_km = \"far\"",
        "my.toml:2:12: waves.fetch_km: expected a number from 0 to 2000 km, found the string \"far\"",
    );
    expects("seabed.present = 1", "my.toml:1:18: seabed.present: expected true or false, found 1");
    expects("water = 3", "my.toml:1:9: water: expected a table, found 3");
    expects(
        "[particles]\nsnow_count = 3.5",
        "my.toml:2:14: particles.snow_count: expected a whole number from 0 to 50000, found 3.5",
    );
    expects(
        "[species]\nname = \"x\"",
        "my.toml:1:1: species: expected a list of tables, each written as [[species]], found a table",
    );
    expects("name = 1979-05-27", "my.toml:1:8: name: expected a string, found a date");
    expects("name = \" \"", "my.toml:1:8: name: is empty");
    expects(
        "[render]\nquality = \"Low\"",
        "my.toml:2:11: render.quality: \"Low\" is not one of auto, low, medium, high, ultra; did you mean low?",
    );
}

fn whole_numbers_will_do_for_numbers() {
    let loaded = Folder::new().load("waves.wind_m_s = 7\ncamera.eye_m = [1, -2, 3]").expect("fine");
    assert_eq!(loaded.config.scene.waves.wind_m_s, 7.0);
    assert_eq!(loaded.config.scene.camera.eye_m, [1.0, -2.0, 3.0]);
}

fn entries_need_a_name_and_a_model() {
    assert_eq!(problem("\n[[species]]\nmodel = \"builtin:manta\""), "my.toml:2:1: species[].name: is missing");
    assert_eq!(problem("[[props]]\nname = \"x\"\ncount = 1"), "my.toml:1:1: props.x.model: is missing");
    let clip = "[[species]]\nname = \"x\"\nmodel = \"builtin:manta\"\nclips.swim = { from_frame = 1 }";
    assert_eq!(problem(clip), "my.toml:4:14: species.x.clips.swim.to_frame: is missing");
    let half = clip.replace("from_frame = 1", "sequence = \"walk\", to_frame = 9");
    assert_eq!(problem(&half), "my.toml:4:14: species.x.clips.swim.from_frame: is missing");
    assert_eq!(
        problem("[camera.views.side]\neye_m = [0, 0, 0]"),
        "my.toml:1:15: camera.views.side.target_m: is missing"
    );
    let twice = "[[props]]\nname = \"x\"\nmodel = \"builtin:kelp\"\ncount = 1\n[[props]]\nname = \"x\"";
    assert_eq!(problem(twice), "my.toml:6:8: props.x: is there already, in line 2");
}

fn keys_are_checked_against_each_other() {
    let species = "[[species]]\nname = \"x\"\nmodel = \"builtin:manta\"\n";
    assert_eq!(
        problem(&format!("{species}depth_m = [9, 2.5]")),
        "my.toml:4:11: species.x.depth_m: the least depth comes first, but 9 m is more than 2.5 m"
    );
    assert_eq!(
        problem(&format!("{species}height_m = [2, 0.5]")),
        "my.toml:4:12: species.x.height_m: the least height comes first, but 2 m is more than 0.5 m"
    );
    let no_fetch = "waves.fetch_km: a wind of 4 m/s raises no waves over 0 km of water; give it a fetch, or set \
                    waves.wind_m_s = 0";
    assert_eq!(problem("[waves]\nfetch_km = 0"), format!("my.toml:2:12: {no_fetch}"));
    assert_eq!(problem("[waves]\nfetch_km = 0\nwind_m_s = 4"), format!("my.toml:3:12: {no_fetch}"));
    assert_eq!(
        problem(&format!("{species}clips.swim = {{ from_frame = 10, to_frame = 10 }}")),
        "my.toml:4:44: species.x.clips.swim.to_frame: to_frame 10 must be more than from_frame 10"
    );
    assert_eq!(
        problem("[camera]\neye_m = [0, -5, 0]"),
        "my.toml:2:9: camera.target_m: is where the eye is, which gives no direction to look in"
    );
    assert_eq!(
        problem("[camera.views.2]\neye_m = [1, 1, 1]\ntarget_m = [1, 1, 1]"),
        "my.toml:3:12: camera.views.2.target_m: is where the eye is, which gives no direction to look in",
        "a name that is a number is no place in a list"
    );
    assert_eq!(
        problem("[camera]\nrail = [{ eye_m = [1, 1, 1], target_m = [1, 1, 1.0] }]"),
        "my.toml:2:41: camera.rail[].target_m: is where the eye is, which gives no direction to look in"
    );
}

fn text_that_is_not_toml_is_placed() {
    assert_eq!(problem("[water]\ntype = IB # clear"), "my.toml:2:8: not TOML: a string needs quotes: \"IB\"");
    for (text, expected) in [
        ("[water]\n[waves]\n[water]", "my.toml:3:2: water: is there already, in line 1"),
        ("\n[water]\ntype = \"I\"\ntype = \"II\"", "my.toml:4:1: water.type: is there already, in line 3"),
        ("water.type = \"I\"\n\nwater.type = \"II\"", "my.toml:3:7: water.type: is there already, in line 1"),
        ("water.type = \"I\"\n[water]", "my.toml:2:2: water: is there already, in line 1"),
        ("[[props]]\n[props]", "my.toml:2:2: props: is there already, in line 1"),
        ("[sun]\n[[sun]]", "my.toml:2:3: sun: is there already, in line 1"),
        ("sun = {\n day = 1, day = 2 }", "my.toml:2:11: sun.day: is there already, in line 2"),
        (
            "[[species]]\n[species.clips]\n[[species]]\n[species.clips]\n[ species.\"clips\" ]",
            "my.toml:5:11: species.clips: is there already, in line 4",
        ),
        (
            "[render.effects]\n[render]\neffects.bloom = true",
            "my.toml:3:1: render.effects: is there already, in line 1",
        ),
    ] {
        assert_eq!(problem(text), expected);
    }
    let unclosed = problem("[water]\nturbidity = [1, 2");
    assert!(unclosed.starts_with("my.toml:2:") && unclosed.contains("not TOML"), "{unclosed}");
}

fn all_problems_are_told_at_once_with_their_lines_and_their_number() {
    let folder = Folder::new();
    let text = "extends = \"reef\"\n[water]\ntype = \"4C\"\nturbidity = nan\n[watr]\n\
                [[species]]\nname = \"manta\"\ncount = -1\ndepth_m = [5, 4]\n";
    let error = folder.load(text).expect_err("five problems");
    assert_eq!(error.problems.len(), 5, "{error}");
    let lines: Vec<usize> = error.problems.iter().filter_map(|p| p.location.position).map(|(line, _)| line).collect();
    assert_eq!(lines, [3, 4, 5, 8, 9]);
    let text = error.to_string().replace(&folder.path(""), "");
    assert!(text.ends_with("5 problems in my.toml"), "{text}");
    let carets = "my.toml:4:13: water.turbidity: NaN is out of range; allowed is 0 to 10\n    \
                  4 | turbidity = nan\n      |             ^^^\n";
    assert!(text.contains(carets), "{text}");
}

fn columns_count_characters_and_long_lines_are_cut_to_the_place() {
    assert_eq!(problem("water = { \"é\" = 1 }\n").split(": ").next(), Some("my.toml:1:11"));
    assert_eq!(problem("camera.views.\"été\".eye_m = [0, 0, 0]\n").split(": ").next(), Some("my.toml:1:14"));
    let far = format!("water = {{ turbidity = 1.0{}, inscatter = 9 }}", " ".repeat(300));
    let error = Folder::new().load(&far).expect_err("out of range");
    assert_eq!(error.problems[0].location.position, Some((1, 340)));
    let excerpt = error.problems[0].excerpt().expect("a line of the file");
    let [line, carets] = excerpt.lines().collect::<Vec<_>>()[..] else { panic!("{excerpt}") };
    assert!(line.len() < 130 && line.find("9 }").is_some() && line.find("9 }") == carets.find('^'), "{excerpt}");
}

fn a_byte_order_mark_and_carriage_returns_change_nothing() {
    let folder = Folder::new();
    let loaded = folder.load("\u{feff}[water]\r\ntype = \"3C\"\r\n").expect("fine");
    assert_eq!(loaded.config.scene.water.kind, WaterType::Coastal3);
    assert_eq!(folder.problems("\u{feff}watr = 1\r\n"), ["my.toml:1:1: watr: unknown key; did you mean water?"]);
}

fn files_that_cannot_be_read_say_why() {
    let folder = Folder::new();
    let said = |name: &str| folder.said(&load(&folder.path(name), &[]).expect_err("cannot be read")).join("\n");
    folder.write("large.toml", "#".repeat(SIZE_LIMIT + 1));
    assert_eq!(said("large.toml"), "large.toml: is larger than a scene file may be (1024 KiB)");
    folder.write("exact.toml", "#".repeat(SIZE_LIMIT));
    load(&folder.path("exact.toml"), &[]).expect("as large as it may be");
    folder.write("latin.toml", b"# ok\n# caf\xe9\n");
    assert_eq!(said("latin.toml"), "latin.toml: is not UTF-8 text (line 2); save it as UTF-8");
    std::fs::create_dir(folder.path("folder.toml")).expect("a folder");
    assert_eq!(said("folder.toml"), "folder.toml: is a folder, not a scene file; name the file itself");
    let missing = said("reff.toml");
    assert!(missing.contains("the built-in scenes are reef, open_blue, lagoon, "), "{missing}");
    assert!(missing.contains("; did you mean reef?"), "{missing}");
    let name = load("open_blu", &[]).expect_err("no such scene").to_string();
    assert!(name.contains("; did you mean open_blue?"), "{name}");
}

fn a_file_says_only_what_differs_from_what_it_extends() {
    let folder = Folder::new();
    folder.write("base/shore.toml", "extends = \"reef\"\nname = \"shore\"\n[water]\ntype = \"1C\"\nturbidity = 2\n");
    let file = folder.write("mine.toml", "extends = \"base/shore.toml\"\n[water]\ntype = \"3C\"\n");
    let loaded = load(&file, &[]).expect("fine");
    let (mine, reef) = (&loaded.config.scene, load("reef", &[]).expect("fine").config.scene);
    assert_eq!((mine.name.as_str(), mine.water.kind), ("mine", WaterType::Coastal3));
    assert_eq!(
        (mine.water.turbidity, mine.water.particles),
        (1.0, 1.0),
        "what was chosen for other water is left behind"
    );
    assert_eq!((&mine.species, &mine.camera, &mine.props), (&reef.species, &reef.camera, &reef.props));
    let read: Vec<&Path> = loaded.files.paths().collect();
    assert_eq!(read, [Path::new(&file), Path::new(&folder.path("base/shore.toml"))]);
}

fn entries_merge_by_name_and_count_zero_removes() {
    let reef = load("reef", &[]).expect("fine").config;
    let placed = reef.scene.props.iter().find(|prop| prop.at.len() > 1).expect("the reef has things placed by hand");
    let text = "extends = \"reef\"\n[[species]]\nname = \"sardine\"\ncount = 7\n\
                [[species]]\nname = \"manta\"\ncount = 0\n[[species]]\nname = \"mine\"\nmodel = \"builtin:manta\"\n\
                [[props]]\nname = \"PLACED\"\nsize_m = 2\n\
                [camera.views]\nmine = { eye_m = [0, 0, 0], target_m = [1, 0, 0] }";
    let loaded = Folder::new().load(&text.replace("PLACED", &placed.name)).expect("fine");
    let mut names = species_names(&reef);
    names.retain(|name| *name != "manta");
    names.push("mine");
    assert_eq!(species_names(&loaded.config), names);
    let (mine, reef) = (&loaded.config.scene, &reef.scene);
    let mut sardine = reef.species[0].clone();
    sardine.life.count = 7;
    assert_eq!(mine.species[0], sardine);
    assert_eq!(mine.props.len(), reef.props.len());
    let resized = pelagic::scene::PropSettings { size_m: 2.0, ..placed.clone() };
    assert!(mine.props.contains(&resized), "the rest of the entry is as it was");
    assert_eq!(mine.camera.views.len(), reef.camera.views.len() + 1);
    assert!(loaded.warnings.is_empty());
}

fn a_clip_split_between_a_file_and_its_base_is_checked_as_a_whole() {
    let folder = Folder::new();
    let clip = "[[species]]\nname = \"x\"\nmodel = \"builtin:manta\"\nclips.swim = { from_frame = 1, to_frame = 30 }";
    folder.write("base.toml", clip);
    let over = "extends = \"base.toml\"\n[[species]]\nname = \"x\"\nclips.swim.from_frame = 40\n";
    assert_eq!(
        folder.problems(over),
        ["my.toml:4:25: species.x.clips.swim.to_frame: to_frame 30 must be more than from_frame 40"]
    );
}

fn circles_chains_and_missing_bases_are_placed_where_they_are_asked_for() {
    let folder = Folder::new();
    folder.write("b.toml", "\nextends = \"my.toml\"");
    let circle = folder.problems("extends = \"b.toml\"");
    assert_eq!(circle, ["b.toml:2:11: extends: the files extend each other in a circle: my.toml -> b.toml -> my.toml"]);
    for n in 0..6 {
        folder.write(&format!("chain{n}.toml"), format!("extends = \"chain{}.toml\"", n + 1));
    }
    folder.write("chain6.toml", "");
    let deep = |n: usize| load(&folder.path(&format!("chain{n}.toml")), &[]);
    assert_eq!(deep(1).expect("five below the first").files.paths().count(), 6);
    assert_eq!(
        folder.said(&deep(0).expect_err("six below the first")),
        ["chain5.toml:1:11: extends: more than 5 files extend one another"]
    );
    let missing = folder.problems("extends = \"reff\"\n[water]\ntyp = 1\n");
    assert_eq!(missing.len(), 2, "what the file itself says is still checked");
    let [base, key] = &missing[..] else { panic!("{missing:?}") };
    assert!(base.starts_with("my.toml:1:11: extends: ") && base.ends_with("did you mean reef?"), "{base}");
    assert!(key.starts_with("my.toml:3:1: water.typ: "), "{key}");
}

fn a_problem_in_the_base_names_the_base() {
    let folder = Folder::new();
    folder.write("base.toml", "[water]\ntype = \"9\"\n");
    let problems = folder.problems("extends = \"base.toml\"\nsun.brightness = 9");
    assert!(problems[0].starts_with("my.toml:2:18: sun.brightness"), "{problems:?}");
    assert!(problems[1].starts_with("base.toml:2:8: water.type"), "{problems:?}");
}

fn the_turtle_of_a_user_loads_by_a_path_relative_to_the_scene() {
    let folder = Folder::new();
    let model = folder.write("my/turtle.ms3d", "not looked into here");
    let text = "extends = \"reef\"\n[[species]]\nname = \"turtle\"\n\
                model = \"../my/turtle.ms3d\"     # relative to this file\n\
                length_m = 0.9                  # scaled so that the body is this long\n\
                forward = \"-z\"\ncount = 3\nbehaviour = \"cruiser\"\n\
                [species.clips]\nswim = { from_frame = 1, to_frame = 150 }\n";
    let file = folder.write("scenes/user.toml", text);
    let loaded = load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
    let turtle = loaded.config.scene.species.iter().find(|species| species.name == "turtle").expect("it is there");
    let absolute = PathBuf::from(model).canonicalize().expect("it was written");
    assert_eq!(PathBuf::from(&turtle.model), absolute);
    assert_eq!((turtle.life.count, turtle.life.behaviour, turtle.life.length_m), (3, Behaviour::Cruiser, 0.9));
    assert_eq!(turtle.clips["swim"].to_frame, Some(150.0));

    std::fs::remove_file(&absolute).expect("it was written");
    let said = folder.said(&load(&file, &[]).expect_err("the model is gone"));
    assert_eq!(said, ["scenes/user.toml:4:9: species.turtle.model: no such file: my/turtle.ms3d"]);
}

fn set_changes_one_key_by_its_path() {
    assert_eq!(set("water.type=3C").expect("fine").scene.water.kind, WaterType::Coastal3);
    assert_eq!(set("water.type=\"3C\"").expect("fine").scene.water.kind, WaterType::Coastal3);
    assert_eq!(set(" waves.wind_m_s = 2.5 ").expect("fine").scene.waves.wind_m_s, 2.5);
    assert_eq!(set("species.sardine.count=5").expect("fine").scene.species[0].life.count, 5);
    assert_eq!(set("species.sardine.depth_m=[1,2]").expect("fine").scene.species[0].life.depth_m, [1.0, 2.0]);
    assert_eq!(set("render.quality=ultra").expect("fine").render.quality, Quality::Ultra);
    assert!(!set("render.effects.caustics=false").expect("fine").render.effects.caustics);
    assert!(!species_names(&set("species.manta.count=0").expect("fine")).contains(&"manta"));
    assert_eq!(set("name=1979").expect("bare words are strings where strings belong").scene.name, "1979");
    let view = set("camera.views.mine={eye_m=[0,0,0],target_m=[1,0,0]}").expect("fine").scene.camera.views["mine"];
    assert_eq!(view.target_m, [1.0, 0.0, 0.0]);
    let twice = load("reef", &["sun.brightness=1".into(), "sun.brightness=2".into()]).expect("fine");
    assert_eq!(twice.config.scene.sun.brightness, 2.0, "the last one stands");
}

fn set_is_checked_like_a_file_and_named_as_the_place() {
    let refused = |argument: &str, expected: &str| assert_eq!(set(argument).expect_err("bad"), expected);
    refused("water.typ=3C", "--set water.typ=3C: water.typ: unknown key; did you mean water.type?");
    refused("waves.wind_m_s=99", "--set waves.wind_m_s=99: waves.wind_m_s: 99 is out of range; allowed is 0 to 30 m/s");
    refused(
        "species.sardin.count=5",
        "--set species.sardin.count=5: species.sardin: not in the scene; did you mean species.sardine?",
    );
    refused("foo", "--set foo: there is no = in it; write KEY=VALUE, such as water.type=3C");
    refused("=3", "--set =3: '' is not a dotted key; write KEY=VALUE, such as water.type=3C");
    refused("post.bloom=[1", "--set post.bloom=[1: '[1' is not a TOML value; write KEY=VALUE, such as water.type=3C");
    refused(
        "extends=reef",
        "--set extends=reef: a base is chosen with --scene, or with extends in a file; \
         write KEY=VALUE, such as water.type=3C",
    );
    refused(
        "sun.elevation_deg=up",
        "--set sun.elevation_deg=up: sun.elevation_deg: expected a number from -90 to 90 degrees, \
         found the string \"up\"",
    );
    refused(
        "species.sardine.depth_m=[5,1]",
        "--set species.sardine.depth_m=[5,1]: species.sardine.depth_m: the least depth comes first, \
         but 5 m is more than 1 m",
    );
    refused("species.sardine=5", "--set species.sardine=5: species: expected a table, found 5");
    // Nothing slips in behind a line break.
    assert!(set("sun.brightness=1\n[water]\ntype=\"I\"").is_err());
}

fn what_is_allowed_but_hardly_meant_is_a_warning() {
    let folder = Folder::new();
    let warnings = |text: &str| {
        let warnings = folder.load(text).expect("allowed").warnings;
        warnings.iter().map(|warning| warning.to_string().replace(&folder.path(""), "")).collect::<Vec<_>>()
    };
    let below = "[[species]]\nname = \"x\"\nmodel = \"builtin:manta\"\ndepth_m = [40, 60]";
    assert_eq!(warnings(below), ["my.toml:4:11: species.x.depth_m: keeps below 40 m, but the ground is at 10 m"]);
    assert!(warnings(&format!("{below}\n[seabed]\npresent = false")).is_empty());
    assert_eq!(
        warnings("[waves]\nswell_height_m = 5\nswell_period_s = 4"),
        ["my.toml:2:18: waves.swell_height_m: a swell of this period breaks above 3.6 m"]
    );
    assert_eq!(
        warnings("[water]\ninscatter = 0.5"),
        [
            "my.toml:2:13: water.inscatter: the water's own light is true at 1, and this is kept: leave it out, and take \
             more or fewer water.particles for brighter or darker water"
        ]
    );
    assert_eq!(warnings("[water]\ninscatter = 0"), [""; 0], "for measuring");
    assert_eq!(
        warnings("[[species]]\nname = \"mant\"\ncount = 0"),
        ["my.toml:1:1: species.mant: count = 0 removes it, but it was not there"]
    );
    assert_eq!(
        warnings("[[props]]\nname = \"x\"\nmodel = \"builtin:kelp\""),
        ["my.toml:1:1: props.x: places nothing: it has none of count, at and hung"]
    );
}

fn a_misspelt_name_of_any_list_finds_the_entry_that_was_meant() {
    let folder = Folder::new();
    let said = |base: &str, entry: &str| match folder.load(&format!("extends = \"{base}\"\n{entry}")) {
        Ok(loaded) => loaded.warnings.iter().map(|warning| warning.to_string().replace(&folder.path(""), "")).collect(),
        Err(error) => folder.said(&error),
    };
    for (base, entry, expected) in [
        (
            "wreck",
            "[[species]]\nname = \"sardin\"\ncount = 10",
            "2:1: species.sardin.model: is missing in NEW species.sardine?",
        ),
        ("wreck", "[[props]]\nname = \"anchr\"\nsize_m = 2", "2:1: props.anchr.model: is missing in NEW props.anchor?"),
        ("calibration", "[[cards]]\nname = \"4m\"\nwidth = 0.1", "2:1: cards.4m.view: is missing in NEW cards.4 m?"),
        (
            "wreck",
            "[[species]]\nname = \"sardin\"\ncount = 0",
            "2:1: species.sardin: count = 0 removes it, but it was not there; did you mean species.sardine?",
        ),
        (
            "wreck",
            "[[props]]\nname = \"anchr\"\ncount = 0",
            "2:1: props.anchr: count = 0 removes it, but it was not there; did you mean props.anchor?",
        ),
        (
            "wreck",
            "[[lights]]\nname = \"torhc\"\nintensity = 0",
            "2:1: lights.torhc: intensity = 0 removes it, but it was not there; did you mean lights.torch?",
        ),
        (
            "wreck",
            "[[lights]]\nname = \"torhc\"\nintensity = 2",
            "2:1: lights.torhc: is a new light without at_m or follow; did you mean lights.torch?",
        ),
        (
            "deep",
            "[[lights]]\nname = \"new\"\nfollow = \"anglerfsh\"",
            "4:10: lights.new.follow: the scene has no species \"anglerfsh\"; did you mean anglerfish?",
        ),
        (
            "calibration",
            "[[cards]]\nname = \"4 m\"\nview = \"crads\"",
            "4:8: cards.4 m.view: the scene has no view \"crads\"; did you mean cards?",
        ),
    ] {
        let expected = expected.replace("NEW", "what would be a new entry; did you mean");
        assert_eq!(said(base, entry), [format!("my.toml:{expected}")]);
    }
    let views = "[camera.views.side]\neye_m = [1, -2, 3]\ntarget_m = [0, -2, 0]\n[camera.views.sdie]\nfov_deg = 50";
    let missing = |key: &str| {
        format!(
            "my.toml:5:15: camera.views.sdie.{key}: is missing in what would be a new entry; did you mean camera.views.side?"
        )
    };
    assert_eq!(said("wreck", views), [missing("eye_m"), missing("target_m")]);
    let whole = set("species.sardin={count=10}").expect_err("it has no model");
    assert!(
        whole.ends_with("species.sardin.model: is missing in what would be a new entry; did you mean species.sardine?"),
        "{whole}"
    );
    // Other entries may go on naming what is taken out, and a name that nothing is like is that of something new.
    assert_eq!(said("deep", "[[species]]\nname = \"anglerfish\"\ncount = 0"), [""; 0]);
    assert_eq!(said("wreck", "[[lights]]\nname = \"moonbeam\"\nintensity = 2"), [""; 0]);
}

fn a_number_of_fish_keeps_the_proportions_of_the_species() {
    let mut config = load("reef", &[]).expect("fine").config;
    let schooling = |config: &Config| -> Vec<u32> {
        let of = |b: Behaviour| matches!(b, Behaviour::School | Behaviour::Reef);
        config
            .scene
            .species
            .iter()
            .filter(|species| of(species.life.behaviour))
            .map(|species| species.life.count)
            .collect()
    };
    let before = schooling(&config);
    config.set_fish_count(10_000).expect("there are fish");
    let after = schooling(&config);
    assert_eq!(after.iter().sum::<u32>(), 10_000);
    let total: u32 = before.iter().sum();
    for (before, after) in before.iter().zip(&after) {
        assert!((f64::from(*after) - f64::from(*before) * 1e4 / f64::from(total)).abs() <= 1.0, "{after}");
    }
    assert_eq!(config.scene.species.iter().find(|species| species.name == "manta").map(|s| s.life.count), Some(1));
    assert_eq!(Config::default().set_fish_count(5), Err(FishError::NoSpecies));
    assert_eq!(config.set_fish_count(2_000_000), Err(FishError::TooMany));
}

fn more_and_fewer_fish_in_turn_leave_every_species_as_it_was() {
    for scene in ["open_blue", "reef", "lagoon"] {
        let mut config = load(scene, &[]).expect("fine").config;
        let counts = |config: &Config| -> Vec<u32> { config.scene.species.iter().map(|s| s.life.count).collect() };
        let (before, fish) = (counts(&config), config.fish());
        for _ in 0..50 {
            config.set_fish_count(fish * 5 / 4).expect("there are fish");
            config.set_fish_count(fish).expect("there are fish");
        }
        assert_eq!(counts(&config), before, "{scene}");
        let kinds = before.iter().filter(|count| **count > 0).count();
        config.set_fish_count(kinds as u32).expect("there are fish");
        assert!(counts(&config).iter().zip(&before).all(|(now, before)| (*now > 0) == (*before > 0)), "{scene}");
    }
}

fn a_watched_file_tells_each_edit_once_and_waits_for_its_end() {
    let folder = Folder::new();
    let base = folder.write("base.toml", "");
    let loaded = load(&folder.write("my.toml", "extends = \"base.toml\""), &[]).expect("fine");
    let mut watched = loaded.files;
    assert!(!watched.changed());
    // Lengths differ, so the test does not depend on the clock's grain.
    folder.write("base.toml", "[water]");
    assert!(!watched.changed(), "it may be half written");
    assert!(watched.changed());
    assert!(!watched.changed(), "told once");
    std::fs::remove_file(&base).expect("it was written");
    assert!(!watched.changed() && !watched.changed(), "an editor may be replacing it");
    folder.write("base.toml", "[water]\nturbidity = 2");
    assert!(!watched.changed() && watched.changed());
    folder.write("base.toml", "");
    let mut read_again = FileWatcher::default();
    for path in [&base, &folder.write("new.toml", "")] {
        read_again.watch(Path::new(path));
    }
    watched.follow(&read_again);
    assert_eq!(watched.paths().count(), 3);
    assert!(!watched.changed() && !watched.changed(), "the edit was read by whoever followed it");
    folder.write("new.toml", "#");
    assert!(!watched.changed() && watched.changed());
    watched.expect(Path::new(&folder.path("new.toml")));
    watched.expect(Path::new(&folder.write("added.toml", "")));
    assert!(!watched.changed() && watched.changed(), "a file that is new");
}

fn a_bad_scene_tells_its_files_so_that_their_mending_can_be_seen() {
    let folder = Folder::new();
    let base = folder.write("base.toml", "[water]\ntyp = 1");
    let error = folder.load("extends = \"base.toml\"").expect_err("the base is bad");
    let read: Vec<&Path> = error.files.paths().collect();
    assert_eq!(read, [Path::new(&folder.path("my.toml")), Path::new(&base)]);
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    what_is_no_scene_is_called_what_it_is;
    every_built_in_scene_is_fine;
    the_guide_names_every_routine_and_every_archetype;
    a_species_without_room_is_told_of_with_the_place_of_its_home;
    more_and_fewer_fish_in_turn_leave_every_species_as_it_was;
    the_reef_has_five_hundred_animals;
    an_empty_file_is_the_defaults_under_its_own_name;
    unknown_keys_and_tables_are_placed_and_the_nearest_named;
    numbers_are_held_to_their_ranges;
    values_are_held_to_their_types;
    whole_numbers_will_do_for_numbers;
    entries_need_a_name_and_a_model;
    keys_are_checked_against_each_other;
    text_that_is_not_toml_is_placed;
    all_problems_are_told_at_once_with_their_lines_and_their_number;
    columns_count_characters_and_long_lines_are_cut_to_the_place;
    a_byte_order_mark_and_carriage_returns_change_nothing;
    files_that_cannot_be_read_say_why;
    a_file_says_only_what_differs_from_what_it_extends;
    entries_merge_by_name_and_count_zero_removes;
    a_clip_split_between_a_file_and_its_base_is_checked_as_a_whole;
    circles_chains_and_missing_bases_are_placed_where_they_are_asked_for;
    a_problem_in_the_base_names_the_base;
    the_turtle_of_a_user_loads_by_a_path_relative_to_the_scene;
    set_changes_one_key_by_its_path;
    set_is_checked_like_a_file_and_named_as_the_place;
    what_is_allowed_but_hardly_meant_is_a_warning;
    a_misspelt_name_of_any_list_finds_the_entry_that_was_meant;
    a_number_of_fish_keeps_the_proportions_of_the_species;
    a_watched_file_tells_each_edit_once_and_waits_for_its_end;
    a_bad_scene_tells_its_files_so_that_their_mending_can_be_seen;
};
