//! Shader programs.

use std::marker::PhantomData;

use glow::HasContext;

use crate::gl::debug::{Object, count_program, label};
use crate::gl::uniforms::{Slot, disagreements};
use crate::gl::{Gl, GlError, Slots, UniformSet, Uniforms, attributes};

/// One stage's whole text with the files it was put together from.
///
/// `#line N I` in the text says that what follows is line N of `files[I]`.
#[derive(Clone, Debug, Default)]
pub struct ShaderText {
    /// The text, `#version` first.
    pub source: String,
    /// File names by source string number.
    pub files: Vec<String>,
}

/// A block of uniforms that a buffer holds.
#[derive(Clone, Copy, Debug)]
pub struct UniformBlock<'a> {
    /// Its name in the shaders.
    pub name: &'a str,
    /// The point at which its buffer is bound.
    pub binding: u32,
    /// Name and byte offset of each member, as the buffer has them.
    pub layout: &'a [(&'a str, usize)],
}

/// A linked program that takes the uniforms `U`, deleted on drop. Their locations are looked up once.
pub struct Program<U> {
    gl: Gl,
    raw: glow::Program,
    slots: Vec<Option<Slot>>,
    uniforms: PhantomData<U>,
}

impl<U: UniformSet> Program<U> {
    /// Compiles and links. Debug builds hold `U` and `block` against what the shaders declare and the driver makes of it.
    ///
    /// # Errors
    /// If a stage does not compile or the program does not link; messages name shader files and lines. In debug builds
    /// also if a uniform is used and not in `U`, or in `U` and not declared.
    pub fn new(
        gl: &Gl,
        name: &str,
        vertex: &ShaderText,
        fragment: &ShaderText,
        block: UniformBlock<'_>,
    ) -> Result<Self, GlError> {
        Self::with_feedback(gl, name, vertex, fragment, block, &[])
    }

    /// The same, capturing the vertex outputs `feedback` interleaved when transform feedback is on.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn with_feedback(
        gl: &Gl,
        name: &str,
        vertex: &ShaderText,
        fragment: &ShaderText,
        block: UniformBlock<'_>,
        feedback: &[&str],
    ) -> Result<Self, GlError> {
        // SAFETY: makes a name.
        let raw = unsafe { gl.create_program() }.map_err(|why| GlError::refused(format!("program '{name}'"), why))?;
        let mut program = Self { gl: gl.clone(), raw, slots: Vec::new(), uniforms: PhantomData };
        let texts = [vertex, fragment].map(|text| text.source.as_str());
        let vertex = Stage::new(gl, glow::VERTEX_SHADER, name, vertex)?;
        let fragment = Stage::new(gl, glow::FRAGMENT_SHADER, name, fragment)?;
        // SAFETY: links our own live shaders into our own program.
        let linked = unsafe {
            gl.attach_shader(raw, vertex.raw);
            gl.attach_shader(raw, fragment.raw);
            for (attribute, location) in attributes::ALL {
                gl.bind_attrib_location(raw, location, attribute);
            }
            if !feedback.is_empty() {
                gl.transform_feedback_varyings(raw, feedback, glow::INTERLEAVED_ATTRIBS);
            }
            gl.link_program(raw);
            gl.detach_shader(raw, vertex.raw);
            gl.detach_shader(raw, fragment.raw);
            gl.get_program_link_status(raw)
        };
        if !linked {
            // SAFETY: reads the log of our own program.
            let log = unsafe { gl.get_program_info_log(raw) };
            return Err(GlError::Link { name: name.to_owned(), log: log.trim().to_owned() });
        }
        count_program();
        label(gl, Object::Program(raw), name);
        program.look_up(name, texts, block)?;
        Ok(program)
    }

    fn look_up(&mut self, name: &str, texts: [&str; 2], block: UniformBlock<'_>) -> Result<(), GlError> {
        let mut declared = Vec::with_capacity(U::Values::COUNT);
        U::Values::declare("", &mut declared);
        let mut unit = 0;
        // SAFETY: queries and binds within our own linked program.
        unsafe {
            if let Some(index) = self.gl.get_uniform_block_index(self.raw, block.name) {
                self.gl.uniform_block_binding(self.raw, index, block.binding);
            }
            self.gl.use_program(Some(self.raw));
            for uniform in &declared {
                let location = self.gl.get_uniform_location(self.raw, uniform.name);
                self.slots.push(location.map(|location| Slot { location, unit }));
                if let (true, Some(Some(slot))) = (uniform.is_sampler(), self.slots.last()) {
                    self.gl.uniform_1_i32(Some(&slot.location), unit as i32);
                    unit += 1;
                }
            }
        }
        if cfg!(debug_assertions) {
            let mut found = disagreements(&declared, texts, &self.active());
            // WebGL tells no offsets that glow hands on; the layout is the standard's.
            if cfg!(not(target_arch = "wasm32")) {
                found.extend(self.misplaced(block));
            }
            if !found.is_empty() {
                return Err(GlError::Uniforms { name: name.to_owned(), problems: found.join("\n") });
            }
        }
        Ok(())
    }

    /// Names of the uniforms outside of blocks that the optimiser left.
    fn active(&self) -> Vec<String> {
        // SAFETY: queries our own linked program.
        unsafe {
            let all =
                (0..self.gl.get_active_uniforms(self.raw)).filter_map(|i| self.gl.get_active_uniform(self.raw, i));
            let of_none = |name: &str| self.gl.get_uniform_location(self.raw, name).is_some();
            all.map(|uniform| uniform.name).filter(|name| of_none(name) && !name.starts_with("gl_")).collect()
        }
    }

    /// Members of `block` that the driver lays out elsewhere than its buffer has them.
    fn misplaced(&self, block: UniformBlock<'_>) -> Vec<String> {
        let names: Vec<&str> = block.layout.iter().map(|(name, _)| *name).collect();
        // SAFETY: queries our own linked program.
        let offsets = unsafe {
            if self.gl.get_uniform_block_index(self.raw, block.name).is_none() {
                return Vec::new();
            }
            let used: Vec<_> = self.gl.get_uniform_indices(self.raw, &names).into_iter().zip(block.layout).collect();
            let used: Vec<_> = used.into_iter().filter_map(|(index, member)| Some((index?, member))).collect();
            let indices: Vec<u32> = used.iter().map(|(index, _)| *index).collect();
            let offsets = self.gl.get_active_uniforms_parameter(self.raw, &indices, glow::UNIFORM_OFFSET);
            used.into_iter().map(|(_, member)| member).zip(offsets)
        };
        let elsewhere = offsets.filter(|((_, expected), offset)| *offset != *expected as i32);
        elsewhere.map(|((name, expected), offset)| format!("'{name}' is at byte {offset}, not {expected}")).collect()
    }

    /// Makes it current and sets its uniforms.
    pub fn bind(&self, uniforms: &U::Values<'_>) {
        // SAFETY: `raw` is a live program.
        unsafe { self.gl.use_program(Some(self.raw)) };
        self.set(uniforms);
    }

    /// Sets its uniforms; it must be current. While transform feedback is active not even the same program may be bound.
    pub fn set(&self, uniforms: &U::Values<'_>) {
        uniforms.set(&mut Slots { gl: &self.gl, left: self.slots.iter() });
    }
}

impl<U> Drop for Program<U> {
    fn drop(&mut self) {
        // SAFETY: `raw` is ours and is used by nobody after this.
        unsafe { self.gl.delete_program(self.raw) };
    }
}

/// One compiled stage.
struct Stage {
    gl: Gl,
    raw: glow::Shader,
}

impl Stage {
    fn new(gl: &Gl, kind: u32, name: &str, text: &ShaderText) -> Result<Self, GlError> {
        // SAFETY: makes a name.
        let raw =
            unsafe { gl.create_shader(kind) }.map_err(|why| GlError::refused(format!("shader of '{name}'"), why))?;
        let stage = Self { gl: gl.clone(), raw };
        // SAFETY: compiles our own live shader.
        let compiled = unsafe {
            gl.shader_source(raw, &text.source);
            gl.compile_shader(raw);
            gl.get_shader_compile_status(raw)
        };
        if compiled {
            return Ok(stage);
        }
        // SAFETY: reads the log of our own shader.
        let log = unsafe { gl.get_shader_info_log(raw) };
        let file = text.files.first().cloned().unwrap_or_else(|| name.to_owned());
        Err(GlError::Compile { name: file, log: name_files(&log, &text.files) })
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // SAFETY: `raw` is ours and is used by nobody after this.
        unsafe { self.gl.delete_shader(self.raw) };
    }
}

/// Puts file names for source string numbers: Mesa says `2:41(7): error`, NVIDIA `2(41) : error`.
fn name_files(log: &str, files: &[String]) -> String {
    let named = |line: &str| {
        let digits = line.find(|c: char| !c.is_ascii_digit()).filter(|&end| end > 0)?;
        let (number, rest) = line.split_at(digits);
        let file = files.get(number.parse::<usize>().ok()?)?;
        if let Some(rest) = rest.strip_prefix(':') {
            return Some(format!("{file}:{rest}"));
        }
        let (at, rest) = rest.strip_prefix('(')?.split_once(')')?;
        Some(format!("{file}:{at}{rest}"))
    };
    let lines = log.trim_matches(['\0', '\n', ' ']).lines();
    lines.map(|line| named(line).unwrap_or_else(|| line.to_owned())).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::name_files;

    #[test]
    fn compile_logs_name_files() {
        let files = ["a.frag.glsl".to_owned(), "b.glsl".to_owned()];
        assert_eq!(name_files("1:41(7): error: x", &files), "b.glsl:41(7): error: x");
        assert_eq!(name_files("0(12) : error C1", &files), "a.frag.glsl:12 : error C1");
        assert_eq!(name_files("link failed", &files), "link failed");
    }
}
