use super::*;
use crate::phase::ASYMMETRY;

/// Type IB at 550 nm.
const CLEAR: Water = Water { absorption: 0.0655, particles: 0.1204, molecules: 0.0016 };
/// Type 7C at 550 nm.
const MURKY: Water = Water { absorption: 0.195, particles: 2.3484, molecules: 0.0016 };

/// Cosine of the zenith angle under water of a beam whose elevation in air has the sine `sine`.
fn cosine_in_water(sine: f64) -> f64 {
    (1.0 - (1.0 - sine * sine).max(0.0) * INDEX.powi(-2)).sqrt()
}

fn field(water: Water, incident: Incident) -> Field {
    Field::new(water, Lobes::of_asymmetry(ASYMMETRY), incident)
}

/// Downwelling irradiance at the `k`th depth.
fn down(field: &Field, k: usize) -> f64 {
    let beam = match field.incident {
        Incident::Beam(cosine) => cosine * field.beam(k),
        Incident::Sky => 0.0,
    };
    beam + field.irradiance(k, (0.0, 1.0), 0.0)
}

#[test]
fn the_functions_are_normalised() {
    for m in 0..ORDERS {
        for l in m..MOMENTS {
            let steps = 4000;
            let square = |i: usize| associated_legendre(m, -1.0 + (i as f64 + 0.5) * 2.0 / steps as f64)[l].powi(2);
            let sum = (0..steps).map(square).sum::<f64>() * 2.0 / steps as f64;
            assert!((sum * (2 * l + 1) as f64 / 2.0 - 1.0).abs() < 1e-3, "{m} {l}: {sum}");
        }
    }
}

#[test]
fn what_flows_in_is_absorbed() {
    for (water, incident) in [(CLEAR, Incident::Beam(0.9)), (MURKY, Incident::Beam(0.75)), (MURKY, Incident::Sky)] {
        let field = field(water, incident);
        let net = |k: usize| down(&field, k) - field.irradiance(k, (0.0, -1.0), 0.0);
        let scalar = |k: usize| TAU * field.moments[k][0][0] + field.beam(k);
        let end = LAYERS / 2;
        let layer = |k: usize| 0.5 * (scalar(k) + scalar(k + 1)) * (field.depths[k + 1] - field.depths[k]);
        let absorbed = water.absorption * (0..end).map(layer).sum::<f64>();
        let lost = net(0) - net(end);
        assert!((absorbed / lost - 1.0).abs() < 0.02, "{incident:?}: {absorbed} absorbed, {lost} lost");
    }
}

#[test]
fn water_that_only_absorbs_leaves_what_beer_leaves() {
    let water = Water { absorption: 0.3, particles: 0.0, molecules: 0.0 };
    let field = field(water, Incident::Beam(0.8));
    for (k, depth) in field.depths.iter().enumerate() {
        assert!((field.beam(k) / (-0.3 * depth / 0.8).exp() - 1.0).abs() < 1e-9);
        assert_eq!(field.irradiance(k, (0.0, 1.0), 0.0), 0.0);
    }
    // Outside the window no light comes from the sky, and inside it the share that Snell and Fresnel let through.
    let sky = super::Field::new(water, Lobes::of_asymmetry(ASYMMETRY), Incident::Sky);
    let up = sky.ray(Direction { up: 0.9, azimuth: 0.0 });
    let expected = INDEX * INDEX * (1.0 - reflectance(0.9)) * (-0.3 * sky.depths[20] / 0.9).exp();
    assert!((up.radiance[20] / expected - 1.0).abs() < 1e-6);
    assert_eq!(sky.ray(Direction { up: 0.5, azimuth: 0.0 }).radiance[20], 0.0);
}

/// Diffuse attenuation between depths of 0.25 and 1 over `about`, under a sun `elevation_deg` high.
fn diffuse_attenuation(water: Water, elevation_deg: f64, about: f64) -> f64 {
    let field = field(water, Incident::Beam(cosine_in_water(elevation_deg.to_radians().sin())));
    let at = |depth: f64| field.depths.iter().position(|&d| d > depth).expect("deep enough");
    let (upper, lower) = (at(0.25 / about), at(1.0 / about));
    (down(&field, upper) / down(&field, lower)).ln() / (field.depths[lower] - field.depths[upper])
}

#[test]
fn the_types_attenuate_a_high_sun_as_jerlov_measured() {
    use crate::{WAVELENGTHS_NM, WaterType::*};
    for (kind, within) in [
        (IB, 0.03),
        (II, 0.03),
        (III, 0.03),
        (Coastal1, 0.03),
        (Coastal5, 0.03),
        (Coastal9, 0.03),
        (I, 0.18),
        (IA, 0.18),
    ] {
        let spectra = kind.spectra().expect("measured");
        for (i, nm) in WAVELENGTHS_NM.into_iter().enumerate() {
            let scattering = f64::from(spectra.scattering[i]);
            let molecules = (0.005_826 * (f64::from(nm) / 400.0).powf(-4.322)).min(scattering);
            let absorption = f64::from(spectra.absorption[i]);
            let jerlov = f64::from(spectra.diffuse_attenuation[i]);
            let found =
                diffuse_attenuation(Water { absorption, particles: scattering - molecules, molecules }, 85.0, jerlov);
            assert!((found / jerlov - 1.0).abs() < within, "{kind}, {nm} nm: {found}, not {jerlov}");
        }
    }
}

#[test]
fn attenuation_with_depth_follows_the_suns_height() {
    // A Monte Carlo of the same water (tests/cpu/monte_carlo): 0.0746, 0.0978 and 0.1107 1/m between a quarter and one
    // of 1 / Kd.
    for (elevation, expected) in [(85.0f64, 0.0746), (30.0, 0.0978), (10.0, 0.1107)] {
        let found = diffuse_attenuation(CLEAR, elevation, 0.072);
        assert!((found / expected - 1.0).abs() < 0.04, "{elevation} degrees: {found} for {expected}");
    }
}

#[test]
fn a_ray_agrees_with_the_streams() {
    // The flux of many rays is that of the streams, but for the beam's single scattering, which rays solve better.
    let field = field(MURKY, Incident::Sky);
    let k = LAYERS / 2;
    let steps = 200;
    let flux = |sign: f64| -> f64 {
        let ring = |i: usize| {
            let up = sign * (i as f64 + 0.5) / steps as f64;
            field
                .integrate(Direction { up, azimuth: 0.0 }, {
                    let below = if up > 0.0 {
                        field.integrate(Direction { up: -up, azimuth: 0.0 }, 0.0).radiance[0]
                    } else {
                        0.0
                    };
                    field.sky_through_surface(up.max(1e-3)) + reflectance(up.max(1e-3)) * below
                })
                .radiance[k]
                * up.abs()
                * TAU
                / steps as f64
        };
        (0..steps).map(ring).sum()
    };
    for (sign, facing) in [(1.0, 1.0), (-1.0, -1.0)] {
        let (rays, streams) = (flux(sign), field.irradiance(k, (0.0, facing), 0.0));
        assert!((rays / streams - 1.0).abs() < 0.03, "{sign}: {rays} and {streams}");
    }
}
