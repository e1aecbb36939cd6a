//! Buffers.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use glow::HasContext;

use crate::debug::{Object, check_memory, label};
use crate::{Gl, GlError};

/// Number of the next buffer.
static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// Kind of a buffer's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferKind {
    /// Vertices or instances.
    Vertices,
    /// Indices of vertices.
    Indices,
    /// A block of uniforms.
    Uniforms,
    /// Outputs of a vertex shader.
    Feedback,
}

impl BufferKind {
    fn target(self) -> u32 {
        match self {
            Self::Vertices => glow::ARRAY_BUFFER,
            Self::Indices => glow::ELEMENT_ARRAY_BUFFER,
            Self::Uniforms => glow::UNIFORM_BUFFER,
            Self::Feedback => glow::TRANSFORM_FEEDBACK_BUFFER,
        }
    }
}

/// A GL buffer object, deleted on drop.
///
/// Must be dropped while its context is current; [`Gl`] keeps the function table alive, not the context itself.
pub struct Buffer {
    gl: Gl,
    raw: glow::Buffer,
    /// Unique number of the buffer: GL reuses names.
    number: u64,
    target: u32,
    size: Cell<usize>,
    /// Largest size that it is known to have had room for. Unit: bytes.
    most: Cell<usize>,
}

impl Buffer {
    /// A buffer of `data` that does not change (vertices, indices).
    ///
    /// # Errors
    /// If the driver gives no name. Whether it has the memory is not asked: see [`check_memory`].
    pub fn fixed(gl: &Gl, name: &str, kind: BufferKind, data: &[u8]) -> Result<Self, GlError> {
        let buffer = Self::empty(gl, name, kind)?;
        // SAFETY: `empty` left the buffer bound; the driver copies `data` before the call returns.
        unsafe { gl.buffer_data_u8_slice(buffer.target, data, glow::STATIC_DRAW) };
        buffer.note_size(data.len());
        Ok(buffer)
    }

    /// A buffer whose content is replaced each frame.
    ///
    /// # Errors
    /// If the driver gives no name.
    pub fn streaming(gl: &Gl, name: &str, kind: BufferKind) -> Result<Self, GlError> {
        Self::empty(gl, name, kind)
    }

    fn empty(gl: &Gl, name: &str, kind: BufferKind) -> Result<Self, GlError> {
        // SAFETY: makes a name; no other state is touched.
        let raw = unsafe { gl.create_buffer() }.map_err(|why| GlError::refused(format!("buffer '{name}'"), why))?;
        let (number, target) = (NUMBERS.fetch_add(1, Ordering::Relaxed), kind.target());
        let buffer = Self { gl: gl.clone(), raw, number, target, size: Cell::default(), most: Cell::default() };
        buffer.bind();
        label(gl, Object::Buffer(raw), name);
        Ok(buffer)
    }

    /// Replaces the whole content; the old storage is given up, so that frames in flight are not waited for.
    ///
    /// # Errors
    /// If the driver has no memory for a size beyond the largest so far; the buffer is empty then. Smaller sizes are
    /// not checked, since drivers on threads of their own would have to be waited for.
    pub fn replace(&self, data: &[u8]) -> Result<(), GlError> {
        self.make_room(data.len())?;
        // SAFETY: the driver copies `data` before the call returns.
        unsafe { self.gl.buffer_data_u8_slice(self.target, data, glow::STREAM_DRAW) };
        self.note_size(data.len());
        Ok(())
    }

    /// Replaces the content by `bytes` undefined bytes.
    ///
    /// # Errors
    /// As [`Self::replace`].
    pub fn reserve(&self, bytes: usize) -> Result<(), GlError> {
        self.make_room(bytes)?;
        self.allocate(bytes);
        self.note_size(bytes);
        Ok(())
    }

    /// Binds it and, for a size beyond the largest so far, checks that there is memory for the next power of two: a
    /// buffer that grows a little each frame does not ask each time.
    fn make_room(&self, bytes: usize) -> Result<(), GlError> {
        self.bind();
        if bytes > self.most.get() {
            self.note_size(0);
            let room = bytes.next_power_of_two();
            self.allocate(room);
            check_memory(&self.gl, &format!("{room} bytes for a buffer"))?;
            self.most.set(room);
        }
        Ok(())
    }

    /// Gives the bound buffer new storage.
    fn allocate(&self, bytes: usize) {
        // SAFETY: no memory of ours is read.
        unsafe { self.gl.buffer_data_size(self.target, bytes as i32, glow::STREAM_DRAW) };
    }

    fn note_size(&self, bytes: usize) {
        self.gl.change_memory(self.size.replace(bytes) as u64, bytes as u64);
    }

    /// Bytes held.
    pub fn size(&self) -> usize {
        self.size.get()
    }

    /// Binds a uniform buffer to a binding point.
    ///
    /// # Panics
    /// If it is no uniform buffer: a caller's bug.
    pub fn bind_base(&self, index: u32) {
        assert_eq!(self.target, glow::UNIFORM_BUFFER, "only uniform buffers have binding points here");
        // SAFETY: `raw` is a live buffer.
        unsafe { self.gl.bind_buffer_base(self.target, index, Some(self.raw)) };
    }

    /// Unique number of the buffer; the driver may reuse its name.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn raw(&self) -> glow::Buffer {
        self.raw
    }

    pub(super) fn bind(&self) {
        // SAFETY: `raw` is a live buffer.
        unsafe { self.gl.bind_buffer(self.target, Some(self.raw)) };
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.note_size(0);
        // SAFETY: `raw` is ours and is used by nobody after this.
        unsafe { self.gl.delete_buffer(self.raw) };
    }
}
