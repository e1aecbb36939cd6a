//! The settings panel on the right, which Tab opens: everything that a scene file may say.
//!
//! It changes nothing itself: it shows a [`PanelScene`] and returns [`PanelCommand`]s.

use std::collections::BTreeSet;

use config::{BUILTIN_SCENES, Edits};
use egui::{
    Align, Area, Button, Id, Key, KeyboardShortcut, Label, Layout, Modifiers, RichText, ScrollArea, TextEdit, Ui, Vec2,
    pos2, vec2,
};
use render::governor::QualityLevel;
use shell::messages::Messages;
use shell::theme;
use toml::Table;

mod list;
mod rows;
mod sun_dial;
mod water_strip;
mod widgets;

#[cfg(test)]
pub use list::{add_id, remove_id, row_id};
pub use water_strip::WaterSample;

use rows::{FIRST_GROUP, Present, Row, rows};

/// Least and greatest width, if the screen has room. Unit: points.
const WIDTH: [f32; 2] = [280.0, 380.0];
/// Least height of the screen for the head to stay in place while the rows scroll. Unit: points.
const TALL: f32 = 400.0;
/// Least height of the screen for help below the rows; on a lower screen it is at the pointer. Unit: points.
const ROOMY: f32 = 600.0;
/// Least size at which the panel is shown. Unit: points.
const MIN: Vec2 = vec2(100.0, 30.0);
/// Height of the help below the rows. Unit: points.
const HELP: f32 = 62.0;
/// Text size of the help and of problems. Unit: points.
const HELP_TEXT: f32 = 11.5;

/// Request that a person makes in the panel.
#[derive(Clone, Debug, PartialEq)]
pub enum PanelCommand {
    /// The built-in scene of that index.
    Scene(usize),
    /// These changes in place of the present ones.
    Change(Edits),
    /// The state before the last change.
    Undo,
    /// The state after the change that was undone last.
    Redo,
    /// The changes written into the open file, or into a new one if there is none.
    Save,
    /// The changes written into a new file.
    SaveAsNew,
    /// Waiting for the screen or not.
    Vsync(bool),
}

/// Data that the panel shows.
#[derive(Clone, Debug, Default)]
pub struct PanelScene {
    /// The scene's name.
    pub name: String,
    /// Name of the open file, if there is one.
    pub file: Option<String>,
    /// Every value.
    pub values: Table,
    /// Every value without the changes.
    pub in_file: Table,
    /// The changes.
    pub edits: Edits,
    /// Whether there is something to undo, and to redo.
    pub can_undo: [bool; 2],
    /// Whether frames wait for the screen.
    pub vsync: bool,
    /// Errors in the file or a change, and warnings of values that are allowed but hardly meant.
    pub problems: Vec<String>,
}

/// Tier and resolution that are drawn, where the governor has lowered or raised those that were asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnQuality {
    /// Tier and resolution.
    pub level: QualityLevel,
    /// Frame time that is held with them. Unit: ms.
    pub target_ms: f64,
}

/// The panel, and the requests made in it.
#[derive(Clone, Debug)]
pub struct SettingsPanel {
    /// Whether it is shown.
    pub is_open: bool,
    /// Requests since this was emptied last.
    pub asked: Vec<PanelCommand>,
    /// Whether a value is being dragged.
    pub is_dragging: bool,
    /// Whether a change is being made that takes longer than a frame.
    pub is_working: bool,
    scene: PanelScene,
    /// Quality that is drawn, if the governor chooses it.
    pub drawn: Option<DrawnQuality>,
    /// Sample of each water type's look.
    pub waters: Vec<WaterSample>,
    open: BTreeSet<String>,
    search: String,
    rows: Vec<Row>,
    /// Whether the rows are up to date with what is shown.
    is_listed: bool,
    /// Explanation of the row that was under the pointer last.
    explained: Option<String>,
}

impl Default for SettingsPanel {
    fn default() -> Self {
        Self {
            is_open: false,
            asked: Vec::new(),
            is_dragging: false,
            is_working: false,
            scene: PanelScene::default(),
            drawn: None,
            waters: Vec::new(),
            open: [FIRST_GROUP, "water", "sun"].map(str::to_owned).into(),
            search: String::new(),
            rows: Vec::new(),
            is_listed: false,
            explained: None,
        }
    }
}

impl SettingsPanel {
    /// Shows that scene from now on.
    pub fn set_scene(&mut self, scene: PanelScene) {
        (self.scene, self.is_listed) = (scene, false);
    }

    /// Lays it out.
    pub fn show(&mut self, ctx: &egui::Context, messages: &Messages) {
        if !self.is_open {
            return;
        }
        self.hear_keys(ctx);
        if !std::mem::replace(&mut self.is_listed, true) {
            self.rows = rows(Present {
                values: &self.scene.values,
                in_file: &self.scene.in_file,
                edits: &self.scene.edits,
                open: &self.open,
                search: &self.search.to_lowercase(),
                messages,
            });
        }
        let screen = ctx.content_rect();
        let margin = if screen.width() < 1.5 * WIDTH[0] { 4.0 } else { theme::MARGIN };
        let width = self.width(ctx).min(screen.width() - 2.0 * margin);
        let frame = theme::frame();
        let inner = vec2(width, screen.height() - 2.0 * margin) - frame.total_margin().sum();
        if inner.x < MIN.x || inner.y < MIN.y {
            return;
        }
        let at = pos2(screen.right() - margin - width, screen.top() + margin);
        Area::new(Id::unique("settings")).fixed_pos(at).constrain(false).show(ctx, |ui| {
            frame.show(ui, |ui| {
                ui.set_min_size(inner);
                ui.set_max_size(inner);
                ui.spacing_mut().item_spacing = vec2(6.0, 3.0);
                if screen.height() >= TALL {
                    self.head(ui, messages);
                    let has_help = screen.height() >= ROOMY;
                    let height = ui.available_height() - if has_help { HELP } else { 0.0 };
                    ScrollArea::vertical()
                        .max_height(height)
                        .auto_shrink(false)
                        .show(ui, |ui| self.list(ui, messages, !has_help));
                    if has_help {
                        self.help(ui);
                    }
                } else {
                    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                        self.head(ui, messages);
                        self.list(ui, messages, true);
                    });
                }
            });
        });
        self.is_dragging = ctx.input(|input| input.pointer.any_down());
    }

    /// Whether the panel shows the water types.
    pub fn shows_waters(&self) -> bool {
        self.is_open && (self.open.contains("water") || !self.search.is_empty())
    }

    /// Width of the panel; 0 while it is closed. Unit: points.
    pub fn width(&self, ctx: &egui::Context) -> f32 {
        if self.is_open { (0.3 * ctx.content_rect().width()).clamp(WIDTH[0], WIDTH[1]) } else { 0.0 }
    }

    fn hear_keys(&mut self, ctx: &egui::Context) {
        let pressed =
            |modifiers, key| ctx.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)));
        if pressed(Modifiers::COMMAND, Key::F) {
            ctx.memory_mut(|memory| memory.request_focus(search_id()));
        }
        if pressed(Modifiers::COMMAND, Key::S) {
            self.asked.push(PanelCommand::Save);
        }
        // A field that is being filled in has undo and redo of its own.
        if ctx.egui_wants_keyboard_input() {
            return;
        }
        if pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z) || pressed(Modifiers::COMMAND, Key::Y) {
            self.asked.push(PanelCommand::Redo);
        } else if pressed(Modifiers::COMMAND, Key::Z) {
            self.asked.push(PanelCommand::Undo);
        }
    }

    /// Lays out the scene, the buttons for its changes, the problems and the search field.
    fn head(&mut self, ui: &mut Ui, messages: &Messages) {
        ui.horizontal(|ui| {
            let combo = egui::ComboBox::from_id_salt("scene")
                .selected_text(RichText::new(messages.scene(&self.scene.name)).strong());
            combo.width(120.0).show_ui(ui, |ui| {
                for (index, scene) in BUILTIN_SCENES.iter().enumerate() {
                    if ui.selectable_label(scene.name == self.scene.name, messages.scene(scene.name)).clicked() {
                        self.asked.push(PanelCommand::Scene(index));
                    }
                }
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.add(Button::new("\u{d7}").frame(false)).clicked() {
                    self.is_open = false;
                }
                let changes = match (self.is_working, self.scene.edits.iter().len()) {
                    (true, _) => RichText::new(messages.get("working")).color(theme::EDITED),
                    (_, 0) => RichText::new(messages.get("no-changes")).color(theme::WEAK),
                    (_, changes) => {
                        let changes = messages.format("changes", &[("count", changes.into())]);
                        RichText::new(changes).color(theme::EDITED)
                    }
                };
                ui.label(changes);
            });
        });
        ui.horizontal_wrapped(|ui| {
            let [can_undo, can_redo] = self.scene.can_undo;
            let changed = !self.scene.edits.is_empty();
            let mut button = |ui: &mut Ui, enabled, text: String, help: String, asked| {
                if ui.add_enabled(enabled, Button::new(text)).on_hover_text(help).clicked() {
                    self.asked.push(asked);
                }
            };
            button(ui, can_undo, messages.get("undo"), "Ctrl Z".into(), PanelCommand::Undo);
            button(ui, can_redo, messages.get("redo"), "Ctrl Shift Z".into(), PanelCommand::Redo);
            button(
                ui,
                changed,
                messages.get("revert"),
                messages.get("revert-help"),
                PanelCommand::Change(Edits::default()),
            );
            let save = match &self.scene.file {
                Some(file) => messages.format("save-help", &[("file", file.into())]),
                None => messages.get("save-new-help"),
            };
            button(ui, changed, messages.get("save"), save, PanelCommand::Save);
            if self.scene.file.is_some() {
                button(
                    ui,
                    changed,
                    messages.get("save-as-new"),
                    messages.get("save-as-new-help"),
                    PanelCommand::SaveAsNew,
                );
            }
            let copy = Button::new(messages.get("copy"));
            if ui.add_enabled(changed, copy).on_hover_text(messages.get("copy-help")).clicked() {
                ui.ctx().copy_text(self.scene.edits.command_line());
            }
        });
        for problem in &self.scene.problems {
            show_problem(ui, problem);
        }
        let search = TextEdit::singleline(&mut self.search).id(search_id()).hint_text(messages.get("search"));
        if ui.add(search.desired_width(f32::INFINITY)).changed() {
            self.is_listed = false;
        }
        ui.add_space(2.0);
    }

    /// Lays out the explanation of the row under the pointer.
    fn help(&self, ui: &mut Ui) {
        ui.separator();
        if let Some(explained) = &self.explained {
            ui.label(RichText::new(explained).size(HELP_TEXT).color(theme::WEAK));
        }
    }
}

/// Shows a problem in monospaced text, because carets point at a column of the line above them. Quoted lines, which
/// they stand under, are not wrapped but scroll sideways.
fn show_problem(ui: &mut Ui, problem: &str) {
    let lines: Vec<&str> = problem.lines().collect();
    for part in lines.chunk_by(|a, b| is_quoted(a) == is_quoted(b)) {
        let text = RichText::new(part.join("\n")).monospace().size(HELP_TEXT).color(theme::ERROR);
        if part.iter().all(|line| is_quoted(line)) {
            let sideways = ScrollArea::horizontal().id_salt(problem).auto_shrink([false, true]);
            sideways.show(ui, |ui| ui.add(Label::new(text).extend()));
        } else {
            ui.add(Label::new(text).wrap());
        }
    }
}

/// Whether a line quotes a file with its line number, or points at a column of such a line: both stand after a bar.
fn is_quoted(line: &str) -> bool {
    line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with('|')
}

fn search_id() -> Id {
    Id::unique("settings search")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_lines_are_told_from_what_is_said_of_them() {
        let problem = "mine.toml:3:1: water.tipe: unknown key; there are a|b\n    3 | tipe = 3\n      | ^^^^";
        let quoted: Vec<bool> = problem.lines().map(is_quoted).collect();
        assert_eq!(quoted, [false, true, true]);
    }
}
