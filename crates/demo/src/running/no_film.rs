//! Substitute for `film.rs` in a browser, which has neither files nor the memory for a film.

use crate::running::RunningDemo;

/// Film that is being made: none exists here.
pub enum LiveFilm {}

impl RunningDemo {
    /// Says that no film can be made here.
    pub(super) fn toggle_film(&mut self) {
        self.notify_about("film", self.messages().get("film-not-here"));
    }

    /// `None`: no film is made.
    pub(super) fn film_step_s(&self) -> Option<f64> {
        None
    }

    /// Does nothing: no film is made.
    pub(super) fn film_frame(&mut self) {}

    /// Does nothing: no film is made.
    pub(super) fn end_film(&mut self) {}
}
