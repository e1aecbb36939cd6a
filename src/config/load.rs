//! From a name or a path to checked settings.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use suggest::nearest;

use crate::config::assign;
use crate::config::builtin::{BUILTIN_SCENES, BuiltinScene};
use crate::config::check::check;
use crate::config::cross_checks::CrossChecks;
use crate::config::findings::Findings;
use crate::config::merge::merge;
use crate::config::problem::{ConfigError, Problem, ProblemKind, ReadError, clip};
use crate::config::schema;
use crate::config::settings::Config;
use crate::config::source::{Source, Sources, Span, read};
use crate::config::tree::{Node, Table, Value, parse};
use crate::config::watch::FileWatcher;

/// Scenes that may stand below the first by `extends`.
pub const EXTENDS_LIMIT: usize = 5;

/// A scene that is fine.
#[derive(Clone, Debug)]
pub struct LoadedScene {
    /// What it says, defaults filled in, model paths absolute.
    pub config: Config,
    /// The files it came from as they were when read, the first one first; none for a built-in scene.
    pub files: FileWatcher,
    /// What is allowed but hardly meant.
    pub warnings: Vec<Problem>,
    /// What it says, with the places where it says it.
    tree: Node,
    sources: Sources,
}

impl LoadedScene {
    /// What a model has to say, with the place of the key that it is about: `["species", "turtle", "model"]`.
    pub fn of_model(&self, path: &[&str], text: String) -> Problem {
        let location = self.sources.location(self.tree.innermost(path));
        Problem { location, key: path.join("."), kind: ProblemKind::Model(text) }
    }
}

/// Loads a built-in scene by name or a scene file by path, everything it extends, and lays `sets` (`key=value`) on top.
///
/// Whatever has a path separator or ends in `.toml` is a path; otherwise a built-in scene comes before a file of the
/// same name.
///
/// ```
/// let loaded = pelagic::config::load("reef", &["water.type=3C".into()]).expect("the built-in scenes are fine");
/// assert_eq!(loaded.config.scene.water.kind.to_string(), "3C");
/// ```
///
/// # Errors
/// With everything that is wrong in any of the files and arguments.
pub fn load(name_or_path: &str, sets: &[String]) -> Result<LoadedScene, ConfigError> {
    Loading::default().run(name_or_path, resolve(name_or_path, Some(Path::new(""))), sets)
}

/// As [`load`], of the text of a file that would be called `label`. The disk is not touched: the scene may extend
/// built-in ones only, and have built-in models only.
///
/// # Errors
/// With everything that is wrong in the text and the arguments.
pub fn load_text(label: &str, text: &str, sets: &[String]) -> Result<LoadedScene, ConfigError> {
    Loading::default().run(label, Ok(Reference::Text { label: label.into(), text: text.into() }), sets)
}

/// A scene that is named, not yet opened.
enum Reference {
    Builtin(BuiltinScene),
    File(PathBuf),
    Text { label: String, text: String },
}

#[derive(Default)]
struct Loading {
    sources: Sources,
    problems: Findings,
    warnings: Findings,
    files: FileWatcher,
    /// A part of the scene could not be read, so that what is missing in the rest may have been in it.
    partial: bool,
}

impl Loading {
    fn run(
        mut self,
        scene: &str,
        first: Result<Reference, ProblemKind>,
        sets: &[String],
    ) -> Result<LoadedScene, ConfigError> {
        let config = self.config(scene, first, sets);
        let Self { sources, problems, warnings, files, .. } = self;
        match config {
            Some((config, tree)) if problems.is_empty() => {
                let warnings = warnings.into_problems(&sources);
                Ok(LoadedScene { config, files, warnings, tree, sources })
            }
            _ => Err(ConfigError { scene: clip(scene), problems: problems.into_problems(&sources), files }),
        }
    }

    fn config(
        &mut self,
        scene: &str,
        first: Result<Reference, ProblemKind>,
        sets: &[String],
    ) -> Option<(Config, Node)> {
        let (name, layers) = self.layers(scene, first);
        let mut scene = Table::default();
        for layer in layers.into_iter().rev() {
            // Names and bases are the file's own.
            scene.take("name");
            scene.take("extends");
            merge(&mut scene, layer, schema::root());
        }
        scene.take("extends");
        for (rank, set) in (1..).zip(sets) {
            let Some(mut set) = assign::read(set, rank, &mut self.sources, &mut self.problems) else { continue };
            check(&mut set.tree, &self.sources, &mut self.problems);
            if self.partial || set.finds_its_entry(&scene, &mut self.problems) {
                merge(&mut scene, set.tree, schema::root());
            }
        }
        if self.partial {
            return None;
        }
        let mut checks =
            CrossChecks { sources: &self.sources, problems: &mut self.problems, warnings: &mut self.warnings };
        checks.remove(&mut scene);
        checks.check(&mut scene);
        if !self.problems.is_empty() {
            return None;
        }
        let root = Node { span: Span { source: 0, bytes: 0..0 }, value: Value::Table(scene) };
        match Config::deserialize(root.to_toml()) {
            Ok(mut config) => {
                if config.scene.name.is_empty() {
                    config.scene.name = name;
                }
                Some((config, root))
            }
            Err(error) => {
                self.problems.add(&root.span, "", ProblemKind::Refused(error.to_string().trim().to_owned()));
                None
            }
        }
    }

    /// The scene and what it extends, the last base last, each checked; and the name it has if it gives itself none.
    fn layers(&mut self, scene: &str, first: Result<Reference, ProblemKind>) -> (String, Vec<Table>) {
        let (mut layers, mut seen, mut name) = (Vec::new(), Vec::new(), None);
        let mut wanted = first;
        // Where the next scene is asked for: `extends` of the one before.
        let mut asked: Option<Span> = None;
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
                self.open(reference, -i32::try_from(layers.len()).unwrap_or(i32::MAX))
            });
            let (source, stem) = match opened {
                Ok(opened) => opened,
                Err(kind) => {
                    self.partial = true;
                    // A scene that was never opened has no text to point into.
                    let span = asked.unwrap_or_else(|| self.placeless(scene));
                    let key = if layers.is_empty() { "" } else { "extends" };
                    self.problems.add(&span, key, kind);
                    break;
                }
            };
            name.get_or_insert(stem);
            let start = Span { source, bytes: 0..0 };
            let mut table = match parse(&self.sources.get(&start).text, source) {
                Ok(table) => table,
                Err((kind, span)) => {
                    self.partial = true;
                    self.problems.add(&span, "", kind);
                    break;
                }
            };
            check(&mut table, &self.sources, &mut self.problems);
            let base = table.get("extends").and_then(|node| Some((node.text()?.to_owned(), node.span.clone())));
            layers.push(table);
            let Some((base, span)) = base else { break };
            wanted = resolve(&base, self.sources.get(&span).folder.as_deref());
            asked = Some(span);
        }
        (name.unwrap_or_default(), layers)
    }

    fn placeless(&mut self, label: &str) -> Span {
        Span { source: self.sources.add(Source::named(label, None, 0)), bytes: 0..0 }
    }

    /// Reads the text into the sources; gives the source and the scene's name.
    fn open(&mut self, reference: Reference, rank: i32) -> Result<(usize, String), ProblemKind> {
        let label = reference.label();
        match reference {
            Reference::Builtin(scene) => {
                let source = Source::new(label, scene.text.to_owned(), None, rank);
                Ok((self.sources.add(source), scene.name.to_owned()))
            }
            Reference::Text { label, text } => {
                Ok((self.sources.add(Source::new(label.clone(), text, None, rank)), label))
            }
            Reference::File(path) => {
                self.files.watch(&path);
                let text = read(&path).map_err(|error| match error {
                    ReadError::Missing => no_such_scene(&label),
                    error => ProblemKind::Unreadable(error),
                })?;
                let folder = path.parent().map(Path::to_owned);
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                Ok((self.sources.add(Source::new(label, text, folder, rank)), stem))
            }
        }
    }
}

impl Reference {
    /// How messages call it.
    fn label(&self) -> String {
        match self {
            Self::Builtin(scene) => format!("built-in {}", scene.name),
            Self::File(path) => path.display().to_string(),
            Self::Text { label, .. } => label.clone(),
        }
    }

    /// Equal for two ways of writing the same.
    fn identity(&self) -> PathBuf {
        match self {
            Self::Builtin(scene) => PathBuf::from(format!("built-in {}", scene.name)),
            Self::File(path) => path.canonicalize().unwrap_or_else(|_| path.clone()),
            Self::Text { label, .. } => PathBuf::from(format!("text {label}")),
        }
    }
}

fn looks_like_path(text: &str) -> bool {
    text.contains(['/', std::path::MAIN_SEPARATOR]) || text.ends_with(".toml")
}

/// What a name or path means in `folder`; `None` inside the binary, where there are no files.
fn resolve(name_or_path: &str, folder: Option<&Path>) -> Result<Reference, ProblemKind> {
    if !looks_like_path(name_or_path)
        && let Some(scene) = BuiltinScene::find(name_or_path)
    {
        return Ok(Reference::Builtin(scene));
    }
    let path = folder.map(|folder| folder.join(name_or_path));
    match path {
        Some(path) if looks_like_path(name_or_path) || path.exists() => Ok(Reference::File(path)),
        _ => Err(no_such_scene(name_or_path)),
    }
}

fn no_such_scene(name: &str) -> ProblemKind {
    let known: Vec<&str> = BUILTIN_SCENES.iter().map(|scene| scene.name).collect();
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    let suggestion = nearest(stem, known.iter().copied());
    ProblemKind::NoSuchScene { name: clip(name), suggestion, known }
}
