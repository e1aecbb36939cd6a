//! The live window, driven as a person would: under Xvfb, with keys and sizes from outside.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt, InputFocus};

use crate::support;
use crate::support::desktop::{
    Keyboard, PATIENCE, Program, Screen, focus, focused, keysym, program_command, resize, window_of, windows,
};
use crate::support::own_shaders;

/// Beginning of the log's line about a picture, after its level and module; messages on the screen are logged too.
const WRITTEN: &str = "] picture written to ";

fn picture(program: &mut Program, keyboard: &Keyboard) -> (PathBuf, image::RgbImage) {
    keyboard.tap(keysym::F12);
    let line = program.wait_for(WRITTEN);
    let path = PathBuf::from(line.split(WRITTEN).nth(1).expect("a path").trim());
    let image = image::open(&path).expect("a whole picture").into_rgb8();
    (path, image)
}

/// Presses the key of a scene and 30 ms later, while it is being loaded, F12: the picture must be that scene's first
/// moment, as `shot` draws it.
fn check_scene_key(program: &mut Program, keyboard: &Keyboard, folder: &Path, digit: u32, scene: &str) {
    keyboard.tap(digit);
    std::thread::sleep(APART);
    check_picture(program, keyboard, folder, scene, (320, 180));
}

/// As hands on a keyboard are: faster than a scene is loaded.
const APART: Duration = Duration::from_millis(30);

/// Presses F12: the picture must be a scene's first moment, as `shot` draws it in that size.
fn check_picture(program: &mut Program, keyboard: &Keyboard, folder: &Path, scene: &str, size: (u32, u32)) {
    let (path, picture) = picture(program, keyboard);
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    assert!(name.starts_with(&format!("pelagic-{scene}-")), "{name}");
    let size = format!("{}x{}", size.0, size.1);
    let mut shot = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    shot.args(["shot", "--quality", "low", "--time", "0", "--size", &size, "--scene", scene, "--out", "shot.png"]);
    let shot = shot.current_dir(folder).env("LIBGL_ALWAYS_SOFTWARE", "1").output().expect("it starts");
    assert!(shot.status.success(), "{}", String::from_utf8_lossy(&shot.stderr));
    let wanted = image::open(folder.join("shot.png")).expect("a whole picture").into_rgb8();
    assert_eq!(picture.dimensions(), wanted.dimensions());
    let difference: u64 = picture.iter().zip(wanted.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let mean = difference as f64 / wanted.len() as f64;
    eprintln!("{scene} right after its key differs from `shot` by {mean:.3} of 255 on average");
    // A few frames may have been drawn since; with the models of one scene in the frame of another it is 49.
    assert!(mean < 4.0, "{mean} of 255: {}", path.display());
}

fn it_opens_hears_keys_changes_size_and_closes() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Program::start(&screen, folder.path(), &[], &[]);
    program.wait_for("first frame after");

    let (connection, root) = screen.connect();
    let (window, keyboard) = focused(&connection, root);

    keyboard.tap(keysym::F1);
    program.wait_for("key: Help");
    keyboard.tap(keysym::SPACE);
    program.wait_for("key: Pause");

    let (first_path, still) = picture(&mut program, &keyboard);
    assert_eq!(still.dimensions(), (320, 180));
    let (second_path, again) = picture(&mut program, &keyboard);
    assert_ne!(first_path, second_path, "a picture never overwrites another");
    assert!(still == again, "the world stands still while it is stopped");
    keyboard.tap(keysym::F12);
    keyboard.tap(keysym::F12);
    let [one, other] = [0, 1].map(|_| program.wait_for(WRITTEN));
    assert_ne!(one, other, "nor one that is still being written");
    keyboard.send(keysym::W, true);
    let moved = (0..50).any(|_| picture(&mut program, &keyboard).1 != still);
    keyboard.send(keysym::W, false);
    assert!(moved, "W swims forward");

    // X11 knows no window of 0 x 0; 1 x 1 is the least.
    resize(&connection, window, 1, 1);
    program.wait_for("window: 1 x 1");
    resize(&connection, window, 200, 400);
    program.wait_for("window: 200 x 400");
    assert_eq!(picture(&mut program, &keyboard).1.dimensions(), (200, 400));

    connection.unmap_window(window).expect("sent");
    connection.map_window(window).expect("sent");
    connection.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME).expect("sent");
    keyboard.tap(keysym::F11);
    program.wait_for("key: FullScreen");

    // Full screen is a window manager's doing, so here one Esc closes the help and the next the program; with it in
    // place the first would leave full screen.
    keyboard.tap(keysym::ESCAPE);
    program.wait_for("key: Escape");
    keyboard.tap(keysym::ESCAPE);
    keyboard.tap(keysym::ESCAPE);
    let status = program.end();
    assert_eq!(status.code(), Some(0), "{}", program.said());
    assert!(!program.said().contains("ERROR"), "{}", program.said());
}

fn a_good_edit_shows_and_a_bad_one_changes_nothing() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    let write = |text: &str| {
        std::fs::write(folder.path().join("new"), text).expect("written");
        // As editors do it: the new file takes the old one's place.
        std::fs::rename(folder.path().join("new"), &file).expect("moved");
    };
    write("extends = \"open_blue\"\n");
    let mut program =
        Program::start(&screen, folder.path(), &["--scene", "mine.toml", "--set", "waves.wind_m_s=3"], &[]);
    program.wait_for("first frame after");
    let edited = Instant::now();
    write("extends = \"open_blue\"\n[water]\ntype = \"3C\"\n");
    program.wait_for("read again");
    let seconds = edited.elapsed().as_secs_f64();
    eprintln!("an edit was taken over after {seconds:.2} s");
    write("extends = \"open_blue\"\n[water]\ntipe = \"3C\"\n");
    program.wait_for("mine.toml:3");
    write("extends = \"open_blue\"\n[water]\ntype = \"II\"\n");
    program.wait_for("read again");
}

fn a_picture_right_after_a_scene_key_is_of_that_scene() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Program::start(&screen, folder.path(), &[], &[]);
    program.wait_for("first frame after");
    let (connection, root) = screen.connect();
    let (_, keyboard) = focused(&connection, root);
    // First to fewer models than the frame on the screen names, then to more.
    check_scene_key(&mut program, &keyboard, folder.path(), keysym::DIGIT_2, "open_blue");
    check_scene_key(&mut program, &keyboard, folder.path(), keysym::DIGIT_1, "reef");
    keyboard.tap(keysym::ESCAPE);
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
}

fn changes_that_come_faster_than_they_can_be_made_are_all_made() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    let write = |text: &str| std::fs::write(&file, text).expect("written");
    write("extends = \"open_blue\"\n");
    let mut program = Program::start(&screen, folder.path(), &["--scene", "mine.toml"], &[]);
    program.wait_for("first frame after");
    let (connection, root) = screen.connect();
    let (window, keyboard) = focused(&connection, root);
    // An edit that is good, one that is not, a key, a size, a picture.
    for edit in ["type = \"3C\"", "tipe = \"3C\""] {
        write(&format!("extends = \"open_blue\"\n[water]\n{edit}\n"));
        std::thread::sleep(APART);
    }
    keyboard.tap(keysym::DIGIT_1);
    std::thread::sleep(APART);
    resize(&connection, window, 240, 300);
    std::thread::sleep(APART);
    check_picture(&mut program, &keyboard, folder.path(), "reef", (240, 300));
    // Two scenes at once: the second is shown.
    keyboard.tap(keysym::DIGIT_1);
    keyboard.tap(keysym::DIGIT_2);
    std::thread::sleep(APART);
    check_picture(&mut program, &keyboard, folder.path(), "open_blue", (240, 300));
    keyboard.tap(keysym::ESCAPE);
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
    assert_eq!(support::half_written(folder.path()), [""; 0]);
}

fn what_the_renderer_refuses_leaves_the_picture_as_it_was() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = own_shaders(folder.path()).join("mesh.frag.glsl");
    let good = std::fs::read_to_string(&file).expect("text");
    let broken = |line: &str| good.replacen("void main", &format!("{line}\nvoid main"), 1);
    // Wrong only where there are lamps, of which the first scene has none.
    std::fs::write(&file, broken("#if LIGHTS\nbroken;\n#endif")).expect("written");
    let mut program = Program::start(&screen, folder.path(), &["--shaders", "mine"], &[]);
    program.wait_for("first frame after");
    let (connection, root) = screen.connect();
    let (_, keyboard) = focused(&connection, root);
    keyboard.tap(keysym::SPACE);
    program.wait_for("key: Pause");
    let (_, still) = picture(&mut program, &keyboard);
    keyboard.tap(keysym::L);
    program.wait_for("mesh.frag.glsl:");
    assert!(picture(&mut program, &keyboard).1 == still, "a torch that cannot be lit changes nothing");

    // Wrong everywhere: the last good shaders stay, for another scene too.
    std::fs::write(&file, broken("broken;")).expect("written");
    program.wait_for("mesh.frag.glsl:");
    assert!(picture(&mut program, &keyboard).1 == still, "a shader that fails changes nothing");
    check_scene_key(&mut program, &keyboard, folder.path(), keysym::DIGIT_1, "reef");

    std::fs::write(&file, &good).expect("written");
    program.wait_for("shaders read again");
    keyboard.tap(keysym::SPACE);
    let (_, dark) = picture(&mut program, &keyboard);
    keyboard.tap(keysym::L);
    program.wait_for("key: Torch");
    assert!(picture(&mut program, &keyboard).1 != dark, "the torch is lit");
    keyboard.tap(keysym::ESCAPE);
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
}

fn a_bad_shader_keeps_the_last_good_one_and_says_where() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let shaders = own_shaders(folder.path());
    let mut program = Program::start(&screen, folder.path(), &["--shaders", "mine"], &[]);
    program.wait_for("first frame after");
    let file = shaders.join("tonemap.frag.glsl");
    let good = std::fs::read_to_string(&file).expect("text");
    std::fs::write(&file, good.replacen("void main", "broken;\nvoid main", 1)).expect("written");
    let line = 1 + good.lines().position(|line| line.contains("void main")).expect("a main");
    program.wait_for(&format!("tonemap.frag.glsl:{line}"));
    std::fs::write(&file, good).expect("written");
    program.wait_for("shaders read again");
}

fn ctrl_c_ends_it_cleanly_with_130() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Program::start(&screen, folder.path(), &[], &[]);
    program.wait_for("first frame after");
    signal("INT", program.process.id());
    assert_eq!(program.end().code(), Some(130), "{}", program.said());
    let told = ["a second on average", "1 frame\n"].iter().any(|told| program.said().contains(told));
    assert!(told, "it ended by itself: {}", program.said());
}

fn it_ends_when_it_is_asked_to_while_it_opens_or_records() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    for said in ["OpenGL 4.5 core", "the world was made", "first frame after"] {
        let mut program = Program::start(&screen, folder.path(), &["--fish", "3000"], &[]);
        program.wait_for(said);
        let asked = Instant::now();
        signal("TERM", program.process.id());
        assert_eq!(program.end().code(), Some(130), "after \"{said}\": {}", program.said());
        support::say(&format!("asked to end after \"{said}\": {:.2?}", asked.elapsed()));
    }
    let mut program = Program::start(&screen, folder.path(), &[], &[]);
    program.wait_for("first frame after");
    let (connection, root) = screen.connect();
    let (_, keyboard) = focused(&connection, root);
    write_something(&mut program, &keyboard);
    signal("TERM", program.process.id());
    assert_eq!(program.end().code(), Some(130), "{}", program.said());
    assert_eq!(support::half_written(folder.path()), [""; 0]);
}

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

/// Has the program record, and write a picture and a benchmark.
fn write_something(program: &mut Program, keyboard: &Keyboard) {
    keyboard.tap(keysym::B);
    program.wait_for("key: Benchmark");
    std::thread::sleep(Duration::from_millis(500));
    keyboard.tap(keysym::F12);
    keyboard.tap(keysym::B);
    program.wait_for("key: Screenshot");
}

/// The demo writing something, and a benchmark.
fn demo_and_bench(screen: &Screen, folder: &Path) -> [Program; 2] {
    let mut demo = Program::start(screen, folder, &[], &[]);
    demo.wait_for("first frame after");
    let (connection, root) = screen.connect();
    let (first, keyboard) = focused(&connection, root);
    let mut bench = program_command(screen, folder);
    bench.args(["bench", "--window", "--size", "320x180", "--quality", "low", "--frames", "100000", "--out", "bench"]);
    let mut bench = Program::spawn(&mut bench);
    bench.wait_for("run 1 of 3");
    // Side by side: nothing is drawn in a window that is covered.
    let aside = ConfigureWindowAux::new().x(400);
    let new = windows(&connection, root).into_iter().find(|window| *window != first).expect("a second window");
    connection.configure_window(new, &aside).expect("sent");
    focus(&keyboard, first);
    write_something(&mut demo, &keyboard);
    [demo, bench]
}

/// Asserts that programs end with a sentence, exit code 1 and nothing half written.
fn check_lost(programs: [Program; 2], folder: &Path, sentence: &str) {
    for mut program in programs {
        let lost = Instant::now();
        assert_eq!(program.end().code(), Some(1), "{}", program.said());
        support::say(&format!("it ended after {:.2?}: {}", lost.elapsed(), program.heard.last().expect("it spoke")));
        assert!(program.said().contains(sentence), "{}", program.said());
        assert!(!program.said().contains("panicked"), "{}", program.said());
    }
    assert_eq!(support::half_written(folder), [""; 0]);
}

fn a_display_server_that_ends_is_a_sentence_and_1() {
    let mut screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let programs = demo_and_bench(&screen, folder.path());
    screen.server.kill().expect("it runs");
    check_lost(programs, folder.path(), "the display server is gone");
}

fn a_display_server_that_stops_is_a_sentence_and_1_but_not_one_that_only_pauses() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut programs = demo_and_bench(&screen, folder.path());
    signal("STOP", screen.server.id());
    std::thread::sleep(Duration::from_secs(5));
    signal("CONT", screen.server.id());
    std::thread::sleep(Duration::from_secs(5));
    for program in &mut programs {
        assert!(program.process.try_wait().expect("a child").is_none(), "{}", program.said());
    }
    signal("STOP", screen.server.id());
    check_lost(programs, folder.path(), "it does not answer any more");
}

fn a_window_that_another_program_takes_away_is_a_sentence_and_1() {
    let screen = Screen::start(&[]);
    for by_its_connection in [true, false] {
        let folder = tempfile::tempdir().expect("a folder");
        let programs = demo_and_bench(&screen, folder.path());
        let (connection, root) = screen.connect();
        for window in windows(&connection, root) {
            match by_its_connection {
                true => connection.kill_client(window).expect("sent"),
                false => connection.destroy_window(window).expect("sent"),
            };
        }
        connection.flush().expect("sent");
        check_lost(programs, folder.path(), "taken the window away");
    }
}

fn b_records_what_is_on_the_screen() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Program::start(&screen, folder.path(), &[], &[]);
    program.wait_for("first frame after");
    let (connection, root) = screen.connect();
    let (_, keyboard) = focused(&connection, root);
    keyboard.tap(keysym::F3);
    program.wait_for("key: Statistics");

    // To its end.
    keyboard.tap(keysym::B);
    program.wait_for("recording 300 frames or 20 s");
    let said = program.wait_for("benchmark of ");
    assert!(said.contains("median "), "{said}");
    let report = recorded(&mut program, folder.path());
    assert_eq!((&report["settings"]["live"], &report["aborted"]), (&true.into(), &false.into()));
    assert_eq!(report["settings"]["size"], serde_json::json!([320, 180]));
    assert_eq!(report["runs"][0]["valid"], true, "{report}");
    assert!(report["runs"][0]["n"].as_u64().is_some_and(|n| n > 0 && n <= 300));

    // Spoiled by the window's losing its focus.
    keyboard.tap(keysym::B);
    program.wait_for("recording 300 frames or 20 s");
    connection.set_input_focus(InputFocus::PARENT, root, x11rb::CURRENT_TIME).expect("sent");
    connection.flush().expect("sent");
    program.wait_for("losing its focus");
    let report = recorded(&mut program, folder.path());
    assert_eq!((&report["aborted"], &report["runs"][0]["valid"]), (&true.into(), &false.into()));
}

/// The result that the program now writes, read from its folder.
fn recorded(program: &mut Program, folder: &Path) -> serde_json::Value {
    let line = program.wait_for("benchmark written to ");
    let (_, path) = line.split_once("written to ").expect("it was waited for");
    let path = folder.join(path.trim());
    assert!(path.join("report.html").exists() && path.join("frames.csv").exists(), "{}", path.display());
    let text = std::fs::read_to_string(path.join("result.json")).expect("written");
    serde_json::from_str(&text).expect("JSON")
}

fn quality_gives_way_to_a_budget_that_cannot_be_met_and_says_so() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let auto = ["--set", "render.target_ms=0.01", "--scene", "open_blue"];
    let mut process = program_command(&screen, folder.path());
    let mut program = Program::spawn(process.args(["-v", "--size", "320x180", "--no-sway"]).args(auto));
    program.wait_for("quality is chosen for 0.0 ms a frame, beginning with quality low, 100 % resolution");
    program.wait_for("quality low, 50 % resolution: frames took ");
}

fn bench_in_a_window_measures_the_same_frames_and_notices_a_lost_focus() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let bench = ["bench", "-v", "--window", "--size", "320x180", "--quality", "low", "--warmup-frames", "2"];
    let mut command = program_command(&screen, folder.path());
    let mut program = Program::spawn(command.args(bench).args(["--frames", "5", "--runs", "1", "--out", "whole"]));
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
    let mut command = program_command(&screen, folder.path());
    let off = ["bench", "--offscreen", "--size", "320x180", "--quality", "low", "--warmup-frames", "2"];
    let mut program = Program::spawn(command.args(off).args(["--frames", "5", "--runs", "1", "--out", "off"]));
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
    let read = |name: &str| -> serde_json::Value {
        let text = std::fs::read_to_string(folder.path().join(name).join("result.json")).expect("written");
        serde_json::from_str(&text).expect("JSON")
    };
    let (whole, off) = (read("whole"), read("off"));
    assert_eq!(whole["settings"]["frame_end"], "swap");
    assert_eq!(whole["runs"][0]["state_hash"], off["runs"][0]["state_hash"]);
    assert_eq!(whole["settings"]["scene_hash"], off["settings"]["scene_hash"]);

    let mut command = program_command(&screen, folder.path());
    let mut program = Program::spawn(command.args(bench).args(["--frames", "100000", "--runs", "1", "--out", "lost"]));
    program.wait_for("run 1 of 1");
    let (connection, root) = screen.connect();
    let window = window_of(&connection, root);
    // Focus comes and goes until it goes while measuring: what happens before a run begins is forgiven.
    let until = Instant::now() + PATIENCE;
    while program.process.try_wait().expect("a child").is_none() {
        assert!(Instant::now() < until, "a lost focus ends nothing: {}", program.said());
        for holder in [window, root] {
            connection.set_input_focus(InputFocus::PARENT, holder, x11rb::CURRENT_TIME).expect("sent");
            connection.flush().expect("sent");
            if let Ok(line) = program.lines.recv_timeout(Duration::from_millis(300)) {
                program.heard.push(line);
            }
        }
    }
    assert_eq!(program.end().code(), Some(1), "{}", program.said());
    assert!(program.said().contains("no run was measured undisturbed"), "{}", program.said());
    let lost = read("lost");
    assert!(lost["runs"].as_array().expect("a list").iter().all(|run| run["valid"] == false), "{lost}");
    let said: Vec<_> = lost["warnings"].as_array().expect("a list").iter().map(|warning| &warning["code"]).collect();
    assert!(said.contains(&&"disturbed".into()), "{said:?}");
}

fn without_egl_it_uses_glx_and_without_glx_egl() {
    let folder = tempfile::tempdir().expect("a folder");
    let screen = Screen::start(&[]);
    let no_egl = [("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent")];
    let mut program = Program::start(&screen, folder.path(), &["--frames", "3"], &no_egl);
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
    assert!(program.said().contains("(X11, GLX"), "{}", program.said());

    let screen = Screen::start(&["-extension", "GLX"]);
    let mut program = Program::start(&screen, folder.path(), &["--frames", "3"], &[]);
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
    assert!(program.said().contains("(X11, EGL"), "{}", program.said());
}

fn an_old_opengl_is_three_sentences_and_3() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let old = [("MESA_GL_VERSION_OVERRIDE", "3.2"), ("MESA_GLES_VERSION_OVERRIDE", "2.0")];
    let mut program = Program::start(&screen, folder.path(), &["--frames", "3"], &old);
    assert_eq!(program.end().code(), Some(3), "{}", program.said());
    for text in [
        "too old",
        "OpenGL 3.3 core or OpenGL ES 3.0 is needed",
        "LIBGL_ALWAYS_SOFTWARE=1",
        "OpenGL 3.3 core, robust: ",
    ] {
        assert!(program.said().contains(text), "\"{text}\" is not in {}", program.said());
    }
}

fn a_display_that_lacks_what_windows_need_is_no_panic() {
    let screen = Screen::start(&["-extension", "RANDR"]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Program::start(&screen, folder.path(), &["--frames", "3"], &[]);
    assert_eq!(program.end().code(), Some(3), "{}", program.said());
    assert!(program.said().contains("no window can be opened"), "{}", program.said());
    assert!(!program.said().contains("panicked"), "{}", program.said());
}

fn a_display_of_a_few_colours_is_named_for_what_it_is() {
    let screen = Screen::start(&["-screen", "0", "800x600x8"]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Program::start(&screen, folder.path(), &["--frames", "3"], &[]);
    assert_eq!(program.end().code(), Some(3), "{}", program.said());
    for text in ["too few colours for OpenGL", "8 bits a pixel", "1280x720x24", "pelagic --headless"] {
        assert!(program.said().contains(text), "\"{text}\" is not in {}", program.said());
    }
    assert!(!program.said().contains("panicked"), "{}", program.said());
}

fn a_start_on_a_plain_screen_warns_of_nothing() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = program_command(&screen, folder.path());
    let mut program = Program::spawn(command.args(["--size", "320x180", "--quality", "low", "--frames", "3"]));
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
    assert!(!program.said().contains("WARN"), "{}", program.said());
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    it_opens_hears_keys_changes_size_and_closes;
    a_good_edit_shows_and_a_bad_one_changes_nothing;
    a_picture_right_after_a_scene_key_is_of_that_scene;
    changes_that_come_faster_than_they_can_be_made_are_all_made;
    what_the_renderer_refuses_leaves_the_picture_as_it_was;
    a_bad_shader_keeps_the_last_good_one_and_says_where;
    ctrl_c_ends_it_cleanly_with_130;
    it_ends_when_it_is_asked_to_while_it_opens_or_records;
    a_display_server_that_ends_is_a_sentence_and_1;
    a_display_server_that_stops_is_a_sentence_and_1_but_not_one_that_only_pauses;
    a_window_that_another_program_takes_away_is_a_sentence_and_1;
    b_records_what_is_on_the_screen;
    quality_gives_way_to_a_budget_that_cannot_be_met_and_says_so;
    bench_in_a_window_measures_the_same_frames_and_notices_a_lost_focus;
    without_egl_it_uses_glx_and_without_glx_egl;
    an_old_opengl_is_three_sentences_and_3;
    a_display_that_lacks_what_windows_need_is_no_panic;
    a_display_of_a_few_colours_is_named_for_what_it_is;
    a_start_on_a_plain_screen_warns_of_nothing;
};
