//! Numbers that shaders share with Rust: `#include "constants.glsl"`.
//!
//! Each is declared once, beside its source or its reason; this is only the list of those that the shaders read.

use std::f32::consts::{FRAC_1_PI, LOG2_E, PI, TAU};

use glam::{Vec2, Vec3, Vec4};
use model::Palette;
use model::material::MAX_EXPONENT;
use view::{GROUND_EDGE_M, GROUND_TILE_M, STONE_STEEPEST_SLOPE};

use crate::caustic_slices::CAUSTIC_SLICES;
use crate::models::MORPH_TEXELS_A_ROW;

/// Share of the light from the mean ground that falls on a surface that looks down: things on the ground take some.
/// Chosen by eye. Unit: 1.
const GROUND_LIGHT_SHARE: f32 = 0.75;

/// Radius of the grid of the surface about the eye. Unit: m.
pub const SURFACE_EDGE_M: f32 = 400.0;
/// Shares of the surface's light left, in the channel that keeps most, at which the surface seen from below has faded
/// into the water and is whole.
pub const SURFACE_FADE: Vec2 = Vec2::new(0.0025, 0.005);

/// A number that can be written as GLSL.
trait Constant {
    /// Its type in GLSL.
    const GLSL: &'static str;
    /// The number as a literal of GLSL.
    fn literal(&self) -> String;
}

impl Constant for i32 {
    const GLSL: &'static str = "int";
    fn literal(&self) -> String {
        self.to_string()
    }
}

impl Constant for f32 {
    const GLSL: &'static str = "float";
    /// The shortest text that is read as the same number; it always has a point or an exponent.
    fn literal(&self) -> String {
        format!("{self:?}")
    }
}

impl Constant for Vec2 {
    const GLSL: &'static str = "vec2";
    fn literal(&self) -> String {
        format!("vec2({:?}, {:?})", self.x, self.y)
    }
}

impl Constant for Vec3 {
    const GLSL: &'static str = "vec3";
    fn literal(&self) -> String {
        format!("vec3({:?}, {:?}, {:?})", self.x, self.y, self.z)
    }
}

impl Constant for Vec4 {
    const GLSL: &'static str = "vec4";
    fn literal(&self) -> String {
        format!("vec4({:?}, {:?}, {:?}, {:?})", self.x, self.y, self.z, self.w)
    }
}

/// Declares constants, one line each: `NAME: type = value;` under their description.
macro_rules! constants {
    ($( #[doc = $about:literal] $name:ident: $type:ty = $value:expr; )*) => {
        /// GLSL declarations of all constants.
        pub fn glsl() -> String {
            let mut text = String::new();
            $( text += &line::<$type>(stringify!($name), $value, $about); )*
            text
        }
    };
}

constants! {
    /// Half a turn, rad.
    PI: f32 = PI;
    /// Radiance of a white diffuse surface over its irradiance.
    INVERSE_PI: f32 = FRAC_1_PI;
    /// A whole turn, rad.
    TAU: f32 = TAU;
    /// The golden angle, rad.
    GOLDEN_ANGLE: f32 = math::GOLDEN_ANGLE;
    /// Logarithm of e to the base 2.
    LOG2_E: f32 = LOG2_E;
    /// Index of refraction of sea water.
    REFRACTIVE_INDEX: f32 = ocean::REFRACTIVE_INDEX;
    /// Index of refraction of sea water for red, green and blue light.
    CHANNEL_REFRACTIVE_INDICES: Vec3 = ocean::CHANNEL_REFRACTIVE_INDICES;
    /// Lobes about the key light that make up the water's radiance.
    KEY_LIGHT_LOBES: i32 = ocean::KEY_LIGHT_LOBES as i32;
    /// All lobes of the water's radiance: the rest lie about the zenith.
    SOURCE_LOBES: i32 = ocean::SOURCE_LOBES as i32;
    /// Cosines of the zenith angle between which Snell's window opens in the water's radiance.
    WINDOW_EDGE: Vec2 = Vec2::from(ocean::WINDOW_EDGE);
    /// Lobes of the particles' phase function.
    PARTICLE_LOBES: i32 = ocean::LOBES as i32;
    /// Share of the light from the mean ground that falls on a surface that looks down.
    GROUND_LIGHT_SHARE: f32 = GROUND_LIGHT_SHARE;
    /// Greatest exponent of a highlight.
    MAX_EXPONENT: f32 = MAX_EXPONENT;
    /// Slices of the caustic map.
    CAUSTIC_SLICES: i32 = CAUSTIC_SLICES as i32;
    /// Texels of the palette that hold a joint's moment.
    TEXELS_PER_JOINT: i32 = Palette::TEXELS_PER_JOINT as i32;
    /// Texels in a row of the map of morphs' deltas.
    MORPH_TEXELS_A_ROW: i32 = MORPH_TEXELS_A_ROW as i32;
    /// Lengths of the ripples that are too short for the wave maps, m.
    RIPPLE_LENGTHS_M: Vec2 = ocean::RIPPLE_LENGTHS_M;
    /// Speeds at which these ripples run, m/s.
    RIPPLE_SPEEDS_M_S: Vec2 = ocean::RIPPLE_SPEEDS_M_S;
    /// Places downwind at which foam left by a crest is looked for.
    TRAIL_PLACES: i32 = ocean::TRAIL_PLACES as i32;
    /// Distance of place i: the first times i plus the second times i^2, m.
    TRAIL_M: Vec2 = ocean::TRAIL_M;
    /// Share of the surface that foam covers at a place over that at the one before.
    TRAIL_LEFT: f32 = ocean::TRAIL_LEFT;
    /// Opacity of foam, from above and from below.
    FOAM_OPACITY: Vec2 = ocean::FOAM_OPACITY;
    /// Reflectance of foam: where its bubbles lie thinnest, and the addition by thickness.
    FOAM_REFLECTANCE: Vec2 = ocean::FOAM_REFLECTANCE;
    /// Transmittance of foam: at its rim, and the additions in its middle and by thickness.
    FOAM_TRANSMITTANCE: Vec3 = ocean::FOAM_TRANSMITTANCE;
    /// Least wind whose crests drive plumes of bubbles under water, m/s.
    PLUME_WIND_M_S: f32 = ocean::PLUME_WIND_M_S;
    /// Winds between which foam tears the image that the surface mirrors from below, m/s.
    TEARING_WINDS_M_S: Vec2 = ocean::TEARING_WINDS_M_S;
    /// Begin and end of the rising edge of a fish's scale rim, over the scale's length.
    SCALE_RIM: Vec2 = Vec2::from(math::SCALE_RIM);
    /// Radius of the grid of the surface, m.
    SURFACE_EDGE_M: f32 = SURFACE_EDGE_M;
    /// Shares of light at which the surface is gone and is whole from below.
    SURFACE_FADE: Vec2 = SURFACE_FADE;
    /// Apparent diameter of the key light's disc, rad.
    SUN_DIAMETER: f32 = ocean::SUN_DIAMETER;
    /// Share of the beam that the disc holds.
    DISC_SHARE: f32 = ocean::DISC_SHARE;
    /// Radiance of the aureole's wide and narrow lobe in the middle over the beam's irradiance, 1/sr.
    AUREOLE: Vec2 = ocean::AUREOLE;
    /// Sharpness of the aureole's narrow lobe, exp(-sharpness (1 - cos)).
    AUREOLE_SHARPNESS: f32 = ocean::AUREOLE_SHARPNESS;
    /// Reach of the ground from the origin along both axes, m.
    GROUND_EDGE_M: f32 = GROUND_EDGE_M;
    /// Side of the tile of ground detail, m.
    GROUND_TILE_M: f32 = GROUND_TILE_M;
    /// Slope of the extremes of the map of stone, for a tile as wide as the grain is high.
    STONE_STEEPEST_SLOPE: f32 = STONE_STEEPEST_SLOPE;
    /// Luminance of each channel at 1.
    LUMINANCE: Vec3 = ocean::LUMINANCE;
}

fn line<T: Constant>(name: &str, value: T, about: &str) -> String {
    format!("const {} {name} = {};  //{about}\n", T::GLSL, value.literal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_glsl_reads_them() {
        assert_eq!(line("A", 1.0f32, " One."), "const float A = 1.0;  // One.\n");
        assert_eq!(line("A", 1e-9f32, " Little."), "const float A = 1e-9;  // Little.\n");
        assert_eq!(line("A", Vec3::new(0.1, 2.0, 3.0), " x"), "const vec3 A = vec3(0.1, 2.0, 3.0);  // x\n");
        assert!(glsl().contains("\nconst int KEY_LIGHT_LOBES = 5;"), "{}", glsl());
    }
}
