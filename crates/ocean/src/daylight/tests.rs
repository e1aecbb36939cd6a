use super::*;
use crate::{MoonSettings, SkySettings, SunSettings, WaterSettings, WaterType, light, medium};

fn of(kind: WaterType, elevation_deg: f32) -> (Medium, Light, Daylight) {
    let medium = medium(&WaterSettings { kind, ..Default::default() });
    let sun = SunSettings { elevation_deg, ..Default::default() };
    let light = light(&sun, &MoonSettings::default(), &SkySettings::default());
    let daylight = Daylight::new(&medium, &light);
    (medium, light, daylight)
}

const KINDS: [WaterType; 4] = [WaterType::I, WaterType::IB, WaterType::Coastal1, WaterType::Coastal9];

/// Channels that sum these wavelengths.
fn channels(all: &[Wavelength]) -> [Channel<'_>; 3] {
    std::array::from_fn(|channel| Channel { channel, wavelengths: all })
}

#[test]
fn two_exponentials_tell_how_light_falls() {
    for kind in KINDS {
        for elevation in [85.0, 40.0, 10.0] {
            let (medium, light, daylight) = of(kind, elevation);
            let all = wavelengths(&medium, &light, Lobes::of_asymmetry(medium.asymmetry));
            for channel in channels(&all) {
                let c = channel.channel;
                let surface = channel.at(0.0, |q| q.total);
                for i in 0..24 {
                    let depth = channel.deepest() * f64::from(i) / 23.0;
                    let (total, beam) = (channel.at(depth, |q| q.total), channel.at(depth, |q| q.beam));
                    let case = format!("{kind}, sun {elevation}, channel {c}, {depth:.1} m");
                    if total > 0.01 * surface {
                        let found = f64::from(daylight.irradiance(depth as f32)[c]);
                        assert!((found / total - 1.0).abs() < 0.05, "{case}: {found} for {total}");
                    }
                    if beam > 0.05 * surface {
                        let found = f64::from(daylight.beam(depth as f32).0[c]);
                        assert!((found / beam - 1.0).abs() < 0.13, "{case}: a beam of {found} for {beam}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_lobes_tell_what_the_water_sends() {
    for kind in KINDS {
        for elevation in [85.0, 30.0, 10.0] {
            let (medium, light, daylight) = of(kind, elevation);
            let all = wavelengths(&medium, &light, Lobes::of_asymmetry(medium.asymmetry));
            for channel in channels(&all) {
                for share in [0.05, 0.2, 0.4] {
                    let depth = channel.deepest() * share;
                    let source = daylight.source(depth as f32);
                    let mut off: Vec<f64> = directions(cosine_of(&light))
                        .into_iter()
                        .enumerate()
                        .map(|(i, from)| {
                            let terms = basis(from, cosine_of(&light));
                            let fitted = source.terms[1..].iter().map(|term| f64::from(term[channel.channel]));
                            let found: f64 = terms.iter().zip(fitted).map(|(term, value)| term * value).sum();
                            (found / channel.at(depth, |q| q.sources[i]) - 1.0).abs()
                        })
                        .collect();
                    off.sort_by(f64::total_cmp);
                    let case = format!("{kind}, sun {elevation}, channel {}, {depth:.1} m", channel.channel);
                    assert!(off[DIRECTIONS / 2] < 0.12, "{case}: the median direction is {} off", off[DIRECTIONS / 2]);
                    assert!(off[DIRECTIONS * 9 / 10] < 0.3, "{case}: one in ten is {} off", off[DIRECTIONS * 9 / 10]);
                }
            }
        }
    }
}

#[test]
fn white_light_loses_along_a_ray_what_its_spectrum_loses() {
    for kind in KINDS {
        let (medium, _, Daylight { parts: [slow, fast], .. }) = of(kind, 50.0);
        for distance_m in [0.0, 1.0, 3.0, 8.0, 14.0, 20.0] {
            let found = slow.white * (-slow.attenuation * distance_m).exp()
                + fast.white * (-fast.attenuation * distance_m).exp();
            let truth = medium.transmittance(distance_m);
            let seen = truth.cmpgt(Vec3::splat(3e-3));
            let off = Vec3::select(seen, found / truth - Vec3::ONE, Vec3::ZERO).abs();
            assert!(off.max_element() < 0.1, "{kind}, {distance_m} m: {found} for {truth}");
        }
    }
}

#[test]
fn sides_are_darker_than_tops_and_undersides_darker_still() {
    for kind in KINDS {
        let (_, light, daylight) = of(kind, 50.0);
        let on = |face: usize| -> f32 {
            daylight.parts.iter().map(|part| (part.diffuse[face] * (-part.depth_attenuation * 3.0).exp()).y).sum()
        };
        let [down, toward, away, across] = std::array::from_fn(on);
        let up = (daylight.irradiance(3.0) - daylight.beam(3.0).0 / light.key_light_path()).y;
        assert!(up > across && across > down, "{kind}: {up}, {across}, {down}");
        // With molecules alone as scatterers the water is about as bright on all sides.
        let particles = kind != WaterType::I;
        assert!(!particles || toward > across && across > away, "{kind}: {toward}, {across}, {away}");
        assert!(away > down, "{kind}: {away}, {down}");
        assert!(light.key_light_irradiance_water.y > up, "{kind}");
    }
}

/// All numbers of a daylight.
fn numbers(daylight: &Daylight) -> Vec<f32> {
    let mut all = Vec::new();
    for part in &daylight.parts {
        let vectors = [part.depth_attenuation, part.attenuation, part.white, part.total, part.beam];
        all.extend(vectors.iter().chain(&part.diffuse).flat_map(|v| v.to_array()));
    }
    for depth_m in [0.0, 0.1, 3.0, 40.0, 4000.0] {
        let source = daylight.source(depth_m);
        all.extend(
            source.terms.iter().chain([&source.attenuation, &source.depth_attenuation]).flat_map(|v| v.to_array()),
        );
        let here = [daylight.irradiance(depth_m), daylight.downwelling(depth_m), daylight.beam(depth_m).0];
        all.extend(here.iter().flat_map(|v| v.to_array()));
    }
    all
}

#[test]
fn waters_that_nobody_has_give_numbers() {
    let own = |absorption, scattering, asymmetry| WaterSettings {
        kind: WaterType::Own,
        absorption: [absorption; 3],
        scattering: [scattering; 3],
        asymmetry,
        ..WaterSettings::default()
    };
    let waters = [
        own(0.001, 0.0, 0.9),
        own(0.001, 20.0, 0.924),
        own(20.0, 20.0, 0.924),
        own(0.2, 0.3, -0.99),
        own(0.2, 0.3, 0.99),
        own(0.2, 0.3, 0.0),
        WaterSettings { turbidity: 0.0, ..own(0.1, 0.1, 0.9) },
        WaterSettings { turbidity: 10.0, particles: 4.0, ..own(20.0, 20.0, 0.924) },
        WaterSettings { particles: 0.0, ..WaterSettings::default() },
    ];
    for water in waters {
        for (elevation_deg, brightness) in [(90.0, 1.0), (0.0, 1.0), (-3.0, 1.0), (-40.0, 1.0), (50.0, 0.0)] {
            let sun = SunSettings { elevation_deg, brightness, ..SunSettings::default() };
            let sky = SkySettings { brightness, ..SkySettings::default() };
            let light = light(&sun, &MoonSettings::default(), &sky);
            let daylight = Daylight::new(&medium(&water), &light);
            let wrong = numbers(&daylight).into_iter().find(|value| !value.is_finite() || value.abs() > 1e6);
            assert_eq!(wrong, None, "{water:?}, sun {elevation_deg}, brightness {brightness}: {daylight:?}");
        }
    }
}
