//! Maps that light things in the water.

use gl::{Texture2d, uniforms};

use crate::passes::CausticMaps;

uniforms! {
    /// The maps that light everything in the water: the uniforms of `include/lighting.glsl`.
    pub struct LightMaps<'a> {
        /// Caustics: the beam as the waves gather it.
        pub caustics: CausticMaps<'a>,
        /// Depth as the sun sees it.
        pub shadow_map: &'a Texture2d,
    }
}
