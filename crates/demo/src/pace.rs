//! The pace of frames: the moment when the next is due, the time it covers, and the interval of looking at files.

use platform::clock::Clock;
use shell::rate::FrameRate;

/// Interval at which files are looked at. Unit: s.
const LOOK_EVERY_S: f64 = 0.25;

/// The pace of the frames on a screen. Moments are the clock's. Unit: s.
pub struct Pace {
    clock: Clock,
    started_s: f64,
    rate: FrameRate,
    last_frame_s: f64,
    last_presented_s: Option<f64>,
    next_frame_s: f64,
    next_look_s: f64,
    shortest_frame_s: f64,
    drawn: u32,
}

impl Pace {
    /// Pace that begins now, by `clock`, of a program that was started at `started_s`.
    pub fn new(clock: Clock, started_s: f64) -> Self {
        let now_s = clock();
        Self {
            clock,
            started_s,
            rate: FrameRate::new(now_s),
            last_frame_s: now_s,
            last_presented_s: None,
            next_frame_s: now_s,
            next_look_s: now_s,
            shortest_frame_s: 0.0,
            drawn: 0,
        }
    }

    /// The clock.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The present moment.
    pub fn clock_s(&self) -> f64 {
        (self.clock)()
    }

    /// Time since the program was started.
    pub fn since_start_s(&self) -> f64 {
        self.clock_s() - self.started_s
    }

    /// Continues on another screen, whose renderer counts frames anew.
    pub fn change_screen(&mut self) {
        (self.drawn, self.last_presented_s) = (0, None);
        self.skip();
    }

    /// Sets the shortest time from one frame to the next.
    pub fn limit(&mut self, shortest_frame_s: f64) {
        self.shortest_frame_s = shortest_frame_s;
    }

    /// Whether files are to be looked at now; if so, the next time is some while from now.
    pub fn takes_look(&mut self) -> bool {
        let now_s = self.clock_s();
        let is_due = now_s >= self.next_look_s;
        if is_due {
            self.next_look_s = now_s + LOOK_EVERY_S;
        }
        is_due
    }

    /// Moment at which files are to be looked at next.
    pub fn next_look_s(&self) -> f64 {
        self.next_look_s
    }

    /// Moment at which the next frame is due, if that is still to come.
    pub fn waits_until_s(&self) -> Option<f64> {
        Some(self.next_frame_s).filter(|&next_s| self.clock_s() < next_s)
    }

    /// Begins a frame: returns this moment, and the time since the previous frame, which this one covers.
    pub fn begin_frame(&mut self) -> (f64, f64) {
        self.begin(self.shortest_frame_s)
    }

    /// Begins a frame after which the next may wait for `shortest_s`.
    pub fn begin_slow_frame(&mut self, shortest_s: f64) {
        self.begin(shortest_s);
    }

    fn begin(&mut self, shortest_s: f64) -> (f64, f64) {
        let began_s = self.clock_s();
        let elapsed_s = began_s - self.last_frame_s;
        (self.last_frame_s, self.next_frame_s) = (began_s, began_s + shortest_s);
        (began_s, elapsed_s)
    }

    /// Counts the frame that began at `began_s` as shown: returns its number in this screen's context, and the time
    /// since the previous one was shown.
    pub fn present(&mut self, began_s: f64, presented_s: f64) -> (u32, f64) {
        let number = self.drawn;
        self.drawn = self.drawn.wrapping_add(1);
        (number, presented_s - self.last_presented_s.replace(presented_s).unwrap_or(began_s))
    }

    /// Skips the time since the last frame, so that the world does not jump over an operation that took long.
    pub fn skip(&mut self) {
        self.last_frame_s = self.clock_s();
    }

    /// Skips the time since `began_s`.
    pub fn skip_since(&mut self, began_s: f64) {
        self.last_frame_s += self.clock_s() - began_s;
    }

    /// Counts a frame; now and then returns the frames per second.
    pub fn count(&mut self) -> Option<f64> {
        self.rate.count((self.clock)())
    }

    /// Restarts the count of frames, of which the first has just been drawn.
    pub fn count_anew(&mut self) {
        self.rate = FrameRate::new(self.clock_s());
    }

    /// Frames that have been counted.
    pub fn frames(&self) -> u64 {
        self.rate.frames()
    }

    /// Frames a second from the first to the last; one frame has no rate.
    pub fn average(&self) -> Option<f64> {
        self.rate.average(self.last_frame_s)
    }

    /// Frames drawn in this screen's context, as its renderer counts them.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn drawn(&self) -> u32 {
        self.drawn
    }
}
