//! Unsaved changes: asked about before the window closes, and kept in case it ends otherwise.

use std::path::Path;

use config::BUILTIN_SCENES;

use crate::input::{Action, Input};
use crate::overlay::question::{About, Question, Reply, reply_of};
use crate::recovery::{UnsavedScene, lasting_name};
use crate::running::RunningDemo;
use crate::stage::Stage;

/// A topic of errors.
const RECOVERY: &str = "recovery";

impl RunningDemo {
    /// The unsaved changes, of the scene that is shown and of the scenes before it.
    pub(super) fn unsaved(&self) -> Vec<UnsavedScene> {
        let shown = (&self.session.options.scene, &self.session.edits);
        let changed = self.editor.of_others().chain([shown]).filter(|(_, edits)| !edits.is_empty());
        changed.map(|(scene, edits)| UnsavedScene { scene: lasting_name(scene), edits: edits.clone() }).collect()
    }

    /// Keeps the unsaved changes, unless one is just being dragged.
    pub(super) fn keep_unsaved(&mut self) {
        if self.panels.settings.is_open && self.panels.settings.is_dragging {
            return;
        }
        let unsaved = self.unsaved();
        if let Err(error) = self.recovery.keep(&unsaved) {
            self.show_error(RECOVERY, &format!("changes are not kept until they are saved: {error}"));
        }
    }

    /// Leaves, or asks about unsaved changes first.
    pub(super) fn ask_to_leave(&mut self) {
        let unsaved = self.unsaved();
        let can_ask = self.options.ui && self.stage.as_ref().is_some_and(Stage::has_overlay);
        if unsaved.is_empty() || !can_ask {
            return self.leave(Ok(()));
        }
        if self.panels.question.as_ref().is_some_and(|question| question.about == About::Leaving) {
            return;
        }
        // A recording is of the picture alone.
        self.stop_recording("the window's being closed");
        let name = |scene: &str| {
            let file = Path::new(scene).file_name().unwrap_or_default().to_string_lossy().into_owned();
            if BUILTIN_SCENES.iter().any(|builtin| builtin.name == scene) { self.messages().scene(scene) } else { file }
        };
        let line = |UnsavedScene { scene, edits }: &UnsavedScene| {
            let count = self.messages().format("changes", &[("count", edits.iter().len().into())]);
            format!("\n{}: {count}", name(scene))
        };
        let text = self.messages().get("unsaved") + &unsaved.iter().map(line).collect::<String>();
        self.ask(About::Leaving, text);
    }

    /// Offers the changes of the shown scene left by a window that ended without being asked to.
    pub(super) fn offer_left_changes(&mut self) {
        let can_ask = self.options.ui && self.stage.as_ref().is_some_and(Stage::has_overlay);
        if !can_ask || !self.session.edits.is_empty() || self.panels.question.is_some() {
            return;
        }
        if let Some(edits) = self.recovery.offer(&self.session.options.scene).cloned() {
            let scene = self.messages().scene(&self.session.config.scene.name);
            let values = [("count", edits.iter().len().into()), ("scene", scene.into())];
            let text = self.messages().format("left-changes", &values);
            log::info!("a window has left changes: {}", edits.command_line());
            self.ask(About::LeftChanges, text);
        }
    }

    fn ask(&mut self, about: About, text: String) {
        self.release_pointer();
        self.controls.held = Default::default();
        self.panels.question = Some(Question::new(about, text));
        self.panels.input.open();
    }

    /// Handles inputs for the question that is asked, if one is; returns `true` if no other part is to handle them.
    pub(super) fn is_for_question(&mut self, input: &Input) -> bool {
        if self.panels.question.is_none() {
            return false;
        }
        match input {
            Input::Ui(event) => match reply_of(event) {
                Some(reply) => self.reply(reply),
                None => return false,
            },
            Input::Action { action: Action::Escape, repeat: false } => self.reply(Reply::Later),
            Input::Action { .. }
            | Input::Movement { down: true, .. }
            | Input::Button { down: true }
            | Input::Frighten(_)
            | Input::Look(_)
            | Input::Wheel(_) => {}
            _ => return false,
        }
        true
    }

    /// Carries out the reply that was clicked on in a question.
    pub(super) fn follow_reply(&mut self) {
        if let Some(reply) = self.panels.question.as_mut().and_then(|question| question.clicked.take()) {
            self.reply(reply);
        }
    }

    fn reply(&mut self, reply: Reply) {
        let Some(question) = &self.panels.question else { return };
        let done = match (question.about, reply) {
            (_, Reply::Later) => {
                self.recovery.leave_offered();
                Ok(())
            }
            (About::Leaving, Reply::Yes) => self.save_all().map(|()| self.leave(Ok(()))),
            (About::Leaving, Reply::No) => {
                self.editor.forget_others();
                self.session.edits = Default::default();
                self.leave(Ok(()));
                Ok(())
            }
            (About::LeftChanges, Reply::Yes) => self.restore(),
            (About::LeftChanges, Reply::No) => self.recovery.forget_offered().map_err(|error| error.to_string()),
        };
        match (done, &mut self.panels.question) {
            (Ok(()), question) => *question = None,
            (Err(problem), Some(question)) => {
                log::error!("{problem}");
                question.problem = Some(problem);
            }
            (Err(_), None) => {}
        }
    }

    /// Restores the changes that were left; they are removed from their folder once they are kept here.
    fn restore(&mut self) -> Result<(), String> {
        let Some(edits) = self.recovery.offered().cloned() else { return Ok(()) };
        self.change_back(edits)?;
        let unsaved = self.unsaved();
        self.recovery.keep_now(&unsaved).map_err(|error| error.to_string())?;
        self.recovery.forget_offered().map_err(|error| error.to_string())
    }
}
