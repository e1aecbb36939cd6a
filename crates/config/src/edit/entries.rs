//! Adding and removing entries of a scene's lists.
//!
//! An entry can state that there is none of it (`count = 0`), so a scene can leave out an entry of the scene that it
//! extends, and every change here can be given as `--set`.

use model::files::BUILTIN;
use toml::{Table, Value};

use crate::edit::{Edit, Edits, value_at};
use crate::schema::{Content, MODEL_KEY, NumberRange, TableSchema, ValueKind, root};

/// `count` of a new entry with a model: enough of them to be found in the scene.
const NEW_COUNT: i64 = 5;
/// Position keys, which a new entry copies from the entry before it.
const PLACE_KEYS: [&str; 2] = ["home_m", "depth_m"];
/// Keys by which an entry states that there is none of it.
const AMOUNT_KEYS: [&str; 4] = ["count", "at", "hung", "intensity"];

/// Kind of entry that can be added to a list of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addition {
    /// An entry with a model that is to be chosen.
    Model,
    /// A copy of the last entry, or one of defaults.
    Next,
}

impl Edits {
    /// Adds an entry to the list at `path`, with the built-in `model` if its entries have models; returns its path.
    /// `values` are the present values, `in_file` those without changes.
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

    /// Removes the entry at `path` from its list; returns whether that is possible.
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

    /// Makes the entry at `path` state that there is none of it.
    pub(super) fn leave_out(&mut self, path: &[String]) {
        let amounts = path.split_last().and_then(|(_, list)| named(content_at(list)?)).map(amounts);
        for (key, value) in amounts.unwrap_or_default() {
            self.0.push(Edit { path: child(path, key), value });
        }
    }
}

/// Kind of entry that can be added to the list at `path` now, if any.
pub fn addition(path: &[String], values: &Table) -> Option<Addition> {
    let content = content_at(path)?;
    match named(content) {
        Some(inner) if inner.entry(MODEL_KEY).is_some() => Some(Addition::Model),
        _ => new_entry(content, last_of(values, path), None).map(|_| Addition::Next),
    }
}

/// Whether the entry at `path` can be removed: it is in no file yet, can state that there is none, or has no name.
pub fn can_remove(path: &[String], in_file: &Table) -> bool {
    let list = path.split_last().and_then(|(_, list)| content_at(list));
    list.is_some_and(|content| match named(content) {
        Some(inner) => value_at(in_file, path).is_none() || !amounts(inner).is_empty(),
        None => true,
    })
}

/// Schema at a path of keys and names of entries.
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

/// Schema of the entries, if they are known by name.
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

/// Last entry of the list or map at `path`, without its name.
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

/// Value of a new entry, with `last` as the entry before it.
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

/// First vector of a list: no offset and no turn, and a factor of one.
fn first_vector(ranges: &[NumberRange]) -> Value {
    let number = |range: &NumberRange| if range.contains(0.0) { 0.0 } else { 1.0_f64.clamp(range.min, range.max) };
    Value::Array(ranges.iter().map(|range| number(range).into()).collect())
}

/// Amount keys of such an entry, each with the value that states that there is none.
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

/// `name`, with the first free number from 2 on if it is taken.
fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> Option<String> {
    let numbered = (2..=crate::LIST_LIMIT).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name))
}
