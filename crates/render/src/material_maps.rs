//! Textures of a material: on the GPU, as part of the keys of variants, and as uniforms.

use gl::{Texture2d, uniforms};
use model::Material;

use crate::models::{GpuModel, GpuModels};

/// Index of the texture that is white.
pub(crate) const WHITE: usize = 0;

/// Textures of a material: indices into [`GpuModels::textures`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureSet {
    pub albedo: usize,
    pub reflectance: Option<usize>,
    pub emission: Option<usize>,
    pub normals: Option<usize>,
}

#[cfg(test)]
impl TextureSet {
    /// The textures of a material without any.
    pub const NONE: Self = Self { albedo: WHITE, reflectance: None, emission: None, normals: None };
}

/// Maps of a material that a shader follows besides its colour: a part of the keys of variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MapKey {
    /// Whether reflectance and smoothness are a map.
    pub reflectance: bool,
    /// Whether emission is multiplied by a map.
    pub emission: bool,
    /// Whether normals are bent by a map.
    pub normals: bool,
}

impl MapKey {
    /// All maps that a material has.
    pub fn of(material: &Material) -> Self {
        let [reflectance, emission, normals] = material.maps.all().map(|map| map.is_some());
        Self { reflectance, emission, normals }
    }

    /// Defines for the shader.
    pub fn defines(self) -> [(&'static str, i32); 3] {
        [
            ("REFLECTANCE_MAP", self.reflectance.into()),
            ("EMISSION_MAP", self.emission.into()),
            ("NORMAL_MAP", self.normals.into()),
        ]
    }
}

uniforms! {
    /// Textures of a material as shaders name them.
    pub struct MaterialMaps<'a> {
        albedo_map: &'a Texture2d,
        reflectance_map: Option<&'a Texture2d>,
        emission_map: Option<&'a Texture2d>,
        normal_map: Option<&'a Texture2d>,
    }
}

impl GpuModels {
    /// Textures of a material of a model.
    pub fn maps(&self, model: &GpuModel, material: usize) -> MaterialMaps<'_> {
        let TextureSet { albedo, reflectance, emission, normals } = model.textures[material];
        let [reflectance_map, emission_map, normal_map] =
            [reflectance, emission, normals].map(|map| map.map(|map| &self.textures[map]));
        MaterialMaps { albedo_map: &self.textures[albedo], reflectance_map, emission_map, normal_map }
    }

    /// The texture of a material's colour.
    pub fn albedo(&self, model: &GpuModel, material: usize) -> &Texture2d {
        &self.textures[model.textures[material].albedo]
    }
}
