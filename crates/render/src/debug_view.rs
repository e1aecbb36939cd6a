//! Views of a frame: the picture and its maps.

use clap::ValueEnum;

/// A view of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
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
    /// The shadow map.
    Shadow,
    /// Transmittance from what is seen to the eye.
    Transmittance,
    /// Radiance that the water scatters into the ray.
    Inscatter,
    /// Slopes of the sea surface overhead: the short patch, seen from above. Red is dy/dx, green dy/dz.
    Slope,
}

impl View {
    /// Defines of a view's shader: all views by name, this one as 1 and all others as 0.
    pub fn defines(self) -> Vec<(&'static str, i32)> {
        let name = |view| match view {
            Self::Final => "VIEW_FINAL",
            Self::Depth => "VIEW_DEPTH",
            Self::Normal => "VIEW_NORMAL",
            Self::Caustics => "VIEW_CAUSTICS",
            Self::Shadow => "VIEW_SHADOW",
            Self::Transmittance => "VIEW_TRANSMITTANCE",
            Self::Inscatter => "VIEW_INSCATTER",
            Self::Slope => "VIEW_SLOPE",
        };
        Self::value_variants().iter().map(|&view| (name(view), (view == self).into())).collect()
    }
}
