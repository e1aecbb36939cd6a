//! Schema of scene files: every key with its kind, range, unit and meaning, read from the settings structs, which alone
//! declare it. Checks, suggestions, merging and dumping use the [`root`] table.

use std::fmt;
use std::sync::LazyLock;

use located::join;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::RestrictFormats;
use serde_json::{Value, json};

use crate::settings::Config;

/// Maximum number of entries in one list of tables, names in one map and vectors in one list of vectors.
pub const LIST_LIMIT: usize = 1000;

/// Key of every table that names a model file.
pub const MODEL_KEY: &str = "model";

/// Key of a species that names its card.
pub const CARD_KEY: &str = "card";

/// Keys of a species that a card leaves to the scene.
pub(crate) const SCENE_ONLY: [&str; 8] =
    ["name", MODEL_KEY, CARD_KEY, "count", "home_m", "path_m", "path_spread_m", "tint"];

/// A table of the scene file: its possible entries, in the order in which they are written.
#[derive(Clone, Debug)]
pub struct TableSchema(
    /// Its entries.
    pub Vec<EntrySchema>,
);

/// A key or a table.
#[derive(Clone, Debug)]
pub struct EntrySchema {
    /// Its name in a file.
    pub name: String,
    /// Its path, such as `water.type`. `[]` is an entry of a list of tables (`species[].depth_m`), `*` a user-chosen
    /// name (`camera.views.*.eye_m`).
    pub path: String,
    /// Its meaning, in a line.
    pub doc: String,
    /// Whether the table it stands in makes no sense without it.
    pub required: bool,
    /// Its value if no file sets it.
    pub default: Option<toml::Value>,
    /// Its value or table.
    pub content: Content,
}

/// Content under a name.
#[derive(Clone, Debug)]
pub enum Content {
    /// A value.
    Value(ValueSchema),
    /// A table.
    Table(TableSchema),
    /// A list of tables.
    List(TableSchema),
    /// A table of tables under user-chosen names.
    Map(TableSchema),
}

/// Requirements on a key's value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueSchema {
    /// Its type and range.
    pub kind: ValueKind,
    /// Unit of its numbers; empty for pure numbers and for other values.
    pub unit: String,
}

/// Type and range of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// `true` or `false`.
    Bool,
    /// A string that is not empty.
    Text,
    /// One of these strings.
    Choice(Vec<String>),
    /// Any number of strings that are not empty.
    Texts,
    /// Any number of these strings.
    Choices(Vec<String>),
    /// A finite number; whole numbers need no point.
    Float(NumberRange),
    /// A whole number.
    Int(NumberRange),
    /// As many numbers as there are ranges.
    Vector(Vec<NumberRange>),
    /// Any number of vectors.
    Vectors(Vec<NumberRange>),
}

/// Numbers from `min` to `max`, both allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    /// Smallest number.
    pub min: f64,
    /// Largest number.
    pub max: f64,
}

/// Schema of a whole scene file.
pub fn root() -> &'static TableSchema {
    static ROOT: LazyLock<TableSchema> = LazyLock::new(|| read_table(&DECLARED, ""));
    &ROOT
}

/// Schema of an entry of the scene's list of species.
pub(crate) fn species() -> &'static TableSchema {
    match root().entry("species").map(|entry| &entry.content) {
        Some(Content::List(species)) => species,
        other => unreachable!("species are a list of tables: {other:?}"),
    }
}

/// Schema of a whole card: the keys of a species that are not left to the scene, and the card that it starts from.
pub(crate) fn card() -> &'static TableSchema {
    static CARD: LazyLock<TableSchema> = LazyLock::new(|| {
        let extends = root().entry("extends").into_iter();
        let keys = species().0.iter().filter(|entry| !SCENE_ONLY.contains(&entry.name.as_str()));
        TableSchema(extends.chain(keys).cloned().collect())
    });
    &CARD
}

/// Every key, at whatever depth, in the order in which a scene file is written.
pub(crate) fn keys() -> &'static [&'static EntrySchema] {
    static KEYS: LazyLock<Vec<&EntrySchema>> = LazyLock::new(|| root().keys());
    &KEYS
}

/// A scene file as it is written.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "a description only: `extends` has done its work before settings are read")]
struct SceneFile {
    /// Scene to start from: a built-in one by name, or a file relative to this one.
    #[serde(default)]
    extends: String,
    #[serde(flatten)]
    config: Config,
}

/// The settings structs as `schemars` describes them.
pub(super) static DECLARED: LazyLock<Value> = LazyLock::new(|| {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let generator = settings.with_transform(RestrictFormats::default()).into_generator();
    generator.into_root_schema_for::<SceneFile>().to_value()
});

impl TableSchema {
    /// The entry called `name`, if the table may have one.
    pub fn entry(&self, name: &str) -> Option<&EntrySchema> {
        self.0.iter().find(|entry| entry.name == name)
    }

    /// Whether the entries of a list of such tables are known by name.
    pub fn is_named(&self) -> bool {
        self.entry("name").is_some_and(|name| name.required)
    }

    /// Its keys that hold plain values.
    pub fn values(&self) -> impl Iterator<Item = (&EntrySchema, &ValueSchema)> {
        self.0.iter().filter_map(|entry| match &entry.content {
            Content::Value(value) => Some((entry, value)),
            _ => None,
        })
    }

    fn keys(&'static self) -> Vec<&'static EntrySchema> {
        let of_entry = |entry: &'static EntrySchema| match &entry.content {
            Content::Value(_) => vec![entry],
            Content::Table(inner) | Content::List(inner) | Content::Map(inner) => inner.keys(),
        };
        self.0.iter().flat_map(of_entry).collect()
    }
}

impl ValueSchema {
    /// `doc` with the expected value: `Wind speed at 10 m; 0 is a flat sea. A number from 0 to 30 m/s.`
    pub fn explained(&self, doc: &str) -> String {
        let expected = self.expected();
        let (first, rest) = expected.split_at(1);
        format!("{doc} {}{rest}.", first.to_ascii_uppercase())
    }

    /// Expected value in words: `a number from 0 to 30 m/s`.
    pub fn expected(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let each = |ranges: &[NumberRange]| match ranges {
            [first, rest @ ..] if rest.iter().all(|range| range == first) => format!(" from {first}{unit}"),
            _ => ranges.iter().map(|range| format!(", {range}")).collect(),
        };
        match &self.kind {
            ValueKind::Bool => "true or false".into(),
            ValueKind::Text => "a string".into(),
            ValueKind::Choice(choices) => format!("one of {}", choices.join(", ")),
            ValueKind::Texts => "a list of strings".into(),
            ValueKind::Choices(choices) => format!("a list of any of {}", choices.join(", ")),
            ValueKind::Float(range) => format!("a number from {range}{unit}"),
            ValueKind::Int(range) => format!("a whole number from {range}{unit}"),
            ValueKind::Vector(ranges) => format!("a list of {} numbers{}", ranges.len(), each(ranges)),
            ValueKind::Vectors(ranges) => format!("a list of lists of {} numbers{}", ranges.len(), each(ranges)),
        }
    }
}

impl NumberRange {
    /// Whether `value` is inside; NaN is not.
    pub fn contains(self, value: f64) -> bool {
        (self.min..=self.max).contains(&value)
    }
}

impl fmt::Display for NumberRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.min, self.max)
    }
}

/// Shortens numbers to the form that reads back the same: settings hold single precision, which serde widens.
pub(crate) fn shortest(value: toml::Value) -> toml::Value {
    match value {
        #[expect(clippy::cast_possible_truncation, reason = "the number was a f32 before serde widened it")]
        toml::Value::Float(number) => toml::Value::Float(format!("{:?}", number as f32).parse().unwrap_or(number)),
        toml::Value::Array(list) => toml::Value::Array(list.into_iter().map(shortest).collect()),
        toml::Value::Table(table) => {
            toml::Value::Table(table.into_iter().map(|(key, value)| (key, shortest(value))).collect())
        }
        other => other,
    }
}

/// The first paragraph of a schema's description, on one line, and the rest.
pub(super) fn paragraphs(schema: &Value) -> (String, String) {
    let text = schema["description"].as_str().unwrap_or_default();
    let (first, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    (first.replace('\n', " "), rest.to_owned())
}

/// The table that the JSON Schema of a struct describes.
fn read_table(schema: &Value, path: &str) -> TableSchema {
    let properties = schema["properties"].as_object().expect("settings are structs with named fields");
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let entry = |(name, property): (&String, &Value)| {
        let path = join(path, name);
        let content = if property.get("properties").is_some() {
            Content::Table(read_table(property, &path))
        } else if property["items"].get("properties").is_some() {
            Content::List(read_table(&property["items"], &format!("{path}[]")))
        } else if property["additionalProperties"].is_object() {
            Content::Map(read_table(&property["additionalProperties"], &format!("{path}.*")))
        } else {
            let unit = property["x-unit"].as_str().unwrap_or_default().to_owned();
            Content::Value(ValueSchema { kind: read_kind(property, &path), unit })
        };
        let (doc, _) = paragraphs(property);
        let doc = doc.replace('`', "");
        let default = property.get("default").and_then(|value| toml::Value::try_from(value).ok()).map(shortest);
        EntrySchema { name: name.clone(), path, doc, required: required.contains(&json!(name)), default, content }
    };
    TableSchema(properties.iter().map(entry).collect())
}

fn read_kind(schema: &Value, path: &str) -> ValueKind {
    let range = |number: &Value| match (number["minimum"].as_f64(), number["maximum"].as_f64()) {
        (Some(min), Some(max)) => NumberRange { min, max },
        _ => panic!("{path}: every number of a scene file has a range"),
    };
    let vector = |list: &Value| match list["prefixItems"].as_array() {
        Some(numbers) => numbers.iter().map(range).collect(),
        None => {
            let length = list["minItems"].as_u64().filter(|length| list["maxItems"] == *length);
            let length = length.unwrap_or_else(|| panic!("{path}: a list of numbers has a fixed length"));
            (0..length).map(|_| range(&list["items"])).collect()
        }
    };
    let choice = |variant: &Value| variant["const"].as_str().map(str::to_owned);
    let choices = |variants: &[Value]| {
        let choices: Option<Vec<String>> = variants.iter().map(choice).collect();
        choices.unwrap_or_else(|| panic!("{path}: every choice is a string"))
    };
    match (schema["type"].as_str(), schema["oneOf"].as_array(), schema["anyOf"].as_array()) {
        (Some("boolean"), ..) => ValueKind::Bool,
        (Some("number"), ..) => ValueKind::Float(range(schema)),
        (Some("integer"), ..) => ValueKind::Int(range(schema)),
        (Some("array"), ..) if schema["items"]["type"] == "array" => ValueKind::Vectors(vector(&schema["items"])),
        (Some("array"), ..) if schema["items"]["type"] == "string" => ValueKind::Texts,
        (Some("array"), ..) => match schema["items"]["oneOf"].as_array() {
            Some(variants) => ValueKind::Choices(choices(variants)),
            None => ValueKind::Vector(vector(schema)),
        },
        // A user-chosen name besides some that are known.
        (Some("string"), ..) | (_, _, Some(_)) => ValueKind::Text,
        (_, Some(variants), _) => ValueKind::Choice(choices(variants)),
        _ => panic!("{path}: scene files hold no such type: {schema}"),
    }
}
