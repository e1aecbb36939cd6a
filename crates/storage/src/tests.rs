//! Tests of readers and writers with places that are no file, are in the way, or fail.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use super::faults::{Fault, at_every_call};
use super::*;
use testing::{room_of, texts};

fn is_ours(name: &str) -> bool {
    ["a.csv", "b.csv", "result.json"].contains(&name)
}

fn map(contents: &[(&str, &str)]) -> BTreeMap<String, String> {
    contents.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

#[test]
fn what_is_no_file_is_named_and_never_waited_for() {
    let room = room_of([("file", "seven b"), ("folder/x", "")]);
    let why = |name: &str| {
        let error = read(&room.path().join(name), 6).expect_err(name);
        (error.kind(), error.to_string())
    };
    assert!(Command::new("mkfifo").arg(room.path().join("pipe")).status().expect("mkfifo is there").success());
    let _socket = UnixListener::bind(room.path().join("socket")).expect("bound");
    assert_eq!(why("folder"), (ErrorKind::IsADirectory, "it is a folder, not a file".into()));
    assert_eq!(why("pipe").1, "it is a pipe, not a file");
    assert_eq!(why("socket").1, "it is a socket, not a file");
    assert_eq!(why("/dev/zero").1, "it is a device, not a file");
    assert_eq!(why("none"), (ErrorKind::NotFound, "there is no such file".into()));
    assert_eq!(why("file"), (ErrorKind::FileTooLarge, "it is larger than 6 bytes".into()));
    assert_eq!(read(&room.path().join("file"), 7).expect("it fits"), b"seven b");
    // Its size is given as 0.
    assert_eq!(read(Path::new("/proc/self/status"), 6).expect_err("longer").kind(), ErrorKind::FileTooLarge);
}

#[test]
fn a_file_is_the_old_or_the_new_one_whatever_fails() {
    let (old, new) = ("old", "x".repeat(100_000));
    at_every_call(
        || room_of([("a.png", old), ("b.png", "mine")]),
        |room| OutFile::check(&room.path().join("a.png"))?.write(new.as_bytes()),
        |room, done, fault| {
            let found = texts(room.path());
            assert!(found["a.png"] == old || found["a.png"] == new, "{fault:?}");
            assert!(done.is_err() || found["a.png"] == new, "{fault:?}");
            assert!(!matches!(fault, Fault::Short) || done.is_ok(), "{done:?}");
            assert!(fault != Fault::Full || found.len() == 2, "{found:?}");
            // The next writer sweeps a part that could not be removed.
            OutFile::check(&room.path().join("a.png")).expect("all is well again");
            let left: Vec<String> = texts(room.path()).into_keys().collect();
            assert_eq!(left, ["a.png", "b.png"], "{fault:?}");
            assert_eq!(found["b.png"], "mine");
        },
    );
}

#[test]
fn a_new_file_takes_the_first_free_name_and_replaces_nothing_whatever_fails() {
    let places = |room: &Path| (1..4).map(|number| room.join(format!("{number}.png"))).collect::<Vec<_>>();
    at_every_call(
        || room_of([("1.png", "mine")]),
        |room| OutFile::write_new(places(room.path()).into_iter(), b"new"),
        |room, done, fault| {
            // The next writer sweeps a part that could not be removed.
            OutFile::check(&room.path().join("1.png")).expect("all is well again");
            let mut found = texts(room.path());
            assert_eq!(found.remove("1.png").as_deref(), Some("mine"), "{fault:?}");
            let new = found.remove("2.png");
            assert!(new.as_deref() == Some("new") || (done.is_err() && new.is_none()), "{fault:?} {done:?}: {new:?}");
            assert!(found.is_empty(), "{fault:?} left {found:?}");
        },
    );
    let room = room_of([("1.png", ""), ("2.png", "")]);
    symlink("gone", room.path().join("3.png")).expect("linked");
    let error = OutFile::write_new(places(room.path()).into_iter(), b"new").expect_err("all are taken");
    assert_eq!(error.why.kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read_dir(room.path()).expect("there").count(), 3);
}

#[test]
fn what_is_there_is_replaced_by_who_made_it_alone() {
    let room = room_of([("a", "mine")]);
    refuse_replacing(&room.path().join("b"), |_| panic!("there is nothing to ask about")).expect("free");
    refuse_replacing(&room.path().join("a"), |_| true).expect("it is ours");
    let error = refuse_replacing(&room.path().join("a"), |_| false).expect_err("it is not");
    assert_eq!(error.why.kind(), ErrorKind::AlreadyExists);
    symlink("gone", room.path().join("c")).expect("linked");
    refuse_replacing(&room.path().join("c"), |_| false).expect_err("a link is somebody's");
}

#[test]
fn a_set_is_the_old_or_the_new_one_whatever_fails() {
    let mine = ("mine.txt", "mine");
    let old = [("a.csv", "old a"), ("b.csv", "old b"), ("models/x", "old x"), mine];
    let new = [("a.csv", "new a"), ("result.json", "new result"), ("models/x", "new x"), ("skins/y", "new y"), mine];
    at_every_call(
        || room_of(old),
        |room| {
            let mut folder = OutFolder::claim(room.path(), is_ours)?;
            let mut set = folder.stage()?;
            set.subfolder("models")?;
            set.subfolder("skins")?;
            for (name, text) in &new[..4] {
                set.add(name, text.as_bytes())?;
            }
            set.commit()
        },
        |room, done, fault| {
            let read =
                |name| read_from_folder(room.path(), name, 100).ok().map(|b| String::from_utf8(b).expect("text"));
            let (a, result) = (read("a.csv"), read("result.json"));
            assert!(result.is_none() || a.as_deref() == Some("new a"), "{fault:?}: readers see {a:?} and {result:?}");
            assert!(fault != Fault::Full || !room.path().join(".pelagic-part").exists(), "parts can be removed");
            drop(OutFolder::claim(room.path(), is_ours).expect("all is well again"));
            let found = texts(room.path());
            assert!(found == map(&new) || (done.is_err() && found == map(&old)), "{fault:?} {done:?}: {found:?}");
        },
    );
}

#[test]
fn a_folder_is_claimed_by_one_until_it_lets_go() {
    let room = room_of([]);
    let path = room.path().join("new/out");
    let first = OutFolder::claim(&path, is_ours).expect("free");
    let refused = OutFolder::claim(&path, is_ours).expect_err("taken");
    assert_eq!(refused.why.kind(), ErrorKind::ResourceBusy);
    drop(first);
    let second = OutFolder::claim(&path, is_ours).expect("free again");
    assert!(texts(room.path()).is_empty(), "nothing is left in it");
    second.abandon();
    assert!(!path.exists());
}

#[test]
fn what_may_not_be_replaced_is_refused_before_anything_is() {
    let room = room_of([("a.csv", "old"), ("b.csv/x", ""), ("elsewhere/x", "")]);
    let refused = |name: &str| OutFolder::claim(room.path(), is_ours).map(drop).expect_err(name).to_string();
    assert!(refused("a folder").ends_with("b.csv: it is a folder, not a file"));
    fs::remove_dir_all(room.path().join("b.csv")).expect("removed");
    symlink("a.csv", room.path().join("b.csv")).expect("linked");
    assert!(refused("a link").ends_with("b.csv: it is a link"));
    fs::remove_file(room.path().join("b.csv")).expect("removed");
    fs::set_permissions(room.path().join("a.csv"), fs::Permissions::from_mode(0o444)).expect("set");
    assert!(refused("read-only").ends_with("a.csv: it is read-only"));
    fs::remove_file(room.path().join("a.csv")).expect("removed");
    for waiting in [".pelagic-new", ".pelagic-moving"] {
        symlink("elsewhere", room.path().join(waiting)).expect("linked");
        assert!(refused("a link").ends_with(&format!("{waiting}: it is no folder, or a link to one")));
        assert!(room.path().join("elsewhere/x").exists());
        fs::remove_file(room.path().join(waiting)).expect("removed");
    }
    symlink("elsewhere", room.path().join("models")).expect("linked");
    let mut folder = OutFolder::claim(room.path(), is_ours).expect("all is well");
    let error = folder.stage().expect("staged").subfolder("models").expect_err("a link").to_string();
    assert!(error.ends_with("models: it is no folder, or a link to one"), "{error}");
}

#[test]
fn links_are_followed_permissions_kept_and_read_only_files_left_alone() {
    let room = room_of([("real/a.png", "old"), ("b.png", "old")]);
    let path = |name: &str| room.path().join(name);
    symlink("real/a.png", path("link.png")).expect("linked");
    fs::set_permissions(path("real/a.png"), fs::Permissions::from_mode(0o640)).expect("set");
    OutFile::check(&path("link.png")).expect("a link to a file").write(b"new").expect("written");
    assert!(path("link.png").is_symlink());
    assert_eq!(fs::metadata(path("real/a.png")).expect("there").permissions().mode() & 0o777, 0o640);
    let output = OutFile::check(&path("b.png")).expect("writable");
    fs::set_permissions(path("b.png"), fs::Permissions::from_mode(0o444)).expect("set");
    let why = |result: Result<OutFile, StorageError>| result.expect_err("refused").why.to_string();
    assert_eq!(why(OutFile::check(&path("b.png"))), "it is read-only");
    output.write(b"new").expect_err("it is read-only by now");
    symlink("gone", path("c.png")).expect("linked");
    assert_eq!(why(OutFile::check(&path("c.png"))), "it is a link to a file that is not there");
    assert_eq!(why(OutFile::check(&path("real"))), "it is a folder, not a file");
    fs::remove_file(path("c.png")).expect("removed");
    let found = texts(room.path());
    assert_eq!((found["real/a.png"].as_str(), found["b.png"].as_str(), found.len()), ("new", "old", 3));
}

#[test]
fn parts_of_dead_programs_go_and_those_of_living_ones_stay() {
    let room = room_of([(".a.png.7.part", ""), (".a.png.8.part", ""), (".a.png.x.part", ""), (".b.png.7.part", "")]);
    let living = fs::File::open(room.path().join(".a.png.8.part")).expect("there");
    living.lock().expect("locked");
    let output = OutFile::check(&room.path().join("a.png")).expect("writable");
    // One of this process, whose removal failed.
    fs::write(room.path().join(format!(".a.png.{}.part", std::process::id())), "").expect("written");
    output.write(b"new").expect("nothing is in the way");
    let left: Vec<String> = texts(room.path()).into_keys().collect();
    assert_eq!(left, [".a.png.8.part", ".a.png.x.part", ".b.png.7.part", "a.png"]);
}

#[test]
fn a_file_where_a_folder_should_be_is_named() {
    let room = tempfile::tempdir().expect("a folder");
    std::fs::write(room.path().join("out"), "").expect("written");
    for path in ["out/a.csv", "out/deep/a.csv"] {
        let why = OutFile::check(&room.path().join(path)).expect_err("no folder").why.to_string();
        assert!(why.ends_with("out is a file, not a folder"), "{why}");
    }
}
