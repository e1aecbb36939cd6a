//! Cameras of a scene: first view, named views, the benchmark's rail.

use glam::Vec3;
use view::Camera;

use crate::{CameraSettings, StandingSettings, WaypointSettings};

/// Standing place of a person with a headset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Place of the feet, in world space.
    pub feet: Vec3,
    /// Level unit vector that the person faces at first.
    pub ahead: Vec3,
}

impl Standing {
    /// The standing place of the settings; `floor_m` gives the height of the ground at x and z.
    pub fn new(settings: &StandingSettings, floor_m: impl Fn(f32, f32) -> f32) -> Self {
        let (at, target) = (Vec3::from(settings.at_m), Vec3::from(settings.target_m));
        let feet = at.with_y(at.y.max(floor_m(at.x, at.z)));
        Self { feet, ahead: (target - at).with_y(0.0).normalize_or(Vec3::NEG_Z) }
    }
}

/// The first view.
pub fn first_view(settings: &CameraSettings) -> Camera {
    Camera::look_at(settings.eye_m.into(), settings.target_m.into(), settings.fov_deg.to_radians())
}

/// The view called `name`, or the first view; `None` if there is no such name.
pub fn view(settings: &CameraSettings, name: Option<&str>) -> Option<Camera> {
    let Some(name) = name else { return Some(first_view(settings)) };
    let view = settings.views.get(name)?;
    let fov_deg = if view.fov_deg > 0.0 { view.fov_deg } else { settings.fov_deg };
    Some(Camera::look_at(view.eye_m.into(), view.target_m.into(), fov_deg.to_radians()))
}

/// The camera on the rail at `time_s`: closed uniform Catmull-Rom splines through the waypoints' eyes and targets, one
/// round in each period.
///
/// Waypoints are evenly spaced in time, so position and velocity are continuous everywhere, the join included; the
/// first waypoint is passed at 0 s. Without waypoints it is the first view. Any finite time is valid, also a negative
/// one.
pub fn rail(settings: &CameraSettings, time_s: f64) -> Camera {
    let waypoints = &settings.rail;
    let fov_y = settings.fov_deg.to_radians();
    if waypoints.is_empty() {
        return first_view(settings);
    }
    let count = waypoints.len();
    let rounds = (time_s / f64::from(settings.rail_period_s).max(f64::MIN_POSITIVE)).rem_euclid(1.0);
    let place = rounds * count as f64;
    // The remainder can round up to a whole round, which is the first waypoint again.
    let segment = place.floor() as usize % count;
    let t = (place - place.floor()) as f32;
    let on_spline = |point: fn(&WaypointSettings) -> [f32; 3]| {
        let at = |step: usize| Vec3::from(point(&waypoints[(segment + count + step - 1) % count]));
        math::catmull_rom([at(0), at(1), at(2), at(3)], t)
    };
    Camera::look_at(on_spline(|w| w.eye_m), on_spline(|w| w.target_m), fov_y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waypoint(eye: [f32; 3], target: [f32; 3]) -> WaypointSettings {
        WaypointSettings { eye_m: eye, target_m: target }
    }

    fn square() -> CameraSettings {
        let corner = |x, z| waypoint([x, -4.0, z], [0.2 * x, -5.0, -3.0]);
        CameraSettings {
            rail: vec![corner(10.0, 10.0), corner(-10.0, 10.0), corner(-10.0, -10.0), corner(10.0, -10.0)],
            rail_period_s: 20.0,
            ..CameraSettings::default()
        }
    }

    fn forward(camera: &Camera) -> Vec3 {
        camera.orientation * Vec3::NEG_Z
    }

    #[test]
    fn the_rail_passes_each_waypoint_and_looks_at_its_target() {
        let settings = square();
        for (i, waypoint) in settings.rail.iter().enumerate() {
            let camera = rail(&settings, 5.0 * i as f64);
            let eye = Vec3::from(waypoint.eye_m);
            assert!((camera.eye - eye).length() < 1e-4, "waypoint {i}: {}", camera.eye);
            let wanted = (Vec3::from(waypoint.target_m) - eye).normalize();
            assert!(forward(&camera).dot(wanted) > 1.0 - 1e-5, "waypoint {i} looks along {}", forward(&camera));
        }
    }

    #[test]
    fn the_rail_is_closed_and_goes_on_for_ever() {
        let settings = square();
        for time_s in [0.0, 3.3, 19.99] {
            let first = rail(&settings, time_s);
            for later_s in [time_s + 20.0, time_s + 2000.0, time_s - 40.0] {
                assert!((rail(&settings, later_s).eye - first.eye).length() < 1e-3, "{time_s} and {later_s}");
            }
        }
    }

    #[test]
    fn speed_is_continuous_everywhere_and_across_the_join() {
        let settings = square();
        let step_s = 1.0 / 60.0;
        let eye = |i: i32| rail(&settings, f64::from(i) * step_s).eye;
        let mut fastest = 0.0f32;
        for i in 0..1260 {
            let before = eye(i) - eye(i - 1);
            let after = eye(i + 1) - eye(i);
            fastest = fastest.max(after.length());
            // The spline's acceleration is at most 40 m/s^2 here; a jump of speed would be metres a second at once.
            assert!((after - before).length() < 0.012, "kink at step {i}: {before} then {after}");
        }
        assert!(fastest > 0.05, "it moves");
    }

    #[test]
    fn an_empty_rail_is_the_first_view_and_one_waypoint_stands_still() {
        let mut settings = CameraSettings::default();
        assert_eq!(Some(rail(&settings, 7.0)), view(&settings, None));
        settings.rail = vec![waypoint([1.0, -2.0, 3.0], [0.0, -2.0, 0.0])];
        for time_s in [0.0, 13.7] {
            assert!((rail(&settings, time_s).eye - Vec3::new(1.0, -2.0, 3.0)).length() < 1e-5);
        }
    }

    #[test]
    fn feet_stand_on_the_ground_or_above_it_and_the_person_faces_the_target() {
        let settings = StandingSettings { at_m: [2.0, -7.0, 1.0], target_m: [2.0, 3.0, 5.0] };
        let on = |floor_m: f32| Standing::new(&settings, |x, z| if (x, z) == (2.0, 1.0) { floor_m } else { 0.0 });
        assert_eq!(on(-6.5), Standing { feet: Vec3::new(2.0, -6.5, 1.0), ahead: Vec3::Z });
        assert_eq!(on(f32::NEG_INFINITY).feet, Vec3::new(2.0, -7.0, 1.0));
    }

    #[test]
    fn two_waypoints_go_there_and_back() {
        let mut settings = square();
        settings.rail.truncate(2);
        let (there, back) = (rail(&settings, 5.0).eye, rail(&settings, 15.0).eye);
        assert!((there - Vec3::new(0.0, -4.0, 10.0)).length() < 1e-4, "{there}");
        assert!((back - there).length() < 1e-4, "{back}");
    }
}
