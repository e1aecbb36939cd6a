//! Gait selection: an animal cruises, rests, sprints, bends into its curves and snaps at food.
//!
//! The shown gait is always a base gait blended with another. Either of the two changes only while its weight is 0, so
//! no pose ever jumps: on the way from one gait to the next, the next is blended in until the first is gone. Curves are
//! blended in by the bend of the body in them.

use crate::{Behaviour, STEP_S};

/// Time in which one gait gives way to the next. Unit: s.
const BLEND_S: f32 = 0.3;

/// Time in which a gait gives way to a sprint: a frightened fish does not wait. Unit: s.
const ALARMED_BLEND_S: f32 = 0.14;

/// Least time for which an animal keeps a gait. Unit: s.
const MIN_S: f32 = 0.4;

/// Bend of the body above which a curve shows, and that below which it no longer does. Unit: rad over the whole length.
const BEND_RAD: [f32; 2] = [0.25, 0.14];

/// Bend that the turning clips show in the middle. Unit: rad over the whole length.
const FULL_BEND_RAD: f32 = 1.2;

/// Greatest weight of a turning clip: the wings beat on in a curve.
const MAX_BEND: f32 = 0.35;

/// Kind of movement, for which a model may have a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gait {
    /// Steady swimming, rowing, flapping or pulsing; its phase goes with the distance.
    #[default]
    Cruise,
    /// The fins alone: it hangs in the water, lies on the ground, or rows along with its body still.
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

/// Shown movement of an animal at one moment: one gait blended with another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GaitBlend {
    /// Main gait.
    pub base: Gait,
    /// Gait blended with `base`.
    pub blend: Gait,
    /// Weight of `blend`, 0..=1.
    pub weight: f32,
    /// Progress of [`Gait::Feed`], 0..=1.
    pub feed_progress: f32,
}

/// Inputs of an animal's gait at one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct GaitInputs {
    pub behaviour: Behaviour,
    /// Speed over the cruising speed.
    pub speed: f32,
    /// Wanted increase of speed, over the cruising speed.
    pub push: f32,
    /// Whether a fast start is under way.
    pub starts: bool,
    /// Whether it sleeps.
    pub sleeps: bool,
    /// Curve of an animal that turns by its wings, positive to the left. Unit: rad over the whole length.
    pub bend: f32,
    /// Speed over the greatest speed of rowing by fins alone; infinite for animals that do not row.
    pub rowing: f32,
    /// Length of the body. Unit: m.
    pub length: f32,
}

/// State of an animal's gait and of its transition to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GaitState {
    base: Gait,
    blend: Gait,
    weight: f32,
    /// Change of `weight` in the last step.
    weight_step: f32,
    /// The gait it is in or changes to: [`Gait::Cruise`], [`Gait::Idle`] or [`Gait::Burst`].
    target: Gait,
    /// Time since `target` changed. Unit: s.
    since_s: f32,
    /// Whether it snaps at food or is about to.
    feeds: bool,
    feed_progress: f32,
    /// Change of `feed_progress` in the last step.
    feed_step: f32,
    /// Time until it next snaps. Unit: s.
    until_feed_s: f32,
    /// Seed of its random feeding times.
    seed: u32,
}

impl GaitState {
    /// Creates the state of a new animal; `seed` sets when it feeds.
    pub fn new(behaviour: Behaviour, seed: u32) -> Self {
        let gait = if behaviour == Behaviour::Still { Gait::Idle } else { Gait::Cruise };
        let mut state = Self { base: gait, blend: gait, target: gait, since_s: MIN_S, seed, ..Self::default() };
        state.until_feed_s = state.next_feed_s(behaviour);
        state
    }

    /// Advances by one step.
    pub fn advance(&mut self, inputs: &GaitInputs) {
        self.since_s += STEP_S;
        let target = self.fitting_gait(inputs);
        if target != self.target {
            (self.target, self.since_s) = (target, 0.0);
        }
        self.feed(inputs);
        if self.weight >= 1.0 && self.blend == self.target {
            (self.base, self.weight) = (self.blend, 0.0);
        }
        let (blend, weight) = self.wanted_blend(inputs);
        if self.weight <= 0.0 {
            self.blend = blend;
        }
        let weight = if self.blend == blend { weight } else { 0.0 };
        let most = STEP_S / if self.target == Gait::Burst { ALARMED_BLEND_S } else { BLEND_S };
        self.weight_step = (weight - self.weight).clamp(-most, most);
        self.weight = (self.weight + self.weight_step).clamp(0.0, 1.0);
    }

    /// Returns the gait to be blended with the base, and its weight.
    fn wanted_blend(&self, inputs: &GaitInputs) -> (Gait, f32) {
        if self.target != self.base {
            return (self.target, 1.0);
        }
        if self.feeds {
            return (Gait::Feed, if self.feed_progress < 0.75 { 1.0 } else { 0.0 });
        }
        let side = if inputs.bend > 0.0 { Gait::TurnLeft } else { Gait::TurnRight };
        let is_turning = self.blend == side && self.weight > 0.0;
        let least = BEND_RAD[usize::from(is_turning)];
        let excess = (inputs.bend.abs() - BEND_RAD[1]).max(0.0);
        match inputs.bend.abs() > least && inputs.behaviour.has_nose() {
            true => (side, (excess / FULL_BEND_RAD).min(MAX_BEND)),
            false => (self.blend, 0.0),
        }
    }

    /// Returns the fitting gait, with hysteresis against leaving the present one.
    fn fitting_gait(&self, inputs: &GaitInputs) -> Gait {
        match inputs.behaviour {
            Behaviour::Still => return Gait::Idle,
            Behaviour::Drifter => return Gait::Cruise,
            _ => {}
        }
        if inputs.starts {
            return Gait::Burst;
        }
        if self.since_s < MIN_S {
            return self.target;
        }
        // A rowing animal keeps rowing until it must sprint.
        if inputs.rowing < if self.target == Gait::Idle { 1.0 } else { 0.85 } {
            return Gait::Idle;
        }
        let wanted = inputs.speed + inputs.push;
        let (is_resting, is_sprinting) = (self.target == Gait::Idle, self.target == Gait::Burst);
        let [speed, push] = if is_sprinting { [1.45, 0.25] } else { [1.9, 0.75] };
        if inputs.speed > speed || inputs.push > push {
            return Gait::Burst;
        }
        let [speed, wish] = if is_resting { [0.55, 0.6] } else { [0.35, 0.4] };
        if inputs.speed < speed && wanted < wish { Gait::Idle } else { Gait::Cruise }
    }

    /// Advances hunger and the snap at food.
    fn feed(&mut self, inputs: &GaitInputs) {
        self.feed_step = 0.0;
        let is_shown = self.blend == Gait::Feed && self.weight > 0.0;
        if self.feeds {
            // The clip begins when it shows.
            if self.blend == Gait::Feed {
                self.feed_step = (STEP_S / (0.7 + 0.6 * inputs.length.sqrt())).min(1.0 - self.feed_progress);
                self.feed_progress += self.feed_step;
            }
            let is_finished = self.feed_progress >= 1.0 && self.weight <= 0.0;
            // In a fright it stops feeding, and its mouth stays as it is until the clip no longer shows.
            self.feeds = !is_finished && self.target == self.base && self.target != Gait::Burst;
            return;
        }
        if !is_shown {
            self.feed_progress = 0.0;
        }
        if is_shown || inputs.sleeps || self.target == Gait::Burst || inputs.behaviour == Behaviour::Drifter {
            return;
        }
        // Reef fish feed at their stops, the others in passing.
        if inputs.behaviour != Behaviour::Reef || self.target == Gait::Idle {
            self.until_feed_s -= STEP_S;
        }
        if self.until_feed_s <= 0.0 {
            self.feeds = true;
            self.until_feed_s = self.next_feed_s(inputs.behaviour);
        }
    }

    /// Time until the next snap. Unit: s.
    fn next_feed_s(&mut self, behaviour: Behaviour) -> f32 {
        // Weyl sequence through a hash (the finaliser of MurmurHash3).
        self.seed = self.seed.wrapping_add(0x9e37_79b9);
        let mut bits = self.seed;
        bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
        bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
        let random = ((bits ^ (bits >> 16)) >> 8) as f32 / (1 << 24) as f32;
        let mean = match behaviour {
            Behaviour::Reef => 5.0,
            Behaviour::Still => 9.0,
            Behaviour::School => 25.0,
            Behaviour::Cruiser | Behaviour::Drifter => 40.0,
        };
        mean * (0.4 + 1.2 * random)
    }

    /// Makes it snap at food as soon as it can.
    pub fn snap(&mut self) {
        self.until_feed_s = 0.0;
    }

    /// Whether its jaws closed in the last step.
    pub fn bites(&self) -> bool {
        self.feed_progress >= 0.5 && self.feed_progress - self.feed_step < 0.5
    }

    /// Whether it is feeding.
    pub fn is_feeding(&self) -> bool {
        self.feeds && self.feed_progress > 0.0
    }

    /// Blend shown `alpha` (0..=1) of the way from the last step but one to the last.
    pub fn blend_at(&self, alpha: f32) -> GaitBlend {
        let ago = 1.0 - alpha;
        let weight = (self.weight - self.weight_step * ago).clamp(0.0, 1.0);
        GaitBlend {
            base: self.base,
            blend: self.blend,
            weight: math::ease(weight),
            feed_progress: (self.feed_progress - self.feed_step * ago).clamp(0.0, 1.0),
        }
    }

    /// Variable parts of the state, for a hash.
    pub fn parts(&self) -> [f32; 4] {
        [self.weight, self.feed_progress, self.until_feed_s, (8 * self.base as u8 + self.blend as u8) as f32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cruising() -> GaitInputs {
        GaitInputs {
            behaviour: Behaviour::School,
            speed: 1.0,
            push: 0.0,
            starts: false,
            sleeps: false,
            bend: 0.0,
            rowing: f32::INFINITY,
            length: 0.2,
        }
    }

    /// Runs `seconds` of `inputs(time)` and returns every blend, asserting that each follows smoothly from the last.
    fn run(state: &mut GaitState, seconds: f32, inputs: impl Fn(f32) -> GaitInputs) -> Vec<GaitBlend> {
        let mut all: Vec<GaitBlend> = Vec::new();
        for step in 0..(seconds / STEP_S) as usize {
            let before = state.blend_at(1.0);
            state.advance(&inputs(step as f32 * STEP_S));
            // From step to step the two ends meet: the same pose, in whatever representation.
            assert!(is_same_pose(&before, &state.blend_at(0.0)), "{before:?} then {:?}", state.blend_at(0.0));
            for alpha in [0.0, 0.5, 1.0] {
                let now = state.blend_at(alpha);
                if let Some(last) = all.last() {
                    let jump = weight_change(last, &now);
                    assert!(jump < 0.15, "{last:?} then {now:?}");
                }
                all.push(now);
            }
        }
        all
    }

    /// Weights of the six gaits.
    fn weights(gait: &GaitBlend) -> [f32; 6] {
        let mut weights = [0.0; 6];
        weights[gait.base as usize] += 1.0 - gait.weight;
        weights[gait.blend as usize] += gait.weight;
        weights
    }

    fn weight_change(a: &GaitBlend, b: &GaitBlend) -> f32 {
        weights(a).iter().zip(weights(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    }

    fn is_same_pose(a: &GaitBlend, b: &GaitBlend) -> bool {
        weight_change(a, b) < 1e-5
            && (weights(a)[Gait::Feed as usize] == 0.0 || (a.feed_progress - b.feed_progress).abs() < 1e-5)
    }

    #[test]
    fn speed_starts_and_rest_choose_the_gait() {
        let mut state = GaitState::new(Behaviour::Reef, 1);
        let reef = GaitInputs { behaviour: Behaviour::Reef, ..cruising() };
        let shown = run(&mut state, 1.0, |_| reef);
        assert!(shown.iter().all(|m| weights(m)[Gait::Cruise as usize] == 1.0));
        let slow = run(&mut state, 1.5, |_| GaitInputs { speed: 0.1, push: 0.0, ..reef });
        assert_eq!(slow.last().map(|m| m.base), Some(Gait::Idle));
        let dart = run(&mut state, 1.5, |_| GaitInputs { speed: 0.4, push: 1.1, ..reef });
        assert_eq!(dart.last().map(|m| m.base), Some(Gait::Burst));
        let glide = run(&mut state, 2.0, |_| reef);
        assert_eq!(glide.last().map(|m| m.base), Some(Gait::Cruise));
        let fright = run(&mut state, 0.2, |_| GaitInputs { starts: true, ..reef });
        assert_eq!(fright.last().map(|m| m.base), Some(Gait::Burst), "a sprint comes at once");
        let rowing = run(&mut state, 2.0, |_| GaitInputs { rowing: 0.5, ..reef });
        assert_eq!(rowing.last().map(|m| m.base), Some(Gait::Idle), "the fins do it");
        let still =
            run(&mut GaitState::new(Behaviour::Still, 1), 3.0, |_| GaitInputs { behaviour: Behaviour::Still, ..reef });
        assert!(still.iter().all(|m| m.base == Gait::Idle));
    }

    #[test]
    fn what_wavers_at_a_threshold_does_not_flicker() {
        let changes = |inputs: &dyn Fn(f32) -> GaitInputs| {
            let shown = run(&mut GaitState::new(Behaviour::Cruiser, 3), 20.0, inputs);
            shown.windows(2).filter(|pair| pair[0].base != pair[1].base).count()
        };
        let waver = |t: f32| if (t * 7.0).fract() < 0.5 { 0.06 } else { -0.06 };
        let around = |speed: f32| {
            move |t: f32| GaitInputs { behaviour: Behaviour::Cruiser, speed: speed + waver(t), ..cruising() }
        };
        for speed in [0.3, 0.35, 0.4, 0.5, 0.55, 0.6, 1.45, 1.5, 1.9, 2.0] {
            assert!(changes(&around(speed)) <= 1, "about {speed}: {} changes", changes(&around(speed)));
        }
    }

    #[test]
    fn a_curve_is_blended_in_by_its_bend() {
        let mut state = GaitState::new(Behaviour::School, 5);
        let turning = |bend| GaitInputs { bend, ..cruising() };
        let shown = run(&mut state, 1.0, |_| turning(0.1));
        assert!(shown.iter().all(|m| m.weight == 0.0), "hardly a curve");
        let [slight, tight] = [0.5, 1.5].map(|bend| {
            let shown = run(&mut state, 1.0, |_| turning(bend));
            *shown.last().expect("shown")
        });
        assert_eq!((slight.base, slight.blend, tight.blend), (Gait::Cruise, Gait::TurnLeft, Gait::TurnLeft));
        assert!(slight.weight > 0.1 && tight.weight > 1.3 * slight.weight, "{slight:?} {tight:?}");
        let other = run(&mut state, 1.0, |_| turning(-1.0));
        assert!(other.iter().any(|m| m.weight == 0.0), "the other side by way of straight");
        assert_eq!(other.last().map(|m| m.blend), Some(Gait::TurnRight));
        // From side to side and quickly: still without a jump (run asserts it).
        run(&mut state, 10.0, |t| turning(1.5 * ((t * 3.0).fract() * 2.0 - 1.0)));
    }

    #[test]
    fn everyone_feeds_at_times_of_its_own_and_all_through_the_clip() {
        let snaps = |seed| {
            let mut state = GaitState::new(Behaviour::Still, seed);
            let inputs = GaitInputs { behaviour: Behaviour::Still, speed: 0.0, ..cruising() };
            let shown = run(&mut state, 60.0, |_| inputs);
            let starts: Vec<usize> = (1..shown.len())
                .filter(|&i| {
                    shown[i].blend == Gait::Feed && shown[i - 1].feed_progress == 0.0 && shown[i].feed_progress > 0.0
                })
                .collect();
            let wide = shown
                .iter()
                .filter(|m| m.blend == Gait::Feed && m.weight > 0.99 && (0.3..0.7).contains(&m.feed_progress));
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
        let mut state = GaitState::new(Behaviour::Reef, 9);
        let frights = run(&mut state, 60.0, |t| {
            let starts = (t / 3.1).fract() < 0.2;
            let speed = if (t / 1.7).fract() < 0.5 { 0.1 } else { 1.2 };
            let bend = 2.0 * ((t / 1.3).fract() - 0.5);
            GaitInputs { behaviour: Behaviour::Reef, speed, starts, bend, ..cruising() }
        });
        for gait in [Gait::Cruise, Gait::Idle, Gait::Burst] {
            assert!(frights.iter().any(|m| m.base == gait), "{gait:?}");
        }
    }
}
