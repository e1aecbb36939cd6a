//! Power spectra: a photograph has about as much contrast at every scale, so that its power falls with the square to the
//! cube of the frequency. A rendering without grain falls faster, one of noise more slowly.

use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

use crate::{Luma, slope_of_line};

/// Frequencies from and to which a line is fitted. Unit: cycles a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band(pub f64, pub f64);

impl Band {
    /// From shapes of 25 pixels to details of 3.
    pub const WHOLE: Self = Self(0.04, 0.33);
    /// Details alone.
    pub const FINE: Self = Self(0.1, 0.33);
}

/// Slope of the radial power spectrum between these frequencies, log over log, of the largest square at the left top,
/// under a Hann window. 0 for a flat picture.
pub fn slope(luma: &Luma, band: Band) -> f64 {
    let power = radial_power(luma);
    let side = luma.width.min(luma.height()) as f64;
    let points: Vec<(f64, f64)> = power
        .iter()
        .map(|&(ring, power)| (ring as f64 / side, power))
        .filter(|&(frequency, power)| frequency > band.0 && frequency < band.1 && power > 0.0)
        .map(|(frequency, power)| (frequency.ln(), power.ln()))
        .collect();
    slope_of_line(&points)
}

/// Mean power at each whole number of cycles a side, from 2 on.
fn radial_power(luma: &Luma) -> Vec<(usize, f64)> {
    let side = luma.width.min(luma.height());
    let square = || (0..side).flat_map(|y| luma.values[y * luma.width..][..side].iter().copied());
    let mean = square().sum::<f64>() / (side * side).max(1) as f64;
    let hann = |i: usize| 0.5 - 0.5 * (std::f64::consts::TAU * i as f64 / (side.max(2) - 1) as f64).cos();
    let windowed = |(i, value): (usize, f64)| Complex::new((value - mean) * hann(i % side) * hann(i / side), 0.0);
    let mut field: Vec<Complex<f64>> = square().enumerate().map(windowed).collect();
    if side < 4 {
        return Vec::new();
    }
    let transform = FftPlanner::new().plan_fft_forward(side);
    transform.process(&mut field);
    let mut turned: Vec<Complex<f64>> = (0..side * side).map(|i| field[i % side * side + i / side]).collect();
    transform.process(&mut turned);
    let mut rings = vec![(0.0, 0_u32); side];
    let signed = |i: usize| if i > side / 2 { i as f64 - side as f64 } else { i as f64 };
    for (i, value) in turned.iter().enumerate() {
        let ring = signed(i % side).hypot(signed(i / side)).round() as usize;
        if let Some((sum, count)) = rings.get_mut(ring) {
            *sum += value.norm_sqr();
            *count += 1;
        }
    }
    let found = rings.into_iter().enumerate().take(side / 2).skip(2);
    found.map(|(ring, (sum, count))| (ring, sum / f64::from(count.max(1)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise whose amplitude falls with the frequency to the power `fall`.
    fn field(side: usize, fall: f64) -> Luma {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1 << 31)
        };
        let signed = |i: usize| if i > side / 2 { i as f64 - side as f64 } else { i as f64 };
        let mut field: Vec<Complex<f64>> = (0..side * side)
            .map(|i| {
                let cycles = signed(i % side).hypot(signed(i / side)).max(1.0);
                Complex::from_polar(cycles.powf(fall), std::f64::consts::TAU * random())
            })
            .collect();
        let transform = FftPlanner::new().plan_fft_inverse(side);
        transform.process(&mut field);
        let mut turned: Vec<Complex<f64>> = (0..side * side).map(|i| field[i % side * side + i / side]).collect();
        transform.process(&mut turned);
        Luma { width: side, values: turned.iter().map(|value| value.re).collect() }
    }

    #[test]
    fn the_slope_is_that_of_the_field() {
        for fall in [-1.0, -1.5, -0.5] {
            let found = slope(&field(128, fall), Band::WHOLE);
            assert!((found - 2.0 * fall).abs() < 0.1, "{found} for {}", 2.0 * fall);
        }
        assert_eq!(slope(&Luma { width: 16, values: vec![0.5; 256] }, Band::WHOLE), 0.0);
    }
}
