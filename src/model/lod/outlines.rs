//! What a shape covers, seen from five sides, as counts in cells.

use glam::{Vec2, Vec3};

/// Cells along the longest side of the bounds.
pub const CELLS: f32 = 64.0;
/// Cells round a view for what grows out of the bounds.
const MARGIN: f32 = 4.0;

/// A shape's outlines from the side, from above, from ahead and from between, held against those it should have.
pub struct Outlines {
    views: [View; 5],
    /// Cells a model unit.
    per_unit: f32,
    /// Cells covered where none should be or open where they should be covered, of all views.
    wrong: i32,
    /// Cells that should be covered, of all views.
    wanted: i32,
}

struct View {
    /// To the right and upward in it.
    axes: [Vec3; 2],
    least: Vec2,
    width: i32,
    height: i32,
    wanted: Vec<bool>,
    /// Triangles over each cell.
    over: Vec<u32>,
}

impl Outlines {
    /// The outlines of `triangles`, which are wanted; nothing covers them yet. `None` for what has no size.
    pub fn of(triangles: &[[Vec3; 3]]) -> Option<Self> {
        let corners = || triangles.iter().flatten().filter(|p| p.is_finite());
        let (min, max) = corners().fold((Vec3::MAX, Vec3::MIN), |(min, max), p| (min.min(*p), max.max(*p)));
        let per_unit = CELLS / (max - min).max_element();
        if !(per_unit.is_finite() && per_unit > 0.0) {
            return None;
        }
        let views = [
            [Vec3::Z, Vec3::Y],
            [Vec3::Z, Vec3::X],
            [Vec3::X, Vec3::Y],
            [Vec3::new(0.7, 0.0, 0.7), Vec3::new(0.3, 0.9, -0.3)],
            [Vec3::new(-0.7, 0.0, 0.7), Vec3::new(-0.3, 0.9, -0.3)],
        ]
        .map(|axes| {
            let pick = |p: Vec3| Vec2::new(p.dot(axes[0]), p.dot(axes[1]));
            let (min, max) = corners().map(|p| pick(*p)).fold((Vec2::MAX, Vec2::MIN), |(a, b), p| (a.min(p), b.max(p)));
            let cells = ((max - min) * per_unit + 2.0 * MARGIN).ceil();
            let (width, height) = (cells.x as i32, cells.y as i32);
            let count = (width * height) as usize;
            let least = min - MARGIN / per_unit;
            View { axes, least, width, height, wanted: vec![false; count], over: vec![0; count] }
        });
        let mut this = Self { views, per_unit, wrong: 0, wanted: 0 };
        for view in &mut this.views {
            let mut wanted = std::mem::take(&mut view.wanted);
            triangles.iter().for_each(|triangle| view.cells(triangle, per_unit, |cell| wanted[cell] = true));
            this.wanted += wanted.iter().filter(|wanted| **wanted).count() as i32;
            view.wanted = wanted;
        }
        this.wrong = this.wanted;
        (this.wanted > 0).then_some(this)
    }

    /// Lays a triangle over the cells.
    pub fn add(&mut self, triangle: &[Vec3; 3]) {
        for view in &mut self.views {
            let mut over = std::mem::take(&mut view.over);
            view.cells(triangle, self.per_unit, |cell| {
                if over[cell] == 0 {
                    self.wrong += if view.wanted[cell] { -1 } else { 1 };
                }
                over[cell] += 1;
            });
            view.over = over;
        }
    }

    /// Takes away a triangle that was laid.
    pub fn remove(&mut self, triangle: &[Vec3; 3]) {
        for view in &mut self.views {
            let mut over = std::mem::take(&mut view.over);
            view.cells(triangle, self.per_unit, |cell| {
                over[cell] -= 1;
                if over[cell] == 0 {
                    self.wrong += if view.wanted[cell] { 1 } else { -1 };
                }
            });
            view.over = over;
        }
    }

    /// Cells that are wrong, as a share of those wanted.
    pub fn wrong(&self) -> f64 {
        f64::from(self.wrong) / f64::from(self.wanted)
    }

    /// The side of a cell. Unit: model units.
    pub fn cell(&self) -> f32 {
        1.0 / self.per_unit
    }
}

impl View {
    /// Calls `each` for the cells whose middle the triangle covers.
    fn cells(&self, triangle: &[Vec3; 3], per_unit: f32, mut each: impl FnMut(usize)) {
        let [a, b, c] = triangle.map(|p| (Vec2::new(p.dot(self.axes[0]), p.dot(self.axes[1])) - self.least) * per_unit);
        let (low, high) = (a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        // Seen on edge it covers no cell.
        if (b - a).perp_dot(c - a) == 0.0 {
            return;
        }
        if !(a.is_finite() && b.is_finite() && c.is_finite()) {
            return;
        }
        let edges = [(a, b), (b, c), (c, a)].map(|(p, q)| (p, q.y, (q.x - p.x) / (q.y - p.y)));
        for row in cells_between(low, high, self.height) {
            let y = row as f32 + 0.5;
            let (mut left, mut right) = (f32::MAX, f32::MIN);
            for (p, end, slope) in edges {
                if (p.y <= y) != (end <= y) {
                    let x = p.x + slope * (y - p.y);
                    (left, right) = (left.min(x), right.max(x));
                }
            }
            let start = row * self.width;
            for column in cells_between(left, right, self.width) {
                each((start + column) as usize);
            }
        }
    }
}

/// The cells of so many whose middles lie from `low` on and before `high`.
fn cells_between(low: f32, high: f32, count: i32) -> std::ops::Range<i32> {
    // The cast rounds toward zero, which is down here.
    let first_from = |x: f32| (x + 0.5).max(0.0) as i32;
    first_from(low)..first_from(high).min(count)
}
