//! The frames just shown, for the graph that F3 draws.

use std::collections::VecDeque;

use crate::bench::run::FrameSample;

/// Frames that are remembered.
pub const SHOWN: usize = 240;

/// One frame of the graph. Unit: ms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bar {
    /// Moving the world and gathering what is shown.
    pub world: f64,
    /// Culling and submitting.
    pub submit: f64,
    /// Text over the picture.
    pub overlay: f64,
    /// Waiting for the driver.
    pub wait: f64,
    /// The GPU's passes, if it told.
    pub gpu: Option<f64>,
}

impl Bar {
    /// What the frame took, without the idle time before the next.
    pub fn total(&self) -> f64 {
        self.world + self.submit + self.overlay + self.wait
    }
}

/// The last frames, the newest last.
#[derive(Clone, Debug, Default)]
pub struct FrameHistory {
    bars: VecDeque<Bar>,
    /// The number, in the renderer's own count, of the newest frame.
    newest: u32,
}

impl FrameHistory {
    /// Takes in a frame, `number` by the renderer's own count.
    pub fn push(&mut self, number: u32, sample: &FrameSample, overlay_ms: f64) {
        if self.bars.len() == SHOWN {
            self.bars.pop_front();
        }
        self.newest = number;
        self.bars.push_back(Bar {
            world: sample.simulate_ms + sample.extract_ms,
            submit: sample.cull_ms + sample.draw_ms,
            overlay: overlay_ms,
            wait: sample.wait_ms,
            gpu: None,
        });
    }

    /// Takes in what the GPU took for a frame, some frames later.
    pub fn gpu(&mut self, number: u32, ms: f64) {
        let Some(back) = self.newest.checked_sub(number) else { return };
        let place = self.bars.len().checked_sub(1 + back as usize);
        if let Some(bar) = place.and_then(|place| self.bars.get_mut(place)) {
            bar.gpu = Some(ms);
        }
    }

    /// Forgets everything: another context counts anew.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Oldest first.
    pub fn bars(&self) -> impl ExactSizeIterator<Item = &Bar> {
        self.bars.iter()
    }

    /// Median and 99th percentile of what frames took. Unit: ms.
    pub fn spread(&self) -> Option<(f64, f64)> {
        let mut totals: Vec<f64> = self.bars.iter().map(Bar::total).collect();
        totals.sort_by(f64::total_cmp);
        (!totals.is_empty()).then(|| (math::quantile(&totals, 0.5), math::quantile(&totals, 0.99)))
    }

    /// What the GPU took, over the frames it told of: none, or none to be believed, if it is more than their own time.
    pub fn gpu_median(&self) -> Option<f64> {
        let told: Vec<(f64, f64)> = self.bars.iter().filter_map(|bar| Some((bar.gpu?, bar.total()))).collect();
        let (gpu, wall) = told.iter().fold((0.0, 0.0), |(gpu, wall), (g, w)| (gpu + g, wall + w));
        let times: Vec<f64> = told.iter().map(|(gpu, _)| *gpu).collect();
        math::median(&times).filter(|_| gpu > 0.0 && gpu <= 1.05 * wall.max(1e3 / 240.0 * told.len() as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(draw_ms: f64) -> FrameSample {
        FrameSample { simulate_ms: 1.0, draw_ms, wait_ms: 2.0, ..FrameSample::default() }
    }

    #[test]
    fn only_the_last_frames_are_remembered() {
        let mut history = FrameHistory::default();
        (0..1000).for_each(|number| history.push(number, &sample(f64::from(number)), 0.5));
        assert_eq!(history.bars().len(), SHOWN);
        assert_eq!(history.bars().next().map(|bar| bar.submit), Some(760.0));
        let (median, _) = history.spread().expect("there are frames");
        assert_eq!(median, 879.5 + 3.5);
    }

    #[test]
    fn gpu_times_find_their_frames() {
        let mut history = FrameHistory::default();
        (10..20).for_each(|number| history.push(number, &sample(10.0), 0.0));
        history.gpu(17, 8.0);
        history.gpu(3, 99.0);
        history.gpu(25, 99.0);
        let told: Vec<Option<f64>> = history.bars().map(|bar| bar.gpu).collect();
        assert_eq!(told[7], Some(8.0));
        assert_eq!(told.iter().flatten().count(), 1);
        assert_eq!(history.gpu_median(), Some(8.0));
    }

    #[test]
    fn gpu_times_longer_than_the_frames_are_not_believed() {
        let mut history = FrameHistory::default();
        for number in 0..10 {
            history.push(number, &sample(10.0), 0.0);
            history.gpu(number, 900.0);
        }
        assert_eq!(history.gpu_median(), None);
    }
}
