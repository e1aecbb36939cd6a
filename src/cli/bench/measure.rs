//! Measurement of `pelagic bench`, with or without a window.

use bench::picture::ScenePicture;
use bench::report::Report;
use bench::run::MeasuredRun;
use bench::{
    BenchRequest, BenchScene, End, Plan, Unmeasured, empty_report, host, record, record_ladder, record_pair,
    record_passes,
};
use config::Config;
use platform::clock::now_s;
use platform::context::Context;
use platform::interrupt;
use render::{Capture, View};
use runtime::offscreen::Session;
use runtime::{SceneOptions, memory, threads};

use crate::cli::CliError;
use crate::cli::progress::Progress;

/// Outcome of measuring a scene.
pub struct Outcome {
    /// Report without the single frames.
    pub report: Report,
    /// Runs with their frames.
    pub runs: Vec<MeasuredRun>,
    /// Picture of the last frame, if the driver could draw it once more.
    pub picture: Option<ScenePicture>,
}

impl Outcome {
    /// Frame times of the runs that count, sorted. Unit: ms.
    pub fn counting_frames_ms(&self) -> Vec<f64> {
        let counting = self.runs.iter().zip(&self.report.runs).filter(|(_, run)| run.valid);
        let mut times: Vec<f64> = counting.flat_map(|(run, _)| &run.samples).map(|sample| sample.frame_ms).collect();
        times.sort_by(f64::total_cmp);
        times
    }
}

/// Outcomes of one or two scenes, and how the measurement ended.
pub type Done = (Vec<Outcome>, End);

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
        beside: threads::beside,
        seed: options.seed,
        window: None,
    };
    (scene, context)
}

/// Measures everything in turn; after an interrupt the rest is left out.
///
/// # Errors
/// If the driver refuses something to draw into, or a number of fish cannot be set.
pub fn measure(mut scene: BenchScene<'_>, request: &BenchRequest) -> Result<Done, CliError> {
    interrupt::save_measurements();
    let stop = &interrupt::requested;
    let runs = request.plan.runs;
    let (mut done, mut end) = match request.runs {
        true => {
            let (report, measured) = record(scene.reborrow(), request, stop, &mut shown(&request.plan))?;
            (Outcome { report, runs: measured.runs, picture: None }, measured.end)
        }
        false => {
            let report = empty_report(&scene, request);
            (Outcome { report, runs: Vec::new(), picture: None }, End::Complete)
        }
    };
    if request.runs {
        done.picture = picture(&mut scene, &end);
    }
    if let (Some(rounds), End::Complete) = (request.passes, &end) {
        log::info!("leaving out each effect in turn, at {rounds} moments");
        let progress = Progress::new("leaving out effects", rounds.into());
        let (passes, ended) = record_passes(scene.reborrow(), rounds, stop, &mut |round| progress.at(round.into()))?;
        done.report.set_passes(passes);
        end = ended;
    }
    if let (Some(ladder), End::Complete) = (&request.ladder, &end) {
        let progress = Progress::new("fish", u64::from(runs) * ladder.fish.len() as u64);
        let fits = |config: &Config| memory::check(config).is_ok();
        let mut begun = 0;
        let said = &mut |run, fish| {
            log::info!("run {} of {runs} with {fish} fish", run + 1);
            progress.at(begun);
            progress.say(&format!("run {} of {runs}, {fish} fish", run + 1));
            begun += 1;
        };
        let (ladder, ended) = record_ladder(scene.reborrow(), ladder, request, stop, fits, said)?;
        (done.report.ladder, end) = (Some(ladder), ended);
    }
    if !request.runs {
        done.picture = picture(&mut scene, &end);
    }
    done.report.aborted = !matches!(end, End::Complete);
    done.report.summary.peak_memory_mib = host::peak_memory_mib();
    Ok((vec![done], end))
}

/// Measures two scenes in turn, under the given names.
///
/// # Errors
/// If the driver refuses something to draw into.
pub fn measure_pair(
    mut scenes: [BenchScene<'_>; 2],
    requests: [&BenchRequest; 2],
    names: [&str; 2],
) -> Result<Done, CliError> {
    interrupt::save_measurements();
    let runs = requests[0].plan.runs;
    let progress = Progress::new("the benchmark", 2 * u64::from(runs));
    let mut begun = 0;
    let said = &mut |run: u32, which: usize| {
        log::info!("run {} of {runs}: {}", run + 1, names[which]);
        progress.at(begun);
        progress.say(&format!("run {} of {runs}: {}", run + 1, names[which]));
        begun += 1;
    };
    let [first, second] = &mut scenes;
    let (results, end) = record_pair([first.reborrow(), second.reborrow()], requests, &interrupt::requested, said)?;
    let outcome =
        |((report, runs), scene): (_, &mut BenchScene<'_>)| Outcome { report, runs, picture: picture(scene, &end) };
    let outcomes = results.into_iter().zip(&mut scenes).map(outcome).collect();
    Ok((outcomes, end))
}

/// Reports which run begins and the progress of its warm-up; nothing is updated while frames are measured.
fn shown(plan: &Plan) -> impl FnMut(Unmeasured) {
    let Plan { runs, frames, warmup_frames, .. } = *plan;
    // Timed runs have no number of frames.
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

/// Draws the last frame once more. After a failure there is none: the driver must not be called again.
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
