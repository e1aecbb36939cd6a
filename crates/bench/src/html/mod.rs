//! `report.html` and `compare.html`: each one file that needs nothing else, neither a script nor the network.

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::figure::fixed;
use crate::html::charts::Levels;
use crate::html::plot::number;
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

/// Style sheet; follows the reader's choice of light or dark.
const STYLE: &str = include_str!("style.css");

/// The page; `picture` shows the measured scene, if it was taken.
pub fn page(report: &Report, runs: &[MeasuredRun], picture: Option<&ScenePicture>) -> String {
    let s = &report.settings;
    let what = match &report.label {
        Some(label) => format!("{label}: Pelagic benchmark"),
        None => format!("Pelagic benchmark: {}", s.scene),
    };
    let title = format!("{what} on {}", report.gl.brief());
    document(
        &title,
        &html! {
            (header(report, &title))
            @if let Some(picture) = picture { (scene_picture(report, picture)) }
            @if report.summary.valid_runs > 0 { (key_figures(report)) }
            (warnings(report))
            (frames(report, runs))
            (gpu_passes(report))
            @if let Some(passes) = &report.passes { (passes_section(report, passes)) }
            @if let Some(ladder) = &report.ladder { (ladder_section(report, ladder)) }
            @if !report.runs.is_empty() { (runs_table(report)) }
            (system(report))
        },
    )
}

/// A whole page.
fn document(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (content) } }
        }
    };
    page.into_string() + "\n"
}

/// Heading of a section, and a sentence about its content.
fn heading(title: &str, says: &Markup) -> Markup {
    html! {
        h2 { (title) }
        p class="says" { (says) }
    }
}

fn header(report: &Report, title: &str) -> Markup {
    let s = &report.settings;
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
    html! {
        header {
            h1 {
                (title)
                @if report.aborted { " " span class="badge" { "aborted" } }
                @if s.live { " " span class="badge" { "recorded live, not repeatable" } }
            }
            p {
                (s.scene) " at " (s.size.0) " × " (s.size.1) (animals) ", quality " (s.quality)
                @if s.governor { " (governed)" }
                ", seed " (s.seed) ": " (measured.join("; ")) ". " (report.gl.renderer)
                @if report.gl.software { ", on the CPU" }
                ". " (report.when)
            }
        }
    }
}

/// Picture of the measured scene.
fn scene_picture(report: &Report, picture: &ScenePicture) -> Markup {
    let ((width, height), scene) = (picture.size(), &report.settings.scene);
    let moment = if report.settings.live { "when the recording ended" } else { "after the last frame of the runs" };
    html! {
        figure class="scene" {
            img src=(picture.data_uri()) width=(width) height=(height) alt={ "the scene " (scene) };
            figcaption { (scene) " " (moment) "; not one of the frames that were measured" }
        }
    }
}

fn key_figures(report: &Report) -> Markup {
    let of = |name: &str| report.summary.median_of_runs.get(name).copied();
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
    html! {
        @if report.summary.valid_runs > 1 {
            p class="says" { "Each figure is that of the run in the middle: the median over the runs." }
        }
        div class="tiles" {
            @for (value, unit, what) in tiles {
                @if let Some(value) = value { (tile(&html! { (value) }, if value == "–" { "" } else { unit }, what)) }
            }
        }
    }
}

fn tile(value: &Markup, unit: &str, what: &str) -> Markup {
    html! {
        div class="tile" {
            div class="value" { (value) span { (unit) } }
            div { (what) }
        }
    }
}

fn warnings(report: &Report) -> Markup {
    html! {
        @if !report.warnings.is_empty() {
            ul class="warnings" { @for warning in &report.warnings { li { (warning.text) } } }
        }
    }
}

fn frames(report: &Report, runs: &[MeasuredRun]) -> Markup {
    let figures = &report.summary.median_of_runs;
    let levels = Levels { median: figures.get("median_ms").copied(), p99: figures.get("p99_ms").copied() };
    let Some(line) = charts::frame_times(runs, levels) else { return Markup::default() };
    let stutters: usize = report.runs.iter().map(|run| run.metrics.stutter_count).sum();
    let stutters = match stutters {
        0 => "No frame stutters".into(),
        1 => "One frame stutters (red)".into(),
        n => format!("{n} frames stutter (red)"),
    };
    let says = html! {
        "From the end of one frame to the end of the next. " (stutters) ": a stutter takes over " (STUTTER_FACTOR)
        " times the median of the " (STUTTER_WINDOW) " frames about it, and over " (STUTTER_EXCESS_MS)
        " ms more. Arrows at the top edge go beyond it."
    };
    let of_phases = html! {
        "What the CPU did in a frame. A software renderer does much of its drawing while it is given commands."
    };
    html! {
        (heading("Every frame", &says))
        figure { (line) }
        div class="pair" {
            @for chart in [charts::histogram(runs, levels), charts::cumulative(runs, levels)].into_iter().flatten() {
                figure { (chart) }
            }
        }
        (heading("Where the time goes", &of_phases))
        @if let Some(stack) = charts::phases(runs) {
            (legend(charts::PHASES.map(|(class, name, _)| (class, name))))
            figure { (stack) }
        }
    }
}

fn legend<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Markup {
    html! {
        p class="legend" {
            @for (class, name) in entries {
                span { svg viewBox="0 0 10 10" { rect class=(class) width="10" height="10" {} } (name) } " "
            }
        }
    }
}

fn gpu_passes(report: &Report) -> Markup {
    let Some(whole) = report.summary.median_of_runs.get("gpu_ms") else { return Markup::default() };
    let valid = || report.runs.iter().filter(|run| run.valid);
    let names: BTreeSet<&String> = valid().flat_map(|run| run.gpu_passes.keys()).collect();
    let of_runs = |name: &String, value: fn(&Spread) -> f64| {
        math::median(&valid().filter_map(|run| run.gpu_passes.get(name).map(value)).collect::<Vec<_>>())
    };
    let row = |name| Some((name, of_runs(name, |spread| spread.median)?, of_runs(name, |spread| spread.p95)?));
    let mut rows: Vec<(&String, f64, f64)> = names.into_iter().filter_map(row).collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share = |median: f64| if *whole > 0.0 { 100.0 * median / whole } else { 0.0 };
    html! {
        (heading("GPU time by pass", &html! { "Timer queries, median over the runs; nothing waits for them." }))
        table {
            tr { th { "pass" } th { "median, ms" } th { "95 % under, ms" } th { "share" } th {} }
            @for (name, median, p95) in rows {
                tr {
                    td { (name) }
                    td { (fixed(median, 3)) }
                    td { (fixed(p95, 3)) }
                    td { (fixed(share(median), 1)) " %" }
                    td { (bar(share(median))) }
                }
            }
        }
    }
}

/// A share of a hundred as a bar.
fn bar(share: f64) -> Markup {
    let width = format!("{:.1}", share.clamp(0.0, 100.0));
    html! {
        svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" {
            rect class="draw" width=(width) height="8" {}
        }
    }
}

fn passes_section(report: &Report, passes: &PassCosts) -> Markup {
    let says = html! {
        "Frame time of the whole scene less that without the effect, each moment of the scene drawn with and without in \
         turn: " (words::moments(report, passes)) ". In brackets where the true median lies in 95 of 100 cases."
    };
    let of_whole = |ms: f64| if passes.whole_ms > 0.0 { 100.0 * ms / passes.whole_ms } else { 0.0 };
    let rest = of_whole(passes.rest_ms);
    html! {
        (heading("What each effect costs", &says))
        table {
            tr { th { "effect" } th { "ms" } th {} th { "of the frame" } th {} }
            @for cost in &passes.costs {
                tr {
                    td { (cost.name) }
                    @if let Some(ms) = cost.ms {
                        @let share = cost.share_pct.unwrap_or_default();
                        td { (signed(ms, 2)) }
                        td class="dim" { "(" (words::interval(cost.interval_ms, |ms| signed(ms, 2))) ")" }
                        td { (signed(share, 1)) " %" }
                        td { (bar(share)) }
                    } @else {
                        td { "–" }
                        td colspan="3" class="dim" { (cost.note.as_deref().unwrap_or_default()) }
                    }
                }
            }
            tr {
                td { "all the rest" }
                td { (signed(passes.rest_ms, 2)) }
                td class="dim" {}
                td { (signed(rest, 1)) " %" }
                td { (bar(rest)) }
            }
            tr class="sum" { td { "whole frame" } td { (signed(passes.whole_ms, 2)) } td {} td {} td {} }
        }
    }
}

fn signed(value: f64, decimals: usize) -> String {
    fixed(value, decimals).replace('-', "\u{2212}")
}

fn ladder_section(report: &Report, ladder: &[Rung]) -> Markup {
    let is_aquarium = ladder.iter().map(|rung| rung.fish).take(RUNGS.len()).eq(RUNGS);
    let aquarium = if is_aquarium { ", up to 30,000 in the numbers of the WebGL Aquarium" } else { "" };
    let says = html! {
        "The same scene with ever more fish" (aquarium) ": " (words::ladder(report, ladder))
        ". Each figure is that of the run in the middle; upright lines go from the fastest run to the slowest."
    };
    let spread = |rung: &Rung| match rung.lowest_ms.zip(rung.highest_ms) {
        Some((low, high)) => format!("{} to {}", precise(low), precise(high)),
        None => "–".into(),
    };
    let names = [("line-frames", "whole frame"), ("line-draw", "CPU"), ("line-simulate", "of it, moving the world")];
    html! {
        (heading("Fish and frames", &says))
        @if let Some(plot) = charts::ladder(ladder) {
            (legend(names))
            figure { (plot) }
        }
        table {
            tr {
                th { "fish" } th { "median, ms" } th { "lowest to highest run" } th { "average fps" } th { "moving, ms" } th { "beside, ms" }
                th { "submitting, ms" } th { "waiting, ms" } th { "in view" } th { "triangles" }
            }
            @for rung in ladder {
                tr {
                    td { (number(f64::from(rung.fish))) }
                    @if let Some(ran_out) = rung.ran_out {
                        td class="dim" colspan="9" { (ran_out.words()) }
                    } @else {
                    td { (or_dash(ms(rung.median_ms))) }
                    td class="dim" { (spread(rung)) }
                    td { (or_dash(fps(rung.fps_avg))) }
                    td { (or_dash(ms(rung.simulate_ms))) }
                    td { (or_dash(ms(rung.beside_ms))) }
                    td { (or_dash(ms(rung.submit_ms))) }
                    td { (or_dash(ms(rung.wait_ms))) }
                    td { (or_dash(whole(rung.visible))) }
                    td { (or_dash(whole(rung.triangles))) }
                    }
                }
            }
        }
    }
}

/// A figure, or a dash for one that is not known.
fn or_dash(figure: Option<String>) -> String {
    figure.unwrap_or_else(|| "–".into())
}

/// A row of the runs' table: name, and the value in a run.
type Row = (&'static str, fn(&RunReport) -> Option<String>);

/// The rows of the runs' table.
const ROWS: [Row; 23] = [
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

fn runs_table(report: &Report) -> Markup {
    let shown = &report.runs[..report.runs.len().min(MAX_COLUMNS)];
    let more = report.runs.len() - shown.len();
    let says = html! {
        "A dash is a figure for which there are too few frames, or that was not measured. Clocks, temperatures and memory \
         are those right after a run, as far as the system tells them."
        @if more > 0 { " " (more) " more runs are in " code { "result.json" } "." }
    };
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
    html! {
        (heading("Run by run", &says))
        table {
            tr {
                th {}
                @for (i, run) in shown.iter().enumerate() {
                    th { "run " (i + 1) @if !run.valid { ", does not count" } }
                }
            }
            @for (name, value) in ROWS {
                tr { td { (name) } @for run in shown { td { (or_dash(value(run))) } } }
            }
            tr { td { "state after the last frame" } @for run in shown { td { code { (run.state_hash) } } } }
        }
        @if !notes.is_empty() {
            ul class="dim" { @for note in &notes { li { (note) } } }
        }
    }
}

fn system(report: &Report) -> Markup {
    html! {
        (heading("System and settings", &html! { "What another person needs to repeat it." }))
        table class="facts" {
            @for (name, value) in facts::facts(report) { tr { td { (name) } td { (value) } } }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
