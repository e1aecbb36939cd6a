//! Injected file errors for tests; nothing else plans a fault.

use std::cell::Cell;
use std::io::{self, ErrorKind};

use crate::calls::Call;

/// Way in which calls fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// One call fails in this way.
    Once(ErrorKind),
    /// One write takes only half of what it is given.
    Short,
    /// From one call on the disk is full, after half of what is being written.
    Full,
    /// From one call on every call fails, as after a kill.
    Dead,
}

/// All of them.
const FAULTS: [Fault; 5] =
    [Fault::Once(ErrorKind::Other), Fault::Once(ErrorKind::PermissionDenied), Fault::Short, Fault::Full, Fault::Dead];

thread_local! {
    /// Plan for this thread's calls: the number of calls that pass, then the fault.
    static PLAN: Cell<Option<(usize, Fault)>> = const { Cell::new(None) };
}

/// Outcome of a call: the number of `bytes` that may be written.
pub(crate) fn pass(call: Call, bytes: usize) -> io::Result<usize> {
    let Some((passing, fault)) = PLAN.get() else { return Ok(bytes) };
    if passing > 0 {
        PLAN.set(Some((passing - 1, fault)));
        return Ok(bytes);
    }
    let failed = |kind: ErrorKind| Err(kind.into());
    match fault {
        Fault::Once(kind) => {
            PLAN.set(None);
            failed(kind)
        }
        Fault::Short => {
            PLAN.set(None);
            Ok(bytes.div_ceil(2))
        }
        Fault::Full if call != Call::Grow => Ok(bytes),
        Fault::Full => {
            if bytes > 1 {
                Ok(bytes / 2)
            } else {
                failed(ErrorKind::StorageFull)
            }
        }
        Fault::Dead => failed(ErrorKind::Other),
    }
}

/// Runs `work` on the result of `arrange`, with each of its file calls failing in turn and in each way, and passes the
/// outcome to `check`.
pub fn at_every_call<T, R>(arrange: impl Fn() -> T, work: impl Fn(&T) -> R, check: impl Fn(&T, R, Fault)) {
    for fault in FAULTS {
        for passing in 0.. {
            let room = arrange();
            PLAN.set(Some((passing, fault)));
            let done = work(&room);
            let left = PLAN.replace(None);
            check(&room, done, fault);
            // Calls are left to pass: none has failed.
            if left.is_some_and(|(passing, _)| passing > 0) {
                break;
            }
        }
    }
}
