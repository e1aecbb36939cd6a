//! Inputs of a decision: all animals as they were before the step, and the nearest of them.

use glam::Vec3;

use crate::animal::{Animal, NEIGHBOURS, Species};
use crate::food::Food;
use crate::grid::{NeighbourGrid, Seen};
use crate::mind::Intention;
use crate::school::School;
use crate::settings::Routine;
use crate::{Beam, Habitat};

/// Greatest number of entries visited in a search, in any crowd; about 24 are in reach in a school at its own spacing.
pub(super) const MAX_VISITS: usize = 40;

/// Side of the cells of the grid of large animals, which are noticed from at most half of it. Unit: m.
pub(super) const LARGE_CELL_M: f32 = 10.0;

/// Chase of an animal by the guard of a territory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chase {
    /// Index of the chaser.
    pub by: u32,
    /// Index of the chased animal.
    pub whom: u32,
    /// Middle of the territory.
    pub from: Vec3,
}

/// Inputs of the decisions: the same for all animals that decide in one step, in any order.
pub(super) struct Perception<'a> {
    pub species: &'a [Species],
    pub schools: &'a [School],
    pub habitat: &'a Habitat,
    /// All animals as they were before the step.
    pub seen: &'a [Seen],
    /// Feared hunters.
    pub hunters: &'a [Seen],
    /// Animals that wait for a cleaner.
    pub waiting: &'a [Seen],
    /// Chases under way, in the order of the chased animals.
    pub chases: &'a [Chase],
    /// Food dropped into the water.
    pub food: &'a [Food],
    /// Grids of schooling and reef fish, one for each size class, the smallest first.
    pub grids: &'a [NeighbourGrid],
    /// Grid of all others: cruisers, drifters and still animals.
    pub large: &'a NeighbourGrid,
    /// Mean drift of the water. Unit: m/s.
    pub current: Vec3,
    /// Daylight: 0 by night to 1 by day.
    pub daylight: f32,
    /// Beams of torches.
    pub beams: &'a [Beam],
    /// Eye of the onlooker, whom no animal swims into.
    pub onlooker: Option<Vec3>,
    /// Number of completed rounds of decisions.
    pub round: u32,
}

impl<'a> Perception<'a> {
    /// Returns the nearest animal to `p` within `reach` metres of the `species` (indices) that `is_meant`.
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

    /// Returns the chase of the animal at `index`, if it is chased.
    pub fn chase_of(&self, index: u32) -> Option<&'a Chase> {
        let first = self.chases.partition_point(|chase| chase.whom < index);
        self.chases.get(first).filter(|chase| chase.whom == index)
    }

    /// Cleaners at work.
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
    /// Squared distances, whose bits sort like integers since they are never negative, above the places in the grid.
    found: [u64; NEIGHBOURS],
    /// Squared limit of sight, in the same encoding.
    limit: u64,
}

impl Nearest<'_> {
    /// Creates an empty set.
    pub fn none(grid: &NeighbourGrid) -> Nearest<'_> {
        Nearest { grid, found: [0; NEIGHBOURS], limit: 0 }
    }

    /// Squared distance and visible state of each.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &Seen)> {
        let found = self.found.iter().take_while(|found| **found < self.limit);
        found.map(|&found| (f32::from_bits((found >> 32) as u32), self.grid.entry(found as u32 as usize)))
    }
}

/// Sort key by distance: less is nearer.
fn rank(distance2: f32, place: usize) -> u64 {
    u64::from(distance2.to_bits()) << 32 | place as u64
}

/// Searches the nearest animals of its size.
pub(super) fn search<'a>(
    animal: &Animal,
    index: u32,
    species: &Species,
    scene: &Perception<'a>,
    visits: &mut usize,
) -> Nearest<'a> {
    let grid = &scene.grids[species.grid];
    // Unfilled slots hold the limit of sight.
    let limit = rank((2.5 * species.spacing) * (2.5 * species.spacing), 0);
    let mut found = [limit; NEIGHBOURS];
    for key in grid.nearest_cells(animal.position) {
        for place in grid.bucket(key).take(MAX_VISITS - *visits) {
            let other = grid.entry(place);
            let is_other = other.key == key && other.index != index;
            let distance2 = other.position.distance_squared(animal.position);
            let mut next = if is_other { rank(distance2, place) } else { u64::MAX };
            // Branchless insertion: an unpredictable branch takes longer.
            for found in &mut found {
                (*found, next) = (next.min(*found), next.max(*found));
            }
            *visits += 1;
        }
    }
    Nearest { grid, found, limit }
}
