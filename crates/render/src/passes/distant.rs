//! Animals too small in the picture to be worth light at each vertex: one recorded draw computes the values that all
//! vertices of one have in common, and the draws that follow take them as attributes of the instance.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use gl::{
    Attribute, Buffer, BufferKind, Gl, GlError, Instances, Procedural, Program, Texture2d,
    attributes::{
        DISTANT_ABOVE, DISTANT_ADDED, DISTANT_BEAM, DISTANT_BELOW, DISTANT_BEND_X, DISTANT_BEND_Y, DISTANT_BEND_Z,
        DISTANT_BESIDE, DISTANT_MIRRORED, DISTANT_PLACE, DISTANT_ROTATION,
    },
    feedback, uniforms,
};
use glam::{Vec2, Vec3, Vec4};
use model::Material;

use crate::deferred::DeferredProgram;
use crate::models::{Distance, GpuBend, GpuLod, GpuModel, InstanceData, Skinning, float4};
use crate::pass_cache::PassMaker;
use crate::passes::LightMaps;
use crate::vertices::VertexUniforms;

/// Record of an instance by `distant_light.vert.glsl`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Record {
    place: [f32; 4],
    rotation: [f32; 4],
    bend_x: [f32; 4],
    bend_y: [f32; 4],
    bend_z: [f32; 4],
    beam: [f32; 4],
    above: [f32; 4],
    below: [f32; 4],
    beside: [f32; 4],
    mirrored: [f32; 4],
    added: [f32; 4],
}

/// Outputs of that shader, as they lie in a [`Record`].
const OUTPUTS: [&str; 11] =
    ["place", "rotation", "bend_x", "bend_y", "bend_z", "beam", "above", "below", "beside", "mirrored", "added"];

impl InstanceData for Record {
    const LAYOUT: &'static [Attribute] = &[
        float4(DISTANT_PLACE, offset_of!(Record, place)),
        float4(DISTANT_ROTATION, offset_of!(Record, rotation)),
        float4(DISTANT_BEND_X, offset_of!(Record, bend_x)),
        float4(DISTANT_BEND_Y, offset_of!(Record, bend_y)),
        float4(DISTANT_BEND_Z, offset_of!(Record, bend_z)),
        float4(DISTANT_BEAM, offset_of!(Record, beam)),
        float4(DISTANT_ABOVE, offset_of!(Record, above)),
        float4(DISTANT_BELOW, offset_of!(Record, below)),
        float4(DISTANT_BESIDE, offset_of!(Record, beside)),
        float4(DISTANT_MIRRORED, offset_of!(Record, mirrored)),
        float4(DISTANT_ADDED, offset_of!(Record, added)),
    ];
}

uniforms! {
    struct LightUniforms<'a> {
        caustic_map: &'a Texture2d,
        shadow_map: &'a Texture2d,
        bend_map: &'a Texture2d,
        length_mu: f32,
    }
}

uniforms! {
    struct DistantUniforms<'a> {
        vertex: VertexUniforms,
        bend_axis: Vec2,
        sheet_axis: Vec3,
        albedo_map: &'a Texture2d,
        base_color: Vec4,
        specular: Vec3,
        shininess: f32,
        translucency: f32,
        alpha_cutoff: f32,
        mirror_reflectance: f32,
    }
}

type DistantProgram = DeferredProgram<DistantUniforms<'static>>;

/// Lights and draws distant animals.
pub struct Distant {
    gl: Gl,
    light: DeferredProgram<LightUniforms<'static>>,
    /// Programs of specks, by whether the flanks mirror, and whether they fade.
    specks: [[DistantProgram; 2]; 2],
    /// Programs with a texture, by whether the flanks mirror, and whether the texture has holes or they fade.
    textured: [[DistantProgram; 2]; 2],
    points: Procedural,
    records: Buffer,
}

impl Distant {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If one fails.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let program = |silver: i32, alpha_test: i32, specks: i32| {
            let [joints, _, morphed, coloured] = Skinning::RIGID.defines();
            // Metal is never drawn as distant.
            let of_material = [("METAL", 0), ("SILVER", silver), ("ALPHA_TEST", alpha_test), ("SPECKS", specks)];
            let defines = [[joints, morphed, coloured].as_slice(), &of_material].concat();
            make.late_program(("distant.vert.glsl", "distant.frag.glsl"), &defines)
        };
        Ok(Self {
            gl: make.gl.clone(),
            light: make.late_recording_program("distant_light.vert.glsl", &OUTPUTS)?,
            specks: [[program(0, 0, 1)?, program(0, 1, 1)?], [program(1, 0, 1)?, program(1, 1, 1)?]],
            textured: [[program(0, 0, 0)?, program(0, 1, 0)?], [program(1, 0, 0)?, program(1, 1, 0)?]],
            points: Procedural::new(make.gl)?,
            records: Buffer::streaming(make.gl, "distant animals", BufferKind::Vertices)?,
        })
    }

    /// Lights `runs`, each the instances of a model that bends by a formula; [`Self::run`] has them in this order.
    ///
    /// # Errors
    /// If the driver has no memory for them; there are none then.
    pub fn light<'a>(
        &self,
        runs: impl Iterator<Item = (&'a GpuModel, Instances<'a>)> + Clone,
        light: &LightMaps<'_>,
    ) -> Result<(), GlError> {
        let count: usize = runs.clone().map(|(_, instances)| instances.count).sum();
        if count == 0 {
            return Ok(());
        }
        self.records.reserve(count * size_of::<Record>())?;
        let mut runs = runs.filter_map(|(model, instances)| Some((model.bend.as_ref()?, instances))).peekable();
        let (Some((first, _)), Some(program)) = (runs.peek(), self.light.get()) else { return Ok(()) };
        let uniforms = |bend: &'a GpuBend| LightUniforms {
            caustic_map: light.caustics.caustic_map,
            shadow_map: light.shadow_map,
            bend_map: &bend.map,
            length_mu: 2.0 / bend.axis.y,
        };
        // The program may not change while records are taken.
        program.bind(&uniforms(first));
        feedback::record(&self.gl, &self.records, || {
            for (bend, instances) in runs {
                program.set(&uniforms(bend));
                self.points.points(&instances);
            }
        });
        Ok(())
    }

    /// The `count` instances from `first` on of those lit last.
    pub fn run(&self, first: usize, count: usize) -> Instances<'_> {
        Instances { buffer: &self.records, layout: Record::LAYOUT, stride: size_of::<Record>(), first, count }
    }

    /// Whether a level of detail of a model, fading or not, can be drawn: its programs are compiled.
    pub fn can_draw(&self, model: &GpuModel, (lod, fading): (&GpuLod, bool)) -> bool {
        let mut materials = lod.meshes.iter().map(|mesh| &model.materials[mesh.material]);
        self.light.get().is_some() && materials.all(|material| self.program((lod, fading), material).is_some())
    }

    fn program(
        &self,
        (lod, fading): (&GpuLod, bool),
        material: &Material,
    ) -> Option<&Program<DistantUniforms<'static>>> {
        let (alpha_test, silver) = (material.alpha_cutoff > 0.0, usize::from(material.mirror_reflectance > 0.0));
        match lod.distance {
            Distance::Speck => self.specks[silver][usize::from(fading)].get(),
            Distance::Near | Distance::Far => self.textured[silver][usize::from(alpha_test || fading)].get(),
        }
    }

    /// Binds the program that draws a mesh of `material` at a level of detail, fading or not, if it is compiled.
    pub fn bind(
        &self,
        (model, bend): (&GpuModel, &GpuBend),
        of: (&GpuLod, bool),
        material: &Material,
        albedo_map: &Texture2d,
    ) -> Option<()> {
        let (program, (lod, _)) = (self.program(of, material)?, of);
        program.bind(&DistantUniforms {
            vertex: model.vertex,
            bend_axis: bend.axis,
            sheet_axis: if lod.is_sheet { bend.thin } else { Vec3::ZERO },
            albedo_map,
            base_color: material.base_color.into(),
            specular: material.specular.into(),
            shininess: material.shininess,
            translucency: material.translucency,
            alpha_cutoff: material.alpha_cutoff,
            mirror_reflectance: material.mirror_reflectance,
        });
        Some(())
    }
}
