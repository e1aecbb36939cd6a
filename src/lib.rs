//! Pelagic: a real-time underwater world.
//!
//! MilkShape 3D creatures come in as bytes, a physically meant sea and thousands of GPU-skinned fish come out as
//! pixels, and every frame can be timed. Data flows one way, from the scene file to the picture:
//!
//! ```text
//! TOML ─ config ─▶ scene::SceneSettings ─▶ scene::World ── step(dt), extract() ──▶ scene::RenderScene ─ render ─▶ pixels
//!                     .ms3d ─ ms3d ─▶ model ─▶ animation ─▶ palette texture ───────────────────────────▲
//! ```
//!
//! # The modules
//!
//! | module | what it holds |
//! |---|---|
//! | [`model`] | what is drawn: meshes, materials, skeleton, clips, levels of detail; `ms3d` becomes it here |
//! | [`animation`] | pose from a time; palette baking; CPU skinning, the reference for the vertex shader |
//! | [`sheet`] | a model from four sides and at four moments, drawn on the CPU |
//! | [`ocean`] | the water as physics: water types, radiative transfer, wave spectrum, sun above it, currents |
//! | [`life`] | species, minds, schooling, swimming kinematics |
//! | [`view`] | what a renderer is given: `RenderScene`, `StaticScene`, `Camera` |
//! | [`scene`] | what is where: seabed, props, creatures, particles, cameras. `World::step`, then `World::extract` |
//! | [`storage`] | files: read without waiting, written whole or not at all |
//! | [`gl`] | owned GL objects and nothing else |
//! | [`render`] | the frame, top to bottom in `frame.rs`; which passes it has, in `plan.rs`; one file a pass; the governor |
//! | [`config`] | scene files and species cards: schema, validation with place and suggestion, merging, dumping |
//! | [`app`] | windows and off-screen contexts, input, camera control, hot reload, capture |
//! | [`mod@bench`] | runs, samples, statistics, reports, what effects and fish cost |
//! | [`cli`] | one file a subcommand |
//! | `web` | the demo on a page's canvas, and what the page's script can ask for; in a browser only |
//!
//! More are crates, under `crates/`: [`ms3d`], MilkShape files to data and back, and [`mdl`], GoldSrc models to data, for
//! anyone; [`forge`], the modeller, which makes the project's own creatures, props and textures; [`assets`], those, found
//! or made by a build; [`math`], easing, splines, hashes and quantiles; and [`suggest`], the nearest name there is.
//!
//! # What must stay true
//!
//! - One wave field, many consumers: surface, caustics and surge come from the same maps at the same instant.
//! - One medium: every lit thing is seen through the same absorption and scattering.
//! - Creatures are skinned in the vertex shader from a baked palette; one instanced draw a species and level of detail.
//! - The same seed gives the same frame: simulation takes a fixed step and a seed, reads no clock, and comes to the
//!   same on any number of threads: whoever shares it out is handed in (`app::threads`).
//! - Software OpenGL 3.3 is a first-class machine.
//! - Nothing from outside panics.
//!
//! `model animation sheet ocean life scene` and the crates never name a window, a file (but for a debug build's assets), a
//! thread or the clock, and `glow` is for
//! `gl` and the contexts alone; who may import whom, and that no files import each other in a circle, is
//! held by `tests/layering/main.rs`.
//!
//! # Conventions
//!
//! Right-handed, +y up, metres, seconds, linear RGB radiance; sea level at rest is y = 0, so depth is -y. A creature
//! in model space looks along -z after import. Angles are radians, degrees only in files and names that end in `_deg`.

// Not by `use`, which would take the built-in attribute too.
pub extern crate bench;
pub use {camera, config, demo, gl, life, model, ocean, platform, render, runtime, scene, shell, storage, view};
#[cfg(not(target_arch = "wasm32"))]
pub use {film, viewer};

#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
#[cfg(any(target_arch = "wasm32", test))]
mod web;
