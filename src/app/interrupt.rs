//! Ctrl-C: the first asks for a clean end, the second ends at once.

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// Exit code after an interrupt: 128 + SIGINT.
pub const EXIT_CODE: i32 = 130;

static REQUESTS: AtomicU32 = AtomicU32::new(0);
static LISTENING: Once = Once::new();

/// Listens for Ctrl-C and termination from now on; calling it again changes nothing.
///
/// It listens also where a shell that started the program in the background had it ignore Ctrl-C: scripts stop
/// benchmarks by signal.
pub fn listen() {
    LISTENING.call_once(|| {
        let listening = ctrlc::set_handler(|| {
            if REQUESTS.fetch_add(1, Ordering::SeqCst) > 0 {
                // The person asked twice: whatever is being finished may be what hangs.
                std::process::exit(EXIT_CODE);
            }
            eprintln!("\npelagic: stopping; Ctrl-C again to stop at once");
        });
        if let Err(error) = listening {
            log::warn!("Ctrl-C will end the program without finishing what it does: {error}");
        }
    });
}

/// Whether a clean end was asked for. Long work looks here between its pieces.
pub fn requested() -> bool {
    REQUESTS.load(Ordering::SeqCst) > 0
}

/// Asks for a clean end as Ctrl-C does, for a person who closes the window.
pub fn request() {
    REQUESTS.fetch_add(1, Ordering::SeqCst);
}
