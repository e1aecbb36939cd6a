//! Frame counter: the displayed frame rate and the shortest frame time.

/// Time between updates of the displayed rate. Unit: s.
const SHOWN_EVERY_S: f64 = 0.5;

/// Counter of frames.
#[derive(Clone, Copy, Debug)]
pub struct FrameRate {
    began_s: f64,
    frames: u64,
    since_s: f64,
    since_frames: u32,
}

impl FrameRate {
    /// Starts without frames.
    pub fn new(now_s: f64) -> Self {
        Self { began_s: now_s, frames: 0, since_s: now_s, since_frames: 0 }
    }

    /// Counts a frame that ended now. Twice a second it returns the rate since the last such return, in frames a
    /// second.
    pub fn count(&mut self, now_s: f64) -> Option<f64> {
        self.frames += 1;
        self.since_frames += 1;
        let passed_s = now_s - self.since_s;
        if passed_s < SHOWN_EVERY_S {
            return None;
        }
        let rate = f64::from(self.since_frames) / passed_s;
        (self.since_s, self.since_frames) = (now_s, 0);
        Some(rate)
    }

    /// Total number of frames.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Frames a second since the beginning; one frame has no rate.
    pub fn average(&self, now_s: f64) -> Option<f64> {
        let passed_s = now_s - self.began_s;
        (self.frames > 1 && passed_s > 0.0).then(|| self.frames as f64 / passed_s)
    }
}

/// Shortest time from frame to frame on a screen of `refresh_hz`: a little less than the screen's own, so that it only
/// takes effect where the driver does not wait for the screen. Unit: s.
pub fn shortest_frame_s(refresh_hz: Option<f64>, software: bool) -> f64 {
    let hz = match refresh_hz {
        // A renderer on the CPU never waits, and a virtual screen's rate is fiction.
        _ if software => 60.0,
        Some(hz) if hz >= 20.0 => hz.min(1000.0) * 1.1,
        _ => 60.0,
    };
    1.0 / hz
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_told_twice_a_second() {
        let mut rate = FrameRate::new(3.0);
        let told: Vec<f64> = (1..=60).filter_map(|frame| rate.count(3.0 + 0.02 * f64::from(frame) + 1e-9)).collect();
        assert_eq!(told.len(), 2);
        assert!(told.iter().all(|fps| (fps - 50.0).abs() < 0.01), "{told:?}");
        assert!((rate.average(3.0 + 1.2).expect("a rate") - 50.0).abs() < 0.01);
        let mut one = FrameRate::new(3.0);
        one.count(3.0);
        assert_eq!(one.average(3.0), None);
    }

    #[test]
    fn the_cap_never_gets_in_the_way_of_vsync() {
        for hz in [60.0, 75.0, 144.0, 240.0] {
            assert!(shortest_frame_s(Some(hz), false) < 1.0 / hz);
        }
        assert_eq!(shortest_frame_s(Some(0.0), false), 1.0 / 60.0);
        assert_eq!(shortest_frame_s(Some(9000.0), true), 1.0 / 60.0);
    }
}
