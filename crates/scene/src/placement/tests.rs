use glam::Quat;
use model::Bounds;

use super::upper_surface::UpperSurface;
use super::*;
use crate::{SeabedSettings, Substrate};

/// A dome one unit wide and `height` high.
fn dome(height: f32) -> PropShape {
    let point = |ring: i32, n: i32| {
        let (around, up) = (n as f32 / 16.0 * std::f32::consts::TAU, ring as f32 / 6.0 * std::f32::consts::FRAC_PI_2);
        Vec3::new(0.5 * around.cos() * up.cos(), height * up.sin(), 0.5 * around.sin() * up.cos())
    };
    let quads = (0..6).flat_map(|ring| (0..16).map(move |n| (ring, n)));
    let triangles = quads
        .flat_map(|(r, n)| {
            let [a, b, c, d] = [point(r, n), point(r, n + 1), point(r + 1, n), point(r + 1, n + 1)];
            [[a, c, b], [b, c, d]]
        })
        .collect();
    PropShape::new(Bounds { min: Vec3::new(-0.5, 0.0, -0.5), max: Vec3::new(0.5, height, 0.5) }, triangles)
}

fn rock(count: u32) -> PropSettings {
    let name = "rock".to_owned();
    PropSettings { name, size_m: 2.0, count, solid: true, sink: 0.1, range_m: 25.0, ..PropSettings::default() }
}

fn coral(count: u32) -> PropSettings {
    let name = "coral".to_owned();
    PropSettings { name, size_m: 0.3, count, on: Substrate::Rock, sink: 0.05, range_m: 25.0, ..PropSettings::default() }
}

fn grass(count: u32) -> PropSettings {
    let name = "grass".to_owned();
    PropSettings { name, size_m: 0.4, count, on: Substrate::Sand, sway: 1.0, range_m: 25.0, ..PropSettings::default() }
}

fn scene() -> (Vec<PropSettings>, Vec<PropShape>, Seabed) {
    let bed = Seabed::new(&SeabedSettings::default(), 11);
    (vec![rock(40), coral(120), grass(200)], vec![dome(0.6), dome(0.8), dome(1.5)], bed)
}

fn put(props: &[PropSettings], shapes: &[PropShape], bed: &Seabed) -> Vec<PlacedProp> {
    place(props, &FloraSettings::default(), bed, shapes, 5)
}

fn of(placed: &[PlacedProp], prop: usize) -> Vec<PlacedProp> {
    placed.iter().filter(|p| p.prop == prop).copied().collect()
}

fn upper_surface_of(placed: &PlacedProp, shape: &PropShape) -> UpperSurface {
    let triangles: Vec<[Vec3; 3]> = shape.triangles.iter().map(|c| c.map(|p| placed.to_world(p))).collect();
    UpperSurface::new(&triangles)
}

/// Upper surfaces of all rocks.
fn tops(placed: &[PlacedProp], shapes: &[PropShape]) -> Vec<UpperSurface> {
    of(placed, 0).iter().map(|p| upper_surface_of(p, &shapes[0])).collect()
}

/// Height of the highest surface at a place: a rock or the ground.
fn surface(tops: &[UpperSurface], bed: &Seabed, at: Vec2) -> f32 {
    tops.iter().filter_map(|top| top.sample(at)).map(|top| top.0).fold(bed.height(at.x, at.y), f32::max)
}

#[test]
fn most_of_what_is_asked_for_finds_a_place() {
    let (props, shapes, bed) = scene();
    let placed = put(&props, &shapes, &bed);
    for (i, prop) in props.iter().enumerate() {
        let stand = of(&placed, i).len();
        assert!(stand as f32 >= 0.8 * prop.count as f32, "{stand} of {} {}", prop.count, prop.name);
    }
}

#[test]
fn nothing_floats() {
    let (props, shapes, bed) = scene();
    let placed = put(&props, &shapes, &bed);
    let tops = tops(&placed, &shapes);
    for thing in &placed {
        let base = shapes[thing.prop].base_radius;
        for n in 0..23 {
            let rim = Quat::from_rotation_y(n as f32 * 0.2732) * Vec3::X * base;
            let p = thing.position + thing.rotation * (rim * thing.scale);
            let below = if thing.prop == 0 { bed.height(p.x, p.z) } else { surface(&tops, &bed, Vec2::new(p.x, p.z)) };
            assert!(p.y < below + 0.03, "{thing:?} hangs {} m above what it stands on", p.y - below);
        }
    }
}

#[test]
fn nothing_is_buried() {
    let (props, shapes, bed) = scene();
    let placed = put(&props, &shapes, &bed);
    let tops = tops(&placed, &shapes);
    for thing in &placed {
        let height = shapes[thing.prop].extent().y;
        let top = thing.position + thing.rotation * (Vec3::Y * height * thing.scale);
        let below =
            if thing.prop == 0 { bed.height(top.x, top.z) } else { surface(&tops, &bed, Vec2::new(top.x, top.z)) };
        assert!(top.y > below + 0.3 * height * thing.scale, "{thing:?} shows only {} m", top.y - below);
    }
}

#[test]
fn no_two_solids_intersect() {
    let (props, shapes, bed) = scene();
    let rocks = of(&put(&props, &shapes, &bed), 0);
    for (i, a) in rocks.iter().enumerate() {
        for b in &rocks[..i] {
            let apart = Vec2::new(a.position.x - b.position.x, a.position.z - b.position.z).length();
            assert!(apart >= 0.5 * (a.scale + b.scale) - 0.02, "{apart} m between {a:?} and {b:?}");
        }
    }
}

#[test]
fn corals_are_on_or_beside_rock_and_grass_is_off_it() {
    let (props, shapes, bed) = scene();
    let placed = put(&props, &shapes, &bed);
    let rocks = of(&placed, 0);
    let gap = |p: &PlacedProp| {
        let to = |r: &PlacedProp| Vec2::new(p.position.x - r.position.x, p.position.z - r.position.z).length();
        rocks.iter().map(|r| to(r) - 0.5 * r.scale).fold(f32::MAX, f32::min)
    };
    let corals = of(&placed, 1);
    assert!(corals.iter().all(|c| gap(c) < 0.6));
    assert!(corals.iter().filter(|c| gap(c) < 0.0).count() * 2 > corals.len(), "most stand on the rocks");
    assert!(of(&placed, 2).iter().all(|g| gap(g) > 0.0));
}

#[test]
fn the_same_seed_gives_the_same_places() {
    let (props, shapes, bed) = scene();
    assert_eq!(put(&props, &shapes, &bed), put(&props, &shapes, &bed));
    assert_ne!(put(&props, &shapes, &bed), place(&props, &FloraSettings::default(), &bed, &shapes, 6));
}

#[test]
fn another_prop_leaves_the_others_where_they_are() {
    let (mut props, mut shapes, bed) = scene();
    let before = put(&props, &shapes, &bed);
    props.insert(0, PropSettings { name: "starfish".into(), size_m: 0.05, ..coral(10) });
    shapes.insert(0, dome(0.2));
    let after = put(&props, &shapes, &bed);
    assert_eq!(
        of(&before, 0).iter().map(|p| p.position).collect::<Vec<_>>(),
        of(&after, 1).iter().map(|p| p.position).collect::<Vec<_>>()
    );
    let (old, new) = (of(&before, 1), of(&after, 2));
    let stayed = old.iter().filter(|p| new.iter().any(|q| q.position == p.position)).count();
    assert!(stayed * 20 >= old.len() * 19, "{stayed} of {} corals stayed", old.len());
}

#[test]
fn more_of_a_prop_keeps_the_first_ones() {
    let (mut props, shapes, bed) = scene();
    let few = of(&put(&props, &shapes, &bed), 2);
    props[2].count *= 2;
    let many = of(&put(&props, &shapes, &bed), 2);
    assert_eq!(many[..few.len()], few);
}

#[test]
fn density_counts_only_plants() {
    let (props, shapes, bed) = scene();
    let thin = FloraSettings { density: 0.25, ..FloraSettings::default() };
    let placed = place(&props, &thin, &bed, &shapes, 5);
    assert!(of(&placed, 2).len() <= 50);
    assert!(of(&placed, 1).len() > 90);
}

#[test]
fn by_hand_means_exactly_there() {
    let bed = Seabed::new(&SeabedSettings::default(), 1);
    let prop = PropSettings { at: vec![[3.0, -2.0, 90.0, 1.5], [3.1, -2.0, 0.0, 1.0]], ..rock(0) };
    let placed = put(&[prop], &[dome(0.6)], &bed);
    assert_eq!(placed.len(), 2);
    assert!((placed[0].position.x - 3.0).abs() < 1e-4 && (placed[0].position.z + 2.0).abs() < 1e-4);
    assert!((placed[0].scale - 1.5).abs() < 1e-5);
}

#[test]
fn a_coral_by_hand_stands_on_the_rock_there() {
    let bed = Seabed::new(&SeabedSettings { relief_m: 0.0, ..SeabedSettings::default() }, 1);
    let props = [
        PropSettings { at: vec![[0.0, 0.0, 0.0, 2.0]], ..rock(0) },
        PropSettings { at: vec![[0.1, 0.0, 0.0, 0.3]], ..coral(0) },
    ];
    let placed = put(&props, &[dome(0.6), dome(0.8)], &bed);
    let lift = placed[1].position.y - bed.height(0.1, 0.0);
    assert!((0.7..1.05).contains(&lift), "{lift} m above the sand, on a rock of 1 m");
}

#[test]
fn obstacles_cover_their_rocks() {
    let (props, shapes, bed) = scene();
    let placed = put(&props, &shapes, &bed);
    let all = obstacles(&props, &placed, &shapes);
    assert_eq!(all.len(), of(&placed, 0).len());
    for (rock, obstacle) in of(&placed, 0).iter().zip(&all) {
        let top = rock.position + rock.rotation * Vec3::Y * 0.55 * rock.scale;
        assert!(((top - obstacle.center) / obstacle.radii).length() < 1.0);
    }
}

#[test]
fn a_long_thing_is_a_row_of_obstacles() {
    let bed = Seabed::new(&SeabedSettings { relief_m: 0.0, ..SeabedSettings::default() }, 1);
    let wall = PropShape::new(Bounds { min: Vec3::new(-0.5, 0.0, -0.05), max: Vec3::new(0.5, 0.1, 0.05) }, Vec::new());
    let props = [PropSettings { at: vec![[0.0, 0.0, 0.0, 8.0]], ..rock(0) }];
    let row = obstacles(&props, &put(&props, std::slice::from_ref(&wall), &bed), &[wall]);
    assert!(row.len() > 2 && row.iter().all(|o| o.radii.x < 2.5));
}

#[test]
fn things_on_the_ground_darken_it_and_corals_on_rocks_do_not() {
    let (props, shapes, bed) = scene();
    let placed = put(&props, &shapes, &bed);
    let shaded = contacts(&props, &placed, &shapes, &bed);
    assert!(shaded.len() >= of(&placed, 0).len() + of(&placed, 2).len() / 2);
    assert!(shaded.len() < placed.len());
}

#[test]
fn nothing_stands_where_there_is_no_ground() {
    let (props, shapes, _) = scene();
    let none = Seabed::new(&SeabedSettings { present: false, ..SeabedSettings::default() }, 1);
    assert!(put(&props, &shapes, &none).is_empty());
}

#[test]
fn scattered_things_head_where_they_are_told() {
    let (mut props, shapes, bed) = scene();
    props[0].yaw_deg = [80.0, 100.0];
    let placed = put(&props, &shapes, &bed);
    let headings: Vec<f32> = of(&placed, 0).iter().map(heading_deg).collect();
    assert!(headings.iter().all(|deg| (79.9..100.1).contains(deg)), "{headings:?}");
    let spread = headings.iter().fold(0.0_f32, |most, deg| most.max((deg - 90.0).abs()));
    assert!(spread > 5.0, "they do not all head the same way: {headings:?}");
    // The other props keep their default range of headings.
    let all_round = of(&placed, 2).iter().map(heading_deg).filter(|deg| *deg > 180.0).count();
    assert!(all_round > 50, "{all_round} of the grass head west");
}

/// Heading of something placed, without its lean. Unit: degrees, 0..360.
fn heading_deg(placed: &PlacedProp) -> f32 {
    let ahead = placed.rotation * Vec3::X;
    (-ahead.z).atan2(ahead.x).to_degrees().rem_euclid(360.0)
}

#[test]
fn grass_does_not_grow_out_of_corals() {
    // Corals that stand on the sand, and so much grass that it must meet them.
    let (mut props, shapes, bed) = scene();
    props[1] = PropSettings { on: Substrate::Sand, size_m: 1.0, ..coral(60) };
    props[2] = PropSettings { range_m: 12.0, ..grass(1500) };
    let placed = put(&props, &shapes, &bed);
    let (corals, grass) = (of(&placed, 1), of(&placed, 2));
    assert!(corals.len() > 20 && grass.len() > 300, "{} corals, {} tufts", corals.len(), grass.len());
    for coral in &corals {
        let radius = 0.5 * coral.scale;
        let nearest =
            grass.iter().map(|tuft| flat(tuft.position).distance(flat(coral.position))).fold(f32::MAX, f32::min);
        assert!(nearest > 0.8 * radius, "a tuft {nearest} m from the middle of a coral of {radius} m");
    }
}

fn flat(at: Vec3) -> Vec2 {
    Vec2::new(at.x, at.z)
}

#[test]
fn a_long_thing_is_as_high_as_it_is_there() {
    // A plank of 10 m with a mast of 4 m on its right end.
    let quad = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| [[a, b, c], [a, c, d]];
    let plank = quad(
        Vec3::new(-5.0, 0.3, -0.5),
        Vec3::new(5.0, 0.3, -0.5),
        Vec3::new(5.0, 0.0, 0.5),
        Vec3::new(-5.0, 0.0, 0.5),
    );
    let mast =
        quad(Vec3::new(4.6, 0.0, 0.0), Vec3::new(4.8, 0.0, 0.0), Vec3::new(4.8, 4.0, 0.0), Vec3::new(4.6, 4.0, 0.0));
    let bounds = Bounds { min: Vec3::new(-5.0, 0.0, -0.5), max: Vec3::new(5.0, 4.0, 0.5) };
    let shape = PropShape::new(bounds, [plank, mast].concat());
    let prop = PropSettings { solid: true, ..PropSettings::default() };
    let placed = PlacedProp { prop: 0, position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: 1.0, by_hand: true };
    let all = obstacles(&[prop], &[placed], &[shape]);
    let covers = |p: Vec3| all.iter().any(|o| ((p - o.center) / o.radii).length() < 1.0);
    assert!((8..=12).contains(&all.len()), "{} parts", all.len());
    assert!(
        covers(Vec3::new(4.7, 3.5, 0.0)) && !covers(Vec3::new(0.0, 1.0, 0.0)) && !covers(Vec3::new(-4.0, 1.0, 0.0))
    );
    for i in 0..100 {
        let x = -4.8 + 8.4 * i as f32 / 99.0;
        assert!(covers(Vec3::new(x, 0.15, 0.0)), "a gap at {x}");
    }
}

#[test]
fn there_is_a_place_to_hide_in_each_coral_and_beside_each_rock() {
    let (props, shapes, bed) = scene();
    let placed = put(&props, &shapes, &bed);
    let names = ["rock", "coral", "grass"].map(Into::into);
    let shelters = shelters(&props, &names, &placed, &shapes, &bed);
    let of_model = |model: &'static str| shelters.iter().filter(move |shelter| *shelter.model == *model);
    for (coral, shelter) in of(&placed, 1).iter().zip(of_model("coral")) {
        let above = shelter.place - coral.position;
        assert!(above.length() < 0.8 * coral.scale && shelter.radius < coral.scale, "{shelter:?} of {coral:?}");
        assert!(above.y > 0.0);
    }
    let rocks = of(&placed, 0);
    assert_eq!(of_model("rock").count(), 4 * rocks.len());
    assert_eq!(of_model("coral").count(), of(&placed, 1).len());
    let obstacles = obstacles(&props, &placed, &shapes);
    for (rock, shelters) in rocks.iter().zip(of_model("rock").collect::<Vec<_>>().chunks(4)) {
        let own: Vec<_> = obstacles.iter().filter(|o| o.center.distance(rock.position) < rock.scale).collect();
        assert!(!own.is_empty());
        for Shelter { place, radius, .. } in shelters {
            assert!(own.iter().all(|o| o.normalized_distance(*place, 0.0) > 1.0), "{place} is in {rock:?}");
            assert!(
                own.iter().any(|o| o.normalized_distance(*place, 0.2 + radius) < 1.5),
                "{place} is far off {rock:?}"
            );
            assert!(place.y > bed.height(place.x, place.z), "{place} is in the ground");
        }
    }
}

#[test]
fn a_slanted_spar_is_covered_to_its_end() {
    // A hull of 8 m, 2 m wide and high, and a spar from its bow 3 m out and 2 m up.
    let quad = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| [[a, b, c], [a, c, d]];
    let hull = quad(
        Vec3::new(-5.0, 0.0, -1.0),
        Vec3::new(3.0, 0.0, -1.0),
        Vec3::new(3.0, 2.0, 1.0),
        Vec3::new(-5.0, 2.0, 1.0),
    );
    let (from, to) = (Vec3::new(3.0, 2.0, 0.0), Vec3::new(6.0, 4.0, 0.0));
    let thick = 0.15 * Vec3::Z;
    let spar = quad(from - thick, to - thick, to + thick, from + thick);
    let bounds = Bounds { min: Vec3::new(-5.0, 0.0, -1.0), max: Vec3::new(6.0, 4.0, 1.0) };
    let parts = PropShape::new(bounds, [hull, spar].concat()).parts();
    let covers = |p: Vec3| parts.iter().any(|o| o.normalized_distance(p, 0.0) < 1.0);
    // Except at its foot on the hull and at its very end, where the ellipsoids are round.
    for i in 5..39 {
        let at = from.lerp(to, i as f32 / 40.0);
        assert!(covers(at), "{at} on the spar is open water");
    }
    assert!(!covers(Vec3::new(5.4, 2.4, 0.0)) && !covers(Vec3::new(4.0, 3.8, 0.0)), "nor is it fenced in");
}
