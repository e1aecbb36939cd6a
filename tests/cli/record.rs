//! `pelagic record`: the same frames in one piece or in parts, killed or not, and nothing lost whatever fails.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::support;
use crate::support::harness::end_ignored;

/// A film of eight frames that fish swim through, seen on a tour.
const FILM: [&str; 12] =
    ["--scene", "reef", "--size", "64x36", "--quality", "low", "--fish", "60", "--seconds", "0.8", "--fps", "10"];
const FRAMES: usize = 8;

struct Room(TempDir);

impl Room {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// `pelagic record` of [`FILM`], begun half a second into the scene.
    fn record(&self, out: &str, more: &[&str]) -> Command {
        let mut command = self.pelagic(&[&["record", "--out", out, "--start", "0.5", "--tour"], more].concat());
        command.args(FILM);
        command
    }

    fn pelagic(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("RUST_LOG");
        command.env("LIBGL_ALWAYS_SOFTWARE", "1");
        command
    }

    /// Files of a folder, by name.
    fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path().join(folder)).expect("there");
        entries
            .map(|entry| entry.expect("an entry"))
            .map(|e| (e.file_name().into_string().expect("UTF-8"), fs::read(e.path()).expect("a file")))
            .collect()
    }

    /// The pictures in a folder.
    fn frames(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.files(folder);
        files.retain(|name, _| name.starts_with("frame-"));
        files
    }

    /// A program called `ffmpeg` that does what a shell's `script` says.
    fn fake_ffmpeg(&self, script: &str) -> String {
        let path = self.path().join("ffmpeg");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("ours");
        path.display().to_string()
    }
}

/// Exit code and output of a command.
fn end(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked"), "{said}");
    (output.status.code(), said)
}

/// Runs it, which must go well; what it says.
fn done(command: &mut Command) -> String {
    match end(command) {
        (Some(0), said) => said,
        (Some(3), said) => support::skip(&format!("there is no usable OpenGL: {said}")),
        (code, said) => panic!("{command:?} ends with {code:?}: {said}"),
    }
}

/// Asserts that it ends with `code` and says all of `words`.
fn ends(command: &mut Command, code: i32, words: &[&str]) {
    let (ended, said) = end(command);
    if ended == Some(3) {
        support::skip(&format!("there is no usable OpenGL: {said}"));
    }
    assert_eq!(ended, Some(code), "{command:?}: {said}");
    words.iter().for_each(|word| assert!(said.contains(word), "\"{word}\" is not in: {said}"));
}

fn parts_are_the_whole_byte_for_byte_and_join_to_it() {
    let room = Room::new();
    done(&mut room.record("whole/", &["--samples", "2"]));
    let whole = room.frames("whole");
    assert_eq!(whole.len(), FRAMES);
    let mut different: Vec<&Vec<u8>> = whole.values().collect();
    different.dedup();
    assert_eq!(different.len(), FRAMES, "something moves in each frame");
    let said = done(&mut room.record("a/", &["--samples", "2", "--part", "0/2"]));
    assert!(said.contains("4 frames, 4 of them drawn"), "{said}");
    let said = done(&mut room.record("b/", &["--samples", "2", "--frames", "4..99"]));
    assert!(said.contains("4..8 in place of 4..99"), "{said}");
    let parts: BTreeMap<_, _> = room.frames("a").into_iter().chain(room.frames("b")).collect();
    assert!(parts == whole, "the parts differ from the whole");
    done(&mut room.pelagic(&["record", "merge", "b", "a", "--out", "joined"]));
    assert!(room.frames("joined") == whole);
    let said = done(&mut room.pelagic(&["record", "verify", "joined"]));
    assert!(said.contains("8 of 8 frames"), "{said}");
    ends(&mut room.pelagic(&["record", "merge", "b", "--out", "half"]), 1, &["missing: 0..4"]);
    // The same film of all its parts as one that was never in parts.
    done(&mut room.record("whole.y4m", &["--samples", "2"]));
    done(&mut room.pelagic(&["record", "merge", "a", "b", "--out", "joined.y4m"]));
    let [one, other] = ["whole.y4m", "joined.y4m"].map(|name| fs::read(room.path().join(name)).expect("there"));
    assert!(one == other);
    assert_eq!(one.len(), one.iter().position(|b| *b == b'\n').expect("a head") + 1 + FRAMES * (6 + 64 * 36 * 3 / 2));
    ends(&mut room.pelagic(&["record", "verify", "whole.y4m"]), 0, &["whole, frames 0..8 of 8"]);
    // Changed and missing frames are found.
    let frame = room.path().join("joined/frame-000003.png");
    fs::write(&frame, b"other").expect("written");
    fs::remove_file(room.path().join("joined/frame-000005.png")).expect("there");
    let words =
        ["2 frames are damaged", "frame-000003.png: it is not what was written", "frame-000005.png: there is no"];
    ends(&mut room.pelagic(&["record", "verify", "joined"]), 1, &words);
}

fn a_killed_recording_goes_on_to_the_same_bytes() {
    goes_on_after_a_kill(&Room::new(), "y4m");
}

fn a_killed_recording_by_ffmpeg_goes_on_to_the_same_bytes() {
    if !has_ffmpeg() {
        end_ignored("there is no ffmpeg to go on with a film of its own");
    }
    goes_on_after_a_kill(&Room::new(), "mp4");
}

fn goes_on_after_a_kill(room: &Room, ending: &str) {
    let [whole, clip] = ["whole", "clip"].map(|name| format!("{name}.{ending}"));
    done(&mut room.record(&whole, &[]));
    let mut program = room.record(&clip, &[]).stderr(Stdio::null()).spawn().expect("it starts");
    let folder = room.path().join(format!("{clip}.frames"));
    // Until some frames are there, and written down as whole.
    while !folder.join("frame-000003.png").exists() && program.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    program.kill().expect("a child");
    program.wait().expect("a child");
    // A disk may have lost what was written last.
    let first = folder.join("frame-000001.png");
    if first.exists() {
        fs::write(&first, b"half").expect("written");
    }
    let said = done(&mut room.record(&clip, &[]));
    assert!(said.contains("frames are there and whole") || said.contains("8 of them drawn"), "{said}");
    let [one, resumed] = [&whole, &clip].map(|name| fs::read(room.path().join(name)).expect("there"));
    assert!(one == resumed, "another film after a kill");
    let left: Vec<String> = room_names(room.path());
    assert_eq!(left, [clip.clone(), clip + ".json", whole.clone(), whole + ".json"], "nothing else stays");
    // A folder that is whole is not drawn again.
    done(&mut room.record("frames/", &[]));
    let said = done(&mut room.record("frames/", &[]));
    assert!(said.contains("8 of 8 frames are there and whole") && said.contains("0 of them drawn"), "{said}");
}

/// Names in a folder, sorted.
fn room_names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("there").map(|e| e.expect("an entry").file_name().into_string());
    let mut names: Vec<String> = names.map(|name| name.expect("UTF-8")).collect();
    names.sort();
    names
}

fn what_cannot_be_filmed_is_said_before_anything_is_drawn() {
    let room = Room::new();
    for (out, more, words) in [
        ("a.y4m", &["--seconds", "0.01"][..], &["no frame"][..]),
        ("a.y4m", &["--frames", "8..9"], &["8 frames, 0 to 7"]),
        ("a.y4m", &["--size", "65x36"], &["4:2:0", "--size 66x36", "--chroma 444"]),
        ("a.mp4", &["--size", "64x37"], &["--size 64x38"]),
        ("a.mp4", &["--format", "exr"], &["--out frames/"]),
        ("a.mp4", &["--preset", "lossless"], &[".mkv"]),
        ("a.avi", &[], &["films are .y4m, .mp4, .mkv or .webm"]),
        ("a/", &["--camera", "nowhere"], &["no camera \"nowhere\""]),
    ] {
        // The last of two is what counts: what is asked for here comes after the film.
        let mut command = room.pelagic(&["record", "--out", out]);
        let film: Vec<&str> = FILM.chunks(2).filter(|pair| !more.contains(&pair[0])).flatten().copied().collect();
        command.args(film).args(more);
        ends(&mut command, 2, words);
    }
    assert!(room_names(room.path()).is_empty(), "{:?}", room_names(room.path()));
}

fn another_film_s_folder_stays_as_it_is() {
    let room = Room::new();
    done(&mut room.record("film/", &["--frames", "0..2"]));
    let before = room.files("film");
    ends(&mut room.record("film/", &["--seed", "2"]), 2, &["another film", "its seed is 1, this one's 2"]);
    ends(&mut room.record("film/", &["--set", "water.type=3C"]), 2, &["another film", "settings"]);
    assert!(room.files("film") == before);
    fs::create_dir(room.path().join("mine")).expect("made");
    fs::write(room.path().join("mine/frame-000000.png"), "mine").expect("written");
    ends(&mut room.record("mine/", &[]), 2, &["no film.json tells of"]);
    assert_eq!(room.files("mine").len(), 1);
    ends(&mut room.pelagic(&["record", "merge", "mine", "--out", "a"]), 1, &["there is no film here"]);
    done(&mut room.record("other/", &["--seed", "2", "--frames", "2..8"]));
    ends(&mut room.pelagic(&["record", "merge", "film", "other", "--out", "a"]), 2, &["another film"]);
    fs::write(room.path().join("film/film.json"), "{\"pelagic_film\": 7").expect("written");
    ends(&mut room.record("film/", &[]), 1, &["film.json", "no manifest"]);
}

fn an_encoder_that_is_missing_or_fails_costs_no_frame() {
    let room = Room::new();
    ends(&mut room.record("a.mp4", &["--ffmpeg", "/nonexistent/ffmpeg"]), 1, &["was not found", "--ffmpeg FILE"]);
    assert!(room_names(room.path()).is_empty(), "nothing is made before that is found");
    let version = "if [ \"$1\" = -version ]; then echo ffmpeg version 0; exit; fi";
    // It takes four frames of 64 x 36 and fails.
    let fails = format!("{version}\nhead -c 14000 > /dev/null; echo 'No space left, says the encoder' >&2; exit 3");
    let ffmpeg = room.fake_ffmpeg(&fails);
    fs::write(room.path().join("a.mp4"), "the film before").expect("written");
    let words = ["No space left, says the encoder", "frames are whole in a.mp4.frames", "goes on from there"];
    ends(&mut room.record("a.mp4", &["--ffmpeg", &ffmpeg]), 2, &["a.mp4 is there already", "--force"]);
    ends(&mut room.record("a.mp4", &["--force", "--ffmpeg", &ffmpeg]), 1, &words);
    assert_eq!(fs::read(room.path().join("a.mp4")).expect("there"), b"the film before");
    let kept = fs::read_dir(room.path().join("a.mp4.frames")).expect("kept");
    assert!(kept.count() > 3, "frames are kept");
    // One that works then gets them all, and what was drawn is not drawn again.
    let ffmpeg = room.fake_ffmpeg(&format!("{version}\nfor out; do :; done; exec cat > \"$out\""));
    let said = done(&mut room.record("a.mp4", &["--force", "--ffmpeg", &ffmpeg]));
    assert!(said.contains("frames are there and whole"), "{said}");
    assert!(said.contains("-c:v libx264") && said.contains("-colorspace bt709"), "its command line is shown: {said}");
    done(&mut room.record("b.y4m", &[]));
    let [fed, y4m] = ["a.mp4", "b.y4m"].map(|name| fs::read(room.path().join(name)).expect("there"));
    assert!(fed == y4m, "the encoder is fed what a y4m file holds");
    assert!(!room.path().join("a.mp4.frames").exists());
}

fn a_full_disk_is_a_sentence_and_what_was_there_stays() {
    let room = Room::new();
    fs::write(room.path().join("a.y4m"), "the film before").expect("written");
    let film = room.record("a.y4m", &["--force"]);
    // Files of at most one block, and no signal about it: writing fails as it does on a full disk.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]).arg(film.get_program()).args(film.get_args());
    command.current_dir(room.path()).env_remove("DISPLAY").env("LIBGL_ALWAYS_SOFTWARE", "1").stdin(Stdio::null());
    ends(&mut command, 1, &["File too large"]);
    assert_eq!(fs::read(room.path().join("a.y4m")).expect("there"), b"the film before");
    done(&mut room.record("a.y4m", &["--force"]));
    assert_eq!(room_names(room.path()), ["a.y4m", "a.y4m.json"], "no half a file stays");
}

fn a_film_is_replaced_by_the_same_command_alone() {
    let room = Room::new();
    let write = |name: &str| fs::write(room.path().join(name), "mine").expect("written");
    write("a.y4m");
    // Before anything is made, so that it needs no OpenGL.
    let kept = |command: &mut Command, name: &str| {
        command.env("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent");
        ends(command, 2, &[&format!("{name} is there already"), "--force"]);
    };
    kept(&mut room.record("a.y4m", &[]), "a.y4m");
    write("b.y4m.json");
    kept(&mut room.record("b.y4m", &[]), "b.y4m.json");
    for out in ["/proc/none/", "/proc/none/a.y4m", "/proc/none/a.mp4"] {
        let mut command = room.record(out, &[]);
        ends(command.env("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent"), 1, &["/proc/none"]);
    }
    done(&mut room.record("c.y4m", &["--frames", "0..2"]));
    done(&mut room.record("c.y4m", &["--frames", "0..2"]));
    kept(&mut room.record("c.y4m", &["--frames", "0..3"]), "c.y4m");
    kept(&mut room.record("c.y4m", &["--frames", "0..2", "--seed", "2"]), "c.y4m");
    done(&mut room.record("c.y4m", &["--frames", "0..2", "--seed", "2", "--force"]));
    write("c.y4m");
    kept(&mut room.record("c.y4m", &["--frames", "0..2", "--seed", "2"]), "c.y4m");
    // Parts that are joined, too.
    done(&mut room.record("d/", &[]));
    kept(&mut room.pelagic(&["record", "merge", "d", "--out", "a.y4m"]), "a.y4m");
    done(&mut room.pelagic(&["record", "merge", "d", "--out", "a.y4m", "--force"]));
    done(&mut room.pelagic(&["record", "merge", "d", "--out", "a.y4m"]));
    fs::create_dir(room.path().join("mine")).expect("made");
    write("mine/frame-000000.png");
    ends(&mut room.pelagic(&["record", "merge", "d", "--out", "mine"]), 2, &["no film.json tells of"]);
    assert_eq!(room.files("mine").len(), 1);
}

fn ffmpeg_reads_back_what_was_drawn() {
    if !has_ffmpeg() {
        end_ignored("there is no ffmpeg to read films back with");
    }
    let room = Room::new();
    let more = ["--frames", "0..3", "--keep-frames"];
    done(&mut room.record("clip.mkv", &[&more[..], &["--preset", "lossless"]].concat()));
    let drawn: Vec<Vec<u8>> = room.frames("clip.mkv.frames").values().map(|png| rgb(png)).collect();
    assert_eq!(decoded(room.path(), "clip.mkv", &[]), drawn.concat(), "lossless");
    done(&mut room.record("clip.y4m", &[&more[..], &["--chroma", "444"]].concat()));
    done(&mut room.record("clip.mp4", &more));
    done(&mut room.record("clip.webm", &more));
    let probe = |entries: &str, file: &str| probed(room.path(), entries, file);
    let colours = "stream=pix_fmt,color_range,color_space,color_transfer,color_primaries,chroma_location";
    assert_eq!(probe(colours, "clip.mp4"), "yuv420p,tv,bt709,bt709,bt709,left");
    assert!(probe("stream=pix_fmt,color_range", "clip.y4m").starts_with("yuv444p,tv"));
    for (file, most) in [("clip.y4m", 1.0), ("clip.mp4", 6.0), ("clip.webm", 6.0)] {
        // Their matrix is said to the reader of the first; the second says it.
        let matrix = ["-vf", "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int"];
        let read = decoded(room.path(), file, &matrix);
        let drawn = drawn.concat();
        assert_eq!(read.len(), drawn.len());
        let sum: f64 = read.iter().zip(&drawn).map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
        let mean = sum / drawn.len() as f64;
        assert!(mean < most, "{file}: {mean:.2} steps of 255 off in the mean");
    }
}

fn players_are_told_of_two_eyes_and_of_pictures_all_round() {
    if !has_ffmpeg() {
        end_ignored("there is no ffmpeg to make such films with");
    }
    let room = Room::new();
    for (name, size, more, words) in [
        ("mono_360.mp4", "128x64", &["--projection", "equirect"][..], &["equirectangular"][..]),
        (
            "pair_360_TB.mp4",
            "128x128",
            &["--projection", "equirect", "--stereo", "top-bottom"],
            &["equirectangular", "top and bottom"],
        ),
        ("half_180_LR.mp4", "256x128", &["--projection", "vr180"], &["equirectangular", "side by side"]),
        ("pair_LR.mp4", "64x36", &["--stereo", "side-by-side"], &["side by side"]),
        ("plain.mp4", "64x36", &[], &[]),
    ] {
        let mut command = room.pelagic(&["record", "--out", name, "--start", "0.5", "--frames", "0..2"]);
        command.args(FILM.chunks(2).filter(|pair| pair[0] != "--size").flatten()).args(["--size", size]).args(more);
        let said = done(&mut command);
        assert!(!said.contains("no room"), "{said}");
        let told = probed(room.path(), "stream_side_data", name);
        words.iter().for_each(|word| assert!(told.contains(word), "{name}: {word} is not in {told:?}"));
        assert_eq!(told.is_empty(), words.is_empty(), "{told}");
        // Every offset to a frame holds.
        let (width, height) = size.split_once('x').expect("a size");
        let pixels = [width, height].map(|side| side.parse::<usize>().expect("a number")).iter().product::<usize>();
        assert_eq!(decoded(room.path(), name, &[]).len(), 2 * 3 * pixels, "{name}");
        let handler = probed(room.path(), "stream_tags=handler_name", name);
        assert_eq!(handler.trim_end_matches(','), "VideoHandler", "{name}");
    }
}

fn has_ffmpeg() -> bool {
    Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).status().is_ok()
}

/// Answer of `ffprobe` about a file.
fn probed(folder: &Path, entries: &str, file: &str) -> String {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", entries, "-of", "csv=p=0", file])
        .current_dir(folder)
        .output()
        .expect("it is where ffmpeg is");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn rgb(png: &[u8]) -> Vec<u8> {
    image::load_from_memory(png).expect("a picture").into_rgb8().into_raw()
}

/// All frames of a film in RGB, by ffmpeg.
fn decoded(folder: &Path, file: &str, more: &[&str]) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i", file])
        .args(more)
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .current_dir(folder)
        .output()
        .expect("it is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    parts_are_the_whole_byte_for_byte_and_join_to_it;
    a_killed_recording_goes_on_to_the_same_bytes;
    a_killed_recording_by_ffmpeg_goes_on_to_the_same_bytes;
    what_cannot_be_filmed_is_said_before_anything_is_drawn;
    another_film_s_folder_stays_as_it_is;
    an_encoder_that_is_missing_or_fails_costs_no_frame;
    a_full_disk_is_a_sentence_and_what_was_there_stays;
    a_film_is_replaced_by_the_same_command_alone;
    ffmpeg_reads_back_what_was_drawn;
    players_are_told_of_two_eyes_and_of_pictures_all_round;
};
