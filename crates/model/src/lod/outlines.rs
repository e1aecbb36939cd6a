//! Outlines of a shape, seen from five sides, in cells.

use glam::{Vec2, Vec3};

/// Cells along the longest side of the bounds.
pub const CELLS: f32 = 64.0;
/// Cells round a view for parts that grow out of the bounds.
const MARGIN: f32 = 4.0;

/// Most columns of a view: the longest side seen along a diagonal, with its margins, is 99.
const MAX_COLUMNS: i32 = 128;

/// A shape's outlines from the side, from above, from ahead and from two ways between, compared with the wanted ones.
pub struct Outlines {
    views: [View; 5],
    /// Cells a model unit.
    per_unit: f32,
    /// Number of wrong cells of all views: covered but not wanted, or wanted but open.
    wrong: i32,
    /// Number of wanted cells of all views.
    wanted: i32,
}

struct View {
    /// Directions to the right and upward in the view.
    axes: [Vec3; 2],
    least: Vec2,
    width: i32,
    rows: Vec<Row>,
    /// Cells of each row that tried triangles cover.
    tried: Vec<u128>,
}

/// A row of cells, a bit each.
#[derive(Clone, Default)]
struct Row {
    wanted: u128,
    covered: u128,
    /// Number of triangles over each cell as binary digits, the ones first: a span of cells is counted at once.
    digits: Vec<u128>,
}

impl Row {
    /// Counts another triangle over the cells of `span`; returns the increase of wrong cells.
    fn add(&mut self, span: u128) -> i32 {
        let mut carry = span;
        for digit in &mut self.digits {
            if carry == 0 {
                break;
            }
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
        if carry != 0 {
            self.digits.push(carry);
        }
        let newly = span & !self.covered;
        self.covered |= span;
        self.wrong_of(newly)
    }

    /// Counts a triangle less over the cells of `span`, each of which has one; returns the increase of wrong cells.
    fn remove(&mut self, span: u128) -> i32 {
        let (mut borrow, mut left) = (span, 0);
        for digit in &mut self.digits {
            (*digit, borrow) = (*digit ^ borrow, !*digit & borrow);
            left |= *digit;
        }
        let bare = span & !left;
        self.covered &= !bare;
        -self.wrong_of(bare)
    }

    /// Increase of the row's wrong cells if `cells`, which were open, are covered.
    fn wrong_of(&self, cells: u128) -> i32 {
        // Most often none are, and counting bits is slow unless the build enables the processor's instruction for it.
        let count = |cells: u128| if cells == 0 { 0 } else { cells.count_ones() as i32 };
        count(cells & !self.wanted) - count(cells & self.wanted)
    }
}

impl Outlines {
    /// The outlines of `triangles`, which are wanted; nothing covers them yet. `None` for a shape without size.
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
            let width = (cells.x as i32).min(MAX_COLUMNS);
            let rows = vec![Row::default(); cells.y as usize];
            View { axes, least: min - MARGIN / per_unit, width, tried: vec![0; rows.len()], rows }
        });
        let mut this = Self { views, per_unit, wrong: 0, wanted: 0 };
        for view in &mut this.views {
            for triangle in triangles {
                view.spans(triangle, per_unit, |row, _, span| row.wanted |= span);
            }
            this.wanted += view.rows.iter().map(|row| row.wanted.count_ones() as i32).sum::<i32>();
        }
        this.wrong = this.wanted;
        (this.wanted > 0).then_some(this)
    }

    /// Lays a triangle over the cells.
    pub fn add(&mut self, triangle: &[Vec3; 3]) {
        for view in &mut self.views {
            view.spans(triangle, self.per_unit, |row, _, span| self.wrong += row.add(span));
        }
    }

    /// Takes away a triangle that was laid.
    pub fn remove(&mut self, triangle: &[Vec3; 3]) {
        for view in &mut self.views {
            view.spans(triangle, self.per_unit, |row, _, span| self.wrong += row.remove(span));
        }
    }

    /// Cells that are wrong, as a share of those wanted.
    pub fn wrong(&self) -> f64 {
        f64::from(self.wrong) / f64::from(self.wanted)
    }

    /// [`Self::wrong`] as it would be with `triangles` laid over the cells too.
    pub fn wrong_with(&mut self, triangles: &[[Vec3; 3]]) -> f64 {
        let mut wrong = self.wrong;
        for view in &mut self.views {
            view.tried.fill(0);
            for triangle in triangles {
                view.spans(triangle, self.per_unit, |row, tried, span| {
                    wrong += row.wrong_of(span & !(row.covered | *tried));
                    *tried |= span;
                });
            }
        }
        f64::from(wrong) / f64::from(self.wanted)
    }

    /// The side of a cell. Unit: model units.
    pub fn cell(&self) -> f32 {
        1.0 / self.per_unit
    }
}

impl View {
    /// Calls `each` for the rows in which the triangle covers centres of cells, with the row's tried cells and those
    /// cells.
    fn spans(&mut self, triangle: &[Vec3; 3], per_unit: f32, mut each: impl FnMut(&mut Row, &mut u128, u128)) {
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
        for row in cells_between(low, high, self.rows.len() as i32) {
            let y = row as f32 + 0.5;
            let (mut left, mut right) = (f32::MAX, f32::MIN);
            for (p, end, slope) in edges {
                if (p.y <= y) != (end <= y) {
                    let x = p.x + slope * (y - p.y);
                    (left, right) = (left.min(x), right.max(x));
                }
            }
            let columns = cells_between(left, right, self.width);
            if !columns.is_empty() {
                let span = u128::MAX >> (MAX_COLUMNS - (columns.end - columns.start)) << columns.start;
                each(&mut self.rows[row as usize], &mut self.tried[row as usize], span);
            }
        }
    }
}

/// The cells of `count` whose centres lie from `low` on and before `high`.
fn cells_between(low: f32, high: f32, count: i32) -> std::ops::Range<i32> {
    // The cast rounds toward zero, which is down here.
    let first_from = |x: f32| (x + 0.5).max(0.0) as i32;
    first_from(low)..first_from(high).min(count)
}
