//! Actions of hands, and the buttons of controllers that are suggested for them.

use glam::{Vec2, Vec3};
use openxr as xr;

use super::{place, rotation};
use crate::Hand;

/// Parts of a hand that buttons are bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Grip,
    Aim,
    Trigger,
    Squeeze,
    First,
    Second,
    Stick,
}

/// Hands that a controller has a button on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    Both,
    Left,
    Right,
}

/// A part, the hands that have it, and its path under `input`.
type Button = (Part, On, &'static str);

/// Paths of the hands.
const HANDS: [&str; 2] = ["/user/hand/left", "/user/hand/right"];

/// Poses, which all controllers have.
const POSES: [Button; 2] = [(Part::Grip, On::Both, "grip/pose"), (Part::Aim, On::Both, "aim/pose")];

/// Controllers by their profiles, with their buttons. A runtime maps others to these.
const CONTROLLERS: [(&str, &[Button]); 5] = [
    ("khr/simple_controller", &[(Part::Trigger, On::Both, "select/click"), (Part::First, On::Both, "menu/click")]),
    (
        "oculus/touch_controller",
        &[
            (Part::Trigger, On::Both, "trigger/value"),
            (Part::Squeeze, On::Both, "squeeze/value"),
            (Part::First, On::Left, "x/click"),
            (Part::Second, On::Left, "y/click"),
            (Part::First, On::Right, "a/click"),
            (Part::Second, On::Right, "b/click"),
            (Part::Stick, On::Both, "thumbstick"),
        ],
    ),
    (
        "valve/index_controller",
        &[
            (Part::Trigger, On::Both, "trigger/value"),
            (Part::Squeeze, On::Both, "squeeze/value"),
            (Part::First, On::Both, "a/click"),
            (Part::Second, On::Both, "b/click"),
            (Part::Stick, On::Both, "thumbstick"),
        ],
    ),
    (
        "htc/vive_controller",
        &[
            (Part::Trigger, On::Both, "trigger/value"),
            (Part::Squeeze, On::Both, "squeeze/click"),
            (Part::First, On::Both, "menu/click"),
            (Part::Second, On::Both, "trackpad/click"),
            (Part::Stick, On::Both, "trackpad"),
        ],
    ),
    (
        "microsoft/motion_controller",
        &[
            (Part::Trigger, On::Both, "trigger/value"),
            (Part::Squeeze, On::Both, "squeeze/click"),
            (Part::First, On::Both, "menu/click"),
            (Part::Second, On::Both, "trackpad/click"),
            (Part::Stick, On::Both, "thumbstick"),
        ],
    ),
];

/// Actions of both hands.
pub struct Actions {
    grip: [xr::Space; 2],
    aim: [xr::Space; 2],
    trigger: xr::Action<bool>,
    squeeze: xr::Action<bool>,
    first: xr::Action<bool>,
    second: xr::Action<bool>,
    stick: xr::Action<xr::Vector2f>,
    hands: [xr::Path; 2],
    set: xr::ActionSet,
}

impl Actions {
    /// Actions of a session.
    pub fn new(instance: &xr::Instance, session: &xr::Session<xr::OpenGL>) -> xr::Result<Self> {
        let set = instance.create_action_set("diving", "Diving", 0)?;
        let hands = [instance.string_to_path(HANDS[0])?, instance.string_to_path(HANDS[1])?];
        let grip = set.create_action::<xr::Posef>("grip", "Hand", &hands)?;
        let aim = set.create_action::<xr::Posef>("aim", "Point", &hands)?;
        let button = |name: &str, shown: &str| set.create_action::<bool>(name, shown, &hands);
        let trigger = button("mind", "Show what an animal is about")?;
        let squeeze = button("pull", "Pull yourself through the water")?;
        let first = button("frighten", "Frighten")?;
        let second = button("food_or_torch", "Right: food, left: torch")?;
        let stick = set.create_action::<xr::Vector2f>("swim_or_turn", "Left: swim, right: turn", &hands)?;
        for (profile, buttons) in CONTROLLERS {
            let mut bindings = Vec::new();
            for (part, on, path) in POSES.iter().chain(buttons) {
                let sides = match on {
                    On::Both => &HANDS[..],
                    On::Left => &HANDS[..1],
                    On::Right => &HANDS[1..],
                };
                for side in sides {
                    let path = instance.string_to_path(&format!("{side}/input/{path}"))?;
                    bindings.push(match part {
                        Part::Grip => xr::Binding::new(&grip, path),
                        Part::Aim => xr::Binding::new(&aim, path),
                        Part::Trigger => xr::Binding::new(&trigger, path),
                        Part::Squeeze => xr::Binding::new(&squeeze, path),
                        Part::First => xr::Binding::new(&first, path),
                        Part::Second => xr::Binding::new(&second, path),
                        Part::Stick => xr::Binding::new(&stick, path),
                    });
                }
            }
            let path = instance.string_to_path(&format!("/interaction_profiles/{profile}"))?;
            if let Err(why) = instance.suggest_interaction_profile_bindings(path, &bindings) {
                log::warn!("headset: controllers of {profile} have no buttons: {why}");
            }
        }
        session.attach_action_sets(&[&set])?;
        let spaces = |action: &xr::Action<xr::Posef>| -> xr::Result<[xr::Space; 2]> {
            let space = |hand| action.create_space(session, hand, xr::Posef::IDENTITY);
            Ok([space(hands[0])?, space(hands[1])?])
        };
        Ok(Self { grip: spaces(&grip)?, aim: spaces(&aim)?, trigger, squeeze, first, second, stick, hands, set })
    }

    /// The left hand and the right one at a time, as far as they are there.
    pub fn hands(
        &self,
        session: &xr::Session<xr::OpenGL>,
        room: &xr::Space,
        at: xr::Time,
    ) -> xr::Result<[Option<Hand>; 2]> {
        session.sync_actions(&[(&self.set).into()])?;
        Ok([self.hand(0, session, room, at)?, self.hand(1, session, room, at)?])
    }

    fn hand(
        &self,
        side: usize,
        session: &xr::Session<xr::OpenGL>,
        room: &xr::Space,
        at: xr::Time,
    ) -> xr::Result<Option<Hand>> {
        let located = |space: &xr::Space| -> xr::Result<Option<xr::Posef>> {
            let location = space.locate(room, at)?;
            let known = xr::SpaceLocationFlags::POSITION_VALID | xr::SpaceLocationFlags::ORIENTATION_VALID;
            let pose = location.pose;
            let is_whole = place(pose.position).is_finite() && rotation(pose.orientation).is_finite();
            Ok((location.location_flags.contains(known) && is_whole).then_some(pose))
        };
        let (grip, aim) = (located(&self.grip[side])?, located(&self.aim[side])?);
        let (Some(grip), Some(aim)) = (grip.or(aim), aim.or(grip)) else { return Ok(None) };
        let path = self.hands[side];
        let pressed = |action: &xr::Action<bool>| Ok::<_, xr::sys::Result>(action.state(session, path)?.current_state);
        let stick = self.stick.state(session, path)?.current_state;
        Ok(Some(Hand {
            grip: place(grip.position),
            aim: (place(aim.position), rotation(aim.orientation) * Vec3::NEG_Z),
            trigger: pressed(&self.trigger)?,
            squeeze: pressed(&self.squeeze)?,
            first: pressed(&self.first)?,
            second: pressed(&self.second)?,
            stick: Some(Vec2::new(stick.x, stick.y)).filter(|stick| stick.is_finite()).unwrap_or_default(),
        }))
    }
}
