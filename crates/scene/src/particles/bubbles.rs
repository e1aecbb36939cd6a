//! Bubbles and their sources: air from vents and out of the bare ground, oxygen that plants give off in the light, the
//! breath of turtles, dolphins and divers.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use life::Habitat;
use math::Fnv;
use ocean::Current;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use view::Bubble;

use crate::particles::air::{ZIGZAG_S, flatness, grown, terminal_velocity, zigzag};
use crate::{Breath, ParticlesSettings};

/// Bubbles alive at once at most; sources fall silent beyond it.
pub const MAX_BUBBLES: usize = 4096;

/// Radius of the disc of the sources, about the target of the first view. Unit: m.
const FIELD_M: f32 = 14.0;

/// Share of a plant's time in which it gives off bubbles: a blade lets go of a string of them, then gathers the next.
const PEARLING_SHARE: f32 = 0.2;

/// Share of a vent's time in which it gives off bubbles.
const BURST_SHARE: f32 = 0.4;

/// Mean volume of the bubbles of a small breath: 11 mm across. Unit: L.
const BREATH_BUBBLE_L: f32 = 7e-4;

/// Diameter of a bubble of that volume. Unit: m.
const BREATH_BUBBLE_M: f32 = 0.011;

/// Most bubbles into which a twentieth of a breath breaks up: of a larger breath each is larger.
const MAX_AT_ONCE: f32 = 4.0;

/// Interval at which a bubble's size, rise speed and water velocity are updated. Unit: s.
const RENEWED_S: f32 = 1.0 / 15.0;

/// Greatest sideways velocity at which bubbles leave their string, parted by the wakes of those before. By eye. Unit:
/// m/s.
const PARTED_M_S: f32 = 0.014;

/// Least diameter of bubbles that leave rings on the surface. Unit: m.
const MIN_RING_M: f32 = 0.006;

/// A thing that gives off bubbles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreathingThing {
    /// Position at which bubbles leave it, in world space.
    pub position: Vec3,
    /// Kind of its bubbles.
    pub breath: Breath,
}

/// A bubble that has reached the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burst {
    /// Position, x and z.
    pub place: Vec2,
    /// Its diameter. Unit: m.
    pub diameter: f32,
}

/// A place that gives off bubbles.
#[derive(Clone, Debug)]
struct BubbleSource {
    position: Vec3,
    /// Mean rate. Unit: 1/s.
    rate_hz: f32,
    /// Typical diameter. Unit: m.
    diameter: f32,
    /// Share of the time in which it gives off bubbles.
    busy: f32,
    /// Whether it stops when the sun sinks.
    needs_light: bool,
    /// Time until the next bubble. Unit: s.
    wait_s: f32,
    /// Bubbles left in this burst.
    left: u32,
}

/// A rising bubble.
#[derive(Clone, Debug)]
struct RisingBubble {
    /// Middle of its zigzag, in world space.
    position: Vec3,
    /// Velocity relative to the water. Unit: m/s.
    velocity: Vec3,
    /// Lasting horizontal part of the velocity. Unit: m/s.
    parted: Vec2,
    /// Diameter at its source. Unit: m.
    source_diameter: f32,
    /// Depth of its source. Unit: m.
    source_depth: f32,
    age_s: f32,
    /// Phase of its zigzag at birth. Unit: rad.
    phase: f32,
    /// Time until the fields below are updated. Unit: s.
    renew_s: f32,
    /// Diameter at its depth. Unit: m.
    diameter: f32,
    /// Terminal velocity for its size. Unit: m/s.
    rise: f32,
    /// Velocity of the water about it. Unit: m/s.
    water: Vec3,
}

impl RisingBubble {
    fn new(position: Vec3, velocity: Vec3, diameter: f32, rng: &mut Pcg64Mcg) -> Self {
        let source_depth = -position.y;
        let share = rng.random::<f32>();
        Self {
            position,
            velocity,
            parted: PARTED_M_S * (2.0 * Vec2::new(rng.random(), rng.random()) - 1.0),
            source_diameter: diameter,
            source_depth,
            age_s: 0.0,
            phase: TAU * share,
            // Spreads the updates over the steps.
            renew_s: -RENEWED_S * share,
            diameter,
            rise: 0.0,
            water: Vec3::ZERO,
        }
    }

    /// Updates its size, its rise speed and the velocity of the water about it.
    fn renew(&mut self, current: &Current) {
        self.renew_s += RENEWED_S;
        self.diameter = grown(self.source_diameter, self.source_depth, -self.position.y);
        self.rise = terminal_velocity(self.diameter);
        self.water = current.velocity(self.position);
    }
}

/// All bubbles of a scene.
#[derive(Clone, Debug)]
pub struct Bubbles {
    sources: Vec<BubbleSource>,
    alive: Vec<RisingBubble>,
    /// Bubbles that reached the surface in the last step.
    bursts: Vec<Burst>,
    rng: Pcg64Mcg,
}

impl Bubbles {
    /// Bubbles from `things` and out of the bare ground, about `center` (x, z), with the air already on its way to the
    /// surface. `sunlight`: see [`Self::step`]. If there is no ground, none rise from it.
    pub fn new(
        settings: &ParticlesSettings,
        (things, habitat): (&[BreathingThing], &Habitat),
        center: Vec2,
        sunlight: f32,
        seed: u64,
    ) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let vent = |position: Vec3| BubbleSource {
            position,
            rate_hz: settings.bubble_rate_hz,
            diameter: 0.001 * settings.bubble_size_mm,
            busy: BURST_SHARE,
            needs_light: false,
            wait_s: 0.0,
            left: 0,
        };
        let plant = |position| BubbleSource {
            rate_hz: settings.pearl_rate_hz,
            diameter: 0.001 * settings.pearl_size_mm,
            busy: PEARLING_SHARE,
            needs_light: true,
            ..vent(position)
        };
        let of_thing = |thing: &BreathingThing| match thing.breath {
            Breath::None => None,
            Breath::Air => Some(vent(thing.position)),
            Breath::Oxygen => Some(plant(thing.position)),
        };
        let near = |thing: &&BreathingThing| Vec2::new(thing.position.x, thing.position.z).distance(center) < FIELD_M;
        let mut sources: Vec<_> = things.iter().filter(near).filter_map(of_thing).collect();
        sources.extend((0..settings.bubble_sources).filter_map(|_| place(habitat, center, &mut rng)).map(vent));
        sources.retain(|source| source.rate_hz > 0.0 && source.position.y < 0.0);
        for source in &mut sources {
            source.wait_s = 3.0 / source.rate_hz.min(1.0) * rng.random::<f32>();
        }
        let mut bubbles = Self { sources, alive: Vec::new(), bursts: Vec::new(), rng };
        let rise_s = |source: &BubbleSource| -source.position.y / terminal_velocity(0.7 * source.diameter);
        let longest_s = bubbles.sources.iter().map(rise_s).fold(0.0, f32::max).min(90.0);
        for _ in 0..(longest_s * 15.0) as u32 {
            bubbles.step(1.0 / 15.0, &Current::default(), sunlight);
        }
        bubbles
    }

    /// Steps by `dt` seconds in moving water; `sunlight` is the share of light that plants get, 0..=1.
    pub fn step(&mut self, dt: f32, current: &Current, sunlight: f32) {
        for bubble in &mut self.alive {
            bubble.age_s += dt;
            bubble.renew_s -= dt;
            if bubble.renew_s <= 0.0 {
                bubble.renew(current);
            }
            // Added mass is half the water displaced: a bubble reaches its speed within centimetres.
            let ease = dt / (0.05 + dt);
            let wanted = Vec3::new(bubble.parted.x, bubble.rise, bubble.parted.y);
            bubble.velocity += (wanted - bubble.velocity) * ease;
            bubble.position += (bubble.velocity + bubble.water) * dt;
        }
        self.bursts.clear();
        let bursts = &mut self.bursts;
        self.alive.retain(|bubble| {
            let diameter = bubble.diameter;
            let is_under = bubble.position.y < -0.5 * diameter;
            if !is_under && diameter >= MIN_RING_M {
                bursts.push(Burst { place: Vec2::new(bubble.position.x, bubble.position.z), diameter });
            }
            is_under
        });
        for source in &mut self.sources {
            source.wait_s -= if source.needs_light { dt * sunlight } else { dt };
            while source.wait_s <= 0.0 {
                let rng = &mut self.rng;
                if source.left == 0 {
                    // A burst of one to three seconds above the mean rate, then a pause that restores the mean.
                    let burst_s = 1.0 + 2.0 * rng.random::<f32>();
                    source.left = ((source.rate_hz / source.busy * burst_s).round() as u32).max(1);
                    source.wait_s += (1.0 - source.busy) * source.left as f32 / source.rate_hz;
                    continue;
                }
                source.left -= 1;
                source.wait_s += (0.7 + 0.6 * rng.random::<f32>()) * source.busy / source.rate_hz;
                let mut side = || 0.03 * (rng.random::<f32>() - 0.5);
                let velocity = Vec3::new(side(), 0.0, side());
                // Most are small, a few have twice the typical diameter.
                let random = rng.random::<f32>();
                let diameter = source.diameter * (0.5 + 0.7 * random + 0.8 * random * random * random);
                let bubble = RisingBubble::new(source.position + 0.5 * velocity, velocity, diameter, rng);
                if self.alive.len() < MAX_BUBBLES {
                    self.alive.push(bubble);
                }
            }
        }
    }

    /// Adds the breath of an animal: a volume of air (L) at a position, with a velocity.
    pub fn breathe_out(&mut self, position: Vec3, velocity: Vec3, volume_l: f32) {
        let rng = &mut self.rng;
        let own_l = BREATH_BUBBLE_L.max(volume_l / MAX_AT_ONCE);
        let count = (volume_l / own_l + rng.random::<f32>()) as usize;
        let usual = BREATH_BUBBLE_M * (own_l / BREATH_BUBBLE_L).cbrt();
        for _ in 0..count.min(MAX_BUBBLES.saturating_sub(self.alive.len())) {
            let aside = 2.0 * Vec3::new(rng.random(), rng.random(), rng.random()) - 1.0;
            let random = rng.random::<f32>();
            let diameter = usual * (0.35 + 0.6 * random + 0.9 * random * random * random);
            let position = (position + 0.03 * aside).min(Vec3::new(f32::INFINITY, -1e-3, f32::INFINITY));
            self.alive.push(RisingBubble::new(position, velocity + 0.12 * aside, diameter, rng));
        }
    }

    /// The bubbles that reached the surface in the last step.
    pub fn bursts(&self) -> &[Burst] {
        &self.bursts
    }

    /// Replaces the content of `out` by the bubbles as they were `ago_s` seconds before the last step.
    pub fn extract(&self, ago_s: f32, out: &mut Vec<Bubble>) {
        out.clear();
        out.extend(self.alive.iter().map(|bubble| {
            let diameter = bubble.diameter;
            let turn = bubble.phase + TAU / ZIGZAG_S * (bubble.age_s - ago_s);
            let (sin, cos) = turn.sin_cos();
            let swing = zigzag(diameter);
            Bubble {
                position: bubble.position - (bubble.velocity + bubble.water) * ago_s
                    + swing * Vec3::new(cos, 0.0, 0.6 * sin),
                radius: 0.5 * diameter,
                flatness: flatness(diameter),
                wobble: turn.rem_euclid(TAU),
            }
        }));
    }

    /// Adds the bubbles' positions to a hash.
    pub fn hash(&self, hash: &mut Fnv) {
        self.alive.iter().flat_map(|bubble| bubble.position.to_array()).for_each(|part| hash.word(part.to_bits()));
    }
}

/// A random clear place on the ground.
fn place(habitat: &Habitat, center: Vec2, rng: &mut Pcg64Mcg) -> Option<Vec3> {
    (0..16).find_map(|_| {
        let angle = TAU * rng.random::<f32>();
        let plan = center + FIELD_M * rng.random::<f32>().sqrt() * Vec2::new(angle.cos(), angle.sin());
        let at = Vec3::new(plan.x, habitat.floor_m(plan.x, plan.y), plan.y);
        (at.y.is_finite() && at.y < -0.3 && habitat.is_clear(at, 0.1)).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use life::HeightMap;

    use super::*;

    fn flat(depth: f32) -> Habitat {
        Habitat::new(Some(HeightMap::sample(Vec2::ZERO, 30.0, 5.0, |_, _| -depth)), vec![])
    }

    fn bubbles(settings: &ParticlesSettings, depth: f32) -> Bubbles {
        Bubbles::new(settings, (&[], &flat(depth)), Vec2::ZERO, 1.0, 7)
    }

    fn drift(velocity: Vec3) -> Current {
        Current::from(velocity)
    }

    #[test]
    fn they_come_at_the_mean_rate_and_burst_at_the_surface() {
        let settings = ParticlesSettings {
            bubble_sources: 4,
            bubble_rate_hz: 10.0,
            bubble_size_mm: 12.0,
            ..ParticlesSettings::default()
        };
        let mut bubbles = bubbles(&settings, 8.0);
        // 8 m at about 0.235 m/s take 34 s.
        let (mut sum, mut burst) = (0, 0);
        let mut out = Vec::new();
        for _ in 0..3600 {
            bubbles.step(1.0 / 60.0, &drift(Vec3::new(0.05, 0.0, 0.0)), 1.0);
            sum += bubbles.alive.len();
            burst += bubbles.bursts().len();
            bubbles.extract(0.0, &mut out);
            assert!(out.iter().all(|b| b.position.y < 0.0 && b.position.y > -8.1 && b.flatness <= 1.0));
        }
        let mean = sum as f32 / 3600.0;
        assert!((900.0..1800.0).contains(&mean), "{mean}");
        // 40 a second, for a minute.
        assert!((1800..3000).contains(&burst), "{burst} reached the surface");
        let (low, high) = out.iter().fold((0.0, 0.0), |(l, h): (f32, f32), b| {
            if b.position.y < -6.0 {
                (l.max(b.radius), h)
            } else if b.position.y > -1.0 {
                (l, h.max(b.radius))
            } else {
                (l, h)
            }
        });
        assert!(high > 1.1 * low, "they grow: {low} m deep down, {high} m near the surface");
    }

    #[test]
    fn the_first_moment_has_strings_up_to_the_surface() {
        let settings = ParticlesSettings { bubble_sources: 3, ..ParticlesSettings::default() };
        let bubbles = bubbles(&settings, 6.0);
        let top = bubbles.alive.iter().map(|bubble| bubble.position.y).fold(f32::NEG_INFINITY, f32::max);
        assert!(top > -1.5, "{top}");
    }

    #[test]
    fn their_number_is_bounded_and_none_come_from_nowhere() {
        let many =
            ParticlesSettings { bubble_sources: 200, bubble_rate_hz: 200.0, bubble_size_mm: 0.5, ..Default::default() };
        let mut crowd = bubbles(&many, 30.0);
        for _ in 0..60 {
            crowd.step(1.0 / 60.0, &Current::default(), 1.0);
        }
        crowd.breathe_out(Vec3::new(0.0, -3.0, 0.0), Vec3::ZERO, 1.0);
        assert_eq!(crowd.alive.len(), MAX_BUBBLES);
        assert!(Bubbles::new(&many, (&[], &Habitat::default()), Vec2::ZERO, 1.0, 1).alive.is_empty());
        let silent = ParticlesSettings { bubble_rate_hz: 0.0, ..many };
        assert!(bubbles(&silent, 5.0).alive.is_empty());
    }

    #[test]
    fn vents_breathe_day_and_night_and_plants_under_a_high_sun() {
        let settings = ParticlesSettings { bubble_sources: 0, pearl_rate_hz: 1.0, ..ParticlesSettings::default() };
        let at = |breath, x| BreathingThing { position: Vec3::new(x, -4.0, 0.0), breath };
        let count = |things: &[BreathingThing], sunlight| {
            Bubbles::new(&settings, (things, &Habitat::default()), Vec2::ZERO, sunlight, 3).alive.len()
        };
        let (vent, plant) = (at(Breath::Air, 1.0), at(Breath::Oxygen, 2.0));
        assert!(count(&[vent], 0.0) > 20 && count(&[plant], 1.0) > 5);
        assert_eq!((count(&[plant], 0.0), count(&[at(Breath::None, 0.0)], 1.0)), (0, 0));
        assert_eq!(count(&[at(Breath::Air, 2.0 * FIELD_M)], 1.0), 0, "too far off to be seen");
    }

    #[test]
    fn a_breath_holds_its_air() {
        let mut bubbles = Bubbles::new(&ParticlesSettings::default(), (&[], &Habitat::default()), Vec2::ZERO, 1.0, 5);
        bubbles.breathe_out(Vec3::new(0.0, -5.0, 0.0), Vec3::X, 0.2);
        let volume: f32 = bubbles.alive.iter().map(|b| 523.6 * b.source_diameter.powi(3)).sum();
        assert!((0.1..0.4).contains(&volume), "{volume} L");
        bubbles.breathe_out(Vec3::new(0.0, 0.2, 0.0), Vec3::X, 0.02);
        assert!(bubbles.alive.iter().all(|b| b.position.y < 0.0), "none in the air");
    }
}
