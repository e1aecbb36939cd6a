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
        // The version of OpenGL ES begins with its name.
        let name = if self.version.starts_with("OpenGL") { "" } else { "OpenGL " };
        format!("{name}{}", self.version)
    }

    /// Renderer and driver, in a few words: `NVIDIA H200, driver 580.159.04`, `llvmpipe, driver Mesa 22.3.6`.
    pub fn brief(&self) -> String {
        let (renderer, version) = (self.renderer.as_str(), self.version.as_str());
        // The rest of the name is the bus and the compiler; ANGLE has the whole name in its brackets.
        let name = match renderer.starts_with("ANGLE (") {
            true => renderer,
            false => renderer.split("/PCIe").next().unwrap_or_default().split(" (").next().unwrap_or_default(),
        };
        let number_after = |maker: &str| version.split_once(maker)?.1.split_whitespace().next();
        let driver = match (number_after("NVIDIA "), number_after("Mesa ")) {
            (Some(number), _) => format!("driver {number}"),
            (_, Some(number)) => format!("driver Mesa {number}"),
            _ => self.opengl(),
        };
        format!("{name}, {driver}")
    }
}

impl std::fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let robust = if self.robust { ", robust" } else { "" };
        write!(f, "{}, {} ({}{robust})", self.renderer, self.opengl(), self.context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_drew_is_told_without_its_bus_and_compiler() {
        let of = |renderer: &str, version: &str| {
            DeviceInfo { renderer: renderer.into(), version: version.into(), ..DeviceInfo::default() }.brief()
        };
        assert_eq!(of("NVIDIA H200/PCIe/SSE2", "4.5.0 NVIDIA 580.159.04"), "NVIDIA H200, driver 580.159.04");
        let mesa = "4.5 (Core Profile) Mesa 22.3.6";
        assert_eq!(of("llvmpipe (LLVM 15.0.6, 256 bits)", mesa), "llvmpipe, driver Mesa 22.3.6");
        let intel = of("Mesa Intel(R) UHD Graphics 620 (KBL GT2)", "4.6 (Core Profile) Mesa 23.1.0-devel (git-1)");
        assert_eq!(intel, "Mesa Intel(R) UHD Graphics 620, driver Mesa 23.1.0-devel");
        assert_eq!(of("ANGLE (Intel, a card)", "3.3.0"), "ANGLE (Intel, a card), OpenGL 3.3.0");
        assert_eq!(of("V3D 4.2", "OpenGL ES 3.1 build 1"), "V3D 4.2, OpenGL ES 3.1 build 1");
    }
}
