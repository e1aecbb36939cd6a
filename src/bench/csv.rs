//! The files of a benchmark that spreadsheets read.

use std::fmt::Write as _;

use crate::bench::ladder::Rung;
use crate::bench::run::{FrameSample, MeasuredRun};
use crate::render::FrameStats;

/// Frames of all runs; runs and frames count from 0, empty is not measured.
pub(crate) fn frames_csv(runs: &[MeasuredRun]) -> String {
    let mut csv = String::from("run,frame,sim_time_s,frame_ms,cpu_ms,wait_ms,gpu_ms,draws,triangles,visible\n");
    for_each(runs, |run, frame, s| {
        let FrameStats { draws, triangles, visible } = s.stats;
        let (time, cpu, gpu) = (s.sim_time_s, s.cpu_ms(), cell(s.gpu_ms));
        writeln!(
            csv,
            "{run},{frame},{time:.6},{:.4},{cpu:.4},{:.4},{gpu},{draws},{triangles},{visible}",
            s.frame_ms, s.wait_ms
        )
    });
    csv
}

/// The same in the columns of PresentMon, for tools that read those. Whether they all read ours has not been tried.
pub(crate) fn presentmon_csv(runs: &[MeasuredRun]) -> String {
    let mut csv = String::from("Application,MsBetweenPresents,MsCPUBusy,MsCPUWait,MsGPUTime\n");
    for_each(runs, |_, _, s| {
        let (cpu, gpu) = (s.cpu_ms(), cell(s.gpu_ms));
        writeln!(csv, "pelagic,{:.4},{cpu:.4},{:.4},{gpu}", s.frame_ms, s.wait_ms)
    });
    csv
}

/// Phases of all frames; runs and frames count from 0. GPU times by pass follow where there are any.
pub(crate) fn phases_csv(runs: &[MeasuredRun]) -> String {
    let mut passes: Vec<&str> = Vec::new();
    for pass in runs.iter().flat_map(|run| &run.passes) {
        if !passes.contains(&pass.name) {
            passes.push(pass.name);
        }
    }
    let mut csv = String::from("run,frame,simulate_ms,extract_ms,cull_ms,draw_ms,wait_ms");
    passes.iter().for_each(|pass| csv += &format!(",gpu_{}_ms", pass.replace(' ', "_")));
    csv.push('\n');
    for_each(runs, |number, frame, s| {
        let (extract, cull, draw, wait) = (s.extract_ms, s.cull_ms, s.draw_ms, s.wait_ms);
        write!(csv, "{number},{frame},{:.4},{extract:.4},{cull:.4},{draw:.4},{wait:.4}", s.simulate_ms)?;
        for name in &passes {
            let of_pass = runs[number].passes.iter().find(|pass| pass.name == *name);
            let ms = of_pass.and_then(|pass| pass.ms.get(frame).copied().flatten());
            write!(csv, ",{}", cell(ms))?;
        }
        writeln!(csv)
    });
    csv
}

/// One line a number of fish.
pub(crate) fn ladder_csv(ladder: &[Rung]) -> String {
    let mut csv = String::from(
        "fish,animals,runs,median_ms,lowest_ms,highest_ms,fps_avg,simulate_ms,submit_ms,wait_ms,visible,triangles\n",
    );
    for rung in ladder {
        let times = [rung.median_ms, rung.lowest_ms, rung.highest_ms, rung.fps_avg];
        let more = [rung.simulate_ms, rung.submit_ms, rung.wait_ms, rung.visible, rung.triangles];
        let cells: Vec<String> = times.into_iter().chain(more).map(cell).collect();
        csv += &format!("{},{},{},{}\n", rung.fish, rung.animals, rung.runs, cells.join(","));
    }
    csv
}

/// A time, empty if it was not measured.
fn cell(ms: Option<f64>) -> String {
    ms.map_or(String::new(), |ms| format!("{ms:.4}"))
}

fn for_each(runs: &[MeasuredRun], mut row: impl FnMut(usize, usize, &FrameSample) -> std::fmt::Result) {
    for (run, samples) in runs.iter().map(|run| &run.samples).enumerate() {
        for (frame, sample) in samples.iter().enumerate() {
            row(run, frame, sample).expect("a String takes everything");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::report::tests::report_of;
    use crate::bench::run::PassTimes;

    #[test]
    fn frames_have_the_columns_of_the_specification_and_empty_gpu_cells() {
        let (_, runs) = report_of(&[&[10.0, 20.5], &[7.0625, 8.0]]);
        let csv = frames_csv(&runs);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "run,frame,sim_time_s,frame_ms,cpu_ms,wait_ms,gpu_ms,draws,triangles,visible");
        assert_eq!(lines[2], "0,1,0.033333,20.5000,1.7500,18.7500,,12,3456,78");
        assert_eq!(lines[3], "1,0,0.016667,7.0625,1.7500,5.3125,,12,3456,78");
        assert_eq!(lines.len(), 5);
        assert_eq!(phases_csv(&runs).lines().nth(1), Some("0,0,0.5000,0.2500,0.2500,0.7500,8.2500"));
    }

    #[test]
    fn gpu_times_have_columns_of_their_own_and_empty_cells_where_they_did_not_come() {
        let (_, mut runs) = report_of(&[&[10.0, 20.5]]);
        runs[0].samples[1].gpu_ms = Some(7.5);
        runs[0].passes = vec![PassTimes { name: "tone map", ms: vec![None, Some(1.25)] }];
        assert_eq!(frames_csv(&runs).lines().nth(2), Some("0,1,0.033333,20.5000,1.7500,18.7500,7.5000,12,3456,78"));
        let csv = phases_csv(&runs);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "run,frame,simulate_ms,extract_ms,cull_ms,draw_ms,wait_ms,gpu_tone_map_ms");
        assert!(lines[1].ends_with(",8.2500,") && lines[2].ends_with(",18.7500,1.2500"), "{csv}");
        let csv = presentmon_csv(&runs);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "Application,MsBetweenPresents,MsCPUBusy,MsCPUWait,MsGPUTime");
        assert_eq!(lines[1..], ["pelagic,10.0000,1.7500,8.2500,", "pelagic,20.5000,1.7500,18.7500,7.5000"]);
    }
}
