//! The built-in scenes as pictures: what was drawn when someone last looked and said that it is right. All of them at the
//! low tier, and those of [`SEEN_AT_EVERY_TIER`] at all others.
//!
//! `UPDATE_GOLDEN=1 LIBGL_ALWAYS_SOFTWARE=1 cargo test --test gl golden` writes the references, on llvmpipe only, which
//! every machine has. A picture that differs leaves itself and the difference in `target/golden/`.
//!
//! Where the driver is the very one that drew the references ([`DRAWN_BY`]) few pixels may differ, and little. Another
//! version of llvmpipe rounds otherwise, and animals go their own way after a while: pictures are of the beginning, and there
//! the means of [blocks](BLOCK) count, in which edges do not matter but an animal, a texture or a hue does.
//! On anything else the comparison is skipped, loudly. Without a usable OpenGL it is skipped too. With `REQUIRE_GL=1` both
//! are failures.

use std::fs;
use std::path::{Path, PathBuf};

use image::{Rgb, RgbImage};
use image_compare::Algorithm;
use pelagic::config::BUILTIN_SCENES;
use pelagic::render::{Capture, Quality, RenderChange, RenderSettings, View};
use pelagic::runtime::offscreen::Session;

use crate::support;

/// Small, for they are committed: most animals are some blocks large.
const SIZE: (u32, u32) = (192, 108);
/// Soon enough that rounding has not yet led an animal elsewhere, late enough that all have moved. Unit: s.
const TIME_S: f64 = 0.5;

/// Name, scene and settings. Between them they have whatever a tier adds: shafts, caustics, animals and plants; a lamp, the
/// moon and what glows; the surface from below; clouds, foam and the sea from above.
const SEEN_AT_EVERY_TIER: [(&str, &str, &[&str]); 4] = [
    ("reef", "reef", &[]),
    ("night_reef", "night_reef", &[]),
    ("lagoon", "lagoon", &[]),
    ("storm_above", "storm", &["camera.eye_m=[0.0,1.6,6.0]", "camera.target_m=[0.0,0.6,-6.0]"]),
];

/// The file beside the references that names the driver they were drawn by.
const DRAWN_BY: &str = "drawn-by.txt";

/// Allowed difference of a picture from its reference.
#[derive(Clone, Copy, Debug)]
struct Tolerance {
    /// Share of the pixels of which a channel differs by more than [`STEP`].
    pixels: f64,
    /// Mean difference of the channels. Unit: 1/255.
    mean: f64,
    /// Least structural similarity (SSIM) of the brightness, 1 for equal pictures. Of single channels it would say
    /// much about the last bits of a red that the water has all but taken.
    structure: f64,
    /// Share of the blocks of which a channel's mean differs by more than [`STEP`].
    blocks: f64,
    /// Difference of a channel's mean over the picture. Unit: 1/255.
    tint: f64,
}

/// A difference of a channel that counts.
const STEP: u8 = 8;
/// Pixels of a block's side.
const BLOCK: u32 = 6;

const SAME_DRIVER: Tolerance = Tolerance { pixels: 0.001, mean: 0.5, structure: 0.98, blocks: 0.0, tint: 0.5 };
/// Without AVX (`GALLIUM_OVERRIDE_CPU_CAPS=sse4.1`) 0.00015, 0.03, 0.9989, 0 and 0.003 were found.
const OTHER_LLVMPIPE: Tolerance = Tolerance { pixels: 0.05, mean: 1.0, structure: 0.95, blocks: 0.006, tint: 0.5 };

fn the_scenes_look_as_they_did() {
    let mut problems = Vec::new();
    for scene in BUILTIN_SCENES.iter().map(|scene| scene.name) {
        let mut session = support::session(&support::options(scene, SIZE, &[]));
        session.step_to(TIME_S, 0).expect("not interrupted");
        problems.extend(check(scene, &mut session));
    }
    assert_none(&problems);
}

fn every_tier_looks_as_it_did() {
    let mut problems = Vec::new();
    for (name, scene, set) in SEEN_AT_EVERY_TIER {
        let mut session = support::session(&support::options(scene, SIZE, set));
        session.step_to(TIME_S, 0).expect("not interrupted");
        for (tier, quality) in [("medium", Quality::Medium), ("high", Quality::High), ("ultra", Quality::Ultra)] {
            let render = RenderSettings { quality, ..session.config.render.clone() };
            let static_scene = Some(session.world.static_scene());
            let change = RenderChange { static_scene, render: Some(&render), ..RenderChange::default() };
            session.renderer.apply(&change).expect("a tier like any other");
            problems.extend(check(&format!("{name}-{tier}"), &mut session));
        }
    }
    assert_none(&problems);
}

fn an_animal_that_is_missing_and_another_hue_are_found_on_any_driver() {
    for change in ["species.angelfish.count=0", "post.saturation=0.78"] {
        let mut session = support::session(&support::options("lagoon", SIZE, &[change]));
        session.step_to(TIME_S, 0).expect("not interrupted");
        let reference = read(&folder().join("lagoon.png"));
        compare(reference, &draw(&mut session), OTHER_LLVMPIPE, &output().join("changed")).expect_err(change);
    }
}

fn assert_none(problems: &[String]) {
    assert!(
        problems.is_empty(),
        "\n{}\nIf it is right as it is now: UPDATE_GOLDEN=1 LIBGL_ALWAYS_SOFTWARE=1 cargo test --test gl golden\n",
        problems.join("\n")
    );
}

/// Draws the first view and compares it with the reference called `name`, or makes it that; says what is wrong.
fn check(name: &str, session: &mut Session) -> Option<String> {
    let drawn = draw(session);
    let device = session.context.device();
    let tolerance = update_or_tolerance(name, &drawn, &format!("{}, OpenGL {}", device.renderer, device.version))?;
    let reference = folder().join(format!("{name}.png"));
    let wrong = compare(read(&reference), &drawn, tolerance, &output().join(name)).err()?;
    Some(format!("{}: {wrong}", reference.display()))
}

/// The first view.
fn draw(session: &mut Session) -> RgbImage {
    let camera = session.camera(None).expect("a first view");
    let drawn = match session.capture(camera, View::Final, false).expect("drawn") {
        Capture::Display { width, height, rgba } => {
            let rgb = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
            RgbImage::from_raw(width, height, rgb).expect("three bytes a pixel")
        }
        Capture::Linear { .. } => unreachable!("display pixels were asked for"),
    };
    support::assert_clean(session);
    drawn
}

/// Writes the reference if asked to; else how it is to be compared, `None` if not at all.
fn update_or_tolerance(name: &str, drawn: &RgbImage, driver: &str) -> Option<Tolerance> {
    let is_llvmpipe = driver.contains("llvmpipe");
    if std::env::var("UPDATE_GOLDEN").is_ok_and(|value| value == "1") {
        assert!(is_llvmpipe, "references are drawn by llvmpipe (LIBGL_ALWAYS_SOFTWARE=1), not by {driver}");
        fs::create_dir_all(folder()).expect("the folder of the references");
        drawn.save(folder().join(format!("{name}.png"))).expect("written");
        fs::write(folder().join(DRAWN_BY), format!("{driver}\n")).expect("written");
        support::say(&format!("UPDATED: {}", folder().join(format!("{name}.png")).display()));
        return None;
    }
    if !is_llvmpipe {
        support::skip(&format!("{name} is compared on llvmpipe only (LIBGL_ALWAYS_SOFTWARE=1), not on {driver}"));
    }
    let drawn_by = fs::read_to_string(folder().join(DRAWN_BY)).unwrap_or_default();
    if drawn_by.trim() == driver {
        return Some(SAME_DRIVER);
    }
    support::say(&format!(
        "{name}: only the structure is compared: the reference is by '{}', this is {driver}",
        drawn_by.trim()
    ));
    Some(OTHER_LLVMPIPE)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn output() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/golden")
}

fn read(path: &Path) -> Option<RgbImage> {
    path.exists().then(|| image::open(path).expect("the reference is a PNG").into_rgb8())
}

/// The difference of `drawn`, which is then left beside `output` as `-actual.png` and, if it can be told, the
/// difference, eight times as strong, as `-diff.png`.
fn compare(reference: Option<RgbImage>, drawn: &RgbImage, tolerance: Tolerance, output: &Path) -> Result<(), String> {
    let beside = |what: &str| {
        let name = output.file_name().expect("a name").to_string_lossy();
        output.with_file_name(format!("{name}-{what}.png"))
    };
    let keep = |what: &str, image: &RgbImage| {
        fs::create_dir_all(output.parent().expect("a folder")).expect("made");
        image.save(beside(what)).expect("written");
        beside(what).display().to_string()
    };
    let Some(reference) = reference else {
        return Err(format!("there is no reference; {} is what was drawn", keep("actual", drawn)));
    };
    if reference.dimensions() != drawn.dimensions() {
        let (is, was) = (drawn.dimensions(), reference.dimensions());
        return Err(format!("is {was:?} pixels, {} is {is:?}", keep("actual", drawn)));
    }
    let similarity = |algorithm: Algorithm| {
        let grey = |image: &RgbImage| image::DynamicImage::from(image.clone()).into_luma8();
        image_compare::gray_similarity_structure(&algorithm, &grey(&reference), &grey(drawn))
            .expect("equal sizes")
            .score
    };
    let pairs = || reference.pixels().zip(drawn.pixels());
    let count = f64::from(reference.width() * reference.height());
    let far = pairs().filter(|(a, b)| a.0.iter().zip(b.0).any(|(x, y)| x.abs_diff(y) > STEP)).count();
    let sum: u64 = pairs().flat_map(|(a, b)| [0, 1, 2].map(|i| u64::from(a[i].abs_diff(b[i])))).sum();
    let [was, is] = [&reference, drawn].map(|image| means(image, BLOCK));
    let apart = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
    let far_blocks = was.iter().zip(&is).filter(|pair| apart(*pair) > f64::from(STEP)).count();
    let [whole_was, whole_is] = [&reference, drawn].map(|image| means(image, u32::MAX));
    let found = Tolerance {
        pixels: far as f64 / count,
        mean: sum as f64 / (3.0 * count),
        structure: similarity(Algorithm::MSSIMSimple),
        blocks: far_blocks as f64 / was.len() as f64,
        tint: apart((&whole_was[0], &whole_is[0])),
    };
    let fine = found.pixels <= tolerance.pixels
        && found.mean <= tolerance.mean
        && found.structure >= tolerance.structure
        && found.blocks <= tolerance.blocks
        && found.tint <= tolerance.tint;
    if fine {
        return Ok(());
    }
    let mut difference = RgbImage::new(drawn.width(), drawn.height());
    for ((a, b), out) in pairs().zip(difference.pixels_mut()) {
        *out = Rgb([0, 1, 2].map(|i| a[i].abs_diff(b[i]).saturating_mul(8)));
    }
    Err(format!(
        "{found:?}, RMS similarity {:.4}, where {tolerance:?} is allowed; see {} and {}",
        similarity(Algorithm::RootMeanSquared),
        keep("actual", drawn),
        keep("diff", &difference)
    ))
}

/// Mean colour of each block, row by row.
fn means(image: &RgbImage, side: u32) -> Vec<[f64; 3]> {
    let (width, height) = image.dimensions();
    let (side_x, side_y) = (side.min(width), side.min(height));
    let across = width.div_ceil(side_x);
    let mut sums = vec![([0.0; 3], 0.0); (across * height.div_ceil(side_y)) as usize];
    for (x, y, pixel) in image.enumerate_pixels() {
        let (sum, count) = &mut sums[(y / side_y * across + x / side_x) as usize];
        (0..3).for_each(|k| sum[k] += f64::from(pixel[k]));
        *count += 1.0;
    }
    sums.into_iter().map(|(sum, count)| sum.map(|channel| channel / count)).collect()
}

/// Something with structure: a slope of brightness with bars.
fn pattern() -> RgbImage {
    RgbImage::from_fn(SIZE.0, SIZE.1, |x, y| {
        let bar = if (x / 9 + y / 7) % 2 == 0 { 40 } else { 0 };
        Rgb([(x / 2) as u8 + bar, (y / 2) as u8 + bar, 60 + bar])
    })
}

fn a_comparison_finds_what_people_would_see() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |drawn: &RgbImage, tolerance| compare(Some(pattern()), drawn, tolerance, &folder.path().join("p"));
    let with = |change: &dyn Fn(u32, u32, &mut Rgb<u8>)| {
        let mut image = pattern();
        image.enumerate_pixels_mut().for_each(|(x, y, pixel)| change(x, y, pixel));
        image
    };
    check(&pattern(), SAME_DRIVER).expect("equal pictures");
    let noise = with(&|x, y, p| p[1] += u8::from((x + y).is_multiple_of(3)));
    check(&noise, SAME_DRIVER).expect("the last bit of a third of the pixels");
    assert!(!folder.path().join("p-actual.png").exists(), "nothing is left by what is fine");

    let brighter = with(&|_, _, p| p.0 = p.0.map(|c| c + 2));
    check(&brighter, SAME_DRIVER).expect_err("all a little brighter");
    let within = |x: u32, y: u32| (100..116).contains(&x) && (60..76).contains(&y);
    let missing = with(&|x, y, p| *p = if within(x, y) { Rgb([95, 95, 95]) } else { *p });
    let black_thing = with(&|x, y, p| *p = if within(x, y) { Rgb([0; 3]) } else { *p });
    let other_hue = with(&|x, y, p| p[0] += if within(x, y) { 24 } else { 0 });
    let tinted = with(&|_, _, p| p[2] += 3);
    let black = with(&|_, _, p| *p = Rgb([0; 3]));
    let seen =
        [(missing, "a small thing gone"), (black_thing, "a texture black"), (other_hue, "a thing of another hue")];
    for (drawn, what) in seen.into_iter().chain([(tinted, "all of another hue"), (black, "black")]) {
        check(&drawn, SAME_DRIVER).expect_err(what);
        check(&drawn, OTHER_LLVMPIPE).expect_err(&format!("{what}, on any driver"));
    }
    // Edges fall on other pixels elsewhere.
    let shifted = RgbImage::from_fn(SIZE.0, SIZE.1, |x, y| *pattern().get_pixel((x + 1).min(SIZE.0 - 1), y));
    check(&shifted, SAME_DRIVER).expect_err("all a pixel to the left");
    assert!(folder.path().join("p-actual.png").exists() && folder.path().join("p-diff.png").exists());
}

fn a_reference_that_is_missing_or_of_another_size_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("p");
    let missing = compare(None, &pattern(), OTHER_LLVMPIPE, &output).expect_err("missing");
    assert!(missing.contains("there is no reference"), "{missing}");
    let small = compare(Some(RgbImage::new(16, 16)), &pattern(), OTHER_LLVMPIPE, &output).expect_err("small");
    assert!(small.contains("(16, 16)") && small.contains("(192, 108)"), "{small}");
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    the_scenes_look_as_they_did;
    every_tier_looks_as_it_did;
    an_animal_that_is_missing_and_another_hue_are_found_on_any_driver;
    a_comparison_finds_what_people_would_see;
    a_reference_that_is_missing_or_of_another_size_fails;
};
