//! GoldSrc models become ours: one written here, and those of others where they are at hand.
#![allow(clippy::unwrap_used)] // A failure here is a failed test.

use std::path::Path;

use glam::Vec3;
use pelagic::model::{ClipRequest, Forward, ModelRequest, usual_clip};
use pelagic::runtime::files::load_model;
use serde_json::Value;
use tempfile::TempDir;

use crate::sample;
use crate::support::models::{bounds, others};

/// A folder with the sample's three files, their letters in the case of another disk.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = sample::sample();
    for (name, bytes) in
        [("sample.mdl", sample.model), ("SampleT.mdl", sample.textures), ("sample01.MDL", sample.group)]
    {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn request(folder: &Path, name: &str) -> ModelRequest {
    ModelRequest::new(folder.join(name).to_str().unwrap())
}

fn clip(sequence: &str, frames: Option<(f32, f32)>) -> (String, ClipRequest) {
    ("swim".into(), ClipRequest { sequence: sequence.into(), frames })
}

fn a_model_of_three_files_is_loaded_whole() {
    let folder = folder();
    let loaded = load_model(&request(folder.path(), "sample.mdl")).unwrap();
    let texts: Vec<&str> = loaded.warnings.iter().map(|warning| warning.text.as_str()).collect();
    // The sample's motions end elsewhere than they begin.
    assert!(texts.iter().all(|text| text.contains("does not close")), "{texts:?}");
    let clips: Vec<_> = loaded.clips.iter().map(|clip| (clip.name.as_str(), clip.end_s - clip.start_s)).collect();
    assert_eq!(clips.iter().map(|clip| clip.0).collect::<Vec<_>>(), ["idle", "look", "idle_2"]);
    for ((_, length_s), expected_s) in clips.iter().zip([0.3, 0.15, 0.1]) {
        assert!((length_s - expected_s).abs() < 1e-5, "three steps between four frames");
    }
    assert_eq!(loaded.files.len(), 3, "each is watched");
    let lod = &loaded.model.lods[0];
    assert_eq!((lod.max_joints, lod.indices.len() / 3), (1, 4), "trunk and first head, one bone a vertex");
    let names: Vec<_> = loaded.model.materials.iter().map(|material| material.name.as_str()).collect();
    assert_eq!(names, ["skin.bmp", "mask.bmp", "default"]);
    let mask = &loaded.model.materials[1];
    let clear = mask.texture.as_ref().unwrap().rgba[4..8].to_vec();
    assert_eq!((mask.alpha_cutoff, clear), (0.5, vec![1, 10, 200, 0]), "the mean of what is not clear");
}

fn its_triangles_face_outward_and_it_looks_along_minus_z() {
    let folder = folder();
    let loaded = load_model(&request(folder.path(), "sample.mdl")).unwrap();
    let lod = &loaded.model.lods[0];
    // The root stands half a unit along the file's x, which is forward.
    assert_eq!(lod.vertices.iter().map(|v| v.position.z).fold(f32::MIN, f32::max), -0.5);
    // As in files of others, triangles are clockwise seen from where their normals point.
    for corners in lod.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| lod.vertices[corners[i] as usize]);
        let face = (b.position - a.position).cross(c.position - a.position);
        assert!(face.dot(a.normal) > 0.0, "counter-clockwise seen from where the normal points");
    }
    let turned = load_model(&ModelRequest { forward: Forward::PosX, ..request(folder.path(), "sample.mdl") }).unwrap();
    let moved = turned.model.lods[0].vertices[0].position;
    assert!(moved.distance(Forward::PosX.rotation() * lod.vertices[0].position) < 1e-5);
}

fn skins_bodies_and_sequences_can_be_chosen() {
    let folder = folder();
    let base = request(folder.path(), "sample.mdl");
    let triangles = |request: &ModelRequest| load_model(request).unwrap().model.lods[0].indices.len() / 3;
    assert_eq!((triangles(&base), triangles(&ModelRequest { body: 1, ..base.clone() })), (4, 5));
    let worn = |skin| {
        let loaded = load_model(&ModelRequest { skin, ..base.clone() }).unwrap();
        loaded.model.materials[loaded.model.lods[0].meshes[0].material].name.clone()
    };
    assert_eq!((worn(0), worn(1)), ("skin.bmp".into(), "skin.bmp".into()), "meshes come by texture");
    let of = |clips: Vec<(String, ClipRequest)>| {
        load_model(&ModelRequest { clips: clips.into_iter().collect(), ..base.clone() })
    };
    let loaded = of(vec![clip("idle_2", Some((2.0, 4.0)))]).unwrap();
    assert_eq!(loaded.clips.len(), 1, "only what is asked for");
    assert!((loaded.clips[0].end_s - loaded.clips[0].start_s - 2.0 / 30.0).abs() < 1e-6);
    let error = of(vec![clip("idle2", None)]).unwrap_err().to_string();
    assert!(error.contains("clip 'swim': there is no sequence 'idle2' in the file; did you mean 'idle"), "{error}");
    let error = of(vec![clip("", Some((1.0, 4.0)))]).unwrap_err().to_string();
    assert!(error.contains("it names no sequence of the file; "), "{error}");
    let odd = load_model(&ModelRequest { skin: 2, body: 9, ..base.clone() }).unwrap().warnings;
    let texts: Vec<_> = odd.iter().map(ToString::to_string).filter(|text| text.starts_with("there is no")).collect();
    assert_eq!(texts, ["there is no skin 2: they go from 0 to 1", "there is no body 9: they go from 0 to 1"]);
}

fn blends_are_mixed_where_their_parameter_is_nothing() {
    let folder = folder();
    let loaded = load_model(&request(folder.path(), "sample.mdl")).unwrap();
    // The two blends turn the tail against each other by equal angles.
    let look = &loaded.clips[1];
    for time_s in [look.start_s, look.end_s] {
        let [least, greatest] = bounds(&loaded, time_s);
        let rest = loaded.model.bounds;
        // The motion bone's way along the file's x is taken out: our z.
        let shift = Vec3::Z * 0.5;
        assert!(least.distance(rest.min + shift) < 1e-5 && greatest.distance(rest.max + shift) < 1e-5);
    }
}

/// A box of the file's axes in ours.
fn of_file(value: &Value) -> [Vec3; 2] {
    let corner = |index: usize| {
        let number = |axis: usize| value[index][axis].as_f64().unwrap() as f32;
        Vec3::new(-number(1), number(2), -number(0))
    };
    [corner(0).min(corner(1)), corner(0).max(corner(1))]
}

fn files_of_others_agree_with_another_reader() {
    let folder = others("models");
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
    let (mut loaded_files, mut refused, mut compared) = (0, 0, 0);
    for (name, expected) in expected["mdl"].as_object().unwrap() {
        let is_model = expected["bones"].is_u64();
        let loaded = match load_model(&request(&folder, name)) {
            Ok(loaded) => loaded,
            Err(error) => {
                assert!(!is_model, "{error}");
                refused += 1;
                continue;
            }
        };
        assert!(expected["error"].is_null(), "{name} is refused by the other reader: {}", expected["error"]);
        if !is_model {
            assert!(loaded.model.lods[0].indices.is_empty(), "{name}: the file of another's textures");
            continue;
        }
        loaded_files += 1;
        assert_eq!(loaded.model.skeleton.joints.len() as u64, expected["bones"].as_u64().unwrap(), "{name}");
        let triangles = loaded.model.lods[0].indices.len() as u64 / 3;
        assert_eq!(triangles, expected["triangles_default"].as_u64().unwrap(), "{name}");
        if triangles == 0 {
            continue;
        }
        let close = |found: [Vec3; 2], other: &Value, what: &str| {
            let other = of_file(other);
            let slack = 1e-3 * (other[1] - other[0]).length();
            let off = found[0].distance(other[0]).max(found[1].distance(other[1]));
            assert!(off <= slack, "{name}, {what}: {found:?}, expected {other:?}");
        };
        let rest = loaded.model.bounds;
        let other_rest = of_file(&expected["bind_bbox"]["default"]);
        let names: Vec<&str> = loaded.clips.iter().map(|clip| clip.name.as_str()).collect();
        let swims_at = usual_clip(&names).map_or(0.0, |clip| loaded.clips[clip].start_s);
        let posed = bounds(&loaded, swims_at);
        let (size, apart) = (posed[1] - posed[0], |corner: usize| posed[corner].distance([rest.min, rest.max][corner]));
        let off = rest.min.distance(other_rest[0]).max(rest.max.distance(other_rest[1]));
        if off > 1e-3 * size.length() {
            // Bones at rest look another way than in the sequences, which the rest pose follows.
            assert!(apart(0).max(apart(1)) < 0.35 * size.length(), "{name}: {rest:?} at rest, {posed:?} as it moves");
        }
        let sequences = expected["sequences"].as_array().unwrap();
        if sequences.first().is_none_or(|first| first["blends"] != 1) || loaded.clips.is_empty() {
            continue;
        }
        for sample in expected["pose"]["samples"].as_array().into_iter().flatten() {
            let time_s = loaded.clips[0].start_s + sample["time"].as_f64().unwrap() as f32;
            close(bounds(&loaded, time_s), &sample["default"], &format!("at {time_s} s"));
            compared += 1;
        }
    }
    assert!(
        loaded_files >= 25 && refused >= 17 && compared >= 66,
        "{loaded_files} loaded, {refused} refused, {compared} poses"
    );
}

/// Output of `pelagic model ARGS` for a file, and whether it succeeded.
fn model_command(args: &[&str], file: &Path) -> (bool, String) {
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_pelagic")).arg("model").args(args).arg(file).output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap())
}

fn the_commands_know_the_format() {
    let folder = folder();
    let file = folder.path().join("sample.mdl");
    let (went_well, json) = model_command(&["info", "--json"], &file);
    let info: Value = serde_json::from_str(&json).unwrap();
    assert!(went_well);
    assert_eq!((&info["format"], &info["in_file"]["skins"]), (&"mdl".into(), &2.into()));
    assert_eq!(info["in_file"]["sequences"][0]["events"][0]["options"], "sound/splash.wav");
    assert_eq!(info["in_file"]["textures"][1]["surface"], serde_json::json!(["masked"]));
    assert_eq!(info["in_file"]["body_parts"][1]["models"][1]["triangles"], 2);
    let (_, text) = model_command(&["info"], &file);
    assert!(text.contains("1 \"look\": 4 frames at 20 a second, goes round, 2 blends"), "{text}");
    assert!(model_command(&["pose", "--time", "0"], &file).1.contains("vertices at 0 s"));
    assert!(model_command(&["check"], &file).0);
    std::fs::write(&file, b"IDST\x0a\0\0\0").unwrap();
    let (went_well, text) = model_command(&["check"], &file);
    assert!(!went_well && text.contains("header (byte 0): 244 bytes lie outside the file, which has 8"), "{text}");
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    a_model_of_three_files_is_loaded_whole;
    its_triangles_face_outward_and_it_looks_along_minus_z;
    skins_bodies_and_sequences_can_be_chosen;
    blends_are_mixed_where_their_parameter_is_nothing;
    files_of_others_agree_with_another_reader;
    the_commands_know_the_format;
};
