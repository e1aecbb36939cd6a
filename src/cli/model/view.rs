//! `pelagic model view`.

use std::path::PathBuf;

use config::LanguageChoice;
use platform::out_folders::OutFolders;
use platform::user_folders::OUT;
use runtime::parse_size;
use viewer::ViewOptions;

use super::ShownArgs;
use crate::cli::args::language;
use crate::cli::{CliError, demo};

/// Arguments of `pelagic model view`.
#[derive(clap::Args, Debug)]
pub struct ViewArgs {
    #[command(flatten)]
    shown: ShownArgs,
    /// Length of its body in metres, by which the grid and its size are told; a model unit is a metre when left out.
    #[arg(long, value_name = "METRES", value_parser = parse_length)]
    length: Option<f32>,
    /// Width and height of the window in pixels.
    #[arg(long, value_name = "WxH", default_value = "1100x720", value_parser = parse_size)]
    size: (u32, u32),
    /// Folder for pictures (F12) [default: out, else the user's own].
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Language of the text beside it [default: auto].
    #[arg(long, value_name = "LANGUAGE", value_enum, ignore_case = true)]
    lang: Option<LanguageChoice>,
}

/// Runs the command.
///
/// # Errors
/// If the model cannot be loaded, or there is no window or no usable OpenGL.
pub fn run(args: &ViewArgs) -> Result<(), CliError> {
    Ok(viewer::run(ViewOptions {
        model: args.shown.request(),
        length_m: args.length,
        size: args.size,
        language: language(args.lang, &demo::own_preferences()?),
        pictures: OutFolders::of_pictures(&args.out.clone().unwrap_or_else(|| OUT.into())),
    })?)
}

fn parse_length(text: &str) -> Result<f32, String> {
    let length = text.parse::<f32>().ok().filter(|length| (1e-4..=1e4).contains(length));
    length.ok_or_else(|| format!("'{text}' is not a length from 0.0001 to 10000 m"))
}
