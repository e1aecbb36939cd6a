//! GPU time of the parts of a frame, without ever waiting for the GPU.

use std::ffi::c_void;

use glow::HasContext;

use crate::{Dialect, Gl};

/// Frames whose times may be outstanding at once; the driver is rarely more than three behind.
const IN_FLIGHT: usize = 6;

/// A loader that finds the functions for query results under their names of OpenGL 3.3 where glow asks for an
/// extension's, as it does on every driver older than OpenGL 4.4. Not for OpenGL ES, which has the extension's alone.
pub fn with_core_queries(mut load: impl FnMut(&str) -> *const c_void) -> impl FnMut(&str) -> *const c_void {
    move |name| {
        let core = name.strip_suffix("EXT").filter(|core| core.starts_with("glGetQueryObject"));
        load(core.unwrap_or(name))
    }
}

/// A ring of timer queries, deleted on drop.
///
/// Each frame has a set of its own, which is read some frames later, when the driver says that it is there. If it never
/// is before the set is needed again, that frame goes without times: nothing here waits. A driver that times nothing
/// (OpenGL ES without `EXT_disjoint_timer_query`) gives none.
///
/// Must be dropped while its context is current.
pub struct FrameTimers {
    gl: Gl,
    /// Whether the driver can time.
    can_time: bool,
    sets: Vec<Set>,
    /// Frames begun since [`Self::restart`].
    begun: u32,
    /// The frame whose times are read next.
    read: u32,
    /// Whether a query is being counted.
    counting: bool,
    read_times: Vec<(&'static str, f64)>,
}

/// One frame's queries.
#[derive(Default)]
struct Set {
    /// The frame they time; none once its times were read or given up.
    frame: Option<u32>,
    parts: Vec<&'static str>,
    queries: Vec<glow::Query>,
}

impl FrameTimers {
    /// Number of parts of a frame for which there is room from the beginning.
    pub const PARTS: usize = 24;

    /// A ring without queries yet: they are made when they are first needed.
    pub fn new(gl: &Gl) -> Self {
        let set =
            |_| Set { frame: None, parts: Vec::with_capacity(Self::PARTS), queries: Vec::with_capacity(Self::PARTS) };
        let can_time =
            gl.dialect() == Dialect::Core330 || gl.supported_extensions().contains("GL_EXT_disjoint_timer_query");
        Self {
            gl: gl.clone(),
            can_time,
            sets: (0..IN_FLIGHT).map(set).collect(),
            begun: 0,
            read: 0,
            counting: false,
            read_times: Vec::with_capacity(Self::PARTS),
        }
    }

    /// Drops outstanding times and counts frames from 0 again.
    pub fn restart(&mut self) {
        self.end_part();
        self.sets.iter_mut().for_each(|set| set.frame = None);
        (self.begun, self.read) = (0, 0);
    }

    /// Begins the next frame.
    pub fn begin_frame(&mut self) {
        let set = &mut self.sets[self.begun as usize % IN_FLIGHT];
        set.frame = Some(self.begun);
        set.parts.clear();
        self.begun += 1;
    }

    /// Ends the part before and begins another. A driver that has no query left leaves the part untimed.
    pub fn part(&mut self, name: &'static str) {
        self.end_part();
        let Some(last) = self.begun.checked_sub(1).filter(|_| self.can_time) else { return };
        let set = &mut self.sets[last as usize % IN_FLIGHT];
        if set.queries.len() == set.parts.len() {
            // SAFETY: makes a name.
            let Ok(query) = (unsafe { self.gl.create_query() }) else { return };
            set.queries.push(query);
        }
        // SAFETY: the query is ours, and none is being counted (`end_part`). Its old result, if it was never read,
        // is given up.
        unsafe { self.gl.begin_query(glow::TIME_ELAPSED, set.queries[set.parts.len()]) };
        set.parts.push(name);
        self.counting = true;
    }

    /// Ends the last part of the frame.
    pub fn end_part(&mut self) {
        if std::mem::take(&mut self.counting) {
            // SAFETY: a query of this target is being counted.
            unsafe { self.gl.end_query(glow::TIME_ELAPSED) };
        }
    }

    /// The next frame's times, if the driver has them: its number since [`Self::restart`], and milliseconds by part in
    /// the order they were begun.
    pub fn poll(&mut self) -> Option<(u32, &[(&'static str, f64)])> {
        // Overwritten times will never come.
        self.read = self.read.max(self.begun.saturating_sub(IN_FLIGHT as u32));
        while self.read < self.begun {
            let frame = self.read;
            let set = &mut self.sets[frame as usize % IN_FLIGHT];
            if set.frame != Some(frame) || set.parts.is_empty() {
                self.read += 1;
                continue;
            }
            let last = set.queries[set.parts.len() - 1];
            // SAFETY: the query is ours and has been ended, or the frame is the one being drawn.
            let is_there = !(self.counting && frame + 1 == self.begun)
                && unsafe { self.gl.get_query_parameter_u32(last, glow::QUERY_RESULT_AVAILABLE) } != 0;
            if !is_there {
                return None;
            }
            self.read_times.clear();
            for (name, query) in set.parts.iter().zip(&set.queries) {
                // SAFETY: results come in order, so with the last one all are there and this does not wait.
                let nanoseconds = unsafe { self.gl.get_query_parameter_u64(*query, glow::QUERY_RESULT) };
                self.read_times.push((name, nanoseconds as f64 * 1e-6));
            }
            set.frame = None;
            self.read += 1;
            return Some((frame, &self.read_times));
        }
        None
    }
}

impl Drop for FrameTimers {
    fn drop(&mut self) {
        self.end_part();
        for query in self.sets.iter().flat_map(|set| &set.queries) {
            // SAFETY: ours, and used by nobody after this.
            unsafe { self.gl.delete_query(*query) };
        }
    }
}
