//! A small picture of the measured scene, as a page embeds it.

use data_encoding::BASE64;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, RgbaImage};

/// Most bytes it may have.
const MAX_BYTES: usize = 110 << 10;
/// Longest sides in pixels and JPEG qualities, tried in turn until [`MAX_BYTES`] are enough.
const ATTEMPTS: [(u32, u8); 5] = [(800, 82), (800, 68), (800, 50), (560, 50), (320, 30)];

/// A JPEG of at most 110 KiB: under 150 kB as a page embeds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenePicture {
    jpeg: Vec<u8>,
    size: (u32, u32),
}

impl ScenePicture {
    /// Encodes a picture of four bytes a pixel; `None` if it is not one.
    pub fn of((width, height): (u32, u32), rgba: &[u8]) -> Option<Self> {
        let whole = RgbaImage::from_raw(width, height, rgba.to_vec())?;
        let longer = width.max(height);
        if longer == 0 {
            return None;
        }
        ATTEMPTS.into_iter().find_map(|(most, quality)| {
            let fitted = |side: u32| (u64::from(side) * u64::from(most.min(longer)) / u64::from(longer)).max(1) as u32;
            let size = (fitted(width), fitted(height));
            let small = imageops::resize(&whole, size.0, size.1, FilterType::Triangle);
            let mut jpeg = Vec::new();
            let encoder = JpegEncoder::new_with_quality(&mut jpeg, quality);
            DynamicImage::from(small).into_rgb8().write_with_encoder(encoder).ok()?;
            (jpeg.len() <= MAX_BYTES).then_some(Self { jpeg, size })
        })
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Its pixels.
    pub fn decoded(&self) -> Option<RgbaImage> {
        image::load_from_memory(&self.jpeg).ok().map(DynamicImage::into_rgba8)
    }

    /// Address of the image as a data URI, which needs no other file.
    pub fn data_uri(&self) -> String {
        format!("data:image/jpeg;base64,{}", BASE64.encode(&self.jpeg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_small_and_reads_back_whatever_it_shows() {
        // Noise is the worst there is for a JPEG.
        let noise: Vec<u8> = (0..1920_u32 * 1080 * 4).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let picture = ScenePicture::of((1920, 1080), &noise).expect("a picture");
        let uri = picture.data_uri();
        assert!(uri.len() < 150_000, "{} bytes", uri.len());
        let jpeg = BASE64.decode(uri.strip_prefix("data:image/jpeg;base64,").expect("so it begins").as_bytes());
        let back = image::load_from_memory(&jpeg.expect("base 64")).expect("a JPEG");
        assert_eq!((back.width(), back.height()), picture.size());
        assert_eq!((back.width() * 9).abs_diff(back.height() * 16), 0, "its shape stays");
    }

    #[test]
    fn one_that_is_small_stays_as_large_as_it_is_and_nothing_is_none() {
        let sea: Vec<u8> = [10, 90, 140, 255].repeat(64 * 36);
        let picture = ScenePicture::of((64, 36), &sea).expect("a picture");
        assert_eq!(picture.size(), (64, 36));
        let back = image::load_from_memory(&picture.jpeg).expect("a JPEG").into_rgb8();
        assert!(back.pixels().all(|pixel| pixel.0.iter().zip([10, 90, 140]).all(|(a, b)| a.abs_diff(b) < 6)));
        assert_eq!(ScenePicture::of((0, 0), &[]), None);
        assert_eq!(ScenePicture::of((2, 2), &[0; 3]), None);
    }
}
