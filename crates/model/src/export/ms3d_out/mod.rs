//! MS3D files out of models.

mod mesh;
mod motion;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use ms3d::raw::{self, Text};

use super::{Exported, PoseOf, gltf};
use crate::import::Imported;
use crate::import::from_ms3d::place_line;
use crate::material::{srgb_from_linear, words_of};
use crate::texture::{SUBSTITUTE, has_holes, is_found};
use crate::{Files, Image, Maps, Material, Vertex, Wrap};

/// Writes the file `out` of a model, or of the document that it was converted from.
///
/// # Errors
/// If the format cannot hold it.
pub(super) fn written(
    model: &Imported,
    original: Result<Option<raw::Document>, String>,
    out: &Path,
    files: &dyn Files,
    pose: &PoseOf,
) -> Result<Exported, String> {
    let mut warnings: Vec<String> = model.warnings.iter().map(ToString::to_string).collect();
    let original = original.unwrap_or_else(|why| {
        warnings.push(format!("{why}; it is converted as it is drawn"));
        None
    });
    let mut images = Images { out, files, made: Vec::new(), names: HashMap::new() };
    let document = match original {
        Some(mut document) => {
            for (material, shown) in document.materials.iter_mut().zip(&model.materials) {
                images.restore(material, shown.texture.as_deref())?;
            }
            document
        }
        None => document(model, &mut images, pose, &mut warnings)?,
    };
    let bytes = ms3d::write(&document).map_err(|error| error.to_string())?;
    Ok(Exported { bytes, images: images.made, warnings })
}

/// The document of a model as it is drawn.
fn document(
    model: &Imported,
    images: &mut Images<'_>,
    pose: &PoseOf,
    warnings: &mut Vec<String>,
) -> Result<raw::Document, String> {
    if !model.morphs.names.is_empty() {
        warnings
            .push(format!("it has morph targets, which an MS3D file cannot hold: {}", model.morphs.names.join(", ")));
    }
    if model.mesh.vertices.iter().any(|vertex| vertex.color != Vertex::WHITE) {
        warnings.push("it has colours at its vertices, which an MS3D file cannot hold".into());
    }
    let mut materials = Vec::new();
    for material in &model.materials {
        let material = &without_maps(material, warnings);
        let texture = match material.texture.as_deref() {
            Some(image) if image.name != SUBSTITUTE => images.added(image)?,
            _ => String::new(),
        };
        materials.push(translated(material, &texture));
    }
    let mesh = mesh::mesh(model)?;
    let (joints, mut comment) = motion::joints(model, mesh.has_rest_joint, pose, warnings);
    for place in &model.attachments {
        let carrier = model.skeleton.joints.get(usize::from(place.joint));
        let is_joint = model.skeleton.joints.iter().any(|joint| joint.name == place.name);
        let has_word = !place.name.contains(['=', '\n', '\r']) && !place.name.contains(" on ");
        if is_joint || !has_word {
            continue;
        }
        let line = place_line(&place.name, place.position, carrier.map(|joint| joint.name.as_str()));
        comment = Some(comment.map_or(line.clone(), |text| format!("{text}\n{line}")));
    }
    let comments = model.materials.iter().zip(0..).map(|(material, index)| {
        let words = words(material);
        let text = if words.is_empty() { Vec::new() } else { format!("pelagic: {words}").into_bytes() };
        raw::Comment { index, text }
    });
    let comments = raw::Comments {
        sub_version: 1,
        groups: Vec::new(),
        materials: comments.filter(|comment| !comment.text.is_empty()).collect(),
        joints: Vec::new(),
        model: comment.map(String::into_bytes),
    };
    let fps = model.skeleton.fps.max(1.0);
    let last_s = joints.iter().flat_map(|joint| &joint.rotation_keys).map(|key| key.time).fold(0.0, f32::max);
    Ok(raw::Document {
        version: 4,
        vertices: mesh.vertices,
        triangles: mesh.triangles,
        groups: mesh.groups,
        materials,
        keyframer: raw::Keyframer { fps, current_time: 1.0, total_frames: (last_s * fps).round() as i32 },
        joints,
        tail: raw::Tail { comments: Some(comments), vertex_ex: mesh.vertex_ex, ..Default::default() },
    })
}

/// The material with nothing but a colour: what metal mirrors is its colour too. Warns of what is lost.
fn without_maps(material: &Material, warnings: &mut Vec<String>) -> Material {
    let Maps { reflectance, emission, normals } = &material.maps;
    let is_other =
        |emission: &Arc<Image>| material.texture.as_ref().is_none_or(|texture| !Arc::ptr_eq(texture, emission));
    let lost = [
        // Normals made of a relief are made again.
        (normals.is_some() && material.relief == 0.0, "a map of normals"),
        (reflectance.is_some(), "a map of reflectance, which goes into its colour"),
        (emission.as_ref().is_some_and(is_other), "a map of its glow"),
        (material.wrap != [Wrap::Repeat; 2], "a texture that does not repeat"),
    ];
    for (_, what) in lost.iter().filter(|(is_lost, _)| *is_lost) {
        warnings.push(format!("material '{}' has {what}, which an MS3D file cannot hold", material.name));
    }
    let mut plain = Material { maps: Maps::default(), ..material.clone() };
    let Some(map) = reflectance else { return plain };
    let [r, g, b, opacity] = material.base_color;
    let texel = |index: u32| {
        let (x, y) = (index % map.width, index / map.width);
        let uv = (Vec2::new(x as f32, y as f32) + 0.5) / Vec2::new(map.width as f32, map.height as f32);
        let at = |image: &Image| image.sample(uv, [Wrap::Clamp; 2], true);
        let diffuse = material.texture.as_ref().map_or(Vec4::ONE, |texture| at(texture));
        let color = diffuse.truncate() * Vec3::new(r, g, b) + at(map).truncate();
        let [r, g, b] = color.to_array().map(|value| (srgb_from_linear(value) * 255.0 + 0.5) as u8);
        [r, g, b, (diffuse.w * 255.0 + 0.5) as u8]
    };
    let rgba = (0..map.width * map.height).flat_map(texel).collect();
    plain.texture = Some(Arc::new(Image { name: format!("{} as colour", map.name), rgba, ..**map }));
    plain.base_color = [1.0, 1.0, 1.0, opacity];
    plain
}

fn translated(material: &Material, texture: &str) -> raw::Material {
    let [r, g, b, opacity] = material.base_color;
    let opaque = |[r, g, b]: [f32; 3]| [srgb_from_linear(r), srgb_from_linear(g), srgb_from_linear(b), 1.0];
    raw::Material {
        name: name(&material.name, ms3d::NAME_BYTES),
        ambient: opaque([r, g, b]),
        diffuse: opaque([r, g, b]),
        specular: opaque(material.specular),
        emissive: opaque(material.emissive),
        shininess: material.shininess,
        transparency: opacity,
        mode: 0,
        texture: texture.into(),
        alphamap: Text::default(),
    }
}

/// The words of the comment on a material.
fn words(material: &Material) -> String {
    let mut words = Vec::new();
    if material.two_sided {
        words.push("two_sided".to_owned());
    }
    let is_cut = material.texture.as_deref().is_some_and(has_holes);
    if material.alpha_cutoff != if is_cut { 0.5 } else { 0.0 } {
        words.push(format!("alpha_cut={}", material.alpha_cutoff));
    }
    words.extend(Some(words_of(material)).filter(|words| !words.is_empty()));
    words.join(" ")
}

/// A name of at most `most_bytes` bytes.
fn name(text: &str, most_bytes: usize) -> Text {
    Text::from(&text[..text.floor_char_boundary(most_bytes)])
}

/// The images that are written beside the file.
struct Images<'a> {
    out: &'a Path,
    files: &'a dyn Files,
    made: Vec<(String, Vec<u8>)>,
    /// Name of each image's file, by the image's own name.
    names: HashMap<String, String>,
}

impl Images<'_> {
    /// Adds an image, unless it is there already; returns the name of its file.
    fn added(&mut self, image: &Image) -> Result<String, String> {
        if let Some(known) = self.names.get(&image.name) {
            return Ok(known.clone());
        }
        // The MS3D file has room for so many bytes.
        let stem = self.out.file_stem().unwrap_or_default().to_string_lossy();
        let stem = &stem[..stem.floor_char_boundary(ms3d::PATH_BYTES - 16)];
        let name = format!("{stem}_{}.png", self.made.len());
        self.made.push((name.clone(), gltf::png(image)?));
        self.names.insert(image.name.clone(), name.clone());
        Ok(name)
    }

    /// Ensures that the file of a material's texture exists: as it was, or else under a new name.
    fn restore(&mut self, material: &mut raw::Material, image: Option<&Image>) -> Result<(), String> {
        let is_found = is_found(self.files, self.out, &material.texture.to_lossy());
        if let Some(image) = image.filter(|image| !is_found && image.name != SUBSTITUTE) {
            (material.texture, material.alphamap) = (self.added(image)?.as_str().into(), Text::default());
        }
        Ok(())
    }
}
