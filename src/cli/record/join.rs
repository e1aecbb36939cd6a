//! `pelagic record merge` and `verify`.

use std::path::PathBuf;

use clap::ValueEnum as _;
use film::encoder::{Contents, Preset};
use film::manifest::Film;
use film::merge::{Parts, in_words, manifest_beside, refuse_other, verify_file};
use film::panorama::Projection;
use film::plan::FrameRate;
use film::sink::{FileKind, Sink};
use film::y4m::Chroma;
use render::Stereo;

use crate::cli::CliError;
use crate::cli::existing::ForceArgs;
use crate::cli::print::print;
use crate::cli::progress::Progress;

/// Operations on existing films.
#[derive(clap::Subcommand, Debug)]
pub enum RecordCommand {
    /// Join the parts of a film into one file, or one folder.
    Merge(MergeArgs),
    /// Check that every frame of folders, or a film's file, is what was written.
    Verify(VerifyArgs),
}

/// Arguments of `merge`.
#[derive(clap::Args, Debug)]
pub struct MergeArgs {
    /// Folders of parts.
    #[arg(required = true, value_name = "FOLDER")]
    parts: Vec<PathBuf>,
    /// The film: clip.y4m, clip.mp4, .mkv or .webm, or a folder. A file of the same film is replaced, any other only with
    /// --force.
    #[arg(long, short, value_name = "FILE|FOLDER")]
    out: PathBuf,
    #[command(flatten)]
    existing: ForceArgs,
    /// Encoding preset of the film's file.
    #[arg(long, value_name = "WHAT", value_enum, default_value = "web")]
    preset: Preset,
    /// Chroma subsampling where colour is not RGB.
    #[arg(long, value_name = "KIND", value_enum, default_value = "420")]
    chroma: Chroma,
    /// The ffmpeg to use.
    #[arg(long, value_name = "FILE", default_value = "ffmpeg")]
    ffmpeg: PathBuf,
}

/// Arguments of `verify`.
#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    /// Folders of one film's parts, or films' files.
    #[arg(required = true, value_name = "FOLDER|FILE")]
    films: Vec<PathBuf>,
}

/// Runs the commands.
///
/// # Errors
/// If parts do not belong together, something is missing or damaged, or the output cannot be written.
pub fn run(command: RecordCommand) -> Result<(), CliError> {
    match command {
        RecordCommand::Merge(args) => merge(&args),
        RecordCommand::Verify(args) => verify(&args),
    }
}

fn merge(args: &MergeArgs) -> Result<(), CliError> {
    let parts = Parts::find(&args.parts)?;
    let film = parts.manifest.film.clone();
    if !parts.drivers.is_empty() {
        log::warn!(
            "the parts were drawn by different drivers, whose pictures may differ: {}",
            parts.drivers.join("; ")
        );
    }
    let missing = parts.missing();
    if !missing.is_empty() {
        return Err(CliError::Failed(format!("of {} frames these are missing: {}", film.frames, in_words(&missing))));
    }
    let is_file = !args.out.is_dir() && args.out.extension().is_some();
    if is_file && film.format != "png" {
        let why =
            "the parts are linear EXR pictures; they can be joined in a folder, and films are made of .png frames";
        return Err(CliError::Config(why.into()));
    }
    let contents = contents(&film, args.chroma)?;
    let kind = if is_file { FileKind::of(&args.out, contents, args.preset, &args.ffmpeg)? } else { None };
    if is_file && kind.is_none() {
        let why = format!("{}: films are .y4m, .mp4, .mkv or .webm files, or folders", args.out.display());
        return Err(CliError::Config(why));
    }
    let sink = match &kind {
        Some(kind) => {
            if !args.existing.force {
                refuse_other(&args.out, parts.manifest.range, |other| film.difference(other))?;
            }
            Some(Sink::create(&args.out, kind)?)
        }
        None => {
            parts.check_folder(&args.out)?;
            None
        }
    };
    let progress = Progress::new("", 0);
    progress.begin("the parts' hashes", film.frames);
    refuse_damaged(&parts, &progress)?;
    progress.begin_long("the film", film.frames);
    match sink {
        None => parts.gather(&args.out, &mut |_| progress.step())?,
        Some(sink) => {
            let file = parts.encode(sink, &mut |_| progress.step())?;
            let mut manifest = parts.manifest;
            manifest.file = Some(file);
            manifest.write(&manifest_beside(&args.out))?;
        }
    }
    drop(progress);
    log::info!("{}: {} frames of {} folders", args.out.display(), film.frames, args.parts.len());
    Ok(())
}

fn verify(args: &VerifyArgs) -> Result<(), CliError> {
    let (folders, files): (Vec<_>, Vec<_>) = args.films.iter().cloned().partition(|film| film.is_dir());
    for file in &files {
        let manifest = verify_file(file)?;
        let (from, to) = manifest.range;
        print(&format!("{}: whole, frames {from}..{to} of {}\n", file.display(), manifest.film.frames))?;
    }
    if folders.is_empty() {
        return Ok(());
    }
    let parts = Parts::find(&folders)?;
    let progress = Progress::new("", 0);
    progress.begin("hashes", parts.manifest.frames.len() as u64);
    refuse_damaged(&parts, &progress)?;
    drop(progress);
    let (whole, all) = (parts.manifest.frames.len(), parts.manifest.film.frames);
    let missing = parts.missing();
    match missing.is_empty() {
        true => print(&format!("{whole} of {all} frames, each what was written\n")),
        false => print(&format!("{whole} of {all} frames, each what was written; missing: {}\n", in_words(&missing))),
    }
}

fn refuse_damaged(parts: &Parts, progress: &Progress) -> Result<(), CliError> {
    const MAX: usize = 8;
    let damaged = parts.damaged(&mut |_| progress.step());
    if damaged.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = damaged.iter().take(MAX).map(|(path, why)| format!("{}: {why}", path.display())).collect();
    let more = if damaged.len() > MAX { format!("\nand {} more", damaged.len() - MAX) } else { String::new() };
    Err(CliError::Failed(format!(
        "{} frames are damaged; the part's own command makes them anew\n{}{more}",
        damaged.len(),
        lines.join("\n")
    )))
}

fn contents(film: &Film, chroma: Chroma) -> Result<Contents, CliError> {
    let rate: FrameRate = film.fps.parse().map_err(CliError::Config)?;
    let stereo = Stereo::from_str(&film.stereo, false).map_err(CliError::Config)?;
    let projection = Projection::from_str(&film.projection, false).map_err(CliError::Config)?;
    Ok(Contents { size: film.size, rate, chroma, stereo, projection })
}
