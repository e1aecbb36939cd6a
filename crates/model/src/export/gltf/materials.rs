//! Metallic-roughness materials out of ones of diffuse and specular light, with their textures inside the file.

use std::collections::HashMap;
use std::path::Path;

use glam::{Vec2, Vec3, Vec4};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};
use serde_json::{Value, json};

use super::pack::Pack;
use super::skeleton::numbers;
use crate::material::{roughness, srgb_from_linear, words_of};
use crate::texture::{MAX_FILE_BYTES, SUBSTITUTE};
use crate::{Files, Image, Material, Wrap};

/// Extension of emission brighter than white.
const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";

/// First bytes and media types of the image files that glTF may hold.
const KNOWN: [(&[u8], &str); 2] = [(b"\x89PNG\r\n\x1a\n", PNG), (b"\xff\xd8\xff", "image/jpeg")];
const PNG: &str = "image/png";
/// Chunks of a plain PNG file.
const PLAIN_CHUNKS: [&[u8; 4]; 9] = [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"tEXt", b"zTXt", b"iTXt", b"tIME"];

/// Adds the materials.
///
/// # Errors
/// If an image cannot be encoded.
pub(super) fn materials(pack: &mut Pack, materials: &[Material], files: &dyn Files) -> Result<(), String> {
    let mut textures = Textures { pack, files, known: HashMap::new(), samplers: Vec::new() };
    let mut written = Vec::with_capacity(materials.len());
    for material in materials {
        written.push(textures.material(material)?);
    }
    for material in written {
        pack.add("materials", material);
    }
    Ok(())
}

/// The textures of a file, each written once.
struct Textures<'a> {
    pack: &'a mut Pack,
    files: &'a dyn Files,
    known: HashMap<(String, [Wrap; 2]), usize>,
    samplers: Vec<[Wrap; 2]>,
}

impl Textures<'_> {
    /// A reference to an image; `None` for the substitute of a missing one.
    fn reference(&mut self, image: &Image, wrap: [Wrap; 2]) -> Result<Option<Value>, String> {
        if image.name == SUBSTITUTE {
            return Ok(None);
        }
        let key = (image.name.clone(), wrap);
        let texture = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                let (bytes, kind) = file(image, self.files)?;
                let view = self.pack.view(&bytes, None);
                let name = Path::new(&image.name).file_stem().unwrap_or_default().to_string_lossy();
                let source = self.pack.add("images", json!({ "bufferView": view, "mimeType": kind, "name": name }));
                let mut texture = json!({ "source": source });
                if let Some(sampler) = self.sampler(wrap) {
                    texture["sampler"] = sampler.into();
                }
                let texture = self.pack.add("textures", texture);
                self.known.insert(key, texture);
                texture
            }
        };
        Ok(Some(json!({ "index": texture })))
    }

    /// The sampler of a wrap, unless it is the usual one.
    fn sampler(&mut self, wrap: [Wrap; 2]) -> Option<usize> {
        if wrap == [Wrap::Repeat; 2] {
            return None;
        }
        let known = self.samplers.iter().position(|known| *known == wrap);
        Some(known.unwrap_or_else(|| {
            self.samplers.push(wrap);
            let [s, t] = wrap.map(|wrap| match wrap {
                Wrap::Repeat => 10_497,
                Wrap::Mirror => 33_648,
                Wrap::Clamp => 33_071,
            });
            self.pack.add("samplers", json!({ "wrapS": s, "wrapT": t }))
        }))
    }

    fn material(&mut self, material: &Material) -> Result<Value, String> {
        let (mut written, images) = translated(material);
        if written.get("extensions").is_some() {
            self.pack.uses(EMISSIVE_STRENGTH);
        }
        let Material { wrap, maps, .. } = material;
        let texture = images.color.as_ref().or(material.texture.as_deref());
        let references = [
            (texture, "/pbrMetallicRoughness", "baseColorTexture"),
            (images.metallic_roughness.as_ref(), "/pbrMetallicRoughness", "metallicRoughnessTexture"),
            (maps.emission.as_deref(), "", "emissiveTexture"),
            (maps.normals.as_deref(), "", "normalTexture"),
        ];
        for (image, parent, name) in references {
            let reference = image.map(|image| self.reference(image, *wrap)).transpose()?.flatten();
            if let (Some(parent), Some(reference)) = (written.pointer_mut(parent), reference) {
                parent[name] = reference;
            }
        }
        Ok(written)
    }
}

/// Images that metallic-roughness has in place of a material's texture and map of reflectance.
#[derive(Default)]
struct Unbaked {
    color: Option<Image>,
    metallic_roughness: Option<Image>,
}

/// Reflectance of what is no metal.
const DIELECTRIC: f32 = 0.04;

/// Colour and share of metal whose diffuse and specular reflectances these are: the inverse of what import does. The
/// share is that of the strongest channel: with d + f = b + 0.04 (1 - m) and d = (1 - m) b it solves a square.
fn metallic(diffuse: Vec3, specular: Vec3) -> (Vec3, f32) {
    let (d, f) = (diffuse.max_element(), specular.max_element());
    if f <= DIELECTRIC + 0.005 {
        return (diffuse, 0.0);
    }
    let sum = d + f;
    let plain = (sum - (sum * sum - 4.0 * DIELECTRIC * d).max(0.0).sqrt()) / (2.0 * DIELECTRIC);
    let plain = plain.clamp(0.0, 1.0);
    ((diffuse + specular - DIELECTRIC * plain).clamp(Vec3::ZERO, Vec3::ONE), 1.0 - plain)
}

/// A material without its textures, and those that are made for it.
fn translated(material: &Material) -> (Value, Unbaked) {
    let [r, g, b, opacity] = material.base_color;
    let diffuse = Vec3::new(r, g, b);
    let images = unbaked(material);
    let (color, metal, roughness) = match (&images.metallic_roughness, &material.texture) {
        (Some(_), _) => (Vec3::ONE, 1.0, 1.0),
        // Of a textured surface only part is metal, and none knows which: reflectance goes by the words.
        (None, Some(_)) => (diffuse, 0.0, roughness(material.shininess)),
        (None, None) => {
            let (color, metal) = metallic(diffuse, material.specular.into());
            (color, metal, roughness(material.shininess))
        }
    };
    let opacity = if material.is_transparent() { opacity } else { 1.0 };
    let surface = json!({
        "baseColorFactor": numbers(color.extend(opacity).to_array()),
        "metallicFactor": metal,
        "roughnessFactor": roughness,
    });
    let mut written = json!({ "name": material.name, "pbrMetallicRoughness": surface });
    let strength = Vec3::from(material.emissive).max_element();
    if strength > 0.0 {
        written["emissiveFactor"] = numbers(material.emissive.map(|channel| channel / strength.max(1.0)));
    }
    if strength > 1.0 {
        written["extensions"] = json!({ EMISSIVE_STRENGTH: { "emissiveStrength": strength } });
    }
    if material.is_transparent() {
        written["alphaMode"] = "BLEND".into();
    } else if material.alpha_cutoff > 0.0 {
        written["alphaMode"] = "MASK".into();
        written["alphaCutoff"] = material.alpha_cutoff.into();
    }
    if material.two_sided {
        written["doubleSided"] = true.into();
    }
    let words = words_of(material);
    if !words.is_empty() {
        written["extras"] = json!({ "pelagic": words });
    }
    (written, images)
}

/// The images of metallic-roughness for a material whose reflectance is a map.
fn unbaked(material: &Material) -> Unbaked {
    let Some(reflectance) = &material.maps.reflectance else { return Unbaked::default() };
    let [r, g, b, _] = material.base_color;
    let Image { width, height, .. } = **reflectance;
    let new = |kind: &str| Image {
        name: format!("{} {kind}", reflectance.name),
        width,
        height,
        rgba: Vec::with_capacity(reflectance.rgba.len()),
    };
    let (mut color, mut optics) = (new("base"), new("metal"));
    let byte = |share: f32| (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    for y in 0..height {
        for x in 0..width {
            let uv = (Vec2::new(x as f32, y as f32) + 0.5) / Vec2::new(width as f32, height as f32);
            let mirrored = reflectance.sample(uv, [Wrap::Clamp; 2], true);
            let texel = material.texture.as_ref().map_or(Vec4::ONE, |map| map.sample(uv, [Wrap::Clamp; 2], true));
            let (base, metal) = metallic(texel.truncate() * Vec3::new(r, g, b), mirrored.truncate());
            color.rgba.extend(base.to_array().map(|channel| byte(srgb_from_linear(channel))));
            color.rgba.push(byte(texel.w));
            optics.rgba.extend([0, byte(1.0 - mirrored.w), byte(metal), 255]);
        }
    }
    Unbaked { color: Some(color), metallic_roughness: Some(optics) }
}

/// The image as a file, and its media type: the file on the disk if that is plain PNG or JPEG, else PNG.
fn file(image: &Image, files: &dyn Files) -> Result<(Vec<u8>, &'static str), String> {
    let on_disk = files.read(Path::new(&image.name), MAX_FILE_BYTES).unwrap_or_default();
    match KNOWN.iter().find(|(magic, _)| on_disk.starts_with(magic)) {
        Some((_, kind)) if *kind != PNG || is_plain_png(&on_disk) => Ok((on_disk, kind)),
        _ => Ok((png(image)?, PNG)),
    }
}

/// Whether a PNG file has no chunks that readers of glTF need not follow: colour spaces, animation, oblong pixels.
fn is_plain_png(bytes: &[u8]) -> bool {
    let mut rest = bytes.get(8..).unwrap_or_default();
    while let Some((&length, after)) = rest.split_first_chunk::<4>() {
        let Some(kind) = after.first_chunk::<4>() else { return false };
        if !PLAIN_CHUNKS.contains(&kind) {
            return false;
        }
        // The chunk's kind and checksum are not counted in its length.
        let chunk_bytes = (u32::from_be_bytes(length) as usize).saturating_add(8);
        rest = after.get(chunk_bytes..).unwrap_or_default();
    }
    true
}

/// The image as a PNG file.
pub(in crate::export) fn png(image: &Image) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive);
    let encoded = encoder.write_image(&image.rgba, image.width, image.height, ExtendedColorType::Rgba8);
    encoded.map_err(|error| format!("texture '{}' cannot be encoded: {error}", image.name))?;
    Ok(bytes)
}
