//! What an animal goes by.

use crate::life::animal::Species;
use crate::life::perception::{Nearest, Perception};
use crate::life::school::School;

/// What an animal has before it when it makes up its mind.
pub(in crate::life) struct Senses<'a> {
    /// Its own index.
    pub index: u32,
    pub species: &'a Species,
    /// Its school, if it has one.
    pub school: Option<&'a School>,
    /// The nearest of its size.
    pub near: &'a Nearest<'a>,
    pub scene: &'a Perception<'a>,
}
