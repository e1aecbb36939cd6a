//! Files, good and bad, with the exact messages they must give.
//!
//! The files under `tests/data` are made by this test's code: `UPDATE_MS3D_CORPUS=1` writes them, every other run
//! compares. Files named `x_*` must be refused by `read` or have errors by `validate`.
#![expect(clippy::disallowed_methods, reason = "tests read files")]

mod documents;

use std::io::Write as _;
use std::path::PathBuf;

use ms3d::raw::*;
use ms3d::{Limits, Severity};

use documents::{empty, full, without_tail};

/// Result that reading and checking a file must give.
enum Expected {
    /// Read with these warnings, and these problems, none of them an error.
    Good { warnings: &'static [&'static str], problems: &'static [&'static str] },
    /// Not read.
    Refused(&'static str),
    /// Read, with these problems, at least one of them an error.
    Errors(&'static [&'static str]),
}

use Expected::{Errors, Good, Refused};

const FINE: Expected = Good { warnings: &[], problems: &[] };

struct Case {
    file: &'static str,
    bytes: Vec<u8>,
    expected: Expected,
}

fn case(file: &'static str, bytes: Vec<u8>, expected: Expected) -> Case {
    Case { file, bytes, expected }
}

fn bytes(document: &Document) -> Vec<u8> {
    ms3d::write(document).expect("the sample can be written")
}

/// The bytes of `document` with some of them replaced.
fn patched(document: &Document, offset: usize, patch: &[u8]) -> Vec<u8> {
    let mut bytes = bytes(document);
    bytes[offset..offset + patch.len()].copy_from_slice(patch);
    bytes
}

fn edited(mut document: Document, edit: impl FnOnce(&mut Document)) -> Vec<u8> {
    edit(&mut document);
    bytes(&document)
}

fn cut(document: &Document, length: usize) -> Vec<u8> {
    bytes(document)[..length].to_vec()
}

/// Lengths of the full sample up to the end of: its joints, comments, vertex_ex (sub-version 2), joint_ex.
fn boundaries() -> [usize; 4] {
    let with = |edit: fn(&mut Tail)| edited(full(2), |document| edit(&mut document.tail)).len();
    [
        bytes(&without_tail()).len(),
        with(|tail| (tail.vertex_ex, tail.joint_ex, tail.model_ex) = (None, None, None)),
        with(|tail| (tail.joint_ex, tail.model_ex) = (None, None)),
        with(|tail| tail.model_ex = None),
    ]
}

fn good_cases() -> Vec<Case> {
    let mut cases = flawless_cases();
    cases.extend(odd_tail_cases());
    cases.extend([odd_mesh_case(), odd_skeleton_case()]);
    cases
}

/// Whole files, and files that end at a section boundary.
fn flawless_cases() -> Vec<Case> {
    let [joints, comments, vertex_ex, joint_ex] = boundaries();
    let whole = full(2);
    vec![
        case("empty.ms3d", bytes(&empty()), FINE),
        case("full_ex1.ms3d", bytes(&full(1)), FINE),
        case("full_ex2.ms3d", bytes(&full(2)), FINE),
        case("full_ex3.ms3d", bytes(&full(3)), FINE),
        case("ends_after_joints.ms3d", cut(&whole, joints), FINE),
        case("ends_after_comments.ms3d", cut(&whole, comments), FINE),
        case("ends_after_vertex_ex.ms3d", cut(&whole, vertex_ex), FINE),
        case("ends_after_joint_ex.ms3d", cut(&whole, joint_ex), FINE),
        case("version3.ms3d", edited(without_tail(), |document| document.version = 3), FINE),
        case("skeleton_only.ms3d", edited(empty(), |document| document.joints = full(2).joints), FINE),
        case("garbage_after_names.ms3d", patched(&without_tail(), 226, b"\xFFgarbage"), FINE),
    ]
}

/// Tails that are damaged, unknown or followed by more bytes: the sections before are kept, with a warning.
fn odd_tail_cases() -> Vec<Case> {
    let [joints, comments, vertex_ex, joint_ex] = boundaries();
    let whole = full(2);
    vec![
        case(
            "cut_in_comments.ms3d",
            cut(&whole, joints + 9),
            Good {
                warnings: &["comments (byte 1048): damaged, 9 bytes dropped from here on: \
                             group comments (byte 1052): 1 records of 8 bytes or more do not fit into the 1 bytes left"],
                problems: &[],
            },
        ),
        case(
            "cut_in_vertex_ex.ms3d",
            cut(&whole, vertex_ex - 1),
            Good {
                warnings: &["vertex_ex (byte 1122): damaged, 43 bytes dropped from here on: \
                             vertex_ex (byte 1126): 4 records of 10 bytes or more do not fit into the 39 bytes left"],
                problems: &[],
            },
        ),
        case(
            "cut_in_model_ex.ms3d",
            cut(&whole, joint_ex + 6),
            Good {
                warnings: &["model_ex (byte 1206): damaged, 6 bytes dropped from here on: \
                             model_ex (byte 1210): the file ends early: 4 bytes needed, 2 left"],
                problems: &[],
            },
        ),
        case(
            "huge_comment.ms3d",
            patched(&whole, joints + 12, &u32::MAX.to_le_bytes()),
            Good {
                warnings: &["comments (byte 1048): damaged, 174 bytes dropped from here on: group comments 0 (byte \
                             1060): 4294967295 records of 1 bytes or more do not fit into the 158 bytes left"],
                problems: &[],
            },
        ),
        case(
            "two_model_comments.ms3d",
            patched(&whole, comments - 14, &2_u32.to_le_bytes()),
            Good {
                warnings: &[
                    "comments (byte 1048): damaged, 174 bytes dropped from here on: model comment (byte 1108): \
                             2 comments of the model, where only 0 or 1 can be",
                ],
                problems: &[],
            },
        ),
        case(
            "unknown_vertex_ex.ms3d",
            patched(&whole, comments, &4_i32.to_le_bytes()),
            Good {
                warnings: &["vertex_ex (byte 1122): unknown sub-version 4, 100 bytes kept unread from here on"],
                problems: &[],
            },
        ),
        case(
            "version3_more.ms3d",
            edited(without_tail(), |document| {
                document.version = 3;
                document.tail.trailing = b"more".to_vec();
            }),
            Good {
                warnings: &["trailing bytes (byte 1048): 4 bytes after the last section, kept unread"],
                problems: &[],
            },
        ),
        case(
            "trailing.ms3d",
            edited(full(2), |document| document.tail.trailing = vec![0; 3]),
            Good {
                warnings: &["trailing bytes (byte 1222): 3 bytes after the last section, kept unread"],
                problems: &[],
            },
        ),
    ]
}

/// Everything that may be odd about a mesh and its materials.
fn odd_mesh_case() -> Case {
    case(
        "odd_mesh.ms3d",
        edited(full(2), |document| {
            document.vertices[0].position[1] = f32::NAN;
            document.vertices[0].bone_id = 3;
            document.vertices[1].reference_count = 0;
            document.triangles[0].vertex_normals[2] = [0.0; 3];
            document.triangles[0].smoothing_group = 33;
            document.triangles[1].vertex_indices[0] = 3;
            document.triangles[1].group_index = 9;
            document.groups[0].triangle_indices.push(1);
            document.groups[0].material_index = 7;
            document.materials[0].transparency = 0.0;
        }),
        Good {
            warnings: &[],
            problems: &[
                "vertices 0 (byte 16): the position is not finite",
                "vertices 0 (byte 16): joint 3 outside joints (length 3): the vertex stays at rest",
                "vertices 1 (byte 31): reference count 0, but 2 triangle corners use the vertex",
                "vertices 2 (byte 46): reference count 2, but 1 triangle corners use the vertex",
                "vertices 3 (byte 61): reference count 1, but 2 triangle corners use the vertex",
                "triangles 0 (byte 78): the normal of corner 2 is zero",
                "triangles 0 (byte 78): smoothing group 33 is above 32",
                "triangles 1 (byte 148): vertex 3 is at two corners: the triangle has no area",
                "triangles 1 (byte 148): group index 9, but group 0 lists the triangle",
                "triangles 1 (byte 148): the triangle is listed 2 times",
                "groups 0 (byte 220): material 7 outside materials (length 1): the default material is used",
                "materials 0 (byte 300): transparency 0 (invisible) with an opaque diffuse colour: probably written \
                 inverted",
            ],
        },
    )
}

/// Everything that may be odd about joints, keys and weights.
fn odd_skeleton_case() -> Case {
    case(
        "odd_skeleton.ms3d",
        edited(full(2), |document| {
            document.keyframer = Keyframer { fps: 0.0, current_time: f32::NAN, total_frames: -1 };
            document.joints[0].rotation_keys.swap(0, 1);
            document.joints[1].parent_name = Text(b"\xB9\xC7".to_vec());
            document.joints[2].name = "TAIL".into();
            document.joints[2].parent_name = "Tail".into();
            let Some(section) = &mut document.tail.vertex_ex else { return };
            section.records[1].weights = [30, 20, 0];
            section.records[2].bone_ids[2] = 100;
        }),
        Good {
            warnings: &[],
            problems: &[
                "keyframer (byte 659): 0 frames a second, counted as 1",
                "keyframer (byte 659): -1 frames in total",
                "joints 0 (byte 673): rotation key 1 is not later than the key before it",
                "joints 1 (byte 830): parent \"\\xb9\\xc7\" is no joint's name: the joint is used as a root",
                "joints 2 (byte 955): the same name as joint 1, ASCII case aside: children may hang on the wrong one",
                "vertex_ex 1 (byte 1136): 50 of 100 of the weight belongs to no joint: the rest is normalised",
                "vertex_ex 2 (byte 1146): joint 100 outside joints (length 3): its weight is dropped",
            ],
        },
    )
}

fn bad_cases() -> Vec<Case> {
    let whole = full(2);
    vec![
        case("x_no_bytes.ms3d", Vec::new(), Refused("header (byte 0): the file ends early: 10 bytes needed, 0 left")),
        case(
            "x_magic.ms3d",
            patched(&empty(), 0, b"MS3D2000\r\n"),
            Refused(
                "header (byte 0): not a MilkShape 3D file: it starts with \"MS3D2000\\r\\n\" instead of \"MS3D000000\"",
            ),
        ),
        case(
            "x_version5.ms3d",
            patched(&empty(), 10, &5_i32.to_le_bytes()),
            Refused("header (byte 10): version 5 is not supported, only 3 and 4 are"),
        ),
        case(
            "x_version_negative.ms3d",
            patched(&empty(), 10, &(-4_i32).to_le_bytes()),
            Refused("header (byte 10): version -4 is not supported, only 3 and 4 are"),
        ),
        case(
            "x_cut_in_vertices.ms3d",
            cut(&whole, 40),
            Refused("vertices (byte 14): 4 records of 15 bytes or more do not fit into the 24 bytes left"),
        ),
        case(
            "x_many_vertices.ms3d",
            patched(&whole, 14, &u16::MAX.to_le_bytes()),
            Refused("vertices (byte 14): 65535 records are more than the limit of 65534"),
        ),
        case(
            "x_cut_before_triangles.ms3d",
            cut(&whole, 77),
            Refused("triangles (byte 76): the file ends early: 2 bytes needed, 1 left"),
        ),
        case(
            "x_many_group_triangles.ms3d",
            patched(&whole, 220 + 33, &60_000_u16.to_le_bytes()),
            Refused("groups 0 (byte 253): 60000 records of 2 bytes or more do not fit into the 967 bytes left"),
        ),
        case(
            "x_many_joints.ms3d",
            patched(&whole, 671, &129_u16.to_le_bytes()),
            Refused("joints (byte 671): 129 records are more than the limit of 128"),
        ),
        case(
            "x_many_keys.ms3d",
            patched(&whole, 673 + 89, &[0xFF; 4]),
            Refused("joints 0 (byte 762): 131070 records of 16 bytes or more do not fit into the 456 bytes left"),
        ),
        case(
            "x_cut_in_keyframer.ms3d",
            cut(&whole, 670),
            Refused("keyframer (byte 667): the file ends early: 4 bytes needed, 3 left"),
        ),
        case(
            "x_cut_in_last_joint.ms3d",
            cut(&whole, boundaries()[0] - 1),
            Refused("joints 2 (byte 1046): the file ends early: 2 bytes needed, 1 left"),
        ),
        case(
            "x_vertex_index.ms3d",
            edited(full(2), |document| document.triangles[1].vertex_indices[2] = 4),
            Errors(&[
                "vertices 3 (byte 61): reference count 1, but 0 triangle corners use the vertex",
                "triangles 1 (byte 148): index 4 outside vertices (length 4)",
            ]),
        ),
        case(
            "x_triangle_index.ms3d",
            edited(full(2), |document| document.groups[1].triangle_indices.push(2)),
            Errors(&["groups 1 (byte 258): index 2 outside triangles (length 2)"]),
        ),
        case(
            "x_parent_cycle.ms3d",
            edited(full(2), |document| document.joints[0].parent_name = "FIN".into()),
            Errors(&[
                "joints 0 (byte 673): the joint is its own ancestor",
                "joints 1 (byte 830): the joint is its own ancestor",
                "joints 2 (byte 955): the joint is its own ancestor",
            ]),
        ),
    ]
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn cases() -> Vec<Case> {
    good_cases().into_iter().chain(bad_cases()).collect()
}

fn strings<T: ToString>(list: &[T]) -> Vec<String> {
    list.iter().map(T::to_string).collect()
}

#[test]
fn every_file_is_one_case_and_holds_its_bytes() {
    let update = std::env::var_os("UPDATE_MS3D_CORPUS").is_some();
    for case in cases() {
        let path = folder().join(case.file);
        if update {
            std::fs::write(&path, &case.bytes).expect("the corpus folder is writable");
        }
        let stored = std::fs::read(&path).expect("the file is there; UPDATE_MS3D_CORPUS=1 writes it");
        assert!(stored == case.bytes, "{} differs from its case; UPDATE_MS3D_CORPUS=1 writes it", case.file);
    }
    let mut named: Vec<String> = cases().iter().map(|case| case.file.to_owned()).collect();
    let mut stored: Vec<String> = std::fs::read_dir(folder())
        .expect("the corpus folder is readable")
        .map(|entry| entry.expect("the entry is readable").file_name().to_string_lossy().into_owned())
        .collect();
    named.sort();
    stored.sort();
    assert_eq!(stored, named);
    assert_eq!((good_cases().len(), bad_cases().len()), (21, 15), "the number of cases changed");
}

#[test]
fn every_file_gives_its_exact_messages() {
    for Case { file, bytes, expected } in cases() {
        assert_eq!(file.starts_with("x_"), !matches!(expected, Good { .. }), "{file}");
        let outcome = ms3d::read(&bytes, &Limits::default());
        match (expected, outcome) {
            (Refused(text), Err(error)) => assert_eq!(error.to_string(), text, "{file}"),
            (Refused(text), Ok(_)) => panic!("{file}: read, where this should refuse it: {text}"),
            (_, Err(error)) => panic!("{file}: refused: {error}"),
            (Good { warnings, problems }, Ok(outcome)) => {
                let found = ms3d::validate(&outcome.document);
                assert_eq!(strings(&outcome.warnings), warnings, "{file}");
                assert_eq!(strings(&found), problems, "{file}");
                assert!(found.iter().all(|problem| problem.severity() == Severity::Warning), "{file}");
            }
            (Errors(problems), Ok(outcome)) => {
                let found = ms3d::validate(&outcome.document);
                assert_eq!(strings(&found), problems, "{file}");
                assert!(found.iter().any(|problem| problem.severity() == Severity::Error), "{file}");
            }
        }
    }
}

/// Compares counts in files made by others with those of an independent reader; skipped loudly without the files.
#[test]
fn shared_files_have_the_expected_counts() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/ms3d");
    let Ok(text) = std::fs::read_to_string(folder.join("expected.json")) else {
        // Bypasses the test harness, which shows the output of a test only if it fails.
        let _ = writeln!(std::io::stderr(), "SKIPPED, which is fine: there is no {}", folder.display());
        return;
    };
    let expected: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let files = expected.as_object().expect("an object of files");
    assert_eq!(files.len(), 7, "the set of shared files changed");
    for (file, expected) in files {
        let bytes = std::fs::read(folder.join(file)).expect("file is readable");
        let document = ms3d::read(&bytes, &Limits::default()).expect("a real file is read").document;
        let problems = ms3d::validate(&document);
        assert!(problems.iter().all(|problem| problem.severity() == Severity::Warning), "{file}: {problems:?}");
        let last_key = document
            .joints
            .iter()
            .flat_map(|joint| joint.rotation_keys.iter().chain(&joint.translation_keys))
            .fold(0.0, |last, key| key.time.max(last));
        let found = serde_json::json!({
            "version": document.version,
            "vertices": document.vertices.len(),
            "triangles": document.triangles.len(),
            "groups": document.groups.iter().map(|group| serde_json::json!({
                "name": group.name.to_lossy(),
                "triangles": group.triangle_indices.len(),
                "material": group.material_index,
            })).collect::<Vec<_>>(),
            "vertex_ex": document.tail.vertex_ex.as_ref().map(|section| section.sub_version),
            "total_frames": document.keyframer.total_frames,
            "joints": document.joints.iter().map(|joint| serde_json::json!({
                "name": joint.name.to_lossy(),
                "parent": joint.parent_name.to_lossy(),
                "rotation_keys": joint.rotation_keys.len(),
                "translation_keys": joint.translation_keys.len(),
            })).collect::<Vec<_>>(),
        });
        for (field, value) in found.as_object().expect("an object") {
            assert_eq!(value, &expected[field], "{file}: {field}");
        }
        let close = |field: &str, found: f32| {
            let expected = expected[field].as_f64().expect("a number");
            assert!((f64::from(found) - expected).abs() < 1e-3, "{file}: {field} {found}, expected {expected}");
        };
        close("fps", document.keyframer.fps);
        close("last_key_s", last_key);
    }
}
