//! A species as data: the contents of a species file, from which the forge makes a fish.
//!
//! Lengths are in standard lengths (snout to the base of the tail fin) unless said otherwise; x runs from 0 at the
//! snout to 1, h from 0 at the belly line to 1 at the back line. Angles are in radians.

use std::f32::consts::PI;

use glam::Vec2;
use serde::Deserialize;

use super::colour::Colour;
use super::eye::Eye;
use super::pattern::Layer;
use crate::Curve;
use crate::maths::sin;
use crate::swimmers::wave::Wave;

/// Points of a curve, x rising.
pub type Points = Vec<[f32; 2]>;

/// The curve through validated points.
///
/// # Panics
/// If the points are not valid.
pub fn curve(points: &[[f32; 2]]) -> Curve {
    Curve::new(&points.iter().map(|&[x, y]| (x, y)).collect::<Vec<_>>())
}

/// A species.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FishPlan {
    /// Name of the files: letters, digits and underscores.
    pub name: String,
    /// Description, with the sources of its proportions; becomes the model's comment.
    pub about: String,
    /// One line for lists.
    #[serde(default)]
    pub description: String,
    /// Usual total length. Unit: m.
    pub length_m: f32,
    /// Whether it goes to cleaners: mouth, gills, back and belly become places named `clean_mouth` and the like.
    #[serde(default)]
    pub cleaned: bool,
    /// Seat of a camera: distance behind the snout, and height over the back.
    #[serde(default)]
    pub camera: Option<[f32; 2]>,
    /// Outlines of the body.
    pub outline: Outline,
    /// Gills.
    #[serde(default)]
    pub gills: Gills,
    /// Eyes.
    pub eye: Eye,
    /// Mouth.
    pub mouth: Mouth,
    /// Skin.
    pub skin: SkinPlan,
    /// Layers painted over the skin, first to last.
    #[serde(default)]
    pub pattern: Vec<Layer>,
    /// Fins.
    #[serde(default)]
    pub fin: Vec<FinPlan>,
    /// A fishing rod on the brow.
    #[serde(default)]
    pub lure: Option<Lure>,
    /// Shape swollen by fright: a second file of the same triangles.
    #[serde(default)]
    pub puffed: Option<Puffed>,
    /// Swimming.
    #[serde(default)]
    pub swim: Swim,
    /// Level of detail of mesh and texture.
    #[serde(default)]
    pub detail: Detail,
}

/// Outlines and cross-sections over x.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    /// Standard length as a fraction of the total length.
    pub standard: f32,
    /// Height of the back line over the axis.
    pub back: Points,
    /// Height of the belly line.
    pub belly: Points,
    /// Half width.
    pub width: Points,
    /// Height of the widest point between belly (0) and back (1).
    #[serde(default = "half")]
    pub middle: Points,
    /// Superellipse exponent above the widest point: 2 is round, less is roof-like, more is boxy.
    #[serde(default = "round")]
    pub upper: Points,
    /// Superellipse exponent below the widest point; less than 2 makes a keel.
    #[serde(default = "round")]
    pub lower: Points,
}

fn half() -> Points {
    vec![[0.0, 0.5]]
}

fn round() -> Points {
    vec![[0.0, 2.0]]
}

/// Gill openings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Gills {
    /// Cover, slits, pore or none.
    pub kind: GillKind,
    /// x of the cover's hind edge at mid height, or of the pore.
    pub at: f32,
    /// Distance that the cover's edge bends forward at its ends.
    pub bend: f32,
    /// Step behind the cover, as a fraction of the half width.
    pub step: f32,
    /// Darkness of the groove behind the cover, 0 to 1.
    pub groove: f32,
    /// First and last x of the slits.
    pub slits: [f32; 2],
    /// Least and greatest height of the slits over the axis.
    pub slit_y: [f32; 2],
}

impl Default for Gills {
    fn default() -> Self {
        let kind = GillKind::Cover;
        Self { kind, at: 0.28, bend: 0.075, step: 0.05, groove: 0.36, slits: [0.22, 0.29], slit_y: [-0.04, 0.03] }
    }
}

/// Kind of gill openings.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum GillKind {
    /// A bony cover whose hind edge shows and breathes.
    #[default]
    Cover,
    /// Five bare slits each side, as sharks have; the mouth is a painted crescent under the snout.
    Slits,
    /// A dark hole, as morays have.
    Pore,
    /// None: it breathes air.
    None,
}

/// Mouth.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mouth {
    /// Corner of the closed mouth: x and y. It opens at (0, middle of the snout).
    pub corner: [f32; 2],
    /// Sag of the line between the lips half way to the corner.
    #[serde(default)]
    pub sag: f32,
    /// Half thickness of the line between the lips at the snout.
    #[serde(default = "line")]
    pub line: f32,
    /// Colour of the lips.
    pub lips: Colour,
    /// Strength of the lips' colour, 0 to 1.
    #[serde(default = "most")]
    pub lip_strength: f32,
    /// Colour inside.
    #[serde(default = "dark_red")]
    pub inside: Colour,
    /// Distance that the lower jaw juts out before the upper.
    #[serde(default)]
    pub jut: f32,
    /// Gape at rest. Unit: rad.
    #[serde(default = "ajar")]
    pub gape: f32,
    /// Opening to feed. Unit: rad.
    #[serde(default = "wide")]
    pub opening: f32,
    /// Thickness of the lips' flesh, standard lengths: with it they are rolled inward over a gum.
    #[serde(default)]
    pub flesh: f32,
    /// Teeth of a jaw; none if left out.
    #[serde(default)]
    pub teeth: Option<Teeth>,
}

impl Mouth {
    /// Corner of the closed mouth.
    pub fn corner(&self) -> Vec2 {
        self.corner.into()
    }

    /// Distance of the line between the lips below a straight one, at x.
    pub fn sag_at(&self, x: f32) -> f32 {
        self.sag * sin(PI * (x / self.corner[0]).clamp(0.0, 1.0))
    }
}

/// Teeth of each jaw.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teeth {
    /// Number on each side of each jaw.
    pub count: usize,
    /// Length of the longest.
    pub length: f32,
    /// Breadth at the root, as a fraction of the length: less is a needle.
    #[serde(default = "fang")]
    pub breadth: f32,
    /// Bend of the tip toward the throat, as a fraction of the length.
    #[serde(default = "hooked")]
    pub bend: f32,
    /// Variation of lengths and gaps, 0 to 1.
    #[serde(default)]
    pub uneven: f32,
    /// Whether they are needles in two irregular rows, through which light shines, not pegs in one.
    #[serde(default)]
    pub needles: bool,
    /// Colour of the tips; the roots are darker.
    #[serde(default = "enamel")]
    pub colour: Colour,
}

fn fang() -> f32 {
    0.32
}

fn hooked() -> f32 {
    0.09
}

fn enamel() -> Colour {
    Colour(crate::paint::rgb(0xe8e4d2))
}

fn line() -> f32 {
    0.008
}

fn most() -> f32 {
    0.5
}

fn dark_red() -> Colour {
    Colour(crate::paint::rgb(0x2a1c1e))
}

fn ajar() -> f32 {
    0.05
}

fn wide() -> f32 {
    0.5
}

/// Skin.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkinPlan {
    /// Relative height h and colour, belly first: counter-shading.
    pub shade: Vec<(f32, Colour)>,
    /// Scales along a standard length.
    #[serde(default = "scales")]
    pub scales: f32,
    /// Darkening of the skin by their rims, 0 to 1.
    #[serde(default = "faint")]
    pub scale_strength: f32,
    /// Relative height h of the lateral line over x.
    #[serde(default = "half")]
    pub lateral: Points,
    /// Visibility of the lateral line, 0 to 1.
    #[serde(default)]
    pub lateral_strength: f32,
    /// Strength and exponent of the highlight.
    #[serde(default = "gloss")]
    pub gloss: [f32; 2],
    /// Fraction of light that the pale parts reflect as a mirror does: silver fish. 0 to 1.
    #[serde(default)]
    pub sheen: f32,
    /// Relief of the scales, 0 to 1.
    #[serde(default)]
    pub relief: f32,
    /// Height of what is painted light above what is dark, 0 to 1, on skin without scales in relief.
    #[serde(default)]
    pub emboss: f32,
    /// Height of lumps of loose skin behind the mouth, standard lengths.
    #[serde(default)]
    pub rough: f32,
    /// Depth of the creases between folds of loose skin, standard lengths.
    #[serde(default)]
    pub folds: f32,
}

fn scales() -> f32 {
    40.0
}

fn faint() -> f32 {
    0.15
}

fn gloss() -> [f32; 2] {
    [0.09, 18.0]
}

/// A fin.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinPlan {
    /// Name of its part, and of its joints where it has its own.
    pub name: String,
    /// Place of the fin on the body.
    pub on: FinPlace,
    /// Back and belly: x of its front and hind end. The tail: x of its base twice.
    #[serde(default)]
    pub base: [f32; 2],
    /// Back and belly: lean of the rays backward from upright, at the front and the hind end. The tail: angles of the
    /// outermost rays below and above the axis. Flank: angles of the first and last ray from straight back, positive
    /// down.
    pub fan: [f32; 2],
    /// Back and belly: further lean gained toward the edge. The tail: turn of the rays back toward the axis at the
    /// edge, as a fraction. Flank: outward curl of the edge, as a fraction of the rays' length.
    #[serde(default)]
    pub bend: f32,
    /// Half the height of the tail fin's base; length of a flank fin's base.
    #[serde(default = "small_base")]
    pub root: f32,
    /// Flank: relative height h of the base.
    #[serde(default = "half_way")]
    pub h: f32,
    /// Flank: turn of the base from vertical, a quarter turn lies flat along the body.
    #[serde(default)]
    pub slant: f32,
    /// Flank: angle that the fin stands off.
    #[serde(default = "half_way")]
    pub out: f32,
    /// Flank: amplitude of sculling; back and belly: of waving from side to side. Unit: rad.
    #[serde(default)]
    pub beat: f32,
    /// Strokes in one beat of the tail.
    #[serde(default = "one")]
    pub strokes: u32,
    /// Length of the rays over s, 0 to 1 along the base.
    pub rays: Points,
    /// Quads along the base and along the rays.
    #[serde(default = "cells")]
    pub cells: [usize; 2],
    /// Greatest half thickness; 0 for a membrane.
    #[serde(default)]
    pub thickness: f32,
    /// Factor on the thickness at the fin's foot.
    #[serde(default = "same")]
    pub foot: f32,
    /// Number of copies, one behind the other, and their distance: finlets.
    #[serde(default)]
    pub copies: Option<(usize, f32)>,
    /// Colour at the base and at the edge.
    pub colour: [Colour; 2],
    /// Number of rays painted.
    #[serde(default = "ray_count")]
    pub ray_count: f32,
    /// Depth of the notches between rays at the edge, as a fraction of the rays.
    #[serde(default = "notch")]
    pub notch: f32,
    /// Greatest s of the spiny part, and depth of its notches.
    #[serde(default)]
    pub spiny: Option<[f32; 2]>,
    /// Layers painted over it; x is s along the base and h is t from the base (0) to the edge (1).
    #[serde(default)]
    pub pattern: Vec<Layer>,
}

/// Place of a fin on the body.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum FinPlace {
    /// On the midline of the back.
    Back,
    /// On the midline of the belly.
    Belly,
    /// At the end, upright.
    Tail,
    /// At the end, flat: flukes.
    Fluke,
    /// A pair on the sides.
    Flank,
}

fn small_base() -> f32 {
    0.05
}

fn half_way() -> f32 {
    0.5
}

fn one() -> u32 {
    1
}

fn cells() -> [usize; 2] {
    [8, 3]
}

fn same() -> f32 {
    1.0
}
fn ray_count() -> f32 {
    16.0
}

fn notch() -> f32 {
    0.04
}

/// A rod with a light at its end.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lure {
    /// x of its foot on the back line.
    pub at: f32,
    /// Length.
    pub length: f32,
    /// Radius of the light.
    pub radius: f32,
    /// Colour of the rod.
    pub rod: Colour,
    /// Colour of the light.
    pub light: Colour,
}

/// A body swollen to a ball, and the spines that stand up with it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puffed {
    /// x of its middle.
    pub at: f32,
    /// Half its length.
    pub half_length: f32,
    /// Half its width.
    pub radius: f32,
    /// Share by which the ball is larger below and smaller above.
    #[serde(default)]
    pub sag: f32,
    /// Number of spines.
    #[serde(default)]
    pub spines: usize,
    /// Length of the spines.
    #[serde(default = "spine_length")]
    pub spine_length: f32,
}

fn spine_length() -> f32 {
    0.08
}

/// Swimming.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Swim {
    /// Swimming mode: the parts of the body that make the wave.
    pub mode: SwimMode,
    /// Time of one tail beat in steady swimming. Unit: s.
    pub beat_s: f32,
}

impl Default for Swim {
    fn default() -> Self {
        Self { mode: SwimMode::Reef, beat_s: 0.6 }
    }
}

/// Swimming modes.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum SwimMode {
    /// Deep, stiff bodies that scull with the pectorals.
    #[default]
    Reef,
    /// The hind half waves: mackerel, herring, barracuda.
    Carangiform,
    /// Only the tail swings: tunas.
    Thunniform,
    /// The whole body waves: eels.
    Anguilliform,
    /// Dorsal and anal fin wave: triggerfish.
    Balistiform,
    /// Sharks.
    Shark,
    /// Up and down: dolphins.
    Dolphin,
}

impl SwimMode {
    /// The body's wave.
    pub fn wave(self) -> Wave {
        match self {
            Self::Reef => Wave::REEF,
            Self::Carangiform => Wave::CARANGIFORM,
            Self::Thunniform => Wave::THUNNIFORM,
            Self::Anguilliform => Wave::ANGUILLIFORM,
            Self::Balistiform => Wave::BALISTIFORM,
            Self::Shark => Wave::SHARK,
            Self::Dolphin => Wave::DOLPHIN,
        }
    }

    /// Joint ends along the body: a stiff skull, then shorter and shorter toward the tail.
    pub fn nodes(self) -> &'static [f32] {
        match self {
            Self::Anguilliform => &[0.0, 0.13, 0.24, 0.35, 0.46, 0.57, 0.68, 0.78, 0.88, 0.96],
            Self::Thunniform => &[0.0, 0.30, 0.48, 0.64, 0.76, 0.85, 0.92, 0.98],
            _ => &[0.0, 0.27, 0.41, 0.53, 0.64, 0.74, 0.83, 0.91, 0.98],
        }
    }
}

/// Level of detail of mesh and texture.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Detail {
    /// Rings along the body.
    pub rings: usize,
    /// Quads round half of the body.
    pub round: usize,
    /// Rings and sides of an eye.
    pub eye: [usize; 2],
    /// Side of the texture in pixels.
    pub texture: usize,
}

impl Default for Detail {
    fn default() -> Self {
        Self { rings: 34, round: 11, eye: [4, 18], texture: 512 }
    }
}
