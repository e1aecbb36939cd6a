//! Tests of the schema against the settings structs, the dump, the JSON Schema, and damaged files.

use std::collections::BTreeSet;
use std::path::Path;

use located::parse;
use model::files::BUILTIN;
use toml::{Table, Value};

use crate::schema::{
    CARD_KEY, Content, EntrySchema, LIST_LIMIT, NumberRange, TableSchema, ValueKind, ValueSchema, keys, root,
};
use crate::{BUILTIN_SCENES, Config, PROBLEMS_LISTED, SAMPLE_NAMES, dump, json_schema, load, load_text, sample};

fn as_toml(config: &Config) -> Table {
    match Value::try_from(config) {
        Ok(Value::Table(table)) => table,
        other => panic!("a scene is a table: {other:?}"),
    }
}

fn value(key: &EntrySchema) -> &ValueSchema {
    match &key.content {
        Content::Value(value) => value,
        other => panic!("{}: {other:?}", key.path),
    }
}

/// Schema paths of all values in `table`.
fn paths(table: &Table, schema: &TableSchema, found: &mut BTreeSet<String>) {
    for (name, value) in table {
        let entry = schema.entry(name).unwrap_or_else(|| panic!("{name} is not in the schema"));
        let mut tables = |tables: Vec<&Value>, schema| {
            let tables = tables.into_iter().map(|table| table.as_table().expect("a table"));
            tables.for_each(|table| paths(table, schema, found));
        };
        match (&entry.content, value) {
            (Content::Value(_), _) => drop(found.insert(entry.path.clone())),
            (Content::Table(inner), table) => tables(vec![table], inner),
            (Content::List(inner), Value::Array(list)) => tables(list.iter().collect(), inner),
            (Content::Map(inner), Value::Table(named)) => tables(named.values().collect(), inner),
            (_, other) => panic!("{}: {other}", entry.path),
        }
    }
}

#[test]
fn the_schema_has_the_keys_of_the_structs_and_no_others() {
    let mut of_structs = BTreeSet::new();
    paths(&as_toml(&sample()), root(), &mut of_structs);
    // `extends` is resolved before the structs are filled.
    of_structs.insert("extends".into());
    let of_schema: BTreeSet<String> = keys().iter().map(|key| key.path.clone()).collect();
    assert_eq!(of_structs, of_schema);
    assert_eq!(keys().len(), of_schema.len(), "a key is in the schema twice");
    assert!(keys().len() > 120);
}

#[test]
fn every_key_and_table_is_documented() {
    fn check(schema: &TableSchema) {
        for entry in &schema.0 {
            assert!(entry.doc.ends_with('.') && entry.doc.len() < 110, "{}: {}", entry.path, entry.doc);
            if let Content::Table(inner) | Content::List(inner) | Content::Map(inner) = &entry.content {
                check(inner);
            }
        }
    }
    check(root());
    let units = keys().iter().filter(|key| !value(key).unit.is_empty());
    let suffixes = ["_m", "_deg", "_km", "_mm", "_s", "_h", "_bl", "_bl_s", "_hz", "_ms", "_ev", "_frame", "_per_m2"];
    let has_suffix = |key: &&EntrySchema| suffixes.iter().any(|suffix| key.name.ends_with(suffix));
    for key in units {
        assert!(has_suffix(key) || key.path.starts_with("water."), "{} has a unit, but not in its name", key.path);
    }
    for key in keys().iter().filter(|key| has_suffix(key)) {
        assert!(!value(key).unit.is_empty(), "{} has a unit in its name only", key.path);
    }
}

/// Values at the ends of what the schema allows, as TOML.
fn samples(key: &EntrySchema) -> Vec<String> {
    // At the minimum of these keys there is no entry.
    let whole = !["species[].count", "species[].clips.*.to_frame", "lights[].intensity"].contains(&key.path.as_str());
    let ends = |pick: fn(&NumberRange) -> f64, ranges: &[NumberRange]| {
        let numbers: Vec<String> = ranges.iter().map(|range| format!("{:?}", pick(range))).collect();
        format!("[{}]", numbers.join(", "))
    };
    match &value(key).kind {
        ValueKind::Bool => vec!["true".into(), "false".into()],
        ValueKind::Text if key.name == CARD_KEY => vec!["\"none\"".into(), "\"sardine\"".into()],
        ValueKind::Text => vec![format!("\"{}x\"", BUILTIN)],
        ValueKind::Choice(choices) => choices.iter().map(|choice| format!("\"{choice}\"")).collect(),
        ValueKind::Texts => vec!["[]".into(), format!("[\"{}\", \"x\"]", SAMPLE_NAMES[0])],
        ValueKind::Choices(choices) => vec!["[]".into(), format!("{choices:?}")],
        ValueKind::Float(range) if key.name == "from_frame" => vec![format!("{:?}", range.min)],
        ValueKind::Float(range) if whole => vec![format!("{:?}", range.min), format!("{:?}", range.max)],
        ValueKind::Float(range) => vec![format!("{:?}", range.max)],
        ValueKind::Int(range) if whole => vec![format!("{}", range.min), format!("{}", range.max)],
        ValueKind::Int(range) => vec![format!("{}", range.max)],
        ValueKind::Vector(ranges) => vec![ends(|range| range.min, ranges), ends(|range| range.max, ranges)],
        ValueKind::Vectors(ranges) => {
            vec![format!("[{}, {}]", ends(|range| range.min, ranges), ends(|range| range.max, ranges))]
        }
    }
}

/// The path of a key of [`sample`]'s entries, as `--set` takes it.
fn set_path(key: &EntrySchema) -> String {
    key.path.replace("[]", &format!(".{}", SAMPLE_NAMES[0])).replace('*', SAMPLE_NAMES[0])
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a temporary file");
    path.to_str().expect("temporary paths are UTF-8").to_owned()
}

/// Whether two values are equal in single precision.
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
    // Not the names by which --set finds the entry.
    let left_out =
        |key: &EntrySchema| key.path == "extends" || key.path.contains("rail[]") || key.path.ends_with("].name");
    for key in keys().iter().filter(|key| !left_out(key)) {
        for text in samples(key) {
            let path = set_path(key);
            let other = match key.path.as_str() {
                // A fetch of 0 goes with no wind.
                "waves.fetch_km" => Some("waves.wind_m_s=0".to_owned()),
                "species[].speed_bl_s" => Some(format!("species.{}.burst_bl_s=30", SAMPLE_NAMES[0])),
                "species[].burst_bl_s" => Some(format!("species.{}.speed_bl_s=0.01", SAMPLE_NAMES[0])),
                _ => None,
            };
            let set: Vec<String> = other.into_iter().chain([format!("{path}={text}")]).collect();
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
    for key in keys().iter().filter(|key| !key.path.starts_with("camera.rail[]")) {
        let (range, step) = match &value(key).kind {
            ValueKind::Float(range) => (range, 1e-3),
            ValueKind::Int(range) => (range, 1.0),
            _ => continue,
        };
        let path = set_path(key);
        for outside in [range.min - step, range.max + step] {
            let error = load(&file, &[format!("{path}={outside}")]).expect_err("outside its range");
            let text = error.to_string();
            assert!(text.contains(&format!("{path}: {outside} is out of range; allowed is {range}")), "{text}");
            tried += 1;
        }
    }
    assert!(tried > 80, "only {tried}");
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
        for key in keys().iter().filter(|key| key.path != "extends") {
            assert!(text.contains(&value(key).explained(&key.doc)), "{} is not explained", key.path);
        }
    }
}

#[test]
fn the_json_schema_takes_every_scene_and_refuses_what_is_wrong() {
    let schema = json_schema().to_value();
    let problems = |text: &str| {
        let scene: Table = toml::from_str(text).expect("TOML");
        testing::json_schema::problems(&schema, &serde_json::to_value(scene).expect("scenes have no dates"))
    };
    for scene in BUILTIN_SCENES {
        assert_eq!(problems(scene.text), [""; 0], "{}", scene.name);
    }
    assert_eq!(problems(&dump(&sample())), [""; 0]);
    assert_eq!(problems("extends = \"reef\"\n[camera.views.bow]\nfov_deg = 30"), [""; 0], "the rest is in the base");
    for wrong in [
        "[water]\nturbidty = 1",
        "[watr]",
        "[waves]\nwind_m_s = 31",
        "[waves]\nwind_m_s = \"strong\"",
        "[particles]\nsnow_count = 3.5",
        "[water]\ntype = \"4C\"",
        "[camera]\neye_m = [0, 1]",
        "[seabed]\ncolour = [0.1, 1.5, 0]",
        "[[species]]\nmodel = \"builtin:manta\"",
        "[[species]]\nname = \" \"",
        "[species]\nname = \"x\"",
        "[camera]\nrail = [{ eye_m = [0, 0, 0] }]",
        "[render.effects]\ncaustic = true",
    ] {
        assert_eq!(problems(wrong).len(), 1, "{wrong}: {:?}", problems(wrong));
    }
}

#[test]
fn the_json_schema_says_of_every_key_what_the_structs_say() {
    let schema = json_schema().to_value();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    for key in keys() {
        let pointer = key.path.replace("[].", "/items/properties/").replace(".*.", "/additionalProperties/properties/");
        let property = schema.pointer(&format!("/properties/{}", pointer.replace('.', "/properties/")));
        let property = property.unwrap_or_else(|| panic!("{} is not in the schema", key.path));
        let description = property["description"].as_str().unwrap_or_default().replace('`', "");
        let value = value(key);
        assert!(description.starts_with(&value.explained(&key.doc)), "{}: {description}", key.path);
        assert_eq!(property["x-unit"].as_str().unwrap_or_default(), value.unit, "{}", key.path);
        match &value.kind {
            ValueKind::Float(range) | ValueKind::Int(range) => {
                let ends = (property["minimum"].as_f64(), property["maximum"].as_f64());
                assert_eq!(ends, (Some(range.min), Some(range.max)), "{}", key.path);
                const LEFT_OUT: [&str; 4] = ["burst_bl_s", "stride_bl", "from_frame", "to_frame"];
                let may_be_left_out = LEFT_OUT.contains(&key.name.as_str());
                let has_default = property["default"].is_number();
                assert_eq!(has_default, !key.required && !may_be_left_out, "{}", key.path);
            }
            ValueKind::Choice(choices) => {
                let all = property["oneOf"].as_array().expect("choices");
                assert!(all.iter().all(|choice| choice["description"].is_string()), "{}", key.path);
                assert_eq!(all.len(), choices.len());
            }
            _ => {}
        }
    }
    assert_eq!(schema["properties"]["species"]["items"]["properties"]["length_m"]["default"], 0.2);
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

/// Text of a scene of about that many pieces.
type SceneOf = fn(usize) -> String;

/// Hostile scenes, each in its own way more than a person would write.
const HOSTILE: [(&str, SceneOf); 21] = [
    ("unknown keys", |n| lines(n, |i| format!("turbidty{i}=1"))),
    ("unknown keys of a table", |n| format!("[water]\n{}", lines(n, |i| format!("k{i}=1")))),
    ("unknown keys in one line", |n| format!("water={{{}}}", joined(n, |i| format!("k{i}=1")))),
    ("unknown tables", |n| lines(n, |i| format!("[t{i}]"))),
    ("unknown lists of tables", |n| lines(n, |i| format!("[[t{i}]]"))),
    ("one unknown list of tables", |n| lines(n, |_| "[[x]]".into())),
    ("unknown keys under a long name", |n| {
        format!("[camera.views.{}]\n{}", "v".repeat(n), lines(n, |i| format!("k{i}=1")))
    }),
    ("unknown keys that are long", |n| lines(n.div_ceil(100), |i| format!("{}{i}=1", "k".repeat(500)))),
    ("one key without end", |n| format!("{}=1", "turbidity".repeat(n))),
    ("one choice without end", |n| format!("water.type=\"{}\"", "coastal".repeat(n))),
    ("a base without end", |n| format!("extends=\"{}.toml\"", "base/".repeat(n))),
    ("a model without end", |n| format!("[[species]]\nname=\"x\"\nmodel=\"{}\"", "model/".repeat(n))),
    ("a word without quotes or end", |n| format!("name = {}", "word".repeat(n))),
    ("vectors of the wrong length", |n| {
        let vector = format!("{{eye_m=[{}]}}", joined(n / 1000 + 1, |_| "1".into()));
        format!("[camera]\nrail=[{}]", joined(LIST_LIMIT, |_| vector.clone()))
    }),
    ("numbers without end", |n| format!("seabed.colour=[{}]", joined(n, |_| "1".into()))),
    ("lists in lists", |n| format!("name={}", "[".repeat(n))),
    ("tables in tables", |n| format!("name={}", "{a=".repeat(n))),
    ("a path without end", |n| format!("{}=1", vec!["a"; n].join("."))),
    ("long paths with one beginning", |n| lines(n / 20, |i| format!("{}k{i}=1", "a.".repeat(70)))),
    ("a key said twice at the end", |n| format!("{}k1=1", lines(n, |i| format!("k{i}=1")))),
    ("entries that are there already", |n| {
        format!("species=[{}]", joined(LIST_LIMIT, |_| format!("{{name=\"{}\"}}", "n".repeat(n / 1000 + 1))))
    }),
];

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(|i| line(i) + "\n").collect()
}

fn joined(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect::<Vec<_>>().join(",")
}

/// Minimum times of three functions. Other load on the machine only adds time, so they take turns, in more rounds until
/// the times are `fine`: a function that is slow by itself is slow in every round. Unit: seconds.
fn least_times_s(works: [&dyn Fn(); 3], fine: impl Fn([f64; 3]) -> bool) -> [f64; 3] {
    let mut least_s = [f64::INFINITY; 3];
    for round in 1..=40 {
        for (work, least_s) in works.iter().zip(&mut least_s) {
            let start = std::time::Instant::now();
            work();
            *least_s = least_s.min(start.elapsed().as_secs_f64());
        }
        if round >= 3 && fine(least_s) {
            break;
        }
    }
    least_s
}

#[test]
fn a_hostile_scene_costs_no_more_than_a_few_times_its_parsing_however_long_it_is() {
    // The text is sixteen times as long; time that grows with its square would be 256 times as long.
    let is_in_proportion = |[short_s, long_s, _]: [f64; 3]| long_s < 90.0 * short_s.max(1e-4);
    let is_mostly_parsing = |[_, long_s, parse_s]: [f64; 3]| long_s < 20.0 * parse_s.max(1e-3);
    for (what, text) in HOSTILE {
        let (short, long) = (text(1500), text(24_000));
        let load = |text: &str| drop(std::hint::black_box(load_text("hostile", text, &[])));
        let works: [&dyn Fn(); 3] =
            [&|| load(&short), &|| load(&long), &|| drop(std::hint::black_box(parse(&long, 0)))];
        let times_s = least_times_s(works, |times_s| is_in_proportion(times_s) && is_mostly_parsing(times_s));
        let [short_s, long_s, parse_s] = times_s;
        assert!(is_mostly_parsing(times_s), "{what}: {long_s} s, of which {parse_s} s for parsing");
        assert!(is_in_proportion(times_s), "{what}: {long_s} s after {short_s} s");
    }
}

#[test]
fn a_hostile_scene_is_refused_in_a_page() {
    for (what, text) in HOSTILE {
        let Err(error) = load_text("hostile", &text(50_000), &[]) else { continue };
        let message = error.to_string();
        assert!(message.len() < 20_000, "{what}: {} bytes: {message:.2000}", message.len());
        assert!(error.problems.len() <= PROBLEMS_LISTED + 1, "{what}");
    }
}

#[test]
fn a_hostile_argument_is_refused_in_a_line() {
    for argument in ["a.".repeat(60_000) + "a=1", "x".repeat(120_000), format!("name={}", "[".repeat(120_000))] {
        let message = load("reef", &[argument]).expect_err("it makes no sense").to_string();
        assert!(message.len() < 1000, "{message:.2000}");
    }
}

#[test]
fn what_is_not_listed_is_counted() {
    let said = |n| load_text("my.toml", &lines(n, |i| format!("k{i} = 1")), &[]).expect_err("unknown keys").to_string();
    assert!(!said(PROBLEMS_LISTED).contains("more") && said(PROBLEMS_LISTED).ends_with("\n20 problems in my.toml"));
    assert!(said(80_000).ends_with("\nmy.toml: and 79980 more\n80000 problems in my.toml"), "{}", said(80_000));
    assert!(said(80_000).contains("my.toml:20:1: k19: unknown key"));
}
