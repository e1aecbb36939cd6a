//! Materials: what an MS3D material becomes, and the words in its comment that say what its fields cannot.
//!
//! MilkShape's colours are display values; `base_color`, `specular` and `emissive` are decoded to linear. Opacity is
//! the file's transparency field (1 is opaque).
//!
//! # The comment of a material
//!
//! MS3D has no field for fins, leaves and bells. A line of the material's comment (the comments section, one comment
//! a material) that begins with `pelagic:` says it, words apart by spaces or commas, in any order:
//!
//! ```text
//! pelagic: two_sided translucency=0.4 alpha_cut=0.5
//! ```
//!
//! The model's own comment may say it too, with the material's name, for readers that stumble over comments on materials:
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
//!
//! Other lines are the author's own. Unknown words and bad values are left out with a warning. Without `alpha_cut`
//! the cut is 0.5 where the texture or alpha map has texels with alpha below a half, else 0.

/// What the comment of a material asks for; `None` where it is silent.
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
}

/// Reads the `pelagic:` lines of a material's comment; later words win. Also returns what could not be understood.
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
                _ => false,
            };
            if !understood {
                problems.push(format!(
                    "'{word}' in the comment is not two_sided, translucency=0..1, alpha_cut=0..1 or stone: left out"
                ));
            }
        }
    }
    (hints, problems)
}

/// A display value (sRGB curve) as a linear one; what is not a number counts as 0.
pub(super) fn linear_from_srgb(value: f32) -> f32 {
    if value.is_nan() || value <= 0.0 {
        0.0
    } else if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_speaks_among_other_lines() {
        let (hints, problems) = parse_comment(
            b"tail fin\r\nPelagic: two_sided, translucency=0.4\n pelagic: alpha_cut=0.25 stone=0 \nby me",
        );
        let expected =
            MaterialHints { two_sided: Some(true), translucency: Some(0.4), alpha_cut: Some(0.25), stone: Some(false) };
        assert_eq!(hints, expected);
        assert_eq!(problems, Vec::<String>::new());
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
    }
}
