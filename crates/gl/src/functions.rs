//! Functions of a context, and its known state.

use std::cell::{Cell, RefCell};
use std::ops::Deref;

use glow::HasContext;

use crate::Dialect;
use crate::state::KnownState;

/// Names of the parallel compilation extension in OpenGL and WebGL.
const PARALLEL_COMPILE: [&str; 2] = ["GL_KHR_parallel_shader_compile", "KHR_parallel_shader_compile"];

/// Objects that a context is known to have bound.
#[derive(Default)]
struct Bound {
    /// By unit.
    textures: Vec<Option<glow::Texture>>,
    /// The active unit.
    unit: Option<u32>,
    program: Option<glow::Program>,
    vertex_array: Option<glow::VertexArray>,
}

impl Bound {
    /// Notes the texture of a unit, and returns whether it was not known to be there.
    fn replace_texture(&mut self, unit: usize, texture: glow::Texture) -> bool {
        if self.textures.len() <= unit {
            self.textures.resize(unit + 1, None);
        }
        is_news(&mut self.textures[unit], texture)
    }
}

/// Notes a value, and returns whether it was not known.
fn is_news<T: Copy + PartialEq>(known: &mut Option<T>, now: T) -> bool {
    known.replace(now) != Some(now)
}

/// The functions of one context, through which alone its state is changed.
pub struct Functions {
    raw: glow::Context,
    /// State of the last draw.
    pub(super) state: Cell<KnownState>,
    /// Objects that are known to be bound.
    bound: RefCell<Bound>,
    /// Number of times that what is known was forgotten.
    epoch: Cell<u32>,
    /// Bytes of all live textures and buffers.
    memory: Cell<u64>,
    /// Whether a draw may begin with any instance, without attributes being pointed elsewhere (OpenGL 4.2): a call in place
    /// of six.
    pub(super) has_base_instance: bool,
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

    /// Bytes of all live textures and buffers, by their formats and sizes. Those of others, such as a headset's runtime,
    /// do not count. A driver may round them up, and keeps programs and its own things besides.
    pub fn memory(&self) -> u64 {
        self.memory.get()
    }

    /// Notes that something that took `before` bytes takes `after` now.
    pub(super) fn change_memory(&self, before: u64, after: u64) {
        debug_assert!(self.memory.get() >= before, "what is given back was taken");
        self.memory.set((self.memory.get() + after).saturating_sub(before));
    }

    /// The dialect that it speaks.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Binds a texture to a unit. What is bound already is not bound again: in a browser each call takes its time.
    ///
    /// # Safety
    /// `texture` must be alive.
    pub(super) unsafe fn use_texture(&self, unit: u32, texture: glow::Texture) {
        if self.bound.borrow_mut().replace_texture(unit as usize, texture) {
            self.activate(unit);
            // SAFETY: the caller's promise.
            unsafe { self.raw.bind_texture(glow::TEXTURE_2D, Some(texture)) };
        }
    }

    /// Binds a texture to be changed, as the one of the active unit.
    ///
    /// # Safety
    /// `texture` must be alive.
    pub(super) unsafe fn open_texture(&self, texture: glow::Texture) {
        // SAFETY: the caller's promise.
        unsafe { self.use_texture(0, texture) };
        self.activate(0);
    }

    fn activate(&self, unit: u32) {
        if is_news(&mut self.bound.borrow_mut().unit, unit) {
            // SAFETY: sets global state only.
            unsafe { self.raw.active_texture(glow::TEXTURE0 + unit) };
        }
    }

    /// Forgets where a texture is bound: whoever deletes it unbinds it, and its name may become another's.
    pub(super) fn forget_texture(&self, texture: glow::Texture) {
        let textures = &mut self.bound.borrow_mut().textures;
        textures.iter_mut().filter(|bound| **bound == Some(texture)).for_each(|bound| *bound = None);
    }

    /// Makes a program current.
    ///
    /// # Safety
    /// `program` must be alive and linked.
    pub(super) unsafe fn make_current(&self, program: glow::Program) {
        if is_news(&mut self.bound.borrow_mut().program, program) {
            // SAFETY: the caller's promise.
            unsafe { self.raw.use_program(Some(program)) };
        }
    }

    /// Forgets which program is current, as one is deleted.
    pub(super) fn forget_program(&self) {
        self.bound.borrow_mut().program = None;
    }

    /// Binds a vertex array.
    ///
    /// # Safety
    /// `array` must be alive.
    pub(super) unsafe fn use_vertex_array(&self, array: glow::VertexArray) {
        if is_news(&mut self.bound.borrow_mut().vertex_array, array) {
            // SAFETY: the caller's promise.
            unsafe { self.raw.bind_vertex_array(Some(array)) };
        }
    }

    /// Forgets which vertex array is bound, as one is deleted.
    pub(super) fn forget_vertex_array(&self) {
        self.bound.borrow_mut().vertex_array = None;
    }

    /// Number that tells whether what is known of the context has been forgotten meanwhile.
    pub(super) fn epoch(&self) -> u32 {
        self.epoch.get()
    }

    /// Forgets all that is known of the context's state.
    pub(super) fn forget(&self) {
        self.state.set(KnownState::default());
        self.bound.take();
        self.epoch.set(self.epoch.get().wrapping_add(1));
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
        let (extensions, version) = (raw.supported_extensions(), raw.version());
        let tells_completion = PARALLEL_COMPILE.iter().any(|name| extensions.contains(*name));
        Self {
            state: Cell::default(),
            bound: RefCell::default(),
            epoch: Cell::default(),
            memory: Cell::default(),
            has_base_instance: !version.is_embedded && (version.major, version.minor) >= (4, 2),
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
