//! The views of a world: moved out of ground and rock, and the first near enough for the water.

use glam::Vec3;
use life::{Population, STEPS_PER_S};
use model::Bounds;
use view::{Camera, Instance};

use crate::build::SpeciesModel;
use crate::camera::{self, Standing};
use crate::near_view::{self, Sight, Sights, View};
use crate::world::World;

/// Steps simulated to find animals where there is nothing else to see: five seconds, when pictures are taken.
const LOOKED_AHEAD_STEPS: u32 = 5 * STEPS_PER_S;

impl World {
    /// The first view, near enough for the water.
    pub fn first_view(&self) -> Camera {
        camera::first_view(&self.camera)
    }

    /// Distance of the first view's target. Unit: m.
    pub fn first_target_m(&self) -> f32 {
        Vec3::from(self.camera.eye_m).distance(self.camera.target_m.into())
    }

    /// The view called `name`, or the first view; `None` if there is no such name.
    pub fn view(&self, name: Option<&str>) -> Option<Camera> {
        camera::view(&self.camera, name)
    }

    /// Standing place of a person with a headset, if the scene has one.
    pub fn standing(&self) -> Option<Standing> {
        let settings = self.settings.camera.standing.as_ref()?;
        Some(Standing::new(settings, |x, z| self.habitat().floor_m(x, z)))
    }

    /// Moves all views out of ground and rock, and the first near enough for the water. In a scene with test patches
    /// they stay.
    pub(super) fn with_clear_views(mut self) -> Self {
        let water = &self.settings.water;
        let mut camera = self.settings.camera.clone();
        if !self.settings.test_patches.is_empty() {
            return self;
        }
        for view in camera.views.values_mut() {
            view.eye_m = near_view::clear(self.habitat(), view.eye_m.into()).into();
        }
        let first = View { eye: near_view::clear(self.habitat(), camera.eye_m.into()), target: camera.target_m.into() };
        let mut view = first;
        if !near_view::is_within_reach(first.eye, first.target, water.black_disc_m()) {
            let (sights, fov_y) = (self.sights(None), camera.fov_deg.to_radians());
            view = sights.near(first, fov_y);
            if view != first && sights.things.iter().all(|thing| !thing.stays) {
                // Animals avoid the eye, so look for them again.
                view = self.sights(Some(view.eye)).turned(view, fov_y);
            }
        }
        (camera.eye_m, camera.target_m) = (view.eye.into(), view.target.into());
        self.camera = camera;
        self
    }

    /// The population after [`LOOKED_AHEAD_STEPS`], with an `onlooker` among them from now on.
    fn shoal_later(&self, onlooker: Option<Vec3>) -> Population {
        let mut later = self.population.clone();
        later.set_onlooker(onlooker);
        let time_s = |step: u32| self.time_s() + f64::from(step) * Self::STEP_S;
        (0..LOOKED_AHEAD_STEPS).for_each(|step| later.step(self.current_at(time_s(step))));
        later
    }

    /// Everything that there is to see: things on the ground, tall ones in pieces, and animals. Without things on the
    /// ground, animals are taken where they will be after [`LOOKED_AHEAD_STEPS`]; where there is no ground, no view is of
    /// the things that hang there.
    fn sights(&self, onlooker: Option<Vec3>) -> Sights<'_> {
        let models = &self.static_scene.models;
        let moving = self.terrain.animated_props().iter().map(|props| (props.model, &props.instances));
        let props = self.static_scene.props.iter().map(|props| (props.model, &props.instances)).chain(moving);
        let mut things: Vec<Sight> = props
            .filter(|_| self.settings.seabed.present)
            .flat_map(|(model, instances)| instances.iter().flat_map(move |at| pieces(&models[model].bounds, at)))
            .collect();
        let later = things.is_empty().then(|| self.shoal_later(onlooker));
        let population = later.as_ref().unwrap_or(&self.population);
        let places =
            |species: &SpeciesModel| population.poses(species.species, 1.0).map(|pose| (pose.position, pose.length_m));
        for species in &self.species {
            let animal = |(at, length_m)| Sight { at, radius_m: 0.4 * length_m, stays: false };
            things.extend(places(species).map(animal));
        }
        let largest = self.species.iter().max_by_key(|species| population.count(species.species));
        let school = largest.filter(|species| population.count(species.species) > 0).map(|species| {
            let share = 1.0 / places(species).len() as f32;
            let middle = share * places(species).map(|(at, _)| at).sum::<Vec3>();
            let spread = share * places(species).map(|(at, _)| at.distance_squared(middle)).sum::<f32>();
            Sight { at: middle, radius_m: spread.sqrt(), stays: false }
        });
        Sights {
            things,
            school,
            habitat: self.habitat(),
            visibility_m: self.settings.water.black_disc_m(),
            to_key_light: self.environment.settings().light().to_key_light_water,
        }
    }
}

/// Splits a thing into balls, one above the other.
fn pieces(bounds: &Bounds, at: &Instance) -> impl Iterator<Item = Sight> + use<> {
    const MAX_PIECES: f32 = 12.0;
    let half = 0.5 * at.scale * (bounds.max - bounds.min);
    let count = (half.y / half.x.max(half.z).max(0.1)).round().clamp(1.0, MAX_PIECES);
    let radius_m = half.x.max(half.z).max(half.y / count);
    let (middle, up) = (at.position + at.rotation * (at.scale * bounds.center()), at.rotation * (half.y * Vec3::Y));
    (0..count as u32).map(move |i| Sight {
        at: middle + up * ((2.0 * i as f32 + 1.0) / count - 1.0),
        radius_m,
        stays: true,
    })
}
