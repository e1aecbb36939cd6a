//! The wave field: a directional spectrum, sampled as sines that tile on square patches.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::ocean::{Cascade, WaveComponent, WaveField, WavesSettings};

/// Gravity. Unit: m/s².
const GRAVITY: f32 = 9.81;
/// Surface tension over density of sea water. Unit: m³/s². (0.0735 N/m, 1025 kg/m³.)
const TENSION: f32 = 0.0735 / 1025.0;

/// Patches, longest waves first: side in metres, and the band of wavelengths it carries in metres.
const PATCHES: [(f32, f32, f32); 2] = [(61.0, 4.5, 61.0), (9.0, 0.34, 4.5)];
/// Rings of wavenumber that a patch's band is cut into, evenly in log k.
const RINGS: usize = 8;
/// Sines a ring; the strongest are kept and scaled to the ring's energy, so that the spectrum keeps its shape.
const COMPONENTS: usize = 8;

/// The waves of a wind sea and a swell over water of the given depth (metres, may be infinite).
pub fn wave_field(settings: &WavesSettings, depth_m: f32, seed: u64) -> WaveField {
    let mut random = Pcg64Mcg::seed_from_u64(seed ^ 0x7761_7665);
    let cascades = PATCHES.iter().map(|&patch| cascade(settings, depth_m, patch, &mut random)).collect();
    WaveField { cascades, choppiness: settings.choppiness }
}

/// Angular frequency of a wave of wavenumber `k` (rad/m) over `depth_m`: ω² = (g k + σ/ρ k³) tanh(k h).
pub fn angular_frequency(k: f32, depth_m: f32) -> f32 {
    let shallow = if (k * depth_m).is_finite() { (k * depth_m).tanh() } else { 1.0 };
    ((GRAVITY * k + TENSION * k * k * k) * shallow).sqrt()
}

fn cascade(
    settings: &WavesSettings,
    depth_m: f32,
    (patch_m, shortest_m, longest_m): (f32, f32, f32),
    random: &mut Pcg64Mcg,
) -> Cascade {
    let step = TAU / patch_m;
    let (k_low, k_high) = (TAU / longest_m * 0.999, TAU / shortest_m);
    let reach = (k_high / step).ceil() as i32;
    let mut rings = vec![Vec::new(); RINGS];
    for nz in -reach..=reach {
        for nx in -reach..=reach {
            // Drawn for every lattice point, so that a change of band does not reshuffle the rest.
            let (phase, luck) = (random.random_range(0.0..TAU), random.random_range(0.3f32..1.0));
            let wave_vector = Vec2::new(nx as f32, nz as f32) * step;
            let k = wave_vector.length();
            if k < k_low || k >= k_high {
                continue;
            }
            let amplitude = (2.0 * density(settings, wave_vector, depth_m) * step * step).sqrt();
            let wave = WaveComponent { wave_vector, omega: angular_frequency(k, depth_m), amplitude, phase };
            let ring = RINGS as f32 * (k / k_low).ln() / (k_high / k_low).ln();
            rings[(ring as usize).min(RINGS - 1)].push((luck * amplitude, wave));
        }
    }
    let components = rings.into_iter().flat_map(thin_out).collect();
    Cascade { patch_m, components }
}

/// The strongest few of a ring, scaled to the energy of all; `luck` in the weight spreads their directions.
fn thin_out(mut ring: Vec<(f32, WaveComponent)>) -> Vec<WaveComponent> {
    let energy = |ring: &[(f32, WaveComponent)]| ring.iter().map(|(_, w)| w.amplitude * w.amplitude).sum::<f32>();
    ring.sort_by(|a, b| b.0.total_cmp(&a.0));
    let all = energy(&ring);
    ring.truncate(COMPONENTS);
    let kept = energy(&ring);
    let gain = if kept > 0.0 { (all / kept).sqrt() } else { 0.0 };
    ring.into_iter()
        .filter(|(_, wave)| wave.amplitude > 0.0)
        .map(|(_, wave)| WaveComponent { amplitude: wave.amplitude * gain, ..wave })
        .collect()
}

/// Variance density of the surface over wave vectors. Unit: m⁴.
fn density(settings: &WavesSettings, wave_vector: Vec2, depth_m: f32) -> f32 {
    let k = wave_vector.length();
    let omega = angular_frequency(k, depth_m);
    // S(k) dk = S(ω) dω, and dk² = k dk dθ. Group velocity of gravity waves in deep water is enough here.
    let group_velocity = (0.5 * omega / k).max(1e-4);
    let downwind = Vec2::from_angle(settings.direction_deg.to_radians());
    let cos = wave_vector.dot(downwind) / k;
    let wind = jonswap(omega, settings.wind_m_s, settings.fetch_km * 1000.0) * spreading(cos, 2.0);
    let swell = swell(omega, settings.swell_height_m, settings.swell_period_s) * spreading(cos, 12.0);
    (wind + swell) * group_velocity / k
}

/// JONSWAP spectrum (Hasselmann et al. 1973) over angular frequency. Unit: m² s.
fn jonswap(omega: f32, wind_m_s: f32, fetch_m: f32) -> f32 {
    if wind_m_s <= 0.0 {
        return 0.0;
    }
    let alpha = 0.076 * (wind_m_s * wind_m_s / (fetch_m * GRAVITY)).powf(0.22);
    let peak = 22.0 * (GRAVITY * GRAVITY / (wind_m_s * fetch_m)).cbrt();
    let sigma = if omega <= peak { 0.07 } else { 0.09 };
    let enhancement = 3.3f32.powf((-((omega - peak) / (sigma * peak)).powi(2) / 2.0).exp());
    alpha * GRAVITY * GRAVITY / omega.powi(5) * (-1.25 * (peak / omega).powi(4)).exp() * enhancement
}

/// A narrow Gaussian swell of the given significant height about its peak period. Unit: m² s.
fn swell(omega: f32, height_m: f32, period_s: f32) -> f32 {
    let (peak, variance) = (TAU / period_s, (height_m / 4.0).powi(2));
    let width = 0.08 * peak;
    variance / (width * TAU.sqrt()) * (-0.5 * ((omega - peak) / width).powi(2)).exp()
}

/// Share of the energy per radian at an angle whose cosine to the wind is given: cos^2s(θ/2), normalised.
fn spreading(cos: f32, s: f32) -> f32 {
    // Γ(s+1) / (Γ(s+1/2) · 2√π), by Stirling's ratio for the two exponents used (error below 2 %).
    let gamma_ratio = (s + 0.25).sqrt();
    gamma_ratio / (2.0 * PI.sqrt()) * (0.5 * (1.0 + cos)).powf(s)
}

/// Orbital motion of the water near the ground at the origin: displacement (m) and velocity (m/s), horizontal.
///
/// Linear theory: amplitude / sinh(k h) at the bed for each of the longest waves.
pub fn surge(waves: &WaveField, depth_m: f32, time_s: f64) -> (Vec3, Vec3) {
    let (mut displacement, mut velocity) = (Vec2::ZERO, Vec2::ZERO);
    if !depth_m.is_finite() {
        return (Vec3::ZERO, Vec3::ZERO);
    }
    for wave in waves.cascades.first().map_or(&[][..], |c| &c.components) {
        let k = wave.wave_vector.length();
        let reach = wave.amplitude / (k * depth_m).sinh().max(0.05);
        let phase = wave.phase - (f64::from(wave.omega) * time_s).rem_euclid(std::f64::consts::TAU) as f32;
        let direction = wave.wave_vector / k;
        displacement -= direction * reach * phase.sin();
        velocity += direction * reach * wave.omega * phase.cos();
    }
    (Vec3::new(displacement.x, 0.0, displacement.y), Vec3::new(velocity.x, 0.0, velocity.y))
}

/// Significant wave height 4·sqrt(m0) of the sines. Unit: m.
pub fn significant_height(waves: &WaveField) -> f32 {
    let m0: f32 = waves.cascades.iter().flat_map(|c| &c.components).map(|w| 0.5 * w.amplitude * w.amplitude).sum();
    4.0 * m0.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispersion_has_its_deep_and_shallow_limits() {
        let k = 0.5;
        assert!((angular_frequency(k, f32::INFINITY) - (GRAVITY * k).sqrt()).abs() < 1e-3);
        let shallow = angular_frequency(0.01, 1.0) / 0.01;
        assert!((shallow - GRAVITY.sqrt()).abs() < 1e-2, "phase speed {shallow}");
    }

    #[test]
    fn spreading_integrates_to_one() {
        for s in [2.0, 12.0] {
            let n = 1000;
            let sum: f32 = (0..n).map(|i| spreading((i as f32 / n as f32 * TAU).cos(), s) * TAU / n as f32).sum();
            assert!((sum - 1.0).abs() < 0.02, "{s}: {sum}");
        }
    }

    #[test]
    fn no_wind_and_no_swell_is_flat() {
        let calm = WavesSettings { wind_m_s: 0.0, swell_height_m: 0.0, ..Default::default() };
        assert_eq!(significant_height(&wave_field(&calm, 10.0, 1)), 0.0);
    }

    #[test]
    fn more_wind_makes_higher_waves_and_the_seed_decides() {
        let at = |wind_m_s, seed| wave_field(&WavesSettings { wind_m_s, ..Default::default() }, f32::INFINITY, seed);
        let (breeze, gale) = (significant_height(&at(4.0, 1)), significant_height(&at(12.0, 1)));
        assert!(breeze > 0.05 && gale > 2.0 * breeze, "{breeze} {gale}");
        assert_eq!(at(4.0, 1), at(4.0, 1));
        assert_ne!(at(4.0, 1), at(4.0, 2));
    }

    #[test]
    fn wave_vectors_tile_their_patch() {
        for cascade in wave_field(&WavesSettings::default(), 8.0, 3).cascades {
            for wave in cascade.components {
                let turns = wave.wave_vector * cascade.patch_m / TAU;
                assert!((turns - turns.round()).length() < 1e-3, "{turns}");
            }
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
    }
}
