//! Stops of a tour: the scene's own views and rail, and the homes of its animals.

use glam::{Quat, Vec3};
use scene::{SceneSettings, SpeciesSettings};

use crate::collision::CameraCollision;

/// Greatest distance from the first view of a species' home that a tour visits. Unit: m.
const FARTHEST_M: f32 = 60.0;
/// Greatest number of species that a tour stops for.
const MAX_SPECIES: usize = 6;
/// Least number of stops; if the scene has fewer, some are made about the target of the first view.
const FEWEST: usize = 5;
/// Distance of eyes below which two stops are the same. Unit: m.
const SAME_M: f32 = 1.0;
/// Distance from which animals are seen: factor on their length (1), and addition (m).
const SEEN_FROM: (f32, f32) = (2.0, 2.5);
/// Least and greatest of that distance. Unit: m.
const SEEN_M: [f32; 2] = [2.5, 9.0];
/// Room that a stop needs. Unit: m.
const ROOM_M: f32 = 0.6;
/// Least depth of a stop under the surface. Unit: m.
const DEPTH_M: f32 = 0.6;

/// A stop of a tour: an eye and its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Position of the eye.
    pub eye: Vec3,
    /// Target of the view.
    pub target: Vec3,
}

/// Stops of a tour of the scene, in order.
pub fn stops(settings: &SceneSettings, collision: &CameraCollision<'_>) -> Vec<Stop> {
    let camera = &settings.camera;
    let first = Stop { eye: camera.eye_m.into(), target: camera.target_m.into() };
    let rail = camera.rail.iter().map(|w| Stop { eye: w.eye_m.into(), target: w.target_m.into() });
    let mut stops: Vec<Stop> = Vec::new();
    for stop in std::iter::once(first).chain(rail).map(under_water) {
        if is_new(&stops, stop) {
            stops.push(stop);
        }
    }
    let views = camera.views.values().map(|view| Stop { eye: view.eye_m.into(), target: view.target_m.into() });
    let views = views.filter(|view| view.eye.y < -DEPTH_M).collect::<Vec<_>>();
    let mut species: Vec<&SpeciesSettings> = settings.species.iter().filter(|s| s.life.count > 0).collect();
    species.sort_by(|a, b| b.life.length_m.total_cmp(&a.life.length_m));
    let homes = species.into_iter().filter_map(|species| {
        let home = home_of(species, first.target);
        (home.distance(first.eye) < FARTHEST_M).then_some((home, species.life.length_m))
    });
    let homes = homes.take(MAX_SPECIES).filter_map(|(home, length_m)| seen_from(home, length_m, &stops, collision));
    let homes = homes.collect::<Vec<_>>();
    let about_first = ring(first, collision);
    for stop in views.into_iter().chain(homes) {
        insert(&mut stops, stop);
    }
    for stop in about_first {
        if stops.len() < FEWEST {
            insert(&mut stops, stop);
        }
    }
    stops
}

fn under_water(stop: Stop) -> Stop {
    Stop { eye: stop.eye.with_y(stop.eye.y.min(-DEPTH_M)), ..stop }
}

fn is_new(stops: &[Stop], stop: Stop) -> bool {
    stops.iter().all(|known| known.eye.distance(stop.eye) > SAME_M)
}

/// Inserts a stop where it lengthens the round least.
fn insert(stops: &mut Vec<Stop>, stop: Stop) {
    if !is_new(stops, stop) {
        return;
    }
    let detour = |place: usize| {
        let (before, after) = (stops[place], stops[(place + 1) % stops.len()]);
        stop.eye.distance(before.eye) + stop.eye.distance(after.eye) - before.eye.distance(after.eye)
    };
    let best = (0..stops.len()).min_by(|&a, &b| detour(a).total_cmp(&detour(b)));
    stops.insert(best.map_or(0, |place| place + 1), stop);
}

/// Most likely place of a species near a given place.
fn home_of(species: &SpeciesSettings, near: Vec3) -> Vec3 {
    let depth_m = 0.5 * (species.life.depth_m[0] + species.life.depth_m[1]);
    let home = Vec3::new(species.life.home_m[0], -depth_m, species.life.home_m[1]);
    let path = species.life.path_m.iter().map(|&point| Vec3::from(point));
    path.min_by(|a, b| a.distance(near).total_cmp(&b.distance(near))).unwrap_or(home)
}

/// Returns a stop with a free view of `home`, where animals of that length live, not far from the other stops.
fn seen_from(home: Vec3, length_m: f32, stops: &[Stop], collision: &CameraCollision<'_>) -> Option<Stop> {
    let home = collision.clear_of(home.with_y(home.y.min(-DEPTH_M)), 0.2);
    let distance_m = (SEEN_FROM.0 * length_m + SEEN_FROM.1).clamp(SEEN_M[0], SEEN_M[1]);
    let detour = |eye: Vec3| stops.iter().map(|stop| stop.eye.distance(eye)).fold(f32::INFINITY, f32::min);
    around(home, distance_m)
        .filter(|stop| is_good(stop, collision))
        .min_by(|a, b| detour(a.eye).total_cmp(&detour(b.eye)))
}

/// Stops round the target of the first view, at the same distance from it.
fn ring(first: Stop, collision: &CameraCollision<'_>) -> Vec<Stop> {
    let distance_m = first.eye.distance(first.target).clamp(SEEN_M[0], 15.0);
    around(first.target, distance_m).step_by(3).filter(|stop| is_good(stop, collision)).collect()
}

/// Stops all round a target, a little above it and higher up.
fn around(target: Vec3, distance_m: f32) -> impl Iterator<Item = Stop> {
    [0.1f32, 0.45].into_iter().flat_map(move |pitch| {
        (0..12).map(move |i| {
            let turn = Quat::from_rotation_y(i as f32 * std::f32::consts::TAU / 12.0) * Quat::from_rotation_x(-pitch);
            Stop { eye: target + turn * Vec3::Z * distance_m, target }
        })
    })
}

/// Whether a stop has room for an eye, lies under water and has a free view of its target.
fn is_good(stop: &Stop, collision: &CameraCollision<'_>) -> bool {
    let way = stop.target - stop.eye;
    let before_m = 0.8 * way.length();
    stop.eye.y < -DEPTH_M
        && collision.is_clear(stop.eye, ROOM_M)
        && collision.free_m(stop.eye, way.normalize_or_zero(), before_m, 0.1) >= before_m
}
