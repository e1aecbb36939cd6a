//! Fuzz target of glTF files: `make fuzz TARGET=gltf MINUTES=15`; see CONTRIBUTING.md.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pelagic_fuzz::gltf(data));
