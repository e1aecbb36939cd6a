//! Poses of files made by others agree with an independent reader and skinning, where those files are at hand; and the
//! road from a file to a baked model, with files written here.
#![allow(clippy::unwrap_used)] // A failure here is a failed test.

use std::f32::consts::FRAC_PI_2;

use glam::{Mat3, Mat4, Vec3, Vec4};
use ms3d::raw;
use pelagic::model::animation::{palette, pose, skin, skin_geometry};
use pelagic::model::{self, ClipRequest, Forward, LoadedModel, ModelRequest, import};
use pelagic::runtime::files::{ProgramFiles, load_model};
use serde_json::Value;

use crate::support::models::others;

fn vec3(value: &Value) -> Vec3 {
    let number = |index: usize| value[index].as_f64().unwrap() as f32;
    Vec3::new(number(0), number(1), number(2))
}

fn poses_agree_with_another_reader() {
    let folder = others("ms3d");
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
    let (mut files, mut compared) = (0, 0);
    for (name, expected) in expected.as_object().unwrap() {
        let source = folder.join(name);
        let document = match model::read_document(source.to_str().unwrap(), &ProgramFiles) {
            Ok(document) => document,
            Err(error) => panic!("{name}: {error}"),
        };
        let skeleton = import::from_ms3d::skeleton(&document, Mat3::IDENTITY);
        let geometry = import::from_ms3d::geometry(&document);
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

fn files_made_by_others_become_models() {
    let folder = others("ms3d");
    for name in ["turtle", "dwarf", "jeep1", "twospheres", "twospheres_withmats", "invalid_material_index", "chair"] {
        let source = folder.join(format!("{name}.ms3d")).to_str().unwrap().to_owned();
        let loaded = load_model(&ModelRequest::new(source)).unwrap();
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

/// An arm of two joints along +x, a second root that no key moves, and a vertex for each case of weights.
///
/// `upper` at the origin turns by 90 degrees about z from 1 s to 2 s; `lower`, 1 along, has one translation key and
/// three rotation keys; `other`, at (0, 0, 5), rests.
fn arm() -> raw::Document {
    let vertex = |position: [f32; 3], bone_id: i8| raw::Vertex { position, bone_id, ..Default::default() };
    let joint = |name: &str, parent: &str, position: [f32; 3]| raw::Joint {
        name: name.into(),
        parent_name: parent.into(),
        position,
        ..Default::default()
    };
    let key = |time: f32, value: [f32; 3]| raw::Key { time, value };
    let mut joints = vec![joint("lower", "upper", [1.0, 0.0, 0.0]), joint("upper", "", [0.0; 3])];
    joints.push(joint("other", "", [0.0, 0.0, 5.0]));
    joints[1].rotation_keys = vec![key(1.0, [0.0; 3]), key(2.0, [0.0, 0.0, FRAC_PI_2])];
    joints[0].rotation_keys = vec![key(1.0, [0.0; 3]), key(1.5, [FRAC_PI_2, 0.0, 0.0]), key(3.0, [0.0, 0.0, 0.0])];
    joints[0].translation_keys = vec![key(1.0, [0.25, 0.0, 0.0])];
    let record = |bone_ids: [i8; 3], weights: [u8; 3]| raw::VertexEx { bone_ids, weights, extra: [0; 2] };
    raw::Document {
        version: 4,
        vertices: vec![
            vertex([1.0, 0.0, 0.0], 1),
            vertex([2.0, 0.0, 0.0], 0),
            vertex([2.0, 1.0, 0.0], 0),
            vertex([1.0, 1.0, 0.0], -1),
            vertex([1.0, 0.0, 5.0], 2),
            vertex([1.0, 0.0, 0.0], 2),
        ],
        triangles: vec![raw::Triangle {
            vertex_indices: [0, 3, 4],
            vertex_normals: [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0; 3]],
            ..Default::default()
        }],
        groups: vec![raw::Group { triangle_indices: vec![0], material_index: -1, ..Default::default() }],
        materials: Vec::new(),
        keyframer: raw::Keyframer { fps: 24.0, current_time: 7.0, total_frames: 1 },
        joints,
        tail: raw::Tail {
            comments: Some(raw::Comments {
                sub_version: 1,
                groups: Vec::new(),
                materials: Vec::new(),
                joints: Vec::new(),
                model: None,
            }),
            vertex_ex: Some(raw::VertexExSection {
                sub_version: 2,
                records: vec![
                    record([-1; 3], [0; 3]),
                    record([-1; 3], [100, 0, 0]),
                    record([2, 1, -1], [0, 0, 0]),
                    record([0, 1, 2], [25, 25, 25]),
                    record([-1; 3], [0; 3]),
                    // Weights of nothing first, then all on `upper`.
                    record([0, 1, -1], [0, 0, 100]),
                ],
            }),
            ..Default::default()
        },
    }
}

fn posed(document: &raw::Document, time_s: f32) -> (Vec<Vec3>, Vec<[Vec3; 3]>) {
    skin_geometry(
        &import::from_ms3d::geometry(document),
        &pose(&import::from_ms3d::skeleton(document, Mat3::IDENTITY), time_s),
    )
}

fn assert_close(found: &[Vec3], expected: &[[f32; 3]]) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(found.abs_diff_eq(Vec3::from(*expected), 1e-5), "vertex {index}: {found}, expected {expected:?}");
    }
}

fn a_pose_before_between_and_after_the_keys() {
    let document = arm();
    for time_s in [-4.0, 0.0, 1.0] {
        let (positions, normals) = posed(&document, time_s);
        assert_close(
            &positions,
            &[[1., 0., 0.], [2.25, 0., 0.], [2.25, 1., 0.], [1., 1., 0.], [1., 0., 5.], [1., 0., 0.]],
        );
        assert_eq!(normals, [[Vec3::X, Vec3::Y, Vec3::ZERO]], "unit length, and none where there is none");
    }
    // Half way through the turn of `upper`; `lower` has turned by 90 degrees about its own x.
    let (positions, normals) = posed(&document, 1.5);
    let h = 0.5_f32.sqrt();
    assert_close(
        &positions,
        &[[h, h, 0.], [2.25 * h, 2.25 * h, 0.], [2.25 * h, 2.25 * h, 1.], [1., 1., 0.], [1., 0., 5.], [h, h, 0.]],
    );
    assert_close(&normals[0], &[[h, h, 0.], [0., 1., 0.], [0., 0., 0.]]);
    for time_s in [3.0, 8.0, 1e9] {
        assert_close(
            &posed(&document, time_s).0,
            &[[0., 1., 0.], [0., 2.25, 0.], [-1., 2.25, 0.], [1., 1., 0.], [1., 0., 5.], [0., 1., 0.]],
        );
    }
}

fn rotation_keys_are_slerped() {
    let (positions, _) = posed(&arm(), 1.2);
    let angle = 0.2 * FRAC_PI_2;
    assert!(positions[0].abs_diff_eq(Vec3::new(angle.cos(), angle.sin(), 0.0), 1e-6), "{}", positions[0]);
}

fn a_skeleton_without_keys_rests() {
    let mut document = arm();
    for joint in &mut document.joints {
        joint.rotation_keys.clear();
        joint.translation_keys.clear();
        joint.rotation = [0.3, -0.2, 0.9];
    }
    let rest: Vec<_> = document.vertices.iter().map(|vertex| vertex.position).collect();
    assert_close(&posed(&document, 1.7).0, &rest);
}

fn a_loaded_palette_holds_the_poses_of_the_file() {
    let room = tempfile::tempdir().unwrap();
    let path = room.path().join("arm.ms3d");
    std::fs::write(&path, ms3d::write(&arm()).unwrap()).unwrap();
    let mut request = ModelRequest { forward: Forward::PosX, ..ModelRequest::new(path.to_str().unwrap()) };
    request.clips.insert("bend".into(), ClipRequest::range(24.0, 48.0));
    let loaded = load_model(&request).unwrap();
    let model = &loaded.model;
    let clip = &model.palette.clips[0];
    assert_eq!((clip.name.as_str(), clip.first_row, clip.duration_s), ("bend", 0, 1.0));
    // And one row more, in which the clip begins again.
    assert_eq!((clip.rows, model.palette.rows, model.palette.joints), (palette::ROWS_PER_SECOND as u32, 31, 4));
    assert!(loaded.warnings.iter().any(|w| w.text.contains("does not close")), "{:?}", loaded.warnings);

    let rotation = Forward::PosX.rotation();
    for row in 0..clip.rows {
        let time_s = 1.0 + row as f32 / 30.0;
        let matrix = |joint: u16| {
            let at = ((row * model.palette.joints + u32::from(joint)) * 3) as usize;
            let [x, y, z] = [0, 1, 2].map(|line| Vec4::from(model.palette.texels[at + line]));
            Mat4::from_cols(x, y, z, Vec4::W).transpose()
        };
        let vertices = &model.lods[0].vertices;
        let (skinned, _) = skin(vertices, &pose(&model.skeleton, time_s));
        for (vertex, skinned) in vertices.iter().zip(skinned) {
            let from_texels =
                (0..4).map(|slot| matrix(vertex.joints[slot]).transform_point3(vertex.position) * vertex.weights[slot]);
            assert!(from_texels.sum::<Vec3>().abs_diff_eq(skinned, 1e-5));
        }
        // Turning the model and posing it are independent: vertex 0 of the file is the level's first.
        let in_file = posed(&arm(), time_s).0[0];
        let first = skin(&vertices[..1], &pose(&model.skeleton, time_s)).0[0];
        assert!(first.abs_diff_eq(rotation * in_file, 1e-5), "{first}");
    }
}

/// A body of 40 rings from x = -3 (its nose) to x = 5 whose joints have no keys.
fn stiff_body(joints: Vec<raw::Joint>) -> raw::Document {
    let rings = 40u16;
    let bone_id = if joints.is_empty() { -1 } else { 0 };
    let vertices = (0..=rings).flat_map(|ring| {
        let x = -3.0 + 8.0 * f32::from(ring) / f32::from(rings);
        [[0.7, 0.0], [-0.7, 1.0], [-0.7, -1.0]].map(|[y, z]| raw::Vertex {
            position: [x, y, z],
            bone_id,
            ..Default::default()
        })
    });
    let triangles = (0..rings).flat_map(|ring| {
        (0..3u16).flat_map(move |side| {
            let [a, b] = [side, (side + 1) % 3].map(|corner| 3 * ring + corner);
            [[a, b, b + 3], [a, b + 3, a + 3]]
                .map(|vertex_indices| raw::Triangle { vertex_indices, ..Default::default() })
        })
    });
    let triangles: Vec<_> = triangles.collect();
    let groups = vec![raw::Group {
        triangle_indices: (0..triangles.len() as u16).collect(),
        material_index: -1,
        ..Default::default()
    }];
    raw::Document { vertices: vertices.collect(), triangles, groups, joints, tail: raw::Tail::default(), ..arm() }
}

fn a_swimmer_without_keys_goes_in_a_wave_from_nose_to_tail() {
    let room = tempfile::tempdir().unwrap();
    let path = room.path().join("stiff.ms3d");
    let still = raw::Joint { name: "still".into(), rotation: [0.3, -0.2, 0.9], ..Default::default() };
    for joints in [Vec::new(), vec![still]] {
        std::fs::write(&path, ms3d::write(&stiff_body(joints)).unwrap()).unwrap();
        let request = ModelRequest { forward: Forward::NegX, ..ModelRequest::new(path.to_str().unwrap()) };
        let prop = load_model(&request).unwrap();
        assert!(!prop.model.skeleton.moves() && prop.clips.is_empty() && prop.warnings.is_empty(), "props stay");

        let loaded = load_model(&ModelRequest { swims: true, ..request }).unwrap();
        let texts: Vec<_> = loaded.warnings.iter().map(|warning| warning.text.as_str()).collect();
        assert_eq!(texts, ["it has no key frames to swim by, so its body is bent in a wave from nose to tail"]);
        let model = &loaded.model;
        assert_eq!((loaded.clips.len(), loaded.clips[0].name.as_str(), model.palette.rows), (1, "swim", 31));

        // Middles of the ring at a share of the length over the beat, in body lengths.
        let length = model.bounds.max.z - model.bounds.min.z;
        let vertices = &model.lods[0].vertices;
        let beat: Vec<Vec<Vec3>> =
            (0..48).map(|moment| skin(vertices, &pose(&model.skeleton, moment as f32 / 48.0)).0).collect();
        let middles = |share: f32| -> Vec<Vec3> {
            let z = model.bounds.min.z + share * length;
            let ring: Vec<usize> = (0..vertices.len()).filter(|&v| (vertices[v].position.z - z).abs() < 1e-3).collect();
            assert_eq!(ring.len(), 3, "a ring at {share}");
            let middle = |positions: &Vec<Vec3>| ring.iter().map(|&v| positions[v]).sum::<Vec3>() / 3.0 / length;
            beat.iter().map(middle).collect()
        };
        let reach = |share: f32| middles(share).into_iter().fold(0.0f32, |most, at| most.max(at.x.abs()));
        for (share, expected, slack) in [(0.0, 0.02, 0.002), (0.25, 0.01, 0.005), (1.0, 0.1, 0.01)] {
            assert!((reach(share) - expected).abs() < slack, "{} at {share}", reach(share));
        }
        // The crest comes to the tail later than to the middle: 0.4 of the length takes 0.4 / 0.95 of a beat.
        let crest = |share: f32| {
            middles(share).iter().enumerate().max_by(|a, b| a.1.x.total_cmp(&b.1.x)).unwrap().0 as f32 / 48.0
        };
        let later = (crest(1.0) - crest(0.6)).rem_euclid(1.0);
        assert!((later - 0.4 / 0.95).abs() < 0.06, "{later} of a beat later");
        // It keeps its length along the bend: nose and tail come a little nearer.
        for (nose, tail) in middles(0.0).into_iter().zip(middles(1.0)) {
            assert!((0.93..=1.0).contains(&(tail.z - nose.z)), "{} of its length", tail.z - nose.z);
        }
        for lod in &model.lods {
            let sums = lod.vertices.iter().map(|vertex| vertex.weights.iter().sum::<f32>());
            assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-5));
            assert!(lod.vertices.iter().all(|vertex| vertex.weights.is_sorted_by(|a, b| a >= b)));
        }
    }
}

fn what_has_no_length_along_its_nose_stays_stiff() {
    let room = tempfile::tempdir().unwrap();
    let path = room.path().join("flat.ms3d");
    let mut flat = stiff_body(Vec::new());
    flat.vertices.iter_mut().for_each(|vertex| vertex.position[0] *= 0.01);
    std::fs::write(&path, ms3d::write(&flat).unwrap()).unwrap();
    let request = ModelRequest { forward: Forward::NegX, swims: true, ..ModelRequest::new(path.to_str().unwrap()) };
    let loaded = load_model(&request).unwrap();
    assert!(!loaded.model.skeleton.moves());
    assert!(loaded.warnings.iter().any(|warning| warning.text.ends_with("so it stays stiff")), "{:?}", loaded.warnings);
    assert!(loaded.warnings.iter().any(|warning| warning.text.contains("side to side")), "it lies across");
}

fn the_command_prints_poses_in_file_order() {
    let room = tempfile::tempdir().unwrap();
    let path = room.path().join("arm.ms3d");
    std::fs::write(&path, ms3d::write(&arm()).unwrap()).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("pelagic").unwrap();
        command.args(["model", "pose"]).arg(&path).args(arguments).assert()
    };
    let done = run(&["--time", "1.5", "--json"]).success();
    let printed: Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    let (positions, normals) = posed(&arm(), 1.5);
    for (printed, position) in printed["positions"].as_array().unwrap().iter().zip(&positions) {
        assert!(vec3(printed).abs_diff_eq(*position, 1e-5));
    }
    assert_eq!(printed["positions"].as_array().unwrap().len(), 6);
    assert_eq!(printed["normals"].as_array().unwrap().len(), 1);
    assert!(vec3(&printed["normals"][0][0]).abs_diff_eq(normals[0][0], 1e-5));

    run(&["--time", "-1"]).success();
    run(&["--time", "soon"]).failure().code(2);
    std::fs::write(&path, "MS3D000000").unwrap();
    let refused = run(&["--time", "0", "--json"]).failure().code(1);
    assert!(refused.get_output().stdout.is_empty());
}

fn fish_bend_by_a_formula_and_what_rows_or_pulses_does_not() {
    let loaded = |name: &str| load_model(&ModelRequest::new(format!("builtin:{name}"))).expect("a built-in model");
    for name in ["sardine", "yellow_tang", "chromis", "barracuda", "bluefin_tuna", "dolphin"] {
        let LoadedModel { model, clips, .. } = loaded(name);
        let bend = model.bend.as_ref().expect(name);
        assert_eq!(bend.rows.len(), model.palette.rows as usize, "{name}");
        let length = model.bounds.max.z - model.bounds.min.z;
        // All vertices, by the poses that the palette was baked from.
        let vertices = &model.lods[0].vertices;
        for (clip, rows) in clips.iter().zip(&model.palette.clips) {
            for row in 0..rows.rows {
                let time_s = clip.start_s + (clip.end_s - clip.start_s) * row as f32 / rows.rows as f32;
                let (moved, _) = skin(vertices, &pose(&model.skeleton, time_s));
                let factors = bend.rows[(rows.first_row + row) as usize];
                let squares = vertices.iter().zip(&moved).map(|(vertex, moved)| {
                    let a = (vertex.position.z - bend.middle) * bend.scale;
                    let by = factors.map(|axis| axis.x + a * (axis.y + a * (axis.z + a * axis.w)));
                    moved.distance_squared(vertex.position + Vec3::from(by))
                });
                let off = (squares.sum::<f32>() / vertices.len() as f32).sqrt() / length;
                assert!(off <= 1.2 * bend.error + 1e-4, "{name}, {}, row {row}: {off} for {}", clip.name, bend.error);
            }
        }
    }
    for name in ["green_turtle", "manta", "moon_jelly", "seahorse"] {
        assert!(loaded(name).model.bend.is_none(), "{name}");
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    poses_agree_with_another_reader;
    files_made_by_others_become_models;
    a_pose_before_between_and_after_the_keys;
    rotation_keys_are_slerped;
    a_skeleton_without_keys_rests;
    a_loaded_palette_holds_the_poses_of_the_file;
    a_swimmer_without_keys_goes_in_a_wave_from_nose_to_tail;
    what_has_no_length_along_its_nose_stays_stiff;
    the_command_prints_poses_in_file_order;
    fish_bend_by_a_formula_and_what_rows_or_pulses_does_not;
};
