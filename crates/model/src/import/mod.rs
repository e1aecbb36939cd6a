//! Import of model files: one module a format.
//!
//! Numbers that are not finite, or so large that sums of them would not be, count as 0.

mod clips;
pub mod from_gltf;
pub mod from_mdl;
pub mod from_ms3d;

use std::collections::HashSet;
use std::path::Path;

use glam::Vec3;

use crate::{Attachment, Clip, Files, Lod, Material, ModelError, ModelRequest, ModelWarning, Morphs, Skeleton};

/// Contents of a model file of any format.
pub struct Imported {
    /// The finest level.
    pub mesh: Lod,
    /// Materials of its meshes.
    pub materials: Vec<Material>,
    /// Joints with the keys of all clips, on one time line.
    pub skeleton: Skeleton,
    /// Morphs of its vertices.
    pub morphs: Morphs,
    /// Named places other than its joints.
    pub attachments: Vec<Attachment>,
    /// Ranges of that time line.
    pub clips: Vec<Clip>,
    /// Warnings about missing, odd or replaced parts.
    pub warnings: Vec<ModelWarning>,
}

impl Imported {
    /// Its named places: those of the file, then the joints whose names none of these has.
    pub fn places(&self) -> impl Iterator<Item = Attachment> {
        let known: HashSet<&str> = self.attachments.iter().map(|place| place.name.as_str()).collect();
        let joints = (0..).zip(&self.skeleton.joints);
        let joints = joints.filter(move |(_, joint)| !joint.name.is_empty() && !known.contains(joint.name.as_str()));
        self.attachments.iter().cloned().chain(joints.map(|(number, joint)| {
            let position = joint.inverse_bind.inverse().transform_point3(Vec3::ZERO);
            Attachment { name: joint.name.clone(), joint: number, position }
        }))
    }
}

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// MilkShape 3D.
    Ms3d,
    /// A GoldSrc studio model.
    Mdl,
    /// glTF 2.0, as text or in a binary container.
    Gltf,
}

/// Extensions of model files.
pub const ENDINGS: [&str; 4] = ["ms3d", "glb", "gltf", "mdl"];

impl Format {
    /// The format by the file's first bytes, whatever its name; an unknown file counts as MS3D, whose reader refuses
    /// it.
    pub fn of(bytes: &[u8]) -> Self {
        // Group files and Quake models, which are confused with studio models, get a message of their own from the MDL
        // reader.
        let begins_with = |magics: &[&[u8]]| magics.iter().any(|magic| bytes.starts_with(magic));
        if begins_with(&[b"IDST", b"IDSQ", b"IDPO"]) {
            Self::Mdl
        } else if begins_with(&[from_gltf::MAGIC]) || text_begins_with(bytes, b"{") {
            Self::Gltf
        } else {
            Self::Ms3d
        }
    }
}

/// Whether a file is text that begins so, after a byte-order mark and white space.
fn text_begins_with(bytes: &[u8], beginning: &[u8]) -> bool {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    text.trim_ascii_start().starts_with(beginning)
}

/// The file of a morph.
pub struct MorphFile {
    /// Name of the morph.
    pub name: String,
    /// Its source, as requested.
    pub source: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Imports the file `path`, whose bytes are `bytes`, for `request`; `morphs` are its other shapes.
///
/// # Errors
/// If the bytes are no usable file of a known format, or have no such clip as requested.
pub fn import(
    request: &ModelRequest,
    bytes: &[u8],
    path: &Path,
    files: &dyn Files,
    morphs: &[MorphFile],
) -> Result<Imported, ModelError> {
    let format = Format::of(bytes);
    if let Some(MorphFile { name, .. }) = morphs.first().filter(|_| format != Format::Ms3d) {
        let (source_name, morph) = (request.source.clone(), name.clone());
        let why = "a file of its own can be a morph of MS3D models alone".into();
        return Err(ModelError::BadMorph { source_name, morph, why });
    }
    match format {
        Format::Ms3d => from_ms3d::import(request, bytes, path, (files, morphs)),
        Format::Mdl => from_mdl::import(request, bytes, path, files),
        Format::Gltf => from_gltf::import(request, bytes, path, files),
    }
}

/// A vector of the file; numbers that are not finite, or 1e12 and more, become 0.
pub(crate) fn usable(values: [f32; 3]) -> Vec3 {
    Vec3::from(values.map(|value| if value.abs() < 1e12 { value } else { 0.0 }))
}
