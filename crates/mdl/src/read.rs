//! The header, the skeleton and the tables attached to it; the other tables have files of their own.

use super::bytes::{Budget, Bytes, Record};
use super::companion::Companion;
use super::header::open;
use super::{
    Attachment, Bone, Controller, Document, HitBox, Limits, Part, Place, ReadError, SequenceGroup, Warning,
    read_bodies, read_sequences, read_textures,
};

/// Bits of a bone's flags that the original format does not use.
const EXTENDED_BONE: i32 = 0xC000_0000_u32 as i32;

/// Reads a model; `companion` gives the bytes of its other files, or says why it cannot.
///
/// # Errors
/// If the skeleton or a body part is damaged, or exceeds `limits`. Sequences, textures and other files that cannot be
/// used are left out with a warning.
pub fn read(
    bytes: &[u8],
    limits: &Limits,
    companion: &mut dyn FnMut(Companion) -> Result<Vec<u8>, String>,
) -> Result<Document, ReadError> {
    let (file, header) = open(bytes, limits)?;
    let mut budget = Budget::new(*limits);
    let budget = &mut budget;
    let mut document = Document {
        name: header.text(8, 64),
        eye: header.floats(76),
        hull: [header.floats(88), header.floats(100)],
        view_box: [header.floats(112), header.floats(124)],
        flags: header.i32(136),
        bytes: bytes.len(),
        ..Document::default()
    };
    let said = header.i32(72);
    if usize::try_from(said) != Ok(bytes.len()) {
        document.warnings.push(Warning::Length { said, length: bytes.len() });
    }
    document.bones = bones(file, &header, budget, &mut document.warnings)?;
    let bones = document.bones.len();
    document.body_parts = read_bodies::body_parts(file, &header, budget, bones)?;
    if document.body_parts.is_empty() {
        document.warnings.push(Warning::NothingDrawn);
    }
    let beside = [
        controllers(file, &header, budget, bones).map(|list| document.controllers = list),
        hit_boxes(file, &header, budget, bones).map(|list| document.hit_boxes = list),
        attachments(file, &header, budget, bones).map(|list| document.attachments = list),
        groups(file, &header, budget).map(|list| document.groups = list),
    ];
    document.warnings.extend(beside.into_iter().filter_map(Result::err).map(|why| Warning::Table { why }));
    read_sequences::sequences(file, &header, budget, companion, &mut document)?;
    read_textures::textures(file, &header, budget, companion, &mut document)?;
    Ok(document)
}

fn bones(
    file: Bytes<'_>,
    header: &Record<'_>,
    budget: &mut Budget,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Bone>, ReadError> {
    let records = file.table(Part::Bones, header.span(140), 112, budget)?;
    let (at, limit) = (Place { part: Part::Bones, ..header.at }, budget.limits.bones);
    if records.len() > limit {
        return Err(ReadError::Count { at, count: records.len() as i64, limit });
    }
    let mut bones = Vec::with_capacity(records.len());
    for (index, record) in records.enumerate() {
        let parent = match record.i32(32) {
            -1 => None,
            parent => match usize::try_from(parent) {
                Ok(before) if before < index => Some(before),
                _ => return Err(ReadError::ParentAfterChild { at: record.at, parent }),
            },
        };
        let flags = record.i32(36);
        if flags & EXTENDED_BONE != 0 {
            warnings.push(Warning::Extension { at: record.at, flags: flags & EXTENDED_BONE });
        }
        bones.push(Bone {
            name: record.text(0, 32),
            parent,
            flags,
            controllers: record.integers(40).map(|controller| usize::try_from(controller).ok()),
            value: record.floats(64),
            scale: record.floats(88),
        });
    }
    Ok(bones)
}

fn controllers(
    file: Bytes<'_>,
    header: &Record<'_>,
    budget: &mut Budget,
    bones: usize,
) -> Result<Vec<Controller>, ReadError> {
    let records = file.table(Part::Controllers, header.span(148), 24, budget)?;
    let controller = |record: Record<'_>| {
        Ok(Controller {
            bone: record.index("bone", record.i32(0), bones)?,
            kind: record.i32(4),
            start: record.f32(8),
            end: record.f32(12),
            rest: record.i32(16),
            input: record.i32(20),
        })
    };
    records.map(controller).collect()
}

fn hit_boxes(
    file: Bytes<'_>,
    header: &Record<'_>,
    budget: &mut Budget,
    bones: usize,
) -> Result<Vec<HitBox>, ReadError> {
    let records = file.table(Part::HitBoxes, header.span(156), 32, budget)?;
    let hit_box = |record: Record<'_>| {
        Ok(HitBox {
            bone: record.index("bone", record.i32(0), bones)?,
            group: record.i32(4),
            corners: [record.floats(8), record.floats(20)],
        })
    };
    records.map(hit_box).collect()
}

fn attachments(
    file: Bytes<'_>,
    header: &Record<'_>,
    budget: &mut Budget,
    bones: usize,
) -> Result<Vec<Attachment>, ReadError> {
    let records = file.table(Part::Attachments, header.span(212), 88, budget)?;
    let attachment = |record: Record<'_>| {
        Ok(Attachment {
            name: record.text(0, 32),
            bone: record.index("bone", record.i32(36), bones)?,
            origin: record.floats(40),
        })
    };
    records.map(attachment).collect()
}

fn groups(file: Bytes<'_>, header: &Record<'_>, budget: &mut Budget) -> Result<Vec<SequenceGroup>, ReadError> {
    let records = file.table(Part::SequenceGroups, header.span(172), 104, budget)?;
    Ok(records.map(|record| SequenceGroup { label: record.text(0, 32), file: record.text(32, 64) }).collect())
}
