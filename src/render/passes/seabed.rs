//! The ground.

use std::rc::Rc;

use crate::gl::{
    Attribute, AttributeKind, Filter, Format, Geometry, Gl, GlError, Program, RenderState, Texture2d, Wrap,
    attributes::{NORMAL, POSITION, RUBBLE_OCCLUSION},
    uniforms,
};
use crate::model::Image;
use crate::render::FrameStats;
use crate::render::pass_cache::PassMaker;
use crate::render::passes::LightMaps;
use crate::scene::SeabedMesh;

/// Length of a ripple, crest to crest, in the detail map as it is laid on the ground. Unit: m.
const RIPPLE_LENGTH_M: f32 = 0.29;

uniforms! {
    struct SeabedUniforms<'a> {
        detail_map: &'a Texture2d,
        ground_map: &'a Texture2d,
        map_half_m: f32,
        ripple_slope: f32,
        light: LightMaps<'a>,
    }
}

/// Draws the ground's mesh with its detail map.
pub struct SeabedPass {
    program: Rc<Program<SeabedUniforms<'static>>>,
}

/// The ground on the GPU.
pub struct Ground {
    geometry: Geometry,
    detail: Texture2d,
    map: Texture2d,
    map_half_m: f32,
    ripple_slope: f32,
    /// The grain of the rocks that stand on it.
    pub stone: Texture2d,
}

impl SeabedPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        Ok(Self { program: make.program(("seabed.vert.glsl", "seabed.frag.glsl"), &[])? })
    }

    /// Draws the ground.
    pub fn draw(&self, ground: &Ground, light: &LightMaps<'_>, stats: &mut FrameStats) {
        self.program.bind(&SeabedUniforms {
            detail_map: &ground.detail,
            ground_map: &ground.map,
            map_half_m: ground.map_half_m,
            ripple_slope: ground.ripple_slope,
            light: *light,
        });
        ground.geometry.draw(RenderState::OPAQUE, 0, ground.geometry.index_count());
        stats.draws += 1;
        stats.triangles += u64::from(ground.geometry.index_count() / 3);
    }
}

impl Ground {
    /// Uploads it.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(gl: &Gl, mesh: &SeabedMesh, filter: Filter) -> Result<Self, GlError> {
        let ground = mesh.rubble.iter().zip(&mesh.ambient_occlusion);
        let vertices: Vec<[f32; 8]> = (mesh.positions.iter().zip(&mesh.normals).zip(ground))
            .map(|((p, n), (rubble, ambient_occlusion))| [p.x, p.y, p.z, n.x, n.y, n.z, *rubble, *ambient_occlusion])
            .collect();
        let float = |location, components, offset| Attribute { location, components, kind: AttributeKind::F32, offset };
        let layout = [float(POSITION, 3, 0), float(NORMAL, 3, 12), float(RUBBLE_OCCLUSION, 2, 24)];
        let geometry = Geometry::new(gl, "seabed", bytemuck::cast_slice(&vertices), 32, &layout, &mesh.indices)?;
        let texture = |image: &Image| {
            let texels = Some(image.rgba.as_slice());
            Texture2d::new(gl, &image.name, (image.width, image.height), Format::Rgba8, filter, Wrap::Repeat, texels)
        };
        let (detail, map, stone) = (texture(&mesh.detail)?, texture(&mesh.map)?, texture(&mesh.stone)?);
        // A sine's steepest slope is pi times its height, trough to crest, over its length.
        let ripple_slope = std::f32::consts::PI * mesh.ripple_height_m / RIPPLE_LENGTH_M;
        Ok(Self { geometry, detail, map, map_half_m: mesh.map_half_m, ripple_slope, stone })
    }
}
