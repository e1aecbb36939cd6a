//! Frames read back: pictures, measurements, photographs.

use gl::{Filter, Format, RenderTarget, TargetFormat, Wrap, debug};
use view::{Camera, RenderScene};

use super::Renderer;
use crate::RenderError;
use crate::debug_view::View;
use crate::frame_stats::FrameStats;
use crate::lens::{LENS_SAMPLES, Lens};
use crate::passes::{AnaglyphPass, SceneImages, ViewPass};
use crate::setup::Setup;
use crate::stereo::Stereo;

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

/// Frames that become one picture: their mean in linear radiance, one for each eye.
pub struct FrameMean {
    /// Weight of each frame.
    share: f32,
    height: u32,
    eyes: Vec<Vec<f32>>,
    frame: RenderTarget,
    radiance: ViewPass,
}

impl FrameMean {
    /// Height of its frames. Unit: pixels.
    pub fn height(&self) -> u32 {
        self.height
    }
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
        let anaglyph = self.anaglyph(linear)?;
        let Setup { stereo, output, .. } = self.setup;
        self.draw_eyes(scene, view, &mut FrameStats::default(), |images, number| {
            let target = anaglyph.as_ref().map_or(&target, |pass| pass.eye(number));
            let part = stereo.part(number, output);
            let Some(show) = &show else { return self.tone_map(images, part, Some(target)) };
            target.begin_part(part.corner, part.extent);
            let map = match view {
                View::Caustics => self.passes.caustics.maps().caustic_map,
                View::Shadow => self.passes.shadow.map(),
                View::Depth | View::Normal | View::Transmittance | View::Inscatter => images.depth,
                View::Slope => self.passes.waves.slope(),
                View::Final => images.color,
            };
            show.draw(map, images.shafts, self.setup.plan.output, &self.quads);
        });
        self.mix_eyes(anaglyph, &target);
        Ok(self.read(&target, linear))
    }

    /// The pass that mixes the eyes' pictures, if they are to be mixed.
    fn anaglyph(&self, linear: bool) -> Result<Option<AnaglyphPass>, RenderError> {
        let make = || self.setup.make(&self.gl, &self.cache, |make| AnaglyphPass::new(make, linear));
        (self.setup.stereo == Stereo::Anaglyph).then(make).transpose()
    }

    fn mix_eyes(&self, anaglyph: Option<AnaglyphPass>, target: &RenderTarget) {
        if let Some(anaglyph) = anaglyph {
            target.begin();
            anaglyph.draw(&self.quads);
        }
    }

    /// A photograph of the final view through a lens, read back as by [`Self::capture`]: the mean of as many frames as
    /// the lens has samples, in linear radiance. Without a distance of focus (m) the middle of the picture is sharp.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses a target.
    pub fn photograph(
        &mut self,
        scene: &RenderScene,
        (aperture_m, focus_m): (f32, Option<f32>),
        linear: bool,
        told: &mut dyn FnMut(usize),
    ) -> Result<Capture, RenderError> {
        let lens = self.lens(scene, aperture_m, focus_m)?;
        let mut mean = self.mean(LENS_SAMPLES)?;
        self.add_to(&mut mean, scene, |eye| lens.samples(eye), told);
        self.develop(mean, scene, linear)
    }

    /// A lens of a diameter (m), focused at a distance (m) or on the middle of the picture.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses a target.
    pub fn lens(&mut self, scene: &RenderScene, aperture_m: f32, focus_m: Option<f32>) -> Result<Lens, RenderError> {
        let focus_m = focus_m.map_or_else(|| self.middle_m(scene), Ok)?;
        Ok(Lens { aperture_m, focus_m: focus_m.clamp(scene.camera.near, scene.camera.far) })
    }

    /// An empty mean of `frames` frames of each eye.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses a target.
    pub fn mean(&self, frames: usize) -> Result<FrameMean, RenderError> {
        let extent = self.setup.plan.extent;
        let format = TargetFormat { colors: &[(Format::Rgba32F, Filter::Nearest, Wrap::Clamp)], depth: None };
        Ok(FrameMean {
            share: 1.0 / frames as f32,
            height: extent.1,
            eyes: Vec::new(),
            frame: RenderTarget::new(&self.gl, "frame of a mean", extent, &format)?,
            radiance: self.view_pass(View::Final, true)?,
        })
    }

    /// Adds the frames of a moment: for each eye those of the cameras that `samples` makes of its own. `told` is called
    /// with the number of each from 0, over all eyes.
    pub fn add_to<Cameras: Iterator<Item = Camera>>(
        &mut self,
        mean: &mut FrameMean,
        scene: &RenderScene,
        samples: impl Fn(Camera) -> Cameras,
        told: &mut dyn FnMut(usize),
    ) {
        let extent = self.setup.plan.extent;
        let stats = &mut FrameStats::default();
        let shadow_from_world = self.shadow_from_world(scene, &scene.camera);
        let (mut shared, mut drawn) = (None, 0);
        for (number, eye) in self.setup.stereo.cameras(scene).enumerate() {
            if mean.eyes.len() == number {
                mean.eyes.push(vec![0.0f32; 4 * (extent.0 * extent.1) as usize]);
            }
            for sample in samples(eye) {
                told(drawn);
                drawn += 1;
                let images = self.draw_alone((scene, &sample), &shadow_from_world, &mut shared, stats);
                mean.frame.begin();
                mean.radiance.draw(images.color, images.shafts, extent, &self.quads);
                for (sum, value) in mean.eyes[number].iter_mut().zip(mean.frame.read_f32(0)) {
                    *sum += value * mean.share;
                }
            }
        }
    }

    /// The picture of a mean, exposed as `scene` is.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses a target.
    pub fn develop(&mut self, mean: FrameMean, scene: &RenderScene, linear: bool) -> Result<Capture, RenderError> {
        let extent = self.setup.plan.extent;
        let (target, anaglyph) = (self.capture_target(linear)?, self.anaglyph(linear)?);
        let Setup { stereo, output, .. } = self.setup;
        let shadow_from_world = self.shadow_from_world(scene, &scene.camera);
        let eyes = stereo.cameras(scene);
        for (number, (eye, radiance)) in eyes.zip(&mean.eyes).enumerate() {
            self.bind_eye((scene, &eye), &shadow_from_world, &mut FrameStats::default());
            // Reading gives the top row first, writing takes the bottom row first.
            let rows = radiance.chunks_exact(4 * extent.0 as usize).rev().flatten();
            let texels: Vec<f32> = rows.copied().collect();
            let (color, depth) = (self.passes.scene.color(0), self.passes.scene.depth());
            color.write(bytemuck::cast_slice(&texels));
            debug::check_memory(&self.gl, "a photograph")?;
            let part = stereo.part(number, output);
            let target = anaglyph.as_ref().map_or(&target, |pass| pass.eye(number));
            if linear {
                target.begin_part(part.corner, part.extent);
                mean.radiance.draw(color, None, self.setup.plan.output, &self.quads);
            } else {
                let soft = self.passes.bloom.as_ref().map(|pass| pass.draw(color, &self.quads));
                self.tone_map(&SceneImages { color, depth, shafts: None, soft }, part, Some(target));
            }
        }
        self.mix_eyes(anaglyph, &target);
        Ok(self.read(&target, linear))
    }

    /// Distance of the scene in the middle of the picture, between the eyes if there are two. Unit: m.
    fn middle_m(&mut self, scene: &RenderScene) -> Result<f32, RenderError> {
        let stereo = self.setup.stereo;
        self.set_stereo(Stereo::Off)?;
        let depth = self.capture(scene, View::Depth, true);
        self.set_stereo(stereo)?;
        Ok(match depth? {
            Capture::Linear { width, height, rgb } => rgb[3 * (width * (height / 2) + width / 2) as usize],
            Capture::Display { .. } => scene.camera.far,
        })
    }

    pub(super) fn view_pass(&self, view: View, linear: bool) -> Result<ViewPass, RenderError> {
        self.setup.make(&self.gl, &self.cache, |make| ViewPass::new(make, view, linear))
    }

    pub(super) fn capture_target(&self, linear: bool) -> Result<RenderTarget, RenderError> {
        let texel = if linear { Format::Rgba32F } else { Format::Rgba8 };
        let format = TargetFormat { colors: &[(texel, Filter::Nearest, Wrap::Clamp)], depth: None };
        RenderTarget::new(&self.gl, "capture", self.setup.output, &format)
    }

    fn read(&self, target: &RenderTarget, linear: bool) -> Capture {
        let (width, height) = self.setup.output;
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
