//! The threads that are handed to what starts none itself, and work beside the animation.
//!
//! In a browser there is `in_turn.rs` in its place, in which everything is done by the one thread there is.
#![expect(clippy::disallowed_methods, reason = "this is where threads come from")]

use std::io;
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::task::Poll;
use std::thread::{self, Builder, JoinHandle};

use rayon::{ThreadPool, ThreadPoolBuilder};
use scene::serial;

/// Calls both and comes back when both are done; at the same time if the system has threads for it.
///
/// There are as many threads as cores, or as `RAYON_NUM_THREADS` says.
pub fn join(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    static THREADS: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
        let threads = ThreadPoolBuilder::new().thread_name(|number| format!("pelagic {number}")).build();
        threads.inspect_err(|error| log::warn!("the simulation goes on one thread: {error}")).ok()
    });
    match &*THREADS {
        Some(threads) => threads.join(first, second).0,
        None => serial(first, second),
    }
}

/// Work that is done beside the animation.
pub struct Work<T>(JoinHandle<T>);

impl<T: Send + 'static> Work<T> {
    /// Begins it.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub fn start(work: impl FnOnce() -> T + Send + 'static) -> io::Result<Self> {
        Builder::new().spawn(work).map(Self)
    }

    /// Whether it is done. To be asked now and then: where there is one thread only, that is when it is done.
    pub fn is_done(&mut self) -> bool {
        self.0.is_finished()
    }

    /// What came of it; waits for that.
    ///
    /// # Errors
    /// With its panic.
    pub fn finish(self) -> thread::Result<T> {
        self.0.join()
    }
}

/// Things that are made beside the animation, one after the other.
#[derive(Debug)]
pub struct Making<T>(Receiver<T>);

impl<T: Send + 'static> Making<T> {
    /// Begins to make them, if the system has a thread for it.
    pub fn start(name: &str, items: impl Iterator<Item = T> + Send + 'static) -> Option<Self> {
        let (sender, made) = channel();
        let work = move || {
            for item in items {
                // Nobody takes it any more.
                if sender.send(item).is_err() {
                    return;
                }
            }
        };
        Builder::new().name(name.into()).spawn(work).ok().map(|_| Self(made))
    }

    /// The next one, or that there will be none, if that is known.
    pub fn poll(&mut self) -> Poll<Option<T>> {
        match self.0.try_recv() {
            Ok(item) => Poll::Ready(Some(item)),
            Err(TryRecvError::Empty) => Poll::Pending,
            Err(TryRecvError::Disconnected) => Poll::Ready(None),
        }
    }
}
