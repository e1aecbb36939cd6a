//! Stand-in for OpenXR on a system where it takes no OpenGL.

use platform::context::NativeContext;

use crate::{Runtime, RuntimeError};

/// Says that there is no headset here.
///
/// # Safety
/// None is asked for: nothing is done with the context.
///
/// # Errors
/// Always.
#[allow(unsafe_code, reason = "as where there is OpenXR")]
pub unsafe fn connect(_: &NativeContext) -> Result<Box<dyn Runtime>, RuntimeError> {
    Err(NONE)
}

/// Says whether there is a runtime.
///
/// # Errors
/// Always.
pub fn found() -> Result<&'static str, RuntimeError> {
    Err(NONE)
}

const NONE: RuntimeError = RuntimeError::Impossible {
    why: "there is no OpenXR on this system that takes OpenGL; the page for browsers shows the sea in one",
};
