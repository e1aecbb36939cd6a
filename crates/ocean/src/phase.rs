//! Scattering by particles and molecules: phase functions as sums of lobes.

use std::f64::consts::PI;

/// Asymmetry of the particles' phase function: the mean cosine of Petzold's average particle (Mobley 1994; the value
/// Stonefish uses).
pub const ASYMMETRY: f32 = 0.924;

/// Lobes of a particle's phase function.
pub const LOBES: usize = 4;

/// Asymmetry above which a lobe's scattered light still counts with the ray.
const NARROW: f64 = 0.9;

/// Share and asymmetry of each lobe of Petzold's average particle (Mobley 1994, Light and Water, Table 3.10): within 10
/// % of the table beyond half a degree, with its mean cosine and, at 0.0189 for 0.0183, its backscattered share.
const PETZOLD: [(f64, f64); LOBES] = [(0.208_12, 0.9971), (0.364_66, 0.9725), (0.425_16, 0.8548), (0.002_06, -0.5955)];

/// Phase function of the molecules at a right angle, and by how much it rises forward and backward as a share of that:
/// p = 0.0623 (1 + 0.835 cos²) (Einstein & Smoluchowski; Morel 1974, depolarisation 0.09). Units: 1/sr and 1.
const MOLECULAR_PHASE: (f64, f64) = (0.0623, 0.835);

/// A phase function as a sum of those of Henyey and Greenstein (1941).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lobes(pub [(f64, f64); LOBES]);

impl Lobes {
    /// Petzold's average particle, made wider or narrower until its mean cosine is `asymmetry`, -0.99..=0.99: the
    /// lobes' own asymmetries are raised to one power. A negative one is mirrored.
    pub fn of_asymmetry(asymmetry: f32) -> Self {
        let wanted = f64::from(asymmetry.abs());
        let raised = |power: f64| Self(PETZOLD.map(|(share, g)| (share, g.signum() * g.abs().powf(power))));
        // The mean cosine falls as the power grows.
        let (mut low, mut high) = (1e-3, 1e5);
        for _ in 0..60 {
            let middle = f64::sqrt(low * high);
            if raised(middle).moment(1) > wanted { low = middle } else { high = middle }
        }
        let sign = f64::from(asymmetry.signum());
        Self(raised(high).0.map(|(share, g)| (share, sign * g)))
    }

    /// Legendre moment: 1 for `l` = 0, the mean cosine for 1.
    pub fn moment(&self, l: usize) -> f64 {
        self.0.iter().map(|(share, g)| share * g.powi(l as i32)).sum()
    }

    /// Phase function of the wide lobes, which scatter light out of a ray. Unit: 1/sr.
    pub fn wide(&self, cos_theta: f64) -> f64 {
        let wide = self.0.iter().filter(|(_, g)| *g <= NARROW);
        wide.map(|(share, g)| share * henyey_greenstein(cos_theta, *g)).sum()
    }

    /// Share of the scattered light that the narrow lobes hold.
    pub fn narrow_share(&self) -> f64 {
        self.0.iter().filter(|(_, g)| *g > NARROW).map(|(share, _)| share).sum()
    }

    /// Share of the scattered light that goes backward.
    pub fn backscatter(&self) -> f64 {
        let half = |g: f64| {
            if g.abs() < 1e-6 { 0.5 } else { (1.0 - g) / (2.0 * g) * ((1.0 + g) / (1.0 + g * g).sqrt() - 1.0) }
        };
        self.0.iter().map(|(share, g)| share * half(*g)).sum()
    }
}

/// Henyey and Greenstein's phase function. Unit: 1/sr; integrates to 1 over the sphere.
pub fn henyey_greenstein(cos_theta: f64, g: f64) -> f64 {
    let d = 1.0 + g * g - 2.0 * g * cos_theta;
    (1.0 - g * g) / (4.0 * PI * d * d.sqrt())
}

/// Phase function of the molecules. Unit: 1/sr.
pub fn molecular(cos_theta: f64) -> f64 {
    MOLECULAR_PHASE.0 * (1.0 + MOLECULAR_PHASE.1 * cos_theta * cos_theta)
}

/// Legendre moments of the molecules' phase function: 0 but for `l` = 0 and 2.
pub fn molecular_moment(l: usize) -> f64 {
    match l {
        0 => 1.0,
        2 => MOLECULAR_PHASE.1 * (2.0 / 15.0) / (1.0 + MOLECULAR_PHASE.1 / 3.0),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integral of `f` of the scattering angle's cosine over the part of the sphere between two angles. Units: rad.
    fn integral(f: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
        let steps = 200_000;
        // Steps even in a power of the angle, which sample the forward peak often enough.
        let ring = |i: u32| {
            let t = (f64::from(i) + 0.5) / f64::from(steps);
            let theta = from + (to - from) * t.powi(4);
            f(theta.cos()) * 2.0 * PI * theta.sin() * (to - from) * 4.0 * t.powi(3) / f64::from(steps)
        };
        (0..steps).map(ring).sum()
    }

    fn whole(lobes: Lobes) -> impl Fn(f64) -> f64 {
        move |cos| lobes.0.iter().map(|(share, g)| share * henyey_greenstein(cos, *g)).sum()
    }

    #[test]
    fn phase_functions_are_normalised_and_have_their_moments() {
        assert!((integral(molecular, 0.0, PI) - 1.0).abs() < 2e-3);
        let legendre2 = |cos: f64| 0.5 * (3.0 * cos * cos - 1.0);
        assert!((integral(|cos| molecular(cos) * legendre2(cos), 0.0, PI) - molecular_moment(2)).abs() < 1e-3);
        for asymmetry in [-0.9, 0.0, 0.5, 0.8, ASYMMETRY, 0.98f32] {
            let lobes = Lobes::of_asymmetry(asymmetry);
            let phase = whole(lobes);
            assert!((integral(&phase, 0.0, PI) - 1.0).abs() < 2e-3, "{asymmetry}");
            assert!((lobes.moment(1) - f64::from(asymmetry)).abs() < 1e-4, "{asymmetry}: {}", lobes.moment(1));
            let mean = integral(|cos| phase(cos) * cos, 0.0, PI);
            assert!((mean - f64::from(asymmetry)).abs() < 2e-3, "{asymmetry}: {mean}");
            let back = integral(&phase, PI, 0.5 * PI).abs();
            assert!((back - lobes.backscatter()).abs() < 2e-3, "{asymmetry}: {back} and {}", lobes.backscatter());
        }
    }

    /// Petzold's average particle, degrees and 1/sr: a few rows of Mobley's Table 3.10.
    const MEASURED: [(f64, f64); 12] = [
        (1.0, 71.61),
        (2.5119, 15.16),
        (5.0119, 4.295),
        (10.0, 1.153),
        (20.0, 0.2444),
        (30.0, 0.086_08),
        (45.0, 0.030_67),
        (60.0, 0.013_13),
        (90.0, 0.004_292),
        (120.0, 0.002_686),
        (150.0, 0.002_365),
        (180.0, 0.003_154),
    ];

    #[test]
    fn the_average_particle_scatters_as_petzold_measured() {
        let lobes = Lobes::of_asymmetry(ASYMMETRY);
        assert!((lobes.backscatter() / 0.0183 - 1.0).abs() < 0.05, "{}", lobes.backscatter());
        for (degrees, measured) in MEASURED {
            let found = whole(lobes)(degrees.to_radians().cos());
            assert!((found / measured - 1.0).abs() < 0.12, "{degrees} degrees: {found} for {measured}");
        }
    }

    #[test]
    fn the_narrow_lobes_are_the_forward_peak() {
        let lobes = Lobes::of_asymmetry(ASYMMETRY);
        for degrees in [40.0f64, 70.0, 120.0] {
            let cos = degrees.to_radians().cos();
            assert!(lobes.wide(cos) > 0.85 * whole(lobes)(cos), "{degrees} degrees");
        }
    }
}
