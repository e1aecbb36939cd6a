//! A point in the command stream that the CPU can wait for.

use glow::HasContext;

use crate::Gl;

/// Result of waiting for a [`Fence`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Everything before the fence is drawn.
    Done,
    /// The time is up and it is not.
    TimedOut,
    /// The driver cannot say: the context is lost or the fence is not one.
    Failed,
}

/// A GL fence sync object, deleted on drop.
///
/// Must be dropped while its context is current.
pub struct Fence {
    gl: Gl,
    raw: glow::Fence,
}

impl Fence {
    /// Puts a fence behind every command given so far and flushes, so that the driver starts on them now, as a buffer
    /// swap would make it.
    ///
    /// # Errors
    /// With the driver's words, if it has no memory for one.
    pub fn insert(gl: &Gl) -> Result<Self, String> {
        // SAFETY: the context is current on this thread (see `Gl`); these are the only arguments GL accepts.
        let raw = unsafe { gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) }?;
        let fence = Self { gl: gl.clone(), raw };
        // SAFETY: as above.
        unsafe { gl.flush() };
        Ok(fence)
    }

    /// Waits until everything before the fence is drawn, at most `timeout_ms` milliseconds (up to 2147: glow hands on
    /// an `i32` of nanoseconds). In a browser, where waiting is not allowed, it only polls.
    pub fn wait(&self, timeout_ms: u32) -> Wait {
        let timeout_ms = if cfg!(target_arch = "wasm32") { 0 } else { timeout_ms };
        let timeout_ns = timeout_ms.saturating_mul(1_000_000).min(i32::MAX as u32) as i32;
        // SAFETY: `raw` is ours and not deleted; the context is current.
        match unsafe { self.gl.client_wait_sync(self.raw, glow::SYNC_FLUSH_COMMANDS_BIT, timeout_ns) } {
            glow::ALREADY_SIGNALED | glow::CONDITION_SATISFIED => Wait::Done,
            glow::TIMEOUT_EXPIRED => Wait::TimedOut,
            _ => Wait::Failed,
        }
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        // SAFETY: `raw` is ours and is used by nobody after this.
        unsafe { self.gl.delete_sync(self.raw) };
    }
}

/// Waits until everything given to the driver so far is drawn.
pub fn finish(gl: &Gl) {
    // SAFETY: the context is current on this thread.
    unsafe { gl.finish() };
}

/// Reads one pixel of the framebuffer that was drawn to last, which waits until it is drawn.
pub fn read_pixel(gl: &Gl) {
    let mut pixel = [0_u8; 4];
    let into = glow::PixelPackData::Slice(Some(&mut pixel));
    // SAFETY: one RGBA pixel of bytes has room in `pixel`.
    unsafe { gl.read_pixels(0, 0, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, into) };
}
