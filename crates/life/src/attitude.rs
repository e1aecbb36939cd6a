//! Attitude: orientation of a body in the water.

use glam::{Quat, Vec3};

/// Sine of the steepest climb or dive of any swimming animal: 35 degrees.
pub(super) const MAX_PITCH_SINE: f32 = 0.573_576;

/// Sine of the steepest climb or dive without urgency: 20 degrees. By eye: seen from ahead or behind, any climb looks
/// twice as steep.
pub(super) const CALM_PITCH_SINE: f32 = 0.342_02;

/// Sine of the steepest climb or dive after prey, which is mostly above or below: 22 degrees. By eye.
pub(super) const HUNTS_SINE: f32 = 0.374_607;

/// Sine of the steepest strike of a rod-like hunter: it strikes along the level on which it waits. By eye.
pub(super) const ROD_STRIKES_SINE: f32 = 0.26;

/// World from body for a nose along the unit vector `heading` and a roll to the left of `bank` radians.
pub(super) fn orientation(heading: Vec3, bank: f32) -> Quat {
    let right = heading.cross(Vec3::Y).normalize_or(Vec3::X);
    let up = right.cross(heading);
    let (sin, cos) = bank.sin_cos();
    let basis = glam::Mat3::from_cols(right * cos + up * sin, up * cos - right * sin, -heading);
    Quat::from_mat3(&basis)
}

/// Returns `v` as a unit vector that climbs or dives no steeper than `max_sine`; `spare` replaces a `v` without
/// direction in the plan.
pub(super) fn level_off(v: Vec3, max_sine: f32, spare: Vec3) -> Vec3 {
    let v = v.normalize_or(spare);
    if v.y.abs() <= max_sine {
        return v;
    }
    let plan = Vec3::new(v.x, 0.0, v.z).try_normalize();
    let plan = plan.unwrap_or_else(|| Vec3::new(spare.x, 0.0, spare.z).normalize_or(Vec3::NEG_Z));
    plan * (1.0 - max_sine * max_sine).sqrt() + Vec3::Y * max_sine.copysign(v.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientation_points_the_nose_and_leans_left() {
        let heading = Vec3::new(0.6, 0.3, -0.7).normalize();
        let level = orientation(heading, 0.0);
        assert!((level * Vec3::NEG_Z).distance(heading) < 1e-5);
        assert!((level * Vec3::X).y.abs() < 1e-5, "level without bank");
        let leaning = orientation(Vec3::NEG_Z, 0.5);
        assert!((leaning * Vec3::Y).x < -0.4, "the back goes left, which is -x for a nose along -z");
    }

    #[test]
    fn level_off_keeps_the_bearing() {
        let steep = Vec3::new(0.3, -2.0, 0.4);
        let v = level_off(steep, MAX_PITCH_SINE, Vec3::NEG_Z);
        assert!((v.length() - 1.0).abs() < 1e-5);
        assert!((v.y + MAX_PITCH_SINE).abs() < 1e-5);
        assert!((v.x / v.z - 0.75).abs() < 1e-4);
        let up = level_off(Vec3::Y, MAX_PITCH_SINE, Vec3::new(0.6, 0.8, 0.0));
        assert!(up.x > 0.8 && up.is_normalized());
    }
}
