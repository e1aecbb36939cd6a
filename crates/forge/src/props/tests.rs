use std::collections::HashSet;

use glam::Vec2;

use super::*;
use crate::Forged;

/// Most triangles that each thing may have.
const BUDGETS: &[(&str, usize)] = &[
    ("boulder", 5500),
    ("boulder_flat", 4200),
    ("boulder_tall", 8200),
    ("buttress", 14500),
    ("bommie", 6000),
    ("stack", 9500),
    ("fin_rock", 6500),
    ("ledge", 7500),
    ("bare_boulder", 5500),
    ("rock_arch", 4100),
    ("rubble", 900),
    ("brain_coral", 2500),
    ("staghorn_coral", 2500),
    ("table_coral", 2500),
    ("fan_coral", 3200),
    ("tube_sponge", 2500),
    ("anemone", 2800),
    ("starfish", 400),
    ("brittle_star", 1000),
    ("kelp", 11500),
    ("sea_grass", 150),
    ("amphora", 1200),
    ("vent", 900),
    ("giant_clam", 4500),
    ("sea_urchin", 2200),
    ("feather_star", 550),
    ("fan_worm", 450),
    ("sea_squirt", 800),
    ("shells", 1000),
    ("wreck", 13000),
    ("whale_bones", 24000),
    ("anchor", 3600),
    ("shark_cage", 3200),
    ("cage_line", 1000),
    ("rov", 6500),
    ("rov_tether", 1500),
    ("digitate_coral", 2400),
    ("cauliflower_coral", 2600),
    ("whorl_coral", 2700),
    ("plate_coral", 2300),
    ("knob_coral", 2700),
    ("mushroom_coral", 2600),
    ("star_coral", 2500),
    ("blade_coral", 2600),
    ("leather_coral", 2900),
    ("sea_whip", 1000),
    ("soft_coral", 2800),
    ("zoanthid_mat", 3000),
    ("turf_tuft", 1000),
    ("barrel_sponge", 2500),
    ("crust_sponge", 2300),
    ("rope_sponge", 2600),
    ("leafy_weed", 1000),
    ("mussels", 2300),
    ("plumose_anemone", 2400),
    ("rusticles", 1000),
    ("coral_shards", 1000),
    ("stones", 1000),
    ("planks", 1000),
];

fn stands_well(forged: &Forged) {
    let name = &forged.name;
    let places = || forged.document.vertices.iter().flat_map(|v| v.position);
    assert!(places().all(f32::is_finite), "{name} has a place that is no number");
    let ys = || forged.document.vertices.iter().map(|v| v.position);
    let (low, high) = ys().fold(([f32::MAX; 3], [f32::MIN; 3]), |(low, high), p| {
        ([0, 1, 2].map(|k| low[k].min(p[k])), [0, 1, 2].map(|k| high[k].max(p[k])))
    });
    let extent = [0, 1, 2].map(|k| high[k] - low[k]);
    assert!(low[1].abs() < 1e-4, "{name} stands at {}", low[1]);
    assert!((extent.iter().copied().fold(0.0, f32::max) - 1.0).abs() < 1e-3, "{name} measures {extent:?}");
    let normals = forged.document.triangles.iter().flat_map(|t| t.vertex_normals);
    for n in normals {
        let length = n.iter().map(|c| c * c).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-3, "{name} has a normal of length {length}");
    }
}

#[test]
fn every_thing_is_sound_and_within_budget() {
    assert_eq!(entries().len(), BUDGETS.len());
    for entry in entries() {
        let forged = (entry.make)(1);
        assert_eq!(forged.name, entry.name);
        let budget = BUDGETS.iter().find(|(name, _)| *name == entry.name).expect("every thing has a budget").1;
        let triangles = forged.document.triangles.len();
        assert!(triangles <= budget, "{}: {triangles} triangles", entry.name);
        assert_eq!(ms3d::validate(&forged.document), [], "{}", entry.name);
        stands_well(&forged);
    }
}

#[test]
fn the_same_seed_makes_the_same_bytes_and_another_does_not() {
    for name in ["staghorn_coral", "anemone", "sea_grass"] {
        let make = entries().iter().find(|e| e.name == name).expect("it is listed").make;
        let bytes = |seed: u64| ms3d::write(&make(seed).document).expect("it fits the format");
        assert_eq!(bytes(1), bytes(1), "{name}");
        assert_ne!(bytes(1), bytes(2), "{name}");
    }
}

/// Area of a thing's silhouette seen from the side, in cells of a grid of 100 a unit.
fn silhouette(forged: &Forged, turn: f32) -> usize {
    let (sin, cos) = (crate::maths::sin(turn), crate::maths::cos(turn));
    let place = |i: u16| {
        let [x, y, z] = forged.document.vertices[usize::from(i)].position;
        Vec2::new(100.0 * (x * cos + z * sin), 100.0 * y)
    };
    let mut cells = HashSet::new();
    for triangle in &forged.document.triangles {
        let [a, b, c] = triangle.vertex_indices.map(place);
        let steps = (2.0 * a.distance(b).max(b.distance(c)).max(c.distance(a))).ceil().max(1.0) as u16;
        for i in 0..=steps {
            for j in 0..=steps - i {
                let [s, t] = [i, j].map(|n| f32::from(n) / f32::from(steps));
                cells.insert((a + (b - a) * s + (c - a) * t).floor().as_ivec2());
            }
        }
    }
    cells.len()
}

#[test]
fn fans_and_kelp_are_no_paper() {
    for name in ["fan_coral", "kelp", "table_coral", "sea_grass"] {
        let forged = (entries().iter().find(|e| e.name == name).expect("it is listed").make)(1);
        let areas: Vec<usize> = (0..12).map(|n| silhouette(&forged, n as f32 / 12.0 * std::f32::consts::PI)).collect();
        let (least, most) = areas.iter().fold((usize::MAX, 0), |(least, most), a| (least.min(*a), most.max(*a)));
        assert!(10 * least >= 3 * most, "{name}: {least} of {most}");
    }
}
