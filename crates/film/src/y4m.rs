//! Uncompressed film: YUV4MPEG2, which every player and encoder reads.
//!
//! The header states all that it can: limited range, and the position of the chroma of 4:2:0. It has no field for the
//! matrix, which is BT.709's; programs that read the file have to be told (`ffmpeg -colorspace bt709 -i ...`).

use crate::plan::FrameRate;

/// Weight of red in luma (ITU-R BT.709-6, item 3.2).
const KR: f32 = 0.2126;
/// Weight of blue; see [`KR`].
const KB: f32 = 0.0722;

/// Resolution of colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Chroma {
    /// Half as fine as brightness either way, which every player takes.
    #[default]
    #[value(name = "420")]
    Half,
    /// As fine as brightness.
    #[value(name = "444")]
    Full,
}

impl Chroma {
    /// Checks that pictures of that size can be kept so.
    ///
    /// # Errors
    /// If a side is odd that is to be halved.
    pub fn check(self, (width, height): (u32, u32)) -> Result<(), String> {
        if self == Self::Full || (width % 2 == 0 && height % 2 == 0) {
            return Ok(());
        }
        let even = |side: u32| side + side % 2;
        Err(format!(
            "4:2:0 halves both sides, and {width}x{height} has an odd one: take --size {}x{}, or --chroma 444",
            even(width),
            even(height)
        ))
    }

    /// The file's head. Chroma of 4:2:0 lies beside every second pixel of a row and between two rows, as in MPEG-2 and
    /// H.264.
    pub fn header(self, (width, height): (u32, u32), rate: FrameRate) -> String {
        let colour = match self {
            Self::Half => "C420mpeg2 XYSCSS=420MPEG2",
            Self::Full => "C444 XYSCSS=444",
        };
        let FrameRate { frames, seconds } = rate;
        format!("YUV4MPEG2 W{width} H{height} F{frames}:{seconds} Ip A1:1 {colour} XCOLORRANGE=LIMITED\n")
    }
}

/// Marker before each frame.
pub const FRAME: &[u8] = b"FRAME\n";

/// The planes of a picture in display RGB, top row first: Y, Cb, Cr of BT.709 in limited range.
///
/// # Panics
/// If there are not three bytes for each pixel, or a side is odd that is to be halved.
pub fn planes(rgb: &[u8], (width, height): (u32, u32), chroma: Chroma) -> Vec<u8> {
    let (width, height) = (width as usize, height as usize);
    assert_eq!(rgb.len(), 3 * width * height, "three bytes a pixel");
    chroma.check((width as u32, height as u32)).expect("checked by the caller");
    let pixels = width * height;
    let mut planes = Vec::with_capacity(3 * pixels);
    planes.extend(rgb.chunks_exact(3).map(|pixel| quantised(16.0, 219.0, luma(pixel))));
    let mut colour = |red: bool| {
        let difference = |pixel: &[u8]| {
            let [value, weight] = if red { [pixel[0], 0] } else { [pixel[2], 1] };
            let weight = [KR, KB][usize::from(weight)];
            (f32::from(value) / 255.0 - luma(pixel)) / (2.0 * (1.0 - weight))
        };
        match chroma {
            Chroma::Full => planes.extend(rgb.chunks_exact(3).map(|pixel| quantised(128.0, 224.0, difference(pixel)))),
            Chroma::Half => {
                for rows in rgb.chunks_exact(6 * width) {
                    let (upper, lower) = rows.split_at(3 * width);
                    // Both rows' mean in each column.
                    let mean =
                        |x: usize| 0.5 * (difference(&upper[3 * x..3 * x + 3]) + difference(&lower[3 * x..3 * x + 3]));
                    let mut left = mean(0);
                    for x in (0..width).step_by(2) {
                        // 1 2 1 about the pixel it lies beside.
                        let (here, right) = (mean(x), mean(x + 1));
                        planes.push(quantised(128.0, 224.0, 0.25 * left + 0.5 * here + 0.25 * right));
                        left = right;
                    }
                }
            }
        }
    };
    colour(false);
    colour(true);
    planes
}

/// Luma of a pixel: 0..=1.
fn luma(pixel: &[u8]) -> f32 {
    let [r, g, b] = [0, 1, 2].map(|i| f32::from(pixel[i]) / 255.0);
    KR * r + (1.0 - KR - KB) * g + KB * b
}

fn quantised(zero: f32, range: f32, value: f32) -> u8 {
    // Nothing is below 0, so truncation rounds.
    (zero + range * value + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One pixel's Y, Cb, Cr.
    fn yuv(rgb: [u8; 3]) -> [u8; 3] {
        planes(&rgb, (1, 1), Chroma::Full).try_into().expect("three")
    }

    #[test]
    fn known_colours_are_where_the_standard_has_them() {
        assert_eq!(yuv([0, 0, 0]), [16, 128, 128]);
        assert_eq!(yuv([255, 255, 255]), [235, 128, 128]);
        // 100 % bars in BT.709: 8-bit values of SMPTE RP 219's colours.
        assert_eq!(yuv([255, 255, 0]), [219, 16, 138]);
        assert_eq!(yuv([255, 0, 0]), [63, 102, 240]);
        assert_eq!(yuv([0, 0, 255]), [32, 240, 118]);
    }

    #[test]
    fn chroma_of_half_size_lies_beside_even_pixels() {
        // A red column at x = 2, beside which a sample lies.
        let mut rgb = vec![0u8; 3 * 8 * 2];
        for row in 0..2 {
            rgb[3 * (8 * row + 2)] = 255;
        }
        let planes = planes(&rgb, (8, 2), Chroma::Half);
        assert_eq!(planes.len(), 16 + 4 + 4);
        let red = &planes[20..];
        assert_eq!(red, [128, 184, 128, 128], "half of it there, none to either side");
        // At x = 3 a quarter goes to each neighbour.
        rgb.rotate_right(3);
        let planes = super::planes(&rgb, (8, 2), Chroma::Half);
        assert_eq!(&planes[20..], [128, 156, 156, 128]);
    }

    #[test]
    fn odd_sides_are_refused_where_they_are_halved() {
        let why = Chroma::Half.check((65, 36)).expect_err("odd");
        assert!(why.contains("--size 66x36") && why.contains("--chroma 444"), "{why}");
        assert!(Chroma::Half.check((64, 37)).is_err() && Chroma::Full.check((65, 37)).is_ok());
    }

    #[test]
    fn the_header_says_rate_range_and_siting() {
        let rate = "30000/1001".parse().expect("a rate");
        assert_eq!(
            Chroma::Half.header((64, 36), rate),
            "YUV4MPEG2 W64 H36 F30000:1001 Ip A1:1 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=LIMITED\n"
        );
        assert!(Chroma::Full.header((65, 37), rate).contains(" C444 "));
    }
}
