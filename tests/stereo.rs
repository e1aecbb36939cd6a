//! Pictures for two eyes: what must be true of any pair.

use pelagic::app::offscreen::Session;
use pelagic::render::{Stereo, View};
use pelagic::scene::Camera;
use support::{assert_clean, linear, options, picture_from, session};

mod support;

const PAIR: (u32, u32) = (128, 36);

/// Half `number` (0 left, 1 right) of a picture of that width.
fn half<T: Copy>(picture: &[T], width: usize, number: usize) -> Vec<T> {
    picture.chunks_exact(width).flat_map(|row| &row[number * width / 2..][..width / 2]).copied().collect()
}

fn pixels(rgba: &[u8]) -> Vec<[u8; 3]> {
    rgba.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect()
}

fn furthest(a: &[[u8; 3]], b: &[[u8; 3]]) -> u8 {
    a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or_default()
}

#[test]
fn eyes_in_one_place_see_the_same_which_is_what_one_eye_sees() {
    let scene = |size, quality| options("night_reef", size, &["camera.stereo.interocular_m=0", quality]);
    for quality in ["render.quality=low", "render.quality=high"] {
        let Some(mut one) = session(&scene((64, 36), quality)) else { return };
        let camera = one.camera(None).expect("a first view");
        let mono = linear(&mut one, camera, View::Final);
        let shown = pixels(&picture_from(&mut one, camera));
        drop(one);
        let Some(mut two) = session(&scene(PAIR, quality)) else { return };
        two.set_stereo(Stereo::SideBySide).expect("set");
        let pair = linear(&mut two, camera, View::Final);
        assert_eq!(half(&pair, 128, 0), half(&pair, 128, 1), "{quality}");
        assert!(half(&pair, 128, 0) == mono, "{quality}: another picture than one eye's");
        let pair = pixels(&picture_from(&mut two, camera));
        // Each pixel of the screen has its own dither.
        assert!(furthest(&half(&pair, 128, 1), &shown) <= 1, "{quality}");
        two.renderer.resize((64, 72)).expect("resized");
        two.set_stereo(Stereo::TopBottom).expect("set");
        let pair = linear(&mut two, camera, View::Final);
        assert!(pair[..64 * 36] == mono && pair[64 * 36..] == mono, "{quality}");
        two.renderer.resize((64, 36)).expect("resized");
        two.set_stereo(Stereo::Anaglyph).expect("set");
        let both = linear(&mut two, camera, View::Final);
        let off = both.as_flattened().iter().zip(mono.as_flattened()).map(|(a, b)| (a - b).abs() - 1e-3 * b);
        assert!(off.fold(0.0, f32::max) < 1e-4, "{quality}: red from one and cyan from the other are all colours");
        two.set_stereo(Stereo::Off).expect("set");
        assert!(linear(&mut two, camera, View::Final) == mono, "{quality}: back to one eye");
        assert_clean(&two);
    }
}

/// Middle of what is brightest on a row, in pixels, within `within` of `about`.
fn card_at(row: &[[f32; 3]], about: f32, within: f32) -> f32 {
    let steps = row.windows(2).enumerate().filter(|(x, _)| (*x as f32 + 1.0 - about).abs() < within);
    let (sum, weights) = steps.fold((0.0, 0.0), |(sum, weights), (x, pair)| {
        let step = (pair[0][1] - pair[1][1]).powi(2);
        (sum + step * (x as f32 + 1.0), weights + step)
    });
    sum / weights
}

#[test]
fn things_are_shifted_by_their_distance_and_not_at_all_at_the_convergence() {
    const WIDTH: usize = 640;
    const EYES_M: f32 = 0.2;
    let aspect = 0.5 * WIDTH as f32 / 180.0;
    let cards = |camera: &Camera| {
        let half_width = aspect * (0.5 * camera.fov_y).tan();
        // Four cards of 2 to 16 m, each in the middle of a quarter of the picture's width; z is along the view.
        [(2.0, -0.75f32), (4.0, -0.25), (8.0, 0.25), (16.0, 0.75)]
            .map(|(distance_m, aside)| (distance_m / (1.0 + (aside * half_width).powi(2)).sqrt(), aside))
    };
    let scene = |convergence_m: f32| {
        let set =
            [format!("camera.stereo.interocular_m={EYES_M}"), format!("camera.stereo.convergence_m={convergence_m}")];
        options("calibration", (WIDTH as u32, 180), &[&set[0], &set[1]])
    };
    let view = |session: &Session| session.camera(Some("cards")).expect("the cards");
    let Some(first) = session(&scene(4.0)) else { return };
    let (z, _) = cards(&view(&first))[1];
    drop(first);
    let Some(mut session) = session(&scene(z)) else { return };
    session.set_stereo(Stereo::SideBySide).expect("set");
    let camera = view(&session);
    let pair = linear(&mut session, camera, View::Final);
    let row = |number| half(&pair, WIDTH, number)[90 * WIDTH / 2..91 * WIDTH / 2].to_vec();
    let half_px = 0.25 * WIDTH as f32;
    for (i, (z_m, aside)) in cards(&camera).into_iter().enumerate() {
        // Focal length in pixels times e (1/z - 1/c).
        let focal_px = half_px / (aspect * (0.5 * camera.fov_y).tan());
        let expected = focal_px * EYES_M * (1.0 / z_m - 1.0 / z);
        let about = half_px * (1.0 + aside);
        let at = [0.5, -0.5].map(|side| about + side * expected);
        let found = card_at(&row(0), at[0], 38.0) - card_at(&row(1), at[1], 38.0);
        assert!((found - expected).abs() < 0.35, "card {i} at {z_m} m: {found} px, not {expected}");
        assert!(i != 1 || found.abs() < 0.2, "at the convergence: {found} px");
    }
    assert_clean(&session);
}
