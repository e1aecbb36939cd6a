//! Commands, which a part of the demo returns for the demo as a whole to carry out.

use std::path::PathBuf;

use crate::saving::{Saved, Unsaved};

/// An action that a part cannot do itself. The commands of one answer are carried out in their order.
pub enum Command {
    /// Shows a text in place of the previous one about the same topic.
    Notify(&'static str, String),
    /// Shows an error about a topic until it is cleared.
    ShowError(&'static str, String),
    /// Clears the error about a topic: the problem is solved.
    ClearError(&'static str),
    /// Sets the screen's title.
    SetTitle(String),
    /// Sets the screen's title to the scene's own.
    ShowTitle,
    /// Writes a file in the background.
    Save(SaveJob),
    /// Skips the time since the last frame.
    SkipTime,
}

/// A file to be written.
pub struct SaveJob {
    /// Kind of file, such as `picture`; also the topic of messages about it.
    pub what: &'static str,
    /// Path of the file, if that is known before it is written.
    pub path: Option<PathBuf>,
    /// Writes it.
    pub work: Box<dyn FnOnce() -> Result<Saved, Unsaved> + Send>,
}
