//! Answers to wrong arguments and to machines that lack something: a sentence and an exit code.

use std::fs::File;
use std::io::pipe;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support;

/// Runs the program without a display in `folder`.
fn pelagic(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    command(folder, arguments).envs(variables.iter().copied()).output().expect("the program starts")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("RUST_LOG");
    command
}

/// Asserts the exit code, and that standard error says all of `texts` and shows no panic.
fn refused(output: &Output, code: i32, texts: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    for text in texts {
        assert!(said.contains(text), "\"{text}\" is not in:\n{said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).expect("a folder").next().is_none()
}

const NO_EGL: [(&str, &str); 1] = [("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent")];
const NO_DRIVER: [(&str, &str); 1] = [("LIBGL_DRIVERS_PATH", "/nonexistent")];
const OLD: [(&str, &str); 2] = [("MESA_GL_VERSION_OVERRIDE", "3.2"), ("MESA_GLES_VERSION_OVERRIDE", "2.0")];

fn without_a_display_it_says_what_to_do_and_is_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = ["no window can be opened", "DISPLAY is not set, WAYLAND_DISPLAY is not set", "`pelagic --headless`"];
    refused(&pelagic(folder.path(), &[], &[]), 3, &said);
    // Before anything that a window has no need of.
    refused(&pelagic(folder.path(), &[], &NO_EGL), 3, &said);
    assert!(is_empty(folder.path()), "nothing is drawn in place of the window");
    refused(&pelagic(folder.path(), &["--headless"], &NO_EGL), 3, &["no OpenGL to draw with", "libegl1"]);
    assert!(!folder.path().join("out/still.png").exists());
}

fn headless_makes_a_picture_and_a_short_benchmark() {
    let folder = tempfile::tempdir().expect("a folder");
    let headless = ["--headless", "--size", "64x36", "--quality", "low", "--scene", "calibration"];
    let output = pelagic(folder.path(), &headless, &[]);
    if output.status.code() == Some(3) {
        support::skip("there is no usable OpenGL");
    }
    refused(&output, 0, &["out/still.png"]);
    let still = image::open(folder.path().join("out/still.png")).expect("a picture");
    assert_eq!((still.width(), still.height()), (64, 36));
    assert!(String::from_utf8_lossy(&output.stdout).contains("median"), "the benchmark's table is printed");
}

fn what_is_of_a_window_is_refused_without_one() {
    let folder = tempfile::tempdir().expect("a folder");
    for flag in ["--fullscreen", "--vsync=on", "--frames=3", "--no-ui", "--lang=en", "--stereo=anaglyph", "--no-sway"] {
        let name = flag.split('=').next().expect("a name");
        refused(&pelagic(folder.path(), &["--headless", flag], &[]), 2, &["--headless", name, "cannot be used with"]);
    }
    let shot = ["--headless", "shot", "--out", "a.png"];
    refused(&pelagic(folder.path(), &shot, &[]), 2, &["--headless is for `pelagic` alone, not for `shot`"]);
    assert!(is_empty(folder.path()));
}

fn a_display_that_does_not_answer_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let x11 = [("DISPLAY", ":9753")];
    let wayland = [("WAYLAND_DISPLAY", "wayland-none"), ("XDG_RUNTIME_DIR", "/nonexistent")];
    for (variables, named) in [(&x11[..], "DISPLAY is \":9753\""), (&wayland, "WAYLAND_DISPLAY is \"wayland-none\"")] {
        let said = [named, "no window can be opened", "xvfb-run", "pelagic --headless", "pelagic shot"];
        refused(&pelagic(folder.path(), &[], variables), 3, &said);
    }
    assert!(is_empty(folder.path()), "nothing is drawn in place of the window");
}

fn shot_without_usable_opengl_is_3_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let shot = |variables: &[(&str, &str)]| pelagic(folder.path(), &["shot", "--out", "a.png"], variables);
    refused(&shot(&NO_EGL), 3, &["no OpenGL to draw with", "apt install"]);
    // Where the driver is not Mesa's these variables change nothing.
    let mesa = pelagic(folder.path(), &["-v", "shot", "--size", "16x16", "--time", "0", "--out", "b.png"], &[]);
    if !String::from_utf8_lossy(&mesa.stderr).contains("Mesa") {
        support::skip("there is no Mesa driver to break");
    }
    std::fs::remove_file(folder.path().join("b.png")).expect("it was written");
    refused(&shot(&NO_DRIVER), 3, &["no graphics driver works here", "LIBGL_ALWAYS_SOFTWARE=1"]);
    refused(&shot(&OLD), 3, &["too old", "OpenGL 3.3 core or OpenGL ES 3.0 is needed", "OpenGL 3.2"]);
    let verbose = pelagic(folder.path(), &["shot", "-v", "--out", "a.png"], &OLD);
    refused(&verbose, 3, &["OpenGL 4.5 core, robust: ", "OpenGL 3.3 core: "]);
    assert!(is_empty(folder.path()));
}

fn wrong_arguments_are_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let shot = |arguments: &[&str]| pelagic(folder.path(), &[&["shot", "--out", "a.png"], arguments].concat(), &[]);
    for size in ["0x0", "1280", "15x720", "20000x20000", "axb", "-1x720", "NaNx1"] {
        refused(&shot(&[&format!("--size={size}")]), 2, &["is not WIDTHxHEIGHT"]);
    }
    for time in ["-1", "NaN", "inf", "1e9", "soon"] {
        refused(&shot(&[&format!("--time={time}")]), 2, &["is not a number of seconds"]);
    }
    refused(&shot(&["--scene", "reff"]), 2, &["reff", "reef, open_blue"]);
    refused(&shot(&["--scene", "missing.toml"]), 2, &["missing.toml"]);
    refused(&shot(&["--camera", "nowhere"]), 2, &["--camera: ", "no camera \"nowhere\"", "it has "]);
    refused(&shot(&["--camera", "coarl"]), 2, &["did you mean coral?"]);
    refused(&shot(&["--ride", "unicorn"]), 2, &["--ride: ", "no \"unicorn\" to ride", "green_turtle"]);
    refused(&shot(&["--ride", "mnata"]), 2, &["did you mean manta?"]);
    refused(&shot(&["--ride", "manta", "--camera", "coral"]), 2, &["--camera"]);
    refused(&shot(&["--set", "water.tipe=3C"]), 2, &["did you mean water.type"]);
    refused(&shot(&["--set", "waves.wind_m_s=nan"]), 2, &["waves.wind_m_s"]);
    refused(&shot(&["--quality", "best"]), 2, &["'best' for '--quality <TIER>'", "auto, low, medium, high, ultra"]);
    refused(&shot(&["--fish", "4000000000"]), 2, &["'--fish <N>'", "0..=1000000"]);
    refused(&shot(&["--fish", "9", "--scene", "calibration"]), 2, &["--fish 9: the scene has no species"]);
    let ladder = ["bench", "--ladder=7", "--scene", "calibration"];
    refused(&pelagic(folder.path(), &ladder, &[]), 2, &["--ladder 7: the scene has no species"]);
    refused(&shot(&["--nonsense"]), 2, &["--nonsense"]);
    refused(&pelagic(folder.path(), &["--scene", "reef", "shot", "--out", "a.png"], &[]), 2, &["goes after `shot`"]);
    refused(&pelagic(folder.path(), &["--shaders", "nowhere"], &[]), 2, &["no such folder"]);
    assert!(is_empty(folder.path()));
}

fn unwritable_places_are_found_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "").expect("written");
    // Without EGL the work could not even begin: the place was looked at first.
    let shot = |out: &str| pelagic(folder.path(), &["shot", "--out", out], &NO_EGL);
    refused(&shot("a.jpg"), 2, &["a.jpg", ".png", ".exr"]);
    refused(&shot("picture"), 2, &[".png", ".exr"]);
    refused(&shot("file/a.png"), 2, &["file/a.png cannot be written"]);
    refused(&shot("/proc/none/a.png"), 2, &["/proc/none/a.png cannot be written"]);
    // Nor is anything replaced but a picture.
    std::fs::write(folder.path().join("notes.png"), "notes").expect("written");
    refused(&shot("notes.png"), 2, &["notes.png is there already", "--force"]);
    let forced = pelagic(folder.path(), &["shot", "--out", "notes.png", "--force"], &NO_EGL);
    refused(&forced, 3, &[]);
    assert_eq!(std::fs::read(folder.path().join("notes.png")).expect("there"), b"notes");
}

fn a_shot_is_written_whole_and_twice_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let probe = pelagic(folder.path(), &["shot", "--size", "96x64", "--time", "1", "--out", "new/a.png"], &[]);
    if probe.status.code() == Some(3) {
        support::skip("there is no usable OpenGL");
    }
    refused(&probe, 0, &["new/a.png"]);
    let again = pelagic(folder.path(), &["shot", "--size", "96x64", "--time", "1", "--out", "new/b.png"], &[]);
    refused(&again, 0, &["new/b.png"]);
    let read = |name: &str| image::open(folder.path().join(name)).expect("a picture").into_rgb8();
    assert_eq!(read("new/a.png").dimensions(), (96, 64));
    assert!(read("new/a.png") == read("new/b.png"), "the same seed gives the same frame");
    let linear = pelagic(folder.path(), &["shot", "--size", "96x64", "--time", "1", "--out", "new/c.exr"], &[]);
    refused(&linear, 0, &["new/c.exr"]);
    let linear = image::open(folder.path().join("new/c.exr")).expect("a picture").into_rgb32f();
    assert_eq!(linear.dimensions(), (96, 64));
    assert!(linear.iter().all(|value| value.is_finite() && *value >= 0.0));
    assert_eq!(std::fs::read_dir(folder.path().join("new")).expect("there").count(), 3, "nothing else is left");
}

fn a_species_file_makes_a_fish_and_a_wrong_one_makes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    let sound = include_str!("../../crates/forge/src/swimmers/species/clownfish.toml");
    let made = |text: &str| {
        std::fs::write(&file, text).expect("written");
        pelagic(folder.path(), &["forge", "make", "--species", "mine.toml", "--out", "made"], &[])
    };
    let wrong = [
        (sound.replacen("kind = \"bars\"", "kind = \"zigzag\"", 1), "kind: \"zigzag\" is not one of bars, "),
        (sound.replacen("length_m = ", "length_m = -", 1), "length_m: -0.09 is outside"),
        (sound.replacen("belly = [[0, -", "belly = [[0, 0.9], [0.001, -", 1), "the outline crosses itself"),
        (sound.replacen("[eye]", "[eye]\ncolour = 1", 1), "eye.colour: unknown key"),
        ("name = ".into(), "mine.toml:1:"),
    ];
    for (text, message) in wrong {
        assert_ne!(text, sound, "{message}");
        refused(&made(&text), 2, &["mine.toml:", message]);
        assert!(!folder.path().join("made").exists(), "{message}");
    }
    refused(
        &pelagic(folder.path(), &["forge", "make", "--species", "none.toml", "--out", "made"], &[]),
        2,
        &["none.toml"],
    );

    let mine = sound.replacen("name = \"clownfish\"", "name = \"mine\"", 1);
    let output = made(&mine);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for name in ["made/models/mine.ms3d", "made/textures/mine.png"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    // No warning: its texture is found where it was put.
    let checked = pelagic(folder.path(), &["model", "check", "--strict", "made/models/mine.ms3d"], &[]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    let arguments = ["forge", "sheet", "--species", "mine.toml", "--clip", "feed", "--out", "sheet.png"];
    assert!(pelagic(folder.path(), &arguments, &[]).status.success());
    assert!(image::open(folder.path().join("sheet.png")).expect("a picture").width() > 1000);
    let arguments = ["forge", "sheet", "--clip", "dance", "--out", "sheet.png"];
    refused(&pelagic(folder.path(), &arguments, &[]), 2, &["no clip is called 'dance'", "burst"]);
}

fn a_species_is_dumped_to_be_edited_and_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| pelagic(folder.path(), arguments, &[]);
    let printed = run(&["forge", "dump", "clownfish"]);
    assert!(printed.status.success());
    assert!(printed.stdout.starts_with(b"# Ocellaris clownfish"), "with its comments");
    assert!(run(&["forge", "dump", "clownfish", "--out", "mine.toml"]).status.success());
    assert_eq!(std::fs::read(folder.path().join("mine.toml")).expect("written"), printed.stdout);
    refused(&run(&["forge", "dump", "sardine", "--out", "mine.toml"]), 2, &["mine.toml is there already", "--force"]);
    assert_eq!(std::fs::read(folder.path().join("mine.toml")).expect("kept"), printed.stdout);
    assert!(run(&["forge", "make", "--species", "mine.toml", "--out", "."]).status.success());
    assert!(folder.path().join("models/clownfish.ms3d").is_file());
    // Its own is made anew, what somebody has put in its place is not.
    assert!(run(&["forge", "make", "--species", "mine.toml", "--out", "."]).status.success());
    std::fs::write(folder.path().join("textures/clownfish.png"), "mine").expect("written");
    let kept = run(&["forge", "make", "--species", "mine.toml", "--out", "."]);
    refused(&kept, 2, &["clownfish.png is there already", "--force"]);
    assert!(run(&["forge", "make", "--species", "mine.toml", "--out", ".", "--force"]).status.success());
    refused(&run(&["forge", "dump", "manta"]), 2, &["'manta' is made by", "these have one: sardine, "]);
    refused(&run(&["forge", "dump", "clownfsh"]), 2, &["did you mean 'clownfish'?"]);
    refused(&run(&["forge", "dump", "sardine", "--out", "mine.toml/a.toml"]), 1, &["mine.toml"]);
}

fn a_sheet_shows_any_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| pelagic(folder.path(), arguments, &[]);
    assert!(run(&["forge", "make", "clownfish", "--out", "."]).status.success());
    let sheet = |model: &str, out: &str, more: &[&str]| run(&[&["model", "sheet", model, "--out", out], more].concat());
    let picture = |name: &str| image::open(folder.path().join(name)).expect("a picture").into_rgba8();
    let file = "models/clownfish.ms3d";
    assert!(sheet(file, "own.png", &[]).status.success());
    assert!(sheet("builtin:clownfish", "builtin.png", &[]).status.success());
    assert!(run(&["forge", "sheet", "clownfish", "--out", "forge.png"]).status.success());
    // The same however it comes in: with its texture, skeleton and clips.
    assert!(picture("own.png") == picture("builtin.png") && picture("own.png") == picture("forge.png"));
    assert!(sheet(file, "feed.png", &["--clip", "feed"]).status.success());
    assert!(sheet(file, "turned.png", &["--forward", "+x"]).status.success());
    for other in ["feed.png", "turned.png"] {
        assert!(picture("own.png") != picture(other), "{other}");
    }
    refused(&sheet(file, "a.png", &["--clip", "dance"]), 2, &["no clip 'dance'; it has cruise, idle"]);
    refused(&sheet(file, "a.png", &["--forward", "up"]), 2, &["'up' is none of +x"]);
    refused(&sheet("builtin:dodo", "a.png", &[]), 2, &["there is no built-in model 'dodo'"]);
    refused(&sheet("builtin:dodo", "a.jpg", &[]), 2, &["a.jpg", ".png"]);
    refused(&sheet("builtin:dodo", "a.exr", &[]), 2, &["a.exr", ".png"]);
    refused(&sheet("builtin:dodo", file, &[]), 2, &["clownfish.ms3d", ".png"]);
    std::fs::write(folder.path().join("notes.png"), "notes").expect("written");
    refused(&sheet("builtin:dodo", "notes.png", &[]), 2, &["notes.png is there already", "--force"]);
    refused(&sheet("none.ms3d", "a.png", &[]), 2, &["none.ms3d"]);
    std::fs::write(folder.path().join("bad.ms3d"), "MS3D0000").expect("written");
    refused(&sheet("bad.ms3d", "a.png", &[]), 2, &["'bad.ms3d' is not a usable MS3D file"]);
    assert!(!folder.path().join("a.png").exists());
    // The viewer says as much before it opens a window.
    for (arguments, code, text) in [
        (&["model", "view", "bad.ms3d"][..], 2, "'bad.ms3d' is not a usable MS3D file"),
        (&["model", "view", file, "--length", "0"], 2, "'0' is not a length"),
        (&["model", "view", file], 3, "no window can be opened"),
    ] {
        refused(&run(arguments), code, &[text]);
    }
    // A place where nobody may write, root neither.
    refused(&sheet(file, "/proc/a.png", &[]), 1, &["/proc"]);
}

/// Standard errors that nobody can hear: full, and a pipe that nobody reads.
fn unheard() -> [(&'static str, Stdio); 2] {
    let full = File::options().write(true).open("/dev/full").expect("it is everywhere");
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    [("full", full.into()), ("a pipe without a reader", writer.into())]
}

fn an_error_that_nobody_hears_has_its_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let full = || File::options().write(true).open("/dev/full").expect("it is everywhere");
    for (code, arguments) in [
        (1, vec!["scene", "list"]),
        (2, vec!["shot", "--out", "a.png", "--scene", "reff"]),
        (2, vec!["shot", "--out", "a.png", "--nonsense"]),
        (2, vec!["--scene", "reef", "shot", "--out", "a.png"]),
        (3, vec!["-v", "shot", "--out", "a.png"]),
    ] {
        for (kind, stderr) in unheard() {
            let mut command = command(folder.path(), &arguments);
            let status = command.envs(NO_EGL).stdout(full()).stderr(stderr).status().expect("it starts");
            assert_eq!(status.code(), Some(code), "{arguments:?}, standard error: {kind}");
        }
        let mut closed = Command::new("sh");
        closed.args(["-c", "exec \"$0\" \"$@\" 2>&-", env!("CARGO_BIN_EXE_pelagic")]).args(&arguments);
        let status = closed.current_dir(folder.path()).envs(NO_EGL).stdout(full()).status().expect("sh is there");
        assert_eq!(status.code(), Some(code), "{arguments:?}, standard error closed");
    }
}

/// Longest that an end may take: the machine may be slow and busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks the program to end, once it can hear that, after `delay`, and waits until it has; gives how long that took.
fn terminate(process: &mut Child, delay: Duration) -> (ExitStatus, Duration) {
    let is_over = |process: &mut Child| process.try_wait().expect("a child").is_some();
    wait_until(|| hears_sigterm(process.id()) || is_over(process));
    std::thread::sleep(delay);
    let asked = Instant::now();
    // It may have ended by itself already.
    let _ = Command::new("kill").arg(process.id().to_string()).stderr(Stdio::null()).status();
    wait_until(|| is_over(process));
    (process.wait().expect("a child"), asked.elapsed())
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "it goes on for ever");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn hears_sigterm(process: u32) -> bool {
    const SIGTERM: u64 = 1 << 14;
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & SIGTERM != 0)
}

fn an_interrupt_that_nobody_hears_is_130() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["shot", "--size", "16x16", "--time", "3600", "--out", "a.png"];
    for (kind, stderr) in unheard() {
        let mut process = command(folder.path(), &arguments).stderr(stderr).spawn().expect("it starts");
        let (status, _) = terminate(&mut process, Duration::from_millis(300));
        if status.code() == Some(3) {
            support::skip("there is no usable OpenGL");
        }
        assert_eq!(status.code(), Some(130), "standard error: {kind}");
    }
    assert!(is_empty(folder.path()));
}

fn it_ends_when_it_is_asked_to_whatever_it_is_doing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut slowest = Duration::ZERO;
    for arguments in [
        // A world that takes long to make; a picture of which each part takes long; a step after the other.
        &["shot", "--fish", "60000", "--size", "32x32", "--out", "out/a.png"][..],
        &["shot", "--size", "4096x4096", "--quality", "ultra", "--aperture", "50", "--time", "0", "--out", "out/a.png"],
        &["shot", "--size", "32x32", "--time", "3600", "--out", "out/a.png"],
        &["bench", "--size", "64x48", "--frames", "100000", "--out", "out"],
        &["forge", "make", "--all", "--out", "out"],
        &["forge", "sheet", "--out", "out.png"],
    ] {
        for delay_ms in [0, 700] {
            let mut process = command(folder.path(), arguments).stderr(Stdio::piped()).spawn().expect("it starts");
            let (status, took) = terminate(&mut process, Duration::from_millis(delay_ms));
            let said = std::io::read_to_string(process.stderr.take().expect("piped")).expect("text");
            if status.code() == Some(3) {
                support::skip("there is no usable OpenGL");
            }
            let is_forge = arguments[0] == "forge";
            let done = status.code() == Some(0) && is_forge;
            assert!(status.code() == Some(130) || done, "{arguments:?} after {delay_ms} ms: {status}\n{said}");
            slowest = slowest.max(took);
            support::say(&format!("{} {}, asked to end after {delay_ms} ms: {took:.2?}", arguments[0], arguments[1]));
            assert_eq!(support::half_written(folder.path()), [""; 0], "{arguments:?} after {delay_ms} ms");
            // A benchmark's result, and whole files of the forge, may stay.
            let _ = std::fs::remove_dir_all(folder.path().join("out"));
            let _ = std::fs::remove_file(folder.path().join("out.png"));
        }
    }
    support::say(&format!("the slowest end took {slowest:.2?}"));
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    without_a_display_it_says_what_to_do_and_is_3;
    headless_makes_a_picture_and_a_short_benchmark;
    what_is_of_a_window_is_refused_without_one;
    a_display_that_does_not_answer_is_named;
    shot_without_usable_opengl_is_3_and_leaves_nothing;
    wrong_arguments_are_2;
    unwritable_places_are_found_before_the_work;
    a_shot_is_written_whole_and_twice_the_same;
    a_species_file_makes_a_fish_and_a_wrong_one_makes_nothing;
    a_species_is_dumped_to_be_edited_and_made;
    a_sheet_shows_any_model;
    an_error_that_nobody_hears_has_its_exit_code;
    an_interrupt_that_nobody_hears_is_130;
    it_ends_when_it_is_asked_to_whatever_it_is_doing;
};
