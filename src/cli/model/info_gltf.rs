//! `pelagic model info` of a glTF file.

use std::fmt::Write;

use model::import::from_gltf::{AnimationFacts, Facts, MeshFacts};
use serde::Serialize;

use super::report::{self, Finding, Tally, printable};

/// Contents of a glTF file. Field names are the JSON's, under `in_file`.
#[derive(Serialize)]
pub(super) struct GltfSummary<'a> {
    #[serde(skip)]
    file: String,
    #[serde(skip)]
    bytes: usize,
    #[serde(flatten)]
    facts: &'a Facts,
    #[serde(skip)]
    problems: Vec<Finding>,
}

impl<'a> GltfSummary<'a> {
    pub fn new(file: String, bytes: usize, facts: &'a Facts, problems: Vec<Finding>) -> Self {
        Self { file, bytes, facts, problems }
    }

    pub fn to_text(&self) -> String {
        report::text(&self.problems, |text| self.write_text(text))
    }

    fn write_text(&self, text: &mut String) -> std::fmt::Result {
        let Facts { nodes, meshes, skins, materials, images, animations, extensions } = self.facts;
        writeln!(text, "{}: glTF 2.0, {} bytes", self.file, self.bytes)?;
        writeln!(text, "nodes      {nodes}")?;
        writeln!(text, "meshes     {}", meshes.len())?;
        for (index, MeshFacts { primitives, vertices, morph_targets }) in meshes.iter().enumerate() {
            let morphs = if *morph_targets > 0 { format!(", {morph_targets} morph targets") } else { String::new() };
            writeln!(text, "  {index}: {vertices} vertices in {primitives} parts{morphs}")?;
        }
        writeln!(text, "skins      {}", skins.len())?;
        for (index, joints) in skins.iter().enumerate() {
            writeln!(text, "  {index}: {joints} joints")?;
        }
        for (title, names) in [("materials ", materials), ("images    ", images), ("extensions", extensions)] {
            writeln!(text, "{title} {}", names.len())?;
            for (index, name) in names.iter().enumerate() {
                writeln!(text, "  {index} \"{}\"", printable(name))?;
            }
        }
        writeln!(text, "animations {}", animations.len())?;
        for (index, AnimationFacts { name, channels, end_s }) in animations.iter().enumerate() {
            writeln!(text, "  {index} \"{}\": {channels} channels, {end_s:.3} s", printable(name))?;
        }
        writeln!(text, "problems   {}", Tally::of(&self.problems))
    }
}
