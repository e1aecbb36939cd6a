//! The water types side by side, each in the colour that it would have here and now.

use egui::{Align2, Color32, FontId, Id, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::app::demo::theme;

/// A water type and its colour (sRGB).
pub type WaterSample = (String, [u8; 3]);

/// Gap between two of them. Unit: points.
const GAP: f32 = 3.0;
/// Room for their names. Unit: points.
const NAMES: f32 = 14.0;

/// Shows the types `names`, those whose colour is not known yet without one, of which `now` is the present one; gives the
/// one that is chosen.
pub fn water_strip<'n>(
    ui: &Ui,
    rect: Rect,
    (names, samples): (&'n [String], &[WaterSample]),
    now: &str,
    id: Id,
) -> Option<&'n str> {
    let width = (rect.width() + GAP) / names.len().max(1) as f32 - GAP;
    let mut chosen = None;
    for (place, name) in names.iter().enumerate() {
        let colour = samples.iter().find(|(of, _)| of == name).map(|(_, [r, g, b])| Color32::from_rgb(*r, *g, *b));
        let left = rect.left() + place as f32 * (width + GAP);
        let field = Rect::from_min_size(pos2(left, rect.top() + 2.0), vec2(width, rect.height() - NAMES - 4.0));
        let response = ui.interact(field, id.with(place), Sense::click());
        ui.painter().rect_filled(field, 3.0, colour.unwrap_or(theme::WELL));
        let is_now = name == now;
        if is_now || response.hovered() {
            let colour = if is_now { theme::ACCENT } else { theme::WEAK };
            ui.painter().rect_stroke(field, 3.0, Stroke::new(1.5, colour), StrokeKind::Outside);
        }
        let (font, colour) = (FontId::proportional(10.5), if is_now { theme::ACCENT } else { theme::WEAK });
        ui.painter().text(field.center_bottom() + vec2(0.0, 3.0), Align2::CENTER_TOP, name, font, colour);
        if response.clicked() {
            chosen = Some(name.as_str());
        }
    }
    chosen
}
