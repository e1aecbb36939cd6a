//! Panel beside the model: the clip, display options and facts of the model.

use egui::{ComboBox, RichText, ScrollArea, Slider, Ui};
use model::LoadedModel;
use render::Paint;
use shell::messages::Messages;
use shell::theme;

use crate::orbit::Orbit;
use crate::playback::Playback;

/// Backdrops: name, colour (linear).
pub const BACKDROPS: [(&str, [f32; 3]); 4] = [
    ("view-grey", [0.20, 0.215, 0.23]),
    ("view-dark", [0.022, 0.025, 0.03]),
    ("view-light", [0.72, 0.73, 0.75]),
    ("view-sea", [0.012, 0.10, 0.16]),
];

/// Width of the panel. Unit: points.
pub const WIDTH: f32 = 236.0;
/// Range of the speed slider.
const SPEEDS: std::ops::RangeInclusive<f32> = 0.05..=3.0;

/// Surface display mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The model's textures.
    Materials,
    /// A clay material.
    Clay,
    /// Weights of joints.
    Weights,
}

/// Settings chosen by the person.
#[derive(Clone, Debug, PartialEq)]
pub struct Controls {
    /// Whether the panel is shown.
    pub is_open: bool,
    /// Playback of the clip.
    pub playback: Playback,
    /// Weight of each morph added to that of the clip.
    pub weights: Vec<f32>,
    /// Surface display mode.
    pub surface: Surface,
    /// Selected joint: its weights are shown, and it is marked in the skeleton.
    pub joint: Option<usize>,
    /// Whether the wireframe is shown.
    pub wireframe: bool,
    /// Whether normals are shown.
    pub normals: bool,
    /// Whether the skeleton is shown.
    pub skeleton: bool,
    /// Whether the grid is shown.
    pub grid: bool,
    /// Index of the level of detail.
    pub lod: usize,
    /// Index into [`BACKDROPS`].
    pub backdrop: usize,
}

impl Default for Controls {
    fn default() -> Self {
        Self {
            is_open: true,
            playback: Playback::default(),
            weights: Vec::new(),
            surface: Surface::Materials,
            joint: None,
            wireframe: false,
            normals: false,
            skeleton: false,
            grid: true,
            lod: 0,
            backdrop: 0,
        }
    }
}

impl Controls {
    /// Paint of the surface.
    pub fn paint(&self) -> Paint {
        match self.surface {
            Surface::Materials => Paint::Materials,
            Surface::Clay => Paint::Clay,
            Surface::Weights => Paint::Weights(self.joint),
        }
    }

    /// Shows `surface`, or the textures if it is shown already.
    pub fn toggle(&mut self, surface: Surface) {
        self.surface = if self.surface == surface { Surface::Materials } else { surface };
    }

    /// Adapts the settings to a replaced model.
    pub fn follow(&mut self, old: &LoadedModel, new: &LoadedModel) {
        self.playback.follow(old, new);
        self.lod = self.lod.min(new.model.lods.len() - 1);
        if old.model.morphs.names != new.model.morphs.names {
            self.weights.clear();
        }
        self.joint = self.joint.filter(|joint| *joint < new.model.skeleton.joints.len());
    }
}

/// Facts of a model.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The model.
    pub loaded: &'a LoadedModel,
    /// Title of the model.
    pub title: &'a str,
    /// Metres a model unit.
    pub metres: f32,
    /// Spacing of the grid's lines. Unit: m.
    pub grid_m: f32,
}

/// Lays out the panel.
pub fn show(ui: &mut Ui, controls: &mut Controls, orbit: &mut Orbit, facts: &Facts<'_>, messages: &Messages) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.style_mut().spacing.slider_width = 108.0;
        heading(ui, facts, messages);
        animation(ui, &mut controls.playback, facts.loaded, messages);
        shapes(ui, &mut controls.weights, facts.loaded, messages);
        surface(ui, controls, facts.loaded, messages);
        switches(ui, controls, orbit, facts, messages);
        for (index, warning) in facts.loaded.warnings.iter().enumerate() {
            if index == 0 {
                title(ui, &messages.get("view-warnings"));
            }
            ui.label(RichText::new(&warning.text).small().color(theme::EDITED));
        }
        ui.add_space(10.0);
        ui.label(RichText::new(messages.get("view-keys")).small().color(theme::WEAK));
    });
}

fn title(ui: &mut Ui, text: &str) {
    ui.add_space(10.0);
    ui.label(RichText::new(text).strong().color(theme::ACCENT));
}

fn heading(ui: &mut Ui, facts: &Facts<'_>, messages: &Messages) {
    let model = &facts.loaded.model;
    ui.label(RichText::new(facts.title).heading());
    let triangles = model.lods.first().map_or(0, |lod| lod.indices.len() / 3);
    let joints = model.skeleton.joints.len();
    ui.label(messages.format("view-triangles", &[("count", (triangles as f64).into())]));
    if joints > 0 {
        let clips = facts.loaded.clips.len() as f64;
        ui.label(messages.format("view-joints", &[("joints", (joints as f64).into()), ("clips", clips.into())]));
    }
    let extent = (model.bounds.max - model.bounds.min) * facts.metres;
    let [width, height, length] = extent.to_array().map(|side| format!("{side:.2}"));
    let size = [("width", width.into()), ("height", height.into()), ("length", length.into())];
    ui.label(messages.format("view-size", &size));
}

fn animation(ui: &mut Ui, playback: &mut Playback, loaded: &LoadedModel, messages: &Messages) {
    title(ui, &messages.get("view-animation"));
    let clips = &loaded.model.palette.clips;
    let Some(clip) = clips.get(playback.clip).filter(|_| clips.iter().any(|clip| clip.rows > 1)) else {
        ui.label(messages.get("view-still"));
        return;
    };
    let (name, duration_s) = (clip.name.clone(), clip.duration_s);
    ui.horizontal(|ui| {
        let button = if playback.plays { "view-pause" } else { "view-play" };
        if ui.button(messages.get(button)).clicked() {
            playback.plays = !playback.plays;
        }
        ComboBox::from_id_salt("clip").selected_text(name).width(ui.available_width() - 8.0).show_ui(ui, |ui| {
            for (index, clip) in clips.iter().enumerate() {
                ui.selectable_value(&mut playback.clip, index, &clip.name);
            }
        });
    });
    let mut time_s = playback.phase * duration_s;
    let scrub = Slider::new(&mut time_s, 0.0..=duration_s).suffix(" s").fixed_decimals(2);
    let scrub = ui.add(scrub);
    // The slider also reports a change when it rounds the displayed value.
    if scrub.changed() && (scrub.is_pointer_button_down_on() || scrub.dragged() || scrub.has_focus()) {
        (playback.plays, playback.phase) = (false, (time_s / duration_s).clamp(0.0, 1.0 - 1e-4));
    }
    ui.horizontal(|ui| {
        ui.add(Slider::new(&mut playback.speed, SPEEDS).logarithmic(true).fixed_decimals(2).suffix(" x"));
        ui.label(messages.get("view-speed"));
    });
}

fn shapes(ui: &mut Ui, weights: &mut Vec<f32>, loaded: &LoadedModel, messages: &Messages) {
    let names = &loaded.model.morphs.names;
    weights.resize(names.len(), 0.0);
    if !names.is_empty() {
        title(ui, &messages.get("view-shapes"));
    }
    for (name, weight) in names.iter().zip(weights) {
        ui.horizontal(|ui| {
            ui.add(Slider::new(weight, 0.0..=1.0).fixed_decimals(2));
            ui.label(name);
        });
    }
}

fn surface(ui: &mut Ui, controls: &mut Controls, loaded: &LoadedModel, messages: &Messages) {
    title(ui, &messages.get("view-surface"));
    ui.horizontal_wrapped(|ui| {
        for (surface, text) in [
            (Surface::Materials, messages.get("view-materials")),
            (Surface::Clay, messages.get("view-clay")),
            (Surface::Weights, messages.get("view-weights")),
        ] {
            ui.selectable_value(&mut controls.surface, surface, text);
        }
    });
    let joints = &loaded.model.skeleton.joints;
    if !joints.is_empty() && (controls.surface == Surface::Weights || controls.skeleton) {
        let name = |joint: Option<usize>| match joint {
            Some(joint) => format!("{joint} {}", joints[joint].name),
            None => messages.get("view-every-joint"),
        };
        let width = ui.available_width() - 8.0;
        ComboBox::from_id_salt("joint").selected_text(name(controls.joint)).width(width).show_ui(ui, |ui| {
            for joint in std::iter::once(None).chain((0..joints.len()).map(Some)) {
                ui.selectable_value(&mut controls.joint, joint, name(joint));
            }
        });
    }
}

fn switches(ui: &mut Ui, controls: &mut Controls, orbit: &mut Orbit, facts: &Facts<'_>, messages: &Messages) {
    title(ui, &messages.get("view-show"));
    theme::checkbox(ui, &mut controls.wireframe, &messages.get("view-wireframe"));
    theme::checkbox(ui, &mut controls.normals, &messages.get("view-normals"));
    let has_joints = !facts.loaded.model.skeleton.joints.is_empty();
    ui.add_enabled_ui(has_joints, |ui| theme::checkbox(ui, &mut controls.skeleton, &messages.get("view-skeleton")));
    let grid = messages.format("view-grid", &[("metres", format!("{}", facts.grid_m).into())]);
    theme::checkbox(ui, &mut controls.grid, &grid);
    theme::checkbox(ui, &mut orbit.turns, &messages.get("view-turn"));
    let lods = &facts.loaded.model.lods;
    if lods.len() > 1 {
        title(ui, &messages.get("view-detail"));
        ui.add(Slider::new(&mut controls.lod, 0..=lods.len() - 1));
        let triangles = lods[controls.lod.min(lods.len() - 1)].indices.len() / 3;
        ui.label(messages.format("view-triangles", &[("count", (triangles as f64).into())]));
    }
    title(ui, &messages.get("view-backdrop"));
    ui.horizontal_wrapped(|ui| {
        for (index, (name, _)) in BACKDROPS.into_iter().enumerate() {
            ui.selectable_value(&mut controls.backdrop, index, messages.get(name));
        }
    });
}
