//! Recording of the screen of a running program.
//!
//! Unlike a benchmark it goes by the program's own clock and a person's camera: it tells how this machine drew this
//! view just now, and says that it cannot be repeated.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files::{OutDir, ResultFormat, dated_folder};
use crate::header::Facts;
use crate::picture::ScenePicture;
use crate::report::{Header, Report};
use crate::run::{End, FrameSample, Measured, MeasuredRun, PassMs, Plan};
use crate::{BenchError, host};

/// Length of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length {
    /// Frames.
    pub frames: u32,
    /// Longest time that they take; on a slow machine it ends with fewer of them.
    pub longest: Duration,
}

impl Length {
    /// Usual length of a recording.
    pub const USUAL: Self = Self { frames: 300, longest: Duration::from_secs(20) };

    /// Plan of a benchmark of that length.
    pub fn plan(self) -> Plan {
        Plan::frames(SETTLE, self.frames, 1)
    }
}

/// Frames that are skipped first, until nothing but the picture is on the screen.
const SETTLE: u32 = 5;

/// A recording in the making.
#[derive(Debug)]
pub struct Recording {
    header: Header,
    length: Length,
    run: MeasuredRun,
    settle: u32,
    /// The number, in the renderer's own count, of the frame recorded first.
    first: Option<u32>,
    recorded: Duration,
}

/// A recording that is over.
#[derive(Debug)]
pub struct Finished {
    /// Everything but the single frames.
    pub report: Report,
    /// The run with its frames.
    pub runs: Vec<MeasuredRun>,
    /// Picture of the screen, if it could be kept.
    pub picture: Option<ScenePicture>,
}

impl Recording {
    /// Begins with the next frames; `notes` tells the point of view and any other remarks.
    pub fn new(facts: Facts<'_>, notes: Vec<String>, length: Length) -> Self {
        let run = MeasuredRun { samples: Vec::with_capacity(length.frames as usize), notes, ..MeasuredRun::default() };
        let header = facts.header(&length.plan());
        Self { header, length, run, settle: SETTLE, first: None, recorded: Duration::ZERO }
    }

    /// Takes in a frame; `true` if it was the last one wanted.
    pub fn frame(&mut self, sample: FrameSample) -> bool {
        if self.settle > 0 {
            self.settle -= 1;
            return false;
        }
        self.first.get_or_insert(sample.number);
        self.run.samples.push(sample);
        self.recorded += Duration::from_secs_f64((sample.frame_ms / 1e3).clamp(0.0, 60.0));
        self.is_whole()
    }

    fn is_whole(&self) -> bool {
        self.run.samples.len() == self.length.frames as usize || self.recorded >= self.length.longest
    }

    /// Takes in the GPU times of a frame, by the renderer's own count.
    pub fn gpu(&mut self, number: u32, times: PassMs<'_>) {
        self.run.add_passes(times);
        if let Some(frame) = self.first.and_then(|first| number.checked_sub(first)) {
            self.run.take_gpu(frame as usize, times);
        }
    }

    /// Marks the recording as spoiled by an event, such as `the window's losing its focus`.
    pub fn disturb(&mut self, what: &str) {
        self.run.disturbed.get_or_insert_with(|| what.into());
    }

    /// Whether something has spoiled it.
    pub fn is_disturbed(&self) -> bool {
        self.run.disturbed.is_some()
    }

    /// Ends the run and returns its frames; `state_hash` is of everything that moves, now.
    pub fn end_run(self, state_hash: u64) -> MeasuredRun {
        let is_whole = self.is_whole();
        let Self { length: Length { frames, longest }, mut run, .. } = self;
        run.state_hash = state_hash;
        run.passes.iter_mut().for_each(|pass| pass.ms.resize(run.samples.len(), None));
        run.complete = run.disturbed.is_none() && is_whole;
        let recorded = run.samples.len();
        if run.complete && recorded < frames as usize {
            let seconds = longest.as_secs();
            run.notes.push(format!("{recorded} of {frames} frames, in the {seconds} s that are the longest"));
        }
        run
    }

    /// Ends the recording and returns it; `state_hash` is of everything that moves, now.
    pub fn end(self, state_hash: u64) -> Finished {
        let (header, plan) = (self.header.clone(), self.length.plan());
        let run = self.end_run(state_hash);
        let end = if run.complete { End::Complete } else { End::Interrupted };
        let mut measured = Measured { runs: vec![run], end };
        let report = Report::new(header, &plan, &measured, host::peak_memory_mib());
        measured.forget_doubtful_times(&report);
        Finished { report, runs: measured.runs, picture: None }
    }
}

/// A folder of its own in `results` for a recording that begins now.
///
/// # Errors
/// If nothing can be written there.
pub fn claim(results: &Path) -> Result<OutDir, BenchError> {
    claim_of(results, &host::utc_now())
}

fn claim_of(results: &Path, when: &str) -> Result<OutDir, BenchError> {
    let first = dated_folder(results, when);
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    // There may be one of the same second.
    let others = (2..).map(|number| first.with_file_name(format!("{name}-{number}")));
    let mut folders = std::iter::once(first.clone()).chain(others).filter(|folder| !storage::is_there(folder));
    let folder = folders.next().unwrap_or_else(|| first.clone());
    OutDir::claim(&folder, false)
}

/// Writes a recording; returns the folder.
///
/// # Errors
/// If it cannot be written; then the folder is gone too.
pub fn write(out: OutDir, finished: &Finished) -> Result<PathBuf, BenchError> {
    write_as(out, finished, &ResultFormat::USUAL)
}

fn write_as(
    mut out: OutDir,
    Finished { report, runs, picture }: &Finished,
    formats: &[ResultFormat],
) -> Result<PathBuf, BenchError> {
    match out.write(report, runs, picture.as_ref(), formats) {
        Ok(()) => Ok(out.path().to_path_buf()),
        Err(error) => {
            out.abandon();
            Err(error)
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use config::Config;
    use gl::DeviceInfo;
    use render::governor::QualityLevel;
    use render::{Quality, ShaderSource, Stereo};
    use storage::faults::at_every_call;
    use testing::{room_of, texts};
    use view::StaticScene;

    use super::*;
    use crate::FrameEnd;
    use crate::report::RequestedRun;
    use crate::report::tests::report_of;

    const FRAMES: u32 = Length::USUAL.frames;
    /// Facts about a scene in a window.
    pub fn facts<'a>(config: &'a Config, static_scene: &'a StaticScene) -> Facts<'a> {
        let device = DeviceInfo { renderer: "a card".into(), ..DeviceInfo::default() };
        Facts {
            config,
            static_scene,
            shaders: Box::leak(Box::new(ShaderSource::default())),
            device: Box::leak(Box::new(device)),
            set: &[],
            asked: RequestedRun::default(),
            size: (320, 180),
            seed: 1,
            level: QualityLevel { quality: Quality::Low, scale: 0.7 },
            stereo: Stereo::Off,
            governor: false,
            pipelined: true,
            vsync: Some(true),
            refresh_hz: Some(60.0),
            frame_end: FrameEnd::Swap,
            offscreen: false,
            live: true,
            label: None,
        }
    }

    fn recording(config: &Config, static_scene: &StaticScene) -> Recording {
        let notes = vec!["seen from 1.0 -3.0 2.0".into()];
        Recording::new(facts(config, static_scene), notes, Length::USUAL)
    }

    /// The frame of that number, which took so long.
    pub fn frame(number: u32, frame_ms: f64) -> FrameSample {
        FrameSample { number, frame_ms, ..FrameSample::default() }
    }

    #[test]
    fn it_ends_by_itself_and_is_marked_as_live() {
        let (config, static_scene) = (Config::default(), StaticScene::default());
        let mut recording = recording(&config, &static_scene);
        let ended = (0..1000).find(|&number| recording.frame(frame(number, 10.0))).expect("it ends");
        assert_eq!(ended, SETTLE + FRAMES - 1);
        let Finished { report, runs, .. } = recording.end(7);
        assert!(report.settings.live && !report.aborted && report.runs[0].valid);
        assert_eq!((runs[0].samples.len(), report.settings.render_scale), (FRAMES as usize, 0.7));
        assert_eq!(report.runs[0].notes[0], "seen from 1.0 -3.0 2.0");
    }

    #[test]
    fn a_slow_machine_gives_fewer_frames_and_a_whole_recording() {
        let (config, static_scene) = (Config::default(), StaticScene::default());
        let mut recording = recording(&config, &static_scene);
        let ended = (0..1000).find(|&number| recording.frame(frame(number, 500.0))).expect("it ends");
        assert_eq!(ended, SETTLE + 40 - 1);
        let report = recording.end(7).report;
        assert!(report.runs[0].valid);
        let note = "40 of 300 frames, in the 20 s that are the longest";
        assert!(report.runs[0].notes.iter().any(|found| found == note), "{:?}", report.runs[0].notes);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_found_at_the_beginning() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let refused = claim(&file).expect_err("a file is no folder").to_string();
        assert!(refused.contains("cannot be written") && !refused.contains("--"), "a window has no options: {refused}");
        let out = claim(folder.path()).expect("writable");
        let claimed = out.path().to_owned();
        assert!(claimed.starts_with(folder.path()) && claimed.is_dir());
        out.abandon();
        assert!(!claimed.exists());
    }

    #[test]
    fn a_world_that_does_not_keep_up_is_warned_about() {
        let (config, static_scene) = (Config::default(), StaticScene::default());
        let warned = |frame_ms: f64, world_s: f64| {
            let mut recording = recording(&config, &static_scene);
            let frame = |number: u32| FrameSample {
                number,
                frame_ms,
                sim_time_s: f64::from(number) * world_s,
                ..FrameSample::default()
            };
            (0..1000).find(|&number| recording.frame(frame(number))).expect("it ends");
            let warnings = recording.end(7).report.warnings;
            warnings.into_iter().find(|warning| warning.code == "world_slowed").map(|warning| warning.text)
        };
        // Five steps a frame are 83 ms.
        let slowed = warned(125.0, 5.0 / 60.0).expect("it goes at two thirds of its speed");
        assert!(slowed.starts_with("the world went at 67 % of its speed"), "{slowed}");
        assert_eq!((warned(50.0, 0.05), warned(125.0, 0.0)), (None, None), "at its own pace, and paused");
    }

    #[test]
    fn what_is_disturbed_or_stopped_is_written_and_does_not_count() {
        let (config, static_scene) = (Config::default(), StaticScene::default());
        let mut disturbed = recording(&config, &static_scene);
        (0..20).for_each(|number| assert!(!disturbed.frame(frame(number, 10.0))));
        disturbed.disturb("the window's losing its focus");
        let report = disturbed.end(7).report;
        assert!(report.aborted && !report.runs[0].valid);
        assert!(report.runs[0].notes.iter().any(|note| note.contains("losing its focus after 15 of 300 frames")));
        let mut stopped = recording(&config, &static_scene);
        (0..20).for_each(|number| assert!(!stopped.frame(frame(number, 10.0))));
        assert!(!stopped.end(7).report.runs[0].valid);
    }

    #[test]
    fn gpu_times_find_their_frames_by_number() {
        let (config, static_scene) = (Config::default(), StaticScene::default());
        let mut recording = recording(&config, &static_scene);
        for number in 100..120 {
            recording.frame(frame(number, 10.0));
            recording.gpu(number - 2, &[("water", f64::from(number - 2) / 100.0)]);
        }
        let Finished { report, runs, .. } = recording.end(7);
        assert_eq!(runs[0].samples[0].gpu_ms, Some(1.05));
        assert_eq!(runs[0].samples.last().and_then(|last| last.gpu_ms), None);
        assert_eq!(report.runs[0].gpu.as_ref().map(|gpu| gpu.n), Some(13));
    }

    #[test]
    fn a_recording_is_written_whole_or_not_at_all_whatever_fails() {
        let (report, runs) = report_of(&[&[10.0; 4]]);
        let finished = Finished { report, runs, picture: None };
        let whole = tempfile::tempdir().expect("a folder");
        // Without the card, which takes long to draw so often.
        let formats = [ResultFormat::Json, ResultFormat::Csv, ResultFormat::Html];
        let written = |results: &Path| {
            claim_of(results, &finished.report.when).and_then(|out| write_as(out, &finished, &formats))
        };
        let folders = [1, 2].map(|_| written(whole.path()).expect("written"));
        assert_ne!(folders[0], folders[1], "of one second");
        let texts_of = |folder: &Path| texts(folder).into_values().collect::<Vec<_>>();
        at_every_call(
            || room_of([]),
            |room| written(room.path()).map(drop),
            |room, done, fault| {
                let folder = room.path().join(folders[0].strip_prefix(whole.path()).expect("below it"));
                if folder.exists() {
                    OutDir::claim(&folder, true).expect("all is well again").abandon();
                }
                let found = texts_of(room.path());
                assert!(
                    found == texts_of(&folders[0]) || (done.is_err() && found.is_empty()),
                    "{fault:?} {done:?}: {} files",
                    found.len()
                );
            },
        );
    }
}
