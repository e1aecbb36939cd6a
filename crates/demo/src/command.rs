//! Commands: what a part of the demo answers for the whole to do.

use std::path::PathBuf;

use crate::saving::{Saved, Unsaved};

/// Something that a part cannot do itself. Those of one answer are done in their order.
pub enum Command {
    /// Says a text in place of the one before about the same topic.
    Notify(&'static str, String),
    /// Shows an error about a topic until it is cleared.
    ShowError(&'static str, String),
    /// Takes away the error about a topic: what was wrong is right now.
    ClearError(&'static str),
    /// Writes a text over the screen.
    SetTitle(String),
    /// Writes the scene's own title over the screen.
    ShowTitle,
    /// Writes a file beside the animation.
    Save(SaveJob),
    /// Leaves out the time since the last frame.
    SkipTime,
}

/// A file to be written.
pub struct SaveJob {
    /// What it is, such as `picture`, and the topic of what is said of it.
    pub what: &'static str,
    /// Where it goes, if that is known before it is written.
    pub path: Option<PathBuf>,
    /// Writes it.
    pub work: Box<dyn FnOnce() -> Result<Saved, Unsaved> + Send>,
}
