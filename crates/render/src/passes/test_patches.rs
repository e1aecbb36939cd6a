//! Test patches that emit a known radiance, for measuring the water.

use gl::{Blend, Cull, Depth, GlError, Procedural, RenderState, uniforms};
use glam::Vec3;
use view::{RenderScene, TestPatch};

use crate::deferred::DeferredProgram;
use crate::pass_cache::PassMaker;

uniforms! {
    struct TestPatchUniforms {
        center_ws: Vec3,
        right_ws: Vec3,
        up_ws: Vec3,
        emitted: Vec3,
    }
}

/// Draws the scene's test patches.
pub struct TestPatchesPass {
    program: DeferredProgram<TestPatchUniforms>,
}

impl TestPatchesPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        Ok(Self { program: make.late_program(("test_patch.vert.glsl", "test_patch.frag.glsl"), &[])? })
    }

    /// Draws them into a picture of `extent` pixels.
    pub fn draw(&self, scene: &RenderScene, (width, height): (u32, u32), quads: &Procedural) {
        for patch in &scene.test_patches {
            let Some(program) = self.program.get() else { return };
            let [center_ws, right_ws, up_ws] = placed(patch, width as f32 / height as f32);
            program.bind(&TestPatchUniforms { center_ws, right_ws, up_ws, emitted: patch.radiance });
            quads.draw(RenderState { depth: Depth::Write, blend: Blend::Off, cull: Cull::Off }, Procedural::QUAD, 1);
        }
    }
}

/// Middle of a patch and the vectors to its right and upper edge, world space, in a picture of that aspect.
fn placed(patch: &TestPatch, aspect: f32) -> [Vec3; 3] {
    let camera = &patch.placed_from;
    let half_height = (0.5 * camera.fov_y).tan();
    let in_view =
        Vec3::new((2.0 * patch.at.x - 1.0) * half_height * aspect, (1.0 - 2.0 * patch.at.y) * half_height, -1.0);
    let toward = camera.orientation * in_view.normalize();
    let right = toward.cross(camera.orientation * Vec3::Y).normalize_or(camera.orientation * Vec3::X);
    // As wide, at its depth, as it is asked to be; the slant toward the edges of the picture widens it a little.
    let half_m = patch.width * half_height * aspect * patch.distance_m / in_view.length();
    [camera.eye + toward * patch.distance_m, right * half_m, right.cross(toward) * half_m]
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use view::Camera;

    use super::*;

    #[test]
    fn a_patch_is_where_the_picture_wants_it_and_exactly_as_far() {
        let placed_from = Camera::look_at(Vec3::new(1.0, -5.0, 2.0), Vec3::new(1.0, -5.0, -8.0), 1.0);
        let patch =
            TestPatch { placed_from, at: Vec2::new(0.125, 0.5), distance_m: 8.0, width: 0.06, radiance: Vec3::ONE };
        let aspect = 16.0 / 9.0;
        let [center, right, up] = placed(&patch, aspect);
        assert!((center.distance(placed_from.eye) - 8.0).abs() < 1e-4);
        let clip = placed_from.clip_from_view(aspect) * placed_from.view_from_world() * center.extend(1.0);
        assert!((clip.x / clip.w + 0.75).abs() < 1e-4 && (clip.y / clip.w).abs() < 1e-4);
        let toward = (center - placed_from.eye).normalize();
        assert!(right.dot(toward).abs() < 1e-4 && up.dot(toward).abs() < 1e-4, "it faces the eye");
    }
}
