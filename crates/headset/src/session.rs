//! A session with a headset: when frames are drawn, and where to.

use gl::{Gl, RenderTarget, take_back};

use crate::{Acquired, Drawn, Due, HeadsetEye, HeadsetFrame, Runtime, RuntimeError, SessionEvent};

/// State of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The runtime wants no frames for now.
    Resting,
    /// Frames are drawn at the runtime's pace.
    Running,
    /// It has been ended, from the runtime's side.
    Over,
}

/// A session with a headset. It must be dropped while the context that it was made with is current.
pub struct Headset {
    // Drawn into the runtime's textures, so they go first.
    targets: Vec<RenderTarget>,
    depth_targets: Vec<RenderTarget>,
    runtime: Box<dyn Runtime>,
    gl: Gl,
    state: State,
    /// Frame that is being drawn.
    drawn: Option<DrawnFrame>,
}

/// A frame that is being drawn.
struct DrawnFrame {
    due: Due,
    eyes: [HeadsetEye; 2],
    textures: Acquired,
}

impl Headset {
    /// A session with the headset of `runtime`, which has not begun yet.
    ///
    /// # Errors
    /// If its textures cannot be drawn into.
    pub fn new(gl: &Gl, runtime: Box<dyn Runtime>) -> Result<Self, RuntimeError> {
        let (width, height) = runtime.eye_extent();
        let unfit =
            |error: gl::GlError| RuntimeError::Unfit { runtime: runtime.name().to_owned(), why: error.to_string() };
        let target = |&texture| RenderTarget::over(gl, "headset", texture, (2 * width, height)).map_err(unfit);
        let depth_target = |&texture| RenderTarget::over_depth(gl, "headset depth", texture, (2 * width, height));
        let depth_targets = runtime.depth_textures().iter().map(depth_target).collect::<Result<Vec<_>, _>>();
        // Runtimes make their objects with the same context, and compose with it.
        take_back(gl);
        Ok(Self {
            targets: runtime.textures().iter().map(target).collect::<Result<_, _>>()?,
            depth_targets: depth_targets.unwrap_or_else(|error| {
                log::warn!("headset: it gets no depth: {error}");
                Vec::new()
            }),
            runtime,
            gl: gl.clone(),
            state: State::Resting,
            drawn: None,
        })
    }

    /// Name of the runtime and of the headset.
    pub fn name(&self) -> &str {
        self.runtime.name()
    }

    /// Whether frames are drawn at its pace.
    pub fn is_running(&self) -> bool {
        self.state == State::Running
    }

    /// Hears what the runtime has to say, and follows.
    ///
    /// # Errors
    /// If a call fails; the session is of no use any more then.
    pub fn poll(&mut self) -> Result<State, RuntimeError> {
        while let Some(event) = self.runtime.poll()? {
            log::debug!("headset: {event:?}");
            self.state = match (event, self.state) {
                (SessionEvent::Ready, State::Resting) => {
                    self.runtime.begin_session()?;
                    State::Running
                }
                (SessionEvent::Stopping, State::Running) => {
                    self.abandon()?;
                    self.runtime.end_session()?;
                    State::Resting
                }
                (SessionEvent::Over, _) => State::Over,
                (SessionEvent::Ready | SessionEvent::Stopping, state) => state,
            };
            take_back(&self.gl);
        }
        Ok(self.state)
    }

    /// Waits until the next frame is due and begins it: the moment to draw into [`Self::target`] for, after which
    /// [`Self::submit`] ends it; `None` of a frame that nobody sees, or before anything is known of the head, which is
    /// over with this.
    ///
    /// # Errors
    /// If a call fails; the session is of no use any more then.
    pub fn next_frame(&mut self) -> Result<Option<HeadsetFrame>, RuntimeError> {
        // A frame that could not be drawn.
        self.abandon()?;
        let due = self.runtime.wait_frame()?;
        self.runtime.begin_frame()?;
        let eyes = if due.is_seen { self.runtime.eyes(&due)? } else { None };
        let Some(eyes) = eyes else {
            self.runtime.end_frame(&due, None)?;
            take_back(&self.gl);
            return Ok(None);
        };
        let hands = self.runtime.hands(&due)?;
        let textures = self.runtime.acquire()?;
        take_back(&self.gl);
        if textures.color >= self.targets.len() {
            let why = format!("texture {} of {}", textures.color, self.targets.len());
            return Err(RuntimeError::Failed { action: "give a texture", why });
        }
        self.drawn = Some(DrawnFrame { due, eyes, textures });
        let rate_hz = if due.period_s > 0.0 { 1.0 / due.period_s } else { HeadsetFrame::default().rate_hz };
        Ok(Some(HeadsetFrame { rate_hz, eyes: eyes.to_vec(), hands }))
    }

    /// Target of the frame that is being drawn, if one is: the left eye's picture goes into its left half.
    pub fn target(&self) -> Option<&RenderTarget> {
        self.targets.get(self.drawn.as_ref()?.textures.color)
    }

    /// Target of the depth of the frame that is being drawn, if one is and the runtime takes it.
    pub fn depth_target(&self) -> Option<&RenderTarget> {
        self.depth_targets.get(self.drawn.as_ref()?.textures.depth?)
    }

    /// Gives the runtime no depth from now on.
    pub fn drop_depth(&mut self) {
        self.depth_targets.clear();
    }

    /// Whether the runtime takes depth.
    pub fn takes_depth(&self) -> bool {
        !self.depth_targets.is_empty()
    }

    /// Ends the frame that is being drawn, if one is, and shows it. `depth_m`: distances (m) of the depths 0 and 1, if
    /// depth was drawn.
    ///
    /// # Errors
    /// If a call fails; the session is of no use any more then.
    pub fn submit(&mut self, depth_m: Option<[f32; 2]>) -> Result<(), RuntimeError> {
        let depth_m = depth_m.filter(|_| self.depth_target().is_some());
        let Some(DrawnFrame { due, eyes, .. }) = self.drawn.take() else { return Ok(()) };
        self.end(&due, Some(&Drawn { eyes, depth_m }))
    }

    /// Ends the frame that is being drawn, if one is, without a picture.
    fn abandon(&mut self) -> Result<(), RuntimeError> {
        let Some(DrawnFrame { due, .. }) = self.drawn.take() else { return Ok(()) };
        self.end(&due, None)
    }

    /// Ends the frame whose textures were acquired, which is shown if it was drawn.
    fn end(&mut self, due: &Due, drawn: Option<&Drawn>) -> Result<(), RuntimeError> {
        self.runtime.release()?;
        self.runtime.end_frame(due, drawn)?;
        take_back(&self.gl);
        Ok(())
    }
}
