//! The schema against the settings structs, in both directions; and damaged files.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use crate::config::file::SceneFile;
use crate::config::schema::{BUILTIN_PREFIX, KEYS, Key, Kind, LIST_LIMIT, TABLES, key_at, shape};
use crate::config::{BUILTIN_SCENES, Config, dump, load};
use crate::life::{Behaviour, ClipRange, SpeciesSettings};
use crate::render::Quality;
use crate::scene::{CardSettings, LightSettings, PropSettings, Substrate, ViewSettings, WaypointSettings};

/// The defaults and one of everything that there may be many of.
fn sample() -> Config {
    let mut config = Config::default();
    let scene = &mut config.scene;
    scene.name = "sample".into();
    let model = format!("{BUILTIN_PREFIX}sample");
    let clips = [("sample".to_owned(), ClipRange { from_frame: 1.0, to_frame: 30.5 })].into();
    scene.species = vec![
        SpeciesSettings { name: "sample".into(), model: model.clone(), clips, ..Default::default() },
        SpeciesSettings { name: "the \"other\" one".into(), model: model.clone(), ..Default::default() },
    ];
    let at = vec![[1.0, -2.5, 45.0, 0.1], [3.0, 4.0, 0.0, 7.0]];
    scene.props = vec![PropSettings { name: "sample".into(), model, at, count: 3, ..Default::default() }];
    scene.lights = vec![LightSettings { name: "sample".into(), ..Default::default() }];
    scene.cards = vec![CardSettings { name: "sample".into(), view: "sample".into(), ..Default::default() }];
    let view = ViewSettings { eye_m: [0.1, -0.2, 0.3], target_m: [7.0, -1.0 / 3.0, 1e-7], fov_deg: 90.0 };
    scene.camera.views = [("sample".to_owned(), view), ("with space".to_owned(), view)].into();
    scene.camera.rail = vec![WaypointSettings { eye_m: view.eye_m, target_m: view.target_m }; 3];
    config
}

fn as_toml(config: &Config) -> Table {
    match Value::try_from(SceneFile::from(config.clone())) {
        Ok(Value::Table(table)) => table,
        other => panic!("a scene is a table: {other:?}"),
    }
}

/// Schema paths of all values in `value`.
fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Table(table) if matches!(path, "camera.views" | "species[].clips") => {
            table.values().for_each(|inner| paths(inner, &format!("{path}.*"), found));
        }
        Value::Table(table) => table.iter().for_each(|(name, inner)| paths(inner, &join(name), found)),
        Value::Array(list) if list.iter().any(Value::is_table) => {
            list.iter().for_each(|inner| paths(inner, &format!("{path}[]"), found));
        }
        _ => drop(found.insert(path.to_owned())),
    }
}

#[test]
fn the_schema_has_the_keys_of_the_structs_and_no_others() {
    let mut of_structs = BTreeSet::new();
    paths(&Value::Table(as_toml(&sample())), "", &mut of_structs);
    let mut of_schema: BTreeSet<String> = KEYS.iter().map(|key| key.path.to_owned()).collect();
    // Done with before the structs are filled.
    assert!(of_schema.remove("extends"));
    assert_eq!(of_structs, of_schema);
    assert_eq!(KEYS.len(), of_schema.len() + 1, "a key is in the schema twice");
}

#[test]
fn every_table_is_documented_once_and_exists() {
    let documented: BTreeSet<&str> = TABLES.iter().map(|table| table.path).collect();
    let used: BTreeSet<&str> = KEYS.iter().map(Key::table).filter(|path| !path.is_empty()).collect();
    assert_eq!(documented, used);
    assert_eq!(documented.len(), TABLES.len());
    assert!(KEYS.iter().all(|key| key.doc.ends_with('.')), "docs are sentences");
    assert!(shape("wat").is_none() && shape("water.typ").is_none());
}

/// Values at the ends of what the schema allows, as TOML.
fn samples(key: &Key) -> Vec<String> {
    let whole = key.path != "species[].count" && key.path != "species[].clips.*.to_frame";
    let ends = |pick: fn(&crate::config::schema::Range) -> f64, ranges: &[crate::config::schema::Range]| {
        let numbers: Vec<String> = ranges.iter().map(|range| format!("{:?}", pick(range))).collect();
        format!("[{}]", numbers.join(", "))
    };
    match key.kind {
        Kind::Bool => vec!["true".into(), "false".into()],
        Kind::Text => vec![format!("\"{BUILTIN_PREFIX}x\"")],
        Kind::Choice(choices) => choices.iter().map(|choice| format!("\"{choice}\"")).collect(),
        Kind::Float(range) if key.path == "species[].clips.*.from_frame" => vec![format!("{:?}", range.min)],
        Kind::Float(range) if whole => vec![format!("{:?}", range.min), format!("{:?}", range.max)],
        Kind::Float(range) => vec![format!("{:?}", range.max)],
        Kind::Int(range) if whole => vec![format!("{}", range.min), format!("{}", range.max)],
        Kind::Int(range) => vec![format!("{}", range.max)],
        Kind::Vector(ranges) => vec![ends(|range| range.min, ranges), ends(|range| range.max, ranges)],
        Kind::Vectors(ranges) => {
            vec![format!("[{}, {}]", ends(|range| range.min, ranges), ends(|range| range.max, ranges))]
        }
    }
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a temporary file");
    path.to_str().expect("temporary paths are UTF-8").to_owned()
}

/// Equal as far as single precision goes.
fn same(found: &Value, set: &Value) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "settings are single precision")]
    match (found, set) {
        (Value::Float(a), Value::Float(b)) => *a as f32 == *b as f32,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        _ => found == set,
    }
}

#[test]
fn every_key_of_the_schema_reaches_its_struct_at_both_ends_of_its_range() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = write(folder.path(), "sample.toml", dump(&sample()));
    for key in KEYS.iter().filter(|key| key.path != "extends" && !key.path.starts_with("camera.rail[]")) {
        for text in samples(key) {
            // Not its own name, by which --set finds the entry.
            if key.path == "species[].name" || key.path == "props[].name" {
                continue;
            }
            let path = key.path.replace("[]", ".sample").replace('*', "sample");
            // No fetch is for no wind.
            let calm = (key.path == "waves.fetch_km").then(|| "waves.wind_m_s=0".to_owned());
            let set: Vec<String> = calm.into_iter().chain([format!("{path}={text}")]).collect();
            let loaded = load(&file, &set).unwrap_or_else(|error| panic!("{path}: {error}"));
            let config = as_toml(&loaded.config);
            let mut found = &Value::Table(config);
            for part in path.split('.') {
                found = match found {
                    Value::Array(list) => &list[0],
                    other => &other[part],
                };
            }
            let set: Table = toml::from_str(&format!("value = {text}")).expect("samples are TOML");
            assert!(same(found, &set["value"]), "{path} = {text} became {found}");
        }
    }
}

#[test]
fn one_step_outside_a_range_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = write(folder.path(), "sample.toml", dump(&sample()));
    let mut tried = 0;
    for key in KEYS.iter().filter(|key| !key.path.starts_with("camera.rail[]")) {
        let (Kind::Float(range) | Kind::Int(range)) = key.kind else { continue };
        let path = key.path.replace("[]", ".sample").replace('*', "sample");
        let step = if matches!(key.kind, Kind::Int(_)) { 1.0 } else { 1e-3 };
        for outside in [range.min - step, range.max + step] {
            let error = load(&file, &[format!("{path}={outside}")]).expect_err("outside its range");
            let text = error.to_string();
            assert!(text.contains(&format!("{path}: {outside} is out of range; allowed is {range}")), "{text}");
            tried += 1;
        }
    }
    assert!(tried > 80, "only {tried}");
}

/// What serde says the variants of an enumeration are.
fn variants<T: for<'de> Deserialize<'de> + std::fmt::Debug>() -> Vec<String> {
    let error = T::deserialize(Value::String("no such".into())).expect_err("no variant is called that").to_string();
    error.split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

#[test]
fn choices_are_the_variants_of_the_enumerations() {
    let choices = |path: &str| match key_at(path).map(|key| key.kind) {
        Some(Kind::Choice(choices)) => choices.iter().map(|choice| (*choice).to_owned()).collect::<Vec<_>>(),
        other => panic!("{path}: {other:?}"),
    };
    assert_eq!(choices("species[].behaviour"), variants::<Behaviour>());
    assert_eq!(choices("props[].on"), variants::<Substrate>());
    assert_eq!(choices("render.quality"), variants::<Quality>());
}

/// Fields of a struct in Rust source: name in the file, type, doc.
fn fields(source: &str, name: &str) -> Vec<(String, String, String)> {
    let start = source.find(&format!("pub struct {name} {{")).unwrap_or_else(|| panic!("{name} is in its file"));
    let body = source[start..].split("\n}").next().unwrap_or_default();
    let (mut found, mut doc, mut renamed) = (Vec::new(), String::new(), None);
    for line in body.lines().skip(1).map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            doc.push_str(text);
        } else if let Some(text) = line.strip_prefix("#[serde(rename = \"") {
            renamed = text.split('"').next().map(str::to_owned);
        } else if let Some((field, kind)) = line.strip_prefix("pub ").and_then(|text| text.split_once(": ")) {
            let field = renamed.take().unwrap_or_else(|| field.to_owned());
            found.push((field, kind.trim_end_matches(',').to_owned(), std::mem::take(&mut doc)));
        }
    }
    found
}

#[test]
fn ranges_units_and_types_are_those_that_the_structs_document() {
    let ocean = include_str!("../ocean/settings.rs");
    let life = include_str!("../life/settings.rs");
    let scene = include_str!("../scene/settings.rs");
    let render = include_str!("../render/settings.rs");
    let structs = [
        (ocean, "WaterSettings", "water"),
        (ocean, "WavesSettings", "waves"),
        (ocean, "SunSettings", "sun"),
        (ocean, "MoonSettings", "moon"),
        (ocean, "SkySettings", "sky"),
        (scene, "LightSettings", "lights[]"),
        (scene, "CardSettings", "cards[]"),
        (ocean, "CurrentSettings", "current"),
        (scene, "SeabedSettings", "seabed"),
        (scene, "FloraSettings", "flora"),
        (life, "SpeciesSettings", "species[]"),
        (life, "ClipRange", "species[].clips.*"),
        (scene, "PropSettings", "props[]"),
        (scene, "ParticlesSettings", "particles"),
        (scene, "CameraSettings", "camera"),
        (scene, "ViewSettings", "camera.views.*"),
        (scene, "WaypointSettings", "camera.rail[]"),
        (render, "PostSettings", "post"),
        (render, "RenderSettings", "render"),
        (render, "Effects", "render.effects"),
    ];
    let (mut seen, mut ranges) = (0, 0);
    for (source, name, path) in structs {
        for (field, kind, doc) in fields(source, name) {
            let path = format!("{path}.{field}");
            let Some(key) = key_at(&path) else {
                assert!(shape(&path).is_some(), "{path} is not in the schema");
                continue;
            };
            seen += 1;
            let range = match (key.kind, kind.as_str()) {
                (Kind::Bool, "bool") | (Kind::Text | Kind::Choice(_), "String") => None,
                (Kind::Choice(_), "Behaviour" | "Substrate" | "Quality" | "WaterType" | "Forward")
                | (Kind::Text, "LightCarrier") => None,
                (Kind::Float(range), "f32") | (Kind::Int(range), "u32") => Some(range),
                (Kind::Vector([range, ..]), "[f32; 2]" | "[f32; 3]") => Some(*range),
                (Kind::Vectors(ranges), "Vec<[f32; 4]>") if ranges.len() == 4 => None,
                (Kind::Vectors(ranges), "Vec<[f32; 3]>") if ranges.len() == 3 => None,
                (schema, field) => panic!("{path}: {schema:?} for a {field}"),
            };
            let documented = doc.split_once("Range ").map(|(_, text)| {
                let text = text.split([' ', ',', ';']).next().unwrap_or_default().trim_end_matches('.');
                let (min, max) = text.split_once("..=").unwrap_or_else(|| panic!("{path}: range {text}"));
                (min.parse::<f64>().expect("a number"), max.parse::<f64>().expect("a number"))
            });
            if let (Some(range), Some(documented)) = (range, documented) {
                assert_eq!((range.min, range.max), documented, "{path}");
                ranges += 1;
            }
            let unit_said = doc.contains("Unit: ");
            let frames = key.unit == "frames";
            assert!(frames || unit_said != key.unit.is_empty(), "{path}: unit {:?}, doc {doc:?}", key.unit);
        }
    }
    assert_eq!(seen + 2, KEYS.len(), "all keys but name and extends stand in a struct");
    assert!(ranges > 50, "only {ranges} ranges were compared");
}

#[test]
fn a_dump_loads_as_it_was() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut configs = vec![sample()];
    configs.extend(BUILTIN_SCENES.iter().map(|scene| load(scene.name, &[]).expect("built-in scenes are fine").config));
    // No lists at all: every key is still explained.
    configs.push(Config::default());
    configs.last_mut().expect("it was pushed").scene.name = "bare".into();
    for config in configs {
        let text = dump(&config);
        let file = write(folder.path(), "dumped.toml", &text);
        let loaded = load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(loaded.config, config);
        for key in KEYS.iter().filter(|key| key.path != "extends") {
            assert!(text.contains(key.doc) && text.contains(key.name()), "{} is not explained", key.path);
        }
    }
}

#[test]
fn damaged_files_are_refused_or_read_but_never_panic() {
    use rand::{RngExt, SeedableRng};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let good = dump(&sample()).into_bytes();
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let mut refused = 0;
    for _ in 0..400 {
        let mut bytes = good.clone();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..bytes.len());
            match random.random_range(0..4) {
                0 => bytes[at] = random.random(),
                1 => bytes.truncate(at.max(1)),
                2 => drop(bytes.drain(at..(at + 20).min(bytes.len()))),
                _ => bytes.insert(at, b"[]{}=\"'.\n#"[random.random_range(0..10)]),
            }
            if bytes.is_empty() {
                bytes.push(b'x');
            }
        }
        let file = write(folder.path(), "damaged.toml", &bytes);
        if let Err(error) = load(&file, &[]) {
            assert!(!error.problems.is_empty());
            assert!(error.to_string().contains("damaged.toml"));
            refused += 1;
        }
    }
    assert!(refused > 100, "only {refused} of 400 were refused");
}

#[test]
fn a_list_without_end_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let many = "[[species]]\n".repeat(LIST_LIMIT + 1);
    let error = load(&write(folder.path(), "many.toml", many), &[]).expect_err("too many");
    assert_eq!(error.problems.len(), 1);
    assert!(error.to_string().contains("species: has 1001 entries; at most 1000 are allowed"), "{error}");
}
