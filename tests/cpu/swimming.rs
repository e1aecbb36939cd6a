//! Everything in the built-in scenes swims as its kind does.

use std::collections::BTreeMap;

use pelagic::config::{self, BUILTIN_SCENES};
use pelagic::life::{Behaviour, Swimming};
use pelagic::model::{ModelRequest, Sweep};
use pelagic::runtime::files::load_model;
use pelagic::scene::SpeciesSettings;

/// Swimmers of all built-in scenes, by scene and name.
fn swimmers() -> BTreeMap<(String, String), SpeciesSettings> {
    let of = |scene: &str| config::load(scene, &[]).expect("a built-in scene").config.scene.species;
    let entry = |scene: &str, one: SpeciesSettings| ((scene.to_owned(), one.name.clone()), one);
    let all = BUILTIN_SCENES
        .iter()
        .map(|scene| scene.name)
        .flat_map(|scene| of(scene).into_iter().map(move |one| entry(scene, one)));
    all.filter(|(_, one)| matches!(one.life.behaviour, Behaviour::School | Behaviour::Reef | Behaviour::Cruiser))
        .collect()
}

fn strouhal_numbers_are_those_of_swimmers() {
    let all = swimmers();
    assert!(all.len() > 30, "{}", all.len());
    for (name, one) in &all {
        let (least, most) = (0.5 * one.life.speed_bl_s, one.life.burst_bl_s());
        for i in 0..=20 {
            let speed = least + (most - least) * i as f32 / 20.0;
            let strouhal = one.life.swimming.strouhal(one.life.length_m, speed);
            // 0.2 to 0.4 in most (Taylor et al. 2003); slow trout reach 0.46, eels 0.45; all 0.15 to 0.8 (Eloy 2012).
            let range = match one.life.swimming.rows_at(speed) {
                true => 0.15..0.8,
                false if speed < 0.95 * one.life.speed_bl_s => 0.19..0.6,
                false => 0.19..0.47,
            };
            assert!(range.contains(&strouhal), "{name:?} ({:?}) at {speed} L/s: {strouhal}", one.life.swimming);
        }
    }
}

fn sharks_and_triggers_beat_as_their_class_does() {
    let shark = |speed: f32| Swimming::Subcarangiform.strouhal(1.7, speed);
    let trigger = |speed: f32| Swimming::Balistiform.strouhal(0.3, speed);
    for speed in [0.45, 0.5, 0.8] {
        assert!((0.26..0.36).contains(&shark(speed)), "a reef shark that cruises at {speed} L/s: {}", shark(speed));
    }
    // Amplitude, wavelength and stride of sharks fall with speed (Webb & Keyes 1982).
    assert!((0.2..0.26).contains(&shark(5.0)), "in its strike: {}", shark(5.0));
    for speed in [0.7, 0.8] {
        assert!((0.4..0.5).contains(&trigger(speed)), "a trigger by its fins at {speed} L/s: {}", trigger(speed));
    }
    for speed in [1.6, 3.0, 6.0] {
        assert!((0.24..0.34).contains(&trigger(speed)), "by its tail at {speed} L/s: {}", trigger(speed));
    }
}

fn tails_can_sweep_a_fifth_of_the_length() {
    for (name, one) in swimmers() {
        if one.life.swimming.is_winged() || one.life.swimming == Swimming::Amiiform {
            continue;
        }
        let palette = load_model(&ModelRequest::new(one.model)).expect("a built-in model").model.palette;
        let widest = palette.clips.iter().filter(|clip| ["cruise", "burst"].contains(&clip.name.as_str()));
        let widest = widest.map(|clip| clip.sweep.tail).fold(0.0, f32::max);
        // Clips are shown 1.8 times as wide as they are at most.
        assert!(1.8 * widest >= 0.19, "{name:?}: {widest}");
    }
}

fn sweep(model: &str, clip: &str) -> Sweep {
    let palette = load_model(&ModelRequest::new(format!("builtin:{model}"))).expect("a built-in model").model.palette;
    palette.clips.iter().find(|one| one.name == clip).expect("it has the clip").sweep
}

fn tails_wings_and_fins_are_measured() {
    // Videler & Hess 1984: 0.1 to each side, less what the chain of joints and the rounding of the tail cost.
    let sardine = sweep("sardine", "cruise");
    assert!((0.16..=0.21).contains(&sardine.tail) && sardine.strokes == 1, "{sardine:?}");
    let resting = sweep("sardine", "idle");
    assert!(resting.tail < 0.3 * sardine.tail, "{resting:?}");
    let turtle = sweep("green_turtle", "cruise");
    assert!(turtle.widest > 0.4 && turtle.tail < 0.15, "{turtle:?}: it rows with its flippers");
    let tang = sweep("yellow_tang", "idle");
    assert!(tang.widest > 2.0 * tang.tail && tang.strokes == 6, "{tang:?}: pectorals beat, the tail rests");
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    strouhal_numbers_are_those_of_swimmers;
    sharks_and_triggers_beat_as_their_class_does;
    tails_can_sweep_a_fifth_of_the_length;
    tails_wings_and_fins_are_measured;
};
