//! Creatures that lie across the direction in which they are said to look: their length, and a hint.

use glam::Vec3;

use crate::{Bounds, Forward};

/// Length across over length along from which a swimmer is told: a manta's wings span 2.2 times its length.
const ACROSS: f32 = 2.5;

/// Whether a model is much longer from side to side than from nose to tail.
fn lies_across(size: Vec3) -> bool {
    size.x > size.y && size.x >= ACROSS * size.z
}

/// Length of a creature: from nose to tail, or from side to side if it lies across. The greatest extent of one that is
/// flat across its nose, and has no length along it. Unit: model units.
pub fn body_length(bounds: &Bounds) -> f32 {
    let size = bounds.max - bounds.min;
    if lies_across(size) || size.z <= 1e-3 * size.max_element() { size.max_element() } else { size.z }
}

/// A warning about a model that is much longer from side to side than from nose to tail, as a fish is whose file looks along
/// another axis than `forward`.
pub fn sideways(bounds: &Bounds, forward: Forward) -> Option<String> {
    let size = bounds.max - bounds.min;
    let times = size.x / size.z.max(1e-6);
    if !(lies_across(size) && times.is_finite()) {
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

    #[test]
    fn length_is_that_of_the_body_however_it_lies() {
        let length = |size: [f32; 3]| body_length(&Bounds { min: Vec3::ZERO, max: Vec3::from(size) });
        assert_eq!(length([0.1, 0.3, 1.0]), 1.0);
        assert_eq!(length([2.2, 0.3, 1.0]), 1.0, "a manta");
        assert_eq!(length([1.2, 0.4, 0.1]), 1.2, "a fish that lies across");
        assert_eq!(length([0.3, 0.9, 0.3]), 0.3, "an upright one");
        assert_eq!(length([0.3, 0.9, 0.0]), 0.9, "a sheet");
    }
}
