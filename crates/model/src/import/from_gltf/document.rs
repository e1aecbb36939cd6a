//! The parts of a file's JSON that are read. Names and defaults are the specification's (glTF 2.0).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::meshopt;
use crate::Wrap;

/// A file's JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    pub extensions_required: Vec<String>,
    pub extensions_used: Vec<String>,
    pub buffers: Vec<Buffer>,
    pub buffer_views: Vec<BufferView>,
    pub accessors: Vec<Accessor>,
    pub scene: Option<usize>,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub skins: Vec<Skin>,
    pub animations: Vec<Animation>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub samplers: Vec<TextureSampler>,
    pub images: Vec<Image>,
    pub extras: serde_json::Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asset {
    pub version: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub byte_length: usize,
    pub uri: Option<String>,
    #[serde(default)]
    pub extensions: BufferExtensions,
}

/// Extensions of a buffer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct BufferExtensions {
    #[serde(rename = "KHR_meshopt_compression")]
    pub khr_meshopt: Fallback,
    #[serde(rename = "EXT_meshopt_compression")]
    pub ext_meshopt: Fallback,
}

/// Mark of a buffer whose views are all compressed, and lie elsewhere.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Fallback {
    pub fallback: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
    #[serde(default)]
    pub extensions: BufferViewExtensions,
}

impl BufferView {
    /// Its compressed data, if it has any.
    pub fn meshopt(&self) -> Option<&MeshoptView> {
        self.extensions.khr_meshopt.as_ref().or(self.extensions.ext_meshopt.as_ref())
    }
}

/// Extensions of a buffer view.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct BufferViewExtensions {
    #[serde(rename = "KHR_meshopt_compression")]
    pub khr_meshopt: Option<MeshoptView>,
    #[serde(rename = "EXT_meshopt_compression")]
    pub ext_meshopt: Option<MeshoptView>,
}

/// Compressed data of a buffer view: `count` elements of `byte_stride` bytes.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeshoptView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: usize,
    pub count: usize,
    pub mode: meshopt::Mode,
    #[serde(default)]
    pub filter: meshopt::Filter,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub count: usize,
    pub indices: SparsePart,
    pub values: SparsePart,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
    /// Type of the indices.
    #[serde(default)]
    pub component_type: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Scene {
    pub nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub name: String,
    pub children: Vec<usize>,
    pub matrix: Option<[f32; 16]>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    pub weights: Option<Vec<f32>>,
    extensions: NodeExtensions,
}

impl Node {
    /// Whether it is hidden with all below it.
    pub fn is_hidden(&self) -> bool {
        self.extensions.visibility.as_ref().is_some_and(|visibility| !visibility.visible)
    }
}

/// Extensions of a node.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct NodeExtensions {
    #[serde(rename = "KHR_node_visibility")]
    visibility: Option<Visibility>,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
struct Visibility {
    visible: bool,
}

impl Default for Visibility {
    fn default() -> Self {
        Self { visible: true }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    pub primitives: Vec<Primitive>,
    #[serde(default)]
    pub weights: Vec<f32>,
    #[serde(default)]
    pub extras: serde_json::Value,
}

impl Mesh {
    /// Names of its morph targets, which are not part of glTF but written so by all exporters.
    pub fn target_names(&self) -> impl Iterator<Item = &str> {
        let names = self.extras.get("targetNames").and_then(|names| names.as_array());
        names.into_iter().flatten().map(|name| name.as_str().unwrap_or_default())
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    #[serde(default = "triangles")]
    pub mode: u32,
    #[serde(default)]
    pub targets: Vec<BTreeMap<String, usize>>,
    #[serde(default)]
    pub extensions: PrimitiveExtensions,
}

/// Extensions of a primitive.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<DracoPrimitive>,
}

/// Compressed vertices and triangles of a primitive.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DracoPrimitive {
    pub buffer_view: usize,
    /// Number of each attribute inside the compressed data.
    pub attributes: BTreeMap<String, u32>,
}

/// Mode of a primitive without one.
fn triangles() -> u32 {
    4
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub inverse_bind_matrices: Option<usize>,
    pub joints: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub extras: serde_json::Value,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub input: usize,
    pub output: usize,
    #[serde(default)]
    pub interpolation: Interpolation,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) enum Interpolation {
    #[default]
    #[serde(rename = "LINEAR")]
    Linear,
    #[serde(rename = "STEP")]
    Step,
    #[serde(rename = "CUBICSPLINE")]
    CubicSpline,
}

impl Interpolation {
    /// Number of values of a key: for a spline the slope before it, its own, and the slope after it.
    pub fn values_a_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Material {
    pub name: String,
    pub pbr_metallic_roughness: MetallicRoughness,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    pub emissive_factor: [f32; 3],
    pub alpha_mode: AlphaMode,
    pub alpha_cutoff: Option<f32>,
    pub double_sided: bool,
    pub extensions: MaterialExtensions,
    pub extras: serde_json::Value,
}

/// Extensions of a material.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
    pub specular_glossiness: Option<SpecularGlossiness>,
    #[serde(rename = "KHR_materials_unlit")]
    pub unlit: Option<serde_json::Value>,
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub emissive_strength: Option<EmissiveStrength>,
    #[serde(rename = "KHR_materials_specular")]
    pub specular: Option<Specular>,
    #[serde(rename = "KHR_materials_ior")]
    pub ior: Option<Ior>,
    #[serde(rename = "KHR_materials_transmission")]
    pub transmission: Option<Transmission>,
    #[serde(rename = "KHR_materials_diffuse_transmission")]
    pub diffuse_transmission: Option<DiffuseTransmission>,
}

/// Factor of what a material emits.
#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct EmissiveStrength {
    pub emissive_strength: f32,
}

impl Default for EmissiveStrength {
    fn default() -> Self {
        Self { emissive_strength: 1.0 }
    }
}

/// Factors of the reflectance of what is no metal.
#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Specular {
    pub specular_factor: f32,
    pub specular_color_factor: [f32; 3],
    pub specular_texture: Option<TextureInfo>,
    pub specular_color_texture: Option<TextureInfo>,
}

impl Default for Specular {
    fn default() -> Self {
        Self {
            specular_factor: 1.0,
            specular_color_factor: [1.0; 3],
            specular_texture: None,
            specular_color_texture: None,
        }
    }
}

/// Index of refraction, against air.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct Ior {
    pub ior: f32,
}

impl Default for Ior {
    fn default() -> Self {
        Self { ior: 1.5 }
    }
}

/// Share of light that passes through a surface as through glass.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Transmission {
    pub transmission_factor: f32,
    pub transmission_texture: Option<TextureInfo>,
}

/// Share of light that passes through a surface as through a leaf.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct DiffuseTransmission {
    pub diffuse_transmission_factor: f32,
    pub diffuse_transmission_texture: Option<TextureInfo>,
}

/// A surface by colour, reflectance and smoothness, in place of metallic-roughness.
#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct SpecularGlossiness {
    pub diffuse_factor: [f32; 4],
    pub diffuse_texture: Option<TextureInfo>,
    pub specular_factor: [f32; 3],
    pub glossiness_factor: f32,
    pub specular_glossiness_texture: Option<TextureInfo>,
}

impl Default for SpecularGlossiness {
    fn default() -> Self {
        Self {
            diffuse_factor: [1.0; 4],
            diffuse_texture: None,
            specular_factor: [1.0; 3],
            glossiness_factor: 1.0,
            specular_glossiness_texture: None,
        }
    }
}

impl Material {
    /// Words of [`parse_comment`](crate::material::parse_comment), among its extras.
    pub fn words(&self) -> Option<&str> {
        self.extras.get("pelagic")?.as_str()
    }
}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct MetallicRoughness {
    pub base_color_factor: [f32; 4],
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: f32,
    pub roughness_factor: f32,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

impl Default for MetallicRoughness {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum AlphaMode {
    #[default]
    Opaque,
    Mask,
    Blend,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub index: usize,
    #[serde(default)]
    pub tex_coord: usize,
    /// Factor of a normal map's slopes.
    #[serde(default = "one")]
    pub scale: f32,
    /// Strength of an occlusion map, 0 to 1.
    #[serde(default = "one")]
    pub strength: f32,
    #[serde(default)]
    pub extensions: TextureExtensions,
}

/// Scale and strength of maps without one.
fn one() -> f32 {
    1.0
}

impl TextureInfo {
    /// The set of texture coordinates, and their transform.
    pub fn mapping(&self) -> (usize, Option<TextureTransform>) {
        let transform = self.extensions.transform;
        (transform.and_then(|transform| transform.tex_coord).unwrap_or(self.tex_coord), transform)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TextureExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<TextureTransform>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TextureTransform {
    pub offset: [f32; 2],
    pub rotation: f32,
    pub scale: [f32; 2],
    pub tex_coord: Option<usize>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Texture {
    pub source: Option<usize>,
    pub sampler: Option<usize>,
    extensions: ImageExtensions,
}

impl Texture {
    /// Its image: a compressed one rather than its plain copy.
    pub fn image(&self) -> Option<usize> {
        let ImageExtensions { basisu, webp } = &self.extensions;
        basisu.as_ref().or(webp.as_ref()).and_then(|other| other.source).or(self.source)
    }
}

/// Extensions of a texture, which name an image in another format.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ImageExtensions {
    #[serde(rename = "KHR_texture_basisu")]
    basisu: Option<OtherImage>,
    #[serde(rename = "EXT_texture_webp")]
    webp: Option<OtherImage>,
}

/// An image in another format.
#[derive(Debug, Deserialize)]
struct OtherImage {
    source: Option<usize>,
}

/// Reading of a texture: OpenGL's numbers for its content beyond the edges.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TextureSampler {
    pub wrap_s: Option<u32>,
    pub wrap_t: Option<u32>,
}

impl TextureSampler {
    /// Content beyond the edges along u and v.
    pub fn wrap(&self) -> [Wrap; 2] {
        [self.wrap_s, self.wrap_t].map(|number| match number {
            Some(33_071) => Wrap::Clamp,
            Some(33_648) => Wrap::Mirror,
            _ => Wrap::Repeat,
        })
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Image {
    pub name: String,
    pub uri: Option<String>,
    pub buffer_view: Option<usize>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn compressed_images_go_before_their_plain_copies() {
        let image = |json| serde_json::from_value::<Texture>(json).expect("a texture").image();
        assert_eq!(image(json!({ "source": 1 })), Some(1));
        assert_eq!(image(json!({ "source": 1, "extensions": { "EXT_texture_webp": { "source": 2 } } })), Some(2));
        assert_eq!(image(json!({ "extensions": { "KHR_texture_basisu": { "source": 3 } } })), Some(3));
        assert_eq!(image(json!({ "source": 1, "extensions": { "EXT_texture_webp": {}, "MY_own": 7 } })), Some(1));
        assert_eq!(image(json!({})), None);
    }
}
