//! The help panel: the keys, grouped by task.

use egui::style::ScrollStyle;
use egui::{Grid, Key, RichText, ScrollArea, TextStyle, TextWrapMode, Ui, WidgetText, vec2};
use shell::messages::Messages;
use shell::theme;

use crate::input::{HELP, KeyGroup};

/// Distance between keys and their descriptions. Unit: points.
const GAP: f32 = 18.0;
/// Distance between columns. Unit: points.
const APART: f32 = 30.0;
/// Width of a column in which most lines need not be broken. Unit: points.
const COLUMN: f32 = 360.0;
/// Distance between the keys for one task and those for the next, in addition to that of lines. Unit: points.
const TASKS_APART: f32 = 6.0;

/// Lists the keys with their descriptions; a list higher than the room scrolls, with the wheel, the arrow keys or the
/// page keys.
pub fn show(ui: &mut Ui, messages: &Messages) {
    ui.spacing_mut().scroll = ScrollStyle { foreground_color: true, ..ScrollStyle::solid() };
    ScrollArea::vertical().min_scrolled_height(0.0).show(ui, |ui| {
        let (line, page) = (ui.text_style_height(&TextStyle::Body), 0.8 * ui.clip_rect().height());
        let keys = [(Key::ArrowUp, line), (Key::ArrowDown, -line), (Key::PageUp, page), (Key::PageDown, -page)];
        let down = ui.input(|input| keys.iter().map(|(key, by)| input.num_presses(*key) as f32 * by).sum::<f32>());
        if down != 0.0 {
            ui.scroll_with_delta(vec2(0.0, down));
        }
        list(ui, messages);
    });
}

/// Lays out the groups in their order, in two columns where there is room.
fn list(ui: &mut Ui, messages: &Messages) {
    let room = ui.available_width();
    let columns = if room >= 2.0 * COLUMN + APART { halves() } else { [&HELP[..], &[]] };
    let width = if columns[1].is_empty() { room } else { 0.5 * (room - APART) };
    ui.spacing_mut().item_spacing = vec2(APART, 4.0);
    ui.horizontal_top(|ui| {
        for groups in columns.into_iter().filter(|groups| !groups.is_empty()) {
            ui.vertical(|ui| column(ui, messages, groups, width));
        }
    });
}

/// The groups in two parts of about the same height.
fn halves() -> [&'static [KeyGroup]; 2] {
    let lines = |groups: &[KeyGroup]| groups.iter().map(|group| group.keys.len() + 1).sum::<usize>();
    let higher = |at: &usize| lines(&HELP[..*at]).max(lines(&HELP[*at..]));
    let at = (1..HELP.len()).min_by_key(higher).unwrap_or(HELP.len());
    [&HELP[..at], &HELP[at..]]
}

fn column(ui: &mut Ui, messages: &Messages, groups: &[KeyGroup], width: f32) {
    let lines = |ui: &Ui, text: RichText, width: f32| {
        WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Wrap), width.max(1.0), TextStyle::Body)
    };
    let key = |ui: &Ui, key: &str| lines(ui, RichText::new(messages.get(key)).color(theme::ACCENT), 0.5 * width);
    let keys = groups.iter().flat_map(|group| group.keys);
    let widest = keys.map(|(name, _)| key(ui, name).size().x).fold(0.0, f32::max);
    for (index, group) in groups.iter().enumerate() {
        if index > 0 {
            ui.add_space(TASKS_APART);
        }
        ui.label(RichText::new(messages.get(group.task)).color(theme::WEAK));
        let grid = Grid::new(group.task).num_columns(2).min_row_height(0.0).min_col_width(widest);
        grid.spacing([GAP, 4.0]).show(ui, |ui| {
            for (name, what) in group.keys {
                let name = key(ui, name);
                ui.label(name);
                let what = lines(ui, messages.get(what).into(), width - widest - GAP);
                ui.label(what);
                ui.end_row();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use shell::messages::Language;

    use super::*;

    #[test]
    fn every_line_has_its_text_in_every_language() {
        for language in Language::ALL {
            let messages = Messages::new(language);
            let tasks = HELP.iter().map(|group| group.task);
            let keys = HELP.iter().flat_map(|group| group.keys);
            let named = keys.flat_map(|(key, what)| [*key, *what]).filter(|id| id.starts_with(['h', 'k']));
            for id in tasks.chain(named) {
                assert_ne!(messages.get(id), id, "{language:?} lacks it");
            }
        }
    }
}
