//! A report in twelve lines, for people, and one line to submit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::command::command;
use crate::figure::fixed;
use crate::ladder::Rung;
use crate::passes::PassCosts;
use crate::report::{Report, RunsSummary};
use crate::words;

/// Rows that summarise runs: label, metric name, decimals.
const ROWS: [(&str, &str, usize); 8] = [
    ("average fps", "fps_avg", 1),
    ("1 % low fps (mean of slowest 1 %)", "low_1pct_fps", 1),
    ("median, ms", "median_ms", 2),
    ("95th percentile, ms", "p95_ms", 2),
    ("99th percentile, ms", "p99_ms", 2),
    ("longest frame, ms", "max_ms", 2),
    ("moving and submitting, ms", "cpu_ms", 2),
    ("waiting for the driver, ms", "wait_ms", 2),
];

/// The table, warnings below it.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = write_table(&mut text, report);
    text
}

fn write_table(text: &mut String, report: &Report) -> std::fmt::Result {
    let s = &report.settings;
    let (width, height) = s.size;
    let aborted = if report.aborted { ", ABORTED" } else { "" };
    // A ladder has numbers of its own.
    let animals = match report.runs.is_empty() && report.passes.is_none() && report.ladder.is_some() {
        true => String::new(),
        false => format!(", {} animals", s.animals),
    };
    writeln!(
        text,
        "{} at {width}x{height}{animals}, quality {}, scale {}, seed {}{aborted}",
        s.scene, s.quality, s.render_scale, s.seed
    )?;
    let software = if report.gl.software { " (software)" } else { "" };
    writeln!(text, "{}{software}, {}; {}", report.gl.renderer, report.gl.opengl(), s.frame_end.words())?;
    if !report.runs.is_empty() || (report.ladder.is_none() && report.passes.is_none()) {
        write_runs(text, report)?;
    }
    if let Some(passes) = &report.passes {
        write_passes(text, report, passes)?;
    }
    if let Some(ladder) = &report.ladder {
        write_ladder(text, report, ladder)?;
    }
    for warning in &report.warnings {
        writeln!(text, "warning: {}", warning.text)?;
    }
    write_submission(text, report)
}

/// Writes one line to paste where results are collected: figures with their spread, the command, and what was measured. A
/// recording that nobody can repeat has none.
fn write_submission(text: &mut String, report: &Report) -> std::fmt::Result {
    let Report { app, gl, host, settings, summary, aborted, .. } = report;
    let range = |name: &str| {
        let value = |of: &BTreeMap<String, f64>| of.get(name).map(|value| fixed(*value, 2));
        let (middle, lowest, highest) =
            (value(&summary.median_of_runs)?, value(&summary.lowest)?, value(&summary.highest)?);
        Some(format!("{middle} ms ({lowest} to {highest})"))
    };
    let is_whole = !report.runs.is_empty() && !aborted && !settings.live;
    let Some(median) = range("median_ms").filter(|_| is_whole) else { return Ok(()) };
    let p99 = range("p99_ms").map(|p99| format!(", 99 % {p99}")).unwrap_or_default();
    let commit = app.commit.as_ref().map(|commit| format!(" {commit}")).unwrap_or_default();
    let changed = if app.dirty == Some(true) { " with changes" } else { "" };
    let cpu = host.cpu.as_deref().unwrap_or("processor unknown");
    writeln!(
        text,
        "submit: median {median}{p99}, {} runs | {} | {} {}{commit}{changed} {} | {} | {cpu}, {} threads, {} | scene {}",
        summary.valid_runs,
        command(report),
        app.name,
        app.version,
        app.profile,
        gl.brief(),
        host.threads,
        host.os,
        settings.scene_hash
    )
}

fn write_runs(text: &mut String, report: &Report) -> std::fmt::Result {
    let head = words::runs(report);
    writeln!(text, "{head:<46}{:>10}{:>10}{:>10}{:>10}", "median run", "lowest", "highest", "varies")?;
    for (label, name, decimals) in ROWS {
        writeln!(text, "{}", row(&report.summary, label, name, decimals))?;
    }
    let memory = report.summary.peak_memory_mib.map_or("not known".into(), |mib| format!("{mib:.0} MiB"));
    let states: Vec<&str> = report.runs.iter().filter(|run| run.valid).map(|run| run.state_hash.as_str()).collect();
    let state = match states.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => first,
        Some(_) => "differs between runs",
        None => "none",
    };
    writeln!(text, "peak memory {memory}, scene {}, state {state}", report.settings.scene_hash)?;
    let notes = report.runs.iter().find(|run| run.valid).or(report.runs.first()).map(|run| run.notes.as_slice());
    for note in notes.unwrap_or_default() {
        writeln!(text, "note: {note}")?;
    }
    Ok(())
}

fn write_passes(text: &mut String, report: &Report, passes: &PassCosts) -> std::fmt::Result {
    let head = words::moments(report, passes);
    writeln!(text, "{head:<24}{:>9}   {:<22}{:>10}", "ms", "95 % interval", "of frame")?;
    for cost in &passes.costs {
        let Some(ms) = cost.ms else {
            writeln!(text, "{:<24}{:>9}   {}", cost.name, "-", cost.note.as_deref().unwrap_or_default())?;
            continue;
        };
        let interval = words::interval(cost.interval_ms, |ms| fixed(ms, 2));
        let share = cost.share_pct.map_or("-".into(), |share| format!("{} %", fixed(share, 1)));
        writeln!(text, "{:<24}{:>9}   {interval:<22}{share:>10}", cost.name, fixed(ms, 2))?;
    }
    writeln!(text, "{:<24}{:>9}", "all the rest", fixed(passes.rest_ms, 2))?;
    writeln!(text, "{:<24}{:>9}", "whole frame", fixed(passes.whole_ms, 2))
}

fn write_ladder(text: &mut String, report: &Report, ladder: &[Rung]) -> std::fmt::Result {
    writeln!(text, "{}", words::ladder(report, ladder))?;
    writeln!(
        text,
        "{:>7}{:>11}{:>18}{:>9}{:>11}{:>11}{:>12}{:>11}{:>9}{:>11}",
        "fish",
        "median ms",
        "lowest to highest",
        "fps",
        "moving ms",
        "beside ms",
        "submit ms",
        "wait ms",
        "in view",
        "triangles"
    )?;
    for rung in ladder {
        if let Some(ran_out) = rung.ran_out {
            writeln!(text, "{:>7}  {}", rung.fish, ran_out.words())?;
            continue;
        }
        let cell = |value: Option<f64>, decimals: usize| value.map_or("-".into(), |v| fixed(v, decimals));
        let spread = rung
            .lowest_ms
            .zip(rung.highest_ms)
            .map_or("-".into(), |(l, h)| format!("{} to {}", fixed(l, 1), fixed(h, 1)));
        let (median, fps) = (cell(rung.median_ms, 2), cell(rung.fps_avg, 1));
        let (moving, beside) = (cell(rung.simulate_ms, 2), cell(rung.beside_ms, 2));
        let (submit, wait) = (cell(rung.submit_ms, 2), cell(rung.wait_ms, 2));
        let (visible, triangles) = (cell(rung.visible, 0), cell(rung.triangles, 0));
        writeln!(
            text,
            "{:>7}{median:>11}{spread:>18}{fps:>9}{moving:>11}{beside:>11}{submit:>12}{wait:>11}{visible:>9}{triangles:>11}",
            rung.fish
        )?;
    }
    Ok(())
}

fn row(summary: &RunsSummary, label: &str, name: &str, decimals: usize) -> String {
    let cell = |value: Option<&f64>| value.map_or("-".into(), |value| fixed(*value, decimals));
    let varies = summary.between_run_cv.get(name).map_or("-".into(), |cv| format!("{:.1} %", cv * 100.0));
    format!(
        "{label:<46}{:>10}{:>10}{:>10}{varies:>10}",
        cell(summary.median_of_runs.get(name)),
        cell(summary.lowest.get(name)),
        cell(summary.highest.get(name))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::RanOut;
    use crate::passes::PassCost;
    use crate::report::tests::report_of;

    #[test]
    fn the_table_has_twelve_lines_before_notes_and_warnings() {
        let (report, _) = report_of(&[&[10.0; 300], &[20.0; 300], &[12.0; 300]]);
        let text = render(&report);
        let is_row = |line: &&str| !["note", "warning", "submit"].iter().any(|begin| line.starts_with(begin));
        let lines: Vec<&str> = text.lines().filter(is_row).collect();
        assert_eq!(lines.len(), 12, "{text}");
        let cells = |line: usize| lines[line][46..].split_whitespace().collect::<Vec<_>>();
        assert_eq!(cells(2), ["median", "run", "lowest", "highest", "varies"]);
        assert_eq!(cells(3)[..3], ["83.3", "50.0", "100.0"]);
        assert_eq!(cells(5), ["12.00", "10.00", "20.00", "37.8", "%"]);
        assert!(lines.iter().all(|line| line.chars().count() <= 120), "{text}");
    }

    #[test]
    fn one_line_has_all_that_a_collection_of_results_needs() {
        let (mut report, _) = report_of(&[&[10.0; 300], &[20.0; 300], &[12.0; 300]]);
        let line = |report: &Report| render(report).lines().find(|l| l.starts_with("submit: ")).map(str::to_owned);
        let told = line(&report).expect("it is there");
        let begin =
            "submit: median 12.00 ms (10.00 to 20.00), 99 % 12.00 ms (10.00 to 20.00), 3 runs | pelagic bench --scene ";
        assert!(told.starts_with(begin) && told.ends_with(&report.settings.scene_hash), "{told}");
        report.settings.live = true;
        assert_eq!(line(&report), None, "nobody can repeat it");
        (report.settings.live, report.aborted) = (false, true);
        assert_eq!(line(&report), None);
    }

    #[test]
    fn what_is_missing_is_a_dash_and_the_note_says_why() {
        let (report, _) = report_of(&[&[10.0; 50]]);
        let text = render(&report);
        let low = text.lines().find(|line| line.starts_with("1 % low")).expect("the row is there");
        assert_eq!(low[46..].split_whitespace().collect::<Vec<_>>(), ["-", "-", "-", "-"]);
        assert!(text.contains("note: the 1 % lows need 300 frames, this run has 50"), "{text}");
    }

    #[test]
    fn passes_and_ladder_stand_alone_where_there_are_no_runs() {
        let (mut report, _) = report_of(&[&[10.0; 8]]);
        report.runs.clear();
        let cost = PassCost {
            name: "surface".into(),
            ms: Some(2.5),
            interval_ms: Some((2.25, 3.0)),
            share_pct: Some(12.5),
            note: None,
        };
        report.passes = Some(PassCosts { rounds: 24, whole_ms: 20.0, costs: vec![cost], rest_ms: 17.5 });
        let far = Rung { ran_out: Some(RanOut::Time), ..Rung::of(1_000_000, 1_000_003, &[]) };
        report.ladder = Some(vec![Rung { median_ms: Some(12.0), ..Rung::of(1000, 1003, &[]) }, far]);
        let text = render(&report);
        let cells = |begin: &str| {
            let line =
                text.lines().find(|line| line.trim_start().starts_with(begin)).unwrap_or_else(|| panic!("{text}"));
            line.split_whitespace().map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(cells("surface"), ["surface", "2.50", "2.25", "to", "3.00", "12.5", "%"]);
        assert_eq!(cells("1000 ")[..3], ["1000", "12.00", "-"]);
        assert!(text.contains("1000000  not measured: a frame would take over 500 ms"), "{text}");
        assert!(!text.contains("average fps") && !text.contains("runs of 8 frames"), "{text}");
    }

    #[test]
    fn what_was_not_measured_is_not_told() {
        let (mut report, _) = report_of(&[&[10.0; 8], &[10.0; 8], &[10.0; 8]]);
        assert!(render(&report).contains("3 runs of 8 frames after 2 of warm-up"));
        report.runs.clear();
        report.passes = Some(PassCosts { rounds: 3, whole_ms: 20.0, costs: Vec::new(), rest_ms: -0.001 });
        let passes = render(&report);
        assert!(passes.contains("cost at 3 moments") && passes.contains("500 animals"), "{passes}");
        assert!(!passes.contains("runs") && !passes.contains("-0.00"), "{passes}");
        report.passes = None;
        report.ladder = Some(vec![Rung::of(1, 4, &[]), Rung::of(800, 803, &[])]);
        let ladder = render(&report);
        assert!(!ladder.contains("500") && !ladder.contains("8 frames"), "{ladder}");
    }

    #[test]
    fn an_aborted_benchmark_says_so_in_the_first_line() {
        let (report, _) = report_of(&[&[10.0; 8], &[10.0; 2]]);
        assert!(render(&report).lines().next().is_some_and(|line| line.ends_with("ABORTED")));
    }
}
