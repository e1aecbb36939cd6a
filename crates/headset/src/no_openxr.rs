//! Stand-in for OpenXR on a system where it takes no OpenGL.

use platform::context::NativeContext;

use crate::{Runtime, RuntimeError};

/// Says that there is no headset here.
///
/// # Errors
/// Always.
pub fn connect(_: &NativeContext) -> Result<Box<dyn Runtime>, RuntimeError> {
    Err(RuntimeError::NoRuntime { why: "there is none for this system that takes OpenGL".into() })
}
