//! The quality governor: holds a frame budget by internal resolution first and quality tier next.
//!
//! It takes in the time of each frame and answers, now and then, with another [`QualityLevel`]. It knows no window, no
//! renderer and no clock, so tests can plant any load. It never touches the simulation: animals swim the same.
//!
//! Reasons that it does not oscillate:
//! - it goes by medians of half a second, which a single slow frame does not move;
//! - it lowers when a frame takes 8 % more than the budget, and raises only when the higher level is predicted to take
//!   15 % less than it, so no load is both;
//! - every change is followed by a time in which nothing is measured, and every lowering by a wait before the next
//!   raise, which doubles each time the raised level could not be held (exponential back-off);
//! - where lowering changes nothing, because the CPU is the bottleneck, it restores the level and leaves it.

use crate::{Quality, RenderSettings};

/// Tiers from the cheapest up.
const TIERS: [Quality; 4] = [Quality::Low, Quality::Medium, Quality::High, Quality::Ultra];
/// Internal resolutions from the finest down, over the one that was asked for.
const SCALES: [f32; 5] = [1.0, 0.85, 0.7, 0.6, 0.5];
/// Least time that a window of frames spans. Unit: s.
const WINDOW_S: f64 = 0.5;
/// Fewest frames of a window.
const WINDOW_FRAMES: usize = 8;
/// Most frames of a window, for programs that draw thousands a second.
const WINDOW_MAX: usize = 4096;
/// Time after a change that is not measured: caches fill, clocks rise. Unit: s.
const SETTLE_S: f64 = 0.4;
/// Frames after a change that are not measured.
const SETTLE_FRAMES: u32 = 4;
/// A median over the budget by this factor is too slow.
const OVER: f64 = 1.08;
/// A median over the budget by this factor is acted on at once, without a second window.
const FAR_OVER: f64 = 1.5;
/// A finer level is tried if it is predicted to take less than this share of the budget.
const HEADROOM: f64 = 0.85;
/// Expected load of a finer tier, over that of the present one.
const TIER_FACTOR: f64 = 2.0;
/// Windows in a row that must have headroom before a finer level is tried.
const HEADROOM_WINDOWS: u32 = 4;
/// Wait before raising to a level that was lowered from. Unit: s.
const BACK_OFF_S: f64 = 5.0;
/// Longest such wait. Unit: s.
const LONGEST_BACK_OFF_S: f64 = 320.0;
/// A raised level that is given up within this time could not be held. Unit: s.
const HELD_S: f64 = 60.0;
/// Greatest share of the load that the coarsest level may leave for lowering to have helped.
const CPU_BOUND: f64 = 0.85;
/// Time after that in which lowering is not tried again. Unit: s.
const CPU_BOUND_S: f64 = 60.0;
/// A gap this long between frames is no frame: the window was hidden. Unit: s.
const GAP_S: f64 = 2.0;

/// Fineness of drawing: tier and resolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QualityLevel {
    /// The tier; never `Auto`.
    pub quality: Quality,
    /// Internal resolution over the output's.
    pub scale: f32,
}

impl QualityLevel {
    /// `render` with this level in place of what was asked for.
    pub fn applied_to(self, render: &RenderSettings) -> RenderSettings {
        RenderSettings { quality: self.quality, scale: self.scale, ..render.clone() }
    }

    /// The level of a picture that stands still, in which no budget is to be held: all of the resolution of `render`
    /// and the next tier, at least the initial one (of the CPU if `software`).
    pub fn at_rest(self, render: &RenderSettings, software: bool) -> Self {
        let place = |quality| TIERS.iter().position(|tier| *tier == quality).unwrap_or(0);
        let tier = (place(self.quality) + 1).max(place(Quality::Auto.drawn(software)));
        Self { quality: TIERS[tier.min(TIERS.len() - 1)], scale: render.scale }
    }
}

impl std::fmt::Display for QualityLevel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "quality {}, {:.0} % resolution", self.quality, self.scale * 100.0)
    }
}

/// Reason for a change of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Frames took more than the budget.
    TooSlow,
    /// There is headroom for more.
    Headroom,
    /// The finer level that was tried could not be held.
    NotHeld,
    /// Lowering did not help, so what was lowered is put back.
    CpuBound,
}

/// Another level, and the reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Level from now on.
    pub level: QualityLevel,
    /// Reason for the change.
    pub reason: Reason,
    /// Median time of the frames that led to it. Unit: ms.
    pub load_ms: f64,
    /// The budget. Unit: ms.
    pub target_ms: f64,
}

impl std::fmt::Display for Decision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { level, load_ms, target_ms, .. } = self;
        match self.reason {
            Reason::TooSlow => write!(f, "{level}: frames took {load_ms:.1} ms of {target_ms:.1}"),
            Reason::Headroom => write!(f, "{level}: there is room, frames took {load_ms:.1} ms of {target_ms:.1}"),
            Reason::NotHeld => write!(f, "{level} again: with more, frames took {load_ms:.1} ms of {target_ms:.1}"),
            Reason::CpuBound => write!(
                f,
                "{level} again: frames take {load_ms:.1} ms of {target_ms:.1} with less, too, so it is not the picture \
                 that is slow (fewer fish would help)"
            ),
        }
    }
}

/// A level as indices into [`TIERS`] and [`SCALES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    tier: usize,
    scale: usize,
}

/// Rest of the time after a change in which nothing is measured.
#[derive(Clone, Copy, Debug)]
struct Settling {
    left_s: f64,
    left_frames: u32,
}

/// A finer level that is being tried.
#[derive(Clone, Copy, Debug)]
struct Trial {
    step: Step,
    /// The level it was raised from.
    before: Step,
    since_s: f64,
}

/// A level that is not to be tried for a while.
#[derive(Clone, Copy, Debug)]
struct BackOff {
    step: Step,
    until_s: f64,
    wait_s: f64,
}

/// A level and its measured load.
#[derive(Clone, Copy, Debug)]
struct Measured {
    step: Step,
    load_ms: f64,
}

/// A time in which lowering is not tried, because it did not help.
#[derive(Clone, Copy, Debug)]
struct CpuBound {
    until_s: f64,
    /// Load of frames then. Unit: ms.
    load_ms: f64,
}

/// Decides on a level from what frames take.
#[derive(Clone, Debug)]
pub struct Governor {
    target_ms: f64,
    /// The finest resolution: the one that was asked for.
    most_scale: f32,
    step: Step,
    now_s: f64,
    settling: Option<Settling>,
    loads_ms: Vec<f64>,
    window_s: f64,
    windows_over: u32,
    windows_with_headroom: u32,
    trial: Option<Trial>,
    back_offs: Vec<BackOff>,
    /// Level and load at which lowering began.
    lowered_from: Option<Measured>,
    cpu_bound: Option<CpuBound>,
}

impl Governor {
    /// A governor for the settings `render`, on a renderer that draws on the CPU (`software`) or on a GPU.
    pub fn new(render: &RenderSettings, software: bool) -> Self {
        Self::with_budget(software, render.scale, render.budget_ms(software))
    }

    /// A governor that begins at the lowest tier if the renderer draws on the CPU (`software`), else at `high`; at the
    /// resolution `most_scale`, which is never exceeded. `target_ms` is the budget of a frame.
    ///
    /// The first windows complete this choice with a short measurement: they may change the level at once.
    fn with_budget(software: bool, most_scale: f32, target_ms: f64) -> Self {
        let begin = Quality::Auto.drawn(software);
        Self {
            target_ms,
            most_scale,
            step: Step { tier: TIERS.iter().position(|tier| *tier == begin).unwrap_or(0), scale: 0 },
            now_s: 0.0,
            settling: Some(Settling { left_s: SETTLE_S, left_frames: SETTLE_FRAMES }),
            loads_ms: Vec::with_capacity(WINDOW_MAX),
            window_s: 0.0,
            windows_over: 0,
            windows_with_headroom: 0,
            trial: None,
            back_offs: Vec::new(),
            lowered_from: None,
            cpu_bound: None,
        }
    }

    /// The level that is to be drawn now.
    pub fn level(&self) -> QualityLevel {
        QualityLevel { quality: TIERS[self.step.tier], scale: SCALES[self.step.scale] * self.most_scale }
    }

    /// The budget of a frame. Unit: ms.
    pub fn target_ms(&self) -> f64 {
        self.target_ms
    }

    /// Holds another budget of a frame from now on. Unit: ms.
    pub fn aim_at(&mut self, target_ms: f64) {
        self.target_ms = target_ms;
        self.disturbed();
    }

    /// Forgets the measured loads: the scene, the window's size or the settings have changed.
    pub fn disturbed(&mut self) {
        self.back_offs.clear();
        (self.trial, self.lowered_from, self.cpu_bound) = (None, None, None);
        self.settle();
    }

    /// Takes in a frame: `load_ms` is the time to draw it, at most (waiting for the screen left out where it is known);
    /// `frame_s` is the time since the frame before. Returns another level, if there is to be one.
    pub fn frame(&mut self, load_ms: f64, frame_s: f64) -> Option<Decision> {
        if !(load_ms.is_finite() && load_ms > 0.0 && frame_s.is_finite() && frame_s >= 0.0) {
            return None;
        }
        self.now_s += frame_s.min(GAP_S);
        if frame_s > GAP_S && load_ms < frame_s * 500.0 {
            self.begin_window();
            return None;
        }
        if let Some(Settling { left_s, left_frames }) = &mut self.settling {
            *left_s -= frame_s;
            *left_frames = left_frames.saturating_sub(1);
            if *left_s <= 0.0 && *left_frames == 0 {
                self.settling = None;
            }
            return None;
        }
        self.loads_ms.push(load_ms);
        self.window_s += frame_s;
        let is_whole = self.window_s >= WINDOW_S && self.loads_ms.len() >= WINDOW_FRAMES;
        if !is_whole && self.loads_ms.len() < WINDOW_MAX {
            return None;
        }
        let load_ms = math::median(&self.loads_ms)?;
        self.begin_window();
        let (step, reason) = self.judge(load_ms)?;
        self.step = step;
        self.settle();
        Some(Decision { level: self.level(), reason, load_ms, target_ms: self.target_ms })
    }

    fn begin_window(&mut self) {
        self.loads_ms.clear();
        self.window_s = 0.0;
    }

    fn settle(&mut self) {
        self.settling = Some(Settling { left_s: SETTLE_S, left_frames: SETTLE_FRAMES });
        (self.windows_over, self.windows_with_headroom) = (0, 0);
        self.begin_window();
    }

    /// Step and reason that a window's median asks for.
    fn judge(&mut self, load_ms: f64) -> Option<(Step, Reason)> {
        if load_ms > OVER * self.target_ms {
            self.windows_with_headroom = 0;
            self.windows_over += 1;
            return self.too_slow(load_ms);
        }
        self.windows_over = 0;
        (self.lowered_from, self.cpu_bound) = (None, None);
        let finer = self.finer().filter(|(_, factor)| factor * load_ms < HEADROOM * self.target_ms);
        let Some((finer, _)) = finer.filter(|(step, _)| self.is_free(*step)) else {
            self.windows_with_headroom = 0;
            return None;
        };
        self.windows_with_headroom += 1;
        if self.windows_with_headroom < HEADROOM_WINDOWS {
            return None;
        }
        self.trial = Some(Trial { step: finer, before: self.step, since_s: self.now_s });
        Some((finer, Reason::Headroom))
    }

    fn too_slow(&mut self, load_ms: f64) -> Option<(Step, Reason)> {
        if let Some(bound) = self.cpu_bound {
            if self.now_s < bound.until_s && load_ms < FAR_OVER * bound.load_ms {
                return None;
            }
            self.cpu_bound = None;
        }
        // A level that is only being tried is given up at the first sign.
        if let Some(trial) = self.trial.take_if(|trial| trial.step == self.step) {
            let held = self.now_s - trial.since_s > HELD_S;
            self.back_off(trial.step, !held);
            if !held {
                return Some((trial.before, Reason::NotHeld));
            }
        }
        if self.windows_over < 2 && load_ms < FAR_OVER * self.target_ms {
            return None;
        }
        let Some(coarser) = self.coarser(load_ms) else { return self.at_the_coarsest(load_ms) };
        self.lowered_from.get_or_insert(Measured { step: self.step, load_ms });
        self.back_off(self.step, false);
        Some((coarser, Reason::TooSlow))
    }

    /// Step to return to if lowering has not helped, once nothing is left to lower.
    fn at_the_coarsest(&mut self, load_ms: f64) -> Option<(Step, Reason)> {
        let from = self.lowered_from.take()?;
        self.cpu_bound = Some(CpuBound { until_s: self.now_s + CPU_BOUND_S, load_ms });
        let helped = load_ms <= CPU_BOUND * from.load_ms;
        (!helped && from.step != self.step).then_some((from.step, Reason::CpuBound))
    }

    /// The next finer level, and its expected load over that of the present one.
    fn finer(&self) -> Option<(Step, f64)> {
        let Step { tier, scale } = self.step;
        if let Some(finer) = scale.checked_sub(1) {
            let factor = f64::from(SCALES[finer] / SCALES[scale]).powi(2);
            return Some((Step { tier, scale: finer }, factor));
        }
        (tier + 1 < TIERS.len()).then_some((Step { tier: tier + 1, scale }, TIER_FACTOR))
    }

    /// The coarser level that should do, if all of a frame's time went into its pixels; at least one step.
    fn coarser(&self, load_ms: f64) -> Option<Step> {
        let Step { tier, scale } = self.step;
        let last = SCALES.len() - 1;
        if scale < last {
            let wanted = f64::from(SCALES[scale]) * (self.target_ms / load_ms).sqrt();
            let fitting = SCALES.iter().position(|s| f64::from(*s) <= wanted).unwrap_or(last);
            return Some(Step { tier, scale: fitting.max(scale + 1) });
        }
        tier.checked_sub(1).map(|tier| Step { tier, scale })
    }

    /// Bars a level that is left because it is too slow; longer if it was tried and `failed`.
    fn back_off(&mut self, step: Step, failed: bool) {
        let before = self.back_offs.iter().position(|other| other.step == step).map(|i| self.back_offs.swap_remove(i));
        let wait_s = match before {
            Some(before) if failed => (2.0 * before.wait_s).min(LONGEST_BACK_OFF_S),
            _ if failed => 2.0 * BACK_OFF_S,
            _ => BACK_OFF_S,
        };
        self.back_offs.push(BackOff { step, until_s: self.now_s + wait_s, wait_s });
    }

    fn is_free(&self, step: Step) -> bool {
        !self.back_offs.iter().any(|other| other.step == step && self.now_s < other.until_s)
    }
}

#[cfg(test)]
mod tests;
