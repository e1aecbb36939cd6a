//! One file that all frames go into, in their order.

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use storage::OutStream;

use crate::encoder::{Contents, Encoder, EncoderCommand, Preset};
use crate::manifest::{FilmFile, Hash};
use crate::y4m::{FRAME, planes};
use crate::{FilmError, boxes};

/// Maker of a film's file.
#[derive(Clone, Debug)]
pub enum FileKind {
    /// This program.
    Y4m(Contents),
    /// `ffmpeg`.
    Encoded(Box<EncoderCommand>),
}

impl FileKind {
    /// Maker of a file by its ending; `None` if it is no film's.
    ///
    /// # Errors
    /// If such a film cannot be made, or not of that size.
    pub fn of(path: &Path, contents: Contents, preset: Preset, ffmpeg: &Path) -> Result<Option<Self>, FilmError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let kind = match ending.as_str() {
            "y4m" if preset == Preset::Lossless => {
                let why = "a .y4m file keeps no RGB, so it is not lossless; take .mkv, or a folder of pictures";
                return Err(FilmError::Refused(why.into()));
            }
            "y4m" => Self::Y4m(contents),
            "mp4" | "mkv" | "webm" => Self::Encoded(Box::new(EncoderCommand::new(ffmpeg, preset, &ending, contents)?)),
            _ => return Ok(None),
        };
        if preset == Preset::Web {
            contents.chroma.check(contents.size).map_err(FilmError::Refused)?;
        }
        Ok(Some(kind))
    }
}

/// A film's file in the making.
pub struct Sink {
    out: OutStream,
    name: String,
    by: By,
}

enum By {
    Us { contents: Contents, hash: Sha256 },
    Encoder { encoder: Encoder, version: String, line: String, boxes: Vec<u8> },
}

impl Sink {
    /// Begins the file.
    ///
    /// # Errors
    /// If it cannot be written there, or there is no `ffmpeg` for it.
    pub fn create(path: &Path, kind: &FileKind) -> Result<Self, FilmError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let out = OutStream::create(path)?;
        let by = match kind {
            FileKind::Y4m(contents) => By::Us { contents: *contents, hash: Sha256::new() },
            FileKind::Encoded(command) => {
                let version = command.version()?;
                let line = command.line(path);
                log::info!("{line}");
                let boxes = command.boxes().to_vec();
                By::Encoder { encoder: command.start(out.growing())?, version, line, boxes }
            }
        };
        let mut sink = Self { out, name, by };
        if let By::Us { contents: Contents { size, rate, chroma, .. }, .. } = sink.by {
            sink.write(chroma.header(size, rate).as_bytes())?;
        }
        Ok(sink)
    }

    /// Adds a picture in display RGB.
    ///
    /// # Errors
    /// If the disk is full or the encoder has failed.
    pub fn frame(&mut self, rgb: &[u8]) -> Result<(), FilmError> {
        match &mut self.by {
            By::Encoder { encoder, .. } => encoder.frame(rgb),
            By::Us { contents, .. } => {
                let planes = planes(rgb, contents.size, contents.chroma);
                self.write(FRAME)?;
                self.write(&planes)
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), FilmError> {
        if let By::Us { hash, .. } = &mut self.by {
            hash.update(bytes);
        }
        Ok(self.out.write(bytes)?)
    }

    /// Ends the file and puts it into its place.
    ///
    /// # Errors
    /// Same as [`Self::frame`]; then a file already in its place is as it was.
    pub fn finish(self) -> Result<FilmFile, FilmError> {
        let (out, file) = self.end()?;
        out.commit()?;
        Ok(file)
    }

    /// Ends the file and puts it into its place or, if that is taken by then, into the first free one of `others`, of
    /// the same folder; returns its path.
    ///
    /// # Errors
    /// Same as [`Self::frame`].
    pub fn finish_new(self, others: impl Iterator<Item = PathBuf>) -> Result<PathBuf, FilmError> {
        let (out, _) = self.end()?;
        Ok(out.commit_new(others)?)
    }

    fn end(self) -> Result<(OutStream, FilmFile), FilmError> {
        let Self { mut out, name, by } = self;
        let file = match by {
            By::Us { hash, .. } => FilmFile { name, sha256: Hash::end(hash), encoder: None, command: None },
            By::Encoder { encoder, version, line, boxes } => {
                encoder.finish()?;
                if !boxes.is_empty() && !boxes::put(&mut out, &boxes)? {
                    log::warn!(
                        "{name}: {version} left no room to say how it is to be seen; players have its name only"
                    );
                }
                let sha256 = Hash::of_file(out.growing())?;
                FilmFile { name, sha256, encoder: Some(version), command: Some(line) }
            }
        };
        Ok((out, file))
    }
}
