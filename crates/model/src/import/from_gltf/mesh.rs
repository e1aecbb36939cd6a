//! Vertices and triangles out of primitives, in the pose at rest, in which morph targets have their own weights.

use std::collections::BTreeMap;

use glam::{Mat3, Mat4, Vec3};

use super::accessor::Accessors;
use super::document::{Document, Primitive, Skin};
use super::materials::Materials;
use super::morphs::Targets;
use super::rig::Rig;
use super::tree::Tree;
use crate::import::usable;
use crate::material::srgb_from_linear;
use crate::{Lod, Mesh, MorphDelta, Morphs, Vertex};

/// Most vertices that are drawn, each counted as often as its mesh.
pub const MAX_VERTICES: usize = 1 << 20;
/// Most triangles that are drawn, likewise.
pub const MAX_TRIANGLES: usize = 1 << 20;

/// Joint of vertices that nothing moves, until the number of joints is known.
const AT_REST: u16 = u16::MAX;
/// Most influences on a vertex that are kept.
const KEPT: usize = 4;

/// Collects everything that a scene shows in one mesh.
pub(super) struct Mesher<'a, 'b> {
    pub document: &'a Document,
    pub tree: &'a Tree,
    pub accessors: &'b mut Accessors<'a>,
    pub rig: &'b mut Rig<'a>,
    targets: &'b Targets,
    pub materials: &'b Materials,
    /// Model from scene.
    pub turn: Mat4,
    lod: Lod,
    morphs: Morphs,
    by_material: BTreeMap<usize, Vec<u32>>,
    odd: Vec<String>,
}

/// Matrices and joints that carry the vertices of a mesh.
struct Carriers {
    /// Model from mesh.
    matrix: Mat4,
    /// For each joint of the skin the model's joint, and the matrix, model from mesh, of its vertices at rest.
    joints: Vec<(u16, Mat4)>,
}

impl<'a, 'b> Mesher<'a, 'b> {
    pub fn new(
        (document, tree): (&'a Document, &'a Tree),
        accessors: &'b mut Accessors<'a>,
        (rig, targets): (&'b mut Rig<'a>, &'b Targets),
        materials: &'b Materials,
        turn: Mat4,
    ) -> Self {
        let (lod, by_material, odd) = Default::default();
        let morphs = Morphs { names: targets.names.clone(), deltas: Vec::new() };
        Self { document, tree, accessors, rig, targets, materials, turn, lod, morphs, by_material, odd }
    }

    /// Builds the mesh and its morphs. Also returns warnings.
    pub fn run(mut self) -> Result<(Lod, Morphs, Vec<String>), String> {
        for &node in &self.tree.order {
            let Some(mesh) = self.document.nodes[node].mesh.filter(|_| !self.tree.hidden[node]) else { continue };
            let mesh_in_file = self.document.meshes.get(mesh);
            let mesh_in_file =
                mesh_in_file.ok_or_else(|| format!("nodes[{node}] names mesh {mesh}, which is not there"))?;
            let carriers = self.carriers(node)?;
            for (index, primitive) in mesh_in_file.primitives.iter().enumerate() {
                let told = |why: String| format!("meshes[{mesh}].primitives[{index}] {why}");
                self.primitive((node, primitive), &carriers).map_err(told)?;
            }
        }
        for (material, indices) in std::mem::take(&mut self.by_material) {
            let first = self.lod.indices.len() as u32;
            self.lod.meshes.push(Mesh { first, count: indices.len() as u32, material });
            self.lod.indices.extend(indices);
        }
        self.odd.sort();
        self.odd.dedup();
        Ok((Lod { max_joints: KEPT as u8, pixels: f32::INFINITY, ..self.lod }, self.morphs, self.odd))
    }

    fn carriers(&mut self, node: usize) -> Result<Carriers, String> {
        if let Some(skin) = self.document.nodes[node].skin {
            let in_file = self
                .document
                .skins
                .get(skin)
                .ok_or_else(|| format!("nodes[{node}] names skin {skin}, which is not there"))?;
            return self.skin(in_file).map_err(|why| format!("skins[{skin}] {why}"));
        }
        let matrix = self.turn * self.tree.scene_from_node[node];
        let joint = if self.rig.moves(node) { self.rig.carrier(node, inverse(matrix))? } else { AT_REST };
        Ok(Carriers { matrix, joints: vec![(joint, matrix)] })
    }

    fn skin(&mut self, skin: &Skin) -> Result<Carriers, String> {
        let bound: Vec<Mat4> = match skin.inverse_bind_matrices {
            Some(matrices) => self.accessors.elements::<16>(matrices)?.iter().map(Mat4::from_cols_array).collect(),
            None => vec![Mat4::IDENTITY; skin.joints.len()],
        };
        if bound.len() < skin.joints.len() {
            return Err(format!("has {} inverse bind matrices for {} joints", bound.len(), skin.joints.len()));
        }
        let place = |joint: usize| self.tree.places.get(joint).copied().flatten();
        if let Some(missing) = skin.joints.iter().find(|&&joint| place(joint).is_none()) {
            return Err(format!("names joint {missing}, which is no node of the scene"));
        }
        let at_rest = |index: usize| self.turn * self.tree.scene_from_node[skin.joints[index]] * bound[index];
        // The pose of the uppermost joint at rest is that of the mesh.
        let first = (0..skin.joints.len()).min_by_key(|&index| place(skin.joints[index]));
        let matrix = first.map_or(self.turn, at_rest);
        let to_mesh = inverse(matrix);
        let is_still = !skin.joints.iter().any(|&joint| self.rig.moves(joint));
        let mut joints = Vec::with_capacity(skin.joints.len());
        for (index, &node) in skin.joints.iter().enumerate() {
            let joint = if is_still { AT_REST } else { self.rig.carrier(node, bound[index] * to_mesh)? };
            joints.push((joint, at_rest(index)));
        }
        Ok(Carriers { matrix, joints })
    }

    fn primitive(&mut self, (node, primitive): (usize, &Primitive), carriers: &Carriers) -> Result<(), String> {
        let Some(&positions) = primitive.attributes.get("POSITION") else { return Ok(()) };
        let positions = self.accessors.elements::<3>(positions)?;
        let count = positions.len();
        let indices = match primitive.indices {
            Some(indices) => self.accessors.indices(indices)?,
            None => (0..count).collect(),
        };
        if let Some(beyond) = indices.iter().find(|&&index| index >= count) {
            return Err(format!("names vertex {beyond} of {count}"));
        }
        let drawn: usize = self.by_material.values().map(|indices| indices.len() / 3).sum();
        if self.lod.vertices.len() + count > MAX_VERTICES {
            return Err(format!("brings the file to more than {MAX_VERTICES} vertices"));
        }
        if drawn + triangle_count(primitive.mode, indices.len()) > MAX_TRIANGLES {
            return Err(format!("brings the file to more than {MAX_TRIANGLES} triangles"));
        }
        let Some(mut triangles) = triangles(primitive.mode, &indices) else {
            self.odd.push("it has points or lines, which are not drawn".into());
            return Ok(());
        };
        if carriers.matrix.determinant() < 0.0 {
            triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        let material = self.materials.of(primitive.material);
        let uvs = self.attribute(primitive, &self.materials.uv_name(material), count, Accessors::elements::<2>)?;
        let normals = self.attribute(primitive, "NORMAL", count, Accessors::elements::<3>)?;
        let colors = self.colors(primitive, material, count)?;
        let influences = self.influences(primitive, carriers, count)?;
        let targets = self.target_deltas(node, primitive, count)?;
        let normal_matrix = inverse(carriers.matrix).transpose();
        let (mut vertices, mut unfollowed) = (Vec::with_capacity(count), 0);
        for index in 0..count {
            let position = usable(positions[index]);
            let (joints, weights, still) = influences.get(index).copied().unwrap_or((
                [carriers.joints[0].0, AT_REST, AT_REST, AT_REST],
                [1.0, 0.0, 0.0, 0.0],
                None,
            ));
            let normal = normals.as_ref().map_or(Vec3::ZERO, |normals| usable(normals[index]));
            let (position, normal) = targets.at_rest(index, (position, normal));
            let uv = uvs.as_ref().map_or([0.0; 2], |uvs| uvs[index]);
            let matrix = still.unwrap_or(carriers.matrix);
            let normal_matrix = still.map_or(normal_matrix, |still| inverse(still).transpose());
            let normal = normal_matrix.transform_vector3(normal);
            // Deltas are scaled as the normal is when its length becomes 1.
            let per_length = if normal.length_squared() > 0.0 { normal.length_recip() } else { 1.0 };
            let delta = |delta: MorphDelta| MorphDelta {
                position: usable(matrix.transform_vector3(delta.position).to_array()),
                normal: usable((normal_matrix.transform_vector3(delta.normal) * per_length).to_array()),
            };
            vertices.push(Vertex {
                position: usable(matrix.transform_point3(position).to_array()),
                normal: normal.normalize_or_zero(),
                uv: self.materials.uv(material, Vec3::truncate(usable([uv[0], uv[1], 0.0]))),
                joints,
                weights,
                color: colors.as_ref().map_or(Vertex::WHITE, |colors| colors[index]),
                morph_row: targets.row(index, &mut self.morphs, delta).unwrap_or_else(|| {
                    unfollowed += 1;
                    0
                }),
            });
        }
        if unfollowed > 0 {
            self.odd
                .push(format!("morph targets move more vertices than there is room for: {unfollowed} do not follow"));
        }
        self.append(material, vertices, &triangles);
        Ok(())
    }

    /// Adds triangles; if vertices lack normals, they get those of their triangles, each with corners of its own.
    fn append(&mut self, material: usize, vertices: Vec<Vertex>, triangles: &[[usize; 3]]) {
        let first = self.lod.vertices.len();
        let indices = self.by_material.entry(material).or_default();
        let needs_normals = vertices.iter().any(|vertex| vertex.normal == Vec3::ZERO);
        if !needs_normals {
            self.lod.vertices.extend(vertices);
            indices.extend(triangles.iter().flatten().map(|&corner| (first + corner) as u32));
            return;
        }
        self.lod.vertices.reserve(3 * triangles.len());
        for corners in triangles {
            let [a, b, c] = corners.map(|corner| vertices[corner].position);
            let face = (b - a).cross(c - a).normalize_or(Vec3::Y);
            for &corner in corners {
                let vertex = vertices[corner];
                let normal = if vertex.normal == Vec3::ZERO { face } else { vertex.normal };
                indices.push(self.lod.vertices.len() as u32);
                self.lod.vertices.push(Vertex { normal, ..vertex });
            }
        }
    }

    /// Elements of an attribute, read by `read`, for at least `count` vertices; `None` if there is none of that name.
    fn attribute<T>(
        &mut self,
        primitive: &Primitive,
        name: &str,
        count: usize,
        read: impl FnOnce(&mut Accessors<'a>, usize) -> Result<Vec<T>, String>,
    ) -> Result<Option<Vec<T>>, String> {
        let Some(&accessor) = primitive.attributes.get(name) else { return Ok(None) };
        let elements = read(self.accessors, accessor)?;
        if elements.len() < count {
            return Err(format!("has {} of {name} for {count} vertices", elements.len()));
        }
        Ok(Some(elements))
    }

    /// The colours of vertices, if they have any. Transparency in them is not supported, and warned about.
    fn colors(&mut self, primitive: &Primitive, material: usize, count: usize) -> Result<Option<Vec<[u8; 3]>>, String> {
        let colors = self.attribute(primitive, "COLOR_0", count, |accessors, index| match accessors.width(index) {
            Some(3) => Ok(accessors.elements::<3>(index)?.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()),
            _ => accessors.elements::<4>(index),
        })?;
        let Some(colors) = colors else { return Ok(None) };
        if !self.materials.is_opaque(material) && colors.iter().any(|[.., alpha]| *alpha < 0.995) {
            self.odd.push("colours at its vertices are seen through in part, which is not followed".into());
        }
        let channel = |linear: f32| (255.0 * srgb_from_linear(linear)).round() as u8;
        Ok(Some(colors.into_iter().map(|[r, g, b, _]| [r, g, b].map(channel)).collect()))
    }

    /// Changes of a primitive's vertices by its morph targets.
    fn target_deltas(&mut self, node: usize, primitive: &Primitive, count: usize) -> Result<TargetDeltas, String> {
        let Some((first, weights)) = self.targets.of(node) else { return Ok(TargetDeltas::default()) };
        let mut of_targets = Vec::with_capacity(primitive.targets.len());
        for target in &primitive.targets {
            let mut of_attribute = |name: &str| -> Result<Vec<Vec3>, String> {
                let Some(&accessor) = target.get(name) else { return Ok(Vec::new()) };
                let deltas = self.accessors.elements::<3>(accessor)?;
                if deltas.len() < count {
                    return Err(format!("has a morph target with {} of {name} for {count} vertices", deltas.len()));
                }
                Ok(deltas.into_iter().map(usable).collect())
            };
            of_targets.push([of_attribute("POSITION")?, of_attribute("NORMAL")?]);
        }
        Ok(TargetDeltas { first, of_targets, weights: weights.to_vec() })
    }

    /// Joints and weights of each vertex of a skinned mesh, and its matrix if the joints never move.
    fn influences(
        &mut self,
        primitive: &Primitive,
        carriers: &Carriers,
        count: usize,
    ) -> Result<Vec<Influences>, String> {
        let mut sets = Vec::new();
        for set in 0.. {
            let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
            let joints = self.attribute(primitive, &joints, count, Accessors::small_indices::<4>)?;
            let weights = self.attribute(primitive, &weights, count, Accessors::elements::<4>)?;
            let (Some(joints), Some(weights)) = (joints, weights) else { break };
            sets.push((joints, weights));
        }
        let vertices = if sets.is_empty() { 0 } else { count };
        let (mut found, mut reduced, mut loose) = (Vec::with_capacity(vertices), 0, 0);
        let mut pairs: Vec<(usize, f32)> = Vec::new();
        for vertex in 0..vertices {
            pairs.clear();
            for (joints, weights) in &sets {
                let of_set = joints[vertex].map(usize::from).into_iter().zip(weights[vertex]);
                pairs.extend(of_set.filter(|(_, weight)| *weight > 0.0 && weight.is_finite()));
            }
            if let Some((beyond, _)) = pairs.iter().find(|(joint, _)| *joint >= carriers.joints.len()) {
                return Err(format!("names joint {beyond} of {}", carriers.joints.len()));
            }
            pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
            reduced += usize::from(pairs.len() > KEPT);
            loose += usize::from(pairs.is_empty());
            found.push(kept(&pairs, carriers));
        }
        if reduced > 0 {
            self.odd.push(format!("{reduced} vertices follow more than {KEPT} joints: the {KEPT} heaviest are kept"));
        }
        if loose > 0 {
            self.odd.push(format!("{loose} vertices of a skin follow no joint: they stay where they are"));
        }
        Ok(found)
    }
}

/// Changes of a primitive's vertices by its morph targets, in the mesh's space.
#[derive(Default)]
struct TargetDeltas {
    /// Number of the first target among all of the file.
    first: usize,
    /// Deltas of positions and of normals of each target; empty if it has none.
    of_targets: Vec<[Vec<Vec3>; 2]>,
    /// Weights at rest.
    weights: Vec<f32>,
}

impl TargetDeltas {
    fn of(&self, vertex: usize) -> impl Iterator<Item = MorphDelta> {
        let of = move |deltas: &Vec<Vec3>| deltas.get(vertex).copied().unwrap_or(Vec3::ZERO);
        self.of_targets
            .iter()
            .map(move |[positions, normals]| MorphDelta { position: of(positions), normal: of(normals) })
    }

    /// Position and normal of a vertex with the weights at rest.
    fn at_rest(&self, vertex: usize, (position, normal): (Vec3, Vec3)) -> (Vec3, Vec3) {
        self.of(vertex).zip(&self.weights).fold((position, normal), |(position, normal), (delta, weight)| {
            (position + *weight * delta.position, normal + *weight * delta.normal)
        })
    }

    /// Adds the row of a vertex to the deltas of `morphs` and returns its number; `in_model` takes a delta to model
    /// space. `None` if there is no room for it.
    fn row(&self, vertex: usize, morphs: &mut Morphs, in_model: impl Fn(MorphDelta) -> MorphDelta) -> Option<u32> {
        if self.of_targets.is_empty() {
            return Some(0);
        }
        let mut row = vec![MorphDelta::default(); morphs.names.len()];
        let own = row.iter_mut().skip(self.first);
        own.zip(self.of(vertex)).for_each(|(slot, delta)| *slot = in_model(delta));
        let has_room = morphs.deltas.len() + 2 * row.len() <= Morphs::MAX_DELTAS;
        has_room.then(|| morphs.add_row(&row))
    }
}

/// Joints, weights, and model from mesh if the vertex never moves.
type Influences = ([u16; 4], [f32; 4], Option<Mat4>);

/// The heaviest of a vertex' joints, largest first.
fn kept(pairs: &[(usize, f32)], carriers: &Carriers) -> Influences {
    let kept = &pairs[..pairs.len().min(KEPT)];
    let sum: f32 = kept.iter().map(|(_, weight)| weight).sum();
    let (mut joints, mut weights, mut still) = ([AT_REST; KEPT], [0.0; KEPT], Mat4::ZERO);
    for (slot, (joint, weight)) in kept.iter().enumerate() {
        (joints[slot], weights[slot]) = (carriers.joints[*joint].0, weight / sum);
        still += carriers.joints[*joint].1 * weights[slot];
    }
    if joints == [AT_REST; KEPT] && !kept.is_empty() {
        return (joints, [1.0, 0.0, 0.0, 0.0], Some(still));
    }
    if kept.is_empty() {
        weights[0] = 1.0;
    }
    (joints, weights, None)
}

/// The inverse of a matrix, or the identity if it has none.
fn inverse(matrix: Mat4) -> Mat4 {
    let inverse = matrix.inverse();
    if inverse.is_finite() { inverse } else { Mat4::from_mat3(Mat3::IDENTITY) }
}

/// Number of triangles that so many indices make in a mode.
fn triangle_count(mode: u32, indices: usize) -> usize {
    match mode {
        4 => indices / 3,
        5 | 6 => indices.saturating_sub(2),
        _ => 0,
    }
}

/// The corners of the triangles of a mode; `None` for points and lines.
fn triangles(mode: u32, indices: &[usize]) -> Option<Vec<[usize; 3]>> {
    Some(match mode {
        4 => indices.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]).collect(),
        // Every other triangle of a strip is turned over.
        5 => {
            indices
                .windows(3)
                .enumerate()
                .map(|(i, corners)| {
                    if i % 2 == 0 { [corners[0], corners[1], corners[2]] } else { [corners[1], corners[0], corners[2]] }
                })
                .collect()
        }
        6 => (2..indices.len()).map(|last| [indices[0], indices[last - 1], indices[last]]).collect(),
        _ => return None,
    })
}

/// Sets the joint of vertices that nothing moves, now that the number of joints is known.
pub(super) fn name_rest_joint(lod: &mut Lod, joints: usize) {
    for vertex in &mut lod.vertices {
        vertex.joints.iter_mut().filter(|joint| **joint == AT_REST).for_each(|joint| *joint = joints as u16);
    }
}
