//! Relief of a skin from its picture: creases are painted dark, and what stands out light.

use std::collections::HashMap;
use std::sync::Arc;

use super::{MAX_DECODED_BYTES, SUBSTITUTE};
use crate::{Image, Material};

/// Slope at a relief of 1, for each factor of e in lightness from one texel to the next. By eye.
const STEEPNESS: f32 = 9.0;

/// Lightness, 0 to 1, below which differences count less and less: noise of what is nearly black.
const DARKEST: f32 = 0.03;

/// Reliefs of one model: each is made once, and all of them are bounded as its textures are.
#[derive(Default)]
pub struct Reliefs {
    made: HashMap<(*const Image, u32), Arc<Image>>,
    bytes: u64,
}

impl Reliefs {
    /// Gives a material the normals that its relief asks for, unless it has some of its own or no picture.
    ///
    /// # Errors
    /// A sentence about a relief that is left out, since all of them would take too much memory.
    pub fn emboss(&mut self, material: &mut Material) -> Result<(), String> {
        let texture = material.texture.as_ref().filter(|texture| texture.name != SUBSTITUTE);
        let relief = std::mem::take(&mut material.relief);
        let Some(texture) = texture.filter(|_| relief > 0.0 && material.maps.normals.is_none()) else { return Ok(()) };
        let key = (Arc::as_ptr(texture), relief.to_bits());
        if !self.made.contains_key(&key) {
            let bytes = self.bytes + texture.rgba.len() as u64;
            if bytes > MAX_DECODED_BYTES {
                let most = MAX_DECODED_BYTES >> 20;
                let name = &material.name;
                return Err(format!("material '{name}': reliefs of more than {most} MiB: this one is left out"));
            }
            self.bytes = bytes;
            self.made.insert(key, Arc::new(embossed(texture, relief)));
        }
        material.relief = relief;
        material.maps.normals = self.made.get(&key).cloned();
        Ok(())
    }
}

/// A map of normals in tangent space, as [`crate::Maps::normals`] has them, of an image as a relief of 0 to 1.
///
/// Light is high and dark is deep. Edges of one proportion are as steep on dark skin as on pale.
fn embossed(image: &Image, relief: f32) -> Image {
    let (width, height) = (image.width as usize, image.height as usize);
    let luma = |texel: &[u8]| 0.299 * f32::from(texel[0]) + 0.587 * f32::from(texel[1]) + 0.114 * f32::from(texel[2]);
    let heights: Vec<f32> = image.rgba.chunks_exact(4).map(|texel| (luma(texel) / 255.0 + DARKEST).ln()).collect();
    // Mean over three by three texels: a single one is grain.
    let smooth = |x: usize, y: usize| {
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        let columns = x.saturating_sub(1)..(x + 2).min(width);
        let count = (rows.len() * columns.len()) as f32;
        rows.map(|y| heights[y * width..][columns.clone()].iter().sum::<f32>()).sum::<f32>() / count
    };
    let smooth: Vec<f32> = (0..width * height).map(|i| smooth(i % width, i / width)).collect();
    let mut rgba = Vec::with_capacity(4 * width * height);
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let [left, right] = [x.saturating_sub(1), (x + 1).min(width - 1)];
        let [above, below] = [y.saturating_sub(1), (y + 1).min(height - 1)];
        let along = 0.5 * (smooth[y * width + right] - smooth[y * width + left]);
        let down = 0.5 * (smooth[below * width + x] - smooth[above * width + x]);
        let normal = glam::Vec3::new(-along, down, 1.0 / (STEEPNESS * relief.max(1e-3))).normalize();
        rgba.extend(normal.to_array().map(|part| (127.5 + 127.5 * part).round() as u8));
        rgba.push(255);
    }
    Image { name: format!("{} in relief {relief}", image.name), width: image.width, height: image.height, rgba }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image whose lightness is `at(x, y)`, 0 to 1.
    fn picture(at: impl Fn(usize, usize) -> f32) -> Image {
        let texel = |i: usize| [[(at(i % 16, i / 16) * 255.0).round() as u8; 3].as_slice(), &[255]].concat();
        Image { name: "skin.png".into(), width: 16, height: 16, rgba: (0..256).flat_map(texel).collect() }
    }

    fn normal(image: &Image, x: usize, y: usize) -> [f32; 3] {
        [0, 1, 2].map(|i| f32::from(image.rgba[4 * (16 * y + x) + i]) / 127.5 - 1.0)
    }

    #[test]
    fn a_relief_is_made_once_and_only_for_a_picture_without_normals() {
        let skin = Arc::new(picture(|x, _| x as f32 / 16.0));
        let of = |texture: &Arc<Image>| Material {
            texture: Some(Arc::clone(texture)),
            relief: 0.5,
            ..crate::material::default_material()
        };
        let (mut reliefs, mut first, mut second) = (Reliefs::default(), of(&skin), of(&skin));
        reliefs.emboss(&mut first).expect("room");
        reliefs.emboss(&mut second).expect("room");
        let normals = first.maps.normals.clone().expect("made");
        assert!(Arc::ptr_eq(&normals, second.maps.normals.as_ref().expect("made")));
        let mut own = of(&skin);
        own.maps.normals = Some(Arc::clone(&skin));
        reliefs.emboss(&mut own).expect("nothing to make");
        assert!(own.relief == 0.0 && Arc::ptr_eq(own.maps.normals.as_ref().expect("its own"), &skin));
        let mut checker = of(&Arc::new(crate::texture::substitute()));
        reliefs.emboss(&mut checker).expect("nothing to make");
        assert!(checker.relief == 0.0 && checker.maps.normals.is_none());
        reliefs.bytes = MAX_DECODED_BYTES;
        let mut other = of(&Arc::new(picture(|_, _| 0.5)));
        let why = reliefs.emboss(&mut other).expect_err("no room");
        assert_eq!(why, "material 'default': reliefs of more than 256 MiB: this one is left out");
        assert!(other.relief == 0.0 && other.maps.normals.is_none());
    }

    #[test]
    fn one_lightness_is_flat() {
        let flat = embossed(&picture(|_, _| 0.3), 1.0);
        assert_eq!(flat.name, "skin.png in relief 1");
        assert!(flat.rgba.chunks_exact(4).all(|texel| texel == [128, 128, 255, 255]));
    }

    #[test]
    fn the_sides_of_what_is_light_face_away_from_it() {
        let hill = embossed(&picture(|x, y| if (6..10).contains(&x) && (6..10).contains(&y) { 0.8 } else { 0.2 }), 0.5);
        // y points against v, up the image.
        for (x, y, way) in [(5, 8, [-1.0, 0.0]), (10, 8, [1.0, 0.0]), (8, 5, [0.0, 1.0]), (8, 10, [0.0, -1.0])] {
            let [along, up, out] = normal(&hill, x, y);
            assert!(along * way[0] + up * way[1] > 0.3 && out > 0.1, "at {x}, {y}: {along} {up} {out}");
        }
    }

    #[test]
    fn less_relief_is_flatter_and_dark_skin_is_as_rough_as_pale() {
        let steps = |from: f32| picture(move |x, _| if x < 8 { from } else { 1.5 * from });
        let slope = |from, relief| -normal(&embossed(&steps(from), relief), 8, 8)[0];
        assert!(slope(0.5, 0.2) < 0.7 * slope(0.5, 0.8));
        assert!((slope(0.2, 0.5) / slope(0.6, 0.5) - 1.0).abs() < 0.15);
    }
}
