//! A scene before a camera: its picture at a moment, which is the same in every part of a film.
//!
//! Everything in a scene moves in steps of [`World::STEP_S`], the tour's camera too; between two steps it is
//! interpolated. So a moment is a function of the seed and the time, and a part of a film begins by stepping up to
//! there.

use camera::{CameraCollision, CameraRig, GroundHeights, HeldKeys, Surroundings};
use config::Config;
use render::{Capture, FrameMean, LENS_SAMPLES, View, within_pixel};
use runtime::AppError;
use runtime::offscreen::Session;
use scene::World;
use view::Camera;

use crate::panorama::Panorama;

/// Path of the camera during a film.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum CameraPath {
    /// In the scene's first view.
    #[default]
    First,
    /// In a named view.
    View(String),
    /// On the scene's rail, on which benchmarks are measured, from its beginning.
    Rail,
    /// On the tour that the window's C key comes to, from its point nearest to the first view.
    Tour,
    /// Riding the first animal of a species, as with the window's C key.
    Ride(String),
}

/// Settings for taking a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaptureSettings {
    /// The view that is shown. Any but the final one has neither lens nor samples.
    pub view: View,
    /// Panorama round the camera in place of the view before it; it has neither lens nor samples.
    pub panorama: Option<Panorama>,
    /// Diameter of the lens, and the focus distance; without one the middle of the picture is sharp. Unit: m.
    pub lens: Option<(f32, Option<f32>)>,
    /// Moments within the time of exposure; more than one also smooth edges.
    pub samples: u32,
    /// Time of exposure. Unit: s.
    pub shutter_s: f64,
    /// Linear radiance in place of display pixels.
    pub linear: bool,
}

/// A scene and the camera before it.
pub struct FilmJob {
    session: Session,
    place: Place,
    /// Steps of the world before the film begins.
    first_step: u64,
    /// Steps taken.
    steps: u64,
}

/// Placement of the camera.
enum Place {
    Still(Camera),
    Rail,
    Led { by: Guide, home: Camera, ground: Option<GroundHeights>, rig: Option<Box<CameraRig>>, last: [Camera; 2] },
}

/// Guide of a camera that moves by steps.
enum Guide {
    /// The tour.
    Tour,
    /// The first animal of a species, by its place in the scene's list.
    Animal(usize),
}

impl FilmJob {
    /// A film of `session`'s scene, which has not been stepped, that begins `start_s` seconds after the scene's
    /// beginning.
    ///
    /// # Errors
    /// If there is no such view or animal.
    pub fn new(session: Session, path: &CameraPath, start_s: f64) -> Result<Self, AppError> {
        let home = session.camera(None)?;
        let led = |by: Guide| {
            let ground = session.world.static_scene().seabed.as_ref().and_then(GroundHeights::new);
            Place::Led { by, home, ground, rig: None, last: [home; 2] }
        };
        let place = match path {
            CameraPath::First => Place::Still(home),
            CameraPath::View(name) => Place::Still(session.camera(Some(name))?),
            CameraPath::Rail => Place::Rail,
            CameraPath::Tour => led(Guide::Tour),
            CameraPath::Ride(name) => led(Guide::Animal(subject_of(&session.config, name)?)),
        };
        Ok(Self { session, place, first_step: (start_s / World::STEP_S).round() as u64, steps: 0 })
    }

    /// The session that is filmed.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Steps of the world before the film begins.
    pub fn first_step(&self) -> u64 {
        self.first_step
    }

    /// Focuses a lens without a focus distance on the middle of the film's first picture.
    ///
    /// # Errors
    /// Same as [`Self::picture`].
    pub fn focus(&mut self, capture: &mut CaptureSettings) -> Result<(), AppError> {
        if let Some((aperture_m, focus_m @ None)) = &mut capture.lens {
            self.go_to(0.0)?;
            let Session { renderer, frame, .. } = &mut self.session;
            *focus_m = Some(renderer.lens(frame, *aperture_m, None)?.focus_m);
        }
        Ok(())
    }

    /// Picture of the moment `time_s` seconds after the film's beginning; `told` is called with the number of each
    /// frame drawn for it. Moments come in their order.
    ///
    /// # Errors
    /// If the driver refuses a target, the context is lost or Ctrl-C was pressed.
    pub fn picture(
        &mut self,
        time_s: f64,
        by: &CaptureSettings,
        told: &mut dyn FnMut(usize),
    ) -> Result<Capture, AppError> {
        self.go_to(time_s)?;
        if let Some(panorama) = by.panorama {
            return panorama.picture(&mut self.session, by.linear, &mut |piece| told(piece as usize));
        }
        if by.samples <= 1 && by.lens.is_none() {
            let Session { renderer, frame, .. } = &mut self.session;
            let capture = renderer.capture(frame, by.view, by.linear)?;
            return self.session.kept(capture);
        }
        let Session { renderer, frame, .. } = &mut self.session;
        let lens = by.lens.map(|(aperture_m, focus_m)| renderer.lens(frame, aperture_m, focus_m)).transpose()?;
        let moments = by.samples.max(1) as usize;
        // The whole lens is sampled over the moments.
        let of_lens = if lens.is_some() { LENS_SAMPLES.div_ceil(moments) } else { 1 };
        let mut mean: FrameMean = renderer.mean(moments * of_lens)?;
        let height = mean.height();
        for moment in 0..moments {
            if moment > 0 {
                self.go_to(time_s + by.shutter_s * moment as f64 / moments as f64)?;
            }
            let cameras = |eye: Camera| {
                (0..of_lens).filter_map(move |i| {
                    let seen = match lens {
                        Some(lens) => lens.samples(eye).nth((moment + i * moments) % LENS_SAMPLES)?,
                        None => eye,
                    };
                    Some(if moments > 1 { within_pixel(seen, moment + i * moments, height) } else { seen })
                })
            };
            let drawn = |i: usize| moment * of_lens + i;
            let Session { renderer, frame, .. } = &mut self.session;
            renderer.add_to(&mut mean, frame, cameras, &mut |i| told(drawn(i)));
        }
        let Session { renderer, frame, .. } = &mut self.session;
        let capture = renderer.develop(mean, frame, by.linear)?;
        self.session.kept(capture)
    }

    /// Steps to the moment `time_s` seconds after the beginning and extracts it, drawing nothing.
    fn go_to(&mut self, time_s: f64) -> Result<(), AppError> {
        let place = self.first_step as f64 + time_s / World::STEP_S;
        // A frame that falls on a step is that step, whatever the last bit of its time is.
        let step = (place - 1e-6).ceil().max(0.0);
        self.step_to(step as u64)?;
        let alpha = (1.0 - (step - place)).clamp(0.0, 1.0) as f32;
        let alpha = if alpha > 1.0 - 1e-5 { 1.0 } else { alpha };
        let camera = match &self.place {
            Place::Still(camera) => *camera,
            Place::Rail => self.on_rail(time_s),
            Place::Led { last: [before, now], .. } => between(*before, *now, alpha),
        };
        self.session.world.extract(alpha, camera, &mut self.session.frame);
        Ok(())
    }

    /// Camera on the rail `time_s` seconds after the film's beginning.
    fn on_rail(&self, time_s: f64) -> Camera {
        scene::camera::rail(&self.session.world.settings().camera, time_s)
    }

    /// The camera that the animals see during the next step; `None` when it rides an animal.
    fn onlooker(&self) -> Option<Camera> {
        match &self.place {
            Place::Still(camera) => Some(*camera),
            Place::Rail => {
                let steps = self.steps.saturating_sub(self.first_step);
                Some(self.on_rail(steps as f64 * World::STEP_S))
            }
            Place::Led { by: Guide::Tour, last, .. } => Some(last[1]),
            Place::Led { by: Guide::Animal(_), .. } => None,
        }
    }

    /// Steps world and camera until `step` steps have been taken.
    ///
    /// # Errors
    /// If Ctrl-C was pressed meanwhile.
    pub fn step_to(&mut self, step: u64) -> Result<(), AppError> {
        while self.steps < step {
            if self.steps == self.first_step {
                self.place.begin(&self.session);
            }
            let onlooker = self.onlooker();
            self.session.world.set_onlooker(onlooker.map(|camera| camera.eye));
            self.session.world.set_torches(onlooker.as_ref());
            self.steps = self.session.step_to((self.steps + 1) as f64 * World::STEP_S, self.steps)?;
            if self.steps > self.first_step {
                self.place.step(&self.session);
            }
        }
        if self.steps == self.first_step {
            self.place.begin(&self.session);
        }
        Ok(())
    }
}

impl Place {
    /// Places a camera that moves by steps at its beginning, unless it is on its way.
    fn begin(&mut self, session: &Session) {
        let Self::Led { by, home, ground, rig, last } = self else { return };
        if rig.is_none() {
            let about = surroundings(session, ground.as_ref());
            let led = match by {
                Guide::Tour => CameraRig::touring(*home, &about),
                Guide::Animal(species) => CameraRig::riding(*home, *species, &about),
            };
            *rig = led.map(Box::new);
            if rig.is_none() {
                let what = if matches!(by, Guide::Tour) { "to tour" } else { "of that kind to ride" };
                log::warn!("there is nothing {what} in this scene: it is seen from its first view");
            }
            *last = [rig.as_ref().map_or(*home, |rig| rig.camera(None, &about.collision)); 2];
        }
    }

    /// Moves on by one step.
    fn step(&mut self, session: &Session) {
        let Self::Led { ground, rig: Some(rig), last, .. } = self else { return };
        let about = surroundings(session, ground.as_ref());
        rig.update(HeldKeys::default(), World::STEP_S, &about);
        *last = [last[1], rig.camera(None, &about.collision)];
    }
}

/// The species of that name, by its place in the scene's list.
///
/// # Errors
/// If the scene has no animals of that name; the error lists those it has.
pub fn subject_of(config: &Config, name: &str) -> Result<usize, AppError> {
    let species = &config.scene.species;
    species.iter().position(|of| of.name == name && of.life.count > 0).ok_or_else(|| AppError::NoSuchSubject {
        scene: config.scene.name.clone(),
        name: name.into(),
        known: species.iter().filter(|of| of.life.count > 0).map(|of| of.name.clone()).collect(),
    })
}

fn surroundings<'a>(session: &'a Session, ground: Option<&'a GroundHeights>) -> Surroundings<'a> {
    let collision = CameraCollision { ground, habitat: session.world.habitat() };
    Surroundings { collision, settings: session.world.settings(), world: &session.world, alpha: 1.0 }
}

/// Camera interpolated between two others.
fn between(from: Camera, to: Camera, alpha: f32) -> Camera {
    if alpha >= 1.0 {
        return to;
    }
    let toward = if from.orientation.dot(to.orientation) < 0.0 { -to.orientation } else { to.orientation };
    Camera { eye: from.eye.lerp(to.eye, alpha), orientation: from.orientation.slerp(toward, alpha).normalize(), ..to }
}
