//! Helpers of tests of model files: files of others, and bounds.

use std::path::{Path, PathBuf};

use glam::Vec3;
use pelagic::model::animation::{morphed, pose, skin};
use pelagic::model::{LoadedModel, Vertex};

use super::harness::end_ignored;

/// The folder with files made by others, beside the checkout. Nobody has to have it: without it the test is told as ignored.
pub fn others(folder: &str) -> PathBuf {
    others_if_there(folder).unwrap_or_else(|| end_ignored(&format!("../shared/{folder} has no expected.json")))
}

/// The same, if it is there.
pub fn others_if_there(folder: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    folder.join("expected.json").is_file().then_some(folder)
}

/// Least and greatest corner of what is drawn at a moment.
pub fn bounds(loaded: &LoadedModel, time_s: f32) -> [Vec3; 2] {
    let lod = &loaded.model.lods[0];
    // Only vertices of triangles count.
    let used: Vec<Vertex> = lod.indices.iter().map(|&index| lod.vertices[index as usize]).collect();
    let pose = pose(&loaded.model.skeleton, time_s);
    let (positions, _) = skin(&morphed(&used, &loaded.model.morphs, &pose.morph_weights), &pose);
    let least = positions.iter().copied().reduce(Vec3::min).expect("it has triangles");
    [least, positions.iter().copied().fold(least, Vec3::max)]
}
