//! Calls of OpenGL in a frame, by a driver that counts them: each costs time, in a browser most.

use pelagic::config;
use pelagic::gl::{faults, null};
use pelagic::render::Renderer;
use pelagic::runtime::files::load_model;
use pelagic::runtime::threads::join;
use pelagic::scene::World;
use pelagic::view::{RenderScene, SceneFeatures};

/// Most calls of a frame of the reef at low by the number of fish, in OpenGL 3.3 and in browsers; about 2,900 and 5,100
/// if what is set already is set again. From OpenGL 4.2 on a third fewer at 10,000.
const MOST: [(u32, u32); 2] = [(500, 2100), (10_000, 3600)];

/// Frames that are counted.
const FRAMES: u32 = 20;

fn a_frame_makes_few_calls() {
    for (fish, most) in MOST {
        let mut config = config::load("reef", &["render.quality=low".to_owned()]).expect("a built-in scene").config;
        config.set_fish_count(fish).expect("the reef has fish");
        let mut world = World::new(&config.scene, 1, load_model, join).expect("the reef can be made");
        let camera = world.first_view();
        let mut moment = RenderScene::default();
        world.extract(1.0, camera, &mut moment);
        let wanted = (&config.post, &config.render, SceneFeatures::of(&moment));
        let mut renderer =
            Renderer::new(faults::counted(null::load), true, (1280, 720), wanted).expect("the driver refuses nothing");
        renderer.load(world.static_scene(), SceneFeatures::of(&moment)).expect("the driver refuses nothing");
        let mut draw = || {
            world.step();
            world.extract(1.0, camera, &mut moment);
            renderer.draw(&moment, None);
        };
        (0..3).for_each(|_| draw());
        // On the mean: where an animal comes into view, all that follow it are read from other places of their buffer.
        let calls = null::calls(|| (0..FRAMES).for_each(|_| draw()));
        let all = calls.values().sum::<u32>() / FRAMES;
        println!("{fish} fish: {all} calls, in {FRAMES} frames {calls:?}");
        assert!(all <= most, "{fish} fish: {all} calls, in {FRAMES} frames {calls:?}");
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    a_frame_makes_few_calls;
};
