//! The device that draws, in the driver's own words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parts of the names of renderers that draw on the CPU, in lower case.
const SOFTWARE_RENDERERS: [&str; 6] = ["llvmpipe", "softpipe", "swrast", "swr", "software", "lavapipe"];

/// The driver's description of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceInfo {
    /// `GL_VENDOR`.
    pub vendor: String,
    /// `GL_RENDERER`.
    pub renderer: String,
    /// `GL_VERSION`.
    pub version: String,
    /// `GL_SHADING_LANGUAGE_VERSION`.
    pub glsl: String,
    /// Whether it draws on the CPU.
    pub software: bool,
    /// Whether the context reports a reset instead of misbehaving after it.
    pub robust: bool,
    /// Origin of the context, such as `EGL device 0` or `X11, EGL`.
    pub context: String,
}

impl DeviceInfo {
    /// Reads the answers of `get_string`, the driver's `glGetString`.
    pub fn new(get_string: impl Fn(u32) -> String, robust: bool, context: &str) -> Self {
        let renderer = get_string(glow::RENDERER);
        let lower = renderer.to_ascii_lowercase();
        Self {
            vendor: get_string(glow::VENDOR),
            version: get_string(glow::VERSION),
            glsl: get_string(glow::SHADING_LANGUAGE_VERSION),
            software: SOFTWARE_RENDERERS.iter().any(|name| lower.contains(name)),
            renderer,
            robust,
            context: context.into(),
        }
    }
}

impl DeviceInfo {
    /// Version with the name of the interface: `OpenGL 4.5 (Core Profile) Mesa 22.3.6`, `OpenGL ES 3.1 Mesa 23.2.1`.
    pub fn opengl(&self) -> String {
        // That of OpenGL ES begins with its name.
        let name = if self.version.starts_with("OpenGL") { "" } else { "OpenGL " };
        format!("{name}{}", self.version)
    }
}

impl std::fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let robust = if self.robust { ", robust" } else { "" };
        write!(f, "{}, {} ({}{robust})", self.renderer, self.opengl(), self.context)
    }
}
