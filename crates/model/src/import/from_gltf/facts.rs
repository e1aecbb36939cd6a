//! Contents of a glTF file, for inspection.

use std::path::Path;

use serde::Serialize;

use super::accessor::Accessors;
use super::container;
use super::document::Document;
use crate::Files;

/// Contents of a glTF file.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    /// Number of nodes, including those without anything to draw.
    pub nodes: usize,
    /// Meshes.
    pub meshes: Vec<MeshFacts>,
    /// Number of joints of each skin.
    pub skins: Vec<usize>,
    /// Names of the materials.
    pub materials: Vec<String>,
    /// Place of each image: a file's name, or inside the model's file.
    pub images: Vec<String>,
    /// Animations.
    pub animations: Vec<AnimationFacts>,
    /// Names of the extensions that it uses.
    pub extensions: Vec<String>,
}

/// Contents of a mesh.
#[derive(Clone, Debug, Serialize)]
pub struct MeshFacts {
    /// Number of parts with a material each.
    pub primitives: usize,
    /// Number of vertices of all parts.
    pub vertices: usize,
    /// Number of morph targets.
    pub morph_targets: usize,
}

/// Contents of an animation.
#[derive(Clone, Debug, Serialize)]
pub struct AnimationFacts {
    /// Its name.
    pub name: String,
    /// Number of channels, each of which moves one thing.
    pub channels: usize,
    /// Time of the last key. Unit: s.
    pub end_s: f32,
}

impl Facts {
    /// Inspects the file `path`, whose bytes are `bytes`.
    ///
    /// # Errors
    /// If it is no glTF file that can be used.
    pub fn of(bytes: &[u8], path: &Path, files: &dyn Files) -> Result<Self, String> {
        let container = container::open(bytes, path, files)?;
        let document = &container.document;
        let mut accessors = Accessors::new(&container);
        let mut animations = Vec::with_capacity(document.animations.len());
        for animation in &document.animations {
            let mut end_s = 0.0_f32;
            for sampler in &animation.samplers {
                let times = accessors.elements::<1>(sampler.input)?;
                end_s = times.iter().map(|[time_s]| *time_s).fold(end_s, f32::max);
            }
            animations.push(AnimationFacts { name: animation.name.clone(), channels: animation.channels.len(), end_s });
        }
        let image = |image: &super::document::Image| match &image.uri {
            Some(uri) if uri.starts_with("data:") => "inside the text".to_owned(),
            Some(uri) => container::unescaped(uri),
            None => "inside the file".to_owned(),
        };
        Ok(Self {
            nodes: document.nodes.len(),
            meshes: meshes(document),
            skins: document.skins.iter().map(|skin| skin.joints.len()).collect(),
            materials: document.materials.iter().map(|material| material.name.clone()).collect(),
            images: document.images.iter().map(image).collect(),
            animations,
            extensions: document.extensions_used.clone(),
        })
    }
}

fn meshes(document: &Document) -> Vec<MeshFacts> {
    let count = |accessor: &usize| document.accessors.get(*accessor).map_or(0, |accessor| accessor.count);
    let mesh = |mesh: &super::document::Mesh| MeshFacts {
        primitives: mesh.primitives.len(),
        vertices: mesh.primitives.iter().filter_map(|part| part.attributes.get("POSITION")).map(count).sum(),
        morph_targets: mesh.primitives.iter().map(|part| part.targets.len()).max().unwrap_or(0),
    };
    document.meshes.iter().map(mesh).collect()
}
