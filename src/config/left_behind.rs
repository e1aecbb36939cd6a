//! Values of a scene that were chosen for another value of it: they stay behind when a scene over it changes that one.

use crate::config::findings::Findings;
use crate::config::problem::{LeftBehind, ProblemKind};
use crate::config::source::{Sources, Span};
use crate::config::tree::{Node, Table, Value};
use crate::ocean::WaterSettings;
use crate::scene::SeabedSettings;

/// Keys of `[water]` that take each other's place: what a key is where it says nothing, and what it displaces where it does.
const DISPLACED: [(&str, &[&str]); 3] =
    [("visibility_m", &["turbidity", "particles"]), ("turbidity", &["visibility_m"]), ("particles", &["visibility_m"])];
/// Keys of `[water]` that are chosen for its type.
const OF_TYPE: &[&str] = &["visibility_m", "turbidity", "particles"];
/// The key of the depth that a scene's places were chosen for.
const LAID_OUT_FOR: &str = "laid_out_for_m";

/// Keys of `[water]` that a change of one of them displaces, with their new values: those chosen for another type, and those that
/// stand for the same thing. `number` is the changed key's new value, if it is a number.
pub fn displaced_by(key: &str, number: Option<f64>) -> impl Iterator<Item = (&'static str, f64)> {
    let keys = match key {
        "type" => OF_TYPE,
        _ => DISPLACED.iter().find(|(name, _)| *name == key).map_or(&[][..], |(_, keys)| *keys),
    };
    let speaks = key == "type" || number.is_some_and(|number| number != neutral(key));
    keys.iter().filter(move |_| speaks).map(|key| (*key, neutral(key)))
}

/// Value of such a key that leaves the water as its type has it.
fn neutral(key: &str) -> f64 {
    let WaterSettings { turbidity, particles, visibility_m, .. } = WaterSettings::default();
    f64::from(match key {
        "turbidity" => turbidity,
        "particles" => particles,
        _ => visibility_m,
    })
}

/// Takes out of `base` what was chosen for a value that `over` changes, unless `over` says it too. What one argument of a command line
/// says, another does not take back.
pub(crate) fn leave_behind(base: &mut Table, over: &Table, sources: &Sources, warnings: &mut Findings) {
    if let (Some(Node { value: Value::Table(water), .. }), Some(said)) = (base.get_mut("water"), table(over, "water")) {
        leave_water(water, said, sources, warnings);
    }
    if let Some(said) = table(over, "seabed") {
        lay_out(base, over, said, sources, warnings);
    }
}

fn leave_water(water: &mut Table, said: &Table, sources: &Sources, warnings: &mut Findings) {
    let default = WaterSettings::default().kind.to_string();
    for entry in &said.0 {
        let is_of_type = entry.name == "type";
        if is_of_type
            && water.get("type").and_then(Node::text).unwrap_or(&default) == entry.node.text().unwrap_or(&default)
        {
            continue;
        }
        let is_argument = sources.get(&entry.node.span).rank > 0;
        let mut left = LeftBehind::default();
        for (key, _) in displaced_by(&entry.name, entry.node.number()) {
            let stands = water.get(key).is_some_and(|node| !is_argument || sources.get(&node.span).rank <= 0);
            if stands
                && said.get(key).is_none()
                && let Some(node) = water.take(key)
            {
                left.keys.push((key, node.in_words()));
            }
        }
        // A file that was written before types came without them had them; an argument is seen at once.
        let says_clarity = OF_TYPE.iter().any(|key| said.get(key).is_some());
        if is_of_type && !is_argument && !left.keys.is_empty() && !says_clarity {
            warnings.add(&entry.node.span, "water.type", ProblemKind::LeftBehind(left));
        }
    }
}

/// Has the places of `base` go along with another depth of the ground, unless `over` places its own first view.
fn lay_out(base: &mut Table, over: &Table, said: &Table, sources: &Sources, warnings: &mut Findings) {
    let Some(depth) = said.get("depth_m") else { return };
    let places_itself = said.get(LAID_OUT_FOR).is_some() || over.at("camera.eye_m").is_some();
    let default = SeabedSettings::default();
    let at = |key: &str| base.at(&format!("seabed.{key}")).and_then(Node::number).filter(|&number| number > 0.0);
    let has_places = base.get("species").is_some() || base.get("camera").is_some();
    let chosen_for = at(LAID_OUT_FOR).or_else(|| at("depth_m")).unwrap_or(default.depth_m.into());
    if places_itself {
        // Its own places are for its own depth.
        if said.get(LAID_OUT_FOR).is_none()
            && let Some(seabed) = base.get_mut("seabed").and_then(Node::table_mut)
        {
            seabed.take(LAID_OUT_FOR);
        }
        return;
    }
    if !has_places || depth.number() == Some(chosen_for) {
        return;
    }
    if sources.get(&depth.span).rank <= 0 {
        let depth_m = depth.number().unwrap_or(chosen_for);
        warnings.add(&depth.span, "seabed.depth_m", ProblemKind::LaidOutFor { chosen_for_m: chosen_for, depth_m });
    }
    let node = Node { span: depth.span.clone(), value: Value::Float(chosen_for) };
    match base.get_mut("seabed").and_then(Node::table_mut) {
        Some(seabed) => {
            seabed.take(LAID_OUT_FOR);
            seabed.0.extend(Table::single(LAID_OUT_FOR, node).0);
        }
        None => {
            let seabed = Node { span: depth.span.clone(), value: Value::Table(Table::single(LAID_OUT_FOR, node)) };
            base.0.extend(Table::single("seabed", seabed).0);
        }
    }
}

/// Reports a visibility that stands beside what it takes the place of.
pub(crate) fn check_clarity(scene: &Table, sources: &Sources, problems: &mut Findings) {
    let Some(water) = table(scene, "water") else { return };
    let stated = |key: &str| water.get(key).filter(|node| node.number().is_some_and(|number| number != neutral(key)));
    let Some(visibility) = stated("visibility_m") else { return };
    for factor in ["turbidity", "particles"].iter().filter_map(|key| stated(key)) {
        let span: &Span = sources.later(&visibility.span, &factor.span);
        problems.add(span, "water.visibility_m", ProblemKind::BothClarities);
    }
}

fn table<'t>(scene: &'t Table, name: &str) -> Option<&'t Table> {
    scene.get(name)?.table()
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, load_text};

    fn loaded(text: &str, sets: &[&str]) -> Result<(Config, String), String> {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let loaded = load_text("mine", text, &sets).map_err(|error| error.to_string())?;
        Ok((loaded.config, loaded.warnings.iter().map(ToString::to_string).collect()))
    }

    fn clarity(text: &str, sets: &[&str]) -> (f32, f32, f32) {
        let water = loaded(text, sets).expect("a scene").0.scene.water;
        (water.turbidity, water.particles, water.visibility_m)
    }

    const REEF: &str = "extends = \"reef\"\n";
    const OF_REEF: (f32, f32, f32) = (0.8, 2.4, 0.0);

    #[test]
    fn another_type_leaves_behind_what_was_chosen_for_the_old_one() {
        assert_eq!(clarity(REEF, &[]), OF_REEF);
        assert_eq!(clarity(REEF, &["water.type=1C"]), (1.0, 1.0, 0.0));
        assert_eq!(clarity(REEF, &["water.type=IA"]), OF_REEF, "the same type is no other");
        assert_eq!(clarity(REEF, &["water.type=1C", "water.particles=2"]), (1.0, 2.0, 0.0));
        assert_eq!(clarity(REEF, &["water.particles=2", "water.type=1C"]), (1.0, 2.0, 0.0), "in any order");
        assert_eq!(clarity(&format!("{REEF}[water]\ntype = \"1C\"\nturbidity = 0.5"), &[]), (0.5, 1.0, 0.0));
    }

    #[test]
    fn a_visibility_takes_the_place_of_the_factors_and_they_of_it() {
        assert_eq!(clarity(REEF, &["water.visibility_m=9"]), (1.0, 1.0, 9.0));
        let clear = format!("{REEF}[water]\nvisibility_m = 30");
        assert_eq!(clarity(&clear, &["water.particles=2"]), (1.0, 2.0, 0.0));
        assert_eq!(clarity(&clear, &["water.type=1C"]), (1.0, 1.0, 0.0));
        // As the window says it.
        let said = ["water.visibility_m=9", "water.turbidity=1", "water.particles=1"];
        assert_eq!(clarity(REEF, &said), (1.0, 1.0, 9.0));
        assert_eq!(clarity(&clear, &["water.particles=2", "water.visibility_m=0"]), (1.0, 2.0, 0.0));
    }

    #[test]
    fn both_at_once_are_refused() {
        let both = format!("{REEF}[water]\nvisibility_m = 9\nparticles = 2.0");
        let told = loaded(&both, &[]).expect_err("both");
        assert!(told.contains("mine:4") && told.contains("in place of"), "{told}");
        assert!(loaded(REEF, &["water.visibility_m=9", "water.turbidity=2"]).is_err());
    }

    #[test]
    fn a_file_is_told_the_line_that_brings_back_its_old_picture() {
        let (_, told) = loaded(&format!("{REEF}[water]\ntype = \"1C\""), &[]).expect("a scene");
        assert!(told.contains("turbidity = 0.8") && told.contains("particles = 2.4"), "{told}");
        let (_, told) = loaded(&format!("{REEF}[water]\ntype = \"1C\"\nvisibility_m = 9"), &[]).expect("a scene");
        assert_eq!(told, "");
        let (_, told) = loaded(&format!("{REEF}[seabed]\ndepth_m = 20"), &[]).expect("a scene");
        assert!(told.contains("laid_out_for_m = 20"), "{told}");
        let (_, told) = loaded(REEF, &["water.type=1C", "seabed.depth_m=20"]).expect("a scene");
        assert_eq!(told, "", "arguments are seen at once");
    }

    #[test]
    fn places_go_along_with_a_depth_that_is_changed_alone() {
        let laid_out_for_m =
            |text: &str, sets: &[&str]| loaded(text, sets).expect("a scene").0.scene.seabed.laid_out_for_m;
        assert_eq!(laid_out_for_m(REEF, &[]), 0.0);
        assert_eq!(laid_out_for_m(REEF, &["seabed.depth_m=20"]), 8.0);
        assert_eq!(laid_out_for_m(REEF, &["seabed.depth_m=20", "seabed.depth_m=30"]), 8.0);
        let own = format!("{REEF}[seabed]\ndepth_m = 20\n[camera]\neye_m = [0, -17, 6]");
        assert_eq!(laid_out_for_m(&own, &[]), 0.0, "it places its own view");
        assert_eq!(laid_out_for_m(&own, &["seabed.depth_m=4"]), 20.0);
        assert_eq!(laid_out_for_m("", &["seabed.depth_m=20"]), 0.0, "there are no places");
    }
}
