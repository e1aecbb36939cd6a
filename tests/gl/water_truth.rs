//! The water's light in pictures against a Monte Carlo that shares nothing with the program but the water's coefficients
//! (`tests/cpu/monte_carlo`).

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use pelagic::ocean::{self, Daylight, Light, Medium, MoonSettings, SkySettings, SunSettings, WaterSettings, WaterType};
use pelagic::render::{Capture, View};
use pelagic::runtime::offscreen::Session;
use pelagic::view::Camera;

use crate::support::{assert_clean, linear, options, say, session};

#[path = "../cpu/monte_carlo/table.rs"]
mod table;

use table::Row;

/// Elevations of the sun in the table, in its order. Unit: degrees.
const ELEVATIONS_DEG: [f32; 4] = [85.0, 60.0, 30.0, 10.0];

/// A tenth of what a white thing sends back in an overhead sun.
const SKY_RADIANCE: f32 = 0.03;

/// Light that the table knows: a white sun without clouds, and a uniform sky.
fn light(elevation_deg: f32) -> Light {
    let sun = SunSettings { elevation_deg, azimuth_deg: 0.0, disc: false, ..SunSettings::default() };
    let sky = SkySettings { cloud_cover: 0.0, uniform_radiance: SKY_RADIANCE, ..SkySettings::default() };
    let mut light = ocean::light(&sun, &MoonSettings::default(), &sky);
    light.key_light_irradiance_water = Vec3::splat(light.key_light_irradiance_water.y);
    light
}

/// Value of that light in the table, for a sun of this place among [`ELEVATIONS_DEG`].
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

/// Direction of the table's eye; the sun is toward +x.
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

/// Water and the light above it, with what follows.
struct Sea {
    medium: Medium,
    light: Light,
    daylight: Arc<Daylight>,
}

impl Sea {
    fn new(kind: WaterType, light: Light) -> Self {
        let medium = ocean::medium(&WaterSettings { kind, ..WaterSettings::default() });
        Self { medium, light, daylight: Arc::new(Daylight::new(&medium, &light)) }
    }

    /// Mean radiance of a picture from `eye` toward `direction`, so many radians high.
    fn radiance(&self, session: &mut Session, eye: Vec3, direction: Vec3, height: f32) -> Vec3 {
        let camera = Camera::look_at(eye, eye + direction, height);
        session.world.extract(1.0, camera, &mut session.frame);
        session.frame.medium = self.medium;
        session.frame.light = self.light;
        session.frame.daylight = Arc::clone(&self.daylight);
        match session.renderer.capture(&session.frame, View::Final, true).expect("drawn") {
            Capture::Linear { rgb, .. } => {
                rgb.chunks_exact(3).map(Vec3::from_slice).sum::<Vec3>() / (rgb.len() / 3) as f32
            }
            Capture::Display { .. } => unreachable!("linear values were asked for"),
        }
    }
}

/// Angle that an eye takes in which looks in one direction. Unit: rad.
const NARROW: f32 = 0.05;

/// The calibration scene with `set` on top, in pictures of so many pixels each way.
fn calibration(side: u32, set: &[&str]) -> Session {
    session(&options("calibration", (side, side), &[&["render.effects.shafts=false"], set].concat()))
}

/// A level ground of white sand at a depth, of which the light comes up and none from the water.
fn sand(depth_m: f32) -> Session {
    let depth = format!("seabed.depth_m={depth_m}");
    calibration(
        48,
        &[
            &depth,
            "seabed.present=true",
            "seabed.relief_m=0",
            "seabed.ripple_height_m=0",
            "seabed.rubble=0",
            "water.inscatter=0",
            "render.effects.caustics=false",
            "render.effects.surface=false",
        ],
    )
}

/// Height of the eye over the sand: so near that a ray takes little of any colour. Unit: m.
const HAND_M: f32 = 0.1;

/// Radiance of [`sand`] at a depth in each sea, a hand over it; one context at a time.
fn sent_up(seas: &[Sea], depth_m: f32) -> Vec<Vec3> {
    let mut session = sand(depth_m);
    let eye = Vec3::new(0.0, HAND_M - depth_m, 0.0);
    // Lumps of a few centimetres are part of the ground: many of them.
    seas.iter().map(|sea| sea.radiance(&mut session, eye, Vec3::NEG_Y, 1.0)).collect()
}

fn the_waters_radiance_is_that_of_the_monte_carlo() {
    let mut session = calibration(5, &[]);
    let rows = table::committed();
    let mut waters: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    let radiances = rows.iter().filter(|row| row.quantity == "radiance");
    radiances.for_each(|row| waters.entry(&row.water).or_default().push(row));
    let mut off: Vec<(f64, String)> = Vec::new();
    for (name, rows) in waters {
        for (sun, elevation) in ELEVATIONS_DEG.into_iter().enumerate() {
            let sea = Sea::new(water_type(name), light(elevation));
            // One picture for the three channels.
            let mut pictures: BTreeMap<(u64, &str), Vec3> = BTreeMap::new();
            let brightest = rows.iter().map(|row| expected(row, sun, &sea.light)).fold(0.0, f64::max);
            for row in &rows {
                let truth = expected(row, sun, &sea.light);
                if truth < 0.01 * brightest {
                    continue;
                }
                let seen = *pictures.entry((row.depth_m.to_bits(), &row.direction)).or_insert_with(|| {
                    let eye = Vec3::new(0.0, -row.depth_m as f32, 0.0);
                    sea.radiance(&mut session, eye, direction(&row.direction), NARROW)
                });
                let found = f64::from(seen[channel(&row.channel)]) / truth;
                let Row { channel, depth_m, direction, .. } = row;
                let case = format!("{found:.2}: {name}, {channel}, {depth_m:.1} m, {direction}, sun {elevation}");
                off.push(((found - 1.0).abs(), case));
            }
        }
    }
    assert_clean(&session);
    off.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| off[(share * (off.len() - 1) as f64) as usize].0;
    say(&format!("{} radiances: median {:.3}, 95 % {:.3}, worst {:.3}", off.len(), at(0.5), at(0.95), at(1.0)));
    off.iter().rev().take(12).for_each(|(_, case)| say(case));
    assert!(off.len() > 1000 && at(0.5) < 0.15, "median {}", at(0.5));
    assert!(at(1.0) < 0.35, "worst: {}", off[off.len() - 1].1);
}

fn light_on_sand_falls_with_depth_as_its_spectrum_and_the_suns_height_say() {
    let names = ["I", "IB", "II", "1C"];
    let cases: Vec<(&str, usize)> = names.into_iter().flat_map(|name| (0..4).map(move |sun| (name, sun))).collect();
    let seas: Vec<Sea> =
        cases.iter().map(|&(name, sun)| Sea::new(water_type(name), light(ELEVATIONS_DEG[sun]))).collect();
    let upper_m = 2.0;
    let above = sent_up(&seas, upper_m);
    let rows = table::committed();
    let mut off: Vec<(f64, String)> = Vec::new();
    for lower_m in [5.0, 12.0, 20.0] {
        let below = sent_up(&seas, lower_m);
        for (i, &(name, sun)) in cases.iter().enumerate() {
            for colour in ["red", "green", "blue"] {
                let down = |depth_m: f32| {
                    let row = rows.iter().find(|row| {
                        (&*row.water, &*row.channel, &*row.direction) == (name, colour, "downwelling")
                            && (row.depth_m - f64::from(depth_m)).abs() < 1e-3
                    });
                    expected(row.expect("the table has this depth"), sun, &seas[i].light)
                };
                let (truth, found) = (down(lower_m) / down(upper_m), f64::from((below[i] / above[i])[channel(colour)]));
                let case = format!("{name}, {colour}, {lower_m} m, sun {}", ELEVATIONS_DEG[sun]);
                if truth > 1e-3 {
                    off.push(((found / truth - 1.0).abs(), format!("{case}: {found:.4} is left, not {truth:.4}")));
                    // Over 10 m: nearer the light hardly changes.
                    let attenuation = found.ln() / truth.ln();
                    assert!(
                        lower_m != 12.0 || (attenuation - 1.0).abs() < 0.11,
                        "{case}: Kd is {attenuation} of the truth"
                    );
                }
            }
        }
    }
    off.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (median, worst) = (off[off.len() / 2].0, &off[off.len() - 1]);
    say(&format!("light on sand: median {median:.3}, worst {:.3}, {}", worst.0, worst.1));
    assert!(median < 0.03 && worst.0 < 0.1, "median {median}, worst {}", worst.1);
}

fn light_from_overhead_sums_to_the_light_on_the_ground() {
    let mut session = calibration(5, &[]);
    for (kind, depth_m) in
        [(WaterType::Coastal1, 6.0), (WaterType::Coastal3, 5.0), (WaterType::Coastal5, 3.0), (WaterType::Coastal9, 1.5)]
    {
        for elevation in [60.0, 30.0] {
            let sea = Sea::new(kind, light(elevation));
            let (rings, sectors) = (16, 20);
            let mut sum = Vec3::ZERO;
            for ring in 0..rings {
                // Equal steps of the squared sine: each direction brings an equal share of the plane's light.
                let sine = ((ring as f32 + 0.5) / rings as f32).sqrt();
                for sector in 0..sectors {
                    let azimuth = std::f32::consts::TAU * (sector as f32 + 0.5) / sectors as f32;
                    let from = Vec3::new(sine * azimuth.cos(), (1.0 - sine * sine).sqrt(), sine * azimuth.sin());
                    sum += sea.radiance(&mut session, Vec3::new(0.0, -depth_m, 0.0), from, NARROW);
                }
            }
            let overhead = sum * std::f32::consts::PI / (rings * sectors) as f32;
            // What is left of the sun itself is not in these pictures: its disc is off.
            let path_m = depth_m * sea.light.key_light_path();
            let disc = sea.light.key_light_irradiance_water * sea.medium.transmittance(path_m);
            let ratio = (overhead + disc) / sea.daylight.irradiance(depth_m);
            say(&format!("{kind}, sun {elevation}: overhead over ground {ratio:.2}"));
            assert!((ratio - Vec3::ONE).abs().max_element() < 0.15, "{kind}, sun {elevation}: {ratio}");
        }
    }
}

fn scattering_adds_no_light_to_the_ground() {
    // As much scattering as absorption, and none: what is scattered comes back in part and never adds.
    let high = light(85.0);
    let seas = [0.0, 0.2].map(|scattering| {
        let settings = WaterSettings {
            kind: WaterType::Own,
            absorption: [0.2; 3],
            scattering: [scattering; 3],
            ..WaterSettings::default()
        };
        let medium = ocean::medium(&settings);
        Sea { medium, light: high, daylight: Arc::new(Daylight::new(&medium, &high)) }
    });
    let sent = sent_up(&seas, 3.0);
    // As it leaves the sand.
    let [clear, murky] = [0, 1].map(|i| (sent[i] / seas[i].medium.transmittance(HAND_M)).y);
    assert!(murky < clear && murky > 0.85 * clear, "{murky} for {clear}");
}

fn waters_and_suns_that_nobody_has_give_pictures_of_numbers() {
    let waters: [&[&str]; 5] = [
        &["water.absorption=[0.001,0.001,0.001]", "water.scattering=[0,0,0]"],
        &["water.absorption=[0.001,0.2,0.001]", "water.scattering=[20,0,1]"],
        &["water.absorption=[20,20,20]", "water.scattering=[20,20,20]", "water.turbidity=5"],
        &["water.asymmetry=-0.99"],
        &["water.asymmetry=0.99", "water.scattering=[20,20,20]"],
    ];
    let places = [("0.5", 90, -0.05, Vec3::Y), ("0.5", -1, 0.5, Vec3::NEG_Y), ("1000", 0, -990.0, Vec3::NEG_Y)];
    for water in waters {
        for (depth_m, sun, eye_y, toward) in places {
            let (depth, sun) = (format!("seabed.depth_m={depth_m}"), format!("sun.elevation_deg={sun}"));
            let set = ["water.type=own", "seabed.present=true", &depth, &sun, "waves.wind_m_s=6"];
            let mut session = session(&options("calibration", (32, 24), &[&set, water].concat()));
            let eye = Vec3::new(0.0, eye_y, 0.0);
            for toward in [toward, Vec3::X] {
                let seen = linear(&mut session, Camera::look_at(eye, eye + toward, 1.0), View::Final);
                let wrong = seen.iter().flatten().find(|value| !value.is_finite() || **value < -1e-3);
                assert_eq!(wrong, None, "{water:?}, {depth}, {sun}, eye at {eye_y} m toward {toward}");
            }
            assert_clean(&session);
        }
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    the_waters_radiance_is_that_of_the_monte_carlo;
    light_on_sand_falls_with_depth_as_its_spectrum_and_the_suns_height_say;
    light_from_overhead_sums_to_the_light_on_the_ground;
    scattering_adds_no_light_to_the_ground;
    waters_and_suns_that_nobody_has_give_pictures_of_numbers;
};
