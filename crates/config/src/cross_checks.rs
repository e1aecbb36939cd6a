//! Checks across keys: required keys, references by name, files that exist. Works on the merged scene, so it sees the
//! effective values, whichever file set them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use located::{Entry, Node, Span, Table, Value, clip, join};
use model::files::BUILTIN;
use suggest::nearest;

use crate::findings::{Findings, PROBLEMS_LISTED};
use crate::problem::ProblemKind;
use crate::schema::{self, Content, MODEL_KEY, TableSchema};
use crate::source::Sources;

/// Cross-checks that report into `problems` and `warnings`.
pub(crate) struct CrossChecks<'a> {
    pub sources: &'a Sources,
    pub problems: &'a mut Findings,
    pub warnings: &'a mut Findings,
}

impl CrossChecks<'_> {
    /// Removes the entries that state that there is none of them, by `count = 0` or no light, and checks references by
    /// name.
    pub fn remove(&mut self, scene: &mut Table) {
        let species = scene.get("species").and_then(Node::list).unwrap_or_default();
        let species: Vec<String> = species.iter().filter_map(Node::name).map(str::to_owned).collect();
        for (list, by) in [("species", "count"), ("props", "count"), ("lights", "intensity")] {
            self.remove_from(scene, list, by);
        }
        self.references(scene, &species);
    }

    /// Removes the entries of a list whose key `by` is 0, unless also placed by hand, and props that have no place.
    fn remove_from(&mut self, scene: &mut Table, list: &'static str, by: &'static str) {
        let Some(Content::List(schema)) = schema::root().entry(list).map(|entry| &entry.content) else { return };
        let Some(Node { value: Value::List(entries), .. }) = scene.get_mut(list) else { return };
        let names = whole_names(entries, schema);
        entries.retain(|node| {
            let mut by_hand = ["at", "hung"].iter().filter_map(|key| value(node, key).and_then(Node::list));
            let count = number(node, by);
            if by_hand.any(|list| !list.is_empty()) || count.is_some_and(|count| count != 0.0) {
                return true;
            }
            let is_whole = is_whole(node, schema);
            if count.is_none() {
                let has_no_place = list == "props" && is_whole;
                if has_no_place {
                    self.warnings.add(&node.span, entry_path(list, node), ProblemKind::PlacesNothing);
                }
                return !has_no_place;
            }
            // No source says more of the entry than that it should not be there.
            if !is_whole || node.table().is_some_and(|table| table.0.len() <= 2) {
                self.warnings.add_with(&node.span, || {
                    let suggestion = near(list, node.name().unwrap_or_default(), &names);
                    (entry_path(list, node), ProblemKind::NothingToRemove { by, suggestion })
                });
            }
            false
        });
    }

    /// Checks the scene and makes the paths of its models absolute.
    pub fn check(&mut self, scene: &mut Table) {
        let root = Span { source: 0, bytes: 0..0 };
        self.table(scene, schema::root(), (&root, ""), &|| None);
        self.habits(scene);
    }

    /// Checks a table, which stands at `span`, and those inside it: required keys are there, models exist. An
    /// incomplete table may have been meant for `another`.
    fn table(
        &mut self,
        table: &mut Table,
        schema: &TableSchema,
        (span, path): (&Span, &str),
        another: &dyn Fn() -> Option<String>,
    ) {
        for entry in schema.0.iter().filter(|entry| entry.required && table.get(&entry.name).is_none()) {
            self.problems.add_with(span, || (join(path, &entry.name), ProblemKind::Missing { suggestion: another() }));
        }
        for Entry { name, span, node } in &mut table.0 {
            let path = join(path, name);
            match (schema.entry(name).map(|entry| &entry.content), &mut node.value) {
                (Some(Content::Table(inner)), Value::Table(table)) => self.table(table, inner, (span, &path), &|| None),
                (Some(Content::Map(inner)), Value::Table(named)) => {
                    let whole = named.0.iter().filter(|entry| is_whole(&entry.node, inner));
                    let names: Vec<String> = whole.map(|entry| entry.name.clone()).collect();
                    for Entry { name, span, node } in &mut named.0 {
                        if let Value::Table(table) = &mut node.value {
                            self.table(table, inner, (span, &join(&path, name)), &|| near(&path, name, &names));
                        }
                    }
                }
                (Some(Content::List(inner)), Value::List(list)) => {
                    let names = whole_names(list, inner);
                    for node in list {
                        let name = node.name().unwrap_or_default().to_owned();
                        let full = entry_path(&path, node);
                        if let Value::Table(table) = &mut node.value {
                            self.table(table, inner, (&node.span, &full), &|| near(&path, &name, &names));
                        }
                    }
                }
                _ if name == MODEL_KEY => self.find_model(node, &path),
                _ => {}
            }
        }
    }

    fn find_model(&mut self, model: &mut Node, key: &str) {
        let Value::Text(text) = &mut model.value else { return };
        if text.starts_with(BUILTIN) {
            return;
        }
        let Some(folder) = &self.sources.get(&model.span).folder else {
            self.problems.add(&model.span, key, ProblemKind::NoModel { path: text.as_str().into() });
            return;
        };
        let path = folder.join(&*text);
        let found = storage::follow(&path).and_then(|found| storage::is_file(&found).map(|()| found));
        let problem = match found {
            Ok(found) => match found.to_str() {
                Some(found) => {
                    *text = found.to_owned();
                    return;
                }
                None => ProblemKind::PathNotUtf8 { path: found },
            },
            Err(error) if error.kind() == ErrorKind::NotFound => ProblemKind::NoModel { path: tidy(&path) },
            Err(error) => ProblemKind::UnreadableModel { path: tidy(&path), why: error.to_string() },
        };
        self.problems.add(&model.span, key, problem);
    }

    /// Warns of lights that may have been meant for others, and of names of species or views that never existed.
    /// `species` are all names, also of removed entries.
    fn references(&mut self, scene: &Table, species: &[String]) {
        let list = |name: &str| scene.get(name).and_then(Node::list).unwrap_or_default();
        let lights = list("lights");
        let is_placed = |node: &&Node| value(node, "at_m").or(value(node, "follow")).is_some();
        let placed: Vec<String> = lights.iter().filter(is_placed).filter_map(Node::name).map(str::to_owned).collect();
        for node in lights.iter().filter(|node| !is_placed(node)).take(PROBLEMS_LISTED) {
            if let Some(suggestion) = near("lights", node.name().unwrap_or_default(), &placed) {
                self.warnings.add(&node.span, entry_path("lights", node), ProblemKind::NoPlace { suggestion });
            }
        }
        let carriers: Vec<&str> = species.iter().map(String::as_str).chain(["world", "camera"]).collect();
        let views = scene.at("camera.views").and_then(Node::table).map(|views| &views.0[..]).unwrap_or_default();
        let views: Vec<&str> = views.iter().map(|entry| entry.name.as_str()).collect();
        for (holder, key, noun, known) in [("lights", "follow", "species", carriers), ("cards", "view", "view", views)]
        {
            for node in list(holder) {
                let Some(named) = value(node, key) else { continue };
                let name = named.text().unwrap_or_default();
                if !known.contains(&name) {
                    self.warnings.add_with(&named.span, || {
                        let suggestion = nearest(name, known.iter().copied()).map(str::to_owned);
                        let kind = ProblemKind::NotInScene { noun, name: clip(name), suggestion };
                        (join(&entry_path(holder, node), key), kind)
                    });
                }
            }
        }
    }
}

/// Whether a table of a list or a map has all its required keys.
fn is_whole(node: &Node, schema: &TableSchema) -> bool {
    let has = |name: &str| node.table().is_some_and(|table| table.get(name).is_some());
    schema.0.iter().all(|entry| !entry.required || has(&entry.name))
}

/// Names of the entries of a list that have all their required keys.
fn whole_names(list: &[Node], schema: &TableSchema) -> Vec<String> {
    list.iter().filter(|node| is_whole(node, schema)).filter_map(Node::name).map(str::to_owned).collect()
}

/// Path of another entry that may have been meant by `name`.
fn near(list: &str, name: &str, names: &[String]) -> Option<String> {
    let others = names.iter().map(String::as_str).filter(|known| *known != name);
    nearest(name, others).map(|near| join(list, near))
}

/// Path of an entry of a named list, for messages.
pub(super) fn entry_path(list: &str, node: &Node) -> String {
    node.name().map_or_else(|| format!("{list}[]"), |name| join(list, name))
}

fn value<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.table()?.get(key)
}

fn number(node: &Node, key: &str) -> Option<f64> {
    value(node, key)?.number()
}

pub(super) fn text<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    value(node, key)?.text()
}

/// The path with `.` and `..` taken out by name, absolute where the current folder is known: for a message.
fn tidy(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(tidy.pop()),
            other => tidy.push(other),
        }
    }
    tidy
}
