//! Our materials out of MS3D ones, with their textures.

use std::collections::HashSet;
use std::path::Path;

use ms3d::raw;

use crate::material::{MAX_EXPONENT, MaterialHints, default_material, linear_from_srgb, parse_comment};
use crate::texture::{Reliefs, Textures, has_holes};
use crate::{Files, Maps, Material};

/// The materials of a model, including the default one for groups without a material.
#[derive(Clone, Debug)]
pub(super) struct Materials {
    /// The file's materials and, if a group needs it, the default one after them.
    pub list: Vec<Material>,
    /// Number of materials in the file.
    in_file: usize,
}

impl Materials {
    /// The material of a group: the default one if the file has none for it.
    pub fn of(&self, group: &raw::Group) -> usize {
        usize::try_from(group.material_index).ok().filter(|&index| index < self.in_file).unwrap_or(self.in_file)
    }
}

/// Translates the materials; textures are loaded for those that `groups` use. Also returns warnings.
pub(super) fn materials<'d>(
    document: &'d raw::Document,
    groups: impl Iterator<Item = &'d raw::Group>,
    model: &Path,
    files: &dyn Files,
) -> (Materials, Vec<String>) {
    let mut materials = Materials { list: Vec::new(), in_file: document.materials.len() };
    let mut used = vec![false; document.materials.len() + 1];
    for group in groups.filter(|group| !group.triangle_indices.is_empty()) {
        used[materials.of(group)] = true;
    }
    let used_materials = document.materials.iter().zip(&used).filter(|(_, used)| **used).map(|(material, _)| material);
    let named: HashSet<String> =
        used_materials.map(|material| material.texture.to_lossy()).filter(|name| !name.is_empty()).collect();
    let mut textures = Textures::new(model, files, named.len() == 1);
    let (mut reliefs, mut warnings) = (Reliefs::default(), Vec::new());
    for (index, material) in document.materials.iter().enumerate() {
        let textures = used[index].then_some(&mut textures);
        let (hints, problems) = parse_comment(&comment(document, index));
        let name = material.name.to_lossy();
        warnings.extend(problems.into_iter().map(|problem| format!("material '{name}': {problem}")));
        let mut translated = translate(material, hints, textures);
        warnings.extend(reliefs.emboss(&mut translated).err());
        materials.list.push(translated);
    }
    if used[document.materials.len()] {
        materials.list.push(default_material());
    }
    warnings.append(&mut textures.warnings);
    (materials, warnings)
}

/// All materials of a file, with the textures of all groups. Also returns warnings.
pub(crate) fn all_materials(document: &raw::Document, model: &Path, files: &dyn Files) -> (Vec<Material>, Vec<String>) {
    let (mut materials, warnings) = materials(document, document.groups.iter(), model, files);
    materials.list.truncate(materials.in_file);
    (materials.list, warnings)
}

/// The comments on a material, one line after another: its own, then those in the model's comment.
fn comment(document: &raw::Document, material: usize) -> Vec<u8> {
    let Some(comments) = &document.tail.comments else { return Vec::new() };
    let own = comments.materials.iter().filter(|comment| usize::try_from(comment.index) == Ok(material));
    let mut text = own.map(|comment| comment.text.as_slice()).collect::<Vec<_>>().join(&b'\n');
    let model = String::from_utf8_lossy(comments.model.as_deref().unwrap_or_default());
    let name = document.materials[material].name.to_lossy();
    for line in model.split(['\n', '\r']).filter_map(|line| line.trim().strip_prefix("pelagic: material ")) {
        let words = line.strip_prefix(name.as_str()).filter(|words| words.starts_with([' ', '\t']));
        if let Some(words) = words.filter(|_| !name.is_empty()) {
            text.extend_from_slice(b"\npelagic:");
            text.extend_from_slice(words.as_bytes());
        }
    }
    text
}

fn translate(material: &raw::Material, hints: MaterialHints, textures: Option<&mut Textures<'_>>) -> Material {
    let linear = |color: [f32; 4]| [color[0], color[1], color[2]].map(linear_from_srgb);
    let [r, g, b] = linear(material.diffuse);
    let texture =
        textures.and_then(|textures| textures.get(&material.texture.to_lossy(), &material.alphamap.to_lossy()));
    let holes = texture.as_deref().is_some_and(has_holes);
    let shininess = if material.shininess.is_finite() { material.shininess.clamp(0.0, MAX_EXPONENT) } else { 0.0 };
    // As MilkShape draws it: the texture multiplies what is emitted too, and without shininess nothing shines.
    let emissive = linear(material.emissive);
    let emission = texture.clone().filter(|_| emissive != [0.0; 3]);
    Material {
        name: material.name.to_lossy(),
        base_color: [r, g, b, opacity(material)],
        specular: if shininess > 0.0 { linear(material.specular) } else { [0.0; 3] },
        shininess,
        emissive,
        texture,
        maps: Maps { emission, ..Maps::default() },
        alpha_cutoff: hints.alpha_cut.unwrap_or(if holes { 0.5 } else { 0.0 }),
        translucency: hints.translucency.unwrap_or(0.0),
        two_sided: hints.two_sided.unwrap_or(false),
        stone: hints.stone.unwrap_or(false),
        mirror_reflectance: hints.sheen.unwrap_or(0.0),
        tapetum: hints.tapetum.unwrap_or(0.0),
        relief: hints.relief(),
        scales: hints.scales(),
        ..default_material()
    }
}

/// The transparency field, which is opacity in fact; opaque where an exporter wrote it inverted or no number.
fn opacity(material: &raw::Material) -> f32 {
    let inverted = material.transparency <= 0.0 && material.diffuse[3] >= 1.0;
    if inverted || !material.transparency.is_finite() { 1.0 } else { material.transparency.clamp(0.0, 1.0) }
}
