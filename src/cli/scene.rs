//! `pelagic scene`: check, list and write scene files.

use std::collections::HashSet;
use std::io::Write;

use crate::cli::CliError;
use crate::config::{self, BUILTIN_SCENES, Config, ConfigError, Loaded};

/// What to do.
#[derive(clap::Subcommand, Debug)]
pub enum SceneCommand {
    /// Say everything that is wrong with a scene file, or that it is fine.
    Check {
        /// Scene file, or a built-in scene by name.
        file: String,
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
}

/// Runs it.
///
/// # Errors
/// If the scene is not fine, or standard output is closed.
pub fn run(command: SceneCommand) -> Result<(), CliError> {
    let text = match command {
        SceneCommand::Check { file, set } => {
            let Loaded { config, files, warnings } = config::load(&file, &set)?;
            let mut text = format!("{file}: fine\n");
            for line in summary(&config) {
                text += &format!("  {line}\n");
            }
            if let [_, bases @ ..] = files.as_slice()
                && !bases.is_empty()
            {
                let bases: Vec<String> = bases.iter().map(|path| path.display().to_string()).collect();
                text += &format!("  extends {}\n", bases.join(", "));
            }
            for warning in warnings {
                text += &format!("warning: {warning}\n");
            }
            text
        }
        SceneCommand::List => {
            let width = BUILTIN_SCENES.iter().map(|scene| scene.name.len()).max().unwrap_or_default();
            let lines = BUILTIN_SCENES.iter().map(|scene| format!("{:width$}  {}\n", scene.name, scene.description()));
            lines.collect()
        }
        SceneCommand::DumpDefault { name } => config::dump(&config::load(&name, &[])?.config),
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        // Whoever reads has seen enough, as with `| head`.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(CliError::Failed(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

impl From<ConfigError> for CliError {
    /// The problems start on a line of their own, so that editors find the file and line at its beginning.
    fn from(error: ConfigError) -> Self {
        Self::Config(format!("the scene {} cannot be used\n{error}", error.scene))
    }
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
