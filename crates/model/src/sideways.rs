//! Creatures that lie across the direction in which they are said to look: their length, and a hint.

use glam::Vec3;

use crate::{Bounds, Forward, Joint, Skeleton};

/// Length across over length along from which a swimmer is told: a manta's wings span 2.2 times its length.
const ACROSS: f32 = 2.5;
/// The same for a high body, such as a fish that lies across; rays and turtles are flat.
const ACROSS_AND_HIGH: f32 = 1.45;
/// Height over length along from which a body is high.
const HIGH: f32 = 0.6;
/// Height over the greater of length and width from which a body is upright.
const UPRIGHT: f32 = 1.3;

/// Whether a model is much longer from side to side than from nose to tail.
fn lies_across(size: Vec3) -> bool {
    let least = if size.y >= HIGH * size.z { ACROSS_AND_HIGH } else { ACROSS };
    size.x > size.y && size.x >= least * size.z
}

/// Length of a creature along its body. Of one `as_said` it is that from nose to tail; of any other along the axis that its
/// joints tell, else from side to side if it lies across, from top to bottom if it is upright. The greatest extent of one
/// that is flat across its nose. Unit: model units.
pub fn body_length(bounds: &Bounds, skeleton: &Skeleton, as_said: bool) -> f32 {
    let size = bounds.max - bounds.min;
    // A figure's arms may reach as far as it is high.
    let is_figure = size.y > size.x && size.y >= ACROSS * size.z;
    let is_upright = is_figure || size.y > UPRIGHT * size.z.max(size.x);
    if size.z <= 1e-3 * size.max_element() {
        size.max_element()
    } else if as_said {
        size.z
    } else if let Some(nose) = nose_by_joints(skeleton) {
        size.dot(nose.abs())
    } else if lies_across(size) || is_upright {
        size.max_element()
    } else {
        size.z
    }
}

/// Words in the names of joints at the front and at the hind end of a creature, in lower case.
const FRONT: [&str; 5] = ["head", "jaw", "snout", "mouth", "nose"];
const HIND: [&str; 4] = ["tail", "caudal", "fluke", "peduncle"];

/// Direction from tail to head by the joints' names, along x or z; `None` if none tells, or it is neither.
fn nose_by_joints(skeleton: &Skeleton) -> Option<Vec3> {
    let middle = |words: &[&str]| {
        let is_one = |joint: &&Joint| words.iter().any(|word| joint.name.to_ascii_lowercase().contains(word));
        let places = skeleton.joints.iter().filter(is_one);
        let places = places.map(|joint| joint.inverse_bind.inverse().transform_point3(Vec3::ZERO));
        let (sum, count) = places.fold((Vec3::ZERO, 0.0), |(sum, count), place| (sum + place, count + 1.0));
        (count > 0.0).then(|| sum / count)
    };
    let along = middle(&FRONT)? - middle(&HIND)?;
    let size = along.abs();
    let axis = if size.x > size.z { Vec3::X } else { Vec3::Z };
    let is_plain = size.dot(axis) > 1.5 * (size - size * axis).max_element();
    (is_plain && along.is_finite()).then(|| axis * along.dot(axis).signum())
}

/// A warning about a model that looks another way than `forward`, as a fish does whose file has another front: its joints
/// say so, or it is much longer from side to side than from nose to tail.
pub fn sideways(bounds: &Bounds, skeleton: &Skeleton, forward: Forward) -> Option<String> {
    let in_file = |direction: Vec3| forward.rotation().transpose() * direction;
    let written = |direction: Vec3| {
        let nearest = |(one, _): &&(Forward, _), (other, _): &&(Forward, _)| {
            let along = |forward: Forward| (forward.rotation().transpose() * Vec3::NEG_Z).dot(direction);
            along(*one).total_cmp(&along(*other))
        };
        Forward::ALL.iter().max_by(nearest).map_or("-z", |(_, written)| written)
    };
    let nose = nose_by_joints(skeleton);
    if let Some(nose) = nose {
        let is_ahead = nose.z < -0.5;
        let line = written(in_file(nose));
        return (!is_ahead).then(|| {
            format!(
                "by its joints its head is not where it looks: if it swims the wrong way, write forward = \"{line}\""
            )
        });
    }
    let size = bounds.max - bounds.min;
    let times = size.x / size.z.max(1e-6);
    if !(lies_across(size) && times.is_finite()) {
        return None;
    }
    let axis = in_file(Vec3::X);
    let name = ["x", "y", "z"][axis.abs().max_position()];
    Some(format!(
        "it is {times:.1} times as long from side to side as from nose to tail; if it looks along {name}, write \
         forward = \"+{name}\" or \"-{name}\""
    ))
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use super::*;

    fn told(size: [f32; 3], forward: Forward) -> Option<String> {
        sideways(&Bounds { min: Vec3::ZERO, max: Vec3::from(size) }, &Skeleton::default(), forward)
    }

    #[test]
    fn joints_tell_where_the_head_is() {
        let joint = |name: &str, place: Vec3| Joint {
            name: name.into(),
            parent: None,
            local_bind: Mat4::IDENTITY,
            inverse_bind: Mat4::from_translation(-place),
            rotation_keys: Vec::new(),
            translation_keys: Vec::new(),
            scale_keys: Vec::new(),
        };
        let told = |head: [f32; 3], forward: Forward| {
            let joints = vec![joint("Head_01", head.into()), joint("body", Vec3::ZERO), joint("Tail.2", Vec3::ZERO)];
            let bounds = Bounds { min: Vec3::ZERO, max: Vec3::ONE };
            sideways(&bounds, &Skeleton { joints, ..Skeleton::default() }, forward)
        };
        assert_eq!(told([0.1, 0.2, -2.0], Forward::NegZ), None);
        assert_eq!(told([0.0, 2.0, -1.0], Forward::NegZ), None, "upright");
        let line =
            |told: Option<String>| told.expect("it is told").rsplit('=').next().map(|line| line.trim().to_owned());
        assert_eq!(line(told([2.0, 0.2, -1.0], Forward::NegZ)).as_deref(), Some("\"+x\""));
        assert_eq!(line(told([0.0, 0.2, 1.0], Forward::NegZ)).as_deref(), Some("\"+z\""));
        // Turned by "+x", what lies along x of the file lies along -z here.
        assert_eq!(line(told([2.0, 0.0, 0.0], Forward::PosX)).as_deref(), Some("\"+z\""));
    }

    #[test]
    fn a_fish_that_lies_across_is_told_with_the_line_to_write() {
        assert_eq!(told([0.1, 0.3, 1.0], Forward::NegZ), None, "a fish");
        assert_eq!(told([2.2, 0.3, 1.0], Forward::NegZ), None, "a manta");
        assert!(told([2.2, 1.1, 1.0], Forward::NegZ).is_some(), "a carp with its fins spread");
        assert_eq!(told([1.0, 3.0, 0.2], Forward::NegZ), None, "an upright one");
        let hint = told([1.2, 0.4, 0.1], Forward::NegZ).expect("it lies across");
        assert!(hint.contains("12.0 times") && hint.contains("forward = \"+x\" or \"-x\""), "{hint}");
        let hint = told([1.2, 0.4, 0.1], Forward::PosX).expect("it lies across");
        assert!(hint.contains("\"+z\""), "{hint}");
    }

    #[test]
    fn length_is_that_of_the_body_however_it_lies() {
        let of = |size: [f32; 3], as_said: bool| {
            body_length(&Bounds { min: Vec3::ZERO, max: Vec3::from(size) }, &Skeleton::default(), as_said)
        };
        let length = |size: [f32; 3]| of(size, false);
        assert_eq!(length([0.1, 0.3, 1.0]), 1.0);
        assert_eq!(length([2.2, 0.3, 1.0]), 1.0, "a manta");
        assert_eq!(length([1.2, 0.4, 0.1]), 1.2, "a fish that lies across");
        assert_eq!(of([0.13, 0.91, 0.38], true), 0.38, "a seahorse of the project's own");
        assert_eq!(length([2.1, 0.9, 1.0]), 2.1, "a carp that lies across");
        assert_eq!(length([0.3, 0.9, 0.3]), 0.9, "an upright one");
        assert_eq!(length([1.7, 1.8, 0.4]), 1.8, "a figure with its arms spread");
        assert_eq!(length([0.3, 0.9, 0.0]), 0.9, "a sheet");
    }
}
