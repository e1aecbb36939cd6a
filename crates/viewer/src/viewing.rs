//! State of the running viewer: frames, keys, edits of its files.
//!
//! It is independent of the window system and the clock, like the demo's running part.

use std::path::Path;

use egui::{Event, Key, Panel, RichText, Sense};
use glam::Vec2;
use model::animation::pose;
use platform::clock::Clock;
use platform::context_error::ContextError;
use platform::out_folders::OutFolders;
use render::{Line, ShaderSource, Studio, StudioView};
use runtime::AppError;
use runtime::picture_file::{PictureFile, screenshot_path, screenshot_paths};
use shell::context_loss::ContextLossLimiter;
use shell::messages::Messages;
use shell::messages::fonts::MoreLetters;
use shell::painter::Painter;
use shell::rate::shortest_frame_s;
use shell::screen::Screen;
use shell::theme;
use shell::theme::context;

use crate::orbit::Orbit;
use crate::strip::{BACKDROPS, Controls, Facts, Surface};
use crate::subject::Subject;
use crate::{bones, strip};

/// Time between checks of the files. Unit: s.
const LOOK_EVERY_S: f64 = 0.25;
/// Display time of a message. Unit: s.
const MESSAGE_S: f64 = 5.0;
/// Frames drawn after an event, since egui settles over several.
const SETTLING: u32 = 3;
/// Longest time step of a frame. Unit: s.
const LONGEST_FRAME_S: f64 = 0.1;
/// Zoom of the wheel for each point that it turns.
const ZOOM: f32 = 0.004;
/// Narrowest window with room for the panel beside the model. Unit: points.
const NARROW: f32 = 2.0 * strip::WIDTH;

/// A model on a screen with its view settings.
pub struct Viewing {
    // Dropped in this order: objects made with the context go before it.
    studio: Studio,
    painter: Painter,
    screen: Box<dyn Screen>,
    egui: egui::Context,
    letters: MoreLetters,
    events: Vec<Event>,
    messages: Messages,
    subject: Subject,
    /// Length of the body, if it is known. Unit: m.
    length_m: Option<f32>,
    pictures: OutFolders,
    controls: Controls,
    orbit: Orbit,
    /// Morph weights of the controls that the studio shows.
    weights: Vec<f32>,
    /// Share of the picture's width that the panel covers.
    covered: f32,
    size: (u32, u32),
    /// Reason for which the file's current version is not shown.
    problem: Option<String>,
    /// Message that is shown for a while, and the time at which it ends.
    message: Option<(String, f64)>,
    clock: Clock,
    last_frame_s: f64,
    next_look_s: f64,
    shortest_frame_s: f64,
    settling: u32,
    is_hidden: bool,
    losses: ContextLossLimiter,
    /// Whether the context is lost, until it is [replaced](Self::reopened).
    is_lost: bool,
    /// Outcome, once it has ended.
    outcome: Option<Result<(), AppError>>,
}

/// Actions of the pointer beside the panel.
#[derive(Default)]
struct Pointing {
    drag: Vec2,
    wheel: f32,
}

impl Viewing {
    /// Shows a model.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses an object.
    pub fn new(
        mut screen: Box<dyn Screen>,
        subject: Subject,
        (length_m, pictures, messages): (Option<f32>, OutFolders, Messages),
        clock: Clock,
    ) -> Result<Self, AppError> {
        let size = screen.size();
        let size = (size.0.max(1), size.1.max(1));
        screen.resize(size);
        let (now_s, egui, mut letters) = (clock(), context(), MoreLetters::default());
        letters.install(&egui);
        // Without room beside the model, the panel is closed at first.
        let is_open = size.0 as f32 / screen.scale() > NARROW;
        let keys = (!is_open).then(|| (messages.get("view-keys"), now_s + MESSAGE_S));
        Ok(Self {
            studio: Studio::new(&screen.gl(), &ShaderSource::default(), size, &subject.loaded.model)?,
            painter: Painter::new(&screen.gl())?,
            egui,
            letters,
            events: Vec::new(),
            messages,
            subject,
            length_m,
            pictures,
            controls: Controls { is_open, ..Controls::default() },
            orbit: Orbit::default(),
            weights: Vec::new(),
            covered: 0.0,
            size,
            problem: None,
            message: keys,
            clock,
            last_frame_s: now_s,
            next_look_s: now_s,
            shortest_frame_s: shortest_frame_s(screen.refresh_hz(), screen.device().software),
            settling: SETTLING,
            is_hidden: false,
            losses: ContextLossLimiter::default(),
            is_lost: false,
            outcome: None,
            screen,
        })
    }

    /// Continues on a new screen in place of a lost one, which is dropped first.
    ///
    /// # Errors
    /// If no other screen opens, or the driver refuses an object.
    pub fn reopened(self, open: impl FnOnce(&str) -> Result<Box<dyn Screen>, ContextError>) -> Result<Self, AppError> {
        let Self { studio, painter, screen, subject, length_m, pictures, messages, .. } = self;
        drop((studio, painter));
        drop(screen);
        let screen = open(&subject.window_title())?;
        let new = Self::new(screen, subject, (length_m, pictures, messages), self.clock)?;
        Ok(Self { controls: self.controls, orbit: self.orbit, problem: self.problem, losses: self.losses, ..new })
    }

    /// Whether the context is lost and another is worthwhile.
    pub fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Queues an event of egui.
    pub fn take(&mut self, event: Event) {
        self.events.push(event);
        self.settling = SETTLING;
    }

    /// Follows the window's size; a size with a zero is ignored.
    pub fn resized(&mut self, size: (u32, u32)) {
        if size.0 == 0 || size.1 == 0 || size == self.size {
            return;
        }
        match self.studio.resize(size) {
            Ok(()) => {
                self.screen.resize(size);
                (self.size, self.settling) = (size, SETTLING);
            }
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Sets whether the window is hidden.
    pub fn hidden(&mut self, is_hidden: bool) {
        (self.is_hidden, self.settling) = (is_hidden, SETTLING);
    }

    /// Ends the viewer with an outcome.
    pub fn leave(&mut self, outcome: Result<(), AppError>) {
        self.outcome = Some(outcome);
    }

    /// Takes the outcome, if it has ended.
    pub fn take_outcome(&mut self) -> Option<Result<(), AppError>> {
        self.outcome.take()
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// Checks the files when it is time to, and requests the next frame when one is due; returns the latest time by the
    /// clock for the next call.
    pub fn idle(&mut self) -> f64 {
        let now_s = (self.clock)();
        if now_s >= self.next_look_s {
            self.next_look_s = now_s + LOOK_EVERY_S;
            if self.subject.is_edited() {
                self.read_again();
            }
            self.message.take_if(|(_, until_s)| *until_s <= now_s).inspect(|_| self.settling = SETTLING);
        }
        let moves = self.orbit.turns || self.controls.playback.moves(&self.subject.loaded);
        let (width, height) = self.screen.size();
        let is_seen = !self.is_hidden && !self.is_lost && width > 0 && height > 0 && !self.screen.is_minimised();
        if !is_seen || !(moves || self.settling > 0) {
            return self.next_look_s;
        }
        let next_frame_s = self.last_frame_s + self.shortest_frame_s;
        if now_s < next_frame_s {
            return next_frame_s.min(self.next_look_s);
        }
        self.screen.request_redraw();
        self.next_look_s
    }

    /// Draws a frame and shows it.
    pub fn draw(&mut self) {
        let now_s = (self.clock)();
        let elapsed_s = (now_s - self.last_frame_s).clamp(0.0, LONGEST_FRAME_S) as f32;
        self.last_frame_s = now_s;
        self.settling = self.settling.saturating_sub(1);
        self.orbit.advance(elapsed_s);
        self.controls.playback.advance(&self.subject.loaded, elapsed_s);

        let mut output = self.lay_out(now_s);
        self.hear_keys();
        self.weigh();
        let scale = output.pixels_per_point;
        let primitives = self.egui.tessellate(std::mem::take(&mut output.shapes), scale);
        let drawn = self.view(self.covered, |studio, view| studio.draw(view, self.screen.output()));
        let drawn = drawn.and_then(|()| {
            gl::present(&self.screen.gl(), self.screen.output(), self.size);
            self.painter.paint(self.size, scale, &primitives, &mut output.textures_delta)
        });
        let swapped = drawn.is_ok().then(|| self.screen.swap().err()).flatten();
        let lost = swapped.or(self.screen.reset().map(|reset| format!("reset, {reset:?}")));
        match (lost, drawn) {
            (Some(why), _) if self.losses.another(now_s) => {
                log::warn!("context lost, recreating ({why})");
                self.is_lost = true;
            }
            (Some(why), _) => self.leave(Err(AppError::ContextLost(why))),
            (None, Err(error)) => self.leave(Err(error.into())),
            (None, Ok(())) => self.screen.serve_panels(output.platform_output),
        }
    }

    /// Updates the studio to the morph weights of the controls.
    fn weigh(&mut self) {
        let wanted = &self.controls.weights;
        if self.weights != *wanted {
            match self.studio.add_morph_weights(&self.subject.loaded.model, wanted) {
                Ok(()) => self.weights.clone_from(wanted),
                Err(error) => self.say(error.to_string()),
            }
        }
    }

    /// Lays out the panel with egui and applies the input to it.
    fn lay_out(&mut self, now_s: f64) -> egui::FullOutput {
        self.letters.refresh(&self.egui);
        let scale = self.screen.scale().clamp(0.5, 8.0);
        let (width, height) = (self.size.0 as f32 / scale, self.size.1 as f32 / scale);
        let mut input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height))),
            time: Some(now_s),
            events: std::mem::take(&mut self.events),
            ..egui::RawInput::default()
        };
        input.viewports.entry(input.viewport_id).or_default().native_pixels_per_point = Some(scale);
        let (metres, grid_m) = (self.metres(), self.grid_m());
        let title = self.subject.title();
        let facts = Facts { loaded: &self.subject.loaded, title: &title, metres, grid_m };
        let (controls, orbit, messages) = (&mut self.controls, &mut self.orbit, &self.messages);
        let (problem, message) = (&self.problem, &self.message);
        let (mut pointing, mut covered) = (Pointing::default(), 0.0);
        let output = self.egui.run_ui(input, |ui| {
            covered = 0.0;
            if controls.is_open {
                let frame = theme::frame().corner_radius(0);
                let panel = Panel::right("viewer").exact_size(strip::WIDTH).resizable(false).frame(frame);
                let panel = panel.show_separator_line(false);
                let shown = panel.show(ui, |ui| strip::show(ui, controls, orbit, &facts, messages));
                covered = if width > NARROW { shown.response.rect.width() / width } else { 0.0 };
            }
            let place = ui.available_rect_before_wrap();
            let beside = ui.interact(place, ui.scope_id().with("beside"), Sense::drag());
            pointing.drag = Vec2::from(<[f32; 2]>::from(beside.drag_delta()));
            pointing.wheel =
                if beside.contains_pointer() { ui.input(|input| input.smooth_scroll_delta.y) } else { 0.0 };
            notes(ui, problem.as_deref(), message.as_ref().map(|(text, _)| text.as_str()), messages);
        });
        self.covered = covered;
        self.orbit.drag(pointing.drag);
        self.orbit.zoom((ZOOM * pointing.wheel).exp());
        if output.viewport_output.values().any(|viewport| viewport.repaint_delay.is_zero()) {
            self.settling = self.settling.max(1);
        }
        output
    }

    fn hear_keys(&mut self) {
        if self.egui.text_edit_focused() {
            return;
        }
        for key in self.egui.input(|input| {
            let pressed = |event: &Event| match event {
                Event::Key { key, pressed: true, repeat, modifiers, .. } if !modifiers.command => {
                    (!repeat || matches!(key, Key::Comma | Key::Period)).then_some(*key)
                }
                _ => None,
            };
            input.events.iter().filter_map(pressed).collect::<Vec<_>>()
        }) {
            self.hear(key);
            self.settling = SETTLING;
        }
    }

    fn hear(&mut self, key: Key) {
        let (controls, loaded) = (&mut self.controls, &self.subject.loaded);
        match key {
            Key::Space => controls.playback.plays = !controls.playback.plays,
            Key::Comma => controls.playback.step(loaded, -1.0),
            Key::Period => controls.playback.step(loaded, 1.0),
            Key::R => (self.orbit, controls.playback.phase) = (Orbit::default(), 0.0),
            Key::T => self.orbit.turns = !self.orbit.turns,
            Key::F => self.turn(),
            Key::W => controls.wireframe = !controls.wireframe,
            Key::N => controls.normals = !controls.normals,
            Key::S => controls.skeleton = !controls.skeleton,
            Key::G => controls.grid = !controls.grid,
            Key::C => controls.toggle(Surface::Clay),
            Key::J => controls.toggle(Surface::Weights),
            Key::B => controls.backdrop = (controls.backdrop + 1) % BACKDROPS.len(),
            Key::Tab => controls.is_open = !controls.is_open,
            Key::F11 => self.screen.set_full_screen(!self.screen.is_full_screen()),
            Key::F12 => self.save_picture(),
            Key::Escape if self.screen.is_full_screen() => self.screen.set_full_screen(false),
            Key::Escape => self.leave(Ok(())),
            _ => {}
        }
    }

    /// Calls `draw` with the current view, whose camera centres the model in the part that the panel leaves free.
    fn view<T>(&self, covered: f32, draw: impl FnOnce(&Studio, &StudioView<'_>) -> T) -> T {
        let (controls, loaded) = (&self.controls, &self.subject.loaded);
        let camera = self.orbit.camera(self.size.0 as f32 / self.size.1 as f32, covered);
        let lod = controls.lod.min(loaded.model.lods.len() - 1);
        let mut lines: Vec<Line> = Vec::new();
        if controls.normals || controls.skeleton {
            let (pose, scale) = (pose(&loaded.model.skeleton, controls.playback.time_s(loaded)), self.screen.scale());
            if controls.normals {
                let level = (&loaded.model, &loaded.model.lods[lod]);
                lines.extend(bones::normals(level, &pose, self.studio.world_from_model(), camera.eye, scale));
            }
            if controls.skeleton {
                lines.extend(bones::skeleton(&loaded.model.skeleton, &pose, controls.joint, scale));
            }
        }
        draw(
            &self.studio,
            &StudioView {
                camera,
                row: controls.playback.row(loaded),
                lod,
                paint: controls.paint(),
                wireframe: controls.wireframe,
                backdrop: BACKDROPS[controls.backdrop].1,
                grid: if controls.grid { self.grid_m() / self.metres() } else { 0.0 },
                lines: &lines,
            },
        )
    }

    /// Metres a model unit: 1 unless the model's length is known.
    fn metres(&self) -> f32 {
        let length = self.subject.loaded.model.length;
        self.length_m.filter(|_| length > 0.0 && length.is_finite()).map_or(1.0, |length_m| length_m / length)
    }

    /// Spacing of the grid's lines, a power of ten: about a tenth of the model. Unit: m.
    fn grid_m(&self) -> f32 {
        let radius_m = self.subject.loaded.model.bounds.radius() * self.metres();
        if radius_m > 0.0 && radius_m.is_finite() { 10f32.powf((0.4 * radius_m).log10().floor()) } else { 1.0 }
    }

    fn read_again(&mut self) {
        self.settling = SETTLING;
        let read = self.subject.read_again().map_err(AppError::from);
        let shown = read.and_then(|loaded| {
            self.studio.show(&loaded.model)?;
            Ok(loaded)
        });
        match shown {
            Ok(loaded) => {
                let old = self.subject.replace(loaded);
                self.controls.follow(&old, &self.subject.loaded);
                self.weights.clear();
                self.problem = None;
                log::info!("{} read again", self.subject.source());
                self.say(self.messages.format("view-read-again", &[("name", self.subject.title().into())]));
            }
            Err(error) => {
                log::error!("{error}");
                self.problem = Some(error.to_string());
            }
        }
    }

    /// Lets the model look another way, and says what to write for it.
    fn turn(&mut self) {
        let turned = self.subject.turned().map_err(AppError::from).and_then(|turned| {
            self.studio.show(&turned.1.model)?;
            Ok(turned)
        });
        match turned {
            Ok((request, loaded, written)) => {
                let old = self.subject.replace_with(request, loaded);
                self.controls.follow(&old, &self.subject.loaded);
                self.weights.clear();
                let text = self.messages.format("view-turned", &[("forward", written.into())]);
                log::info!("{}: {text}", self.subject.source());
                self.say(text);
            }
            Err(error) => {
                log::error!("{error}");
                self.problem = Some(error.to_string());
            }
        }
    }

    fn say(&mut self, text: String) {
        self.message = Some((text, (self.clock)() + MESSAGE_S));
        self.settling = SETTLING;
    }

    fn save_picture(&mut self) {
        let name = self.subject.loaded.model.name.clone();
        let file = self.pictures.first(|folder| PictureFile::check(&screenshot_path(folder, &name, &[])));
        let saved = file.and_then(|(file, _)| {
            let folder = file.path().parent().unwrap_or(Path::new(""));
            let picture = self.view(0.0, |studio, view| studio.capture(view))?;
            Ok(file.write_new(&picture, screenshot_paths(folder, &name))?.display().to_string())
        });
        match saved {
            Ok(path) => {
                log::info!("picture written to {path}");
                self.say(self.messages.format("written", &[("what", "picture".into()), ("path", path.into())]));
            }
            Err(error) => {
                log::error!("{error}");
                self.say(error.to_string());
            }
        }
    }
}

/// Shows the file's problem and the current message.
fn notes(ui: &mut egui::Ui, problem: Option<&str>, message: Option<&str>, messages: &Messages) {
    let place = ui.available_rect_before_wrap().shrink(12.0);
    let note = |ui: &mut egui::Ui, id: &str, pivot: egui::Align2, at: egui::Pos2, text: RichText| {
        let area = egui::Area::new(egui::Id::unique(id)).pivot(pivot).fixed_pos(at).interactable(false);
        area.show(ui.ctx(), |ui| {
            ui.set_max_width(place.width().max(80.0));
            theme::frame().show(ui, |ui| ui.label(text));
        });
    };
    if let Some(problem) = problem {
        let text = format!("{}\n{problem}", messages.get("view-broken"));
        let text = RichText::new(text).color(theme::ERROR);
        note(ui, "problem", egui::Align2::LEFT_TOP, place.left_top(), text);
    }
    if let Some(message) = message {
        note(ui, "message", egui::Align2::LEFT_BOTTOM, place.left_bottom(), RichText::new(message));
    }
}

#[cfg(test)]
impl Viewing {
    pub fn orbit(&self) -> Orbit {
        self.orbit
    }

    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    pub fn triangles(&self) -> usize {
        self.subject.loaded.model.lods[0].indices.len() / 3
    }
}
