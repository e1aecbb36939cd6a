//! Habitat of the animals: the ground as a height map, and solid things as ellipsoids.

use std::sync::Arc;

use glam::{IVec2, Vec2, Vec3};

/// Side of a bucket of obstacles. Unit: m.
const BUCKET_M: f32 = 4.0;

/// Buckets along one side at most; obstacles farther out share the border buckets.
const MAX_BUCKETS: i32 = 512;

/// A solid thing that animals avoid: an ellipsoid with axes along x, y and z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Middle, in world space.
    pub center: Vec3,
    /// Half axes. Unit: m. Range: more than 0 each.
    pub radii: Vec3,
}

impl Obstacle {
    /// Creates a sphere.
    pub fn sphere(center: Vec3, radius: f32) -> Self {
        Self { center, radii: Vec3::splat(radius) }
    }

    /// Distance of `p` from the middle over that of the surface of the obstacle grown by `margin` (m): less than 1
    /// inside, 1 on the grown surface.
    pub fn normalized_distance(&self, p: Vec3, margin: f32) -> f32 {
        ((p - self.center) / (self.radii + margin)).length()
    }

    /// Whether `p` is in the box round the obstacle grown by `margin` (m) and then by `factor`: a cheap test that holds
    /// wherever [`Self::normalized_distance`] is less than `factor`.
    pub fn bounds_hold(&self, p: Vec3, margin: f32, factor: f32) -> bool {
        (p - self.center).abs().cmplt((self.radii + margin) * factor).all()
    }

    /// Unit vector away from the obstacle at `p`.
    pub fn normal(&self, p: Vec3, margin: f32) -> Vec3 {
        let grown = self.radii + margin;
        ((p - self.center) / (grown * grown)).normalize_or(Vec3::Y)
    }
}

/// Heights on a square grid over the ground, bilinear between them and constant beyond the rim.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightMap {
    corner: Vec2,
    cell_m: f32,
    side: usize,
    heights: Vec<f32>,
    steepest: f32,
}

impl HeightMap {
    /// Samples `height(x, z)` (m) over the square of half side `half_m` round `center`, about every `cell_m` metres.
    pub fn sample(center: Vec2, half_m: f32, cell_m: f32, height: impl Fn(f32, f32) -> f32) -> Self {
        let half_m = half_m.max(cell_m);
        let side = ((2.0 * half_m / cell_m).ceil() as usize + 1).clamp(2, 1025);
        let cell_m = 2.0 * half_m / (side - 1) as f32;
        let corner = center - Vec2::splat(half_m);
        let heights: Vec<f32> = (0..side * side)
            .map(|i| corner + cell_m * Vec2::new((i % side) as f32, (i / side) as f32))
            .map(|p| height(p.x, p.y))
            .collect();
        let rise = |a: usize, b: usize| (heights[a] - heights[b]).abs() / cell_m;
        let along = (0..side * side).filter(|i| i % side + 1 < side).map(|i| rise(i, i + 1));
        let across = (0..side * (side - 1)).map(|i| rise(i, i + side));
        let most = along.chain(across).fold(0.0, f32::max);
        // Bilinear between the points: along the diagonal both slopes may add up.
        Self { corner, cell_m, side, heights, steepest: 1.5 * most }
    }

    /// Bound on the slope anywhere: rise over run.
    pub fn steepest(&self) -> f32 {
        self.steepest
    }

    /// Height at (x, z). Unit: m.
    pub fn at(&self, x: f32, z: f32) -> f32 {
        let last = (self.side - 2) as f32;
        let p = (Vec2::new(x, z) - self.corner) / self.cell_m;
        let p = p.clamp(Vec2::ZERO, Vec2::splat(last + 1.0));
        // Never negative: truncation rounds down.
        let (column, row) = ((p.x as usize).min(self.side - 2), (p.y as usize).min(self.side - 2));
        let f = p - Vec2::new(column as f32, row as f32);
        let i = row * self.side + column;
        let [a, b] = [self.heights[i], self.heights[i + 1]];
        let [c, d] = [self.heights[i + self.side], self.heights[i + self.side + 1]];
        let near = a + (b - a) * f.x;
        let far = c + (d - c) * f.x;
        near + (far - near) * f.y
    }
}

/// A place in, under or beside a thing on the ground where an animal can hide.
#[derive(Clone, Debug, PartialEq)]
pub struct Shelter {
    /// Name of the thing's model, such as `table_coral`.
    pub model: Arc<str>,
    /// The place, in world space.
    pub place: Vec3,
    /// Radius of the shelter round `place`. Unit: m.
    pub radius: f32,
}

/// A hole at the foot of something solid, as wide as an eel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crevice {
    /// Position of its door, in world space.
    pub door: Vec3,
    /// Level unit vector out of it.
    pub out: Vec3,
}

/// Obstacles that reach into one square of the plan, and their greatest height there.
#[derive(Clone, Debug)]
struct Bucket {
    first: u32,
    count: u32,
    top_m: f32,
}

/// Habitat of the animals: ground, solid things, water up to y = 0.
#[derive(Clone, Debug, Default)]
pub struct Habitat {
    floor: Option<HeightMap>,
    obstacles: Vec<Obstacle>,
    shelters: Vec<Shelter>,
    /// Corals, fans and plants: animals swim among them, but do not lie down on them.
    growths: Vec<Obstacle>,
    /// Missing share of daylight, 0 by day to 1 by night.
    darkness: f32,
    corner: IVec2,
    size: IVec2,
    buckets: Vec<Bucket>,
    members: Vec<u32>,
}

impl Habitat {
    /// Greatest distance of an obstacle for which queries are valid. Unit: m.
    pub const REACH_M: f32 = 2.5;

    /// Creates a habitat; `None` for bottomless water.
    pub fn new(floor: Option<HeightMap>, obstacles: Vec<Obstacle>) -> Self {
        let mut habitat = Self { floor, obstacles, ..Self::default() };
        habitat.fill_buckets();
        habitat
    }

    /// Returns this habitat with a given daylight: 0 by night to 1 by day.
    pub fn at_daylight(mut self, daylight: f32) -> Self {
        self.darkness = 1.0 - daylight.clamp(0.0, 1.0);
        self
    }

    /// Daylight when the animals are placed: 0 by night to 1 by day.
    pub fn daylight(&self) -> f32 {
        1.0 - self.darkness
    }

    /// Returns this habitat with places to hide in, each moved into open water; those far from any are left out.
    pub fn with_shelters(mut self, shelters: impl IntoIterator<Item = Shelter>) -> Self {
        /// Greatest distance beyond its shelter's radius by which a place may be moved. Unit: m.
        const MOVED_M: f32 = 0.5;
        let open = |shelter: Shelter| {
            let place = self.open_place(shelter.place)?;
            let moved = place.distance(shelter.place);
            (moved <= shelter.radius + MOVED_M).then_some(Shelter { place, ..shelter })
        };
        self.shelters = shelters.into_iter().filter_map(open).collect();
        self
    }

    /// Returns this habitat with corals, fans and plants, on which nothing lies down.
    pub fn with_growths(mut self, growths: Vec<Obstacle>) -> Self {
        self.growths = growths;
        self
    }

    /// Whether no coral, fan or plant is within `margin` (m) of `p`.
    pub(super) fn is_bare(&self, p: Vec3, margin: f32) -> bool {
        self.growths.iter().all(|o| !o.bounds_hold(p, margin, 1.0) || o.normalized_distance(p, margin) >= 1.0)
    }

    /// A place near `p` that is in the water, off the ground and outside every solid thing, if a few moves lead to one.
    fn open_place(&self, mut p: Vec3) -> Option<Vec3> {
        /// Room left to ground and rock. Unit: m.
        const GAP_M: f32 = 0.1;
        for _ in 0..6 {
            p.y = p.y.max(self.floor_m(p.x, p.z) + GAP_M);
            let inside = self.obstacles_near(p).find(|o| o.normalized_distance(p, 0.0) < 1.0);
            let Some(o) = inside else { return (p.y < 0.0).then_some(p) };
            let distance = o.normalized_distance(p, 0.0);
            let out = if distance > 0.05 { (p - o.center) / distance } else { Vec3::Y * o.radii.y };
            p = o.center + out + GAP_M * o.normal(p, 0.0);
        }
        None
    }

    /// Hiding places of the given models within `range` metres of `home` (x and z), always in the same order.
    pub fn shelters_of(&self, models: &[String], home: Vec2, range: f32) -> impl Iterator<Item = &Shelter> {
        let near = move |s: &&Shelter| Vec2::new(s.place.x, s.place.z).distance_squared(home) <= range * range;
        self.shelters.iter().filter(near).filter(|s| models.iter().any(|model| **model == *s.model))
    }

    /// Returns the crevice by a place in a shelter for a body of a length and half a height (m): in the solid thing
    /// beside that place, if that is high enough for the body and has open water before it.
    pub(super) fn crevice_at(&self, place: Vec3, (length, half_height): (f32, f32)) -> Option<Crevice> {
        /// Greatest distance of the rock from the place. Unit: m.
        const BESIDE_M: f32 = 0.8;
        /// Height of the middle of the door over the ground, over half the body's. By eye.
        const DOOR_HEIGHT: f32 = 1.6;
        /// Least width of a rock, so that a body does not come out again behind. Unit: body lengths.
        const DEPTH_BL: f32 = 1.15;
        /// Share of its half height up to which a rounded rock has a side.
        const HAS_SIDE: f32 = 0.9;
        let surface = |o: &Obstacle| o.center + (place - o.center) / o.normalized_distance(place, 0.0).max(0.05);
        let far = |o: &&Obstacle| surface(o).distance(place);
        let rock = self.obstacles_near(place).min_by(|a, b| far(a).total_cmp(&far(b)))?;
        if far(&rock) > BESIDE_M {
            return None;
        }
        let out = (place - rock.center).with_y(0.0).try_normalize()?;
        let half_depth = 1.0 / (out / rock.radii).length();
        if 2.0 * half_depth < DEPTH_BL * length {
            return None;
        }
        // Position of the rock's side at that height.
        let y = self.floor_m(place.x, place.z) + DOOR_HEIGHT * half_height;
        let level = (y - rock.center.y) / rock.radii.y;
        if level.abs() > HAS_SIDE {
            return None;
        }
        let side = (1.0 - level * level).sqrt() * half_depth;
        let door = rock.center.with_y(y) + out * side;
        let is_open = |way: f32| {
            let p = door + out * (way * length);
            self.floor_m(p.x, p.z) < y && self.is_clear(p, 0.5 * half_height)
        };
        [0.2, 0.4].into_iter().all(is_open).then_some(Crevice { door, out })
    }

    /// Height of the ground at (x, z), minus infinity where there is none. Unit: m.
    pub fn floor_m(&self, x: f32, z: f32) -> f32 {
        self.floor.as_ref().map_or(f32::NEG_INFINITY, |floor| floor.at(x, z))
    }

    /// Height at (x, z) of the top of the solid things there, grown by `margin` (m), with all half axes at least `size`
    /// (m); the highest of them.
    pub(super) fn rock_top_m(&self, x: f32, z: f32, margin: f32, size: f32) -> Option<f32> {
        let top = |o: &Obstacle| {
            let (out, grown) = (Vec2::new(x - o.center.x, z - o.center.z), o.radii + margin);
            let level2 = 1.0 - (out / Vec2::new(grown.x, grown.z)).length_squared();
            (level2 > 0.0 && o.radii.min_element() >= size).then(|| o.center.y + grown.y * level2.sqrt())
        };
        self.obstacles_near(Vec3::new(x, f32::MIN, z)).filter_map(top).reduce(f32::max)
    }

    /// Bound on the slope of the ground: rise over run.
    pub fn steepest(&self) -> f32 {
        self.floor.as_ref().map_or(0.0, HeightMap::steepest)
    }

    /// All solid things.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Solid things that may be within [`Self::REACH_M`] of `p`; none if `p` is that far above all of them.
    pub fn obstacles_near(&self, p: Vec3) -> impl Iterator<Item = &Obstacle> {
        let bucket = self.bucket(p).filter(|bucket| p.y < bucket.top_m);
        let members = bucket.map_or(&[][..], |b| &self.members[b.first as usize..(b.first + b.count) as usize]);
        members.iter().map(|&i| &self.obstacles[i as usize])
    }

    /// Whether `p` is at least `margin` (m, up to [`Self::REACH_M`]) outside every solid thing.
    pub fn is_clear(&self, p: Vec3, margin: f32) -> bool {
        self.obstacles_near(p)
            .all(|obstacle| !obstacle.bounds_hold(p, margin, 1.0) || obstacle.normalized_distance(p, margin) >= 1.0)
    }

    /// Whether ground or something solid is between two places, disregarding the last step before the second.
    pub fn hides(&self, from: Vec3, to: Vec3) -> bool {
        /// Length of the search steps. Unit: m.
        const STEP_M: f32 = 0.2;
        let steps = (from.distance(to) / STEP_M) as u32;
        (0..steps).any(|step| {
            let p = from.lerp(to, step as f32 / steps as f32);
            p.y < self.floor_m(p.x, p.z) || !self.is_clear(p, 0.0)
        })
    }

    fn bucket(&self, p: Vec3) -> Option<&Bucket> {
        if self.buckets.is_empty() {
            return None;
        }
        let cell = cell_of(p) - self.corner;
        let inside = cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size).all();
        // The grid has a limit; obstacles beyond it are in the border buckets.
        let cell = match inside {
            true => cell,
            false if self.size.max_element() == MAX_BUCKETS => cell.clamp(IVec2::ZERO, self.size - 1),
            false => return None,
        };
        self.buckets.get((cell.y * self.size.x + cell.x) as usize)
    }

    fn fill_buckets(&mut self) {
        let finite = |o: &Obstacle| o.center.is_finite() && o.radii.is_finite() && o.radii.min_element() > 0.0;
        self.obstacles.retain(finite);
        if self.obstacles.is_empty() {
            return;
        }
        let spans: Vec<(IVec2, IVec2)> = self
            .obstacles
            .iter()
            .map(|o| (cell_of(o.center - o.radii - Self::REACH_M), cell_of(o.center + o.radii + Self::REACH_M)))
            .collect();
        let least = spans.iter().fold(spans[0].0, |at, span| at.min(span.0));
        let most = spans.iter().fold(spans[0].1, |at, span| at.max(span.1));
        let full = most - least + 1;
        self.size = full.min(IVec2::splat(MAX_BUCKETS));
        self.corner = least + (full - self.size) / 2;
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); (self.size.x * self.size.y) as usize];
        for (i, (from, to)) in spans.iter().enumerate() {
            let from = (*from - self.corner).clamp(IVec2::ZERO, self.size - 1);
            let to = (*to - self.corner).clamp(IVec2::ZERO, self.size - 1);
            for z in from.y..=to.y {
                for x in from.x..=to.x {
                    lists[(z * self.size.x + x) as usize].push(i as u32);
                }
            }
        }
        for list in lists {
            let tops =
                list.iter().map(|&i| &self.obstacles[i as usize]).map(|o| o.center.y + o.radii.y + Self::REACH_M);
            let top_m = tops.fold(f32::NEG_INFINITY, f32::max);
            self.buckets.push(Bucket { first: self.members.len() as u32, count: list.len() as u32, top_m });
            self.members.extend(list);
        }
    }
}

fn cell_of(p: Vec3) -> IVec2 {
    IVec2::new(floor(p.x / BUCKET_M), floor(p.z / BUCKET_M))
}

/// Largest integer at or below `x`. `f32::floor` is a library call on baseline x86-64, and this is called often.
pub(super) fn floor(x: f32) -> i32 {
    let cut = x as i32;
    cut - i32::from(x < cut as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_height_map_is_exact_on_a_plane() {
        let plane = |x: f32, z: f32| -8.0 + 0.1 * x - 0.2 * z;
        let map = HeightMap::sample(Vec2::ZERO, 20.0, 0.7, plane);
        for (x, z) in [(0.0, 0.0), (3.3, -7.9), (19.9, 19.9), (-20.0, 20.0)] {
            assert!((map.at(x, z) - plane(x, z)).abs() < 1e-4, "({x}, {z})");
        }
        assert!((0.2..0.4).contains(&map.steepest()));
        assert!((map.at(500.0, 0.0) - plane(20.0, 0.0)).abs() < 1e-4, "constant beyond the rim");
    }

    #[test]
    fn floor_rounds_down() {
        for x in [-2.0f32, -1.5, -0.1, 0.0, 0.1, 0.9, 1.0, 7.3] {
            assert_eq!(floor(x), x.floor() as i32, "{x}");
        }
    }

    #[test]
    fn obstacles_are_found_wherever_they_reach() {
        let rock = Obstacle { center: Vec3::new(7.0, -8.0, -3.0), radii: Vec3::new(3.0, 1.0, 2.0) };
        let far = Obstacle::sphere(Vec3::new(-90.0, -5.0, 40.0), 1.0);
        let habitat = Habitat::new(None, vec![rock, far]);
        for i in 0..400 {
            let p = rock.center + Vec3::new((i % 20) as f32 - 10.0, (i % 7) as f32 - 3.0, (i / 20) as f32 - 10.0);
            assert_eq!(habitat.is_clear(p, 0.5), rock.normalized_distance(p, 0.5) >= 1.0, "{p}");
        }
        assert!(!habitat.is_clear(far.center, 0.0));
        let beside = Vec3::new(0.0, 0.0, 6.0);
        assert!(habitat.hides(rock.center - beside, rock.center + beside));
        assert!(!habitat.hides(rock.center - beside, rock.center - 0.5 * beside));
        assert_eq!(habitat.obstacles_near(Vec3::new(0.0, 0.0, 300.0)).count(), 0);
    }

    #[test]
    fn shelters_are_those_of_the_models_asked_for_in_reach_and_in_open_water() {
        let shelter =
            |model: &str, x: f32, y: f32| Shelter { model: model.into(), place: Vec3::new(x, y, 1.0), radius: 0.3 };
        let all = [
            shelter("table_coral", 2.0, -4.0),
            shelter("anemone", 3.0, -4.0),
            shelter("table_coral", 30.0, -4.0),
            shelter("table_coral", 1.0, -4.0),
            shelter("table_coral", 1.5, 0.2),
            shelter("table_coral", 1.6, -5.1),
            shelter("table_coral", 1.7, -9.0),
            shelter("table_coral", 7.0, -3.5),
            shelter("table_coral", 15.0, -4.0),
        ];
        let floor = HeightMap::sample(Vec2::ZERO, 40.0, 1.0, |_, _| -5.0);
        let rock = |x, radius| Obstacle::sphere(Vec3::new(x, -4.0, 1.0), radius);
        let habitat = Habitat::new(Some(floor), vec![rock(7.0, 0.9), rock(15.0, 3.0)]).with_shelters(all);
        let found = |models: &[&str], range: f32| -> Vec<Vec3> {
            let models: Vec<String> = models.iter().map(|&model| model.to_owned()).collect();
            habitat.shelters_of(&models, Vec2::new(0.0, 1.0), range).map(|s| s.place).collect()
        };
        let x = |models: &[&str], range| found(models, range).iter().map(|place| place.x).collect::<Vec<_>>();
        assert_eq!(x(&["table_coral"], 10.0), [2.0, 1.0, 1.6, 7.0], "neither far off nor dry, nor deep in the ground");
        assert_eq!(x(&["ledge", "anemone", "table_coral"], 50.0), [2.0, 3.0, 30.0, 1.0, 1.6, 7.0], "nor deep in rock");
        assert_eq!(x(&["table"], 50.0), [0.0; 0]);
        let places = found(&["table_coral"], 10.0);
        assert_eq!(places[0], Vec3::new(2.0, -4.0, 1.0), "where it is open water already");
        assert!((places[2].y + 4.9).abs() < 1e-4, "raised from the ground");
        assert!((places[3] - Vec3::new(7.0, -3.0, 1.0)).length() < 1e-4, "moved out of the rock");
    }

    #[test]
    fn the_normal_leads_out_of_an_obstacle() {
        let rock = Obstacle { center: Vec3::ZERO, radii: Vec3::new(3.0, 1.0, 2.0) };
        let p = Vec3::new(1.0, 0.5, -1.0);
        assert!(rock.normalized_distance(p + 0.1 * rock.normal(p, 0.0), 0.0) > rock.normalized_distance(p, 0.0));
        assert_eq!(rock.normal(Vec3::ZERO, 0.0), Vec3::Y);
    }
}
