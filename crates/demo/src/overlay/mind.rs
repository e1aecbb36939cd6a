//! The mind of an animal.

use egui::{RichText, Vec2, vec2};
use life::AnimalReport;
use shell::messages::Messages;
use shell::theme;

/// Shows the state of an animal's mind, its drives as bars.
pub fn show(ui: &mut egui::Ui, species: &str, animal: &AnimalReport, messages: &Messages) {
    const DRIVE: Vec2 = vec2(110.0, 9.0);
    let doing = messages.get(&format!("doing-{}", animal.doing.replace(' ', "-")));
    let title = messages.format("mind", &[("species", species.into()), ("doing", doing.into())]);
    ui.label(RichText::new(title).strong());
    let AnimalReport { fear, hunger, fatigue, loneliness, speed_m_s, length_m, .. } = *animal;
    let drives =
        [("drive-fear", fear), ("drive-hunger", hunger), ("drive-fatigue", fatigue), ("drive-loneliness", loneliness)];
    egui::Grid::new("drives").num_columns(2).spacing([12.0, 3.0]).show(ui, |ui| {
        for (name, drive) in drives {
            ui.label(messages.get(name));
            let (bar, _) = ui.allocate_exact_size(DRIVE, egui::Sense::hover());
            let filled = bar.with_max_x(bar.left() + bar.width() * drive.clamp(0.0, 1.0));
            ui.painter().rect_filled(bar, 2.0, theme::WELL);
            ui.painter().rect_filled(filled, 2.0, theme::ACCENT);
            ui.end_row();
        }
    });
    let (lengths, speed) = (format!("{:4.1}", speed_m_s / length_m), format!("{speed_m_s:5.2}"));
    let speed = messages.format("mind-speed", &[("lengths", lengths.into()), ("speed", speed.into())]);
    ui.label(RichText::new(speed).monospace());
}
