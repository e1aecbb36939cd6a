//! The window with what draws into it.

use std::path::Path;

use winit::event_loop::ActiveEventLoop;
use winit::window::{Window, WindowAttributes};

use crate::app::AppError;
use crate::app::context::{Context, ContextError};
use crate::app::demo::show::{Change, Show};
use crate::app::overlay::{Overlay, Panels};
use crate::config::Config;
use crate::render::{Capture, FrameStats, Renderer, View};
use crate::scene::RenderScene;

/// A window, its context and the renderer in it.
pub struct Screen {
    // Dropped in this order: what was made with the context goes before it.
    renderer: Renderer,
    overlay: Option<Overlay>,
    context: Context,
    size: (u32, u32),
}

impl Screen {
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
        let renderer = Renderer::new(context.gl(), context.info().software, size, &config.post, &config.render)?;
        let overlay = match ui.then(|| Overlay::new(&context)) {
            Some(Ok(overlay)) => Some(overlay),
            Some(Err(error)) => {
                log::warn!("no text is shown over the picture: {error}");
                None
            }
            None => None,
        };
        Ok(Self { renderer, overlay, context, size })
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
        Ok(self.renderer.resize(size)?)
    }

    /// Uploads what does not change from frame to frame.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn load(&mut self, show: &Show) -> Result<(), AppError> {
        Ok(self.renderer.load(show.world().stage())?)
    }

    /// Takes over what has changed in the show.
    ///
    /// # Errors
    /// If the driver refuses an object; the old ones stay.
    pub fn apply(&mut self, change: Change, show: &Show) -> Result<(), AppError> {
        self.renderer.set(&show.config.post, &show.config.render)?;
        if change == Change::Stage {
            self.load(show)?;
        }
        Ok(())
    }

    /// Compiles the shaders of `folder`.
    ///
    /// # Errors
    /// If one is wrong; the last good ones stay.
    pub fn reload_shaders(&mut self, folder: &Path) -> Result<(), AppError> {
        Ok(self.renderer.reload_shaders(Some(folder))?)
    }

    /// Draws a frame and what there is to say over it, and shows both.
    ///
    /// # Errors
    /// If the context is lost.
    pub fn draw(&mut self, frame: &RenderScene, panels: &mut Panels, now_s: f64) -> Result<FrameStats, String> {
        let stats = self.renderer.draw(frame, None);
        let scale = self.window().map_or(1.0, |window| window.scale_factor() as f32);
        if let Some(overlay) = &mut self.overlay {
            overlay.draw(&self.context, panels, self.size, scale, now_s);
        }
        if let Some(window) = self.window() {
            window.pre_present_notify();
        }
        self.context.swap()?;
        match self.context.reset() {
            None => Ok(stats),
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
