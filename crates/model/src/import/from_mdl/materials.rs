//! Textures of 256 colours, and the properties of surfaces by their flags.
//!
//! Two kinds of surface are approximated: chrome, whose picture of the surroundings follows the eye, shows it as seen
//! from the front, on a surface that mirrors; additive colour is half transparent.

use std::path::Path;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use mdl::{Document, Model, Texture, texture_flags};

use crate::material::default_material;
use crate::{Image, Maps, Material};

/// Colour that is transparent in masked textures.
const CLEAR: u8 = 255;
/// Share of light that chrome mirrors.
const CHROME_REFLECTANCE: f32 = 0.6;
/// Opacity of additive textures.
const ADDITIVE_OPACITY: f32 = 0.5;

/// The materials of the models shown.
pub(super) struct Materials {
    /// One for each texture, and the default one.
    pub list: Vec<Material>,
    /// For each slot its material.
    of_slots: Vec<usize>,
    /// Mapping of texture coordinates of each material.
    mappings: Vec<Mapping>,
}

/// Source of a corner's texture coordinates.
#[derive(Clone, Copy)]
enum Mapping {
    /// The file's texels, times 1 over the picture's sides.
    Texels(Vec2),
    /// The direction of the normal.
    Normal,
}

impl Materials {
    /// The material of a slot: the default one if there is no texture for it.
    pub fn of(&self, slot: usize) -> usize {
        self.of_slots.get(slot).copied().unwrap_or(self.list.len() - 1)
    }

    /// Texture coordinates of a corner of that material.
    pub fn uv(&self, material: usize, texel: Vec2, normal: Vec3) -> Vec2 {
        match self.mappings[material] {
            Mapping::Texels(per_texel) => texel * per_texel,
            Mapping::Normal => 0.5 + 0.5 * Vec2::new(normal.x, -normal.y),
        }
    }
}

/// The materials of the textures that `shown` wear in the family `skin`. Also returns warnings.
pub(super) fn materials(document: &Document, shown: &[&Model], skin: u32, path: &Path) -> (Materials, Vec<String>) {
    let of_slot = |slot: usize| document.skins.texture(skin as usize, slot);
    let of_slots = (0..document.skins.slots).map(|slot| of_slot(slot).unwrap_or(document.textures.len()));
    let is_worn = |texture: usize| {
        let mut meshes = shown.iter().flat_map(|model| &model.meshes);
        meshes.any(|mesh| of_slot(mesh.slot) == Some(texture))
    };
    let mut materials = Materials { list: Vec::new(), of_slots: of_slots.collect(), mappings: Vec::new() };
    let mut odd = Vec::new();
    for (index, texture) in document.textures.iter().enumerate() {
        let image = (is_worn(index) && !texture.pixels.is_empty()).then(|| image(texture, path));
        materials.list.push(material(texture, image));
        let sides = Vec2::new(texture.width as f32, texture.height as f32).max(Vec2::ONE);
        let is_chrome = texture.flags & texture_flags::CHROME != 0;
        materials.mappings.push(if is_chrome { Mapping::Normal } else { Mapping::Texels(sides.recip()) });
        if is_worn(index) && texture.flags & texture_flags::ADDITIVE != 0 {
            odd.push(format!(
                "texture '{}' is to be added to what lies behind: it is shown half see-through",
                texture.name
            ));
        }
    }
    materials.list.push(default_material());
    materials.mappings.push(Mapping::Texels(Vec2::ONE));
    (materials, odd)
}

fn material(texture: &Texture, image: Option<Image>) -> Material {
    let has = |flag: i32| texture.flags & flag != 0;
    let image = image.map(Arc::new);
    // Full brightness is the texture's own, whatever light falls on it.
    let glow = if has(texture_flags::FULLBRIGHT) && image.is_some() { 1.0 } else { 0.0 };
    let lit = 1.0 - glow;
    Material {
        name: texture.name.clone(),
        base_color: [lit, lit, lit, if has(texture_flags::ADDITIVE) { ADDITIVE_OPACITY } else { 1.0 }],
        emissive: [glow; 3],
        maps: Maps { emission: image.clone().filter(|_| glow > 0.0), ..Maps::default() },
        alpha_cutoff: if has(texture_flags::MASKED) { 0.5 } else { 0.0 },
        two_sided: has(texture_flags::MASKED),
        mirror_reflectance: if has(texture_flags::CHROME) { CHROME_REFLECTANCE } else { 0.0 },
        texture: image,
        ..default_material()
    }
}

/// The picture with its colours. Clear pixels take the mean of the others, so that no edge shows their own.
fn image(texture: &Texture, path: &Path) -> Image {
    let is_masked = texture.flags & texture_flags::MASKED != 0;
    let is_clear = |pixel: u8| is_masked && pixel == CLEAR;
    let colour = |pixel: u8| texture.palette.get(usize::from(pixel)).copied().unwrap_or_default();
    let (mut sum, mut count) = ([0u64; 3], 0u64);
    for &pixel in texture.pixels.iter().filter(|&&pixel| is_masked && !is_clear(pixel)) {
        count += 1;
        sum.iter_mut().zip(colour(pixel)).for_each(|(sum, channel)| *sum += u64::from(channel));
    }
    let mean = sum.map(|sum| (sum / count.max(1)) as u8);
    let rgba = texture.pixels.iter().flat_map(|&pixel| {
        let [r, g, b] = if is_clear(pixel) { mean } else { colour(pixel) };
        [r, g, b, if is_clear(pixel) { 0 } else { 255 }]
    });
    Image {
        // Textures lie inside the model's file: each has a name that no file has.
        name: format!("{}/{}", path.display(), texture.name),
        width: texture.width as u32,
        height: texture.height as u32,
        rgba: rgba.collect(),
    }
}
