//! Interface of a headset's runtime: the calls that a session takes.

use std::num::NonZeroU32;

use thiserror::Error;

use crate::{Hand, HeadsetEye};

/// Failures of a runtime.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RuntimeError {
    /// No runtime could take pictures of this program, whatever is installed.
    #[error("no headset: {why}")]
    Impossible {
        /// Reason, and a way out.
        why: &'static str,
    },
    /// The loader of OpenXR is not installed.
    #[error(
        "no headset: the OpenXR loader could not be loaded ({why}). Install it (Debian and Ubuntu: libopenxr-loader1, \
         Fedora: openxr-libs; on Windows openxr_loader.dll beside the program), and a runtime such as SteamVR or Monado"
    )]
    NoLoader {
        /// Message of the dynamic linker.
        why: String,
    },
    /// There is no runtime, or it does not answer.
    #[error(
        "no headset: no OpenXR runtime answers ({why}). Start one, such as SteamVR, Monado or WiVRn, make it the active \
         one, and start again"
    )]
    NoRuntime {
        /// The loader's reason.
        why: String,
    },
    /// The runtime has no headset.
    #[error("no headset: {runtime} has found none ({why}). Connect it, wake it up, and start again")]
    NoHeadset {
        /// Name of the runtime.
        runtime: String,
        /// Its reason.
        why: String,
    },
    /// The runtime cannot take pictures of this program.
    #[error("no headset: {runtime} does not take what is drawn here: {why}")]
    Unfit {
        /// Name of the runtime.
        runtime: String,
        /// Misfit.
        why: String,
    },
    /// A call has failed.
    #[error(
        "the headset is gone: its runtime failed to {action} ({why}). The window goes on; start again to put it on"
    )]
    Failed {
        /// Task of the call, as an infinitive.
        action: &'static str,
        /// Its reason.
        why: String,
    },
}

/// A change of a session that the runtime tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionEvent {
    /// Frames are wanted: the session is to begin.
    Ready,
    /// No frames are wanted any more: the session is to end, and may become ready again.
    Stopping,
    /// The session is over for good, as when the wearer has left the program in the runtime's menu.
    Over,
}

/// A frame that is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Due {
    /// Moment at which it is to be seen, by the runtime's clock. Unit: ns.
    pub at_ns: i64,
    /// Time from one frame to the next. Unit: s.
    pub period_s: f64,
    /// Whether it will be seen at all.
    pub is_seen: bool,
}

/// Textures of the swapchains that were taken to be drawn into, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acquired {
    /// The one in [`Runtime::textures`].
    pub color: usize,
    /// The one in [`Runtime::depth_textures`], if the runtime takes depth.
    pub depth: Option<usize>,
}

/// A picture that was drawn for a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// The eyes that it was drawn for.
    pub eyes: [HeadsetEye; 2],
    /// Distances of the depths 0 and 1 in its texture of depth, if that was drawn too. Unit: m.
    pub depth_m: Option<[f32; 2]>,
}

/// A runtime with a session for one headset of two eyes. Their pictures stand side by side in one texture, the left one's
/// in the left half.
///
/// It must be dropped while the context that it was made with is current.
pub trait Runtime {
    /// Name of the runtime and of the headset.
    fn name(&self) -> &str;

    /// Width and height of one eye's picture in pixels.
    fn eye_extent(&self) -> (u32, u32);

    /// OpenGL names of the textures that frames are drawn into in turn, twice as wide as an eye's picture.
    fn textures(&self) -> &[NonZeroU32];

    /// OpenGL names of the textures of depth that are drawn into beside them, as large; empty if the runtime takes none.
    fn depth_textures(&self) -> &[NonZeroU32];

    /// The next change of the session, if there is one.
    ///
    /// # Errors
    /// If the call fails, as all of these may at any time.
    fn poll(&mut self) -> Result<Option<SessionEvent>, RuntimeError>;

    /// Begins the session.
    ///
    /// # Errors
    /// If the call fails.
    fn begin_session(&mut self) -> Result<(), RuntimeError>;

    /// Ends the session.
    ///
    /// # Errors
    /// If the call fails.
    fn end_session(&mut self) -> Result<(), RuntimeError>;

    /// Waits until the next frame is due.
    ///
    /// # Errors
    /// If the call fails.
    fn wait_frame(&mut self) -> Result<Due, RuntimeError>;

    /// Begins the frame that was waited for.
    ///
    /// # Errors
    /// If the call fails.
    fn begin_frame(&mut self) -> Result<(), RuntimeError>;

    /// The eyes at the time of a frame, the left one first; `None` if nothing is known of the head.
    ///
    /// # Errors
    /// If the call fails.
    fn eyes(&mut self, due: &Due) -> Result<Option<[HeadsetEye; 2]>, RuntimeError>;

    /// The left hand and the right one at the time of a frame, as far as they are there.
    ///
    /// # Errors
    /// If the call fails.
    fn hands(&mut self, due: &Due) -> Result<[Option<Hand>; 2], RuntimeError>;

    /// Takes textures to draw into, once the runtime no longer reads them.
    ///
    /// # Errors
    /// If the call fails.
    fn acquire(&mut self) -> Result<Acquired, RuntimeError>;

    /// Gives the textures back.
    ///
    /// # Errors
    /// If the call fails.
    fn release(&mut self) -> Result<(), RuntimeError>;

    /// Ends a frame, with a picture or with none.
    ///
    /// # Errors
    /// If the call fails.
    fn end_frame(&mut self, due: &Due, drawn: Option<&Drawn>) -> Result<(), RuntimeError>;
}
