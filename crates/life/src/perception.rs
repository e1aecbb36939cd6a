//! What a decision may look at: everybody as they were before the step, and the nearest of them.

use glam::Vec3;

use crate::Habitat;
use crate::animal::{Animal, NEIGHBOURS, Species};
use crate::food::Food;
use crate::grid::{NeighbourGrid, Seen};
use crate::mind::Intention;
use crate::school::School;
use crate::settings::Routine;

/// Entries looked at in one search at most, however thick the crowd; about 24 are in reach in a school at its own spacing.
pub(super) const MAX_VISITS: usize = 40;

/// Side of the cells of the grid of large animals; nobody notices one from farther than half of it. Unit: m.
pub(super) const LARGE_CELL_M: f32 = 10.0;

/// Somebody drives another off its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chase {
    /// Index of who chases.
    pub by: u32,
    /// Index of who is chased.
    pub whom: u32,
    /// The middle of the place.
    pub from: Vec3,
}

/// Everything that a decision may look at: the same for all who decide at one step, whoever comes first.
pub(super) struct Perception<'a> {
    pub species: &'a [Species],
    pub schools: &'a [School],
    pub habitat: &'a Habitat,
    /// All animals as they were before the step.
    pub seen: &'a [Seen],
    /// Those who are feared.
    pub hunters: &'a [Seen],
    /// Those who wait for a cleaner.
    pub waiting: &'a [Seen],
    /// Those who are being driven off somebody's place, in the order of who is chased.
    pub chases: &'a [Chase],
    /// Food that somebody dropped.
    pub food: &'a [Food],
    /// Schooling and reef fish, a grid a size class, the smallest first.
    pub grids: &'a [NeighbourGrid],
    /// All others: cruisers, drifters and what stays where it is.
    pub large: &'a NeighbourGrid,
    /// Mean drift of the water. Unit: m/s.
    pub current: Vec3,
    /// 0 by night to 1 by day.
    pub daylight: f32,
    /// The eye of who looks on, whom nobody swims into.
    pub onlooker: Option<Vec3>,
    /// How often everybody has had a turn to decide.
    pub round: u32,
}

impl<'a> Perception<'a> {
    /// The nearest animal to `p` within `reach` metres among the schools of `species`, indices, that `is_meant`.
    pub fn nearest_of(
        &self,
        p: Vec3,
        reach: f32,
        species: &[u32],
        is_meant: impl Fn(&Seen) -> bool,
    ) -> Option<&'a Seen> {
        let is_near = |school: &&School| {
            let far = school.extent + reach;
            species.contains(&school.species) && school.centroid.distance_squared(p) < far * far
        };
        let all = self.schools.iter().filter(is_near).flat_map(|school| &self.seen[school.animals.clone()]);
        let mut best = (reach * reach, None);
        for seen in all.filter(|seen| is_meant(seen)) {
            let distance2 = seen.position.distance_squared(p);
            if distance2 < best.0 {
                best = (distance2, Some(seen));
            }
        }
        best.1
    }

    /// The chase that the animal at `index` is driven by, if it is.
    pub fn chase_of(&self, index: u32) -> Option<&'a Chase> {
        let first = self.chases.partition_point(|chase| chase.whom < index);
        self.chases.get(first).filter(|chase| chase.whom == index)
    }

    /// Those who clean others, while they are at it.
    pub fn cleaners(&self) -> impl Iterator<Item = &'a Seen> {
        let seen = self.seen;
        let cleaners = self.species.iter().filter(|one| one.habits.has(Routine::Clean));
        let all = cleaners.flat_map(move |one| &seen[one.animals.clone()]);
        all.filter(|one| one.intention == Intention::Do(Routine::Clean))
    }
}

/// The nearest neighbours, nearest first.
pub(super) struct Nearest<'a> {
    grid: &'a NeighbourGrid,
    /// Squared distance, whose bits are in order since it is never negative, above the place in the grid.
    found: [u64; NEIGHBOURS],
    /// Squared distance at which the sight ends, likewise.
    limit: u64,
}

impl Nearest<'_> {
    /// Nobody at all.
    pub fn none(grid: &NeighbourGrid) -> Nearest<'_> {
        Nearest { grid, found: [0; NEIGHBOURS], limit: 0 }
    }

    /// Squared distance and sight of each.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &Seen)> {
        let found = self.found.iter().take_while(|found| **found < self.limit);
        found.map(|&found| (f32::from_bits((found >> 32) as u32), self.grid.entry(found as u32 as usize)))
    }
}

/// How near: less is nearer.
fn rank(distance2: f32, place: usize) -> u64 {
    u64::from(distance2.to_bits()) << 32 | place as u64
}

/// The nearest of its size about it.
pub(super) fn search<'a>(
    animal: &Animal,
    index: u32,
    species: &Species,
    scene: &Perception<'a>,
    visits: &mut usize,
) -> Nearest<'a> {
    let grid = &scene.grids[species.grid];
    // Places not taken yet stand at the limit of sight.
    let limit = rank((2.5 * species.spacing) * (2.5 * species.spacing), 0);
    let mut found = [limit; NEIGHBOURS];
    for key in grid.nearest_cells(animal.position) {
        for place in grid.bucket(key).take(MAX_VISITS - *visits) {
            let other = grid.entry(place);
            let is_other = other.key == key && other.index != index;
            let distance2 = other.position.distance_squared(animal.position);
            let mut next = if is_other { rank(distance2, place) } else { u64::MAX };
            // Through all of them: a branch that nobody can foresee takes longer.
            for found in &mut found {
                (*found, next) = (next.min(*found), next.max(*found));
            }
            *visits += 1;
        }
    }
    Nearest { grid, found, limit }
}
