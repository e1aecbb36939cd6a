//! Meshopt: bytes of a buffer view out of a compressed stream, as `KHR_meshopt_compression` defines it, of which
//! `EXT_meshopt_compression` is the older half.

mod attributes;
mod filters;
mod indices;

use serde::Deserialize;

/// Kind of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Mode {
    /// Elements of any kind.
    Attributes,
    /// Corners of triangles.
    Triangles,
    /// Other indices.
    Indices,
}

/// Change of decoded elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Filter {
    /// No change.
    #[default]
    None,
    /// Unit vectors, as points of an octahedron.
    Octahedral,
    /// Rotations, without their greatest component.
    Quaternion,
    /// Floats, as whole numbers times powers of two.
    Exponential,
    /// Colours, as brightness, orange and green.
    Color,
}

/// Decodes `count` elements of `stride` bytes. The caller limits their product.
pub(super) fn decode(bytes: &[u8], count: usize, stride: usize, mode: Mode, filter: Filter) -> Result<Vec<u8>, String> {
    let strides: &[usize] = match (mode, filter) {
        (Mode::Attributes, Filter::None | Filter::Exponential) => &[],
        (Mode::Attributes, Filter::Octahedral | Filter::Color) => &[4, 8],
        (Mode::Attributes, Filter::Quaternion) => &[8],
        (Mode::Triangles | Mode::Indices, Filter::None) => &[2, 4],
        (Mode::Triangles | Mode::Indices, _) => return Err("has a filter, which indices cannot have".into()),
    };
    let is_possible = if strides.is_empty() {
        (4..=256).contains(&stride) && stride.is_multiple_of(4)
    } else {
        strides.contains(&stride)
    };
    if !is_possible {
        return Err(format!("has elements of {stride} bytes"));
    }
    let decoded = match mode {
        Mode::Attributes => attributes::decode(bytes, count, stride),
        Mode::Triangles if !count.is_multiple_of(3) => return Err(format!("has {count} corners of triangles")),
        Mode::Triangles => indices::triangles(bytes, count / 3).map(|all| stored(all.as_flattened(), stride)),
        Mode::Indices => indices::sequence(bytes, count).map(|all| stored(&all, stride)),
    };
    let mut decoded = decoded.ok_or("is damaged")?;
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => filters::fours(&mut decoded, 1, filters::octahedral(127.0)),
        (Filter::Octahedral, _) => filters::fours(&mut decoded, 2, filters::octahedral(32_767.0)),
        (Filter::Quaternion, _) => filters::fours(&mut decoded, 2, filters::quaternion),
        (Filter::Exponential, _) => filters::exponential(&mut decoded),
        (Filter::Color, 4) => filters::fours(&mut decoded, 1, filters::color(0xff)),
        (Filter::Color, _) => filters::fours(&mut decoded, 2, filters::color(0xffff)),
    }
    Ok(decoded)
}

/// Indices of `stride` bytes each.
fn stored(indices: &[u32], stride: usize) -> Vec<u8> {
    match stride {
        2 => indices.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect(),
        _ => indices.iter().flat_map(|&index| index.to_le_bytes()).collect(),
    }
}

/// Bytes that are read from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A whole number of one to five bytes, seven bits each, lowest first.
    fn varint(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// Checks that nothing is left.
    fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// A signed number out of an unsigned one that alternates about zero: 0, -1, 1, -2 and so on. Wraps.
fn unzigzag(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Streams of every mode, with the size of their elements.
    fn samples() -> Vec<(Mode, usize, usize, Vec<u8>)> {
        let first = [attributes::tests::version_0(), attributes::tests::version_1()];
        let attributes = first.map(|bytes| (Mode::Attributes, 16, 4, bytes)).into_iter();
        let triangles = (Mode::Triangles, 18, 2, indices::tests::TRIANGLES.to_vec());
        let indices = (Mode::Indices, 5, 4, indices::tests::SEQUENCE.to_vec());
        attributes.chain([triangles, indices]).collect()
    }

    #[test]
    fn indices_have_two_or_four_bytes() {
        let bytes = indices::tests::SEQUENCE;
        let short = decode(&bytes, 5, 2, Mode::Indices, Filter::None).expect("decoded");
        assert_eq!(short, [0, 0, 1, 0, 0xff, 0xff, 100, 0, 101, 0]);
        let long = decode(&bytes, 5, 4, Mode::Indices, Filter::None).expect("decoded");
        assert_eq!(long[8..12], [0xff; 4]);
    }

    #[test]
    fn strides_that_a_mode_or_filter_cannot_have_are_refused() {
        let wrong = [
            (Mode::Attributes, Filter::None, 6),
            (Mode::Attributes, Filter::None, 0),
            (Mode::Attributes, Filter::None, 260),
            (Mode::Attributes, Filter::Octahedral, 12),
            (Mode::Attributes, Filter::Quaternion, 4),
            (Mode::Triangles, Filter::None, 8),
            (Mode::Indices, Filter::Color, 4),
        ];
        for (mode, filter, stride) in wrong {
            assert!(decode(&attributes::tests::version_0(), 16, stride, mode, filter).is_err(), "{mode:?} {stride}");
        }
        assert!(decode(&indices::tests::TRIANGLES, 17, 2, Mode::Triangles, Filter::None).is_err());
    }

    #[test]
    fn damaged_streams_are_refused_or_decoded_but_never_panic() {
        let mut below = crate::tests::random_below();
        for (mode, count, stride, bytes) in samples() {
            assert!(decode(&bytes, count, stride, mode, Filter::None).is_ok(), "{mode:?}");
            for end in 0..bytes.len() {
                assert!(decode(&bytes[..end], count, stride, mode, Filter::None).is_err(), "{mode:?} {end}");
            }
            for _ in 0..20_000 {
                let mut damaged = bytes.clone();
                for _ in 0..=below(4) {
                    damaged[below(bytes.len())] = below(256) as u8;
                }
                damaged.truncate(bytes.len() - below(2) * below(bytes.len()));
                let filters = [Filter::None, Filter::Octahedral, Filter::Exponential, Filter::Color];
                let decoded = decode(&damaged, count - 3 * below(2), stride, mode, filters[below(4)]);
                assert!(decoded.is_err() || decoded.is_ok_and(|bytes| bytes.len() <= count * stride));
            }
        }
    }
}
