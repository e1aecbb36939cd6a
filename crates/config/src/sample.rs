//! A scene with entries in every list and map, made from the schema, for tests.

use model::files::BUILTIN;
use serde::Deserialize;
use toml::{Table, Value};

use crate::schema::{CARD_KEY, Content, EntrySchema, NumberRange, TableSchema, ValueKind, ValueSchema, root};
use crate::settings::Config;

/// Names of the entries of every list and map.
pub const SAMPLE_NAMES: [&str; 2] = ["sample", "the \"other\" one"];

/// The defaults, with entries in every list and map that set every key.
pub fn sample() -> Config {
    let Ok(Value::Table(mut table)) = Value::try_from(Config::default()) else { panic!("a scene is a table") };
    Filler { fraction: 0.0 }.fill(&mut table, root());
    Config::deserialize(Value::Table(table)).expect("the schema is that of the structs")
}

struct Filler {
    /// Position of the last number in its range; no two are alike.
    fraction: f64,
}

impl Filler {
    /// Fills in the keys that `table` lacks or leaves empty.
    fn fill(&mut self, table: &mut Table, schema: &TableSchema) {
        for entry in &schema.0 {
            match (&entry.content, table.get_mut(&entry.name)) {
                (Content::Table(inner), Some(Value::Table(table))) => self.fill(table, inner),
                (_, Some(Value::String(text))) if !text.is_empty() => {}
                (_, Some(Value::Array(list))) if !list.is_empty() => {}
                (_, Some(Value::Boolean(_) | Value::Float(_) | Value::Integer(_))) => {}
                _ => drop(table.insert(entry.name.clone(), self.content(entry))),
            }
        }
    }

    fn content(&mut self, entry: &EntrySchema) -> Value {
        match &entry.content {
            Content::Value(value) => self.value(entry, value),
            Content::Table(inner) => self.table(inner, None),
            Content::List(inner) => {
                Value::Array(SAMPLE_NAMES.iter().map(|name| self.table(inner, Some(name))).collect())
            }
            Content::Map(inner) => {
                Value::Table(SAMPLE_NAMES.iter().map(|name| ((*name).to_owned(), self.table(inner, None))).collect())
            }
        }
    }

    fn table(&mut self, schema: &TableSchema, name: Option<&str>) -> Value {
        let name = name.filter(|_| schema.is_named()).map(|name| ("name".to_owned(), name.into()));
        let mut table = Table::from_iter(name);
        self.fill(&mut table, schema);
        Value::Table(table)
    }

    fn value(&mut self, entry: &EntrySchema, schema: &ValueSchema) -> Value {
        match &schema.kind {
            ValueKind::Bool => true.into(),
            ValueKind::Text if entry.name == "name" => SAMPLE_NAMES[0].into(),
            ValueKind::Text if entry.name == CARD_KEY => "none".into(),
            ValueKind::Text => format!("{}{}", BUILTIN, SAMPLE_NAMES[0]).into(),
            ValueKind::Choice(choices) => choices[0].clone().into(),
            ValueKind::Texts => Value::Array(vec![SAMPLE_NAMES[0].into(), SAMPLE_NAMES[1].into()]),
            ValueKind::Choices(choices) => Value::Array(vec![choices[0].clone().into(), choices[1].clone().into()]),
            ValueKind::Float(range) => self.number(*range).into(),
            ValueKind::Int(range) => Value::Integer(self.number(*range).ceil() as i64),
            ValueKind::Vector(ranges) => self.vector(ranges),
            ValueKind::Vectors(ranges) => Value::Array(vec![self.vector(ranges), self.vector(ranges)]),
        }
    }

    fn vector(&mut self, ranges: &[NumberRange]) -> Value {
        Value::Array(ranges.iter().map(|range| self.number(*range).into()).collect())
    }

    /// A number of single precision, greater in its range than all before.
    fn number(&mut self, NumberRange { min, max }: NumberRange) -> f64 {
        self.fraction += 0.001;
        f64::from((min + self.fraction * (max - min)) as f32)
    }
}
