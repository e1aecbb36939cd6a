//! Sessions of OpenXR for the OpenGL contexts that there are.

use openxr as xr;
use platform::context::NativeContext;

use super::reason;

type Opened = (xr::Session<xr::OpenGL>, xr::FrameWaiter, xr::FrameStream<xr::OpenGL>);

/// Opens a session that takes pictures of `context`; the error says what does not fit.
///
/// # Safety
/// The context must be current on this thread, and outlive the session.
pub unsafe fn open(instance: &xr::Instance, system: xr::SystemId, context: &NativeContext) -> Result<Opened, String> {
    let refused = |why: xr::sys::Result| format!("a session for {context}: {}", reason(why));
    match *context {
        #[cfg(not(windows))]
        NativeContext::Glx { display, config, visual, drawable, context } => {
            let info = xr::opengl::SessionCreateInfo::Xlib {
                x_display: display,
                visualid: visual,
                glx_fb_config: config.cast_mut(),
                glx_drawable: drawable,
                glx_context: context.cast_mut(),
            };
            // SAFETY: the caller's promise.
            unsafe { instance.create_session::<xr::OpenGL>(system, &info) }.map_err(refused)
        }
        #[cfg(not(windows))]
        NativeContext::Egl { get_proc_address, display, config, context: raw } => {
            if instance.exts().mndx_egl_enable.is_none() {
                return Err(format!("it takes no pictures of {context}; under X11 it may take those of GLX"));
            }
            // SAFETY: it is the address of eglGetProcAddress, whose signature this is.
            let get_proc_address = unsafe {
                std::mem::transmute::<*const std::ffi::c_void, xr::sys::pfn::EglGetProcAddressMNDX>(get_proc_address)
            };
            let binding = xr::sys::GraphicsBindingEGLMNDX {
                ty: xr::sys::GraphicsBindingEGLMNDX::TYPE,
                next: std::ptr::null(),
                get_proc_address: Some(get_proc_address),
                display: display.cast_mut(),
                config: config.cast_mut(),
                context: raw.cast_mut(),
            };
            let info = xr::sys::SessionCreateInfo {
                ty: xr::sys::SessionCreateInfo::TYPE,
                next: (&raw const binding).cast(),
                create_flags: xr::sys::SessionCreateFlags::EMPTY,
                system_id: system,
            };
            let mut session = <xr::sys::Session as xr::sys::Handle>::NULL;
            // SAFETY: the caller's promise.
            let made = unsafe { (instance.fp().create_session)(instance.as_raw(), &raw const info, &raw mut session) };
            if made.into_raw() < 0 {
                return Err(refused(made));
            }
            // SAFETY: it was just made for OpenGL, and is in no frame.
            Ok(unsafe { xr::Session::from_raw(instance.clone(), session, Box::new(())) })
        }
        #[cfg(windows)]
        NativeContext::Wgl { device, context } => {
            let info = xr::opengl::SessionCreateInfo::Windows { h_dc: device, h_glrc: context };
            // SAFETY: the caller's promise.
            unsafe { instance.create_session::<xr::OpenGL>(system, &info) }.map_err(refused)
        }
    }
}
