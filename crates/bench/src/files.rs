//! The files of a benchmark: claimed before the run, written at once or not at all.

use std::path::{Path, PathBuf};

use storage::{OutFolder, Staged};

use crate::csv::{frames_csv, ladder_csv, phases_csv};
use crate::foreign::{mangohud_csv, presentmon_csv, presentmon2_csv};
use crate::picture::ScenePicture;
use crate::report::Report;
use crate::run::MeasuredRun;
use crate::{BenchError, card, csv, html};

/// The report.
pub const RESULT: &str = "result.json";
/// The report as a picture to share.
pub const CARD: &str = "card.png";
/// Every frame, as a spreadsheet reads it.
pub const FRAMES: &str = "frames.csv";
/// The CPU's phases of every frame.
pub const PHASES: &str = "phases.csv";
/// The report as people read it.
pub const PAGE: &str = "report.html";
/// The ladder, as a spreadsheet reads it.
pub const LADDER: &str = "ladder.csv";

/// The page of two results that were measured in turn.
pub const AGAINST_PAGE: &str = "against.html";
/// The comparison of two results that were measured in turn.
pub const AGAINST: &str = "against.json";
/// The folders of two results that were measured in turn.
pub const AGAINST_FOLDERS: [&str; 2] = ["base", "against"];

/// Files of one run for other programs: format, and name before the run's number.
const FOREIGN: [(ResultFormat, &str); 3] = [
    (ResultFormat::Presentmon, "presentmon"),
    (ResultFormat::Presentmon2, "presentmon2"),
    (ResultFormat::Mangohud, "mangohud"),
];

/// Whether a file of this name belongs to a result.
fn is_ours(name: &str) -> bool {
    let run = name.strip_suffix(".csv").and_then(|stem| stem.rsplit_once('-'));
    let is_foreign = |stem: &str| FOREIGN.iter().any(|(_, name)| *name == stem);
    let is_of_run = |(stem, run): (&str, &str)| is_foreign(stem) && run.parse::<usize>().is_ok();
    [RESULT, CARD, FRAMES, PHASES, PAGE, LADDER, AGAINST_PAGE, AGAINST].contains(&name) || run.is_some_and(is_of_run)
}

/// Greatest size of a report that is read: 16 MiB, some thousands of runs.
pub const MAX_BYTES: u64 = 16 << 20;

/// A kind of file that a result is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ResultFormat {
    /// `result.json`.
    Json,
    /// `frames.csv`, `phases.csv` and with a ladder `ladder.csv`.
    Csv,
    /// `report.html`.
    Html,
    /// `card.png`, of runs: a picture of the figures to share.
    Card,
    /// `presentmon-1.csv` and so on, one a run: frames in the columns of PresentMon 1.x, for tools that read those.
    Presentmon,
    /// `presentmon2-1.csv` and so on, the same in the columns of PresentMon 2.3.
    Presentmon2,
    /// `mangohud-1.csv` and so on, the same as MangoHud logs it, for sites that take its files.
    Mangohud,
}

impl ResultFormat {
    /// Formats that are written when none are asked for.
    pub const USUAL: [Self; 4] = [Self::Json, Self::Csv, Self::Html, Self::Card];
}

/// A folder that this process has claimed, which can be written to and holds no result that must be kept.
#[derive(Debug)]
pub struct OutDir(OutFolder);

impl OutDir {
    /// Makes the folder if need be and tries to write in it, so that a run is not wasted on a folder that cannot take
    /// its result. A result that is there already is kept unless `force`.
    ///
    /// # Errors
    /// If it cannot be written to, another process is about to, or it holds a result.
    pub fn claim(path: &Path, force: bool) -> Result<Self, BenchError> {
        let folder = OutFolder::claim(path, is_ours)?;
        match !force && !folder.ours()?.is_empty() {
            true => Err(BenchError::Exists(path.to_path_buf())),
            false => Ok(Self(folder)),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Takes the folder away again if nothing is in it, for when there is nothing to write after all.
    pub fn abandon(self) {
        self.0.abandon();
    }

    /// Writes the files, all or none, in place of those of a result before; files that are no result's stay. Without
    /// runs there are no frames to list. `picture` is for the page.
    ///
    /// # Errors
    /// If a file cannot be written; what was there before is kept.
    pub fn write(
        &mut self,
        report: &Report,
        runs: &[MeasuredRun],
        picture: Option<&ScenePicture>,
        formats: &[ResultFormat],
    ) -> Result<(), BenchError> {
        let mut set = self.0.stage()?;
        add(&mut set, "", &ResultParts { report, runs, picture }, formats)?;
        Ok(set.commit()?)
    }

    /// Writes two results into folders of their own, and their comparison, if there is one, as JSON and as a page: all
    /// or none.
    ///
    /// # Errors
    /// Same as [`Self::write`].
    pub fn write_pair(
        &mut self,
        results: [ResultParts<'_>; 2],
        comparison: Option<(&str, &str)>,
        formats: &[ResultFormat],
    ) -> Result<(), BenchError> {
        let mut set = self.0.stage()?;
        for (folder, result) in AGAINST_FOLDERS.into_iter().zip(&results) {
            set.subfolder(folder)?;
            add(&mut set, &format!("{folder}/"), result, formats)?;
        }
        if let Some((json, page)) = comparison {
            if formats.contains(&ResultFormat::Html) {
                set.add(AGAINST_PAGE, page.as_bytes())?;
            }
            if formats.contains(&ResultFormat::Json) {
                set.add(AGAINST, json.as_bytes())?;
            }
        }
        Ok(set.commit()?)
    }
}

/// Data that a result's files are made of.
#[derive(Clone, Copy, Debug)]
pub struct ResultParts<'a> {
    /// Everything but the single frames.
    pub report: &'a Report,
    /// The runs with their frames.
    pub runs: &'a [MeasuredRun],
    /// Picture of the measured scene, for the page.
    pub picture: Option<&'a ScenePicture>,
}

/// Adds a result's files to a set, in a folder that ends in a slash or in the set's own.
fn add(
    set: &mut Staged<'_>,
    folder: &str,
    &ResultParts { report, runs, picture }: &ResultParts<'_>,
    formats: &[ResultFormat],
) -> Result<(), BenchError> {
    let wanted = |format| formats.contains(&format);
    let mut add = |name: &str, bytes: &[u8]| set.add(&format!("{folder}{name}"), bytes);
    if wanted(ResultFormat::Csv) {
        if !runs.is_empty() {
            add(FRAMES, frames_csv(runs).as_bytes())?;
            add(PHASES, phases_csv(runs).as_bytes())?;
        }
        if let Some(ladder) = &report.ladder {
            add(LADDER, ladder_csv(ladder).as_bytes())?;
        }
    }
    let (process, sync_interval) = (storage::process_id(), u32::from(report.settings.vsync == Some(true)));
    for (format, name) in FOREIGN.into_iter().filter(|(format, _)| wanted(*format)) {
        for (number, run) in (1..).zip(runs) {
            let csv = match format {
                ResultFormat::Presentmon2 => presentmon2_csv(run, process, sync_interval),
                ResultFormat::Mangohud => mangohud_csv(run, report),
                _ => presentmon_csv(run, process, sync_interval),
            };
            add(&foreign_name(name, number), csv.as_bytes())?;
        }
    }
    if wanted(ResultFormat::Card)
        && let Some(png) = card::png(report, runs, picture)
    {
        add(CARD, &png)?;
    }
    if wanted(ResultFormat::Html) {
        add(PAGE, html::page(report, runs, picture).as_bytes())?;
    }
    if wanted(ResultFormat::Json) {
        add(RESULT, json(report).as_bytes())?;
    }
    Ok(())
}

/// A folder in `results` for a result of that time, such as `out/bench/2026-01-31T12-30-05Z`: no colons, which some
/// file systems refuse.
pub fn dated_folder(results: &Path, utc: &str) -> PathBuf {
    results.join(utc.replace(':', "-"))
}

/// File name for the frames of a run in another program's columns; runs count from 1.
fn foreign_name(format: &str, run: usize) -> String {
    format!("{format}-{run}.csv")
}

/// The report as `result.json` holds it.
pub fn json(report: &Report) -> String {
    let text = serde_json::to_string_pretty(report).expect("a report has string keys and no fallible serialisers");
    text + "\n"
}

/// Reads a report.
///
/// # Errors
/// If the file cannot be read or is not a report of this schema.
pub fn read(path: &Path) -> Result<Report, BenchError> {
    // A folder stands for the report in it.
    let (path, bytes) = match path.is_dir() {
        true => (path.join(RESULT), storage::read_from_folder(path, RESULT, MAX_BYTES)),
        false => (path.to_path_buf(), storage::read(path, MAX_BYTES)),
    };
    let wrong = |why: String| BenchError::Read { path: path.clone(), why };
    Report::from_json(&bytes.map_err(|error| wrong(error.to_string()))?).map_err(wrong)
}

/// Greatest size of a list of frames that is read: 64 MiB, about a million frames.
const MAX_FRAME_BYTES: u64 = 64 << 20;

/// Frame times of the runs of `report` that count, sorted, from the list beside it; `None` if there is none of these
/// runs. `path` is the one that the report was [`read`] from. Unit: ms.
pub fn frame_times(path: &Path, report: &Report) -> Option<Vec<f64>> {
    let folder = if path.is_dir() { path } else { path.parent()? };
    let csv = String::from_utf8(storage::read_from_folder(folder, FRAMES, MAX_FRAME_BYTES).ok()?).ok()?;
    let runs = csv::frame_times(&csv)?;
    let same = runs.len() == report.runs.len() && runs.iter().zip(&report.runs).all(|(a, b)| a.len() == b.metrics.n);
    let counting = runs.iter().zip(&report.runs).filter(|(_, run)| run.valid).flat_map(|(times, _)| times);
    let mut times: Vec<f64> = counting.copied().collect();
    times.sort_by(f64::total_cmp);
    same.then_some(times)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use storage::faults::at_every_call;
    use testing::{room_of, texts};

    use super::*;
    use crate::ladder::Rung;
    use crate::report::tests::report_of;

    #[test]
    fn files_appear_whole_and_read_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut out = OutDir::claim(&folder.path().join("new/folders"), false).expect("it can be made");
        let (report, runs) = report_of(&[&[10.0; 4]]);
        out.write(&report, &runs, None, &ResultFormat::USUAL).expect("it can be written");
        let mut names: Vec<_> = fs::read_dir(out.path())
            .expect("it is there")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        assert_eq!(names, [CARD, FRAMES, PHASES, PAGE, RESULT], "neither probe nor parts are left");
        assert_eq!(read(out.path()).expect("it reads back").settings, report.settings);
    }

    #[test]
    fn frames_are_read_back_from_beside_the_result_if_they_are_of_its_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut out = OutDir::claim(folder.path(), false).expect("writable");
        let (mut report, runs) = report_of(&[&[10.0, 30.0, 20.0], &[11.0, 31.0, 21.0]]);
        out.write(&report, &runs, None, &ResultFormat::USUAL).expect("written");
        let sorted = vec![10.0, 11.0, 20.0, 21.0, 30.0, 31.0];
        assert_eq!(frame_times(folder.path(), &report), Some(sorted.clone()), "by the folder");
        assert_eq!(frame_times(&folder.path().join(RESULT), &report), Some(sorted), "by the file");
        report.runs[0].valid = false;
        assert_eq!(frame_times(folder.path(), &report), Some(vec![11.0, 21.0, 31.0]));
        report.runs.truncate(1);
        assert_eq!(frame_times(folder.path(), &report), None, "of other runs");
        fs::write(folder.path().join(FRAMES), "run,frame_ms\n0,1.0\n").expect("written");
        assert_eq!(frame_times(folder.path(), &report), None, "of nobody's");
    }

    #[test]
    fn only_what_is_asked_for_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut out = OutDir::claim(folder.path(), false).expect("writable");
        let (mut report, runs) = report_of(&[&[10.0; 4]]);
        out.write(&report, &runs, None, &[ResultFormat::Presentmon]).expect("written");
        assert!(folder.path().join("presentmon-1.csv").exists() && !folder.path().join(RESULT).exists());
        report.ladder = Some(vec![Rung { median_ms: Some(12.5), ..Rung::of(100, 103, &[]) }]);
        out.write(&report, &[], None, &[ResultFormat::Csv]).expect("written");
        let csv = fs::read_to_string(folder.path().join(LADDER)).expect("written");
        assert_eq!(csv.lines().nth(1), Some("100,103,0,12.5000,,,,,,,,,,"));
        assert!(!folder.path().join(FRAMES).exists(), "there are no frames");
    }

    #[test]
    fn a_result_is_never_replaced_silently() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(RESULT), "precious").expect("written");
        let refused = OutDir::claim(folder.path(), false).expect_err("it holds a result");
        assert!(refused.advice().is_some_and(|advice| advice.contains("--force")), "{refused}");
        OutDir::claim(folder.path(), true).expect("force allows it");
        assert_eq!(fs::read_to_string(folder.path().join(RESULT)).expect("still there"), "precious");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_found_before_the_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        let refused = OutDir::claim(&file.join("below"), false).expect_err("a file is no folder");
        assert!(refused.to_string().contains("cannot be written"), "{refused}");
    }

    #[test]
    fn an_abandoned_folder_goes_only_if_it_is_empty() {
        let folder = tempfile::tempdir().expect("a folder");
        let new = folder.path().join("new");
        OutDir::claim(&new, false).expect("writable").abandon();
        assert!(!new.exists());
        fs::create_dir(&new).expect("made");
        fs::write(new.join("mine.txt"), "").expect("written");
        OutDir::claim(&new, false).expect("writable").abandon();
        assert!(new.join("mine.txt").exists());
    }

    #[test]
    fn a_failed_write_leaves_no_part() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut out = OutDir::claim(folder.path(), false).expect("writable");
        // A folder in the file's place cannot be replaced by a file.
        fs::create_dir_all(folder.path().join(RESULT).join("full")).expect("made");
        let (report, runs) = report_of(&[&[10.0; 4]]);
        out.write(&report, &runs, None, &ResultFormat::USUAL).expect_err("the name is taken by a folder");
        assert_eq!(texts(folder.path()).len(), 0);
    }

    #[test]
    fn a_result_of_any_format_is_kept_and_a_folder_is_for_one_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let (report, runs) = report_of(&[&[10.0; 4]]);
        let mut out = OutDir::claim(folder.path(), false).expect("writable");
        let refused = OutDir::claim(folder.path(), true).expect_err("it is being measured for").to_string();
        assert!(refused.contains("another pelagic"), "{refused}");
        out.write(&report, &runs, None, &[ResultFormat::Csv]).expect("written");
        drop(out);
        assert!(matches!(OutDir::claim(folder.path(), false), Err(BenchError::Exists(_))));
    }

    #[test]
    fn a_result_is_the_old_or_the_new_one_whatever_fails() {
        const ALL: [ResultFormat; 5] = [
            ResultFormat::Json,
            ResultFormat::Csv,
            ResultFormat::Html,
            ResultFormat::Presentmon2,
            ResultFormat::Mangohud,
        ];
        let (before, after) = (report_of(&[&[10.0; 4]]), report_of(&[&[20.0; 4]]));
        let write = |room: &Path, (report, runs): &(Report, Vec<MeasuredRun>), formats: &[ResultFormat]| {
            OutDir::claim(room, true)?.write(report, runs, None, formats)
        };
        let written = |result, formats: &[ResultFormat]| {
            let room = room_of([("mine.csv", "mine")]);
            write(room.path(), result, formats).expect("written");
            texts(room.path())
        };
        let (empty, full) = (texts(room_of([("mine.csv", "mine")]).path()), written(&before, &ALL));
        for (earlier, formats) in [(&empty, ALL.as_slice()), (&full, &ALL), (&full, &[ResultFormat::Json])] {
            let new = written(&after, formats);
            at_every_call(
                || room_of(earlier.iter().map(|(name, text)| (name.as_str(), text.as_str()))),
                |room| write(room.path(), &after, formats),
                |room, done, fault| {
                    // The next claim removes what a kill has left.
                    drop(OutDir::claim(room.path(), true).expect("all is well again"));
                    let found = texts(room.path());
                    assert!(found == new || (done.is_err() && found == *earlier), "{fault:?} {done:?}: {found:?}");
                },
            );
        }
    }

    #[test]
    fn files_that_are_no_reports_are_refused_with_a_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.json");
        let why = |text: &str| {
            fs::write(&path, text).expect("written");
            read(&path).expect_err("not a report").to_string()
        };
        assert!(why("{").contains("not JSON"));
        assert!(why("{}").contains("names no schema"));
        assert!(why("{\"schema\": \"pelagic.bench/9\"}").contains("pelagic.bench/9"));
        assert!(why("{\"schema\": \"pelagic.bench/1\"}").contains("missing field"));
    }

    #[test]
    fn a_dated_folder_is_a_name_every_file_system_takes() {
        let folder = dated_folder(Path::new("out/bench"), "2026-01-31T12:30:05Z");
        assert_eq!(folder, Path::new("out/bench/2026-01-31T12-30-05Z"));
    }
}
