//! A still picture after a number of steps: the same as `pelagic shot` makes.

use config::Config;
use gl::{DeviceInfo, Gl};
use render::{Capture, Renderer, View};
use runtime::files::load_model;
use runtime::{AppError, SceneOptions, threads};
use scene::{World, expected_features};
use view::{RenderScene, SceneFeatures};

/// A still picture.
pub struct Still {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// RGBA, four bytes a pixel, the upper row first.
    pub rgba: Vec<u8>,
}

/// Renders the picture of a scene after `steps` steps, and shows it.
///
/// # Errors
/// If a model cannot be loaded or the driver refuses an object.
pub fn still(
    config: &Config,
    options: &SceneOptions,
    steps: u64,
    (gl, device): (Gl, &DeviceInfo),
) -> Result<Still, AppError> {
    let wanted = (&config.post, &config.render, expected_features(&config.scene));
    let mut renderer = Renderer::new(gl, device.software, options.size, wanted)?;
    let mut world = World::new(&config.scene, options.seed, load_model, threads::join)?;
    let mut frame = RenderScene::default();
    let camera = world.first_view();
    world.extract(1.0, camera, &mut frame);
    renderer.load(world.static_scene(), SceneFeatures::of(&frame))?;
    world.set_onlooker(Some(camera.eye));
    world.set_torches(Some(&camera));
    (0..steps).for_each(|_| world.step());
    world.extract(1.0, camera, &mut frame);
    let capture = renderer.capture(&frame, View::Final, false)?;
    renderer.draw(&frame, None);
    match capture {
        Capture::Display { width, height, rgba } => Ok(Still { size: (width, height), rgba }),
        Capture::Linear { width, height, .. } => {
            unreachable!("{width} x {height} pixels of radiance were not asked for")
        }
    }
}
