//! Cache of the objects that passes are made of, so that a change makes only new ones.

use std::any::{Any, type_name};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::{Rc, Weak};

use gl::{Gl, GlError, Pending, Program, RenderTarget, ShaderText, TargetFormat, UniformSet};

use crate::deferred::{DeferredProgram, DeferredPrograms};
use crate::frame_uniforms::FRAME_BLOCK;
use crate::plan::FramePlan;
use crate::shaders::ShaderSource;

/// Programs by their text, targets and geometry by name and size.
///
/// Passes are made anew whenever a plan changes; their objects are taken from here, so that a resize compiles nothing
/// and a switched effect leaves the maps of all others as they are.
#[derive(Default)]
pub struct PassCache {
    /// Programs, kept when unused too: users go to and fro between settings.
    programs: Objects,
    /// Targets and geometry.
    memory: Objects,
}

#[derive(Default)]
struct Objects(RefCell<HashMap<String, Rc<dyn Any>>>);

/// Programs and texts of one source, for use without putting the texts together again.
#[derive(Default)]
pub struct KnownPrograms {
    /// Programs by files and defines.
    programs: RefCell<HashMap<String, Weak<dyn Any>>>,
    /// Texts of files, includes resolved.
    texts: RefCell<HashMap<String, Rc<ShaderText>>>,
}

impl KnownPrograms {
    /// The text of a file of `source` with those of `defines` that it mentions.
    fn text(&self, source: &ShaderSource, file: &str, defines: &[(&str, i32)]) -> Result<ShaderText, GlError> {
        let known = self.texts.borrow().get(file).cloned();
        let included = match known {
            Some(known) => known,
            None => {
                let included = Rc::new(source.included(file)?);
                self.texts.borrow_mut().insert(file.to_owned(), included.clone());
                included
            }
        };
        Ok(source.with_defines(&included, defines))
    }
}

impl PassCache {
    /// Drops the targets and the geometry that no pass uses.
    pub fn forget_unused_memory(&self) {
        self.memory.forget_unused();
    }

    /// Drops all objects that no pass uses.
    pub fn forget_unused(&self) {
        self.memory.forget_unused();
        self.programs.forget_unused();
    }
}

impl Objects {
    /// The object of that type and key, made if there is none.
    fn get<T: 'static>(&self, key: &str, make: impl FnOnce() -> Result<Rc<T>, GlError>) -> Result<Rc<T>, GlError> {
        let key = format!("{}: {key}", type_name::<T>());
        let known = self.0.borrow().get(&key).cloned();
        if let Some(known) = known {
            return Ok(known.downcast().expect("the key begins with the type"));
        }
        let made = make()?;
        self.0.borrow_mut().insert(key, made.clone());
        Ok(made)
    }

    fn forget_unused(&self) {
        self.0.borrow_mut().retain(|_, object| Rc::strong_count(object) > 1);
    }
}

/// Makes the objects that the passes of a plan use.
pub struct PassMaker<'a> {
    /// The context.
    pub gl: &'a Gl,
    /// The passes to be drawn, and their sizes.
    pub plan: &'a FramePlan,
    /// Source of the shaders.
    pub source: &'a ShaderSource,
    /// Programs that were made from it.
    pub known: &'a KnownPrograms,
    /// Programs that pictures have lacked.
    pub missed: &'a Rc<DeferredPrograms>,
    /// Objects that exist already.
    pub cache: &'a PassCache,
    /// Keys of the targets that passes of this plan have.
    pub targets: RefCell<HashSet<String>>,
    /// Objects that the driver was asked for and has not answered about.
    pub asked: RefCell<Vec<Rc<dyn Pending>>>,
}

impl PassMaker<'_> {
    /// The program of a vertex and a fragment shader, with `defines` and those of the plan; it may read the frame
    /// block.
    ///
    /// # Errors
    /// If a shader fails.
    ///
    /// # Panics
    /// If the same shaders and defines were asked for with other uniforms: a caller's bug.
    pub fn program<U: UniformSet>(
        &self,
        files: (&str, &str),
        defines: &[(&'static str, i32)],
    ) -> Result<Rc<Program<U>>, GlError> {
        self.asked_program(self.unasked_program(files, defines, &[])?)
    }

    /// A program that a picture can do without: with deferred compilation it is compiled once it has been missed.
    ///
    /// # Errors
    /// As for [`Self::program`].
    pub fn late_program<U: UniformSet>(
        &self,
        files: (&str, &str),
        defines: &[(&'static str, i32)],
    ) -> Result<DeferredProgram<U>, GlError> {
        self.late(self.unasked_program(files, defines, &[])?)
    }

    /// A deferred program of a vertex shader alone, of which `outputs` are recorded.
    ///
    /// # Errors
    /// As for [`Self::program`].
    pub fn late_recording_program<U: UniformSet>(
        &self,
        vertex: &str,
        outputs: &[&str],
    ) -> Result<DeferredProgram<U>, GlError> {
        self.late(self.unasked_program((vertex, "nothing.frag.glsl"), &[], outputs)?)
    }

    fn late<U: UniformSet>(&self, program: Rc<Program<U>>) -> Result<DeferredProgram<U>, GlError> {
        let program = if self.missed.with_deferred_compilation { program } else { self.asked_program(program)? };
        Ok(DeferredProgram::new(program, self.missed))
    }

    /// Asks for a program, and has it checked with all others.
    fn asked_program<U: UniformSet>(&self, program: Rc<Program<U>>) -> Result<Rc<Program<U>>, GlError> {
        if !program.is_good() {
            program.ask()?;
            self.asked.borrow_mut().push(program.clone());
        }
        Ok(program)
    }

    fn unasked_program<U: UniformSet>(
        &self,
        (vertex, fragment): (&str, &str),
        defines: &[(&'static str, i32)],
        outputs: &[&str],
    ) -> Result<Rc<Program<U>>, GlError> {
        let mut all = self.plan.defines();
        all.extend_from_slice(defines);
        let call = format!("{vertex} {fragment} {all:?}");
        let known = self.known.programs.borrow().get(&call).and_then(Weak::upgrade);
        if let Some(known) = known {
            return Ok(known.downcast().expect("a pass's shaders have its uniforms"));
        }
        let name = if outputs.is_empty() {
            fragment.trim_end_matches(".frag.glsl")
        } else {
            vertex.trim_end_matches(".vert.glsl")
        };
        let text = |file| self.known.text(self.source, file, &all);
        let [vertex, fragment] = [text(vertex)?, text(fragment)?];
        let program = self.cache.programs.get(&format!("{}{}", vertex.source, fragment.source), || {
            Program::unasked(self.gl, name, [vertex, fragment], FRAME_BLOCK, outputs).map(Rc::new)
        })?;
        let any: Rc<dyn Any> = program.clone();
        self.known.programs.borrow_mut().insert(call, Rc::downgrade(&any));
        Ok(program)
    }

    /// A target of `extent` texels whose content no pass expects to find again.
    ///
    /// # Errors
    /// If the driver refuses it.
    ///
    /// # Panics
    /// In a debug build, if another target has that name, extent and format: they would be one. A caller's bug.
    pub fn target(
        &self,
        name: &str,
        extent: (u32, u32),
        format: &TargetFormat<'_>,
    ) -> Result<Rc<RenderTarget>, GlError> {
        let key = format!("{name}, {extent:?}, {format:?}");
        debug_assert!(self.targets.borrow_mut().insert(key.clone()), "two targets are called {key}");
        self.shared(&key, || RenderTarget::ask(self.gl, name, extent, format).map(|target| self.asked(target)))
    }

    /// Registers an object, to be checked with all others once everything has been asked for.
    pub fn asked<T: Pending + 'static>(&self, asked: T) -> Rc<T> {
        let asked = Rc::new(asked);
        self.asked.borrow_mut().push(asked.clone());
        asked
    }

    /// The object of any other type that `key` tells apart from all others of its type.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn shared<T: 'static>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<Rc<T>, GlError>,
    ) -> Result<Rc<T>, GlError> {
        self.cache.memory.get(key, make)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_use_is_kept_and_made_once() {
        let cache = Objects::default();
        let held = cache.get("a", || Ok(Rc::new(1u8))).expect("made");
        let again = cache.get("a", || -> Result<Rc<u8>, GlError> { panic!("it is there") }).expect("found");
        assert!(Rc::ptr_eq(&held, &again));
        cache.get("a", || Ok(Rc::new(2u16))).expect("of another type");
        cache.get("b", || Ok(Rc::new(3u8))).expect("of another key");
        cache.forget_unused();
        assert_eq!(cache.0.borrow().len(), 1);
    }
}
