//! Lines and columns of a text, and pieces of it for messages.

use std::iter;

/// The lines of a text.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'t> {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Start of the line. Unit: bytes.
    pub line_start: usize,
    /// The line, without its end.
    pub text: &'t str,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn of(text: &str) -> Self {
        Self { starts: iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect() }
    }

    /// The place of a byte of that text; of its end if it is shorter.
    pub fn place<'t>(&self, text: &'t str, byte: usize) -> Place<'t> {
        let at = text.floor_char_boundary(byte);
        let line = self.starts.partition_point(|&start| start <= at);
        let line_start = self.starts[line - 1];
        let line_end = self.starts.get(line).map_or(text.len(), |next| next - 1);
        let column = text[line_start..at].chars().count() + 1;
        Place { line, column, line_start, text: text[line_start..line_end].trim_end_matches('\r') }
    }
}

/// A piece of a file for a message, cut after its beginning if it is long.
pub fn clip(text: &str) -> String {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
