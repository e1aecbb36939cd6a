//! Radiance in bottomless water under a calm surface, at one wavelength: discrete ordinates, iterated over orders of
//! scattering.
//!
//! The light that particles scatter within the forward peak is counted with the ray it came from (delta-M: Wiscombe
//! 1977), so that sixteen Legendre moments hold the rest; single scattering of the beam is worked out with the whole
//! phase function (Nakajima & Tanaka 1988). Radiance is a Fourier series in azimuth from the key light's; directions
//! are those that light *comes from*, as an eye sees them, by the cosine of the zenith angle.

use std::f64::consts::TAU;

use crate::optics::{self, REFRACTIVE_INDEX};
use crate::phase::{Lobes, molecular, molecular_moment};

const INDEX: f64 = REFRACTIVE_INDEX as f64;

/// Legendre moments of a phase function that are kept.
const MOMENTS: usize = 16;
/// Terms of the Fourier series in azimuth.
const ORDERS: usize = 6;
/// Directions in a hemisphere: four from the horizon to the rim of Snell's window, four within it.
const STREAMS: usize = 8;
/// Layers of water.
const LAYERS: usize = 40;
/// Diffuse attenuation lengths from the surface to the lowest layer.
const DEEPEST: f64 = 9.0;
/// Greatest number of orders of scattering: water that scatters and does not absorb would need endless ones.
const MAX_ORDERS: usize = 150;
/// Share of the light below which the next order of scattering is not worth while.
const CONVERGED: f64 = 1e-4;

/// Gauss and Legendre's points and weights on 0..1.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_7, 0.173_927_422_568_726_9),
    (0.330_009_478_207_571_9, 0.326_072_577_431_273_1),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_1),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_9),
];

/// Coefficients of a Fourier series whose terms are series of associated Legendre functions.
type Moments = [[f64; MOMENTS]; ORDERS];

/// Inherent optical properties at one wavelength. Unit: 1/m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// Absorption.
    pub absorption: f64,
    /// Scattering by particles.
    pub particles: f64,
    /// Scattering by the water's own molecules.
    pub molecules: f64,
}

impl Water {
    /// Diffuse attenuation of a high sun, near enough to lay out the layers by (Gordon 1989).
    fn diffuse_attenuation(self, lobes: &Lobes) -> f64 {
        let back = 0.5 * self.molecules + lobes.backscatter().clamp(0.01, 1.0) * self.particles;
        (1.04 / 0.9 * (self.absorption + back)).max(1e-4)
    }
}

/// Source of the light above the water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Incident {
    /// A beam of irradiance 1 just below the surface, on a plane that faces it; by the cosine of its zenith angle
    /// there.
    Beam(f64),
    /// A sky of radiance 1 everywhere.
    Sky,
}

/// A direction that light comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// Cosine of the zenith angle: 1 straight up.
    pub up: f64,
    /// Azimuth from the key light's. Unit: rad.
    pub azimuth: f64,
}

impl Direction {
    /// Cosine of the angle to a beam whose zenith angle has the cosine `beam`.
    pub fn cos_to_beam(self, beam: f64) -> f64 {
        let across = ((1.0 - self.up * self.up) * (1.0 - beam * beam)).max(0.0).sqrt();
        self.up * beam + across * self.azimuth.cos()
    }
}

/// Radiance from one direction and its source, at each depth of a [`Field`].
#[derive(Clone, Debug, PartialEq)]
pub struct Ray {
    /// Radiance but for the unscattered beam and its forward peak.
    pub radiance: Vec<f64>,
    /// Radiance that a metre of water adds, but for the beam's light scattered by the narrow lobes. Unit: 1/m.
    pub source: Vec<f64>,
}

/// The light in the water, by depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The depths. Unit: m.
    pub depths: Vec<f64>,
    water: Water,
    lobes: Lobes,
    incident: Incident,
    scaled: Scaled,
    /// Moments at each depth.
    moments: Vec<Moments>,
    /// Terms of the Fourier series of radiance, for each depth and each direction of [`streams`].
    radiance: Vec<[[f64; 2 * STREAMS]; ORDERS]>,
}

/// Water whose particles' forward peak is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scaled {
    /// Share of the particles' scattering that the peak holds.
    peak: f64,
    attenuation: f64,
    scattering: f64,
    /// Legendre moments of the remaining phase function, particles and molecules together, each times (2 l + 1).
    moments: [f64; MOMENTS],
}

impl Scaled {
    fn new(water: Water, lobes: &Lobes) -> Self {
        // A backward peak has odd moments of the other sign: then there is none forward.
        let peak = lobes.moment(MOMENTS).min(lobes.moment(MOMENTS - 1)).clamp(0.0, 0.99);
        let particles = water.particles * (1.0 - peak);
        let scattering = particles + water.molecules;
        let moment = |l: usize| {
            let of_particles = (lobes.moment(l) - peak) / (1.0 - peak);
            let both = particles * of_particles + water.molecules * molecular_moment(l);
            (2 * l + 1) as f64 * both / scattering.max(1e-12)
        };
        Self { peak, attenuation: water.absorption + scattering, scattering, moments: std::array::from_fn(moment) }
    }
}

/// Cosine of the zenith angle and weight of each direction, those from above first.
fn streams() -> [(f64, f64); 2 * STREAMS] {
    let rim = (1.0 - INDEX.powi(-2)).sqrt();
    std::array::from_fn(|i| {
        let (point, weight) = GAUSS[i % 4];
        let (from, to) = if (i % STREAMS) < 4 { (0.0, rim) } else { (rim, 1.0) };
        let sign = if i < STREAMS { 1.0 } else { -1.0 };
        (sign * (from + (to - from) * point), (to - from) * weight)
    })
}

/// The associated Legendre functions of one order, normalised so that they need no factorials; 0 where l < `order`.
fn associated_legendre(order: usize, x: f64) -> [f64; MOMENTS] {
    let mut values = [0.0; MOMENTS];
    let sine = (1.0 - x * x).max(0.0).sqrt();
    let m = order as f64;
    values[order] = (1..=order).map(|k| sine * ((2 * k - 1) as f64 / (2 * k) as f64).sqrt()).product();
    for l in order + 1..MOMENTS {
        let degree = l as f64;
        let before = if l > order + 1 { ((degree - 1.0).powi(2) - m * m).sqrt() * values[l - 2] } else { 0.0 };
        values[l] = ((2.0 * degree - 1.0) * x * values[l - 1] - before) / (degree * degree - m * m).sqrt();
    }
    values
}

/// Associated Legendre functions of all orders.
fn functions(x: f64) -> Moments {
    std::array::from_fn(|m| associated_legendre(m, x))
}

/// Radiance after `path` metres that attenuate by `c`, on which the source goes from `first` to `last`.
fn along(radiance: f64, first: f64, last: f64, c: f64, path: f64) -> f64 {
    let thickness = c * path;
    let left = (-thickness).exp();
    let (of_first, of_last) = if thickness < 1e-3 {
        (0.5 * thickness, 0.5 * thickness)
    } else {
        let mean = (1.0 - left) / thickness;
        (mean - left, 1.0 - mean)
    };
    radiance * left + (of_first * first + of_last * last) / c.max(1e-12)
}

/// Depths of the layers of a [`Field`]: the same shares of the distance that light goes in any water. Unit: m.
pub fn layers(water: Water, lobes: &Lobes) -> Vec<f64> {
    let deepest = DEEPEST / water.diffuse_attenuation(lobes);
    (0..=LAYERS).map(|k| deepest * (k as f64 / LAYERS as f64).powi(2)).collect()
}

impl Field {
    /// The field that `incident` light makes in `water`.
    pub fn new(water: Water, lobes: Lobes, incident: Incident) -> Self {
        let scaled = Scaled::new(water, &lobes);
        let depths = layers(water, &lobes);
        let mut field = Self {
            water,
            lobes,
            incident,
            scaled,
            moments: vec![[[0.0; MOMENTS]; ORDERS]; depths.len()],
            radiance: vec![[[0.0; 2 * STREAMS]; ORDERS]; depths.len()],
            depths,
        };
        field.iterate();
        field
    }

    /// Orders of the Fourier series that are not 0: the sky is the same all round.
    fn orders(&self) -> usize {
        if self.incident == Incident::Sky { 1 } else { ORDERS }
    }

    fn iterate(&mut self) {
        let streams = streams();
        let legendre = streams.map(|(up, _)| functions(up));
        let mut sources = vec![[[0.0; 2 * STREAMS]; ORDERS]; self.depths.len()];
        let orders = self.orders();
        let mut last = 0.0;
        for order in 0..MAX_ORDERS {
            self.gather(&legendre, &mut sources);
            for m in 0..self.orders() {
                self.sweep(m, &streams, &sources);
            }
            for (moments, radiance) in self.moments.iter_mut().zip(&self.radiance) {
                for (m, moments) in moments.iter_mut().enumerate().take(orders) {
                    *moments = [0.0; MOMENTS];
                    for ((values, (_, weight)), legendre) in radiance[m].iter().zip(&streams).zip(&legendre) {
                        for l in m..MOMENTS {
                            moments[l] += weight * legendre[m][l] * values;
                        }
                    }
                }
            }
            let scalar: f64 = self.moments.iter().map(|moments| moments[0][0]).sum();
            if order > 1 && scalar - last <= CONVERGED * scalar {
                break;
            }
            last = scalar;
        }
    }

    /// Computes the source in each direction from the moments of the last order.
    fn gather(&self, legendre: &[Moments; 2 * STREAMS], sources: &mut [[[f64; 2 * STREAMS]; ORDERS]]) {
        let beam = match self.incident {
            Incident::Beam(cosine) => functions(cosine),
            Incident::Sky => [[0.0; MOMENTS]; ORDERS],
        };
        for (k, source) in sources.iter_mut().enumerate() {
            let reaching = self.beam(k) / TAU;
            for m in 0..self.orders() {
                let twice = if m == 0 { 0.5 } else { 1.0 };
                let scattered: [f64; MOMENTS] = std::array::from_fn(|l| {
                    let light = 0.5 * self.moments[k][m][l] + twice * reaching * beam[m][l];
                    self.scaled.scattering * self.scaled.moments[l] * light
                });
                for (value, legendre) in source[m].iter_mut().zip(legendre) {
                    *value = scattered[m..].iter().zip(&legendre[m][m..]).map(|(s, p)| s * p).sum();
                }
            }
        }
    }

    /// Integrates one term of the series down from the surface and up from the lowest layer.
    fn sweep(&mut self, m: usize, streams: &[(f64, f64); 2 * STREAMS], sources: &[[[f64; 2 * STREAMS]; ORDERS]]) {
        let (c, last) = (self.scaled.attenuation, self.depths.len() - 1);
        for i in STREAMS..2 * STREAMS {
            let mut radiance = 0.0;
            self.radiance[last][m][i] = radiance;
            for k in (0..last).rev() {
                let path = (self.depths[k + 1] - self.depths[k]) / -streams[i].0;
                radiance = along(radiance, sources[k + 1][m][i], sources[k][m][i], c, path);
                self.radiance[k][m][i] = radiance;
            }
        }
        for i in 0..STREAMS {
            let up = streams[i].0;
            let sky = if m == 0 { self.sky_through_surface(up) } else { 0.0 };
            let mut radiance = sky + reflectance(up) * self.radiance[0][m][i + STREAMS];
            self.radiance[0][m][i] = radiance;
            for k in 0..last {
                let path = (self.depths[k + 1] - self.depths[k]) / up;
                radiance = along(radiance, sources[k][m][i], sources[k + 1][m][i], c, path);
                self.radiance[k + 1][m][i] = radiance;
            }
        }
    }

    /// Radiance of the sky just below the surface.
    fn sky_through_surface(&self, up: f64) -> f64 {
        let through = 1.0 - reflectance(up);
        if self.incident == Incident::Sky { INDEX * INDEX * through } else { 0.0 }
    }

    /// Irradiance of the beam and its forward peak on a plane that faces it, at the `k`th depth.
    pub fn beam(&self, k: usize) -> f64 {
        match self.incident {
            Incident::Beam(cosine) => (-self.scaled.attenuation * self.depths[k] / cosine).exp(),
            Incident::Sky => 0.0,
        }
    }

    /// Irradiance of all light but the beam at the `k`th depth, on a plane that faces `(toward the key light's azimuth,
    /// up)` or `across`.
    pub fn irradiance(&self, k: usize, facing: (f64, f64), across: f64) -> f64 {
        const AZIMUTHS: usize = 24;
        let mut sum = 0.0;
        for (i, (up, weight)) in streams().into_iter().enumerate() {
            let sine = (1.0 - up * up).sqrt();
            for j in 0..AZIMUTHS {
                let azimuth = TAU * (j as f64 + 0.5) / AZIMUTHS as f64;
                let cos = sine * (facing.0 * azimuth.cos() + across * azimuth.sin()) + facing.1 * up;
                if cos > 0.0 {
                    let terms = (0..self.orders()).map(|m| self.radiance[k][m][i] * (m as f64 * azimuth).cos());
                    sum += terms.sum::<f64>() * cos * weight * TAU / AZIMUTHS as f64;
                }
            }
        }
        sum.max(0.0)
    }

    /// Radiance and source along a ray from a direction.
    pub fn ray(&self, from: Direction) -> Ray {
        let mirrored = (from.up > 0.0).then(|| self.integrate(Direction { up: -from.up, ..from }, 0.0).radiance[0]);
        let reflected = mirrored.map_or(0.0, |radiance| reflectance(from.up) * radiance);
        let mut ray =
            self.integrate(from, reflected + if from.up > 0.0 { self.sky_through_surface(from.up) } else { 0.0 });
        for (source, radiance) in ray.source.iter_mut().zip(&ray.radiance) {
            *source += self.scaled.peak * self.water.particles * radiance;
        }
        ray
    }

    /// Integrates a ray through the scaled water, with the radiance `at_surface` that comes in at the surface.
    fn integrate(&self, from: Direction, at_surface: f64) -> Ray {
        let (legendre, azimuth) = (functions(from.up), |m: usize| (m as f64 * from.azimuth).cos());
        let once = match self.incident {
            Incident::Beam(cosine) => {
                let cos = from.cos_to_beam(cosine);
                self.water.particles * self.lobes.wide(cos) + self.water.molecules * molecular(cos)
            }
            Incident::Sky => 0.0,
        };
        let series = |moments: &Moments| -> f64 {
            let terms = (0..self.orders()).map(|m| {
                azimuth(m) * (m..MOMENTS).map(|l| self.scaled.moments[l] * legendre[m][l] * moments[m][l]).sum::<f64>()
            });
            0.5 * self.scaled.scattering * terms.sum::<f64>()
        };
        let source: Vec<f64> =
            (0..self.depths.len()).map(|k| (self.beam(k) * once + series(&self.moments[k])).max(0.0)).collect();
        let c = self.scaled.attenuation;
        let mut radiance = vec![0.0; source.len()];
        let step = |k: usize| (self.depths[k + 1] - self.depths[k]) / from.up.abs();
        if from.up.abs() < 1e-6 {
            radiance = source.iter().map(|source| source / c.max(1e-12)).collect();
        } else if from.up > 0.0 {
            radiance[0] = at_surface;
            for k in 0..source.len() - 1 {
                radiance[k + 1] = along(radiance[k], source[k], source[k + 1], c, step(k));
            }
        } else {
            for k in (0..source.len() - 1).rev() {
                radiance[k] = along(radiance[k + 1], source[k + 1], source[k], c, step(k));
            }
        }
        Ray { radiance, source }
    }
}

/// Reflectance of the surface for light that comes up to it at an angle of this cosine.
fn reflectance(up: f64) -> f64 {
    f64::from(optics::fresnel(up as f32, 1.0 / REFRACTIVE_INDEX))
}

/// Irradiance on a horizontal plane just below the surface by a sky of radiance 1.
pub fn sky_irradiance() -> f64 {
    let from_above = &streams()[..STREAMS];
    from_above.iter().map(|(up, weight)| TAU * weight * up * INDEX * INDEX * (1.0 - reflectance(*up))).sum()
}

#[cfg(test)]
mod tests;
