//! What a frame took to draw.

/// What was drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// Draw calls.
    pub draws: u32,
    /// Triangles submitted.
    pub triangles: u64,
    /// Instances of creatures and props that passed the culling.
    pub visible: u32,
}
