//! The forge's contact sheet: every animal from four sides and at four moments of its swim, drawn on the CPU.
//!
//! The same forged things give the same pixels on every machine that has the same arithmetic; no GL is involved.

mod letters;
mod pose;
mod raster;

use glam::{Mat3, Vec2, Vec3};
use image::RgbaImage;

use crate::Forged;
use crate::rig::{self, Clip};

use letters::write_text;
use pose::PosedModel;
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

/// Draws a sheet, one row a thing. The last four columns show `clip` (its usual way of moving when `None` or absent).
pub fn draw(things: &[Forged], clip: Option<Clip>) -> RgbaImage {
    let rows: Vec<(u32, RgbaImage)> = things.iter().map(|thing| row(thing, clip)).map(|r| (r.height(), r)).collect();
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
fn row(thing: &Forged, clip: Option<Clip>) -> RgbaImage {
    let body = PosedModel::new(thing);
    let clips = rig::clips_of(&thing.document);
    let usual = || Clip::USUAL.into_iter().find_map(|name| clips.iter().find(|range| range.clip == name));
    let range = clip.and_then(|name| clips.iter().find(|range| range.clip == name)).or_else(usual);
    let fps = thing.document.keyframer.fps;
    let poses: Vec<Vec<[Vec3; 6]>> = VIEWS
        .iter()
        .enumerate()
        .map(|(column, _)| {
            let phase = column.saturating_sub(4) as f32 / 4.0;
            let frame = range.map_or(1.0, |range| range.from + (range.to - range.from) * phase);
            body.corners(frame / fps)
        })
        .collect();
    let turned: Vec<(Mat3, Vec2, Vec2)> = VIEWS
        .iter()
        .zip(&poses)
        .map(|(&(_, azimuth, elevation), corners)| {
            let view = looking(azimuth, elevation);
            let places = corners.iter().flat_map(|c| &c[..3]).map(|p| (view * *p).truncate());
            let (low, high) = places.fold((Vec2::MAX, Vec2::MIN), |(low, high), p| (low.min(p), high.max(p)));
            (view, low, high)
        })
        .collect();
    let extent = turned.iter().fold(Vec2::splat(1e-6), |most, (_, low, high)| most.max(*high - *low));
    let scale = (0.94 * TILE as f32 / extent.x).min(1.2 * TILE as f32 / extent.y);
    let height = ((extent.y * scale) as u32 + 16).max(72) + LINE;

    let mut row = RgbaImage::from_pixel(TILE * VIEWS.len() as u32, height, opaque(GROUND));
    for (column, ((view, low, high), corners)) in turned.iter().zip(&poses).enumerate() {
        let mut frame = Frame::new(TILE, height - LINE, GROUND);
        frame.draw(&body, corners, *view, scale, 0.5 * (*low + *high));
        image::imageops::replace(&mut row, &frame.finish(), (column as u32 * TILE).into(), LINE.into());
    }
    let document = &thing.document;
    let moves: Vec<&str> = clips.iter().map(|range| range.clip.word()).collect();
    let label = format!(
        "{}  {} triangles {} joints  {}",
        thing.name,
        document.triangles.len(),
        document.joints.len(),
        moves.join(" ")
    );
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
    use super::*;

    #[test]
    fn side_view_has_the_nose_on_the_left_and_the_back_up() {
        let view = looking(0.0, 0.0);
        assert!((view * Vec3::NEG_Z).x < -0.99 && (view * Vec3::Y).y > 0.99);
        let top = looking(0.0, 90.0);
        assert!((top * Vec3::NEG_Z).x < -0.99 && (top * Vec3::Y).z > 0.99);
        let front = looking(90.0, 0.0);
        assert!((front * Vec3::NEG_Z).z > 0.99);
    }

    #[test]
    fn a_sheet_shows_the_animal_and_repeats() {
        let make = crate::find("sardine").expect("listed").make;
        let thing = [make(1)];
        let sheet = draw(&thing, None);
        assert_eq!(sheet.width(), TILE * 8);
        let ground = opaque(GROUND);
        let covered = |column: u32| {
            let x = column * TILE..(column + 1) * TILE;
            x.filter(|&x| (2 * LINE..sheet.height()).any(|y| *sheet.get_pixel(x, y) != ground)).count()
        };
        assert!(covered(0) > 200 && covered(1) > 200, "side and top show a whole length");
        assert!(covered(2) < 120, "from the front it is narrow");
        assert_eq!(sheet, draw(&thing, None));
    }
}
