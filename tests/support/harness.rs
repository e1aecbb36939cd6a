//! The harness of the test programs: as libtest's, but that a test which cannot run here is told as ignored.

use std::any::Any;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// A test.
pub struct Test {
    /// Its name.
    pub name: &'static str,
    /// Panics if it fails.
    pub run: fn(),
    /// Whether it runs only where it is asked for, with `--ignored`.
    pub is_by_hand: bool,
}

/// The tests of a file: names of functions, behind `by_hand` those that run only where they are asked for. A function that
/// is in no list is one that the compiler calls dead.
macro_rules! tests {
    (@by_hand) => { false };
    (@by_hand by_hand) => { true };
    ($($(#[$when:meta])* $($part:ident)::+ $(, $by_hand:ident)?;)*) => {
        &[$(
            $(#[$when])*
            crate::support::harness::Test {
                name: stringify!($($part)::+),
                run: $($part)::+,
                is_by_hand: tests!(@by_hand $($by_hand)?),
            },
        )*]
    };
}

/// Runs the tests of a program's files, given by the files' names.
macro_rules! run {
    ($($file:ident)*) => { crate::support::harness::run(&[$((stringify!($file), $file::TESTS)),*]) };
}

/// As the macro of that name has it.
pub fn run(files: &[(&'static str, &'static [Test])]) -> ExitCode {
    let trial = |file: &str, test: &'static Test| {
        let name = format!("{file}::{}", test.name);
        Trial::ignorable_test(name.clone(), move || try_it(name, test.run)).with_ignored_flag(test.is_by_hand)
    };
    let trials = files.iter().flat_map(|(file, tests)| tests.iter().map(move |test| trial(file, test))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Reason that a test cannot run here.
struct Skipped(String);

/// Ends this test, which is told as ignored.
pub fn end_ignored(why: &str) -> ! {
    resume_unwind(Box::new(Skipped(why.to_owned())))
}

fn try_it(name: String, test: fn()) -> Result<Completion, Failed> {
    // On a thread of its own, whose locals end with it.
    match thread::Builder::new().name(name).spawn(test)?.join() {
        Ok(()) => Ok(Completion::Completed),
        Err(why) => match why.downcast::<Skipped>() {
            Ok(skipped) => Ok(Completion::ignored_with(skipped.0)),
            Err(why) => Err(message(&*why).into()),
        },
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panics")
}
