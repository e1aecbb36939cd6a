//! Standing places: feet on the ground or in the cage, a free head in the water, and something to see in every direction.

use std::f32::consts::TAU;

use glam::Vec3;
use pelagic::config;
use pelagic::runtime::files::load_model;
use pelagic::runtime::threads::join;
use pelagic::scene::camera::Standing;
use pelagic::scene::{SceneSettings, World};

const STEPS_A_SECOND: u32 = 60;
/// Height of the eyes over the floor. Unit: m.
const EYES_M: f32 = 1.6;
/// Greatest distance of the feet from what they stand on. Unit: m.
const ON_FLOOR_M: f32 = 0.05;
/// Least distance of anything but a cage from the head. Unit: m.
const ROOM_M: f32 = 0.8;
/// Least depth of the head. In the lagoon, which is two metres deep, the surface is that near. Unit: m.
const DEPTH_M: f32 = 0.3;
/// Directions of the compass.
const SECTORS: usize = 8;
/// Greatest distance of what is seen, as a share of that of a black disc, and its least size over its distance.
const NEARNESS: f32 = 0.5;
const SIZE: f32 = 0.05;
/// Seconds for which one looks about, and those of them in which an animal must be in a direction without a thing.
const LOOKS: (u32, u32) = (60, 10);
/// Greatest distance at which a lamp shows anything where there is no other light. Unit: m.
const LAMP_M: f32 = 9.0;

/// Sights in one direction.
#[derive(Clone, Copy, Debug, Default)]
struct Sector {
    /// Things that stay in their places.
    things: u32,
    /// Seconds in which an animal is there.
    seconds: u32,
}

/// A built-in scene with its standing place, if it has one.
fn scene(name: &str) -> Option<(World, SceneSettings, Standing)> {
    let settings = config::load(name, &[]).expect("a built-in scene").config.scene;
    settings.camera.standing.as_ref()?;
    let world = World::new(&settings, 1, load_model, join).expect("a scene");
    let standing = world.standing()?;
    Some((world, settings, standing))
}

/// Names of the built-in scenes that show a sea.
fn names() -> impl Iterator<Item = &'static str> {
    config::BUILTIN_SCENES.iter().map(|scene| scene.name).filter(|name| *name != "calibration")
}

/// Whether a cage hangs about the feet, with its floor below them.
fn is_in_cage(settings: &SceneSettings, feet: Vec3) -> bool {
    let hung = settings.props.iter().filter(|prop| prop.solid).flat_map(|prop| &prop.hung);
    hung.map(|at| feet - Vec3::new(at[0], at[1], at[2]))
        .any(|from| from.with_y(0.0).length() < 0.3 && (0.0..=ON_FLOOR_M).contains(&from.y))
}

fn feet_are_on_a_floor_and_the_head_is_free_and_in_the_water() {
    let mut wrong = Vec::new();
    for name in names() {
        let Some((world, settings, Standing { feet, .. })) = scene(name) else {
            wrong.push(format!("{name}: no standing place"));
            continue;
        };
        let (head, habitat) = (feet + EYES_M * Vec3::Y, world.habitat());
        let floor_m = habitat.floor_m(feet.x, feet.z);
        let cage = is_in_cage(&settings, feet);
        if !cage && (feet.y - floor_m).abs() > ON_FLOOR_M {
            wrong.push(format!("{name}: feet at {} over a ground at {floor_m}", feet.y));
        }
        if head.y > -DEPTH_M {
            wrong.push(format!("{name}: the head is at {}", head.y));
        }
        let has_room = habitat.is_clear(head, ROOM_M) && habitat.is_clear(feet.midpoint(head), 0.3);
        if !cage && !has_room {
            wrong.push(format!("{name}: rock is about the person"));
        }
        // Everything else, by its corners.
        let scene = world.static_scene();
        for (batch, at) in scene.props.iter().flat_map(|batch| batch.instances.iter().map(move |at| (batch, at))) {
            let model = &scene.models[batch.model];
            let corners =
                model.lods[0].vertices.iter().map(|corner| at.position + at.rotation * (corner.position * at.scale));
            let nearest = corners.map(|corner| corner.distance(head)).fold(f32::INFINITY, f32::min);
            let is_cage = cage && (at.position - feet).with_y(0.0).length() < 0.3;
            if nearest < ROOM_M && !is_cage {
                wrong.push(format!("{name}: {} is {nearest:.2} m from the head", model.name));
            }
        }
        println!("{name}: feet at {feet:.2}, ground at {floor_m:.2}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn lamps_shine_where_the_models_that_bear_them_have_theirs() {
    let (world, settings, _) = scene("deep").expect("it has a standing place");
    let scene = world.static_scene();
    let placed = |name: &str| {
        let batch = scene.props.iter().find(|batch| scene.models[batch.model].name == name).expect("it is there");
        (&scene.models[batch.model], batch.instances[0])
    };
    let (rov, at) = placed("rov");
    let lod = &rov.lods[0];
    let lenses = lod.meshes.iter().find(|mesh| rov.materials[mesh.material].name == "lamp").expect("it has lamps");
    let corners = lod.indices[lenses.first as usize..(lenses.first + lenses.count) as usize].iter();
    let corners: Vec<Vec3> = corners.map(|i| lod.vertices[*i as usize].position).collect();
    for (name, side) in [("rov_right", 1.0_f32), ("rov_left", -1.0)] {
        let own: Vec<Vec3> = corners.iter().copied().filter(|p| side * p.x > 0.0).collect();
        let lens = at.position + at.rotation * (at.scale * own.iter().sum::<Vec3>() / own.len() as f32);
        let light = settings.lights.iter().find(|light| light.name == name).expect("it is lit");
        let off = Vec3::from(light.at_m) - lens;
        let ahead = off.dot(at.rotation * Vec3::NEG_Z);
        assert!(off.length() < 0.05 && ahead > 0.0, "{name}: {off} from its lens, {ahead} ahead of it");
    }
    // The tether ends in the vehicle's bend restrictor, the highest part aft.
    let (tether, cable) = placed("rov_tether");
    let end = tether.lods[0].vertices.iter().map(|v| v.position).min_by(|a, b| a.y.total_cmp(&b.y)).expect("a cable");
    let end = cable.position + cable.rotation * (cable.scale * end);
    let root = rov.lods[0].vertices.iter().map(|v| v.position).max_by(|a, b| a.y.total_cmp(&b.y)).expect("a vehicle");
    let root = at.position + at.rotation * (at.scale * root);
    assert!(end.distance(root) < 0.06, "the tether ends {} from where it leaves", end - root);
}

fn in_every_direction_there_is_something_to_see() {
    let mut bare = Vec::new();
    for name in names() {
        let Some((mut world, settings, Standing { feet, .. })) = scene(name) else { continue };
        let head = feet + EYES_M * Vec3::Y;
        let sight_m =
            (NEARNESS * settings.water.black_disc_m()).min(if name == "deep" { LAMP_M } else { f32::INFINITY });
        let mut sectors = [Sector::default(); SECTORS];
        let sector = |place: Vec3, size_m: f32| {
            let to = place - head;
            let is_seen = to.length() < sight_m && size_m > SIZE * to.length();
            let turns = f32::atan2(to.x, -to.z) / TAU;
            is_seen.then(|| (turns * SECTORS as f32).round().rem_euclid(SECTORS as f32) as usize % SECTORS)
        };
        let scene = world.static_scene();
        for (batch, at) in scene.props.iter().flat_map(|batch| batch.instances.iter().map(move |at| (batch, at))) {
            let bounds = scene.models[batch.model].bounds;
            let size_m = at.scale * (bounds.max - bounds.min).max_element();
            let middle = at.position + at.rotation * (at.scale * bounds.center());
            let is_cage = (at.position - feet).with_y(0.0).length() < 0.3;
            if let Some(sector) = sector(middle, size_m).filter(|_| !is_cage) {
                sectors[sector].things += 1;
            }
        }
        world.set_onlooker(Some(head));
        for _ in 0..LOOKS.0 {
            (0..STEPS_A_SECOND).for_each(|_| world.step());
            let mut has_animal = [false; SECTORS];
            for animal in world.reports() {
                if let Some(sector) = sector(animal.position, animal.length_m) {
                    has_animal[sector] = true;
                }
            }
            sectors.iter_mut().zip(has_animal).for_each(|(sector, has)| sector.seconds += u32::from(has));
        }
        println!("{name}, sight {sight_m:.0} m, from -z by way of +x:");
        for (number, Sector { things, seconds }) in sectors.iter().enumerate() {
            println!("  {number}: {things} things, animals for {seconds} s");
            if *things == 0 && *seconds < LOOKS.1 {
                bare.push(format!("{name}: nothing in direction {number} of {SECTORS}"));
            }
        }
    }
    assert!(bare.is_empty(), "{}", bare.join("\n"));
}

fn no_animal_is_in_the_cage() {
    let (mut world, settings, Standing { feet, .. }) = scene("open_blue").expect("it has a cage");
    assert!(is_in_cage(&settings, feet));
    for second in 0..LOOKS.0 {
        for _ in 0..STEPS_A_SECOND {
            world.step();
            for animal in world.reports() {
                let from = animal.position - feet;
                let is_in = from.with_y(0.0).length() < 0.8 && (0.2..2.0).contains(&from.y);
                assert!(!is_in, "{} at {second} s", settings.species[animal.species].name);
            }
        }
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    feet_are_on_a_floor_and_the_head_is_free_and_in_the_water;
    in_every_direction_there_is_something_to_see;
    lamps_shine_where_the_models_that_bear_them_have_theirs;
    no_animal_is_in_the_cage;
};
