//! The winds at which a sea foams. Unit: m/s at 10 m.

use glam::Vec2;

/// Least wind that makes whitecaps (Monahan & O'Muircheartaigh 1980): in less the shaders have no foam at all.
pub const WHITECAP_WIND_M_S: f32 = 5.0;
/// Between these the Jacobian at which a crest spills rises. Chosen by eye.
pub const SPILLING_WINDS_M_S: Vec2 = Vec2::new(8.0, 18.0);
/// Least wind whose crests drive plumes of bubbles under water. Chosen by eye.
pub const PLUME_WIND_M_S: f32 = 9.0;
/// Between these foam tears the image that the surface mirrors from below, in the end all of it. Chosen by eye.
pub const TEARING_WINDS_M_S: Vec2 = Vec2::new(WHITECAP_WIND_M_S, 15.0);
