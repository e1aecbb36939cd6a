//! The sea surface, measured from pictures: the sky, the key light and the distance through it, and its foam.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};
use pelagic::ocean::{self, Medium, REFRACTIVE_INDEX, SUN_DIAMETER, Sample, WaterSettings, WaterType};
use pelagic::render::{Capture, View, WaterColours};
use pelagic::runtime::offscreen::Session;
use pelagic::scene::empty_sea;
use pelagic::view::Camera;

use crate::support::{EMPTY, assert_clean, linear, options, picture_from, scene_file, session};

const SIZE: (u32, u32) = (640, 360);

/// The sun at the zenith in a black sky over a calm sea; its light is scattered by nothing.
const SUN_ALONE: [&str; 6] = [
    "sun.elevation_deg=90",
    "sun.disc=true",
    "sky.uniform_radiance=0",
    "sky.brightness=0",
    "water.inscatter=0",
    "render.effects.shafts=false",
];

fn calibration(set: &[&str]) -> Session {
    session(&options("calibration", SIZE, set))
}

fn medium(kind: WaterType) -> Medium {
    ocean::medium(&WaterSettings { kind, ..WaterSettings::default() })
}

/// A camera at a height that looks up.
fn upward(eye_y: f32, fov_deg: f32) -> Camera {
    let eye = Vec3::new(0.0, eye_y, 0.0);
    Camera::look_at(eye, eye + Vec3::Y, fov_deg.to_radians())
}

/// Each pixel's offset from straight ahead, as a tangent each way, and the solid angle that it spans (sr).
fn rays(fov_deg: f32) -> impl Iterator<Item = (f32, f32, f32)> {
    let (width, height) = SIZE;
    let step = 2.0 * (0.5 * fov_deg.to_radians()).tan() / height as f32;
    (0..width * height).map(move |i| {
        let x = (i % width) as f32 + 0.5 - 0.5 * width as f32;
        let y = (i / width) as f32 + 0.5 - 0.5 * height as f32;
        let (x, y) = (step * x, step * y);
        (x, y, step * step / (1.0 + x * x + y * y).powf(1.5))
    })
}

/// Radiance from straight overhead just below a calm sea over that above it.
fn through_calm_sea() -> f32 {
    (1.0 - ocean::fresnel(1.0, REFRACTIVE_INDEX)) * REFRACTIVE_INDEX.powi(2)
}

fn under_a_calm_sea_the_sun_is_a_disc() {
    for quality in ["low", "high"] {
        let mut session = calibration(&[&SUN_ALONE[..], &[&format!("render.quality={quality}")]].concat());
        let fov_deg = 6.0;
        let pixels = linear(&mut session, upward(-1.0, fov_deg), View::Final);
        assert_clean(&session);
        let beam = session.frame.light.key_light_irradiance_air;
        let left = through_calm_sea() * medium(WaterType::IB).transmittance(1.0);
        let radius = 0.5 * SUN_DIAMETER;
        let peak = pixels.iter().map(|p| p[1]).fold(0.0, f32::max);
        let expected = beam.y * left.y * ocean::DISC_SHARE / (PI * radius * radius);
        assert!((peak / expected - 1.0).abs() < 0.03, "{quality}: radiance {peak}, expected {expected}");
        let bright: f32 = pixels.iter().zip(rays(fov_deg)).filter(|(p, _)| p[1] > 0.5 * peak).map(|(_, r)| r.2).sum();
        let (width, expected) = (2.0 * (bright / PI).sqrt(), SUN_DIAMETER / REFRACTIVE_INDEX);
        let pixel = fov_deg.to_radians() / SIZE.1 as f32;
        assert!((width - expected).abs() < pixel, "{quality}: {width} rad wide, expected {expected}");
        // The aureole adds little so near: its radiance is a ten-thousandth of the disc's.
        let near = pixels.iter().zip(rays(fov_deg)).filter(|(_, (x, y, _))| x.hypot(*y) < 2.0 * radius);
        let flux: Vec3 = near.map(|(p, (_, _, angle))| Vec3::from(*p) * angle).sum();
        let ratio = flux / (beam * left * ocean::DISC_SHARE / REFRACTIVE_INDEX.powi(2));
        assert!((ratio - Vec3::ONE).abs().max_element() < 0.02, "{quality}: flux {ratio} of the disc's");
    }
}

fn disc_and_aureole_carry_the_beam() {
    let mut session = calibration(&SUN_ALONE);
    let fov_deg = 80.0;
    let pixels = linear(&mut session, upward(5.0, fov_deg), View::Final);
    let flux: Vec3 = pixels.iter().zip(rays(fov_deg)).map(|(p, (_, _, angle))| Vec3::from(*p) * angle).sum();
    let ratio = flux / session.frame.light.key_light_irradiance_air;
    assert!((ratio - Vec3::ONE).abs().max_element() < 0.02, "{ratio} of the beam");
}

fn through_murk_the_sky_keeps_what_beer_and_lambert_leave() {
    for kind in [WaterType::Coastal1, WaterType::Coastal3, WaterType::Coastal5] {
        let mut session = calibration(&[&format!("water.type={kind}"), "water.inscatter=0"]);
        for left in [0.3, 0.1, 0.03, 0.006f32] {
            let depth_m = -left.ln() / medium(kind).mean(Sample::attenuation).y;
            let mut middle = |view| {
                let pixels = linear(&mut session, upward(-depth_m, 10.0), view);
                Vec3::from(pixels[pixels.len() / 2 + SIZE.0 as usize / 2])
            };
            let left = middle(View::Transmittance);
            assert!((left.y / medium(kind).transmittance(depth_m).y - 1.0).abs() < 0.1, "{kind}, {depth_m} m: {left}");
            let ratio = middle(View::Final) / (through_calm_sea() * left);
            assert!((ratio - Vec3::ONE).abs().max_element() < 0.02, "{kind}, {left} of the light: {ratio} of it");
        }
    }
}

fn from_below_distances_end_at_the_surface() {
    let kind = WaterType::Coastal5;
    let mut session = calibration(&[&format!("water.type={kind}")]);
    let (eye_y, fov_deg) = (-5.0, 120.0);
    let depth = linear(&mut session, upward(eye_y, fov_deg), View::Depth);
    let transmittance = linear(&mut session, upward(eye_y, fov_deg), View::Transmittance);
    let inscatter = linear(&mut session, upward(eye_y, fov_deg), View::Inscatter);
    for (i, (x, y, _)) in rays(fov_deg).enumerate() {
        let distance_m = -eye_y * (1.0 + x * x + y * y).sqrt();
        let seen_m = depth[i][0];
        assert!((seen_m / distance_m - 1.0).abs() < 2e-3, "pixel {i}: {seen_m} m instead of {distance_m} m");
        let expected = medium(kind).transmittance(distance_m).y;
        let seen = transmittance[i][1];
        assert!((seen - expected).abs() < 0.1 * expected + 1e-4, "pixel {i}: {seen} for {expected}");
        assert!(inscatter[i].iter().all(|v| *v > 0.0 && v.is_finite()), "pixel {i}: {:?}", inscatter[i]);
    }
}

fn straight_through_a_calm_sea_nothing_is_lost_to_nan() {
    // An odd number of pixels: the middle one looks along the normal.
    let mut session = session(&options("calibration", (3, 3), &SUN_ALONE));
    for (eye_y, to) in [(-4.0, Vec3::Y), (4.0, Vec3::NEG_Y)] {
        let eye = Vec3::new(0.0, eye_y, 0.0);
        let pixels = linear(&mut session, Camera::look_at(eye, eye + to, 0.5), View::Final);
        assert!(pixels.iter().flatten().all(|v| v.is_finite()), "from {eye_y} m: {pixels:?}");
        assert!(pixels[4][1] > 3.0 * pixels[1][1], "from {eye_y} m the sun is in the middle: {pixels:?}");
    }
}

/// Mean thickness of foam: half of what the noise that tears it can be.
const MEAN_THICKNESS: f32 = 0.5;
/// Share of a place that foam covers, about, where it is seen.
const MEAN_COVERAGE: f32 = 0.675;

/// The share of the sea that foam covers, by its brightness under a sky of radiance 1 where the water itself is black: seen
/// from so far above straight down, or from so far below straight up, over many places and moments.
fn foam_share(wind_m_s: f32, quality: &str, eye_y: f32) -> f32 {
    let (wind, quality) = (format!("waves.wind_m_s={wind_m_s}"), format!("render.quality={quality}"));
    let set = [
        &wind,
        &quality,
        "waves.fetch_km=300",
        "waves.choppiness=1",
        "water.type=own",
        "water.absorption=[0.001, 0.001, 0.001]",
        "water.scattering=[0, 0, 0]",
        "render.effects.shafts=false",
        "render.effects.caustics=false",
    ];
    let mut session = session(&options("calibration", (96, 54), &set));
    let mut covered = 0.0;
    // Where there is little of it more of the sea must be seen.
    let frames = if wind_m_s < 10.0 { 300 } else { 60 };
    for n in 0..frames {
        let place = Vec3::new(173.0 * n as f32, 0.0, 311.0 * n as f32);
        let eye = place + Vec3::Y * eye_y;
        session.world.extract(1.0, Camera::look_at(eye, place, 0.4), &mut session.frame);
        session.frame.time_s = 7.3 * n as f64;
        let Ok(Capture::Linear { rgb, .. }) = session.renderer.capture(&session.frame, View::Final, true) else {
            panic!("drawn");
        };
        let mut green: Vec<f32> = rgb.chunks_exact(3).map(|p| p[1]).collect();
        green.sort_by(f32::total_cmp);
        // Of a sea that is all foam, over what most of it is.
        let white = session.frame.light.sky_irradiance_water.y / PI;
        let sea = green[green.len() / 2];
        let from_above = ocean::FOAM_REFLECTANCE.dot(Vec2::new(1.0, MEAN_THICKNESS));
        let from_below = ocean::FOAM_TRANSMITTANCE.dot(Vec3::new(1.0, MEAN_COVERAGE, MEAN_THICKNESS));
        let Vec2 { x: hides_above, y: hides_below } = ocean::FOAM_OPACITY;
        let differs = if eye_y > 0.0 {
            hides_above * (from_above * white - sea)
        } else {
            hides_below * (from_below * white - sea)
        };
        // Waves make differences too, but small ones.
        let foam = green.iter().map(|v| (v - sea) / differs).filter(|share| *share > 0.1).map(|share| share.min(1.0));
        covered += foam.sum::<f32>() / (green.len() * frames) as f32;
    }
    assert_clean(&session);
    covered
}

fn foam_covers_what_the_wind_makes() {
    let law = ocean::whitecap_share;
    for (quality, wind_m_s) in [("low", 8.0), ("low", 12.0), ("low", 16.0), ("low", 20.0), ("high", 12.0)] {
        let found = foam_share(wind_m_s, quality, 60.0);
        let expected = law(wind_m_s);
        eprintln!("{quality}, {wind_m_s} m/s: {found:.4}, by the law {expected:.4}");
        assert!((found / expected - 1.0).abs() < 0.25, "{quality}, {wind_m_s} m/s: {found}, by the law {expected}");
    }
}

fn from_below_as_much_foam_is_seen_as_from_above() {
    // In more wind crests drive down plumes, which are dim too.
    let (above, below) = (foam_share(8.0, "low", 60.0), foam_share(8.0, "low", -60.0));
    assert!((below / above - 1.0).abs() < 0.15, "{below} from below, {above} from above");
}

/// The green light that comes down from the ceiling of a lagoon's sea, outside Snell's window, at many places and moments:
/// what the ground sends up is mirrored, and the water adds nothing.
fn ceiling(quality: &str, caustics: bool) -> Vec<f32> {
    let (quality, caustics) = (format!("render.quality={quality}"), format!("render.effects.caustics={caustics}"));
    let set = [
        &quality,
        &caustics,
        "seabed.present=true",
        "seabed.depth_m=2.5",
        "seabed.relief_m=0",
        "seabed.slope_deg=0",
        "waves.wind_m_s=1.6",
        "waves.fetch_km=3",
        "sky.uniform_radiance=0",
        "sun.elevation_deg=50",
        "water.inscatter=0",
        "render.effects.shafts=false",
    ];
    let mut session = session(&options("calibration", (192, 108), &set));
    let mut light = Vec::new();
    for n in 0..24 {
        let eye = Vec3::new(37.0 * n as f32, -1.5, 0.0);
        let up_25_deg = Vec3::new(1.0, 0.47, 0.2);
        session.world.extract(1.0, Camera::look_at(eye, eye + up_25_deg, 0.15), &mut session.frame);
        session.frame.time_s = 11.3 * n as f64;
        let Ok(Capture::Linear { rgb, .. }) = session.renderer.capture(&session.frame, View::Final, true) else {
            panic!("drawn");
        };
        light.extend(rgb.chunks_exact(3).map(|p| p[1]));
    }
    assert_clean(&session);
    light
}

fn the_ceiling_mirrors_the_net_and_keeps_its_light() {
    for quality in ["medium", "high"] {
        let (even, net) = (ceiling(quality, false), ceiling(quality, true));
        let count = even.len() as f32;
        let mean = even.iter().sum::<f32>() / count;
        let added = || net.iter().zip(&even).map(|(net, even)| (net - even) / mean);
        let (bias, contrast) = (added().sum::<f32>() / count, (added().map(|v| v * v).sum::<f32>() / count).sqrt());
        eprintln!("{quality}: of the mean light, the net adds {bias:.4} and has a contrast of {contrast:.3}");
        assert!(bias.abs() < 0.02, "{quality}: {bias} of the light is added");
        assert!(contrast > 0.06, "{quality}: a contrast of {contrast}");
    }
    // Where the tier has none the ceiling is the same to the bit.
    let (even, net) = (ceiling("low", false), ceiling("low", true));
    assert!(even == net, "low has no net");
}

fn the_panels_sample_of_each_water_is_what_the_picture_shows_of_it() {
    // From straight above, light lies round the eye evenly: one direction stands for all.
    let set = ["sun.elevation_deg=90", "waves.wind_m_s=0", "waves.swell_height_m=0", "render.effects.shafts=false"];
    for kind in ["IA", "II", "3C", "7C"] {
        let (_folder, path) = scene_file(EMPTY);
        let water = format!("water.type={kind}");
        let options = options(&path, (16, 16), &[&set[..], &[&water, "post.bloom=0"]].concat());
        let mut session = session(&options);
        let camera = Camera { eye: Vec3::NEG_Y * 8.0, ..Camera::default() };
        let picture = picture_from(&mut session, camera);
        let (scene, post) = (&session.config.scene, &session.config.post);
        let mut seen = empty_sea(scene);
        seen.camera = camera;
        let samples = WaterColours::new(&seen, scene.environment(), post).all();
        let (_, expected) = samples.into_iter().find(|(name, _)| name == kind).expect("a type");
        let rows = &picture[4 * 16 * 7..4 * 16 * 9];
        for (channel, expected) in expected.into_iter().enumerate() {
            let mean = rows.iter().skip(channel).step_by(4).map(|&c| f32::from(c)).sum::<f32>() / 32.0;
            assert!(
                (mean - f32::from(expected)).abs() < 3.0,
                "{kind}, channel {channel}: {mean}, the sample has {expected}"
            );
        }
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    under_a_calm_sea_the_sun_is_a_disc;
    disc_and_aureole_carry_the_beam;
    through_murk_the_sky_keeps_what_beer_and_lambert_leave;
    from_below_distances_end_at_the_surface;
    straight_through_a_calm_sea_nothing_is_lost_to_nan;
    foam_covers_what_the_wind_makes;
    from_below_as_much_foam_is_seen_as_from_above;
    the_ceiling_mirrors_the_net_and_keeps_its_light;
    the_panels_sample_of_each_water_is_what_the_picture_shows_of_it;
};
