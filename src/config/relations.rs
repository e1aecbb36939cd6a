//! What no key can be wrong about alone: what must be there, order of two numbers, files that exist. Works on the
//! merged scene, so it sees what the scene really says, whichever file said it.

use std::path::{Path, PathBuf};

use crate::config::check::Findings;
use crate::config::merge::name_of;
use crate::config::problem::What;
use crate::config::schema::{BUILTIN_PREFIX, KEYS, join};
use crate::config::source::{Mark, Sources};
use crate::config::tree::{Node, Table, Value};
use crate::ocean::WavesSettings;
use crate::scene::{CameraSettings, SeabedSettings};

/// Reports into `problems` and `warnings`.
pub(crate) struct Relations<'a> {
    pub sources: &'a Sources,
    pub problems: &'a mut Findings,
    pub warnings: &'a mut Findings,
}

impl Relations<'_> {
    /// Takes out of the scene what says that it should not be there: `count = 0`.
    pub fn remove(&mut self, scene: &mut Table) {
        if let Some(Node { value: Value::List(species), .. }) = scene.get_mut("species") {
            species.retain(|node| {
                let removed = number(node, "count") == Some(0.0);
                if removed && text(node, "model").is_none() {
                    self.warnings.add(&node.mark, shown("species", node), What::NothingToRemove);
                }
                !removed
            });
        }
        if let Some(Node { value: Value::List(props), .. }) = scene.get_mut("props") {
            props.retain(|node| {
                let by_hand = node.table().and_then(|table| table.get("at")).and_then(Node::list);
                let count = number(node, "count");
                let places = count.unwrap_or(0.0) > 0.0 || by_hand.is_some_and(|list| !list.is_empty());
                if !places && count.is_none() {
                    self.warnings.add(&node.mark, shown("props", node), What::PlacesNothing);
                }
                places
            });
        }
    }

    /// Checks the scene and makes the paths of its models absolute.
    pub fn check(&mut self, scene: &mut Table) {
        for list in ["species", "props"] {
            let Some(Node { value: Value::List(entries), .. }) = scene.get_mut(list) else { continue };
            for node in entries {
                let shown = shown(list, node);
                self.require(node, &format!("{list}[]"), &shown);
                if let Some(model) = node.table_mut().and_then(|table| table.get_mut("model")) {
                    self.find_model(model, &join(&shown, "model"));
                }
                self.depths(node, &shown);
                self.clips(node, &shown);
            }
        }
        self.camera(scene);
        self.waves(scene);
        self.warn(scene);
    }

    fn require(&mut self, node: &Node, path: &str, shown: &str) {
        let Some(table) = node.table() else { return };
        for key in KEYS.iter().filter(|key| key.required && key.table() == path) {
            if table.get(key.name()).is_none() {
                self.problems.add(&node.mark, join(shown, key.name()), What::Missing);
            }
        }
    }

    fn find_model(&mut self, model: &mut Node, shown: &str) {
        let Value::Text(text) = &mut model.value else { return };
        if text.starts_with(BUILTIN_PREFIX) {
            return;
        }
        let folder = self.sources.get(&model.mark).folder.clone().unwrap_or_default();
        let path = folder.join(&*text);
        match path.canonicalize() {
            Ok(found) if found.is_file() => match found.to_str() {
                Some(found) => *text = found.to_owned(),
                None => self.problems.add(&model.mark, shown, What::PathNotUtf8 { path: found }),
            },
            _ => self.problems.add(&model.mark, shown, What::NoModel { path: tidy(&path) }),
        }
    }

    fn depths(&mut self, node: &Node, shown: &str) {
        let depths = node.table().and_then(|table| table.get("depth_m"));
        if let Some((node, [least, greatest])) = depths.and_then(|node| Some((node, numbers(node)?)))
            && least > greatest
        {
            self.problems.add(&node.mark, join(shown, "depth_m"), What::DepthReversed { least, greatest });
        }
    }

    fn clips(&mut self, node: &Node, shown: &str) {
        let clips = node.table().and_then(|table| table.get("clips")).and_then(Node::table);
        for entry in clips.iter().flat_map(|clips| &clips.0) {
            let shown = join(&join(shown, "clips"), &entry.name);
            self.require_at(&entry.node, &entry.mark, "species[].clips.*", &shown);
            let Some(clip) = entry.node.table() else { continue };
            if let (Some(from_node), Some(to_node)) = (clip.get("from_frame"), clip.get("to_frame"))
                && let (Some(from), Some(to)) = (from_node.number(), to_node.number())
                && to <= from
            {
                let mark = self.sources.later(&to_node.mark, &from_node.mark);
                self.problems.add(mark, shown, What::ClipReversed { from, to });
            }
        }
    }

    fn require_at(&mut self, node: &Node, mark: &Mark, path: &str, shown: &str) {
        let placed = Node { mark: mark.clone(), value: node.value.clone() };
        self.require(&placed, path, shown);
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
            self.problems.add(&stated.mark, "camera.target_m", What::NoDirection);
        }
        let views = camera.get("views").and_then(Node::table);
        for entry in views.iter().flat_map(|views| &views.0) {
            self.view(&entry.node, &entry.mark, "camera.views.*", &join("camera.views", &entry.name));
        }
        for node in camera.get("rail").and_then(Node::list).unwrap_or_default() {
            self.view(node, &node.mark, "camera.rail[]", "camera.rail[]");
        }
    }

    fn view(&mut self, node: &Node, mark: &Mark, path: &str, shown: &str) {
        self.require_at(node, mark, path, shown);
        let Some(view) = node.table() else { return };
        if let (Some(eye), Some(target)) = (view.get("eye_m"), view.get("target_m"))
            && let (Some(eye_at), Some(target_at)) = (numbers::<3>(eye), numbers(target))
            && eye_at == target_at
        {
            self.problems.add(&target.mark, join(shown, "target_m"), What::NoDirection);
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
            let mark = wind.map_or(&fetch.mark, |wind| self.sources.later(&fetch.mark, &wind.mark));
            self.problems.add(mark, "waves.fetch_km", What::NoFetch { wind_m_s });
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
                let key = join(&shown("species", node), "depth_m");
                self.warnings.add(&depths.mark, key, What::BelowSeabed { depth_m, seabed_m });
            }
        }
        if let Some(height) = scene.at("waves.swell_height_m")
            && let Some(height_m) = height.number()
        {
            const GRAVITY_M_S2: f64 = 9.81;
            let period_s = number_at("waves.swell_period_s", WavesSettings::default().swell_period_s);
            let wavelength_m = GRAVITY_M_S2 * period_s * period_s / std::f64::consts::TAU;
            // Michell's limit: a wave breaks when its height is a seventh of its length.
            let limit_m = wavelength_m / 7.0;
            if height_m > limit_m {
                self.warnings.add(&height.mark, "waves.swell_height_m", What::BreakingSwell { limit_m });
            }
        }
    }
}

/// Path of an entry of a named list, for messages.
fn shown(list: &str, node: &Node) -> String {
    name_of(node).map_or_else(|| format!("{list}[]"), |name| join(list, name))
}

fn number(node: &Node, key: &str) -> Option<f64> {
    node.table()?.get(key)?.number()
}

fn text<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
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
