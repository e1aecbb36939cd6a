//! Is this a photograph? Measures by which renderings give themselves away, on the frames that people see first.
//!
//! `make photograph` draws every scene at 1280 x 720, measures it whole and in parts, and writes one page with the crops,
//! `out/photograph/index.html`. What can be measured without these frames is held elsewhere: the fans in
//! `forge`, cover and outlines of rock in `tests/cpu/living_rock.rs`, the places of subjects in `tests/cpu/first_view.rs`, what animals do in `tests/cpu/behaviour.rs`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use image::RgbImage;
use look::{Band, Luma, Rect, anisotropy, black_point, cropped, slope};
use pelagic::runtime::SceneOptions;

use crate::support;

const SIZE: (u32, u32) = (1280, 720);
const TIME_S: f64 = 5.0;
/// The whole picture.
const WHOLE: Rect = [0, 0, SIZE.0, SIZE.1];

/// A measure of a picture.
#[derive(Clone, Copy)]
enum Measure {
    /// Greatest channel below which the darkest hundredth of the pixels lies. Unit: 1/255.
    BlackPoint,
    /// Slope of the power spectrum.
    Slope,
    /// That of its fine part.
    FineSlope,
    /// Share of blocks without any contrast.
    Flat,
    /// Anisotropy of the grain.
    Combed,
    /// Share of the pixels that are yellow-green or pink and not dark: what lives on light.
    Growth,
}

impl Measure {
    fn name(self) -> &'static str {
        match self {
            Self::BlackPoint => "black point, of 255",
            Self::Slope => "spectral slope",
            Self::FineSlope => "spectral slope of details",
            Self::Flat => "share of flat blocks",
            Self::Combed => "anisotropy of the grain",
            Self::Growth => "share of growth",
        }
    }

    fn of(self, picture: &RgbImage) -> f64 {
        let luma = || Luma::of(picture);
        match self {
            Self::BlackPoint => black_point(picture),
            Self::Slope => slope(&luma(), Band::WHOLE),
            Self::FineSlope => slope(&luma(), Band::FINE),
            Self::Flat => luma().flat_share(),
            Self::Combed => anisotropy(&luma()),
            Self::Growth => growth(picture),
        }
    }
}

/// Share of the pixels of at least a twentieth of white whose colour is that of algae (green well above blue, as red is) or of
/// coralline crusts (red and blue well above green).
fn growth(picture: &RgbImage) -> f64 {
    let lives = |pixel: &image::Rgb<u8>| {
        let [r, g, b] = pixel.0.map(f64::from);
        let is_green = g > 1.5 * b && g > 0.9 * r;
        let is_pink = r > 1.25 * g && b > 1.05 * g;
        r.max(g).max(b) > 13.0 && (is_green || is_pink)
    };
    picture.pixels().filter(|pixel| lives(pixel)).count() as f64 / f64::from(picture.width() * picture.height())
}

/// A measure of a part of a scene's frame, and the range in which it must lie.
struct Check {
    scene: &'static str,
    quality: &'static str,
    place: &'static str,
    rect: Rect,
    measure: Measure,
    range: (f64, f64),
}

const fn check(
    (scene, quality): (&'static str, &'static str),
    (place, rect): (&'static str, Rect),
    measure: Measure,
    range: (f64, f64),
) -> Check {
    Check { scene, quality, place, rect, measure, range }
}

/// Slopes of sand: steeper is silk. The gentlest is that of rubble, of which a reef's sand is half.
const SAND: (f64, f64) = (-2.9, -1.9);

/// All checks. Limits were set on pictures that pass for photographs; open water has no detail to be steep by, so that of
/// `open_blue` and of `harbour`'s haze only the black point is asked for.
const CHECKS: &[Check] = &[
    check(("reef", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 22.0)),
    check(("open_blue", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 22.0)),
    check(("kelp", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 22.0)),
    check(("wreck", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 22.0)),
    check(("harbour", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 22.0)),
    check(("storm", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 22.0)),
    check(("reef", "high"), ("the picture", WHOLE), Measure::FineSlope, (-2.9, -2.3)),
    check(("kelp", "high"), ("the picture", WHOLE), Measure::FineSlope, (-2.9, -2.3)),
    check(("wreck", "high"), ("the picture", WHOLE), Measure::FineSlope, (-2.9, -2.2)),
    check(("storm", "high"), ("the picture", WHOLE), Measure::FineSlope, (-2.9, -2.3)),
    check(("reef", "high"), ("sand and rubble", [250, 600, 430, 720]), Measure::Slope, SAND),
    check(("wreck", "high"), ("sand", [300, 580, 560, 710]), Measure::Slope, SAND),
    check(("harbour", "high"), ("sand", [650, 600, 820, 700]), Measure::Slope, SAND),
    check(("lagoon", "high"), ("sand", [300, 560, 560, 700]), Measure::Slope, SAND),
    check(("deep", "high"), ("sand and stones", [760, 640, 900, 700]), Measure::Slope, SAND),
    check(("reef", "high"), ("ceiling", [300, 60, 600, 220]), Measure::Slope, (-2.8, -2.0)),
    check(("reef", "low"), ("window", [525, 4, 590, 40]), Measure::Flat, (0.0, 0.15)),
    check(("reef", "medium"), ("window", [525, 4, 590, 40]), Measure::Flat, (0.0, 0.15)),
    check(("reef", "low"), ("frame of rock", [0, 250, 230, 640]), Measure::Combed, (0.0, 0.3)),
    check(("night_reef", "high"), ("rock", [60, 230, 300, 420]), Measure::Combed, (0.0, 0.3)),
    check(("storm", "high"), ("rock", [860, 480, 960, 560]), Measure::Combed, (0.0, 0.3)),
    check(("deep", "high"), ("ground", [0, 440, 1280, 720]), Measure::Growth, (0.0, 0.05)),
];

/// The first view of a scene, some seconds after its beginning.
fn frame(scene: &str, set: &[&str]) -> RgbImage {
    let options = SceneOptions { ..support::options(scene, SIZE, set) };
    let mut session = support::session(&options);
    let camera = session.camera(None).expect("a first view");
    session.world.set_onlooker(Some(camera.eye));
    session.step_to(TIME_S, 0).expect("not interrupted");
    let rgba = support::picture_from(&mut session, camera);
    let rgb = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    RgbImage::from_raw(SIZE.0, SIZE.1, rgb).expect("three bytes a pixel")
}

/// Draws, measures and reports all of it: minutes.
fn the_page_of_measures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("out/photograph");
    fs::create_dir_all(&folder).expect("a folder");
    let mut frames: BTreeMap<(&str, &str), RgbImage> = BTreeMap::new();
    let (mut rows, mut failed) = (String::new(), Vec::new());
    for (number, Check { scene, quality, place, rect, measure, range }) in CHECKS.iter().enumerate() {
        let picture = frames.entry((scene, quality)).or_insert_with(|| {
            let picture = frame(scene, &[&format!("render.quality={quality}")]);
            picture.save(folder.join(format!("{scene}_{quality}.png"))).expect("written");
            picture
        });
        let crop = cropped(picture, *rect);
        let found = measure.of(&crop);
        let holds = range.0 <= found && found <= range.1;
        let line =
            format!("{scene} at {quality}, {place}: {} {found:.2}, wanted {} to {}", measure.name(), range.0, range.1);
        support::say(&format!("{} {line}", if holds { "holds:" } else { "FAILS:" }));
        let file = format!("{number:02}.png");
        crop.save(folder.join(&file)).expect("written");
        writeln!(
            rows,
            "<figure class={}><img src={file}><figcaption>{line}</figcaption></figure>",
            if holds { "holds" } else { "fails" }
        )
        .expect("into a string");
        failed.extend((!holds).then_some(line));
    }
    let style = "body{font:14px sans-serif;background:#222;color:#ddd}figure{display:inline-block;max-width:640px;\
                 margin:8px;padding:8px;background:#333;border-left:6px solid #4a4}.fails{border-color:#c33}img{max-width:100%}";
    let page = format!(
        "<!doctype html><meta charset=utf-8><title>Is this a photograph?</title><style>{style}</style>\n{rows}"
    );
    fs::write(folder.join("index.html"), page).expect("written");
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), CHECKS.len(), failed.join("\n"));
}

/// Brightness beyond that of everything within a radius, at most: what would be seen as a halo. Unit: 1/255.
const HALO: f64 = 8.0;
/// That radius, about as far as clarity reaches. Unit: pixels.
const RADIUS: i64 = 60;

fn edges_have_no_halos() {
    const CARDS: (u32, u32) = (640, 360);
    let cards = |set: &[&str]| {
        let set = [&["render.quality=high"][..], set].concat();
        let mut session = support::session(&support::options("calibration", CARDS, &set));
        let rgba = support::picture(&mut session);
        let rgb = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
        Luma::of(&RgbImage::from_raw(CARDS.0, CARDS.1, rgb).expect("three bytes a pixel"))
    };
    let plain = cards(&[]);
    let clear = cards(&["post.clarity=0.35", "post.sharpness=0.6"]);
    // Across the cards, which are brighter than the water.
    let y = i64::from(CARDS.1 / 2);
    let (mut worst, mut changed) = (0.0_f64, 0.0_f64);
    for x in 0..i64::from(CARDS.0) {
        let near = || (x - RADIUS..=x + RADIUS).map(|x| plain.at(x, y));
        let (least, most) = near().fold((f64::INFINITY, 0.0_f64), |(least, most), v| (least.min(v), most.max(v)));
        worst = worst.max(clear.at(x, y) - most).max(least - clear.at(x, y));
        changed = changed.max((clear.at(x, y) - plain.at(x, y)).abs());
    }
    assert!(255.0 * worst <= HALO, "{} of 255 beyond everything near", 255.0 * worst);
    assert!(255.0 * changed > 1.0, "the two do something: {}", 255.0 * changed);
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    edges_have_no_halos;
    the_page_of_measures, by_hand;
};
