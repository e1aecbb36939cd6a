//! The sea surface, measured from pictures: the sky, the key light and the distance through it.
//!
//! Without a usable OpenGL these are skipped, loudly; with `REQUIRE_GL=1` that is a failure.

use std::f32::consts::PI;

use glam::Vec3;
use pelagic::app::offscreen::Session;
use pelagic::ocean::{self, Medium, REFRACTIVE_INDEX, SUN_DIAMETER, WaterSettings, WaterType};
use pelagic::render::View;
use pelagic::scene::Camera;
use support::{assert_clean, linear, options, session};

mod support;

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

fn calibration(set: &[&str]) -> Option<Session> {
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

/// What a calm sea and `kind` of water leave of radiance from straight overhead.
fn left_overhead(kind: WaterType, depth_m: f32) -> Vec3 {
    let through = 1.0 - ocean::fresnel(1.0, REFRACTIVE_INDEX);
    through * REFRACTIVE_INDEX.powi(2) * (-medium(kind).attenuation() * depth_m).exp()
}

#[test]
fn under_a_calm_sea_the_sun_is_a_disc() {
    for quality in ["low", "high"] {
        let Some(mut session) = calibration(&[&SUN_ALONE[..], &[&format!("render.quality={quality}")]].concat()) else {
            return;
        };
        let fov_deg = 6.0;
        let pixels = linear(&mut session, upward(-1.0, fov_deg), View::Final);
        assert_clean(&session);
        let beam = session.frame.light.key_light_irradiance_air;
        let left = left_overhead(WaterType::IB, 1.0);
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

#[test]
fn disc_and_aureole_carry_the_beam() {
    let Some(mut session) = calibration(&SUN_ALONE) else { return };
    let fov_deg = 80.0;
    let pixels = linear(&mut session, upward(5.0, fov_deg), View::Final);
    let flux: Vec3 = pixels.iter().zip(rays(fov_deg)).map(|(p, (_, _, angle))| Vec3::from(*p) * angle).sum();
    let ratio = flux / session.frame.light.key_light_irradiance_air;
    assert!((ratio - Vec3::ONE).abs().max_element() < 0.02, "{ratio} of the beam");
}

#[test]
fn through_murk_the_sky_keeps_what_beer_and_lambert_leave() {
    for kind in [WaterType::Coastal1, WaterType::Coastal3, WaterType::Coastal5] {
        let Some(mut session) = calibration(&[&format!("water.type={kind}"), "water.inscatter=0"]) else { return };
        for left in [0.3, 0.1, 0.03, 0.006f32] {
            let depth_m = -left.ln() / medium(kind).attenuation().y;
            let pixels = linear(&mut session, upward(-depth_m, 10.0), View::Final);
            let seen = pixels[pixels.len() / 2 + SIZE.0 as usize / 2][1];
            let expected = left_overhead(kind, depth_m).y;
            assert!((seen / expected - 1.0).abs() < 0.02, "{kind}, {left} of the light: {seen} for {expected}");
        }
    }
}

#[test]
fn from_below_distances_end_at_the_surface() {
    let kind = WaterType::Coastal5;
    let Some(mut session) = calibration(&[&format!("water.type={kind}")]) else { return };
    let (eye_y, fov_deg) = (-5.0, 120.0);
    let depth = linear(&mut session, upward(eye_y, fov_deg), View::Depth);
    let transmittance = linear(&mut session, upward(eye_y, fov_deg), View::Transmittance);
    let inscatter = linear(&mut session, upward(eye_y, fov_deg), View::Inscatter);
    let attenuation = medium(kind).attenuation();
    for (i, (x, y, _)) in rays(fov_deg).enumerate() {
        let distance_m = -eye_y * (1.0 + x * x + y * y).sqrt();
        let seen_m = depth[i][0];
        assert!((seen_m / distance_m - 1.0).abs() < 2e-3, "pixel {i}: {seen_m} m instead of {distance_m} m");
        let expected = (-attenuation.y * distance_m).exp();
        let seen = transmittance[i][1];
        assert!((seen - expected).abs() < 0.02 * expected + 1e-6, "pixel {i}: {seen} for {expected}");
        assert!(inscatter[i].iter().all(|v| *v > 0.0 && v.is_finite()), "pixel {i}: {:?}", inscatter[i]);
    }
}
