//! Inputs of a decision: all animals as they were before the step, and the nearest of them.

use glam::{Vec3, Vec4, Vec4Swizzles};

use crate::animal::{Animal, NEIGHBOURS, Species};
use crate::food::Food;
use crate::grid::{NeighbourGrid, Run, Seen};
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
    /// Whether hunters leave their prey alone.
    pub hunters_are_calm: bool,
    /// Number of completed rounds of decisions.
    pub round: u32,
}

impl<'a> Perception<'a> {
    /// Returns the nearest animal to `p` within `reach` metres of the gregarious `species` (indices) that `is_meant`;
    /// of two as near, that of the first school.
    pub fn nearest_of(
        &self,
        p: Vec3,
        reach: f32,
        species: &[u32],
        is_meant: impl Fn(&Seen) -> bool,
    ) -> Option<&'a Seen> {
        let is_near = |school: &School| {
            let far = school.extent + reach;
            school.centroid.distance_squared(p) < far * far && species.contains(&school.species)
        };
        let mut best: (f32, Option<&Seen>) = (reach * reach, None);
        let is_first = |seen: &Seen, other: &Seen| (seen.group, seen.index) < (other.group, other.index);
        for (number, grid) in self.grids.iter().enumerate() {
            if !species.iter().any(|one| self.species[*one as usize].grid == number) {
                continue;
            }
            grid.visit_within(p, best.0.sqrt(), |seen| {
                let distance2 = seen.position.distance_squared(p);
                let is_nearer =
                    distance2 < best.0 || distance2 == best.0 && best.1.is_some_and(|other| is_first(seen, other));
                if is_nearer && is_near(&self.schools[seen.group as usize]) && is_meant(seen) {
                    best = (distance2, Some(seen));
                }
                best.0.sqrt()
            });
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
    /// Squared distances, and places in the grid.
    found: [(f32, u32); NEIGHBOURS],
    count: usize,
}

impl Nearest<'_> {
    /// Creates an empty set.
    pub fn none(grid: &NeighbourGrid) -> Nearest<'_> {
        Nearest { grid, found: [(0.0, 0); NEIGHBOURS], count: 0 }
    }

    /// Squared distance and visible state of each.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &Seen)> {
        self.found[..self.count].iter().map(|&(distance2, place)| (distance2, self.grid.entry(place as usize)))
    }
}

/// Bits of a rank that number the visit.
const VISIT_BITS: u32 = MAX_VISITS.next_power_of_two() as u32 - 1;

/// Squared distance whose last bits number the visit: less is nearer. Distances that differ by less than one part in
/// 100,000 keep the order of the visits.
fn rank(distance2: f32, visit: usize) -> f32 {
    // Never so small that a processor takes long over it.
    f32::from_bits((distance2 + f32::MIN_POSITIVE).to_bits() & !VISIT_BITS | visit as u32)
}

fn visit_of(rank: f32) -> usize {
    (rank.to_bits() & VISIT_BITS) as usize
}

/// The eight least ranks so far, in order: those of the neighbours, and of the animal itself, which is nearest.
#[derive(Clone, Copy)]
struct Ranks([Vec4; 2]);

impl Ranks {
    /// Puts a rank in its place. All eight move at once, without a branch: each becomes the lesser of itself and the new
    /// one, or its predecessor if that is greater still.
    fn insert(&mut self, rank: f32) {
        let [near, far] = self.0;
        let new = Vec4::splat(rank);
        let before_near = near.xxyz().with_x(0.0);
        let before_far = far.xxyz().with_x(near.w);
        self.0 = [before_near.max(near.min(new)), before_far.max(far.min(new))];
    }
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
    let limit = rank((2.5 * species.spacing) * (2.5 * species.spacing), 0);
    let mut ranks = Ranks([Vec4::splat(limit); 2]);
    let mut places = [0; MAX_VISITS];
    let from = animal.position;
    let (runs, count) = grid.nearest_runs(from);
    for Run { places: run, keys } in &runs[..count] {
        for place in run.clone().take(MAX_VISITS - *visits) {
            let spot = grid.spot(place);
            let rank = rank(spot.position.distance_squared(from), *visits);
            let is_in_cell = spot.key == keys[0] || spot.key == keys[1];
            ranks.insert(if is_in_cell { rank } else { f32::INFINITY });
            places[*visits] = place as u32;
            *visits += 1;
        }
    }
    let mut nearest = Nearest::none(grid);
    for rank in ranks.0.into_iter().flat_map(|four| four.to_array()).take_while(|rank| *rank < limit) {
        let place = places[visit_of(rank)];
        let other = grid.entry(place as usize);
        if other.index != index && nearest.count < NEIGHBOURS {
            nearest.found[nearest.count] = (other.position.distance_squared(from), place);
            nearest.count += 1;
        }
    }
    nearest
}
