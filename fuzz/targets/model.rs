//! Fuzz target of MS3D files: `make fuzz TARGET=model MINUTES=15`; see CONTRIBUTING.md.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pelagic_fuzz::model(data));
