//! The scene in a headset: its runtime gives the moments and shows the pictures.

use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, vec2};
use headset::HeadsetFrame;
use render::Stereo;
use runtime::AppError;
use view::Camera;

use crate::aim::Sight;
use crate::input::Action;
use crate::running::RunningDemo;
use crate::running::play::FRIGHT_M;
use crate::session::SceneSession;
use crate::wearer::{Gesture, Wearer, pointing};

/// Topic of errors about the headset.
pub(super) const HEADSET: &str = "headset";

/// Frames that nobody sees after which the window has the picture.
pub(super) const UNSEEN: u32 = 30;

/// Points that a stick scrolls a panel by with each frame, and its deflection from which on it does.
const SCROLL: f32 = 12.0;
const SCROLLS_FROM: f32 = 0.3;

/// Event of a trigger at a place on the sheet of panels.
fn trigger(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// A headset that is worn.
pub(super) struct Worn {
    wearer: Wearer,
    /// Moment that is drawn next.
    frame: HeadsetFrame,
    /// Frames since then that nobody has seen.
    pub unseen: u32,
    /// Layout of pictures before it was put on.
    pub before: Stereo,
    /// Whether the trigger of the hand that points was pressed.
    presses: bool,
    /// Place on the sheet of panels that it pointed at, in points.
    pointed_at: Option<Pos2>,
}

impl Worn {
    /// Whether the headset has the picture.
    pub fn is_seen(&self) -> bool {
        self.unseen < UNSEEN
    }
}

/// Begins the visit of a scene, or goes on with it: for the first time at its standing place, if it has one, and else
/// where `camera` is.
fn enter(session: &mut SceneSession, camera: &Camera, frame: &HeadsetFrame) -> Wearer {
    let is_first = session.visit.enter(session.world().time_s());
    let standing = session.world().standing().filter(|_| is_first);
    standing.map_or_else(|| Wearer::new(camera, frame), |place| Wearer::standing(&place, frame))
}

impl RunningDemo {
    /// Takes the next moment of a headset, which is put on with the first: of two eyes the screen shows the left one's
    /// picture in its left half and the right one's in its right half.
    ///
    /// # Errors
    /// If the driver refuses a target for them; what is shown stays.
    pub fn wear(&mut self, frame: HeadsetFrame) -> Result<(), AppError> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let (shown, wanted) = (stage.stereo(), if frame.eyes.len() > 1 { Stereo::SideBySide } else { Stereo::Off });
        if shown != wanted {
            stage.set_stereo(wanted)?;
        }
        stage.pace_by(Some(frame.rate_hz));
        match &mut self.worn {
            Some(worn) => (worn.frame, worn.unseen) = (frame, 0),
            None => {
                // Waiting for the screen too would halve the rate.
                stage.screen().set_vsync(false);
                let wearer = enter(&mut self.session, &self.frame.camera, &frame);
                self.worn = Some(Worn { wearer, frame, unseen: 0, before: shown, presses: false, pointed_at: None });
                self.panels.clear_error(HEADSET);
                self.pace.skip();
            }
        }
        Ok(())
    }

    /// Takes the headset off: the eye stays where the head was, with the horizon level.
    pub fn take_off(&mut self) {
        self.let_go_of_panels();
        let Some(before) = self.leave_wearer() else { return };
        let vsync = self.options.vsync;
        let set = self.stage.as_mut().map_or(Ok(()), |stage| {
            stage.screen().set_vsync(vsync);
            stage.pace_by(None);
            stage.set_stereo(before)
        });
        if let Err(error) = set {
            self.show_error(HEADSET, &error);
        }
    }

    /// Leaves the eye where the head is, with the horizon level, if a headset is worn; returns the layout of pictures
    /// before it was put on.
    pub(super) fn leave_wearer(&mut self) -> Option<Stereo> {
        let worn = self.worn.take()?;
        self.session.visit.is_on = false;
        let head = self.frame.camera;
        self.session.rig.put(&Camera::look_at(head.eye, head.eye + head.orientation * glam::Vec3::NEG_Z, head.fov_y));
        self.pace.skip();
        Some(worn.before)
    }

    /// Moves the wearer of a headset on by a frame's time (s) and does what the hands ask for.
    pub(super) fn move_wearer(&mut self, elapsed_s: f64) {
        let Some(Worn { wearer, frame, .. }) = self.worn.as_mut().filter(|worn| worn.is_seen()) else { return };
        let home = self.frame.camera;
        if !self.session.visit.is_on {
            // Another sea, or the same from its beginning.
            let begin = self.session.steer(|rig, about| rig.camera(None, &about.collision));
            *wearer = enter(&mut self.session, &begin, frame);
        }
        let gestures = self.session.steer(|rig, about| {
            let gestures = wearer.update(frame, elapsed_s, |from, to| about.collision.slide(from, to));
            rig.put(&wearer.head(frame, home));
            gestures
        });
        let is_at_panels = self.point_at_panels();
        for gesture in gestures {
            match gesture {
                Gesture::Mind if is_at_panels => {}
                Gesture::Mind => self.act(Action::Mind),
                Gesture::Settings => self.act(Action::Settings),
                Gesture::Food => self.act(Action::Food),
                Gesture::Torch => self.act(Action::Torch),
                Gesture::Frighten(from, direction) => {
                    let place = Sight::along(from, direction).meets(self.session.world());
                    self.session.interfere("a fright", |world| world.frighten(place, FRIGHT_M));
                }
            }
        }
    }

    /// Has the frame seen by the headset that is worn.
    pub(super) fn show_in_headset(&mut self) {
        let Some(Worn { wearer, frame, .. }) = self.worn.as_ref().filter(|worn| worn.is_seen()) else { return };
        let (world, works, stage) = (self.session.world(), self.panel_is_open(), self.stage.as_ref());
        wearer.show(frame, &mut self.frame, |from, direction| {
            let panel = stage.filter(|_| works).and_then(|stage| stage.meets_panels(from, direction));
            panel.map_or_else(|| Sight::along(from, direction).meets(world), |(_, place)| place)
        });
    }

    /// Has the hand that points work the panels, if they are open: its trigger presses, its stick scrolls. Returns
    /// whether it points at them.
    fn point_at_panels(&mut self) -> bool {
        let is_open = self.panel_is_open();
        let (Some(worn), Some(stage)) = (&mut self.worn, &self.stage) else { return false };
        let Some(hand) = pointing(&worn.frame) else { return false };
        let (from, direction) = worn.wearer.line(hand);
        let was_pressed = std::mem::replace(&mut worn.presses, hand.trigger);
        let meets = stage.meets_panels(from, direction).filter(|_| is_open);
        let Some((pos, _)) = meets else {
            self.let_go_of_panels();
            return false;
        };
        worn.pointed_at = Some(pos);
        let scroll = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, hand.stick.y * SCROLL),
            source: MouseWheelSource::Wheel,
            phase: TouchPhase::Move,
            modifiers: Modifiers::NONE,
        };
        let events = [
            Some(Event::PointerMoved(pos)),
            (hand.trigger != was_pressed).then(|| trigger(pos, hand.trigger)),
            (hand.stick.y.abs() > SCROLLS_FROM).then_some(scroll),
        ];
        self.panels.input.extend(events.into_iter().flatten());
        true
    }

    /// Lets go of a slider that is dragged, where no panel will see the trigger's end.
    fn let_go_of_panels(&mut self) {
        let pointed_at = self.worn.as_mut().and_then(|worn| worn.pointed_at.take());
        let let_go = pointed_at.map(|pos| [trigger(pos, false), Event::PointerGone]);
        self.panels.input.extend(let_go.into_iter().flatten());
    }

    /// Camera in the middle of whose picture animals are watched.
    pub(super) fn watching(&self) -> Camera {
        let camera = self.frame.camera;
        let seen = self.worn.as_ref().filter(|worn| worn.is_seen());
        seen.map_or(camera, |Worn { wearer, frame, .. }| wearer.pointing(frame, camera))
    }
}
