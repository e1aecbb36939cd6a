//! Measures of schools and of swimming in what has been seen of a scene, and the ranges that real animals keep.

use std::collections::BTreeMap;

use glam::Vec3;
use pelagic::life::AnimalReport;
use pelagic::scene::SpeciesSettings;

/// Steps in a second.
const SECOND: f32 = 60.0;

/// Every how many steps schools are measured.
const EVERY: u32 = 30;

/// Looks for which a school must have been under way: one that has just left its meal is spread out still. Three seconds.
const SETTLED: u32 = 6;

/// Members from which a group is measured as a school.
const SCHOOL: usize = 10;

/// From braking with a pike's greatest acceleration (Harper & Blake 1990) to going with it in 20 ms: m/s^3.
const MAX_JERK: f32 = 2.0 * 120.0 / 0.02;

/// Turning rate that a dogfish reaches, 1,023 degrees/s. Unit: rad/s.
const MAX_TURN: f32 = 17.9;

/// Roll that is no curve's, and how long it may last: an upset is gone in 0.1 s. Units: rad, s.
const UPSET: (f32, f32) = (0.75, 0.15);

/// Measurements of the schools of one species while they travelled.
#[derive(Default)]
struct Travel {
    polarisation: Vec<f32>,
    milling: Vec<f32>,
    /// Median distance of nearest neighbours, over the length.
    nearest: Vec<f32>,
    /// Greatest share of fish nearer to another than a fifth of their length.
    touching: f32,
    /// Volume a fish, over the length cubed.
    volume: Vec<f32>,
}

#[derive(Clone, Copy, Default)]
struct Last {
    position: Vec3,
    heading: Vec3,
    velocity: Vec3,
    acceleration: Vec3,
    upset_s: f32,
    seen: u32,
}

/// Takes down what schools and swimmers do.
#[derive(Default)]
pub struct Schooling {
    travel: BTreeMap<usize, Travel>,
    /// For how many looks each school has been under way.
    under_way: BTreeMap<usize, u32>,
    /// Milling index of schools that mill, once they do.
    mills: Vec<f32>,
    /// Way aside and way ahead of each species, in all.
    slip: BTreeMap<usize, (f32, f32)>,
    /// Steps in which those at ease turned, and those in which they turned faster than anything does.
    turns: (u32, u32),
    jerk: BTreeMap<usize, f32>,
    upsets: BTreeMap<usize, f32>,
    last: Vec<Last>,
}

impl Schooling {
    /// Looks at all animals after step number `step`.
    pub fn look(&mut self, step: u32, reports: &[AnimalReport]) {
        self.last.resize(reports.len(), Last::default());
        for (one, last) in reports.iter().zip(&mut self.last) {
            let velocity = (one.position - last.position) * SECOND;
            let acceleration = (velocity - last.velocity) * SECOND;
            let jerk = ((acceleration - last.acceleration) * SECOND).length();
            last.seen += 1;
            if last.seen > 3 {
                let most = self.jerk.entry(one.species).or_default();
                *most = most.max(jerk);
                let turn = one.heading.distance(last.heading) * SECOND;
                if one.fear < 0.1 {
                    self.turns.0 += 1;
                    self.turns.1 += u32::from(turn > MAX_TURN);
                }
                // Animals that drift, hang on their fins or are wedged in a crevice slide.
                let is_under_way = one.speed_m_s > 0.3 * one.length_m;
                if is_under_way && !matches!(one.doing, "pick plankton" | "hold station" | "drift" | "rest" | "hide") {
                    let along = velocity.dot(one.heading);
                    let (aside, ahead) = self.slip.entry(one.species).or_default();
                    *aside += (velocity - along * one.heading).length();
                    *ahead += along.max(0.0);
                }
            }
            last.upset_s = if one.bank.abs() > UPSET.0 { last.upset_s + 1.0 / SECOND } else { 0.0 };
            let longest = self.upsets.entry(one.species).or_default();
            *longest = longest.max(last.upset_s);
            (last.position, last.heading, last.velocity, last.acceleration) =
                (one.position, one.heading, velocity, acceleration);
        }
        if step.is_multiple_of(EVERY) {
            let mut schools: BTreeMap<usize, Vec<&AnimalReport>> = BTreeMap::new();
            for one in reports {
                if let Some(school) = one.school {
                    schools.entry(school).or_default().push(one);
                }
            }
            schools.retain(|_, members| members.len() >= SCHOOL);
            schools.iter().for_each(|(school, members)| self.measure(*school, members));
        }
    }

    fn measure(&mut self, school: usize, members: &[&AnimalReport]) {
        let share = 1.0 / members.len() as f32;
        let middle = members.iter().map(|one| one.position).sum::<Vec3>() * share;
        let heading = members.iter().map(|one| one.heading).sum::<Vec3>() * share;
        let spin = members.iter().map(|one| (one.position - middle).normalize_or_zero().cross(one.heading));
        let spin = (spin.sum::<Vec3>() * share).length();
        let doing = |what: &str| members.iter().filter(|one| one.doing == what).count() as f32 * share;
        if doing("mill") > 0.95 {
            self.mills.push(spin);
        }
        let is_at_ease = members.iter().all(|one| one.fear < 0.1);
        let under_way = self.under_way.entry(school).or_default();
        if doing("school") < 0.95 || !is_at_ease {
            *under_way = 0;
            return;
        }
        *under_way += 1;
        if *under_way < SETTLED {
            return;
        }
        let length = members.iter().map(|one| one.length_m).sum::<f32>() * share;
        let travel = self.travel.entry(members[0].species).or_default();
        travel.polarisation.push(heading.length());
        travel.milling.push(spin);
        let nearest = |one: &&AnimalReport| {
            let others = members.iter().filter(|other| !std::ptr::eq(**other, *one));
            others.map(|other| other.position.distance(one.position)).fold(f32::INFINITY, f32::min) / length
        };
        let mut nearest: Vec<f32> = members.iter().map(nearest).collect();
        nearest.sort_by(f32::total_cmp);
        travel.nearest.push(nearest[nearest.len() / 2]);
        travel.touching = travel.touching.max(nearest.iter().filter(|far| **far < 0.2).count() as f32 * share);
        if members.len() >= 100 {
            travel.volume.push(volume(members, middle) * share / (length * length * length));
        }
    }

    /// All that is not as it is in the sea.
    pub fn wrong(&self, scene: &str, species: &[SpeciesSettings]) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut hold = |what: String, value: f32, range: std::ops::Range<f32>| {
            eprintln!("{scene}: {what} {value:.2}");
            if !range.contains(&value) {
                wrong.push(format!("{scene}: {what} is {value}, not in {range:?}"));
            }
        };
        for (index, travel) in &self.travel {
            let one = &species[*index];
            let name = &one.name;
            if travel.polarisation.len() < 10 {
                continue;
            }
            // Tunstrøm et al. 2013.
            hold(format!("polarisation of {name}"), median(&travel.polarisation), 0.65..1.01);
            hold(format!("milling of {name} that travel"), median(&travel.milling), 0.0..0.35);
            // As real ones, wider where the scene asks for more room; schools are up to 1.45 times as loose as their kind.
            hold(format!("nearest neighbour of {name}"), median(&travel.nearest) / one.life.spacing_bl, 0.5..1.35);
            hold(format!("share of touching {name}"), travel.touching, 0.0..0.05);
            if !travel.volume.is_empty() {
                let room = one.life.spacing_bl.powi(3);
                hold(format!("volume a fish of {name}"), median(&travel.volume) / room, VOLUME);
            }
        }
        if self.mills.len() > 20 {
            // A mill takes some seconds to close.
            hold("milling of mills".into(), median(&self.mills[self.mills.len() / 2..]), 0.65..1.01);
        }
        for (index, (aside, ahead)) in &self.slip {
            hold(format!("slip of {}", species[*index].name), aside / ahead.max(1e-3), 0.0..0.15);
        }
        for (index, jerk) in &self.jerk {
            hold(format!("jerk of {}", species[*index].name), *jerk, 0.0..MAX_JERK);
        }
        for (index, upset) in &self.upsets {
            hold(format!("longest upset of {}", species[*index].name), *upset, 0.0..UPSET.1);
        }
        hold("share of sudden turns".into(), self.turns.1 as f32 / self.turns.0.max(1) as f32, 0.0..1e-4);
        wrong
    }
}

/// Volume a fish over its length cubed: 0.7 in herring to 1.4 in saithe (Pitcher & Partridge 1979), up to 1.45 cubed times
/// that in the loosest of ours.
const VOLUME: std::ops::Range<f32> = 0.6..4.3;

/// Volume of the ellipsoid that is as long, wide and high as a school: for even density its half axes are the square root of
/// five times the standard deviations.
fn volume(members: &[&AnimalReport], middle: Vec3) -> f32 {
    let off = members.iter().map(|one| one.position - middle);
    let (mut a, mut b) = (Vec3::ZERO, Vec3::ZERO);
    for off in off {
        a += off * off;
        b += off * Vec3::new(off.y, off.z, off.x);
    }
    let share = 5.0 / members.len() as f32;
    let (a, b) = (a * share, b * share);
    // The root of the determinant is the product of the half axes.
    let determinant = a.x * (a.y * a.z - b.y * b.y) - b.x * (b.x * a.z - b.y * b.z) + b.z * (b.x * b.y - a.y * b.z);
    4.0 / 3.0 * std::f32::consts::PI * determinant.max(0.0).sqrt()
}

fn median(values: &[f32]) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted[sorted.len() / 2]
}
