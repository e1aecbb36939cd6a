//! One source against the schema: unknown keys, types, ranges, choices, names.

use std::collections::HashMap;

use located::{Entry, Node, Span, Table, Value, clip, join};
use suggest::nearest;

use crate::findings::Findings;
use crate::problem::ProblemKind;
use crate::schema::{self, Content, LIST_LIMIT, NumberRange, SCENE_ONLY, TableSchema, ValueKind, ValueSchema};
use crate::source::Sources;
use crate::suggest::nearest_elsewhere;

/// Checks a whole source and removes its faults, so that each is reported once.
pub(crate) fn check(root: &mut Table, schema: &'static TableSchema, sources: &Sources, findings: &mut Findings) {
    Check { sources, findings }.table(root, schema, "");
}

struct Check<'a> {
    sources: &'a Sources,
    findings: &'a mut Findings,
}

impl Check<'_> {
    /// Checks a table; `path` is the one for messages, with the names of entries in it.
    fn table(&mut self, table: &mut Table, schema: &'static TableSchema, path: &str) {
        table.0.retain_mut(|entry| {
            let Some(known) = schema.entry(&entry.name) else {
                self.unknown(entry, schema, path);
                return false;
            };
            let path = join(path, &entry.name);
            match &known.content {
                Content::Value(value) => self.value(&entry.node, value, &path),
                Content::Table(inner) => self.inner(&mut entry.node, inner, &path),
                Content::Map(inner) => self.map(&mut entry.node, inner, &path),
                Content::List(inner) => self.list(&mut entry.node, inner, &path),
            }
        });
    }

    fn inner(&mut self, node: &mut Node, schema: &'static TableSchema, path: &str) -> bool {
        let Some(table) = node.table_mut() else { return self.wrong_type(node, path, "a table") };
        self.table(table, schema, path);
        true
    }

    fn map(&mut self, node: &mut Node, schema: &'static TableSchema, path: &str) -> bool {
        let span = node.span.clone();
        let Some(table) = node.table_mut() else { return self.wrong_type(node, path, "a table of tables") };
        if !self.few(table.0.len(), &span, path) {
            return false;
        }
        table.0.retain_mut(|entry| self.inner(&mut entry.node, schema, &join(path, &entry.name)));
        true
    }

    fn list(&mut self, node: &mut Node, schema: &'static TableSchema, path: &str) -> bool {
        let expected = format!("a list of tables, each written as [[{path}]]");
        let Value::List(list) = &mut node.value else { return self.wrong_type(node, path, &expected) };
        if !self.few(list.len(), &node.span, path) {
            return false;
        }
        let named = schema.is_named();
        let mut seen: HashMap<String, Span> = HashMap::new();
        list.retain_mut(|node| {
            let span = node.span.clone();
            let Some(table) = node.table_mut() else { return self.wrong_type(node, path, "a table") };
            let name = table.get("name").map(|name| (name.span.clone(), name.text().map(str::to_owned)));
            let unnamed = format!("{path}[]");
            let full = match &name {
                Some((_, Some(name))) if named => join(path, name),
                _ => unnamed.clone(),
            };
            self.table(table, schema, &full);
            match name {
                _ if !named => true,
                None => {
                    self.findings.add(&span, format!("{unnamed}.name"), ProblemKind::Missing { suggestion: None });
                    false
                }
                // A name of the wrong type has been reported.
                Some((_, None)) => false,
                Some((span, Some(name))) => match seen.get(&name) {
                    Some(first) => {
                        self.findings.add_with(&span, || {
                            let first_line = self.sources.location(first).position.map(|(line, _)| line);
                            (full, ProblemKind::Duplicate { first_line })
                        });
                        false
                    }
                    None => {
                        let kept = table.get("name").is_some();
                        seen.insert(name, span);
                        kept
                    }
                },
            }
        });
        true
    }

    fn value(&mut self, node: &Node, schema: &'static ValueSchema, path: &str) -> bool {
        match (&schema.kind, &node.value) {
            (ValueKind::Bool, Value::Bool(_)) => true,
            (ValueKind::Text, Value::Text(text)) => self.text(node, text, path),
            (ValueKind::Choice(choices), Value::Text(text)) => self.choice(node, text, choices, path),
            (ValueKind::Texts, Value::List(list)) => self.each(node, list, path, |check, inner| match inner.text() {
                Some(text) => check.text(inner, text, path),
                None => check.wrong_type(inner, path, "a string"),
            }),
            (ValueKind::Choices(choices), Value::List(list)) => {
                self.each(node, list, path, |check, inner| match inner.text() {
                    Some(text) => check.choice(inner, text, choices, path),
                    None => check.wrong_type(inner, path, "a string"),
                })
            }
            (ValueKind::Float(range), Value::Int(_) | Value::Float(_)) => self.number(node, *range, schema, path),
            (ValueKind::Int(range), Value::Int(_)) => self.number(node, *range, schema, path),
            (ValueKind::Vector(ranges), Value::List(list)) => self.vector(node, list, ranges, schema, path),
            (ValueKind::Vectors(ranges), Value::List(list)) => {
                self.each(node, list, path, |check, inner| match inner.list() {
                    Some(numbers) => check.vector(inner, numbers, ranges, schema, path),
                    None => check.wrong_type(inner, path, &format!("a list of {} numbers", ranges.len())),
                })
            }
            _ => self.wrong_type(node, path, &schema.expected()),
        }
    }

    /// Whether a list of any length is fine, and each value in it.
    fn each(&mut self, node: &Node, list: &[Node], path: &str, fine: impl Fn(&mut Self, &Node) -> bool) -> bool {
        self.few(list.len(), &node.span, path) && list.iter().fold(true, |all, inner| fine(self, inner) & all)
    }

    fn text(&mut self, node: &Node, text: &str, path: &str) -> bool {
        let empty = text.trim().is_empty();
        if empty {
            self.findings.add(&node.span, path, ProblemKind::Empty);
        }
        !empty
    }

    fn choice(&mut self, node: &Node, text: &str, choices: &'static [String], path: &str) -> bool {
        let known = choices.iter().any(|choice| choice == text);
        if !known {
            self.findings.add_with(&node.span, || {
                let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
                let suggestion = nearest(text, choices.iter().copied());
                (path.to_owned(), ProblemKind::NotAChoice { found: clip(text), choices, suggestion })
            });
        }
        known
    }

    fn vector(&mut self, node: &Node, list: &[Node], ranges: &[NumberRange], schema: &ValueSchema, path: &str) -> bool {
        if list.len() != ranges.len() {
            let kind = ProblemKind::WrongLength { found: list.len(), expected: ranges.len() };
            self.findings.add(&node.span, path, kind);
            return false;
        }
        let each = list.iter().zip(ranges).map(|(number, range)| self.number(number, *range, schema, path));
        each.fold(true, |all, one| all & one)
    }

    fn number(&mut self, node: &Node, range: NumberRange, schema: &ValueSchema, path: &str) -> bool {
        let Some(number) = node.number() else { return self.wrong_type(node, path, "a number") };
        let inside = range.contains(number);
        if !inside {
            let allowed = format!("{range} {}", schema.unit).trim_end().to_owned();
            self.findings.add(&node.span, path, ProblemKind::OutOfRange { found: node.in_words(), allowed });
        }
        inside
    }

    fn few(&mut self, found: usize, span: &Span, path: &str) -> bool {
        if found > LIST_LIMIT {
            self.findings.add(span, path, ProblemKind::TooMany { found, limit: LIST_LIMIT });
        }
        found <= LIST_LIMIT
    }

    fn wrong_type(&mut self, node: &Node, path: &str, expected: &str) -> bool {
        let kind = ProblemKind::WrongType { expected: expected.into(), found: node.in_words() };
        self.findings.add(&node.span, path, kind);
        false
    }

    fn unknown(&mut self, entry: &Entry, schema: &'static TableSchema, path: &str) {
        if std::ptr::eq(schema, schema::card()) && SCENE_ONLY.contains(&entry.name.as_str()) {
            self.findings.add(&entry.span, join(path, &entry.name), ProblemKind::NotOfACard);
            return;
        }
        self.findings.add_with(&entry.span, || {
            let known: Vec<&str> = schema.0.iter().map(|entry| entry.name.as_str()).collect();
            let here = nearest(&entry.name, known.iter().copied()).map(|near| join(path, near));
            let suggestion = here.or_else(|| nearest_elsewhere(&entry.name).map(str::to_owned));
            let table = match &entry.node.value {
                Value::Table(_) => true,
                Value::List(list) => list.iter().any(|inner| inner.table().is_some()),
                _ => false,
            };
            (join(path, &entry.name), ProblemKind::Unknown { table, suggestion, known })
        });
    }
}
