//! Light of all wavelengths, and what the three channels take of it.

use super::sea::Water;
use pelagic::ocean::{WAVELENGTHS_NM, WaterSpectra};

/// Colour matching functions x, y, z of the CIE 1931 observer from 400 to 700 nm, each 10 nm.
const CIE_1931: [[f64; 3]; 31] = [
    [0.01431, 0.000396, 0.06785],
    [0.04351, 0.00121, 0.2074],
    [0.13438, 0.0040, 0.6456],
    [0.2839, 0.0116, 1.3856],
    [0.34828, 0.0230, 1.74706],
    [0.3362, 0.0380, 1.77211],
    [0.2908, 0.0600, 1.6692],
    [0.19536, 0.09098, 1.28764],
    [0.09564, 0.13902, 0.81295],
    [0.03201, 0.20802, 0.46518],
    [0.0049, 0.3230, 0.2720],
    [0.0093, 0.5030, 0.1582],
    [0.06327, 0.7100, 0.07825],
    [0.1655, 0.8620, 0.04216],
    [0.2904, 0.9540, 0.0203],
    [0.43345, 0.99495, 0.00875],
    [0.5945, 0.9950, 0.0039],
    [0.7621, 0.9520, 0.0021],
    [0.9163, 0.8700, 0.00165],
    [1.0263, 0.7570, 0.0011],
    [1.0622, 0.6310, 0.0008],
    [1.0026, 0.5030, 0.00034],
    [0.85445, 0.3810, 0.00019],
    [0.6424, 0.2650, 0.00005],
    [0.4479, 0.1750, 0.00002],
    [0.2835, 0.1070, 0.0],
    [0.1649, 0.0610, 0.0],
    [0.0874, 0.0320, 0.0],
    [0.04677, 0.0170, 0.0],
    [0.0227, 0.00821, 0.0],
    [0.011359, 0.004102, 0.0],
];

/// Linear sRGB of XYZ (IEC 61966-2-1).
const SRGB_OF_XYZ: [[f64; 3]; 3] = [[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]];

/// Names of the channels.
pub const CHANNELS: [&str; 3] = ["red", "green", "blue"];

/// Red's second, violet lobe ends here and is left out: what it lets through is not what the eye calls red. Unit: nm.
const RED_FROM_NM: f64 = 530.0;

/// Wavelengths that the channels are made of. Unit: nm.
pub fn wavelengths_nm() -> impl Iterator<Item = f64> {
    (0..CIE_1931.len()).map(|i| 400.0 + 10.0 * i as f64)
}

/// Response of each channel to each wavelength of light of equal energy: the positive part of its response, 1 in sum.
pub fn weights() -> [[f64; 31]; 3] {
    std::array::from_fn(|channel| {
        let mut weights = CIE_1931.map(|xyz| {
            let response: f64 = SRGB_OF_XYZ[channel].iter().zip(xyz).map(|(factor, value)| factor * value).sum();
            response.max(0.0)
        });
        if channel == 0 {
            for (weight, nm) in weights.iter_mut().zip(wavelengths_nm()) {
                *weight *= f64::from(nm >= RED_FROM_NM);
            }
        }
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    })
}

/// A spectrum at a wavelength, linear between those it is known at.
pub fn at(values: &[f32; 13], nm: f64) -> f64 {
    let above = WAVELENGTHS_NM.partition_point(|&known| f64::from(known) < nm).clamp(1, values.len() - 1);
    let [low, high] = [above - 1, above].map(|i| f64::from(WAVELENGTHS_NM[i]));
    let [first, second] = [above - 1, above].map(|i| f64::from(values[i]));
    first + (nm - low) / (high - low) * (second - first)
}

/// The water of a type at a wavelength. Molecules scatter 0.005826 (400 nm / wavelength)^4.322 (Haltrin 1999).
pub fn water(spectra: &WaterSpectra, nm: f64) -> Water {
    let scattering = at(&spectra.scattering, nm);
    let molecular = (0.005_826 * (400.0 / nm).powf(4.322)).min(scattering);
    Water { absorption: at(&spectra.absorption, nm), scattering, molecular }
}
