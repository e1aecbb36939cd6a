//! A runtime that tests drive. It insists on the order of calls that OpenXR asks for.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::rc::Rc;

use gl::{Filter, Format, Gl, RenderTarget, Texture2d, Wrap};

use crate::{Acquired, Drawn, Due, Hand, HeadsetEye, HeadsetFrame, Runtime, RuntimeError, SessionEvent};

/// Textures of a swapchain.
const TEXTURES: usize = 3;
/// Rate of frames. Unit: 1/s.
const RATE_HZ: f64 = 72.0;

/// State of a runtime, for a test to inspect and change.
#[derive(Default)]
pub struct Outside {
    /// Events that it is still to tell.
    pub events: RefCell<VecDeque<SessionEvent>>,
    /// Eyes and hands; without two eyes nothing is known of the head.
    pub moment: RefCell<HeadsetFrame>,
    /// Whether frames are not seen by anybody.
    pub is_hidden: Cell<bool>,
    /// Number of the call that fails, counted from 0.
    pub fails_at: Cell<Option<usize>>,
    /// Names of the calls so far.
    pub calls: RefCell<Vec<&'static str>>,
    /// Number of pictures that were shown.
    pub shown: Cell<u32>,
    /// Latest picture that was shown, if [`Self::keeps_picture`] is set: RGBA, the top row first.
    pub picture: RefCell<Vec<u8>>,
    /// Depth of that picture, top row first, and the distances (m) of the depths 0 and 1.
    pub depth: RefCell<(Vec<f32>, [f32; 2])>,
    /// Whether [`Self::picture`] and [`Self::depth`] are kept.
    pub keeps_picture: Cell<bool>,
    /// Whether the runtime was dropped.
    pub is_gone: Cell<bool>,
}

/// The runtime.
struct MockRuntime {
    outside: Rc<Outside>,
    gl: Gl,
    eye_extent: (u32, u32),
    textures: Vec<Texture2d>,
    depth_textures: Vec<Texture2d>,
    /// Names of both.
    names: [Vec<NonZeroU32>; 2],
    is_running: bool,
    frame: Frame,
    acquired: Option<usize>,
    next_texture: usize,
    now_ns: i64,
}

/// Progress of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    Ended,
    WaitedFor,
    Begun,
}

/// A runtime whose eyes have pictures of `eye_extent` pixels.
///
/// # Panics
/// If the driver refuses a texture.
pub fn runtime(gl: &Gl, eye_extent: (u32, u32), outside: &Rc<Outside>) -> Box<dyn Runtime> {
    let extent = (2 * eye_extent.0, eye_extent.1);
    let texture = |format| Texture2d::new(gl, "mock", extent, format, Filter::Nearest, Wrap::Clamp, None);
    let make = |format| (0..TEXTURES).map(|_| texture(format).expect("a texture")).collect::<Vec<_>>();
    let (textures, depth_textures) = (make(Format::Rgba8), make(Format::Depth24));
    let names = [&textures, &depth_textures].map(|textures| textures.iter().map(Texture2d::name).collect());
    Box::new(MockRuntime {
        outside: outside.clone(),
        gl: gl.clone(),
        eye_extent,
        textures,
        depth_textures,
        names,
        is_running: false,
        frame: Frame::Ended,
        acquired: None,
        next_texture: 0,
        now_ns: 1,
    })
}

impl MockRuntime {
    /// Counts a call, which fails if the test wants it to.
    fn call(&self, name: &'static str) -> Result<(), RuntimeError> {
        let mut calls = self.outside.calls.borrow_mut();
        calls.push(name);
        match self.outside.fails_at.get() == Some(calls.len() - 1) {
            true => Err(RuntimeError::Failed { action: name, why: "the test is against it".into() }),
            false => Ok(()),
        }
    }
}

impl Runtime for MockRuntime {
    fn name(&self) -> &str {
        "mock"
    }

    fn eye_extent(&self) -> (u32, u32) {
        self.eye_extent
    }

    fn textures(&self) -> &[NonZeroU32] {
        &self.names[0]
    }

    fn depth_textures(&self) -> &[NonZeroU32] {
        &self.names[1]
    }

    fn poll(&mut self) -> Result<Option<SessionEvent>, RuntimeError> {
        self.call("poll")?;
        Ok(self.outside.events.borrow_mut().pop_front())
    }

    fn begin_session(&mut self) -> Result<(), RuntimeError> {
        self.call("begin session")?;
        assert!(!std::mem::replace(&mut self.is_running, true), "begun twice");
        Ok(())
    }

    fn end_session(&mut self) -> Result<(), RuntimeError> {
        self.call("end session")?;
        assert!(self.is_running && self.acquired.is_none() && self.frame == Frame::Ended, "ended in a frame");
        self.is_running = false;
        Ok(())
    }

    fn wait_frame(&mut self) -> Result<Due, RuntimeError> {
        self.call("wait")?;
        assert!(self.is_running && self.frame == Frame::Ended);
        self.frame = Frame::WaitedFor;
        self.now_ns += (1e9 / RATE_HZ) as i64;
        Ok(Due { at_ns: self.now_ns, period_s: 1.0 / RATE_HZ, is_seen: !self.outside.is_hidden.get() })
    }

    fn begin_frame(&mut self) -> Result<(), RuntimeError> {
        self.call("begin frame")?;
        assert_eq!(self.frame, Frame::WaitedFor);
        self.frame = Frame::Begun;
        Ok(())
    }

    fn eyes(&mut self, due: &Due) -> Result<Option<[HeadsetEye; 2]>, RuntimeError> {
        self.call("eyes")?;
        assert_eq!(due.at_ns, self.now_ns, "poses of another frame");
        Ok(self.outside.moment.borrow().eyes[..].try_into().ok())
    }

    fn hands(&mut self, due: &Due) -> Result<[Option<Hand>; 2], RuntimeError> {
        self.call("hands")?;
        assert_eq!(due.at_ns, self.now_ns, "poses of another frame");
        Ok(self.outside.moment.borrow().hands)
    }

    fn acquire(&mut self) -> Result<Acquired, RuntimeError> {
        self.call("acquire")?;
        assert!(self.frame == Frame::Begun && self.acquired.is_none());
        let color = self.next_texture;
        self.acquired = Some(color);
        self.next_texture = (color + 1) % TEXTURES;
        // Depth textures rotate in an order of their own.
        Ok(Acquired { color, depth: Some(TEXTURES - 1 - color) })
    }

    fn release(&mut self) -> Result<(), RuntimeError> {
        self.call("release")?;
        let number = self.acquired.take().expect("a texture that was acquired");
        if self.outside.keeps_picture.get() {
            let texture = self.textures[number].name();
            let extent = self.textures[number].extent();
            let target = RenderTarget::over(&self.gl, "mock", texture, extent).expect("a target");
            self.outside.picture.replace(target.read_u8(0));
            let texture = &self.depth_textures[TEXTURES - 1 - number];
            let target = RenderTarget::over_depth(&self.gl, "mock", texture.name(), extent).expect("a target");
            self.outside.depth.borrow_mut().0 = target.read_depth();
        }
        Ok(())
    }

    fn end_frame(&mut self, due: &Due, drawn: Option<&Drawn>) -> Result<(), RuntimeError> {
        self.call("end frame")?;
        assert!(self.frame == Frame::Begun && self.acquired.is_none() && due.at_ns == self.now_ns);
        self.frame = Frame::Ended;
        if let Some(Drawn { eyes, depth_m }) = drawn {
            self.outside.depth.borrow_mut().1 = depth_m.unwrap_or_default();
            assert_eq!(eyes[..], self.outside.moment.borrow().eyes[..], "poses that it did not tell");
            self.outside.shown.set(self.outside.shown.get() + 1);
        }
        Ok(())
    }
}

impl Drop for MockRuntime {
    fn drop(&mut self) {
        self.outside.is_gone.set(true);
    }
}
