//! Limits on the size of a file.

/// Limits that [`read`](super::read()) checks before it reserves memory.
///
/// Every table is also compared with the bytes that are there. But tables may share bytes, and equal frames are stored
/// once, so that a small file can ask for much: each limit here is for the model as a whole and is used up once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of each file. Unit: bytes.
    pub file_bytes: usize,
    /// Bones. The compiler writes up to 128.
    pub bones: usize,
    /// Records of all tables, and triangles; each takes up to 200 bytes, most 24 and less.
    pub records: usize,
    /// Frames of all channels of all sequences, two bytes each.
    pub frames: usize,
    /// Pixels of all textures, a byte each.
    pub pixels: usize,
}

impl Default for Limits {
    /// 256 MiB, 128 bones, 1 Mi records, 16 Mi frames, 64 Mi pixels.
    fn default() -> Self {
        Self { file_bytes: 256 << 20, bones: 128, records: 1 << 20, frames: 16 << 20, pixels: 64 << 20 }
    }
}
