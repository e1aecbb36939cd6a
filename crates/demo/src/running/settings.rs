//! Requests made in the settings panel.

use std::path::{Path, PathBuf};

use config::{BUILTIN_SCENES, Edits, SaveError};

use crate::input::Action;
use crate::panel::{DrawnQuality, PanelCommand, PanelScene};
use crate::running::{RunningDemo, SCENE};
use crate::settings_editor::Step;

/// A topic of errors.
const SAVE: &str = "save";
/// Greatest number of new files of one scene.
const MAX_FILES: u32 = 1000;

impl RunningDemo {
    /// Opens the panel or closes it.
    pub(super) fn toggle_settings(&mut self) {
        self.panels.settings.is_open = self.options.ui && !self.panels.settings.is_open;
        self.panels.input.open();
        self.refresh_settings();
    }

    /// Carries out the panel's requests since the last frame.
    pub(super) fn do_what_is_asked(&mut self) {
        for asked in std::mem::take(&mut self.panels.settings.asked) {
            match asked {
                PanelCommand::Scene(index) => self.act(Action::Scene(index)),
                PanelCommand::Change(edits) => self.editor.change(edits),
                PanelCommand::Undo => self.editor.undo(),
                PanelCommand::Redo => self.editor.redo(),
                PanelCommand::Save => self.save_changes(false),
                PanelCommand::SaveAsNew => self.save_changes(true),
                PanelCommand::Vsync(vsync) => self.set_vsync(vsync),
            }
        }
        self.change_settings();
        self.panels.settings.drawn = self
            .stage
            .as_ref()
            .and_then(|stage| Some(DrawnQuality { level: stage.governed()?, target_ms: stage.target_ms()? }));
        if self.panels.settings.shows_waters()
            && let Some(waters) = self.editor.waters(
                &self.frame,
                self.session.world().settings().environment(),
                &self.session.config.post,
            )
        {
            self.panels.settings.waters = waters.to_vec();
        }
    }

    /// Shows the wanted changes. Slow ones wait until nothing is dragged any more, and for a frame that announces them.
    fn change_settings(&mut self) {
        let is_dragging = self.panels.settings.is_open && self.panels.settings.is_dragging;
        let session = &self.session;
        let step = self.editor.step(is_dragging, self.panels.settings.is_working, |edits| {
            // A change that is refused is refused below.
            session.config_with(edits.clone()).is_ok_and(|config| session.is_rebuilt_by(&config))
        });
        let wanted = match step {
            Step::Wait => return,
            Step::Announce => {
                self.panels.settings.is_working = true;
                return;
            }
            Step::Show(wanted) => wanted,
        };
        let before = self.session.edits.clone();
        let began_s = self.pace.clock_s();
        let next = self.session.changed_to(wanted.edits.clone());
        let is_shown = self.change_scene(next);
        self.panels.settings.is_working = false;
        if is_shown && self.session.edits != before {
            log::debug!("changed: {}", self.session.edits.command_line());
            self.editor.remember(before, &wanted, is_dragging);
        }
        self.refresh_settings();
        self.pace.skip_since(began_s);
    }

    /// Keeps the changes of a scene that was left, if another is shown now.
    pub(super) fn leave_changes(&mut self, scene: String, edits: Edits) {
        if self.editor.leave_scene(scene, edits, &self.session.options.scene) {
            self.refresh_settings();
        }
    }

    /// Takes note that the scene or its file has changed, or was refused because of `problem`.
    pub(super) fn scene_has_changed(&mut self, problem: Option<String>) {
        self.editor.scene_has_changed(problem);
        self.refresh_settings();
    }

    /// Updates the scene in the panel.
    fn refresh_settings(&mut self) {
        if !self.panels.settings.is_open {
            return;
        }
        let session = &self.session;
        let in_file = self.editor.values_in_file(|| session.values_in_file()).clone();
        let file = session.file();
        let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let problem = self.editor.problem().map(str::to_owned);
        let problems = problem.into_iter().chain(session.warnings.iter().cloned()).collect();
        self.panels.settings.set_scene(PanelScene {
            name: session.config.scene.name.clone(),
            file: file.as_ref().map(name),
            values: session.values(),
            in_file,
            edits: session.edits.clone(),
            can_undo: self.editor.can_undo_and_redo(),
            vsync: self.options.vsync,
            problems,
        });
    }

    fn set_vsync(&mut self, vsync: bool) {
        self.options.vsync = vsync;
        if let Some(screen) = self.screen() {
            screen.set_vsync(vsync);
        }
        self.limit_rate();
        self.refresh_settings();
    }

    /// Writes the changes into the scene's file, or into a new one.
    fn save_changes(&mut self, as_new: bool) {
        match self.try_to_save(as_new) {
            Ok(()) => self.panels.clear_error(SAVE),
            Err(error) if self.session.file().is_some() && !as_new => {
                let button = self.messages().get("save-as-new");
                self.show_error(SAVE, &format!("{error}; \"{button}\" writes the changes into another file"));
            }
            Err(error) => self.show_error(SAVE, &error),
        }
    }

    fn try_to_save(&mut self, as_new: bool) -> Result<(), SaveError> {
        if self.session.edits.is_empty() {
            return Ok(());
        }
        let edits = self.session.edits.clone();
        let file = match self.session.file() {
            Some(file) if !as_new => {
                edits.save_into(&file)?;
                file
            }
            open => {
                // A relative path would be sought beside the new file.
                let base = open.as_deref().map_or_else(|| self.session.options.scene.clone(), absolute);
                self.save_as_new(&edits, &base, &self.session.config.scene.name)?
            }
        };
        let in_file_before = self.editor.take_values_in_file().unwrap_or_else(|| self.session.values_in_file());
        let next = self.session.saved_as(&file);
        if self.change_scene(next) {
            self.editor.saved(&edits, &in_file_before);
        }
        // Only after it has been read again: a person who sees the message may edit the file.
        self.say_written(&file);
        self.refresh_settings();
        Ok(())
    }

    fn say_written(&mut self, file: &Path) {
        let path = absolute(file);
        log::info!("scene written to {path}");
        self.notify(self.messages().format("scene-written", &[("path", path.into())]));
    }

    /// Writes the changes of every scene, each into its file, or into a new one if it is built in.
    ///
    /// # Errors
    /// If some cannot be written; they are still there.
    pub(super) fn save_all(&mut self) -> Result<(), String> {
        let others: Vec<(String, Edits)> =
            self.editor.of_others().map(|(scene, edits)| (scene.clone(), edits.clone())).collect();
        for (scene, edits) in others.into_iter().filter(|(_, edits)| !edits.is_empty()) {
            let written = match BUILTIN_SCENES.iter().any(|builtin| builtin.name == scene) {
                true => self.save_as_new(&edits, &scene, &scene),
                false => edits.save_into(Path::new(&scene)).map(|()| PathBuf::from(&scene)),
            };
            let file = written.map_err(|error| error.to_string())?;
            self.say_written(&file);
            self.editor.forget_other(&scene);
        }
        self.try_to_save(false).map_err(|error| error.to_string())
    }

    /// Writes the changes of the scene called `name` into a new file, in the user's own folder if not in the first one,
    /// and returns its path.
    fn save_as_new(&self, edits: &Edits, base: &str, name: &str) -> Result<PathBuf, SaveError> {
        let (file, refused) = self.options.scenes.first(|folder| edits.save_as_new(new_files(folder, name), base))?;
        if let Some(refused) = refused {
            log::warn!("{refused}");
        }
        Ok(file)
    }

    /// Puts `edits` in place of the present changes, as a change that can be undone.
    ///
    /// # Errors
    /// If they are refused; then nothing is changed.
    pub(super) fn change_back(&mut self, edits: Edits) -> Result<(), String> {
        let (before, began_s) = (self.session.edits.clone(), self.pace.clock_s());
        let next = self.session.changed_to(edits);
        if !self.change_scene(next) {
            return Err(self.panels.error(SCENE).unwrap_or_default().to_owned());
        }
        self.editor.remember_restored(before);
        self.refresh_settings();
        self.pace.skip_since(began_s);
        Ok(())
    }
}

fn absolute(file: &Path) -> String {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned()).display().to_string()
}

/// Names for a new file of a scene.
fn new_files(folder: &Path, scene: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let scene = scene.replace(['/', '\\'], "_");
    let scene = scene.strip_prefix("my-").unwrap_or(&scene).to_owned();
    let first = folder.join(format!("my-{scene}.toml"));
    let folder = folder.to_owned();
    let numbered = (2..MAX_FILES).map(move |number| folder.join(format!("my-{scene}-{number}.toml")));
    std::iter::once(first).chain(numbered)
}
