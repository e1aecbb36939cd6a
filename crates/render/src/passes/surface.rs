//! The sea surface, seen from below and from above.

use std::f32::consts::TAU;
use std::ops::Range;
use std::rc::Rc;

use gl::{
    Attribute, AttributeKind, Blend, Cull, Depth, Geometry, GlError, Program, RenderState, Texture2d, attributes::UV,
    uniforms,
};
use glam::{Vec2, Vec3};
use view::Camera;

use crate::constants::SURFACE_EDGE_M;
use crate::cull::Frustum;
use crate::deferred::DeferredProgram;
use crate::frame_stats::FrameStats;
use crate::pass_cache::PassMaker;
use crate::passes::{WaveMaps, WaveUniforms};
use crate::patches::draw_ranges;

/// Rings of the polar grid.
const RINGS: u32 = 56;
/// Spokes of the polar grid.
const SPOKES: u32 = 96;
/// Equal parts of the grid about the eye, of which those in view are drawn.
const SECTORS: u32 = 16;
/// Spokes of a sector.
const SECTOR_SPOKES: u32 = SPOKES / SECTORS;
/// Greatest displacement of points of the sea, as a multiple of its height: they move to the side as well.
const DISPLACEMENT_MARGIN: f32 = 2.0;
/// Radius of the innermost ring. Unit: m.
const INNER_M: f32 = 0.35;

uniforms! {
    struct SurfaceUniforms<'a> {
        waves: WaveUniforms<'a>,
        wind_m_s: Vec2,
        spilling: Vec2,
        unresolved_slope_variance: f32,
        backdrop: Option<&'a Texture2d>,
        caustic_map: &'a Texture2d,
    }
}

/// A grid round the eye, finer near it, moved by the wave maps.
pub struct SurfacePass {
    below: Rc<Program<SurfaceUniforms<'static>>>,
    above: DeferredProgram<SurfaceUniforms<'static>>,
    grid: Rc<Geometry>,
}

/// Side of the surface that the eye is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EyeSide {
    /// So deep that no trough comes down to it: all of the surface is seen from below.
    Below,
    /// In reach of the waves or over them.
    Above,
}

impl EyeSide {
    /// Side of a camera, under a sea that gets `reach_m` over or under its level.
    pub fn of(camera: &Camera, reach_m: f32) -> Self {
        if camera.eye.y < -reach_m - 2.0 * camera.near { Self::Below } else { Self::Above }
    }
}

impl SurfacePass {
    /// Compiles the shaders and makes the grid.
    ///
    /// # Errors
    /// If a shader fails or an object is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        const FILES: (&str, &str) = ("surface.vert.glsl", "surface.frag.glsl");
        let (below, above) = (make.program(FILES, &[("ABOVE", 0)])?, make.late_program(FILES, &[("ABOVE", 1)])?);
        let grid = make.shared("sea surface", || {
            let (points, indices) = polar_grid();
            let layout = [Attribute { location: UV, components: 2, kind: AttributeKind::F32, offset: 0 }];
            Geometry::new(make.gl, "sea surface", bytemuck::cast_slice(&points), 8, &layout, &indices).map(Rc::new)
        })?;
        Ok(Self { below, above, grid })
    }

    /// Draws the sectors of the surface in view under a wind (m/s); from above the picture drawn so far shines through.
    /// `reach_m`: greatest distance at which the water lets some of it through. `backdrop`: the scene that it mirrors,
    /// at tiers that do so. `caustic_map`: the light on the ground, for tiers that mirror that.
    pub fn draw(
        &self,
        (side, view, reach_m): (EyeSide, &Frustum, f32),
        (waves, wind): (&WaveMaps<'_>, Vec2),
        (backdrop, caustic_map): (Option<&Texture2d>, &Texture2d),
        stats: &mut FrameStats,
    ) {
        let (program, blend, ring) = match side {
            EyeSide::Below => (Some(&*self.below), Blend::Off, ring_at(reach_m)),
            EyeSide::Above => (self.above.wait(), Blend::Over, RINGS - 1),
        };
        let Some(program) = program else { return };
        program.bind(&SurfaceUniforms {
            waves: waves.uniforms(),
            wind_m_s: wind,
            spilling: waves.spilling,
            unresolved_slope_variance: waves.unresolved_slope_variance,
            backdrop,
            caustic_map,
        });
        let state = RenderState { depth: Depth::Write, blend, cull: Cull::Off };
        let in_view =
            |sector: &u32| view.may_show(&sector_hull(*sector, ring, view.eye()), DISPLACEMENT_MARGIN * waves.reach_m);
        draw_ranges(&self.grid, state, (0..SECTORS).filter(in_view).map(|sector| indices_within(sector, ring)), stats);
    }
}

/// Ratio of a ring's radius to that of the one before.
fn growth() -> f32 {
    (SURFACE_EDGE_M / INNER_M).powf(1.0 / (RINGS - 1) as f32)
}

/// The ring that holds all within `reach_m`.
fn ring_at(reach_m: f32) -> u32 {
    ((reach_m / INNER_M).ln() / growth().ln()).ceil().clamp(0.0, (RINGS - 1) as f32) as u32
}

/// Radius of a ring. Unit: m.
fn radius_m(ring: u32) -> f32 {
    INNER_M * growth().powi(ring as i32)
}

/// Range of the indices of a sector's triangles, from the centre out to a ring.
fn indices_within(sector: u32, ring: u32) -> Range<u32> {
    let count = |ring: u32| SECTOR_SPOKES * (3 + 6 * ring);
    let first = sector * count(RINGS - 1);
    first..first + count(ring)
}

/// A triangle that holds a sector out to a ring, on a calm sea about the eye.
fn sector_hull(sector: u32, ring: u32, eye: Vec3) -> [Vec3; 3] {
    let first = TAU * (sector * SECTOR_SPOKES) as f32 / SPOKES as f32;
    // Every other ring is turned by half a spoke.
    let last = first + TAU * (SECTOR_SPOKES as f32 + 0.5) / SPOKES as f32;
    let center = Vec3::new(eye.x, 0.0, eye.z);
    let rim_m = radius_m(ring) / (0.5 * (last - first)).cos();
    let corner = |angle: f32| center + rim_m * Vec3::new(angle.cos(), 0.0, angle.sin());
    [center, corner(first), corner(last)]
}

/// Offsets from the eye (m) and triangles: a centre, then rings whose radii grow by a constant factor. Sector by
/// sector, each from the centre outward.
fn polar_grid() -> (Vec<[f32; 2]>, Vec<u32>) {
    let mut points = vec![[0.0, 0.0]];
    for ring in 0..RINGS {
        let radius = radius_m(ring);
        points.extend((0..SPOKES).map(|spoke| {
            let angle = TAU * (spoke as f32 + 0.5 * (ring % 2) as f32) / SPOKES as f32;
            [radius * angle.cos(), radius * angle.sin()]
        }));
    }
    let at = |ring: u32, spoke: u32| 1 + ring * SPOKES + spoke % SPOKES;
    let mut indices = Vec::new();
    for sector in 0..SECTORS {
        let spokes = sector * SECTOR_SPOKES..(sector + 1) * SECTOR_SPOKES;
        indices.extend(spokes.clone().flat_map(|s| [0, at(0, s), at(0, s + 1)]));
        for ring in 1..RINGS {
            indices.extend(spokes.clone().flat_map(|s| {
                let (a, b, c, d) = (at(ring - 1, s), at(ring - 1, s + 1), at(ring, s), at(ring, s + 1));
                [a, c, d, a, d, b]
            }));
        }
    }
    (points, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_sector(sector: u32, ring: u32) -> Range<usize> {
        let Range { start, end } = indices_within(sector, ring);
        start as usize..end as usize
    }

    #[test]
    fn the_grid_covers_its_disc_once() {
        let (points, indices) = polar_grid();
        let area: f32 = indices
            .chunks_exact(3)
            .map(|t| {
                let [a, b, c] = [points[t[0] as usize], points[t[1] as usize], points[t[2] as usize]];
                0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs()
            })
            .sum();
        let disc = std::f32::consts::PI * SURFACE_EDGE_M * SURFACE_EDGE_M;
        assert!((area / disc - 1.0).abs() < 0.01, "{}", area / disc);
    }

    #[test]
    fn what_is_drawn_reaches_as_far_as_asked() {
        let (points, indices) = polar_grid();
        for reach_m in [0.1, 1.0, 12.5, 399.0, 400.0, 1e6] {
            let drawn = &indices[of_sector(0, ring_at(reach_m))];
            let rim =
                drawn.iter().map(|&i| f32::hypot(points[i as usize][0], points[i as usize][1])).fold(0.0, f32::max);
            assert!(rim * 1.0001 >= reach_m.min(SURFACE_EDGE_M), "{reach_m} m asked, {rim} m drawn");
            assert!(rim <= (reach_m * growth()).max(INNER_M) * 1.0001, "{reach_m} m asked, {rim} m drawn");
        }
        assert_eq!(of_sector(SECTORS - 1, ring_at(SURFACE_EDGE_M)).end, indices.len());
    }

    #[test]
    fn a_sector_is_within_its_hull() {
        let (points, indices) = polar_grid();
        let eye = Vec3::new(3.0, -5.0, 4.0);
        for (sector, ring) in [(0, 0), (3, 7), (10, 30), (SECTORS - 1, RINGS - 1)] {
            let [apex, a, b] = sector_hull(sector, ring, eye);
            for [x, z] in indices[of_sector(sector, ring)].iter().map(|&index| points[index as usize]) {
                let at = Vec3::new(eye.x + x, 0.0, eye.z + z);
                let inward =
                    [(apex, a), (a, b), (b, apex)].map(|(from, to)| (at - from).cross((to - from).normalize()).y);
                assert!(inward.iter().all(|side| *side > -1e-3), "sector {sector}, ring {ring}: {at} has {inward:?}");
            }
        }
    }
}
