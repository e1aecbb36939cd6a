//! `--set key=value` as a tiny scene of its own, checked and merged like a file.

use std::path::PathBuf;

use toml_edit::Key as TomlKey;

use crate::config::check::{Findings, is_named};
use crate::config::merge::{name_of, single};
use crate::config::problem::What;
use crate::config::schema::{Kind, Shape, join, shape};
use crate::config::source::{Mark, Source, Sources};
use crate::config::suggest::nearest;
use crate::config::tree::{Node, Table, Value, parse};

/// An argument that could be read.
pub(crate) struct Assignment {
    pub tree: Table,
    /// The list and the name in it that must be there already, for `species.NAME.key=value`.
    pub entry: Option<(String, String)>,
    pub mark: Mark,
}

/// Reads the argument; what is wrong with its form is reported, not yet what the schema says to it.
pub(crate) fn read(argument: &str, rank: i32, sources: &mut Sources, findings: &mut Findings) -> Option<Assignment> {
    let label = format!("--set {argument}");
    let source = sources.add(Source { label, text: String::new(), folder: Some(PathBuf::new()), rank });
    let mark = Mark { source, span: 0..0 };
    let mut refuse = |why: &str| findings.add(&mark, "", What::BadAssignment(why.into()));
    let Some((path, raw)) = argument.split_once('=') else {
        refuse("there is no = in it");
        return None;
    };
    let Ok(keys) = TomlKey::parse(path) else {
        refuse(&format!("'{}' is not a dotted key", path.trim()));
        return None;
    };
    let keys: Vec<&str> = keys.iter().map(TomlKey::get).collect();
    if keys == ["extends"] {
        refuse("a base is chosen with --scene, or with extends in a file");
        return None;
    }
    let (schema_path, entry) = schema_path(&keys);
    let Some(value) = value(raw.trim(), &schema_path, source) else {
        refuse(&format!("'{}' is not a TOML value", raw.trim()));
        return None;
    };
    let tree = nest(&keys, "", Node { mark: mark.clone(), value })?;
    Some(Assignment { tree, entry, mark })
}

impl Assignment {
    /// Whether the entry it changes is in the scene; reported if not.
    pub fn finds_its_entry(&self, scene: &Table, findings: &mut Findings) -> bool {
        let Some((list, name)) = &self.entry else { return true };
        let entries = scene.get(list).and_then(Node::list).unwrap_or_default();
        let known: Vec<String> = entries.iter().filter_map(name_of).map(str::to_owned).collect();
        let found = known.contains(name);
        if !found {
            let suggestion = nearest(name, known.iter().map(String::as_str)).map(|near| join(list, near));
            findings.add(&self.mark, join(list, name), What::NoSuchEntry { suggestion, known });
        }
        found
    }
}

/// The keys as a path of the schema, and the list entry they go through.
fn schema_path(keys: &[&str]) -> (String, Option<(String, String)>) {
    let (mut path, mut entry) = (String::new(), None);
    for key in keys {
        path = match shape(&path) {
            Some(Shape::List) if is_named(&path) => {
                entry = Some((path.clone(), (*key).to_owned()));
                format!("{path}[]")
            }
            Some(Shape::Map) => format!("{path}.*"),
            _ => join(&path, key),
        };
    }
    (path, entry)
}

/// The value in tables under `keys`; under a list's name, in an entry of that name.
fn nest(keys: &[&str], path: &str, value: Node) -> Option<Table> {
    let (first, rest) = keys.split_first()?;
    let mark = value.mark.clone();
    let path = join(path, first);
    let node = match rest {
        [] => value,
        [name, inner @ ..] if matches!(shape(&path), Some(Shape::List)) && is_named(&path) => {
            let name_node = Node { mark: mark.clone(), value: Value::Text((*name).to_owned()) };
            let mut table = single("name", name_node);
            table.0.extend(nest(inner, &format!("{path}[]"), value).unwrap_or_default().0);
            let entry = Node { mark: mark.clone(), value: Value::Table(table) };
            Node { mark, value: Value::List(vec![entry]) }
        }
        _ => Node { mark, value: Value::Table(nest(rest, &path, value)?) },
    };
    Some(single(first, node))
}

/// A TOML value, or a bare word as a string; where the schema wants a string, anything bare is one.
fn value(raw: &str, schema_path: &str, source: usize) -> Option<Value> {
    let wants_text =
        matches!(shape(schema_path), Some(Shape::Value(key)) if matches!(key.kind, Kind::Text | Kind::Choice(_)));
    let parsed = parse(&format!("value = {raw}"), source).ok().filter(|table| table.0.len() == 1);
    let parsed = parsed.and_then(|mut table| table.take("value")).map(|node| without_places(node, source));
    match parsed {
        Some(Value::Text(text)) => Some(Value::Text(text)),
        Some(value) if !wants_text => Some(value),
        _ if raw.starts_with(['"', '\'', '[', '{']) || raw.is_empty() => None,
        _ => Some(Value::Text(raw.to_owned())),
    }
}

fn without_places(node: Node, source: usize) -> Value {
    let place = |node: Node| Node { mark: Mark { source, span: 0..0 }, value: without_places(node, source) };
    match node.value {
        Value::List(list) => Value::List(list.into_iter().map(place).collect()),
        Value::Table(table) => Value::Table(Table(
            table.0.into_iter().flat_map(|entry| single(&entry.name, place(entry.node)).0).collect(),
        )),
        other => other,
    }
}
