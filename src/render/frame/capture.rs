//! Frames read back: pictures, measurements, photographs.

use super::Renderer;
use crate::gl::{Filter, Format, RenderTarget, TargetFormat, Wrap, debug};
use crate::render::RenderError;
use crate::render::frame_stats::FrameStats;
use crate::render::lens::{LENS_SAMPLES, Lens};
use crate::render::passes::{SceneImages, ViewPass};
use crate::render::view::View;
use crate::scene::RenderScene;

/// Linear radiance or display pixels of one frame, top row first.
#[derive(Clone, Debug)]
pub enum Capture {
    /// sRGB bytes, RGBA, opaque.
    Display {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// `4 * width * height` bytes.
        rgba: Vec<u8>,
    },
    /// Linear radiance before exposure and tone mapping, RGB.
    Linear {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// `3 * width * height` values.
        rgb: Vec<f32>,
    },
}

impl Renderer {
    /// Draws one frame off-screen and reads it back: linear values if `linear`, else display pixels. The clock does not
    /// see it.
    ///
    /// A linear final view is the scene's radiance before bloom, exposure and tone mapping. The first capture of any
    /// other view compiles its shader.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses a target.
    pub fn capture(&mut self, scene: &RenderScene, view: View, linear: bool) -> Result<Capture, RenderError> {
        debug::set_aside(&self.gl);
        let target = self.capture_target(linear)?;
        let show = (view != View::Final || linear).then(|| self.view_pass(view, linear)).transpose()?;
        let images = self.draw_scene(scene, view, &mut FrameStats::default());
        if let Some(show) = show {
            target.begin();
            let map = match view {
                View::Caustics => self.passes.caustics.maps().caustic_map,
                View::Shadow => self.passes.shadow.map(),
                View::Depth | View::Normal | View::Transmittance | View::Inscatter => images.depth,
                View::Slope => self.passes.waves.slope(),
                View::Final => images.color,
            };
            show.draw(map, images.shafts, self.setup.plan.output, &self.quads);
        } else {
            self.tone_map(&images, Some(&target));
        }
        Ok(self.read(&target, linear))
    }

    /// As [`Self::capture`] of the final view, through a lens: the mean of as many frames as it has samples, in linear
    /// radiance. `scene`'s camera is moved over the lens and put back.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses a target.
    pub fn photograph(
        &mut self,
        scene: &mut RenderScene,
        lens: Lens,
        linear: bool,
        told: &mut dyn FnMut(usize),
    ) -> Result<Capture, RenderError> {
        let extent = self.setup.plan.extent;
        let format = TargetFormat { colors: &[(Format::Rgba32F, Filter::Nearest, Wrap::Clamp)], depth: None };
        let lens_sample = RenderTarget::new(&self.gl, "lens sample", extent, &format)?;
        let radiance = self.view_pass(View::Final, true)?;
        let camera = scene.camera;
        let mut mean = vec![0.0f32; 4 * (extent.0 * extent.1) as usize];
        for (number, sample) in lens.samples(camera).enumerate() {
            told(number);
            scene.camera = sample;
            let images = self.draw_scene(scene, View::Final, &mut FrameStats::default());
            lens_sample.begin();
            radiance.draw(images.color, images.shafts, extent, &self.quads);
            for (sum, value) in mean.iter_mut().zip(lens_sample.read_f32(0)) {
                *sum += value / LENS_SAMPLES as f32;
            }
        }
        scene.camera = camera;
        // Reading gives the top row first, writing takes the bottom row first.
        let rows = mean.chunks_exact(4 * extent.0 as usize).rev().flatten();
        let texels: Vec<f32> = rows.copied().collect();
        let (color, depth) = (self.passes.scene.color(0), self.passes.scene.depth());
        color.write(bytemuck::cast_slice(&texels))?;
        let target = self.capture_target(linear)?;
        if linear {
            target.begin();
            radiance.draw(color, None, self.setup.plan.output, &self.quads);
        } else {
            let bloom = self.passes.bloom.as_ref().map(|pass| pass.draw(color, &self.quads));
            self.tone_map(&SceneImages { color, depth, shafts: None, bloom }, Some(&target));
        }
        Ok(self.read(&target, linear))
    }

    fn view_pass(&self, view: View, linear: bool) -> Result<ViewPass, RenderError> {
        ViewPass::new(&self.setup.maker(&self.gl, &self.cache), view, linear)
    }

    fn capture_target(&self, linear: bool) -> Result<RenderTarget, RenderError> {
        let texel = if linear { Format::Rgba32F } else { Format::Rgba8 };
        let format = TargetFormat { colors: &[(texel, Filter::Nearest, Wrap::Clamp)], depth: None };
        RenderTarget::new(&self.gl, "capture", self.setup.plan.output, &format)
    }

    fn read(&self, target: &RenderTarget, linear: bool) -> Capture {
        let (width, height) = self.setup.plan.output;
        if linear {
            let rgba = target.read_f32(0);
            let rgb = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
            Capture::Linear { width, height, rgb }
        } else {
            let mut rgba = target.read_u8(0);
            rgba.chunks_exact_mut(4).for_each(|p| p[3] = 255);
            Capture::Display { width, height, rgba }
        }
    }
}
