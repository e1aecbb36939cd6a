//! The keys.

use egui::style::ScrollStyle;
use egui::{Grid, Key, RichText, ScrollArea, TextStyle, TextWrapMode, Ui, WidgetText, vec2};

use crate::app::demo::input::HELP;
use crate::app::demo::theme;
use crate::app::words::Words;

/// Distance between keys and what they do. Unit: points.
const GAP: f32 = 18.0;

/// Lists the keys with what they do; what is higher than the room there is scrolls, with the wheel or with
/// the arrows and the keys for pages.
pub fn show(ui: &mut Ui, words: &Words) {
    ui.spacing_mut().scroll = ScrollStyle { foreground_color: true, ..ScrollStyle::solid() };
    ScrollArea::vertical().min_scrolled_height(0.0).show(ui, |ui| {
        let (line, page) = (ui.text_style_height(&TextStyle::Body), 0.8 * ui.clip_rect().height());
        let keys = [(Key::ArrowUp, line), (Key::ArrowDown, -line), (Key::PageUp, page), (Key::PageDown, -page)];
        let down = ui.input(|input| keys.iter().map(|(key, by)| input.num_presses(*key) as f32 * by).sum::<f32>());
        if down != 0.0 {
            ui.scroll_with_delta(vec2(0.0, down));
        }
        list(ui, words);
    });
}

fn list(ui: &mut Ui, words: &Words) {
    let width = ui.available_width();
    let lines = |ui: &Ui, text: RichText, width: f32| {
        WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Wrap), width.max(1.0), TextStyle::Body)
    };
    let keys = HELP.map(|(key, _)| lines(ui, RichText::new(words.say(key)).color(theme::ACCENT), 0.5 * width));
    let widest = keys.iter().map(|key| key.size().x).fold(0.0, f32::max);
    Grid::new("keys").num_columns(2).min_row_height(0.0).spacing([GAP, 4.0]).show(ui, |ui| {
        for (key, (_, what)) in keys.into_iter().zip(HELP) {
            ui.label(key);
            let what = lines(ui, words.say(what).into(), width - widest - GAP);
            ui.label(what);
            ui.end_row();
        }
    });
}
