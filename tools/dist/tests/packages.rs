//! Packages of a stand-in for the program, read back by readers that did not write them.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use dist::{Entry, Part, Program, Release, pack};
use lzma_rust2::XzReader;

/// A program that asks for two versions of glibc.
const STAND_IN: &[u8] = b"#!/bin/sh\necho swims\nexit\n\0GLIBC_2.17\0GLIBC_2.34\0GLIBC_2.4\0";

fn packed(out: &Path, url: Option<&str>) -> Vec<PathBuf> {
    let program = || Program(STAND_IN.to_vec());
    let page = |path: &str| Entry { path: path.into(), bytes: b"<p>".repeat(1000), is_program: false };
    let parts = [
        Part::Linux(program()),
        Part::Windows(program()),
        Part::Web(vec![page("index.html"), page("page-1/pelagic.js")]),
    ];
    let release = Release { version: "1.2.3".into(), time_s: 1_764_400_000, url: url.map(str::to_owned) };
    pack(&parts, &release, out).expect("packed")
}

/// Mode and content of each file in a tar archive.
fn files(tar_xz: &[u8]) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut tar = tar::Archive::new(XzReader::new(tar_xz, true));
    let entries = tar.entries().unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.header().entry_type().is_file());
    let read = files.map(|mut entry| {
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        assert_eq!((entry.header().uid().unwrap(), entry.header().mtime().unwrap()), (0, 1_764_400_000));
        (entry.path().unwrap().to_string_lossy().into_owned(), (entry.header().mode().unwrap(), bytes))
    });
    read.collect()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Output of a checker that the machine may have; `None` if it has not.
fn checked(program: &str, arguments: &[&str], path: &Path) -> Option<(bool, String)> {
    let told = Command::new(program).args(arguments).arg(path).env("LC_ALL", "C").output().ok()?;
    let said = [told.stdout, told.stderr].concat();
    Some((told.status.success(), String::from_utf8_lossy(&said).into_owned()))
}

#[test]
fn an_archive_holds_the_program_and_all_that_a_desktop_shows() {
    let folder = tempfile::tempdir().unwrap();
    packed(folder.path(), Some("https://example.org/pelagic"));
    let files = files(&fs::read(folder.path().join("pelagic-1.2.3-linux-x86_64.tar.xz")).unwrap());
    let file =
        |path: &str| files.get(&format!("pelagic-1.2.3-linux-x86_64/{path}")).unwrap_or_else(|| panic!("no {path}"));
    assert_eq!(file("pelagic"), &(0o755, STAND_IN.to_vec()));
    assert!(files.values().filter(|(mode, _)| *mode != 0o644).count() == 1, "one can be run");
    let desktop = text(&file("share/applications/org.pelagic.Pelagic.desktop").1);
    assert!(desktop.contains("\nIcon=org.pelagic.Pelagic\n") && desktop.contains("[zh_CN]"), "{desktop}");
    let metainfo = text(&file("share/metainfo/org.pelagic.Pelagic.metainfo.xml").1);
    assert!(metainfo.contains("<release version=\"1.2.3\" date=\"2025-11-29\"/>") && metainfo.contains("<image"));
    assert!(!metainfo.contains('@') && !desktop.contains('@'), "all is filled in");
    for side in [48_u32, 64, 128, 256] {
        let icon = &file(&format!("share/icons/hicolor/{side}x{side}/apps/org.pelagic.Pelagic.png")).1;
        let size = [16, 20].map(|at| u32::from_be_bytes(icon[at..at + 4].try_into().unwrap()));
        assert!(icon.starts_with(b"\x89PNG") && size == [side; 2], "{size:?}");
    }
    for page in ["pelagic", "pelagic-shot", "pelagic-model-convert", "pelagic-completions"] {
        let page = text(&file(&format!("share/man/man1/{page}.1")).1);
        assert!(page.contains(".SH NAME") && page.contains("Pelagic 1.2.3"), "{page}");
    }
    for (path, sign) in [
        ("bash-completion/completions/pelagic", "complete -F"),
        ("zsh/vendor-completions/_pelagic", "#compdef pelagic"),
        ("fish/vendor_completions.d/pelagic.fish", "complete -c pelagic"),
    ] {
        let script = text(&file(&format!("share/{path}")).1);
        assert!(script.contains(sign) && script.contains("headless"), "{path}");
    }
    let notices = text(&file("NOTICES.txt").1);
    for part in ["winit 0.30", "Permission is hereby granted", "SIL OPEN FONT LICENSE", "UBUNTU FONT LICENCE"] {
        assert!(notices.contains(part), "no {part}");
    }
}

#[test]
fn every_crate_is_listed_with_its_licence_and_its_checksum() {
    let folder = tempfile::tempdir().unwrap();
    packed(folder.path(), None);
    let list = fs::read(folder.path().join("pelagic-1.2.3-linux-x86_64.cdx.json")).unwrap();
    let list: serde_json::Value = serde_json::from_slice(&list).unwrap();
    assert_eq!((&list["bomFormat"], &list["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    let crates = list["components"].as_array().unwrap();
    assert!(crates.len() > 150, "{}", crates.len());
    for one in crates {
        assert!(one["licenses"][0]["expression"].as_str().is_some_and(|licence| !licence.contains('/')), "{one}");
        assert_eq!(one["hashes"][0]["content"].as_str().map(str::len), Some(64), "{one}");
    }
    let named = |name: &str| crates.iter().any(|one| one["name"] == name);
    assert!(named("glow") && named("winit") && !named("pelagic-ms3d"));
    assert!(!named("criterion") && !named("webp-rust"), "neither tests' nor the build's");
    assert!(named("x11-dl") && !named("windows-sys") && !named("wasm-bindgen"), "this system's alone");
    for (system, own) in [("windows-x86_64", "windows-sys"), ("web", "wasm-bindgen")] {
        let list = fs::read_to_string(folder.path().join(format!("pelagic-1.2.3-{system}.cdx.json"))).unwrap();
        assert!(list.contains(&format!("\"{own}\"")) && !list.contains("\"x11-dl\""), "{system}");
    }
}

#[test]
fn equal_input_gives_equal_bytes_and_the_sums_are_theirs() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (first, second) = (packed(one.path(), None), packed(other.path(), None));
    assert_eq!(first.len(), 9);
    for (a, b) in first.iter().zip(&second) {
        assert!(fs::read(a).unwrap() == fs::read(b).unwrap(), "{}", a.display());
    }
    if let Some((good, said)) = Command::new("sha256sum")
        .args(["--check", "SHA256SUMS"])
        .current_dir(one.path())
        .output()
        .ok()
        .map(|told| (told.status.success(), String::from_utf8_lossy(&told.stdout).into_owned()))
    {
        assert!(good && said.lines().count() == 8, "{said}");
    }
}

/// A start of the file that unpacks itself: whether it ended well, and what it said.
fn started(file: &Path, cache: &Path, temporary: &Path) -> (bool, String) {
    let mut start = Command::new("sh");
    start.arg(file).env("XDG_CACHE_HOME", cache).env("TMPDIR", temporary);
    let told = start.output().unwrap();
    (told.status.success(), String::from_utf8_lossy(&[told.stdout, told.stderr].concat()).into_owned())
}

#[test]
fn a_file_unpacks_itself_once_wherever_it_can_and_starts() {
    let folder = tempfile::tempdir().unwrap();
    packed(folder.path(), None);
    let (file, nowhere) = (folder.path().join("pelagic-1.2.3-linux-x86_64.run"), Path::new("/dev/null/nowhere"));
    let (cache, temporary) = (folder.path().join("a cache"), folder.path().join("temporary"));
    for _ in 0..2 {
        assert_eq!(started(&file, &cache, nowhere), (true, "swims\n".into()));
    }
    let unpacked = fs::read_dir(cache.join("pelagic/app")).unwrap();
    assert_eq!(unpacked.count(), 1, "and nothing half done");
    assert_eq!(started(&file, nowhere, &temporary), (true, "swims\n".into()));
    let (good, said) = started(&file, nowhere, nowhere);
    assert!(!good && said.contains("set XDG_CACHE_HOME"), "{said}");

    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let other = folder.path().join("other");
    let (good, said) = started(&file, &other, nowhere);
    assert!(!good && said.contains("damaged"), "{said}");
    assert_eq!(fs::read_dir(other.join("pelagic/app")).unwrap().count(), 0);
}

#[test]
fn a_c_library_that_is_too_old_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let old = b"#!/bin/sh\necho \"libc.so.6: version GLIBC_2.35 not found (required by pelagic)\" >&2\nexit 1\n";
    let release = Release { version: "1.2.3".into(), time_s: 1_764_400_000, url: None };
    pack(&[Part::Linux(Program(old.to_vec()))], &release, folder.path()).expect("packed");
    let file = folder.path().join("pelagic-1.2.3-linux-x86_64.run");
    let (good, said) = started(&file, &folder.path().join("cache"), Path::new("/dev/null/nowhere"));
    assert!(!good && said.contains("C library is older"), "{said}");
}

#[test]
fn archives_for_windows_and_browsers_are_read_by_others() {
    let folder = tempfile::tempdir().unwrap();
    packed(folder.path(), None);
    for (system, file) in [("windows-x86_64", "pelagic.exe"), ("web", "page-1/pelagic.js")] {
        let name = format!("pelagic-1.2.3-{system}");
        let path = folder.path().join(format!("{name}.zip"));
        let mut zip = zip::ZipArchive::new(fs::File::open(&path).unwrap()).unwrap();
        for part in [file, "README.md", "LICENSE-MIT", "NOTICES.txt"] {
            assert!(zip.by_name(&format!("{name}/{part}")).is_ok(), "no {part}");
        }
        for (reader, arguments) in [("unzip", &["-tq"][..]), ("python3", &["-m", "zipfile", "-t"])] {
            if let Some((good, said)) = checked(reader, arguments, &path) {
                assert!(good, "{reader}: {said}");
            }
        }
    }
}

#[test]
fn a_debian_package_names_what_it_needs_and_is_read_by_dpkg() {
    let folder = tempfile::tempdir().unwrap();
    packed(folder.path(), None);
    let path = folder.path().join("pelagic_1.2.3_amd64.deb");
    let mut archive = ar::Archive::new(fs::File::open(&path).unwrap());
    let mut members = Vec::new();
    while let Some(member) = archive.next_entry() {
        let mut member = member.unwrap();
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        members.push((String::from_utf8(member.header().identifier().to_vec()).unwrap(), bytes));
    }
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["debian-binary", "control.tar.xz", "data.tar.xz"]);
    let control = files(&members[1].1);
    let control = text(&control["control"].1);
    assert!(control.contains("\nVersion: 1.2.3\nArchitecture: amd64\n") && !control.contains("Homepage"), "{control}");
    assert!(
        control.contains("Depends: libc6 (>= 2.34), libegl1, ") && control.contains("libwayland-egl1"),
        "{control}"
    );
    let data = files(&members[2].1);
    assert_eq!(data["usr/bin/pelagic"].0, 0o755);
    for path in
        ["man/man1/pelagic.1.gz", "doc/pelagic/copyright", "doc/pelagic/NOTICES.txt", "doc/pelagic/changelog.gz"]
    {
        assert!(data.contains_key(&format!("usr/share/{path}")), "no {path}");
    }
    if let Some((good, said)) = checked("dpkg-deb", &["--contents"], &path) {
        assert!(good && said.contains("-rwxr-xr-x root/root"), "{said}");
    }
}

#[test]
fn desktops_accept_the_entry_and_the_metainfo() {
    for url in [None, Some("https://example.org/pelagic")] {
        let folder = tempfile::tempdir().unwrap();
        packed(folder.path(), url);
        let files = files(&fs::read(folder.path().join("pelagic-1.2.3-linux-x86_64.tar.xz")).unwrap());
        let shown = files.iter().filter(|(path, _)| path.ends_with(".desktop") || path.ends_with(".xml"));
        for (path, (_, bytes)) in shown {
            let file = folder.path().join(path.rsplit('/').next().unwrap());
            fs::write(&file, bytes).unwrap();
            let said = match path.ends_with(".xml") {
                true => checked("appstreamcli", &["validate", "--no-net"], &file),
                false => checked("desktop-file-validate", &[], &file),
            };
            assert!(said.as_ref().is_none_or(|(good, _)| *good), "{path}: {said:?}");
        }
    }
}
