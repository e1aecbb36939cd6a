//! More entries in the lists of a scene, and fewer.
//!
//! What can be many says itself that there is none of it (`count = 0`), so a scene can leave out what the one that it
//! extends has, and every change here can be given as `--set`.

use model::files::BUILTIN;
use toml::{Table, Value};

use crate::edit::{Edit, Edits, value_at};
use crate::schema::{Content, MODEL_KEY, NumberRange, TableSchema, ValueKind, root};

/// How many a new entry puts into the scene, where it says how many: so that they are found.
const NEW_COUNT: i64 = 5;
/// Of what is added, what is where it is of the entry before it.
const PLACE_KEYS: [&str; 2] = ["home_m", "depth_m"];
/// Keys by which an entry says that there is none of it.
const AMOUNT_KEYS: [&str; 3] = ["count", "at", "intensity"];

/// What a list of a scene can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addition {
    /// An entry with a model, to be chosen.
    Model,
    /// One like the last, or one of defaults.
    Next,
}

impl Edits {
    /// Adds an entry to the list at `path`, with the built-in `model` where it is one of models; gives its path. `values`
    /// are the present ones, `in_file` those without changes.
    pub fn add(
        &mut self,
        path: &[String],
        model: Option<&str>,
        values: &Table,
        in_file: &Table,
    ) -> Option<Vec<String>> {
        let content = content_at(path)?;
        let new = new_entry(content, last_of(values, path), model)?;
        if named(content).is_some() {
            let name = model.or(path.last().map(|list| list.strip_suffix('s').unwrap_or(list)))?;
            let name = free_name(name, |name| {
                [values, in_file].iter().any(|values| value_at(values, &child(path, name)).is_some())
            })?;
            self.0.push(Edit { path: child(path, &name), value: new });
            return Some(child(path, &name));
        }
        let mut list = value_at(values, path)?.as_array()?.clone();
        list.push(new);
        let place = list.len() - 1;
        self.set(path, Value::Array(list), values);
        Some(child(path, &place.to_string()))
    }

    /// Takes the entry at `path` out of its list; whether that can be.
    pub fn remove(&mut self, path: &[String], values: &Table, in_file: &Table) -> bool {
        let Some((last, list)) = path.split_last() else { return false };
        match content_at(list) {
            Some(content) if named(content).is_some() => {
                if !can_remove(path, in_file) {
                    return false;
                }
                self.forget(path);
                if value_at(in_file, path).is_some() {
                    self.leave_out(path);
                }
                true
            }
            Some(_) => {
                let Some(Value::Array(entries)) = value_at(values, list) else { return false };
                let Some(place) = last.parse().ok().filter(|place| *place < entries.len()) else { return false };
                let mut entries = entries.clone();
                entries.remove(place);
                self.set(list, Value::Array(entries), values);
                true
            }
            None => false,
        }
    }

    /// Has the entry at `path` say that there is none of it.
    pub(super) fn leave_out(&mut self, path: &[String]) {
        let amounts = path.split_last().and_then(|(_, list)| named(content_at(list)?)).map(amounts);
        for (key, value) in amounts.unwrap_or_default() {
            self.0.push(Edit { path: child(path, key), value });
        }
    }
}

/// What the list at `path` can be given now, if it is one.
pub fn addition(path: &[String], values: &Table) -> Option<Addition> {
    let content = content_at(path)?;
    match named(content) {
        Some(inner) if inner.entry(MODEL_KEY).is_some() => Some(Addition::Model),
        _ => new_entry(content, last_of(values, path), None).map(|_| Addition::Next),
    }
}

/// Whether the entry at `path` can be taken out: what is in no file yet, or can say that there is none of it, or has no name.
pub fn can_remove(path: &[String], in_file: &Table) -> bool {
    let list = path.split_last().and_then(|(_, list)| content_at(list));
    list.is_some_and(|content| match named(content) {
        Some(inner) => value_at(in_file, path).is_none() || !amounts(inner).is_empty(),
        None => true,
    })
}

/// What is declared at a path of keys and names of entries.
fn content_at(path: &[String]) -> Option<&'static Content> {
    let (mut schema, mut keys) = (root(), path.iter());
    loop {
        let content = &schema.entry(keys.next()?)?.content;
        if keys.len() == 0 {
            return Some(content);
        }
        schema = match content {
            Content::Value(_) => return None,
            Content::Table(inner) => inner,
            Content::List(inner) | Content::Map(inner) => {
                keys.next()?;
                inner
            }
        };
    }
}

/// What the entries hold of what has entries that are known by name.
fn named(content: &Content) -> Option<&TableSchema> {
    match content {
        Content::Map(inner) => Some(inner),
        Content::List(inner) if inner.is_named() => Some(inner),
        _ => None,
    }
}

fn child(path: &[String], name: &str) -> Vec<String> {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

/// The last entry of what stands at `path`, without its name.
fn last_of(values: &Table, path: &[String]) -> Option<Value> {
    let last = match value_at(values, path)? {
        Value::Array(list) => list.last(),
        Value::Table(map) => map.iter().next_back().map(|(_, value)| value),
        _ => None,
    };
    let mut last = last?.clone();
    last.as_table_mut().and_then(|table| table.remove("name"));
    Some(last)
}

/// What a new entry says, `last` being the one before it.
fn new_entry(content: &Content, last: Option<Value>, model: Option<&str>) -> Option<Value> {
    match content {
        Content::List(inner) if inner.entry(MODEL_KEY).is_some() => {
            let mut new = Table::new();
            new.insert(MODEL_KEY.into(), format!("{BUILTIN}{}", model?).into());
            new.insert("count".into(), NEW_COUNT.into());
            for key in PLACE_KEYS.iter().filter(|key| inner.entry(key).is_some()) {
                let before = last.as_ref().and_then(|last| last.get(key)).cloned();
                drop(before.map(|value| new.insert((*key).into(), value)));
            }
            Some(Value::Table(new))
        }
        Content::List(inner) if inner.0.iter().all(|entry| !entry.required || entry.name == "name") => {
            Some(last.unwrap_or_else(|| Value::Table(Table::new())))
        }
        Content::List(_) | Content::Map(_) => last,
        Content::Value(value) => match &value.kind {
            ValueKind::Vectors(ranges) => Some(last.unwrap_or_else(|| first_vector(ranges))),
            _ => None,
        },
        Content::Table(_) => None,
    }
}

/// No way off and no turn, and a factor of one.
fn first_vector(ranges: &[NumberRange]) -> Value {
    let number = |range: &NumberRange| if range.contains(0.0) { 0.0 } else { 1.0_f64.clamp(range.min, range.max) };
    Value::Array(ranges.iter().map(|range| number(range).into()).collect())
}

/// The keys of such an entry that say how much of it there is, each with what says that there is nothing.
fn amounts(schema: &TableSchema) -> Vec<(&'static str, Value)> {
    let none = |kind: &ValueKind| match kind {
        ValueKind::Int(range) if range.contains(0.0) => Some(Value::Integer(0)),
        ValueKind::Float(range) if range.contains(0.0) => Some(Value::Float(0.0)),
        ValueKind::Vectors(_) => Some(Value::Array(Vec::new())),
        _ => None,
    };
    let amount = |key: &&'static str| match &schema.entry(key)?.content {
        Content::Value(value) => Some((*key, none(&value.kind)?)),
        _ => None,
    };
    AMOUNT_KEYS.iter().filter_map(amount).collect()
}

/// `name`, or with the first number from 2 on of which there is none yet.
fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> Option<String> {
    let numbered = (2..=crate::LIST_LIMIT).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name))
}
