//! Pictures all round: what must be true of any, as they are drawn.

use glam::Quat;
use pelagic::film::panorama::{Panorama, Projection};
use pelagic::render::{Capture, Stereo};
use pelagic::runtime::offscreen::Session;
use pelagic::view::Camera;

use crate::support::{assert_clean, options, session};

/// Settings without effects that move with the camera or by chance.
const STILL: [&str; 3] =
    ["particles={snow_count=0,bubble_sources=0}", "render.quality=medium", "camera.stereo.interocular_m=0.5"];

fn linear(session: &mut Session, panorama: Panorama, camera: Camera) -> Vec<f32> {
    match panorama.capture(session, camera, true, &mut |_| ()).expect("drawn") {
        Capture::Linear { width, height, rgb } => {
            assert_eq!((width, height), panorama.size);
            rgb
        }
        Capture::Display { .. } => unreachable!("radiance was asked for"),
    }
}

/// Mean difference of two lists of values over the mean of the first.
fn apart(a: &[f32], b: &[f32]) -> f32 {
    let off: f32 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
    off / a.iter().sum::<f32>()
}

/// Column `x` of a picture that wide.
fn column(rgb: &[f32], width: usize, x: usize) -> Vec<f32> {
    rgb.chunks_exact(3 * width).flat_map(|row| &row[3 * x..][..3]).copied().collect()
}

fn who_turns_sees_the_same_rolled_round() {
    for (stereo, size) in [(Stereo::Off, (256, 128)), (Stereo::TopBottom, (192, 192))] {
        let mut session = session(&options("reef", (64, 64), &STILL));
        let panorama = Panorama::new(Some(size), stereo).expect("a sphere");
        let ahead = session.camera(None).expect("a first view");
        // An eighth of a turn to the right, and a nod, which levels out.
        let turn = Quat::from_rotation_y(-std::f32::consts::FRAC_PI_4);
        let turned = Camera { orientation: turn * ahead.orientation * Quat::from_rotation_x(0.2), ..ahead };
        let first = linear(&mut session, panorama, ahead);
        let second = linear(&mut session, panorama, turned);
        let width = size.0 as usize;
        let rolled: Vec<f32> = first
            .chunks_exact(3 * width)
            .flat_map(|row| row[3 * width / 8..].iter().chain(&row[..3 * width / 8]).copied())
            .collect();
        let off = apart(&second, &rolled);
        assert!(off < 0.01, "{stereo}: {off}");
        assert!(apart(&second, &first) > 0.03, "{stereo}: nothing turned");
        assert_clean(&session);
    }
}

fn neither_the_back_nor_the_poles_nor_the_seams_show() {
    let mut session = session(&options("reef", (64, 64), &STILL));
    let panorama = Panorama::new(Some((512, 256)), Stereo::Off).expect("a sphere");
    let camera = session.camera(None).expect("a first view");
    let rgb = linear(&mut session, panorama, camera);
    // Steps from one column to the next: those across the back and the tiles' edges are among the others.
    // Each pixel counts alike, whatever the sun adds to a few.
    let step = |x: usize| {
        let (here, next) = (column(&rgb, 512, x), column(&rgb, 512, (x + 1) % 512));
        let off = here.iter().zip(&next).map(|(a, b)| (a - b).abs() / (a + b).max(1e-3));
        off.sum::<f32>() / here.len() as f32
    };
    let mut steps: Vec<f32> = (0..512).map(step).collect();
    let at_edges: Vec<f32> = (1..=8).map(|tile| steps[64 * tile - 1]).collect();
    steps.sort_by(f32::total_cmp);
    let usual = steps[512 * 98 / 100];
    assert!(at_edges.iter().all(|&step| step <= 1.3 * usual), "{at_edges:?}, and 98 % are up to {usual}");
    for row in [0, 255] {
        let texels: Vec<&[f32]> = rgb[3 * 512 * row..][..3 * 512].chunks_exact(3).collect();
        let green = |pick: fn(f32, f32) -> f32| texels.iter().map(|texel| texel[1]).reduce(pick).expect("a row");
        // A pixel's height from the pole: not one place, but near it.
        assert!(
            green(f32::max) < 3.0 * green(f32::min).max(1e-3),
            "row {row}: {} {}",
            green(f32::min),
            green(f32::max)
        );
    }
    assert_clean(&session);
}

fn eyes_see_near_things_apart_and_in_one_place_the_same() {
    let size = (192, 192);
    let panorama = Panorama::new(Some(size), Stereo::TopBottom).expect("two spheres");
    let pair = |interocular: &str| {
        let mut session = session(&options("reef", (64, 64), &[STILL[0], STILL[1], interocular]));
        let camera = session.camera(None).expect("a first view");
        let rgb = linear(&mut session, panorama, camera);
        let (left, right) = rgb.split_at(rgb.len() / 2);
        apart(left, right)
    };
    let same = pair("camera.stereo.interocular_m=0");
    assert!(same < 1e-5, "{same}");
    let apart = pair("camera.stereo.interocular_m=0.5");
    assert!(apart > 0.01, "{apart}");
}

fn the_half_ahead_is_half_of_all_round_and_each_eye_stays_in_its_place() {
    let set = [&STILL[..2], &["camera.stereo.interocular_m=0"]].concat();
    let mut session = session(&options("reef", (64, 64), &set));
    let camera = session.camera(None).expect("a first view");
    let all_round = linear(&mut session, Panorama::new(Some((256, 128)), Stereo::Off).expect("a sphere"), camera);
    let half = Panorama::of(Projection::Vr180, Some((256, 128)), Stereo::Off).expect("valid").expect("a panorama");
    let pair = linear(&mut session, half, camera);
    let row = 3 * 256;
    for (whole, pair) in all_round.chunks_exact(row).zip(pair.chunks_exact(row)) {
        let ahead = &whole[row / 4..row / 4 + row / 2];
        assert!(pair[..row / 2] == *ahead && pair[row / 2..] == *ahead, "both eyes in one place see the half ahead");
    }
    session.config.scene.camera.stereo.interocular_m = 0.5;
    let pair = linear(&mut session, half, camera);
    let of_eye =
        |eye: usize| pair.chunks_exact(row).flat_map(|row| &row[eye * 384..][..384]).copied().collect::<Vec<_>>();
    let off = apart(&of_eye(0), &of_eye(1));
    assert!(off > 0.01, "{off}");
    assert_clean(&session);
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    who_turns_sees_the_same_rolled_round;
    neither_the_back_nor_the_poles_nor_the_seams_show;
    eyes_see_near_things_apart_and_in_one_place_the_same;
    the_half_ahead_is_half_of_all_round_and_each_eye_stays_in_its_place;
};
