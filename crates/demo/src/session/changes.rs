//! A session with changes that its file does not hold yet.

use std::path::{Path, PathBuf};

use config::{BUILTIN_SCENES, Config, Edit, Edits, LoadedScene};
use runtime::check::located;
use runtime::{AppError, SceneOptions, load_quietly};
use scene::SpeciesSettings;
use toml::{Table, Value};

use crate::session::{SceneSession, TORCH_NAME, switch_torch};

/// Reads the scene that `options` name with `edits` laid over it.
///
/// # Errors
/// Errors of [`load_quietly`].
pub fn load_changed(options: &SceneOptions, edits: &Edits) -> Result<LoadedScene, AppError> {
    let set = options.set.iter().cloned().chain(edits.arguments()).collect();
    load_quietly(&SceneOptions { set, ..options.clone() })
}

/// Reads the scene that `options` name with `edits` laid over it, and returns it with the edits that are left: numbers
/// of animals go with their species when a file has them no more.
///
/// # Errors
/// Errors of [`load_changed`].
pub(super) fn load_anew(options: &SceneOptions, edits: Edits) -> Result<(LoadedScene, Edits), AppError> {
    let error = match load_changed(options, &edits) {
        Ok(loaded) => return Ok((loaded, edits)),
        Err(error) => error,
    };
    let Ok(in_file) = load_changed(options, &Edits::default()) else { return Err(error) };
    let counts: Vec<[String; 3]> = in_file.config.scene.species.iter().map(count_of).collect();
    let is_added = |species: &[String]| edits.iter().any(|edit| edit.path == species);
    let mut left = edits.clone();
    for Edit { path, .. } in edits.iter() {
        if matches!(&path[..], [list, _, key] if list == "species" && key == "count")
            && counts.iter().all(|count| count[..] != path[..])
            && !is_added(&path[..2])
        {
            log::info!("{} goes with its species", path.join("."));
            left.forget(path);
        }
    }
    Ok((load_changed(options, &left)?, left))
}

/// The path of a species' number of animals.
pub(super) fn count_of(species: &SpeciesSettings) -> [String; 3] {
    ["species".into(), species.name.clone(), "count".into()]
}

impl SceneSession {
    /// Settings of the scene with `edits` in place of the present ones.
    ///
    /// # Errors
    /// If one is refused.
    pub fn config_with(&self, edits: Edits) -> Result<Config, AppError> {
        let (options, edits) = self.asked_with(edits);
        Ok(load_changed(&options, &edits)?.config)
    }

    /// Whether showing `config` takes longer than a frame: models, ground or animals are made anew, or the textures of
    /// another quality are uploaded.
    pub fn is_rebuilt_by(&self, config: &Config) -> bool {
        self.world().is_rebuilt_by(&config.scene) || self.config.render.quality != config.render.quality
    }

    /// This moment with `edits` in place of the present ones.
    ///
    /// # Errors
    /// If one is refused, or a model cannot be loaded.
    pub fn changed_to(&self, edits: Edits) -> Result<Self, AppError> {
        let (options, edits) = self.asked_with(edits);
        self.asked_as(options, edits)
    }

    /// This moment with other `options` and `edits`, such as it had before.
    ///
    /// # Errors
    /// Errors of [`Self::changed_to`].
    pub fn asked_as(&self, options: SceneOptions, edits: Edits) -> Result<Self, AppError> {
        let mut config = load_changed(&options, &edits)?.config;
        if self.torch_is_switched {
            switch_torch(&mut config);
        }
        Ok(Self { edits, ..self.with(config, options)? })
    }

    /// This moment after its changes have been written into `file`, which is its scene from now on.
    ///
    /// # Errors
    /// If the file cannot be read again.
    pub fn saved_as(&self, file: &Path) -> Result<Self, AppError> {
        let mut options = self.options.clone();
        options.scene = file.display().to_string();
        // Values in the file now are not to be hidden by keys that were asked for before.
        let saved = self.edits.arguments();
        options.set.retain(|set| saved.iter().all(|saved| key(saved) != key(set)));
        self.read_as(options)
    }

    /// This moment with the scene that `options` name, as its file is now.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read_as(&self, options: SceneOptions) -> Result<Self, AppError> {
        let loaded = load_changed(&options, &Edits::default())?;
        let (mut config, scene) = (loaded.config.clone(), options.scene.clone());
        if self.torch_is_switched {
            switch_torch(&mut config);
        }
        let mut next = self.with(config, options).map_err(|error| located(&loaded, &scene, error))?;
        // Its own file comes first.
        let models = std::mem::replace(&mut next.watched, loaded.files.clone());
        next.watched.follow(&models);
        next.watched.follow(&loaded.files);
        next.warnings = loaded.warnings.iter().map(ToString::to_string).collect();
        next.edits = Edits::default();
        Ok(next)
    }

    /// The scene's file, if it has one.
    pub fn file(&self) -> Option<PathBuf> {
        let is_builtin = BUILTIN_SCENES.iter().any(|scene| scene.name == self.options.scene);
        self.watched.paths().next().filter(|_| !is_builtin).map(Path::to_owned)
    }

    /// Every value, as the panel shows it.
    pub fn values(&self) -> Table {
        let mut values = config::values(&self.config);
        if self.torch_is_switched
            && let Some(lights) = values.get_mut("lights").and_then(Value::as_array_mut)
        {
            lights.retain(|light| light.get("name").and_then(Value::as_str) != Some(TORCH_NAME));
        }
        values
    }

    /// Every value without the changes; the present values if its file cannot be read now.
    pub fn values_in_file(&self) -> Table {
        let unchanged = load_changed(&self.options, &Edits::default());
        unchanged.map_or_else(|_| self.values(), |loaded| config::values(&loaded.config))
    }

    /// Options and changes that amount to `edits`: a total number of fish that was asked for is split into the numbers
    /// of each species once one of those is changed.
    pub(super) fn asked_with(&self, mut edits: Edits) -> (SceneOptions, Edits) {
        let mut options = self.options.clone();
        let counts: Vec<[String; 3]> = self.config.scene.species.iter().map(count_of).collect();
        let is_of_count = counts.iter().any(|count| edits.iter().any(|edit| edit.path == count));
        if is_of_count && options.fish.take().is_some() {
            for (species, path) in self.config.scene.species.iter().zip(&counts) {
                if edits.iter().all(|edit| edit.path != path) {
                    edits.set(path, i64::from(species.life.count).into(), &Table::new());
                }
            }
        }
        (options, edits)
    }
}

/// The key of an argument of `--set`.
fn key(argument: &str) -> &str {
    argument.split_once('=').map_or(argument, |(key, _)| key).trim()
}
