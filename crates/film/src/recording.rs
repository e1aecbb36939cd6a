//! Frames drawn on this thread, and kept and encoded on another.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use render::Capture;
use runtime::threads::Work;

use crate::FilmError;
use crate::film_job::{CaptureSettings, FilmJob};
use crate::folder::FrameFolder;
use crate::manifest::FilmFile;
use crate::plan::FrameRate;
use crate::sink::Sink;
use runtime::picture_file::rgb_of;

/// Pictures that wait while one is being kept: drawing goes on meanwhile, and memory stays as it is.
const WAITING: usize = 1;

/// Result of a recording.
pub struct Recorded {
    /// The frames.
    pub folder: FrameFolder,
    /// The file that they were made into.
    pub file: Option<FilmFile>,
    /// Number of frames drawn; the others were there.
    pub drawn: u64,
}

/// A frame on its way to the folder and the file.
enum Job {
    Drawn(u64, Capture),
    /// The frame is in the folder already.
    Kept(u64),
}

/// Makes the frames of `range` that `folder` does not have, and one file of them all if there is a `sink`. `told` is
/// called with each frame of the range: its number, and whether it had to be drawn.
///
/// # Errors
/// If drawing, the disk or the encoder fails, or Ctrl-C was pressed. Frames kept until then are in the folder; their
/// number is returned with the error.
pub fn record(
    job: &mut FilmJob,
    by: &CaptureSettings,
    (range, rate): (Range<u64>, FrameRate),
    folder: FrameFolder,
    sink: Option<Sink>,
    told: &mut dyn FnMut(u64, bool),
) -> Result<Recorded, (FilmError, usize)> {
    let whole: BTreeSet<u64> = folder.whole().keys().copied().collect();
    let (there, wants_all) = (whole.len(), sink.is_some());
    let count = range.end - range.start;
    let (jobs, todo) = sync_channel(WAITING);
    let keeper = Work::start(move || keep(folder, sink, &todo, count));
    let keeper = keeper.map_err(|error| (FilmError::NoThread(error), there))?;
    let drawn = draw(job, by, (range, rate), (&whole, wants_all), &jobs, told);
    drop(jobs);
    let (mut folder, file) = keeper.finish().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    // The manifest of the whole frames is written in any case.
    let noted = folder.write_manifest();
    let kept = folder.whole().len();
    // The keeper's error comes first: it is why drawing stopped.
    let file = file.map_err(|error| (error, kept))?;
    let drawn = drawn.map_err(|error| (error, kept))?;
    noted.map_err(|error| (error, kept))?;
    Ok(Recorded { folder, file, drawn })
}

/// Draws the missing frames; returns their number.
fn draw(
    job: &mut FilmJob,
    by: &CaptureSettings,
    (range, rate): (Range<u64>, FrameRate),
    (whole, wants_all): (&BTreeSet<u64>, bool),
    jobs: &SyncSender<Job>,
    told: &mut dyn FnMut(u64, bool),
) -> Result<u64, FilmError> {
    let mut drawn = 0;
    for frame in range {
        if platform::interrupt::requested() {
            return Err(runtime::AppError::Interrupted.into());
        }
        let is_there = whole.contains(&frame);
        if !is_there {
            let picture = job.picture(rate.time_s(frame), by, &mut |_| {})?;
            drawn += 1;
            if jobs.send(Job::Drawn(frame, picture)).is_err() {
                break;
            }
        } else if wants_all && jobs.send(Job::Kept(frame)).is_err() {
            break;
        }
        told(frame, !is_there);
    }
    Ok(drawn)
}

/// Keeps the frames that arrive, and makes one file of them once all have arrived.
fn keep(
    mut folder: FrameFolder,
    mut sink: Option<Sink>,
    jobs: &Receiver<Job>,
    count: u64,
) -> (FrameFolder, Result<Option<FilmFile>, FilmError>) {
    let mut taken = 0;
    let mut take = |job: Job| -> Result<(), FilmError> {
        match (job, &mut sink) {
            (Job::Drawn(frame, picture), sink) => {
                folder.keep(frame, &picture)?;
                if let (Some(sink), Capture::Display { rgba, .. }) = (sink, &picture) {
                    sink.frame(&rgb_of(rgba))?;
                }
            }
            (Job::Kept(frame), Some(sink)) => sink.frame(&folder.read(frame)?)?,
            (Job::Kept(_), None) => {}
        }
        taken += 1;
        Ok(())
    };
    let done = jobs.iter().try_for_each(&mut take);
    let file = done.and_then(|()| match sink {
        Some(sink) if taken == count => sink.finish().map(Some),
        _ => Ok(None),
    });
    (folder, file)
}
