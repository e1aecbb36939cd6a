//! One source against the schema: unknown keys, types, ranges, choices, names.

use std::collections::HashMap;

use crate::config::problem::{Problem, What};
use crate::config::schema::{Key, Kind, LIST_LIMIT, Range, Shape, join, key_at, names_in, shape};
use crate::config::source::{Mark, Sources};
use crate::config::suggest::{nearest, nearest_elsewhere};
use crate::config::tree::{Entry, Node, Table, Value};

/// What was found so far, with places in the sources.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<(Mark, String, What)>);

impl Findings {
    pub fn add(&mut self, mark: &Mark, key: impl Into<String>, what: What) {
        self.0.push((mark.clone(), key.into(), what));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In the order of the text, the file before its base, arguments last.
    pub fn into_problems(mut self, sources: &Sources) -> Vec<Problem> {
        self.0.sort_by_key(|(mark, ..)| sources.order(mark));
        self.0.into_iter().map(|(mark, key, what)| Problem { place: sources.place(&mark), key, what }).collect()
    }
}

/// Checks the whole of a source and takes out what is wrong, so that it is reported once.
pub(crate) fn check(root: &mut Table, sources: &Sources, findings: &mut Findings) {
    Check { sources, findings }.table(root, "", "");
}

struct Check<'a> {
    sources: &'a Sources,
    findings: &'a mut Findings,
}

impl Check<'_> {
    /// `table_path` is the schema's, `table_shown` the one with names in it.
    fn table(&mut self, table: &mut Table, table_path: &str, table_shown: &str) {
        table.0.retain_mut(|entry| {
            let (path, shown) = (join(table_path, &entry.name), join(table_shown, &entry.name));
            // A quoted key such as "water.type" is no path.
            let plain = !entry.name.contains(['.', '[', '*']);
            match shape(&path).filter(|_| plain) {
                None => {
                    self.unknown(entry, table_path, table_shown);
                    false
                }
                Some(Shape::Value(key)) => self.value(&entry.node, key, &shown),
                Some(Shape::Table) => self.inner(&mut entry.node, &path, &shown),
                Some(Shape::Map) => self.map(&mut entry.node, &path, &shown),
                Some(Shape::List) => self.list(&mut entry.node, &path, &shown),
            }
        });
    }

    fn inner(&mut self, node: &mut Node, path: &str, shown: &str) -> bool {
        let Some(table) = node.table_mut() else { return self.wrong_type(node, shown, "a table") };
        self.table(table, path, shown);
        true
    }

    fn map(&mut self, node: &mut Node, path: &str, shown: &str) -> bool {
        let mark = node.mark.clone();
        let Some(table) = node.table_mut() else { return self.wrong_type(node, shown, "a table of tables") };
        if !self.few(table.0.len(), &mark, shown) {
            return false;
        }
        let path = format!("{path}.*");
        table.0.retain_mut(|entry| self.inner(&mut entry.node, &path, &join(shown, &entry.name)));
        true
    }

    fn list(&mut self, node: &mut Node, path: &str, shown: &str) -> bool {
        let expected = format!("a list of tables, each written as [[{path}]]");
        let Value::List(list) = &mut node.value else { return self.wrong_type(node, shown, &expected) };
        if !self.few(list.len(), &node.mark, shown) {
            return false;
        }
        let (path, named) = (format!("{path}[]"), is_named(path));
        let mut seen: HashMap<String, Mark> = HashMap::new();
        list.retain_mut(|node| {
            let mark = node.mark.clone();
            let Some(table) = node.table_mut() else { return self.wrong_type(node, shown, "a table") };
            let name = table.get("name").map(|name| (name.mark.clone(), name.text().map(str::to_owned)));
            let unnamed = format!("{shown}[]");
            let full = match &name {
                Some((_, Some(name))) if named => join(shown, name),
                _ => unnamed.clone(),
            };
            self.table(table, &path, &full);
            match name {
                _ if !named => true,
                None => {
                    self.findings.add(&mark, format!("{unnamed}.name"), What::Missing);
                    false
                }
                // Of the wrong type, which has been said.
                Some((_, None)) => false,
                Some((mark, Some(name))) => match seen.get(&name) {
                    Some(first) => {
                        let first_line = self.sources.place(first).position.map(|(line, _)| line);
                        self.findings.add(&mark, full, What::Duplicate { first_line });
                        false
                    }
                    None => {
                        let kept = table.get("name").is_some();
                        seen.insert(name, mark);
                        kept
                    }
                },
            }
        });
        true
    }

    fn value(&mut self, node: &Node, key: &Key, shown: &str) -> bool {
        match (key.kind, &node.value) {
            (Kind::Bool, Value::Bool(_)) => true,
            (Kind::Text, Value::Text(text)) if text.trim().is_empty() => {
                self.findings.add(&node.mark, shown, What::Empty);
                false
            }
            (Kind::Text, Value::Text(_)) => true,
            (Kind::Choice(choices), Value::Text(text)) => {
                let known = choices.contains(&text.as_str());
                if !known {
                    let suggestion = nearest(text, choices.iter().copied());
                    let what = What::NotAChoice { found: text.clone(), choices: choices.to_vec(), suggestion };
                    self.findings.add(&node.mark, shown, what);
                }
                known
            }
            (Kind::Float(range), Value::Int(_) | Value::Float(_)) => self.number(node, range, key.unit, shown),
            (Kind::Int(range), Value::Int(_)) => self.number(node, range, key.unit, shown),
            (Kind::Vector(ranges), Value::List(list)) => self.vector(node, list, ranges, key, shown),
            (Kind::Vectors(ranges), Value::List(list)) => {
                if !self.few(list.len(), &node.mark, shown) {
                    return false;
                }
                let each = list.iter().map(|inner| match inner.list() {
                    Some(numbers) => self.vector(inner, numbers, ranges, key, shown),
                    None => self.wrong_type(inner, shown, &format!("a list of {} numbers", ranges.len())),
                });
                each.fold(true, |all, one| all & one)
            }
            _ => self.wrong_type(node, shown, &key.expected()),
        }
    }

    fn vector(&mut self, node: &Node, list: &[Node], ranges: &[Range], key: &Key, shown: &str) -> bool {
        if list.len() != ranges.len() {
            let what = What::WrongLength { found: list.len(), expected: ranges.len() };
            self.findings.add(&node.mark, shown, what);
            return false;
        }
        let each = list.iter().zip(ranges).map(|(number, range)| self.number(number, *range, key.unit, shown));
        each.fold(true, |all, one| all & one)
    }

    fn number(&mut self, node: &Node, range: Range, unit: &str, shown: &str) -> bool {
        let Some(number) = node.number() else { return self.wrong_type(node, shown, "a number") };
        let inside = range.contains(number);
        if !inside {
            let allowed = if unit.is_empty() { range.to_string() } else { format!("{range} {unit}") };
            self.findings.add(&node.mark, shown, What::OutOfRange { found: node.in_words(), allowed });
        }
        inside
    }

    fn few(&mut self, found: usize, mark: &Mark, shown: &str) -> bool {
        if found > LIST_LIMIT {
            self.findings.add(mark, shown, What::TooMany { found, limit: LIST_LIMIT });
        }
        found <= LIST_LIMIT
    }

    fn wrong_type(&mut self, node: &Node, shown: &str, expected: &str) -> bool {
        let what = What::WrongType { expected: expected.into(), found: node.in_words() };
        self.findings.add(&node.mark, shown, what);
        false
    }

    fn unknown(&mut self, entry: &Entry, table_path: &str, table_shown: &str) {
        let (name, known) = (&entry.name, names_in(table_path));
        let here = nearest(name, known.iter().copied()).map(|near| join(table_shown, near));
        let suggestion = here.or_else(|| nearest_elsewhere(name).map(str::to_owned));
        let table = match &entry.node.value {
            Value::Table(_) => true,
            Value::List(list) => list.iter().any(|inner| inner.table().is_some()),
            _ => false,
        };
        self.findings.add(&entry.mark, join(table_shown, name), What::Unknown { table, suggestion, known });
    }
}

/// Whether the entries of the list at `path` are known by name.
pub(crate) fn is_named(path: &str) -> bool {
    key_at(&format!("{path}[].name")).is_some()
}
