//! What the program answers to wrong arguments and to machines that cannot do it: a sentence and an exit code.

use std::path::Path;
use std::process::{Command, Output};

mod support;

/// Runs the program without a display in `folder`.
fn pelagic(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pelagic"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("RUST_LOG")
        .envs(variables.iter().copied())
        .output()
        .expect("the program starts")
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
const OLD: [(&str, &str); 1] = [("MESA_GL_VERSION_OVERRIDE", "3.2")];

#[test]
fn without_display_and_without_egl_it_is_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = pelagic(folder.path(), &[], &NO_EGL);
    refused(
        &output,
        3,
        &["no window can be opened", "DISPLAY is not set, WAYLAND_DISPLAY is not set", "no OpenGL to draw with"],
    );
    refused(&output, 3, &["libegl1"]);
    assert!(!folder.path().join("out/still.png").exists());
}

#[test]
fn a_display_that_does_not_answer_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let variables = [("DISPLAY", ":9753"), NO_EGL[0]];
    refused(&pelagic(folder.path(), &[], &variables), 3, &["DISPLAY is \":9753\"", "xvfb-run", "pelagic shot"]);
    let wayland = [("WAYLAND_DISPLAY", "wayland-none"), ("XDG_RUNTIME_DIR", "/nonexistent"), NO_EGL[0]];
    refused(&pelagic(folder.path(), &[], &wayland), 3, &["WAYLAND_DISPLAY is \"wayland-none\"", "pelagic shot"]);
}

#[test]
fn shot_without_usable_opengl_is_3_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let shot = |variables: &[(&str, &str)]| pelagic(folder.path(), &["shot", "--out", "a.png"], variables);
    refused(&shot(&NO_EGL), 3, &["no OpenGL to draw with", "apt install"]);
    // Where the driver is not Mesa's these variables change nothing.
    let mesa = pelagic(folder.path(), &["-v", "shot", "--size", "16x16", "--time", "0", "--out", "b.png"], &[]);
    if !String::from_utf8_lossy(&mesa.stderr).contains("Mesa") {
        return support::skip("there is no Mesa driver to break");
    }
    std::fs::remove_file(folder.path().join("b.png")).expect("it was written");
    refused(&shot(&NO_DRIVER), 3, &["no graphics driver works here", "LIBGL_ALWAYS_SOFTWARE=1"]);
    refused(&shot(&OLD), 3, &["too old", "OpenGL 3.3 core is needed", "OpenGL 3.2"]);
    let verbose = pelagic(folder.path(), &["shot", "-v", "--out", "a.png"], &OLD);
    refused(&verbose, 3, &["OpenGL 4.5 core, robust: ", "OpenGL 3.3 core: "]);
    assert!(is_empty(folder.path()));
}

#[test]
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
    refused(&shot(&["--camera", "nowhere"]), 2, &["no camera \"nowhere\"", "it has "]);
    refused(&shot(&["--set", "water.tipe=3C"]), 2, &["did you mean water.type"]);
    refused(&shot(&["--set", "waves.wind_m_s=nan"]), 2, &["waves.wind_m_s"]);
    refused(&shot(&["--quality", "best"]), 2, &["render.quality"]);
    refused(&shot(&["--fish", "4000000000"]), 2, &["at most"]);
    refused(&shot(&["--nonsense"]), 2, &["--nonsense"]);
    refused(&pelagic(folder.path(), &["--scene", "reef", "shot", "--out", "a.png"], &[]), 2, &["goes after `shot`"]);
    refused(&pelagic(folder.path(), &["--shaders", "nowhere"], &[]), 2, &["no such folder"]);
    assert!(is_empty(folder.path()));
}

#[test]
fn unwritable_places_are_found_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "").expect("written");
    // Without EGL the work could not even begin: the place was looked at first.
    let shot = |out: &str| pelagic(folder.path(), &["shot", "--out", out], &NO_EGL);
    refused(&shot("a.jpg"), 2, &["a.jpg", ".png", ".exr"]);
    refused(&shot("picture"), 2, &[".png", ".exr"]);
    refused(&shot("file/a.png"), 2, &["file/a.png cannot be written"]);
    refused(&shot("/proc/none/a.png"), 2, &["/proc/none/a.png cannot be written"]);
}

#[test]
fn a_shot_is_written_whole_and_twice_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let probe = pelagic(folder.path(), &["shot", "--size", "96x64", "--time", "1", "--out", "new/a.png"], &[]);
    if probe.status.code() == Some(3) {
        return support::skip("there is no usable OpenGL");
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

#[test]
fn a_species_file_makes_a_fish_and_a_wrong_one_makes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    let sound = include_str!("../crates/forge/src/swimmers/species/clownfish.toml");
    let made = |text: &str| {
        std::fs::write(&file, text).expect("written");
        pelagic(folder.path(), &["forge", "make", "--species", "mine.toml", "--out", "made"], &[])
    };
    let wrong = [
        (sound.replacen("kind = \"bars\"", "kind = \"zigzag\"", 1), "unknown variant `zigzag`"),
        (sound.replacen("length_m = ", "length_m = -", 1), "length_m: -0.09 is outside"),
        (sound.replacen("belly = [[0, -", "belly = [[0, 0.9], [0.001, -", 1), "the outline crosses itself"),
        (sound.replacen("[eye]", "[eye]\ncolour = 1", 1), "unknown field `colour`"),
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
