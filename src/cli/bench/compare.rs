//! `pelagic bench compare`: the exit codes that scripts depend on.

use std::path::{Path, PathBuf};

use crate::bench::compare::{self, Verdict};
use crate::bench::files;
use crate::bench::html::{Side, compare_page};
use crate::cli::CliError;
use crate::cli::print::{print, print_json};
use crate::storage::OutFile;

/// The page's name in a folder.
const PAGE: &str = "compare.html";

const EXAMPLES: &str = "\
Examples:
  pelagic bench compare before after
  pelagic bench compare before/result.json after/result.json --metric p95_ms --threshold 3%
  pelagic bench compare before after --html compare.html";

/// Arguments.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// Result before: a result.json or its folder.
    before: PathBuf,
    /// Result after.
    after: PathBuf,
    /// Metric that decides, by its name in the result's summary.
    #[arg(long, default_value = "median_ms", value_name = "NAME")]
    metric: String,
    /// Slowdown that counts, such as 5% [default: 5% on hardware, 15% on software renderers].
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    threshold: Option<f64>,
    /// Compare what cannot be compared; what differs is named.
    #[arg(long)]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Write a page that shows both; into a folder as compare.html.
    #[arg(long, value_name = "FILE|DIR")]
    html: Option<PathBuf>,
}

/// Runs it.
///
/// # Errors
/// If a result cannot be read, the two cannot be compared, or the second is slower with confidence.
pub fn run(args: &CompareArgs) -> Result<(), CliError> {
    let page = args.html.as_deref().map(page_file).transpose()?;
    let (before, after) = (files::read(&args.before)?, files::read(&args.after)?);
    let differences = compare::differences(&before, &after);
    if !differences.is_empty() && !args.force {
        let list: Vec<String> =
            differences.iter().map(|d| format!("\n  {}: {} and {}", d.what, d.before, d.after)).collect();
        return Err(CliError::NotComparable(format!(
            "these results cannot be compared, because they did not measure the same:{}\nMeasure both alike, or compare \
             all the same with --force",
            list.concat()
        )));
    }
    let Some(comparison) = compare::compare(&before, &after, &args.metric, args.threshold) else {
        let both = before.summary.median_of_runs.keys().filter(|name| after.summary.median_of_runs.contains_key(*name));
        let names: Vec<&str> = both.map(String::as_str).collect();
        return Err(if names.is_empty() {
            CliError::NotComparable("these results cannot be compared, because one of them has no whole run".into())
        } else {
            CliError::Config(format!("\"{}\" is not in both results; in both are {}", args.metric, names.join(", ")))
        });
    };
    if let Some(page) = page {
        let frames = [(&args.before, &before), (&args.after, &after)].map(|(path, of)| files::frame_times(path, of));
        let side = |path, report, frames_ms| Side { path, report, frames_ms };
        let of_before = side(&args.before, &before, frames[0].as_deref());
        let of_after = side(&args.after, &after, frames[1].as_deref());
        let text = compare_page(&of_before, &of_after, &comparison);
        page.write(text.as_bytes()).map_err(|error| CliError::Failed(format!("cannot write {error}")))?;
        log::info!("written to {}", page.path().display());
    }
    if args.json {
        print_json(&comparison)?;
    } else {
        print(&compare::render(&comparison))?;
    }
    match comparison.verdict {
        Verdict::Regression => {
            Err(CliError::Regression(format!("{} is slower than before by more than the threshold", args.metric)))
        }
        _ => Ok(()),
    }
}

/// Where a page goes that was asked for so, found to be writable.
fn page_file(path: &Path) -> Result<OutFile, CliError> {
    let file = if path.is_dir() { path.join(PAGE) } else { path.to_owned() };
    OutFile::check(&file).map_err(|error| CliError::Config(format!("{error}; choose another --html")))
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let wrong = || format!("'{text}' is not a percentage from 0 to 1000, such as 5%");
    percent.filter(|percent| (0.0..=1000.0).contains(percent)).map(|percent| percent / 100.0).ok_or_else(wrong)
}
