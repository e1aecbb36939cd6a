//! Facts that another person needs to repeat a result.

use render::Stereo;

use crate::command::command;
use crate::html::plot::number;
use crate::report::{Report, Settings};

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

/// Place it was drawn in.
fn place(settings: &Settings) -> &'static str {
    match (settings.page, settings.offscreen) {
        (true, _) => "in a page of a browser",
        (_, true) => "off-screen",
        (_, false) => "in a window",
    }
}
