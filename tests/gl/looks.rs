//! Pictures that stay worth looking at when somebody tweaks a scene: another water, sun, depth, wind or number of animals.
//!
//! Measured are the mean Sobel edge, which falls to nothing where a scene drowns in its water, the span of the luma, and the pixels that
//! are burnt out. `make looks` draws every water of every scene and everything else one at a time into contact sheets in `out/looks`,
//! with a table; the tests here hold some of them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use image::{GenericImage as _, RgbImage};
use pelagic::config::BUILTIN_SCENES;
use pelagic::ocean::WaterType;
use pelagic::render::{Capture, View};
use pelagic::runtime::SceneOptions;

use crate::support;

const SIZE: (u32, u32) = (480, 270);
const TIME_S: f64 = 5.0;

/// Mean Sobel edge of a picture in which something is seen. Of a scene in the water that it was made for: 0.012 to 0.03; of a sheet of
/// green: 0.002.
const MIN_EDGE: f64 = 0.01;
/// Least span of the luma from its 1st to its 99th percentile.
const MIN_SPAN: f64 = 0.35;
/// Most of the pixels that may have a channel at its end: half of what `open_blue`, which looks into the sun, has as it is.
const MAX_BURNT: f64 = 0.05;
/// Visibility from which on something must be seen. Unit: m.
const MIN_VISIBILITY_M: f32 = 3.0;

/// Measures of a picture.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// Mean magnitude of Sobel's gradient, of a luma from 0 to 1, kernels divided by 8.
    edge: f64,
    /// From the 1st to the 99th percentile of the luma.
    span: f64,
    /// Share of the pixels with a channel at 255.
    burnt: f64,
}

impl Look {
    fn of(picture: &RgbImage) -> Self {
        let (width, height) = picture.dimensions();
        let luma: Vec<f64> = picture
            .pixels()
            .map(|p| (0.2126 * f64::from(p[0]) + 0.7152 * f64::from(p[1]) + 0.0722 * f64::from(p[2])) / 255.0)
            .collect();
        let at = |x: i64, y: i64| {
            let (x, y) = (x.clamp(0, i64::from(width) - 1), y.clamp(0, i64::from(height) - 1));
            luma[(y * i64::from(width) + x) as usize]
        };
        let mut sum = 0.0;
        for (y, x) in (0..i64::from(height)).flat_map(|y| (0..i64::from(width)).map(move |x| (y, x))) {
            let row = |dy: i64| at(x - 1, y + dy) + 2.0 * at(x, y + dy) + at(x + 1, y + dy);
            let column = |dx: i64| at(x + dx, y - 1) + 2.0 * at(x + dx, y) + at(x + dx, y + 1);
            sum += ((column(1) - column(-1)) / 8.0).hypot((row(1) - row(-1)) / 8.0);
        }
        let mut sorted = luma.clone();
        sorted.sort_by(f64::total_cmp);
        let quantile = |share: f64| sorted[(share * (sorted.len() - 1) as f64).round() as usize];
        let burnt = picture.pixels().filter(|p| p.0.contains(&255)).count();
        let count = luma.len() as f64;
        Self { edge: sum / count, span: quantile(0.99) - quantile(0.01), burnt: burnt as f64 / count }
    }

    /// Fault of the picture, if it has one.
    fn fault(&self) -> Option<&'static str> {
        match self {
            look if look.edge < MIN_EDGE => Some("nothing to be seen"),
            look if look.span < MIN_SPAN => Some("flat"),
            look if look.burnt > MAX_BURNT => Some("burnt out"),
            _ => None,
        }
    }
}

/// The first view of a scene and how far one sees in it.
fn picture(scene: &str, set: &[&str], fish: Option<u32>) -> (RgbImage, f32) {
    let options = SceneOptions { fish, ..support::options(scene, SIZE, set) };
    let mut session = support::session(&options);
    let camera = session.camera(None).expect("a first view");
    session.world.set_onlooker(Some(camera.eye));
    session.step_to(TIME_S, 0).expect("not interrupted");
    let Capture::Display { width, height, rgba } = session.capture(camera, View::Final, false).expect("drawn") else {
        unreachable!("display pixels were asked for")
    };
    let rgb = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    let picture = RgbImage::from_raw(width, height, rgb).expect("three bytes a pixel");
    (picture, session.config.scene.water.black_disc_m())
}

fn the_measures_are_those_of_known_pictures() {
    let flat = Look::of(&RgbImage::from_pixel(32, 32, image::Rgb([90, 120, 130])));
    assert!(flat.edge < 1e-12 && flat.span < 1e-12 && flat.burnt == 0.0, "{flat:?}");
    // A step of the whole range: two columns of 32 have the gradient of half of it.
    let step = Look::of(&RgbImage::from_fn(32, 32, |x, _| image::Rgb(if x < 16 { [0; 3] } else { [255; 3] })));
    assert!((step.edge - 2.0 * 0.5 / 32.0).abs() < 1e-9 && step.span > 0.99 && step.burnt == 0.5, "{step:?}");
}

fn another_water_leaves_something_to_be_seen() {
    let cases = [
        ("reef", "IB"),
        ("reef", "5C"),
        ("open_blue", "5C"),
        ("wreck", "3C"),
        ("kelp", "3C"),
        ("harbour", "3C"),
        ("lagoon", "3C"),
    ];
    let mut problems = Vec::new();
    for (scene, kind) in cases {
        let (picture, visibility_m) = picture(scene, &[&format!("water.type={kind}")], None);
        let look = Look::of(&picture);
        if visibility_m >= MIN_VISIBILITY_M
            && let Some(fault) = look.fault()
        {
            problems.push(format!("{scene} in {kind}: {fault}, {look:?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn another_depth_takes_the_view_along() {
    for depth in ["seabed.depth_m=3", "seabed.depth_m=25"] {
        let (picture, _) = picture("reef", &[depth], None);
        let look = Look::of(&picture);
        assert_eq!(look.fault(), None, "{depth}: {look:?}");
    }
}

/// One change of a scene: what it is called, what is set, how many fish.
type Tweak = (String, Vec<String>, Option<u32>);

/// Draws a scene under each of them into a contact sheet, a line each into the table.
fn sheet(name: &str, tweaks: &[(&str, Tweak)], columns: u32, table: &mut String) {
    let rows = (tweaks.len() as u32).div_ceil(columns);
    let mut sheet = RgbImage::new(columns * SIZE.0, rows * SIZE.1);
    for ((scene, (label, set, fish)), place) in tweaks.iter().zip(0..) {
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let (picture, visibility_m) = picture(scene, &set, *fish);
        let look = Look::of(&picture);
        let Look { edge, span, burnt } = look;
        let fault = look.fault().filter(|_| visibility_m >= MIN_VISIBILITY_M).unwrap_or_default();
        writeln!(
            table,
            "{scene:11} {label:8} {visibility_m:5.1} m  edge {edge:.4}  span {span:.2}  burnt {:4.1} %  {fault}",
            100.0 * burnt
        )
        .expect("into a string");
        eprint!("{}", table.lines().last().map_or(String::new(), |line| format!("{line}\n")));
        sheet.copy_from(&picture, place % columns * SIZE.0, place / columns * SIZE.1).expect("it has room");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("out/looks");
    fs::create_dir_all(&folder).expect("a folder");
    sheet.save(folder.join(format!("{name}.png"))).expect("written");
}

/// Contact sheets of everything: minutes. `LOOKS=reef,wreck` draws these scenes alone.
fn contact_sheets() {
    let mut table = String::new();
    let chosen = std::env::var("LOOKS").unwrap_or_default();
    let scenes = BUILTIN_SCENES.iter().map(|scene| scene.name);
    let scenes =
        scenes.filter(|name| *name != "calibration" && (chosen.is_empty() || chosen.split(',').any(|c| c == *name)));
    for scene in scenes {
        let plain = (scene, ("as it is".to_owned(), Vec::new(), None));
        let waters =
            WaterType::JERLOV.map(|kind| (scene, (kind.to_string(), vec![format!("water.type={kind}")], None)));
        let all: Vec<_> = std::iter::once(plain).chain(waters).collect();
        sheet(&format!("waters_{scene}"), &all, 4, &mut table);
    }
    let set = |key: &str, values: &[f32]| -> Vec<(&'static str, Tweak)> {
        let tweak = |value: &f32| {
            let word = key.rsplit('.').next().unwrap_or(key);
            ("reef", (format!("{} {value}", &word[..word.len().min(4)]), vec![format!("{key}={value}")], None))
        };
        values.iter().map(tweak).collect()
    };
    let counts = [0, 2000, 30_000].map(|fish| ("reef", (format!("{fish} fish"), Vec::new(), Some(fish))));
    let others: Vec<_> = [
        set("sun.elevation_deg", &[5.0, 12.0, 30.0, 60.0, 85.0]),
        set("seabed.depth_m", &[2.0, 5.0, 15.0, 40.0]),
        set("waves.wind_m_s", &[0.0, 8.0, 14.0, 20.0]),
        counts.to_vec(),
    ]
    .concat();
    if chosen.is_empty() || chosen == "tweaks" {
        sheet("tweaks_reef", &others, 4, &mut table);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("out/looks");
    fs::write(folder.join("table.txt"), &table).expect("written");
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    the_measures_are_those_of_known_pictures;
    another_water_leaves_something_to_be_seen;
    another_depth_takes_the_view_along;
    contact_sheets, by_hand;
};
