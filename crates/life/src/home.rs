//! Placement checks: room where a scene places a species, and a crevice if it rests in one.

use glam::{Vec2, Vec3};

use crate::swimming::Laws;
use crate::{Habitat, LifeSettings, Routine};

/// Reason why a species cannot live where it is placed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementProblemKind {
    /// There is no water, or too little for the body.
    #[error("there is no room for it: within its range the ground is nowhere deeper than {0:.1} m")]
    NoWater(f32),
    /// All the water of its depths is inside solid things.
    #[error("there is no room for it: within its range all is rock at its depths")]
    InRock,
    /// All of its path is above the water, by a number of metres or more.
    #[error("all of it is above the water, by {0:.1} m or more")]
    PathInAir(f32),
    /// Nothing that it rests in has a crevice for it.
    #[error("there is no crevice for it in reach: it rests on open ground")]
    NoCrevice,
}

/// A species without room where it is placed.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacementProblem {
    /// Name of the species.
    pub species: String,
    /// Key of the setting that places it.
    pub key: &'static str,
    /// Reason for the problem.
    pub problem: PlacementProblemKind,
}

/// Returns the species that have no room in a habitat.
pub fn placement_problems(species: &[LifeSettings], habitat: &Habitat) -> impl Iterator<Item = PlacementProblem> {
    species.iter().filter_map(|species| {
        let (key, problem) = placement_problem(species, habitat)?;
        Some(PlacementProblem { species: species.name.clone(), key, problem })
    })
}

/// Returns the problem of a species' place, and its key: none if there is open water at its depths somewhere within its
/// range, or at a point of its path.
fn placement_problem(settings: &LifeSettings, habitat: &Habitat) -> Option<(&'static str, PlacementProblemKind)> {
    /// Circles about the middle of the range, and points on each, that are checked.
    const CIRCLES: u32 = 4;
    const POINTS: u32 = 12;
    /// Heights that are checked over each point.
    const HEIGHTS: u32 = 5;
    let home = Vec2::from(settings.home_m);
    let on_circle = |i: u32| {
        let radius = settings.range_m * i.div_ceil(POINTS) as f32 / CIRCLES as f32;
        home + radius * Vec2::from_angle(i as f32 * std::f32::consts::TAU / POINTS as f32)
    };
    let (key, places): (_, Vec<Vec2>) = match &settings.path_m[..] {
        [] => ("home_m", (0..=CIRCLES * POINTS).map(on_circle).collect()),
        path => ("path_m", path.iter().map(|&[x, _, z]| Vec2::new(x, z)).collect()),
    };
    let lowest = settings.path_m.iter().map(|[_, y, _]| *y).reduce(f32::min);
    if let Some(above) = lowest.filter(|lowest| *lowest > 0.0) {
        return Some((key, PlacementProblemKind::PathInAir(above)));
    }
    let highest = -0.45 * settings.length_m;
    let mut is_wet = false;
    let mut deepest = f32::INFINITY;
    for Vec2 { x, y: z } in places {
        let ground = habitat.floor_m(x, z);
        deepest = deepest.min(ground);
        let lowest = ground + Laws::of(settings.swimming).half_height(settings.length_m);
        if lowest > highest {
            continue;
        }
        is_wet = true;
        let [most, least] = [settings.depth_m[1], settings.depth_m[0]].map(|depth| (-depth).clamp(lowest, highest));
        let heights = (0..HEIGHTS).map(|i| most + (least - most) * i as f32 / (HEIGHTS - 1) as f32);
        if heights.into_iter().any(|y| habitat.is_clear(Vec3::new(x, y, z), 0.0)) {
            return (!has_bed(settings, habitat)).then_some((key, PlacementProblemKind::NoCrevice));
        }
    }
    Some((key, if is_wet { PlacementProblemKind::InRock } else { PlacementProblemKind::NoWater(-deepest) }))
}

/// Whether a crawling animal that rests in rock has a crevice to lie in; others need none.
fn has_bed(settings: &LifeSettings, habitat: &Habitat) -> bool {
    let laws = Laws::of(settings.swimming);
    let rests = settings.routines.contains(&Routine::Rest) && !settings.shelter.is_empty();
    if !laws.crawls || !rests {
        return true;
    }
    let body = (settings.length_m, laws.half_height(settings.length_m));
    let mut shelters = shelters_in_reach(&settings.shelter, Vec2::from(settings.home_m), settings.range_m, habitat);
    shelters.any(|place| habitat.crevice_at(place, body).is_some())
}

/// Places in the shelters of these models within a range of a home, or, if there are none, a little beyond.
pub(super) fn shelters_in_reach<'a>(
    models: &'a [String],
    home: Vec2,
    range: f32,
    habitat: &'a Habitat,
) -> impl Iterator<Item = Vec3> {
    /// Distance beyond its range at which shelter is sought if there is none within. Unit: m.
    const BEYOND_M: f32 = 3.0;
    let within = move |range: f32| habitat.shelters_of(models, home, range);
    let reach = if within(range).next().is_some() { range } else { range + BEYOND_M };
    within(reach).map(|shelter| shelter.place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HeightMap, Obstacle, Shelter, Swimming};

    #[test]
    fn an_eel_needs_a_crevice_in_its_range_or_just_beyond() {
        let floor = HeightMap::sample(Vec2::ZERO, 40.0, 1.0, |_, _| -5.0);
        let rock = Obstacle { center: Vec3::new(0.0, -5.0, 0.0), radii: Vec3::new(0.8, 0.5, 0.8) };
        let shelter = Shelter { model: "boulder".into(), place: Vec3::new(0.0, -4.75, 1.05), radius: 0.4 };
        let habitat = Habitat::new(Some(floor), vec![rock]).with_shelters([shelter]);
        let problem = |x: f32, swimming: Swimming| {
            let settings = LifeSettings {
                swimming,
                routines: vec![Routine::Rest],
                shelter: vec!["boulder".into()],
                length_m: 1.0,
                home_m: [x, 1.0],
                range_m: 2.0,
                ..LifeSettings::default()
            };
            placement_problem(&settings, &habitat)
        };
        assert_eq!(problem(1.0, Swimming::Anguilliform), None);
        assert_eq!(problem(4.0, Swimming::Anguilliform), None, "there it goes");
        assert_eq!(problem(9.0, Swimming::Anguilliform), Some(("home_m", PlacementProblemKind::NoCrevice)));
        assert_eq!(problem(9.0, Swimming::Labriform), None, "others sleep in the open");
    }

    #[test]
    fn a_home_is_in_open_water() {
        // A beach: dry where x is more than 0, 10 m deep at -50.
        let beach = HeightMap::sample(Vec2::ZERO, 60.0, 1.0, |x, _| 0.2 * x);
        let rock = Obstacle::sphere(Vec3::new(-30.0, -6.0, 0.0), 7.0);
        let habitat = Habitat::new(Some(beach), vec![rock]);
        let problem = |x: f32, range_m: f32| {
            let settings = LifeSettings { home_m: [x, 0.0], range_m, depth_m: [1.0, 9.0], ..LifeSettings::default() };
            placement_problem(&settings, &habitat)
        };
        assert_eq!(problem(-15.0, 3.0), None);
        assert_eq!(problem(20.0, 40.0), None, "some of it is water");
        let (key, dry) = problem(20.0, 5.0).expect("no water");
        assert_eq!(key, "home_m");
        assert_eq!(
            dry.to_string(),
            "there is no room for it: within its range the ground is nowhere deeper than -3.0 m"
        );
        assert_eq!(problem(-30.0, 3.0), Some(("home_m", PlacementProblemKind::InRock)));
        assert_eq!(problem(-30.0, 12.0), None, "beside the rock there is room");
        let path = |path_m: &[[f32; 3]]| {
            placement_problem(&LifeSettings { path_m: path_m.into(), ..LifeSettings::default() }, &habitat)
        };
        assert_eq!(path(&[[30.0, -1.0, 0.0], [-15.0, -1.0, 0.0]]), None);
        assert_eq!(path(&[[-30.0, -6.0, 0.0], [-31.0, -6.0, 0.0]]), Some(("path_m", PlacementProblemKind::InRock)));
        assert_eq!(path(&[[-20.0, 5.0, 0.0], [-15.0, -1.0, 0.0]]), None, "what leaps comes down again");
        assert_eq!(
            path(&[[-20.0, 5.0, 0.0], [-15.0, 6.0, 0.0]]),
            Some(("path_m", PlacementProblemKind::PathInAir(5.0)))
        );
        assert_eq!(placement_problem(&LifeSettings::default(), &Habitat::default()), None, "bottomless water");
    }
}
