//! Damaged model files: a small one of each format, with other shapes and named places, cut and changed everywhere.
#![allow(clippy::unwrap_used)] // A failure here is a failed test.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use ms3d::raw::Document;
use pelagic::model::animation::pose;
use pelagic::model::export::{ExportError, Exported, Target, export};
use pelagic::model::{Files, ModelRequest, load};

use crate::sample;

/// Files of one folder.
#[derive(Clone, Default)]
struct Folder(BTreeMap<&'static str, Vec<u8>>);

impl Files for Folder {
    fn read(&self, path: &Path, _: u64) -> io::Result<Vec<u8>> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        self.0.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn names(&self, _: &Path) -> Vec<OsString> {
        self.0.keys().map(OsString::from).collect()
    }
}

fn converted(request: &ModelRequest, target: Target, files: &Folder) -> Result<Exported, ExportError> {
    let posed = |skeleton: &_, time_s| pose(skeleton, time_s).model_from_rest;
    export(request, Path::new("out"), target, files, &posed)
}

/// The MDL sample, the MS3D file that becomes of it, with a second shape, and the glTF files that become of these.
fn folder() -> Folder {
    let sample = sample::sample();
    let mut files = Folder::default();
    files.0.extend([("a.mdl", sample.model), ("aT.mdl", sample.textures), ("a01.mdl", sample.group)]);
    let made = converted(&ModelRequest::new("a.mdl"), Target::Ms3d, &files).unwrap();
    let read = ms3d::read(&made.bytes, &ms3d::Limits::default()).unwrap();
    let mut document: Document = read.document;
    let comment = document.tail.comments.as_mut().unwrap().model.get_or_insert_default();
    let joint = document.joints[0].name.to_lossy();
    comment.extend(format!("\npelagic: place camera=0,1,2 on {joint}\npelagic: place rest=1,0,0").into_bytes());
    files.0.insert("a.ms3d", ms3d::write(&document).unwrap());
    for vertex in &mut document.vertices {
        vertex.position[1] += 0.5 * vertex.position[0] + 1.0;
    }
    files.0.insert("high.ms3d", ms3d::write(&document).unwrap());
    for (name, target) in [("a.glb", Target::Glb), ("a.gltf", Target::Gltf)] {
        let made = converted(&with_shape(), target, &files).unwrap();
        files.0.insert(name, made.bytes);
    }
    files
}

/// The MS3D file with its second shape.
fn with_shape() -> ModelRequest {
    ModelRequest { morphs: [("high".into(), "high.ms3d".into())].into(), ..ModelRequest::new("a.ms3d") }
}

fn what_is_damaged_has_shapes_and_places() {
    let files = folder();
    for request in [with_shape(), ModelRequest::new("a.glb"), ModelRequest::new("a.gltf")] {
        let model = load(&request, &files).unwrap().model;
        assert_eq!(model.morphs.names, ["high"], "{}", request.source);
        assert!(model.attachment("camera").is_some() && model.attachment("rest").is_some(), "{}", request.source);
    }
    assert!(!load(&ModelRequest::new("a.mdl"), &files).unwrap().model.attachments.is_empty());
}

/// Loads `request` with a damaged file: a model that can be drawn, or a sentence. Returns whether there is a model.
fn ends_well(request: &ModelRequest, files: &Folder, back: Option<Target>) -> bool {
    let loaded = match load(request, files) {
        Ok(loaded) => loaded,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let model = &loaded.model;
    assert!(model.bounds.radius().is_finite() && model.morphs.reach().is_finite());
    assert!(model.attachments.iter().all(|place| place.position.is_finite()));
    assert!(model.attachments.iter().all(|place| usize::from(place.joint) <= model.skeleton.joints.len()));
    let lod = &model.lods[0];
    assert!(lod.vertices.iter().all(|vertex| vertex.position.is_finite() && vertex.normal.is_finite()));
    assert!(lod.indices.iter().all(|&index| (index as usize) < lod.vertices.len()));
    for vertex in &lod.vertices {
        assert!(model.morphs.names.is_empty() || model.morphs.of(vertex).iter().all(|d| d.position.is_finite()));
    }
    let middle_s = loaded.clips.first().map_or(0.0, |clip| 0.5 * (clip.start_s + clip.end_s));
    assert!(pose(&model.skeleton, middle_s).model_from_rest.len() >= model.skeleton.joints.len());
    if let Some(target) = back {
        // It may not fit.
        _ = converted(request, target, files);
    }
    true
}

/// Damages one file of the folder everywhere.
fn everywhere(name: &'static str, request: &ModelRequest, back: Option<Target>) {
    let whole = folder();
    let bytes = whole.0[name].clone();
    let mut files = whole.clone();
    let mut models = 0;
    for length in 0..bytes.len() {
        files.0.insert(name, bytes[..length].to_vec());
        models += usize::from(ends_well(request, &files, None));
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= [1, 0x80, 0xff][at % 3];
        files.0.insert(name, changed);
        models += usize::from(ends_well(request, &files, back));
    }
    assert!(models > bytes.len() / 20, "{models} of twice {}: else nothing was tried", bytes.len());
}

fn a_damaged_mdl_file_ends_well() {
    everywhere("a.mdl", &ModelRequest::new("a.mdl"), Some(Target::Glb));
}

fn a_damaged_texture_or_sequence_file_ends_well() {
    for name in ["aT.mdl", "a01.mdl"] {
        everywhere(name, &ModelRequest::new("a.mdl"), None);
    }
}

fn a_damaged_ms3d_file_ends_well() {
    everywhere("a.ms3d", &with_shape(), Some(Target::Glb));
}

fn a_damaged_second_shape_ends_well() {
    everywhere("high.ms3d", &with_shape(), None);
}

fn a_damaged_glb_file_ends_well() {
    everywhere("a.glb", &ModelRequest::new("a.glb"), Some(Target::Ms3d));
}

fn a_damaged_gltf_file_ends_well() {
    everywhere("a.gltf", &ModelRequest::new("a.gltf"), None);
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    what_is_damaged_has_shapes_and_places;
    a_damaged_mdl_file_ends_well;
    a_damaged_texture_or_sequence_file_ends_well;
    a_damaged_ms3d_file_ends_well;
    a_damaged_second_shape_ends_well;
    a_damaged_glb_file_ends_well;
    a_damaged_gltf_file_ends_well;
};
