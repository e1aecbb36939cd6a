//! Lamps, luminous animals and test patches: from settings to world space at the moment of a frame.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use life::Beam;
use model::Model;
use view::{Camera, Instance, LIGHTS, PointLight, RenderScene, TestPatch};

use crate::build::SpeciesModel;
use crate::{LightCarrier, LightSettings, SceneSettings, camera};

/// Fills `out.lights` with the one that casts shadows, then the lamps nearest its camera, then the nearest lights of
/// animals. Its batches must be filled already.
pub(super) fn extract(
    settings: &SceneSettings,
    (species_models, models): (&[SpeciesModel], &[Arc<Model>]),
    out: &mut RenderScene,
) {
    let RenderScene { lights, batches, camera, .. } = out;
    lights.clear();
    for light in &settings.lights {
        match &light.follow {
            LightCarrier::World => lights.push(point_light(light, Vec3::ZERO, Quat::IDENTITY, 1.0)),
            // Cameras and animals look along their -z.
            LightCarrier::Camera => lights.push(point_light(light, camera.eye, camera.orientation, -1.0)),
            LightCarrier::Species(_) => {}
        }
    }
    let lamps = lights.len();
    for light in &settings.lights {
        let LightCarrier::Species(name) = &light.follow else { continue };
        let carriers = species_models.iter().zip(batches.iter());
        let carriers = carriers.filter(|(model, _)| settings.species[model.species].name == *name);
        for (species, batch) in carriers {
            let model = &models[species.model];
            let place = model.attachment(&light.place);
            let at = |animal: &Instance| place.map_or(animal.position, |place| animal.place(model, place));
            let of_animal = |animal| point_light(light, at(animal), animal.rotation, -1.0);
            lights.extend(batch.instances.iter().map(of_animal));
        }
    }
    // However many animals carry lights, they put out none of the scene's lamps.
    let (lamps, carried) = lights.split_at_mut(lamps);
    for part in [lamps, carried] {
        part.sort_by(|a, b| {
            let distance = |light: &PointLight| light.position.distance_squared(camera.eye);
            distance(a).total_cmp(&distance(b))
        });
    }
    if let Some(nearest) = lights.iter().position(|light| light.casts_shadows) {
        lights[..=nearest].rotate_right(1);
    }
    lights.truncate(LIGHTS);
}

/// The light in world space, on a carrier at `at` with the rotation `turned`. `forward` is the sign of the carrier's z
/// axis that points ahead.
fn point_light(light: &LightSettings, at: Vec3, turned: Quat, forward: f32) -> PointLight {
    let place = |p: [f32; 3]| at + turned * Vec3::new(p[0], p[1], forward * p[2]);
    let position = place(light.at_m);
    let cone = 0.5 * light.cone_deg.to_radians();
    PointLight {
        position,
        direction: (place(light.toward_m) - position).normalize_or(Vec3::NEG_Y),
        cos_cone: if light.cone_deg >= 360.0 { -1.0 } else { cone.cos() },
        intensity: Vec3::from(light.colour) * light.intensity,
        beam: light.beam,
        casts_shadows: light.casts_shadows(),
    }
}

/// Irradiance from which a torch dazzles eyes that are used to the night; the sun's is 1. By eye.
const DAZZLES: f32 = 0.05;

/// Beams of the torches that go with `camera`, as the animals see them.
pub(super) fn beams(settings: &SceneSettings, camera: &Camera) -> Vec<Beam> {
    let torches = settings.lights.iter().filter(|light| light.follow == LightCarrier::Camera);
    torches
        .map(|light| {
            let PointLight { position, direction, cos_cone, .. } =
                point_light(light, camera.eye, camera.orientation, -1.0);
            Beam { position, direction, cos_cone, reach_m: (light.intensity / DAZZLES).sqrt() }
        })
        .collect()
}

/// Fills `out` with the test patches whose view exists.
pub(super) fn place_test_patches(settings: &SceneSettings, out: &mut Vec<TestPatch>) {
    out.clear();
    out.extend(settings.test_patches.iter().filter_map(|patch| {
        let placed_from = camera::view(&settings.camera, Some(&patch.view))?;
        Some(TestPatch {
            placed_from,
            at: Vec2::from(patch.at),
            distance_m: patch.distance_m,
            width: patch.width,
            radiance: Vec3::from(patch.radiance),
        })
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forward_is_where_the_carrier_looks() {
        let (at_m, toward_m) = ([0.0, 0.1, 0.4], [0.0, 0.1, 2.0]);
        let lure = LightSettings { at_m, toward_m, beam: 3.0, ..LightSettings::default() };
        let (at, heading) = (Vec3::new(1.0, -5.0, 2.0), Vec3::new(0.6, 0.0, 0.8));
        let light = point_light(&lure, at, Quat::from_rotation_arc(Vec3::NEG_Z, heading), -1.0);
        assert!((light.position - (at + 0.4 * heading + 0.1 * Vec3::Y)).length() < 1e-5, "{}", light.position);
        assert!(light.direction.dot(heading) > 0.9999);
        assert_eq!(light.beam, 3.0);
    }

    #[test]
    fn a_torch_goes_with_the_camera_and_the_farthest_lights_go_out() {
        let light = |follow, at_m, toward_m| LightSettings {
            follow,
            at_m,
            toward_m,
            cone_deg: 60.0,
            ..LightSettings::default()
        };
        let mut settings = SceneSettings::default();
        settings.lights.push(light(LightCarrier::Camera, [0.5, 0.0, 0.0], [0.5, 0.0, 4.0]));
        for x in 0..5 {
            settings.lights.push(light(LightCarrier::World, [10.0 * x as f32, -5.0, 0.0], [0.0, -9.0, 0.0]));
        }
        let mut out = RenderScene {
            camera: Camera::look_at(Vec3::new(0.0, -5.0, 8.0), Vec3::NEG_Y * 5.0, 1.0),
            ..Default::default()
        };
        extract(&settings, (&[], &[]), &mut out);
        assert_eq!(out.lights.len(), LIGHTS);
        let torch = out.lights[0];
        assert!((torch.position - Vec3::new(0.5, -5.0, 8.0)).length() < 1e-4, "{}", torch.position);
        assert!(torch.direction.dot(Vec3::NEG_Z) > 0.999 && (torch.cos_cone - 0.866).abs() < 1e-3);
        assert!(out.lights.iter().all(|light| light.position.x < 25.0));
    }

    #[test]
    fn of_lights_that_cast_shadows_the_nearest_comes_first_and_the_rest_by_distance() {
        let lamp = |x: f32, cone_deg: f32, shadows: bool| LightSettings {
            at_m: [x, -5.0, 0.0],
            cone_deg,
            shadows,
            ..LightSettings::default()
        };
        let lights = vec![
            lamp(1.0, 60.0, false),
            lamp(2.0, 360.0, true),
            lamp(3.0, 60.0, false),
            lamp(4.0, 60.0, false),
            lamp(9.0, 60.0, true),
            lamp(8.0, 60.0, true),
        ];
        let settings = SceneSettings { lights, ..SceneSettings::default() };
        let mut out = RenderScene {
            camera: Camera::look_at(Vec3::new(0.0, -5.0, 0.0), Vec3::NEG_Y * 5.0, 1.0),
            ..Default::default()
        };
        extract(&settings, (&[], &[]), &mut out);
        let places: Vec<f32> = out.lights.iter().map(|light| light.position.x).collect();
        assert_eq!(places, [8.0, 1.0, 2.0, 3.0], "one all round casts none");
        assert!(out.shadow_lamp().is_some_and(|lamp| lamp.position.x == 8.0));
    }
}
