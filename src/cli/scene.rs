//! `pelagic scene`: check, list and write scene files.

use std::collections::HashSet;

use crate::app::check::{ModelFindings, check_models};
use crate::cli::CliError;
use crate::cli::print::{print, print_json};
use crate::config::{self, BUILTIN_SCENES, Config, ConfigError, LoadedScene, Problem};

/// What to do.
#[derive(clap::Subcommand, Debug)]
pub enum SceneCommand {
    /// Say everything that is wrong or odd about a scene file and its models, or that it is fine: exit code 2 if it
    /// cannot be used.
    Check {
        /// Scene file, or a built-in scene by name.
        file: String,
        /// Fail on warnings too.
        #[arg(long)]
        strict: bool,
        /// Change one key first, such as water.type=3C; may be repeated.
        #[arg(long = "set", value_name = "KEY=VALUE")]
        set: Vec<String>,
    },
    /// List the built-in scenes.
    List,
    /// Print a complete scene file: every key with its meaning, unit and range.
    DumpDefault {
        /// Built-in scene by name, or a scene file.
        #[arg(default_value = "reef")]
        name: String,
    },
    /// Print the JSON Schema of scene files, by which editors complete and explain keys.
    Schema,
}

/// Runs it.
///
/// # Errors
/// If the scene is not fine, or standard output cannot be written.
pub fn run(command: SceneCommand) -> Result<(), CliError> {
    let text = match command {
        SceneCommand::Check { file, strict, set } => return check(&file, strict, &set),
        SceneCommand::List => list(),
        SceneCommand::DumpDefault { name } => config::dump(&config::load(&name, &[])?.config),
        SceneCommand::Schema => return print_json(&config::json_schema()),
    };
    print(&text)
}

fn check(file: &str, strict: bool, set: &[String]) -> Result<(), CliError> {
    let loaded = config::load(file, set)?;
    let ModelFindings { problems, warnings } = check_models(&loaded);
    let LoadedScene { config, files, warnings: of_file, .. } = loaded;
    let warnings: Vec<Problem> = of_file.into_iter().chain(warnings).collect();
    let count = match warnings.len() {
        1 => "1 warning".to_owned(),
        more => format!("{more} warnings"),
    };
    let mut text = String::new();
    if problems.is_empty() {
        let verdict = if warnings.is_empty() { "fine" } else { "can be used" };
        text += &format!("{file}: {verdict}\n");
        for line in summary(&config) {
            text += &format!("  {line}\n");
        }
        let bases: Vec<String> = files.paths().skip(1).map(|path| path.display().to_string()).collect();
        if !bases.is_empty() {
            text += &format!("  extends {}\n", bases.join(", "));
        }
    }
    for warning in &warnings {
        text += &format!("warning: {warning}\n");
    }
    print(&text)?;
    if !problems.is_empty() {
        return Err(ConfigError { scene: file.to_owned(), problems, files }.into());
    }
    match strict && !warnings.is_empty() {
        true => Err(CliError::Config(format!("{file}: {count}"))),
        false => Ok(()),
    }
}

/// The built-in scenes, one a line.
pub fn list() -> String {
    let width = BUILTIN_SCENES.iter().map(|scene| scene.name.len()).max().unwrap_or_default();
    BUILTIN_SCENES.iter().map(|scene| format!("{:width$}  {}\n", scene.name, scene.description())).collect()
}

/// What is in a scene, in a few lines.
fn summary(config: &Config) -> Vec<String> {
    let scene = &config.scene;
    let animals: u64 = scene.species.iter().map(|species| u64::from(species.count)).sum();
    let models: HashSet<&str> = scene.species.iter().map(|species| species.model.as_str()).collect();
    let ground = match scene.seabed.present {
        true => format!("the ground at {} m", scene.seabed.depth_m),
        false => "no ground".into(),
    };
    let (wind, sun) = (scene.waves.wind_m_s, scene.sun.elevation_deg);
    let props: u64 = scene.props.iter().map(|prop| u64::from(prop.count) + prop.at.len() as u64).sum();
    vec![
        format!("water {}, {ground}, wind {wind} m/s, sun {sun} degrees up", scene.water.kind),
        format!("{animals} animals of {} species from {} models", scene.species.len(), models.len()),
        format!("{props} props of {} kinds", scene.props.len()),
        format!("{} named views, {} waypoints on the rail", scene.camera.views.len(), scene.camera.rail.len()),
    ]
}
