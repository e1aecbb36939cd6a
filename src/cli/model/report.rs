//! Problems of a model file, as text and as JSON.

use std::fmt::Write;

use model::{ModelError, ModelPart, ModelWarning};
use ms3d::{Location, Problem, ReadError, ReadWarning, Severity};
use serde::Serialize;

use super::Contents;

/// Most problems of one kind listed in the text; JSON has all.
const SHOWN_PER_KIND: usize = 3;

/// One problem.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    #[serde(serialize_with = "severity_name")]
    pub(super) severity: Severity,
    kind: &'static str,
    #[serde(flatten)]
    place: Option<Place>,
    /// The whole sentence, place included.
    pub(super) message: String,
}

impl Finding {
    /// Error for a file that cannot be used; the message names the place.
    pub(super) fn refused(message: String) -> Self {
        Self { severity: Severity::Error, kind: "refused", place: None, message }
    }
}

/// Place in a file, for JSON.
#[derive(Debug, Serialize)]
struct Place {
    section: &'static str,
    record: Option<usize>,
    byte: i64,
}

impl From<Location> for Place {
    fn from(at: Location) -> Self {
        Self { section: at.section.name(), record: at.record, byte: at.offset as i64 }
    }
}

impl From<mdl::Place> for Place {
    fn from(at: mdl::Place) -> Self {
        Self { section: at.part.name(), record: at.record, byte: at.offset }
    }
}

impl From<&Problem> for Finding {
    fn from(problem: &Problem) -> Self {
        Self {
            severity: problem.severity(),
            kind: problem.kind.name(),
            place: Some(problem.at.into()),
            message: problem.to_string(),
        }
    }
}

impl From<&ReadWarning> for Finding {
    fn from(warning: &ReadWarning) -> Self {
        Self {
            severity: Severity::Warning,
            kind: warning.name(),
            place: Some(warning.location().into()),
            message: warning.to_string(),
        }
    }
}

impl From<&ReadError> for Finding {
    fn from(error: &ReadError) -> Self {
        Self {
            severity: Severity::Error,
            kind: "refused",
            place: error.location().map(Into::into),
            message: error.to_string(),
        }
    }
}

impl From<&mdl::ReadError> for Finding {
    fn from(error: &mdl::ReadError) -> Self {
        Self {
            severity: Severity::Error,
            kind: "refused",
            place: error.place().map(Into::into),
            message: error.to_string(),
        }
    }
}

impl From<&mdl::Warning> for Finding {
    fn from(warning: &mdl::Warning) -> Self {
        Self { severity: Severity::Warning, kind: "file", place: None, message: warning.to_string() }
    }
}

impl From<&ModelWarning> for Finding {
    fn from(warning: &ModelWarning) -> Self {
        let kind = match warning.part {
            ModelPart::File => "file",
            ModelPart::Mesh => "mesh",
            ModelPart::Material => "material",
            ModelPart::Clip(_) => "clip",
        };
        Self { severity: Severity::Warning, kind, place: None, message: warning.text.clone() }
    }
}

impl From<&ModelError> for Finding {
    fn from(error: &ModelError) -> Self {
        Self::refused(error.to_string())
    }
}

fn severity_name<S: serde::Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(severity)
}

/// All problems of reading and validating, the worst first, each severity in file order.
pub(super) fn findings(contents: &Contents) -> Vec<Finding> {
    let mut findings: Vec<Finding> = match contents {
        Contents::Ms3d(outcome) => {
            let problems = ms3d::validate(&outcome.document);
            problems.iter().map(Finding::from).chain(outcome.warnings.iter().map(Finding::from)).collect()
        }
        Contents::Mdl(document) => document.warnings.iter().map(Finding::from).collect(),
        // A glTF file's problems appear when it is loaded.
        Contents::Gltf(_) => Vec::new(),
    };
    worst_first(&mut findings);
    findings
}

/// Problems of [`findings`], together with those of loading the model.
pub(super) fn findings_of_loading(contents: &Contents, loaded: Result<&[ModelWarning], &ModelError>) -> Vec<Finding> {
    let mut findings = findings(contents);
    match loaded {
        Ok(warnings) => {
            let beside_file = warnings.iter().filter(|warning| warning.part != ModelPart::File);
            findings.extend(beside_file.map(Finding::from));
        }
        // Errors of the file itself are listed already.
        Err(ModelError::Invalid { .. } | ModelError::Unreadable { .. }) if matches!(contents, Contents::Ms3d(_)) => {}
        Err(error) => findings.push(error.into()),
    }
    worst_first(&mut findings);
    findings
}

fn worst_first(findings: &mut [Finding]) {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
}

/// Number of problems by severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) errors: usize,
    pub(super) warnings: usize,
}

impl Tally {
    /// Counts all findings.
    pub(super) fn of(findings: &[Finding]) -> Self {
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        Self { errors, warnings: findings.len() - errors }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural = |count| if count == 1 { "" } else { "s" };
        let Self { errors, warnings } = *self;
        write!(f, "{errors} error{}, {warnings} warning{}", plural(errors), plural(warnings))
    }
}

/// Text written by `write`, followed by the findings.
pub(super) fn text(findings: &[Finding], write: impl FnOnce(&mut String) -> std::fmt::Result) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut text);
    list(&mut text, findings);
    text
}

/// Appends the findings, one a line; of each kind the first few and the number of the others.
pub(super) fn list(text: &mut String, findings: &[Finding]) {
    let mut kinds: Vec<(&str, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        match kinds.iter_mut().find(|(kind, _)| *kind == finding.kind) {
            Some((_, of_kind)) => of_kind.push(finding),
            None => kinds.push((finding.kind, vec![finding])),
        }
    }
    for (kind, of_kind) in kinds {
        // One more than the limit takes the line that would state the number.
        let shown = if of_kind.len() <= SHOWN_PER_KIND + 1 { of_kind.len() } else { SHOWN_PER_KIND };
        for finding in &of_kind[..shown] {
            let _ = writeln!(text, "  {}: {}", finding.severity, finding.message);
        }
        if shown < of_kind.len() {
            let severity = of_kind[0].severity;
            let _ = writeln!(text, "  {severity}: ... and {} more of this kind ({kind})", of_kind.len() - shown);
        }
    }
}

/// The text with control characters escaped: a file must not steer the terminal.
pub(super) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
    shown
}
