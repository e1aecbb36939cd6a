//! Write then read gives equal data; re-writing an undamaged file gives equal bytes; a document that the format cannot
//! hold is refused.
#![expect(clippy::disallowed_methods, reason = "tests read files")]

mod documents;

use std::io::Write as _;
use std::path::PathBuf;

use ms3d::raw::*;
use ms3d::{Limits, ReadOutcome};
use proptest::prelude::*;

use documents::{empty, full, without_tail};

fn read(bytes: &[u8]) -> ReadOutcome {
    ms3d::read(bytes, &Limits::default()).expect("a written file is read")
}

#[test]
fn samples_are_read_as_they_were_written() {
    for document in [empty(), without_tail(), full(1), full(2), full(3)] {
        let bytes = ms3d::write(&document).expect("the sample can be written");
        let outcome = read(&bytes);
        assert_eq!(outcome.document, document);
        assert_eq!(outcome.warnings, []);
    }
}

#[test]
fn texts_may_fill_their_fields_to_the_last_byte() {
    let mut document = full(3);
    document.groups[0].name = Text(vec![b'n'; 32]);
    document.materials[0].texture = Text(vec![b't'; 128]);
    document.joints[0].name = Text(vec![0xB9; 32]);
    assert_eq!(read(&ms3d::write(&document).expect("the texts fit")).document, document);
}

#[test]
fn bits_of_odd_floats_survive() {
    let mut document = full(3);
    let bits = [0x7FC0_1234, 0x8000_0000, 0x0000_0001];
    document.vertices[0].position = bits.map(f32::from_bits);
    let again = read(&ms3d::write(&document).expect("any float can be written")).document;
    assert_eq!(again.vertices[0].position.map(f32::to_bits), bits);
}

/// Everything the format allows at once is about 0.3 GB of keys, so each part has its turn.
#[test]
fn the_largest_counts_are_written_and_read() {
    let mut document = without_tail();
    document.vertices.resize(ms3d::MAX_VERTICES, Vertex::default());
    document.triangles.resize(ms3d::MAX_TRIANGLES, Triangle::default());
    document.groups.resize(ms3d::MAX_GROUPS, Group::default());
    document.groups[0].triangle_indices = vec![7; ms3d::MAX_TRIANGLES_PER_GROUP];
    document.materials.resize(ms3d::MAX_MATERIALS, Material::default());
    document.joints.resize(ms3d::MAX_JOINTS, Joint::default());
    document.joints[0].rotation_keys = vec![Key::default(); ms3d::MAX_KEYS_PER_TRACK];
    document.joints[0].translation_keys = vec![Key::default(); ms3d::MAX_KEYS_PER_TRACK];
    assert!(read(&ms3d::write(&document).expect("the format holds it")).document == document);
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    type Edit = fn(&mut Document);
    let cases: [(&str, Edit); 22] = [
        ("header: version 5 cannot be written, only 3 and 4 can", |d| d.version = 5),
        ("vertices: 65535 records are more than the 65534 the format allows", |d| {
            d.vertices.resize(65_535, Vertex::default());
        }),
        ("triangles: 70000 records are more than the 65534 the format allows", |d| {
            d.triangles.resize(70_000, Triangle::default());
        }),
        ("groups: 256 records are more than the 255 the format allows", |d| d.groups.resize(256, Group::default())),
        ("materials: 129 records are more than the 128 the format allows", |d| {
            d.materials.resize(129, Material::default());
        }),
        ("joints: 129 records are more than the 128 the format allows", |d| d.joints.resize(129, Joint::default())),
        ("groups 1: 65536 triangle indices are more than the 65535 the format allows", |d| {
            d.groups[1].triangle_indices = vec![0; 65_536];
        }),
        ("joints 2: 65536 translation keys are more than the 65535 the format allows", |d| {
            d.joints[2].translation_keys = vec![Key::default(); 65_536];
        }),
        ("groups 0: the name takes 33 bytes, its field has 32", |d| d.groups[0].name = Text(vec![b'n'; 33])),
        ("materials 0: the alphamap takes 129 bytes, its field has 128", |d| {
            d.materials[0].alphamap = Text(vec![b'a'; 129]);
        }),
        ("joints 1: the parent name holds a NUL byte", |d| d.joints[1].parent_name = Text(b"ro\0ot".to_vec())),
        ("comments: sub-version 2 cannot be written", |d| {
            d.tail.comments.as_mut().expect("the sample has it").sub_version = 2;
        }),
        ("vertex_ex: sub-version 4 cannot be written", |d| {
            d.tail.vertex_ex.as_mut().expect("the sample has it").sub_version = 4;
        }),
        ("vertex_ex: 3 records, where 4 are expected, one for each of the vertices", |d| {
            d.tail.vertex_ex.as_mut().expect("the sample has it").records.pop();
        }),
        ("vertex_ex 2: sub-version 2 has no room for its extra words [1, 9]", |d| {
            d.tail.vertex_ex.as_mut().expect("the sample has it").records[2].extra = [1, 9];
        }),
        ("joint_ex: 3 records, where 4 are expected, one for each of the joints", |d| {
            d.joints.push(Joint::default());
        }),
        ("model_ex: sub-version 0 cannot be written", |d| {
            d.tail.model_ex.as_mut().expect("the sample has it").sub_version = 0;
        }),
        ("joint_ex: cannot be written without vertex_ex, which comes before it", |d| d.tail.vertex_ex = None),
        ("model_ex: cannot be written without joint_ex, which comes before it", |d| d.tail.joint_ex = None),
        ("comments: version 3 has no such section", |d| d.version = 3),
        ("trailing bytes: they would be read as model_ex, which is missing before them", |d| {
            d.tail.model_ex = None;
            d.tail.trailing = vec![1, 0, 0, 0, 5];
        }),
        ("trailing bytes: they would be read as comments, which is missing before them", |d| {
            d.tail = Tail { trailing: b"cut".to_vec(), ..Default::default() };
        }),
    ];
    for (text, edit) in cases {
        let mut document = full(2);
        edit(&mut document);
        assert_eq!(ms3d::write(&document).map_err(|error| error.to_string()), Err(text.to_owned()));
    }
}

#[test]
fn unread_bytes_survive() {
    let mut document = full(2);
    document.tail.joint_ex = None;
    document.tail.model_ex = None;
    document.tail.trailing = vec![2, 0, 0, 0, 1, 2, 3];
    let bytes = ms3d::write(&document).expect("an unknown sub-version is told from a known one");
    assert_eq!(read(&bytes).document, document);

    document.version = 3;
    document.tail = Tail { trailing: vec![1, 0, 0, 0], ..Default::default() };
    let bytes = ms3d::write(&document).expect("version 3 has no sections to confuse the bytes with");
    assert_eq!(read(&bytes).document, document);
}

/// Files made by others, beside the checkout when they are there; the test skips loudly otherwise.
#[test]
fn shared_files_rewrite_to_equal_bytes_but_for_garbage_after_texts() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/ms3d");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        // Bypasses the test harness, which shows the output of a test only if it fails.
        let _ = writeln!(std::io::stderr(), "SKIPPED, which is fine: there is no {}", folder.display());
        return;
    };
    let mut files = 0;
    for entry in entries {
        let path = entry.expect("the entry is readable").path();
        if path.extension().is_none_or(|extension| extension != "ms3d") {
            continue;
        }
        files += 1;
        let bytes = std::fs::read(&path).expect("the file is readable");
        let outcome = read(&bytes);
        assert_eq!(outcome.warnings, [], "{}", path.display());
        let again = ms3d::write(&outcome.document).expect("a file that was read can be written");
        assert_eq!(again.len(), bytes.len(), "{}", path.display());
        let padding = padding(&outcome.document, &again);
        let changed = (0..bytes.len()).find(|&at| bytes[at] != again[at] && !padding[at]);
        assert_eq!(changed, None, "{}: first changed byte", path.display());
        assert_eq!(read(&again), outcome);
    }
    assert_eq!(files, 7, "the set of shared files changed");
}

/// Marks the bytes of a written document after the text in a text field: those that change when texts fill their
/// fields.
fn padding(document: &Document, written: &[u8]) -> Vec<bool> {
    let mut filled = document.clone();
    let fill = |text: &mut Text, width: usize| text.0.resize(width, b'x');
    filled.groups.iter_mut().for_each(|group| fill(&mut group.name, 32));
    for material in &mut filled.materials {
        fill(&mut material.name, 32);
        fill(&mut material.texture, 128);
        fill(&mut material.alphamap, 128);
    }
    for joint in &mut filled.joints {
        fill(&mut joint.name, 32);
        fill(&mut joint.parent_name, 32);
    }
    let filled = ms3d::write(&filled).expect("full fields can be written");
    written.iter().zip(&filled).map(|(a, b)| a != b).collect()
}

fn text(width: usize) -> impl Strategy<Value = Text> {
    prop::collection::vec(1..=u8::MAX, 0..=width).prop_map(Text)
}

fn floats<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    prop::array::uniform(-1e6_f32..1e6)
}

fn vertices() -> impl Strategy<Value = Vec<Vertex>> {
    let vertex = (any::<u8>(), floats(), any::<i8>(), any::<u8>())
        .prop_map(|(flags, position, bone_id, reference_count)| Vertex { flags, position, bone_id, reference_count });
    prop::collection::vec(vertex, 0..20)
}

fn triangles() -> impl Strategy<Value = Vec<Triangle>> {
    let triangle = (any::<u16>(), any::<[u16; 3]>(), floats::<9>(), floats::<6>(), any::<u8>(), any::<u8>()).prop_map(
        |(flags, vertex_indices, n, st, smoothing_group, group_index)| Triangle {
            flags,
            vertex_indices,
            vertex_normals: [[n[0], n[1], n[2]], [n[3], n[4], n[5]], [n[6], n[7], n[8]]],
            s: [st[0], st[1], st[2]],
            t: [st[3], st[4], st[5]],
            smoothing_group,
            group_index,
        },
    );
    prop::collection::vec(triangle, 0..20)
}

fn groups() -> impl Strategy<Value = Vec<Group>> {
    let group = (any::<u8>(), text(32), prop::collection::vec(any::<u16>(), 0..20), any::<i8>()).prop_map(
        |(flags, name, triangle_indices, material_index)| Group { flags, name, triangle_indices, material_index },
    );
    prop::collection::vec(group, 0..4)
}

fn materials() -> impl Strategy<Value = Vec<Material>> {
    let colors = (floats(), floats(), floats(), floats());
    let material = (text(32), colors, floats::<2>(), any::<u8>(), text(128), text(128)).prop_map(
        |(name, (ambient, diffuse, specular, emissive), [shininess, transparency], mode, texture, alphamap)| Material {
            name,
            ambient,
            diffuse,
            specular,
            emissive,
            shininess,
            transparency,
            mode,
            texture,
            alphamap,
        },
    );
    prop::collection::vec(material, 0..3)
}

fn joints() -> impl Strategy<Value = Vec<Joint>> {
    let key = || (any::<u16>(), floats()).prop_map(|(time, value)| Key { time: f32::from(time) / 24.0, value });
    let keys = move || prop::collection::vec(key(), 0..5);
    let joint = (any::<u8>(), text(32), text(32), floats(), floats(), keys(), keys()).prop_map(
        |(flags, name, parent_name, rotation, position, rotation_keys, translation_keys)| Joint {
            flags,
            name,
            parent_name,
            rotation,
            position,
            rotation_keys,
            translation_keys,
        },
    );
    prop::collection::vec(joint, 0..5)
}

/// Tails of every length; the records that go with vertices and joints are as many as these.
fn tail(vertices: usize, joints: usize) -> impl Strategy<Value = Tail> {
    let comment_text = || prop::collection::vec(any::<u8>(), 0..9);
    let comment = move || (any::<i32>(), comment_text()).prop_map(|(index, text)| Comment { index, text });
    let list = move || prop::collection::vec(comment(), 0..3);
    let comments = (list(), list(), list(), prop::option::of(comment_text()))
        .prop_map(|(groups, materials, joints, model)| Comments { sub_version: 1, groups, materials, joints, model });
    let record = (any::<[i8; 3]>(), any::<[u8; 3]>(), any::<[u32; 2]>());
    let vertex_ex = (1..=3_i32, prop::collection::vec(record, vertices)).prop_map(|(sub_version, records)| {
        let held = |[a, b]: [u32; 2]| [if sub_version > 1 { a } else { 0 }, if sub_version > 2 { b } else { 0 }];
        let records =
            records.into_iter().map(|(bone_ids, weights, extra)| VertexEx { bone_ids, weights, extra: held(extra) });
        VertexExSection { sub_version, records: records.collect() }
    });
    let joint_ex = prop::collection::vec(floats(), joints).prop_map(|colors| JointExSection { sub_version: 1, colors });
    let model_ex = (floats::<2>(), any::<i32>()).prop_map(|([joint_size, alpha_ref], transparency_mode)| ModelEx {
        sub_version: 1,
        joint_size,
        transparency_mode,
        alpha_ref,
    });
    let trailing = prop::collection::vec(any::<u8>(), 0..9);
    (0..=5_u8, comments, vertex_ex, joint_ex, model_ex, trailing).prop_map(
        |(sections, comments, vertex_ex, joint_ex, model_ex, trailing)| Tail {
            comments: (sections > 0).then_some(comments),
            vertex_ex: (sections > 1).then_some(vertex_ex),
            joint_ex: (sections > 2).then_some(joint_ex),
            model_ex: (sections > 3).then_some(model_ex),
            trailing: if sections > 4 { trailing } else { Vec::new() },
        },
    )
}

fn documents() -> impl Strategy<Value = Document> {
    let mesh = (vertices(), triangles(), groups(), materials(), joints(), floats::<2>(), any::<i32>());
    mesh.prop_flat_map(|(vertices, triangles, groups, materials, joints, [fps, current_time], total_frames)| {
        tail(vertices.len(), joints.len()).prop_map(move |tail| Document {
            version: 4,
            vertices: vertices.clone(),
            triangles: triangles.clone(),
            groups: groups.clone(),
            materials: materials.clone(),
            keyframer: Keyframer { fps, current_time, total_frames },
            joints: joints.clone(),
            tail,
        })
    })
}

proptest! {
    // A fixed seed: the same documents on every machine.
    #![proptest_config(ProptestConfig {
        cases: 128,
        rng_seed: proptest::test_runner::RngSeed::Fixed(4),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_document_is_read_as_it_was_written(document in documents()) {
        let bytes = ms3d::write(&document).expect("the format holds it");
        let outcome = read(&bytes);
        prop_assert_eq!(&outcome.document, &document);
        prop_assert_eq!(outcome.warnings.is_empty(), document.tail.trailing.is_empty());
        prop_assert_eq!(ms3d::write(&outcome.document).expect("what was read can be written"), bytes);
    }
}
