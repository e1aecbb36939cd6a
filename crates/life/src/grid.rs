//! Neighbour search: a hashed uniform grid, filled anew each step by counting sort.

use std::ops::Range;

use glam::{IVec3, UVec3, Vec3};
use math::{Join, par_chunks};

use crate::habitat::floor;
use crate::mind::Intention;

/// Visible state of an animal at the beginning of a step; in the grid, in the order of the cells, so that a search
/// reads memory in few runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub position: Vec3,
    /// Key of its cell.
    pub key: u32,
    /// Unit vector along the nose.
    pub heading: Vec3,
    /// Speed. Unit: m/s.
    pub speed: f32,
    /// Length of the body. Unit: m.
    pub length: f32,
    /// Index of the animal's school; in the grid of large animals, of its species.
    pub group: u32,
    /// Index of the animal.
    pub index: u32,
    /// Current intention.
    pub intention: Intention,
    /// Whether it is after one particular animal as prey.
    pub strikes: bool,
    /// Fright that it has just shown, 0..=1.
    pub fright: f32,
}

/// Speed above which a hunter rushes. Unit: body lengths/s.
const RUSHES_BL_S: f32 = 2.0;

impl Seen {
    /// Degree of a rush that alarms all others: 0 not at all, 1 headlong.
    pub fn rush(&self) -> f32 {
        (self.speed / (RUSHES_BL_S * self.length).max(1e-3) - 1.0).clamp(0.0, 1.0)
    }
}

/// Entries filled in one parallel part: a twentieth of a millisecond's work.
const ENTRIES_AT_ONCE: usize = 4096;

/// Position of an entry of the grid, and key of its cell: the part that a search reads of all entries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    pub position: Vec3,
    pub key: u32,
}

/// Places of two cells that lie next to each other in memory, or of one twice: those of entries with either key, and
/// of some with others.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub places: Range<usize>,
    pub keys: [u32; 2],
}

/// Grid of animals of about one size, to which its cells are cut.
#[derive(Clone, Debug)]
pub(super) struct NeighbourGrid {
    /// Cells to a metre.
    cells_per_m: f32,
    /// First entry of each bucket, and the end of the last.
    starts: Vec<u32>,
    entries: Vec<Seen>,
    /// Positions of the entries.
    spots: Vec<Spot>,
    /// Indices, among the seen, of the entries.
    order: Vec<u32>,
    mask: u32,
    /// Occupancy bits of the 4 x 4 x 4 cells of a block, by the hash of the block.
    blocks: Vec<u64>,
}

impl NeighbourGrid {
    /// Memory of one entry. Unit: bytes.
    pub const BYTES_AN_ENTRY: usize = size_of::<Seen>() + size_of::<Spot>() + size_of::<u32>();

    /// Memory of one bucket, of which there are two to four for each entry: its start, and its share of the blocks'
    /// bits. Unit: bytes.
    pub const BYTES_A_BUCKET: usize = size_of::<u32>() + size_of::<u64>() / 8;

    /// Creates an empty grid with cells of side `side_m`.
    pub fn new(side_m: f32) -> Self {
        let (starts, entries, spots) = (Vec::new(), Vec::new(), Vec::new());
        let (order, blocks) = (Vec::new(), Vec::new());
        Self { cells_per_m: 1.0 / side_m, starts, entries, spots, order, mask: 0, blocks }
    }

    /// Creates an empty grid with cells of the same size.
    pub fn emptied(&self) -> Self {
        Self { cells_per_m: self.cells_per_m, ..Self::new(1.0) }
    }

    /// Replaces the content by the animals of `seen` in `ranges`; only their order is found on a single thread.
    pub fn rebuild(
        &mut self,
        join: Join,
        seen: &[Seen],
        ranges: impl DoubleEndedIterator<Item = Range<usize>> + Clone,
    ) {
        let count = ranges.clone().map(|range| range.len()).sum::<usize>();
        let buckets = (2 * count).next_power_of_two().max(16);
        self.mask = buckets as u32 - 1;
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        self.order.resize(count, 0);
        self.entries.resize(count, Seen::default());
        self.spots.resize(count, Spot::default());
        self.blocks.clear();
        self.blocks.resize(buckets / 8, 0);
        for one in ranges.clone().flat_map(|range| &seen[range]) {
            self.starts[(one.key & self.mask) as usize] += 1;
            let block = self.block_at(one.key >> 6);
            self.blocks[block] |= 1 << (one.key & 63);
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        // Backwards, so that equal keys keep their order and each start ends where its bucket begins.
        for index in ranges.rev().flat_map(Range::rev) {
            let start = &mut self.starts[(seen[index].key & self.mask) as usize];
            *start -= 1;
            self.order[*start as usize] = index as u32;
        }
        let order = &self.order;
        par_chunks(join, &mut self.entries, ENTRIES_AT_ONCE, &|first, entries| {
            for (entry, index) in entries.iter_mut().zip(&order[first..]) {
                *entry = seen[*index as usize];
            }
        });
        let entries = &self.entries;
        par_chunks(join, &mut self.spots, ENTRIES_AT_ONCE, &|first, spots| {
            for (spot, one) in spots.iter_mut().zip(&entries[first..]) {
                *spot = Spot { position: one.position, key: one.key };
            }
        });
    }

    /// Memory that it takes. Unit: bytes.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        let Self { starts, entries, spots, order, blocks, .. } = self;
        size_of_val(&starts[..])
            + size_of_val(&entries[..])
            + size_of_val(&spots[..])
            + size_of_val(&order[..])
            + size_of_val(&blocks[..])
    }

    /// Whether the grid is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Animals in one cell.
    pub fn cell(&self, key: u32) -> impl Iterator<Item = &Seen> {
        self.entries[self.bucket(key)].iter().filter(move |entry| entry.key == key)
    }

    /// Range of entries of a cell's bucket, shared with other cells: see [`Self::entry`].
    pub fn bucket(&self, key: u32) -> Range<usize> {
        let bucket = (key & self.mask) as usize;
        match self.is_empty() {
            true => 0..0,
            false => self.starts[bucket] as usize..self.starts[bucket + 1] as usize,
        }
    }

    /// Returns the entry at a place of [`Self::bucket`].
    pub fn entry(&self, place: usize) -> &Seen {
        &self.entries[place]
    }

    /// Returns the position of an entry.
    pub fn spot(&self, place: usize) -> &Spot {
        &self.spots[place]
    }

    /// Key of the cell that holds `p`.
    pub fn key_at(&self, p: Vec3) -> u32 {
        key(self.cell_of(p))
    }

    /// Keys of the eight cells nearest to `p`, its own first: together they reach at least half a side to each side.
    pub fn nearest_cells(&self, p: Vec3) -> [u32; 8] {
        let (own, base) = self.own_and_lowest(p);
        let other = base + (IVec3::ONE ^ (own - base));
        // One round of the hash for each coordinate that two, four or all eight share.
        let x = [own.x, other.x];
        let y = [own.y, other.y];
        let z = [own.z, other.z];
        let hx = x.map(|x| mixed(0, x >> 2));
        let hxy: [u32; 4] = std::array::from_fn(|i| mixed(hx[i & 1], y[i >> 1] >> 2));
        std::array::from_fn(|i| {
            let block = mixed(hxy[i & 3], z[i >> 2] >> 2);
            block << 6 | ((z[i >> 2] & 3) << 4 | (y[i >> 1 & 1] & 3) << 2 | (x[i & 1] & 3)) as u32
        })
    }

    /// Runs that hold the eight cells nearest to `p`, its own first, and how many runs there are: two cells in a row are
    /// mostly next to each other in memory.
    pub fn nearest_runs(&self, p: Vec3) -> ([Run; 8], usize) {
        let cells = self.nearest_cells(p);
        let mut runs = [const { Run { places: 0..0, keys: [0; 2] } }; 8];
        let mut count = 0;
        for &[own, other] in cells.as_chunks().0 {
            let (first, last) = (own.min(other), own.max(other));
            let is_one = last - first == 1 && last & self.mask != 0;
            let keys = if is_one { [[first, last], [own; 2]] } else { [[own; 2], [other; 2]] };
            for [first, last] in keys.into_iter().take(if is_one { 1 } else { 2 }) {
                let places = self.bucket(first).start..self.bucket(last).end;
                runs[count] = Run { places, keys: [first, last] };
                count += 1;
            }
        }
        (runs, count)
    }

    /// Visits the animals in the same eight cells, up to `most` of them; returns their number.
    ///
    /// One look at a block tells which of its cells are occupied: faster if most are empty.
    pub fn visit(&self, p: Vec3, most: usize, mut each: impl FnMut(&Seen)) -> usize {
        /// Bits `d` and `d + 1` of four that are `apart` bits from each other, for `d` from -1 to 3.
        fn two(d: i32, apart: i32) -> u64 {
            let two = 1 | 1 << apart;
            let all = u64::MAX >> (64 - 4 * apart);
            if d < 0 { two >> apart } else { two << (apart * d) & all }
        }
        if self.is_empty() {
            return 0;
        }
        let base = whole(p * self.cells_per_m - 0.5);
        let (from, to) = (base >> 2_i32, (base + 1) >> 2_i32);
        let mut visited = 0;
        for z in from.z..=to.z {
            for y in from.y..=to.y {
                for x in from.x..=to.x {
                    let block = IVec3::new(x, y, z);
                    let hash = block_key(block) & HASH_OF_BLOCK;
                    let first = base - (block << 2_i32);
                    let near = two(first.x, 1) * two(first.y, 4) * two(first.z, 16);
                    let mut cells = self.blocks[self.block_at(hash)] & near;
                    while cells != 0 {
                        for one in self.cell(hash << 6 | cells.trailing_zeros()).take(most - visited) {
                            each(one);
                            visited += 1;
                        }
                        cells &= cells - 1;
                    }
                }
            }
        }
        visited
    }

    /// Visits the animals in the cells within `reach` metres of `p`, those of its own block first; `each` returns the
    /// reach from then on. Some may be visited twice.
    pub fn visit_within<'g>(&'g self, p: Vec3, mut reach: f32, mut each: impl FnMut(&'g Seen) -> f32) {
        /// Distance by which rounding may put an animal into the next cell: at kilometres from the middle. Unit: m.
        const SLACK_M: f32 = 1e-3;
        let block_of = |p: Vec3| self.cell_of(p) >> 2_i32;
        let (own, from, to) = (block_of(p), block_of(p - reach - SLACK_M), block_of(p + reach + SLACK_M));
        if (to - from + 1).as_vec3().element_product() > self.entries.len() as f32 {
            self.entries.iter().for_each(|one| reach = each(one));
            return;
        }
        // Whether the cube of `side` metres at `corner` is in reach.
        let is_near = |corner: Vec3, side: f32, reach: f32| {
            let out = (corner - p).max(p - corner - side).max(Vec3::ZERO) - SLACK_M;
            out.max(Vec3::ZERO).length_squared() <= reach * reach
        };
        let side = 1.0 / self.cells_per_m;
        let mut visit = |block: IVec3| {
            let corner = (block << 2_i32).as_vec3() * side;
            if !is_near(corner, 4.0 * side, reach) {
                return;
            }
            let hash = block_key(block) & HASH_OF_BLOCK;
            let mut cells = self.blocks[self.block_at(hash)];
            while cells != 0 {
                let within = cells.trailing_zeros();
                let at = UVec3::new(within & 3, within >> 2 & 3, within >> 4).as_vec3() * side;
                if is_near(corner + at, side, reach) {
                    self.cell(hash << 6 | within).for_each(|one| reach = each(one));
                }
                cells &= cells - 1;
            }
        };
        visit(own);
        for z in from.z..=to.z {
            for y in from.y..=to.y {
                (from.x..=to.x).map(|x| IVec3::new(x, y, z)).filter(|block| *block != own).for_each(&mut visit);
            }
        }
    }

    /// Index in `blocks` of the block with a given hash.
    fn block_at(&self, hash: u32) -> usize {
        hash as usize & (self.blocks.len() - 1)
    }

    /// Cell that holds `p`, and the lowest of the eight nearest cells.
    fn own_and_lowest(&self, p: Vec3) -> (IVec3, IVec3) {
        let p = p * self.cells_per_m;
        (whole(p), whole(p - 0.5))
    }

    fn cell_of(&self, p: Vec3) -> IVec3 {
        whole(p * self.cells_per_m)
    }
}

/// Key of a cell: the hash of its block of 4 x 4 x 4 above its place in the block, so that cells near in space are
/// mostly near in memory.
fn key(cell: IVec3) -> u32 {
    let (block, within) = (cell >> 2_i32, cell & 3_i32);
    block_key(block) << 6 | (within.z << 4 | within.y << 2 | within.x) as u32
}

/// Hash of a block; a key holds its bits under [`HASH_OF_BLOCK`].
fn block_key(block: IVec3) -> u32 {
    [block.x, block.y, block.z].into_iter().fold(0, mixed)
}

/// Bits of a block's hash that fit in a key.
const HASH_OF_BLOCK: u32 = u32::MAX >> 6;

/// One round of the hash.
fn mixed(h: u32, c: i32) -> u32 {
    let h = (h ^ c as u32).wrapping_mul(0x85eb_ca6b);
    h ^ h >> 15
}

fn whole(p: Vec3) -> IVec3 {
    IVec3::new(floor(p.x), floor(p.y), floor(p.z))
}

#[cfg(test)]
mod tests {
    use math::serial;

    use super::*;

    fn seen(position: Vec3, index: u32, grid: &NeighbourGrid) -> Seen {
        Seen { position, key: grid.key_at(position), index, ..Seen::default() }
    }

    #[test]
    fn everyone_within_half_a_cell_is_found_once() {
        let places: Vec<Vec3> = (0..1000u32)
            .map(|i| Vec3::new((i * 37 % 101) as f32, (i * 53 % 97) as f32, (i * 71 % 89) as f32) * 0.05)
            .collect();
        let mut grid = NeighbourGrid::new(0.8);
        let seen: Vec<Seen> = (0..).zip(&places).map(|(i, &p)| seen(p, i, &grid)).collect();
        // All but a hundred of the animals.
        grid.rebuild(serial, &seen, [0..400, 500..1000].into_iter());
        for &p in places.iter().step_by(13) {
            let keys = grid.nearest_cells(p);
            let mut found: Vec<u32> = keys
                .iter()
                .flat_map(|&k| grid.cell(k))
                .filter(|one| one.position.distance(p) < 0.4)
                .map(|one| one.index)
                .collect();
            found.sort_unstable();
            let is_near = |i: &u32| places[*i as usize].distance(p) < 0.4;
            let wanted: Vec<u32> = (0..400).chain(500..1000).filter(is_near).collect();
            assert_eq!(found, wanted);
            let mut visited = Vec::new();
            grid.visit(p, usize::MAX, |one| visited.extend((one.position.distance(p) < 0.4).then_some(one.index)));
            visited.sort_unstable();
            assert_eq!(visited, wanted);
            assert_eq!(grid.visit(p, 3, |_| ()), keys.iter().map(|&k| grid.cell(k).count()).sum::<usize>().min(3));
        }
    }

    #[test]
    fn the_nearest_in_reach_is_found_as_in_a_search_of_all() {
        let spread = |i: u32, by: u32, of: u32| (i * by % of) as f32 * 0.11 - 5.0;
        let places = (0..3000u32).map(|i| Vec3::new(spread(i, 37, 101), spread(i, 53, 97), spread(i, 71, 89)));
        let mut grid = NeighbourGrid::new(0.3);
        let seen: Vec<Seen> = (0..).zip(places).map(|(i, p)| seen(p, i, &grid)).collect();
        grid.rebuild(serial, &seen, std::iter::once(0..seen.len()));
        // Few blocks, many, and more than there are animals.
        for (reach, nth) in [(0.25f32, 2), (1.1, 7), (2.5, 50), (30.0, 3000)] {
            for from in seen.iter().step_by(61) {
                let p = from.position + Vec3::new(0.07, -0.02, 0.04);
                let is_meant = |one: &Seen| one.index.is_multiple_of(nth);
                let near = |one: &&Seen| is_meant(one) && one.position.distance(p) < reach;
                let all = seen.iter().filter(near).map(|one| one.position.distance(p)).reduce(f32::min);
                let mut best = reach;
                let mut visited = 0;
                grid.visit_within(p, reach, |one| {
                    visited += 1;
                    best = if is_meant(one) { best.min(one.position.distance(p)) } else { best };
                    best
                });
                assert_eq!(best, all.unwrap_or(reach), "{reach} m about {p}");
                assert!(reach > 1.0 || visited < 300, "{visited} for {reach} m");
            }
        }
    }

    #[test]
    fn the_first_cell_is_the_own_one() {
        let grid = NeighbourGrid::new(0.7);
        for p in [Vec3::new(0.1, 0.9, -0.4), Vec3::new(-3.7, 2.2, 5.5)] {
            assert_eq!(grid.nearest_cells(p)[0], grid.key_at(p));
        }
    }

    #[test]
    fn cells_do_not_mix_and_an_empty_grid_answers() {
        let mut grid = NeighbourGrid::new(1.0);
        let [here, there] = [Vec3::splat(0.5), Vec3::splat(1.5)];
        assert_eq!(grid.cell(grid.key_at(here)).count(), 0);
        grid.rebuild(serial, &[seen(here, 0, &grid)], std::iter::once(0..1));
        assert_eq!(grid.cell(grid.key_at(here)).count(), 1);
        assert_eq!(grid.cell(grid.key_at(there)).count(), 0);
        grid.rebuild(serial, &[], std::iter::empty());
        assert!(grid.is_empty());
        assert_eq!(grid.cell(grid.key_at(here)).count(), 0);
    }
}
