//! Sequences, from the model's file and from its sequence files.

use std::collections::BTreeMap;

use super::bytes::{Budget, Bytes, Record, spend};
use super::{
    BlendAxis, Channel, Companion, Document, Event, Part, Place, ReadError, Sequence, Track, VERSION, Warning,
};

/// Bytes of a group's record before the offset of its data.
const GROUP_DATA: usize = 100;
/// Bytes of the header of a sequence file.
const GROUP_HEADER_BYTES: usize = 76;
/// Most blends of a sequence.
const MAX_BLENDS: usize = 32;
/// Bytes of the record of a bone's animation: six offsets.
const ANIMATION_BYTES: usize = 12;

/// Place of a sequence's numbers: file and offset.
#[derive(Clone, Copy)]
struct Numbers<'a> {
    file: Bytes<'a>,
    offset: i64,
}

/// Reads the sequences into `document`, whose bones and groups have been read.
pub(super) fn sequences(
    file: Bytes<'_>,
    header: &Record<'_>,
    budget: &mut Budget,
    companion: &mut dyn FnMut(Companion) -> Result<Vec<u8>, String>,
    document: &mut Document,
) -> Result<(), ReadError> {
    let records = file.table(Part::Sequences, header.span(164), 176, budget)?;
    let groups = file.table(Part::SequenceGroups, header.span(172), 104, budget)?;
    let own_offset = groups.clone().next().map_or(0, |group| i64::from(group.i32(GROUP_DATA)));
    let mut files: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    for group in 1..groups.len() {
        let of_group =
            companion(Companion::Group(group)).and_then(|bytes| checked_group(bytes, budget.limits.file_bytes));
        match of_group {
            Ok(bytes) => {
                document.bytes += bytes.len();
                files.insert(group, bytes);
            }
            Err(why) => {
                document.warnings.push(Warning::Companion { companion: Companion::Group(group), why });
            }
        }
    }
    for (index, record) in records.enumerate() {
        let group = record.index("sequence group", record.i32(156), groups.len().max(1));
        let read = group.and_then(|group| {
            let offset = i64::from(record.i32(124));
            let numbers = match (group, files.get(&group)) {
                (0, _) => Numbers { file, offset: own_offset + offset },
                (_, Some(bytes)) => Numbers { file: Bytes(bytes), offset },
                // A warning about its missing file has been given.
                (_, None) => return Ok(None),
            };
            sequence(file, &record, numbers, group, budget, document.bones.len()).map(Some)
        });
        match read {
            Ok(sequence) => document.sequences.extend(sequence),
            Err(why) => document.warnings.push(Warning::Sequence { index, name: record.text(0, 32), why }),
        }
    }
    Ok(())
}

/// Checks that the bytes are a sequence file of this version.
fn checked_group(bytes: Vec<u8>, limit: usize) -> Result<Vec<u8>, String> {
    if bytes.len() > limit {
        return Err(ReadError::FileTooLarge { bytes: bytes.len(), limit }.to_string());
    }
    let at = Place { part: Part::Header, record: None, offset: 0 };
    let header = Bytes(&bytes).record(at, GROUP_HEADER_BYTES).map_err(|error| error.to_string())?;
    if !header.bytes.starts_with(b"IDSQ") || header.i32(4) != VERSION {
        return Err("it is no sequence file of this version".into());
    }
    Ok(bytes)
}

fn sequence(
    file: Bytes<'_>,
    record: &Record<'_>,
    numbers: Numbers<'_>,
    group: usize,
    budget: &mut Budget,
    bones: usize,
) -> Result<Sequence, ReadError> {
    let count = |at: usize, least: i32, limit: usize| {
        let count = record.i32(at);
        let found = usize::try_from(count).ok().filter(|&found| count >= least && found <= limit);
        found.ok_or(ReadError::Count { at: record.at, count: count.into(), limit })
    };
    let frames = count(56, 1, budget.limits.frames)?;
    let blends = count(120, 1, MAX_BLENDS)?;
    let event = |event: Record<'_>| Event { frame: event.i32(0), event: event.i32(4), options: event.text(12, 64) };
    // Without bones nothing moves: the sequence keeps its name and length.
    let motion_bone = if bones == 0 { 0 } else { record.index("motion bone", record.i32(72), bones)? };
    Ok(Sequence {
        name: record.text(0, 32),
        fps: record.f32(32),
        loops: record.i32(36) & 1 != 0,
        activity: record.integers(40),
        events: file.table(Part::Events, record.span(48), 76, budget)?.map(event).collect(),
        frames,
        motion_kind: record.i32(68),
        motion_bone,
        movement: record.floats(76),
        bounds: [record.floats(96), record.floats(108)],
        blend_axes: [0, 1].map(|axis| BlendAxis {
            kind: record.i32(128 + 4 * axis),
            start: record.f32(136 + 4 * axis),
            end: record.f32(144 + 4 * axis),
        }),
        blends: (0..blends).map(|blend| tracks(numbers, blend, frames, budget, bones)).collect::<Result<_, _>>()?,
        group,
    })
}

/// Tracks of all bones in one blend.
fn tracks(
    numbers: Numbers<'_>,
    blend: usize,
    frames: usize,
    budget: &mut Budget,
    bones: usize,
) -> Result<Vec<Track>, ReadError> {
    let mut tracks = Vec::with_capacity(bones);
    let first = Place { part: Part::Animation, record: None, offset: numbers.offset };
    spend(&mut budget.records, first, bones)?;
    for bone in 0..bones {
        let offset = numbers.offset + (ANIMATION_BYTES * (blend * bones + bone)) as i64;
        let at = Place { part: Part::Animation, record: Some(bone), offset };
        let record = numbers.file.record(at, ANIMATION_BYTES)?;
        let mut track = Track::default();
        for (index, channel) in track.channels.iter_mut().enumerate() {
            let from_record = record.u16(2 * index);
            if from_record != 0 {
                let at = Place { offset: offset + i64::from(from_record), ..at };
                spend(&mut budget.frames, at, frames)?;
                *channel = read_channel(numbers.file, at, frames)?;
            }
        }
        tracks.push(track);
    }
    Ok(tracks)
}

/// Reads a channel, stored as runs: a number of values, and a number of frames, through the rest of which the last
/// value holds.
fn read_channel(file: Bytes<'_>, mut at: Place, frames: usize) -> Result<Channel, ReadError> {
    let mut values = Vec::with_capacity(frames.min(file.0.len()));
    while values.len() < frames {
        let run = file.record(at, 2)?;
        let [valid, total] = [run.bytes[0], run.bytes[1]].map(usize::from);
        if valid == 0 || total == 0 {
            return Err(ReadError::EmptyRun { at });
        }
        let numbers = file.record(Place { offset: at.offset + 2, ..at }, 2 * valid)?;
        let shown = total.min(frames - values.len());
        values.extend((0..shown).map(|frame| numbers.i16(2 * frame.min(valid - 1))));
        at.offset += (2 + 2 * valid) as i64;
    }
    Ok(Channel(values))
}
