//! The sea as it is drawn: heights, speeds and stillness measured in the wave maps.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use pelagic::ocean::{
    Cascade, LatticeWave, REFRACTIVE_INDEX, WAVE_PERIOD_S, WaveField, angular_frequency, significant_height, wave_field,
};
use pelagic::render::{Quality, View, WaveMap};
use pelagic::runtime::offscreen::Session;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::support::{assert_clean, linear, options, scene_file, session};

/// A session on a scene of which only the sea counts.
fn sea(set: &[&str]) -> Session {
    let plain = ["caustics", "shafts", "shadows", "surface", "particles", "bloom"];
    let off: Vec<String> = plain.iter().map(|name| format!("render.effects.{name}=false")).collect();
    let set: Vec<&str> = off.iter().map(String::as_str).chain(set.iter().copied()).collect();
    session(&options("open_blue", (16, 9), &set))
}

/// The maps of `waves`, or of the scene's own sea, at a moment.
fn maps(session: &mut Session, waves: Option<&Arc<WaveField>>, time_s: f64) -> Vec<WaveMap> {
    let camera = session.camera(None).expect("a first view");
    session.world.extract(1.0, camera, &mut session.frame);
    session.frame.time_s = time_s;
    if let Some(waves) = waves {
        session.frame.waves = Arc::clone(waves);
    }
    session.renderer.capture(&session.frame, View::Final, true).expect("drawn");
    session.renderer.waves()
}

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    values.map(|v| (v - mean) * (v - mean)).sum::<f64>() / count
}

fn heights(map: &WaveMap) -> impl Iterator<Item = f64> + Clone {
    map.displacement.iter().map(|d| f64::from(d[1]))
}

fn the_maps_have_the_significant_height_of_the_spectrum() {
    let cases: [(&[&str], &str); 5] = [
        (&["waves.wind_m_s=3", "waves.fetch_km=10", "waves.swell_height_m=0"], "low"),
        (&["waves.wind_m_s=6", "waves.fetch_km=15", "waves.swell_height_m=0"], "low"),
        (&["waves.wind_m_s=12", "waves.fetch_km=60", "waves.swell_height_m=0"], "low"),
        (&["waves.wind_m_s=20", "waves.fetch_km=500", "waves.swell_height_m=0"], "high"),
        (&["waves.wind_m_s=5", "waves.fetch_km=15", "waves.swell_height_m=1.5", "waves.swell_period_s=10"], "high"),
    ];
    for (set, quality) in cases {
        let quality = format!("render.quality={quality}");
        let mut session = sea(&[set, &[quality.as_str()]].concat());
        let times = [0.0, 7.3, 61.0, 1234.5];
        let m0: f64 = times
            .iter()
            .map(|time_s| maps(&mut session, None, *time_s).iter().map(|map| variance(heights(map))).sum::<f64>())
            .sum::<f64>()
            / times.len() as f64;
        let (found, expected) = (4.0 * m0.sqrt(), significant_height(&session.config.scene.waves, f32::INFINITY));
        eprintln!("{set:?}, {quality}: {found:.3} m, by the spectrum {expected:.3} m");
        assert!((found / f64::from(expected) - 1.0).abs() < 0.05, "{set:?}: {found} m, not {expected} m");
        assert_clean(&session);
    }
}

fn slopes_have_the_variance_that_cox_and_munk_measured() {
    let quality = Quality::High;
    for wind in [2.0, 5.0, 7.5, 10.0] {
        let set = [&format!("waves.wind_m_s={wind}"), "waves.swell_height_m=0", "render.quality=high"];
        let mut session = sea(&set);
        let maps = maps(&mut session, None, 61.0);
        let along = |axis: usize| {
            let of_map =
                |map: &WaveMap| variance(map.slope.clone().into_iter().map(move |slope| f64::from(slope[axis])));
            maps.iter().map(of_map).sum::<f64>()
        };
        let held = along(0) + along(1);
        let unresolved = f64::from(session.frame.waves.unresolved_slope_variance(quality.tier(true).detail.wave_map));
        let expected = 0.003 + 0.005_12 * wind;
        eprintln!(
            "{wind} m/s: the maps hold {:.2} of {expected:.4}, ripples {:.2}",
            held / expected,
            unresolved / expected
        );
        assert!(
            ((held + unresolved) / expected - 1.0).abs() < 0.1,
            "{wind} m/s: {held} + {unresolved}, not {expected}"
        );
        assert!(held > 0.4 * expected, "{wind} m/s: the maps hold {held} of {expected}");
    }
}

fn slopes_are_the_gradient_of_the_height() {
    let mut session = sea(&["waves.wind_m_s=8", "waves.swell_height_m=1"]);
    for map in maps(&mut session, None, 3.0) {
        let side = map.side;
        let texel_m = map.patch_m / side as f32;
        let height = |x: usize, z: usize| map.displacement[(z % side) * side + x % side][1];
        let (mut wrong, mut all) = (0.0, 0.0);
        for (i, slope) in map.slope.iter().enumerate() {
            let (x, z) = (i % side + side, i / side + side);
            // Eighth order, good to 1 % at four texels a wave.
            let along = |dx: usize, dz: usize| {
                let weights = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0f32];
                let pairs = weights.iter().zip(1..);
                pairs.map(|(w, n)| w * (height(x + n * dx, z + n * dz) - height(x - n * dx, z - n * dz))).sum::<f32>()
                    / texel_m
            };
            let gradient = [along(1, 0), along(0, 1)];
            wrong += (Vec2::from(gradient) - Vec2::from(*slope)).length_squared();
            all += Vec2::from(*slope).length_squared();
        }
        assert!(all > 0.0 && wrong < 0.002 * all, "{} m patch: {} of the slopes' variance", map.patch_m, wrong / all);
    }
}

/// A sea of one wave on the patch `index`, running along lattice vector (`column`, `row`) over `depth_m`.
fn one_wave(index: usize, (column, row): (i32, i32), amplitude_m: f32, depth_m: f32) -> Arc<WaveField> {
    let mut field = wave_field(&Default::default(), depth_m, 1);
    field.felt_below.clear();
    for (i, cascade) in field.cascades.iter_mut().enumerate() {
        let Cascade { patch_m, side, waves } = cascade;
        waves.clear();
        if i == index {
            waves.resize(*side * *side, LatticeWave::default());
            let middle = (*side / 2) as i32;
            let point = |sign: i32| ((middle + sign * row) * *side as i32 + middle + sign * column) as usize;
            let k = Vec2::new(column as f32, row as f32).length() * std::f32::consts::TAU / *patch_m;
            let turns = (f64::from(angular_frequency(k, depth_m)) * WAVE_PERIOD_S / TAU).round() as f32;
            waves[point(1)] = LatticeWave { half: Vec2::new(0.5 * amplitude_m, 0.0), turns };
            waves[point(-1)].turns = turns;
        }
    }
    Arc::new(field)
}

/// Amplitude and phase of the wave along a lattice vector in a map.
fn component(map: &WaveMap, (column, row): (i32, i32)) -> (f64, f64) {
    let side = map.side as f64;
    let (mut re, mut im) = (0.0, 0.0);
    for (i, height) in heights(map).enumerate() {
        let (x, z) = ((i % map.side) as f64 + 0.5, (i / map.side) as f64 + 0.5);
        let angle = TAU * (f64::from(column) * x + f64::from(row) * z) / side;
        (re, im) = (re + height * angle.cos(), im - height * angle.sin());
    }
    let scale = 2.0 / (side * side);
    ((re * re + im * im).sqrt() * scale, im.atan2(re))
}

fn a_wave_runs_at_the_speed_of_its_dispersion() {
    let mut session = sea(&[]);
    for (index, vector, depth_m) in [
        (0, (3, -2), f32::INFINITY),
        (0, (1, 2), 2.0),
        (1, (5, 4), f32::INFINITY),
        (2, (-9, 7), f32::INFINITY),
        (2, (4, 0), 0.5),
        (2, (0, 21), 0.5),
    ] {
        let wave = one_wave(index, vector, 0.1, depth_m);
        let patch_m = wave.cascades[index].patch_m;
        let k = Vec2::new(vector.0 as f32, vector.1 as f32).length() * std::f32::consts::TAU / patch_m;
        let expected = f64::from(angular_frequency(k, depth_m));
        let step_s = 0.1 * TAU / expected;
        let (start, later) = (maps(&mut session, Some(&wave), 100.0), maps(&mut session, Some(&wave), 100.0 + step_s));
        for (i, map) in later.iter().enumerate().filter(|(i, _)| *i != index) {
            assert!(heights(map).all(|h| h == 0.0), "patch {i} moves with a wave on patch {index}");
        }
        let (before, after) = (component(&start[index], vector), component(&later[index], vector));
        for (amplitude, _) in [before, after] {
            assert!((amplitude - 0.1).abs() < 0.001, "{index} {vector:?}: amplitude {amplitude}");
            let rest = variance(heights(&later[index])) - 0.5 * amplitude * amplitude;
            assert!(rest.abs() < 1e-5, "{index} {vector:?}: there is more than the one wave: {rest}");
        }
        let turned = (before.1 - after.1).rem_euclid(TAU);
        let found = turned / step_s;
        let case = format!("{index} {vector:?}, {depth_m} m deep");
        assert!((found / expected - 1.0).abs() < 0.01, "{case}: {found} rad/s, by its dispersion {expected}");
    }
    // At time 0 it is a crest in the middle of the world.
    let wave = one_wave(1, (3, 1), 0.1, f32::INFINITY);
    let phase = component(&maps(&mut session, Some(&wave), 0.0)[1], (3, 1)).1;
    assert!(phase.abs() < 0.01, "{phase}");
}

fn crests_are_sharpened_the_way_the_wave_runs() {
    let mut session = sea(&[]);
    let mut wave = Arc::unwrap_or_clone(one_wave(2, (6, 0), 0.1, f32::INFINITY));
    wave.choppiness = 1.0;
    let map = maps(&mut session, Some(&Arc::new(wave)), 0.0).remove(2);
    let k = 6.0 * std::f32::consts::TAU / map.patch_m;
    for (i, moved) in map.displacement.iter().enumerate() {
        let angle = k * ((i % map.side) as f32 + 0.5) * map.patch_m / map.side as f32;
        assert!((moved[0] + 0.1 * angle.sin()).abs() < 0.001 && moved[2].abs() < 0.001, "{moved:?} at {angle}");
        assert!((moved[3] - (1.0 - 0.1 * k * angle.cos())).abs() < 0.01, "{moved:?} at {angle}");
    }
}

fn a_calm_sea_is_exactly_flat_and_gets_flat_again() {
    let mut session = sea(&["waves.wind_m_s=0", "waves.swell_height_m=0"]);
    let flat = |maps: &[WaveMap]| {
        let still = |d: &[f32; 4]| *d == [0.0, 0.0, 0.0, 1.0];
        maps.iter().all(|map| map.displacement.iter().all(still) && map.slope.iter().all(|s| *s == [0.0; 2]))
    };
    assert!(flat(&maps(&mut session, None, 0.0)) && flat(&maps(&mut session, None, 33.3)));
    let windy = Arc::new(wave_field(&Default::default(), f32::INFINITY, 1));
    assert!(!flat(&maps(&mut session, Some(&windy), 33.3)));
    assert!(flat(&maps(&mut session, None, 33.4)), "the wind has died down");
    assert_clean(&session);
}

fn the_seed_decides_and_time_never_jumps() {
    let mut session = sea(&["waves.wind_m_s=7"]);
    let first = maps(&mut session, None, 12.0);
    maps(&mut session, None, 99.0);
    assert_eq!(maps(&mut session, None, 12.0), first);
    let settings = session.config.scene.waves;
    let of = |seed| Arc::new(wave_field(&settings, f32::INFINITY, seed));
    assert_eq!(maps(&mut session, Some(&of(1)), 12.0), first);
    assert_ne!(maps(&mut session, Some(&of(2)), 12.0), first);

    // Half a frame before and after the sea begins again, and a month later.
    let step_s = 1.0 / 120.0;
    for turn in [1.0, 700.0] {
        let [before, at, after] =
            [-step_s, 0.0, step_s].map(|off| maps(&mut session, None, turn * WAVE_PERIOD_S + off));
        for ((before, at), after) in before.iter().zip(&at).zip(&after) {
            let step =
                |a: &WaveMap, b: &WaveMap| heights(a).zip(heights(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let (one, two) = (step(before, at), step(at, after));
            assert!(one < 1.5 * two + 1e-3 && two < 1.5 * one + 1e-3, "{} m patch: {one} then {two}", at.patch_m);
        }
    }
}

/// A session on the calibration scene, as wide as four slices of the caustic map, over level ground at a depth (m) under a
/// wind (m/s) and a sun (degrees), half a second from its beginning.
fn caustics(quality: Quality, depth_m: f32, wind_m_s: f32, elevation_deg: f32) -> Session {
    let side = quality.tier(true).detail.caustic_map;
    let set = [
        format!("render.quality={quality}"),
        format!("waves.wind_m_s={wind_m_s}"),
        format!("sun.elevation_deg={elevation_deg}"),
        format!("seabed.depth_m={depth_m}"),
        "seabed.present=true".into(),
        "seabed.relief_m=0".into(),
    ];
    let mut session = session(&options("calibration", (4 * side, side), &set.each_ref().map(String::as_str)));
    session.step_to(0.5, 0).expect("not interrupted");
    session
}

/// The slices of its caustic map, shallowest first, texel by texel, rows along +x one after the other along -z.
fn slices(session: &mut Session) -> [Vec<f64>; 4] {
    let side = session.config.render.quality.tier(true).detail.caustic_map as usize;
    let camera = session.camera(None).expect("a first view");
    let map = linear(session, camera, View::Caustics);
    assert_clean(session);
    let mut slices: [Vec<f64>; 4] = Default::default();
    for (i, texel) in map.iter().enumerate() {
        slices[i % (4 * side) / side].push(texel[0].into());
    }
    slices
}

/// Standard deviation over mean.
fn contrast(values: &[f64]) -> f64 {
    variance(values.iter().copied()).sqrt() / (values.iter().sum::<f64>() / values.len() as f64)
}

/// The same of means over blocks of `by` x `by` texels of a square.
fn contrast_of_blocks(texels: &[f64], by: usize) -> f64 {
    let side = texels.len().isqrt();
    let across = side / by;
    let mut blocks = vec![0.0; across * across];
    for (i, texel) in texels.iter().enumerate() {
        blocks[i / side / by * across + i % side / by] += texel;
    }
    contrast(&blocks)
}

fn caustics_neither_make_nor_lose_light_and_are_sharp_where_they_focus() {
    for (quality, depth_m, wind, elevation) in [
        (Quality::Low, 2.0, 3.0, 90.0),
        (Quality::Low, 5.0, 8.0, 90.0),
        (Quality::Low, 20.0, 5.0, 45.0),
        (Quality::Medium, 5.0, 5.0, 20.0),
        (Quality::High, 5.0, 8.0, 90.0),
        (Quality::High, 20.0, 3.0, 60.0),
        (Quality::High, 5.0, 5.0, 20.0),
        (Quality::High, 5.0, 5.0, 10.0),
        (Quality::High, 20.0, 5.0, 10.0),
    ] {
        let mut session = caustics(quality, depth_m, wind, elevation);
        let mut brightest = 0.0f64;
        for (n, slice) in slices(&mut session).iter().enumerate() {
            let case = format!("{quality}, {depth_m} m, wind {wind} m/s, sun at {elevation} degrees, slice {n}");
            let mean = slice.iter().sum::<f64>() / slice.len() as f64;
            brightest = slice.iter().copied().fold(brightest, f64::max);
            eprintln!("{case}: mean {mean:.4}, contrast {:.3}", contrast(slice));
            assert!((mean - 1.0).abs() < 0.02, "{case}: the mean is {mean}");
        }
        assert!(brightest > 3.0, "{quality}, {depth_m} m, {wind} m/s: nothing focuses, the brightest is {brightest}");
    }
}

fn caustics_are_sharpest_near_the_surface_and_faint_far_below() {
    let depths_m = [0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0];
    for elevation in [90.0, 60.0] {
        let mut contrasts = Vec::new();
        for depth_m in depths_m {
            let mut session = caustics(Quality::High, f32::max(depth_m, 1.0), 5.0, elevation);
            let slices = slices(&mut session);
            // The deepest lies on the ground, and over the shallowest ground the first at half a metre.
            contrasts.push(contrast(&slices[if depth_m < 1.0 { 0 } else { 3 }]));
        }
        eprintln!("sun at {elevation} degrees: {contrasts:.3?} at {depths_m:?} m");
        let (best, _) = contrasts.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).expect("some");
        assert!((1.0..=3.0).contains(&depths_m[best]), "sharpest at {} m: {contrasts:?}", depths_m[best]);
        assert!(contrasts[6] < 0.7 * contrasts[best], "at 20 m: {contrasts:?}");
        assert!(elevation > 60.0 || contrasts[6] < 0.25, "at 20 m: {contrasts:?}");
    }

    // Far below, a faint shimmer on the light from the whole sky and from the water.
    let ground = "
        water = { type = \"IB\", inscatter = 0.0 }
        waves = { wind_m_s = 5.0, swell_height_m = 0.0 }
        seabed = { depth_m = 20.0, relief_m = 0.0, ripple_height_m = 0.0, rubble = 0.0 }
        particles = { snow_count = 0, bubble_sources = 0 }
        camera = { eye_m = [0.0, -12.0, 0.0], target_m = [0.0, -20.0, 0.01] }
    ";
    let (_folder, path) = scene_file(ground);
    let seen = |set: &[&str]| {
        let mut session = session(&options(&path, (256, 256), &[set, &["render.quality=high"]].concat()));
        session.step_to(0.5, 0).expect("not interrupted");
        let camera = session.camera(None).expect("a first view");
        let green = linear(&mut session, camera, View::Final).iter().map(|p| f64::from(p[1])).collect::<Vec<_>>();
        contrast(&green)
    };
    for sun in ["sun.elevation_deg=90", "sun.elevation_deg=60"] {
        let without = ["render.effects.caustics=false", sun];
        let (with, without) = (seen(&[sun]), seen(&without));
        let shimmer = (with * with - without * without).max(0.0).sqrt();
        eprintln!("{sun}: light on the ground at 20 m varies by {shimmer:.3}");
        assert!((0.005..0.25).contains(&shimmer), "{sun}: the light on the ground at 20 m varies by {shimmer}");
    }
}

/// Slopes of the shortest waves' patch at so many points along each side, summed up wave by wave.
fn slopes(field: &WaveField, time_s: f64, points: usize) -> Vec<Vec2> {
    let Cascade { patch_m, side, waves } = field.cascades.last().expect("a short patch");
    let half = *side as f32 / 2.0;
    let phase = |at: f32, turns: f32| Vec2::from_angle((f64::from(at * turns / points as f32).fract() * TAU) as f32);
    let turn = time_s / WAVE_PERIOD_S;
    // Along x for each row of the lattice, then along z: the two slopes as a complex number would mix with their own.
    let mut rows = vec![[Vec2::ZERO; 2]; side * points];
    for (i, wave) in waves.iter().enumerate().filter(|(_, wave)| wave.half != Vec2::ZERO) {
        let (column, row) = ((i % side) as f32 - half, (i / side) as f32 - half);
        let now = Vec2::from_angle(-((f64::from(wave.turns) * turn).fract() * TAU) as f32).rotate(wave.half);
        for at in 0..points {
            let here = phase(at as f32 + 0.5, column).rotate(now);
            rows[i / side * points + at][0] += here * column;
            rows[i / side * points + at][1] += here * row;
        }
    }
    let mut slopes = vec![Vec2::ZERO; points * points];
    for lattice_row in 0..*side {
        for down in 0..points {
            let turned = phase(down as f32 + 0.5, lattice_row as f32 - half);
            for at in 0..points {
                let [x, z] = rows[lattice_row * points + at];
                // Re(2 i k a exp(...)) = -2 k Im(a exp(...)).
                let of = |a: Vec2| turned.x * a.y + turned.y * a.x;
                slopes[down * points + at] -= Vec2::new(of(x), of(z));
            }
        }
    }
    slopes.iter().map(|slope| 2.0 * std::f32::consts::TAU / patch_m * slope).collect()
}

fn caustics_have_the_contrast_of_rays_traced_through_all_waves() {
    const POINTS: usize = 1024;
    const BLOCKS: usize = 96;
    for (quality, depth_m, elevation, within) in [
        (Quality::High, 2.0, 60.0f32, 0.2),
        (Quality::High, 5.0, 60.0, 0.2),
        (Quality::High, 10.0, 60.0, 0.2),
        (Quality::High, 20.0, 90.0, 0.2),
        (Quality::High, 5.0, 30.0, 0.2),
        (Quality::Low, 8.0, 60.0, 0.3),
    ] {
        let mut session = caustics(quality, depth_m, 5.0, elevation);
        let found = contrast_of_blocks(
            &slices(&mut session)[3],
            session.config.render.quality.tier(true).detail.caustic_map as usize / BLOCKS,
        );
        let field = &session.frame.waves;
        let patch_m = field.cascades.last().expect("a short patch").patch_m;
        // Waves that no lattice holds, and the sun's disc, scatter each ray by chance.
        let rough = (0.5 * field.unresolved_slope_variance(256)).sqrt();
        let to_sun = session.frame.light.to_key_light_air;
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut normal = || (0..12).map(|_| random.random_range(-0.5..0.5f32)).sum::<f32>();
        let mut light = vec![0.0f64; BLOCKS * BLOCKS];
        let rays = slopes(field, session.frame.time_s, POINTS);
        for (i, slope) in rays.iter().enumerate() {
            let slope = slope + rough * Vec2::new(normal(), normal());
            let disc = 0.25 * 0.0093 * Vec3::new(normal(), normal(), normal());
            let (toward, up) = ((to_sun + disc).normalize(), Vec3::new(-slope.x, 1.0, -slope.y).normalize());
            let cos_air = toward.dot(up);
            if cos_air <= 0.0 {
                continue;
            }
            let n = REFRACTIVE_INDEX;
            let cos_water = (1.0 - (1.0 - cos_air * cos_air) / (n * n)).sqrt();
            let ray = (cos_air / n - cos_water) * up - toward / n;
            let at = Vec2::new((i % POINTS) as f32 + 0.5, (i / POINTS) as f32 + 0.5) / POINTS as f32;
            let place = (at - Vec2::new(ray.x, ray.z) / ray.y * depth_m / patch_m) * BLOCKS as f32;
            let cell = |along: f32| along.rem_euclid(BLOCKS as f32) as usize % BLOCKS;
            light[cell(place.y) * BLOCKS + cell(place.x)] += f64::from(cos_air / up.y);
        }
        // The noise of so few rays is no pattern.
        let chance = light.len() as f64 / rays.len() as f64;
        let expected = (contrast(&light).powi(2) - chance).max(0.0).sqrt();
        eprintln!("{quality}, {depth_m} m, sun at {elevation} degrees: {found:.3}, by rays {expected:.3}");
        assert!((found / expected - 1.0).abs() < within, "{quality}, {depth_m} m: {found}, by rays {expected}");
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    the_maps_have_the_significant_height_of_the_spectrum;
    slopes_have_the_variance_that_cox_and_munk_measured;
    slopes_are_the_gradient_of_the_height;
    a_wave_runs_at_the_speed_of_its_dispersion;
    crests_are_sharpened_the_way_the_wave_runs;
    a_calm_sea_is_exactly_flat_and_gets_flat_again;
    the_seed_decides_and_time_never_jumps;
    caustics_neither_make_nor_lose_light_and_are_sharp_where_they_focus;
    caustics_are_sharpest_near_the_surface_and_faint_far_below;
    caustics_have_the_contrast_of_rays_traced_through_all_waves;
};
