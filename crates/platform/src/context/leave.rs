//! The end of a program that cannot end by itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use storage::abandon_parts;

use crate::stderr::say_within;

/// How long a file that is just being put into its place is waited for.
const COMMIT: Duration = Duration::from_secs(5);
/// How long the last sentence may take.
const LAST_WORD: Duration = Duration::from_millis(200);

/// Says why and ends the program with that exit code, taking along what is half written.
///
/// Nothing is dropped and no library is asked: the driver or the display server may be what does not answer.
pub fn leave(code: u8, why: &str) -> ! {
    static IS_LEAVING: AtomicBool = AtomicBool::new(false);
    while IS_LEAVING.swap(true, Ordering::SeqCst) {
        // Another thread is about to.
        thread::park();
    }
    abandon_parts(COMMIT);
    say_within(&format!("pelagic: {why}"), LAST_WORD);
    exit(code)
}

/// As [`leave`], and waits for nothing.
pub fn leave_at_once(code: u8) -> ! {
    abandon_parts(Duration::ZERO);
    exit(code)
}

fn exit(code: u8) -> ! {
    // SAFETY: it takes a number and does not return.
    unsafe { libc::_exit(i32::from(code)) }
}
