//! Fuzz target of scene files: `make fuzz TARGET=scene MINUTES=15`; see CONTRIBUTING.md.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pelagic_fuzz::scene(data));
