use super::*;

/// Most triangles of an animal: few for those that school, more for those seen close.
fn budget(name: &str) -> usize {
    match name {
        "sardine" | "chromis" | "anthias" => 900,
        _ => 6000,
    }
}

/// Models that are another shape of a model.
const SHAPES: [&str; 2] = ["moon_jelly_gathered", "puffer_puffed"];

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
