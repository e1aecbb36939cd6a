//! Our materials out of metallic-roughness ones, with their base colour textures.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use glam::{Mat2, Vec2};

use super::accessor::Accessors;
use super::container::{resource, unescaped};
use super::document::{self, AlphaMode, Document, TextureTransform};
use crate::material::{default_material, parse_comment};
use crate::texture::{self, MAX_DECODED_BYTES, MAX_FILE_BYTES, Textures, has_holes, substitute};
use crate::{Files, Image, Material};

/// Reflectance of non-metals, seen straight on.
const DIELECTRIC: f32 = 0.04;
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
    let mut beside = Textures::new(path, files);
    let mut materials = Materials { list: Vec::new(), mappings: Vec::new(), opaque: Vec::new() };
    for material in &document.materials {
        let info = material.pbr_metallic_roughness.base_color_texture.as_ref();
        let image = info.and_then(|info| images.of(info.index, &mut beside));
        let transform = info.and_then(|info| info.extensions.transform);
        let set = transform.and_then(|transform| transform.tex_coord).or(info.map(|info| info.tex_coord));
        materials.mappings.push((set.unwrap_or(0), transform));
        materials.opaque.push(material.alpha_mode == AlphaMode::Opaque);
        let mut translated = translated(material, image);
        images.odd.extend(add_words(&mut translated, &material.extras.pelagic));
        materials.list.push(translated);
    }
    materials.list.push(default_material());
    materials.mappings.push((0, None));
    materials.opaque.push(true);
    let mut odd = images.odd;
    odd.append(&mut beside.warnings);
    (materials, odd)
}

fn translated(material: &document::Material, texture: Option<Arc<Image>>) -> Material {
    let surface = &material.pbr_metallic_roughness;
    let share = |value: f32| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
    let [r, g, b, a] = surface.base_color_factor.map(share);
    let (metallic, roughness) = (share(surface.metallic_factor), share(surface.roughness_factor).max(0.05));
    let holes = texture.as_deref().is_some_and(has_holes);
    let opacity = if material.alpha_mode == AlphaMode::Blend { a } else { 1.0 };
    let alpha_cutoff = match material.alpha_mode {
        AlphaMode::Opaque => 0.0,
        AlphaMode::Mask => share(material.alpha_cutoff.unwrap_or(USUAL_CUTOFF)),
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
        specular: [r, g, b].map(|channel| DIELECTRIC + (channel - DIELECTRIC) * metallic),
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
fn add_words(material: &mut Material, words: &serde_json::Value) -> Vec<String> {
    let Some(words) = words.as_str() else { return Vec::new() };
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
        let source = self.document.textures.get(texture).and_then(|texture| texture.source);
        let Some((source, image)) = source.and_then(|source| Some((source, self.document.images.get(source)?))) else {
            self.odd.push(format!("textures[{texture}] has no image that is known here"));
            return None;
        };
        if let Some(done) = self.done.get(&source) {
            return done.clone();
        }
        let found = match &image.uri {
            // Looked for as other textures are, with a warning if it is missing.
            Some(uri) if !uri.starts_with("data:") => beside.get(&unescaped(uri), ""),
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
