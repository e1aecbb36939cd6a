//! The wave field: a directional spectrum, spread over lattices of wave vectors on patches that tile.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{Cascade, LatticeWave, WaveComponent, WaveField, WavesSettings};

/// Standard gravity, rounded. Unit: m/s².
pub const GRAVITY_M_S2: f32 = 9.81;
/// Density of sea water at 20 °C and 35 psu. Unit: kg/m³.
pub const SEA_WATER_DENSITY_KG_M3: f32 = 1025.0;
/// Surface tension of sea water against air at about 20 °C. Unit: N/m.
pub const SURFACE_TENSION_N_M: f32 = 0.0735;
/// Surface tension over density. Unit: m³/s².
const TENSION: f32 = SURFACE_TENSION_N_M / SEA_WATER_DENSITY_KG_M3;

/// Period of the sea, after which it is exactly what it was: every frequency is a whole number of turns in it. The step
/// between frequencies, 0.0017 rad/s, is 0.6 % of that of a swell of 20 s. Unit: s.
pub const WAVE_PERIOD_S: f64 = 3600.0;

/// Side of the short patch over the depth: waves that focus light on the ground are about as long as its depth.
const SHORT_PATCH_OVER_DEPTH: f32 = 1.75;
/// Least and greatest side of the short patch. Unit: m.
const SHORT_PATCH_M: (f32, f32) = (6.0, 14.0);
/// Side of a patch over that of the next shorter one: no whole number, so that their tilings do not meet.
const PATCH_RATIO: f32 = 7.3;
/// Points along the lattices of the long, the middle and the short patch.
const LATTICE: [usize; 3] = [32, 32, 128];
/// Longest waves of a patch that continues a longer one: this many fit into its side.
const MIN_WAVES: f32 = 2.0;

/// Spreading exponent of a swell that has come from afar.
const SWELL_SPREADING: f32 = 20.0;
/// Width of the swell's peak over its frequency.
const SWELL_WIDTH: f32 = 0.08;
/// Lengths of the ripples that are too short for the lattices, a hand's breadth and two fingers' wide: where pixels
/// show them they are drawn as noise. Unit: m.
pub const RIPPLE_LENGTHS_M: Vec2 = Vec2::new(0.10, 0.04);
/// Speeds at which these ripples run before the wind. Chosen by eye: single waves of these lengths run 0.40 and 0.27
/// m/s, but the noise holds longer ones too. Unit: m/s.
pub const RIPPLE_SPEEDS_M_S: Vec2 = Vec2::new(0.45, 0.34);
/// Variance of the slope of the sea, along both axes together, for each m/s of wind (s/m), the offset of that fit, and
/// the least measured wind (m/s), from which on it applies: Cox & Munk 1954, 0.003 + 0.00512 U for a clean sea.
const SLOPE_VARIANCE_PER_WIND: f32 = 0.005_12;
const SLOPE_VARIANCE_OFFSET: f32 = 0.003;
const MIN_MEASURED_WIND_M_S: f32 = 0.7;
/// Waves longer than this (m) have the slopes of JONSWAP: Cox and Munk's slicks, which smoothed away the shorter ones,
/// had such slopes left, 0.008 + 0.00156 U. Shorter ones bring the rest of the variance.
const SHORT_WAVE_M: f32 = 0.3;
/// Wavenumber at which viscosity has ended the spectrum (Elfouhaily et al. 1997, figure 2). Unit: rad/m.
const LAST_WAVENUMBER: f32 = 1000.0;

/// Waves kept for the surge.
const FELT_BELOW: usize = 48;

/// The waves of a wind sea and a swell over water of the given depth (metres, may be infinite).
pub fn wave_field(settings: &WavesSettings, depth_m: f32, seed: u64) -> WaveField {
    let short = (SHORT_PATCH_OVER_DEPTH * depth_m).clamp(SHORT_PATCH_M.0, SHORT_PATCH_M.1);
    let sides = [PATCH_RATIO * PATCH_RATIO * short, PATCH_RATIO * short, short];
    let sea = Sea::new(settings, depth_m);
    let mut from = 0.0;
    let cascades = (0..3)
        .map(|i| {
            let own_end = TAU / sides[i] * (LATTICE[i] / 2) as f32;
            let end = sides.get(i + 1).map_or(own_end, |next| own_end.min(TAU / next * MIN_WAVES));
            let band = from..end;
            from = end;
            let mut random = Pcg64Mcg::seed_from_u64(seed ^ 0x7761_7665 ^ ((i as u64) << 32));
            sea.cascade(sides[i], LATTICE[i], band, &mut random)
        })
        .collect::<Vec<_>>();
    let felt_below = felt_below(&cascades, depth_m);
    let wind = settings.wind_m_s * Vec2::from_angle(settings.direction_deg.to_radians());
    WaveField { cascades, wind, choppiness: settings.choppiness, felt_below }
}

/// Angular frequency of a wave of wavenumber `k` (rad/m) over `depth_m`: ω² = (g k + σ/ρ k³) tanh(k h).
pub fn angular_frequency(k: f32, depth_m: f32) -> f32 {
    ((GRAVITY_M_S2 * k + TENSION * k * k * k) * shallowness(k, depth_m)).sqrt()
}

/// tanh(k h), 1 for deep water.
fn shallowness(k: f32, depth_m: f32) -> f32 {
    if (k * depth_m).is_finite() { (k * depth_m).tanh() } else { 1.0 }
}

/// dω/dk. Unit: m/s.
fn group_velocity(k: f32, depth_m: f32) -> f32 {
    let tanh = shallowness(k, depth_m);
    let squeezed = if tanh < 1.0 { depth_m * (1.0 - tanh * tanh) } else { 0.0 };
    let weight = GRAVITY_M_S2 * k + TENSION * k * k * k;
    ((GRAVITY_M_S2 + 3.0 * TENSION * k * k) * tanh + weight * squeezed) / (2.0 * (weight * tanh).sqrt())
}

/// Variance of the slope of a sea under a wind (m/s), along both axes together: Cox & Munk 1954. A calm one is flat.
pub fn slope_variance(wind_m_s: f32) -> f32 {
    SLOPE_VARIANCE_OFFSET * (wind_m_s / MIN_MEASURED_WIND_M_S).min(1.0) + SLOPE_VARIANCE_PER_WIND * wind_m_s
}

impl WaveField {
    /// Variance of the slope, along both axes together, of the waves too short for the maps: maps of the short patch
    /// `map_side` texels wide, and half as wide ones of the others.
    pub fn unresolved_slope_variance(&self, map_side: u32) -> f32 {
        let last = self.cascades.len().saturating_sub(1);
        let most = |i: usize| (map_side / if i == last { 4 } else { 8 }) as f32;
        let held = |(i, cascade): (usize, &Cascade)| {
            let Vec3 { x, y, .. } = cascade.slope_variance(|turns| f32::from(turns.length() < most(i)));
            x + y
        };
        (slope_variance(self.wind.length()) - self.cascades.iter().enumerate().map(held).sum::<f32>()).max(0.0)
    }
}

/// Wind sea and swell over water of one depth.
#[derive(Clone, Copy)]
struct Sea<'a> {
    settings: &'a WavesSettings,
    depth_m: f32,
    /// Power of the wavenumber by which short waves differ from JONSWAP's.
    short_power: f32,
}

impl<'a> Sea<'a> {
    /// The sea whose slopes have the variance that Cox and Munk measured.
    fn new(settings: &'a WavesSettings, depth_m: f32) -> Self {
        let mut sea = Self { settings, depth_m, short_power: 0.0 };
        let joint = TAU / SHORT_WAVE_M;
        let missing = slope_variance(settings.wind_m_s) - sea.wind_slope_variance(1e-2, joint);
        let (mut least, mut greatest) = (-8.0f32, 4.0f32);
        for _ in 0..20 {
            sea.short_power = 0.5 * (least + greatest);
            let is_too_much = sea.wind_slope_variance(joint, LAST_WAVENUMBER) > missing;
            *(if is_too_much { &mut greatest } else { &mut least }) = sea.short_power;
        }
        sea
    }

    /// Variance of the slope, along both axes together, of the wind sea's waves between two wavenumbers (rad/m).
    fn wind_slope_variance(self, from: f32, to: f32) -> f32 {
        let steps = 400;
        let step = (to / from).ln() / steps as f32;
        let wavenumbers = (0..steps).map(|i| from * ((i as f32 + 0.5) * step).exp());
        wavenumbers.map(|k| self.wind_sea(k) * group_velocity(k, self.depth_m) * k.powi(3) * step).sum()
    }

    /// The waves whose wavenumbers are in `band`.
    fn cascade(self, patch_m: f32, side: usize, band: std::ops::Range<f32>, random: &mut Pcg64Mcg) -> Cascade {
        let (step, half) = (TAU / patch_m, (side / 2) as i32);
        let mut waves = Vec::with_capacity(side * side);
        for row in -half..half {
            for column in -half..half {
                // Drawn for every point, so that a change of the spectrum does not reshuffle the rest.
                let phase = random.random_range(0.0..TAU);
                let cell = Vec2::new(column as f32, row as f32);
                // The edge of the lattice has no mirror image, and its middle is no wave.
                if column == -half || row == -half || (column, row) == (0, 0) {
                    waves.push(LatticeWave::default());
                    continue;
                }
                let omega = f64::from(angular_frequency(cell.length() * step, self.depth_m));
                let turns = (omega * WAVE_PERIOD_S / std::f64::consts::TAU).round() as f32;
                let amplitude = (2.0 * self.variance_of(cell, step, &band)).sqrt();
                waves.push(LatticeWave { half: 0.5 * amplitude * Vec2::from_angle(phase), turns });
            }
        }
        if waves.iter().all(|wave| wave.half == Vec2::ZERO) {
            waves.clear();
        }
        Cascade { patch_m, side, waves }
    }

    /// Variance of the waves of `band` in the square cell about a lattice point. Unit: m².
    fn variance_of(self, cell: Vec2, step: f32, band: &std::ops::Range<f32>) -> f32 {
        let reach = cell.length();
        if (reach - 0.75) * step > band.end || (reach + 0.75) * step < band.start {
            return 0.0;
        }
        // The spectrum changes fast where the cell is large beside its wavenumber, and ends at the edges of the band.
        let at_edge = |k: f32| (reach * step - k).abs() < 0.75 * step;
        let parts = match reach {
            _ if reach < 4.0 => 12,
            _ if reach < 10.0 || at_edge(band.start) || at_edge(band.end) => 6,
            _ if reach < 24.0 => 3,
            _ => 1,
        };
        let at = |i: i32| (i as f32 + 0.5) / parts as f32 - 0.5;
        let mut sum = 0.0;
        for (i, j) in (0..parts).flat_map(|i| (0..parts).map(move |j| (i, j))) {
            let wave_vector = (cell + Vec2::new(at(i), at(j))) * step;
            if band.contains(&wave_vector.length()) {
                sum += self.density(wave_vector);
            }
        }
        sum * step * step / (parts * parts) as f32
    }

    /// Variance density of the surface over wave vectors: S(k) dk = S(ω) dω, and d²k = k dk dθ. Unit: m⁴.
    fn density(self, wave_vector: Vec2) -> f32 {
        let k = wave_vector.length();
        let omega = angular_frequency(k, self.depth_m);
        let downwind = Vec2::from_angle(self.settings.direction_deg.to_radians());
        let cos = wave_vector.dot(downwind) / k;
        let wind = self.wind_sea(k);
        let swell = self.swell(omega);
        let mut directed = 0.0;
        if wind > 0.0 {
            directed += wind * spreading(cos, self.wind_spreading(omega));
        }
        if swell > 0.0 {
            directed += swell * spreading(cos, SWELL_SPREADING);
        }
        directed * group_velocity(k, self.depth_m) / k
    }

    /// Effective fetch: a sea grows until its peak is that of Pierson and Moskowitz, 0.855 g / U. Unit: m.
    fn effective_fetch(self) -> f32 {
        let wind = self.settings.wind_m_s;
        (self.settings.fetch_km * 1000.0).min((22.0f32 / 0.855).powi(3) * wind * wind / GRAVITY_M_S2)
    }

    /// Frequency of the wind sea's peak. Unit: rad/s.
    fn wind_peak(self) -> f32 {
        22.0 * (GRAVITY_M_S2 * GRAVITY_M_S2 / (self.settings.wind_m_s * self.effective_fetch())).cbrt()
    }

    /// Spectrum of the wind sea over angular frequency, at a wavenumber. Unit: m² s.
    fn wind_sea(self, k: f32) -> f32 {
        let short = (k * SHORT_WAVE_M / TAU).max(1.0).powf(self.short_power);
        self.jonswap(angular_frequency(k, self.depth_m)) * self.depth_factor(k) * short
    }

    /// JONSWAP spectrum (Hasselmann et al. 1973) over angular frequency. Unit: m² s.
    fn jonswap(self, omega: f32) -> f32 {
        let wind = self.settings.wind_m_s;
        if wind <= 0.0 || self.settings.fetch_km <= 0.0 {
            return 0.0;
        }
        let peak = self.wind_peak();
        let ratio = peak / omega;
        if ratio > 3.0 {
            return 0.0;
        }
        let alpha = 0.076 * (wind * wind / (self.effective_fetch() * GRAVITY_M_S2)).powf(0.22);
        let sigma = if omega <= peak { 0.07 } else { 0.09 };
        let enhancement = 3.3f32.powf((-((omega - peak) / (sigma * peak)).powi(2) / 2.0).exp());
        alpha * GRAVITY_M_S2 * GRAVITY_M_S2 / omega.powi(5) * (-1.25 * ratio.powi(4)).exp() * enhancement
    }

    /// Share of a wind sea left by finite depth: TMA (Bouws et al. 1985), with Kitaigorodskii's factor in closed form.
    fn depth_factor(self, k: f32) -> f32 {
        let kh = k * self.depth_m;
        if kh.is_nan() || kh > 10.0 { 1.0 } else { kh.tanh().powi(2) / (1.0 + 2.0 * kh / (2.0 * kh).sinh()) }
    }

    /// Exponent of the wind sea's spreading (Mitsuyasu et al. 1975): narrow at the peak, wide for short waves.
    fn wind_spreading(self, omega: f32) -> f32 {
        let peak = self.wind_peak();
        let age = peak * self.settings.wind_m_s / GRAVITY_M_S2;
        let ratio = omega / peak;
        (11.5 * age.powf(-2.5) * ratio.powf(if ratio < 1.0 { 5.0 } else { -2.5 })).clamp(1.0, 40.0)
    }

    /// A narrow Gaussian swell of the given significant height about its peak period. Unit: m² s.
    fn swell(self, omega: f32) -> f32 {
        let peak = TAU / self.settings.swell_period_s;
        let (width, variance) = (SWELL_WIDTH * peak, (self.settings.swell_height_m / 4.0).powi(2));
        let off = (omega - peak) / width;
        if off.abs() > 5.0 { 0.0 } else { variance / (width * TAU.sqrt()) * (-0.5 * off * off).exp() }
    }
}

/// Share of the energy per radian at an angle whose cosine to the wind is given: cos^2s(θ/2), normalised; s >= 1.
fn spreading(cos: f32, s: f32) -> f32 {
    // Γ(s+1) / Γ(s+1/2), within 0.1 %.
    let gamma_ratio = (s + 0.25 + 1.0 / (32.0 * s + 8.0)).sqrt();
    gamma_ratio / (2.0 * PI.sqrt()) * (0.5 * (1.0 + cos)).max(0.0).powf(s)
}

/// Orbital motion at the bed over the amplitude at the surface: 1 / sinh(k h), held where linear theory ends.
fn reach_below(k: f32, depth_m: f32) -> f32 {
    1.0 / (k * depth_m).sinh().max(0.05)
}

/// The waves of the long patches that move the water at the ground most.
fn felt_below(cascades: &[Cascade], depth_m: f32) -> Vec<WaveComponent> {
    if !depth_m.is_finite() {
        return Vec::new();
    }
    let mut felt: Vec<(f32, WaveComponent)> = Vec::new();
    for cascade in &cascades[..2] {
        let half = (cascade.side / 2) as f32;
        for (i, wave) in cascade.waves.iter().enumerate().filter(|(_, wave)| wave.half != Vec2::ZERO) {
            let point = Vec2::new((i % cascade.side) as f32 - half, (i / cascade.side) as f32 - half);
            let wave_vector = point * TAU / cascade.patch_m;
            let component = WaveComponent {
                wave_vector,
                omega: (f64::from(wave.turns) * std::f64::consts::TAU / WAVE_PERIOD_S) as f32,
                amplitude: 2.0 * wave.half.length(),
                phase: wave.half.to_angle(),
            };
            felt.push((component.amplitude * reach_below(wave_vector.length(), depth_m), component));
        }
    }
    felt.sort_by(|a, b| b.0.total_cmp(&a.0));
    felt.truncate(FELT_BELOW);
    felt.into_iter().map(|(_, wave)| wave).collect()
}

/// Orbital motion of the water near the ground at the origin: displacement (m) and velocity (m/s), horizontal.
///
/// Linear theory, of the waves that are felt there most.
pub fn surge(waves: &WaveField, depth_m: f32, time_s: f64) -> (Vec3, Vec3) {
    let (mut displacement, mut velocity) = (Vec2::ZERO, Vec2::ZERO);
    if !depth_m.is_finite() {
        return (Vec3::ZERO, Vec3::ZERO);
    }
    for wave in &waves.felt_below {
        let k = wave.wave_vector.length();
        let reach = wave.amplitude * reach_below(k, depth_m);
        let phase = wave.phase - (f64::from(wave.omega) * time_s).rem_euclid(std::f64::consts::TAU) as f32;
        let direction = wave.wave_vector / k;
        displacement -= direction * reach * phase.sin();
        velocity += direction * reach * wave.omega * phase.cos();
    }
    (Vec3::new(displacement.x, 0.0, displacement.y), Vec3::new(velocity.x, 0.0, velocity.y))
}

/// Significant wave height 4·sqrt(m0) of the spectrum of the settings, independent of the lattices. Unit: m.
pub fn significant_height(settings: &WavesSettings, depth_m: f32) -> f32 {
    let sea = Sea::new(settings, depth_m);
    // Evenly in log k, from waves of kilometres to centimetres.
    let (first, last, steps) = (1e-3f32.ln(), 200f32.ln(), 4000);
    let step = f64::from((last - first) / steps as f32);
    let m0: f64 = (0..steps)
        .map(|i| {
            let k = (first + (i as f32 + 0.5) * step as f32).exp();
            let omega = angular_frequency(k, depth_m);
            let density = sea.wind_sea(k) + sea.swell(omega);
            f64::from(density * group_velocity(k, depth_m) * k) * step
        })
        .sum();
    4.0 * m0.sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sea(wind_m_s: f32, fetch_km: f32) -> WavesSettings {
        WavesSettings { wind_m_s, fetch_km, swell_height_m: 0.0, ..Default::default() }
    }

    /// Variance of the lattices' waves.
    fn variance(waves: &WaveField) -> f32 {
        waves.cascades.iter().flat_map(|c| &c.waves).map(|w| 2.0 * w.half.length_squared()).sum()
    }

    #[test]
    fn dispersion_has_its_deep_and_shallow_limits() {
        let k = 0.5;
        assert!((angular_frequency(k, f32::INFINITY) - (GRAVITY_M_S2 * k).sqrt()).abs() < 1e-3);
        assert!((group_velocity(k, f32::INFINITY) - 0.5 * (GRAVITY_M_S2 / k).sqrt()).abs() < 1e-3);
        let shallow = angular_frequency(0.01, 1.0) / 0.01;
        assert!((shallow - GRAVITY_M_S2.sqrt()).abs() < 1e-2, "phase speed {shallow}");
        assert!((group_velocity(0.01, 1.0) - shallow).abs() < 1e-2, "shallow water does not disperse");
        // Slowest of all water waves: 23 cm/s at 1.7 cm, where tension takes over from gravity.
        let slowest = angular_frequency(TAU / 0.0172, f32::INFINITY) * 0.0172 / TAU;
        assert!((slowest - 0.231).abs() < 0.003, "{slowest}");
    }

    #[test]
    fn group_velocity_is_the_slope_of_the_dispersion() {
        for (k, depth_m) in [(0.05, 3.0), (0.3, 3.0), (2.0, 3.0), (20.0, f32::INFINITY), (400.0, 1.0)] {
            let h = 0.01 * k;
            let slope = (angular_frequency(k + h, depth_m) - angular_frequency(k - h, depth_m)) / (2.0 * h);
            let found = group_velocity(k, depth_m);
            assert!((found / slope - 1.0).abs() < 2e-3, "k {k}, depth {depth_m}: {found} for {slope}");
        }
    }

    #[test]
    fn spreading_integrates_to_one() {
        for s in [1.0, 2.0, 12.0, 40.0] {
            let n = 1000;
            let sum: f32 = (0..n).map(|i| spreading((i as f32 / n as f32 * TAU).cos(), s) * TAU / n as f32).sum();
            assert!((sum - 1.0).abs() < 0.002, "{s}: {sum}");
        }
    }

    #[test]
    fn a_young_sea_has_the_height_of_the_closed_form() {
        // m0 = α g² / (5 ω⁴) / (1 - 0.287 ln γ), ω at the peak (Goda 1988).
        for (wind, fetch_km) in [(6.0f32, 15.0f32), (12.0, 40.0)] {
            let fetch = fetch_km * 1000.0;
            let alpha = 0.076 * (wind * wind / (fetch * GRAVITY_M_S2)).powf(0.22);
            let peak = 22.0 * (GRAVITY_M_S2 * GRAVITY_M_S2 / (wind * fetch)).cbrt();
            let m0 = alpha * GRAVITY_M_S2 * GRAVITY_M_S2 / (5.0 * peak.powi(4)) / (1.0 - 0.287 * 3.3f32.ln());
            let (expected, found) = (4.0 * m0.sqrt(), significant_height(&sea(wind, fetch_km), f32::INFINITY));
            assert!(
                (found / expected - 1.0).abs() < 0.02,
                "{wind} m/s, {fetch_km} km: {found} m, expected {expected} m"
            );
        }
    }

    #[test]
    fn a_sea_stops_growing_and_depth_holds_it_down() {
        let full = significant_height(&sea(10.0, 2000.0), f32::INFINITY);
        // Pierson and Moskowitz 1964: 0.21 U²/g, to which the sharper peak of JONSWAP adds.
        assert!((2.14..3.1).contains(&full), "{full}");
        assert_eq!(full, significant_height(&sea(10.0, 1500.0), f32::INFINITY));
        assert!(significant_height(&sea(10.0, 2000.0), 3.0) < 0.6 * full);
    }

    #[test]
    fn the_lattices_hold_the_variance_of_the_spectrum() {
        let swell = WavesSettings { swell_height_m: 1.2, swell_period_s: 11.0, ..sea(5.0, 15.0) };
        for (settings, depth_m) in [
            (sea(2.0, 5.0), 8.0),
            (sea(5.0, 15.0), 8.0),
            (sea(7.0, 300.0), f32::INFINITY),
            (sea(20.0, 500.0), f32::INFINITY),
            (swell, f32::INFINITY),
            (swell, 2.0),
        ] {
            let found = 4.0 * variance(&wave_field(&settings, depth_m, 1)).sqrt();
            let expected = significant_height(&settings, depth_m);
            assert!((found / expected - 1.0).abs() < 0.03, "{settings:?} over {depth_m} m: {found} of {expected}");
        }
    }

    #[test]
    fn slopes_are_those_that_cox_and_munk_measured() {
        for (wind, fetch_km) in
            [(2.0, 15.0), (2.8, 3.0), (4.0, 20.0), (5.0, 4.0), (5.0, 300.0), (8.0, 15.0), (10.0, 300.0)]
        {
            let expected = 0.003 + 0.005_12 * wind;
            let settings = sea(wind, fetch_km);
            let whole = Sea::new(&settings, f32::INFINITY).wind_slope_variance(1e-2, LAST_WAVENUMBER);
            assert!((whole / expected - 1.0).abs() < 0.02, "{wind} m/s, {fetch_km} km: {whole}, not {expected}");
            for depth_m in [2.0, 8.0, f32::INFINITY] {
                let field = wave_field(&settings, depth_m, 1);
                let held = field.cascades.iter().map(|cascade| cascade.slope_variance(|_| 1.0)).sum::<Vec3>();
                let held = held.x + held.y;
                let sum = held + field.unresolved_slope_variance(256);
                let case = format!("{wind} m/s, {fetch_km} km, {depth_m} m: {held} of {expected} held");
                assert!(held > 0.3 * expected && (sum / expected - 1.0).abs() < 0.02, "{case}, {sum} in all");
                let (few, fewer) = (field.unresolved_slope_variance(128), field.unresolved_slope_variance(64));
                assert!(fewer > few && few > sum - held, "{case}; coarser maps hold more: {few}, {fewer}");
            }
        }
        // A fully developed sea, without the waves that slicks smooth away.
        for wind in [2.0, 5.0, 10.0] {
            let expected = 0.008 + 0.001_56 * wind;
            let settings = sea(wind, 2000.0);
            let slick = Sea::new(&settings, f32::INFINITY).wind_slope_variance(1e-2, TAU / SHORT_WAVE_M);
            assert!((slick / expected - 1.0).abs() < 0.2, "{wind} m/s: {slick} in a slick, not {expected}");
        }
    }

    #[test]
    fn bands_are_disjoint_and_meet() {
        for depth_m in [1.0, 5.0, f32::INFINITY] {
            let field = wave_field(&sea(20.0, 500.0), depth_m, 3);
            let ends: Vec<(f32, f32)> = field
                .cascades
                .iter()
                .map(|cascade| {
                    let half = (cascade.side / 2) as f32;
                    let reach = |i: usize| {
                        Vec2::new((i % cascade.side) as f32 - half, (i / cascade.side) as f32 - half).length()
                            * (TAU / cascade.patch_m)
                    };
                    let on = cascade.waves.iter().enumerate().filter(|(_, w)| w.half != Vec2::ZERO);
                    on.fold((f32::INFINITY, 0.0), |(a, b), (i, _)| (reach(i).min(a), reach(i).max(b)))
                })
                .collect();
            for (pair, next) in ends.windows(2).zip(&field.cascades[1..]) {
                let cell = TAU / next.patch_m;
                assert!(pair[0].1 < pair[1].0 + cell, "{depth_m}: {ends:?} overlap");
                assert!(pair[1].0 < pair[0].1 + 1.5 * cell, "{depth_m}: {ends:?} leave a gap");
            }
        }
    }

    #[test]
    fn no_wind_and_no_swell_is_flat() {
        for fetch_km in [0.0, 20.0] {
            let field = wave_field(&sea(0.0, fetch_km), 10.0, 1);
            assert!(field.cascades.iter().all(|c| c.waves.is_empty()) && field.felt_below.is_empty());
            assert_eq!(field.unresolved_slope_variance(64), 0.0);
        }
        assert_eq!(significant_height(&sea(0.0, 20.0), 10.0), 0.0);
    }

    #[test]
    fn more_wind_makes_higher_waves_and_the_seed_decides() {
        let height = |wind_m_s| significant_height(&sea(wind_m_s, 20.0), f32::INFINITY);
        assert!(height(4.0) > 0.05 && height(12.0) > 2.0 * height(4.0), "{} {}", height(4.0), height(12.0));
        let at = |wind_m_s, seed| wave_field(&sea(wind_m_s, 20.0), f32::INFINITY, seed);
        assert_eq!(at(4.0, 1), at(4.0, 1));
        assert_ne!(at(4.0, 1), at(4.0, 2));
    }

    #[test]
    fn waves_run_with_the_wind() {
        let settings = WavesSettings { direction_deg: 90.0, ..sea(6.0, 20.0) };
        for cascade in wave_field(&settings, f32::INFINITY, 5).cascades {
            let half = cascade.side / 2;
            let energy = |with: bool| -> f32 {
                let rows = cascade.waves.iter().enumerate().filter(|(i, _)| (i / cascade.side > half) == with);
                rows.map(|(_, w)| w.half.length_squared()).sum()
            };
            assert!(energy(true) > 2.0 * energy(false), "{} m", cascade.patch_m);
        }
    }

    #[test]
    fn surge_velocity_is_the_rate_of_its_displacement() {
        let waves = wave_field(&WavesSettings { swell_height_m: 1.0, ..Default::default() }, 8.0, 1);
        let (before, _) = surge(&waves, 8.0, 10.0);
        let (after, _) = surge(&waves, 8.0, 10.002);
        let (_, velocity) = surge(&waves, 8.0, 10.001);
        assert!(((after - before) / 0.002 - velocity).length() < 0.02);
        assert!(velocity.length() > 0.0);
        let (later, _) = surge(&waves, 8.0, 10.0 + WAVE_PERIOD_S);
        assert!((later - before).length() < 0.02, "{later} {before}");
    }
}
