//! Standard error, whose reader may be gone, stuck or on a full disk. The log, written by `env_logger`, handles that by
//! itself.
#![expect(clippy::disallowed_methods, reason = "a thread writes where a reader may stall")]

use std::io::Write as _;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Writes a line and ignores failures.
pub fn say(line: &str) {
    // There is no other place to report a failure.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Writes a line like [`say`], but waits at most `patience` for a reader that does not read.
pub fn say_within(line: &str, patience: Duration) {
    let (done, said) = channel();
    let line = line.to_owned();
    let speaker = thread::Builder::new().spawn(move || {
        say(&line);
        // Nobody receives this after the timeout.
        let _ = done.send(());
    });
    if speaker.is_ok() {
        // Continues whether or not the line was written.
        let _ = said.recv_timeout(patience);
    }
}
