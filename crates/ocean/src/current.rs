//! The moving water: a mean drift, eddies that go with it, and the to-and-fro of the waves near the ground.

use glam::{Vec2, Vec3};

use crate::CurrentSettings;

/// Eddies in the field.
const EDDIES: usize = 4;

/// Velocity of the water everywhere at one moment. Horizontal and free of divergence: the mean and the surge are the
/// same everywhere, and each eddy is a shear wave, whose velocity is at right angles to its wave vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Current {
    /// Mean drift. Unit: m/s.
    pub mean: Vec3,
    /// Orbital velocity of the waves near the ground. Unit: m/s.
    pub surge: Vec3,
    eddies: [Eddy; EDDIES],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Eddy {
    /// Unit: rad/m.
    wave_vector: Vec2,
    /// Unit: rad.
    phase: f32,
    /// Greatest velocity, across the wave vector. Unit: m/s.
    velocity: Vec2,
}

impl Current {
    /// The field of the settings at `time_s`, without surge. The same seed gives the same eddies.
    pub fn new(settings: &CurrentSettings, seed: u64, time_s: f64) -> Self {
        let (sin, cos) = settings.direction_deg.to_radians().sin_cos();
        let mean = settings.speed_m_s * Vec3::new(cos, 0.0, sin);
        let eddies = std::array::from_fn(|i| {
            // Golden-angle directions and sizes a factor 1.5 apart, so that the sum does not repeat within a scene.
            let angle = math::GOLDEN_ANGLE * (i as f32 + 1.0) + (seed % 628) as f32 * 0.01;
            let size_m = settings.eddy_size_m * 1.5f32.powi(i as i32 - 1);
            let wave_vector = Vec2::from_angle(angle) * (std::f32::consts::PI / size_m.max(0.1));
            // An eddy drifts with the mean and turns over in the time it takes to cross itself.
            let rate = f64::from(wave_vector.length() * settings.eddies * settings.speed_m_s)
                - f64::from(wave_vector.dot(Vec2::new(mean.x, mean.z)));
            let phase = (1.7 * i as f64 + rate * time_s).rem_euclid(std::f64::consts::TAU) as f32;
            // Half the energy is left at each step to smaller ones: speeds as the cube root of the size (Kolmogorov).
            let speed = settings.eddies * settings.speed_m_s * 0.5 * (1.5f32.powi(i as i32 - 1)).cbrt();
            Eddy { wave_vector, phase, velocity: speed * wave_vector.perp().normalize_or_zero() }
        });
        Self { mean, surge: Vec3::ZERO, eddies }
    }

    /// The field with this surge, the to-and-fro of the waves. Unit: m/s.
    pub fn with_surge(self, surge: Vec3) -> Self {
        Self { surge, ..self }
    }

    /// Velocity at a place in world space. Unit: m/s.
    pub fn velocity(&self, place: Vec3) -> Vec3 {
        let at = Vec2::new(place.x, place.z);
        let turning: Vec2 = (self.eddies.iter())
            .filter(|eddy| eddy.velocity != Vec2::ZERO)
            .map(|eddy| eddy.velocity * (eddy.wave_vector.dot(at) + eddy.phase).cos())
            .sum();
        self.mean + self.surge + Vec3::new(turning.x, 0.0, turning.y)
    }
}

impl From<Vec3> for Current {
    /// Water that drifts alike everywhere. Unit: m/s.
    fn from(mean: Vec3) -> Self {
        Self { mean, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> CurrentSettings {
        CurrentSettings { speed_m_s: 0.4, direction_deg: 90.0, eddies: 0.8, eddy_size_m: 5.0, ..Default::default() }
    }

    #[test]
    fn it_has_no_sources_and_no_sinks() {
        let current = Current::new(&settings(), 3, 12.5);
        let step = 0.01;
        for place in [Vec3::ZERO, Vec3::new(3.1, -4.0, 7.7), Vec3::new(-20.0, -1.0, 11.0)] {
            let slope = |axis: Vec3| {
                (current.velocity(place + axis * step) - current.velocity(place - axis * step)).dot(axis) / (2.0 * step)
            };
            let divergence = slope(Vec3::X) + slope(Vec3::Y) + slope(Vec3::Z);
            assert!(divergence.abs() < 2e-4, "{divergence} at {place}");
        }
    }

    #[test]
    fn eddies_turn_the_water_and_leave_its_mean() {
        let current = Current::new(&settings(), 3, 0.0);
        let many = 4000;
        let (mut sum, mut most) = (Vec3::ZERO, 0.0f32);
        for i in 0..many {
            let v = current.velocity(Vec3::new(i as f32 * 0.37, -2.0, (i * i % 977) as f32 * 0.41));
            most = most.max((v - current.mean).length());
            sum += v;
        }
        assert!((sum / many as f32 - current.mean).length() < 0.02);
        assert!(most > 0.2, "{most}");
        assert_eq!(Current::new(&settings(), 3, 0.0), current, "the seed decides");
    }

    #[test]
    fn still_water_is_still() {
        let still = Current::new(&CurrentSettings { speed_m_s: 0.0, ..settings() }, 1, 4.0);
        assert_eq!(still.velocity(Vec3::new(1.0, -2.0, 3.0)), Vec3::ZERO);
    }
}
