//! Loading of files written here.
#![allow(clippy::unwrap_used)] // A failure here is a failed test.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Cursor};
use std::path::Path;

use glam::{Mat4, Vec3};
use ms3d::raw;

use super::files::in_memory::InMemory;
use super::*;

/// A rigged box of 12 triangles, 1 x 1 x 4, looking along +z; joint `tail` hangs on `root`, `fin` is a second root.
fn fish() -> raw::Document {
    let corner = |i: usize| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| bit as f32 - 0.5);
    let vertices: Vec<_> = (0..8)
        .map(|i| {
            let [x, y, z] = corner(i);
            raw::Vertex { position: [x, y, 4.0 * z], bone_id: if z < 0.0 { 1 } else { 0 }, ..raw::Vertex::default() }
        })
        .collect();
    let faces: [[u16; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let normals = [[-1., 0., 0.], [1., 0., 0.], [0., -1., 0.], [0., 1., 0.], [0., 0., -1.], [0., 0., 1.]];
    let mut triangles = Vec::new();
    for (face, normal) in faces.into_iter().zip(normals) {
        for corners in [[0, 1, 2], [0, 2, 3]] {
            triangles.push(raw::Triangle {
                vertex_indices: corners.map(|c| face[c]),
                vertex_normals: [normal; 3],
                s: corners.map(|c| if c == 1 || c == 2 { 1.0 } else { 0.0 }),
                t: corners.map(|c| if c > 1 { 1.0 } else { 0.0 }),
                smoothing_group: 1,
                ..raw::Triangle::default()
            });
        }
    }
    let joint = |name: &str, parent: &str, position: [f32; 3]| raw::Joint {
        name: name.into(),
        parent_name: parent.into(),
        position,
        ..raw::Joint::default()
    };
    let mut joints =
        vec![joint("root", "", [0.0; 3]), joint("tail", "ROOT", [0.0, 0.0, -1.0]), joint("fin", "", [0.5; 3])];
    let key = |time: f32, angle: f32| raw::Key { time, value: [0.0, angle, 0.0] };
    joints[1].rotation_keys = vec![key(1.0 / 24.0, 0.0), key(0.5, 0.4), key(1.0, 0.0)];
    joints[1].translation_keys = vec![key(0.25, 0.0)];
    raw::Document {
        version: 4,
        vertices,
        triangles,
        groups: vec![raw::Group {
            name: "body".into(),
            triangle_indices: (0..12).collect(),
            material_index: 0,
            ..raw::Group::default()
        }],
        materials: vec![raw::Material {
            name: "skin".into(),
            diffuse: [1.0, 0.5, 0.0, 1.0],
            shininess: 20.0,
            transparency: 1.0,
            ..raw::Material::default()
        }],
        keyframer: raw::Keyframer { fps: 24.0, current_time: 0.0, total_frames: 999 },
        joints,
        tail: raw::Tail::default(),
    }
}

/// A folder with nothing but `fish.ms3d` in it.
fn folder_of(document: &raw::Document) -> InMemory {
    let mut files = InMemory::default();
    files.write("fish.ms3d", ms3d::write(document).unwrap());
    files
}

fn load_fish(files: &InMemory) -> LoadedModel {
    load(&ModelRequest::new("fish.ms3d"), files).unwrap()
}

fn load_alone(document: &raw::Document) -> LoadedModel {
    load_fish(&folder_of(document))
}

#[test]
fn a_file_becomes_a_model() {
    let LoadedModel { model, clips, warnings, .. } = load_alone(&fish());
    assert_eq!(warnings, []);
    assert_eq!(model.name, "fish");
    let full = &model.lods[0];
    assert_eq!((full.indices.len(), full.vertices.len()), (36, 24), "a box has three normals a corner");
    assert_eq!(full.meshes, [Mesh { first: 0, count: 36, material: 0 }]);
    assert_eq!(full.max_joints, 1);
    assert_eq!(model.bounds, Bounds { min: Vec3::new(-0.5, -0.5, -2.0), max: Vec3::new(0.5, 0.5, 2.0) });
    assert_eq!(model.skeleton.joints.iter().map(|j| j.parent).collect::<Vec<_>>(), [None, Some(0), None]);
    assert_eq!(
        clips,
        [Clip { name: "swim".into(), start_s: 1.0 / 24.0, end_s: 1.0 }],
        "the keys' extent, not 999 frames"
    );
    assert!(model.palette.texels.is_empty());
    let color = model.materials[0].base_color;
    assert!(color[0] == 1.0 && (color[1] - 0.214).abs() < 1e-3 && color[2] == 0.0 && color[3] == 1.0);
}

#[test]
fn triangles_keep_their_side_when_turned() {
    let files = folder_of(&fish());
    for forward in [Forward::PosX, Forward::NegX, Forward::PosY, Forward::NegY, Forward::PosZ, Forward::NegZ] {
        let loaded = load(&ModelRequest { forward, ..ModelRequest::new("fish.ms3d") }, &files).unwrap();
        for corners in loaded.model.lods[0].indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| loaded.model.lods[0].vertices[corners[i] as usize]);
            let outward = (b.position - a.position).cross(c.position - a.position);
            assert!(outward.normalize().dot(a.normal) > 0.999, "{forward:?}");
            assert!(outward.dot(a.position) > 0.0, "{forward:?}");
        }
    }
}

#[test]
fn poses_turn_with_the_model() {
    let files = folder_of(&fish());
    let plain = load_fish(&files).model;
    let request = ModelRequest { forward: Forward::PosX, ..ModelRequest::new("fish.ms3d") };
    let turned = load(&request, &files).unwrap().model;
    let rotation = Forward::PosX.rotation();
    for (a, b) in plain.skeleton.joints.iter().zip(&turned.skeleton.joints) {
        let point = Vec3::new(1.0, 2.0, 3.0);
        let (here, there) = (a.inverse_bind.transform_point3(point), b.inverse_bind.transform_point3(rotation * point));
        assert!(here.abs_diff_eq(there, 1e-5), "{}: {here} {there}", a.name);
        assert_eq!((&a.rotation_keys, &a.translation_keys), (&b.rotation_keys, &b.translation_keys));
    }
    assert_eq!(turned.skeleton.joints[1].local_bind, Mat4::from_translation(Vec3::NEG_Z), "only roots are turned");
}

#[test]
fn clips_are_frames_counted_from_one() {
    let files = folder_of(&fish());
    let mut request = ModelRequest::new("fish.ms3d");
    request.clips.insert("glide".into(), ClipRequest::range(1.0, 12.0));
    request.clips.insert("never".into(), ClipRequest::range(48.0, 60.0));
    let loaded = load(&request, &files).unwrap();
    assert_eq!(loaded.clips[0], Clip { name: "glide".into(), start_s: 1.0 / 24.0, end_s: 0.5 });
    assert_eq!(loaded.warnings.len(), 1);
    assert!(loaded.warnings[0].text.contains("'never'"), "{:?}", loaded.warnings);
    assert_eq!(loaded.warnings[0].part, ModelPart::Clip(Some("never".into())));
    // The keys end in frame 24.
    request.clips.insert("never".into(), ClipRequest::range(13.0, 60.0));
    let partly = load(&request, &files).unwrap();
    assert_eq!(partly.warnings.len(), 1, "{:?}", partly.warnings);
    assert!(partly.warnings[0].text.contains("frames 13 to 60, stands still in part"), "{:?}", partly.warnings);
    for (from, to) in [(5.0, 5.0), (7.0, 3.0), (f32::NAN, 4.0), (1.0, f32::INFINITY), (-2.0, 4.0)] {
        request.clips.insert("glide".into(), ClipRequest::range(from, to));
        assert!(
            matches!(load(&request, &files), Err(ModelError::BadClip { clip, .. }) if clip == "glide"),
            "{from} to {to}"
        );
    }
    request.clips = (0..300).map(|i| (i.to_string(), ClipRequest::range(1.0, 2.0))).collect();
    assert!(matches!(load(&request, &files), Err(ModelError::TooManyClips { count: 300, .. })));
}

#[test]
fn hidden_groups_and_wrong_materials() {
    let mut document = fish();
    document.groups[0].triangle_indices.truncate(6);
    document.groups.push(raw::Group {
        name: "eye".into(),
        triangle_indices: vec![6, 7],
        material_index: 7,
        ..raw::Group::default()
    });
    document.groups.push(raw::Group {
        flags: raw::FLAG_HIDDEN | raw::FLAG_SELECTED,
        name: "helper".into(),
        triangle_indices: vec![8, 9],
        ..raw::Group::default()
    });
    document.groups.push(raw::Group { name: "empty".into(), material_index: -1, ..raw::Group::default() });
    let LoadedModel { model, warnings, .. } = load_alone(&document);
    assert_eq!(
        model.lods[0].meshes,
        [Mesh { first: 0, count: 18, material: 0 }, Mesh { first: 18, count: 6, material: 1 }]
    );
    assert_eq!(model.materials[1].name, "default");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].text.contains("material 7 outside"), "{warnings:?}");
}

#[test]
fn zero_normals_come_from_the_triangles() {
    let mut document = fish();
    for triangle in &mut document.triangles {
        triangle.vertex_normals = [[0.0; 3]; 3];
    }
    // A triangle without area has nothing to give.
    document.triangles[0].vertex_indices = [0, 0, 0];
    for vertex in &load_alone(&document).model.lods[0].vertices {
        assert!(vertex.normal.is_normalized());
        assert!(vertex.normal.dot(vertex.position) > 0.0, "{vertex:?}");
    }
}

#[test]
fn weights_reach_the_vertices() {
    let mut document = fish();
    document.vertices[3].bone_id = -1;
    let record = |bone_ids, weights| raw::VertexEx { bone_ids, weights, extra: [0; 2] };
    let mut records = vec![record([-1; 3], [0; 3]); 8];
    records[0] = record([0, 2, -1], [20, 50, 30]);
    records[1] = record([0, -1, -1], [0, 100, 0]);
    document.tail.comments =
        Some(raw::Comments { sub_version: 1, groups: vec![], materials: vec![], joints: vec![], model: None });
    document.tail.vertex_ex = Some(raw::VertexExSection { sub_version: 2, records });
    let model = load_alone(&document).model;
    let at = |position: Vec3| model.lods[0].vertices.iter().find(|v| v.position == position).unwrap();
    let both = at(Vec3::new(-0.5, -0.5, -2.0));
    assert_eq!((both.joints, both.weights), ([0, 2, 1, 3], [0.5, 0.3, 0.2, 0.0]));
    let other = at(Vec3::new(0.5, -0.5, -2.0));
    assert_eq!((other.joints, other.weights), ([0, 3, 3, 3], [1.0, 0.0, 0.0, 0.0]));
    let rest = at(Vec3::new(0.5, 0.5, -2.0));
    assert_eq!((rest.joints, rest.weights), ([3; 4], [1.0, 0.0, 0.0, 0.0]));
    assert_eq!(model.lods[0].max_joints, 4);
}

#[test]
fn inverted_transparency_does_not_make_a_model_vanish() {
    let mut document = fish();
    document.materials[0].transparency = 0.0;
    let loaded = load_alone(&document);
    assert_eq!(loaded.model.materials[0].base_color[3], 1.0);
    assert!(loaded.warnings[0].text.contains("inverted"), "{:?}", loaded.warnings);
    document.materials[0].transparency = 0.25;
    assert_eq!(load_alone(&document).model.materials[0].base_color[3], 0.25);
}

#[test]
fn comments_make_fins_of_materials() {
    let mut document = fish();
    document.tail.comments = Some(raw::Comments {
        sub_version: 1,
        groups: vec![],
        materials: vec![raw::Comment { index: 0, text: b"pelagic: two_sided translucency=0.4 gloss".to_vec() }],
        joints: vec![],
        model: None,
    });
    let LoadedModel { model, warnings, .. } = load_alone(&document);
    assert!(model.materials[0].two_sided);
    assert_eq!((model.materials[0].translucency, model.materials[0].alpha_cutoff), (0.4, 0.0));
    assert!(warnings.len() == 1 && warnings[0].text.contains("'gloss'"), "{warnings:?}");

    // The model's comment may have the words too, for the material of that very name.
    let name = document.materials[0].name.to_lossy();
    let text = format!("a fish\npelagic: material {name} two_sided\npelagic: material {name}s translucency=0.9");
    let comments = document.tail.comments.as_mut().expect("set above");
    (comments.materials, comments.model) = (Vec::new(), Some(text.into_bytes()));
    let LoadedModel { model, warnings, .. } = load_alone(&document);
    assert!(model.materials[0].two_sided && model.materials[0].translucency == 0.0);
    assert_eq!(warnings, []);
}

#[test]
fn textures_with_holes_are_cut() {
    let mut document = fish();
    document.materials[0].texture = "C:\\paint\\Skin.png".into();
    let mut skin = image::RgbaImage::from_pixel(4, 4, image::Rgba([200, 100, 50, 255]));
    skin.put_pixel(1, 1, image::Rgba([0, 0, 0, 0]));
    let mut png = Cursor::new(Vec::new());
    skin.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let mut files = folder_of(&document);
    files.write("skin.PNG", png.into_inner());
    let loaded = load_fish(&files);
    assert_eq!(loaded.warnings, []);
    let material = &loaded.model.materials[0];
    assert_eq!((material.alpha_cutoff, material.texture.as_ref().unwrap().width), (0.5, 4));
    files.remove("skin.PNG");
    let loaded = load_fish(&files);
    assert_eq!(loaded.warnings.len(), 1);
    assert_eq!(loaded.model.materials[0].texture.as_ref().unwrap().name, "substitute");
}

#[test]
fn what_cannot_be_loaded_is_refused_in_sentences() {
    let mut files = InMemory::default();
    files.write("text.ms3d", "hello, this is text");
    files.write("builtin:/eel.ms3d", ms3d::write(&fish()).unwrap());
    let refused = |source| load(&ModelRequest::new(source), &files).unwrap_err().to_string();
    assert!(refused("gone.ms3d").contains("model 'gone.ms3d' cannot be read"));
    assert!(refused("text.ms3d").contains("not a usable MS3D file"));
    assert_eq!(refused("builtin:nessie"), "there is no built-in model 'nessie'; there are: eel");
    assert_eq!(load(&ModelRequest::new("builtin:eel"), &files).unwrap().model.name, "eel");

    let mut document = fish();
    document.joints[0].parent_name = "tail".into();
    document.triangles[4].vertex_indices[1] = 99;
    let error = load(&ModelRequest::new("fish.ms3d"), &folder_of(&document)).unwrap_err();
    let ModelError::Invalid { problems, .. } = &error else { panic!("{error}") };
    assert_eq!(problems.len(), 3, "{problems:?}");

    struct Endless;
    impl Files for Endless {
        fn read(&self, _: &Path, _: u64) -> io::Result<Vec<u8>> {
            Err(io::ErrorKind::FileTooLarge.into())
        }
        fn names(&self, _: &Path) -> Vec<OsString> {
            Vec::new()
        }
    }
    let error = load(&ModelRequest::new("fish.ms3d"), &Endless).unwrap_err().to_string();
    assert_eq!(error, "model 'fish.ms3d' is larger than 256 MiB, the most a model may have");
}

#[test]
fn an_empty_document_is_a_model_that_shows_nothing() {
    let document = raw::Document {
        vertices: vec![],
        triangles: vec![],
        groups: vec![],
        materials: vec![],
        joints: vec![],
        ..fish()
    };
    let loaded = load_alone(&document);
    assert_eq!(loaded.model.lods.len(), 1);
    assert_eq!(loaded.model.bounds.radius(), 0.0);
    assert!(loaded.clips.is_empty());
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
}

#[test]
fn damaged_files_never_panic() {
    let bytes = ms3d::write(&fish()).unwrap();
    let mut files = InMemory::default();
    let request = ModelRequest::new("hurt.ms3d");
    let mut loaded = 0;
    for at in (0..bytes.len()).step_by(7) {
        for value in [0, 0x7f, 0xff] {
            let mut hurt = bytes.clone();
            hurt[at] = value;
            files.write("hurt.ms3d", hurt);
            if let Ok(whole) = load(&request, &files) {
                loaded += 1;
                assert!(whole.model.bounds.radius().is_finite());
                assert!(whole.model.lods[0].vertices.iter().all(|v| v.normal.is_finite() && v.uv.is_finite()));
                assert!(whole.clips.iter().all(|clip| (clip.end_s - clip.start_s).is_finite()));
            }
        }
    }
    assert!(loaded > 200, "{loaded}");
}

/// Files that keep levels of detail.
#[derive(Default)]
struct Keeping {
    files: InMemory,
    kept: RefCell<BTreeMap<u64, Vec<u8>>>,
}

impl Files for Keeping {
    fn read(&self, path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
        self.files.read(path, most_bytes)
    }

    fn names(&self, folder: &Path) -> Vec<OsString> {
        self.files.names(folder)
    }

    fn kept_levels(&self, key: u64) -> Option<Vec<u8>> {
        self.kept.borrow().get(&key).cloned()
    }

    fn keep_levels(&self, key: u64, bytes: &[u8]) {
        self.kept.borrow_mut().insert(key, bytes.to_vec());
    }
}

#[test]
fn levels_of_detail_are_made_once() {
    let mut files = Keeping::default();
    for path in ["builtin:/eel.ms3d", "eel.ms3d"] {
        files.files.write(path, ms3d::write(&fish()).unwrap());
    }
    let levels = |source: &str| load(&ModelRequest::new(source), &files).unwrap().model.lods;
    assert_eq!(levels("eel.ms3d").len(), 1, "of a person's own low-poly model nothing is left out");
    assert!(files.kept.borrow().is_empty(), "those of a person's own models change with each edit");
    let made = levels("builtin:eel");
    assert!(made.len() > 1);
    let text = |levels: &[Lod]| format!("{levels:?}");
    assert_eq!(files.kept.borrow().len(), 1);
    assert_eq!(text(&levels("builtin:eel")), text(&made));

    // Keeps the version and the key, and sets the number of levels to 0: the kept bytes are used.
    let shorten = |bytes: &mut Vec<u8>| {
        bytes.truncate(10);
        bytes[9] = 0;
    };
    files.kept.borrow_mut().values_mut().for_each(shorten);
    assert_eq!(levels("builtin:eel").len(), 1);
    files.kept.borrow_mut().values_mut().for_each(|bytes| bytes.truncate(5));
    assert_eq!(text(&levels("builtin:eel")), text(&made), "what is damaged is made anew");
    assert!(files.kept.borrow().values().all(|bytes| bytes.len() > 10), "and kept anew");
}

/// The same random numbers each time, each below the number that it is called with: for damage to files.
pub fn random_below() -> impl FnMut(usize) -> usize {
    let mut count = 0;
    move |end| {
        count += 1;
        math::splitmix64(1, count) as usize % end
    }
}
