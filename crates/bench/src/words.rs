//! Descriptions of a measurement, in the words that the table and the page share.

use crate::inference;
use crate::ladder::Rung;
use crate::passes::PassCosts;
use crate::report::Report;

/// Number and length of the runs that count: `3 runs of 300 frames after 60 of warm-up`.
pub fn runs(report: &Report) -> String {
    let s = &report.settings;
    let frames: Vec<usize> = report.runs.iter().filter(|run| run.valid).map(|run| run.metrics.n).collect();
    let (least, most) = (frames.iter().min(), frames.iter().max());
    let length = match (s.measure_s, least.zip(most)) {
        (Some(seconds), _) => Length::Seconds(seconds),
        (None, Some((least, most))) if least < most => Length::Between(*least, *most),
        (None, Some((frames, _))) => Length::Frames(*frames),
        (None, None) => Length::Frames(s.frames as usize),
    };
    of_length(frames.len(), s.runs, &length, s.warmup, s.warmup_s)
}

/// Number of moments at which costs were found: `cost at 3 moments`.
pub fn moments(report: &Report, passes: &PassCosts) -> String {
    let found = counted(passes.rounds, "moment");
    match report.settings.asked.passes {
        Some(asked) if asked as usize != passes.rounds => format!("cost at {} of {asked} moments", passes.rounds),
        _ => format!("cost at {found}"),
    }
}

/// The 95 % interval of a cost, whose ends `write` writes.
pub fn interval(interval: Option<(f64, f64)>, write: fn(f64) -> String) -> String {
    match interval {
        Some((low, high)) => format!("{} to {}", write(low), write(high)),
        None => format!("needs {} moments", inference::FEWEST),
    }
}

/// Measurement with each number of fish: `3 runs of 60 frames after 12 of warm-up with each number of fish`.
pub fn ladder(report: &Report, rungs: &[Rung]) -> String {
    let Some(asked) = &report.settings.asked.ladder else { return counted(rungs.len(), "number") + " of fish" };
    let length = match asked.measure_s {
        Some(seconds) => Length::Seconds(seconds),
        None => Length::Frames(asked.frames as usize),
    };
    let whole = rungs.iter().filter(|rung| rung.ran_out.is_none()).map(|rung| rung.runs).min().unwrap_or_default();
    let runs = of_length(whole, report.settings.runs, &length, asked.warmup, asked.warmup_s);
    format!("{runs} with each number of fish")
}

enum Length {
    Frames(usize),
    Between(usize, usize),
    Seconds(f64),
}

fn of_length(whole: usize, asked: u32, length: &Length, warmup: u32, warmup_s: Option<f64>) -> String {
    let runs = match whole == asked as usize {
        true => counted(whole, "run"),
        false => format!("{whole} of {}", counted(asked as usize, "run")),
    };
    let length_words = match length {
        Length::Frames(frames) => counted(*frames, "frame"),
        Length::Between(least, most) => format!("{least} to {most} frames"),
        Length::Seconds(seconds) => format!("{seconds} s"),
    };
    let warmup = match (warmup_s, length) {
        (Some(seconds), _) => format!("{seconds} s"),
        (None, Length::Seconds(_)) => counted(warmup as usize, "frame"),
        (None, _) => warmup.to_string(),
    };
    format!("{runs} of {length_words} after {warmup} of warm-up")
}

/// `1 run`, `3 runs`.
fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::RequestedLadder;
    use crate::report::tests::report_of;

    #[test]
    fn runs_are_told_by_what_was_measured() {
        let (mut report, _) = report_of(&[&[10.0; 4], &[10.0; 4], &[10.0; 4]]);
        assert_eq!(runs(&report), "3 runs of 4 frames after 2 of warm-up");
        report.runs[1].valid = false;
        assert_eq!(runs(&report), "2 of 3 runs of 4 frames after 2 of warm-up");
        (report.settings.measure_s, report.settings.frames) = (Some(6.0), 24_000);
        report.runs[1].valid = true;
        assert_eq!(runs(&report), "3 runs of 6 s after 2 frames of warm-up");
        // A limit of time that cut a run of so many frames.
        let (mut report, _) = report_of(&[&[10.0; 7]]);
        (report.settings.frames, report.settings.warmup_s) = (300, Some(1.5));
        assert_eq!(runs(&report), "1 run of 7 frames after 1.5 s of warm-up");
        report.runs[0].valid = false;
        assert_eq!(runs(&report), "0 of 1 run of 300 frames after 1.5 s of warm-up");
    }

    #[test]
    fn moments_and_rungs_are_told_by_their_own_numbers() {
        let (mut report, _) = report_of(&[&[10.0; 4]]);
        let passes = PassCosts { rounds: 3, whole_ms: 10.0, costs: Vec::new(), rest_ms: 10.0 };
        report.settings.asked.passes = Some(3);
        assert_eq!(moments(&report, &passes), "cost at 3 moments");
        report.settings.asked.passes = Some(24);
        assert_eq!(moments(&report, &passes), "cost at 3 of 24 moments", "it was stopped");
        let ms = |ms: f64| format!("{ms} ms");
        assert_eq!(interval(Some((-0.5, 2.0)), ms), "-0.5 ms to 2 ms");
        assert_eq!(interval(None, ms), "needs 5 moments");
        report.settings.runs = 3;
        let asked = RequestedLadder { fish: vec![1, 500], frames: 60, warmup: 12, measure_s: None, warmup_s: None };
        report.settings.asked.ladder = Some(asked);
        let rungs = [Rung { runs: 3, ..Rung::of(1, 4, &[]) }, Rung { runs: 2, ..Rung::of(500, 503, &[]) }];
        assert_eq!(ladder(&report, &rungs[..1]), "3 runs of 60 frames after 12 of warm-up with each number of fish");
        assert!(ladder(&report, &rungs).starts_with("2 of 3 runs of 60 frames"), "one has a run less");
    }
}
