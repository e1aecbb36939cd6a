//! Static parts of a scene: models, the ground, props.

use std::sync::Arc;

use glam::Vec3;
use model::{Image, Model};

use crate::Instance;

/// Least reach of the ground from the origin, along both axes. Unit: m.
pub const GROUND_EDGE_M: f32 = 120.0;

/// Side of [`SeabedMesh::detail`] as it is laid on the ground. Unit: m.
pub const GROUND_TILE_M: f32 = 2.6;
/// Crests of ripples across a tile of the ground.
pub const RIPPLES_A_TILE: u32 = 9;
/// Length of a ripple of the ground, crest to crest. Unit: m.
pub const RIPPLE_LENGTH_M: f32 = GROUND_TILE_M / RIPPLES_A_TILE as f32;

/// Slope (rise over run) that fills the range of the slopes in [`SeabedMesh::stone`], for a tile as wide as the grain
/// is high. Shaders turn texels into slopes by it.
pub const STONE_STEEPEST_SLOPE: f32 = 1.6;

/// Static parts of a scene, the same from frame to frame and uploaded once.
#[derive(Clone, Debug, Default)]
pub struct StaticScene {
    /// Models; [`Batch::model`](crate::Batch::model) and [`StaticBatch::model`] are indices into it.
    pub models: Vec<Arc<Model>>,
    /// The ground, if there is one.
    pub seabed: Option<SeabedMesh>,
    /// Props whose models do not move; plants sway in the vertex shader.
    pub props: Vec<StaticBatch>,
    /// Small colonies on rock, drawn near the eye only.
    pub cover: Vec<CoverBatch>,
}

/// The ground as a mesh.
#[derive(Clone, Debug, Default)]
pub struct SeabedMesh {
    /// Positions in world space.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Share of rubble among the sand at each vertex. Range 0..=1.
    pub rubble: Vec<f32>,
    /// Ambient occlusion at each vertex by the props that stand there beyond the map: 1 is open to the sky.
    pub ambient_occlusion: Vec<f32>,
    /// Indices of the corners of triangles, counter-clockwise from above.
    pub indices: Vec<u32>,
    /// Slope (rise over run) that fills the range of the slopes in `detail`.
    pub detail_slope: f32,
    /// Tiling detail, linear: rg slopes of ripples, burrows and grains (0.5 flat, steepest 0 or 1), b lightness, a
    /// rubble pattern.
    pub detail: Arc<Image>,
    /// The ground about the origin from above, linear: r lightness, g a rubble pattern, b ambient occlusion (1 open to
    /// the sky), a how high ripples and mounds are.
    pub map: Arc<Image>,
    /// Half the side of the square that `map` covers. Unit: m.
    pub map_half_m: f32,
    /// Heights over the ground's mean depth at the middles of the cells of a grid over the same square, rows along x.
    /// Unit: m.
    pub heights_m: Arc<[f32]>,
    /// Tiling grain of rocks, linear: rg slopes (0.5 flat), b height, a where crusts grow.
    pub stone: Arc<Image>,
}

/// All instances of one model that stay in place.
#[derive(Clone, Debug, Default)]
pub struct StaticBatch {
    /// Index into [`StaticScene::models`].
    pub model: usize,
    /// The instances.
    pub instances: Vec<Instance>,
    /// Sway of their tops, 0 rigid.
    pub sway: f32,
    /// Height of the ground on the model. Unit: model units.
    pub ground_line: f32,
}

/// All colonies of one kind that grow on rock.
#[derive(Clone, Debug, Default)]
pub struct CoverBatch {
    /// Index into [`StaticScene::models`].
    pub model: usize,
    /// Sway of their tops, 0 rigid.
    pub sway: f32,
    /// Height of the rock's face on the model. Unit: model units.
    pub ground_line: f32,
    /// Colonies by the rock that they grow on.
    pub patches: Vec<CoverPatch>,
}

/// Colonies of one kind on one rock.
#[derive(Clone, Debug, Default)]
pub struct CoverPatch {
    /// Middle of a sphere that holds the places of all. Unit: m.
    pub center: Vec3,
    /// Radius of the sphere. Unit: m.
    pub radius: f32,
    /// The instances.
    pub instances: Vec<Instance>,
}

impl CoverPatch {
    /// A patch of these instances; `None` if there are none.
    pub fn of(instances: Vec<Instance>) -> Option<Self> {
        let places = || instances.iter().map(|instance| instance.position);
        let (low, high) = places().fold(None, |span: Option<(Vec3, Vec3)>, p| {
            Some(span.map_or((p, p), |(low, high)| (low.min(p), high.max(p))))
        })?;
        let center = 0.5 * (low + high);
        let radius = places().map(|p| p.distance(center)).fold(0.0, f32::max);
        Some(Self { center, radius, instances })
    }
}
