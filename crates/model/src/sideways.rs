//! Hint for creatures that lie across the direction in which they are said to look.

use glam::Vec3;

use crate::{Bounds, Forward};

/// Length across over length along from which a swimmer is told: a manta's wings span 2.2 times its length.
const ACROSS: f32 = 2.5;

/// A warning about a model that is much longer from side to side than from nose to tail, as a fish is whose file looks along
/// another axis than `forward`.
pub fn sideways(bounds: &Bounds, forward: Forward) -> Option<String> {
    let size = bounds.max - bounds.min;
    let times = size.x / size.z.max(1e-6);
    if !(size.x > size.y && times >= ACROSS && times.is_finite()) {
        return None;
    }
    let axis = forward.rotation().transpose() * Vec3::X;
    let name = ["x", "y", "z"][axis.abs().max_position()];
    Some(format!(
        "it is {times:.0} times as long from side to side as from nose to tail; if it looks along {name}, write \
         forward = \"+{name}\" or \"-{name}\""
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(size: [f32; 3], forward: Forward) -> Option<String> {
        sideways(&Bounds { min: Vec3::ZERO, max: Vec3::from(size) }, forward)
    }

    #[test]
    fn a_fish_that_lies_across_is_told_with_the_line_to_write() {
        assert_eq!(told([0.1, 0.3, 1.0], Forward::NegZ), None, "a fish");
        assert_eq!(told([2.2, 0.3, 1.0], Forward::NegZ), None, "a manta");
        assert_eq!(told([1.0, 3.0, 0.2], Forward::NegZ), None, "an upright one");
        let hint = told([1.2, 0.4, 0.1], Forward::NegZ).expect("it lies across");
        assert!(hint.contains("12 times") && hint.contains("forward = \"+x\" or \"-x\""), "{hint}");
        let hint = told([1.2, 0.4, 0.1], Forward::PosX).expect("it lies across");
        assert!(hint.contains("\"+z\""), "{hint}");
    }
}
