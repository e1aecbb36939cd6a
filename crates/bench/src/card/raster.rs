//! Draws egui's triangles on the CPU.

use std::collections::HashMap;

use egui::epaint::{ImageData, Primitive, Vertex};
use egui::{ClippedPrimitive, Color32, ColorImage, Mesh, Rect, TextureId, TexturesDelta};
use image::RgbaImage;

/// Draws over an image, `scale` pixels a point. Textures are those that egui sends with its first frame.
pub fn paint(image: &mut RgbaImage, scale: f32, primitives: &[ClippedPrimitive], textures: &mut TexturesDelta) {
    let mut known: HashMap<TextureId, ColorImage> = HashMap::new();
    for (id, deltas) in std::mem::take(&mut textures.set) {
        for delta in deltas {
            let ImageData::Color(part) = &delta.image;
            match (delta.pos, known.get_mut(&id)) {
                (Some(corner), Some(whole)) => write_part(whole, corner, part),
                (Some(_), None) => {}
                (None, _) => drop(known.insert(id, part.as_ref().clone())),
            }
        }
    }
    for ClippedPrimitive { clip_rect, primitive } in primitives {
        if let Primitive::Mesh(mesh) = primitive
            && let Some(texture) = known.get(&mesh.texture_id)
        {
            triangles(image, scale, *clip_rect, mesh, texture);
        }
    }
}

fn write_part(whole: &mut ColorImage, [left, top]: [usize; 2], part: &ColorImage) {
    let ([width, _], [of_part, _]) = (whole.size, part.size);
    for (row, pixels) in part.pixels.chunks(of_part.max(1)).enumerate() {
        let from = (top + row) * width + left;
        if let Some(place) = whole.pixels.get_mut(from..from + pixels.len()) {
            place.copy_from_slice(pixels);
        }
    }
}

fn triangles(image: &mut RgbaImage, scale: f32, clip: Rect, mesh: &Mesh, texture: &ColorImage) {
    for corners in mesh.indices.chunks_exact(3) {
        let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|i| mesh.vertices.get(corners[i] as usize)) else { continue };
        triangle(image, scale, clip, [a, b, c], texture);
    }
}

/// Draws one triangle: the pixels whose centres are inside. Centres on an edge count for the upper and the left edge
/// only, so that neighbours share none.
fn triangle(image: &mut RgbaImage, scale: f32, clip: Rect, corners: [&Vertex; 3], texture: &ColorImage) {
    let at = |vertex: &Vertex| (vertex.pos.x * scale, vertex.pos.y * scale);
    let area = |(ax, ay): (f32, f32), (bx, by): (f32, f32), (px, py): (f32, f32)| {
        (bx - ax) * (py - ay) - (by - ay) * (px - ax)
    };
    let [a, mut b, mut c] = corners;
    let mut whole = area(at(a), at(b), at(c));
    if whole < 0.0 {
        (b, c, whole) = (c, b, -whole);
    }
    if whole <= 0.0 || whole.is_nan() {
        return;
    }
    let places = [at(a), at(b), at(c)];
    let range = |of: fn((f32, f32)) -> f32, from: f32, to: f32, side: u32| {
        let (low, high) = places.iter().fold((f32::MAX, f32::MIN), |(l, h), p| (l.min(of(*p)), h.max(of(*p))));
        let pixel = |edge: f32| edge.clamp(0.0, side as f32) as u32;
        pixel(low.max(from * scale).floor())..pixel(high.min(to * scale).ceil())
    };
    let rows = range(|(_, y)| y, clip.min.y, clip.max.y, image.height());
    let columns = range(|(x, _)| x, clip.min.x, clip.max.x, image.width());
    // Clockwise on a screen, whose y goes down.
    let takes_edge = |(ax, ay): (f32, f32), (bx, by): (f32, f32)| by < ay || (by == ay && bx > ax);
    // Most triangles are of one colour and one texel.
    let is_plain = [b, c].iter().all(|other| other.uv == a.uv && other.color == a.color);
    let product = |ink: [f32; 4], texel: [f32; 4]| -> [f32; 4] { std::array::from_fn(|i| ink[i] * texel[i] / 255.0) };
    let plain = is_plain.then(|| product(a.color.to_array().map(f32::from), sample(texture, a.uv.x, a.uv.y)));
    for y in rows {
        for x in columns.clone() {
            let centre = (x as f32 + 0.5, y as f32 + 0.5);
            let edges = [(1, 2), (2, 0), (0, 1)];
            let weights = edges.map(|(from, to)| area(places[from], places[to], centre));
            let is_in = edges
                .iter()
                .zip(weights)
                .all(|(&(from, to), weight)| weight > 0.0 || (weight == 0.0 && takes_edge(places[from], places[to])));
            if !is_in {
                continue;
            }
            let source = plain.unwrap_or_else(|| {
                let weights = weights.map(|weight| weight / whole);
                let mean = |of: fn(&Vertex) -> f32| of(a) * weights[0] + of(b) * weights[1] + of(c) * weights[2];
                let texel = sample(texture, mean(|v| v.uv.x), mean(|v| v.uv.y));
                let ink = [
                    mean(|v| f32::from(v.color.r())),
                    mean(|v| f32::from(v.color.g())),
                    mean(|v| f32::from(v.color.b())),
                    mean(|v| f32::from(v.color.a())),
                ];
                product(ink, texel)
            });
            let pixel = image.get_pixel_mut(x, y);
            for (channel, source_channel) in pixel.0.iter_mut().zip(source) {
                // Colours are multiplied by their alpha already.
                let over = source_channel + f32::from(*channel) * (1.0 - source[3] / 255.0);
                *channel = over.round().clamp(0.0, 255.0) as u8;
            }
        }
    }
}

/// Texture sample at a place, weighted from the four texels about it.
fn sample(texture: &ColorImage, u: f32, v: f32) -> [f32; 4] {
    let [width, height] = texture.size;
    let (x, y) = (u * width as f32 - 0.5, v * height as f32 - 0.5);
    let texel = |x: f32, y: f32| {
        let clamped = |at: f32, side: usize| at.clamp(0.0, side.saturating_sub(1) as f32) as usize;
        let index = clamped(y, height) * width + clamped(x, width);
        texture.pixels.get(index).copied().unwrap_or(Color32::TRANSPARENT).to_array().map(f32::from)
    };
    let (left, top) = (x.floor(), y.floor());
    let (right_share, lower_share) = (x - left, y - top);
    let corners = [texel(left, top), texel(left + 1.0, top), texel(left, top + 1.0), texel(left + 1.0, top + 1.0)];
    std::array::from_fn(|i| {
        let upper = corners[0][i] * (1.0 - right_share) + corners[1][i] * right_share;
        let lower = corners[2][i] * (1.0 - right_share) + corners[3][i] * right_share;
        upper * (1.0 - lower_share) + lower * lower_share
    })
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;

    #[test]
    fn two_halves_of_a_square_cover_each_pixel_once() {
        let mut image = RgbaImage::from_pixel(8, 8, image::Rgba([0, 0, 0, 255]));
        let mut mesh = Mesh::default();
        let half = Color32::from_rgba_premultiplied(100, 0, 0, 128);
        for (x, y) in [(1.0, 1.0), (7.0, 1.0), (1.0, 7.0), (7.0, 7.0)] {
            mesh.colored_vertex(pos2(x, y), half);
        }
        mesh.add_triangle(0, 1, 2);
        mesh.add_triangle(1, 3, 2);
        let white = ColorImage::filled([1, 1], Color32::WHITE);
        triangles(&mut image, 1.0, Rect::from_min_size(pos2(0.0, 0.0), vec2(8.0, 6.0)), &mesh, &white);
        for (x, y, pixel) in image.enumerate_pixels() {
            let is_in = (1..7).contains(&x) && (1..6).contains(&y);
            assert_eq!(pixel.0[0], if is_in { 100 } else { 0 }, "{x} {y}");
        }
    }
}
