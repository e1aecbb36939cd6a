//! `pelagic doctor`: a page for the report of a fault.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use bench::host::Host;
use config::Preferences;
use data_encoding::HEXLOWER;
use gl::DeviceInfo;
use platform::context::{self, Context, Purpose};
use platform::troubles;
use platform::user_folders::{OUT, cache_folder, preferences_file, recovery_folder};
use render::{Capture, View};
use runtime::SceneOptions;
use runtime::offscreen::Session;
use sha2::{Digest, Sha256};

use crate::cli::CliError;
use crate::cli::args::language;
use crate::cli::print::print;

const EXAMPLES: &str = "\
Examples:
  pelagic doctor                                        what this machine offers";

/// Arguments of `pelagic doctor`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct DoctorArgs {}

/// Variables of the environment that choose a display, a driver or a language.
const VARIABLES: [&str; 21] = [
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XDG_SESSION_TYPE",
    "SSH_CONNECTION",
    "LIBGL_ALWAYS_SOFTWARE",
    "LIBGL_ALWAYS_INDIRECT",
    "GALLIUM_DRIVER",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "MESA_GL_VERSION_OVERRIDE",
    "DRI_PRIME",
    "vblank_mode",
    "__GL_SYNC_TO_VBLANK",
    "__NV_PRIME_RENDER_OFFLOAD",
    "__GLX_VENDOR_LIBRARY_NAME",
    "PELAGIC_EGL_DEVICE",
    "PELAGIC_OPENGL",
    "LP_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "XR_RUNTIME_JSON",
    "LC_ALL",
    "LANG",
];

/// Word on an X server that another machine runs, or that forwards to one.
const FAR_AWAY: &str = "answers over a network: each frame goes that way too.\n\
     Draw where the screen is, or without a window: pelagic shot, pelagic record";

/// Picture of the self-test: small, of a scene that has most of what others have.
const TESTED: (&str, (u32, u32), f64) = ("reef", (192, 108), 0.5);

/// Prints the page.
///
/// # Errors
/// If there is no usable OpenGL or the picture of the self-test cannot be made; the page is printed first.
pub fn run(_: DoctorArgs) -> Result<(), CliError> {
    let mut page = Page::default();
    page.line("pelagic", build_info::LONG_VERSION);
    machine(&mut page);
    display(&mut page);
    installations(&mut page);
    folders(&mut page);
    match headset::openxr::found() {
        Ok(runtime) => page.line("headset", &format!("{runtime}; pelagic --vr starts it")),
        Err(error) => page.line("headset", &error.to_string()),
    }
    let found = driver(&mut page).inspect_err(|_| page.line("OpenGL", "none"));
    let drawn = found.and_then(|()| self_test(&mut page).inspect_err(|_| page.line("self-test", "failed")));
    print(&page.0)?;
    drawn
}

/// Lines of a name and a text each.
#[derive(Default)]
struct Page(String);

impl Page {
    fn line(&mut self, name: &str, text: &str) {
        // Lines after the first stand under it.
        let text = text.trim_end().replace('\n', &format!("\n{:14}", ""));
        writeln!(self.0, "{name:14}{text}").expect("a string takes all");
    }
}

fn machine(page: &mut Page) {
    let Host { os, kernel, cpu, threads, mem_mib, .. } = Host::now();
    let memory = mem_mib.map_or("memory unknown".to_owned(), |mib| format!("{mib} MiB of memory"));
    page.line("machine", &format!("{os}, kernel {}", kernel.as_deref().unwrap_or("unknown")));
    page.line("processor", &format!("{}, {threads} threads, {memory}", cpu.as_deref().unwrap_or("unknown")));
    let set: Vec<String> = VARIABLES.iter().filter_map(|name| Some(format!("{name}={}", told(name)?))).collect();
    let set = if set.is_empty() { "none of the variables that matter is set".to_owned() } else { set.join("\n") };
    page.line("environment", &set);
}

/// Value of a variable; where it would tell of somebody, only that it is set.
fn told(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?;
    Some(if name == "SSH_CONNECTION" { "(set)".to_owned() } else { value.to_string_lossy().into_owned() })
}

fn display(page: &mut Page) {
    match context::event_loop(Purpose::Screen) {
        Ok(_) => page.line("display", if is_far_away() { FAR_AWAY } else { "answers" }),
        Err(error) => page.line("display", &format!("none: {error}")),
    }
    // A preference for another language is told by the settings' file.
    page.line("language", &format!("{:?}, by the system", language(None, &Preferences::default())));
}

/// Whether the X server is reached over a network; Wayland, which comes first, never is.
fn is_far_away() -> bool {
    if cfg!(any(windows, target_os = "macos")) || std::env::var_os("WAYLAND_DISPLAY").is_some() {
        return false;
    }
    let host = std::env::var("DISPLAY").ok().and_then(|display| Some(display.split_once(':')?.0.to_owned()));
    host.is_some_and(|host| !host.is_empty() && host != "unix" && !host.starts_with('/'))
}

/// This program, and others of its name that a terminal would start instead.
fn installations(page: &mut Page) {
    let Ok(this) = std::env::current_exe() else { return };
    page.line("program", &from_home(&this));
    let this = fs::canonicalize(&this).unwrap_or(this);
    let name = format!("{}{}", build_info::NAME, std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut seen = vec![this];
    for other in std::env::split_paths(&path).filter_map(|folder| fs::canonicalize(folder.join(&name)).ok()) {
        if !seen.contains(&other) {
            page.line("", &format!("another one on the PATH: {}", from_home(&other)));
            seen.push(other);
        }
    }
}

fn folders(page: &mut Page) {
    let state = |path: &Path| match fs::metadata(path) {
        Ok(_) => "there",
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "not there yet",
        Err(_) => "cannot be read",
    };
    let all = [("settings", preferences_file()), ("recovery", recovery_folder()), ("cache", cache_folder())];
    for (name, path) in all {
        match path {
            Some(path) => page.line(name, &format!("{}, {}", from_home(&path), state(&path))),
            None => page.line(name, "none: there is no home folder"),
        }
    }
    let out = std::path::absolute(OUT).unwrap_or_else(|_| OUT.into());
    page.line("results", &format!("{}, {}", from_home(&out), state(&out)));
}

/// A path without the name of the user, who pastes it where others read.
fn from_home(path: &Path) -> String {
    match std::env::home_dir().and_then(|home| Some(path.strip_prefix(home).ok()?.to_owned())) {
        Some(below) => Path::new("~").join(below).display().to_string(),
        None => path.display().to_string(),
    }
}

fn driver(page: &mut Page) -> Result<(), CliError> {
    let context = Context::offscreen().map_err(|error| CliError::NoOpenGl(error.to_string()))?;
    let device @ DeviceInfo { vendor, glsl, .. } = context.device();
    page.line("OpenGL", &format!("{device}\nvendor {vendor}, GLSL {glsl}"));
    for (number, name) in context::device_names().iter().enumerate() {
        page.line("", &format!("device {number}: {name}"));
    }
    for extension in context.extensions() {
        let there = if extension.is_there { "yes" } else { "no" };
        page.line("", &format!("{there:4}{} ({})", extension.name, extension.serves));
    }
    let limits: Vec<String> = context.limits().iter().map(|(name, value)| format!("{name} {value}")).collect();
    page.line("", &limits.join(", "));
    for trouble in troubles::of(device) {
        page.line("known", &format!("{}.\n{}", trouble.is, trouble.r#do));
    }
    Ok(())
}

fn self_test(page: &mut Page) -> Result<(), CliError> {
    let (scene, size, time_s) = TESTED;
    let set = vec!["render.quality=low".to_owned()];
    let options = SceneOptions { scene: scene.into(), set, size, ..SceneOptions::default() };
    let draw = || -> Result<(String, f64), CliError> {
        let began = Instant::now();
        let mut session = Session::open(&options)?;
        session.step_to(time_s, 0)?;
        let camera = session.camera(None)?;
        let Capture::Display { rgba, .. } = session.capture(camera, View::Final, false)? else {
            return Err(CliError::Failed("a linear picture, which was not asked for".into()));
        };
        Ok((HEXLOWER.encode(&Sha256::digest(&rgba)[..8]), began.elapsed().as_secs_f64()))
    };
    let ((first, first_s), (second, second_s)) = (draw()?, draw()?);
    page.line("self-test", &format!("{scene}, {} x {}, low: made in {first_s:.1} and {second_s:.1} s", size.0, size.1));
    if first != second {
        page.line("", &format!("two different pictures: {first} and {second}"));
        return Err(CliError::Failed("the same scene was drawn as two different pictures".into()));
    }
    page.line("", &format!("the same both times: {first}"));
    Ok(())
}
