//! Camera of the world.

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

/// A view of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Eye in world space.
    pub eye: Vec3,
    /// World from view; the view looks along its -z.
    pub orientation: Quat,
    /// Vertical field of view. Unit: rad.
    pub fov_y: f32,
    /// Distance of the near plane. Unit: m.
    pub near: f32,
    /// Distance of the far plane. Unit: m.
    pub far: f32,
    /// Off-axis projection: how far the point straight ahead lies right of and above the middle of the picture, as
    /// metres per metre of distance. 0 except for photographs through a lens and for the eyes of a stereo picture.
    pub off_axis: Vec2,
    /// Width over height of what it sees; `None`: those of its picture, whose pixels are then square. The lenses of
    /// headsets have pixels that are not.
    pub aspect: Option<f32>,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            eye: Vec3::new(0.0, -5.0, 10.0),
            orientation: Quat::IDENTITY,
            fov_y: 1.05,
            near: 0.05,
            far: 300.0,
            off_axis: Vec2::ZERO,
            aspect: None,
        }
    }
}

impl Camera {
    /// A camera at `eye` that looks at `target` with the horizon level.
    pub fn look_at(eye: Vec3, target: Vec3, fov_y: f32) -> Self {
        let forward = (target - eye).normalize_or(Vec3::NEG_Z);
        let up = if forward.y.abs() > 0.999 { Vec3::NEG_Z } else { Vec3::Y };
        let view_from_world = glam::camera::rh::view::look_to_mat4(eye, forward, up);
        let orientation = Quat::from_mat4(&view_from_world).inverse().normalize();
        Self { eye, orientation, fov_y, ..Self::default() }
    }

    /// View from world.
    pub fn view_from_world(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.orientation, self.eye).inverse()
    }

    /// The camera of a lens that sees from `down` to `up` and from `left` to `right`: tangents of the angles to straight
    /// ahead, of which `down` and `left` are negative for nearly all.
    pub fn through_lens(self, [left, right]: [f32; 2], [down, up]: [f32; 2]) -> Self {
        Self {
            fov_y: 2.0 * (0.5 * (up - down)).atan(),
            off_axis: -0.5 * Vec2::new(left + right, down + up),
            aspect: Some((right - left) / (up - down)),
            ..self
        }
    }

    /// Clip from view, OpenGL depth range, for a picture of that width over its height.
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        let aspect = self.aspect.unwrap_or(aspect);
        let shear = Mat4::from_cols(Vec4::X, Vec4::Y, Vec4::new(-self.off_axis.x, -self.off_axis.y, 1.0, 0.0), Vec4::W);
        glam::camera::rh::proj::opengl::perspective(self.fov_y, aspect, self.near, self.far) * shear
    }
}

/// The eyes of a headset, as its runtime has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Headset {
    /// Cameras of the eyes, the left one's first; empty if no headset is worn.
    pub eyes: Vec<Camera>,
    /// Parts of the output that their pictures go to; empty if the runtime leaves that to the layout.
    pub parts: Vec<PicturePart>,
    /// Narrowing of the view while its wearer is moved without moving: 0 to 1, where the corners are black.
    pub narrowing: f32,
    /// Lines that the hands point along: from a hand to what it meets.
    pub pointers: Vec<[Vec3; 2]>,
}

/// A part of a picture. Unit: pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PicturePart {
    /// Its lower left corner, from that of the picture.
    pub corner: (u32, u32),
    /// Its width and height.
    pub extent: (u32, u32),
}

/// Distances by which the pictures of two eyes differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eyes {
    /// Distance between them. Unit: m.
    pub interocular_m: f32,
    /// Distance of the plane that both show in the same place. Unit: m.
    pub convergence_m: f32,
}

impl Default for Eyes {
    /// Both eyes in one place.
    fn default() -> Self {
        Self { interocular_m: 0.0, convergence_m: f32::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edges_of_a_lens_are_those_of_its_picture() {
        // Tangents of a headset's left eye, which sees farther to the outside and below.
        let ([left, right], [down, up]) = ([-1.38, 0.84], [-1.43, 0.97]);
        let clip = Camera::default().through_lens([left, right], [down, up]).clip_from_view(1.0);
        for (x, y, wanted) in [(left, down, Vec2::NEG_ONE), (right, up, Vec2::ONE)] {
            let at = clip * Vec4::new(3.0 * x, 3.0 * y, -3.0, 1.0);
            assert!((at.truncate().truncate() / at.w - wanted).length() < 1e-5, "{at}");
        }
    }
}
