//! Painter of egui's laid-out panels.

use std::collections::HashMap;
use std::mem::offset_of;

use egui::epaint::{ImageData, ImageDelta, Primitive, Vertex};
use egui::{ClippedPrimitive, Rect, TextureId, TexturesDelta};
use gl::attributes::{COLOUR, POSITION, UV};
use gl::debug::check_memory;
use gl::{
    Attribute, AttributeKind, Blend, Cull, Depth, Filter, Format, Gl, GlError, Program, RenderState, ShaderText,
    StreamedGeometry, Texture2d, UniformBlock, Wrap, uniforms,
};
use glam::Vec2;

uniforms! {
    struct TextUniforms<'a> {
        screen_points: Vec2,
        font_map: &'a Texture2d,
    }
}

const LAYOUT: &[Attribute] = &[
    attribute(POSITION, 2, AttributeKind::F32, offset_of!(Vertex, pos)),
    attribute(UV, 2, AttributeKind::F32, offset_of!(Vertex, uv)),
    attribute(COLOUR, 4, AttributeKind::U8Normalised, offset_of!(Vertex, color)),
];

const fn attribute(location: u32, components: i32, kind: AttributeKind, offset: usize) -> Attribute {
    Attribute { location, components, kind, offset: offset as i32 }
}

/// egui's textures and the GL objects that draw its triangles.
pub struct Painter {
    gl: Gl,
    program: Program<TextUniforms<'static>>,
    triangles: StreamedGeometry,
    textures: HashMap<TextureId, Texture2d>,
}

impl Painter {
    /// Creates a painter without textures.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(gl: &Gl) -> Result<Self, GlError> {
        let shader =
            |file: &str, text: &str| ShaderText { source: format!("#line 1 0\n{text}"), files: vec![file.into()] };
        let vertex = shader("overlay.vert.glsl", include_str!("overlay.vert.glsl"));
        let fragment = shader("overlay.frag.glsl", include_str!("overlay.frag.glsl"));
        let no_block = UniformBlock { name: "Frame", binding: 0, layout: &[] };
        Ok(Self {
            program: Program::new(gl, "overlay", [vertex, fragment], no_block)?,
            triangles: StreamedGeometry::new(gl, "overlay", size_of::<Vertex>(), LAYOUT)?,
            textures: HashMap::new(),
            gl: gl.clone(),
        })
    }

    /// Draws over the bound framebuffer of `size` pixels, with `scale` pixels a point.
    ///
    /// # Errors
    /// If the driver has no memory for it. Part of the panels may have been drawn, and some textures may be out of
    /// date: see [`Self::forget`].
    pub fn paint(
        &mut self,
        size: (u32, u32),
        scale: f32,
        primitives: &[ClippedPrimitive],
        textures: &mut TexturesDelta,
    ) -> Result<(), GlError> {
        let (set, free) = (std::mem::take(&mut textures.set), std::mem::take(&mut textures.free));
        let sends = !set.is_empty();
        for (id, deltas) in set {
            for delta in deltas {
                self.update(id, &delta)?;
            }
        }
        if sends {
            check_memory(&self.gl, "letters")?;
        }
        let state = RenderState { depth: Depth::Off, blend: Blend::Over, cull: Cull::Off };
        let screen_points = Vec2::new(size.0 as f32, size.1 as f32) / scale;
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let Primitive::Mesh(mesh) = primitive else { continue };
            let Some(font_map) = self.textures.get(&mesh.texture_id) else { continue };
            self.program.bind(&TextUniforms { screen_points, font_map });
            let (vertices, part) = (bytemuck::cast_slice(&mesh.vertices), pixels(*clip_rect, size, scale));
            self.triangles.draw(state, part, vertices, &mesh.indices)?;
        }
        for id in free {
            self.textures.remove(&id);
        }
        Ok(())
    }

    /// Forgets all textures; a new egui context has to be made, which sends them again.
    pub fn forget(&mut self) {
        self.textures.clear();
    }

    fn update(&mut self, id: TextureId, delta: &ImageDelta) -> Result<(), GlError> {
        let ImageData::Color(image) = &delta.image;
        let extent = image.size.map(|side| side as u32).into();
        let texels: &[u8] = bytemuck::cast_slice(&image.pixels);
        match (delta.pos, self.textures.get(&id)) {
            (Some([x, y]), Some(texture)) => {
                texture.write_part((x as u32, y as u32), extent, texels);
                Ok(())
            }
            (Some(_), None) => Ok(()),
            (None, _) => {
                let (format, filter, wrap) = (Format::Rgba8, Filter::Linear, Wrap::Clamp);
                let texture = Texture2d::new(&self.gl, "overlay", extent, format, filter, wrap, Some(texels))?;
                self.textures.insert(id, texture);
                Ok(())
            }
        }
    }
}

/// Converts a rectangle in points, measured from the upper left corner, to pixels: lower left corner and extent.
fn pixels(rect: Rect, (width, height): (u32, u32), scale: f32) -> ((u32, u32), (u32, u32)) {
    let pixel = |points: f32, from: u32, most: u32| ((points * scale).round() as u32).clamp(from, most);
    let (left, top) = (pixel(rect.min.x, 0, width), pixel(rect.min.y, 0, height));
    let (right, bottom) = (pixel(rect.max.x, left, width), pixel(rect.max.y, top, height));
    ((left, height - bottom), (right - left, bottom - top))
}
