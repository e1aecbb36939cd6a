//! The camera rig: holds the current camera and the transitions between cameras.

use glam::{Quat, Vec2, Vec3};
use view::Camera;

use crate::chase::Chase;
use crate::collision::CameraCollision;
use crate::fly::{FlyCamera, HeldKeys};
use crate::photo::PhotoCamera;
use crate::pose::Pose;
use crate::ride::Ride;
use crate::subject::{Subject, Surroundings};
use crate::tour::Tour;
use crate::transition::CameraTransition;

/// Longest frame time that is simulated. Unit: s.
const LONGEST_FRAME_S: f32 = 0.25;
/// Greatest speed of the eye that is kept when a person takes over. Unit: m/s.
const CARRIED_M_S: f32 = 3.0;
/// Mouse movement that equals a fully deflected stick. Unit: pixels/s.
const STICK_PIXELS_A_S: f32 = 800.0;
/// Distance of an orbit's centre if nothing is in sight. Unit: m.
const ROUND_M: f32 = 4.0;
/// Greatest distance of rock or ground as an orbit's centre. Unit: m.
const ROUND_REACH_M: f32 = 12.0;

/// Greatest distance (m) of an eye that still counts as at home, and the cosine of its greatest turn.
const AT_HOME_M: f32 = 0.05;
const AT_HOME_COS: f32 = 0.9999;

/// A way of moving the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraMode {
    /// Free flight by the keys.
    Fly,
    /// Orbit round a place or an animal.
    Orbit,
    /// Follow beside an animal.
    Follow,
    /// Ride on an animal.
    Ride,
    /// Tour of the scene.
    Tour,
}

impl CameraMode {
    /// All modes, in the order in which the mode key cycles through them.
    pub const ALL: [Self; 5] = [Self::Fly, Self::Orbit, Self::Follow, Self::Ride, Self::Tour];
}

/// State of the current mode.
#[derive(Clone, Debug)]
enum Control {
    Fly,
    Orbit(Chase),
    Follow(Chase),
    Ride(Ride),
    Tour(Box<Tour>),
}

/// A camera that a person steers.
#[derive(Clone, Debug)]
pub struct CameraRig {
    /// The lens in photo mode.
    pub photo: Option<PhotoCamera>,
    home: Camera,
    fly: FlyCamera,
    control: Control,
    transition: Option<CameraTransition>,
    shown: Pose,
    /// Velocity of the shown eye. Unit: m/s.
    velocity: Vec3,
}

impl CameraRig {
    /// Creates a rig that stands at `home`.
    pub fn new(home: Camera) -> Self {
        let pose = Pose::of(&home);
        let (fly, control) = (FlyCamera::new(pose), Control::Fly);
        Self { photo: None, home, fly, control, transition: None, shown: pose, velocity: Vec3::ZERO }
    }

    /// Creates a rig on a tour, beginning at the way's nearest point to `home`; `None` if there is nothing to see.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn touring(home: Camera, about: &Surroundings<'_>) -> Option<Self> {
        let mut tour = Tour::new(home.eye, about)?;
        let shown = tour.update(0.0, about);
        Some(Self { control: Control::Tour(Box::new(tour)), shown, ..Self::new(home) })
    }

    /// Creates a rig that rides the first animal of a species, by its index in the scene; `None` without one.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn riding(home: Camera, species: usize, about: &Surroundings<'_>) -> Option<Self> {
        let subject = Subject { species, number: 0 };
        let mut ride = Ride::new(subject, &about.animal(subject)?);
        let shown = ride.update(0.0, about)?;
        Some(Self { control: Control::Ride(ride), shown, ..Self::new(home) })
    }

    /// Sets another home, if it differs. The eye jumps there if `is_asked`, glides there if it still stands at the old
    /// home, and stays otherwise.
    pub fn settle(&mut self, home: Camera, is_asked: bool) {
        if home == self.home {
            return;
        }
        let (old, from) = (Pose::of(&self.home), self.shown);
        let is_at_home = matches!(self.control, Control::Fly)
            && from.eye.distance(old.eye) < AT_HOME_M
            && from.forward().dot(old.forward()) > AT_HOME_COS;
        if is_asked || is_at_home {
            *self = Self { photo: self.photo, ..Self::new(home) };
            if !is_asked {
                (self.transition, self.shown) = (Some(CameraTransition::new(from, Vec3::ZERO, home.eye)), from);
            }
        }
        self.home = home;
    }

    /// Position of the eye.
    pub fn eye(&self) -> Vec3 {
        self.shown.eye
    }

    /// Mode of the camera.
    pub fn mode(&self) -> CameraMode {
        match self.control {
            Control::Fly => CameraMode::Fly,
            Control::Orbit(_) => CameraMode::Orbit,
            Control::Follow(_) => CameraMode::Follow,
            Control::Ride(_) => CameraMode::Ride,
            Control::Tour(_) => CameraMode::Tour,
        }
    }

    /// The watched animal, if any.
    pub fn subject(&self) -> Option<Subject> {
        match &self.control {
            Control::Orbit(chase) | Control::Follow(chase) => chase.subject,
            Control::Ride(ride) => Some(ride.subject),
            Control::Fly | Control::Tour(_) => None,
        }
    }

    /// Changes to the next mode that is possible here and returns it.
    pub fn next_mode(&mut self, about: &Surroundings<'_>) -> CameraMode {
        let now = self.mode();
        let place = CameraMode::ALL.iter().position(|&mode| mode == now).unwrap_or_default();
        let others = CameraMode::ALL.iter().cycle().skip(place + 1).take(CameraMode::ALL.len() - 1);
        for &mode in others {
            if self.change_to(mode, about) {
                return mode;
            }
        }
        now
    }

    /// Changes to a mode; `false` if the scene has no subject for it here.
    fn change_to(&mut self, mode: CameraMode, about: &Surroundings<'_>) -> bool {
        let meant = || self.subject().or_else(|| about.meant(self.shown));
        let control = match mode {
            CameraMode::Fly => {
                self.take_over();
                return true;
            }
            CameraMode::Orbit => Control::Orbit(self.orbit(about)),
            CameraMode::Follow => {
                return meant().is_some_and(|subject| self.follow(subject, about));
            }
            CameraMode::Ride => {
                let on = meant().and_then(|subject| Some(Ride::new(subject, &about.animal(subject)?)));
                let Some(ride) = on else { return false };
                Control::Ride(ride)
            }
            CameraMode::Tour => {
                let Some(tour) = Tour::new(self.shown.eye, about) else { return false };
                Control::Tour(Box::new(tour))
            }
        };
        self.take_control(control, about);
        true
    }

    /// Creates an orbit round the thing in the middle of the picture.
    fn orbit(&self, about: &Surroundings<'_>) -> Chase {
        let subject = about.in_the_middle(self.shown);
        if let Some((subject, animal)) = subject.and_then(|subject| Some((subject, about.animal(subject)?))) {
            return Chase::round_animal(subject, &animal, self.shown);
        }
        let forward = self.shown.forward();
        let met_m = about.collision.free_m(self.shown.eye, forward, ROUND_REACH_M, 0.0);
        let away_m = if met_m < ROUND_REACH_M { met_m.max(1.0) } else { ROUND_M };
        Chase::round(self.shown.eye + forward * away_m, self.shown)
    }

    /// Flies to an animal and follows it; `false` if there is no such animal.
    pub fn follow(&mut self, subject: Subject, about: &Surroundings<'_>) -> bool {
        let Some(animal) = about.animal(subject) else { return false };
        let among = about.world.animals_of(subject.species);
        let chase = Chase::with(subject, &animal, among, self.shown, self.home.fov_y, &about.collision);
        self.take_control(Control::Follow(chase), about);
        true
    }

    fn take_control(&mut self, control: Control, about: &Surroundings<'_>) {
        self.control = control;
        if let Some(to) = self.wanted(HeldKeys::default(), 0.0, about) {
            self.transition = Some(CameraTransition::new(self.shown, self.velocity, to.eye));
        }
    }

    /// Hands the camera over to keys and mouse, from its current pose.
    fn take_over(&mut self) {
        self.fly.take_over(self.shown, self.velocity.clamp_length_max(CARRIED_M_S));
        (self.control, self.transition) = (Control::Fly, None);
    }

    /// Turns by a mouse movement in pixels.
    pub fn look(&mut self, pixels: Vec2) {
        match &mut self.control {
            Control::Fly => self.fly.look(pixels),
            Control::Orbit(chase) | Control::Follow(chase) => chase.drag(pixels),
            Control::Ride(ride) => ride.look(pixels),
            Control::Tour(_) => {}
        }
    }

    /// Turns the wheel by notches: changes the speed in m/s or the distance in m.
    pub fn wheel(&mut self, notches: f32) -> Wheel {
        match &mut self.control {
            Control::Orbit(chase) | Control::Follow(chase) => Wheel::DistanceM(chase.approach(notches)),
            Control::Fly | Control::Ride(_) | Control::Tour(_) => Wheel::SpeedMS(self.fly.change_speed(notches)),
        }
    }

    /// Puts the eye there at once, wherever it was: a headset has its own way.
    pub fn put(&mut self, camera: &Camera) {
        let pose = Pose::of(camera);
        (self.fly, self.control, self.transition) = (FlyCamera::new(pose), Control::Fly, None);
        (self.shown, self.velocity) = (pose, Vec3::ZERO);
    }

    /// Advances by a frame's time (s). A movement key takes over.
    pub fn update(&mut self, held: HeldKeys, elapsed_s: f64, about: &Surroundings<'_>) {
        let dt_s = if elapsed_s.is_finite() { (elapsed_s as f32).clamp(0.0, LONGEST_FRAME_S) } else { 0.0 };
        self.look(held.sticks.look * Vec2::new(1.0, -1.0) * (STICK_PIXELS_A_S * dt_s));
        if held.go() && self.mode() != CameraMode::Fly {
            self.take_over();
        }
        let Some(wanted) = self.wanted(held, dt_s, about).filter(Pose::is_finite) else {
            // The animal no longer exists.
            return self.take_over();
        };
        self.transition =
            self.transition.take().and_then(|mut transition| transition.go_on(dt_s).then_some(transition));
        let pose = self.transition.map_or(wanted, |transition| transition.pose(wanted, &about.collision));
        if dt_s > 0.0 {
            self.velocity = (pose.eye - self.shown.eye) / dt_s;
        }
        self.shown = pose;
    }

    /// Returns the wanted pose of the eye `dt_s` later.
    fn wanted(&mut self, held: HeldKeys, dt_s: f32, about: &Surroundings<'_>) -> Option<Pose> {
        match &mut self.control {
            Control::Fly => {
                self.fly.update(held, dt_s, &about.collision);
                Some(self.fly.pose())
            }
            Control::Orbit(chase) | Control::Follow(chase) => chase.update(dt_s, about),
            Control::Ride(ride) => ride.update(dt_s, about),
            Control::Tour(tour) => Some(tour.update(dt_s, about)),
        }
    }

    /// The current camera; `sway_s` is the time of a diver's breathing, `None` for no sway.
    pub fn camera(&self, sway_s: Option<f64>, collision: &CameraCollision<'_>) -> Camera {
        let Pose { eye, orientation } = self.shown;
        let swayed = sway_s.filter(|_| matches!(self.control, Control::Fly));
        let (offset, roll) = swayed.map_or((Vec3::ZERO, 0.0), sway);
        let camera = Camera {
            eye: if swayed.is_some() { collision.held_out(eye, eye + orientation * offset) } else { eye },
            orientation: orientation * Quat::from_rotation_z(roll),
            ..self.home
        };
        self.photo.map_or(camera, |photo| photo.through(camera))
    }
}

/// Value that the wheel has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wheel {
    /// Speed of flying. Unit: m/s.
    SpeedMS(f32),
    /// Distance of the eye. Unit: m.
    DistanceM(f32),
}

/// Offset (m, in view space) and roll (rad) of a diver who breathes and is rocked a little: periods never coincide.
fn sway(time_s: f64) -> (Vec3, f32) {
    let wave = |period_s: f64, phase: f64| ((time_s / period_s * std::f64::consts::TAU) + phase).sin() as f32;
    (Vec3::new(0.025 * wave(9.1, 0.0), 0.03 * wave(5.3, 1.0), 0.0), 0.004 * wave(7.7, 2.0))
}

#[cfg(test)]
mod tests;
