//! Charts of the report.

use maud::Markup;

use crate::compare::MAX_RESULTS;
use crate::html::plot::{Axis, FOR_LEVELS, Plot, number};
use crate::ladder::Rung;
use crate::run::{FrameSample, MeasuredRun};
use crate::stats;

/// Width of a drawing over the whole page.
const WIDE: u32 = 980;
/// Width of a drawing that has another beside it.
const HALF: u32 = 480;
/// Columns of the stacked phases at most.
const COLUMNS: usize = 240;
/// Bars of the histogram at most.
const BARS: usize = 60;
/// Bars of the two histograms of a comparison.
const COMPARED_BARS: usize = 48;
/// Least ratio between the numbers of fish of two rungs with labels.
const ROOM_OF_A_LABEL: f64 = 1.6;

/// The phases of a frame: class, name, value.
type Phase = (&'static str, &'static str, fn(&FrameSample) -> f64);

/// Phases in the order in which they are stacked, the first at the bottom.
pub const PHASES: [Phase; 6] = [
    ("simulate", "moving the world", |s| s.simulate_ms),
    ("extract", "gathering", |s| s.extract_ms),
    ("cull", "culling", |s| s.cull_ms),
    ("draw", "submitting", |s| s.draw_ms),
    ("wait", "waiting for the driver", |s| s.wait_ms),
    ("between", "between frames", |s| (s.frame_ms - s.cpu_ms() - s.wait_ms).max(0.0)),
];

/// The result's own figures, to be drawn among the frames. Unit: ms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Levels {
    /// Median over the runs of their medians.
    pub median: Option<f64>,
    /// Median over the runs of their 99th percentiles, where the runs are long enough to have one.
    pub p99: Option<f64>,
}

/// The frame times of all runs, sorted.
pub fn sorted(runs: &[MeasuredRun]) -> Vec<f64> {
    let mut all: Vec<f64> = runs.iter().flat_map(|run| &run.samples).map(|sample| sample.frame_ms).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// End of an axis of frame times: it holds all of them if none stands out far, else most of them.
fn top_of(sorted: &[f64]) -> f64 {
    let (median, p99) = (math::quantile(sorted, 0.5), math::quantile(sorted, 0.99));
    sorted.last().copied().unwrap_or(1.0).min((1.5 * p99).max(2.0 * median))
}

/// Frames that share a column of pixels. Times in milliseconds.
struct Column {
    /// The first frame's number.
    x: f64,
    low: f64,
    /// Median.
    middle: f64,
    high: f64,
}

/// Every frame in order, the runs one after the other, with stutters and the result's own figures.
pub fn frame_times(runs: &[MeasuredRun], levels: Levels) -> Option<Markup> {
    let sorted = sorted(runs);
    let frames = sorted.len();
    if frames == 0 {
        return None;
    }
    let x = Axis::exact(0.0, (frames - 1) as f64);
    let y = Axis::rounded(0.0, top_of(&sorted));
    let mut plot = Plot::with_room(
        "Time of every frame, run after run",
        (WIDE, 320),
        (x, "frame, runs one after the other"),
        (y, "ms"),
        FOR_LEVELS,
    );
    let mut first = 0;
    for (number, run) in runs.iter().enumerate() {
        if runs.len() > 1 {
            plot.upright("run", first as f64, &format!("run {}", number + 1));
        }
        let times: Vec<f64> = run.samples.iter().map(|sample| sample.frame_ms).collect();
        let at = |i: usize| (first + i) as f64;
        let a_column = frames.div_ceil(plot.columns()).max(1);
        if a_column > 1 {
            // More frames than pixels: the span of each column, and a line through the middles.
            let columns: Vec<Column> = times
                .chunks(a_column)
                .enumerate()
                .filter_map(|(i, chunk)| {
                    let middle = math::median(chunk)?;
                    let (low, high) = chunk.iter().fold((f64::MAX, 0.0_f64), |(l, h), t| (l.min(*t), h.max(*t)));
                    Some(Column { x: at(i * a_column), low, middle, high })
                })
                .collect();
            let lower: Vec<_> = columns.iter().map(|column| (column.x, column.low)).collect();
            let upper: Vec<_> = columns.iter().map(|column| (column.x, column.high)).collect();
            plot.band("span", &lower, &upper);
            plot.line("frames", columns.iter().map(|column| (column.x, column.middle)));
        } else {
            plot.line("frames", times.iter().enumerate().map(|(i, time)| (at(i), *time)));
        }
        for i in stats::stutter_frames(&times) {
            let tip = format!("stutter: run {}, frame {i}, {:.2} ms", number + 1, times[i]);
            plot.point("stutter", at(i), times[i], &tip);
        }
        first += times.len();
    }
    if let Some(median) = levels.median {
        plot.level("p50", median, &format!("median {} ms", precise(median)));
    }
    if let Some(p99) = levels.p99.filter(|p99| levels.median.is_some_and(|median| *p99 > 1.1 * median)) {
        plot.level("p99", p99, &format!("99 % {} ms", precise(p99)));
    }
    Some(plot.svg())
}

/// Histogram of the frame times.
pub fn histogram(runs: &[MeasuredRun], levels: Levels) -> Option<Markup> {
    let sorted = sorted(runs);
    let (first, frames) = (*sorted.first()?, sorted.len());
    let to = top_of(&sorted);
    // Freedman and Diaconis (1981): bars as wide as the data's spread and number allow to tell apart.
    let spread = math::quantile(&sorted, 0.75) - math::quantile(&sorted, 0.25);
    let width = 2.0 * spread / (frames as f64).cbrt();
    let span = (to - first).max(1e-3);
    let bars = if width > 0.0 { (span / width).ceil().clamp(8.0, BARS as f64) as usize } else { 8 };
    let mut counts = vec![0_usize; bars];
    for time in &sorted {
        let bar = ((time - first) / span * bars as f64) as usize;
        counts[bar.min(bars - 1)] += 1;
    }
    let most = counts.iter().copied().max()? as f64;
    let x = Axis::exact(first - 0.02 * span, to + 0.02 * span);
    let y = Axis::rounded(0.0, most);
    let mut plot = Plot::new("How many frames took how long", (HALF, 260), (x, "frame time, ms"), (y, "frames"));
    for (i, count) in counts.iter().enumerate() {
        let edge = |i: usize| first + span * i as f64 / bars as f64;
        let or_more = if i + 1 == bars && sorted.last().is_some_and(|last| *last > to) { " or more" } else { "" };
        let tip = format!("{count} frames of {:.2} to {:.2} ms{or_more}", edge(i), edge(i + 1));
        plot.bar("bar", (edge(i), edge(i + 1)), *count as f64, &tip);
    }
    if let Some(median) = levels.median {
        plot.upright("p50", median, "median");
    }
    Some(plot.svg())
}

/// Share of frames that took at most a given time.
pub fn cumulative(runs: &[MeasuredRun], levels: Levels) -> Option<Markup> {
    let sorted = sorted(runs);
    let (first, frames) = (*sorted.first()?, sorted.len());
    let to = top_of(&sorted);
    let x = Axis::exact(first - 0.02 * (to - first), to);
    let y = Axis::exact(0.0, 100.0);
    let mut plot = Plot::new(
        "Share of frames that took at most so long",
        (HALF, 260),
        (x, "frame time, ms"),
        (y, "% of frames at most so long"),
    );
    let every = frames.div_ceil(2 * plot.columns()).max(1);
    let share = |i: usize| 100.0 * (i + 1) as f64 / frames as f64;
    plot.line("frames", (0..frames).step_by(every).chain([frames - 1]).map(|i| (sorted[i], share(i))));
    for (share, class, at) in [(50.0, "p50", levels.median), (99.0, "p99", levels.p99)] {
        let Some(at) = at else { continue };
        plot.point(class, at, share, &format!("in the run in the middle {share} % of frames took at most {at:.2} ms"));
        plot.label(at, share, share == 99.0, &format!("{share:.0} %: {} ms", precise(at)));
    }
    Some(plot.svg())
}

/// CSS classes of the results of a comparison, one for each of the most it can have.
pub const SIDES: [&str; MAX_RESULTS] = ["side0", "side1", "side2", "side3", "side4", "side5", "side6", "side7"];

/// Histograms of each side's frame times, in hundredths of its frames; all sorted. Two are drawn as bars, more as
/// lines.
pub fn histograms(sides: &[(&str, &[f64])]) -> Option<Markup> {
    let (from, to) = span(sides)?;
    let counts = |sorted: &[f64]| {
        let mut shares = [0.0; COMPARED_BARS];
        for time in sorted {
            let bar = ((time - from) / (to - from) * COMPARED_BARS as f64) as usize;
            shares[bar.min(COMPARED_BARS - 1)] += 100.0 / sorted.len() as f64;
        }
        shares
    };
    let shares: Vec<[f64; COMPARED_BARS]> = sides.iter().map(|(_, sorted)| counts(sorted)).collect();
    let most = shares.iter().flatten().copied().fold(0.0, f64::max);
    let (x, y) = (Axis::exact(from, to), Axis::rounded(0.0, most));
    let mut plot = Plot::new("How many frames took how long", (HALF, 260), (x, "frame time, ms"), (y, "% of frames"));
    let edge = |i: usize| from + (to - from) * i as f64 / COMPARED_BARS as f64;
    for (class, ((name, _), shares)) in SIDES.into_iter().zip(sides.iter().zip(&shares)) {
        if sides.len() > 2 {
            plot.line(
                class,
                shares.iter().enumerate().flat_map(|(i, share)| [(edge(i), *share), (edge(i + 1), *share)]),
            );
            continue;
        }
        for (i, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let tip = format!("{name}: {share:.1} % of frames took {:.2} to {:.2} ms", edge(i), edge(i + 1));
            plot.bar(&format!("{class} overlaid"), (edge(i), edge(i + 1)), *share, &tip);
        }
    }
    Some(plot.svg())
}

/// Share of each side's frames that took at most a given time; all sorted.
pub fn cumulatives(sides: &[(&str, &[f64])]) -> Option<Markup> {
    let (from, to) = span(sides)?;
    let (x, y) = (Axis::exact(from, to), Axis::exact(0.0, 100.0));
    let title = "Share of frames that took at most so long";
    let mut plot = Plot::new(title, (HALF, 260), (x, "frame time, ms"), (y, "% of frames at most so long"));
    for (class, (_, sorted)) in SIDES.into_iter().zip(sides) {
        let every = sorted.len().div_ceil(2 * plot.columns()).max(1);
        let share = |i: usize| 100.0 * (i + 1) as f64 / sorted.len() as f64;
        plot.line(class, (0..sorted.len()).step_by(every).chain([sorted.len() - 1]).map(|i| (sorted[i], share(i))));
    }
    Some(plot.svg())
}

/// An axis's ends for the frames of all sides; `None` if one has none.
fn span(sides: &[(&str, &[f64])]) -> Option<(f64, f64)> {
    let firsts = sides.iter().map(|(_, sorted)| sorted.first().copied()).collect::<Option<Vec<f64>>>()?;
    let from = firsts.into_iter().reduce(f64::min)?;
    let to = sides.iter().map(|(_, sorted)| top_of(sorted)).fold(from, f64::max);
    let room = 0.02 * (to - from).max(1e-3);
    Some((from - room, to + room))
}

/// A figure of every run of all sides, in their order.
pub fn runs_of_all(sides: &[(&str, Vec<f64>)], name: &str) -> Option<Markup> {
    let most = sides.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max);
    let longest = sides.iter().map(|(_, values)| values.len()).max()?;
    if sides.iter().any(|(_, values)| values.is_empty()) {
        return None;
    }
    let (x, y) = (Axis::numbered(longest), Axis::rounded(0.0, 1.05 * most));
    let mut plot = Plot::new("Every run", (WIDE, 260), (x, "run"), (y, name));
    for (class, (side, values)) in SIDES.into_iter().zip(sides) {
        plot.line(class, (1..).zip(values).map(|(run, value)| (f64::from(run), *value)));
        for (run, value) in (1..).zip(values) {
            plot.point(class, f64::from(run), *value, &format!("{side}, run {run}: {value:.3}"));
        }
    }
    Some(plot.svg())
}

/// Time of the frames by phase, stacked.
pub fn phases(runs: &[MeasuredRun]) -> Option<Markup> {
    let frames: Vec<&FrameSample> = runs.iter().flat_map(|run| &run.samples).collect();
    if frames.is_empty() {
        return None;
    }
    let a_column = frames.len().div_ceil(COLUMNS).max(1);
    let mean = |chunk: &[&FrameSample], value: fn(&FrameSample) -> f64| {
        chunk.iter().map(|sample| value(sample)).sum::<f64>() / chunk.len() as f64
    };
    let columns: Vec<[f64; PHASES.len()]> =
        frames.chunks(a_column).map(|chunk| PHASES.map(|(_, _, value)| mean(chunk, value))).collect();
    let mut heights: Vec<f64> = columns.iter().map(|column| column.iter().sum()).collect();
    heights.sort_by(f64::total_cmp);
    let x = Axis::exact(0.0, (columns.len().max(2) - 1) as f64 * a_column as f64);
    let y = Axis::rounded(0.0, top_of(&heights));
    let mut plot = Plot::new(
        "Where the frames' time went",
        (WIDE, 280),
        (x, "frame, runs one after the other"),
        (y, "ms, one on the other"),
    );
    // A single column is drawn as wide as the field.
    let columns = if columns.len() == 1 { vec![columns[0]; 2] } else { columns };
    let at = |i: usize| i as f64 * a_column as f64;
    let mut below = vec![0.0; columns.len()];
    for (phase, (class, ..)) in PHASES.iter().enumerate() {
        let above: Vec<f64> = columns.iter().zip(&below).map(|(column, below)| below + column[phase]).collect();
        let points = |of: &[f64]| of.iter().enumerate().map(|(i, y)| (at(i), *y)).collect::<Vec<_>>();
        plot.band(class, &points(&below), &points(&above));
        below = above;
    }
    Some(plot.svg())
}

/// Cost of a frame against the number of fish.
pub fn ladder(rungs: &[Rung]) -> Option<Markup> {
    let measured: Vec<(&Rung, f64)> = rungs.iter().filter_map(|rung| Some((rung, rung.median_ms?))).collect();
    let (most, highest) = measured.iter().fold((0_u32, 0.0_f64), |(fish, ms), (rung, median)| {
        (fish.max(rung.fish), ms.max(rung.highest_ms.unwrap_or(*median)))
    });
    if measured.is_empty() {
        return None;
    }
    let x = Axis::log(1.0, f64::from(most));
    let y = Axis::rounded(0.0, 1.08 * highest);
    let mut plot = Plot::new(
        "Time of a frame against the number of fish",
        (WIDE, 340),
        (x, "fish (each step of the scale is ten times as many)"),
        (y, "median frame, ms"),
    );
    let curve = |value: &dyn Fn(&Rung) -> Option<f64>| -> Vec<(f64, f64)> {
        measured.iter().filter_map(|(rung, _)| Some((f64::from(rung.fish), value(rung)?))).collect()
    };
    plot.line("simulate-line", curve(&|rung| rung.simulate_ms));
    plot.line("draw-line", curve(&|rung| Some(rung.simulate_ms? + rung.submit_ms?)));
    plot.line("frames", curve(&|rung| rung.median_ms));
    let mut labelled = f64::INFINITY;
    for (rung, median) in measured.iter().rev() {
        let fish = f64::from(rung.fish);
        if let Some(spread) = rung.lowest_ms.zip(rung.highest_ms) {
            plot.whisker("frames", fish, spread);
        }
        plot.point("rung", fish, *median, &format!("{} fish: {median:.2} ms", rung.fish));
        // High rungs stand close together; the point itself tells its time too.
        if fish * ROOM_OF_A_LABEL <= labelled {
            plot.label(fish, *median, true, &format!("{} ms", precise(*median)));
            labelled = fish;
        }
    }
    Some(plot.svg())
}

/// A time with as many decimals as it is worth.
pub fn precise(ms: f64) -> String {
    if ms >= 100.0 {
        number(ms.round())
    } else if ms >= 10.0 {
        format!("{ms:.1}")
    } else {
        format!("{ms:.2}")
    }
}
