//! The tree: tables, lists and values, each with its place.

use std::ops::Range;

use crate::text::clip;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Number of the text, among those that a tree was merged from.
    pub source: usize,
    /// Range in that text.
    pub bytes: Range<usize>,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its place.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Another number.
    Float(f64),
    /// A string.
    Text(String),
    /// A date or a time, which no key takes.
    Date,
    /// A list of values or of tables.
    List(Vec<Node>),
    /// A table.
    Table(Table),
}

/// Keys in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Table(pub Vec<Entry>);

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub name: String,
    /// Place of the key.
    pub span: Span,
    /// The value.
    pub node: Node,
}

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into a table.
    Key(String),
    /// Into a list.
    Index(usize),
}

/// Formats a path for messages: `fin[2].rays`.
pub fn key_of(path: &[Step]) -> String {
    path.iter().fold(String::new(), |text, step| match step {
        Step::Key(name) => join(&text, name),
        Step::Index(index) => format!("{text}[{index}]"),
    })
}

/// Parses a key such as `fin[2].rays` into a path.
pub fn steps(key: &str) -> Vec<Step> {
    let steps = key.split(['.', '[']).map(|step| step.trim_end_matches(']')).filter(|step| !step.is_empty());
    steps.map(|step| step.parse().map_or_else(|_| Step::Key(step.to_owned()), Step::Index)).collect()
}

/// The path of a name in the table at `path`, for messages.
pub fn join(path: &str, name: &str) -> String {
    let name = clip(name);
    if path.is_empty() { name } else { format!("{path}.{name}") }
}

impl Table {
    /// The value of a key.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.0.iter().find(|entry| entry.name == name).map(|entry| &entry.node)
    }

    /// The value of a key, mutable.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.0.iter_mut().find(|entry| entry.name == name).map(|entry| &mut entry.node)
    }

    /// A table with one entry whose key and value stand in the same place.
    pub fn single(name: &str, node: Node) -> Self {
        Self(vec![Entry { name: name.to_owned(), span: node.span.clone(), node }])
    }

    /// Removes a key and returns its value.
    pub fn take(&mut self, name: &str) -> Option<Node> {
        let at = self.0.iter().position(|entry| entry.name == name)?;
        Some(self.0.remove(at).node)
    }

    /// The value at a dotted path of tables.
    pub fn at(&self, path: &str) -> Option<&Node> {
        match path.split_once('.') {
            None => self.get(path),
            Some((first, rest)) => self.get(first)?.table()?.at(rest),
        }
    }

    /// The entry of a key.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.name == name)
    }

    /// The place of the value at a path, or else of the innermost table or list above it; `None` for this table.
    pub fn place_of(&self, path: &[Step]) -> Option<&Span> {
        let (Step::Key(name), rest) = path.split_first()? else { return None };
        Some(self.get(name)?.place_of(rest))
    }

    /// The place of the last key of a path, or else of the innermost table or list on the way to it.
    pub fn place_of_key(&self, path: &[Step]) -> Option<&Span> {
        let (Step::Key(name), way) = path.split_last()? else { return None };
        let table = match way {
            [] => Some(self),
            [Step::Key(first), rest @ ..] => rest.iter().try_fold(self.get(first)?, Node::child).and_then(Node::table),
            [Step::Index(_), ..] => None,
        };
        table.and_then(|table| table.entry(name)).map(|entry| &entry.span).or_else(|| self.place_of(way))
    }

    /// Calls `visit` with path and place of every key and value: a key before its value, a table before its content.
    pub fn visit(&self, path: &mut Vec<Step>, visit: &mut dyn FnMut(&[Step], &Span)) {
        for Entry { name, span, node } in &self.0 {
            path.push(Step::Key(name.clone()));
            visit(path, span);
            node.visit(path, visit);
            path.pop();
        }
    }
}

impl Node {
    fn child(&self, step: &Step) -> Option<&Self> {
        match (step, &self.value) {
            (Step::Key(name), Value::Table(table)) => table.get(name),
            (Step::Index(index), Value::List(list)) => list.get(*index),
            _ => None,
        }
    }

    fn place_of(&self, path: &[Step]) -> &Span {
        let Some((step, rest)) = path.split_first() else { return &self.span };
        self.child(step).map_or(&self.span, |child| child.place_of(rest))
    }

    fn visit(&self, path: &mut Vec<Step>, visit: &mut dyn FnMut(&[Step], &Span)) {
        visit(path, &self.span);
        match &self.value {
            Value::Table(table) => table.visit(path, visit),
            Value::List(list) => {
                for (index, node) in list.iter().enumerate() {
                    path.push(Step::Index(index));
                    node.visit(path, visit);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    /// Itself, if it is a table.
    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Itself, mutable, if it is a table.
    pub fn table_mut(&mut self) -> Option<&mut Table> {
        match &mut self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Its entries, if it is a list.
    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// Its entries, mutable, if it is a list.
    pub fn list_mut(&mut self) -> Option<&mut Vec<Self>> {
        match &mut self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// Its `name`, for an entry of a list of named tables.
    pub fn name(&self) -> Option<&str> {
        self.table()?.get("name")?.text()
    }

    /// Itself, if it is a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Itself, if it is a number.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            #[expect(clippy::cast_precision_loss, reason = "numbers beyond 2^53 are out of every range anyway")]
            Value::Int(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            _ => None,
        }
    }

    /// The value under a key, under the name of a list's entry, or at a place in a list without names.
    fn step(&self, step: &str) -> Option<&Self> {
        match &self.value {
            Value::Table(table) => table.get(step),
            Value::List(list) => {
                let by_name = list.iter().find(|node| node.name() == Some(step));
                by_name.or_else(|| list.get(step.parse::<usize>().ok()?).filter(|node| node.name().is_none()))
            }
            _ => None,
        }
    }

    /// The value at a path of such steps.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, step| node.step(step))
    }

    /// Formats a path of such steps for messages: `camera.rail[].target_m`.
    pub fn key_of(&self, path: &[String]) -> String {
        let (mut key, mut node) = (String::new(), Some(self));
        for step in path {
            let is_list = node.is_some_and(|node| node.list().is_some());
            node = node.and_then(|node| node.step(step));
            key = match node {
                Some(entry) if is_list && entry.name().is_none() => key + "[]",
                _ => join(&key, step),
            };
        }
        key
    }

    /// Place of the value at a path of such steps, or else of the innermost value on the way to it.
    pub fn innermost(&self, path: &[&str]) -> &Span {
        let Some((step, rest)) = path.split_first() else { return &self.span };
        self.step(step).map_or(&self.span, |next| next.innermost(rest))
    }

    /// Its kind and value for messages, such as `the string "4"`.
    pub fn in_words(&self) -> String {
        match &self.value {
            Value::Bool(value) => format!("{value}"),
            Value::Int(value) => format!("{value}"),
            Value::Float(value) => format!("{value:?}"),
            Value::Text(text) if text.chars().count() <= 40 => format!("the string \"{}\"", text.escape_debug()),
            Value::Text(_) => "a string".into(),
            Value::Date => "a date".into(),
            Value::List(list) => format!("a list of {}", list.len()),
            Value::Table(_) => "a table".into(),
        }
    }

    /// Converts it for serde.
    pub fn to_toml(&self) -> toml::Value {
        match &self.value {
            Value::Bool(value) => toml::Value::Boolean(*value),
            Value::Int(value) => toml::Value::Integer(*value),
            Value::Float(value) => toml::Value::Float(*value),
            Value::Text(text) => toml::Value::String(text.clone()),
            // The check lets no date through.
            Value::Date => toml::Value::String(String::new()),
            Value::List(list) => toml::Value::Array(list.iter().map(Self::to_toml).collect()),
            Value::Table(table) => {
                toml::Value::Table(table.0.iter().map(|entry| (entry.name.clone(), entry.node.to_toml())).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lines, parse};

    const TEXT: &str = "[eye]\nx = 0.2\n[[fin]]\nname = \"a\"\nrays = [[0.0, 1.0],\n  [0.5, 2.0]]\n";

    fn place(span: Option<&Span>) -> Option<(usize, usize)> {
        let place = span.map(|span| Lines::of(TEXT).place(TEXT, span.bytes.start))?;
        Some((place.line, place.column))
    }

    #[test]
    fn a_value_a_key_and_what_encloses_one_that_is_missing_are_found() {
        let tree = parse(TEXT, 0).expect("TOML");
        let value = |key: &str| place(tree.place_of(&steps(key)));
        assert_eq!((value("fin[0].rays[1]"), value("fin[0].rays[7]")), (Some((6, 3)), Some((5, 8))));
        assert_eq!((value("fin[0].base"), value("eye.radius")), (Some((3, 1)), Some((1, 1))));
        assert_eq!(value("mouth"), None);
        let key = |key: &str| place(tree.place_of_key(&steps(key)));
        assert_eq!((key("fin[0].rays"), key("eye.x"), key("eye.radius")), (Some((5, 1)), Some((2, 1)), Some((1, 1))));
    }

    #[test]
    fn a_path_is_the_key_that_it_was_read_from() {
        for key in ["name", "eye.x", "fin[2].rays[1]"] {
            assert_eq!(key_of(&steps(key)), key);
        }
    }

    #[test]
    fn every_key_and_value_is_visited() {
        let mut seen = Vec::new();
        parse(TEXT, 0).expect("TOML").visit(&mut Vec::new(), &mut |path, span| {
            seen.push((key_of(path), TEXT[span.bytes.clone()].to_owned()));
        });
        let has = |key: &str, text: &str| seen.iter().any(|(path, piece)| path == key && piece.starts_with(text));
        assert!(has("eye.x", "x") && has("eye.x", "0.2"), "{seen:?}");
        assert!(has("fin[0].rays[1]", "[0.5") && has("fin[0].rays[1][0]", "0.5"), "{seen:?}");
    }
}
