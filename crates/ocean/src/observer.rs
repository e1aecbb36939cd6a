//! Spectra as linear sRGB: the standard observer, and the wavelengths that represent each channel.

use glam::Vec3;

use crate::types::SAMPLES;
use crate::water_types::WAVELENGTHS_NM;

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

/// Luminance of each channel at 1 (linear sRGB, IEC 61966-2-1).
pub const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);

/// Response of each channel to a wavelength: the principal lobe of its matching function. The negative lobes, colours
/// that the screen cannot show, and red's small lobe in the violet are left out.
fn response(nm: f32) -> Vec3 {
    let positive = linear_srgb(colour_matching(nm)).max(Vec3::ZERO);
    if nm < 530.0 { positive.with_x(0.0) } else { positive }
}

/// First of the sampled wavelengths, and their distance. Unit: nm.
const SAMPLES_NM: (f32, f32) = (400.0, 10.0);

/// Sampled wavelengths, close enough together for the last of a colour far below, which its neighbours do not
/// determine. Unit: nm.
pub fn samples_nm() -> [f32; SAMPLES] {
    std::array::from_fn(|i| SAMPLES_NM.0 + SAMPLES_NM.1 * i as f32)
}

/// Weight of each of [`samples_nm`] in each channel for an equal-energy light. Each channel's weights sum to 1.
pub fn channel_weights() -> [Vec3; SAMPLES] {
    let weights = samples_nm().map(response);
    let whole: Vec3 = weights.iter().sum();
    weights.map(|weight| weight / whole)
}

/// Value at a wavelength, 400..=700 nm, of a spectrum at [`WAVELENGTHS_NM`].
pub fn at_wavelength(spectrum: &[f32; WAVELENGTHS_NM.len()], nm: f32) -> f32 {
    let next = WAVELENGTHS_NM.partition_point(|&known| known <= nm).clamp(1, WAVELENGTHS_NM.len() - 1);
    let along = (nm - WAVELENGTHS_NM[next - 1]) / (WAVELENGTHS_NM[next] - WAVELENGTHS_NM[next - 1]);
    spectrum[next - 1] + along * (spectrum[next] - spectrum[next - 1])
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
    fn the_samples_see_what_the_eye_sees() {
        let weights = channel_weights();
        assert!((weights.iter().sum::<Vec3>() - Vec3::ONE).abs().max_element() < 1e-5);
        let mean: Vec3 = weights.iter().zip(samples_nm()).map(|(weight, nm)| *weight * nm).sum();
        assert!((mean - Vec3::new(608.0, 542.0, 452.0)).abs().max_element() < 6.0, "{mean}");
    }

    #[test]
    fn the_samples_take_from_light_what_all_wavelengths_take() {
        use crate::WaterType;
        let weights = channel_weights();
        for kind in [WaterType::I, WaterType::IB, WaterType::Coastal1, WaterType::Coastal7] {
            let spectrum = &kind.spectra().expect("measured").absorption;
            for distance_m in [1.0, 5.0, 12.0, 20.0] {
                let few: Vec3 = weights
                    .iter()
                    .zip(samples_nm())
                    .map(|(weight, nm)| *weight * (-at_wavelength(spectrum, nm) * distance_m).exp())
                    .sum();
                let (mut all, mut whole) = (Vec3::ZERO, Vec3::ZERO);
                for nm in 400..=700 {
                    let (nm, here) = (nm as f32, response(nm as f32));
                    all += here * (-at_wavelength(spectrum, nm) * distance_m).exp();
                    whole += here;
                }
                let off = (few / (all / whole) - Vec3::ONE).abs();
                let seen = (all / whole).cmpgt(Vec3::splat(1e-2));
                assert!(Vec3::select(seen, off, Vec3::ZERO).max_element() < 0.02, "{kind}, {distance_m} m: {off}");
            }
        }
    }
}
