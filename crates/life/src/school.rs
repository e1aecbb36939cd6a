//! Schools: groups that share a bearing, and their shape.

use std::ops::Range;

use glam::Vec3;

use crate::figure::Figure;
use crate::mind::Plan;
use crate::path::Bout;
use crate::roles::Roles;

/// Greatest number of hunters that a school heeds at a time.
pub(super) const THREATS: usize = 4;

/// Half axes of a school at ease over its radius, across, up and along its course: a flat ellipsoid, longer than wide.
pub(super) const SCHOOL_SHAPE: Vec3 = Vec3::new(1.0, 0.6, 1.75);

/// Half axes of a frightened school: a bait ball of the same volume.
const BALL: Vec3 = Vec3::splat(1.016);

/// Half axes of a school with the hunter below: a funnel twice as high as wide (Vaughn et al. 2011).
const FUNNEL: Vec3 = Vec3::new(0.8, 1.64, 0.8);

/// Remaining share of the spacing in full fear: the volume per fish falls by half.
const TIGHT: f32 = 0.8;

/// Share of that contraction left while a school is uneasy after a strike. By eye.
const UNEASY_TIGHT: f32 = 0.75;

/// Distance beyond its school's bounds at which a fish is astray. By eye. Unit: body lengths.
const ASTRAY_BL: f32 = 10.0;

/// A group that shares a bearing.
#[derive(Clone, Debug)]
pub(super) struct School {
    pub species: u32,
    pub animals: Range<usize>,
    /// Half its width. Unit: m.
    pub radius: f32,
    /// Spacing over the usual one: some schools are dense, some loose.
    pub looseness: f32,
    pub goal: Vec3,
    /// Figure of the school at ease.
    pub figure: Figure,
    /// Distance of its goal along its species' path. Unit: m.
    pub along: f32,
    /// Distance of its own slot along the path at the start. Unit: m.
    pub slot: f32,
    /// Current bout along the path.
    pub bout: Bout,
    /// Unit vector towards the goal, round obstacles between.
    pub course: Vec3,
    /// Time until it picks another goal. Unit: s.
    pub timer: f32,
    /// Speed over cruising speed, for now.
    pub pace: f32,
    /// Current plan.
    pub plan: Plan,
    /// Direction in which it mills: 1 or -1.
    pub spin: f32,
    /// Indices, among the feared hunters, of those that its members have to heed, then [`NOBODY`](crate::mind::NOBODY).
    pub threats: [u32; THREATS],
    /// Pressure by hunters, 0..=1: it draws together into a ball.
    pub tension: f32,
    /// Pressure by hunters from below, 0..=1.
    pub hunted_from_below: f32,
    /// Greatest fright that one of its members has just shown, 0..=1.
    pub fright: f32,
    /// Members with a part of their own, and what the last strike has left behind.
    pub roles: Roles,
    /// Distance of the farthest member from the middle at the last step. Unit: m.
    pub extent: f32,
    /// Half its height: that of an evenly filled ellipsoid of the same vertical variance. Unit: m.
    pub height: f32,
    /// Mean position at the last step.
    pub centroid: Vec3,
    /// Mean heading at the last step, not normalised: its length is the polarisation.
    pub heading: Vec3,
}

impl School {
    /// Current half axes over its radius: across, up and along its course.
    pub fn axes(&self) -> Vec3 {
        // Bait balls stretch as well, but less.
        let pressed = BALL.lerp(FUNNEL, self.hunted_from_below) * (0.5 + 0.5 * self.figure.stretch);
        (SCHOOL_SHAPE * self.figure.stretch).lerp(pressed, self.tension)
    }

    /// Vector from a member at `p` to the middle of its school, or of its part of the school, and that part's share of
    /// the school's half axes.
    pub fn to_middle(&self, p: Vec3) -> (Vec3, f32) {
        /// Half axes of one part of two over those of the whole.
        const PART: f32 = 0.8;
        let to = self.centroid - p;
        let parted = self.figure.parted * (1.0 - self.tension);
        if parted < 0.02 {
            return (to, 1.0);
        }
        let aside = self.course.cross(Vec3::Y).normalize_or_zero();
        let side = if to.dot(aside) < 0.0 { 1.0 } else { -1.0 };
        let far = parted * self.radius * self.figure.stretch.x;
        (to + aside * (side * far), 1.0 + (PART - 1.0) * parted.min(1.0))
    }

    /// Whether a member of a length (m) at `p` has lost its school: feeding members spread out and still belong to it.
    pub fn has_lost(&self, p: Vec3, length: f32) -> bool {
        let far = 2.0 * SCHOOL_SHAPE.z * self.radius + ASTRAY_BL * length;
        self.centroid.distance_squared(p) > far * far
    }

    /// Current share of the usual spacing that its members keep.
    pub fn tightness(&self) -> f32 {
        self.looseness * (1.0 + (TIGHT - 1.0) * self.tension.max(UNEASY_TIGHT * self.roles.unease))
    }
}
