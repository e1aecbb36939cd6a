//! Facts of a driver that a report of a fault should name.

use glow::HasContext;

use super::Context;

/// Extensions that the program uses or may use, and what for.
const EXTENSIONS: [(&str, &str); 9] = [
    ("GL_KHR_parallel_shader_compile", "shaders compiled beside"),
    ("GL_ARB_timer_query", "GPU time"),
    ("GL_KHR_debug", "driver's messages"),
    ("GL_EXT_texture_filter_anisotropic", "sharp textures aslant"),
    ("GL_EXT_framebuffer_sRGB", "sRGB windows"),
    ("GL_ARB_buffer_storage", "mapped buffers"),
    ("GL_ARB_base_instance", "fewer draws"),
    ("GL_ARB_multi_draw_indirect", "fewer draws"),
    ("GL_ARB_compute_shader", "compute shaders"),
];

/// Limits by name and GL constant.
const LIMITS: [(&str, u32); 4] = [
    ("texture side", glow::MAX_TEXTURE_SIZE),
    ("textures a stage", glow::MAX_TEXTURE_IMAGE_UNITS),
    ("bytes of a uniform block", glow::MAX_UNIFORM_BLOCK_SIZE),
    ("vertex attributes", glow::MAX_VERTEX_ATTRIBS),
];

/// An extension, its use, and whether the driver has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Name as the driver tells it.
    pub name: &'static str,
    /// Use, in words.
    pub serves: &'static str,
    /// Whether it is there.
    pub is_there: bool,
}

impl Context {
    /// Extensions that matter.
    pub fn extensions(&self) -> Vec<Extension> {
        let there = self.gl.supported_extensions();
        let of = |(name, serves): (&'static str, _)| Extension { name, serves, is_there: there.contains(name) };
        EXTENSIONS.map(of).to_vec()
    }

    /// Limits that matter, by name.
    pub fn limits(&self) -> Vec<(&'static str, i32)> {
        // SAFETY: a query of a number by its constant; the context is current.
        LIMITS.map(|(name, constant)| (name, unsafe { self.gl.get_parameter_i32(constant) })).to_vec()
    }
}
