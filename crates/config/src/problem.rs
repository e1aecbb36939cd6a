//! Problems of a scene, each with its place, all of them together.

use std::fmt;
use std::path::PathBuf;

use located::{Fault, clip};

use crate::watch::FileWatcher;

/// Error of a scene that could not be loaded: everything that is wrong with it, not only the first thing.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigError {
    /// The scene as it was asked for: a name or a path.
    pub scene: String,
    /// Problems in the order of the file; never empty. If there are very many, the last one is [`ProblemKind::More`].
    pub problems: Vec<Problem>,
    /// The files as they were when read: an edit to any of them may mend it.
    pub files: FileWatcher,
}

/// One thing that is wrong, or worth a warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Its place.
    pub location: SourceLocation,
    /// The key it is about, such as `species.turtle.depth_m`; empty for the file as a whole.
    pub key: String,
    /// Its kind.
    pub kind: ProblemKind,
}

/// A place in a scene file or an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file as it was named, `built-in NAME`, or the argument: `--set water.typ=3C`.
    pub file: String,
    /// Line and column in characters, both counted from 1; arguments and whole files have none.
    pub position: Option<(usize, usize)>,
    /// Text at the place.
    pub excerpt: Option<Excerpt>,
}

/// A line of a file, or of a long one the surroundings of the place, and the part of it that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Shown part of the line.
    pub text: String,
    /// Characters of the line that stand before `text`.
    pub skipped: usize,
    /// Characters to underline from the location's column.
    pub width: usize,
}

/// Kind of a problem.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The text is not TOML, or holds more than a file may.
    NotToml(Fault),
    /// No such key or table.
    Unknown {
        /// Whether it is a table.
        table: bool,
        /// The nearest existing key or table.
        suggestion: Option<String>,
        /// Allowed keys and tables.
        known: Vec<&'static str>,
    },
    /// A string where a number belongs, and the like.
    WrongType {
        /// Expected value, in words.
        expected: String,
        /// Value found, in words.
        found: String,
    },
    /// A number outside its range, NaN and infinities included.
    OutOfRange {
        /// The number as written.
        found: String,
        /// The range and unit.
        allowed: String,
    },
    /// A string that is not among the choices.
    NotAChoice {
        /// The string.
        found: String,
        /// The choices.
        choices: Vec<&'static str>,
        /// The nearest of them.
        suggestion: Option<&'static str>,
    },
    /// A vector with too few or too many numbers.
    WrongLength {
        /// Number found.
        found: usize,
        /// Number expected.
        expected: usize,
    },
    /// An empty string.
    Empty,
    /// A list that is too long.
    TooMany {
        /// Number found.
        found: usize,
        /// Number allowed.
        limit: usize,
    },
    /// A key that must be there is not.
    Missing {
        /// The entry that may have been meant, if it is one of a list that is new.
        suggestion: Option<String>,
    },
    /// A name that stands for two entries, keys or tables of one file.
    Duplicate {
        /// Line of the first.
        first_line: Option<usize>,
    },
    /// A model file that cannot be found.
    NoModel {
        /// Path at which it was expected.
        path: PathBuf,
    },
    /// A model that is no file, or cannot be looked at.
    UnreadableModel {
        /// Path at which it was expected.
        path: PathBuf,
        /// Reason, such as its kind or the system's message.
        why: String,
    },
    /// A path that cannot be written as text.
    PathNotUtf8 {
        /// The path.
        path: PathBuf,
    },
    /// A file that could not be read.
    Unreadable {
        /// Expected kind: `scene`, `card` or `settings`.
        noun: &'static str,
        /// Reason.
        error: ReadError,
    },
    /// A model where a scene is asked for.
    IsModel {
        /// The file.
        path: String,
    },
    /// A creature's card where a scene is asked for.
    IsCard {
        /// The file.
        path: String,
    },
    /// No built-in scene or card of this name, and no file either.
    NoSuchFile {
        /// Expected kind: `scene` or `card`.
        noun: &'static str,
        /// The name.
        name: String,
        /// The nearest known name.
        suggestion: Option<&'static str>,
        /// All known names.
        known: Vec<&'static str>,
    },
    /// Files that extend each other in a circle.
    Cycle(Vec<String>),
    /// Too many files on top of each other.
    TooDeep {
        /// Files allowed below the first.
        limit: usize,
    },
    /// A key in a card that only a scene may set.
    NotOfACard,
    /// A guest that has no host: the routine `host` without `shelter`.
    NoHost,
    /// `--set species.NAME...` for a species the scene does not have.
    NoSuchEntry {
        /// The nearest existing name.
        suggestion: Option<String>,
        /// The first existing names.
        known: Vec<String>,
        /// Number of further names.
        more: usize,
    },
    /// A `--set` argument that is not `key=value`.
    BadAssignment(String),
    /// Refused for a reason that the schema does not know.
    Refused(String),
    /// Values that do not go together, as the crate that owns them says.
    Violation(String),
    /// A problem found while the scene is built: with a model that it names, or with animals that have no room.
    Made(String),
    /// Number of further problems, which are not listed.
    More(usize),
    /// Warning: a shelter whose model the scene does not have.
    NoShelter {
        /// The model's name.
        model: String,
        /// The nearest that the scene has.
        suggestion: Option<String>,
    },
    /// Warning: a species or a view that something names and the scene does not have.
    NotInScene {
        /// Its kind: `species` or `view`.
        noun: &'static str,
        /// Its name.
        name: String,
        /// The nearest that the scene has.
        suggestion: Option<String>,
    },
    /// Warning: clients of a cleaner that is not there.
    NoCleaner,
    /// Warning: a cleaner that nobody comes to.
    NoClients,
    /// A visibility set beside the factors that it replaces.
    BothClarities,
    /// Warning: values of the base are dropped, since the value that they were chosen for has changed.
    LeftBehind(LeftBehind),
    /// Warning: the base's places move along with the ground.
    LaidOutFor {
        /// The depth that they were chosen for, in metres.
        chosen_for_m: f64,
        /// Present depth of the ground, in metres.
        depth_m: f64,
    },
    /// Warning: `count = 0` or `intensity = 0` for something that was not there.
    NothingToRemove {
        /// The key that is 0.
        by: &'static str,
        /// The entry that may have been meant.
        suggestion: Option<String>,
    },
    /// Warning: a new light without a place, whose name is close to another's.
    NoPlace {
        /// The entry that may have been meant.
        suggestion: String,
    },
    /// Warning: a prop with neither `count` nor `at`.
    PlacesNothing,
}

/// Values of a base that a scene over it leaves behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftBehind {
    /// Each table, key of it and value.
    pub keys: Vec<(&'static str, &'static str, String)>,
}

impl fmt::Display for LeftBehind {
    /// Formats them as in a file: `water.turbidity = 0.8 and water.particles = 2.4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said: Vec<String> =
            self.keys.iter().map(|(table, key, value)| format!("{table}.{key} = {value}")).collect();
        f.write_str(&said.join(" and "))
    }
}

/// Reason why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not there.
    Missing,
    /// It is a folder.
    Folder,
    /// It is too large.
    TooLarge {
        /// Bytes allowed.
        limit: usize,
    },
    /// It is not UTF-8 text.
    NotUtf8 {
        /// First line that is not.
        line: usize,
    },
    /// The system reports an error.
    Io(String),
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    /// A line for each problem, the line of the file it is in below it, and the count at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.problems {
            writeln!(f, "{problem}")?;
            if let Some(excerpt) = problem.excerpt() {
                writeln!(f, "{excerpt}")?;
            }
        }
        let listed = self.problems.len();
        let all = match self.problems.last().map(|last| &last.kind) {
            Some(ProblemKind::More(count)) => listed - 1 + count,
            _ => listed,
        };
        match all {
            1 => write!(f, "1 problem in {}", self.scene),
            n => write!(f, "{n} problems in {}", self.scene),
        }
    }
}

impl fmt::Display for Problem {
    /// One line: `my.toml:12:1: water.turbidty: unknown key; did you mean water.turbidity?`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.without_place())
    }
}

impl std::error::Error for Problem {}

impl Problem {
    /// Key and description without the place, for callers that show the place in another way.
    pub fn without_place(&self) -> String {
        if self.key.is_empty() { self.kind.to_string() } else { format!("{}: {}", self.key, self.kind) }
    }

    /// The line of the file with its number, and carets under the part that is meant.
    pub fn excerpt(&self) -> Option<String> {
        self.location.quoted()
    }
}

impl SourceLocation {
    /// See [`Problem::excerpt`].
    pub(crate) fn quoted(&self) -> Option<String> {
        let ((line, column), excerpt) = (self.position?, self.excerpt.as_ref()?);
        let indent = column - 1 - excerpt.skipped;
        Some(format!("{line:>5} | {}\n      | {:indent$}{}", excerpt.text, "", "^".repeat(excerpt.width)))
    }
}

impl Excerpt {
    /// Excerpt of `line` around the `width` characters that begin in `column`, which is counted from 1.
    pub(crate) fn around(line: &str, column: usize, width: usize) -> Self {
        const SHOWN: usize = 110;
        let skipped = if column > SHOWN { column - SHOWN / 2 - 1 } else { 0 };
        let text = line.chars().skip(skipped).take(SHOWN).map(|c| if c == '\t' { ' ' } else { c });
        Self { text: text.collect(), skipped, width: width.min(SHOWN + 1 + skipped - column).max(1) }
    }
}

impl From<Fault> for ProblemKind {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Duplicate { first_line } => Self::Duplicate { first_line: Some(first_line) },
            fault => Self::NotToml(fault),
        }
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some((line, column)) => write!(f, "{}:{line}:{column}", self.file),
            None => write!(f, "{}", self.file),
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotToml(fault) => write!(f, "{fault}"),
            Self::Unknown { table, suggestion, known } => {
                let sort = if *table { "table" } else { "key" };
                match suggestion {
                    Some(near) => write!(f, "unknown {sort}; did you mean {near}?"),
                    None => write!(f, "unknown {sort}; there are {}", known.join(", ")),
                }
            }
            Self::WrongType { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::OutOfRange { found, allowed } => write!(f, "{found} is out of range; allowed is {allowed}"),
            Self::NotAChoice { found, choices, suggestion } => {
                write!(f, "\"{found}\" is not one of {}", choices.join(", "))?;
                suggestion.map_or(Ok(()), |near| write!(f, "; did you mean {near}?"))
            }
            Self::WrongLength { found, expected } => write!(f, "has {found} numbers; it takes {expected}"),
            Self::Empty => write!(f, "is empty"),
            Self::TooMany { found, limit } => write!(f, "has {found} entries; at most {limit} are allowed"),
            Self::Missing { suggestion: None } => write!(f, "is missing"),
            Self::Missing { suggestion: Some(near) } => {
                write!(f, "is missing in what would be a new entry; did you mean {near}?")
            }
            Self::Duplicate { first_line: Some(line) } => write!(f, "is there already, in line {line}"),
            Self::Duplicate { first_line: None } => write!(f, "is there twice"),
            Self::NoModel { path } => write!(f, "no such file: {}", clip(&path.display().to_string())),
            Self::UnreadableModel { path, why } => write!(f, "{}: {why}", clip(&path.display().to_string())),
            Self::PathNotUtf8 { path } => write!(f, "the path is not UTF-8: {}", path.display()),
            Self::Unreadable { noun, error: ReadError::Folder } => {
                write!(f, "is a folder, not a {noun} file; name the file itself")
            }
            Self::Unreadable { noun, error: ReadError::TooLarge { limit } } => {
                write!(f, "is larger than a {noun} file may be ({} KiB)", limit >> 10)
            }
            Self::Unreadable { error, .. } => write!(f, "{error}"),
            Self::IsModel { path } => write!(
                f,
                "this is a model, not a scene: `pelagic model view {path}` shows it, and in a scene file it is an animal by \
                 [[species]] with name = \"mine\" and model = \"{path}\""
            ),
            Self::IsCard { path } => write!(
                f,
                "this is a creature's card, not a scene: in a scene file a [[species]] has it by card = \"{path}\""
            ),
            Self::NoSuchFile { noun, name, suggestion, known } => {
                let known = known.join(", ");
                write!(f, "no file and no {noun} is called \"{name}\"; the built-in {noun}s are {known}")?;
                suggestion.map_or(Ok(()), |near| write!(f, "; did you mean {near}?"))
            }
            Self::Cycle(files) => write!(f, "the files extend each other in a circle: {}", files.join(" -> ")),
            Self::TooDeep { limit } => write!(f, "more than {limit} files extend one another"),
            Self::NoSuchEntry { suggestion: Some(near), .. } => write!(f, "not in the scene; did you mean {near}?"),
            Self::NoSuchEntry { known, .. } if known.is_empty() => write!(f, "not in the scene, which has none"),
            Self::NoSuchEntry { known, more: 0, .. } => write!(f, "not in the scene, which has {}", known.join(", ")),
            Self::NoSuchEntry { known, more, .. } => {
                write!(f, "not in the scene, which has {} and {more} more", known.join(", "))
            }
            Self::NotOfACard => write!(f, "is for a scene to say, not for a card"),
            Self::NoHost => write!(f, "\"host\" needs a shelter to stay by: name models in shelter"),
            Self::BadAssignment(why) => write!(f, "{why}; write KEY=VALUE, such as water.type=3C"),
            Self::Refused(message) | Self::Violation(message) | Self::Made(message) => write!(f, "{message}"),
            Self::More(count) => write!(f, "and {count} more"),
            Self::NoShelter { model, suggestion } => {
                write!(f, "nothing in the scene has the model \"{model}\"")?;
                suggestion.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean {near}?"))
            }
            Self::NotInScene { noun, name, suggestion } => {
                write!(f, "the scene has no {noun} \"{name}\"")?;
                suggestion.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean {near}?"))
            }
            Self::NoCleaner => write!(f, "\"visit_cleaner\": no species of the scene has the routine \"clean\""),
            Self::NoClients => write!(f, "\"clean\": no species of the scene has the routine \"visit_cleaner\""),
            Self::BothClarities => {
                write!(f, "stands in place of turbidity and particles: say either it or them")
            }
            Self::LeftBehind(left) => write!(
                f,
                "another type than in the scene that this one extends, whose {left} is for its own and not taken over; to have it all \
                 the same, write {left}; to say how far one sees, write visibility_m"
            ),
            Self::LaidOutFor { chosen_for_m, depth_m } => write!(
                f,
                "the scene that this one extends is laid out for {chosen_for_m} m, and its views, paths and lamps go along with the \
                 ground; to leave them where they are, write laid_out_for_m = {depth_m}"
            ),
            Self::NothingToRemove { by, suggestion } => {
                write!(f, "{by} = 0 removes it, but it was not there")?;
                suggestion.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean {near}?"))
            }
            Self::NoPlace { suggestion } => {
                write!(f, "is a new light without at_m or follow; did you mean {suggestion}?")
            }
            Self::PlacesNothing => write!(f, "places nothing: it has none of count, at and hung"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "no such file"),
            Self::Folder => write!(f, "is a folder, not a file"),
            Self::TooLarge { limit } => write!(f, "is larger than it may be ({} KiB)", limit >> 10),
            Self::NotUtf8 { line } => write!(f, "is not UTF-8 text (line {line}); save it as UTF-8"),
            Self::Io(message) => write!(f, "cannot be read: {message}"),
        }
    }
}
