//! The nodes that a scene shows.

use glam::{Mat4, Quat, Vec3};

use super::document::{Document, Node};
use crate::import::usable;

/// The nodes of a scene, parents first.
pub(super) struct Tree {
    /// Nodes in order: every parent before its children.
    pub order: Vec<usize>,
    /// For each node of the file its place in `order`; `None` if the scene does not show it.
    pub places: Vec<Option<usize>>,
    /// For each node of the file its parent.
    pub parents: Vec<Option<usize>>,
    /// For each node of the file its transform at rest: scene from node.
    pub scene_from_node: Vec<Mat4>,
    /// For each node of the file whether it or one above it is hidden. Its joints move what they carry all the same.
    pub hidden: Vec<bool>,
}

/// Follows the nodes of the scene that is shown: the one that the file names, the first, or all roots.
pub(super) fn tree(document: &Document) -> Result<Tree, String> {
    let count = document.nodes.len();
    let mut parents = vec![None; count];
    for (index, node) in document.nodes.iter().enumerate() {
        for &child in &node.children {
            let parent =
                parents.get_mut(child).ok_or_else(|| format!("nodes[{index}] names child {child} of {count} nodes"))?;
            if parent.replace(index).is_some() {
                return Err(format!("nodes[{child}] is the child of two nodes"));
            }
        }
    }
    let mut next: Vec<usize> = match document.scenes.get(document.scene.unwrap_or(0)) {
        Some(scene) => scene.nodes.iter().rev().copied().collect(),
        None => (0..count).rev().filter(|&node| parents[node].is_none()).collect(),
    };
    let mut order = Vec::with_capacity(count);
    let mut scene_from_node = vec![Mat4::IDENTITY; count];
    let mut places = vec![None; count];
    let mut hidden = vec![false; count];
    while let Some(index) = next.pop() {
        let node = document.nodes.get(index).ok_or_else(|| format!("the scene names node {index} of {count}"))?;
        if places[index].replace(order.len()).is_some() {
            return Err(format!("nodes[{index}] is met twice: nodes go round in a circle"));
        }
        let parent = parents[index].map_or(Mat4::IDENTITY, |parent: usize| scene_from_node[parent]);
        scene_from_node[index] = parent * Place::of(node).matrix();
        hidden[index] = node.is_hidden() || parents[index].is_some_and(|parent: usize| hidden[parent]);
        order.push(index);
        next.extend(node.children.iter().rev());
    }
    Ok(Tree { order, places, parents, scene_from_node, hidden })
}

/// Transform of a node in its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    /// Parts, each of which may be animated.
    Parts {
        /// Translation.
        translation: Vec3,
        /// Rotation.
        rotation: Quat,
        /// Scale.
        scale: Vec3,
    },
    /// A whole matrix.
    Whole(Mat4),
}

impl Place {
    pub fn of(node: &Node) -> Self {
        if let Some(matrix) = node.matrix.filter(|matrix| matrix.iter().all(|number| number.abs() < 1e12)) {
            return Self::Whole(Mat4::from_cols_array(&matrix));
        }
        let rotation = Quat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
        Self::Parts {
            translation: usable(node.translation.unwrap_or_default()),
            rotation: if rotation.length_squared() > 1e-12 { rotation.normalize() } else { Quat::IDENTITY },
            scale: usable(node.scale.unwrap_or([1.0; 3])),
        }
    }

    /// Scale, rotation and translation.
    pub fn parts(self) -> (Vec3, Quat, Vec3) {
        match self {
            Self::Parts { translation, rotation, scale } => (scale, rotation, translation),
            Self::Whole(matrix) => matrix.to_scale_rotation_translation(),
        }
    }

    pub fn matrix(self) -> Mat4 {
        match self {
            Self::Parts { translation, rotation, scale } => {
                Mat4::from_scale_rotation_translation(scale, rotation, translation)
            }
            Self::Whole(matrix) => matrix,
        }
    }
}
