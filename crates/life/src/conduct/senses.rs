//! Inputs of an animal's decision.

use glam::Vec3;

use crate::animal::Species;
use crate::perception::{Nearest, Perception};
use crate::school::School;

/// Greatest height above the ground from which grazing is worth the way. By eye. Unit: m.
pub(crate) const GRAZES_WITHIN_M: f32 = 8.0;

/// Surroundings of an animal when it makes up its mind.
pub(crate) struct Senses<'a> {
    /// Index of the animal.
    pub index: u32,
    pub species: &'a Species,
    /// School of the animal, if it has one.
    pub school: Option<&'a School>,
    /// Nearest animals of its size.
    pub near: &'a Nearest<'a>,
    pub scene: &'a Perception<'a>,
}

impl Senses<'_> {
    /// Whether the ground below `p` is near enough to feed there.
    pub fn has_ground(&self, p: Vec3) -> bool {
        p.y - self.scene.habitat.floor_m(p.x, p.z) < GRAZES_WITHIN_M
    }
}
