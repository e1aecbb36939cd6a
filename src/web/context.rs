//! WebGL 2 of a canvas.
#![allow(unsafe_code)]

use std::sync::Arc;

use gl::{DeviceInfo, Gl};
use glow::HasContext;
use platform::context_error::ContextError;
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, WebGl2RenderingContext};

/// Required extension: rendering to float targets.
const FLOAT_TARGETS: &str = "EXT_color_buffer_float";
/// Extensions that must be enabled before use.
const WANTED: [&str; 3] =
    ["WEBGL_debug_renderer_info", "EXT_disjoint_timer_query_webgl2", "KHR_parallel_shader_compile"];
/// `UNMASKED_VENDOR_WEBGL` and `UNMASKED_RENDERER_WEBGL`.
const UNMASKED: [(u32, u32); 2] = [(glow::VENDOR, 0x9245), (glow::RENDERER, 0x9246)];

/// A context, valid as long as the canvas keeps it.
pub struct Context {
    /// The GL function table.
    pub gl: Gl,
    /// Driver and device information.
    pub device: DeviceInfo,
    /// The browser's context object.
    pub raw: WebGl2RenderingContext,
}

impl Context {
    /// Wraps the context of `canvas`, or creates a plain one.
    ///
    /// # Errors
    /// If there is none, or it cannot render to floats.
    pub fn of(canvas: &HtmlCanvasElement) -> Result<Self, ContextError> {
        let refused = |why: &str| ContextError::NoWebGl { why: why.into() };
        // The page has created it while the program was loading.
        let raw = canvas
            .get_context("webgl2")
            .ok()
            .flatten()
            .and_then(|context| context.dyn_into::<WebGl2RenderingContext>().ok())
            .ok_or_else(|| refused("The browser gives the canvas no context of it"))?;
        let has = |name: &str| raw.get_extension(name).is_ok_and(|extension| extension.is_some());
        if raw.is_context_lost() {
            return Err(refused("The browser has taken it away"));
        }
        if !has(FLOAT_TARGETS) {
            return Err(refused(&format!(
                "{FLOAT_TARGETS} is missing: nothing can be drawn into floating-point textures"
            )));
        }
        let is_unmasked = WANTED.map(has)[0];
        #[allow(clippy::arc_with_non_send_sync, reason = "as everywhere; there is one thread")]
        let gl: Gl = Arc::new(glow::Context::from_webgl2_context(raw.clone()).into());
        let text = |name: u32| {
            let name =
                UNMASKED.iter().find(|(masked, _)| *masked == name && is_unmasked).map_or(name, |(_, name)| *name);
            // SAFETY: a query of a constant.
            unsafe { gl.get_parameter_string(name) }
        };
        let device = DeviceInfo::new(text, true, "WebGL 2");
        Ok(Self { gl, device, raw })
    }
}
