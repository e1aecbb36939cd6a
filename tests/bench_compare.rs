//! `pelagic bench compare`: the exit codes that scripts depend on.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pelagic::bench::files::json;
use pelagic::bench::host::Host;
use pelagic::bench::pacing::FrameEnd;
use pelagic::bench::report::{AppInfo, Asked, Header, Report, SceneHashes, Settings};
use pelagic::bench::run::{FrameSample, MeasuredRun};
use pelagic::bench::{End, Measured, Plan};
use pelagic::gl::DeviceInfo;

/// Writes a result whose runs have about these medians; a hundred frames each, every tenth twice as long.
fn result(folder: &Path, name: &str, medians: &[f64], change: impl FnOnce(&mut Report)) -> PathBuf {
    let plan = Plan::frames(10, 100, medians.len() as u32);
    let frame = |median: f64, i: u32| {
        let jitter = 1.0 + 0.05 * f64::from(i * 7 % 11) / 11.0;
        let frame_ms = median * if i.is_multiple_of(10) { 2.0 } else { jitter };
        FrameSample { frame_ms, draw_ms: 1.0, wait_ms: frame_ms - 1.0, ..FrameSample::default() }
    };
    let runs = medians
        .iter()
        .map(|&median| {
            let samples = (0..100).map(|i| frame(median, i)).collect();
            MeasuredRun { samples, state_hash: 7, complete: true, ..MeasuredRun::default() }
        })
        .collect();
    let settings = Settings {
        size: (1280, 720),
        scene: "reef".into(),
        set: Vec::new(),
        asked: Asked::default(),
        quality: "high".into(),
        governor: false,
        render_scale: 1.0,
        animals: 500,
        seed: 1,
        step_s: 1.0 / 60.0,
        warmup: 10,
        frames: 100,
        measure_s: None,
        warmup_s: None,
        runs: plan.runs,
        vsync: None,
        refresh_hz: None,
        live: false,
        offscreen: true,
        page: false,
        stereo: "off".into(),
        frame_end: FrameEnd::Fence,
        scene_hash: "0123456789abcdef".into(),
        hashes: SceneHashes::default(),
    };
    let gl = DeviceInfo { renderer: "a card".into(), ..DeviceInfo::default() };
    let when = "2026-01-31T12:30:05Z".into();
    let header = Header { label: None, when, app: AppInfo::this(), host: Host::default(), gl, settings };
    let mut report = Report::new(header, &plan, &Measured { runs, end: End::Complete }, None);
    change(&mut report);
    let path = folder.join(name);
    std::fs::write(&path, json(&report)).expect("written");
    path
}

fn compare(before: &Path, after: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pelagic"))
        .args(["bench", "compare"])
        .args([before, after])
        .args(more)
        .env_remove("RUST_LOG")
        .output()
        .expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

const QUIET: [f64; 6] = [10.0, 10.2, 9.9, 10.1, 9.8, 10.0];

#[test]
fn a_planted_slowdown_is_4_and_noise_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = result(folder.path(), "before.json", &QUIET, |_| {});
    let slower = result(folder.path(), "slower.json", &QUIET.map(|m| 1.15 * m), |_| {});
    let noisy = result(folder.path(), "noisy.json", &[10.3, 9.7, 10.6, 9.9, 10.0, 10.2], |_| {});
    let outcome = compare(&before, &slower, &[]);
    assert_eq!(outcome.status.code(), Some(4), "{}", said(&outcome));
    assert!(said(&outcome).contains("median_ms: regression: slower by"));
    for (other, words) in [(&before, "no significant change"), (&noisy, "no significant change")] {
        let outcome = compare(&before, other, &[]);
        assert_eq!(outcome.status.code(), Some(0), "{}", said(&outcome));
        assert!(said(&outcome).contains(words));
    }
    let outcome = compare(&slower, &before, &[]);
    assert!(outcome.status.success() && said(&outcome).contains("improvement"), "{}", said(&outcome));
    assert_eq!(compare(&before, &slower, &["--threshold", "20%"]).status.code(), Some(0));
}

#[test]
fn a_page_is_written_whatever_the_verdict_and_its_place_is_looked_at_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = result(folder.path(), "before.json", &QUIET, |_| {});
    let slower = result(folder.path(), "slower.json", &QUIET.map(|m| 1.15 * m), |_| {});
    let html = |place: &str| compare(&before, &slower, &["--html", folder.path().join(place).to_str().expect("UTF-8")]);
    for (place, file) in [("", "compare.html"), ("new/mine.html", "new/mine.html")] {
        let outcome = html(place);
        assert_eq!(outcome.status.code(), Some(4), "{}", said(&outcome));
        let page = std::fs::read_to_string(folder.path().join(file)).expect("written");
        assert!(page.contains("regression: slower by 15 %") && page.ends_with("</html>\n"), "{page}");
    }
    let refused = html("before.json/page.html");
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(said(&refused).contains("--html"), "{}", said(&refused));
}

#[test]
fn few_runs_are_indicative_and_never_fail() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = result(folder.path(), "before.json", &QUIET[..3], |_| {});
    let slower = result(folder.path(), "slower.json", &[30.0; 6], |_| {});
    let outcome = compare(&before, &slower, &[]);
    assert_eq!(outcome.status.code(), Some(0));
    assert!(said(&outcome).contains("indicative only"), "{}", said(&outcome));
}

#[test]
fn what_did_not_measure_the_same_is_5_unless_forced() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = result(folder.path(), "before.json", &QUIET, |_| {});
    let other = result(folder.path(), "other.json", &QUIET, |report| report.gl.renderer = "another card".into());
    let outcome = compare(&before, &other, &[]);
    assert_eq!(outcome.status.code(), Some(5));
    assert!(said(&outcome).contains("renderer: a card and another card"), "{}", said(&outcome));
    let outcome = compare(&before, &other, &["--force", "--json"]);
    assert_eq!(outcome.status.code(), Some(0), "{}", said(&outcome));
    let value: serde_json::Value = serde_json::from_slice(&outcome.stdout).expect("JSON");
    assert_eq!(value["verdict"], "no_significant_change");
    assert_eq!(value["differences"][0]["what"], "renderer");
}

#[test]
fn files_and_metrics_that_are_not_there_are_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = result(folder.path(), "before.json", &QUIET, |_| {});
    let missing = compare(&before, &folder.path().join("none.json"), &[]);
    assert_eq!(missing.status.code(), Some(2), "{}", said(&missing));
    assert!(said(&missing).contains("none.json"));
    let misspelt = compare(&before, &before, &["--metric", "medianms"]);
    assert_eq!(misspelt.status.code(), Some(2));
    assert!(said(&misspelt).contains("median_ms"), "{}", said(&misspelt));
}
