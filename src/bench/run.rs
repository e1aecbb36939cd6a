//! The measuring loop: warm-up, frames, runs.
//!
//! A frame goes simulate, extract, draw (submission), wait. Its time is from the end of the wait of the frame before to
//! the end of its own, so the times of a run add up to the run and nothing is lost between frames. The loop does no
//! I/O, writes no log and allocates nothing for samples: they go into storage reserved before it starts.

use std::time::Duration;

use crate::bench::BenchError;
use crate::render::FrameStats;

/// Milliseconds by pass of one frame.
pub type PassMs<'a> = &'a [(&'static str, f64)];

/// What is measured: a scene that can be started anew and drawn frame by frame.
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
    /// Waits for the driver as far as [`FrameEnd`](crate::bench::FrameEnd) asks.
    ///
    /// # Errors
    /// If the driver does not answer.
    fn end_frame(&mut self) -> Result<(), BenchError>;
    /// Waits until the driver has nothing left to do.
    fn drain(&mut self);
    /// Simulated time. Unit: s.
    fn time_s(&self) -> f64;
    /// A hash of everything that moves.
    fn state_hash(&self) -> u64;
    /// Tells the GPU times that have come since it was last asked: the number of the frame since the restart, and
    /// milliseconds by pass. It never waits.
    fn gpu_times(&mut self, _take: &mut dyn FnMut(u32, PassMs<'_>)) {}
    /// Is told every frame, warm-up included, when it has ended; not part of any phase.
    ///
    /// # Errors
    /// If the driver refuses what is to change for the next frame.
    fn ended(&mut self, _sample: &FrameSample) -> Result<(), BenchError> {
        Ok(())
    }
    /// What has happened since the restart that spoils the run, such as a window that is no longer seen.
    fn disturbance(&mut self) -> Option<String> {
        None
    }
    /// What there is to say about the run that has ended.
    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// What drawing a frame came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Submitted {
    /// What was drawn.
    pub stats: FrameStats,
    /// The part of drawing that chose what is in view. Unit: ms.
    pub cull_ms: f64,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Frames drawn before measuring in each run: the first ones compile shaders and fill caches.
    pub warmup_frames: u32,
    /// Frames measured in each run.
    pub frames: u32,
    /// Runs, each from the beginning of the scene.
    pub runs: u32,
    /// Time after which a run ends with the frames it has, warm-up included; `None`: however long it takes.
    pub run_limit: Option<Duration>,
    /// Measures until so much time is measured instead of a number of frames, of which there are then at most
    /// `frames`.
    pub measure_for: Option<Duration>,
    /// Least time of the warm-up.
    pub warm_up_for: Duration,
}

impl Plan {
    /// A few seconds on any machine, for a first impression: as many frames as fit, in one run.
    pub const SHORT: Self = Self { run_limit: Some(Duration::from_secs(5)), ..Self::frames(5, 300, 1) };

    /// So many frames of warm-up, frames and runs, however long they take.
    pub const fn frames(warmup_frames: u32, frames: u32, runs: u32) -> Self {
        Self { warmup_frames, frames, runs, run_limit: None, measure_for: None, warm_up_for: Duration::ZERO }
    }

    /// Time that is measured in place of a number of frames, if it is. Unit: s.
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
    /// Simulated time shown. Unit: s.
    pub sim_time_s: f64,
    /// From the end of the frame before to the end of this one.
    pub frame_ms: f64,
    /// Moving the world on.
    pub simulate_ms: f64,
    /// Gathering what is shown.
    pub extract_ms: f64,
    /// Choosing what is in view.
    pub cull_ms: f64,
    /// Submitting it: uploads and draw calls.
    pub draw_ms: f64,
    /// Waiting for the driver.
    pub wait_ms: f64,
    /// What the GPU took for its passes, if it told.
    pub gpu_ms: Option<f64>,
    /// What was drawn.
    pub stats: FrameStats,
}

impl FrameSample {
    /// Time the CPU worked on the frame: simulate, extract, cull and draw.
    pub fn cpu_ms(&self) -> f64 {
        self.simulate_ms + self.extract_ms + self.cull_ms + self.draw_ms
    }
}

/// GPU times of one pass in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassTimes {
    /// The pass.
    pub name: &'static str,
    /// One a frame as far as they came; a frame without has `None`. Unit: ms.
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
    /// What spoiled it and ended it.
    pub disturbed: Option<String>,
    /// What the subject has to say about it.
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

/// How measuring ended.
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
    /// This end, or the failure of what was done after all went well.
    pub(crate) fn unless_failed(self, done: Result<(), BenchError>) -> Self {
        match (self, done) {
            (Self::Complete, Err(error)) => Self::Failed(error),
            (end, _) => end,
        }
    }
}

/// What was measured, however it ended.
#[derive(Debug, Default)]
pub struct Measured {
    /// Runs in order; the last may be short.
    pub runs: Vec<MeasuredRun>,
    /// How it ended.
    pub end: End,
}

/// What is being done that is not measured, for whoever shows how far it is.
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
/// `clock` is time since some fixed moment; `stop` is asked after each frame; `told` hears what is being done outside of
/// what is measured: the beginning of each run, and the first half of its warm-up. The other half is left to whatever
/// showing that has set going, such as a terminal.
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
        let ended = one_run(subject, plan, clock, stop, warms_up, &mut run);
        if !matches!(ended, End::Failed(_)) {
            subject.drain();
        }
        run.state_hash = subject.state_hash();
        run.notes = subject.notes();
        run.passes.iter_mut().for_each(|pass| pass.ms.resize(run.samples.len(), None));
        // A run that was spoiled before its first measured frame is told too.
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
    while run.samples.len() < plan.frames as usize {
        if measuring.is_none() && frame >= plan.warmup_frames && last_end - began >= plan.warm_up_for {
            measuring = Some((frame, last_end));
        }
        let is_early = frame < plan.warmup_frames / 2 || last_end - began < plan.warm_up_for / 2;
        if measuring.is_none() && is_early {
            warms_up(frame);
        }
        let begin = clock();
        subject.simulate();
        let simulated = clock();
        subject.extract(frame);
        let extracted = clock();
        let submitted = subject.draw();
        let drawn = clock();
        if let Err(error) = subject.end_frame() {
            return End::Failed(error);
        }
        let end = clock();
        let sample = FrameSample {
            sim_time_s: subject.time_s(),
            frame_ms: ms(last_end, end),
            simulate_ms: ms(begin, simulated),
            extract_ms: ms(simulated, extracted),
            cull_ms: submitted.cull_ms,
            draw_ms: (ms(extracted, drawn) - submitted.cull_ms).max(0.0),
            wait_ms: ms(drawn, end),
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
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    /// A subject whose phases take as long as it says on a clock of its own.
    struct Clockwork {
        now: Rc<Cell<Duration>>,
        /// Frames since the restart.
        frame: u32,
        restarts: u32,
        seen: Vec<u32>,
        /// The frame at which the driver stops to answer.
        hangs_at: Option<u32>,
        /// The frame after which the driver refuses another quality.
        refuses_after: Option<u32>,
        /// Frames after which somebody covers the window.
        disturbed_at: Option<u32>,
        /// Frames whose GPU times have been told.
        told: u32,
    }

    impl Clockwork {
        fn new() -> (Self, Rc<Cell<Duration>>) {
            let now = Rc::new(Cell::new(Duration::ZERO));
            let new = Self {
                now: now.clone(),
                frame: 0,
                restarts: 0,
                seen: Vec::new(),
                hangs_at: None,
                refuses_after: None,
                disturbed_at: None,
                told: 0,
            };
            (new, now)
        }

        fn takes_ms(&self, ms: u64) {
            self.now.set(self.now.get() + Duration::from_millis(ms));
        }
    }

    impl Subject for Clockwork {
        fn restart(&mut self) -> Result<(), BenchError> {
            self.frame = 0;
            self.told = 0;
            self.restarts += 1;
            self.takes_ms(5000);
            Ok(())
        }
        fn simulate(&mut self) {
            self.takes_ms(1);
        }
        fn extract(&mut self, frame: u32) {
            assert_eq!(frame, self.frame);
            self.seen.push(frame);
            self.takes_ms(2);
        }
        fn draw(&mut self) -> Submitted {
            // The first frame compiles shaders.
            self.takes_ms(if self.frame == 0 { 900 } else { 3 });
            let stats = FrameStats { draws: self.frame, triangles: 7, visible: 5, ..FrameStats::default() };
            Submitted { stats, cull_ms: 0.5 }
        }
        fn end_frame(&mut self) -> Result<(), BenchError> {
            if self.hangs_at == Some(self.frame) {
                return Err(BenchError::Driver("it does not answer".into()));
            }
            self.takes_ms(u64::from(self.frame));
            self.frame += 1;
            Ok(())
        }
        fn drain(&mut self) {}
        fn gpu_times(&mut self, take: &mut dyn FnMut(u32, PassMs<'_>)) {
            // Two frames late, as a GPU's are; frame 3's are lost.
            while self.told + 2 < self.frame {
                let ms = f64::from(self.told);
                if self.told != 3 {
                    take(self.told, &[("seabed", ms), ("water", 0.25), ("seabed", 1.0)]);
                }
                self.told += 1;
            }
        }
        fn ended(&mut self, _: &FrameSample) -> Result<(), BenchError> {
            match self.refuses_after == Some(self.frame) {
                true => Err(BenchError::Driver("out of memory".into())),
                false => Ok(()),
            }
        }
        fn disturbance(&mut self) -> Option<String> {
            (self.disturbed_at == Some(self.frame)).then(|| "the window was covered".into())
        }
        fn time_s(&self) -> f64 {
            f64::from(self.frame) / 60.0
        }
        fn state_hash(&self) -> u64 {
            u64::from(self.frame)
        }
    }

    const PLAN: Plan = Plan::frames(2, 3, 2);

    fn measure_all(subject: &mut Clockwork, plan: &Plan, stop: &dyn Fn() -> bool) -> Measured {
        let now = subject.now.clone();
        measure(subject, plan, &|| now.get(), stop, &mut |_| {})
    }

    #[test]
    fn phases_are_measured_apart_and_warm_up_is_left_out() {
        let (mut subject, _) = Clockwork::new();
        let measured = measure_all(&mut subject, &PLAN, &|| false);
        assert!(matches!(measured.end, End::Complete));
        assert_eq!((measured.runs.len(), subject.restarts), (2, 2));
        for run in &measured.runs {
            assert!(run.complete);
            assert_eq!(run.state_hash, 5);
            let first = &run.samples[0];
            assert_eq!((first.simulate_ms, first.extract_ms, first.draw_ms, first.wait_ms), (1.0, 2.0, 2.5, 2.0));
            assert_eq!(first.cull_ms, 0.5);
            assert_eq!((first.cpu_ms(), first.frame_ms, first.stats.draws), (6.0, 8.0, 2));
            assert_eq!(run.samples[2].frame_ms, 10.0);
            assert_eq!(run.samples[2].sim_time_s, 5.0 / 60.0);
        }
        assert_eq!(subject.seen, [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    }

    #[test]
    fn time_lost_between_frames_belongs_to_the_next_frame() {
        let (mut subject, now) = Clockwork::new();
        // Looking for the wish to stop takes 10 ms here: frame times hold it, no phase does.
        let slow_stop = || {
            now.set(now.get() + Duration::from_millis(10));
            false
        };
        let run = &measure_all(&mut subject, &PLAN, &slow_stop).runs[0];
        assert_eq!(run.samples[1].frame_ms, 19.0);
        assert_eq!(run.samples[1].cpu_ms() + run.samples[1].wait_ms, 9.0);
    }

    #[test]
    fn without_warm_up_the_first_frame_is_timed_from_its_own_beginning() {
        let (mut subject, _) = Clockwork::new();
        let measured = measure_all(&mut subject, &Plan { warmup_frames: 0, ..PLAN }, &|| false);
        assert_eq!(measured.runs[0].samples[0].frame_ms, 903.0);
    }

    #[test]
    fn nothing_is_told_while_frames_are_measured_and_telling_takes_none_of_their_time() {
        let (mut subject, now) = Clockwork::new();
        let plans = [
            (Plan::frames(6, 4, 2), 3),
            (Plan::frames(0, 4, 2), 0),
            // The first frame takes 900 ms and the next 7 ms: by time, a frame may be the last of the warm-up.
            (Plan { warm_up_for: Duration::from_millis(905), ..Plan::frames(0, 4, 2) }, 1),
        ];
        for (plan, early) in plans {
            let mut heard = Vec::new();
            let told = &mut |what| {
                heard.push(what);
                // A terminal that takes its time.
                now.set(now.get() + Duration::from_millis(50));
            };
            let shown = measure(&mut subject, &plan, &|| now.get(), &|| false, told);
            let of_run = |run| {
                let warm_up = (0..early).map(move |frame| Unmeasured::WarmUp { run, frame });
                std::iter::once(Unmeasured::Run(run)).chain(warm_up)
            };
            assert_eq!(heard, (0..2).flat_map(of_run).collect::<Vec<_>>(), "{plan:?}");
            for sample in shown.runs.iter().flat_map(|run| &run.samples) {
                assert_eq!(sample.frame_ms, sample.cpu_ms() + sample.wait_ms, "nothing comes between them: {plan:?}");
            }
        }
    }

    #[test]
    fn an_interrupt_keeps_what_was_measured() {
        let (mut subject, _) = Clockwork::new();
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            // Once before each run and once a frame: in the second run's second measured frame.
            asked.get() == 1 + 5 + 1 + 4
        };
        let measured = measure_all(&mut subject, &PLAN, &stop);
        assert!(matches!(measured.end, End::Interrupted));
        let lengths: Vec<_> = measured.runs.iter().map(|r| (r.samples.len(), r.complete)).collect();
        assert_eq!(lengths, [(3, true), (2, false)]);
    }

    #[test]
    fn a_driver_that_hangs_ends_the_run_and_keeps_it() {
        let (mut subject, _) = Clockwork::new();
        subject.hangs_at = Some(4);
        let measured = measure_all(&mut subject, &PLAN, &|| false);
        assert!(matches!(measured.end, End::Failed(BenchError::Driver(_))));
        assert_eq!(measured.runs[0].samples.len(), 2);
    }

    #[test]
    fn a_change_that_is_refused_after_the_last_frame_is_a_failure() {
        let (mut subject, _) = Clockwork::new();
        subject.refuses_after = Some(5);
        let measured = measure_all(&mut subject, &PLAN, &|| false);
        assert!(matches!(measured.end, End::Failed(BenchError::Driver(_))));
        assert_eq!((measured.runs.len(), measured.runs[0].samples.len()), (1, 3));
        assert!(!measured.runs[0].complete);
    }

    #[test]
    fn a_failure_after_all_went_well_is_told_and_hides_no_other() {
        let failed = || Err(BenchError::Driver("out of memory".into()));
        assert!(matches!(End::Complete.unless_failed(Ok(())), End::Complete));
        assert!(matches!(End::Complete.unless_failed(failed()), End::Failed(_)));
        assert!(matches!(End::Interrupted.unless_failed(failed()), End::Interrupted));
    }

    #[test]
    fn a_run_over_its_limit_ends_with_at_least_one_frame() {
        let (mut subject, _) = Clockwork::new();
        let plan = Plan { run_limit: Some(Duration::from_millis(1)), ..PLAN };
        let measured = measure_all(&mut subject, &plan, &|| false);
        assert!(matches!(measured.end, End::Complete));
        let lengths: Vec<_> = measured.runs.iter().map(|r| (r.samples.len(), r.complete)).collect();
        assert_eq!(lengths, [(1, false), (1, false)]);
    }

    #[test]
    fn gpu_times_go_to_their_own_frames_and_lost_ones_stay_missing() {
        let (mut subject, _) = Clockwork::new();
        let plan = Plan { frames: 4, runs: 1, ..PLAN };
        let run = &measure_all(&mut subject, &plan, &|| false).runs[0];
        // Measured are the frames 2 to 5; 3 was lost, and 4 and 5 are still with the GPU when it ends.
        let of_frames: Vec<_> = run.samples.iter().map(|sample| sample.gpu_ms).collect();
        assert_eq!(of_frames, [Some(3.25), None, None, None]);
        let seabed = &run.passes[0];
        assert_eq!((seabed.name, seabed.ms.as_slice()), ("seabed", &[Some(3.0), None, None, None][..]));
        assert_eq!(run.passes[1].ms[0], Some(0.25));
    }

    #[test]
    fn a_run_by_time_ends_when_the_time_is_measured() {
        let (mut subject, _) = Clockwork::new();
        // Frames after the first take 6 ms and one more each; 900 ms of shaders are left to the warm-up.
        let plan = Plan {
            frames: 1000,
            runs: 1,
            warmup_frames: 0,
            warm_up_for: Duration::from_millis(903),
            measure_for: Some(Duration::from_millis(30)),
            ..PLAN
        };
        let run = &measure_all(&mut subject, &plan, &|| false).runs[0];
        assert!(run.complete);
        let times: Vec<f64> = run.samples.iter().map(|sample| sample.frame_ms).collect();
        assert_eq!(times, [7.0, 8.0, 9.0, 10.0]);
    }

    #[test]
    fn a_disturbed_run_ends_and_says_why_and_the_next_is_made() {
        let (mut subject, _) = Clockwork::new();
        subject.disturbed_at = Some(4);
        let measured = measure_all(&mut subject, &PLAN, &|| false);
        assert!(matches!(measured.end, End::Complete));
        assert_eq!(measured.runs.len(), 2);
        for run in &measured.runs {
            assert_eq!((run.samples.len(), run.complete), (2, false));
            assert_eq!(run.disturbed.as_deref(), Some("the window was covered"));
        }
    }

    #[test]
    fn a_run_disturbed_in_its_warm_up_is_told_and_has_no_frames() {
        let (mut subject, _) = Clockwork::new();
        subject.disturbed_at = Some(1);
        let measured = measure_all(&mut subject, &PLAN, &|| false);
        assert_eq!(measured.runs.len(), 2);
        assert!(measured.runs.iter().all(|run| run.samples.is_empty() && run.disturbed.is_some()));
    }

    #[test]
    fn samples_are_never_moved_to_larger_storage() {
        let (mut subject, _) = Clockwork::new();
        let plan = Plan { frames: 1000, ..PLAN };
        let measured = measure_all(&mut subject, &plan, &|| false);
        assert_eq!(measured.runs[0].samples.capacity(), 1000);
    }
}
