//! Handling of inputs: keys, mouse, gamepad and window.

use std::path::Path;

use camera::{Dial, Wheel};
use config::BUILTIN_SCENES;
use egui::Event;
use runtime::AppError;
use runtime::picture_file::{PictureFile, screenshot_path, screenshot_paths};
use shell::screen::{Opener, Screen};

use crate::input::{Action, Input};
use crate::pointer::PointerLook;
use crate::running::RunningDemo;
use crate::running::headset::Worn;
use crate::saving::{SaveJob, WriteFailure, Written};
use crate::scene_switch::Beginning;
use crate::stage::Stage;
use crate::ui_input::Taker;

/// Kind of file that F12 writes, and topic of errors.
const PICTURE: &str = "picture";

/// Whether an event is of the mouse or of fingers.
fn is_of_pointer(event: &Event) -> bool {
    use Event::{MouseMoved, MouseWheel, PointerButton, PointerGone, PointerMoved, Touch};
    matches!(
        event,
        MouseMoved(_) | MouseWheel { .. } | PointerButton { .. } | PointerGone | PointerMoved(_) | Touch { .. }
    )
}

impl RunningDemo {
    /// Handles an input. A screen that is lost by it is replaced by one that `open` opens.
    pub fn take(&mut self, input: Input, open: &mut Opener<'_>) {
        if self.is_over() || self.is_for_question(&input) {
            return;
        }
        match input {
            // Panels of a headset stand in the sea: the window's pointer is not at them.
            Input::Ui(event) if self.worn.as_ref().is_some_and(Worn::is_seen) && is_of_pointer(&event) => {}
            Input::Ui(event) => self.panels.input.take_in(event, self.taker()),
            Input::Action { action, repeat } => {
                // Escape ends the editing of a field; egui receives it by itself.
                if !self.panel_has_keyboard() {
                    self.key(action, repeat);
                }
            }
            Input::Sticks(sticks) => self.controls.held.sticks = sticks,
            Input::Movement { movement, down } => {
                if !(down && self.panel_has_keyboard()) {
                    self.controls.held.hold(movement, down);
                }
            }
            Input::Button { down: true } | Input::Frighten(_) | Input::Wheel(_) if self.panel_has_pointer() => {}
            Input::Button { down } => {
                self.controls.pointer.button(down, self.pace.clock_s());
                self.keep_pointer();
            }
            Input::Frighten(at) => self.frighten(at),
            Input::Mouse(movement) => {
                if self.controls.pointer.moved(movement) {
                    self.session.rig.look(movement);
                }
            }
            Input::Look(_) if self.panel_has_pointer() => {}
            Input::Look(movement) => self.session.rig.look(movement),
            Input::Wheel(notches) => {
                if self.zoom(notches) {
                    return;
                }
                let said = match self.session.rig.wheel(notches) {
                    Wheel::SpeedMS(speed) => ("speed", speed),
                    Wheel::DistanceM(distance) => ("distance", distance),
                };
                let value = format!("{:.1}", said.1).into();
                self.notify_about("speed", self.messages().format(said.0, &[(said.0, value)]));
            }
            Input::Resized(size) => self.resize(size),
            Input::FocusLost => {
                self.controls.lose_focus();
                self.release_pointer();
            }
            Input::Covered(covered) => {
                self.controls.is_covered = covered;
                if covered {
                    self.stop_recording("the window's being covered");
                }
                self.pace.skip();
            }
            Input::Redraw => {
                if self.visible_screen().is_some() {
                    self.draw(open);
                }
            }
            Input::Lost => self.recover(open, "it was taken away".into()),
            Input::Close => self.ask_to_leave(),
            Input::Interrupt => self.leave(Err(AppError::Interrupted)),
        }
    }

    /// Whether there is a panel to work with. A recording is of the picture alone.
    pub(super) fn panel_is_open(&self) -> bool {
        self.panels.are_worked_with() && !self.benchmark.is_recording()
    }

    fn panel_has_keyboard(&self) -> bool {
        let has_keyboard = || self.stage.as_ref().is_some_and(Stage::panel_has_keyboard);
        self.panel_is_open() && (self.panels.input.fills_in() || has_keyboard())
    }

    fn panel_has_pointer(&self) -> bool {
        let at = self.panels.input.pointer();
        let is_at_panel = self.panel_is_open() && !self.controls.pointer.is_kept();
        is_at_panel && self.stage.as_ref().is_some_and(|stage| stage.panel_has_pointer(at))
    }

    fn taker(&self) -> Taker {
        Taker {
            is_open: self.panel_is_open(),
            has_keyboard: self.panel_has_keyboard(),
            pointer_is_away: self.controls.pointer.is_kept(),
        }
    }

    fn resize(&mut self, size: (u32, u32)) {
        log::debug!("window: {} x {}", size.0, size.1);
        if let Err(error) = self.stage.as_mut().map_or(Ok(()), |stage| stage.resize(size)) {
            self.show_error("size", &error);
        }
    }

    fn key(&mut self, action: Action, repeat: bool) {
        match action {
            _ if !repeat || action == Action::SingleStep => self.act(action),
            Action::MoreFish | Action::FewerFish if self.photo.is_some() => self.act(action),
            Action::MoreFish | Action::FewerFish => self.controls.population.press(action == Action::MoreFish, true),
            Action::Dial(Dial::Roll { .. }) => self.act(action),
            _ => {}
        }
    }

    pub(super) fn act(&mut self, action: Action) {
        log::debug!("key: {action:?}");
        match action {
            Action::Help => self.toggle_help(),
            Action::Settings => self.toggle_settings(),
            Action::Statistics => {
                self.panels.statistics = !self.panels.statistics;
                self.panels.graph = None;
                if log::log_enabled!(log::Level::Debug)
                    && let Some(screen) = self.screen()
                {
                    log::debug!("GL objects: {:?}", gl::live(&screen.gl()).unwrap_or_default());
                }
            }
            Action::Benchmark => self.toggle_recording(),
            Action::Pause => {
                self.session.paused = !self.session.paused;
                let said = if self.session.paused { "paused" } else { "resumed" };
                self.notify_about("pause", self.messages().get(said));
            }
            Action::SingleStep => self.session.single_step(),
            Action::FullScreen => self.toggle_full_screen(),
            Action::Screenshot => self.picture(),
            Action::Film => self.toggle_film(),
            Action::Reload => {
                self.reload_scene();
                self.reload_shaders();
            }
            Action::Reset => self.begin_scene(self.session.reset(), Beginning::Again),
            Action::Scene(index) => {
                let edits = BUILTIN_SCENES.get(index).map(|scene| self.editor.changes_of(scene.name));
                let wanted = self.session.switched(index, edits.unwrap_or_default());
                self.begin_scene(wanted, Beginning::Opened);
            }
            Action::MoreFish | Action::FewerFish if self.photo.is_some() => {
                self.turn_dial(Dial::Exposure { up: action == Action::MoreFish });
            }
            Action::MoreFish | Action::FewerFish => self.controls.population.press(action == Action::MoreFish, false),
            Action::Torch => {
                let next = self.session.with_torch_switched();
                if self.change_scene(next) {
                    let said = if self.session.has_torch() { "torch-on" } else { "torch-off" };
                    self.notify_about("torch", self.messages().get(said));
                }
            }
            Action::Mind => self.panels.mind = !self.panels.mind,
            Action::Food => self.drop_food(),
            Action::Predator => self.release_predator(),
            Action::Photo => self.toggle_photo(),
            Action::Dial(dial) => self.turn_dial(dial),
            Action::Stereo => self.toggle_stereo(),
            Action::Camera => self.next_camera(),
            Action::Species { before } => self.next_species(before),
            Action::Escape => self.escape(),
        }
        // The action may have taken long; the world is not to jump over that time.
        self.pace.skip();
    }

    fn toggle_help(&mut self) {
        self.panels.help = !self.panels.help;
        self.panels.input.open();
    }

    fn escape(&mut self) {
        if self.controls.pointer.is_caught() {
            self.release_pointer();
        } else if self.panels.help {
            self.panels.help = false;
        } else if self.panels.settings.is_open {
            self.panels.settings.is_open = false;
        } else if self.photo.is_some() {
            self.toggle_photo();
        } else if self.screen().is_some_and(|screen| screen.is_full_screen()) {
            self.toggle_full_screen();
        } else if self.screen().is_none_or(Screen::can_be_left) {
            self.ask_to_leave();
        }
    }

    fn toggle_full_screen(&self) {
        if let Some(screen) = self.screen() {
            screen.set_full_screen(!screen.is_full_screen());
        }
    }

    pub(super) fn release_pointer(&mut self) {
        if self.controls.pointer.is_kept() {
            self.controls.pointer = PointerLook::default();
            self.keep_pointer();
        }
    }

    fn keep_pointer(&self) {
        if let Some(screen) = self.screen() {
            screen.catch_pointer(self.controls.pointer.is_kept());
        }
    }

    /// Draws the present moment without text and writes it to a file in the background.
    pub(super) fn screenshot(&mut self) {
        // The world has moved on since the last frame was gathered; the next frame will show the same moment.
        self.session.extract(&mut self.frame);
        let pending: Vec<&Path> = self.saving.iter().filter_map(|saving| saving.path.as_deref()).collect();
        let (scene, folders) = (self.session.config.scene.name.clone(), self.options.pictures.clone());
        let place = folders.first(|folder| PictureFile::check(&screenshot_path(folder, &scene, &pending)));
        let Some(stage) = &mut self.stage else { return };
        let photo = self.session.rig.photo;
        let frame = &self.frame;
        let mut take = || match photo {
            Some(photo) => stage.photograph(frame, (1e-3 * photo.aperture_mm, photo.focus_m), photo.times),
            None => stage.capture(frame),
        };
        let taken = place.and_then(|(output, refused)| Ok((output, refused, take()?)));
        match taken {
            // Compressing takes longer than a frame.
            Ok((output, refused, capture)) => self.save(SaveJob {
                what: PICTURE,
                path: Some(output.path().to_owned()),
                work: Box::new(move || {
                    // Another window may take its name meanwhile.
                    let write = |output: &PictureFile| {
                        let folder = output.path().parent().unwrap_or(Path::new(""));
                        output.write_new(&capture, screenshot_paths(folder, &scene))
                    };
                    let written = match write(&output) {
                        Ok(path) => Ok((path, refused)),
                        // The folder may be full by now; there are other folders.
                        Err(error) => folders
                            .first(|folder| write(&PictureFile::check(&screenshot_path(folder, &scene, &[]))?))
                            .map(|(path, _)| (path, Some(error))),
                    };
                    match written {
                        Ok((path, refused)) => Ok(Written { path, refused: refused.map(|error| error.to_string()) }),
                        Err(error) => Err(WriteFailure { error, kept: None }),
                    }
                }),
            }),
            Err(error) => self.show_error(PICTURE, &error),
        }
    }
}
