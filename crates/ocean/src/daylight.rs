//! Daylight under water as shaders take it: its fall with depth, its distribution round a point, and the water's own
//! radiance toward the eye. Fitted to [`radiative_transfer`](super::radiative_transfer), wavelength by wavelength.

use glam::Vec3;
use math::smoothstep;

use crate::WaterSettings;
use crate::fit::{Exponentials, Spectral, least_squares};
use crate::observer::LUMINANCE;
use crate::optics::VISIBILITY_LENGTHS;
use crate::phase::{Lobes, henyey_greenstein};
use crate::radiative_transfer::{Direction, Field, Incident, Water, layers, sky_irradiance};
use crate::types::{Light, Medium, Sample};

/// Planes on which diffuse light is known: those that face down, toward the key light's azimuth, away from it and
/// across. A plane that faces up receives all light but the beam.
pub const FACES: usize = 4;
/// Each plane's normal: toward the key light's azimuth and up, and across.
const FACING: [((f64, f64), f64); FACES] =
    [((0.0, -1.0), 0.0), ((1.0, 0.0), 0.0), ((-1.0, 0.0), 0.0), ((0.0, 0.0), 1.0)];

/// Asymmetry of the lobe about the key light that stands for the narrow ones of the phase function: vertices that lie
/// two degrees apart cannot carry sharper ones, so that within three degrees of the key light the glow is too flat.
const NARROW_LOBE: f64 = 0.95;
/// Asymmetry of the wide lobes about the key light that make up the water's radiance; the last lies away from it, for
/// backscattering by molecules and the smallest particles.
const WIDE_LOBES: [f64; 4] = [0.9, 0.72, 0.4, -0.5];
/// Asymmetry of the lobes about the zenith.
const ZENITH_LOBES: [f64; 2] = [0.75, 0.45];
/// Lobes about the key light.
pub const KEY_LIGHT_LOBES: usize = 1 + WIDE_LOBES.len();
/// Cosines of the zenith angle between which Snell's window opens, blurred by the water.
pub const WINDOW_EDGE: [f32; 2] = [0.56, 0.78];
/// All lobes: those about the key light, then those about the zenith.
pub const SOURCE_LOBES: usize = KEY_LIGHT_LOBES + ZENITH_LOBES.len();
/// Terms of the water's radiance: the lobes, Snell's window, and one that is the same all round.
pub const SOURCE_TERMS: usize = SOURCE_LOBES + 2;
/// Terms that are fitted: all but the narrow lobe.
const FITTED: usize = SOURCE_TERMS - 1;
/// Asymmetry of each lobe.
pub const LOBE_ASYMMETRIES: [f32; SOURCE_LOBES] = [
    NARROW_LOBE as f32,
    WIDE_LOBES[0] as f32,
    WIDE_LOBES[1] as f32,
    WIDE_LOBES[2] as f32,
    WIDE_LOBES[3] as f32,
    ZENITH_LOBES[0] as f32,
    ZENITH_LOBES[1] as f32,
];

/// Cosines of the zenith angle and azimuths (degrees) of the directions that the terms are fitted to.
const UP: [f64; 10] = [-1.0, -0.75, -0.45, -0.2, 0.0, 0.2, 0.5, 0.62, 0.8, 0.95];
const AZIMUTHS_DEG: [f64; 6] = [0.0, 30.0, 60.0, 90.0, 135.0, 180.0];
/// Further directions: toward the key light, and this far over and under it. Unit: rad.
const OFF_KEY_LIGHT: [f64; 3] = [0.0, -0.2, 0.2];
const DIRECTIONS: usize = UP.len() * AZIMUTHS_DEG.len() + OFF_KEY_LIGHT.len();

/// Depths at which the water's own light is known.
const LEVELS: usize = 28;
/// Depths that the exponentials are fitted to.
const FIT_DEPTHS: usize = 20;
/// Share of a channel's light that is left at the deepest of these depths. Unit: 1.
const FIT_LEFT: f64 = 2e-3;

/// Light under water, as it follows from the light above and the water.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Daylight {
    /// The two exponentials of depth whose sum is the light: the slow one, which goes far, and the fast one.
    pub parts: [Part; 2],
    /// Attenuation of the beam with depth beyond that of the exponentials: it loses the scattered light, much the same
    /// for all colours. Unit: 1/m.
    pub beam_depth_attenuation: f32,
    levels: Vec<WaterSource>,
}

/// One exponential of depth, per channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    /// Attenuation with depth. Unit: 1/m.
    pub depth_attenuation: Vec3,
    /// Beam attenuation of its light along a ray. Unit: 1/m.
    pub attenuation: Vec3,
    /// Its share of white light along such a ray.
    pub white: Vec3,
    /// Downwelling irradiance of all light on a horizontal plane just below the surface.
    pub total: Vec3,
    /// Irradiance of the key light's beam just below the surface, on a plane that faces it.
    pub beam: Vec3,
    /// Irradiance of all light but the beam just below the surface, on each of [`FACES`] planes.
    pub diffuse: [Vec3; FACES],
}

/// Radiance that the water sends toward an eye at one depth, per channel. Terms are coefficients of Henyey and
/// Greenstein's function of the lobes, of Snell's window and of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaterSource {
    /// The depth. Unit: m.
    pub depth_m: f32,
    /// Each term of the radiance that a metre of water adds. Unit: 1/m of the irradiance's.
    pub terms: [Vec3; SOURCE_TERMS],
    /// Rate at which it saturates along a level ray. Unit: 1/m.
    pub attenuation: Vec3,
    /// Attenuation with depth. Unit: 1/m.
    pub depth_attenuation: Vec3,
}

/// Solved quantities for one wavelength and one source of light, by depth.
struct Wavelength {
    /// Weight in each channel, times the channel's light from this source.
    weight: Vec3,
    /// Share of each channel's white light.
    white: Vec3,
    /// Beam attenuation. Unit: 1/m.
    attenuation: f64,
    depths: Vec<f64>,
    /// Quantities at each depth.
    quantities: Vec<Quantities>,
}

/// Logarithms of the quantities at one depth.
#[derive(Clone, Copy)]
struct Quantities {
    total: f64,
    beam: f64,
    diffuse: [f64; FACES],
    /// Light that the particles scatter out of the beam. Unit: 1/m.
    scattered: f64,
    /// Radiance of level rays and its source, each the mean over the azimuths.
    level: (f64, f64),
    sources: [f64; DIRECTIONS],
}

impl Daylight {
    /// Solves and fits the light of `light` in `medium`.
    pub fn new(medium: &Medium, light: &Light) -> Self {
        Self::told_by(None, medium, light)
    }

    /// Light of another hour in the same `medium`, fitted with the same rates, so that the two can be blended.
    pub(super) fn at_another_hour(&self, medium: &Medium, light: &Light) -> Self {
        Self::told_by(Some(self), medium, light)
    }

    /// Fits the light with the rates of `other`, or with the best ones for this light.
    fn told_by(other: Option<&Self>, medium: &Medium, light: &Light) -> Self {
        let lobes = Lobes::of_asymmetry(medium.asymmetry);
        let wavelengths = wavelengths(medium, light, lobes);
        let channels: [Channel<'_>; 3] = std::array::from_fn(|channel| Channel { channel, wavelengths: &wavelengths });
        let own_beam_fall =
            || channels.iter().map(Channel::beam_depth_attenuation).sum::<f64>() / channels.len() as f64;
        let beam_depth_attenuation = other.map_or_else(own_beam_fall, |other| other.beam_depth_attenuation.into());
        let fits = channels.each_ref().map(|channel| channel.exponentials(beam_depth_attenuation, other));
        let parts = std::array::from_fn(|part| {
            let of = |value: fn(&Exponentials) -> &[f64; 2]| vec3(|c| value(&fits[c].rates)[part]);
            Part {
                depth_attenuation: of(|e| &e.depth_attenuation),
                attenuation: of(|e| &e.attenuation),
                white: of(|e| &e.white),
                total: vec3(|c| fits[c].total[part]),
                beam: vec3(|c| fits[c].beam[part]),
                diffuse: std::array::from_fn(|face| vec3(|c| fits[c].diffuse[face][part])),
            }
        });
        Self {
            parts,
            beam_depth_attenuation: beam_depth_attenuation as f32,
            levels: levels(&channels, lobes.narrow_share(), cosine_of(light)),
        }
    }

    /// Becomes the blend of `a` and `b`, `along` (0..=1) the way, for two hours fitted with the same rates.
    pub(super) fn blend(&mut self, a: &Self, b: &Self, along: f32) {
        let amount = |a: Vec3, b: Vec3| a.lerp(b, along);
        self.parts = std::array::from_fn(|i| {
            let (a, b) = (&a.parts[i], &b.parts[i]);
            Part {
                total: amount(a.total, b.total),
                beam: amount(a.beam, b.beam),
                diffuse: std::array::from_fn(|face| amount(a.diffuse[face], b.diffuse[face])),
                ..*a
            }
        });
        self.beam_depth_attenuation = a.beam_depth_attenuation;
        self.levels.clear();
        self.levels.extend(a.levels.iter().zip(&b.levels).map(|(a, b)| WaterSource {
            depth_m: a.depth_m + (b.depth_m - a.depth_m) * along,
            terms: std::array::from_fn(|i| amount(a.terms[i], b.terms[i])),
            attenuation: amount(a.attenuation, b.attenuation),
            depth_attenuation: amount(a.depth_attenuation, b.depth_attenuation),
        }));
    }

    /// The rates of a channel.
    fn rates(&self, channel: usize) -> Exponentials {
        let of = |value: fn(&Part) -> Vec3| self.parts.each_ref().map(|part| f64::from(value(part)[channel]));
        Exponentials {
            depth_attenuation: of(|p| p.depth_attenuation),
            attenuation: of(|p| p.attenuation),
            white: of(|p| p.white),
        }
    }

    /// Downwelling irradiance on a horizontal plane at a depth (m), of all light.
    pub fn irradiance(&self, depth_m: f32) -> Vec3 {
        let depth_m = depth_m.max(0.0);
        self.parts
            .iter()
            .map(|part| part.total * (-part.depth_attenuation * depth_m).exp())
            .sum::<Vec3>()
            .max(Vec3::ZERO)
    }

    /// Secchi depth, at which a white disc is just lost to sight: 8.69 / (c + Kd) (Tyler 1968, Limnol. Oceanogr. 13:1),
    /// with the Kd of luminance down to that depth. Unit: m.
    pub fn secchi_m(&self, water: &WaterSettings) -> f32 {
        const COUPLING: f32 = 8.69;
        let attenuation = VISIBILITY_LENGTHS / water.black_disc_m();
        let seen = |depth_m: f32| self.irradiance(depth_m).dot(LUMINANCE).max(1e-12);
        let mut depth_m = COUPLING / attenuation;
        // Kd decreases with depth: a few rounds converge.
        for _ in 0..8 {
            let depth_attenuation = (seen(0.0) / seen(depth_m)).ln() / depth_m;
            depth_m = 0.5 * (depth_m + COUPLING / (attenuation + depth_attenuation.max(0.0)));
        }
        depth_m
    }

    /// Downwelling irradiance at a depth (m) over that just below the surface. Unit: 1.
    pub fn downwelling(&self, depth_m: f32) -> Vec3 {
        let surface = self.irradiance(0.0);
        let share = |here: f32, above: f32| if above > 0.0 { (here / above).min(1.0) } else { 0.0 };
        let here = self.irradiance(depth_m);
        Vec3::new(share(here.x, surface.x), share(here.y, surface.y), share(here.z, surface.z))
    }

    /// Irradiance of the key light's beam at a depth (m), on a plane that faces it, and its attenuation there (1/m).
    pub fn beam(&self, depth_m: f32) -> (Vec3, Vec3) {
        let left = self
            .parts
            .map(|part| part.beam * (-(part.depth_attenuation + self.beam_depth_attenuation) * depth_m.max(0.0)).exp());
        let here = (left[0] + left[1]).max(Vec3::ZERO);
        let lost = left[0] * self.parts[0].depth_attenuation + left[1] * self.parts[1].depth_attenuation;
        (here, self.beam_depth_attenuation + (lost / here.max(Vec3::splat(1e-20))).max(Vec3::ZERO))
    }

    /// Radiance that the water sends toward an eye at a depth (m).
    pub fn source(&self, depth_m: f32) -> WaterSource {
        let Some(last) = self.levels.last() else { return WaterSource::default() };
        let next = self.levels.iter().position(|level| level.depth_m > depth_m).unwrap_or(self.levels.len());
        let (Some(above), Some(below)) = (self.levels.get(next.wrapping_sub(1)), self.levels.get(next)) else {
            // Above the water as just below it; under the deepest level only the amount of light changes.
            let (end, left) = if next == 0 {
                (self.levels[0], Vec3::ONE)
            } else {
                (*last, (-last.depth_attenuation * (depth_m - last.depth_m)).exp())
            };
            return WaterSource { depth_m, terms: end.terms.map(|term| term * left), ..end };
        };
        let along = (depth_m - above.depth_m) / (below.depth_m - above.depth_m);
        let rate = |a: Vec3, b: Vec3| a.lerp(b, along);
        WaterSource {
            depth_m,
            terms: std::array::from_fn(|i| between(above.terms[i], below.terms[i], along)),
            attenuation: rate(above.attenuation, below.attenuation),
            depth_attenuation: rate(above.depth_attenuation, below.depth_attenuation),
        }
    }
}

/// Interpolates geometrically between numbers of one sign, else linearly.
fn between(a: Vec3, b: Vec3, along: f32) -> Vec3 {
    let one = |a: f32, b: f32| {
        if a * b > 0.0 {
            a.signum() * (a.abs().ln() * (1.0 - along) + b.abs().ln() * along).exp()
        } else {
            a + (b - a) * along
        }
    };
    Vec3::new(one(a.x, b.x), one(a.y, b.y), one(a.z, b.z))
}

fn vec3(value: impl Fn(usize) -> f64) -> Vec3 {
    Vec3::new(value(0) as f32, value(1) as f32, value(2) as f32)
}

/// Directions of the fit, for a key light whose zenith angle has the cosine `cosine`.
fn directions(cosine: f64) -> [Direction; DIRECTIONS] {
    std::array::from_fn(|i| match UP.get(i / AZIMUTHS_DEG.len()) {
        Some(up) => Direction { up: *up, azimuth: AZIMUTHS_DEG[i % AZIMUTHS_DEG.len()].to_radians() },
        None => {
            let zenith = cosine.acos() + OFF_KEY_LIGHT[i - UP.len() * AZIMUTHS_DEG.len()];
            Direction { up: zenith.cos(), azimuth: if zenith < 0.0 { std::f64::consts::PI } else { 0.0 } }
        }
    })
}

/// Cosine of the key light's zenith angle in the water.
fn cosine_of(light: &Light) -> f64 {
    1.0 / f64::from(light.key_light_path())
}

/// Step from one solved wavelength to the next: between them the light in layers of equal optical depth changes evenly.
const SOLVED_EVERY: usize = 3;

/// Quantities for each wavelength under the key light and under the sky, each weighted by the light of every channel.
fn wavelengths(medium: &Medium, light: &Light, lobes: Lobes) -> Vec<Wavelength> {
    let cosine = cosine_of(light);
    let beam = light.key_light_irradiance_water / cosine as f32;
    let sky = light.sky_irradiance_water / sky_irradiance() as f32;
    let samples: Vec<&Sample> = medium.samples.iter().filter(|sample| sample.weight != Vec3::ZERO).collect();
    // A scene's own water is known at one wavelength a channel, and those have nothing in common.
    let every = if samples.len() > 3 { SOLVED_EVERY } else { 1 };
    let mut all = Vec::new();
    for (incident, colour) in [(Incident::Beam(cosine), beam), (Incident::Sky, sky)] {
        // Without any light the sky is still solved, as it tells how far a lamp would be seen.
        if colour.max_element() <= 0.0 && incident != Incident::Sky {
            continue;
        }
        let solved: Vec<_> =
            samples.iter().step_by(every).map(|sample| solve(water(sample), lobes, (incident, cosine))).collect();
        all.extend(samples.iter().enumerate().map(|(i, sample)| {
            let (before, after) = (&solved[i / every], solved.get(i / every + 1).unwrap_or(&solved[i / every]));
            let along = (i % every) as f64 / every as f64;
            Wavelength {
                weight: sample.weight * colour,
                white: sample.weight,
                attenuation: sample.attenuation().into(),
                depths: layers(water(sample), &lobes),
                quantities: before.iter().zip(after).map(|(a, b)| a.between(b, along)).collect(),
            }
        }));
    }
    all
}

fn water(sample: &Sample) -> Water {
    Water {
        absorption: sample.absorption.into(),
        particles: (sample.scattering - sample.molecular).max(0.0).into(),
        molecules: sample.molecular.into(),
    }
}

/// Solves the quantities in each layer; `cosine` is that of the key light's zenith angle, whatever the source of light.
fn solve(water: Water, lobes: Lobes, (incident, cosine): (Incident, f64)) -> Vec<Quantities> {
    let field = Field::new(water, lobes, incident);
    let rays = directions(cosine).map(|from| field.ray(from));
    let level = |i: usize| UP.get(i / AZIMUTHS_DEG.len()) == Some(&0.0);
    // Zero gets a finite logarithm too, whose exponential is zero again.
    let ln = |value: f64| value.ln().max(-1e4);
    let at = |k: usize| {
        let beam = field.beam(k);
        let mean = |value: &dyn Fn(usize) -> f64| {
            (0..DIRECTIONS).filter(|&i| level(i)).map(value).sum::<f64>() / AZIMUTHS_DEG.len() as f64
        };
        Quantities {
            total: ln(cosine * beam + field.irradiance(k, (0.0, 1.0), 0.0)),
            beam: ln(beam),
            diffuse: FACING.map(|(facing, across)| ln(field.irradiance(k, facing, across))),
            scattered: ln(water.particles * beam),
            level: (ln(mean(&|i| rays[i].radiance[k])), ln(mean(&|i| rays[i].source[k]))),
            sources: std::array::from_fn(|i| ln(rays[i].source[k])),
        }
    };
    (0..field.depths.len()).map(at).collect()
}

impl Quantities {
    /// Interpolates geometrically between two.
    fn between(&self, other: &Self, along: f64) -> Self {
        let one = |a: f64, b: f64| a + (b - a) * along;
        Self {
            total: one(self.total, other.total),
            beam: one(self.beam, other.beam),
            diffuse: std::array::from_fn(|i| one(self.diffuse[i], other.diffuse[i])),
            scattered: one(self.scattered, other.scattered),
            level: (one(self.level.0, other.level.0), one(self.level.1, other.level.1)),
            sources: std::array::from_fn(|i| one(self.sources[i], other.sources[i])),
        }
    }
}

impl Wavelength {
    /// A quantity at a depth (m): interpolated geometrically, and extrapolated below the last layer if it falls there.
    fn at(&self, depth: f64, quantity: impl Fn(&Quantities) -> f64) -> f64 {
        let next = self.depths.partition_point(|&d| d <= depth).clamp(1, self.depths.len() - 1);
        let along = (depth - self.depths[next - 1]) / (self.depths[next] - self.depths[next - 1]);
        let (above, below) = (quantity(&self.quantities[next - 1]), quantity(&self.quantities[next]));
        (above + (below - above) * along).min(above.max(below)).exp()
    }

    /// Depth at which its light is all but gone. Unit: m.
    fn deepest(&self) -> f64 {
        self.depths.last().copied().unwrap_or(0.0)
    }
}

/// The wavelengths as one channel sees them.
struct Channel<'a> {
    channel: usize,
    wavelengths: &'a [Wavelength],
}

/// Fit of a channel: for each quantity its share in both exponentials.
struct ChannelFit {
    rates: Exponentials,
    total: [f64; 2],
    beam: [f64; 2],
    diffuse: [[f64; 2]; FACES],
}

impl Channel<'_> {
    fn at(&self, depth: f64, quantity: impl Fn(&Quantities) -> f64) -> f64 {
        let parts = self.wavelengths.iter().filter(|part| part.weight[self.channel] > 0.0);
        parts.map(|part| f64::from(part.weight[self.channel]) * part.at(depth, &quantity)).sum()
    }

    /// Depth at which a little of the channel's light is left. Unit: m.
    fn deepest(&self) -> f64 {
        self.depth_of(FIT_LEFT)
    }

    /// Depth at which this share of the channel's light is left. Unit: m.
    fn depth_of(&self, share: f64) -> f64 {
        let surface = self.at(0.0, |q| q.total);
        let (mut low, mut high) = (0.0, self.wavelengths.iter().map(Wavelength::deepest).fold(1.0, f64::max));
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            if self.at(middle, |q| q.total) > share * surface { low = middle } else { high = middle }
        }
        high
    }

    /// Attenuation of the beam beyond that of all light, down to where a tenth of all light is left. Unit: 1/m.
    fn beam_depth_attenuation(&self) -> f64 {
        let (depth, left) = (self.depth_of(0.1), |quantity: fn(&Quantities) -> f64, depth| self.at(depth, quantity));
        let depth_attenuation = |quantity| (left(quantity, 0.0) / left(quantity, depth)).ln() / depth;
        let faster: f64 = depth_attenuation(|q| q.beam) - depth_attenuation(|q| q.total);
        if faster.is_finite() { faster.max(0.0) } else { 0.0 }
    }

    /// Fits the channel; `beam_depth_attenuation` is that of the beam beyond that of the exponentials, 1/m.
    fn exponentials(&self, beam_depth_attenuation: f64, other: Option<&Daylight>) -> ChannelFit {
        let deepest = self.deepest();
        let depths: Vec<f64> =
            (0..FIT_DEPTHS).map(|k| deepest * (k as f64 / (FIT_DEPTHS - 1) as f64).powi(2)).collect();
        let by_depth = |quantity: &dyn Fn(&Quantities) -> f64| -> Vec<f64> {
            depths.iter().map(|&depth| self.at(depth, quantity)).collect()
        };
        let total = by_depth(&|q| q.total);
        let beam: Vec<f64> =
            depths.iter().map(|&depth| self.at(depth, |q| q.beam) * (beam_depth_attenuation * depth).exp()).collect();
        let fit = || Exponentials::fit(&depths, &total, &beam, &self.spectrum(&depths));
        let rates = other.map_or_else(fit, |other| other.rates(self.channel));
        let [all, of_beam] = [&total, &beam].map(|values| rates.shares(&depths, values));
        let diffuse = std::array::from_fn(|face| rates.shares(&depths, &by_depth(&|q| q.diffuse[face])));
        ChannelFit { total: all, beam: of_beam, diffuse, rates }
    }

    /// Light of the channel, wavelength by wavelength, at `depths`.
    fn spectrum(&self, depths: &[f64]) -> Vec<Spectral> {
        let own = self.wavelengths.iter().filter(|part| part.white[self.channel] > 0.0);
        own.map(|part| {
            let light = |depth: &f64| f64::from(part.weight[self.channel]) * part.at(*depth, |q| q.total);
            Spectral {
                attenuation: part.attenuation,
                white: part.white[self.channel].into(),
                by_depth: depths.iter().map(light).collect(),
            }
        })
        .collect()
    }
}

/// Radiance that the water sends toward an eye, by depth.
fn levels(channels: &[Channel<'_>; 3], narrow: f64, cosine: f64) -> Vec<WaterSource> {
    let deepest = channels.iter().flat_map(|channel| channel.wavelengths).map(Wavelength::deepest).fold(0.0, f64::max);
    let depth = |k: usize| deepest * (k as f64 / (LEVELS - 1) as f64).powi(3);
    let basis = directions(cosine).map(|from| basis(from, cosine));
    let level = |k: usize| {
        let here = depth(k);
        let mut source = WaterSource { depth_m: here as f32, ..WaterSource::default() };
        for (c, channel) in channels.iter().enumerate() {
            source.terms[0][c] = (narrow * channel.at(here, |q| q.scattered)) as f32;
            let sources: [f64; DIRECTIONS] = std::array::from_fn(|i| channel.at(here, |q| q.sources[i]));
            let fitted = fit_terms(&basis, &sources);
            for (term, value) in source.terms[1..].iter_mut().zip(fitted) {
                term[c] = value as f32;
            }
            let (radiance, added) = (channel.at(here, |q| q.level.0), channel.at(here, |q| q.level.1));
            source.attenuation[c] = if radiance > 0.0 { (added / radiance) as f32 } else { 0.0 };
            let step = 0.05 * here + 1e-3 * deepest;
            let lower = channel.at(here + step, |q| q.level.1);
            source.depth_attenuation[c] = if lower > 0.0 { ((added / lower).ln() / step) as f32 } else { 0.0 };
        }
        source
    };
    (0..LEVELS).map(level).collect()
}

/// The fitted terms in a direction: the wide lobes about the key light, those about the zenith, Snell's window, and 1.
fn basis(from: Direction, cosine: f64) -> [f64; FITTED] {
    let cos = from.cos_to_beam(cosine);
    let [a, b, c, back] = WIDE_LOBES.map(|g| henyey_greenstein(cos, g));
    let window = smoothstep(WINDOW_EDGE[0], WINDOW_EDGE[1], from.up as f32);
    let [d, e] = ZENITH_LOBES.map(|g| henyey_greenstein(from.up, g));
    [a, b, c, back, d, e, window.into(), 1.0]
}

fn fit_terms(basis: &[[f64; FITTED]; DIRECTIONS], sources: &[f64; DIRECTIONS]) -> [f64; FITTED] {
    let most = sources.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return [0.0; FITTED];
    }
    let rows = basis.iter().zip(sources).map(|(row, source)| {
        let weight = 1.0 / (source + 1e-4 * most);
        (row.map(|term| weight * term), weight * source)
    });
    // Under a high sun the lobes about it and those about the zenith are all but the same.
    least_squares(rows, 1e-4)
}

#[cfg(test)]
mod tests;
