//! Layout of the rows.

use config::{Addition, BUILTIN_CARDS, MODEL_KEY, ValueKind, ValueSchema, displaced_by, value_at, value_at_mut};
use egui::{
    Align, Color32, FontId, Id, Label, Layout, Popup, Rect, Response, RichText, ScrollArea, Sense, Ui, UiBuilder, pos2,
    vec2,
};
use ocean::{WaterSettings, WaterType};
use render::WaterColours;
use serde::Deserialize;
use shell::messages::Messages;
use shell::theme;
use toml::{Table, Value};

use crate::panel::rows::{FIRST_GROUP, Row, RowContent, Setting, joined};
use crate::panel::sun_dial::sun_dial;
use crate::panel::water_strip::water_strip;
use crate::panel::{PanelCommand, PanelScene, SettingsPanel, water_strip, widgets};

/// Height of a row. Unit: points.
const ROW: f32 = 22.0;
/// Height of the sun's dial. Unit: points.
const DIAL: f32 = 132.0;
/// Indentation of each group's rows. Unit: points.
const INDENT: f32 = 10.0;
/// Width of a row's button that takes its change back. Unit: points.
const TAKE_BACK: f32 = 18.0;
/// Greatest height of the menu of models. Unit: points.
const MENU: f32 = 240.0;
/// Share of a row that its name takes.
const NAME: f32 = 0.38;

/// Special widgets above rows, by the path of the row.
const SPECIALS: [(&str, Special); 3] =
    [("sun.elevation_deg", Special::SunDial), (QUALITY, Special::Vsync), (WATER_TYPE, Special::Waters)];
const WATER_TYPE: &str = "water.type";
/// Names of the water types, and the texts that describe them.
const WATERS: [(&str, &str); 11] = [
    ("I", "water-is-I"),
    ("IA", "water-is-IA"),
    ("IB", "water-is-IB"),
    ("II", "water-is-II"),
    ("III", "water-is-III"),
    ("1C", "water-is-1C"),
    ("3C", "water-is-3C"),
    ("5C", "water-is-5C"),
    ("7C", "water-is-7C"),
    ("9C", "water-is-9C"),
    ("own", "water-is-own"),
];
/// Path of the quality tier, which the governor chooses if that is left to it.
const QUALITY: &str = "render.quality";
/// Path of the resolution, which the governor chooses as well.
const SCALE: &str = "render.scale";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    SunDial,
    Vsync,
    Waters,
}

impl Special {
    fn height(self) -> f32 {
        match self {
            Self::SunDial => DIAL,
            Self::Vsync => ROW,
            Self::Waters => water_strip::HEIGHT,
        }
    }
}

/// Id of the row of that path, by which its place can be looked up.
pub fn row_id(path: &[String]) -> Id {
    Id::unique(("settings row", path))
}

/// The id of the button that adds to the list of that path.
pub fn add_id(path: &[String]) -> Id {
    row_id(path).with("add")
}

/// The id of the button that takes out the entry of that path.
pub fn remove_id(path: &[String]) -> Id {
    row_id(path).with("remove")
}

/// Built-in models for a list: creatures, which have cards, for the species, else all others.
fn models_for(list: &[String]) -> impl Iterator<Item = &'static str> {
    let are_animals = list.first().is_some_and(|list| list == "species");
    assets::models().filter(move |model| BUILTIN_CARDS.iter().any(|card| card.name == *model) == are_animals)
}

impl SettingsPanel {
    /// Lays out the rows; `with_hints` says that there is no room for help but at the pointer.
    pub(super) fn list(&mut self, ui: &mut Ui, messages: &Messages, with_hints: bool) {
        let rows = std::mem::take(&mut self.rows);
        let mut explained = None;
        let first_group = match rows.split_first() {
            Some((head, others)) if head.declared == FIRST_GROUP => {
                1 + others.iter().take_while(|row| row.depth > 0).count()
            }
            _ => 0,
        };
        for (number, row) in rows.iter().enumerate() {
            let is_first_group = number < first_group;
            let path = joined(&row.path);
            if let Some((_, special)) = SPECIALS.iter().find(|(of, _)| *of == path)
                && (*special == Special::Vsync) == is_first_group
                && let Some(rect) = place(ui, special.height())
            {
                self.special(ui, messages, rect, (row, *special));
            }
            let Some(rect) = place(ui, ROW) else { continue };
            // A setting of the first group has a row in its own group too.
            let id = if is_first_group { row_id(&row.path).with(number) } else { row_id(&row.path) };
            let response = self.row(ui, messages, rect, row, id);
            if response.contains_pointer() {
                let mut text = explanation(row, messages);
                if let (Some(drawn), Some(quality)) = (self.drawn_in_place_of(row, messages), self.drawn) {
                    let values = [("drawn", drawn.into()), ("target", format!("{:.1}", quality.target_ms).into())];
                    text = format!("{text} {}", messages.format("drawn-value", &values));
                }
                if with_hints {
                    response.on_hover_text(&text);
                }
                explained = Some(text);
            }
        }
        if rows.is_empty() {
            let text = messages.format("nothing-found", &[("search", self.search.trim().into())]);
            ui.label(RichText::new(text).color(theme::WEAK));
        }
        if self.is_listed {
            self.rows = rows;
        }
        if explained.is_some() {
            self.explained = explained;
        }
    }

    /// Lays out the special widget above `row`.
    fn special(&mut self, ui: &mut Ui, messages: &Messages, rect: Rect, (row, special): (&Row, Special)) {
        match special {
            Special::SunDial => {
                let degrees = |key| {
                    let path = ["sun".to_owned(), key];
                    let value = value_at(&self.scene.values, &path).and_then(Value::as_float).unwrap_or_default();
                    (path.to_vec(), value)
                };
                let (elevation, azimuth) = (degrees("elevation_deg".into()), degrees("azimuth_deg".into()));
                let (_, moved) = sun_dial(ui, rect, elevation.1 as f32, azimuth.1 as f32);
                if let Some(moved) = moved {
                    self.set(elevation.0, Value::Float(moved.0.into()));
                    self.set(azimuth.0, Value::Float(moved.1.into()));
                }
            }
            Special::Waters => {
                let now = value_at(&self.scene.values, &row.path).and_then(Value::as_str).unwrap_or_default();
                let (types, id) = (WaterColours::names(), row_id(&row.path).with("strip"));
                let line = |kind: &str| water_line(&self.scene.values, (kind, kind == now), messages);
                let chosen = water_strip(ui, rect, (&types, &self.waters), (now, &line), id);
                if let Some(chosen) = chosen.map(|chosen| Value::String(chosen.into())) {
                    self.set(row.path.clone(), chosen);
                }
            }
            Special::Vsync => {
                let (name, field) = columns(rect, 1);
                label(ui, name, &messages.get("vsync"), theme::TEXT);
                let mut vsync = self.scene.vsync;
                let builder = UiBuilder::new().max_rect(field).layout(Layout::left_to_right(Align::Center));
                if ui.scope_builder(builder, |ui| theme::checkbox(ui, &mut vsync, "")).inner {
                    self.scene.vsync = vsync;
                    self.asked.push(PanelCommand::Vsync(vsync));
                }
            }
        }
    }

    fn row(&mut self, ui: &mut Ui, messages: &Messages, rect: Rect, row: &Row, id: Id) -> Response {
        let sense = match row.content {
            RowContent::Group { .. } => Sense::click(),
            RowContent::Setting(_) => Sense::hover(),
        };
        let response = ui.interact(rect, id, sense);
        if response.hovered() {
            ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), 4.0, Color32::from_white_alpha(8));
        }
        match &row.content {
            RowContent::Group { .. } => {
                self.group(ui, messages, rect, row, id);
                if response.clicked() {
                    self.toggle(joined(&row.path));
                }
            }
            RowContent::Setting(setting) => self.setting(ui, messages, rect, (row, setting), id),
        }
        response
    }

    fn group(&mut self, ui: &mut Ui, messages: &Messages, rect: Rect, row: &Row, id: Id) {
        let RowContent::Group { is_open, entries, count, addition } = row.content else { return };
        let left = rect.left() + INDENT * row.depth as f32;
        widgets::caret(
            ui,
            Rect::from_min_size(pos2(left, rect.top()), vec2(10.0, rect.height())),
            is_open,
            theme::WEAK,
        );
        let colour = match (row.is_edited, row.depth) {
            (true, _) => theme::EDITED,
            (_, 0) => theme::ACCENT,
            _ => theme::TEXT,
        };
        let mut right = rect.right() - TAKE_BACK;
        if let Some(count) = count {
            right -= 64.0;
            let field = Rect::from_min_max(pos2(right, rect.top() + 1.0), pos2(right + 64.0, rect.bottom() - 1.0));
            let builder = UiBuilder::new().scope_id(id).max_rect(field).layout(Layout::right_to_left(Align::Center));
            if let Some(count) = ui.scope_builder(builder, |ui| widgets::count(ui, count)).inner {
                self.set(row.path.iter().cloned().chain(["count".into()]).collect(), count);
            }
        } else if let Some(entries) = entries {
            let font = FontId::proportional(11.0);
            let at = pos2(right - 4.0, rect.center().y);
            ui.painter().text(at, egui::Align2::RIGHT_CENTER, entries.to_string(), font, theme::WEAK);
            right -= 30.0;
        }
        let button = Rect::from_min_max(pos2(rect.right() - TAKE_BACK, rect.top()), rect.max);
        if let Some(addition) = addition {
            self.add_button(ui, messages, button, (row, addition));
        }
        if row.can_remove {
            self.remove_button(ui, messages, button, row);
        }
        label(
            ui,
            Rect::from_min_max(pos2(left + 14.0, rect.top()), pos2(right - 6.0, rect.bottom())),
            &row.title,
            colour,
        );
    }

    /// Lays out the button that adds an entry to the list of `row`.
    fn add_button(&mut self, ui: &Ui, messages: &Messages, rect: Rect, (row, addition): (&Row, Addition)) {
        let button = widgets::plus(ui, rect, add_id(&row.path)).on_hover_text(messages.get("add"));
        match addition {
            Addition::Next if button.clicked() => self.add(&row.path, None),
            Addition::Next => {}
            Addition::Model => {
                let chosen = Popup::menu(&button).show(|ui| {
                    let all = ScrollArea::vertical().max_height(MENU).show(ui, |ui| {
                        let clicked = |model: &&str| ui.button(messages.creature(model)).clicked();
                        models_for(&row.path).find(clicked)
                    });
                    all.inner
                });
                if let Some(model) = chosen.and_then(|chosen| chosen.inner) {
                    self.add(&row.path, Some(model));
                }
            }
        }
    }

    fn add(&mut self, list: &[String], model: Option<&str>) {
        let PanelScene { edits, values, in_file, .. } = &mut self.scene;
        let Some(new) = edits.add(list, model, values, in_file) else { return };
        // A new entry is open, to be edited.
        self.open.extend([joined(list), joined(&new)]);
        self.asked.push(PanelCommand::Change(self.scene.edits.clone()));
    }

    /// Lays out the button that removes the entry of `row`.
    fn remove_button(&mut self, ui: &Ui, messages: &Messages, rect: Rect, row: &Row) {
        let button = widgets::cross(ui, rect, remove_id(&row.path)).on_hover_text(messages.get("remove"));
        let PanelScene { edits, values, in_file, .. } = &mut self.scene;
        if button.clicked() && edits.remove(&row.path, values, in_file) {
            self.asked.push(PanelCommand::Change(self.scene.edits.clone()));
        }
    }

    fn setting(&mut self, ui: &mut Ui, messages: &Messages, rect: Rect, (row, setting): (&Row, &Setting), id: Id) {
        let (name, field) = columns(rect, row.depth);
        match self.drawn_in_place_of(row, messages) {
            Some(drawn) => label(ui, name, &format!("{}: {drawn}", row.title), theme::ACCENT),
            None => label(ui, name, &row.title, mark(row, setting)),
        }
        let builder = UiBuilder::new().scope_id(id).max_rect(field).layout(Layout::left_to_right(Align::Center));
        if let Some(value) = ui.scope_builder(builder, |ui| widgets::widget(ui, setting, messages)).inner {
            self.set(row.path.clone(), value);
        }
        let button = Rect::from_min_max(pos2(rect.right() - TAKE_BACK, rect.top()), rect.max);
        if row.can_remove {
            self.remove_button(ui, messages, button, row);
        } else if row.is_edited && widgets::take_back(ui, button, id.with("take back")) {
            self.scene.edits.forget(&row.path);
            if row.declared == WATER_TYPE {
                displaced_by("type", None)
                    .for_each(|(table, key, _)| self.scene.edits.forget(&[table.into(), key.into()]));
            }
            self.asked.push(PanelCommand::Change(self.scene.edits.clone()));
        }
    }

    /// Value that is drawn in place of a setting that the governor has changed.
    fn drawn_in_place_of(&self, row: &Row, messages: &Messages) -> Option<String> {
        let (level, value) = (self.drawn?.level, value_at(&self.scene.values, &row.path)?);
        match row.declared {
            QUALITY => Some(messages.choice(&level.quality.to_string())),
            SCALE => {
                let asked = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))?;
                let is_other = (f64::from(level.scale) - asked).abs() > 0.005;
                is_other.then(|| format!("{:.0} %", 100.0 * level.scale))
            }
            _ => None,
        }
    }

    fn toggle(&mut self, group: String) {
        if !self.open.remove(&group) {
            self.open.insert(group);
        }
        self.is_listed = false;
    }

    /// Sets a value and shows it at once, whether or not the change is accepted.
    fn set(&mut self, path: Vec<String>, value: Value) {
        let value = from_here(&path, value);
        for (table, key, neutral) in displaced(&path, &value) {
            let other = vec![table.to_owned(), key.to_owned()];
            if value_at(&self.scene.in_file, &path) == Some(&value) {
                // The values chosen for the file's own type come back with it.
                self.scene.edits.forget(&other);
            } else if value_at(&self.scene.values, &other).and_then(Value::as_float) != Some(neutral) {
                self.put(&other, Value::Float(neutral));
            }
        }
        self.put(&path, value);
        self.is_listed = false;
        self.asked.push(PanelCommand::Change(self.scene.edits.clone()));
    }

    fn put(&mut self, path: &[String], value: Value) {
        self.scene.edits.set(path, value.clone(), &self.scene.values);
        if let Some(place) = value_at_mut(&mut self.scene.values, path) {
            *place = value;
        }
    }
}

/// Other settings that a change of one displaces, with their new values.
fn displaced(path: &[String], value: &Value) -> impl Iterator<Item = (&'static str, &'static str, f64)> {
    let key = match path {
        [table, key] if table == "water" => key.as_str(),
        _ => "",
    };
    let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    displaced_by(key, number)
}

/// Description of a water type with its visibility; for the present type with the scene's own settings.
fn water_line(values: &Table, (kind, is_now): (&str, bool), messages: &Messages) -> String {
    let settings = || values.get("water").cloned().and_then(|water| WaterSettings::deserialize(water).ok());
    let measured = || {
        let kind = WaterType::JERLOV.into_iter().find(|known| known.to_string() == kind)?;
        Some(WaterSettings { kind, ..WaterSettings::default() })
    };
    let water = if is_now { settings() } else { measured() };
    let seen_m = water.map_or(0.0, |water| water.black_disc_m());
    let metres = if seen_m < 10.0 { format!("{seen_m:.1}") } else { format!("{seen_m:.0}") };
    let what = WATERS.iter().find(|(known, _)| *known == kind).map_or(String::new(), |(_, id)| messages.get(id));
    messages.format("water-line", &[("type", kind.into()), ("what", what.into()), ("metres", metres.into())])
}

/// Makes the path of a model absolute, so that it is found wherever the scene's file will be.
fn from_here(path: &[String], value: Value) -> Value {
    let is_path = |text: &&str| path.last().is_some_and(|key| key == MODEL_KEY) && !text.starts_with("builtin:");
    let absolute = value.as_str().filter(is_path).and_then(|text| std::path::absolute(text).ok());
    absolute.map_or(value, |path| Value::String(path.display().to_string()))
}

/// Rectangle of the next row, if it is in sight.
fn place(ui: &mut Ui, height: f32) -> Option<Rect> {
    let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width() - 8.0, height));
    ui.advance_cursor_after_rect(rect);
    ui.is_rect_visible(rect).then_some(rect)
}

/// Rectangles of a row's name and of its widget.
fn columns(rect: Rect, depth: usize) -> (Rect, Rect) {
    let left = rect.left() + INDENT * depth as f32 + 4.0;
    let middle = rect.left() + NAME * rect.width();
    let name = Rect::from_min_max(pos2(left, rect.top()), pos2(middle.max(left + 40.0), rect.bottom()));
    let field = Rect::from_min_max(
        pos2(name.right() + 6.0, rect.top() + 1.0),
        pos2(rect.right() - TAKE_BACK, rect.bottom() - 1.0),
    );
    (name, field)
}

fn label(ui: &mut Ui, rect: Rect, text: &str, colour: Color32) {
    let builder = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.add(Label::new(RichText::new(text).color(colour)).truncate().selectable(false).sense(Sense::empty()));
    });
}

/// Colour of a setting's name: whether it is changed, set by the file, or has its default.
fn mark(row: &Row, setting: &Setting) -> Color32 {
    match (row.is_edited, setting.default.is_some() && setting.value == setting.default) {
        (true, _) => theme::EDITED,
        (_, true) => theme::WEAK,
        _ => theme::TEXT,
    }
}

/// Explanation of a row: its path, its meaning, its range, its default and the value in the file.
fn explanation(row: &Row, messages: &Messages) -> String {
    let help = messages.setting_help(row.declared);
    let RowContent::Setting(setting) = &row.content else { return help };
    let mut text = format!("{}: {help}", joined(&row.path));
    if let Some(range) = range(&setting.schema, messages) {
        text += &format!(" {range}.");
    }
    if let Some(default) = &setting.default {
        text += &format!(" {}", messages.format("default-value", &[("value", default.to_string().into())]));
    }
    if let Some(in_file) = setting.in_file.as_ref().filter(|_| row.is_edited) {
        text += &format!(" {}", messages.format("file-value", &[("value", in_file.to_string().into())]));
    }
    text
}

/// Text of the range of a number.
fn range(schema: &ValueSchema, messages: &Messages) -> Option<String> {
    let range = match &schema.kind {
        ValueKind::Float(range) | ValueKind::Int(range) => range,
        ValueKind::Vector(ranges) | ValueKind::Vectors(ranges) => ranges.first()?,
        _ => return None,
    };
    let unit = if schema.unit.is_empty() { String::new() } else { format!(" {}", messages.unit(&schema.unit)) };
    Some(format!("{} \u{2013} {}{unit}", range.min, range.max))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use config::Edits;
    use render::Quality;
    use render::governor::QualityLevel;

    use super::*;
    use crate::panel::DrawnQuality;
    use crate::panel::rows::{Present, rows};

    /// Value shown beside a setting of the reef while that level is drawn.
    fn beside(path: &str, drawn: Option<(Quality, f32)>) -> Option<String> {
        let values = config::values(&config::load("reef", &[]).expect("a scene").config);
        let (open, messages) = (BTreeSet::from([FIRST_GROUP.to_owned()]), Messages::default());
        let (in_file, edits) = (&values, &Edits::default());
        let rows = rows(Present { values: &values, in_file, edits, open: &open, search: "", messages: &messages });
        let row = rows.into_iter().find(|row| joined(&row.path) == path).expect("it is listed");
        let drawn =
            drawn.map(|(quality, scale)| DrawnQuality { level: QualityLevel { quality, scale }, target_ms: 16.7 });
        let mut panel = SettingsPanel { drawn, ..SettingsPanel::default() };
        panel.set_scene(PanelScene { values, ..PanelScene::default() });
        panel.drawn_in_place_of(&row, &messages)
    }

    #[test]
    fn a_resolution_and_a_tier_that_were_chosen_stand_beside_what_was_asked_for() {
        let lowered = Some((Quality::Low, 0.5));
        assert_eq!(beside(SCALE, lowered).as_deref(), Some("50 %"));
        assert_eq!(beside(QUALITY, lowered).as_deref(), Some("low"));
        assert_eq!(beside("post.exposure_ev", lowered), None);
        assert_eq!(beside(SCALE, Some((Quality::Low, 1.0))), None, "it is what was asked for");
        assert_eq!([SCALE, QUALITY].map(|path| beside(path, None)), [None, None], "nobody has chosen");
    }
}
