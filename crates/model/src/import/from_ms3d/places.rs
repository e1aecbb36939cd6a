//! Named places in a file's own comment, besides its joints.

use glam::{Mat3, Vec3};
use ms3d::raw;
use suggest::nearest;

use super::usable;
use crate::{Attachment, Skeleton};

/// The most places that a comment may name.
const MAX: usize = 256;

/// The places of the lines `pelagic: place NAME=X,Y,Z on JOINT` of the model's comment, in the file's axes; without
/// `on` no joint moves them. `rotation` is model from file. Also returns warnings about lines that make no sense.
pub(crate) fn places(document: &raw::Document, skeleton: &Skeleton, rotation: Mat3) -> (Vec<Attachment>, Vec<String>) {
    let comment = document.tail.comments.as_ref().and_then(|comments| comments.model.as_deref());
    let text = String::from_utf8_lossy(comment.unwrap_or_default());
    let (mut places, mut odd) = (Vec::<Attachment>::new(), Vec::new());
    for line in text.split(['\n', '\r']).filter_map(|line| line.trim().strip_prefix("pelagic: place ")) {
        let (place, joint_name) = match line.split_once(" on ") {
            Some((place, joint)) => (place.trim(), Some(joint.trim())),
            None => (line.trim(), None),
        };
        let Some((name, position)) = place.split_once('=').and_then(|(name, at)| Some((name.trim(), position(at)?)))
        else {
            odd.push(format!("'{line}' in the comment is no place such as lure=0,1.5,-2 on head: left out"));
            continue;
        };
        let joint = match joint_name {
            None => Some(skeleton.joints.len()),
            Some(wanted) => skeleton.joints.iter().position(|joint| joint.name == wanted),
        };
        let Some(joint) = joint else {
            let wanted = joint_name.unwrap_or_default();
            let near = nearest(wanted, skeleton.joints.iter().map(|joint| joint.name.as_str()));
            let hint = near.map_or(String::new(), |near| format!(" (is '{near}' meant?)"));
            odd.push(format!(
                "the comment sets the place '{name}' on a joint '{wanted}' that is not there{hint}: left out"
            ));
            continue;
        };
        if name.is_empty() || places.len() == MAX || places.iter().any(|place| place.name == name) {
            odd.push(format!(
                "the comment names the place '{name}' twice, not at all or beyond {MAX} others: left out"
            ));
            continue;
        }
        places.push(Attachment { name: name.into(), joint: joint as u16, position: rotation * position });
    }
    (places, odd)
}

/// Three numbers separated by commas.
fn position(text: &str) -> Option<Vec3> {
    let mut numbers = text.split(',').map(|number| number.trim().parse::<f32>().ok());
    let [x, y, z] = [numbers.next()??, numbers.next()??, numbers.next()??];
    (numbers.next().is_none() && x.is_finite() && y.is_finite() && z.is_finite()).then(|| usable([x, y, z]))
}

/// The comment's line for a place, in the file's axes.
pub(crate) fn line(name: &str, position: Vec3, joint: Option<&str>) -> String {
    let Vec3 { x, y, z } = position;
    let on = joint.map_or(String::new(), |joint| format!(" on {joint}"));
    format!("pelagic: place {name}={x},{y},{z}{on}")
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use super::*;
    use crate::Joint;

    fn read(comment: &str) -> (Vec<Attachment>, Vec<String>) {
        let joint = |name: &str| Joint {
            name: name.into(),
            parent: None,
            local_bind: Mat4::IDENTITY,
            inverse_bind: Mat4::IDENTITY,
            rotation_keys: Vec::new(),
            translation_keys: Vec::new(),
            scale_keys: Vec::new(),
        };
        let skeleton = Skeleton { joints: vec![joint("spine"), joint("the head")], ..Skeleton::default() };
        let comments = raw::Comments {
            sub_version: 1,
            groups: Vec::new(),
            materials: Vec::new(),
            joints: Vec::new(),
            model: Some(comment.as_bytes().to_vec()),
        };
        let document = raw::Document {
            version: 4,
            vertices: Vec::new(),
            triangles: Vec::new(),
            groups: Vec::new(),
            materials: Vec::new(),
            keyframer: raw::Keyframer::default(),
            joints: Vec::new(),
            tail: raw::Tail { comments: Some(comments), ..raw::Tail::default() },
        };
        places(&document, &skeleton, Mat3::from_rotation_y(std::f32::consts::PI))
    }

    #[test]
    fn a_line_sets_a_place_on_a_joint_and_is_written_as_it_is_read() {
        let own = line("lure", Vec3::new(0.0, 1.5, -2.0), Some("the head"));
        let (places, odd) = read(&format!("a fish\r\n{own}\n {}", line("buoy", Vec3::X, None)));
        assert_eq!(odd, [""; 0]);
        let told: Vec<_> = places.iter().map(|place| (place.name.as_str(), place.joint)).collect();
        assert_eq!(told, [("lure", 1), ("buoy", 2)], "2: none");
        assert!(places[0].position.distance(Vec3::new(0.0, 1.5, 2.0)) < 1e-5, "{}", places[0].position);
    }

    #[test]
    fn what_makes_no_sense_is_told_and_left_out() {
        let (places, odd) = read(
            "pelagic: place a=1,2\npelagic: place b=1,2,x\npelagic: place c=1,2,3 on spin\npelagic: place d=0,0,0\n\
             pelagic: place d=1,1,1\npelagic: place =1,1,1\npelagic: place e=1,2,3,4\npelagic: place f=1,2,inf",
        );
        assert_eq!(places.len(), 1);
        assert_eq!(odd.len(), 7, "{odd:?}");
        assert!(odd[2].contains("'spin' that is not there (is 'spine' meant?)"), "{}", odd[2]);
    }
}
