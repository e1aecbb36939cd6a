//! Replacement for `threads.rs` where there is only one thread: everything runs in its turn.

use std::task::Poll;
use std::{fmt, io, thread};

pub use math::{in_turn as beside, serial as join, serial as join_behind, serial as join_drawing};

/// Whether there may be more than one.
pub const IS_PARALLEL: bool = false;

/// Work that waits for its turn.
pub struct Work<T> {
    work: Option<Box<dyn FnOnce() -> T>>,
    outcome: Option<T>,
}

impl<T: 'static> Work<T> {
    /// Defers the work until the first call of [`Self::is_done`].
    ///
    /// # Errors
    /// None.
    pub fn start(work: impl FnOnce() -> T + 'static) -> io::Result<Self> {
        Ok(Self { work: Some(Box::new(work)), outcome: None })
    }

    /// Does the work, if that is still to be done; always true.
    pub fn is_done(&mut self) -> bool {
        if let Some(work) = self.work.take() {
            self.outcome = Some(work());
        }
        true
    }

    /// Result of the work.
    ///
    /// # Errors
    /// None: a panic ends the program.
    pub fn finish(mut self) -> thread::Result<T> {
        self.is_done();
        Ok(self.outcome.expect("it is done"))
    }
}

/// Items made one after the other, one at every other poll.
pub struct Making<T> {
    items: Box<dyn Iterator<Item = T>>,
    is_due: bool,
}

impl<T: 'static> Making<T> {
    /// Starts with no item made.
    pub fn start(_: &str, items: impl Iterator<Item = T> + 'static) -> Option<Self> {
        Some(Self { items: Box::new(items), is_due: false })
    }

    /// Polls for the next item, `None` after the last; every other call is pending.
    pub fn poll(&mut self) -> Poll<Option<T>> {
        self.is_due = !self.is_due;
        if self.is_due { Poll::Ready(self.items.next()) } else { Poll::Pending }
    }
}

impl<T> fmt::Debug for Making<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Making").finish_non_exhaustive()
    }
}
