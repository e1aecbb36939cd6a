//! Values that a base scene chose for another of its values: they are dropped when a scene over it changes that one.

use located::{Node, Span, Table};
use ocean::WaterSettings;
use render::PostSettings;

use crate::findings::Findings;
use crate::problem::{LeftBehind, ProblemKind};
use crate::source::Sources;

/// The tables of water and of the picture.
const WATER: &str = "water";
const GRADE: &str = "post";
/// Keys of `[water]` that replace one another, each with the keys that it displaces when it is not neutral.
const DISPLACED: [(&str, &[Key]); 3] = [
    ("visibility_m", &[(WATER, "turbidity"), (WATER, "particles")]),
    ("turbidity", &[(WATER, "visibility_m")]),
    ("particles", &[(WATER, "visibility_m")]),
];
/// Keys that are chosen for the type of water: its clarity and the grading of its colours.
const OF_TYPE: &[Key] = &[
    (WATER, "visibility_m"),
    (WATER, "turbidity"),
    (WATER, "particles"),
    (GRADE, "white_balance"),
    (GRADE, "saturation"),
    (GRADE, "black_point"),
];

/// A table and a key of it.
type Key = (&'static str, &'static str);

/// Tables and keys that a change of a key of `[water]` displaces, with their new values: those chosen for another type,
/// and those that stand for the same thing. `number` is the changed key's new value, if it is a number.
pub fn displaced_by(key: &str, number: Option<f64>) -> impl Iterator<Item = (&'static str, &'static str, f64)> {
    let keys = match key {
        "type" => OF_TYPE,
        _ => DISPLACED.iter().find(|(name, _)| *name == key).map_or(&[][..], |(_, keys)| *keys),
    };
    let speaks = key == "type" || number.is_some_and(|number| number != neutral(key));
    keys.iter().filter(move |_| speaks).map(|&(table, key)| (table, key, neutral(key)))
}

/// Neutral value of such a key, which suits any water.
fn neutral(key: &str) -> f64 {
    let WaterSettings { turbidity, particles, visibility_m, .. } = WaterSettings::default();
    let PostSettings { white_balance, saturation, black_point, .. } = PostSettings::default();
    let value = match key {
        "turbidity" => turbidity,
        "particles" => particles,
        "white_balance" => white_balance,
        "saturation" => saturation,
        "black_point" => black_point,
        _ => visibility_m,
    };
    // In the form of a file: 0.85, not 0.8500000238.
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Removes from `base` the keys that were chosen for a value that `over` changes, unless `over` sets them too. One
/// argument of a command line does not take back another.
pub(crate) fn leave_behind(base: &mut Table, over: &Table, sources: &Sources, warnings: &mut Findings) {
    let Some(said) = table(over, WATER) else { return };
    let default = WaterSettings::default().kind.to_string();
    for entry in &said.0 {
        let is_of_type = entry.name == "type";
        let old = base.at("water.type").and_then(Node::text).unwrap_or(&default);
        // A base without `[water]` has no type for which anything was chosen.
        if is_of_type && (base.get(WATER).is_none() || old == entry.node.text().unwrap_or(&default)) {
            continue;
        }
        let is_argument = sources.get(&entry.node.span).rank > 0;
        let says = |(in_table, key): Key| table(over, in_table).is_some_and(|said| said.get(key).is_some());
        let mut left = LeftBehind::default();
        for (in_table, key, _) in displaced_by(&entry.name, entry.node.number()) {
            let Some(stands_in) = base.get_mut(in_table).and_then(Node::table_mut) else { continue };
            let stands = stands_in.get(key).is_some_and(|node| !is_argument || sources.get(&node.span).rank <= 0);
            if stands
                && !says((in_table, key))
                && let Some(node) = stands_in.take(key)
            {
                left.keys.push((in_table, key, node.in_words()));
            }
        }
        // Older files relied on these keys, which another type used to keep; the effect of an argument is seen at once.
        let speaks_of_it = OF_TYPE.iter().any(|key| says(*key));
        if is_of_type && !is_argument && !left.keys.is_empty() && !speaks_of_it {
            warnings.add(&entry.node.span, "water.type", ProblemKind::LeftBehind(left));
        }
    }
}

/// Reports a visibility that is set beside the factors that it replaces.
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
    use crate::{Config, load_text};

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
        // The keys as the window sets them.
        let said = ["water.visibility_m=9", "water.turbidity=1", "water.particles=1"];
        assert_eq!(clarity(REEF, &said), (1.0, 1.0, 9.0));
        assert_eq!(clarity(&clear, &["water.particles=2", "water.visibility_m=0"]), (1.0, 2.0, 0.0));
    }

    #[test]
    fn a_grade_for_another_type_stays_behind_too() {
        let graded = |sets: &[&str]| {
            let post = loaded(REEF, sets).expect("a scene").0.post;
            (post.saturation, post.white_balance, post.exposure_ev, post.contrast)
        };
        let (own, other) = (graded(&[]), graded(&["water.type=3C"]));
        let neutral = render::PostSettings::default();
        assert_eq!(other, (neutral.saturation, neutral.white_balance, own.2, own.3));
        assert_ne!(own, other);
        assert_eq!(graded(&["water.type=IA"]), own);
        assert_eq!(graded(&["water.type=3C", "post.saturation=1.5"]).0, 1.5);
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
}
