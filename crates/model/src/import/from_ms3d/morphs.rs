//! Morphs out of files of one topology: MS3D itself has none.

use glam::{Mat3, Vec3};
use ms3d::raw;

use super::{MorphFile, checked, usable};
use crate::{Lod, ModelError, ModelRequest, MorphDelta, Morphs};

/// The documents of a model's other shapes.
///
/// # Errors
/// See [`morphs`].
pub(crate) fn shapes(
    request: &ModelRequest,
    document: &raw::Document,
    files: &[MorphFile],
) -> Result<Vec<raw::Document>, ModelError> {
    let mut shapes = Vec::with_capacity(files.len());
    for MorphFile { name, source, bytes } in files {
        let (shape, _) = checked(source, bytes)?;
        if let Some(differs) = difference(document, &shape) {
            let why = format!("'{source}' {differs}: a morph has the same vertices and triangles in the same order");
            return Err(ModelError::BadMorph { source_name: request.source.clone(), morph: name.clone(), why });
        }
        shapes.push(shape);
    }
    Ok(shapes)
}

/// The morphs of a mesh; `corners` are the corners of the document's triangles that its vertices stand for.
///
/// # Errors
/// If a file is broken, has errors of meaning, or has not the same vertices and triangles.
pub(super) fn morphs(
    request: &ModelRequest,
    document: &raw::Document,
    rotation: Mat3,
    (mesh, corners): (&mut Lod, &[(u16, usize)]),
    files: &[MorphFile],
) -> Result<Morphs, ModelError> {
    let shapes = shapes(request, document, files)?;
    let mut morphs = Morphs { names: files.iter().map(|file| file.name.clone()).collect(), deltas: Vec::new() };
    if shapes.is_empty() {
        return Ok(morphs);
    }
    for (vertex, &(triangle, corner)) in mesh.vertices.iter_mut().zip(corners) {
        let delta = |shape: &raw::Document| {
            let triangle = &shape.triangles[usize::from(triangle)];
            let index = usize::from(triangle.vertex_indices[corner]);
            let normal = usable(triangle.vertex_normals[corner]).normalize_or_zero();
            // A corner without a normal in the shape keeps its normal at rest.
            let normal = if normal == Vec3::ZERO { Vec3::ZERO } else { rotation * normal - vertex.normal };
            MorphDelta { position: rotation * usable(shape.vertices[index].position) - vertex.position, normal }
        };
        let row: Vec<MorphDelta> = shapes.iter().map(delta).collect();
        vertex.morph_row = morphs.add_row(&row);
    }
    Ok(morphs)
}

/// Difference of topology between a shape and the model, as a part of a sentence.
fn difference(model: &raw::Document, shape: &raw::Document) -> Option<String> {
    let counts = [
        ("vertices", model.vertices.len(), shape.vertices.len()),
        ("triangles", model.triangles.len(), shape.triangles.len()),
    ];
    if let Some((what, own, other)) = counts.into_iter().find(|(_, own, other)| own != other) {
        return Some(format!("has {other} {what} where the model has {own}"));
    }
    let mut pairs = model.triangles.iter().zip(&shape.triangles);
    let first = pairs.position(|(own, other)| own.vertex_indices != other.vertex_indices)?;
    Some(format!("joins other vertices in triangle {first}"))
}
