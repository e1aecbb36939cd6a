//! Order statistics.

/// Quantile `p` (0..=1) of sorted values, type 7 of Hyndman and Fan (1996): linear between order statistics.
///
/// # Panics
/// If there are no values.
pub fn quantile(sorted: &[f64], p: f64) -> f64 {
    assert!(!sorted.is_empty(), "a quantile of nothing");
    let place = (sorted.len() - 1) as f64 * p.clamp(0.0, 1.0);
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// Median of values in any order; `None` without values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    (!sorted.is_empty()).then(|| quantile(&sorted, 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_type_seven() {
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
        // h = (n - 1) p: 1.0 -> x[1]; 3.6 -> 8 + 0.6 * 8; 3.96 -> 8 + 0.96 * 8.
        for (p, wanted) in [(0.0, 1.0), (0.25, 2.0), (0.5, 4.0), (0.9, 12.8), (0.99, 15.68), (1.0, 16.0)] {
            assert!((quantile(&sorted, p) - wanted).abs() < 1e-12);
        }
        assert_eq!(quantile(&[7.0], 0.99), 7.0);
        assert_eq!(median(&[3.0, 1.0, 2.0, 10.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }
}
