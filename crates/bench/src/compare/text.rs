//! Comparisons in words and as tables, for people.

use std::fmt::Write as _;

use crate::compare::{Comparison, Difference, FEWEST_PAIRS, FEWEST_RUNS, Verdict};
use crate::figure::fixed;
use crate::report::Report;

/// Most differences that are listed: two scenes have hundreds.
const MAX_LISTED: usize = 16;
/// Most letters of a name at the top of a column.
const NAME: usize = 13;
/// Columns of many results: heading, metric name, decimals.
const COLUMNS: [(&str, &str, usize); 5] = [
    ("median ms", "median_ms", 2),
    ("95 % ms", "p95_ms", 2),
    ("99 % ms", "p99_ms", 2),
    ("1 % low fps", "low_1pct_fps", 1),
    ("average fps", "fps_avg", 1),
];

/// A ratio of times as people read it: a factor of at least 1 and a word, such as `1.208x slower`. `metric` may count
/// something, of which there are more or fewer.
pub fn change(metric: &str, ratio: f64) -> String {
    match parts(metric, ratio) {
        (factor, Some(word)) => format!("{factor} {word}"),
        (_, None) => "equal".into(),
    }
}

/// The ends of an interval of such ratios: `1.102x to 1.310x slower`, `1.010x faster to 1.200x slower`.
pub fn interval(metric: &str, (low, high): (f64, f64)) -> String {
    // From the smaller factor to the greater.
    let (first, second) = if high <= 1.0 { (high, low) } else { (low, high) };
    let ((factor, word), (_, other)) = (parts(metric, first), parts(metric, second));
    match word.is_some() && word == other {
        true => format!("{factor} to {}", change(metric, second)),
        false => format!("{} to {}", change(metric, first), change(metric, second)),
    }
}

/// The factor, and its direction unless it is 1.
fn parts(metric: &str, ratio: f64) -> (String, Option<&'static str>) {
    let factor = format!("{:.3}x", ratio.max(1.0 / ratio));
    let word = match (factor == "1.000x", metric.ends_with("_count"), ratio > 1.0) {
        (true, ..) => None,
        (_, false, true) => Some("slower"),
        (_, false, false) => Some("faster"),
        (_, true, true) => Some("more"),
        (_, true, false) => Some("fewer"),
    };
    (factor, word)
}

/// Renders the comparison of two results.
pub fn render(comparison: &Comparison) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = write_two(&mut text, comparison);
    text
}

fn write_two(text: &mut String, c: &Comparison) -> std::fmt::Result {
    let [first, second] = c.names.each_ref().map(|name| clip(name));
    let change = if c.interleaved { "change by pair" } else { "change" };
    writeln!(text, "{:<18}{first:>14}{second:>14}{change:>16}   {:<33}{:>7}", "", "95 % interval", "p")?;
    for row in &c.rows {
        let change = row.change.as_deref().unwrap_or("-");
        let interval = row.interval.map_or("-".into(), |ends| interval(&row.metric, ends));
        let p = row.p.map_or("-".into(), |p| format!("{p:.3}"));
        let (name, before, after) = (&row.metric, row.before, row.after);
        writeln!(text, "{name:<18}{before:>14.3}{after:>14.3}{change:>16}   {interval:<33}{p:>7}")?;
    }
    for line in said(c) {
        writeln!(text, "{line}")?;
    }
    Ok(())
}

/// Renders the comparisons of many results with the first of them.
pub fn render_many(results: &[(&str, &Report)], comparisons: &[Comparison]) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = write_many(&mut text, results, comparisons);
    text
}

fn write_many(text: &mut String, results: &[(&str, &Report)], comparisons: &[Comparison]) -> std::fmt::Result {
    let width = results.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default().max(6);
    write!(text, "{:<width$}", "result")?;
    for (head, ..) in COLUMNS {
        write!(text, "{head:>13}")?;
    }
    let deciding = comparisons.first().map_or("", |c| c.metric.as_str());
    writeln!(text, "{:>16}   {:<33}{:>7}", deciding, "95 % interval", "p")?;
    for (i, (name, report)) in results.iter().enumerate() {
        write!(text, "{name:<width$}")?;
        for (_, metric, decimals) in COLUMNS {
            let value = report.summary.median_of_runs.get(metric).map_or("-".into(), |value| fixed(*value, decimals));
            write!(text, "{value:>13}")?;
        }
        let Some(row) = i.checked_sub(1).and_then(|i| comparisons.get(i)).and_then(Comparison::deciding) else {
            writeln!(text, "{:>16}", "base")?;
            continue;
        };
        let change = row.change.as_deref().unwrap_or("-");
        let interval = row.interval.map_or("-".into(), |ends| interval(&row.metric, ends));
        let p = row.p.map_or("-".into(), |p| format!("{p:.3}"));
        writeln!(text, "{change:>16}   {interval:<33}{p:>7}")?;
    }
    for c in comparisons {
        writeln!(text, "{} and {}:", c.names[0], c.names[1])?;
        for line in said(c) {
            writeln!(text, "  {line}")?;
        }
    }
    Ok(())
}

/// Sentences about a comparison besides its figures.
fn said(c: &Comparison) -> Vec<String> {
    let (shown, more) = listed(&c.differences);
    let differences =
        shown.iter().map(|d| format!("not the same: {}: {} and {}", d.what, d.before, d.after)).chain(more);
    differences.chain(advice(c)).chain(doubt(c)).chain([conclusion(c)]).collect()
}

/// The first differences, up to `MAX_LISTED`, and a line with the number of the others.
pub fn listed(differences: &[Difference]) -> (&[Difference], Option<String>) {
    let shown = &differences[..differences.len().min(MAX_LISTED)];
    let more = differences.len() - shown.len();
    (shown, (more > 0).then(|| format!("and {more} more, which --json lists")))
}

/// Advice for getting a verdict, if there is none.
pub fn advice(c: &Comparison) -> Option<String> {
    let (before, after) = c.runs;
    (c.verdict == Verdict::IndicativeOnly).then(|| match c.interleaved {
        true => {
            format!("{before} pairs of whole runs: a verdict needs {FEWEST_PAIRS}; measure with --runs {FEWEST_PAIRS}")
        }
        false => format!(
            "{before} and {after} whole runs: a verdict needs {FEWEST_RUNS} a side; measure with --runs {FEWEST_RUNS}"
        ),
    })
}

/// Reason why a difference may be the machine's, if warnings say that it was not steady.
pub fn doubt(c: &Comparison) -> Option<String> {
    if !c.is_doubtful() || c.verdict == Verdict::NoSignificantChange {
        return None;
    }
    let of_side = |(name, codes): (&String, &Vec<String>)| {
        (!codes.is_empty()).then(|| format!("{name}: {}", codes.join(", ").replace('_', " ")))
    };
    let sides: Vec<String> = c.names.iter().zip(&c.doubts).filter_map(of_side).collect();
    let so = match c.interleaved {
        true => {
            "the runs were interleaved, which a machine that changes slowly does not spoil; a quieter one says it more surely"
        }
        false => {
            "the runs were not interleaved, so the difference may be the machine's; measure both in turn with bench --against"
        }
    };
    Some(format!("warnings stand ({}): {so}", sides.join("; ")))
}

/// Conclusion in a sentence; while warnings stand nothing is called significant.
pub fn conclusion(c: &Comparison) -> String {
    let row = c.deciding();
    let change = row.and_then(|row| row.change.as_deref()).unwrap_or("equal");
    let threshold = format!("{} %", (c.threshold * 1000.0).round() / 10.0);
    let significant = if c.is_doubtful() { "" } else { "significant: " };
    let slowdown = row.and_then(|row| row.slowdown).unwrap_or(1.0);
    let [first, second] = &c.names;
    let what = match c.verdict {
        Verdict::Regression => format!("regression: {change}, threshold {threshold}"),
        Verdict::Improvement => format!("improvement: {change}, threshold {threshold}"),
        Verdict::Slower | Verdict::Faster if c.across => format!("{significant}{second} is {change} than {first}"),
        Verdict::Slower | Verdict::Faster => {
            let beside = match slowdown.max(1.0 / slowdown) - 1.0 <= c.threshold {
                true => format!("under the threshold of {threshold}"),
                false => format!("but not with confidence by more than the threshold of {threshold}"),
            };
            format!("{significant}{change}, {beside}")
        }
        Verdict::NoSignificantChange if c.across => format!("no significant difference between {first} and {second}"),
        Verdict::NoSignificantChange => format!("no significant change, threshold {threshold}"),
        Verdict::IndicativeOnly => format!("{change}, indicative only"),
    };
    format!("{}: {what}", c.metric)
}

fn clip(name: &str) -> String {
    match name.chars().count() > NAME {
        true => name.chars().take(NAME - 3).chain("...".chars()).collect(),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slower_and_faster_are_factors_above_one() {
        assert_eq!(change("median_ms", 1.2), "1.200x slower");
        assert_eq!(change("median_ms", 1.0 / 1.2), "1.200x faster");
        assert_eq!(change("fps_avg", 0.99999), "equal");
        assert_eq!([change("stutter_count", 2.0), change("stutter_count", 0.5)], ["2.000x more", "2.000x fewer"]);
        assert_eq!(interval("median_ms", (1.1, 1.3)), "1.100x to 1.300x slower");
        assert_eq!(interval("median_ms", (0.5, 0.8)), "1.250x to 2.000x faster", "from the smaller to the greater");
        assert_eq!(interval("median_ms", (0.8, 1.1)), "1.250x faster to 1.100x slower");
        assert_eq!(interval("median_ms", (1.0, 1.1)), "equal to 1.100x slower");
        assert_eq!(interval("median_ms", (1.0, 1.0)), "equal to equal");
    }

    #[test]
    fn a_long_list_is_cut_and_says_so() {
        let difference = Difference { what: "a".into(), before: "1".into(), after: "2".into() };
        let all = vec![difference; MAX_LISTED + 2];
        let (shown, more) = listed(&all);
        assert_eq!((shown.len(), more.as_deref()), (MAX_LISTED, Some("and 2 more, which --json lists")));
    }

    #[test]
    fn long_names_are_cut_at_the_top_of_a_column() {
        assert_eq!([clip("before"), clip("a very long name")], ["before", "a very lon..."]);
    }
}
