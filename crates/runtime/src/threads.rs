//! Threads for code that starts none itself, and work beside the animation.
//!
//! In a browser `in_turn.rs` takes its place, where the only thread does everything.
#![expect(clippy::disallowed_methods, reason = "this is where threads come from")]

use std::io;
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::task::Poll;
use std::thread::{self, Builder, JoinHandle};

use math::{in_turn, serial};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Whether there may be more than one.
pub const IS_PARALLEL: bool = true;

/// Calls both and returns when both are done; in parallel if the system has threads for it.
///
/// There are as many threads as cores, or as `RAYON_NUM_THREADS` says.
pub fn join(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    join_on(WORLD.as_ref(), first, second);
}

/// Does the same as [`join`] for drawing, on threads of its own: on the world's it would wait for the step that runs
/// [`beside`] it.
pub fn join_drawing(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    static DRAWING: LazyLock<Option<ThreadPool>> = LazyLock::new(|| pool("drawing"));
    join_on(DRAWING.as_ref(), first, second);
}

/// Does the same as [`join`] for long work in the background, on threads of its own, which leave a core to the animation:
/// on the world's a step would wait for it.
pub fn join_behind(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    static BEHIND: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
        let threads = WORLD.as_ref().map_or(1, |world| world.current_num_threads().saturating_sub(1).max(1));
        pool_of("behind", threads)
    });
    join_on(BEHIND.as_ref(), first, second);
}

fn join_on(threads: Option<&ThreadPool>, first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    match threads {
        Some(threads) => threads.join(first, second).0,
        None => serial(first, second),
    }
}

/// Calls the first on the world's threads and the second on this one; returns when both are done.
pub fn beside(work: &mut (dyn FnMut() + Send), here: &mut dyn FnMut()) {
    match &*WORLD {
        Some(threads) => threads.in_place_scope(|scope| {
            scope.spawn(|_| work());
            here();
        }),
        None => in_turn(work, here),
    }
}

/// Threads of the simulation.
static WORLD: LazyLock<Option<ThreadPool>> = LazyLock::new(|| pool("pelagic"));

fn pool(name: &'static str) -> Option<ThreadPool> {
    pool_of(name, 0)
}

/// Pool of a number of threads; 0 for as many as there are cores.
fn pool_of(name: &'static str, threads: usize) -> Option<ThreadPool> {
    let named = ThreadPoolBuilder::new().thread_name(move |number| format!("{name} {number}"));
    let threads = named.num_threads(threads).build();
    threads.inspect_err(|error| log::warn!("the work of all cores goes on one thread: {error}")).ok()
}

/// Work that is done beside the animation.
pub struct Work<T>(JoinHandle<T>);

impl<T: Send + 'static> Work<T> {
    /// Starts the work.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub fn start(work: impl FnOnce() -> T + Send + 'static) -> io::Result<Self> {
        Builder::new().spawn(work).map(Self)
    }

    /// Whether it is done. Must be polled now and then: where there is only one thread, polling does the work.
    pub fn is_done(&mut self) -> bool {
        self.0.is_finished()
    }

    /// Waits for the work and returns its result.
    ///
    /// # Errors
    /// With the panic of the work.
    pub fn finish(self) -> thread::Result<T> {
        self.0.join()
    }
}

/// Items made beside the animation, one after the other.
#[derive(Debug)]
pub struct Making<T>(Receiver<T>);

impl<T: Send + 'static> Making<T> {
    /// Starts to make them, if the system has a thread for it.
    pub fn start(name: &str, items: impl Iterator<Item = T> + Send + 'static) -> Option<Self> {
        let (sender, made) = channel();
        let work = move || {
            for item in items {
                // The receiver is gone.
                if sender.send(item).is_err() {
                    return;
                }
            }
        };
        Builder::new().name(name.into()).spawn(work).ok().map(|_| Self(made))
    }

    /// Polls for the next item, `None` after the last.
    pub fn poll(&mut self) -> Poll<Option<T>> {
        match self.0.try_recv() {
            Ok(item) => Poll::Ready(Some(item)),
            Err(TryRecvError::Empty) => Poll::Pending,
            Err(TryRecvError::Disconnected) => Poll::Ready(None),
        }
    }
}
