//! A report in twelve lines, for people.

use std::fmt::Write as _;

use crate::bench::report::{Report, Summary};

/// The rows that summarise runs: what is said, the metric's name, decimals.
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
    writeln!(
        text,
        "{} at {width}x{height}, quality {}, scale {}, {} animals, seed {}: {} runs of {} frames after {}{aborted}",
        s.scene, s.quality, s.render_scale, s.animals, s.seed, s.runs, s.frames, s.warmup
    )?;
    let software = if report.gl.software { " (software)" } else { "" };
    writeln!(text, "{}{software}, OpenGL {}; {}", report.gl.renderer, report.gl.version, s.frame_end.words())?;
    let head = format!("over {} whole runs", report.summary.valid_runs);
    writeln!(text, "{head:<36}{:>10}{:>10}{:>10}{:>10}", "median", "lowest", "highest", "varies")?;
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
    writeln!(text, "peak memory {memory}, scene {}, state {state}", s.scene_hash)?;
    let notes = report.runs.iter().find(|run| run.valid).or(report.runs.first()).map(|run| run.notes.as_slice());
    for note in notes.unwrap_or_default() {
        writeln!(text, "note: {note}")?;
    }
    for warning in &report.warnings {
        writeln!(text, "warning: {}", warning.text)?;
    }
    Ok(())
}

fn row(summary: &Summary, label: &str, name: &str, decimals: usize) -> String {
    let cell = |value: Option<&f64>| value.map_or("-".into(), |value| format!("{value:.decimals$}"));
    let varies = summary.between_run_cv.get(name).map_or("-".into(), |cv| format!("{:.1} %", cv * 100.0));
    format!(
        "{label:<36}{:>10}{:>10}{:>10}{varies:>10}",
        cell(summary.median_of_runs.get(name)),
        cell(summary.lowest.get(name)),
        cell(summary.highest.get(name))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::report::tests::report_of;

    #[test]
    fn the_table_has_twelve_lines_before_notes_and_warnings() {
        let (report, _) = report_of(&[&[10.0; 300], &[20.0; 300], &[12.0; 300]]);
        let text = render(&report);
        let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with("note") && !l.starts_with("warning")).collect();
        assert_eq!(lines.len(), 12, "{text}");
        let cells = |line: usize| lines[line][36..].split_whitespace().collect::<Vec<_>>();
        assert_eq!(cells(2), ["median", "lowest", "highest", "varies"]);
        assert_eq!(cells(3)[..3], ["83.3", "50.0", "100.0"]);
        assert_eq!(cells(5), ["12.00", "10.00", "20.00", "37.8", "%"]);
        assert!(lines.iter().all(|line| line.chars().count() <= 120), "{text}");
    }

    #[test]
    fn what_is_missing_is_a_dash_and_the_note_says_why() {
        let (report, _) = report_of(&[&[10.0; 50]]);
        let text = render(&report);
        let low = text.lines().find(|line| line.starts_with("1 % low")).expect("the row is there");
        assert_eq!(low[36..].split_whitespace().collect::<Vec<_>>(), ["-", "-", "-", "-"]);
        assert!(text.contains("note: the 1 % lows need 300 frames, this run has 50"), "{text}");
    }

    #[test]
    fn an_aborted_benchmark_says_so_in_the_first_line() {
        let (report, _) = report_of(&[&[10.0; 8], &[10.0; 2]]);
        assert!(render(&report).lines().next().is_some_and(|line| line.ends_with("ABORTED")));
    }
}
