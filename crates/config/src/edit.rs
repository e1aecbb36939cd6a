//! Unsaved changes to a scene: laid over it like `--set`, and written into its file with everything else there left as
//! it is.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use located::{NotToml, Span, clip};
use serde::{Deserialize, Serialize};
use storage::{OutFile, StorageError};
use toml::{Table, Value};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Key, Table as TableInFile, TableLike};

use crate::dump::written;
use crate::problem::{Problem, ProblemKind};
use crate::schema::{Content, TableSchema, ValueKind, root, shortest};
use crate::settings::Config;
use crate::source::{SIZE_LIMIT, Source, Sources};

mod entries;

pub use entries::{Addition, addition, can_remove};

/// Byte-order mark that some editors write before a file's text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Reason why changes were not saved. The changes and the file are left as they were.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The file cannot be read or written.
    #[error("not saved: {0}")]
    Storage(#[from] StorageError),
    /// The file's content is no scene.
    #[error("not saved: {0}")]
    Problem(#[from] Box<Problem>),
}

/// A key with a value that differs from the one in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// Path of keys and names of list entries: `species`, `turtle`, `count`. A name without a key after it stands for
    /// the whole entry.
    pub path: Vec<String>,
    /// Present value.
    pub value: Value,
}

/// Changes, one per key, in the order in which they were first made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Edits(Vec<Edit>);

impl Edits {
    /// Sets the value at `path`. A value inside a list without names, addressed by its index, changes the list as a
    /// whole; `values` are the present ones.
    pub fn set(&mut self, path: &[String], value: Value, values: &Table) {
        let Some((path, value)) = whole(path, value, values) else { return };
        match self.0.iter_mut().find(|edit| edit.path == path) {
            Some(edit) => edit.value = value,
            None => self.0.push(Edit { path, value }),
        }
    }

    /// Reverts the value at `path`, and all below it, to those in the file.
    pub fn forget(&mut self, path: &[String]) {
        self.0.retain(|edit| !edit.path.starts_with(path));
    }

    /// The changes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Edit> {
        self.0.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Changes relative to a file into which `saved` have been written; `before` are the file's former values.
    pub fn after_saving(&self, saved: &Self, before: &Table) -> Self {
        let changed = |edit: &&Edit| !saved.0.contains(edit);
        let mut edits = Self(self.0.iter().filter(changed).cloned().collect());
        for edit in &saved.0 {
            if self.0.iter().any(|other| other.path == edit.path) {
                continue;
            }
            match value_at(before, &edit.path) {
                Some(value) => edits.0.push(Edit { path: edit.path.clone(), value: value.clone() }),
                // The entry was not in the file.
                None => edits.leave_out(&edit.path),
            }
        }
        edits
    }

    /// Each change as an argument of `--set`.
    pub fn arguments(&self) -> Vec<String> {
        self.0.iter().map(Edit::argument).collect()
    }

    /// All changes as arguments for a shell's command line.
    pub fn command_line(&self) -> String {
        let mut line = String::new();
        for argument in self.arguments() {
            let space = if line.is_empty() { "" } else { " " };
            // Writing into a string cannot fail.
            let _ = write!(line, "{space}--set '{}'", argument.replace('\'', "'\\''"));
        }
        line
    }

    /// Returns `text`, the content of a scene file called `label`, with the changes applied. Comments, order, line ends
    /// and everything else in it stay.
    ///
    /// # Errors
    /// If it is no TOML, or something else stands in the place of a change.
    pub fn written_into(&self, text: &str, label: &str) -> Result<String, Box<Problem>> {
        let mut sources = Sources::default();
        let source = sources.add(Source::new(label.into(), text.into(), None, 0));
        let refuse = |key, kind, span| Box::new(Problem { location: sources.location(&span), key, kind });
        located::parse(text, source).map_err(|not_toml| {
            let NotToml { span, key, fault } = *not_toml;
            let kind = ProblemKind::from(fault);
            refuse(key, kind, span)
        })?;
        let refused = |why: String| refuse(String::new(), ProblemKind::Refused(why), Span { source, bytes: 0..0 });
        let mut document: DocumentMut = text.parse().map_err(|error| refused(format!("{error}")))?;
        for edit in &self.0 {
            let keys: Vec<&str> = edit.path.iter().map(String::as_str).collect();
            let put = edit.in_file().and_then(|value| put(document.as_table_mut(), &keys, root(), value));
            put.ok_or_else(|| refused(format!("there is something else where {} belongs", clip(&keys.join(".")))))?;
        }
        let written = document.to_string();
        Ok(if text.contains("\r\n") { written.replace("\r\n", "\n").replace('\n', "\r\n") } else { written })
    }

    /// Writes the changes into the scene file at `path` as it is now, which may differ from the text that was read.
    ///
    /// # Errors
    /// If the file is gone, is no scene file, or cannot be written; it is then unchanged.
    pub fn save_into(&self, path: &Path) -> Result<(), SaveError> {
        let label = path.display().to_string();
        let text = storage::read(path, SIZE_LIMIT as u64)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
            .map_err(|why| StorageError { path: path.to_owned(), why })?;
        let (mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(text) => (BYTE_ORDER_MARK, text),
            None => ("", text.as_str()),
        };
        let written = self.written_into(text, &label)?;
        Ok(OutFile::check(path)?.write([mark, &written].concat().as_bytes())?)
    }

    /// Writes a new scene file that extends the scene `base` and holds the changes, at the first free one of `places`,
    /// all in one folder; returns its path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_as_new(&self, places: impl Iterator<Item = PathBuf>, base: &str) -> Result<PathBuf, SaveError> {
        Ok(OutFile::write_new(places, self.as_new_file(base).as_bytes())?)
    }

    /// Text of a new scene file that extends the scene `base` and holds the changes.
    fn as_new_file(&self, base: &str) -> String {
        let head = format!("extends = {}\n", Value::String(base.into()));
        self.written_into(&head, "").unwrap_or(head)
    }
}

impl Edit {
    /// The change as an argument of `--set`: `water.type="3C"`.
    fn argument(&self) -> String {
        let keys: Vec<String> = self.path.iter().map(|key| Key::new(key).display_repr().into_owned()).collect();
        format!("{}={}", keys.join("."), written(&self.value))
    }

    fn in_file(&self) -> Option<toml_edit::Value> {
        written(&self.value).parse().ok()
    }
}

/// Every value of `config` under its key, as in a file; numbers in the shortest form that reads back the same.
pub fn values(config: &Config) -> Table {
    match Value::try_from(config).map(shortest) {
        Ok(Value::Table(table)) => table,
        other => unreachable!("plain structs of numbers, strings and lists become a table: {other:?}"),
    }
}

/// The value at a path of keys, names of entries, and indices in lists without names.
pub fn value_at<'t>(values: &'t Table, path: &[String]) -> Option<&'t Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(values.get(first)?, |value, step| match value {
        Value::Table(table) => table.get(step),
        Value::Array(list) => list.get(place_in(list, step)?),
        _ => None,
    })
}

/// Mutable version of [`value_at`].
pub fn value_at_mut<'t>(values: &'t mut Table, path: &[String]) -> Option<&'t mut Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(values.get_mut(first)?, |value, step| match value {
        Value::Table(table) => table.get_mut(step),
        Value::Array(list) => {
            let place = place_in(list, step)?;
            list.get_mut(place)
        }
        _ => None,
    })
}

/// Index of the list entry called `step`, or of the entry without a name at the index `step`.
fn place_in(list: &[Value], step: &str) -> Option<usize> {
    let named = list.iter().position(|entry| name_of(entry) == Some(step));
    named.or_else(|| step.parse().ok().filter(|&place| list.get(place).is_some_and(|entry| name_of(entry).is_none())))
}

fn name_of(entry: &Value) -> Option<&str> {
    entry.get("name")?.as_str()
}

/// Path and value of an edit at `path`: if that leads into a list without names, those of the whole list.
fn whole(path: &[String], value: Value, values: &Table) -> Option<(Vec<String>, Value)> {
    let (mut schema, mut depth) = (root(), 0);
    let list_at = loop {
        match &schema.entry(path.get(depth)?)?.content {
            Content::Value(inner) if matches!(inner.kind, ValueKind::Vectors(_)) => break depth + 1,
            Content::Value(_) => return Some((path.to_vec(), value)),
            Content::List(inner) if !inner.is_named() => break depth + 1,
            Content::Table(inner) => (schema, depth) = (inner, depth + 1),
            Content::List(inner) | Content::Map(inner) => (schema, depth) = (inner, depth + 2),
        }
    };
    let (path, rest) = path.split_at(list_at);
    if rest.is_empty() {
        return Some((path.to_vec(), value));
    }
    let mut list = value_at(values, path)?.clone();
    let mut place = &mut list;
    for step in rest {
        place = match place {
            Value::Array(list) => list.get_mut(step.parse::<usize>().ok()?)?,
            Value::Table(table) => table.entry(step.clone()).or_insert(Value::Boolean(false)),
            _ => return None,
        };
    }
    *place = value;
    Some((path.to_vec(), list))
}

/// Puts `value` at the path `keys`; `None` if something else is in the way.
fn put(table: &mut dyn TableLike, keys: &[&str], schema: &TableSchema, value: toml_edit::Value) -> Option<()> {
    let (&first, rest) = keys.split_first()?;
    let content = schema.entry(first).map(|entry| &entry.content);
    let Some((&second, after)) = rest.split_first() else {
        match table.get_mut(first) {
            Some(Item::Value(old)) => replace(old, value),
            Some(Item::None) | None => drop(table.insert(first, Item::Value(value))),
            // `[[camera.rail]]`: the change is of the whole list.
            Some(Item::ArrayOfTables(_)) => drop(table.insert(first, Item::Value(value))),
            Some(Item::Table(_)) => return None,
        }
        return Some(());
    };
    match content {
        Some(Content::List(inner)) if inner.is_named() => {
            let none = || Item::ArrayOfTables(ArrayOfTables::new());
            let entry = entry_named(table.entry(first).or_insert_with(none), second)?;
            put_in_entry(entry, after, inner, value)
        }
        Some(Content::Map(inner)) => {
            let map = inner_table(table, first)?;
            put_in_entry(inner_table(map, second)?, after, inner, value)
        }
        Some(Content::Table(inner)) => put(inner_table(table, first)?, rest, inner, value),
        _ => None,
    }
}

/// Like [`put`]; without keys it puts every key of `value`, in the schema's order.
fn put_in_entry(entry: &mut dyn TableLike, keys: &[&str], schema: &TableSchema, value: toml_edit::Value) -> Option<()> {
    if !keys.is_empty() {
        return put(entry, keys, schema, value);
    }
    let mut said = value.as_inline_table()?.clone();
    for key in schema.0.iter().map(|entry| entry.name.as_str()) {
        if let Some(mut value) = said.remove(key) {
            value.decor_mut().clear();
            put(entry, &[key], schema, value)?;
        }
    }
    Some(())
}

/// The table under `key`, a new one if there is none.
fn inner_table<'t>(table: &'t mut dyn TableLike, key: &str) -> Option<&'t mut dyn TableLike> {
    if !table.contains_key(key) {
        let mut new = TableInFile::new();
        new.decor_mut().set_prefix("\n");
        // A table without keys of its own has no header line.
        new.set_implicit(true);
        table.insert(key, Item::Table(new));
    }
    table.get_mut(key)?.as_table_like_mut()
}

/// The entry called `name` of a list of tables, a new one if it is only in the scene that this one extends.
fn entry_named<'l>(list: &'l mut Item, name: &str) -> Option<&'l mut dyn TableLike> {
    let is_it = |table: &dyn TableLike| table.get("name").and_then(Item::as_str) == Some(name);
    match list {
        Item::ArrayOfTables(list) => {
            let found = list.iter().position(|table| is_it(table));
            let at = found.unwrap_or_else(|| {
                let mut new = TableInFile::new();
                new.decor_mut().set_prefix("\n");
                new.insert("name", toml_edit::value(name));
                list.push(new);
                list.len() - 1
            });
            list.get_mut(at).map(|table| table as &mut dyn TableLike)
        }
        Item::Value(toml_edit::Value::Array(list)) => {
            let found = list.iter().position(|value| value.as_inline_table().is_some_and(|table| is_it(table)));
            let at = found.unwrap_or_else(|| {
                list.push(InlineTable::from_iter([("name", name)]));
                list.len() - 1
            });
            list.get_mut(at)?.as_inline_table_mut().map(|table| table as &mut dyn TableLike)
        }
        _ => None,
    }
}

/// Replaces `old` by `new`, keeping the comments and blanks around and inside it.
fn replace(old: &mut toml_edit::Value, new: toml_edit::Value) {
    match (old, new) {
        (toml_edit::Value::Array(old), toml_edit::Value::Array(new)) => replace_list(old, new),
        (toml_edit::Value::InlineTable(old), toml_edit::Value::InlineTable(new))
            if old.len() == new.len() && new.iter().all(|(key, _)| old.contains_key(key)) =>
        {
            for (key, value) in new {
                if let Some(old) = old.get_mut(&key) {
                    replace(old, value);
                }
            }
        }
        (old, mut new) => {
            // An equal number keeps its spelling.
            if old.as_float().or(old.as_integer().map(|n| n as f64)).is_none_or(|was| new.as_float() != Some(was)) {
                *new.decor_mut() = old.decor().clone();
                *old = new;
            }
        }
    }
}

fn replace_list(old: &mut Array, new: Array) {
    let first = old.iter().next().map(|value| value.decor().clone());
    let kept = old.len().min(new.len());
    while old.len() > kept {
        old.remove(old.len() - 1);
    }
    for (place, value) in new.into_iter().enumerate() {
        match old.get_mut(place) {
            Some(old) => replace(old, value),
            None => {
                let mut value = value;
                if let Some(decor) = &first {
                    *value.decor_mut() = decor.clone();
                }
                old.push_formatted(value);
            }
        }
    }
}

#[cfg(test)]
mod tests;
