//! `compare.html`: two results side by side.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench::compare::{Comparison, MetricRow, Verdict, advice, conclusion};
use crate::bench::html::charts::{cumulatives, histograms, precise, runs_of_both};
use crate::bench::html::plot::escape;
use crate::bench::html::{END, beginning, facts, figure, legend, section, tile, warnings};
use crate::bench::report::{Report, SUMMARISED};

/// One of the two.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Where it was read from.
    pub path: &'a Path,
    /// The result.
    pub report: &'a Report,
    /// Frame times of the runs that count, sorted, if they are there. Unit: ms.
    pub frames_ms: Option<&'a [f64]>,
}

impl Side<'_> {
    /// How the page calls it.
    fn name(&self) -> String {
        let place = self.path.display();
        self.report.label.as_ref().map_or_else(|| place.to_string(), |label| format!("{label} ({place})"))
    }

    /// A metric of every run that counts.
    fn runs(&self, metric: &str) -> Vec<f64> {
        let Some(metric) = SUMMARISED.iter().find(|known| known.name == metric) else { return Vec::new() };
        self.report.runs.iter().filter(|run| run.valid).filter_map(metric.value).collect()
    }
}

/// The page.
pub fn page(before: &Side<'_>, after: &Side<'_>, comparison: &Comparison) -> String {
    let title = escape(&format!("Pelagic benchmark compared: {}", before.report.settings.scene));
    let mut page = beginning(&title);
    let [of_before, of_after] = [before, after].map(|side| escape(&side.name()));
    let [then, now] = [before, after].map(|side| escape(&side.report.when));
    let _ = writeln!(
        page,
        "<header><h1>{title}</h1>\n<p>Before: {of_before}, {then}.<br>After: {of_after}, {now}.</p></header>"
    );
    verdict(&mut page, comparison);
    let both = [("before", "before"), ("after", "after")];
    metrics(&mut page, comparison);
    section(
        &mut page,
        "Every run",
        &format!("{} of each run that counts, in order: runs that drift tell of the machine.", comparison.metric),
    );
    legend(&mut page, &both);
    let metric = &comparison.metric;
    figure(&mut page, &runs_of_both(&before.runs(metric), &after.runs(metric), metric).unwrap_or_default());
    distributions(&mut page, before, after);
    for (name, side) in [("before", before), ("after", after)] {
        if !side.report.warnings.is_empty() {
            section(&mut page, &format!("What may spoil it: {name}"), "");
            warnings(&mut page, side.report);
        }
    }
    machines(&mut page, before.report, after.report);
    page += END;
    page
}

fn verdict(page: &mut String, comparison: &Comparison) {
    let class = match comparison.verdict {
        Verdict::Regression | Verdict::Slower => "verdict slower",
        Verdict::Improvement | Verdict::Faster => "verdict faster",
        Verdict::NoSignificantChange | Verdict::IndicativeOnly => "verdict",
    };
    let _ = writeln!(page, "<p class=\"{class}\">{}</p>", escape(&conclusion(comparison)));
    let differences = comparison
        .differences
        .iter()
        .map(|d| format!("not the same: {} is {} before and {} after", d.what, d.before, d.after));
    let notes: Vec<String> = advice(comparison).into_iter().chain(differences).collect();
    if !notes.is_empty() {
        *page += "<ul class=\"warnings\">\n";
        for note in notes {
            let _ = writeln!(page, "<li>{}</li>", escape(&note));
        }
        *page += "</ul>\n";
    }
    let Some(row) = comparison.rows.iter().find(|row| row.metric == comparison.metric) else { return };
    let unit = if row.metric.ends_with("_ms") { "ms" } else { "" };
    *page += "<div class=\"tiles\">\n";
    tile(page, &precise(row.before), unit, &format!("before, {}", escape(&row.metric)));
    tile(page, &precise(row.after), unit, "after");
    if let Some(slowdown) = row.slowdown {
        tile(page, &format!("{slowdown:.3}"), "times", "as slow as before");
    }
    if let Some((low, high)) = row.interval {
        tile(page, &format!("{low:.3} – {high:.3}"), "", "95 % interval of that");
    }
    *page += "</div>\n";
}

/// Every metric, its interval drawn on a scale that all rows share.
fn metrics(page: &mut String, comparison: &Comparison) {
    section(
        page,
        "Every metric",
        "How many times slower the second is, with its 95 % interval over the runs; the grey field is what the threshold \
         lets pass. p is that of the Mann-Whitney test.",
    );
    let ends = comparison.rows.iter().flat_map(|row| row.interval.map(|(low, high)| [low, high])).flatten();
    let farthest = ends.filter(|end| *end > 0.0).map(|end| end.ln().abs()).fold(0.0, f64::max);
    let scale = farthest.clamp((1.0 + comparison.threshold).ln().max(1e-3), 3_f64.ln());
    *page += "<table><tr><th>metric</th><th>before</th><th>after</th><th>slower</th><th>95 % interval</th><th>p</th>\
              <th class=\"interval\">faster &nbsp;|&nbsp; slower</th></tr>\n";
    for row in &comparison.rows {
        let class = if row.metric == comparison.metric { " class=\"sum\"" } else { "" };
        let slower = row.slowdown.map_or("–".into(), |ratio| format!("×{ratio:.3}"));
        let interval = row.interval.map_or("–".into(), |(low, high)| format!("×{low:.3} to ×{high:.3}"));
        let p = row.p.map_or("–".into(), |p| format!("{p:.3}"));
        let _ = writeln!(
            page,
            "<tr{class}><td>{}</td><td>{}</td><td>{}</td><td>{slower}</td><td class=\"dim\">{interval}</td><td>{p}</td>\
             <td>{}</td></tr>",
            escape(&row.metric),
            value(row.before),
            value(row.after),
            drawn_interval(row, comparison.threshold, scale)
        );
    }
    *page += "</table>\n";
}

/// A figure as precise as it is worth; some phases take microseconds.
fn value(figure: f64) -> String {
    if figure.abs() < 1.0 { format!("{figure:.3}") } else { precise(figure) }
}

/// A ratio and its interval about an upright line at 1, logarithmic; `scale` is the logarithm at the edges.
fn drawn_interval(row: &MetricRow, threshold: f64, scale: f64) -> String {
    let at = |ratio: f64| 110.0 + 100.0 * (ratio.max(1e-6).ln() / scale).clamp(-1.05, 1.05);
    let (from, to) = (at(1.0 / (1.0 + threshold)), at(1.0 + threshold));
    let mut svg = format!(
        "<svg class=\"interval\" viewBox=\"0 0 220 16\"><rect class=\"allowed\" x=\"{from:.1}\" width=\"{:.1}\" \
         height=\"16\"/><path class=\"even\" d=\"M110 0V16\"/>",
        to - from
    );
    if let Some((low, high)) = row.interval {
        let _ = write!(svg, "<path class=\"spread\" d=\"M{:.1} 8H{:.1}\"/>", at(low), at(high));
    }
    if let Some(ratio) = row.slowdown {
        let _ = write!(svg, "<circle class=\"ratio\" cx=\"{:.1}\" cy=\"8\" r=\"4\"/>", at(ratio));
    }
    svg + "</svg>"
}

fn distributions(page: &mut String, before: &Side<'_>, after: &Side<'_>) {
    let drawn = before
        .frames_ms
        .zip(after.frames_ms)
        .and_then(|(before, after)| Some([histograms(before, after)?, cumulatives(before, after)?]));
    let Some(drawn) = drawn else {
        section(
            page,
            "How frames are spread",
            "Not drawn: a result's frames are in <code>frames.csv</code> beside its <code>result.json</code>, and it is \
             not there for both, or not of these runs.",
        );
        return;
    };
    section(page, "How frames are spread", "All frames of all runs that count.");
    legend(page, &[("before", "before"), ("after", "after")]);
    *page += "<div class=\"pair\">\n";
    drawn.iter().for_each(|svg| figure(page, svg));
    *page += "</div>\n";
}

fn machines(page: &mut String, before: &Report, after: &Report) {
    section(page, "System and settings", "What differs is in bold.");
    let (of_before, of_after) = (facts::facts(before), facts::facts(after));
    let value = |facts: &[(&str, String)], name: &str| {
        facts.iter().find(|(known, _)| *known == name).map_or("–".into(), |(_, value)| escape(value))
    };
    let only_after = of_after.iter().filter(|(name, _)| of_before.iter().all(|(known, _)| known != name));
    *page += "<table class=\"facts\"><tr><th></th><th>before</th><th>after</th></tr>\n";
    for (name, _) in of_before.iter().chain(only_after) {
        let (a, b) = (value(&of_before, name), value(&of_after, name));
        let class = if a == b { "" } else { " class=\"differs\"" };
        let _ = writeln!(page, "<tr{class}><td>{name}</td><td>{a}</td><td>{b}</td></tr>");
    }
    *page += "</table>\n";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::compare::compare;
    use crate::bench::html::tests::{frames, tags};
    use crate::bench::report::tests::report_of;

    fn page_of(slower: f64, with_frames: bool) -> String {
        let times = frames(400);
        let later: Vec<f64> = times.iter().map(|time| time * slower).collect();
        let (before, after) = (report_of(&[times.as_slice(); 5]).0, report_of(&[later.as_slice(); 5]).0);
        let comparison = compare(&before, &after, "median_ms", Some(0.05)).expect("a metric");
        let sorted = [times, later].map(|mut times| {
            times.sort_by(f64::total_cmp);
            times
        });
        let of = |times: &'_ Vec<f64>| with_frames.then(|| times.clone());
        let [of_before, of_after] = [of(&sorted[0]), of(&sorted[1])];
        let page = page(
            &Side { path: Path::new("a <b>/result.json"), report: &before, frames_ms: of_before.as_deref() },
            &Side { path: Path::new("after"), report: &after, frames_ms: of_after.as_deref() },
            &comparison,
        );
        tags(&page);
        page
    }

    #[test]
    fn it_shows_both_sides_the_ratio_the_verdict_and_the_machines_and_asks_for_nothing() {
        let page = page_of(1.2, true);
        for part in [
            "median_ms: regression: slower by 20 %",
            "<div class=\"value\">1.200<span>times</span>",
            "95 % interval",
            "class=\"line before\"",
            "class=\"line after\"",
            "before overlaid",
            "System and settings",
            "a &lt;b&gt;/result.json",
        ] {
            assert!(page.contains(part), "\"{part}\" is not in the page");
        }
        for word in ["NaN", "inf\"", "inf ", "<script", "src=", "href=", "url(", "@import"] {
            assert!(!page.contains(word), "{word} is in the page");
        }
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"));
    }

    #[test]
    fn without_the_frames_it_says_so_and_shows_the_rest() {
        let page = page_of(0.8, false);
        assert!(page.contains("Not drawn") && page.contains("improvement") && !page.contains("before overlaid"));
    }
}
