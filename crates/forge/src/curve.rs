//! Smooth curves through given points: outlines, widths, time courses.

use math::smoothstep;

/// A curve y(x) through points, monotone between them (Fritsch & Carlson 1980), constant outside.
#[derive(Clone, Debug)]
pub struct Curve {
    points: Vec<(f32, f32)>,
    slopes: Vec<f32>,
}

impl Curve {
    /// A curve through points given in rising x.
    ///
    /// # Panics
    /// If there is no point or x does not rise: a maker's mistake.
    pub fn new(points: &[(f32, f32)]) -> Self {
        assert!(!points.is_empty(), "a curve needs a point");
        assert!(points.windows(2).all(|w| w[0].0 < w[1].0), "a curve's x must rise: {points:?}");
        let steps: Vec<f32> = points.windows(2).map(|w| (w[1].1 - w[0].1) / (w[1].0 - w[0].0)).collect();
        let slope = |i: usize| match (i.checked_sub(1).and_then(|k| steps.get(k)), steps.get(i)) {
            (Some(&a), Some(&b)) if a * b > 0.0 => {
                let (ha, hb) = (points[i].0 - points[i - 1].0, points[i + 1].0 - points[i].0);
                let (wa, wb) = (2.0 * hb + ha, hb + 2.0 * ha);
                (wa + wb) / (wa / a + wb / b)
            }
            (Some(_), Some(_)) => 0.0,
            (Some(&a), None) => a,
            (None, Some(&b)) => b,
            (None, None) => 0.0,
        };
        Self { slopes: (0..points.len()).map(slope).collect(), points: points.to_vec() }
    }

    /// y at x.
    pub fn at(&self, x: f32) -> f32 {
        let after = self.points.partition_point(|p| p.0 <= x);
        if after == 0 {
            return self.points[0].1;
        }
        let Some(&(x1, y1)) = self.points.get(after) else {
            return self.points[after - 1].1;
        };
        let (x0, y0) = self.points[after - 1];
        let h = x1 - x0;
        let t = (x - x0) / h;
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * y0
            + (t3 - 2.0 * t2 + t) * h * self.slopes[after - 1]
            + (3.0 * t2 - 2.0 * t3) * y1
            + (t3 - t2) * h * self.slopes[after]
    }

    /// Smallest and greatest x.
    pub fn span(&self) -> (f32, f32) {
        (self.points[0].0, self.points[self.points.len() - 1].0)
    }
}

/// A bump: 1 at `center`, 0 from `half_width` away, smooth.
pub fn bump(center: f32, half_width: f32, x: f32) -> f32 {
    1.0 - smoothstep(0.0, half_width, (x - center).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_through_its_points_without_overshoot() {
        let points = [(0.0, 0.0), (0.2, 1.0), (0.5, 1.0), (1.0, 0.25)];
        let curve = Curve::new(&points);
        for (x, y) in points {
            assert!((curve.at(x) - y).abs() < 1e-6);
        }
        assert!((0..=100).all(|i| (0.0..=1.0 + 1e-6).contains(&curve.at(i as f32 / 100.0))));
    }

    #[test]
    fn is_constant_outside() {
        let curve = Curve::new(&[(1.0, 3.0), (2.0, 5.0)]);
        assert_eq!((curve.at(0.0), curve.at(9.0)), (3.0, 5.0));
    }
}
