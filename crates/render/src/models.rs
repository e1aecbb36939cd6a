//! Models on the GPU: vertices by level of detail, palette and textures.

use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::offset_of;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use gl::{
    Attribute, AttributeKind, Buffer, BufferKind, Filter, Format, Geometry, Gl, GlError, Instances, Texture2d, Wrap,
    attributes::{INSTANCE_CLIP, INSTANCE_PLACE, INSTANCE_ROTATION, INSTANCE_SHAPE, INSTANCE_TINT},
    uniforms,
};
use glam::{Vec2, Vec3};
use model::{Bend, Image, Material, Model, MorphDelta, Morphs};
use view::Instance;

use crate::levels::{areas, joined, seen_areas, with_inner_colours};
use crate::material_maps::{MapKey, TextureSet, WHITE};
use crate::textures::{AlphaCutout, TextureRules};
use crate::vertices::{VertexPacking, VertexUniforms};

/// An instance as the GPU reads it: floats, since packing takes longer than sending twice the bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct PackedInstance {
    place: [f32; 4],
    rotation: [f32; 4],
    clip: [f32; 4],
    tint: [f32; 4],
    shape: [f32; 4],
}

impl PackedInstance {
    /// The instance on only some pixels: `shown` as `fade.glsl` has it.
    pub fn fading(mut self, shown: f32) -> Self {
        self.tint[3] = shown;
        self
    }

    /// The instance in the pose of one clip, the one that shows more: for shadows.
    pub fn without_blend(mut self) -> Self {
        let [row, blend_row, row_weight, blend_weight] = self.clip;
        self.clip =
            if blend_weight > row_weight { [blend_row, 0.0, blend_weight, 0.0] } else { [row, 0.0, row_weight, 0.0] };
        self
    }
}

impl InstanceData for PackedInstance {
    const LAYOUT: &'static [Attribute] = &[
        float4(INSTANCE_PLACE, offset_of!(PackedInstance, place)),
        float4(INSTANCE_ROTATION, offset_of!(PackedInstance, rotation)),
        float4(INSTANCE_CLIP, offset_of!(PackedInstance, clip)),
        float4(INSTANCE_TINT, offset_of!(PackedInstance, tint)),
        float4(INSTANCE_SHAPE, offset_of!(PackedInstance, shape)),
    ];
}

impl From<&Instance> for PackedInstance {
    fn from(instance: &Instance) -> Self {
        Self {
            place: instance.position.extend(instance.scale).to_array(),
            rotation: instance.rotation.to_array(),
            clip: [instance.palette_row, instance.blend_row, instance.row_weight, instance.blend_weight],
            tint: instance.tint.extend(1.0).to_array(),
            shape: [instance.bend[0], instance.bend[1], instance.variation, instance.morph_weight],
        }
    }
}

/// Data of an instance that a vertex shader reads.
pub trait InstanceData: Pod {
    /// Its attributes.
    const LAYOUT: &'static [Attribute];
}

/// Instances that are gathered anew for each pass and sent together.
pub struct InstanceStream<T = PackedInstance> {
    buffer: Buffer,
    staging: RefCell<Vec<T>>,
}

impl<T: InstanceData> InstanceStream<T> {
    /// An empty stream.
    ///
    /// # Errors
    /// If the driver refuses the buffer.
    pub fn new(gl: &Gl, name: &str) -> Result<Self, GlError> {
        Ok(Self { buffer: Buffer::streaming(gl, name, BufferKind::Vertices)?, staging: RefCell::default() })
    }

    /// Sends the instances that `gather` gathers, in place of those before; returns their number.
    ///
    /// # Errors
    /// If the driver has no memory for them; there are none then.
    pub fn replace(&self, gather: impl FnOnce(&mut Vec<T>)) -> Result<usize, GlError> {
        let mut staging = self.staging.borrow_mut();
        staging.clear();
        gather(&mut staging);
        self.send(&staging)
    }

    /// Sends `count` instances, each of which `fill` writes over one before; returns their number.
    ///
    /// # Errors
    /// If the driver has no memory for them; there are none then.
    pub fn overwrite(&self, count: usize, fill: impl FnOnce(&mut [T])) -> Result<usize, GlError> {
        let mut staging = self.staging.borrow_mut();
        staging.resize(count, T::zeroed());
        fill(&mut staging);
        self.send(&staging)
    }

    fn send(&self, staging: &[T]) -> Result<usize, GlError> {
        if !staging.is_empty() {
            self.buffer.replace(bytemuck::cast_slice(staging))?;
        }
        Ok(staging.len())
    }

    /// The `count` instances from `first` on.
    pub fn run(&self, first: usize, count: usize) -> Instances<'_> {
        let (layout, stride) = (T::LAYOUT, size_of::<T>());
        Instances { buffer: &self.buffer, layout, stride, first, count }
    }
}

/// Attribute of four floats at an offset.
pub const fn float4(location: u32, offset: usize) -> Attribute {
    Attribute { location, components: 4, kind: AttributeKind::F32, offset: offset as i32 }
}

/// A model on the GPU.
pub struct GpuModel {
    /// Levels of detail, finest first.
    pub lods: Vec<GpuLod>,
    /// Uniforms that unpack their vertices.
    pub vertex: VertexUniforms,
    /// Skinning matrices and weights of morphs; `None` for a rigid thing.
    palette: Option<Texture2d>,
    /// Deltas of the morphs, and the number of morphs.
    morphs: Option<(Texture2d, i32)>,
    /// Bend of distant instances; `None` for a model that no formula bends.
    pub bend: Option<GpuBend>,
    /// Materials that the meshes name.
    pub materials: Vec<Material>,
    /// Textures of the materials.
    pub textures: Vec<TextureSet>,
    /// Extent and sizes of its levels.
    pub outline: Outline,
    /// Height of the rest pose over the origin, model units.
    pub height: f32,
}

/// Plain data of a model by which its instances are culled and dealt out over its levels of detail, on any thread.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Centre of the rest pose, model units.
    pub center: Vec3,
    /// Radius about the centre that holds every pose, model units.
    pub radius: f32,
    /// Factor on the size by which a level of detail is chosen: a ship of a hundred planks, simplified as far as a fish
    /// of its size, falls to pieces.
    pub lod_bias: f32,
    /// Whether it fades from one level to the next: on a thing that stays in place the pattern would show.
    pub fades: bool,
    /// Largest size that each level is made for, and its distance class; finest first. Unit of the first: px.
    pub levels: Vec<(f32, Distance)>,
}

impl Outline {
    /// The coarsest level that is made for a size. Unit: px.
    pub fn level_at(&self, pixels: f32) -> usize {
        self.levels.iter().rposition(|(largest, _)| pixels <= *largest).unwrap_or(0)
    }
}

/// Triangles of most models where they are as large as the picture; a model with more counts as larger. Unit of the
/// second: pixels.
const USUAL_TRIANGLES: f32 = 4200.0;
const PICTURE_PIXELS: f32 = 1000.0;

/// Texels in a row of the map of morphs' deltas.
pub const MORPH_TEXELS_A_ROW: u32 = 1024;

uniforms! {
    /// Uniforms that move a model's vertices.
    pub struct SkinningUniforms<'a> {
        palette: Option<&'a Texture2d>,
        morph_deltas: Option<&'a Texture2d>,
        morphs: Option<i32>,
    }
}

/// Movement of a mesh's vertices, and whether they have colours: the key of the variants of a vertex shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Skinning {
    /// Joints that a vertex follows at most: 0 for a rigid thing, else 1, 2 or 4.
    pub joints: u32,
    /// Whether rows of the palette are blended; far away the row below is taken.
    pub smooth: bool,
    /// Whether morphs move vertices before joints do.
    pub morphed: bool,
    /// Whether vertices have colours.
    pub coloured: bool,
}

impl Skinning {
    /// Skinning of a mesh that does not move.
    pub const RIGID: Self = Self { joints: 0, smooth: false, morphed: false, coloured: false };

    /// Defines for the shader.
    pub fn defines(self) -> [(&'static str, i32); 4] {
        let Self { joints, smooth, morphed, coloured } = self;
        [
            ("JOINTS", joints as i32),
            ("SMOOTH", smooth.into()),
            ("MORPHED", morphed.into()),
            ("COLOURED", coloured.into()),
        ]
    }
}

/// Bend of a body, on the GPU: see [`Bend`].
pub struct GpuBend {
    /// A row for each of the palette's, a texel an axis.
    pub map: Texture2d,
    /// Middle of the body and 1 over half its length.
    pub axis: Vec2,
    /// Axis along which the body shows most of itself, sideways or up: it is thin along it, whatever its fins reach out to.
    pub thin: Vec3,
}

/// Distance class of a level of detail, which decides how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Lit at vertices or pixels, moved by the palette.
    Near,
    /// Lit once an instance, bent by a formula, if the plan has that.
    Far,
    /// Coloured at vertices too.
    Speck,
}

impl Distance {
    /// Distance class by the size in pixels that the level is made for.
    fn of(pixels: f32) -> Self {
        match pixels {
            ..=25.0 => Self::Speck,
            ..=90.0 => Self::Far,
            _ => Self::Near,
        }
    }
}

/// A level of detail on the GPU.
pub struct GpuLod {
    /// Vertices and indices.
    pub geometry: Geometry,
    /// Ranges by material.
    pub meshes: Vec<model::Mesh>,
    /// Skinning of each of these meshes.
    pub skinning: Vec<Skinning>,
    /// Distance class that it is drawn as.
    pub distance: Distance,
    /// Whether one flank stands for both: its normals are those of the outline.
    pub is_sheet: bool,
}

/// All models of a static scene; textures are shared.
#[derive(Default)]
pub struct GpuModels {
    /// In the scene's order.
    pub models: Vec<GpuModel>,
    /// Textures; the first one is white, for materials without.
    pub textures: Vec<Texture2d>,
}

impl GpuModels {
    /// Uploads models, their textures by `rules`.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(gl: &Gl, models: &[Arc<Model>], rules: TextureRules) -> Result<Self, GlError> {
        let mut textures = Vec::new();
        let mut known: HashMap<(*const Image, [model::Wrap; 2]), usize> = HashMap::new();
        let cuts = cuts(models);
        let white = Image { name: "white".into(), width: 1, height: 1, rgba: vec![255; 4] };
        textures.push(rules.upload(gl, &white, AlphaCutout::NONE, Default::default())?);
        let mut index = |image: &Option<Arc<Image>>, wrap: [model::Wrap; 2]| {
            let Some(image) = image else { return Ok(None) };
            let key = Arc::as_ptr(image);
            if let Some(&known) = known.get(&(key, wrap)) {
                return Ok(Some(known));
            }
            let cut = cuts.get(&key).copied().unwrap_or(AlphaCutout::NONE);
            textures.push(rules.upload(gl, image, cut, wrap)?);
            known.insert((key, wrap), textures.len() - 1);
            Ok::<_, GlError>(Some(textures.len() - 1))
        };
        let mut uploaded = Vec::with_capacity(models.len());
        for model in models {
            let of_material = |Material { texture, maps, wrap, .. }: &Material| {
                Ok::<_, GlError>(TextureSet {
                    albedo: index(texture, *wrap)?.unwrap_or(WHITE),
                    reflectance: index(&maps.reflectance, *wrap)?,
                    emission: index(&maps.emission, *wrap)?,
                    normals: index(&maps.normals, *wrap)?,
                })
            };
            let of_materials = model.materials.iter().map(of_material).collect::<Result<_, GlError>>()?;
            uploaded.push(GpuModel::new(gl, model, of_materials)?);
        }
        Ok(Self { models: uploaded, textures })
    }
}

/// Alpha cutout of each image: holes that one model cuts into it are cut for all that use it.
fn cuts(models: &[Arc<Model>]) -> HashMap<*const Image, AlphaCutout> {
    let mut cuts: HashMap<*const Image, AlphaCutout> = HashMap::new();
    for model in models {
        let mut tiles = vec![!is_rigid(model); model.materials.len()];
        for (lod, mesh) in model.lods.iter().flat_map(|lod| lod.meshes.iter().map(move |mesh| (lod, mesh))) {
            let indices = &lod.indices[mesh.first as usize..(mesh.first + mesh.count) as usize];
            let is_within = |index: &u32| {
                let uv = lod.vertices[*index as usize].uv;
                uv.min_element() > -1e-3 && uv.max_element() < 1.001
            };
            tiles[mesh.material] |= !indices.iter().all(is_within);
        }
        for (material, tiles) in model.materials.iter().zip(tiles) {
            let Some(image) = &material.texture else { continue };
            let cut = cuts.entry(Arc::as_ptr(image)).or_insert(AlphaCutout::NONE);
            *cut = AlphaCutout { cutoff: cut.cutoff.max(material.alpha_cutoff), tiles: cut.tiles || tiles };
        }
    }
    cuts
}

impl GpuModel {
    /// Whether joints or morphs move its vertices.
    pub fn moves(&self) -> bool {
        self.palette.is_some()
    }

    /// Uniforms that move its vertices.
    pub fn skinning(&self) -> SkinningUniforms<'_> {
        let (morph_deltas, morphs) = self.morphs.as_ref().map(|(deltas, count)| (deltas, *count)).unzip();
        SkinningUniforms { palette: self.palette.as_ref(), morph_deltas, morphs }
    }

    /// Adds these weights to those of each morph in the palette of `model`, which this is.
    ///
    /// # Errors
    /// If the driver refuses the palette.
    pub fn add_morph_weights(&mut self, gl: &Gl, model: &Model, added: &[f32]) -> Result<(), GlError> {
        if self.palette.is_some() {
            self.palette = Some(palette_map(gl, model, &model.palette.with_morph_weights(added))?);
        }
        Ok(())
    }

    fn new(gl: &Gl, model: &Model, mut textures: Vec<TextureSet>) -> Result<Self, GlError> {
        let has_morphs = !model.morphs.names.is_empty();
        let palette = if is_rigid(model) { None } else { Some(palette_map(gl, model, &model.palette.texels)?) };
        let morphs = if has_morphs { Some(morph_map(gl, model)?) } else { None };
        let packing = VertexPacking::of(model);
        // Drawing as distant takes no colours at vertices.
        let bend = model.bend.as_ref().filter(|_| !model.has_vertex_colors());
        let bend = bend
            .map(|Bend { middle, scale, rows, .. }| {
                let (extent, texels) = ((3, rows.len() as u32), bytemuck::cast_slice(rows));
                let (format, filter) = (Format::Rgba32F, Filter::Nearest);
                let map = Texture2d::new(gl, &model.name, extent, format, filter, Wrap::Clamp, Some(texels))?;
                let (from_side, from_above) = model.lods.first().map(seen_areas).unwrap_or_default();
                let thin = if from_side >= from_above { Vec3::X } else { Vec3::Y };
                Ok::<_, GlError>(GpuBend { map, axis: Vec2::new(*middle, *scale), thin })
            })
            .transpose()?;
        let mut materials = model.materials.clone();
        let areas = model.lods.first().map(|finest| areas(finest, materials.len())).unwrap_or_default();
        let lods = model
            .lods
            .iter()
            .enumerate()
            .map(|(level, lod)| {
                let lod = match level {
                    0 => lod.clone(),
                    _ => joined((lod, &areas), !has_morphs, &mut materials, &mut textures),
                };
                let (joints, skinning) = skinning_of(model, level, &lod);
                let is_plain = |mesh: &model::Mesh| {
                    let material = &materials[mesh.material];
                    // Normals are followed at the finest level alone.
                    let has_maps = MapKey { normals: false, ..MapKey::of(material) } != MapKey::default();
                    let is_dull = material.emissive == [0.0; 3] && !material.is_metal();
                    !material.is_transparent() && is_dull && !has_maps
                };
                let distance = match bend.is_some() && level > 0 && lod.meshes.iter().all(is_plain) {
                    true => Distance::of(lod.pixels),
                    false => Distance::Near,
                };
                let lod = if distance == Distance::Speck { with_inner_colours(lod) } else { lod };
                let geometry = packing.geometry(gl, &model.name, &lod, joints)?;
                let meshes = lod.meshes.clone();
                Ok(GpuLod { geometry, meshes, skinning, distance, is_sheet: lod.two_sided })
            })
            .collect::<Result<Vec<_>, GlError>>()?;
        // Poses reach beyond the rest pose: a bent tail, a raised wing.
        let reach = if model.skeleton.joints.is_empty() { 1.0 } else { 1.25 };
        // Of the level for a thing as large as the picture: finer ones are for what is at arm's length.
        let usual = model.lods.iter().rfind(|lod| lod.pixels >= PICTURE_PIXELS);
        let triangles = usual.map_or(0, |lod| lod.indices.len() / 3);
        let outline = Outline {
            center: model.bounds.center(),
            radius: model.bounds.radius() * reach + model.morphs.reach(),
            lod_bias: (triangles as f32 / USUAL_TRIANGLES).sqrt().max(1.0),
            fades: palette.is_some(),
            levels: model.lods.iter().zip(&lods).map(|(lod, gpu)| (lod.pixels, gpu.distance)).collect(),
        };
        Ok(Self {
            lods,
            vertex: packing.uniforms(),
            palette,
            morphs,
            bend,
            materials,
            textures,
            outline,
            height: model.bounds.max.y.max(1e-3),
        })
    }
}

/// The palette of a model with these texels.
fn palette_map(gl: &Gl, Model { name, palette, .. }: &Model, texels: &[[f32; 4]]) -> Result<Texture2d, GlError> {
    let (extent, texels) = ((palette.width(), palette.rows), bytemuck::cast_slice(texels));
    Texture2d::new(gl, name, extent, Format::Rgba32F, Filter::Nearest, Wrap::Clamp, Some(texels))
}

/// Whether neither joints nor morphs move a model.
fn is_rigid(model: &Model) -> bool {
    model.palette.rows == 0 || model.skeleton.joints.is_empty() && model.morphs.names.is_empty()
}

/// Joints per vertex with which `lod`, level of detail `level`, is uploaded, and the skinning of each of its meshes.
pub(super) fn skinning_of(model: &Model, level: usize, lod: &model::Lod) -> (u32, Vec<Skinning>) {
    let joints = match (is_rigid(model), lod.max_joints) {
        (true, _) => 0,
        (false, 0 | 1) => 1,
        (false, 2) => 2,
        (false, _) => 4,
    };
    let coloured = model.has_vertex_colors();
    let of_mesh = |mesh: &model::Mesh| Skinning {
        joints: if is_of_one_joint(lod, mesh) { joints.min(1) } else { joints },
        smooth: joints > 1 || joints == 1 && level == 0,
        morphed: joints > 0 && !model.morphs.names.is_empty(),
        coloured,
    };
    (joints, lod.meshes.iter().map(of_mesh).collect())
}

/// Whether each vertex of a mesh follows one joint: a quarter of the work of four, whatever the rest of its level has.
fn is_of_one_joint(lod: &model::Lod, mesh: &model::Mesh) -> bool {
    let indices = &lod.indices[mesh.first as usize..(mesh.first + mesh.count) as usize];
    indices.iter().all(|index| lod.vertices[*index as usize].weights[1] == 0.0)
}

/// Deltas of all morphs, two texels each, and how many morphs there are.
fn morph_map(gl: &Gl, model: &Model) -> Result<(Texture2d, i32), GlError> {
    let Morphs { names, deltas } = &model.morphs;
    let texel = |v: Vec3| [v.x, v.y, v.z, 0.0];
    let mut texels: Vec<[f32; 4]> =
        deltas.iter().flat_map(|MorphDelta { position, normal }| [texel(*position), texel(*normal)]).collect();
    let rows = texels.len().div_ceil(MORPH_TEXELS_A_ROW as usize).max(1) as u32;
    texels.resize((rows * MORPH_TEXELS_A_ROW) as usize, [0.0; 4]);
    let (extent, texels) = ((MORPH_TEXELS_A_ROW, rows), bytemuck::cast_slice(&texels));
    let map = Texture2d::new(gl, &model.name, extent, Format::Rgba32F, Filter::Nearest, Wrap::Clamp, Some(texels))?;
    Ok((map, names.len() as i32))
}
