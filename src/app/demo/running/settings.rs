//! What a person asks for in the panel of settings.

use crate::app::demo::input::Action;
use crate::app::demo::panel::Asked;
use crate::app::demo::running::RunningDemo;

impl RunningDemo {
    /// Does what was asked for in the panel since the last frame.
    pub(super) fn do_what_is_asked(&mut self) {
        for asked in std::mem::take(&mut self.panels.settings.asked) {
            match asked {
                Asked::Scene(index) => self.act(Action::Scene(index)),
            }
        }
    }
}
