//! Times of the latest frames, for the graph that F3 draws.

use std::collections::VecDeque;

use bench::report::MAX_OF_WALL;
use bench::run::FrameSample;
use bench::warning::WORLD_SLOWED;

/// Number of frames that are remembered.
pub const SHOWN: usize = 240;

/// GPU time per frame that is always believed, however short the frames' own times, which leave out the pause before
/// the next frame, in which the GPU may still draw. Unit: ms.
const ALWAYS_BELIEVED_MS: f64 = 1e3 / 240.0;

/// Part of the program or the machine that sets the frame rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The simulation: frames wait for it.
    World,
    /// Gathering, culling and handing over to the driver.
    Submit,
    /// The GPU.
    Gpu,
    /// The driver, for which frames wait; where it tells no GPU time, that may be the GPU.
    Driver,
    /// The screen, or the limit on the frame rate: there is time to spare.
    Screen,
}

/// Medians of the two sides of a frame. Unit: ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sides {
    /// Moving the world on.
    pub world_ms: f64,
    /// The part of it that runs beside drawing, for which no frame waits.
    pub beside_ms: f64,
    /// Gathering, culling and handing over to the driver.
    pub submit_ms: f64,
}

/// Shares of a frame's time from which on the world, the driver and the GPU limit the rate. By eye.
const WORLD_LIMITS: f64 = 0.15;
const DRIVER_LIMITS: f64 = 0.3;
const GPU_LIMITS: f64 = 0.8;
/// Time from frame to frame over the time of a frame from which on there is time to spare. By eye.
const IDLES: f64 = 1.25;

/// The last frames, the newest last.
#[derive(Clone, Debug, Default)]
pub struct FrameHistory(VecDeque<FrameSample>);

impl FrameHistory {
    /// Adds a frame.
    pub fn push(&mut self, frame: FrameSample) {
        if self.0.len() == SHOWN {
            self.0.pop_front();
        }
        self.0.push_back(frame);
    }

    /// Adds the GPU time of the frame of that number, some frames later. Unit: ms.
    pub fn gpu(&mut self, number: u32, ms: f64) {
        if let Some(frame) = self.0.iter_mut().rev().find(|frame| frame.number == number) {
            frame.gpu_ms = Some(ms);
        }
    }

    /// Forgets all frames: another context numbers them anew.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The newest frame.
    pub fn newest(&self) -> Option<&FrameSample> {
        self.0.back()
    }

    /// The frames, oldest first.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &FrameSample> {
        self.0.iter()
    }

    /// Median and 99th percentile of the frame times. Unit: ms.
    pub fn spread(&self) -> Option<(f64, f64)> {
        let mut totals: Vec<f64> = self.0.iter().map(FrameSample::total_ms).collect();
        totals.sort_by(f64::total_cmp);
        (!totals.is_empty()).then(|| (math::quantile(&totals, 0.5), math::quantile(&totals, 0.99)))
    }

    fn median(&self, value: impl Fn(&FrameSample) -> f64) -> Option<f64> {
        math::median(&self.0.iter().map(value).collect::<Vec<_>>())
    }

    /// Times of the two sides of a frame.
    pub fn sides(&self) -> Option<Sides> {
        Some(Sides {
            world_ms: self.median(|f| f.simulate_ms + f.beside_ms)?,
            beside_ms: self.median(|f| f.beside_ms)?,
            submit_ms: self.median(|f| f.extract_ms + f.cull_ms + f.draw_ms)?,
        })
    }

    /// Time of a frame with `ratio` times the animals, if the world and its drawing grow with their number. Unit: ms.
    pub fn scaled_ms(&self, ratio: f64) -> Option<f64> {
        let (Sides { world_ms, beside_ms, submit_ms }, (median, _)) = (self.sides()?, self.spread()?);
        let in_turn = median + (ratio - 1.0) * (world_ms - beside_ms + submit_ms);
        Some(in_turn.max(ratio * world_ms))
    }

    /// Part that sets the frame rate.
    pub fn limit(&self) -> Option<Limit> {
        let (total, between) = (self.median(FrameSample::total_ms)?, self.median(|f| f.frame_ms)?);
        let (world, wait) = (self.median(|f| f.simulate_ms)?, self.median(|f| f.wait_ms)?);
        Some(match self.gpu_median() {
            _ if between > IDLES * total => Limit::Screen,
            _ if world > WORLD_LIMITS * total => Limit::World,
            Some(gpu) if gpu > GPU_LIMITS * total => Limit::Gpu,
            // The GPU is done long before: it is the screen that is waited for.
            Some(_) if wait > DRIVER_LIMITS * total => Limit::Screen,
            None if wait > DRIVER_LIMITS * total => Limit::Driver,
            _ => Limit::Submit,
        })
    }

    /// Speed of the world as a share of its own speed, if it falls behind the clock in most frames.
    pub fn slowed_to(&self) -> Option<f64> {
        let pairs = self.0.iter().zip(self.0.iter().skip(1));
        let steps = pairs.map(|(before, frame)| (frame.sim_time_s - before.sim_time_s, 1e-3 * frame.frame_ms));
        // Pauses and restarts of the world are left out.
        let moving: Vec<(f64, f64)> = steps.filter(|(simulated_s, _)| *simulated_s > 0.0).collect();
        let speeds: Vec<f64> = moving.iter().map(|(simulated_s, real_s)| simulated_s / real_s).collect();
        math::median(&speeds).filter(|median| *median < WORLD_SLOWED)?;
        let (simulated_s, real_s) = moving.iter().fold((0.0, 0.0), |(s, r), (ds, dr)| (s + ds, r + dr));
        Some(simulated_s / real_s)
    }

    /// Median GPU time of the frames that have one; `None` if there is none, or if it is not to be believed because the
    /// sum exceeds the frames' own time. Unit: ms.
    pub fn gpu_median(&self) -> Option<f64> {
        let told: Vec<(f64, f64)> = self.0.iter().filter_map(|f| Some((f.gpu_ms?, f.total_ms()))).collect();
        let (gpu, wall) = told.iter().fold((0.0, 0.0), |(gpu, wall), (g, w)| (gpu + g, wall + w));
        let times: Vec<f64> = told.iter().map(|(gpu, _)| *gpu).collect();
        math::median(&times)
            .filter(|_| gpu > 0.0 && gpu <= MAX_OF_WALL * wall.max(ALWAYS_BELIEVED_MS * told.len() as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u32, draw_ms: f64) -> FrameSample {
        FrameSample { number, draw_ms, simulate_ms: 1.0, wait_ms: 2.0, ..FrameSample::default() }
    }

    #[test]
    fn only_the_last_frames_are_remembered() {
        let mut history = FrameHistory::default();
        (0..1000).for_each(|number| history.push(frame(number, f64::from(number))));
        assert_eq!(history.frames().len(), SHOWN);
        assert_eq!(history.frames().next().map(|frame| frame.draw_ms), Some(760.0));
        let (median, _) = history.spread().expect("there are frames");
        assert_eq!(median, 879.5 + 3.0);
    }

    #[test]
    fn gpu_times_find_their_frames() {
        let mut history = FrameHistory::default();
        (10..20).for_each(|number| history.push(frame(number, 10.0)));
        history.gpu(17, 8.0);
        history.gpu(3, 99.0);
        history.gpu(25, 99.0);
        let told: Vec<Option<f64>> = history.frames().map(|frame| frame.gpu_ms).collect();
        assert_eq!(told[7], Some(8.0));
        assert_eq!(told.iter().flatten().count(), 1);
        assert_eq!(history.gpu_median(), Some(8.0));
    }

    #[test]
    fn a_world_that_cannot_keep_up_is_told_of() {
        let history = |frame_ms: f64, step_s: f64| {
            let mut history = FrameHistory::default();
            for number in 0..20 {
                // It is stopped for a while.
                let sim_time_s = step_s * f64::from(if number < 10 { number } else { number.max(15) - 5 });
                history.push(FrameSample { frame_ms, sim_time_s, ..frame(number, 1.0) });
            }
            history
        };
        assert_eq!(history(16.0, 0.016).slowed_to(), None);
        assert_eq!(history(190.0, 0.19).slowed_to(), None);
        let slowed = history(200.0, 0.1).slowed_to().expect("at five frames a second");
        assert!((slowed - 0.5).abs() < 1e-9, "{slowed}");
    }

    #[test]
    fn the_side_that_limits_is_told() {
        let limit = |frame: FrameSample, gpu_ms: Option<f64>| {
            let mut history = FrameHistory::default();
            for number in 0..20 {
                let frame_ms = frame.frame_ms.max(frame.total_ms());
                history.push(FrameSample { number, frame_ms, ..frame });
                gpu_ms.into_iter().for_each(|ms| history.gpu(number, ms));
            }
            let sides = history.sides().expect("there are frames");
            assert_eq!(sides.world_ms, frame.simulate_ms + frame.beside_ms);
            history.limit().expect("there are frames")
        };
        let frame = FrameSample { draw_ms: 8.0, extract_ms: 1.0, beside_ms: 5.0, ..FrameSample::default() };
        assert_eq!(limit(frame, None), Limit::Submit);
        assert_eq!(limit(frame, Some(2.0)), Limit::Submit);
        assert_eq!(limit(FrameSample { simulate_ms: 4.0, ..frame }, None), Limit::World);
        assert_eq!(limit(FrameSample { frame_ms: 16.7, ..frame }, None), Limit::Screen);
        let waits = FrameSample { wait_ms: 7.0, ..frame };
        assert_eq!(limit(waits, None), Limit::Driver);
        assert_eq!(limit(waits, Some(15.0)), Limit::Gpu);
        assert_eq!(limit(waits, Some(3.0)), Limit::Screen);
        assert_eq!(FrameHistory::default().limit(), None);
        // 9 ms of submitting grow, and 5 ms beside it show once they take longer.
        let mut history = FrameHistory::default();
        history.push(frame);
        assert_eq!((history.scaled_ms(1.0), history.scaled_ms(3.0)), (Some(9.0), Some(27.0)));
        history.clear();
        history.push(FrameSample { beside_ms: 12.0, ..frame });
        assert_eq!(history.scaled_ms(10.0), Some(120.0));
    }

    #[test]
    fn gpu_times_longer_than_the_frames_are_not_believed() {
        let mut history = FrameHistory::default();
        for number in 0..10 {
            history.push(frame(number, 10.0));
            history.gpu(number, 900.0);
        }
        assert_eq!(history.gpu_median(), None);
    }
}
