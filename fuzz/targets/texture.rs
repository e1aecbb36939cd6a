//! Fuzz target of image files: `make fuzz TARGET=texture MINUTES=15`; see CONTRIBUTING.md.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pelagic_fuzz::texture(data));
