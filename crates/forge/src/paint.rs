//! A texture under construction: colours as floats in display (sRGB) space with straight alpha.

use glam::{Vec2, Vec3, Vec4};
use math::smoothstep;

use crate::shapes::Rect;

/// A finished texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Red, green, blue and straight alpha in display (sRGB) space, row by row from the top left.
    pub rgba: Vec<u8>,
}

/// A picture in floats; (0, 0) is the top left, coordinates run to (1, 1).
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Vec4>,
}

impl Canvas {
    /// A canvas of one colour.
    pub fn new(width: usize, height: usize, color: Vec4) -> Self {
        Self { width, height, pixels: vec![color; width * height] }
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Replaces every pixel inside `rect`: `color(local, old)` with local in 0..1 across it.
    pub fn fill(&mut self, rect: Rect, mut color: impl FnMut(Vec2, Vec4) -> Vec4) {
        let size = Vec2::new(self.width as f32, self.height as f32);
        let first = (rect.min * size).floor().max(Vec2::ZERO).as_usizevec2();
        let last = (rect.max * size).ceil().min(size).as_usizevec2();
        for y in first.y..last.y {
            for x in first.x..last.x {
                let uv = (Vec2::new(x as f32, y as f32) + 0.5) / size;
                let pixel = &mut self.pixels[y * self.width + x];
                *pixel = color(rect.local(uv), *pixel);
            }
        }
    }

    /// Lays a colour over every pixel inside `rect` with the opacity `mask(local)`; the canvas keeps its alpha.
    pub fn glaze(&mut self, rect: Rect, color: Vec3, mut mask: impl FnMut(Vec2) -> f32) {
        self.fill(rect, |local, old| over(old, color, mask(local)));
    }

    /// A round dot: `radius`, one for each axis, is in 0..1 across `rect`; `softness` is the fraction of it over which
    /// the dot fades.
    pub fn dot(&mut self, rect: Rect, center: Vec2, radius: Vec2, softness: f32, color: Vec3, opacity: f32) {
        self.glaze(rect, color, |p| {
            opacity * smoothstep(1.0, 1.0 - softness.max(1e-3), ((p - center) / radius).length())
        });
    }

    /// A brush stroke along points, `width(t)` its half width at t in 0..1 along it (number of segments), soft-edged.
    /// Points and widths are in 0..1 across `rect`; `aspect` is its height over its width in model units.
    pub fn stroke(
        &mut self,
        rect: Rect,
        points: &[Vec2],
        aspect: f32,
        color: Vec3,
        opacity: f32,
        width: impl Fn(f32) -> f32,
    ) {
        let scale = Vec2::new(1.0, aspect);
        let segments = points.len().saturating_sub(1).max(1) as f32;
        self.glaze(rect, color, |p| {
            let mut best = 0.0_f32;
            for (i, pair) in points.windows(2).enumerate() {
                let (a, b, q) = (pair[0] * scale, pair[1] * scale, p * scale);
                let along = ((q - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
                let half = width((i as f32 + along) / segments);
                if half > 0.0 {
                    best = best.max(smoothstep(half, 0.4 * half, q.distance(a + (b - a) * along)));
                }
            }
            opacity * best
        });
    }

    /// Spreads the colours of opaque pixels into transparent ones `steps` pixels far, so that filtering at an edge
    /// does not mix in a foreign colour. Alpha stays.
    pub fn bleed(&mut self, steps: usize) {
        let mut filled: Vec<bool> = self.pixels.iter().map(|p| p.w > 0.0).collect();
        for _ in 0..steps {
            let mut next = Vec::new();
            for y in 0..self.height {
                for x in 0..self.width {
                    if filled[y * self.width + x] {
                        continue;
                    }
                    let mut sum = Vec4::ZERO;
                    for (dx, dy) in [(0isize, -1isize), (0, 1), (-1, 0), (1, 0)] {
                        let (Some(nx), Some(ny)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else {
                            continue;
                        };
                        if nx < self.width && ny < self.height && filled[ny * self.width + nx] {
                            sum += self.pixels[ny * self.width + nx].truncate().extend(1.0);
                        }
                    }
                    if sum.w > 0.0 {
                        next.push((y * self.width + x, sum.truncate() / sum.w));
                    }
                }
            }
            for (index, color) in next {
                self.pixels[index] = color.extend(self.pixels[index].w);
                filled[index] = true;
            }
        }
    }

    /// The picture in bytes.
    pub fn to_picture(&self) -> Picture {
        let byte = |c: f32| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        let rgba = self.pixels.iter().flat_map(|pixel| pixel.to_array().map(byte)).collect();
        Picture { width: self.width as u32, height: self.height as u32, rgba }
    }
}

/// Colour from 0xRRGGBB.
pub const fn rgb(hex: u32) -> Vec3 {
    Vec3::new((hex >> 16 & 255) as f32 / 255.0, (hex >> 8 & 255) as f32 / 255.0, (hex & 255) as f32 / 255.0)
}

/// A colour laid over another with an opacity; alpha stays.
pub fn over(old: Vec4, color: Vec3, opacity: f32) -> Vec4 {
    old.truncate().lerp(color, opacity.clamp(0.0, 1.0)).extend(old.w)
}

/// Colour at t from stops in rising order, linear between them.
pub fn ramp(stops: &[(f32, Vec3)], t: f32) -> Vec3 {
    let after = stops.partition_point(|s| s.0 <= t);
    match (after.checked_sub(1).and_then(|i| stops.get(i)), stops.get(after)) {
        (Some(a), Some(b)) => a.1.lerp(b.1, (t - a.0) / (b.0 - a.0)),
        (Some(a), None) => a.1,
        (None, Some(b)) => b.1,
        (None, None) => Vec3::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bleeding_fills_colour_and_keeps_alpha() {
        let mut canvas = Canvas::new(8, 8, Vec4::ZERO);
        canvas.fill(Rect::new(0.0, 0.0, 0.5, 1.0), |_, _| Vec4::new(1.0, 0.0, 0.0, 1.0));
        canvas.bleed(2);
        let picture = canvas.to_picture();
        let at = |x: usize, y: usize| &picture.rgba[4 * (8 * y + x)..][..4];
        assert_eq!(at(5, 4), [255, 0, 0, 0]);
        assert_eq!(at(7, 4), [0, 0, 0, 0]);
    }

    #[test]
    fn a_ramp_meets_its_stops() {
        let stops = [(0.0, rgb(0x000000)), (0.5, rgb(0xff0000)), (1.0, rgb(0xffffff))];
        assert_eq!(ramp(&stops, 0.5), Vec3::X);
        assert_eq!(ramp(&stops, 2.0), Vec3::ONE);
    }
}
