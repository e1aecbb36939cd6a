//! Forced exit of a program that cannot end by itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use storage::abandon_parts;

use crate::stderr::say_within;

/// Longest wait for a file that is just being moved into place.
const COMMIT: Duration = Duration::from_secs(5);
/// Longest time for the last message.
const LAST_WORD: Duration = Duration::from_millis(200);

/// Reason for a window that was lost without being closed by the program.
pub const DESTROYED: &str = "another program has destroyed it";

/// Exits the program after the loss of its window.
pub fn lost(why: &str) -> ! {
    leave(1, &format!("the display server is gone, or has taken the window away ({why}); nothing is left half written"))
}

/// Prints `why` and exits with that code, removing half-written files.
///
/// Nothing is dropped and no library is called: the driver or the display server may be the part that hangs.
pub fn leave(code: u8, why: &str) -> ! {
    static IS_LEAVING: AtomicBool = AtomicBool::new(false);
    while IS_LEAVING.swap(true, Ordering::SeqCst) {
        // Another thread is already exiting.
        thread::park();
    }
    abandon_parts(COMMIT);
    say_within(&format!("pelagic: {why}"), LAST_WORD);
    exit(code)
}

/// Exits like [`leave`], without a message and without waiting.
pub fn leave_at_once(code: u8) -> ! {
    abandon_parts(Duration::ZERO);
    exit(code)
}

fn exit(code: u8) -> ! {
    // SAFETY: it takes a number and does not return.
    unsafe { libc::_exit(i32::from(code)) }
}
