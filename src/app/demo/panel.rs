//! The settings: a panel on the right, opened with Tab.

use egui::{Align2, Color32, RichText, vec2};

use crate::config::BUILTIN_SCENES;

/// What a person asks for in the panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// The built-in scene of that index.
    Scene(usize),
}

/// The panel, and what was asked for in it.
#[derive(Clone, Debug, Default)]
pub struct SettingsPanel {
    /// Whether it is shown.
    pub is_open: bool,
    /// What was asked for since this was emptied last.
    pub asked: Vec<Asked>,
}

impl SettingsPanel {
    /// Lays it out.
    pub fn show(&mut self, ctx: &egui::Context) {
        if !self.is_open {
            return;
        }
        egui::Area::new(egui::Id::unique("settings")).anchor(Align2::RIGHT_TOP, vec2(-12.0, 12.0)).show(ctx, |ui| {
            let frame = egui::Frame::new().fill(Color32::from_rgba_unmultiplied(6, 18, 26, 205)).inner_margin(12);
            frame.corner_radius(6).show(ui, |ui| {
                ui.label(RichText::new("Scenes").strong());
                for (index, scene) in BUILTIN_SCENES.iter().enumerate() {
                    if ui.button(scene.name).clicked() {
                        self.asked.push(Asked::Scene(index));
                    }
                }
            });
        });
    }
}
