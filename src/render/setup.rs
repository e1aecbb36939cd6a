//! What passes are made from.

use std::cell::RefCell;
use std::rc::Rc;

use crate::gl::Gl;
use crate::render::pass_cache::{KnownPrograms, PassCache, PassMaker};
use crate::render::plan::{FramePlan, PlanInputs, SceneFeatures};
use crate::render::shaders::ShaderSource;
use crate::render::static_scene::GpuStaticScene;
use crate::render::{PostSettings, RenderSettings, Stereo};

/// Settings, scene and shaders that a renderer draws with, and the plan that follows.
#[derive(Clone)]
pub struct Setup {
    /// Picture.
    pub post: PostSettings,
    /// Quality.
    pub render: RenderSettings,
    /// Whether OpenGL runs on the CPU.
    pub software: bool,
    /// What the scene has.
    pub features: SceneFeatures,
    /// Width and height of the output in pixels.
    pub output: (u32, u32),
    /// How two eyes' pictures share it.
    pub stereo: Stereo,
    /// Shaders.
    pub source: ShaderSource,
    /// Programs that were made from them.
    pub known_programs: Rc<KnownPrograms>,
    /// Models, ground and props.
    pub static_scene: Rc<GpuStaticScene>,
    /// What follows from all these.
    pub plan: FramePlan,
}

impl Setup {
    /// With nothing loaded yet, and the shaders that are built in.
    pub fn new(software: bool, output: (u32, u32), post: &PostSettings, render: &RenderSettings) -> Self {
        let features = SceneFeatures::default();
        Self {
            post: post.clone(),
            render: render.clone(),
            software,
            features,
            output,
            stereo: Stereo::Off,
            source: ShaderSource::default(),
            known_programs: Rc::default(),
            static_scene: Rc::default(),
            plan: FramePlan::new(&PlanInputs::new(post, render, software, features, output)),
        }
    }

    /// What the plan of one eye's picture follows from.
    pub fn plan_inputs(&self) -> PlanInputs {
        let output = self.stereo.eye_extent(self.output);
        PlanInputs::new(&self.post, &self.render, self.software, self.features, output)
    }

    /// Makes the parts of passes for the plan, or takes them from `cache`.
    pub fn maker<'a>(&'a self, gl: &'a Gl, cache: &'a PassCache) -> PassMaker<'a> {
        let (source, known) = (&self.source, &self.known_programs);
        PassMaker { gl, plan: &self.plan, source, known, cache, targets: RefCell::default() }
    }
}
