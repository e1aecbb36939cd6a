//! What was found wrong, collected with its places until all is known.

use crate::config::problem::{Problem, ProblemKind};
use crate::config::source::{Sources, Span};

/// What was found so far, with places in the sources.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<(Span, String, ProblemKind)>);

impl Findings {
    pub fn add(&mut self, span: &Span, key: impl Into<String>, kind: ProblemKind) {
        self.0.push((span.clone(), key.into(), kind));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In the order of the text, the file before its base, arguments last.
    pub fn into_problems(mut self, sources: &Sources) -> Vec<Problem> {
        self.0.sort_by_key(|(span, ..)| sources.order(span));
        let problem = |(span, key, kind): (Span, String, ProblemKind)| {
            let location = sources.location(&span);
            Problem { location, key, kind }
        };
        self.0.into_iter().map(problem).collect()
    }
}
