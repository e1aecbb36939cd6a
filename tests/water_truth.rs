//! The water's light in pictures against a Monte Carlo that shares nothing with the program but the water's coefficients
//! (`tests/monte_carlo`).
//!
//! Without a usable OpenGL this is skipped, loudly; with `REQUIRE_GL=1` that is a failure.

use std::collections::BTreeMap;

use glam::Vec3;
use pelagic::app::offscreen::Session;
use pelagic::ocean::{self, Daylight, Light, MoonSettings, SkySettings, SunSettings, WaterSettings, WaterType};
use pelagic::render::{Capture, View};
use pelagic::scene::Camera;
use support::{assert_clean, options, session};

mod support;
#[path = "monte_carlo/table.rs"]
mod table;

use table::Row;

/// Elevations of the sun in the table, in its order. Unit: degrees.
const ELEVATIONS_DEG: [f32; 4] = [85.0, 60.0, 30.0, 10.0];

/// A sea and a sky whose light the table knows: a sun without clouds, and a uniform sky a tenth as bright as a white thing in
/// an overhead sun.
fn light(elevation_deg: f32) -> Light {
    let sun = SunSettings { elevation_deg, azimuth_deg: 0.0, disc: false, ..SunSettings::default() };
    let sky = SkySettings { cloud_cover: 0.0, uniform_radiance: SKY_RADIANCE, ..SkySettings::default() };
    let mut light = ocean::light(&sun, &MoonSettings::default(), &sky);
    // The table's sun is white.
    light.key_light_irradiance_water = Vec3::splat(light.key_light_irradiance_water.y);
    light
}

const SKY_RADIANCE: f32 = 0.03;

/// What the table says of that light, for a sun of this place among [`ELEVATIONS_DEG`].
fn expected(row: &Row, sun: usize, light: &Light) -> f64 {
    let elevation = ELEVATIONS_DEG[sun].to_radians();
    let through = elevation.sin() * (1.0 - ocean::fresnel(elevation.sin(), ocean::REFRACTIVE_INDEX));
    let in_air = f64::from(light.key_light_irradiance_water.y / through);
    in_air * row.values[sun] + f64::from(SKY_RADIANCE) * row.values[4]
}

fn water_type(name: &str) -> WaterType {
    serde_json::from_value(name.into()).expect("a type that the program knows")
}

fn channel(name: &str) -> usize {
    ["red", "green", "blue"].iter().position(|known| *known == name).expect("a channel")
}

/// Where the table's eye looks; the sun is toward +x.
fn direction(name: &str) -> Vec3 {
    match name {
        "down" => Vec3::NEG_Y,
        "level_toward" => Vec3::X,
        "level_across" => Vec3::Z,
        "level_away" => Vec3::NEG_X,
        "up60" => Vec3::new(0.0, 0.5, 0.75f32.sqrt()),
        other => panic!("{other} is no direction of the table"),
    }
}

/// Radiance in the middle of a picture.
fn radiance(
    session: &mut Session,
    medium: ocean::Medium,
    light: &Light,
    daylight: &std::sync::Arc<Daylight>,
    camera: Camera,
) -> Vec3 {
    session.world.extract(1.0, camera, &mut session.frame);
    session.frame.medium = medium;
    session.frame.light = *light;
    session.frame.daylight = std::sync::Arc::clone(daylight);
    match session.renderer.capture(&session.frame, View::Final, true).expect("drawn") {
        Capture::Linear { rgb, .. } => Vec3::from_slice(&rgb[rgb.len() / 2 / 3 * 3..]),
        Capture::Display { .. } => unreachable!("linear values were asked for"),
    }
}

#[test]
fn the_waters_radiance_is_that_of_the_monte_carlo() {
    let Some(mut session) = session(&options("calibration", (9, 9), &["render.effects.shafts=false"])) else { return };
    let rows = table::committed();
    let rows: Vec<&Row> = rows.iter().filter(|row| row.quantity == "radiance").collect();
    let mut kinds: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    rows.iter().for_each(|row| kinds.entry(&row.water).or_default().push(row));
    let mut ratios: Vec<(f64, String)> = Vec::new();
    for (name, rows) in kinds {
        let medium = ocean::medium(&WaterSettings { kind: water_type(name), ..WaterSettings::default() });
        for sun in 0..ELEVATIONS_DEG.len() {
            let light = light(ELEVATIONS_DEG[sun]);
            let daylight = std::sync::Arc::new(Daylight::new(&medium, &light));
            let brightest = rows.iter().map(|row| expected(row, sun, &light)).fold(0.0, f64::max);
            for row in &rows {
                let truth = expected(row, sun, &light);
                if truth < 0.01 * brightest {
                    continue;
                }
                let eye = Vec3::new(0.0, -row.depth_m as f32, 0.0);
                let camera = Camera::look_at(eye, eye + direction(&row.direction), 0.05);
                let found = f64::from(radiance(&mut session, medium, &light, &daylight, camera)[channel(&row.channel)]);
                let case = format!(
                    "{name} {} {:.1} m {} sun {}",
                    row.channel, row.depth_m, row.direction, ELEVATIONS_DEG[sun]
                );
                ratios.push((found / truth, case));
            }
        }
    }
    assert_clean(&session);
    let mut off: Vec<(f64, String)> =
        ratios.iter().map(|(ratio, case)| ((ratio - 1.0).abs(), format!("{ratio:.2} {case}"))).collect();
    off.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| off[(share * (off.len() - 1) as f64) as usize].0;
    eprintln!("{} radiances: median {:.3}, 95 % {:.3}, worst {:.3}", off.len(), at(0.5), at(0.95), at(1.0));
    for (_, case) in off.iter().rev().take(60) {
        eprintln!("  {case}");
    }
    assert!(at(0.5) < 0.15, "median {}", at(0.5));
    assert!(at(1.0) < 0.35, "worst: {}", off[off.len() - 1].1);
}
