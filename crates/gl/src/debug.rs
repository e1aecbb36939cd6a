//! Complaints of the driver, for tests and for work on a pass; and labels of objects for its messages.

use std::cell::{Cell, RefCell};

use glow::HasContext;

use crate::{Gl, GlError};

/// Maximum number of errors read from the queue; a lost context may repeat one for ever.
const MAX_ERRORS: usize = 16;
/// Maximum number of messages read from the driver's log at once.
const MAX_MESSAGES: u32 = 16;

thread_local! {
    /// Programs linked on this thread, since a context is current on one thread.
    static PROGRAMS_LINKED: Cell<u64> = const { Cell::new(0) };
    /// Errors that were taken from the queue in search of another one.
    static SET_ASIDE: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Programs that this thread has linked so far.
pub fn programs_linked() -> u64 {
    PROGRAMS_LINKED.get()
}

pub(super) fn count_program() {
    PROGRAMS_LINKED.set(PROGRAMS_LINKED.get() + 1);
}

/// Makes the driver keep its messages of high severity (errors, undefined behaviour), and drops the earlier ones.
///
/// `false` if this driver keeps none (no `KHR_debug`); [`complaints`] then has the error queue alone, which others read
/// too.
pub fn watch(gl: &Gl) -> bool {
    let keeps = gl.supports_debug();
    if keeps {
        // SAFETY: sets which messages are kept; no pointer is passed but an empty list of ids.
        unsafe {
            gl.enable(glow::DEBUG_OUTPUT);
            gl.enable(glow::DEBUG_OUTPUT_SYNCHRONOUS);
            gl.debug_message_control(glow::DONT_CARE, glow::DONT_CARE, glow::DONT_CARE, &[], false);
            gl.debug_message_control(glow::DONT_CARE, glow::DONT_CARE, glow::DEBUG_SEVERITY_HIGH, &[], true);
        }
    }
    complaints(gl);
    keeps
}

/// The errors in the queue and the messages kept since [`watch`] or the last call; empty if all is well.
pub fn complaints(gl: &Gl) -> Vec<String> {
    let errors = SET_ASIDE.take().into_iter().chain(queue(gl));
    let mut found: Vec<String> = errors.map(|error| format!("error {}", name(error))).collect();
    if gl.supports_debug() {
        // SAFETY: glow makes room for as many messages as it asks for.
        let messages = unsafe { gl.get_debug_message_log(MAX_MESSAGES) };
        found.extend(messages.iter().map(|message| format!("{message:?}")));
    }
    found
}

/// Keeps the driver's errors so far for [`complaints`]: objects made next are not blamed for them.
pub fn set_aside(gl: &Gl) {
    let errors: Vec<u32> = queue(gl).collect();
    SET_ASIDE.with_borrow_mut(|aside| {
        aside.extend(errors);
        aside.truncate(MAX_ERRORS);
    });
}

/// Asks the driver whether it had the memory for `what`: everything made since the last call. Other errors are kept for
/// [`complaints`].
///
/// This waits for an answer, in a browser for all pending work of the driver; so it is called once for objects that are
/// made together.
///
/// # Errors
/// If it had not.
pub fn check_memory(gl: &Gl, what: &str) -> Result<(), GlError> {
    let (of_memory, others): (Vec<u32>, _) = queue(gl).partition(|error| *error == glow::OUT_OF_MEMORY);
    SET_ASIDE.with_borrow_mut(|aside| {
        aside.extend::<Vec<u32>>(others);
        aside.truncate(MAX_ERRORS);
    });
    if of_memory.is_empty() { Ok(()) } else { Err(GlError::refused(what, "out of memory")) }
}

/// Empties the queue of errors.
fn queue(gl: &Gl) -> impl Iterator<Item = u32> {
    // SAFETY: takes one error from the queue.
    let next = || unsafe { gl.get_error() };
    std::iter::repeat_with(next).take_while(|error| *error != glow::NO_ERROR).take(MAX_ERRORS)
}

fn name(error: u32) -> String {
    match error {
        glow::INVALID_ENUM => "INVALID_ENUM".into(),
        glow::INVALID_VALUE => "INVALID_VALUE".into(),
        glow::INVALID_OPERATION => "INVALID_OPERATION".into(),
        glow::INVALID_FRAMEBUFFER_OPERATION => "INVALID_FRAMEBUFFER_OPERATION".into(),
        glow::OUT_OF_MEMORY => "OUT_OF_MEMORY".into(),
        other => format!("{other:#06x}"),
    }
}

/// An object that can have a label.
#[derive(Clone, Copy)]
#[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "nothing has one there"))]
pub(super) enum Object {
    Buffer(glow::Buffer),
    Framebuffer(glow::Framebuffer),
    Program(glow::Program),
    Texture(glow::Texture),
    VertexArray(glow::VertexArray),
}

/// Attaches a label to a live object, where the driver can take one.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn label(gl: &Gl, object: Object, text: &str) {
    if gl.supports_debug() {
        let (kind, raw) = match object {
            Object::Buffer(raw) => (glow::BUFFER, raw.0),
            Object::Framebuffer(raw) => (glow::FRAMEBUFFER, raw.0),
            Object::Program(raw) => (glow::PROGRAM, raw.0),
            Object::Texture(raw) => (glow::TEXTURE, raw.0),
            Object::VertexArray(raw) => (glow::VERTEX_ARRAY, raw.0),
        };
        // SAFETY: a label has no effect but in the driver's messages.
        unsafe { gl.object_label(kind, raw.get(), Some(text)) };
    }
}

/// WebGL has no labels.
#[cfg(target_arch = "wasm32")]
pub(super) fn label(_: &Gl, _: Object, _: &str) {}
