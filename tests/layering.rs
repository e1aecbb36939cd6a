//! Who may know whom: the arrows between the rooms of `src/`, the words some rooms never say, and where `unsafe` may be.
//!
//! A new arrow is one more name in [`ARROWS`]; it goes in with its reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room, and the rooms its code may name as `crate::room`.
const ARROWS: &[(&str, &[&str])] = &[
    ("ocean", &[]),
    ("gl", &[]),
    ("model", &[]),
    ("animation", &["model"]),
    ("life", &["ocean", "animation", "model"]),
    ("scene", &["life", "ocean", "animation", "model"]),
    ("render", &["gl", "scene", "model", "ocean"]),
    ("config", &["scene", "life", "ocean", "model", "render"]),
    // The window records benchmarks.
    ("app", &["scene", "render", "gl", "config", "bench", "model", "animation"]),
    ("bench", &["scene", "render", "gl", "config"]),
    ("cli", &["app", "bench", "config", "model", "animation", "life", "scene", "render", "gl", "ocean"]),
];

/// Rooms that never name OpenGL, a window or the clock.
const PURE: &[&str] = &["model", "animation", "ocean", "life", "scene"];

/// Crates that a pure room never names.
const IMPURE_CRATES: &[&str] = &["glow", "winit", "glutin", "glutin_winit", "egui", "egui_winit", "egui_glow"];

/// Clocks that a pure room never reads.
const CLOCKS: &[&str] = &["Instant", "SystemTime"];

/// Where `unsafe` may be, as beginnings of paths under `src/`.
const UNSAFE_ALLOWED: &[&str] = &["gl/", "app/context.rs", "app/context/"];

#[test]
fn every_room_keeps_to_its_arrows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    assert!(files.len() >= ARROWS.len(), "only {} source files found under {}", files.len(), root.display());
    let problems: Vec<String> = files
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(file).expect("a source file is readable");
            let path = file.strip_prefix(&root).expect("found under the root").to_string_lossy().replace('\\', "/");
            check(&path, &text)
        })
        .collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn every_room_has_a_row() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rooms: BTreeSet<String> = fs::read_dir(root)
        .expect("src is readable")
        .map(|entry| entry.expect("an entry of src").path())
        .filter(|path| path.is_dir())
        .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .collect();
    let rows: BTreeSet<String> = ARROWS.iter().map(|(room, _)| (*room).to_owned()).collect();
    assert_eq!(rooms, rows, "folders of src on the left, rows of ARROWS on the right");
}

#[test]
fn planted_violations_are_found() {
    let found = |path: &str, text: &str| check(path, text).len();
    assert_eq!(found("model/load.rs", "use crate::animation::Pose;"), 1, "a plain import");
    assert_eq!(found("scene/world.rs", "use crate::{life::School, render::Renderer, gl};"), 2, "a grouped import");
    assert_eq!(found("ocean/mod.rs", "fn f() { crate::scene::World::new(); }"), 1, "a path in an expression");
    assert_eq!(found("life/school.rs", "use std::time::{Duration, Instant};"), 1, "a clock");
    assert_eq!(found("model/mod.rs", "fn f(gl: &glow::Context) {}"), 1, "OpenGL");
    assert_eq!(found("scene/world.rs", "unsafe { f() }"), 1, "unsafe outside its places");
}

#[test]
fn lawful_code_is_left_alone() {
    let found = |path: &str, text: &str| check(path, text);
    assert_eq!(
        found("scene/world.rs", "use crate::{life::School, model::{Model, Vertex}, scene::StaticScene};"),
        [""; 0]
    );
    assert_eq!(
        found("model/load.rs", "//! See crate::scene.\n/* crate::gl */ let s = \"crate::gl, unsafe\";"),
        [""; 0]
    );
    assert_eq!(found("life/jelly.rs", "let glow = 0.5; let q = '\"'; let instant = glow;"), [""; 0]);
    assert_eq!(found("gl/buffer.rs", "unsafe { f() }"), [""; 0]);
    assert_eq!(found("app/context/egl.rs", "unsafe { f() }"), [""; 0]);
    assert_eq!(found("lib.rs", "pub mod gl;"), [""; 0]);
}

/// All offences in one file, `path` under `src/`.
fn check(path: &str, text: &str) -> Vec<String> {
    let words = words(text);
    let mut problems = Vec::new();
    let mut report = |line: usize, what: String| problems.push(format!("src/{path}:{line}: {what}"));

    for word in words.iter().filter(|w| w.text == "unsafe") {
        if !UNSAFE_ALLOWED.iter().any(|place| path.starts_with(place)) {
            report(word.line, format!("`unsafe` is only for {}", UNSAFE_ALLOWED.join(", ")));
        }
    }
    let Some((room, _)) = path.split_once('/') else { return problems };
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else { return problems };
    for (line, target) in crate_paths(&words) {
        let is_room = ARROWS.iter().any(|(name, _)| *name == target);
        if is_room && target != room && !allowed.contains(&target) {
            report(line, format!("`{room}` may not use `crate::{target}`, only {allowed:?}"));
        }
    }
    if PURE.contains(&room) {
        for (i, word) in words.iter().enumerate() {
            // Two colons: one alone makes a field of that name.
            let next_is_path = words.iter().skip(i + 1).take(2).filter(|w| w.text == ":").count() == 2;
            let imported = i > 0 && words[i - 1].text == "use";
            if (IMPURE_CRATES.contains(&word.text) && (next_is_path || imported)) || CLOCKS.contains(&word.text) {
                report(word.line, format!("`{room}` never names `{}`", word.text));
            }
        }
    }
    problems
}

/// The first names after each `crate::`, groups opened.
fn crate_paths<'a>(words: &[Word<'a>]) -> Vec<(usize, &'a str)> {
    let text = |i: usize| words.get(i).map_or("", |w| w.text);
    let mut found = Vec::new();
    for i in (0..words.len()).filter(|&i| text(i) == "crate" && text(i + 1) == ":" && text(i + 2) == ":") {
        if text(i + 3) != "{" {
            found.extend(words.get(i + 3).map(|w| (w.line, w.text)));
            continue;
        }
        let mut depth = 0;
        for j in i + 3..words.len() {
            match text(j) {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if depth == 1 && matches!(text(j), "{" | ",") {
                found.extend(words.get(j + 1).map(|w| (w.line, w.text)));
            }
        }
    }
    found
}

/// An identifier or a punctuation character.
struct Word<'a> {
    text: &'a str,
    line: usize,
}

/// The code of a file, without comments and without what stands in strings and characters.
fn words(text: &str) -> Vec<Word<'_>> {
    let bytes = text.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let (mut words, mut i, mut line) = (Vec::new(), 0, 1);
    while i < bytes.len() {
        let start = i;
        match bytes[i] {
            b'/' if bytes.get(i + 1) == Some(&b'/') => i = find(text, i, "\n"),
            b'/' if bytes.get(i + 1) == Some(&b'*') => i = find(text, i + 2, "*/") + 2,
            b'r' if matches!(bytes.get(i + 1), Some(b'"' | b'#')) && (i == 0 || !is_word(bytes[i - 1])) => {
                let hashes = bytes[i + 1..].iter().take_while(|&&b| b == b'#').count();
                if bytes.get(i + 1 + hashes) == Some(&b'"') {
                    let end = format!("\"{}", "#".repeat(hashes));
                    i = find(text, i + 2 + hashes, &end) + end.len();
                } else {
                    i += 1 + hashes;
                }
            }
            b'"' => {
                i += 1;
                while i < bytes.len() && bytes[i] != b'"' {
                    i += 1 + usize::from(bytes[i] == b'\\');
                }
                i += 1;
            }
            b'\'' if bytes.get(i + 1) == Some(&b'\\') => i = find(text, i + 3, "'") + 1,
            b'\'' if bytes.get(i + 2) == Some(&b'\'') => i += 3,
            b if is_word(b) => {
                i += bytes[i..].iter().take_while(|&&b| is_word(b)).count();
                words.push(Word { text: &text[start..i], line });
            }
            b if b.is_ascii_whitespace() => i += 1,
            _ => {
                i += 1;
                words.push(Word { text: &text[start..i], line });
            }
        }
        i = i.min(bytes.len());
        line += bytes[start..i].iter().filter(|&&b| b == b'\n').count();
    }
    words
}

/// Where `what` begins at or after `from`, or the end.
fn find(text: &str, from: usize, what: &str) -> usize {
    text.as_bytes()
        .get(from..)
        .and_then(|rest| rest.windows(what.len()).position(|w| w == what.as_bytes()))
        .map_or(text.len(), |at| from + at)
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of src is readable") {
        let path = entry.expect("an entry of src").path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
    into.sort();
}
