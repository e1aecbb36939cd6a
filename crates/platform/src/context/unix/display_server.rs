//! Connection to a display server: choice of the server, check of its libraries, event loop.
#![expect(clippy::disallowed_methods, reason = "the environment names the display server")]

use std::ffi::CStr;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::platform::x11::EventLoopBuilderExtX11;
use winit::raw_window_handle::{HasDisplayHandle, RawDisplayHandle};
use x11rb::connection::Connection;
use x11rb::rust_connection::RustConnection;

use super::super::{Events, Purpose, guarded};
use super::libraries::is_loadable;
use super::watch::{Server, Watch};
use crate::context_error::ContextError;

/// Libraries that winit loads for X11; it panics without the last two.
const X11_LIBRARIES: [&CStr; 7] = [
    c"libX11.so.6",
    c"libX11-xcb.so.1",
    c"libXcursor.so.1",
    c"libXi.so.6",
    c"libxcb.so.1",
    c"libxkbcommon.so.0",
    c"libxkbcommon-x11.so.0",
];
/// Libraries that winit and glutin load for Wayland; they panic without some of them.
const WAYLAND_LIBRARIES: [&CStr; 3] = [c"libwayland-client.so.0", c"libwayland-egl.so.1", c"libxkbcommon.so.0"];

/// Opens an event loop on Wayland if a compositor answers there, else on X11; for a headset the other way round. Must be
/// called once in a process, on its main thread.
///
/// # Errors
/// If there is no display, or a library to talk to it is missing.
pub fn event_loop(purpose: Purpose) -> Result<Events, ContextError> {
    // winit allows one event loop a process, so the server must be chosen first.
    let mut builder = EventLoop::builder();
    let server = choose(purpose)?;
    match server {
        Server::Wayland(_) => require("Wayland", &WAYLAND_LIBRARIES)?,
        Server::X11 => {
            require("X11", &X11_LIBRARIES)?;
            builder.with_x11();
        }
    }
    let no_display = |why| ContextError::NoDisplay { why };
    let pump = guarded(|| builder.build().map_err(|error| plain(&error.to_string()))).map_err(no_display)?;
    let display = pump.display_handle().map_err(|error| no_display(error.to_string()))?.as_raw();
    let watch = Watch::new(display, server);
    Ok(Events::new(pump, move || watch.beat()))
}

/// Colour depth of an X screen in bits, if it is less than that of true colour.
pub fn few_bits(event_loop: &ActiveEventLoop) -> Option<u8> {
    const TRUE_COLOUR: u8 = 15;
    let display = event_loop.display_handle().ok()?.as_raw();
    if !matches!(display, RawDisplayHandle::Xlib(_) | RawDisplayHandle::Xcb(_)) {
        return None;
    }
    let (connection, screen) = RustConnection::connect(None).ok()?;
    let bits = connection.setup().roots.get(screen)?.root_depth;
    (bits < TRUE_COLOUR).then_some(bits)
}

fn choose(purpose: Purpose) -> Result<Server, ContextError> {
    let x11 = is_set("DISPLAY");
    if purpose == Purpose::Headset && x11 && RustConnection::connect(None).is_ok() {
        return Ok(Server::X11);
    }
    let Some(socket) = wayland_socket() else {
        return match (is_set("WAYLAND_SOCKET"), x11) {
            (true, _) => Ok(Server::Wayland(None)),
            (false, true) => Ok(Server::X11),
            (false, false) => Err(ContextError::NoDisplay { why: String::new() }),
        };
    };
    match UnixStream::connect(&socket) {
        Ok(_) if x11 && !missing(&WAYLAND_LIBRARIES).is_empty() => {
            log::warn!("Wayland's libraries are missing ({}); X11 is used", missing(&WAYLAND_LIBRARIES).join(", "));
            Ok(Server::X11)
        }
        Ok(_) => Ok(Server::Wayland(Some(socket))),
        Err(error) if x11 => {
            log::warn!("no Wayland compositor answers at {}: {error}; X11 is used", socket.display());
            Ok(Server::X11)
        }
        Err(error) => Err(ContextError::NoDisplay { why: format!("{}: {error}", socket.display()) }),
    }
}

/// Socket of the Wayland compositor, from its environment variables.
fn wayland_socket() -> Option<PathBuf> {
    let name = std::env::var_os("WAYLAND_DISPLAY").filter(|name| !name.is_empty())?;
    let folder = std::env::var_os("XDG_RUNTIME_DIR").unwrap_or_default();
    Some(PathBuf::from(folder).join(name))
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

fn require(platform: &'static str, libraries: &[&'static CStr]) -> Result<(), ContextError> {
    let names = missing(libraries);
    if names.is_empty() { Ok(()) } else { Err(ContextError::MissingLibraries { platform, names }) }
}

fn missing(libraries: &[&'static CStr]) -> Vec<&'static str> {
    libraries.iter().filter(|name| !is_loadable(name)).filter_map(|name| name.to_str().ok()).collect()
}

/// winit's message without the source location that it begins with.
fn plain(message: &str) -> String {
    match message.split_once(".rs:").and_then(|(_, rest)| rest.split_once(": ")) {
        Some((_, text)) if message.starts_with("os error at") => text.to_string(),
        _ => message.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_libraries_are_named() {
        assert_eq!(missing(&[c"libpelagic-has-no-such-library.so.7"]), ["libpelagic-has-no-such-library.so.7"]);
    }

    #[test]
    fn source_places_are_cut_from_messages() {
        let message = "os error at /home/u/.cargo/registry/src/winit/src/mod.rs:765: Failed to open the display";
        assert_eq!(plain(message), "Failed to open the display");
        assert_eq!(plain("something else"), "something else");
    }
}
