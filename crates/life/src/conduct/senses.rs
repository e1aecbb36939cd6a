//! What an animal goes by.

use glam::Vec3;

use crate::animal::Species;
use crate::perception::{Nearest, Perception};
use crate::school::School;

/// How far down it is worth the way to graze. By eye. Unit: m.
pub(crate) const GRAZES_WITHIN_M: f32 = 8.0;

/// What an animal has before it when it makes up its mind.
pub(crate) struct Senses<'a> {
    /// Its own index.
    pub index: u32,
    pub species: &'a Species,
    /// Its school, if it has one.
    pub school: Option<&'a School>,
    /// The nearest of its size.
    pub near: &'a Nearest<'a>,
    pub scene: &'a Perception<'a>,
}

impl Senses<'_> {
    /// Whether the ground below `p` is near enough to go there for food.
    pub fn has_ground(&self, p: Vec3) -> bool {
        p.y - self.scene.habitat.floor_m(p.x, p.z) < GRAZES_WITHIN_M
    }
}
