//! What the person at the keyboard and the mouse asks for.

use std::path::Path;
use std::time::Instant;

use glam::Vec2;
use winit::event::{DeviceEvent, ElementState, KeyEvent, MouseScrollDelta, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::window::Fullscreen;

use crate::app::demo::running::{RunningDemo, Saving};
use crate::app::demo::window::DemoWindow;
use crate::app::fly::HeldKeys;
use crate::app::keys::{self, Action};
use crate::app::picture_file::{PictureFile, screenshot_path};

/// What F12 writes.
const PICTURE: &str = "picture";

impl RunningDemo {
    /// Takes in what happened to the window or in it.
    pub fn window_event(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => self.leave(event_loop, Ok(())),
            WindowEvent::RedrawRequested if !self.is_hidden() => self.draw(event_loop),
            WindowEvent::Resized(size) => {
                log::debug!("window: {} x {}", size.width, size.height);
                if self.window.as_ref().is_some_and(|window| window.size() != (size.width, size.height)) {
                    self.disturb_recording("the window's being resized");
                }
                let resized = self.window.as_mut().map_or(Ok(()), |window| window.resize((size.width, size.height)));
                if let Err(error) = resized {
                    self.show_error("size", &error);
                }
            }
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => log::debug!("window: scale {scale_factor}"),
            WindowEvent::Occluded(occluded) => {
                self.occluded = occluded;
                if occluded {
                    self.stop_recording("the window's being covered");
                }
                self.last_frame = Instant::now();
            }
            WindowEvent::Focused(false) => {
                self.disturb_recording("the window's losing its focus");
                self.held = HeldKeys::default();
                self.release_pointer();
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => self.key(event_loop, &event),
            WindowEvent::MouseInput { state, .. } => {
                if let Some(window) = self.window.as_ref().and_then(DemoWindow::system_window) {
                    self.pointer.button(state == ElementState::Pressed, Instant::now(), window);
                }
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let notches = match delta {
                    MouseScrollDelta::LineDelta(_, y) => y,
                    MouseScrollDelta::PixelDelta(at) => at.y as f32 / 40.0,
                };
                let speed = self.session.fly.change_speed(notches);
                self.notify_about("speed", format!("{speed:.1} m/s"));
            }
            _ => {}
        }
    }

    /// Takes in a movement of the mouse itself, wherever its pointer is.
    pub fn device_event(&mut self, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (x, y) } = event {
            let movement = Vec2::new(x as f32, y as f32);
            if self.pointer.moved(movement) {
                self.session.fly.look(movement);
            }
        }
    }

    fn key(&mut self, event_loop: &ActiveEventLoop, event: &KeyEvent) {
        let down = event.state == ElementState::Pressed;
        let is_movement = keys::hold(&mut self.held, event.physical_key, down);
        if !down || is_movement {
            return;
        }
        match keys::action(event.physical_key, &event.logical_key, self.modifiers.alt_key()) {
            Some(action) if !event.repeat || action == Action::SingleStep => self.act(event_loop, action),
            Some(action @ (Action::MoreFish | Action::FewerFish)) => {
                self.population_keys.press(action == Action::MoreFish, true);
            }
            _ => {}
        }
    }

    fn act(&mut self, event_loop: &ActiveEventLoop, action: Action) {
        log::debug!("key: {action:?}");
        match action {
            Action::Help => self.panels.help = !self.panels.help,
            Action::Statistics => {
                self.panels.statistics = !self.panels.statistics;
                self.panels.graph = None;
            }
            Action::Benchmark => self.toggle_recording(),
            Action::Pause => {
                self.session.paused = !self.session.paused;
                self.disturb_recording("a pause or its end");
                self.notify_about("pause", if self.session.paused { "paused; Space resumes" } else { "resumed" });
            }
            Action::SingleStep => {
                self.session.single_step();
                self.disturb_recording("a single step");
            }
            Action::FullScreen => self.toggle_full_screen(),
            Action::Screenshot => self.screenshot(),
            Action::Reload => {
                self.reload_scene();
                self.reload_shaders();
            }
            Action::Reset => {
                let next = self.session.reset();
                if self.change_scene(next) {
                    self.notify("from the beginning");
                }
            }
            Action::Scene(index) => {
                let next = self.session.switched(index);
                if self.change_scene(next) {
                    self.notify_about("scene", self.session.config.scene.name.clone());
                }
            }
            Action::MoreFish | Action::FewerFish => self.population_keys.press(action == Action::MoreFish, false),
            Action::Torch => {
                let next = self.session.with_torch_switched();
                if self.change_scene(next) {
                    self.notify_about("torch", if self.session.has_torch() { "torch on" } else { "torch off" });
                }
            }
            Action::Escape => self.escape(event_loop),
        }
        // What a key does may have taken long; the world is not to jump over it.
        self.last_frame = Instant::now();
    }

    /// Does what the keys `+` and `-` have asked for since the last frame.
    pub(super) fn change_population(&mut self) {
        let Some(factor) = self.population_keys.take_factor() else { return };
        let began = Instant::now();
        let next = self.session.with_fish_times(factor);
        if self.change_scene(next) {
            self.notify_about("fish", format!("{} fish", self.session.config.fish()));
        }
        // The world is not to jump over the time this took.
        self.last_frame += began.elapsed();
    }

    fn escape(&mut self, event_loop: &ActiveEventLoop) {
        if self.pointer.is_caught() {
            self.release_pointer();
        } else if self.panels.help {
            self.panels.help = false;
        } else if self.system_window().is_some_and(|window| window.fullscreen().is_some()) {
            self.toggle_full_screen();
        } else {
            self.leave(event_loop, Ok(()));
        }
    }

    fn toggle_full_screen(&self) {
        if let Some(window) = self.system_window() {
            let now = window.fullscreen().is_none().then_some(Fullscreen::Borderless(None));
            window.set_fullscreen(now);
        }
    }

    fn release_pointer(&mut self) {
        if let Some(window) = self.window.as_ref().and_then(DemoWindow::system_window) {
            self.pointer.release(window);
        }
    }

    /// Draws the frame again without text and writes it to a file beside the animation.
    fn screenshot(&mut self) {
        let pending: Vec<&Path> = self.saving.iter().filter_map(|saving| saving.path.as_deref()).collect();
        let path = screenshot_path(&self.session.config.scene.name, &pending);
        self.disturb_recording("a picture's being taken");
        let Some(window) = &mut self.window else { return };
        let taken = PictureFile::check(&path).and_then(|output| Ok((output, window.capture(&self.frame)?)));
        match taken {
            // Compressing takes longer than a frame.
            Ok((output, capture)) => {
                let thread = std::thread::spawn(move || {
                    output.write(&capture)?;
                    Ok(output.path().to_path_buf())
                });
                self.saving.push(Saving { what: PICTURE, path: Some(path), thread });
            }
            Err(error) => self.show_error(PICTURE, &error),
        }
    }
}
