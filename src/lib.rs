//! Pelagic: a real-time underwater world.
//!
//! MilkShape 3D creatures come in as bytes, a physically meant sea and thousands of GPU-skinned fish come out as
//! pixels, and every frame can be timed.
//!
//! This package is the program: `cli`, one file a subcommand, and `web`, the demo on a page's canvas and what the page's
//! script can ask for. Everything else is in the crates that are given on here, one job each; `docs/architecture.md` is
//! the map of them and says what must stay true.

// Not by `use`, which would take the built-in attribute too.
pub extern crate bench;
pub use {camera, config, demo, gl, life, model, ocean, platform, render, runtime, scene, shell, storage, view};
#[cfg(not(target_arch = "wasm32"))]
pub use {film, viewer};

#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
#[cfg(any(target_arch = "wasm32", test))]
mod web;
