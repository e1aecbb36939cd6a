//! Messages about frames and quality, in the person's language.

use render::FrameStats;
use render::governor::{Decision, QualityLevel, Reason};

use crate::frame_times::Limit;
use crate::running::RunningDemo;

impl RunningDemo {
    /// The text of the panel that F3 shows.
    pub(super) fn statistics(&self, fps: f64, stats: &FrameStats) -> String {
        let messages = self.messages();
        let number = |number: f64| format!("{number:6.1}").into();
        let ms = format!("{:8.1}", 1000.0 / fps).into();
        let mut lines = vec![messages.format("frame-rate", &[("fps", number(fps)), ("ms", ms)])];
        let count = |count: u64| format!("{count:6}").into();
        let (draws, triangles, visible) =
            (count(stats.draws.into()), count(stats.triangles / 1000), count(stats.visible.into()));
        let counts = [("draws", draws), ("triangles", triangles), ("visible", visible)];
        lines.push(messages.format("frame-counts", &counts));
        if let Some((median, p99)) = self.history.spread() {
            let values = [("median", number(median)), ("p99", format!("{p99:.1}").into())];
            lines.push(messages.format("frame-spread", &values));
        }
        if let Some(sides) = self.history.sides() {
            let beside = format!("{:.1}", sides.beside_ms).into();
            lines.push(messages.format("frame-world", &[("ms", number(sides.world_ms)), ("beside", beside)]));
            lines.push(messages.format("frame-submit", &[("ms", number(sides.submit_ms))]));
        }
        let water = &self.session.config.scene.water;
        let metres = |metres: f32| format!("{metres:6.1}").into();
        let seen =
            [("visibility", metres(water.black_disc_m())), ("secchi", metres(self.frame.daylight.secchi_m(water)))];
        lines.push(messages.format("frame-sight", &seen));
        if let Some(speed) = self.history.slowed_to() {
            lines.push(messages.format("frame-slow-motion", &[("percent", number(100.0 * speed))]));
        }
        if let Some(stage) = &self.stage {
            lines.push(stage.screen().device().brief());
            match self.history.gpu_median() {
                Some(gpu) => lines.push(messages.format("frame-gpu", &[("ms", number(gpu))])),
                None if stage.screen().device().software => {
                    lines.push(messages.format("frame-no-gpu", &[("ms", format!("{:>6}", "-").into())]));
                }
                None => {}
            }
            let mib = format!("{:6}", stage.screen().gl().memory() >> 20);
            lines.push(messages.format("frame-memory", &[("mib", mib.into())]));
            if let Some(limit) = self.history.limit() {
                lines.push(messages.get(limit_text(limit, stage.screen().device().software)));
            }
            if let Some(target) = stage.target_ms() {
                let (level, target) = (self.level(stage.level()), format!("{target:.1}"));
                lines.push(messages.format("frame-held", &[("level", level.into()), ("target", target.into())]));
            }
        }
        lines.join("\n")
    }

    /// Message about a change of quality and its reason.
    pub(super) fn quality_changed(&self, decision: &Decision) -> String {
        let Decision { level, reason, load_ms, target_ms } = *decision;
        let (load, target) = (format!("{load_ms:.1}"), format!("{target_ms:.1}"));
        let values = [("level", self.level(level).into()), ("load", load.into()), ("target", target.into())];
        let id = match reason {
            Reason::TooSlow => "quality-too-slow",
            Reason::Headroom => "quality-headroom",
            Reason::NotHeld => "quality-not-held",
            Reason::CpuBound => "quality-cpu-bound",
        };
        self.messages().format(id, &values)
    }

    fn level(&self, level: QualityLevel) -> String {
        let (quality, percent) = (level.quality.to_string(), format!("{:.0}", level.scale * 100.0));
        self.messages().format("quality-level", &[("quality", quality.into()), ("percent", percent.into())])
    }
}

/// Message about what limits the frame rate. A software renderer draws inside submitting, or is waited for.
fn limit_text(limit: Limit, is_software: bool) -> &'static str {
    match limit {
        Limit::Submit | Limit::Driver if is_software => "limit-software",
        Limit::World => "limit-world",
        Limit::Submit => "limit-submit",
        Limit::Gpu => "limit-gpu",
        Limit::Driver => "limit-driver",
        Limit::Screen => "limit-screen",
    }
}
