//! What lights things in the water.

use gl::{Texture2d, uniforms};

use crate::passes::CausticMaps;

uniforms! {
    /// The maps that light everything in the water: the uniforms of `include/lighting.glsl`.
    pub struct LightMaps<'a> {
        /// How the waves gather the beam.
        pub caustics: CausticMaps<'a>,
        /// Depth as the sun sees it.
        pub shadow_map: &'a Texture2d,
    }
}
