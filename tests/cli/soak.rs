//! An hour of everything a person does at the window, again and again: nothing may grow.
//!
//! `make soak`, with `SOAK_MINUTES` other than 60 to have it shorter. Two programs run under Xvfb: one goes through all
//! scenes and has its shaders edited, the other has its scene file edited. Each round ends in the same state, in which
//! memory, descriptors, threads and GL objects are looked at. What was seen is left in `out/soak`: `soak.csv`, `soak.svg`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt as _, Window};
use x11rb::rust_connection::RustConnection;

use crate::support;
use crate::support::desktop::{Keyboard, Program, Screen, focus, keysym, resize, windows};
use crate::support::own_shaders;

/// Most that memory may grow. Unit: MiB an hour.
const MAX_GROWTH: f64 = 16.0;
/// Growth that is no news in a run of a few minutes. Unit: MiB.
const NO_NEWS: f64 = 6.0;
/// Caches fill and the allocator settles before this share of the run, of an hour ten minutes; nothing is judged there.
const SETTLING: f64 = 1.0 / 6.0;

/// Place of the second window beside the first, which is 320 wide. Unit: pixels.
const ASIDE: i32 = 400;

/// Has glibc give back at once what is freed, so that what grows is not its stock.
const ALLOCATOR: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "1"), ("MALLOC_MMAP_THRESHOLD_", "65536"), ("MALLOC_TRIM_THRESHOLD_", "65536")];

/// Resources of a program at a moment.
struct Sample {
    minutes: f64,
    rss_mib: f64,
    anonymous_mib: f64,
    descriptors: usize,
    threads: usize,
}

impl Sample {
    fn take(process: u32, minutes: f64) -> Self {
        let entries = |what: &str| fs::read_dir(format!("/proc/{process}/{what}")).map_or(0, Iterator::count);
        let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
        let mib = |name: &str| {
            let line = rollup.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("0");
            line.split_whitespace().find_map(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
        };
        // The pools for drawing and for work in the background start when they are first of use, and stay as they are.
        let is_early = |task: &fs::DirEntry| {
            let name = fs::read_to_string(task.path().join("comm")).unwrap_or_default();
            !["drawing ", "behind "].iter().any(|pool| name.starts_with(pool))
        };
        let tasks = fs::read_dir(format!("/proc/{process}/task"));
        Self {
            minutes,
            rss_mib: mib("Rss:"),
            anonymous_mib: mib("Anonymous:"),
            descriptors: entries("fd"),
            threads: tasks.map_or(0, |tasks| tasks.flatten().filter(is_early).count()),
        }
    }
}

/// A program, what is done to it, and what was seen of it.
struct Subject {
    name: &'static str,
    program: Program,
    window: Window,
    samples: Vec<Sample>,
    /// Resources at the end of a round, with the GL objects there were.
    rounds: Vec<(Sample, String)>,
}

impl Subject {
    fn start(
        name: &'static str,
        screen: &Screen,
        connection: &RustConnection,
        root: Window,
        folder: &Path,
        arguments: &[&str],
    ) -> Self {
        let before = windows(connection, root);
        let mut program = Program::start(screen, folder, arguments, &ALLOCATOR);
        program.wait_for("first frame after");
        let mut new = windows(connection, root).into_iter().filter(|window| !before.contains(window));
        let window = new.next().expect("the program has opened a window");
        // Side by side: a covered window draws nothing, and so follows nothing.
        let aside = ConfigureWindowAux::new().x(if before.is_empty() { 0 } else { ASIDE });
        connection.configure_window(window, &aside).expect("sent").check().expect("moved");
        Self { name, program, window, samples: Vec::new(), rounds: Vec::new() }
    }

    fn press(&mut self, keyboard: &Keyboard, key: u32, said: &str) {
        focus(keyboard, self.window);
        keyboard.tap(key);
        self.program.wait_for(said);
    }

    /// Looks at it now and then for so long.
    fn watch(&mut self, began: Instant, seconds: u64) {
        for _ in 0..seconds {
            std::thread::sleep(Duration::from_secs(1));
            self.samples.push(Sample::take(self.program.process.id(), began.elapsed().as_secs_f64() / 60.0));
        }
    }

    /// The end of a round, in the state that all rounds end in.
    fn end_round(&mut self, keyboard: &Keyboard, began: Instant) {
        self.watch(began, 2);
        self.press(keyboard, keysym::F3, "key: Statistics");
        let line = self.program.wait_for("GL objects: ");
        self.press(keyboard, keysym::F3, "GL objects: ");
        let objects = line.split("GL objects: ").nth(1).expect("it was waited for");
        // A program that has not been drawn with yet keeps its shaders: how many do is chance.
        let objects = objects.split(", (\"shaders\"").next().unwrap_or(objects).to_owned();
        // A thread that has just ended or a file that is just being looked at is no growth.
        let process = self.program.process.id();
        let mut sample = Sample::take(process, began.elapsed().as_secs_f64() / 60.0);
        for _ in 0..5 {
            std::thread::sleep(Duration::from_millis(300));
            let again = Sample::take(process, sample.minutes);
            sample.descriptors = sample.descriptors.min(again.descriptors);
            sample.threads = sample.threads.min(again.threads);
            sample.rss_mib = sample.rss_mib.min(again.rss_mib);
            sample.anonymous_mib = sample.anonymous_mib.min(again.anonymous_mib);
        }
        self.rounds.push((sample, objects));
        // Its output so far is of no use any more, and this process is not to grow either.
        self.program.heard.clear();
    }

    /// Resources that grow and should not, after `settled` minutes.
    fn complaints(&self, settled: f64) -> Vec<String> {
        let rounds: Vec<_> = self.rounds.iter().filter(|(sample, _)| sample.minutes >= settled).collect();
        let mut complaints = Vec::new();
        if rounds.len() < 3 {
            complaints.push(format!("only {} rounds after {settled:.1} minutes: run it longer", rounds.len()));
            return complaints;
        }
        let minutes = rounds[rounds.len() - 1].0.minutes - rounds[0].0.minutes;
        for (what, of) in MEMORY {
            let slope = slope(&rounds.iter().map(|(sample, _)| (sample.minutes, of(sample))).collect::<Vec<_>>());
            support::say(&format!("{}: {what} grows by {:.2} MiB an hour", self.name, 60.0 * slope));
            if 60.0 * slope > MAX_GROWTH && slope * minutes > NO_NEWS {
                complaints.push(format!("{what} grows by {:.1} MiB an hour", 60.0 * slope));
            }
        }
        let mut constant = |what: &str, of: &dyn Fn(&(Sample, String)) -> String| {
            let mut seen = BTreeMap::<String, usize>::new();
            rounds.iter().for_each(|round| *seen.entry(of(round)).or_default() += 1);
            support::say(&format!("{}: {what}, and in how many rounds: {seen:?}", self.name));
            if seen.len() > 1 {
                complaints.push(format!("{what} are not always the same: {seen:?}"));
            }
        };
        constant("GL objects", &|(_, objects)| objects.clone());
        constant("descriptors", &|(sample, _)| sample.descriptors.to_string());
        constant("threads", &|(sample, _)| sample.threads.to_string());
        complaints.iter().map(|complaint| format!("{}: {complaint}", self.name)).collect()
    }
}

type Figure = fn(&Sample) -> f64;

/// The kinds of memory that are judged.
const MEMORY: [(&str, Figure); 2] =
    [("resident memory", |sample| sample.rss_mib), ("anonymous memory", |sample| sample.anonymous_mib)];

/// The median of the slopes of all pairs of points (Theil and Sen): a few that lie far off do not move it.
fn slope(points: &[(f64, f64)]) -> f64 {
    let pairs = points.iter().enumerate().flat_map(|(i, a)| points[..i].iter().map(move |b| (b, a)));
    let mut slopes: Vec<f64> = pairs.map(|(a, b)| (b.1 - a.1) / (b.0 - a.0)).collect();
    slopes.sort_by(f64::total_cmp);
    slopes.get(slopes.len() / 2).copied().unwrap_or(0.0)
}

fn nothing_grows() {
    let minutes: f64 = std::env::var("SOAK_MINUTES").map_or(60.0, |minutes| minutes.parse().expect("a number"));
    let screen = Screen::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let (connection, root) = screen.connect();
    let keyboard = Keyboard::new(&connection);
    let began = Instant::now();

    let scene = folder.path().join("mine.toml");
    put(&scene, GOOD[0]);
    let shader = own_shaders(folder.path()).join("tonemap.frag.glsl");
    let good = fs::read_to_string(&shader).expect("text");
    let start = |name, arguments: &[&str]| Subject::start(name, &screen, &connection, root, folder.path(), arguments);
    let mut scenes = start("scenes", &["--scene", "open_blue", "--shaders", "mine"]);
    let mut edits = start("edits", &["--scene", "mine.toml"]);

    while began.elapsed().as_secs_f64() < 60.0 * minutes {
        // Through all scenes, at one of them with more fish, at one with a recording, then home.
        for digit in (1..=9).chain([2]) {
            scenes.press(&keyboard, keysym::DIGIT_1 + digit - 1, "key: Scene");
            scenes.watch(began, 1);
            match digit {
                3 => {
                    scenes.press(&keyboard, keysym::EQUAL, "key: MoreFish");
                    scenes.press(&keyboard, keysym::L, "key: Torch");
                }
                5 => record(&mut scenes, &keyboard, began),
                7 => scenes.press(&keyboard, keysym::F12, "] picture written to "),
                _ => {}
            }
        }
        // The objects that are counted at the end are those of the last scene once it is there.
        scenes.program.wait_for("the scene \"open_blue\" came after");
        put(&shader, &good.replacen("void main", "broken;\nvoid main", 1));
        scenes.program.wait_for("tonemap.frag.glsl:");
        put(&shader, &good);
        scenes.program.wait_for("shaders read again");
        scenes.end_round(&keyboard, began);

        // Good and bad edits, sizes, full screen, fish, a picture and a recording, then home.
        for (edit, said) in [(GOOD[1], "read again"), (BAD, "mine.toml:"), (GOOD[2], "read again")] {
            put(&scene, edit);
            edits.program.wait_for(said);
            edits.watch(began, 1);
        }
        for (width, height) in [(480, 270), (161, 333), (1, 1), (320, 180)] {
            resize(&connection, edits.window, width, height);
            edits.program.wait_for(&format!("window: {width} x {height}"));
            edits.watch(began, 1);
        }
        for (key, said) in [
            (keysym::F11, "key: FullScreen"),
            (keysym::F11, "key: FullScreen"),
            (keysym::EQUAL, "key: MoreFish"),
            (keysym::MINUS, "key: FewerFish"),
            (keysym::F12, "] picture written to "),
        ] {
            edits.press(&keyboard, key, said);
            edits.watch(began, 1);
        }
        record(&mut edits, &keyboard, began);
        put(&scene, GOOD[0]);
        edits.program.wait_for("read again");
        edits.press(&keyboard, keysym::R, "key: Reset");
        edits.end_round(&keyboard, began);

        fs::remove_dir_all(folder.path().join("out")).expect("something was written there");
        leave_figures(&[&scenes, &edits]);
    }
    for subject in [&mut scenes, &mut edits] {
        focus(&keyboard, subject.window);
        keyboard.tap(keysym::ESCAPE);
        subject.program.wait_for("key: Escape");
        // The fish that came and went are changes that nobody saves.
        keyboard.tap(keysym::D);
        assert_eq!(subject.program.end().code(), Some(0), "{}: {}", subject.name, subject.program.said());
    }
    let complaints: Vec<String> =
        [&scenes, &edits].iter().flat_map(|subject| subject.complaints(minutes * SETTLING)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Contents of the scene file, in turn.
const GOOD: [&str; 3] = [
    "extends = \"open_blue\"\n",
    "extends = \"open_blue\"\n[water]\ntype = \"3C\"\n",
    // Of the same species: more fish of another scene's would be mistakes in the next.
    "extends = \"open_blue\"\n[[species]]\nname = \"sardine\"\nmodel = \"builtin:sardine\"\ncount = 40\n",
];
/// A mistake in it.
const BAD: &str = "extends = \"open_blue\"\n[water]\ntipe = \"3C\"\n";

/// Writes a file as editors do it: the new one takes the old one's place.
fn put(path: &Path, text: &str) {
    let new = path.with_extension("new");
    fs::write(&new, text).expect("written");
    fs::rename(&new, path).expect("moved");
}

fn record(subject: &mut Subject, keyboard: &Keyboard, began: Instant) {
    subject.press(keyboard, keysym::B, "recording ");
    subject.watch(began, 2);
    // It may have come to its end by itself, but then there is a benchmark too.
    subject.press(keyboard, keysym::B, "benchmark written to ");
}

/// Leaves what was seen as a table and as a drawing.
fn leave_figures(subjects: &[&Subject]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("out/soak");
    fs::create_dir_all(&folder).expect("a folder");
    let mut csv = String::from("program,minutes,rss_mib,anonymous_mib,descriptors,threads,gl_objects\n");
    for subject in subjects {
        let between = subject.samples.iter().map(|sample| (sample, ""));
        let ends = subject.rounds.iter().map(|(sample, objects)| (sample, objects.as_str()));
        for (s, objects) in between.chain(ends) {
            let (name, minutes, rss, anonymous) = (subject.name, s.minutes, s.rss_mib, s.anonymous_mib);
            writeln!(
                csv,
                "{name},{minutes:.3},{rss:.2},{anonymous:.2},{},{},\"{}\"",
                s.descriptors,
                s.threads,
                objects.replace('"', "")
            )
            .expect("a String takes everything");
        }
    }
    put(&folder.join("soak.csv"), &csv);
    put(&folder.join("soak.svg"), &drawing(subjects));
}

/// Memory of each program over time: a line for all samples, a dot for the end of each round.
fn drawing(subjects: &[&Subject]) -> String {
    const COLOURS: [&str; 4] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"];
    let (width, height, left, below) = (900.0, 420.0, 60.0, 40.0);
    let all = || subjects.iter().flat_map(|s| s.samples.iter().chain(s.rounds.iter().map(|(sample, _)| sample)));
    let longest = all().map(|sample| sample.minutes).fold(1.0, f64::max);
    let most = all().map(|sample| sample.rss_mib).fold(64.0, f64::max) * 1.05;
    let x = |minutes: f64| left + (width - left - 20.0) * minutes / longest;
    let y = |mib: f64| (height - below) * (1.0 - mib / most) + 10.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    );
    let mut put = |text: String| svg.push_str(&text);
    for part in 0..=5 {
        let (at_x, at_y) = (longest * f64::from(part) / 5.0, most * f64::from(part) / 5.0);
        put(format!("<text x=\"{:.0}\" y=\"{:.0}\">{at_x:.0} min</text>", x(at_x) - 15.0, height - 12.0));
        put(format!("<text x=\"4\" y=\"{:.0}\">{at_y:.0} MiB</text>", y(at_y) + 4.0));
        put(format!("<path d=\"M{left} {0:.0}H{width}\" stroke=\"#ddd\"/>", y(at_y)));
    }
    let kinds = subjects.iter().flat_map(|subject| MEMORY.map(|(what, of)| (*subject, what, of)));
    for (index, (subject, what, of)) in kinds.enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let point = |s: &Sample| format!("{:.1},{:.1}", x(s.minutes), y(of(s)));
        let line: Vec<String> = subject.samples.iter().map(point).collect();
        put(format!("<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" opacity=\"0.5\"/>", line.join(" ")));
        for (end, _) in &subject.rounds {
            let (at_x, at_y) = (x(end.minutes), y(of(end)));
            put(format!("<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"3\" fill=\"{colour}\"/>"));
        }
        let at = 24.0 + 15.0 * index as f64;
        put(format!("<text x=\"{}\" y=\"{at}\" fill=\"{colour}\">{}: {what}</text>", left + 10.0, subject.name));
    }
    svg + "</svg>\n"
}

fn a_slope_is_that_of_the_line_whatever_lies_far_off() {
    let line = |n: i32| (f64::from(n), 100.0 + 0.25 * f64::from(n));
    let mut points: Vec<_> = (0..40).map(line).collect();
    (points[7].1, points[20].1) = (900.0, 0.0);
    assert!((slope(&points) - 0.25).abs() < 0.01);
    assert!(slope(&(0..9).map(|n| (f64::from(n), 3.0)).collect::<Vec<_>>()).abs() < 1e-12);
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    nothing_grows, by_hand;
    a_slope_is_that_of_the_line_whatever_lies_far_off;
};
