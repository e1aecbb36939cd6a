//! From spectra to linear sRGB: the standard observer, and coefficients per channel that stand for a whole spectrum.

use glam::Vec3;

use crate::ocean::water_types::WAVELENGTHS_NM;

/// Path over which a channel's coefficient takes as much light as its spectrum does. Unit: m. In between the spectrum
/// takes more at first (its strongly absorbed part goes) and less later; 4 m is the distance of what a diver looks at.
const REFERENCE_PATH_M: f32 = 4.0;

/// CIE 1931 2° colour matching functions x, y, z at a wavelength, as sums of piecewise Gaussians (Wyman, Sloan &
/// Shirley 2013, JCGT 2(2), Section 2.2, multi-lobe fit).
pub fn colour_matching(nm: f32) -> Vec3 {
    let lobe = |peak: f32, centre: f32, below: f32, above: f32| {
        let t = (nm - centre) * if nm < centre { below } else { above };
        peak * (-0.5 * t * t).exp()
    };
    let x =
        lobe(0.362, 442.0, 0.0624, 0.0374) + lobe(1.056, 599.8, 0.0264, 0.0323) + lobe(-0.065, 501.1, 0.0490, 0.0382);
    let y = lobe(0.821, 568.8, 0.0213, 0.0247) + lobe(0.286, 530.9, 0.0613, 0.0322);
    let z = lobe(1.217, 437.0, 0.0845, 0.0278) + lobe(0.681, 459.0, 0.0385, 0.0725);
    Vec3::new(x, y, z)
}

/// Linear sRGB of CIE XYZ (IEC 61966-2-1).
fn linear_srgb(xyz: Vec3) -> Vec3 {
    Vec3::new(
        xyz.dot(Vec3::new(3.2406, -1.5372, -0.4986)),
        xyz.dot(Vec3::new(-0.9689, 1.8758, 0.0415)),
        xyz.dot(Vec3::new(0.0557, -0.2040, 1.0570)),
    )
}

/// How strongly each channel responds to a wavelength: the principal lobe of its matching function. The negative lobes,
/// colours that the screen cannot show, and red's small lobe in the violet are left out.
fn response(nm: f32) -> Vec3 {
    let positive = linear_srgb(colour_matching(nm)).max(Vec3::ZERO);
    if nm < 530.0 { positive.with_x(0.0) } else { positive }
}

/// Coefficient of each channel that takes from an equal-energy light, over [`REFERENCE_PATH_M`], what the 13 bands of
/// `spectrum` take together. `spectrum` is at [`WAVELENGTHS_NM`]. Unit: 1/m.
pub fn equivalent(spectrum: &[f32; 13]) -> Vec3 {
    let (mut left, mut whole) = (Vec3::ZERO, Vec3::ZERO);
    for (coefficient, nm) in spectrum.iter().zip(WAVELENGTHS_NM) {
        let weight = response(nm);
        left += weight * (-coefficient * REFERENCE_PATH_M).exp();
        whole += weight;
    }
    -(left / whole).map(f32::ln) / REFERENCE_PATH_M
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_observer_has_its_known_peaks() {
        let y = colour_matching(555.0);
        assert!((y.y - 1.0).abs() < 0.01, "luminous efficiency is 1 at 555 nm: {}", y.y);
        assert!((colour_matching(600.0).x - 1.0622).abs() < 0.02);
        assert!((colour_matching(445.0).z - 1.78).abs() < 0.05);
    }

    #[test]
    fn a_flat_spectrum_is_its_own_equivalent() {
        let flat = equivalent(&[0.3; 13]);
        assert!((flat - Vec3::splat(0.3)).abs().max_element() < 1e-5, "{flat}");
    }

    #[test]
    fn an_equivalent_lies_between_the_extremes_and_takes_what_the_bands_take() {
        let spectrum = std::array::from_fn(|i| 0.02 + 0.04 * i as f32);
        let channels = equivalent(&spectrum);
        assert!(channels.min_element() > 0.02 && channels.max_element() < 0.5);
        let left = |nm_of: fn(Vec3) -> f32| {
            let weigh = |nm: f32| nm_of(response(nm));
            let whole: f32 = WAVELENGTHS_NM.iter().map(|&nm| weigh(nm)).sum();
            let left: f32 = spectrum.iter().zip(WAVELENGTHS_NM).map(|(c, nm)| weigh(nm) * (-c * 4.0f32).exp()).sum();
            left / whole
        };
        assert!(((-channels.x * 4.0).exp() - left(|r| r.x)).abs() < 1e-5);
        assert!(((-channels.z * 4.0).exp() - left(|r| r.z)).abs() < 1e-5);
    }
}
