//! Helpers of the test programs: the harness, contexts and pictures, and how a test says that it cannot run.

// Each test file uses its part of it.
#![allow(dead_code)]

#[macro_use]
pub mod harness;

pub mod desktop;
pub mod models;
pub mod schooling;
pub mod seen;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use glam::Vec3;
use pelagic::gl::{Dialect, debug};
use pelagic::platform::context::Context;
use pelagic::platform::context_error::ContextError;
use pelagic::render::{Capture, View};
use pelagic::runtime::offscreen::Session;
use pelagic::runtime::{AppError, SceneOptions};
use pelagic::view::Camera;
use tempfile::TempDir;

/// Nothing but water under a calm sea: what a scene of a test begins with.
pub const EMPTY: &str = "
    waves = { wind_m_s = 0.0, swell_height_m = 0.0 }
    seabed = { present = false }
    particles = { snow_count = 0, bubble_sources = 0 }
";

/// Held by the thread whose contexts may be used: Mesa's software renderer, which the tests draw with, now and then crashes
/// when two contexts of a process draw at once (22.3: about one run in six of what draws thousands of small pictures).
static TURN: Mutex<()> = Mutex::new(());

thread_local! {
    /// From a thread's first context to its end: a test has a thread of its own.
    static MY_TURN: MutexGuard<'static, ()> = TURN.lock().unwrap_or_else(PoisonError::into_inner);
}

/// Waits until no other test has a context.
fn take_turn() {
    MY_TURN.with(|_| ());
}

/// An off-screen context whose complaints are watched; where there is no OpenGL the test is [skipped](skip).
pub fn context() -> Context {
    watched(Context::offscreen)
}

/// An off-screen context of a dialect, watched and skipped as that of [`context`].
pub fn context_in(dialect: Dialect) -> Context {
    watched(|| Context::offscreen_in(&[dialect]))
}

fn watched(open: impl FnOnce() -> Result<Context, ContextError>) -> Context {
    take_turn();
    match open() {
        Ok(context) => {
            assert!(debug::watch(&context.gl()), "{} keeps no debug messages", context.device());
            context
        }
        Err(error) => without_gl(&error),
    }
}

fn without_gl(error: &ContextError) -> ! {
    skip(&format!("there is no usable OpenGL: {error}"))
}

/// Ends a test, which is told as ignored, for want of something the machine should have; with `REQUIRE_GL=1`, which
/// `make test` and CI set, that is a failure.
pub fn skip(why: &str) -> ! {
    assert!(std::env::var_os("REQUIRE_GL").is_none_or(|value| value != "1"), "REQUIRE_GL=1, but {why}");
    harness::end_ignored(&format!("{why}; REQUIRE_GL=1 makes this a failure"))
}

/// Writes a line past the test harness, which shows what a test prints only if it fails.
pub fn say(line: &str) {
    let thread = std::thread::current();
    // Where nobody listens there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{}: {line}", thread.name().unwrap_or("a test"));
}

/// `scene` at the low tier with `set` on top.
pub fn options(scene: &str, size: (u32, u32), set: &[&str]) -> SceneOptions {
    let set = ["render.quality=low"].into_iter().chain(set.iter().copied()).map(str::to_owned).collect();
    SceneOptions { scene: scene.into(), set, size, ..SceneOptions::default() }
}

/// A session whose context is watched as that of [`context`] is.
pub fn session(options: &SceneOptions) -> Session {
    let config = pelagic::runtime::load(options).unwrap_or_else(|error| panic!("the scene is wrong: {error}")).config;
    take_turn();
    match Session::with(config, options) {
        Ok(session) => {
            let gl = session.context.gl();
            assert_eq!(debug::complaints(&gl), [""; 0], "while loading");
            assert!(debug::watch(&gl), "{} keeps no debug messages", session.context.device());
            session
        }
        Err(AppError::Context(error)) => without_gl(&error),
        Err(error) => panic!("{error}"),
    }
}

/// A session in a context of that dialect.
pub fn session_in(dialect: Dialect, options: &SceneOptions) -> Session {
    let session = Session::in_context(Rc::new(context_in(dialect)), options);
    session.unwrap_or_else(|error| panic!("the scene is wrong: {error}"))
}

/// Asserts that the driver had nothing to say against what was drawn.
pub fn assert_clean(session: &Session) {
    assert_eq!(debug::complaints(&session.context.gl()), [""; 0]);
}

/// The first view's picture, RGBA bytes.
pub fn picture(session: &mut Session) -> Vec<u8> {
    let camera = session.camera(None).expect("every scene has a first view");
    picture_from(session, camera)
}

/// The picture from `camera`, RGBA bytes.
pub fn picture_from(session: &mut Session, camera: Camera) -> Vec<u8> {
    match session.capture(camera, View::Final, false).expect("drawn") {
        Capture::Display { rgba, .. } => rgba,
        Capture::Linear { .. } => unreachable!("display pixels were asked for"),
    }
}

/// Linear values from `camera`, RGB.
pub fn linear(session: &mut Session, camera: Camera, view: View) -> Vec<[f32; 3]> {
    match session.capture(camera, view, true).expect("drawn") {
        Capture::Linear { rgb, .. } => rgb.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect(),
        Capture::Display { .. } => unreachable!("linear values were asked for"),
    }
}

/// Share of the pixels of two RGBA pictures of which a channel differs by more than `step`.
pub fn changed(a: &[u8], b: &[u8], step: u8) -> f64 {
    assert_eq!(a.len(), b.len(), "pictures of one size");
    let differs = |(p, q): (&[u8], &[u8])| p.iter().zip(q).any(|(x, y)| x.abs_diff(*y) > step);
    let count = a.chunks_exact(4).zip(b.chunks_exact(4)).filter(|&pair| differs(pair)).count();
    count as f64 / (a.len() / 4) as f64
}

/// The repository's root.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder with one scene file; gives its path too.
pub fn scene_file(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scene.toml");
    fs::write(&path, text).expect("written");
    let path = path.to_str().expect("a UTF-8 path").to_owned();
    (folder, path)
}

/// From where `camera` is to the surface ahead, with some of what is below still in view.
pub fn looking_up(camera: &Camera) -> Camera {
    let ahead = camera.orientation * Vec3::NEG_Z;
    Camera::look_at(camera.eye, camera.eye + ahead + 0.5 * Vec3::Y, camera.fov_y)
}

/// A copy of the project's shaders, in the folder `mine`.
pub fn own_shaders(folder: &Path) -> PathBuf {
    let mine = folder.join("mine");
    let copy = |from: &Path, to: &Path| {
        fs::create_dir_all(to).expect("made");
        for entry in fs::read_dir(from).expect("the project's shaders").flatten().filter(|e| e.path().is_file()) {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
        }
    };
    let own = repository().join("shaders");
    copy(&own, &mine);
    copy(&own.join("include"), &mine.join("include"));
    mine
}

/// Files and folders that are parts of what is to come, and pictures and models that are not whole.
pub fn half_written(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            found.extend(half_written(&path));
        }
        let is_whole = match path.extension().and_then(|ending| ending.to_str()) {
            Some("png") => image::open(&path).is_ok(),
            Some("ms3d") => ms3d::read(&fs::read(&path).expect("readable"), &ms3d::Limits::default()).is_ok(),
            ending => !matches!(ending, Some("part" | "tmp")),
        };
        // The user's own folders are hidden ones.
        if !is_whole || (name.starts_with('.') && ![".cache", ".local"].contains(&name.as_str())) {
            found.push(path.display().to_string());
        }
    }
    found
}
