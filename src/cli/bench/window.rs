//! `pelagic bench --window`: the same measurement in a window.

use std::time::Duration;

use bench::{BenchError, BenchRequest, BenchWindow};
use platform::context::Context;
use render::Stereo;
use runtime::SceneOptions;
use runtime::window_session::{WindowEvents, WindowSession};
use shell::window::attributes;

use crate::cli::CliError;
use crate::cli::bench::against::Against;
use crate::cli::bench::measure::{self, Done, scene_of};

/// Measures in a window.
///
/// # Errors
/// If there is no window, or for the reasons of measuring without one.
pub fn measure(
    options: &SceneOptions,
    (vsync, stereo): (bool, Stereo),
    request: &BenchRequest,
    against: Option<&Against>,
) -> Result<Done, CliError> {
    let mut open = WindowSession::open(options, attributes("Pelagic: benchmark", options.size), vsync)?;
    if open.size != options.size {
        let ((w, h), (asked_w, asked_h)) = (open.size, options.size);
        log::warn!("the window is {w} x {h}, not {asked_w} x {asked_h}: that is what is measured");
    }
    open.session.set_stereo(stereo)?;
    let (size, refresh_hz) = (open.size, open.session.context.refresh_hz());
    let vsync = (!open.vsync_refused).then_some(vsync);
    let other = against.map(|against| against.beside(&open.session, size)).transpose()?;
    let WindowSession { session, events, .. } = &mut open;
    let (mut scene, context) = scene_of(session, options, size);
    let mut presenter = Presenter { context, events, vsync, refresh_hz };
    scene.window = Some(&mut presenter);
    match (against, other) {
        (Some(against), Some(mut other)) => {
            let second = scene_of(&mut other, &against.options, size).0;
            measure::measure_pair([scene, second], [request, &against.request], against.names(request))
        }
        _ => measure::measure(scene, request),
    }
}

/// Presents each frame in a window.
struct Presenter<'a> {
    context: &'a Context,
    events: &'a mut WindowEvents,
    vsync: Option<bool>,
    refresh_hz: Option<f64>,
}

impl BenchWindow for Presenter<'_> {
    fn show(&mut self) -> Result<(), BenchError> {
        if let Some(window) = self.context.window() {
            window.pre_present_notify();
        }
        self.context.swap().map_err(BenchError::Driver)?;
        self.events.pump(Duration::ZERO);
        match self.context.reset() {
            None => Ok(()),
            Some(reset) => Err(BenchError::Driver(format!("it was reset, {reset:?}"))),
        }
    }

    fn clear_disturbance(&mut self) {
        self.events.clear_disturbance();
    }

    fn disturbance(&mut self) -> Option<String> {
        self.events.disturbance()
    }

    fn vsync(&self) -> Option<bool> {
        self.vsync
    }

    fn refresh_hz(&self) -> Option<f64> {
        self.refresh_hz
    }
}
