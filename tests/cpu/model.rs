//! Answers of `pelagic model` about files, good and bad.

use std::collections::BTreeMap;
use std::path::PathBuf;

use glam::{Vec2, Vec3};
use pelagic::config::BUILTIN_CARDS;
use pelagic::model::{Lod, ModelRequest};
use pelagic::runtime::files::load_model;

fn a_sheet_shows_another_shape_as_far_as_it_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let sheet = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_pelagic"));
        command.args(["-q", "model", "sheet", "builtin:puffer", "--out"]).arg(&out).args(more);
        (command.assert(), out)
    };
    // Rows of the picture in which something is drawn but letters.
    let height = |name: &str, more: &[&str]| {
        let (done, out) = sheet(name, more);
        done.success();
        let picture = image::open(out).expect("a picture").to_rgb8();
        let ground = *picture.get_pixel(0, picture.height() - 1);
        (50..picture.height()).filter(|&y| (0..288).any(|x| *picture.get_pixel(x, y) != ground)).count()
    };
    let shape = ["--morph", "puffed=builtin:puffer_puffed"];
    let [slim, swollen] =
        [height("slim.png", &shape), height("swollen.png", &[&shape[..], &["--weight", "puffed=1"]].concat())];
    assert!(swollen as f64 > 1.3 * slim as f64, "{swollen} rows for {slim}");
    let said =
        |more: &[&str]| String::from_utf8_lossy(&sheet("none.png", more).0.code(2).get_output().stderr).into_owned();
    assert!(said(&["--weight", "puffed=1"]).contains("it has no morph 'puffed'; it has none at all"));
    assert!(said(&["--weight", "puffed=7"]).contains("it is MORPH=SHARE"));
}

/// The files that `ms3d` is tested with.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("crates/ms3d/tests/data")
}

fn check_fails_exactly_on_bad_files_and_strictly_on_odd_ones() {
    let run = |file: &str, strict: bool| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_pelagic"));
        command.args(["model", "check"]).arg(folder().join(file)).args(strict.then_some("--strict"));
        command.assert()
    };
    for (file, plain, strict) in [
        // As a file it is fine; its texture is not there.
        ("full_ex3.ms3d", 0, 1),
        ("odd_mesh.ms3d", 0, 1),
        ("trailing.ms3d", 0, 1),
        ("x_magic.ms3d", 1, 1),
        ("x_parent_cycle.ms3d", 1, 1),
    ] {
        run(file, false).code(plain);
        run(file, true).code(strict);
    }
    let missing = run("not_there.ms3d", false).code(1);
    assert!(String::from_utf8_lossy(&missing.get_output().stderr).ends_with("not_there.ms3d: there is no such file\n"));
    let directory = run("", false).code(1);
    assert!(String::from_utf8_lossy(&directory.get_output().stderr).contains("it is a folder, not a file"));
}

fn check_says_what_loading_would_and_every_model_of_the_program_is_strictly_fine() {
    let own = tempfile::tempdir().expect("a folder");
    let write = |name: &str| {
        let path = own.path().join(name);
        std::fs::write(&path, assets::read(name).expect("it is there")).expect("written");
        path
    };
    let files: Vec<PathBuf> = assets::names().filter(|name| !name.ends_with(".otf")).map(write).collect();
    let files: Vec<PathBuf> = files.into_iter().filter(|path| path.extension().is_some_and(|e| e == "ms3d")).collect();
    assert!(files.len() > 20);
    let sardine = own.path().join("sardine.ms3d");
    for file in &files {
        let loaded = load_model(&ModelRequest::new(file.to_str().expect("UTF-8"))).expect("it loads");
        assert_eq!(loaded.warnings, [], "{}", file.display());
    }
    let check = |file: &PathBuf, arguments: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_pelagic"));
        command.args(["model", "check"]).arg(file).args(arguments).assert()
    };
    check(&sardine, &["--strict"]).code(0);
    // The same file where its texture is not.
    let folder = tempfile::tempdir().expect("a folder");
    let alone = folder.path().join("alone.ms3d");
    std::fs::copy(&sardine, &alone).expect("copied");
    let odd = check(&alone, &[]).code(0);
    let said = String::from_utf8_lossy(&odd.get_output().stdout).into_owned();
    assert!(said.contains("warning: texture 'sardine.png' is not found beside the model"), "{said}");
    check(&alone, &["--strict"]).code(1);
    let json = check(&alone, &["--strict", "--json"]).code(1);
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).expect("JSON");
    assert_eq!((&json["verdict"], &json["warnings"]), (&"warnings".into(), &1.into()));
    assert_eq!(json["problems"][0]["kind"], "material");
}

fn info_tells_counts_sections_and_problems_as_json() {
    let info = |file: &str| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_pelagic"));
        let output = command.args(["model", "info", "--json"]).arg(folder().join(file)).assert().success();
        serde_json::from_slice::<serde_json::Value>(&output.get_output().stdout).expect("JSON")
    };
    let full = info("full_ex3.ms3d");
    for (field, value) in [("vertices", 4), ("triangles", 2), ("roots", 1), ("max_influences", 3), ("vertex_ex", 3)] {
        assert_eq!(full["in_file"][field], value, "{field}");
    }
    assert_eq!(full["in_file"]["model_comment"], "a fish");
    assert_eq!(full["in_file"]["duration_s"], 1.25);
    assert_eq!(
        full["in_file"]["groups"][1],
        serde_json::json!({"name": "fin", "triangles": 1, "material": -1, "hidden": true})
    );
    let bad = info("x_vertex_index.ms3d");
    assert_eq!(bad["problems"][0]["kind"], "index_outside", "errors come first");
    assert_eq!(bad["problems"][0]["byte"], 148);
}

/// The middles of the cells that a level covers in a view along `right` and `up`, 96 cells to the model's size.
fn silhouette(lod: &Lod, size: f32, [right, up]: [Vec3; 2]) -> std::collections::HashSet<(i32, i32)> {
    let mut covered = std::collections::HashSet::new();
    for corners in lod.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| {
            let p = lod.vertices[corners[i] as usize].position;
            Vec2::new(p.dot(right), p.dot(up)) * 96.0 / size
        });
        let (low, high) = (a.min(b).min(c).floor(), a.max(b).max(c).ceil());
        for y in low.y as i32..high.y as i32 {
            for x in low.x as i32..high.x as i32 {
                let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let turns = [(a, b), (b, c), (c, a)].map(|(from, to)| (to - from).perp_dot(p - from));
                if turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0) {
                    covered.insert((x, y));
                }
            }
        }
    }
    covered
}

/// Percentage of the full mesh's silhouette that a level lacks or adds, from the side and from a quarter ahead.
fn silhouette_errors(full: &Lod, level: &Lod, size: f32) -> [f32; 2] {
    let (sine, cosine) = 50.0_f32.to_radians().sin_cos();
    let quarter = [Vec3::new(-cosine, 0.0, sine), Vec3::new(-0.2 * sine, 0.98, -0.2 * cosine)];
    [[Vec3::Z, Vec3::Y], quarter].map(|view| {
        let [wanted, here] = [full, level].map(|lod| silhouette(lod, size, view));
        100.0 * wanted.symmetric_difference(&here).count() as f32 / wanted.len() as f32
    })
}

fn far_creatures_keep_their_silhouettes() {
    // Another shape of a model is shown with that model's levels.
    let shapes: Vec<String> = BUILTIN_CARDS
        .iter()
        .filter_map(|card| card.text.parse::<toml::Table>().expect("a card").remove("morphs"))
        .flat_map(|morphs| morphs.try_into::<BTreeMap<String, toml::Table>>().expect("tables").into_values())
        .filter_map(|morph| Some(morph.get("model")?.as_str().expect("a name").to_owned()))
        .collect();
    assert!(shapes.contains(&"builtin:puffer_puffed".to_owned()), "{shapes:?}");
    let sources = assets::models().map(|name| format!("builtin:{name}")).filter(|source| !shapes.contains(source));
    let models = sources.map(|source| load_model(&ModelRequest::new(source)));
    let swimmers: Vec<_> = models
        .map(|loaded| loaded.expect("it loads").model)
        .filter(|model| !model.skeleton.joints.is_empty())
        .collect();
    assert!(swimmers.len() > 20);
    // Triangles at most; percentage that the worst creature, the diver with thin limbs, may be off, and their mean,
    // from both sides.
    for (triangles, worst, mean) in [(44, 19.0, 6.8), (16, 27.0, 10.3), (10, 34.0, 13.9)] {
        let mut sum = [0.0; 2];
        for model in &swimmers {
            let size = (model.bounds.max - model.bounds.min).max_element();
            let level = model.lods.iter().find(|lod| lod.indices.len() <= 3 * triangles).expect("few triangles");
            let errors = silhouette_errors(&model.lods[0], level, size);
            for (sum, error) in sum.iter_mut().zip(errors) {
                assert!(error < worst, "{}, {triangles} triangles: {errors:?} %", model.name);
                *sum += error / swimmers.len() as f32;
            }
        }
        assert!(sum.into_iter().all(|sum| sum < mean), "{triangles} triangles: {sum:?} % in the mean");
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    a_sheet_shows_another_shape_as_far_as_it_is_told;
    check_fails_exactly_on_bad_files_and_strictly_on_odd_ones;
    check_says_what_loading_would_and_every_model_of_the_program_is_strictly_fine;
    info_tells_counts_sections_and_problems_as_json;
    far_creatures_keep_their_silhouettes;
};
