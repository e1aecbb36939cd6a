//! The event loop.

use std::time::Duration;

use winit::application::ApplicationHandler;
use winit::event_loop::EventLoop;
use winit::platform::pump_events::{EventLoopExtPumpEvents, PumpStatus};

use super::watch::{Watch, lost};

/// Events of the window system. The display server is watched as long as this lives.
pub struct Events {
    // Dropped first: the end of the connection is then on purpose.
    watch: Watch,
    pump: EventLoop<()>,
}

impl Events {
    pub(super) fn new(pump: EventLoop<()>, watch: Watch) -> Self {
        Self { watch, pump }
    }

    /// Hands `app` its events until it ends the loop.
    pub fn run(&mut self, app: &mut impl ApplicationHandler) {
        while self.pump(None, app) {}
    }

    /// Hands `app` the pending events; waits at most `wait` for one, if that is given. Returns whether the loop goes
    /// on.
    pub fn pump(&mut self, wait: Option<Duration>, app: &mut impl ApplicationHandler) -> bool {
        self.watch.beat();
        match self.pump.pump_app_events(wait, app) {
            PumpStatus::Continue => true,
            PumpStatus::Exit(0) => false,
            PumpStatus::Exit(number) => lost(&std::io::Error::from_raw_os_error(number).to_string()),
        }
    }
}
