//! Bubbles that rise from the ground, and the drift of marine snow.
//!
//! Rise speeds are those of contaminated bubbles, as in any natural sea: Grace's correlation for ellipsoids, the drag
//! law of small spheres below a millimetre, Davies and Taylor's caps above 18 mm (Clift, Grace & Weber 1978, for air
//! in sea water of 20 °C, whose viscosity is 1.08 mPa s).

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use math::Fnv;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::life::Habitat;
use crate::ocean::{Current, GRAVITY_M_S2, SEA_WATER_DENSITY_KG_M3, SURFACE_TENSION_N_M};
use crate::scene::{Bubble, ParticlesSettings};

/// Bubbles alive at once at most; sources fall silent beyond it.
pub const MAX_BUBBLES: usize = 4096;

/// Terminal velocity by diameter: mm, cm/s.
const TERMINAL: [(f32, f32); 17] = [
    (0.0, 0.0),
    (0.1, 0.5),
    (0.2, 1.6),
    (0.3, 2.8),
    (0.5, 5.4),
    (0.7, 8.0),
    (0.9, 10.4),
    (1.0, 11.6),
    (1.3, 14.5),
    (2.0, 19.6),
    (3.0, 25.1),
    (4.0, 24.6),
    (5.0, 24.1),
    (8.0, 23.1),
    (10.0, 22.5),
    (15.0, 21.6),
    (CAP_MM, 29.9),
];

/// Diameter above which bubbles are spherical caps. Unit: mm.
const CAP_MM: f32 = 18.0;

/// Depth over which the water adds one atmosphere. Unit: m.
const ATMOSPHERE_M: f32 = 10.0;

/// Period of the zigzag of ellipsoidal bubbles. Unit: s.
const ZIGZAG_S: f32 = 0.18;

/// Radius of the disc in which sources stand. Unit: m.
const FIELD_M: f32 = 14.0;

/// Sinking speed of a 2 mm flake: 50 d^0.26 m a day (Alldredge & Gotschalk 1988). Unit: m/s.
pub const SNOW_SINKING_M_S: f32 = 6.9e-4;

/// Terminal velocity of a bubble of the given diameter (m) in sea water. Unit: m/s.
pub fn terminal_velocity(diameter_m: f32) -> f32 {
    let mm = diameter_m * 1000.0;
    if mm >= CAP_MM {
        return 0.711 * (GRAVITY_M_S2 * diameter_m).sqrt();
    }
    let above = TERMINAL.partition_point(|&(d, _)| d <= mm).clamp(1, TERMINAL.len() - 1);
    let ((d0, v0), (d1, v1)) = (TERMINAL[above - 1], TERMINAL[above]);
    0.01 * (v0 + (v1 - v0) * ((mm - d0) / (d1 - d0)).max(0.0))
}

/// Height over width of a bubble of the given diameter (m): Wellek's fit for contaminated drops, by Eötvös number.
pub fn flatness(diameter_m: f32) -> f32 {
    let eotvos = GRAVITY_M_S2 * SEA_WATER_DENSITY_KG_M3 * diameter_m * diameter_m / SURFACE_TENSION_N_M;
    (1.0 / (1.0 + 0.163 * eotvos.powf(0.757))).max(0.35)
}

/// Diameter at `depth` of a bubble that has `diameter` at `from_depth`, all in metres: its volume follows pressure.
pub fn grown(diameter: f32, from_depth: f32, depth: f32) -> f32 {
    diameter * ((1.0 + from_depth / ATMOSPHERE_M) / (1.0 + depth.max(0.0) / ATMOSPHERE_M)).cbrt()
}

/// A hole in the ground that breathes air.
#[derive(Clone, Debug)]
struct BubbleSource {
    position: Vec3,
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
    /// Through the water. Unit: m/s.
    velocity: Vec3,
    /// Diameter at its source. Unit: m.
    source_diameter: f32,
    /// Depth of its source. Unit: m.
    source_depth: f32,
    age_s: f32,
    /// Phase of its zigzag at birth. Unit: rad.
    phase: f32,
}

impl RisingBubble {
    /// Diameter at its depth. Unit: m.
    fn diameter(&self) -> f32 {
        grown(self.source_diameter, self.source_depth, -self.position.y)
    }
}

/// All bubbles of a scene.
#[derive(Clone, Debug)]
pub struct Bubbles {
    rate_hz: f32,
    diameter_m: f32,
    sources: Vec<BubbleSource>,
    alive: Vec<RisingBubble>,
    rng: Pcg64Mcg,
}

impl Bubbles {
    /// Puts the sources on the ground about `center` (x, z) and lets the air reach the surface. Without a ground there
    /// are no sources.
    pub fn new(settings: &ParticlesSettings, habitat: &Habitat, center: Vec2, seed: u64) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let rate_hz = settings.bubble_rate_hz.max(0.0);
        let wanted = if rate_hz > 0.0 { settings.bubble_sources } else { 0 };
        let places = (0..wanted).filter_map(|_| place(habitat, center, &mut rng)).collect::<Vec<_>>();
        let sources =
            places.into_iter().map(|position| BubbleSource { position, wait_s: 3.0 * rng.random::<f32>(), left: 0 });
        let diameter_m = 0.001 * settings.bubble_size_mm.max(0.1);
        let mut bubbles = Self { rate_hz, diameter_m, sources: sources.collect(), alive: Vec::new(), rng };
        let deepest = bubbles.sources.iter().map(|source| -source.position.y).fold(0.0, f32::max);
        let rise_s = (deepest / terminal_velocity(0.7 * diameter_m)).clamp(0.0, 90.0);
        for _ in 0..(rise_s * 15.0) as u32 {
            bubbles.step(1.0 / 15.0, Vec3::ZERO);
        }
        bubbles
    }

    /// Moves on by `dt` seconds in moving water.
    pub fn step(&mut self, dt: f32, current: impl Into<Current>) {
        let current = current.into();
        for bubble in &mut self.alive {
            bubble.age_s += dt;
            let rise = terminal_velocity(bubble.diameter());
            // Added mass is half the water displaced: a bubble is at speed within centimetres.
            bubble.velocity.y += (rise - bubble.velocity.y) * (dt / (0.05 + dt));
            bubble.position += (bubble.velocity + current.velocity(bubble.position)) * dt;
        }
        self.alive.retain(|bubble| bubble.position.y < -0.5 * bubble.diameter());
        for source in &mut self.sources {
            source.wait_s -= dt;
            while source.wait_s <= 0.0 {
                let rng = &mut self.rng;
                if source.left == 0 {
                    // A burst of one to three seconds at two and a half times the mean rate, then a pause that makes up.
                    let burst_s = 1.0 + 2.0 * rng.random::<f32>();
                    source.left = ((2.5 * self.rate_hz * burst_s).round() as u32).max(1);
                    source.wait_s += 0.6 * source.left as f32 / self.rate_hz;
                    continue;
                }
                source.left -= 1;
                source.wait_s += (0.7 + 0.6 * rng.random::<f32>()) * 0.4 / self.rate_hz;
                if self.alive.len() < MAX_BUBBLES {
                    let mut side = || 0.03 * (rng.random::<f32>() - 0.5);
                    let velocity = Vec3::new(side(), 0.0, side());
                    self.alive.push(RisingBubble {
                        position: source.position + 0.5 * velocity,
                        velocity,
                        source_diameter: self.diameter_m * (0.6 + 0.8 * rng.random::<f32>()),
                        source_depth: -source.position.y,
                        age_s: 0.0,
                        phase: TAU * rng.random::<f32>(),
                    });
                }
            }
        }
    }

    /// Replaces the content of `out` by the bubbles as they were `ago_s` seconds before the last step.
    pub fn extract(&self, ago_s: f32, current: &Current, out: &mut Vec<Bubble>) {
        out.clear();
        out.extend(self.alive.iter().map(|bubble| {
            let diameter = bubble.diameter();
            let turn = bubble.phase + TAU / ZIGZAG_S * (bubble.age_s - ago_s);
            let (sin, cos) = turn.sin_cos();
            let swing = zigzag(diameter);
            Bubble {
                position: bubble.position - (bubble.velocity + current.velocity(bubble.position)) * ago_s
                    + swing * Vec3::new(cos, 0.0, 0.6 * sin),
                radius: 0.5 * diameter,
                flatness: flatness(diameter),
                wobble: turn.rem_euclid(TAU),
            }
        }));
    }

    /// Number of bubbles in the water.
    pub fn len(&self) -> usize {
        self.alive.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.alive.is_empty()
    }

    /// Hash of where they are, going on from `hash`.
    pub fn hash(&self, hash: u64) -> u64 {
        let mut hash = Fnv::resume(hash);
        self.alive.iter().flat_map(|bubble| bubble.position.to_array()).for_each(|part| hash.word(part.to_bits()));
        hash.finish()
    }
}

/// Half the width of the zigzag of a bubble of the given diameter, both in metres: none below 0.7 mm, where they rise
/// straight, and fading above 8 mm.
fn zigzag(diameter: f32) -> f32 {
    let mm = 1000.0 * diameter;
    0.9 * diameter * ((mm - 0.7) / 0.6).clamp(0.0, 1.0) * ((14.0 - mm) / 6.0).clamp(0.0, 1.0)
}

/// A clear place on the ground.
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
    use super::*;
    use crate::life::HeightMap;

    fn flat(depth: f32) -> Habitat {
        Habitat::new(Some(HeightMap::sample(Vec2::ZERO, 30.0, 5.0, |_, _| -depth)), vec![])
    }

    #[test]
    fn terminal_velocities_are_those_of_the_table_and_rise_between() {
        for (mm, cm_s) in [(0.5, 5.4), (1.0, 11.6), (3.0, 25.1), (10.0, 22.5), (15.0, 21.6), (50.0, 49.8)] {
            let found = 100.0 * terminal_velocity(0.001 * mm);
            assert!((found - cm_s).abs() < 0.6, "{mm} mm: {found} cm/s");
        }
        assert_eq!(terminal_velocity(0.0), 0.0);
        assert!(terminal_velocity(0.0025) > terminal_velocity(0.002));
    }

    #[test]
    fn a_bubble_of_3_mm_from_20_m_arrives_with_4_3() {
        assert!((grown(0.003, 20.0, 0.0) - 0.0043).abs() < 5e-5);
        assert_eq!(grown(0.003, 20.0, 20.0), 0.003);
    }

    #[test]
    fn small_bubbles_are_round_and_large_ones_flat() {
        assert!(flatness(0.0005) > 0.98);
        assert!((0.55..0.75).contains(&flatness(0.006)));
        assert_eq!(flatness(0.05), 0.35);
        assert_eq!(zigzag(0.0005), 0.0);
        assert!(zigzag(0.004) > 0.003);
    }

    #[test]
    fn they_come_at_the_mean_rate_and_burst_at_the_surface() {
        let settings = ParticlesSettings { bubble_sources: 4, bubble_rate_hz: 10.0, ..ParticlesSettings::default() };
        let mut bubbles = Bubbles::new(&settings, &flat(8.0), Vec2::ZERO, 7);
        // 8 m at about 0.235 m/s take 34 s.
        let mut sum = 0;
        let mut out = Vec::new();
        for _ in 0..3600 {
            bubbles.step(1.0 / 60.0, Vec3::new(0.05, 0.0, 0.0));
            sum += bubbles.len();
            bubbles.extract(0.0, &Current::default(), &mut out);
            assert!(out.iter().all(|b| b.position.y < 0.0 && b.position.y > -8.1 && b.flatness <= 1.0));
        }
        let mean = sum as f32 / 3600.0;
        assert!((900.0..1800.0).contains(&mean), "{mean}");
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
        let bubbles = Bubbles::new(&ParticlesSettings::default(), &flat(6.0), Vec2::ZERO, 1);
        let top = bubbles.alive.iter().map(|bubble| bubble.position.y).fold(f32::NEG_INFINITY, f32::max);
        assert!(top > -1.5, "{top}");
    }

    #[test]
    fn their_number_is_bounded_and_none_come_from_nowhere() {
        let many =
            ParticlesSettings { bubble_sources: 200, bubble_rate_hz: 200.0, bubble_size_mm: 0.5, ..Default::default() };
        let mut bubbles = Bubbles::new(&many, &flat(30.0), Vec2::ZERO, 1);
        for _ in 0..60 {
            bubbles.step(1.0 / 60.0, Vec3::ZERO);
        }
        assert_eq!(bubbles.len(), MAX_BUBBLES);
        assert!(Bubbles::new(&many, &Habitat::default(), Vec2::ZERO, 1).is_empty());
        let silent = ParticlesSettings { bubble_rate_hz: 0.0, ..many };
        assert!(Bubbles::new(&silent, &flat(5.0), Vec2::ZERO, 1).is_empty());
    }
}
