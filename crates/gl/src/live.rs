//! Count of all live GL objects, whichever code made them: to find those that are never deleted.

use std::num::NonZeroU32;

use glow::HasContext;

use crate::Gl;

/// Number of unused names in a row after which the search ends, for drivers that give out the lowest free name.
const MAX_UNUSED: u32 = 4096;

/// Live objects of the context, by kind. Vertex arrays, which glow cannot query, go with the buffers they name.
///
/// It asks the driver about each name there ever was, so it is too slow for every frame.
///
/// # Errors
/// With the driver's words, if it has no name left.
pub fn live(gl: &Gl) -> Result<[(&'static str, usize); 5], String> {
    // SAFETY: each name is deleted at once, and then it is only asked whether numbers are names of live objects; the
    // context is current (see `Gl`).
    unsafe {
        let (buffer, texture) = (gl.create_buffer()?, gl.create_texture()?);
        let (framebuffer, program) = (gl.create_framebuffer()?, gl.create_program()?);
        gl.delete_buffer(buffer);
        gl.delete_texture(texture);
        gl.delete_framebuffer(framebuffer);
        gl.delete_program(program);
        Ok([
            ("buffers", count(buffer.0, |name| gl.is_buffer(glow::NativeBuffer(name)))),
            ("textures", count(texture.0, |name| gl.is_texture(glow::NativeTexture(name)))),
            ("framebuffers", count(framebuffer.0, |name| gl.is_framebuffer(glow::NativeFramebuffer(name)))),
            ("programs", count(program.0, |name| gl.is_program(glow::NativeProgram(name)))),
            // Programs and shaders share their names.
            ("shaders", count(program.0, |name| gl.is_shader(glow::NativeShader(name)))),
        ])
    }
}

/// Live names up to `newest`, and after it where they follow each other closely.
fn count(newest: NonZeroU32, is_live: impl Fn(NonZeroU32) -> bool) -> usize {
    let (mut found, mut unused) = (0, 0);
    for name in (1..=u32::MAX).map_while(NonZeroU32::new) {
        if is_live(name) {
            (found, unused) = (found + 1, 0);
        } else if unused >= MAX_UNUSED && name > newest {
            break;
        } else {
            unused += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_counted_over_gaps() {
        let alive = |name: NonZeroU32| [1, 2, 4000, 20_000].contains(&name.get());
        assert_eq!(count(NonZeroU32::MIN, |_| false), 0);
        assert_eq!(count(NonZeroU32::MIN, alive), 3, "a driver that gives out the lowest has none so far off");
        assert_eq!(count(NonZeroU32::MIN.saturating_add(20_000), alive), 4);
    }
}
