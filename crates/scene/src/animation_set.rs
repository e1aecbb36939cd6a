//! Choice of a model's clips for the gaits of an animal and the motions of a prop.

use life::{AnimalPose, Gait};
use model::{GAIT_CLIPS, Palette, PaletteClip, usual_clip};

/// Names of the clips of the other gaits; `clips` of [`SpeciesSettings`](crate::SpeciesSettings) documents them.
const OTHER: [(Gait, &str); 5] = [
    (Gait::Idle, GAIT_CLIPS[0]),
    (Gait::Burst, GAIT_CLIPS[1]),
    (Gait::TurnLeft, GAIT_CLIPS[2]),
    (Gait::TurnRight, GAIT_CLIPS[3]),
    (Gait::Feed, GAIT_CLIPS[4]),
];

/// Name of the clip of a thing that closes, such as a clam.
const CLOSE: &str = "close";

/// Phase of [`CLOSE`] at which the thing is closed. Range 0..1.
const CLOSED_AT: f32 = 0.58;

/// Phase of the turning clips at which the body bends most. Range 0..1.
const MIDDLE_OF_TURN: f32 = 0.42;

/// Greatest weight of a clip's stroke: joints turn about their pivots, so a body shown wider yet would stretch.
const WIDEST: f32 = 1.8;

/// The clips of one model, by gait.
#[derive(Clone, Debug, Default)]
pub(super) struct AnimationSet {
    usual: Option<PaletteClip>,
    idle: Option<PaletteClip>,
    burst: Option<PaletteClip>,
    turn_left: Option<PaletteClip>,
    turn_right: Option<PaletteClip>,
    feed: Option<PaletteClip>,
    /// Whether it is driven by wings, not by the tail.
    is_winged: bool,
}

/// Fractional rows of the palette for one instance. The rest pose takes the remaining weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PaletteRows {
    pub row: f32,
    /// Weight of `row`: 1 shows the row unchanged, less is nearer to the rest pose, more exaggerates it.
    pub row_weight: f32,
    /// Row of another clip, added to the first.
    pub blend_row: f32,
    /// Weight of `blend_row`.
    pub blend_weight: f32,
}

impl AnimationSet {
    /// The clips of a palette; which is the usual one, [`usual_clip`] says.
    pub fn of(palette: &Palette, is_winged: bool) -> Self {
        let named = |name: &str| palette.clips.iter().find(|clip| clip.name == name);
        let names: Vec<&str> = palette.clips.iter().map(|clip| clip.name.as_str()).collect();
        let usual = usual_clip(&names).map(|at| &palette.clips[at]);
        let of = |gait| OTHER.iter().find(|(other, _)| *other == gait).and_then(|(_, name)| named(name)).cloned();
        Self {
            usual: usual.cloned(),
            idle: of(Gait::Idle),
            burst: of(Gait::Burst),
            turn_left: of(Gait::TurnLeft),
            turn_right: of(Gait::TurnRight),
            feed: of(Gait::Feed),
            is_winged,
        }
    }

    /// Whether the usual clip has any motion.
    pub fn moves(&self) -> bool {
        self.usual.as_ref().is_some_and(|clip| clip.rows > 1)
    }

    /// Palette rows for the pose of an animal.
    pub fn animal_rows(&self, pose: &AnimalPose) -> PaletteRows {
        let (gait, motion) = (&pose.gait, &pose.motion);
        let stroke = |clip: &PaletteClip| {
            let sweep = if self.is_winged { clip.sweep.widest } else { clip.sweep.tail };
            (clip.row(motion.phase), share(motion.sweep, sweep))
        };
        let usual = self.usual.as_ref().map_or((0.0, 1.0), stroke);
        let shown = |of: Gait| match of {
            Gait::Cruise => None,
            Gait::Idle => self.idle.as_ref().map(|clip| {
                let rounds = motion.fin_strokes / clip.sweep.strokes.max(1) as f32;
                (clip.row(rounds), share(motion.fin_sweep, clip.sweep.widest))
            }),
            Gait::Burst => self.burst.as_ref().map(stroke),
            Gait::TurnLeft => self.turn_left.as_ref().map(|clip| (clip.row(MIDDLE_OF_TURN), 1.0)),
            Gait::TurnRight => self.turn_right.as_ref().map(|clip| (clip.row(MIDDLE_OF_TURN), 1.0)),
            // It plays once and stays at its end.
            Gait::Feed => self.feed.as_ref().map(|clip| (clip.row(gait.feed_progress.min(0.9999)), 1.0)),
        };
        let (row, weight) = shown(gait.base).unwrap_or(usual);
        let (blend, taken) = match gait.blend {
            Gait::Cruise | Gait::Idle | Gait::Burst => (Some(shown(gait.blend).unwrap_or(usual)), gait.weight),
            Gait::Feed => (shown(gait.blend), gait.weight),
            // Wings beat on in a curve.
            Gait::TurnLeft | Gait::TurnRight => (shown(gait.blend), 0.0),
        };
        match blend {
            Some((blend_row, blend_weight)) if blend_row != row => PaletteRows {
                row,
                row_weight: weight * (1.0 - taken),
                blend_row,
                blend_weight: blend_weight * gait.weight,
            },
            _ => PaletteRows { row, row_weight: weight, ..PaletteRows::default() },
        }
    }

    /// Palette rows of a prop. It plays its usual clip, `offset` (0..1) of it ahead of the others. A prop with the clip
    /// [`CLOSE`] closes as `alarm` goes to 1.
    pub fn prop_rows(&self, offset: f32, alarm: f32, time_s: f64) -> PaletteRows {
        let Some(clip) = &self.usual else { return PaletteRows::default() };
        let row = clip.row(cycle(clip, time_s) + offset);
        match clip.name == CLOSE && alarm > 0.0 {
            true => PaletteRows {
                row,
                row_weight: 1.0 - alarm.min(1.0),
                blend_row: clip.row(CLOSED_AT),
                blend_weight: alarm.min(1.0),
            },
            false => PaletteRows { row, row_weight: 1.0, ..PaletteRows::default() },
        }
    }
}

/// Weight at which a clip of the sweep `own` shows the sweep `wanted` (both in body lengths); 1 for a clip that was not
/// measured.
fn share(wanted: f32, own: f32) -> f32 {
    if own > 0.0 { (wanted / own).min(WIDEST) } else { 1.0 }
}

/// Phase at a time of a clip that plays over and over, 0..1.
fn cycle(clip: &PaletteClip, time_s: f64) -> f32 {
    (time_s / f64::from(clip.duration_s)).fract() as f32
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};
    use life::{GaitBlend, Motion};
    use model::{Sweep, USUAL_CLIPS};

    use super::*;
    use crate::SpeciesSettings;

    fn palette(names: &[&str]) -> Palette {
        let clip = |(i, name): (usize, &&str)| PaletteClip {
            name: (*name).into(),
            first_row: 11 * i as u32,
            rows: 10,
            duration_s: 2.0,
            sweep: Sweep { tail: 0.2, widest: 0.4, strokes: 2 },
        };
        Palette {
            joints: 2,
            rows: 11 * names.len() as u32,
            clips: names.iter().enumerate().map(clip).collect(),
            ..Palette::default()
        }
    }

    fn pose(base: Gait, blend: Gait, weight: f32) -> AnimalPose {
        AnimalPose {
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            length_m: 1.0,
            motion: Motion { phase: 0.3, fin_strokes: 1.5, sweep: 0.2, fin_sweep: 0.4, bend: [0.0; 2] },
            gait: GaitBlend { base, blend, weight, feed_progress: 0.5 },
            tint: Vec3::ONE,
            variation: 0.25,
            morph_weight: 0.0,
        }
    }

    #[test]
    fn the_documentation_of_clips_names_them_all() {
        let schema = serde_json::to_value(schemars::schema_for!(SpeciesSettings)).expect("a schema is JSON");
        let text = schema["properties"]["clips"]["description"].as_str().expect("it has one");
        let names = USUAL_CLIPS.into_iter().chain(OTHER.map(|(_, name)| name)).filter(|name| *name != CLOSE);
        names.for_each(|name| assert!(text.contains(&format!("`{name}`")), "{name}"));
    }

    #[test]
    fn each_gait_plays_the_clip_of_its_name() {
        let all = AnimationSet::of(&palette(&["idle", "flap", "burst", "turn_left", "turn_right", "feed"]), false);
        let row = |gait| all.animal_rows(&pose(gait, gait, 0.0)).row;
        assert_eq!(row(Gait::Cruise), 11.0 + 3.0, "by the stroke");
        assert_eq!(row(Gait::Idle), 0.0 + 7.5, "by the strokes of the fins, two of which are in it");
        assert_eq!(row(Gait::Burst), 22.0 + 3.0, "in step with cruising");
        let turning = all.animal_rows(&pose(Gait::Cruise, Gait::TurnRight, 0.4));
        let beside = PaletteRows { row: 14.0, row_weight: 1.0, blend_row: 44.0 + 4.2, blend_weight: 0.4 };
        assert_eq!(turning, beside, "wings beat on in a curve");
        assert_eq!(
            all.animal_rows(&pose(Gait::Idle, Gait::Feed, 1.0)),
            PaletteRows { row: 7.5, row_weight: 0.0, blend_row: 60.0, blend_weight: 1.0 }
        );
    }

    #[test]
    fn a_clip_is_shown_as_wide_as_the_animal_strokes() {
        let clips = palette(&["idle", "swim", "burst"]);
        let weight = |is_winged, gait, sweep, fin_sweep| {
            let mut pose = pose(gait, gait, 0.0);
            (pose.motion.sweep, pose.motion.fin_sweep) = (sweep, fin_sweep);
            AnimationSet::of(&clips, is_winged).animal_rows(&pose).row_weight
        };
        assert_eq!(weight(false, Gait::Cruise, 0.1, 9.0), 0.5, "by the tail");
        assert_eq!(weight(true, Gait::Burst, 0.1, 9.0), 0.25, "by the wings");
        assert_eq!(weight(false, Gait::Idle, 9.0, 0.3), 0.75, "by the fins");
        assert_eq!(weight(false, Gait::Cruise, 9.0, 9.0), WIDEST, "and no wider than a body may go");
    }

    #[test]
    fn what_has_no_clip_of_its_own_is_shown_by_the_usual_one() {
        for names in [&["a", "b"][..], &["swim"], &["burst", "swim"]] {
            let some = AnimationSet::of(&palette(names), false);
            let first = if names.len() == 2 && names[1] == "swim" { 11.0 } else { 0.0 };
            for base in [Gait::Cruise, Gait::Idle] {
                for blend in [Gait::Cruise, Gait::Idle, Gait::TurnLeft, Gait::Feed] {
                    assert_eq!(
                        some.animal_rows(&pose(base, blend, 0.5)),
                        PaletteRows { row: first + 3.0, row_weight: 1.0, ..PaletteRows::default() },
                        "{names:?} {base:?} {blend:?}"
                    );
                }
            }
        }
        assert_eq!(
            AnimationSet::of(&Palette::default(), false).animal_rows(&pose(Gait::Burst, Gait::Idle, 0.5)),
            PaletteRows { row_weight: 1.0, ..PaletteRows::default() }
        );
    }

    #[test]
    fn only_what_can_close_closes() {
        let [clam, weed] = ["close", "swim"].map(|name| AnimationSet::of(&palette(&[name]), false));
        assert_eq!(
            clam.prop_rows(0.0, 1.0, 0.5),
            PaletteRows { row: 2.5, row_weight: 0.0, blend_row: 10.0 * 0.58, blend_weight: 1.0 }
        );
        assert_eq!(clam.prop_rows(0.0, 0.0, 0.5).blend_weight, 0.0);
        assert_eq!(weed.prop_rows(0.0, 1.0, 0.5).blend_weight, 0.0);
        assert!(clam.moves() && !AnimationSet::default().moves());
    }
}
