//! Files in memory, in place of the system's calls where there are no files, as in a browser: each was [`put`] there or
//! written by this program.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Files and folders by paths without a root, `.` and `..`. The folder with the empty name is not among them.
static TABLE: Mutex<Table> = Mutex::new(Table { entries: BTreeMap::new(), changes: 0 });

struct Table {
    entries: BTreeMap<PathBuf, Entry>,
    /// Number of changes so far, which serves as the time.
    changes: u64,
}

#[derive(Clone)]
enum Entry {
    Folder,
    File(File),
}

/// A file.
#[derive(Clone, Debug)]
pub struct File(Arc<Mutex<Contents>>);

#[derive(Debug)]
struct Contents {
    bytes: Vec<u8>,
    /// Value of [`Table::changes`] at the last change.
    changed: u64,
    /// Whether this program wrote it and [`take_written`] has not returned it yet.
    is_news: bool,
}

/// Options for opening a file: always for everything.
pub struct OpenOptions;

/// Metadata of a file or a folder.
#[derive(Clone, Copy, Debug)]
pub struct Metadata {
    kind: FileType,
    bytes: u64,
    changed: u64,
}

/// Type of an entry.
#[derive(Clone, Copy, Debug)]
pub struct FileType {
    is_folder: bool,
}

/// Permissions: everything is allowed.
pub struct Permissions;

impl OpenOptions {
    /// Default options.
    pub fn new() -> Self {
        Self
    }

    /// For reading.
    pub fn read(&mut self, _: bool) -> &mut Self {
        self
    }

    /// For writing.
    pub fn write(&mut self, _: bool) -> &mut Self {
        self
    }
}

impl File {
    /// Options for opening one.
    pub fn options() -> OpenOptions {
        OpenOptions::new()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new(bytes: Vec<u8>, changed: u64, is_news: bool) -> Self {
        Self(Arc::new(Mutex::new(Contents { bytes, changed, is_news })))
    }
}

impl Metadata {
    /// Its type.
    pub fn file_type(&self) -> FileType {
        self.kind
    }

    /// Whether it is a folder.
    pub fn is_dir(&self) -> bool {
        self.kind.is_dir()
    }

    /// Always `false`: there are no links.
    pub fn is_symlink(&self) -> bool {
        false
    }

    /// Its size. Unit: bytes.
    pub fn len(&self) -> u64 {
        self.bytes
    }

    /// Time of the last change: later for later changes.
    pub fn modified(&self) -> io::Result<SystemTime> {
        Ok(UNIX_EPOCH + Duration::from_nanos(self.changed))
    }

    /// Its permissions.
    pub fn permissions(&self) -> Permissions {
        Permissions
    }
}

impl FileType {
    /// Whether it is a folder.
    pub fn is_dir(&self) -> bool {
        self.is_folder
    }

    /// Whether it is a file.
    pub fn is_file(&self) -> bool {
        !self.is_folder
    }
}

impl Permissions {
    /// Always `false`.
    pub fn readonly(&self) -> bool {
        false
    }
}

impl Table {
    fn get(&self, path: &Path) -> io::Result<Entry> {
        let path = plain(path)?;
        if path.as_os_str().is_empty() {
            return Ok(Entry::Folder);
        }
        self.entries.get(&path).cloned().ok_or_else(missing)
    }

    /// Adds `entry` where nothing is yet, in an existing folder.
    fn add(&mut self, path: &Path, entry: Entry) -> io::Result<()> {
        if self.get(path).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let path = plain(path)?;
        match self.get(path.parent().unwrap_or(Path::new("")))? {
            Entry::Folder => drop(self.entries.insert(path, entry)),
            Entry::File(_) => return Err(ErrorKind::NotADirectory.into()),
        }
        Ok(())
    }

    fn add_folders(&mut self, path: &Path) -> io::Result<()> {
        let path = plain(path)?;
        let mut folders: Vec<&Path> = path.ancestors().collect();
        folders.reverse();
        for folder in folders {
            match self.get(folder) {
                Ok(Entry::Folder) => {}
                Ok(Entry::File(_)) => return Err(ErrorKind::NotADirectory.into()),
                Err(_) => self.add(folder, Entry::Folder)?,
            }
        }
        Ok(())
    }

    fn next_change(&mut self) -> u64 {
        self.changes += 1;
        self.changes
    }
}

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn missing() -> io::Error {
    io::Error::new(ErrorKind::NotFound, "it is not among the files that were given")
}

/// `path` from the root, without `.` and `..`.
fn plain(path: &Path) -> io::Result<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir if !plain.pop() => return Err(missing()),
            _ => {}
        }
    }
    Ok(plain)
}

/// Puts a given file at `path`, and makes the folders it is in.
///
/// # Errors
/// If there is a folder at `path`, or a file in the place of one of its folders.
pub fn put(path: &Path, bytes: Vec<u8>) -> io::Result<()> {
    let mut table = table();
    let place = plain(path)?;
    let Some(folder) = place.parent() else { return Err(ErrorKind::IsADirectory.into()) };
    table.add_folders(folder)?;
    if let Ok(Entry::Folder) = table.get(&place) {
        return Err(ErrorKind::IsADirectory.into());
    }
    let changed = table.next_change();
    table.entries.insert(place, Entry::File(File::new(bytes, changed, false)));
    Ok(())
}

/// Paths and contents of the files that this program has written since the last call.
pub fn take_written() -> Vec<(PathBuf, Vec<u8>)> {
    let table = table();
    let news = table.entries.iter().filter_map(|(path, entry)| {
        // Parts that are still staged begin with a dot.
        let is_part = path.iter().any(|name| name.to_string_lossy().starts_with('.'));
        let Entry::File(file) = entry else { return None };
        let mut contents = file.contents();
        (!is_part && std::mem::take(&mut contents.is_news)).then(|| (path.clone(), contents.bytes.clone()))
    });
    news.collect()
}

/// Number that distinguishes the files of this process from another's.
pub fn process_id() -> u32 {
    1
}

/// Metadata of `path`.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    match table().get(path)? {
        Entry::Folder => Ok(Metadata { kind: FileType { is_folder: true }, bytes: 0, changed: 0 }),
        Entry::File(file) => metadata_of_open(&file),
    }
}

/// Metadata of `path`; there are no links.
pub fn metadata_of_link(path: &Path) -> io::Result<Metadata> {
    metadata(path)
}

/// The path itself.
pub fn follow(path: &Path) -> io::Result<PathBuf> {
    table().get(path)?;
    plain(path)
}

/// Metadata of an open file.
pub fn metadata_of_open(file: &File) -> io::Result<Metadata> {
    let contents = file.contents();
    let kind = FileType { is_folder: false };
    Ok(Metadata { kind, bytes: contents.bytes.len() as u64, changed: contents.changed })
}

/// Opens a file.
pub fn open(_: &mut OpenOptions, path: &Path) -> io::Result<File> {
    match table().get(path)? {
        Entry::File(file) => Ok(file),
        Entry::Folder => Err(ErrorKind::IsADirectory.into()),
    }
}

/// Reads at most the first `most_bytes`.
pub fn read(file: &File, most_bytes: u64) -> io::Result<Vec<u8>> {
    let contents = file.contents();
    let most = usize::try_from(most_bytes).unwrap_or(usize::MAX).min(contents.bytes.len());
    Ok(contents.bytes[..most].to_vec())
}

/// Names of all entries of a folder, sorted.
pub fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    let table = table();
    let Entry::Folder = table.get(folder)? else { return Err(ErrorKind::NotADirectory.into()) };
    let folder = plain(folder)?;
    let within = table.entries.keys().filter(|path| path.parent() == Some(&folder));
    Ok(within.filter_map(|path| path.file_name().map(OsString::from)).collect())
}

/// Always succeeds: there is no other process.
pub fn try_lock(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Makes a file, which must not be there.
pub fn create_file(path: &Path) -> io::Result<File> {
    let mut table = table();
    let file = File::new(Vec::new(), table.next_change(), true);
    table.add(path, Entry::File(file.clone()))?;
    Ok(file)
}

/// Makes a folder, which must not be there.
pub fn create_folder(path: &Path) -> io::Result<()> {
    table().add(path, Entry::Folder)
}

/// Makes a folder and its missing parents.
pub fn create_folders(path: &Path) -> io::Result<()> {
    table().add_folders(path)
}

/// Writes all of `bytes` at the end.
pub fn write(file: &File, bytes: &[u8]) -> io::Result<()> {
    let changed = table().next_change();
    let mut contents = file.contents();
    contents.bytes.try_reserve(bytes.len()).map_err(|_| ErrorKind::OutOfMemory)?;
    contents.bytes.extend_from_slice(bytes);
    contents.changed = changed;
    Ok(())
}

/// Does nothing: there is no disk to wait for.
pub fn sync(_: &File) -> io::Result<()> {
    Ok(())
}

/// Does nothing: there is no disk to wait for.
pub fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Does nothing: files have no owner.
pub fn take_after(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Makes a hard link to a file; the new name must not be there.
pub fn link(from: &Path, to: &Path) -> io::Result<()> {
    let mut table = table();
    let entry = table.get(from)?;
    table.add(to, entry)
}

/// Renames a file or a folder; an existing file of that name is replaced.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let mut table = table();
    let entry = table.get(from)?;
    let (from, to) = (plain(from)?, plain(to)?);
    match (&entry, table.get(&to)) {
        (Entry::File(_), Ok(Entry::File(_))) => drop(table.entries.remove(&to)),
        (_, Ok(_)) => return Err(ErrorKind::AlreadyExists.into()),
        _ => {}
    }
    table.add(&to, entry)?;
    let moved: Vec<PathBuf> = table.entries.keys().filter(|path| path.starts_with(&from)).cloned().collect();
    for path in moved {
        let rest = path.strip_prefix(&from).unwrap_or(Path::new("")).to_owned();
        if let Some(entry) = table.entries.remove(&path).filter(|_| !rest.as_os_str().is_empty()) {
            table.entries.insert(to.join(rest), entry);
        }
    }
    Ok(())
}

/// Removes a file.
pub fn remove_file(path: &Path) -> io::Result<()> {
    let mut table = table();
    match table.get(path)? {
        Entry::File(_) => drop(table.entries.remove(&plain(path)?)),
        Entry::Folder => return Err(ErrorKind::IsADirectory.into()),
    }
    Ok(())
}

/// Removes a folder with nothing in it.
pub fn remove_empty_folder(path: &Path) -> io::Result<()> {
    match names(path)?.is_empty() {
        true => remove_folder(path),
        false => Err(ErrorKind::DirectoryNotEmpty.into()),
    }
}

/// Removes a folder with its content.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    let mut table = table();
    let Entry::Folder = table.get(path)? else { return Err(ErrorKind::NotADirectory.into()) };
    let folder = plain(path)?;
    table.entries.retain(|path, _| !path.starts_with(&folder));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls;

    /// Results of a number of steps, by `$calls` in the folder `$room`.
    macro_rules! story {
        ($calls:ident, $room:expr) => {{
            let room: &Path = $room;
            let at = |name: &str| room.join(name);
            let kind = |result: io::Result<()>| result.map_err(|error| error.kind());
            let made = $calls::create_file(&at("b.txt")).expect("made");
            $calls::write(&made, b"one").and_then(|()| $calls::write(&made, b"two")).expect("written");
            $calls::create_folders(&at("sub/deep")).expect("made");
            let told = [
                kind($calls::create_file(&at("b.txt")).map(drop)),
                kind($calls::create_file(&at("gone/b.txt")).map(drop)),
                kind($calls::create_folder(&at("sub"))),
                kind($calls::create_folders(&at("sub"))),
                kind($calls::metadata(&at("c.txt")).map(drop)),
                kind($calls::rename(&at("c.txt"), &at("d.txt"))),
                kind($calls::create_file(&at("sub/a.txt")).map(drop)),
                kind($calls::rename(&at("b.txt"), &at("sub/../sub/a.txt"))),
                kind($calls::remove_empty_folder(&at("sub"))),
                kind($calls::rename(&at("sub"), &at("new"))),
                kind($calls::remove_file(&at("b.txt"))),
            ];
            let open = $calls::open($calls::OpenOptions::new().read(true), &at("new/a.txt")).expect("there");
            let read = $calls::read(&open, 4).expect("read");
            let names = $calls::names(&at("new")).expect("a folder");
            let (file, folder) = ($calls::metadata(&at("new/a.txt")), $calls::metadata(&at("new/deep")));
            let said = (file.expect("there").len(), folder.expect("there").is_dir());
            let removed = (kind($calls::remove_folder(&at("new"))), $calls::names(room).expect("a folder"));
            (told, read, names, said, removed)
        }};
    }

    #[test]
    fn files_in_memory_behave_as_those_of_the_system() {
        use super as memory;
        let room = tempfile::tempdir().expect("a folder");
        memory::create_folders(Path::new("story")).expect("made");
        assert_eq!(story!(memory, Path::new("story")), story!(calls, room.path()));
    }

    #[test]
    fn what_is_given_is_no_news_and_what_is_written_is_once() {
        put(Path::new("/news/given.toml"), b"a".to_vec()).expect("put");
        let before = metadata(Path::new("news/given.toml")).and_then(|said| said.modified()).expect("there");
        put(Path::new("news/./given.toml"), b"b".to_vec()).expect("put again");
        assert!(metadata(Path::new("news/given.toml")).and_then(|said| said.modified()).expect("there") > before);
        write(&create_file(Path::new("news/.a.part")).expect("made"), b"new").expect("written");
        let news = || take_written().into_iter().filter(|(path, _)| path.starts_with("news")).collect::<Vec<_>>();
        assert_eq!(news(), []);
        rename(Path::new("news/.a.part"), Path::new("news/a.toml")).expect("renamed");
        assert_eq!(news(), [(PathBuf::from("news/a.toml"), b"new".to_vec())]);
        assert_eq!(news(), []);
    }

    #[test]
    fn nothing_is_outside_of_what_was_given() {
        assert_eq!(metadata(Path::new("a/../../b")).expect_err("outside").kind(), ErrorKind::NotFound);
        assert_eq!(put(Path::new(""), Vec::new()).expect_err("no name").kind(), ErrorKind::IsADirectory);
        put(Path::new("outer/a"), Vec::new()).expect("put");
        assert_eq!(put(Path::new("outer"), Vec::new()).expect_err("a folder").kind(), ErrorKind::IsADirectory);
        assert_eq!(put(Path::new("outer/a/b"), Vec::new()).expect_err("a file").kind(), ErrorKind::NotADirectory);
    }
}
