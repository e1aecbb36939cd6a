//! Torches by night: shade in their light, eyes that shine back at them, and the plankton that they draw.

use glam::Vec3;
use pelagic::render::{Capture, View};
use pelagic::runtime::offscreen::Session;
use pelagic::view::{Camera, RenderScene};

use crate::support::{assert_clean, linear, options, say, scene_file, session};

const SIZE: (u32, u32) = (320, 180);

/// A sea under a sun at a height (degrees), without a moon, with so many flakes of snow and one torch: to the right of the camera.
fn lit_by_a_torch(aside_m: f32, sun_deg: f32, flakes: u32, rest: &str) -> String {
    format!(
        "
        waves = {{ wind_m_s = 0.0, swell_height_m = 0.0 }}
        seabed = {{ depth_m = 6.0, relief_m = 0.0 }}
        sun = {{ elevation_deg = {sun_deg:.1} }}
        moon = {{ elevation_deg = -30.0 }}
        particles = {{ snow_count = {flakes}, bubble_sources = 0 }}
        [[lights]]
        name = \"torch\"
        follow = \"camera\"
        at_m = [{aside_m:.2}, 0.0, 0.0]
        toward_m = [0.0, 0.0, 4.0]
        cone_deg = 50.0
        intensity = 2.0
        {rest}"
    )
}

fn a_sharks_eye_shines_back_only_along_the_beam() {
    let seen = |model: &str, aside_m: f32| {
        let animal = format!(
            "
            [[props]]
            name = \"animal\"
            model = \"builtin:{model}\"
            count = 0
            sink = 0.0
            at = [[0.0, 0.0, 0.0, 1.8]]"
        );
        let (_folder, path) = scene_file(&lit_by_a_torch(aside_m, -40.0, 0, &animal));
        let off = ["shafts", "surface", "bloom"].map(|effect| format!("render.effects.{effect}=false"));
        let set: Vec<&str> =
            off.iter().map(String::as_str).chain(["render.quality=high", "water.inscatter=0"]).collect();
        let mut session = session(&options(&path, SIZE, &set));
        let mut frame = RenderScene::default();
        session.world.extract(1.0, Camera::look_at(Vec3::NEG_Y, Vec3::ZERO, 1.0), &mut frame);
        let still = session.world.static_scene();
        let of_still = still.props.iter().flat_map(|batch| batch.instances.iter().map(|one| (batch.model, *one)));
        let of_moving = frame.batches.iter().flat_map(|batch| batch.instances.iter().map(|one| (batch.model, *one)));
        let (model, one) = of_still.chain(of_moving).next().expect("the animal");
        let model = &still.models[model];
        let lod = &model.lods[0];
        let of_eyes =
            lod.meshes.iter().find(|mesh| model.materials[mesh.material].name == "eyes").expect("it has eyes");
        let corners = lod.indices[of_eyes.first as usize..(of_eyes.first + of_eyes.count) as usize].iter();
        let right: Vec<Vec3> = corners.map(|i| lod.vertices[*i as usize].position).filter(|p| p.x > 0.0).collect();
        let eye = right.iter().sum::<Vec3>() / right.len() as f32;
        let eye = one.position + one.rotation * (eye * one.scale);
        let way = (one.rotation * Vec3::new(1.0, 0.12, 0.0)).normalize();
        let camera = Camera::look_at(eye + 2.4 * way, eye, 0.12);
        let pixels = linear(&mut session, camera, View::Final);
        assert_clean(&session);
        pixels
    };
    let bright = |pixels: &[[f32; 3]], over: f32| pixels.iter().filter(|pixel| pixel[1] > over).count();
    let brightest = |pixels: &[[f32; 3]]| pixels.iter().map(|pixel| pixel[1]).fold(0.0, f32::max);
    let (along, aside) = (seen("reef_shark", 0.05), seen("reef_shark", 1.2));
    let (most, usual) = (brightest(&along), brightest(&aside));
    let shining = bright(&along, 0.5 * most);
    say(&format!("a pupil {most:.3} along the beam, {shining} px; {usual:.3} aside"));
    assert!(most > 8.0 * usual, "{most} along the beam, {usual} at most from aside");
    assert!((20..3000).contains(&shining), "{shining} pixels of it shine: a pupil");
    let gold = along.iter().max_by(|a, b| a[1].total_cmp(&b[1])).expect("pixels");
    assert!(gold[1] > 1.5 * gold[2], "gold-green: {gold:?}");
    let dull = brightest(&seen("barracuda", 0.05));
    assert!(most > 5.0 * dull, "a barracuda has no mirror behind its eye: {dull} of {most}");
}

fn plankton_gathers_in_a_torchs_beam_by_night_and_darts() {
    let seen = |sun_deg: f32, time_s: f64| {
        let (_folder, path) = scene_file(&lit_by_a_torch(0.5, sun_deg, 400, ""));
        let mut session = session(&options(&path, SIZE, &["render.quality=high"]));
        session.step_to(time_s, 0).expect("not interrupted");
        let camera = Camera::look_at(Vec3::new(0.0, -3.0, 0.0), Vec3::new(0.0, -3.0, -4.0), 0.5);
        let mut frame = RenderScene::default();
        session.world.extract(1.0, camera, &mut frame);
        let with = linear_of(&mut session, &frame);
        let gathered = frame.snow.swarm;
        frame.snow.swarm = 0;
        let without = linear_of(&mut session, &frame);
        assert_clean(&session);
        let specks: Vec<usize> = (0..with.len()).filter(|&i| with[i][1] > 1.2 * without[i][1] + 1e-4).collect();
        (gathered, specks)
    };
    let (gathered, specks) = seen(-40.0, 2.0);
    say(&format!("{gathered} of plankton, {} px of it are seen", specks.len()));
    assert!(gathered > 100 && specks.len() > 30, "{gathered}, {} px", specks.len());
    assert_eq!(seen(-40.0, 2.0).1, specks, "the same time, the same places");
    let later = seen(-40.0, 2.6).1;
    let stayed = specks.iter().filter(|i| later.contains(i)).count();
    assert!(2 * stayed < specks.len(), "{stayed} of {} are where they were", specks.len());
    let (by_day, none) = seen(50.0, 2.0);
    assert_eq!((by_day, none.len()), (0, 0), "by day it is deep down");
}

fn a_lamp_casts_the_shade_of_what_hangs_in_its_beam() {
    const WHITE: &str = "[1.0, 1.0, 1.0]";
    // A boulder half a metre wide halfway between a lamp and the ground four metres below.
    let scene = |shadows: bool, colour: &str| {
        format!(
            "
            waves = {{ wind_m_s = 0.0, swell_height_m = 0.0 }}
            seabed = {{ depth_m = 6.0, relief_m = 0.0, ripple_height_m = 0.0 }}
            sun = {{ elevation_deg = -40.0 }}
            moon = {{ elevation_deg = -30.0 }}
            particles = {{ snow_count = 0, bubble_sources = 0 }}
            [[lights]]
            name = \"lamp\"
            at_m = [0.0, -2.0, 0.0]
            toward_m = [0.0, -6.0, 0.0]
            cone_deg = 80.0
            intensity = 20.0
            colour = {colour}
            shadows = {shadows}
            [[props]]
            name = \"stone\"
            model = \"builtin:boulder\"
            count = 0
            hung = [[0.0, -4.2, 0.0, 0.0, 0.5]]"
        )
    };
    let camera = Camera::look_at(Vec3::new(0.0, -5.0, 3.5), Vec3::NEG_Y * 6.0, 0.9);
    let seen = |quality: &str, shadows: bool, colour: &str| {
        let (_folder, path) = scene_file(&scene(shadows, colour));
        let set = [format!("render.quality={quality}"), "render.effects.shafts=false".into()];
        let mut session = session(&options(&path, SIZE, &[&*set[0], &*set[1]]));
        let pixels = linear(&mut session, camera, View::Final);
        assert_clean(&session);
        pixels
    };
    let clip_from_world = camera.clip_from_view(SIZE.0 as f32 / SIZE.1 as f32) * camera.view_from_world();
    let pixel_of = |ground: Vec3| {
        let at = clip_from_world.project_point3(ground);
        let place = |part: f32, side: u32| (part * side as f32) as usize;
        place(0.5 - 0.5 * at.y, SIZE.1) * SIZE.0 as usize + place(0.5 + 0.5 * at.x, SIZE.0)
    };
    for quality in ["medium", "high"] {
        let (with, without) = (seen(quality, true, WHITE), seen(quality, false, WHITE));
        let left = |x: f32, z: f32| {
            let i = pixel_of(Vec3::new(x, -6.0, z));
            with[i][1] / without[i][1]
        };
        // Twice as far from the lamp the shade is twice as wide as the stone.
        let (middle, inside, outside) =
            (left(0.0, 0.0), left(0.3, 0.1), [left(1.1, 0.3), left(-1.1, 0.3), left(0.2, 1.2)]);
        say(&format!("{quality}: {middle:.3} in the middle, {inside:.3} inside, {outside:.3?} outside"));
        assert!(middle < 0.1 && inside < 0.1, "{quality}: shade keeps {middle} and {inside}");
        assert!(outside.iter().all(|left| (left - 1.0).abs() < 0.05), "{quality}: {outside:?} beside the shade");
    }
    // Of a red lamp, too.
    let lit = |pixels: &[[f32; 3]]| pixels[pixel_of(Vec3::new(1.1, -6.0, 0.3))][0];
    let [with, without] = [true, false].map(|shadows| lit(&seen("high", shadows, "[1.0, 0.0, 0.0]")));
    assert!(without > 0.0 && (with / without - 1.0).abs() < 0.05, "{with} of {without} red light");
    // `low` has no shadows, and goes without these too.
    let (with, without) = (seen("low", true, WHITE), seen("low", false, WHITE));
    assert!(with == without, "low draws no shade");
}

fn a_beam_is_seen_as_strongly_as_the_scene_asks_but_by_who_looks_into_it() {
    // A lamp three metres before the eye, in water over no ground: across the view, or at the eye.
    let glow = |toward: &str, cone_deg: f32, beam: &str| {
        let scene = format!(
            "
            waves = {{ wind_m_s = 0.0, swell_height_m = 0.0 }}
            seabed = {{ present = false }}
            sun = {{ elevation_deg = -40.0 }}
            moon = {{ elevation_deg = -30.0 }}
            particles = {{ snow_count = 0, bubble_sources = 0 }}
            [[lights]]
            name = \"lamp\"
            at_m = [-1.0, -20.0, -3.0]
            toward_m = {toward}
            cone_deg = {cone_deg:.1}
            intensity = 20.0
            {beam}"
        );
        let (_folder, path) = scene_file(&scene);
        let mut session = session(&options(&path, SIZE, &["render.quality=high", "render.effects.bloom=false"]));
        let camera = Camera::look_at(Vec3::new(0.0, -20.0, 0.0), Vec3::new(0.0, -20.0, -3.0), 0.9);
        let pixels = linear(&mut session, camera, View::Final);
        assert_clean(&session);
        pixels.iter().map(|pixel| f64::from(pixel[1])).sum::<f64>()
    };
    const ACROSS: &str = "[4.0, -20.0, -3.0]";
    let [none, usual, strong] = ["beam = 0.0", "", "beam = 4.0"].map(|beam| glow(ACROSS, 30.0, beam));
    say(&format!("across the view: {none:.3}, {usual:.3}, {strong:.3}"));
    assert!(usual > 1.2 * none, "the usual beam is seen: {usual} over {none}");
    let gain = (strong - none) / (usual - none);
    assert!((gain - 4.0).abs() < 0.1, "four times the beam: {gain}");
    let [none, strong] = ["beam = 0.0", "beam = 20.0"].map(|beam| glow("[0.0, -20.0, 0.0]", 20.0, beam));
    say(&format!("at the eye: {none:.3}, {strong:.3}"));
    assert!(strong < 1.5 * none, "who looks into a lamp is dazzled as usual: {strong} over {none}");
    let [none, usual, strong] = ["beam = 0.0", "", "beam = 4.0"].map(|beam| glow(ACROSS, 360.0, beam));
    say(&format!("a halo: {none:.3}, {usual:.3}, {strong:.3}"));
    let gain = (strong - none) / (usual - none);
    assert!((gain - 4.0).abs() < 0.1, "four times the halo: {gain}");
}

/// Linear values of a frame, RGB.
fn linear_of(session: &mut Session, frame: &RenderScene) -> Vec<[f32; 3]> {
    match session.renderer.capture(frame, View::Final, true).expect("drawn") {
        Capture::Linear { rgb, .. } => rgb.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect(),
        Capture::Display { .. } => unreachable!("linear values were asked for"),
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    a_beam_is_seen_as_strongly_as_the_scene_asks_but_by_who_looks_into_it;
    a_lamp_casts_the_shade_of_what_hangs_in_its_beam;
    a_sharks_eye_shines_back_only_along_the_beam;
    plankton_gathers_in_a_torchs_beam_by_night_and_darts;
};
