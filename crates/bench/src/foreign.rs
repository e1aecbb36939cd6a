//! Frame times as other programs write and read them: PresentMon, MangoHud (and sites that take its files, such as
//! FlightlessSomething), CapFrameX.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::BenchError;
use crate::csv::ms;
use crate::figure::fixed;
use crate::files::FRAMES;
use crate::report::Report;
use crate::run::MeasuredRun;
use crate::stats::Metrics;

/// A run in the columns that PresentMon 1.x writes with `-simple`, for tools that read those. CapFrameX takes the times
/// of one run from `TimeInSeconds` and `MsBetweenPresents`, whichever process and swap chain a line names, so that each
/// run is a file of its own.
///
/// A frame is presented when it ends: `TimeInSeconds` is since the end of the warm-up, `MsInPresentAPI` the wait for
/// the driver. `process` is this process's number; there are no swap chain's address and no flags.
pub(crate) fn presentmon_csv(run: &MeasuredRun, process: u32, sync_interval: u32) -> String {
    let mut csv = String::from(
        "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,\
         MsBetweenPresents,MsInPresentAPI\n",
    );
    let mut since_ms = 0.0;
    for s in &run.samples {
        since_ms += s.frame_ms;
        let times = [fixed(since_ms / 1e3, 7), ms(s.frame_ms), ms(s.wait_ms)].join(",");
        csv += &format!("pelagic,{process},0x0,OpenGL,{sync_interval},0,0,{times}\n");
    }
    csv
}

/// A run in the columns of PresentMon 2.3.1 that this program has values for; the others are `NA`, as it writes what it has
/// not. All times are in milliseconds, `CPUStartTime` since the end of the warm-up.
pub(crate) fn presentmon2_csv(run: &MeasuredRun, process: u32, sync_interval: u32) -> String {
    let mut csv = String::from(
        "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,\
         CPUStartTime,MsBetweenAppStart,MsCPUBusy,MsCPUWait,MsGPUTime,MsBetweenPresents,MsInPresentAPI,DisplayedTime\n",
    );
    let mut since_ms = 0.0;
    for s in &run.samples {
        let gpu = s.gpu_ms.map_or_else(|| "NA".to_owned(), ms);
        let times = [
            ms(since_ms),
            ms(s.frame_ms),
            ms(s.total_ms() - s.wait_ms),
            ms(s.wait_ms),
            gpu,
            ms(s.frame_ms),
            ms(s.wait_ms),
        ];
        csv += &format!("pelagic,{process},0x0,OpenGL,{sync_interval},0,NA,NA,{},NA\n", times.join(","));
        since_ms += s.frame_ms;
    }
    csv
}

/// A run as MangoHud 0.8 logs it: the machine, then frames with `frametime` in milliseconds and `elapsed` in nanoseconds. As
/// MangoHud does, it writes 0 for what was not measured.
pub(crate) fn mangohud_csv(run: &MeasuredRun, report: &Report) -> String {
    // A comma would begin another column, and readers of these files know no quotes.
    let field = |text: &str| text.replace([',', '\n'], " ");
    let Report { host, gl, .. } = report;
    let known = |text: &Option<String>| field(text.as_deref().unwrap_or_default());
    let kib = host.mem_mib.unwrap_or_default() * 1024;
    let mut csv = format!(
        "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n{},{},{},{kib},{},{},{}\n\
         fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,gpu_power,\
         ram_used,swap_used,process_rss,cpu_mhz,elapsed\n",
        field(&host.os),
        known(&host.cpu),
        field(&gl.renderer),
        known(&host.kernel),
        field(&gl.version),
        known(&host.governor),
    );
    let mut since_ms = 0.0;
    for s in &run.samples {
        since_ms += s.frame_ms;
        let elapsed_ns = (since_ms * 1e6).round();
        csv += &format!("{},{},0,0,0,0,0,0,0,0,0,0,0,0,0,{elapsed_ns}\n", fixed(1e3 / s.frame_ms, 4), ms(s.frame_ms));
    }
    csv
}

/// Frames of a run that another program has measured.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignRun {
    /// The program that wrote them.
    pub writer: &'static str,
    /// Time of each frame. Unit: ms.
    pub frame_ms: Vec<f64>,
}

/// Columns of frame times, and the programs that name them so.
const COLUMNS: [(&str, &str); 6] = [
    ("frame_ms", "Pelagic"),
    ("frametime", "MangoHud"),
    ("MsBetweenPresents", "PresentMon"),
    ("msBetweenPresents", "PresentMon 1"),
    ("MsBetweenAppStart", "PresentMon 2.3"),
    ("FrameTime", "PresentMon 2"),
];

/// Lines before the columns that are read at most: MangoHud tells of the machine, CapFrameX of the capture.
const MOST_HEAD_LINES: usize = 64;
/// Greatest size of a file that is read: 64 MiB, about half a million frames.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a file of PresentMon, MangoHud or CapFrameX, or the frames in the folder of a result.
///
/// # Errors
/// If it cannot be read, or holds no frame times.
pub fn read(path: &Path) -> Result<ForeignRun, BenchError> {
    let wrong = |why: String| BenchError::Read { path: path.to_owned(), why };
    // The folder of a result of this program has such a list too.
    let list = if path.is_dir() { path.join(FRAMES) } else { path.to_owned() };
    let bytes = storage::read(&list, MAX_BYTES).map_err(|error| wrong(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let run = if text.starts_with('{') { capframex(text) } else { columns(text) };
    run.map_err(wrong)
}

/// Whether a file is a list of frames rather than a result of this program: a `.csv`, or CapFrameX's JSON.
pub fn is_list(path: &Path) -> bool {
    let is_of = |kind: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(kind));
    is_of("csv") || is_of("json") && read(path).is_ok()
}

/// Frames of a table with columns.
fn columns(text: &str) -> Result<ForeignRun, String> {
    let mut lines = text.lines().zip(1..);
    let (at, writer) = lines
        .by_ref()
        .take(MOST_HEAD_LINES)
        .find_map(|(line, _)| {
            let names: Vec<&str> = line.split(',').map(str::trim).collect();
            let place = |name: &str| names.iter().position(|known| *known == name);
            COLUMNS.iter().find_map(|(name, writer)| Some((place(name)?, *writer)))
        })
        .ok_or_else(|| {
            let names = COLUMNS.map(|(name, _)| name).join(", ");
            format!("no column of frame times: one of {names} in its first {MOST_HEAD_LINES} lines")
        })?;
    let mut frame_ms = Vec::new();
    for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
        let cell = line.split(',').nth(at).unwrap_or_default().trim();
        // The first frame of a capture has none before it.
        if matches!(cell, "NA" | "") {
            continue;
        }
        frame_ms.push(time(cell).ok_or_else(|| format!("line {number}: \"{cell}\" is no frame time"))?);
    }
    run(writer, frame_ms)
}

/// Frames of all runs of a file of CapFrameX.
fn capframex(text: &str) -> Result<ForeignRun, String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Session {
        runs: Vec<Run>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Run {
        capture_data: Capture,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Capture {
        ms_between_presents: Vec<f64>,
    }
    let session: Session = serde_json::from_str(text).map_err(|error| format!("no file of CapFrameX: {error}"))?;
    let times: Vec<f64> = session.runs.into_iter().flat_map(|run| run.capture_data.ms_between_presents).collect();
    if let Some(wrong) = times.iter().find(|time| !(time.is_finite() && **time >= 0.0)) {
        return Err(format!("{wrong} is no frame time"));
    }
    run("CapFrameX", times)
}

fn time(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|time: &f64| time.is_finite() && *time >= 0.0)
}

fn run(writer: &'static str, frame_ms: Vec<f64>) -> Result<ForeignRun, String> {
    if frame_ms.is_empty() { Err("no frames".into()) } else { Ok(ForeignRun { writer, frame_ms }) }
}

/// A figure of a run: label, value, decimals.
type Figure = (&'static str, fn(&Metrics) -> Option<f64>, usize);

/// Figures of a table of runs side by side.
const FIGURES: [Figure; 9] = [
    ("average fps", |m| m.fps_avg, 1),
    ("median, ms", |m| m.median_ms, 2),
    ("spread about it (MAD), ms", |m| m.mad_ms, 2),
    ("95th percentile, ms", |m| m.p95_ms, 2),
    ("99th percentile, ms", |m| m.p99_ms, 2),
    ("longest frame, ms", |m| m.max_ms, 2),
    ("fps at the mean of the slowest 1 %", |m| m.low_1pct_fps, 1),
    ("fps at the 99th percentile", |m| m.p1_fps, 1),
    ("fps where 1 % of the time is used up", |m| m.integral_1pct_fps, 1),
];

/// Figures of runs side by side, each with a name and its program. No verdict: nobody knows whether they measured the same.
pub fn side_by_side(runs: &[(String, ForeignRun)]) -> String {
    const WIDTH: usize = 22;
    let shortened = |name: &str| name.chars().take(WIDTH - 2).collect::<String>();
    let mut text = format!("{:38}", "");
    runs.iter().for_each(|(name, _)| text += &format!("{:>WIDTH$}", shortened(name)));
    text += &format!("\n{:38}", "written by");
    runs.iter().for_each(|(_, run)| text += &format!("{:>WIDTH$}", run.writer));
    text += &format!("\n{:38}", "frames");
    runs.iter().for_each(|(_, run)| text += &format!("{:>WIDTH$}", run.frame_ms.len()));
    let metrics: Vec<Metrics> = runs.iter().map(|(_, run)| Metrics::of(&run.frame_ms, &mut Vec::new())).collect();
    for (label, value, decimals) in FIGURES {
        text += &format!("\n{label:38}");
        for metrics in &metrics {
            let cell = value(metrics).map_or_else(|| "-".to_owned(), |value| fixed(value, decimals));
            let _ = write!(text, "{cell:>WIDTH$}");
        }
    }
    text + "\n- is not told of so few frames. These are frames alone: compare only what was measured alike.\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report_of;

    #[test]
    fn presentmon_readers_find_times_that_go_on() {
        let (_, runs) = report_of(&[&[10.0, 20.5], &[7.0625, 8.0]]);
        let csv = presentmon_csv(&runs[0], 4711, 1);
        let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        let column = |name: &str| lines[0].iter().position(|column| *column == name).expect("the column is there");
        let of = |name: &str| lines[1..].iter().map(|line| line[column(name)]).collect::<Vec<_>>();
        assert_eq!(lines[0][..3], ["Application", "ProcessID", "SwapChainAddress"]);
        assert_eq!((of("ProcessID"), of("SyncInterval"), of("Dropped")), (vec!["4711"; 2], vec!["1"; 2], vec!["0"; 2]));
        assert_eq!(of("TimeInSeconds"), ["0.0100000", "0.0305000"]);
        assert_eq!(
            (of("MsBetweenPresents"), of("MsInPresentAPI")),
            (vec!["10.0000", "20.5000"], vec!["8.2500", "18.7500"])
        );
        // Each run begins anew, in a file of its own.
        assert!(presentmon_csv(&runs[1], 1, 0).lines().nth(1).is_some_and(|line| line.contains(",0.0070625,7.0625,")));
    }

    /// Frames of a text, or why there are none.
    fn frames(text: &str) -> Result<(&'static str, Vec<f64>), String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        std::fs::write(&path, text).expect("written");
        read(&path).map(|run| (run.writer, run.frame_ms)).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_for_others_is_read_as_theirs() {
        let (report, runs) = report_of(&[&[10.0, 20.5]]);
        let times = vec![10.0, 20.5];
        assert_eq!(frames(&presentmon_csv(&runs[0], 1, 1)), Ok(("PresentMon", times.clone())));
        assert_eq!(frames(&presentmon2_csv(&runs[0], 1, 1)), Ok(("PresentMon", times.clone())));
        assert_eq!(frames(&mangohud_csv(&runs[0], &report)), Ok(("MangoHud", times)));
        for csv in [presentmon2_csv(&runs[0], 1, 1), mangohud_csv(&runs[0], &report)] {
            let lines: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
            assert!(lines[lines.len() - 3..].windows(2).all(|pair| pair[0] == pair[1]), "{csv}");
        }
        let mangohud = mangohud_csv(&runs[0], &report);
        let lines: Vec<&str> = mangohud.lines().collect();
        // The reader of FlightlessSomething knows a file by its first line.
        assert_eq!(lines[0], "os,cpu,gpu,ram,kernel,driver,cpuscheduler");
        assert_eq!(lines[1].split(',').count(), 7);
        assert!(lines[4].starts_with("48.7805,20.5000,0,") && lines[4].ends_with(",30500000"), "{}", lines[4]);
    }

    #[test]
    fn files_of_other_programs_are_read() {
        let presentmon2 = "Application,ProcessID,CPUStartTime,FrameTime,CPUBusy\nx.exe,1,0.5,NA,3\nx.exe,1,9,16.5,3\n";
        assert_eq!(frames(presentmon2), Ok(("PresentMon 2", vec![16.5])));
        let with_mark =
            "\u{feff}//GameName=x.exe\r\n//Comment=a\r\nApplication,MsBetweenPresents\r\nx.exe,7.25\r\n\r\n";
        assert_eq!(frames(with_mark), Ok(("PresentMon", vec![7.25])));
        let of_capframex = r#"{"Hash":"a","Runs":[{"CaptureData":{"TimeInSeconds":[0.1],"MsBetweenPresents":[8.5,9.0]}},
            {"CaptureData":{"MsBetweenPresents":[10.0]}}]}"#;
        assert_eq!(frames(of_capframex), Ok(("CapFrameX", vec![8.5, 9.0, 10.0])));
        let folder = tempfile::tempdir().expect("a folder");
        let (theirs, ours) = (folder.path().join("theirs.json"), folder.path().join("result.json"));
        std::fs::write(&theirs, of_capframex).expect("written");
        std::fs::write(&ours, "{\"schema\": \"pelagic.bench/1\"}").expect("written");
        assert!(is_list(&theirs) && !is_list(&ours) && is_list(Path::new("a.CSV")));
    }

    #[test]
    fn files_that_hold_no_frame_times_are_refused_with_a_reason() {
        let why = |text: &str| frames(text).expect_err("refused");
        assert!(why("a,b\n1,2\n").contains("no column of frame times"), "{}", why("a,b\n1,2\n"));
        assert!(why("frametime\n").contains("no frames"));
        assert!(why("fps,frametime\n60,soon\n").contains("line 2: \"soon\""), "{}", why("fps,frametime\n60,soon\n"));
        assert!(why("fps,frametime\n60,-1\n").contains("no frame time"));
        assert!(why("{\"Runs\": 3}").contains("CapFrameX"));
    }

    #[test]
    fn runs_stand_side_by_side_with_what_their_frames_allow() {
        let long = ForeignRun { writer: "MangoHud", frame_ms: (0..400).map(|i| 10.0 + f64::from(i % 5)).collect() };
        let short = ForeignRun { writer: "PresentMon", frame_ms: vec![20.0, 21.0, 22.0] };
        let text = side_by_side(&[("theirs".into(), long), ("ours".into(), short)]);
        let row = |label: &str| {
            let line = text.lines().find(|line| line.starts_with(label)).unwrap_or_else(|| panic!("{text}"));
            line[38..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(row("median, ms"), ["12.00", "21.00"]);
        assert_eq!(row("frames"), ["400", "3"]);
        assert_eq!(row("99th percentile, ms"), ["14.00", "-"]);
        assert_eq!(row("written by"), ["MangoHud", "PresentMon"]);
    }
}
