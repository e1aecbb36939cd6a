//! Filters: changes of elements after they are decoded.

/// Changes each four numbers of one byte, or of two.
pub(super) fn fours(bytes: &mut [u8], number_bytes: usize, change: impl Fn([i32; 4]) -> [i32; 4]) {
    if number_bytes == 1 {
        for four in bytes.as_chunks_mut::<4>().0 {
            *four = change(four.map(|byte| i32::from(byte as i8))).map(|number| number as u8);
        }
        return;
    }
    for four in bytes.as_chunks_mut::<2>().0.as_chunks_mut::<4>().0 {
        let numbers = four.map(|number| i32::from(i16::from_le_bytes(number)));
        *four = change(numbers).map(|number| (number as u16).to_le_bytes());
    }
}

/// Unfolds a point of an octahedron, whose 1 is its third number, to a unit vector, whose 1 is `max`.
pub(super) fn octahedral(max: f32) -> impl Fn([i32; 4]) -> [i32; 4] {
    move |[x, y, one, rest]| {
        let [x, y] = [x, y].map(|number| number as f32 / one as f32);
        let z = 1.0 - x.abs() - y.abs();
        let fold = z.min(0.0);
        let [x, y] = [x, y].map(|number| number - fold.copysign(number));
        let scale = max / (x * x + y * y + z * z).sqrt();
        let [x, y, z] = [x, y, z].map(|number| (number * scale).round() as i32);
        [x, y, z, rest]
    }
}

/// Restores the greatest component of a rotation, whose place is in the lowest bits of the last number.
pub(super) fn quaternion([x, y, z, one]: [i32; 4]) -> [i32; 4] {
    let place = (one & 3) as usize;
    let [x, y, z] = [x, y, z].map(|number| number as f32 / (one | 3) as f32 * std::f32::consts::FRAC_1_SQRT_2);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut rotation = [w, x, y, z].map(|number| (number * 32_767.0).round() as i32);
    rotation.rotate_right(place);
    rotation
}

/// Turns whole numbers of 24 bits times powers of two, whose exponents are in the highest 8 bits, into floats.
pub(super) fn exponential(bytes: &mut [u8]) {
    for number in bytes.as_chunks_mut::<4>().0 {
        let stored = i32::from_le_bytes(*number);
        let power = f64::from_bits(((1023 + i64::from(stored >> 24)) as u64) << 52);
        *number = ((f64::from((stored << 8) >> 8) * power) as f32).to_le_bytes();
    }
}

/// Turns brightness, orange, green and opacity, whose 1 shows in the highest bit of the last, into unsigned colours, whose
/// 1 is `max`.
pub(super) fn color(max: i32) -> impl Fn([i32; 4]) -> [i32; 4] {
    move |[brightness, orange, green, opacity]| {
        let (brightness, opacity) = (brightness & max, opacity & max);
        let one = (1 << (i32::BITS - opacity.leading_zeros())) - 1;
        let opacity = opacity & one >> 1;
        let rgba =
            [brightness + orange - green, brightness + green, brightness - orange - green, opacity << 1 | opacity & 1];
        rgba.map(|number| (number as f32 * (max as f32 / one as f32)).round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octahedra_unfold_to_unit_vectors() {
        let unfolded = octahedral(127.0);
        assert_eq!(unfolded([127, 0, 127, 5]), [127, 0, 0, 5]);
        assert_eq!(unfolded([0, 0, 127, -1]), [0, 0, 127, -1]);
        assert_eq!(unfolded([7, 7, 7, 0]), [0, 0, -127, 0], "of four bits");
        assert_eq!(octahedral(32_767.0)([0, -511, 511, 0]), [0, -32_767, 0, 0]);
    }

    #[test]
    fn rotations_get_their_greatest_component_back() {
        assert_eq!(quaternion([0, 0, 0, 0x7fff]), [0, 0, 0, 32_767]);
        assert_eq!(quaternion([0, 0, 0, 0x7ffc]), [32_767, 0, 0, 0]);
        // Half a turn's half about x: both components are the square root of a half.
        assert_eq!(quaternion([0x7ff, 0, 0, 0x7fc]), [23_170, 23_170, 0, 0]);
    }

    #[test]
    fn exponents_are_powers_of_two() {
        let decoded = |mantissa: i32, exponent: i32| {
            let mut bytes = (exponent << 24 | mantissa & 0xff_ffff).to_le_bytes();
            exponential(&mut bytes);
            f32::from_le_bytes(bytes)
        };
        assert_eq!(decoded(3, -1), 1.5);
        assert_eq!(decoded(-1, 2), -4.0);
        assert_eq!(decoded(0x7f_ffff, 100), 8_388_607.0 * 100.0_f32.exp2());
        assert!(decoded(1, -128) > 0.0 && decoded(-1, 127).is_finite());
    }

    #[test]
    fn colours_are_brightness_orange_and_green() {
        assert_eq!(color(255)([-1, 0, 0, -1]), [255; 4]);
        assert_eq!(color(255)([5, 0, 5, 0b1011]), [0, 170, 0, 119], "of four bits");
    }

    #[test]
    fn numbers_of_one_and_of_two_bytes_are_signed() {
        let mut bytes = [0xff, 0, 1, 2, 0, 0x80, 4, 0];
        fours(&mut bytes, 2, |numbers| {
            assert_eq!(numbers, [255, 513, -32_768, 4]);
            numbers
        });
        fours(&mut bytes[..4], 1, |numbers| {
            assert_eq!(numbers, [-1, 0, 1, 2]);
            [-2, 200, 0, 0]
        });
        assert_eq!(bytes[..4], [0xfe, 200, 0, 0]);
    }
}
