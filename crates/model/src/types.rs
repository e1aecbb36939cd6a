//! The runtime model: plain data, ready to be uploaded.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use crate::material::linear_from_srgb;

/// A creature or thing, ready to be drawn many times.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name for messages and labels.
    pub name: String,
    /// Levels of detail, finest first; at least one.
    pub lods: Vec<Lod>,
    /// Materials that the meshes name.
    pub materials: Vec<Material>,
    /// Joints; empty for a rigid thing.
    pub skeleton: Skeleton,
    /// Morph targets of its vertices.
    pub morphs: Morphs,
    /// Named places on it.
    pub attachments: Vec<Attachment>,
    /// Baked motion: row 0 onward is sampled by the vertex shader. A rigid thing has one row with the rest joint.
    pub palette: Palette,
    /// Motion as a formula, for instances drawn small; `None` if no formula fits.
    pub bend: Option<Bend>,
    /// Bounds of the rest pose.
    pub bounds: Bounds,
    /// Length along the body, as a scene's `length_m` counts it. Unit: model units.
    pub length: f32,
}

impl Model {
    /// Whether a vertex has a colour of its own.
    pub fn has_vertex_colors(&self) -> bool {
        self.lods.iter().flat_map(|lod| &lod.vertices).any(|vertex| vertex.color != Vertex::WHITE)
    }

    /// The named place of this name.
    pub fn attachment(&self, name: &str) -> Option<&Attachment> {
        self.attachments.iter().find(|attachment| attachment.name == name)
    }
}

/// A named place on a model that goes with a joint: where a light, a breath or another thing belongs.
///
/// In files these are attachments of MDL, nodes of glTF, places in comments of MS3D, and joints of any format.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// Name in the file.
    pub name: String,
    /// The joint that carries it; the number of joints if none does.
    pub joint: u16,
    /// Position in the rest pose.
    pub position: Vec3,
}

/// One level of detail.
#[derive(Clone, Debug, Default)]
pub struct Lod {
    /// Vertices of all meshes of this level.
    pub vertices: Vec<Vertex>,
    /// Triangle corners, three a triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
    /// Ranges of `indices` drawn with one material.
    pub meshes: Vec<Mesh>,
    /// Most joints that a vertex needs at this level: 4, 2 or 1; later weights are folded into the first ones.
    pub max_joints: u8,
    /// The largest size that it is made for: of the sphere that holds every pose, in pixels. No limit for the full
    /// mesh.
    pub pixels: f32,
    /// Whether its triangles are seen from both sides, whatever their materials say.
    pub two_sided: bool,
}

/// A range of a level's indices with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// First index.
    pub first: u32,
    /// Number of indices.
    pub count: u32,
    /// Index into [`Model::materials`].
    pub material: usize,
}

/// A vertex of the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Position in model space.
    pub position: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// Texture coordinates; (0, 0) is the first texel of the top row.
    pub uv: Vec2,
    /// Joints; unused slots name the rest joint with weight 0.
    pub joints: [u16; 4],
    /// Weights, largest first, sum 1.
    pub weights: [f32; 4],
    /// Row of [`Morphs::deltas`]; 0 if no morph moves it.
    pub morph_row: u32,
    /// Factor of the material's colour, sRGB.
    pub color: [u8; 3],
}

impl Vertex {
    /// The colour of a vertex that has none of its own.
    pub const WHITE: [u8; 3] = [255; 3];
}

/// Morph targets of vertices. Weights count from the rest pose, where all are 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morphs {
    /// Their names, in the order of the weights.
    pub names: Vec<String>,
    /// Changes of vertices: one per morph in each row that a vertex names. The first row is all zeros; there is none
    /// without morphs.
    pub deltas: Vec<MorphDelta>,
}

impl Morphs {
    /// The most morphs of a model.
    pub const MAX: usize = 64;
    /// Greatest length of [`Self::deltas`]: as many as fit a texture of any GPU.
    pub const MAX_DELTAS: usize = 1 << 20;

    /// Changes of a vertex by each morph; empty if none moves it.
    ///
    /// # Panics
    /// If the vertex names a row that is not there: a bug of the code that built the model.
    pub fn of(&self, vertex: &Vertex) -> &[MorphDelta] {
        if vertex.morph_row == 0 {
            return &[];
        }
        let count = self.names.len();
        &self.deltas[vertex.morph_row as usize * count..][..count]
    }

    /// Adds a row, unless all of it is zero; returns its number.
    ///
    /// # Panics
    /// If the row does not have a delta a morph.
    pub fn add_row(&mut self, row: &[MorphDelta]) -> u32 {
        assert_eq!(row.len(), self.names.len(), "a row has a delta a morph");
        if row.iter().all(|delta| *delta == MorphDelta::default()) {
            return 0;
        }
        self.deltas.resize(self.deltas.len().max(row.len()), MorphDelta::default());
        self.deltas.extend(row);
        (self.deltas.len() / row.len()) as u32 - 1
    }

    /// Greatest distance by which all morphs together may move a vertex.
    pub fn reach(&self) -> f32 {
        let rows = self.deltas.chunks_exact(self.names.len().max(1));
        rows.map(|row| row.iter().map(|delta| delta.position.length()).sum()).fold(0.0, f32::max)
    }
}

/// Change of a vertex by a morph of weight 1, before joints move it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct MorphDelta {
    /// Change of its position.
    pub position: Vec3,
    /// Change of its normal, whose length does not matter.
    pub normal: Vec3,
}

/// Optical properties of a surface.
#[derive(Clone, Debug)]
pub struct Material {
    /// Name from the file.
    pub name: String,
    /// Diffuse reflectance factor, linear RGB, and opacity.
    pub base_color: [f32; 4],
    /// Specular reflectance factor, linear RGB.
    pub specular: [f32; 3],
    /// Exponent of Blinn and Phong, 0 to 128; see [`exponent`](crate::material::exponent).
    pub shininess: f32,
    /// Emitted radiance, linear RGB.
    pub emissive: [f32; 3],
    /// Texture that multiplies `base_color`; its alpha cuts holes where `alpha_cutoff` says so.
    pub texture: Option<Arc<Image>>,
    /// Other properties that vary over the same texture coordinates.
    pub maps: Maps,
    /// Content of its textures beyond their edges, along u and v.
    pub wrap: [Wrap; 2],
    /// Alpha below which a texel is not drawn, 0 to draw all.
    pub alpha_cutoff: f32,
    /// Whether the texture's alpha is opacity, and what lies behind shows through.
    pub see_through: bool,
    /// Share of light that passes through: fins, leaves, bells. 0 opaque to 1.
    pub translucency: f32,
    /// Whether both sides are drawn.
    pub two_sided: bool,
    /// Whether it is reef rock, which shows grain finer than its texture.
    pub stone: bool,
    /// Share of light that its pale parts mirror: silver skin. 0 to 1.
    pub mirror_reflectance: f32,
    /// Share of light that its black parts send back to where it came from: pupils before a tapetum. 0 to 1.
    pub tapetum: f32,
    /// Height of its texture's light parts above its dark ones, of which its normals are made. 0, flat, to 1.
    pub relief: f32,
    /// Scales that stand out of the surface.
    pub scales: Option<Scales>,
}

impl Material {
    /// Whether it reflects as much as metal does: what else there is has a tenth of that.
    pub fn is_metal(&self) -> bool {
        self.maps.reflectance.is_some() || Vec3::from(self.specular).max_element() > 0.2
    }

    /// Whether it is transparent.
    pub fn is_transparent(&self) -> bool {
        self.see_through || self.base_color[3] < 0.995
    }
}

/// Textures of a material besides its colour.
#[derive(Clone, Debug, Default)]
pub struct Maps {
    /// Specular reflectance in place of the material's, and in alpha smoothness, 1 - roughness, in place of its
    /// exponent. The material has their means.
    pub reflectance: Option<Arc<Image>>,
    /// Factor of the material's emission.
    pub emission: Option<Arc<Image>>,
    /// Normals in tangent space: x along u, y against v, as 0 to 255 for -1 to 1.
    pub normals: Option<Arc<Image>>,
}

impl Maps {
    /// All of them.
    pub fn all(&self) -> [&Option<Arc<Image>>; 3] {
        [&self.reflectance, &self.emission, &self.normals]
    }
}

/// Content of a texture beyond an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The texture again.
    #[default]
    Repeat,
    /// The texture again, in a mirror.
    Mirror,
    /// Its last texel.
    Clamp,
}

impl Wrap {
    /// The texel, 0 to `count` - 1, that stands at `index`.
    pub fn texel(self, index: i32, count: i32) -> i32 {
        match self {
            Self::Repeat => index.rem_euclid(count),
            Self::Mirror => {
                let twice = index.rem_euclid(2 * count);
                twice.min(2 * count - 1 - twice)
            }
            Self::Clamp => index.clamp(0, count - 1),
        }
    }
}

/// Overlapping scales, laid out over a texture from its left (the snout) to its right.
///
/// At (u, v) the distance along a row is `along * u * (1 + growth * u) / (1 + growth)` scales, that across it `across *
/// v` rows; every other row is half a scale behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Scales in a row over the texture's width, more than 0.
    pub along: f32,
    /// Rows over the texture's height, more than 0.
    pub across: f32,
    /// Growth of their density to the right: 0 even.
    pub growth: f32,
    /// Relief, 0 to 1.
    pub relief: f32,
}

impl Scales {
    /// Factors of u, u² and v, and the relief.
    pub fn factors(&self) -> [f32; 4] {
        let linear = self.along / (1.0 + self.growth);
        [linear, linear * self.growth, self.across, self.relief]
    }
}

/// Decoded pixels, sRGB with straight alpha, top row first.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Source of the image, for labels and to share uploads.
    pub name: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `4 * width * height` bytes.
    pub rgba: Vec<u8>,
}

impl Image {
    /// Mean of four texels about a place of [`Vertex::uv`], by their distance: sRGB decoded if `as_color`, else as
    /// shares of 255.
    pub fn sample(&self, uv: Vec2, wrap: [Wrap; 2], as_color: bool) -> Vec4 {
        let (w, h) = (self.width as i32, self.height as i32);
        let p = uv * Vec2::new(w as f32, h as f32) - 0.5;
        let (base, f) = (p.floor(), p - p.floor());
        let mut sum = Vec4::ZERO;
        for (dx, dy, weight) in
            [(0, 0, (1.0 - f.x) * (1.0 - f.y)), (1, 0, f.x * (1.0 - f.y)), (0, 1, (1.0 - f.x) * f.y), (1, 1, f.x * f.y)]
        {
            let (x, y) = (wrap[0].texel(base.x as i32 + dx, w), wrap[1].texel(base.y as i32 + dy, h));
            let first = 4 * (y as usize * w as usize + x as usize);
            let Some(&[r, g, b, a]) = self.rgba.get(first..).and_then(|rest| rest.first_chunk()) else { continue };
            let share = |value: u8| f32::from(value) / 255.0;
            let color = [r, g, b].map(|value| if as_color { linear_from_srgb(share(value)) } else { share(value) });
            sum += Vec3::from(color).extend(share(a)) * weight;
        }
        sum
    }
}

/// Axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least corner.
    pub min: Vec3,
    /// Greatest corner.
    pub max: Vec3,
}

impl Bounds {
    /// Middle of the box.
    pub fn center(&self) -> Vec3 {
        0.5 * (self.min + self.max)
    }

    /// Half the diagonal: radius of a sphere round [`Self::center`] that holds the box.
    pub fn radius(&self) -> f32 {
        0.5 * (self.max - self.min).length()
    }
}

/// Joints in file order, with an order of evaluation.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    /// Joints, at most [`Self::MAX_JOINTS`]: one more number stands for the rest joint.
    pub joints: Vec<Joint>,
    /// Joint indices, every parent before its children.
    pub order: Vec<u16>,
    /// End of the time line in seconds.
    pub duration_s: f32,
    /// Frames a second of the time line, at least 1.
    pub fps: f32,
    /// Weights of the [morphs](Morphs), by time: for each of them its keys.
    pub morph_keys: Vec<Vec<(f32, f32)>>,
}

impl Skeleton {
    /// Most joints of a model: with the rest joint, a row of the palette is 1,536 texels, and every device that is supported
    /// allows 2,048 (WebGL 2).
    pub const MAX_JOINTS: usize = 511;

    /// Whether any joint or morph has keys to move by.
    pub fn moves(&self) -> bool {
        let moves = |joint: &Joint| {
            joint.rotation_keys.len() > 1 || joint.translation_keys.len() > 1 || joint.scale_keys.len() > 1
        };
        self.joints.iter().any(moves) || self.morph_keys.iter().any(|keys| !keys.is_empty())
    }
}

impl Skeleton {
    /// Adds to the weight of a morph at every moment.
    ///
    /// # Panics
    /// If there is no such morph: a caller's bug.
    pub fn add_morph_weight(&mut self, morph: usize, added: f32) {
        let keys = &mut self.morph_keys[morph];
        if keys.is_empty() {
            keys.push((0.0, 0.0));
        }
        keys.iter_mut().for_each(|(_, weight)| *weight += added);
    }
}

/// A joint of the skeleton.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name, lossily decoded.
    pub name: String,
    /// Parent's index, `None` for a root.
    pub parent: Option<u16>,
    /// Parent from joint, in the bind pose (the file's "reference").
    pub local_bind: Mat4,
    /// Joint from model, in the bind pose.
    pub inverse_bind: Mat4,
    /// Rotation keys relative to the bind pose, by time.
    pub rotation_keys: Vec<(f32, Quat)>,
    /// Translation keys relative to the bind pose, by time.
    pub translation_keys: Vec<(f32, Vec3)>,
    /// Scale keys relative to the bind pose, by time: the joint's own axes first, then it is turned.
    pub scale_keys: Vec<(f32, Vec3)>,
}

/// A named range of the time line.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Name, such as `swim`.
    pub name: String,
    /// First moment, seconds.
    pub start_s: f32,
    /// Last moment, seconds; for a looping clip the pose here equals the first.
    pub end_s: f32,
}

/// Skinning matrices of every clip, sampled at a fixed rate: the content of the palette texture.
///
/// Row r holds one moment; in it joint j takes three RGBA texels, the rows of the 3x4 matrix "model from rest model".
/// The last joint of each row is the identity (see the module documentation). After the joints each morph takes a
/// texel: its weight, then zeros.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// Joints a row, the rest joint included.
    pub joints: u32,
    /// Morphs a row.
    pub morphs: u32,
    /// Rows.
    pub rows: u32,
    /// `rows * width()` texels.
    pub texels: Vec<[f32; 4]>,
    /// Rows of each clip.
    pub clips: Vec<PaletteClip>,
}

impl Palette {
    /// Texels that hold a joint's moment: the rows of a 3 x 4 matrix.
    pub const TEXELS_PER_JOINT: u32 = 3;

    /// Texels a row.
    pub fn width(&self) -> u32 {
        self.joints * Self::TEXELS_PER_JOINT + self.morphs
    }

    /// Its texels with `added` to the weights of the morphs in every row.
    pub fn with_morph_weights(&self, added: &[f32]) -> Vec<[f32; 4]> {
        let mut texels = self.texels.clone();
        for row in texels.chunks_exact_mut(self.width().max(1) as usize) {
            let of_morphs = row.len() - self.morphs as usize;
            row[of_morphs..].iter_mut().zip(added).for_each(|(texel, weight)| texel[0] += weight);
        }
        texels
    }
}

/// Bend of the body for each row of a palette.
///
/// A vertex at z moves along each axis by a cubic of a = (z - middle) * scale, which is -1 and 1 at the ends of the
/// body. This fits creatures that swim with their body; it leaves out fins that row, wings and bells.
#[derive(Clone, Debug)]
pub struct Bend {
    /// Middle of the body on the z axis, model units.
    pub middle: f32,
    /// 1 over half the length of the body, 1/model units.
    pub scale: f32,
    /// For each row of the palette the factors of 1, a, a² and a³ of the movement along x, y and z; model units.
    pub rows: Vec<[Vec4; 3]>,
    /// Root mean square distance of the vertices from their positions by the palette, at the worst row, as a share of
    /// the body's length.
    pub error: f32,
}

/// A clip's place in a palette. Its rows go round once: row `first_row + rows`, which exists too, equals `first_row`.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteClip {
    /// Name, such as `swim`.
    pub name: String,
    /// First row.
    pub first_row: u32,
    /// Number of rows, at least 1.
    pub rows: u32,
    /// Length in seconds, more than 0.
    pub duration_s: f32,
    /// Extent of its motion.
    pub sweep: Sweep,
}

/// Extent of a clip's motion from side to side, as shares of the body's length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sweep {
    /// The end of the tail.
    pub tail: f32,
    /// The part that moves farthest: a fin, a wing, the rim of a bell.
    pub widest: f32,
    /// Number of times that this part goes to and fro in the clip.
    pub strokes: u32,
}

impl PaletteClip {
    /// The fractional row `phase` of the way round, 0..1; whole rounds do not count.
    pub fn row(&self, phase: f32) -> f32 {
        let (first, rows) = (self.first_row as f32, self.rows as f32);
        // Rounding must not lead past the row that closes the clip; 4096 rows leave 2^-11 of a row.
        first + ((phase - phase.floor()) * rows).min(rows - 1e-3)
    }
}
