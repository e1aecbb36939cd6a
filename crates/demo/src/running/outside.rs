//! Requests that come neither from keys nor from panels: from the buttons and the editor of a page.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bench::ladder;
use config::{BUILTIN_SCENES, Edits, SIZE_LIMIT};
use model::files::BUILTIN;
use model::texture;
use runtime::{AppError, SceneOptions, files};
use scene::World;
use serde::Serialize;
use shell::messages::{Language, Messages};
use toml::{Table, Value};

use crate::running::{RunningDemo, SCENE};
use crate::scene_switch::Beginning;
use crate::session::{SceneSession, load_changed};
use crate::stage::Stage;

/// File in which a text is tried, beside the scene's own: files that the text names are sought there.
const TRIAL: &str = ".trial.toml";

/// Report of the state that is shown.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The scene's name.
    pub scene: String,
    /// Name or path by which it is opened.
    pub source: String,
    /// Frames drawn in this context.
    pub frames: u32,
    /// Steps of the world.
    pub step: u64,
    /// Number of fish.
    pub fish: u32,
    /// The type of water.
    pub water: String,
    /// The quality that is asked for.
    pub quality: String,
    /// Tier and resolution that are drawn.
    pub level: String,
    /// The language of the texts.
    pub language: &'static str,
    /// The messages that are shown, the newest last.
    pub said: Vec<String>,
    /// Whether the panel of settings is open.
    pub panel: bool,
    /// Whether a headset is worn.
    pub headset: bool,
    /// Whether the mind of an animal is shown.
    pub mind: bool,
    /// Whether the keys are listed.
    pub help: bool,
    /// Whether the world stands still.
    pub paused: bool,
    /// Whether a benchmark is being recorded.
    pub recording: bool,
    /// The number of fish that it is recorded with, if that is a ladder.
    pub rung: Option<u32>,
    /// Whether another scene is on its way.
    pub loading: bool,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Number of times the last frame did without a program that is being compiled.
    pub lacking: u32,
    /// Position of the eye. Unit: m.
    pub eye_m: [f32; 3],
}

impl RunningDemo {
    /// The numbers of fish of a ladder.
    pub const RUNGS: [u32; 10] = ladder::RUNGS;

    /// Report of the state that is shown.
    pub fn report(&self) -> Report {
        let (session, config) = (&self.session, &self.session.config);
        Report {
            scene: config.scene.name.clone(),
            source: session.options.scene.clone(),
            frames: self.pace.drawn(),
            step: (session.world().time_s() / World::STEP_S).round() as u64,
            fish: config.fish(),
            water: config.scene.water.kind.to_string(),
            quality: config.render.quality.to_string(),
            level: self.stage.as_ref().map_or_else(String::new, |stage| stage.level().to_string()),
            language: self.messages().language().code(),
            said: self.panels.texts().into_iter().map(str::to_owned).collect(),
            panel: self.panels.settings.is_open,
            headset: self.worn.is_some(),
            mind: self.panels.mind,
            help: self.panels.help,
            paused: session.paused,
            recording: self.benchmark.is_recording(),
            rung: self.rung(),
            loading: self.switch.is_loading(),
            size: self.stage.as_ref().map_or((0, 0), |stage| stage.size()),
            lacking: self.stage.as_ref().map_or(0, Stage::lacking),
            eye_m: self.frame.camera.eye.to_array(),
        }
    }

    /// Opens a scene from its beginning: a built-in one by name or a file.
    ///
    /// # Errors
    /// If it is wrong.
    pub fn open_scene(&mut self, scene: &str) -> Result<(), AppError> {
        let wanted = self.session.opened(scene, self.editor.changes_of(scene))?;
        self.begin_scene(Ok(wanted), Beginning::Opened);
        Ok(())
    }

    /// Whether another scene is on its way.
    pub fn is_loading(&self) -> bool {
        self.switch.is_loading()
    }

    /// Reason why the scene that was asked for last is not shown, if so.
    pub fn problem(&self) -> Option<&str> {
        self.editor.problem()
    }

    /// Decodes the textures of these names again and shows them.
    ///
    /// # Errors
    /// If one cannot be decoded, or the driver has no memory for them.
    pub fn repaint(&mut self, names: &[String]) -> Result<(), String> {
        let mut new = HashMap::new();
        for name in names {
            let bytes = assets::read(name).map_err(|why| format!("{name}: {why}"))?;
            let path = Path::new(BUILTIN).join(name).to_string_lossy().into_owned();
            let image = texture::decode(&path, bytes).map_err(|why| format!("{name} {why}"))?;
            new.insert(path, Arc::new(image));
        }
        let next = self.session.repainted(&|old| new.get(&old.name).cloned());
        self.show_or_refuse(next)
    }

    /// Sets the language of the texts.
    pub fn speak(&mut self, language: Language) {
        self.options.language = language;
        self.panels.messages = Messages::new(language);
    }

    /// Keys and values of an address for what is shown: the scene, and the settings that differ from its file.
    pub fn address(&self) -> Vec<(String, String)> {
        let SceneSession { options, config, edits, .. } = &self.session;
        let mut keys = vec![("scene".to_owned(), options.scene.clone())];
        let is_count = |key: &str| key.starts_with("species.") && key.ends_with(".count");
        let changed: Vec<String> = options.set.iter().cloned().chain(edits.arguments()).collect();
        let changed: Vec<(&str, &str)> = changed.iter().filter_map(|set| set.split_once('=')).collect();
        // The last value of a key counts.
        for (place, (key, value)) in changed.iter().enumerate() {
            if !is_count(key) && changed[place + 1..].iter().all(|(later, _)| later != key) {
                keys.push(((*key).to_owned(), value.trim_matches('"').to_owned()));
            }
        }
        if options.fish.is_some() || changed.iter().any(|(key, _)| is_count(key)) {
            keys.push(("fish".into(), config.fish().to_string()));
        }
        keys
    }

    /// Changes one key of the scene, such as `water.type`.
    ///
    /// # Errors
    /// If there is no such key or it takes no such value.
    pub fn change(&mut self, key: &str, value: &str) -> Result<(), String> {
        let mut edits = self.session.edits.clone();
        set(&mut edits, key, value, &self.session.values());
        let next = self.session.changed_to(edits);
        self.show_or_refuse(next)
    }

    /// Changes the number of fish to `count`.
    ///
    /// # Errors
    /// If there cannot be so many.
    pub fn change_fish(&mut self, count: u32) -> Result<(), String> {
        let next = self.session.with_fish(count);
        self.show_or_refuse(next)
    }

    /// Text of a scene file that holds what is shown.
    pub fn scene_text(&self) -> String {
        let SceneSession { options, config, edits, .. } = &self.session;
        let text = self.session.file().and_then(|file| storage::read(&file, SIZE_LIMIT as u64).ok());
        let builtin = || BUILTIN_SCENES.iter().find(|scene| scene.name == options.scene).map(|scene| scene.text);
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok()).or_else(|| Some(builtin()?.to_owned()));
        let text = text.unwrap_or_default();
        let (mut all, values) = (Edits::default(), Table::new());
        for (key, value) in options.set.iter().filter_map(|set| set.split_once('=')) {
            set(&mut all, key, value, &values);
        }
        if options.fish.is_some() {
            for species in &config.scene.species {
                all.set(
                    &["species".into(), species.name.clone(), "count".into()],
                    i64::from(species.life.count).into(),
                    &values,
                );
            }
        }
        edits.iter().for_each(|edit| all.set(&edit.path, edit.value.clone(), &values));
        all.written_into(&text, "").unwrap_or(text)
    }

    /// Names of the project's own models that the scene of `text` needs.
    ///
    /// # Errors
    /// If it is wrong.
    pub fn check_text(&self, text: &str) -> Result<Vec<String>, AppError> {
        let trial = self.text_file().with_file_name(TRIAL);
        put(&trial, text.as_bytes())?;
        let loaded = load_changed(&self.of_text(&trial), &Edits::default())?;
        Ok(files::builtin_models(&loaded.config.scene))
    }

    /// Shows the scene of `text`, which becomes the text of its file; unchanged parts go on as they were.
    ///
    /// # Errors
    /// If it is wrong, or names a model that cannot be loaded; then the file is as it was.
    pub fn apply_text(&mut self, text: &str) -> Result<(), AppError> {
        self.check_text(text)?;
        let file = self.text_file();
        let before = storage::read(&file, SIZE_LIMIT as u64);
        put(&file, text.as_bytes())?;
        let shown = self.session.read_as(self.of_text(&file));
        let shown = shown.and_then(|next| self.show_or_refuse(Ok(next)).map_err(AppError::Refused));
        if let (Err(_), Ok(before)) = (&shown, before) {
            put(&file, &before)?;
        }
        shown
    }

    fn of_text(&self, file: &Path) -> SceneOptions {
        // Earlier settings are in the text.
        let scene = file.display().to_string();
        SceneOptions { scene, set: Vec::new(), fish: None, ..self.session.options.clone() }
    }

    /// The scene's file, or one for a built-in scene.
    fn text_file(&self) -> PathBuf {
        self.session.file().unwrap_or_else(|| format!("{}.toml", self.session.options.scene).into())
    }

    fn show_or_refuse(&mut self, next: Result<SceneSession, AppError>) -> Result<(), String> {
        let next = next.map_err(|error| error.to_string())?;
        if self.change_scene(Ok(next)) {
            return Ok(());
        }
        Err(self.panels.error(SCENE).unwrap_or_default().to_owned())
    }
}

/// Sets a key as `--set` does: a value that is not TOML is a text.
fn set(edits: &mut Edits, key: &str, value: &str, values: &Table) {
    let path: Vec<String> = key.split('.').map(|key| key.trim().to_owned()).collect();
    let parsed = format!("value = {value}").parse::<Table>().ok().and_then(|mut table| table.remove("value"));
    edits.set(&path, parsed.unwrap_or_else(|| Value::String(value.to_owned())), values);
}

fn put(file: &Path, text: &[u8]) -> Result<(), AppError> {
    let failed = |why: std::io::Error| AppError::Write { path: file.to_owned(), why: why.to_string() };
    storage::put(file, text.to_vec()).map_err(failed)
}
