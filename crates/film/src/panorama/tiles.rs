//! The narrow cameras whose pictures make a panorama, and how these are laid together.
//!
//! Each tile is a rectangle of longitudes and latitudes that one perspective camera sees. Tiles overlap: across a seam
//! one tile's share falls as the other's rises, so that what a rasteriser draws differently from two cameras never
//! shows as an edge. Together the shares are 1 everywhere.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DMat3, DVec2, DVec3, Quat, Vec2};
use view::Camera;

use crate::panorama::mapping::{Eye, angles, direction, origin};

/// Texels of a tile's picture for each of the panorama's, each way, to smooth edges.
const SUPERSAMPLING: f64 = 1.6;
/// Half the width of a seam between tiles. Unit: rad.
const SEAM: f64 = 0.026;
/// Half the width of a seam between tiles side by side of two eyes, as a share of the tiles' width.
const STRIP_SEAM: f64 = 0.25;
/// Tiles once round for each eye of two: at most 0.4 texels of 4096 off at 1 m (see
/// `narrow_strips_are_as_good_as_slits`).
const STRIPS: usize = 96;
/// Tiles once round for one eye.
const FACES: usize = 8;
/// Latitude from which on the eyes draw together toward the poles, where there is no side by side. Unit: rad.
const MERGES_FROM: f64 = PI / 3.0;
/// Points of a side of a tile whose directions tell how large its picture must be.
const PROBES: usize = 8;

/// Everything that one eye's panorama is made of.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// Width and height of the panorama in pixels.
    pub size: (u32, u32),
    /// Width and height of each tile's picture in texels.
    pub extent: (u32, u32),
    /// Texels a unit of a tile's picture plane at a distance of 1.
    density: f64,
    /// The tiles.
    pub list: Vec<Tile>,
}

/// A rectangle of the panorama that one camera sees.
#[derive(Clone, Debug)]
pub struct Tile {
    eye: Eye,
    /// Radius of the circle that its eye stands on. Unit: m.
    radius_m: f64,
    /// Its longitudes, then its latitudes: from, to. Unit: rad.
    t: [f64; 2],
    p: [f64; 2],
    /// Half widths of the seams beside it, and above and below it. Unit: rad.
    seam: DVec2,
    /// Middle of its picture on the plane at a distance of 1.
    middle: DVec2,
}

impl Tiles {
    /// Tiles of an eye on a circle of `radius_m` (half the distance between the eyes), for a panorama of `size` pixels.
    pub fn new(eye: Eye, radius_m: f64, size: (u32, u32)) -> Self {
        let degrees = |latitudes: &[f64]| latitudes.iter().map(|latitude| latitude.to_radians()).collect::<Vec<_>>();
        let (around, bands) = match eye {
            Eye::Only => (FACES, degrees(&[-90.0, -45.0, 0.0, 45.0, 90.0])),
            _ => (STRIPS, degrees(&[-90.0, -80.0, -70.0, -60.0, -30.0, 0.0, 30.0, 60.0, 70.0, 80.0, 90.0])),
        };
        let mut list = Vec::new();
        for band in bands.windows(2) {
            let middle = 0.5 * (band[0] + band[1]);
            // Toward a pole a strip is narrower than its longitudes say.
            let around = if middle.abs() > MERGES_FROM && eye != Eye::Only { around / 2 } else { around };
            let width = TAU / around as f64;
            for number in 0..around {
                let from = -PI + number as f64 * width;
                let seam = if eye == Eye::Only { SEAM } else { STRIP_SEAM * width };
                list.push(Tile {
                    eye,
                    radius_m: radius_m * together(middle),
                    t: [from, from + width],
                    p: [band[0], band[1]],
                    seam: DVec2::new(seam, SEAM),
                    middle: DVec2::ZERO,
                });
            }
        }
        let density = SUPERSAMPLING * f64::from(size.0) / TAU;
        let mut largest = DVec2::ZERO;
        for tile in &mut list {
            let (least, greatest) = tile.bounds();
            tile.middle = 0.5 * (least + greatest);
            largest = largest.max(greatest - least);
        }
        // Room for the neighbours of each texel that is sampled.
        let side = |length: f64| ((length * density).ceil() as u32 + 4).next_multiple_of(4);
        Self { size, extent: (side(largest.x), side(largest.y)), density, list }
    }

    /// The tiles without those that nothing of the half ahead is made of.
    pub fn ahead(mut self) -> Self {
        self.list.retain(|tile| tile.t[0] - tile.seam.x < FRAC_PI_2 && tile.t[1] + tile.seam.x > -FRAC_PI_2);
        self
    }

    /// The camera of a tile about `middle`, which stands level.
    pub fn camera(&self, tile: &Tile, middle: Camera) -> Camera {
        let level = level(middle.orientation);
        let [t, p] = tile.center().to_array();
        let eye = origin(tile.eye, tile.radius_m, t).as_vec3();
        Camera {
            eye: middle.eye + level * eye,
            orientation: level * Quat::from_rotation_y(-t as f32) * Quat::from_rotation_x(p as f32),
            fov_y: 2.0 * (0.5 * f64::from(self.extent.1) / self.density).atan() as f32,
            off_axis: -Vec2::new(tile.middle.x as f32, tile.middle.y as f32),
            ..middle
        }
    }

    /// Adds a tile's picture to a panorama of `rgb`: `texels`, RGBA from the top row on, of [`Self::extent`].
    pub fn add(&self, tile: &Tile, texels: &[f32], rgb: &mut [f32]) {
        let (width, height) = (i64::from(self.size.0), i64::from(self.size.1));
        let size = DVec2::new(width as f64, height as f64);
        let turn = tile.turn().transpose();
        let first = |from: f64, per_pixel: f64| (from / per_pixel - 0.5).floor() as i64;
        let (per_column, per_row) = (TAU / size.x, PI / size.y);
        let columns =
            first(tile.t[0] - tile.seam.x + PI, per_column)..=first(tile.t[1] + tile.seam.x + PI, per_column) + 1;
        let rows = first(FRAC_PI_2 - tile.p[1] - tile.seam.y, per_row).max(0)
            ..=(first(FRAC_PI_2 - tile.p[0] + tile.seam.y, per_row) + 1).min(height - 1);
        for row in rows {
            let p = angles(DVec2::new(0.0, row as f64 + 0.5), size).y;
            let share_of_row = tile.share_of_row(p);
            if share_of_row == 0.0 {
                continue;
            }
            for column in columns.clone() {
                let t = angles(DVec2::new(column as f64 + 0.5, 0.0), size).x;
                let share = (share_of_row * tile.share_of_column(t)) as f32;
                if share == 0.0 {
                    continue;
                }
                let color = self.sample(self.texel(tile, turn * direction(DVec2::new(t, p))), texels);
                let at = 3 * (row * width + column.rem_euclid(width)) as usize;
                for (sum, value) in rgb[at..at + 3].iter_mut().zip(color) {
                    *sum += share * value;
                }
            }
        }
    }

    /// Position in a tile's picture of a direction of its camera. Unit: texels from the upper left corner.
    fn texel(&self, tile: &Tile, seen: DVec3) -> DVec2 {
        let plane = (DVec2::new(seen.x, seen.y) / -seen.z - tile.middle) * self.density;
        0.5 * DVec2::new(f64::from(self.extent.0), f64::from(self.extent.1)) + DVec2::new(plane.x, -plane.y)
    }

    /// Value at a position of a tile's picture, interpolated between the four texels about it.
    fn sample(&self, at: DVec2, texels: &[f32]) -> [f32; 3] {
        let (width, height) = (self.extent.0 as usize, self.extent.1 as usize);
        let at = (at - 0.5).max(DVec2::ZERO).min(DVec2::new(width as f64 - 1.001, height as f64 - 1.001));
        let (x, y) = (at.x as usize, at.y as usize);
        let (right, down) = (at.x.fract() as f32, at.y.fract() as f32);
        std::array::from_fn(|channel| {
            let texel = |x: usize, y: usize| texels[4 * (y * width + x) + channel];
            let above = texel(x, y) + right * (texel(x + 1, y) - texel(x, y));
            let below = texel(x, y + 1) + right * (texel(x + 1, y + 1) - texel(x, y + 1));
            above + down * (below - above)
        })
    }
}

impl Tile {
    /// Longitude and latitude that its camera looks along.
    fn center(&self) -> DVec2 {
        DVec2::new(0.5 * (self.t[0] + self.t[1]), 0.5 * (self.p[0] + self.p[1]))
    }

    /// The panorama's axes from its camera's.
    fn turn(&self) -> DMat3 {
        let center = self.center();
        DMat3::from_rotation_y(-center.x) * DMat3::from_rotation_x(center.y)
    }

    /// Least and greatest place on its camera's picture plane, seams included.
    fn bounds(&self) -> (DVec2, DVec2) {
        let turn = self.turn().transpose();
        let along = |[from, to]: [f64; 2], seam: f64, i: usize| {
            let share = i as f64 / PROBES as f64;
            (from - seam) * (1.0 - share) + (to + seam) * share
        };
        let places = (0..=PROBES).flat_map(|i| (0..=PROBES).map(move |j| (i, j))).map(|(i, j)| {
            let p = along(self.p, self.seam.y, j).clamp(-FRAC_PI_2, FRAC_PI_2);
            let seen = turn * direction(DVec2::new(along(self.t, self.seam.x, i), p));
            DVec2::new(seen.x, seen.y) / -seen.z
        });
        places.fold((DVec2::MAX, DVec2::MIN), |(least, greatest), place| (least.min(place), greatest.max(place)))
    }

    /// Share of a column that the tile makes, 0..=1.
    fn share_of_column(&self, t: f64) -> f64 {
        ramp(t - self.t[0], self.seam.x) * ramp(self.t[1] - t, self.seam.x)
    }

    /// Share of a row that the tile makes, 0..=1; beyond a pole there is no neighbour to share with.
    fn share_of_row(&self, p: f64) -> f64 {
        let below = if self.p[0] <= -FRAC_PI_2 + 1e-9 { 1.0 } else { ramp(p - self.p[0], self.seam.y) };
        let above = if self.p[1] >= FRAC_PI_2 - 1e-9 { 1.0 } else { ramp(self.p[1] - p, self.seam.y) };
        below * above
    }
}

/// From 0 at `-half` to 1 at `half`.
fn ramp(distance: f64, half: f64) -> f64 {
    (0.5 + 0.5 * distance / half).clamp(0.0, 1.0)
}

/// Distance between the eyes at a latitude, as a share of the full one: none at a pole, where a viewer who turns round
/// would see one eye's picture turn about the other's.
fn together(latitude: f64) -> f64 {
    let share = ((latitude.abs() - MERGES_FROM) / (FRAC_PI_2 - MERGES_FROM)).clamp(0.0, 1.0);
    (share * FRAC_PI_2).cos().powi(2)
}

/// The camera `right_m` (m) to the right of `middle`, level.
pub fn beside(middle: Camera, right_m: f32) -> Camera {
    Camera { eye: middle.eye + level(middle.orientation) * glam::Vec3::X * right_m, ..middle }
}

/// The turn about the vertical that looks as far to the side as `orientation`.
fn level(orientation: Quat) -> Quat {
    let forward = orientation * glam::Vec3::NEG_Z;
    // A camera that looks straight up or down has its upper edge ahead or behind.
    let flat =
        if forward.x.hypot(forward.z) > 1e-3 { forward } else { orientation * glam::Vec3::Y * -forward.y.signum() };
    Quat::from_rotation_y(f32::atan2(-flat.x, -flat.z))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::panorama::mapping::seen_at;

    const SIZE: (u32, u32) = (512, 256);

    fn all() -> [Tiles; 3] {
        [Eye::Only, Eye::Left, Eye::Right].map(|eye| Tiles::new(eye, 0.032, SIZE))
    }

    /// Panorama of a scene with that radiance in each direction.
    fn made(tiles: &Tiles, radiance: impl Fn(DVec3) -> [f32; 3]) -> Vec<f32> {
        let mut rgb = vec![0.0; 3 * (tiles.size.0 * tiles.size.1) as usize];
        for tile in &tiles.list {
            let camera = tiles.camera(tile, Camera::default());
            let texels =
                (0..tiles.extent.1).flat_map(|y| (0..tiles.extent.0).map(move |x| (x, y))).flat_map(|(x, y)| {
                    // Like a rasteriser: through the camera's own matrices.
                    let (width, height) = (tiles.extent.0 as f32, tiles.extent.1 as f32);
                    let ndc =
                        Vec3::new(2.0 * (x as f32 + 0.5) / width - 1.0, 1.0 - 2.0 * (y as f32 + 0.5) / height, 0.0);
                    let clip = camera.clip_from_view(width / height);
                    let seen = clip.inverse().project_point3(ndc).normalize();
                    let [r, g, b] = radiance((camera.orientation * seen).as_dvec3());
                    [r, g, b, 1.0]
                });
            tiles.add(tile, &texels.collect::<Vec<f32>>(), &mut rgb);
        }
        rgb
    }

    #[test]
    fn constant_radiance_stays_constant_seams_and_poles_included() {
        for tiles in all() {
            let rgb = made(&tiles, |_| [1.0, 0.5, 2.0]);
            for (at, pixel) in rgb.chunks_exact(3).enumerate() {
                let off = pixel.iter().zip([1.0, 0.5, 2.0]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(off < 1e-4, "pixel {} {}: {pixel:?}", at % 512, at / 512);
            }
        }
    }

    #[test]
    fn every_pixel_shows_what_lies_in_its_direction() {
        for tiles in all() {
            let size = DVec2::new(512.0, 256.0);
            let rgb = made(&tiles, |toward| (0.5 + 0.5 * toward.as_vec3()).to_array());
            for (at, pixel) in rgb.chunks_exact(3).enumerate() {
                let toward = direction(angles(DVec2::new((at % 512) as f64 + 0.5, (at / 512) as f64 + 0.5), size));
                let found = 2.0 * Vec3::from_slice(pixel) - 1.0;
                // A hundredth of a pixel.
                let off = found.distance(toward.as_vec3());
                assert!(off < 0.02 * (TAU / 512.0) as f32, "pixel {} {}: {off}", at % 512, at / 512);
            }
        }
    }

    #[test]
    fn every_tile_looks_no_farther_than_its_picture() {
        for tiles in all() {
            for tile in &tiles.list {
                let (least, greatest) = tile.bounds();
                let half = 0.5 * DVec2::new(f64::from(tiles.extent.0), f64::from(tiles.extent.1)) / tiles.density;
                assert!((tile.middle - least).cmple(half).all() && (greatest - tile.middle).cmple(half).all());
                assert!(greatest.abs().max(least.abs()).max_element() < 1.2, "{tile:?} is no narrow view");
            }
        }
    }

    #[test]
    fn narrow_strips_are_as_good_as_slits() {
        // A point as a tile sees it, and as an eye in the column's own place would.
        let tiles = Tiles::new(Eye::Left, 0.032, (4096, 2048));
        let texel = TAU / 4096.0;
        let mut worst = 0.0f64;
        for tile in tiles.list.iter().filter(|tile| tile.p[0].abs().max(tile.p[1].abs()) <= MERGES_FROM + 1e-9) {
            let edge = DVec2::new(tile.t[1], 0.5 * (tile.p[0] + tile.p[1]));
            let point = origin(Eye::Left, 0.032, edge.x) + 2.0 * direction(edge);
            let seen = (point - origin(Eye::Left, tile.radius_m, tile.center().x)).normalize();
            let off = seen.angle_between(direction(seen_at(Eye::Left, 0.032, point).expect("it is outside")));
            worst = worst.max(off / texel);
        }
        assert!(worst < 0.5, "{worst} texels at 2 m");
    }

    #[test]
    fn eyes_are_apart_at_the_horizon_and_one_at_the_poles() {
        assert_eq!((together(0.0), together(-1.0)), (1.0, 1.0));
        assert!(together(FRAC_PI_2) < 1e-9 && together(-1.3) > together(-1.5));
        let tilted = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-1.1) * Quat::from_rotation_z(0.3);
        assert!(level(tilted).angle_between(Quat::from_rotation_y(0.7)) < 1e-3);
        let down = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        assert!(level(down).angle_between(Quat::from_rotation_y(0.7)) < 1e-3);
    }
}
