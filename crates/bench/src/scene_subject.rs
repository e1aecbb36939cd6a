//! A scene as a benchmark's subject.
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::time::{Duration, Instant};

use config::Config;
use gl::{DeviceInfo, Filter, Format, Gl, RenderTarget, TargetFormat, Wrap, fence};
use math::{Beside, Fnv, beside};
use render::governor::{Governor, QualityLevel};
use render::{Effects, RenderChange, RenderError, RenderSettings, Renderer};
use scene::World;
use view::{Camera, RenderScene, SceneFeatures};

use crate::header::Facts;
use crate::ladder::{LadderPlan, Rung, foreseen_ms, runs_out};
use crate::pacing::{FrameEnd, Pacer};
use crate::passes::{self, EffectVariant, PassCosts, Switchable};
use crate::report::{Header, Report, RequestedLadder, RequestedRun};
use crate::run::{
    End, FrameSample, Measured, MeasuredRun, PassMs, Plan, Shown, Subject, Submitted, Unmeasured, measure,
};
use crate::sensors::SensorReading;
use crate::{BenchError, host};

/// A scene that is loaded and ready to be drawn; everything a benchmark needs to know of it.
pub struct BenchScene<'a> {
    /// The context's functions.
    pub gl: Gl,
    /// The driver's description of itself.
    pub device: &'a DeviceInfo,
    /// The renderer that draws it.
    pub renderer: &'a mut Renderer,
    /// The world that moves it; made anew for each run.
    pub world: &'a mut World,
    /// The frame being drawn.
    pub frame: &'a mut RenderScene,
    /// The settings it was made from.
    pub config: &'a Config,
    /// The user's changes that are in `config` already, for the report.
    pub set: &'a [String],
    /// The request, for the report.
    pub asked: RequestedRun,
    /// Width and height of the picture in pixels, as the renderer was told.
    pub size: (u32, u32),
    /// Time since some fixed moment, for the renderer's passes. Unit: s.
    pub clock: fn() -> f64,
    /// Threads on which the world is moved on to the next frame while one is drawn.
    pub beside: Beside,
    /// Seed of the world.
    pub seed: u64,
    /// The window it is shown in; off-screen if none.
    pub window: Option<&'a mut dyn BenchWindow>,
}

impl BenchScene<'_> {
    /// The same scene, lent for a while.
    pub fn reborrow(&mut self) -> BenchScene<'_> {
        BenchScene {
            gl: self.gl.clone(),
            renderer: self.renderer,
            world: self.world,
            frame: self.frame,
            window: match &mut self.window {
                Some(window) => Some(&mut **window),
                None => None,
            },
            asked: self.asked.clone(),
            ..*self
        }
    }
}

/// A window that a benchmark is drawn in.
pub trait BenchWindow {
    /// Shows the frame that was drawn, and handles the window's events.
    ///
    /// # Errors
    /// If the context is lost.
    fn show(&mut self) -> Result<(), BenchError>;
    /// Forgets past disturbances.
    fn clear_disturbance(&mut self);
    /// Event since then that makes a run worthless.
    fn disturbance(&mut self) -> Option<String>;
    /// Whether frames wait for the screen; `None` if the driver does not do as it is told.
    fn vsync(&self) -> Option<bool>;
    /// The screen's rate, where it is known. Unit: 1/s.
    fn refresh_hz(&self) -> Option<f64>;
}

/// Request for measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRequest {
    /// Whether runs of the scene as it is are measured.
    pub runs: bool,
    /// Plan of the runs.
    pub plan: Plan,
    /// Number of moments at which the cost of each effect is found, if it is.
    pub passes: Option<u32>,
    /// Ladder, if one is measured.
    pub ladder: Option<LadderPlan>,
    /// The way frames end.
    pub frame_end: FrameEnd,
    /// Whether the quality governor is at work.
    pub governor: bool,
    /// Whether the world is moved on before each frame, and not to the next one while a frame is drawn.
    pub in_turn: bool,
    /// The user's own words about it.
    pub label: Option<String>,
}

impl BenchRequest {
    /// Request for runs as planned and nothing else, whose frames end in that way.
    pub fn runs(plan: Plan, frame_end: FrameEnd) -> Self {
        Self { runs: true, plan, passes: None, ladder: None, frame_end, governor: false, in_turn: false, label: None }
    }
}

/// Measures a scene. `stop` is asked after each frame, `told` is called with steps that are not measured.
///
/// The camera goes along the scene's rail by simulated time, which is the frame's number times [`World::STEP_S`]:
/// nothing that is drawn depends on how long it takes. Off-screen it is drawn into 8-bit colour of the picture's size,
/// as a window would have it.
///
/// # Errors
/// If the driver refuses a render target; later failures are in [`Measured::end`].
pub fn record(
    scene: BenchScene<'_>,
    request: &BenchRequest,
    stop: &dyn Fn() -> bool,
    told: &mut dyn FnMut(Unmeasured),
) -> Result<(Report, Measured), BenchError> {
    let header = header(&scene, request);
    let mut subject = SceneSubject::new(scene, request)?;
    let origin = Instant::now();
    let mut measured = measure(&mut subject, &request.plan, &|| origin.elapsed(), stop, told);
    measured.end = measured.end.unless_failed(subject.finish());
    let report = Report::new(header, &request.plan, &measured, host::peak_memory_mib());
    measured.forget_doubtful_times(&report);
    Ok((report, measured))
}

/// A report without runs, for measurements apart from them.
pub fn empty_report(scene: &BenchScene<'_>, request: &BenchRequest) -> Report {
    Report::new(header(scene, request), &request.plan, &Measured::default(), None)
}

/// Finds the cost of each effect at `rounds` moments of the scene; `told` is called with each before it is drawn.
///
/// # Errors
/// If the driver refuses a render target, or fails.
pub fn record_passes(
    scene: BenchScene<'_>,
    rounds: u32,
    stop: &dyn Fn() -> bool,
    told: &mut dyn FnMut(u32),
) -> Result<(Option<PassCosts>, End), BenchError> {
    let variants = passes::variants(&scene.renderer.plan_inputs());
    let request = BenchRequest::runs(Plan::frames(0, 1, 1), FrameEnd::Finish);
    let mut switched = Switched { subject: SceneSubject::new(scene, &request)?, variants, animals: true };
    let origin = Instant::now();
    let count = switched.variants.len();
    let found = passes::measure(&mut switched, count, rounds, &|| origin.elapsed(), stop, told);
    let restored = switched.draw_with(switched.variants[0].effects).and(switched.subject.finish());
    let end = match found.failed.or(restored.err()) {
        Some(error) => End::Failed(error),
        None if found.stopped => End::Interrupted,
        None => End::Complete,
    };
    Ok((PassCosts::of(&found.ms, &switched.variants), end))
}

/// Measures a scene with each number of fish. The runs of one number are made between those of the others, so that a
/// machine that grows slower does so for all of them alike. `fits` says whether memory holds a scene; `begin` is called
/// with each run and number before it starts.
///
/// # Errors
/// If the number of fish cannot be set, or the driver refuses a render target.
pub fn record_ladder(
    mut scene: BenchScene<'_>,
    ladder: &LadderPlan,
    request: &BenchRequest,
    stop: &dyn Fn() -> bool,
    fits: fn(&Config) -> bool,
    begin: &mut dyn FnMut(u32, u32),
) -> Result<(Vec<Rung>, End), BenchError> {
    let LadderPlan { fish, plan, ends_early } = ladder;
    let mut configs = Vec::with_capacity(fish.len());
    for &number in fish {
        let mut config = scene.config.clone();
        config.set_fish_count(number).map_err(|error| BenchError::Fish(format!("{number} fish: {error}")))?;
        configs.push(config);
    }
    let one_run = Plan { runs: 1, ..*plan };
    let origin = Instant::now();
    let mut runs: Vec<Vec<MeasuredRun>> = vec![Vec::new(); fish.len()];
    let mut ran_out = vec![None; fish.len()];
    let mut below = Vec::with_capacity(fish.len());
    let mut end = End::Complete;
    'all: for number in 0..plan.runs {
        for (rung, config) in configs.iter().enumerate() {
            if *ends_early && number == 0 {
                let above = rung.checked_sub(1).and_then(|below| ran_out[below]);
                ran_out[rung] = above.or_else(|| runs_out(foreseen_ms(&below, fish[rung]), fits(config)));
            }
            if ran_out[rung].is_some() {
                continue;
            }
            begin(number, fish[rung]);
            let mut subject = SceneSubject::new(BenchScene { config, ..scene.reborrow() }, request)?;
            let measured = measure(&mut subject, &one_run, &|| origin.elapsed(), stop, &mut |_| {});
            end = measured.end.unless_failed(subject.finish());
            runs[rung].extend(measured.runs);
            if number == 0 {
                below.extend(Rung::of(fish[rung], 0, &runs[rung]).median_ms.map(|ms| (fish[rung], ms)));
            }
            if !matches!(end, End::Complete) {
                break 'all;
            }
        }
    }
    let rungs = fish.iter().zip(&configs).zip(runs.iter().zip(ran_out));
    let rung = |((fish, config), (runs, ran_out)): ((&u32, &Config), (&Vec<MeasuredRun>, _))| Rung {
        ran_out,
        ..Rung::of(*fish, config.animals(), runs)
    };
    Ok((rungs.map(rung).collect(), end))
}

/// A result, and its runs with their frames.
pub type Recorded = (Report, Vec<MeasuredRun>);

/// Measures two scenes in turn, each as many runs as the first's plan has: A B, B A, A B and so on, so that a machine
/// that grows slower, or quicker, does so for both alike. `begin` is called with each run, and the index of its scene,
/// before it starts. The window is the first scene's, and lent to both.
///
/// # Errors
/// If the driver refuses a render target.
pub fn record_pair<'a>(
    scenes: [BenchScene<'a>; 2],
    requests: [&BenchRequest; 2],
    stop: &dyn Fn() -> bool,
    begin: &mut dyn FnMut(u32, usize),
) -> Result<([Recorded; 2], End), BenchError> {
    let (mut headers, mut subjects, mut window) = (Vec::new(), Vec::new(), None);
    for (mut scene, request) in scenes.into_iter().zip(requests) {
        scene.window = scene.window.take().or(window.take());
        headers.push(header(&scene, request));
        let mut subject = SceneSubject::new(scene, request)?;
        window = subject.scene.window.take();
        subjects.push(subject);
    }
    let plan = requests[0].plan;
    let one_run = Plan { runs: 1, ..plan };
    let origin = Instant::now();
    let (mut runs, mut end) = ([Vec::new(), Vec::new()], End::Complete);
    'all: for number in 0..plan.runs {
        for which in if number.is_multiple_of(2) { [0, 1] } else { [1, 0] } {
            begin(number, which);
            let subject: &mut SceneSubject<'a> = &mut subjects[which];
            subject.scene.window = window.take();
            let measured = measure(subject, &one_run, &|| origin.elapsed(), stop, &mut |_| {});
            end = measured.end.unless_failed(subject.finish());
            window = subject.scene.window.take();
            runs[which].extend(measured.runs);
            if !matches!(end, End::Complete) {
                break 'all;
            }
        }
    }
    let pair = pair_name(&headers);
    let mut headers = headers.into_iter();
    let results = runs.map(|runs| {
        let mut header: Header = headers.next().expect("there is one for each");
        header.settings.interleaved = Some(pair.clone());
        let ended = match &end {
            End::Complete => End::Complete,
            End::Interrupted => End::Interrupted,
            End::Failed(error) => End::Failed(BenchError::Driver(error.to_string())),
        };
        let mut measured = Measured { runs, end: ended };
        let report = Report::new(header, &plan, &measured, host::peak_memory_mib());
        measured.forget_doubtful_times(&report);
        (report, measured.runs)
    });
    Ok((results, end))
}

/// A name that no other pair of results has.
fn pair_name(headers: &[Header]) -> String {
    let mut fnv = Fnv::default();
    for header in headers {
        [&header.when, &header.settings.scene_hash].into_iter().for_each(|part| fnv.item(part.as_bytes()));
    }
    fnv.bytes(&storage::process_id().to_le_bytes());
    fnv.hex()
}

fn header(scene: &BenchScene<'_>, request: &BenchRequest) -> Header {
    let render = &scene.config.render;
    let window = scene.window.as_deref();
    let facts = Facts {
        config: scene.config,
        static_scene: scene.world.static_scene(),
        shaders: scene.renderer.shaders(),
        device: scene.device,
        set: scene.set,
        asked: RequestedRun {
            runs: request.runs,
            passes: request.passes,
            ladder: request.ladder.as_ref().map(|LadderPlan { fish, plan, .. }| RequestedLadder {
                fish: fish.clone(),
                frames: plan.frames,
                warmup: plan.warmup_frames,
                measure_s: plan.measure_s(),
                warmup_s: plan.warmup_s(),
            }),
            ..scene.asked.clone()
        },
        size: scene.size,
        seed: scene.seed,
        level: QualityLevel { quality: render.quality.drawn(scene.device.software), scale: render.scale },
        stereo: scene.renderer.stereo(),
        governor: request.governor,
        pipelined: !request.in_turn,
        vsync: window.and_then(BenchWindow::vsync),
        refresh_hz: window.and_then(BenchWindow::refresh_hz),
        frame_end: request.frame_end,
        offscreen: window.is_none(),
        live: false,
        label: request.label.clone(),
    };
    facts.header(&request.plan)
}

/// Error for a refusal by the driver.
fn driver(error: RenderError) -> BenchError {
    BenchError::Driver(error.to_string())
}

struct SceneSubject<'a> {
    scene: BenchScene<'a>,
    /// Render target, if off-screen.
    output: Option<RenderTarget>,
    pacer: Pacer,
    frame_end: FrameEnd,
    governed: bool,
    /// Threads for the next step while a frame is drawn; without, both go in turn.
    beside: Option<Beside>,
    governor: Option<Governor>,
    notes: Vec<String>,
    /// Steps since the restart.
    steps: u64,
}

impl<'a> SceneSubject<'a> {
    fn new(scene: BenchScene<'a>, request: &BenchRequest) -> Result<Self, BenchError> {
        let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Nearest, Wrap::Clamp)], depth: None };
        let output = match scene.window {
            Some(_) => None,
            None => Some(
                RenderTarget::new(&scene.gl, "benchmark output", scene.size, &format)
                    .map_err(|error| BenchError::Driver(error.to_string()))?,
            ),
        };
        Ok(Self {
            output,
            pacer: Pacer::new(scene.gl.clone(), request.frame_end),
            frame_end: request.frame_end,
            governed: request.governor,
            beside: (!request.in_turn).then_some(scene.beside),
            governor: None,
            notes: Vec::new(),
            steps: 0,
            scene,
        })
    }

    /// Leaves the renderer as it was.
    ///
    /// # Errors
    /// If the driver refuses the quality from before the governor changed it.
    fn finish(&mut self) -> Result<(), BenchError> {
        self.pacer.drain();
        self.scene.renderer.clock().stop();
        let BenchScene { config, renderer, .. } = &mut self.scene;
        match self.governor.take() {
            Some(_) => renderer.set(&config.post, &config.render).map_err(driver),
            None => Ok(()),
        }
    }
}

/// Camera on the rail after so many steps.
fn on_rail(world: &World, steps: u64) -> Camera {
    scene::camera::rail(&world.settings().camera, steps as f64 * World::STEP_S)
}

/// Moves the world on by one step after so many.
fn step(world: &mut World, steps: u64) {
    let camera = on_rail(world, steps);
    world.set_onlooker(Some(camera.eye));
    world.set_torches(Some(&camera));
    world.step();
}

fn render(renderer: &mut Renderer, frame: &RenderScene, output: Option<&RenderTarget>) -> Submitted {
    let stats = renderer.draw(frame, output);
    Submitted { stats, cull_ms: renderer.clock().cull_ms() }
}

fn end_frame(
    pacer: &mut Pacer,
    frame_end: FrameEnd,
    window: &mut Option<&mut dyn BenchWindow>,
) -> Result<(), BenchError> {
    if frame_end != FrameEnd::Swap {
        pacer.end_frame()?;
    }
    match window {
        Some(window) => window.show(),
        None => Ok(()),
    }
}

impl Subject for SceneSubject<'_> {
    fn restart(&mut self) -> Result<(), BenchError> {
        self.pacer.drain();
        let BenchScene { config, device, renderer, frame, world: old, clock, .. } = &mut self.scene;
        let software = device.software;
        // Everything is made before anything is replaced; a world without a step is at its beginning already.
        let has_begun = old.time_s() > 0.0 || *old.settings() != config.scene;
        let anew = has_begun.then(|| old.begun_anew(&config.scene)).transpose();
        let anew = anew.map_err(|error| BenchError::Scene(error.to_string()))?;
        let world = anew.as_ref().unwrap_or(old);
        let mut first = RenderScene::default();
        world.extract(1.0, on_rail(world, 0), &mut first);
        let governor = self.governed.then(|| Governor::new(&config.render, software));
        let level = governor.as_ref().map(Governor::level);
        let render = level.map_or_else(|| config.render.clone(), |level| level.applied_to(&config.render));
        let is_loaded = world.shares_static_scene(old);
        let change = RenderChange {
            static_scene: (!is_loaded).then(|| world.static_scene()),
            features: Some(SceneFeatures::of(&first)),
            post: Some(&config.post),
            render: Some(&render),
            ..RenderChange::default()
        };
        let prepared = renderer.prepare(&change).map_err(driver)?;
        renderer.commit(prepared);
        renderer.clock().start(!software, *clock);
        **frame = first;
        anew.into_iter().for_each(|anew| **old = anew);
        self.governor = governor;
        if let Some(window) = &mut self.scene.window {
            window.clear_disturbance();
        }
        self.notes.clear();
        self.steps = 0;
        Ok(())
    }

    fn simulate(&mut self) {
        step(self.scene.world, self.steps);
        self.steps += 1;
    }

    fn extract(&mut self, frame: u32) {
        let camera = on_rail(self.scene.world, frame.into());
        self.scene.world.extract(1.0, camera, self.scene.frame);
    }

    fn draw(&mut self) -> Submitted {
        render(self.scene.renderer, self.scene.frame, self.output.as_ref())
    }

    fn end_frame(&mut self) -> Result<(), BenchError> {
        end_frame(&mut self.pacer, self.frame_end, &mut self.scene.window)
    }

    fn show(&mut self, wanted: bool, clock: &dyn Fn() -> Duration) -> Result<Shown, BenchError> {
        let Self { scene, output, pacer, frame_end, steps, beside: by, .. } = self;
        let BenchScene { renderer, world, frame, window, .. } = scene;
        let mut took = None;
        let move_on = || {
            let began = Instant::now();
            step(world, *steps);
            *steps += 1;
            took = Some(began.elapsed());
        };
        let mut draw = || -> Result<Shown, BenchError> {
            let submitted = render(renderer, frame, output.as_ref());
            let drawn = clock();
            end_frame(pacer, *frame_end, window)?;
            Ok(Shown { submitted, drawn, ended: clock(), beside: None })
        };
        let shown = match by.filter(|_| wanted) {
            Some(by) => beside(by, move_on, draw),
            None => draw(),
        };
        Ok(Shown { beside: took, ..shown? })
    }

    fn drain(&mut self) {
        self.pacer.drain();
    }

    fn time_s(&self) -> f64 {
        self.scene.frame.time_s
    }

    fn state_hash(&self) -> u64 {
        self.scene.world.state_hash()
    }

    fn gpu_times(&mut self, take: &mut dyn FnMut(u32, PassMs<'_>)) {
        let clock = self.scene.renderer.clock();
        while let Some((frame, times)) = clock.poll_gpu() {
            take(frame, times);
        }
    }

    fn ended(&mut self, sample: &FrameSample) -> Result<(), BenchError> {
        let Some(governor) = &mut self.governor else { return Ok(()) };
        if let Some(decision) = governor.frame(sample.frame_ms, sample.frame_ms / 1e3) {
            let render = decision.level.applied_to(&self.scene.config.render);
            self.scene.renderer.set(&self.scene.config.post, &render).map_err(driver)?;
            self.notes.push(format!("governor, at {:.1} s: {decision}", self.time_s()));
        }
        Ok(())
    }

    fn disturbance(&mut self) -> Option<String> {
        self.scene.window.as_mut().and_then(|window| window.disturbance())
    }

    fn sense(&mut self) -> SensorReading {
        SensorReading::now(self.scene.device)
    }

    fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

/// A scene drawn in several ways.
struct Switched<'a> {
    subject: SceneSubject<'a>,
    variants: Vec<EffectVariant>,
    /// Whether animals are in the moment being drawn.
    animals: bool,
}

impl Switched<'_> {
    fn draw_with(&mut self, effects: Effects) -> Result<(), BenchError> {
        let renderer = &mut *self.subject.scene.renderer;
        let render = RenderSettings { effects, ..renderer.settings().1.clone() };
        let change = RenderChange { render: Some(&render), ..RenderChange::default() };
        renderer.apply(&change).map_err(driver)
    }
}

impl Switchable for Switched<'_> {
    fn restart(&mut self) -> Result<(), BenchError> {
        self.subject.restart()?;
        self.subject.extract(0);
        Ok(())
    }

    fn next_moment(&mut self) {
        for _ in 0..passes::STEPS_BETWEEN {
            self.subject.simulate();
        }
        self.subject.extract(self.subject.steps as u32);
        self.animals = true;
    }

    fn select(&mut self, index: usize) -> Result<(), BenchError> {
        let EffectVariant { effects, animals, .. } = self.variants[index];
        self.draw_with(effects)?;
        if animals != self.animals {
            if animals {
                self.subject.extract(self.subject.steps as u32);
            } else {
                let BenchScene { world, frame, .. } = &mut self.subject.scene;
                world.leave_out_animals(frame);
            }
            self.animals = animals;
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<(), BenchError> {
        self.subject.draw();
        if let Some(window) = &mut self.subject.scene.window {
            window.show()?;
        }
        fence::finish(&self.subject.scene.gl);
        Ok(())
    }
}
