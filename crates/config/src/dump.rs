//! A scene as a complete, commented file.

use std::fmt::Write;

use located::join;
use toml::{Table, Value};

use crate::schema::{self, Content, TableSchema};
use crate::settings::Config;

/// The scene as TOML in which every key is set and explained; loading it gives an equal [`Config`].
///
/// Keys of lists are explained in the first entry.
pub fn dump(config: &Config) -> String {
    let table = match Value::try_from(config) {
        Ok(Value::Table(table)) => table,
        other => unreachable!("plain structs of numbers, strings and lists become a table: {other:?}"),
    };
    let mut out = format!(
        "# Every key of the scene {}, with its range. Leave out what you do not change.\n\n",
        config.scene.name
    );
    keys(&mut out, &table, schema::root(), true);
    for entry in &schema::root().0 {
        match (&entry.content, table.get(&entry.name)) {
            (Content::Table(inner), Some(Value::Table(table))) => {
                section(&mut out, &entry.name, &entry.doc, table, inner);
            }
            (Content::List(inner), Some(Value::Array(list))) if list.is_empty() => {
                no_entries(&mut out, &entry.name, &entry.doc, inner);
            }
            (Content::List(inner), Some(Value::Array(list))) => entries(&mut out, &entry.name, &entry.doc, list, inner),
            _ => {}
        }
    }
    out
}

fn section(out: &mut String, path: &str, doc: &str, table: &Table, schema: &TableSchema) {
    line(out, format_args!("\n# {doc}\n[{path}]"));
    keys(out, table, schema, true);
    inner_lists(out, table, schema);
    inner_maps(out, path, table, schema, true);
    for entry in &schema.0 {
        let Content::Table(inner) = &entry.content else { continue };
        let path = join(path, &entry.name);
        match table.get(&entry.name) {
            Some(Value::Table(table)) => section(out, &path, &entry.doc, table, inner),
            // An optional table that is not there.
            _ => {
                line(out, format_args!("\n# {}\n# [{path}]: none here.", entry.doc));
                explain(out, inner);
            }
        }
    }
}

fn entries(out: &mut String, path: &str, doc: &str, list: &[Value], schema: &TableSchema) {
    for (number, table) in list.iter().filter_map(Value::as_table).enumerate() {
        let first = number == 0;
        out.push('\n');
        if first {
            line(out, format_args!("# {doc}"));
        }
        line(out, format_args!("[[{path}]]"));
        keys(out, table, schema, first);
        inner_maps(out, path, table, schema, first);
    }
}

fn no_entries(out: &mut String, path: &str, doc: &str, schema: &TableSchema) {
    line(out, format_args!("\n# {doc}\n# [[{path}]]: none here."));
    for (key, value) in schema.values() {
        line(out, format_args!("# {}: {}", key.name, value.explained(&key.doc)));
    }
    for entry in &schema.0 {
        if let Content::Map(inner) = &entry.content {
            line(out, format_args!("# [{path}.{}]: {}", entry.name, entry.doc));
            explain(out, inner);
        }
    }
}

/// The keys of a table that are plain values.
fn keys(out: &mut String, table: &Table, schema: &TableSchema, comments: bool) {
    for (key, schema) in schema.values() {
        let explained = schema.explained(&key.doc);
        match table.get(&key.name) {
            // An optional key that is not set.
            None if comments => line(out, format_args!("# {}: {explained}", key.name)),
            None => {}
            Some(value) => {
                if comments {
                    line(out, format_args!("# {explained}"));
                }
                line(out, format_args!("{} = {}", key.name, written(value)));
            }
        }
    }
}

/// Lists of tables inside a table, one line per entry.
fn inner_lists(out: &mut String, table: &Table, schema: &TableSchema) {
    for entry in &schema.0 {
        let (Content::List(inner), Some(Value::Array(list))) = (&entry.content, table.get(&entry.name)) else {
            continue;
        };
        line(out, format_args!("# {}", entry.doc));
        explain(out, inner);
        if list.is_empty() {
            line(out, format_args!("{} = []", entry.name));
            continue;
        }
        line(out, format_args!("{} = [", entry.name));
        for table in list {
            line(out, format_args!("  {},", inline(table, inner)));
        }
        line(out, format_args!("]"));
    }
}

/// Tables under user-chosen names inside a table, one line per table.
fn inner_maps(out: &mut String, path: &str, table: &Table, schema: &TableSchema, comments: bool) {
    for entry in &schema.0 {
        let (Content::Map(inner), Some(Value::Table(named))) = (&entry.content, table.get(&entry.name)) else {
            continue;
        };
        if named.is_empty() && !comments {
            continue;
        }
        if comments {
            line(out, format_args!("\n# {}", entry.doc));
            explain(out, inner);
        }
        line(out, format_args!("[{}]", join(path, &entry.name)));
        for (name, table) in named {
            let name = toml_edit::Key::new(name);
            line(out, format_args!("{} = {}", name.display_repr(), inline(table, inner)));
        }
    }
}

/// Explains the keys of tables that are written in one line each.
fn explain(out: &mut String, schema: &TableSchema) {
    for (key, value) in schema.values() {
        line(out, format_args!("#   {}: {}", key.name, value.explained(&key.doc)));
    }
}

fn inline(table: &Value, schema: &TableSchema) -> String {
    let pairs = schema.values().filter_map(|(key, _)| Some((&key.name, table.get(&key.name)?)));
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name} = {}", written(value))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// A value in one line of a file.
pub(crate) fn written(value: &Value) -> String {
    match value {
        // Settings hold single precision: the shortest text that reads back as the same number.
        #[expect(clippy::cast_possible_truncation, reason = "the number was a f32 before serde widened it")]
        Value::Float(number) => format!("{:?}", *number as f32),
        Value::Array(list) => {
            let inner: Vec<String> = list.iter().map(written).collect();
            format!("[{}]", inner.join(", "))
        }
        Value::Table(table) => {
            let inner: Vec<String> = table
                .iter()
                .map(|(key, value)| format!("{} = {}", toml_edit::Key::new(key).display_repr(), written(value)))
                .collect();
            format!("{{ {} }}", inner.join(", "))
        }
        other => other.to_string(),
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = writeln!(out, "{text}");
}
