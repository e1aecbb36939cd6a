//! Rounding of a document's numbers, which halves a model as a browser fetches it: most bits of a `f32` are noise of the
//! makers, and noise does not compress.
//!
//! Steps are powers of two, so that a rounded number ends in zeros. Equal numbers stay equal: no seam opens, and clips
//! close. Files are rounded, not pages alone, so that animals swim alike in a browser and in a window.

use ms3d::raw::Document;

/// Steps of positions in a model unit, and of angles in a radian. A model is about one unit long, so vertices move by
/// half a step of its length at most: 0.15 mm of a dolphin of 2.5 m, 1.6 mm of a wreck of 27 m.
const LENGTH: f32 = 8192.0;
/// Steps of a normal's components in 1: a normal turns by 0.2° at most, and readers make its length 1 again.
const NORMAL: f32 = 256.0;
/// Steps of texture coordinates in a picture's side: an eighth of a texel of 1024.
const TEXTURE: f32 = 4096.0;

/// Rounds positions, normals, texture coordinates, and what joints do.
pub fn rounded(mut document: Document) -> Document {
    for vertex in &mut document.vertices {
        round(&mut vertex.position, LENGTH);
    }
    for triangle in &mut document.triangles {
        round(triangle.vertex_normals.as_flattened_mut(), NORMAL);
        round(&mut triangle.s, TEXTURE);
        round(&mut triangle.t, TEXTURE);
    }
    for joint in &mut document.joints {
        round(&mut joint.position, LENGTH);
        for key in joint.rotation_keys.iter_mut().chain(&mut joint.translation_keys) {
            round(&mut key.value, LENGTH);
        }
    }
    document
}

fn round(numbers: &mut [f32], steps: f32) {
    for number in numbers {
        // The sum makes 0 of -0.
        *number = (*number * steps).round() / steps + 0.0;
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::find;

    #[test]
    fn hardly_anything_moves() {
        for name in ["clownfish", "moon_jelly", "kelp"] {
            let before = (find(name).expect("listed").make)(1).document;
            let after = rounded(before.clone());
            for (before, after) in before.vertices.iter().zip(&after.vertices) {
                let moved = Vec3::from(before.position) - Vec3::from(after.position);
                assert!(moved.abs().max_element() <= 0.5 / LENGTH, "{name}: {moved}");
            }
            for (before, after) in before.triangles.iter().zip(&after.triangles) {
                for (before, after) in before.vertex_normals.iter().zip(after.vertex_normals) {
                    let angle = Vec3::from(*before).angle_between(Vec3::from(after));
                    assert!(angle < 0.2_f32.to_radians(), "{name}: {angle}");
                }
            }
            assert_eq!(ms3d::validate(&after), [], "{name}");
            assert_eq!(rounded(after.clone()), after, "{name}");
        }
    }
}
