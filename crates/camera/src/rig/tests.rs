use config::BUILTIN_SCENES;
use runtime::files::load_model;
use runtime::{SceneOptions, load};
use scene::{SceneSettings, World, habitat, serial};

use super::*;
use crate::collision::{CameraCollision, OUTSIDE_M};
use crate::ground_heights::GroundHeights;
use crate::tour::{Way, stops};

/// Sand with a rock on it, a school, a turtle that goes round the rock, and an eel at its foot.
const SCENE: &str = r#"
[seabed]
depth_m = 8.0
relief_m = 0.5
[flora]
density = 0.0
[[species]]
name = "sardine"
model = "builtin:sardine"
count = 30
depth_m = [2.0, 5.0]
[[species]]
name = "turtle"
model = "builtin:green_turtle"
count = 1
depth_m = [2.0, 6.0]
path_m = [[4.0, -5.0, 0.0], [0.0, -5.0, 4.0], [-4.0, -5.0, 0.0], [0.0, -5.0, -4.0]]
[[species]]
name = "eel"
model = "builtin:moray_eel"
count = 1
depth_m = [6.0, 7.6]
home_m = [2.5, -2.0]
range_m = 1.0
[[props]]
name = "rock"
model = "builtin:boulder_tall"
size_m = 4.0
solid = true
at = [[0.0, 0.0, 20.0, 4.0]]
[particles]
snow_count = 0
[camera]
eye_m = [-1.0, -5.0, 14.0]
target_m = [0.0, -6.0, 0.0]
"#;

/// A scene and a camera in it.
struct Place {
    settings: SceneSettings,
    world: World,
    ground: Option<GroundHeights>,
    rig: CameraRig,
}

fn settings(scene: &str) -> SceneSettings {
    let options = SceneOptions { scene: scene.into(), ..SceneOptions::default() };
    load(&options).expect("a scene").config.scene
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("mine.toml");
        std::fs::write(&file, SCENE).expect("written");
        let settings = settings(&file.display().to_string());
        let world = World::new(&settings, 1, load_model, serial).expect("its models are built in");
        let ground = world.static_scene().seabed.as_ref().and_then(GroundHeights::new);
        let home = scene::camera::view(&settings.camera, None).expect("the first view");
        Self { settings, world, ground, rig: CameraRig::new(home) }
    }

    fn steer<T>(&mut self, steer: impl FnOnce(&mut CameraRig, &Surroundings<'_>) -> T) -> T {
        let collision = CameraCollision { ground: self.ground.as_ref(), habitat: self.world.habitat() };
        steer(&mut self.rig, &Surroundings { collision, settings: &self.settings, world: &self.world, alpha: 1.0 })
    }

    /// Advances time in frames of a number of steps of the world.
    fn pass(&mut self, seconds: f64, steps_a_frame: u32, mut look: impl FnMut(&mut Self)) {
        let frame_s = f64::from(steps_a_frame) * World::STEP_S;
        for _ in 0..(seconds / frame_s).round() as u32 {
            (0..steps_a_frame).for_each(|_| self.world.step());
            self.steer(|rig, about| rig.update(HeldKeys::default(), frame_s, about));
            look(self);
        }
    }

    /// Cosine of the angle between the middle of the picture and the followed animal, and its distance (m).
    fn sight(&mut self) -> (f32, f32) {
        self.steer(|rig, about| {
            let animal = about.animal(rig.subject().expect("it follows one")).expect("it is there");
            let way = animal.position - rig.shown.eye;
            (way.normalize().dot(rig.shown.forward()), way.length())
        })
    }
}

fn follow_species(place: &mut Place, name: &str) {
    let species = place.settings.species.iter().position(|s| s.name == name).expect("it is in the scene");
    let followed = place.steer(|rig, about| {
        let subject = about.nearest(species, rig.eye()).expect("it has animals");
        rig.follow(subject, about)
    });
    assert!(followed && place.rig.mode() == CameraMode::Follow);
}

#[test]
fn a_species_is_gone_to_in_seconds_and_kept_in_the_middle_outside_rock() {
    let mut place = Place::new();
    for name in ["turtle", "eel", "sardine"] {
        follow_species(&mut place, name);
        let mut since_s = 0.0;
        place.pass(6.0, 2, |place| {
            since_s += 2.0 * World::STEP_S;
            let eye = place.rig.eye();
            place.steer(|_, about| {
                let floor_m = about.collision.floor_m(eye);
                assert!(eye.y > floor_m && about.collision.habitat.is_clear(eye, 0.5 * OUTSIDE_M), "{name}: {eye}");
            });
            let (cos, away_m) = place.sight();
            assert!(since_s < 4.0 || (cos > 0.97 && away_m < 8.0), "{name} after {since_s} s: {cos}, {away_m} m");
        });
    }
}

#[test]
fn cameras_go_the_same_way_at_15_and_at_60_frames_a_second() {
    let [slow, fast] = [4, 1].map(|steps_a_frame| {
        let mut place = Place::new();
        follow_species(&mut place, "turtle");
        place.pass(6.0, steps_a_frame, |_| {});
        let followed = place.rig.shown;
        place.steer(|rig, about| assert!(rig.change_to(CameraMode::Ride, about)));
        place.pass(3.0, steps_a_frame, |_| {});
        let ridden = place.rig.shown;
        place.steer(|rig, about| assert!(rig.change_to(CameraMode::Tour, about)));
        place.pass(6.0, steps_a_frame, |_| {});
        [followed, ridden, place.rig.shown]
    });
    for ((slow, fast), name) in slow.into_iter().zip(fast).zip(["follow", "ride", "tour"]) {
        assert!(slow.eye.distance(fast.eye) < 0.06, "{name}: {} and {}", slow.eye, fast.eye);
        assert!(slow.orientation.angle_between(fast.orientation) < 0.04, "{name}");
    }
}

#[test]
fn a_key_of_movement_takes_over_without_a_jump() {
    let mut place = Place::new();
    place.steer(|rig, about| assert!(rig.change_to(CameraMode::Tour, about)));
    place.pass(5.0, 1, |_| {});
    let before = place.rig.shown;
    let held = HeldKeys { forward: true, ..HeldKeys::default() };
    place.steer(|rig, about| rig.update(held, 1.0 / 60.0, about));
    assert_eq!(place.rig.mode(), CameraMode::Fly);
    assert!(place.rig.shown.eye.distance(before.eye) < 0.05);
    assert!(place.rig.shown.orientation.angle_between(before.orientation) < 0.01);
}

#[test]
fn every_mode_is_come_by_and_an_empty_sea_has_none_about_animals() {
    let modes = |place: &mut Place| (0..5).map(|_| place.steer(|rig, about| rig.next_mode(about))).collect::<Vec<_>>();
    use CameraMode::{Fly, Follow, Orbit, Ride, Tour};
    assert_eq!(modes(&mut Place::new()), [Orbit, Follow, Ride, Tour, Fly]);
    let mut empty = Place::new();
    empty.settings.species.clear();
    empty.world = empty.world.retuned(&empty.settings).expect("nothing to load");
    assert_eq!(modes(&mut empty), [Orbit, Tour, Fly, Orbit, Tour]);
    empty.steer(|rig, about| rig.update(HeldKeys::default(), f64::NAN, about));
    assert!(empty.rig.shown.is_finite());
}

#[test]
fn every_built_in_scene_has_a_tour_that_keeps_off_ground_and_rock() {
    for scene in BUILTIN_SCENES {
        let (scene, settings) = (scene.name, settings(scene.name));
        let habitat = habitat(&settings, 1, (load_model, serial)).expect("its models are built in");
        let collision = CameraCollision { ground: None, habitat: &habitat };
        let way = Way::plan(&stops(&settings, &collision), &collision).unwrap_or_else(|| panic!("{scene} has no tour"));
        assert!((20.0..600.0).contains(&way.period_s), "{scene}: {} s", way.period_s);
        let dt_s = 0.05;
        let at = |time_s: f32| {
            let (eye, target) = way.at(time_s);
            Pose::looking(eye, target - eye)
        };
        for frame in 0..(way.period_s / dt_s) as u32 {
            let (before, now) = (at((frame as f32 - 1.0) * dt_s), at(frame as f32 * dt_s));
            assert!(collision.is_clear(now.eye, 0.25) && now.eye.y < -0.2, "{scene} at {frame}: {}", now.eye);
            let (way_m, turn) = (now.eye.distance(before.eye), now.orientation.angle_between(before.orientation));
            assert!(way_m < 2.5 * dt_s && turn < 0.6 * dt_s, "{scene} at {frame}: {way_m} m, {turn} rad");
        }
    }
}
