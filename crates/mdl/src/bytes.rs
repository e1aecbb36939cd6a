//! A file's bytes, read at offsets that stay inside them.

use super::{Limits, Part, Place, ReadError};

/// Remainder of the limits, for all files of a model.
pub(super) struct Budget {
    pub limits: Limits,
    pub records: usize,
    pub frames: usize,
    pub pixels: usize,
}

impl Budget {
    pub fn new(limits: Limits) -> Self {
        Self { limits, records: limits.records, frames: limits.frames, pixels: limits.pixels }
    }
}

/// Takes `count` from `left`, the remainder of a limit.
pub(super) fn spend(left: &mut usize, at: Place, count: usize) -> Result<(), ReadError> {
    *left = left.checked_sub(count).ok_or(ReadError::Count { at, count: count as i64, limit: *left })?;
    Ok(())
}

/// The bytes of a file.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

/// A record: its bytes, and their place.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub bytes: &'a [u8],
    pub at: Place,
}

/// Number of records and offset of a table, as the file gives them.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub count: i32,
    pub offset: i32,
}

impl<'a> Bytes<'a> {
    /// `count` bytes from `at.offset` on.
    pub fn take(self, at: Place, count: u64) -> Result<&'a [u8], ReadError> {
        let outside = ReadError::Outside { at, bytes: count, length: self.0.len() };
        let (start, count) = (usize::try_from(at.offset), usize::try_from(count));
        let (Ok(start), Ok(count)) = (start, count) else { return Err(outside) };
        start.checked_add(count).and_then(|end| self.0.get(start..end)).ok_or(outside)
    }

    pub fn record(self, at: Place, bytes: usize) -> Result<Record<'a>, ReadError> {
        Ok(Record { bytes: self.take(at, bytes as u64)?, at })
    }

    /// The records of a table, `record_bytes` each.
    pub fn table(
        self,
        part: Part,
        span: Span,
        record_bytes: usize,
        budget: &mut Budget,
    ) -> Result<impl ExactSizeIterator<Item = Record<'a>> + Clone + use<'a>, ReadError> {
        let at = Place { part, record: None, offset: i64::from(span.offset) };
        let limit = budget.records;
        let count =
            usize::try_from(span.count).map_err(|_| ReadError::Count { at, count: span.count.into(), limit })?;
        // An empty table may point anywhere.
        let bytes = if count == 0 { &[] } else { self.take(at, (count * record_bytes) as u64)? };
        spend(&mut budget.records, at, count)?;
        Ok(bytes.chunks_exact(record_bytes).enumerate().map(move |(index, bytes)| Record {
            bytes,
            at: Place { part, record: Some(index), offset: at.offset + (index * record_bytes) as i64 },
        }))
    }
}

/// Fields by their offset in the record, which has been checked to be that long.
impl Record<'_> {
    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes[at..at + N]);
        array
    }

    pub fn i16(&self, at: usize) -> i16 {
        i16::from_le_bytes(self.array(at))
    }

    pub fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    pub fn i32(&self, at: usize) -> i32 {
        i32::from_le_bytes(self.array(at))
    }

    pub fn f32(&self, at: usize) -> f32 {
        f32::from_le_bytes(self.array(at))
    }

    pub fn integers<const N: usize>(&self, at: usize) -> [i32; N] {
        std::array::from_fn(|i| self.i32(at + 4 * i))
    }

    pub fn floats<const N: usize>(&self, at: usize) -> [f32; N] {
        std::array::from_fn(|i| self.f32(at + 4 * i))
    }

    pub fn span(&self, at: usize) -> Span {
        Span { count: self.i32(at), offset: self.i32(at + 4) }
    }

    /// Text of a field of fixed width, up to its first NUL.
    pub fn text(&self, at: usize, width: usize) -> String {
        let field = &self.bytes[at..at + width];
        let length = field.iter().position(|&byte| byte == 0).unwrap_or(width);
        String::from_utf8_lossy(&field[..length]).into_owned()
    }

    /// `index` if it is below `count`; `what` names the things that it counts, for the error.
    pub fn index(&self, what: &'static str, index: i32, count: usize) -> Result<usize, ReadError> {
        let found = usize::try_from(index).ok().filter(|&index| index < count);
        found.ok_or(ReadError::Index { at: self.at, what, index: index.into(), count })
    }
}
