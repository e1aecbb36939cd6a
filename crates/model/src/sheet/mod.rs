//! The contact sheet of models: each from four sides and at four moments of a clip, drawn on the CPU.
//!
//! The same model gives the same pixels on every machine that has the same arithmetic; no GL is involved.

mod letters;
mod raster;

use glam::{Mat3, Vec2, Vec3};
use image::RgbaImage;

use crate::animation::{moved, pose};
use crate::{Clip, LoadedModel};

use letters::write_text;
use raster::Frame;

/// Width of a tile in pixels.
const TILE: u32 = 288;
/// Height of the line with the names of the views, and of the one with a row's own name.
const LINE: u32 = 26;
/// Ground colour of the sheet (sRGB).
const GROUND: [u8; 3] = [0xd9, 0xdc, 0xde];

/// Names of the columns and the direction from which each looks: azimuth round +y from the animal's left side toward
/// its nose, and elevation, degrees.
const VIEWS: [(&str, f32, f32); 8] = [
    ("side", 0.0, 0.0),
    ("top", 0.0, 90.0),
    ("front", 90.0, 0.0),
    ("three-quarter", 40.0, 16.0),
    ("0.00", 24.0, 40.0),
    ("0.25", 24.0, 40.0),
    ("0.50", 24.0, 40.0),
    ("0.75", 24.0, 40.0),
];

/// Draws a sheet, one row a model. The last four columns show `clip` (a model's first one when `None` or absent).
pub fn draw(models: &[LoadedModel], clip: Option<&str>) -> RgbaImage {
    let rows: Vec<(u32, RgbaImage)> = models.iter().map(|loaded| row(loaded, clip)).map(|r| (r.height(), r)).collect();
    let height = LINE + rows.iter().map(|(height, _)| height).sum::<u32>();
    let mut sheet = RgbaImage::from_pixel(TILE * VIEWS.len() as u32, height, opaque(GROUND));
    for (column, (name, ..)) in VIEWS.iter().enumerate() {
        write_text(&mut sheet, (column as u32 * TILE + 10, 6), 2, name);
    }
    let mut top = LINE;
    for (height, row) in &rows {
        image::imageops::replace(&mut sheet, row, 0, i64::from(top));
        top += height;
    }
    sheet
}

fn opaque([r, g, b]: [u8; 3]) -> image::Rgba<u8> {
    image::Rgba([r, g, b, 255])
}

/// One row: all tiles at one scale, as tall as the tallest needs.
fn row(LoadedModel { model, clips, .. }: &LoadedModel, clip: Option<&str>) -> RgbaImage {
    let shown = clip.and_then(|name| clips.iter().find(|clip| clip.name == name)).or(clips.first());
    let moment = |column: usize| {
        let phase = column.saturating_sub(4) as f32 / 4.0;
        shown.map_or(0.0, |Clip { start_s, end_s, .. }| start_s + (end_s - start_s) * phase)
    };
    let full = &model.lods[0];
    let poses: Vec<(Vec<Vec3>, Vec<Vec3>)> =
        (0..VIEWS.len()).map(|column| moved(model, full, &pose(&model.skeleton, moment(column)))).collect();
    let turned: Vec<(Mat3, Vec2, Vec2)> = VIEWS
        .iter()
        .zip(&poses)
        .map(|(&(_, azimuth, elevation), (positions, _))| {
            let view = looking(azimuth, elevation);
            let places = positions.iter().map(|p| (view * *p).truncate());
            let (low, high) = places.fold((Vec2::MAX, Vec2::MIN), |(low, high), p| (low.min(p), high.max(p)));
            // A model without vertices shows nothing.
            if low.x <= high.x { (view, low, high) } else { (view, Vec2::ZERO, Vec2::ZERO) }
        })
        .collect();
    let extent = turned.iter().fold(Vec2::splat(1e-12), |most, (_, low, high)| most.max(*high - *low));
    let scale = (0.94 * TILE as f32 / extent.x).min(1.2 * TILE as f32 / extent.y);
    let height = ((extent.y * scale) as u32 + 16).max(72) + LINE;

    let mut row = RgbaImage::from_pixel(TILE * VIEWS.len() as u32, height, opaque(GROUND));
    for (column, ((view, low, high), (positions, normals))) in turned.iter().zip(&poses).enumerate() {
        let mut frame = Frame::new(TILE, height - LINE, GROUND);
        frame.draw(model, positions, normals, *view, scale, 0.5 * (*low + *high));
        image::imageops::replace(&mut row, &frame.finish(), (column as u32 * TILE).into(), LINE.into());
    }
    let moves: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
    let (triangles, joints) = (full.indices.len() / 3, model.skeleton.joints.len());
    let label = format!("{}  {triangles} triangles {joints} joints  {}", model.name, moves.join(" "));
    write_text(&mut row, (10, 8), 2, &label);
    row
}

/// View axes (right, up, toward the eye) from model axes.
fn looking(azimuth_deg: f32, elevation_deg: f32) -> Mat3 {
    let (a, e) = (azimuth_deg.to_radians(), elevation_deg.to_radians());
    let toward = Vec3::new(-a.cos() * e.cos(), e.sin(), -a.sin() * e.cos());
    let right = Vec3::new(-a.sin(), 0.0, a.cos());
    Mat3::from_cols(right, toward.cross(right), toward).transpose()
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat};

    use super::*;
    use crate::material::default_material;
    use crate::{Bounds, Joint, Lod, Material, Mesh, Model, Morphs, Palette, Skeleton, Vertex};

    #[test]
    fn side_view_has_the_nose_on_the_left_and_the_back_up() {
        let view = looking(0.0, 0.0);
        assert!((view * Vec3::NEG_Z).x < -0.99 && (view * Vec3::Y).y > 0.99);
        let top = looking(0.0, 90.0);
        assert!((top * Vec3::NEG_Z).x < -0.99 && (top * Vec3::Y).z > 0.99);
        let front = looking(90.0, 0.0);
        assert!((front * Vec3::NEG_Z).z > 0.99);
    }

    /// An arrow along -z that wags, 2 long and 0.2 wide.
    fn arrow() -> LoadedModel {
        let corner = |x: f32, y: f32, z: f32| Vertex {
            position: Vec3::new(x, y, z),
            normal: Vec3::Y,
            uv: Vec2::ZERO,
            joints: [u16::from(z < 0.0); 4],
            weights: [1.0, 0.0, 0.0, 0.0],
            morph_row: 0,
            color: Vertex::WHITE,
        };
        let material =
            Material { name: "red".into(), base_color: [0.8, 0.1, 0.1, 1.0], two_sided: true, ..default_material() };
        let joint = Joint {
            name: "nose".into(),
            parent: None,
            local_bind: Mat4::IDENTITY,
            inverse_bind: Mat4::IDENTITY,
            rotation_keys: vec![(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(0.5))],
            translation_keys: Vec::new(),
            scale_keys: Vec::new(),
        };
        let still = Joint { rotation_keys: Vec::new(), ..joint.clone() };
        // A sheet that lies and one that stands, so that it shows from the side and from above.
        let vertices = vec![
            corner(0.0, 0.0, -1.0),
            corner(0.1, 0.0, 1.0),
            corner(-0.1, 0.0, 1.0),
            corner(0.0, 0.1, 1.0),
            corner(0.0, -0.1, 1.0),
        ];
        let lod = Lod {
            vertices,
            indices: vec![0, 1, 2, 0, 3, 4],
            meshes: vec![Mesh { first: 0, count: 6, material: 0 }],
            ..Lod::default()
        };
        let model = Model {
            name: "arrow".into(),
            lods: vec![lod],
            materials: vec![material],
            skeleton: Skeleton {
                joints: vec![still, joint],
                order: vec![0, 1],
                duration_s: 1.0,
                ..Skeleton::default()
            },
            morphs: Morphs::default(),
            attachments: Vec::new(),
            palette: Palette::default(),
            bend: None,
            length: 1.0,
            bounds: Bounds { min: Vec3::splat(-1.0), max: Vec3::splat(1.0) },
        };
        let clip = |name: &str, start_s, end_s| Clip { name: name.into(), start_s, end_s };
        LoadedModel {
            model,
            clips: vec![clip("wag", 0.0, 1.0), clip("hold", 0.0, 1e-6)],
            warnings: Vec::new(),
            files: Vec::new(),
        }
    }

    #[test]
    fn a_sheet_shows_sides_and_moments_and_repeats() {
        let models = [arrow()];
        let sheet = draw(&models, None);
        assert_eq!(sheet.width(), TILE * 8);
        let ground = opaque(GROUND);
        let tile = |sheet: &RgbaImage, column: u32| {
            image::imageops::crop_imm(sheet, column * TILE, 2 * LINE, TILE, sheet.height() - 2 * LINE).to_image()
        };
        let covered = |column: u32| {
            let tile = tile(&sheet, column);
            (0..TILE).filter(|&x| (0..tile.height()).any(|y| *tile.get_pixel(x, y) != ground)).count()
        };
        assert!(covered(0) > 200 && covered(1) > 200, "side and top show a whole length");
        assert!(covered(2) < 60, "from the front it is narrow");
        assert!(tile(&sheet, 4) != tile(&sheet, 6), "it moves");
        assert!(sheet == draw(&models, Some("wag")), "the first clip is the usual one");
        let held = draw(&models, Some("hold"));
        assert!(tile(&held, 4) == tile(&held, 6), "the clip that was asked for");
    }

    #[test]
    fn what_has_nothing_to_show_has_a_row_all_the_same() {
        let mut empty = arrow();
        empty.model.lods[0] = Lod::default();
        empty.clips.clear();
        assert!(draw(&[empty], Some("wag")).height() > 3 * LINE);
    }
}
