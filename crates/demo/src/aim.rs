//! Picking: the place in the scene that a person points at.

use glam::{Vec2, Vec3};
use scene::World;
use view::Camera;

/// Greatest distance at which a thing is picked. Unit: m.
const REACH_M: f32 = 15.0;
/// Step length of the search for the ground. Unit: m.
const STEP_M: f32 = 0.1;
/// Distance of the picked place where the sight meets nothing. Unit: m.
const OPEN_M: f32 = 4.0;
/// Radius about its middle within which an animal is picked, as a share of its length.
const BODY: f32 = 0.35;
/// Tolerance added to that radius, as a share of the distance: a hand is not steady. About 1 degree.
const BESIDE: f32 = 0.02;

/// A line of sight.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    eye: Vec3,
    /// Unit vector.
    direction: Vec3,
}

impl Sight {
    /// Sight through the place `at` of a picture of `size`, in pixels from its left and top, or through its middle.
    pub fn new(camera: &Camera, at: Option<Vec2>, size: (u32, u32)) -> Self {
        let forward = camera.orientation * Vec3::NEG_Z;
        let size = Vec2::new(size.0 as f32, size.1 as f32);
        let from_middle = at.map_or(Vec2::ZERO, |at| (2.0 * at - size) / size.y * (0.5 * camera.fov_y).tan());
        let direction = camera.orientation * Vec3::new(from_middle.x, -from_middle.y, -1.0);
        Self { eye: camera.eye, direction: direction.normalize_or(forward) }
    }

    /// Sight from a place along a unit vector.
    pub fn along(eye: Vec3, direction: Vec3) -> Self {
        Self { eye, direction }
    }

    /// First intersection with the ground, a rock or an animal, else a place in the open water. A solid thing about the
    /// eye, such as a cage, is left first.
    pub fn meets(&self, world: &World) -> Vec3 {
        let is_solid = |&along: &f32| !is_water(world, self.at(along));
        let mut steps = (0..(REACH_M / STEP_M) as u32).map(|step| step as f32 * STEP_M);
        let ground_m = steps.by_ref().find(|along| !is_solid(along)).and_then(|_| steps.find(is_solid));
        let free_m = ground_m.unwrap_or(REACH_M);
        let bodies = world.reports().filter_map(|animal| {
            let along = (animal.position - self.eye).dot(self.direction);
            let near = BODY * animal.length_m + BESIDE * along;
            let is_met = animal.position.distance_squared(self.at(along)) < near * near;
            (is_met && (0.0..free_m).contains(&along)).then_some(along)
        });
        self.at(bodies.min_by(f32::total_cmp).or(ground_m).unwrap_or(OPEN_M))
    }

    /// The place `along` metres from the eye.
    fn at(&self, along: f32) -> Vec3 {
        self.eye + self.direction * along
    }
}

/// Whether ground or something solid is between an eye and a place. A solid thing about the eye, such as a cage, is left
/// first.
pub fn is_hidden(world: &World, eye: Vec3, place: Vec3) -> bool {
    let steps = (eye.distance(place) / STEP_M) as u32;
    let mut places = (0..steps).map(|step| eye.lerp(place, step as f32 / steps as f32));
    places.find(|from| is_water(world, *from)).is_some_and(|from| world.habitat().hides(from, place))
}

/// Whether a place is neither in the ground nor in anything solid.
fn is_water(world: &World, place: Vec3) -> bool {
    place.y >= world.habitat().floor_m(place.x, place.z) && world.habitat().is_clear(place, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_straight_ahead_and_a_corner_is_half_the_field_of_view_away() {
        let camera = Camera::look_at(Vec3::new(1.0, -5.0, 2.0), Vec3::new(-3.0, -6.0, 0.0), 1.0);
        let sight = |x, y| Sight::new(&camera, Some(Vec2::new(x, y)), (64, 36)).direction;
        let ahead = Sight::new(&camera, None, (64, 36)).direction;
        assert!(ahead.dot(camera.orientation * Vec3::NEG_Z) > 0.999_999);
        assert!(sight(32.0, 18.0).dot(ahead) > 0.999_999);
        let in_view = camera.orientation.inverse() * sight(64.0, 0.0);
        let tan = 0.5_f32.tan();
        assert!((in_view.y / -in_view.z - tan).abs() < 1e-4, "{in_view}");
        assert!((in_view.x / -in_view.z - tan * 64.0 / 36.0).abs() < 1e-4, "{in_view}");
        assert!(sight(f32::NAN, 0.0).is_finite());
    }
}
