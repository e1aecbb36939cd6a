//! The measuring loop: warm-up, frames, runs.
//!
//! A frame goes simulate, extract, draw (submission), wait; where there are threads, the world is moved on to the next
//! frame beside drawing and waiting, and simulation is what the frame waits for it then. A frame's time is from the end of
//! the frame before to its own, so the times of a run add up to the run and nothing is lost between frames. The loop does
//! no I/O, writes no log and allocates nothing for samples: they go into storage reserved before it starts.

use std::time::Duration;

use render::FrameStats;

use crate::BenchError;
use crate::sensors::SensorReading;

/// Milliseconds by pass of one frame.
pub type PassMs<'a> = &'a [(&'static str, f64)];

/// Subject of a measurement: a scene that can be started anew and drawn frame by frame.
pub trait Subject {
    /// Goes back to the beginning: the same seed gives the same frames.
    ///
    /// # Errors
    /// If the scene cannot be made again.
    fn restart(&mut self) -> Result<(), BenchError>;
    /// Moves the world on by one fixed step.
    fn simulate(&mut self);
    /// Gathers what frame `frame` (counted from the restart, warm-up included) shows.
    fn extract(&mut self, frame: u32);
    /// Hands the frame to the driver.
    fn draw(&mut self) -> Submitted;
    /// Waits for the driver as far as [`FrameEnd`](crate::FrameEnd) asks.
    ///
    /// # Errors
    /// If the driver does not answer.
    fn end_frame(&mut self) -> Result<(), BenchError>;
    /// Draws the frame and ends it, by [`Self::draw`] and [`Self::end_frame`]; meanwhile moves the world on to the next
    /// frame, if one is `wanted` and the subject has threads for it.
    ///
    /// # Errors
    /// If the driver does not answer.
    fn show(&mut self, _wanted: bool, clock: &dyn Fn() -> Duration) -> Result<Shown, BenchError> {
        let submitted = self.draw();
        let drawn = clock();
        self.end_frame()?;
        Ok(Shown { submitted, drawn, ended: clock(), beside: None })
    }
    /// Waits until the driver has nothing left to do.
    fn drain(&mut self);
    /// Simulated time that the frame shows. Unit: s.
    fn time_s(&self) -> f64;
    /// A hash of everything that moves.
    fn state_hash(&self) -> u64;
    /// Passes on the GPU times that have come since the last call: the number of the frame since the restart, and
    /// milliseconds by pass. It never waits.
    fn gpu_times(&mut self, _take: &mut dyn FnMut(u32, PassMs<'_>)) {}
    /// Called after every frame, warm-up included; not part of any phase.
    ///
    /// # Errors
    /// If the driver refuses a change for the next frame.
    fn ended(&mut self, _sample: &FrameSample) -> Result<(), BenchError> {
        Ok(())
    }
    /// Event since the restart that spoils the run, such as a window that is no longer seen.
    fn disturbance(&mut self) -> Option<String> {
        None
    }
    /// Reads the machine's sensors, between runs.
    fn sense(&mut self) -> SensorReading {
        SensorReading::default()
    }
    /// Notes about the run that has ended.
    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Result of drawing a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Submitted {
    /// Statistics of the frame.
    pub stats: FrameStats,
    /// Time of culling, which is part of drawing. Unit: ms.
    pub cull_ms: f64,
}

/// A frame that was drawn and ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shown {
    /// Result of drawing it.
    pub submitted: Submitted,
    /// Time by the clock at which it was submitted.
    pub drawn: Duration,
    /// Time by the clock at which the driver was done with it.
    pub ended: Duration,
    /// Time for which the world was moved on to the next frame meanwhile, if it was.
    pub beside: Option<Duration>,
}

/// Amount to be measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Frames drawn before measuring in each run: the first ones compile shaders and fill caches.
    pub warmup_frames: u32,
    /// Frames measured in each run.
    pub frames: u32,
    /// Runs, each from the beginning of the scene.
    pub runs: u32,
    /// Time after which a run ends with the frames it has, warm-up included; `None` for no limit.
    pub run_limit: Option<Duration>,
    /// Time to measure in place of a number of frames, of which there are then at most `frames`.
    pub measure_for: Option<Duration>,
    /// Least time of the warm-up.
    pub warm_up_for: Duration,
}

impl Plan {
    /// A few seconds on any machine, for a first impression: as many frames as fit, in one run.
    pub const SHORT: Self = Self { run_limit: Some(Duration::from_secs(5)), ..Self::frames(5, 300, 1) };

    /// Plan of so many frames of warm-up, frames and runs, without a time limit.
    pub const fn frames(warmup_frames: u32, frames: u32, runs: u32) -> Self {
        Self { warmup_frames, frames, runs, run_limit: None, measure_for: None, warm_up_for: Duration::ZERO }
    }

    /// Time to measure in place of a number of frames, if there is one. Unit: s.
    pub fn measure_s(&self) -> Option<f64> {
        self.measure_for.map(|time| time.as_secs_f64())
    }

    /// Least time of the warm-up, if there is one. Unit: s.
    pub fn warmup_s(&self) -> Option<f64> {
        (!self.warm_up_for.is_zero()).then_some(self.warm_up_for.as_secs_f64())
    }
}

/// One measured frame. Times in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameSample {
    /// Its number, in the order of drawing.
    pub number: u32,
    /// Simulated time shown. Unit: s.
    pub sim_time_s: f64,
    /// From the end of the frame before to the end of this one.
    pub frame_ms: f64,
    /// Moving the world on, as far as the frame waits for it.
    pub simulate_ms: f64,
    /// Gathering what is shown.
    pub extract_ms: f64,
    /// Choosing what is in view.
    pub cull_ms: f64,
    /// Submitting it: uploads and draw calls.
    pub draw_ms: f64,
    /// Laying out and drawing panels over the picture.
    pub overlay_ms: f64,
    /// Waiting for the driver.
    pub wait_ms: f64,
    /// Moving the world on to the next frame on other threads while this one is drawn, without what the frame waits for
    /// it: no part of the frame's time.
    pub beside_ms: f64,
    /// GPU time of its passes, if it is known.
    pub gpu_ms: Option<f64>,
    /// Statistics of the frame.
    pub stats: FrameStats,
}

impl FrameSample {
    /// Time the CPU worked on the picture: simulate, extract, cull and draw.
    pub fn cpu_ms(&self) -> f64 {
        self.simulate_ms + self.extract_ms + self.cull_ms + self.draw_ms
    }

    /// Time the frame took, panels included, without the idle time before the next.
    pub fn total_ms(&self) -> f64 {
        self.cpu_ms() + self.overlay_ms + self.wait_ms
    }
}

/// GPU times of one pass in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassTimes {
    /// The pass.
    pub name: &'static str,
    /// One time for each frame, as far as they came, else `None`. Unit: ms.
    pub ms: Vec<Option<f64>>,
}

/// One run's samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredRun {
    /// Frames in order.
    pub samples: Vec<FrameSample>,
    /// GPU times by pass, where there are any.
    pub passes: Vec<PassTimes>,
    /// The world's hash after the last frame.
    pub state_hash: u64,
    /// Whether all frames of the plan were measured.
    pub complete: bool,
    /// Event that spoiled and ended the run.
    pub disturbed: Option<String>,
    /// Readings of the machine's sensors right after its last frame.
    pub sensors: SensorReading,
    /// Whether the CPU slowed down for being too hot.
    pub throttled: bool,
    /// The subject's notes about it.
    pub notes: Vec<String>,
}

impl MeasuredRun {
    /// Makes room for passes that have not been seen before.
    pub(crate) fn add_passes(&mut self, times: PassMs<'_>) {
        for &(name, _) in times {
            if self.passes.iter().all(|pass| pass.name != name) {
                self.passes.push(PassTimes { name, ms: Vec::with_capacity(self.samples.capacity()) });
            }
        }
    }

    /// Time that passed in the world over time on the clock; `None` of fewer than two frames.
    pub(crate) fn world_pace(&self) -> Option<f64> {
        let (first, last) = (self.samples.first()?, self.samples.last()?);
        let clock_s: f64 = self.samples[1..].iter().map(|sample| sample.frame_ms / 1e3).sum();
        (clock_s > 0.0).then(|| (last.sim_time_s - first.sim_time_s) / clock_s)
    }

    /// Takes in the GPU times of a measured frame.
    pub(crate) fn take_gpu(&mut self, frame: usize, times: PassMs<'_>) {
        let Some(sample) = self.samples.get_mut(frame) else { return };
        sample.gpu_ms = Some(times.iter().map(|(_, ms)| ms).sum());
        for &(name, ms) in times {
            let Some(pass) = self.passes.iter_mut().find(|pass| pass.name == name) else { continue };
            if pass.ms.len() <= frame {
                pass.ms.resize(frame + 1, None);
            }
            // A pass that is drawn in several parts is one pass.
            pass.ms[frame] = Some(pass.ms[frame].unwrap_or(0.0) + ms);
        }
    }
}

/// End of a measurement.
#[derive(Debug, Default)]
pub enum End {
    /// All runs are there (those cut short by the limit included).
    #[default]
    Complete,
    /// It was asked to stop.
    Interrupted,
    /// Something broke.
    Failed(BenchError),
}

impl End {
    /// This end, or the error of `done` if this is complete.
    pub(crate) fn unless_failed(self, done: Result<(), BenchError>) -> Self {
        match (self, done) {
            (Self::Complete, Err(error)) => Self::Failed(error),
            (end, _) => end,
        }
    }
}

/// Runs that were measured, however the measurement ended.
#[derive(Debug, Default)]
pub struct Measured {
    /// Runs in order; the last may be short.
    pub runs: Vec<MeasuredRun>,
    /// End of the measurement.
    pub end: End,
}

/// A step that is not measured, for showing progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmeasured {
    /// The run of that number begins, from 0.
    Run(u32),
    /// A frame of a run's warm-up is about to be drawn, both from 0.
    WarmUp {
        /// The run.
        run: u32,
        /// The frame.
        frame: u32,
    },
}

/// Measures `subject` as planned.
///
/// `clock` is time since some fixed moment; `stop` is asked after each frame; `told` is called with steps outside of
/// what is measured: the beginning of each run, and the first half of its warm-up. The other half is time for the
/// display of progress, such as a terminal, to finish.
pub fn measure(
    subject: &mut dyn Subject,
    plan: &Plan,
    clock: &dyn Fn() -> Duration,
    stop: &dyn Fn() -> bool,
    told: &mut dyn FnMut(Unmeasured),
) -> Measured {
    let mut measured = Measured::default();
    for number in 0..plan.runs {
        if stop() {
            measured.end = End::Interrupted;
            break;
        }
        told(Unmeasured::Run(number));
        let mut run = MeasuredRun { samples: Vec::with_capacity(plan.frames as usize), ..MeasuredRun::default() };
        let warms_up = &mut |frame| told(Unmeasured::WarmUp { run: number, frame });
        let before = subject.sense();
        let ended = one_run(subject, plan, clock, stop, warms_up, &mut run);
        run.sensors = subject.sense();
        run.throttled = run.sensors.throttle_count > before.throttle_count;
        if !matches!(ended, End::Failed(_)) {
            subject.drain();
        }
        run.state_hash = subject.state_hash();
        run.notes = subject.notes();
        run.passes.iter_mut().for_each(|pass| pass.ms.resize(run.samples.len(), None));
        // A run that was spoiled before its first measured frame is reported too.
        if !run.samples.is_empty() || run.disturbed.is_some() {
            measured.runs.push(run);
        }
        measured.end = ended;
        if !matches!(measured.end, End::Complete) {
            break;
        }
    }
    measured
}

fn one_run(
    subject: &mut dyn Subject,
    plan: &Plan,
    clock: &dyn Fn() -> Duration,
    stop: &dyn Fn() -> bool,
    warms_up: &mut dyn FnMut(u32),
    run: &mut MeasuredRun,
) -> End {
    if let Err(error) = subject.restart() {
        return End::Failed(error);
    }
    let began = clock();
    let mut last_end = began;
    // The first measured frame, and when the one before it ended.
    let mut measuring: Option<(u32, Duration)> = None;
    let mut frame = 0;
    // Whether the world has been moved on to the frame already.
    let mut is_ahead = false;
    while run.samples.len() < plan.frames as usize {
        if measuring.is_none() && frame >= plan.warmup_frames && last_end - began >= plan.warm_up_for {
            measuring = Some((frame, last_end));
        }
        let is_early = frame < plan.warmup_frames / 2 || last_end - began < plan.warm_up_for / 2;
        if measuring.is_none() && is_early {
            warms_up(frame);
        }
        let begin = clock();
        if !is_ahead {
            subject.simulate();
        }
        let simulated = clock();
        subject.extract(frame);
        let extracted = clock();
        let is_last = measuring.is_some() && run.samples.len() + 1 == plan.frames as usize;
        let Shown { submitted, drawn, ended, beside } = match subject.show(!is_last, clock) {
            Ok(shown) => shown,
            Err(error) => return End::Failed(error),
        };
        is_ahead = beside.is_some();
        let end = clock();
        let sample = FrameSample {
            number: frame,
            sim_time_s: subject.time_s(),
            frame_ms: ms(last_end, end),
            simulate_ms: ms(begin, simulated) + ms(ended, end),
            extract_ms: ms(simulated, extracted),
            cull_ms: submitted.cull_ms,
            draw_ms: (ms(extracted, drawn) - submitted.cull_ms).max(0.0),
            overlay_ms: 0.0,
            wait_ms: ms(drawn, ended),
            beside_ms: (1e3 * beside.unwrap_or_default().as_secs_f64() - ms(ended, end)).max(0.0),
            gpu_ms: None,
            stats: submitted.stats,
        };
        if measuring.is_some() {
            run.samples.push(sample);
        }
        gather_gpu(subject, run, measuring);
        if let Err(error) = subject.ended(&sample) {
            return End::Failed(error);
        }
        last_end = end;
        frame += 1;
        if stop() {
            return End::Interrupted;
        }
        if let Some(what) = subject.disturbance() {
            run.disturbed = Some(what);
            return End::Complete;
        }
        let measured_for = measuring.map_or(Duration::ZERO, |(_, since)| end - since);
        if plan.measure_for.is_some_and(|wanted| measured_for >= wanted) {
            run.complete = true;
            break;
        }
        if plan.run_limit.is_some_and(|limit| end - began >= limit) && !run.samples.is_empty() {
            break;
        }
    }
    run.complete |= run.samples.len() == plan.frames as usize;
    // The last frames' times come with a wait that is no longer measured.
    subject.drain();
    gather_gpu(subject, run, measuring);
    End::Complete
}

fn gather_gpu(subject: &mut dyn Subject, run: &mut MeasuredRun, measuring: Option<(u32, Duration)>) {
    subject.gpu_times(&mut |frame, times| {
        run.add_passes(times);
        if let Some(frame) = measuring.and_then(|(first, _)| frame.checked_sub(first)) {
            run.take_gpu(frame as usize, times);
        }
    });
}

fn ms(from: Duration, to: Duration) -> f64 {
    to.saturating_sub(from).as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests;
