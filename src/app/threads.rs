//! The threads that are handed to what starts none itself.

use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::scene::one_by_one;

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
        None => one_by_one(first, second),
    }
}
