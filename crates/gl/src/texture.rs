//! Two-dimensional textures.

use glow::HasContext;

use crate::debug::{Object, label};
use crate::{Gl, GlError};

/// Texel formats in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 8-bit RGBA.
    Rgba8,
    /// One 16-bit float.
    R16F,
    /// 16-bit float RGBA.
    Rgba16F,
    /// 32-bit float RGBA.
    Rgba32F,
    /// 24-bit depth.
    Depth24,
}

impl Format {
    /// (internal format, format, type) for GL.
    fn gl(self) -> (u32, u32, u32) {
        match self {
            Self::Rgba8 => (glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE),
            Self::R16F => (glow::R16F, glow::RED, glow::FLOAT),
            Self::Rgba16F => (glow::RGBA16F, glow::RGBA, glow::FLOAT),
            Self::Rgba32F => (glow::RGBA32F, glow::RGBA, glow::FLOAT),
            Self::Depth24 => (glow::DEPTH_COMPONENT24, glow::DEPTH_COMPONENT, glow::UNSIGNED_INT),
        }
    }

    /// Bytes of a texel as the driver keeps it; depth of 24 bits takes 32.
    fn kept_bytes(self) -> u64 {
        match self {
            Self::R16F => 2,
            Self::Rgba8 | Self::Depth24 => 4,
            Self::Rgba16F => 8,
            Self::Rgba32F => 16,
        }
    }

    /// Bytes of a texel as uploaded: floats are sent as 32 bits.
    fn upload_bytes(self) -> usize {
        match self {
            Self::Rgba8 | Self::Depth24 | Self::R16F => 4,
            Self::Rgba16F | Self::Rgba32F => 16,
        }
    }
}

/// Filtering of texels between and below their own resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The nearest texel.
    Nearest,
    /// Bilinear.
    Linear,
    /// Bilinear with mip maps, trilinear between them.
    Mipmapped,
    /// Bilinear in the nearest mip map: half the cost, for surfaces that move too much to show the steps.
    NearestMipmap,
    /// Depth comparison with bilinear weights (`sampler2DShadow`).
    Shadow,
}

/// Content beyond the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The texture again.
    Repeat,
    /// The texture again, in a mirror.
    Mirror,
    /// The edge texel.
    Clamp,
}

/// A texture with its size, deleted on drop.
pub struct Texture2d {
    gl: Gl,
    raw: glow::Texture,
    /// Whether it belongs to somebody else, who deletes it.
    is_borrowed: bool,
    format: Format,
    filter: Filter,
    width: u32,
    height: u32,
    /// Memory that it takes; 0 if it is borrowed.
    bytes: u64,
}

impl Texture2d {
    /// A texture; `pixels` fills it, in the format's own layout, or it stays undefined.
    ///
    /// # Errors
    /// If the size is beyond the driver's limit. Whether it has the memory is not asked: see
    /// [`check_memory`](crate::debug::check_memory).
    ///
    /// # Panics
    /// If `pixels` is not exactly the texture's size: a caller's bug.
    pub fn new(
        gl: &Gl,
        name: &str,
        (width, height): (u32, u32),
        format: Format,
        filter: Filter,
        wrap: Wrap,
        pixels: Option<&[u8]>,
    ) -> Result<Self, GlError> {
        let refused = |why: String| GlError::refused(format!("texture '{name}' ({width} x {height})"), why);
        // SAFETY: reads a limit.
        let limit = unsafe { gl.get_parameter_i32(glow::MAX_TEXTURE_SIZE) } as u32;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(refused(format!("sides must be 1 to {limit}")));
        }
        // SAFETY: makes a name.
        let raw = unsafe { gl.create_texture() }.map_err(refused)?;
        let mut texture = Self { gl: gl.clone(), raw, is_borrowed: false, format, filter, width, height, bytes: 0 };
        texture.hold(pixels.is_some());
        let (internal, layout, kind) = format.gl();
        // SAFETY: the texture is bound; `pixels` is checked to hold what the layout asks for and copied by the driver.
        unsafe {
            gl.open_texture(raw);
            if let Some(pixels) = pixels {
                assert_eq!(pixels.len(), (width * height) as usize * format.upload_bytes(), "texture '{name}'");
            }
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            for level in 0..=texture.drawn_levels().filter(|_| pixels.is_none()).unwrap_or(0) {
                let (width, height) = texture.level_extent(level);
                gl.tex_image_2d(
                    glow::TEXTURE_2D,
                    level as i32,
                    internal as i32,
                    width as i32,
                    height as i32,
                    0,
                    layout,
                    kind,
                    glow::PixelUnpackData::Slice(pixels),
                );
            }
            if let (Some(last), None) = (texture.drawn_levels(), pixels) {
                gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, last as i32);
            }
            let (min, mag) = match filter {
                Filter::Nearest => (glow::NEAREST, glow::NEAREST),
                Filter::Linear | Filter::Shadow => (glow::LINEAR, glow::LINEAR),
                Filter::Mipmapped => (glow::LINEAR_MIPMAP_LINEAR, glow::LINEAR),
                Filter::NearestMipmap => (glow::LINEAR_MIPMAP_NEAREST, glow::LINEAR),
            };
            gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, min as i32);
            gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAG_FILTER, mag as i32);
            if filter == Filter::Shadow {
                let compare = glow::COMPARE_REF_TO_TEXTURE as i32;
                gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_COMPARE_MODE, compare);
                gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL as i32);
            }
        }
        if pixels.is_some() && texture.drawn_levels().is_some() {
            // SAFETY: the texture is bound.
            unsafe { gl.generate_mipmap(glow::TEXTURE_2D) };
        }
        label(gl, Object::Texture(raw), name);
        texture.set_wrap([wrap; 2]);
        Ok(texture)
    }

    /// A texture that belongs to somebody else, such as a headset's runtime, by its OpenGL name.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn borrowed(
        gl: &Gl,
        (name, format): (std::num::NonZeroU32, Format),
        (width, height): (u32, u32),
    ) -> Self {
        let (raw, gl) = (glow::NativeTexture(name), gl.clone());
        Self { gl, raw, is_borrowed: true, format, filter: Filter::Linear, width, height, bytes: 0 }
    }

    /// Notes the memory that it takes: of one that is `filled` all mip maps are made, of another those that are drawn.
    fn hold(&mut self, filled: bool) {
        let last = match self.drawn_levels() {
            Some(_) if filled => self.width.max(self.height).ilog2(),
            drawn => drawn.unwrap_or(0),
        };
        let texels = |level| {
            let (width, height) = self.level_extent(level);
            u64::from(width) * u64::from(height)
        };
        self.bytes = (0..=last).map(texels).sum::<u64>() * self.format.kept_bytes();
        self.gl.change_memory(0, self.bytes);
    }

    /// Its OpenGL name.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn name(&self) -> std::num::NonZeroU32 {
        self.raw.0
    }

    /// Changes its content beyond the edges along u and v.
    pub fn set_wrap(&self, wrap: [Wrap; 2]) {
        let [s, t] = wrap.map(|wrap| match wrap {
            Wrap::Repeat => glow::REPEAT,
            Wrap::Mirror => glow::MIRRORED_REPEAT,
            Wrap::Clamp => glow::CLAMP_TO_EDGE,
        });
        // SAFETY: the texture is bound.
        unsafe {
            self.gl.open_texture(self.raw);
            self.gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_WRAP_S, s as i32);
            self.gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_WRAP_T, t as i32);
        }
    }

    /// Replaces all texels of level 0. If the driver has no memory for the transfer, which is not checked, they are
    /// undefined: see [`check_memory`](crate::debug::check_memory).
    ///
    /// # Panics
    /// If `pixels` is not exactly the texture's size: a caller's bug.
    pub fn write(&self, pixels: &[u8]) {
        self.write_part((0, 0), self.extent(), pixels);
    }

    /// Replaces the texels of level 0 from `corner` on, as [`Self::write`] does.
    ///
    /// # Panics
    /// If the part is not within the texture, or `pixels` is not exactly of its size: a caller's bug.
    pub fn write_part(&self, corner: (u32, u32), extent: (u32, u32), pixels: &[u8]) {
        assert!(corner.0 + extent.0 <= self.width && corner.1 + extent.1 <= self.height);
        self.write_texels(0, corner, extent, pixels);
    }

    /// Replaces all texels of a mip map, as [`Self::write`] does those of level 0.
    ///
    /// # Panics
    /// If `pixels` is not exactly of its size: a caller's bug.
    pub fn write_level(&self, level: u32, pixels: &[u8]) {
        self.write_texels(level, (0, 0), self.level_extent(level), pixels);
    }

    fn write_texels(&self, level: u32, corner: (u32, u32), extent: (u32, u32), pixels: &[u8]) {
        assert_eq!(pixels.len(), (extent.0 * extent.1) as usize * self.format.upload_bytes());
        let (_, layout, kind) = self.format.gl();
        let [x, y, w, h] = [corner.0, corner.1, extent.0, extent.1].map(|texels| texels as i32);
        // SAFETY: sizes checked above; the driver copies.
        unsafe {
            self.gl.open_texture(self.raw);
            self.gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            let data = glow::PixelUnpackData::Slice(Some(pixels));
            self.gl.tex_sub_image_2d(glow::TEXTURE_2D, level as i32, x, y, w, h, layout, kind, data);
        }
    }

    /// The last mip map of a texture that is drawn into, whose shorter side is four to seven texels; `None` without mip
    /// maps. [`RenderTarget::copy_to_level`](crate::RenderTarget::copy_to_level) fills them.
    pub fn drawn_levels(&self) -> Option<u32> {
        let mipmapped = matches!(self.filter, Filter::Mipmapped | Filter::NearestMipmap);
        mipmapped.then(|| self.width.min(self.height).ilog2().saturating_sub(2))
    }

    /// Width and height of a mip map in texels.
    pub fn level_extent(&self, level: u32) -> (u32, u32) {
        ((self.width >> level).max(1), (self.height >> level).max(1))
    }

    /// Width and height in texels.
    pub fn extent(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    pub(super) fn raw(&self) -> glow::Texture {
        self.raw
    }

    pub(super) fn bind_to_unit(&self, unit: u32) {
        // SAFETY: `raw` is a live texture.
        unsafe { self.gl.use_texture(unit, self.raw) };
    }
}

impl Drop for Texture2d {
    fn drop(&mut self) {
        self.gl.forget_texture(self.raw);
        self.gl.change_memory(self.bytes, 0);
        if !self.is_borrowed {
            // SAFETY: `raw` is ours and is used by nobody after this.
            unsafe { self.gl.delete_texture(self.raw) };
        }
    }
}
