//! TOML as a tree in which every key and value knows where it was written, also after merging.

use std::ops::Range;

use toml_edit::{Document, Item, Key as TomlKey, TableLike, Value as TomlValue};

use crate::problem::{ProblemKind, clip};
use crate::schema::join;
use crate::source::Span;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub span: Span,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// Dates and times, which no key takes.
    Date,
    List(Vec<Node>),
    Table(Table),
}

/// Keys in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table(pub Vec<Entry>);

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub name: String,
    /// Where the key stands.
    pub span: Span,
    pub node: Node,
}

impl Table {
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.0.iter().find(|entry| entry.name == name).map(|entry| &entry.node)
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.0.iter_mut().find(|entry| entry.name == name).map(|entry| &mut entry.node)
    }

    /// A table with one entry whose key and value stand in the same place.
    pub fn single(name: &str, node: Node) -> Self {
        Self(vec![Entry { name: name.to_owned(), span: node.span.clone(), node }])
    }

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
}

impl Node {
    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    pub fn table_mut(&mut self) -> Option<&mut Table> {
        match &mut self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

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

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

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

    /// A path of such steps as messages have it: `camera.rail[].target_m`.
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

    /// Where the value at a path of such steps stands, or else what encloses it.
    pub fn innermost(&self, path: &[&str]) -> &Span {
        let Some((step, rest)) = path.split_first() else { return &self.span };
        self.step(step).map_or(&self.span, |next| next.innermost(rest))
    }

    /// What it is, for messages: `a string "4"`.
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

    /// For serde.
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

/// A file with more of the marks that begin keys, values and tables (`=`, `,`, `.`, `[` and `{`) is refused: what each
/// begins takes up to 1.5 KiB while the file is read, however short it is.
pub const MARKS_LIMIT: usize = 100_000;

/// Why a text is no tree.
#[derive(Debug)]
pub(crate) struct NotToml {
    /// Where.
    pub span: Span,
    /// The key it is about; empty for the text as a whole.
    pub key: String,
    /// What.
    pub kind: ProblemKind,
}

/// Parses the text of source number `source`.
pub(crate) fn parse(text: &str, source: usize) -> Result<Table, Box<NotToml>> {
    let refuse = |bytes, key, kind| Box::new(NotToml { span: Span { source, bytes }, key, kind });
    if text.bytes().filter(|byte| b"=,.[{".contains(byte)).count() > MARKS_LIMIT {
        return Err(refuse(0..0, String::new(), ProblemKind::TooManyMarks { limit: MARKS_LIMIT }));
    }
    let document = Document::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(text.len()..text.len());
        if error.message() == "duplicate key"
            && let Some((key, first)) = first_of(text, &span)
        {
            let first_line = Some(1 + text[..first].matches('\n').count());
            return refuse(span, clip(&key), ProblemKind::Duplicate { first_line });
        }
        let (message, bytes) = match bare_word(text, &span) {
            Some((word, span)) => (format!("a string needs quotes: \"{}\"", clip(word)), span),
            None => (clip(&error.message().trim().replace('\n', "; ")), span),
        };
        refuse(bytes, String::new(), ProblemKind::Syntax(message))
    })?;
    Ok(table(document.as_table(), &Span { source, bytes: 0..0 }))
}

/// The whole path of the name that stands a second time at `second`, and where it stands first.
///
/// The parser forgets that place. But the text up to the second is sound if another name takes its place, and has the
/// first beside it.
fn first_of(text: &str, second: &Range<usize>) -> Option<(String, usize)> {
    const ANOTHER: &str = "in-place-of-the-second";
    let name = TomlKey::parse(text.get(second.clone())?).ok()?.last()?.get().to_owned();
    let before = &text[..second.start];
    ["]", "]]", " = 0", " = 0 }", " = 0 }}"].into_iter().find_map(|end| {
        let document = Document::parse(format!("{before}{ANOTHER}{end}")).ok()?;
        beside(&table(document.as_table(), &Span { source: 0, bytes: 0..0 }), &name, ANOTHER)
    })
}

/// The path of `name` in the table that `another` is in, and where it stands there.
fn beside(table: &Table, name: &str, another: &str) -> Option<(String, usize)> {
    let found = table.0.iter().find(|entry| entry.name == name);
    if let Some(found) = found.filter(|_| table.get(another).is_some()) {
        return Some((name.to_owned(), found.span.bytes.start));
    }
    table.0.iter().find_map(|Entry { name: outer, node, .. }| {
        let inner = match &node.value {
            Value::Table(inner) => beside(inner, name, another),
            Value::List(list) => list.iter().find_map(|entry| beside(entry.table()?, name, another)),
            _ => None,
        };
        inner.map(|(path, at)| (join(outer, &path), at))
    })
}

/// The value at `span` if it is but a string without its quotes, the most common slip.
fn bare_word<'t>(text: &'t str, span: &Range<usize>) -> Option<(&'t str, Range<usize>)> {
    let line_start = text.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next()?;
    let after = line.find('=')? + 1;
    let word = line[after..].split('#').next()?.trim();
    let start = line_start + after + line[after..].find(word)?;
    let plain = |c: char| c.is_alphanumeric() || "_+-./:".contains(c);
    let letters = word.contains(char::is_alphabetic) && word.chars().all(plain);
    (letters && (start..=start + word.len()).contains(&span.start)).then_some((word, start..start + word.len()))
}

fn table(table: &dyn TableLike, at: &Span) -> Table {
    let entries = table.iter().filter_map(|(name, item)| {
        let key = table.key(name).and_then(toml_edit::Key::span);
        let span = Span { source: at.source, bytes: key.unwrap_or_else(|| at.bytes.clone()) };
        let node = self::item(item, &span)?;
        Some(Entry { name: name.to_owned(), span, node })
    });
    Table(entries.collect())
}

fn item(item: &Item, key: &Span) -> Option<Node> {
    let span = |span: Option<Range<usize>>| match span {
        Some(span) => Span { source: key.source, bytes: span },
        None => key.clone(),
    };
    Some(match item {
        Item::None => return None,
        Item::Value(value) => self::value(value, key),
        Item::Table(inner) => {
            let span = span(inner.span());
            Node { value: Value::Table(table(inner, &span)), span }
        }
        Item::ArrayOfTables(list) => {
            let entries = list.iter().map(|inner| {
                let span = span(inner.span());
                Node { value: Value::Table(table(inner, &span)), span }
            });
            Node { value: Value::List(entries.collect()), span: key.clone() }
        }
    })
}

fn value(value: &TomlValue, key: &Span) -> Node {
    let span = value.span().map_or_else(|| key.clone(), |span| Span { source: key.source, bytes: span });
    let value = match value {
        TomlValue::String(text) => Value::Text(text.value().clone()),
        TomlValue::Integer(number) => Value::Int(*number.value()),
        TomlValue::Float(number) => Value::Float(*number.value()),
        TomlValue::Boolean(yes) => Value::Bool(*yes.value()),
        TomlValue::Datetime(_) => Value::Date,
        TomlValue::Array(list) => Value::List(list.iter().map(|inner| self::value(inner, &span)).collect()),
        TomlValue::InlineTable(inner) => Value::Table(table(inner, &span)),
    };
    Node { span, value }
}
