//! Our materials out of metallic-roughness ones, with their base colour textures.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use glam::{Mat2, Vec2};

use super::accessor::Accessors;
use super::container::{resource, unescaped};
use super::document::{self, AlphaMode, Document, TextureInfo, TextureTransform};
use crate::material::{default_material, parse_comment};
use crate::texture::{self, MAX_DECODED_BYTES, MAX_FILE_BYTES, Textures, has_holes, is_found, substitute};
use crate::{Files, Image, Material};

/// Reflectance of non-metals, seen straight on.
const DIELECTRIC: f32 = 0.04;
/// Greatest alpha cutoff, at which every texel is a hole.
const MAX_CUTOFF: f32 = 2.0;
/// Alpha cutoff of materials that give none.
const USUAL_CUTOFF: f32 = 0.5;

/// The materials of a file, and the default one after them.
pub(super) struct Materials {
    pub list: Vec<Material>,
    /// For each material its set of texture coordinates, and their transform.
    mappings: Vec<(usize, Option<TextureTransform>)>,
    /// For each material whether alpha is ignored.
    opaque: Vec<bool>,
}

impl Materials {
    /// The material of a primitive.
    pub fn of(&self, index: Option<usize>) -> usize {
        let default = self.list.len() - 1;
        index.filter(|&index| index < default).unwrap_or(default)
    }

    /// Whether alpha is ignored in a material.
    pub fn is_opaque(&self, material: usize) -> bool {
        self.opaque[material]
    }

    /// The attribute that holds texture coordinates for a material.
    pub fn uv_name(&self, material: usize) -> String {
        format!("TEXCOORD_{}", self.mappings[material].0)
    }

    /// Texture coordinates as the material moves, turns and scales them.
    pub fn uv(&self, material: usize, uv: Vec2) -> Vec2 {
        let Some(transform) = self.mappings[material].1 else { return uv };
        // The specification's angles run the other way: its y axis points down.
        let turn = Mat2::from_angle(-transform.rotation);
        Vec2::from(transform.offset) + turn * (Vec2::from(transform.scale) * uv)
    }
}

/// Reads the materials. Also returns warnings.
pub(super) fn materials(
    document: &Document,
    accessors: &Accessors<'_>,
    path: &Path,
    files: &dyn Files,
) -> (Materials, Vec<String>) {
    let mut images =
        Images { document, accessors, path, files, done: HashMap::new(), decoded_bytes: 0, odd: Vec::new() };
    let external =
        document.images.iter().filter(|image| image.uri.as_ref().is_some_and(|uri| !uri.starts_with("data:")));
    let mut beside = Textures::new(path, files, external.count() == 1);
    let mut materials = Materials { list: Vec::new(), mappings: Vec::new(), opaque: Vec::new() };
    for material in &document.materials {
        let surface = Surface::of(material);
        let info = surface.texture;
        let image = info.and_then(|info| images.of(info.index, &mut beside));
        let transform = info.and_then(|info| info.extensions.transform);
        let set = transform.and_then(|transform| transform.tex_coord).or(info.map(|info| info.tex_coord));
        materials.mappings.push((set.unwrap_or(0), transform));
        materials.opaque.push(material.alpha_mode == AlphaMode::Opaque);
        let mut translated = translated(material, &surface, image);
        images.odd.extend(material.words().map(|words| add_words(&mut translated, words)).unwrap_or_default());
        materials.list.push(translated);
    }
    materials.list.push(default_material());
    materials.mappings.push((0, None));
    materials.opaque.push(true);
    let mut odd = images.odd;
    odd.append(&mut beside.warnings);
    (materials, odd)
}

fn share(value: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 }
}

/// The surface of a material, by either of glTF's two descriptions.
struct Surface<'a> {
    /// Base colour and opacity.
    color: [f32; 4],
    texture: Option<&'a TextureInfo>,
    /// Reflectance seen straight on.
    specular: [f32; 3],
    roughness: f32,
}

impl<'a> Surface<'a> {
    fn of(material: &'a document::Material) -> Self {
        if let Some(surface) = &material.extensions.specular_glossiness {
            return Self {
                color: surface.diffuse_factor.map(share),
                texture: surface.diffuse_texture.as_ref(),
                specular: surface.specular_factor.map(share),
                roughness: 1.0 - share(surface.glossiness_factor),
            };
        }
        let surface = &material.pbr_metallic_roughness;
        let color = surface.base_color_factor.map(share);
        let [r, g, b, _] = color;
        let metallic = share(surface.metallic_factor);
        Self {
            color,
            texture: surface.base_color_texture.as_ref(),
            specular: [r, g, b].map(|channel| DIELECTRIC + (channel - DIELECTRIC) * metallic),
            roughness: share(surface.roughness_factor),
        }
    }
}

fn translated(material: &document::Material, surface: &Surface<'_>, texture: Option<Arc<Image>>) -> Material {
    let ([r, g, b, a], roughness) = (surface.color, surface.roughness.max(0.05));
    let holes = texture.as_deref().is_some_and(has_holes);
    let opacity = if material.alpha_mode == AlphaMode::Blend { a } else { 1.0 };
    let alpha_cutoff = match material.alpha_mode {
        AlphaMode::Opaque => 0.0,
        // The product of factor and texel is cut; beyond 1 nothing is left.
        AlphaMode::Mask => (share(material.alpha_cutoff.unwrap_or(USUAL_CUTOFF)) / a.max(1e-3)).min(MAX_CUTOFF),
        // Partly transparent textures are drawn with holes: a fin's edge, a leaf.
        AlphaMode::Blend => {
            if holes {
                USUAL_CUTOFF
            } else {
                0.0
            }
        }
    };
    Material {
        name: material.name.clone(),
        base_color: [r, g, b, opacity],
        specular: surface.specular,
        // The exponent of a highlight as wide as that of the roughness.
        shininess: (2.0 / (roughness * roughness) - 2.0).clamp(0.0, 128.0),
        emissive: material.emissive_factor.map(share),
        texture,
        alpha_cutoff,
        two_sided: material.double_sided,
        ..default_material()
    }
}

/// Applies `words` to a material; returns warnings about those that are not understood.
fn add_words(material: &mut Material, words: &str) -> Vec<String> {
    let (hints, problems) = parse_comment(format!("pelagic: {words}").as_bytes());
    material.translucency = hints.translucency.unwrap_or(0.0);
    material.stone = hints.stone.unwrap_or(false);
    material.mirror_reflectance = hints.sheen.unwrap_or(0.0);
    material.scales = hints.scales();
    problems.into_iter().map(|problem| format!("material '{}': {problem}", material.name)).collect()
}

/// The images of a file, each decoded once.
struct Images<'a, 'b> {
    document: &'a Document,
    accessors: &'a Accessors<'b>,
    path: &'a Path,
    files: &'a dyn Files,
    done: HashMap<usize, Option<Arc<Image>>>,
    decoded_bytes: u64,
    odd: Vec<String>,
}

impl Images<'_, '_> {
    fn of(&mut self, texture: usize, beside: &mut Textures<'_>) -> Option<Arc<Image>> {
        let source = self.document.textures.get(texture).and_then(document::Texture::image);
        let Some((source, image)) = source.and_then(|source| Some((source, self.document.images.get(source)?))) else {
            self.odd.push(format!("textures[{texture}] has no image that is known here"));
            return None;
        };
        if let Some(done) = self.done.get(&source) {
            return done.clone();
        }
        let found = match &image.uri {
            // Looked for as other textures are, with a warning if it is missing.
            Some(uri) if !uri.starts_with("data:") => {
                // Some write a percent sign of a name as it is.
                let is_there = is_found(self.files, self.path, uri);
                let name = if is_there { uri.clone() } else { unescaped(uri) };
                beside.get(&name, "")
            }
            _ => Some(Arc::new(self.inside(source, image).unwrap_or_else(|why| {
                self.odd.push(format!("images[{source}] {why}; a checker stands in"));
                substitute()
            }))),
        };
        self.done.insert(source, found.clone());
        found
    }

    /// An image inside the file.
    fn inside(&mut self, index: usize, image: &document::Image) -> Result<Image, String> {
        let name = format!("{}/{index} {}", self.path.display(), image.name);
        let decoded = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => texture::decode(&name, &resource(uri, self.path, self.files, MAX_FILE_BYTES)?),
            (None, Some(view)) => texture::decode(&name, self.accessors.view(view)?.1),
            (None, None) => return Err("has neither uri nor bufferView".into()),
        };
        let decoded = decoded.map_err(|error| error.to_string())?;
        self.decoded_bytes += decoded.rgba.len() as u64;
        if self.decoded_bytes > MAX_DECODED_BYTES {
            return Err(format!("is one too many: images may take {} MiB decoded together", MAX_DECODED_BYTES >> 20));
        }
        Ok(decoded)
    }
}
