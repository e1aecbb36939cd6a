//! Layer between a program and its driver, for tests: counts the objects that are alive, and makes calls fail that take
//! memory or compile.
//!
//! Each thread has an account of its own, as each has a current context.
#![allow(non_snake_case)]
// SAFETY, everywhere here: each function is called like OpenGL's of its name, so its pointers are as OpenGL requires.
#![allow(clippy::undocumented_unsafe_blocks)]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::ffi::c_void;
use std::sync::Arc;

use crate::{Gl, with_core_queries};

/// Account of a thread's calls.
#[derive(Default)]
struct Account {
    live: BTreeMap<&'static str, i64>,
    /// Calls that could fail, so far.
    calls: u64,
    /// First and last number of the calls that fail.
    fails: Option<(u64, u64)>,
    /// The functions that failed.
    failed: Vec<&'static str>,
    /// Whether the driver still has to report that it is out of memory.
    out_of_memory: bool,
    /// Shaders that do not compile and programs that do not link.
    broken: HashSet<u32>,
}

thread_local! {
    static ACCOUNT: RefCell<Account> = RefCell::default();
    static REAL: Cell<Option<Real>> = const { Cell::new(None) };
}

/// Context with the functions that `load` finds, those of this thread's one context, with this layer in between.
pub fn counted(load: impl Fn(&str) -> *const c_void) -> Gl {
    // SAFETY: each address is that of a function with the signature that OpenGL gives it; the context is current.
    let gl = unsafe { glow::Context::from_loader_function(with_core_queries(between(load))) };
    // As in `app::context`.
    #[allow(clippy::arc_with_non_send_sync)]
    Arc::new(gl.into())
}

/// Objects that are alive on this thread, by kind.
pub fn live() -> BTreeMap<&'static str, i64> {
    ACCOUNT.with_borrow(|account| account.live.iter().map(|(kind, n)| (*kind, *n)).filter(|(_, n)| *n != 0).collect())
}

/// Makes the `n`-th fallible call from now on fail, counted from 0, and `more` calls after it.
pub fn fail(n: u64, more: u64) {
    ACCOUNT.with_borrow_mut(|account| {
        account.fails = Some((account.calls + n, account.calls + n + more));
        account.failed.clear();
    });
}

/// Lets every call succeed again, and returns the functions that failed since [`fail`].
pub fn heal() -> Vec<&'static str> {
    ACCOUNT.with_borrow_mut(|account| {
        account.fails = None;
        std::mem::take(&mut account.failed)
    })
}

fn with<T>(work: impl FnOnce(&mut Account) -> T) -> T {
    ACCOUNT.with_borrow_mut(work)
}

/// Whether this call is to fail.
fn fails(function: &'static str) -> bool {
    with(|account| {
        let call = account.calls;
        account.calls += 1;
        let fails = account.fails.is_some_and(|(first, last)| (first..=last).contains(&call));
        if fails {
            account.failed.push(function);
        }
        fails
    })
}

fn count(kind: &'static str, n: i64) {
    with(|account| *account.live.entry(kind).or_default() += n);
}

/// Fails for want of memory, or does `work`.
fn upload(function: &'static str, work: impl FnOnce()) {
    if fails(function) {
        with(|account| account.out_of_memory = true);
    } else {
        work();
    }
}

/// Generates `n` names by `work`, or none.
fn generate(function: &'static str, kind: &'static str, n: i32, names: *mut u32, work: impl FnOnce()) {
    if fails(function) {
        // SAFETY: the caller has room for `n` names.
        unsafe { std::slice::from_raw_parts_mut(names, n as usize) }.fill(0);
    } else {
        work();
        count(kind, n.into());
    }
}

/// Makes an object by `work`, or none.
fn create(function: &'static str, kind: &'static str, work: impl FnOnce() -> u32) -> u32 {
    if fails(function) {
        return 0;
    }
    let name = work();
    count(kind, i64::from(name != 0));
    name
}

fn destroy(kind: &'static str, name: u32, work: impl FnOnce()) {
    work();
    with(|account| account.broken.remove(&name));
    count(kind, -i64::from(name != 0));
}

/// Breaks an object, or does `work` to make it, if none of its parts is broken.
fn make(function: &'static str, name: u32, work: impl FnOnce()) {
    if fails(function) {
        with(|account| account.broken.insert(name));
    } else if with(|account| !account.broken.contains(&name)) {
        work();
    }
}

/// Asks for a status by `work`, unless the object is broken.
///
/// # Safety
/// There must be room for a number at `value`.
unsafe fn status(name: u32, what: u32, wanted: u32, value: *mut i32, work: impl FnOnce()) {
    if what == wanted && with(|account| account.broken.contains(&name)) {
        // SAFETY: the caller's promise.
        unsafe { *value = 0 };
    } else {
        work();
    }
}

/// Defines the intercepted functions, each with `real` for the driver's own.
macro_rules! functions {
    ($($name:ident($($parameter:ident: $type:ty),*) $(-> $result:ty)? = |$real:ident| $body:expr;)*) => {
        /// The driver's own functions.
        #[derive(Clone, Copy)]
        struct Real { $($name: Option<unsafe extern "system" fn($($type),*) $(-> $result)?>,)* }

        $(unsafe extern "system" fn $name($($parameter: $type),*) $(-> $result)? {
            let function = REAL.get().and_then(|real| real.$name).expect("the driver has it");
            // SAFETY: the arguments are the caller's own.
            let $real = move || unsafe { function($($parameter),*) };
            $body
        })*

        /// A loader whose functions wrap those of `load`.
        fn between(load: impl Fn(&str) -> *const c_void) -> impl FnMut(&str) -> *const c_void {
            $(let $name = load(stringify!($name));)*
            REAL.set(Some(Real {
                // SAFETY: null is no function, and any other address under a name has the signature of that name.
                $($name: unsafe {
                    std::mem::transmute::<*const c_void, Option<unsafe extern "system" fn($($type),*) $(-> $result)?>>(
                        $name
                    )
                },)*
            }));
            // A new context has no errors yet.
            with(|account| {
                account.out_of_memory = false;
                account.broken.clear();
            });
            move |name| {
                let real = load(name);
                if real.is_null() {
                    return real;
                }
                match name {
                    $(stringify!($name) => self::$name as *const c_void,)*
                    _ => real,
                }
            }
        }
    };
}

functions! {
    glGenTextures(n: i32, names: *mut u32) = |real| generate("glGenTextures", "textures", n, names, real);
    glGenBuffers(n: i32, names: *mut u32) = |real| generate("glGenBuffers", "buffers", n, names, real);
    glGenFramebuffers(n: i32, names: *mut u32) = |real| generate("glGenFramebuffers", "framebuffers", n, names, real);
    glGenVertexArrays(n: i32, names: *mut u32) = |real| generate("glGenVertexArrays", "vertex arrays", n, names, real);
    glGenQueries(n: i32, names: *mut u32) = |real| generate("glGenQueries", "queries", n, names, real);
    glDeleteTextures(n: i32, _names: *const u32) = |real| { real(); count("textures", -i64::from(n)) };
    glDeleteBuffers(n: i32, _names: *const u32) = |real| { real(); count("buffers", -i64::from(n)) };
    glDeleteFramebuffers(n: i32, _names: *const u32) = |real| { real(); count("framebuffers", -i64::from(n)) };
    glDeleteVertexArrays(n: i32, _names: *const u32) = |real| { real(); count("vertex arrays", -i64::from(n)) };
    glDeleteQueries(n: i32, _names: *const u32) = |real| { real(); count("queries", -i64::from(n)) };
    glCreateProgram() -> u32 = |real| create("glCreateProgram", "programs", real);
    glDeleteProgram(name: u32) = |real| destroy("programs", name, real);
    glCreateShader(_kind: u32) -> u32 = |real| create("glCreateShader", "shaders", real);
    glDeleteShader(name: u32) = |real| destroy("shaders", name, real);
    glCompileShader(name: u32) = |real| make("glCompileShader", name, real);
    glAttachShader(program: u32, shader: u32) = |real| {
        with(|account| account.broken.contains(&shader) && account.broken.insert(program));
        real();
    };
    glLinkProgram(name: u32) = |real| make("glLinkProgram", name, real);
    glGetShaderiv(name: u32, what: u32, value: *mut i32)
        = |real| unsafe { status(name, what, glow::COMPILE_STATUS, value, real) };
    glGetProgramiv(name: u32, what: u32, value: *mut i32)
        = |real| unsafe { status(name, what, glow::LINK_STATUS, value, real) };
    glCheckFramebufferStatus(_target: u32) -> u32
        = |real| if fails("glCheckFramebufferStatus") { glow::FRAMEBUFFER_UNSUPPORTED } else { real() };
    glBufferData(_target: u32, _size: isize, _data: *const c_void, _usage: u32)
        = |real| upload("glBufferData", real);
    glTexImage2D(
        _target: u32, _level: i32, _internal: i32, _width: i32, _height: i32,
        _border: i32, _layout: u32, _kind: u32, _data: *const c_void
    ) = |real| upload("glTexImage2D", real);
    glTexSubImage2D(
        _target: u32, _level: i32, _x: i32, _y: i32, _width: i32, _height: i32,
        _layout: u32, _kind: u32, _data: *const c_void
    ) = |real| upload("glTexSubImage2D", real);
    glGenerateMipmap(_target: u32) = |real| upload("glGenerateMipmap", real);
    glGetError() -> u32 = |real| match with(|account| std::mem::take(&mut account.out_of_memory)) {
        true => glow::OUT_OF_MEMORY,
        false => real(),
    };
}
