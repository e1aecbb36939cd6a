//! Layers of a scene or a card: the file and its bases, found, opened, parsed and checked one after the other.

use std::path::{Path, PathBuf};

use located::{NotToml, Span, Table, clip, parse};
use model::import::ENDINGS;
use suggest::nearest;

use crate::builtin::{BUILTIN_CARDS, BUILTIN_SCENES, BuiltinFile};
use crate::check::check;
use crate::findings::Findings;
use crate::problem::{ProblemKind, ReadError};
use crate::schema::{self, TableSchema};
use crate::source::{CARD_RANK, Source, Sources, read};
use crate::watch::FileWatcher;

/// Maximum number of files below the first in a chain of `extends`.
pub const EXTENDS_LIMIT: usize = 5;

/// A kind of file, scenes or cards; some are built into the binary, and they may extend one another.
pub(crate) struct Library {
    /// Noun for such a file in messages.
    noun: &'static str,
    /// Prefix of a built-in file's name in messages.
    prefix: &'static str,
    builtin: &'static [BuiltinFile],
    /// Schema of such a file.
    schema: fn() -> &'static TableSchema,
    /// Rank of the first file as a [`Source`].
    rank: i32,
}

/// Scenes.
pub(crate) const SCENES: Library =
    Library { noun: "scene", prefix: "built-in", builtin: BUILTIN_SCENES, schema: schema::root, rank: 0 };

/// Cards, which any scene outranks.
pub(crate) const CARDS: Library =
    Library { noun: "card", prefix: "built-in card", builtin: BUILTIN_CARDS, schema: schema::card, rank: CARD_RANK };

/// A file that is named, not yet opened.
#[derive(Clone)]
pub(crate) enum Reference {
    Builtin { label: String, file: BuiltinFile },
    File(PathBuf),
    Text { label: String, text: String },
}

impl Library {
    /// The built-in file called `name`.
    pub fn find(&self, name: &str) -> Option<Reference> {
        let file = self.builtin.iter().copied().find(|file| file.name == name)?;
        Some(Reference::Builtin { label: format!("{} {name}", self.prefix), file })
    }

    /// Resolves a name, or a path in `folder`; `folder` is `None` inside the binary, where there are no files.
    pub fn resolve(&self, name_or_path: &str, folder: Option<&Path>) -> Result<Reference, ProblemKind> {
        if !looks_like_path(name_or_path)
            && let Some(builtin) = self.find(name_or_path)
        {
            return Ok(builtin);
        }
        let path = folder.map(|folder| folder.join(name_or_path));
        match path {
            Some(path) if looks_like_path(name_or_path) || storage::is_there(&path) => Ok(Reference::File(path)),
            _ => Err(self.no_such_file(name_or_path)),
        }
    }

    /// Returns a problem if `table`, requested as a file of this kind, is a card: all its keys are those of cards only.
    fn is_card(&self, table: &Table, label: &str) -> Option<ProblemKind> {
        let is_of_card = |key: &str| schema::card().entry(key).is_some() && schema::root().entry(key).is_none();
        let mut keys = table.0.iter().map(|entry| entry.name.as_str()).filter(|key| *key != "extends").peekable();
        let is_card = self.rank == SCENES.rank && keys.peek().is_some() && keys.all(is_of_card);
        is_card.then(|| ProblemKind::IsCard { path: clip(label) })
    }

    fn no_such_file(&self, name: &str) -> ProblemKind {
        let known: Vec<&str> = self.builtin.iter().map(|file| file.name).collect();
        let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
        let suggestion = nearest(stem, known.iter().copied());
        ProblemKind::NoSuchFile { noun: self.noun, name: clip(name), suggestion, known }
    }
}

/// State of a scene while it is loaded.
#[derive(Default)]
pub(crate) struct Loading {
    pub sources: Sources,
    pub problems: Findings,
    pub warnings: Findings,
    pub files: FileWatcher,
    /// Whether a part of the scene could not be read; keys that seem missing may have been in that part.
    pub partial: bool,
}

impl Loading {
    /// Loads a file and its bases, the last base last, each checked and without its `extends`; also returns its default
    /// name. `label` is the requested name, `asked` the place and the key of the request, if it is in a file.
    pub fn layers(
        &mut self,
        library: &Library,
        label: &str,
        first: Result<Reference, ProblemKind>,
        mut asked: Option<(Span, String)>,
    ) -> (String, Vec<Table>) {
        let (mut layers, mut seen, mut name) = (Vec::new(), Vec::new(), None);
        let mut wanted = first;
        loop {
            let opened = wanted.and_then(|reference| {
                let identity = reference.identity();
                let label = reference.label();
                if let Some(first) = seen.iter().position(|(known, _)| *known == identity) {
                    let mut circle: Vec<String> = seen[first..].iter().map(|(_, label)| label).cloned().collect();
                    circle.push(label);
                    return Err(ProblemKind::Cycle(circle));
                }
                if layers.len() > EXTENDS_LIMIT {
                    return Err(ProblemKind::TooDeep { limit: EXTENDS_LIMIT });
                }
                seen.push((identity, label));
                self.open(library, reference, library.rank - i32::try_from(layers.len()).unwrap_or(i32::MAX))
            });
            let (source, stem) = match opened {
                Ok(opened) => opened,
                Err(kind) => {
                    self.partial = true;
                    // A scene that was never opened has no text to point into.
                    let (span, key) = asked.unwrap_or_else(|| (self.placeless(label), String::new()));
                    self.problems.add(&span, key, kind);
                    break;
                }
            };
            name.get_or_insert(stem);
            let start = Span { source, bytes: 0..0 };
            let mut table = match parse(&self.sources.get(&start).text, source) {
                Ok(table) => table,
                Err(not_toml) => {
                    let NotToml { span, key, fault } = *not_toml;
                    let kind = ProblemKind::from(fault);
                    self.partial = true;
                    self.problems.add(&span, key, kind);
                    break;
                }
            };
            if let Some(kind) = library.is_card(&table, label) {
                self.partial = true;
                self.problems.add(&start, "", kind);
                break;
            }
            check(&mut table, (library.schema)(), &self.sources, &mut self.problems);
            let base = table.take("extends").and_then(|node| Some((node.text()?.to_owned(), node.span.clone())));
            layers.push(table);
            let Some((base, span)) = base else { break };
            wanted = library.resolve(&base, self.sources.get(&span).folder.as_deref());
            asked = Some((span, "extends".into()));
        }
        (name.unwrap_or_default(), layers)
    }

    fn placeless(&mut self, label: &str) -> Span {
        Span { source: self.sources.add(Source::named(label, None, 0)), bytes: 0..0 }
    }

    /// Reads the text into the sources; returns the index of the source and the file's name.
    fn open(&mut self, library: &Library, reference: Reference, rank: i32) -> Result<(usize, String), ProblemKind> {
        match reference {
            Reference::Builtin { label, file } => {
                let source = Source::new(label, file.text.to_owned(), None, rank);
                Ok((self.sources.add(source), file.name.to_owned()))
            }
            Reference::Text { label, text } => {
                Ok((self.sources.add(Source::new(label.clone(), text, None, rank)), label))
            }
            Reference::File(path) => {
                let label = path.display().to_string();
                if library.rank == SCENES.rank && is_model(&path) {
                    return Err(ProblemKind::IsModel { path: clip(&label) });
                }
                self.files.watch(&path);
                let text = read(&path).map_err(|error| match error {
                    ReadError::Missing => library.no_such_file(&label),
                    error => ProblemKind::Unreadable { noun: library.noun, error },
                })?;
                let folder = path.parent().map(Path::to_owned);
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                Ok((self.sources.add(Source::new(label, text, folder, rank)), stem))
            }
        }
    }
}

impl Reference {
    /// Name in messages.
    fn label(&self) -> String {
        match self {
            Self::Builtin { label, .. } | Self::Text { label, .. } => label.clone(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Identity of the file: equal for two spellings of the same reference.
    pub fn identity(&self) -> PathBuf {
        match self {
            Self::Builtin { label, .. } => PathBuf::from(label),
            Self::File(path) => storage::follow(path).unwrap_or_else(|_| path.clone()),
            Self::Text { label, .. } => PathBuf::from(format!("text {label}")),
        }
    }
}

fn is_model(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

fn looks_like_path(text: &str) -> bool {
    text.contains(['/', std::path::MAIN_SEPARATOR]) || text.ends_with(".toml")
}
