//! glTF 2.0: `.gltf` with its files, and `.glb`.
//!
//! Front is +z in the file, up is +y. Animations lie one after another on one time line, cubic splines as short
//! straight pieces. Points and lines, and transparency of vertex colours, are not supported, and warned about.

mod accessor;
mod animation;
mod compression;
mod container;
mod document;
mod draco;
mod extensions;
mod facts;
mod materials;
mod mesh;
mod meshopt;
mod morphs;
mod original;
mod rig;
mod surface;
mod tolerance;
mod tree;

use std::path::Path;

use glam::{Mat3, Mat4, Vec3};

use super::Imported;
use super::clips::{MAX_CLIPS, asked_clips};
use crate::{Clip, Files, ModelError, ModelPart, ModelRequest, ModelWarning};

pub use accessor::MAX_NUMBERS;
pub(super) use container::MAGIC;
pub use container::MAX_MARKS;
pub use facts::{AnimationFacts, Facts, MeshFacts};
pub use mesh::{MAX_TRIANGLES, MAX_VERTICES};
pub(crate) use original::original;

/// The file's axes in ours: front is -z here.
const AXES: Mat3 = Mat3::from_cols(Vec3::NEG_X, Vec3::Y, Vec3::NEG_Z);

/// Imports a glTF file; buffers and textures are looked for beside `path`.
///
/// # Errors
/// If it is broken, requires an unknown extension, or has no such clip as requested.
pub(super) fn import(
    request: &ModelRequest,
    bytes: &[u8],
    path: &Path,
    files: &dyn Files,
) -> Result<Imported, ModelError> {
    let unreadable =
        |error: String| ModelError::Unreadable { source_name: request.source.clone(), format: "glTF", error };
    let container = container::open(bytes, path, files).map_err(unreadable)?;
    let document = &container.document;
    let tree = tree::tree(document).map_err(unreadable)?;
    let mut accessors = accessor::Accessors::new(&container);
    let animations = animation::animations(document, &mut accessors).map_err(unreadable)?;
    let mut odd = extensions::warnings(document);
    odd.extend(animations.still.iter().map(|name| format!("animation '{name}' moves nothing, and is no clip")));
    let (materials, odd_materials) = materials::materials(document, &accessors, path, files);
    let turn = Mat4::from_mat3(request.forward.rotation() * AXES);
    let mut rig = rig::Rig::new(document, &tree, &animations, turn);
    let (targets, too_many) = morphs::Targets::new(document, &tree);
    odd.extend(too_many);
    let mesher = mesh::Mesher::new((document, &tree), &mut accessors, (&mut rig, &targets), &materials, turn);
    let (mut mesh, morphs, odd_meshes) = mesher.run().map_err(unreadable)?;
    odd.extend(odd_meshes);
    let motions = &animations.motions;
    let clips = match request.clips.is_empty() {
        true => motions.iter().take(MAX_CLIPS).map(Clip::from).collect(),
        false => asked_clips(request, motions, None)?,
    };
    let attachments = rig.attachments();
    let duration_s = motions.last().map_or(0.0, |motion| motion.end_s);
    let mut skeleton = rig.finish(duration_s, animation::FPS, |driven, joint| animations.add_keys(driven, joint));
    skeleton.morph_keys = animations.morph_keys(&targets);
    mesh::name_rest_joint(&mut mesh, skeleton.joints.len());
    let told =
        |part: ModelPart, odd: Vec<String>| odd.into_iter().map(move |text| ModelWarning::new(part.clone(), text));
    let warnings = told(ModelPart::Mesh, odd).chain(told(ModelPart::Material, odd_materials)).collect();
    Ok(Imported { mesh, materials: materials.list, skeleton, morphs, attachments, clips, warnings })
}
