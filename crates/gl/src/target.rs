//! Render targets: a framebuffer with the textures it owns.

use glow::HasContext;

use crate::debug::{Object, check_memory, label};
use crate::state::bind_output;
use crate::{Filter, Format, Gl, GlError, Pending, Texture2d, Wrap};

/// Attachments of a target.
#[derive(Clone, Copy, Debug)]
pub struct TargetFormat<'a> {
    /// Colour attachments, in order.
    pub colors: &'a [(Format, Filter, Wrap)],
    /// Depth attachment, if any.
    pub depth: Option<Filter>,
}

/// A framebuffer and its attachments, deleted on drop.
pub struct RenderTarget {
    gl: Gl,
    raw: glow::Framebuffer,
    name: String,
    colors: Vec<Texture2d>,
    depth: Option<Texture2d>,
    extent: (u32, u32),
}

impl RenderTarget {
    /// A target of `extent` texels, checked to be complete.
    ///
    /// # Errors
    /// If an attachment is refused, the framebuffer is incomplete or there is no memory.
    pub fn new(gl: &Gl, name: &str, extent: (u32, u32), format: &TargetFormat<'_>) -> Result<Self, GlError> {
        let target = Self::ask(gl, name, extent, format)?;
        target.check()?;
        check_memory(gl, &format!("target '{name}' ({} x {})", extent.0, extent.1))?;
        Ok(target)
    }

    /// Asks for a target without waiting for an answer, which [`Pending::check`] and [`check_memory`] give.
    ///
    /// # Errors
    /// If an object is refused at once.
    pub fn ask(gl: &Gl, name: &str, extent: (u32, u32), format: &TargetFormat<'_>) -> Result<Self, GlError> {
        let colors = format
            .colors
            .iter()
            .map(|&(texel, filter, wrap)| Texture2d::new(gl, name, extent, texel, filter, wrap, None))
            .collect::<Result<Vec<_>, _>>()?;
        let depth = format
            .depth
            .map(|filter| Texture2d::new(gl, name, extent, Format::Depth24, filter, Wrap::Clamp, None))
            .transpose()?;
        Self::of(gl, name, extent, colors, depth)
    }

    /// A target that draws into a texture of 8-bit RGBA that belongs to somebody else, such as a headset's runtime, by
    /// its OpenGL name. It must outlive the target. What is drawn is stored as it is, also in a texture of sRGB.
    ///
    /// # Errors
    /// If the framebuffer is refused or incomplete.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn over(gl: &Gl, name: &str, texture: std::num::NonZeroU32, extent: (u32, u32)) -> Result<Self, GlError> {
        let color = Texture2d::borrowed(gl, (texture, Format::Rgba8), extent);
        let target = Self::of(gl, name, extent, vec![color], None)?;
        target.check()?;
        Ok(target)
    }

    /// A target like [`Self::over`] that draws into a texture of depth alone.
    ///
    /// # Errors
    /// Errors of [`Self::over`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn over_depth(gl: &Gl, name: &str, texture: std::num::NonZeroU32, extent: (u32, u32)) -> Result<Self, GlError> {
        let depth = Texture2d::borrowed(gl, (texture, Format::Depth24), extent);
        let target = Self::of(gl, name, extent, Vec::new(), Some(depth))?;
        target.check()?;
        Ok(target)
    }

    fn of(
        gl: &Gl,
        name: &str,
        extent: (u32, u32),
        colors: Vec<Texture2d>,
        depth: Option<Texture2d>,
    ) -> Result<Self, GlError> {
        // SAFETY: makes a name.
        let raw =
            unsafe { gl.create_framebuffer() }.map_err(|why| GlError::refused(format!("framebuffer '{name}'"), why))?;
        let target = Self { gl: gl.clone(), raw, name: name.to_owned(), colors, depth, extent };
        // SAFETY: attaches our own live textures to our own bound framebuffer.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(raw));
            let attach = |point, texture: &Texture2d| {
                gl.framebuffer_texture_2d(glow::FRAMEBUFFER, point, glow::TEXTURE_2D, Some(texture.raw()), 0);
            };
            for (i, color) in target.colors.iter().enumerate() {
                attach(glow::COLOR_ATTACHMENT0 + i as u32, color);
            }
            if let Some(depth) = &target.depth {
                attach(glow::DEPTH_ATTACHMENT, depth);
            }
            let points: Vec<u32> = (0..target.colors.len() as u32).map(|i| glow::COLOR_ATTACHMENT0 + i).collect();
            if points.is_empty() {
                gl.draw_buffers(&[glow::NONE]);
                gl.read_buffer(glow::NONE);
            } else {
                gl.draw_buffers(&points);
            }
        }
        label(gl, Object::Framebuffer(raw), name);
        Ok(target)
    }

    /// Binds it and sets the viewport to all of it.
    pub fn begin(&self) {
        self.begin_part((0, 0), self.extent);
    }

    /// Binds it and sets the viewport to the texels from `corner` on.
    pub fn begin_part(&self, corner: (u32, u32), extent: (u32, u32)) {
        // SAFETY: `raw` is a live framebuffer.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.raw));
            self.gl.viewport(corner.0 as i32, corner.1 as i32, extent.0 as i32, extent.1 as i32);
        }
    }

    /// Clears colour attachments to `color` and depth to 1. The target must have been begun.
    pub fn clear(&self, color: [f32; 4]) {
        // SAFETY: clears the bound framebuffer; depth is opened first.
        unsafe {
            self.gl.open_depth();
            self.gl.clear_color(color[0], color[1], color[2], color[3]);
            self.gl.clear(glow::COLOR_BUFFER_BIT | if self.depth.is_some() { glow::DEPTH_BUFFER_BIT } else { 0 });
        }
    }

    /// Clears colour attachment `index` alone. The target must have been begun.
    pub fn clear_color(&self, index: u32, color: [f32; 4]) {
        // SAFETY: clears an attachment of the bound framebuffer.
        unsafe {
            self.gl.clear_buffer_f32_slice(glow::COLOR, index, &color);
        }
    }

    /// Clears depth to 1 and leaves colours undefined: for a target that will be covered. It must have been begun.
    pub fn clear_depth(&self) {
        // SAFETY: clears the bound framebuffer; depth is opened first.
        unsafe {
            self.gl.open_depth();
            self.gl.clear(glow::DEPTH_BUFFER_BIT);
        }
    }

    /// Colour attachment `index`.
    ///
    /// # Panics
    /// If there is none: a caller's bug.
    pub fn color(&self, index: usize) -> &Texture2d {
        &self.colors[index]
    }

    /// Depth attachment.
    ///
    /// # Panics
    /// If there is none: a caller's bug.
    pub fn depth(&self) -> &Texture2d {
        self.depth.as_ref().expect("the target was made with depth")
    }

    /// Width and height in texels.
    pub fn extent(&self) -> (u32, u32) {
        self.extent
    }

    pub(super) fn raw(&self) -> glow::Framebuffer {
        self.raw
    }

    /// Copies texels of colour attachment 0, from `corner` on, into the whole of a mip map of `texture`.
    pub fn copy_to_level(&self, corner: (u32, u32), texture: &Texture2d, level: u32) {
        let (width, height) = texture.level_extent(level);
        // SAFETY: `raw` is a live framebuffer and `texture` is bound; GL clips what lies outside of it.
        unsafe {
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.raw));
            self.gl.read_buffer(glow::COLOR_ATTACHMENT0);
            let (x, y) = (corner.0 as i32, corner.1 as i32);
            self.gl.open_texture(texture.raw());
            self.gl.copy_tex_sub_image_2d(glow::TEXTURE_2D, level as i32, 0, 0, x, y, width as i32, height as i32);
        }
    }

    /// Copies colour attachment 0 into `output` (`None`: the window's own framebuffer), which is as large.
    pub fn copy_to(&self, output: Option<&Self>) {
        self.blit(((0, 0), self.extent), output, self.extent, glow::NEAREST);
    }

    /// Copies a part of colour attachment 0, of that corner and extent, into the whole of `output` (`None`: the window's
    /// own framebuffer) of the size `to`.
    pub fn stretch_part_to(&self, part: ((u32, u32), (u32, u32)), output: Option<&Self>, to: (u32, u32)) {
        self.blit(part, output, to, glow::LINEAR);
    }

    fn blit(&self, (corner, extent): ((u32, u32), (u32, u32)), output: Option<&Self>, to: (u32, u32), filter: u32) {
        let [left, bottom, right, top] =
            [corner.0, corner.1, corner.0 + extent.0, corner.1 + extent.1].map(|texels| texels as i32);
        // SAFETY: both are live framebuffers; GL clips what lies outside of them.
        unsafe {
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.raw));
            self.gl.read_buffer(glow::COLOR_ATTACHMENT0);
            bind_output(&self.gl, glow::DRAW_FRAMEBUFFER, output);
            let (to_right, to_top) = (to.0 as i32, to.1 as i32);
            let mask = glow::COLOR_BUFFER_BIT;
            self.gl.blit_framebuffer(left, bottom, right, top, 0, 0, to_right, to_top, mask, filter);
        }
    }

    /// Reads colour attachment `index` as RGBA floats, top row first.
    pub fn read_f32(&self, index: usize) -> Vec<f32> {
        let mut bytes = vec![0u8; (self.extent.0 * self.extent.1) as usize * 16];
        self.read(index, glow::FLOAT, &mut bytes);
        let floats = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect::<Vec<_>>();
        flip_rows(&floats, self.extent.0 as usize * 4)
    }

    /// Reads colour attachment `index` as RGBA bytes, top row first.
    pub fn read_u8(&self, index: usize) -> Vec<u8> {
        let mut bytes = vec![0u8; (self.extent.0 * self.extent.1) as usize * 4];
        self.read(index, glow::UNSIGNED_BYTE, &mut bytes);
        flip_rows(&bytes, self.extent.0 as usize * 4)
    }

    /// Reads depth from 0, near, to 1, far, top row first. OpenGL ES has no such call.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_depth(&self) -> Vec<f32> {
        let mut depth = vec![0.0_f32; (self.extent.0 * self.extent.1) as usize];
        // SAFETY: there is room for one float for each texel.
        unsafe {
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.raw));
            let (w, h) = (self.extent.0 as i32, self.extent.1 as i32);
            let data = glow::PixelPackData::Slice(Some(bytemuck::cast_slice_mut(&mut depth)));
            self.gl.read_pixels(0, 0, w, h, glow::DEPTH_COMPONENT, glow::FLOAT, data);
        }
        flip_rows(&depth, self.extent.0 as usize)
    }

    fn read(&self, index: usize, kind: u32, bytes: &mut [u8]) {
        // SAFETY: `bytes` has room for extent x RGBA of `kind`, as both callers size it.
        unsafe {
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.raw));
            self.gl.read_buffer(glow::COLOR_ATTACHMENT0 + index as u32);
            self.gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
            let (w, h) = (self.extent.0 as i32, self.extent.1 as i32);
            self.gl.read_pixels(0, 0, w, h, glow::RGBA, kind, glow::PixelPackData::Slice(Some(bytes)));
            self.gl.read_buffer(glow::COLOR_ATTACHMENT0);
        }
    }
}

impl Pending for RenderTarget {
    fn check(&self) -> Result<(), GlError> {
        // SAFETY: `raw` is a live framebuffer.
        let status = unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.raw));
            self.gl.check_framebuffer_status(glow::FRAMEBUFFER)
        };
        if status == glow::FRAMEBUFFER_COMPLETE {
            return Ok(());
        }
        Err(GlError::refused(format!("framebuffer '{}'", self.name), format!("incomplete, status {status:#06x}")))
    }
}

fn flip_rows<T: Copy>(values: &[T], row: usize) -> Vec<T> {
    values.chunks_exact(row).rev().flatten().copied().collect()
}

impl Drop for RenderTarget {
    fn drop(&mut self) {
        // SAFETY: `raw` is ours and is used by nobody after this.
        unsafe { self.gl.delete_framebuffer(self.raw) };
    }
}
