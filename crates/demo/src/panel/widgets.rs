//! A widget for each kind of setting.

use config::{NumberRange, ValueKind};
use egui::{Color32, ComboBox, DragValue, Id, Rect, Response, Sense, Slider, Stroke, TextEdit, Ui, Vec2, pos2, vec2};
use shell::messages::Messages;
use shell::theme;
use toml::Value;

use crate::panel::rows::Setting;

/// Width of a number beside its slider. Unit: points.
const NUMBER: f32 = 80.0;
/// Least width of a slider; where there is less room the number alone is shown, to be dragged. Unit: points.
const SLIDER: f32 = 50.0;
/// Ratio of the ends of a range above which its slider is logarithmic.
const DECADES: f64 = 99.0;
/// Most characters of a unit that is shown beside its number; a longer one is told in the help.
const LONGEST_UNIT: usize = 6;
/// Most characters of a text.
const LONGEST_TEXT: usize = 400;

/// Shows a setting in all the room there is, and lets it be changed; returns the new value if it was.
pub fn widget(ui: &mut Ui, setting: &Setting, messages: &Messages) -> Option<Value> {
    let unit = match (setting.schema.unit.as_str(), messages.unit(&setting.schema.unit)) {
        ("degrees", _) => "\u{b0}".into(),
        (_, unit) if unit.is_empty() || unit.chars().count() > LONGEST_UNIT => String::new(),
        (_, unit) => format!(" {unit}"),
    };
    let value = setting.value.as_ref();
    match &setting.schema.kind {
        ValueKind::Bool => toggle(ui, value?.as_bool()?),
        ValueKind::Text => text(ui, value.and_then(Value::as_str).unwrap_or_default()).map(Value::String),
        ValueKind::Texts => {
            let now = texts(value).join(", ");
            let list = text(ui, &now)?;
            let list = list.split(',').map(str::trim).filter(|word| !word.is_empty());
            Some(Value::Array(list.map(|word| Value::String(word.into())).collect()))
        }
        ValueKind::Choice(choices) => choice(ui, messages, choices, value.and_then(Value::as_str).unwrap_or_default()),
        ValueKind::Choices(choices) => several(ui, messages, choices, &texts(value)),
        ValueKind::Float(range) => {
            let now = value.and_then(number);
            slider(ui, now, *range, false, &unit).map(float)
        }
        ValueKind::Int(range) => {
            let now = value.and_then(number);
            #[expect(clippy::cast_possible_truncation, reason = "it is a whole number within its range")]
            slider(ui, now, *range, true, &unit).map(|number| Value::Integer(number as i64))
        }
        ValueKind::Vector(ranges) => vector(ui, value.and_then(Value::as_array)?, ranges),
        // Their vectors have rows of their own.
        ValueKind::Vectors(_) => None,
    }
}

/// A whole number that is dragged, in little room.
pub fn count(ui: &mut Ui, now: i64) -> Option<Value> {
    let mut number = now;
    let drag = DragValue::new(&mut number).range(0..=1_000_000).speed(0.2);
    ui.add(drag).changed().then_some(Value::Integer(number))
}

fn number(value: &Value) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "whole numbers of settings are small")]
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

fn float(number: f64) -> Value {
    Value::Float((number * 1e4).round() / 1e4)
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

fn toggle(ui: &mut Ui, now: bool) -> Option<Value> {
    let mut on = now;
    theme::checkbox(ui, &mut on, "").then_some(Value::Boolean(on))
}

/// Whether a slider over `range` is logarithmic.
fn is_logarithmic(range: NumberRange) -> bool {
    match range.min > 0.0 {
        true => range.max / range.min > DECADES,
        false => range.min == 0.0 && range.max > DECADES,
    }
}

fn slider(ui: &mut Ui, now: Option<f64>, range: NumberRange, whole: bool, unit: &str) -> Option<f64> {
    // An optional value that is left out has a value once it is touched.
    let mut number = now.unwrap_or(range.min);
    let width = ui.available_width();
    let decimals = if whole { 0 } else { 3 };
    let mut changed = false;
    let slider_width = width - NUMBER - ui.spacing().item_spacing.x;
    if slider_width >= SLIDER {
        ui.spacing_mut().slider_width = slider_width;
        let slider = Slider::new(&mut number, range.min..=range.max)
            .logarithmic(is_logarithmic(range))
            .smallest_positive(if whole { 1.0 } else { 1e-2 })
            .max_decimals(decimals)
            .show_value(false);
        changed |= ui.add(if whole { slider.step_by(1.0) } else { slider }).changed();
    }
    let size = vec2(ui.available_width(), ui.available_height());
    let speed = if whole { 0.2 } else { ((range.max - range.min) / 400.0).min(0.1 + 0.01 * number.abs()) };
    let drag =
        DragValue::new(&mut number).range(range.min..=range.max).speed(speed).max_decimals(decimals).suffix(unit);
    let unset = now.is_none();
    let drag = drag.custom_formatter(move |number, decimals| match unset {
        true => "-".into(),
        false => egui::emath::format_with_decimals_in_range(number, decimals),
    });
    changed |= ui.add_sized(size, drag).changed();
    let number = if whole { number.round() } else { number };
    (changed && now != Some(number)).then(|| number.clamp(range.min, range.max))
}

fn vector(ui: &mut Ui, now: &[Value], ranges: &[NumberRange]) -> Option<Value> {
    let mut numbers: Vec<f64> = now.iter().filter_map(number).collect();
    if numbers.len() != ranges.len() {
        return None;
    }
    let mut changed = false;
    let is_colour = ranges.len() == 3 && ranges.iter().all(|range| (range.min, range.max) == (0.0, 1.0));
    if is_colour {
        let mut rgb = [numbers[0] as f32, numbers[1] as f32, numbers[2] as f32];
        if ui.color_edit_button_rgb(&mut rgb).changed() {
            numbers = rgb.map(f64::from).to_vec();
            changed = true;
        }
    }
    let gaps = ui.spacing().item_spacing.x * (ranges.len() - 1) as f32;
    let each = vec2((ui.available_width() - gaps) / ranges.len() as f32, ui.available_height());
    for (number, range) in numbers.iter_mut().zip(ranges) {
        let speed = ((range.max - range.min) / 400.0).min(0.02 + 0.01 * number.abs());
        let drag = DragValue::new(number).range(range.min..=range.max).speed(speed).max_decimals(2);
        changed |= ui.add_sized(each, drag).changed();
    }
    changed.then(|| Value::Array(numbers.into_iter().map(float).collect()))
}

fn choice(ui: &mut Ui, messages: &Messages, choices: &[String], now: &str) -> Option<Value> {
    let mut chosen = now.to_owned();
    let combo =
        ComboBox::from_id_salt("choice").selected_text(messages.choice(now)).width(ui.available_width()).truncate();
    combo.show_ui(ui, |ui| {
        for choice in choices {
            ui.selectable_value(&mut chosen, choice.clone(), messages.choice(choice));
        }
    });
    (chosen != now).then_some(Value::String(chosen))
}

fn several(ui: &mut Ui, messages: &Messages, choices: &[String], now: &[String]) -> Option<Value> {
    let mut chosen = now.to_vec();
    let said = if now.is_empty() {
        "-".into()
    } else {
        now.iter().map(|now| messages.choice(now)).collect::<Vec<_>>().join(", ")
    };
    let combo = ComboBox::from_id_salt("choices").selected_text(said).width(ui.available_width()).truncate();
    combo.close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show_ui(ui, |ui| {
        for choice in choices {
            let mut on = chosen.contains(choice);
            if theme::checkbox(ui, &mut on, &messages.choice(choice)) {
                match on {
                    true => chosen.push(choice.clone()),
                    false => chosen.retain(|other| other != choice),
                }
            }
        }
    });
    (chosen != now).then(|| Value::Array(chosen.into_iter().map(Value::String).collect()))
}

/// A field that is read when it is left or Enter is pressed; Escape leaves it as it was.
fn text(ui: &mut Ui, now: &str) -> Option<String> {
    let id = ui.scope_id().with("text");
    let kept = |ui: &Ui, id: Id| ui.data(|data| data.get_temp::<String>(id));
    let mut text = kept(ui, id).unwrap_or_else(|| now.to_owned());
    let response = ui.add(
        TextEdit::singleline(&mut text)
            .char_limit(LONGEST_TEXT)
            .desired_width(ui.available_width())
            .id(id.with("field")),
    );
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    let is_given_up = ui.input(|input| input.key_pressed(egui::Key::Escape));
    (response.lost_focus() && !is_given_up && text != now).then_some(text)
}

/// Draws a triangle that points down if the group is open, else to the right.
pub fn caret(ui: &Ui, rect: Rect, is_open: bool, colour: Color32) {
    let (c, r) = (rect.center(), 3.5);
    let points = match is_open {
        true => [pos2(c.x - r, c.y - 0.6 * r), pos2(c.x + r, c.y - 0.6 * r), pos2(c.x, c.y + 0.8 * r)],
        false => [pos2(c.x - 0.6 * r, c.y - r), pos2(c.x + 0.8 * r, c.y), pos2(c.x - 0.6 * r, c.y + r)],
    };
    ui.painter().add(egui::Shape::convex_polygon(points.to_vec(), colour, egui::Stroke::NONE));
}

/// A button that takes a change back; returns whether it was pressed.
pub fn take_back(ui: &Ui, rect: Rect, id: Id) -> bool {
    let response = ui.interact(rect, id, Sense::click());
    let colour = if response.hovered() { theme::EDITED } else { theme::EDITED.gamma_multiply(0.7) };
    // A round arrow that points back.
    let (middle, radius) = (rect.center(), 4.5);
    let at = |turn: f32| middle + radius * vec2(turn.cos(), turn.sin());
    let arc = (0_u8..=14).map(|step| at(-2.4 + 0.33 * f32::from(step))).collect();
    ui.painter().add(egui::Shape::line(arc, egui::Stroke::new(1.3, colour)));
    let tip = at(-2.4);
    let head = vec![tip + vec2(-3.4, 1.2), tip + vec2(2.6, 2.6), tip + vec2(-0.6, -3.2)];
    ui.painter().add(egui::Shape::convex_polygon(head, colour, egui::Stroke::NONE));
    response.clicked()
}

/// A button that adds something.
pub fn plus(ui: &Ui, rect: Rect, id: Id) -> Response {
    strokes(ui, rect, id, theme::ACCENT, &[[vec2(-4.0, 0.0), vec2(4.0, 0.0)], [vec2(0.0, -4.0), vec2(0.0, 4.0)]])
}

/// A button that takes something out.
pub fn cross(ui: &Ui, rect: Rect, id: Id) -> Response {
    strokes(ui, rect, id, theme::WEAK, &[[vec2(-3.0, -3.0), vec2(3.0, 3.0)], [vec2(-3.0, 3.0), vec2(3.0, -3.0)]])
}

fn strokes(ui: &Ui, rect: Rect, id: Id, colour: Color32, lines: &[[Vec2; 2]]) -> Response {
    let response = ui.interact(rect, id, Sense::click());
    let colour = if response.hovered() { theme::TEXT } else { colour };
    for line in lines {
        ui.painter().line_segment(line.map(|end| rect.center() + end), Stroke::new(1.5, colour));
    }
    response
}
