//! Problems with their places, collected until all are known.

use located::Span;

use crate::problem::{Problem, ProblemKind, SourceLocation};
use crate::source::Sources;

/// Maximum number of listed problems; those found after them are only counted.
pub const PROBLEMS_LISTED: usize = 20;

/// Problems found so far, with places in the sources.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    listed: Vec<(Span, String, ProblemKind)>,
    more: usize,
}

impl Findings {
    pub fn add(&mut self, span: &Span, key: impl Into<String>, kind: ProblemKind) {
        self.add_with(span, || (key.into(), kind));
    }

    /// Like [`Self::add`], for problems that are slow to describe: `words` is called only if it will be listed.
    pub fn add_with(&mut self, span: &Span, words: impl FnOnce() -> (String, ProblemKind)) {
        if self.listed.len() < PROBLEMS_LISTED {
            let (key, kind) = words();
            self.listed.push((span.clone(), key, kind));
        } else {
            self.more += 1;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// Problems in the order of the text, the file before its base, arguments last; the last one counts the unlisted.
    pub fn into_problems(mut self, sources: &Sources) -> Vec<Problem> {
        self.listed.sort_by_key(|(span, ..)| sources.order(span));
        let problem = |(span, key, kind): (Span, String, ProblemKind)| {
            let location = sources.location(&span);
            Problem { location, key, kind }
        };
        let mut problems: Vec<Problem> = self.listed.into_iter().map(problem).collect();
        if self.more > 0 {
            let file = problems.last().map(|last| last.location.file.clone()).unwrap_or_default();
            let location = SourceLocation { file, position: None, excerpt: None };
            problems.push(Problem { location, key: String::new(), kind: ProblemKind::More(self.more) });
        }
        problems
    }
}
