//! Files embedded in the program: models packed to a fourteenth of their size, textures coded as lossless WebP whatever
//! their names; fonts unchanged.

use std::io::{self, ErrorKind, Read};

use flate2::read::ZlibDecoder;
use ms3d::columns;

use crate::once::once;

include!(concat!(env!("OUT_DIR"), "/bytes.rs"));

/// Whether the file called `name` is there or never will be: an embedded file need not be waited for.
pub fn ask(_: &str) -> bool {
    true
}

/// The bytes of the file called `name`; of a texture as it is embedded, as lossless WebP.
///
/// # Errors
/// If there is none ([`ErrorKind::NotFound`]).
pub fn read(name: &str) -> io::Result<&'static [u8]> {
    let &(name, bytes) = FILES.iter().find(|(file, _)| *file == name).ok_or(ErrorKind::NotFound)?;
    if !name.ends_with(".ms3d") {
        return Ok(bytes);
    }
    once(name, || {
        let mut packed = Vec::new();
        ZlibDecoder::new(bytes).read_to_end(&mut packed)?;
        columns::unpack(&packed).ok_or_else(|| ErrorKind::InvalidData.into())
    })
}
