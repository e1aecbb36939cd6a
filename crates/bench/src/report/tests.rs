//! Tests of the report, and reports for other tests.

use math::hex;
use render::FrameStats;

use crate::run::{FrameSample, PassTimes};

use super::*;

/// A report of runs whose frames all take the given times.
pub(crate) fn report_of(runs: &[&[f64]]) -> (Report, Vec<MeasuredRun>) {
    let plan = Plan::frames(2, runs[0].len() as u32, runs.len() as u32);
    let run = |times: &&[f64]| MeasuredRun {
        samples: times
            .iter()
            .enumerate()
            .map(|(i, &frame_ms)| FrameSample {
                number: i as u32,
                sim_time_s: (i + 1) as f64 / 60.0,
                frame_ms,
                simulate_ms: 0.5,
                extract_ms: 0.25,
                cull_ms: 0.25,
                draw_ms: 0.75,
                overlay_ms: 0.0,
                wait_ms: frame_ms - 1.75,
                beside_ms: 0.0,
                gpu_ms: None,
                stats: FrameStats { draws: 12, triangles: 3456, visible: 78, ..FrameStats::default() },
            })
            .collect(),
        state_hash: 0xabc,
        complete: times.len() == runs[0].len(),
        ..MeasuredRun::default()
    };
    let measured_runs: Vec<MeasuredRun> = runs.iter().map(run).collect();
    let whole = measured_runs.iter().all(|run| run.complete);
    let end = if whole { End::Complete } else { End::Interrupted };
    let measured = Measured { runs: measured_runs.clone(), end };
    let report = Report::new(header(&plan), &plan, &measured, Some(123.5));
    (report, measured_runs)
}

fn header(plan: &Plan) -> Header {
    Header {
        label: Some("a label".into()),
        when: "2026-01-31T12:30:05Z".into(),
        app: AppInfo { profile: Profile::Release, ..AppInfo::this() },
        host: Host { os: "linux x86_64".into(), threads: 2, ..Host::default() },
        gl: DeviceInfo { renderer: "llvmpipe".into(), software: true, ..DeviceInfo::default() },
        settings: Settings {
            size: (640, 360),
            scene: "reef".into(),
            set: vec!["water.type=3C".into()],
            asked: RequestedRun::default(),
            quality: "low".into(),
            governor: false,
            pipelined: true,
            render_scale: 1.0,
            animals: 500,
            seed: 1,
            step_s: 1.0 / 60.0,
            warmup: plan.warmup_frames,
            frames: plan.frames,
            measure_s: None,
            warmup_s: None,
            runs: plan.runs,
            vsync: None,
            refresh_hz: None,
            live: false,
            offscreen: true,
            page: false,
            frame_end: FrameEnd::Fence,
            stereo: "off".into(),
            scene_hash: hex(1),
            hashes: SceneHashes { config: hex(2), assets: hex(3), shaders: hex(4) },
            config: Some(serde_json::json!({"water": {"type": "3C"}})),
            interleaved: None,
        },
    }
}

#[test]
fn runs_are_summarised_by_their_median() {
    let (report, _) = report_of(&[&[10.0; 4], &[12.0; 4], &[30.0; 4]]);
    let summary = &report.summary;
    assert_eq!(summary.valid_runs, 3);
    assert_eq!(summary.median_of_runs["median_ms"], 12.0);
    assert_eq!((summary.lowest["median_ms"], summary.highest["median_ms"]), (10.0, 30.0));
    // Mean 52/3, deviations -22/3 -16/3 38/3, variance (484 + 256 + 1444) / 9 / 2.
    let cv = (2184.0f64 / 18.0).sqrt() / (52.0 / 3.0);
    assert!((summary.between_run_cv["median_ms"] - cv).abs() < 1e-12);
    assert_eq!(summary.median_of_runs["cpu_ms"], 1.75);
    assert!(!summary.median_of_runs.contains_key("p99_ms"), "four frames have no 99th percentile");
    assert!(!report.aborted);
}

#[test]
fn an_interrupted_run_is_kept_and_does_not_count() {
    let (report, _) = report_of(&[&[10.0; 8], &[90.0; 3]]);
    assert!(report.aborted);
    assert_eq!((report.runs.len(), report.summary.valid_runs), (2, 1));
    assert!(report.runs[0].valid && !report.runs[1].valid);
    assert_eq!(report.summary.median_of_runs["median_ms"], 10.0);
    let note = report.runs[1].notes.last().expect("a note");
    assert_eq!(note, "ended by Ctrl-C after 3 of 8 frames");
}

#[test]
fn gpu_time_is_null_with_a_reason() {
    let (report, _) = report_of(&[&[10.0; 4]]);
    let json = serde_json::to_value(&report).expect("it is JSON");
    assert!(json["runs"][0]["gpu"].is_null());
    assert!(json["runs"][0]["gpu_reason"].as_str().is_some_and(|reason| reason.contains("timer queries")));
}

/// A run of three frames of 10 ms on hardware whose two passes took the given times.
fn timed(gpu: [[f64; 2]; 3]) -> (MeasuredRun, DeviceInfo) {
    let sample = |of: &[f64; 2]| FrameSample { frame_ms: 10.0, gpu_ms: Some(of[0] + of[1]), ..Default::default() };
    let pass = |name, i: usize| PassTimes { name, ms: gpu.iter().map(|of| Some(of[i])).collect() };
    let run = MeasuredRun {
        samples: gpu.iter().map(sample).collect(),
        passes: vec![pass("seabed", 0), pass("water", 1)],
        complete: true,
        ..MeasuredRun::default()
    };
    (run, DeviceInfo { renderer: "a card".into(), ..DeviceInfo::default() })
}

fn gpu_of((run, gl): (MeasuredRun, DeviceInfo)) -> RunReport {
    run_report(&run, &Plan::frames(0, 3, 1), None, &gl)
}

#[test]
fn gpu_times_that_can_be_are_kept_by_pass() {
    let run = gpu_of(timed([[4.0, 1.0], [5.0, 1.0], [9.0, 1.5]]));
    assert_eq!((run.gpu_reason, run.gpu.and_then(|gpu| gpu.median_ms)), (None, Some(6.0)));
    assert_eq!((run.gpu_passes["seabed"].median, run.gpu_passes["water"].max), (5.0, 1.5));
}

#[test]
fn gpu_times_that_cannot_be_are_null_with_the_reason() {
    let reason = |gpu| {
        let run = gpu_of(timed(gpu));
        assert!(run.gpu.is_none() && run.gpu_passes.is_empty());
        run.gpu_reason.expect("a reason")
    };
    assert!(reason([[8.0, 2.0], [8.0, 2.0], [9.0, 4.0]]).contains("more than there were"));
    assert!(reason([[957_913.0, 2.0], [8.0, 2.0], [9.0, 1.0]]).contains("over 10 s"));
    assert!(reason([[0.0; 2]; 3]).contains("stands still"));
    let (run, mut gl) = timed([[4.0, 1.0]; 3]);
    gl.software = true;
    assert!(gpu_of((run, gl)).gpu_reason.is_some_and(|why| why.contains("on the CPU")));
    let (mut run, gl) = timed([[4.0, 1.0]; 3]);
    run.samples.iter_mut().for_each(|sample| sample.gpu_ms = None);
    assert!(gpu_of((run.clone(), gl.clone())).gpu_reason.is_some_and(|why| why.contains("gave no times")));
    // Half of the times are better than none, and it is said that it is half.
    run.samples[0].gpu_ms = Some(5.0);
    let half = gpu_of((run, gl));
    assert!(half.gpu.is_some_and(|gpu| gpu.n == 1));
    assert!(half.notes.iter().any(|note| note == "GPU times came for 1 of 3 frames"), "{:?}", half.notes);
}

#[test]
fn a_disturbed_run_does_not_count_and_says_what_happened() {
    let (mut run, gl) = timed([[4.0, 1.0]; 3]);
    (run.complete, run.disturbed) = (false, Some("a window that lost its focus".into()));
    let report = run_report(&run, &Plan::frames(0, 5, 1), Some(&End::Complete), &gl);
    assert!(!report.valid);
    assert_eq!(report.notes.last().expect("a note"), "ended by a window that lost its focus after 3 of 5 frames");
}

#[test]
fn a_report_survives_its_file() {
    let (report, _) = report_of(&[&[10.0, 11.5, 12.25, 1.0 / 3.0], &[10.0; 4]]);
    let text = serde_json::to_string_pretty(&report).expect("it is JSON");
    let back: Report = serde_json::from_str(&text).expect("it reads back");
    assert_eq!(back.runs[0].metrics.n, 4);
    for (name, value) in &report.summary.median_of_runs {
        // serde_json reads floats to within one unit in the last place.
        let read = back.summary.median_of_runs[name];
        assert!((read - value).abs() <= 1e-15 * value.abs(), "{name}: {read} is not {value}");
    }
    assert_eq!(back.settings, report.settings);
}
