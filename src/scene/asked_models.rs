//! Which models a scene asks for.

use std::fmt;

use crate::life::SpeciesSettings;
use crate::model::ModelRequest;
use crate::scene::SceneSettings;

/// A model that a scene asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedModel<'a> {
    /// Who asks.
    pub entry: SceneEntry<'a>,
    /// For what.
    pub request: ModelRequest,
}

/// Something in a scene that has a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneEntry<'a> {
    /// A prop, by name.
    Prop(&'a str),
    /// A species, by its index in the settings and its name.
    Species(usize, &'a str),
}

impl fmt::Display for SceneEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prop(name) => write!(f, "prop \"{name}\""),
            Self::Species(_, name) => write!(f, "species \"{name}\""),
        }
    }
}

/// Every model that `settings` ask for, in the order in which they are loaded. Props come first: a change of species
/// then leaves their indices alone.
pub fn asked_models(settings: &SceneSettings) -> impl Iterator<Item = AskedModel<'_>> {
    let props = settings.props.iter().map(|prop| AskedModel {
        entry: SceneEntry::Prop(&prop.name),
        request: ModelRequest::new(prop.model.as_str()),
    });
    let species = settings.species.iter().enumerate().filter(|(_, species)| species.count > 0);
    props.chain(species.map(|(index, species)| AskedModel {
        entry: SceneEntry::Species(index, &species.name),
        request: request(species),
    }))
}

fn request(species: &SpeciesSettings) -> ModelRequest {
    let clips = species.clips.iter().map(|(name, range)| (name.clone(), (range.from_frame, range.to_frame)));
    ModelRequest {
        source: species.model.clone(),
        forward: species.forward,
        clips: clips.collect(),
        swims: species.behaviour.has_nose(),
    }
}
