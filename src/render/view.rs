//! What of a frame is shown.

/// What a frame shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The finished picture.
    #[default]
    Final,
    /// Distance along the ray, metres.
    Depth,
    /// World-space normals, from the depth.
    Normal,
    /// The caustic map's slices side by side.
    Caustics,
    /// The sun shadow map.
    Shadow,
    /// Transmittance from what is seen to the eye.
    Transmittance,
    /// Radiance that the water scatters into the ray.
    Inscatter,
    /// Slopes of the sea surface overhead: the short patch, seen from above. Red is dy/dx, green dy/dz.
    Slope,
}
