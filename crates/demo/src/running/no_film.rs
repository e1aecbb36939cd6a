//! In place of `film.rs` in a browser, which has neither files nor the memory for a film.

use crate::running::RunningDemo;

/// A film that is being made: there is none.
pub enum LiveFilm {}

impl RunningDemo {
    /// Says that none is made here.
    pub(super) fn toggle_film(&mut self) {
        self.notify_about("film", self.messages().get("film-not-here"));
    }

    /// None is made.
    pub(super) fn film_step_s(&self) -> Option<f64> {
        None
    }

    /// None is made.
    pub(super) fn film_frame(&mut self) {}

    /// None is made.
    pub(super) fn end_film(&mut self) {}
}
