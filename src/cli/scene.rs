//! `pelagic scene`: check, list and write scene files.

use std::collections::HashSet;

use config::{BUILTIN_CARDS, BUILTIN_SCENES, BuiltinFile, Config, ConfigError, LoadedScene, Problem};
use ocean::Daylight;
use runtime::AppError;
use runtime::check::{ModelFindings, check_homes, check_models, check_view};
use suggest::nearest;

use crate::cli::CliError;
use crate::cli::print::{print, print_json};

const EXAMPLES: &str = "\
Examples:
  pelagic scene dump-default > mine.toml                every key, to begin with
  pelagic scene check mine.toml                         what is wrong in it, with line and column
  pelagic scene schema > pelagic.schema.json            for editors that complete keys
  pelagic scene cards moray_eel > mine_too.toml         the habits of a species";

/// Subcommands of `pelagic scene`.
#[derive(clap::Subcommand, Debug)]
#[command(after_help = EXAMPLES)]
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
    /// List the cards, by which species have their habits, or print one, to make another from.
    Cards {
        /// Card by name.
        name: Option<String>,
    },
    /// Print a complete scene file: every key with its meaning, unit and range.
    DumpDefault {
        /// Built-in scene by name, or a scene file.
        #[arg(default_value = "reef")]
        name: String,
    },
    /// Print the JSON Schema of scene files, by which editors complete and explain keys.
    Schema {
        /// That of species cards instead.
        #[arg(long)]
        cards: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// If the scene has problems, or standard output cannot be written.
pub fn run(command: SceneCommand) -> Result<(), CliError> {
    let text = match command {
        SceneCommand::Check { file, strict, set } => return check(&file, strict, &set),
        SceneCommand::List => list(),
        SceneCommand::Cards { name: None } => lines(BUILTIN_CARDS),
        SceneCommand::Cards { name: Some(name) } => card(&name)?.to_owned(),
        SceneCommand::DumpDefault { name } => config::dump(&config::load(&name, &[])?.config),
        SceneCommand::Schema { cards: false } => return print_json(&config::json_schema()),
        SceneCommand::Schema { cards: true } => return print_json(&config::card_json_schema()),
    };
    print(&text)
}

fn check(file: &str, strict: bool, set: &[String]) -> Result<(), CliError> {
    let loaded = config::load(file, set)?;
    let ModelFindings { problems, warnings } = check_models(&loaded);
    let homes = if problems.is_empty() { check_homes(&loaded).map_err(AppError::from)? } else { Vec::new() };
    let view = if problems.is_empty() { check_view(&loaded).map_err(AppError::from)? } else { None };
    let LoadedScene { config, files, warnings: of_file, .. } = loaded;
    let warnings: Vec<Problem> = of_file.into_iter().chain(warnings).chain(homes).chain(view).collect();
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
            text += &format!("  with {}\n", bases.join(", "));
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
    lines(BUILTIN_SCENES)
}

/// Names of files with their descriptions, one a line.
fn lines(files: &[BuiltinFile]) -> String {
    let width = files.iter().map(|file| file.name.len()).max().unwrap_or_default();
    files.iter().map(|file| format!("{:width$}  {}\n", file.name, file.description())).collect()
}

/// The text of a card.
fn card(name: &str) -> Result<&'static str, CliError> {
    let card = BUILTIN_CARDS.iter().find(|card| card.name == name);
    card.map(|card| card.text).ok_or_else(|| {
        let near = nearest(name, BUILTIN_CARDS.iter().map(|card| card.name));
        let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
        CliError::Config(format!("there is no card \"{name}\"{near} `pelagic scene cards` lists them"))
    })
}

/// Summary of a scene in a few lines.
fn summary(config: &Config) -> Vec<String> {
    let scene = &config.scene;
    let animals: u64 = scene.species.iter().map(|species| u64::from(species.life.count)).sum();
    let models: HashSet<&str> = scene.species.iter().map(|species| species.model.as_str()).collect();
    let ground = match scene.seabed.present {
        true => format!("the ground at {} m", scene.seabed.depth_m),
        false => "no ground".into(),
    };
    let (wind, sun) = (scene.waves.wind_m_s, scene.sun.elevation_deg);
    let light = ocean::light(&scene.sun, &scene.moon, &scene.sky);
    let daylight = Daylight::new(&ocean::medium(&scene.water), &light);
    let props: u64 =
        scene.props.iter().map(|prop| u64::from(prop.count) + (prop.at.len() + prop.hung.len()) as u64).sum();
    vec![
        format!("water {}, {ground}, wind {wind} m/s, sun {sun} degrees up", scene.water.kind),
        format!(
            "one sees {:.1} m, a Secchi disc down to {:.1} m",
            scene.water.black_disc_m(),
            daylight.secchi_m(&scene.water)
        ),
        format!("{animals} animals of {} species from {} models", scene.species.len(), models.len()),
        format!("{props} props of {} kinds", scene.props.len()),
        format!("{} named views, {} waypoints on the rail", scene.camera.views.len(), scene.camera.rail.len()),
    ]
}
