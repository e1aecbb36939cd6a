//! Functions of a context, and its known state.

use std::cell::{Cell, RefCell};
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
    /// Texture of each unit, as far as it is known, and the unit that is active.
    textures: RefCell<Vec<Option<glow::Texture>>>,
    unit: Cell<Option<u32>>,
    program: Cell<Option<glow::Program>>,
    vertex_array: Cell<Option<glow::VertexArray>>,
    /// Number of times that all of this was forgotten.
    epoch: Cell<u32>,
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

    /// The dialect that it speaks.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Binds a texture to a unit. What is bound already is not bound again: in a browser each call takes its time.
    ///
    /// # Safety
    /// `texture` must be alive.
    pub(super) unsafe fn use_texture(&self, unit: u32, texture: glow::Texture) {
        let mut textures = self.textures.borrow_mut();
        let slot = unit as usize;
        if textures.len() <= slot {
            textures.resize(slot + 1, None);
        }
        if textures[slot].replace(texture) != Some(texture) {
            self.activate(unit);
            // SAFETY: the caller's promise.
            unsafe { self.raw.bind_texture(glow::TEXTURE_2D, Some(texture)) };
        }
    }

    /// Binds a texture to be changed, as the one of the active unit.
    ///
    /// # Safety
    /// As for [`Self::use_texture`].
    pub(super) unsafe fn open_texture(&self, texture: glow::Texture) {
        // SAFETY: the caller's promise.
        unsafe { self.use_texture(0, texture) };
        self.activate(0);
    }

    fn activate(&self, unit: u32) {
        if self.unit.replace(Some(unit)) != Some(unit) {
            // SAFETY: sets global state only.
            unsafe { self.raw.active_texture(glow::TEXTURE0 + unit) };
        }
    }

    /// Forgets where a texture is bound: whoever deletes it unbinds it, and its name may become another's.
    pub(super) fn forget_texture(&self, texture: glow::Texture) {
        let mut textures = self.textures.borrow_mut();
        textures.iter_mut().filter(|bound| **bound == Some(texture)).for_each(|bound| *bound = None);
    }

    /// Makes a program current.
    ///
    /// # Safety
    /// `program` must be alive and linked.
    pub(super) unsafe fn make_current(&self, program: glow::Program) {
        if self.program.replace(Some(program)) != Some(program) {
            // SAFETY: the caller's promise.
            unsafe { self.raw.use_program(Some(program)) };
        }
    }

    /// Deletes a program.
    ///
    /// # Safety
    /// `program` must be alive, and nobody may use it after this.
    pub(super) unsafe fn drop_program(&self, program: glow::Program) {
        self.program.take();
        // SAFETY: the caller's promise.
        unsafe { self.raw.delete_program(program) };
    }

    /// Binds a vertex array.
    ///
    /// # Safety
    /// `array` must be alive.
    pub(super) unsafe fn use_array(&self, array: glow::VertexArray) {
        if self.vertex_array.replace(Some(array)) != Some(array) {
            // SAFETY: the caller's promise.
            unsafe { self.raw.bind_vertex_array(Some(array)) };
        }
    }

    /// Deletes a vertex array, which unbinds it.
    ///
    /// # Safety
    /// `array` must be alive, and nobody may use it after this.
    pub(super) unsafe fn drop_array(&self, array: glow::VertexArray) {
        self.vertex_array.take();
        // SAFETY: the caller's promise.
        unsafe { self.raw.delete_vertex_array(array) };
    }

    /// Number that tells whether what is known of the context has been forgotten meanwhile.
    pub(super) fn epoch(&self) -> u32 {
        self.epoch.get()
    }

    /// Forgets all that is known of the context's state.
    pub(super) fn forget(&self) {
        self.state.set(KnownState::default());
        self.textures.borrow_mut().clear();
        self.unit.take();
        self.program.take();
        self.vertex_array.take();
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
            textures: RefCell::default(),
            unit: Cell::default(),
            program: Cell::default(),
            vertex_array: Cell::default(),
            epoch: Cell::default(),
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
