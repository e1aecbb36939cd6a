//! Conventions that people know from other programs: help with examples, a version, `-`, settings of their own.

use std::fs::File;
use std::io::pipe;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support;

/// The program without a display, whose user's home is `folder`'s `home`.
fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    command.args(arguments).current_dir(folder).env("HOME", folder.join("home"));
    let of_the_user = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG"].into_iter().chain(of_the_user) {
        command.env_remove(variable);
    }
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether there is no OpenGL for the rest of a test.
const NO_EGL: (&str, &str) = ("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent");

fn help_has_examples_and_the_keys_and_every_example_is_understood() {
    let folder = tempfile::tempdir().expect("a folder");
    let help = text(&run(folder.path(), &["--help"]).stdout);
    for part in ["Examples:", "Keys in the window:", "F12", "Space", "--list-scenes", "--out"] {
        assert!(help.contains(part), "\"{part}\" is not in:\n{help}");
    }
    let mut examples = 0;
    let mut commands = vec![Vec::new()];
    while let Some(command) = commands.pop() {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let help = text(&run(folder.path(), &words).stdout);
        assert!(!help.is_empty(), "{words:?}");
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        // What is indented further goes on with an explanation.
        let names =
            listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
        let names = names.map(str::to_owned);
        // Its own `help` lists the same again.
        let below = names.filter(|name| name != "help").map(|name| [command.clone(), vec![name]].concat());
        commands.extend(below.collect::<Vec<_>>());
        let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1).take_while(|line| !line.is_empty());
        for line in lines {
            // The command before the explanation and before the shell's signs.
            let said =
                line.trim().split("  ").next().unwrap_or_default().split([';', '|', '>']).next().unwrap_or_default();
            let words: Vec<&str> = said.split_whitespace().skip(1).chain(["--help"]).collect();
            // `--help` ends a command whose words were understood as far as they came.
            let output = run(folder.path(), &words);
            assert_eq!(output.status.code(), Some(0), "{said}: {}", text(&output.stderr));
            examples += 1;
        }
    }
    assert!(examples > 15, "only {examples} examples");
}

fn the_version_says_how_it_was_built() {
    let folder = tempfile::tempdir().expect("a folder");
    let version = text(&run(folder.path(), &["--version"]).stdout);
    let number = env!("CARGO_PKG_VERSION");
    let built = version.trim().strip_prefix(&format!("pelagic {number}")).expect("name and number");
    if cfg!(debug_assertions) {
        assert_eq!(built, " (debug build)");
    } else if !built.is_empty() {
        let commit = built.trim_start_matches(" (").trim_end_matches(')').trim_end_matches("-dirty");
        assert!(commit.len() >= 7 && commit.chars().all(|c| c.is_ascii_hexdigit()), "{version}");
    }
}

fn the_doctor_tells_of_the_machine_and_draws_the_same_picture_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = command(folder.path(), &["doctor"]).env("LIBGL_ALWAYS_SOFTWARE", "1").output().expect("it starts");
    let page = text(&told.stdout);
    assert_eq!(told.status.code(), Some(0), "{page}{}", text(&told.stderr));
    let names =
        ["pelagic ", "machine ", "processor ", "environment ", "display ", "settings ", "OpenGL ", "self-test "];
    for name in names {
        assert!(page.lines().any(|line| line.starts_with(name)), "no {name}in:\n{page}");
    }
    assert!(page.contains("LIBGL_ALWAYS_SOFTWARE=1") && page.contains("the same both times: "), "{page}");
    assert!(page.contains("settings      ~/.config"), "the user's name is left out:\n{page}");
    assert!(!folder.path().join("out").exists() && !folder.path().join("home/.config").exists(), "nothing is made");

    // One that a terminal would start instead, and a card of OpenGL ES alone.
    let other = folder.path().join("bin/pelagic");
    std::fs::create_dir(folder.path().join("bin")).and_then(|()| std::fs::write(&other, "")).expect("written");
    let mut doctor = command(folder.path(), &["doctor"]);
    doctor.env("LIBGL_ALWAYS_SOFTWARE", "1").env("PATH", folder.path().join("bin")).env("PELAGIC_OPENGL", "es");
    let told = doctor.output().expect("it starts");
    let page = text(&told.stdout);
    for part in ["another one on the PATH: ", ", OpenGL ES 3.", "device 0: ", "the same both times: "] {
        assert!(page.contains(part), "no {part}in:\n{page}");
    }

    let (variable, nowhere) = NO_EGL;
    let told = command(folder.path(), &["doctor"]).env(variable, nowhere).output().expect("it starts");
    assert_eq!(told.status.code(), Some(3));
    assert!(text(&told.stdout).contains("OpenGL        none\n"), "{}", text(&told.stdout));
    assert!(text(&told.stderr).contains("there is no OpenGL"), "{}", text(&told.stderr));
}

fn shells_are_given_completions() {
    let folder = tempfile::tempdir().expect("a folder");
    for (shell, sign) in [("bash", "complete -F"), ("zsh", "#compdef pelagic"), ("fish", "complete -c pelagic")] {
        let told = run(folder.path(), &["completions", shell]);
        let script = text(&told.stdout);
        assert!(told.status.success() && script.contains(sign) && script.contains("headless"), "{shell}");
    }
    assert_eq!(run(folder.path(), &["completions", "cmd"]).status.code(), Some(2));
}

fn scenes_are_listed_from_the_top() {
    let folder = tempfile::tempdir().expect("a folder");
    let [top, of_scene] =
        [&["--list-scenes"][..], &["scene", "list"]].map(|words| text(&run(folder.path(), words).stdout));
    assert!(top.contains("open_blue"), "{top}");
    assert_eq!(top, of_scene);
    let stray = run(folder.path(), &["--list-scenes", "shot", "-o", "a.png"]);
    assert_eq!(stray.status.code(), Some(2), "{}", text(&stray.stderr));
}

fn a_shot_goes_to_standard_output_and_a_closed_or_full_one_is_no_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let shot = ["shot", "-o", "-", "--size", "64x36", "--time", "0", "--quality", "low", "--scene", "calibration"];
    let output = run(folder.path(), &shot);
    if output.status.code() == Some(3) {
        support::skip("there is no usable OpenGL");
    }
    assert!(output.status.success(), "{}", text(&output.stderr));
    let picture = image::load_from_memory(&output.stdout).expect("a PNG and nothing else");
    assert_eq!((picture.width(), picture.height()), (64, 36));
    assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 0, "no file is named -");

    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    let full = File::options().write(true).open("/dev/full").expect("it is everywhere");
    for (stdout, code) in [(Stdio::from(writer), 0), (full.into(), 1)] {
        let output = command(folder.path(), &shot).stdout(stdout).stderr(Stdio::piped()).output().expect("it starts");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(!said.contains("panicked"), "{said}");
        assert_eq!(said.contains("standard output cannot be written"), code == 1, "{said}");
    }
}

fn how_far_it_is_is_shown_on_a_terminal_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let make = ["forge", "make", "sardine", "clownfish", "-o", "made"];
    let in_a_pipe = run(folder.path(), &make);
    assert!(in_a_pipe.status.success());
    let lines = text(&in_a_pipe.stderr);
    assert!(!lines.contains(['\x1b', '\r']) && !lines.contains('%'), "{lines}");
    let on_a_terminal = |more: &str| {
        let mut script = Command::new("script");
        let line = format!("{} {} {more}", env!("CARGO_BIN_EXE_pelagic"), make.join(" "));
        script
            .args(["-qec", &line, "/dev/null"])
            .current_dir(folder.path())
            .env("TERM", "xterm")
            .env_remove("RUST_LOG");
        script.stdin(Stdio::null()).output()
    };
    let Ok(output) = on_a_terminal("") else { support::skip("there is no `script`, which opens terminals") };
    let said = text(&output.stdout);
    assert!(said.contains("making") && said.contains('%'), "{said:?}");
    assert!(said.contains("sardine: "), "what is logged is there too: {said:?}");
    let quiet = text(&on_a_terminal("--quiet").expect("as before").stdout);
    assert!(!quiet.contains("making"), "{quiet:?}");
}

fn a_folder_that_was_named_and_cannot_be_written_is_2_before_anything_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "").expect("written");
    for out in ["file", "file/below", "/proc/none"] {
        let output = command(folder.path(), &["-o", out]).env(NO_EGL.0, NO_EGL.1).output().expect("it starts");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(out) && said.contains("cannot be written"), "{said}");
    }
}

fn with_a_file_in_the_way_the_picture_goes_to_the_users_own_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("out"), "").expect("written");
    let headless = ["--headless", "--size", "64x36", "--quality", "low", "--scene", "calibration"];
    let output = run(folder.path(), &headless);
    if output.status.code() == Some(3) {
        support::skip("there is no usable OpenGL");
    }
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.path().join("home/Pictures/still.png").is_file(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("home/Pictures/still.png"));
}

fn a_benchmark_that_out_does_not_take_goes_to_the_users_own_data() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("out"), "").expect("written");
    let bench =
        ["bench", "--size", "64x36", "--quality", "low", "--scene", "calibration", "--frames", "2", "--runs", "1"];
    let output = run(folder.path(), &[&bench[..], &["--warmup-frames", "1"]].concat());
    if output.status.code() == Some(3) {
        support::skip("there is no usable OpenGL");
    }
    let said = text(&output.stderr);
    assert!(output.status.success() && said.contains("out/bench") && said.contains("cannot be written"), "{said}");
    let own = folder.path().join("home/.local/share/pelagic/bench");
    let [result] = std::fs::read_dir(own).expect("made").collect::<Vec<_>>().try_into().expect("one result");
    let page = std::fs::read_to_string(result.expect("an entry").path().join("report.html")).expect("written");
    assert!(page.contains("<img src=\"data:image/jpeg;base64,"), "the scene is to be seen");
    assert!(page.len() < 150_000, "{} bytes", page.len());
}

fn settings_of_ones_own_are_below_arguments_and_wrong_ones_are_2_with_their_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = folder.path().join("home/.config/pelagic");
    std::fs::create_dir_all(&settings).expect("made");
    let said_of = |settings_say: &str, arguments: &[&str]| {
        std::fs::write(settings.join("config.toml"), settings_say).expect("written");
        let output = command(folder.path(), arguments).output().expect("it starts");
        (output.status.code(), text(&output.stderr), text(&output.stdout))
    };
    let (code, said, _) = said_of("[window]\nfulscreen = true\n", &["-v"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("config.toml:2:1: unknown field `fulscreen`"), "{said}");
    // Nothing else asks for them: a picture and a benchmark are what their arguments say.
    assert_eq!(said_of("nonsense", &["scene", "list"]).0, Some(0));

    let own = "quality = \"low\"\n[window]\nsize = [64, 36]\n";
    let (code, said, table) = said_of(own, &["-v", "--headless", "--scene", "calibration"]);
    if code == Some(3) {
        support::skip("there is no usable OpenGL");
    }
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("your own settings are those of") && said.contains(".config/pelagic/config.toml"), "{said}");
    assert!(table.contains("64x36") || table.contains("64 x 36"), "{table}");
    let (_, said, table) = said_of(own, &["-v", "--headless", "--scene", "calibration", "--size", "80x45"]);
    assert!(table.contains("80x45") || table.contains("80 x 45"), "{said}{table}");
    std::fs::remove_file(settings.join("config.toml")).expect("removed");
    let said = text(&command(folder.path(), &["-v"]).env(NO_EGL.0, NO_EGL.1).output().expect("it starts").stderr);
    assert!(said.contains("there are no settings of your own"), "{said}");
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    help_has_examples_and_the_keys_and_every_example_is_understood;
    the_version_says_how_it_was_built;
    the_doctor_tells_of_the_machine_and_draws_the_same_picture_twice;
    shells_are_given_completions;
    scenes_are_listed_from_the_top;
    a_shot_goes_to_standard_output_and_a_closed_or_full_one_is_no_panic;
    how_far_it_is_is_shown_on_a_terminal_alone;
    a_folder_that_was_named_and_cannot_be_written_is_2_before_anything_is_made;
    with_a_file_in_the_way_the_picture_goes_to_the_users_own_folder;
    a_benchmark_that_out_does_not_take_goes_to_the_users_own_data;
    settings_of_ones_own_are_below_arguments_and_wrong_ones_are_2_with_their_place;
};
