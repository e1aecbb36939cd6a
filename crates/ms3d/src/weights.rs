//! Joints that move a vertex, and their weights.
//!
//! The specification and real files disagree, so the rules are these:
//!
//! - A vertex without a joint of its own (`bone_id` -1, or one that does not exist) stays at rest, whatever its
//!   `vertex_ex` record says.
//! - Without a record, or with the weights (0, 0, 0), it follows its own joint alone.
//! - Otherwise the three weights belong to its own joint and the record's first two; the third gets what is left.
//!   Slots without an existing joint or without weight are dropped (a later slot may still count), the rest is
//!   normalised; where nothing is left, its own joint takes all.
//! - Weights are percent. The specification says 0..255 of sub-version 1, its author's own viewer reads 0..100:
//!   [`WeightScale::of`] decides from the data, once for the whole file.

use super::raw::{Document, VertexEx, VertexExSection};

/// Scale of stored weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightScale {
    /// Weights are 0 to 100, as in every multi-joint file seen.
    Percent,
    /// Weights are 0 to 255, as the specification says of sub-version 1.
    Byte,
}

impl WeightScale {
    /// The scale of a document's weights.
    ///
    /// It is [`Self::Byte`] if a single weight exceeds 100, which no rounding explains, or, in sub-version 1, if a
    /// record's sum does; in later sub-versions a sum slightly above 100 is an exporter's rounding.
    pub fn of(document: &Document) -> Self {
        document.tail.vertex_ex.as_ref().map_or(Self::Percent, Self::of_section)
    }

    fn of_section(section: &VertexExSection) -> Self {
        let above = |record: &VertexEx| {
            record.weights.iter().any(|&weight| weight > 100)
                || section.sub_version == 1 && record.weights.iter().map(|&weight| u32::from(weight)).sum::<u32>() > 100
        };
        if section.records.iter().any(above) { Self::Byte } else { Self::Percent }
    }

    /// The stored weight that means "all": 100 or 255.
    pub fn full(self) -> u8 {
        match self {
            Self::Percent => 100,
            Self::Byte => 255,
        }
    }
}

/// Up to four joints of a vertex with their weights, in the file's order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influences {
    /// Joint of each slot; each one exists. All `None` for a vertex that stays at rest.
    pub joints: [Option<u8>; 4],
    /// Weight of each slot, 0 where there is no joint. Sum 1, or 0 for a vertex that stays at rest.
    pub weights: [f32; 4],
}

impl Influences {
    /// No influence: the vertex stays at rest.
    pub const REST: Self = Self { joints: [None; 4], weights: [0.0; 4] };

    /// The influence of one joint alone.
    pub fn single(joint: u8) -> Self {
        Self { joints: [Some(joint), None, None, None], weights: [1.0, 0.0, 0.0, 0.0] }
    }

    /// Whether no joint moves the vertex.
    pub fn is_rest(&self) -> bool {
        self.joints == [None; 4]
    }
}

/// The influences of every vertex, decoded with one [`WeightScale`].
pub fn all_influences(document: &Document) -> Vec<Influences> {
    let scale = WeightScale::of(document);
    (0..document.vertices.len()).map(|vertex| influences(document, scale, vertex)).collect()
}

/// The influences of one vertex; `scale` is [`WeightScale::of`] of the same document.
///
/// # Panics
/// If there is no such vertex.
pub fn influences(document: &Document, scale: WeightScale, vertex: usize) -> Influences {
    let joint = |id: i8| u8::try_from(id).ok().filter(|&id| usize::from(id) < document.joints.len());
    let Some(own) = joint(document.vertices[vertex].bone_id) else { return Influences::REST };
    let record = document.tail.vertex_ex.as_ref().and_then(|section| section.records.get(vertex));
    match record {
        Some(record) if record.weights != [0; 3] => {
            let [b, c, d] = record.bone_ids.map(joint);
            blend([Some(own), b, c, d], slot_weights(record.weights, scale)).unwrap_or(Influences::single(own))
        }
        _ => Influences::single(own),
    }
}

/// The stored weights and, last, the remainder of the full weight.
fn slot_weights([a, b, c]: [u8; 3], scale: WeightScale) -> [u32; 4] {
    let [a, b, c] = [a, b, c].map(u32::from);
    [a, b, c, u32::from(scale.full()).saturating_sub(a + b + c)]
}

/// Normalised influences; `None` if no slot has both a joint and a weight.
fn blend(mut joints: [Option<u8>; 4], mut weights: [u32; 4]) -> Option<Influences> {
    for (joint, weight) in joints.iter_mut().zip(&mut weights) {
        if joint.is_none() || *weight == 0 {
            *joint = None;
            *weight = 0;
        }
    }
    let sum: u32 = weights.iter().sum();
    // Sums are at most 765, exact in f32.
    (sum > 0).then(|| Influences { joints, weights: weights.map(|weight| weight as f32 / sum as f32) })
}

#[cfg(test)]
mod tests {
    use super::super::raw::{Joint, Keyframer, Tail, Vertex};
    use super::*;

    fn rigged(sub_version: i32, bone_id: i8, bone_ids: [i8; 3], weights: [u8; 3]) -> Document {
        Document {
            version: 4,
            vertices: vec![Vertex { bone_id, ..Default::default() }],
            triangles: Vec::new(),
            groups: Vec::new(),
            materials: Vec::new(),
            keyframer: Keyframer::default(),
            joints: vec![Joint::default(); 5],
            tail: Tail {
                vertex_ex: Some(VertexExSection {
                    sub_version,
                    records: vec![VertexEx { bone_ids, weights, extra: [0; 2] }],
                }),
                ..Default::default()
            },
        }
    }

    fn decode(document: &Document) -> Influences {
        all_influences(document)[0]
    }

    #[test]
    fn zero_weights_and_a_full_first_weight_both_mean_the_own_joint_alone() {
        for weights in [[0, 0, 0], [100, 0, 0]] {
            assert_eq!(decode(&rigged(2, 3, [1, 2, 4], weights)), Influences::single(3), "{weights:?}");
        }
        assert_eq!(decode(&rigged(1, 3, [-1; 3], [255, 0, 0])), Influences::single(3));
    }

    #[test]
    fn the_last_slot_takes_what_the_others_leave() {
        let found = decode(&rigged(2, 0, [1, 2, 3], [40, 30, 20]));
        assert_eq!(found.joints, [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(found.weights, [0.4, 0.3, 0.2, 0.1]);
    }

    #[test]
    fn slots_without_a_joint_are_dropped_and_the_rest_normalised() {
        let found = decode(&rigged(3, 0, [1, -1, 77], [30, 30, 20]));
        assert_eq!(found, Influences { joints: [Some(0), Some(1), None, None], weights: [0.5, 0.5, 0.0, 0.0] });
    }

    #[test]
    fn a_zero_weight_does_not_end_the_list() {
        let found = decode(&rigged(2, 0, [1, 2, -1], [0, 25, 75]));
        assert_eq!(found, Influences { joints: [None, Some(1), Some(2), None], weights: [0.0, 0.25, 0.75, 0.0] });
    }

    #[test]
    fn weights_of_missing_joints_only_fall_back_to_the_own_joint() {
        assert_eq!(decode(&rigged(2, 2, [-1; 3], [0, 100, 0])), Influences::single(2));
    }

    #[test]
    fn a_vertex_without_an_own_joint_rests() {
        for bone_id in [-1, -128, 5, 127] {
            let found = decode(&rigged(2, bone_id, [1, 2, 3], [25, 25, 25]));
            assert_eq!(found, Influences::REST, "{bone_id}");
            assert!(found.is_rest());
        }
    }

    #[test]
    fn the_scale_is_decided_from_the_data() {
        let scale = |sub_version, weights| WeightScale::of(&rigged(sub_version, 0, [1, 2, 3], weights));
        assert_eq!(scale(1, [50, 50, 0]), WeightScale::Percent);
        assert_eq!(scale(1, [51, 50, 0]), WeightScale::Byte);
        assert_eq!(scale(2, [51, 50, 0]), WeightScale::Percent);
        assert_eq!(scale(2, [101, 0, 0]), WeightScale::Byte);
        let found = decode(&rigged(1, 0, [1, 2, 3], [51, 102, 51]));
        assert_eq!(found.weights, [0.2, 0.4, 0.2, 0.2]);
    }

    #[test]
    fn weights_of_every_record_sum_to_one() {
        for weights in [[1, 1, 1], [33, 33, 33], [255, 255, 255], [99, 1, 0], [0, 0, 1]] {
            for sub_version in 1..=3 {
                let sum: f32 = decode(&rigged(sub_version, 0, [1, 2, 3], weights)).weights.iter().sum();
                assert!((sum - 1.0).abs() < 1e-6, "{weights:?}: {sum}");
            }
        }
    }
}
