//! Fuzz target of the forge's species files: `make fuzz TARGET=species MINUTES=15`; see CONTRIBUTING.md.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pelagic_fuzz::species(data));
