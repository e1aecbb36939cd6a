//! Shader programs.

use std::cell::RefCell;
use std::collections::HashMap;

use glam::{Mat4, Vec2, Vec3, Vec4};
use glow::HasContext;

use crate::gl::{Gl, GlError, Texture2d, attributes, label};

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

/// A value for a uniform.
#[derive(Clone, Copy)]
pub enum Uniform<'a> {
    /// `float`.
    Float(f32),
    /// `int` or `bool`.
    Int(i32),
    /// `vec2`.
    Vec2(Vec2),
    /// `vec3`.
    Vec3(Vec3),
    /// `vec4`.
    Vec4(Vec4),
    /// `mat4`.
    Mat4(Mat4),
    /// `sampler2D` and its like: the texture is bound to a unit of its own.
    Texture(&'a Texture2d),
}

/// A linked program, deleted on drop. Uniform locations are looked up once, by name.
pub struct Program {
    gl: Gl,
    raw: glow::Program,
    name: String,
    locations: HashMap<String, glow::UniformLocation>,
    units: HashMap<String, u32>,
    unknown: RefCell<Vec<String>>,
}

impl Program {
    /// Compiles and links. Uniform blocks are bound to the points given in `blocks`.
    ///
    /// # Errors
    /// If a stage does not compile or the program does not link; messages name shader files and lines.
    pub fn new(
        gl: &Gl,
        name: &str,
        vertex: &ShaderText,
        fragment: &ShaderText,
        blocks: &[(&str, u32)],
    ) -> Result<Self, GlError> {
        Self::with_feedback(gl, name, vertex, fragment, blocks, &[])
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
        blocks: &[(&str, u32)],
        feedback: &[&str],
    ) -> Result<Self, GlError> {
        // SAFETY: makes a name.
        let raw = unsafe { gl.create_program() }.map_err(|why| GlError::refused(format!("program '{name}'"), why))?;
        let mut program = Self {
            gl: gl.clone(),
            raw,
            name: name.to_owned(),
            locations: HashMap::new(),
            units: HashMap::new(),
            unknown: RefCell::default(),
        };
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
        label(gl, glow::PROGRAM, raw.0.get(), name);
        program.look_up(blocks);
        Ok(program)
    }

    fn look_up(&mut self, blocks: &[(&str, u32)]) {
        // SAFETY: queries and binds within our own linked program.
        unsafe {
            for &(block, point) in blocks {
                if let Some(index) = self.gl.get_uniform_block_index(self.raw, block) {
                    self.gl.uniform_block_binding(self.raw, index, point);
                }
            }
            self.gl.use_program(Some(self.raw));
            for i in 0..self.gl.get_active_uniforms(self.raw) {
                let Some(uniform) = self.gl.get_active_uniform(self.raw, i) else { continue };
                let Some(location) = self.gl.get_uniform_location(self.raw, &uniform.name) else { continue };
                if matches!(uniform.utype, glow::SAMPLER_2D | glow::SAMPLER_2D_SHADOW | glow::SAMPLER_2D_ARRAY) {
                    let unit = self.units.len() as u32;
                    self.gl.uniform_1_i32(Some(&location), unit as i32);
                    self.units.insert(uniform.name.clone(), unit);
                }
                self.locations.insert(uniform.name, location);
            }
        }
    }

    /// Makes it current and sets uniforms. A name the program does not have (the optimiser may have removed it) is
    /// logged once.
    pub fn bind(&self, uniforms: &[(&str, Uniform<'_>)]) {
        // SAFETY: `raw` is a live program.
        unsafe { self.gl.use_program(Some(self.raw)) };
        for (name, value) in uniforms {
            self.set(name, value);
        }
    }

    /// Sets one uniform of the program, which must be current.
    pub fn set(&self, name: &str, value: &Uniform<'_>) {
        let Some(location) = self.locations.get(name) else {
            let mut unknown = self.unknown.borrow_mut();
            if !unknown.iter().any(|known| known == name) {
                log::debug!("program '{}' has no uniform '{name}'", self.name);
                unknown.push(name.to_owned());
            }
            return;
        };
        // SAFETY: the location is of this program, which is current; a type mismatch is a GL error, not undefined.
        unsafe {
            let location = Some(location);
            match value {
                Uniform::Float(v) => self.gl.uniform_1_f32(location, *v),
                Uniform::Int(v) => self.gl.uniform_1_i32(location, *v),
                Uniform::Vec2(v) => self.gl.uniform_2_f32(location, v.x, v.y),
                Uniform::Vec3(v) => self.gl.uniform_3_f32(location, v.x, v.y, v.z),
                Uniform::Vec4(v) => self.gl.uniform_4_f32(location, v.x, v.y, v.z, v.w),
                Uniform::Mat4(v) => self.gl.uniform_matrix_4_f32_slice(location, false, v.as_ref()),
                Uniform::Texture(texture) => {
                    if let Some(&unit) = self.units.get(name) {
                        texture.bind_to_unit(unit);
                    }
                }
            }
        }
    }

    /// Byte offset of each member of uniform block `block` as the driver laid it out; empty if it was optimised away.
    pub fn block_offsets(&self, block: &str, members: &[&str]) -> Vec<(String, i32)> {
        // SAFETY: queries our own linked program.
        unsafe {
            if self.gl.get_uniform_block_index(self.raw, block).is_none() {
                return Vec::new();
            }
            let indices = self.gl.get_uniform_indices(self.raw, members);
            let known: Vec<(usize, u32)> =
                indices.iter().enumerate().filter_map(|(i, index)| index.map(|index| (i, index))).collect();
            let raw: Vec<u32> = known.iter().map(|k| k.1).collect();
            let offsets = self.gl.get_active_uniforms_parameter(self.raw, &raw, glow::UNIFORM_OFFSET);
            known.iter().zip(offsets).map(|(&(i, _), offset)| (members[i].to_owned(), offset)).collect()
        }
    }

    /// The name it was made with.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Program {
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
