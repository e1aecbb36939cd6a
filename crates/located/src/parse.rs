//! Parsing: from a text to a tree, or to the fault that prevents it.

use std::fmt;
use std::ops::Range;

use toml_edit::{Document, Item, Key as TomlKey, TableLike, Value as TomlValue};

use crate::text::clip;
use crate::tree::{Entry, Node, Span, Table, Value, join};

/// Maximum number of the marks that begin keys, values and tables (`=`, `,`, `.`, `[` and `{`) in a file: each key,
/// value or table takes up to 1.5 KiB while the file is read, however short it is.
pub const MARKS_LIMIT: usize = 100_000;

/// Reason why a text is no tree.
#[derive(Debug)]
pub struct NotToml {
    /// Its place.
    pub span: Span,
    /// The key it is about; empty for the text as a whole.
    pub key: String,
    /// The fault.
    pub fault: Fault,
}

/// A fault of a text that is to be a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not TOML.
    Syntax(String),
    /// A name stands for two keys or tables.
    Duplicate {
        /// Line of the first.
        first_line: usize,
    },
    /// It holds too much.
    TooManyMarks {
        /// Marks allowed.
        limit: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(message) => write!(f, "not TOML: {message}"),
            Self::Duplicate { first_line } => write!(f, "is there already, in line {first_line}"),
            Self::TooManyMarks { limit } => write!(f, "holds too much: more than {limit} of the marks = , . [ {{"),
        }
    }
}

/// Parses the text of source number `source`.
///
/// # Errors
/// If it is no TOML, or has more than [`MARKS_LIMIT`] marks.
pub fn parse(text: &str, source: usize) -> Result<Table, Box<NotToml>> {
    let refuse = |bytes, key, fault| Box::new(NotToml { span: Span { source, bytes }, key, fault });
    if text.bytes().filter(|byte| b"=,.[{".contains(byte)).count() > MARKS_LIMIT {
        return Err(refuse(0..0, String::new(), Fault::TooManyMarks { limit: MARKS_LIMIT }));
    }
    let document = Document::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(text.len()..text.len());
        if error.message() == "duplicate key"
            && let Some((key, first)) = first_of(text, &span)
        {
            let first_line = 1 + text[..first].matches('\n').count();
            return refuse(span, clip(&key), Fault::Duplicate { first_line });
        }
        let (message, bytes) = match bare_word(text, &span) {
            Some((word, span)) => (format!("a string needs quotes: \"{}\"", clip(word)), span),
            None => (clip(&error.message().trim().replace('\n', "; ")), span),
        };
        refuse(bytes, String::new(), Fault::Syntax(message))
    })?;
    Ok(table(document.as_table(), &Span { source, bytes: 0..0 }))
}

/// Full path of the name that is repeated at `second`, and the byte at which it stands first.
///
/// The parser does not report that byte. But the text before the second name is valid with another name in its place,
/// and the first is then in the same table.
fn first_of(text: &str, second: &Range<usize>) -> Option<(String, usize)> {
    const ANOTHER: &str = "in-place-of-the-second";
    let name = TomlKey::parse(text.get(second.clone())?).ok()?.last()?.get().to_owned();
    let before = &text[..second.start];
    ["]", "]]", " = 0", " = 0 }", " = 0 }}"].into_iter().find_map(|end| {
        let document = Document::parse(format!("{before}{ANOTHER}{end}")).ok()?;
        beside(&table(document.as_table(), &Span { source: 0, bytes: 0..0 }), &name, ANOTHER)
    })
}

/// Path of `name` in the table that contains `another`, and the byte at which it stands there.
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

/// The value at `span` if it is only a string without its quotes, the most common slip.
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
