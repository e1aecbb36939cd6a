//! Shared libraries loaded at run time.

use std::ffi::{CStr, c_void};

/// Whether the dynamic linker finds a library.
pub fn is_loadable(name: &CStr) -> bool {
    load(name).is_some()
}

fn load(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: `name` ends in a null; the libraries asked for are those that winit and glutin load anyway, and the
    // handle is kept for the life of the process, so nothing of theirs is unloaded.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
    (!library.is_null()).then_some(library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found_and_nothing_else() {
        assert!(is_loadable(c"libc.so.6") && !is_loadable(c"libpelagic-has-no-such-library.so.7"));
    }
}
