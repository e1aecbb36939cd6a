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

    /// Clip from view, OpenGL depth range.
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        let shear = Mat4::from_cols(Vec4::X, Vec4::Y, Vec4::new(-self.off_axis.x, -self.off_axis.y, 1.0, 0.0), Vec4::W);
        glam::camera::rh::proj::opengl::perspective(self.fov_y, aspect, self.near, self.far) * shear
    }
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
