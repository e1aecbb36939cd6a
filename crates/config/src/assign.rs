//! `--set key=value` as a tiny scene of its own, checked and merged like a file.

use std::path::PathBuf;

use located::{Node, Span, Table, Value, clip, join, parse};
use suggest::nearest;
use toml_edit::Key as TomlKey;

use crate::findings::Findings;
use crate::problem::ProblemKind;
use crate::schema::{self, Content, TableSchema, ValueKind, ValueSchema};
use crate::source::{Source, Sources};

/// A parsed argument.
pub(crate) struct Assignment {
    pub tree: Table,
    /// The list and the name in it that must be there already, for `species.NAME.key=value`.
    pub entry: Option<(String, String)>,
    pub span: Span,
}

/// Maximum number of names of a list in a message.
const NAMES_LISTED: usize = 40;

/// Parses the argument and reports faults of its form; it is not yet checked against the schema.
pub(crate) fn read(argument: &str, rank: i32, sources: &mut Sources, findings: &mut Findings) -> Option<Assignment> {
    let source = sources.add(Source::named(&format!("--set {argument}"), Some(PathBuf::new()), rank));
    let span = Span { source, bytes: 0..0 };
    let mut refuse = |why: &str| findings.add(&span, "", ProblemKind::BadAssignment(why.into()));
    let Some((path, raw)) = argument.split_once('=') else {
        refuse("there is no = in it");
        return None;
    };
    let Ok(keys) = TomlKey::parse(path) else {
        refuse(&format!("'{}' is not a dotted key", clip(path.trim())));
        return None;
    };
    let keys: Vec<&str> = keys.iter().map(TomlKey::get).collect();
    if keys == ["extends"] {
        refuse("a base is chosen with --scene, or with extends in a file");
        return None;
    }
    let Some(value) = value(raw.trim(), target(&keys), source) else {
        refuse(&format!("'{}' is not a TOML value", clip(raw.trim())));
        return None;
    };
    let entry = match keys[..] {
        // A whole entry may be a new one.
        [_, _] if matches!(value, Value::Table(_)) => None,
        [list, name, ..] if named_list(schema::root(), list).is_some() => Some((list.to_owned(), name.to_owned())),
        _ => None,
    };
    let tree = nest(&keys, Some(schema::root()), Node { span: span.clone(), value })?;
    Some(Assignment { tree, entry, span })
}

impl Assignment {
    /// Whether the entry it changes is in the scene; reported if not.
    pub fn finds_its_entry(&self, scene: &Table, findings: &mut Findings) -> bool {
        let Some((list, name)) = &self.entry else { return true };
        let entries = scene.get(list).and_then(Node::list).unwrap_or_default();
        let names = || entries.iter().filter_map(Node::name);
        let found = names().any(|known| known == name);
        if !found {
            findings.add_with(&self.span, || {
                let suggestion = nearest(name, names()).map(|near| join(list, near));
                let known: Vec<String> = names().take(NAMES_LISTED).map(clip).collect();
                let more = names().count() - known.len();
                (join(list, name), ProblemKind::NoSuchEntry { suggestion, known, more })
            });
        }
        found
    }
}

/// Schema of the entries of a list of named tables.
fn named_list<'s>(table: &'s TableSchema, name: &str) -> Option<&'s TableSchema> {
    match &table.entry(name)?.content {
        Content::List(entries) if entries.is_named() => Some(entries),
        _ => None,
    }
}

/// Schema of the value under `keys`, if they lead to one.
fn target(keys: &[&str]) -> Option<&'static ValueSchema> {
    let (mut table, mut keys) = (schema::root(), keys.iter());
    loop {
        table = match &table.entry(keys.next()?)?.content {
            Content::Value(value) => return keys.next().is_none().then_some(value),
            Content::Table(inner) => inner,
            Content::List(inner) | Content::Map(inner) => {
                // The name of the entry.
                keys.next()?;
                inner
            }
        };
    }
}

/// Nests the value in tables under `keys`; the key after that of a list is the name of the entry.
fn nest(keys: &[&str], schema: Option<&TableSchema>, value: Node) -> Option<Table> {
    let (first, rest) = keys.split_first()?;
    let span = value.span.clone();
    let inner = match schema.and_then(|schema| Some(&schema.entry(first)?.content)) {
        Some(Content::Table(inner)) => Some(inner),
        _ => None,
    };
    let node = match rest {
        [] => value,
        [name, rest @ ..] if let Some(inner) = schema.and_then(|schema| named_list(schema, first)) => {
            let mut entry = match rest {
                [] => value,
                rest => Node { span: span.clone(), value: Value::Table(nest(rest, Some(inner), value)?) },
            };
            // Anything but a table is for the check to refuse.
            if let Value::Table(said) = &mut entry.value {
                let name = Node { span: span.clone(), value: Value::Text((*name).to_owned()) };
                said.0.splice(0..0, Table::single("name", name).0);
            }
            Node { span, value: Value::List(vec![entry]) }
        }
        _ => Node { span, value: Value::Table(nest(rest, inner, value)?) },
    };
    Some(Table::single(first, node))
}

/// A TOML value, or a bare word as a string; where the schema wants a string, anything bare is one.
fn value(raw: &str, target: Option<&ValueSchema>, source: usize) -> Option<Value> {
    let wants_text = target.is_some_and(|target| matches!(target.kind, ValueKind::Text | ValueKind::Choice(_)));
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
    let place = |node: Node| Node { span: Span { source, bytes: 0..0 }, value: without_places(node, source) };
    match node.value {
        Value::List(list) => Value::List(list.into_iter().map(place).collect()),
        Value::Table(table) => Value::Table(Table(
            table.0.into_iter().flat_map(|entry| Table::single(&entry.name, place(entry.node)).0).collect(),
        )),
        other => other,
    }
}
