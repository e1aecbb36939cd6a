//! Paths as code writes them, groups opened.

use crate::words::Word;

/// A path such as `crate::scene::World` or `std::fs`.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPath<'a> {
    /// Its parts; the last may be `*`.
    pub parts: Vec<&'a str>,
    /// What it is called here: the last part, or what follows `as`.
    pub name: &'a str,
    /// Whether a `pub use` gives it away again.
    pub is_exported: bool,
    /// Where it begins.
    pub line: usize,
}

/// All paths of `use` items, and all others of two parts or more.
pub fn paths<'a>(words: &[Word<'a>]) -> Vec<NamedPath<'a>> {
    let text = |i: usize| words.get(i).map_or("", |w| w.text);
    let (mut found, mut i) = (Vec::new(), 0);
    while i < words.len() {
        let begins = text(i).starts_with(is_letter) && text(i + 1) == ":" && text(i + 2) == ":";
        if text(i) == "use" && text(i + 1) != "<" {
            let is_exported = i > 0 && matches!(text(i - 1), "pub" | ")");
            i = tree(words, i + 1, &[], is_exported, &mut found);
        } else if begins {
            i = tree(words, i, &[], false, &mut found);
        } else {
            i += 1;
        }
    }
    found
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Adds the paths of one `use` tree; returns the index after it.
fn tree<'a>(
    words: &[Word<'a>],
    mut i: usize,
    prefix: &[&'a str],
    is_exported: bool,
    found: &mut Vec<NamedPath<'a>>,
) -> usize {
    let text = |i: usize| words.get(i).map_or("", |w| w.text);
    let mut parts = prefix.to_vec();
    while i < words.len() {
        if text(i) == "{" {
            i += 1;
            while i < words.len() && text(i) != "}" {
                i = tree(words, i, &parts, is_exported, found);
                i += usize::from(text(i) == ",");
            }
            return i + 1;
        }
        parts.push(text(i));
        i += 1;
        let goes_on = text(i) == ":" && text(i + 1) == ":" && !matches!(text(i + 2), "" | "<");
        if !goes_on {
            let line = words[i - 1].line;
            let name = if text(i) == "as" { text(i + 1) } else { text(i - 1) };
            i += if text(i) == "as" { 2 } else { 0 };
            found.push(NamedPath { parts, name, is_exported, line });
            return i;
        }
        i += 2;
    }
    i
}
