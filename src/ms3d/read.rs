//! Bytes to data.

use super::cursor::Cursor;
use super::raw::*;
use super::{Limits, Location, MAGIC, NAME_BYTES, PATH_BYTES, Section};

/// What [`read`] made of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOutcome {
    /// The file's data.
    pub document: Document,
    /// What of the tail was not understood or not there; empty for an undamaged file.
    pub warnings: Vec<ReadWarning>,
}

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is longer than [`Limits::file_bytes`].
    #[error("the file has {bytes} bytes, more than the limit of {limit}")]
    FileTooLarge {
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The file does not start with [`MAGIC`].
    #[error(
        "header (byte 0): not a MilkShape 3D file: it starts with \"{}\" instead of \"MS3D000000\"",
        found.escape_ascii()
    )]
    NotMs3d {
        /// What it starts with.
        found: [u8; 10],
    },
    /// The version is neither 3 nor 4.
    #[error("header (byte 10): version {version} is not supported, only 3 and 4 are")]
    UnsupportedVersion {
        /// The version.
        version: i32,
    },
    /// The file ends inside a field or record.
    #[error("{at}: the file ends early: {needed} bytes needed, {left} left")]
    CutShort {
        /// Where the field begins.
        at: Location,
        /// Bytes it needs.
        needed: usize,
        /// Bytes there are.
        left: usize,
    },
    /// A count promises more records than the rest of the file can hold.
    #[error("{at}: {count} records of {record_bytes} bytes or more do not fit into the {left} bytes left")]
    CountBeyondEnd {
        /// Where the count is.
        at: Location,
        /// The count.
        count: usize,
        /// Bytes of the smallest possible record.
        record_bytes: usize,
        /// Bytes left after the count.
        left: usize,
    },
    /// A count is above a limit.
    #[error("{at}: {count} records are more than the limit of {limit}")]
    TooMany {
        /// Where the count is.
        at: Location,
        /// The count.
        count: usize,
        /// What the limits leave for it.
        limit: usize,
    },
    /// The number of model comments is neither 0 nor 1.
    #[error("{at}: {count} comments of the model, where only 0 or 1 can be")]
    ModelCommentCount {
        /// Where the count is.
        at: Location,
        /// The count.
        count: u32,
    },
}

impl ReadError {
    /// Where it went wrong; `None` when the file as a whole is too large.
    pub fn location(&self) -> Option<Location> {
        match *self {
            Self::FileTooLarge { .. } => None,
            Self::NotMs3d { .. } => Some(Location { section: Section::Header, record: None, offset: 0 }),
            Self::UnsupportedVersion { .. } => Some(Location { section: Section::Header, record: None, offset: 10 }),
            Self::CutShort { at, .. }
            | Self::CountBeyondEnd { at, .. }
            | Self::TooMany { at, .. }
            | Self::ModelCommentCount { at, .. } => Some(at),
        }
    }
}

/// Something about the tail that does not stop the rest from being used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadWarning {
    /// A section of the tail is damaged: it and all after it are dropped.
    #[error("{section} (byte {offset}): damaged, {dropped} bytes dropped from here on: {cause}")]
    DamagedTail {
        /// The first section dropped.
        section: Section,
        /// Where it begins.
        offset: usize,
        /// Bytes dropped.
        dropped: usize,
        /// What is wrong with it.
        cause: ReadError,
    },
    /// A section of the tail has a sub-version nobody documented: from there on, bytes are kept as they are.
    #[error("{section} (byte {offset}): unknown sub-version {sub_version}, {kept} bytes kept unread from here on")]
    UnknownSubVersion {
        /// The section.
        section: Section,
        /// Where it begins.
        offset: usize,
        /// Its sub-version.
        sub_version: i32,
        /// Bytes kept in [`Tail::trailing`].
        kept: usize,
    },
    /// Bytes follow the last known section; they are kept in [`Tail::trailing`].
    #[error("trailing bytes (byte {offset}): {kept} bytes after the last section, kept unread")]
    TrailingBytes {
        /// Where they begin.
        offset: usize,
        /// How many there are.
        kept: usize,
    },
}

impl ReadWarning {
    /// What it is about.
    pub fn location(&self) -> Location {
        let (section, offset) = match *self {
            Self::DamagedTail { section, offset, .. } | Self::UnknownSubVersion { section, offset, .. } => {
                (section, offset)
            }
            Self::TrailingBytes { offset, .. } => (Section::Trailing, offset),
        };
        Location { section, record: None, offset }
    }
}

/// Reads a whole file.
///
/// Only structure is checked; see [`validate`](super::validate) for meaning. Version 3 (MilkShape 1.3) is read with
/// version 4's records and without a tail, as other loaders do; no sample of it was found to confirm that.
///
/// The tail may end at any section boundary. If it is damaged, what stands before the damage is kept and a warning
/// tells of the rest.
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
    document.tail = TailReader { cursor: &mut cursor, limits, warnings: &mut warnings }.tail(&document);
    Ok(ReadOutcome { document, warnings })
}

/// Smallest lengths of the records in the file.
pub(super) const VERTEX_BYTES: usize = 15;
pub(super) const TRIANGLE_BYTES: usize = 70;
/// Without its triangle indices, 2 bytes each.
pub(super) const GROUP_BYTES: usize = 36;
pub(super) const MATERIAL_BYTES: usize = 361;
/// Without its keys.
pub(super) const JOINT_BYTES: usize = 93;
pub(super) const KEY_BYTES: usize = 16;
/// Without its text.
pub(super) const COMMENT_BYTES: usize = 8;
pub(super) const JOINT_EX_BYTES: usize = 12;

/// Length of a `vertex_ex` record, `None` for an unknown sub-version.
pub(super) fn vertex_ex_bytes(sub_version: i32) -> Option<usize> {
    match sub_version {
        1 => Some(6),
        2 => Some(10),
        3 => Some(14),
        _ => None,
    }
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
    counted(cursor, count, record)
}

fn counted<T>(
    cursor: &mut Cursor<'_>,
    count: usize,
    mut record: impl FnMut(&mut Cursor<'_>) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    let mut list = Vec::with_capacity(count);
    for index in 0..count {
        cursor.enter_record(index);
        list.push(record(cursor)?);
    }
    Ok(list)
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
    let count = cursor.count16(super::MAX_TRIANGLES_PER_GROUP, 2)?;
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
    counted(cursor, count, |cursor| {
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
    (0..count).map(|_| Ok(Key { time: cursor.f32()?, value: cursor.floats()? })).collect()
}

/// Reads what follows the joints and never fails: damage ends the tail with a warning.
struct TailReader<'r, 'a> {
    cursor: &'r mut Cursor<'a>,
    limits: &'r Limits,
    warnings: &'r mut Vec<ReadWarning>,
}

impl TailReader<'_, '_> {
    fn tail(&mut self, document: &Document) -> Tail {
        let mut tail = Tail::default();
        if document.version == 3 {
            self.keep_trailing(&mut tail);
            return tail;
        }
        let limits = self.limits;
        tail.comments = self.section(&mut tail, Section::Comments, |cursor, sub_version| {
            (sub_version == 1).then(|| comments(cursor, limits))
        });
        if tail.comments.is_none() {
            return tail;
        }
        let vertices = document.vertices.len();
        tail.vertex_ex = self.section(&mut tail, Section::VertexEx, |cursor, sub_version| {
            vertex_ex_bytes(sub_version).map(|record_bytes| vertex_ex(cursor, sub_version, record_bytes, vertices))
        });
        if tail.vertex_ex.is_none() {
            return tail;
        }
        let joints = document.joints.len();
        tail.joint_ex = self.section(&mut tail, Section::JointEx, |cursor, sub_version| {
            (sub_version == 1).then(|| joint_ex(cursor, joints))
        });
        if tail.joint_ex.is_none() {
            return tail;
        }
        tail.model_ex = self
            .section(&mut tail, Section::ModelEx, |cursor, sub_version| (sub_version == 1).then(|| model_ex(cursor)));
        if tail.model_ex.is_some() {
            self.keep_trailing(&mut tail);
        }
        tail
    }

    /// One section, `None` where the tail ends: at the end of the file, at damage, at a sub-version that `read` does
    /// not know (it then answers `None`).
    fn section<T>(
        &mut self,
        tail: &mut Tail,
        section: Section,
        read: impl FnOnce(&mut Cursor<'_>, i32) -> Option<Result<T, ReadError>>,
    ) -> Option<T> {
        let offset = self.cursor.offset();
        let left = self.cursor.left();
        if left == 0 {
            return None;
        }
        self.cursor.enter(section);
        let result = self.cursor.i32().and_then(|sub_version| match read(self.cursor, sub_version) {
            Some(result) => result.map(Ok),
            None => Ok(Err(sub_version)),
        });
        match result {
            Ok(Ok(content)) => Some(content),
            Ok(Err(sub_version)) => {
                tail.trailing = self.cursor.rest_from(offset).to_vec();
                self.warnings.push(ReadWarning::UnknownSubVersion { section, offset, sub_version, kept: left });
                None
            }
            Err(cause) => {
                self.warnings.push(ReadWarning::DamagedTail { section, offset, dropped: left, cause });
                None
            }
        }
    }

    fn keep_trailing(&mut self, tail: &mut Tail) {
        let (offset, kept) = (self.cursor.offset(), self.cursor.left());
        if kept > 0 {
            tail.trailing = self.cursor.rest_from(offset).to_vec();
            self.warnings.push(ReadWarning::TrailingBytes { offset, kept });
        }
    }
}

fn comments(cursor: &mut Cursor<'_>, limits: &Limits) -> Result<Comments, ReadError> {
    let mut comments_left = limits.comments;
    let mut list = |cursor: &mut Cursor<'_>, section| {
        cursor.enter(section);
        let count = cursor.count32(comments_left, COMMENT_BYTES)?;
        comments_left -= count;
        counted(cursor, count, |cursor| Ok(Comment { index: cursor.i32()?, text: comment_text(cursor)? }))
    };
    let groups = list(cursor, Section::GroupComments)?;
    let materials = list(cursor, Section::MaterialComments)?;
    let joints = list(cursor, Section::JointComments)?;
    cursor.enter(Section::ModelComment);
    let at = cursor.location();
    let model = match cursor.u32()? {
        0 => None,
        1 => Some(comment_text(cursor)?),
        count => return Err(ReadError::ModelCommentCount { at, count }),
    };
    Ok(Comments { sub_version: 1, groups, materials, joints, model })
}

fn comment_text(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, ReadError> {
    let length = cursor.count32(usize::MAX, 1)?;
    Ok(cursor.take(length)?.to_vec())
}

fn vertex_ex(
    cursor: &mut Cursor<'_>,
    sub_version: i32,
    record_bytes: usize,
    vertices: usize,
) -> Result<VertexExSection, ReadError> {
    cursor.checked_count(cursor.offset(), vertices, usize::MAX, record_bytes)?;
    let records = counted(cursor, vertices, |cursor| {
        Ok(VertexEx {
            bone_ids: [cursor.i8()?, cursor.i8()?, cursor.i8()?],
            weights: cursor.array()?,
            extra: [if sub_version >= 2 { cursor.u32()? } else { 0 }, if sub_version >= 3 { cursor.u32()? } else { 0 }],
        })
    })?;
    Ok(VertexExSection { sub_version, records })
}

fn joint_ex(cursor: &mut Cursor<'_>, joints: usize) -> Result<JointExSection, ReadError> {
    cursor.checked_count(cursor.offset(), joints, usize::MAX, JOINT_EX_BYTES)?;
    Ok(JointExSection { sub_version: 1, colors: counted(cursor, joints, |cursor| cursor.floats())? })
}

fn model_ex(cursor: &mut Cursor<'_>) -> Result<ModelEx, ReadError> {
    Ok(ModelEx {
        sub_version: 1,
        joint_size: cursor.f32()?,
        transparency_mode: cursor.i32()?,
        alpha_ref: cursor.f32()?,
    })
}
