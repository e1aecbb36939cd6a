//! The icon in pixels.

use anyhow::{Context, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Sides that desktops look for. Unit: px.
pub const SIDES: [u32; 4] = [48, 64, 128, 256];

/// A drawing as a PNG file of that side.
///
/// # Errors
/// If it is no SVG.
pub fn png(svg: &str, side: u32) -> Result<Vec<u8>> {
    let drawing = Tree::from_str(svg, &Options::default()).context("pelagic.svg")?;
    let mut pixels = Pixmap::new(side, side).context("a side over 0")?;
    let scale = side as f32 / drawing.size().width().max(drawing.size().height());
    resvg::render(&drawing, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}
