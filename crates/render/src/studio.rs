//! A model on its own in a studio: clear air, three lamps, a floor with a soft shadow.
//!
//! Vertices, palette and materials are those of a frame ([`GpuModels`], `skinning.glsl`); light, floor and lines are
//! its own.

mod joint_colours;
mod lines;

use std::collections::HashMap;
use std::sync::Arc;

use gl::{
    Blend, Cull, Depth, Filter, Format, Gl, GlError, Procedural, Program, RenderState, RenderTarget, TargetFormat,
    Texture2d, UniformSet, Wrap, uniforms,
};
use glam::{Mat4, Vec2, Vec3, Vec4};
use model::{Lod, Model};
use view::{Camera, LIGHTS};

use crate::frame::Capture;
use crate::frame_uniforms::{FRAME_BLOCK, FrameBlock, FrameUniforms};
use crate::material_maps::{MapKey, MaterialMaps};
use crate::models::{GpuLod, GpuModel, GpuModels, Skinning, SkinningUniforms};
use crate::shaders::ShaderSource;
use crate::textures::TextureRules;
use crate::vertices::VertexUniforms;

pub(crate) use joint_colours::glsl as joint_colours_glsl;
pub use joint_colours::joint_colour;
pub use lines::Line;
use lines::LineDrawing;

/// Side of the map of the shadow on the floor. Unit: texels.
const SHADOW_TEXELS: u32 = 192;
/// Half the side of the square of the floor that it covers. Unit: radii of the model.
const SHADOW_SIDE: f32 = 2.5;
/// Texels from sample to sample of its blur.
const BLUR_STEP: f32 = 1.6;
/// Distance of the floor below swimming animals. Unit: radii of the model.
const HOVER: f32 = 0.14;

/// A lamp: its place (right, up, toward the eye) and its light.
type Lamp = ([f32; 3], [f32; 3]);

/// Key, fill and rim. They go round with the eye: form is flattered from every side.
const LAMPS: [Lamp; 3] = [
    ([-0.55, 0.80, 0.45], [1.75, 1.66, 1.50]),
    ([0.85, 0.25, 0.45], [0.17, 0.22, 0.30]),
    ([0.60, 0.50, -0.85], [1.7, 1.9, 2.2]),
];

uniforms! {
    struct PlaceUniforms<'a> {
        vertex: VertexUniforms,
        skinning: SkinningUniforms<'a>,
        place: Vec4,
        row: Option<f32>,
    }
}

uniforms! {
    struct SurfaceUniforms<'a> {
        at: PlaceUniforms<'a>,
        joint: Option<i32>,
        maps: MaterialMaps<'a>,
        base_color: Vec4,
        specular: Vec3,
        emissive: Vec3,
        shininess: f32,
        alpha_cutoff: f32,
        translucency: f32,
        mirror: f32,
        paint: i32,
        edges: f32,
    }
}

uniforms! {
    struct SilhouetteUniforms<'a> {
        at: PlaceUniforms<'a>,
        albedo_map: &'a Texture2d,
        alpha_cutoff: f32,
        floor_y: f32,
    }
}

uniforms! {
    struct BlurUniforms<'a> {
        picture: &'a Texture2d,
        step_uv: Vec2,
    }
}

uniforms! {
    struct FloorUniforms<'a> {
        shadow_map: &'a Texture2d,
        backdrop: Vec3,
        floor_y: f32,
        shadow_side: f32,
        grid: f32,
    }
}

uniforms! {
    struct AntialiasUniforms<'a> {
        picture: &'a Texture2d,
    }
}

/// Appearance of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Its materials.
    Materials,
    /// Clay.
    Clay,
    /// The weights of a joint, or each joint in a colour of its own.
    Weights(Option<usize>),
}

/// View of a model in the studio.
#[derive(Clone, Copy, Debug)]
pub struct StudioView<'a> {
    /// The eye, in the studio: the model fills a ball of radius 1 about the origin.
    pub camera: Camera,
    /// Row of the palette.
    pub row: f32,
    /// Level of detail; the coarsest if there are fewer.
    pub lod: usize,
    /// Appearance of its surface.
    pub paint: Paint,
    /// Whether the sides of its triangles show.
    pub wireframe: bool,
    /// Colour of the backdrop, linear.
    pub backdrop: [f32; 3],
    /// Distance of the grid's lines, model units; 0 for none.
    pub grid: f32,
    /// Lines over it, from and to places in model space.
    pub lines: &'a [Line],
}

/// Renderer of models in a studio.
pub struct Studio {
    gl: Gl,
    source: ShaderSource,
    surfaces: HashMap<(Skinning, MapKey), Surface>,
    blur: Program<BlurUniforms<'static>>,
    floor: Program<FloorUniforms<'static>>,
    antialias: Program<AntialiasUniforms<'static>>,
    lines: LineDrawing,
    frame: FrameBlock,
    quads: Procedural,
    shadows: [RenderTarget; 2],
    picture: RenderTarget,
    subject: Subject,
}

/// The programs for vertices that move alike.
struct Surface {
    lit: Program<SurfaceUniforms<'static>>,
    silhouette: Program<SilhouetteUniforms<'static>>,
}

/// The model and its place.
struct Subject {
    models: GpuModels,
    center: Vec3,
    scale: f32,
    floor_y: f32,
}

impl Studio {
    /// A studio with a model in it, for pictures of a size in pixels.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses an object.
    pub fn new(gl: &Gl, source: &ShaderSource, size: (u32, u32), model: &Model) -> Result<Self, GlError> {
        let fullscreen = "fullscreen.vert.glsl";
        let shadow = || {
            let format =
                TargetFormat { colors: &[(Format::Rgba8, Filter::Linear, Wrap::Clamp)], depth: Some(Filter::Nearest) };
            RenderTarget::new(gl, "studio shadow", (SHADOW_TEXELS, SHADOW_TEXELS), &format)
        };
        let mut studio = Self {
            gl: gl.clone(),
            source: source.clone(),
            surfaces: HashMap::new(),
            blur: program(gl, source, (fullscreen, "studio_blur.frag.glsl"), &[])?,
            floor: program(gl, source, (fullscreen, "studio_floor.frag.glsl"), &[])?,
            antialias: program(gl, source, (fullscreen, "antialias.frag.glsl"), &[("SUPERSAMPLED", 0)])?,
            lines: LineDrawing::new(gl, program(gl, source, ("lines.vert.glsl", "lines.frag.glsl"), &[])?)?,
            frame: FrameBlock::new(gl)?,
            quads: Procedural::new(gl)?,
            shadows: [shadow()?, shadow()?],
            picture: picture(gl, size)?,
            subject: Subject { models: GpuModels::default(), center: Vec3::ZERO, scale: 1.0, floor_y: 0.0 },
        };
        studio.show(model)?;
        Ok(studio)
    }

    /// Puts a model in place of the one before.
    ///
    /// # Errors
    /// If the driver refuses an object; the one before stays.
    pub fn show(&mut self, model: &Model) -> Result<(), GlError> {
        let apart = Model { lods: model.lods.iter().map(unshared).collect(), ..model.clone() };
        let models = GpuModels::new(&self.gl, &[Arc::new(apart)], TextureRules::FINEST)?;
        let shown = &models.models[0];
        for key in shown.lods.iter().flat_map(|lod| keys(shown, lod)) {
            if !self.surfaces.contains_key(&key) {
                let (skinning, maps) = key;
                let defines = [skinning.defines().as_slice(), &maps.defines(), &[("BLEND", 0), ("METAL", 1)]].concat();
                let surface = Surface {
                    lit: program(&self.gl, &self.source, ("studio.vert.glsl", "studio.frag.glsl"), &defines)?,
                    silhouette: program(
                        &self.gl,
                        &self.source,
                        ("studio.vert.glsl", "studio_silhouette.frag.glsl"),
                        &defines,
                    )?,
                };
                self.surfaces.insert(key, surface);
            }
        }
        let center = model.bounds.center();
        let radius = model.bounds.radius();
        let scale = if radius > 0.0 && radius.is_finite() { radius.recip() } else { 1.0 };
        let hover = if model.skeleton.moves() { HOVER } else { 0.0 };
        let floor_y = (model.bounds.min.y - center.y) * scale - hover;
        self.subject = Subject { models, center, scale, floor_y };
        Ok(())
    }

    /// Adds these weights to those that the clips of `model`, which is shown, give its morphs.
    ///
    /// # Errors
    /// If the driver refuses an object; the shape before stays.
    pub fn add_morph_weights(&mut self, model: &Model, added: &[f32]) -> Result<(), GlError> {
        self.subject.models.models[0].add_morph_weights(&self.gl, model, added)
    }

    /// Follows the picture's size in pixels.
    ///
    /// # Errors
    /// If the driver refuses a target of that size; the picture stays as large as it was.
    pub fn resize(&mut self, size: (u32, u32)) -> Result<(), GlError> {
        self.picture = picture(&self.gl, size)?;
        Ok(())
    }

    /// Draws the model into `output`, of the studio's size; `None` for the context's own framebuffer.
    ///
    /// # Errors
    /// If the driver has no memory for it.
    pub fn draw(&self, view: &StudioView<'_>, output: Option<&RenderTarget>) -> Result<(), GlError> {
        let size = self.picture.extent();
        let aspect = size.0 as f32 / size.1 as f32;
        let clip_from_world = view.camera.clip_from_view(aspect) * view.camera.view_from_world();
        let lamps = lamps(&view.camera);
        self.draw_shadow(view, lamps[0].0)?;

        let lit = |values: [Vec3; 3]| -> [Vec4; LIGHTS] {
            std::array::from_fn(|i| values.get(i).map_or(Vec4::ZERO, |value| value.extend(0.0)))
        };
        self.frame.upload(&FrameUniforms {
            clip_from_world,
            world_from_clip: clip_from_world.inverse(),
            eye_ws: view.camera.eye,
            light_direction: lit(lamps.map(|(toward, _)| toward)),
            light_intensity: lit(lamps.map(|(_, light)| light)),
            ..FrameUniforms::default()
        })?;
        self.picture.begin();
        self.picture.clear([0.0; 4]);
        self.floor.bind(&FloorUniforms {
            shadow_map: self.shadows[0].color(0),
            backdrop: view.backdrop.into(),
            floor_y: self.subject.floor_y,
            shadow_side: SHADOW_SIDE,
            grid: view.grid * self.subject.scale,
        });
        self.quads.fullscreen();
        self.draw_surface(view, false);
        self.draw_surface(view, true);

        gl::present(&self.gl, output, size);
        self.antialias.bind(&AntialiasUniforms { picture: self.picture.color(0) });
        self.quads.fullscreen();
        let clip_from_model = clip_from_world * self.world_from_model();
        self.lines.draw(view.lines, clip_from_model, size)
    }

    /// The picture of [`Self::draw`], read back.
    ///
    /// # Errors
    /// If the driver refuses a target.
    pub fn capture(&self, view: &StudioView<'_>) -> Result<Capture, GlError> {
        let (width, height) = self.picture.extent();
        let target = picture(&self.gl, (width, height))?;
        self.draw(view, Some(&target))?;
        let mut rgba = target.read_u8(0);
        rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
        Ok(Capture::Display { width, height, rgba })
    }

    /// Matrix from model space to the studio.
    pub fn world_from_model(&self) -> Mat4 {
        Mat4::from_scale(Vec3::splat(self.subject.scale)) * Mat4::from_translation(-self.subject.center)
    }

    fn model(&self) -> &GpuModel {
        &self.subject.models.models[0]
    }

    fn level(&self, view: &StudioView<'_>) -> &GpuLod {
        let lods = &self.model().lods;
        &lods[view.lod.min(lods.len() - 1)]
    }

    fn place(&self, row: f32) -> PlaceUniforms<'_> {
        let Subject { center, scale, .. } = self.subject;
        let (model, place) = (self.model(), center.extend(scale));
        PlaceUniforms { vertex: model.vertex, skinning: model.skinning(), place, row: model.moves().then_some(row) }
    }

    /// Draws the shadow of the key light on the floor into the first of the shadow's targets.
    fn draw_shadow(&self, view: &StudioView<'_>, to_key: Vec3) -> Result<(), GlError> {
        let floor_y = self.subject.floor_y;
        // Along the light onto the floor; nearer to the floor is nearer to the eye.
        let slant = Vec2::new(to_key.x, to_key.z) / to_key.y;
        let clip_from_world = Mat4::from_cols(
            Vec4::new(1.0 / SHADOW_SIDE, 0.0, 0.0, 0.0),
            Vec4::new(-slant.x / SHADOW_SIDE, -slant.y / SHADOW_SIDE, 0.25, 0.0),
            Vec4::new(0.0, 1.0 / SHADOW_SIDE, 0.0, 0.0),
            Vec4::new(floor_y * slant.x / SHADOW_SIDE, floor_y * slant.y / SHADOW_SIDE, -0.25 * floor_y - 0.5, 1.0),
        );
        self.frame.upload(&FrameUniforms { clip_from_world, ..FrameUniforms::default() })?;
        let lod = self.level(view);
        self.shadows[0].begin();
        self.shadows[0].clear([0.0; 4]);
        let state = RenderState { cull: Cull::Off, ..RenderState::OPAQUE };
        for (mesh, key) in lod.meshes.iter().zip(keys(self.model(), lod)) {
            self.surfaces[&key].silhouette.bind(&SilhouetteUniforms {
                at: self.place(view.row),
                albedo_map: self.subject.models.albedo(self.model(), mesh.material),
                alpha_cutoff: self.model().materials[mesh.material].alpha_cutoff,
                floor_y,
            });
            lod.geometry.draw(state, mesh.first, mesh.count);
        }
        for (from, to, step) in [(0, 1, Vec2::X), (1, 0, Vec2::Y)] {
            self.shadows[to].begin();
            let step_uv = step * BLUR_STEP / SHADOW_TEXELS as f32;
            self.blur.bind(&BlurUniforms { picture: self.shadows[from].color(0), step_uv });
            self.quads.fullscreen();
        }
        Ok(())
    }

    fn draw_surface(&self, view: &StudioView<'_>, transparent: bool) {
        let lod = self.level(view);
        let (paint, joint) = match view.paint {
            Paint::Materials => (0, -1),
            Paint::Clay => (1, -1),
            Paint::Weights(joint) => (2, joint.map_or(-1, |joint| joint as i32)),
        };
        for (mesh, key) in lod.meshes.iter().zip(keys(self.model(), lod)) {
            let material = &self.model().materials[mesh.material];
            if material.is_transparent() != transparent {
                continue;
            }
            self.surfaces[&key].lit.bind(&SurfaceUniforms {
                at: self.place(view.row),
                joint: self.model().moves().then_some(joint),
                maps: self.subject.models.maps(self.model(), mesh.material),
                base_color: material.base_color.into(),
                specular: material.specular.into(),
                emissive: material.emissive.into(),
                shininess: material.shininess,
                alpha_cutoff: material.alpha_cutoff,
                translucency: material.translucency,
                mirror: material.mirror_reflectance,
                paint,
                edges: f32::from(u8::from(view.wireframe)),
            });
            let cull = if material.two_sided || lod.is_sheet { Cull::Off } else { Cull::Back };
            let state = match transparent && paint == 0 {
                true => RenderState { depth: Depth::Read, blend: Blend::Over, cull },
                false => RenderState { cull, ..RenderState::OPAQUE },
            };
            lod.geometry.draw(state, mesh.first, mesh.count);
        }
    }
}

/// The programs that the meshes of a level of detail need.
fn keys(model: &GpuModel, lod: &GpuLod) -> impl Iterator<Item = (Skinning, MapKey)> {
    let of_mesh = |(mesh, &skinning): (&model::Mesh, &_)| (skinning, MapKey::of(&model.materials[mesh.material]));
    lod.meshes.iter().zip(&lod.skinning).map(of_mesh)
}

/// Direction toward each lamp and its light, for an eye.
fn lamps(camera: &Camera) -> [(Vec3, Vec3); 3] {
    // They stand upright wherever the eye looks down from.
    let right = camera.orientation * Vec3::X;
    let toward_eye = right.cross(Vec3::Y).normalize_or(Vec3::Z);
    LAMPS.map(|([x, y, z], light)| ((x * right + y * Vec3::Y + z * toward_eye).normalize(), light.into()))
}

/// A level of detail of which no two triangles share a vertex, so that the shader can tell their corners apart.
fn unshared(lod: &Lod) -> Lod {
    Lod {
        vertices: lod.indices.iter().map(|index| lod.vertices[*index as usize]).collect(),
        indices: (0..lod.indices.len() as u32).collect(),
        ..lod.clone()
    }
}

fn picture(gl: &Gl, size: (u32, u32)) -> Result<RenderTarget, GlError> {
    let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Linear, Wrap::Clamp)], depth: Some(Filter::Nearest) };
    RenderTarget::new(gl, "studio", size, &format)
}

fn program<U: UniformSet>(
    gl: &Gl,
    source: &ShaderSource,
    (vertex, fragment): (&str, &str),
    defines: &[(&str, i32)],
) -> Result<Program<U>, GlError> {
    let name = fragment.trim_end_matches(".frag.glsl");
    Program::new(gl, name, [source.text(vertex, defines)?, source.text(fragment, defines)?], FRAME_BLOCK)
}
