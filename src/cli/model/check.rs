//! `pelagic model check`.

use model::{Forward, ModelPart, ModelRequest, ModelWarning, sideways};
use runtime::files::load_model;
use serde::Serialize;

use super::report::{self, Finding, Tally};
use super::{FileArgs, LoadError};
use crate::cli::CliError;
use crate::cli::print::{print, print_json};

/// Arguments of `pelagic model check`.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    input: FileArgs,
    /// Fail on warnings too.
    #[arg(long)]
    strict: bool,
}

#[derive(Serialize)]
struct Report {
    file: String,
    verdict: &'static str,
    errors: usize,
    warnings: usize,
    problems: Vec<Finding>,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read, its contents cannot be used, or standard output cannot be written.
pub fn run(args: &CheckArgs) -> Result<(), CliError> {
    let path = &args.input.file;
    let (problems, refused) = match super::load(path) {
        Ok(read) => {
            let mut loaded = load_model(&ModelRequest::new(path.display().to_string()));
            if let Ok(loaded) = &mut loaded {
                let hint = sideways(&loaded.model.bounds, &loaded.model.skeleton, Forward::default());
                loaded.warnings.extend(hint.map(|text| ModelWarning::new(ModelPart::Mesh, text)));
            }
            (
                report::findings_of_loading(&read.contents, loaded.as_ref().map(|loaded| loaded.warnings.as_slice())),
                None,
            )
        }
        Err(LoadError::Refused(finding)) => {
            let message = finding.message.clone();
            (vec![finding], Some(message))
        }
        Err(error) => return Err(error.into_cli_error(path)),
    };
    let tally = Tally::of(&problems);
    let verdict = match (&refused, tally) {
        (Some(_), _) => "refused",
        (None, Tally { errors: 1.., .. }) => "errors",
        (None, Tally { warnings: 1.., .. }) => "warnings",
        (None, _) => "fine",
    };
    if args.input.json {
        let file = path.display().to_string();
        print_json(&Report { file, verdict, errors: tally.errors, warnings: tally.warnings, problems })?;
    } else if refused.is_none() {
        let mut text = format!("{}: {}\n", path.display(), if problems.is_empty() { "fine" } else { "read" });
        report::list(&mut text, &problems);
        print(&text)?;
    }
    match refused {
        Some(message) => Err(CliError::Failed(format!("{}: {message}", path.display()))),
        None if tally.errors > 0 || args.strict && tally.warnings > 0 => {
            Err(CliError::Failed(format!("{}: {tally}", path.display())))
        }
        None => Ok(()),
    }
}
