//! Tiny hand-made documents that several tests share.

// Each test binary uses a part of them.
#![allow(dead_code)]

use ms3d::raw::*;

/// A document without anything in it, that ends after the joints.
pub fn empty() -> Document {
    Document {
        version: 4,
        vertices: Vec::new(),
        triangles: Vec::new(),
        groups: Vec::new(),
        materials: Vec::new(),
        keyframer: Keyframer { fps: 24.0, current_time: 1.0, total_frames: 30 },
        joints: Vec::new(),
        tail: Tail::default(),
    }
}

/// Two triangles on three joints with every section, `vertex_ex` in the given sub-version, and nothing wrong.
pub fn full(sub_version: i32) -> Document {
    Document {
        vertices: vec![
            vertex(0, [0.0, 0.0, 0.0], 0, 1),
            vertex(1, [1.0, 0.0, 0.0], 1, 2),
            vertex(2, [0.0, 1.0, 0.0], 2, 2),
            vertex(4, [1.0, 1.0, 0.5], -1, 1),
        ],
        triangles: vec![triangle([0, 1, 2], 1, 0), triangle([2, 1, 3], 32, 1)],
        groups: vec![
            Group { flags: 0, name: "body".into(), triangle_indices: vec![0], material_index: 0 },
            Group { flags: FLAG_HIDDEN, name: "fin".into(), triangle_indices: vec![1], material_index: -1 },
        ],
        materials: vec![Material {
            name: "scales".into(),
            ambient: [0.2, 0.2, 0.2, 1.0],
            diffuse: [0.8, 0.7, 0.6, 1.0],
            specular: [0.1, 0.1, 0.1, 1.0],
            emissive: [0.0, 0.0, 0.0, 1.0],
            shininess: 64.0,
            transparency: 1.0,
            mode: 0x80,
            texture: ".\\scales.png".into(),
            alphamap: "scales_alpha.png".into(),
        }],
        joints: vec![
            Joint {
                flags: 8,
                name: "root".into(),
                position: [0.0, 0.1, 0.0],
                rotation_keys: vec![key(1.0 / 24.0, 0.0), key(0.5, 0.3), key(1.0, 0.0)],
                translation_keys: vec![key(1.0 / 24.0, 0.0)],
                ..Default::default()
            },
            Joint {
                name: "Tail".into(),
                parent_name: "root".into(),
                rotation: [0.1, 0.2, 0.3],
                position: [0.5, 0.0, 0.0],
                rotation_keys: vec![key(0.0, 0.0), key(1.0, 0.2)],
                ..Default::default()
            },
            Joint { name: "fin".into(), parent_name: "tail".into(), ..Default::default() },
        ],
        tail: Tail {
            comments: Some(Comments {
                sub_version: 1,
                groups: vec![Comment { index: 1, text: b"hidden".to_vec() }],
                materials: vec![Comment { index: 0, text: Vec::new() }],
                joints: vec![
                    Comment { index: 2, text: b"left".to_vec() },
                    Comment { index: 0, text: b"\xB9\xC7".to_vec() },
                ],
                model: Some(b"a fish".to_vec()),
            }),
            vertex_ex: Some(VertexExSection {
                sub_version,
                records: vec![
                    vertex_ex(sub_version, [-1, -1, -1], [0, 0, 0]),
                    vertex_ex(sub_version, [0, -1, -1], [60, 40, 0]),
                    vertex_ex(sub_version, [1, 0, -1], [50, 30, 20]),
                    vertex_ex(sub_version, [-1, -1, -1], [100, 0, 0]),
                ],
            }),
            joint_ex: Some(JointExSection { sub_version: 1, colors: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5; 3]] }),
            model_ex: Some(ModelEx { sub_version: 1, joint_size: 0.05, transparency_mode: 1, alpha_ref: 0.5 }),
            trailing: Vec::new(),
        },
        ..empty()
    }
}

/// [`full`] with nothing after its joints.
pub fn without_tail() -> Document {
    Document { tail: Tail::default(), ..full(2) }
}

fn vertex(flags: u8, position: [f32; 3], bone_id: i8, reference_count: u8) -> Vertex {
    Vertex { flags, position, bone_id, reference_count }
}

fn triangle(vertex_indices: [u16; 3], smoothing_group: u8, group_index: u8) -> Triangle {
    Triangle {
        flags: u16::from(group_index),
        vertex_indices,
        vertex_normals: [[0.0, 0.0, 1.0], [0.0, 0.6, 0.8], [0.6, 0.0, 0.8]],
        s: [0.0, 1.5, -0.25],
        t: [0.0, 0.5, 1.0],
        smoothing_group,
        group_index,
    }
}

fn key(time: f32, angle: f32) -> Key {
    Key { time, value: [angle, -angle, 0.0] }
}

/// A `vertex_ex` record with the extra words that the sub-version has room for.
fn vertex_ex(sub_version: i32, bone_ids: [i8; 3], weights: [u8; 3]) -> VertexEx {
    let extra = match sub_version {
        1 => [0, 0],
        2 => [0xDEAD_BEEF, 0],
        _ => [0xDEAD_BEEF, 7],
    };
    VertexEx { bone_ids, weights, extra }
}
