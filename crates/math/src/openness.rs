//! How much of the light from all round, most of it from above, reaches a place on a craggy solid.

use glam::{IVec3, Vec3};

/// Share of the light from above that comes from the horizon, and from below: the sea is brighter above than below.
const FROM_ASIDE: f32 = 0.35;

/// Greatest number of cells along a side of the box: a surface of any size fits into a few megabytes.
const MAX_SIDE: f32 = 160.0;

/// Cells of space that a surface passes through.
#[derive(Clone, Debug)]
pub struct Occupied {
    low: Vec3,
    cell: f32,
    size: IVec3,
    filled: Vec<bool>,
}

impl Occupied {
    /// Cells that `triangles`, of finite corners, pass through: of the side `cell`, or larger if the surface is.
    pub fn by(triangles: impl Iterator<Item = [Vec3; 3]> + Clone, cell: f32) -> Self {
        let (low, high) = triangles
            .clone()
            .flatten()
            .fold((Vec3::MAX, Vec3::MIN), |(low, high), corner| (low.min(corner), high.max(corner)));
        let is_empty = low.x > high.x;
        let cell = if is_empty { cell } else { cell.max((high - low).max_element() / MAX_SIDE) };
        let size = if is_empty { IVec3::ZERO } else { ((high - low) / cell).as_ivec3() + IVec3::ONE };
        let mut all = Self { low, cell, size, filled: vec![false; size.element_product() as usize] };
        for [a, b, c] in triangles {
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let steps = (1.5 * longest / cell).ceil().max(1.0) as u32;
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let [s, t] = [i, j].map(|n| n as f32 / steps as f32);
                    if let Some(index) = all.index(a + (b - a) * s + (c - a) * t) {
                        all.filled[index] = true;
                    }
                }
            }
        }
        all
    }

    fn index(&self, at: Vec3) -> Option<usize> {
        let cell = ((at - self.low) / self.cell).floor().as_ivec3();
        let is_inside = cell.cmpge(IVec3::ZERO).all() && cell.cmplt(self.size).all();
        is_inside.then(|| ((cell.z * self.size.y + cell.y) * self.size.x + cell.x) as usize)
    }

    /// Whether a ray leaves the solid's box without meeting it, or goes farther than `reach`.
    fn escapes(&self, from: Vec3, way: Vec3, reach: f32) -> bool {
        let steps = (reach / self.cell) as u32;
        for n in 0..steps {
            match self.index(from + way * (n as f32 * self.cell)) {
                Some(index) if self.filled[index] => return false,
                None if n > 2 => return true,
                _ => {}
            }
        }
        true
    }

    /// Openness of a place on the surface with its normal, over that of a free face which looks the same way: 1 where
    /// nothing within `reach` stands between it and the water, 0 where all light is kept out.
    pub fn openness(&self, at: Vec3, normal: Vec3, reach: f32) -> f32 {
        let from = at + normal * (2.2 * self.cell);
        let (mut open, mut all) = (0.0, 0.0);
        for way in ways() {
            let weight = (FROM_ASIDE + way.y.max(0.0)) * way.dot(normal).max(0.0);
            if weight > 0.0 {
                all += weight;
                open += if self.escapes(from, way, reach) { weight } else { 0.0 };
            }
        }
        if all > 0.0 { open / all } else { 1.0 }
    }
}

/// Directions all round: to the corners, edges and faces of a cube, and between.
fn ways() -> impl Iterator<Item = Vec3> {
    let places = (-2..=2).flat_map(|x| (-2..=2).flat_map(move |y| (-2..=2).map(move |z| IVec3::new(x, y, z))));
    places.filter(|p| p.abs().max_element() == 2).map(|p| p.as_vec3().normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles over a rectangle.
    fn sheet(corner: Vec3, u: Vec3, v: Vec3) -> [[Vec3; 3]; 2] {
        [[corner, corner + u, corner + u + v], [corner, corner + u + v, corner + v]]
    }

    #[test]
    fn a_place_under_a_roof_is_less_open_than_one_before_it() {
        let floor = sheet(Vec3::new(-4.0, 0.0, -4.0), Vec3::X * 8.0, Vec3::Z * 8.0);
        let roof = sheet(Vec3::new(-2.0, 0.7, -2.0), Vec3::X * 4.0, Vec3::Z * 4.0);
        let solid = Occupied::by(floor.into_iter().chain(roof), 0.1);
        let open = solid.openness(Vec3::new(3.5, 0.0, 0.0), Vec3::Y, 3.0);
        let edge = solid.openness(Vec3::new(1.9, 0.0, 0.0), Vec3::Y, 3.0);
        let deep = solid.openness(Vec3::ZERO, Vec3::Y, 3.0);
        assert!(open > 0.85 && deep < 0.15 && deep < edge && edge < open, "{open} {edge} {deep}");
        let below = solid.openness(Vec3::new(0.0, 0.7, 0.0), Vec3::NEG_Y, 3.0);
        assert!(below < 0.7, "the floor is near: {below}");
    }

    #[test]
    fn a_surface_of_any_size_takes_little_memory() {
        let wide = sheet(Vec3::ZERO, Vec3::X * 1e6, Vec3::Z * 1e6);
        let solid = Occupied::by(wide.into_iter(), 0.1);
        assert!(solid.filled.len() <= 161 * 161, "{}", solid.filled.len());
        assert!(solid.openness(Vec3::new(5e5, 0.0, 5e5), Vec3::Y, 3.0) > 0.9);
    }

    #[test]
    fn without_a_surface_all_is_open() {
        let nothing = Occupied::by(std::iter::empty(), 0.1);
        assert_eq!(nothing.openness(Vec3::ZERO, Vec3::Y, 3.0), 1.0);
    }
}
