//! Statistics of frame times: their definitions, their names, and the numbers of frames that they need.
//!
//! "1 % low" has three incompatible meanings; all three are here, each under its own name:
//!
//! | field | meaning | also known as |
//! |---|---|---|
//! | `low_1pct_fps` | rate at the **mean of the slowest 1 %** of frames | what most reviews mean |
//! | `p1_fps` | rate at the 99th **percentile** of the frame time | CapFrameX "P1" (nearly) |
//! | `integral_1pct_fps` | rate at the frame where the slowest have used up **1 % of the time** | MSI Afterburner |
//!
//! A figure that needs more frames than there are is `None` and a note says how many it needs: an extreme of thirty
//! frames is an anecdote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use math::quantile;

/// Fewest frames for a rate or any percentile but the median: one alone may end before the driver has drawn it.
pub const RATE_MIN_FRAMES: usize = 2;
/// Frame times below this are not drawn frames, and have no rate. Unit: ms.
const SHORTEST_MS: f64 = 1e-3;
/// Fewest frames for a 99th percentile.
pub const P99_MIN_FRAMES: usize = 100;
/// Fewest frames for any of the three 1 % lows.
pub const LOW_1PCT_MIN_FRAMES: usize = 300;
/// Fewest frames for a 99.9th percentile and the 0.1 % lows.
pub const LOW_0_1PCT_MIN_FRAMES: usize = 1000;
/// Frames over which the moving median is taken, from which a stutter stands out.
pub const STUTTER_WINDOW: usize = 30;
/// Multiple of the moving median that a stutter exceeds.
pub const STUTTER_FACTOR: f64 = 2.5;
/// Least time by which a stutter exceeds the moving median. Unit: ms.
pub const STUTTER_EXCESS_MS: f64 = 4.0;
/// Longer frames are long stutters, however long the others take. Unit: ms.
pub const LONG_STUTTER_MS: f64 = 60.0;
/// Frames that begin this soon after a long stutter ended belong to it. Unit: ms.
pub const LONG_STUTTER_DEAD_MS: f64 = 200.0;

/// Metrics of one run's frame times. Times in milliseconds; a rate is 1000 over a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::schema::non_negative, transform = crate::schema::old_names)]
pub struct Metrics {
    /// Frames.
    pub n: usize,
    /// Sum of the frame times. Unit: s.
    pub duration_s: f64,
    /// Frames over duration, of two or more; never the mean of the single frames' rates.
    pub fps_avg: Option<f64>,
    /// Arithmetic mean.
    pub mean_ms: Option<f64>,
    /// Median.
    pub median_ms: Option<f64>,
    /// Sample standard deviation (n - 1).
    pub stdev_ms: Option<f64>,
    /// Coefficient of variation: standard deviation over mean. Unit: 1.
    pub cv: Option<f64>,
    /// Median absolute deviation from the median, not rescaled.
    pub mad_ms: Option<f64>,
    /// 50th percentile. All percentiles are of type 7: linear between order statistics.
    pub p50_ms: Option<f64>,
    /// 90th percentile.
    pub p90_ms: Option<f64>,
    /// 95th percentile.
    pub p95_ms: Option<f64>,
    /// 99th percentile.
    pub p99_ms: Option<f64>,
    /// 99.9th percentile.
    pub p99_9_ms: Option<f64>,
    /// Shortest frame.
    pub min_ms: Option<f64>,
    /// Longest frame.
    pub max_ms: Option<f64>,
    /// Rate at the mean of the slowest 1 % of frames, their number rounded up.
    pub low_1pct_fps: Option<f64>,
    /// Rate at the mean of the slowest 0.1 % of frames, their number rounded up.
    pub low_0_1pct_fps: Option<f64>,
    /// Rate at the 99th percentile.
    pub p1_fps: Option<f64>,
    /// Rate at the 99.9th percentile.
    pub p0_1_fps: Option<f64>,
    /// Rate at the frame where the slowest frames have used up 1 % of the duration.
    pub integral_1pct_fps: Option<f64>,
    /// Rate at the frame where the slowest frames have used up 0.1 % of the duration.
    pub integral_0_1pct_fps: Option<f64>,
    /// Mean change from one frame to the next.
    pub pacing_ms: Option<f64>,
    /// Frames that take more than [`STUTTER_FACTOR`] times the moving median of the [`STUTTER_WINDOW`] frames about
    /// them, and over [`STUTTER_EXCESS_MS`] more.
    pub stutter_count: usize,
    /// Share of the duration spent in stutters. Unit: %.
    pub stutter_time_pct: f64,
    /// Frames over [`LONG_STUTTER_MS`], those within [`LONG_STUTTER_DEAD_MS`] of the last one counted left out.
    // Its name in older results.
    #[serde(alias = "hitch_count")]
    pub long_stutter_count: usize,
    /// Share of frames over 16.67 ms. Unit: %.
    pub over_16_67_ms_pct: f64,
    /// Share of frames over 33.33 ms. Unit: %.
    pub over_33_33_ms_pct: f64,
}

impl Metrics {
    /// Computes everything from the frame times of one run, in the order they were measured, and says in `notes`
    /// what it left out.
    pub fn of(frame_ms: &[f64], notes: &mut Vec<String>) -> Self {
        let n = frame_ms.len();
        if n == 0 {
            notes.push("no frames were measured".into());
            return Self::default();
        }
        let mut sorted = frame_ms.to_vec();
        sorted.sort_by(f64::total_cmp);
        let total_ms: f64 = frame_ms.iter().sum();
        let mean = total_ms / n as f64;
        let median = quantile(&sorted, 0.5);
        let mut deviations: Vec<f64> = sorted.iter().map(|f| (f - median).abs()).collect();
        deviations.sort_by(f64::total_cmp);
        let stdev = (n > 1).then(|| (frame_ms.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / (n - 1) as f64).sqrt());
        let has_rate = gate(n, RATE_MIN_FRAMES, "rates and percentiles need", notes);
        let p99 = gate(n, P99_MIN_FRAMES, "the 99th percentile needs", notes).then(|| quantile(&sorted, 0.99));
        let low_1pct = gate(n, LOW_1PCT_MIN_FRAMES, "the 1 % lows need", notes);
        let low_0_1pct = gate(n, LOW_0_1PCT_MIN_FRAMES, "the 99.9th percentile and the 0.1 % lows need", notes);
        let p99_9 = low_0_1pct.then(|| quantile(&sorted, 0.999));
        let (stutter_count, stutter_ms) = stutters(frame_ms);
        Self {
            n,
            duration_s: total_ms / 1000.0,
            fps_avg: has_rate.then_some(mean).and_then(rate),
            mean_ms: Some(mean),
            median_ms: Some(median),
            stdev_ms: stdev,
            cv: stdev.filter(|_| mean > 0.0).map(|s| s / mean),
            mad_ms: Some(quantile(&deviations, 0.5)),
            p50_ms: Some(median),
            p90_ms: has_rate.then(|| quantile(&sorted, 0.90)),
            p95_ms: has_rate.then(|| quantile(&sorted, 0.95)),
            p99_ms: p99,
            p99_9_ms: p99_9,
            min_ms: sorted.first().copied(),
            max_ms: sorted.last().copied(),
            low_1pct_fps: low_1pct.then(|| mean_of_slowest(&sorted, n.div_ceil(100))).and_then(rate),
            low_0_1pct_fps: low_0_1pct.then(|| mean_of_slowest(&sorted, n.div_ceil(1000))).and_then(rate),
            p1_fps: p99.filter(|_| low_1pct).and_then(rate),
            p0_1_fps: p99_9.and_then(rate),
            integral_1pct_fps: low_1pct.then(|| time_integral(&sorted, 0.01)).and_then(rate),
            integral_0_1pct_fps: low_0_1pct.then(|| time_integral(&sorted, 0.001)).and_then(rate),
            pacing_ms: pacing(frame_ms),
            stutter_count,
            stutter_time_pct: if total_ms > 0.0 { 100.0 * stutter_ms / total_ms } else { 0.0 },
            long_stutter_count: long_stutters(frame_ms),
            over_16_67_ms_pct: share_over(frame_ms, 16.67),
            over_33_33_ms_pct: share_over(frame_ms, 33.33),
        }
    }
}

/// Sample standard deviation over mean; `None` of fewer than two values or a mean of zero.
pub fn coefficient_of_variation(values: &[f64]) -> Option<f64> {
    let n = values.len();
    let mean = values.iter().sum::<f64>() / n as f64;
    if n < 2 || mean == 0.0 {
        return None;
    }
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1) as f64;
    Some(variance.sqrt() / mean)
}

/// Frames a second at a frame time; `None` of a time in which nothing is drawn.
pub fn rate(frame_ms: f64) -> Option<f64> {
    (frame_ms >= SHORTEST_MS).then(|| 1000.0 / frame_ms)
}

fn gate(n: usize, needed: usize, what_needs: &str, notes: &mut Vec<String>) -> bool {
    if n < needed {
        notes.push(format!("{what_needs} {needed} frames, this run has {n}"));
    }
    n >= needed
}

fn mean_of_slowest(sorted: &[f64], count: usize) -> f64 {
    let slowest = &sorted[sorted.len() - count..];
    slowest.iter().sum::<f64>() / count as f64
}

fn time_integral(sorted: &[f64], share: f64) -> f64 {
    let limit = share * sorted.iter().sum::<f64>();
    let mut used = 0.0;
    for &frame in sorted.iter().rev() {
        used += frame;
        if used >= limit {
            return frame;
        }
    }
    sorted[0]
}

fn pacing(frame_ms: &[f64]) -> Option<f64> {
    let changes = frame_ms.len().checked_sub(1).filter(|&n| n > 0)?;
    Some(frame_ms.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum::<f64>() / changes as f64)
}

/// Indices of the frames that are stutters.
pub fn stutter_frames(frame_ms: &[f64]) -> Vec<usize> {
    let n = frame_ms.len();
    let mut window = Vec::with_capacity(STUTTER_WINDOW);
    let stands_out = |&i: &usize| {
        let from = i.saturating_sub(STUTTER_WINDOW / 2);
        let to = (i + STUTTER_WINDOW / 2).min(n);
        window.clear();
        window.extend_from_slice(&frame_ms[from..to]);
        window.sort_by(f64::total_cmp);
        let usual = quantile(&window, 0.5);
        frame_ms[i] > STUTTER_FACTOR * usual && frame_ms[i] > usual + STUTTER_EXCESS_MS
    };
    (0..n).filter(stands_out).collect()
}

fn stutters(frame_ms: &[f64]) -> (usize, f64) {
    let frames = stutter_frames(frame_ms);
    // A sum of nothing is -0.0.
    (frames.len(), frames.iter().map(|&i| frame_ms[i]).fold(0.0, |sum, ms| sum + ms))
}

fn long_stutters(frame_ms: &[f64]) -> usize {
    let mut count = 0;
    let mut dead_until_ms = 0.0;
    let mut start_ms = 0.0;
    for &frame in frame_ms {
        let end_ms = start_ms + frame;
        if frame > LONG_STUTTER_MS && start_ms >= dead_until_ms {
            count += 1;
            dead_until_ms = end_ms + LONG_STUTTER_DEAD_MS;
        }
        start_ms = end_ms;
    }
    count
}

fn share_over(frame_ms: &[f64], limit_ms: f64) -> f64 {
    100.0 * frame_ms.iter().filter(|&&f| f > limit_ms).count() as f64 / frame_ms.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(frame_ms: &[f64]) -> Metrics {
        Metrics::of(frame_ms, &mut Vec::new())
    }

    fn close(got: Option<f64>, wanted: f64) {
        let got = got.expect("a value");
        assert!((got - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "{got} is not {wanted}");
    }

    #[test]
    fn centre_and_spread_agree_with_the_hand() {
        let m = metrics(&[10.0, 12.0, 23.0, 11.0]);
        // Sum 56, mean 14; squared deviations 16 + 4 + 81 + 9 = 110, over 3; sorted 10 11 12 23, median 11.5;
        // absolute deviations 1.5 0.5 0.5 11.5, median 1; changes 2 + 11 + 12 = 25 over 3.
        close(m.mean_ms, 14.0);
        close(m.median_ms, 11.5);
        close(m.stdev_ms, (110.0f64 / 3.0).sqrt());
        close(m.cv, (110.0f64 / 3.0).sqrt() / 14.0);
        close(m.mad_ms, 1.0);
        close(m.pacing_ms, 25.0 / 3.0);
        close(m.min_ms, 10.0);
        close(m.max_ms, 23.0);
        close(m.p90_ms, 12.0 + 0.7 * 11.0);
        assert_eq!((m.n, m.duration_s, m.over_16_67_ms_pct, m.over_33_33_ms_pct), (4, 0.056, 25.0, 0.0));
    }

    #[test]
    fn average_fps_is_frames_over_time_and_not_the_mean_of_rates() {
        // 100 fps and 10 fps: the mean of the rates would be 55, but two frames took 110 ms.
        close(metrics(&[10.0, 100.0]).fps_avg, 2000.0 / 110.0);
    }

    #[test]
    fn the_three_one_percent_lows_differ_and_each_agrees_with_the_hand() {
        // 295 frames of 10 ms, then 20, 30, 40, 50 and 60 ms: 300 frames, 3150 ms.
        let mut frames = vec![10.0; 295];
        frames.extend([20.0, 30.0, 40.0, 50.0, 60.0]);
        frames.reverse();
        let m = metrics(&frames);
        // The slowest 3 frames take 60 + 50 + 40.
        close(m.low_1pct_fps, 1000.0 / 50.0);
        // h = 299 * 0.99 = 296.01: between 30 (x[296]) and 40.
        close(m.p99_ms, 30.0 + 0.01 * 10.0);
        close(m.p1_fps, 1000.0 / 30.1);
        // 1 % of 3150 ms is 31.5 ms: the 60 ms frame alone is more.
        close(m.integral_1pct_fps, 1000.0 / 60.0);
        assert_eq!((m.low_0_1pct_fps, m.p0_1_fps, m.integral_0_1pct_fps, m.p99_9_ms), (None, None, None, None));
    }

    #[test]
    fn the_tenth_percent_lows_agree_with_the_hand() {
        // 1200 frames: 2 of 100 ms, the rest 5 ms; 6190 ms.
        let mut frames = vec![5.0; 1198];
        frames.extend([100.0, 100.0]);
        let m = metrics(&frames);
        // ceil(1.2) = 2 frames.
        close(m.low_0_1pct_fps, 10.0);
        // h = 1199 * 0.999 = 1197.801: 0.801 of the way from x[1197] = 5 to x[1198] = 100.
        close(m.p99_9_ms, 5.0 + 0.801 * 95.0);
        // 0.1 % of the time is 6.19 ms, 1 % 61.9 ms: both within the first 100 ms frame.
        close(m.integral_0_1pct_fps, 10.0);
        close(m.integral_1pct_fps, 10.0);
        // ceil(12) = 12 frames: 2 of 100 and 10 of 5.
        close(m.low_1pct_fps, 1000.0 / (250.0 / 12.0));
    }

    #[test]
    fn the_number_of_slowest_frames_is_not_rounded_up_by_floating_point() {
        // 700 * 0.01 is 7.000000000000001 in floating point; seven slow frames must be all of the 1 %.
        let mut frames = vec![1.0; 693];
        frames.extend([50.0; 7]);
        close(metrics(&frames).low_1pct_fps, 20.0);
    }

    #[test]
    fn figures_that_need_more_frames_are_left_out_with_a_note() {
        let kept = |n: usize| {
            let mut notes = Vec::new();
            let m = Metrics::of(&vec![16.0; n], &mut notes);
            (m.p99_ms.is_some(), m.low_1pct_fps.is_some(), m.p1_fps.is_some(), m.p99_9_ms.is_some(), notes.len())
        };
        assert_eq!(kept(99), (false, false, false, false, 3));
        assert_eq!(kept(100), (true, false, false, false, 2));
        assert_eq!(kept(299), (true, false, false, false, 2));
        assert_eq!(kept(300), (true, true, true, false, 1));
        assert_eq!(kept(999), (true, true, true, false, 1));
        assert_eq!(kept(1000), (true, true, true, true, 0));
        let mut notes = Vec::new();
        Metrics::of(&[16.0; 99], &mut notes);
        assert_eq!(notes[0], "the 99th percentile needs 100 frames, this run has 99");
    }

    #[test]
    fn a_stutter_is_both_relatively_and_absolutely_longer() {
        let with = |usual: f64, odd: f64| {
            let mut frames = vec![usual; 60];
            frames[30] = odd;
            metrics(&frames)
        };
        assert_eq!(with(10.0, 25.0).stutter_count, 0, "exactly 2.5 times is not more");
        assert_eq!(with(10.0, 25.1).stutter_count, 1);
        assert_eq!(with(1.0, 4.9).stutter_count, 0, "less than 4 ms more");
        assert_eq!(with(1.0, 5.1).stutter_count, 1);
        close(Some(with(10.0, 60.0).stutter_time_pct), 100.0 * 60.0 / 650.0);
        assert_eq!(metrics(&[50.0; 40]).stutter_count, 0, "slow is not stuttering");
    }

    #[test]
    fn a_slow_spell_is_not_all_stutter_since_the_median_moves() {
        let mut frames = vec![10.0; 100];
        frames.extend(vec![30.0; 100]);
        assert!(metrics(&frames).stutter_count <= 15, "only the frames before the median follows");
        assert_eq!(stutter_frames(&frames).iter().find(|&&i| i >= 115), None);
    }

    #[test]
    fn long_stutters_in_a_row_count_once() {
        let mut frames = vec![10.0; 10];
        frames.extend([70.0, 70.0, 70.0]);
        assert_eq!(long_stutters(&frames), 1, "the next two begin within 200 ms");
        frames.extend([10.0; 5]);
        frames.push(80.0);
        // 70 + 70 + 50 = 190 ms after the first ended.
        assert_eq!(long_stutters(&frames), 1);
        frames.extend([10.0; 20]);
        frames.push(61.0);
        assert_eq!(long_stutters(&frames), 2);
        assert_eq!(long_stutters(&[60.0; 50]), 0, "exactly 60 ms is not more");
    }

    #[test]
    fn nothing_and_one_frame_give_no_figure_they_cannot() {
        let none = metrics(&[]);
        assert_eq!((none.n, none.mean_ms, none.fps_avg), (0, None, None));
        let one = metrics(&[20.0]);
        assert_eq!((one.stdev_ms, one.cv, one.pacing_ms), (None, None, None));
        assert_eq!((one.fps_avg, one.p90_ms, one.p95_ms), (None, None, None));
        close(one.median_ms, 20.0);
        assert_eq!(metrics(&[0.0, 0.0]).fps_avg, None, "no time, no rate");
        assert_eq!(metrics(&[1e-6, 1e-6]).fps_avg, None, "a thousand million frames a second were not drawn");
        let mut notes = Vec::new();
        Metrics::of(&[20.0], &mut notes);
        assert_eq!(notes[0], "rates and percentiles need 2 frames, this run has 1");
    }

    #[test]
    fn variation_between_runs_agrees_with_the_hand() {
        // Mean 10, deviations -1 0 1, variance 1.
        close(coefficient_of_variation(&[9.0, 10.0, 11.0]), 0.1);
        assert_eq!(coefficient_of_variation(&[9.0]), None);
    }
}
