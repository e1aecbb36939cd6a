//! Particles in the water and their causes: bubbles and their rings, sand that animals stir up, plankton that sparks,
//! scales that fall, food that is dropped, and the drift of marine snow.

mod air;
mod bubbles;
pub mod food;
mod rings;
mod sand;
mod scales;
mod sparks;

use glam::{Vec2, Vec3};
use life::{Event, EventKind, Habitat, Population};
use math::{Fnv, splitmix64};
use ocean::Current;
use view::RenderScene;

use crate::ParticlesSettings;

pub use bubbles::BreathingThing;

use bubbles::Bubbles;
use rings::SurfaceRings;
use sand::SandClouds;
use scales::FallenScales;
use sparks::Sparks;

/// Sinking speed of a 2 mm flake: 50 d^0.26 m a day (Alldredge & Gotschalk 1988). Unit: m/s.
pub const SNOW_SINKING_M_S: f32 = 6.9e-4;

/// All moving particles except marine snow, which has no state.
#[derive(Clone, Debug)]
pub struct Particles {
    bubbles: Bubbles,
    rings: SurfaceRings,
    sand: SandClouds,
    sparks: Sparks,
    scales: FallenScales,
}

impl Particles {
    /// Particles at the beginning of a scene: bubbles rise from `things` and out of the ground about `center` (x, z).
    pub fn new(
        settings: &ParticlesSettings,
        places: (&[BreathingThing], &Habitat),
        center: Vec2,
        sunlight: f32,
        seed: u64,
    ) -> Self {
        Self {
            bubbles: Bubbles::new(settings, places, center, sunlight, splitmix64(seed, 0)),
            rings: SurfaceRings::default(),
            sand: SandClouds::new(settings.sand_clouds, splitmix64(seed, 1)),
            sparks: Sparks::new(settings.emissive_share, splitmix64(seed, 2)),
            scales: FallenScales::new(splitmix64(seed, 3)),
        }
    }

    /// Steps by `dt` seconds after `population` has, in moving water; `sunlight` is the share of light that plants get,
    /// 0..=1. `mouth` gives the position at which an animal breathes out, if its model has a place for that.
    pub fn step(
        &mut self,
        dt: f32,
        (current, sunlight): (&Current, f32),
        population: &Population,
        mouth: impl Fn(&Event) -> Option<Vec3>,
    ) {
        for event in population.events() {
            match event.kind {
                EventKind::Exhale => {
                    let place = mouth(event).unwrap_or(event.position);
                    self.bubbles.breathe_out(place, event.velocity, event.volume_l);
                }
                EventKind::Bite | EventKind::Void | EventKind::Settle => {
                    self.sand.stir(event, population.habitat().floor_m(event.position.x, event.position.z));
                }
                EventKind::Strike => {
                    self.scales.shed(event, population.habitat().floor_m(event.position.x, event.position.z));
                }
            }
        }
        self.bubbles.step(dt, current, sunlight);
        self.rings.step(dt, self.bubbles.bursts());
        self.sand.step(dt, current);
        self.sparks.step(dt, current, population);
        self.scales.step(dt, current);
    }

    /// Fills `out` with all particles as they were `ago_s` seconds before the last step.
    pub fn extract(&self, ago_s: f32, current: &Current, out: &mut RenderScene) {
        self.bubbles.extract(ago_s, &mut out.bubbles);
        self.scales.extract(ago_s, current, &mut out.bubbles);
        self.rings.extract(ago_s, &mut out.rings);
        self.sand.extract(ago_s, current, &mut out.sand);
        self.sparks.extract(ago_s, &mut out.sparks);
    }

    /// Hash of the particles' positions, continuing from `hash`.
    pub fn hash(&self, hash: u64) -> u64 {
        let mut hash = Fnv::resume(hash);
        self.bubbles.hash(&mut hash);
        self.sand.hash(&mut hash);
        self.scales.hash(&mut hash);
        hash.finish()
    }
}
