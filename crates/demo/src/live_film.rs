//! A film of the picture on the screen, at a fixed step however long frames take: by ffmpeg where there is one, else
//! uncompressed.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};

use film::FilmError;
use film::encoder::{Contents, EncoderCommand, Preset};
use film::panorama::Projection;
use film::plan::FrameRate;
use film::sink::{FileKind, Sink};
use film::y4m::Chroma;
use platform::out_folders::OutFolders;
use render::{Capture, Stereo};
use runtime::AppError;
use runtime::picture_file::{free_path, numbered_paths};
use runtime::threads::Work;
use shell::messages::Messages;

use crate::saving::{Saving, WriteFailure, Written, with_reason};

/// Name of the saved thing, and topic of messages.
pub const FILM: &str = "film";
/// File extension of a film that ffmpeg encodes.
const ENCODED: &str = "mp4";
/// Frames a second.
const RATE: FrameRate = FrameRate { frames: 30, seconds: 1 };
/// Longest film: uncompressed, a forgotten one fills the disk. Unit: frames.
const MAX_FRAMES: u64 = 30 * 300;
/// Pictures that wait while one is being written.
const WAITING: usize = 1;

/// A film that is being made.
pub struct LiveFilm {
    /// Queue of pictures to be written, in display RGB.
    pictures: SyncSender<Vec<u8>>,
    /// Background work that writes them.
    saving: Saving,
    is_encoded: bool,
    refused: Option<String>,
    screen: (u32, u32),
    size: (u32, u32),
    frames: u64,
}

/// Next step of a film after a frame.
pub enum FilmStep {
    /// The next frame.
    GoesOn,
    /// The next frame; another second is complete, which is to be announced.
    Second,
    /// Its end.
    Ends,
}

/// Destination of a film.
pub struct FilmFiles<'a> {
    /// The scene, after which it is named.
    pub scene: &'a str,
    /// Paths that are being written to.
    pub pending: Vec<&'a Path>,
    /// Folders; the first one that can take the film does.
    pub folders: &'a OutFolders,
    /// The encoder.
    pub ffmpeg: &'a Path,
}

impl LiveFilm {
    /// The size of a film of a screen, if that is large enough for one: 4:2:0 halves both sides.
    pub fn size(screen: (u32, u32)) -> Option<(u32, u32)> {
        let (width, height) = (screen.0 & !1, screen.1 & !1);
        (width > 0 && height > 0).then_some((width, height))
    }

    /// Begins a film of that [`Self::size`].
    ///
    /// # Errors
    /// If no folder takes it, or the system has no thread.
    pub fn begin(screen: (u32, u32), size: (u32, u32), files: &FilmFiles<'_>) -> Result<Self, FilmError> {
        // A film shows the screen as it is, however many eyes it is for.
        let (chroma, stereo, projection) = (Chroma::Half, Stereo::Off, Projection::Perspective);
        let contents = Contents { size, rate: RATE, chroma, stereo, projection };
        let encoder = EncoderCommand::new(files.ffmpeg, Preset::Web, ENCODED, contents);
        let encoder = encoder.ok().filter(EncoderCommand::is_usable);
        let is_encoded = encoder.is_some();
        let (ending, kind) = match encoder {
            Some(encoder) => (ENCODED, FileKind::Encoded(Box::new(encoder))),
            None => ("y4m", FileKind::Y4m(contents)),
        };
        let ((path, sink), refused) = files.folders.first(|folder| {
            let path = free_path(numbered_paths(folder, files.scene, ending), &files.pending);
            Sink::create(&path, &kind).map(|sink| (path, sink))
        })?;
        let (pictures, taken) = sync_channel::<Vec<u8>>(WAITING);
        // Another window may take its name meanwhile.
        let others = numbered_paths(path.parent().unwrap_or(Path::new("")), files.scene, ending);
        let place = path.clone();
        let write = move || {
            let mut sink = sink;
            let written = taken.iter().try_for_each(|rgb| sink.frame(&rgb));
            match written.and_then(|()| sink.finish_new(others)) {
                Ok(path) => Ok(Written { path, refused: None }),
                Err(error) => Err(WriteFailure { error: unwritten(place, &error), kept: None }),
            }
        };
        let work = Work::start(write).map_err(FilmError::NoThread)?;
        let (saving, refused) = (Saving { what: FILM, path: Some(path), work }, refused.map(|error| error.to_string()));
        Ok(Self { pictures, saving, is_encoded, refused, screen, size, frames: 0 })
    }

    /// The time from one frame to the next. Unit: s.
    pub fn step_s(&self) -> f64 {
        RATE.time_s(1)
    }

    /// Adds the picture of a screen of that size.
    pub fn take(&mut self, picture: &Capture, screen: (u32, u32)) -> FilmStep {
        let (width, height) = (self.size.0 as usize, self.size.1 as usize);
        let taken = match picture {
            Capture::Display { width: wide, rgba, .. } if screen == self.screen => {
                let rows = rgba.chunks_exact(4 * *wide as usize).take(height);
                let pixels = rows.flat_map(|row| row.chunks_exact(4).take(width));
                Some(pixels.flat_map(|p| [p[0], p[1], p[2]]).collect())
            }
            // Another size is another film.
            _ => None,
        };
        // Sending fails if the writer has ended: the reason is reported when the saving is looked after.
        let goes_on = taken.is_some_and(|rgb| self.pictures.send(rgb).is_ok());
        self.frames += u64::from(goes_on);
        match goes_on && self.frames < MAX_FRAMES {
            false => FilmStep::Ends,
            true if self.frames.is_multiple_of(u64::from(RATE.frames)) => FilmStep::Second,
            true => FilmStep::GoesOn,
        }
    }

    fn seconds(&self) -> u64 {
        self.frames / u64::from(RATE.frames)
    }

    /// Message while the film is being made: its length, its path and the key that ends it.
    pub fn text(&self, messages: &Messages) -> String {
        let path = self.saving.path.as_deref().unwrap_or(Path::new("")).display().to_string();
        let values = [("seconds", self.seconds().into()), ("path", path.into())];
        let mut text = messages.format("film-goes-on", &values);
        if !self.is_encoded {
            text = format!("{text}\n{}", messages.get("film-uncompressed"));
        }
        with_reason(text, self.refused.as_deref())
    }

    /// Title of the window while the film is being made.
    pub fn title(&self) -> String {
        format!("Pelagic: filming, {} s; F9 ends", self.seconds())
    }

    /// Ends the film; it is in its place when its last picture is written.
    pub fn end(self) -> Saving {
        self.saving
    }
}

fn unwritten(path: PathBuf, error: &FilmError) -> AppError {
    let why = match error {
        FilmError::File { why, .. } => why.clone(),
        error => error.to_string(),
    };
    AppError::Write { path, why }
}
