//! Roughness of outlines by counting boxes: a smooth one needs twice as many of half the size, a craggy one more.

use crate::slope_of_line;

/// Pixels that belong to a shape, row by row from the top.
#[derive(Clone, Debug)]
pub struct Mask {
    /// Pixels in a row.
    pub width: usize,
    /// One a pixel.
    pub inside: Vec<bool>,
}

impl Mask {
    fn at(&self, x: usize, y: usize) -> bool {
        x < self.width && self.inside.get(y * self.width + x).copied().unwrap_or(false)
    }

    /// Pixels of the shape that have a neighbour outside it. Where the shape runs out of the picture is no outline.
    fn outline(&self) -> Vec<(usize, usize)> {
        let height = self.inside.len() / self.width.max(1);
        let on_edge = |x: usize, y: usize| {
            let neighbours = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            neighbours.into_iter().any(|(nx, ny)| nx < self.width && ny < height && !self.at(nx, ny))
        };
        let all = (0..height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        all.filter(|&(x, y)| self.at(x, y) && on_edge(x, y)).collect()
    }
}

/// Box-counting dimension of a shape's outline: 1 if it is smooth, more the rougher it is (a Koch curve: 1.26). Boxes
/// are from `least` pixels to `greatest`, each twice the one before; of each size the fewest over several origins.
pub fn box_dimension(mask: &Mask, least: usize, greatest: usize) -> f64 {
    let outline = mask.outline();
    let boxes = |side: usize| {
        let shifts = (0..4).map(|k| (k % 2 * side / 2, k / 2 * side / 2));
        let count = |(right, down): (usize, usize)| {
            let mut met: Vec<(usize, usize)> =
                outline.iter().map(|(x, y)| ((x + right) / side, (y + down) / side)).collect();
            met.sort_unstable();
            met.dedup();
            met.len()
        };
        shifts.map(count).min().unwrap_or(0)
    };
    let sizes = std::iter::successors(Some(least.max(1)), |side| Some(side * 2)).take_while(|&side| side <= greatest);
    let points: Vec<(f64, f64)> = sizes
        .map(|side| (side, boxes(side)))
        .filter(|(_, count)| *count > 0)
        .map(|(side, count)| (-(side as f64).ln(), (count as f64).ln()))
        .collect();
    slope_of_line(&points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(side: usize, corners: &[(f64, f64)]) -> Mask {
        let is_inside = |i: usize| {
            let (x, y) = ((i % side) as f64 + 0.5, (i / side) as f64 + 0.5);
            let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
            let crossed =
                pairs.filter(|(a, b)| (a.1 > y) != (b.1 > y) && x < a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0));
            crossed.count() % 2 == 1
        };
        Mask { width: side, inside: (0..side * side).map(is_inside).collect() }
    }

    /// Koch's snowflake after some steps.
    fn snowflake(side: f64, steps: u32) -> Vec<(f64, f64)> {
        let corner = |k: f64| {
            let angle = std::f64::consts::TAU * k / 3.0;
            (side * (0.5 + 0.42 * angle.sin()), side * (0.5 + 0.42 * angle.cos()))
        };
        let mut points: Vec<(f64, f64)> = [0.0, 1.0, 2.0].map(corner).into();
        for _ in 0..steps {
            let pairs: Vec<_> = points.iter().copied().zip(points.iter().copied().cycle().skip(1)).collect();
            points = pairs
                .into_iter()
                .flat_map(|(a, b)| {
                    let third = ((b.0 - a.0) / 3.0, (b.1 - a.1) / 3.0);
                    let (sin, cos) = std::f64::consts::FRAC_PI_3.sin_cos();
                    let tip = (third.0 * cos - third.1 * sin, third.0 * sin + third.1 * cos);
                    let (p, q) = ((a.0 + third.0, a.1 + third.1), (b.0 - third.0, b.1 - third.1));
                    [a, p, (p.0 + tip.0, p.1 + tip.1), q]
                })
                .collect();
        }
        points
    }

    #[test]
    fn dimensions_are_those_of_known_shapes() {
        let circle: Vec<(f64, f64)> = (0..720)
            .map(|k| f64::from(k).to_radians() / 2.0)
            .map(|angle| (512.0 + 430.0 * angle.cos(), 512.0 + 430.0 * angle.sin()))
            .collect();
        let found = box_dimension(&polygon(1024, &circle), 4, 128);
        assert!((found - 1.0).abs() < 0.04, "{found}");
        let koch = box_dimension(&polygon(768, &snowflake(768.0, 4)), 8, 128);
        assert!((koch - 1.26).abs() < 0.06, "{koch}");
        assert_eq!(box_dimension(&Mask { width: 4, inside: vec![true; 16] }, 1, 4), 0.0, "no outline");
    }
}
