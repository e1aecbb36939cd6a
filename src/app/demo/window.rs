//! The window with what draws into it.

use std::time::Instant;

use winit::event_loop::ActiveEventLoop;
use winit::window::{Window, WindowAttributes};

use crate::app::context::{Context, ContextError};
use crate::app::demo::overlay::{Overlay, Panels};
use crate::app::demo::session::SceneSession;
use crate::app::{AppError, clock};
use crate::config::Config;
use crate::render::governor::{Decision, Governor, QualityLevel};
use crate::render::{
    Capture, FrameStats, PassClock, Prepared, Quality, RenderChange, RenderSettings, Renderer, SceneFeatures,
    ShaderSource, View,
};
use crate::scene::RenderScene;

/// A window, its context and the renderer in it.
pub struct DemoWindow {
    // Dropped in this order: what was made with the context goes before it.
    renderer: Renderer,
    overlay: Option<Overlay>,
    context: Context,
    size: (u32, u32),
    governor: Option<Governor>,
    /// The quality that was asked for, which the governor was made for.
    wanted: RenderSettings,
}

/// Everything that the window needs for a scene, ready for [`DemoWindow::commit`].
pub struct PreparedWindow {
    renderer: Prepared,
    governor: Option<Governor>,
    wanted: RenderSettings,
}

/// A frame that has been shown, and when its parts ended.
#[derive(Clone, Copy, Debug)]
pub struct PresentedFrame {
    /// What was drawn.
    pub stats: FrameStats,
    /// Culling. Unit: ms.
    pub cull_ms: f64,
    /// When the picture was submitted.
    pub submitted: Instant,
    /// When the text over it was.
    pub overlaid: Instant,
    /// When both were shown.
    pub presented: Instant,
}

impl DemoWindow {
    /// Opens the window, still empty. `ui` is whether there is an overlay.
    ///
    /// # Errors
    /// If there is no window, no usable OpenGL, a shader is wrong, or the driver refuses an object.
    pub fn open(
        event_loop: &ActiveEventLoop,
        attributes: &WindowAttributes,
        vsync: bool,
        ui: bool,
        shaders: &ShaderSource,
        config: &Config,
    ) -> Result<Self, AppError> {
        let context = Context::in_window(event_loop, attributes, vsync)?;
        let Some(window) = context.window() else {
            return Err(ContextError::Window { why: "it is gone already".into() }.into());
        };
        let size = window.inner_size();
        let size = (size.width.max(1), size.height.max(1));
        let software = context.device().software;
        let governor = governor(&config.render, software);
        let render = at_level(&config.render, governor.as_ref());
        let mut renderer = Renderer::new(context.gl(), software, size, &config.post, &render)?;
        if *shaders != ShaderSource::default() {
            renderer.apply(&RenderChange { shaders: Some(shaders.clone()), ..RenderChange::default() })?;
        }
        renderer.clock().start(!software, clock::now_s);
        let overlay = match ui.then(|| Overlay::new(&context)) {
            Some(Ok(overlay)) => Some(overlay),
            Some(Err(error)) => {
                log::warn!("no text is shown over the picture: {error}");
                None
            }
            None => None,
        };
        if let Some(governor) = &governor {
            log::info!(
                "quality is chosen for {:.1} ms a frame, beginning with {}",
                governor.target_ms(),
                governor.level()
            );
        }
        Ok(Self { renderer, overlay, context, size, governor, wanted: config.render.clone() })
    }

    /// The system's window.
    pub fn system_window(&self) -> Option<&Window> {
        self.context.window()
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Follows the window's size; one with a zero is ignored.
    ///
    /// # Errors
    /// If the driver refuses a target of that size.
    pub fn resize(&mut self, size: (u32, u32)) -> Result<(), AppError> {
        if size.0 == 0 || size.1 == 0 || size == self.size {
            return Ok(());
        }
        self.size = size;
        self.context.resize(size.0, size.1);
        self.disturbed();
        Ok(self.renderer.resize(size)?)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Times what is drawn.
    pub fn clock(&mut self) -> &mut PassClock {
        self.renderer.clock()
    }

    /// The level that the governor has chosen, if there is one.
    pub fn level(&self) -> Option<QualityLevel> {
        self.governor.as_ref().map(Governor::level)
    }

    /// The budget of a frame, if the governor holds one. Unit: ms.
    pub fn target_ms(&self) -> Option<f64> {
        self.governor.as_ref().map(Governor::target_ms)
    }

    /// Tells the governor what a frame took and how long after the one before it came, and does what it decides.
    ///
    /// # Errors
    /// If the driver refuses a target of the new level; the governor is then let go.
    pub fn govern(&mut self, load_ms: f64, frame_s: f64) -> Result<Option<Decision>, AppError> {
        let Some(governor) = &mut self.governor else { return Ok(None) };
        let Some(decision) = governor.frame(load_ms, frame_s) else { return Ok(None) };
        let render = decision.level.applied_to(&self.wanted);
        match self.renderer.apply(&RenderChange { render: Some(&render), ..RenderChange::default() }) {
            Ok(()) => Ok(Some(decision)),
            Err(error) => {
                self.governor = None;
                Err(error.into())
            }
        }
    }

    /// What the governor has learnt is no longer so.
    fn disturbed(&mut self) {
        if let Some(governor) = &mut self.governor {
            governor.disturbed();
        }
    }

    /// Makes everything that `session` needs here, of which `frame` is a moment; what is shown is not touched.
    /// `keeps_static_scene` says that models, seabed and props are those that are shown.
    ///
    /// # Errors
    /// If the driver refuses an object or a shader fails.
    pub fn prepare(
        &self,
        session: &SceneSession,
        frame: &RenderScene,
        keeps_static_scene: bool,
    ) -> Result<PreparedWindow, AppError> {
        let SceneSession { config, .. } = session;
        let wanted = config.render.clone();
        // A level that was found good stays, unless the wishes it was found for are others now.
        let mut governor = match wanted == self.wanted {
            true => self.governor.clone(),
            false => governor(&wanted, self.context.device().software),
        };
        if let Some(governor) = &mut governor {
            governor.disturbed();
        }
        // Textures are as fine as the tier that was asked for.
        let keeps_static_scene = keeps_static_scene && wanted.quality == self.wanted.quality;
        let renderer = self.renderer.prepare(&RenderChange {
            static_scene: (!keeps_static_scene).then(|| session.world().static_scene()),
            features: Some(SceneFeatures::of(frame)),
            post: Some(&config.post),
            render: Some(&at_level(&wanted, governor.as_ref())),
            ..RenderChange::default()
        })?;
        Ok(PreparedWindow { renderer, governor, wanted })
    }

    /// Draws what was prepared from now on.
    pub fn commit(&mut self, prepared: PreparedWindow) {
        self.renderer.commit(prepared.renderer);
        (self.governor, self.wanted) = (prepared.governor, prepared.wanted);
    }

    /// The shaders in use.
    pub fn shaders(&self) -> &ShaderSource {
        self.renderer.shaders()
    }

    /// Draws with other shaders from now on.
    ///
    /// # Errors
    /// If one is wrong; those in use stay.
    pub fn use_shaders(&mut self, shaders: ShaderSource) -> Result<(), AppError> {
        Ok(self.renderer.apply(&RenderChange { shaders: Some(shaders), ..RenderChange::default() })?)
    }

    /// Draws a frame and what there is to say over it, if anything, and shows both.
    ///
    /// # Errors
    /// If the context is lost.
    pub fn draw(
        &mut self,
        frame: &RenderScene,
        panels: Option<&mut Panels>,
        now_s: f64,
    ) -> Result<PresentedFrame, String> {
        let stats = self.renderer.draw(frame, None);
        let cull_ms = self.renderer.clock().cpu_of("cull");
        let submitted = Instant::now();
        let scale = self.system_window().map_or(1.0, |window| window.scale_factor() as f32);
        if let (Some(overlay), Some(panels)) = (&mut self.overlay, panels) {
            overlay.draw(&self.context, panels, self.size, scale, now_s);
        }
        let overlaid = Instant::now();
        if let Some(window) = self.system_window() {
            window.pre_present_notify();
        }
        self.context.swap()?;
        match self.context.reset() {
            None => Ok(PresentedFrame { stats, cull_ms, submitted, overlaid, presented: Instant::now() }),
            Some(reset) => Err(format!("reset, {reset:?}")),
        }
    }

    /// The frame's picture without text.
    ///
    /// # Errors
    /// If the driver refuses a target.
    pub fn capture(&mut self, frame: &RenderScene) -> Result<Capture, AppError> {
        Ok(self.renderer.capture(frame, View::Final, false)?)
    }
}

/// A governor where one is wanted.
fn governor(render: &RenderSettings, software: bool) -> Option<Governor> {
    (render.quality == Quality::Auto).then(|| Governor::new(render, software))
}

/// Settings with the governor's level in place of what was asked for.
fn at_level(render: &RenderSettings, governor: Option<&Governor>) -> RenderSettings {
    governor.map_or_else(|| render.clone(), |governor| governor.level().applied_to(render))
}
