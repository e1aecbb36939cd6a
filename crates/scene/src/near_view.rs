//! A view near enough for its water: if the subject of a view is lost in the murk, the eye moves to a visible one.

use glam::{Quat, Vec2, Vec3};
use life::Habitat;

/// Greatest distance of a view's subject, as a share of the visibility: three tenths of its contrast are left there,
/// and underwater photographers keep no greater distance.
pub const SUBJECT_REACH: f32 = 0.25;
/// Least distance of an eye from its subject. Unit: m.
const NEAREST_M: f32 = 0.4;
/// Distance from the middle of a thing below which it blocks the lens rather than being seen, as a share of its radius.
const TOO_CLOSE: f32 = 0.6;
/// Room that an eye keeps on all sides. Unit: m.
const ROOM_M: f32 = 0.35;
/// Least depth of an eye below the surface. Unit: m.
const BELOW_SURFACE_M: f32 = 0.4;
/// Distance from the view's target over which the weight of things falls to 1/e. Unit: m.
const ASIDE_M: f32 = 8.0;
/// Number of things about the target that are tried as subjects.
const SUBJECTS: usize = 192;
/// Number of best views for which the ground is also judged.
const FINALISTS: usize = 32;
/// Directions from which a thing is tried: azimuths from that of the original view, and elevations. Unit: rad.
const AZIMUTHS: [f32; 7] = [0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0];
const ELEVATIONS: [f32; 4] = [-0.25, 0.1, 0.4, 0.65];
/// Distances from which a thing is tried, as shares of the greatest.
const DISTANCES: [f32; 4] = [0.3, 0.5, 0.75, 1.0];
/// Factor on these distances for the middle of a school, so that the eye is within it.
const WITHIN_SCHOOL: f32 = 0.3;
/// Weight of ground and rock in the picture, over that of things of the same share.
const GROUND: f32 = 0.2;
/// Weight of an animal, which may be gone when the picture is taken, over that of a thing of its size that stays.
const SWIMMER: f32 = 0.2;
/// Reduction of the score of a view straight into the light, where the water glares.
const GLARE: f32 = 0.3;
/// Share of the picture at which one thing scores most, for it is seen whole and among others, and the exponent of the
/// share: a few large things are seen better than many small ones.
const BEST_SHARE: f32 = 0.35;
const SHARE_POWER: f32 = 1.2;
/// Exponent of the contrast in the score of things: the greater it is, the nearer the eye goes.
const NEARNESS: f32 = 2.0;
/// Directions that an eye within a school tries: number of azimuths, at each of these elevations (rad).
const TURNS: u32 = 16;
const TILTS: [f32; 3] = [-0.35, 0.0, 0.35];
/// Factor on the score of the original view moved closer, over that of another.
const SAME_VIEW: f32 = 1.6;
/// Width over height of the pictures by which views are judged.
const ASPECT: f32 = 1.6;

/// An eye and its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Position of the eye.
    pub eye: Vec3,
    /// Point in the middle of the picture.
    pub target: Vec3,
}

/// Something to see: an animal, a plant, a piece of coral.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// Position of its middle.
    pub at: Vec3,
    /// Its radius. Unit: m.
    pub radius_m: f32,
    /// Whether it stays where it is.
    pub stays: bool,
}

/// Everything that there is to see, and the water between.
pub struct Sights<'a> {
    /// Things and animals.
    pub things: Vec<Sight>,
    /// The most numerous species, as a ball about its middle: the subject if nothing stays in its place.
    pub school: Option<Sight>,
    /// Ground and rock.
    pub habitat: &'a Habitat,
    /// Horizontal visibility. Unit: m.
    pub visibility_m: f32,
    /// Unit vector toward the key light.
    pub to_key_light: Vec3,
}

/// Whether the target can be made out well.
pub fn is_within_reach(eye: Vec3, target: Vec3, visibility_m: f32) -> bool {
    eye.distance(target) <= SUBJECT_REACH * visibility_m
}

/// Moves an eye out of ground and rock: returns `eye`, or the first place above it that is free, with room about it,
/// and under water.
pub fn clear(habitat: &Habitat, mut eye: Vec3) -> Vec3 {
    if eye.y > habitat.floor_m(eye.x, eye.z) && habitat.is_clear(eye, 0.0) {
        return eye;
    }
    eye.y = eye.y.max(habitat.floor_m(eye.x, eye.z) + ROOM_M);
    while !habitat.is_clear(eye, ROOM_M) && eye.y < -BELOW_SURFACE_M {
        eye.y += ROOM_M;
    }
    eye
}

impl Sights<'_> {
    /// The best view near `wanted`, of a vertical field of view (rad), that shows something: `wanted` itself if its
    /// target is within reach of sight, or if there is nothing to see anywhere.
    pub fn near(&self, wanted: View, fov_y: f32) -> View {
        let reach_m = SUBJECT_REACH * self.visibility_m;
        let from = wanted.eye - wanted.target;
        if is_within_reach(wanted.eye, wanted.target, self.visibility_m) {
            return wanted;
        }
        let about: Vec<Sight> = {
            let near = |sight: &&Sight| sight.at.distance(wanted.target) < 3.0 * ASIDE_M + self.visibility_m;
            self.things.iter().filter(near).copied().collect()
        };
        let mut subjects = about.clone();
        subjects.retain(|sight| sight.stays && sight.radius_m < 2.0 * reach_m);
        if subjects.is_empty() {
            subjects.extend(self.school);
        }
        let promise = |sight: &Sight| sight.radius_m.min(reach_m) * near_target(sight.at.distance(wanted.target));
        subjects.sort_by(|a, b| promise(b).total_cmp(&promise(a)));
        subjects.truncate(SUBJECTS);
        let level = Vec2::new(from.x, from.z).normalize_or(Vec2::Y);
        let round = |sight: &Sight| {
            let sight = *sight;
            AZIMUTHS.into_iter().flat_map(move |turn| {
                let aside = Vec2::from_angle(turn).rotate(level);
                ELEVATIONS.into_iter().flat_map(move |up| {
                    let back = Vec3::new(aside.x * up.cos(), up.sin(), aside.y * up.cos());
                    DISTANCES.map(|share| {
                        let away_m = match sight.stays {
                            true => (share * reach_m).max(1.1 * sight.radius_m),
                            false => WITHIN_SCHOOL * share * reach_m,
                        };
                        View { eye: sight.at + away_m.max(NEAREST_M) * back, target: sight.at }
                    })
                })
            })
        };
        let closer = View { eye: wanted.target + from.normalize_or(Vec3::Z) * reach_m, ..wanted };
        let candidates = subjects.iter().flat_map(round).map(|view| (view, 1.0));
        let candidates = std::iter::once((closer, SAME_VIEW)).chain(candidates).filter(|(view, _)| self.is_open(view));
        let worth = |(view, factor): (View, f32)| {
            let glare = (view.target - view.eye).normalize_or_zero().dot(self.to_key_light).max(0.0);
            (factor * (1.0 - GLARE * glare) * near_target(view.target.distance(wanted.target)), view)
        };
        let mut judged: Vec<(f32, f32, View)> = candidates
            .map(|candidate| {
                let (factor, view) = worth(candidate);
                (factor * self.things_seen(&about, &view, fov_y), factor, view)
            })
            .collect();
        judged.sort_by(|a, b| b.0.total_cmp(&a.0));
        let finalists = judged.iter().take(FINALISTS);
        let best = finalists.map(|(seen, factor, view)| (seen + factor * GROUND * self.ground_seen(view, fov_y), view));
        best.filter(|(seen, _)| *seen > 0.0).max_by(|a, b| a.0.total_cmp(&b.0)).map_or(wanted, |(_, view)| *view)
    }

    /// Turns `view` about its eye toward the direction in which most is seen.
    pub fn turned(&self, view: View, fov_y: f32) -> View {
        let turns = (0..TURNS).map(|turn| std::f32::consts::TAU * turn as f32 / TURNS as f32);
        let directions =
            turns.flat_map(|turn| TILTS.map(|up| Vec3::new(turn.sin() * up.cos(), up.sin(), -turn.cos() * up.cos())));
        let views =
            std::iter::once(view).chain(directions.map(|direction| View { target: view.eye + direction, ..view }));
        let judged = views.map(|view| (self.things_seen(&self.things, &view, fov_y), view));
        judged.reduce(|best, other| if other.0 > best.0 { other } else { best }).map_or(view, |(_, view)| view)
    }

    fn is_open(&self, view: &View) -> bool {
        let eye = view.eye;
        eye.y < -BELOW_SURFACE_M
            && eye.y > self.habitat.floor_m(eye.x, eye.z) + ROOM_M
            && self.habitat.is_clear(eye, ROOM_M)
    }

    /// Contrast left at a distance (m), to the power [`NEARNESS`].
    fn contrast(&self, distance_m: f32) -> f32 {
        (-NEARNESS * ocean::VISIBILITY_LENGTHS * distance_m / self.visibility_m).exp()
    }

    /// Share of the picture that things fill, each weighted by its contrast; one that blocks the lens counts
    /// negatively.
    fn things_seen(&self, things: &[Sight], view: &View, fov_y: f32) -> f32 {
        let looking = orientation(view).inverse();
        let half = (0.5 * fov_y).tan();
        let seen = things.iter().map(|thing| {
            let at = looking * (thing.at - view.eye);
            let distance_m = at.length();
            if distance_m > self.visibility_m {
                return 0.0;
            }
            let ahead_m = -at.z;
            let radius = thing.radius_m / distance_m.max(0.05);
            if ahead_m < 0.2 || at.x.abs() > ASPECT * half * ahead_m || at.y.abs() > half * ahead_m {
                // Its middle is beside the lens, but it may still block it.
                return if radius > 1.0 / TOO_CLOSE { -0.5 } else { 0.0 };
            }
            let share = radius * radius / (half * half * ASPECT);
            let worth = if thing.stays { 1.0 } else { SWIMMER };
            match distance_m < TOO_CLOSE * thing.radius_m {
                true if thing.stays => -0.3,
                _ => worth * self.contrast(distance_m) * share.min(BEST_SHARE * BEST_SHARE / share).powf(SHARE_POWER),
            }
        });
        seen.sum()
    }

    /// Share of the picture that ground and rock fill, weighted by contrast.
    fn ground_seen(&self, view: &View, fov_y: f32) -> f32 {
        const COLUMNS: i32 = 5;
        const ROWS: i32 = 4;
        let (looking, half) = (orientation(view), (0.5 * fov_y).tan());
        let rays = (0..COLUMNS * ROWS).map(|i| {
            let across = |i: i32, of: i32| (2 * i + 1 - of) as f32 / of as f32;
            let (x, y) = (across(i % COLUMNS, COLUMNS), across(i / COLUMNS, ROWS));
            let ray = looking * Vec3::new(ASPECT * half * x, half * y, -1.0).normalize();
            let step_m = (0.05 * self.visibility_m).max(0.1);
            let steps = (self.visibility_m / step_m) as u32;
            let met = (1..=steps).map(|step| step as f32 * step_m).find(|&m| {
                let p = view.eye + ray * m;
                p.y < self.habitat.floor_m(p.x, p.z) || !self.habitat.is_clear(p, 0.0)
            });
            // A wall right in front of the lens shows nothing.
            met.map_or(0.0, |m| if m < 0.6 { -0.5 } else { self.contrast(m) })
        });
        rays.sum::<f32>() / (COLUMNS * ROWS) as f32
    }
}

/// Weight of a thing at a distance (m) from the wanted target.
fn near_target(aside_m: f32) -> f32 {
    (-aside_m / ASIDE_M).exp()
}

/// Rotation from view to world space.
fn orientation(view: &View) -> Quat {
    view::Camera::look_at(view.eye, view.target, 1.0).orientation
}

#[cfg(test)]
mod tests {
    use life::HeightMap;

    use super::*;

    const WANTED: View = View { eye: Vec3::new(0.0, -4.0, 10.0), target: Vec3::new(0.0, -4.0, 0.0) };
    const FOV: f32 = 1.0;

    fn habitat() -> Habitat {
        Habitat::new(Some(HeightMap::sample(Vec2::ZERO, 30.0, 1.0, |_, _| -6.0)), Vec::new())
    }

    fn view(visibility_m: f32, things: Vec<Sight>) -> View {
        Sights { things, school: None, habitat: &habitat(), visibility_m, to_key_light: Vec3::Y }.near(WANTED, FOV)
    }

    fn coral() -> Vec<Sight> {
        (0..40)
            .map(|i| Sight { at: Vec3::new((i % 8) as f32 - 3.5, -5.8, (i / 8) as f32), radius_m: 0.3, stays: true })
            .collect()
    }

    #[test]
    fn a_view_within_reach_of_sight_stays() {
        assert_eq!(view(50.0, coral()), WANTED);
        assert_eq!(view(80.0, Vec::new()), WANTED);
    }

    #[test]
    fn in_murk_the_eye_goes_to_something_that_it_can_see() {
        for visibility_m in [16.0, 12.0, 6.0, 3.0] {
            let View { eye, target } = view(visibility_m, coral());
            let reach_m = (SUBJECT_REACH * visibility_m).max(NEAREST_M);
            assert!(eye.distance(target) <= reach_m + 1e-3, "{visibility_m}: {eye} {target}");
            assert!(eye.y > -6.0 + ROOM_M && eye.y < 0.0, "{visibility_m}: {eye}");
            let nearest = coral().iter().map(|thing| thing.at.distance(eye)).fold(f32::INFINITY, f32::min);
            assert!(nearest <= reach_m + 1e-3 && nearest > 0.3, "{visibility_m}: {nearest}");
        }
    }

    #[test]
    fn where_there_is_nothing_to_see_the_view_stays() {
        let bottomless = Habitat::default();
        let sights =
            Sights { things: Vec::new(), school: None, habitat: &bottomless, visibility_m: 4.0, to_key_light: Vec3::Y };
        assert_eq!(sights.near(WANTED, FOV), WANTED);
    }

    #[test]
    fn an_eye_in_the_ground_comes_out_of_it() {
        assert_eq!(clear(&habitat(), Vec3::new(0.0, -7.0, 0.0)).y, -6.0 + ROOM_M);
        assert_eq!(clear(&habitat(), WANTED.eye), WANTED.eye);
    }
}
