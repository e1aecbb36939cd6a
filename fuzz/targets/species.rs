//! Species files of the forge under a fuzzer: `make fuzz TARGET=species MINUTES=15`; see CONTRIBUTING.md.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pelagic_fuzz::species(data));
