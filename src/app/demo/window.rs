//! The window with what draws into it.

use std::path::Path;
use std::time::Instant;

use winit::event_loop::ActiveEventLoop;
use winit::window::{Window, WindowAttributes};

use crate::app::AppError;
use crate::app::context::{Context, ContextError};
use crate::app::demo::overlay::{Overlay, Panels};
use crate::app::demo::session::{Change, SceneSession};
use crate::config::Config;
use crate::render::governor::{Decision, Governor, QualityLevel};
use crate::render::{
    Capture, FrameStats, PassClock, Quality, RenderChange, RenderSettings, Renderer, SceneFeatures, View,
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
    /// What the governor was made for.
    governed: RenderSettings,
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
    pub shown: Instant,
}

impl DemoWindow {
    /// Opens the window, still empty. `ui` is whether there is an overlay.
    ///
    /// # Errors
    /// If there is no window, no usable OpenGL, or the driver refuses an object.
    pub fn open(
        event_loop: &ActiveEventLoop,
        attributes: &WindowAttributes,
        vsync: bool,
        ui: bool,
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
        let render = with_level(&config.render, governor.as_ref().map(Governor::level));
        let mut renderer = Renderer::new(context.gl(), software, size, &config.post, &render)?;
        renderer.clock().start(!software);
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
        Ok(Self { renderer, overlay, context, size, governor, governed: config.render.clone() })
    }

    /// The window.
    pub fn window(&self) -> Option<&Window> {
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
        let post = self.renderer.settings().0.clone();
        match self.renderer.set(&post, &with_level(&self.governed, Some(decision.level))) {
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

    /// Uploads what does not change from frame to frame.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn load(&mut self, show: &SceneSession) -> Result<(), AppError> {
        Ok(self.renderer.load(show.world().static_scene(), features(show))?)
    }

    /// Takes over what has changed in the show.
    ///
    /// # Errors
    /// If the driver refuses an object; the old ones stay.
    pub fn apply(&mut self, change: Change, show: &SceneSession) -> Result<(), AppError> {
        let render = &show.config.render;
        let software = self.context.device().software;
        // A level that was found good stays, unless the wishes it was found for are others now.
        let other_textures = render.quality != self.governed.quality;
        if *render != self.governed {
            self.governor = governor(render, software);
            self.governed = render.clone();
        }
        let is_staged = change == Change::Stage || other_textures;
        self.renderer.apply(&RenderChange {
            static_scene: is_staged.then(|| show.world().static_scene()),
            features: Some(features(show)),
            post: Some(&show.config.post),
            render: Some(&with_level(render, self.level())),
            ..RenderChange::default()
        })?;
        self.disturbed();
        Ok(())
    }

    /// Compiles the shaders of `folder`.
    ///
    /// # Errors
    /// If one is wrong; the last good ones stay.
    pub fn reload_shaders(&mut self, folder: &Path) -> Result<(), AppError> {
        Ok(self.renderer.reload_shaders(Some(folder))?)
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
        let scale = self.window().map_or(1.0, |window| window.scale_factor() as f32);
        if let (Some(overlay), Some(panels)) = (&mut self.overlay, panels) {
            overlay.draw(&self.context, panels, self.size, scale, now_s);
        }
        let overlaid = Instant::now();
        if let Some(window) = self.window() {
            window.pre_present_notify();
        }
        self.context.swap()?;
        match self.context.reset() {
            None => Ok(PresentedFrame { stats, cull_ms, submitted, overlaid, shown: Instant::now() }),
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

/// What the scene that is shown has.
fn features(show: &SceneSession) -> SceneFeatures {
    let mut frame = RenderScene::default();
    show.extract(&mut frame);
    SceneFeatures::of(&frame)
}

/// A governor where one is wanted.
fn governor(render: &RenderSettings, software: bool) -> Option<Governor> {
    (render.quality == Quality::Auto).then(|| Governor::new(render, software))
}

/// Settings with the governor's level in place of what was asked for.
fn with_level(render: &RenderSettings, level: Option<QualityLevel>) -> RenderSettings {
    level.map_or_else(|| render.clone(), |level| level.applied_to(render))
}
