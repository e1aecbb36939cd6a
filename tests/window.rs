//! The live window, driven as a person would: under Xvfb, with keys and sizes from outside.
//!
//! Without Xvfb or without a usable OpenGL these are skipped, loudly; with `REQUIRE_GL=1` that is a failure.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xproto::{AtomEnum, ConfigureWindowAux, ConnectionExt, InputFocus, Window};
use x11rb::rust_connection::RustConnection;

mod support;

/// Longest that anything may take: the machine may be slow and busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// Keysyms, from X11's keysymdef.h.
mod keysym {
    pub const SPACE: u32 = 0x20;
    pub const DIGIT_1: u32 = 0x31;
    pub const DIGIT_2: u32 = 0x32;
    pub const W: u32 = 0x77;
    pub const ESCAPE: u32 = 0xff1b;
    pub const B: u32 = 0x62;
    pub const L: u32 = 0x6c;
    pub const F1: u32 = 0xffbe;
    pub const F3: u32 = 0xffc0;
    pub const F11: u32 = 0xffc8;
    pub const F12: u32 = 0xffc9;
}

/// A virtual screen, ended on drop.
struct Screen {
    server: Child,
    display: String,
}

impl Screen {
    /// Starts Xvfb on a display that is free.
    fn start(arguments: &[&str]) -> Option<Self> {
        let mut server = match Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1024x600x24", "-nolisten", "tcp"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
        {
            Ok(server) => server,
            Err(error) => {
                support::skip(&format!("Xvfb cannot be started: {error} (Debian, Ubuntu: apt install xvfb)"));
                return None;
            }
        };
        let mut number = String::new();
        let told = BufReader::new(server.stdout.take().expect("piped")).read_line(&mut number);
        told.expect("Xvfb tells its display");
        assert!(!number.trim().is_empty(), "Xvfb ended at once");
        Some(Self { server, display: format!(":{}", number.trim()) })
    }

    fn connect(&self) -> (RustConnection, Window) {
        let (connection, screen) = RustConnection::connect(Some(&self.display)).expect("Xvfb answers");
        let root = connection.setup().roots[screen].root;
        (connection, root)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // If it has ended already there is nothing left to do.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The program on a virtual screen, without arguments yet.
fn program_command(screen: &Screen, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    command
        .current_dir(folder)
        .env("DISPLAY", &screen.display)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("RUST_LOG")
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env("XDG_PICTURES_DIR", folder.join("pictures"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// The program in a window, ended on drop.
struct Program {
    process: Child,
    lines: Receiver<String>,
    heard: Vec<String>,
}

impl Program {
    fn start(screen: &Screen, folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = program_command(screen, folder);
        command.args(["-v", "--size", "320x180", "--quality", "low", "--no-sway"]).args(arguments);
        Self::spawn(command.envs(variables.iter().copied()))
    }

    fn spawn(command: &mut Command) -> Self {
        let mut process = command.spawn().expect("the program starts");
        let (sender, lines) = channel();
        let stderr: ChildStderr = process.stderr.take().expect("piped");
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { process, lines, heard: Vec::new() }
    }

    /// Waits until the program has said `text`, and gives the line.
    fn wait_for(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        while let Ok(line) = self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            self.heard.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
        panic!("the program never said \"{text}\"; it said:\n{}", self.heard.join("\n"));
    }

    fn end(&mut self) -> ExitStatus {
        // The pipe closes with the program.
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.heard.push(line);
        }
        self.process.wait().expect("it has ended")
    }

    fn said(&self) -> String {
        self.heard.join("\n")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Hands on a keyboard: fake key presses by the XTEST extension, which the X server cannot tell from real ones.
struct Keyboard<'a> {
    connection: &'a RustConnection,
    root: Window,
    opcode: u8,
    first: u8,
    per_code: u8,
    keysyms: Vec<u32>,
}

impl<'a> Keyboard<'a> {
    fn new(connection: &'a RustConnection, root: Window) -> Self {
        let test = connection.extension_information("XTEST").expect("Xvfb answers").expect("Xvfb has XTEST");
        let setup = connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping =
            connection.get_keyboard_mapping(first, last - first + 1).expect("sent").reply().expect("answered");
        Self {
            connection,
            root,
            opcode: test.major_opcode,
            first,
            per_code: mapping.keysyms_per_keycode,
            keysyms: mapping.keysyms,
        }
    }

    fn tap(&self, keysym: u32) {
        self.send(keysym, true);
        self.send(keysym, false);
    }

    fn send(&self, keysym: u32, down: bool) {
        let at = self.keysyms.iter().position(|k| *k == keysym).expect("the keyboard has the key");
        let code = self.first + (at / usize::from(self.per_code)) as u8;
        // XTestFakeInput, as in xtestproto: minor opcode 2, 9 words; KeyPress is 2, KeyRelease 3; no delay.
        let mut request = [0_u8; 36];
        request[..2].copy_from_slice(&[self.opcode, 2]);
        request[2..4].copy_from_slice(&9_u16.to_ne_bytes());
        request[4..6].copy_from_slice(&[if down { 2 } else { 3 }, code]);
        request[12..16].copy_from_slice(&self.root.to_ne_bytes());
        let slices = [std::io::IoSlice::new(&request)];
        self.connection.send_request_without_reply(&slices, Vec::new()).expect("sent");
        self.connection.flush().expect("sent");
    }
}

/// The program's window, by the name it gives itself.
fn window_of(connection: &RustConnection, root: Window) -> Window {
    let tree = connection.query_tree(root).expect("sent").reply().expect("answered");
    let is_ours = |window: &Window| {
        let class = connection.get_property(false, *window, AtomEnum::WM_CLASS, AtomEnum::STRING, 0, 64);
        class.expect("sent").reply().is_ok_and(|class| class.value.starts_with(b"pelagic"))
    };
    tree.children.into_iter().find(is_ours).expect("the program has a window of its name")
}

/// The program's window, with the focus, which no window manager is there to give it, and the keyboard.
fn focused(connection: &RustConnection, root: Window) -> (Window, Keyboard<'_>) {
    let window = window_of(connection, root);
    connection.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME).expect("sent");
    (window, Keyboard::new(connection, root))
}

fn resize(connection: &RustConnection, window: Window, width: u32, height: u32) {
    let size = ConfigureWindowAux::new().width(width).height(height);
    connection.configure_window(window, &size).expect("sent");
    connection.flush().expect("sent");
}

fn picture(program: &mut Program, keyboard: &Keyboard) -> (PathBuf, image::RgbImage) {
    keyboard.tap(keysym::F12);
    let line = program.wait_for("picture written to ");
    let path = PathBuf::from(line.split("picture written to ").nth(1).expect("a path").trim());
    let image = image::open(&path).expect("a whole picture").into_rgb8();
    (path, image)
}

/// Presses the key of a scene and 30 ms later, while it is being loaded, F12: the picture must be that scene's first
/// moment, as `shot` draws it.
fn check_scene_key(program: &mut Program, keyboard: &Keyboard, folder: &Path, digit: u32, scene: &str) {
    keyboard.tap(digit);
    std::thread::sleep(Duration::from_millis(30));
    let (path, picture) = picture(program, keyboard);
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    assert!(name.starts_with(&format!("pelagic-{scene}-")), "{name}");
    let mut shot = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    shot.args(["shot", "--size", "320x180", "--quality", "low", "--time", "0", "--scene", scene, "--out", "shot.png"]);
    let shot = shot.current_dir(folder).env("LIBGL_ALWAYS_SOFTWARE", "1").output().expect("it starts");
    assert!(shot.status.success(), "{}", String::from_utf8_lossy(&shot.stderr));
    let wanted = image::open(folder.join("shot.png")).expect("a whole picture").into_rgb8();
    let difference: u64 = picture.iter().zip(wanted.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let mean = difference as f64 / wanted.len() as f64;
    eprintln!("{scene} right after its key differs from `shot` by {mean:.3} of 255 on average");
    // A few frames may have been drawn since; with the models of one scene in the frame of another it is 49.
    assert!(mean < 4.0, "{mean} of 255: {}", path.display());
}

#[test]
fn it_opens_hears_keys_changes_size_and_closes() {
    let Some(screen) = Screen::start(&[]) else { return };
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
    let [one, other] = [0, 1].map(|_| program.wait_for("picture written to "));
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

#[test]
fn a_good_edit_shows_and_a_bad_one_changes_nothing() {
    let Some(screen) = Screen::start(&[]) else { return };
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

/// A copy of the project's shaders, in the folder `mine`.
fn own_shaders(folder: &Path) -> PathBuf {
    let mine = folder.join("mine");
    let copy = |from: &Path, to: &Path| {
        std::fs::create_dir_all(to).expect("made");
        for entry in std::fs::read_dir(from).expect("the project's shaders").flatten().filter(|e| e.path().is_file()) {
            std::fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
        }
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    copy(&own, &mine);
    copy(&own.join("include"), &mine.join("include"));
    mine
}

#[test]
fn a_picture_right_after_a_scene_key_is_of_that_scene() {
    let Some(screen) = Screen::start(&[]) else { return };
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

#[test]
fn what_the_renderer_refuses_leaves_the_picture_as_it_was() {
    let Some(screen) = Screen::start(&[]) else { return };
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

#[test]
fn a_bad_shader_keeps_the_last_good_one_and_says_where() {
    let Some(screen) = Screen::start(&[]) else { return };
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

#[test]
fn ctrl_c_ends_it_cleanly_with_130() {
    let Some(screen) = Screen::start(&[]) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Program::start(&screen, folder.path(), &[], &[]);
    program.wait_for("first frame after");
    let killed = Command::new("kill").args(["-INT", &program.process.id().to_string()]).status();
    assert!(killed.expect("kill is there").success());
    assert_eq!(program.end().code(), Some(130), "{}", program.said());
    assert!(program.said().contains("a second on average"), "it ended by itself: {}", program.said());
}

#[test]
fn b_records_what_is_on_the_screen() {
    let Some(screen) = Screen::start(&[]) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Program::start(&screen, folder.path(), &[], &[]);
    program.wait_for("first frame after");
    let (connection, root) = screen.connect();
    let (_, keyboard) = focused(&connection, root);
    keyboard.tap(keysym::F3);
    program.wait_for("key: Statistics");

    // To its end.
    keyboard.tap(keysym::B);
    program.wait_for("recording 300 frames");
    let said = program.wait_for("benchmark of ");
    assert!(said.contains("median "), "{said}");
    let report = recorded(&mut program, folder.path());
    assert_eq!((&report["settings"]["live"], &report["aborted"]), (&true.into(), &false.into()));
    assert_eq!(report["settings"]["size"], serde_json::json!([320, 180]));
    assert_eq!(report["runs"][0]["valid"], true, "{report}");
    assert!(report["runs"][0]["n"].as_u64().is_some_and(|n| n > 0 && n <= 300));

    // Spoiled by the window's losing its focus.
    keyboard.tap(keysym::B);
    program.wait_for("recording 300 frames");
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

#[test]
fn quality_gives_way_to_a_budget_that_cannot_be_met_and_says_so() {
    let Some(screen) = Screen::start(&[]) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let auto = ["--set", "render.target_ms=0.01", "--scene", "open_blue"];
    let mut process = program_command(&screen, folder.path());
    let mut program = Program::spawn(process.args(["-v", "--size", "320x180", "--no-sway"]).args(auto));
    program.wait_for("quality is chosen for 0.0 ms a frame, beginning with quality low, 100 % resolution");
    program.wait_for("quality low, 50 % resolution: frames took ");
}

#[test]
fn bench_in_a_window_measures_the_same_frames_and_notices_a_lost_focus() {
    let Some(screen) = Screen::start(&[]) else { return };
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

#[test]
fn without_egl_it_uses_glx_and_without_glx_egl() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(screen) = Screen::start(&[]) else { return };
    let no_egl = [("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent")];
    let mut program = Program::start(&screen, folder.path(), &["--frames", "3"], &no_egl);
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
    assert!(program.said().contains("(X11, GLX"), "{}", program.said());

    let Some(screen) = Screen::start(&["-extension", "GLX"]) else { return };
    let mut program = Program::start(&screen, folder.path(), &["--frames", "3"], &[]);
    assert_eq!(program.end().code(), Some(0), "{}", program.said());
    assert!(program.said().contains("(X11, EGL"), "{}", program.said());
}

#[test]
fn an_old_opengl_is_three_sentences_and_3() {
    let Some(screen) = Screen::start(&[]) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let old = [("MESA_GL_VERSION_OVERRIDE", "3.2")];
    let mut program = Program::start(&screen, folder.path(), &["--frames", "3"], &old);
    assert_eq!(program.end().code(), Some(3), "{}", program.said());
    for text in ["too old", "OpenGL 3.3 core is needed", "LIBGL_ALWAYS_SOFTWARE=1", "OpenGL 3.3 core, robust: "] {
        assert!(program.said().contains(text), "\"{text}\" is not in {}", program.said());
    }
}

#[test]
fn a_display_that_lacks_what_windows_need_is_no_panic() {
    let Some(screen) = Screen::start(&["-extension", "RANDR"]) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    // Nothing off-screen either, so that nothing is drawn in place of the window.
    let no_egl = [("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent")];
    let mut program = Program::start(&screen, folder.path(), &["--frames", "3"], &no_egl);
    assert_eq!(program.end().code(), Some(3), "{}", program.said());
    assert!(program.said().contains("no window can be opened"), "{}", program.said());
    assert!(!program.said().contains("panicked"), "{}", program.said());
}
