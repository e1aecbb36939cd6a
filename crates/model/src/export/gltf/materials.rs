//! Metallic-roughness materials out of ones of diffuse and specular light, with their textures inside the file.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};
use serde_json::{Value, json};

use super::pack::Pack;
use super::skeleton::numbers;
use crate::material::{roughness, words_of};
use crate::texture::{MAX_FILE_BYTES, SUBSTITUTE};
use crate::{Files, Image, Material};

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
    let mut textures: HashMap<String, usize> = HashMap::new();
    for material in materials {
        let mut texture = |image: &Option<Arc<Image>>| -> Result<Option<usize>, String> {
            let Some(image) = image.as_ref().filter(|image| image.name != SUBSTITUTE) else { return Ok(None) };
            if let Some(&known) = textures.get(&image.name) {
                return Ok(Some(known));
            }
            let (bytes, kind) = file(image, files)?;
            let view = pack.view(&bytes, None);
            let name = Path::new(&image.name).file_stem().unwrap_or_default().to_string_lossy();
            let image_at = pack.add("images", json!({ "bufferView": view, "mimeType": kind, "name": name }));
            let texture = pack.add("textures", json!({ "source": image_at }));
            textures.insert(image.name.clone(), texture);
            Ok(Some(texture))
        };
        // Normals made of a relief are made again; neither MS3D nor MDL has other maps, and what is glTF is not written
        // again.
        let (color, emission) = (texture(&material.texture)?, texture(&material.maps.emission)?);
        let material = translated(material, color, emission);
        pack.add("materials", material);
    }
    Ok(())
}

fn translated(material: &Material, texture: Option<usize>, emission: Option<usize>) -> Value {
    let [r, g, b, opacity] = material.base_color;
    let mut surface = json!({
        "baseColorFactor": numbers([r, g, b, if material.is_transparent() { opacity } else { 1.0 }]),
        "metallicFactor": 0,
        "roughnessFactor": roughness(material.shininess),
    });
    if let Some(texture) = texture {
        surface["baseColorTexture"] = json!({ "index": texture });
    }
    let mut written = json!({ "name": material.name, "pbrMetallicRoughness": surface });
    if material.emissive != [0.0; 3] {
        written["emissiveFactor"] = numbers(material.emissive);
        if let Some(emission) = emission {
            written["emissiveTexture"] = json!({ "index": emission });
        }
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
    written
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
