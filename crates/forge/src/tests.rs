use std::path::Path;

use super::*;

/// Equal to what is committed. Bytes are equal on one machine; another's sine may differ in its last bit, which may
/// move a vertex by a hair and a texel by a shade.
fn is_what_is_committed(forged: &Forged) {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let shapes = forged.shapes.iter().map(|(name, document)| (name, document));
    for (name, document) in shapes.chain([(&forged.name, &forged.document)]) {
        let bytes = std::fs::read(assets.join(format!("models/{name}.ms3d"))).expect("made by `make assets`");
        if bytes == ms3d::write(document).expect("it fits the format") {
            continue;
        }
        let old = ms3d::read(&bytes, &ms3d::Limits::default()).expect("it is a sound file").document;
        assert_eq!(old.triangles.len(), document.triangles.len(), "{name}: run `make assets`");
        let pairs = old.triangles.iter().zip(&document.triangles);
        let moved = pairs.flat_map(|(a, b)| (0..3).map(move |k| (a.vertex_indices[k], b.vertex_indices[k])));
        for (a, b) in moved {
            let (a, b) = (old.vertices[usize::from(a)].position, document.vertices[usize::from(b)].position);
            assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-3), "{name}: run `make assets`");
        }
    }
    for (file, image) in &forged.textures {
        let old = image::open(assets.join("textures").join(file)).expect("made by `make assets`").to_rgba8();
        assert_eq!(old.dimensions(), image.dimensions(), "{file}: run `make assets`");
        let apart: u64 = old.as_raw().iter().zip(image.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        assert!(apart as f64 <= 0.1 * old.as_raw().len() as f64, "{file}: run `make assets`");
    }
}

/// Most triangles of an animal: few for those that school, more for those seen close.
fn budget(name: &str) -> usize {
    match name {
        "sardine" | "chromis" => 900,
        _ => 6000,
    }
}

/// Models that are other shapes of another.
const SHAPES: [&str; 2] = ["moon_jelly_gathered", "puffer_puffed"];

#[test]
fn everything_is_what_is_committed() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8);
    std::thread::scope(|scope| {
        for share in 0..threads {
            scope.spawn(move || {
                catalogue().iter().skip(share).step_by(threads).for_each(|e| is_what_is_committed(&(e.make)(1)));
            });
        }
    });
    // Nothing lies there that nobody makes, and together it stays small.
    let mut total = 0;
    for (folder, extension) in [("models", "ms3d"), ("textures", "png")] {
        for file in std::fs::read_dir(assets.join(folder)).expect("it is there").map(|file| file.expect("readable")) {
            let path = file.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            let is_made = find(&stem).is_some() || SHAPES.contains(&stem.as_str());
            assert!(is_made && path.extension().is_some_and(|e| e == extension), "{}", path.display());
            total += file.metadata().expect("readable").len();
        }
    }
    assert!(total < 40 << 20, "assets take {} MiB", total >> 20);
}

#[test]
fn every_animal_is_sound_within_budget_and_moves_in_closed_clips() {
    for entry in catalogue().iter().filter(|entry| entry.kind == Category::Swimmer) {
        let forged = (entry.make)(1);
        let document = &forged.document;
        assert_eq!(ms3d::validate(document), [], "{}", entry.name);
        let triangles = document.triangles.len();
        assert!(triangles <= budget(entry.name), "{}: {triangles} triangles", entry.name);
        assert!((8..=24).contains(&document.joints.len()), "{}: {} joints", entry.name, document.joints.len());
        let clips = rig::clips_of(document);
        assert!(rig::Clip::USUAL.contains(&clips[0].clip), "{}: the first clip is how it usually moves", entry.name);
        assert!(clips.iter().any(|range| range.clip == rig::Clip::Idle), "{} never rests", entry.name);
        for joint in document.joints.iter().filter(|joint| !joint.rotation_keys.is_empty()) {
            for range in &clips {
                let at = |frame: f32| {
                    let time = frame / document.keyframer.fps;
                    joint.rotation_keys.iter().find(|key| (key.time - time).abs() < 1e-4).map(|key| key.value)
                };
                assert!(at(range.from).is_some(), "{}: {:?} begins between keys", entry.name, range.clip);
                assert_eq!(at(range.from), at(range.to), "{}: {:?} does not close", entry.name, range.clip);
            }
        }
    }
}

#[test]
fn shapes_have_the_topology_of_their_model() {
    let mut shapes: Vec<String> = catalogue()
        .iter()
        .filter(|entry| entry.kind == Category::Swimmer)
        .map(|entry| (entry.make)(1))
        .flat_map(|forged| {
            let corners = |document: &ms3d::raw::Document| -> Vec<[u16; 3]> {
                document.triangles.iter().map(|triangle| triangle.vertex_indices).collect()
            };
            let own = (forged.document.vertices.len(), corners(&forged.document));
            let names = forged.shapes.iter().map(|(name, shape)| {
                assert_eq!((shape.vertices.len(), corners(shape)), own, "{name}");
                assert_eq!(ms3d::validate(shape), [], "{name}");
                name.clone()
            });
            names.collect::<Vec<_>>()
        })
        .collect();
    shapes.sort();
    assert_eq!(shapes, SHAPES);
}

#[test]
fn the_same_seed_makes_the_same_animal() {
    for name in ["clownfish", "moon_jelly"] {
        let make = find(name).expect("listed").make;
        let bytes = |seed: u64| ms3d::write(&make(seed).document).expect("it fits the format");
        assert_eq!(bytes(1), bytes(1), "{name}");
        assert_eq!(make(3).textures, make(3).textures, "{name}");
        assert_ne!(make(3).textures, make(4).textures, "{name}");
    }
}
