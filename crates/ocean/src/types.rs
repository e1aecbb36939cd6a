//! The sea as numbers: light, medium and waves, ready for the simulation and the shaders.

use glam::{Vec2, Vec3};

/// Light above and just below the surface. The key light is the sun, or by night the moon. Irradiance is linear RGB in
/// units where the sun overhead through clear air gives about 1 on a surface facing it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Light {
    /// Unit vector toward the key light, in air.
    pub to_key_light_air: Vec3,
    /// Unit vector toward the refracted key light, in water.
    pub to_key_light_water: Vec3,
    /// Irradiance of the key light on a surface facing it, in air.
    pub key_light_irradiance_air: Vec3,
    /// Irradiance of the refracted key light on a *horizontal* surface just below the sea.
    pub key_light_irradiance_water: Vec3,
    /// Diffuse irradiance on a horizontal surface just below the sea, from the sky.
    pub sky_irradiance_water: Vec3,
    /// Radiance of the sky overhead.
    pub sky_zenith: Vec3,
    /// Radiance of the sky at the horizon.
    pub sky_horizon: Vec3,
    /// Brightness of the stars over that of a clear, dark night, 0 by day.
    pub stars: f32,
    /// Share of the sky that white clouds cover, 0..=1.
    pub clouds: f32,
}

/// Wavelengths that water is known at.
pub const SAMPLES: usize = 31;

/// Inherent optical properties of the water, at the wavelengths that the channels see.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Medium {
    /// Asymmetry g, the mean cosine of the particles' phase function. Unit: 1.
    pub asymmetry: f32,
    /// Factor on in-scattered light; 1 is true.
    pub inscatter: f32,
    /// Horizontal visibility of a black disc. Unit: m.
    pub black_disc_m: f32,
    /// The wavelengths; those that are not needed weigh nothing.
    pub samples: [Sample; SAMPLES],
}

/// Water at one wavelength.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Share of each channel's white light; over all samples they sum to 1. Unit: 1.
    pub weight: Vec3,
    /// Absorption a. Unit: 1/m.
    pub absorption: f32,
    /// Scattering b. Unit: 1/m.
    pub scattering: f32,
    /// Part of the scattering that is by the water's own molecules. Unit: 1/m.
    pub molecular: f32,
}

impl Sample {
    /// Beam attenuation c = a + b. Unit: 1/m.
    pub fn attenuation(&self) -> f32 {
        self.absorption + self.scattering
    }
}

impl Medium {
    /// Share of each channel's white light that is left after `distance_m` along a ray (Beer and Lambert at each
    /// wavelength).
    pub fn transmittance(&self, distance_m: f32) -> Vec3 {
        self.samples.iter().map(|sample| sample.weight * (-sample.attenuation() * distance_m).exp()).sum()
    }

    /// Mean over each channel of a property.
    pub fn mean(&self, property: impl Fn(&Sample) -> f32) -> Vec3 {
        self.samples.iter().map(|sample| sample.weight * property(sample)).sum()
    }
}

/// The sea as spectra on square patches that tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WaveField {
    /// Patches, longest waves first; their bands of wavenumber are disjoint.
    pub cascades: Vec<Cascade>,
    /// Wind velocity, x and z. Unit: m/s.
    pub wind: Vec2,
    /// Factor on the horizontal displacement that makes crests sharp; 1 is true.
    pub choppiness: f32,
    /// The waves that move the water at the ground most, for [`surge`](super::surge).
    pub felt_below: Vec<WaveComponent>,
}

/// One patch of the sea: a wave for each point of a square lattice of wave vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cascade {
    /// Side of the patch in metres.
    pub patch_m: f32,
    /// Points along a side of the lattice, even. Point (column, row) stands for the wave vector
    /// (column - side / 2, row - side / 2) * 2 pi / `patch_m`.
    pub side: usize,
    /// The waves, row by row; `side * side` of them, or none at all where the sea is flat.
    pub waves: Vec<LatticeWave>,
}

impl Cascade {
    /// Variances of the waves' slopes along x and along z, and their covariance (x: xx, y: zz, z: xz); `kept` is the
    /// share left of the amplitude of a wave, by how many of it fit into the patch along x and along z.
    pub fn slope_variance(&self, kept: impl Fn(Vec2) -> f32) -> Vec3 {
        let half = (self.side / 2) as f32;
        let step = std::f32::consts::TAU / self.patch_m;
        let point = |i: usize| Vec2::new((i % self.side) as f32 - half, (i / self.side) as f32 - half);
        let waves = self.waves.iter().enumerate().map(|(i, wave)| (point(i), wave));
        waves
            .filter(|(_, wave)| wave.half != Vec2::ZERO)
            .map(|(turns, wave)| {
                let k = turns * step;
                2.0 * wave.half.length_squared() * kept(turns).powi(2) * Vec3::new(k.x * k.x, k.y * k.y, k.x * k.y)
            })
            .sum()
    }
}

/// One wave of a lattice: height = Re(2 * half * exp(i (k·x - omega t))), x = (world x, world z).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LatticeWave {
    /// Half its amplitude, as a complex number with its phase at the origin of space and time. Unit: m.
    pub half: Vec2,
    /// Whole turns in [`WAVE_PERIOD_S`](super::WAVE_PERIOD_S): omega in steps that let the sea come back to where it
    /// was.
    pub turns: f32,
}

/// One sine: height = amplitude * cos(k·x - omega*t + phase), x = (world x, world z).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaveComponent {
    /// Wave vector. Unit: rad/m.
    pub wave_vector: Vec2,
    /// Angular frequency. Unit: rad/s.
    pub omega: f32,
    /// Amplitude. Unit: m.
    pub amplitude: f32,
    /// Phase at the origin of space and time. Unit: rad.
    pub phase: f32,
}
