//! Settings of a scene file for the picture: post-processing and quality.

use std::fmt;

use clap::ValueEnum;
use gl::Filter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

use crate::textures::TextureRules;

/// `[post]`: from linear radiance to the screen.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PostSettings {
    /// Exposure.
    #[schemars(range(min = -10, max = 10), extend("x-unit" = "stops"))]
    pub exposure_ev: f32,
    /// Whether the eye adapts to the light at the camera; else exposure is 2^`exposure_ev`.
    #[default = true]
    pub auto_exposure: bool,
    /// Balance toward the colour of the light at the camera: 0 physical, 1 all the way.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.5]
    pub white_balance: f32,
    /// Factor on colourfulness.
    #[schemars(range(min = 0, max = 2))]
    #[default = 0.85]
    pub saturation: f32,
    /// Contrast of the picture, about its middle grey and past the water before the lens; 0: the tone map's own.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.5]
    pub contrast: f32,
    /// Strength of the bloom round bright things.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.15]
    pub bloom: f32,
    /// Brightness of the picture below which it falls off to black, by a film's toe.
    #[schemars(range(min = 0, max = 0.5))]
    #[default = 0.08]
    pub black_point: f32,
    /// Lifting of dark areas, such as shaded rock, without halos; from `medium` on.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.4]
    pub shadows: f32,
    /// Contrast of shapes against what surrounds them; from `medium` on.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.35]
    pub clarity: f32,
    /// Sharpening of the finished picture, without halos; from `medium` on.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.5]
    pub sharpness: f32,
    /// Share of the light that the lens loses in the corners of the picture.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.14]
    pub vignette: f32,
}

/// Greatest internal resolution over the output's.
pub(super) const MAX_SCALE: f32 = 2.0;

/// `[render]`: quality.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RenderSettings {
    /// Tier; `auto` chooses by renderer and frame time.
    pub quality: Quality,
    /// Frame time to hold with `auto`; 0: 16.7 on a GPU, 50 without.
    #[schemars(range(min = 0, max = 1000), extend("x-unit" = "ms"))]
    pub target_ms: f32,
    /// Internal resolution over the output's.
    #[schemars(range(min = 0.25, max = MAX_SCALE))]
    #[default = 1.0]
    pub scale: f32,
    /// Effects that are drawn; for measuring the cost of each.
    pub effects: Effects,
}

/// A quality tier by name; its data are in [`Tier`].
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// By renderer: low on software, high on hardware.
    #[default]
    Auto,
    /// Two CPU cores with a software renderer.
    Low,
    /// An integrated GPU.
    Medium,
    /// A GPU.
    High,
    /// A fast GPU.
    Ultra,
}

/// `[render.effects]`: switches, one an effect.
#[derive(Clone, Copy, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Effects {
    /// Caustics.
    #[default = true]
    pub caustics: bool,
    /// Light shafts.
    #[default = true]
    pub shafts: bool,
    /// Shadows of the sun, or of the light that casts them in its place.
    #[default = true]
    pub shadows: bool,
    /// The surface, seen from below or above.
    #[default = true]
    pub surface: bool,
    /// Marine snow and bubbles.
    #[default = true]
    pub particles: bool,
    /// Bloom, and the clarity that is made of the same soft copies.
    #[default = true]
    pub bloom: bool,
}

/// A quality tier: data, never a branch on the driver in a pass.
///
/// Fields beside `detail` are not the tier's alone to decide: [`FramePlan`](crate::FramePlan) has the outcome, and
/// passes see nothing else of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tier {
    /// Whether shadows are drawn.
    pub shadows: bool,
    /// Whether the surface mirrors the scene below it, and lets it through bent.
    pub reflections: bool,
    /// Whether things that stand close together take light from each other.
    pub contact: bool,
    /// Whether bright things bloom, and shapes stand out from their surroundings.
    pub bloom: bool,
    /// Whether edges are smoothed.
    pub antialias: bool,
    /// Level of detail from which on light is worked out at vertices, if any; one coarser for swimming animals.
    pub per_vertex_lighting_from: Option<usize>,
    /// Factor on the internal resolution along each side: beyond 1 a pixel is the mean of several.
    pub supersampling: f32,
    /// Sizes of maps, numbers of steps, levels of detail.
    pub detail: Detail,
}

/// Fineness of drawing: sizes of maps, numbers of steps, levels of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Side of the wave maps in texels.
    pub wave_map: u32,
    /// Side of the caustic map in texels.
    pub caustic_map: u32,
    /// Cells along a side of the mesh of light rays.
    pub caustic_grid: u32,
    /// Whether the sun's disc blurs the caustics.
    pub caustic_blur: bool,
    /// Steps along a mirrored ray in the screen-space reflections of the surface.
    pub reflection_steps: u32,
    /// Whether the surface mirrors the net of light on the ground.
    pub mirrored_net: bool,
    /// Divisor of the resolution of the scene that the surface mirrors.
    pub backdrop_divisor: u32,
    /// Whether colours are refracted apart.
    pub dispersion: bool,
    /// Whether the surface's ripples, too short for the wave maps, are noise; else they are three waves.
    pub ripples: bool,
    /// Side of the shadow map in texels.
    pub shadow_map: u32,
    /// Comparisons with that map across a shadow's penumbra; 0: its edge is as sharp as the map.
    pub shadow_taps: u32,
    /// Things smaller than this cast no shadow. Unit: m. Range: >= 0.
    pub least_caster_m: f32,
    /// Least picture size that the level of detail of shadow casters is made for. Unit: px.
    pub caster_pixels: f32,
    /// Samples about a pixel for things that hide the light from it.
    pub contact_taps: u32,
    /// Flakes as fine as dust for each flake of marine snow.
    pub dust: u32,
    /// Divisor of the resolution at which shafts are marched.
    pub shaft_divisor: u32,
    /// Steps of a shaft march.
    pub shaft_steps: u32,
    /// Whether shafts are filtered and upsampled bilaterally, so that they keep to the edges of things.
    pub shaft_bilateral: bool,
    /// Longest side of the textures of models, in texels: larger ones are halved until they fit.
    pub texture_side: u32,
    /// Whether leaves, lace and fins that are cut out of textures end softly, by shares of a pixel.
    pub soft_edges: bool,
    /// Whether near fish show their scales in relief.
    pub scales: bool,
    /// Whether textures blend between mip maps.
    pub trilinear: bool,
    /// Whether near rock and sand show their grain in relief.
    pub fine_relief: bool,
    /// Distance to which a colony of a quarter of a metre is drawn on rock; others by the root of their size. Unit: m.
    /// 0: none.
    pub cover_reach_m: f32,
    /// Size at which a coarser level of detail is drawn, over the one that it is made for: the less, the finer.
    pub lod_scale: f32,
}

impl Detail {
    /// Filter of textures that lie on things.
    pub fn filter(&self) -> Filter {
        if self.trilinear { Filter::Mipmapped } else { Filter::NearestMipmap }
    }

    /// Rules for the upload of models' textures.
    pub(super) fn textures(&self) -> TextureRules {
        TextureRules { filter: self.filter(), side: self.texture_side, soft_edges: self.soft_edges }
    }
}

impl RenderSettings {
    /// Budget of a frame. Unit: ms.
    pub fn budget_ms(&self, software: bool) -> f64 {
        match self.target_ms {
            set if set > 0.0 => f64::from(set),
            _ if software => 50.0,
            _ => 1000.0 / 60.0,
        }
    }
}

impl Quality {
    /// The tier that is drawn: `Auto` is `Low` on a software renderer and `High` on a GPU.
    pub fn drawn(self, software: bool) -> Self {
        match self {
            Self::Auto if software => Self::Low,
            Self::Auto => Self::High,
            tier => tier,
        }
    }

    /// Settings of the tier that is drawn.
    pub fn tier(self, software: bool) -> Tier {
        match self.drawn(software) {
            Self::Low => Tier::LOW,
            Self::Medium => Tier::MEDIUM,
            Self::Auto | Self::High => Tier::HIGH,
            Self::Ultra => Tier::ULTRA,
        }
    }
}

impl fmt::Display for Quality {
    /// The name that scene files use.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Tier {
    const LOW: Self = Self {
        shadows: false,
        reflections: false,
        contact: false,
        bloom: false,
        antialias: false,
        per_vertex_lighting_from: Some(1),
        supersampling: 1.0,
        detail: Detail {
            wave_map: 128,
            caustic_map: 256,
            caustic_grid: 46,
            caustic_blur: false,
            reflection_steps: 12,
            mirrored_net: false,
            backdrop_divisor: 2,
            dispersion: false,
            ripples: false,
            shadow_map: 512,
            shadow_taps: 0,
            least_caster_m: 0.45,
            caster_pixels: 30.0,
            contact_taps: 0,
            dust: 0,
            shaft_divisor: 6,
            shaft_steps: 8,
            shaft_bilateral: false,
            texture_side: 512,
            soft_edges: false,
            scales: false,
            trilinear: false,
            fine_relief: false,
            cover_reach_m: 0.0,
            lod_scale: 1.25,
        },
    };
    const MEDIUM: Self = Self {
        shadows: true,
        reflections: true,
        contact: false,
        bloom: true,
        antialias: true,
        per_vertex_lighting_from: Some(2),
        supersampling: 1.0,
        detail: Detail {
            caustic_map: 512,
            caustic_grid: 96,
            caustic_blur: true,
            mirrored_net: true,
            shadow_map: 1536,
            shaft_divisor: 4,
            shaft_steps: 16,
            shaft_bilateral: true,
            texture_side: 1024,
            scales: true,
            fine_relief: true,
            lod_scale: 0.57,
            ..Self::LOW.detail
        },
    };
    const HIGH: Self = Self {
        per_vertex_lighting_from: None,
        contact: true,
        supersampling: 1.5,
        detail: Detail {
            wave_map: 256,
            caustic_map: 768,
            caustic_grid: 256,
            reflection_steps: 20,
            backdrop_divisor: 1,
            dispersion: true,
            ripples: true,
            shadow_map: 3072,
            shadow_taps: 24,
            least_caster_m: 0.2,
            caster_pixels: 90.0,
            contact_taps: 8,
            dust: 5,
            shaft_divisor: 2,
            shaft_steps: 40,
            trilinear: true,
            texture_side: 4096,
            soft_edges: true,
            cover_reach_m: 12.0,
            lod_scale: 0.157,
            ..Self::MEDIUM.detail
        },
        ..Self::MEDIUM
    };
    const ULTRA: Self = Self {
        supersampling: MAX_SCALE,
        detail: Detail {
            caustic_map: 1024,
            caustic_grid: 384,
            reflection_steps: 32,
            shadow_map: 4096,
            shadow_taps: 48,
            least_caster_m: 0.08,
            caster_pixels: 240.0,
            contact_taps: 24,
            dust: 12,
            shaft_steps: 96,
            cover_reach_m: 26.0,
            lod_scale: 0.086,
            ..Self::HIGH.detail
        },
        ..Self::HIGH
    };
}
