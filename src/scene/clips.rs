//! The clips of a model by what an animal does.

use crate::life::{Gait, Pose};
use crate::model::{Palette, PaletteClip};

/// Names of the clip that shows how something usually moves, the first found counts.
const USUAL: [&str; 6] = ["swim", "cruise", "flap", "pulse", "crawl", "close"];

/// Names of the clips for what else it may do.
const OTHER: [(Gait, &str); 5] = [
    (Gait::Idle, "idle"),
    (Gait::Burst, "burst"),
    (Gait::TurnLeft, "turn_left"),
    (Gait::TurnRight, "turn_right"),
    (Gait::Feed, "feed"),
];

/// The clip of a thing that shuts, and where in it it is shut.
const SHUT: (&str, f32) = ("close", 0.58);

/// Where the clips of turning bend most.
const MIDDLE_OF_TURN: f32 = 0.42;

/// Which clip shows which way of moving.
#[derive(Clone, Debug, Default)]
pub(super) struct Repertoire {
    usual: Option<PaletteClip>,
    idle: Option<PaletteClip>,
    burst: Option<PaletteClip>,
    turns: [Option<PaletteClip>; 2],
    feed: Option<PaletteClip>,
}

/// Fractional rows of the palette: one, another laid over it, and the other's share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rows {
    pub row: f32,
    pub over: f32,
    pub share: f32,
}

impl Repertoire {
    /// The clips of a palette; the usual one is the first that is nothing else if none has its name.
    pub fn of(palette: &Palette) -> Self {
        let named = |name: &str| palette.clips.iter().find(|clip| clip.name == name);
        let is_other = |clip: &PaletteClip| OTHER.iter().any(|(_, name)| *name == clip.name);
        let usual = USUAL.iter().find_map(|name| named(name));
        let usual = usual.or_else(|| palette.clips.iter().find(|clip| !is_other(clip))).or(palette.clips.first());
        let of = |gait| OTHER.iter().find(|(own, _)| *own == gait).and_then(|(_, name)| named(name)).cloned();
        Self {
            usual: usual.cloned(),
            idle: of(Gait::Idle),
            burst: of(Gait::Burst),
            turns: [of(Gait::TurnLeft), of(Gait::TurnRight)],
            feed: of(Gait::Feed),
        }
    }

    /// Whether anything in it moves.
    pub fn moves(&self) -> bool {
        self.usual.as_ref().is_some_and(|clip| clip.rows > 1)
    }

    /// The rows of an animal at `time_s` of the scene.
    pub fn rows(&self, pose: &Pose, time_s: f64) -> Rows {
        let motion = &pose.motion;
        let usual = self.usual.as_ref().map_or(0.0, |clip| clip.row(pose.phase));
        let row = |gait| match gait {
            Gait::Cruise => None,
            // Everyone rests in its own time.
            Gait::Idle => self.idle.as_ref().map(|clip| clip.row(cycle(clip, time_s) + pose.variation)),
            Gait::Burst => self.burst.as_ref().map(|clip| clip.row(pose.phase)),
            Gait::TurnLeft => self.turns[0].as_ref().map(|clip| clip.row(MIDDLE_OF_TURN)),
            Gait::TurnRight => self.turns[1].as_ref().map(|clip| clip.row(MIDDLE_OF_TURN)),
            // Once through, not round: at its end it stays.
            Gait::Feed => self.feed.as_ref().map(|clip| clip.row(motion.snap.min(0.9999))),
        };
        let base = row(motion.base).unwrap_or(usual);
        let over = match motion.over {
            Gait::Cruise | Gait::Idle | Gait::Burst => Some(row(motion.over).unwrap_or(usual)),
            Gait::TurnLeft | Gait::TurnRight | Gait::Feed => row(motion.over),
        };
        match over {
            Some(over) if over != base => Rows { row: base, over, share: motion.share },
            _ => Rows { row: base, ..Rows::default() },
        }
    }

    /// The rows of a thing that stands: through its usual clip, `own` (0..1) of it ahead of the others. What can shut is
    /// shut as `alarm` goes to 1.
    pub fn standing(&self, own: f32, alarm: f32, time_s: f64) -> Rows {
        let Some(clip) = &self.usual else { return Rows::default() };
        let row = clip.row(cycle(clip, time_s) + own);
        match clip.name == SHUT.0 && alarm > 0.0 {
            true => Rows { row, over: clip.row(SHUT.1), share: alarm.min(1.0) },
            false => Rows { row, ..Rows::default() },
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
    use crate::life::Motion;

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

    fn pose(base: Gait, over: Gait, share: f32) -> Pose {
        Pose {
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            length_m: 1.0,
            phase: 0.3,
            motion: Motion { base, over, share, snap: 0.5 },
            tint: Vec3::ONE,
            variation: 0.25,
        }
    }

    #[test]
    fn each_gait_plays_the_clip_of_its_name() {
        let all = Repertoire::of(&palette(&["idle", "flap", "burst", "turn_left", "turn_right", "feed"]));
        let row = |gait| all.rows(&pose(gait, gait, 0.0), 1.0).row;
        assert_eq!(row(Gait::Cruise), 11.0 + 3.0, "by the distance");
        assert_eq!(row(Gait::Idle), 0.0 + 7.5, "by the time, everyone in its own");
        assert_eq!(row(Gait::Burst), 22.0 + 3.0, "in step with cruising");
        let turning = all.rows(&pose(Gait::Cruise, Gait::TurnRight, 0.4), 1.0);
        assert_eq!(turning, Rows { row: 14.0, over: 44.0 + 4.2, share: 0.4 });
        assert_eq!(all.rows(&pose(Gait::Idle, Gait::Feed, 1.0), 1.0), Rows { row: 7.5, over: 60.0, share: 1.0 });
    }

    #[test]
    fn what_has_no_clip_of_its_own_is_shown_by_the_usual_one() {
        for names in [&["a", "b"][..], &["swim"], &["burst", "swim"]] {
            let some = Repertoire::of(&palette(names));
            let first = if names.len() == 2 && names[1] == "swim" { 11.0 } else { 0.0 };
            for base in [Gait::Cruise, Gait::Idle] {
                for over in [Gait::Cruise, Gait::Idle, Gait::TurnLeft, Gait::Feed] {
                    let rows = some.rows(&pose(base, over, 0.5), 7.0);
                    assert_eq!(rows, Rows { row: first + 3.0, over: 0.0, share: 0.0 }, "{names:?} {base:?} {over:?}");
                }
            }
        }
        assert_eq!(Repertoire::of(&Palette::default()).rows(&pose(Gait::Burst, Gait::Idle, 0.5), 1.0), Rows::default());
    }

    #[test]
    fn only_what_can_shut_shuts() {
        let [clam, weed] = ["close", "swim"].map(|name| Repertoire::of(&palette(&[name])));
        assert_eq!(clam.standing(0.0, 1.0, 0.5), Rows { row: 2.5, over: 10.0 * 0.58, share: 1.0 });
        assert_eq!(clam.standing(0.0, 0.0, 0.5).share, 0.0);
        assert_eq!(weed.standing(0.0, 1.0, 0.5).share, 0.0);
        assert!(clam.moves() && !Repertoire::default().moves());
    }
}
