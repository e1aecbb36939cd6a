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
    /// Uploads that the driver had no memory for: what they hold is missing in the picture.
    pub refused: u32,
    /// How often it had to do without a program that is being compiled; see [`Renderer::with_deferred_compilation`].
    ///
    /// [`Renderer::with_deferred_compilation`]: crate::Renderer::with_deferred_compilation
    pub lacking: u32,
}
