//! What `pelagic bench` measures, with or without a window.

use crate::app::context::Context;
use crate::app::offscreen::Session;
use crate::app::{SceneOptions, interrupt};
use crate::bench::report::Report;
use crate::bench::run::Run;
use crate::bench::{self, End, Plan, Request, Scene, empty_report, host, record, record_ladder, record_passes};
use crate::cli::CliError;
use crate::config::Config;
use crate::render::Renderer;
use crate::scene::{RenderScene, World};

/// What is to be measured.
pub struct Work {
    /// Whether runs of the scene as it is are.
    pub runs: bool,
    /// At how many moments the cost of each effect is found, if it is.
    pub passes: Option<u32>,
    /// The numbers of fish, and how much with each.
    pub ladder: Option<(Vec<u32>, Plan)>,
    /// What of the runs.
    pub request: Request,
}

/// What was measured.
pub struct Done {
    /// All of it but the single frames.
    pub report: Report,
    /// The runs with their frames.
    pub runs: Vec<Run>,
    /// How it ended.
    pub end: End,
}

/// A scene that is ready, with or without a window.
pub struct Stage<'a> {
    pub renderer: &'a mut Renderer,
    pub world: &'a mut World,
    pub frame: &'a mut RenderScene,
    pub config: &'a Config,
    pub context: &'a Context,
    pub options: &'a SceneOptions,
    pub size: (u32, u32),
    pub window: Option<&'a mut dyn bench::Window>,
}

impl<'a> Stage<'a> {
    /// Off-screen.
    pub fn of(session: &'a mut Session, options: &'a SceneOptions) -> Self {
        let Session { renderer, world, config, frame, context } = session;
        Self { renderer, world, frame, config, context, options, size: options.size, window: None }
    }

    fn scene(&mut self) -> Scene<'_> {
        Scene {
            gl: self.context.gl(),
            device: self.context.device(),
            renderer: &mut *self.renderer,
            world: &mut *self.world,
            frame: &mut *self.frame,
            config: self.config,
            set: &self.options.set,
            size: self.size,
            seed: self.options.seed,
            window: match &mut self.window {
                Some(window) => Some(&mut **window),
                None => None,
            },
        }
    }
}

impl Work {
    /// Measures everything, one after the other; what comes after an interrupt is left out.
    ///
    /// # Errors
    /// If the driver refuses something to draw into, or a number of fish cannot be dealt out.
    pub fn run(&self, stage: &mut Stage<'_>) -> Result<Done, CliError> {
        let stop = &interrupt::requested;
        let runs = self.request.plan.runs;
        let mut done = match self.runs {
            true => {
                let said = &mut |run| log::info!("run {} of {runs}", run + 1);
                let (report, measured) = record(stage.scene(), &self.request, stop, said)?;
                Done { report, runs: measured.runs, end: measured.end }
            }
            false => Done { report: empty_report(&stage.scene(), &self.request), runs: Vec::new(), end: End::Complete },
        };
        if let (Some(rounds), End::Complete) = (self.passes, &done.end) {
            log::info!("leaving out each effect in turn, at {rounds} moments");
            (done.report.passes, done.end) = record_passes(stage.scene(), rounds, stop)?;
        }
        if let (Some((rungs, plan)), End::Complete) = (&self.ladder, &done.end) {
            let request = Request { plan: *plan, ..self.request.clone() };
            let said = &mut |run, fish| log::info!("run {} of {runs} with {fish} fish", run + 1);
            let (ladder, end) = record_ladder(stage.scene(), rungs, &request, stop, said)?;
            (done.report.ladder, done.end) = (Some(ladder), end);
        }
        done.report.aborted = !matches!(done.end, End::Complete);
        done.report.summary.peak_memory_mib = host::peak_memory_mib();
        Ok(done)
    }
}
