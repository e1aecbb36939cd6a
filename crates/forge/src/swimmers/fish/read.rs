//! Species files: parses TOML to a validated [`FishPlan`]; reports every problem with its position.

use std::fmt;

use located::{Lines, NotToml, Span, key_of, parse, steps};

use super::FishPlan;
use super::mend::{self, Fault, Mended};
use super::pattern::{Layer, LayerKind};
use super::plan::FinPlace;
use crate::curve::Curve;

/// Something wrong in a species file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanProblem {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// Key, such as `fin[2].rays`; empty if the file is not TOML.
    pub key: String,
    /// Description of the problem, and of a right value.
    pub what: String,
}

/// Everything wrong in a species file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeciesError {
    /// The file's name.
    pub file: String,
    /// Problems, in the order of the file.
    pub problems: Vec<PlanProblem>,
}

impl fmt::Display for SpeciesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let PlanProblem { line, column, key, what } = problem;
            let gap = if index > 0 { "\n" } else { "" };
            let colon = if key.is_empty() { "" } else { ": " };
            write!(f, "{gap}{}:{line}:{column}: {key}{colon}{what}", self.file)?;
        }
        Ok(())
    }
}

impl std::error::Error for SpeciesError {}

/// Greatest size of a species file: 32 KiB, six times that of the project's own.
pub const SIZE_LIMIT: usize = 32 << 10;

/// Reads a species.
///
/// # Errors
/// With all problems: the text is longer than [`SIZE_LIMIT`], is not TOML, has unknown keys or values, or describes a
/// body that cannot be built.
pub fn read(file: &str, text: &str) -> Result<FishPlan, SpeciesError> {
    let refuse = |problems: Vec<PlanProblem>| SpeciesError { file: file.to_owned(), problems };
    if text.len() > SIZE_LIMIT {
        let what = format!("is longer than a species may be ({} KiB)", SIZE_LIMIT >> 10);
        return Err(refuse(vec![PlanProblem { line: 1, column: 1, key: String::new(), what }]));
    }
    let lines = Lines::of(text);
    let at = |start: usize, key: String, what: String| {
        let place = lines.place(text, start);
        PlanProblem { line: place.line, column: place.column, key, what }
    };
    let tree = parse(text, 0).map_err(|not_toml| {
        let NotToml { span, key, fault } = *not_toml;
        refuse(vec![at(span.bytes.start, key, fault.to_string())])
    })?;
    let Mended { plan, faults, more } = mend::read(text);
    let mut check = Check {
        found: Vec::new(),
        mended: faults.iter().map(|fault| key_of(&fault.path)).collect(),
        allowed: Vec::new(),
    };
    if let Some(plan) = &plan {
        check.plan(plan);
    }
    let Check { found, allowed, .. } = check;
    match plan {
        Some(plan) if faults.is_empty() && found.is_empty() => return Ok(plan),
        _ => {}
    }
    let start = |span: Option<&Span>| span.map_or(0, |span| span.bytes.start);
    let of_faults = faults.into_iter().map(|Fault { path, of_key, mut what }| {
        let key = key_of(&path);
        if let Some((_, range)) = allowed.iter().find(|(of, _)| *of == key) {
            what = what.replacen("number", &format!("number from {range}"), 1);
        }
        let span = if of_key { tree.place_of_key(&path) } else { tree.place_of(&path) };
        at(start(span), key, what)
    });
    let of_plan = found.into_iter().map(|(key, what)| at(start(tree.place_of(&steps(&key))), key, what));
    let mut problems: Vec<PlanProblem> = of_faults.chain(of_plan).collect();
    problems.sort_by_key(|problem| (problem.line, problem.column));
    if more {
        let last = problems.last().map_or(0, |last| last.line);
        let what = "and maybe more: no further was looked".to_owned();
        problems.push(PlanProblem { line: last, column: 1, key: String::new(), what });
    }
    Err(refuse(problems))
}

struct Check {
    found: Vec<(String, String)>,
    /// Keys whose values are not the file's own.
    mended: Vec<String>,
    /// Allowed ranges of the mended keys that are numbers.
    allowed: Vec<(String, String)>,
}

impl Check {
    fn say(&mut self, key: &str, what: impl Into<String>) {
        self.found.push((key.to_owned(), what.into()));
    }

    /// Whether all values of a table are the file's own, so that they can be checked against each other.
    fn is_own(&self, table: &str) -> bool {
        !self.mended.iter().any(|key| key.starts_with(table))
    }

    fn range(&mut self, key: &str, least: impl fmt::Display, most: impl fmt::Display) {
        if self.mended.iter().any(|mended| mended == key) {
            self.allowed.push((key.to_owned(), format!("{least} to {most}")));
        }
    }

    fn number(&mut self, key: &str, value: f32, least: f32, most: f32) {
        self.range(key, least, most);
        if !(least..=most).contains(&value) {
            self.say(key, format!("{value} is outside {least} to {most}"));
        }
    }

    fn count(&mut self, key: &str, value: usize, least: usize, most: usize) {
        self.range(key, least, most);
        if !(least..=most).contains(&value) {
            self.say(key, format!("{value} is outside {least} to {most}"));
        }
    }

    /// Checks a curve, whose x must rise within the range `x` and whose y must stay within `y`; returns it if it is
    /// valid.
    fn points(&mut self, key: &str, points: &[[f32; 2]], x: (f32, f32), y: (f32, f32)) -> Option<Curve> {
        let before = self.found.len();
        if points.is_empty() || points.len() > 64 {
            self.say(key, format!("{} points; a curve has 1 to 64", points.len()));
        }
        for (index, point) in points.iter().enumerate() {
            let here = format!("{key}[{index}]");
            self.number(&here, point[0], x.0, x.1);
            self.number(&here, point[1], y.0, y.1);
            if index > 0 && point[0] <= points[index - 1][0] {
                let last = points[index - 1][0];
                self.say(&here, format!("x must rise: {} after {last} makes the outline cross itself", point[0]));
            }
        }
        let sound = self.found.len() == before;
        sound.then(|| Curve::new(&points.iter().map(|&[x, y]| (x, y)).collect::<Vec<_>>()))
    }

    fn plan(&mut self, plan: &FishPlan) {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if plan.name.is_empty() || plan.name.len() > 24 || !plan.name.chars().all(word) {
            self.say("name", "must be 1 to 24 letters, digits and underscores: it names the files");
        }
        if plan.about.len() > 400 {
            self.say("about", "is longer than 400 bytes");
        }
        self.number("length_m", plan.length_m, 0.005, 30.0);
        if let Some([behind, over]) = plan.camera {
            self.number("camera[0]", behind, 0.0, 1.0);
            self.number("camera[1]", over, 0.0, 1.0);
        }
        self.outline(plan);
        self.number("gills.at", plan.gills.at, 0.05, 0.6);
        self.number("gills.bend", plan.gills.bend, 0.0, 0.3);
        self.number("gills.step", plan.gills.step, 0.0, 0.3);
        self.number("gills.groove", plan.gills.groove, 0.0, 1.0);
        self.number("eye.x", plan.eye.x, 0.0, 0.6);
        self.number("eye.h", plan.eye.h, 0.0, 1.0);
        self.number("eye.radius", plan.eye.radius, 0.001, 0.2);
        self.number("eye.bulge", plan.eye.bulge, 0.0, 2.0);
        self.number("eye.pupil", plan.eye.pupil, 0.05, 0.95);
        self.number("eye.slit", plan.eye.slit, 0.1, 1.0);
        self.number("eye.socket", plan.eye.socket, 0.0, 1.0);
        self.number("eye.tapetum", plan.eye.tapetum, 0.0, 1.0);
        self.mouth(plan);
        self.skin(plan);
        self.layers("pattern", &plan.pattern);
        self.count("fin", plan.fin.len(), 0, 24);
        for (index, fin) in plan.fin.iter().enumerate() {
            self.fin(&format!("fin[{index}]"), fin);
            if self.is_own("fin") && plan.fin[..index].iter().any(|other| other.name == fin.name) {
                self.say(&format!("fin[{index}].name"), format!("'{}' is the name of another fin", fin.name));
            }
        }
        if let Some(lure) = plan.lure {
            self.number("lure.at", lure.at, 0.0, 0.6);
            self.number("lure.length", lure.length, 0.01, 1.0);
            self.number("lure.radius", lure.radius, 0.002, 0.2);
        }
        if let Some(puffed) = plan.puffed {
            self.number("puffed.at", puffed.at, 0.2, 0.8);
            self.number("puffed.half_length", puffed.half_length, 0.05, 0.6);
            self.number("puffed.radius", puffed.radius, 0.05, 1.0);
            self.number("puffed.sag", puffed.sag, 0.0, 0.9);
            self.count("puffed.spines", puffed.spines, 0, 1000);
            self.number("puffed.spine_length", puffed.spine_length, 0.005, 0.5);
        }
        self.number("swim.beat_s", plan.swim.beat_s, 0.1, 10.0);
        self.count("detail.rings", plan.detail.rings, 8, 72);
        self.count("detail.round", plan.detail.round, 4, 24);
        self.count("detail.eye[0]", plan.detail.eye[0], 1, 10);
        self.count("detail.eye[1]", plan.detail.eye[1], 4, 48);
        if ![128, 256, 512, 1024, 2048].contains(&plan.detail.texture) {
            self.say("detail.texture", format!("{} is not 128, 256, 512, 1024 or 2048", plan.detail.texture));
        }
    }

    fn outline(&mut self, plan: &FishPlan) {
        let outline = &plan.outline;
        let along = (0.0, 1.0);
        self.number("outline.standard", outline.standard, 0.3, 1.0);
        let back = self.points("outline.back", &outline.back, along, (-1.5, 1.5));
        let belly = self.points("outline.belly", &outline.belly, along, (-1.5, 1.5));
        self.points("outline.width", &outline.width, along, (0.0005, 1.0));
        self.points("outline.middle", &outline.middle, along, (0.02, 0.98));
        self.points("outline.upper", &outline.upper, along, (0.8, 6.0));
        self.points("outline.lower", &outline.lower, along, (0.8, 6.0));
        let (Some(back), Some(belly)) = (back.filter(|_| self.is_own("outline")), belly) else { return };
        let crossing = (0..=200).map(|i| i as f32 / 200.0).find(|&x| back.at(x) - belly.at(x) < 1e-3);
        if let Some(x) = crossing {
            let near = outline.back.iter().enumerate().min_by(|a, b| (a.1[0] - x).abs().total_cmp(&(b.1[0] - x).abs()));
            let key = format!("outline.back[{}]", near.map_or(0, |(index, _)| index));
            self.say(&key, format!("the outline crosses itself: at x = {x} the back is not above the belly"));
        }
    }

    fn mouth(&mut self, plan: &FishPlan) {
        let mouth = &plan.mouth;
        self.number("mouth.corner[0]", mouth.corner().x, 0.012, 0.5);
        self.number("mouth.corner[1]", mouth.corner().y, -0.6, 0.6);
        self.number("mouth.sag", mouth.sag, -0.2, 0.2);
        self.number("mouth.line", mouth.line, 0.0005, 0.1);
        self.number("mouth.lip_strength", mouth.lip_strength, 0.0, 1.0);
        self.number("mouth.jut", mouth.jut, 0.0, 0.2);
        self.number("mouth.gape", mouth.gape, 0.0, 1.2);
        self.number("mouth.opening", mouth.opening, 0.0, 1.2);
        self.number("mouth.flesh", mouth.flesh, 0.0, 0.1);
        if let Some(teeth) = mouth.teeth {
            self.count("mouth.teeth.count", teeth.count, 1, 40);
            self.number("mouth.teeth.length", teeth.length, 0.001, 0.2);
            self.number("mouth.teeth.breadth", teeth.breadth, 0.02, 2.0);
            self.number("mouth.teeth.bend", teeth.bend, 0.0, 1.0);
            self.number("mouth.teeth.uneven", teeth.uneven, 0.0, 1.0);
        }
    }

    fn skin(&mut self, plan: &FishPlan) {
        let skin = &plan.skin;
        if skin.shade.is_empty() || skin.shade.windows(2).any(|w| w[0].0 >= w[1].0) {
            self.say("skin.shade", "needs one or more [h, colour] with rising h");
        }
        self.number("skin.scales", skin.scales, 1.0, 400.0);
        self.number("skin.scale_strength", skin.scale_strength, 0.0, 1.0);
        self.number("skin.lateral_strength", skin.lateral_strength, 0.0, 1.0);
        self.points("skin.lateral", &skin.lateral, (0.0, 1.0), (0.0, 1.0));
        self.number("skin.gloss[0]", skin.gloss[0], 0.0, 1.0);
        self.number("skin.gloss[1]", skin.gloss[1], 1.0, 128.0);
        self.number("skin.sheen", skin.sheen, 0.0, 1.0);
        self.number("skin.relief", skin.relief, 0.0, 1.0);
        self.number("skin.emboss", skin.emboss, 0.0, 1.0);
        if skin.emboss > 0.0 && skin.relief > 0.0 {
            self.say("skin.emboss", "is for skin without scales in relief: leave out one of the two");
        }
        self.number("skin.rough", skin.rough, 0.0, 0.1);
        self.number("skin.folds", skin.folds, 0.0, 0.1);
    }

    fn layers(&mut self, key: &str, layers: &[Layer]) {
        self.count(key, layers.len(), 0, 64);
        for (index, layer) in layers.iter().enumerate() {
            let at = |name: &str| format!("{key}[{index}].{name}");
            self.number(&at("strength"), layer.strength, 0.0, 1.0);
            self.number(&at("soft"), layer.soft, 0.0, 1.0);
            self.number(&at("wobble"), layer.wobble, 0.0, 1.0);
            self.number(&at("width"), layer.width, 0.0, 2.0);
            self.number(&at("spacing"), layer.spacing, 0.002, 2.0);
            self.number(&at("cover"), layer.cover, 0.0, 1.0);
            let whole = format!("{key}[{index}]");
            match layer.kind {
                _ if !self.is_own(&whole) => {}
                LayerKind::Bars | LayerKind::Stripes if layer.at.is_empty() => {
                    self.say(&whole, "bars and stripes need `at`, a list of places");
                }
                LayerKind::Patch if layer.points.len() < 3 => self.say(&whole, "a patch needs three or more `points`"),
                LayerKind::Line if layer.points.len() < 2 => self.say(&whole, "a line needs two or more `points`"),
                LayerKind::Blotch if layer.points.is_empty() => {
                    self.say(&whole, "a blotch needs `points`, its middles")
                }
                _ => {}
            }
            for (name, points) in [("points", &layer.points), ("within", &layer.within)] {
                self.count(&at(name), points.len(), 0, 64);
                for (n, point) in points.iter().enumerate() {
                    self.number(&format!("{key}[{index}].{name}[{n}]"), point[0], -1.0, 2.0);
                    self.number(&format!("{key}[{index}].{name}[{n}]"), point[1], -1.0, 2.0);
                }
            }
        }
    }

    fn fin(&mut self, key: &str, fin: &super::plan::FinPlan) {
        let at = |name: &str| format!("{key}.{name}");
        if fin.name.is_empty() || fin.name.len() > 20 {
            self.say(&at("name"), "must have 1 to 20 letters");
        }
        self.points(&at("rays"), &fin.rays, (0.0, 1.0), (0.0, 2.0));
        self.number(&at("base[0]"), fin.base[0], 0.0, 1.1);
        let upright = matches!(fin.on, FinPlace::Back | FinPlace::Belly) && self.is_own(key);
        if upright && fin.base[1] <= fin.base[0] {
            self.say(&at("base"), format!("ends at {} before it begins at {}", fin.base[1], fin.base[0]));
        }
        for (index, angle) in fin.fan.iter().enumerate() {
            self.number(&format!("{key}.fan[{index}]"), *angle, -3.2, 3.2);
        }
        self.number(&at("root"), fin.root, 0.001, 1.0);
        self.number(&at("h"), fin.h, 0.0, 1.0);
        self.number(&at("beat"), fin.beat, 0.0, 1.5);
        self.count(&at("strokes"), fin.strokes as usize, 0, 12);
        self.count(&at("cells[0]"), fin.cells[0], 1, 64);
        self.count(&at("cells[1]"), fin.cells[1], 1, 32);
        self.number(&at("thickness"), fin.thickness, 0.0, 0.2);
        self.number(&at("foot"), fin.foot, 1.0, 6.0);
        self.number(&at("ray_count"), fin.ray_count, 1.0, 200.0);
        self.number(&at("notch"), fin.notch, 0.0, 0.9);
        if let Some((count, apart)) = fin.copies {
            self.count(&at("copies[0]"), count, 1, 16);
            self.number(&at("copies[1]"), apart, 0.0, 0.3);
        }
        self.layers(&at("pattern"), &fin.pattern);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = include_str!("../species/clownfish.toml");

    fn refused(from: &str, to: &str) -> String {
        assert!(SOUND.contains(from), "{from}");
        read("my.toml", &SOUND.replacen(from, to, 1)).expect_err("it is wrong").to_string()
    }

    #[test]
    fn a_sound_species_is_read() {
        assert_eq!(read("my.toml", SOUND).expect("sound").name, "clownfish");
    }

    #[test]
    fn embossing_is_for_skin_without_scales_in_relief() {
        let said = refused("relief = ", "emboss = 0.3\nrelief = ");
        assert!(said.contains("skin.emboss: is for skin without scales in relief: leave out one of the two"), "{said}");
    }

    #[test]
    fn an_unknown_pattern_is_told_with_its_place() {
        let text = refused("kind = \"patch\"", "kind = \"zigzag\"");
        let line = SOUND.lines().position(|line| line == "kind = \"patch\"").expect("it has a patch") + 1;
        assert!(text.starts_with(&format!("my.toml:{line}:8: ")), "{text}");
        assert!(text.contains("pattern[0].kind: \"zigzag\" is not one of bars, stripes"), "{text}");
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let mut text = SOUND.to_owned();
        let wrong = [
            ("length_m = ", "length_n = ", "length_n: unknown key; did you mean length_m?"),
            (
                "standard = ",
                "standard = \"long\" # ",
                "outline.standard: expected a number from 0.3 to 1, found string \"long\"",
            ),
            ("radius = ", "radius = 9 # ", "eye.radius: 9 is outside 0.001 to 0.2"),
            ("lips = ", "lips = \"pink\" # ", "mouth.lips: 'pink' is not a colour such as"),
            ("kind = \"bars\"", "kind = \"barz\"", "].kind: \"barz\" is not one of"),
            ("ray_count = ", "raycount = ", "fin[0].raycount: unknown key; did you mean ray_count?"),
            ("strokes = ", "strokes = 1.5 # ", ".strokes: expected a whole number from 0 to 12, found floating point"),
        ];
        for (from, to, _) in wrong {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        let error = read("my.toml", &text).expect_err("all of it");
        let said = error.to_string();
        for (_, to, what) in wrong {
            let line = text.lines().position(|line| line.trim_start().starts_with(to)).expect("it is there") + 1;
            assert!(
                said.lines().any(|found| found.starts_with(&format!("my.toml:{line}:")) && found.contains(what)),
                "{what}:\n{said}"
            );
        }
        assert!(said.contains("did you mean bars?") && said.contains("length_m: is missing"), "{said}");
        assert_eq!(error.problems.len(), wrong.len() + 1, "and nothing else: {said}");
        assert!(error.problems.is_sorted_by_key(|problem| problem.line), "{said}");
    }

    #[test]
    fn any_key_may_be_missing_and_the_search_ends() {
        // A missing key is mended from the samples, so any single line may go. Without a header its keys would fall to
        // another table.
        let lines: Vec<&str> = SOUND.lines().collect();
        for left_out in (0..lines.len()).filter(|i| !lines[*i].starts_with('[')) {
            let text: Vec<&str> =
                lines.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, line)| *line).collect();
            if let Err(error) = read("my.toml", &text.join("\n")) {
                assert!(error.problems.len() <= 2, "without \"{}\": {error}", lines[left_out]);
            }
        }
        let nothing = read("my.toml", "").expect_err("nothing is no fish").to_string();
        for key in ["name", "about", "length_m", "outline", "eye", "mouth", "skin"] {
            assert!(nothing.contains(&format!("my.toml:1:1: {key}: is missing")), "{nothing}");
        }
        let many: String = (0..100).map(|i| format!("k{i} = 1\n")).collect();
        let many = read("my.toml", &many).expect_err("no fish");
        assert_eq!(many.problems.len(), mend::MAX + 1);
    }

    #[test]
    fn a_negative_length_is_told_with_its_place() {
        let line = SOUND.lines().position(|line| line.starts_with("length_m")).expect("it has one") + 1;
        let text = refused("length_m = ", "length_m = -");
        assert!(text.starts_with(&format!("my.toml:{line}:12: length_m: -0.")), "{text}");
    }

    #[test]
    fn an_outline_that_crosses_itself_is_told_with_its_place() {
        let text = refused("back = [[0,", "back = [[0.5, 0.3], [0,");
        let line = SOUND.lines().position(|line| line.starts_with("back = ")).expect("it has a back") + 1;
        assert!(text.starts_with(&format!("my.toml:{line}:21: outline.back[1]: x must rise")), "{text}");
        let below = refused("belly = [[0, -", "belly = [[0, 0.9], [0.001, -");
        assert!(below.contains("crosses itself: at x = 0"), "{below}");
    }
}
