//! Limits of a camera's position: over the ground, outside rock, not too far off.

use glam::{Vec2, Vec3};
use life::{Habitat, Obstacle};

use crate::ground_heights::GroundHeights;

/// Greatest height of the eye over the surface at rest. Unit: m.
pub const ABOVE_SURFACE_M: f32 = 30.0;
/// Least distance of the eye from the ground. Unit: m.
pub const ABOVE_GROUND_M: f32 = 0.35;
/// Least distance of the eye from solid things: the near plane and a little more. Unit: m.
pub const OUTSIDE_M: f32 = 0.12;
/// Greatest distance of the eye from the origin along x and z. Unit: m.
const FARTHEST_M: f32 = 500.0;
/// Step length for checking a line for obstacles. Unit: m.
const STEP_M: f32 = 0.1;

/// Step length for sliding an eye. Unit: m.
const SLIDE_M: f32 = 0.25;
/// Greatest number of sliding steps.
const MAX_SLIDES: f32 = 100.0;

/// Ground and obstacles about a camera.
#[derive(Clone, Copy, Debug)]
pub struct CameraCollision<'a> {
    /// The seabed as it is drawn, if there is one.
    pub ground: Option<&'a GroundHeights>,
    /// The animals' habitat, with its ground and solid things.
    pub habitat: &'a Habitat,
}

impl CameraCollision<'_> {
    /// Height of the ground at a place, minus infinity without ground. Unit: m.
    pub fn floor_m(&self, place: Vec3) -> f32 {
        let drawn = self.ground.map_or(f32::NEG_INFINITY, |ground| ground.height(place.x, place.z));
        drawn.max(self.habitat.floor_m(place.x, place.z))
    }

    /// Returns the end of a move from `from` straight towards `to`, sliding along obstacles. An eye that begins inside
    /// a solid thing gets no deeper.
    pub fn slide(&self, from: Vec3, to: Vec3) -> Vec3 {
        if !(to - from).is_finite() {
            return self.within(from, ABOVE_GROUND_M);
        }
        // Short steps, so that no obstacle is jumped over.
        let steps = (from.distance(to) / SLIDE_M).ceil().clamp(1.0, MAX_SLIDES);
        let step = (to - from) / steps;
        (0..steps as u32).fold(from, |eye, _| self.held_out(eye, eye + step))
    }

    /// Returns `to`, or the nearest place that is over the ground and no deeper in anything solid than `from`.
    pub fn held_out(&self, from: Vec3, to: Vec3) -> Vec3 {
        let mut eye = self.within(to, ABOVE_GROUND_M);
        // Leaving one obstacle may lead into the next.
        for _ in 0..3 {
            for obstacle in self.habitat.obstacles_near(eye) {
                if obstacle.bounds_hold(eye, OUTSIDE_M, 1.0) {
                    let least = obstacle.normalized_distance(from, OUTSIDE_M).min(1.0);
                    eye = self.pushed_out(obstacle, eye, (OUTSIDE_M, least), ABOVE_GROUND_M);
                }
            }
        }
        self.within(eye, ABOVE_GROUND_M)
    }

    /// Returns `place`, or the nearest one that is `margin_m` (up to [`Habitat::REACH_M`]) off ground and rock.
    pub fn clear_of(&self, place: Vec3, margin_m: f32) -> Vec3 {
        let mut eye = self.within(place, margin_m);
        for _ in 0..4 {
            let inside =
                |o: &&Obstacle| o.bounds_hold(eye, margin_m, 1.0) && o.normalized_distance(eye, margin_m) < 1.0;
            let Some(obstacle) = self.habitat.obstacles_near(eye).find(inside) else { break };
            eye = self.pushed_out(obstacle, eye, (margin_m, 1.001), margin_m);
        }
        eye
    }

    /// Whether a place is `margin_m` off ground and rock.
    pub fn is_clear(&self, place: Vec3, margin_m: f32) -> bool {
        place.y >= self.floor_m(place) + margin_m && self.habitat.is_clear(place, margin_m)
    }

    /// Distance from a place along a unit vector that keeps `margin_m` off ground and rock, at most `farthest_m`.
    /// Obstacles at the very beginning are left behind first.
    pub fn free_m(&self, from: Vec3, direction: Vec3, farthest_m: f32, margin_m: f32) -> f32 {
        let steps = (farthest_m / STEP_M).clamp(1.0, 1000.0) as u32;
        let at = |step: u32| from + direction * (farthest_m * step as f32 / steps as f32);
        let blocked = |step: &u32| !self.is_clear(at(*step), margin_m);
        let out = (0..=steps).find(|step| !blocked(step)).unwrap_or(steps);
        let met = (out..=steps).find(blocked);
        met.map_or(farthest_m, |step| farthest_m * step.saturating_sub(1) as f32 / steps as f32)
    }

    /// Least height at a place that clears everything standing there by `margin_m`. Unit: m.
    pub fn roof_m(&self, place: Vec3, margin_m: f32) -> f32 {
        let over = |obstacle: &Obstacle| {
            let radii = obstacle.radii + margin_m;
            let aside =
                Vec2::new(place.x - obstacle.center.x, place.z - obstacle.center.z) / Vec2::new(radii.x, radii.z);
            let aside = aside.length_squared();
            (aside < 1.0).then(|| obstacle.center.y + radii.y * (1.0 - aside).sqrt())
        };
        let tops = self.habitat.obstacles().iter().filter_map(over);
        tops.fold(self.floor_m(place) + margin_m, f32::max)
    }

    /// Moves `eye` away from an obstacle's middle to where its [`Obstacle::normalized_distance`] for a margin (m) is
    /// `least`; level with the ground if the ground is in the way.
    fn pushed_out(&self, obstacle: &Obstacle, eye: Vec3, (margin_m, least): (f32, f32), above_ground_m: f32) -> Vec3 {
        let distance = obstacle.normalized_distance(eye, margin_m);
        if distance >= least {
            return eye;
        }
        let radii = obstacle.radii + margin_m;
        let way = if distance > 1e-3 { (eye - obstacle.center) / radii / distance } else { Vec3::Y };
        let out = obstacle.center + least * way * radii;
        let lowest = self.floor_m(out) + above_ground_m;
        if out.y >= lowest {
            return out;
        }
        // Beside the obstacle, at the height of the ground.
        let up = (lowest - obstacle.center.y) / radii.y;
        let beside = (least * least - up * up).max(0.0).sqrt();
        let level = Vec2::new(way.x, way.z).normalize_or(Vec2::X) * beside;
        obstacle.center + Vec3::new(level.x, up, level.y) * radii
    }

    /// Clamps a place to the greatest distance and height and above the ground; the origin for a non-finite place.
    fn within(&self, place: Vec3, above_ground_m: f32) -> Vec3 {
        let place = if place.is_finite() { place } else { Vec3::ZERO };
        let (x, z) = (place.x.clamp(-FARTHEST_M, FARTHEST_M), place.z.clamp(-FARTHEST_M, FARTHEST_M));
        let lowest = self.floor_m(Vec3::new(x, 0.0, z)) + above_ground_m;
        Vec3::new(x, place.y.min(ABOVE_SURFACE_M).max(lowest), z)
    }
}

#[cfg(test)]
pub mod tests {
    use view::SeabedMesh;

    use super::*;

    /// Level ground at a given height, 100 m wide.
    pub fn level_ground(height: f32) -> GroundHeights {
        let corner = |x: f32, z: f32| Vec3::new(x, height, z);
        let mesh = SeabedMesh {
            positions: vec![corner(-50.0, -50.0), corner(50.0, -50.0), corner(50.0, 50.0), corner(-50.0, 50.0)],
            indices: vec![0, 2, 1, 0, 3, 2],
            ..Default::default()
        };
        GroundHeights::new(&mesh).expect("a mesh")
    }

    fn rock() -> Habitat {
        Habitat::new(None, vec![Obstacle { center: Vec3::new(0.0, -4.0, 0.0), radii: Vec3::new(2.0, 3.0, 1.0) }])
    }

    #[test]
    fn nobody_gets_into_rock_or_ground_and_who_is_in_gets_out() {
        let (habitat, ground) = (rock(), level_ground(-6.0));
        let collision = CameraCollision { ground: Some(&ground), habitat: &habitat };
        let mut eye = Vec3::new(0.3, -4.0, 5.0);
        for _ in 0..400 {
            eye = collision.slide(eye, eye + Vec3::new(0.0, -0.005, -0.05));
            assert!(habitat.is_clear(eye, 0.99 * OUTSIDE_M) && eye.y >= -6.0 + ABOVE_GROUND_M, "{eye}");
        }
        assert!(eye.z < -5.0, "it slid round the rock: {eye}");
        let inside = Vec3::new(0.5, -4.0, 0.2);
        assert_eq!(collision.slide(inside, inside), inside, "a view that a scene asks for stays");
        let out = inside + Vec3::new(0.4, 0.0, 0.1);
        assert_eq!(collision.slide(inside, out), out);
        assert!(collision.slide(inside, Vec3::new(0.2, -4.0, 0.0)).distance(Vec3::new(0.0, -4.0, 0.0)) > 0.3);
        assert!(collision.is_clear(collision.clear_of(inside, 0.5), 0.499));
        assert!(collision.slide(inside, Vec3::NAN).is_finite());
    }

    #[test]
    fn a_way_ends_where_rock_begins_and_a_roof_is_over_it() {
        let (habitat, ground) = (rock(), level_ground(-6.0));
        let collision = CameraCollision { ground: Some(&ground), habitat: &habitat };
        let free_m = collision.free_m(Vec3::new(0.0, -4.0, 5.0), Vec3::NEG_Z, 9.0, 0.2);
        assert!((3.6..3.81).contains(&free_m), "{free_m}");
        assert_eq!(collision.free_m(Vec3::new(0.0, -4.0, 5.0), Vec3::Z, 9.0, 0.2), 9.0);
        assert!((collision.roof_m(Vec3::new(0.0, -5.0, 0.0), 0.5) + 0.5).abs() < 1e-4);
        assert!((collision.roof_m(Vec3::new(9.0, -5.0, 0.0), 0.5) + 5.5).abs() < 1e-4);
    }
}
