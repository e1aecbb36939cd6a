//! Setup that passes are made from.

use std::cell::RefCell;
use std::rc::Rc;

use gl::debug::check_memory;
use gl::{Gl, GlError, Pending};
use view::SceneFeatures;

use crate::deferred::DeferredPrograms;
use crate::pass_cache::{KnownPrograms, PassCache, PassMaker};
use crate::plan::{FramePlan, PlanInputs};
use crate::shaders::ShaderSource;
use crate::static_scene::GpuStaticScene;
use crate::{PostSettings, RenderSettings, Stereo};

/// Settings, scene and shaders that a renderer draws with, and the plan that follows.
#[derive(Clone)]
pub struct Setup {
    /// Picture.
    pub post: PostSettings,
    /// Quality.
    pub render: RenderSettings,
    /// Whether OpenGL runs on the CPU.
    pub software: bool,
    /// Features of the scene.
    pub features: SceneFeatures,
    /// Width and height of the output in pixels.
    pub output: (u32, u32),
    /// Layout of two eyes' pictures in it.
    pub stereo: Stereo,
    /// Whether its pictures are pieces of a larger one.
    pub pieces: bool,
    /// Shaders.
    pub source: ShaderSource,
    /// Programs that pictures have lacked.
    pub missed: Rc<DeferredPrograms>,
    /// Programs that were made from the shaders.
    pub known_programs: Rc<KnownPrograms>,
    /// Models, ground and props.
    pub static_scene: Rc<GpuStaticScene>,
    /// The plan that follows from all these.
    pub plan: FramePlan,
}

impl Setup {
    /// A setup with nothing loaded yet, and the shaders that are built in.
    pub fn new(software: bool, output: (u32, u32), post: &PostSettings, render: &RenderSettings) -> Self {
        let features = SceneFeatures::default();
        Self {
            post: post.clone(),
            render: render.clone(),
            software,
            features,
            output,
            stereo: Stereo::Off,
            pieces: false,
            source: ShaderSource::default(),
            missed: Rc::default(),
            known_programs: Rc::default(),
            static_scene: Rc::default(),
            plan: FramePlan::new(&PlanInputs::new(post, render, software, features, output)),
        }
    }

    /// Inputs of the plan of one eye's picture.
    pub fn plan_inputs(&self) -> PlanInputs {
        let output = self.stereo.eye_extent(self.output);
        let inputs = PlanInputs::new(&self.post, &self.render, self.software, self.features, output);
        if self.pieces { inputs.of_pieces() } else { inputs }
    }

    /// Makes parts of passes for the plan, or takes them from `cache`. The driver's answers are not waited for: the
    /// objects asked for are returned too, for [`check`].
    ///
    /// # Errors
    /// If `make` fails.
    pub fn ask<T, E>(
        &self,
        gl: &Gl,
        cache: &PassCache,
        make: impl FnOnce(&PassMaker<'_>) -> Result<T, E>,
    ) -> Result<(T, Vec<Rc<dyn Pending>>), E> {
        let (source, known, missed) = (&self.source, &self.known_programs, &self.missed);
        let (targets, asked) = (RefCell::default(), RefCell::default());
        let maker = PassMaker { gl, plan: &self.plan, source, known, missed, cache, targets, asked };
        let made = make(&maker)?;
        Ok((made, maker.asked.into_inner()))
    }

    /// Makes parts of passes as [`Self::ask`] does, and waits for all answers.
    ///
    /// # Errors
    /// If `make` fails or the driver refuses something; objects that nothing else uses are forgotten then.
    pub fn make<T>(
        &self,
        gl: &Gl,
        cache: &PassCache,
        make: impl FnOnce(&PassMaker<'_>) -> Result<T, GlError>,
    ) -> Result<T, GlError> {
        let made = self.ask(gl, cache, make).and_then(|(made, asked)| check(gl, &asked).map(|()| made));
        made.inspect_err(|_| cache.forget_unused())
    }
}

/// Waits for the driver's answers.
///
/// # Errors
/// If it refuses something, or has no memory for all that was made.
pub fn check(gl: &Gl, asked: &[Rc<dyn Pending>]) -> Result<(), GlError> {
    asked.iter().try_for_each(|asked| asked.check())?;
    check_memory(gl, "what the picture takes")
}
