//! A tour of the scene: a closed way planned from the scene itself, clear of rock and with something in view.

mod stops;

use glam::Vec3;
use math::{catmull_rom, ease, mix};

use crate::collision::{CameraCollision, OUTSIDE_M};
use crate::pose::Pose;
use crate::spring::Spring;
use crate::subject::Surroundings;

pub use stops::{Stop, stops};

/// Approximate spacing of the way's points. Unit: m.
const POINT_M: f32 = 0.5;
/// Greatest number of a way's points.
const MAX_POINTS: usize = 1500;
/// Rounds in which the way is smoothed and pushed off rock.
const ROUNDS: usize = 80;
/// Room between the way and rock. Unit: m.
const CLEARANCE_M: f32 = 0.6;
/// Depth of the way below the surface. Unit: m.
const UNDER_SURFACE_M: f32 = 0.4;
/// Rounds in which directions and speeds are smoothed along the way.
const EVEN_ROUNDS: usize = 24;
/// Speed over the distance of the target: near things pass as fast as far ones. Unit: 1/s.
const SPEED: f32 = 0.16;
/// Least and greatest speed. Unit: m/s.
const SPEEDS_M_S: [f32; 2] = [0.3, 1.5];
/// Fastest turn. Unit: rad/s.
const TURN: f32 = 0.21;
/// Time in which the tour reaches its full speed. Unit: s.
const START_S: f32 = 2.5;
/// Rate at which the view turns to nearby animals. Unit: 1/s.
const AIM_RATE: f32 = 0.9;
/// Share of the offset to nearby animals that the view follows.
const AIM_SHARE: f32 = 0.6;
/// Reach about the target in which animals draw the view, over the target's distance.
const AIM_REACH: f32 = 0.45;

/// Closed way of a tour.
#[derive(Clone, Debug)]
pub struct Way {
    points: Vec<WayPoint>,
    /// Time once round. Unit: s.
    pub period_s: f32,
}

/// A point of a way.
#[derive(Clone, Copy, Debug)]
struct WayPoint {
    eye: Vec3,
    /// Target of the view.
    target: Vec3,
    /// Time at which it is passed. Unit: s.
    at_s: f32,
}

impl Way {
    /// Plans the way past `stops`; `None` if there are fewer than two.
    pub fn plan(stops: &[Stop], collision: &CameraCollision<'_>) -> Option<Self> {
        let (mut eyes, mut targets) = sampled(stops)?;
        smooth(&mut eyes, collision);
        // Directions are smoothed, not places: the distance of the target varies a lot.
        let mut ways: Vec<Vec3> = targets.iter().zip(&eyes).map(|(target, eye)| target - eye).collect();
        let lengths: Vec<f32> = ways.iter().map(|way| way.length().clamp(1.5, 40.0)).collect();
        ways.iter_mut().for_each(|way| *way = way.normalize_or(Vec3::NEG_Z));
        for _ in 0..EVEN_ROUNDS {
            ways = evened(&ways).into_iter().map(|way| way.normalize_or(Vec3::NEG_Z)).collect();
        }
        for i in 0..eyes.len() {
            targets[i] = eyes[i] + ways[i] * lengths[i];
        }
        let mut times: Vec<f32> = (0..eyes.len())
            .map(|i| {
                let next = (i + 1) % eyes.len();
                let speed = (SPEED * lengths[i]).clamp(SPEEDS_M_S[0], SPEEDS_M_S[1]);
                (eyes[i].distance(eyes[next]) / speed).max(ways[i].angle_between(ways[next]) / TURN)
            })
            .collect();
        for _ in 0..EVEN_ROUNDS {
            times = evened(&times);
        }
        let mut at_s = 0.0;
        let points = eyes.into_iter().zip(targets).zip(times).map(|((eye, target), lasts_s)| {
            let point = WayPoint { eye, target, at_s };
            at_s += lasts_s;
            point
        });
        let points = points.collect();
        Some(Self { points, period_s: at_s.max(1.0) })
    }

    /// Eye and target at a time.
    pub fn at(&self, time_s: f32) -> (Vec3, Vec3) {
        let count = self.points.len();
        let time_s = time_s.rem_euclid(self.period_s);
        let i = self.points.partition_point(|point| point.at_s <= time_s).max(1) - 1;
        let until_s = self.points.get(i + 1).map_or(self.period_s, |point| point.at_s);
        let t = ((time_s - self.points[i].at_s) / (until_s - self.points[i].at_s).max(1e-6)).clamp(0.0, 1.0);
        let on_spline = |of: fn(&WayPoint) -> Vec3| {
            catmull_rom([0, 1, 2, 3].map(|step| of(&self.points[(i + count + step - 1) % count])), t)
        };
        (on_spline(|point| point.eye), on_spline(|point| point.target))
    }

    /// Time at which the way comes nearest to a place. Unit: s.
    fn nearest_s(&self, place: Vec3) -> f32 {
        let nearest = self.points.iter().min_by(|a, b| a.eye.distance(place).total_cmp(&b.eye.distance(place)));
        nearest.map_or(0.0, |point| point.at_s)
    }
}

/// Samples eyes and targets along closed splines through the stops.
fn sampled(stops: &[Stop]) -> Option<(Vec<Vec3>, Vec<Vec3>)> {
    let count = stops.len();
    if count < 2 {
        return None;
    }
    let length_m: f32 = (0..count).map(|i| stops[i].eye.distance(stops[(i + 1) % count].eye)).sum();
    let point_m = (length_m / MAX_POINTS as f32).max(POINT_M);
    let (mut eyes, mut targets) = (Vec::new(), Vec::new());
    for i in 0..count {
        let four = [0, 1, 2, 3].map(|step| stops[(i + count + step - 1) % count]);
        let parts = (four[1].eye.distance(four[2].eye) / point_m).ceil().max(4.0) as usize;
        for part in 0..parts {
            let t = part as f32 / parts as f32;
            eyes.push(catmull_rom(four.map(|stop| stop.eye), t));
            // Between two stops the view turns from one to the other.
            targets.push(four[1].target.lerp(four[2].target, ease(t)));
        }
    }
    Some((eyes, targets))
}

/// Smooths a closed way and pushes it off ground and rock, near its original course.
fn smooth(eyes: &mut [Vec3], collision: &CameraCollision<'_>) {
    let wanted = eyes.to_vec();
    for round in 0..ROUNDS {
        let even = evened(eyes);
        for ((eye, even), wanted) in eyes.iter_mut().zip(even).zip(&wanted) {
            *eye = even.lerp(*wanted, 0.03);
            eye.y = eye.y.min(-UNDER_SURFACE_M);
            // The last rounds only smooth points that are clear already, with a smaller margin.
            let margin_m = if round + 8 < ROUNDS { CLEARANCE_M } else { 0.75 * CLEARANCE_M };
            *eye = collision.clear_of(*eye, margin_m);
        }
    }
}

/// Smooths a closed row: each value is mixed with its neighbours.
fn evened<T>(row: &[T]) -> Vec<T>
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Mul<f32, Output = T>,
{
    let count = row.len();
    (0..count).map(|i| row[i] * 0.5 + (row[(i + count - 1) % count] + row[(i + 1) % count]) * 0.25).collect()
}

/// Progress on a tour.
#[derive(Clone, Debug)]
pub struct Tour {
    way: Way,
    /// Time on the way. Unit: s.
    time_s: f32,
    since_s: f32,
    /// Offset from the target to nearby animals.
    aside: Spring<Vec3>,
}

impl Tour {
    /// Begins at the way's nearest point to `from`; `None` if there is nothing to see.
    pub fn new(from: Vec3, about: &Surroundings<'_>) -> Option<Self> {
        let way = Way::plan(&stops(about.settings, &about.collision), &about.collision)?;
        let aside = Spring { value: Vec3::ZERO, velocity: Vec3::ZERO };
        Some(Self { time_s: way.nearest_s(from), way, since_s: 0.0, aside })
    }

    /// Advances the tour and returns the pose of the eye.
    pub fn update(&mut self, dt_s: f32, about: &Surroundings<'_>) -> Pose {
        // The exact integral of a speed that eases in.
        let gone_s = |since_s: f32| {
            let u = (since_s / START_S).min(1.0);
            START_S * u * u * u * (1.0 - 0.5 * u) + (since_s - START_S).max(0.0)
        };
        self.time_s += gone_s(self.since_s + dt_s) - gone_s(self.since_s);
        self.since_s += dt_s;
        let (eye, target) = self.way.at(self.time_s);
        let aside = swarm(target, AIM_REACH * eye.distance(target), about) - target;
        self.aside.follow(aside * AIM_SHARE, Vec3::ZERO, AIM_RATE, dt_s);
        Pose::looking(about.collision.clear_of(eye, OUTSIDE_M), target + self.aside.value - eye)
    }
}

/// Centroid of the animals about a place, weighted by length and nearness. The place itself if there are none.
fn swarm(place: Vec3, reach_m: f32, about: &Surroundings<'_>) -> Vec3 {
    let mut weights = 1e-3;
    let mut sum = Vec3::ZERO;
    for animal in about.world.reports() {
        let way = animal.position - place;
        let off = way.length_squared() / (reach_m * reach_m).max(1e-3);
        if off < 4.0 {
            let weight = animal.length_m * (-2.0 * off).exp();
            weights += weight;
            sum += way * weight;
        }
    }
    // A single small animal in the distance does not turn the view.
    let share = mix(0.0, 1.0, (weights / 0.3).min(1.0));
    place + sum / weights * share
}
