//! Recovery of unsaved changes, which are kept in a file in case the program ends before they are saved.
//!
//! Each window has a folder of its own beside those of other windows, while there is anything in it, and holds its
//! lock: a folder that nobody holds was left by a window that ended without being asked to.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use config::{BUILTIN_SCENES, Edits};
use runtime::threads::Work;
use serde::{Deserialize, Serialize};
use storage::{OutFolder, StorageError};

/// The file in a window's folder.
const FILE: &str = "changes.toml";
/// Its greatest size. Unit: bytes.
const MAX_BYTES: u64 = 16 << 20;
/// Greatest number of windows.
const MAX_WINDOWS: u32 = 10_000;

/// The changes of a scene that are not saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnsavedScene {
    /// The scene: a built-in one by its name, else the path of its file.
    pub scene: String,
    /// The changes.
    pub edits: Edits,
}

/// Contents of [`FILE`].
#[derive(Default, Serialize, Deserialize)]
struct Contents {
    scene: Vec<UnsavedScene>,
}

/// Store of a window's unsaved changes.
pub struct Recovery {
    /// The folder of all windows' folders; `None` if nothing is kept.
    all: Option<PathBuf>,
    /// This window's own folder, while there is anything in it.
    own: Option<OutFolder>,
    /// Changes that are in it, or are being written there.
    kept: Vec<UnsavedScene>,
    writing: Option<Work<Written>>,
    /// Changes that another window has left, while the person is asked about them.
    offered: Option<LeftChanges>,
}

/// This window's folder, if there is one, and the result of writing into it.
type Written = (Option<OutFolder>, Result<(), StorageError>);

/// Changes of a scene that another window has left. If this is dropped, they stay for the next window.
pub struct LeftChanges {
    folder: OutFolder,
    /// The changes.
    pub edits: Edits,
    /// Changes of other scenes in the same folder.
    others: Vec<UnsavedScene>,
}

/// Name of a scene that is valid in every folder that the program is started in.
pub fn lasting_name(scene: &str) -> String {
    if BUILTIN_SCENES.iter().any(|builtin| builtin.name == scene) {
        return scene.to_owned();
    }
    let path = storage::follow(Path::new(scene)).or_else(|_| std::path::absolute(scene));
    path.map_or_else(|_| scene.to_owned(), |path| path.display().to_string())
}

impl Recovery {
    /// Store in a folder of its own in `all`, once there is anything to keep.
    pub fn new(all: Option<PathBuf>) -> Self {
        Self { all, own: None, kept: Vec::new(), writing: None, offered: None }
    }

    /// Keeps the present changes in place of the previous ones, in the background. To be called now and then.
    ///
    /// # Errors
    /// If the previous ones could not be kept; told once.
    pub fn keep(&mut self, now: &[UnsavedScene]) -> Result<(), StorageError> {
        let before = match self.writing.take_if(|work| work.is_done()) {
            Some(work) => self.take(work),
            None => Ok(()),
        };
        let Some(all) = self.all.clone().filter(|_| self.writing.is_none() && self.kept != now) else { return before };
        self.kept = now.to_vec();
        let (own, now) = (self.own.take(), now.to_vec());
        match Work::start(move || write(own, &all, now)) {
            Ok(work) => {
                self.writing = Some(work);
                before
            }
            Err(why) => before.and(Err(StorageError { path: FILE.into(), why })),
        }
    }

    /// Keeps the present changes and waits until they are written.
    ///
    /// # Errors
    /// If they cannot be kept.
    pub fn keep_now(&mut self, now: &[UnsavedScene]) -> Result<(), StorageError> {
        // The result of earlier writes does not matter any more.
        let _ = self.finish();
        self.keep(now)?;
        self.finish()
    }

    fn finish(&mut self) -> Result<(), StorageError> {
        self.writing.take().map_or(Ok(()), |work| self.take(work))
    }

    fn take(&mut self, work: Work<Written>) -> Result<(), StorageError> {
        let Ok((own, written)) = work.finish() else { return Ok(()) };
        self.own = own;
        written
    }

    /// Whether changes are just being written.
    #[cfg(test)]
    pub fn is_writing(&mut self) -> bool {
        self.writing.as_mut().is_some_and(|work| !work.is_done())
    }

    /// Takes up the newest changes of `scene` that another window has left, until the person decides about them.
    pub fn offer(&mut self, scene: &str) -> Option<&Edits> {
        self.offered = self.find(scene);
        self.offered()
    }

    /// The changes that were taken up.
    pub fn offered(&self) -> Option<&Edits> {
        self.offered.as_ref().map(|left| &left.edits)
    }

    /// Leaves the changes that were taken up for the next window.
    pub fn leave_offered(&mut self) {
        self.offered = None;
    }

    /// Throws away the changes that were taken up.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn forget_offered(&mut self) -> Result<(), StorageError> {
        self.offered.take().map_or(Ok(()), LeftChanges::forget)
    }

    /// The newest changes of `scene` left by a window that has ended.
    pub fn find(&self, scene: &str) -> Option<LeftChanges> {
        let (all, scene) = (self.all.as_ref()?, lasting_name(scene));
        let mut folders: Vec<PathBuf> =
            storage::names(all).unwrap_or_default().into_iter().map(|name| all.join(name)).collect();
        folders.retain(|folder| self.own.as_ref().is_none_or(|own| own.path() != folder));
        folders.sort_by_key(|folder| storage::modified(&folder.join(FILE)));
        folders.iter().rev().find_map(|folder| left_in(folder, &scene))
    }
}

impl LeftChanges {
    /// Throws these changes away; those of other scenes stay.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn forget(self) -> Result<(), StorageError> {
        write_into(self.folder, self.others).1
    }
}

/// The changes of `scene` in a folder that nobody holds.
fn left_in(folder: &Path, scene: &str) -> Option<LeftChanges> {
    // A folder without the file is none of these, or belongs to another window that is just beginning.
    storage::is_file(&folder.join(FILE)).ok()?;
    let folder = OutFolder::claim(folder, is_ours).ok()?;
    let path = folder.path().join(FILE);
    let unusable = |why: &dyn std::fmt::Display| log::warn!("{}: changes cannot be restored: {why}", path.display());
    let bytes = storage::read(&path, MAX_BYTES).inspect_err(|why| unusable(why)).ok()?;
    let contents = contents(&bytes).inspect_err(|why| unusable(why)).ok()?;
    let (mut here, others): (Vec<_>, Vec<_>) = contents.scene.into_iter().partition(|left| left.scene == scene);
    here.pop().map(|UnsavedScene { edits, .. }| LeftChanges { folder, edits, others })
}

fn contents(bytes: &[u8]) -> Result<Contents, String> {
    let text = str::from_utf8(bytes).map_err(|error| error.to_string())?;
    toml::from_str(text).map_err(|error| error.to_string())
}

fn is_ours(name: &str) -> bool {
    name == FILE
}

/// Writes changes into a window's folder, a new one in `all` if it has none; without changes, removes the folder.
fn write(own: Option<OutFolder>, all: &Path, changes: Vec<UnsavedScene>) -> Written {
    match own.map_or_else(|| new_folder(all), Ok) {
        Ok(own) => write_into(own, changes),
        Err(error) => (None, Err(error)),
    }
}

fn write_into(mut own: OutFolder, changes: Vec<UnsavedScene>) -> Written {
    if changes.is_empty() {
        let path = own.path().to_owned();
        let removed = storage::remove_files(&path, [FILE].into_iter());
        return match removed {
            Ok(()) => (None, Ok(())),
            Err(why) => (Some(own), Err(StorageError { path, why })),
        };
    }
    let text = toml::to_string(&Contents { scene: changes }).map_err(std::io::Error::other);
    let written = text.map_err(|why| StorageError { path: own.path().to_owned(), why }).and_then(|text| {
        let mut set = own.stage()?;
        set.add(FILE, text.as_bytes())?;
        set.commit()
    });
    (Some(own), written)
}

/// Claims a folder that no window has used.
fn new_folder(all: &Path) -> Result<OutFolder, StorageError> {
    let free = (1..MAX_WINDOWS).map(|number| all.join(number.to_string())).filter(|path| !storage::is_there(path));
    for path in free {
        match OutFolder::claim(&path, is_ours) {
            // Another window was quicker.
            Err(error) if error.why.kind() == ErrorKind::ResourceBusy => {}
            claimed => return claimed,
        }
    }
    let why = std::io::Error::new(ErrorKind::AlreadyExists, "it is full of changes that nobody restores");
    Err(StorageError { path: all.to_owned(), why })
}

#[cfg(test)]
mod tests {
    use storage::faults::at_every_call;
    use testing::{room_of, texts};
    use toml::{Table, Value};

    use super::*;

    fn unsaved(scene: &str, water: &str) -> UnsavedScene {
        let mut edits = Edits::default();
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        edits.set(&keys(&["water", "type"]), Value::String(water.into()), &Table::new());
        edits.set(&keys(&["species", "sardine", "count"]), Value::Integer(3), &Table::new());
        UnsavedScene { scene: scene.into(), edits }
    }

    fn found(all: &Path, scene: &str) -> Option<Edits> {
        Recovery::new(Some(all.into())).find(scene).map(|left| left.edits)
    }

    #[test]
    fn what_a_window_leaves_is_found_by_the_next_and_what_a_living_one_keeps_is_not() {
        let room = room_of([]);
        let (all, [reef, kelp]) = (room.path().join("recovery"), ["reef", "kelp"].map(|scene| unsaved(scene, "3C")));
        let mut one = Recovery::new(Some(all.clone()));
        one.keep_now(&[]).expect("nothing is to be written");
        assert!(!all.exists());
        one.keep_now(&[reef.clone(), kelp.clone()]).expect("writable");
        let mut other = Recovery::new(Some(all.clone()));
        other.keep_now(&[unsaved("reef", "II")]).expect("writable");
        assert_eq!(found(&all, "reef"), None, "both are alive");
        drop(one);
        assert_eq!(found(&all, "reef"), Some(reef.edits.clone()));
        assert_eq!(found(&all, "reef"), Some(reef.edits), "it stays until somebody decides");
        other.find("reef").expect("left").forget().expect("writable");
        assert_eq!(found(&all, "reef"), None);
        assert_eq!(found(&all, "kelp"), Some(kelp.edits), "another scene's stay");
        other.find("kelp").expect("left").forget().expect("writable");
        assert_eq!(texts(&all).keys().collect::<Vec<_>>(), ["2/changes.toml"]);
        other.keep_now(&[]).expect("writable");
        assert_eq!(std::fs::read_dir(&all).expect("there").count(), 0);
    }

    #[test]
    fn it_is_the_old_or_the_new_one_whatever_fails() {
        let (old, new) = (unsaved("reef", "3C"), unsaved("reef", "II"));
        at_every_call(
            || {
                let room = room_of([]);
                let mut recovery = Recovery::new(Some(room.path().into()));
                recovery.keep_now(std::slice::from_ref(&old)).expect("writable");
                room
            },
            // On this thread, whose calls fail.
            |room| {
                let own = OutFolder::claim(&room.path().join("1"), is_ours)?;
                write_into(own, vec![new.clone()]).1
            },
            |room, done, fault| {
                let bytes = storage::read_from_folder(&room.path().join("1"), FILE, MAX_BYTES).expect("whole");
                let kept = contents(&bytes).expect("whole").scene;
                let is_new = kept == std::slice::from_ref(&new);
                assert!(is_new || (done.is_err() && kept == std::slice::from_ref(&old)), "{fault:?} {done:?}");
            },
        );
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        let room = room_of([("1/changes.toml", "scene = 7"), ("2/mine.txt", "mine"), ("file", "")]);
        let before = texts(room.path());
        assert_eq!(found(room.path(), "reef"), None);
        assert_eq!(texts(room.path()), before);
        let mut recovery = Recovery::new(Some(room.path().join("file")));
        assert!(recovery.keep_now(&[unsaved("reef", "3C")]).is_err());
    }
}
