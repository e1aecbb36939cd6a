//! Linux and the BSDs: X11 and Wayland, EGL and GLX.

use gl::Dialect;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display as EglDisplay;
use glutin::config::{AsRawConfig, ConfigSurfaceTypes, GetGlConfig, RawConfig};
use glutin::context::{AsRawContext, NotCurrentContext, PossiblyCurrentContext, RawContext};
use glutin::display::{AsRawDisplay, Display, DisplayApiPreference, GetGlDisplay, GlDisplay, RawDisplay};
use glutin::platform::x11::X11GlConfigExt;
use glutin::surface::{AsRawSurface, RawSurface, Surface, WindowSurface};
use winit::event_loop::ActiveEventLoop;
use winit::platform::{wayland, x11};
use winit::raw_window_handle::{HasDisplayHandle, RawDisplayHandle};
use winit::window::WindowAttributes;

use super::search::{Search, on, surface_of, template};
use super::{Context, NativeContext, Purpose, dialects};
use crate::context_error::ContextError;

mod devices;
mod display_server;
mod libraries;
mod watch;

use devices::Described;
pub use display_server::event_loop;
pub(super) use display_server::few_bits;
use libraries::is_loadable;

/// Attributes with the identifier (`org.example.Program`) and the name by which desktops know the program's windows.
pub fn with_app_id(attributes: WindowAttributes, id: &str, name: &str) -> WindowAttributes {
    let attributes = x11::WindowAttributesExtX11::with_name(attributes, id, name);
    wayland::WindowAttributesExtWayland::with_name(attributes, id, name)
}

/// Opens a context without a window, on an EGL device.
pub(super) fn offscreen(search: &mut Search, dialects: &[Dialect]) -> Result<Context, ContextError> {
    let (devices, described): (Vec<Device>, Vec<Described>) = devices::all()?.into_iter().unzip();
    for index in devices::order(&described) {
        let device = &devices[index];
        let label = format!("EGL device {index} ({})", described[index].name);
        // SAFETY: no raw display is passed, so there is none that could be invalid.
        let display = match unsafe { EglDisplay::with_device(device, None) } {
            Ok(display) => Display::Egl(display),
            Err(error) => {
                search.note(&label, error.to_string());
                continue;
            }
        };
        for &dialect in dialects {
            let template = template(dialect).with_surface_type(ConfigSurfaceTypes::empty());
            if let Some(config) = search.config(&display, dialect, template, &label)
                && let Some(context) = search.open(&display, &config, dialect, &label, &surfaceless)
            {
                return Ok(context);
            }
        }
    }
    Err(search.failed())
}

/// Opens a window and a context for it: through EGL, or else GLX, or else EGL's OpenGL ES; for a headset, through GLX first.
pub(super) fn windowed(
    event_loop: &ActiveEventLoop,
    attributes: &WindowAttributes,
    purpose: Purpose,
    search: &mut Search,
) -> Result<Context, ContextError> {
    let refused = |why: String| ContextError::Window { why };
    let handle = event_loop.display_handle().map_err(|error| refused(error.to_string()))?.as_raw();
    let is_wayland = matches!(handle, RawDisplayHandle::Wayland(_));
    let system = if is_wayland { "Wayland" } else { "X11" };
    let ways = dialects().into_iter().flat_map(|dialect| match dialect {
        Dialect::Core330 if purpose == Purpose::Headset => vec![("GLX", dialect), ("EGL", dialect)],
        Dialect::Core330 => vec![("EGL", dialect), ("GLX", dialect)],
        Dialect::Es300 => vec![("EGL", dialect)],
    });
    for (api, dialect) in ways {
        let label = format!("{system}, {api}");
        let preference = match api {
            "EGL" => DisplayApiPreference::Egl,
            _ => DisplayApiPreference::Glx(Box::new(x11::register_xlib_error_hook)),
        };
        // SAFETY: the handle is the event loop's, which outlives every display made here.
        let display = match unsafe { Display::new(handle, preference) } {
            Ok(display) => display,
            Err(error) => {
                search.note(&label, error.to_string());
                continue;
            }
        };
        let Some(config) = search.config(&display, dialect, template(dialect), &label) else { continue };
        // The window must have the configuration's visual, so each way gets its own.
        let window = glutin_winit::finalize_window(event_loop, attributes.clone(), &config)
            .map_err(|error| refused(error.to_string()))?;
        let surface = match super::raw_handle(&window)
            .and_then(|handle| surface_of(&display, &config, handle, window.inner_size().into()))
        {
            Ok(surface) => surface,
            Err(why) => {
                search.note(&format!("{label}: the window's surface"), why);
                continue;
            }
        };
        let made = search.open(&display, &config, dialect, &label, &on(&surface));
        if let Some(mut context) = made {
            context.show_in(window, surface);
            // On Wayland a swap that waits never comes back while the window is hidden; there the compositor's own
            // frame callbacks, which winit follows, keep the pace.
            context.paces_itself = is_wayland;
            return Ok(context);
        }
    }
    Err(search.failed())
}

/// Handles to a context that draws into a window's surface.
pub(super) fn native(
    context: &PossiblyCurrentContext,
    surface: Option<&Surface<WindowSurface>>,
) -> Option<NativeContext> {
    let (config, gl_display) = (context.config(), context.display());
    let raw = (gl_display.raw_display(), config.raw_config(), context.raw_context(), surface?.raw_surface());
    Some(match raw {
        (RawDisplay::Glx(display), RawConfig::Glx(raw_config), RawContext::Glx(context), RawSurface::Glx(drawable)) => {
            NativeContext::Glx {
                display: display.cast_mut(),
                config: raw_config,
                visual: config.x11_visual()?.visual_id() as u32,
                drawable: drawable as std::ffi::c_ulong,
                context,
            }
        }
        (RawDisplay::Egl(display), RawConfig::Egl(config), RawContext::Egl(context), _) => {
            let get_proc_address = gl_display.get_proc_address(c"eglGetProcAddress");
            if get_proc_address.is_null() {
                return None;
            }
            NativeContext::Egl { get_proc_address, display, config, context }
        }
        _ => return None,
    })
}

/// Names of the devices that draw without a window, by their numbers.
pub fn device_names() -> Vec<String> {
    devices::all().map(|all| all.into_iter().map(|(_, described)| described.name).collect()).unwrap_or_default()
}

fn surfaceless(context: NotCurrentContext) -> Result<PossiblyCurrentContext, String> {
    match context {
        NotCurrentContext::Egl(context) => {
            context.make_current_surfaceless().map(PossiblyCurrentContext::Egl).map_err(|error| error.to_string())
        }
        NotCurrentContext::Glx(_) => Err("GLX cannot draw without a surface".into()),
    }
}
