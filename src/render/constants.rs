//! Numbers that shaders share with Rust: `#include "constants.glsl"`.
//!
//! Each is declared once, where its source or its reason is; here is only which of them the shaders read.

use std::f32::consts::PI;

use glam::{Vec3, Vec4};

use crate::ocean::{self, PHASE_SAMPLES};

/// Depth of each slice of the caustic map, one a channel. Unit: m. Between them readers blend; below the last one the
/// pattern stays and fades.
pub const CAUSTIC_DEPTHS_M: [f32; 4] = [2.0, 5.0, 10.0, 20.0];

/// A number that GLSL can be told.
trait Constant {
    /// Its type in GLSL.
    const GLSL: &'static str;
    /// What GLSL makes it from.
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

/// One line a constant: `NAME: type = value;` under what it is.
macro_rules! constants {
    ($( #[doc = $about:literal] $name:ident: $type:ty = $value:expr; )*) => {
        /// All of them as GLSL declares them.
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
    /// Index of refraction of sea water.
    REFRACTIVE_INDEX: f32 = ocean::REFRACTIVE_INDEX;
    /// Last place of the phase table.
    PHASE_LAST: i32 = PHASE_SAMPLES as i32 - 1;
    /// Depth of each slice of the caustic map, m.
    CAUSTIC_DEPTHS_M: Vec4 = Vec4::from(CAUSTIC_DEPTHS_M);
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
        assert!(glsl().contains("\nconst int PHASE_LAST = 63;"), "{}", glsl());
    }
}
