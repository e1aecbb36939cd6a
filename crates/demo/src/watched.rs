//! The animal in the middle of the picture, whose mind is shown.

use glam::Vec3;
use life::AnimalReport;
use view::Camera;

/// Greatest distance at which an animal is found. Unit: m.
const FARTHEST_M: f32 = 25.0;
/// Cosine of the angle from the middle within which an animal is found: 12 degrees.
const FOUND_COS: f32 = 0.978;
/// Cosine of the angle from the middle within which it is kept, even if another comes nearer: 6 degrees.
const KEPT_COS: f32 = 0.9945;

/// The watched animal, as long as it stays near the middle.
#[derive(Clone, Copy, Debug, Default)]
pub struct WatchedAnimal {
    number: Option<usize>,
}

impl WatchedAnimal {
    /// The animal that was watched before if it still is near the middle, else the nearest to the middle, if any is
    /// near it; only those of `animals` that are not hidden from the eye.
    pub fn find(
        &mut self,
        camera: &Camera,
        animals: impl Iterator<Item = AnimalReport>,
        is_hidden: impl Fn(Vec3) -> bool,
    ) -> Option<AnimalReport> {
        let ahead = camera.orientation * Vec3::NEG_Z;
        let mut found = None;
        let mut nearest_cos = FOUND_COS;
        for (number, animal) in animals.enumerate() {
            let way = animal.position - camera.eye;
            let distance_m = way.length();
            let cos = way.dot(ahead) / distance_m;
            if distance_m > FARTHEST_M {
                continue;
            }
            if self.number == Some(number) && cos > KEPT_COS && !is_hidden(animal.position) {
                return Some(animal);
            }
            if cos > nearest_cos && !is_hidden(animal.position) {
                (found, nearest_cos) = (Some((number, animal)), cos);
            }
        }
        self.number = found.map(|(number, _)| number);
        found.map(|(_, animal)| animal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An animal that many degrees beside the middle of a camera's picture, and that far away (m).
    fn animal(beside_deg: f32, distance_m: f32) -> AnimalReport {
        let angle = beside_deg.to_radians();
        AnimalReport {
            species: 0,
            school: None,
            position: distance_m * Vec3::new(angle.sin(), 0.0, -angle.cos()),
            heading: Vec3::X,
            bank: 0.0,
            length_m: 0.2,
            speed_m_s: 0.3,
            doing: "school",
            fear: 0.0,
            hunger: 0.0,
            fatigue: 0.0,
            loneliness: 0.0,
        }
    }

    #[test]
    fn the_nearest_to_the_middle_is_found_and_kept_while_it_stays_near() {
        let camera = Camera::look_at(Vec3::ZERO, Vec3::NEG_Z, 1.0);
        let mut watched = WatchedAnimal::default();
        let mut place = |animals: [(f32, f32); 2]| {
            let animals = animals.into_iter().map(|(deg, m)| animal(deg, m));
            // Everything beyond 20 m is behind a rock.
            watched.find(&camera, animals, |place| place.length() > 20.0).map(|one| one.position.length())
        };
        assert_eq!(place([(13.0, 2.0), (1.0, 26.0)]), None, "too far aside, too far off");
        assert_eq!(place([(13.0, 2.0), (1.0, 22.0)]), None, "hidden");
        let is_first = |found: Option<f32>| found.is_some_and(|m| (m - 4.0).abs() < 1e-3);
        assert!(is_first(place([(3.0, 4.0), (5.0, 6.0)])));
        assert!(is_first(place([(5.0, 4.0), (0.5, 6.0)])), "kept");
        assert!(!is_first(place([(7.0, 4.0), (0.5, 6.0)])), "gone");
    }
}
