//! `pelagic` without a subcommand: the scene in a window, or with `--headless` a picture and a short benchmark.

use std::path::PathBuf;
use std::time::Instant;

use config::{LanguageChoice, Preferences, preferences};
use demo::{DemoOptions, in_window};
use platform::out_folders::OutFolders;
use platform::user_folders::{OUT, preferences_file, recovery_folder};
use render::{Stereo, View};
use runtime::DEFAULT_SIZE;
use runtime::offscreen::Session;
use runtime::picture_file::PictureFile;
use storage::OutFolder;

use crate::cli::args::{OnOff, SceneArgs, language};
use crate::cli::{CliError, bench, shot};

/// Name of the picture that `--headless` makes.
const STILL: &str = "still.png";

/// Arguments.
#[derive(clap::Args, Debug)]
pub struct DemoArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Open no window: make a picture, OUT/still.png, and measure for a few seconds. For machines without a display.
    #[arg(long, conflicts_with_all = ["fullscreen", "vsync", "frames", "no_ui", "lang", "stereo", "vr", "no_sway"])]
    headless: bool,
    /// Start in full screen.
    #[arg(long, value_name = "ON|OFF", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    fullscreen: Option<OnOff>,
    /// Wait for the screen with each frame [default: on].
    #[arg(long, value_name = "ON|OFF", value_enum)]
    vsync: Option<OnOff>,
    /// Folder for pictures (F12) and, in its folder bench, benchmarks (B) [default: out, else the user's own].
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The ffmpeg that films (F9) are made with; without one they are uncompressed [default: the one on PATH].
    #[arg(long, value_name = "FILE", default_value = "ffmpeg", hide_default_value = true)]
    ffmpeg: PathBuf,
    /// Quit after that many frames.
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Show no text over the picture.
    #[arg(long)]
    no_ui: bool,
    /// Language of the text over the picture [default: auto].
    #[arg(long, value_name = "LANGUAGE", value_enum, ignore_case = true)]
    lang: Option<LanguageChoice>,
    /// Two eyes: half of the window for each, or both in one for red and cyan glasses. X switches it.
    #[arg(long, value_name = "HOW", value_enum, default_value = "off")]
    stereo: Stereo,
    /// Show the scene in a headset, too, by OpenXR.
    #[arg(long, conflicts_with = "stereo")]
    vr: bool,
    /// Keep the camera perfectly still.
    #[arg(long)]
    no_sway: bool,
}

/// Runs the command. `started` is the program's start.
///
/// # Errors
/// If the scene is wrong, or neither a window nor any other usable OpenGL can be had.
pub fn run(args: DemoArgs, started: Instant) -> Result<(), CliError> {
    let out = args.out.clone();
    if let Some(folder) = args.scene.shaders.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(CliError::Config(format!("--shaders {}: there is no such folder", folder.display())));
    }
    let is_headless = args.headless;
    let options = options(args, own_preferences()?);
    if let Some(out) = &out {
        // The folder was named explicitly, so it is checked now; other folders are only used if it fails later.
        let refused = |why| CliError::Config(format!("--out cannot be written: {why}; choose another folder"));
        OutFolder::claim(out, |_| false).map_err(refused)?.abandon();
    }
    if is_headless { without_window(&options) } else { Ok(in_window::run(options, started)?) }
}

/// The user's preferences; defaults without a file.
pub(super) fn own_preferences() -> Result<Preferences, CliError> {
    let Some(file) = preferences_file() else { return Ok(Preferences::default()) };
    let found = preferences(&file).map_err(|error| CliError::Config(error.to_string()))?;
    match found {
        Some(_) => log::info!("your own settings are those of {}", file.display()),
        None => log::debug!("there are no settings of your own: {} is not there", file.display()),
    }
    Ok(found.unwrap_or_default())
}

/// Options from the arguments, with the user's preferences as defaults.
fn options(args: DemoArgs, own: Preferences) -> DemoOptions {
    let mut scene = args.scene.options();
    // Inserted first, so that any --set of the same key wins.
    scene.set.splice(..0, own.quality.map(|tier| format!("render.quality={tier}")));
    scene.size = args.scene.size.or(own.window.size).unwrap_or(DEFAULT_SIZE);
    let is_on = |asked: Option<OnOff>| asked.map(|on| on == OnOff::On);
    let language = language(args.lang, &own);
    let out = args.out.unwrap_or_else(|| OUT.into());
    DemoOptions {
        scene,
        fullscreen: is_on(args.fullscreen).or(own.window.fullscreen).unwrap_or(false),
        vsync: is_on(args.vsync).or(own.window.vsync).unwrap_or(true),
        frames: args.frames,
        ui: !args.no_ui,
        language,
        headset: args.vr,
        stereo: args.stereo,
        sway: !args.no_sway,
        pictures: OutFolders::of_pictures(&out),
        scenes: OutFolders::of_scenes(),
        recordings: OutFolders::of_benchmarks(&out),
        recovery: recovery_folder(),
        ffmpeg: args.ffmpeg,
    }
}

/// Makes a picture and runs a short benchmark.
fn without_window(DemoOptions { scene: options, pictures, .. }: &DemoOptions) -> Result<(), CliError> {
    let (still, _) = pictures.first(|folder| PictureFile::check(&folder.join(STILL)))?;
    log::info!("no window: a picture, {}, and a short benchmark", still.path().display());
    let mut session = Session::open(options)?;
    session.step_to(shot::TIME_S, 0)?;
    let camera = session.camera(None)?;
    still.write(&session.capture(camera, View::Final, still.is_linear())?)?;
    log::info!("picture written to {}", still.path().display());
    bench::short(&mut session, options)
}
