//! The files of a benchmark that spreadsheets read.

use std::fmt::Write as _;

use render::FrameStats;

use crate::figure::fixed;
use crate::ladder::{RanOut, Rung};
use crate::run::{FrameSample, MeasuredRun};

/// Frames of all runs. Runs count from 1; frames from 0, the first after the warm-up. Empty cells were not measured.
pub(crate) fn frames_csv(runs: &[MeasuredRun]) -> String {
    let mut csv = String::from("run,frame,sim_time_s,frame_ms,cpu_ms,wait_ms,gpu_ms,draws,triangles,visible\n");
    for_each(runs, |run, frame, s| {
        let FrameStats { draws, triangles, visible, .. } = s.stats;
        let times = [ms(s.frame_ms), ms(s.cpu_ms()), ms(s.wait_ms), cell(s.gpu_ms)].join(",");
        writeln!(csv, "{run},{frame},{},{times},{draws},{triangles},{visible}", fixed(s.sim_time_s, 6))
    });
    csv
}

/// The frame times, run by run, from a file that [`frames_csv`] has written; `None` for any other.
pub(crate) fn frame_times(csv: &str) -> Option<Vec<Vec<f64>>> {
    let mut lines = csv.lines();
    let columns: Vec<&str> = lines.next()?.split(',').collect();
    let [run_at, time_at] = ["run", "frame_ms"].map(|name| columns.iter().position(|column| *column == name));
    let (run_at, time_at) = (run_at?, time_at?);
    let mut runs: Vec<Vec<f64>> = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let run: usize = cells.get(run_at)?.parse().ok()?;
        let time: f64 = cells.get(time_at)?.parse().ok().filter(|time: &f64| time.is_finite())?;
        if run == runs.len() + 1 {
            runs.push(Vec::new());
        }
        // A run follows the one before it.
        runs.last_mut().filter(|_| run > 0)?.push(time);
    }
    Some(runs)
}

/// Phases of all frames, counted as in [`frames_csv`]. GPU times by pass follow where there are any.
pub(crate) fn phases_csv(runs: &[MeasuredRun]) -> String {
    let mut passes: Vec<&str> = Vec::new();
    for pass in runs.iter().flat_map(|run| &run.passes) {
        if !passes.contains(&pass.name) {
            passes.push(pass.name);
        }
    }
    let mut csv = String::from("run,frame,simulate_ms,extract_ms,cull_ms,draw_ms,wait_ms,beside_ms");
    passes.iter().for_each(|pass| csv += &format!(",gpu_{}_ms", pass.replace(' ', "_")));
    csv.push('\n');
    for_each(runs, |number, frame, s| {
        let phases = [s.simulate_ms, s.extract_ms, s.cull_ms, s.draw_ms, s.wait_ms, s.beside_ms].map(ms).join(",");
        write!(csv, "{number},{frame},{phases}")?;
        for name in &passes {
            let of_pass = runs[number - 1].passes.iter().find(|pass| pass.name == *name);
            write!(csv, ",{}", cell(of_pass.and_then(|pass| pass.ms.get(frame).copied().flatten())))?;
        }
        writeln!(csv)
    });
    csv
}

/// One line for each number of fish.
pub(crate) fn ladder_csv(ladder: &[Rung]) -> String {
    let mut csv = String::from(
        "fish,animals,runs,median_ms,lowest_ms,highest_ms,fps_avg,simulate_ms,submit_ms,wait_ms,visible,triangles,beside_ms,ran_out\n",
    );
    for rung in ladder {
        let times = [rung.median_ms, rung.lowest_ms, rung.highest_ms, rung.fps_avg];
        let more = [rung.simulate_ms, rung.submit_ms, rung.wait_ms, rung.visible, rung.triangles, rung.beside_ms];
        let cells: Vec<String> = times.into_iter().chain(more).map(cell).collect();
        let ran_out = rung.ran_out.map(RanOut::words).unwrap_or_default();
        csv += &format!("{},{},{},{},{ran_out}\n", rung.fish, rung.animals, rung.runs, cells.join(","));
    }
    csv
}

/// A time.
pub(crate) fn ms(ms: f64) -> String {
    fixed(ms, 4)
}

/// A time, empty if it was not measured.
fn cell(time: Option<f64>) -> String {
    time.map_or(String::new(), ms)
}

fn for_each(runs: &[MeasuredRun], mut row: impl FnMut(usize, usize, &FrameSample) -> std::fmt::Result) {
    for (run, samples) in (1..).zip(runs.iter().map(|run| &run.samples)) {
        for (frame, sample) in samples.iter().enumerate() {
            row(run, frame, sample).expect("a String takes everything");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report_of;
    use crate::run::PassTimes;

    #[test]
    fn frames_have_the_columns_of_the_specification_and_empty_gpu_cells() {
        let (_, runs) = report_of(&[&[10.0, 20.5], &[7.0625, 8.0]]);
        let csv = frames_csv(&runs);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "run,frame,sim_time_s,frame_ms,cpu_ms,wait_ms,gpu_ms,draws,triangles,visible");
        assert_eq!(lines[2], "1,1,0.033333,20.5000,1.7500,18.7500,,12,3456,78");
        assert_eq!(lines[3], "2,0,0.016667,7.0625,1.7500,5.3125,,12,3456,78");
        assert_eq!(lines.len(), 5);
        assert_eq!(phases_csv(&runs).lines().nth(1), Some("1,0,0.5000,0.2500,0.2500,0.7500,8.2500,0.0000"));
    }

    #[test]
    fn gpu_times_have_columns_of_their_own_and_empty_cells_where_they_did_not_come() {
        let (_, mut runs) = report_of(&[&[10.0, 20.5]]);
        runs[0].samples[1].gpu_ms = Some(7.5);
        runs[0].passes = vec![PassTimes { name: "tone map", ms: vec![None, Some(1.25)] }];
        assert_eq!(frames_csv(&runs).lines().nth(2), Some("1,1,0.033333,20.5000,1.7500,18.7500,7.5000,12,3456,78"));
        let csv = phases_csv(&runs);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "run,frame,simulate_ms,extract_ms,cull_ms,draw_ms,wait_ms,beside_ms,gpu_tone_map_ms");
        assert!(lines[1].ends_with(",8.2500,0.0000,") && lines[2].ends_with(",18.7500,0.0000,1.2500"), "{csv}");
    }
}
