//! Functions of a context, and its known state.

use std::cell::Cell;
use std::ops::Deref;

use glow::HasContext;

use crate::Dialect;
use crate::state::KnownState;

/// Names of the parallel compilation extension in OpenGL and WebGL.
const PARALLEL_COMPILE: [&str; 2] = ["GL_KHR_parallel_shader_compile", "KHR_parallel_shader_compile"];

/// The functions of one context, through which alone its state is changed.
pub struct Functions {
    raw: glow::Context,
    /// State of the last draw.
    pub(super) state: Cell<KnownState>,
    /// Whether it reports which programs it has compiled (KHR_parallel_shader_compile).
    pub(super) tells_completion: bool,
    dialect: Dialect,
    /// Framebuffer in place of the canvas's own, if there is one.
    #[cfg(target_arch = "wasm32")]
    screen: std::cell::RefCell<Option<web_sys::WebGlFramebuffer>>,
}

impl Functions {
    /// Has what goes to the screen drawn into that framebuffer, a headset's; `None` for the canvas's own again.
    #[cfg(target_arch = "wasm32")]
    pub fn replace_screen(&self, framebuffer: Option<web_sys::WebGlFramebuffer>) {
        self.screen.replace(framebuffer);
    }

    /// Binds the framebuffer of the screen.
    pub(super) fn bind_screen(&self, target: u32) {
        // SAFETY: sets global state only; a headset's framebuffer is the browser's.
        unsafe {
            #[cfg(target_arch = "wasm32")]
            if let Some(framebuffer) = &*self.screen.borrow() {
                return self.raw.bind_external_framebuffer(target, framebuffer);
            }
            self.raw.bind_framebuffer(target, None);
        }
    }

    /// The dialect that it speaks.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Enables depth writes for operations other than draws.
    pub(super) fn open_depth(&self) {
        self.state.set(KnownState { depth: None, ..self.state.get() });
        // SAFETY: sets global state only.
        unsafe { self.raw.depth_mask(true) };
    }
}

impl From<glow::Context> for Functions {
    fn from(raw: glow::Context) -> Self {
        let extensions = raw.supported_extensions();
        let tells_completion = PARALLEL_COMPILE.iter().any(|name| extensions.contains(*name));
        Self {
            state: Cell::default(),
            tells_completion,
            dialect: Dialect::of(&raw),
            raw,
            #[cfg(target_arch = "wasm32")]
            screen: Default::default(),
        }
    }
}

impl Deref for Functions {
    type Target = glow::Context;

    fn deref(&self) -> &glow::Context {
        &self.raw
    }
}
