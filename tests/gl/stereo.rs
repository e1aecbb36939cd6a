//! Pictures for two eyes: what must be true of any pair.

use pelagic::gl::{Filter, Format, RenderTarget, TargetFormat, Wrap};
use pelagic::render::{Capture, Stereo, View};
use pelagic::runtime::offscreen::Session;
use pelagic::view::{Camera, PicturePart};

use crate::support::{assert_clean, changed, linear, options, picture_from, session};

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

/// A picture's radiance, the picture as it is shown, and what drew it.
type Drawn = (Vec<[f32; 3]>, Vec<[u8; 3]>, Session);

/// The linear picture and that on the screen of a scene whose eyes are in one place, and the session that drew it.
fn drawn(stereo: Stereo, size: (u32, u32), quality: &str) -> Drawn {
    let mut session = session(&options("night_reef", size, &["camera.stereo.interocular_m=0", quality]));
    session.set_stereo(stereo).expect("set");
    let camera = session.camera(None).expect("a first view");
    let values = linear(&mut session, camera, View::Final);
    let shown = pixels(&picture_from(&mut session, camera));
    assert_clean(&session);
    (values, shown, session)
}

fn eyes_in_one_place_see_the_same_which_is_what_one_eye_sees() {
    for quality in ["render.quality=low", "render.quality=high"] {
        let (mono, shown, one) = drawn(Stereo::Off, (64, 36), quality);
        drop(one);
        let (pair, shown_pair, two) = drawn(Stereo::SideBySide, PAIR, quality);
        drop(two);
        assert_eq!(half(&pair, 128, 0), half(&pair, 128, 1), "{quality}");
        assert!(half(&pair, 128, 0) == mono, "{quality}: another picture than one eye's");
        // Each pixel of the screen has its own dither.
        let off = [0, 1].map(|number| furthest(&half(&shown_pair, 128, number), &shown));
        assert!(off.iter().all(|&off| off <= 1), "{quality}: {off:?}");
    }
}

fn a_pair_one_above_the_other_and_one_in_the_other_are_the_same_picture() {
    let quality = "render.quality=low";
    let (mono, shown, one) = drawn(Stereo::Off, (64, 36), quality);
    drop(one);
    let (_, pair, two) = drawn(Stereo::TopBottom, (64, 72), quality);
    drop(two);
    let off = [furthest(&pair[..64 * 36], &shown), furthest(&pair[64 * 36..], &shown)];
    assert!(off[0] <= 1 && off[1] <= 1, "{off:?}");
    let (both, _, _two) = drawn(Stereo::Anaglyph, (64, 36), quality);
    // Rows of the matrices add up to grey: a grey pixel stays, and no pixel gets brighter than the pair's.
    let grey = |p: &[f32; 3]| p[0].max(p[1]).max(p[2]) - p[0].min(p[1]).min(p[2]) < 1e-4 * p[1];
    let differ = both.iter().zip(&mono).filter(|(_, mono)| grey(mono)).any(|(a, b)| (a[1] - b[1]).abs() > 1e-3 * b[1]);
    assert!(!differ && both.iter().flatten().all(|value| value.is_finite() && *value >= 0.0));
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
    let first = session(&scene(4.0));
    let (z, _) = cards(&view(&first))[1];
    drop(first);
    let mut session = session(&scene(z));
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

fn a_headset_with_the_eyes_of_a_pair_sees_that_pair() {
    let set = ["camera.stereo.interocular_m=0.064", "render.quality=high"];
    let mut session = session(&options("reef", PAIR, &set));
    session.set_stereo(Stereo::SideBySide).expect("set");
    let camera = session.camera(None).expect("a first view");
    let pair = linear(&mut session, camera, View::Final);
    let eyes = Stereo::SideBySide.eyes(camera, session.frame.eyes);
    // Pixels of a headset need not be square; these are.
    session.frame.headset.eyes.extend(eyes.map(|eye| {
        let (up, right) = ((0.5 * eye.fov_y).tan(), (0.5 * eye.fov_y).tan() * 64.0 / 36.0);
        let (x, y) = (eye.off_axis.x, eye.off_axis.y);
        eye.through_lens([-x - right, right - x], [-y - up, up - y])
    }));
    let capture = |session: &mut Session| match session.renderer.capture(&session.frame, View::Final, true) {
        Ok(Capture::Linear { rgb, .. }) => rgb,
        _ => panic!("no picture"),
    };
    let rgb = capture(&mut session);
    let off = |(a, b): (&f32, &f32)| (a - b).abs() / (a.abs() + 0.01);
    let off: Vec<f32> = pair.as_flattened().iter().zip(&rgb).map(off).collect();
    // By a rounding of the lens a texel of something that fades between two levels of detail may be of the other.
    let other = off.iter().filter(|&&off| off > 0.02).count();
    assert!(half(&pair, 128, 0) != half(&pair, 128, 1) && other <= 12, "{other} of {}", off.len());
    // Where the runtime wants them: the left eye's picture on the right.
    let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Nearest, Wrap::Clamp)], depth: None };
    let target = RenderTarget::new(&session.context.gl(), "shown", PAIR, &format).expect("a target");
    let mut shown = |parts: &[PicturePart]| {
        session.frame.headset.parts = parts.to_vec();
        session.renderer.draw(&session.frame, Some(&target));
        target.read_u8(0)
    };
    let at = |left: u32| PicturePart { corner: (left, 0), extent: (64, 36) };
    let (here, elsewhere) = (shown(&[]), shown(&[at(64), at(0)]));
    for eye in [0, 1] {
        assert!(changed(&half(&elsewhere, 4 * 128, 1 - eye), &half(&here, 4 * 128, eye), 2) < 0.01, "eye {eye}");
    }
    assert_clean(&session);
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    eyes_in_one_place_see_the_same_which_is_what_one_eye_sees;
    a_pair_one_above_the_other_and_one_in_the_other_are_the_same_picture;
    things_are_shifted_by_their_distance_and_not_at_all_at_the_convergence;
    a_headset_with_the_eyes_of_a_pair_sees_that_pair;
};
