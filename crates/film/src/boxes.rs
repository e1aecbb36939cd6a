//! Boxes of an MP4 file that tell players how to show its pictures: `st3d` and `sv3d` of Spherical Video V2.
//!
//! <https://github.com/google/spatial-media/blob/master/docs/spherical-video-v2-rfc.md>. `ffmpeg` has no argument for
//! them, but can be made to leave room: the name of the track's handler is padded by as many bytes, which move to the
//! sample description when the file is written. So the header keeps its length, and every offset to a frame holds.

use std::ops::Range;

use render::Stereo;
use storage::OutStream;

use crate::FilmError;
use crate::panorama::Projection;

/// Name that `ffmpeg` itself gives the handler.
const HANDLER: &str = "VideoHandler";
/// Byte that pads the handler's name.
const FILL: u8 = b'_';
/// Length of a box's size and type. Unit: bytes.
const HEAD: usize = 8;
/// The longest header that is looked at, of a film of a day. Unit: bytes.
const MAX_HEADER: u64 = 512 << 20;

/// Boxes that a film needs; none if players expect its pictures anyway.
pub fn of(projection: Projection, stereo: Stereo) -> Vec<u8> {
    let full = |name: &[u8; 4], contents: &[u8]| boxed(name, &[&[0; 4], contents].concat());
    let eyes = match stereo {
        Stereo::Off | Stereo::Anaglyph => 0,
        Stereo::TopBottom => 1,
        Stereo::SideBySide => 2,
    };
    match projection {
        Projection::Perspective if eyes == 0 => Vec::new(),
        Projection::Perspective => full(b"st3d", &[eyes]),
        Projection::Equirect | Projection::Vr180 => {
            // Shares of the sphere that are cut off above, below, to the left and to the right, in 32 bits.
            let aside = if projection == Projection::Vr180 { 1u32 << 30 } else { 0 };
            let cropped = [0, 0, aside, aside].map(u32::to_be_bytes).concat();
            // Not rotated.
            let all_round = [full(b"prhd", &[0; 12]), full(b"equi", &cropped)].concat();
            let source = full(b"svhd", b"Pelagic\0");
            let spherical = boxed(b"sv3d", &[source, boxed(b"proj", &all_round)].concat());
            [full(b"st3d", &[eyes]), spherical].concat()
        }
    }
}

/// The handler's name that leaves room for boxes.
pub fn handler_name(boxes: &[u8]) -> String {
    format!("{HANDLER}{}", char::from(FILL).to_string().repeat(boxes.len()))
}

/// Puts boxes into a file that `ffmpeg` has written with [`handler_name`] and its header first. `false` if there is no
/// room for them.
///
/// # Errors
/// If the file cannot be read or written.
pub fn put(out: &mut OutStream, boxes: &[u8]) -> Result<bool, FilmError> {
    let unread = |error: std::io::Error| FilmError::File { path: out.growing().into(), why: error.to_string() };
    let start = storage::read_start(out.growing(), 1 << 12).map_err(unread)?;
    let file = 0..usize::MAX;
    let Some(header) = child(&start, &file, 0, Some(b"moov")).filter(|header| header.end as u64 <= MAX_HEADER) else {
        return Ok(false);
    };
    let bytes = storage::read_start(out.growing(), header.end as u64).map_err(unread)?;
    let Some(placed) = bytes.get(header.clone()).and_then(|moov| with_boxes(moov, boxes)) else { return Ok(false) };
    out.amend(header.start as u64, &placed)?;
    Ok(true)
}

/// Returns a header of the same length with boxes in the description of its first track's pictures; `None` if it has no
/// room.
fn with_boxes(moov: &[u8], boxes: &[u8]) -> Option<Vec<u8>> {
    let inner = |parent: &Range<usize>, name| child(moov, parent, HEAD, Some(name));
    let media = inner(&inner(&(0..moov.len()), b"trak")?, b"mdia")?;
    let (handler, information) = (inner(&media, b"hdlr")?, inner(&media, b"minf")?);
    let samples = inner(&information, b"stbl")?;
    let descriptions = inner(&samples, b"stsd")?;
    // Behind its version and the number of entries.
    let entry = child(moov, &descriptions, HEAD + 8, None)?;
    // A zero ends the name.
    let room = handler.end.checked_sub(1 + boxes.len())?..handler.end - 1;
    let is_free = room.start > handler.start && moov[room.clone()].iter().all(|byte| *byte == FILL);
    if !is_free || handler.end > information.start || entry.end > moov.len() {
        return None;
    }
    let mut placed = moov.to_vec();
    let mut resize = |at: &Range<usize>, length: usize| {
        placed[at.start..at.start + 4].copy_from_slice(&(length as u32).to_be_bytes());
    };
    for grown in [&information, &samples, &descriptions, &entry] {
        resize(grown, grown.len() + boxes.len());
    }
    resize(&handler, handler.len() - boxes.len());
    placed.splice(entry.end..entry.end, boxes.iter().copied());
    placed.drain(room);
    Some(placed)
}

/// Range of the first box with that name, or of any name, within `parent`, from `skip` bytes after its beginning.
fn child(bytes: &[u8], parent: &Range<usize>, skip: usize, name: Option<&[u8; 4]>) -> Option<Range<usize>> {
    let mut at = parent.start + skip;
    loop {
        let head = bytes.get(at..at + HEAD)?;
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        // 0 and 1 stand for lengths that headers do not have.
        let end = at.checked_add(length).filter(|end| length >= HEAD && *end <= parent.end)?;
        if name.is_none_or(|name| head[4..] == *name) {
            return Some(at..end);
        }
        at = end;
    }
}

fn boxed(name: &[u8; 4], contents: &[u8]) -> Vec<u8> {
    let length = (HEAD + contents.len()) as u32;
    [&length.to_be_bytes(), name.as_slice(), contents].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header as `ffmpeg` writes it, as far as it matters.
    fn header(handler: &str) -> Vec<u8> {
        let name = [&[0; 24], handler.as_bytes(), &[0]].concat();
        let entry = boxed(b"avc1", &[0; 78]);
        let descriptions = boxed(b"stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1], &entry[..]].concat());
        let samples = boxed(b"stbl", &[descriptions, boxed(b"stts", &[0; 8])].concat());
        let information = boxed(b"minf", &[boxed(b"vmhd", &[0; 12]), samples].concat());
        let media = boxed(b"mdia", &[boxed(b"mdhd", &[0; 24]), boxed(b"hdlr", &name), information].concat());
        boxed(b"moov", &[boxed(b"mvhd", &[0; 100]), boxed(b"trak", &media)].concat())
    }

    /// Every box on the way, from its name to its length.
    fn outline(bytes: &[u8]) -> Vec<(String, usize)> {
        let (mut at, mut found) = (0, Vec::new());
        while let Some(head) = bytes.get(at..at + HEAD) {
            let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
            let name = String::from_utf8(head[4..].to_vec()).expect("a name");
            found.push((name.clone(), length));
            at += match &*name {
                "moov" | "trak" | "mdia" | "minf" | "stbl" => HEAD,
                "stsd" => HEAD + 8,
                "avc1" => HEAD + 78,
                _ => length,
            };
        }
        assert_eq!(at, bytes.len(), "boxes fill it");
        found
    }

    #[test]
    fn boxes_move_into_the_room_that_was_left() {
        let boxes = of(Projection::Equirect, Stereo::TopBottom);
        let before = header(&handler_name(&boxes));
        let after = with_boxes(&before, &boxes).expect("there is room");
        assert_eq!(after.len(), before.len());
        let lengths = |bytes: &[u8]| outline(bytes);
        let expected: Vec<_> = lengths(&header(HANDLER))
            .into_iter()
            .map(|(name, length)| match &*name {
                "hdlr" | "mvhd" | "mdhd" | "vmhd" | "stts" => (name, length),
                _ => (name, length + boxes.len()),
            })
            .collect();
        let found: Vec<_> = lengths(&after).into_iter().filter(|(name, _)| name != "st3d" && name != "sv3d").collect();
        assert_eq!(found, expected);
        assert!(lengths(&after).contains(&("st3d".into(), 13)));
    }

    #[test]
    fn a_file_without_room_is_left_alone() {
        let boxes = of(Projection::Perspective, Stereo::SideBySide);
        let whole = header(&handler_name(&boxes));
        assert!(with_boxes(&header(HANDLER), &boxes).is_none());
        for end in 0..whole.len() {
            assert!(with_boxes(&whole[..end], &boxes).is_none(), "cut at {end}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x81;
            // On any damage the length stays and nothing panics.
            assert!(with_boxes(&damaged, &boxes).is_none_or(|placed| placed.len() == whole.len()), "damaged at {at}");
        }
        assert!(of(Projection::Perspective, Stereo::Anaglyph).is_empty());
    }
}
