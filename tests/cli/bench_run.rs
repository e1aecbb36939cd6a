//! `pelagic bench` itself, off-screen: what it writes, and what it says when it is stopped or cannot write.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support;

/// The program, drawing a small picture of few fish.
fn bench(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    command
        .args(["bench", "--size", "64x48", "--quality", "low", "--scene", "open_blue", "--fish", "20"])
        .args(arguments)
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .env("LIBGL_ALWAYS_SOFTWARE", "1");
    command
}

/// Runs it; where there is no OpenGL the test is [skipped](support::skip).
fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    if output.status.code() == Some(3) {
        support::skip(&format!("there is no usable OpenGL: {}", said(&output)));
    }
    output
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn result(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("result.json")).expect("it was written");
    serde_json::from_str(&text).expect("it is JSON")
}

const SHORT: [&str; 6] = ["--frames", "6", "--warmup-frames", "2", "--runs", "2"];

fn everything_at_once_is_written_and_the_same_seed_ends_in_the_same_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = ["--all", "--rounds", "2", "--out", "all"];
    // The ladder of --all is for faster pictures than a test's.
    let all: Vec<&str> = all.into_iter().filter(|a| *a != "--all").chain(["--passes", "--ladder=1,40"]).collect();
    let output = run(bench(folder.path(), &SHORT).args(&all));
    assert_eq!(output.status.code(), Some(2), "--fish and --ladder ask for different fish: {}", said(&output));
    let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    command.args(["bench", "--size", "64x48", "--quality", "low", "--scene", "open_blue"]).args(SHORT).args(&all);
    let output = run(command.current_dir(folder.path()).env("LIBGL_ALWAYS_SOFTWARE", "1"));
    assert!(output.status.success(), "{}", said(&output));
    let report = result(&folder.path().join("all"));
    assert_eq!(report["runs"], Value::Array(Vec::new()), "--passes and --ladder are measured in place of runs");
    assert_eq!(report["passes"]["rounds"], 2);
    let caustics = report["passes"]["costs"].as_array().expect("costs").iter().find(|cost| cost["name"] == "caustics");
    assert!(caustics.is_some_and(|cost| cost["ms"].is_number()), "{}", report["passes"]);
    let ladder = report["ladder"].as_array().expect("a ladder");
    assert_eq!(ladder.iter().map(|rung| rung["fish"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(40)]);
    for rung in ladder {
        assert_eq!(rung["runs"], 2);
        assert!(rung["state_hash"].is_string(), "both runs ended in the same state: {rung}");
    }
    let page = std::fs::read_to_string(folder.path().join("all/report.html")).expect("written");
    assert!(page.contains("What each effect costs") && page.contains("Fish and frames"));
    assert!(folder.path().join("all/ladder.csv").exists());
    let text = said(&output);
    assert!(text.contains("all the rest") && text.contains("moving ms"), "{text}");
}

#[cfg(unix)]
fn ctrl_c_writes_what_was_measured_and_marks_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let endless = ["--frames", "20", "--warmup-frames", "0", "--runs", "1000", "--out", "cut"];
    let mut program =
        bench(folder.path(), &endless).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    let mut stderr = BufReader::new(program.stderr.take().expect("piped"));
    let mut heard = String::new();
    while !heard.contains("run 3 of 1000") {
        if stderr.read_line(&mut heard).expect("text") == 0 {
            assert_eq!(program.wait().expect("a child").code(), Some(3), "{heard}");
            support::skip(&format!("there is no usable OpenGL: {heard}"));
        }
    }
    let killed = Command::new("kill").args(["-INT", &program.id().to_string()]).status();
    assert!(killed.expect("kill is there").success());
    stderr.read_to_string(&mut heard).expect("text");
    let mut table = String::new();
    program.stdout.take().expect("piped").read_to_string(&mut table).expect("text");
    assert_eq!(program.wait().expect("a child").code(), Some(130), "{heard}");
    assert!(table.lines().next().is_some_and(|line| line.ends_with("ABORTED")), "{table}");
    let report = result(&folder.path().join("cut"));
    assert_eq!(report["aborted"], true);
    let runs = report["runs"].as_array().expect("runs");
    assert!(runs.len() >= 2 && runs[0]["valid"] == true && runs[1]["valid"] == true, "{} runs", runs.len());
    assert_eq!(
        report["summary"]["valid_runs"].as_u64(),
        Some(runs.iter().filter(|r| r["valid"] == true).count() as u64)
    );
    let page = std::fs::read_to_string(folder.path().join("cut/report.html")).expect("written");
    assert!(page.contains(">aborted<"));
}

#[cfg(unix)]
fn a_full_disk_is_said_and_the_figures_are_not_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    // Files of at most one block, and no signal about it: writing fails as it does on a full disk.
    let program = bench(folder.path(), &SHORT);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_pelagic")]);
    command.args(program.get_args()).args(["--out", "full"]).current_dir(folder.path());
    command.env("LIBGL_ALWAYS_SOFTWARE", "1").env("MESA_SHADER_CACHE_DISABLE", "1");
    let output = run(&mut command);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("cannot be written") && text.contains("all that is left"), "{text}");
    assert!(text.contains("median, ms"), "the table is printed all the same: {text}");
    let left: Vec<_> = std::fs::read_dir(folder.path().join("full")).expect("there").flatten().collect();
    assert!(left.iter().all(|entry| entry.file_name() != "result.json"), "{left:?}");
    assert!(left.iter().all(|entry| !entry.file_name().to_string_lossy().ends_with(".part")), "{left:?}");
}

#[cfg(target_os = "linux")]
fn standard_output_that_is_full_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut command = bench(folder.path(), &SHORT);
    let output = run(command.args(["--json", "-", "--out", "out"]).stdout(full));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("standard output cannot be written"), "{}", said(&output));
    assert_eq!(result(&folder.path().join("out"))["aborted"], false, "the files are there");
}

fn wrong_wishes_and_unwritable_folders_are_2_before_any_work() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "").expect("written");
    let refused = |arguments: &[&str], words: &str| {
        // Without EGL the work could not even begin.
        let output = bench(folder.path(), arguments).env("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent").output();
        let output = output.expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(words), "\"{words}\" is not in {}", said(&output));
    };
    refused(&["--out", "file/below"], "file/below cannot be written");
    refused(&["--out", "/proc/none"], "/proc/none cannot be written");
    refused(&["--frame-end", "swap"], "--window");
    refused(&["--duration=-1"], "is not a number of seconds");
    refused(&["--duration", "2", "--frames", "9"], "cannot be used with");
    refused(&["--format", "xml"], "presentmon");
    refused(&["--window", "--offscreen"], "cannot be used with");
    refused(&["--rounds", "3"], "add --passes");
    refused(&["--against", "--out there"], "--out is not among what can differ");
    refused(&["--against", "--seed 2", "--passes"], "cannot be used with");
    refused(&["--against", "--set water.kind=3C"], "water.kind");
    refused(&["--against", "--frame-end swap"], "add --window");
    refused(&["--against", "--label 'open"], "a quote is not closed");
    refused(&["--vsync", "on"], "add --window");
    refused(&["--shaders", "nowhere"], "there is no such folder");
    for (scene, number, words) in [
        ("reef", "--fish=1000001", "1000001 is not in 0..=1000000"),
        ("reef", "--ladder=1,many", "such as 1,100,1000"),
        ("reef", "--ladder=1,1000001", "from 1 to 1000000"),
        ("calibration", "--ladder=1", "--ladder 1: the scene has no species"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
        command.args(["bench", "--scene", scene, number]).current_dir(folder.path());
        let output = command.env("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent").output().expect("starts");
        assert_eq!(output.status.code(), Some(2), "{number}: {}", said(&output));
        assert!(said(&output).contains(words), "{number}: {}", said(&output));
    }
    assert!(!folder.path().join("out").exists(), "nothing was claimed for what cannot be measured");
}

fn two_settings_are_measured_in_turn_and_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let two =
        ["--against", "--seed 2 --set render.effects.shafts=false --size 48x48 --label 'no shafts'", "--out", "two"];
    let mut command = bench(folder.path(), &SHORT);
    let output = run(command.args(two).args(["--label", "as it is"]));
    assert!(output.status.success(), "{}", said(&output));
    let of = |name: &str| result(&folder.path().join("two").join(name));
    let (base, against) = (of("base"), of("against"));
    assert!(base["settings"]["interleaved"].is_string());
    assert_eq!(base["settings"]["interleaved"], against["settings"]["interleaved"]);
    assert_eq!((&base["settings"]["seed"], &against["settings"]["seed"]), (&1.into(), &2.into()));
    for report in [&base, &against] {
        let runs = report["runs"].as_array().expect("runs");
        assert_eq!(runs.len(), 2);
        assert_eq!(runs[0]["state_hash"], runs[1]["state_hash"], "the same frames in each run");
    }
    let text = std::fs::read_to_string(folder.path().join("two/against.json")).expect("written");
    let comparison: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(comparison["names"], serde_json::json!(["as it is", "no shafts"]));
    assert_eq!((&comparison["interleaved"], &comparison["verdict"]), (&true.into(), &"indicative_only".into()));
    let differences = comparison["differences"].as_array().expect("differences");
    let what: Vec<&str> = differences.iter().filter_map(|difference| difference["what"].as_str()).collect();
    assert_eq!(what, ["size", "render.effects.shafts", "seed"]);
    assert!(said(&output).contains("2 pairs of whole runs: a verdict needs 6"), "{}", said(&output));
    for file in ["against.html", "base/report.html", "against/frames.csv", "base/card.png", "against/card.png"] {
        assert!(folder.path().join("two").join(file).exists(), "{file}");
    }
    // Alone each of them is the same again.
    let mut command = bench(folder.path(), &SHORT);
    let alone = run(command.args(["--seed", "2", "--out", "alone"]));
    assert!(alone.status.success(), "{}", said(&alone));
    let alone = result(&folder.path().join("alone"));
    assert_eq!(alone["runs"][0]["state_hash"], against["runs"][0]["state_hash"]);
    assert!(alone["settings"]["interleaved"].is_null());
}

fn the_frames_are_the_same_on_any_threads_and_gpu_time_is_null_on_the_cpu() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |name: &str, threads: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
        // More animals than one part of a step holds.
        command
            .args(["bench", "--size", "64x48", "--quality", "low", "--scene", "open_blue", "--fish", "2000"])
            .args(SHORT);
        command.current_dir(folder.path()).env("LIBGL_ALWAYS_SOFTWARE", "1");
        command.args(["--out", name]).args(more).env("LP_NUM_THREADS", threads).env("RAYON_NUM_THREADS", threads);
        let output = run(&mut command);
        assert!(output.status.success(), "{}", said(&output));
        let frames = std::fs::read_to_string(folder.path().join(name).join("frames.csv")).expect("written");
        let (names, lines) = frames.split_once('\n').expect("a header");
        // Contents of a frame: its moment, and draws, triangles and instances in view.
        let columns = ["run", "frame", "sim_time_s", "draws", "triangles", "visible"];
        let columns = columns.map(|wanted| names.split(',').position(|name| name == wanted).expect(wanted));
        let shows = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            columns.map(|column| cells[column].to_owned())
        };
        (result(&folder.path().join(name)), lines.lines().map(shows).collect::<Vec<_>>())
    };
    let (in_turn, frames) = of("in-turn", "1", &["--in-turn"]);
    assert_eq!(in_turn["settings"]["pipelined"], false);
    assert_eq!(in_turn["runs"][0]["phases"]["beside_ms"]["median"], 0.0);
    for threads in ["1", "2", "8"] {
        let (beside, same) = of(threads, threads, &[]);
        assert_eq!(beside["settings"]["pipelined"], true);
        for number in 0..2 {
            let run = &beside["runs"][number];
            assert_eq!(run["state_hash"], in_turn["runs"][number]["state_hash"], "{threads} threads");
            let why = run["gpu_reason"].as_str().unwrap_or_default();
            assert!(run["gpu"].is_null() && why.contains("timer queries"), "{run}");
        }
        assert!(beside["runs"][0]["phases"]["beside_ms"]["median"].as_f64() > Some(0.0), "{beside}");
        assert_eq!(same, frames, "other frames with {threads} threads");
    }
}

fn a_single_frame_has_no_rate() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = bench(folder.path(), &["--frames", "1", "--warmup-frames", "0", "--runs", "1", "--out", "one"]);
    let output = run(&mut command);
    assert!(output.status.success(), "{}", said(&output));
    let text = said(&output);
    let rate = text.lines().find(|line| line.starts_with("average fps")).expect("the row is there");
    assert_eq!(rate.split_whitespace().skip(2).collect::<Vec<_>>(), ["-"; 4], "{text}");
    assert!(text.contains("note: rates and percentiles need 2 frames, this run has 1"), "{text}");
    let run = &result(&folder.path().join("one"))["runs"][0];
    assert!(run["fps_avg"].is_null() && run["p95_ms"].is_null() && run["median_ms"].is_number(), "{run}");
}

fn the_table_says_what_was_measured_and_the_page_how_to_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = ["--size", "64x48", "--quality", "low", "--scene", "open_blue", "--warmup-frames", "1"];
    let measured = |arguments: &[&str], out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
        command.arg("bench").args(small).args(arguments).args(["--out", out, "--format", "json,html,presentmon"]);
        let output = run(command.current_dir(folder.path()).env("LIBGL_ALWAYS_SOFTWARE", "1"));
        assert!(output.status.success(), "{}", said(&output));
        let page = std::fs::read_to_string(folder.path().join(out).join("report.html")).expect("written");
        (String::from_utf8_lossy(&output.stdout).into_owned(), page)
    };
    let (passes, page) = measured(&["--passes", "--rounds", "3"], "passes");
    assert!(passes.contains("cost at 3 moments") && !passes.contains("runs of"), "{passes}");
    assert!(
        page.contains("cost at 3 moments") && page.contains(" --rounds 3 ") && page.contains(" --passes<"),
        "{page}"
    );
    let (ladder, page) = measured(&["--ladder=1,40", "--runs", "2", "--frames", "4"], "ladder");
    assert!(ladder.contains("2 runs of 4 frames after 1 of warm-up with each number of fish"), "{ladder}");
    assert!(!ladder.contains("animals") && page.contains("--ladder=1,40<"), "{ladder}");
    let (timed, _) = measured(&["--duration", "0.2", "--runs", "2", "--fish", "20"], "timed");
    assert!(timed.contains("2 runs of 0.2 s after 1 frame of warm-up") && !timed.contains("800"), "{timed}");
    assert_eq!(result(&folder.path().join("timed"))["settings"]["asked"]["fish"], 20);
    for run in ["presentmon-1.csv", "presentmon-2.csv"] {
        let csv = std::fs::read_to_string(folder.path().join("timed").join(run)).expect("written");
        let header = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,\
                      MsBetweenPresents,MsInPresentAPI";
        assert_eq!(csv.lines().next(), Some(header));
    }
}

fn runs_by_time_and_governed_runs_say_what_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = bench(folder.path(), &["--duration", "0.3", "--warmup", "0.1", "--runs", "1", "--out", "time"]);
    let output = run(&mut command);
    assert!(output.status.success(), "{}", said(&output));
    let report = result(&folder.path().join("time"));
    assert_eq!((&report["settings"]["measure_s"], &report["settings"]["warmup_s"]), (&0.3.into(), &0.1.into()));
    assert!(report["runs"][0]["valid"] == true && report["runs"][0]["duration_s"].as_f64().is_some_and(|s| s >= 0.3));

    let mut command = bench(folder.path(), &["--governor", "--set", "render.target_ms=0.01", "--out", "governed"]);
    let output = run(command.args(["--duration", "2", "--runs", "1"]));
    assert!(output.status.success(), "{}", said(&output));
    let report = result(&folder.path().join("governed"));
    assert_eq!(report["settings"]["governor"], true);
    let notes = report["runs"][0]["notes"].as_array().expect("notes");
    let lowered = |note: &Value| note.as_str().is_some_and(|note| note.contains("quality low, 50 % resolution"));
    assert!(notes.iter().any(lowered), "{notes:?}");
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    everything_at_once_is_written_and_the_same_seed_ends_in_the_same_state;
    ctrl_c_writes_what_was_measured_and_marks_it;
    a_full_disk_is_said_and_the_figures_are_not_lost;
    standard_output_that_is_full_is_said;
    wrong_wishes_and_unwritable_folders_are_2_before_any_work;
    two_settings_are_measured_in_turn_and_compared;
    the_frames_are_the_same_on_any_threads_and_gpu_time_is_null_on_the_cpu;
    a_single_frame_has_no_rate;
    the_table_says_what_was_measured_and_the_page_how_to_again;
    runs_by_time_and_governed_runs_say_what_they_are;
};
