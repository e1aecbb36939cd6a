//! Fuzz target of benchmark results: `make fuzz TARGET=result MINUTES=15`; see CONTRIBUTING.md.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pelagic_fuzz::result(data));
