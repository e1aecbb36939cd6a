//! Appearance of everything over the picture: calm, dark and a little transparent.

use egui::{Checkbox, Color32, CornerRadius, Frame, Margin, Stroke, Ui, Visuals, style::WidgetVisuals};

/// Text.
pub const TEXT: Color32 = Color32::from_gray(225);
/// Less important text.
pub const WEAK: Color32 = Color32::from_rgb(142, 160, 168);
/// Things to notice first: keys, bars, selected values.
pub const ACCENT: Color32 = Color32::from_rgb(150, 220, 235);
/// Changed values that are not saved.
pub const EDITED: Color32 = Color32::from_rgb(255, 205, 110);
/// Errors.
pub const ERROR: Color32 = Color32::from_rgb(255, 160, 130);
/// Background of things that can be filled: bars, fields.
pub const WELL: Color32 = Color32::from_rgb(27, 44, 53);
/// Things that are switched on or chosen.
pub const SET: Color32 = Color32::from_rgb(46, 112, 134);
/// Distance from the screen's edges. Unit: points.
pub const MARGIN: f32 = 12.0;

const RAISED: Color32 = Color32::from_rgb(40, 62, 73);
const PRESSED: Color32 = Color32::from_rgb(56, 84, 97);

/// Frame of a panel.
pub fn frame() -> Frame {
    Frame::new()
        .fill(Color32::from_rgba_unmultiplied(6, 18, 26, 205))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(12, 8))
}

/// Lays out a checkbox with a text, visible whether ticked or not; returns whether it was clicked.
pub fn checkbox(ui: &mut Ui, on: &mut bool, text: &str) -> bool {
    let (fill, tick) = if *on { (SET, TEXT) } else { (WELL, WEAK) };
    let changed = ui.scope(|ui| {
        let widgets = &mut ui.visuals_mut().widgets;
        for look in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
            (look.bg_fill, look.bg_stroke, look.fg_stroke) = (fill, Stroke::new(1.0, WEAK), Stroke::new(2.0, tick));
        }
        let checkbox = if text.is_empty() { Checkbox::without_text(on) } else { Checkbox::new(on, text) };
        ui.add(checkbox).changed()
    });
    changed.inner
}

/// egui context with the style of all of the program's windows.
pub fn context() -> egui::Context {
    let egui = egui::Context::default();
    egui.set_visuals(visuals());
    egui
}

/// Visual style of everything in a panel.
pub fn visuals() -> Visuals {
    let mut visuals = Visuals { override_text_color: Some(TEXT), ..Visuals::dark() };
    let look = |widget: &mut WidgetVisuals, fill, outline: Option<Color32>| {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = outline.map_or(Stroke::NONE, |colour| Stroke::new(1.0, colour));
        widget.fg_stroke = Stroke::new(1.0, TEXT);
        widget.corner_radius = CornerRadius::same(4);
        widget.expansion = 0.0;
    };
    look(&mut visuals.widgets.noninteractive, Color32::TRANSPARENT, Some(Color32::from_rgb(38, 58, 68)));
    look(&mut visuals.widgets.inactive, WELL, None);
    look(&mut visuals.widgets.hovered, RAISED, None);
    look(&mut visuals.widgets.active, PRESSED, None);
    look(&mut visuals.widgets.open, RAISED, None);
    visuals.selection.bg_fill = SET;
    visuals.selection.stroke = Stroke::new(1.0, ACCENT);
    visuals.extreme_bg_color = WELL;
    visuals.window_fill = Color32::from_rgb(10, 25, 34);
    visuals.window_stroke = Stroke::new(1.0, RAISED);
    visuals.slider_trailing_fill = true;
    visuals
}
