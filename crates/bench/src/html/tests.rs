//! Tests that the page is whole, stands alone and survives odd input.

use super::*;
use crate::FrameEnd;
use crate::command::command;
use crate::ladder::{Rung, to_a_million};
use crate::passes::{PassCost, PassCosts};
use crate::report::tests::report_of;
use crate::report::{RequestedLadder, RequestedRun};

/// Tags that have no end.
const VOID: [&str; 3] = ["meta", "img", "br"];

/// Checks that every tag is closed in its order, and gives the names in the order they were opened.
pub fn tags(page: &str) -> Vec<String> {
    let body = page.split_once("</style>").map_or(page, |(_, body)| body);
    let (mut open, mut seen) = (Vec::new(), Vec::new());
    for piece in body.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag ends");
        let name = |tag: &str| tag.split_whitespace().next().unwrap_or_default().trim_end_matches('/').to_string();
        if let Some(closed) = tag.strip_prefix('/') {
            // It was opened before the body.
            let opened = open.pop().unwrap_or_else(|| closed.to_string());
            assert_eq!(opened, name(closed), "in {page}");
        } else if !tag.ends_with('/') && !VOID.contains(&name(tag).as_str()) {
            open.push(name(tag));
            seen.push(name(tag));
        }
    }
    assert_eq!(open, [""; 0], "left open");
    seen
}

fn checked(report: &Report, runs: &[MeasuredRun]) -> String {
    let page = page(report, runs, None);
    tags(&page);
    for word in ["NaN", "inf\"", "inf ", "<script", "src=", "href=", "url(", "@import"] {
        assert!(!page.contains(word), "{word} is in the page");
    }
    let beyond = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!beyond.contains("http"), "it asks for nothing from outside");
    page
}

/// Frame times that look like some: a wave, every 97th frame a stutter.
pub fn frames(n: usize) -> Vec<f64> {
    let time = |i: usize| 20.0 + 3.0 * (i as f64 * 0.13).sin() + if i % 97 == 50 { 70.0 } else { 0.0 };
    (0..n).map(time).collect()
}

#[test]
fn a_picture_is_inside_the_page() {
    let (report, runs) = report_of(&[&frames(40)]);
    let sea: Vec<u8> = [10, 90, 140, 255].repeat(64 * 36);
    let picture = ScenePicture::of((64, 36), &sea).expect("a picture");
    let page = page(&report, &runs, Some(&picture));
    tags(&page);
    assert_eq!(page.matches("<img src=\"data:image/jpeg;base64,").count(), 1);
    assert!(page.contains("width=\"64\" height=\"36\"") && page.contains("not one of the frames that were measured"));
}

#[test]
fn a_usual_report_has_every_part() {
    let times = frames(400);
    let (mut report, runs) = report_of(&[&times, &times, &times]);
    report.passes = Some(PassCosts {
        rounds: 24,
        whole_ms: 22.0,
        costs: vec![
            PassCost {
                name: "caustics".into(),
                ms: Some(4.0),
                interval_ms: Some((3.5, 4.25)),
                share_pct: Some(18.2),
                note: None,
            },
            PassCost {
                name: "shadows".into(),
                ms: None,
                interval_ms: None,
                share_pct: None,
                note: Some("not drawn at this quality tier".into()),
            },
        ],
        rest_ms: 18.0,
    });
    report.settings.asked = RequestedRun { scene: "reef".into(), runs: true, ..RequestedRun::default() };
    let rung = |fish, ms| Rung { median_ms: Some(ms), ..Rung::of(fish, u64::from(fish), &[]) };
    report.ladder = Some(vec![rung(1, 10.0), rung(1000, 20.0), rung(30_000, 90.0)]);
    let page = checked(&report, &runs);
    for part in [
        "median 20",
        "99 %: ",
        "stutter: run 1, frame 50, 9",
        "run 3",
        "% of frames at most so long",
        "moving the world",
        "What each effect costs",
        "4.00",
        "(3.50 to 4.25)",
        "not drawn at this quality tier",
        "Fish and frames",
        "30\u{202f}000 fish: 90.00 ms",
        "llvmpipe",
        "a label: Pelagic benchmark on llvmpipe, ",
        "1 % low: mean frame rate of the slowest 1 % of frames",
        "pelagic bench --scene reef --set water.type=3C --size 640x360",
        "no GPU time: the renderer draws on the CPU",
    ] {
        let (page, part) = (page.replace('\u{202f}', ""), part.replace('\u{202f}', ""));
        assert!(page.contains(&part), "\"{part}\" is not in the page");
    }
    // Line, histogram, cumulative, phases, ladder; the others are swatches and bars.
    assert_eq!(page.matches("role=\"img\"").count(), 5);
    assert_eq!(page.matches("class=\"stutter\"").count(), 3 * 4, "each stutter is marked");
}

#[test]
fn odd_results_are_drawn_too() {
    let (report, runs) = report_of(&[&[10.0]]);
    checked(&report, &runs);
    let (report, runs) = report_of(&[&[10.0; 300]]);
    checked(&report, &runs);
    let (report, runs) = report_of(&[&[1e-3, 1e6]]);
    checked(&report, &runs);
    let (report, runs) = report_of(&[&[10.0; 8], &[10.0; 2]]);
    assert!(checked(&report, &runs).contains("aborted"));
    let (mut report, mut runs) = report_of(&[&[10.0; 8]]);
    // Spoiled before its first frame.
    runs[0].samples.clear();
    report.runs[0].metrics = Default::default();
    report.summary = Default::default();
    checked(&report, &runs);
    let many = frames(50_000);
    let (report, runs) = report_of(&[&many, &many]);
    let page = checked(&report, &runs);
    assert!(page.len() < 400_000, "{} bytes for a hundred thousand frames", page.len());
}

#[test]
fn a_report_without_runs_still_says_what_was_asked() {
    let (mut report, _) = report_of(&[&[10.0]]);
    report.runs.clear();
    report.summary = Default::default();
    report.ladder = Some(vec![Rung::of(5, 7, &[])]);
    let page = checked(&report, &[]);
    assert!(page.contains("Fish and frames") && !page.contains("Every frame"));
}

#[test]
fn words_from_outside_cannot_become_markup() {
    let (mut report, runs) = report_of(&[&[10.0; 8]]);
    report.label = Some("<script>alert(1)</script>".into());
    report.gl.renderer = "a \"card\" & <more>".into();
    report.settings.set = vec!["<b>".into()];
    let page = checked(&report, &runs);
    assert!(page.contains("&lt;script&gt;alert(1)") && page.contains("&quot;card&quot; &amp; &lt;more&gt;"));
}

#[test]
fn the_command_repeats_all_that_was_asked_for_and_is_quoted_for_the_shell() {
    let (mut report, _) = report_of(&[&[10.0; 8]]);
    report.settings.asked = RequestedRun { scene: "reef".into(), runs: true, ..RequestedRun::default() };
    let usual = "pelagic bench --scene reef --set water.type=3C --size 640x360 --seed 1 --runs 1 --frames 8 \
                 --warmup-frames 2 --frame-end fence";
    assert_eq!(command(&report), usual);
    let s = &mut report.settings;
    let (scene, shaders) = ("my scenes/it's.toml".into(), Some("a $folder".into()));
    s.asked = RequestedRun { scene, fish: Some(250), shaders, ..s.asked.clone() };
    s.set = vec!["scene.name=\"a b\"".into()];
    (s.offscreen, s.vsync, s.governor, s.frame_end) = (false, Some(true), true, FrameEnd::Swap);
    s.pipelined = false;
    (s.measure_s, s.warmup_s) = (Some(2.5), Some(1.0));
    s.stereo = "side-by-side".into();
    let wanted = r#"pelagic bench --scene 'my scenes/it'\''s.toml' --set 'scene.name="a b"' --fish 250 \
--shaders 'a $folder' --size 640x360 --seed 1 --runs 1 --duration 2.5 --warmup 1 --stereo side-by-side --frame-end swap --vsync on \
--window --in-turn --governor"#;
    assert_eq!(command(&report), wanted.replace("\\\n", ""));
}

#[test]
fn the_command_asks_for_what_was_asked_for() {
    let (mut report, _) = report_of(&[&[10.0; 8], &[10.0; 8]]);
    let mut of = |runs, passes, ladder: Option<(&[u32], u32, u32)>| {
        let ladder = ladder.map(|(fish, frames, warmup)| RequestedLadder {
            fish: fish.to_vec(),
            frames,
            warmup,
            measure_s: None,
            warmup_s: None,
        });
        report.settings.asked = RequestedRun { scene: "reef".into(), runs, passes, ladder, ..RequestedRun::default() };
        let command = command(&report);
        command
            .strip_prefix("pelagic bench --scene reef --set water.type=3C --size 640x360 --seed 1 ")
            .map(str::to_owned)
    };
    let passes = of(false, Some(3), None).expect("the beginning is the same");
    assert_eq!(passes, "--rounds 3 --frame-end fence --passes");
    let ladder = of(false, None, Some((&[1, 500], 60, 12))).expect("the beginning is the same");
    assert_eq!(ladder, "--runs 2 --frames 60 --warmup-frames 12 --frame-end fence --ladder=1,500");
    let all = of(true, Some(24), Some((&to_a_million(), 60, 12))).expect("the beginning is the same");
    assert_eq!(all, "--runs 2 --rounds 24 --frame-end fence --all", "frames are those that nobody asked for");
    let some = of(true, Some(24), Some((&[5], 8, 2))).expect("the beginning is the same");
    assert_eq!(some, "--runs 2 --frames 8 --warmup-frames 2 --rounds 24 --frame-end fence --all --ladder=5");
}

#[test]
fn the_page_has_one_median_and_no_percentile_that_the_table_lacks() {
    // All frames together have the median 10, the runs' medians 10, 12 and 30 the median 12.
    let (report, runs) = report_of(&[&[10.0; 60], &[10.0, 12.0, 14.0], &[30.0; 3]]);
    let mut report = report;
    report.runs.iter_mut().for_each(|run| run.valid = true);
    report.summary.median_of_runs.insert("median_ms".into(), 12.0);
    report.summary.valid_runs = 3;
    let page = checked(&report, &runs);
    assert!(page.contains("median 12.0 ms") && page.contains("50 %: 12.0 ms"), "{page}");
    assert!(!page.contains("class=\"p99\"") && !page.contains("99 %: "), "three runs of under a hundred frames");
    let (report, runs) = report_of(&[&[10.0; 60], &[10.0; 60]]);
    assert!(!checked(&report, &runs).contains("99 %: "), "nor do two have one together");
}

#[test]
fn the_page_says_what_was_measured() {
    let (mut report, _) = report_of(&[&[10.0; 8], &[10.0; 8], &[10.0; 8]]);
    assert!(checked(&report, &[]).contains("3 runs of 8 frames after 2 of warm-up"));
    report.runs.clear();
    report.summary = Default::default();
    report.settings.asked.passes = Some(3);
    report.set_passes(Some(PassCosts { rounds: 3, whole_ms: 20.0, costs: Vec::new(), rest_ms: -0.5 }));
    let page = checked(&report, &[]);
    assert!(page.contains("cost at 3 moments") && page.contains("not to be relied on"), "{page}");
    assert!(!page.contains("3 runs"), "{page}");
}
