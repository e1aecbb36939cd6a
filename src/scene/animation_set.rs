//! Which clips of a model show what an animal or a thing does.

use crate::life::{AnimalPose, Gait};
use crate::model::{Palette, PaletteClip};

/// Names of the clip that shows how something usually moves; the first that is found counts. Those of animals are told
/// to users by `clips` of [`SpeciesSettings`](crate::life::SpeciesSettings).
const USUAL: [&str; 6] = ["swim", "cruise", "flap", "pulse", "crawl", "close"];

/// Names of the clips for what else it may do.
const OTHER: [(Gait, &str); 5] = [
    (Gait::Idle, "idle"),
    (Gait::Burst, "burst"),
    (Gait::TurnLeft, "turn_left"),
    (Gait::TurnRight, "turn_right"),
    (Gait::Feed, "feed"),
];

/// Name of the clip of a thing that closes, such as a clam.
const CLOSE: &str = "close";

/// Where in [`CLOSE`] it is closed. Range 0..1.
const CLOSED_AT: f32 = 0.58;

/// Where in the clips of turning the body bends most. Range 0..1.
const MIDDLE_OF_TURN: f32 = 0.42;

/// The clips of one model, by what they show.
#[derive(Clone, Debug, Default)]
pub(super) struct AnimationSet {
    usual: Option<PaletteClip>,
    idle: Option<PaletteClip>,
    burst: Option<PaletteClip>,
    turn_left: Option<PaletteClip>,
    turn_right: Option<PaletteClip>,
    feed: Option<PaletteClip>,
}

/// Fractional rows of the palette for one instance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PaletteRows {
    pub row: f32,
    /// A row of another clip that is blended with the first.
    pub blend_row: f32,
    /// Weight of `blend_row`, 0..=1.
    pub blend_weight: f32,
}

impl AnimationSet {
    /// The clips of a palette. Where none has a usual name, the usual clip is the first that shows nothing else.
    pub fn of(palette: &Palette) -> Self {
        let named = |name: &str| palette.clips.iter().find(|clip| clip.name == name);
        let is_other = |clip: &PaletteClip| OTHER.iter().any(|(_, name)| *name == clip.name);
        let usual = USUAL.iter().find_map(|name| named(name));
        let usual = usual.or_else(|| palette.clips.iter().find(|clip| !is_other(clip))).or(palette.clips.first());
        let of = |gait| OTHER.iter().find(|(other, _)| *other == gait).and_then(|(_, name)| named(name)).cloned();
        Self {
            usual: usual.cloned(),
            idle: of(Gait::Idle),
            burst: of(Gait::Burst),
            turn_left: of(Gait::TurnLeft),
            turn_right: of(Gait::TurnRight),
            feed: of(Gait::Feed),
        }
    }

    /// Whether anything in it moves.
    pub fn moves(&self) -> bool {
        self.usual.as_ref().is_some_and(|clip| clip.rows > 1)
    }

    /// The rows of an animal at `time_s` of the scene.
    pub fn animal_rows(&self, pose: &AnimalPose, time_s: f64) -> PaletteRows {
        let gait = &pose.gait;
        let usual = self.usual.as_ref().map_or(0.0, |clip| clip.row(pose.phase));
        let row = |of: Gait| match of {
            Gait::Cruise => None,
            // Everyone rests in its own time.
            Gait::Idle => self.idle.as_ref().map(|clip| clip.row(cycle(clip, time_s) + pose.variation)),
            Gait::Burst => self.burst.as_ref().map(|clip| clip.row(pose.phase)),
            Gait::TurnLeft => self.turn_left.as_ref().map(|clip| clip.row(MIDDLE_OF_TURN)),
            Gait::TurnRight => self.turn_right.as_ref().map(|clip| clip.row(MIDDLE_OF_TURN)),
            // It plays once and stays at its end.
            Gait::Feed => self.feed.as_ref().map(|clip| clip.row(gait.feed_progress.min(0.9999))),
        };
        let base = row(gait.base).unwrap_or(usual);
        let blend = match gait.blend {
            Gait::Cruise | Gait::Idle | Gait::Burst => Some(row(gait.blend).unwrap_or(usual)),
            Gait::TurnLeft | Gait::TurnRight | Gait::Feed => row(gait.blend),
        };
        match blend {
            Some(blend) if blend != base => PaletteRows { row: base, blend_row: blend, blend_weight: gait.weight },
            _ => PaletteRows { row: base, ..PaletteRows::default() },
        }
    }

    /// The rows of a thing that stays in its place. It plays its usual clip, `offset` (0..1) of it ahead of the others.
    /// What can close is closed as `alarm` goes to 1.
    pub fn prop_rows(&self, offset: f32, alarm: f32, time_s: f64) -> PaletteRows {
        let Some(clip) = &self.usual else { return PaletteRows::default() };
        let row = clip.row(cycle(clip, time_s) + offset);
        match clip.name == CLOSE && alarm > 0.0 {
            true => PaletteRows { row, blend_row: clip.row(CLOSED_AT), blend_weight: alarm.min(1.0) },
            false => PaletteRows { row, ..PaletteRows::default() },
        }
    }
}

/// How far through a clip a time is that plays it over and over, 0..1.
fn cycle(clip: &PaletteClip, time_s: f64) -> f32 {
    (time_s / f64::from(clip.duration_s)).fract() as f32
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::life::{GaitBlend, SpeciesSettings};

    fn palette(names: &[&str]) -> Palette {
        let clip = |(i, name): (usize, &&str)| PaletteClip {
            name: (*name).into(),
            first_row: 11 * i as u32,
            rows: 10,
            duration_s: 2.0,
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
            phase: 0.3,
            gait: GaitBlend { base, blend, weight, feed_progress: 0.5 },
            tint: Vec3::ONE,
            variation: 0.25,
        }
    }

    #[test]
    fn the_documentation_of_clips_names_them_all() {
        let schema = serde_json::to_value(schemars::schema_for!(SpeciesSettings)).expect("a schema is JSON");
        let text = schema["properties"]["clips"]["description"].as_str().expect("it has one");
        let names = USUAL.into_iter().chain(OTHER.map(|(_, name)| name)).filter(|name| *name != CLOSE);
        names.for_each(|name| assert!(text.contains(&format!("`{name}`")), "{name}"));
    }

    #[test]
    fn each_gait_plays_the_clip_of_its_name() {
        let all = AnimationSet::of(&palette(&["idle", "flap", "burst", "turn_left", "turn_right", "feed"]));
        let row = |gait| all.animal_rows(&pose(gait, gait, 0.0), 1.0).row;
        assert_eq!(row(Gait::Cruise), 11.0 + 3.0, "by the distance");
        assert_eq!(row(Gait::Idle), 0.0 + 7.5, "by the time, everyone in its own");
        assert_eq!(row(Gait::Burst), 22.0 + 3.0, "in step with cruising");
        let turning = all.animal_rows(&pose(Gait::Cruise, Gait::TurnRight, 0.4), 1.0);
        assert_eq!(turning, PaletteRows { row: 14.0, blend_row: 44.0 + 4.2, blend_weight: 0.4 });
        assert_eq!(
            all.animal_rows(&pose(Gait::Idle, Gait::Feed, 1.0), 1.0),
            PaletteRows { row: 7.5, blend_row: 60.0, blend_weight: 1.0 }
        );
    }

    #[test]
    fn what_has_no_clip_of_its_own_is_shown_by_the_usual_one() {
        for names in [&["a", "b"][..], &["swim"], &["burst", "swim"]] {
            let some = AnimationSet::of(&palette(names));
            let first = if names.len() == 2 && names[1] == "swim" { 11.0 } else { 0.0 };
            for base in [Gait::Cruise, Gait::Idle] {
                for blend in [Gait::Cruise, Gait::Idle, Gait::TurnLeft, Gait::Feed] {
                    let rows = some.animal_rows(&pose(base, blend, 0.5), 7.0);
                    assert_eq!(
                        rows,
                        PaletteRows { row: first + 3.0, blend_row: 0.0, blend_weight: 0.0 },
                        "{names:?} {base:?} {blend:?}"
                    );
                }
            }
        }
        assert_eq!(
            AnimationSet::of(&Palette::default()).animal_rows(&pose(Gait::Burst, Gait::Idle, 0.5), 1.0),
            PaletteRows::default()
        );
    }

    #[test]
    fn only_what_can_close_closes() {
        let [clam, weed] = ["close", "swim"].map(|name| AnimationSet::of(&palette(&[name])));
        assert_eq!(clam.prop_rows(0.0, 1.0, 0.5), PaletteRows { row: 2.5, blend_row: 10.0 * 0.58, blend_weight: 1.0 });
        assert_eq!(clam.prop_rows(0.0, 0.0, 0.5).blend_weight, 0.0);
        assert_eq!(weed.prop_rows(0.0, 1.0, 0.5).blend_weight, 0.0);
        assert!(clam.moves() && !AnimationSet::default().moves());
    }
}
