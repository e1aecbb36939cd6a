//! The optics of a surface out of glTF's descriptions: diffuse colour, reflectance and smoothness, texel by texel.
//!
//! A material of metallic-roughness has a colour b, a share m of metal and a roughness r; its diffuse reflectance is
//! (1 - m) b, its specular one f (1 - m) + m b, with f the reflectance of what is no metal, 0.04 unless the file says
//! otherwise (glTF 2.0, appendix B). One of specular-glossiness has them as they are. Either is baked into a diffuse
//! texture and a map of reflectance and smoothness, so that no shader need know which it was. Occlusion dims both: under
//! water nearly all light is diffuse.

use std::sync::{Arc, LazyLock};

use glam::{Vec3, Vec4};

use super::document::{self, TextureInfo};
use crate::Image;
use crate::material::{exponent, linear_from_srgb, srgb_from_linear};

/// Reflectance of what is no metal, seen straight on, at the usual index of refraction.
const DIELECTRIC: f32 = 0.04;
/// Share of metal up to which a surface is none.
const NO_METAL: f32 = 0.02;
/// Span of a channel of a map, 0 to 1, up to which it is even.
const EVEN: f32 = 0.06;

/// The description of a surface.
pub(super) struct Surface<'a> {
    /// Factor of the colour, and opacity.
    pub color: [f32; 4],
    pub color_texture: Option<&'a TextureInfo>,
    /// The map of what its optics tell.
    pub optics_texture: Option<&'a TextureInfo>,
    optics: Optics,
}

/// Factors of a surface's optics, with which its map is multiplied.
enum Optics {
    /// Map: roughness in green, metal in blue.
    Metallic { metallic: f32, roughness: f32, dielectric: Vec3 },
    /// Map: reflectance, sRGB, and glossiness in alpha.
    Glossy { specular: Vec3, glossiness: f32 },
}

/// The images of a surface.
#[derive(Clone, Default)]
pub(super) struct Painted {
    pub color: Option<Arc<Image>>,
    pub optics: Option<Arc<Image>>,
    /// The map of occlusion, and its strength.
    pub occlusion: Option<(Arc<Image>, f32)>,
}

/// A surface as it is drawn.
pub(super) struct Baked {
    /// Factor of the texture.
    pub color: Vec3,
    pub texture: Option<Arc<Image>>,
    /// Mean reflectance.
    pub specular: Vec3,
    /// Exponent of the mean smoothness.
    pub shininess: f32,
    pub reflectance: Option<Arc<Image>>,
}

/// A share of 0 to 1.
pub(super) fn share(value: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 }
}

impl<'a> Surface<'a> {
    pub fn of(material: &'a document::Material) -> Self {
        if let Some(surface) = &material.extensions.specular_glossiness {
            return Self {
                color: surface.diffuse_factor.map(share),
                color_texture: surface.diffuse_texture.as_ref(),
                optics_texture: surface.specular_glossiness_texture.as_ref(),
                optics: Optics::Glossy {
                    specular: surface.specular_factor.map(share).into(),
                    glossiness: share(surface.glossiness_factor),
                },
            };
        }
        let surface = &material.pbr_metallic_roughness;
        let (color, color_texture) = (surface.base_color_factor.map(share), surface.base_color_texture.as_ref());
        if material.extensions.unlit.is_some() {
            // Its colours have their light in them: nothing shines on it.
            let optics = Optics::Metallic { metallic: 0.0, roughness: 1.0, dielectric: Vec3::ZERO };
            return Self { color, color_texture, optics_texture: None, optics };
        }
        let optics = Optics::Metallic {
            metallic: share(surface.metallic_factor),
            roughness: share(surface.roughness_factor),
            dielectric: dielectric(&material.extensions),
        };
        Self { color, color_texture, optics_texture: surface.metallic_roughness_texture.as_ref(), optics }
    }

    /// The surface without its map of optics, which is missing: a factor tells nothing of what it should multiply, and most
    /// creatures are no metal.
    pub fn without_optics(self) -> Self {
        let optics = Optics::Metallic { metallic: 0.0, roughness: 0.6, dielectric: Vec3::splat(DIELECTRIC) };
        Self { optics_texture: None, optics, ..self }
    }

    /// Bakes the surface with its images. `name` is that of new images.
    pub fn bake(&self, painted: Painted, name: &str) -> Baked {
        let [r, g, b, _] = self.color;
        let factor = Vec3::new(r, g, b);
        let map = painted.optics.as_deref().map(Spread::of);
        let spread = map.unwrap_or_default();
        let even = self.optics.at(spread.middle());
        let shows_color = even.metal > NO_METAL && painted.color.is_some();
        let is_even = self.optics.is_even(&spread) && !shows_color;
        if is_even && painted.occlusion.is_none() {
            return Baked {
                color: factor * (1.0 - even.metal),
                texture: painted.color,
                specular: even.reflectance(factor),
                shininess: exponent(1.0 - even.smoothness),
                reflectance: None,
            };
        }
        let images = [painted.color.as_deref(), painted.optics.as_deref(), painted.occlusion.as_ref().map(|o| &*o.0)];
        let side = |of: fn(&Image) -> u32| images.iter().flatten().map(|image| of(image)).max().unwrap_or(1);
        let (width, height) = (side(|image| image.width), side(|image| image.height));
        let new = |kind: &str| Image {
            name: format!("{name} {kind}"),
            width,
            height,
            rgba: Vec::with_capacity(width as usize * height as usize * 4),
        };
        let (mut diffuse, mut reflectance) = (new("diffuse"), new("reflectance"));
        let mut sum = Vec4::ZERO;
        for y in 0..height {
            for x in 0..width {
                let at = |image: &Image| texel(image, x, y, (width, height));
                let color = painted.color.as_deref().map_or([255; 4], at);
                let there = self.optics.at(painted.optics.as_deref().map_or(Vec4::ONE, |map| shares(at(map))));
                let open = painted.occlusion.as_ref().map_or(1.0, |(map, strength)| {
                    let [open, ..] = at(map);
                    1.0 + share(*strength) * (f32::from(open) / 255.0 - 1.0)
                });
                let [r, g, b, a] = color;
                let linear = Vec3::new(decoded(r), decoded(g), decoded(b));
                diffuse.rgba.extend(coded(linear * ((1.0 - there.metal) * open)));
                diffuse.rgba.push(a);
                let mirrored = there.reflectance(linear * factor) * open;
                reflectance.rgba.extend(coded(mirrored));
                reflectance.rgba.push((there.smoothness * 255.0 + 0.5) as u8);
                sum += mirrored.extend(there.smoothness);
            }
        }
        let mean = sum / (width as f32 * height as f32);
        Baked {
            color: factor,
            texture: Some(Arc::new(diffuse)),
            specular: mean.truncate(),
            shininess: exponent(1.0 - mean.w),
            reflectance: (!is_even).then(|| Arc::new(reflectance)),
        }
    }
}

/// Reflectance of what is no metal (KHR_materials_specular, KHR_materials_ior).
fn dielectric(extensions: &document::MaterialExtensions) -> Vec3 {
    let by_index = extensions.ior.as_ref().map_or(DIELECTRIC, |index| {
        let index = if index.ior.is_finite() { index.ior.max(1.0) } else { 1.5 };
        ((index - 1.0) / (index + 1.0)).powi(2)
    });
    let Some(specular) = &extensions.specular else { return Vec3::splat(by_index) };
    (Vec3::from(specular.specular_color_factor).max(Vec3::ZERO) * by_index).min(Vec3::ONE)
        * share(specular.specular_factor)
}

/// Optics at a place.
struct There {
    /// Share of metal; 0 where reflectance is given as it is.
    metal: f32,
    /// Reflectance but for that of the metal.
    plain: Vec3,
    smoothness: f32,
}

impl There {
    /// Reflectance where the colour is `color`, linear.
    fn reflectance(&self, color: Vec3) -> Vec3 {
        self.plain + self.metal * color
    }
}

impl Optics {
    /// Optics where the map, if any, has `texel`, as shares; 1 without a map.
    fn at(&self, texel: Vec4) -> There {
        match self {
            Self::Metallic { metallic, roughness, dielectric } => {
                let metal = metallic * texel.z;
                let metal = if metal > NO_METAL { metal } else { 0.0 };
                There { metal, plain: *dielectric * (1.0 - metal), smoothness: 1.0 - roughness * texel.y }
            }
            Self::Glossy { specular, glossiness } => {
                let decoded = texel.truncate().to_array().map(linear_from_srgb);
                There { metal: 0.0, plain: *specular * Vec3::from(decoded), smoothness: glossiness * texel.w }
            }
        }
    }

    /// Whether a map of this spread leaves them the same everywhere, as far as the eye can tell.
    fn is_even(&self, spread: &Spread) -> bool {
        let span = spread.highest - spread.lowest;
        match self {
            Self::Metallic { metallic, roughness, .. } => metallic * span.z < EVEN && roughness * span.y < EVEN,
            Self::Glossy { specular, glossiness } => {
                specular.max_element() * span.truncate().max_element() < EVEN && glossiness * span.w < EVEN
            }
        }
    }
}

/// Least and greatest value of each channel of a map.
struct Spread {
    lowest: Vec4,
    highest: Vec4,
}

impl Default for Spread {
    fn default() -> Self {
        Self { lowest: Vec4::ONE, highest: Vec4::ONE }
    }
}

impl Spread {
    fn of(map: &Image) -> Self {
        let (mut lowest, mut highest) = ([255_u8; 4], [0_u8; 4]);
        for texel in map.rgba.as_chunks::<4>().0 {
            for c in 0..4 {
                lowest[c] = lowest[c].min(texel[c]);
                highest[c] = highest[c].max(texel[c]);
            }
        }
        Self { lowest: shares(lowest), highest: shares(highest) }
    }

    fn middle(&self) -> Vec4 {
        0.5 * (self.lowest + self.highest)
    }
}

fn shares(texel: [u8; 4]) -> Vec4 {
    Vec4::from(texel.map(f32::from)) / 255.0
}

/// The texel of an image at the place of (x, y) in one of another extent.
fn texel(image: &Image, x: u32, y: u32, (width, height): (u32, u32)) -> [u8; 4] {
    let along = u64::from(x) * u64::from(image.width) / u64::from(width);
    let down = u64::from(y) * u64::from(image.height) / u64::from(height);
    let first = 4 * (down as usize * image.width as usize + along as usize);
    image.rgba.get(first..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([255; 4])
}

/// An sRGB value, decoded.
fn decoded(value: u8) -> f32 {
    static TABLE: LazyLock<[f32; 256]> =
        LazyLock::new(|| std::array::from_fn(|value| linear_from_srgb(value as f32 / 255.0)));
    TABLE[usize::from(value)]
}

/// A linear colour as sRGB.
fn coded(color: Vec3) -> [u8; 3] {
    /// Fine enough that every value of 8 bits comes back from its decoded one.
    const STEPS: usize = 1 << 14;
    static TABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        (0..=STEPS).map(|i| (srgb_from_linear(i as f32 / STEPS as f32) * 255.0 + 0.5) as u8).collect()
    });
    color.to_array().map(|value| TABLE[(value.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(texels: &[[u8; 4]]) -> Arc<Image> {
        let width = texels.len() as u32;
        Arc::new(Image { name: "test".into(), width, height: 1, rgba: texels.concat() })
    }

    fn material(json: serde_json::Value) -> document::Material {
        serde_json::from_value(json).expect("a material")
    }

    #[test]
    fn every_value_comes_back_from_its_decoded_one() {
        for value in 0..=255 {
            assert_eq!(coded(Vec3::splat(decoded(value))), [value; 3]);
        }
    }

    #[test]
    fn metal_takes_its_reflectance_from_its_colour() {
        let material = material(serde_json::json!({
            "pbrMetallicRoughness": { "baseColorFactor": [0.5, 0.25, 1.0, 1.0], "roughnessFactor": 0.5 }
        }));
        let baked = Surface::of(&material).bake(Painted::default(), "");
        assert_eq!((baked.color, baked.specular), (Vec3::ZERO, Vec3::new(0.5, 0.25, 1.0)));
        assert!((baked.shininess - 30.0).abs() < 1e-3, "{}", baked.shininess);
        // With a texture it is one of its texels.
        let color = Some(image(&[[255, 0, 0, 255], [0, 0, 0, 255]]));
        let baked = Surface::of(&material).bake(Painted { color, ..Painted::default() }, "");
        let map = baked.reflectance.expect("a map");
        let smooth = 128;
        assert_eq!(map.rgba, [188, 0, 0, smooth, 0, 0, 0, smooth]);
        assert_eq!(baked.texture.expect("a texture").rgba, [0, 0, 0, 255, 0, 0, 0, 255]);
    }

    #[test]
    fn a_map_makes_a_part_of_it_metal() {
        let material = material(serde_json::json!({ "pbrMetallicRoughness": { "roughnessFactor": 1.0 } }));
        let optics = Some(image(&[[9, 255, 0, 255], [9, 0, 255, 255]]));
        let color = Some(image(&[[200, 100, 0, 70], [200, 100, 0, 70]]));
        let baked = Surface::of(&material).bake(Painted { color, optics, occlusion: None }, "");
        let fourth = coded(Vec3::splat(DIELECTRIC))[0];
        assert_eq!(baked.texture.expect("a texture").rgba, [200, 100, 0, 70, 0, 0, 0, 70]);
        assert_eq!(baked.reflectance.expect("a map").rgba, [fourth, fourth, fourth, 0, 200, 100, 0, 255]);
    }

    #[test]
    fn what_is_even_needs_no_map() {
        let material = material(serde_json::json!({ "pbrMetallicRoughness": {} }));
        let optics = Some(image(&[[0, 128, 0, 255], [255, 130, 3, 255]]));
        let color = image(&[[200, 100, 0, 255]]);
        let painted = Painted { color: Some(Arc::clone(&color)), optics, occlusion: None };
        let baked = Surface::of(&material).bake(painted, "");
        assert!(baked.reflectance.is_none() && Arc::ptr_eq(&baked.texture.expect("it"), &color));
        assert_eq!((baked.color, baked.specular), (Vec3::ONE, Vec3::splat(DIELECTRIC)));
    }

    #[test]
    fn occlusion_dims_by_its_strength() {
        let material = material(serde_json::json!({ "pbrMetallicRoughness": { "metallicFactor": 0.0 } }));
        let occlusion = Some((image(&[[0, 9, 9, 255], [255, 0, 0, 255]]), 0.5));
        let baked = Surface::of(&material).bake(Painted { occlusion, ..Painted::default() }, "");
        assert_eq!(baked.texture.expect("a texture").rgba, [188, 188, 188, 255, 255, 255, 255, 255]);
        assert!(baked.reflectance.is_none());
    }

    #[test]
    fn reflectance_follows_index_and_specular_factors() {
        let material = material(serde_json::json!({
            "pbrMetallicRoughness": { "metallicFactor": 0.0 },
            "extensions": {
                "KHR_materials_ior": { "ior": 1.33 },
                "KHR_materials_specular": { "specularFactor": 0.5, "specularColorFactor": [1.0, 0.5, 0.0] }
            }
        }));
        let baked = Surface::of(&material).bake(Painted::default(), "");
        let by_index = (0.33_f32 / 2.33).powi(2);
        assert!((baked.specular - Vec3::new(0.5, 0.25, 0.0) * by_index).length() < 1e-6, "{}", baked.specular);
    }
}
