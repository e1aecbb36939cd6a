//! Handles of the system to a context, for libraries that share its pictures.

#[cfg(not(windows))]
use std::ffi::c_void;
use std::fmt;

/// Handles of a context, which are valid as long as it lives.
#[derive(Clone, Copy, Debug)]
pub enum NativeContext {
    /// X11's.
    #[cfg(not(windows))]
    Glx {
        /// Connection of Xlib.
        display: *mut c_void,
        /// `GLXFBConfig`.
        config: *const c_void,
        /// Number of the window's visual.
        visual: u32,
        /// `GLXDrawable` of the window.
        drawable: std::ffi::c_ulong,
        /// `GLXContext`.
        context: *const c_void,
    },
    /// EGL's.
    #[cfg(not(windows))]
    Egl {
        /// Address of `eglGetProcAddress`.
        get_proc_address: *const c_void,
        /// `EGLDisplay`.
        display: *const c_void,
        /// `EGLConfig`.
        config: *const c_void,
        /// `EGLContext`.
        context: *const c_void,
    },
    /// WGL's.
    #[cfg(windows)]
    Wgl {
        /// `HDC` of the window.
        device: isize,
        /// `HGLRC`.
        context: isize,
    },
}

impl fmt::Display for NativeContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            #[cfg(not(windows))]
            Self::Glx { .. } => "GLX",
            #[cfg(not(windows))]
            Self::Egl { .. } => "EGL",
            #[cfg(windows)]
            Self::Wgl { .. } => "WGL",
        })
    }
}
