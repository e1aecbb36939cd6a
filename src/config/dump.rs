//! A scene as a complete, commented file.

use std::fmt::Write;

use toml::{Table, Value};

use crate::config::Config;
use crate::config::file::SceneFile;
use crate::config::schema::{KEYS, Key, TABLES};

/// The scene as TOML in which every key is said and explained; loading it gives an equal [`Config`].
///
/// Keys of lists are explained in the first entry.
pub fn dump(config: &Config) -> String {
    let table = match Value::try_from(SceneFile::from(config.clone())) {
        Ok(Value::Table(table)) => table,
        other => unreachable!("plain structs of numbers, strings and lists become a table: {other:?}"),
    };
    let mut out = format!(
        "# Every key of the scene {}, with its range. Leave out what you do not change.\n\n",
        config.scene.name
    );
    keys(&mut out, &table, "", true);
    for part in TABLES.iter().filter(|part| !part.path.contains('.')) {
        match part.path.strip_suffix("[]") {
            None => section(&mut out, &table, part.path, part.doc),
            Some(list) => entries(&mut out, &table, list, part.doc),
        }
    }
    out
}

fn section(out: &mut String, root: &Table, path: &str, doc: &str) {
    let Some(Value::Table(table)) = at(root, path) else { return };
    line(out, format_args!("\n# {doc}\n[{path}]"));
    keys(out, table, path, true);
    if path == "camera" {
        rail(out, table);
        maps(out, table, "camera.views", true);
    }
    for inner in TABLES.iter().filter(|inner| inner.path.strip_prefix(path).is_some_and(is_inner)) {
        section(out, root, inner.path, inner.doc);
    }
}

/// `.effects`, but neither `.rail[]` nor `.views.*`.
fn is_inner(rest: &str) -> bool {
    rest.starts_with('.') && !rest.contains(['[', '*'])
}

fn entries(out: &mut String, root: &Table, list: &str, doc: &str) {
    let Some(Value::Array(entries)) = root.get(list) else { return };
    if entries.is_empty() {
        line(out, format_args!("\n# {doc}\n# [[{list}]]: none here."));
        for key in KEYS.iter().filter(|key| key.table() == format!("{list}[]")) {
            line(out, format_args!("# {}: {}", key.name(), explained(key)));
        }
        if list == "species" {
            line(out, format_args!("# [species.clips]: {}", table_doc("species[].clips.*")));
            inner_docs(out, "species[].clips.*");
        }
    }
    for (number, entry) in entries.iter().enumerate() {
        let Value::Table(table) = entry else { continue };
        let first = number == 0;
        out.push('\n');
        if first {
            line(out, format_args!("# {doc}"));
        }
        line(out, format_args!("[[{list}]]"));
        keys(out, table, &format!("{list}[]"), first);
        if list == "species" {
            maps(out, table, "species.clips", first);
        }
    }
}

/// The keys of a table that are plain values.
fn keys(out: &mut String, table: &Table, path: &str, comments: bool) {
    for key in KEYS.iter().filter(|key| key.table() == path) {
        let Some(value) = table.get(key.name()) else { continue };
        if comments {
            line(out, format_args!("# {}", explained(key)));
        }
        line(out, format_args!("{} = {}", key.name(), written(value)));
    }
}

/// Tables of numbers under names of the user's own, a line each.
fn maps(out: &mut String, table: &Table, header: &str, comments: bool) {
    let schema = header.replace("species.", "species[].") + ".*";
    let name = header.rsplit('.').next().unwrap_or(header);
    let Some(Value::Table(named)) = table.get(name) else { return };
    if named.is_empty() && !comments {
        return;
    }
    if comments {
        line(out, format_args!("\n# {}", table_doc(&schema)));
        inner_docs(out, &schema);
    }
    line(out, format_args!("[{header}]"));
    for (name, value) in named {
        line(out, format_args!("{} = {}", quoted_key(name), inline(value, &schema)));
    }
}

fn rail(out: &mut String, camera: &Table) {
    let Some(Value::Array(waypoints)) = camera.get("rail") else { return };
    line(out, format_args!("# {}", table_doc("camera.rail[]")));
    inner_docs(out, "camera.rail[]");
    if waypoints.is_empty() {
        line(out, format_args!("rail = []"));
        return;
    }
    line(out, format_args!("rail = ["));
    for waypoint in waypoints {
        line(out, format_args!("  {},", inline(waypoint, "camera.rail[]")));
    }
    line(out, format_args!("]"));
}

fn inner_docs(out: &mut String, schema: &str) {
    for key in KEYS.iter().filter(|key| key.table() == schema) {
        line(out, format_args!("#   {}: {}", key.name(), explained(key)));
    }
}

fn inline(value: &Value, schema: &str) -> String {
    let Value::Table(table) = value else { return String::new() };
    let pairs = KEYS.iter().filter(|key| key.table() == schema).filter_map(|key| {
        let value = table.get(key.name())?;
        Some(format!("{} = {}", key.name(), written(value)))
    });
    format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
}

fn table_doc(path: &str) -> &'static str {
    TABLES.iter().find(|table| table.path == path).map_or("", |table| table.doc)
}

/// `Wind speed at 10 m; 0 is a flat sea. A number from 0 to 30 m/s.`
fn explained(key: &Key) -> String {
    let expected = key.expected();
    let mut letters = expected.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase()).unwrap_or_default();
    format!("{} {first}{}.", key.doc, letters.as_str())
}

fn at<'t>(root: &'t Table, path: &str) -> Option<&'t Value> {
    match path.split_once('.') {
        None => root.get(path),
        Some((first, rest)) => at(root.get(first)?.as_table()?, rest),
    }
}

fn written(value: &Value) -> String {
    match value {
        // Settings hold single precision: the shortest text that reads back as the same number.
        #[expect(clippy::cast_possible_truncation, reason = "the number was a f32 before serde widened it")]
        Value::Float(number) => format!("{:?}", *number as f32),
        Value::Array(list) => {
            let inner: Vec<String> = list.iter().map(written).collect();
            format!("[{}]", inner.join(", "))
        }
        other => other.to_string(),
    }
}

fn quoted_key(name: &str) -> String {
    toml_edit::Key::new(name).display_repr().into_owned()
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = writeln!(out, "{text}");
}
