//! What `pelagic model` says of files, good and bad.

use std::path::PathBuf;

/// The files that `ms3d` is tested with.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("crates/ms3d/tests/data")
}

#[test]
fn check_fails_exactly_on_bad_files_and_strictly_on_odd_ones() {
    let run = |file: &str, strict: bool| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_pelagic"));
        command.args(["model", "check"]).arg(folder().join(file)).args(strict.then_some("--strict"));
        command.assert()
    };
    for (file, plain, strict) in [
        ("full_ex3.ms3d", 0, 0),
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
    assert!(String::from_utf8_lossy(&directory.get_output().stderr).contains("is a directory"));
}

#[test]
fn info_tells_counts_sections_and_problems_as_json() {
    let info = |file: &str| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_pelagic"));
        let output = command.args(["model", "info", "--json"]).arg(folder().join(file)).assert().success();
        serde_json::from_slice::<serde_json::Value>(&output.get_output().stdout).expect("JSON")
    };
    let full = info("full_ex3.ms3d");
    for (field, value) in [("vertices", 4), ("triangles", 2), ("roots", 1), ("max_influences", 3), ("vertex_ex", 3)] {
        assert_eq!(full[field], value, "{field}");
    }
    assert_eq!(full["model_comment"], "a fish");
    assert_eq!(full["duration_s"], 1.25);
    assert_eq!(full["groups"][1], serde_json::json!({"name": "fin", "triangles": 1, "material": -1, "hidden": true}));
    let bad = info("x_vertex_index.ms3d");
    assert_eq!(bad["problems"][0]["kind"], "index_outside", "errors come first");
    assert_eq!(bad["problems"][0]["byte"], 148);
}
