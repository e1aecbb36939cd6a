//! `compare.html`: results side by side, the first of them the base.

use std::fmt::Write as _;
use std::path::Path;

use crate::compare::{Comparison, Difference, MetricRow, Verdict, advice, conclusion, doubt, interval, listed};
use crate::html::charts::{SIDES, cumulatives, histograms, precise, runs_of_all};
use crate::html::plot::escape;
use crate::html::{END, beginning, facts, figure, legend, section, tile, warnings};
use crate::report::{Report, SUMMARISED};
use crate::words;

/// One of the results.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// How it is called.
    pub name: &'a str,
    /// Where it was read from.
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

/// The page: the first side, and how each of the others compares with it.
pub fn page(sides: &[Side<'_>], comparisons: &[Comparison]) -> String {
    let (Some(base), Some(first)) = (sides.first(), comparisons.first()) else { return String::new() };
    let title = escape(&format!("Pelagic benchmarks compared: {}", base.report.settings.scene));
    let mut page = beginning(&title);
    let _ = writeln!(page, "<header><h1>{title}</h1>");
    for (i, side) in sides.iter().enumerate() {
        let (name, place, when) = (escape(side.name), side.path.display().to_string(), escape(&side.report.when));
        let label = side.report.label.as_deref().filter(|label| *label != side.name);
        let label = label.map(|label| format!("{}, ", escape(label))).unwrap_or_default();
        let base = if i == 0 && sides.len() > 2 { ", with which the others are compared" } else { "" };
        let gpu = escape(&words::gpu(&side.report.gl));
        let _ = writeln!(page, "<p><b>{name}</b>: {label}{}, {when}, {gpu}{base}.</p>", escape(&place));
    }
    page += "</header>\n";
    comparisons.iter().for_each(|comparison| verdict(&mut page, comparison, comparisons.len() > 1));
    if let [comparison] = comparisons {
        tiles(&mut page, comparison);
    }
    metrics(&mut page, sides, comparisons);
    section(
        &mut page,
        "Every run",
        &format!("{} of each run that counts, in order: runs that drift tell of the machine.", escape(&first.metric)),
    );
    sides_legend(&mut page, sides);
    let runs: Vec<(&str, Vec<f64>)> = sides.iter().map(|side| (side.name, side.runs(&first.metric))).collect();
    figure(&mut page, &runs_of_all(&runs, &first.metric).unwrap_or_default());
    distributions(&mut page, sides);
    for side in sides {
        if !side.report.warnings.is_empty() {
            section(&mut page, &format!("What may spoil it: {}", side.name), "");
            warnings(&mut page, side.report);
        }
    }
    machines(&mut page, sides);
    page += END;
    page
}

fn sides_legend(page: &mut String, sides: &[Side<'_>]) {
    let names: Vec<String> = sides.iter().map(|side| escape(side.name)).collect();
    let entries: Vec<(&str, &str)> = SIDES.into_iter().zip(names.iter().map(String::as_str)).collect();
    legend(page, &entries);
}

fn verdict(page: &mut String, comparison: &Comparison, is_named: bool) {
    let class = match comparison.verdict {
        Verdict::Regression | Verdict::Slower => "verdict slower",
        Verdict::Improvement | Verdict::Faster => "verdict faster",
        Verdict::NoSignificantChange | Verdict::IndicativeOnly => "verdict",
    };
    let [before, after] = &comparison.names;
    let which = if is_named { format!("{before} and {after}: ") } else { String::new() };
    let _ = writeln!(page, "<p class=\"{class}\">{}{}</p>", escape(&which), escape(&conclusion(comparison)));
    let notes: Vec<String> = advice(comparison).into_iter().chain(doubt(comparison)).collect();
    if !notes.is_empty() {
        *page += "<ul class=\"warnings\">\n";
        for note in notes {
            let _ = writeln!(page, "<li>{}</li>", escape(&note));
        }
        *page += "</ul>\n";
    }
    if comparison.differences.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "<table class=\"facts\"><tr><th>not the same</th><th>{}</th><th>{}</th></tr>",
        escape(before),
        escape(after)
    );
    let row = |d: &Difference| {
        let [what, before, after] = [&d.what, &d.before, &d.after].map(|text| escape(text));
        format!("<tr><td>{what}</td><td>{before}</td><td>{after}</td></tr>")
    };
    for line in listed(&comparison.differences, row) {
        let line = if line.starts_with("<tr>") { line } else { format!("<tr><td colspan=\"3\">{line}</td></tr>") };
        let _ = writeln!(page, "{line}");
    }
    *page += "</table>\n";
}

fn tiles(page: &mut String, comparison: &Comparison) {
    let Some(row) = comparison.deciding() else { return };
    let unit = if row.metric.ends_with("_ms") { "ms" } else { "" };
    let [before, after] = &comparison.names;
    *page += "<div class=\"tiles\">\n";
    tile(page, &precise(row.before), unit, &format!("{}, {}", escape(before), escape(&row.metric)));
    tile(page, &precise(row.after), unit, &escape(after));
    let factor_and_word = |change: &str| {
        let (factor, word) = change.split_once(' ').unwrap_or((change, ""));
        (factor.to_owned(), word.to_owned())
    };
    if let Some((factor, word)) = row.change.as_deref().map(factor_and_word) {
        tile(page, &factor, &word, &format!("{} against {}", escape(after), escape(before)));
    }
    if let Some(ends) = row.interval {
        tile(page, &format!("<small>{}</small>", interval(&row.metric, ends)), "", "95 % interval of that");
    }
    *page += "</div>\n";
}

/// Every metric; of two results with its interval drawn on a scale that all rows share.
fn metrics(page: &mut String, sides: &[Side<'_>], comparisons: &[Comparison]) {
    let Some(first) = comparisons.first() else { return };
    let p_of = if first.interleaved { "signed-rank test over the pairs of runs" } else { "Mann-Whitney test" };
    let field = if first.across { "" } else { "; the grey field is what the threshold lets pass" };
    let says = match comparisons.len() {
        1 => format!(
            "How many times slower or faster the second is, with its 95 % interval over the runs{field}. p is that of the \
             {p_of}."
        ),
        _ => format!("How many times slower or faster each is than {}.", escape(sides[0].name)),
    };
    section(page, "Every metric", &says);
    let class = |metric: &str| if metric == first.metric { " class=\"sum\"" } else { "" };
    if let [comparison] = comparisons {
        let ends = comparison.rows.iter().flat_map(|row| row.interval.map(|(low, high)| [low, high])).flatten();
        let farthest = ends.filter(|end| *end > 0.0).map(|end| end.ln().abs()).fold(0.0, f64::max);
        let scale = farthest.clamp((1.0 + comparison.threshold).ln().max(1e-3), 3_f64.ln());
        let [before, after] = comparison.names.each_ref().map(|name| escape(name));
        let change = if comparison.interleaved { "change by pair" } else { "change" };
        let _ = writeln!(
            page,
            "<table><tr><th>metric</th><th>{before}</th><th>{after}</th><th>{change}</th><th>95 % interval</th><th>p</th>\
             <th class=\"interval\">faster &nbsp;|&nbsp; slower</th></tr>"
        );
        for row in &comparison.rows {
            let interval = row.interval.map_or("–".into(), |ends| interval(&row.metric, ends));
            let p = row.p.map_or("–".into(), |p| format!("{p:.3}"));
            let _ = writeln!(
                page,
                "<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"dim\">{interval}</td><td>{p}</td>\
                 <td>{}</td></tr>",
                class(&row.metric),
                escape(&row.metric),
                value(row.before),
                value(row.after),
                row.change.as_deref().unwrap_or("–"),
                drawn_interval(row, (!comparison.across).then_some(comparison.threshold), scale)
            );
        }
        *page += "</table>\n";
        return;
    }
    *page += "<table><tr><th>metric</th>";
    sides.iter().for_each(|side| *page += &format!("<th>{}</th>", escape(side.name)));
    *page += "</tr>\n";
    for metric in SUMMARISED.iter().map(|metric| metric.name) {
        let cell = |side: &Side<'_>| side.report.summary.median_of_runs.get(metric).map(|figure| value(*figure));
        let cells: Vec<Option<String>> = sides.iter().map(cell).collect();
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let _ = write!(page, "<tr{}><td>{metric}</td>", class(metric));
        for (i, cell) in cells.into_iter().enumerate() {
            let row = i.checked_sub(1).and_then(|i| comparisons[i].rows.iter().find(|row| row.metric == metric));
            let change = row.and_then(|row| row.change.as_ref());
            let change = change.map(|change| format!("<br><span class=\"dim\">{change}</span>")).unwrap_or_default();
            let _ = write!(page, "<td>{}{change}</td>", cell.unwrap_or_else(|| "–".into()));
        }
        *page += "</tr>\n";
    }
    *page += "</table>\n";
}

/// A figure as precise as it is worth; some phases take microseconds.
fn value(figure: f64) -> String {
    if figure.abs() < 1.0 { format!("{figure:.3}") } else { precise(figure) }
}

/// A ratio and its interval about an upright line at 1, logarithmic; `scale` is the logarithm at the edges.
fn drawn_interval(row: &MetricRow, threshold: Option<f64>, scale: f64) -> String {
    let at = |ratio: f64| 110.0 + 100.0 * (ratio.max(1e-6).ln() / scale).clamp(-1.05, 1.05);
    let mut svg = String::from("<svg class=\"interval\" viewBox=\"0 0 220 16\">");
    if let Some(threshold) = threshold {
        let (from, to) = (at(1.0 / (1.0 + threshold)), at(1.0 + threshold));
        let _ = write!(svg, "<rect class=\"allowed\" x=\"{from:.1}\" width=\"{:.1}\" height=\"16\"/>", to - from);
    }
    svg += "<path class=\"even\" d=\"M110 0V16\"/>";
    if let Some((low, high)) = row.interval {
        let _ = write!(svg, "<path class=\"spread\" d=\"M{:.1} 8H{:.1}\"/>", at(low), at(high));
    }
    if let Some(ratio) = row.slowdown {
        let _ = write!(svg, "<circle class=\"ratio\" cx=\"{:.1}\" cy=\"8\" r=\"4\"/>", at(ratio));
    }
    svg + "</svg>"
}

fn distributions(page: &mut String, sides: &[Side<'_>]) {
    let frames: Option<Vec<(&str, &[f64])>> = sides.iter().map(|side| Some((side.name, side.frames_ms?))).collect();
    let drawn = frames.and_then(|frames| Some([histograms(&frames)?, cumulatives(&frames)?]));
    let Some(drawn) = drawn else {
        section(
            page,
            "How frames are spread",
            "Not drawn: a result's frames are in <code>frames.csv</code> beside its <code>result.json</code>, and it is \
             not there for all, or not of these runs.",
        );
        return;
    };
    section(page, "How frames are spread", "All frames of all runs that count.");
    sides_legend(page, sides);
    *page += "<div class=\"pair\">\n";
    drawn.iter().for_each(|svg| figure(page, svg));
    *page += "</div>\n";
}

fn machines(page: &mut String, sides: &[Side<'_>]) {
    section(page, "System and settings", "What differs is in bold.");
    let of_sides: Vec<Vec<(&str, String)>> = sides.iter().map(|side| facts::facts(side.report)).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in of_sides.iter().flatten() {
        if !names.contains(name) {
            names.push(name);
        }
    }
    *page += "<table class=\"facts\"><tr><th></th>";
    sides.iter().for_each(|side| *page += &format!("<th>{}</th>", escape(side.name)));
    *page += "</tr>\n";
    for name in names {
        let value = |facts: &Vec<(&str, String)>| {
            facts.iter().find(|(known, _)| *known == name).map_or("–".into(), |(_, value)| escape(value))
        };
        let values: Vec<String> = of_sides.iter().map(value).collect();
        let class = if values.iter().all(|other| *other == values[0]) { "" } else { " class=\"differs\"" };
        let cells: String = values.iter().map(|value| format!("<td>{value}</td>")).collect();
        let _ = writeln!(page, "<tr{class}><td>{name}</td>{cells}</tr>");
    }
    *page += "</table>\n";
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
