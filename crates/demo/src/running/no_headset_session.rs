//! Stand-in for a session with a headset of the desktop: a page's headset has the page's own.

use crate::running::RunningDemo;
use crate::stage::Stage;

impl RunningDemo {
    /// Whether the session of a headset runs.
    pub fn runs_headset(&self) -> bool {
        false
    }

    pub(super) fn follow_headset(&mut self) {}

    pub(super) fn waits_for_moment(&mut self) -> bool {
        true
    }

    pub(super) fn show_moment(&mut self) {}

    pub(super) fn has_headset(_: &Stage) -> bool {
        false
    }
}
