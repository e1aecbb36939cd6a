//! The page is whole, stands alone and survives what is odd.

use super::*;
use crate::bench::FrameEnd;
use crate::bench::ladder::Rung;
use crate::bench::passes::{PassCost, PassCosts};
use crate::bench::report::SceneRequest;
use crate::bench::report::tests::report_of;

/// Tags that have no end.
const VOID: [&str; 1] = ["meta"];

/// Checks that every tag is closed in its order, and gives the names in the order they were opened.
fn tags(page: &str) -> Vec<String> {
    let body = page.split_once("</style>").map_or(page, |(_, body)| body);
    let (mut open, mut seen) = (Vec::new(), Vec::new());
    for piece in body.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag ends");
        let name = |tag: &str| tag.split_whitespace().next().unwrap_or_default().trim_end_matches('/').to_string();
        if let Some(closed) = tag.strip_prefix('/') {
            // What opened before the body.
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
    let page = page(report, runs);
    tags(&page);
    for word in ["NaN", "inf\"", "inf ", "<script", "src=", "href=", "url(", "@import"] {
        assert!(!page.contains(word), "{word} is in the page");
    }
    let beyond = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!beyond.contains("http"), "it asks for nothing from outside");
    page
}

/// Frame times that look like some: a wave, every 97th frame a stutter.
fn frames(n: usize) -> Vec<f64> {
    let time = |i: usize| 20.0 + 3.0 * (i as f64 * 0.13).sin() + if i % 97 == 50 { 70.0 } else { 0.0 };
    (0..n).map(time).collect()
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
    report.settings.asked.scene = "reef".into();
    let rung = |fish, ms| Rung { median_ms: Some(ms), ..Rung::of(fish, u64::from(fish), &[]) };
    report.ladder = Some(vec![rung(1, 10.0), rung(1000, 20.0), rung(30_000, 90.0)]);
    let page = checked(&report, &runs);
    for part in [
        "p50 20",
        "p99 ",
        "stutter: run 1, frame 50, 9",
        "run 3",
        "% of frames at most so long",
        "moving the world",
        "What each effect costs",
        "4.00",
        "(3.50 to 4.25)",
        "not drawn at this quality tier",
        "Fish and frames",
        "30\u{202f}000 fish: 90.00 ms, 11.1 fps",
        "llvmpipe",
        "a label: Pelagic benchmark",
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
    report.settings.asked.scene = "reef".into();
    let usual = "pelagic bench --scene reef --set water.type=3C --size 640x360 --seed 1 --runs 1 --frames 8 \
                 --warmup-frames 2 --frame-end fence";
    assert_eq!(command(&report), usual);
    let s = &mut report.settings;
    s.asked = SceneRequest { scene: "my scenes/it's.toml".into(), fish: Some(250), shaders: Some("a $folder".into()) };
    s.set = vec!["scene.name=\"a b\"".into()];
    (s.offscreen, s.vsync, s.governor, s.frame_end) = (false, Some(true), true, FrameEnd::Swap);
    (s.measure_s, s.warmup_s) = (Some(2.5), Some(1.0));
    let wanted = r#"pelagic bench --scene 'my scenes/it'\''s.toml' --set 'scene.name="a b"' --fish 250 \
--shaders 'a $folder' --size 640x360 --seed 1 --runs 1 --duration 2.5 --warmup 1 --frame-end swap --vsync on --window \
--governor"#;
    assert_eq!(command(&report), wanted.replace("\\\n", ""));
}
