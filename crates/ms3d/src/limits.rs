//! Limits on the size of a file.

/// Most vertices of a file, by the specification.
pub const MAX_VERTICES: usize = 65_534;
/// Most triangles of a file, by the specification.
pub const MAX_TRIANGLES: usize = 65_534;
/// Most groups of a file, by the specification.
pub const MAX_GROUPS: usize = 255;
/// Most materials of a file, by the specification.
pub const MAX_MATERIALS: usize = 128;
/// Most joints of a file, by the specification: as many as a signed byte can index.
pub const MAX_JOINTS: usize = 128;
/// Most triangles a group lists: its count is 16 bits wide.
pub const MAX_TRIANGLES_PER_GROUP: usize = 65_535;
/// Most rotation or translation keys of a joint: each count is 16 bits wide.
pub const MAX_KEYS_PER_TRACK: usize = 65_535;
/// Most problems that [`validate`](super::validate()) lists.
pub const MAX_PROBLEMS: usize = 65_536;

/// Limits that [`read`](super::read) checks before it reserves memory.
///
/// Every count is also compared with the bytes left in the file, so memory never exceeds a small multiple of the
/// file's own length, whatever the limits say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of the whole file. Unit: bytes.
    pub file_bytes: usize,
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Groups.
    pub groups: usize,
    /// Materials.
    pub materials: usize,
    /// Joints.
    pub joints: usize,
    /// Rotation and translation keys of all joints together.
    pub keys: usize,
    /// Comments of groups, materials and joints together.
    pub comments: usize,
}

impl Default for Limits {
    /// The specification's limits, 256 MiB, 4 Mi keys, 64 Ki comments.
    fn default() -> Self {
        Self {
            file_bytes: 256 << 20,
            vertices: MAX_VERTICES,
            triangles: MAX_TRIANGLES,
            groups: MAX_GROUPS,
            materials: MAX_MATERIALS,
            joints: MAX_JOINTS,
            keys: 4 << 20,
            comments: 64 << 10,
        }
    }
}
