//! Files that fail when a test wants them to: nothing else plans a fault.

use std::cell::Cell;
use std::io::{self, ErrorKind};

use crate::calls::Call;

/// How calls fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// One call fails in this way.
    Once(ErrorKind),
    /// One write takes only half of what it is given.
    Short,
    /// From one call on the disk is full, after half of what is being written.
    Full,
    /// From one call on nothing does anything any more, as after a kill.
    Dead,
}

/// All of them.
const FAULTS: [Fault; 5] =
    [Fault::Once(ErrorKind::Other), Fault::Once(ErrorKind::PermissionDenied), Fault::Short, Fault::Full, Fault::Dead];

thread_local! {
    /// What this thread's calls have before them: how many pass, then how they fail.
    static PLAN: Cell<Option<(usize, Fault)>> = const { Cell::new(None) };
}

/// What becomes of a call: how many of `bytes` may be written.
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

/// Does `work` on what `arrange` gives, with each file call of it failing in turn and in each way, and lets `check` look at
/// what came of it.
pub fn at_every_call<T, R>(arrange: impl Fn() -> T, work: impl Fn(&T) -> R, check: impl Fn(&T, R, Fault)) {
    for fault in FAULTS {
        for passing in 0.. {
            let room = arrange();
            PLAN.set(Some((passing, fault)));
            let done = work(&room);
            let left = PLAN.replace(None);
            check(&room, done, fault);
            // Some calls are left when it ends: none has failed.
            if left.is_some_and(|(passing, _)| passing > 0) {
                break;
            }
        }
    }
}
