//! The JSON Schemas of scene files and of species cards, by which editors complete, explain and check keys.

use schemars::Schema;
use serde_json::{Value, json};

use crate::schema::{Content, DECLARED, EntrySchema, LIST_LIMIT, TableSchema, ValueKind, card, paragraphs, root};

/// A JSON Schema (draft 2020-12) of scene files.
///
/// Keys that a file may leave to the scene that it extends are not required, only described so.
pub fn json_schema() -> Schema {
    let mut schema = DECLARED.clone();
    schema["title"] = "Pelagic scene".into();
    schema["description"] = "What a scene leaves out is as in the scene that it extends, or has its default.".into();
    complete(&mut schema, root(), false);
    Schema::try_from(schema).expect("an object is a schema")
}

/// A JSON Schema (draft 2020-12) of species cards: the keys of a species that a scene may leave to its card.
pub fn card_json_schema() -> Schema {
    let mut species = DECLARED["properties"]["species"]["items"]["properties"].clone();
    let mut extends = DECLARED["properties"]["extends"].clone();
    extends["description"] = "Card to start from: a built-in one by name, or a file relative to this one.".into();
    let mut schema = json!({
        "$schema": DECLARED["$schema"],
        "title": "Pelagic species card",
        "description": "What a card leaves out is as in the card that it extends, or has its default.",
        "type": "object",
        "properties": { "extends": extends },
    });
    for entry in card().0.iter().filter(|entry| entry.name != "extends") {
        schema["properties"][&entry.name] = species[&entry.name].take();
    }
    complete(&mut schema, card(), false);
    Schema::try_from(schema).expect("an object is a schema")
}

/// Adds the rules that a struct does not declare; `replaced` if the table is never merged with another file's.
fn complete(schema: &mut Value, table: &TableSchema, replaced: bool) {
    let is_required = |entry: &EntrySchema| entry.required && (replaced || entry.name == "name");
    schema["required"] = table.0.iter().filter(|entry| is_required(entry)).map(|entry| entry.name.clone()).collect();
    schema["additionalProperties"] = false.into();
    for entry in &table.0 {
        let property = &mut schema["properties"][&entry.name];
        let default = property.as_object_mut().and_then(|property| property.shift_remove("default"));
        let (mut description, more) = paragraphs(property);
        match &entry.content {
            Content::Value(value) => {
                description = value.explained(&description);
                match value.kind {
                    ValueKind::Text => property["pattern"] = "\\S".into(),
                    ValueKind::Texts => {
                        property["maxItems"] = LIST_LIMIT.into();
                        property["items"]["pattern"] = "\\S".into();
                    }
                    ValueKind::Vectors(_) | ValueKind::Choices(_) => property["maxItems"] = LIST_LIMIT.into(),
                    _ => {}
                }
                if entry.required && !is_required(entry) {
                    description += " It must be said here or in the scene that this one extends.";
                }
                if let Some(default) = default.filter(|default| *default != "") {
                    property["default"] = single_precision(default);
                }
            }
            Content::Table(inner) => complete(property, inner, replaced),
            Content::List(inner) => {
                property["maxItems"] = LIST_LIMIT.into();
                complete(&mut property["items"], inner, !inner.is_named());
            }
            Content::Map(inner) => {
                property["maxProperties"] = LIST_LIMIT.into();
                complete(&mut property["additionalProperties"], inner, false);
            }
        }
        if !more.is_empty() {
            description += &format!("\n\n{more}");
        }
        property["description"] = description.into();
    }
}

/// Numbers in the shortest form that reads back the same in single precision, which settings hold.
fn single_precision(value: Value) -> Value {
    match value {
        Value::Array(list) => list.into_iter().map(single_precision).collect(),
        #[expect(clippy::cast_possible_truncation, reason = "the number was a f32 before serde widened it")]
        Value::Number(number) if number.is_f64() => {
            let shortest = number.as_f64().map(|wide| (wide as f32).to_string().parse::<f64>());
            shortest.and_then(Result::ok).map_or(Value::Null, Value::from)
        }
        other => other,
    }
}
