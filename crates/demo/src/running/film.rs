//! F9: a film of what is on the screen.

use std::path::Path;

pub use crate::live_film::LiveFilm;
use crate::live_film::{FILM, FilmFiles, FilmStep};
use crate::running::RunningDemo;

impl RunningDemo {
    /// Begins a film of what is on the screen, or ends it.
    pub(super) fn toggle_film(&mut self) {
        if self.film.is_some() {
            return self.end_film();
        }
        let Some(screen) = self.stage.as_ref().map(|stage| stage.size()) else { return };
        let Some(size) = LiveFilm::size(screen) else {
            return self.show_error(FILM, &self.messages().get("film-too-small"));
        };
        let pending: Vec<&Path> = self.saving.iter().filter_map(|saving| saving.path.as_deref()).collect();
        let (scene, folders) = (&self.session.config.scene.name, &self.options.pictures);
        let begun = LiveFilm::begin(screen, size, &FilmFiles { scene, pending, folders, ffmpeg: &self.options.ffmpeg });
        match begun {
            Ok(film) => {
                self.panels.clear_error(FILM);
                self.film = Some(film);
                self.say_film();
            }
            Err(error) => self.show_error(FILM, &error),
        }
    }

    /// The time from one frame of a film to the next, while one is made. Unit: s.
    pub(super) fn film_step_s(&self) -> Option<f64> {
        self.film.as_ref().map(LiveFilm::step_s)
    }

    /// Adds the frame to the film that is being made, if one is.
    pub(super) fn film_frame(&mut self) {
        let (Some(film), Some(stage)) = (&mut self.film, &mut self.stage) else { return };
        let step = stage.capture(&self.frame).map(|picture| film.take(&picture, stage.size()));
        match step {
            Ok(FilmStep::GoesOn) => {}
            Ok(FilmStep::Second) => self.say_film(),
            Ok(FilmStep::Ends) => self.end_film(),
            Err(error) => {
                self.show_error(FILM, &error);
                self.end_film();
            }
        }
    }

    /// Says that a film is being made, with its length and the key that ends it.
    fn say_film(&mut self) {
        let Some(film) = &self.film else { return };
        let (text, title) = (film.text(self.messages()), film.title());
        self.notify_about(FILM, text);
        self.set_title(&title);
    }

    /// Ends the film that is being made, if one is; it is in its place when its last picture is written.
    pub(super) fn end_film(&mut self) {
        if let Some(film) = self.film.take() {
            self.saving.push(film.end());
            self.show_title();
        }
    }
}
