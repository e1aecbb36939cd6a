//! Real time dealt out in the world's fixed steps.

/// Turns uneven frame times into whole steps and a remainder.
#[derive(Clone, Copy, Debug)]
pub struct FixedSteps {
    step_s: f64,
    most: u32,
    left_s: f64,
}

impl FixedSteps {
    /// Steps of `step_s` seconds, at most `most` of them a frame: a machine that cannot keep up slows the world down
    /// instead of falling ever further behind.
    pub fn new(step_s: f64, most: u32) -> Self {
        Self { step_s, most, left_s: 0.0 }
    }

    /// Takes in `elapsed_s` of real time and gives the number of steps that are due.
    pub fn advance(&mut self, elapsed_s: f64) -> u32 {
        // A suspended machine, or a clock that jumps, must not become a thousand steps; the maximum also drops NaN.
        self.left_s += elapsed_s.max(0.0).min(self.step_s * f64::from(self.most + 1));
        let due = (self.left_s / self.step_s) as u32;
        if due > self.most {
            self.left_s = 0.0;
            return self.most;
        }
        self.left_s -= f64::from(due) * self.step_s;
        due
    }

    /// Real time past the last step, as a share of a step, 0..1.
    pub fn alpha(&self) -> f32 {
        (self.left_s / self.step_s).clamp(0.0, 1.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_lost_over_uneven_frames() {
        let mut steps = FixedSteps::new(1.0 / 60.0, 5);
        let frames = [0.004, 0.031, 0.0166, 0.05, 0.0003, 0.0481];
        let taken: u32 = frames.iter().map(|&s| steps.advance(s)).sum();
        let seconds = (f64::from(taken) + f64::from(steps.alpha())) / 60.0;
        assert!((seconds - frames.iter().sum::<f64>()).abs() < 1e-6);
    }

    #[test]
    fn a_slow_machine_slows_the_world_down() {
        let mut steps = FixedSteps::new(1.0 / 60.0, 5);
        assert_eq!(steps.advance(10.0), 5);
        assert_eq!(steps.advance(0.0), 0, "the nine lost seconds stay lost");
        assert_eq!(steps.alpha(), 0.0);
    }

    #[test]
    fn nonsense_times_are_no_time() {
        let mut steps = FixedSteps::new(1.0 / 60.0, 5);
        assert_eq!(steps.advance(-1.0), 0);
        assert_eq!(steps.advance(f64::NAN), 0);
        assert_eq!(steps.alpha(), 0.0);
    }
}
