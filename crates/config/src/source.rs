//! Where text comes from: scene files, built-in scenes and `--set` arguments; and places in it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{iter, ops};

use crate::problem::{Excerpt, ReadError, SourceLocation, clip};

/// A larger scene file is refused: 1 MiB.
pub const SIZE_LIMIT: usize = 1 << 20;

/// Rank of a card, below that of any scene; its bases have lower ones.
pub const CARD_RANK: i32 = -1000;

/// Something that holds settings.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// How messages call it.
    pub label: String,
    /// Its text; empty for a `--set` argument, whose places are the whole of it.
    pub text: String,
    /// What relative paths in it are relative to; `None` inside the binary, where there are none.
    pub folder: Option<PathBuf>,
    /// Where several sources say the same, the highest rank stands: `--set` in order above files, each file above its base.
    pub rank: i32,
    /// Where the lines of the text begin, once it has been asked for.
    line_starts: OnceLock<Vec<usize>>,
}

impl Source {
    pub fn new(label: String, text: String, folder: Option<PathBuf>, rank: i32) -> Self {
        Self { label, text, folder, rank, line_starts: OnceLock::new() }
    }

    /// Something that is but named, and has no places in it.
    pub fn named(label: &str, folder: Option<PathBuf>, rank: i32) -> Self {
        Self::new(clip(label), String::new(), folder, rank)
    }

    fn line_starts(&self) -> &[usize] {
        let starts = || iter::once(0).chain(self.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        self.line_starts.get_or_init(starts)
    }
}

/// All sources of one load; a [`Span`] points into them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources(Vec<Source>);

/// A piece of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub source: usize,
    pub bytes: ops::Range<usize>,
}

impl Sources {
    pub fn add(&mut self, source: Source) -> usize {
        self.0.push(source);
        self.0.len() - 1
    }

    pub fn get(&self, span: &Span) -> &Source {
        &self.0[span.source]
    }

    /// Whether a card of the project says it: of any scene, not of this one.
    pub fn is_of_builtin_card(&self, span: &Span) -> bool {
        let source = self.get(span);
        source.rank <= CARD_RANK && source.folder.is_none()
    }

    /// Sorts what comes from the file before what comes from its base, and in the order of the text.
    pub fn order(&self, span: &Span) -> (usize, usize) {
        (span.source, span.bytes.start)
    }

    /// The one of two places that had the last word.
    pub fn later<'s>(&self, a: &'s Span, b: &'s Span) -> &'s Span {
        let order = |span: &Span| (self.get(span).rank, span.bytes.start);
        if order(a) >= order(b) { a } else { b }
    }

    /// File, line, column and what stands there.
    pub fn location(&self, span: &Span) -> SourceLocation {
        let source = self.get(span);
        let Source { label, text, .. } = source;
        if text.is_empty() {
            return SourceLocation { file: label.clone(), position: None, excerpt: None };
        }
        let start = floor_char(text, span.bytes.start);
        let line_starts = source.line_starts();
        let number = line_starts.partition_point(|&line_start| line_start <= start);
        let line_start = line_starts[number - 1];
        let line_end = line_starts.get(number).map_or(text.len(), |next| next - 1);
        let line = text[line_start..line_end].trim_end_matches('\r');
        let column = text[line_start..start].chars().count() + 1;
        let end = floor_char(text, span.bytes.end).clamp(start, (line_start + line.len()).max(start));
        let excerpt = Excerpt::around(line, column, text[start..end].chars().count());
        SourceLocation { file: label.clone(), position: Some((number, column)), excerpt: Some(excerpt) }
    }
}

fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Reads a scene file; a byte-order mark is taken off.
pub(crate) fn read(path: &Path) -> Result<String, ReadError> {
    let bytes = storage::read(path, SIZE_LIMIT as u64).map_err(|error| match error.kind() {
        ErrorKind::NotFound => ReadError::Missing,
        ErrorKind::IsADirectory => ReadError::Folder,
        ErrorKind::FileTooLarge => ReadError::TooLarge { limit: SIZE_LIMIT },
        _ => ReadError::Io(error.to_string()),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|&&byte| byte == b'\n').count() + 1;
        ReadError::NotUtf8 { line }
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
