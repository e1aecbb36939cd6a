//! Tests of the program from outside: its arguments, files, window and texts. Those that need OpenGL or Xvfb are told as
//! ignored without; with `REQUIRE_GL=1` that is a failure.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tests tell what they measure")]

use std::process::ExitCode;

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod bench_compare;
mod bench_run;
mod commands;
mod conventions;
mod faults;
mod guide;
mod record;
mod soak;
mod window;

fn main() -> ExitCode {
    run! {
        bench_compare
        bench_run
        commands
        conventions
        faults
        guide
        record
        soak
        window
    }
}
