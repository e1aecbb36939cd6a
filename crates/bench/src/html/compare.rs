//! `compare.html`: results side by side, the first of them the base.

use std::path::Path;

use maud::{Markup, html};

use crate::compare::{Comparison, Difference, MetricRow, Verdict, advice, conclusion, doubt, interval, listed};
use crate::html::charts::{SIDES, cumulatives, histograms, precise, runs_of_all};
use crate::html::plot::Px;
use crate::html::{document, facts, heading, legend, or_dash, tile, warnings};
use crate::report::{Report, SUMMARISED};

/// One of the results.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Its name.
    pub name: &'a str,
    /// The path it was read from.
    pub path: &'a Path,
    /// The result.
    pub report: &'a Report,
    /// Frame times of the runs that count, sorted, if they are there. Unit: ms.
    pub frames_ms: Option<&'a [f64]>,
}

impl Side<'_> {
    /// A metric of every run that counts.
    fn runs(&self, metric: &str) -> Vec<f64> {
        let Some(metric) = SUMMARISED.iter().find(|known| known.name == metric) else { return Vec::new() };
        self.report.runs.iter().filter(|run| run.valid).filter_map(metric.value).collect()
    }
}

/// The page: the first side, and its comparison with each of the others.
pub fn page(sides: &[Side<'_>], comparisons: &[Comparison]) -> String {
    let (Some(base), Some(first)) = (sides.first(), comparisons.first()) else { return String::new() };
    let title = format!("Pelagic benchmarks compared: {}", base.report.settings.scene);
    let runs: Vec<(&str, Vec<f64>)> = sides.iter().map(|side| (side.name, side.runs(&first.metric))).collect();
    let of_runs = html! { (first.metric) " of each run that counts, in order: runs that drift tell of the machine." };
    document(
        &title,
        &html! {
            header {
                h1 { (title) }
                @for (i, side) in sides.iter().enumerate() {
                    @let label = side.report.label.as_deref().filter(|label| *label != side.name);
                    p {
                        b { (side.name) } ": "
                        @if let Some(label) = label { (label) ", " }
                        (side.path.display()) ", " (side.report.when) ", " (side.report.gl.brief())
                        @if i == 0 && sides.len() > 2 { ", with which the others are compared" }
                        "."
                    }
                }
            }
            @for comparison in comparisons { (verdict(comparison, comparisons.len() > 1)) }
            @if let [comparison] = comparisons { (tiles(comparison)) }
            (metrics(sides, comparisons))
            (heading("Every run", &of_runs))
            (sides_legend(sides))
            figure { @if let Some(plot) = runs_of_all(&runs, &first.metric) { (plot) } }
            (distributions(sides))
            @for side in sides.iter().filter(|side| !side.report.warnings.is_empty()) {
                (heading(&format!("What may spoil it: {}", side.name), &html! {}))
                (warnings(side.report))
            }
            (machines(sides))
        },
    )
}

fn sides_legend(sides: &[Side<'_>]) -> Markup {
    legend(SIDES.into_iter().zip(sides.iter().map(|side| side.name)))
}

fn verdict(comparison: &Comparison, is_named: bool) -> Markup {
    let class = match comparison.verdict {
        Verdict::Regression | Verdict::Slower => "verdict slower",
        Verdict::Improvement | Verdict::Faster => "verdict faster",
        Verdict::NoSignificantChange | Verdict::IndicativeOnly => "verdict",
    };
    let [before, after] = &comparison.names;
    let notes: Vec<String> = advice(comparison).into_iter().chain(doubt(comparison)).collect();
    let row = |d: &Difference| html! { tr { td { (d.what) } td { (d.before) } td { (d.after) } } };
    html! {
        p class=(class) {
            @if is_named { (before) " and " (after) ": " }
            (conclusion(comparison))
        }
        @if !notes.is_empty() {
            ul class="warnings" { @for note in &notes { li { (note) } } }
        }
        @if !comparison.differences.is_empty() {
            @let (listed, more) = listed(&comparison.differences);
            table class="facts" {
                tr { th { "not the same" } th { (before) } th { (after) } }
                @for difference in listed { (row(difference)) }
                @if let Some(more) = more { tr { td colspan="3" { (more) } } }
            }
        }
    }
}

fn tiles(comparison: &Comparison) -> Markup {
    let Some(row) = comparison.deciding() else { return Markup::default() };
    let unit = if row.metric.ends_with("_ms") { "ms" } else { "" };
    let [before, after] = &comparison.names;
    let change = row.change.as_deref().map(|change| change.split_once(' ').unwrap_or((change, "")));
    html! {
        div class="tiles" {
            (tile(&html! { (precise(row.before)) }, unit, &format!("{before}, {}", row.metric)))
            (tile(&html! { (precise(row.after)) }, unit, after))
            @if let Some((factor, word)) = change {
                (tile(&html! { (factor) }, word, &format!("{after} against {before}")))
            }
            @if let Some(ends) = row.interval {
                (tile(&html! { small { (interval(&row.metric, ends)) } }, "", "95 % interval of that"))
            }
        }
    }
}

/// Table of every metric; for two results with its interval drawn on a scale that all rows share.
fn metrics(sides: &[Side<'_>], comparisons: &[Comparison]) -> Markup {
    let Some(first) = comparisons.first() else { return Markup::default() };
    let p_of = if first.interleaved { "signed-rank test over the pairs of runs" } else { "Mann-Whitney test" };
    let field = if first.across { "" } else { "; the grey field is what the threshold lets pass" };
    let says = match comparisons.len() {
        1 => format!(
            "How many times slower or faster the second is, with its 95 % interval over the runs{field}. p is that of the \
             {p_of}."
        ),
        _ => format!("How many times slower or faster each is than {}.", sides[0].name),
    };
    html! {
        (heading("Every metric", &html! { (says) }))
        @if let [comparison] = comparisons { (metrics_of_two(comparison)) } @else { (metrics_of_many(sides, comparisons)) }
    }
}

fn metrics_of_two(comparison: &Comparison) -> Markup {
    let ends = comparison.rows.iter().flat_map(|row| row.interval.map(|(low, high)| [low, high])).flatten();
    let farthest = ends.filter(|end| *end > 0.0).map(|end| end.ln().abs()).fold(0.0, f64::max);
    let scale = farthest.clamp((1.0 + comparison.threshold).ln().max(1e-3), 3_f64.ln());
    let allowed = (!comparison.across).then_some(comparison.threshold);
    let [before, after] = &comparison.names;
    let change = if comparison.interleaved { "change by pair" } else { "change" };
    html! {
        table {
            tr {
                th { "metric" } th { (before) } th { (after) } th { (change) } th { "95 % interval" } th { "p" }
                th class="interval" { "faster \u{a0}|\u{a0} slower" }
            }
            @for row in &comparison.rows {
                tr class=[(row.metric == comparison.metric).then_some("sum")] {
                    td { (row.metric) }
                    td { (value(row.before)) }
                    td { (value(row.after)) }
                    td { (row.change.as_deref().unwrap_or("–")) }
                    td class="dim" { (or_dash(row.interval.map(|ends| interval(&row.metric, ends)))) }
                    td { (or_dash(row.p.map(|p| format!("{p:.3}")))) }
                    td { (drawn_interval(row, allowed, scale)) }
                }
            }
        }
    }
}

fn metrics_of_many(sides: &[Side<'_>], comparisons: &[Comparison]) -> Markup {
    let figure = |side: &Side<'_>, metric: &str| side.report.summary.median_of_runs.get(metric).copied();
    let change = |side: usize, metric: &str| {
        let row = comparisons.get(side.checked_sub(1)?)?.rows.iter().find(|row| row.metric == metric)?;
        row.change.as_deref()
    };
    let known = SUMMARISED.iter().map(|metric| metric.name);
    html! {
        table {
            tr { th { "metric" } @for side in sides { th { (side.name) } } }
            @for metric in known.filter(|metric| sides.iter().any(|side| figure(side, metric).is_some())) {
                tr class=[comparisons.iter().any(|one| one.metric == metric).then_some("sum")] {
                    td { (metric) }
                    @for (i, side) in sides.iter().enumerate() {
                        td {
                            (or_dash(figure(side, metric).map(value)))
                            @if let Some(change) = change(i, metric) { br; span class="dim" { (change) } }
                        }
                    }
                }
            }
        }
    }
}

/// A figure as precise as it is worth; some phases take microseconds.
fn value(figure: f64) -> String {
    if figure.abs() < 1.0 { format!("{figure:.3}") } else { precise(figure) }
}

/// A ratio and its interval about an upright line at 1, logarithmic; `scale` is the logarithm at the edges.
fn drawn_interval(row: &MetricRow, threshold: Option<f64>, scale: f64) -> Markup {
    let at = |ratio: f64| 110.0 + 100.0 * (ratio.max(1e-6).ln() / scale).clamp(-1.05, 1.05);
    let allowed = threshold.map(|threshold| (at(1.0 / (1.0 + threshold)), at(1.0 + threshold)));
    html! {
        svg class="interval" viewBox="0 0 220 16" {
            @if let Some((from, to)) = allowed {
                rect class="allowed" x=(Px(from)) width=(Px(to - from)) height="16" {}
            }
            path class="even" d="M110 0V16" {}
            @if let Some((low, high)) = row.interval {
                path class="spread" d={ "M" (Px(at(low))) " 8H" (Px(at(high))) } {}
            }
            @if let Some(ratio) = row.slowdown {
                circle class="ratio" cx=(Px(at(ratio))) cy="8" r="4" {}
            }
        }
    }
}

fn distributions(sides: &[Side<'_>]) -> Markup {
    let title = "How frames are spread";
    let frames: Option<Vec<(&str, &[f64])>> = sides.iter().map(|side| Some((side.name, side.frames_ms?))).collect();
    let drawn = frames.and_then(|frames| Some([histograms(&frames)?, cumulatives(&frames)?]));
    let Some(drawn) = drawn else {
        let says = html! {
            "Not drawn: a result's frames are in " code { "frames.csv" } " beside its " code { "result.json" }
            ", and it is not there for all, or not of these runs."
        };
        return heading(title, &says);
    };
    html! {
        (heading(title, &html! { "All frames of all runs that count." }))
        (sides_legend(sides))
        div class="pair" { @for svg in drawn { figure { (svg) } } }
    }
}

fn machines(sides: &[Side<'_>]) -> Markup {
    let of_sides: Vec<Vec<(&str, String)>> = sides.iter().map(|side| facts::facts(side.report)).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in of_sides.iter().flatten() {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let value = |facts: &[(&str, String)], name: &str| {
        facts.iter().find(|(known, _)| *known == name).map_or("–".into(), |(_, value)| value.clone())
    };
    let values = |name: &str| of_sides.iter().map(|facts| value(facts, name)).collect::<Vec<String>>();
    let differs = |values: &[String]| values.iter().any(|other| *other != values[0]);
    html! {
        (heading("System and settings", &html! { "What differs is in bold." }))
        table class="facts" {
            tr { th {} @for side in sides { th { (side.name) } } }
            @for name in names {
                @let values = values(name);
                tr class=[differs(&values).then_some("differs")] {
                    td { (name) }
                    @for value in &values { td { (value) } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Question, compare};
    use crate::html::tests::{frames, tags};
    use crate::report::tests::report_of;

    /// A page of a result, and of others so many times as slow.
    fn page_of(slower: &[f64], with_frames: bool, across: bool) -> String {
        let times = frames(400);
        let all: Vec<Vec<f64>> =
            [1.0].iter().chain(slower).map(|slower| times.iter().map(|time| time * slower).collect()).collect();
        let reports: Vec<Report> = all.iter().map(|times| report_of(&[times.as_slice(); 5]).0).collect();
        let sorted: Vec<Vec<f64>> = all
            .into_iter()
            .map(|mut times| {
                times.sort_by(f64::total_cmp);
                times
            })
            .collect();
        let names: Vec<String> = (0..reports.len()).map(|i| format!("result <{i}>")).collect();
        let question = Question { metric: "median_ms", threshold: Some(0.05), across };
        let comparisons: Vec<Comparison> = (1..reports.len())
            .map(|i| compare([&names[0], &names[i]], &reports[0], &reports[i], &question).expect("a metric"))
            .collect();
        let sides: Vec<Side<'_>> = (0..reports.len())
            .map(|i| Side {
                name: &names[i],
                path: Path::new("a <b>/result.json"),
                report: &reports[i],
                frames_ms: with_frames.then_some(sorted[i].as_slice()),
            })
            .collect();
        let page = page(&sides, &comparisons);
        tags(&page);
        for word in ["NaN", "inf\"", "inf ", "<script", "src=", "href=", "url(", "@import", "<0>"] {
            assert!(!page.contains(word), "{word} is in the page");
        }
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"));
        page
    }

    #[test]
    fn it_shows_both_sides_the_ratio_the_verdict_and_the_machines_and_asks_for_nothing() {
        let page = page_of(&[1.2], true, false);
        for part in [
            "median_ms: regression: 1.200x slower",
            "<div class=\"value\">1.200x<span>slower</span>",
            "95 % interval",
            "class=\"line side0\"",
            "class=\"line side1\"",
            "side0 overlaid",
            "System and settings",
            "a &lt;b&gt;/result.json",
            "class=\"allowed\"",
        ] {
            assert!(page.contains(part), "\"{part}\" is not in the page");
        }
    }

    #[test]
    fn without_the_frames_it_says_so_and_shows_the_rest() {
        let page = page_of(&[0.8], false, false);
        assert!(page.contains("Not drawn") && page.contains("improvement") && !page.contains("side0 overlaid"));
    }

    #[test]
    fn many_results_are_on_one_page_each_against_the_first() {
        let page = page_of(&[1.2, 0.5, 2.0], true, true);
        for part in [
            "<span class=\"dim\">1.200x slower</span>",
            "<span class=\"dim\">2.000x faster</span>",
            "class=\"line side3\"",
            "result &lt;0&gt; and result &lt;3&gt;: median_ms: ",
            "result &lt;3&gt; is 2.000x slower than result &lt;0&gt;",
        ] {
            assert!(page.contains(part), "\"{part}\" is not in the page");
        }
        assert!(!page.contains("class=\"allowed\""), "between two settings there is no threshold");
    }
}
