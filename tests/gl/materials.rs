//! Materials of other people's files: alike at every tier, and as their author made them.
//!
//! Each is a box with a chequer of two greens, in clear water before the camera, as an animal that is bent in a wave and as
//! a thing that stands still. Without a usable OpenGL these tests are skipped; with `REQUIRE_GL=1` that is a failure.

use std::fmt::Write as _;
use std::path::Path;

use glam::Vec3;
use image::{ExtendedColorType, ImageEncoder as _};
use pelagic::gl::{Dialect, debug};
use pelagic::model::ModelRequest;
use pelagic::render::{Effects, Quality, RenderChange, RenderSettings, ShaderSource, Studio, View};
use pelagic::runtime::files::load_model;
use pelagic::runtime::offscreen::Session;
use serde_json::{Value, json};

use crate::support::models::{boxes, data_uri};
use crate::support::{assert_clean, context_in, linear, options, session, session_in};

const SIZE: (u32, u32) = (96, 54);
/// Side of the textures in texels; they are chequers of cells half as wide.
const SIDE: u32 = 16;
/// All maps that a material may have, each of two kinds of cells.
const MAPS: [(&str, [[u8; 4]; 2]); 6] = [
    ("green", [[20, 200, 40, 255], [10, 120, 20, 255]]),
    ("half", [[20, 200, 40, 100], [10, 120, 20, 100]]),
    ("metal_in_part", [[0, 130, 255, 255], [0, 200, 0, 255]]),
    ("glow", [[0, 255, 0, 255], [0, 0, 0, 255]]),
    ("relief", [[90, 128, 250, 255], [160, 128, 250, 255]]),
    ("black", [[0, 0, 0, 255], [0, 0, 0, 255]]),
];

fn png(cells: [[u8; 4]; 2]) -> Vec<u8> {
    let cell = |i: u32| cells[((i % SIDE / (SIDE / 2) + i / SIDE / (SIDE / 2)) % 2) as usize];
    let rgba: Vec<u8> = (0..SIDE * SIDE).flat_map(cell).collect();
    let mut bytes = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    encoder.write_image(&rgba, SIDE, SIDE, ExtendedColorType::Rgba8).expect("encoded");
    bytes
}

/// Index of a map among the file's textures.
fn map(name: &str) -> Value {
    let index = MAPS.iter().position(|(known, _)| *known == name).expect("a map");
    json!({ "index": index })
}

/// A box of one material, a unit on each side but longer from nose to tail, as a file.
fn write_box(folder: &Path, name: &str, material: &Value) {
    let mut file = boxes(&[(Vec3::ZERO, Vec3::new(0.5, 0.5, 0.8))], material);
    file["textures"] = (0..MAPS.len()).map(|index| json!({ "source": index })).collect();
    file["images"] = MAPS.iter().map(|(_, cells)| json!({ "uri": data_uri("image/png", &png(*cells)) })).collect();
    std::fs::write(folder.join(format!("{name}.gltf")), file.to_string()).expect("written");
}

/// The materials.
fn materials() -> [(&'static str, Value); 7] {
    let surface = |metallic: f32, roughness: f32| json!({ "baseColorTexture": map("green"), "metallicFactor": metallic, "roughnessFactor": roughness });
    [
        ("plain", json!({ "pbrMetallicRoughness": surface(0.0, 0.7) })),
        ("metal", json!({ "pbrMetallicRoughness": surface(1.0, 0.7) })),
        (
            "metal_in_part",
            json!({ "pbrMetallicRoughness": {
                "baseColorTexture": map("green"), "metallicRoughnessTexture": map("metal_in_part")
            } }),
        ),
        (
            "black_glow",
            json!({
                "pbrMetallicRoughness": surface(0.0, 0.7),
                "emissiveFactor": [1, 1, 1],
                "emissiveTexture": map("black"),
            }),
        ),
        (
            "glow",
            json!({
                "pbrMetallicRoughness": surface(0.0, 0.7),
                "emissiveFactor": [1, 1, 1],
                "emissiveTexture": map("glow"),
            }),
        ),
        ("relief", json!({ "pbrMetallicRoughness": surface(0.0, 0.7), "normalTexture": map("relief") })),
        (
            "half",
            json!({
                "pbrMetallicRoughness": { "baseColorTexture": map("half"), "metallicFactor": 0, "roughnessFactor": 0.7 },
                "alphaMode": "BLEND",
            }),
        ),
    ]
}

/// A scene with `name` in the middle of the picture.
fn scene(name: &str, is_animal: bool) -> String {
    let mut text =
        "[water]\ntype = \"I\"\n[camera]\neye_m = [2.2, -2.0, 0.0]\ntarget_m = [0.0, -2.6, 0.0]\n".to_owned();
    let _ = if is_animal {
        write!(
            text,
            "[[species]]\nname = \"it\"\nmodel = \"{name}.gltf\"\nlength_m = 1.2\nlength_spread = 0\ncolour_spread = 0\n\
             card = \"none\"\nbehaviour = \"still\"\ndepth_m = [2.5, 2.6]\npath_m = [[0.0, -2.6, 0.0]]\n"
        )
    } else {
        write!(
            text,
            "[seabed]\ndepth_m = 3.1\n[[props]]\nname = \"it\"\nmodel = \"{name}.gltf\"\nsize_m = 1.2\nsink = 0\nat = [[0.0, 0.0, 0.0, 1.2]]\n"
        )
    };
    text
}

/// Mean radiance in the middle of the picture, at each tier; in OpenGL ES it is only seen to be drawn.
fn at_tiers(folder: &Path, name: &str, is_animal: bool) -> [[f32; 3]; 4] {
    let path = folder.join("scene.toml");
    std::fs::write(&path, scene(name, is_animal)).expect("written");
    let options = options(path.to_str().expect("UTF-8"), SIZE, &[]);
    at_tiers_in(session_in(Dialect::Es300, &options), name);
    at_tiers_in(session_in(Dialect::Core330, &options), name)
}

fn at_tiers_in(mut session: Session, name: &str) -> [[f32; 3]; 4] {
    session.step_to(0.5, 0).expect("not interrupted");
    let home = session.camera(None).expect("a first view");
    // Effects that differ from tier to tier by themselves.
    let effects = Effects {
        caustics: false,
        shadows: false,
        shafts: false,
        particles: false,
        bloom: false,
        ..Effects::default()
    };
    [Quality::Low, Quality::Medium, Quality::High, Quality::Ultra].map(|quality| {
        let usual = RenderSettings { quality, effects, ..session.config.render.clone() };
        let change = RenderChange { render: Some(&usual), ..RenderChange::default() };
        session.renderer.apply(&change).unwrap_or_else(|error| panic!("{name} at {quality:?}: {error}"));
        let seen = linear(&mut session, home, View::Final);
        assert_clean(&session);
        let (width, height) = SIZE;
        let middle = |i: &usize| {
            let (x, y) = (*i as u32 % width, *i as u32 / width);
            x.abs_diff(width / 2) < width / 10 && y.abs_diff(height / 2) < height / 10
        };
        let chosen: Vec<[f32; 3]> = (0..seen.len()).filter(middle).map(|i| seen[i]).collect();
        let mean = |channel: usize| chosen.iter().map(|pixel| pixel[channel]).sum::<f32>() / chosen.len() as f32;
        [mean(0), mean(1), mean(2)]
    })
}

/// Greatest ratio of a tier's green to that of another.
const ALIKE: f32 = 1.35;

fn each_is_alike_at_every_tier_and_as_its_author_made_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, material) in materials() {
        write_box(folder.path(), name, &material);
    }
    for is_animal in [true, false] {
        let seen = materials().map(|(name, _)| {
            let tiers = at_tiers(folder.path(), name, is_animal);
            eprintln!("{name}, animal {is_animal}: {tiers:.3?}");
            // The low tier has no relief.
            let green = tiers.map(|[_, green, _]| green);
            let green = if name == "relief" { &green[1..] } else { &green[..] };
            let (least, most) =
                (green.iter().copied().fold(f32::MAX, f32::min), green.iter().copied().fold(0.0, f32::max));
            assert!(most < ALIKE * least, "{name}, animal {is_animal}, differs from tier to tier: {tiers:?}");
            (name, tiers[2])
        });
        let of = |wanted: &str| seen.iter().find(|(name, _)| *name == wanted).map(|(_, seen)| *seen).expect("seen");
        let water = hue_of_water(folder.path());
        let hue = |name: &str| of(name)[1] / of(name)[2];
        for name in ["metal", "metal_in_part"] {
            assert!(
                hue(name) > 1.25 * water,
                "{name}, animal {is_animal}, is green, not a white ghost: {:?}",
                of(name)
            );
            assert!(of(name)[1] < 2.0 * of("plain")[1], "{name}, animal {is_animal}, is no lamp");
        }
        let ratio = of("black_glow")[1] / of("plain")[1];
        assert!((ratio - 1.0).abs() < 0.02, "a black map emits nothing: {ratio}");
        // Half of it is as bright as a white sheet in daylight, 1 / pi.
        let added = of("glow")[1] - of("plain")[1];
        assert!((0.05..0.3).contains(&added), "a map says where it glows: {added}");
        let (half, plain) = (hue("half"), hue("plain"));
        assert!(half < 0.95 * plain && half > 1.02 * water, "half of the water shows: {half} of {plain}");
    }
}

/// Green over blue of the water behind.
fn hue_of_water(folder: &Path) -> f32 {
    let path = folder.join("empty.toml");
    let text = scene("", true);
    let bare = text.split("[[species]]").next().unwrap_or_default();
    std::fs::write(&path, bare).expect("written");
    let mut session = session(&options(path.to_str().expect("UTF-8"), SIZE, &[]));
    let home = session.camera(None).expect("a first view");
    let seen = linear(&mut session, home, View::Final);
    let [_, green, blue] = seen[(SIZE.0 * SIZE.1 / 2 + SIZE.0 / 2) as usize];
    green / blue
}

fn the_studio_has_them_in_both_dialects() {
    let folder = tempfile::tempdir().expect("a folder");
    for dialect in [Dialect::Es300, Dialect::Core330] {
        let context = context_in(dialect);
        for (name, material) in materials() {
            write_box(folder.path(), name, &material);
            let file = folder.path().join(format!("{name}.gltf"));
            let model = load_model(&ModelRequest::new(file.to_str().expect("UTF-8"))).expect("a model").model;
            let made = Studio::new(&context.gl(), &ShaderSource::default(), SIZE, &model);
            made.map(drop).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert_eq!(debug::complaints(&context.gl()), [""; 0]);
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    each_is_alike_at_every_tier_and_as_its_author_made_it;
    the_studio_has_them_in_both_dialects;
};
