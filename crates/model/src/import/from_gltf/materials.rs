//! Materials of glTF with their images: colour, maps, transparency. Their optics are baked in `surface`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use glam::{Mat2, Vec2, Vec3};

use super::accessor::Accessors;
use super::container::{resource, unescaped};
use super::document::{self, AlphaMode, Document, TextureInfo, TextureSampler, TextureTransform};
use super::surface::{Baked, Painted, Surface, share};
use crate::material::{default_material, linear_from_srgb, parse_comment};
use crate::texture::{
    self, MAX_DECODED_BYTES, MAX_FILE_BYTES, Reliefs, SUBSTITUTE, Textures, has_holes, is_found, substitute,
};
use crate::{Files, Image, Maps, Material, Wrap};

/// Greatest alpha cutoff, at which every texel is a hole.
const MAX_CUTOFF: f32 = 2.0;
/// Alpha cutoff of materials that give none.
const USUAL_CUTOFF: f32 = 0.5;
/// Alpha cutoff of textures that fade into holes: a fin's thin edge is part of its shape.
const BLENDED_CUTOFF: f32 = 0.25;
/// Translucency of unlit surfaces: light from all sides changes their colours least.
const UNLIT_TRANSLUCENCY: f32 = 0.8;
/// Greatest factor of a material's glow.
const MAX_EMISSIVE_STRENGTH: f32 = 100.0;
/// Clearness of glass that lets all light through: what it reflects and scatters is still seen.
const MAX_CLEARNESS: f32 = 0.85;

/// Set of texture coordinates, and their transform.
type Mapping = (usize, Option<TextureTransform>);

/// The materials of a file, and the default one after them.
pub(super) struct Materials {
    pub list: Vec<Material>,
    /// For each material its set of texture coordinates, and their transform.
    mappings: Vec<Mapping>,
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
    let mut reliefs = Reliefs::default();
    for material in &document.materials {
        let (mut translated, mapping) = images.material(materials.list.len(), material, &mut beside);
        materials.mappings.push(mapping);
        materials.opaque.push(material.alpha_mode == AlphaMode::Opaque);
        images.odd.extend(material.words().map(|words| add_words(&mut translated, words)).unwrap_or_default());
        if material.extensions.unlit.is_none() {
            images.odd.extend(reliefs.emboss(&mut translated).err());
        }
        materials.list.push(translated);
    }
    materials.list.push(default_material());
    materials.mappings.push((0, None));
    materials.opaque.push(true);
    let mut odd = images.odd;
    odd.append(&mut beside.warnings);
    (materials, odd)
}

/// Share of the texels that show at all from which on partial alpha is opacity, not the soft edge of a hole.
const SEE_THROUGH_SHARE: f32 = 0.5;

/// Whether most of what a texture shows is neither opaque nor clear.
fn is_seen_through(image: &Image) -> bool {
    let shown = image.rgba.as_chunks::<4>().0.iter().filter(|texel| texel[3] > 12);
    let (count, partly) = shown.fold((0, 0), |(count, partly), texel| (count + 1, partly + u32::from(texel[3] < 243)));
    partly as f32 > SEE_THROUGH_SHARE * count as f32
}

impl Images<'_, '_> {
    /// A material with its images, and the coordinates of its textures.
    fn material(
        &mut self,
        index: usize,
        material: &document::Material,
        beside: &mut Textures<'_>,
    ) -> (Material, Mapping) {
        let mut surface = Surface::of(material);
        let is_lit = material.extensions.unlit.is_none();
        let maps = [
            (surface.color_texture, "colour"),
            (surface.optics_texture, "map of its reflectance"),
            (material.emissive_texture.as_ref().filter(|_| is_lit), "map of its glow"),
            (material.normal_texture.as_ref().filter(|_| is_lit), "map of its normals"),
            (material.occlusion_texture.as_ref().filter(|_| is_lit), "map of its occlusion"),
        ];
        // All lie as the first one does.
        let first = maps.iter().find_map(|(info, _)| *info);
        let mapping = first.map(TextureInfo::mapping).unwrap_or_default();
        let wrap = first.map_or([Wrap::Repeat; 2], |info| self.wrap(info.index));
        let [color, optics, emission, normals, occlusion] = maps.map(|(info, kind)| {
            let info = info?;
            if info.mapping() != mapping || self.wrap(info.index) != wrap {
                let name = &material.name;
                self.odd
                    .push(format!("material '{name}': its {kind} does not lie as its colour does, and is left out"));
                return None;
            }
            self.of(info.index, beside)
        });
        // A checker shows that a colour is missing; for a map it would be a pattern that nobody painted.
        let [optics, emission, normals, occlusion] =
            [optics, emission, normals, occlusion].map(|map| map.filter(|image| image.name != SUBSTITUTE));
        // A checker has no optics, and a factor tells nothing of a map that is missing.
        let is_checker = color.as_deref().is_some_and(|color| color.name == SUBSTITUTE);
        let (optics, occlusion) = (optics.filter(|_| !is_checker), occlusion.filter(|_| !is_checker));
        if is_checker || surface.optics_texture.is_some() && optics.is_none() {
            surface = surface.without_optics();
        }
        let strength = material.occlusion_texture.as_ref().map_or(1.0, |info| info.strength);
        let name = format!("{}/materials/{index} {}", self.path.display(), material.name);
        let painted = Painted { color, optics, occlusion: occlusion.map(|map| (map, strength)) };
        let painted = self.within_memory(material, painted);
        let baked = surface.bake(painted, &name);
        let scale = material.normal_texture.as_ref().map_or(1.0, |info| info.scale);
        let normals = normals.map(|map| steepened(map, scale, &name));
        self.decoded_bytes +=
            [&baked.texture, &baked.reflectance].into_iter().flatten().map(|image| bytes_of(image)).sum::<u64>();
        let transmission = self.transmission(material, beside);
        let glow_is_missing = material.emissive_texture.is_some() && emission.is_none();
        let mut translated =
            translated(material, &surface, baked, (Maps { reflectance: None, emission, normals }, wrap), transmission);
        if glow_is_missing {
            // White would be brighter than any map.
            translated.emissive = [0.0; 3];
        }
        self.odd.extend(left_out(material));
        (translated, mapping)
    }

    /// Share of light that a surface lets through as glass does, on average.
    fn transmission(&mut self, material: &document::Material, beside: &mut Textures<'_>) -> f32 {
        let Some(transmission) = &material.extensions.transmission else { return 0.0 };
        let map = transmission.transmission_texture.as_ref().and_then(|info| self.of(info.index, beside));
        let map = map.filter(|map| map.name != SUBSTITUTE);
        let mean = map.map_or(1.0, |map| {
            let texels = map.rgba.as_chunks::<4>().0;
            texels.iter().map(|texel| f32::from(texel[0])).sum::<f32>() / (255.0 * texels.len().max(1) as f32)
        });
        share(transmission.transmission_factor) * mean
    }

    /// The images of a surface, without its maps if there is no memory to bake them.
    fn within_memory(&mut self, material: &document::Material, painted: Painted) -> Painted {
        let maps = [painted.color.as_ref(), painted.optics.as_ref(), painted.occlusion.as_ref().map(|(map, _)| map)];
        let largest =
            |of: fn(&Image) -> u32| maps.iter().flatten().map(|image| u64::from(of(image))).max().unwrap_or(0);
        let bytes = 2 * 4 * largest(|image| image.width) * largest(|image| image.height);
        let has_maps = painted.optics.is_some() || painted.occlusion.is_some();
        if has_maps && self.decoded_bytes + bytes > MAX_DECODED_BYTES {
            let most = MAX_DECODED_BYTES >> 20;
            self.odd.push(format!(
                "material '{}': its maps of reflectance and occlusion are left out: a model's images may take {most} MiB",
                material.name
            ));
            return Painted { color: painted.color, ..Painted::default() };
        }
        painted
    }

    /// Content of a texture beyond its edges.
    fn wrap(&self, texture: usize) -> [Wrap; 2] {
        let sampler = self.document.textures.get(texture).and_then(|texture| texture.sampler);
        let sampler = sampler.and_then(|sampler| self.document.samplers.get(sampler));
        sampler.map_or([Wrap::Repeat; 2], TextureSampler::wrap)
    }
}

/// Mean of a texture times a factor, linear.
fn mean_color(factor: Vec3, texture: Option<&Image>) -> Vec3 {
    /// Texels that are looked at.
    const SOME: usize = 4096;
    let Some(image) = texture else { return factor };
    let texels = image.rgba.as_chunks::<4>().0;
    let some = texels.iter().step_by(texels.len().div_ceil(SOME).max(1));
    let (sum, count) = some.fold((Vec3::ZERO, 0.0), |(sum, count), [r, g, b, _]| {
        (sum + Vec3::from([r, g, b].map(|value| linear_from_srgb(f32::from(*value) / 255.0))), count + 1.0)
    });
    factor * sum / f32::max(count, 1.0)
}

fn bytes_of(image: &Image) -> u64 {
    image.rgba.len() as u64
}

/// A map of normals whose slopes are `scale` times as steep.
fn steepened(map: Arc<Image>, scale: f32, name: &str) -> Arc<Image> {
    if scale == 1.0 || !scale.is_finite() {
        return map;
    }
    let steeper = |value: u8| (127.5 + (f32::from(value) - 127.5) * scale).clamp(0.0, 255.0).round() as u8;
    let texels = map.rgba.as_chunks::<4>().0.iter();
    let rgba = texels.flat_map(|&[x, y, z, a]| [steeper(x), steeper(y), z, a]).collect();
    Arc::new(Image { name: format!("{name} normals"), rgba, ..*map })
}

/// Warnings about properties of a material that have no like here.
fn left_out(material: &document::Material) -> Vec<String> {
    let extensions = &material.extensions;
    let textures = [
        (extensions.specular.as_ref().and_then(|s| s.specular_texture.as_ref()), "reflects by its factor everywhere"),
        (
            extensions.specular.as_ref().and_then(|s| s.specular_color_texture.as_ref()),
            "reflects in one colour everywhere",
        ),
        (
            extensions.transmission.as_ref().and_then(|t| t.transmission_texture.as_ref()),
            "is as clear everywhere as on average",
        ),
        (
            extensions.diffuse_transmission.as_ref().and_then(|t| t.diffuse_transmission_texture.as_ref()),
            "lets as much light through everywhere",
        ),
    ];
    let told = textures.into_iter().filter(|(texture, _)| texture.is_some());
    told.map(|(_, effect)| format!("material '{}': a texture is not followed: it {effect}", material.name)).collect()
}

fn translated(
    material: &document::Material,
    surface: &Surface<'_>,
    baked: Baked,
    (maps, wrap): (Maps, [Wrap; 2]),
    transmission: f32,
) -> Material {
    let [.., a] = surface.color;
    let texture = baked.texture;
    let diffuse = material.extensions.diffuse_transmission.as_ref();
    let diffuse = diffuse.map_or(0.0, |t| share(t.diffuse_transmission_factor));
    let is_blended = material.alpha_mode == AlphaMode::Blend;
    let see_through = is_blended && texture.as_deref().is_some_and(is_seen_through);
    // Light that passes through takes the surface's colour: a saturated surface hides as much as a dark one. Clear glass is
    // seen all the same, by light that it reflects.
    let passed = mean_color(baked.color, texture.as_deref());
    let clearness = 0.5 * (passed.min_element() + passed.element_sum() / 3.0);
    let opacity = if is_blended { a } else { 1.0 } * (1.0 - MAX_CLEARNESS * clearness * transmission);
    let is_transparent = see_through || opacity < 0.995;
    let alpha_cutoff = match material.alpha_mode {
        AlphaMode::Opaque => 0.0,
        // The product of factor and texel is cut; beyond 1 nothing is left.
        AlphaMode::Mask => (share(material.alpha_cutoff.unwrap_or(USUAL_CUTOFF)) / a.max(1e-3)).min(MAX_CUTOFF),
        // Opaque textures with clear parts are drawn with holes: a fin's edge, a leaf.
        AlphaMode::Blend if !is_transparent && texture.as_deref().is_some_and(has_holes) => BLENDED_CUTOFF,
        AlphaMode::Blend => 0.0,
    };
    let strength = material.extensions.emissive_strength.as_ref().map_or(1.0, |glow| glow.emissive_strength);
    let strength = if strength.is_finite() { strength.clamp(0.0, MAX_EMISSIVE_STRENGTH) } else { 1.0 };
    let glows = material.extensions.unlit.is_none();
    Material {
        name: material.name.clone(),
        base_color: baked.color.extend(opacity).to_array(),
        specular: baked.specular.to_array(),
        shininess: baked.shininess,
        emissive: if glows { material.emissive_factor.map(|factor| share(factor) * strength) } else { [0.0; 3] },
        texture,
        maps: Maps { reflectance: baked.reflectance, ..maps },
        wrap,
        alpha_cutoff,
        see_through,
        translucency: if glows { transmission.max(diffuse) } else { UNLIT_TRANSLUCENCY },
        two_sided: material.double_sided,
        ..default_material()
    }
}

/// Applies `words` to a material; returns warnings about those that are not understood.
fn add_words(material: &mut Material, words: &str) -> Vec<String> {
    let (hints, problems) = parse_comment(format!("pelagic: {words}").as_bytes());
    material.translucency = hints.translucency.unwrap_or(material.translucency);
    material.stone = hints.stone.unwrap_or(false);
    material.mirror_reflectance = hints.sheen.unwrap_or(0.0);
    material.tapetum = hints.tapetum.unwrap_or(0.0);
    material.relief = hints.relief();
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
