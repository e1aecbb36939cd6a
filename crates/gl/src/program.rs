//! Shader programs.

use std::cell::{Cell, OnceCell, RefCell};
use std::marker::PhantomData;

use glow::HasContext;

use crate::debug::{Object, count_program, label};
use crate::uniforms::{Slot, disagreements};
use crate::{Gl, GlError, Pending, Slots, UniformSet, Uniforms, attributes};

/// One stage's whole text with the files it was put together from.
///
/// `#line N I` in the text says that the next line is line N of `files[I]`.
#[derive(Clone, Debug, Default)]
pub struct ShaderText {
    /// The text without the header of a dialect, `#version` and precisions, which a [`Program`] puts in front.
    pub source: String,
    /// File names by source string number.
    pub files: Vec<String>,
}

/// A block of uniforms that a buffer holds.
#[derive(Clone, Copy, Debug)]
pub struct UniformBlock {
    /// Its name in the shaders.
    pub name: &'static str,
    /// The point at which its buffer is bound.
    pub binding: u32,
    /// Name and byte offset of each member, as the buffer has them.
    pub layout: &'static [(&'static str, usize)],
}

/// A linked program that takes the uniforms `U`, deleted on drop. Their locations are looked up once.
pub struct Program<U> {
    gl: Gl,
    raw: glow::Program,
    /// Slots of its uniforms, once it is known to have linked.
    slots: OnceCell<Vec<Option<Slot>>>,
    /// Parts that it is made of, until then.
    parts: RefCell<Option<Parts>>,
    uniforms: PhantomData<U>,
}

/// Parts that a program is linked from, and names for its error messages.
struct Parts {
    name: String,
    texts: [ShaderText; 2],
    /// Empty until the driver has been asked.
    stages: Vec<Stage>,
    block: UniformBlock,
    feedback: Vec<String>,
}

impl<U: UniformSet> Program<U> {
    /// Compiles and links. Debug builds compare `U` and `block` with the shaders' declarations and the driver's layout.
    ///
    /// # Errors
    /// If a stage does not compile or the program does not link; messages name shader files and lines. In debug builds
    /// also if a uniform is used and not in `U`, or in `U` and not declared.
    pub fn new(gl: &Gl, name: &str, stages: [ShaderText; 2], block: UniformBlock) -> Result<Self, GlError> {
        let program = Self::unasked(gl, name, stages, block, &[])?;
        program.check()?;
        Ok(program)
    }

    /// A program that the driver has not been asked for: [`Pending::ask`] does so, and [`Pending::check`] waits for the
    /// answer. It captures the vertex outputs `feedback` interleaved when transform feedback is on.
    ///
    /// # Errors
    /// If the driver gives no name.
    pub fn unasked(
        gl: &Gl,
        name: &str,
        texts: [ShaderText; 2],
        block: UniformBlock,
        feedback: &[&str],
    ) -> Result<Self, GlError> {
        // SAFETY: makes a name.
        let raw = unsafe { gl.create_program() }.map_err(|why| GlError::refused(format!("program '{name}'"), why))?;
        let feedback = feedback.iter().map(|&output| output.to_owned()).collect();
        let parts = Parts { name: name.to_owned(), texts, stages: Vec::new(), block, feedback };
        let (slots, parts) = (OnceCell::new(), RefCell::new(Some(parts)));
        Ok(Self { gl: gl.clone(), raw, slots, parts, uniforms: PhantomData })
    }

    /// Whether it has been found good, and can be bound.
    pub fn is_good(&self) -> bool {
        self.slots.get().is_some()
    }

    fn look_up(&self, parts: &Parts) -> Result<Vec<Option<Slot>>, GlError> {
        let mut declared = Vec::with_capacity(U::Values::COUNT);
        U::Values::declare("", &mut declared);
        let mut slots = Vec::with_capacity(declared.len());
        let (mut unit, block) = (0, parts.block);
        // SAFETY: queries and binds within our own linked program.
        unsafe {
            if let Some(index) = self.gl.get_uniform_block_index(self.raw, block.name) {
                self.gl.uniform_block_binding(self.raw, index, block.binding);
            }
            self.gl.make_current(self.raw);
            for uniform in &declared {
                let location = self.gl.get_uniform_location(self.raw, uniform.name);
                slots.push(location.map(|location| Slot { location, unit, last: Cell::default() }));
                if let (true, Some(Some(slot))) = (uniform.is_sampler(), slots.last()) {
                    self.gl.uniform_1_i32(Some(&slot.location), unit as i32);
                    unit += 1;
                }
            }
        }
        if cfg!(debug_assertions) {
            let texts = parts.texts.each_ref().map(|text| text.source.as_str());
            let mut found = disagreements(&declared, texts, &self.active());
            // glow hands on no offsets in WebGL; the layout is the standard's.
            if cfg!(not(target_arch = "wasm32")) {
                found.extend(self.misplaced(block));
            }
            if !found.is_empty() {
                return Err(GlError::Uniforms { name: parts.name.clone(), problems: found.join("\n") });
            }
        }
        Ok(slots)
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

    /// Members of `block` whose offset in the driver differs from that in its buffer.
    fn misplaced(&self, block: UniformBlock) -> Vec<String> {
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
    ///
    /// # Panics
    /// If [`Pending::check`] has not found it good: a caller's bug.
    pub fn bind(&self, uniforms: &U::Values<'_>) {
        // SAFETY: `raw` is a live program.
        unsafe { self.gl.make_current(self.raw) };
        self.set(uniforms);
    }

    /// Sets its uniforms; it must be current. During transform feedback not even the same program may be bound.
    ///
    /// # Panics
    /// As for [`Self::bind`].
    pub fn set(&self, uniforms: &U::Values<'_>) {
        let slots = self.slots.get().expect("it is checked before it is used");
        uniforms.set(&mut Slots { gl: &self.gl, left: slots.iter() });
    }
}

impl<U: UniformSet> Pending for Program<U> {
    fn ask(&self) -> Result<(), GlError> {
        let mut parts = self.parts.borrow_mut();
        let Some(Parts { name, texts: [vertex, fragment], stages, feedback, .. }) = parts.as_mut() else {
            return Ok(());
        };
        if !stages.is_empty() {
            return Ok(());
        }
        let asked = [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)]
            .map(|(kind, text)| Stage::ask(&self.gl, kind, name, text));
        *stages = asked.into_iter().collect::<Result<_, _>>()?;
        // SAFETY: links our own live shaders into our own program.
        unsafe {
            stages.iter().for_each(|stage| self.gl.attach_shader(self.raw, stage.raw));
            for (attribute, location) in attributes::ALL {
                self.gl.bind_attrib_location(self.raw, location, attribute);
            }
            if !feedback.is_empty() {
                let outputs: Vec<&str> = feedback.iter().map(String::as_str).collect();
                self.gl.transform_feedback_varyings(self.raw, &outputs, glow::INTERLEAVED_ATTRIBS);
            }
            self.gl.link_program(self.raw);
        }
        label(&self.gl, Object::Program(self.raw), name);
        Ok(())
    }

    fn is_answered(&self) -> bool {
        // SAFETY: asks after our own program.
        self.is_good() || !self.gl.tells_completion || unsafe { self.gl.get_program_completion_status(self.raw) }
    }

    fn check(&self) -> Result<(), GlError> {
        self.ask()?;
        if let Some(parts) = &*self.parts.borrow() {
            // SAFETY: asks after our own program.
            if !unsafe { self.gl.get_program_link_status(self.raw) } {
                parts.stages.iter().zip(&parts.texts).try_for_each(|(stage, text)| stage.check(&text.files))?;
                // SAFETY: reads the log of our own program.
                let log = unsafe { self.gl.get_program_info_log(self.raw) };
                return Err(GlError::Link { name: parts.name.clone(), log: log.trim().to_owned() });
            }
            let slots = self.look_up(parts)?;
            self.slots.get_or_init(|| slots);
            for stage in &parts.stages {
                // SAFETY: takes our own shader from our own program.
                unsafe { self.gl.detach_shader(self.raw, stage.raw) };
            }
            count_program();
        }
        self.parts.take();
        Ok(())
    }
}

impl<U> Drop for Program<U> {
    fn drop(&mut self) {
        self.gl.forget_program();
        // SAFETY: `raw` is ours and is used by nobody after this.
        unsafe { self.gl.delete_program(self.raw) };
    }
}

/// One shader stage.
struct Stage {
    gl: Gl,
    raw: glow::Shader,
}

impl Stage {
    fn ask(gl: &Gl, kind: u32, name: &str, text: &ShaderText) -> Result<Self, GlError> {
        // SAFETY: makes a name.
        let raw =
            unsafe { gl.create_shader(kind) }.map_err(|why| GlError::refused(format!("shader of '{name}'"), why))?;
        // SAFETY: compiles our own live shader.
        unsafe {
            gl.shader_source(raw, &format!("{}{}", gl.dialect().header(), text.source));
            gl.compile_shader(raw);
        }
        Ok(Self { gl: gl.clone(), raw })
    }

    /// Checks that it has compiled from `files`; for a program that has not linked.
    fn check(&self, files: &[String]) -> Result<(), GlError> {
        // SAFETY: asks after our own shader.
        if unsafe { self.gl.get_shader_compile_status(self.raw) } {
            return Ok(());
        }
        // SAFETY: reads its log.
        let log = unsafe { self.gl.get_shader_info_log(self.raw) };
        let name = files.first().cloned().unwrap_or_default();
        Err(GlError::Compile { name, log: name_files(&log, files) })
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // SAFETY: `raw` is ours and is used by nobody after this.
        unsafe { self.gl.delete_shader(self.raw) };
    }
}

/// Replaces source string numbers by file names: Mesa says `2:41(7): error`, NVIDIA `2(41) : error`.
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
