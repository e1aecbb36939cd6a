//! A session of somebody who keeps the window open, with keys and mouse, from the first change to the end.
//!
//! The screen is read back.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use image::RgbImage;
use x11rb::protocol::xproto::Window;
use x11rb::rust_connection::RustConnection;

use crate::support;
use crate::support::desktop::{Keyboard, Mouse, Program, Screen, focused, keysym, program_command, resize};
use crate::support::seen::{WindowManager, count_of, fields, look, look_for, mean};

/// A scene as somebody wrote it, on one line of which there is the type of its water.
const SCENE: &str = "\
# The bay in May, as we saw it.

[water]
type = \"IA\"      # clearer than one thinks
turbidity = 1.0

[seabed]
present = false   # too deep

[camera]
target_m = [0, -5, 11]     # near enough for any water

[render]
quality = \"low\"

# ---- who was there
[[species]]
name = \"sardine\"
model = \"builtin:sardine\"
count = 40

[[species]]
name = \"turtle\"
model = \"builtin:green_turtle\"
count = 2
";
/// Size of the window.
const SIZE: (u32, u32) = (800, 450);
/// The types of water in the order in which the panel has them.
const WATERS: usize = 10;
/// The place of 3C among them.
const WATER_3C: usize = 6;
/// Colour of errors: `theme::ERROR`.
const ERROR: [u8; 3] = [255, 160, 130];
/// A part of the picture on which nothing is written.
const WATER: (u32, u32, u32, u32) = (60, 60, 380, 150);
/// How long a picture stays as it is before it counts as settled: several frames of a slow machine.
const SETTLED: Duration = Duration::from_secs(1);

/// Somebody before the window.
struct Person<'a> {
    program: Program,
    connection: &'a RustConnection,
    window: Window,
    keyboard: Keyboard<'a>,
    mouse: Mouse<'a>,
}

impl Person<'_> {
    fn look(&self) -> RgbImage {
        look(self.connection, self.window)
    }

    fn look_for<T>(&self, what: &str, found: impl Fn(&RgbImage) -> Option<T>) -> T {
        look_for(self.connection, self.window, what, found)
    }

    /// The mean colour of the picture where nothing is written, once it has stayed as it is for `SETTLED`.
    ///
    /// Two looks alone may fall within one frame of a slow machine.
    fn water(&self) -> [f64; 3] {
        let last = Cell::new(([f64::NAN; 3], Instant::now()));
        self.look_for("a picture that stays", |seen| {
            let now = mean(seen, WATER);
            let (before, since) = last.get();
            if now != before {
                last.set((now, Instant::now()));
            }
            (now == before && since.elapsed() > SETTLED).then_some(now)
        })
    }

    /// The same, once `is_other` holds for it.
    fn other_water(&self, what: &str, is_other: impl Fn([f64; 3]) -> bool) -> [f64; 3] {
        self.look_for(what, |seen| is_other(mean(seen, WATER)).then_some(()));
        self.water()
    }

    /// Presses F12; gives the picture that is written.
    fn picture(&mut self) -> RgbImage {
        self.keyboard.tap(keysym::F12);
        image::open(self.wait_for_path("] picture written to ")).expect("a whole picture").into_rgb8()
    }

    fn wait_for_path(&mut self, said: &str) -> PathBuf {
        let line = self.program.wait_for(said);
        PathBuf::from(line.split(said).nth(1).expect("it was waited for").trim())
    }
}

/// As editors do it: the new file takes the old one's place.
fn write(file: &Path, text: &str) {
    let new = file.with_extension("new");
    fs::write(&new, text).expect("written");
    fs::rename(new, file).expect("moved");
}

fn has_error(seen: &RgbImage) -> bool {
    count_of(seen, ERROR) > 20
}

fn a_scene_is_changed_saved_broken_mended_followed_photographed_recorded_and_left() {
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bay.toml");
    write(&file, SCENE);
    let mut command = program_command(&screen, folder.path());
    let size = format!("{}x{}", SIZE.0, SIZE.1);
    command.args(["-v", "--lang", "en", "--no-sway", "--scene", "bay.toml", "--size", &size]);
    let mut program = Program::spawn(&mut command);
    program.wait_for("first frame after");
    let (connection, root) = screen.connect();
    let manager = WindowManager::new(&connection, root);
    let (window, keyboard) = focused(&connection, root);
    let mouse = Mouse::new(&connection, root, window);
    let mut person = Person { program, connection: &connection, window, keyboard, mouse };
    person.keyboard.tap(keysym::SPACE);
    person.program.wait_for("said: paused");

    change_the_water_and_save(&mut person, &file);
    break_the_file_and_mend_it(&mut person, &file);
    follow_and_photograph(&mut person);
    record(&mut person);

    person.keyboard.tap(keysym::F11);
    manager.wait_for_full_screen(true);
    resize(&connection, window, 1024, 600);
    person.program.wait_for("window: 1024 x 600");
    assert_eq!(person.picture().dimensions(), (1024, 600));
    person.keyboard.tap(keysym::ESCAPE);
    manager.wait_for_full_screen(false);

    // A picture asked for before the end is written by it.
    person.keyboard.tap(keysym::F12);
    person.keyboard.tap(keysym::ESCAPE);
    let status = person.program.end();
    let said = person.program.said();
    assert_eq!(status.code(), Some(0), "{said}");
    let pictures = fs::read_dir(folder.path().join("out")).expect("it is there").flatten();
    let pictures = pictures.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "png"));
    assert_eq!(pictures.count(), 4, "{said}");
    assert_eq!(support::half_written(folder.path()), [""; 0]);
    assert_eq!(fs::read_to_string(&file).expect("it is there"), SCENE.replace("\"IA\"", "\"II\""), "only saved once");
}

/// Looks for the types of water in the panel and clicks on one; saves with Ctrl S.
fn change_the_water_and_save(person: &mut Person<'_>, file: &Path) {
    person.keyboard.tap(keysym::TAB);
    person.keyboard.tap_with(keysym::CONTROL, keysym::F);
    person.keyboard.write("water type");
    let waters = person.look_for("ten types of water", |seen| fields(seen, WATERS));
    let before = person.water();
    assert!(!person.program.said().contains("resumed"), "what is typed is for the search alone");
    person.mouse.click(waters[WATER_3C]);
    person.program.wait_for("changed: --set 'water.type=\"3C\"'");
    let greener = |water: [f64; 3]| water[1] - water[2] > before[1] - before[2] + 4.0;
    let coastal = person.other_water("greener water", greener);
    assert!(greener(coastal), "coastal water stays greener: {coastal:?} after {before:?}");
    assert_eq!(fs::read_to_string(file).expect("it is there"), SCENE, "not saved yet");
    person.keyboard.tap_with(keysym::CONTROL, keysym::S);
    person.program.wait_for("scene written to ");
    assert_eq!(fs::read_to_string(file).expect("it is there"), SCENE.replace("\"IA\"", "\"3C\""));
}

/// With the panel open, in which what is wrong is shown.
fn break_the_file_and_mend_it(person: &mut Person<'_>, file: &Path) {
    person.water();
    let good = person.look();
    assert!(!has_error(&good));
    write(file, &SCENE.replace("type =", "tipe ="));
    person.program.wait_for("bay.toml:4");
    let broken = person.look_for("an error", |seen| has_error(seen).then(|| seen.clone()));
    assert_eq!(mean(&broken, WATER), mean(&good, WATER), "the last good scene stays, and stands still");
    write(file, &SCENE.replace("\"IA\"", "\"II\""));
    person.program.wait_for("scene \"bay\" read again");
    person.look_for("no error any more", |seen| (!has_error(seen)).then_some(()));
    let before = mean(&good, WATER);
    person.other_water("other water", |now| now.iter().zip(before).any(|(now, before)| (now - before).abs() > 4.0));
    person.keyboard.tap(keysym::TAB);
    person.look_for("no panel any more", |seen| fields(seen, WATERS).is_none().then_some(()));
}

/// Follows the first species and takes a picture twice as wide and high as the window, through a longer lens.
fn follow_and_photograph(person: &mut Person<'_>) {
    person.keyboard.tap(keysym::N);
    person.program.wait_for("said: sardine: 40 here");
    person.keyboard.tap(keysym::N);
    person.program.wait_for("said: turtle: 2 here");
    person.look_for("a turtle", |seen| (share_of_turtle(seen) > 0.01).then_some(()));
    person.water();
    person.keyboard.tap(keysym::O);
    person.program.wait_for("key: Photo");
    let wide = person.picture();
    assert_eq!(wide.dimensions(), SIZE);
    person.mouse.go((200, 120));
    (0..3).for_each(|_| person.mouse.wheel());
    person.keyboard.tap(keysym::G);
    person.program.wait_for("key: Dial(Size)");
    let long = person.picture();
    assert_eq!(long.dimensions(), (2 * SIZE.0, 2 * SIZE.1));
    let (turtle, larger) = (share_of_turtle(&wide), share_of_turtle(&long));
    assert!(turtle > 0.01 && larger > 1.5 * turtle, "a longer lens shows a larger turtle: {turtle}, {larger}");
    person.keyboard.tap(keysym::O);
    person.program.wait_for("key: Photo");
}

/// The share of a picture that is a turtle's: greener than water.
fn share_of_turtle(picture: &RgbImage) -> f64 {
    let [greener, all] = [picture.pixels().filter(|p| p[1] > p[2]).count(), picture.pixels().len()];
    greener as f64 / all as f64
}

/// Records a benchmark, of a world that moves again.
fn record(person: &mut Person<'_>) {
    person.keyboard.tap(keysym::SPACE);
    person.program.wait_for("said: resumed");
    person.keyboard.tap(keysym::B);
    person.program.wait_for("recording 300 frames");
    let folder = person.wait_for_path("benchmark written to ");
    assert!(folder.is_absolute(), "{}", folder.display());
    let report = fs::read_to_string(folder.join("result.json")).expect("written");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["runs"][0]["valid"], true, "{report}");
    assert_eq!(report["settings"]["size"], serde_json::json!([SIZE.0, SIZE.1]));
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    a_scene_is_changed_saved_broken_mended_followed_photographed_recorded_and_left;
};
