//! `pelagic record`: a film, off-screen, into a file or a folder of frames.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bench::scene_hash;
use config::Config;
use film::encoder::{Contents, Preset};
use film::manifest::{Film, Manifest};
use film::merge::{manifest_beside, refuse_other};
use film::panorama::{Panorama, Projection};
use film::plan::{FrameRate, Wanted, parse_frames, parse_part};
use film::sink::{FileKind, Sink};
use film::y4m::Chroma;
use film::{CameraPath, CaptureSettings, FilmError, FilmJob, FrameFolder, Recorded, record, subject_of};
use platform::interrupt;
use render::{Quality, Stereo, View};
use runtime::offscreen::Session;
use runtime::picture_file::PictureFormat;
use runtime::{AppError, SceneOptions};

use crate::cli::existing::ForceArgs;
use crate::cli::progress::Progress;
use crate::cli::shot::{self, TIME_S};
use crate::cli::{CliError, SceneArgs};

mod join;

use join::RecordCommand;

/// Number of progress steps of simulating up to the first frame.
const PARTS: u64 = 40;
/// Longest film and latest start: a day. Unit: s.
const LONGEST_S: f64 = 86_400.0;

const EXAMPLES: &str = "\
Examples:
  pelagic record -o tour.mp4 --tour --seconds 20           the scene's tour, for every player
  pelagic record -o clip.mkv --preset lossless --camera coral
  pelagic record -o clip.y4m --samples 16 --fps 24         motion blur; no ffmpeg needed
  pelagic record -o reef_180_LR.mp4 --projection vr180     for headsets
  pelagic record -o frames/ --format exr --frames 0..100   a hundred linear pictures
  pelagic record -o part3/ --tour --seconds 60 --part 3/8  one machine's share
  pelagic record merge part0/ part1/ --out tour.mp4        and all of them joined
  pelagic record verify tour.mp4                           is it what was written";

/// Arguments.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = EXAMPLES)]
pub struct RecordArgs {
    #[command(subcommand)]
    command: Option<RecordCommand>,
    #[command(flatten)]
    scene: SceneArgs,
    /// The film: clip.y4m, or clip.mp4, .mkv or .webm through ffmpeg, or a folder for a picture of each frame. A file that
    /// this command made is made anew, any other replaced only with --force; a folder of another film is always kept.
    #[arg(long, short, value_name = "FILE|FOLDER", required = true)]
    out: Option<PathBuf>,
    #[command(flatten)]
    existing: ForceArgs,
    /// Length of the film.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = parse_seconds)]
    seconds: f64,
    /// Frames a second, such as 24 or 30000/1001.
    #[arg(long, value_name = "RATE", default_value = "30")]
    fps: FrameRate,
    /// Seconds from the beginning of the scene to the first frame.
    #[arg(long, value_name = "SECONDS", default_value_t = TIME_S, value_parser = parse_seconds)]
    start: f64,
    /// One of the scene's named views, in place of its first.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["rail", "tour", "ride"])]
    camera: Option<String>,
    /// Along the scene's rail.
    #[arg(long, conflicts_with_all = ["tour", "ride"])]
    rail: bool,
    /// Round the scene, as C does in the window.
    #[arg(long, conflicts_with = "ride")]
    tour: bool,
    /// On the first animal of a species, as C does in the window.
    #[arg(long, value_name = "SPECIES")]
    ride: Option<String>,
    /// Moments within each frame's time of exposure that are averaged: motion blur and smooth edges.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    samples: u32,
    /// Exposure time of each frame, as the angle of a turning shutter: 360 is all of its time.
    #[arg(long, value_name = "DEGREES", default_value_t = 180.0, value_parser = parse_shutter)]
    shutter: f64,
    /// Diameter of the lens, 0.1 to 200 mm: what is nearer or farther than the focus blurs. Takes 64 drawings a frame.
    #[arg(long, value_name = "MM", value_parser = shot::parse_aperture)]
    aperture: Option<f64>,
    /// Distance that is sharp, 0.1 to 300 m; by default that of what is in the middle of the first frame.
    #[arg(long, value_name = "METRES", requires = "aperture", value_parser = shot::parse_focus)]
    focus: Option<f64>,
    /// Two eyes: half of the picture for each, or both in one for red and cyan glasses.
    #[arg(long, value_name = "HOW", value_enum, default_value = "off")]
    stereo: Stereo,
    /// Projection of the world onto the picture: all round, it is 4096x2048 for each eye unless --size says otherwise; of
    /// vr180 it is 2048x2048.
    #[arg(long, value_name = "HOW", value_enum, default_value = "perspective")]
    projection: Projection,
    /// Only the frames from A up to, and without, B; exactly those of the whole film.
    #[arg(long, value_name = "A..B", value_parser = parse_frames, conflicts_with = "part")]
    frames: Option<Wanted>,
    /// Only part I of N, from 0; exactly the frames of the whole film.
    #[arg(long, value_name = "I/N", value_parser = parse_part)]
    part: Option<Wanted>,
    /// Format of pictures in a folder: png as on the screen, exr with linear values.
    #[arg(long, value_name = "KIND", value_enum, default_value = "png")]
    format: FrameFormat,
    /// Encoding preset of the film's file.
    #[arg(long, value_name = "WHAT", value_enum, default_value = "web")]
    preset: Preset,
    /// Chroma subsampling where colour is not RGB.
    #[arg(long, value_name = "KIND", value_enum, default_value = "420")]
    chroma: Chroma,
    /// The ffmpeg to use.
    #[arg(long, value_name = "FILE", default_value = "ffmpeg")]
    ffmpeg: PathBuf,
    /// Keep the folder of frames beside the film's file when that is whole.
    #[arg(long)]
    keep_frames: bool,
}

/// File format of a frame.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum FrameFormat {
    /// 8 bits a channel, as on the screen.
    Png,
    /// Linear 32-bit float radiance.
    Exr,
}

/// Destination of a film.
enum Output {
    /// A folder of pictures.
    Folder(PathBuf),
    /// A file; until it is whole, its frames are in a folder beside it.
    File(PathBuf, FileKind),
}

/// Runs the command.
///
/// # Errors
/// If the arguments, the scene, the output, the encoder or the machine's OpenGL is unusable.
pub fn run(args: RecordArgs) -> Result<(), CliError> {
    if let Some(command) = args.command {
        return join::run(command);
    }
    let out = args.out.clone().unwrap_or_default();
    let mut options = args.scene.options();
    // The cheapest checks come first.
    let count = args.fps.count(args.seconds).map_err(CliError::Config)?;
    let wanted = args.frames.or(args.part).unwrap_or_default();
    let range = wanted.of(count).map_err(CliError::Config)?;
    if let Some(said) = wanted.beyond(count) {
        log::warn!("{said}");
    }
    let mut config = runtime::load(&options)?.config;
    if config.render.quality == Quality::Auto {
        // As in `shot`: nobody waits for the next frame.
        config.render.quality = Quality::High;
    }
    let path = args.camera_path();
    if let CameraPath::View(name) = &path {
        runtime::check_camera(&config, Some(name))?;
    }
    if let CameraPath::Ride(name) = &path {
        subject_of(&config, name)?;
    }
    let panorama = args.panorama()?;
    let size = panorama.map_or(options.size, |panorama| panorama.size);
    let (chroma, projection) = (args.chroma, args.projection);
    let stereo = panorama.map_or(args.stereo, |panorama| panorama.stereo);
    let contents = Contents { size, rate: args.fps, chroma, stereo, projection };
    let output = Output::of(&out, contents, (args.preset, &args.ffmpeg))?;
    let format = match (args.format, &output) {
        (FrameFormat::Exr, Output::File(..)) => {
            return Err(CliError::Config("--format exr is for a folder of pictures: --out frames/".into()));
        }
        (FrameFormat::Exr, _) => PictureFormat::Exr,
        (FrameFormat::Png, _) => PictureFormat::Png,
    };
    let film = args.film((&config, &options), size, (count, format));
    if !args.existing.force {
        output.refuse_other(&film, &range)?;
    }
    let sink = output.sink()?;
    FrameFolder::check(&output.frames(), &film)?;
    let progress = Progress::new("the scene and its models", 0);
    if let Some(panorama) = panorama {
        options.size = panorama.piece_size();
        panorama.tell_of_name(&out);
    }
    let mut session = Session::with(config, &options)?;
    if panorama.is_none() {
        session.set_stereo(args.stereo)?;
    }
    let hashes = scene_hash::parts(&session.config, session.world.static_scene(), session.renderer.shaders().hash());
    let film = Film { scene_hash: scene_hash::whole(&hashes, options.seed), ..film };
    let gl = session.context.device().clone();
    let arguments = std::env::args().skip(1).collect();
    let folder = FrameFolder::open(&output.frames(), format, (film, gl), range.clone(), arguments)?;
    let (there, frames) = (folder.whole().len(), range.end - range.start);
    if there > 0 {
        log::info!("{there} of {frames} frames are there and whole; they are kept");
    }
    interrupt::save_measurements();
    let mut job = FilmJob::new(session, &path, args.start)?;
    let mut capture = CaptureSettings { panorama, ..args.capture(format) };
    progress.begin("the world until the film", PARTS);
    for part in 1..=PARTS {
        job.step_to(job.first_step() * part / PARTS)?;
        progress.at(part);
    }
    job.focus(&mut capture)?;
    progress.begin_long("the film", frames);
    let began = Instant::now();
    let told = &mut |_, _| progress.step();
    let recorded = record(&mut job, &capture, (range, args.fps), folder, sink, told);
    drop(progress);
    let recorded = recorded.map_err(|(error, kept)| stopped(error, (kept, frames), &output))?;
    let (drawn, took_s) = (recorded.drawn, began.elapsed().as_secs_f64());
    output.finish(recorded, args.keep_frames)?;
    let rate = if drawn > 0 { format!(", {:.2} frames a second", drawn as f64 / took_s) } else { String::new() };
    log::info!("{}: {frames} frames, {drawn} of them drawn in {took_s:.1} s{rate}", out.display());
    Ok(())
}

/// Error for a film that stopped, with the number of frames that are kept.
fn stopped(error: FilmError, (kept, frames): (usize, u64), output: &Output) -> CliError {
    let folder = output.frames();
    let left =
        format!("{kept} of {frames} frames are whole in {}; the same command goes on from there", folder.display());
    match error {
        FilmError::App(AppError::Interrupted) => {
            log::warn!("{left}");
            CliError::Interrupted
        }
        error => match CliError::from(error) {
            CliError::Failed(why) => CliError::Failed(format!("{why}\n{left}")),
            CliError::Config(why) => CliError::Failed(format!("{why}\n{left}")),
            other => other,
        },
    }
}

impl RecordArgs {
    fn camera_path(&self) -> CameraPath {
        match (&self.camera, &self.ride) {
            (Some(name), _) => CameraPath::View(name.clone()),
            (None, Some(name)) => CameraPath::Ride(name.clone()),
            (None, None) if self.rail => CameraPath::Rail,
            (None, None) if self.tour => CameraPath::Tour,
            (None, None) => CameraPath::First,
        }
    }

    /// Name of the camera path in the manifest: that of the command line.
    fn camera_name(&self) -> String {
        match self.camera_path() {
            CameraPath::First => "first view".into(),
            CameraPath::View(name) => format!("--camera {name}"),
            CameraPath::Rail => "--rail".into(),
            CameraPath::Tour => "--tour".into(),
            CameraPath::Ride(name) => format!("--ride {name}"),
        }
    }

    /// Panorama of each frame, if panoramas are requested.
    fn panorama(&self) -> Result<Option<Panorama>, CliError> {
        if self.projection == Projection::Perspective {
            return Ok(None);
        }
        if self.aperture.is_some() || self.samples > 1 {
            let text = "such a projection is of one moment, through no lens: leave --samples and --aperture out";
            return Err(CliError::Config(text.into()));
        }
        Panorama::of(self.projection, self.scene.size, self.stereo).map_err(CliError::Config)
    }

    /// The requested film; its scene is not loaded yet, so it has no hash.
    fn film(
        &self,
        (config, options): (&Config, &SceneOptions),
        size: (u32, u32),
        (frames, format): (u64, PictureFormat),
    ) -> Film {
        Film {
            version: build_info::LONG_VERSION.into(),
            scene: config.scene.name.clone(),
            scene_hash: String::new(),
            seed: options.seed,
            size,
            quality: config.render.quality.to_string(),
            fps: self.fps.to_string(),
            frames,
            start_s: self.start,
            camera: self.camera_name(),
            stereo: self.stereo.to_string(),
            projection: self.projection.to_string(),
            samples: self.samples,
            shutter_s: if self.samples > 1 { self.shutter_s() } else { 0.0 },
            aperture_mm: self.aperture.unwrap_or_default(),
            focus_m: self.focus.unwrap_or_default(),
            format: match format {
                PictureFormat::Png => "png".into(),
                PictureFormat::Exr => "exr".into(),
            },
        }
    }

    fn shutter_s(&self) -> f64 {
        self.shutter / 360.0 * self.fps.time_s(1)
    }

    fn capture(&self, format: PictureFormat) -> CaptureSettings {
        CaptureSettings {
            view: View::Final,
            panorama: None,
            lens: self.aperture.map(|mm| (1e-3 * mm as f32, self.focus.map(|metres| metres as f32))),
            samples: self.samples,
            shutter_s: self.shutter_s(),
            linear: format == PictureFormat::Exr,
        }
    }
}

impl Output {
    fn of(out: &Path, contents: Contents, (preset, ffmpeg): (Preset, &Path)) -> Result<Self, CliError> {
        let is_folder = out.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]) || out.is_dir();
        if is_folder || out.extension().is_none() {
            return Ok(Self::Folder(out.into()));
        }
        match FileKind::of(out, contents, preset, ffmpeg)? {
            Some(kind) => Ok(Self::File(out.into(), kind)),
            None => Err(CliError::Config(format!(
                "{}: films are .y4m, .mp4, .mkv or .webm files, or folders: {}/",
                out.display(),
                out.with_extension("").display()
            ))),
        }
    }

    /// Folder of the frames.
    fn frames(&self) -> PathBuf {
        match self {
            Self::Folder(folder) => folder.clone(),
            Self::File(file, _) => {
                let mut name = file.as_os_str().to_owned();
                name.push(".frames");
                name.into()
            }
        }
    }

    /// Checks that the film does not replace a file that this command has not made.
    fn refuse_other(&self, film: &Film, range: &Range<u64>) -> Result<(), CliError> {
        let Self::File(file, _) = self else { return Ok(()) };
        Ok(refuse_other(file, (range.start, range.end), |other| film.difference_as_asked(other))?)
    }

    fn sink(&self) -> Result<Option<Sink>, CliError> {
        match self {
            Self::Folder(_) => Ok(None),
            Self::File(file, kind) => Ok(Some(Sink::create(file, kind)?)),
        }
    }

    /// Writes the manifest of the film's file, and deletes its frames unless they are to be kept.
    fn finish(&self, recorded: Recorded, keep_frames: bool) -> Result<(), CliError> {
        let (Self::File(path, _), Some(file)) = (self, recorded.file) else { return Ok(()) };
        let manifest = Manifest { file: Some(file), ..recorded.folder.manifest().clone() };
        manifest.write(&manifest_beside(path))?;
        if !keep_frames {
            recorded.folder.remove()?;
        }
        Ok(())
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    shot::within(text, 0.0..=LONGEST_S, "seconds")
}

fn parse_shutter(text: &str) -> Result<f64, String> {
    shot::within(text, 0.0..=360.0, "degrees")
}

impl From<FilmError> for CliError {
    fn from(error: FilmError) -> Self {
        match error {
            FilmError::App(error) => error.into(),
            FilmError::Refused(_) | FilmError::Foreign { .. } => Self::Config(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}
