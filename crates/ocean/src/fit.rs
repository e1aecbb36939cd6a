//! Least squares, and two exponentials that stand for a spectrum.

/// Candidates for each rate of an exponential.
const RATES: usize = 20;
/// Lengths of rays at which a spectrum is compared with its exponentials, over that of the longest.
const RAYS: [f64; 9] = [0.0, 0.05, 0.12, 0.24, 0.38, 0.52, 0.67, 0.83, 1.0];
/// Greatest length of the longest ray, in metres and in mean attenuation lengths, after which 0.4 % is left.
const LONGEST_M: f64 = 21.0;
const LONGEST: f64 = 5.5;
/// Relative difference of columns of the fits below at which they still count as alike.
const ALIKE: f64 = 1e-9;
/// Weight of an error of the beam relative to one of all light, as squares.
const BEAM_WEIGHT: f64 = 0.01;
/// Share of the greatest value that is added to a value before its error is taken relative to it.
const NEGLIGIBLE: f64 = 1e-3;

/// Least-squares solution `x` of rows · x = values. Columns that are alike to a share of `alike` divide their
/// coefficient between them (Tikhonov).
pub fn least_squares<const N: usize>(rows: impl IntoIterator<Item = ([f64; N], f64)>, alike: f64) -> [f64; N] {
    let (mut matrix, mut right) = ([[0.0; N]; N], [0.0; N]);
    for (row, value) in rows {
        for i in 0..N {
            right[i] += row[i] * value;
            for j in 0..N {
                matrix[i][j] += row[i] * row[j];
            }
        }
    }
    (0..N).for_each(|i| matrix[i][i] *= 1.0 + alike);
    for i in 0..N {
        let pivot = matrix[i][i];
        if pivot <= 0.0 {
            continue;
        }
        let row = matrix[i];
        for j in i + 1..N {
            let factor = matrix[j][i] / pivot;
            for (below, above) in matrix[j].iter_mut().zip(row) {
                *below -= factor * above;
            }
            right[j] -= factor * right[i];
        }
    }
    let mut x = [0.0; N];
    for i in (0..N).rev() {
        let rest: f64 = (i + 1..N).map(|j| matrix[i][j] * x[j]).sum();
        x[i] = if matrix[i][i] > 0.0 { (right[i] - rest) / matrix[i][i] } else { 0.0 };
    }
    x
}

/// Light of one wavelength, to which the exponentials of its channel are fitted.
#[derive(Clone, Debug)]
pub struct Spectral {
    /// Beam attenuation. Unit: 1/m.
    pub attenuation: f64,
    /// Its share of white light.
    pub white: f64,
    /// Its light at each depth.
    pub by_depth: Vec<f64>,
}

/// Two exponentials of depth: of each its attenuation with depth, its attenuation along a ray and its share of white
/// light along a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponentials {
    /// Attenuation with depth. Unit: 1/m of depth.
    pub depth_attenuation: [f64; 2],
    /// Attenuation along a ray. Unit: 1/m of the ray.
    pub attenuation: [f64; 2],
    /// Shares of white light. Unit: 1; they sum to 1.
    pub white: [f64; 2],
}

impl Exponentials {
    /// Fits the exponentials to `total` and `beam` by depth, and to the attenuation along a ray of the light that is
    /// left there and of white light.
    pub fn fit(depths: &[f64], total: &[f64], beam: &[f64], spectrum: &[Spectral]) -> Self {
        let depth_attenuation = depth_attenuations(depths, total, beam);
        let shares = shares(&depth_attenuation, depths, total);
        let (attenuation, white) = attenuations(depth_attenuation, shares, depths, spectrum);
        Self { depth_attenuation, attenuation, white }
    }

    /// Shares of the two exponentials in `values` at `depths`.
    pub fn shares(&self, depths: &[f64], values: &[f64]) -> [f64; 2] {
        shares(&self.depth_attenuation, depths, values)
    }
}

fn shares(depth_attenuation: &[f64; 2], depths: &[f64], values: &[f64]) -> [f64; 2] {
    let most = values.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return [0.0; 2];
    }
    let rows = depths.iter().zip(values).map(|(depth, value)| {
        let weight = 1.0 / (value + NEGLIGIBLE * most);
        (depth_attenuation.map(|rate| weight * (-rate * depth).exp()), weight * value)
    });
    least_squares(rows, ALIKE)
}

/// Sum of the squared errors of `shares`, as shares of the values.
fn error(depth_attenuation: &[f64; 2], depths: &[f64], values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(0.0, f64::max);
    let [a, b] = shares(depth_attenuation, depths, values);
    let off = depths.iter().zip(values).map(|(depth, value)| {
        let found = a * (-depth_attenuation[0] * depth).exp() + b * (-depth_attenuation[1] * depth).exp();
        ((found - value) / (value + NEGLIGIBLE * most).max(1e-30)).powi(2)
    });
    off.sum()
}

/// Evenly spaced ratios between two rates.
fn candidates(low: f64, high: f64) -> impl Iterator<Item = f64> + Clone {
    (0..RATES).map(move |i| low * (high / low).powf(i as f64 / (RATES - 1) as f64))
}

fn depth_attenuations(depths: &[f64], total: &[f64], beam: &[f64]) -> [f64; 2] {
    let rate = |values: &[f64], i: usize| {
        let rate = (values[i].max(1e-30) / values[i + 1].max(1e-30)).ln() / (depths[i + 1] - depths[i]).max(1e-9);
        rate.clamp(1e-4, 1e3)
    };
    let lowest = 0.6 * rate(total, depths.len() - 2);
    let highest = 1.3 * rate(total, 0).max(rate(beam, 0)).max(lowest);
    let off = |pair: &[f64; 2]| error(pair, depths, total) + BEAM_WEIGHT * error(pair, depths, beam);
    let search = |slow: [f64; 2], fast: [f64; 2]| -> [f64; 2] {
        let mut best = (f64::MAX, [lowest, highest]);
        for slow in candidates(slow[0], slow[1]) {
            for fast in candidates(fast[0], fast[1]).filter(|fast| *fast > 1.04 * slow) {
                let pair = [slow, fast];
                let here = off(&pair);
                if here < best.0 {
                    best = (here, pair);
                }
            }
        }
        best.1
    };
    let step = (highest / lowest).powf(1.0 / (RATES - 1) as f64);
    // A search over all rates, then a finer one about the best.
    let [slow, fast] = search([lowest, highest], [lowest, highest]).map(|rate| [rate / step, rate * step]);
    search(slow, fast)
}

fn attenuations(
    depth_attenuation: [f64; 2],
    shares: [f64; 2],
    depths: &[f64],
    spectrum: &[Spectral],
) -> ([f64; 2], [f64; 2]) {
    let (low, high) = spectrum
        .iter()
        .fold((f64::MAX, 0.0f64), |(low, high), part| (low.min(part.attenuation), high.max(part.attenuation)));
    if spectrum.is_empty() || high <= 1.001 * low {
        return ([high; 2], [0.5; 2]);
    }
    let whole: f64 = spectrum.iter().map(|s| s.white).sum();
    let mean = spectrum.iter().map(|s| s.white / whole * s.attenuation).sum::<f64>();
    let rays = RAYS.map(|ray| ray * LONGEST_M.min(LONGEST / mean));
    let light: Vec<Vec<f64>> = rays
        .map(|ray| {
            let left = |k: usize| spectrum.iter().map(|s| s.by_depth[k] * (-s.attenuation * ray).exp()).sum::<f64>();
            (0..depths.len()).map(left).collect()
        })
        .into();
    let white = rays.map(|ray| spectrum.iter().map(|s| s.white / whole * (-s.attenuation * ray).exp()).sum::<f64>());
    let mut best = (f64::MAX, [low, high], [0.5; 2]);
    for slow in candidates(low, high) {
        for fast in candidates(low, high) {
            let left = rays.map(|ray| [(-slow * ray).exp(), (-fast * ray).exp()]);
            // w left0 + (1 - w) left1 = white.
            let rows = left.iter().zip(white).map(|(left, white)| {
                ([(left[0] - left[1]) / (white + NEGLIGIBLE)], (white - left[1]) / (white + NEGLIGIBLE))
            });
            let [share] = least_squares(rows, ALIKE);
            let share = share.clamp(0.0, 1.0);
            let mut off = 0.0;
            for (left, white) in left.iter().zip(white) {
                let found = share * left[0] + (1.0 - share) * left[1];
                off += ((found - white) / (white + NEGLIGIBLE)).powi(2) * depths.len() as f64;
            }
            for (left, light) in left.iter().zip(&light) {
                for (depth, light_there) in depths.iter().zip(light) {
                    let found: f64 = (0..2).map(|i| shares[i] * (-depth_attenuation[i] * depth).exp() * left[i]).sum();
                    off += ((found - light_there) / (light_there + NEGLIGIBLE * light[0]).max(1e-30)).powi(2);
                }
            }
            if off < best.0 {
                best = (off, [slow, fast], [share, 1.0 - share]);
            }
        }
    }
    (best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_squares_finds_what_made_the_values() {
        let wanted = [2.0, -0.5, 3.0];
        let rows = (0..9).map(|i| {
            let x = f64::from(i) / 8.0;
            let row = [1.0, x, x * x];
            (row, row.iter().zip(wanted).map(|(r, w)| r * w).sum::<f64>())
        });
        let found = least_squares(rows, ALIKE);
        assert!(found.iter().zip(wanted).all(|(f, w)| (f - w).abs() < 1e-5), "{found:?}");
        assert_eq!(least_squares::<2>([], ALIKE), [0.0, 0.0]);
    }

    #[test]
    fn two_colours_are_told_apart() {
        let depths: Vec<f64> = (0..20).map(f64::from).collect();
        let colours = [(0.12, 0.2, 0.4), (0.31, 0.45, 0.6)];
        let spectrum: Vec<Spectral> = colours
            .iter()
            .map(|&(depth_attenuation, attenuation, white)| Spectral {
                attenuation,
                white,
                by_depth: depths.iter().map(|depth| white * (-depth_attenuation * depth).exp()).collect(),
            })
            .collect();
        let total: Vec<f64> = (0..20).map(|k| spectrum.iter().map(|s| s.by_depth[k]).sum()).collect();
        let fit = Exponentials::fit(&depths, &total, &total, &spectrum);
        for (k, depth) in depths.iter().enumerate() {
            for ray in [0.0, 4.0, 12.0] {
                let truth: f64 = spectrum.iter().map(|s| s.by_depth[k] * (-s.attenuation * ray).exp()).sum();
                let shares = fit.shares(&depths, &total);
                let found: f64 = (0..2)
                    .map(|i| shares[i] * (-fit.depth_attenuation[i] * depth - fit.attenuation[i] * ray).exp())
                    .sum();
                assert!((found / truth - 1.0).abs() < 0.08, "{depth} m down, {ray} m off: {found} for {truth}");
            }
        }
    }
}
