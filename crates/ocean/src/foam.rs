//! Foam: the share of the sea that it covers, and the breaking crests that make it.
//!
//! In the shaders a crest breaks where the surface is squeezed to less than so much of its area, the Jacobian of the
//! horizontal displacement by the long and the middle waves. Foam stays behind while the crest runs on, and is torn
//! into lace. This module finds the Jacobian at which foam covers as much as the wind makes: the Jacobian's
//! distribution follows from the spectrum, and the cover by the shaders' foam is averaged over random places.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::WaveField;

/// Least wind that makes whitecaps, a thousandth of the sea: in less the shaders have no foam at all. Unit: m/s at 10
/// m.
pub const WHITECAP_WIND_M_S: f32 = 5.0;
/// Least wind whose crests drive plumes of bubbles under water. Chosen by eye. Unit: m/s.
pub const PLUME_WIND_M_S: f32 = 9.0;
/// Winds between which foam tears the image that the surface mirrors from below, in the end all of it. Chosen by eye.
/// Unit: m/s.
pub const TEARING_WINDS_M_S: Vec2 = Vec2::new(WHITECAP_WIND_M_S, 15.0);

/// Opacity of foam where it covers all: seen from above, and from below. Chosen by eye. Unit: 1.
pub const FOAM_OPACITY: Vec2 = Vec2::new(0.85, 0.60);
/// Radiance of foam from above times π over the irradiance on it: where its bubbles lie thinnest, and the addition
/// where they lie thickest (1). Chosen by eye. Unit: 1.
pub const FOAM_REFLECTANCE: Vec2 = Vec2::new(0.45, 0.4);
/// Radiance of foam from below, likewise, by the light that comes through it: at its rim, and the additions in its
/// middle (1) and where its bubbles lie thickest. Chosen by eye. Unit: 1.
pub const FOAM_TRANSMITTANCE: Vec3 = Vec3::new(0.85, -0.20, -0.25);

/// Places downwind at which foam left by a crest is looked for.
pub const TRAIL_PLACES: usize = 5;
/// Distance of place i: the first times i plus the second times i². Chosen by eye. Unit: m.
pub const TRAIL_M: Vec2 = Vec2::new(0.2, 0.55);
/// Share of the surface that foam covers at a place over that at the one before. Chosen by eye. Unit: 1.
pub const TRAIL_LEFT: f32 = 0.8;

/// Half of the range of the Jacobian over which a crest begins to break, in its standard deviations. Chosen by eye.
const SPILLING_RANGE: f32 = 0.35;
/// Random places at which the cover is worked out.
const PLACES: usize = 1 << 15;

/// Share of the sea that whitecaps cover in a wind at 10 m (Monahan & O'Muircheartaigh 1980): 3.84e-6 U^3.41.
pub fn whitecap_share(wind_m_s: f32) -> f32 {
    3.84e-6 * wind_m_s.powf(3.41)
}

/// Jacobians at which a crest breaks altogether and begins to, so that foam covers as much as the wind makes.
///
/// `texels`: side of the maps of the long and the middle waves, whose derivatives are differences between texels.
pub fn spilling_jacobians(field: &WaveField, choppiness: f32, texels: usize) -> Vec2 {
    let (wind, crests) = (field.wind.length(), Crests::of(field, choppiness, texels));
    if wind < WHITECAP_WIND_M_S || crests.deviation == 0.0 {
        // No crest is squeezed as much as that.
        return Vec2::new(-1.0, 0.0);
    }
    let (trails, wanted) = (crests.trails(), whitecap_share(wind));
    // Searches the standard deviations under the mean: the fewer, the more foam.
    let (mut least, mut most) = (-3.0, 6.0);
    for _ in 0..20 {
        let middle = 0.5 * (least + most);
        if share(&trails, crests.spilling(middle)) > wanted { least = middle } else { most = middle }
    }
    crests.spilling(most)
}

/// Distribution of the Jacobian: 1 + g + skew (g² - deviation²) with a Gaussian g, the divergence of the displacement.
struct Crests {
    /// Standard deviation of g as the maps give it.
    deviation: f32,
    /// Coefficient of the skewed term. Unit: 1.
    skew: f32,
    /// Lower triangular matrix (Cholesky) whose product with independent Gaussians of variance 1 gives g, over the
    /// deviation, at the places of a trail.
    along_trail: [[f32; TRAIL_PLACES]; TRAIL_PLACES],
}

impl Crests {
    fn of(field: &WaveField, choppiness: f32, texels: usize) -> Self {
        let downwind = field.wind.normalize_or_zero();
        let place_m = |i: usize| TRAIL_M.dot(Vec2::new(i as f32, (i * i) as f32));
        let mut covariance = [[0.0; TRAIL_PLACES]; TRAIL_PLACES];
        let mut skew = 0.0;
        for cascade in field.cascades.iter().take(2) {
            let half = (cascade.side / 2) as f32;
            let (step, texel_m) = (TAU / cascade.patch_m, cascade.patch_m / texels as f32);
            // Covariances of the divergence with the derivatives along x, along z and across.
            let mut with = Vec3::ZERO;
            for (i, wave) in cascade.waves.iter().enumerate().filter(|(_, wave)| wave.half != Vec2::ZERO) {
                let point = Vec2::new((i % cascade.side) as f32 - half, (i / cascade.side) as f32 - half);
                let wave_vector = point * step;
                // Derivatives by the differences in waves.frag.glsl of a wave of amplitude 1.
                let turn = wave_vector * texel_m;
                let squeezed = choppiness / (texel_m * turn.length().sin());
                let along = 2.0 * squeezed * (Vec2::ONE - turn.map(f32::cos));
                let across = squeezed * turn.x.sin() * turn.y.sin();
                // Between texels it is read by linear interpolation, which leaves this share of the variance.
                let read = (turn.map(f32::cos) + 2.0).element_product() / 9.0;
                let (variance, divergence) = (2.0 * read * wave.half.length_squared(), along.element_sum());
                with += variance * divergence * along.extend(across);
                for (a, row) in covariance.iter_mut().enumerate() {
                    for (b, sum) in row.iter_mut().enumerate().take(a + 1) {
                        let apart_m = place_m(a) - place_m(b);
                        *sum += variance * divergence * divergence * (wave_vector.dot(downwind) * apart_m).cos();
                    }
                }
            }
            skew += with.x * with.y - with.z * with.z;
        }
        let variance = covariance[0][0];
        if variance <= 0.0 {
            return Self { deviation: 0.0, skew: 0.0, along_trail: Default::default() };
        }
        let correlation = covariance.map(|row| row.map(|c| c / variance));
        Self { deviation: variance.sqrt(), skew: skew / (variance * variance), along_trail: cholesky(correlation) }
    }

    /// Jacobian at a divergence this many standard deviations over its mean.
    fn jacobian(&self, deviations: f32) -> f32 {
        let variance = self.deviation * self.deviation;
        1.0 + self.deviation * deviations + self.skew * variance * (deviations * deviations - 1.0)
    }

    /// Jacobians at which crests break altogether and begin to, about that many standard deviations under the mean.
    fn spilling(&self, deviations: f32) -> Vec2 {
        let at = |off: f32| self.jacobian(-deviations + off * SPILLING_RANGE);
        Vec2::new(at(-1.0), at(1.0))
    }

    /// Jacobians at random places and at the places of each one's trail downwind.
    fn trails(&self) -> Vec<[f32; TRAIL_PLACES]> {
        let mut random = Pcg64Mcg::seed_from_u64(0x666f_616d);
        let mut gaussian = || {
            // Box & Muller 1958.
            let (radius, angle): (f32, f32) =
                (random.random_range(f32::MIN_POSITIVE..1.0), random.random_range(0.0..TAU));
            (-2.0 * radius.ln()).sqrt() * angle.cos()
        };
        (0..PLACES)
            .map(|_| {
                let independent: [f32; TRAIL_PLACES] = std::array::from_fn(|_| gaussian());
                self.along_trail.map(|row| self.jacobian(row.iter().zip(independent).map(|(l, g)| l * g).sum()))
            })
            .collect()
    }
}

/// Cholesky factor of a positive matrix, of which only the lower triangle is read and replaced.
fn cholesky<const N: usize>(mut matrix: [[f32; N]; N]) -> [[f32; N]; N] {
    for i in 0..N {
        for j in 0..=i {
            let rest = matrix[i][j] - (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum::<f32>();
            // Places much closer together than a wavelength are nearly one.
            matrix[i][j] = if i == j { rest.max(1e-6).sqrt() } else { rest / matrix[j][j] };
        }
    }
    matrix
}

/// Share of the sea that foam covers as seen from above, where a crest is squeezed to less than its area at rest.
fn share(trails: &[[f32; TRAIL_PLACES]], spilling: Vec2) -> f32 {
    let covered = |trail: &[f32; TRAIL_PLACES]| {
        let (mut foam, mut left) = (0.0f32, 1.0);
        for jacobian in trail {
            foam = foam.max(left * (1.0 - math::smoothstep(spilling.x, spilling.y, *jacobian)));
            left *= TRAIL_LEFT;
        }
        trail[0].max(0.0) * foam
    };
    trails.iter().map(covered).sum::<f32>() / trails.len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WavesSettings, wave_field};

    fn field(wind_m_s: f32, fetch_km: f32, depth_m: f32) -> WaveField {
        wave_field(&WavesSettings { wind_m_s, fetch_km, ..Default::default() }, depth_m, 1)
    }

    #[test]
    fn whitecaps_begin_at_five_metres_a_second() {
        assert!((whitecap_share(WHITECAP_WIND_M_S) - 0.001).abs() < 1e-4);
        assert!((whitecap_share(10.0) - 0.0099).abs() < 1e-4 && (whitecap_share(20.0) - 0.105).abs() < 1e-3);
    }

    #[test]
    fn crests_break_for_the_share_that_the_wind_makes() {
        for (wind, fetch_km, depth_m) in
            [(5.0, 4.0, 6.0), (8.0, 120.0, 25.0), (12.0, 60.0, f32::INFINITY), (20.0, 500.0, f32::INFINITY)]
        {
            let field = field(wind, fetch_km, depth_m);
            let crests = Crests::of(&field, 0.9, 64);
            let spilling = spilling_jacobians(&field, 0.9, 64);
            let share = share(&crests.trails(), spilling);
            let expected = whitecap_share(wind);
            assert!((share / expected - 1.0).abs() < 0.03, "{wind} m/s: {share}, by the law {expected}");
            assert!(spilling.x < spilling.y && spilling.y < 1.0, "{wind} m/s: {spilling}");
        }
    }

    #[test]
    fn where_nothing_is_squeezed_nothing_breaks() {
        for (field, choppiness) in
            [(field(12.0, 60.0, 10.0), 0.0), (field(4.0, 60.0, 10.0), 1.0), (WaveField::default(), 1.0)]
        {
            assert!(spilling_jacobians(&field, choppiness, 64).y <= 0.0);
        }
    }

    #[test]
    fn a_triangle_times_itself_is_the_matrix() {
        let matrix = [[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [-0.2, 0.3, 1.0]];
        let l = cholesky(matrix);
        for i in 0..3 {
            for j in 0..=i {
                let product: f32 = (0..=j).map(|k| l[i][k] * l[j][k]).sum();
                assert!((product - matrix[i][j]).abs() < 1e-5, "{i} {j}: {product}");
            }
        }
    }
}
