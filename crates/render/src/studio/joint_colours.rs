//! Colours of a model's joints in the studio.

use std::fmt::Write;

/// Joints with colours of their own; the next ones have the same again.
const COLOURS: usize = 64;

/// Colour of a joint, sRGB. Neighbouring numbers get hues far apart.
pub fn joint_colour(joint: usize) -> [u8; 3] {
    colour(joint % COLOURS).map(|channel| (255.0 * channel).round() as u8)
}

/// GLSL of these colours for shaders: `JOINT_COLOURS[joint % JOINT_COLOURS.length()]`.
pub fn glsl() -> String {
    let mut text = format!("const vec3[{COLOURS}] JOINT_COLOURS = vec3[{COLOURS}](\n");
    for joint in 0..COLOURS {
        let [r, g, b] = colour(joint);
        let end = if joint + 1 < COLOURS { ",\n" } else { "\n);\n" };
        // Writing into a string cannot fail.
        let _ = write!(text, "    vec3({r:.3}, {g:.3}, {b:.3}){end}");
    }
    text
}

fn colour(joint: usize) -> [f32; 3] {
    /// The golden ratio, less 1.
    const HUE_STEP: f32 = 0.618_034;
    /// Share of a pure hue; the rest is a light grey.
    const SATURATION: f32 = 0.8;
    const GREY: f32 = 0.9;
    let hue = joint as f32 * HUE_STEP;
    [0.0, 2.0, 1.0].map(|third| {
        let pure = ((((hue + third / 3.0).fract() * 6.0) - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        GREY + (pure - GREY) * SATURATION
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_beside_each_other_are_told_apart_and_shaders_have_the_same() {
        assert_eq!(joint_colour(0), [250, 46, 46], "red");
        for joint in 0..COLOURS - 1 {
            let (one, next) = (joint_colour(joint), joint_colour(joint + 1));
            let apart: u32 = one.iter().zip(next).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
            assert!(apart > 100, "{joint}: {one:?} {next:?}");
        }
        assert!(glsl().contains("\n    vec3(0.980, 0.180, 0.180),\n"), "{}", glsl());
    }
}
