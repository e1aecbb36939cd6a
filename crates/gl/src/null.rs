//! A driver that draws nothing, for tests: it gives out names, keeps account of them, and hashes the calls that it is
//! given into one number.
//!
//! Each thread has a driver of its own, as each has a current context.
#![allow(non_snake_case)]
// SAFETY, everywhere here: each function is called like OpenGL's of its name, so its pointers are as OpenGL requires.
#![allow(clippy::undocumented_unsafe_blocks)]

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::{CStr, c_char, c_void};
use std::rc::Rc;

use crate::DeviceInfo;

/// Longest side of a texture.
pub const MAX_PIXELS: i32 = 4096;

/// Kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    Texture,
    Buffer,
    Framebuffer,
    VertexArray,
    Query,
    Program,
    Shader,
}

/// The driver of a thread.
#[derive(Default)]
struct Driver {
    /// Hash of each object's content, which stands for it wherever it is used: names differ from context to context.
    objects: HashMap<(Kind, u32), u64>,
    /// The name last given out.
    last_name: u32,
    /// Bound names: of textures by unit, of the others by their targets.
    bound: HashMap<(Kind, u32), u32>,
    unit: u32,
    /// The words of each shader and program, which include the uniforms that it uses.
    words: HashMap<u32, Rc<HashSet<String>>>,
    /// The words of each text that was compiled, by its hash.
    known_words: HashMap<u64, Rc<HashSet<String>>>,
    /// Hash of the calls since [`frame`] began.
    frame: u64,
    /// Uses of objects that no program may make.
    misuse: Vec<String>,
    /// Whether uploads are left unread, so that the driver takes no time over them.
    leaves_uploads: bool,
    /// Number of calls of each function, while they are counted.
    calls: Option<BTreeMap<&'static str, u32>>,
}

thread_local! {
    static DRIVER: RefCell<Driver> = RefCell::default();
}

/// Description of this driver as one that draws on the CPU, or does not.
pub fn device(software: bool) -> DeviceInfo {
    let renderer = if software { "null, software" } else { "null" };
    DeviceInfo::new(|_| renderer.into(), true, "null")
}

/// Hash of everything that `draw` has this thread's driver do: it differs as soon as a draw, a state, a uniform or an
/// upload differs.
pub fn frame(draw: impl FnOnce()) -> u64 {
    DRIVER.with_borrow_mut(|driver| driver.frame = 0);
    draw();
    DRIVER.with_borrow(|driver| driver.frame)
}

/// Number of calls of each function that `draw` makes on this thread.
pub fn calls(draw: impl FnOnce()) -> BTreeMap<&'static str, u32> {
    DRIVER.with_borrow_mut(|driver| driver.calls = Some(BTreeMap::new()));
    draw();
    DRIVER.with_borrow_mut(|driver| driver.calls.take()).unwrap_or_default()
}

/// Leaves uploads unread from now on, as a driver that costs nothing would: for timing. Hashes then lack them.
pub fn leave_uploads() {
    DRIVER.with_borrow_mut(|driver| driver.leaves_uploads = true);
}

/// Uses of names that were not given out, or were deleted, on this thread.
pub fn misuse() -> Vec<String> {
    DRIVER.with_borrow(|driver| driver.misuse.clone())
}

/// An argument as a number.
trait Bits: Copy {
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($type:ty: |$value:ident| $bits:expr;)*) => {
        $(impl Bits for $type { fn bits(self) -> u64 { let $value = self; $bits } })*
    };
}
bits! {
    u8: |v| v.into();
    u32: |v| v.into();
    i32: |v| v as u64;
    isize: |v| v as u64;
    f32: |v| v.to_bits().into();
    *const c_void: |v| v as usize as u64;
}

fn mixed(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

fn mixed_bytes(hash: u64, bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|word| word.iter().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)));
    words.fold(mixed(hash, bytes.len() as u64), mixed)
}

impl Driver {
    fn count(&mut self, function: &'static str) {
        if let Some(calls) = &mut self.calls {
            *calls.entry(function).or_default() += 1;
        }
    }

    fn note(&mut self, call: &str, arguments: &[u64]) {
        let hash = mixed_bytes(self.frame, call.as_bytes());
        self.frame = arguments.iter().fold(hash, |hash, argument| mixed(hash, *argument));
    }

    fn generate(&mut self, kind: Kind) -> u32 {
        self.last_name += 1;
        self.objects.insert((kind, self.last_name), kind as u64);
        self.last_name
    }

    fn delete(&mut self, kind: Kind, name: u32) {
        // All kinds share one sequence of names.
        self.words.remove(&name);
        if name != 0 && self.objects.remove(&(kind, name)).is_none() {
            self.misuse.push(format!("{kind:?} {name} is deleted, but is not there"));
        }
    }

    /// Hash of the content of an object that is used.
    fn object(&mut self, kind: Kind, name: u32) -> u64 {
        if name == 0 {
            return 0;
        }
        let content = self.objects.get(&(kind, name)).copied();
        content.unwrap_or_else(|| {
            self.misuse.push(format!("{kind:?} {name} is used, but is not there"));
            0
        })
    }

    /// Mixes `content` into the hash of an object, or with `anew` replaces the hash.
    fn define(&mut self, kind: Kind, name: u32, content: u64, anew: bool) {
        if let Some(known) = self.objects.get_mut(&(kind, name)) {
            *known = mixed(if anew { kind as u64 } else { *known }, content);
        }
    }

    fn bind(&mut self, kind: Kind, target: u32, name: u32) {
        let content = self.object(kind, name);
        self.note("bind", &[kind as u64, target.into(), content]);
        self.bound.insert((kind, target), name);
    }

    fn texture(&self) -> u32 {
        self.bound.get(&(Kind::Texture, self.unit)).copied().unwrap_or_default()
    }
}

/// The bytes that a caller hands over; none if it hands over null.
///
/// # Safety
/// `data` must be null or point to `length` bytes.
unsafe fn bytes<'a>(data: *const c_void, length: usize) -> &'a [u8] {
    // SAFETY: the caller's promise.
    if data.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(data.cast(), length) } }
}

/// Hash of an upload, unless they are left unread.
///
/// # Safety
/// `data` must be null or point to `length` bytes, as for [`bytes`].
unsafe fn upload_hash(seed: u64, data: *const c_void, length: usize) -> u64 {
    if DRIVER.with_borrow(|driver| driver.leaves_uploads) {
        return seed;
    }
    // SAFETY: the caller's promise.
    mixed_bytes(seed, unsafe { bytes(data, length) })
}

/// # Safety
/// `text` must be a string that ends in a null.
unsafe fn hash_of(text: *const c_char) -> u64 {
    // SAFETY: the caller's promise.
    mixed_bytes(0, unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// The bytes of an upload of that many texels, by layout and type as `gl::texture` uses them.
fn upload_bytes(width: i32, height: i32, layout: u32, kind: u32) -> usize {
    let channels = if layout == glow::RGBA { 4 } else { 1 };
    let bytes = if kind == glow::UNSIGNED_BYTE { 1 } else { 4 };
    (width * height) as usize * channels * bytes
}

/// The words of a shader in the lines that its `#if`s leave, except declarations of uniforms: they include each uniform
/// that it uses.
fn words(text: &str) -> HashSet<String> {
    let mut defines: HashMap<&str, i32> = HashMap::new();
    // For each `#if` around a line: whether its branch is taken, and whether one was before.
    let mut branches: Vec<(bool, bool)> = Vec::new();
    let mut found = HashSet::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let is_left = branches.iter().all(|(taken, _)| *taken);
        let (directive, rest) = line.split_once(' ').unwrap_or((line, ""));
        match directive {
            "#define" if is_left => {
                let (name, value) = rest.split_once(' ').unwrap_or((rest, "1"));
                defines.insert(name, value.trim().parse().unwrap_or(1));
            }
            "#if" => branches.push([holds(rest, &defines); 2].into()),
            "#ifdef" => branches.push([defines.contains_key(rest.trim()); 2].into()),
            "#ifndef" => branches.push([!defines.contains_key(rest.trim()); 2].into()),
            "#elif" | "#else" => {
                if let Some((taken, before)) = branches.last_mut() {
                    *taken = !*before && (directive == "#else" || holds(rest, &defines));
                    *before |= *taken;
                }
            }
            "#endif" => {
                branches.pop();
            }
            "uniform" => {}
            _ if is_left => {
                found.extend(line.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
            }
            _ => {}
        }
    }
    found
}

/// Whether an `#if` holds: names and numbers, `>` and `==`, `&&` and `||`, as this project's shaders have them.
fn holds(condition: &str, defines: &HashMap<&str, i32>) -> bool {
    let value = |text: &str| {
        let text = text.trim();
        text.parse().unwrap_or_else(|_| defines.get(text).copied().unwrap_or_default())
    };
    let one = |text: &str| match (text.split_once('>'), text.split_once("==")) {
        (Some((a, b)), _) => value(a) > value(b),
        (_, Some((a, b))) => value(a) == value(b),
        _ => value(text) != 0,
    };
    condition.split("||").any(|all| all.split("&&").all(one))
}

/// Defines functions, and [`load`], which finds each by its name. Those of `noted` are only recorded.
macro_rules! functions {
    (noted { $($noted:ident($($argument:ident: $argument_type:ty),*);)* }
     $($name:ident($($parameter:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(unsafe extern "system" fn $noted($($argument: $argument_type),*) {
            let arguments: &[u64] = &[$($argument.bits()),*];
            DRIVER.with_borrow_mut(|driver| {
                driver.count(stringify!($noted));
                driver.note(stringify!($noted), arguments);
            });
        })*
        $(unsafe extern "system" fn $name($($parameter: $type),*) $(-> $result)? {
            DRIVER.with_borrow_mut(|driver| driver.count(stringify!($name)));
            $body
        })*

        /// The address of a function of OpenGL; null if this driver does not have it.
        pub fn load(name: &str) -> *const c_void {
            match name {
                $(stringify!($noted) => $noted as *const c_void,)*
                $(stringify!($name) => $name as *const c_void,)*
                _ => std::ptr::null(),
            }
        }
    };
}

macro_rules! objects {
    ($($generate:ident, $delete:ident: $kind:ident;)*) => {
        $(
            unsafe fn $generate(count: i32, names: *mut u32) {
                DRIVER.with_borrow_mut(|driver| {
                    for i in 0..count as usize {
                        // SAFETY: the caller has room for `count` names.
                        unsafe { *names.add(i) = driver.generate(Kind::$kind) };
                    }
                });
            }

            unsafe fn $delete(count: i32, names: *const u32) {
                DRIVER.with_borrow_mut(|driver| {
                    for i in 0..count as usize {
                        // SAFETY: the caller hands over `count` names.
                        driver.delete(Kind::$kind, unsafe { *names.add(i) });
                    }
                });
            }
        )*
    };
}
objects! {
    textures, no_textures: Texture;
    buffers, no_buffers: Buffer;
    framebuffers, no_framebuffers: Framebuffer;
    vertex_arrays, no_vertex_arrays: VertexArray;
    queries, no_queries: Query;
}

fn with<T>(work: impl FnOnce(&mut Driver) -> T) -> T {
    DRIVER.with_borrow_mut(work)
}

// SAFETY, for all of them: pointers are as OpenGL requires of each function, as glow hands them on.
functions! {
    noted {
        glBeginTransformFeedback(primitive: u32);
        glBlendEquation(mode: u32);
        glBlendEquationSeparate(colour: u32, alpha: u32);
        glBlendFunc(source: u32, destination: u32);
        glBlendFuncSeparate(a: u32, b: u32, c: u32, d: u32);
        glBlitFramebuffer(a: i32, b: i32, c: i32, d: i32, e: i32, f: i32, g: i32, h: i32, mask: u32, filter: u32);
        glClear(mask: u32);
        glClearColor(r: f32, g: f32, b: f32, a: f32);
        glColorMask(r: u8, g: u8, b: u8, a: u8);
        glCopyTexSubImage2D(target: u32, level: i32, x: i32, y: i32, from_x: i32, from_y: i32, width: i32, height: i32);
        glCullFace(mode: u32);
        glDepthFunc(function: u32);
        glDepthMask(flag: u8);
        glDisable(what: u32);
        glDisableVertexAttribArray(location: u32);
        glDrawArrays(mode: u32, first: i32, count: i32);
        glDrawArraysInstanced(mode: u32, first: i32, count: i32, instances: i32);
        glDrawElements(mode: u32, count: i32, kind: u32, offset: *const c_void);
        glDrawElementsInstanced(mode: u32, count: i32, kind: u32, offset: *const c_void, instances: i32);
        glEnable(what: u32);
        glEnableVertexAttribArray(location: u32);
        glEndTransformFeedback();
        glFinish();
        glFlush();
        glFrontFace(mode: u32);
        glGenerateMipmap(target: u32);
        glPixelStorei(name: u32, value: i32);
        glReadBuffer(buffer: u32);
        glScissor(x: i32, y: i32, width: i32, height: i32);
        glUniform1f(location: i32, x: f32);
        glUniform1i(location: i32, x: i32);
        glUniform2f(location: i32, x: f32, y: f32);
        glUniform3f(location: i32, x: f32, y: f32, z: f32);
        glUniform4f(location: i32, x: f32, y: f32, z: f32, w: f32);
        glVertexAttribDivisor(location: u32, divisor: u32);
        glVertexAttribIPointer(location: u32, size: i32, kind: u32, stride: i32, offset: *const c_void);
        glVertexAttribPointer(location: u32, size: i32, kind: u32, normalised: u8, stride: i32, offset: *const c_void);
        glViewport(x: i32, y: i32, width: i32, height: i32);
    }

    glGenTextures(count: i32, names: *mut u32) { unsafe { textures(count, names) } }
    glGenBuffers(count: i32, names: *mut u32) { unsafe { buffers(count, names) } }
    glGenFramebuffers(count: i32, names: *mut u32) { unsafe { framebuffers(count, names) } }
    glGenVertexArrays(count: i32, names: *mut u32) { unsafe { vertex_arrays(count, names) } }
    glGenQueries(count: i32, names: *mut u32) { unsafe { queries(count, names) } }
    glDeleteTextures(count: i32, names: *const u32) { unsafe { no_textures(count, names) } }
    glDeleteBuffers(count: i32, names: *const u32) { unsafe { no_buffers(count, names) } }
    glDeleteFramebuffers(count: i32, names: *const u32) { unsafe { no_framebuffers(count, names) } }
    glDeleteVertexArrays(count: i32, names: *const u32) { unsafe { no_vertex_arrays(count, names) } }
    glDeleteQueries(count: i32, names: *const u32) { unsafe { no_queries(count, names) } }
    glCreateProgram() -> u32 { with(|driver| driver.generate(Kind::Program)) }
    glDeleteProgram(name: u32) { with(|driver| driver.delete(Kind::Program, name)) }
    glCreateShader(kind: u32) -> u32 {
        with(|driver| {
            let name = driver.generate(Kind::Shader);
            driver.define(Kind::Shader, name, kind.into(), true);
            name
        })
    }
    glDeleteShader(name: u32) { with(|driver| driver.delete(Kind::Shader, name)) }

    glActiveTexture(unit: u32) { with(|driver| driver.unit = unit) }
    glBindTexture(_target: u32, name: u32) { with(|driver| driver.bind(Kind::Texture, driver.unit, name)) }
    glBindBuffer(target: u32, name: u32) { with(|driver| driver.bind(Kind::Buffer, target, name)) }
    glBindBufferBase(target: u32, index: u32, name: u32) {
        with(|driver| {
            driver.note("base", &[index.into()]);
            driver.bind(Kind::Buffer, target, name);
        })
    }
    glBindFramebuffer(target: u32, name: u32) { with(|driver| driver.bind(Kind::Framebuffer, target, name)) }
    glBindVertexArray(name: u32) { with(|driver| driver.bind(Kind::VertexArray, 0, name)) }
    glUseProgram(name: u32) {
        with(|driver| driver.bind(Kind::Program, 0, name));
    }

    glBufferData(target: u32, size: isize, data: *const c_void, _usage: u32) {
        let content = unsafe { upload_hash(size as u64, data, size as usize) };
        with(|driver| {
            let name = driver.bound.get(&(Kind::Buffer, target)).copied().unwrap_or_default();
            driver.define(Kind::Buffer, name, content, true);
            driver.note("glBufferData", &[content]);
        });
    }
    glTexImage2D(
        _target: u32, level: i32, internal: i32, width: i32, height: i32,
        _border: i32, layout: u32, kind: u32, data: *const c_void
    ) {
        let content = unsafe { upload_hash(internal as u64, data, upload_bytes(width, height, layout, kind)) };
        let content = [level.bits(), width.bits(), height.bits()].into_iter().fold(content, mixed);
        with(|driver| driver.define(Kind::Texture, driver.texture(), content, level == 0));
    }
    glTexSubImage2D(
        _target: u32, level: i32, x: i32, y: i32, width: i32, height: i32, layout: u32, kind: u32, data: *const c_void
    ) {
        let content = unsafe { upload_hash(0, data, upload_bytes(width, height, layout, kind)) };
        with(|driver| driver.note("glTexSubImage2D", &[level.bits(), x.bits(), y.bits(), content]));
    }
    glTexParameteri(_target: u32, name: u32, value: i32) {
        with(|driver| driver.define(Kind::Texture, driver.texture(), mixed(name.into(), value as u64), false));
    }
    glFramebufferTexture2D(target: u32, point: u32, _texture_target: u32, name: u32, _level: i32) {
        with(|driver| {
            let content = driver.object(Kind::Texture, name);
            let framebuffer = driver.bound.get(&(Kind::Framebuffer, target)).copied().unwrap_or_default();
            driver.define(Kind::Framebuffer, framebuffer, mixed(point.into(), content), false);
        });
    }
    glDrawBuffers(count: i32, _buffers: *const u32) { with(|driver| driver.note("glDrawBuffers", &[count.bits()])) }
    glClearBufferfv(buffer: u32, index: i32, values: *const f32) {
        let values = unsafe { std::slice::from_raw_parts(values, 4) };
        let values = values.iter().fold(0, |hash, value| mixed(hash, value.bits()));
        with(|driver| driver.note("glClearBufferfv", &[buffer.into(), index.bits(), values]));
    }
    glCheckFramebufferStatus(_target: u32) -> u32 { glow::FRAMEBUFFER_COMPLETE }

    glShaderSource(name: u32, _count: i32, texts: *const *const c_char, lengths: *const i32) {
        let text = unsafe { bytes((*texts).cast(), *lengths as usize) };
        let hash = mixed_bytes(0, text);
        with(|driver| {
            driver.define(Kind::Shader, name, hash, false);
            let words = driver.known_words.entry(hash).or_insert_with(|| Rc::new(words(&String::from_utf8_lossy(text))));
            driver.words.insert(name, words.clone());
        });
    }
    glAttachShader(program: u32, shader: u32) {
        with(|driver| {
            let content = driver.object(Kind::Shader, shader);
            driver.define(Kind::Program, program, content, false);
            let known = [program, shader].map(|name| driver.words.get(&name).cloned().unwrap_or_default());
            let both = known[0].union(&known[1]).cloned().collect();
            driver.words.insert(program, Rc::new(both));
        });
    }
    glDetachShader(_program: u32, _shader: u32) {}
    glCompileShader(name: u32) { with(|driver| driver.object(Kind::Shader, name)); }
    glLinkProgram(name: u32) { with(|driver| driver.object(Kind::Program, name)); }
    glBindAttribLocation(_program: u32, _location: u32, _name: *const c_char) {}
    glTransformFeedbackVaryings(_program: u32, _count: i32, _names: *const *const c_char, _mode: u32) {}
    glUniformBlockBinding(_program: u32, _block: u32, _binding: u32) {}
    glGetShaderiv(_name: u32, what: u32, value: *mut i32) {
        unsafe { *value = i32::from(what == glow::COMPILE_STATUS) };
    }
    glGetProgramiv(_name: u32, what: u32, value: *mut i32) {
        unsafe { *value = i32::from(what == glow::LINK_STATUS) };
    }
    glGetShaderInfoLog(_name: u32, _room: i32, length: *mut i32, _log: *mut c_char) { unsafe { *length = 0 } }
    glGetProgramInfoLog(_name: u32, _room: i32, length: *mut i32, _log: *mut c_char) { unsafe { *length = 0 } }
    glGetUniformLocation(program: u32, name: *const c_char) -> i32 {
        let is_used = with(|driver| {
            let words = driver.words.get(&program);
            words.is_some_and(|words| words.contains(&*unsafe { CStr::from_ptr(name) }.to_string_lossy()))
        });
        if is_used { (unsafe { hash_of(name) } & 0xffff) as i32 } else { -1 }
    }
    glGetAttribLocation(_program: u32, name: *const c_char) -> i32 { (unsafe { hash_of(name) } & 0xf) as i32 }
    glGetUniformBlockIndex(_program: u32, _name: *const c_char) -> u32 { 0 }
    glGetUniformIndices(_program: u32, count: i32, _names: *const *const c_char, indices: *mut u32) {
        // None is reported as used, so that nobody asks for its offset.
        unsafe { std::slice::from_raw_parts_mut(indices, count as usize) }.fill(glow::INVALID_INDEX);
    }
    glGetActiveUniformsiv(_program: u32, _count: i32, _indices: *const u32, _what: u32, _values: *mut i32) {}

    glGetError() -> u32 { glow::NO_ERROR }
    glGetString(name: u32) -> *const c_char {
        match name {
            glow::VERSION => c"3.3 null".as_ptr(),
            glow::SHADING_LANGUAGE_VERSION => c"3.30".as_ptr(),
            _ => c"null".as_ptr(),
        }
    }
    glGetIntegerv(name: u32, value: *mut i32) {
        unsafe { *value = if name == glow::MAX_TEXTURE_SIZE { MAX_PIXELS } else { 0 } };
    }
    glBeginQuery(_target: u32, name: u32) { with(|driver| driver.object(Kind::Query, name)); }
    glEndQuery(_target: u32) {}
    glGetQueryObjectuiv(_name: u32, _what: u32, value: *mut u32) { unsafe { *value = 1 } }
    glGetQueryObjectui64v(_name: u32, _what: u32, value: *mut u64) { unsafe { *value = 100_000 } }
    glReadPixels(_x: i32, _y: i32, width: i32, height: i32, layout: u32, kind: u32, into: *mut c_void) {
        unsafe { into.cast::<u8>().write_bytes(0, upload_bytes(width, height, layout, kind)) };
    }
}
