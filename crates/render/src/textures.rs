//! Textures of models on the GPU.

use std::borrow::Cow;

use gl::{Filter, Format, Gl, GlError, Texture2d, Wrap};
use model::Image;

/// Rules for the upload of textures.
#[derive(Clone, Copy, Debug)]
pub struct TextureRules {
    /// Filter by which they are read.
    pub filter: Filter,
    /// Longest side: larger ones are halved until they fit. Unit: texels.
    pub side: u32,
    /// Whether cutouts have soft edges, by shares of a pixel; else a pixel is covered or not, and mip maps are made so
    /// that as many are covered.
    pub soft_edges: bool,
}

/// Alpha cutout of a texture.
#[derive(Clone, Copy, Debug)]
pub struct AlphaCutout {
    /// Alpha below which texels are cut out; 0 for none.
    pub cutoff: f32,
    /// Whether the texture tiles: else nothing of one edge shows at the opposite one.
    pub tiles: bool,
}

impl AlphaCutout {
    /// No cutout.
    pub const NONE: Self = Self { cutoff: 0.0, tiles: false };
}

impl TextureRules {
    /// Rules that keep all detail of a texture.
    pub const FINEST: Self = Self { filter: Filter::Mipmapped, side: u32::MAX, soft_edges: true };

    /// Uploads `image`, which has `wrap` beyond its edges.
    ///
    /// Texels stay in sRGB and are decoded after filtering, in the shader: a software renderer decodes each of the
    /// eight texels of a trilinear sample otherwise, and the difference cannot be seen.
    ///
    /// # Errors
    /// If the driver refuses it.
    pub fn upload(
        self,
        gl: &Gl,
        image: &Image,
        cut: AlphaCutout,
        wrap: [model::Wrap; 2],
    ) -> Result<Texture2d, GlError> {
        let is_cut = cut.cutoff > 0.0;
        let (mut extent, mut texels) = fitted(image, self.side, is_cut);
        let wrap = wrap.map(|wrap| match wrap {
            model::Wrap::Repeat if is_cut && !cut.tiles => Wrap::Clamp,
            model::Wrap::Repeat => Wrap::Repeat,
            model::Wrap::Mirror => Wrap::Mirror,
            model::Wrap::Clamp => Wrap::Clamp,
        });
        let texture = Texture2d::new(gl, &image.name, extent, Format::Rgba8, self.filter, Wrap::Repeat, Some(&texels))?;
        texture.set_wrap(wrap);
        if is_cut {
            let cutoff = (cut.cutoff * 255.0).ceil().clamp(1.0, 255.0) as u8;
            let whole = share_over(&texels, cutoff);
            let mut level = 0;
            while extent.0.min(extent.1) > 1 {
                texels = Cow::Owned(halved_cutout(&texels, extent));
                extent = (extent.0 / 2, extent.1 / 2);
                level += 1;
                if self.soft_edges {
                    texture.write_level(level, &texels);
                } else {
                    texture.write_level(level, &with_coverage(&texels, cutoff, whole));
                }
            }
        }
        Ok(texture)
    }
}

/// An image halved until no side is longer than `side`, in texels: its extent, and its texels. The colour of holes
/// counts for nothing if it `has_holes`.
pub fn fitted(image: &Image, side: u32, has_holes: bool) -> ((u32, u32), Cow<'_, [u8]>) {
    let halved = if has_holes { halved_cutout } else { halved };
    let (mut extent, mut texels) = ((image.width, image.height), Cow::Borrowed(image.rgba.as_slice()));
    while extent.0.max(extent.1) > side && extent.0.min(extent.1) > 1 {
        texels = Cow::Owned(halved(&texels, extent));
        extent = (extent.0 / 2, extent.1 / 2);
    }
    (extent, texels)
}

/// An RGBA image of half the sides, each texel the mean of four; a last odd row or column is left out.
fn halved(texels: &[u8], extent: (u32, u32)) -> Vec<u8> {
    halved_by(texels, extent, |four| {
        [0, 1, 2, 3].map(|c| ((four.iter().map(|texel| u32::from(texel[c])).sum::<u32>() + 2) / 4) as u8)
    })
}

/// Halves an image that has holes: their colour counts as little as it shows.
fn halved_cutout(texels: &[u8], extent: (u32, u32)) -> Vec<u8> {
    halved_by(texels, extent, |four| {
        let alpha: u32 = four.iter().map(|texel| u32::from(texel[3])).sum();
        let weight = |texel: &[u8; 4]| if alpha > 0 { u32::from(texel[3]) } else { 1 };
        let weights: u32 = four.iter().map(weight).sum();
        let color = |c: usize| {
            let sum: u32 = four.iter().map(|texel| weight(texel) * u32::from(texel[c])).sum();
            ((sum + weights / 2) / weights) as u8
        };
        [color(0), color(1), color(2), ((alpha + 2) / 4) as u8]
    })
}

fn halved_by(texels: &[u8], (width, height): (u32, u32), mean: impl Fn([[u8; 4]; 4]) -> [u8; 4]) -> Vec<u8> {
    let (texels, width): (&[[u8; 4]], usize) = (texels.as_chunks().0, width as usize);
    let mut half = Vec::with_capacity(texels.len());
    for pair in texels.chunks_exact(2 * width).take(height as usize / 2) {
        let (upper, lower) = pair.split_at(width);
        for (a, b) in upper.chunks_exact(2).zip(lower.chunks_exact(2)) {
            half.extend(mean([a[0], a[1], b[0], b[1]]));
        }
    }
    half
}

/// Share of the texels whose alpha is `least` or more.
fn share_over(texels: &[u8], least: u8) -> f32 {
    let texels = texels.as_chunks::<4>().0;
    texels.iter().filter(|texel| texel[3] >= least).count() as f32 / texels.len().max(1) as f32
}

/// A mip map with its alpha scaled until the share of its texels at or above `cutoff` is `share`, as near as it comes:
/// means of lace are all below the cutoff otherwise, or all above it (Castano 2010).
fn with_coverage(texels: &[u8], cutoff: u8, share: f32) -> Vec<u8> {
    let mut with_alpha = [0_u32; 256];
    for texel in texels.as_chunks::<4>().0 {
        with_alpha[usize::from(texel[3])] += 1;
    }
    // The least alpha that is to show: the one whose share is nearest, and of several the one nearest to the cutoff.
    let wanted = share * (texels.len() / 4) as f32;
    let (mut shown, mut least, mut nearest) = (0, cutoff, f32::MAX);
    for alpha in (1..=255_u8).rev() {
        shown += with_alpha[usize::from(alpha)];
        let off = (shown as f32 - wanted).abs();
        if off < nearest || off == nearest && alpha >= cutoff {
            (least, nearest) = (alpha, off);
        }
    }
    let least = u32::from(least);
    let mut scaled = texels.to_vec();
    for texel in scaled.as_chunks_mut::<4>().0 {
        texel[3] = (u32::from(texel[3]) * u32::from(cutoff)).div_ceil(least).min(255) as u8;
    }
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_takes_means_and_leaves_out_what_is_odd() {
        let image: Vec<u8> = (0..3 * 3).flat_map(|i| [10 * i as u8, 255, 0, 100]).collect();
        // Texels 0, 1, 3 and 4: red 0, 10, 30 and 40.
        assert_eq!(halved(&image, (3, 3)), [20, 255, 0, 100]);
    }

    #[test]
    fn holes_lend_their_colour_to_nobody() {
        let image = [[200, 100, 0, 255], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]].concat();
        assert_eq!(halved_cutout(&image, (2, 2)), [200, 100, 0, 64]);
        assert_eq!(halved_cutout(&[8, 8, 8, 0].repeat(4), (2, 2)), [8, 8, 8, 0]);
    }

    /// Lace of strands four texels wide, which cross.
    #[test]
    fn as_much_of_lace_shows_from_afar() {
        let side = 96_u32;
        let lace: Vec<u8> = (0..side * side)
            .flat_map(|i| {
                let (x, y, grain) = (i % side, i / side, (i * 7919 % 23) as u8);
                let strand = (5 * x + 3 * y) % 17 < 4 || (2 * x + 7 * y) % 23 < 5;
                [90, 40, 60, if strand { 255 - grain } else { grain }]
            })
            .collect();
        let whole = share_over(&lace, 138);
        assert!((whole - 0.40).abs() < 0.01, "{whole}");
        let (mut texels, mut extent) = (lace, (side, side));
        for _ in 0..4 {
            texels = halved_cutout(&texels, extent);
            extent = (extent.0 / 2, extent.1 / 2);
            let kept = share_over(&with_coverage(&texels, 138, whole), 138);
            assert!((kept - whole).abs() < 0.03, "{kept} of {whole} at {extent:?}");
        }
        // The means alone would leave none.
        assert_eq!(share_over(&texels, 138), 0.0);
    }
}
