//! The event loop.

use std::time::Duration;

use winit::application::ApplicationHandler;
use winit::event_loop::EventLoop;
use winit::platform::pump_events::{EventLoopExtPumpEvents, PumpStatus};

use super::leave::lost;

/// Events of the window system.
pub struct Events {
    /// Told at each turn of the loop, for a watchdog. Dropped first: the end of a connection is then on purpose.
    beat: Box<dyn Fn()>,
    pump: EventLoop<()>,
}

impl Events {
    pub(super) fn new(pump: EventLoop<()>, beat: impl Fn() + 'static) -> Self {
        Self { beat: Box::new(beat), pump }
    }

    /// Hands `app` its events until it ends the loop.
    pub fn run(&mut self, app: &mut impl ApplicationHandler) {
        while self.pump(None, app) {}
    }

    /// Hands `app` the pending events; waits at most `wait` for one, if that is given. Returns whether the loop goes
    /// on.
    pub fn pump(&mut self, wait: Option<Duration>, app: &mut impl ApplicationHandler) -> bool {
        (self.beat)();
        match self.pump.pump_app_events(wait, app) {
            PumpStatus::Continue => true,
            PumpStatus::Exit(0) => false,
            PumpStatus::Exit(number) => lost(&std::io::Error::from_raw_os_error(number).to_string()),
        }
    }
}
