//! Measures of pictures by which a rendering is told from a photograph: tones, spectrum, direction of the grain,
//! roughness of an outline.
//!
//! Luma is Rec. 709's weights on sRGB values, 0 to 1, as most programs that look at pictures take it. Limits of the
//! project's own pictures stand in `tests/gl/photograph.rs`.

mod grain;
mod outline;
mod spectrum;

use image::RgbImage;

pub use grain::anisotropy;
pub use outline::{Mask, box_dimension};
pub use spectrum::{Band, slope};

/// A rectangle of pixels: left, top, right, bottom, the last two beyond it.
pub type Rect = [u32; 4];

/// Brightness, row by row from the top; 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Luma {
    /// Pixels in a row.
    pub width: usize,
    /// One a pixel.
    pub values: Vec<f64>,
}

impl Luma {
    /// The luma of a picture.
    pub fn of(picture: &RgbImage) -> Self {
        let values = picture.pixels().map(|pixel| luma(pixel.0)).collect();
        Self { width: picture.width() as usize, values }
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    /// The value at a pixel, the nearest one beyond the edges.
    pub fn at(&self, x: i64, y: i64) -> f64 {
        let inside = |place: i64, size: usize| place.clamp(0, size as i64 - 1) as usize;
        self.values[inside(y, self.height()) * self.width + inside(x, self.width)]
    }

    /// Mean of all.
    pub fn mean(&self) -> f64 {
        mean(&self.values)
    }

    /// Share of the 8 x 8 blocks whose standard deviation is below 2 of 255: what is cut from paper.
    pub fn flat_share(&self) -> f64 {
        const SIDE: usize = 8;
        let (columns, rows) = (self.width / SIDE, self.height() / SIDE);
        let is_flat = |block: usize| {
            let (left, top) = (block % columns * SIDE, block / columns * SIDE);
            let row = |y: usize| &self.values[(top + y) * self.width + left..][..SIDE];
            deviation(&(0..SIDE).flat_map(row).copied().collect::<Vec<_>>()) < 2.0 / 255.0
        };
        let flat = (0..columns * rows).filter(|&block| is_flat(block)).count();
        flat as f64 / (columns * rows).max(1) as f64
    }
}

/// Rec. 709's weights on an sRGB pixel; 0 to 1.
pub fn luma([r, g, b]: [u8; 3]) -> f64 {
    (0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)) / 255.0
}

/// A rectangle of a picture, as far as there is one.
pub fn cropped(picture: &RgbImage, [left, top, right, bottom]: Rect) -> RgbImage {
    let (right, bottom) = (right.min(picture.width()), bottom.min(picture.height()));
    let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
    image::imageops::crop_imm(picture, left, top, width, height).to_image()
}

/// The value below which a share of the values lies; linear between neighbours. 0 of none.
pub fn quantile(values: impl IntoIterator<Item = f64>, share: f64) -> f64 {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// The first percentile of each pixel's greatest channel: how black a picture's blacks are. 0 to 255.
pub fn black_point(picture: &RgbImage) -> f64 {
    quantile(picture.pixels().map(|p| f64::from(p[0].max(p[1]).max(p[2]))), 0.01)
}

/// Mean colour, sRGB, 0 to 255.
pub fn mean_color(picture: &RgbImage) -> [f64; 3] {
    [0, 1, 2].map(|channel| mean(&picture.pixels().map(|p| f64::from(p[channel])).collect::<Vec<_>>()))
}

/// The line through points that misses them least, squared: its slope. 0 if they are no line.
fn slope_of_line(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x / count, sy + y / count));
    let (along, across) = points
        .iter()
        .fold((0.0, 0.0), |(along, across), (x, y)| (along + (x - mx) * (x - mx), across + (x - mx) * (y - my)));
    if along > 0.0 { across / along } else { 0.0 }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_are_those_of_known_pictures() {
        let ramp = RgbImage::from_fn(101, 1, |x, _| image::Rgb([x as u8, 0, 0]));
        assert!((black_point(&ramp) - 1.0).abs() < 1e-9);
        assert!((mean_color(&ramp)[0] - 50.0).abs() < 1e-9 && mean_color(&ramp)[1] == 0.0);
        assert!((Luma::of(&RgbImage::from_pixel(2, 2, image::Rgb([255; 3]))).mean() - 1.0).abs() < 1e-12);
        assert!((quantile([1.0, 3.0], 0.5) - 2.0).abs() < 1e-12 && quantile([], 0.5) == 0.0);
        assert_eq!(cropped(&ramp, [10, 0, 300, 5]).dimensions(), (91, 1));
    }

    #[test]
    fn flat_blocks_are_counted() {
        // The left half is flat; in the right half columns alternate.
        let half = RgbImage::from_fn(32, 16, |x, _| image::Rgb([if x >= 16 && x % 2 == 0 { 90 } else { 60 }; 3]));
        assert!((Luma::of(&half).flat_share() - 0.5).abs() < 1e-12);
    }
}
