//! Two benchmarks side by side: what differs, and whether that can be believed.

use std::fmt::Write as _;

use serde::Serialize;

use crate::bench::inference::{mann_whitney, ratio_interval};
use crate::bench::report::{Better, Report, SUMMARISED, Settings, SummaryMetric};

/// Runs a side below which nothing is called a regression.
pub const FEWEST_RUNS: usize = 5;
/// Slowdown that counts on hardware. Unit: 1.
pub const HARDWARE_THRESHOLD: f64 = 0.05;
/// Slowdown that counts on a software renderer, which shares the CPU with everything else. Unit: 1.
pub const SOFTWARE_THRESHOLD: f64 = 0.15;

/// Something that must agree and does not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// What.
    pub what: String,
    /// In the first.
    pub before: String,
    /// In the second.
    pub after: String,
}

/// What differs between two results that must not, for a comparison to mean anything.
pub fn differences(before: &Report, after: &Report) -> Vec<Difference> {
    let (a, b) = (&before.settings, &after.settings);
    let size = |(width, height): (u32, u32)| format!("{width}x{height}");
    let mut found = Vec::new();
    let mut must_agree = |what: &str, before: String, after: String| {
        if before != after {
            found.push(Difference { what: what.into(), before, after });
        }
    };
    must_agree("renderer", before.gl.renderer.clone(), after.gl.renderer.clone());
    must_agree("size", size(a.size), size(b.size));
    if a.scene_hash != b.scene_hash {
        let parts: [(&str, &str, &str); 3] = [
            ("scene (settings)", &a.hashes.config, &b.hashes.config),
            ("scene (models, seabed)", &a.hashes.assets, &b.hashes.assets),
            ("scene (shaders)", &a.hashes.shaders, &b.hashes.shaders),
        ];
        for (what, of_a, of_b) in parts {
            must_agree(what, of_a.into(), of_b.into());
        }
        must_agree("seed", a.seed.to_string(), b.seed.to_string());
        // Whatever else the hash may be made of one day.
        must_agree("scene_hash", a.scene_hash.clone(), b.scene_hash.clone());
    }
    must_agree("eyes", a.stereo.clone(), b.stereo.clone());
    must_agree("frame end", a.frame_end.words().into(), b.frame_end.words().into());
    must_agree("build profile", before.app.profile.to_string(), after.app.profile.to_string());
    must_agree("time step", a.step_s.to_string(), b.step_s.to_string());
    must_agree("warm-up frames", a.warmup.to_string(), b.warmup.to_string());
    must_agree("frames", a.frames.to_string(), b.frames.to_string());
    let seconds = |s: Option<f64>| s.map_or("by number".into(), |s| format!("{s} s"));
    must_agree("time measured", seconds(a.measure_s), seconds(b.measure_s));
    must_agree("time of warm-up", seconds(a.warmup_s), seconds(b.warmup_s));
    let place = |s: &Settings| match (s.page, s.live, s.offscreen, s.vsync) {
        (true, ..) => "recorded live in a page",
        (_, true, ..) => "recorded live",
        (_, _, true, _) => "off-screen",
        (_, _, false, Some(true)) => "in a window, waiting for the screen",
        (_, _, false, _) => "in a window",
    };
    must_agree("drawn", place(a).into(), place(b).into());
    let governor = |on: bool| if on { "at work" } else { "off" };
    must_agree("quality governor", governor(a.governor).into(), governor(b.governor).into());
    found
}

/// One metric, before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricRow {
    /// Its name.
    pub metric: String,
    /// Median of the first's runs.
    pub before: f64,
    /// Median of the second's runs.
    pub after: f64,
    /// How many times slower the second is: after over before for times, before over after for rates.
    pub slowdown: Option<f64>,
    /// 95 % interval of `slowdown`.
    pub interval: Option<(f64, f64)>,
    /// p of the Mann-Whitney test.
    pub p: Option<f64>,
}

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Slower by more than the threshold, with confidence.
    Regression,
    /// Faster by more than the threshold, with confidence.
    Improvement,
    /// Slower with confidence, but not with confidence by more than the threshold.
    Slower,
    /// Faster with confidence, but not with confidence by more than the threshold.
    Faster,
    /// Neither slower nor faster with confidence.
    NoSignificantChange,
    /// Too few runs to say anything with confidence.
    IndicativeOnly,
}

/// Two results side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Every metric that both have.
    pub rows: Vec<MetricRow>,
    /// The metric that decides.
    pub metric: String,
    /// Slowdown that counts. Unit: 1.
    pub threshold: f64,
    /// Valid runs before and after.
    pub runs: (usize, usize),
    /// What it comes to.
    pub verdict: Verdict,
    /// What must agree and does not, but was let pass.
    pub differences: Vec<Difference>,
}

/// Compares two results by `metric`; `threshold` is by renderer if none is given.
///
/// `None` if there is no such metric in both.
pub fn compare(before: &Report, after: &Report, metric: &str, threshold: Option<f64>) -> Option<Comparison> {
    let software = before.gl.software || after.gl.software;
    let threshold = threshold.unwrap_or(if software { SOFTWARE_THRESHOLD } else { HARDWARE_THRESHOLD });
    let rows: Vec<MetricRow> = SUMMARISED.iter().filter_map(|metric| row(metric, before, after)).collect();
    let deciding = rows.iter().find(|row| row.metric == metric)?;
    let runs = (before.summary.valid_runs, after.summary.valid_runs);
    let verdict = match deciding.interval {
        _ if runs.0.min(runs.1) < FEWEST_RUNS => Verdict::IndicativeOnly,
        Some((low, _)) if low > 1.0 + threshold => Verdict::Regression,
        Some((_, high)) if high < 1.0 / (1.0 + threshold) => Verdict::Improvement,
        Some((low, _)) if low > 1.0 => Verdict::Slower,
        Some((_, high)) if high < 1.0 => Verdict::Faster,
        _ => Verdict::NoSignificantChange,
    };
    let differences = differences(before, after);
    Some(Comparison { rows, metric: metric.into(), threshold, runs, verdict, differences })
}

fn row(metric: &SummaryMetric, before: &Report, after: &Report) -> Option<MetricRow> {
    let of = |report: &Report| -> Option<Vec<f64>> {
        report.runs.iter().filter(|run| run.valid).map(metric.value).collect::<Option<Vec<f64>>>()
    };
    let (of_before, of_after) = (of(before)?, of(after)?);
    let (median_before, median_after) = (math::median(&of_before)?, math::median(&of_after)?);
    let (faster, slower) = match metric.better {
        Better::Higher => (&of_after, &of_before),
        Better::Lower => (&of_before, &of_after),
    };
    Some(MetricRow {
        metric: metric.name.into(),
        before: median_before,
        after: median_after,
        slowdown: math::median(slower).zip(math::median(faster)).filter(|(_, f)| *f > 0.0).map(|(s, f)| s / f),
        interval: ratio_interval(faster, slower),
        p: mann_whitney(&of_before, &of_after),
    })
}

/// The comparison for people.
pub fn render(comparison: &Comparison) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = write_text(&mut text, comparison);
    text
}

fn write_text(text: &mut String, c: &Comparison) -> std::fmt::Result {
    writeln!(text, "{:<18}{:>12}{:>12}{:>10}   {:<18}{:>7}", "", "before", "after", "slower", "95 % interval", "p")?;
    for row in &c.rows {
        let slower = row.slowdown.map_or("-".into(), |ratio| format!("x{ratio:.3}"));
        let interval = row.interval.map_or("-".into(), |(low, high)| format!("x{low:.3} to x{high:.3}"));
        let p = row.p.map_or("-".into(), |p| format!("{p:.3}"));
        let (name, before, after) = (&row.metric, row.before, row.after);
        writeln!(text, "{name:<18}{before:>12.3}{after:>12.3}{slower:>10}   {interval:<18}{p:>7}")?;
    }
    for d in &c.differences {
        writeln!(text, "not the same: {} is {} before and {} after", d.what, d.before, d.after)?;
    }
    if let Some(advice) = advice(c) {
        writeln!(text, "{advice}")?;
    }
    writeln!(text, "{}", conclusion(c))
}

/// What there is to do for a verdict, if there is none.
pub fn advice(Comparison { verdict, runs: (before, after), .. }: &Comparison) -> Option<String> {
    (*verdict == Verdict::IndicativeOnly).then(|| {
        format!(
            "{before} and {after} whole runs: a verdict needs {FEWEST_RUNS} a side; measure with --runs {FEWEST_RUNS}"
        )
    })
}

/// What it comes to, in a sentence.
pub fn conclusion(c: &Comparison) -> String {
    let slowdown = c.rows.iter().find(|row| row.metric == c.metric).and_then(|row| row.slowdown).unwrap_or(1.0);
    let percent = |share: f64| format!("{} %", (share * 1000.0).round() / 10.0);
    let threshold = percent(c.threshold);
    // Both ways as the threshold counts: so many times as long, so many times as fast.
    let under = |how: &str, by: f64| {
        let beside = match by <= c.threshold {
            true => format!("under the threshold of {threshold}"),
            false => format!("but not with confidence by more than the threshold of {threshold}"),
        };
        format!("significantly {how} by {}, {beside}", percent(by))
    };
    let what = match c.verdict {
        Verdict::Regression => format!("regression: slower by {}, threshold {threshold}", percent(slowdown - 1.0)),
        Verdict::Improvement => {
            format!("improvement: faster by {}, threshold {threshold}", percent(1.0 / slowdown - 1.0))
        }
        Verdict::Slower => under("slower", slowdown - 1.0),
        Verdict::Faster => under("faster", 1.0 / slowdown - 1.0),
        Verdict::NoSignificantChange => format!("no significant change, threshold {threshold}"),
        Verdict::IndicativeOnly => "indicative only".into(),
    };
    format!("{}: {what}", c.metric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::report::Profile;
    use crate::bench::report::tests::report_of;

    /// A result whose runs have these medians.
    fn result(medians: &[f64]) -> Report {
        let frames: Vec<Vec<f64>> =
            medians.iter().map(|&m| (0..300).map(|i| m * (1.0 + 0.01 * f64::from(i % 3 - 1))).collect()).collect();
        report_of(&frames.iter().map(Vec::as_slice).collect::<Vec<_>>()).0
    }

    fn verdict(before: &[f64], after: &[f64], threshold: f64) -> Verdict {
        compare(&result(before), &result(after), "median_ms", Some(threshold)).expect("a metric").verdict
    }

    const QUIET: [f64; 5] = [10.0, 10.1, 9.9, 10.05, 9.95];

    #[test]
    fn a_planted_slowdown_is_a_regression_and_a_speed_up_an_improvement() {
        let slower = QUIET.map(|m| m * 1.2);
        assert_eq!(verdict(&QUIET, &slower, 0.05), Verdict::Regression);
        assert_eq!(verdict(&slower, &QUIET, 0.05), Verdict::Improvement);
        assert_eq!(verdict(&QUIET, &slower, 0.25), Verdict::Slower, "below the threshold");
        assert_eq!(verdict(&slower, &QUIET, 0.25), Verdict::Faster, "below the threshold");
    }

    #[test]
    fn what_is_significant_but_small_is_told_as_both() {
        let said = |before: &[f64], after: &[f64], threshold| {
            let comparison = compare(&result(before), &result(after), "median_ms", Some(threshold)).expect("a metric");
            conclusion(&comparison)
        };
        let steady = [10.0, 10.001, 9.999, 10.0005, 9.9995];
        let slower = steady.map(|m| m * 1.012);
        let wanted = "median_ms: significantly slower by 1.2 %, under the threshold of 3 %";
        assert_eq!(said(&steady, &slower, 0.03), wanted);
        let wanted = "median_ms: significantly faster by 1.2 %, under the threshold of 3 %";
        assert_eq!(said(&slower, &steady, 0.03), wanted);
        // 6 % in the middle, but some runs are slower by 1 % only.
        let spread = said(&steady, &[10.6, 10.1, 10.1, 10.7, 10.7], 0.05);
        assert_eq!(
            spread,
            "median_ms: significantly slower by 6 %, but not with confidence by more than the threshold of 5 %"
        );
        assert_eq!(said(&steady, &slower, 0.002), "median_ms: regression: slower by 1.2 %, threshold 0.2 %");
        assert_eq!(said(&steady, &steady, 0.15), "median_ms: no significant change, threshold 15 %");
        assert_eq!(said(&steady[..4], &slower, 0.15), "median_ms: indicative only");
    }

    #[test]
    fn noise_is_no_regression() {
        assert_eq!(verdict(&QUIET, &[10.2, 9.8, 10.0, 9.9, 10.3], 0.05), Verdict::NoSignificantChange);
        // The median is 12 % higher, but two of five runs are not.
        assert_eq!(verdict(&QUIET, &[11.2, 11.3, 9.9, 10.0, 11.2], 0.05), Verdict::NoSignificantChange);
        assert_eq!(verdict(&QUIET, &QUIET, 0.0), Verdict::NoSignificantChange, "with itself");
    }

    #[test]
    fn few_runs_never_fail() {
        assert_eq!(verdict(&[10.0; 4], &[30.0; 4], 0.05), Verdict::IndicativeOnly);
    }

    #[test]
    fn the_threshold_is_wider_on_software() {
        let (before, mut after) = (result(&QUIET), result(&QUIET.map(|m| m * 1.1)));
        let by_default = |b: &Report, a: &Report| compare(b, a, "median_ms", None).expect("a metric").verdict;
        assert_eq!(by_default(&before, &after), Verdict::Slower);
        let mut before = before;
        (before.gl.software, after.gl.software) = (false, false);
        assert_eq!(by_default(&before, &after), Verdict::Regression);
    }

    #[test]
    fn rates_count_the_other_way_round() {
        let (before, after) = (result(&QUIET), result(&QUIET.map(|m| m * 1.5)));
        let comparison = compare(&before, &after, "fps_avg", Some(0.05)).expect("a metric");
        let row = comparison.rows.iter().find(|row| row.metric == "fps_avg").expect("a row");
        assert!(row.after < row.before);
        assert!((row.slowdown.expect("a ratio") - 1.5).abs() < 0.02);
        assert_eq!(comparison.verdict, Verdict::Regression);
    }

    #[test]
    fn a_metric_that_is_not_there_is_no_comparison() {
        assert_eq!(compare(&result(&QUIET), &result(&QUIET), "score", None), None);
        assert_eq!(compare(&result(&QUIET), &result(&QUIET), "low_0_1pct_fps", None), None, "300 frames have none");
    }

    #[test]
    fn what_must_agree_is_named_when_it_does_not() {
        let before = result(&QUIET);
        assert_eq!(differences(&before, &before), []);
        type Change = (&'static str, fn(&mut Report));
        let changes: [Change; 9] = [
            ("eyes", |r| r.settings.stereo = "anaglyph".into()),
            ("renderer", |r| r.gl.renderer = "another".into()),
            ("size", |r| r.settings.size = (1, 1)),
            ("frame end", |r| r.settings.frame_end = crate::bench::pacing::FrameEnd::Finish),
            ("build profile", |r| r.app.profile = Profile::Debug),
            ("time step", |r| r.settings.step_s = 0.1),
            ("warm-up frames", |r| r.settings.warmup = 0),
            ("frames", |r| r.settings.frames = 10),
            ("scene_hash", |r| r.settings.scene_hash = "0".into()),
        ];
        for (what, change) in changes {
            let mut after = before.clone();
            change(&mut after);
            let named: Vec<String> = differences(&before, &after).into_iter().map(|d| d.what).collect();
            assert_eq!(named, [what]);
        }
        let mut after = before.clone();
        after.settings.scene_hash = "0".into();
        after.settings.hashes.shaders = "0".into();
        let named: Vec<String> = differences(&before, &after).into_iter().map(|d| d.what).collect();
        assert_eq!(named, ["scene (shaders)", "scene_hash"]);
    }
}
