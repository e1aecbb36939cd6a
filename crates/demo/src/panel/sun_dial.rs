//! The sun on a dial: the sky on a map seen from above, the zenith in the middle.

use egui::{Align2, FontId, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2, pos2, vec2};
use shell::theme;

/// Range of elevations of the dial, from below the horizon; a lower sun is shown at the rim. Unit: degrees.
const LOWEST_DEG: f32 = -12.0;
const HIGHEST_DEG: f32 = 90.0;

/// Shows the position of the sun and lets it be moved; returns elevation and azimuth (degrees) if they have changed.
pub fn sun_dial(ui: &mut Ui, rect: Rect, elevation_deg: f32, azimuth_deg: f32) -> (Response, Option<(f32, f32)>) {
    let side = rect.height().min(rect.width());
    let dial = Rect::from_center_size(rect.center(), Vec2::splat(side - 22.0));
    let response = ui.interact(dial, ui.scope_id().with("sun dial"), Sense::click_and_drag());
    let (middle, radius) = (dial.center(), 0.5 * dial.width());
    let painter = ui.painter();
    let line = Stroke::new(1.0, theme::WEAK.gamma_multiply(0.6));
    painter.circle(middle, radius, theme::WELL, Stroke::NONE);
    for elevation in [0.0, 30.0, 60.0] {
        painter.circle_stroke(middle, radius * share(elevation), line);
    }
    let font = FontId::proportional(10.0);
    for (azimuth, name) in [(0.0, "+x"), (90.0, "+z"), (180.0, "-x"), (270.0, "-z")] {
        let at = |share: f32| middle + toward(azimuth) * radius * share;
        painter.line_segment([at(0.94), at(1.0)], line);
        painter.text(middle + toward(azimuth) * (radius + 8.0), Align2::CENTER_CENTER, name, font.clone(), theme::WEAK);
    }
    let sun = middle + toward(azimuth_deg) * radius * share(elevation_deg);
    painter.line_segment([middle, sun], Stroke::new(1.0, theme::EDITED.gamma_multiply(0.4)));
    painter.circle_filled(sun, 10.0, theme::EDITED.gamma_multiply(if elevation_deg > 0.0 { 0.25 } else { 0.1 }));
    painter.circle_filled(sun, 5.0, theme::EDITED.gamma_multiply(if elevation_deg > 0.0 { 1.0 } else { 0.5 }));
    let moved = response.interact_pointer_pos().filter(|_| response.dragged() || response.clicked());
    let now = moved.map(|at| of_place((at - middle) / radius));
    (response, now)
}

/// Distance from the middle over the radius.
fn share(elevation_deg: f32) -> f32 {
    ((HIGHEST_DEG - elevation_deg) / (HIGHEST_DEG - LOWEST_DEG)).clamp(0.0, 1.0)
}

/// Direction on the dial: +x is to the right and +z is down, as on a map seen from above.
fn toward(azimuth_deg: f32) -> Vec2 {
    let angle = azimuth_deg.to_radians();
    vec2(angle.cos(), angle.sin())
}

/// Elevation and azimuth (whole degrees) of a place on the dial, given in radii from the middle.
fn of_place(place: Vec2) -> (f32, f32) {
    let at: Pos2 = pos2(place.x, place.y);
    let elevation = HIGHEST_DEG - at.to_vec2().length().min(1.0) * (HIGHEST_DEG - LOWEST_DEG);
    let azimuth = at.y.atan2(at.x).to_degrees().rem_euclid(360.0);
    (elevation.round(), azimuth.round() % 360.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_on_the_dial_is_where_the_sun_is_drawn() {
        for elevation in [-10.0, 0.0, 33.0, 75.0] {
            for azimuth in [0.0, 45.0, 238.0, 359.0] {
                assert_eq!(of_place(toward(azimuth) * share(elevation)), (elevation, azimuth));
            }
        }
        assert_eq!(of_place(vec2(9.0, 0.0)).0, LOWEST_DEG, "beyond the rim");
    }
}
