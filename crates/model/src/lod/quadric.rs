//! Quadric error: weighted squared distances to many planes, as one symmetric form (Garland and Heckbert 1997).

use glam::{DMat3, DVec3};

/// The sum over planes of weight times squared distance, as a function of position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quadric {
    xx: f64,
    xy: f64,
    xz: f64,
    yy: f64,
    yz: f64,
    zz: f64,
    b: DVec3,
    c: f64,
}

impl Quadric {
    /// The plane through `point` with the unit normal `normal`.
    pub fn plane(point: DVec3, normal: DVec3, weight: f64) -> Self {
        let n = normal;
        let d = -n.dot(point);
        Self {
            xx: weight * n.x * n.x,
            xy: weight * n.x * n.y,
            xz: weight * n.x * n.z,
            yy: weight * n.y * n.y,
            yz: weight * n.y * n.z,
            zz: weight * n.z * n.z,
            b: weight * d * n,
            c: weight * d * d,
        }
    }

    /// Adds the planes of `other`.
    pub fn add(&mut self, other: &Self) {
        self.xx += other.xx;
        self.xy += other.xy;
        self.xz += other.xz;
        self.yy += other.yy;
        self.yz += other.yz;
        self.zz += other.zz;
        self.b += other.b;
        self.c += other.c;
    }

    /// Position at which the sum plus `pull` times the squared distance from `near` is least.
    pub fn least(&self, near: DVec3, pull: f64) -> DVec3 {
        let matrix = DMat3::from_cols(
            DVec3::new(self.xx + pull, self.xy, self.xz),
            DVec3::new(self.xy, self.yy + pull, self.yz),
            DVec3::new(self.xz, self.yz, self.zz + pull),
        );
        let least = matrix.inverse() * (pull * near - self.b);
        if least.is_finite() { least } else { near }
    }

    /// The sum at `p`, at least 0.
    pub fn error(&self, p: DVec3) -> f64 {
        let a = DVec3::new(
            self.xx * p.x + self.xy * p.y + self.xz * p.z,
            self.xy * p.x + self.yy * p.y + self.yz * p.z,
            self.xz * p.x + self.yz * p.y + self.zz * p.z,
        );
        (a.dot(p) + 2.0 * self.b.dot(p) + self.c).max(0.0)
    }
}

/// Rank of a step in the queue by a cost of at least 0: equal for costs that differ by rounding only, such as those of
/// the two sides of an animal, so that the last bits of a model's numbers do not choose its far shapes.
pub fn rank(cost: f64) -> u64 {
    // Of the 52 bits of the mantissa 15 stay: steps of 3 in 100,000.
    cost.to_bits() >> 37
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_is_the_weighted_squared_distance() {
        let normal = DVec3::new(1.0, 2.0, -2.0) / 3.0;
        let mut quadric = Quadric::plane(DVec3::new(0.5, 0.25, 1.0), normal, 3.0);
        let at = |q: &Quadric, d: f64| q.error(DVec3::new(0.5, 0.25, 1.0) + normal * d);
        assert!((at(&quadric, 2.0) - 12.0).abs() < 1e-12);
        assert!(at(&quadric, 0.0) < 1e-12);
        quadric.add(&Quadric::plane(DVec3::new(0.5, 0.25, 1.0), DVec3::X, 1.0));
        assert!((at(&quadric, 3.0) - 28.0).abs() < 1e-12);
    }
}
