//! Ctrl-C and termination: the first signal asks for a clean end and enforces it after a timeout, the second ends at
//! once.
#![expect(clippy::disallowed_methods, reason = "a thread ends what does not end by itself")]

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use crate::context::leave::{leave, leave_at_once};
use crate::stderr::say;

/// Exit code after an interrupt: 128 + SIGINT.
pub const EXIT_CODE: u8 = 130;

/// Time for a clean end, after which the program is ended.
const CLEAN_END: Duration = Duration::from_millis(1300);
/// Time for a clean end while there are measurements to save: one frame may take seconds inside the driver.
const CLEAN_END_OF_A_MEASUREMENT: Duration = Duration::from_secs(15);

/// Number of signals received.
static SIGNALS: AtomicU32 = AtomicU32::new(0);
/// Whether the person has closed the window.
static CLOSED: AtomicBool = AtomicBool::new(false);
static MEASUREMENTS: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();

/// Listens for Ctrl-C and termination from now on; calling it again changes nothing.
///
/// It also listens if a shell that started the program in the background made it ignore Ctrl-C: scripts stop benchmarks
/// by signal.
pub fn listen() {
    LISTENING.call_once(|| {
        let listening = ctrlc::set_handler(|| {
            if SIGNALS.fetch_add(1, Ordering::SeqCst) > 0 {
                // The person asked twice: the clean end may be the part that hangs.
                leave_at_once(EXIT_CODE);
            }
            let deadline = thread::Builder::new().spawn(|| {
                thread::sleep(CLEAN_END);
                if MEASUREMENTS.load(Ordering::SeqCst) {
                    thread::sleep(CLEAN_END_OF_A_MEASUREMENT - CLEAN_END);
                }
                leave(EXIT_CODE, "stopped in the middle of its work, of which nothing is left");
            });
            // The reader of standard error may have stopped; a second signal must be heard all the same.
            let said = thread::Builder::new().spawn(|| say("\npelagic: stopping; Ctrl-C again to stop at once"));
            if deadline.is_err() || said.is_err() {
                leave(EXIT_CODE, "stopped");
            }
        });
        if let Err(error) = listening {
            log::warn!("Ctrl-C will end the program without finishing what it does: {error}");
        }
    });
}

/// Whether a clean end was asked for. Long work checks this between its pieces.
pub fn requested() -> bool {
    SIGNALS.load(Ordering::SeqCst) > 0 || CLOSED.load(Ordering::SeqCst)
}

/// Requests a clean end when a person closes the window; the first Ctrl-C after it still leaves time for one.
pub fn request() {
    CLOSED.store(true, Ordering::SeqCst);
}

/// Extends the time for a clean end from now on, which then saves measurements.
pub fn save_measurements() {
    MEASUREMENTS.store(true, Ordering::SeqCst);
}
