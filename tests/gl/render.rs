//! Properties of any picture, however the shaders are tuned: no references, small sizes, software OpenGL.

use std::collections::HashSet;
use std::fs;

use glam::Vec3;
use pelagic::ocean::Sample;
use pelagic::render::{Capture, Effects, Quality, RenderChange, RenderSettings, ShaderSource, View};
use pelagic::runtime::offscreen::Session;
use pelagic::view::{Camera, SceneFeatures};

use crate::support::{
    EMPTY, assert_clean, changed, linear, looking_up, options, picture, picture_from, scene_file, session,
};

const SMALL: (u32, u32) = (160, 90);

/// Level sand under a calm sea.
const SAND: &str = "
    waves = { wind_m_s = 0.0, swell_height_m = 0.0 }
    seabed = { depth_m = 3.0, relief_m = 0.0 }
    particles = { snow_count = 0, bubble_sources = 0 }
";

/// Switches that leave nothing but lit surfaces seen through water.
const PLAIN: [&str; 5] = [
    "render.effects.shafts=false",
    "render.effects.surface=false",
    "render.effects.particles=false",
    "render.effects.bloom=false",
    "render.effects.caustics=false",
];

fn view(session: &Session, name: &str) -> Camera {
    session.camera(Some(name)).expect("the scene has that view")
}

/// Mean of each channel.
fn mean(pixels: &[[f32; 3]]) -> [f32; 3] {
    let sum = pixels.iter().fold([0.0; 3], |sum, p| [0, 1, 2].map(|i| sum[i] + f64::from(p[i])));
    sum.map(|channel| (channel / pixels.len() as f64) as f32)
}

/// The middle third of the rows.
fn middle_rows(pixels: &[[f32; 3]], width: u32) -> &[[f32; 3]] {
    let row = width as usize;
    let rows = pixels.len() / row;
    &pixels[rows / 3 * row..(rows - rows / 3) * row]
}

fn the_seed_alone_decides_what_is_drawn() {
    let frame = |seed: u64| {
        let mut session = session(&pelagic::runtime::SceneOptions { seed, ..options("reef", SMALL, &[]) });
        session.step_to(0.5, 0).expect("not interrupted");
        let drawn = picture(&mut session);
        assert_eq!(picture(&mut session), drawn, "drawing leaves nothing behind that shows");
        session.renderer.use_shaders(ShaderSource::default()).expect("the built-in shaders compile");
        assert_eq!(picture(&mut session), drawn, "nor does compiling the shaders anew");
        assert_clean(&session);
        drawn
    };
    let first = frame(1);
    let colours: HashSet<[u8; 3]> = first.chunks_exact(4).map(|p| [p[0] >> 2, p[1] >> 2, p[2] >> 2]).collect();
    assert!(colours.len() > 200, "only {} colours: the picture is blank or nearly", colours.len());
    assert!(first.chunks_exact(4).all(|p| p[3] == 255), "opaque");
    assert!(frame(1) == first, "equal seeds, equal bytes");
    let other = frame(2);
    assert!(changed(&first, &other, 8) > 0.05, "another seed moved only {} of the pixels", changed(&first, &other, 8));
}

fn time_moves_the_picture() {
    let mut session = session(&options("open_blue", SMALL, &[]));
    let steps = session.step_to(0.25, 0).expect("not interrupted");
    let before = picture(&mut session);
    session.step_to(0.75, steps).expect("not interrupted");
    let after = picture(&mut session);
    assert!(changed(&before, &after, 4) > 0.02, "half a second changed {} of the pixels", changed(&before, &after, 4));
    assert_clean(&session);
}

fn red_falls_faster_than_blue_with_distance() {
    let (_folder, path) = scene_file(
        "
        water = { type = \"own\", inscatter = 0.0 }
        waves = { wind_m_s = 0.0, swell_height_m = 0.0 }
        sun = { elevation_deg = 90.0 }
        seabed = { depth_m = 14.0, relief_m = 0.0, ripple_height_m = 0.0, rubble = 0.0 }
        particles = { snow_count = 0, bubble_sources = 0 }
        [camera]
        fov_deg = 20.0
        [camera.views]
        near = { eye_m = [0.0, -11.0, 0.0], target_m = [0.0, -14.0, 0.0] }
        far = { eye_m = [0.0, -2.0, 0.0], target_m = [0.0, -14.0, 0.0] }
        ",
    );
    let mut session = session(&options(&path, (60, 60), &PLAIN));
    let seen = |session: &mut Session, name| {
        let camera = view(session, name);
        let distance = mean(&linear(session, camera, View::Depth))[1];
        (mean(&linear(session, camera, View::Final)), distance)
    };
    let (near, near_m) = seen(&mut session, "near");
    let (far, far_m) = seen(&mut session, "far");
    assert!((near_m - 3.0).abs() < 0.2 && (far_m - 12.0).abs() < 0.3, "the ground is {near_m} m and {far_m} m away");
    let kept = [0, 1, 2].map(|i| far[i] / near[i]);
    assert!(kept[0] < kept[1] && kept[0] < kept[2], "nine metres of water leave {kept:?} of red, green and blue");
    // Beer-Lambert, by colour: what the ground's own shades do to all channels alike cancels out.
    let attenuation = session.frame.medium.mean(Sample::attenuation);
    let expected = (-(attenuation.x - attenuation.z) * (far_m - near_m)).exp();
    let found = kept[0] / kept[2];
    assert!((found / expected - 1.0).abs() < 0.1, "red over blue fell to {found}, by Beer and Lambert to {expected}");
    assert_clean(&session);
}

fn the_waters_own_light_falls_with_depth() {
    let (_folder, path) = scene_file(&format!(
        "{EMPTY}
        [camera.views]
        shallow = {{ eye_m = [0.0, -3.0, 0.0], target_m = [0.0, -3.0, -10.0] }}
        deep = {{ eye_m = [0.0, -23.0, 0.0], target_m = [0.0, -23.0, -10.0] }}
        "
    ));
    let mut session = session(&options(&path, SMALL, &PLAIN));
    let mut seen = |name| {
        let camera = view(&session, name);
        mean(middle_rows(&linear(&mut session, camera, View::Final), SMALL.0))
    };
    let (shallow, deep) = (seen("shallow"), seen("deep"));
    let light = |depth_m| session.frame.daylight.irradiance(depth_m).to_array();
    for (channel, (above, below)) in light(3.0).into_iter().zip(light(23.0)).enumerate() {
        let (fell, expected) = ((shallow[channel] / deep[channel]).ln(), (above / below).ln());
        assert!(fell > 0.0, "channel {channel}: {} at 3 m, {} at 23 m", shallow[channel], deep[channel]);
        // Near the surface hardly any light goes level yet: its radiance falls slower than the light on a plane
        // (tests/gl/water_truth.rs has the numbers).
        assert!(fell < expected, "channel {channel} fell by e^{fell}, the daylight by e^{expected}");
    }
    assert_clean(&session);
}

fn caustics_dance_about_their_mean_and_a_calm_sea_has_none() {
    // As many pixels as the map has texels, four slices side by side: every texel is read once.
    let side = Quality::Low.tier(true).detail.caustic_map;
    let size = (4 * side, side);
    let slices = |session: &mut Session| -> Vec<Vec<f32>> {
        let camera = session.camera(None).expect("a first view");
        let map = linear(session, camera, View::Caustics);
        let slice = |n: u32| map.iter().enumerate().filter(move |(i, _)| *i as u32 % size.0 / side == n);
        (0..4).map(|n| slice(n).map(|(_, p)| p[0]).collect()).collect()
    };
    let average = |values: &[f32]| values.iter().map(|v| f64::from(*v)).sum::<f64>() / values.len() as f64;
    let quiet = [PLAIN[0], PLAIN[1], PLAIN[2], PLAIN[3], "render.effects.shadows=false"];

    let (_folder, path) = scene_file(EMPTY);
    let windy = [&quiet[..], &["waves.wind_m_s=5", "waves.fetch_km=15", "sun.elevation_deg=55"]].concat();
    {
        let mut session = session(&options(&path, size, &windy));
        let steps = session.step_to(0.5, 0).expect("not interrupted");
        let first = slices(&mut session);
        session.step_to(1.0, steps).expect("not interrupted");
        let later = slices(&mut session);
        for (n, (first, later)) in first.iter().zip(&later).enumerate() {
            let mean = average(first);
            assert!((mean - 1.0).abs() < 0.03, "slice {n}: flux is neither made nor lost, yet the mean is {mean}");
            let spread = average(&first.iter().map(|v| (v - 1.0).abs()).collect::<Vec<_>>());
            assert!(spread > 0.1, "slice {n} is all but flat: it differs by {spread} from its mean");
            let moved: Vec<f32> = first.iter().zip(later).map(|(a, b)| (a - b).abs()).collect();
            assert!(average(&moved) > 0.1, "slice {n} moved by {} in half a second", average(&moved));
        }
        assert_clean(&session);
    }

    let mut calm = session(&options(&path, size, &quiet));
    for (n, slice) in slices(&mut calm).iter().enumerate() {
        let far = slice.iter().map(|v| (v - 1.0).abs()).fold(0.0f32, f32::max);
        assert!(far < 0.01, "slice {n} under a flat sea differs by {far} from 1");
    }
}

fn every_effect_shows() {
    // At this size a flake as it is in the scene is less than a pixel.
    let set = ["particles.snow_size_mm=20", "particles.snow_count=5000"];
    let mut session = session(&options("reef", SMALL, &set));
    session.step_to(1.0, 0).expect("not interrupted");
    let all = Effects::default();
    // The low tier leaves some out.
    let usual = RenderSettings { quality: Quality::Medium, effects: all, ..session.config.render.clone() };
    let post = session.config.post.clone();
    session.renderer.set(&post, &usual).expect("set");
    let home = session.camera(None).expect("a first view");
    let upward = looking_up(&home);
    let switched = [
        ("caustics", Effects { caustics: false, shafts: false, ..all }, home),
        ("shafts", Effects { shafts: false, ..all }, upward),
        ("shadows", Effects { shadows: false, ..all }, home),
        ("surface", Effects { surface: false, ..all }, upward),
        ("particles", Effects { particles: false, ..all }, home),
        ("bloom", Effects { bloom: false, ..all }, upward),
    ];
    for (name, effects, camera) in switched {
        let with = picture_from(&mut session, camera);
        session.renderer.set(&post, &RenderSettings { effects, ..usual.clone() }).expect("set");
        let without = picture_from(&mut session, camera);
        session.renderer.set(&post, &usual).expect("set back");
        let share = changed(&with, &without, 2);
        eprintln!("{name}: {:.1} % of the pixels", 100.0 * share);
        assert!(share > 0.003, "{name} changes {share} of the pixels");
        assert_eq!(picture_from(&mut session, camera), with, "{name} comes back as it was");
    }
    assert_clean(&session);
}

fn clouds_cover_their_share_of_the_sky_above_and_in_the_window_and_none_of_a_uniform_one() {
    let (_folder, path) = scene_file(EMPTY);
    // The low tier leaves them out of the window.
    let mut session = session(&options(&path, SMALL, &["render.quality=high"]));
    let mut seen = |camera, clouds, uniform_radiance| {
        (session.config.scene.sky.clouds, session.config.scene.sky.uniform_radiance) = (clouds, uniform_radiance);
        session.world = session.world.retuned(&session.config.scene).expect("nothing has to be loaded");
        session.world.extract(1.0, camera, &mut session.frame);
        let features = Some(SceneFeatures::of(&session.frame));
        session.renderer.apply(&RenderChange { features, ..RenderChange::default() }).expect("made");
        picture_from(&mut session, camera)
    };
    for (eye, target) in [([0.0, 2.0, 0.0], [0.0, 12.0, -9.0]), ([0.0, -2.0, 0.0], [0.0, 0.0, -0.4])] {
        let camera = Camera::look_at(Vec3::from(eye), Vec3::from(target), 1.05);
        let clear = seen(camera, 0.0, 0.0);
        let [few, many] = [0.2, 0.7].map(|clouds| changed(&clear, &seen(camera, clouds, 0.0), 4));
        assert!(few > 0.02 && few < 0.6 && many > few + 0.1, "from {eye:?}: {few} and {many} of the picture");
        assert_eq!(seen(camera, 0.0, 0.2), seen(camera, 0.5, 0.2), "a uniform sky stays one");
    }
}

fn what_the_water_carries_is_drawn_along_its_way() {
    let (_folder, path) = scene_file(EMPTY);
    // The change by flakes, and its steps from pixel to pixel across over those up and down.
    let across = |current: &str| {
        let (width, height) = (320, 180);
        let seen = |particles: &str| {
            let set =
                ["particles.snow_count=20000", "particles.snow_size_mm=20", "current.eddies=0", current, particles];
            let view = ["camera.eye_m=[0.0, -4.0, 0.0]", "camera.target_m=[0.0, -5.0, -5.0]"];
            let set: Vec<&str> = set.into_iter().chain(view).collect();
            picture(&mut session(&options(&path, (width, height), &set)))
        };
        let (with, without) = (seen("render.effects.particles=true"), seen("render.effects.particles=false"));
        let at = |x: u32, y: u32| {
            let red = 4 * (y * width + x) as usize;
            f32::from(with[red]) - f32::from(without[red])
        };
        let (mut along_x, mut along_y) = (0.0, 0.0);
        for y in 0..height - 1 {
            for x in 0..width - 1 {
                along_x += (at(x + 1, y) - at(x, y)).abs();
                along_y += (at(x, y + 1) - at(x, y)).abs();
            }
        }
        along_x / along_y
    };
    let (still, swift) = (across("current.speed_m_s=0"), across("current.speed_m_s=2.5"));
    assert!(swift < 0.7 * still, "{still} in still water, {swift} in a stream to the right");
}

fn a_photograph_is_sharp_where_it_is_focused() {
    // Without animals and plants the view holds still; without a lens to speak of it is the plain frame.
    let mut session = session(&options("calibration", (160, 90), &[]));
    let camera = session.camera(Some("cards")).expect("the cards");
    let sharp = linear(&mut session, camera, View::Final);
    let mut through = |aperture_m: f32, focus_m: f32| match session
        .photograph(camera, aperture_m, Some(focus_m), true, &mut |_| {})
        .expect("drawn")
    {
        Capture::Linear { rgb, .. } => rgb.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect::<Vec<_>>(),
        Capture::Display { .. } => unreachable!("linear values were asked for"),
    };
    // Steepest step of brightness along the middle row within the eighth of the width about each card, 2 to 16 m away.
    let edges = |picture: &[[f32; 3]]| {
        [0, 1, 2, 3].map(|card| {
            let row = &picture[45 * 160 + 40 * card..45 * 160 + 40 * (card + 1)];
            row.windows(2).map(|pair| (pair[0][1] - pair[1][1]).abs()).fold(0.0, f32::max)
        })
    };
    let plain = edges(&sharp);
    let pinhole = edges(&through(1e-4, 2.0));
    for (a, b) in plain.iter().zip(pinhole) {
        assert!((a - b).abs() < 0.02 * a, "a pinhole changes nothing: {plain:?}, {pinhole:?}");
    }
    // The plane of focus is at right angles to the view; the outer cards are centred at 3/4 of half the width.
    let aside = 0.75 * 160.0 / 90.0 * (0.5 * camera.fov_y).tan();
    let forward = |distance_m: f32| distance_m / (1.0 + aside * aside).sqrt();
    let near = edges(&through(0.2, forward(2.0)));
    assert!(near[0] > 0.95 * plain[0] && near[3] < 0.7 * plain[3], "{plain:?}, {near:?}");
    let far = edges(&through(0.2, forward(16.0)));
    assert!(far[0] < 0.7 * plain[0] && far[3] > 0.95 * plain[3], "{plain:?}, {far:?}");
}

fn a_map_is_shown_though_its_effect_is_switched_off() {
    let off = ["render.effects.caustics=false", "render.effects.shadows=false"];
    let mut session = session(&options("reef", (64, 36), &off));
    let camera = session.camera(None).expect("a first view");
    for shown in [View::Caustics, View::Shadow] {
        let values = linear(&mut session, camera, shown);
        assert!(values.iter().any(|v| *v != values[0]), "{shown:?} is blank");
    }
}

fn a_missing_texture_is_seen_as_a_checker() {
    let magenta = |with_texture: bool| {
        let (folder, path) = scene_file(
            "
            water = { type = \"I\", inscatter = 0.0 }
            waves = { wind_m_s = 0.0, swell_height_m = 0.0 }
            seabed = { depth_m = 3.0, relief_m = 0.0 }
            particles = { snow_count = 0, bubble_sources = 0 }
            [[props]]
            name = \"rock\"
            model = \"rock.ms3d\"
            at = [[0.0, 0.0, 0.0, 1.5]]
            [camera]
            eye_m = [0.0, -1.6, 2.2]
            target_m = [0.0, -2.6, 0.0]
            ",
        );
        let copy = |asset: &str, name: &str| {
            fs::write(folder.path().join(name), assets::read(asset).expect("one of ours")).expect("written");
        };
        copy("boulder.ms3d", "rock.ms3d");
        if with_texture {
            copy("boulder.png", "boulder.png");
        }
        let mut session = session(&options(&path, SMALL, &PLAIN));
        let camera = session.camera(None).expect("a first view");
        let pixels = linear(&mut session, camera, View::Final);
        assert_clean(&session);
        let is_magenta = |p: &&[f32; 3]| p[1] < 0.5 * p[0] && p[1] < 0.5 * p[2];
        pixels.iter().filter(is_magenta).count() as f64 / pixels.len() as f64
    };
    let without = magenta(false);
    let with = magenta(true);
    assert!(with < 0.001, "{with} of the pixels are magenta though the texture is there");
    assert!(without > 0.02, "{without} of the pixels are magenta");
}

fn what_is_behind_a_transparent_thing_shows_through_it() {
    // A red rock, more or less transparent: what is seen lies between the sand without it and the rock itself.
    let red = |opacity: Option<f32>| {
        let (folder, path) = scene_file(&format!(
            "
            {SAND}
            [[props]]
            name = \"rock\"
            model = \"rock.ms3d\"
            count = 0
            at = [{}]
            [camera]
            eye_m = [0.0, -1.6, 2.2]
            target_m = [0.0, -2.6, 0.0]
            ",
            if opacity.is_some() { "[0.0, 0.0, 0.0, 1.5]" } else { "" },
        ));
        let boulder = assets::read("boulder.ms3d").expect("it is there");
        let mut document = ms3d::read(boulder, &ms3d::Limits::default()).expect("it is sound").document;
        for material in &mut document.materials {
            (material.texture, material.diffuse) = ("".into(), [0.9, 0.05, 0.05, 1.0]);
            material.transparency = opacity.unwrap_or(1.0);
        }
        fs::write(folder.path().join("rock.ms3d"), ms3d::write(&document).expect("it fits")).expect("written");
        let mut session = session(&options(&path, SMALL, &PLAIN));
        let camera = session.camera(None).expect("a first view");
        let pixels = linear(&mut session, camera, View::Final);
        assert_clean(&session);
        // The middle of the picture, over knobs and cracks.
        let about = |middle: u32| middle - 8..middle + 8;
        let middle = about(SMALL.1 / 2).flat_map(|y| about(SMALL.0 / 2).map(move |x| (y * SMALL.0 + x) as usize));
        let [red, green] = [0, 1].map(|channel| middle.clone().map(|i| f64::from(pixels[i][channel])).sum::<f64>());
        red / green
    };
    let sand = red(None);
    let shares = [0.1, 0.5, 1.0].map(|opacity| red(Some(opacity)));
    let [tenth, half, whole] = shares;
    assert!(whole > 1.5 * sand, "the rock is red: {whole} against {sand}");
    // Half through one sees the far side of the rock too, which light reaches from elsewhere.
    assert!(sand < tenth && tenth < half && half < 1.5 * whole, "{sand} {shares:?}");
}

fn silver_answers_the_sun_as_a_mirror_does() {
    // A sardine with the sun behind the eye: side on it flashes, turned away it does not.
    let side_over_turned = |sheen: Option<&str>| {
        let seen = |yaw: f32| {
            let (folder, path) = scene_file(&format!(
                "
                {SAND}
                sun = {{ elevation_deg = 30.0, azimuth_deg = 90.0 }}
                [[props]]
                name = \"fish\"
                model = \"fish.ms3d\"
                count = 0
                at = [[0.0, 0.0, {yaw:.1}, 1.0]]
                [camera]
                eye_m = [0.0, -2.86, 0.6]
                target_m = [0.0, -2.86, 0.0]
                ",
            ));
            let sardine = assets::read("sardine.ms3d").expect("it is there");
            let mut document = ms3d::read(sardine, &ms3d::Limits::default()).expect("it is sound").document;
            let comments = document.tail.comments.as_mut().expect("materials say more in comments");
            let text = String::from_utf8(comments.model.take().expect("of the model")).expect("ASCII");
            let own = text.split_whitespace().find(|word| word.starts_with("sheen=")).expect("it is silver");
            comments.model = Some(text.replace(own, sheen.unwrap_or(own)).into_bytes());
            fs::write(folder.path().join("fish.ms3d"), ms3d::write(&document).expect("it fits")).expect("written");
            let picture = assets::read("sardine.png").expect("its texture");
            fs::write(folder.path().join("sardine.png"), picture).expect("written");
            let mut session = session(&options(&path, SMALL, &PLAIN));
            let camera = session.camera(None).expect("a first view");
            let pixels = linear(&mut session, camera, View::Final);
            assert_clean(&session);
            // The middle of the flank.
            let at = |x: u32, y: u32| f64::from(pixels[(y * SMALL.0 + x) as usize][1]);
            (70..90).flat_map(|x| (53..60).map(move |y| (x, y))).map(|(x, y)| at(x, y)).sum::<f64>()
        };
        seen(90.0) / seen(50.0)
    };
    let dull = side_over_turned(Some("sheen=0"));
    let silver = side_over_turned(None);
    assert!(silver > 1.3 * dull, "{silver} against {dull} without silver");
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    the_seed_alone_decides_what_is_drawn;
    time_moves_the_picture;
    red_falls_faster_than_blue_with_distance;
    the_waters_own_light_falls_with_depth;
    caustics_dance_about_their_mean_and_a_calm_sea_has_none;
    every_effect_shows;
    clouds_cover_their_share_of_the_sky_above_and_in_the_window_and_none_of_a_uniform_one;
    what_the_water_carries_is_drawn_along_its_way;
    a_photograph_is_sharp_where_it_is_focused;
    a_map_is_shown_though_its_effect_is_switched_off;
    a_missing_texture_is_seen_as_a_checker;
    what_is_behind_a_transparent_thing_shows_through_it;
    silver_answers_the_sun_as_a_mirror_does;
};
