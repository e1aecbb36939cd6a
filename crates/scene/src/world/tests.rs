use glam::{Quat, Vec3};
use life::{Behaviour, LifeSettings, serial};
use model::{
    Bounds, Forward, LoadedModel, Lod, Model, ModelError, ModelRequest, Morphs, Palette, PaletteClip, Skeleton,
};
use ocean::WaterType;

use super::*;
use crate::{PropSettings, SpeciesSettings};

/// A box 2 x 1 x 4 with its origin at the tail; the clip has 10 rows after 3 others. Rocks and grass do not move, clams
/// shut.
fn stand_in(request: &ModelRequest) -> Result<LoadedModel, ModelError> {
    if request.source.contains("missing") {
        return Err(ModelError::UnknownBuiltin { name: request.source.clone(), known: Vec::new() });
    }
    let long = if request.forward == Forward::NegZ { 4.0 } else { 8.0 };
    let clip = |name: &str, first_row, rows| PaletteClip {
        name: name.into(),
        first_row,
        rows,
        duration_s: 1.0,
        sweep: model::Sweep::default(),
    };
    let clips = match request.source.as_str() {
        "rock.ms3d" | "grass.ms3d" => Vec::new(),
        "clam.ms3d" => vec![clip("close", 3, 10)],
        _ => vec![clip("rest", 0, 3), clip("swim", 3, 10)],
    };
    let model = Model {
        name: request.source.clone(),
        lods: vec![Lod::default()],
        materials: Vec::new(),
        skeleton: Skeleton::default(),
        morphs: Morphs::default(),
        attachments: Vec::new(),
        bend: None,
        length: long,
        palette: Palette { joints: 1, rows: 13, texels: vec![[0.0; 4]; 39], clips, ..Palette::default() },
        bounds: Bounds { min: Vec3::new(-1.0, 0.0, -long), max: Vec3::new(1.0, 1.0, 0.0) },
    };
    Ok(LoadedModel { model, clips: Vec::new(), warnings: Vec::new(), files: Vec::new() })
}

fn fish(name: &str, model: &str, count: u32) -> SpeciesSettings {
    let life = LifeSettings { count, ..LifeSettings::default() };
    SpeciesSettings { name: name.into(), model: model.into(), life, ..SpeciesSettings::default() }
}

fn settings() -> SceneSettings {
    let mut turtle = fish("turtle", "turtle.ms3d", 2);
    (turtle.life.behaviour, turtle.life.length_m) = (Behaviour::Cruiser, 0.9);
    let rock = PropSettings {
        name: "rock".into(),
        model: "rock.ms3d".into(),
        count: 12,
        solid: true,
        size_m: 1.5,
        ..PropSettings::default()
    };
    let grass = PropSettings {
        name: "grass".into(),
        model: "grass.ms3d".into(),
        count: 30,
        sway: 0.8,
        ..PropSettings::default()
    };
    SceneSettings {
        species: vec![
            fish("sprat", "sprat.ms3d", 50),
            fish("twin", "sprat.ms3d", 20),
            fish("none", "missing.ms3d", 0),
            turtle,
        ],
        props: vec![rock, grass],
        ..SceneSettings::default()
    }
}

fn world(settings: &SceneSettings, seed: u64) -> World {
    World::new(settings, seed, stand_in, serial).expect("the stand-in loads everything")
}

fn scene(world: &World, alpha: f32) -> RenderScene {
    let mut out = RenderScene::default();
    world.extract(alpha, Camera::default(), &mut out);
    out
}

#[test]
fn each_model_is_loaded_once_and_every_species_is_a_batch() {
    let world = world(&settings(), 1);
    assert_eq!(world.static_scene().models.len(), 4, "rock, grass, sprat, turtle");
    let scene = scene(&world, 1.0);
    let sizes: Vec<(usize, usize)> = scene.batches.iter().map(|b| (b.model, b.instances.len())).collect();
    assert_eq!(sizes, [(2, 50), (2, 20), (3, 2)]);
    assert_eq!(world.animals(), 72);
}

#[test]
fn things_hang_in_bottomless_water_and_others_are_not_there() {
    let mut settings = settings();
    settings.seabed.present = false;
    settings.props[0].hung = vec![[2.0, -9.0, 3.0, 90.0, 1.2]];
    let world = world(&settings, 1);
    let [rocks] = &world.static_scene().props[..] else { panic!("{:?}", world.static_scene().props) };
    let [rock] = rocks.instances[..] else { panic!("{} rocks", rocks.instances.len()) };
    // The greatest extent is 4 units, and the foot is 2 from the origin.
    let foot = rock.position + rock.rotation * (rock.scale * Vec3::new(0.0, 0.0, -2.0));
    assert!((foot - Vec3::new(2.0, -9.0, 3.0)).length() < 1e-4 && (rock.scale - 0.3).abs() < 1e-6, "{foot}");
    assert!(!world.habitat().is_clear(Vec3::new(2.0, -8.95, 3.0), 0.0), "it is solid");
    assert!(world.static_scene().seabed.is_none() && world.habitat().floor_m(0.0, 0.0) == f32::NEG_INFINITY);
}

#[test]
fn lengths_are_measured_along_the_nose_and_bodies_turn_about_their_middle() {
    let mut settings = settings();
    settings.species[3].life.length_spread = 0.0;
    let world = world(&settings, 1);
    let turtle = scene(&world, 1.0).batches[2].instances[0];
    assert!((turtle.scale - 0.9 / 4.0).abs() < 1e-6);
    let pose = world.population.poses(3, 1.0).next().expect("a turtle");
    let middle = turtle.position + turtle.rotation * (Vec3::new(0.0, 0.5, -2.0) * turtle.scale);
    let hung = pose.position + scene(&world, 1.0).surge * surge_share(pose.length_m);
    assert!(middle.distance(hung) < 1e-4);
    for instance in scene(&world, 0.3).batches.iter().flat_map(|b| b.instances.clone()) {
        assert!((3.0..13.0).contains(&instance.palette_row), "the clip called swim");
        assert_eq!(instance.blend_weight, 0.0, "there is no other");
        assert!(instance.rotation.is_normalized());
    }
}

#[test]
fn props_stand_on_the_ground_and_plants_sway_by_the_flora_factor() {
    let mut settings = settings();
    settings.flora.sway = 0.5;
    let world = world(&settings, 1);
    let [rocks, grass] = &world.static_scene().props[..] else { panic!("two batches") };
    assert!(
        rocks.instances.len() > 3 && grass.instances.len() > 10,
        "{} {}",
        rocks.instances.len(),
        grass.instances.len()
    );
    assert_eq!((rocks.sway, grass.sway), (0.0, 0.4));
    assert!(world.static_scene().seabed.is_some());
    assert!(!world.terrain.obstacles().is_empty());
}

#[test]
fn a_missing_model_is_told_by_its_entry() {
    let mut broken = settings();
    broken.species.push(fish("sea horse", "missing.ms3d", 1));
    let error = World::new(&broken, 1, stand_in, serial).err().expect("it is missing").to_string();
    assert!(error.starts_with("species \"sea horse\": "), "{error}");
    broken.species.pop();
    broken.props[0].model = "missing.ms3d".into();
    let error = World::new(&broken, 1, stand_in, serial).err().expect("it is missing").to_string();
    assert!(error.starts_with("prop \"rock\": "), "{error}");
}

#[test]
fn bottomless_water_has_no_ground_and_no_end() {
    let mut settings = settings();
    settings.seabed.present = false;
    let mut world = world(&settings, 1);
    for _ in 0..30 {
        world.step();
    }
    let scene = scene(&world, 1.0);
    assert!(world.static_scene().seabed.is_none() && world.static_scene().props.is_empty());
    assert_eq!(scene.seabed_depth_m, f32::INFINITY);
    assert!(scene.bubbles.is_empty());
    assert!(scene.batches.iter().flat_map(|b| &b.instances).all(|i| i.position.is_finite()));
}

#[test]
fn the_first_frame_is_alive() {
    let scene = scene(&world(&settings(), 1), 0.5);
    assert_eq!(scene.time_s, 0.0);
    assert!(scene.bubbles.len() > 50, "{}", scene.bubbles.len());
    let headings: Vec3 = scene.batches[0].instances.iter().map(|i| i.rotation * Vec3::NEG_Z).sum::<Vec3>() / 50.0;
    assert!(headings.length() > 0.7, "{headings}");
}

#[test]
fn time_and_places_run_on_between_steps() {
    let mut world = world(&settings(), 1);
    for _ in 0..90 {
        world.step();
    }
    let end = scene(&world, 1.0);
    world.step();
    let start = scene(&world, 0.0);
    assert!((end.time_s - 1.5).abs() < 1e-9 && (start.time_s - end.time_s).abs() < 1e-9);
    for (a, b) in end.batches.iter().zip(&start.batches) {
        for (a, b) in a.instances.iter().zip(&b.instances) {
            assert!(a.position.distance(b.position) < 1e-3);
            assert!(Quat::angle_between(a.rotation, b.rotation) < 5e-3);
        }
    }
    assert!(end.snow.drift.distance(start.snow.drift) < 1e-5);
    let later = scene(&world, 1.0);
    assert!((later.time_s - 1.5 - World::STEP_S).abs() < 1e-9);
    let current = Current::new(&settings().current, 0, 0.0).mean;
    let gone = later.snow.drift - later.surge;
    assert!((gone - current * later.time_s as f32).length() < 2e-3, "{gone}");
    assert!(gone.y < 0.0, "snow sinks");
}

#[test]
fn beginning_again_is_as_being_made_anew() {
    let mut world = world(&settings(), 5);
    let hash_after = |world: &mut World, steps: u32| {
        (0..steps).for_each(|_| world.step());
        world.state_hash()
    };
    let first = hash_after(&mut world, 30);
    let mut again = world.begun_anew(&settings()).expect("nothing to load");
    assert_eq!((again.time_s(), hash_after(&mut again, 30)), (0.0, first));
}

#[test]
fn the_seed_is_everything() {
    let hash = |seed| {
        let mut world = world(&settings(), seed);
        for _ in 0..20 {
            world.step();
        }
        world.state_hash()
    };
    assert_eq!(hash(3), hash(3));
    assert_ne!(hash(3), hash(4));
}

#[test]
fn extraction_uses_its_vectors_again() {
    let mut world = world(&settings(), 1);
    let mut out = RenderScene::default();
    world.extract(1.0, Camera::default(), &mut out);
    let places: Vec<*const Instance> = out.batches.iter().map(|b| b.instances.as_ptr()).collect();
    for _ in 0..5 {
        world.step();
        world.extract(0.5, Camera::default(), &mut out);
    }
    assert_eq!(places, out.batches.iter().map(|b| b.instances.as_ptr()).collect::<Vec<_>>());
}

#[test]
fn a_crowd_is_extracted_alike_by_any_threads() {
    let mut settings = settings();
    settings.species[0].life.count = 3 * EXTRACTED_AT_ONCE as u32 + 5;
    let mut in_turn = world(&settings, 4);
    let backward: Join = |first, second| serial(second, first);
    let mut other = World::new(&settings, 4, stand_in, backward).expect("the stand-in loads everything");
    for world in [&mut in_turn, &mut other] {
        (0..3).for_each(|_| world.step());
    }
    let (moment, same) = (scene(&in_turn, 0.4), scene(&other, 0.4));
    assert_eq!(moment.batches[0].instances.len(), 3 * EXTRACTED_AT_ONCE + 5);
    assert_eq!(moment, same);
    let last = in_turn.population.poses(0, 0.4).last();
    assert_eq!(moment.batches[0].instances.last().map(|instance| instance.variation), last.map(|pose| pose.variation));
}

#[test]
fn water_and_light_change_where_they_are() {
    let mut old = world(&settings(), 1);
    old.step();
    let mut changed = settings();
    changed.water.kind = WaterType::Coastal3;
    changed.sun.elevation_deg = 20.0;
    changed.current.speed_m_s = 0.5;
    changed.particles.snow_count = 7;
    let new = old.retuned(&changed).expect("all of it is known");
    assert!(new.shares_static_scene(&old));
    assert_eq!(new.state_hash(), old.state_hash(), "nobody moved");
    assert!(Arc::ptr_eq(new.environment.waves(), old.environment.waves()), "the waves stay too");
    let scene = scene(&new, 1.0);
    assert_eq!(scene.snow.count, 7);
    assert_ne!(scene.medium, ocean::medium(&settings().water));
    changed.waves.wind_m_s = 9.0;
    let windy = new.retuned(&changed).expect("all of it is known");
    assert!(windy.shares_static_scene(&old) && !Arc::ptr_eq(windy.environment.waves(), new.environment.waves()));
}

#[test]
fn species_change_without_the_static_scene_unless_models_do() {
    let old = world(&settings(), 1);
    let rock = old.static_scene().props[0].instances[0];
    let mut changed = settings();
    changed.species[0].life.count += 50;
    let more = old.retuned(&changed).expect("the same models");
    assert!(more.shares_static_scene(&old));
    assert_eq!(more.animals(), old.animals() + 50);
    changed.species.push(fish("cod", "cod.ms3d", 5));
    let other = more.retuned(&changed).expect("it loads");
    assert!(!other.shares_static_scene(&old));
    assert_eq!(other.static_scene().models.len(), 5);
    assert_eq!(other.static_scene().props[0].instances[0], rock, "what stands stays");
    changed.seabed.depth_m = 12.0;
    let deeper = other.retuned(&changed).expect("it loads");
    assert_ne!(deeper.static_scene().props[0].instances[0], rock);
}

#[test]
fn a_change_leaves_the_world_it_was_made_from() {
    let mut changed = world(&settings(), 1);
    let mut left_alone = world(&settings(), 1);
    let mut settings = settings();
    settings.species[0].life.count += 9;
    settings.seabed.depth_m = 12.0;
    settings.sun.elevation_deg = 5.0;
    let mut other = changed.retuned(&settings).expect("the same models");
    settings.species[0].model = "missing.ms3d".into();
    let error = changed.retuned(&settings).err().expect("it is missing").to_string();
    assert!(error.contains("sprat"), "{error}");
    for world in [&mut changed, &mut left_alone, &mut other] {
        (0..20).for_each(|_| world.step());
    }
    assert_eq!(changed.state_hash(), left_alone.state_hash());
    assert_eq!(scene(&changed, 0.5), scene(&left_alone, 0.5));
}

#[test]
fn without_animals_the_props_that_move_stay() {
    let mut settings = settings();
    settings.props.push(PropSettings {
        name: "clam".into(),
        model: "clam.ms3d".into(),
        count: 5,
        ..Default::default()
    });
    let world = world(&settings, 1);
    let mut moment = scene(&world, 1.0);
    world.leave_out_animals(&mut moment);
    let (props, animals) = moment.batches.split_last().expect("clams are the last batch");
    assert_eq!(animals.len(), 3);
    assert!(animals.iter().all(|batch| batch.instances.is_empty()));
    assert!(!props.instances.is_empty());
}

#[test]
fn a_prop_with_a_clip_plays_it_and_shuts_when_the_eye_comes_near() {
    let mut settings = settings();
    settings.props =
        vec![PropSettings { name: "clam".into(), model: "clam.ms3d".into(), count: 6, ..PropSettings::default() }];
    let mut world = world(&settings, 4);
    assert_eq!(world.static_scene().props.len(), 0, "it is drawn among what moves");
    let clams = |world: &World, eye: Vec3| {
        let mut out = RenderScene::default();
        world.extract(1.0, Camera { eye, ..Camera::default() }, &mut out);
        out.batches.pop().expect("clams come after the animals").instances
    };
    let far = Vec3::new(0.0, 50.0, 0.0);
    let before = clams(&world, far);
    assert!(!before.is_empty() && before.iter().all(|c| c.blend_weight == 0.0 && (3.0..13.0).contains(&c.palette_row)));
    (0..20).for_each(|_| world.step());
    let after = clams(&world, far);
    for (a, b) in before.iter().zip(&after) {
        assert_eq!((a.position, a.rotation), (b.position, b.rotation));
        assert!((a.palette_row - b.palette_row).abs() > 1.0, "a third of a second is a third of the clip");
    }
    let at = after[0].position;
    let shut = |distance_m| clams(&world, at + Vec3::Y * distance_m)[0].blend_weight;
    assert_eq!((shut(1.0), shut(1.9)), (1.0, 0.0));
    assert!((0.2..0.8).contains(&shut(1.5)), "it shuts as one comes nearer");
}

#[test]
fn night_falls_where_the_day_goes_by() {
    let mut settings = settings();
    settings.sun.elevation_deg = 30.0;
    settings.sun.azimuth_deg = 180.0;
    let still = world(&settings, 1);
    settings.sun.time_rate = 43_200.0;
    let mut world = still.retuned(&settings).expect("all of it is known");
    let irradiance = |world: &World| scene(world, 1.0).daylight.irradiance(3.0).y;
    let (by_day, before) = (irradiance(&world), irradiance(&still));
    assert!((by_day / before - 1.0).abs() < 0.1, "{by_day}, solved for its hour {before}");
    for _ in 0..STEPS_PER_S {
        world.step();
    }
    let by_night = irradiance(&world);
    assert!(by_night < 0.1 * by_day, "half a day later {by_night} of {by_day}");
    assert_eq!(day(&world.sun()), 0.0, "and the animals know");
    assert_eq!(day(&still.sun()), 1.0);
}

/// Settings with other numbers of sprats and twins.
fn with_numbers(sprats: u32, twins: u32) -> SceneSettings {
    let mut settings = settings();
    (settings.species[0].life.count, settings.species[1].life.count) = (sprats, twins);
    settings
}

fn places(world: &World, species: usize) -> Vec<Vec3> {
    world.reports().filter(|animal| animal.species == species).map(|animal| animal.position).collect()
}

#[test]
fn newcomers_join_the_animals_where_these_are_when_they_come() {
    let mut before = world(&settings(), 1);
    let more = with_numbers(80, 15);
    let make = before.newcomers(&more, serial).expect("only numbers differ");
    (0..20).for_each(|_| before.step());
    let after = before.turned_over(&more, Some(make())).expect("nothing to load").expect("they fit");
    assert_eq!([0, 1, 2, 3].map(|species| after.animals_of(species)), [80, 15, 0, 2]);
    assert_eq!(places(&after, 0)[..50], places(&before, 0)[..]);
    assert_eq!(places(&after, 1)[..], places(&before, 1)[..15]);
    assert_eq!(places(&after, 3), places(&before, 3));
    assert!(after.shares_static_scene(&before) && after.time_s() == before.time_s());
    let back = after.turned_over(&with_numbers(50, 0), None).expect("nothing to load").expect("fewer need nobody");
    assert_eq!((places(&back, 0), back.animals()), (places(&before, 0), 52));
    assert_eq!(scene(&back, 1.0).batches.len(), 2, "no twins are left");
}

#[test]
fn newcomers_join_nobody_else() {
    let before = world(&settings(), 1);
    let more = with_numbers(80, 20);
    let newcomers = || Some(before.newcomers(&more, serial).expect("only numbers differ")());
    let refuses = |world: &World, settings: &SceneSettings, newcomers: Option<Newcomers>| {
        world.turned_over(settings, newcomers).expect("nothing to load").is_none()
    };
    assert!(!refuses(&before, &more, newcomers()));
    assert!(refuses(&before, &more, None), "there are more, and nobody comes");
    assert!(refuses(&before, &with_numbers(81, 20), newcomers()), "another number");
    assert!(refuses(&world(&settings(), 1), &more, newcomers()), "other animals, however like they are");
    let other_number = before.turned_over(&with_numbers(40, 20), None).expect("nothing to load").expect("it fits");
    assert!(refuses(&other_number, &more, newcomers()), "they would be too few");
    let mut longer = more.clone();
    longer.species[0].life.length_m = 0.5;
    assert!(refuses(&before, &longer, newcomers()) && before.newcomers(&longer, serial).is_none());
    let mut deeper = more.clone();
    deeper.seabed.depth_m += 1.0;
    assert!(refuses(&before, &deeper, newcomers()) && before.newcomers(&deeper, serial).is_none());
    let mut murky = settings();
    murky.water.visibility_m = 5.0;
    let murky = before.retuned(&murky).expect("nothing to load");
    assert!(!refuses(&murky, &SceneSettings { water: murky.settings().water, ..more.clone() }, newcomers()));
}
