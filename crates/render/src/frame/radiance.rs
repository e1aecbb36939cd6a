//! Pictures that are put together from those of many cameras at one moment, and exposed as one.

use gl::{Filter, Format, RenderTarget, TargetFormat, Wrap, debug};
use glam::Quat;
use view::{Camera, PicturePart, RenderScene};

use super::Renderer;
use crate::RenderError;
use crate::debug_view::View;
use crate::frame_stats::FrameStats;
use crate::passes::SceneImages;

impl Renderer {
    /// Calls `taken` with the radiance that each of `cameras` sees at the moment of `scene`, RGBA from the top row on,
    /// of the output's size, until it returns that it has had enough. Maps that do not depend on the eye are drawn
    /// once, about the scene's own camera to all sides.
    ///
    /// The renderer should be one of [pieces](super::RenderChange::pieces), or seams show.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses a target.
    pub fn radiance(
        &mut self,
        scene: &RenderScene,
        cameras: impl Iterator<Item = Camera>,
        taken: &mut dyn FnMut(&[f32]) -> bool,
    ) -> Result<(), RenderError> {
        debug::set_aside(&self.gl);
        let output = self.setup.plan.output;
        let format = TargetFormat { colors: &[(Format::Rgba32F, Filter::Nearest, Wrap::Clamp)], depth: None };
        let target = RenderTarget::new(&self.gl, "piece", output, &format)?;
        let show = self.view_pass(View::Final, true)?;
        // The shadow map lies ahead of a camera, and about one that looks down.
        let down = Camera { orientation: Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2), ..scene.camera };
        let shadow_from_world = self.shadow_from_world(scene, &down);
        let (mut shared, stats) = (None, &mut FrameStats::default());
        for camera in cameras {
            let images = self.draw_alone((scene, &camera), &shadow_from_world, &mut shared, stats);
            target.begin();
            show.draw(images.color, images.shafts, output, &self.quads);
            if !taken(&target.read_f32(0)) {
                break;
            }
        }
        Ok(())
    }

    /// Display pixels, sRGB and RGBA from the top row on, of a radiance of the output's size in the same order, exposed
    /// as by the scene's own camera.
    ///
    /// # Errors
    /// If the driver refuses a target.
    ///
    /// # Panics
    /// If there are not four values for each pixel, or radiance is not drawn at the output's size: the caller's
    /// mistakes.
    pub fn developed(&mut self, scene: &RenderScene, radiance: &[f32]) -> Result<Vec<u8>, RenderError> {
        let (extent, output) = (self.setup.plan.extent, self.setup.plan.output);
        assert_eq!(extent, output, "pieces are drawn at their own size");
        assert_eq!(radiance.len(), 4 * (extent.0 * extent.1) as usize, "four values for each pixel");
        let target = self.capture_target(false)?;
        let shadow_from_world = self.shadow_from_world(scene, &scene.camera);
        self.bind_eye((scene, &scene.camera), &shadow_from_world, &mut FrameStats::default());
        // Reading gives the top row first, writing takes the bottom row first.
        let rows = radiance.chunks_exact(4 * extent.0 as usize).rev().flatten();
        let texels: Vec<f32> = rows.copied().collect();
        let (color, depth) = (self.passes.scene.color(0), self.passes.scene.depth());
        color.write(bytemuck::cast_slice(&texels));
        debug::check_memory(&self.gl, "a piece of a picture")?;
        let images = SceneImages { color, depth, shafts: None, soft: None };
        self.tone_map(&images, PicturePart { corner: (0, 0), extent: output }, Some(&target));
        Ok(target.read_u8(0))
    }
}
