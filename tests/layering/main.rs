//! Who may know whom: the arrows between the modules of `src/`, what some of them never name, where `unsafe` may be, and
//! that no files import each other in a circle.
//!
//! A new arrow is one more name in [`ARROWS`]; it goes in with its reason.

mod circles;
mod paths;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use circles::circles;
use paths::paths;
use words::{Word, without_tests, words};

/// Each module, and the modules its code may name as `crate::module`.
const ARROWS: &[(&str, &[&str])] = &[
    ("ocean", &[]),
    ("gl", &[]),
    ("storage", &[]),
    ("model", &[]),
    ("animation", &["model"]),
    ("sheet", &["model", "animation"]),
    ("life", &["ocean"]),
    ("view", &["ocean", "model", "animation"]),
    ("scene", &["view", "life", "ocean", "model"]),
    ("render", &["gl", "view", "model", "ocean"]),
    ("config", &["scene", "life", "ocean", "model", "render", "storage"]),
    // The window records benchmarks.
    // What the overlay tells of an animal, and what is said of species without a home, are life's.
    // The panel shows each type of water in its own light.
    ("app", &["view", "scene", "life", "ocean", "render", "gl", "config", "bench", "model", "animation", "storage"]),
    ("bench", &["view", "scene", "render", "gl", "config", "storage"]),
    // The demo on a canvas: its screen, its keys, its files and what is asked of it, and the floats it needs of WebGL.
    ("web", &["app", "config", "gl", "render", "scene", "storage", "view"]),
    ("cli", &["app", "bench", "config", "model", "animation", "ocean", "sheet", "render", "storage"]),
];

/// What code may not name: beginnings of paths, and what they may not say outside tests.
const BANS: &[(&[&str], &[&str])] = &[
    (PURE, &["winit", "glutin", "glutin_winit", "egui", "egui_winit", "egui_glow"]),
    // Same seed, same frame; files come in through `model::Files`; and a browser has none of these.
    (PURE, &["Instant", "SystemTime", "std::thread", "rayon", "std::env"]),
    // The clock, and shaders from a folder, come from outside.
    (&["src/render/"], &["Instant", "SystemTime"]),
];

/// Macros that panic where nobody reads what they print: `app::stderr` and `cli::print` do not.
const PRINTING: [&str; 4] = ["print!", "println!", "eprint!", "eprintln!"];

/// What has `indicatif` draw in a thread of its own, also while frames are measured.
const TICKER: &str = "enable_steady_tick";

/// What knows neither OpenGL nor a window, nor anything else of the system.
const PURE: &[&str] = &[
    "src/model/",
    "src/animation/",
    "src/sheet/",
    "src/ocean/",
    "src/life/",
    "src/view/",
    "src/scene/",
    "crates/assets/",
    "crates/forge/",
    "crates/math/",
    "crates/mdl/",
    "crates/ms3d/",
    "crates/suggest/",
];

/// Who names the system's files: `storage`, what reads of the machine in `/proc` and `/sys`, and a debug build's assets.
const FILE_PLACES: &[&str] =
    &["src/storage/", "src/bench/host.rs", "src/bench/sensors.rs", "crates/assets/src/on_disk.rs"];

/// Where `unsafe` may be, and OpenGL's own names.
const GL_PLACES: &[&str] = &["src/gl/", "src/app/context.rs", "src/app/context/", "src/web/context.rs"];

#[test]
fn every_file_keeps_to_the_rules() {
    let sources = sources();
    assert!(sources.len() > 100, "only {} source files found", sources.len());
    let problems: Vec<String> = sources.iter().flat_map(|(path, text)| check(path, text)).collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn every_room_has_a_row_and_every_arrow_is_used() {
    let sources = sources();
    let mut used: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in &sources {
        if let Some(module) = module(path) {
            let targets =
                targets(&words(text)).into_iter().map(|(target, _)| target).filter(|target| *target != module);
            used.entry(module).or_default().extend(targets.filter_map(|target| row(target).map(|(name, _)| *name)));
        }
    }
    let permitted: BTreeMap<&str, BTreeSet<&str>> =
        ARROWS.iter().map(|(module, targets)| (*module, targets.iter().copied().collect())).collect();
    assert_eq!(used, permitted, "arrows in use on the left, rows of ARROWS on the right");
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let sources = sources();
    let mut crates: BTreeMap<&str, Vec<(String, Vec<Word<'_>>)>> = BTreeMap::new();
    for (path, text) in sources.iter().filter(|(path, _)| !is_test(path)) {
        let (root, path) = path.split_at(path.find("src/").expect("it is under src") + "src/".len());
        crates.entry(root).or_default().push((path.to_owned(), without_tests(&words(text))));
    }
    let found: Vec<String> = crates
        .iter()
        .flat_map(|(root, files)| {
            circles(files).into_iter().map(move |circle| format!("{root}: {}", circle.join(", ")))
        })
        .collect();
    assert!(found.is_empty(), "circles of imports:\n{}\n", found.join("\n"));
}

#[test]
fn planted_violations_are_found() {
    let found = |path: &str, text: &str| check(path, text).len();
    assert_eq!(found("src/model/load.rs", "use crate::animation::Pose;"), 1, "a plain import");
    assert_eq!(found("src/scene/world.rs", "use crate::{life::School, render::Renderer, gl};"), 2, "a grouped import");
    assert_eq!(found("src/ocean/mod.rs", "fn f() { crate::scene::World::new(); }"), 1, "a path in an expression");
    assert_eq!(found("src/life/school.rs", "use std::time::{Duration, Instant};"), 1, "a clock");
    assert_eq!(found("src/render/frame.rs", "use std::{fs, time};\nfn f() { time::Instant::now(); }"), 2);
    assert_eq!(found("src/app/keys.rs", "use std::{fs::File, os::unix::fs::symlink};"), 2, "files");
    assert_eq!(found("crates/forge/src/lib.rs", "fn f() { std::thread::spawn(g); }"), 1, "a thread");
    assert_eq!(found("src/life/shoal.rs", "fn f() { rayon::join(g, h); }"), 1, "many threads");
    assert_eq!(found("src/render/mod.rs", "fn f(gl: &glow::Context) {}"), 1, "OpenGL");
    assert_eq!(found("src/scene/world.rs", "unsafe { f() }"), 1, "unsafe outside its places");
    assert_eq!(found("src/cli/progress.rs", "fn f() { bar.enable_steady_tick(often); }"), 1, "a thread that draws");
    assert_eq!(found("src/cli/shot.rs", "fn f() { eprintln!(\"done\"); }"), 1, "a message that may panic");
}

#[test]
fn lawful_code_is_left_alone() {
    let found = |path: &str, text: &str| check(path, text);
    let imports = "use crate::{life::School, model::{Model, Vertex}, scene::StaticScene};";
    assert_eq!(found("src/scene/world.rs", imports), [""; 0]);
    let quoted = "//! See crate::scene.\n/* crate::gl */ let s = \"crate::gl, unsafe\";";
    assert_eq!(found("src/model/load.rs", quoted), [""; 0]);
    assert_eq!(found("src/life/jelly.rs", "let glow = 0.5; let q = '\"'; let instant = glow;"), [""; 0]);
    assert_eq!(found("src/life/jelly.rs", "fn f() {}\n#[cfg(test)]\nmod tests { use std::fs; }"), [""; 0]);
    assert_eq!(found("crates/forge/src/tests.rs", "use std::fs;"), [""; 0]);
    assert_eq!(found("src/gl/buffer.rs", "use glow::HasContext; unsafe { f() }"), [""; 0]);
    assert_eq!(found("src/app/context/egl.rs", "unsafe { f() }"), [""; 0]);
    assert_eq!(found("src/lib.rs", "pub mod gl;"), [""; 0]);
    assert_eq!(found("src/storage/read.rs", "use std::fs::File;"), [""; 0]);
}

#[test]
fn planted_circles_are_found() {
    let circles_of = |files: &[(&str, &'static str)]| {
        circles(&files.iter().map(|(path, text)| ((*path).to_owned(), words(text))).collect::<Vec<_>>())
    };
    let plain = circles_of(&[("a.rs", "use crate::b::B;"), ("b.rs", "fn f() { super::a::f(); }"), ("c.rs", "")]);
    assert_eq!(plain, [["a.rs", "b.rs"]]);
    let through_a_parent = circles_of(&[
        ("module/mod.rs", "mod a; mod b; pub use a::A; pub use b::*;"),
        ("module/a.rs", "use crate::module::B; pub struct A;"),
        ("module/b.rs", "use super::{A, C}; pub struct B;"),
    ]);
    assert_eq!(through_a_parent, [["module/a.rs", "module/b.rs"]]);
    let parents_alone = circles_of(&[
        ("module/mod.rs", "mod a; use a::A; pub struct Outer;"),
        ("module/a.rs", "use crate::module::Outer; pub struct A;"),
    ]);
    assert_eq!(parents_alone, [[""; 0]; 0]);
}

/// All offences in one file, by its path from the repository's root.
fn check(path: &str, text: &str) -> Vec<String> {
    let words = words(text);
    let is_in = |places: &[&str]| places.iter().any(|place| path.starts_with(place));
    let mut problems = Vec::new();
    let mut report = |line: usize, what: String| problems.push(format!("{path}:{line}: {what}"));

    let named = paths(&words);
    let unsafe_lines = words.iter().filter(|word| word.text == "unsafe").map(|word| (word.line, "unsafe"));
    let glow_lines = named.iter().filter(|path| path.parts[0] == "glow").map(|path| (path.line, "glow"));
    for (line, what) in unsafe_lines.chain(glow_lines).filter(|_| !is_in(GL_PLACES)) {
        report(line, format!("`{what}` is only for {}", GL_PLACES.join(", ")));
    }
    if let Some((module, allowed)) = module(path).and_then(row) {
        for (target, line) in targets(&words) {
            if target != *module && row(target).is_some() && !allowed.contains(&target) {
                report(line, format!("`{module}` may not use `crate::{target}`, only {allowed:?}"));
            }
        }
    }
    if !is_test(path) {
        for word in without_tests(&words).into_iter().filter(|word| word.text == TICKER) {
            report(word.line, format!("`{TICKER}` draws while frames are measured"));
        }
        for pair in without_tests(&words).windows(2) {
            let called = [pair[0].text, pair[1].text].concat();
            if PRINTING.contains(&called.as_str()) {
                report(pair[0].line, format!("`{called}` panics where nobody reads it"));
            }
        }
        for named in paths(&without_tests(&words)) {
            let says = |name: &str| {
                let parts: Vec<&str> = name.split("::").collect();
                named.parts.windows(parts.len()).any(|window| window == parts)
            };
            let banned = BANS.iter().filter(|(places, _)| is_in(places)).flat_map(|(_, names)| *names);
            let files = ["std::fs", "std::os::unix::fs"];
            let banned = banned.copied().chain(files.into_iter().filter(|_| !is_in(FILE_PLACES)));
            for name in banned.filter(|name| says(name)) {
                report(named.line, format!("`{name}` is not named here"));
            }
        }
    }
    problems
}

/// The module that a file of `src/` belongs to.
fn module(path: &str) -> Option<&str> {
    Some(path.strip_prefix("src/")?.split_once('/')?.0)
}

fn row(module: &str) -> Option<&'static (&'static str, &'static [&'static str])> {
    ARROWS.iter().find(|(name, _)| *name == module)
}

/// The first names after each `crate::`.
fn targets<'a>(words: &[Word<'a>]) -> Vec<(&'a str, usize)> {
    let paths = paths(words).into_iter().filter(|path| path.parts[0] == "crate");
    paths.filter_map(|path| Some((*path.parts.get(1)?, path.line))).collect()
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// Path from the repository's root and text of every file under `src` and `crates/*/src`.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).expect("crates is readable");
    let mut folders: Vec<_> = crates.map(|entry| entry.expect("an entry of crates").path().join("src")).collect();
    folders.push(root.join("src"));
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources is readable") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(root).expect("found under the root").to_string_lossy().replace('\\', "/");
                files.push((name, fs::read_to_string(&path).expect("a source file is readable")));
            }
        }
    }
    files.sort();
    files
}
