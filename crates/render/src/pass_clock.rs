//! Times of the parts of a frame: on the CPU to submit them, on the GPU to draw them.

use gl::{FrameTimers, Gl};

/// Name of the part that finds the instances in view.
const CULL: &str = "cull";

/// Times the parts of frames while it is switched on; else it does nothing.
///
/// The time comes from outside: render reads no clock of its own. GPU times come from a ring of queries some frames
/// later and are never waited for.
pub struct PassClock {
    gl: Gl,
    /// Clock, in seconds since any moment; `None` while it is switched off.
    now_s: Option<fn() -> f64>,
    /// The part that is being timed and since when; `None` between frames.
    open: Option<(&'static str, f64)>,
    in_frame: bool,
    cpu: Vec<(&'static str, f64)>,
    gpu: Option<FrameTimers>,
}

impl PassClock {
    /// A clock that is switched off.
    pub(crate) fn new(gl: &Gl) -> Self {
        let cpu = Vec::with_capacity(FrameTimers::PARTS);
        Self { gl: gl.clone(), now_s: None, open: None, in_frame: false, cpu, gpu: None }
    }

    /// Begins timing: on the CPU by `now_s`, seconds since any moment, and on the GPU if `gpu`. Frames count from 0
    /// again.
    pub fn start(&mut self, gpu: bool, now_s: fn() -> f64) {
        self.now_s = Some(now_s);
        self.cpu.clear();
        match (&mut self.gpu, gpu) {
            (Some(timers), true) => timers.restart(),
            (None, true) => self.gpu = Some(FrameTimers::new(&self.gl)),
            (_, false) => self.gpu = None,
        }
    }

    /// Ends timing.
    pub fn stop(&mut self) {
        self.now_s = None;
        self.gpu = None;
    }

    /// CPU time of culling in the last frame; 0 if there was none. Unit: ms.
    pub fn cull_ms(&self) -> f64 {
        self.cpu.iter().filter(|(part, _)| *part == CULL).map(|(_, ms)| ms).sum()
    }

    /// GPU milliseconds by part of the next frame for which they have come, and its number since [`Self::start`].
    pub fn poll_gpu(&mut self) -> Option<(u32, &[(&'static str, f64)])> {
        self.gpu.as_mut()?.poll()
    }

    pub(crate) fn begin_frame(&mut self) {
        if self.now_s.is_some() {
            self.in_frame = true;
            self.cpu.clear();
            if let Some(gpu) = &mut self.gpu {
                gpu.begin_frame();
            }
        }
    }

    /// Begins the culling, which takes the CPU alone.
    pub(crate) fn cull(&mut self) {
        self.open(CULL);
    }

    /// Begins a pass.
    pub(crate) fn pass(&mut self, name: &'static str) {
        self.open(name);
        if self.in_frame
            && let Some(gpu) = &mut self.gpu
        {
            gpu.part(name);
        }
    }

    pub(crate) fn end_frame(&mut self) {
        self.close();
        self.in_frame = false;
    }

    fn open(&mut self, name: &'static str) {
        if self.in_frame {
            self.close();
            self.open = self.now_s.map(|now_s| (name, now_s()));
        }
    }

    fn close(&mut self) {
        if let (Some((name, since_s)), Some(now_s)) = (self.open.take(), self.now_s) {
            self.cpu.push((name, 1e3 * (now_s() - since_s)));
        }
        if let Some(gpu) = &mut self.gpu {
            gpu.end_part();
        }
    }
}
