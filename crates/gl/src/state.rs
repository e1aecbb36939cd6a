//! The fixed-function state of a draw, whole and explicit.

use glow::HasContext;

use crate::{Dialect, Gl, RenderTarget};

/// Depth test and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// No test, no write.
    Off,
    /// Nearer or equal passes and is written.
    Write,
    /// Nearer or equal passes; nothing is written.
    Read,
}

/// Blending of a fragment with the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// Replaces it.
    Off,
    /// `source + destination`.
    Add,
    /// `source + destination * (1 - source alpha)`: premultiplied alpha.
    Over,
}

/// Faces that are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cull {
    /// None.
    Off,
    /// Back faces.
    Back,
}

/// Depth, blend and cull of one draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderState {
    /// Depth.
    pub depth: Depth,
    /// Blend.
    pub blend: Blend,
    /// Cull.
    pub cull: Cull,
}

impl RenderState {
    /// One triangle over the whole target.
    pub const FULLSCREEN: Self = Self { depth: Depth::Off, blend: Blend::Off, cull: Cull::Off };
    /// An opaque object.
    pub const OPAQUE: Self = Self { depth: Depth::Write, blend: Blend::Off, cull: Cull::Back };
}

/// Parts of [`RenderState`] that a context is known to have. As in a new context, the scissor is off and colours are
/// written; code that changes this changes it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownState {
    /// Depth.
    pub depth: Option<Depth>,
    /// Blend.
    pub blend: Option<Blend>,
    /// Cull.
    pub cull: Option<Cull>,
}

/// Makes `state` the current one.
pub fn apply(gl: &Gl, state: RenderState) {
    let new = KnownState { depth: Some(state.depth), blend: Some(state.blend), cull: Some(state.cull) };
    let old = gl.state.replace(new);
    // SAFETY: sets global state only.
    unsafe {
        if new.depth != old.depth {
            match state.depth {
                Depth::Off => gl.disable(glow::DEPTH_TEST),
                Depth::Write | Depth::Read => {
                    gl.enable(glow::DEPTH_TEST);
                    gl.depth_func(glow::LEQUAL);
                }
            }
            gl.depth_mask(state.depth == Depth::Write);
        }
        if new.blend != old.blend {
            match state.blend {
                Blend::Off => gl.disable(glow::BLEND),
                Blend::Add => {
                    gl.enable(glow::BLEND);
                    gl.blend_equation(glow::FUNC_ADD);
                    gl.blend_func(glow::ONE, glow::ONE);
                }
                Blend::Over => {
                    gl.enable(glow::BLEND);
                    gl.blend_equation(glow::FUNC_ADD);
                    gl.blend_func(glow::ONE, glow::ONE_MINUS_SRC_ALPHA);
                }
            }
        }
        if new.cull != old.cull {
            match state.cull {
                Cull::Off => gl.disable(glow::CULL_FACE),
                Cull::Back => {
                    gl.enable(glow::CULL_FACE);
                    gl.cull_face(glow::BACK);
                    gl.front_face(glow::CCW);
                }
            }
        }
    }
}

/// Takes the context back from other code, such as a headset's runtime, which may have changed any state.
pub fn take_back(gl: &Gl) {
    gl.forget();
    // SAFETY: sets global state only.
    unsafe {
        gl.disable(glow::SCISSOR_TEST);
        gl.disable(glow::STENCIL_TEST);
        gl.color_mask(true, true, true, true);
        if gl.dialect() == Dialect::Core330 {
            // Pictures are encoded by shaders.
            gl.disable(glow::FRAMEBUFFER_SRGB);
        }
    }
}

/// Binds `output` (`None`: the window's own framebuffer) with a viewport of `extent`.
pub fn present(gl: &Gl, output: Option<&RenderTarget>, extent: (u32, u32)) {
    present_part(gl, output, (0, 0), extent);
}

/// Like [`present`], with a viewport that begins at `corner`.
pub fn present_part(gl: &Gl, output: Option<&RenderTarget>, corner: (u32, u32), extent: (u32, u32)) {
    // SAFETY: sets global state only.
    unsafe {
        bind_output(gl, glow::FRAMEBUFFER, output);
        gl.viewport(corner.0 as i32, corner.1 as i32, extent.0 as i32, extent.1 as i32);
    }
}

/// Binds `output` (`None`: the screen's framebuffer) to a target of GL.
pub(super) fn bind_output(gl: &Gl, target: u32, output: Option<&RenderTarget>) {
    match output {
        // SAFETY: a live framebuffer.
        Some(output) => unsafe { gl.bind_framebuffer(target, Some(output.raw())) },
        None => gl.bind_screen(target),
    }
}

/// Hands the driver the calls so far, and does not wait: a software renderer draws them on its own threads while this
/// one prepares the rest; otherwise it would begin only when the target changes.
pub fn submit(gl: &Gl) {
    // SAFETY: changes no state.
    unsafe { gl.flush() };
}
