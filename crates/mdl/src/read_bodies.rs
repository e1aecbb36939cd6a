//! Body parts, their models, and triangles out of strips and fans.

use super::bytes::{Budget, Bytes, Record, Span, spend};
use super::{BodyPart, Corner, Mesh, Model, Part, Place, ReadError};

/// Reads the body parts.
pub(super) fn body_parts(
    file: Bytes<'_>,
    header: &Record<'_>,
    budget: &mut Budget,
    bones: usize,
) -> Result<Vec<BodyPart>, ReadError> {
    let mut parts = Vec::new();
    for record in file.table(Part::BodyParts, header.span(204), 76, budget)? {
        let span = Span { count: record.i32(64), offset: record.i32(72) };
        let models = file.table(Part::Models, span, 112, budget)?;
        let models = models.map(|model| read_model(file, &model, budget, bones));
        parts.push(BodyPart {
            name: record.text(0, 64),
            base: usize::try_from(record.i32(68)).unwrap_or(1).max(1),
            models: models.collect::<Result<_, _>>()?,
        });
    }
    Ok(parts)
}

fn read_model(file: Bytes<'_>, record: &Record<'_>, budget: &mut Budget, bones: usize) -> Result<Model, ReadError> {
    let vertices = vectors(file, record, Part::Vertices, 80, budget, bones)?;
    let normals = vectors(file, record, Part::Normals, 92, budget, bones)?;
    let mut meshes = Vec::new();
    for mesh in file.table(Part::Meshes, record.span(72), 20, budget)? {
        // Slots are looked up later, in a table that may be in another file.
        let slot = mesh.index("skin slot", mesh.i32(8), usize::MAX)?;
        let triangles = triangles(file, mesh.i32(4), (vertices.len(), normals.len()), budget)?;
        meshes.push(Mesh { slot, triangles });
    }
    Ok(Model { name: record.text(0, 64), vertices, normals, meshes })
}

/// Vectors with their bones; at `fields` are their number, the offset of the bones' bytes, and that of the vectors.
fn vectors(
    file: Bytes<'_>,
    record: &Record<'_>,
    part: Part,
    fields: usize,
    budget: &mut Budget,
    bones: usize,
) -> Result<Vec<(usize, [f32; 3])>, ReadError> {
    let [count, bone_offset, offset] = record.integers(fields);
    let of_bones = file.table(part, Span { count, offset: bone_offset }, 1, budget)?;
    let vectors = file.table(part, Span { count, offset }, 12, budget)?;
    let vector = |(bone, vector): (Record<'_>, Record<'_>)| {
        Ok((bone.index("bone", bone.bytes[0].into(), bones)?, vector.floats(0)))
    };
    of_bones.zip(vectors).map(vector).collect()
}

/// Bytes of a corner in a strip or fan.
const CORNER_BYTES: usize = 8;

/// Splits strips and fans into triangles: a number of corners, negative for a fan, then the corners; 0 ends the list.
fn triangles(
    file: Bytes<'_>,
    offset: i32,
    (vertices, normals): (usize, usize),
    budget: &mut Budget,
) -> Result<Vec<[Corner; 3]>, ReadError> {
    let mut triangles = Vec::new();
    let mut at = Place { part: Part::Triangles, record: Some(0), offset: offset.into() };
    loop {
        let run = file.record(at, 2)?.i16(0);
        if run == 0 {
            return Ok(triangles);
        }
        let count = usize::from(run.unsigned_abs());
        // Empty runs count too, for there may be any number of them.
        spend(&mut budget.records, at, count.max(1))?;
        let corners = file.record(Place { offset: at.offset + 2, ..at }, count * CORNER_BYTES)?;
        let corner = |index: usize| {
            let start = index * CORNER_BYTES;
            Ok(Corner {
                vertex: corners.index("vertex", corners.i16(start).into(), vertices)? as u16,
                normal: corners.index("normal", corners.i16(start + 2).into(), normals)? as u16,
                texel: [corners.i16(start + 4), corners.i16(start + 6)],
            })
        };
        let corners = (0..count).map(corner).collect::<Result<Vec<_>, ReadError>>()?;
        triangles.extend((2..count).map(|last| match (run < 0, last % 2) {
            (true, _) => [corners[0], corners[last - 1], corners[last]],
            // Every other triangle of a strip is turned over.
            (false, 0) => [corners[last - 2], corners[last - 1], corners[last]],
            (false, _) => [corners[last - 1], corners[last - 2], corners[last]],
        }));
        at.offset += (2 + count * CORNER_BYTES) as i64;
        at.record = at.record.map(|record| record + 1);
    }
}
