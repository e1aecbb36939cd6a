//! What `pelagic bench` measures, with or without a window.

use crate::app::clock::now_s;
use crate::app::context::Context;
use crate::app::offscreen::Session;
use crate::app::{SceneOptions, interrupt};
use crate::bench::picture::ScenePicture;
use crate::bench::report::Report;
use crate::bench::run::MeasuredRun;
use crate::bench::{
    BenchRequest, BenchScene, End, Plan, Unmeasured, empty_report, host, record, record_ladder, record_passes,
};
use crate::cli::CliError;
use crate::cli::progress::Progress;
use crate::render::{Capture, View};

/// What was measured.
pub struct Done {
    /// All of it but the single frames.
    pub report: Report,
    /// The runs with their frames.
    pub runs: Vec<MeasuredRun>,
    /// What was drawn, if the driver has shown it once more.
    pub picture: Option<ScenePicture>,
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
        asked: options.into(),
        size,
        clock: now_s,
        seed: options.seed,
        window: None,
    };
    (scene, context)
}

/// Measures everything, one after the other; what comes after an interrupt is left out.
///
/// # Errors
/// If the driver refuses something to draw into, or a number of fish cannot be set.
pub fn measure(mut scene: BenchScene<'_>, request: &BenchRequest) -> Result<Done, CliError> {
    interrupt::save_measurements();
    let stop = &interrupt::requested;
    let runs = request.plan.runs;
    let mut done = match request.runs {
        true => {
            let (report, measured) = record(scene.reborrow(), request, stop, &mut shown(&request.plan))?;
            Done { report, runs: measured.runs, picture: None, end: measured.end }
        }
        false => Done { report: empty_report(&scene, request), runs: Vec::new(), picture: None, end: End::Complete },
    };
    if request.runs {
        done.picture = picture(&mut scene, &done.end);
    }
    if let (Some(rounds), End::Complete) = (request.passes, &done.end) {
        log::info!("leaving out each effect in turn, at {rounds} moments");
        let progress = Progress::new("leaving out effects", rounds.into());
        let (passes, end) = record_passes(scene.reborrow(), rounds, stop, &mut |round| progress.at(round.into()))?;
        done.report.set_passes(passes);
        done.end = end;
    }
    if let (Some((rungs, plan)), End::Complete) = (&request.ladder, &done.end) {
        let progress = Progress::new("fish", u64::from(runs) * rungs.len() as u64);
        let mut begun = 0;
        let said = &mut |run, fish| {
            log::info!("run {} of {runs} with {fish} fish", run + 1);
            progress.at(begun);
            progress.say(&format!("run {} of {runs}, {fish} fish", run + 1));
            begun += 1;
        };
        let (ladder, end) = record_ladder(scene.reborrow(), (rungs, plan), request, stop, said)?;
        (done.report.ladder, done.end) = (Some(ladder), end);
    }
    if !request.runs {
        done.picture = picture(&mut scene, &done.end);
    }
    done.report.aborted = !matches!(done.end, End::Complete);
    done.report.summary.peak_memory_mib = host::peak_memory_mib();
    Ok(done)
}

/// Says which run is made, and shows how far its warm-up is; while frames are measured nothing is shown anew.
fn shown(plan: &Plan) -> impl FnMut(Unmeasured) {
    let Plan { runs, frames, warmup_frames, .. } = *plan;
    // What goes by time has no number of frames.
    let goes_by_time = plan.measure_for.is_some() || !plan.warm_up_for.is_zero();
    let of_a_run = if goes_by_time { 1 } else { u64::from(warmup_frames) + u64::from(frames) };
    let progress = Progress::new("the benchmark", u64::from(runs) * of_a_run);
    move |what| match what {
        Unmeasured::Run(run) => {
            log::info!("run {} of {runs}", run + 1);
            progress.at(u64::from(run) * of_a_run);
            progress.say(&format!("run {} of {runs}: warming up, then measuring", run + 1));
        }
        Unmeasured::WarmUp { run, frame } if !goes_by_time => progress.at(u64::from(run) * of_a_run + u64::from(frame)),
        Unmeasured::WarmUp { .. } => {}
    }
}

/// The frame that was drawn last, drawn once more. After a failure there is none: the driver may not be asked again.
fn picture(scene: &mut BenchScene<'_>, end: &End) -> Option<ScenePicture> {
    if matches!(end, End::Failed(_)) {
        return None;
    }
    match scene.renderer.capture(scene.frame, View::Final, false) {
        Ok(Capture::Display { width, height, rgba }) => ScenePicture::of((width, height), &rgba),
        Ok(Capture::Linear { .. }) => None,
        Err(error) => {
            log::warn!("the report has no picture: {error}");
            None
        }
    }
}
