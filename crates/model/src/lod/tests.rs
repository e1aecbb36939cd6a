//! Levels of detail of made-up bodies.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::*;
use crate::Mesh;

const REST: u16 = 9;

fn vertex(position: Vec3, normal: Vec3, uv: Vec2) -> Vertex {
    let toward_tail = 0.5 + 0.5 * position.z.clamp(-1.0, 1.0);
    let mut weights = [(0, 0.6 * (1.0 - toward_tail)), (1, 0.6 * toward_tail), (2, 0.3), (3, 0.1)];
    weights.sort_by(|a, b| b.1.total_cmp(&a.1));
    Vertex {
        position,
        normal,
        uv,
        joints: weights.map(|w| w.0),
        weights: weights.map(|w| w.1),
        morph_row: 0,
        color: Vertex::WHITE,
    }
}

/// A closed slim body with a texture seam, `around` x `along` quads.
fn body(around: u32, along: u32) -> Lod {
    let mut lod = Lod::default();
    for j in 0..=along {
        for i in 0..=around {
            let (u, v) = (i as f32 / around as f32, j as f32 / along as f32);
            // The seam's two columns must be the same points.
            let turn = TAU * (i % around) as f32 / around as f32;
            let ring = if j == 0 || j == along { 0.0 } else { (PI * v).sin() };
            let at = Vec3::new(0.3 * ring * turn.cos(), 0.4 * ring * turn.sin(), -(PI * v).cos());
            let normal = (at / Vec3::new(0.09, 0.16, 1.0)).normalize();
            lod.vertices.push(vertex(at, normal, Vec2::new(u, v)));
        }
    }
    for j in 0..along {
        for i in 0..around {
            let [a, b] = [j, j + 1].map(|row| row * (around + 1) + i);
            if j > 0 {
                lod.indices.extend([a, a + 1, b + 1]);
            }
            if j + 1 < along {
                lod.indices.extend([a, b + 1, b]);
            }
        }
    }
    lod.meshes.push(Mesh { first: 0, count: lod.indices.len() as u32, material: 0 });
    lod
}

/// Adds an upright tail fin without thickness, `n` x `n` quads, seen from both sides by coincident triangles if `both`.
fn add_fin(lod: &mut Lod, n: u32, both: bool) {
    let first_index = lod.indices.len() as u32;
    for (side, normal) in [Vec3::X, Vec3::NEG_X].into_iter().enumerate().take(if both { 2 } else { 1 }) {
        let first = lod.vertices.len() as u32;
        for j in 0..=n {
            for i in 0..=n {
                let (u, v) = (i as f32 / n as f32, j as f32 / n as f32);
                let at = Vec3::new(0.0, (v - 0.5) * (0.3 + 1.2 * u), 1.0 + 0.6 * u);
                lod.vertices.push(vertex(at, normal, Vec2::new(u, v)));
            }
        }
        for j in 0..n {
            for i in 0..n {
                let a = first + j * (n + 1) + i;
                let [b, c, d] = [a + 1, a + n + 2, a + n + 1];
                lod.indices.extend(if side == 0 { [a, d, c, a, c, b] } else { [a, c, d, a, b, c] });
            }
        }
    }
    lod.meshes.push(Mesh { first: first_index, count: lod.indices.len() as u32 - first_index, material: 1 });
}

fn triangles(lod: &Lod) -> usize {
    super::triangles(Some(lod))
}

fn extent(lod: &Lod) -> (Vec3, Vec3) {
    let used = lod.indices.iter().map(|&i| lod.vertices[i as usize].position);
    used.fold((Vec3::MAX, Vec3::MIN), |(lo, hi), p| (lo.min(p), hi.max(p)))
}

/// Area of the shadow on the plane across `axis`: half of the sum over all triangles of a closed surface.
fn shadow(lod: &Lod, material: usize, axis: Vec3) -> f32 {
    let meshes = lod.meshes.iter().filter(|mesh| mesh.material == material);
    let corners = meshes.flat_map(|m| lod.indices[m.first as usize..(m.first + m.count) as usize].chunks_exact(3));
    corners
        .map(|c| {
            let [a, b, c] = [c[0], c[1], c[2]].map(|i| lod.vertices[i as usize].position);
            0.25 * (b - a).cross(c - a).dot(axis).abs()
        })
        .sum()
}

#[test]
fn levels_come_near_their_targets() {
    let full = body(32, 48);
    let levels = chain(&full, REST, false);
    let counts: Vec<_> = levels.iter().map(triangles).collect();
    let all = 32 * 47 * 2;
    for (count, target) in counts.iter().zip([all, all * 35 / 100, all / 10, all / 20, 44, 16, 10]) {
        assert!(*count <= target && *count + 2 >= target, "{counts:?}");
    }
    assert_eq!(levels.iter().map(|level| level.max_joints).collect::<Vec<_>>(), [4, 2, 1, 1, 1, 1, 1]);
    assert_eq!(levels.iter().map(|level| level.two_sided).collect::<Vec<_>>()[3..], [false, false, true, true]);
    assert!(levels.is_sorted_by(|finer, coarser| finer.pixels > coarser.pixels), "each is for smaller bodies");
}

#[test]
fn levels_that_would_hardly_differ_are_left_out() {
    let small = body(8, 6);
    assert_eq!(triangles(&small), 80);
    assert_eq!(chain(&small, REST, false).iter().map(triangles).collect::<Vec<_>>(), [80, 28, 16, 10]);
    let tiny = body(4, 2);
    assert_eq!((triangles(&tiny), chain(&tiny, REST, false).len()), (8, 1));
    assert_eq!(chain(&Lod::default(), REST, false).len(), 1);
}

/// Wing-like plates of one quad each, none touching another.
fn plates(count: u32) -> Lod {
    let mut lod = Lod::default();
    for i in 0..count {
        let (turn, first) = (2.4 * i as f32, lod.vertices.len() as u32);
        let at = Vec3::new(turn.cos(), 0.0, turn.sin()) * (i as f32 / count as f32).sqrt();
        for corner in [Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y] {
            lod.vertices.push(vertex(at + 0.05 * corner, Vec3::Z, Vec2::ZERO));
        }
        lod.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    lod.meshes.push(Mesh { first: 0, count: 6 * count, material: 0 });
    lod
}

#[test]
fn a_heap_of_loose_plates_ends_in_few_triangles_too() {
    let levels = chain(&plates(700), REST, false);
    assert!(levels.last().is_some_and(|last| triangles(last) <= 12), "{:?}", levels.iter().map(triangles));
}

/// Posts that stand apart, four flanks and a top each.
fn posts(count: u32) -> Lod {
    let mut lod = Lod::default();
    for i in 0..count {
        let at = Vec3::new((i % 16) as f32, 0.0, (i / 16) as f32);
        let corners =
            |y: f32| [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y].map(|c| at + Vec3::new(0.2 * c.x, y, 0.2 * c.y));
        let (foot, top) = (corners(0.0), corners(3.0));
        let flanks = (0..4).map(|side| [foot[side], foot[(side + 1) % 4], top[(side + 1) % 4], top[side]]);
        for quad in flanks.chain([[top[0], top[1], top[2], top[3]]]) {
            let (first, normal) = (lod.vertices.len() as u32, (quad[2] - quad[0]).cross(quad[1] - quad[0]).normalize());
            lod.vertices.extend(quad.map(|corner| vertex(corner, normal, Vec2::ZERO)));
            lod.indices.extend([0, 2, 1, 0, 3, 2].map(|corner| first + corner));
        }
    }
    lod.meshes.push(Mesh { first: 0, count: lod.indices.len() as u32, material: 0 });
    lod
}

#[test]
fn a_wreck_of_posts_does_not_lose_them_where_they_show() {
    let full = posts(128);
    let area = |lod: &Lod| [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| shadow(lod, 0, axis)).iter().sum::<f32>();
    let levels = chain(&full, REST, false);
    for level in levels[1..].iter().filter(|level| level.pixels > 100.0) {
        let (_, least) = SURFACES.iter().find(|(aim, _)| aim.pixels == level.pixels).expect("a simplified surface");
        let kept = f64::from(area(level) / area(&full));
        assert!(kept > least - 0.03, "{} triangles keep {kept}", triangles(level));
    }
}

#[test]
fn a_rough_body_ends_in_few_triangles_too() {
    let mut full = body(64, 64);
    for vertex in &mut full.vertices {
        let [x, y, z] = vertex.position.to_array();
        vertex.position *= 1.0 + 0.15 * (20.0 * x.atan2(y)).sin() * (17.0 * z).cos();
    }
    let counts: Vec<_> = chain(&full, REST, false).iter().map(triangles).collect();
    assert!(counts[5] <= 80 && counts[7] <= 12, "{counts:?}");
}

#[test]
fn a_fin_stays_on_the_body_and_keeps_its_material() {
    let mut full = body(32, 48);
    add_fin(&mut full, 16, false);
    let levels = chain(&full, REST, false);
    let (lo, hi) = extent(&full);
    for level in levels.iter().filter(|level| level.pixels < 100.0) {
        let fin = level.meshes.iter().find(|mesh| mesh.material == 1).expect("the fin is the outline behind the body");
        let of = |range: std::ops::Range<u32>| -> Vec<f32> {
            range.map(|i| level.vertices[level.indices[i as usize] as usize].position.z).collect()
        };
        let fin_z = of(fin.first..fin.first + fin.count);
        let body_z = of(0..level.meshes[0].count);
        let (root, tip) = fin_z.iter().fold((f32::MAX, f32::MIN), |(least, most), z| (least.min(*z), most.max(*z)));
        let end_of_body = body_z.into_iter().fold(f32::MIN, f32::max);
        assert!(root <= end_of_body + 0.02 * (hi - lo).z, "a gap from {end_of_body} to {root}");
        assert!((tip - hi.z).abs() < 0.06 * (hi - lo).z, "the fin ends at {tip}");
    }
}

#[test]
fn the_silhouette_stays() {
    for both in [true, false] {
        let mut full = body(32, 48);
        add_fin(&mut full, 16, both);
        let levels = chain(&full, REST, false);
        let (lo, hi) = extent(&full);
        for (level, slack) in levels.iter().zip([0.0, 0.01, 0.03, 0.1]) {
            let (lo_here, hi_here) = extent(level);
            let off = (lo_here - lo).abs().max((hi_here - hi).abs()).max_element();
            assert!(off <= slack * (hi - lo).length(), "{} triangles: off by {off}", triangles(level));
            for material in [0, 1] {
                let (before, after) = (shadow(&full, material, Vec3::X), shadow(level, material, Vec3::X));
                let lost = 1.0 - after / before;
                assert!(lost.abs() < 0.01 + 2.0 * slack, "{} triangles, {material}: {lost}", triangles(level));
            }
        }
    }
}

#[test]
fn vertices_of_simplified_surfaces_are_vertices_of_the_full_mesh() {
    let mut full = body(24, 30);
    add_fin(&mut full, 8, true);
    // Distinct rows show that vertices keep their morphs too.
    (0..).zip(&mut full.vertices).for_each(|(row, vertex)| vertex.morph_row = row);
    for level in &chain(&full, REST, false)[1..] {
        for mesh in &level.meshes {
            assert!(mesh.count > 0 && mesh.count % 3 == 0);
        }
        assert_eq!(level.meshes.iter().map(|mesh| mesh.count as usize).sum::<usize>(), level.indices.len());
        let mut highest = None;
        for &index in &level.indices {
            assert!(index <= highest.map_or(0, |h: u32| h + 1), "in the order of first use");
            highest = highest.max(Some(index));
        }
        assert_eq!(highest.map_or(0, |h| h as usize + 1), level.vertices.len());
        for vertex in &level.vertices {
            let row = |v: &Vertex| (v.position, v.normal, v.uv, v.morph_row);
            let known = |v: &Vertex| row(v) == row(vertex);
            assert!(level.pixels < 100.0 || full.vertices.iter().any(known));
            assert!((vertex.normal.length() - 1.0).abs() < 1e-4);
            assert!((vertex.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(vertex.weights.is_sorted_by(|a, b| a >= b));
        }
    }
}

#[test]
fn equal_meshes_give_equal_levels() {
    let mut full = body(24, 30);
    add_fin(&mut full, 8, false);
    assert_eq!(chain(&full, REST, false).len(), 7);
    for (a, b) in chain(&full, REST, false).iter().zip(&chain(&full, REST, false)) {
        assert_eq!((&a.vertices, &a.indices, &a.meshes), (&b.vertices, &b.indices, &b.meshes));
    }
}

#[test]
fn broken_triangles_do_no_harm() {
    let mut full = body(16, 12);
    let nan = vertex(Vec3::splat(f32::NAN), Vec3::ZERO, Vec2::ZERO);
    full.vertices.push(nan);
    let last = full.vertices.len() as u32 - 1;
    full.indices.extend([0, 0, 5, last, last, 3, 1, 7, last]);
    full.meshes[0].count += 9;
    assert!(chain(&full, REST, false).len() > 1);
}

#[test]
fn weights_fold_into_the_largest() {
    let mut v = Vertex { weights: [0.5, 0.3, 0.1, 0.1], joints: [4, 2, 7, 1], ..vertex(Vec3::X, Vec3::X, Vec2::ZERO) };
    fold_weights(&mut v, 4, REST);
    assert_eq!(v.weights, [0.5, 0.3, 0.1, 0.1]);
    fold_weights(&mut v, 2, REST);
    assert_eq!((v.joints, v.weights), ([4, 2, REST, REST], [0.625, 0.375, 0.0, 0.0]));
    fold_weights(&mut v, 1, REST);
    assert_eq!((v.joints, v.weights), ([4, REST, REST, REST], [1.0, 0.0, 0.0, 0.0]));
}

#[test]
fn levels_kept_as_bytes_come_back_as_they_were() {
    let mut full = body(24, 40);
    add_fin(&mut full, 8, true);
    let levels = chain(&full, REST, false);
    let bytes = pack(&full, REST, &levels).expect("they can be kept");
    let back = unpack(&full, REST, &bytes).expect("they come back");
    let parts = |levels: &[Lod]| {
        let part = |lod: &Lod| (lod.vertices.clone(), lod.indices.clone(), lod.meshes.clone());
        let rest = |lod: &Lod| (lod.max_joints, lod.pixels, lod.two_sided);
        levels.iter().map(|lod| (part(lod), rest(lod))).collect::<Vec<_>>()
    };
    assert_eq!(parts(&back), parts(&levels));
    let mut other = full.clone();
    other.vertices[3].uv.x += 0.25;
    assert!(unpack(&other, REST, &bytes).is_none(), "they belong to another mesh");
    assert!(unpack(&full, REST + 1, &bytes).is_none(), "they belong to another skeleton");
}

#[test]
fn damaged_bytes_are_no_levels_or_sound_ones() {
    let full = body(12, 16);
    let bytes = pack(&full, REST, &chain(&full, REST, false)).expect("they can be kept");
    for end in 0..bytes.len() {
        assert!(unpack(&full, REST, &bytes[..end]).is_none(), "cut off after {end}");
    }
    for at in 0..bytes.len() {
        for bits in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= bits;
            for lod in unpack(&full, REST, &damaged).iter().flatten() {
                assert!(lod.indices.iter().all(|&index| (index as usize) < lod.vertices.len()));
                let end = lod.meshes.last().map_or(0, |mesh| mesh.first + mesh.count);
                assert_eq!(end as usize, lod.indices.len(), "byte {at}");
            }
        }
    }
}
