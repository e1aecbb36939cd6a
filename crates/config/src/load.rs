//! Loading: from a name or a path to checked settings.

use std::path::Path;

use located::{Node, Span, Table, Value, clip};
use serde::Deserialize;
use validate::Violation;

use crate::check::check;
use crate::cross_checks::CrossChecks;
use crate::laid_out::lay_out;
use crate::layers::{Loading, Reference, SCENES};
use crate::left_behind::{check_clarity, leave_behind};
use crate::merge::merge;
use crate::problem::{ConfigError, Problem, ProblemKind};
use crate::settings::Config;
use crate::source::Sources;
use crate::watch::FileWatcher;
use crate::{assign, schema};

/// A scene without errors.
#[derive(Clone, Debug)]
pub struct LoadedScene {
    /// Its settings, defaults filled in, model paths absolute.
    pub config: Config,
    /// The files it came from as they were when read, the first one first; none for a built-in scene.
    pub files: FileWatcher,
    /// Warnings: things that are allowed but hardly meant.
    pub warnings: Vec<Problem>,
    /// The merged scene, with the places of its values.
    tree: Node,
    sources: Sources,
}

impl LoadedScene {
    /// Problem found while the scene is built, at the place of the key it is about: `["species", "turtle", "model"]`.
    pub fn of_made(&self, path: &[&str], text: String) -> Problem {
        let location = self.sources.location(self.tree.innermost(path));
        Problem { location, key: path.join("."), kind: ProblemKind::Made(text) }
    }
}

/// Loads a built-in scene by name or a scene file by path and everything it extends, lays `sets` (`key=value`) on top
/// and the cards of its species below.
///
/// A name with a path separator or the ending `.toml` is a path; otherwise a built-in scene comes before a file of the
/// same name.
///
/// ```
/// let loaded = config::load("reef", &["water.type=3C".into()]).expect("the built-in scenes are fine");
/// assert_eq!(loaded.config.scene.water.kind.to_string(), "3C");
/// ```
///
/// # Errors
/// With everything that is wrong in any of the files and arguments.
pub fn load(name_or_path: &str, sets: &[String]) -> Result<LoadedScene, ConfigError> {
    Loading::default().run(name_or_path, SCENES.resolve(name_or_path, Some(Path::new(""))), sets)
}

/// Loads a scene like [`load`], from the text of a file called `label`. The disk is not touched: the scene may extend
/// built-in ones only, and have built-in models and cards only.
///
/// # Errors
/// With everything that is wrong in the text and the arguments.
pub fn load_text(label: &str, text: &str, sets: &[String]) -> Result<LoadedScene, ConfigError> {
    Loading::default().run(label, Ok(Reference::Text { label: label.into(), text: text.into() }), sets)
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
        let (name, layers) = self.layers(&SCENES, scene, first, None);
        let mut scene = Table::default();
        for layer in layers.into_iter().rev() {
            // A name is not inherited.
            scene.take("name");
            self.lay_over(&mut scene, layer);
        }
        for (rank, set) in (1..).zip(sets) {
            let Some(mut set) = assign::read(set, rank, &mut self.sources, &mut self.problems) else { continue };
            check(&mut set.tree, schema::root(), &self.sources, &mut self.problems);
            if self.partial || set.finds_its_entry(&scene, &mut self.problems) {
                self.lay_over(&mut scene, set.tree);
            }
        }
        check_clarity(&scene, &self.sources, &mut self.problems);
        if self.partial {
            return None;
        }
        self.cross_checks().remove(&mut scene);
        self.lay_cards(&mut scene);
        if self.partial {
            return None;
        }
        self.cross_checks().check(&mut scene);
        let root = Node { span: Span { source: 0, bytes: 0..0 }, value: Value::Table(scene) };
        match Config::deserialize(root.to_toml()) {
            Ok(mut config) => {
                if config.scene.name.is_empty() {
                    config.scene.name = name;
                }
                self.validate(&config, &root);
                Some((config, root))
            }
            // Without the faulty keys it may be no scene.
            Err(_) if !self.problems.is_empty() => None,
            Err(error) => {
                self.problems.add(&root.span, "", ProblemKind::Refused(error.to_string().trim().to_owned()));
                None
            }
        }
    }

    /// Lays a table over a scene, without the scene's values that were chosen for a changed one.
    fn lay_over(&mut self, scene: &mut Table, over: Table) {
        leave_behind(scene, &over, &self.sources, &mut self.warnings);
        lay_out(scene, &over, &self.sources, &mut self.warnings);
        merge(scene, over, schema::root());
    }

    /// Reports values that do not go together, each at the value that was set last. An error that comes from a built-in
    /// card alone is not the scene's fault.
    fn validate(&mut self, config: &Config, root: &Node) {
        for Violation { path, others, is_error, message } in config.scene.validate() {
            let stated = |path: &Vec<String>| root.at(&path.iter().map(String::as_str).collect::<Vec<_>>());
            let own = stated(&path);
            if is_error && own.is_some_and(|node| self.sources.is_of_builtin_card(&node.span)) {
                continue;
            }
            let all = own.into_iter().chain(others.iter().filter_map(stated)).map(|node| &node.span);
            let span = all.reduce(|a, b| self.sources.later(a, b)).unwrap_or_else(|| {
                let steps: Vec<&str> = path.iter().map(String::as_str).collect();
                root.innermost(&steps)
            });
            let findings = if is_error { &mut self.problems } else { &mut self.warnings };
            findings.add(span, root.key_of(&path), ProblemKind::Violation(message));
        }
    }

    fn cross_checks(&mut self) -> CrossChecks<'_> {
        CrossChecks { sources: &self.sources, problems: &mut self.problems, warnings: &mut self.warnings }
    }
}
