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
use pelagic::config::BUILTIN_SCENES;
use pelagic::render::{Capture, View};
use pelagic::runtime::SceneOptions;
use pelagic::runtime::offscreen::Session;
use pelagic::view::{Camera, RenderScene};

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
    check(("reef", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 36.0)),
    check(("open_blue", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 42.0)),
    check(("kelp", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 28.0)),
    check(("wreck", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 28.0)),
    check(("harbour", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 28.0)),
    check(("storm", "high"), ("the picture", WHOLE), Measure::BlackPoint, (0.0, 36.0)),
    check(("reef", "high"), ("the picture", WHOLE), Measure::FineSlope, (-2.9, -2.3)),
    check(("kelp", "high"), ("the picture", WHOLE), Measure::FineSlope, (-2.9, -2.3)),
    // A school of large fish before the lens adds broad shapes, beside which details count for less.
    check(("wreck", "high"), ("the picture", WHOLE), Measure::FineSlope, (-3.1, -2.2)),
    check(("storm", "high"), ("the picture", WHOLE), Measure::FineSlope, (-2.9, -2.3)),
    check(("reef", "high"), ("sand and rubble", [250, 600, 430, 720]), Measure::Slope, SAND),
    check(("wreck", "high"), ("sand", [300, 580, 560, 710]), Measure::Slope, SAND),
    check(("harbour", "high"), ("sand", [650, 600, 820, 700]), Measure::Slope, SAND),
    check(("lagoon", "high"), ("sand", [300, 560, 560, 700]), Measure::Slope, SAND),
    check(("deep", "high"), ("mud and stones", [860, 610, 1010, 700]), Measure::Slope, SAND),
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

/// Large animals before their backgrounds: the limits of what is looked at.
mod large {
    /// Size of pictures. Unit: px.
    pub const SIZE: (u32, u32) = (480, 270);
    /// Moments at which one looks. Unit: s.
    pub const MOMENTS_S: [f64; 4] = [0.0, 5.0, 15.0, 30.0];
    /// Least length of an animal, and least share of the picture's width that it covers. Unit: m, 1.
    pub const LENGTH_M: f32 = 0.7;
    pub const WIDTH: f32 = 0.03;
    /// Least number of pixels of an animal of which the rest is hidden.
    pub const LEAST_PX: usize = 40;
    /// Width of the ring about an animal, as a share of its extent on the screen.
    pub const RING: f32 = 0.2;
    /// Mean difference in luma between an animal and what is behind it that is asked for.
    pub const CONTRAST: f64 = 0.1;
    /// Least contrast in scenes where some animal has less than that: a little under its worst.
    pub const TODAY: [(&str, f64); 8] = [
        ("reef", 0.035),
        ("open_blue", 0.012),
        ("kelp", 0.033),
        ("wreck", 0.011),
        ("harbour", 0.08),
        ("storm", 0.01),
        ("night_reef", 0.027),
        ("deep", 0.05),
    ];
    /// Distance at which the water has taken four fifths of the contrast, over that at which a black disc is just seen:
    /// ln 5 over 4.8. What is farther is haze by right, and is excused.
    pub const NEAR: f32 = 1.609 / 4.8;
}

/// A large animal in a picture.
struct Seen {
    name: String,
    distance_m: f32,
    /// Mean luma of its pixels, and of the ring about them.
    own: f64,
    around: f64,
    /// Mean difference in luma from what is behind it.
    contrast: f64,
}

/// Distances of what is seen (m), and luma.
fn seen(session: &mut Session, frame: &RenderScene) -> (Vec<f32>, Luma) {
    let distances = match session.renderer.capture(frame, View::Depth, true).expect("drawn") {
        Capture::Linear { rgb, .. } => rgb.chunks_exact(3).map(|p| p[0]).collect(),
        Capture::Display { .. } => unreachable!("linear values were asked for"),
    };
    let rgb = match session.renderer.capture(frame, View::Final, false).expect("drawn") {
        Capture::Display { rgba, .. } => rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect(),
        Capture::Linear { .. } => unreachable!("display pixels were asked for"),
    };
    (distances, Luma::of(&RgbImage::from_raw(large::SIZE.0, large::SIZE.1, rgb).expect("three bytes a pixel")))
}

/// Large animals that are near and in the picture: each against the same moment without it.
fn large_animals(session: &mut Session, camera: Camera, near_m: f32) -> Vec<Seen> {
    let mut frame = RenderScene::default();
    session.world.extract(1.0, camera, &mut frame);
    let mut without = frame.clone();
    session.world.leave_out_animals(&mut without);
    let of_animals = without.batches.iter().take_while(|batch| batch.instances.is_empty()).count();
    let models = session.world.static_scene().models.clone();
    let mut found = Vec::new();
    let mut whole = None;
    for batch in 0..of_animals {
        let model = &models[frame.batches[batch].model];
        let size = model.bounds.max - model.bounds.min;
        for number in 0..frame.batches[batch].instances.len() {
            let one = frame.batches[batch].instances[number];
            let middle = one.position + one.rotation * (model.bounds.center() * one.scale);
            let (length_m, distance_m) = (size.z * one.scale, middle.distance(camera.eye));
            let width = length_m / (2.0 * distance_m * (0.5 * camera.fov_y).tan() * 16.0 / 9.0);
            let to = camera.orientation.inverse() * (middle - camera.eye);
            let is_aside = to.x.abs().max(to.y.abs()) - length_m > -to.z * 16.0 / 9.0;
            if length_m < large::LENGTH_M || width < large::WIDTH || is_aside || distance_m > near_m {
                continue;
            }
            let (with, luma) = whole.get_or_insert_with(|| seen(session, &frame));
            let mut rest = frame.clone();
            rest.batches[batch].instances.remove(number);
            let (without, behind) = seen(session, &rest);
            let own: Vec<bool> = with.iter().zip(&without).map(|(with, without)| without - *with > 0.02).collect();
            let differences = (0..own.len()).filter(|&i| own[i]).map(|i| (luma.values[i] - behind.values[i]).abs());
            let contrast = differences.clone().sum::<f64>() / differences.count().max(1) as f64;
            let name = model.name.clone();
            let means = means_about(luma, &own);
            found.extend(means.map(|(own, around)| Seen { name, distance_m, own, around, contrast }));
        }
    }
    found
}

/// Mean luma of the pixels of `own`, and of the ring about them; `None` where it is small or hidden.
fn means_about(luma: &Luma, own: &[bool]) -> Option<(f64, f64)> {
    let (width, height) = (luma.width, luma.height());
    let places: Vec<(usize, usize)> = (0..own.len()).filter(|&i| own[i]).map(|i| (i % width, i / width)).collect();
    let span = |axis: fn(&(usize, usize)) -> usize| {
        let (low, high) = (places.iter().map(axis).min()?, places.iter().map(axis).max()?);
        Some(high - low + 1)
    };
    let extent = span(|place| place.0)?.max(span(|place| place.1)?) as f32;
    if places.len() < large::LEAST_PX || extent < large::WIDTH * width as f32 {
        return None;
    }
    let reach = (large::RING * extent).max(3.0) as usize;
    let mut near = vec![false; own.len()];
    for &(x, y) in &places {
        for row in y.saturating_sub(reach)..=(y + reach).min(height - 1) {
            let half = ((reach * reach - row.abs_diff(y).pow(2)) as f32).sqrt() as usize;
            near[row * width + x.saturating_sub(half)..=row * width + (x + half).min(width - 1)].fill(true);
        }
    }
    let mean = |of: &dyn Fn(usize) -> bool| {
        let values = (0..own.len()).filter(|&i| of(i)).map(|i| luma.values[i]);
        values.clone().sum::<f64>() / values.count().max(1) as f64
    };
    Some((mean(&|i| own[i]), mean(&|i| near[i] && !own[i])))
}

/// Asks of each scene that no large animal melts into what is behind it, more than it does today.
///
/// Asked for is a contrast of [`large::CONTRAST`]. [`large::TODAY`] has the scenes that fall short of it: mostly sharks, tunas,
/// dolphins and mantas a dozen metres off, whose backs are made not to be seen.
///
/// Two kinds are excused. Animals farther off than the distance at which the water takes four fifths of all contrast are haze in
/// any photograph. And animals that are dark before the dark, as dark as the ring about them, cannot have it.
///
/// `SCENES=reef,storm` looks at these alone.
fn large_animals_stand_out() {
    let only = std::env::var("SCENES").unwrap_or_default();
    let is_meant = |name: &&str| *name != "calibration" && (only.is_empty() || only.split(',').any(|one| one == *name));
    let mut lost = Vec::new();
    for scene in BUILTIN_SCENES.iter().map(|scene| scene.name).filter(is_meant) {
        let mut session = support::session(&support::options(scene, large::SIZE, &["render.quality=high"]));
        let near_m = large::NEAR * session.config.scene.water.black_disc_m();
        let least = large::TODAY.iter().find(|(name, _)| *name == scene).map_or(large::CONTRAST, |(_, today)| *today);
        let camera = session.camera(None).expect("a first view");
        session.world.set_onlooker(Some(camera.eye));
        session.world.set_torches(Some(&camera));
        let (mut steps, mut worst): (_, Option<(f64, String)>) = (0, None);
        let (mut count, mut clear) = (0, 0);
        for moment_s in large::MOMENTS_S {
            steps = session.step_to(moment_s, steps).expect("not interrupted");
            for Seen { name, distance_m, own, around, contrast } in large_animals(&mut session, camera, near_m) {
                if own.max(around) < large::CONTRAST {
                    continue;
                }
                let line = format!(
                    "{scene} at {moment_s} s: {name} {distance_m:.1} m off (of {near_m:.1}) stands out by {contrast:.3}, \
                     {own:.3} amid {around:.3}"
                );
                (count, clear) = (count + 1, clear + usize::from(contrast >= large::CONTRAST));
                if contrast < large::CONTRAST {
                    support::say(&line);
                }
                if worst.as_ref().is_none_or(|(least, _)| contrast < *least) {
                    worst = Some((contrast, line.clone()));
                }
                lost.extend((contrast < least).then_some(line));
            }
        }
        let worst = worst.map_or_else(|| format!("none in {scene}"), |(_, line)| line);
        support::say(&format!("{scene}: {clear} of {count} stand out by {}; the worst: {worst}", large::CONTRAST));
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    edges_have_no_halos;
    large_animals_stand_out, by_hand;
    the_page_of_measures, by_hand;
};
