//! Text over the picture: the keys, transient messages, the frame rate.

use camera::PhotoCamera;
use egui::{Align2, Order, PlatformOutput, Popup, Rect, Vec2, vec2};
use gl::{Gl, GlError, RenderTarget};
use life::AnimalReport;
use shell::messages::Messages;
use shell::messages::fonts::MoreLetters;
use shell::painter::Painter;
use shell::theme;
use shell::theme::MARGIN;

use crate::loading_screen::LoadingScreen;
use crate::panel::SettingsPanel;
use crate::photo_strip;
use crate::ui_input::UiInput;

mod help;
mod mind;
pub mod question;
mod statistics;
mod toasts;

use question::Question;
pub use statistics::FrameGraph;
use toasts::Toasts;

/// Display time of the first hint. Unit: s.
const HINT_S: f64 = 5.0;
/// Longest side of the font texture, which every driver can take. Unit: texels.
const FONT_SIDE: usize = 2048;
/// Topic of the errors that the settings show while they are open.
pub const IN_SETTINGS: &str = "scene";
/// Least width of messages beside the settings; with less room they lie over the settings. Unit: points.
const MESSAGE: f32 = 150.0;
/// The room that panels should have; where the screen is smaller, they shrink. Unit: points.
const ROOM: Vec2 = vec2(640.0, 360.0);
/// Least number of pixels per point: letters are then 10 pixels high, below which they cannot be read.
const MIN_SCALE: f32 = 0.8;
/// Greatest number of pixels per point.
const MAX_SCALE: f32 = 8.0;

/// Everything that is drawn over the picture.
#[derive(Clone, Debug, Default)]
pub struct Panels {
    /// Whether the keys are listed.
    pub help: bool,
    /// Whether the frame rate is shown.
    pub statistics: bool,
    /// Text of the frame statistics.
    pub statistics_text: String,
    /// Whether the mind of an animal is shown.
    pub mind: bool,
    /// Name of the species and report of that animal, if there is one.
    pub animal: Option<(String, AnimalReport)>,
    /// Graph of the last frames' times.
    pub graph: Option<FrameGraph>,
    /// Camera of photo mode with the settings of its dials, while the mode is on.
    pub photo: Option<PhotoCamera>,
    /// The settings.
    pub settings: SettingsPanel,
    /// Input events for the panels that a person works with.
    pub input: UiInput,
    /// Messages in the person's language.
    pub messages: Messages,
    /// Question that everything else waits for, if one is asked.
    pub question: Option<Question>,
    /// Loading screen, which is drawn in place of the picture while a scene is being made.
    pub loading_screen: Option<LoadingScreen>,
    toasts: Toasts,
    hint_until_s: f64,
}

impl Panels {
    /// Panels that show nothing, in the language of `messages`.
    pub fn new(messages: Messages) -> Self {
        Self { messages, ..Self::default() }
    }

    /// Shows for a while a hint that says how to get help.
    pub fn hint(&mut self, now_s: f64) {
        self.hint_until_s = now_s + HINT_S;
    }

    /// Shows a message for a while in place of the previous one about the same `topic`; "" is no topic.
    pub fn notify_about(&mut self, topic: &'static str, text: impl Into<String>, now_s: f64) {
        self.toasts.notify(topic, text.into(), now_s);
    }

    /// Shows an error about a `topic` for a while, or until it is cleared.
    pub fn show_error(&mut self, topic: &'static str, text: &str, now_s: f64) {
        self.toasts.show_error(topic, text, &self.messages.get("more-on-terminal"), now_s);
    }

    /// Clears the error about a `topic`: the problem is solved.
    pub fn clear_error(&mut self, topic: &str) {
        self.toasts.clear_error(topic);
    }

    /// The error about a `topic` that is shown, if there is one.
    pub fn error(&self, topic: &str) -> Option<&str> {
        self.toasts.error(topic)
    }

    /// The messages that are shown.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn texts(&self) -> Vec<&str> {
        self.toasts.texts().collect()
    }

    /// Whether there is a panel to work with: to click on, to fill in, to scroll.
    pub fn are_worked_with(&self) -> bool {
        self.question.is_some()
            || self.settings.is_open
            || self.help
            || self.photo.is_some_and(|photo| !photo.hides_overlay)
    }

    fn is_empty(&self, now_s: f64) -> bool {
        !self.help
            && !self.statistics
            && !self.mind
            && !self.settings.is_open
            && self.question.is_none()
            && self.loading_screen.is_none()
            && self.toasts.is_empty(None)
            && self.photo.is_none()
            && self.hint_until_s <= now_s
    }
}

/// Draws [`Panels`] over the picture.
pub struct Overlay {
    gl: Gl,
    egui: egui::Context,
    letters: MoreLetters,
    /// Pixels per point in the last drawing.
    scale: f32,
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
        let (egui, mut letters, painter) = (theme::context(), MoreLetters::default(), Painter::new(gl)?);
        letters.install(&egui);
        Ok(Self { gl: gl.clone(), egui, letters, scale: 1.0, painter, was_worked_with: false, wishes: None })
    }

    /// Draws the panels over the finished frame in `target`. `size` is in pixels, `scale` in pixels per point.
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
        panels.toasts.pass(now_s);
        let is_worked_with = panels.are_worked_with();
        if std::mem::replace(&mut self.was_worked_with, is_worked_with) && !is_worked_with {
            self.egui.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
            self.wishes = Some(PlatformOutput::default());
        }
        let is_hidden =
            panels.photo.is_some_and(|photo| photo.hides_overlay) && !is_worked_with && panels.loading_screen.is_none();
        if panels.is_empty(now_s) || is_hidden {
            return Ok(());
        }
        if !self.letters.refresh(&self.egui) {
            return Ok(());
        }
        let screen_scale = scale;
        let scale = fitting_scale(size, scale);
        self.scale = scale;
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
            // egui sends each texture once: another context sends them again.
            self.painter.forget();
            self.egui = theme::context();
            self.letters.install(&self.egui);
        }
        painted
    }

    /// Takes the panels' requests to the screen since the last call.
    pub fn take_wishes(&mut self) -> Option<PlatformOutput> {
        self.wishes.take()
    }

    /// The context that lays the panels out.
    #[cfg(test)]
    pub fn egui(&self) -> &egui::Context {
        &self.egui
    }

    /// Whether keys are for a panel: a field is being filled in, or a list is open.
    pub fn has_keyboard(&self) -> bool {
        self.was_worked_with && (self.egui.egui_wants_keyboard_input() || Popup::is_any_open(&self.egui))
    }

    /// Whether a press of the pointer at `at`, in points of a screen of that `scale`, is for a panel.
    pub fn has_pointer(&self, at: Option<egui::Pos2>, scale: f32) -> bool {
        let is_over = |at: egui::Pos2| {
            let layer = self.egui.layer_id_at(at * (scale / self.scale));
            layer.is_some_and(|layer| layer.order != Order::Background)
        };
        self.was_worked_with && (self.egui.egui_is_using_pointer() || at.is_some_and(is_over))
    }
}

/// Pixels per point that give panels the room they should have: at most the screen's own `scale`, as long as letters
/// can be read.
fn fitting_scale(size: (u32, u32), scale: f32) -> f32 {
    let fitting = (size.0 as f32 / ROOM.x).min(size.1 as f32 / ROOM.y);
    let scale = scale.min(MAX_SCALE);
    fitting.clamp(MIN_SCALE.min(scale), scale)
}

fn lay_out(ctx: &egui::Context, panels: &mut Panels, now_s: f64) {
    if let Some(loading_screen) = &panels.loading_screen {
        loading_screen.show(ctx, &panels.messages, now_s);
    }
    let (messages, screen) = (&panels.messages, ctx.content_rect());
    panels.settings.show(ctx, messages);
    if let Some(photo) = &mut panels.photo {
        if photo.thirds {
            photo_strip::draw_thirds(ctx);
        }
        panel(ctx, "photo", (screen, Align2::CENTER_BOTTOM), true, |ui| photo_strip::show(ui, photo, messages));
    }
    // Beside the settings, which are on the right.
    let (statistics_at, mind_at) = match panels.settings.is_open {
        true => (Align2::LEFT_TOP, Align2::LEFT_CENTER),
        false => (Align2::RIGHT_TOP, Align2::RIGHT_BOTTOM),
    };
    if panels.statistics {
        panel(ctx, "statistics", (screen, statistics_at), false, |ui| {
            statistics::show(ui, &panels.statistics_text, panels.graph.as_ref(), messages);
        });
    }
    let mind = panels.mind.then(|| {
        panel(ctx, "mind", (screen, mind_at), false, |ui| match &panels.animal {
            Some((species, animal)) => mind::show(ui, species, animal, messages),
            None => drop(ui.label(messages.get("no-animal"))),
        })
    });
    let elsewhere = panels.settings.is_open.then_some(IN_SETTINGS);
    if !panels.toasts.is_empty(elsewhere) {
        // The dials of photo mode are below.
        let at = if panels.photo.is_some() { Align2::LEFT_TOP } else { Align2::LEFT_BOTTOM };
        let room = room_for_toasts(screen, panels.settings.width(ctx), mind);
        panel(ctx, "toasts", (room, at), false, |ui| panels.toasts.show(ui, elsewhere));
    }
    if panels.help {
        panel(ctx, "help", (screen, Align2::CENTER_CENTER), true, |ui| help::show(ui, messages));
    } else if panels.hint_until_s > now_s && !panels.statistics {
        panel(ctx, "hint", (screen, Align2::LEFT_TOP), false, |ui| drop(ui.label(messages.get("hint"))));
    }
    if let Some(question) = &mut panels.question {
        question.show(ctx, messages);
    }
}

/// Part of the screen for messages: left of the settings, which are `settings_width` wide, and left of or else above
/// the panel of the `mind`, if that is shown.
fn room_for_toasts(screen: Rect, settings_width: f32, mind: Option<Rect>) -> Rect {
    let mut room = screen;
    if screen.width() - settings_width - 2.0 * MARGIN >= MESSAGE {
        room.max.x -= settings_width;
    }
    if let Some(mind) = mind {
        match mind.left() - room.left() - 2.0 * MARGIN >= MESSAGE {
            true => room.max.x = room.max.x.min(mind.left()),
            false => room.max.y = mind.top(),
        }
    }
    room
}

/// Lays out a panel in a part of the screen; its contents are given the room there is. Returns its rectangle.
fn panel(
    ctx: &egui::Context,
    id: &str,
    (part, anchor): (Rect, Align2),
    is_worked_with: bool,
    contents: impl FnOnce(&mut egui::Ui),
) -> Rect {
    let frame = theme::frame();
    let part = part.shrink(MARGIN);
    let room = part.size() - frame.total_margin().sum();
    let area = egui::Area::new(egui::Id::unique(id)).pivot(anchor).fixed_pos(anchor.pos_in_rect(&part));
    let shown = area.interactable(is_worked_with).show(ctx, |ui| {
        frame.show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            ui.set_max_size(room.max(Vec2::splat(1.0)));
            contents(ui);
        });
    });
    shown.response.rect
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use shell::messages::Language;

    use super::*;

    #[test]
    fn letters_shrink_with_the_window_as_long_as_they_can_be_read() {
        assert_eq!(fitting_scale((1280, 720), 1.0), 1.0);
        assert_eq!(fitting_scale((2560, 1440), 2.0), 2.0);
        assert_eq!(fitting_scale((800, 450), 2.0), 1.25);
        assert_eq!(fitting_scale((300, 160), 1.0), MIN_SCALE);
        assert_eq!(fitting_scale((1, 1), 0.5), 0.5, "no larger than the screen's own");
    }

    fn report() -> AnimalReport {
        AnimalReport {
            species: 0,
            school: None,
            position: Vec3::ZERO,
            heading: Vec3::NEG_Z,
            bank: 0.0,
            length_m: 0.2,
            speed_m_s: 0.4,
            doing: "school",
            fear: 0.1,
            hunger: 0.5,
            fatigue: 0.2,
            loneliness: 0.3,
        }
    }

    #[test]
    fn the_keys_are_seen_whole_in_every_language() {
        for (size, language) in [vec2(1280.0, 720.0), vec2(960.0, 540.0)]
            .into_iter()
            .flat_map(|size| Language::ALL.map(|language| (size, language)))
        {
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            let ctx = theme::context();
            MoreLetters::default().install(&ctx);
            let mut panels = Panels { help: true, ..Panels::new(Messages::new(language)) };
            for _ in 0..3 {
                let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
                ctx.run_ui(input, |ui| lay_out(ui.ctx(), &mut panels, 0.0)).textures_delta.clear();
            }
            let place = ctx.memory(|memory| memory.area_rect(egui::Id::unique("help"))).expect("it is laid out");
            // There is room to spare, so that nothing of it is scrolled away.
            let room = screen.shrink2(vec2(MARGIN, 2.0 * MARGIN));
            assert!(room.contains_rect(place) && place.height() > 300.0, "{}: {place} in {size}", language.code());
        }
    }

    #[test]
    fn every_panel_stays_inside_every_window_and_messages_beside_the_mind() {
        for size in [vec2(1280.0, 720.0), vec2(640.0, 360.0), vec2(375.0, 200.0), vec2(1.25, 1.25)] {
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            let ctx = theme::context();
            let mut panels = Panels { help: true, statistics: true, mind: true, ..Panels::new(Messages::default()) };
            panels.statistics_text = "  60.0 fps     16.7 ms a frame\n".repeat(7);
            panels.notify_about("", "a picture is written to ".to_owned() + &"/a/long/folder".repeat(20), 0.0);
            panels.animal = Some(("sardine".into(), report()));
            panels.photo = Some(PhotoCamera::new(1.0));
            panels.show_error("scene", &"water.tipe: there is no such key\n".repeat(20), 0.0);
            for _ in 0..3 {
                let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
                ctx.run_ui(input, |ui| lay_out(ui.ctx(), &mut panels, 0.0)).textures_delta.clear();
            }
            let place = |id: &str| ctx.memory(|memory| memory.area_rect(egui::Id::unique(id))).expect("it is laid out");
            for id in ["help", "toasts", "statistics", "photo"] {
                let place = place(id);
                assert!(size.x < 2.0 || screen.expand(0.5).contains_rect(place), "{id}: {place} in {size}");
            }
            let (mind, toasts) = (place("mind"), place("toasts"));
            assert!(size.x < 2.0 || !mind.shrink(0.5).intersects(toasts), "{mind} and {toasts} in {size}");
        }
    }
}
