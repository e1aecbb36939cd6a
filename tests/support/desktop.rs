//! A virtual screen with the program's window on it, keys and sizes from outside.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConfigureWindowAux, ConnectionExt as _, InputFocus,
    KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use super::skip;

/// Longest that anything may take: the machine may be slow and busy.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Keysyms, from X11's keysymdef.h.
pub mod keysym {
    pub const SPACE: u32 = 0x20;
    pub const MINUS: u32 = 0x2d;
    pub const DIGIT_1: u32 = 0x31;
    pub const DIGIT_2: u32 = 0x32;
    pub const EQUAL: u32 = 0x3d;
    pub const R: u32 = 0x72;
    pub const W: u32 = 0x77;
    pub const B: u32 = 0x62;
    pub const D: u32 = 0x64;
    pub const F: u32 = 0x66;
    pub const G: u32 = 0x67;
    pub const L: u32 = 0x6c;
    pub const N: u32 = 0x6e;
    pub const O: u32 = 0x6f;
    pub const S: u32 = 0x73;
    pub const TAB: u32 = 0xff09;
    pub const ESCAPE: u32 = 0xff1b;
    pub const CONTROL: u32 = 0xffe3;
    pub const F1: u32 = 0xffbe;
    pub const F3: u32 = 0xffc0;
    pub const F11: u32 = 0xffc8;
    pub const F12: u32 = 0xffc9;
}

/// A virtual screen, ended on drop.
pub struct Screen {
    pub server: Child,
    pub display: String,
}

impl Screen {
    /// Starts Xvfb on a display that is free; without it the test is [skipped](skip).
    pub fn start(arguments: &[&str]) -> Self {
        let mut server = match Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1024x600x24", "-nolisten", "tcp"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
        {
            Ok(server) => server,
            Err(error) => skip(&format!("Xvfb cannot be started: {error} (Debian, Ubuntu: apt install xvfb)")),
        };
        let mut number = String::new();
        let told = BufReader::new(server.stdout.take().expect("piped")).read_line(&mut number);
        told.expect("Xvfb tells its display");
        assert!(!number.trim().is_empty(), "Xvfb ended at once");
        Self { server, display: format!(":{}", number.trim()) }
    }

    pub fn connect(&self) -> (RustConnection, Window) {
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
pub fn program_command(screen: &Screen, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    command
        .current_dir(folder)
        .env("DISPLAY", &screen.display)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("RUST_LOG")
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        // The settings and folders of whoever runs the tests are none of theirs.
        .env("HOME", folder.join("home"))
        .env_remove("XDG_CACHE_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_DATA_HOME")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// The program in a window, ended on drop.
pub struct Program {
    pub process: Child,
    pub lines: Receiver<String>,
    pub heard: Vec<String>,
}

impl Program {
    pub fn start(screen: &Screen, folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = program_command(screen, folder);
        command.args(["-v", "--size", "320x180", "--quality", "low", "--no-sway"]).args(arguments);
        Self::spawn(command.envs(variables.iter().copied()))
    }

    pub fn spawn(command: &mut Command) -> Self {
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
    pub fn wait_for(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        while let Ok(line) = self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            self.heard.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
        panic!("the program never said \"{text}\"; it said:\n{}", self.heard.join("\n"));
    }

    pub fn end(&mut self) -> ExitStatus {
        // The pipe closes with the program.
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.heard.push(line);
        }
        self.process.wait().expect("it has ended")
    }

    pub fn said(&self) -> String {
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
pub struct Keyboard<'a> {
    connection: &'a RustConnection,
    first: u8,
    per_code: u8,
    keysyms: Vec<u32>,
}

impl<'a> Keyboard<'a> {
    pub fn new(connection: &'a RustConnection) -> Self {
        let setup = connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping =
            connection.get_keyboard_mapping(first, last - first + 1).expect("sent").reply().expect("answered");
        Self { connection, first, per_code: mapping.keysyms_per_keycode, keysyms: mapping.keysyms }
    }

    pub fn tap(&self, keysym: u32) {
        self.send(keysym, true);
        self.send(keysym, false);
    }

    /// Presses a key while another is held.
    pub fn tap_with(&self, held: u32, keysym: u32) {
        self.send(held, true);
        self.tap(keysym);
        self.send(held, false);
    }

    /// Writes small letters, digits and blanks, whose keysyms are their codes.
    pub fn write(&self, text: &str) {
        text.chars().for_each(|letter| self.tap(letter.into()));
    }

    pub fn send(&self, keysym: u32, down: bool) {
        let at = self.keysyms.iter().position(|k| *k == keysym).expect("the keyboard has the key");
        let code = self.first + (at / usize::from(self.per_code)) as u8;
        fake(self.connection, if down { KEY_PRESS_EVENT } else { KEY_RELEASE_EVENT }, code, (0, 0));
    }
}

/// A hand on the mouse, as [`Keyboard`] is on the keys.
pub struct Mouse<'a> {
    connection: &'a RustConnection,
    root: Window,
    window: Window,
}

impl<'a> Mouse<'a> {
    /// Whose places are those in `window`.
    pub fn new(connection: &'a RustConnection, root: Window, window: Window) -> Self {
        Self { connection, root, window }
    }

    pub fn go(&self, (x, y): (i16, i16)) {
        let at = self.connection.translate_coordinates(self.window, self.root, x, y).expect("sent");
        let at = at.reply().expect("answered");
        fake(self.connection, MOTION_NOTIFY_EVENT, 0, (at.dst_x, at.dst_y));
    }

    pub fn button(&self, button: u8, down: bool) {
        fake(self.connection, if down { BUTTON_PRESS_EVENT } else { BUTTON_RELEASE_EVENT }, button, (0, 0));
    }

    pub fn click(&self, at: (i16, i16)) {
        self.go(at);
        self.button(1, true);
        self.button(1, false);
    }

    /// A notch of the wheel, away from the hand.
    pub fn wheel(&self) {
        self.button(4, true);
        self.button(4, false);
    }
}

fn fake(connection: &RustConnection, kind: u8, detail: u8, (x, y): (i16, i16)) {
    connection.xtest_fake_input(kind, detail, x11rb::CURRENT_TIME, x11rb::NONE, x, y, 0).expect("sent");
    connection.flush().expect("sent");
}

/// The program's windows, by the name it gives them.
pub fn windows(connection: &RustConnection, root: Window) -> Vec<Window> {
    let tree = connection.query_tree(root).expect("sent").reply().expect("answered");
    let is_ours = |window: &Window| {
        let class = connection.get_property(false, *window, AtomEnum::WM_CLASS, AtomEnum::STRING, 0, 64);
        class.expect("sent").reply().is_ok_and(|class| class.value.starts_with(b"pelagic"))
    };
    tree.children.into_iter().filter(is_ours).collect()
}

/// The program's one window.
pub fn window_of(connection: &RustConnection, root: Window) -> Window {
    *windows(connection, root).first().expect("the program has a window of its name")
}

/// The program's window, with the focus, and the keyboard.
pub fn focused(connection: &RustConnection, root: Window) -> (Window, Keyboard<'_>) {
    let (window, keyboard) = (window_of(connection, root), Keyboard::new(connection));
    focus(&keyboard, window);
    (window, keyboard)
}

/// Gives a window the focus, which no window manager is there to do.
pub fn focus(keyboard: &Keyboard<'_>, window: Window) {
    keyboard.connection.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME).expect("sent");
}

pub fn resize(connection: &RustConnection, window: Window, width: u32, height: u32) {
    let size = ConfigureWindowAux::new().width(width).height(height);
    connection.configure_window(window, &size).expect("sent");
    connection.flush().expect("sent");
}
