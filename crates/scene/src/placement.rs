//! Placement of props: by hand or scattered by rule, touching the ground or the rock beneath them.
//!
//! Each scattered thing has its own generator, seeded by the scene, its prop's name and its number: a greater count, or
//! another prop, does not move the others unless they would stand inside each other.

mod candidate;
mod context;
mod cover;
mod prop;
mod upper_surface;

use std::sync::Arc;

use glam::{Vec2, Vec3};
use life::{Obstacle, Shelter};
use math::{smoothstep, splitmix64};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::placement::candidate::{Candidate, PatchDensity, name_hash};
use crate::placement::context::PlacementContext;
use crate::seabed::{GroundContact, Seabed};
use crate::{FloraSettings, PropSettings};

pub use cover::{Rocks, cover};
pub use prop::{PlacedProp, PropShape};

/// Candidates tried for one thing before it is left out.
const TRIES: u32 = 600;
/// Candidates tried for all things of one prop, so that twenty thousand things without a place do not delay the start.
const TRIES_IN_ALL: u32 = 600_000;

/// Places every prop; `shapes` has one entry for each prop. Without a ground there are only those that hang.
pub fn place(
    props: &[PropSettings],
    flora: &FloraSettings,
    bed: &Seabed,
    shapes: &[PropShape],
    seed: u64,
) -> Vec<PlacedProp> {
    let mut hung: Vec<PlacedProp> = props
        .iter()
        .enumerate()
        .flat_map(|(i, prop)| prop.hung.iter().map(move |at| PlacedProp::hung(i, &shapes[i], at)))
        .collect();
    if !bed.present() {
        return hung;
    }
    let mut context = PlacementContext::new(bed, shapes);
    let mut placed = Vec::new();
    // Solid things first: others may stand on them.
    for solid in [true, false] {
        let indices = || (0..props.len()).filter(|&i| props[i].is_rock() == solid);
        for i in indices() {
            for at in &props[i].at {
                placed.push(PlacedProp { by_hand: true, ..context.place(i, &props[i], &Candidate::by_hand(at)) });
            }
        }
        for i in indices() {
            scatter(i, &props[i], flora, seed, &mut context, &mut placed);
        }
    }
    placed.append(&mut hung);
    placed
}

/// Scatters things of a prop, up to its count, as far as there is room.
fn scatter(
    index: usize,
    prop: &PropSettings,
    flora: &FloraSettings,
    seed: u64,
    context: &mut PlacementContext<'_>,
    placed: &mut Vec<PlacedProp>,
) {
    let patches = PatchDensity::new(seed, prop);
    let density = if prop.sway > 0.0 { flora.density.max(0.0) } else { 1.0 };
    let count = (prop.count as f32 * density).round() as u32;
    let tries = (TRIES_IN_ALL / count.max(1)).min(TRIES);
    for n in 0..count {
        let mut rng = Pcg64Mcg::seed_from_u64(splitmix64(seed ^ name_hash(&prop.name), u64::from(n)));
        let beside_rock = rng.random::<f32>() < 0.25;
        let admitted = (0..tries).find_map(|_| {
            let candidate = Candidate::draw(&mut rng, prop, &patches, beside_rock)?;
            context.admits(index, prop, &candidate).then_some(candidate)
        });
        placed.extend(admitted.map(|candidate| context.place(index, prop, &candidate)));
    }
}

/// Obstacles for animals: the solid props, long ones as a row of ellipsoids, each as high and wide as the thing is
/// there.
pub fn obstacles(props: &[PropSettings], placed: &[PlacedProp], shapes: &[PropShape]) -> Vec<Obstacle> {
    /// Least radii, so that a flat thing has some thickness. Unit: m.
    const MIN_RADIUS: Vec3 = Vec3::splat(0.01);
    let parts: Vec<Vec<Obstacle>> =
        props.iter().zip(shapes).map(|(prop, shape)| if prop.solid { shape.parts() } else { Vec::new() }).collect();
    let in_world = |thing: &PlacedProp, part: &Obstacle| {
        let Obstacle { center, radii } = in_world(thing, part);
        Obstacle { center, radii: radii.max(MIN_RADIUS) }
    };
    placed.iter().flat_map(|thing| parts[thing.prop].iter().map(move |part| in_world(thing, part))).collect()
}

/// Corals, fans and plants that are large enough to lie on, as animals know them: one ellipsoid each.
pub fn growths(props: &[PropSettings], placed: &[PlacedProp], shapes: &[PropShape]) -> Vec<Obstacle> {
    /// Least size. Unit: m.
    const LEAST_M: f32 = 0.15;
    let soft = placed
        .iter()
        .filter(|thing| !props[thing.prop].solid && shapes[thing.prop].extent().max_element() * thing.scale >= LEAST_M);
    let whole = |thing: &PlacedProp| {
        let shape = &shapes[thing.prop];
        in_world(thing, &Obstacle { center: shape.bounds.center(), radii: 0.5 * shape.extent() })
    };
    soft.map(whole).collect()
}

/// A part of a thing's model in world space, as the ellipsoid along the world's axes that has the same extent.
fn in_world(thing: &PlacedProp, part: &Obstacle) -> Obstacle {
    let axes = [Vec3::X * part.radii.x, Vec3::Y * part.radii.y, Vec3::Z * part.radii.z]
        .map(|axis| thing.rotation * axis * thing.scale);
    let radii = (axes[0] * axes[0] + axes[1] * axes[1] + axes[2] * axes[2]).map(f32::sqrt);
    Obstacle { center: thing.to_world(part.center), radii }
}

/// Hiding places of animals: one among the branches of each prop that is not rock, and one at the foot of each rock on
/// all four sides. `names` has the model's name of each prop.
pub fn shelters(
    props: &[PropSettings],
    names: &[Arc<str>],
    placed: &[PlacedProp],
    shapes: &[PropShape],
    bed: &Seabed,
) -> Vec<Shelter> {
    /// Room between rock and the middle of the place. Unit: m.
    const GAP_M: f32 = 0.25;
    let of_thing = |thing: &PlacedProp| -> Vec<Shelter> {
        let (shape, model) = (&shapes[thing.prop], &names[thing.prop]);
        let half = 0.5 * shape.extent() * thing.scale;
        let foot = thing.to_world(shape.foot());
        let shelter = |place: Vec3, radius| Shelter { model: Arc::clone(model), place, radius };
        if !props[thing.prop].is_rock() {
            let among = foot + 0.8 * half.y * (thing.rotation * Vec3::Y);
            return vec![shelter(among, shape.radius() * thing.scale)];
        }
        let sides = [
            (Vec3::X, half.x, half.z),
            (Vec3::NEG_X, half.x, half.z),
            (Vec3::Z, half.z, half.x),
            (Vec3::NEG_Z, half.z, half.x),
        ];
        let beside = |(side, out, along): (Vec3, f32, f32)| {
            let place = foot + (out + GAP_M) * (thing.rotation * side);
            let ground_m = if bed.present() { bed.height(place.x, place.z) } else { foot.y };
            let y = ground_m + GAP_M;
            shelter(place.with_y(y), (0.5 * along).max(GAP_M))
        };
        sides.map(beside).into()
    };
    placed.iter().flat_map(of_thing).collect()
}

/// Contacts of things with the ground, for its shading; things too small to see from a few metres are left out.
pub fn contacts(
    props: &[PropSettings],
    placed: &[PlacedProp],
    shapes: &[PropShape],
    bed: &Seabed,
) -> Vec<GroundContact> {
    const MIN_SIZE_M: f32 = 0.35;
    // A scene without rubble has none about its rocks either.
    let strewn = if bed.settings().rubble > 0.0 { 0.85 } else { 0.0 };
    let contact = |thing: &PlacedProp| {
        let (prop, shape) = (&props[thing.prop], &shapes[thing.prop]);
        let size = shape.extent() * thing.scale;
        let foot = thing.to_world(shape.foot());
        let on_ground = foot.y - bed.height(foot.x, foot.z) < 0.25 * size.max_element();
        let base = shape.base_radius.max(0.3 * shape.radius()) * thing.scale;
        let radius = if prop.is_rock() { base.max(0.7 * shape.radius() * thing.scale) } else { base };
        (on_ground && size.max_element() >= MIN_SIZE_M).then(|| GroundContact {
            center: Vec2::new(foot.x, foot.z),
            radius,
            height: if prop.is_rock() { size.y } else { 0.4 * size.y },
            occlusion: if prop.is_rock() { 0.75 } else { 0.35 },
            // The circle about a thing as long as a ship is mostly sand.
            rubble: if prop.is_rock() { strewn * smoothstep(7.0, 4.0, radius) } else { 0.0 },
        })
    };
    placed.iter().filter_map(contact).collect()
}

#[cfg(test)]
mod tests;
