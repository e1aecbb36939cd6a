//! Optics measured in pictures: the scene `calibration` through linear values, against the numbers of `ocean`.

use glam::Vec3;
use pelagic::ocean::{self, Daylight, Medium, MoonSettings, SkySettings, SunSettings, WaterSettings, WaterType};
use pelagic::render::View;
use pelagic::runtime::offscreen::Session;
use pelagic::view::Camera;

use crate::support::{assert_clean, linear, options, session};

const SIZE: (u32, u32) = (640, 360);

/// Places of the cards: share of the width, metres from the eye.
const CARDS: [(f32, f32); 4] = [(0.125, 2.0), (0.375, 4.0), (0.625, 8.0), (0.875, 16.0)];

/// The first view's values, from the calibration scene with `set` on top.
fn measured(view: View, camera: &str, set: &[&str]) -> Vec<[f32; 3]> {
    let mut session = calibration(set);
    let camera = session.camera(Some(camera)).expect("the scene has that view");
    let pixels = linear(&mut session, camera, view);
    assert_clean(&session);
    pixels
}

fn calibration(set: &[&str]) -> Session {
    session(&options("calibration", SIZE, set))
}

fn at(pixels: &[[f32; 3]], across: f32) -> Vec3 {
    let (width, height) = SIZE;
    Vec3::from(pixels[(height / 2 * width) as usize + (across * width as f32) as usize])
}

fn medium(kind: WaterType) -> Medium {
    ocean::medium(&WaterSettings { kind, ..WaterSettings::default() })
}

/// Share of the calibration scene's daylight that is left at a depth (m) of that at a lesser one.
fn falls(from_m: f32, to_m: f32) -> Vec3 {
    let sun = SunSettings { elevation_deg: 60.0, disc: false, ..Default::default() };
    let sky = SkySettings { cloud_cover: 0.0, uniform_radiance: 1.0, ..Default::default() };
    let light = ocean::light(&sun, &MoonSettings::default(), &sky);
    let daylight = Daylight::new(&medium(WaterType::IB), &light);
    daylight.irradiance(to_m) / daylight.irradiance(from_m)
}

/// Holds the cards of the calibration scene in a water against what it leaves of them, within a share `off`.
fn cards_are_left(set: &[&str], water: &Medium, off: f32) {
    let pixels = measured(View::Final, "cards", &[set, &["water.inscatter=0"]].concat());
    for (across, distance_m) in CARDS {
        let expected = water.transmittance(distance_m);
        let seen = at(&pixels, across);
        for channel in 0..3 {
            // Half floats hold 3 digits down to here.
            if expected[channel] > 1e-3 {
                let ratio = seen[channel] / expected[channel];
                assert!((ratio - 1.0).abs() < off, "{set:?}, {distance_m} m, channel {channel}: {ratio}");
            }
        }
    }
}

fn a_card_of_radiance_one_keeps_what_beer_and_lambert_leave_at_one_wavelength() {
    let settings = WaterSettings { kind: WaterType::Own, ..WaterSettings::default() };
    cards_are_left(&["water.type=own"], &ocean::medium(&settings), 0.002);
}

fn a_card_of_radiance_one_keeps_what_its_spectrum_keeps() {
    for kind in [WaterType::I, WaterType::IB, WaterType::III, WaterType::Coastal3, WaterType::Coastal7] {
        cards_are_left(&[&format!("water.type={kind}")], &medium(kind), 0.1);
    }
}

fn distances_and_transmittances_can_be_read_off() {
    let own = ["water.type=own"];
    let water = ocean::medium(&WaterSettings { kind: WaterType::Own, ..WaterSettings::default() });
    let depth = measured(View::Depth, "cards", &own);
    let transmittance = measured(View::Transmittance, "cards", &own);
    for (across, distance_m) in CARDS {
        let seen_m = at(&depth, across).x;
        assert!((seen_m / distance_m - 1.0).abs() < 2e-3, "{seen_m} m instead of {distance_m} m");
        let expected = water.transmittance(distance_m);
        let ratio = at(&transmittance, across) / expected;
        assert!((ratio - Vec3::ONE).abs().max_element() < 5e-3, "{distance_m} m: {ratio}");
    }
}

fn in_scattered_light_is_what_the_water_adds_to_a_card() {
    let whole = measured(View::Final, "cards", &["render.effects.shafts=false"]);
    let without = measured(View::Final, "cards", &["water.inscatter=0", "render.effects.shafts=false"]);
    let added = measured(View::Inscatter, "cards", &[]);
    for (across, distance_m) in CARDS {
        let difference = at(&whole, across) - at(&without, across) - at(&added, across);
        assert!(difference.abs().max_element() < 2e-3, "{distance_m} m: {difference}");
        assert!(at(&added, across).min_element() > 0.0);
    }
}

/// Light that white sand sends up at a depth, seen from one metre above through water that only attenuates.
fn sand_at(depth_m: f32) -> Vec3 {
    let depth = format!("seabed.depth_m={depth_m}");
    let set = [
        depth.as_str(),
        "seabed.present=true",
        "seabed.relief_m=0",
        "seabed.ripple_height_m=0",
        "seabed.rubble=0",
        "water.inscatter=0",
        "render.effects.caustics=false",
        "render.effects.surface=false",
    ];
    let mut session = calibration(&set);
    let eye = Vec3::new(0.0, 1.0 - depth_m, 0.0);
    let pixels = linear(&mut session, Camera::look_at(eye, eye - Vec3::Y, 1.0), View::Final);
    let sum = pixels.iter().fold(Vec3::ZERO, |sum, p| sum + Vec3::from(*p));
    sum / pixels.len() as f32
}

fn ambient_light_falls_as_kd_says() {
    let (shallow, deep) = (sand_at(5.0), sand_at(12.0));
    let expected = falls(5.0, 12.0);
    let ratio = deep / shallow / expected;
    // Lumps of a few centimetres are part of the ground: they differ from place to place, not with depth.
    assert!((ratio - Vec3::ONE).abs().max_element() < 0.08, "sand: {ratio}");
}

fn the_window_of_a_calm_sea_spans_97_degrees() {
    let pixels = measured(View::Final, "up", &["render.effects.shafts=false"]);
    let (width, height) = (SIZE.0 as usize, SIZE.1 as usize);
    let row = &pixels[height / 2 * width..(height / 2 + 1) * width];
    let steps: Vec<f32> = row.windows(2).map(|p| (p[1][2] - p[0][2]).abs()).collect();
    let steepest = |range: std::ops::Range<usize>| range.max_by(|&a, &b| steps[a].total_cmp(&steps[b])).expect("a row");
    let angle = |pixel: usize| {
        let from_middle = (pixel as f32 + 1.0 - width as f32 / 2.0) / (height as f32 / 2.0);
        (from_middle * 60.0f32.to_radians().tan()).atan().to_degrees()
    };
    let span = angle(steepest(width / 2..width - 1)) - angle(steepest(0..width / 2));
    assert!((span - 96.5).abs() < 1.0, "{span} degrees");
}

fn a_lamp_falls_with_the_square_of_the_distance_and_with_the_water() {
    let lit_from = |height_m: f32| {
        let at = format!("lights.lamp.at_m=[0, {}, 0]", height_m - 60.0);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("lamp.toml");
        let text = "extends = \"calibration\"\n[[lights]]\nname = \"lamp\"\nintensity = 10.0\n\
            [seabed]\npresent = true\nrelief_m = 0.0\nripple_height_m = 0.0\nrubble = 0.0\ndepth_m = 60.0\n\
            [sun]\nbrightness = 0.0\n[sky]\nuniform_radiance = 0.0\nbrightness = 0.0\n";
        std::fs::write(&file, text).expect("written");
        let mut session = session(&options(
            file.to_str().expect("a UTF-8 path"),
            SIZE,
            &[&at, "water.inscatter=0", "render.effects.caustics=false", "render.effects.surface=false"],
        ));
        // A narrow view straight down beside the lamp's foot.
        let eye = Vec3::new(0.0, -59.0, 0.0);
        let pixels = linear(&mut session, Camera::look_at(eye, eye - Vec3::Y, 0.2), View::Final);
        let sum = pixels.iter().fold(Vec3::ZERO, |sum, p| sum + Vec3::from(*p));
        sum / pixels.len() as f32
    };
    let (near, far) = (lit_from(2.0), lit_from(4.0));
    let water = medium(WaterType::IB);
    // Down from the lamp and a metre up to the eye.
    let expected = water.transmittance(5.0) / water.transmittance(3.0) / 4.0;
    let ratio = far / near / expected;
    assert!((ratio - Vec3::ONE).abs().max_element() < 0.05, "{ratio}");
}

/// Rows of red of the calibration scene from `eye_y`, looking along `target`: water that sends nothing back.
fn rows_from(eye_y: f32, target: Vec3) -> Vec<Vec<f32>> {
    let mut session = calibration(&["water.inscatter=0", "render.effects.shafts=false"]);
    let eye = Vec3::new(0.0, eye_y, 0.0);
    let pixels = linear(&mut session, Camera::look_at(eye, eye + target, 1.0), View::Final);
    assert_clean(&session);
    pixels.chunks_exact(SIZE.0 as usize).map(|row| row.iter().map(|p| p[0]).collect()).collect()
}

fn from_above_a_calm_sea_mirrors_the_sky_as_fresnel_says() {
    let sky = rows_from(1.0, Vec3::new(0.0, 9.0, -10.0));
    assert!(sky.iter().flatten().all(|v| (v - 1.0).abs() < 1e-3), "nothing but sky over the horizon");
    for steep in [90.0f32, 60.0, 35.0, 20.0] {
        let (sin, cos) = steep.to_radians().sin_cos();
        let rows = rows_from(1.0, Vec3::new(0.0, -sin, -cos));
        let seen = rows[SIZE.1 as usize / 2][SIZE.0 as usize / 2];
        let expected = ocean::fresnel(sin, ocean::REFRACTIVE_INDEX);
        assert!((seen / expected - 1.0).abs() < 0.02, "{steep} degrees down: {seen} for {expected}");
    }
}

fn the_waterline_crosses_the_picture_where_the_surface_does() {
    let height = SIZE.1 as f32;
    for eye_y in [-0.025, -0.01, -0.002, 0.002, 0.01, 0.025f32] {
        // Away from the cards.
        let rows = rows_from(eye_y, Vec3::Z);
        // Place of the surface on the near plane, 5 cm ahead, in rows from the top.
        let line = height / 2.0 + eye_y / (0.05 * 0.5f32.tan()) * height / 2.0;
        for (n, row) in rows.iter().enumerate() {
            let (middle, case) = (n as f32 + 0.5, format!("eye at {eye_y} m, row {n}, the line at {line}"));
            let (dry, over_horizon) = (middle < line, middle < height / 2.0);
            if (middle - line).abs() < 2.0 || (middle - height / 2.0).abs() < 3.0 {
                continue;
            }
            let (least, most) = row.iter().fold((f32::MAX, f32::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
            match (dry, over_horizon) {
                (true, true) => assert!((least - 1.0).abs() < 1e-3 && (most - 1.0).abs() < 1e-3, "{case}: not sky"),
                (true, false) => assert!(least > 0.02, "{case}: the surface mirrors no sky"),
                // Total reflection of black water, or black water itself.
                (false, _) => assert!(most < 1e-3, "{case}: light under water: {most}"),
            }
        }
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    a_card_of_radiance_one_keeps_what_beer_and_lambert_leave_at_one_wavelength;
    a_card_of_radiance_one_keeps_what_its_spectrum_keeps;
    distances_and_transmittances_can_be_read_off;
    in_scattered_light_is_what_the_water_adds_to_a_card;
    ambient_light_falls_as_kd_says;
    the_window_of_a_calm_sea_spans_97_degrees;
    a_lamp_falls_with_the_square_of_the_distance_and_with_the_water;
    from_above_a_calm_sea_mirrors_the_sky_as_fresnel_says;
    the_waterline_crosses_the_picture_where_the_surface_does;
};
