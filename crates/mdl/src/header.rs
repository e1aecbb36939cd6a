//! The header of a file.

use super::bytes::{Bytes, Record};
use super::{Limits, Part, Place, ReadError};

/// The only version that can be read.
pub const VERSION: i32 = 10;

/// Bytes of the header.
const HEADER_BYTES: usize = 244;

/// Checks that a file begins as a model does; returns it and its header.
pub(super) fn open<'a>(bytes: &'a [u8], limits: &Limits) -> Result<(Bytes<'a>, Record<'a>), ReadError> {
    if bytes.len() > limits.file_bytes {
        return Err(ReadError::FileTooLarge { bytes: bytes.len(), limit: limits.file_bytes });
    }
    let file = Bytes(bytes);
    let at = |offset| Place { part: Part::Header, record: None, offset };
    let start = file.record(at(0), 8)?;
    let found = [0, 1, 2, 3].map(|i| start.bytes[i]);
    if found != *b"IDST" {
        return Err(ReadError::NotAModel { found });
    }
    let version = start.i32(4);
    if version != VERSION {
        return Err(ReadError::UnsupportedVersion { version });
    }
    Ok((file, file.record(at(0), HEADER_BYTES)?))
}
