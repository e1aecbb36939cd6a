//! `pelagic bench compare`: the exit codes that scripts depend on.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pelagic::bench::files::json;
use pelagic::bench::host::Host;
use pelagic::bench::pacing::FrameEnd;
use pelagic::bench::report::{AppInfo, Header, Report, RequestedRun, SceneHashes, Settings};
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
        asked: RequestedRun::default(),
        quality: "high".into(),
        governor: false,
        pipelined: false,
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
        config: None,
        interleaved: None,
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
    compare_all(&[before, after], more)
}

fn compare_all(results: &[&Path], more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pelagic"))
        .args(["bench", "compare"])
        .args(results)
        .args(more)
        .env_remove("RUST_LOG")
        .output()
        .expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

const QUIET: [f64; 6] = [10.0, 10.2, 9.9, 10.1, 9.8, 10.0];

fn a_planted_slowdown_is_4_and_noise_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = result(folder.path(), "before.json", &QUIET, |_| {});
    let slower = result(folder.path(), "slower.json", &QUIET.map(|m| 1.15 * m), |_| {});
    let noisy = result(folder.path(), "noisy.json", &[10.3, 9.7, 10.6, 9.9, 10.0, 10.2], |_| {});
    let outcome = compare(&before, &slower, &[]);
    assert_eq!(outcome.status.code(), Some(4), "{}", said(&outcome));
    assert!(said(&outcome).contains("median_ms: regression: 1.1"));
    for (other, words) in [(&before, "no significant change"), (&noisy, "no significant change")] {
        let outcome = compare(&before, other, &[]);
        assert_eq!(outcome.status.code(), Some(0), "{}", said(&outcome));
        assert!(said(&outcome).contains(words));
    }
    let outcome = compare(&slower, &before, &[]);
    assert!(outcome.status.success() && said(&outcome).contains("improvement"), "{}", said(&outcome));
    assert_eq!(compare(&before, &slower, &["--threshold", "20%"]).status.code(), Some(0));
}

fn a_page_is_written_whatever_the_verdict_and_its_place_is_looked_at_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = result(folder.path(), "before.json", &QUIET, |_| {});
    let slower = result(folder.path(), "slower.json", &QUIET.map(|m| 1.15 * m), |_| {});
    let html = |place: &str| compare(&before, &slower, &["--html", folder.path().join(place).to_str().expect("UTF-8")]);
    for (place, file) in [("", "compare.html"), ("new/mine.html", "new/mine.html")] {
        let outcome = html(place);
        assert_eq!(outcome.status.code(), Some(4), "{}", said(&outcome));
        let page = std::fs::read_to_string(folder.path().join(file)).expect("written");
        assert!(page.contains("regression: 1.150x slower") && page.ends_with("</html>\n"), "{page}");
    }
    let refused = html("before.json/page.html");
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(said(&refused).contains("--html"), "{}", said(&refused));
}

fn few_runs_are_indicative_and_never_fail() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = result(folder.path(), "before.json", &QUIET[..3], |_| {});
    let slower = result(folder.path(), "slower.json", &[30.0; 6], |_| {});
    let outcome = compare(&before, &slower, &[]);
    assert_eq!(outcome.status.code(), Some(0));
    assert!(said(&outcome).contains("indicative only"), "{}", said(&outcome));
}

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

/// Makes a result that of another setting.
fn set(report: &mut Report, key: &str, value: bool) {
    let value = serde_json::json!({"render": {"effects": {key: value}}});
    report.settings.scene_hash = format!("{:016x}", value.to_string().len());
    report.settings.hashes.config = value.to_string();
    report.settings.config = Some(value);
}

fn two_settings_are_named_and_compared_with_across_and_never_fail() {
    let folder = tempfile::tempdir().expect("a folder");
    let on = result(folder.path(), "on.json", &QUIET, |report| set(report, "shafts", true));
    let off = result(folder.path(), "off.json", &QUIET.map(|m| 2.0 * m), |report| {
        set(report, "shafts", false);
        (report.settings.size, report.settings.seed) = ((640, 360), 2);
        report.host.cpu = Some("another".into());
    });
    let refused = compare(&on, &off, &[]);
    assert_eq!(refused.status.code(), Some(5), "{}", said(&refused));
    for words in ["render.effects.shafts: true and false", "size: 1280x720 and 640x360", "seed: 1 and 2", "--across"] {
        assert!(said(&refused).contains(words), "{words}: {}", said(&refused));
    }
    let across = compare(&on, &off, &["--across"]);
    assert_eq!(across.status.code(), Some(0), "{}", said(&across));
    for words in [
        "render.effects.shafts: true and false",
        "size: 1280x720 and 640x360",
        "seed: 1 and 2",
        "processor: not known and another",
        "off is 2.000x slower than on",
    ] {
        assert!(said(&across).contains(words), "{words}: {}", said(&across));
    }
    assert_eq!(compare(&off, &on, &["--across"]).status.code(), Some(0));
    assert_eq!(compare(&on, &off, &["--across", "--threshold", "5%"]).status.code(), Some(2));
}

fn results_older_than_the_list_of_keys_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let new = result(folder.path(), "new.json", &QUIET, |report| set(report, "shafts", true));
    let old = result(folder.path(), "old.json", &QUIET, |report| report.settings.quality = "low".into());
    let text = std::fs::read_to_string(&old).expect("written");
    let mut value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let settings = value["settings"].as_object_mut().expect("an object");
    assert!(settings.shift_remove("config").is_some() && settings.shift_remove("interleaved").is_some());
    for run in value["runs"].as_array_mut().expect("runs") {
        let run = run.as_object_mut().expect("an object");
        // As it was called.
        let count = run.shift_remove("long_stutter_count").expect("it is there");
        run.insert("hitch_count".into(), count);
    }
    std::fs::write(&old, value.to_string()).expect("written");
    let refused = compare(&old, &new, &[]);
    assert_eq!(refused.status.code(), Some(5), "{}", said(&refused));
    assert!(said(&refused).contains("scene settings: not listed in this older result"), "{}", said(&refused));
    assert!(said(&refused).contains("quality: low and high"), "{}", said(&refused));
    assert_eq!(compare(&old, &old, &[]).status.code(), Some(0));
}

fn many_results_are_one_table_and_one_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = [("low", 1.0), ("medium", 1.5), ("high", 3.0)].map(|(name, slower)| {
        result(folder.path(), &format!("{name}.json"), &QUIET.map(|m| slower * m), |report| {
            report.settings.quality = name.into();
        })
    });
    let all: Vec<&Path> = all.iter().map(PathBuf::as_path).collect();
    let page = folder.path().join("qualities.html");
    let outcome = compare_all(&all, &["--across", "--html", page.to_str().expect("UTF-8")]);
    assert_eq!(outcome.status.code(), Some(0), "{}", said(&outcome));
    for words in ["1.500x slower", "3.000x slower", "low and high:", "quality: low and medium"] {
        assert!(said(&outcome).contains(words), "{words}: {}", said(&outcome));
    }
    let page = std::fs::read_to_string(page).expect("written");
    assert!(page.contains("high is 3.000x slower than low") && page.contains("side2"), "{page}");
    let json = compare_all(&all, &["--across", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((&json["base"], &json["comparisons"][1]["verdict"]), (&"low".into(), &"slower".into()));
    assert_eq!(json["comparisons"][1]["rows"][2]["change"], "3.000x slower");
    let plain = compare_all(&all, &[]);
    assert_eq!(plain.status.code(), Some(4), "the qualities drew the same, says the hash: {}", said(&plain));
    assert_eq!(compare_all(&all[..1], &[]).status.code(), Some(2), "{}", said(&plain));
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    a_planted_slowdown_is_4_and_noise_is_not;
    a_page_is_written_whatever_the_verdict_and_its_place_is_looked_at_first;
    few_runs_are_indicative_and_never_fail;
    what_did_not_measure_the_same_is_5_unless_forced;
    files_and_metrics_that_are_not_there_are_2;
    two_settings_are_named_and_compared_with_across_and_never_fail;
    results_older_than_the_list_of_keys_say_so;
    many_results_are_one_table_and_one_page;
};
