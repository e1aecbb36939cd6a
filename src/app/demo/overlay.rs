//! Text over the picture: the keys, messages that pass, the frame rate.

use egui::{Align2, Color32, Order, PlatformOutput, Popup, RichText, Vec2, vec2};

use crate::app::demo::curtain::Curtain;
use crate::app::demo::frame_times::{FrameHistory, FrameTimes, SHOWN};
use crate::app::demo::input::HELP;
use crate::app::demo::painter::Painter;
use crate::app::demo::panel::SettingsPanel;
use crate::app::demo::theme;
use crate::app::demo::ui_input::UiInput;
use crate::app::words::Words;
use crate::app::words::fonts::MoreLetters;
use crate::gl::{self, Gl, GlError, RenderTarget};
use crate::life::AnimalReport;

/// How long a message stays. Unit: s.
const MESSAGE_S: f64 = 4.0;
/// How long an error stays: it is longer, and matters more. Unit: s.
const ERROR_S: f64 = 12.0;
/// How long the first hint stays. Unit: s.
const HINT_S: f64 = 5.0;
/// Lines of an error that are shown; the terminal has the rest.
const ERROR_LINES: usize = 12;

/// Longest side of the texture that letters are in, which every driver can take. Unit: texels.
const FONT_SIDE: usize = 2048;

/// A message that passes.
#[derive(Clone, Debug, PartialEq)]
struct Message {
    /// What it is about: a newer one about the same takes its place. Empty for a message that stands alone.
    topic: &'static str,
    text: String,
    until_s: f64,
    error: bool,
}

/// What the last frames took, to be drawn.
#[derive(Clone, Debug)]
pub struct FrameGraph {
    /// The frames.
    pub history: FrameHistory,
    /// The budget of a frame, if one is held. Unit: ms.
    pub target_ms: Option<f64>,
}

/// What is written over the picture.
#[derive(Clone, Debug, Default)]
pub struct Panels {
    /// Whether the keys are listed.
    pub help: bool,
    /// Whether the frame rate is shown.
    pub statistics: bool,
    /// The frame rate's lines.
    pub statistics_text: String,
    /// Whether the mind of an animal is shown.
    pub mind: bool,
    /// The animal it is of, if any is there, after the name of its species.
    pub animal: Option<(String, AnimalReport)>,
    /// What the last frames took.
    pub graph: Option<FrameGraph>,
    /// The settings.
    pub settings: SettingsPanel,
    /// What happens to those that a person works with.
    pub input: UiInput,
    /// What it is written with.
    pub words: Words,
    /// What is drawn in place of the picture while a scene is on its way.
    pub curtain: Option<Curtain>,
    messages: Vec<Message>,
    hint_until_s: f64,
}

impl Panels {
    /// Nothing, in the language of `words`.
    pub fn new(words: Words) -> Self {
        Self { words, ..Self::default() }
    }

    /// Shows for a while where help is.
    pub fn hint(&mut self, now_s: f64) {
        self.hint_until_s = now_s + HINT_S;
    }

    /// Shows a message for a while.
    pub fn notify(&mut self, text: impl Into<String>, now_s: f64) {
        self.notify_about("", text, now_s);
    }

    /// Shows a message for a while in place of the one before about the same `topic`.
    pub fn notify_about(&mut self, topic: &'static str, text: impl Into<String>, now_s: f64) {
        self.messages.retain(|message| message.error || topic.is_empty() || message.topic != topic);
        self.add(Message { topic, text: text.into(), until_s: now_s + MESSAGE_S, error: false });
    }

    /// Shows an error about a `topic` for a while, or until it is cleared.
    pub fn show_error(&mut self, topic: &'static str, text: &str, now_s: f64) {
        let more = self.words.say("more-on-terminal");
        let mut lines: Vec<&str> = text.lines().take(ERROR_LINES + 1).collect();
        if lines.len() > ERROR_LINES {
            lines[ERROR_LINES] = &more;
        }
        self.clear_error(topic);
        self.add(Message { topic, text: lines.join("\n"), until_s: now_s + ERROR_S, error: true });
    }

    /// Takes away an error about a `topic`: what was wrong is right now.
    pub fn clear_error(&mut self, topic: &str) {
        self.messages.retain(|message| !(message.error && message.topic == topic));
    }

    /// The error about a `topic` that is shown, if there is one.
    pub fn error(&self, topic: &str) -> Option<&str> {
        let about = |message: &&Message| message.error && message.topic == topic;
        self.messages.iter().find(about).map(|message| message.text.as_str())
    }

    /// All that is said now.
    #[cfg(test)]
    pub fn texts(&self) -> Vec<&str> {
        self.messages.iter().map(|message| message.text.as_str()).collect()
    }

    fn add(&mut self, message: Message) {
        self.messages.push(message);
        let surplus = self.messages.len().saturating_sub(5);
        self.messages.drain(..surplus);
    }

    fn pass(&mut self, now_s: f64) {
        self.messages.retain(|message| message.until_s > now_s);
    }

    fn is_empty(&self, now_s: f64) -> bool {
        !self.help
            && !self.statistics
            && !self.mind
            && !self.settings.is_open
            && self.curtain.is_none()
            && self.messages.is_empty()
            && self.hint_until_s <= now_s
    }
}

/// Draws [`Panels`] over the picture.
pub struct Overlay {
    gl: Gl,
    egui: egui::Context,
    letters: MoreLetters,
    painter: Painter,
    was_worked_with: bool,
    wishes: Option<PlatformOutput>,
}

impl Overlay {
    /// Compiles the overlay's shaders.
    ///
    /// # Errors
    /// If the driver refuses an object; the picture can do without an overlay.
    pub fn new(gl: &Gl) -> Result<Self, GlError> {
        let (egui, mut letters, painter) = (context(), MoreLetters::default(), Painter::new(gl)?);
        letters.install(&egui);
        Ok(Self { gl: gl.clone(), egui, letters, painter, was_worked_with: false, wishes: None })
    }

    /// Draws what there is to say over the finished frame in `target`. `size` is in pixels, `scale` pixels a point.
    ///
    /// # Errors
    /// If the driver has no memory for it; the next frame tries again.
    pub fn draw(
        &mut self,
        target: Option<&RenderTarget>,
        panels: &mut Panels,
        (size, scale): ((u32, u32), f32),
        now_s: f64,
    ) -> Result<(), GlError> {
        panels.pass(now_s);
        let is_worked_with = panels.settings.is_open;
        if std::mem::replace(&mut self.was_worked_with, is_worked_with) && !is_worked_with {
            self.egui.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
            self.wishes = Some(PlatformOutput::default());
        }
        if panels.is_empty(now_s) {
            return Ok(());
        }
        self.letters.refresh(&self.egui);
        let screen_scale = scale;
        let scale = scale.clamp(0.5, 8.0);
        let mut input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(
                egui::Pos2::ZERO,
                vec2(size.0 as f32 / scale, size.1 as f32 / scale),
            )),
            max_texture_side: Some(FONT_SIDE),
            time: Some(now_s),
            events: panels.input.drain(screen_scale / scale),
            ..egui::RawInput::default()
        };
        input.viewports.entry(input.viewport_id).or_default().native_pixels_per_point = Some(scale);
        let mut output = self.egui.run_ui(input, |ui| lay_out(ui.ctx(), panels, now_s));
        let scale = output.pixels_per_point;
        if is_worked_with {
            self.wishes = Some(output.platform_output);
        }
        let primitives = self.egui.tessellate(output.shapes, scale);
        gl::present(&self.gl, target, size);
        let painted = self.painter.paint(size, scale, &primitives, &mut output.textures_delta);
        if painted.is_err() {
            // egui sends each texture once: another one sends them again.
            self.painter.forget();
            self.egui = context();
            self.letters.install(&self.egui);
        }
        painted
    }

    /// What panels want of the screen, since it was asked last.
    pub fn take_wishes(&mut self) -> Option<PlatformOutput> {
        self.wishes.take()
    }

    /// Whether keys are for a panel: a field is being filled in, or a list is open.
    pub fn has_keyboard(&self) -> bool {
        self.was_worked_with && (self.egui.egui_wants_keyboard_input() || Popup::is_any_open(&self.egui))
    }

    /// Whether a press of the pointer at `at`, in points of a screen of that `scale`, is for a panel.
    pub fn has_pointer(&self, at: Option<egui::Pos2>, scale: f32) -> bool {
        let is_over = |at: egui::Pos2| {
            let layer = self.egui.layer_id_at(at * (scale / scale.clamp(0.5, 8.0)));
            layer.is_some_and(|layer| layer.order != Order::Background)
        };
        self.was_worked_with && (self.egui.egui_is_using_pointer() || at.is_some_and(is_over))
    }
}

fn context() -> egui::Context {
    let egui = egui::Context::default();
    egui.set_visuals(theme::visuals());
    egui
}

fn lay_out(ctx: &egui::Context, panels: &mut Panels, now_s: f64) {
    if let Some(curtain) = &panels.curtain {
        curtain.show(ctx, &panels.words, now_s);
    }
    const MARGIN: f32 = 12.0;
    let words = &panels.words;
    panels.settings.show(ctx, words);
    if panels.help {
        panel(ctx, "help", Align2::CENTER_CENTER, Vec2::ZERO, |ui| {
            egui::Grid::new("keys").num_columns(2).spacing([18.0, 5.0]).show(ui, |ui| {
                for (key, what) in HELP {
                    ui.label(RichText::new(words.say(key)).strong().color(Color32::from_rgb(150, 220, 235)));
                    ui.label(words.say(what));
                    ui.end_row();
                }
            });
        });
    } else if panels.hint_until_s > now_s {
        panel(ctx, "hint", Align2::LEFT_TOP, vec2(MARGIN, MARGIN), |ui| {
            ui.label(words.say("hint"));
        });
    }
    if panels.statistics {
        panel(ctx, "statistics", Align2::RIGHT_TOP, vec2(-MARGIN, MARGIN), |ui| {
            ui.label(RichText::new(&panels.statistics_text).monospace());
            if let Some(graph) = &panels.graph {
                draw_graph(ui, graph, words);
            }
        });
    }
    if panels.mind {
        panel(ctx, "mind", Align2::RIGHT_BOTTOM, vec2(-MARGIN, -MARGIN), |ui| match &panels.animal {
            Some((species, animal)) => draw_mind(ui, species, animal, words),
            None => {
                ui.label(words.say("no-animal"));
            }
        });
    }
    if !panels.messages.is_empty() {
        panel(ctx, "messages", Align2::LEFT_BOTTOM, vec2(MARGIN, -MARGIN), |ui| {
            for message in &panels.messages {
                let text = RichText::new(&message.text);
                ui.label(if message.error { text.monospace().color(Color32::from_rgb(255, 160, 130)) } else { text });
            }
        });
    }
}

/// Writes what is on an animal's mind, its drives as bars.
fn draw_mind(ui: &mut egui::Ui, species: &str, animal: &AnimalReport, words: &Words) {
    const DRIVE: Vec2 = vec2(110.0, 9.0);
    let doing = words.say(&format!("doing-{}", animal.doing.replace(' ', "-")));
    let title = words.tell("mind", &[("species", species.into()), ("doing", doing.into())]);
    ui.label(RichText::new(title).strong());
    let AnimalReport { fear, hunger, fatigue, loneliness, speed_m_s, length_m, .. } = *animal;
    let drives =
        [("drive-fear", fear), ("drive-hunger", hunger), ("drive-fatigue", fatigue), ("drive-loneliness", loneliness)];
    egui::Grid::new("drives").num_columns(2).spacing([12.0, 3.0]).show(ui, |ui| {
        for (name, drive) in drives {
            ui.label(words.say(name));
            let (bar, _) = ui.allocate_exact_size(DRIVE, egui::Sense::hover());
            let filled = bar.with_max_x(bar.left() + bar.width() * drive.clamp(0.0, 1.0));
            ui.painter().rect_filled(bar, 2.0, Color32::from_gray(50));
            ui.painter().rect_filled(filled, 2.0, Color32::from_rgb(150, 220, 235));
            ui.end_row();
        }
    });
    let (lengths, speed) = (format!("{:4.1}", speed_m_s / length_m), format!("{speed_m_s:5.2}"));
    let speed = words.tell("mind-speed", &[("lengths", lengths.into()), ("speed", speed.into())]);
    ui.label(RichText::new(speed).monospace());
}

/// The parts of a frame, from the bottom up: text, colour, value.
type Part = (&'static str, Color32, fn(&FrameTimes) -> f64);

const PARTS: [Part; 4] = [
    ("part-world", Color32::from_rgb(120, 190, 95), |f| f.simulate_ms + f.extract_ms),
    ("part-submit", Color32::from_rgb(50, 160, 200), |f| f.cull_ms + f.submit_ms),
    ("part-text", Color32::from_rgb(190, 150, 210), |f| f.overlay_ms),
    ("part-wait", Color32::from_rgb(110, 135, 150), |f| f.wait_ms),
];
/// Colour of GPU time.
const GPU: Color32 = Color32::from_rgb(255, 205, 110);
/// Width of a frame's bar in points.
const BAR: f32 = 1.5;
/// Height of the graph in points.
const GRAPH: f32 = 80.0;

/// Draws a bar a frame, stacked by what took its time, the GPU's time as dots and the budget as a line.
fn draw_graph(ui: &mut egui::Ui, graph: &FrameGraph, words: &Words) {
    let (field, _) = ui.allocate_exact_size(vec2(BAR * SHOWN as f32, GRAPH), egui::Sense::hover());
    let (_, p99) = graph.history.spread().unwrap_or_default();
    let budget = graph.target_ms.unwrap_or(1000.0 / 60.0);
    // The budget is in sight, and one slow frame does not flatten all others.
    let top = (1.3 * budget).max(1.15 * p99) as f32;
    let at = |ms: f64| field.bottom() - (ms as f32 / top).min(1.0) * field.height();
    let mut mesh = egui::Mesh::default();
    let (shown, gpu_is_told) = (graph.history.frames().len(), graph.history.gpu_median().is_some());
    for (i, frame) in graph.history.frames().enumerate() {
        let left = field.right() - BAR * (shown - i) as f32;
        let mut below = 0.0;
        let mut part = |from: f64, to: f64, colour| {
            let corners = egui::Rect::from_min_max(egui::pos2(left, at(to)), egui::pos2(left + BAR, at(from)));
            mesh.add_colored_rect(corners, colour);
        };
        for (_, colour, value) in PARTS {
            let ms = value(frame);
            part(below, below + ms, colour);
            below += ms;
        }
        if let Some(gpu) = frame.gpu_ms.filter(|_| gpu_is_told) {
            part(gpu, gpu + f64::from(top) * 0.025, GPU);
        }
    }
    let painter = ui.painter();
    painter.add(egui::Shape::mesh(mesh));
    let line = egui::Stroke::new(1.0, Color32::from_rgba_unmultiplied(255, 255, 255, 130));
    painter.hline(field.x_range(), at(budget), line);
    let font = egui::FontId::proportional(11.0);
    let above = field.left_top() + vec2(2.0, at(budget) - field.top() - 14.0);
    painter.text(above, Align2::LEFT_TOP, format!("{budget:.1} ms"), font.clone(), Color32::from_gray(225));
    ui.horizontal(|ui| {
        let gpu = graph.history.gpu_median().map(|_| ("part-gpu", GPU));
        for (name, colour) in PARTS.map(|(name, colour, _)| (name, colour)).into_iter().chain(gpu) {
            let (swatch, _) = ui.allocate_exact_size(vec2(9.0, 9.0), egui::Sense::hover());
            ui.painter().rect_filled(swatch, 1.0, colour);
            ui.label(RichText::new(words.say(name)).font(font.clone()));
        }
    });
}

fn panel(ctx: &egui::Context, id: &str, anchor: Align2, offset: Vec2, contents: impl FnOnce(&mut egui::Ui)) {
    egui::Area::new(egui::Id::unique(id)).anchor(anchor, offset).interactable(false).show(ctx, |ui| {
        theme::frame().show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            contents(ui);
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_pass_and_errors_stay_longer() {
        let mut panels = Panels::default();
        panels.notify("saved", 1.0);
        panels.show_error("scene", "line 3: no such key", 1.0);
        panels.show_error("shaders", "no such function", 1.0);
        panels.pass(6.0);
        assert_eq!(panels.messages.len(), 2);
        panels.clear_error("shaders");
        assert!(panels.messages.iter().all(|message| message.error && message.topic == "scene"));
        panels.notify_about("scene", "reef", 6.0);
        assert_eq!(panels.messages.len(), 2, "a message does not replace an error");
        panels.clear_error("scene");
        panels.pass(11.0);
        assert!(panels.is_empty(11.0));
    }

    #[test]
    fn a_long_error_is_cut_and_says_so() {
        let mut panels = Panels::default();
        panels.show_error("scene", &"wrong\n".repeat(100), 0.0);
        assert_eq!(panels.messages[0].text.lines().count(), ERROR_LINES + 1);
        assert!(panels.messages[0].text.ends_with("terminal)"));
    }

    #[test]
    fn messages_do_not_pile_up() {
        let mut panels = Panels::default();
        for i in 0..50 {
            panels.notify(format!("{i}"), 0.0);
        }
        assert_eq!(panels.messages.len(), 5);
        assert_eq!(panels.messages[4].text, "49");
        panels.notify_about("speed", "2 m/s", 0.0);
        panels.notify_about("speed", "3 m/s", 0.0);
        assert_eq!(panels.messages[3].text, "49");
        assert_eq!(panels.messages[4].text, "3 m/s");
    }
}
