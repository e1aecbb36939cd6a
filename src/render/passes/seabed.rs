//! The ground.

use crate::gl::{
    Attribute, AttributeKind, Filter, Format, Geometry, Gl, GlError, Program, RenderState, Texture2d, Uniform, Wrap,
    attributes::{NORMAL, POSITION, RUBBLE_OCCLUSION},
};
use crate::model::Image;
use crate::render::FrameStats;
use crate::render::passes::{MeshInputs, program};
use crate::render::shaders::ShaderSource;
use crate::scene::SeabedMesh;

/// Length of a ripple, crest to crest, in the detail map as it is laid on the ground. Unit: m.
const RIPPLE_LENGTH_M: f32 = 0.29;

/// Draws the ground's mesh with its detail map.
pub struct SeabedPass {
    program: Program,
    ground: Option<Ground>,
}

struct Ground {
    geometry: Geometry,
    detail: Texture2d,
    map: Texture2d,
    map_half_m: f32,
    stone: Texture2d,
    ripple_slope: f32,
}

impl SeabedPass {
    /// Without ground yet.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(gl: &Gl, source: &ShaderSource) -> Result<Self, GlError> {
        Ok(Self { program: program(gl, source, ("seabed.vert.glsl", "seabed.frag.glsl"), &[])?, ground: None })
    }

    /// Takes over the stage's ground, or none.
    ///
    /// # Errors
    /// If the driver refuses an object; the old ground stays.
    pub fn load(&mut self, gl: &Gl, seabed: Option<&SeabedMesh>, filter: Filter) -> Result<(), GlError> {
        self.ground = seabed.map(|mesh| Ground::new(gl, mesh, filter)).transpose()?;
        Ok(())
    }

    /// Keeps `other`'s ground: for changing shaders.
    pub fn take_ground(&mut self, other: &mut Self) {
        self.ground = other.ground.take();
    }

    /// The grain of rocks, if there is a ground for them to stand on.
    pub fn stone(&self) -> Option<&Texture2d> {
        self.ground.as_ref().map(|ground| &ground.stone)
    }

    /// Draws the ground, if there is one.
    pub fn draw(&self, inputs: &MeshInputs<'_>, stats: &mut FrameStats) {
        let Some(ground) = &self.ground else { return };
        self.program.bind(&[
            ("detail_map", Uniform::Texture(&ground.detail)),
            ("ground_map", Uniform::Texture(&ground.map)),
            ("map_half_m", Uniform::Float(ground.map_half_m)),
            ("ripple_slope", Uniform::Float(ground.ripple_slope)),
            ("shadow_map", Uniform::Texture(inputs.shadow)),
        ]);
        inputs.caustics.set(&self.program);
        ground.geometry.draw(RenderState::OPAQUE, 0, ground.geometry.index_count());
        stats.draws += 1;
        stats.triangles += u64::from(ground.geometry.index_count() / 3);
    }
}

impl Ground {
    fn new(gl: &Gl, mesh: &SeabedMesh, filter: Filter) -> Result<Self, GlError> {
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
        Ok(Self { geometry, detail, map, map_half_m: mesh.map_half_m, stone, ripple_slope })
    }
}
