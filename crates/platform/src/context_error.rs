//! Errors of creating a context, in three sentences (what, why, what to do), and reasons for losing one.
#![expect(clippy::disallowed_methods, reason = "advice depends on the environment")]

use std::fmt;

use gl::DeviceInfo;

use crate::troubles;

/// An attempt on the way to a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Requested context, such as `EGL device 0: OpenGL 4.5 core, robust`.
    pub what: String,
    /// Outcome in words.
    pub outcome: String,
    /// Whether a driver was asked for a version of OpenGL, so that there is a driver.
    pub asks_version: bool,
}

impl Attempt {
    /// An attempt that asked for no version.
    pub fn new(what: String, outcome: String) -> Self {
        Self { what, outcome, asks_version: false }
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.outcome)
    }
}

/// Reason for which no context could be made. Its text is three sentences: what, why, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextError {
    /// No display server was found or none answered.
    NoDisplay {
        /// Message of the display server or its library; empty if no server was named.
        why: String,
    },
    /// Shared libraries that a window needs are not installed.
    MissingLibraries {
        /// Platform that needs them: `X11` or `Wayland`.
        platform: &'static str,
        /// File names.
        names: Vec<&'static str>,
    },
    /// There is no EGL, or it has no device to draw with.
    NoEgl {
        /// Description of the missing part.
        why: String,
    },
    /// There are displays or devices, and no driver that works with them.
    NoDriver {
        /// Attempts, in order.
        attempts: Vec<Attempt>,
    },
    /// The driver works but offers less than OpenGL 3.3 core and OpenGL ES 3.0.
    OldOpenGl {
        /// The driver, if it tells its version.
        found: Option<Box<DeviceInfo>>,
        /// Attempts, in order.
        attempts: Vec<Attempt>,
    },
    /// A page has no WebGL 2 that will do.
    NoWebGl {
        /// Description of the missing part.
        why: String,
    },
    /// The screen's pixels have too few bits for OpenGL.
    FewColours {
        /// Bits of a pixel.
        bits: u8,
    },
    /// The window system refused the window.
    Window {
        /// Message of the window system.
        why: String,
    },
}

/// Cause of a context reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// This program.
    Guilty,
    /// Another program.
    Innocent,
    /// Unknown.
    Unknown,
}

/// Remedy where no driver works, without a full stop.
#[cfg(not(any(windows, target_os = "macos")))]
const INSTALL: &str = "Install a driver (Debian, Ubuntu: apt install libegl1 libgl1-mesa-dri; Fedora: dnf install \
     mesa-libEGL mesa-dri-drivers), or try the software renderer with LIBGL_ALWAYS_SOFTWARE=1";
#[cfg(windows)]
const INSTALL: &str = "Install the newest driver of the graphics card's maker; in a virtual machine or over a remote \
     desktop put Mesa's opengl32.dll and libgallium_wgl.dll beside pelagic.exe";
#[cfg(target_os = "macos")]
const INSTALL: &str = "Update macOS; in a virtual machine give it an accelerated display";
/// Remedy where a driver is too old, without a full stop.
#[cfg(not(any(windows, target_os = "macos")))]
const UPDATE: &str = "Update the driver, try the software renderer with LIBGL_ALWAYS_SOFTWARE=1 (Debian, Ubuntu: apt \
     install libegl1 libgl1-mesa-dri), and see that MESA_GL_VERSION_OVERRIDE is not set";
#[cfg(any(windows, target_os = "macos"))]
const UPDATE: &str = INSTALL;
/// Packages for a window.
const WINDOW_PACKAGES: &str = "Debian, Ubuntu: apt install libegl1 libgl1 libgl1-mesa-dri libx11-6 libx11-xcb1 \
     libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 libwayland-client0 libwayland-egl1";

/// Commands that work without a window.
const WITHOUT_WINDOW: &str = "draw without a window: `pelagic --headless`, or `pelagic shot --out picture.png`";

impl ContextError {
    /// Attempts, in order; empty for other errors.
    pub fn attempts(&self) -> &[Attempt] {
        match self {
            Self::NoDriver { attempts } | Self::OldOpenGl { attempts, .. } => attempts,
            _ => &[],
        }
    }
}

impl fmt::Display for ContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay { why } => {
                write!(f, "no window can be opened, because no display answers. ")?;
                write!(f, "{}, {}", variable("DISPLAY"), variable("WAYLAND_DISPLAY"))?;
                if !why.is_empty() {
                    write!(f, " ({why})")?;
                }
                write!(
                    f,
                    ". Start it in a desktop session or under `xvfb-run -s \"-screen 0 1280x720x24\"`, or {WITHOUT_WINDOW}"
                )
            }
            Self::MissingLibraries { platform, names } => write!(
                f,
                "no window can be opened, because libraries for {platform} are missing. Not found: {}. Install them \
                 ({WINDOW_PACKAGES}), or {WITHOUT_WINDOW}",
                names.join(", ")
            ),
            Self::NoEgl { why } => {
                write!(f, "there is no OpenGL to draw with off-screen. {}. {INSTALL}", why.trim_end_matches('.'))
            }
            Self::NoDriver { attempts } => write!(
                f,
                "no graphics driver works here. {}. {INSTALL}; -v lists what was tried",
                match attempts.last() {
                    Some(last) => format!("The last of {} attempts: {last}", attempts.len()),
                    None => "Nothing was found to try".into(),
                }
            ),
            Self::OldOpenGl { found, attempts } => {
                let (offered, known) = match found {
                    Some(device) => {
                        (format!("{} on {}", device.opengl(), device.renderer), troubles::remedy_of_old(device))
                    }
                    None => ("less, without saying what".into(), None),
                };
                let remedy = known.as_ref().map_or(UPDATE, |remedy| remedy.trim_end_matches('.'));
                write!(
                    f,
                    "this machine's OpenGL is too old. OpenGL 3.3 core or OpenGL ES 3.0 is needed, and the driver offers \
                     {offered}. {remedy}; -v lists the {} attempts",
                    attempts.len()
                )
            }
            Self::NoWebGl { why } => write!(
                f,
                "there is no WebGL 2 to draw with. {why}. Use a browser of this decade with hardware acceleration switched \
                 on, or get the program, which draws everywhere: `pelagic shot --out picture.png`"
            ),
            Self::FewColours { bits } => write!(
                f,
                "no window can be opened, because the display has too few colours for OpenGL. {} and its screen has {bits} \
                 bits a pixel, where true colour takes 24. Give it 24 (`xvfb-run -s \"-screen 0 1280x720x24\"`), or \
                 {WITHOUT_WINDOW}",
                variable("DISPLAY")
            ),
            Self::Window { why } => write!(
                f,
                "no window can be opened, because the window system refused it. It said: {}. Try another display \
                 ({}, {}), or {WITHOUT_WINDOW}",
                why.trim_end_matches('.'),
                variable("DISPLAY"),
                variable("WAYLAND_DISPLAY")
            ),
        }
    }
}

impl std::error::Error for ContextError {}

/// `NAME is "value"` or `NAME is not set`.
fn variable(name: &str) -> String {
    match std::env::var_os(name) {
        Some(value) if !value.is_empty() => format!("{name} is \"{}\"", value.to_string_lossy()),
        _ => format!("{name} is not set"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_is_three_sentences_that_name_a_remedy() {
        let attempts = vec![Attempt::new("EGL device 0".into(), "initialization failed".into())];
        let ironlake = DeviceInfo {
            renderer: "Mesa DRI Intel(R) Ironlake Mobile".into(),
            version: "2.1 Mesa 20.0.8".into(),
            ..DeviceInfo::default()
        };
        let all = [
            ContextError::NoDisplay { why: String::new() },
            ContextError::MissingLibraries { platform: "X11", names: vec!["libXi.so.6"] },
            ContextError::NoEgl { why: "libEGL.so.1 could not be loaded".into() },
            ContextError::NoDriver { attempts: attempts.clone() },
            ContextError::OldOpenGl { found: Some(Box::new(ironlake)), attempts: attempts.clone() },
            ContextError::OldOpenGl { found: None, attempts },
            ContextError::NoWebGl { why: "The browser gives none".into() },
            ContextError::FewColours { bits: 8 },
            ContextError::Window { why: "BadMatch.".into() },
        ];
        for error in all {
            let text = error.to_string();
            assert_eq!(text.split(". ").count(), 3, "{text}");
            let remedies = [INSTALL, UPDATE, "apt install", "pelagic shot", "set LIBGL_ALWAYS_SOFTWARE=1"];
            assert!(remedies.iter().any(|remedy| text.contains(remedy)), "{text}");
        }
    }
}
