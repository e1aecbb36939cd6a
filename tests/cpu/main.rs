//! Tests that need no OpenGL: files of models and scenes, animals, light under water by Monte Carlo.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tests tell what they measure")]

use std::process::ExitCode;

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

#[path = "../../crates/mdl/tests/sample/mod.rs"]
mod sample;

mod behaviour;
mod conduct;
mod config;
mod convert;
mod damaged;
mod first_view;
mod frame_calls;
mod fuzz_corpus;
mod gltf;
mod living_rock;
mod mdl;
mod model;
mod monte_carlo;
mod pose;
mod scene_command;
mod standing;
mod swimming;

fn main() -> ExitCode {
    run! {
        behaviour
        conduct
        config
        convert
        damaged
        first_view
        frame_calls
        fuzz_corpus
        gltf
        living_rock
        mdl
        model
        monte_carlo
        pose
        scene_command
        standing
        swimming
    }
}
