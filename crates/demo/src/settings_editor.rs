//! The editor of settings: changes that are wanted, made, undone and redone, of the scene that is shown and of earlier
//! ones.

use std::collections::BTreeMap;

use config::Edits;
use ocean::EnvironmentSettings;
use render::PostSettings;
use toml::Table;
use view::RenderScene;

use crate::panel::WaterSample;
use water_samples::WaterSamples;

mod water_samples;

/// Greatest number of changes that can be undone.
const MAX_UNDONE: usize = 200;

/// Editor of changes of settings.
#[derive(Debug, Default)]
pub struct SettingsEditor {
    /// Changes that are wanted and not shown yet.
    wanted: Option<Wanted>,
    undo: Vec<Edits>,
    redo: Vec<Edits>,
    /// Whether the value that was changed last is still being dragged.
    is_dragged: bool,
    /// Changes of the scenes that were left.
    of_others: BTreeMap<String, Edits>,
    /// Values of the shown scene's file without changes, if they are known.
    in_file: Option<Table>,
    waters: WaterSamples,
    /// Reason why the file or the last change was refused, if it was.
    problem: Option<String>,
}

/// Changes that are to take the place of the present ones.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The changes.
    pub edits: Edits,
    /// Origin of the changes.
    way: Way,
    /// Whether they take longer than a frame, once that is known.
    is_slow: Option<bool>,
}

/// Origin of wanted changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Change,
    Undo,
    Redo,
}

/// Next step for wanted changes.
pub enum Step {
    /// Nothing yet.
    Wait,
    /// They take long: a frame that says so is to be drawn first.
    Announce,
    /// They are to be shown.
    Show(Wanted),
}

impl SettingsEditor {
    /// Requests a change.
    pub fn change(&mut self, edits: Edits) {
        self.want(edits, Way::Change);
    }

    /// Requests to undo the last change, if there is one.
    pub fn undo(&mut self) {
        if let Some(edits) = self.undo.last().cloned() {
            self.want(edits, Way::Undo);
        }
    }

    /// Requests to redo the change that was undone last, if there is one.
    pub fn redo(&mut self) {
        if let Some(edits) = self.redo.last().cloned() {
            self.want(edits, Way::Redo);
        }
    }

    fn want(&mut self, edits: Edits, way: Way) {
        self.wanted = Some(Wanted { edits, way, is_slow: None });
    }

    /// Whether there is anything to undo, and to redo.
    pub fn can_undo_and_redo(&self) -> [bool; 2] {
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    /// Next step for the wanted changes. Slow changes (`is_slow`) wait until no value `is_dragging` any more, and until
    /// they have been announced (`is_announced`).
    pub fn step(&mut self, is_dragging: bool, is_announced: bool, is_slow: impl FnOnce(&Edits) -> bool) -> Step {
        let Some(mut wanted) = self.wanted.take() else {
            self.is_dragged &= is_dragging;
            return Step::Wait;
        };
        let is_slow = *wanted.is_slow.get_or_insert_with(|| is_slow(&wanted.edits));
        if is_slow && (is_dragging || !is_announced) {
            self.wanted = Some(wanted);
            return Step::Announce;
        }
        Step::Show(wanted)
    }

    /// Takes note that `wanted` is shown in place of the changes `before`; until `is_dragging` ends, the following
    /// changes are one with it.
    pub fn remember(&mut self, before: Edits, wanted: &Wanted, is_dragging: bool) {
        match wanted.way {
            Way::Change => {
                if !self.is_dragged {
                    self.undo.push(before);
                    let surplus = self.undo.len().saturating_sub(MAX_UNDONE);
                    self.undo.drain(..surplus);
                }
                self.redo.clear();
                self.is_dragged = is_dragging;
            }
            Way::Undo => {
                self.undo.pop();
                self.redo.push(before);
            }
            Way::Redo => {
                self.redo.pop();
                self.undo.push(before);
            }
        }
    }

    /// Takes note that restored changes are shown in place of the changes `before`.
    pub fn remember_restored(&mut self, before: Edits) {
        let wanted = Wanted { edits: Edits::default(), way: Way::Change, is_slow: None };
        self.remember(before, &wanted, false);
    }

    /// Takes note that `edits` have been saved; undo and redo then start from the file that holds them.
    pub fn saved(&mut self, edits: &Edits, in_file_before: &Table) {
        let states = self.undo.iter_mut().chain(&mut self.redo);
        states.for_each(|state| *state = state.after_saving(edits, in_file_before));
    }

    /// Takes the values of the shown scene's file without changes; they are read anew when they are needed.
    pub fn take_values_in_file(&mut self) -> Option<Table> {
        self.in_file.take()
    }

    /// The values of the shown scene's file without changes, which `read` gives if they are not known.
    pub fn values_in_file(&mut self, read: impl FnOnce() -> Table) -> &Table {
        self.in_file.get_or_insert_with(read)
    }

    /// Takes note that the scene or its file has changed, or was refused because of `problem`.
    pub fn scene_has_changed(&mut self, problem: Option<String>) {
        (self.problem, self.in_file) = (problem, None);
    }

    /// Reason why the file or the last change was refused, if it was.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The changes of another scene, which are shown with it again.
    pub fn changes_of(&self, scene: &str) -> Edits {
        self.of_others.get(scene).cloned().unwrap_or_default()
    }

    /// Keeps the changes of the scene `left`, if another is `shown` now; returns whether that is so.
    pub fn leave_scene(&mut self, left: String, edits: Edits, shown: &str) -> bool {
        // They are the session's own again.
        self.of_others.remove(shown);
        if left == shown {
            return false;
        }
        self.of_others.insert(left, edits);
        (self.undo, self.redo, self.wanted) = (Vec::new(), Vec::new(), None);
        true
    }

    /// The changes of the scenes that were left.
    pub fn of_others(&self) -> impl Iterator<Item = (&String, &Edits)> {
        self.of_others.iter()
    }

    /// Forgets the changes of a scene that was left: they are saved.
    pub fn forget_other(&mut self, scene: &str) {
        self.of_others.remove(scene);
    }

    /// Throws away the changes of the scenes that were left.
    pub fn forget_others(&mut self) {
        self.of_others.clear();
    }

    /// Computes the look of each water type at the moment `frame` of a scene, resolved from `settings`; returns all of
    /// them if they have changed.
    pub fn waters(
        &mut self,
        frame: &RenderScene,
        settings: EnvironmentSettings,
        post: &PostSettings,
    ) -> Option<&[WaterSample]> {
        self.waters.update(frame, settings, post)
    }
}
