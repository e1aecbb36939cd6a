//! Vertices as the GPU reads them: 16 bytes, or 24 where several joints move one (28 where joints are many), 4 more where
//! morphs do, and 4 more where they have colours. `include/vertex.glsl` unpacks them.
//!
//! | | stored as | off by at most |
//! |---|---|---|
//! | position | 16 bits an axis over the model's extent | half a step: 1 / 131,070 of the extent |
//! | normal | octahedral, 16 bits a coordinate (Cigolle et al., JCGT 3(2), 2014) | 0.004° |
//! | texture coordinates | 16 bits over the model's range; floats, 4 bytes more, where these are too coarse | 1/16 texel |
//! | joints | 16 bits, or 8 where several move a vertex and all of the model's have a number below 256 | |
//! | weights | 8 bits; of one joint no weight | 1 / 255; the sum is 1 |
//! | row of the morphs' deltas | 32 bits | |
//! | colour | 8 bits a channel | |

use gl::attributes::{JOINTS, MORPH_ROW, NORMAL, POSITION, UV, VERTEX_COLOUR, WEIGHTS};
use gl::{Attribute, AttributeKind, Geometry, Gl, GlError, uniforms};
use glam::{DVec2, DVec3, Vec3, Vec3Swizzles, Vec4};
use model::{Lod, Model, Vertex};

/// Steps from the least to the greatest of the values stored in 16 bits.
const STEPS: f64 = u16::MAX as f64;

/// Error beyond which texture coordinates stay floats instead of 16 bits. Unit: texels of the model's largest texture.
const MAX_TEXELS_OFF: f64 = 1.0 / 16.0;

uniforms! {
    /// Uniforms that unpack a model's vertices.
    pub struct VertexUniforms {
        /// Least corner of the model. Unit: model units.
        pub position_origin: Vec3,
        /// Model units a step.
        pub position_step: Vec3,
        /// Least texture coordinates, and texture coordinates a step.
        pub uv_origin_step: Vec4,
    }
}

/// Packing of the vertices of all levels of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexPacking {
    position_origin: DVec3,
    position_step: DVec3,
    /// Least texture coordinates and their step; `None` where they are floats.
    uv: Option<(DVec2, DVec2)>,
    /// Whether some joint's number takes more than 8 bits.
    has_many_joints: bool,
    /// Whether they name rows of the morphs' deltas.
    is_morphed: bool,
    /// Whether they have colours.
    is_coloured: bool,
}

impl VertexPacking {
    /// The finest packing that holds every vertex of `model`.
    pub fn of(model: &Model) -> Self {
        let images = model.materials.iter().filter_map(|material| material.texture.as_deref());
        let texels = images.map(|image| image.width.max(image.height)).max().unwrap_or(1);
        let is_morphed = !model.morphs.names.is_empty();
        let is_coloured = model.has_vertex_colors();
        Self { is_morphed, is_coloured, ..Self::new(model.lods.iter().flat_map(|lod| &lod.vertices), texels) }
    }

    /// The finest packing that holds these vertices of a model whose largest texture is `texels` wide or high.
    fn new<'v>(vertices: impl Iterator<Item = &'v Vertex>, texels: u32) -> Self {
        let (mut least, mut greatest) = (DVec3::MAX, DVec3::MIN);
        let (mut least_uv, mut greatest_uv) = (DVec2::MAX, DVec2::MIN);
        let mut has_many_joints = false;
        for vertex in vertices {
            let (position, uv) = (vertex.position.as_dvec3(), vertex.uv.as_dvec2());
            (least, greatest) = (least.min(position), greatest.max(position));
            (least_uv, greatest_uv) = (least_uv.min(uv), greatest_uv.max(uv));
            has_many_joints |= vertex.joints.iter().any(|joint| u8::try_from(*joint).is_err());
        }
        let uv_step = (greatest_uv - least_uv).max(DVec2::ZERO) / STEPS;
        let is_fine = 0.5 * uv_step.max_element() * f64::from(texels) <= MAX_TEXELS_OFF;
        Self {
            position_origin: least,
            position_step: (greatest - least).max(DVec3::ZERO) / STEPS,
            uv: is_fine.then_some((least_uv, uv_step)),
            has_many_joints,
            is_morphed: false,
            is_coloured: false,
        }
    }

    /// Uniforms that the shader needs to unpack them.
    pub fn uniforms(&self) -> VertexUniforms {
        let (origin, step) = self.uv.unwrap_or((DVec2::ZERO, DVec2::ONE));
        VertexUniforms {
            position_origin: self.position_origin.as_vec3(),
            position_step: self.position_step.as_vec3(),
            uv_origin_step: Vec4::from((origin.as_vec2(), step.as_vec2())),
        }
    }

    /// Uploads a level whose vertices follow `joints` joints at most.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn geometry(&self, gl: &Gl, name: &str, lod: &Lod, joints: u32) -> Result<Geometry, GlError> {
        let (layout, stride) = self.layout(joints);
        let mut bytes = Vec::with_capacity(lod.vertices.len() * stride);
        for vertex in &lod.vertices {
            self.pack(vertex, joints, &mut bytes);
        }
        Geometry::new(gl, name, &bytes, stride, &layout, &lod.indices)
    }

    /// The attributes of a vertex as [`Self::pack`] lays it out, and its bytes.
    fn layout(&self, joints: u32) -> (Vec<Attribute>, usize) {
        let attribute = |location, components, kind, offset| Attribute { location, components, kind, offset };
        let (uv, mut end) = if self.uv.is_some() { (AttributeKind::U16, 16) } else { (AttributeKind::F32, 20) };
        let mut layout = vec![
            attribute(POSITION, 3, AttributeKind::U16, 0),
            attribute(NORMAL, 2, AttributeKind::I16, 8),
            attribute(UV, 2, uv, 12),
        ];
        match joints {
            0 => {}
            1 => layout.push(attribute(JOINTS, 1, AttributeKind::U16Integer, 6)),
            _ => {
                let (kind, bytes) =
                    if self.has_many_joints { (AttributeKind::U16Integer, 8) } else { (AttributeKind::U8Integer, 4) };
                layout.push(attribute(JOINTS, 4, kind, end));
                layout.push(attribute(WEIGHTS, 4, AttributeKind::U8Normalised, end + bytes));
                end += bytes + 4;
            }
        }
        if self.is_morphed {
            layout.push(attribute(MORPH_ROW, 1, AttributeKind::U32Integer, end));
            end += 4;
        }
        if self.is_coloured {
            layout.push(attribute(VERTEX_COLOUR, 4, AttributeKind::U8Normalised, end));
            end += 4;
        }
        (layout, end as usize)
    }

    /// Adds the bytes of a vertex that follows `joints` joints at most.
    fn pack(&self, vertex: &Vertex, joints: u32, bytes: &mut Vec<u8>) {
        let position = (vertex.position.as_dvec3() - self.position_origin) / self.position_step;
        bytes.extend(position.to_array().into_iter().flat_map(|axis| whole(axis).to_ne_bytes()));
        bytes.extend(vertex.joints[0].to_ne_bytes());
        bytes.extend(octahedral(vertex.normal).into_iter().flat_map(i16::to_ne_bytes));
        match self.uv {
            Some((origin, step)) => {
                let uv = (vertex.uv.as_dvec2() - origin) / step;
                bytes.extend(uv.to_array().into_iter().flat_map(|axis| whole(axis).to_ne_bytes()));
            }
            None => bytes.extend(vertex.uv.to_array().into_iter().flat_map(f32::to_ne_bytes)),
        }
        if joints > 1 {
            match self.has_many_joints {
                true => bytes.extend(vertex.joints.into_iter().flat_map(u16::to_ne_bytes)),
                false => bytes.extend(vertex.joints.map(|joint| joint as u8)),
            }
            bytes.extend(shares(vertex.weights));
        }
        if self.is_morphed {
            bytes.extend(vertex.morph_row.to_ne_bytes());
        }
        if self.is_coloured {
            bytes.extend(vertex.color);
            bytes.push(u8::MAX);
        }
    }
}

/// The nearest of the 16-bit steps; 0 along an axis without extent, whose step is 0.
fn whole(steps: f64) -> u16 {
    steps.round().clamp(0.0, STEPS) as u16
}

/// A direction on the octahedron |x| + |y| + |z| = 1, the half below z = 0 folded outward over the one above.
fn octahedral(normal: Vec3) -> [i16; 2] {
    let n = normal / (normal.x.abs() + normal.y.abs() + normal.z.abs());
    let folded = if n.z < 0.0 { (1.0 - n.yx().abs()) * n.xy().signum() } else { n.xy() };
    folded.to_array().map(|coordinate| (coordinate * f32::from(i16::MAX)).round() as i16)
}

/// Weights in 255ths whose sum is 255, so that no vertex shrinks: rounded down, and the rest goes to those that
/// lost most.
fn shares(weights: [f32; 4]) -> [u8; 4] {
    const WHOLE: f32 = u8::MAX as f32;
    let sum: f32 = weights.iter().sum();
    let exact = weights.map(|weight| (weight / sum * WHOLE).clamp(0.0, WHOLE));
    let mut shares = exact.map(|share| share as u8);
    let missing = shares.iter().fold(u8::MAX, |missing, share| missing.saturating_sub(*share));
    let mut by_loss = [0, 1, 2, 3];
    by_loss.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    for &slot in by_loss.iter().take(usize::from(missing)) {
        shares[slot] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec4Swizzles};

    use super::*;

    fn vertex(position: Vec3, uv: Vec2) -> Vertex {
        Vertex {
            position,
            normal: Vec3::Y,
            uv,
            joints: [9, 2, 3, 4],
            weights: [0.4, 0.3, 0.2, 0.1],
            morph_row: 700,
            color: [10, 20, 30],
        }
    }

    /// Numbers spread over 0..1.
    fn spread(i: u32) -> f32 {
        (i as f32 * 0.618_034).fract()
    }

    fn u16s(bytes: &[u8]) -> Vec<f32> {
        bytes.chunks_exact(2).map(|pair| f32::from(u16::from_ne_bytes([pair[0], pair[1]]))).collect()
    }

    /// Position and texture coordinates as `include/vertex.glsl` unpacks them.
    fn position_and_uv(packing: &VertexPacking, vertex: &Vertex) -> (Vec3, Vec2) {
        let mut bytes = Vec::new();
        packing.pack(vertex, 0, &mut bytes);
        let VertexUniforms { position_origin, position_step, uv_origin_step } = packing.uniforms();
        let uv = match packing.uv {
            Some(_) => Vec2::from_slice(&u16s(&bytes[12..16])),
            None => Vec2::from_slice(bytemuck::cast_slice(&bytes[12..20])),
        };
        let position = position_origin + position_step * Vec3::from_slice(&u16s(&bytes[..6]));
        (position, uv_origin_step.xy() + uv_origin_step.zw() * uv)
    }

    /// Normal as `include/vertex.glsl` unpacks it.
    fn normal(packed: [i16; 2]) -> Vec3 {
        let [x, y] = packed.map(f32::from);
        let n = Vec3::new(x, y, 32767.0 - x.abs() - y.abs());
        let below = (-n.z).max(0.0);
        let unfolded = |axis: f32| axis + if axis < 0.0 { below } else { -below };
        Vec3::new(unfolded(n.x), unfolded(n.y), n.z).normalize()
    }

    #[test]
    fn positions_are_half_a_step_off_at_most() {
        // A long thin thing far from its origin, a flat one, and one so large that its extent is hard to square.
        for (origin, extent) in [
            (Vec3::new(-300.0, 7.0, 0.01), Vec3::new(40.0, 0.2, 3.0)),
            (Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0)),
            (Vec3::splat(-9e11), Vec3::splat(1.8e12)),
        ] {
            let vertices: Vec<Vertex> = (0..5000)
                .map(|i| Vec3::new(spread(i), spread(7 * i + 1), spread(31 * i + 2)))
                .chain([Vec3::ZERO, Vec3::ONE])
                .map(|share| vertex(origin + extent * share, Vec2::ZERO))
                .collect();
            let packing = VertexPacking::new(vertices.iter(), 256);
            // The rounding of the shader's own floats comes on top.
            let half_step = extent / 131_070.0 + 4.0 * f32::EPSILON * (origin.abs() + extent);
            for vertex in &vertices {
                let off = (position_and_uv(&packing, vertex).0 - vertex.position).abs();
                assert!(off.cmple(half_step).all(), "{off} of {half_step}");
            }
        }
    }

    #[test]
    fn normals_are_a_hair_off_at_most() {
        let golden_turns = (0..50_000).map(|i| {
            let (z, turn) = (1.0 - (i as f32 + 0.5) / 25_000.0, 2.399_963 * i as f32);
            Vec3::new(turn.cos(), turn.sin(), 0.0) * (1.0 - z * z).sqrt() + Vec3::Z * z
        });
        let axes = [-1.0, 0.0, 1.0f32];
        let edges = axes.into_iter().flat_map(|x| axes.into_iter().flat_map(move |y| axes.map(|z| Vec3::new(x, y, z))));
        for direction in golden_turns.chain(edges.filter_map(Vec3::try_normalize)) {
            let off = normal(octahedral(direction)).as_dvec3().angle_between(direction.as_dvec3()).to_degrees();
            assert!(off <= 0.004, "{direction}: {off} degrees");
        }
        assert!(normal(octahedral(Vec3::ZERO)).is_finite());
    }

    #[test]
    fn texture_coordinates_are_a_sixteenth_of_a_texel_off_at_most() {
        for (least, greatest, texels, is_fine) in [
            (Vec2::ZERO, Vec2::ONE, 4096, true),
            (Vec2::new(-1.5, 0.0), Vec2::new(2.0, 1.0), 2048, true),
            (Vec2::ZERO, Vec2::new(9.0, 1.0), 1024, false),
            (Vec2::splat(-1e6), Vec2::splat(1e6), 1, false),
            (Vec2::splat(0.5), Vec2::splat(0.5), 4096, true),
        ] {
            let vertices: Vec<Vertex> = (0..5000)
                .map(|i| Vec2::new(spread(i), spread(13 * i)))
                .chain([Vec2::ZERO, Vec2::ONE])
                .map(|share| vertex(Vec3::ZERO, least + (greatest - least) * share))
                .collect();
            let packing = VertexPacking::new(vertices.iter(), texels);
            assert_eq!(packing.uv.is_some(), is_fine, "{least} to {greatest}");
            for vertex in &vertices {
                let off = (position_and_uv(&packing, vertex).1 - vertex.uv).abs().max_element() * texels as f32;
                assert!(off <= 1.0 / 16.0 + 1e-3, "{least} to {greatest}: {off} texels");
            }
        }
    }

    #[test]
    fn weights_add_up_whatever_they_are() {
        let mut weights = vec![[1.0, 0.0, 0.0, 0.0], [0.25; 4], [0.5, 0.5, 0.0, 0.0], [0.999, 0.001, 0.0, 0.0]];
        weights.extend((0..5000).map(|i| {
            let parts = [0, 1, 2, 3].map(|slot| spread(i * 4 + slot * slot));
            let sum: f32 = parts.iter().sum();
            parts.map(|part| part / sum)
        }));
        for of in weights {
            let packed = shares(of);
            assert_eq!(packed.iter().map(|share| u32::from(*share)).sum::<u32>(), 255, "{of:?}");
            for (share, weight) in packed.into_iter().zip(of) {
                assert!((f32::from(share) / 255.0 - weight).abs() < 1.0 / 255.0, "{of:?} is {packed:?}");
            }
        }
        assert_eq!(shares([1.0, 0.0, 0.0, 0.0]), [255, 0, 0, 0]);
    }

    #[test]
    fn a_vertex_takes_sixteen_bytes_eight_or_twelve_more_for_several_joints_and_four_each_for_morphs_and_colours() {
        let vertices = [vertex(Vec3::ZERO, Vec2::ZERO), vertex(Vec3::ONE, Vec2::ONE)];
        let fine = VertexPacking::new(vertices.iter(), 512);
        let coarse = VertexPacking { uv: None, ..fine };
        let morphed = |packing| VertexPacking { is_morphed: true, ..packing };
        let coloured = |packing| VertexPacking { is_coloured: true, ..packing };
        let many = VertexPacking { has_many_joints: true, ..fine };
        for (packing, joints, size) in [
            (fine, 0, 16),
            (fine, 1, 16),
            (fine, 2, 24),
            (fine, 4, 24),
            (many, 1, 16),
            (many, 4, 28),
            (coarse, 0, 20),
            (coarse, 4, 28),
            (morphed(fine), 1, 20),
            (morphed(coarse), 4, 32),
            (coloured(fine), 0, 20),
            (coloured(morphed(fine)), 4, 32),
        ] {
            let (layout, stride) = packing.layout(joints);
            let mut bytes = Vec::new();
            packing.pack(&vertices[1], joints, &mut bytes);
            assert_eq!((bytes.len(), stride), (size, size), "{joints} joints");
            let of = |location| layout.iter().find(|attribute| attribute.location == location);
            let at = |location| of(location).map(|attribute| &bytes[attribute.offset as usize..]);
            assert_eq!(at(JOINTS).map(|joints| joints[0]), (joints > 0).then_some(9));
            assert_eq!(at(MORPH_ROW).map(|row| row[..4] == 700u32.to_ne_bytes()), packing.is_morphed.then_some(true));
            let color = packing.is_coloured.then_some(true);
            assert_eq!(at(VERTEX_COLOUR).map(|color| color[..4] == [10, 20, 30, 255]), color);
            assert_eq!(at(WEIGHTS).map(|weights| weights[..4] == [102, 77, 51, 25]), (joints > 1).then_some(true));
        }
    }
}
