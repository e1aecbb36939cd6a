//! Fuzz target of GoldSrc models: `make fuzz TARGET=mdl MINUTES=15`; see CONTRIBUTING.md.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pelagic_fuzz::goldsrc(data));
