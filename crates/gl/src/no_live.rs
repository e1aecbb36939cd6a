//! In place of `live.rs` in WebGL, whose objects have no numbers to try.

use crate::Gl;

/// Always fails: WebGL does not count its objects.
///
/// # Errors
/// Always.
pub fn live(_: &Gl) -> Result<[(&'static str, usize); 4], String> {
    Err("WebGL does not count its objects".into())
}
