//! The search for a context: drivers are asked for what the program can draw with, and their refusals are kept.

use std::ffi::{CStr, CString, c_char, c_void};
use std::num::NonZeroU32;
use std::sync::Arc;

use gl::{DeviceInfo, Dialect, with_core_queries};
use glow::HasContext;
use glutin::config::{Api, ColorBufferType, Config, ConfigTemplateBuilder, GlConfig};
use glutin::context::{
    ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentContext, NotCurrentGlContext, PossiblyCurrentContext,
    Robustness, Version,
};
use glutin::display::{Display, GlDisplay};
use glutin::surface::{Surface, SurfaceAttributesBuilder, WindowSurface};
use winit::raw_window_handle::RawWindowHandle;

use super::{Context, GetGraphicsResetStatus, guarded};
use crate::context_error::{Attempt, ContextError};

/// Extension of OpenGL ES without which nothing can be drawn into floating-point textures; part of ES 3.2.
const FLOAT_TARGETS: &str = "GL_EXT_color_buffer_float";

/// Attempts so far, and the driver that would have done if it were newer.
#[derive(Default)]
pub(super) struct Search {
    pub(super) attempts: Vec<Attempt>,
    old: Option<DeviceInfo>,
    /// Whether contexts of others share objects with it, as a headset's runtime's do: they are not robust, and share with
    /// none that is (EGL_BAD_MATCH).
    pub(super) is_shared: bool,
}

/// Makes a context current on its surface, or on none.
pub(super) type MakeCurrent<'a> = &'a dyn Fn(NotCurrentContext) -> Result<PossiblyCurrentContext, String>;

impl Search {
    /// Notes a refusal.
    pub(super) fn note(&mut self, what: &str, outcome: impl Into<String>) {
        self.attempts.push(Attempt::new(what.to_owned(), outcome.into()));
    }

    /// The plainest configuration for a dialect among those of `template`; `None` if there is none, which is noted.
    pub(super) fn config(
        &mut self,
        display: &Display,
        dialect: Dialect,
        template: ConfigTemplateBuilder,
        label: &str,
    ) -> Option<Config> {
        let config = best_config(display, template);
        if config.is_none() {
            self.note(label, format!("no configuration for {dialect}"));
        }
        config
    }

    /// A context of that dialect, the newest that can be made current; `None` if there is none, which is noted.
    pub(super) fn open(
        &mut self,
        display: &Display,
        config: &Config,
        dialect: Dialect,
        label: &str,
        make_current: MakeCurrent<'_>,
    ) -> Option<Context> {
        let Some((current, robust)) = self.newest(display, config, dialect, label, make_current) else {
            if dialect == Dialect::Core330 && self.old.is_none() {
                self.old = offered(display, config, label, make_current);
            }
            return None;
        };
        let device = DeviceInfo::new(|name| gl_string(display, name).unwrap_or_default(), robust, label);
        match wrap(display, current, dialect, device.clone()) {
            Ok(context) => Some(context),
            Err(why) => {
                self.note(label, why);
                self.old.get_or_insert(device);
                None
            }
        }
    }

    /// The newest context of [`versions`] that can be made current; also returns whether it is robust.
    fn newest(
        &mut self,
        display: &Display,
        config: &Config,
        dialect: Dialect,
        label: &str,
        make_current: MakeCurrent<'_>,
    ) -> Option<(PossiblyCurrentContext, bool)> {
        for &(major, minor) in versions(dialect) {
            let version = Version::new(major, minor);
            let (api, name) = match dialect {
                Dialect::Core330 => (ContextApi::OpenGl(Some(version)), format!("OpenGL {major}.{minor} core")),
                Dialect::Es300 => (ContextApi::Gles(Some(version)), format!("OpenGL ES {major}.{minor}")),
            };
            for robust in [true, false].into_iter().filter(|robust| !(*robust && self.is_shared)) {
                let robustness = if robust { Robustness::RobustLoseContextOnReset } else { Robustness::NotRobust };
                let attributes = ContextAttributesBuilder::new()
                    .with_context_api(api)
                    .with_profile(GlProfile::Core)
                    .with_robustness(robustness)
                    .build(None);
                let what = format!("{label}: {name}{}", if robust { ", robust" } else { "" });
                // SAFETY: the attributes name no window and no shared context; `config` is `display`'s.
                let made = unsafe { display.create_context(config, &attributes) }.map_err(|error| error.to_string());
                let made = made.and_then(make_current);
                let outcome = made.as_ref().err().cloned().unwrap_or_else(|| "made".into());
                self.attempts.push(Attempt { asks_version: true, ..Attempt::new(what, outcome) });
                if let Ok(current) = made {
                    return Some((current, robust));
                }
            }
        }
        None
    }

    /// The error of a search that found nothing.
    pub(super) fn failed(&self) -> ContextError {
        let attempts = self.attempts.clone();
        if self.old.is_some() || attempts.iter().any(|attempt| attempt.asks_version) {
            ContextError::OldOpenGl { found: self.old.clone().map(Box::new), attempts }
        } else {
            ContextError::NoDriver { attempts }
        }
    }
}

/// OpenGL versions to ask for, newest first; of the desktop's all core profile.
fn versions(dialect: Dialect) -> &'static [(u8, u8)] {
    match dialect {
        Dialect::Core330 => &[(4, 5), (4, 3), (4, 1), (3, 3)],
        Dialect::Es300 => &[(3, 2), (3, 1), (3, 0)],
    }
}

/// Configurations for a dialect, with no more than colours: everything is drawn into our own textures.
pub(super) fn template(dialect: Dialect) -> ConfigTemplateBuilder {
    let api = match dialect {
        Dialect::Core330 => Api::OPENGL,
        Dialect::Es300 => Api::GLES3,
    };
    ConfigTemplateBuilder::new().with_api(api).with_depth_size(0).with_stencil_size(0).with_alpha_size(0)
}

/// The plainest 8-bit configuration: the surface only shows what was drawn.
fn best_config(display: &Display, template: ConfigTemplateBuilder) -> Option<Config> {
    // SAFETY: the native window that the template may name is alive.
    let configs = unsafe { display.find_configs(template.build()) }.ok()?;
    configs.min_by_key(|config| {
        let eight_bits = config.color_buffer_type() == Some(ColorBufferType::Rgb { r_size: 8, g_size: 8, b_size: 8 });
        (!eight_bits, config.num_samples(), config.depth_size(), config.stencil_size(), config.alpha_size())
    })
}

/// Surface of a window that must outlive it.
pub(super) fn surface_of(
    display: &Display,
    config: &Config,
    window: RawWindowHandle,
    (width, height): (u32, u32),
) -> Result<Surface<WindowSurface>, String> {
    let side = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
    let attributes = SurfaceAttributesBuilder::<WindowSurface>::new().build(window, side(width), side(height));
    // SAFETY: the handle is that of a live window, and `Context` drops the surface before it.
    unsafe { display.create_window_surface(config, &attributes) }.map_err(|error| error.to_string())
}

/// Makes a context current on a surface.
pub(super) fn on(
    surface: &Surface<WindowSurface>,
) -> impl Fn(NotCurrentContext) -> Result<PossiblyCurrentContext, String> + '_ {
    |context| context.make_current(surface).map_err(|error| error.to_string())
}

/// The driver, if it offers OpenGL below 3.3 core: for the message that it is too old.
fn offered(display: &Display, config: &Config, label: &str, make_current: MakeCurrent<'_>) -> Option<DeviceInfo> {
    let less = [(3, 2, GlProfile::Core), (3, 1, GlProfile::Compatibility), (2, 1, GlProfile::Compatibility)];
    less.into_iter().find_map(|(major, minor, profile)| {
        let version = ContextApi::OpenGl(Some(Version::new(major, minor)));
        let attributes = ContextAttributesBuilder::new().with_context_api(version).with_profile(profile).build(None);
        // SAFETY: as in `Search::newest`.
        let context = unsafe { display.create_context(config, &attributes) }.ok()?;
        let _current = make_current(context).ok()?;
        gl_string(display, glow::VERSION)?;
        Some(DeviceInfo::new(|name| gl_string(display, name).unwrap_or_default(), false, label))
    })
}

/// `glGetString` of the current context, without relying on anything else to work.
fn gl_string(display: &Display, name: u32) -> Option<String> {
    type GetString = unsafe extern "system" fn(u32) -> *const c_char;
    let address = display.get_proc_address(c"glGetString");
    if address.is_null() {
        return None;
    }
    // SAFETY: the address is that of glGetString, whose signature this is; a context is current.
    let text = unsafe { std::mem::transmute::<*const c_void, GetString>(address)(name) };
    if text.is_null() {
        return None;
    }
    // SAFETY: GL returns null or a static string that ends in a null.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Loads the functions of the current context of a device, still without a window.
fn wrap(
    display: &Display,
    current: PossiblyCurrentContext,
    dialect: Dialect,
    device: DeviceInfo,
) -> Result<Context, String> {
    let version = gl_string(display, glow::VERSION).ok_or("the driver does not say its version")?;
    let load = |name: &str| match CString::new(name) {
        Ok(name) => display.get_proc_address(&name),
        Err(_) => std::ptr::null(),
    };
    // SAFETY: a context is current on this thread, and the loader is its display's.
    let made = |load: &mut dyn FnMut(&str) -> *const c_void| unsafe { glow::Context::from_loader_function(load) };
    let gl = guarded(|| {
        Ok(match dialect {
            Dialect::Core330 => made(&mut with_core_queries(load)),
            Dialect::Es300 => made(&mut { load }),
        })
    })?;
    let found = (gl.version().major, gl.version().minor);
    let (is_embedded, least) = match dialect {
        Dialect::Core330 => (false, (3, 3)),
        Dialect::Es300 => (true, (3, 0)),
    };
    if gl.version().is_embedded != is_embedded || found < least {
        return Err(format!("asked for {dialect}, got {version}"));
    }
    if is_embedded && found < (3, 2) && !gl.supported_extensions().contains(FLOAT_TARGETS) {
        return Err(format!("{version} lacks {FLOAT_TARGETS}"));
    }
    let reset_status = device
        .robust
        .then(|| {
            let names = [
                c"glGetGraphicsResetStatus",
                c"glGetGraphicsResetStatusKHR",
                c"glGetGraphicsResetStatusARB",
                c"glGetGraphicsResetStatusEXT",
            ];
            names.into_iter().map(|name| display.get_proc_address(name)).find(|address| !address.is_null())
        })
        .flatten()
        // SAFETY: the address is that of a function with this signature (GL_KHR_robustness).
        .map(|address| unsafe { std::mem::transmute::<*const c_void, GetGraphicsResetStatus>(address) });
    // glow's context is neither Send nor Sync on some targets; egui's painter wants an Arc all the same.
    #[allow(clippy::arc_with_non_send_sync)]
    let gl = Arc::new(gl.into());
    Ok(Context {
        gl,
        device,
        reset_status,
        surface: None,
        current,
        window: None,
        #[cfg(windows)]
        _hidden: None,
        paces_itself: false,
    })
}
