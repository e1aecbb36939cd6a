//! glTF 2.0 files out of MS3D documents and of models in general.
//!
//! Front is +z in the file, so one node turns the whole; the nodes below it have the numbers of the original.

mod from_model;
mod from_ms3d;
mod materials;
mod pack;
mod skeleton;

use glam::{Mat3, Mat4, Quat, Vec3};
use serde_json::{Value, json};

pub(super) use from_model::from_model;
pub(super) use from_ms3d::{Source, from_ms3d};
pub(super) use materials::png;

use crate::{Attachment, Skeleton};

use pack::Pack;

/// Rotation from the model's axes to the file's: front is +z there.
const AXES: Mat3 = Mat3::from_cols(Vec3::NEG_X, Vec3::Y, Vec3::NEG_Z);

/// The nodes of a model: one that turns it by `turn` (model from the nodes below), and its joints. A mesh is added by
/// [`Frame::finish`].
struct Frame<'a> {
    name: &'a str,
    turn: Quat,
    /// Node of each joint.
    joints: Vec<usize>,
    roots: Vec<usize>,
    /// Names of the morph targets that every primitive has.
    morphs: Vec<String>,
}

impl<'a> Frame<'a> {
    fn new(pack: &mut Pack, name: &'a str, turn: Mat3, skeleton: &Skeleton) -> Self {
        let turn = Quat::from_mat3(&(AXES * turn)).normalize();
        let (joints, roots) = skeleton::nodes(pack, skeleton);
        Self { name, turn, joints, roots, morphs: Vec::new() }
    }

    /// Adds a node for each named place, below the joint that carries it.
    fn places(&mut self, pack: &mut Pack, skeleton: &Skeleton, places: &[Attachment]) {
        for place in places {
            let joint = skeleton.joints.get(usize::from(place.joint));
            let at = joint.map_or(place.position, |joint| joint.inverse_bind.transform_point3(place.position));
            let mut node = skeleton::place(&Mat4::from_translation(at));
            node["name"] = place.name.as_str().into();
            let node = pack.add("nodes", node);
            match joint {
                Some(_) => pack.add_child(self.joints[usize::from(place.joint)], node),
                None => self.roots.push(node),
            }
        }
    }

    /// Adds the primitives that are `shown` and those that are `hidden`. Hidden ones are in a second scene only.
    fn finish(mut self, pack: &mut Pack, skeleton: &Skeleton, shown: Vec<Value>, hidden: Vec<Value>) {
        let has_mesh = !shown.is_empty() || !hidden.is_empty();
        let skin = (!self.joints.is_empty() && has_mesh).then(|| {
            let rest = pack.add("nodes", json!({ "name": "rest" }));
            self.roots.push(rest);
            skeleton::skin(pack, skeleton, &self.joints, rest)
        });
        let mut meshes = Vec::new();
        for (primitives, name) in [(shown, self.name.to_owned()), (hidden, format!("{} (hidden)", self.name))] {
            if primitives.is_empty() {
                meshes.push(None);
                continue;
            }
            let mut mesh = json!({ "name": name, "primitives": primitives });
            if !self.morphs.is_empty() {
                mesh["weights"] = vec![0; self.morphs.len()].into();
                mesh["extras"] = json!({ "targetNames": self.morphs });
            }
            let mesh = pack.add("meshes", mesh);
            let mut node = match skin {
                // glTF ignores the transform of a node whose mesh has a skin.
                Some(skin) => json!({ "skin": skin }),
                None => skeleton::place(&Mat4::from_quat(self.turn)),
            };
            node["name"] = name.into();
            node["mesh"] = mesh.into();
            meshes.push(Some(pack.add("nodes", node)));
        }
        let mut scene: Vec<usize> = Vec::new();
        if !self.roots.is_empty() {
            let mut root = skeleton::place(&Mat4::from_quat(self.turn));
            root["name"] = self.name.into();
            root["children"] = self.roots.into();
            scene.push(pack.add("nodes", root));
        }
        let [shown, hidden] = [meshes[0], meshes[1]];
        scene.extend(shown);
        let named = |name: &str, nodes: &[usize]| match nodes {
            [] => json!({ "name": name }),
            nodes => json!({ "name": name, "nodes": nodes }),
        };
        pack.add("scenes", named(self.name, &scene));
        if let Some(hidden) = hidden {
            scene.push(hidden);
            pack.add("scenes", named("with what is hidden", &scene));
        }
    }
}

/// Joints and weights of vertices as glTF wants them: joint 0 in slots without weight, and weights whose sum is 1.
fn influences(joints: [u16; 4], weights: [f32; 4]) -> ([u16; 4], [f32; 4]) {
    let sum: f32 = weights.iter().sum();
    let mut weights = weights.map(|weight| weight / sum);
    weights[0] += 1.0 - weights.iter().sum::<f32>();
    (std::array::from_fn(|slot| if weights[slot] > 0.0 { joints[slot] } else { 0 }), weights)
}
