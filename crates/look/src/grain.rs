//! Direction of the grain: stone is rough all ways, what is combed along a slope is smeared.

use crate::Luma;

/// Anisotropy of the structure tensor over a picture: 0 if gradients point all ways alike, 1 if all along one line
/// (Bigün and Granlund 1987).
pub fn anisotropy(luma: &Luma) -> f64 {
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for y in 0..luma.height() as i64 {
        for x in 0..luma.width as i64 {
            let row = |dy: i64| luma.at(x - 1, y + dy) + 2.0 * luma.at(x, y + dy) + luma.at(x + 1, y + dy);
            let column = |dx: i64| luma.at(x + dx, y - 1) + 2.0 * luma.at(x + dx, y) + luma.at(x + dx, y + 1);
            let (gx, gy) = (column(1) - column(-1), row(1) - row(-1));
            (xx, xy, yy) = (xx + gx * gx, xy + gx * gy, yy + gy * gy);
        }
    }
    let sum = xx + yy;
    if sum > 0.0 { ((xx - yy).powi(2) + 4.0 * xy * xy).sqrt() / sum } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripes_are_combed_and_rings_are_not() {
        let of = |value: fn(f64, f64) -> f64| {
            let values = (0..64 * 64).map(|i| value(f64::from(i % 64) - 31.5, f64::from(i / 64) - 31.5)).collect();
            anisotropy(&Luma { width: 64, values })
        };
        assert!(of(|x, y| (0.6 * x + 0.8 * y).sin()) > 0.98);
        assert!(of(|x, y| x.hypot(y).sin()) < 0.02);
        assert_eq!(of(|_, _| 0.3), 0.0);
    }
}
