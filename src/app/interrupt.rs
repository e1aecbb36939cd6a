//! Ctrl-C: the first asks for a clean end, the second ends at once.

use std::sync::atomic::{AtomicU32, Ordering};

/// Exit code after an interrupt: 128 + SIGINT.
pub const EXIT_CODE: i32 = 130;

static REQUESTS: AtomicU32 = AtomicU32::new(0);

/// Listens for Ctrl-C and termination from now on; calling it again changes nothing.
pub fn listen() {
    let listening = ctrlc::try_set_handler(|| {
        if REQUESTS.fetch_add(1, Ordering::SeqCst) > 0 {
            // The person asked twice: whatever is being finished may be what hangs.
            std::process::exit(EXIT_CODE);
        }
        eprintln!("\npelagic: stopping; Ctrl-C again to stop at once");
    });
    match listening {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => {}
        Err(error) => log::debug!("Ctrl-C will not end the program cleanly: {error}"),
    }
}

/// Whether a clean end was asked for. Long work looks here between its pieces.
pub fn requested() -> bool {
    REQUESTS.load(Ordering::SeqCst) > 0
}
