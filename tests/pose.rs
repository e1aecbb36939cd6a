//! Poses of files made by others agree with an independent reader and skinning, where those files are at hand; and the
//! road from a file to a baked model, with files written here.
#![allow(clippy::unwrap_used)] // A failure here is a failed test.

use std::path::{Path, PathBuf};

use glam::{Mat3, Vec3};
use pelagic::animation::{self, pose, skin_geometry};
use pelagic::model::{self, ModelRequest, import};
use serde_json::Value;

/// The folder with files made by others, beside the checkout.
fn others() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/ms3d");
    if folder.join("expected.json").is_file() {
        return Some(folder);
    }
    eprintln!("SKIPPED: {} has no expected.json; poses were not compared with another reader", folder.display());
    None
}

fn vec3(value: &Value) -> Vec3 {
    let number = |index: usize| value[index].as_f64().unwrap() as f32;
    Vec3::new(number(0), number(1), number(2))
}

#[test]
fn poses_agree_with_another_reader() {
    let Some(folder) = others() else { return };
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
    let (mut files, mut compared) = (0, 0);
    for (name, expected) in expected.as_object().unwrap() {
        let source = folder.join(name);
        let document = match model::read_document(source.to_str().unwrap()) {
            Ok(document) => document,
            Err(error) => panic!("{name}: {error}"),
        };
        let skeleton = import::skeleton(&document, Mat3::IDENTITY);
        let geometry = import::geometry(&document);
        files += 1;
        for moment in expected["poses"].as_array().unwrap() {
            let time_s = moment["time_s"].as_f64().unwrap() as f32;
            let (positions, normals) = skin_geometry(&geometry, &pose(&skeleton, time_s));
            let (lo, hi) = (vec3(&moment["min"]), vec3(&moment["max"]));
            let slack = 1e-4 * (hi - lo).length().max(1e-3);
            let close = |found: Vec3, other: Vec3, slack: f32, what: &str| {
                assert!(found.distance(other) <= slack, "{name} at {time_s} s, {what}: {found}, expected {other}");
            };
            for (index, other) in moment["vertices"].as_object().unwrap() {
                close(positions[index.parse::<usize>().unwrap()], vec3(other), slack, &format!("vertex {index}"));
                compared += 1;
            }
            close(positions.iter().copied().reduce(Vec3::min).unwrap(), lo, slack, "least corner");
            close(positions.iter().copied().reduce(Vec3::max).unwrap(), hi, slack, "greatest corner");
            for (corner, other) in moment["first_triangle_normals"].as_array().unwrap().iter().enumerate() {
                close(normals[0][corner], vec3(other), 1e-3, &format!("normal {corner}"));
            }
        }
    }
    assert_eq!(files, 7);
    assert!(compared > 150, "{compared} vertices compared");
}

#[test]
fn files_made_by_others_become_models() {
    let Some(folder) = others() else { return };
    for name in ["turtle", "dwarf", "jeep1", "twospheres", "twospheres_withmats", "invalid_material_index", "chair"] {
        let source = folder.join(format!("{name}.ms3d")).to_str().unwrap().to_owned();
        let loaded = animation::load_model(&ModelRequest::new(source)).unwrap();
        let model = &loaded.model;
        eprintln!(
            "{name}: triangles {:?}, max joints {:?}, palette {} x {}, {:?}",
            model.lods.iter().map(|lod| lod.indices.len() / 3).collect::<Vec<_>>(),
            model.lods.iter().map(|lod| lod.max_joints).collect::<Vec<_>>(),
            model.palette.rows,
            model.palette.joints,
            loaded.warnings
        );
        assert_eq!(model.name, name);
        assert_eq!(model.palette.joints as usize, model.skeleton.joints.len() + 1);
        for lod in &model.lods {
            assert!(lod.indices.iter().all(|&index| (index as usize) < lod.vertices.len()));
            assert!(lod.meshes.iter().all(|mesh| mesh.material < model.materials.len()));
            assert!(lod.vertices.iter().all(|v| v.joints.iter().all(|&j| u32::from(j) < model.palette.joints)));
            assert!(lod.vertices.iter().all(|v| v.normal.is_normalized()));
        }
    }
}
