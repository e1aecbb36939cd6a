//! What `pelagic bench` measures, with or without a window.

use crate::app::clock::now_s;
use crate::app::context::Context;
use crate::app::offscreen::Session;
use crate::app::{SceneOptions, interrupt};
use crate::bench::report::{Report, SceneRequest};
use crate::bench::run::MeasuredRun;
use crate::bench::{BenchRequest, BenchScene, End, Plan, empty_report, host, record, record_ladder, record_passes};
use crate::cli::CliError;

/// What is to be measured.
pub struct Work {
    /// Whether runs of the scene as it is are.
    pub runs: bool,
    /// At how many moments the cost of each effect is found, if it is.
    pub passes: Option<u32>,
    /// The numbers of fish, and how much with each.
    pub ladder: Option<(Vec<u32>, Plan)>,
    /// What of the runs.
    pub request: BenchRequest,
}

/// What was measured.
pub struct Done {
    /// All of it but the single frames.
    pub report: Report,
    /// The runs with their frames.
    pub runs: Vec<MeasuredRun>,
    /// How it ended.
    pub end: End,
}

/// The scene of a session, drawn at `size` without a window, and the context it is drawn in.
pub fn scene_of<'a>(
    session: &'a mut Session,
    options: &'a SceneOptions,
    size: (u32, u32),
) -> (BenchScene<'a>, &'a Context) {
    let Session { renderer, world, config, frame, context } = session;
    let scene = BenchScene {
        gl: context.gl(),
        device: context.device(),
        renderer,
        world,
        frame,
        config,
        set: &options.set,
        asked: SceneRequest { scene: options.scene.clone(), fish: options.fish, shaders: options.shaders.clone() },
        size,
        clock: now_s,
        seed: options.seed,
        window: None,
    };
    (scene, context)
}

impl Work {
    /// Measures everything, one after the other; what comes after an interrupt is left out.
    ///
    /// # Errors
    /// If the driver refuses something to draw into, or a number of fish cannot be set.
    pub fn run(&self, mut scene: BenchScene<'_>) -> Result<Done, CliError> {
        let _measurement = interrupt::Measurement::begin();
        let stop = &interrupt::requested;
        let runs = self.request.plan.runs;
        let mut done = match self.runs {
            true => {
                let said = &mut |run| log::info!("run {} of {runs}", run + 1);
                let (report, measured) = record(scene.reborrow(), &self.request, stop, said)?;
                Done { report, runs: measured.runs, end: measured.end }
            }
            false => Done { report: empty_report(&scene, &self.request), runs: Vec::new(), end: End::Complete },
        };
        if let (Some(rounds), End::Complete) = (self.passes, &done.end) {
            log::info!("leaving out each effect in turn, at {rounds} moments");
            (done.report.passes, done.end) = record_passes(scene.reborrow(), rounds, stop)?;
        }
        if let (Some((rungs, plan)), End::Complete) = (&self.ladder, &done.end) {
            let request = BenchRequest { plan: *plan, ..self.request.clone() };
            let said = &mut |run, fish| log::info!("run {} of {runs} with {fish} fish", run + 1);
            let (ladder, end) = record_ladder(scene.reborrow(), rungs, &request, stop, said)?;
            (done.report.ladder, done.end) = (Some(ladder), end);
        }
        done.report.aborted = !matches!(done.end, End::Complete);
        done.report.summary.peak_memory_mib = host::peak_memory_mib();
        Ok(done)
    }
}
