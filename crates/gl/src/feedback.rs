//! Transform feedback: outputs of a vertex shader, read back or used as vertices of a later draw.

use glow::HasContext;

use crate::{Buffer, BufferKind, Gl, GlError};

/// The values of the outputs that the current program captures
/// (named where it is [made](crate::Program::unasked)), vertex after vertex of the triangles that `draw`
/// draws. Nothing is rasterised.
///
/// `floats` is the number of values there is room for: triangles that do not fit are left out, and values that were not
/// written are 0. `draw` may not change the program. Not for browsers, which map no buffers.
///
/// # Errors
/// If the driver refuses the buffer, or to map it.
pub fn capture(gl: &Gl, floats: usize, draw: impl FnOnce()) -> Result<Vec<f32>, GlError> {
    let mut values = vec![0.0f32; floats];
    let buffer = Buffer::fixed(gl, "feedback", BufferKind::Feedback, bytemuck::cast_slice(&values))?;
    run(gl, &buffer, glow::TRIANGLES, draw);
    buffer.bind();
    let target = glow::TRANSFORM_FEEDBACK_BUFFER;
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut values);
    // SAFETY: maps and copies as many bytes as the bound buffer was made with, and unmaps them.
    let mapped = unsafe {
        let mapped = gl.map_buffer_range(target, 0, bytes.len() as i32, glow::MAP_READ_BIT);
        if !mapped.is_null() {
            bytes.copy_from_slice(std::slice::from_raw_parts(mapped, bytes.len()));
            gl.unmap_buffer(target);
        }
        !mapped.is_null()
    };
    if mapped { Ok(values) } else { Err(GlError::refused("the buffer of captured values", "it cannot be read")) }
}

/// Writes the captured outputs of the current program into `into`, point after point of what `draw` draws, as far as
/// there is room. Nothing is rasterised. `draw` may not change the program.
pub fn record(gl: &Gl, into: &Buffer, draw: impl FnOnce()) {
    run(gl, into, glow::POINTS, draw);
}

fn run(gl: &Gl, into: &Buffer, primitive: u32, draw: impl FnOnce()) {
    // SAFETY: the buffer is live until the end of this function, and GL writes no further than its end.
    unsafe {
        gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(into.raw()));
        gl.enable(glow::RASTERIZER_DISCARD);
        gl.begin_transform_feedback(primitive);
    }
    draw();
    // SAFETY: ends what was begun above.
    unsafe {
        gl.end_transform_feedback();
        gl.disable(glow::RASTERIZER_DISCARD);
        gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, None);
    }
}
