//! Two benchmarks side by side: their differences, and whether these can be believed.

use serde::Serialize;

use crate::inference::{self, mann_whitney, ratio_interval, signed_rank};
use crate::report::{Better, Report, SUMMARISED, SummaryMetric};
use crate::warning;

mod differences;
mod text;

pub use crate::inference::FEWEST_PAIRS;
pub use differences::{Difference, all_differences, differences};
pub use text::{advice, change, conclusion, doubt, interval, listed, render, render_many};

/// Fewest runs a side for a verdict with confidence, where they were not measured in turn.
pub const FEWEST_RUNS: usize = 5;
/// The metric that decides when none is asked for.
pub const METRIC: &str = "median_ms";
/// Results that are compared with each other at most.
pub const MAX_RESULTS: usize = 8;
/// Slowdown that counts on hardware. Unit: 1.
pub const HARDWARE_THRESHOLD: f64 = 0.05;
/// Slowdown that counts on a software renderer, which shares the CPU with everything else. Unit: 1.
pub const SOFTWARE_THRESHOLD: f64 = 0.15;
/// Greatest p at which pairs are believed.
const GREATEST_P: f64 = 0.05;

/// Question asked of two results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Question<'a> {
    /// The metric that decides.
    pub metric: &'a str,
    /// Slowdown that counts; by renderer if none is given. Unit: 1.
    pub threshold: Option<f64>,
    /// Whether two settings are compared, neither of which is a change of the other for the better or the worse.
    pub across: bool,
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
    /// Time of the second over time of the first, for rates the other way round: above 1 the second is slower. For runs
    /// measured in turn the median over their pairs, else the ratio of the medians.
    pub slowdown: Option<f64>,
    /// 95 % interval of `slowdown`.
    pub interval: Option<(f64, f64)>,
    /// `slowdown` as people read it, a factor above 1 and a word: `1.208x slower`, `1.208x faster`.
    pub change: Option<String>,
    /// p of the signed-rank test over pairs for runs measured in turn, else of the Mann-Whitney test.
    pub p: Option<f64>,
}

/// Outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Slower by more than the threshold, with confidence.
    Regression,
    /// Faster by more than the threshold, with confidence.
    Improvement,
    /// Slower with confidence, but not with confidence by more than the threshold; between two settings, by any amount.
    Slower,
    /// Faster with confidence, but not with confidence by more than the threshold; between two settings, by any amount.
    Faster,
    /// Neither slower nor faster with confidence.
    NoSignificantChange,
    /// Too few runs to say anything with confidence.
    IndicativeOnly,
}

/// Two results side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Names of the two results.
    pub names: [String; 2],
    /// Every metric that both have.
    pub rows: Vec<MetricRow>,
    /// The metric that decides.
    pub metric: String,
    /// Whether two settings are compared.
    pub across: bool,
    /// Whether the runs of both were measured in turn.
    pub interleaved: bool,
    /// Slowdown that counts. Unit: 1.
    pub threshold: f64,
    /// Valid runs before and after; for runs measured in turn, pairs in which both are valid.
    pub runs: (usize, usize),
    /// The outcome.
    pub verdict: Verdict,
    /// Codes of each result's warnings that tell of an unsteady machine.
    pub doubts: [Vec<String>; 2],
    /// Differences that must not exist unless two settings are compared.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// The metric that decides.
    pub fn deciding(&self) -> Option<&MetricRow> {
        self.rows.iter().find(|row| row.metric == self.metric)
    }

    /// Whether the machine may have affected the outcome.
    pub fn is_doubtful(&self) -> bool {
        self.doubts.iter().any(|codes| !codes.is_empty())
    }
}

/// Compares two results called `names`.
///
/// `None` if there is no such metric in both.
pub fn compare(names: [&str; 2], before: &Report, after: &Report, question: &Question<'_>) -> Option<Comparison> {
    let Question { metric, threshold, across } = *question;
    let software = before.gl.software || after.gl.software;
    let threshold = threshold.unwrap_or(if software { SOFTWARE_THRESHOLD } else { HARDWARE_THRESHOLD });
    let interleaved = before.settings.interleaved.is_some()
        && before.settings.interleaved == after.settings.interleaved
        && before.runs.len() == after.runs.len();
    let rows: Vec<MetricRow> = SUMMARISED.iter().filter_map(|metric| row(metric, before, after, interleaved)).collect();
    let deciding = rows.iter().find(|row| row.metric == metric)?;
    let pairs = before.runs.iter().zip(&after.runs).filter(|(a, b)| a.valid && b.valid).count();
    let runs = match interleaved {
        true => (pairs, pairs),
        false => (before.summary.valid_runs, after.summary.valid_runs),
    };
    let fewest = if interleaved { FEWEST_PAIRS } else { FEWEST_RUNS };
    let believed = !interleaved || deciding.p.is_some_and(|p| p <= GREATEST_P);
    let verdict = match deciding.interval {
        _ if runs.0.min(runs.1) < fewest => Verdict::IndicativeOnly,
        Some((low, _)) if believed && !across && low > 1.0 + threshold => Verdict::Regression,
        Some((_, high)) if believed && !across && high < 1.0 / (1.0 + threshold) => Verdict::Improvement,
        Some((low, _)) if believed && low > 1.0 => Verdict::Slower,
        Some((_, high)) if believed && high < 1.0 => Verdict::Faster,
        _ => Verdict::NoSignificantChange,
    };
    Some(Comparison {
        names: names.map(str::to_owned),
        rows,
        metric: metric.into(),
        across,
        interleaved,
        threshold,
        runs,
        verdict,
        doubts: [before, after].map(|report| {
            let codes = report.warnings.iter().map(|warning| &warning.code);
            codes.filter(|code| warning::is_of_machine(code)).cloned().collect()
        }),
        differences: if across { all_differences(before, after) } else { differences(before, after) },
    })
}

fn row(metric: &SummaryMetric, before: &Report, after: &Report, interleaved: bool) -> Option<MetricRow> {
    let of = |report: &Report| -> Option<Vec<f64>> {
        report.runs.iter().filter(|run| run.valid).map(metric.value).collect::<Option<Vec<f64>>>()
    };
    let (of_before, of_after) = (of(before)?, of(after)?);
    let (median_before, median_after) = (math::median(&of_before)?, math::median(&of_after)?);
    let (slowdown, interval, p) = if interleaved {
        let both = before.runs.iter().zip(&after.runs).filter(|(a, b)| a.valid && b.valid);
        let ratio = |(a, b)| {
            let (a, b) = as_times(metric.better, (metric.value)(a)?, (metric.value)(b)?);
            (a > 0.0 && b > 0.0).then_some(b / a)
        };
        let ratios: Vec<f64> = both.map(ratio).collect::<Option<_>>().unwrap_or_default();
        let differences: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        (math::median(&ratios), inference::median_interval(&ratios), signed_rank(&differences))
    } else {
        let (first, second) = as_times(metric.better, &of_before, &of_after);
        let ratio = math::median(second).zip(math::median(first)).filter(|(b, a)| *a > 0.0 && *b > 0.0);
        (ratio.map(|(b, a)| b / a), ratio_interval(first, second), mann_whitney(&of_before, &of_after))
    };
    Some(MetricRow {
        metric: metric.name.into(),
        before: median_before,
        after: median_after,
        slowdown,
        interval,
        change: slowdown.map(|ratio| change(metric.name, ratio)),
        p,
    })
}

/// Both sides in the order in which the second over the first is the slowdown from before to after.
fn as_times<T>(better: Better, before: T, after: T) -> (T, T) {
    match better {
        Better::Higher => (after, before),
        Better::Lower => (before, after),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report_of;
    use crate::warning::{Warning, WarningEntry};

    /// A result whose runs have these medians.
    fn result(medians: &[f64]) -> Report {
        let frames: Vec<Vec<f64>> =
            medians.iter().map(|&m| (0..300).map(|i| m * (1.0 + 0.01 * f64::from(i % 3 - 1))).collect()).collect();
        let mut report = report_of(&frames.iter().map(Vec::as_slice).collect::<Vec<_>>()).0;
        // The tests below judge the runs themselves, without warnings.
        report.warnings.clear();
        report
    }

    fn by(metric: &str, threshold: Option<f64>) -> Question<'_> {
        Question { metric, threshold, across: false }
    }

    fn compared(before: &Report, after: &Report, question: &Question<'_>) -> Comparison {
        compare(["before", "after"], before, after, question).expect("a metric")
    }

    fn verdict(before: &[f64], after: &[f64], threshold: f64) -> Verdict {
        compared(&result(before), &result(after), &by("median_ms", Some(threshold))).verdict
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
            conclusion(&compared(&result(before), &result(after), &by("median_ms", Some(threshold))))
        };
        let steady = [10.0, 10.001, 9.999, 10.0005, 9.9995];
        let slower = steady.map(|m| m * 1.012);
        let wanted = "median_ms: significant: 1.012x slower, under the threshold of 3 %";
        assert_eq!(said(&steady, &slower, 0.03), wanted);
        let wanted = "median_ms: significant: 1.012x faster, under the threshold of 3 %";
        assert_eq!(said(&slower, &steady, 0.03), wanted);
        // 6 % in the middle, but some runs are slower by 1 % only.
        let spread = said(&steady, &[10.6, 10.1, 10.1, 10.7, 10.7], 0.05);
        let wanted = "median_ms: significant: 1.060x slower, but not with confidence by more than the threshold of 5 %";
        assert_eq!(spread, wanted);
        assert_eq!(said(&steady, &slower, 0.002), "median_ms: regression: 1.012x slower, threshold 0.2 %");
        assert_eq!(said(&steady, &steady, 0.15), "median_ms: no significant change, threshold 15 %");
        assert_eq!(said(&steady[..4], &slower, 0.15), "median_ms: 1.012x slower, indicative only");
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
    fn between_two_settings_nothing_is_a_regression() {
        let (before, mut after) = (result(&QUIET), result(&QUIET.map(|m| m * 1.5)));
        after.settings.quality = "high".into();
        let comparison = compared(&before, &after, &Question { across: true, ..by("median_ms", None) });
        assert_eq!(comparison.verdict, Verdict::Slower);
        assert_eq!(conclusion(&comparison), "median_ms: significant: after is 1.500x slower than before");
        assert!(render(&comparison).contains("not the same: quality: low and high"), "{}", render(&comparison));
    }

    /// Two results whose runs were measured in turn.
    fn interleaved(before: &[f64], after: &[f64]) -> [Report; 2] {
        [before, after].map(|medians| {
            let mut report = result(medians);
            report.settings.interleaved = Some("one pair".into());
            report
        })
    }

    #[test]
    fn runs_in_turn_are_compared_pair_by_pair() {
        // The machine grows slower by half; the second is slower by 2 % each time, which the medians alone do not show.
        let drifting = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0];
        let [before, after] = interleaved(&drifting, &drifting.map(|m| m * 1.02));
        let question = Question { across: true, ..by("median_ms", None) };
        let comparison = compared(&before, &after, &question);
        assert!(comparison.interleaved);
        assert_eq!((comparison.verdict, comparison.runs), (Verdict::Slower, (6, 6)));
        let row = comparison.deciding().expect("it is there");
        assert_eq!((row.change.as_deref(), row.p), (Some("1.020x slower"), Some(2.0 / 64.0)));
        let apart = compared(&result(&drifting), &result(&drifting.map(|m| m * 1.02)), &question);
        assert_eq!(apart.verdict, Verdict::NoSignificantChange);
    }

    #[test]
    fn pairs_that_do_not_all_go_one_way_or_are_few_say_nothing() {
        let question = by("median_ms", Some(0.05));
        let base = [10.0; 6];
        let [before, after] = interleaved(&base, &[10.8, 10.9, 10.7, 10.8, 9.9, 9.8]);
        assert_eq!(compared(&before, &after, &question).verdict, Verdict::NoSignificantChange);
        let [before, after] = interleaved(&base[..5], &[11.0; 5]);
        let few = compared(&before, &after, &question);
        assert_eq!(few.verdict, Verdict::IndicativeOnly);
        assert!(advice(&few).is_some_and(|advice| advice.contains("needs 6")));
        let [before, mut after] = interleaved(&base, &[11.0; 6]);
        assert_eq!(compared(&before, &after, &question).verdict, Verdict::Regression);
        after.runs[0].valid = false;
        assert_eq!(compared(&before, &after, &question).runs, (5, 5), "a pair of which one does not count");
    }

    #[test]
    fn nothing_is_significant_while_warnings_stand() {
        let steady = [10.0, 10.001, 9.999, 10.0005, 9.9995, 10.0];
        let slower = steady.map(|m| m * 1.03);
        let busy = WarningEntry::from(&Warning::Busy { load: 3.0, threads: 2 });
        let said = |[before, mut after]: [Report; 2]| {
            after.warnings.push(busy.clone());
            render(&compared(&before, &after, &by("median_ms", Some(0.05))))
        };
        let apart = said([result(&steady), result(&slower)]);
        assert!(apart.contains("\nmedian_ms: 1.030x slower, under the threshold of 5 %\n"), "{apart}");
        assert!(apart.contains("warnings stand (after: busy): the runs were not interleaved"), "{apart}");
        assert!(apart.contains("may be the machine's"), "{apart}");
        let in_turn = said(interleaved(&steady, &slower));
        assert!(in_turn.contains("the runs were interleaved"), "{in_turn}");
        assert!(!apart.contains("significant") && !in_turn.contains("significant"), "{apart}{in_turn}");
    }

    #[test]
    fn a_software_renderer_is_no_doubt() {
        let mut report = result(&QUIET);
        report.warnings = vec![WarningEntry::from(&Warning::SoftwareRenderer { renderer: "llvmpipe".into() })];
        assert!(!compared(&report, &report, &by("median_ms", None)).is_doubtful());
    }

    #[test]
    fn the_threshold_is_wider_on_software() {
        let (before, mut after) = (result(&QUIET), result(&QUIET.map(|m| m * 1.1)));
        let by_default = |b: &Report, a: &Report| compared(b, a, &by("median_ms", None)).verdict;
        assert_eq!(by_default(&before, &after), Verdict::Slower);
        let mut before = before;
        (before.gl.software, after.gl.software) = (false, false);
        assert_eq!(by_default(&before, &after), Verdict::Regression);
    }

    #[test]
    fn rates_count_the_other_way_round() {
        let (before, after) = (result(&QUIET), result(&QUIET.map(|m| m * 1.5)));
        let comparison = compared(&before, &after, &by("fps_avg", Some(0.05)));
        let row = comparison.rows.iter().find(|row| row.metric == "fps_avg").expect("a row");
        assert!(row.after < row.before);
        assert!((row.slowdown.expect("a ratio") - 1.5).abs() < 0.02);
        assert_eq!(comparison.verdict, Verdict::Regression);
    }

    #[test]
    fn many_results_are_a_line_each_under_the_first() {
        let results = [result(&QUIET), result(&QUIET.map(|m| m * 1.5)), result(&QUIET.map(|m| m / 2.0))];
        let of = |name, i: usize| {
            let question = Question { across: true, ..by("median_ms", None) };
            compare(["low", name], &results[0], &results[i], &question).expect("a metric")
        };
        let comparisons = [of("high", 1), of("lowest", 2)];
        let named = [("low", &results[0]), ("high", &results[1]), ("lowest", &results[2])];
        let text = render_many(&named, &comparisons);
        let cells = |line: usize| text.lines().nth(line).expect("a line").split_whitespace().collect::<Vec<_>>();
        assert_eq!(cells(1)[..2], ["low", "10.00"]);
        assert_eq!(cells(1).last(), Some(&"base"));
        assert_eq!(cells(2)[6..8], ["1.500x", "slower"]);
        assert_eq!(cells(3)[6..8], ["2.000x", "faster"]);
        assert!(text.contains("low and lowest:\n  median_ms: significant: lowest is 2.000x faster than low"), "{text}");
    }

    #[test]
    fn a_metric_that_is_not_there_is_no_comparison() {
        let none = |metric| compare(["a", "b"], &result(&QUIET), &result(&QUIET), &by(metric, None));
        assert_eq!(none("score"), None);
        assert_eq!(none("low_0_1pct_fps"), None, "300 frames have none");
    }
}
