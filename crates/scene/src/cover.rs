//! Settings of a scene file for the living cover of rock, and for what lies at its foot.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// `[[cover]]`: one kind of small colony on rock, or of debris at its foot, in patches; drawn near the eye from high on.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["name", "model"]))]
pub struct CoverSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// MS3D, glTF or MDL file, relative to this one; `builtin:NAME` for the project's own.
    pub model: String,
    /// Place where it settles.
    pub on: CoverGround,
    /// Colonies on a square metre where light suits them, or of the apron; large ones crowd out small ones.
    #[schemars(range(min = 0, max = 60), extend("x-unit" = "per square metre"))]
    #[default = 3.0]
    pub density_per_m2: f32,
    /// Greatest extent of the smallest and of the largest; most are small.
    #[schemars(inner(range(min = 0.01, max = 2)), extend("x-unit" = "m"))]
    #[default([0.05, 0.2])]
    pub size_m: [f32; 2],
    /// Light that it grows in, least and most, as seen sky: 1 on level faces, 0.5 on upright ones, 0 below.
    #[schemars(inner(range(min = 0, max = 1)))]
    #[default([0.4, 1.0])]
    pub light: [f32; 2],
    /// Strength with which it turns up from the rock's normal: 0 not at all, 1 halfway on an upright face.
    #[schemars(range(min = -4, max = 4))]
    #[default = 0.3]
    pub upright: f32,
    /// Depth of the base below the rock's face, as a share of the size.
    #[schemars(range(min = 0, max = 0.9))]
    #[default = 0.08]
    pub sink: f32,
    /// Amplitude with which the top sways in the surge: 0 rigid, 1 a plant.
    #[schemars(range(min = 0, max = 2))]
    pub sway: f32,
    /// Factors on its colours, linear red, green and blue: each patch has one of them.
    #[schemars(inner(inner(range(min = 0, max = 4))))]
    #[default(vec![[1.0; 3]])]
    pub tints: Vec<[f32; 3]>,
}

/// Ground that a kind of cover settles on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CoverGround {
    /// The faces of rock.
    #[default]
    Rock,
    /// The apron: the ground about the foot of rock.
    Apron,
}
