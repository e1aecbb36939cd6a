//! One edit to a flawless document, one problem.

use super::super::{Limits, read};
use super::*;

/// Two triangles, three joints, all sections; see `tests/documents`.
const SAMPLE: &[u8] = include_bytes!("../../tests/data/full_ex2.ms3d");

fn sample() -> Document {
    read(SAMPLE, &Limits::default()).expect("the sample is read").document
}

fn problems_after(edit: impl FnOnce(&mut Document)) -> Vec<String> {
    let mut document = sample();
    edit(&mut document);
    validate(&document)
        .iter()
        .map(|problem| format!("{} {}: {problem}", problem.severity(), problem.kind.name()))
        .collect()
}

#[test]
fn the_sample_is_flawless() {
    assert_eq!(problems_after(|_| {}), [""; 0]);
}

/// A problem, and the edit of the sample that makes it.
type Flaw = (&'static str, fn(&mut Document));

fn assert_reported(flaws: &[Flaw]) {
    for (text, edit) in flaws {
        assert_eq!(problems_after(edit), [*text]);
    }
}

#[test]
fn each_flaw_of_a_mesh_is_reported_with_its_place() {
    assert_reported(&[
        ("warning not_finite: vertices 2 (byte 46): the position is not finite", |d| {
            d.vertices[2].position[0] = f32::INFINITY;
        }),
        (
            "warning joint_outside: vertices 0 (byte 16): joint -2 outside joints (length 3): the vertex stays at rest",
            |d| {
                d.vertices[0].bone_id = -2;
            },
        ),
        ("warning not_finite: triangles 1 (byte 148): the normal is not finite", |d| {
            d.triangles[1].vertex_normals[0][2] = f32::NAN;
        }),
        ("warning not_finite: triangles 0 (byte 78): the texture coordinate is not finite", |d| {
            d.triangles[0].t[1] = f32::NAN;
        }),
        ("warning zero_area: triangles 0 (byte 78): the triangle has no area", |d| {
            d.triangles[1].vertex_indices = [0, 1, 3];
            d.vertices[2].position = [3.0, 0.0, 0.0];
            d.vertices.iter_mut().zip([2, 2, 1, 1]).for_each(|(vertex, count)| vertex.reference_count = count);
        }),
        ("warning triangle_in_no_group: triangles 1 (byte 148): no group lists the triangle: it is not drawn", |d| {
            d.groups[1].triangle_indices.clear();
        }),
        ("warning triangle_listed_often: triangles 1 (byte 148): the triangle is listed 2 times", |d| {
            d.groups[1].triangle_indices = vec![1, 1];
        }),
        (
            "warning material_outside: groups 1 (byte 258): material -2 outside materials (length 1): the default \
          material is used",
            |d| d.groups[1].material_index = -2,
        ),
    ]);
}

#[test]
fn each_flaw_of_materials_and_joints_is_reported_with_its_place() {
    assert_reported(&[
        ("warning not_finite: materials 0 (byte 298): the specular colour is not finite", |d| {
            d.materials[0].specular[3] = f32::NEG_INFINITY;
        }),
        ("warning shininess: materials 0 (byte 298): shininess 129 is not from 0 to 128", |d| {
            d.materials[0].shininess = 129.0;
        }),
        ("warning transparency: materials 0 (byte 298): transparency NaN is not from 0 to 1", |d| {
            d.materials[0].transparency = f32::NAN;
        }),
        ("warning not_finite: keyframer (byte 659): the number of frames a second is not finite", |d| {
            d.keyframer.fps = f32::NAN;
        }),
        ("warning fps: keyframer (byte 659): 0.5 frames a second, counted as 1", |d| d.keyframer.fps = 0.5),
        ("warning not_finite: joints 1 (byte 830): the reference rotation is not finite", |d| {
            d.joints[1].rotation[0] = f32::NAN;
        }),
        ("warning not_finite: joints 2 (byte 955): the reference position is not finite", |d| {
            d.joints[2].position[0] = f32::NAN;
        }),
        ("warning key_not_finite: joints 0 (byte 673): translation key 0 is not finite", |d| {
            d.joints[0].translation_keys[0].value[1] = f32::NAN;
        }),
        ("warning key_not_finite: joints 0 (byte 673): rotation key 1 is not finite", |d| {
            d.joints[0].rotation_keys[1].time = f32::NAN;
        }),
        ("warning key_before_start: joints 1 (byte 830): rotation key 0 has a time below 0", |d| {
            d.joints[1].rotation_keys[0].time = -0.5;
        }),
        ("warning key_order: joints 1 (byte 830): rotation key 1 is not later than the key before it", |d| {
            d.joints[1].rotation_keys[1].time = 0.0;
        }),
        ("error parent_cycle: joints 0 (byte 673): the joint is its own ancestor", |d| {
            d.joints[0].parent_name = "ROOT".into();
        }),
    ]);
}

#[test]
fn each_flaw_of_the_tail_is_reported_with_its_place() {
    assert_reported(&[
        (
            "warning comment_outside: group comments 0 (byte 1056): comment on -1, which is outside groups (length 2)",
            |d| {
                d.tail.comments.as_mut().expect("there").groups[0].index = -1;
            },
        ),
        (
            "warning comment_outside: joint comments 1 (byte 1098): comment on 3, which is outside joints (length 3)",
            |d| {
                d.tail.comments.as_mut().expect("there").joints[1].index = 3;
            },
        ),
        (
            "error record_count: vertex_ex (byte 1122): 3 records, where 4 are expected, one for each of the vertices",
            |d| {
                d.tail.vertex_ex.as_mut().expect("there").records.pop();
            },
        ),
        ("warning weight_sum: vertex_ex 2 (byte 1146): weights sum to 110 of 100: they are normalised", |d| {
            d.tail.vertex_ex.as_mut().expect("there").records[2].weights = [50, 30, 30];
        }),
        (
            "warning weight_lost: vertex_ex 1 (byte 1136): 3 of 100 of the weight belongs to no joint: the rest is \
          normalised",
            |d| d.tail.vertex_ex.as_mut().expect("there").records[1].weights = [57, 40, 0],
        ),
        (
            "error record_count: joint_ex (byte 1166): 4 records, where 3 are expected, one for each of the joints",
            |d| {
                d.tail.joint_ex.as_mut().expect("there").colors.push([0.0; 3]);
            },
        ),
        ("warning not_finite: joint_ex 2 (byte 1194): the colour is not finite", |d| {
            d.tail.joint_ex.as_mut().expect("there").colors[2][0] = f32::NAN;
        }),
        ("warning not_finite: model_ex (byte 1206): the joint size is not finite", |d| {
            d.tail.model_ex.as_mut().expect("there").joint_size = f32::NAN;
        }),
        ("warning transparency_mode: model_ex (byte 1206): transparency mode 3 is not 0, 1 or 2", |d| {
            d.tail.model_ex.as_mut().expect("there").transparency_mode = 3;
        }),
        ("warning not_finite: model_ex (byte 1206): the alpha reference is not finite", |d| {
            d.tail.model_ex.as_mut().expect("there").alpha_ref = f32::NAN;
        }),
    ]);
}

#[test]
fn what_real_files_do_every_day_is_no_problem() {
    let found = problems_after(|d| {
        d.triangles[0].smoothing_group = 0;
        d.groups[0].material_index = -1;
        d.groups.push(Group::default());
        d.keyframer.total_frames = 0;
        d.joints[1].rotation_keys.clear();
        d.joints[2].parent_name = Text::default();
        d.vertices[0].bone_id = -1;
        // Rounding of an exporter.
        d.tail.vertex_ex.as_mut().expect("there").records[1].weights = [59, 40, 0];
    });
    assert_eq!(found, [""; 0]);
}

#[test]
fn byte_weights_are_reported_where_percent_is_due() {
    let byte_weights = |sub_version| {
        problems_after(|d| {
            let section = d.tail.vertex_ex.as_mut().expect("there");
            section.sub_version = sub_version;
            section.records[1].weights = [155, 100, 0];
            section.records[2].weights = [128, 77, 50];
            section.records[3].weights = [255, 0, 0];
        })
    };
    let reported =
        "warning byte_weights: vertex_ex (byte 1122): weights are taken as 0 to 255, though sub-version 2 has percent";
    assert_eq!(byte_weights(2), [reported]);
    assert_eq!(byte_weights(1), [""; 0]);
}

#[test]
fn reference_counts_may_stop_at_255_or_wrap() {
    for (stored, fine) in [(255, true), (44, true), (43, false)] {
        let problems = problems_after(|d| {
            let fan = Triangle { vertex_indices: [0, 1, 2], ..d.triangles[0] };
            d.triangles = vec![fan; 300];
            d.groups[0].triangle_indices = (0..300).collect();
            d.groups[1].triangle_indices.clear();
            d.vertices.iter_mut().for_each(|vertex| vertex.reference_count = stored);
            d.vertices[3].reference_count = 0;
        });
        assert_eq!(problems.is_empty(), fine, "{stored}: {problems:?}");
    }
}

#[test]
fn places_of_records_are_where_the_file_has_them() {
    let document = sample();
    let layout = Layout::of(&document);
    let at = |section, record| &SAMPLE[layout.record(section, record).offset..];
    // The first field of a record of every section.
    assert!(at(Section::Vertices, 3).starts_with(&[document.vertices[3].flags]));
    assert!(at(Section::Triangles, 1).starts_with(&document.triangles[1].flags.to_le_bytes()));
    assert!(at(Section::Groups, 1).starts_with(b"\x02fin\0"));
    assert!(at(Section::Materials, 0).starts_with(b"scales\0"));
    assert!(at(Section::Joints, 2).starts_with(b"\0fin\0"));
    assert!(at(Section::GroupComments, 0).starts_with(b"\x01\0\0\0\x06\0\0\0hidden"));
    assert!(at(Section::MaterialComments, 0).starts_with(&[0; 8]));
    assert!(at(Section::JointComments, 1).starts_with(b"\0\0\0\0\x02\0\0\0\xB9\xC7"));
    assert!(at(Section::VertexEx, 2).starts_with(b"\x01\0\xFF"));
    assert!(at(Section::JointEx, 2).starts_with(&0.5_f32.to_le_bytes()));
    assert!(SAMPLE[layout.section(Section::ModelComment).offset..].starts_with(b"\x01\0\0\0\x06\0\0\0a fish"));
    assert_eq!(layout.section(Section::Trailing).offset, SAMPLE.len());
}

#[test]
fn what_is_not_listed_is_counted_and_stays_an_error() {
    let mut document = Document { tail: Tail::default(), ..sample() };
    let vertex = Vertex { position: [f32::NAN; 3], bone_id: 99, ..Vertex::default() };
    document.vertices.extend(vec![vertex; 60_000]);
    let before = validate(&document);
    assert_eq!(before.len(), MAX_PROBLEMS + 1);
    let [.., Problem { kind: ProblemKind::More { count: warnings, severity: Severity::Warning }, .. }] = before[..]
    else {
        panic!("{:?}", before.last());
    };
    assert!(warnings > 50_000);
    document.groups[0].triangle_indices.extend([u16::MAX; 3]);
    let after = validate(&document);
    let said: Vec<String> = after[MAX_PROBLEMS..].iter().map(|problem| problem.kind.to_string()).collect();
    assert_eq!(said, ["and 3 more errors".to_owned(), format!("and {warnings} more warnings")]);
}
