//! The animal that a camera watches, and the surroundings of a camera.

use glam::Vec3;
use life::AnimalPose;
use scene::{SceneSettings, World};

use crate::collision::CameraCollision;
use crate::pose::Pose;

/// Cosine of the angle from the middle of the picture within which an animal counts as meant: 20 degrees.
const MEANT_COS: f32 = 0.94;
/// Greatest distance at which an animal counts as meant. Unit: m.
const MEANT_M: f32 = 25.0;

/// Reference to one animal, valid as long as its species keeps its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Index of its species in the scene's list.
    pub species: usize,
    /// Number within that species.
    pub number: usize,
}

/// Surroundings of a camera at a moment.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Ground and rock.
    pub collision: CameraCollision<'a>,
    /// Settings from the scene file.
    pub settings: &'a SceneSettings,
    /// The animals.
    pub world: &'a World,
    /// Interpolation factor of the shown moment, from the last step but one to the last, as for [`World::extract`].
    pub alpha: f32,
}

impl Surroundings<'_> {
    /// Pose of an animal as it is drawn at the moment; `None` if there is no animal of that number any more.
    pub fn animal(&self, subject: Subject) -> Option<AnimalPose> {
        let pose = self.world.animal(subject.species, subject.number, self.alpha)?;
        (pose.position.is_finite() && pose.rotation.is_finite()).then_some(pose)
    }

    /// Position of the rider's seat on an animal at the moment, if its model has one.
    pub fn seat(&self, subject: Subject) -> Option<Vec3> {
        self.world.seat(subject.species, subject.number, self.alpha).filter(|seat| seat.is_finite())
    }

    /// Returns the animal of a species that is nearest to a place.
    pub fn nearest(&self, species: usize, place: Vec3) -> Option<Subject> {
        let of_species = self.animals().filter(|(subject, _)| subject.species == species);
        of_species.min_by(|(_, a), (_, b)| a.distance(place).total_cmp(&b.distance(place))).map(|(subject, _)| subject)
    }

    /// Returns the animal that an observer at `from` means: the nearest to the middle of the picture, else the nearest
    /// of all.
    pub fn meant(&self, from: Pose) -> Option<Subject> {
        self.in_the_middle(from).or_else(|| {
            let by_distance = self.animals().map(|(subject, place)| (subject, place.distance(from.eye)));
            by_distance.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(subject, _)| subject)
        })
    }

    /// Returns the animal nearest to the middle of the picture, if any is near it.
    pub fn in_the_middle(&self, from: Pose) -> Option<Subject> {
        let off = |place: Vec3| {
            let way = place - from.eye;
            let cos = way.normalize_or_zero().dot(from.forward());
            (cos > MEANT_COS && way.length() < MEANT_M).then_some(cos)
        };
        let seen = self.animals().filter_map(|(subject, place)| Some((subject, off(place)?)));
        seen.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(subject, _)| subject)
    }

    /// Returns the next species that has animals, or the previous one if `before`; cyclic.
    pub fn next_species(&self, from: Option<usize>, before: bool) -> Option<usize> {
        let mut species: Vec<usize> = self.animals().map(|(subject, _)| subject.species).collect();
        species.dedup();
        if before {
            species.reverse();
        }
        let place = from.and_then(|from| species.iter().position(|&one| one == from));
        place.map_or(species.first(), |place| species.get((place + 1) % species.len())).copied()
    }

    /// All animals with their positions, species by species.
    pub fn animals(&self) -> impl Iterator<Item = (Subject, Vec3)> {
        let mut last = Subject { species: usize::MAX, number: 0 };
        self.world.reports().map(move |animal| {
            let number = if animal.species == last.species { last.number + 1 } else { 0 };
            last = Subject { species: animal.species, number };
            (last, animal.position)
        })
    }
}
