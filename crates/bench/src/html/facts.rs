//! Facts that another person needs to repeat a result.

use std::borrow::Cow;

use render::Stereo;

use crate::html::plot::number;
use crate::ladder::to_a_million;
use crate::report::{Report, RequestedRun, Settings};

/// Machine, driver and settings: name and value of each known fact.
pub fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let Report { app, host, gl, settings: s, summary, .. } = report;
    let yes = |on: bool| if on { "yes" } else { "no" }.to_string();
    let changed = if app.dirty == Some(true) { " with changes" } else { "" };
    let commit = app.commit.as_ref().map(|commit| format!(", commit {commit}{changed}")).unwrap_or_default();
    let with_passes = if report.passes.is_some() { "; when effects are left out, glFinish" } else { "" };
    let hashes = format!(
        "{} (config {}, assets {}, shaders {})",
        s.scene_hash, s.hashes.config, s.hashes.assets, s.hashes.shaders
    );
    let all = [
        ("program", Some(format!("{} {}{commit}, {} build", app.name, app.version, app.profile))),
        ("renderer", Some(format!("{}, {}", gl.renderer, gl.vendor))),
        ("OpenGL", Some(format!("{}, GLSL {}, {}", gl.version, gl.glsl, gl.context))),
        ("processor", host.cpu.as_ref().map(|cpu| format!("{cpu}, {} threads", host.threads))),
        ("memory", host.mem_mib.map(|mib| format!("{} MiB", number(mib as f64)))),
        ("peak memory of the program", summary.peak_memory_mib.map(|mib| format!("{mib:.0} MiB"))),
        ("system", Some(format!("{}{}", host.os, host.kernel.as_ref().map(|k| format!(", {k}")).unwrap_or_default()))),
        ("load before", host.load_average.map(|load| format!("{load:.2}"))),
        ("CPU governor", host.governor.clone()),
        ("on battery", host.on_battery.map(yes)),
        ("frame ends by", Some(format!("{}{with_passes}", s.frame_end.words()))),
        ("drawn", Some(place(s).into())),
        (
            "world",
            Some(if s.pipelined { "moved on while a frame is drawn" } else { "moved on before each frame" }.into()),
        ),
        ("vsync", s.vsync.map(yes)),
        ("screen", s.refresh_hz.map(|hz| format!("{hz:.0} Hz"))),
        ("internal resolution", Some(format!("{:.0} %", s.render_scale * 100.0))),
        ("two eyes", (s.stereo != Stereo::Off.to_string()).then(|| s.stereo.clone())),
        ("changes", (!s.set.is_empty()).then(|| s.set.join(" "))),
        ("scene", Some(hashes)),
        ("again", (!s.live).then(|| command(report))),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

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

/// Place it was drawn in.
fn place(settings: &Settings) -> &'static str {
    match (settings.page, settings.offscreen) {
        (true, _) => "in a page of a browser",
        (_, true) => "off-screen",
        (_, false) => "in a window",
    }
}
