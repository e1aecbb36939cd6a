//! How animals carry themselves in every scene: turns that a body can make and does not repeat at once, level hovers,
//! pairs of two minds; and what they make of the ship, the pillar and a torch.

use std::collections::{BTreeMap, VecDeque};

use glam::{Vec2, Vec3};
use pelagic::config;
use pelagic::life::{AnimalReport, Swimming};
use pelagic::runtime::files::load_model;
use pelagic::runtime::threads::join;
use pelagic::scene::{SceneSettings, World};
use pelagic::view::Camera;

const SECOND: u32 = 60;

/// A scene without bubbles, which are nothing to the animals.
fn scene(name: &str) -> (World, SceneSettings) {
    let set = ["particles.bubble_rate_hz=0", "particles.pearl_rate_hz=0"].map(str::to_owned);
    let scene = config::load(name, &set).expect("the built-in scenes are fine").config.scene;
    (World::new(&scene, 1, load_model, join).expect("the scene can be made"), scene)
}

/// Turn that counts as a U-turn, and the time within which it is made. Units: rad, steps.
const U_TURN: (f32, usize) = (120.0 * std::f32::consts::PI / 180.0, SECOND as usize);

/// Time after a U-turn in which no other may follow. Unit: steps.
const NO_SECOND: u32 = 2 * SECOND;

/// Angle from one direction to another in the plan, positive to the left. Unit: rad.
fn yaw(from: Vec3, to: Vec3) -> f32 {
    Vec2::new(from.z, from.x).angle_to(Vec2::new(to.z, to.x))
}

/// Fear from which an animal turns as often as it must.
const AFRAID: f32 = 0.3;

/// Turning rate that a body of a metre exceeds in no more than a hundredth of the time, and inversely with its length: above
/// a bluefin's 302 and below the 434 to 1,023 of a dogfish's start. Unit: degrees/s.
const MAX_YAW: f32 = 400.0;

/// Second turns about that are let pass, over the animals of a species and minutes: a wall may turn it, or another.
const SECOND_TURNS: f32 = 0.1;

/// Speed below which an animal hovers, as such and over its usual one, and the time after which it does. Units: body
/// lengths/s, 1, s.
const HOVERS: (f32, f32, f32) = (0.12, 0.4, 1.0);

/// Pitch, and roll, that all but a twentieth of the hovering keep below. Unit: degrees.
const LEVEL: [f32; 2] = [10.0, 13.0];

/// Way by which one of a pair is ahead of the other. Unit: body lengths.
const AHEAD_BL: f32 = 0.25;

/// Steps of a hover, and looks at a pair, from which they are measured.
const ENOUGH: usize = 120;

/// Turns of one animal.
#[derive(Clone, Default)]
struct Turns {
    heading: Option<Vec3>,
    /// Sum of its turns at each step of the last second.
    turned: VecDeque<f32>,
    /// Step of its last U-turn.
    u_turn: Option<u32>,
    /// Steps for which it has hovered.
    hovers: u32,
}

impl Turns {
    /// Rate of its turn in this step (rad/s), and whether this is the end of a second U-turn.
    fn look(&mut self, step: u32, one: &AnimalReport) -> (f32, bool) {
        let turn = self.heading.map_or(0.0, |before| yaw(before, one.heading));
        self.heading = Some(one.heading);
        if one.fear > AFRAID {
            self.turned.clear();
            self.u_turn = None;
        }
        let sum = self.turned.back().copied().unwrap_or(0.0) + turn;
        if self.turned.len() > U_TURN.1 {
            self.turned.pop_front();
        }
        self.turned.push_back(sum);
        let mut is_second = false;
        if self.turned.iter().any(|before| (sum - before).abs() > U_TURN.0) {
            is_second = self.u_turn.is_some_and(|before| step - before < NO_SECOND);
            self.u_turn = Some(step);
            self.turned = [sum].into();
        }
        (turn.abs() * SECOND as f32, is_second)
    }

    /// Whether it has hovered for a while.
    fn hovers(&mut self, one: &AnimalReport, usual_bl_s: f32) -> bool {
        let tilts = matches!(one.doing, "graze" | "clean" | "visit cleaner" | "hide" | "eat" | "breathe");
        let is_slow = one.speed_m_s < HOVERS.0.min(HOVERS.1 * usual_bl_s) * one.length_m && !tilts;
        self.hovers = if is_slow { self.hovers + 1 } else { 0 };
        self.hovers as f32 > HOVERS.2 * SECOND as f32
    }
}

/// Measures of a species.
#[derive(Default)]
struct Carriage {
    /// Turning rates times lengths. Unit: degrees/s m.
    rates: Vec<f32>,
    second: Vec<String>,
    /// Pitch and roll of the hovering. Unit: degrees.
    tilt: [Vec<f32>; 2],
}

/// Measures of a pair.
#[derive(Default)]
struct Pair {
    species: usize,
    /// Sum of the cosines between their headings, and the number of looks.
    alike: (f32, usize),
    /// Numbers of those that were ahead, one after another.
    leaders: Vec<bool>,
}

fn percentile(values: &mut [f32], share: f32) -> f32 {
    values.sort_by(f32::total_cmp);
    let at = (values.len() as f32 * share) as usize;
    values.get(at.min(values.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

/// Looks at all pairs that are under way together.
fn look_at_pairs(reports: &[AnimalReport], pairs: &mut BTreeMap<usize, Pair>) {
    let mut schools: BTreeMap<usize, Vec<&AnimalReport>> = BTreeMap::new();
    for one in reports {
        if let Some(school) = one.school {
            schools.entry(school).or_default().push(one);
        }
    }
    for (school, members) in schools {
        let &[a, b] = &members[..] else { continue };
        let apart = a.position - b.position;
        let is_under_way = |one: &AnimalReport| one.doing == "school" && one.fear < 0.1;
        if !is_under_way(a) || !is_under_way(b) || apart.length() > 10.0 * a.length_m {
            continue;
        }
        let pair = pairs.entry(school).or_default();
        pair.species = a.species;
        pair.alike = (pair.alike.0 + a.heading.dot(b.heading), pair.alike.1 + 1);
        let ahead = apart.dot(a.heading + b.heading) / a.length_m;
        if ahead.abs() > AHEAD_BL && pair.leaders.last() != Some(&(ahead > 0.0)) {
            pair.leaders.push(ahead > 0.0);
        }
    }
}

/// Lives through `seconds` of a scene and gives all that went wrong.
fn live(name: &str, seconds: u32) -> Vec<String> {
    let (mut world, settings) = scene(name);
    world.set_onlooker(Some(settings.camera.eye_m.into()));
    world.set_torches(Some(&world.first_view()));
    let mut turns = vec![Turns::default(); world.animals()];
    let mut seen: BTreeMap<usize, Carriage> = BTreeMap::new();
    let mut pairs: BTreeMap<usize, Pair> = BTreeMap::new();
    for step in 1..=seconds * SECOND {
        world.step();
        let reports: Vec<AnimalReport> = world.reports().collect();
        for (index, (one, turns)) in reports.iter().zip(&mut turns).enumerate() {
            let species = &settings.species[one.species].life;
            if !species.behaviour.has_nose() {
                continue;
            }
            let of = seen.entry(one.species).or_default();
            let (rate, is_second) = turns.look(step, one);
            of.rates.push(rate.to_degrees() * one.length_m);
            if is_second {
                of.second.push(format!("{index} at {:.1} s ({})", step as f32 / SECOND as f32, one.doing));
            }
            // An eel looks up out of its crevice, and over the ground a fish pecks, nose down.
            let p = one.position;
            let pecks = one.heading.y < 0.0 && world.habitat().floor_m(p.x, p.z) > p.y - 2.0 * one.length_m;
            let tilts = pecks || species.swimming == Swimming::Anguilliform;
            if turns.hovers(one, species.speed_bl_s) && !tilts {
                of.tilt[0].push(one.heading.y.asin().to_degrees().abs());
                of.tilt[1].push(one.bank.to_degrees().abs());
            }
        }
        if step % 6 == 0 {
            look_at_pairs(&reports, &mut pairs);
        }
    }
    let mut wrong = Vec::new();
    let mut hold = |what: String, value: f32, most: f32| {
        eprintln!("{name}: {what} {value:.2}");
        if value > most {
            wrong.push(format!("{name}: {what} is {value}, more than {most}"));
        }
    };
    for (index, mut of) in seen {
        let species = &settings.species[index];
        let who = &species.name;
        hold(format!("yaw of {who}"), percentile(&mut of.rates, 0.99), MAX_YAW);
        let share = of.second.len() as f32 * 60.0 / (world.animals_of(index) as f32 * seconds as f32);
        let first = of.second.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
        hold(format!("second turns about of {who} a minute ({first})"), share, SECOND_TURNS);
        for (what, tilt, most) in [("pitch", 0, LEVEL[0]), ("roll", 1, LEVEL[1])] {
            if of.tilt[tilt].len() > ENOUGH {
                hold(format!("{what} of hovering {who}"), percentile(&mut of.tilt[tilt], 0.95), most);
            }
        }
    }
    let (mut pair_count, mut changes) = (0, 0);
    for pair in pairs.into_values().filter(|pair| pair.alike.1 > ENOUGH) {
        let who = &settings.species[pair.species].name;
        hold(format!("correlation of a pair of {who}"), pair.alike.0 / pair.alike.1 as f32, 0.95);
        (pair_count, changes) = (pair_count + 1, changes + pair.leaders.len().saturating_sub(1));
    }
    eprintln!("{name}: {changes} changes of leader in {pair_count} pairs");
    if changes < 2 * pair_count {
        wrong.push(format!("{name}: {pair_count} pairs change their leader {changes} times in all"));
    }
    wrong
}

macro_rules! scenes {
    ($($scene:ident)*) => {$(
        fn $scene() {
            let wrong = live(stringify!($scene), 90);
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    )*};
}

scenes!(deep harbour kelp lagoon night_reef open_blue reef storm wreck);

/// Share of its time that each species of a scene spends within two metres of the thing `prop` at its first place, up to its
/// `half` length to either side.
fn company_of(scene_name: &str, prop: &str, half: f32) -> BTreeMap<String, f32> {
    let (mut world, settings) = scene(scene_name);
    let prop = settings.props.iter().find(|one| one.name == prop).expect("a thing of that name");
    let [x, z, ..] = prop.at[0];
    let is_part = |center: Vec3| Vec2::new(center.x - x, center.z - z).length() < half;
    let parts: Vec<_> = world.habitat().obstacles().iter().filter(|one| is_part(one.center)).copied().collect();
    let largest = parts.iter().map(|one| one.radii.max_element()).fold(0.0, f32::max);
    let mut shares: BTreeMap<String, f32> = BTreeMap::new();
    for _ in 0..60 {
        (0..SECOND).for_each(|_| world.step());
        for one in world.reports() {
            let is_near = parts
                .iter()
                .filter(|part| part.radii.max_element() > 0.5 * largest)
                .any(|part| part.normalized_distance(one.position, 2.0) < 1.0);
            let share = 1.0 / (60.0 * world.animals_of(one.species) as f32);
            *shares.entry(settings.species[one.species].name.clone()).or_default() +=
                share * f32::from(u8::from(is_near));
        }
    }
    shares.retain(|_, share| *share > 0.02);
    eprintln!("{scene_name}: by the {}: {shares:.2?}", prop.name);
    shares
}

fn the_ship_and_the_pillar_are_lived_in() {
    let ship = company_of("wreck", "wreck", 11.0);
    assert!(ship.get("puffer").is_some_and(|share| *share > 0.8), "{ship:?}");
    let pillar = company_of("reef", "stacks", 1.5);
    assert!(pillar.get("pillar_moray").is_some_and(|share| *share > 0.9), "{pillar:?}");
    let (world, settings) = scene("reef");
    let is_moray = |one: &AnimalReport| settings.species[one.species].name == "pillar_moray";
    let moray = world.reports().find(is_moray).expect("a moray");
    let is_in_rock = |p: Vec3| world.habitat().obstacles_near(p).any(|part| part.normalized_distance(p, 0.0) < 1.0);
    let [head, tail] = [0.45, -0.45].map(|share| moray.position + moray.heading * (share * moray.length_m));
    eprintln!("the moray's head is at {head}, its tail at {tail}");
    assert!(!is_in_rock(head) && is_in_rock(tail), "its head looks out of the rock: {head}, {tail}");
}

/// Mean speed, over cruising, of the fish awake that a diver's torch falls on when he turns round at `turns`, in the second
/// after that.
fn dash(turns: bool) -> f32 {
    let (mut world, settings) = scene("night_reef");
    let eye = Vec3::from(settings.camera.eye_m);
    let away = Camera::look_at(eye, eye + Vec3::new(-2.0, 0.5, 4.0), 1.0);
    world.set_torches(Some(&away));
    (0..20 * SECOND).for_each(|_| world.step());
    let is_sardine = |one: &AnimalReport| settings.species[one.species].name == "sardine";
    let sardines = world.reports().filter(is_sardine);
    // From three metres, whatever the first view sees.
    let at = sardines.map(|one| one.position).next().expect("there are sardines");
    let near = Camera::look_at(at + Vec3::new(1.0, 0.5, 3.0), at, 1.0);
    world.set_torches(Some(if turns { &near } else { &away }));
    let (mut sum, mut count) = (0.0, 0);
    for _ in 0..SECOND {
        world.step();
        for one in world.reports().filter(|one| is_sardine(one) && one.position.distance(at) < 1.5) {
            sum += one.speed_m_s / (one.length_m * settings.species[one.species].life.speed_bl_s);
            count += 1;
        }
    }
    sum / count.max(1) as f32
}

fn fish_flinch_from_the_beam_of_a_torch() {
    let (lit, dark) = (dash(true), dash(false));
    eprintln!("sardines swim at {lit} of their usual speed in the beam, at {dark} outside");
    assert!(lit > 1.2 * dark, "{lit} in the beam, {dark} outside");
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    deep;
    harbour;
    kelp;
    lagoon;
    night_reef;
    open_blue;
    reef;
    storm;
    wreck;
    the_ship_and_the_pillar_are_lived_in;
    fish_flinch_from_the_beam_of_a_torch;
};
