//! Standard error, whose reader may be gone, stuck or on a full disk. The log, which `env_logger` writes, survives that
//! by itself.
#![expect(clippy::disallowed_methods, reason = "a thread writes where a reader may stall")]

use std::io::Write as _;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Writes a line. That nobody hears it changes nothing.
pub fn say(line: &str) {
    // There is no other place to tell it.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// As [`say`], but waits at most `patience` for a reader who does not read.
pub fn say_within(line: &str, patience: Duration) {
    let (done, said) = channel();
    let line = line.to_owned();
    let speaker = thread::Builder::new().spawn(move || {
        say(&line);
        // Who no longer waits need not know.
        let _ = done.send(());
    });
    if speaker.is_ok() {
        // Said or not: it goes on.
        let _ = said.recv_timeout(patience);
    }
}
