//! Variants of the mesh shaders: which of them a mesh needs by a plan.

use model::Material;

use crate::material_maps::MapKey;
use crate::models::Skinning;

/// Key of a variant of the mesh shaders.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VariantKey {
    pub skinning: Skinning,
    /// Whether two clips make the pose.
    pub blended: bool,
    /// Whether pixels are left out, as the texture has holes or the instance fades.
    pub alpha_test: bool,
    /// Whether only the pixels are drawn that it shares with things behind it.
    pub fringe: bool,
    /// Whether light is worked out at vertices.
    pub per_vertex_lighting: bool,
    /// Maps that are followed.
    pub maps: MapKey,
    pub shading: ShadingModel,
    /// Whether it has sediment on its foot, worked out at pixels.
    pub silted: bool,
}

/// Movement and shading of a mesh's surface, beyond its texture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ShadingModel {
    /// Corals, far rocks.
    Matte,
    /// Rocks near enough to show grain finer than their texture's.
    Stone,
    /// Leaves and polyps that go with the surge.
    Swaying,
    /// Wet skin, and metal: all swimming animals, and things that shine.
    Skin {
        /// Whether it mirrors.
        silver: bool,
        /// Whether it shows scales in relief.
        scaled: bool,
        /// Whether it may reflect much, in its colour.
        metal: bool,
        /// Whether its pupils shine back at lamps.
        eyeshine: bool,
    },
    /// See-through surfaces: bells.
    Transparent,
}

/// Rules that decide the variants of a plan.
pub struct VariantRules {
    /// Whether scales are drawn in relief.
    pub scales: bool,
    /// Whether there is a grain for rocks to show.
    pub stone: bool,
    /// Whether rocks have sediment on their feet.
    pub silt: bool,
    /// Whether there are lamps.
    pub lights: bool,
    /// Level of detail from which on light is worked out at vertices; one coarser for swimming animals.
    pub per_vertex_lighting_from: Option<usize>,
}

impl VariantRules {
    /// Variant that a mesh of `material` needs, at a level of detail.
    pub fn key(&self, (level, skinning): (usize, Skinning), material: &Material, sways: bool) -> VariantKey {
        let from_vertices = self.per_vertex_lighting_from.is_some_and(|from| level >= from);
        let is_rock = material.stone && self.stone;
        let shading = match (skinning.joints, level) {
            _ if material.is_transparent() => ShadingModel::Transparent,
            // Rocks, corals and leaves are matte under water; swimming animals are wet-looking, and metal shines.
            _ if skinning.joints > 0 || !sways && material.is_metal() => ShadingModel::Skin {
                silver: material.mirror_reflectance > 0.0,
                scaled: self.scales && level == 0 && material.scales.is_some(),
                metal: material.is_metal(),
                eyeshine: self.lights && material.tapetum > 0.0,
            },
            _ if sways => ShadingModel::Swaying,
            // Farther off the texture is enough, except at tiers with small ones, where rocks would look like marble, and
            // by lamps, in whose light what grows in the sun would show on rock where nothing does.
            (_, level) if is_rock && (level == 0 || from_vertices || self.lights) => ShadingModel::Stone,
            _ => ShadingModel::Matte,
        };
        let per_vertex_lighting = self.per_vertex_lighting_from.is_some_and(|from| match shading {
            ShadingModel::Matte | ShadingModel::Swaying => level >= from,
            ShadingModel::Stone => level > 0,
            ShadingModel::Skin { .. } => level > from,
            ShadingModel::Transparent => false,
        });
        let alpha_test = material.alpha_cutoff > 0.0;
        let of_material = MapKey::of(material);
        let shines = matches!(shading, ShadingModel::Skin { .. } | ShadingModel::Transparent);
        let maps = MapKey {
            reflectance: of_material.reflectance && shines,
            // Relief is as fine as scales.
            normals: of_material.normals && self.scales && level == 0 && !per_vertex_lighting,
            ..of_material
        };
        let is_still = matches!(shading, ShadingModel::Matte | ShadingModel::Stone);
        let silted = is_rock && self.silt && is_still && !per_vertex_lighting;
        VariantKey { skinning, blended: false, alpha_test, fringe: false, per_vertex_lighting, maps, shading, silted }
    }

    /// Variants that any scene may need: compiled without models too, so that a broken shader is found early.
    pub fn common(&self) -> Vec<VariantKey> {
        let rigid = |shading: ShadingModel, alpha_test, per_vertex_lighting| VariantKey {
            skinning: Skinning::RIGID,
            blended: false,
            alpha_test,
            fringe: false,
            per_vertex_lighting,
            maps: MapKey::default(),
            silted: shading == ShadingModel::Stone && self.silt && !per_vertex_lighting,
            shading,
        };
        let skin = ShadingModel::Skin { silver: true, scaled: self.scales, metal: false, eyeshine: false };
        let skinning = Skinning { joints: 4, smooth: true, ..Skinning::RIGID };
        let mut keys = vec![VariantKey { skinning, blended: true, ..rigid(skin, true, false) }];
        for alpha_test in [false, true] {
            for shading in [ShadingModel::Stone, ShadingModel::Matte, ShadingModel::Swaying] {
                keys.push(rigid(shading, alpha_test, false));
                if self.per_vertex_lighting_from.is_some() {
                    keys.push(rigid(shading, alpha_test, true));
                }
            }
        }
        keys
    }
}

impl VariantKey {
    /// A variant that draws the same and much else, but for the grain of rocks: the fewest that draw nearly everything.
    /// A fringe only softens edges, and can wait.
    pub fn stand_in(self) -> Option<Self> {
        let Self { skinning, fringe, shading, .. } = self;
        let joints = if skinning.joints > 1 { 4 } else { skinning.joints };
        let shading = match shading {
            // A sway of 0 moves nothing, and a reflectance of 0 mirrors nothing.
            ShadingModel::Matte | ShadingModel::Stone | ShadingModel::Swaying => ShadingModel::Swaying,
            ShadingModel::Skin { .. } => {
                ShadingModel::Skin { silver: true, scaled: false, metal: false, eyeshine: false }
            }
            ShadingModel::Transparent => shading,
        };
        (!fringe).then_some(Self {
            skinning: Skinning { joints, smooth: joints > 0, ..skinning },
            blended: joints > 0,
            alpha_test: shading != ShadingModel::Transparent,
            fringe,
            per_vertex_lighting: false,
            // Plain for as long as it stands in.
            maps: MapKey::default(),
            shading,
            silted: false,
        })
    }

    pub fn defines(self) -> [(&'static str, i32); 20] {
        let Self { skinning, blended, alpha_test, fringe, per_vertex_lighting, maps, shading, silted } = self;
        let is_skin = matches!(shading, ShadingModel::Skin { .. });
        let is_transparent = shading == ShadingModel::Transparent;
        let [joints, smooth, morphed, coloured] = skinning.defines();
        let [reflectance, emission, normals] = maps.defines();
        [
            joints,
            smooth,
            morphed,
            coloured,
            reflectance,
            emission,
            normals,
            ("BLEND", blended.into()),
            ("ALPHA_TEST", alpha_test.into()),
            ("FRINGE", fringe.into()),
            ("PER_VERTEX_LIGHTING", per_vertex_lighting.into()),
            ("STONE", (shading == ShadingModel::Stone).into()),
            ("SILTED", silted.into()),
            ("SWAY", (shading == ShadingModel::Swaying).into()),
            ("SPECULAR", (is_skin || is_transparent).into()),
            ("SILVER", matches!(shading, ShadingModel::Skin { silver: true, .. }).into()),
            ("METAL", (maps.reflectance || matches!(shading, ShadingModel::Skin { metal: true, .. })).into()),
            ("EYESHINE", matches!(shading, ShadingModel::Skin { eyeshine: true, .. }).into()),
            ("SCALED", matches!(shading, ShadingModel::Skin { scaled: true, .. }).into()),
            ("TRANSPARENT", is_transparent.into()),
        ]
    }
}
