//! The first view of every scene at its best from the first moment on: its subject is in the middle of the picture.

use glam::{Vec2, Vec3};
use pelagic::config;
use pelagic::runtime::files::load_model;
use pelagic::runtime::threads::join;
use pelagic::scene::{CameraSettings, World};

const STEPS_A_SECOND: u32 = 60;
/// Moments at which one looks. Unit: s.
const MOMENTS_S: [u32; 4] = [0, 5, 15, 30];
/// Width of the picture over its height.
const ASPECT: f32 = 16.0 / 9.0;

/// Place in the picture, -1 to 1 each way, of a point that is in it.
fn place(camera: &CameraSettings, point: Vec3) -> Option<Vec2> {
    let eye = Vec3::from(camera.eye_m);
    let ahead = (Vec3::from(camera.target_m) - eye).normalize();
    let right = ahead.cross(Vec3::Y).normalize();
    let to = point - eye;
    let away = to.dot(ahead);
    let half = (0.5 * camera.fov_deg.to_radians()).tan() * away;
    let at = Vec2::new(to.dot(right) / (half * ASPECT), to.dot(right.cross(ahead)) / half);
    (away > 0.1 && at.abs().max_element() < 1.0).then_some(at)
}

/// Subject of each scene's first view: a species, or a thing that stands there.
const SUBJECTS: [(&str, &str); 9] = [
    ("reef", "sardine"),
    ("open_blue", "sardine"),
    ("kelp", "shark"),
    ("wreck", "wreck"),
    ("harbour", "great_jelly"),
    ("storm", "reef_shark"),
    ("lagoon", "green_turtle"),
    ("night_reef", "green_turtle"),
    ("deep", "anglerfish"),
];

fn the_subject_is_in_the_middle_third() {
    let scenes = config::BUILTIN_SCENES.iter().map(|scene| scene.name).filter(|name| *name != "calibration");
    let mut aside = Vec::new();
    for scene in scenes {
        let (_, subject) = SUBJECTS.iter().find(|(name, _)| *name == scene).expect("every scene has a subject");
        let settings = config::load(scene, &[]).expect("a built-in scene").config.scene;
        let mut world = World::new(&settings, 1, load_model, join).expect("a scene");
        world.set_onlooker(Some(settings.camera.eye_m.into()));
        world.set_torches(Some(&world.first_view()));
        let species = settings.species.iter().position(|species| species.name == *subject);
        let mut step = 0;
        for moment in MOMENTS_S {
            while step < moment * STEPS_A_SECOND {
                world.step();
                step += 1;
            }
            let places: Vec<Vec3> = match species {
                Some(species) => {
                    let those = world.reports().filter(|report| report.species == species);
                    those.map(|report| report.position).collect()
                }
                None => {
                    let prop = settings.props.iter().find(|prop| prop.name == *subject).expect("a thing of that name");
                    prop.at.iter().map(|at| Vec3::new(at[0], settings.camera.target_m[1], at[1])).collect()
                }
            };
            let seen: Vec<Vec2> = places.iter().filter_map(|at| place(&settings.camera, *at)).collect();
            let middle = seen.iter().sum::<Vec2>() / seen.len().max(1) as f32;
            if seen.is_empty() || middle.x.abs() > 1.0 / 3.0 || middle.y.abs() > 0.8 {
                aside.push(format!("{scene} at {moment} s: {} of {subject} at {middle:.2}", seen.len()));
            }
        }
    }
    assert!(aside.is_empty(), "{}", aside.join("\n"));
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    the_subject_is_in_the_middle_third;
};
