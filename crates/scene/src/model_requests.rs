//! Model requests of a scene.

use std::fmt;

use model::{ClipRequest, Model, ModelRequest};
use suggest::nearest;

use crate::{ClipSettings, LightCarrier, LightSettings, SceneSettings, SpeciesSettings};

/// Number of triangles at or below which a level of detail is coarse enough for any crowd.
const COARSE_TRIANGLES: u64 = 100;

/// Triangles of one model in a frame above which a warning is given.
const CROWD_TRIANGLES: u64 = 2_000_000;

/// Time to draw a triangle of a few pixels: llvmpipe on two cores. Unit: s.
const SECONDS_A_TRIANGLE: f64 = 1e-7;

/// A model that a scene requests.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneModelRequest<'a> {
    /// The requesting prop or species.
    pub entry: SceneEntry<'a>,
    /// The requested model.
    pub request: ModelRequest,
    /// Number of props to scatter or animals to release.
    pub count: u32,
}

/// Something in a scene that has a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneEntry<'a> {
    /// A prop, by name.
    Prop(&'a str),
    /// A kind of cover, by name.
    Cover(&'a str),
    /// A species, by its index in the settings and its name.
    Species(usize, &'a str),
}

impl fmt::Display for SceneEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prop(name) => write!(f, "prop \"{name}\""),
            Self::Cover(name) => write!(f, "cover \"{name}\""),
            Self::Species(_, name) => write!(f, "species \"{name}\""),
        }
    }
}

/// Every model that `settings` request, in the order of loading. Props and cover come first, so that a change of species does
/// not change their indices.
pub fn model_requests(settings: &SceneSettings) -> impl Iterator<Item = SceneModelRequest<'_>> {
    let props = settings.props.iter().map(|prop| SceneModelRequest {
        entry: SceneEntry::Prop(&prop.name),
        request: ModelRequest { skin: prop.skin, body: prop.body, ..ModelRequest::new(prop.model.as_str()) },
        count: prop.count,
    });
    let cover = settings.cover.iter().map(|cover| SceneModelRequest {
        entry: SceneEntry::Cover(&cover.name),
        request: ModelRequest::new(cover.model.as_str()),
        count: 0,
    });
    let species = settings.species.iter().enumerate().filter(|(_, species)| species.life.count > 0);
    props.chain(cover).chain(species.map(|(index, species)| SceneModelRequest {
        entry: SceneEntry::Species(index, &species.name),
        request: request(species),
        count: species.life.count,
    }))
}

/// Warning about `model`, loaded for `request`, if the instances that `settings` ask for are slow to draw even at its
/// coarsest level of detail.
pub fn crowd_warning(settings: &SceneSettings, request: &ModelRequest, model: &Model) -> Option<String> {
    let of_it = model_requests(settings).filter(|asked| asked.request == *request);
    let count: u64 = of_it.map(|asked| u64::from(asked.count)).sum();
    let coarsest = model.lods.last().map_or(0, |lod| lod.indices.len() as u64 / 3);
    let triangles = count * coarsest;
    (coarsest > COARSE_TRIANGLES && triangles > CROWD_TRIANGLES).then(|| {
        format!(
            "it cannot be simplified below {coarsest} triangles, so {count} of it are up to {:.1} million a frame, which takes \
             a software renderer about {:.1} s; take fewer of it or a simpler model",
            triangles as f64 / 1e6,
            triangles as f64 * SECONDS_A_TRIANGLE
        )
    })
}

/// Lights that sit on a place missing in `model`, the model of the species `name`: name and warning of each.
pub fn unknown_places<'a>(
    settings: &'a SceneSettings,
    name: &'a str,
    model: &'a Model,
) -> impl Iterator<Item = (&'a str, String)> {
    let follows = move |light: &&LightSettings| light.follow == LightCarrier::Species(name.to_owned());
    settings.lights.iter().filter(follows).filter_map(move |light| {
        let place = light.place.as_str();
        if place.is_empty() || model.attachment(place).is_some() {
            return None;
        }
        let known = || model.attachments.iter().map(|attachment| attachment.name.as_str());
        let hint = match nearest(place, known()) {
            Some(near) => format!("is '{near}' meant?"),
            None if model.attachments.is_empty() => "it has none".into(),
            None => format!("it has {}", known().collect::<Vec<_>>().join(", ")),
        };
        Some((
            light.name.as_str(),
            format!("the model of {name} has no place '{place}', so it sits at its origin; {hint}"),
        ))
    })
}

fn request(species: &SpeciesSettings) -> ModelRequest {
    let clip = |clip: &ClipSettings| ClipRequest {
        sequence: clip.sequence.clone(),
        frames: clip.from_frame.zip(clip.to_frame),
    };
    ModelRequest {
        source: species.model.clone(),
        forward: species.forward,
        clips: species.clips.iter().map(|(name, settings)| (name.clone(), clip(settings))).collect(),
        skin: species.skin,
        body: species.body,
        swims: species.life.behaviour.has_nose(),
        morphs: species.fitting_morphs().map(|(name, morph)| (name.to_owned(), morph.model.clone())).collect(),
        first_morph: species.driven_morph().map(|(name, _)| name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use life::LifeSettings;
    use model::{Attachment, Bounds, Lod, Morphs, Palette, Skeleton};

    use super::*;

    /// A model whose levels of detail have these numbers of triangles.
    fn model(levels: &[usize]) -> Model {
        let level = |triangles: &usize| Lod { indices: vec![0; 3 * triangles], ..Lod::default() };
        Model {
            name: "test".into(),
            lods: levels.iter().map(level).collect(),
            materials: Vec::new(),
            skeleton: Skeleton::default(),
            morphs: Morphs::default(),
            attachments: Vec::new(),
            palette: Palette::default(),
            bend: None,
            length: 1.0,
            bounds: Bounds { min: Vec3::ZERO, max: Vec3::ONE },
        }
    }

    #[test]
    fn a_light_on_a_place_that_is_not_there_is_told_of() {
        let light = |name: &str, place: &str| LightSettings {
            name: name.into(),
            follow: LightCarrier::Species("anglerfish".into()),
            place: place.into(),
            ..LightSettings::default()
        };
        let lights = vec![light("good", "lure"), light("near", "luer"), light("far", "zzz"), light("none", "")];
        let settings = SceneSettings { lights, ..SceneSettings::default() };
        let place = |name: &str| Attachment { name: name.into(), joint: 0, position: Vec3::ZERO };
        let model = Model { attachments: vec![place("lure"), place("mouth")], ..model(&[1]) };
        let told: Vec<_> = unknown_places(&settings, "anglerfish", &model).collect();
        let text =
            |place, hint| format!("the model of anglerfish has no place '{place}', so it sits at its origin; {hint}");
        assert_eq!(told, [("near", text("luer", "is 'lure' meant?")), ("far", text("zzz", "it has lure, mouth"))]);
        assert_eq!(unknown_places(&settings, "other", &model).count(), 0);
    }

    #[test]
    fn a_crowd_is_told_of_if_it_is_a_burden_from_afar() {
        let species = |name: &str, count| SpeciesSettings {
            name: name.into(),
            model: "a".into(),
            life: LifeSettings { count, ..Default::default() },
            ..Default::default()
        };
        let settings = |counts: &[u32]| SceneSettings {
            props: Vec::new(),
            species: counts.iter().enumerate().map(|(i, count)| species(&i.to_string(), *count)).collect(),
            ..SceneSettings::default()
        };
        let told = |counts: &[u32], levels: &[usize]| {
            let settings = settings(counts);
            let request = model_requests(&settings).next().expect("a species").request;
            crowd_warning(&settings, &request, &model(levels))
        };
        let text = told(&[6000, 4000], &[65_000]).expect("650 million triangles");
        assert!(text.contains("below 65000 triangles, so 10000 of it are up to 650.0 million a frame"), "{text}");
        assert!(text.contains("about 65.0 s"), "{text}");
        assert_eq!(told(&[10_000], &[65_000, 3000, 80]), None, "it has a level for that");
        assert_eq!(told(&[30], &[65_000]), None);
        assert_eq!(told(&[100_000], &[90]), None, "as simple as can be");
        assert_eq!(told(&[100_000], &[]), None);
    }
}
