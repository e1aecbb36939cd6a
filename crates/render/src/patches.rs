//! A mesh in patches, of which those in view are drawn.

use std::ops::Range;

use gl::{Geometry, RenderState};
use glam::Vec3;

use crate::cull::Frustum;
use crate::frame_stats::FrameStats;

/// Squares along a side of a patch.
const SIDE: usize = 8;

/// A grid of squares in patches of [`SIDE`] by [`SIDE`], with the box of each.
pub struct Patches {
    patches: Vec<(Range<u32>, [Vec3; 8])>,
}

impl Patches {
    /// Orders the squares of a grid, six indices each and row by row, patch by patch.
    pub fn of_grid(positions: &[Vec3], squares: &[u32]) -> (Self, Vec<u32>) {
        let side = (squares.len() / 6).isqrt().max(1);
        let mut order: Vec<(usize, &[u32])> = squares.chunks(6).enumerate().collect();
        let patch = |square: usize| (square / side / SIDE, square % side / SIDE);
        order.sort_by_key(|(square, _)| patch(*square));
        let (mut patches, mut indices) = (Vec::new(), Vec::with_capacity(squares.len()));
        for group in order.chunk_by(|a, b| patch(a.0) == patch(b.0)) {
            let first = indices.len() as u32;
            indices.extend(group.iter().flat_map(|(_, square)| *square));
            let corners = indices[first as usize..].iter().map(|&index| positions[index as usize]);
            let (low, high) =
                corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
            let ends = [low, high];
            let corner = |i: usize| Vec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z);
            patches.push((first..indices.len() as u32, std::array::from_fn(corner)));
        }
        (Self { patches }, indices)
    }

    /// Ranges of the indices of patches that may be in view, in ascending order.
    pub fn in_view(&self, view: &Frustum) -> impl Iterator<Item = Range<u32>> {
        self.patches.iter().filter(|(_, corners)| view.may_show(corners, 0.0)).map(|(range, _)| range.clone())
    }
}

/// Draws these ascending ranges of `geometry` with the current program: one draw for those without a gap.
pub fn draw_ranges(
    geometry: &Geometry,
    state: RenderState,
    ranges: impl Iterator<Item = Range<u32>>,
    stats: &mut FrameStats,
) {
    for range in joined(ranges) {
        let count = range.end - range.start;
        geometry.draw(state, range.start, count);
        stats.draws += 1;
        stats.triangles += u64::from(count / 3);
    }
}

/// Ranges joined where there is no gap between them.
fn joined(ranges: impl Iterator<Item = Range<u32>>) -> impl Iterator<Item = Range<u32>> {
    let mut ranges = ranges.peekable();
    std::iter::from_fn(move || {
        let mut joined = ranges.next()?;
        while let Some(next) = ranges.next_if(|next| next.start == joined.end) {
            joined.end = next.end;
        }
        Some(joined)
    })
}

#[cfg(test)]
mod tests {
    use view::Camera;

    use super::*;

    /// A grid of `side` by `side` squares of a metre, its corner at the origin.
    fn grid(side: usize) -> (Vec<Vec3>, Vec<u32>) {
        let row = side + 1;
        let positions = (0..row * row).map(|i| Vec3::new((i % row) as f32, -3.0, (i / row) as f32)).collect();
        let square = |i: usize| {
            let [a, b] = [0, 1].map(|down| ((i / side + down) * row + i % side) as u32);
            [a, b, a + 1, a + 1, b, b + 1]
        };
        (positions, (0..side * side).flat_map(square).collect())
    }

    fn view(camera: &Camera) -> Frustum {
        Frustum::new(camera, camera.clip_from_view(1.5) * camera.view_from_world(), 100.0, 1e6)
    }

    #[test]
    fn every_triangle_is_in_one_patch() {
        let (positions, squares) = grid(21);
        let (patches, indices) = Patches::of_grid(&positions, &squares);
        let sorted = |indices: &[u32]| {
            let mut triangles: Vec<[u32; 3]> = indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
            triangles.sort();
            triangles
        };
        assert_eq!(sorted(&indices), sorted(&squares));
        assert_eq!(patches.patches.len(), 9);
        assert_eq!(
            joined(patches.patches.iter().map(|(range, _)| range.clone())).collect::<Vec<_>>(),
            vec![0..21 * 21 * 6]
        );
    }

    #[test]
    fn what_is_left_out_is_out_of_view() {
        let (positions, squares) = grid(40);
        let (patches, indices) = Patches::of_grid(&positions, &squares);
        for turn in 0..8 {
            let eye = Vec3::new(20.0, 0.0, 20.0);
            let toward = Vec3::new((turn as f32 * 0.8).cos(), -0.2, (turn as f32 * 0.8).sin());
            let view = view(&Camera::look_at(eye, eye + toward, 1.0));
            let drawn: Vec<_> = patches.in_view(&view).collect();
            let count: u32 = drawn.iter().map(|range| range.end - range.start).sum();
            assert!(count > 0 && (count as usize) < indices.len() / 2, "{count} of {}", indices.len());
            for (at, &index) in indices.iter().enumerate() {
                let is_seen = view.intersects_sphere(positions[index as usize], 0.0);
                assert!(!is_seen || drawn.iter().any(|range| range.contains(&(at as u32))));
            }
        }
    }
}
