//! Photons from the sun or the sky, followed through a deep, level, homogeneous sea.
//!
//! A photon is a weight: the irradiance that it brings through each square metre of the sea. It flies from scattering to
//! scattering, is mirrored by the surface as Fresnel says, and absorption wears its weight down. Planes count what
//! crosses them. Eyes count at each scattering what goes their way and is not lost before it arrives: so a photon lights
//! all depths and all eyes, and the sun's narrow beam needs no luck to be hit.

use std::f64::consts::PI;

use glam::DVec3;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::phase::Phase;

/// Index of refraction of the sea, the same for all light. Unit: 1.
pub const REFRACTIVE_INDEX: f64 = 1.34;

/// Half the sun's width. Unit: rad.
const SUN_RADIUS: f64 = 0.265 * PI / 180.0;

/// Ways in which the light flies that the eyes see: the eyes look down, level toward the sun's azimuth, across it and
/// away from it, and up at 60 degrees from the zenith across it, out of Snell's window. The last way is the one that the
/// surface mirrors into that eye.
const WAYS: [DVec3; 6] = [
    DVec3::Y,
    DVec3::NEG_X,
    DVec3::NEG_Z,
    DVec3::X,
    DVec3::new(0.0, -0.5, -0.866_025_403_784_438_6),
    DVec3::new(0.0, 0.5, -0.866_025_403_784_438_6),
];

/// Photons more, of each scattering, that are sent about as the particles would scatter one of [`WAYS`]. Eyes look near
/// the forward peak of few photons, and those count for much; more of them, each counting for less, are less noise.
const SENT_TO_EYES: f64 = 0.2;
/// Weight, as a share of what is usual at its depth, under which a photon is likely to be given up.
const MIN_WEIGHT: f64 = 0.03;
/// Reduction of [`MIN_WEIGHT`] near an eye's way: a factor of one over one plus this times the density toward eyes. Unit: sr.
const LIGHTER_NEAR_EYES: f64 = 10.0;
/// Chance that such a photon flies on, for all those that do not.
const SURVIVAL: f64 = 0.25;
/// Optical depth beyond which eyes see nothing. Unit: 1.
const FAR: f64 = 14.0;

/// Water at one wavelength. Unit: 1/m.
#[derive(Clone, Copy, Debug)]
pub struct Water {
    /// Absorption a.
    pub absorption: f64,
    /// Scattering b, all of it.
    pub scattering: f64,
    /// Of that, what the molecules scatter.
    pub molecular: f64,
}

/// Source of light.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The sun, so many degrees above the horizon toward +x, that brings an irradiance of 1 to a plane facing it.
    Sun(f64),
    /// A sky of radiance 1 everywhere.
    Sky,
}

/// Planes that count irradiance, below the surface.
pub const PLANES: usize = 9;
/// Depths with eyes and upright planes.
pub const EYES: usize = 3;

/// Depths at which light is counted. Unit: m.
#[derive(Clone, Copy, Debug)]
pub struct Depths {
    /// Of the level planes.
    pub planes: [f64; PLANES],
    /// Of eyes and upright planes.
    pub eyes: [f64; EYES],
    /// Half the height over which level eyes and upright planes take their mean.
    pub half_height: f64,
}

/// Counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Light {
    /// Irradiance of planes that look up: first just below the surface, then [`Depths::planes`].
    pub downwelling: [f64; PLANES + 1],
    /// Irradiance of planes that look down, at the same depths.
    pub upwelling: [f64; PLANES + 1],
    /// Radiance at eyes that look down, level toward, across and away from the sun, and up outside the window. Unit: 1/sr.
    pub radiance: [[f64; 5]; EYES],
    /// Irradiance of upright planes that face toward, across and away from the sun.
    pub upright: [[f64; 3]; EYES],
    /// Absorbed by the water.
    pub absorbed: f64,
    /// Gone out through the surface.
    pub escaped: f64,
}

impl Light {
    /// Each number made out of two lights'.
    pub fn combine(mut self, mut other: Self, with: impl Fn(f64, f64) -> f64) -> Self {
        for (value, other) in self.values().zip(other.values()) {
            *value = with(*value, *other);
        }
        self
    }

    fn values(&mut self) -> impl Iterator<Item = &mut f64> {
        let planes = self.downwelling.iter_mut().chain(&mut self.upwelling);
        let eyes = self.radiance.iter_mut().flatten().chain(self.upright.iter_mut().flatten());
        planes.chain(eyes).chain([&mut self.absorbed, &mut self.escaped])
    }
}

/// Light and its standard error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate {
    pub mean: Light,
    pub error: Light,
}

/// A sea and where its light is counted.
pub struct Sea<'a> {
    pub water: Water,
    pub particles: &'a Phase,
    pub molecules: &'a Phase,
    pub depths: Depths,
}

/// A photon on its way.
struct Photon {
    depth_m: f64,
    direction: DVec3,
    weight: f64,
    /// Of the light sent to the eyes, what goes in its direction. Unit: 1/sr.
    to_eyes: f64,
}

impl Sea<'_> {
    /// The light of one source, by so many photons.
    pub fn light(&self, source: Source, photons: usize, seed: u64) -> Estimate {
        const BATCHES: usize = 10;
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let (mut sum, mut squares) = (Light::default(), Light::default());
        for _ in 0..BATCHES {
            let mut batch = Light::default();
            let size = photons.div_ceil(BATCHES);
            for _ in 0..size {
                self.follow(source, &mut random, &mut batch);
            }
            sum = sum.combine(batch, |sum, value| sum + value / size as f64);
            squares = squares.combine(batch, |sum, value| sum + (value / size as f64).powi(2));
        }
        let count = BATCHES as f64;
        Estimate {
            mean: sum.combine(sum, |sum, _| sum / count),
            error: sum.combine(squares, |sum, squares| {
                ((squares / count - (sum / count).powi(2)).max(0.0) / (count - 1.0)).sqrt()
            }),
        }
    }

    /// Attenuation c = a + b. Unit: 1/m.
    fn attenuation(&self) -> f64 {
        self.water.absorption + self.water.scattering
    }

    /// Rate at which photons are made to scatter: in clear water more often than they would, each time with less of their
    /// weight. Unit: 1/m.
    fn collisions(&self) -> f64 {
        self.water.scattering.max(0.5 * self.attenuation())
    }

    /// Loss of weight on its way between collisions, so that all is as it would be. Unit: 1/m.
    fn loss(&self) -> f64 {
        self.attenuation() - self.collisions()
    }

    /// A phase function of particles and molecules together.
    fn mixed(&self, value: impl Fn(&Phase) -> f64) -> f64 {
        let molecular = if self.water.scattering > 0.0 { self.water.molecular / self.water.scattering } else { 0.0 };
        molecular * value(self.molecules) + (1.0 - molecular) * value(self.particles)
    }

    /// Of what goes in a direction, the part in the cone of the eye that sees light fly `way`. Unit: 1/sr.
    fn seen(&self, direction: DVec3, way: DVec3) -> f64 {
        self.mixed(|phase| phase.seen(direction.dot(way)))
    }

    /// Weight that is usual at a depth (m), as a share of that at the surface: light falls as Kirk (1984, Limnol. Oceanogr.
    /// 29:350) says, and what is below the last plane counts for little. Where it is wrong, there is noise and no error.
    fn usual_weight(&self) -> impl Fn(f64) -> f64 {
        let Water { absorption: a, scattering: b, .. } = self.water;
        let fall = 1.1 * (a * a + 0.256 * a * b).sqrt();
        let counted = self.depths.planes.iter().chain(&self.depths.eyes).filter(|&&depth_m| fall * depth_m < 9.0);
        let last = counted.copied().fold(0.0, f64::max);
        move |depth_m| (-fall * if depth_m < last { depth_m } else { 2.0 * last - depth_m }).exp()
    }

    fn follow(&self, source: Source, random: &mut impl Rng, light: &mut Light) {
        let usual_weight = self.usual_weight();
        let (direction, start) = enter(source, random);
        light.downwelling[0] += start;
        let mut flying = vec![Photon { depth_m: 0.0, direction, weight: start, to_eyes: 0.0 }];
        while let Some(mut photon) = flying.pop() {
            loop {
                let least = MIN_WEIGHT * start * usual_weight(photon.depth_m);
                if photon.weight < least / (1.0 + LIGHTER_NEAR_EYES * photon.to_eyes) {
                    if random.random::<f64>() > SURVIVAL {
                        break;
                    }
                    photon.weight /= SURVIVAL;
                }
                let free = -(1.0 - random.random::<f64>()).ln() / self.collisions();
                let to_surface =
                    if photon.direction.y > 0.0 { photon.depth_m / photon.direction.y } else { f64::INFINITY };
                let flight = free.min(to_surface);
                self.count_flight(&photon, flight, light);
                photon.weight *= (-self.loss() * flight).exp();
                if to_surface <= free {
                    mirror(&mut photon, light);
                } else {
                    photon.depth_m -= photon.direction.y * flight;
                    photon.weight *= self.water.scattering / self.collisions();
                    self.count_scattering(&photon, light);
                    flying.extend(self.scatter(&mut photon, random));
                }
            }
        }
    }

    /// Turns a photon, and at times sends another to the eyes. Each direction may come about both ways, and counts by the
    /// share that its way has in that (the balance heuristic of Veach & Guibas 1995).
    fn scatter(&self, photon: &mut Photon, random: &mut impl Rng) -> Option<Photon> {
        let photon_to = |direction: DVec3| {
            let scattered = self.mixed(|phase| phase.value(photon.direction.dot(direction)));
            let sent = |way: &DVec3| self.particles.value(direction.dot(*way)) / WAYS.len() as f64;
            let to_eyes: f64 = WAYS.iter().map(sent).sum();
            let share = scattered / (scattered + SENT_TO_EYES * to_eyes);
            Photon { direction, weight: photon.weight * share, to_eyes, ..*photon }
        };
        let sent = (random.random::<f64>() < SENT_TO_EYES).then(|| {
            let way = WAYS[random.random_range(0..WAYS.len())];
            photon_to(turned(way, self.particles, random))
        });
        let molecular = random.random::<f64>() * self.water.scattering < self.water.molecular;
        let phase = if molecular { self.molecules } else { self.particles };
        *photon = photon_to(turned(photon.direction, phase, random));
        sent
    }

    /// Counts what crosses the planes, and what level eyes see of all that is scattered along the way.
    fn count_flight(&self, photon: &Photon, flight: f64, light: &mut Light) {
        let Photon { depth_m, direction, weight, .. } = *photon;
        let loss = self.loss();
        let fall = -direction.y;
        let end = depth_m + fall * flight;
        let (highest, lowest) = (depth_m.min(end), depth_m.max(end));
        for (i, &plane) in self.depths.planes.iter().enumerate() {
            if plane > highest && plane <= lowest {
                let there = weight * (-loss * (plane - depth_m) / fall).exp();
                let side = if fall > 0.0 { &mut light.downwelling } else { &mut light.upwelling };
                side[i + 1] += there;
            }
        }
        // Length of a stretch, worn down by what is lost on the way to its parts.
        let stretch = |from: f64, to: f64| {
            let lost = loss * (to - from);
            weight * (-loss * from).exp() * (to - from) * if lost < 1e-9 { 1.0 } else { -(-lost).exp_m1() / lost }
        };
        light.absorbed += self.water.absorption * stretch(0.0, flight);
        for (i, &eye) in self.depths.eyes.iter().enumerate() {
            let (top, bottom) = (eye - self.depths.half_height, eye + self.depths.half_height);
            if lowest <= top || highest >= bottom {
                continue;
            }
            let (at_top, at_bottom) = ((top - depth_m) / fall, (bottom - depth_m) / fall);
            let from = at_top.min(at_bottom).max(0.0);
            let to = at_top.max(at_bottom).min(flight);
            // Light in each square metre of the layer's height.
            let here = stretch(from, to) / (bottom - top);
            let scattered = here * self.water.scattering / self.attenuation();
            for (seen, way) in light.radiance[i].iter_mut().zip(WAYS).take(4).skip(1) {
                *seen += scattered * self.seen(direction, way);
            }
            light.upright[i][0] += here * (-direction.x).max(0.0);
            light.upright[i][1] += here * 0.5 * direction.z.abs();
            light.upright[i][2] += here * direction.x.max(0.0);
        }
    }

    /// Counts what the eyes that look down and up see of a scattering.
    fn count_scattering(&self, photon: &Photon, light: &mut Light) {
        let [down, up, mirrored] =
            [WAYS[0], WAYS[4], WAYS[5]].map(|way| photon.weight * self.seen(photon.direction, way));
        let arrives = |optical_depth: f64| {
            if (0.0..FAR).contains(&optical_depth) { (-optical_depth).exp() } else { 0.0 }
        };
        // A ray up at 60 degrees goes twice as far as deep.
        let c = self.attenuation();
        for (seen, &eye) in light.radiance.iter_mut().zip(&self.depths.eyes) {
            let above = photon.depth_m - eye;
            seen[0] += down * arrives(c * above);
            seen[4] += 2.0 * up * arrives(-2.0 * c * above);
            seen[4] += 2.0 * mirrored * arrives(2.0 * c * (eye + photon.depth_m));
        }
    }
}

/// A photon's direction just below the surface, and the weight that came through it.
fn enter(source: Source, random: &mut impl Rng) -> (DVec3, f64) {
    let azimuth = 2.0 * PI * random.random::<f64>();
    let (toward, irradiance) = match source {
        Source::Sun(elevation_deg) => {
            let (sine, cosine) = elevation_deg.to_radians().sin_cos();
            let off = SUN_RADIUS * random.random::<f64>().sqrt();
            let toward = about(DVec3::new(cosine, sine, 0.0), off.cos(), azimuth);
            (toward, toward.y)
        }
        Source::Sky => (about(DVec3::Y, random.random::<f64>().sqrt(), azimuth), PI),
    };
    let level = -DVec3::new(toward.x, 0.0, toward.z) / REFRACTIVE_INDEX;
    let direction = level - DVec3::Y * (1.0 - level.length_squared()).sqrt();
    (direction, irradiance * (1.0 - fresnel(toward.y, 1.0 / REFRACTIVE_INDEX)))
}

/// Sends a photon that reaches the surface down again, less what goes out.
fn mirror(photon: &mut Photon, light: &mut Light) {
    let reflectance = fresnel(photon.direction.y, REFRACTIVE_INDEX);
    light.upwelling[0] += photon.weight;
    light.escaped += photon.weight * (1.0 - reflectance);
    photon.depth_m = 0.0;
    photon.direction.y = -photon.direction.y;
    photon.weight *= reflectance;
    light.downwelling[0] += photon.weight;
}

/// Reflectance of a level surface for unpolarised light; `ratio` is the index of refraction on the light's side over that
/// on the other.
pub fn fresnel(cosine: f64, ratio: f64) -> f64 {
    let sine_squared = ratio * ratio * (1.0 - cosine * cosine);
    if sine_squared >= 1.0 {
        return 1.0;
    }
    let refracted = (1.0 - sine_squared).sqrt();
    let across = (ratio * cosine - refracted) / (ratio * cosine + refracted);
    let along = (cosine - ratio * refracted) / (cosine + ratio * refracted);
    0.5 * (across * across + along * along)
}

fn turned(direction: DVec3, phase: &Phase, random: &mut impl Rng) -> DVec3 {
    about(direction, phase.turn(random.random::<f64>()), 2.0 * PI * random.random::<f64>())
}

/// The direction at an angle of this cosine off `axis`.
fn about(axis: DVec3, cosine: f64, azimuth: f64) -> DVec3 {
    let (across, along) = axis.any_orthonormal_pair();
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    (cosine * axis + sine * (azimuth.cos() * across + azimuth.sin() * along)).normalize()
}
