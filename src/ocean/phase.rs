//! How particles scatter: Fournier and Forand's phase function, and what several scatterings make of it.

use std::f64::consts::PI;

/// Asymmetry of the phase function: the mean cosine of Petzold's average particle (Mobley 1994; the value Stonefish
/// uses).
pub const ASYMMETRY: f32 = 0.924;

/// Places of a [`PhaseTable`].
pub const PHASE_SAMPLES: usize = 64;

/// How often light has been scattered before it reaches the eye, as the broadened phase function has it. Chosen by eye, by
/// the width of the bright water about the key light. Unit: 1.
pub const SCATTERING_ORDERS: i32 = 5;

/// Polynomials of Legendre that a broadened phase function is put together from. The moments of the next ones to this
/// power are below 1e-4.
const MOMENTS: usize = 160;

/// Steps of the integrals over the scattering angle; they lie close together where it is small.
const STEPS: usize = 2048;

/// Values of a phase function, 1/sr, at equal steps of sin(theta / 2) from 0, forward, to 1, backward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseTable(pub [f32; PHASE_SAMPLES]);

impl Default for PhaseTable {
    /// The same in every direction.
    fn default() -> Self {
        Self([(0.25 / PI) as f32; PHASE_SAMPLES])
    }
}

impl PhaseTable {
    /// What [`SCATTERING_ORDERS`] scatterings by particles of asymmetry `g` make of a beam: the phase function folded with
    /// itself, which raises each of its Legendre moments to that power.
    ///
    /// Where Fournier and Forand's particles have no such g (below 0.09, above 0.994), Henyey and Greenstein's are taken.
    pub fn broadened(g: f32) -> Self {
        let g = f64::from(g);
        let moments: [f64; MOMENTS] = match fournier_forand_of(g) {
            Some(particles) => moments(particles),
            None => std::array::from_fn(|l| g.powi(l as i32)),
        };
        Self(std::array::from_fn(|i| {
            let half_sine = i as f64 / (PHASE_SAMPLES - 1) as f64;
            let terms = legendre(1.0 - 2.0 * half_sine * half_sine).zip(moments).enumerate();
            let sum: f64 = terms.map(|(l, (p, chi))| (2 * l + 1) as f64 * chi.powi(SCATTERING_ORDERS) * p).sum();
            (sum / (4.0 * PI)).max(0.0) as f32
        }))
    }
}

/// Particles by Fournier and Forand (1994; in the form of Fournier & Jonasz 1999): an index of refraction over the
/// water's and a power law of sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Particles {
    /// Index of refraction over that of the water.
    index: f64,
    /// Slope of the size distribution, 3 to 5.
    slope: f64,
}

impl Particles {
    /// The one of slope `slope` on the line that Mobley, Sundman and Boss (2002) draw through what is found in the sea.
    fn of_slope(slope: f64) -> Self {
        Self { index: 1.01 + 0.1542 * (slope - 3.0), slope }
    }

    /// Phase function at the square of the sine of half the scattering angle. Unit: 1/sr.
    fn phase(self, half_sine2: f64) -> f64 {
        let power = 0.5 * (3.0 - self.slope);
        let widest = 4.0 / (3.0 * (self.index - 1.0).powi(2));
        let mut delta = widest * half_sine2;
        // The formula is smooth at 1 but divides by 0 there.
        if (delta - 1.0).abs() < 1e-3 {
            delta = 1.001;
        }
        let raised = delta.powf(power);
        let rest = 1.0 - delta;
        let lobe = (power * rest - (1.0 - raised) + (delta * (1.0 - raised) - power * rest) / half_sine2)
            / (4.0 * PI * rest * rest * raised);
        let back = widest.powf(power);
        let cos = 1.0 - 2.0 * half_sine2;
        lobe + (1.0 - back) / (16.0 * PI * (widest - 1.0) * back) * (3.0 * cos * cos - 1.0)
    }
}

/// The particles whose mean cosine is `g`, if there are any.
fn fournier_forand_of(g: f64) -> Option<Particles> {
    let [mut steep, mut flat] = [3.2, 4.9];
    let asymmetry = |slope| moments::<2>(Particles::of_slope(slope))[1];
    if g > asymmetry(steep) || g < asymmetry(flat) {
        return None;
    }
    // The mean cosine falls as the share of small particles grows.
    for _ in 0..20 {
        let middle = 0.5 * (steep + flat);
        if asymmetry(middle) > g { steep = middle } else { flat = middle }
    }
    Some(Particles::of_slope(0.5 * (steep + flat)))
}

/// The first `N` Legendre moments of a phase function; the first is 1, the second the mean cosine.
fn moments<const N: usize>(particles: Particles) -> [f64; N] {
    let mut sums = [0.0; N];
    for i in 0..STEPS {
        // theta = pi t^4, so that the steep peak forward is met often enough.
        let t = (i as f64 + 0.5) / STEPS as f64;
        let theta = PI * t.powi(4);
        let ring = 2.0 * PI * theta.sin() * 4.0 * PI * t.powi(3) / STEPS as f64;
        let weight = ring * particles.phase((0.5 * theta).sin().powi(2));
        for (sum, p) in sums.iter_mut().zip(legendre(theta.cos())) {
            *sum += weight * p;
        }
    }
    let whole = sums[0];
    sums.map(|sum| sum / whole)
}

/// The polynomials of Legendre at `x`, from the 0th on.
fn legendre(x: f64) -> impl Iterator<Item = f64> {
    let mut next = (1.0, x);
    (1..).map(move |l| {
        let (p, q) = next;
        let l = f64::from(l);
        next = (q, ((2.0 * l + 1.0) * x * q - l * p) / (l + 1.0));
        p
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integral over the part of the sphere beyond the scattering angle whose cosine is `up_to`.
    fn integral(phase: impl Fn(f64) -> f64, up_to: f64) -> f64 {
        let steps = 400_000;
        // Equal steps of t with half_sine2 = t^4: cos = 1 - 2 t^4.
        let ring = |i: u32| {
            let t = (f64::from(i) + 0.5) / f64::from(steps);
            let half_sine2 = t.powi(4);
            let inside = 1.0 - 2.0 * half_sine2 <= up_to;
            if inside { phase(half_sine2) * 2.0 * PI * 8.0 * t.powi(3) / f64::from(steps) } else { 0.0 }
        };
        (0..steps).map(ring).sum()
    }

    /// Henyey-Greenstein phase function. Unit: 1/sr; integrates to 1 over the sphere.
    fn henyey_greenstein(cos_theta: f32, g: f32) -> f32 {
        let denominator = 1.0 + g * g - 2.0 * g * cos_theta;
        (1.0 - g * g) / (4.0 * std::f32::consts::PI * denominator * denominator.sqrt())
    }

    #[test]
    fn phase_functions_are_normalised() {
        let hg = |half_sine2: f64| f64::from(henyey_greenstein((1.0 - 2.0 * half_sine2) as f32, ASYMMETRY));
        assert!((integral(hg, 1.0) - 1.0).abs() < 1e-3);
        for slope in [3.3, 3.483, 3.6, 4.065] {
            let whole = integral(|s| Particles::of_slope(slope).phase(s), 1.0);
            assert!((whole - 1.0).abs() < 1e-3, "slope {slope}: {whole}");
        }
    }

    #[test]
    fn backscatter_is_that_of_the_published_pairs() {
        // Index, slope, backscattered share: Mobley, Sundman & Boss 2002.
        for (index, slope, share) in [(1.040, 3.2010, 0.001), (1.08, 3.483, 0.01), (1.175, 4.065, 0.1)] {
            let found = integral(|s| Particles { index, slope }.phase(s), 0.0);
            assert!((found / share - 1.0).abs() < 0.05, "{index}, {slope}: {found}, not {share}");
        }
    }

    #[test]
    fn the_average_particle_scatters_back_as_petzold_measured() {
        let particles = fournier_forand_of(f64::from(ASYMMETRY)).expect("between the ends of the line");
        assert!((moments::<2>(particles)[1] - f64::from(ASYMMETRY)).abs() < 1e-4);
        let back = integral(|s| particles.phase(s), 0.0);
        assert!((0.013..0.044).contains(&back), "{back}");
    }

    #[test]
    fn a_broadened_function_is_normalised_and_falls_from_forward_to_sideways() {
        for g in [ASYMMETRY, 0.8, 0.5, 0.0, -0.5] {
            let PhaseTable(table) = PhaseTable::broadened(g);
            // d(solid angle) = 8 pi s ds, s = sin(theta / 2); the trapezoid rule.
            let step = 1.0 / (PHASE_SAMPLES - 1) as f32;
            let rings = table.iter().enumerate().map(|(i, p)| {
                let end = if i == 0 || i == PHASE_SAMPLES - 1 { 0.5 } else { 1.0 };
                end * p * 8.0 * std::f32::consts::PI * i as f32 * step * step
            });
            let whole: f32 = rings.sum();
            assert!((whole - 1.0).abs() < 0.01, "g {g}: {whole}");
        }
        let PhaseTable(table) = PhaseTable::broadened(ASYMMETRY);
        assert!(table[..40].windows(2).all(|pair| pair[1] < pair[0]), "{table:?}");
        assert!(table[0] > 2.0 * henyey_greenstein(1.0, ASYMMETRY.powi(SCATTERING_ORDERS)), "a sharper aureole");
    }
}
