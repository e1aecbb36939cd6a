//! `report.html` and `compare.html`: each one file that needs nothing else, neither a script nor the network.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::figure::fixed;
use crate::html::charts::Levels;
use crate::html::plot::{escape, number};
use crate::ladder::{RUNGS, Rung};
use crate::passes::PassCosts;
use crate::picture::ScenePicture;
use crate::report::{Report, RunReport, Spread};
use crate::run::MeasuredRun;
use crate::stats::{LOW_1PCT_MIN_FRAMES, STUTTER_EXCESS_MS, STUTTER_FACTOR, STUTTER_WINDOW};
use crate::words;

mod charts;
mod compare;
mod facts;
mod plot;

pub use charts::precise;
pub use compare::{Side, page as compare_page};

/// How it looks; follows the reader's choice of light or dark.
const STYLE: &str = include_str!("style.css");

/// The page; `picture` is what was measured, as far as one was taken.
pub fn page(report: &Report, runs: &[MeasuredRun], picture: Option<&ScenePicture>) -> String {
    let s = &report.settings;
    let what = match &report.label {
        Some(label) => format!("{label}: Pelagic benchmark"),
        None => format!("Pelagic benchmark: {}", s.scene),
    };
    let title = escape(&format!("{what} on {}", words::gpu(&report.gl)));
    let mut page = beginning(&title);
    header(&mut page, report, &title);
    if let Some(picture) = picture {
        scene_picture(&mut page, report, picture);
    }
    if report.summary.valid_runs > 0 {
        key_figures(&mut page, report);
    }
    warnings(&mut page, report);
    frames(&mut page, report, runs);
    gpu_passes(&mut page, report);
    if let Some(passes) = &report.passes {
        passes_section(&mut page, report, passes);
    }
    if let Some(ladder) = &report.ladder {
        ladder_section(&mut page, report, ladder);
    }
    if !report.runs.is_empty() {
        runs_table(&mut page, report);
    }
    system(&mut page, report);
    page += END;
    page
}

/// A page of that title, which is escaped already, as far as its first heading.
fn beginning(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
}

/// The end of a page.
const END: &str = "</main>\n</body>\n</html>\n";

fn section(page: &mut String, title: &str, says: &str) {
    let _ = writeln!(page, "<h2>{}</h2>\n<p class=\"says\">{says}</p>", escape(title));
}

fn header(page: &mut String, report: &Report, title: &str) {
    let s = &report.settings;
    let aborted = if report.aborted { " <span class=\"badge\">aborted</span>" } else { "" };
    let live = if s.live { " <span class=\"badge\">recorded live, not repeatable</span>" } else { "" };
    let software = if report.gl.software { ", on the CPU" } else { "" };
    // A ladder has numbers of its own.
    let animals = match report.runs.is_empty() && report.passes.is_none() && report.ladder.is_some() {
        true => String::new(),
        false => format!(", {} animals", number(s.animals as f64)),
    };
    let mut measured = Vec::new();
    if !report.runs.is_empty() || (report.passes.is_none() && report.ladder.is_none()) {
        measured.push(words::runs(report));
    }
    measured.extend(report.passes.as_ref().map(|passes| words::moments(report, passes)));
    measured.extend(report.ladder.as_ref().map(|ladder| words::ladder(report, ladder)));
    let _ = writeln!(
        page,
        "<header><h1>{title}{aborted}{live}</h1>\n<p>{} at {} × {}{animals}, quality {}{}, seed {}: {}.\n\
         {}{software}. {}</p></header>",
        escape(&s.scene),
        s.size.0,
        s.size.1,
        escape(&s.quality),
        if s.governor { " (governed)" } else { "" },
        s.seed,
        measured.join("; "),
        escape(&report.gl.renderer),
        escape(&report.when),
    );
}

/// What was measured, to be seen.
fn scene_picture(page: &mut String, report: &Report, picture: &ScenePicture) {
    let (width, height) = picture.size();
    let moment = if report.settings.live { "when the recording ended" } else { "after the last frame of the runs" };
    let _ = writeln!(
        page,
        "<figure class=\"scene\"><img src=\"{}\" width=\"{width}\" height=\"{height}\" alt=\"the scene {}\">\
         <figcaption>{} {moment}; not one of the frames that were measured</figcaption></figure>",
        picture.data_uri(),
        escape(&report.settings.scene),
        escape(&report.settings.scene),
    );
}

fn key_figures(page: &mut String, report: &Report) {
    let of = |name: &str| report.summary.median_of_runs.get(name).copied();
    if report.summary.valid_runs > 1 {
        *page += "<p class=\"says\">Each figure is that of the run in the middle: the median over the runs.</p>\n";
    }
    *page += "<div class=\"tiles\">\n";
    let rate = |name: &str| of(name).map(|fps| format!("{fps:.1}"));
    let varies = report.summary.between_run_cv.get("median_ms");
    let low = match of("low_1pct_fps") {
        Some(_) => "1 % low: mean frame rate of the slowest 1 % of frames".into(),
        None => format!("1 % low, the mean frame rate of the slowest 1 % of frames, needs {LOW_1PCT_MIN_FRAMES} a run"),
    };
    let tiles = [
        (of("median_ms").map(precise), "ms", "median frame"),
        (rate("fps_avg"), "fps", "on average"),
        (rate("low_1pct_fps").or(Some("–".into())), "fps", low.as_str()),
        (of("p99_ms").map(precise), "ms", "99 % of frames are under"),
        (of("stutter_count").map(number), "", "stutters in a run"),
        (of("gpu_ms").map(precise), "ms", "median GPU time"),
        (varies.map(|cv| format!("{:.1}", cv * 100.0)), "%", "medians vary from run to run"),
    ];
    for (value, unit, what) in tiles {
        if let Some(value) = value {
            tile(page, &value, if value == "–" { "" } else { unit }, what);
        }
    }
    *page += "</div>\n";
}

fn tile(page: &mut String, value: &str, unit: &str, what: &str) {
    let _ = writeln!(
        page,
        "<div class=\"tile\"><div class=\"value\">{value}<span>{unit}</span></div><div>{what}</div></div>"
    );
}

fn warnings(page: &mut String, report: &Report) {
    if report.warnings.is_empty() {
        return;
    }
    *page += "<ul class=\"warnings\">\n";
    for warning in &report.warnings {
        let _ = writeln!(page, "<li>{}</li>", escape(&warning.text));
    }
    *page += "</ul>\n";
}

fn frames(page: &mut String, report: &Report, runs: &[MeasuredRun]) {
    let figures = &report.summary.median_of_runs;
    let levels = Levels { median: figures.get("median_ms").copied(), p99: figures.get("p99_ms").copied() };
    let Some(line) = charts::frame_times(runs, levels) else { return };
    let stutters: usize = report.runs.iter().map(|run| run.metrics.stutter_count).sum();
    let stutters = match stutters {
        0 => "No frame stutters".into(),
        1 => "One frame stutters (red)".into(),
        n => format!("{n} frames stutter (red)"),
    };
    let says = format!(
        "From the end of one frame to the end of the next. {stutters}: a stutter takes over {STUTTER_FACTOR} times the \
         median of the {STUTTER_WINDOW} frames about it, and over {STUTTER_EXCESS_MS} ms more. Arrows at the top edge go \
         beyond it."
    );
    section(page, "Every frame", &says);
    figure(page, &line);
    *page += "<div class=\"pair\">\n";
    for chart in [charts::histogram(runs, levels), charts::cumulative(runs, levels)].into_iter().flatten() {
        figure(page, &chart);
    }
    *page += "</div>\n";
    section(
        page,
        "Where the time goes",
        "What the CPU did in a frame. A software renderer does much of its drawing while it is given commands.",
    );
    if let Some(stack) = charts::phases(runs) {
        legend(page, &charts::PHASES.map(|(class, name, _)| (class, name)));
        figure(page, &stack);
    }
}

fn figure(page: &mut String, svg: &str) {
    let _ = writeln!(page, "<figure>{svg}</figure>");
}

fn legend(page: &mut String, entries: &[(&str, &str)]) {
    *page += "<p class=\"legend\">";
    for (class, name) in entries {
        let _ = write!(
            page,
            "<span><svg viewBox=\"0 0 10 10\"><rect class=\"{class}\" width=\"10\" height=\"10\"/></svg>{name}</span> "
        );
    }
    *page += "</p>\n";
}

fn gpu_passes(page: &mut String, report: &Report) {
    let Some(whole) = report.summary.median_of_runs.get("gpu_ms") else { return };
    section(page, "GPU time by pass", "Timer queries, median over the runs; nothing waits for them.");
    let valid = || report.runs.iter().filter(|run| run.valid);
    let names: BTreeSet<&String> = valid().flat_map(|run| run.gpu_passes.keys()).collect();
    let of_runs = |name: &String, value: fn(&Spread) -> f64| {
        math::median(&valid().filter_map(|run| run.gpu_passes.get(name).map(value)).collect::<Vec<_>>())
    };
    let row = |name| Some((name, of_runs(name, |spread| spread.median)?, of_runs(name, |spread| spread.p95)?));
    let mut rows: Vec<(&String, f64, f64)> = names.into_iter().filter_map(row).collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    *page += "<table><tr><th>pass</th><th>median, ms</th><th>95 % under, ms</th><th>share</th><th></th></tr>\n";
    for (name, median, p95) in rows {
        let share = if *whole > 0.0 { 100.0 * median / whole } else { 0.0 };
        let (name, bar) = (escape(name), bar(share));
        let _ = writeln!(
            page,
            "<tr><td>{name}</td><td>{median:.3}</td><td>{p95:.3}</td><td>{share:.1} %</td><td>{bar}</td></tr>"
        );
    }
    *page += "</table>\n";
}

/// A share of a hundred as a bar.
fn bar(share: f64) -> String {
    let width = share.clamp(0.0, 100.0);
    format!(
        "<svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\"><rect class=\"draw\" width=\"{width:.1}\" \
         height=\"8\"/></svg>"
    )
}

fn passes_section(page: &mut String, report: &Report, passes: &PassCosts) {
    let says = format!(
        "Frame time of the whole scene less that without the effect, each moment of the scene drawn with and without in \
         turn: {}. In brackets where the true median lies in 95 of 100 cases.",
        words::moments(report, passes)
    );
    section(page, "What each effect costs", &says);
    *page += "<table><tr><th>effect</th><th>ms</th><th></th><th>of the frame</th><th></th></tr>\n";
    for cost in &passes.costs {
        let name = escape(&cost.name);
        let Some(ms) = cost.ms else {
            let why = escape(cost.note.as_deref().unwrap_or_default());
            let _ = writeln!(page, "<tr><td>{name}</td><td>–</td><td colspan=\"3\" class=\"dim\">{why}</td></tr>");
            continue;
        };
        let interval = words::interval(cost.interval_ms, |ms| signed(ms, 2));
        let share = cost.share_pct.unwrap_or_default();
        let _ = writeln!(
            page,
            "<tr><td>{name}</td><td>{}</td><td class=\"dim\">({interval})</td><td>{} %</td><td>{}</td></tr>",
            signed(ms, 2),
            signed(share, 1),
            bar(share)
        );
    }
    let of_whole = |ms: f64| if passes.whole_ms > 0.0 { 100.0 * ms / passes.whole_ms } else { 0.0 };
    let rest = of_whole(passes.rest_ms);
    let _ = writeln!(
        page,
        "<tr><td>all the rest</td><td>{}</td><td class=\"dim\"></td><td>{} %</td><td>{}</td></tr>\n\
         <tr class=\"sum\"><td>whole frame</td><td>{}</td><td></td><td></td><td></td></tr></table>",
        signed(passes.rest_ms, 2),
        signed(rest, 1),
        bar(rest),
        signed(passes.whole_ms, 2)
    );
}

fn signed(value: f64, decimals: usize) -> String {
    fixed(value, decimals).replace('-', "\u{2212}")
}

fn ladder_section(page: &mut String, report: &Report, ladder: &[Rung]) {
    let aquarium = match ladder.iter().map(|rung| rung.fish).eq(RUNGS) {
        true => ", the numbers of the WebGL Aquarium",
        false => "",
    };
    let says = format!(
        "The same scene with ever more fish{aquarium}: {}. Each figure is that of the run in the middle; upright lines go \
         from the fastest run to the slowest.",
        words::ladder(report, ladder)
    );
    section(page, "Fish and frames", &says);
    if let Some(plot) = charts::ladder(ladder) {
        legend(
            page,
            &[("line-frames", "whole frame"), ("line-draw", "CPU"), ("line-simulate", "of it, moving the world")],
        );
        figure(page, &plot);
    }
    *page += "<table><tr><th>fish</th><th>median, ms</th><th>lowest to highest run</th><th>average fps</th><th>moving, ms</th>\
              <th>submitting, ms</th><th>waiting, ms</th><th>in view</th><th>triangles</th></tr>\n";
    for rung in ladder {
        let ms = |value: Option<f64>| value.map_or("–".into(), precise);
        let spread = match rung.lowest_ms.zip(rung.highest_ms) {
            Some((low, high)) => format!("{} to {}", precise(low), precise(high)),
            None => "–".into(),
        };
        let count = |value: Option<f64>| value.map_or("–".into(), |value| number(value.round()));
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"dim\">{spread}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td></tr>",
            number(f64::from(rung.fish)),
            ms(rung.median_ms),
            rung.fps_avg.map_or("–".into(), |fps| format!("{fps:.1}")),
            ms(rung.simulate_ms),
            ms(rung.submit_ms),
            ms(rung.wait_ms),
            count(rung.visible),
            count(rung.triangles),
        );
    }
    *page += "</table>\n";
}

/// A row of the runs' table: what, and the value in a run.
type Row = (&'static str, fn(&RunReport) -> Option<String>);

/// The rows of the runs' table.
const ROWS: [Row; 24] = [
    ("frames", |run| Some(number(run.metrics.n as f64))),
    ("duration, s", |run| Some(format!("{:.2}", run.metrics.duration_s))),
    ("average fps (frames over time)", |run| fps(run.metrics.fps_avg)),
    ("median, ms", |run| ms(run.metrics.median_ms)),
    ("mean, ms", |run| ms(run.metrics.mean_ms)),
    ("90 % under, ms", |run| ms(run.metrics.p90_ms)),
    ("95 % under, ms", |run| ms(run.metrics.p95_ms)),
    ("99 % under, ms", |run| ms(run.metrics.p99_ms)),
    ("longest, ms", |run| ms(run.metrics.max_ms)),
    ("1 % low, fps: mean of the slowest 1 %", |run| fps(run.metrics.low_1pct_fps)),
    ("1 % low, fps: 99th percentile", |run| fps(run.metrics.p1_fps)),
    ("1 % low, fps: by 1 % of the time", |run| fps(run.metrics.integral_1pct_fps)),
    ("0.1 % low, fps: mean of the slowest", |run| fps(run.metrics.low_0_1pct_fps)),
    ("change from frame to frame, ms", |run| ms(run.metrics.pacing_ms)),
    ("varies within the run", |run| run.metrics.cv.map(|cv| format!("{:.1} %", cv * 100.0))),
    ("stutters; frames over 60 ms", |run| {
        Some(format!("{}; {}", run.metrics.stutter_count, run.metrics.long_stutter_count))
    }),
    ("over 16.67 ms; 33.33 ms", |run| {
        Some(format!("{:.1} %; {:.1} %", run.metrics.over_16_67_ms_pct, run.metrics.over_33_33_ms_pct))
    }),
    ("GPU, median, ms", |run| ms(run.gpu.as_ref().and_then(|gpu| gpu.median_ms))),
    ("CPU clock, fastest core, MHz", |run| whole(run.sensors.cpu_clock_mhz)),
    ("CPU temperature, °C", |run| whole(run.sensors.cpu_temp_c)),
    ("GPU clock, MHz", |run| whole(run.sensors.gpu_clock_mhz)),
    ("GPU temperature, °C", |run| whole(run.sensors.gpu_temp_c)),
    ("GPU memory in use by all, MiB", |run| whole(run.sensors.vram_used_mib)),
    ("state after the last frame", |run| Some(format!("<code>{}</code>", &run.state_hash))),
];

fn ms(value: Option<f64>) -> Option<String> {
    value.map(precise)
}

fn whole(value: Option<f64>) -> Option<String> {
    value.map(|value| number(value.round()))
}

fn fps(value: Option<f64>) -> Option<String> {
    value.map(|fps| format!("{fps:.1}"))
}

/// Runs that have columns of their own.
const MAX_COLUMNS: usize = 8;

fn runs_table(page: &mut String, report: &Report) {
    let shown = &report.runs[..report.runs.len().min(MAX_COLUMNS)];
    let more = match report.runs.len() - shown.len() {
        0 => String::new(),
        more => format!(" {more} more runs are in <code>result.json</code>."),
    };
    section(
        page,
        "Run by run",
        &format!(
            "A dash is a figure for which there are too few frames, or that was not measured. Clocks, temperatures and \
             memory are those right after a run, as far as the system tells them.{more}"
        ),
    );
    *page += "<table><tr><th></th>";
    for (i, run) in shown.iter().enumerate() {
        let counts = if run.valid { "" } else { ", does not count" };
        let _ = write!(page, "<th>run {}{counts}</th>", i + 1);
    }
    *page += "</tr>\n";
    for (name, value) in ROWS {
        let _ = write!(page, "<tr><td>{name}</td>");
        for run in shown {
            let _ = write!(page, "<td>{}</td>", value(run).unwrap_or_else(|| "–".into()));
        }
        *page += "</tr>\n";
    }
    *page += "</table>\n";
    let mut notes: Vec<String> = Vec::new();
    for (i, run) in report.runs.iter().enumerate() {
        for note in run.notes.iter().chain(run.gpu_reason.as_ref().filter(|_| i == 0)) {
            let note =
                if run.gpu_reason.as_ref() == Some(note) { format!("no GPU time: {note}") } else { note.clone() };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    if !notes.is_empty() {
        *page += "<ul class=\"dim\">\n";
        notes.iter().for_each(|note| {
            let _ = writeln!(page, "<li>{}</li>", escape(note));
        });
        *page += "</ul>\n";
    }
}

fn system(page: &mut String, report: &Report) {
    section(page, "System and settings", "What another person needs to repeat it.");
    *page += "<table class=\"facts\">\n";
    for (name, value) in facts::facts(report) {
        let _ = writeln!(page, "<tr><td>{name}</td><td>{}</td></tr>", escape(&value));
    }
    *page += "</table>\n";
}

#[cfg(test)]
pub(crate) mod tests;
