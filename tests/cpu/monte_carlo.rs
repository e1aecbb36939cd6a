//! Light under water by Monte Carlo, to judge by it what the program draws.
//!
//! Of the program it takes the spectra a and b of the water types, and nothing that was fitted or simplified: its
//! phase functions are tables as measured, its surface is Fresnel's, and its light is scattered as often as it happens.
//! Left out are waves, polarisation, fluorescence and the ground. `make monte-carlo` writes `table.csv`, which other
//! tests read by [`table`].

mod make;
mod phase;
mod sea;
mod spectrum;
mod table;

use make::{Phases, TYPES};
use pelagic::ocean::WaterType;
use sea::{Depths, Light, REFRACTIVE_INDEX, Source, Water, fresnel};
use table::Row;

/// Photons at each wavelength under each light, where most are scattered. Unit: 1.
const PHOTONS: usize = 5_000;

/// Water that scatters so little that no light is scattered twice, and absorbs.
const CLEAR: Water = Water { absorption: 0.1, scattering: 1e-4, molecular: 2e-5 };

const DEPTHS: Depths =
    Depths { planes: [1.0, 2.0, 2.5, 5.0, 7.0, 10.0, 15.0, 20.0, 25.0], eyes: [2.5, 10.0, 25.0], half_height: 0.2 };

fn write_the_table() {
    let lines = make::rows(&TYPES, PHOTONS).into_iter().map(|row| row.to_string());
    let text: Vec<String> = std::iter::once(table::header()).chain(lines).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cpu/monte_carlo/table.csv");
    std::fs::write(path, text.join("\n") + "\n").expect("a table written");
}

fn the_table_is_what_the_monte_carlo_makes() {
    let committed = table::committed();
    let same = |a: &&Row, b: &Row| {
        (&a.water, &a.channel, &a.quantity, &a.direction) == (&b.water, &b.channel, &b.quantity, &b.direction)
            && (a.depth_m - b.depth_m).abs() < 1e-3
    };
    let find = |row: &Row| committed.iter().find(|other| same(other, row)).unwrap_or_else(|| panic!("no row {row}"));

    // With as many photons, to the digits kept or nearly so: another machine's sine may send one of them elsewhere.
    let phases = Phases::new();
    let again = make::attenuation_row(WaterType::I, 700.0, &make::light(&phases, WaterType::I, 700.0, PHOTONS));
    for (value, was) in again.values.iter().zip(find(&again).values) {
        assert!((value / was - 1.0).abs() < 2e-3, "{again}");
    }

    // With few, within their noise.
    for row in make::rows(&[WaterType::I, WaterType::IB], PHOTONS / 100) {
        let was = find(&row);
        for (i, light) in table::LIGHTS.iter().enumerate() {
            let off = (row.values[i] / was.values[i] - 1.0).abs();
            let allowed = 0.03 + 5.0 * row.errors[i].hypot(was.errors[i]);
            assert!(off < allowed, "{light} is {off:.3} off, more than {allowed:.3}, in {row}");
        }
    }
}

fn what_is_bright_is_known_well() {
    let committed = table::committed();
    let radiances: Vec<&Row> = committed.iter().filter(|row| row.quantity == "radiance").collect();
    assert_eq!(radiances.len(), TYPES.len() * spectrum::CHANNELS.len() * DEPTHS.eyes.len() * 5);
    for row in &radiances {
        let alike = radiances.iter().filter(|other| other.water == row.water && other.channel == row.channel);
        for (i, light) in table::LIGHTS.iter().enumerate() {
            let brightest = alike.clone().map(|other| other.values[i]).fold(0.0, f64::max);
            let known = row.values[i] < 0.01 * brightest || row.errors[i] < 0.06;
            assert!(known, "{light} is {:.3} uncertain in {row}", row.errors[i]);
        }
    }
}

fn the_sky_looks_the_same_to_all_sides() {
    let committed = table::committed();
    let level = ["level_toward", "level_across", "level_away", "upright_toward", "upright_across", "upright_away"];
    for rows in committed.windows(3) {
        let [toward, across, away] = rows else { unreachable!("windows of three") };
        if !level.contains(&toward.direction.as_str()) || !toward.direction.ends_with("toward") {
            continue;
        }
        for other in [across, away] {
            let off = (other.values[4] / toward.values[4] - 1.0).abs();
            let error = other.errors[4].hypot(toward.errors[4]);
            assert!(off < 0.01 + 5.0 * error, "{off:.3} off with an error of {error:.3}: {toward} and {other}");
        }
    }
}

fn light_that_is_not_scattered_falls_as_beer_says() {
    let water = Water { scattering: 0.0, molecular: 0.0, ..CLEAR };
    let phases = Phases::new();
    for elevation_deg in [85.0, 10.0] {
        let light = phases.sea(water, DEPTHS).light(Source::Sun(elevation_deg), 200_000, 1).mean;
        let (beam, fall) = beam(elevation_deg);
        for (i, depth_m) in DEPTHS.planes.iter().enumerate() {
            let expected = beam * fall * (-water.absorption * depth_m / fall).exp();
            let off = (light.downwelling[i + 1] / expected - 1.0).abs();
            assert!(off < 0.01, "{off:.4} off at {depth_m} m under a sun of {elevation_deg} degrees");
        }
        assert_eq!(light.upwelling, Light::default().upwelling);
    }
}

fn light_scattered_once_is_what_integrals_say() {
    let phases = Phases::new();
    let molecular = CLEAR.molecular / CLEAR.scattering;
    let phase =
        |cosine: f64| molecular * phases.molecules.value(cosine) + (1.0 - molecular) * phases.particles.value(cosine);
    let (b, c) = (CLEAR.scattering, CLEAR.absorption + CLEAR.scattering);
    for elevation_deg in [85.0, 30.0] {
        let light = phases.sea(CLEAR, DEPTHS).light(Source::Sun(elevation_deg), 100_000, 1).mean;
        let (beam, fall) = beam(elevation_deg);
        let level = (1.0 - fall * fall).sqrt();
        for (i, depth_m) in DEPTHS.eyes.iter().enumerate() {
            let here = beam * (-c * depth_m / fall).exp();
            // An eye that looks up at 60 degrees sees along a path twice as long as it is deep; below it, mirrored.
            let along = (-2.0 * c * depth_m).exp();
            let straight =
                2.0 * beam * phase(0.5 * fall) * ((-c * depth_m / fall).exp() - along) / (2.0 * c - c / fall);
            let mirrored = 2.0 * beam * phase(-0.5 * fall) * along / (2.0 * c + c / fall);
            let expected = [
                here * phase(-fall) / (c + c / fall),
                here * phase(level) / c,
                here * phase(0.0) / c,
                here * phase(-level) / c,
                straight + mirrored,
            ];
            for (seen, expected) in light.radiance[i].iter().zip(expected.map(|value| b * value)) {
                let off = (seen / expected - 1.0).abs();
                assert!(off < 0.03, "{off:.4} off at {depth_m} m under a sun of {elevation_deg} degrees: {expected:e}");
            }
        }
    }
}

fn no_light_is_lost_or_made() {
    let phases = Phases::new();
    for (scattering, molecular) in [(0.4, 0.002), (0.05, 0.05)] {
        let water = Water { absorption: 0.02, scattering, molecular };
        for elevation_deg in [85.0, 30.0] {
            let light = phases.sea(water, DEPTHS).light(Source::Sun(elevation_deg), 2_000, 1).mean;
            let (beam, fall) = beam(elevation_deg);
            let off = (light.absorbed + light.escaped) / (beam * fall) - 1.0;
            assert!(off.abs() < 0.02, "{off:.4} off under a sun of {elevation_deg} degrees in {water:?}");
        }
    }
}

/// Against what Jerlov measured in water like that of which a and b are known, if not the very same.
fn light_from_high_above_falls_as_jerlov_measured() {
    let mut ratios: Vec<f64> = TYPES
        .iter()
        .map(|&kind| {
            let jerlov = spectrum::at(&make::spectra(kind).diffuse_attenuation, 550.0);
            attenuation(&kind.to_string()).values[0] / jerlov
        })
        .collect();
    assert!((ratios[2] - 1.0).abs() < 0.15, "IB: {ratios:.3?}");
    ratios.sort_by(f64::total_cmp);
    assert!((ratios[5] - 1.0).abs() < 0.15 && ratios[0] > 0.6 && ratios[9] < 1.4, "{ratios:.3?}");
}

fn light_from_a_low_sun_falls_faster() {
    for kind in TYPES {
        let [sun85, sun60, sun30, sun10, sky] = attenuation(&kind.to_string()).values;
        assert!(sun85 < sun60 && sun60 < sky && sky < sun30 && sun30 < sun10, "{kind}");
    }
}

/// R = 0.33 bb / a for a high sun (Gordon, Brown & Jacobs 1975, Appl. Opt. 14:417).
fn clear_water_sends_up_what_gordon_says() {
    let phases = Phases::new();
    for kind in [WaterType::I, WaterType::IB, WaterType::III] {
        let water = spectrum::water(make::spectra(kind), 500.0);
        let light = &make::light(&phases, kind, 500.0, 2_000)[0].mean;
        let reflectance = light.upwelling[0] / light.downwelling[0];
        let expected = 0.33 * phases.backscattering(&water) / water.absorption;
        assert!((reflectance / expected - 1.0).abs() < 0.2, "{kind}: {reflectance:.4} and {expected:.4}");
    }
}

/// The mean Kd of the table at 550 nm.
fn attenuation(water: &str) -> Row {
    let found = table::committed()
        .into_iter()
        .find(|row| row.quantity == "diffuse_attenuation" && row.channel == "550" && row.water == water);
    found.expect("a row for each type and wavelength")
}

/// Irradiance of the refracted beam on a plane that faces it, and by how much it falls along its way. Unit: 1.
fn beam(elevation_deg: f64) -> (f64, f64) {
    let (sine, cosine) = elevation_deg.to_radians().sin_cos();
    let fall = (1.0 - (cosine / REFRACTIVE_INDEX).powi(2)).sqrt();
    (sine * (1.0 - fresnel(sine, 1.0 / REFRACTIVE_INDEX)) / fall, fall)
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    phase::particles_scatter_as_petzold_measured;
    phase::molecules_scatter_as_much_back_as_forward;
    phase::all_that_is_scattered_goes_somewhere_and_is_seen;
    write_the_table, by_hand;
    the_table_is_what_the_monte_carlo_makes;
    what_is_bright_is_known_well;
    the_sky_looks_the_same_to_all_sides;
    light_that_is_not_scattered_falls_as_beer_says;
    light_scattered_once_is_what_integrals_say;
    no_light_is_lost_or_made;
    light_from_high_above_falls_as_jerlov_measured;
    light_from_a_low_sun_falls_faster;
    clear_water_sends_up_what_gordon_says;
};
