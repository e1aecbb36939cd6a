//! The functions of a context, and what is known of its state.

use std::cell::Cell;
use std::ops::Deref;

use glow::HasContext;

use crate::state::KnownState;

/// What OpenGL and WebGL call it.
const PARALLEL_COMPILE: [&str; 2] = ["GL_KHR_parallel_shader_compile", "KHR_parallel_shader_compile"];

/// The functions of one context, through which alone its state is changed.
pub struct Functions {
    raw: glow::Context,
    /// What the last draw was given.
    pub(super) state: Cell<KnownState>,
    /// Whether it says which programs it has compiled (KHR_parallel_shader_compile).
    pub(super) tells_completion: bool,
}

impl Functions {
    /// Has depths written by what is not a draw.
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
        Self { raw, state: Cell::default(), tells_completion }
    }
}

impl Deref for Functions {
    type Target = glow::Context;

    fn deref(&self) -> &glow::Context {
        &self.raw
    }
}
