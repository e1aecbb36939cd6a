//! Cost of each effect on this machine, found by leaving it out.
//!
//! Timer queries are not needed for it, so it works on software renderers too. The scene is drawn at many moments; at
//! each of them whole and with every effect left out in turn, in an order that goes round and back, so that a machine
//! that grows slower or faster meanwhile does so for all of them alike. A cost is the median of the differences at the
//! same moment, with an interval by resampling moments.

use std::time::Duration;

use render::{Effects, FramePlan, PlanInputs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::BenchError;
use crate::inference::median_interval;

/// Frames drawn after each switch before any is measured: buffers and caches fill with the new load.
const SETTLE: u32 = 1;
/// Frames measured after each switch.
const MEASURED: u32 = 2;
/// Steps of the world between two moments.
pub const STEPS_BETWEEN: u32 = 15;
/// Moments when none are asked for.
pub const ROUNDS: u32 = 24;

/// The scene with something left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectVariant {
    /// Name of the thing that is left out, if any.
    pub without: Option<&'static str>,
    /// Effects that are left in.
    pub effects: Effects,
    /// Whether animals are drawn.
    pub animals: bool,
    /// The variant to compare with, by index: it differs in `without` alone.
    pub against: usize,
    /// Reason why leaving it out changes nothing, if so.
    pub idle: Option<&'static str>,
}

/// The whole scene first, then each thing left out; `whole` are the inputs of the scene's frame plan.
pub fn variants(whole: &PlanInputs) -> Vec<EffectVariant> {
    let with = whole.effects;
    // Taken apart, so that an effect without a variant does not compile.
    let Effects { caustics: _, shafts: _, shadows: _, surface: _, particles: _, bloom: _ } = with;
    let drawn = FramePlan::new(whole);
    let with_all = FramePlan::new(&PlanInputs { effects: Effects::default(), ..*whole });
    let first = EffectVariant { without: None, effects: with, animals: true, against: 0, idle: None };
    let without = |without, effects, is_drawn: fn(&FramePlan) -> bool| {
        let idle = match (is_drawn(&drawn), is_drawn(&with_all)) {
            (true, _) => None,
            (false, true) => Some("switched off in the settings"),
            (false, false) => Some("not drawn at this quality tier"),
        };
        EffectVariant { without: Some(without), effects, idle, ..first }
    };
    vec![
        first,
        without("shafts", Effects { shafts: false, ..with }, |plan| plan.shafts),
        // Shafts are made of caustics and go with them: the rest is compared with the picture without shafts.
        EffectVariant {
            against: 1,
            ..without("caustics", Effects { caustics: false, shafts: false, ..with }, |plan| plan.caustics)
        },
        without("shadows", Effects { shadows: false, ..with }, |plan| plan.shadows),
        without("surface", Effects { surface: false, ..with }, |plan| plan.surface),
        without("particles", Effects { particles: false, ..with }, |plan| plan.particles),
        without("bloom", Effects { bloom: false, ..with }, |plan| plan.bloom),
        EffectVariant { animals: false, ..without("animals", with, |_| true) },
    ]
}

/// A scene that can be drawn in several ways.
pub trait Switchable {
    /// Goes back to the beginning.
    ///
    /// # Errors
    /// If the scene cannot be made again.
    fn restart(&mut self) -> Result<(), BenchError>;
    /// Goes on to the next moment.
    fn next_moment(&mut self);
    /// Draws the moment as variant `index` from now on.
    ///
    /// # Errors
    /// If the driver refuses something it needs.
    fn select(&mut self, index: usize) -> Result<(), BenchError>;
    /// Draws a frame and waits until it is drawn.
    ///
    /// # Errors
    /// If the driver does not answer.
    fn draw(&mut self) -> Result<(), BenchError>;
}

/// Result of [`measure`], however it ended.
#[derive(Debug, Default)]
pub struct Rounds {
    /// For each moment, the mean frame time of each variant. Unit: ms.
    pub ms: Vec<Vec<f64>>,
    /// Whether it was stopped.
    pub stopped: bool,
    /// The error that ended it.
    pub failed: Option<BenchError>,
}

/// Draws `rounds` moments of the scene in each of `variants` ways. `told` is called with the number of each, from 0,
/// before it is drawn, outside of the measured time.
pub fn measure(
    scene: &mut dyn Switchable,
    variants: usize,
    rounds: u32,
    clock: &dyn Fn() -> Duration,
    stop: &dyn Fn() -> bool,
    told: &mut dyn FnMut(u32),
) -> Rounds {
    let mut out = Rounds { ms: Vec::with_capacity(rounds as usize), ..Rounds::default() };
    if let Err(error) = all_rounds(scene, variants, rounds, (clock, stop), told, &mut out) {
        out.failed = Some(error);
    }
    out
}

fn all_rounds(
    scene: &mut dyn Switchable,
    variants: usize,
    rounds: u32,
    (clock, stop): (&dyn Fn() -> Duration, &dyn Fn() -> bool),
    told: &mut dyn FnMut(u32),
    out: &mut Rounds,
) -> Result<(), BenchError> {
    scene.restart()?;
    // Each once, unmeasured: drivers compile for states that are new to them.
    for variant in 0..variants {
        scene.select(variant)?;
        scene.draw()?;
        if stop() {
            out.stopped = true;
            return Ok(());
        }
    }
    for number in 0..rounds {
        told(number);
        let round = number as usize;
        scene.next_moment();
        let mut of_round = vec![0.0; variants];
        for turn in 0..variants {
            let variant = turn_of(round, turn, variants);
            scene.select(variant)?;
            for _ in 0..SETTLE {
                scene.draw()?;
            }
            let since = clock();
            for _ in 0..MEASURED {
                scene.draw()?;
            }
            of_round[variant] = (clock() - since).as_secs_f64() * 1e3 / f64::from(MEASURED);
            if stop() {
                out.stopped = true;
                return Ok(());
            }
        }
        out.ms.push(of_round);
    }
    Ok(())
}

/// Variant that is drawn at a turn of a round: each pair of rounds begins one further, every other round goes backward.
fn turn_of(round: usize, turn: usize, variants: usize) -> usize {
    let turn = if round.is_multiple_of(2) { turn } else { variants - 1 - turn };
    (turn + round / 2) % variants
}

/// Costs of the effects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassCosts {
    /// Moments of the scene it was found at.
    pub rounds: usize,
    /// Median frame time of the whole scene. Unit: ms.
    pub whole_ms: f64,
    /// Costs, in the order they were measured.
    pub costs: Vec<PassCost>,
    /// Rest of a frame less all costs: ground, props, water, parts that the effects share. Unit: ms.
    pub rest_ms: f64,
}

/// Cost of one effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassCost {
    /// The effect.
    pub name: String,
    /// Frame time with it less frame time without it. Unit: ms.
    pub ms: Option<f64>,
    /// 95 % interval of `ms`.
    pub interval_ms: Option<(f64, f64)>,
    /// `ms` over the whole frame's time. Unit: %.
    pub share_pct: Option<f64>,
    /// Reason why there is no cost.
    pub note: Option<String>,
}

impl PassCosts {
    /// Costs that the rounds come to; `None` if there are no rounds.
    pub fn of(rounds: &[Vec<f64>], variants: &[EffectVariant]) -> Option<Self> {
        let column = |index: usize| -> Vec<f64> { rounds.iter().map(|round| round[index]).collect() };
        let whole_ms = math::median(&column(0))?;
        let cost = |(index, variant): (usize, &EffectVariant)| {
            let name = variant.without?.to_string();
            if let Some(idle) = variant.idle {
                let note = Some(idle.into());
                return Some(PassCost { name, ms: None, interval_ms: None, share_pct: None, note });
            }
            let differences: Vec<f64> = rounds.iter().map(|round| round[variant.against] - round[index]).collect();
            // A difference of nothing may be -0.0.
            let ms = math::median(&differences).map(|ms| ms + 0.0);
            Some(PassCost {
                name,
                ms,
                interval_ms: median_interval(&differences).map(|(low, high)| (low + 0.0, high + 0.0)),
                share_pct: ms.filter(|_| whole_ms > 0.0).map(|ms| 100.0 * ms / whole_ms),
                note: None,
            })
        };
        let costs: Vec<PassCost> = variants.iter().enumerate().filter_map(cost).collect();
        let rest_ms = whole_ms - costs.iter().filter_map(|cost| cost.ms).sum::<f64>();
        Some(Self { rounds: rounds.len(), whole_ms, costs, rest_ms })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use render::{Quality, Tier};
    use view::SceneFeatures;

    use super::*;

    fn inputs(tier: Tier) -> PlanInputs {
        let (effects, features) = (Effects::default(), SceneFeatures::default());
        PlanInputs {
            tier,
            effects,
            bloom: 0.15,
            clarity: 0.35,
            shadows: 0.4,
            vignette: 0.25,
            features,
            output: (1280, 720),
            scale: 1.0,
        }
    }

    /// A scene that takes 10 ms plus the costs of its effects, on a machine that slows down all the while.
    struct Planted {
        now: Rc<Cell<Duration>>,
        variants: Vec<EffectVariant>,
        selected: usize,
        drawn: u32,
        /// Slower by so much with each frame. Unit: ms.
        drift_ms: f64,
        moments: u32,
    }

    impl Planted {
        fn cost_ms(&self) -> f64 {
            let v = &self.variants[self.selected];
            let of = |on: bool, ms: f64| if on { ms } else { 0.0 };
            10.0 + of(v.effects.caustics, 4.0)
                + of(v.effects.shafts && v.effects.caustics, 3.0)
                + of(v.effects.surface, 2.0)
                + of(v.effects.particles, 0.5)
                + of(v.animals, 5.0)
        }
    }

    impl Switchable for Planted {
        fn restart(&mut self) -> Result<(), BenchError> {
            Ok(())
        }
        fn next_moment(&mut self) {
            self.moments += 1;
        }
        fn select(&mut self, index: usize) -> Result<(), BenchError> {
            self.selected = index;
            Ok(())
        }
        fn draw(&mut self) -> Result<(), BenchError> {
            // Every 7th frame somebody else wants the machine.
            let noise = if self.drawn.is_multiple_of(7) { 9.0 } else { 0.0 };
            let ms = self.cost_ms() + f64::from(self.drawn) * self.drift_ms + noise;
            self.drawn += 1;
            self.now.set(self.now.get() + Duration::from_secs_f64(ms / 1e3));
            Ok(())
        }
    }

    fn planted(tier: Quality, drift_ms: f64) -> (Planted, Vec<EffectVariant>) {
        let variants = variants(&inputs(tier.tier(true)));
        let now = Rc::new(Cell::new(Duration::ZERO));
        (Planted { now, variants: variants.clone(), selected: 0, drawn: 0, drift_ms, moments: 0 }, variants)
    }

    fn costs(drift_ms: f64) -> PassCosts {
        let (mut scene, variants) = planted(Quality::High, drift_ms);
        let now = scene.now.clone();
        let rounds = measure(&mut scene, variants.len(), 24, &|| now.get(), &|| false, &mut |_| {});
        assert!(rounds.failed.is_none() && !rounds.stopped);
        assert_eq!((rounds.ms.len(), scene.moments), (24, 24));
        PassCosts::of(&rounds.ms, &variants).expect("there are rounds")
    }

    #[test]
    fn planted_costs_are_found_through_noise_and_drift() {
        for drift_ms in [0.0, 0.01] {
            let costs = costs(drift_ms);
            for (name, wanted) in
                [("shafts", 3.0), ("caustics", 4.0), ("surface", 2.0), ("particles", 0.5), ("animals", 5.0)]
            {
                let cost = costs.costs.iter().find(|cost| cost.name == name).expect("it is in the list");
                let ms = cost.ms.expect("measured");
                assert!((ms - wanted).abs() < 0.5, "{name} costs {ms} ms, not {wanted}, at drift {drift_ms}");
                let (low, high) = cost.interval_ms.expect("an interval");
                assert!(low <= ms && ms <= high, "{name}: {low} {ms} {high}");
            }
        }
    }

    #[test]
    fn the_costs_and_the_rest_are_the_whole() {
        let costs = costs(0.0);
        let sum: f64 = costs.costs.iter().filter_map(|cost| cost.ms).sum();
        assert!((sum + costs.rest_ms - costs.whole_ms).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_drawn_has_no_cost_and_says_why() {
        let without_shadows = Tier { shadows: false, ..Quality::High.tier(false) };
        let variants = variants(&inputs(without_shadows));
        let rounds = vec![vec![10.0; variants.len()]; 3];
        let costs = PassCosts::of(&rounds, &variants).expect("there are rounds");
        let shadows = costs.costs.iter().find(|cost| cost.name == "shadows").expect("it is in the list");
        assert_eq!((shadows.ms, shadows.note.as_deref()), (None, Some("not drawn at this quality tier")));
        let effects = Effects { surface: false, ..Effects::default() };
        let surface = super::variants(&PlanInputs { effects, ..inputs(Quality::High.tier(false)) })[4];
        assert_eq!((surface.without, surface.idle), (Some("surface"), Some("switched off in the settings")));
    }

    #[test]
    fn each_variant_has_each_turn_equally_often() {
        let variants = 8;
        let mut places = vec![0; variants];
        for round in 0..2 * variants {
            let order: Vec<usize> = (0..variants).map(|turn| turn_of(round, turn, variants)).collect();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..variants).collect::<Vec<_>>(), "round {round}");
            for (turn, variant) in order.into_iter().enumerate() {
                places[variant] += turn;
            }
        }
        assert!(places.iter().all(|sum| *sum == places[0]), "{places:?}");
    }

    #[test]
    fn a_stop_keeps_whole_rounds() {
        let (mut scene, variants) = planted(Quality::High, 0.0);
        let (now, asked) = (scene.now.clone(), Cell::new(0));
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > 8 + 8 + 3
        };
        let rounds = measure(&mut scene, variants.len(), 24, &|| now.get(), &stop, &mut |_| {});
        assert!(rounds.stopped);
        assert_eq!(rounds.ms.len(), 1);
    }
}
