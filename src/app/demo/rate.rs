//! Frames counted: the rate shown, and when the next frame is due.

use std::time::{Duration, Instant};

/// How often the shown rate changes.
const SHOWN_EVERY: Duration = Duration::from_millis(500);

/// Counts frames.
#[derive(Clone, Copy, Debug)]
pub struct FrameRate {
    began: Instant,
    frames: u64,
    since: Instant,
    since_frames: u32,
}

impl FrameRate {
    /// No frames yet.
    pub fn new(now: Instant) -> Self {
        Self { began: now, frames: 0, since: now, since_frames: 0 }
    }

    /// Counts a frame that ended `now`. Twice a second it gives the rate since it last did, in frames a second.
    pub fn count(&mut self, now: Instant) -> Option<f64> {
        self.frames += 1;
        self.since_frames += 1;
        let passed = now.duration_since(self.since);
        if passed < SHOWN_EVERY {
            return None;
        }
        let rate = f64::from(self.since_frames) / passed.as_secs_f64();
        (self.since, self.since_frames) = (now, 0);
        Some(rate)
    }

    /// Frames in all.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Frames a second since the beginning.
    pub fn average(&self, now: Instant) -> f64 {
        self.frames as f64 / now.duration_since(self.began).as_secs_f64().max(1e-9)
    }
}

/// Shortest time from frame to frame on a screen of `refresh_hz`: a little less than the screen's own, so that it only
/// takes effect where the driver does not wait for the screen.
pub fn shortest_frame(refresh_hz: Option<f64>, software: bool) -> Duration {
    let hz = match refresh_hz {
        // A renderer on the CPU never waits, and a virtual screen's rate is fiction.
        _ if software => 60.0,
        Some(hz) if hz >= 20.0 => hz.min(1000.0) * 1.1,
        _ => 60.0,
    };
    Duration::from_secs_f64(1.0 / hz)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_told_twice_a_second() {
        let start = Instant::now();
        let mut rate = FrameRate::new(start);
        let told: Vec<f64> =
            (1..=60).filter_map(|frame| rate.count(start + Duration::from_millis(20 * frame))).collect();
        assert_eq!(told.len(), 2);
        assert!(told.iter().all(|fps| (fps - 50.0).abs() < 0.01), "{told:?}");
        assert!((rate.average(start + Duration::from_millis(1200)) - 50.0).abs() < 0.01);
    }

    #[test]
    fn the_cap_never_gets_in_the_way_of_vsync() {
        for hz in [60.0, 75.0, 144.0, 240.0] {
            assert!(shortest_frame(Some(hz), false).as_secs_f64() < 1.0 / hz);
        }
        assert_eq!(shortest_frame(Some(0.0), false), Duration::from_secs_f64(1.0 / 60.0));
        assert_eq!(shortest_frame(Some(9000.0), true), Duration::from_secs_f64(1.0 / 60.0));
    }
}
