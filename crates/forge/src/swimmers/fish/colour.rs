//! Colours as species files write them.

use glam::Vec3;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::paint::rgb;

/// A display (sRGB) colour, written `"#rrggbb"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour(pub Vec3);

impl<'de> Deserialize<'de> for Colour {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()));
        let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let wrong = || D::Error::custom(format!("'{text}' is not a colour such as \"#3279cf\""));
        value.map(|hex| Self(rgb(hex))).ok_or_else(wrong)
    }
}

/// Two colours as a pair of vectors.
pub fn pair<'de, D: Deserializer<'de>>(from: D) -> Result<(Vec3, Vec3), D::Error> {
    let [a, b] = <[Colour; 2]>::deserialize(from)?;
    Ok((a.0, b.0))
}
