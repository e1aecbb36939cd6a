//! What was found wrong, collected with its places until all is known.

use located::Span;

use crate::problem::{Problem, ProblemKind, SourceLocation};
use crate::source::Sources;

/// Problems that are listed; of what is found after them, only the number is told.
pub const PROBLEMS_LISTED: usize = 20;

/// What was found so far, with places in the sources.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    listed: Vec<(Span, String, ProblemKind)>,
    more: usize,
}

impl Findings {
    pub fn add(&mut self, span: &Span, key: impl Into<String>, kind: ProblemKind) {
        self.add_with(span, || (key.into(), kind));
    }

    /// As [`Self::add`], for what takes long to put into words: that is done only if it will be listed.
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

    /// In the order of the text, the file before its base, arguments last; what is not listed is the last of them.
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
