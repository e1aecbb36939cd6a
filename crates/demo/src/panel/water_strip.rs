//! The water types side by side, each in the colour that it would have here and now.

use egui::{Align2, Color32, FontId, Id, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use shell::theme;

/// A water type and its colour (sRGB).
pub type WaterSample = (String, [u8; 3]);

/// Gap between two of them. Unit: points.
const GAP: f32 = 3.0;
/// Room for their names. Unit: points.
const NAMES: f32 = 14.0;
/// Room for the line that describes one of them. Unit: points.
const LINE: f32 = 15.0;
/// Height of all. Unit: points.
pub const HEIGHT: f32 = 50.0 + LINE;

/// Shows the types `names`, of which `now` is the present one, without a colour where that is not known yet; returns
/// the type that is chosen. `line` describes the type under the pointer, or else the present one.
pub fn water_strip<'n>(
    ui: &Ui,
    rect: Rect,
    (names, samples): (&'n [String], &[WaterSample]),
    (now, line): (&str, &dyn Fn(&str) -> String),
    id: Id,
) -> Option<&'n str> {
    let width = (rect.width() + GAP) / names.len().max(1) as f32 - GAP;
    let (mut chosen, mut told) = (None, now);
    for (place, name) in names.iter().enumerate() {
        let colour = samples.iter().find(|(of, _)| of == name).map(|(_, [r, g, b])| Color32::from_rgb(*r, *g, *b));
        let left = rect.left() + place as f32 * (width + GAP);
        let field = Rect::from_min_size(pos2(left, rect.top() + 2.0), vec2(width, rect.height() - LINE - NAMES - 4.0));
        let response = ui.interact(field, id.with(place), Sense::click());
        ui.painter().rect_filled(field, 3.0, colour.unwrap_or(theme::WELL));
        let is_now = name == now;
        if is_now || response.hovered() {
            let colour = if is_now { theme::ACCENT } else { theme::WEAK };
            ui.painter().rect_stroke(field, 3.0, Stroke::new(1.5, colour), StrokeKind::Outside);
        }
        let (font, colour) = (FontId::proportional(10.5), if is_now { theme::ACCENT } else { theme::WEAK });
        ui.painter().text(field.center_bottom() + vec2(0.0, 3.0), Align2::CENTER_TOP, name, font, colour);
        if response.hovered() {
            told = name;
        }
        if response.clicked() {
            chosen = Some(name.as_str());
        }
    }
    let font = FontId::proportional(11.0);
    ui.painter().text(rect.left_bottom() - vec2(0.0, 2.0), Align2::LEFT_BOTTOM, line(told), font, theme::TEXT);
    chosen
}
