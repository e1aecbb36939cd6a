//! Sources of text: scene files, built-in scenes and `--set` arguments; and places in them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use located::{Lines, Place, Span, clip};

use crate::problem::{Excerpt, ReadError, SourceLocation};

/// Maximum size of a scene file: 1 MiB. Unit: bytes.
pub const SIZE_LIMIT: usize = 1 << 20;

/// Rank of a card, below that of any scene; its bases have lower ones.
pub const CARD_RANK: i32 = -1000;

/// A source of settings.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Name in messages.
    pub label: String,
    /// Its text; empty for a `--set` argument, where every place is the whole argument.
    pub text: String,
    /// Base of relative paths; `None` inside the binary, where there are none.
    pub folder: Option<PathBuf>,
    /// Rank, the highest of which wins for a key: `--set` in order above files, each file above its base.
    pub rank: i32,
    /// Lines of the text, computed on first use.
    lines: OnceLock<Lines>,
}

impl Source {
    pub fn new(label: String, text: String, folder: Option<PathBuf>, rank: i32) -> Self {
        Self { label, text, folder, rank, lines: OnceLock::new() }
    }

    /// A source that has only a name, and no places in it.
    pub fn named(label: &str, folder: Option<PathBuf>, rank: i32) -> Self {
        Self::new(clip(label), String::new(), folder, rank)
    }
}

/// All sources of one load; a [`Span`] points into them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources(Vec<Source>);

impl Sources {
    pub fn add(&mut self, source: Source) -> usize {
        self.0.push(source);
        self.0.len() - 1
    }

    pub fn get(&self, span: &Span) -> &Source {
        &self.0[span.source]
    }

    /// Whether the place is in a built-in card, which is written for any scene, not for this one.
    pub fn is_of_builtin_card(&self, span: &Span) -> bool {
        let source = self.get(span);
        source.rank <= CARD_RANK && source.folder.is_none()
    }

    /// Sort key: places in a file before those in its base, and in the order of the text.
    pub fn order(&self, span: &Span) -> (usize, usize) {
        (span.source, span.bytes.start)
    }

    /// The one of two places that takes precedence.
    pub fn later<'s>(&self, a: &'s Span, b: &'s Span) -> &'s Span {
        let order = |span: &Span| (self.get(span).rank, span.bytes.start);
        if order(a) >= order(b) { a } else { b }
    }

    /// File, line, column and excerpt of a place.
    pub fn location(&self, span: &Span) -> SourceLocation {
        let source = self.get(span);
        let Source { label, text, .. } = source;
        if text.is_empty() {
            return SourceLocation { file: label.clone(), position: None, excerpt: None };
        }
        let start = text.floor_char_boundary(span.bytes.start);
        let Place { line, column, line_start, text: line_text } =
            source.lines.get_or_init(|| Lines::of(text)).place(text, start);
        let end = text.floor_char_boundary(span.bytes.end).clamp(start, (line_start + line_text.len()).max(start));
        let excerpt = Excerpt::around(line_text, column, text[start..end].chars().count());
        SourceLocation { file: label.clone(), position: Some((line, column)), excerpt: Some(excerpt) }
    }
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
