//! TOML as a tree in which every key and value keeps its place in the text, also after trees are merged, so that
//! messages about a file can point to a mistake.
//!
//! Places are bytes of a text; lines and columns, which [`Lines`] finds, count from 1, columns in characters.
//!
//! ```
//! use located::{Lines, parse};
//!
//! let text = "[water]\ntype = \"3C\"\n";
//! let tree = parse(text, 0).expect("it is TOML");
//! let node = tree.at("water.type").expect("it is there");
//! let place = Lines::of(text).place(text, node.span.bytes.start);
//! assert_eq!((node.text(), place.line, place.column), (Some("3C"), 2, 8));
//! assert_eq!(parse("type = 3C", 0).expect_err("no value").fault.to_string(), "not TOML: a string needs quotes: \"3C\"");
//! ```

mod parse;
mod text;
mod tree;

pub use parse::{Fault, MARKS_LIMIT, NotToml, parse};
pub use text::{Lines, Place, clip};
pub use tree::{Entry, Node, Span, Step, Table, Value, join, key_of, steps};
