//! A position in the file's bytes that stays inside them.

use super::raw::Text;
use super::{Location, ReadError, Section};

/// Reads little-endian fields from front to back and tracks the current record, which its errors name.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
    section: Section,
    record: Option<usize>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, section: Section::Header, record: None }
    }

    /// From here on, fields belong to `section` as a whole.
    pub(super) fn enter(&mut self, section: Section) {
        self.section = section;
        self.record = None;
    }

    pub(super) fn location(&self) -> Location {
        self.location_of(self.offset)
    }

    fn location_of(&self, offset: usize) -> Location {
        Location { section: self.section, record: self.record, offset }
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.offset
    }

    /// Everything from `offset` on, which must be one that [`Self::offset`] gave.
    pub(super) fn rest_from(&self, offset: usize) -> &'a [u8] {
        &self.bytes[offset..]
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], ReadError> {
        let taken = self.bytes[self.offset..].get(..count).ok_or_else(|| ReadError::CutShort {
            at: self.location(),
            needed: count,
            left: self.left(),
        })?;
        self.offset += count;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn u8(&mut self) -> Result<u8, ReadError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn i8(&mut self) -> Result<i8, ReadError> {
        Ok(i8::from_le_bytes(self.array()?))
    }

    pub(super) fn u16(&mut self) -> Result<u16, ReadError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, ReadError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn i32(&mut self) -> Result<i32, ReadError> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    pub(super) fn f32(&mut self) -> Result<f32, ReadError> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    pub(super) fn floats<const N: usize>(&mut self) -> Result<[f32; N], ReadError> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.f32()?;
        }
        Ok(floats)
    }

    /// `count` records, numbered for errors; the count must have been checked.
    pub(super) fn records<T>(
        &mut self,
        count: usize,
        mut record: impl FnMut(&mut Self) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        let mut list = Vec::with_capacity(count);
        for index in 0..count {
            self.record = Some(index);
            list.push(record(self)?);
        }
        Ok(list)
    }

    /// Reads a string field of fixed width, up to its first NUL.
    pub(super) fn text(&mut self, width: usize) -> Result<Text, ReadError> {
        let field = self.take(width)?;
        let length = field.iter().position(|&b| b == 0).unwrap_or(width);
        Ok(Text(field[..length].to_vec()))
    }

    /// A 16-bit count of records, compared with `limit` and with the bytes left, before memory is reserved for it.
    pub(super) fn count16(&mut self, limit: usize, record_bytes: usize) -> Result<usize, ReadError> {
        let at = self.offset;
        let count = usize::from(self.u16()?);
        self.checked_count(at, count, limit, record_bytes)
    }

    /// A 32-bit count of records, compared with `limit` and with the bytes left, before memory is reserved for it.
    pub(super) fn count32(&mut self, limit: usize, record_bytes: usize) -> Result<usize, ReadError> {
        let at = self.offset;
        let count = usize::try_from(self.u32()?).unwrap_or(usize::MAX);
        self.checked_count(at, count, limit, record_bytes)
    }

    /// `count` if so many records are allowed and fit into the bytes left; `offset` is that of the count.
    pub(super) fn checked_count(
        &self,
        offset: usize,
        count: usize,
        limit: usize,
        record_bytes: usize,
    ) -> Result<usize, ReadError> {
        let at = self.location_of(offset);
        if count > limit {
            return Err(ReadError::TooMany { at, count, limit });
        }
        match count.checked_mul(record_bytes) {
            Some(bytes) if bytes <= self.left() => Ok(count),
            _ => Err(ReadError::CountBeyondEnd { at, count, record_bytes, left: self.left() }),
        }
    }
}
