//! The rows of the panel, derived from the schema of scene files.

use std::collections::BTreeSet;

use config::{
    Addition, Content, Edits, EntrySchema, TableSchema, ValueKind, ValueSchema, addition, can_remove, settings_schema,
    value_at,
};
use shell::messages::Messages;
use toml::{Table, Value};

/// Settings that people look for first, listed before all others.
const FIRST: [&str; 3] = ["render.quality", "render.scale", "post.exposure_ev"];
/// Path of the group that holds [`FIRST`] and the window's own settings; it is in no file.
pub const FIRST_GROUP: &str = "picture";

/// A line of the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Nesting depth in groups.
    pub depth: usize,
    /// Keys, names and indices that lead to it.
    pub path: Vec<String>,
    /// Name that is shown.
    pub title: String,
    /// Path in the schema, such as `species[].count`, by which its explanation is found.
    pub declared: &'static str,
    /// Whether it, or anything in it, is changed and not saved.
    pub is_edited: bool,
    /// Whether it is an entry of a list and can be taken out.
    pub can_remove: bool,
    /// Content of the row.
    pub content: RowContent,
}

/// Content of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum RowContent {
    /// Other rows, which are listed while it is open.
    Group {
        /// Whether the group is open.
        is_open: bool,
        /// Number of entries, if it is a list.
        entries: Option<usize>,
        /// Number of animals of an entry, which can be set in this row.
        count: Option<i64>,
        /// Kind of entry that can be added, if it is a list.
        addition: Option<Addition>,
    },
    /// A value.
    Setting(Setting),
}

/// A value and its schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Schema: type, range and unit.
    pub schema: ValueSchema,
    /// Value; `None` if it is optional and left out.
    pub value: Option<Value>,
    /// Value in the file.
    pub in_file: Option<Value>,
    /// Default, where no file sets a value.
    pub default: Option<Value>,
}

/// Data from which rows are made.
#[derive(Clone, Copy, Debug)]
pub struct Present<'a> {
    /// Every value, as [`config::values`] returns them.
    pub values: &'a Table,
    /// Every value of the scene without changes.
    pub in_file: &'a Table,
    /// The changes.
    pub edits: &'a Edits,
    /// The groups that are open, as paths joined by dots.
    pub open: &'a BTreeSet<String>,
    /// Search text in lower case. Unless it is empty, all groups are open.
    pub search: &'a str,
    /// Messages for names and explanations.
    pub messages: &'a Messages,
}

/// The name by which a row is known in a scene, such as `species.turtle.count`.
pub fn joined(path: &[String]) -> String {
    path.join(".")
}

/// All rows that are listed now.
pub fn rows(present: Present<'_>) -> Vec<Row> {
    let mut lister = Lister { present, rows: Vec::new(), path: Vec::new() };
    let is_open = present.open.contains(FIRST_GROUP);
    if present.search.is_empty() {
        lister.rows.push(Row {
            depth: 0,
            path: vec![FIRST_GROUP.into()],
            title: present.messages.get("group-picture"),
            declared: FIRST_GROUP,
            is_edited: false,
            can_remove: false,
            content: RowContent::Group { is_open, entries: None, count: None, addition: None },
        });
        if is_open {
            FIRST.iter().for_each(|path| lister.first(path));
        }
    }
    lister.table(settings_schema(), false);
    lister.rows
}

struct Lister<'a> {
    present: Present<'a>,
    rows: Vec<Row>,
    path: Vec<String>,
}

impl Lister<'_> {
    fn first(&mut self, path: &str) {
        let Some((table, name)) = path.split_once('.') else { return };
        let Some(Content::Table(inner)) = settings_schema().entry(table).map(|entry| &entry.content) else { return };
        if let Some(entry) = inner.entry(name)
            && let Content::Value(schema) = &entry.content
        {
            self.path = vec![table.into(), name.into()];
            self.setting(schema, entry, 1, true);
            self.path.clear();
        }
    }

    /// Lists the rows of a table; `is_found` says that an enclosing table matches the search.
    fn table(&mut self, schema: &'static TableSchema, is_found: bool) {
        for entry in &schema.0 {
            // A scene is chosen, not changed into another; and entries are identified by their names.
            let is_fixed = entry.path == "extends" || (entry.name == "name" && !self.path.is_empty());
            if is_fixed {
                continue;
            }
            self.path.push(entry.name.clone());
            let is_found = is_found || self.is_looked_for(&entry.name, &entry.path);
            match &entry.content {
                Content::Value(value) => match vectors(value) {
                    Some(each) => self.vectors(&each, entry, is_found),
                    None => self.setting(value, entry, self.path.len() - 1, is_found),
                },
                Content::Table(inner) => {
                    self.group(&entry.path, None, (None, None), |rows| rows.table(inner, is_found));
                }
                Content::List(inner) | Content::Map(inner) => self.entries(inner, &entry.path, is_found),
            }
            self.path.pop();
        }
    }

    /// Lists a group, and if it is open the rows that `inner` adds. During a search a group without rows is left out,
    /// unless it is a list that matches the search itself.
    fn group(
        &mut self,
        declared: &'static str,
        name: Option<&str>,
        (entries, count): (Option<usize>, Option<i64>),
        inner: impl FnOnce(&mut Self),
    ) {
        let is_searching = !self.present.search.is_empty();
        let is_open = is_searching || self.present.open.contains(&joined(&self.path));
        let at = self.rows.len();
        self.rows.push(Row {
            depth: self.path.len() - 1,
            path: self.path.clone(),
            title: name.map_or_else(|| self.title(declared), |name| self.present.messages.creature(name)),
            declared,
            is_edited: self.present.edits.iter().any(|edit| edit.path.starts_with(&self.path)),
            can_remove: name.is_some() && can_remove(&self.path, self.present.in_file),
            content: RowContent::Group {
                is_open,
                entries,
                count,
                addition: entries.and_then(|_| addition(&self.path, self.present.values)),
            },
        });
        if is_open {
            inner(self);
        }
        // A list that matches the search stays, so that it can be given its first entry.
        let name = self.path.last().map_or("", String::as_str);
        let is_found = || entries.is_some() && self.is_looked_for(name, declared);
        if is_searching && self.rows.len() == at + 1 && !is_found() {
            self.rows.truncate(at);
        }
    }

    /// Lists the entries of a list or a map of tables.
    fn entries(&mut self, schema: &'static TableSchema, declared: &'static str, is_found: bool) {
        let names: Vec<String> = match value_at(self.present.values, &self.path) {
            Some(Value::Table(map)) => map.keys().cloned().collect(),
            Some(Value::Array(list)) if schema.is_named() => {
                list.iter().filter_map(|entry| Some(entry.get("name")?.as_str()?.to_owned())).collect()
            }
            Some(Value::Array(list)) => (0..list.len()).map(|place| place.to_string()).collect(),
            _ => Vec::new(),
        };
        self.group(declared, None, (Some(names.len()), None), |rows| {
            for name in names {
                rows.path.push(name.clone());
                let is_found = is_found || rows.is_looked_for(&name, "");
                let values = value_at(rows.present.values, &rows.path);
                let count = values.and_then(|entry| entry.get("count")?.as_integer());
                rows.group(declared, Some(&name), (None, count), |rows| rows.table(schema, is_found));
                rows.path.pop();
            }
        });
    }

    /// Lists the vectors of a list of vectors.
    fn vectors(&mut self, each: &ValueSchema, entry: &'static EntrySchema, is_found: bool) {
        let count = value_at(self.present.values, &self.path).and_then(Value::as_array).map_or(0, Vec::len);
        self.group(&entry.path, None, (Some(count), None), |rows| {
            for place in 0..count {
                rows.path.push(place.to_string());
                rows.setting(each, entry, rows.path.len() - 1, is_found);
                rows.path.pop();
            }
        });
    }

    fn setting(&mut self, schema: &ValueSchema, entry: &'static EntrySchema, depth: usize, is_found: bool) {
        if !self.present.search.is_empty() && !is_found {
            return;
        }
        // Else it is one vector of a list.
        let is_whole = self.path.last() == Some(&entry.name);
        let (value, in_file) =
            (value_at(self.present.values, &self.path).cloned(), value_at(self.present.in_file, &self.path).cloned());
        self.rows.push(Row {
            depth,
            title: match (is_whole, self.path.last()) {
                (false, Some(place)) => place.clone(),
                _ => without_unit(self.title(&entry.path), schema),
            },
            declared: &entry.path,
            is_edited: value != in_file,
            can_remove: !is_whole,
            path: self.path.clone(),
            content: RowContent::Setting(Setting {
                schema: schema.clone(),
                value,
                in_file,
                default: entry.default.clone().filter(|_| is_whole),
            }),
        });
    }

    fn title(&self, declared: &str) -> String {
        self.present.messages.setting_name(declared).replace('_', " ")
    }

    fn is_looked_for(&self, name: &str, declared: &str) -> bool {
        let search = self.present.search;
        let words = || search.split_whitespace();
        let path = || joined(&self.path).to_lowercase().replace('_', " ");
        if words().next().is_none() {
            return false;
        }
        let in_words = || self.present.messages.setting_name(declared) + &self.present.messages.setting_help(declared);
        let said = [name.to_lowercase(), path(), in_words().to_lowercase()];
        words().all(|word| said.iter().any(|said| said.contains(word)))
    }
}

/// A key's words without the unit that stands beside the number.
fn without_unit(title: String, schema: &ValueSchema) -> String {
    const UNITS: [&str; 13] =
        [" m s", " bl s", " deg", " m", " km", " mm", " ms", " hz", " ev", " bl", " s", " h", " min"];
    let unit = UNITS.iter().find_map(|unit| title.strip_suffix(unit)).filter(|_| !schema.unit.is_empty());
    unit.map(str::to_owned).unwrap_or(title)
}

/// Schema of each value of a list of vectors.
fn vectors(schema: &ValueSchema) -> Option<ValueSchema> {
    match &schema.kind {
        ValueKind::Vectors(ranges) => {
            Some(ValueSchema { kind: ValueKind::Vector(ranges.clone()), unit: schema.unit.clone() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
