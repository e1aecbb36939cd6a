//! The sea surface, seen from below and from above.

use std::f32::consts::TAU;
use std::rc::Rc;

use glam::Vec2;

use crate::gl::{
    Attribute, AttributeKind, Blend, Cull, Depth, Geometry, GlError, Program, RenderState, Texture2d, attributes::UV,
    uniforms,
};
use crate::render::constants::SURFACE_EDGE_M;
use crate::render::frame_stats::FrameStats;
use crate::render::late::LateProgram;
use crate::render::pass_cache::PassMaker;
use crate::render::passes::{WaveMaps, WaveUniforms};
use crate::scene::Camera;

/// Rings of the polar grid.
const RINGS: u32 = 56;
/// Spokes of the polar grid.
const SPOKES: u32 = 96;
/// Radius of the innermost ring. Unit: m.
const INNER_M: f32 = 0.35;

uniforms! {
    struct SurfaceUniforms<'a> {
        waves: WaveUniforms<'a>,
        wind_m_s: Vec2,
        spilling: Vec2,
        unresolved_slope_variance: f32,
        backdrop: Option<&'a Texture2d>,
    }
}

/// A grid round the eye, finer near it, moved by the wave maps.
pub struct SurfacePass {
    below: Rc<Program<SurfaceUniforms<'static>>>,
    above: LateProgram<SurfaceUniforms<'static>>,
    grid: Rc<Geometry>,
}

/// On which side of the surface the eye is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EyeSide {
    /// So deep that no trough comes down to it: all of the surface is seen from below.
    Below,
    /// In reach of the waves or over them.
    Above,
}

impl EyeSide {
    /// That of a camera at or under a sea that gets `reach_m` over or under its level.
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

    /// Draws the surface under a wind (m/s); from above what is there already shines through. `reach_m`: how far off the
    /// water still lets some of it through. `backdrop`: what it mirrors, at tiers that mirror the scene.
    pub fn draw(
        &self,
        (side, reach_m): (EyeSide, f32),
        (waves, wind): (&WaveMaps<'_>, Vec2),
        backdrop: Option<&Texture2d>,
        stats: &mut FrameStats,
    ) {
        let (program, blend, indices) = match side {
            EyeSide::Below => (Some(&*self.below), Blend::Off, indices_within(reach_m)),
            EyeSide::Above => (self.above.wait(), Blend::Over, self.grid.index_count()),
        };
        let Some(program) = program else { return };
        program.bind(&SurfaceUniforms {
            waves: waves.uniforms(),
            wind_m_s: wind,
            spilling: waves.spilling,
            unresolved_slope_variance: waves.unresolved_slope_variance,
            backdrop,
        });
        let state = RenderState { depth: Depth::Write, blend, cull: Cull::Off };
        self.grid.draw(state, 0, indices);
        stats.draws += 1;
        stats.triangles += u64::from(indices / 3);
    }
}

/// By how much a ring is wider than the one before.
fn growth() -> f32 {
    (SURFACE_EDGE_M / INNER_M).powf(1.0 / (RINGS - 1) as f32)
}

/// Indices of the triangles from the centre out to the ring that holds all within `reach_m`.
fn indices_within(reach_m: f32) -> u32 {
    let ring = ((reach_m / INNER_M).ln() / growth().ln()).ceil().clamp(0.0, (RINGS - 1) as f32) as u32;
    3 * SPOKES + 6 * SPOKES * ring
}

/// Offsets from the eye (m) and triangles: a centre, then rings whose radii grow by a constant factor.
fn polar_grid() -> (Vec<[f32; 2]>, Vec<u32>) {
    let growth = growth();
    let mut points = vec![[0.0, 0.0]];
    for ring in 0..RINGS {
        let radius = INNER_M * growth.powi(ring as i32);
        points.extend((0..SPOKES).map(|spoke| {
            let angle = TAU * (spoke as f32 + 0.5 * (ring % 2) as f32) / SPOKES as f32;
            [radius * angle.cos(), radius * angle.sin()]
        }));
    }
    let at = |ring: u32, spoke: u32| 1 + ring * SPOKES + spoke % SPOKES;
    let mut indices: Vec<u32> = (0..SPOKES).flat_map(|s| [0, at(0, s), at(0, s + 1)]).collect();
    for ring in 1..RINGS {
        indices.extend((0..SPOKES).flat_map(|s| {
            let (a, b, c, d) = (at(ring - 1, s), at(ring - 1, s + 1), at(ring, s), at(ring, s + 1));
            [a, c, d, a, d, b]
        }));
    }
    (points, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let drawn = &indices[..indices_within(reach_m) as usize];
            let rim =
                drawn.iter().map(|&i| f32::hypot(points[i as usize][0], points[i as usize][1])).fold(0.0, f32::max);
            assert!(rim * 1.0001 >= reach_m.min(SURFACE_EDGE_M), "{reach_m} m asked, {rim} m drawn");
            assert!(rim <= (reach_m * growth()).max(INNER_M) * 1.0001, "{reach_m} m asked, {rim} m drawn");
        }
        assert_eq!(indices_within(SURFACE_EDGE_M) as usize, indices.len());
    }
}
