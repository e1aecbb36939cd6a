//! The command line that repeats a measurement.

use std::borrow::Cow;

use render::Stereo;

use crate::ladder::to_a_million;
use crate::report::{Report, RequestedRun};

/// The command that measures the same.
pub fn command(report: &Report) -> String {
    let s = &report.settings;
    let mut words: Vec<String> = ["pelagic", "bench"].map(str::to_owned).to_vec();
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    option("--scene", s.asked.scene.clone());
    s.set.iter().for_each(|set| option("--set", set.clone()));
    if let Some(fish) = s.asked.fish {
        option("--fish", fish.to_string());
    }
    if let Some(shaders) = &s.asked.shaders {
        option("--shaders", shaders.clone());
    }
    option("--size", format!("{}x{}", s.size.0, s.size.1));
    option("--seed", s.seed.to_string());
    let RequestedRun { runs, passes, ladder, .. } = &s.asked;
    if *runs || ladder.is_some() {
        option("--runs", s.runs.to_string());
    }
    // Runs and ladder may differ in these only where nothing was asked for.
    let of_runs = runs.then_some((s.measure_s, s.frames, s.warmup_s, s.warmup));
    let of_ladder = ladder.as_ref().map(|ladder| (ladder.measure_s, ladder.frames, ladder.warmup_s, ladder.warmup));
    let (one, other) = (of_runs.or(of_ladder), of_ladder.or(of_runs));
    if let Some((one, other)) = one.zip(other) {
        match one.0 {
            Some(seconds) => option("--duration", seconds.to_string()),
            None if one.1 == other.1 => option("--frames", one.1.to_string()),
            None => {}
        }
        match one.2 {
            Some(seconds) => option("--warmup", seconds.to_string()),
            None if one.3 == other.3 => option("--warmup-frames", one.3.to_string()),
            None => {}
        }
    }
    if let Some(rounds) = passes {
        option("--rounds", rounds.to_string());
    }
    if s.stereo != Stereo::Off.to_string() {
        option("--stereo", s.stereo.clone());
    }
    option("--frame-end", s.frame_end.to_string());
    if s.vsync == Some(true) {
        option("--vsync", "on".into());
    }
    match ladder {
        _ if *runs && passes.is_some() => words.push("--all".into()),
        _ if passes.is_some() => words.push("--passes".into()),
        _ => {}
    }
    match ladder.as_ref() {
        Some(ladder) if ladder.fish == to_a_million() => words.extend((!*runs).then(|| "--ladder".into())),
        Some(ladder) => {
            let numbers: Vec<String> = ladder.fish.iter().map(u32::to_string).collect();
            words.push(format!("--ladder={}", numbers.join(",")));
        }
        None => {}
    }
    words.extend((!s.offscreen).then(|| "--window".into()));
    words.extend((!s.pipelined && !s.live).then(|| "--in-turn".into()));
    words.extend(s.governor.then(|| "--governor".into()));
    words.iter().map(|word| shell_quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a POSIX shell reads it back.
fn shell_quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")).into(),
    }
}
