//! Individuals and things of one model.

use glam::{Quat, Vec3};
use model::animation::{Moments, attached};
use model::{Attachment, Model};

/// Instances of one model this frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Index into [`StaticScene::models`](crate::StaticScene::models).
    pub model: usize,
    /// Radiance that they give off by themselves, linear RGB.
    pub emissive: Vec3,
    /// All individuals, seen or not; the renderer culls and picks levels of detail.
    pub instances: Vec<Instance>,
}

/// One individual or thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    /// Position of its model origin in world space.
    pub position: Vec3,
    /// World from model.
    pub rotation: Quat,
    /// Metres a model unit.
    pub scale: f32,
    /// Row of the palette, fractional; the vertex shader blends the rows before and after it.
    pub palette_row: f32,
    /// Weight of `palette_row` in the pose: how far the body goes from its rest pose toward it, 1 all the way.
    pub row_weight: f32,
    /// A row of another clip: on the way from one clip to the next, or in a curve.
    pub blend_row: f32,
    /// Weight of `blend_row` in the pose, on top of `row_weight`.
    pub blend_weight: f32,
    /// Bend of the fore and of the hind part to the left, on top of the pose. Unit: rad over the whole length.
    pub bend: [f32; 2],
    /// Factor on the base colour, linear RGB.
    pub tint: Vec3,
    /// A number of its own in 0..1 for whatever should differ between individuals.
    pub variation: f32,
    /// Weight of the model's first morph, on top of the pose.
    pub morph_weight: f32,
}

impl Instance {
    /// World-space position of a named place of its model.
    pub fn place(&self, model: &Model, attachment: &Attachment) -> Vec3 {
        let rows = [(self.palette_row, self.row_weight), (self.blend_row, self.blend_weight)];
        let place = attached(model, attachment, &Moments { rows, bend: self.bend });
        self.position + self.rotation * (place * self.scale)
    }
}

impl Default for Instance {
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: 1.0,
            palette_row: 0.0,
            row_weight: 1.0,
            blend_row: 0.0,
            blend_weight: 0.0,
            bend: [0.0; 2],
            tint: Vec3::ONE,
            variation: 0.0,
            morph_weight: 0.0,
        }
    }
}
