//! A closed path that animals follow: a smooth curve through the points that a scene gives.

use glam::{Vec2, Vec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Distance between samples of the curve. Unit: m.
const SAMPLE_M: f32 = 0.2;

/// Greatest number of samples, for any length.
const MAX_SAMPLES: usize = 4096;

/// Parts of a segment for measuring it.
const PARTS: usize = 24;

/// A closed uniform Catmull-Rom spline through points, by distance along it.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// Positions at equal distances along the curve; the last comes before the first.
    samples: Vec<Vec3>,
    length: f32,
}

impl Path {
    /// Creates the path through `points`, if any. One point makes a path of length 0, two a path there and back.
    pub fn new(points: &[[f32; 3]]) -> Option<Self> {
        let points: Vec<Vec3> = points.iter().map(|&p| Vec3::from(p)).filter(|p| p.is_finite()).collect();
        let first = *points.first()?;
        let fine: Vec<Vec3> = (0..points.len() * PARTS).map(|i| spline(&points, i)).collect();
        let step = |i: usize| fine[i].distance(fine[(i + 1) % fine.len()]);
        let length: f32 = (0..fine.len()).map(step).sum();
        if length <= 1e-3 {
            return Some(Self { samples: vec![first], length: 0.0 });
        }
        let count = ((length / SAMPLE_M).ceil() as usize).clamp(8, MAX_SAMPLES);
        let mut samples = Vec::with_capacity(count);
        let (mut at, mut gone) = (0, 0.0);
        for n in 0..count {
            let wanted = length * n as f32 / count as f32;
            while at + 1 < fine.len() && gone + step(at) < wanted {
                gone += step(at);
                at += 1;
            }
            let t = (wanted - gone) / step(at).max(1e-6);
            samples.push(fine[at].lerp(fine[(at + 1) % fine.len()], t.clamp(0.0, 1.0)));
        }
        Some(Self { samples, length })
    }

    /// Length of one round, 0 for a single point. Unit: m.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// The position `along` metres from the first point; any number of rounds will do.
    pub fn at(&self, along: f32) -> Vec3 {
        let (i, t) = self.sample(along);
        self.samples[i].lerp(self.samples[(i + 1) % self.samples.len()], t)
    }

    /// Unit tangent at `along`; `None` for a single point.
    pub fn toward(&self, along: f32) -> Option<Vec3> {
        let (i, _) = self.sample(along);
        let count = self.samples.len();
        (self.samples[(i + 1) % count] - self.samples[i]).try_normalize()
    }

    /// Returns `along` wrapped into one round.
    pub fn wrap(&self, along: f32) -> f32 {
        if self.length <= 0.0 {
            return 0.0;
        }
        let rounds = (along / self.length).floor();
        (along - rounds * self.length).clamp(0.0, self.length)
    }

    /// Signed distance from `from` to `to`, the short way round: negative if `to` is behind. Unit: m.
    pub fn ahead(&self, from: f32, to: f32) -> f32 {
        let way = self.wrap(to - from);
        if way > 0.5 * self.length { way - self.length } else { way }
    }

    /// Returns `along` advanced until the position there is at least `distance` metres from `p` in the plan, by no more
    /// than twice that: an animal far above or below continues along the path instead of circling over one place.
    pub fn lead(&self, along: f32, p: Vec3, distance: f32) -> f32 {
        let step = SAMPLE_M.max(0.1 * distance);
        let mut gone = 0.0;
        let is_near = |at: Vec3| (at - p).with_y(0.0).length_squared() < distance * distance;
        while gone < 2.0 * distance && is_near(self.at(along + gone)) {
            gone += step;
        }
        self.wrap(along + gone)
    }

    /// Radius of its tightest curve seen from above; infinite for a single point. Unit: m.
    pub fn tightest(&self) -> f32 {
        let plan = |i: usize| {
            let p = self.samples[i % self.samples.len()];
            Vec2::new(p.x, p.z)
        };
        let radius = |i: usize| {
            let (a, b) = (plan(i + 2) - plan(i), plan(i + 4) - plan(i + 2));
            let (middle, turn) = (0.5 * (a.length() + b.length()), a.angle_to(b).abs());
            if turn > 1e-4 { middle / turn } else { f32::INFINITY }
        };
        (0..self.samples.len()).map(radius).fold(f32::INFINITY, f32::min)
    }

    /// Middle of the path seen from above, and the greatest distance of the path from it. Unit: m.
    pub fn reach(&self) -> (Vec2, f32) {
        let plan = |p: &Vec3| Vec2::new(p.x, p.z);
        let middle = self.samples.iter().map(plan).sum::<Vec2>() / self.samples.len() as f32;
        (middle, self.samples.iter().map(|p| plan(p).distance(middle)).fold(0.0, f32::max))
    }

    fn sample(&self, along: f32) -> (usize, f32) {
        let count = self.samples.len();
        if self.length <= 0.0 {
            return (0, 0.0);
        }
        let place = self.wrap(along) / self.length * count as f32;
        let i = (place as usize).min(count - 1);
        (i, (place - i as f32).clamp(0.0, 1.0))
    }
}

/// Temporary variation of an animal's way along a path, so that no two rounds are alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bout {
    /// Factor on its speed.
    pub pace: f32,
    /// Factor on the path's width, about its middle.
    pub scale: f32,
    /// Share of the path that it cuts across at the beginning, mostly none.
    pub skips: f32,
    /// Offset from the path. Unit: m.
    pub beside: Vec3,
    /// Duration. Unit: s.
    pub lasts_s: f32,
}

impl Default for Bout {
    fn default() -> Self {
        Self { pace: 1.0, scale: 1.0, skips: 0.0, beside: Vec3::ZERO, lasts_s: 0.0 }
    }
}

impl Bout {
    /// Creates a random bout for a body of a length (m) that keeps within `spread` metres to either side.
    pub fn new(spread: f32, length: f32, rng: &mut Pcg64Mcg) -> Self {
        /// The least and the greatest of each, by eye. Units: s, 1, body lengths.
        const LASTS_S: [f32; 2] = [5.0, 13.0];
        const PACE: [f32; 2] = [0.75, 1.3];
        const RISE_BL: [f32; 2] = [-0.4, 0.7];
        /// Deviation from the path's width, for each metre of `spread`, and at most. Units: 1/m, 1.
        const SCALE_PER_M: f32 = 0.3;
        const MAX_SCALE: f32 = 0.2;
        /// Share of bouts that begin with a short cut.
        const SKIPS: f32 = 0.2;
        let mut between = |[least, most]: [f32; 2]| least + (most - least) * rng.random::<f32>();
        let beside = Vec3::new(between([-spread, spread]), between(RISE_BL) * length, between([-spread, spread]));
        let scale = 1.0 + (SCALE_PER_M * spread).min(MAX_SCALE) * between([-1.0, 1.0]);
        let skips = if between([0.0, 1.0]) < SKIPS && spread > 0.0 { between([0.2, 0.45]) } else { 0.0 };
        Self { pace: between(PACE), scale, skips, beside, lasts_s: between(LASTS_S) }
    }

    /// Maps `p` on a path about `middle` to its place on this way.
    pub fn place(&self, p: Vec3, middle: Vec2) -> Vec3 {
        let middle = Vec3::new(middle.x, p.y, middle.y);
        middle + (p - middle) * self.scale + self.beside
    }

    /// Maps `place` on this way to its place on the path about `middle`.
    pub fn on_path(&self, place: Vec3, middle: Vec2) -> Vec3 {
        let p = place - self.beside;
        let middle = Vec3::new(middle.x, p.y, middle.y);
        middle + (p - middle) / self.scale
    }
}

/// Position at the `i`th part of the spline, with [`PARTS`] parts to a segment.
fn spline(points: &[Vec3], i: usize) -> Vec3 {
    let count = points.len();
    let (segment, t) = (i / PARTS, (i % PARTS) as f32 / PARTS as f32);
    let p = |step: usize| points[(segment + count + step - 1) % count];
    math::catmull_rom([p(0), p(1), p(2), p(3)], t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oval() -> Path {
        Path::new(&[[3.0, -4.0, 0.0], [0.0, -4.0, 2.0], [-3.0, -5.0, 0.0], [0.0, -4.0, -2.0]]).expect("points")
    }

    #[test]
    fn the_way_passes_its_points_and_closes() {
        let path = oval();
        for p in [[3.0, -4.0, 0.0], [0.0, -4.0, 2.0], [-3.0, -5.0, 0.0], [0.0, -4.0, -2.0]] {
            let nearest = (0..2000)
                .map(|i| path.at(path.length() * i as f32 / 2000.0).distance(Vec3::from(p)))
                .fold(f32::MAX, f32::min);
            assert!(nearest < 0.03, "{p:?} missed by {nearest} m");
        }
        assert!(path.at(0.0).distance(path.at(path.length())) < 1e-3);
        assert!(path.at(-1.0).distance(path.at(path.length() - 1.0)) < 1e-3);
    }

    #[test]
    fn distances_along_it_are_even() {
        let path = oval();
        let step = path.length() / 300.0;
        for i in 0..300 {
            let (a, b) = (path.at(step * i as f32), path.at(step * (i + 1) as f32));
            assert!((0.8 * step..=1.02 * step).contains(&a.distance(b)), "step {i}: {} of {step}", a.distance(b));
            assert!(path.toward(step * i as f32).is_some_and(|way| way.dot(b - a) > 0.9 * a.distance(b)));
        }
    }

    #[test]
    fn the_tightest_curve_is_at_the_ends() {
        let round: Vec<[f32; 3]> = (0..12)
            .map(|i| (i as f32 * std::f32::consts::TAU / 12.0).sin_cos())
            .map(|(s, c)| [4.0 * c, -3.0, 4.0 * s])
            .collect();
        let tightest = Path::new(&round).expect("points").tightest();
        assert!((3.2..4.3).contains(&tightest), "{tightest} m of 4");
        assert!((0.5..2.0).contains(&oval().tightest()));
        assert_eq!(Path::new(&[[1.0, -2.0, 3.0]]).expect("a point").tightest(), f32::INFINITY);
    }

    #[test]
    fn the_short_way_round_has_a_sign() {
        let path = oval();
        assert!((path.ahead(1.0, 2.0) - 1.0).abs() < 1e-4);
        assert!((path.ahead(0.5, path.length() - 0.5) + 1.0).abs() < 1e-4);
    }

    #[test]
    fn one_point_is_a_place() {
        let path = Path::new(&[[1.0, -2.0, 3.0]]).expect("a point");
        assert_eq!(path.length(), 0.0);
        assert_eq!(path.at(7.0), Vec3::new(1.0, -2.0, 3.0));
        assert_eq!((path.toward(0.0), path.lead(0.0, Vec3::ZERO, 9.0)), (None, 0.0));
        assert!(Path::new(&[]).is_none());
        assert_eq!(Path::new(&[[1.0, -2.0, 3.0]; 4]).expect("points").length(), 0.0);
    }
}
