//! Morph targets of a file: those of each node's mesh, one node after another.

use std::collections::BTreeSet;

use super::document::Document;
use super::tree::Tree;
use crate::Morphs;

/// The morph targets of a file that are used.
#[derive(Default)]
pub(super) struct Targets {
    /// Unique name of each target.
    pub names: Vec<String>,
    /// For each node with targets the number of its first one, and their weights at rest.
    of_nodes: Vec<Option<OfNode>>,
}

struct OfNode {
    first: usize,
    at_rest: Vec<f32>,
}

impl Targets {
    /// Collects the targets of the nodes in the scene. Also returns a warning about those left out.
    pub fn new(document: &Document, tree: &Tree) -> (Self, Option<String>) {
        let mut found = Self { names: Vec::new(), of_nodes: Vec::new() };
        found.of_nodes.resize_with(document.nodes.len(), || None);
        let (mut known, mut left_out) = (BTreeSet::new(), 0);
        for &node in &tree.order {
            let of_node = &document.nodes[node];
            let Some(mesh) = of_node.mesh.and_then(|mesh| document.meshes.get(mesh)) else { continue };
            let count = mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0);
            let first = found.names.len();
            if count == 0 {
                continue;
            }
            if first + count > Morphs::MAX {
                left_out += count;
                continue;
            }
            let mut names = mesh.target_names();
            for number in 0..count {
                let name = names.next().filter(|name| !name.is_empty());
                let base = name.map_or_else(|| format!("morph_{}", first + number), str::to_owned);
                let mut candidates = std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}_{n}")));
                let name = candidates.find(|name| !known.contains(name)).unwrap_or_default();
                known.insert(name.clone());
                found.names.push(name);
            }
            let weights = of_node.weights.as_ref().unwrap_or(&mesh.weights);
            let at_rest =
                |number: usize| weights.get(number).copied().filter(|weight| weight.abs() < 1e6).unwrap_or(0.0);
            found.of_nodes[node] = Some(OfNode { first, at_rest: (0..count).map(at_rest).collect() });
        }
        let most = Morphs::MAX;
        let odd = || format!("{left_out} morph targets beyond the {most} that a model may have are not followed");
        (found, (left_out > 0).then(odd))
    }

    /// Number of the first target of a node, and the weights of its targets at rest.
    pub fn of(&self, node: usize) -> Option<(usize, &[f32])> {
        let OfNode { first, at_rest } = self.of_nodes.get(node)?.as_ref()?;
        Some((*first, at_rest))
    }
}
