//! The loop on a clock of the tests' own.

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
    /// Time for which the world is moved on beside drawing, where there are threads for it. Unit: ms.
    beside_ms: Option<u64>,
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
            beside_ms: None,
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
    fn show(&mut self, wanted: bool, clock: &dyn Fn() -> Duration) -> Result<Shown, BenchError> {
        let submitted = self.draw();
        let drawn = clock();
        let takes_ms = u64::from(self.frame);
        self.end_frame()?;
        let ended = clock();
        let beside = self.beside_ms.filter(|_| wanted).map(Duration::from_millis);
        // It began with drawing, which takes 3 ms, and the frame's end as many as its number.
        let left = beside.unwrap_or_default().saturating_sub(Duration::from_millis(3 + takes_ms));
        self.now.set(self.now.get() + left);
        Ok(Shown { submitted, drawn, ended, beside })
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
fn a_world_moved_on_beside_drawing_costs_what_the_frame_waits_for_it() {
    let (subject, _) = Clockwork::new();
    let mut subject = Clockwork { beside_ms: Some(6), ..subject };
    let run = &measure_all(&mut subject, &PLAN, &|| false).runs[0];
    let phases = |s: &FrameSample| (s.simulate_ms, s.extract_ms, s.wait_ms, s.beside_ms, s.frame_ms);
    // Drawn and ended in 5 ms, 6 ms and 7 ms; after the last frame there is no next one.
    assert_eq!(phases(&run.samples[0]), (1.0, 2.0, 2.0, 5.0, 8.0));
    assert_eq!(phases(&run.samples[1]), (0.0, 2.0, 3.0, 6.0, 8.0));
    assert_eq!(phases(&run.samples[2]), (0.0, 2.0, 4.0, 0.0, 9.0));
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
