//! `pelagic bench compare`: the exit codes that scripts depend on.

use std::path::{Path, PathBuf};

use bench::compare::{self, Comparison, MAX_RESULTS, Question, Verdict};
use bench::html::{Side, compare_page};
use bench::report::Report;
use bench::{files, foreign};
use serde::Serialize;
use storage::OutFile;

use crate::cli::CliError;
use crate::cli::print::{print, print_json};

/// File name of the page in a folder.
const PAGE: &str = "compare.html";

const EXAMPLES: &str = "\
Examples:
  pelagic bench compare before after
  pelagic bench compare before/result.json after/result.json --metric p95_ms --threshold 3%
  pelagic bench compare before after --html compare.html
  pelagic bench compare low high --across    two settings: what differs, which is faster
  pelagic bench compare low medium high ultra --across --html .
  pelagic bench compare ours/mangohud-1.csv theirs.csv     frames of other programs, side by side";

/// Arguments.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    #[arg(
        required = true, num_args = 2..=MAX_RESULTS, value_name = "RESULT",
        help = format!("Results to compare, each a result.json or its folder: the first with each of the others, {MAX_RESULTS} at most. Or \
            lists of frames by PresentMon, MangoHud or CapFrameX (.csv, .json), side by side"),
    )]
    results: Vec<PathBuf>,
    /// Metric that decides, by its name in the result's summary.
    #[arg(long, default_value = compare::METRIC, value_name = "NAME")]
    metric: String,
    /// Slowdown that counts, such as 5% [default: 5% on hardware, 15% on software renderers].
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, conflicts_with = "across")]
    threshold: Option<f64>,
    /// Compare two settings, qualities, sizes or machines: what is not the same is named, and nothing is a regression.
    #[arg(long)]
    across: bool,
    /// Compare what cannot be compared as if it could; what differs is named.
    #[arg(long, conflicts_with = "across")]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Write a page that shows all; into a folder as compare.html.
    #[arg(long, value_name = "FILE|DIR")]
    html: Option<PathBuf>,
}

/// Several comparisons with one result, as JSON.
#[derive(Serialize)]
struct Comparisons<'a> {
    base: &'a str,
    comparisons: &'a [Comparison],
}

/// Runs the command.
///
/// # Errors
/// If a result cannot be read, two cannot be compared, or one is slower than the first with confidence.
pub fn run(args: &CompareArgs) -> Result<(), CliError> {
    if args.results.iter().any(|path| foreign::is_list(path)) {
        return side_by_side(&args.results);
    }
    let page = args.html.as_deref().map(page_file).transpose()?;
    let reports = args.results.iter().map(|path| Ok(files::read(path)?)).collect::<Result<Vec<Report>, CliError>>()?;
    let (names, Some((base, others))) =
        (names(&args.results, reports.iter().map(|report| report.label.as_deref())), reports.split_first())
    else {
        return Ok(());
    };
    if !args.force && !args.across {
        comparable(&names, base, others)?;
    }
    let question = Question { metric: &args.metric, threshold: args.threshold, across: args.across };
    let compared = |(name, other): (&String, &Report)| {
        compare::compare([&names[0], name], base, other, &question).ok_or_else(|| no_metric(&args.metric, base, other))
    };
    let comparisons = names[1..].iter().zip(others).map(compared).collect::<Result<Vec<_>, CliError>>()?;
    if let Some(page) = page {
        let frames: Vec<_> = args.results.iter().zip(&reports).map(|(path, of)| files::frame_times(path, of)).collect();
        let side = |i: usize| Side {
            name: &names[i],
            path: &args.results[i],
            report: &reports[i],
            frames_ms: frames[i].as_deref(),
        };
        let text = compare_page(&(0..reports.len()).map(side).collect::<Vec<_>>(), &comparisons);
        page.write(text.as_bytes()).map_err(|error| CliError::Failed(format!("cannot write {error}")))?;
        log::info!("written to {}", page.path().display());
    }
    match (comparisons.as_slice(), args.json) {
        ([one], true) => print_json(one)?,
        ([one], false) => print(&compare::render(one))?,
        (comparisons, true) => print_json(&Comparisons { base: &names[0], comparisons })?,
        (comparisons, false) => {
            let named: Vec<_> = names.iter().map(String::as_str).zip(&reports).collect();
            print(&compare::render_many(&named, comparisons))?;
        }
    }
    let slower: Vec<&str> = comparisons
        .iter()
        .filter(|comparison| comparison.verdict == Verdict::Regression)
        .map(|comparison| comparison.names[1].as_str())
        .collect();
    match slower.is_empty() {
        true => Ok(()),
        false => Err(CliError::Regression(format!(
            "{} of {} is slower than that of {} by more than the threshold",
            args.metric,
            slower.join(", "),
            names[0]
        ))),
    }
}

/// Prints the figures of lists of frames, of this program or of others, side by side.
fn side_by_side(paths: &[PathBuf]) -> Result<(), CliError> {
    let named = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok((name, foreign::read(path)?))
    };
    let runs = paths.iter().map(named).collect::<Result<Vec<_>, CliError>>()?;
    print(&foreign::side_by_side(&runs))
}

/// Refuses the results if one of them did not measure the same as the first.
fn comparable(names: &[String], base: &Report, others: &[Report]) -> Result<(), CliError> {
    let mut list = String::new();
    for (name, other) in names[1..].iter().zip(others) {
        let differences = compare::differences(base, other);
        if !differences.is_empty() && others.len() > 1 {
            list += &format!("\n{} and {name}:", names[0]);
        }
        let (shown, more) = compare::listed(&differences);
        let lines = shown.iter().map(|d| format!("{}: {} and {}", d.what, d.before, d.after)).chain(more);
        lines.for_each(|line| list += &format!("\n  {line}"));
    }
    match list.is_empty() {
        true => Ok(()),
        false => Err(CliError::NotComparable(format!(
            "these results cannot be compared, because they did not measure the same:{list}\nMeasure all alike, or compare \
             two settings with --across"
        ))),
    }
}

/// Error for two results without a common metric.
fn no_metric(metric: &str, base: &Report, other: &Report) -> CliError {
    let both = base.summary.median_of_runs.keys().filter(|name| other.summary.median_of_runs.contains_key(*name));
    let names: Vec<&str> = both.map(String::as_str).collect();
    match names.is_empty() {
        true => {
            CliError::NotComparable("these results cannot be compared, because one of them has no whole run".into())
        }
        false => CliError::Config(format!("\"{metric}\" is not in both results; in both are {}", names.join(", "))),
    }
}

/// Names of the results: their labels or folders if those are distinct, else their whole paths.
fn names<'a>(paths: &[PathBuf], labels: impl Iterator<Item = Option<&'a str>>) -> Vec<String> {
    let labels: Vec<String> = labels.flatten().map(str::to_owned).collect();
    let folder = |path: &PathBuf| {
        let of_result = path.file_name().is_some_and(|name| name == files::RESULT);
        let named = if of_result { path.parent().unwrap_or(path) } else { path.as_path() };
        named.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let folders: Vec<String> = paths.iter().map(folder).collect();
    let whole: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let tell_apart = |names: &Vec<String>| {
        names.len() == paths.len() && (1..names.len()).all(|i| !names[..i].contains(&names[i]) && !names[i].is_empty())
    };
    [labels, folders].into_iter().find(tell_apart).unwrap_or(whole)
}

/// Output file of a requested page, checked to be writable.
fn page_file(path: &Path) -> Result<OutFile, CliError> {
    let file = if path.is_dir() { path.join(PAGE) } else { path.to_owned() };
    OutFile::check(&file).map_err(|error| CliError::Config(format!("{error}; choose another --html")))
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let wrong = || format!("'{text}' is not a percentage from 0 to 1000, such as 5%");
    percent.filter(|percent| (0.0..=1000.0).contains(percent)).map(|percent| percent / 100.0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_called_by_what_tells_them_apart() {
        let of = |paths: [&str; 2], labels: [Option<&str>; 2]| names(&paths.map(PathBuf::from), labels.into_iter());
        let paths = ["a/before/result.json", "a/after"];
        assert_eq!(of(paths, [Some("mine"); 2]), ["before", "after"], "both have one label");
        assert_eq!(of(paths, [Some("mine"), Some("yours")]), ["mine", "yours"]);
        let one = [None, Some("mine")];
        assert_eq!(of(["x/before.json", "x/after.json"], one), ["before", "after"]);
        assert_eq!(of(["a/low", "b/low"], one), ["a/low", "b/low"]);
        assert_eq!(of(["a", "a"], one), ["a", "a"], "with itself");
    }
}
