//! Joints out of nodes that move something.
//!
//! A node that is animated becomes a joint, and under it a second one for its scale, if it has any. Still nodes between
//! are part of the next joint's transform.

use std::collections::HashMap;

use glam::{Mat4, Quat, Vec3};

use super::animation::{Animations, Values};
use super::document::Document;
use super::tree::{Place, Tree};
use crate::import::usable;
use crate::{Attachment, Joint, Skeleton};

/// The joints found so far.
pub(super) struct Rig<'a> {
    document: &'a Document,
    tree: &'a Tree,
    /// For each node whether a channel moves it.
    is_animated: Vec<bool>,
    /// For each node whether a channel moves it or a node above it.
    is_moved: Vec<bool>,
    /// For each node whether a channel changes its scale.
    is_scaled: Vec<bool>,
    /// Model from scene.
    turn: Mat4,
    joints: Vec<Joint>,
    /// For each node the joint that carries its mesh and the nodes below it.
    of_nodes: HashMap<usize, u16>,
    /// Joints moved by keys, each with its node and the node's transform at rest.
    driven: Vec<Driven>,
    /// For each node the joints that carry vertices by it, each with an inverse bind matrix in use.
    carriers: HashMap<usize, Vec<u16>>,
}

/// A joint that follows a node.
pub(super) struct Driven {
    pub joint: u16,
    pub node: usize,
    /// Transform of the node without an animation.
    pub at_rest: AtRest,
}

/// The part of a node's transform that a joint follows, at rest.
#[derive(Clone, Copy)]
pub(super) enum AtRest {
    /// Translation and rotation.
    Turned {
        /// Translation.
        translation: Vec3,
        /// Rotation.
        rotation: Quat,
    },
    /// Scale.
    Scaled(Vec3),
}

impl<'a> Rig<'a> {
    pub fn new(document: &'a Document, tree: &'a Tree, animations: &Animations, turn: Mat4) -> Self {
        let is_driven = |is_meant: fn(&Values) -> bool| {
            let mut is_driven = vec![false; document.nodes.len()];
            animations.tracks().filter(|track| is_meant(&track.values)).for_each(|track| is_driven[track.node] = true);
            is_driven
        };
        // Many exporters write a scale that never changes for every joint.
        let changes = |(node, has_track): (usize, bool)| {
            has_track && animations.change_scale(node, Place::of(&document.nodes[node]).parts().0)
        };
        let with_scale = is_driven(|values| matches!(values, Values::Scales(_)));
        let is_scaled: Vec<bool> = with_scale.into_iter().enumerate().map(changes).collect();
        let mut is_animated = is_driven(|values| matches!(values, Values::Translations(_) | Values::Rotations(_)));
        is_animated.iter_mut().zip(&is_scaled).for_each(|(is_animated, is_scaled)| *is_animated |= is_scaled);
        let mut is_moved = is_animated.clone();
        for &node in &tree.order {
            is_moved[node] |= tree.parents[node].is_some_and(|parent| is_moved[parent]);
        }
        let (joints, of_nodes, driven, carriers) = Default::default();
        Self { document, tree, is_animated, is_moved, is_scaled, turn, joints, of_nodes, driven, carriers }
    }

    /// Whether anything moves a node.
    pub fn moves(&self, node: usize) -> bool {
        self.is_moved[node]
    }

    /// The joint by which a node carries vertices that `inverse_bind` takes into its space.
    pub fn carrier(&mut self, node: usize, inverse_bind: Mat4) -> Result<u16, String> {
        let joint = self.joint_of(node)?;
        let carriers = self.carriers.entry(node).or_default();
        if let Some(known) =
            carriers.iter().find(|&&known| self.joints[usize::from(known)].inverse_bind == inverse_bind)
        {
            return Ok(*known);
        }
        let carrier = if carriers.is_empty() {
            joint
        } else {
            // Another mesh is bound to the node by another matrix.
            let name = self.document.nodes[node].name.clone();
            added(&mut self.joints, joint_at(name, Some(joint), Mat4::IDENTITY))?
        };
        self.joints[usize::from(carrier)].inverse_bind = inverse_bind;
        carriers.push(carrier);
        Ok(carrier)
    }

    fn joint_of(&mut self, node: usize) -> Result<u16, String> {
        // Goes from the node up to one that has a joint already, then down again.
        let mut way = Vec::new();
        let mut above = Some(node);
        while let Some(next) = above.filter(|next| !self.of_nodes.contains_key(next)) {
            way.push(next);
            above = self.tree.parents[next];
        }
        let mut parent = above.and_then(|above| self.of_nodes.get(&above).copied());
        let mut before = if parent.is_some() { Mat4::IDENTITY } else { self.turn };
        for &next in way.iter().rev() {
            let place = Place::of(&self.document.nodes[next]);
            if !self.is_animated[next] && next != node {
                before *= place.matrix();
                continue;
            }
            let joint = self.add(next, place, parent, before)?;
            self.of_nodes.insert(next, joint);
            (parent, before) = (Some(joint), Mat4::IDENTITY);
        }
        parent.ok_or_else(|| format!("nodes[{node}] is not in the scene"))
    }

    fn add(&mut self, node: usize, place: Place, parent: Option<u16>, before: Mat4) -> Result<u16, String> {
        let name = match &self.document.nodes[node].name {
            name if name.is_empty() => format!("node {node}"),
            name => name.clone(),
        };
        if !self.is_animated[node] {
            return added(&mut self.joints, joint_at(name, parent, before * place.matrix()));
        }
        let (scale, rotation, translation) = place.parts();
        let turned = Mat4::from_rotation_translation(rotation, translation);
        let joint = added(&mut self.joints, joint_at(name.clone(), parent, before * turned))?;
        self.driven.push(Driven { joint, node, at_rest: AtRest::Turned { translation, rotation } });
        if scale == Vec3::ONE && !self.is_scaled[node] {
            return Ok(joint);
        }
        let scaled = added(&mut self.joints, joint_at(format!("{name} scale"), Some(joint), Mat4::IDENTITY))?;
        // Scale keys are absolute: at rest the scale may be 0.
        self.driven.push(Driven { joint: scaled, node, at_rest: AtRest::Scaled(scale) });
        Ok(scaled)
    }

    /// The nodes of the scene that have a name, each with the joint that carries it. Nodes that carry nothing drawn
    /// have no joint of their own: they follow the next one above that has.
    pub fn attachments(&self) -> Vec<Attachment> {
        let named = |&&node: &&usize| !self.document.nodes[node].name.is_empty();
        let attachment = |&node: &usize| {
            let above = std::iter::successors(Some(node), |&node| self.tree.parents[node]);
            let carrier = above.into_iter().find_map(|above| Some((above, *self.of_nodes.get(&above)?)));
            let scene_from_node = self.tree.scene_from_node[node];
            let place = match carrier {
                Some((above, joint)) => {
                    let at_rest = self.joints[usize::from(joint)].inverse_bind.inverse();
                    at_rest * self.tree.scene_from_node[above].inverse() * scene_from_node
                }
                None => self.turn * scene_from_node,
            };
            let position = usable(place.transform_point3(Vec3::ZERO).to_array());
            let joint = carrier.map_or(self.joints.len() as u16, |(_, joint)| joint);
            Attachment { name: self.document.nodes[node].name.clone(), joint, position }
        };
        self.tree.order.iter().filter(named).map(attachment).collect()
    }

    /// The skeleton; `keys` adds the keys of each joint that follows a node.
    pub fn finish(mut self, duration_s: f32, fps: f32, mut keys: impl FnMut(&Driven, &mut Joint)) -> Skeleton {
        for driven in &self.driven {
            keys(driven, &mut self.joints[usize::from(driven.joint)]);
        }
        // Parents are made before their children.
        let order = (0..self.joints.len() as u16).collect();
        Skeleton { joints: self.joints, order, duration_s, fps, morph_keys: Vec::new() }
    }
}

fn joint_at(name: String, parent: Option<u16>, local_bind: Mat4) -> Joint {
    Joint {
        name,
        parent,
        local_bind,
        inverse_bind: Mat4::IDENTITY,
        rotation_keys: Vec::new(),
        translation_keys: Vec::new(),
        scale_keys: Vec::new(),
    }
}

fn added(joints: &mut Vec<Joint>, joint: Joint) -> Result<u16, String> {
    const MAX: usize = Skeleton::MAX_JOINTS;
    if joints.len() == MAX {
        return Err(format!("more than {MAX} joints move something; that is the most a model may have"));
    }
    joints.push(joint);
    Ok(joints.len() as u16 - 1)
}
