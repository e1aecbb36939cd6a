//! Who is near: a hashed uniform grid, filled anew each step by counting sort.

use std::ops::Range;

use glam::{IVec3, Vec3};

use crate::life::habitat::floor;

/// An animal as others see it, at the beginning of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub position: Vec3,
    /// Key of the cell it is in.
    pub key: u32,
    /// Unit vector along the nose.
    pub heading: Vec3,
    /// Speed. Unit: m/s.
    pub speed: f32,
    /// Length of the body. Unit: m.
    pub length: f32,
    /// The animal's school; of one in the grid of large animals, its species.
    pub group: u32,
}

/// Where an animal is: what a search reads of most, in the order of the cells so that it reads memory in one run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub position: Vec3,
    /// Key of the cell it is in.
    pub key: u32,
    /// Index of the animal.
    pub index: u32,
}

/// The grid. Cells of different classes never mix, so each class may have a cell size of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct NeighbourGrid {
    /// First place of each bucket, and the end of the last.
    starts: Vec<u32>,
    places: Vec<Place>,
    mask: u32,
}

impl NeighbourGrid {
    /// Replaces the content by those animals of `seen` that `ranges` name.
    pub fn rebuild(&mut self, seen: &[Seen], ranges: impl DoubleEndedIterator<Item = Range<usize>> + Clone) {
        let count = ranges.clone().map(|range| range.len()).sum::<usize>();
        let buckets = (2 * count).next_power_of_two().max(16);
        self.mask = buckets as u32 - 1;
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        self.places.resize(count, Place::default());
        for one in ranges.clone().flat_map(|range| &seen[range]) {
            self.starts[(one.key & self.mask) as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        // Backwards, so that equal keys keep their order and each start ends where its bucket begins.
        for index in ranges.rev().flat_map(Range::rev) {
            let Seen { position, key, .. } = seen[index];
            let start = &mut self.starts[(key & self.mask) as usize];
            *start -= 1;
            self.places[*start as usize] = Place { position, key, index: index as u32 };
        }
    }

    /// Whether nobody is in it.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Who is in one cell.
    pub fn cell(&self, key: u32) -> impl Iterator<Item = &Place> {
        self.bucket(key).iter().filter(move |place| place.key == key)
    }

    /// Who is in one cell, among those of other cells that share its bucket.
    pub fn bucket(&self, key: u32) -> &[Place] {
        let bucket = (key & self.mask) as usize;
        match self.is_empty() {
            true => &[],
            false => &self.places[self.starts[bucket] as usize..self.starts[bucket + 1] as usize],
        }
    }
}

/// Key of a cell.
pub(super) fn key(class: u32, cell: IVec3) -> u32 {
    let mut h = class.wrapping_mul(0x9e37_79b9);
    for c in [cell.x, cell.y, cell.z] {
        h = (h ^ c as u32).wrapping_mul(0x85eb_ca6b);
        h ^= h >> 15;
    }
    h
}

/// The cell of side `side` that holds `p`.
pub(super) fn cell_of(p: Vec3, side: f32) -> IVec3 {
    IVec3::new(floor(p.x / side), floor(p.y / side), floor(p.z / side))
}

/// Keys of the eight cells nearest to `p`, its own first: together they reach at least half a side to every hand.
pub(super) fn nearest_cells(class: u32, p: Vec3, side: f32) -> [u32; 8] {
    let own = cell_of(p, side);
    let base = cell_of(p - 0.5 * side, side);
    let flip = own - base;
    std::array::from_fn(|i| {
        let i = i as i32;
        key(class, base + (IVec3::new(i & 1, (i >> 1) & 1, (i >> 2) & 1) ^ flip))
    })
}

/// As [`nearest_cells`], in a grid that has one layer, at y = 0.
pub(super) fn nearest_flat_cells(class: u32, p: Vec3, side: f32) -> [u32; 4] {
    let own = cell_of(p.with_y(0.0), side);
    let base = cell_of((p - 0.5 * side).with_y(0.0), side);
    let flip = own - base;
    std::array::from_fn(|i| {
        let i = i as i32;
        key(class, base + (IVec3::new(i & 1, 0, i >> 1) ^ flip))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(class: u32, position: Vec3, side: f32) -> Seen {
        Seen { position, key: key(class, cell_of(position, side)), ..Seen::default() }
    }

    #[test]
    fn everyone_within_half_a_cell_is_found_once() {
        let places: Vec<Vec3> = (0..1000u32)
            .map(|i| Vec3::new((i * 37 % 101) as f32, (i * 53 % 97) as f32, (i * 71 % 89) as f32) * 0.05)
            .collect();
        let seen: Vec<Seen> = places.iter().map(|&p| seen(3, p, 0.8)).collect();
        let mut grid = NeighbourGrid::default();
        // All but a hundred.
        grid.rebuild(&seen, [0..400, 500..1000].into_iter());
        for &p in places.iter().step_by(13) {
            let keys = nearest_cells(3, p, 0.8);
            let mut found: Vec<u32> = keys
                .iter()
                .flat_map(|&k| grid.cell(k))
                .filter(|place| place.position.distance(p) < 0.4)
                .map(|place| place.index)
                .collect();
            found.sort_unstable();
            let is_near = |i: &u32| places[*i as usize].distance(p) < 0.4;
            let wanted: Vec<u32> = (0..400).chain(500..1000).filter(is_near).collect();
            assert_eq!(found, wanted);
        }
    }

    #[test]
    fn the_first_cell_is_the_own_one() {
        for p in [Vec3::new(0.1, 0.9, -0.4), Vec3::new(-3.7, 2.2, 5.5)] {
            assert_eq!(nearest_cells(1, p, 1.0)[0], key(1, cell_of(p, 1.0)));
            assert_eq!(nearest_flat_cells(1, p, 1.0)[0], key(1, cell_of(p.with_y(0.0), 1.0)));
        }
    }

    #[test]
    fn classes_do_not_mix_and_an_empty_grid_answers() {
        let mut grid = NeighbourGrid::default();
        assert_eq!(grid.cell(key(0, IVec3::ZERO)).count(), 0);
        grid.rebuild(&[seen(0, Vec3::splat(0.5), 1.0)], [0..1].into_iter());
        assert_eq!(grid.cell(key(0, IVec3::ZERO)).count(), 1);
        assert_eq!(grid.cell(key(1, IVec3::ZERO)).count(), 0);
        grid.rebuild(&[], std::iter::empty());
        assert!(grid.is_empty());
        assert_eq!(grid.cell(key(0, IVec3::ZERO)).count(), 0);
    }
}
