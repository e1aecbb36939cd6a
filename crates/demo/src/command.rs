//! Commands, which a part of the demo returns for the demo as a whole to carry out.

use crate::saving::SaveJob;

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
