//! An OpenGL 3.3 core context, with a window or without one.
//!
//! The only place outside [`gl`] with `unsafe`: glutin's calls are unsafe, and each note says why ours are sound.
#![expect(clippy::disallowed_methods, reason = "the environment picks a driver")]
#![allow(unsafe_code)]

use std::ffi::CString;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use gl::{DeviceInfo, Gl, with_core_queries};
use glow::HasContext;
use glutin::api::egl;
use glutin::config::{Api, ColorBufferType, Config, ConfigSurfaceTypes, ConfigTemplateBuilder, GlConfig};
use glutin::context::{
    ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentContext, NotCurrentGlContext, PossiblyCurrentContext,
    PossiblyCurrentGlContext, Robustness, Version,
};
use glutin::display::{Display, DisplayApiPreference, GlDisplay};
use glutin::surface::{GlSurface, Surface, SurfaceAttributesBuilder, SwapInterval, WindowSurface};
use winit::event_loop::ActiveEventLoop;
use winit::raw_window_handle::{HasDisplayHandle, HasWindowHandle, RawDisplayHandle};
use winit::window::{Window, WindowAttributes};

use crate::context_error::{Attempt, ContextError, Reset};

mod display_server;
mod events;
mod facts;
pub mod leave;
mod libraries;
mod watch;

pub use display_server::event_loop;
use display_server::few_bits;
pub use events::Events;
pub use facts::Extension;
pub use watch::{DESTROYED, lost};

/// OpenGL versions to ask for, newest first; all core profile.
const VERSIONS: [(u8, u8); 4] = [(4, 5), (4, 3), (4, 1), (3, 3)];

/// Window system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WindowSystem {
    Wayland,
    X11,
}

type GetGraphicsResetStatus = unsafe extern "system" fn() -> u32;

/// An OpenGL context, current on the thread that made it for as long as it lives.
///
/// Everything made with [`Self::gl`] must be dropped before it.
pub struct Context {
    gl: Gl,
    device: DeviceInfo,
    reset_status: Option<GetGraphicsResetStatus>,
    // Dropped in this order: the surface belongs to the context and to the window.
    surface: Option<Surface<WindowSurface>>,
    current: PossiblyCurrentContext,
    window: Option<Rc<Window>>,
    window_system: Option<WindowSystem>,
}

impl Context {
    /// Opens a context without a window, on an EGL device.
    ///
    /// Hardware is preferred. `PELAGIC_EGL_DEVICE` picks a device by its number, or `software` or `hardware`;
    /// `LIBGL_ALWAYS_SOFTWARE=1` prefers software. A device that does not work is passed over.
    ///
    /// # Errors
    /// If no device gives OpenGL 3.3 core.
    pub fn offscreen() -> Result<Self, ContextError> {
        let mut attempts = Vec::new();
        let made = guarded(|| Ok(offscreen(&mut attempts)))
            .unwrap_or_else(|panic| Err(ContextError::NoEgl { why: format!("EGL's loader gave up: {panic}") }));
        finish(made, &attempts)
    }

    /// Opens a window and a context for it, through EGL or else GLX.
    ///
    /// # Errors
    /// If the window system refuses the window, or no driver gives OpenGL 3.3 core for it.
    pub fn in_window(
        event_loop: &ActiveEventLoop,
        attributes: &WindowAttributes,
        vsync: bool,
    ) -> Result<Self, ContextError> {
        let mut attempts = Vec::new();
        let made = guarded(|| Ok(windowed(event_loop, attributes, &mut attempts)))
            .unwrap_or_else(|panic| Err(ContextError::Window { why: format!("its library gave up: {panic}") }));
        let made = made.map_err(|error| match few_bits(event_loop) {
            Some(bits) => ContextError::FewColours { bits },
            None => error,
        });
        let context = finish(made, &attempts)?;
        // On Wayland a swap that waits never comes back while the window is hidden; there the compositor's own frame
        // callbacks, which winit follows, keep the pace.
        context.set_vsync(vsync && context.window_system != Some(WindowSystem::Wayland));
        Ok(context)
    }

    /// The GL function table.
    pub fn gl(&self) -> Gl {
        self.gl.clone()
    }

    /// Loader of the driver's functions by name, for wrappers around it.
    pub fn loader(&self) -> impl Fn(&str) -> *const std::ffi::c_void {
        let display = glutin::display::GetGlDisplay::display(&self.current);
        move |name| CString::new(name).map_or(std::ptr::null(), |name| display.get_proc_address(&name))
    }

    /// Driver and device information.
    pub fn device(&self) -> &DeviceInfo {
        &self.device
    }

    /// The window, if there is one.
    pub fn window(&self) -> Option<&Rc<Window>> {
        self.window.as_ref()
    }

    /// Refresh rate of the screen that the window is on, if it is known. Unit: 1/s.
    pub fn refresh_hz(&self) -> Option<f64> {
        let monitor = self.window.as_ref()?.current_monitor()?;
        monitor.refresh_rate_millihertz().map(|millihertz| f64::from(millihertz) / 1000.0)
    }

    /// Shows the frame that was drawn. Does nothing without a window.
    ///
    /// # Errors
    /// If the context or the window is lost; the text is the driver's.
    pub fn swap(&self) -> Result<(), String> {
        match &self.surface {
            Some(surface) => surface.swap_buffers(&self.current).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    /// Follows the window's new size in pixels; a size with a zero is ignored.
    pub fn resize(&self, width: u32, height: u32) {
        if let (Some(surface), Some(width), Some(height)) =
            (&self.surface, NonZeroU32::new(width), NonZeroU32::new(height))
        {
            surface.resize(&self.current, width, height);
        }
    }

    /// Turns waiting for the screen in [`Self::swap`] on or off. A driver may refuse, which is logged. Returns whether
    /// it is set.
    pub fn set_vsync(&self, vsync: bool) -> bool {
        let Some(surface) = &self.surface else { return !vsync };
        let interval = if vsync { SwapInterval::Wait(NonZeroU32::MIN) } else { SwapInterval::DontWait };
        let set = surface.set_swap_interval(&self.current, interval);
        if let Err(error) = &set {
            log::debug!("the driver does not set vsync: {error}");
        }
        set.is_ok()
    }

    /// Reason for which the driver has reset the context, as far as it tells.
    pub fn reset(&self) -> Option<Reset> {
        // SAFETY: the address came from this context's loader, which is current on this thread.
        let status = self.reset_status.map(|status| unsafe { status() })?;
        match status {
            0x8253 => Some(Reset::Guilty),
            0x8254 => Some(Reset::Innocent),
            0x8255 => Some(Reset::Unknown),
            // Some drivers return junk without having lost anything.
            _ => None,
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // A surface that is still current would outlive its destruction, and then its window.
        if self.current.is_current()
            && let Err(error) = self.current.make_not_current_in_place()
        {
            log::debug!("the context cannot be put away: {error}");
        }
    }
}

/// Runs a call into the windowing libraries and turns a panic into an error: they panic instead of returning one (an X
/// server without an extension, half of a library missing).
fn guarded<T>(call: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = catch_unwind(AssertUnwindSafe(call));
    std::panic::set_hook(hook);
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default())
    })
}

/// Logs the attempts for `-v` and the outcome.
fn finish(made: Result<Context, ContextError>, attempts: &[Attempt]) -> Result<Context, ContextError> {
    for attempt in attempts {
        log::debug!("{attempt}");
    }
    if let Ok(context) = &made {
        log::info!("{}", context.device);
    }
    made
}

fn offscreen(attempts: &mut Vec<Attempt>) -> Result<Context, ContextError> {
    if !libraries::is_loadable(c"libEGL.so.1") && !libraries::is_loadable(c"libEGL.so") {
        return Err(ContextError::NoEgl { why: "libEGL.so.1 could not be loaded".into() });
    }
    let devices = egl::device::Device::query_devices()
        .map_err(|error| ContextError::NoEgl { why: format!("EGL lists no devices: {error}") })?;
    let devices: Vec<_> = devices.enumerate().collect();
    if devices.is_empty() {
        return Err(ContextError::NoEgl { why: "EGL lists no devices".into() });
    }
    let order = device_order(
        &devices.iter().map(|(_, device)| is_software(device)).collect::<Vec<_>>(),
        std::env::var("PELAGIC_EGL_DEVICE").ok().as_deref(),
        std::env::var("LIBGL_ALWAYS_SOFTWARE").ok().as_deref(),
    );
    let mut old = None;
    for index in order {
        let (_, device) = &devices[index];
        let label = format!("EGL device {index}{}", if is_software(device) { " (software)" } else { "" });
        let mut note = |outcome: String| attempts.push(Attempt::new(label.clone(), outcome));
        // SAFETY: no raw display is passed, so there is none that could be invalid.
        let display = match unsafe { egl::display::Display::with_device(device, None) } {
            Ok(display) => Display::Egl(display),
            Err(error) => {
                note(error.to_string());
                continue;
            }
        };
        let template = ConfigTemplateBuilder::new()
            .with_api(Api::OPENGL)
            .with_surface_type(ConfigSurfaceTypes::empty())
            .with_depth_size(0)
            .with_stencil_size(0)
            .with_alpha_size(0);
        let Some(config) = best_config(&display, template) else {
            note("no configuration for OpenGL".into());
            continue;
        };
        let make_current = |context: NotCurrentContext| surfaceless(context);
        match newest_context(&display, &config, &label, attempts, make_current) {
            Some((current, robust)) => match wrap(&display, current, robust, &label) {
                Ok(context) => return Ok(context),
                Err(why) => attempts.push(Attempt::new(label, why)),
            },
            None => old = old.or_else(|| offered(&display, &config)),
        }
    }
    Err(without_context(old, attempts))
}

fn windowed(
    event_loop: &ActiveEventLoop,
    attributes: &WindowAttributes,
    attempts: &mut Vec<Attempt>,
) -> Result<Context, ContextError> {
    let refused = |why: String| ContextError::Window { why };
    let handle = event_loop.display_handle().map_err(|error| refused(error.to_string()))?.as_raw();
    let system = match handle {
        RawDisplayHandle::Wayland(_) => WindowSystem::Wayland,
        _ => WindowSystem::X11,
    };
    let mut old = None;
    let glx = DisplayApiPreference::Glx(Box::new(winit::platform::x11::register_xlib_error_hook));
    for (api, preference) in [("EGL", DisplayApiPreference::Egl), ("GLX", glx)] {
        let label = format!("{system:?}, {api}");
        // SAFETY: the handle is the event loop's, which outlives every display made here.
        let display = match unsafe { Display::new(handle, preference) } {
            Ok(display) => display,
            Err(error) => {
                attempts.push(Attempt::new(label, error.to_string()));
                continue;
            }
        };
        let template = ConfigTemplateBuilder::new()
            .with_api(Api::OPENGL)
            .with_depth_size(0)
            .with_stencil_size(0)
            .with_alpha_size(0);
        let Some(config) = best_config(&display, template) else {
            attempts.push(Attempt::new(label, "no configuration for OpenGL".into()));
            continue;
        };
        // The window must have the configuration's visual, so each of EGL and GLX gets its own.
        let window = glutin_winit::finalize_window(event_loop, attributes.clone(), &config)
            .map_err(|error| refused(error.to_string()))?;
        let surface = match surface_of(&display, &config, &window) {
            Ok(surface) => surface,
            Err(why) => {
                attempts.push(Attempt::new(format!("{label}: the window's surface"), why));
                continue;
            }
        };
        let make_current =
            |context: NotCurrentContext| context.make_current(&surface).map_err(|error| error.to_string());
        match newest_context(&display, &config, &label, attempts, make_current) {
            Some((current, robust)) => match wrap(&display, current, robust, &label) {
                Ok(mut context) => {
                    (context.surface, context.window) = (Some(surface), Some(Rc::new(window)));
                    context.window_system = Some(system);
                    return Ok(context);
                }
                Err(why) => attempts.push(Attempt::new(label, why)),
            },
            None => old = old.or_else(|| offered(&display, &config)),
        }
    }
    Err(without_context(old, attempts))
}

fn without_context(old: Option<String>, attempts: &[Attempt]) -> ContextError {
    let attempts = attempts.to_vec();
    match old {
        Some(found) => ContextError::OldOpenGl { found: Some(found), attempts },
        None if attempts.iter().any(|attempt| attempt.asks_version) => {
            ContextError::OldOpenGl { found: None, attempts }
        }
        None => ContextError::NoDriver { attempts },
    }
}

fn is_software(device: &egl::device::Device) -> bool {
    device.extensions().contains("EGL_MESA_device_software")
}

/// Order in which to try the devices, from whether each draws on the CPU and the values of the two variables.
fn device_order(software: &[bool], wanted: Option<&str>, always_software: Option<&str>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..software.len()).collect();
    let prefer_software = match wanted.map(str::trim) {
        Some("software") => true,
        Some("hardware") => false,
        _ => always_software.is_some_and(|value| matches!(value.trim(), "1" | "true" | "yes" | "y" | "on")),
    };
    order.sort_by_key(|&index| software[index] != prefer_software);
    match wanted.map(|wanted| wanted.trim().parse::<usize>()) {
        Some(Ok(first)) if first < software.len() => order.sort_by_key(|&index| index != first),
        Some(Ok(first)) => log::warn!("PELAGIC_EGL_DEVICE is {first}, but there are {} devices", software.len()),
        Some(Err(_)) if !matches!(wanted.map(str::trim), Some("software" | "hardware" | "")) => {
            log::warn!("PELAGIC_EGL_DEVICE is a device's number, software or hardware; it is ignored");
        }
        _ => {}
    }
    order
}

/// A plain 8-bit configuration: everything is drawn into our own textures, and the surface only shows them.
fn best_config(display: &Display, template: ConfigTemplateBuilder) -> Option<Config> {
    // SAFETY: the template names no native window.
    let configs = unsafe { display.find_configs(template.build()) }.ok()?;
    configs.min_by_key(|config| {
        let eight_bits = config.color_buffer_type() == Some(ColorBufferType::Rgb { r_size: 8, g_size: 8, b_size: 8 });
        (!eight_bits, config.num_samples(), config.depth_size(), config.stencil_size(), config.alpha_size())
    })
}

fn surface_of(display: &Display, config: &Config, window: &Window) -> Result<Surface<WindowSurface>, String> {
    let size = window.inner_size();
    let side = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
    let handle = window.window_handle().map_err(|error| error.to_string())?.as_raw();
    let attributes =
        SurfaceAttributesBuilder::<WindowSurface>::new().build(handle, side(size.width), side(size.height));
    // SAFETY: the handle is the window's, and `Context` drops the surface before the window.
    unsafe { display.create_window_surface(config, &attributes) }.map_err(|error| error.to_string())
}

/// Creates the newest context of [`VERSIONS`] that can be made current; also returns whether it is robust.
fn newest_context(
    display: &Display,
    config: &Config,
    label: &str,
    attempts: &mut Vec<Attempt>,
    make_current: impl Fn(NotCurrentContext) -> Result<PossiblyCurrentContext, String>,
) -> Option<(PossiblyCurrentContext, bool)> {
    for (major, minor) in VERSIONS {
        for robust in [true, false] {
            let robustness = if robust { Robustness::RobustLoseContextOnReset } else { Robustness::NotRobust };
            let attributes = ContextAttributesBuilder::new()
                .with_context_api(ContextApi::OpenGl(Some(Version::new(major, minor))))
                .with_profile(GlProfile::Core)
                .with_robustness(robustness)
                .build(None);
            let what = format!("{label}: OpenGL {major}.{minor} core{}", if robust { ", robust" } else { "" });
            // SAFETY: the attributes name no window and no shared context; `config` is `display`'s.
            let made = unsafe { display.create_context(config, &attributes) }.map_err(|error| error.to_string());
            match made.and_then(&make_current) {
                Ok(current) => {
                    attempts.push(Attempt { asks_version: true, ..Attempt::new(what, "made".into()) });
                    return Some((current, robust));
                }
                Err(outcome) => attempts.push(Attempt { asks_version: true, ..Attempt::new(what, outcome) }),
            }
        }
    }
    None
}

fn surfaceless(context: NotCurrentContext) -> Result<PossiblyCurrentContext, String> {
    match context {
        NotCurrentContext::Egl(context) => {
            context.make_current_surfaceless().map(PossiblyCurrentContext::Egl).map_err(|error| error.to_string())
        }
        NotCurrentContext::Glx(_) => Err("GLX cannot draw without a surface".into()),
    }
}

/// OpenGL version that the driver offers below 3.3 core, for the message that it is too old.
fn offered(display: &Display, config: &Config) -> Option<String> {
    let less = [(3, 2, GlProfile::Core), (3, 1, GlProfile::Compatibility), (2, 1, GlProfile::Compatibility)];
    less.into_iter().find_map(|(major, minor, profile)| {
        let version = ContextApi::OpenGl(Some(Version::new(major, minor)));
        let attributes = ContextAttributesBuilder::new().with_context_api(version).with_profile(profile).build(None);
        // SAFETY: as in `newest_context`.
        let context = unsafe { display.create_context(config, &attributes) }.ok()?;
        let _current = surfaceless(context).ok()?;
        Some(format!("OpenGL {} on {}", gl_string(display, glow::VERSION)?, gl_string(display, glow::RENDERER)?))
    })
}

/// `glGetString` of the current context, without relying on anything else to work.
fn gl_string(display: &Display, name: u32) -> Option<String> {
    type GetString = unsafe extern "system" fn(u32) -> *const std::ffi::c_char;
    let address = display.get_proc_address(c"glGetString");
    if address.is_null() {
        return None;
    }
    // SAFETY: the address is that of glGetString, whose signature this is; a context is current.
    let text = unsafe { std::mem::transmute::<*const std::ffi::c_void, GetString>(address)(name) };
    if text.is_null() {
        return None;
    }
    // SAFETY: GL returns null or a static string that ends in a null.
    Some(unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Loads the functions of the current context, still without a window, and queries its device information.
fn wrap(display: &Display, current: PossiblyCurrentContext, robust: bool, label: &str) -> Result<Context, String> {
    let version = gl_string(display, glow::VERSION).ok_or("the driver does not say its version")?;
    let load = |name: &str| match CString::new(name) {
        Ok(name) => display.get_proc_address(&name),
        Err(_) => std::ptr::null(),
    };
    // SAFETY: a context is current on this thread, and the loader is its display's.
    let gl = guarded(|| Ok(unsafe { glow::Context::from_loader_function(with_core_queries(load)) }))?;
    let (major, minor) = (gl.version().major, gl.version().minor);
    if gl.version().is_embedded || (major, minor) < (3, 3) {
        return Err(format!("asked for OpenGL 3.3 core, got {version}"));
    }
    let device = DeviceInfo::new(|name| gl_string(display, name).unwrap_or_default(), robust, label);
    let reset_status = robust
        .then(|| {
            let names = [c"glGetGraphicsResetStatus", c"glGetGraphicsResetStatusKHR", c"glGetGraphicsResetStatusARB"];
            names.into_iter().map(|name| display.get_proc_address(name)).find(|address| !address.is_null())
        })
        .flatten()
        // SAFETY: the address is that of a function with this signature (GL_KHR_robustness).
        .map(|address| unsafe { std::mem::transmute::<*const std::ffi::c_void, GetGraphicsResetStatus>(address) });
    // glow's context is neither Send nor Sync on some targets; egui's painter wants an Arc all the same.
    #[allow(clippy::arc_with_non_send_sync)]
    let gl = Arc::new(gl.into());
    Ok(Context { gl, device, reset_status, surface: None, current, window: None, window_system: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardware_comes_first_unless_software_is_asked_for() {
        let software = [true, false, false];
        assert_eq!(device_order(&software, None, None), [1, 2, 0]);
        assert_eq!(device_order(&software, None, Some("1")), [0, 1, 2]);
        assert_eq!(device_order(&software, Some("software"), None), [0, 1, 2]);
        assert_eq!(device_order(&software, Some("hardware"), Some("1")), [1, 2, 0]);
    }

    #[test]
    fn a_numbered_device_comes_first_and_the_others_stay_as_fallbacks() {
        assert_eq!(device_order(&[false, false, true], Some("1"), None), [1, 0, 2]);
        assert_eq!(device_order(&[false, true], Some("9"), None), [0, 1]);
    }

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guarded::<()>(|| panic!("no such {}", "extension")), Err("no such extension".to_string()));
        assert_eq!(guarded(|| Ok(3)), Ok(3));
    }
}
