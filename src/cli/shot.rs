//! `pelagic shot`: one frame, off-screen, into a file.

use std::io::{self, IsTerminal as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

use film::panorama::{Panorama, Projection};
use film::{CameraPath, CaptureSettings, FilmJob, subject_of};
use render::{Capture, LENS_SAMPLES, Quality, Stereo, View};
use runtime::offscreen::Session;
use runtime::picture_file::{PictureFile, PictureFormat};

use crate::cli::existing::ForceArgs;
use crate::cli::print::print_bytes;
use crate::cli::progress::Progress;
use crate::cli::{CliError, SceneArgs};

/// Default moment of a picture: schools have formed and bubbles have risen. Unit: s.
pub const TIME_S: f64 = 6.0;
/// Number of progress steps of simulating up to that moment.
const PARTS: u64 = 40;
/// Latest moment that is accepted: an hour. Unit: s.
const LATEST_S: f64 = 3600.0;

const EXAMPLES: &str = "\
Examples:
  pelagic shot -o noon.png --size 1920x1080 --time 12 --seed 7
  pelagic shot -o linear.exr                  radiance, before exposure and tone mapping
  pelagic shot -o portrait.png --aperture 30  a lens of 30 mm, sharp in the middle
  pelagic shot -o pair.png --stereo side-by-side --set camera.stereo.convergence_m=4
  pelagic shot -o ride.png --ride green_turtle
  pelagic shot -o reef_360_TB.png --projection equirect --stereo top-bottom
  pelagic shot -o - --scene wreck | display   a PNG to standard output";

/// Value of `--out` for standard output.
const STDOUT: &str = "-";

/// Arguments.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ShotArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// The picture: .png as on the screen, .exr with linear values, - for a PNG to standard output. A picture of the same
    /// format is replaced, anything else only with --force; a link is followed, a read-only file kept.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    existing: ForceArgs,
    /// Seconds from the beginning of the scene, at most an hour.
    #[arg(long, value_name = "SECONDS", default_value_t = TIME_S, value_parser = parse_time)]
    time: f64,
    /// One of the scene's named views, in place of its first.
    #[arg(long, value_name = "NAME", conflicts_with = "ride")]
    camera: Option<String>,
    /// On the first animal of a species, as C does in the window.
    #[arg(long, value_name = "SPECIES")]
    ride: Option<String>,
    /// View to draw.
    #[arg(long, value_name = "WHAT", value_enum, default_value = "final")]
    view: View,
    /// Diameter of the lens, 0.1 to 200 mm: what is nearer or farther than the focus blurs. Takes 64 frames.
    #[arg(long, value_name = "MM", conflicts_with = "view", value_parser = parse_aperture)]
    aperture: Option<f64>,
    /// Distance that is sharp, 0.1 to 300 m; by default that of what is in the middle.
    #[arg(long, value_name = "METRES", requires = "aperture", value_parser = parse_focus)]
    focus: Option<f64>,
    /// Two eyes: half of the picture for each, or both in one for red and cyan glasses.
    #[arg(long, value_name = "HOW", value_enum, default_value = "off")]
    stereo: Stereo,
    /// Projection of the world onto the picture: all round, it is 4096x2048 for each eye unless --size says otherwise; of
    /// vr180 it is 2048x2048.
    #[arg(long, value_name = "HOW", value_enum, default_value = "perspective")]
    projection: Projection,
}

/// Runs the command.
///
/// # Errors
/// If the arguments, the scene, the output file or the machine's OpenGL is unusable.
pub fn run(args: ShotArgs) -> Result<(), CliError> {
    let began = Instant::now();
    let mut options = args.scene.options();
    // The cheapest checks come first.
    let mut config = runtime::load(&options)?.config;
    if config.render.quality == Quality::Auto {
        // Nobody waits for the next frame, so any renderer may take the time of a good picture.
        config.render.quality = Quality::High;
    }
    runtime::check_camera(&config, args.camera.as_deref())?;
    let path = match (&args.camera, &args.ride) {
        (_, Some(name)) => {
            subject_of(&config, name)?;
            CameraPath::Ride(name.clone())
        }
        (Some(name), None) => CameraPath::View(name.clone()),
        (None, None) => CameraPath::First,
    };
    let panorama = args.panorama()?;
    let output = Output::check(&args.out, args.existing)?;
    let progress = Progress::new("the scene and its models", 0);
    if let Some(panorama) = panorama {
        options.size = panorama.piece_size();
    }
    let mut session = Session::with(config, &options)?;
    if panorama.is_none() {
        session.set_stereo(args.stereo)?;
    }
    let mut job = FilmJob::new(session, &path, args.time)?;
    progress.begin("the world until then", PARTS);
    for part in 1..=PARTS {
        job.step_to(job.first_step() * part / PARTS)?;
        progress.at(part);
    }
    let eyes = if args.stereo == Stereo::Off { 1 } else { 2 };
    match (args.aperture, panorama) {
        (_, Some(panorama)) => progress.begin("the picture, piece by piece", panorama.pieces()),
        (Some(_), _) => progress.begin("the picture, through all of the lens", eyes * LENS_SAMPLES as u64),
        _ => progress.begin("the picture", 0),
    }
    let capture = CaptureSettings {
        view: args.view,
        panorama,
        lens: args.aperture.map(|mm| (1e-3 * mm as f32, args.focus.map(|metres| metres as f32))),
        samples: 1,
        shutter_s: 0.0,
        linear: output.is_linear(),
    };
    let picture = job.picture(0.0, &capture, &mut |sample| progress.at(sample as u64))?;
    drop(progress);
    output.write(&picture, panorama)?;
    let (width, height) = panorama.map_or(options.size, |panorama| panorama.size);
    log::info!("{}: {width} x {height}, made in {:.1} s", args.out.display(), began.elapsed().as_secs_f64());
    if let Some(panorama) = panorama {
        panorama.tell_of_name(&args.out);
    }
    Ok(())
}

impl ShotArgs {
    /// Panorama, if one is requested.
    fn panorama(&self) -> Result<Option<Panorama>, CliError> {
        if self.projection == Projection::Perspective {
            return Ok(None);
        }
        if self.aperture.is_some() || self.view != View::Final {
            let text = "such a projection is of what is seen at last, through no lens: leave --view and --aperture out";
            return Err(CliError::Config(text.into()));
        }
        Panorama::of(self.projection, self.scene.size, self.stereo).map_err(CliError::Config)
    }
}

/// Destination of the picture.
enum Output {
    File(PictureFile),
    /// Standard output.
    Stream,
}

impl Output {
    /// Checks that the output can be written.
    fn check(out: &Path, existing: ForceArgs) -> Result<Self, CliError> {
        if out != Path::new(STDOUT) {
            existing.check_picture(out)?;
            return Ok(Self::File(PictureFile::check(out)?));
        }
        match io::stdout().is_terminal() {
            true => Err(CliError::Config("a picture is not for a terminal; send it on, as in `-o - | display`".into())),
            false => Ok(Self::Stream),
        }
    }

    fn is_linear(&self) -> bool {
        matches!(self, Self::File(file) if file.is_linear())
    }

    fn write(&self, picture: &Capture, panorama: Option<Panorama>) -> Result<(), CliError> {
        match (self, panorama) {
            (Self::File(file), None) => Ok(file.write(picture)?),
            (Self::File(file), Some(panorama)) => {
                Ok(file.write_encoded(&encoded(panorama.encode(file.format(), picture))?)?)
            }
            (Self::Stream, None) => print_bytes(&encoded(PictureFormat::Png.encode(picture))?),
            (Self::Stream, Some(panorama)) => print_bytes(&encoded(panorama.encode(PictureFormat::Png, picture))?),
        }
    }
}

fn encoded(picture: image::ImageResult<Vec<u8>>) -> Result<Vec<u8>, CliError> {
    picture.map_err(|error| CliError::Failed(format!("the picture cannot be encoded: {error}")))
}

fn parse_time(text: &str) -> Result<f64, String> {
    within(text, 0.0..=LATEST_S, "seconds")
}

/// Parses a lens diameter in millimetres.
///
/// # Errors
/// If it is not a number in the range.
pub fn parse_aperture(text: &str) -> Result<f64, String> {
    within(text, 0.1..=200.0, "millimetres")
}

/// Parses a focus distance in metres.
///
/// # Errors
/// If it is not a number in the range.
pub fn parse_focus(text: &str) -> Result<f64, String> {
    within(text, 0.1..=300.0, "metres")
}

/// Parses a number of `unit` in a range.
///
/// # Errors
/// If it is not a number in the range.
pub fn within(text: &str, range: RangeInclusive<f64>, unit: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|x| range.contains(x));
    number.ok_or_else(|| format!("'{text}' is not a number of {unit} from {} to {}", range.start(), range.end()))
}
