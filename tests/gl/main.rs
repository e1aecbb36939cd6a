//! Tests of pictures, off-screen. Without a usable OpenGL they are told as ignored; with `REQUIRE_GL=1` that is a failure.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tests tell what they measure")]

use std::process::ExitCode;

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod glsl_es;
mod golden;
mod looks;
mod materials;
mod panorama;
mod photograph;
mod physics;
mod render;
mod renderer;
mod shade;
mod skinning;
mod stereo;
mod surface;
mod torch;
mod water_truth;
mod waves;
mod window_session;

fn main() -> ExitCode {
    run! {
        glsl_es
        golden
        looks
        materials
        panorama
        photograph
        physics
        render
        renderer
        shade
        skinning
        stereo
        surface
        torch
        water_truth
        waves
        window_session
    }
}
