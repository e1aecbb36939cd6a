//! What no key can be wrong about alone: what must be there, order of two numbers, files that exist. Works on the
//! merged scene, so it sees what the scene really says, whichever file said it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::config::findings::Findings;
use crate::config::problem::ProblemKind;
use crate::config::schema::{self, Content, MODEL_KEY, TableSchema, join};
use crate::config::source::{Sources, Span};
use crate::config::tree::{Entry, Node, Table, Value};
use crate::model::files::BUILTIN;
use crate::ocean::{GRAVITY_M_S2, WavesSettings};
use crate::scene::{CameraSettings, SeabedSettings};
use crate::storage;

/// Reports into `problems` and `warnings`.
pub(crate) struct CrossChecks<'a> {
    pub sources: &'a Sources,
    pub problems: &'a mut Findings,
    pub warnings: &'a mut Findings,
}

impl CrossChecks<'_> {
    /// Takes out of the scene what says that it should not be there: `count = 0`, or no light.
    pub fn remove(&mut self, scene: &mut Table) {
        if let Some(Node { value: Value::List(species), .. }) = scene.get_mut("species") {
            species.retain(|node| {
                let removed = number(node, "count") == Some(0.0);
                if removed && text(node, "model").is_none() {
                    self.warnings.add(&node.span, entry_path("species", node), ProblemKind::NothingToRemove);
                }
                !removed
            });
        }
        if let Some(Node { value: Value::List(lights), .. }) = scene.get_mut("lights") {
            lights.retain(|node| number(node, "intensity") != Some(0.0));
        }
        if let Some(Node { value: Value::List(props), .. }) = scene.get_mut("props") {
            props.retain(|node| {
                let by_hand = node.table().and_then(|table| table.get("at")).and_then(Node::list);
                let count = number(node, "count");
                let places = count.unwrap_or(0.0) > 0.0 || by_hand.is_some_and(|list| !list.is_empty());
                if !places && count.is_none() {
                    self.warnings.add(&node.span, entry_path("props", node), ProblemKind::PlacesNothing);
                }
                places
            });
        }
    }

    /// Checks the scene and makes the paths of its models absolute.
    pub fn check(&mut self, scene: &mut Table) {
        let root = Span { source: 0, bytes: 0..0 };
        self.table(scene, schema::root(), &root, "");
        for node in scene.get("species").and_then(Node::list).unwrap_or_default() {
            let path = entry_path("species", node);
            self.depths(node, &path);
            self.clips(node, &path);
        }
        self.habits(scene);
        self.camera(scene);
        self.waves(scene);
        self.warn(scene);
    }

    /// What holds for any table, which stands at `span`, and those inside it: required keys are there, models exist.
    fn table(&mut self, table: &mut Table, schema: &TableSchema, span: &Span, path: &str) {
        for entry in schema.0.iter().filter(|entry| entry.required && table.get(&entry.name).is_none()) {
            self.problems.add(span, join(path, &entry.name), ProblemKind::Missing);
        }
        for Entry { name, span, node } in &mut table.0 {
            let path = join(path, name);
            match (schema.entry(name).map(|entry| &entry.content), &mut node.value) {
                (Some(Content::Table(inner)), Value::Table(table)) => self.table(table, inner, span, &path),
                (Some(Content::Map(inner)), Value::Table(named)) => {
                    for Entry { name, span, node } in &mut named.0 {
                        if let Value::Table(table) = &mut node.value {
                            self.table(table, inner, span, &join(&path, name));
                        }
                    }
                }
                (Some(Content::List(inner)), Value::List(list)) => {
                    for node in list {
                        let path = entry_path(&path, node);
                        if let Value::Table(table) = &mut node.value {
                            self.table(table, inner, &node.span, &path);
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

    fn depths(&mut self, node: &Node, path: &str) {
        for (key, what) in [("depth_m", "depth"), ("height_m", "height")] {
            let stated = node.table().and_then(|table| table.get(key));
            if let Some((node, [least, greatest])) = stated.and_then(|node| Some((node, numbers(node)?)))
                && least > greatest
            {
                self.problems.add(&node.span, join(path, key), ProblemKind::Reversed { what, least, greatest });
            }
        }
    }

    fn clips(&mut self, node: &Node, path: &str) {
        let clips = node.table().and_then(|table| table.get("clips")).and_then(Node::table);
        for entry in clips.iter().flat_map(|clips| &clips.0) {
            let path = join(&join(path, "clips"), &entry.name);
            let Some(clip) = entry.node.table() else { continue };
            // Frames need each other, and only a sequence can do without.
            let given = ["sequence", "from_frame", "to_frame"].map(|key| clip.get(key).is_some());
            for (key, is_missing) in [("from_frame", !given[1]), ("to_frame", !given[2])] {
                if is_missing && (!given[0] || given[1] || given[2]) {
                    self.problems.add(&entry.span, join(&path, key), ProblemKind::Missing);
                }
            }
            if let (Some(from_node), Some(to_node)) = (clip.get("from_frame"), clip.get("to_frame"))
                && let (Some(from), Some(to)) = (from_node.number(), to_node.number())
                && to <= from
            {
                let span = self.sources.later(&to_node.span, &from_node.span);
                self.problems.add(span, path, ProblemKind::ClipReversed { from, to });
            }
        }
    }

    fn camera(&mut self, scene: &Table) {
        let Some(camera) = scene.get("camera").and_then(Node::table) else { return };
        let default = CameraSettings::default();
        let (eye, target) = (camera.get("eye_m"), camera.get("target_m"));
        let eye_at = eye.map_or(Some(default.eye_m.map(f64::from)), numbers);
        let target_at = target.map_or(Some(default.target_m.map(f64::from)), numbers);
        if let Some(stated) = target.or(eye)
            && eye_at == target_at
        {
            self.problems.add(&stated.span, "camera.target_m", ProblemKind::NoDirection);
        }
        let views = camera.get("views").and_then(Node::table);
        for entry in views.iter().flat_map(|views| &views.0) {
            self.view(&entry.node, &join("camera.views", &entry.name));
        }
        for node in camera.get("rail").and_then(Node::list).unwrap_or_default() {
            self.view(node, "camera.rail[]");
        }
    }

    fn view(&mut self, node: &Node, path: &str) {
        let Some(view) = node.table() else { return };
        if let (Some(eye), Some(target)) = (view.get("eye_m"), view.get("target_m"))
            && let (Some(eye_at), Some(target_at)) = (numbers::<3>(eye), numbers(target))
            && eye_at == target_at
        {
            self.problems.add(&target.span, join(path, "target_m"), ProblemKind::NoDirection);
        }
    }

    fn waves(&mut self, scene: &Table) {
        let default = WavesSettings::default();
        let (wind, fetch) = (scene.at("waves.wind_m_s"), scene.at("waves.fetch_km"));
        let wind_m_s = wind.and_then(Node::number).unwrap_or(default.wind_m_s.into());
        let fetch_km = fetch.and_then(Node::number).unwrap_or(default.fetch_km.into());
        if let Some(fetch) = fetch
            && fetch_km == 0.0
            && wind_m_s > 0.0
        {
            let span = wind.map_or(&fetch.span, |wind| self.sources.later(&fetch.span, &wind.span));
            self.problems.add(span, "waves.fetch_km", ProblemKind::NoFetch { wind_m_s });
        }
    }

    fn warn(&mut self, scene: &Table) {
        let default = SeabedSettings::default();
        let number_at = |path: &str, default: f32| scene.at(path).and_then(Node::number).unwrap_or(default.into());
        let present = !matches!(scene.at("seabed.present"), Some(Node { value: Value::Bool(false), .. }));
        // With a slope the ground is as deep somewhere as anyone likes.
        let level = number_at("seabed.slope_deg", default.slope_deg) == 0.0;
        let seabed_m = number_at("seabed.depth_m", default.depth_m) + number_at("seabed.relief_m", default.relief_m);
        for node in scene.get("species").and_then(Node::list).unwrap_or_default() {
            let depths = node.table().and_then(|table| table.get("depth_m"));
            if let Some((depths, [depth_m, _])) = depths.and_then(|node| Some((node, numbers(node)?)))
                && present
                && level
                && depth_m > seabed_m
            {
                let key = join(&entry_path("species", node), "depth_m");
                self.warnings.add(&depths.span, key, ProblemKind::BelowSeabed { depth_m, seabed_m });
            }
        }
        if let Some(factor) = scene.at("water.inscatter")
            && factor.number().is_some_and(|factor| factor != 0.0 && factor != 1.0)
        {
            self.warnings.add(&factor.span, "water.inscatter", ProblemKind::UntrueWater);
        }
        if let Some(height) = scene.at("waves.swell_height_m")
            && let Some(height_m) = height.number()
        {
            let period_s = number_at("waves.swell_period_s", WavesSettings::default().swell_period_s);
            let wavelength_m = f64::from(GRAVITY_M_S2) * period_s * period_s / std::f64::consts::TAU;
            // Michell's limit: a wave breaks when its height is a seventh of its length.
            let limit_m = wavelength_m / 7.0;
            if height_m > limit_m {
                self.warnings.add(&height.span, "waves.swell_height_m", ProblemKind::BreakingSwell { limit_m });
            }
        }
    }
}

/// Path of an entry of a named list, for messages.
pub(super) fn entry_path(list: &str, node: &Node) -> String {
    node.name().map_or_else(|| format!("{list}[]"), |name| join(list, name))
}

pub(super) fn number(node: &Node, key: &str) -> Option<f64> {
    node.table()?.get(key)?.number()
}

pub(super) fn text<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    node.table()?.get(key)?.text()
}

fn numbers<const N: usize>(node: &Node) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = node.list()?.iter().map(Node::number).collect();
    numbers?.try_into().ok()
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
