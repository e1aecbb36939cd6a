//! Heights of the seabed, rasterised from its mesh, so that a camera can keep above it.

use math::mix;
use view::SeabedMesh;

/// Cells along a side of the grid.
const CELLS: usize = 256;

/// Greatest height of the seabed in each cell of a grid over it.
#[derive(Clone, Debug)]
pub struct GroundHeights {
    heights: Vec<f32>,
    origin: [f32; 2],
    cell_m: [f32; 2],
}

impl GroundHeights {
    /// Rasterises the mesh's triangles; `None` for a mesh without triangles.
    pub fn new(mesh: &SeabedMesh) -> Option<Self> {
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for p in mesh.positions.iter().filter(|p| p.is_finite()) {
            for (axis, value) in [p.x, p.z].into_iter().enumerate() {
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        if high[0] <= low[0] || high[1] <= low[1] || mesh.indices.len() < 3 {
            return None;
        }
        let cell_m = [0, 1].map(|axis| (high[axis] - low[axis]) / CELLS as f32);
        let mut ground = Self { heights: vec![f32::NEG_INFINITY; CELLS * CELLS], origin: low, cell_m };
        for triangle in mesh.indices.chunks_exact(3) {
            let corners = [0, 1, 2].map(|i| mesh.positions.get(triangle[i] as usize).copied());
            let [Some(a), Some(b), Some(c)] = corners else { continue };
            // The triangle's box, each cell with its highest corner: never too low, and a triangle is small.
            let top = a.y.max(b.y).max(c.y);
            let (x0, z0) = ground.cell(a.x.min(b.x).min(c.x), a.z.min(b.z).min(c.z));
            let (x1, z1) = ground.cell(a.x.max(b.x).max(c.x), a.z.max(b.z).max(c.z));
            for z in z0..=z1 {
                for height in &mut ground.heights[z * CELLS + x0..=z * CELLS + x1] {
                    *height = height.max(top);
                }
            }
        }
        let lowest = ground.heights.iter().copied().filter(|height| height.is_finite()).fold(f32::INFINITY, f32::min);
        ground.heights.iter_mut().filter(|height| !height.is_finite()).for_each(|height| *height = lowest);
        lowest.is_finite().then_some(ground)
    }

    /// Height about (x, z) in metres, never below the seabed; beyond the rim the rim's height. Continuous.
    pub fn height(&self, x: f32, z: f32) -> f32 {
        let place =
            |value: f32, axis: usize| ((value - self.origin[axis]) / self.cell_m[axis]).max(0.0).min(CELLS as f32);
        let (x, z) = (place(x, 0), place(z, 1));
        let (column, row) = ((x as usize).min(CELLS - 1), (z as usize).min(CELLS - 1));
        let (across, along) = (x - column as f32, z - row as f32);
        let side = |row: usize| mix(self.corner(column, row), self.corner(column + 1, row), across);
        mix(side(row), side(row + 1), along)
    }

    /// Greatest height in the cells that meet at a corner of the grid.
    fn corner(&self, column: usize, row: usize) -> f32 {
        let cells = |at: usize| at.saturating_sub(1)..=at.min(CELLS - 1);
        let heights = cells(row).flat_map(|row| cells(column).map(move |column| self.heights[row * CELLS + column]));
        heights.fold(f32::NEG_INFINITY, f32::max)
    }

    fn cell(&self, x: f32, z: f32) -> (usize, usize) {
        let index = |value: f32, axis: usize| {
            (((value - self.origin[axis]) / self.cell_m[axis]).max(0.0) as usize).min(CELLS - 1)
        };
        (index(x, 0), index(z, 1))
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// A slope of 100 m x 100 m that rises by half of x.
    fn slope() -> SeabedMesh {
        let side = 51;
        let at = |i: usize| i as f32 * 2.0 - 50.0;
        let positions =
            (0..side * side).map(|i| Vec3::new(at(i % side), -20.0 + at(i % side) * 0.5, at(i / side))).collect();
        let mut indices = Vec::new();
        for z in 0..side - 1 {
            for x in 0..side - 1 {
                let i = (z * side + x) as u32;
                let s = side as u32;
                indices.extend([i, i + s, i + 1, i + 1, i + s, i + s + 1]);
            }
        }
        SeabedMesh { positions, indices, ..SeabedMesh::default() }
    }

    #[test]
    fn heights_are_never_below_the_mesh_and_close_above_it() {
        let ground = GroundHeights::new(&slope()).expect("a mesh");
        for x in [-49.0, -13.3, 0.0, 7.7, 49.5_f32] {
            let real = -20.0 + 0.5 * x;
            let height = ground.height(x, 11.1);
            assert!(height >= real - 1e-3 && height < real + 2.5, "{x}: {height} over {real}");
            let beside = ground.height(x + 0.01, 11.1);
            assert!((beside - height).abs() < 0.06, "a step at {x}: from {height} to {beside}");
        }
    }

    #[test]
    fn beyond_the_rim_its_height_goes_on() {
        let ground = GroundHeights::new(&slope()).expect("a mesh");
        assert_eq!(ground.height(1e6, 0.0), ground.height(49.9, 0.0));
        assert_eq!(ground.height(f32::NAN, f32::NAN), ground.height(-50.0, -50.0));
    }

    #[test]
    fn an_empty_mesh_is_no_ground() {
        assert!(GroundHeights::new(&SeabedMesh::default()).is_none());
    }
}
