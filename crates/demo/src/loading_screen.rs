//! The loading screen, which hides the picture while a scene is being made: it falls, shows the scene's name and the
//! present step, and rises.

use egui::{Align2, Color32, FontId, Id, LayerId, Mesh, Order, Rect, Stroke, pos2, vec2};
use scene::BuildStep;
use shell::messages::Messages;

/// Duration of the fall. Unit: s.
pub const FALL_S: f64 = 0.15;
/// Duration of the rise. Unit: s.
const RISE_S: f64 = 0.45;
/// Interval at which the text of the present step is updated. Unit: s.
pub const TEXT_EVERY_S: f64 = 0.1;
/// Colours of water lit from above: at the top, in the middle and at the bottom.
const COLOURS: [[u8; 3]; 3] = [[16, 74, 96], [5, 34, 52], [2, 12, 22]];
/// Size of the scene's name as a share of the screen's shorter side, and its maximum in points.
const NAME_SIZE: (f32, f32) = (0.12, 34.0);

/// A loading screen on its way down or up.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadingScreen {
    /// The name of the scene behind it.
    name: String,
    /// Step that is shown, if any.
    doing: Option<BuildStep>,
    /// Closed share when it last changed direction: 0 to 1.
    shade_then: f64,
    turned_s: f64,
    falls: bool,
}

impl LoadingScreen {
    /// Loading screen that is closed before anything is shown.
    pub fn closed(name: &str) -> Self {
        Self { name: name.to_owned(), doing: None, shade_then: 1.0, turned_s: 0.0, falls: true }
    }

    /// Loading screen that falls, from the position of `before` if there is one.
    pub fn falling(before: Option<&Self>, name: &str, now_s: f64) -> Self {
        let shade_then = before.map_or(0.0, |before| before.shade(now_s));
        Self { name: name.to_owned(), doing: None, shade_then, turned_s: now_s, falls: true }
    }

    /// Lets it rise from now on, from its present position.
    pub fn rise(&mut self, now_s: f64) {
        (self.shade_then, self.turned_s, self.falls) = (self.shade(now_s), now_s, false);
        self.doing = None;
    }

    /// Sets the step that is shown.
    pub fn say(&mut self, step: BuildStep) {
        self.doing = Some(step);
    }

    /// Whether it hides everything behind it.
    pub fn is_closed(&self, now_s: f64) -> bool {
        self.shade(now_s) >= 1.0
    }

    /// Whether it has risen.
    pub fn is_gone(&self, now_s: f64) -> bool {
        !self.falls && self.shade(now_s) <= 0.0
    }

    fn shade(&self, now_s: f64) -> f64 {
        let passed_s = (now_s - self.turned_s).max(0.0);
        let change = if self.falls { passed_s / FALL_S } else { -passed_s / RISE_S };
        (self.shade_then + change).clamp(0.0, 1.0)
    }

    /// Draws it over all of the screen, under the panels.
    pub fn show(&self, ctx: &egui::Context, messages: &Messages, now_s: f64) {
        let shade = self.shade(now_s) as f32;
        let eased = shade * shade * (3.0 - 2.0 * shade);
        let painter = ctx.layer_painter(LayerId::new(Order::Background, Id::unique("loading_screen")));
        let screen = ctx.content_rect();
        painter.add(water(screen, eased));
        let light = |strength: f32| Color32::from_rgb(190, 226, 236).gamma_multiply(strength * eased);
        let size = (NAME_SIZE.0 * screen.size().min_elem()).min(NAME_SIZE.1);
        let middle = screen.center();
        let name = painter.text(
            middle,
            Align2::CENTER_BOTTOM,
            messages.scene(&self.name),
            FontId::proportional(size),
            light(1.0),
        );
        let Some(step) = self.doing else { return };
        let small = FontId::proportional((0.45 * size).clamp(8.0, 14.0));
        let top = middle + vec2(0.0, 0.5 * size);
        painter.text(top, Align2::CENTER_TOP, step_text(messages, step), small, light(0.6));
        let half = name.width().max(110.0).min(0.4 * screen.width());
        let y = middle.y + 0.2 * size;
        let line = |to: f32| [pos2(middle.x - half, y), pos2(middle.x - half + 2.0 * half * to, y)];
        painter.line_segment(line(1.0), Stroke::new(2.0, light(0.15)));
        painter.line_segment(line(share_done(step)), Stroke::new(2.0, light(0.8)));
    }
}

/// Mesh of water that fills `screen` with the opacity `shade`.
fn water(screen: Rect, shade: f32) -> Mesh {
    let mut mesh = Mesh::default();
    let heights = [screen.top(), screen.center().y, screen.bottom()];
    for (y, [r, g, b]) in heights.into_iter().zip(COLOURS) {
        let colour = Color32::from_rgb(r, g, b).gamma_multiply(shade);
        mesh.colored_vertex(pos2(screen.left(), y), colour);
        mesh.colored_vertex(pos2(screen.right(), y), colour);
    }
    for corner in [0, 2] {
        mesh.add_triangle(corner, corner + 1, corner + 2);
        mesh.add_triangle(corner + 1, corner + 2, corner + 3);
    }
    mesh
}

/// Share of the making of a world that is done at a step, by the time each step took on two cores.
fn share_done(step: BuildStep) -> f32 {
    match step {
        BuildStep::Light => 0.0,
        BuildStep::Models { done, all } => 0.05 + 0.7 * done as f32 / all.max(1) as f32,
        BuildStep::Ground => 0.75,
        BuildStep::Animals => 0.95,
    }
}

/// Description of a step, for people.
pub fn step_text(messages: &Messages, step: BuildStep) -> String {
    match step {
        BuildStep::Light => messages.get("making-light"),
        BuildStep::Models { done, all } => {
            messages.format("making-models", &[("done", done.into()), ("all", all.into())])
        }
        BuildStep::Ground => messages.get("making-ground"),
        BuildStep::Animals => messages.get("making-animals"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_falls_stays_and_rises() {
        let mut loading_screen = LoadingScreen::falling(None, "reef", 10.0);
        assert!(!loading_screen.is_closed(10.0) && !loading_screen.is_gone(10.0));
        assert!(loading_screen.is_closed(10.0 + FALL_S) && loading_screen.is_closed(99.0));
        loading_screen.rise(99.0);
        assert!(loading_screen.is_closed(99.0) && !loading_screen.is_closed(99.0 + 0.5 * RISE_S));
        assert!(!loading_screen.is_gone(99.0 + 0.5 * RISE_S) && loading_screen.is_gone(99.0 + RISE_S));
    }

    #[test]
    fn another_scene_on_the_way_up_lets_it_fall_from_where_it_is() {
        let mut first = LoadingScreen::closed("reef");
        first.rise(1.0);
        let half_s = 1.0 + 0.5 * RISE_S;
        let second = LoadingScreen::falling(Some(&first), "kelp", half_s);
        assert!((second.shade(half_s) - first.shade(half_s)).abs() < 1e-9);
        assert!(second.is_closed(half_s + 0.51 * FALL_S));
    }

    #[test]
    fn every_step_brings_it_further() {
        let models = |done| BuildStep::Models { done, all: 3 };
        let steps = [BuildStep::Light, models(0), models(1), models(3), BuildStep::Ground, BuildStep::Animals];
        let shares = steps.map(share_done);
        assert!(shares.is_sorted() && shares.iter().all(|share| *share < 1.0));
        assert_eq!(share_done(BuildStep::Models { done: 0, all: 0 }), 0.05);
    }
}
