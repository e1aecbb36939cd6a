//! The wearer of a headset: where the room is in the sea, and what hands do there.
//!
//! A headset's runtime tells poses in the room: metres, +y up from its floor, and -z ahead as it began. The room stands
//! level in the sea and at its scale; it is moved by swimming and turned in steps. Nothing but the wearer's own head ever
//! tilts the view.

use glam::{Quat, Vec2, Vec3};
use headset::{Hand, HeadsetFrame};
use scene::camera::Standing;
use view::{Camera, RenderScene};

/// Step of a turn by a stick. Unit: rad.
const TURN: f32 = std::f32::consts::FRAC_PI_6;
/// Deflection of a stick at which it turns, and below which it can turn again.
const TURNS_AT: f32 = 0.6;
const TURNS_AGAIN_AT: f32 = 0.3;
/// Deflection of a stick that is taken for none.
const STICK_REST: f32 = 0.15;
/// Speed of swimming by a stick, constant: what gains speed makes people sick. Unit: m/s.
const SWIM_M_S: f32 = 1.0;
/// Longest time that is swum in a frame. Unit: s.
const LONGEST_FRAME_S: f32 = 0.1;
/// Narrowing of the view while one is moved by a stick, and the time in which it comes and goes. Unit: s.
const NARROWING: f32 = 0.85;
const NARROWS_IN_S: f32 = 0.3;

/// A request of a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    /// Shows or hides the mind of the animal that is pointed at.
    Mind,
    /// Frightens what is along a line in the sea, from a place in a direction.
    Frighten(Vec3, Vec3),
    /// Drops food.
    Food,
    /// Switches the torch.
    Torch,
    /// Opens the settings, or closes them.
    Settings,
}

/// Time for which hunters are calm once a headset is put on in a scene for the first time. Unit: s.
const QUIET_S: f64 = 60.0;

/// Visit of a scene with a headset.
#[derive(Clone, Copy, Debug, Default)]
pub struct Visit {
    /// Whether the headset is worn in it now.
    pub is_on: bool,
    /// Simulated time at which it was first put on in it. Unit: s.
    began_s: Option<f64>,
}

impl Visit {
    /// Begins the visit, or goes on with it, at a simulated time (s). Returns whether it is the first time.
    pub fn enter(&mut self, time_s: f64) -> bool {
        let is_first = self.began_s.is_none();
        (self.is_on, self.began_s) = (true, self.began_s.or(Some(time_s)));
        is_first
    }

    /// Whether hunters are calm at a simulated time (s).
    pub fn is_quiet(&self, time_s: f64) -> bool {
        self.is_on && self.began_s.is_some_and(|began_s| (0.0..QUIET_S).contains(&(time_s - began_s)))
    }
}

/// The wearer.
#[derive(Clone, Debug)]
pub struct Wearer {
    /// Place of the room's origin in the sea.
    room: Vec3,
    /// Turn of the room about +y. Unit: rad.
    turn: f32,
    narrowing: f32,
    can_turn: bool,
    before: [Option<Hand>; 2],
}

/// The hand that points where there is one answer: the right one, or else the left one.
pub fn pointing(frame: &HeadsetFrame) -> Option<&Hand> {
    let [left, right] = &frame.hands;
    right.as_ref().or(left.as_ref())
}

/// Angle of a level direction from -z about +y. Unit: rad.
fn bearing(ahead: Vec3) -> f32 {
    f32::atan2(-ahead.x, -ahead.z)
}

impl Wearer {
    /// A wearer whose head is where `camera` is and looks in its direction, with the horizon level.
    pub fn new(camera: &Camera, frame: &HeadsetFrame) -> Self {
        let forward = (camera.orientation * Vec3::NEG_Z).with_y(0.0).normalize_or(Vec3::NEG_Z);
        let turn = bearing(forward) - bearing(frame.ahead());
        Self::at(camera.eye - Quat::from_rotation_y(turn) * frame.head(), turn)
    }

    /// A wearer who stands at a place of the scene, at the wearer's own height, and looks ahead.
    pub fn standing(place: &Standing, frame: &HeadsetFrame) -> Self {
        let turn = bearing(place.ahead) - bearing(frame.ahead());
        Self::at(place.feet - Quat::from_rotation_y(turn) * frame.head().with_y(0.0), turn)
    }

    fn at(room: Vec3, turn: f32) -> Self {
        Self { room, turn, narrowing: 0.0, can_turn: true, before: [None; 2] }
    }

    /// Sea from room.
    fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.turn)
    }

    fn in_sea(&self, place: Vec3) -> Vec3 {
        self.room + self.rotation() * place
    }

    /// Moves on by a frame: `slide` gives the end of a way of the head in the sea, past rock and ground. Returns what the
    /// hands ask for.
    pub fn update(&mut self, frame: &HeadsetFrame, elapsed_s: f64, slide: impl Fn(Vec3, Vec3) -> Vec3) -> Vec<Gesture> {
        let dt_s = (elapsed_s as f32).clamp(0.0, LONGEST_FRAME_S);
        let stick = |hand: Option<Hand>| hand.map_or(Vec2::ZERO, |hand| hand.stick);
        self.turn_by(stick(frame.hands[1]).x, frame);
        let swim = stick(frame.hands[0]);
        let is_swimming = swim.length() > STICK_REST;
        let mut way = self.pull(frame);
        if let (true, Some(eye)) = (is_swimming, frame.eyes.first()) {
            let direction = eye.orientation * Vec3::new(swim.x, 0.0, -swim.y).clamp_length_max(1.0);
            way += self.rotation() * direction * (SWIM_M_S * dt_s);
        }
        let head = self.in_sea(frame.head());
        self.room += slide(head, head + way) - head;
        let aim = if is_swimming { NARROWING } else { 0.0 };
        let step = dt_s / NARROWS_IN_S;
        self.narrowing += (aim - self.narrowing).clamp(-step, step);
        let gestures = self.gestures(frame);
        self.before = frame.hands;
        gestures
    }

    /// Turns about the head in steps.
    fn turn_by(&mut self, stick: f32, frame: &HeadsetFrame) {
        if stick.abs() < TURNS_AGAIN_AT {
            self.can_turn = true;
        } else if self.can_turn && stick.abs() > TURNS_AT {
            self.can_turn = false;
            let head = self.in_sea(frame.head());
            self.turn = (self.turn - TURN * stick.signum()).rem_euclid(std::f32::consts::TAU);
            self.room = head - self.rotation() * frame.head();
        }
    }

    /// Way in the sea by which closed hands pull the wearer through the water.
    fn pull(&self, frame: &HeadsetFrame) -> Vec3 {
        let pulled = self.before.iter().zip(&frame.hands).filter_map(|(before, now)| {
            let (before, now) = before.as_ref().zip(now.as_ref())?;
            (before.squeeze && now.squeeze).then(|| before.grip - now.grip)
        });
        self.rotation() * pulled.sum::<Vec3>()
    }

    fn gestures(&self, frame: &HeadsetFrame) -> Vec<Gesture> {
        let mut gestures = Vec::new();
        for (side, (before, now)) in self.before.iter().zip(&frame.hands).enumerate() {
            let Some(now) = now else { continue };
            // A hand that comes with a button down has not pressed it here.
            let before = before.as_ref().unwrap_or(now);
            let (from, direction) = self.line(now);
            if now.trigger && !before.trigger {
                gestures.push(Gesture::Mind);
            }
            if now.first && !before.first {
                gestures.push(if side == 0 { Gesture::Settings } else { Gesture::Frighten(from, direction) });
            }
            if now.second && !before.second {
                gestures.push(if side == 0 { Gesture::Torch } else { Gesture::Food });
            }
        }
        gestures
    }

    /// Head as a camera with the eyes of the scene's own: it stands for both eyes where one is asked for.
    pub fn head(&self, frame: &HeadsetFrame, camera: Camera) -> Camera {
        let orientation = frame.eyes.first().map_or(Quat::IDENTITY, |eye| eye.orientation);
        Camera { eye: self.in_sea(frame.head()), orientation: self.rotation() * orientation, ..camera }
    }

    /// Eye that looks along the line that the right hand points along, or the left one; the head without hands.
    pub fn pointing(&self, frame: &HeadsetFrame, camera: Camera) -> Camera {
        let Some(hand) = pointing(frame) else { return self.head(frame, camera) };
        let (from, direction) = self.line(hand);
        Camera::look_at(from, from + direction, camera.fov_y)
    }

    /// Start and direction, in the sea, of the line that a hand points along.
    pub fn line(&self, hand: &Hand) -> (Vec3, Vec3) {
        (self.in_sea(hand.aim.0), self.rotation() * hand.aim.1)
    }

    /// Has `scene` seen by the headset; `meets` gives the end of a line that a hand points along.
    pub fn show(&self, frame: &HeadsetFrame, scene: &mut RenderScene, meets: impl Fn(Vec3, Vec3) -> Vec3) {
        scene.headset.pointers.clear();
        scene.headset.pointers.extend(frame.hands.iter().flatten().map(|hand| {
            let (from, direction) = self.line(hand);
            [from, meets(from, direction)]
        }));
        scene.headset.narrowing = self.narrowing;
        scene.headset.eyes.clear();
        scene.headset.eyes.extend(frame.eyes.iter().map(|eye| {
            let camera =
                Camera { eye: self.in_sea(eye.place), orientation: self.rotation() * eye.orientation, ..scene.camera };
            camera.through_lens(eye.across, eye.upright)
        }));
        scene.headset.parts.clear();
        scene.headset.parts.extend(frame.eyes.iter().filter_map(|eye| eye.part));
    }
}

#[cfg(test)]
mod tests {
    use headset::HeadsetEye;

    use super::*;

    const EYES_M: f32 = 0.064;

    /// A head at 1.7 m that looks along -z of the room, turned by `yaw` and tilted by `roll` (rad).
    fn frame(yaw: f32, roll: f32) -> HeadsetFrame {
        let orientation = Quat::from_rotation_y(yaw) * Quat::from_rotation_z(roll);
        let eye = |side: f32| HeadsetEye {
            place: Vec3::new(0.3, 1.7, -0.2) + orientation * Vec3::X * (side * 0.5 * EYES_M),
            orientation,
            across: [-1.0, 1.0],
            upright: [-1.2, 0.9],
            part: None,
        };
        HeadsetFrame { eyes: vec![eye(-1.0), eye(1.0)], ..HeadsetFrame::default() }
    }

    fn camera() -> Camera {
        Camera::look_at(Vec3::new(4.0, -6.0, 2.0), Vec3::new(9.0, -9.0, 2.0), 1.0)
    }

    fn shown(wearer: &Wearer, frame: &HeadsetFrame) -> Vec<Camera> {
        let mut scene = RenderScene { camera: camera(), ..RenderScene::default() };
        wearer.show(frame, &mut scene, |from, direction| from + direction);
        scene.headset.eyes
    }

    fn free(_: Vec3, to: Vec3) -> Vec3 {
        to
    }

    #[test]
    fn the_head_begins_at_the_camera_with_the_horizon_level_and_only_itself_tilts_it() {
        let turned = frame(0.7, 0.0);
        let wearer = Wearer::new(&camera(), &turned);
        let eyes = shown(&wearer, &turned);
        assert!((0.5 * (eyes[0].eye + eyes[1].eye) - camera().eye).length() < 1e-5);
        assert!((eyes[0].eye.distance(eyes[1].eye) - EYES_M).abs() < 1e-5, "a metre is a metre");
        let forward = eyes[0].orientation * Vec3::NEG_Z;
        assert!((forward - Vec3::X).length() < 1e-5, "as the camera, but level: {forward}");
        let tilted = shown(&wearer, &frame(0.7, 0.3))[0].orientation * Vec3::X;
        assert!((tilted.y - 0.3f32.sin()).abs() < 1e-5, "{tilted}");
    }

    #[test]
    fn a_wearer_stands_on_the_feet_at_its_own_height_and_faces_what_is_ahead() {
        let turned = frame(0.7, 0.2);
        let place = Standing { feet: Vec3::new(3.0, -7.5, 1.0), ahead: Vec3::NEG_X };
        let wearer = Wearer::standing(&place, &turned);
        let eyes = shown(&wearer, &turned);
        let head = 0.5 * (eyes[0].eye + eyes[1].eye);
        assert!((head - Vec3::new(3.0, -7.5 + 1.7, 1.0)).length() < 1e-5, "{head}");
        assert!((eyes[0].orientation * Vec3::NEG_Z - Vec3::NEG_X).length() < 1e-5);
    }

    #[test]
    fn a_visit_is_quiet_for_a_minute_from_its_first_beginning_while_it_is_on() {
        let mut visit = Visit::default();
        assert!(!visit.is_quiet(5.0) && visit.enter(5.0));
        assert!(visit.is_quiet(5.0) && visit.is_quiet(64.9) && !visit.is_quiet(65.0));
        visit.is_on = false;
        assert!(!visit.is_quiet(20.0));
        assert!(!visit.enter(30.0), "it goes on");
        assert!(visit.is_quiet(64.9) && !visit.is_quiet(65.0));
        assert!(!visit.is_quiet(1.0), "the scene has begun again");
    }

    #[test]
    fn a_stick_turns_once_by_thirty_degrees_about_the_head() {
        let mut frame = frame(0.0, 0.0);
        let mut wearer = Wearer::new(&camera(), &frame);
        let before = shown(&wearer, &frame)[0];
        let mut push = |x: f32| {
            frame.hands[1] = Some(Hand { stick: Vec2::new(x, 0.0), ..Hand::default() });
            wearer.update(&frame, 0.011, free);
            shown(&wearer, &frame)[0]
        };
        push(0.9);
        let once = push(0.9);
        let angle = (once.orientation * Vec3::NEG_Z).angle_between(before.orientation * Vec3::NEG_Z);
        assert!((angle - TURN).abs() < 1e-5 && once.eye.distance(before.eye) < EYES_M, "{angle}");
        push(0.0);
        let back = push(-0.9);
        let off = (back.orientation * Vec3::NEG_Z).distance(before.orientation * Vec3::NEG_Z);
        assert!(off < 1e-4 && back.eye.distance(before.eye) < 1e-4, "{off}");
    }

    #[test]
    fn a_stick_swims_where_one_looks_at_one_speed_and_narrows_the_view_meanwhile() {
        let mut frame = frame(0.0, 0.0);
        let mut wearer = Wearer::new(&camera(), &frame);
        let before = shown(&wearer, &frame)[0].eye;
        frame.hands[0] = Some(Hand { stick: Vec2::new(0.0, 1.0), ..Hand::default() });
        for _ in 0..50 {
            wearer.update(&frame, 0.02, free);
        }
        let way = shown(&wearer, &frame)[0].eye - before;
        assert!((way - Vec3::X * SWIM_M_S).length() < 1e-3, "{way}");
        assert!((wearer.narrowing - NARROWING).abs() < 1e-4);
        frame.hands[0] = None;
        for _ in 0..50 {
            wearer.update(&frame, 0.02, free);
        }
        assert_eq!((wearer.narrowing, shown(&wearer, &frame)[0].eye - before), (0.0, way));
        // A rock in the way.
        frame.hands[0] = Some(Hand { stick: Vec2::new(0.0, 1.0), ..Hand::default() });
        wearer.update(&frame, 0.02, |from, _| from);
        assert_eq!(shown(&wearer, &frame)[0].eye - before, way);
    }

    #[test]
    fn closed_hands_pull_through_the_water_by_their_way() {
        let mut frame = frame(0.0, 0.0);
        let mut wearer = Wearer::new(&camera(), &frame);
        let before = shown(&wearer, &frame)[0].eye;
        let mut reach = |grip: Vec3, squeeze: bool| {
            frame.hands[1] = Some(Hand { grip, squeeze, ..Hand::default() });
            wearer.update(&frame, 0.011, free);
            shown(&wearer, &frame)[0].eye - before
        };
        assert_eq!(reach(Vec3::new(0.0, 1.2, -0.6), false), Vec3::ZERO);
        assert_eq!(reach(Vec3::new(0.0, 1.2, -0.5), false), Vec3::ZERO, "an open hand");
        reach(Vec3::new(0.0, 1.2, -0.6), true);
        let way = reach(Vec3::new(0.0, 1.2, -0.1), true);
        assert!((way - 0.5 * Vec3::X).length() < 1e-5, "ahead, for the room is turned: {way}");
    }

    #[test]
    fn a_press_asks_once_along_the_line_of_its_hand() {
        let mut frame = frame(0.0, 0.0);
        let mut wearer = Wearer::new(&camera(), &frame);
        let hand = Hand { aim: (Vec3::new(0.3, 1.7, -0.2), Vec3::NEG_Z), ..Hand::default() };
        let mut press = |hands: [Option<Hand>; 2]| {
            frame.hands = hands;
            wearer.update(&frame, 0.011, free)
        };
        assert_eq!(press([None, Some(hand)]), []);
        let first = Some(Hand { first: true, ..hand });
        let asked = press([None, first]);
        let [Gesture::Frighten(from, direction)] = asked[..] else { panic!("{asked:?}") };
        assert!((from - camera().eye).length() < 1e-5 && (direction - Vec3::X).length() < 1e-5, "{from} {direction}");
        assert_eq!(press([None, first]), [], "it is held");
        assert_eq!(press([None, Some(Hand { trigger: true, ..hand })]), [Gesture::Mind]);
        assert_eq!(press([first, Some(hand)]), [], "it came so");
        assert_eq!(press([Some(hand); 2]), []);
        assert_eq!(press([first, Some(hand)]), [Gesture::Settings]);
        let second = Some(Hand { second: true, ..hand });
        assert_eq!(press([second, second]), [Gesture::Torch, Gesture::Food]);
    }
}
