//! The icon in pixels.

use anyhow::{Context, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Sides that desktops look for. Unit: px.
pub const SIDES: [u32; 4] = [48, 64, 128, 256];

/// A drawing as an ICO file with all [`SIDES`], each as PNG.
///
/// # Errors
/// If it is no SVG.
pub fn ico(svg: &str) -> Result<Vec<u8>> {
    const HEADER: usize = 6;
    const ENTRY: usize = 16;
    let pictures = SIDES.iter().map(|&side| Ok((side, png(svg, side)?))).collect::<Result<Vec<_>>>()?;
    let mut file = [0_u16, 1, pictures.len() as u16].map(u16::to_le_bytes).concat();
    let mut at = HEADER + ENTRY * pictures.len();
    for (side, picture) in &pictures {
        // A side of 256 is written as 0; then colours of a palette, a plane and the bits of a pixel.
        file.extend([*side as u8, *side as u8, 0, 0, 1, 0, 32, 0]);
        file.extend([picture.len() as u32, at as u32].map(u32::to_le_bytes).concat());
        at += picture.len();
    }
    file.extend(pictures.into_iter().flat_map(|(_, picture)| picture));
    Ok(file)
}

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
