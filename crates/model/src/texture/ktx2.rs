//! KTX2 files with a texture of Basis Universal, ETC1S or UASTC, as glTF's `KHR_texture_basisu` has them.

use basisu::{DecodeFlags, TargetFormat, Transcoder};

use super::{MAX_DECODED_BYTES, MAX_SIDE, TextureError};
use crate::Image;

/// First bytes of a file.
const MAGIC: &[u8; 12] = b"\xabKTX 20\xbb\r\n\x1a\n";
/// Bytes of the header before its list of levels, and of a level in that list.
const HEADER_BYTES: usize = 80;
const LEVEL_BYTES: u64 = 24;
/// Place of the offset and length of the file's notes in the header.
const NOTES: std::ops::Range<usize> = 56..64;

/// Colour models of Basis Universal, among those of Khronos.
const ETC1S: u32 = 163;
const UASTC: u32 = 166;
/// Ways of compressing levels.
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;
/// Bytes of a UASTC block of 4 x 4 texels.
const BLOCK_BYTES: u64 = 16;

/// Whether a file is of this format.
pub(super) fn is_ktx2(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Decodes the largest level of a flat picture.
pub(super) fn decode(name: &str, bytes: &[u8]) -> Result<Image, TextureError> {
    let damaged = || TextureError::Decode("its KTX2 header is damaged".into());
    let header = Header::read(bytes).ok_or_else(damaged)?;
    let (width, height) = (header.width, header.height);
    if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE {
        return Err(TextureError::Side { width, height });
    }
    let decoded_bytes = 4 * u64::from(width) * u64::from(height);
    if decoded_bytes > MAX_DECODED_BYTES {
        return Err(TextureError::TooManyBytes { bytes: decoded_bytes });
    }
    if let Some(refusal) = header.refusal() {
        return Err(TextureError::Decode(refusal));
    }
    header.check_lengths(bytes).ok_or_else(damaged)?;
    // Without its notes, which tell nothing here.
    let mut bytes = bytes.to_vec();
    bytes[NOTES].fill(0);
    let decoded = Transcoder::new(&bytes).and_then(|file| file.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE));
    let rgba = decoded.map_err(|_| TextureError::Decode("its KTX2 data is damaged".into()))?;
    if rgba.len() as u64 != decoded_bytes {
        return Err(damaged());
    }
    Ok(Image { name: name.to_owned(), width, height, rgba })
}

/// Numbers of a file's header.
struct Header {
    /// Vulkan's number of the format; 0 for those of Basis Universal.
    format: u32,
    width: u32,
    height: u32,
    depth: u32,
    layers: u32,
    faces: u32,
    levels: u32,
    /// Way of compressing levels.
    scheme: u32,
    /// Colour model, out of the description of the data.
    model: u32,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let [format, width, height, depth] = [12, 20, 24, 28].map(|at| number(bytes, at));
        let [layers, faces, levels, scheme] = [32, 36, 40, 44].map(|at| number(bytes, at));
        let description = part(bytes, number(bytes, 48)?.into(), number(bytes, 52)?.into())?;
        Some(Self {
            format: format?,
            width: width?,
            height: height?,
            depth: depth?,
            layers: layers?,
            faces: faces?,
            levels: levels?,
            scheme: scheme?,
            model: number(description, 12)? & 0xff,
        })
    }

    /// Reason that a sound file is not read; `None` if it is.
    fn refusal(&self) -> Option<String> {
        let Self { format, model, scheme, .. } = self;
        if self.depth != 0 || self.layers > 1 || self.faces != 1 {
            return Some("it is KTX2, but no single flat picture".into());
        }
        let is_basis = *format == 0 && matches!((*model, *scheme), (ETC1S, BASIS_LZ) | (UASTC, 0 | ZSTANDARD));
        (!is_basis).then(|| {
            format!(
                "it is KTX2 of format {format}, colour model {model} and compression {scheme}; only Basis Universal's \
                 ETC1S and UASTC are read"
            )
        })
    }

    /// Checks the lengths that the decoder takes as they are; `None` if one is wrong.
    fn check_lengths(&self, bytes: &[u8]) -> Option<()> {
        let levels = u64::from(self.levels);
        part(bytes, HEADER_BYTES as u64, levels * LEVEL_BYTES)?;
        let [offset, length, plain_length] = [0, 8, 16].map(|at| long(bytes, HEADER_BYTES + at));
        let level = part(bytes, offset?, length?)?;
        let blocks = u64::from(self.width.div_ceil(4)) * u64::from(self.height.div_ceil(4));
        match (self.model, self.scheme) {
            (UASTC, ZSTANDARD) => (plain_length? == blocks * BLOCK_BYTES).then_some(()),
            (UASTC, _) => (level.len() as u64 == blocks * BLOCK_BYTES).then_some(()),
            _ => {
                // Counts, three lengths, a record of 20 bytes for each level, then the three parts.
                let books = part(bytes, long(bytes, 64)?, long(bytes, 72)?)?;
                let lengths = [4, 8, 12].map(|at| number(books, at).map(u64::from));
                let parts: u64 = lengths.into_iter().sum::<Option<u64>>()?;
                (20 + 20 * levels + parts <= books.len() as u64).then_some(())
            }
        }
    }
}

/// A number of the header.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// A long number of the header.
fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The bytes of a part of the file.
fn part(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    bytes.get(usize::try_from(offset).ok()?..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of 8 x 8 texels: red and green halves, with blue and without alpha below.
    const SAMPLES: [(&str, &[u8]); 3] = [
        ("etc1s", include_bytes!("../../../../fuzz/corpus/texture/etc1s.ktx2")),
        ("uastc", include_bytes!("../../../../fuzz/corpus/texture/uastc.ktx2")),
        ("uastc-zstd", include_bytes!("../../../../fuzz/corpus/texture/uastc-zstd.ktx2")),
    ];

    #[test]
    fn texels_are_near_those_that_were_encoded() {
        for (name, bytes) in SAMPLES {
            let image = decode(name, bytes).expect(name);
            assert_eq!((image.width, image.height), (8, 8));
            for (place, texel) in image.rgba.as_chunks::<4>().0.iter().enumerate() {
                let (is_left, is_above) = (place % 8 < 4, place < 32);
                let [r, g] = if is_left { [200, 40] } else { [40, 200] };
                let [b, a] = if is_above { [0, 255] } else { [120, 0] };
                let is_near =
                    texel.iter().zip([r, g, b, a]).all(|(found, wanted): (&u8, u8)| found.abs_diff(wanted) < 16);
                assert!(is_near, "{name} {place}: {texel:?}");
            }
        }
    }

    #[test]
    fn other_kinds_are_refused_by_name() {
        let refused = |at: usize, value: u8| {
            let mut bytes = SAMPLES[1].1.to_vec();
            bytes[at] = value;
            decode("a.ktx2", &bytes).expect_err("refused").to_string()
        };
        assert!(refused(12, 37).contains("format 37"), "plain RGBA");
        assert!(refused(44, 3).contains("compression 3"), "zlib");
        assert!(refused(36, 6).contains("no single flat picture"), "a cube");
        assert!(refused(22, 1).contains("65544 x 8 pixels"));
        assert!(refused(20, 16).contains("header is damaged"), "twice as wide");
    }

    #[test]
    fn damaged_files_are_refused_or_decoded_but_never_panic() {
        let mut below = crate::tests::random_below();
        for (name, bytes) in SAMPLES {
            assert!((0..bytes.len()).all(|end| decode(name, &bytes[..end]).is_err()), "{name}");
            for _ in 0..4000 {
                let mut damaged = bytes.to_vec();
                for _ in 0..=below(4) {
                    let at = below(bytes.len());
                    // Large pictures take long.
                    if !(20..28).contains(&at) {
                        damaged[at] = below(256) as u8;
                    }
                }
                if let Ok(image) = decode(name, &damaged) {
                    assert_eq!(image.rgba.len(), 256);
                }
            }
        }
    }
}
