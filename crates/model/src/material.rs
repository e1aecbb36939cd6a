//! Materials: colours, and the words in an MS3D material's comment for properties that its fields cannot hold.
//!
//! MilkShape's colours are display values; `base_color`, `specular` and `emissive` are decoded to linear. Opacity is
//! the file's transparency field (1 is opaque).
//!
//! # The comment of a material
//!
//! MS3D has no field for fins, leaves and bells. A line of the material's comment (the comments section, one comment a
//! material) that begins with `pelagic:` has their properties, as words separated by spaces or commas, in any order:
//!
//! ```text
//! pelagic: two_sided translucency=0.4 alpha_cut=0.5
//! ```
//!
//! The model's own comment may have them too, with the material's name, for readers that fail at comments on materials:
//!
//! ```text
//! pelagic: material fins two_sided translucency=0.4
//! ```
//!
//! | word | meaning |
//! |---|---|
//! | `two_sided` | both sides are drawn; also `two_sided=1` or `=0` |
//! | `translucency=T` | share of light that passes through, 0 to 1 |
//! | `alpha_cut=A` | texels with alpha below A are not drawn, 0 to 1; 0 draws all |
//! | `stone` | reef rock: grain, crusts and sediment finer than the texture are added to it; also `stone=1` or `=0` |
//! | `sheen=S` | share of light that pale parts mirror, as silver fish do, 0 to 1 |
//! | `tapetum=T` | share of light that black parts send back to where it came from, as sharks' pupils do, 0 to 1 |
//! | `scales=AxB` | scales in relief: A in a row over the texture's width, B rows over its height, each 1 to 1000 |
//! | `scale_growth=G` | how much closer they stand at the right than at the left, 0 (even) to 1 |
//! | `relief=R` | how far they stand out, 0 to 1; 0.5 without the word |
//! | `relief=R` without `scales` | how far what is light in the texture stands out over what is dark, 0 (flat) to 1 |
//!
//! Other lines are the author's own. Unknown words and bad values are left out with a warning. Without `alpha_cut`
//! the cut is 0.5 where the texture or alpha map has texels with alpha below a half, else 0.

use crate::{Maps, Material, Scales, Wrap};

/// Values in the comment of a material; `None` if the word is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaterialHints {
    /// Whether both sides are drawn.
    pub two_sided: Option<bool>,
    /// Share of light that passes through, 0 to 1.
    pub translucency: Option<f32>,
    /// Alpha below which a texel is not drawn, 0 to 1.
    pub alpha_cut: Option<f32>,
    /// Whether it is reef rock.
    pub stone: Option<bool>,
    /// Share of light that pale parts mirror, 0 to 1.
    pub sheen: Option<f32>,
    /// Share of light that black parts send back to where it came from, 0 to 1.
    pub tapetum: Option<f32>,
    /// Scales in a row over the texture's width, and rows over its height, 1 to 1000.
    pub scales: Option<[f32; 2]>,
    /// Growth of the density of scales to the right, 0 to 1.
    pub scale_growth: Option<f32>,
    /// Relief of the scales, or without them of the texture's light and dark, 0 to 1.
    pub relief: Option<f32>,
}

impl MaterialHints {
    /// The relief that it asks for where there are no scales, 0 to 1.
    pub(super) fn relief(&self) -> f32 {
        self.relief.filter(|_| self.scales.is_none()).unwrap_or(0.0)
    }

    /// The scales it asks for.
    pub(super) fn scales(&self) -> Option<Scales> {
        self.scales.map(|[along, across]| Scales {
            along,
            across,
            growth: self.scale_growth.unwrap_or(0.0),
            relief: self.relief.unwrap_or(0.5),
        })
    }
}

/// The words for properties of a material that neither an MS3D file's fields nor glTF can hold; empty if there are
/// none.
pub(super) fn words_of(material: &Material) -> String {
    let mut words = Vec::new();
    if material.translucency > 0.0 {
        words.push(format!("translucency={}", material.translucency));
    }
    if material.stone {
        words.push("stone".into());
    }
    if material.mirror_reflectance > 0.0 {
        words.push(format!("sheen={}", material.mirror_reflectance));
    }
    if material.tapetum > 0.0 {
        words.push(format!("tapetum={}", material.tapetum));
    }
    if let Some(Scales { along, across, growth, relief }) = material.scales {
        words.push(format!("scales={along}x{across} scale_growth={growth} relief={relief}"));
    } else if material.relief > 0.0 {
        words.push(format!("relief={}", material.relief));
    }
    words.join(" ")
}

/// Reads the `pelagic:` lines of a material's comment; later words win. Also returns messages about words not
/// understood.
pub fn parse_comment(comment: &[u8]) -> (MaterialHints, Vec<String>) {
    let mut hints = MaterialHints::default();
    let mut problems = Vec::new();
    let text = String::from_utf8_lossy(comment);
    for line in text.split(['\n', '\r']) {
        let line = line.trim().to_ascii_lowercase();
        let Some(words) = line.strip_prefix("pelagic:") else { continue };
        for word in words.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()) {
            let (key, value) = word.split_once('=').map_or((word, None), |(key, value)| (key, Some(value)));
            let share = || value.and_then(|v| v.parse::<f32>().ok()).filter(|v| (0.0..=1.0).contains(v));
            let switch = || match value {
                None | Some("1" | "true" | "yes") => Some(true),
                Some("0" | "false" | "no") => Some(false),
                Some(_) => None,
            };
            let understood = match key {
                "two_sided" | "two-sided" => switch().inspect(|&on| hints.two_sided = Some(on)).is_some(),
                "stone" => switch().inspect(|&on| hints.stone = Some(on)).is_some(),
                "translucency" => share().inspect(|&v| hints.translucency = Some(v)).is_some(),
                "alpha_cut" | "alpha-cut" => share().inspect(|&v| hints.alpha_cut = Some(v)).is_some(),
                "sheen" => share().inspect(|&v| hints.sheen = Some(v)).is_some(),
                "tapetum" => share().inspect(|&v| hints.tapetum = Some(v)).is_some(),
                "scale_growth" | "scale-growth" => share().inspect(|&v| hints.scale_growth = Some(v)).is_some(),
                "relief" => share().inspect(|&v| hints.relief = Some(v)).is_some(),
                "scales" => value.and_then(counts).inspect(|&v| hints.scales = Some(v)).is_some(),
                _ => false,
            };
            if !understood {
                problems.push(match FORMS.iter().find(|(name, _)| *name == key.replace('-', "_")) {
                    Some((_, form)) => format!("'{word}' in the comment should be {form}: left out"),
                    None => {
                        let known: Vec<&str> = FORMS.iter().map(|(name, _)| *name).collect();
                        format!("'{word}' in the comment is none of {}: left out", known.join(", "))
                    }
                });
            }
        }
    }
    (hints, problems)
}

/// The known words, each with its form.
const FORMS: [(&str, &str); 9] = [
    ("two_sided", "two_sided, two_sided=1 or two_sided=0"),
    ("stone", "stone, stone=1 or stone=0"),
    ("translucency", "translucency=T with T from 0 to 1"),
    ("alpha_cut", "alpha_cut=A with A from 0 to 1"),
    ("sheen", "sheen=S with S from 0 to 1"),
    ("tapetum", "tapetum=T with T from 0 to 1"),
    ("scales", "scales=AxB, such as scales=46x21, with A and B from 1 to 1000"),
    ("scale_growth", "scale_growth=G with G from 0 to 1"),
    ("relief", "relief=R with R from 0 to 1"),
];

/// Two counts such as `46x21`.
fn counts(text: &str) -> Option<[f32; 2]> {
    let (along, across) = text.split_once('x')?;
    let both = [along.parse::<f32>().ok()?, across.parse::<f32>().ok()?];
    both.iter().all(|count| (1.0..=1000.0).contains(count)).then_some(both)
}

/// The look that MilkShape gives to groups without a material: light grey, hardly shining.
pub fn default_material() -> Material {
    Material {
        name: "default".into(),
        base_color: [linear_from_srgb(0.8), linear_from_srgb(0.8), linear_from_srgb(0.8), 1.0],
        specular: [0.0; 3],
        shininess: 0.0,
        emissive: [0.0; 3],
        texture: None,
        maps: Maps::default(),
        wrap: [Wrap::Repeat; 2],
        alpha_cutoff: 0.0,
        see_through: false,
        translucency: 0.0,
        two_sided: false,
        stone: false,
        mirror_reflectance: 0.0,
        tapetum: 0.0,
        relief: 0.0,
        scales: None,
    }
}

/// Greatest exponent of a highlight: the smoothest surface.
pub const MAX_EXPONENT: f32 = 128.0;

/// Exponent of Blinn and Phong whose highlight is as wide as that of GGX at a roughness of 0 to 1, which glTF squares
/// (Karis 2013, "Specular BRDF Reference"): 0 to [`MAX_EXPONENT`].
pub fn exponent(roughness: f32) -> f32 {
    (2.0 / roughness.max(1e-3).powi(4) - 2.0).clamp(0.0, MAX_EXPONENT)
}

/// Roughness of an exponent: the inverse of [`exponent`], within its range.
pub fn roughness(exponent: f32) -> f32 {
    (2.0 / (exponent + 2.0)).powf(0.25)
}

/// A display value (sRGB curve) as a linear one; NaN counts as 0.
pub(super) fn linear_from_srgb(value: f32) -> f32 {
    if value.is_nan() || value <= 0.0 {
        0.0
    } else if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4).min(1.0)
    }
}

/// A linear value as a display value (sRGB curve).
pub(super) fn srgb_from_linear(value: f32) -> f32 {
    if value <= 0.003_130_8 { 12.92 * value.max(0.0) } else { (1.055 * value.powf(1.0 / 2.4) - 0.055).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_speaks_among_other_lines() {
        let (hints, problems) = parse_comment(
            b"tail fin\r\nPelagic: two_sided, translucency=0.4\n pelagic: alpha_cut=0.25 stone=0 \nby me",
        );
        let expected = MaterialHints {
            two_sided: Some(true),
            translucency: Some(0.4),
            alpha_cut: Some(0.25),
            stone: Some(false),
            ..MaterialHints::default()
        };
        assert_eq!(hints, expected);
        assert_eq!(problems, Vec::<String>::new());
    }

    #[test]
    fn a_comment_speaks_of_scales() {
        let (hints, problems) =
            parse_comment(b"pelagic: scales=46x20.7 scale_growth=0.43 relief=0.3 sheen=0.8 tapetum=0.5");
        assert_eq!((hints.scales, hints.scale_growth), (Some([46.0, 20.7]), Some(0.43)));
        assert_eq!((hints.relief, hints.sheen, hints.tapetum, problems.len()), (Some(0.3), Some(0.8), Some(0.5), 0));
        for bad in ["scales=46", "scales=0x3", "scales=3xnan", "scales=2000x3", "sheen=2", "tapetum=-1", "relief=-1"] {
            let (hints, problems) = parse_comment(format!("pelagic: {bad}").as_bytes());
            assert_eq!((hints, problems.len()), (MaterialHints::default(), 1), "{bad}");
        }
        let (_, problems) = parse_comment(b"pelagic: scales=46 scale-growth=2 scale=4x4");
        assert_eq!(
            problems,
            [
                "'scales=46' in the comment should be scales=AxB, such as scales=46x21, with A and B from 1 to 1000: left out",
                "'scale-growth=2' in the comment should be scale_growth=G with G from 0 to 1: left out",
                "'scale=4x4' in the comment is none of two_sided, stone, translucency, alpha_cut, sheen, tapetum, \
                 scales, scale_growth, relief: left out",
            ]
        );
    }

    #[test]
    fn relief_is_that_of_scales_or_else_of_the_texture() {
        let of = |words: &str| parse_comment(format!("pelagic: {words}").as_bytes()).0;
        let skin = of("relief=0.25");
        assert_eq!((skin.relief(), skin.scales()), (0.25, None));
        assert_eq!(words_of(&Material { relief: skin.relief(), ..default_material() }), "relief=0.25");
        let scaly = of("scales=40x20 relief=0.25");
        assert_eq!((scaly.relief(), scaly.scales().map(|scales| scales.relief)), (0.0, Some(0.25)));
        assert_eq!(of("stone").relief(), 0.0);
    }

    #[test]
    fn what_is_not_understood_is_left_out_and_told() {
        let (hints, problems) = parse_comment(b"pelagic: shiny translucency=2 alpha_cut=nan two_sided=maybe");
        assert_eq!(hints, MaterialHints::default());
        assert_eq!(problems.len(), 4);
        assert_eq!(parse_comment(b"two_sided \xff\xfe"), (MaterialHints::default(), Vec::new()));
    }

    #[test]
    fn srgb_curve_meets_its_ends() {
        assert_eq!(linear_from_srgb(0.0), 0.0);
        assert_eq!(linear_from_srgb(1.0), 1.0);
        assert!((linear_from_srgb(0.5) - 0.214_041).abs() < 1e-5);
        assert_eq!(linear_from_srgb(f32::NAN), 0.0);
        for value in [0.0, 0.001, 0.02, 0.214_041, 0.7, 1.0] {
            assert!((linear_from_srgb(srgb_from_linear(value)) - value).abs() < 1e-6, "{value}");
        }
    }
}
