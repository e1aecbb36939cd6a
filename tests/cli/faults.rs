//! Files that are none, or cannot be written: the program ends soon, with a sentence, and loses nothing.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support;

/// Time after which a program counts as one that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program without a display, in `folder`.
fn pelagic(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("RUST_LOG");
    command.env("LIBGL_ALWAYS_SOFTWARE", "1");
    command
}

/// Runs it; one that hangs is ended and fails the test.
fn end_of(command: &mut Command) -> (Option<i32>, String) {
    let mut program = command.spawn().expect("the program starts");
    let began = Instant::now();
    while program.try_wait().expect("a child").is_none() {
        if began.elapsed() > PATIENCE {
            program.kill().expect("a child");
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    said(program.wait_with_output().expect("a child"))
}

fn said(output: Output) -> (Option<i32>, String) {
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!text.contains("panicked"), "{text}");
    (output.status.code(), text)
}

/// Asserts that it ends with `code` and says `words`; without OpenGL, where that is what it lacks, the test says so.
fn ends(command: &mut Command, code: i32, words: &str) {
    let (ended, text) = end_of(command);
    if ended == Some(3) {
        support::skip(&format!("there is no usable OpenGL: {text}"));
    }
    assert_eq!(ended, Some(code), "{command:?}: {text}");
    assert!(text.contains(words), "\"{words}\" is not in what {command:?} says: {text}");
}

fn room_of(files: &[(&str, &str)]) -> TempDir {
    let room = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(room.path().join(name), text).expect("written");
    }
    room
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().into_string().expect("UTF-8");
        if entry.path().is_dir() {
            found.extend(contents(&entry.path()).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).expect("readable"));
        }
    }
    found
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo is there").success());
}

/// Puts something in the way of a file.
type Obstacle = fn(&Path);

/// Obstacle in the way of a file, and its name.
const IN_THE_WAY: [(Obstacle, &str); 2] = [
    (make_pipe, "it is a pipe, not a file"),
    (|path| fs::create_dir(path).expect("made"), "it is a folder, not a file"),
];

fn a_scene_that_is_a_pipe_is_not_waited_for() {
    let room = room_of(&[
        ("base.toml", "extends = \"pipe.toml\""),
        ("model.toml", "[[species]]\nname = \"a\"\nmodel = \"pipe.ms3d\"\nlength_m = 1\ncount = 1"),
    ]);
    make_pipe(&room.path().join("pipe.toml"));
    make_pipe(&room.path().join("pipe.ms3d"));
    for scene in ["pipe.toml", "base.toml", "model.toml"] {
        ends(&mut pelagic(room.path(), &["scene", "check", scene]), 2, "it is a pipe, not a file");
    }
    ends(&mut pelagic(room.path(), &["scene", "check", "./pipe.ms3d"]), 2, "this is a model, not a scene");
    ends(&mut pelagic(room.path(), &["shot", "--scene", "base.toml", "--out", "a.png"]), 2, "it is a pipe");
}

fn a_model_or_a_texture_that_is_none_is_named() {
    for (make, what) in IN_THE_WAY {
        let room = room_of(&[]);
        make(&room.path().join("a.ms3d"));
        for command in [["info", "a.ms3d"].as_slice(), &["check", "a.ms3d"], &["pose", "a.ms3d", "--time", "0"]] {
            ends(&mut pelagic(room.path(), &[&["model"], command].concat()), 1, what);
        }
        let model = assets::read("sardine.ms3d").expect("one of ours");
        fs::write(room.path().join("sardine.ms3d"), model).expect("written");
        make(&room.path().join("sardine.png"));
        let check = ["model", "check", "--strict", "sardine.ms3d"];
        ends(&mut pelagic(room.path(), &check), 1, &format!("'sardine.png' cannot be read: {what}"));
    }
}

fn a_result_a_species_or_a_shader_that_is_none_is_named() {
    for (make, what) in IN_THE_WAY {
        let room = room_of(&[]);
        for name in ["result.json", "species.toml"] {
            make(&room.path().join(name));
        }
        // A folder may stand for the result in it, and this one has none.
        if room.path().join("result.json").is_file() {
            ends(&mut pelagic(room.path(), &["bench", "compare", "result.json", "result.json"]), 2, what);
        }
        ends(&mut pelagic(room.path(), &["bench", "compare", ".", "."]), 2, what);
        ends(&mut pelagic(room.path(), &["forge", "make", "--species", "species.toml", "--out", "made"]), 2, what);
        assert!(!room.path().join("made").exists());
        fs::create_dir(room.path().join("shaders")).expect("made");
        make(&room.path().join("shaders/tonemap.frag.glsl"));
        let shot = ["shot", "--size", "16x16", "--time", "0", "--shaders", "shaders", "--out", "a.png"];
        ends(&mut pelagic(room.path(), &shot), 2, what);
        assert!(!room.path().join("a.png").exists());
    }
}

fn a_picture_goes_where_a_link_leads_and_no_read_only_file_is_replaced() {
    let room = room_of(&[("old.png", "old"), ("real.png", "old")]);
    let path = |name: &str| room.path().join(name);
    fs::set_permissions(path("old.png"), fs::Permissions::from_mode(0o444)).expect("set");
    symlink("real.png", path("link.png")).expect("linked");
    symlink("gone.png", path("nowhere.png")).expect("linked");
    make_pipe(&path("pipe.png"));
    let shot = |out| pelagic(room.path(), &["shot", "--force", "--size", "16x16", "--time", "0", "--out", out]);
    ends(&mut shot("old.png"), 2, "old.png cannot be written: it is read-only");
    ends(&mut shot("nowhere.png"), 2, "it is a link to a file that is not there");
    ends(&mut shot("pipe.png"), 2, "it is a pipe, not a file");
    ends(&mut shot("link.png"), 0, "link.png");
    assert!(path("link.png").is_symlink());
    assert_eq!(fs::read(path("old.png")).expect("readable"), b"old");
    image::open(path("real.png")).expect("the picture");
}

const BENCH: [&str; 11] =
    ["bench", "--size", "64x48", "--quality", "low", "--scene", "open_blue", "--fish", "5", "--warmup-frames", "0"];

fn of_two_benchmarks_with_one_folder_the_second_measures_nothing() {
    let room = room_of(&[]);
    let endless = [&BENCH[..], &["--frames", "20", "--runs", "1000", "--out", "out"]].concat();
    let mut first = pelagic(room.path(), &endless).spawn().expect("starts");
    let mut stderr = BufReader::new(first.stderr.take().expect("piped"));
    let mut heard = String::new();
    while !heard.contains("run 2 of 1000") {
        if stderr.read_line(&mut heard).expect("text") == 0 {
            assert_eq!(first.wait().expect("a child").code(), Some(3), "{heard}");
            support::skip(&format!("there is no usable OpenGL: {heard}"));
        }
    }
    for force in [[].as_slice(), &["--force"]] {
        // Without EGL the second could not even begin to measure.
        let mut second = pelagic(room.path(), &[&BENCH[..], &["--out", "out"], force].concat());
        ends(second.env("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent"), 2, "another pelagic is writing into it");
    }
    assert!(Command::new("kill").args(["-INT", &first.id().to_string()]).status().expect("kill").success());
    stderr.read_to_string(&mut heard).expect("text");
    assert_eq!(first.wait().expect("a child").code(), Some(130), "{heard}");
    let names: Vec<String> = contents(&room.path().join("out")).into_keys().collect();
    assert_eq!(names, ["card.png", "frames.csv", "phases.csv", "report.html", "result.json"]);
}

/// The same with files of at most one block and no signal about it: writing fails as it does on a full disk.
fn on_a_full_disk(program: &Command) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]).arg(program.get_program());
    command.args(program.get_args()).current_dir(program.get_current_dir().expect("given"));
    command.env("LIBGL_ALWAYS_SOFTWARE", "1").env("MESA_SHADER_CACHE_DISABLE", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn on_a_full_disk_what_was_there_stays_to_the_byte() {
    let room = room_of(&[("mine.txt", "mine"), ("a.png", "an old picture")]);
    let bench = |more: &[&str]| {
        pelagic(room.path(), &[&BENCH[..], &["--frames", "20", "--runs", "1", "--out", ".", "--force"], more].concat())
    };
    let forge = pelagic(room.path(), &["forge", "make", "clownfish", "--out", ".", "--force"]);
    let shot = pelagic(room.path(), &["shot", "--size", "256x256", "--time", "0", "--out", "a.png", "--force"]);
    fs::create_dir(room.path().join("models")).expect("made");
    fs::write(room.path().join("models/clownfish.ms3d"), "old").expect("written");
    let (code, text) = end_of(&mut bench(&[]));
    if code == Some(3) {
        support::skip(&format!("there is no usable OpenGL: {text}"));
    }
    assert_eq!(code, Some(0), "{text}");
    let before = contents(room.path());
    assert_eq!(before.len(), 8, "{:?}", before.keys());
    for program in [bench(&[]), forge, shot] {
        ends(&mut on_a_full_disk(&program), 1, "File too large");
        assert!(contents(room.path()) == before, "{program:?} left {:?}", contents(room.path()).keys());
    }
    // And with room again the new one is whole, and nothing of the old one is left.
    ends(&mut bench(&["--format", "json"]), 0, "written to");
    let names: Vec<String> = contents(room.path()).into_keys().collect();
    assert_eq!(names, ["a.png", "mine.txt", "models/clownfish.ms3d", "result.json"]);
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    a_scene_that_is_a_pipe_is_not_waited_for;
    a_model_or_a_texture_that_is_none_is_named;
    a_result_a_species_or_a_shader_that_is_none_is_named;
    a_picture_goes_where_a_link_leads_and_no_read_only_file_is_replaced;
    of_two_benchmarks_with_one_folder_the_second_measures_nothing;
    on_a_full_disk_what_was_there_stays_to_the_byte;
};
