//! Which way of moving an animal shows: it cruises, rests, sprints, bends into its curves and snaps at food.
//!
//! What is shown is always one way of moving with another laid over it by a share. Either of the two changes only while
//! its share is nothing, so that no pose ever jumps: to go over from one to the next, the next is laid over the first
//! until the first is gone. Curves are laid over by how much the body bends in them.

use crate::life::{Behaviour, STEP_S};

/// Time in which one way of moving gives way to the next. Unit: s.
const BLEND_S: f32 = 0.3;

/// The same for a sprint: a frightened fish does not wait. Unit: s.
const ALARMED_BLEND_S: f32 = 0.14;

/// Time that an animal keeps to a gait at least. Unit: s.
const LEAST_S: f32 = 0.4;

/// Bend of the body from which a curve shows, and that at which it no longer does. Unit: rad over the whole length.
const BEND_RAD: [f32; 2] = [0.25, 0.14];

/// Bend that the clips of turning show in the middle. Unit: rad over the whole length.
const FULL_BEND_RAD: f32 = 1.2;

/// The most of a turning clip: the tail beats on in a curve.
const MOST_BEND: f32 = 0.8;

/// A way of moving, for which a model may have a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gait {
    /// Steady swimming, rowing, flapping or pulsing; its phase goes with the distance.
    #[default]
    Cruise,
    /// Hanging in the water or lying on the ground: it goes with time.
    Idle,
    /// A sprint; it shares the phase of [`Self::Cruise`].
    Burst,
    /// A bend to the left, greatest in the middle of its clip.
    TurnLeft,
    /// A bend to the right.
    TurnRight,
    /// A snap at food, once through.
    Feed,
}

/// How an animal moves at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// What it does mainly.
    pub base: Gait,
    /// What is laid over that.
    pub over: Gait,
    /// Share of `over`, 0..=1.
    pub share: f32,
    /// How far [`Gait::Feed`] has gone, 0..=1.
    pub snap: f32,
}

/// What decides an animal's gait, at one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signs {
    pub behaviour: Behaviour,
    /// Speed over that of cruising.
    pub speed: f32,
    /// How much faster it wants to be, over the speed of cruising.
    pub push: f32,
    /// What is left of a fright, 0..=1.
    pub alarm: f32,
    /// Bend of the body in its curve, positive to the left. Unit: rad over the whole length.
    pub bend: f32,
    /// Unit: m.
    pub length: f32,
}

/// An animal's gait and what it goes over to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moves {
    base: Gait,
    over: Gait,
    share: f32,
    /// What the last step added to `share`.
    share_step: f32,
    /// The gait it is in or bound for: [`Gait::Cruise`], [`Gait::Idle`] or [`Gait::Burst`].
    bound: Gait,
    /// Since `bound` changed. Unit: s.
    since: f32,
    /// Whether it snaps at something or is about to.
    is_snapping: bool,
    snap: f32,
    snap_step: f32,
    /// Until it next snaps. Unit: s.
    hunger: f32,
    /// For its own times of feeding.
    seed: u32,
}

impl Moves {
    /// Those of a new animal; `seed` sets when it feeds.
    pub fn new(behaviour: Behaviour, seed: u32) -> Self {
        let gait = if behaviour == Behaviour::Still { Gait::Idle } else { Gait::Cruise };
        let mut moves = Self { base: gait, over: gait, bound: gait, since: LEAST_S, seed, ..Self::default() };
        moves.hunger = moves.next_hunger(behaviour);
        moves
    }

    /// Moves on by one step.
    pub fn advance(&mut self, signs: &Signs) {
        self.since += STEP_S;
        let bound = self.bound_for(signs);
        if bound != self.bound {
            (self.bound, self.since) = (bound, 0.0);
        }
        self.feed(signs);
        if self.share >= 1.0 && self.over == self.bound {
            (self.base, self.share) = (self.over, 0.0);
        }
        let (over, target) = self.wanted_over(signs);
        if self.share <= 0.0 {
            self.over = over;
        }
        let target = if self.over == over { target } else { 0.0 };
        let most = STEP_S / if self.bound == Gait::Burst { ALARMED_BLEND_S } else { BLEND_S };
        self.share_step = (target - self.share).clamp(-most, most);
        self.share = (self.share + self.share_step).clamp(0.0, 1.0);
    }

    /// What is to be laid over the base, and how much of it.
    fn wanted_over(&self, signs: &Signs) -> (Gait, f32) {
        if self.bound != self.base {
            return (self.bound, 1.0);
        }
        if self.is_snapping {
            return (Gait::Feed, if self.snap < 0.75 { 1.0 } else { 0.0 });
        }
        let side = if signs.bend > 0.0 { Gait::TurnLeft } else { Gait::TurnRight };
        let is_turning = self.over == side && self.share > 0.0;
        let least = BEND_RAD[usize::from(is_turning)];
        let excess = (signs.bend.abs() - BEND_RAD[1]).max(0.0);
        match signs.bend.abs() > least && signs.behaviour.has_nose() {
            true => (side, (excess / FULL_BEND_RAD).min(MOST_BEND)),
            false => (self.over, 0.0),
        }
    }

    /// The gait that fits, with what it takes to leave the present one.
    fn bound_for(&self, signs: &Signs) -> Gait {
        match signs.behaviour {
            Behaviour::Still => return Gait::Idle,
            Behaviour::Drifter => return Gait::Cruise,
            _ => {}
        }
        if signs.alarm > 0.3 {
            return Gait::Burst;
        }
        if self.since < LEAST_S {
            return self.bound;
        }
        let wanted = signs.speed + signs.push;
        let (is_resting, is_sprinting) = (self.bound == Gait::Idle, self.bound == Gait::Burst);
        let [speed, push] = if is_sprinting { [1.45, 0.25] } else { [1.9, 0.75] };
        if signs.speed > speed || signs.push > push || (is_sprinting && signs.alarm > 0.1) {
            return Gait::Burst;
        }
        let [speed, wish] = if is_resting { [0.55, 0.6] } else { [0.35, 0.4] };
        if signs.speed < speed && wanted < wish { Gait::Idle } else { Gait::Cruise }
    }

    /// Gets hungry, and snaps.
    fn feed(&mut self, signs: &Signs) {
        self.snap_step = 0.0;
        let is_shown = self.over == Gait::Feed && self.share > 0.0;
        if self.is_snapping {
            // The clip begins when it shows.
            if self.over == Gait::Feed {
                self.snap_step = (STEP_S / (0.7 + 0.6 * signs.length.sqrt())).min(1.0 - self.snap);
                self.snap += self.snap_step;
            }
            let is_over = self.snap >= 1.0 && self.share <= 0.0;
            // In a fright it forgets about food, and its mouth stays as it is until that no longer shows.
            self.is_snapping = !is_over && self.bound == self.base && self.bound != Gait::Burst;
            return;
        }
        if !is_shown {
            self.snap = 0.0;
        }
        if is_shown || self.bound == Gait::Burst || signs.behaviour == Behaviour::Drifter {
            return;
        }
        // Reef fish pick where they stop, the others as they come by.
        if signs.behaviour != Behaviour::Reef || self.bound == Gait::Idle {
            self.hunger -= STEP_S;
        }
        if self.hunger <= 0.0 {
            self.is_snapping = true;
            self.hunger = self.next_hunger(signs.behaviour);
        }
    }

    /// Time until the next snap. Unit: s.
    fn next_hunger(&mut self, behaviour: Behaviour) -> f32 {
        // Weyl sequence through a hash (the finaliser of MurmurHash3).
        self.seed = self.seed.wrapping_add(0x9e37_79b9);
        let mut bits = self.seed;
        bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
        bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
        let share = ((bits ^ (bits >> 16)) >> 8) as f32 / (1 << 24) as f32;
        let mean = match behaviour {
            Behaviour::Reef => 5.0,
            Behaviour::Still => 9.0,
            Behaviour::School => 25.0,
            Behaviour::Cruiser | Behaviour::Drifter => 40.0,
        };
        mean * (0.4 + 1.2 * share)
    }

    /// Whether it is feeding.
    pub fn is_feeding(&self) -> bool {
        self.is_snapping && self.snap > 0.0
    }

    /// What shows `alpha` (0..=1) of the way from the last step but one to the last.
    pub fn motion(&self, alpha: f32) -> Motion {
        let ago = 1.0 - alpha;
        let share = (self.share - self.share_step * ago).clamp(0.0, 1.0);
        Motion {
            base: self.base,
            over: self.over,
            share: math::ease(share),
            snap: (self.snap - self.snap_step * ago).clamp(0.0, 1.0),
        }
    }

    /// Everything that differs, for a hash.
    pub fn parts(&self) -> [f32; 4] {
        [self.share, self.snap, self.hunger, (8 * self.base as u8 + self.over as u8) as f32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cruising() -> Signs {
        Signs { behaviour: Behaviour::School, speed: 1.0, push: 0.0, alarm: 0.0, bend: 0.0, length: 0.2 }
    }

    /// Runs `seconds` of `signs(time)` and gives every motion, asserting that each follows smoothly from the last.
    fn run(moves: &mut Moves, seconds: f32, signs: impl Fn(f32) -> Signs) -> Vec<Motion> {
        let mut all: Vec<Motion> = Vec::new();
        for step in 0..(seconds / STEP_S) as usize {
            let before = moves.motion(1.0);
            moves.advance(&signs(step as f32 * STEP_S));
            // From step to step the two ends meet: the same pose, however it is written.
            assert!(is_same_pose(&before, &moves.motion(0.0)), "{before:?} then {:?}", moves.motion(0.0));
            for alpha in [0.0, 0.5, 1.0] {
                let now = moves.motion(alpha);
                if let Some(last) = all.last() {
                    let jump = weight_change(last, &now);
                    assert!(jump < 0.15, "{last:?} then {now:?}");
                }
                all.push(now);
            }
        }
        all
    }

    /// Shares of the six ways of moving.
    fn weights(motion: &Motion) -> [f32; 6] {
        let mut weights = [0.0; 6];
        weights[motion.base as usize] += 1.0 - motion.share;
        weights[motion.over as usize] += motion.share;
        weights
    }

    fn weight_change(a: &Motion, b: &Motion) -> f32 {
        weights(a).iter().zip(weights(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    }

    fn is_same_pose(a: &Motion, b: &Motion) -> bool {
        weight_change(a, b) < 1e-5 && (weights(a)[Gait::Feed as usize] == 0.0 || (a.snap - b.snap).abs() < 1e-5)
    }

    #[test]
    fn speed_alarm_and_rest_choose_the_gait() {
        let mut moves = Moves::new(Behaviour::Reef, 1);
        let reef = Signs { behaviour: Behaviour::Reef, ..cruising() };
        let shown = run(&mut moves, 1.0, |_| reef);
        assert!(shown.iter().all(|m| weights(m)[Gait::Cruise as usize] == 1.0));
        let slow = run(&mut moves, 1.5, |_| Signs { speed: 0.1, push: 0.0, ..reef });
        assert_eq!(slow.last().map(|m| m.base), Some(Gait::Idle));
        let dart = run(&mut moves, 1.5, |_| Signs { speed: 0.4, push: 1.1, ..reef });
        assert_eq!(dart.last().map(|m| m.base), Some(Gait::Burst));
        let glide = run(&mut moves, 2.0, |_| reef);
        assert_eq!(glide.last().map(|m| m.base), Some(Gait::Cruise));
        let fright = run(&mut moves, 0.2, |_| Signs { alarm: 0.9, ..reef });
        assert_eq!(fright.last().map(|m| m.base), Some(Gait::Burst), "a sprint comes at once");
        let still = run(&mut Moves::new(Behaviour::Still, 1), 3.0, |_| Signs { behaviour: Behaviour::Still, ..reef });
        assert!(still.iter().all(|m| m.base == Gait::Idle));
    }

    #[test]
    fn what_wavers_at_a_threshold_does_not_flicker() {
        let changes = |signs: &dyn Fn(f32) -> Signs| {
            let shown = run(&mut Moves::new(Behaviour::Cruiser, 3), 20.0, signs);
            shown.windows(2).filter(|pair| pair[0].base != pair[1].base).count()
        };
        let waver = |t: f32| if (t * 7.0).fract() < 0.5 { 0.06 } else { -0.06 };
        let around =
            |speed: f32| move |t: f32| Signs { behaviour: Behaviour::Cruiser, speed: speed + waver(t), ..cruising() };
        for speed in [0.3, 0.35, 0.4, 0.5, 0.55, 0.6, 1.45, 1.5, 1.9, 2.0] {
            assert!(changes(&around(speed)) <= 1, "about {speed}: {} changes", changes(&around(speed)));
        }
    }

    #[test]
    fn a_curve_is_laid_over_by_its_bend() {
        let mut moves = Moves::new(Behaviour::School, 5);
        let turning = |bend| Signs { bend, ..cruising() };
        let shown = run(&mut moves, 1.0, |_| turning(0.1));
        assert!(shown.iter().all(|m| m.share == 0.0), "hardly a curve");
        let [slight, tight] = [0.5, 1.5].map(|bend| {
            let shown = run(&mut moves, 1.0, |_| turning(bend));
            *shown.last().expect("shown")
        });
        assert_eq!((slight.base, slight.over, tight.over), (Gait::Cruise, Gait::TurnLeft, Gait::TurnLeft));
        assert!(slight.share > 0.1 && tight.share > slight.share + 0.3, "{slight:?} {tight:?}");
        let other = run(&mut moves, 1.0, |_| turning(-1.0));
        assert!(other.iter().any(|m| m.share == 0.0), "the other side by way of straight");
        assert_eq!(other.last().map(|m| m.over), Some(Gait::TurnRight));
        // From side to side and quickly: still without a jump (run asserts it).
        run(&mut moves, 10.0, |t| turning(1.5 * ((t * 3.0).fract() * 2.0 - 1.0)));
    }

    #[test]
    fn everyone_feeds_at_times_of_its_own_and_all_through_the_clip() {
        let snaps = |seed| {
            let mut moves = Moves::new(Behaviour::Still, seed);
            let signs = Signs { behaviour: Behaviour::Still, speed: 0.0, ..cruising() };
            let shown = run(&mut moves, 60.0, |_| signs);
            let starts: Vec<usize> = (1..shown.len())
                .filter(|&i| shown[i].over == Gait::Feed && shown[i - 1].snap == 0.0 && shown[i].snap > 0.0)
                .collect();
            let wide = shown.iter().filter(|m| m.over == Gait::Feed && m.share > 0.99 && (0.3..0.7).contains(&m.snap));
            assert!(wide.count() > 20 * starts.len(), "the mouth is open while the snap is shown");
            starts
        };
        let (one, other) = (snaps(1), snaps(2));
        assert!((4..=12).contains(&one.len()), "{one:?}");
        assert_ne!(one, other);
        assert_eq!(one, snaps(1));
    }

    #[test]
    fn a_fright_in_the_middle_of_everything_is_smooth() {
        let mut moves = Moves::new(Behaviour::Reef, 9);
        let frights = run(&mut moves, 60.0, |t| {
            let alarm = if (t / 3.1).fract() < 0.2 { 1.0 } else { 0.0 };
            let speed = if (t / 1.7).fract() < 0.5 { 0.1 } else { 1.2 };
            let bend = 2.0 * ((t / 1.3).fract() - 0.5);
            Signs { behaviour: Behaviour::Reef, speed, alarm, bend, ..cruising() }
        });
        for gait in [Gait::Cruise, Gait::Idle, Gait::Burst] {
            assert!(frights.iter().any(|m| m.base == gait), "{gait:?}");
        }
    }
}
