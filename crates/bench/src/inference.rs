//! Inference from a few runs a side: an interval for the ratio of medians, and a rank test; for runs that were measured
//! in turn, by their pairs.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Resamples of the bootstrap.
const RESAMPLES: usize = 10_000;
/// Seed of the bootstrap: the same two files always get the same interval.
const SEED: u64 = 0x0070_656c_6167_6963;
/// Values for which the rank test is exact; above, the normal approximation is close.
const EXACT_UP_TO: usize = 60;

/// 95 % percentile-bootstrap interval of median(`after`) / median(`before`), by resampling *runs*: frames of one run
/// depend on each other, and resampling them would find certainty that is not there.
///
/// `None` if a side is empty or its medians are not all above zero.
pub fn ratio_interval(before: &[f64], after: &[f64]) -> Option<(f64, f64)> {
    if before.iter().chain(after).any(|&value| value <= 0.0) {
        return None;
    }
    let mut random = Pcg64Mcg::seed_from_u64(SEED);
    let mut resample = Vec::with_capacity(before.len().max(after.len()));
    let mut median_of = |values: &[f64]| {
        resample.clear();
        resample.extend((0..values.len()).map(|_| values[random.random_range(0..values.len())]));
        math::median(&resample)
    };
    if before.is_empty() || after.is_empty() {
        return None;
    }
    let mut ratios = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        ratios.push(median_of(after)? / median_of(before)?);
    }
    ratios.sort_by(f64::total_cmp);
    Some((math::quantile(&ratios, 0.025), math::quantile(&ratios, 0.975)))
}

/// Values below which their median has no interval.
pub const FEWEST: usize = 5;

/// 95 % percentile-bootstrap interval of the median of `values`; `None` of fewer than [`FEWEST`].
pub fn median_interval(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < FEWEST {
        return None;
    }
    let mut random = Pcg64Mcg::seed_from_u64(SEED);
    let mut resample = Vec::with_capacity(values.len());
    let mut medians = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        resample.clear();
        resample.extend((0..values.len()).map(|_| values[random.random_range(0..values.len())]));
        medians.push(math::median(&resample)?);
    }
    medians.sort_by(f64::total_cmp);
    Some((math::quantile(&medians, 0.025), math::quantile(&medians, 0.975)))
}

/// Two-sided p of the Mann-Whitney U test: how often two samples of one distribution would differ in rank as much.
/// Exact, ties by mid-ranks, up to 60 values; else the normal approximation with correction for ties. `None` of an
/// empty side.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let ranks = doubled_ranks(a, b);
    let of_a: usize = ranks[..a.len()].iter().sum();
    let n = ranks.len();
    // Doubled rank sums are whole numbers; their mean is n_a (n + 1).
    let mean = (a.len() * (n + 1)) as f64;
    let distance = (of_a as f64 - mean).abs();
    if n <= EXACT_UP_TO {
        let ways = ways_by_sum(&ranks, a.len());
        let all: f64 = ways.iter().sum();
        let as_far = ways.iter().enumerate().filter(|&(sum, _)| (sum as f64 - mean).abs() >= distance - 1e-9);
        return Some(as_far.map(|(_, ways)| ways).sum::<f64>() / all);
    }
    let (n_a, n_b, n) = (a.len() as f64, b.len() as f64, n as f64);
    let mut sorted = ranks.clone();
    sorted.sort_unstable();
    let ties: f64 = sorted.chunk_by(|x, y| x == y).map(|tie| (tie.len() as f64).powi(3) - tie.len() as f64).sum();
    let variance = n_a * n_b / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
    if variance <= 0.0 {
        return Some(1.0);
    }
    // Half of the doubled distance, less the correction for continuity.
    let z = ((distance / 2.0 - 0.5).max(0.0)) / variance.sqrt();
    Some(complementary_error_function(z / std::f64::consts::SQRT_2))
}

/// Pairs below which the signed-rank test finds nothing at 95 %: of five, all one way, it is 2 of 2^5.
pub const FEWEST_PAIRS: usize = 6;

/// Two-sided p of Wilcoxon's signed-rank test: how often differences of pairs whose sides are alike would lie as much
/// to one side. Pairs without a difference are left out, ties have mid-ranks; exact up to 60 values, else the normal
/// approximation. `None` of no pairs.
pub fn signed_rank(differences: &[f64]) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    let differences: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let ranks = doubled_ranks(&sizes, &[]);
    let all: usize = ranks.iter().sum();
    let positive: usize = ranks.iter().zip(&differences).filter(|(_, d)| **d > 0.0).map(|(rank, _)| rank).sum();
    // Doubled rank sums are whole numbers; their mean is half of all.
    let mean = all as f64 / 2.0;
    let distance = (positive as f64 - mean).abs();
    if ranks.len() <= EXACT_UP_TO {
        let mut ways = vec![0.0; all + 1];
        ways[0] = 1.0;
        for &rank in &ranks {
            for sum in (rank..=all).rev() {
                ways[sum] += ways[sum - rank];
            }
        }
        let as_far = ways.iter().enumerate().filter(|&(sum, _)| (sum as f64 - mean).abs() >= distance - 1e-9);
        return Some(as_far.map(|(_, ways)| ways).sum::<f64>() / 2f64.powi(ranks.len() as i32));
    }
    let deviation = ranks.iter().map(|rank| (*rank as f64).powi(2) / 4.0).sum::<f64>().sqrt();
    Some(complementary_error_function(distance / deviation / std::f64::consts::SQRT_2))
}

/// Twice the mid-rank of each value of `a`, then of `b`, in both together; ranks count from 1.
fn doubled_ranks(a: &[f64], b: &[f64]) -> Vec<usize> {
    let all: Vec<f64> = a.iter().chain(b).copied().collect();
    let rank = |value: &f64| {
        let below = all.iter().filter(|other| *other < value).count();
        let equal = all.iter().filter(|other| *other == value).count();
        2 * below + equal + 1
    };
    all.iter().map(rank).collect()
}

/// Number of ways in which `size` of the ranks add up to each sum.
fn ways_by_sum(ranks: &[usize], size: usize) -> Vec<f64> {
    let greatest: usize = ranks.iter().sum();
    let mut ways = vec![vec![0.0; greatest + 1]; size + 1];
    ways[0][0] = 1.0;
    for &rank in ranks {
        for taken in (1..=size).rev() {
            for sum in (rank..=greatest).rev() {
                ways[taken][sum] += ways[taken - 1][sum - rank];
            }
        }
    }
    ways.swap_remove(size)
}

/// erfc for x >= 0, to 1.5e-7. Abramowitz and Stegun, 7.1.26.
fn complementary_error_function(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let polynomial =
        t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    polynomial * (-x * x).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: Option<f64>, wanted: f64, within: f64) {
        let got = got.expect("a value");
        assert!((got - wanted).abs() < within, "{got} is not {wanted}");
    }

    #[test]
    fn the_rank_test_agrees_with_counting() {
        // All of a below all of b: 2 of the C(6, 3) = 20 ways are as far out.
        close(mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 0.1, 1e-12);
        // Five a side: 2 of C(10, 5) = 252.
        close(mann_whitney(&[6.0, 7.0, 8.0, 9.0, 10.0], &[1.0, 2.0, 3.0, 4.0, 5.0]), 2.0 / 252.0, 1e-12);
        // Ranks 1 and 4 against 2 and 3: the sum is the mean, so everything is as far out.
        close(mann_whitney(&[1.0, 4.0], &[2.0, 3.0]), 1.0, 1e-12);
        // All equal.
        close(mann_whitney(&[5.0; 4], &[5.0; 3]), 1.0, 1e-12);
        assert_eq!(mann_whitney(&[], &[1.0]), None);
    }

    #[test]
    fn the_approximation_meets_the_exact_test() {
        let shifted = |n: usize, by: f64| (0..n).map(|i| i as f64 + by).collect::<Vec<_>>();
        let exact = mann_whitney(&shifted(30, 0.0), &shifted(30, 5.5)).expect("60 values");
        let approximate = mann_whitney(&shifted(31, 0.0), &shifted(30, 5.5)).expect("61 values");
        assert!((exact - approximate).abs() < 0.02, "{exact} and {approximate}");
        close(mann_whitney(&vec![1.0; 40], &vec![1.0; 40]), 1.0, 1e-6);
        // erfc(1) = 0.157299207...
        close(Some(complementary_error_function(1.0)), 0.157_299_207, 2e-7);
    }

    #[test]
    fn the_signed_rank_test_agrees_with_counting() {
        // All six one way: 2 of 2^6.
        close(signed_rank(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), 2.0 / 64.0, 1e-12);
        close(signed_rank(&[-0.1, -0.2, -0.3, -0.4, -0.5]), 2.0 / 32.0, 1e-12);
        // The least of four the other way: sums 9, 10 and 0, 1 of 0 to 10.
        close(signed_rank(&[-1.0, 2.0, 3.0, 4.0]), 4.0 / 16.0, 1e-12);
        // Mid-ranks 1.5 and 1.5 balance.
        close(signed_rank(&[1.0, -1.0]), 1.0, 1e-12);
        close(signed_rank(&[0.0; 5]), 1.0, 1e-12);
        assert_eq!(signed_rank(&[]), None);
        let alternating = |n: usize| (0..n).map(|i| (i + 1) as f64 * if i % 3 == 0 { -1.0 } else { 1.0 });
        let exact = signed_rank(&alternating(60).collect::<Vec<_>>()).expect("60 values");
        let approximate = signed_rank(&alternating(61).collect::<Vec<_>>()).expect("61 values");
        assert!((exact - approximate).abs() < 0.02, "{exact} and {approximate}");
    }

    #[test]
    fn the_interval_holds_the_ratio_and_is_the_same_every_time() {
        let before = [10.0, 10.2, 9.9, 10.1, 10.0];
        let after = [12.0, 12.3, 11.8, 12.1, 12.0];
        let (low, high) = ratio_interval(&before, &after).expect("an interval");
        assert!(low < 1.2 && 1.2 < high && low > 1.15 && high < 1.25, "{low} to {high}");
        assert_eq!(ratio_interval(&before, &after), Some((low, high)));
    }

    #[test]
    fn one_run_a_side_gives_an_interval_of_no_width_and_none_gives_none() {
        assert_eq!(ratio_interval(&[10.0], &[11.0]), Some((1.1, 1.1)));
        assert_eq!(ratio_interval(&[], &[11.0]), None);
        assert_eq!(ratio_interval(&[0.0, 1.0], &[1.0]), None, "no ratio to nothing");
    }
}
