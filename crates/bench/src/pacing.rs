//! Pacing: the ways a frame ends.
//!
//! Off-screen no buffer swap holds the CPU back. Without back-pressure a loop measures how fast commands are handed
//! over, plus stalls when the driver's queue is full. Waiting for everything after each frame measures a pipeline
//! nobody runs. A fence a frame does what a window does: the CPU makes one frame while the GPU draws the one before.

use std::fmt;

use gl::Gl;
use gl::fence::{self, Fence, Wait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::BenchError;

/// The way a frame ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FrameEnd {
    /// Wait until the frame before is drawn: the CPU makes one frame while the GPU draws the one before.
    #[default]
    Fence,
    /// Wait until the frame is drawn.
    Finish,
    /// Read a pixel back, which cannot be had before the frame is drawn.
    Readpixels,
    /// Show it: the window's buffers are swapped. Needs a window.
    Swap,
}

impl fmt::Display for FrameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fence => "fence",
            Self::Finish => "finish",
            Self::Readpixels => "readpixels",
            Self::Swap => "swap",
        })
    }
}

impl FrameEnd {
    /// Description in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Fence => "fence, one frame made while the one before is drawn",
            Self::Finish => "glFinish after each frame",
            Self::Readpixels => "a pixel read back from each frame",
            Self::Swap => "buffers swapped in a window",
        }
    }
}

/// A wait for one fence gives up after this many timeouts.
const MAX_TIMEOUTS: u32 = 60;
/// One timeout. Unit: ms.
const TIMEOUT_MS: u32 = 1000;

/// Ends frames.
pub struct Pacer {
    gl: Gl,
    end: FrameEnd,
    /// The last frame's fence.
    last: Option<Fence>,
}

impl Pacer {
    /// Begins with no frame in flight.
    pub fn new(gl: Gl, end: FrameEnd) -> Self {
        Self { gl, end, last: None }
    }

    /// Ends a frame, after its last command.
    ///
    /// # Errors
    /// If the driver refuses a fence, or the frame before is not drawn within a minute.
    pub fn end_frame(&mut self) -> Result<(), BenchError> {
        match self.end {
            FrameEnd::Finish => {
                fence::finish(&self.gl);
                Ok(())
            }
            FrameEnd::Readpixels => {
                fence::read_pixel(&self.gl);
                Ok(())
            }
            // The owner of the window swaps its buffers.
            FrameEnd::Swap => Ok(()),
            FrameEnd::Fence => {
                let this = Fence::insert(&self.gl).map_err(BenchError::Driver)?;
                match self.last.replace(this) {
                    Some(before) => wait(&before),
                    None => Ok(()),
                }
            }
        }
    }

    /// Waits until nothing is in flight.
    pub fn drain(&mut self) {
        self.last = None;
        fence::finish(&self.gl);
    }
}

fn wait(fence: &Fence) -> Result<(), BenchError> {
    for _ in 0..MAX_TIMEOUTS {
        match fence.wait(TIMEOUT_MS) {
            Wait::Done => return Ok(()),
            Wait::TimedOut => {}
            Wait::Failed => {
                return Err(BenchError::Driver("waiting for a frame failed: the OpenGL context may be lost".into()));
            }
        }
    }
    Err(BenchError::Driver(format!("a frame was not drawn within {} s", MAX_TIMEOUTS * TIMEOUT_MS / 1000)))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn a_frame_end_is_written_as_the_command_line_takes_it() {
        for end in FrameEnd::value_variants() {
            assert_eq!(FrameEnd::from_str(&end.to_string(), false), Ok(*end));
        }
    }
}
