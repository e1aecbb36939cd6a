//! The stage of a headset: frames at its pace, in its size.

use gl::take_back;
use headset::{Headset, HeadsetFrame, RuntimeError, State};
use runtime::AppError;

use crate::stage::Stage;

impl Stage {
    /// Has pictures go to a headset while its session runs, and their depth where it takes that.
    pub fn connect(&mut self, mut headset: Headset) {
        if headset.takes_depth()
            && let Err(error) = self.renderer.share_depth()
        {
            log::warn!("headset: it gets no depth: {error}");
            headset.drop_depth();
        }
        self.screen.outputs.connect(Some(headset));
    }

    /// Ends the session with the headset, if there is one.
    pub fn disconnect(&mut self) {
        self.screen.outputs.connect(None);
        // The runtime has deleted its objects with the same context.
        take_back(&self.screen().gl());
    }

    /// Whether a headset is connected.
    pub fn has_headset(&self) -> bool {
        self.screen.outputs.has_headset()
    }

    /// Whether a headset's session runs.
    pub fn runs_headset(&self) -> bool {
        self.screen.outputs.runs_headset()
    }

    /// Follows what a headset's runtime has to say: the state of its session, if there is one.
    ///
    /// # Errors
    /// If a call fails; the headset is of no use any more then.
    pub fn poll_headset(&mut self) -> Result<Option<State>, RuntimeError> {
        self.screen.outputs.headset().map(Headset::poll).transpose()
    }

    /// Waits for the next frame of the headset whose session runs, into which the next picture goes; `None` of a frame
    /// that nobody sees.
    ///
    /// # Errors
    /// If a call fails; the headset is of no use any more then.
    pub fn next_in_headset(&mut self) -> Result<Option<HeadsetFrame>, RuntimeError> {
        self.screen.outputs.headset().map_or(Ok(None), Headset::next_frame)
    }

    /// Shows the frame that was drawn for a headset, if one was; `depth_m` are the distances (m) of the depths 0 and 1.
    ///
    /// # Errors
    /// If a call fails; the headset is of no use any more then.
    pub fn show_in_headset(&mut self, depth_m: [f32; 2]) -> Result<(), RuntimeError> {
        // A still picture is copied without its depth.
        let depth_m = Some(depth_m).filter(|_| self.still.is_none());
        self.screen.outputs.headset().map_or(Ok(()), |headset| headset.submit(depth_m))
    }

    /// Draws pictures in the size of what they go to.
    ///
    /// # Errors
    /// If the driver refuses a target of that size; the picture stays as large as it was.
    pub fn fit_outputs(&mut self) -> Result<(), AppError> {
        let size = match self.screen.outputs.headset().and_then(|headset| headset.target()) {
            Some(target) => target.extent(),
            None => self.screen().size(),
        };
        if size.0 == 0 || size.1 == 0 || size == self.size {
            return Ok(());
        }
        self.resize_picture(size)
    }
}
