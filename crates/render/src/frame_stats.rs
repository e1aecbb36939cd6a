//! Statistics of a frame.

/// Counts of a frame: what it drew, and what it lacked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// Draw calls.
    pub draws: u32,
    /// Triangles submitted.
    pub triangles: u64,
    /// Instances of creatures and props that passed the culling.
    pub visible: u32,
    /// Uploads that the driver had no memory for: their contents are missing in the picture.
    pub refused: u32,
    /// Times that it lacked a program that is being compiled; see [`Renderer::with_deferred_compilation`].
    ///
    /// [`Renderer::with_deferred_compilation`]: crate::Renderer::with_deferred_compilation
    pub lacking: u32,
}
