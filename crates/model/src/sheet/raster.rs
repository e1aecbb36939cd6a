//! Triangles into pixels: a depth buffer, four samples a pixel, textures, a lamp and ambient light.

use glam::{Mat3, Vec2, Vec3};
use image::RgbaImage;

use crate::material::exponent;
use crate::{Material, Model};

/// Samples across a pixel and down it.
const SAMPLES: u32 = 2;

/// A picture being drawn.
pub struct Frame {
    width: u32,
    height: u32,
    color: Vec<Vec3>,
    depth: Vec<f32>,
}

impl Frame {
    pub fn new(width: u32, height: u32, ground: [u8; 3]) -> Self {
        let count = (width * height * SAMPLES * SAMPLES) as usize;
        let ground = Vec3::from(ground.map(|c| f32::from(c) / 255.0));
        Self { width, height, color: vec![linear(ground); count], depth: vec![f32::MIN; count] }
    }

    /// Draws a model whose vertices are at `positions`, `scale` pixels a model unit, `center` (in view axes) in the
    /// middle.
    pub fn draw(&mut self, model: &Model, positions: &[Vec3], normals: &[Vec3], view: Mat3, scale: f32, center: Vec2) {
        let scale = scale * SAMPLES as f32;
        let middle = 0.5 * Vec2::new((self.width * SAMPLES) as f32, (self.height * SAMPLES) as f32);
        let full = &model.lods[0];
        // Transparent meshes are blended over the rest.
        let (transparent, solid): (Vec<_>, Vec<_>) =
            full.meshes.iter().partition(|mesh| model.materials[mesh.material].is_transparent());
        for mesh in solid.into_iter().chain(transparent) {
            let indices = &full.indices[mesh.first as usize..(mesh.first + mesh.count) as usize];
            for corners in indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|k| corners[k] as usize);
                let p = corners.map(|corner| view * positions[corner]);
                let at = p.map(|p| middle + Vec2::new(p.x - center.x, center.y - p.y) * scale);
                let n = corners.map(|corner| view * normals[corner]);
                let painted = corners.map(|corner| {
                    let vertex = &full.vertices[corner];
                    (vertex.uv, linear(Vec3::from(vertex.color.map(|c| f32::from(c) / 255.0))))
                });
                self.triangle(&model.materials[mesh.material], at, p.map(|p| p.z), n, painted);
            }
        }
    }

    /// Draws a triangle. `painted`: texture coordinates and colour of each corner.
    fn triangle(
        &mut self,
        material: &Material,
        at: [Vec2; 3],
        z: [f32; 3],
        normals: [Vec3; 3],
        painted: [(Vec2, Vec3); 3],
    ) {
        let area = (at[1] - at[0]).perp_dot(at[2] - at[0]);
        // Screen y grows downward: counter-clockwise in space is clockwise here.
        let front = area < 0.0;
        if area.abs() < 1e-9 || (!front && !material.two_sided) {
            return;
        }
        let (w, h) = ((self.width * SAMPLES) as i32, (self.height * SAMPLES) as i32);
        let low = at[0].min(at[1]).min(at[2]).floor();
        let high = at[0].max(at[1]).max(at[2]).ceil();
        for y in (low.y as i32).max(0)..(high.y as i32).min(h) {
            for x in (low.x as i32).max(0)..(high.x as i32).min(w) {
                let q = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let weight = |i: usize, j: usize| (at[j] - at[i]).perp_dot(q - at[i]) / area;
                let b = [weight(1, 2), weight(2, 0), weight(0, 1)];
                if b.iter().any(|b| *b < 0.0) {
                    continue;
                }
                let depth = b[0] * z[0] + b[1] * z[1] + b[2] * z[2];
                let index = (y * w + x) as usize;
                if depth <= self.depth[index] {
                    continue;
                }
                let corners = painted.iter().zip(b);
                let (place, own_color) = corners
                    .fold((Vec2::ZERO, Vec3::ZERO), |(place, own), ((uv, color), share)| {
                        (place + *uv * share, own + *color * share)
                    });
                let (albedo, alpha) = texel(material, place);
                if alpha < material.alpha_cutoff {
                    continue;
                }
                let normal = (normals[0] * b[0] + normals[1] * b[1] + normals[2] * b[2]).normalize_or(Vec3::Z);
                let color = shade(material, (place, own_color), albedo, if front { normal } else { -normal });
                if material.is_transparent() {
                    self.color[index] = self.color[index].lerp(color, alpha * material.base_color[3]);
                } else {
                    self.depth[index] = depth;
                    self.color[index] = color;
                }
            }
        }
    }

    pub fn finish(&self) -> RgbaImage {
        let w = self.width * SAMPLES;
        RgbaImage::from_fn(self.width, self.height, |x, y| {
            let mut sum = Vec3::ZERO;
            for dy in 0..SAMPLES {
                for dx in 0..SAMPLES {
                    sum += self.color[((y * SAMPLES + dy) * w + x * SAMPLES + dx) as usize];
                }
            }
            let [r, g, b] = display(sum / (SAMPLES * SAMPLES) as f32).to_array().map(|c| (c * 255.0 + 0.5) as u8);
            image::Rgba([r, g, b, 255])
        })
    }
}

/// Light of a lamp above the viewer's left shoulder (in view axes) and ambient light; Blinn-Phong specular light, the
/// weaker the wider the highlight (Akenine-Möller & al., Real-Time Rendering, 4th ed., 9.8.1), 1 at an exponent of 64.
fn shade(material: &Material, (uv, own_color): (Vec2, Vec3), albedo: Vec3, normal: Vec3) -> Vec3 {
    let albedo = albedo * own_color;
    let lamp = Vec3::new(-0.35, 0.75, 0.56).normalize();
    let ambient = 0.42 + 0.20 * normal.y;
    let facing = normal.dot(lamp);
    let through = material.translucency * (0.4 * (-facing).max(0.0) + 0.12);
    let half = (lamp + Vec3::Z).normalize();
    let (reflectance, exponent) = reflectance(material, uv);
    let exponent = exponent.max(1.0);
    let lobe = ((exponent + 8.0) / 72.0) * normal.dot(half).max(0.0).powf(exponent);
    // A room as bright all round as its light: metal is seen by it.
    // Metal reflects in its colour; see metal.glsl.
    let metal = ((reflectance.max_element() - 0.1) / 0.2).clamp(0.0, 1.0);
    let shine = reflectance * Vec3::ONE.lerp(own_color, metal) * (lobe + ambient);
    albedo * (ambient + 0.75 * facing.max(0.0) + through) + shine + emission(material, uv)
}

/// Colour and opacity of a material at a place of its texture.
fn texel(material: &Material, uv: Vec2) -> (Vec3, f32) {
    let [r, g, b, _] = material.base_color;
    let diffuse = Vec3::new(r, g, b);
    let Some(image) = &material.texture else { return (diffuse, 1.0) };
    let texel = image.sample(uv, material.wrap, true);
    (texel.truncate() * diffuse, texel.w)
}

/// Reflectance and exponent of a material at a place of its texture.
fn reflectance(material: &Material, uv: Vec2) -> (Vec3, f32) {
    let Some(map) = &material.maps.reflectance else { return (material.specular.into(), material.shininess) };
    let texel = map.sample(uv, material.wrap, true);
    (texel.truncate(), exponent(1.0 - texel.w))
}

/// Emission of a material at a place of its texture.
fn emission(material: &Material, uv: Vec2) -> Vec3 {
    let map = material.maps.emission.as_ref().map_or(Vec3::ONE, |map| map.sample(uv, material.wrap, true).truncate());
    map * Vec3::from(material.emissive)
}

fn linear(c: Vec3) -> Vec3 {
    c.max(Vec3::ZERO).powf(2.2)
}

fn display(c: Vec3) -> Vec3 {
    c.clamp(Vec3::ZERO, Vec3::ONE).powf(1.0 / 2.2)
}
