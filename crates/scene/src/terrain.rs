//! The ground with everything that stands on it: its meshes and instances, obstacles and shelters.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use life::{Habitat, HeightMap, Obstacle, Shelter};
use math::splitmix64;
use view::{CoverBatch, Instance, SeabedMesh, StaticBatch, StaticScene};

use crate::animation_set::AnimationSet;
use crate::model_cache::ModelCache;
use crate::particles::BreathingThing;
use crate::placement::{self, PlacedProp, PropShape, Rocks};
use crate::seabed::{self, Occluder, Seabed};
use crate::{Breath, CameraSettings, PropSettings, SceneSettings, SpeciesSettings};

/// Greatest number of points along a side of the animals' height map.
const MAX_SIDE: f32 = 320.0;

/// The ground with the props on it, and those that hang in the water; [`Default`] is bottomless water.
#[derive(Clone, Debug, Default)]
pub(super) struct Terrain {
    bed: Option<Seabed>,
    obstacles: Vec<Obstacle>,
    growths: Vec<Obstacle>,
    shelters: Vec<Shelter>,
    mesh: Option<SeabedMesh>,
    /// Props without animation, one batch each.
    props: Vec<StaticBatch>,
    cover: Vec<CoverBatch>,
    animated_props: Vec<AnimatedProps>,
    breathing_things: Vec<BreathingThing>,
}

/// Instances of a prop whose model has an animation: they move, but not from their place.
#[derive(Clone, Debug)]
pub(super) struct AnimatedProps {
    /// Index into the static scene's models.
    pub model: usize,
    /// Clips of the model.
    pub animations: AnimationSet,
    /// Instances in world space.
    pub instances: Vec<Instance>,
}

/// Layout of the props on the ground.
struct Layout {
    bed: Seabed,
    /// One for each prop.
    shapes: Vec<PropShape>,
    placed: Vec<PlacedProp>,
}

impl Layout {
    /// Places the props; `None` where there is neither a ground nor anything that hangs.
    fn new(settings: &SceneSettings, seed: u64, models: &ModelCache, prop_models: &[usize]) -> Option<Self> {
        let has_any = settings.seabed.present || settings.props.iter().any(|prop| !prop.hung.is_empty());
        let bed = has_any.then(|| Seabed::new(&settings.seabed, seed))?;
        let shapes: Vec<PropShape> = prop_models.iter().map(|&model| PropShape::of(models.get(model))).collect();
        let mut placed = placement::place(&settings.props, &settings.flora, &bed, &shapes, seed);
        placed.retain(|thing| thing.by_hand || !stands_in_view(thing, &shapes[thing.prop], &settings.camera));
        Some(Self { bed, shapes, placed })
    }
}

impl Terrain {
    /// Ground, obstacles and shelters only, without anything to draw, which is much faster to make.
    pub fn bare(settings: &SceneSettings, seed: u64, models: &ModelCache, prop_models: &[usize]) -> Self {
        let layout = Layout::new(settings, seed, models, prop_models);
        layout.map_or_else(Self::default, |Layout { bed, shapes, placed }| Self {
            obstacles: placement::obstacles(&settings.props, &placed, &shapes),
            growths: placement::growths(&settings.props, &placed, &shapes),
            shelters: placement::shelters(&settings.props, &names(models, prop_models), &placed, &shapes, &bed),
            bed: Some(bed).filter(Seabed::present),
            ..Self::default()
        })
    }

    /// Makes the ground, places the props on it and covers the rocks; `prop_models` and `cover_models` have the index of
    /// each one's model.
    pub fn new(
        settings: &SceneSettings,
        seed: u64,
        models: &ModelCache,
        (prop_models, cover_models): (&[usize], &[usize]),
    ) -> Self {
        let Some(Layout { bed, shapes, placed }) = Layout::new(settings, seed, models, prop_models) else {
            return Self::default();
        };
        let mut instances = vec![Vec::new(); settings.props.len()];
        for (number, thing) in placed.iter().enumerate() {
            instances[thing.prop].push(instance(thing, &settings.props[thing.prop], seed, number as u64));
        }
        let (mut props, mut animated_props) = (Vec::new(), Vec::new());
        for ((prop, &model), instances) in settings.props.iter().zip(prop_models).zip(instances) {
            let animations = AnimationSet::of(&models.get(model).palette, false);
            match animations.moves() {
                _ if instances.is_empty() => {}
                true => animated_props.push(AnimatedProps { model, animations, instances }),
                false => {
                    let bounds = models.get(model).bounds;
                    let ground_line = bounds.min.y + prop.sink * (bounds.max - bounds.min).max_element();
                    props.push(StaticBatch { model, instances, sway: prop.sway * settings.flora.sway, ground_line });
                }
            }
        }

        let breathing_things = placed.iter().zip(0u64..).filter_map(|(thing, number)| {
            let (shape, breath) = (&shapes[thing.prop], settings.props[thing.prop].breath);
            let up = match breath {
                Breath::None => return None,
                Breath::Air => 1.0,
                // From a random leaf along the stalk.
                Breath::Oxygen => 0.3 + 0.7 * random(seed, 4, number),
            };
            let place = shape.foot() + up * shape.extent().y * Vec3::Y;
            Some(BreathingThing { position: thing.to_world(place), breath })
        });
        let breathing_things = breathing_things.collect();
        let occluders = placed.iter().map(|thing| Occluder {
            triangles: &shapes[thing.prop].triangles,
            position: thing.position,
            rotation: thing.rotation,
            scale: thing.scale,
            solid: settings.props[thing.prop].is_rock(),
        });
        let rocks = Rocks {
            props: &settings.props,
            models: prop_models.iter().map(|&model| models.get(model)).collect(),
            shapes: &shapes,
            placed: &placed,
            bed: &bed,
            eyes: &eyes(&settings.camera),
        };
        let cover_models: Vec<_> = cover_models.iter().map(|&model| (model, models.get(model))).collect();
        let cover = placement::cover(&settings.cover, &cover_models, &rocks, seed);
        let names = names(models, prop_models);
        let contacts = placement::contacts(&settings.props, &placed, &shapes, &bed);
        Self {
            mesh: seabed::mesh(&bed, &contacts, occluders),
            obstacles: placement::obstacles(&settings.props, &placed, &shapes),
            growths: placement::growths(&settings.props, &placed, &shapes),
            shelters: placement::shelters(&settings.props, &names, &placed, &shapes, &bed),
            bed: Some(bed).filter(Seabed::present),
            props,
            cover,
            animated_props,
            breathing_things,
        }
    }

    /// The static scene, which the renderer uploads.
    pub fn static_scene(&self, models: &ModelCache) -> StaticScene {
        StaticScene {
            models: models.models(),
            seabed: self.mesh.clone(),
            props: self.props.clone(),
            cover: self.cover.clone(),
        }
    }

    /// Props that are animated in their place.
    pub fn animated_props(&self) -> &[AnimatedProps] {
        &self.animated_props
    }

    /// Things that give off bubbles.
    pub fn breathing_things(&self) -> &[BreathingThing] {
        &self.breathing_things
    }

    /// Obstacles for animals.
    #[cfg(test)]
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Habitat of the animals of `species`.
    pub fn habitat(&self, species: &[SpeciesSettings]) -> Habitat {
        let reach =
            |s: &SpeciesSettings| Vec2::from(s.life.home_m).abs().max_element() + s.life.range_m + s.life.length_m;
        let half_m = species.iter().map(reach).fold(20.0, f32::max).min(520.0) + 5.0;
        let cell_m = (2.0 * half_m / MAX_SIDE).max(0.5);
        let floor = self.bed.as_ref();
        let floor = floor.map(|bed| HeightMap::sample(Vec2::ZERO, half_m, cell_m, |x, z| bed.height(x, z)));
        let is_wanted =
            |shelter: &&Shelter| species.iter().flat_map(|s| &s.life.shelter).any(|model| **model == *shelter.model);
        let shelters = self.shelters.iter().filter(is_wanted).cloned();
        Habitat::new(floor, self.obstacles.clone()).with_growths(self.growths.clone()).with_shelters(shelters)
    }
}

/// Name of each prop's model.
fn names(models: &ModelCache, prop_models: &[usize]) -> Vec<Arc<str>> {
    prop_models.iter().map(|&model| models.get(model).name.as_str().into()).collect()
}

/// Random number in 0..1 for thing `number` of the scene; each `salt` gives another one.
fn random(seed: u64, salt: u64, number: u64) -> f32 {
    (splitmix64(seed ^ salt, number) >> 40) as f32 / (1u64 << 24) as f32
}

/// Instance of a placed thing, with random variation of brightness and warmth. `number` is its index in the scene.
fn instance(thing: &PlacedProp, prop: &PropSettings, seed: u64, number: u64) -> Instance {
    let (shade, warmth) = (2.0 * random(seed, 2, number) - 1.0, 2.0 * random(seed, 3, number) - 1.0);
    let own = Vec3::splat(1.0 + prop.tint_spread * shade) + 0.6 * prop.tint_spread * warmth * Vec3::new(1.0, 0.0, -1.0);
    Instance {
        position: thing.position,
        rotation: thing.rotation,
        scale: thing.scale,
        tint: (Vec3::from(prop.tint) * own).max(Vec3::ZERO),
        variation: random(seed, 1, number),
        ..Instance::default()
    }
}

/// Eyes of the first view, of all named views and of the rail. Unit: m.
fn eyes(camera: &CameraSettings) -> Vec<Vec3> {
    let eyes = [camera.eye_m].into_iter();
    let eyes = eyes.chain(camera.views.values().map(|v| v.eye_m)).chain(camera.rail.iter().map(|w| w.eye_m));
    eyes.map(Vec3::from).collect()
}

/// Whether the eye of any view or waypoint would be inside the thing or right in front of it.
fn stands_in_view(thing: &PlacedProp, shape: &PropShape, camera: &CameraSettings) -> bool {
    /// Free space about an eye. Unit: m.
    const CLEARANCE_M: f32 = 0.35;
    let (least, most) = (shape.bounds.min * thing.scale, shape.bounds.max * thing.scale);
    let reach = least.abs().max(most.abs()).with_y(0.0).max_element() + CLEARANCE_M;
    eyes(camera).into_iter().any(|eye| {
        let from = eye - thing.position;
        from.with_y(0.0).length() < reach && from.y > least.y - CLEARANCE_M && from.y < most.y + CLEARANCE_M
    })
}
