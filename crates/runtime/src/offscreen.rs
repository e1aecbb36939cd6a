//! A scene on an off-screen context, shared by `shot`, `bench` and the tests.
#![expect(clippy::disallowed_methods, reason = "the scene is made beside the context")]

use std::panic::resume_unwind;
use std::path::Path;
use std::rc::Rc;

use config::Config;
use platform::context::Context;
use render::{Capture, Renderer, Stereo, View};
use scene::{World, expected_features};
use view::{Camera, RenderScene, SceneFeatures};

use crate::files::load_model;
use crate::load::no_such_camera;
use crate::{AppError, SceneOptions, files, load, threads};

/// A scene that is loaded, uploaded and ready to be stepped and drawn.
///
/// The context is current on the thread that opened it and stays so for the session's life.
pub struct Session {
    /// The renderer, at the size of the options.
    // Dropped before the context, whose objects it owns.
    pub renderer: Renderer,
    /// The world, at time zero until stepped.
    pub world: World,
    /// The settings both were made from.
    pub config: Config,
    /// The frame extracted last, kept so that its memory is reused.
    pub frame: RenderScene,
    /// The context, shared with sessions opened beside this one.
    pub context: Rc<Context>,
}

impl Session {
    /// Loads the scene and makes everything it needs, off-screen.
    ///
    /// # Errors
    /// If the scene is wrong, a model cannot be loaded or there is no usable OpenGL.
    pub fn open(options: &SceneOptions) -> Result<Self, AppError> {
        // User errors are found before the slow work.
        Self::with(load(options)?.config, options)
    }

    /// Same as [`Self::open`], with settings that are loaded already.
    ///
    /// # Errors
    /// If a model cannot be loaded or there is no usable OpenGL.
    pub fn with(config: Config, options: &SceneOptions) -> Result<Self, AppError> {
        let (renderer, world, context) = std::thread::scope(|scope| {
            // The world and the shaders take about as long as each other.
            let world = scope.spawn(|| World::new(&config.scene, options.seed, load_model, threads::join));
            let context = Context::offscreen()?;
            let renderer = renderer(&context, options.size, &config, options.shaders.as_deref())?;
            let world = world.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            Ok::<_, AppError>((renderer, world, context))
        })?;
        Self::new(renderer, world, config, Rc::new(context))
    }

    /// Uploads a world. The renderer must be of that context.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub(super) fn new(
        mut renderer: Renderer,
        world: World,
        config: Config,
        context: Rc<Context>,
    ) -> Result<Self, AppError> {
        let mut frame = RenderScene::default();
        world.extract(1.0, Camera::default(), &mut frame);
        renderer.load(world.static_scene(), SceneFeatures::of(&frame))?;
        Ok(Self { renderer, world, config, frame, context })
    }

    /// Another scene in the same context, with everything of its own.
    ///
    /// # Errors
    /// Same as [`Self::open`].
    pub fn beside(&self, options: &SceneOptions) -> Result<Self, AppError> {
        Self::in_context(self.context.clone(), options)
    }

    /// Same as [`Self::open`], in a context that is already there.
    ///
    /// # Errors
    /// Same as [`Self::open`].
    pub fn in_context(context: Rc<Context>, options: &SceneOptions) -> Result<Self, AppError> {
        let config = load(options)?.config;
        let world = World::new(&config.scene, options.seed, load_model, threads::join)?;
        let renderer = renderer(&context, options.size, &config, options.shaders.as_deref())?;
        Self::new(renderer, world, config, context)
    }

    /// The camera called `name`, or the first view.
    ///
    /// # Errors
    /// If the scene has no view of that name; the error lists those it has.
    pub fn camera(&self, name: Option<&str>) -> Result<Camera, AppError> {
        self.world.view(name).ok_or_else(|| no_such_camera(&self.config, name))
    }

    /// Sets the stereo mode: pictures of two eyes, or of one.
    ///
    /// # Errors
    /// If the driver refuses a target.
    pub fn set_stereo(&mut self, stereo: Stereo) -> Result<(), AppError> {
        Ok(self.renderer.set_stereo(stereo)?)
    }

    /// Steps the world until `time_s` seconds from the beginning of the scene, `steps_taken` steps being done; returns
    /// the new number of steps.
    ///
    /// # Errors
    /// If Ctrl-C was pressed meanwhile.
    pub fn step_to(&mut self, time_s: f64, steps_taken: u64) -> Result<u64, AppError> {
        let wanted = (time_s / World::STEP_S).round().max(0.0) as u64;
        for _ in steps_taken..wanted {
            if platform::interrupt::requested() {
                return Err(AppError::Interrupted);
            }
            self.world.step();
        }
        Ok(wanted.max(steps_taken))
    }

    /// The present moment as seen from `camera`, drawn and read back.
    ///
    /// # Errors
    /// If the driver refuses a target or the context is lost.
    pub fn capture(&mut self, camera: Camera, view: View, linear: bool) -> Result<Capture, AppError> {
        self.world.extract(1.0, camera, &mut self.frame);
        let capture = self.renderer.capture(&self.frame, view, linear)?;
        self.kept(capture)
    }

    /// Same as [`Self::capture`] of the final view, through a lens. Without a focus distance (m) the middle of the
    /// picture is sharp.
    ///
    /// # Errors
    /// Same as [`Self::capture`].
    pub fn photograph(
        &mut self,
        camera: Camera,
        aperture_m: f32,
        focus_m: Option<f32>,
        linear: bool,
        told: &mut dyn FnMut(usize),
    ) -> Result<Capture, AppError> {
        self.world.extract(1.0, camera, &mut self.frame);
        let photograph = self.renderer.photograph(&self.frame, (aperture_m, focus_m), linear, told)?;
        self.kept(photograph)
    }

    /// Returns `capture` if the context has not been lost meanwhile.
    pub fn kept(&self, capture: Capture) -> Result<Capture, AppError> {
        match self.context.reset() {
            None => Ok(capture),
            Some(reset) => Err(AppError::ContextLost(format!("{reset:?}"))),
        }
    }
}

/// Renderer for pictures of a size, with the shaders of a folder, if given, in place of the built-in ones.
///
/// # Errors
/// If a shader is wrong or the driver refuses an object.
pub(super) fn renderer(
    context: &Context,
    size: (u32, u32),
    config: &Config,
    shaders: Option<&Path>,
) -> Result<Renderer, AppError> {
    let wanted = (&config.post, &config.render, expected_features(&config.scene));
    let mut renderer = Renderer::new(context.gl(), context.device().software, size, wanted)?;
    renderer.set_join(threads::join_drawing);
    if shaders.is_some() {
        renderer.use_shaders(files::shaders(shaders)?)?;
    }
    Ok(renderer)
}
