//! Bytes to data.

use super::cursor::Cursor;
use super::layout::{GROUP_BYTES, JOINT_BYTES, KEY_BYTES, MATERIAL_BYTES, TRIANGLE_BYTES, VERTEX_BYTES};
use super::raw::*;
use super::read_tail::read_tail;
use super::{Limits, MAGIC, MAX_TRIANGLES_PER_GROUP, NAME_BYTES, PATH_BYTES, ReadError, ReadWarning, Section};

/// Result of [`read`].
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOutcome {
    /// The file's data.
    pub document: Document,
    /// Warnings about unknown, damaged or extra parts of the tail; empty for an undamaged file.
    pub warnings: Vec<ReadWarning>,
}

/// Reads a whole file.
///
/// Only structure is checked; see [`validate`](super::validate) for meaning. Version 3 (MilkShape 1.3) is read with
/// version 4's records and without a tail, as other loaders do; no sample of it was found to confirm that.
///
/// The tail may end at any section boundary. If it is damaged, the sections before the damage are kept and a warning
/// reports the rest.
///
/// # Errors
/// If the bytes are not an MS3D file, if its version is neither 3 nor 4, if it ends before the last joint does, or if
/// it exceeds `limits`.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<ReadOutcome, ReadError> {
    if bytes.len() > limits.file_bytes {
        return Err(ReadError::FileTooLarge { bytes: bytes.len(), limit: limits.file_bytes });
    }
    let mut cursor = Cursor::new(bytes);
    let version = header(&mut cursor)?;
    let mut document = Document {
        version,
        vertices: records(&mut cursor, Section::Vertices, limits.vertices, VERTEX_BYTES, vertex)?,
        triangles: records(&mut cursor, Section::Triangles, limits.triangles, TRIANGLE_BYTES, triangle)?,
        groups: records(&mut cursor, Section::Groups, limits.groups, GROUP_BYTES, group)?,
        materials: records(&mut cursor, Section::Materials, limits.materials, MATERIAL_BYTES, material)?,
        keyframer: keyframer(&mut cursor)?,
        joints: joints(&mut cursor, limits)?,
        tail: Tail::default(),
    };
    let mut warnings = Vec::new();
    document.tail = read_tail(&mut cursor, limits, &document, &mut warnings);
    Ok(ReadOutcome { document, warnings })
}

fn header(cursor: &mut Cursor<'_>) -> Result<i32, ReadError> {
    let found = cursor.array()?;
    if found != MAGIC {
        return Err(ReadError::NotMs3d { found });
    }
    match cursor.i32()? {
        version @ (3 | 4) => Ok(version),
        version => Err(ReadError::UnsupportedVersion { version }),
    }
}

/// A 16-bit count and that many records.
fn records<T>(
    cursor: &mut Cursor<'_>,
    section: Section,
    limit: usize,
    record_bytes: usize,
    record: impl Fn(&mut Cursor<'_>) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    cursor.enter(section);
    let count = cursor.count16(limit, record_bytes)?;
    cursor.records(count, record)
}

fn vertex(cursor: &mut Cursor<'_>) -> Result<Vertex, ReadError> {
    Ok(Vertex { flags: cursor.u8()?, position: cursor.floats()?, bone_id: cursor.i8()?, reference_count: cursor.u8()? })
}

fn triangle(cursor: &mut Cursor<'_>) -> Result<Triangle, ReadError> {
    Ok(Triangle {
        flags: cursor.u16()?,
        vertex_indices: [cursor.u16()?, cursor.u16()?, cursor.u16()?],
        vertex_normals: [cursor.floats()?, cursor.floats()?, cursor.floats()?],
        s: cursor.floats()?,
        t: cursor.floats()?,
        smoothing_group: cursor.u8()?,
        group_index: cursor.u8()?,
    })
}

fn group(cursor: &mut Cursor<'_>) -> Result<Group, ReadError> {
    let flags = cursor.u8()?;
    let name = cursor.text(NAME_BYTES)?;
    let count = cursor.count16(MAX_TRIANGLES_PER_GROUP, 2)?;
    let triangle_indices =
        cursor.take(2 * count)?.as_chunks().0.iter().map(|&index| u16::from_le_bytes(index)).collect();
    Ok(Group { flags, name, triangle_indices, material_index: cursor.i8()? })
}

fn material(cursor: &mut Cursor<'_>) -> Result<Material, ReadError> {
    Ok(Material {
        name: cursor.text(NAME_BYTES)?,
        ambient: cursor.floats()?,
        diffuse: cursor.floats()?,
        specular: cursor.floats()?,
        emissive: cursor.floats()?,
        shininess: cursor.f32()?,
        transparency: cursor.f32()?,
        mode: cursor.u8()?,
        texture: cursor.text(PATH_BYTES)?,
        alphamap: cursor.text(PATH_BYTES)?,
    })
}

fn keyframer(cursor: &mut Cursor<'_>) -> Result<Keyframer, ReadError> {
    cursor.enter(Section::Keyframer);
    Ok(Keyframer { fps: cursor.f32()?, current_time: cursor.f32()?, total_frames: cursor.i32()? })
}

fn joints(cursor: &mut Cursor<'_>, limits: &Limits) -> Result<Vec<Joint>, ReadError> {
    cursor.enter(Section::Joints);
    let count = cursor.count16(limits.joints, JOINT_BYTES)?;
    let mut keys_left = limits.keys;
    cursor.records(count, |cursor| {
        let flags = cursor.u8()?;
        let name = cursor.text(NAME_BYTES)?;
        let parent_name = cursor.text(NAME_BYTES)?;
        let rotation = cursor.floats()?;
        let position = cursor.floats()?;
        let counts_at = cursor.offset();
        let rotations = usize::from(cursor.u16()?);
        let translations = usize::from(cursor.u16()?);
        cursor.checked_count(counts_at, rotations + translations, keys_left, KEY_BYTES)?;
        keys_left -= rotations + translations;
        Ok(Joint {
            flags,
            name,
            parent_name,
            rotation,
            position,
            rotation_keys: keys(cursor, rotations)?,
            translation_keys: keys(cursor, translations)?,
        })
    })
}

fn keys(cursor: &mut Cursor<'_>, count: usize) -> Result<Vec<Key>, ReadError> {
    let mut keys = Vec::with_capacity(count);
    for _ in 0..count {
        keys.push(Key { time: cursor.f32()?, value: cursor.floats()? });
    }
    Ok(keys)
}
