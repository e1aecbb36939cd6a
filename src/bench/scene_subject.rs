//! A scene as a benchmark's subject.

use crate::bench::BenchError;
use crate::bench::pacing::{FrameEnd, Pacer};
use crate::bench::report::{App, GlInfo, Header, Report, Settings};
use crate::bench::run::{Measured, Plan, Subject, measure};
use crate::bench::{host, scene_hash};
use crate::config::Config;
use crate::gl::{Filter, Format, Gl, RenderTarget, TargetFormat, Wrap};
use crate::render::{FrameStats, Quality, Renderer, built_in_hash};
use crate::scene::{self, RenderScene, World};

/// A scene that is loaded and ready to be drawn off-screen; everything a benchmark needs to know of it.
pub struct Scene<'a> {
    /// The context's functions.
    pub gl: Gl,
    /// What the driver says about itself.
    pub gl_info: GlInfo,
    /// Draws it.
    pub renderer: &'a mut Renderer,
    /// Moves it; made anew for each run.
    pub world: &'a mut World,
    /// The moment being drawn.
    pub frame: &'a mut RenderScene,
    /// What it was made from.
    pub config: &'a Config,
    /// The user's changes that are in `config` already, to be told.
    pub set: &'a [String],
    /// Width and height of the picture in pixels, as the renderer was told.
    pub size: (u32, u32),
    /// Seed of the world.
    pub seed: u64,
}

/// What is to be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// How much.
    pub plan: Plan,
    /// How frames end.
    pub frame_end: FrameEnd,
    /// The user's own words about it.
    pub label: Option<String>,
}

/// Measures a scene. `stop` is asked after each frame, `begin` told each run before it starts.
///
/// The camera goes along the scene's rail by simulated time, which is the frame's number times [`World::STEP_S`]:
/// nothing that is drawn depends on how long it takes. It is drawn into 8-bit colour of the picture's size, as a window
/// would have it.
///
/// # Errors
/// If the driver refuses something to draw into; what fails later is told in [`Measured::end`].
pub fn record(
    scene: Scene<'_>,
    request: &Request,
    stop: &dyn Fn() -> bool,
    begin: &mut dyn FnMut(u32),
) -> Result<(Report, Measured), BenchError> {
    let header = header(&scene, request);
    let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Nearest, Wrap::Clamp)], depth: None };
    let output = RenderTarget::new(&scene.gl, "benchmark output", scene.size, &format)
        .map_err(|error| BenchError::Driver(error.to_string()))?;
    let pacer = Pacer::new(scene.gl.clone(), request.frame_end);
    let mut subject = SceneSubject { scene, output, pacer, steps: 0 };
    let origin = std::time::Instant::now();
    let measured = measure(&mut subject, &request.plan, &|| origin.elapsed(), stop, begin);
    Ok((Report::new(header, &request.plan, &measured, host::peak_memory_mib()), measured))
}

fn header(scene: &Scene<'_>, request: &Request) -> Header {
    let hashes = scene_hash::parts(scene.config, scene.world.stage(), built_in_hash());
    let settings = Settings {
        size: scene.size,
        scene: scene.config.scene.name.clone(),
        set: scene.set.to_vec(),
        quality: tier_name(scene.config.render.quality, scene.gl_info.software).into(),
        render_scale: scene.config.render.scale,
        animals: scene.config.scene.species.iter().map(|species| u64::from(species.count)).sum(),
        seed: scene.seed,
        dt: World::STEP_S,
        warmup: request.plan.warmup_frames,
        frames: request.plan.frames,
        runs: request.plan.runs,
        vsync: None,
        offscreen: true,
        frame_end: request.frame_end,
        scene_hash: scene_hash::whole(&hashes, scene.seed),
        hashes,
    };
    Header {
        label: request.label.clone(),
        when: host::utc_now(),
        app: App::this(),
        host: host::Host::now(),
        gl: scene.gl_info.clone(),
        settings,
    }
}

/// The tier that is drawn: `auto` by the name of what it chooses.
fn tier_name(quality: Quality, software: bool) -> &'static str {
    match quality {
        Quality::Auto if software => "low",
        Quality::Auto => "high",
        Quality::Low => "low",
        Quality::Medium => "medium",
        Quality::High => "high",
        Quality::Ultra => "ultra",
    }
}

struct SceneSubject<'a> {
    scene: Scene<'a>,
    output: RenderTarget,
    pacer: Pacer,
    /// Steps since the restart.
    steps: u64,
}

impl Subject for SceneSubject<'_> {
    fn restart(&mut self) -> Result<(), BenchError> {
        self.pacer.drain();
        // The stage depends on settings and seed alone, so what the renderer has loaded is the new world's too, and
        // what there is to warn of was said when it was.
        let level = log::max_level();
        log::set_max_level(level.min(log::LevelFilter::Error));
        let world = World::new(&self.scene.config.scene, self.scene.seed);
        log::set_max_level(level);
        *self.scene.world = world.map_err(|error| BenchError::Scene(error.to_string()))?;
        self.steps = 0;
        Ok(())
    }

    fn simulate(&mut self) {
        self.scene.world.step();
        self.steps += 1;
    }

    fn extract(&mut self, frame: u32) {
        let camera = scene::camera::rail(&self.scene.config.scene.camera, f64::from(frame) * World::STEP_S);
        self.scene.world.extract(1.0, camera, self.scene.frame);
    }

    fn draw(&mut self) -> FrameStats {
        self.scene.renderer.draw(self.scene.frame, Some(self.output.raw()))
    }

    fn end_frame(&mut self) -> Result<(), BenchError> {
        self.pacer.end_frame()
    }

    fn drain(&mut self) {
        self.pacer.drain();
    }

    fn time_s(&self) -> f64 {
        self.steps as f64 * World::STEP_S
    }

    fn state_hash(&self) -> u64 {
        self.scene.world.state_hash()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_tier_is_the_one_that_auto_chooses() {
        for software in [false, true] {
            let auto = tier_name(Quality::Auto, software);
            let chosen = [Quality::Low, Quality::Medium, Quality::High, Quality::Ultra]
                .into_iter()
                .find(|quality| quality.tier(software) == Quality::Auto.tier(software))
                .expect("auto is one of the tiers");
            assert_eq!(auto, tier_name(chosen, software));
        }
    }
}
