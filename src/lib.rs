//! Pelagic: a real-time underwater world.
//!
//! MilkShape 3D creatures come in as bytes, a physically meant sea and thousands of GPU-skinned fish come out as
//! pixels, and every frame can be timed.
//!
//! This package is the program: `cli`, with one file for each subcommand, and `web`, the demo on a page's canvas and
//! its interface for the page's script. Everything else is in the crates that are re-exported here, one job each;
//! `docs/architecture.md` describes them and the rules that they follow.

// Not by `use`, which would import the built-in attribute too.
pub extern crate bench;
pub use {camera, config, demo, gl, life, model, ocean, platform, render, runtime, scene, shell, storage, view};
#[cfg(not(target_arch = "wasm32"))]
pub use {film, viewer};

#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
#[cfg(any(target_arch = "wasm32", test))]
mod web;
