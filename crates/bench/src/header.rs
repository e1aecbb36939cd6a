//! The header of a report: facts that are known before the first run.

use config::Config;
use gl::DeviceInfo;
use render::governor::QualityLevel;
use render::{ShaderSource, Stereo};
use scene::World;
use view::StaticScene;

use crate::pacing::FrameEnd;
use crate::report::{AppInfo, Header, RequestedRun, Settings};
use crate::run::Plan;
use crate::{host, scene_hash};

/// Facts about a scene that is to be measured.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// The scene's settings as they are now.
    pub config: &'a Config,
    /// Its static scene: models, seabed and props.
    pub static_scene: &'a StaticScene,
    /// The shaders it is drawn with.
    pub shaders: &'a ShaderSource,
    /// The driver.
    pub device: &'a DeviceInfo,
    /// The user's changes, which are in `config` already.
    pub set: &'a [String],
    /// The request.
    pub asked: RequestedRun,
    /// The picture's width and height in pixels.
    pub size: (u32, u32),
    /// The seed.
    pub seed: u64,
    /// Quality tier and resolution that are drawn, with the governor those it begins with.
    pub level: QualityLevel,
    /// Stereo layout of the picture.
    pub stereo: Stereo,
    /// Whether the governor is at work.
    pub governor: bool,
    /// Whether the world is moved on to the next frame while one is drawn.
    pub pipelined: bool,
    /// Whether frames wait for the screen; `None` off-screen and where the driver does not do as it is told.
    pub vsync: Option<bool>,
    /// The screen's rate, where it is known. Unit: 1/s.
    pub refresh_hz: Option<f64>,
    /// The way a frame ends.
    pub frame_end: FrameEnd,
    /// Whether it is drawn without a window.
    pub offscreen: bool,
    /// Whether it is moved by the program's own clock and seen by a person's camera.
    pub live: bool,
    /// The user's own words.
    pub label: Option<String>,
}

impl Facts<'_> {
    /// Header of a report that begins now.
    pub fn header(self, plan: &Plan) -> Header {
        let hashes = scene_hash::parts(self.config, self.static_scene, self.shaders.hash());
        let settings = Settings {
            size: self.size,
            scene: self.config.scene.name.clone(),
            set: self.set.to_vec(),
            asked: self.asked,
            quality: self.level.quality.to_string(),
            governor: self.governor,
            render_scale: self.level.scale,
            stereo: self.stereo.to_string(),
            animals: self.config.animals(),
            seed: self.seed,
            step_s: World::STEP_S,
            warmup: plan.warmup_frames,
            frames: plan.frames,
            measure_s: plan.measure_s(),
            warmup_s: plan.warmup_s(),
            runs: plan.runs,
            pipelined: self.pipelined,
            vsync: self.vsync,
            refresh_hz: self.refresh_hz,
            live: self.live,
            offscreen: self.offscreen,
            page: cfg!(target_arch = "wasm32"),
            frame_end: self.frame_end,
            scene_hash: scene_hash::whole(&hashes, self.seed),
            hashes,
            config: Some(scene_hash::settings(self.config)),
            interleaved: None,
        };
        Header {
            label: self.label,
            when: host::utc_now(),
            app: AppInfo::this(),
            host: host::Host::now(),
            gl: self.device.clone(),
            settings,
        }
    }
}
