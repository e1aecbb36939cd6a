//! F9: a film of what is on the screen, at a fixed step however long frames take: by ffmpeg where there is one, else
//! uncompressed.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};

use film::FilmError;
use film::encoder::{Contents, EncoderCommand, Preset};
use film::panorama::Projection;
use film::plan::FrameRate;
use film::sink::{FileKind, Sink};
use film::y4m::Chroma;
use render::{Capture, Stereo};
use runtime::AppError;
use runtime::picture_file::{free_path, numbered_paths};
use runtime::threads::Work;

use crate::running::RunningDemo;
use crate::running::save::{Saved, Saving, Unsaved, with_reason};

/// What is saved, and a topic of what is said.
const FILM: &str = "film";
/// What a film's file ends in that ffmpeg makes.
const ENCODED: &str = "mp4";
/// Frames a second.
const RATE: FrameRate = FrameRate { frames: 30, seconds: 1 };
/// Longest film: uncompressed, a forgotten one fills the disk. Unit: frames.
const MAX_FRAMES: u64 = 30 * 300;
/// Pictures that wait while one is being written.
const WAITING: usize = 1;

/// A film that is being made.
pub struct LiveFilm {
    /// Takes pictures, in display RGB.
    pictures: SyncSender<Vec<u8>>,
    /// Writes them.
    saving: Saving,
    is_encoded: bool,
    refused: Option<String>,
    screen: (u32, u32),
    size: (u32, u32),
    frames: u64,
}

impl RunningDemo {
    /// Begins a film of what is on the screen, or ends it.
    pub(super) fn toggle_film(&mut self) {
        if self.film.is_some() {
            return self.end_film();
        }
        self.disturb_recording("a film");
        let Some(screen) = self.stage.as_ref().map(|stage| stage.size()) else { return };
        // 4:2:0 halves both sides.
        let size = (screen.0 & !1, screen.1 & !1);
        if size.0 == 0 || size.1 == 0 {
            return self.show_error(FILM, &self.messages().get("film-too-small"));
        }
        // What is on the screen is what a film shows, however many eyes it is for.
        let (chroma, stereo, projection) = (Chroma::Half, Stereo::Off, Projection::Perspective);
        let contents = Contents { size, rate: RATE, chroma, stereo, projection };
        let pending: Vec<&Path> = self.saving.iter().filter_map(|saving| saving.path.as_deref()).collect();
        let scene = &self.session.config.scene.name;
        let encoder = EncoderCommand::new(&self.options.ffmpeg, Preset::Web, ENCODED, contents);
        let encoder = encoder.ok().filter(EncoderCommand::is_usable);
        let is_encoded = encoder.is_some();
        let (ending, kind) = match encoder {
            Some(encoder) => (ENCODED, FileKind::Encoded(Box::new(encoder))),
            None => ("y4m", FileKind::Y4m(contents)),
        };
        let begun = self.options.pictures.first(|folder| {
            let path = free_path(numbered_paths(folder, scene, ending), &pending);
            Sink::create(&path, &kind).map(|sink| (path, sink))
        });
        let work = begun.and_then(|((path, sink), refused)| {
            let (pictures, taken) = sync_channel::<Vec<u8>>(WAITING);
            // Another window may take its name meanwhile.
            let others = numbered_paths(path.parent().unwrap_or(Path::new("")), scene, ending);
            let place = path.clone();
            let write = move || {
                let mut sink = sink;
                let written = taken.iter().try_for_each(|rgb| sink.frame(&rgb));
                match written.and_then(|()| sink.finish_new(others)) {
                    Ok(path) => Ok(Saved { path, refused: None }),
                    Err(error) => Err(Unsaved { error: unwritten(place, &error), kept: None }),
                }
            };
            let work = Work::start(write).map_err(FilmError::NoThread)?;
            Ok((pictures, Saving { what: FILM, path: Some(path), work }, refused))
        });
        match work {
            Ok((pictures, saving, refused)) => {
                self.panels.clear_error(FILM);
                let refused = refused.map(|error| error.to_string());
                self.film = Some(LiveFilm { pictures, saving, is_encoded, refused, screen, size, frames: 0 });
                self.say_film();
            }
            Err(error) => self.show_error(FILM, &error),
        }
    }

    /// The time from one frame of a film to the next, while one is made. Unit: s.
    pub(super) fn film_step_s(&self) -> Option<f64> {
        self.film.as_ref().map(|_| RATE.time_s(1))
    }

    /// Takes the frame into the film that is being made, if one is.
    pub(super) fn film_frame(&mut self) {
        let Some(film) = &mut self.film else { return };
        let Some(stage) = &mut self.stage else { return };
        let (width, height) = (film.size.0 as usize, film.size.1 as usize);
        let taken = match stage.capture(&self.frame) {
            Ok(Capture::Display { width: wide, rgba, .. }) if stage.size() == film.screen => {
                let rows = rgba.chunks_exact(4 * wide as usize).take(height);
                let pixels = rows.flat_map(|row| row.chunks_exact(4).take(width));
                Some(pixels.flat_map(|p| [p[0], p[1], p[2]]).collect())
            }
            // Another size is another film.
            Ok(_) => None,
            Err(error) => {
                self.show_error(FILM, &error);
                None
            }
        };
        let Some(film) = &mut self.film else { return };
        // Who writes them has ended if it cannot: why is told when it is looked after.
        let goes_on = taken.is_some_and(|rgb| film.pictures.send(rgb).is_ok());
        film.frames += u64::from(goes_on);
        if !goes_on || film.frames >= MAX_FRAMES {
            return self.end_film();
        }
        if film.frames.is_multiple_of(u64::from(RATE.frames)) {
            self.say_film();
        }
    }

    /// Says that a film is being made, how long it is and what ends it.
    fn say_film(&mut self) {
        let Some(film) = &self.film else { return };
        let seconds = film.frames / u64::from(RATE.frames);
        let path = film.saving.path.as_deref().unwrap_or(Path::new("")).display().to_string();
        let (values, refused) = ([("seconds", seconds.into()), ("path", path.into())], film.refused.clone());
        let mut said = self.messages().format("film-goes-on", &values);
        if !film.is_encoded {
            said = format!("{said}\n{}", self.messages().get("film-uncompressed"));
        }
        self.notify_about(FILM, with_reason(said, refused.as_deref()));
        if let Some(screen) = self.screen() {
            screen.set_title(&format!("Pelagic: filming, {seconds} s; F9 ends"));
        }
    }

    /// Ends the film that is being made, if one is; it is in its place when its last picture is written.
    pub(super) fn end_film(&mut self) {
        let Some(LiveFilm { pictures, saving, .. }) = self.film.take() else { return };
        drop(pictures);
        self.saving.push(saving);
        self.show_title();
    }
}

fn unwritten(path: PathBuf, error: &FilmError) -> AppError {
    let why = match error {
        FilmError::File { why, .. } => why.clone(),
        error => error.to_string(),
    };
    AppError::Write { path, why }
}
