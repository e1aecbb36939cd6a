//! Places that move along with the ground: a scene that changes only the depth moves the places of its base.

use located::{Node, Table, Value};
use scene::SeabedSettings;

use crate::findings::Findings;
use crate::problem::ProblemKind;
use crate::source::Sources;

/// The key of the depth that a scene's places were chosen for.
const LAID_OUT_FOR: &str = "laid_out_for_m";

/// Change of depths with the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Move {
    /// Heights above the ground are kept: this is added to depths. Unit: m.
    Down(f64),
    /// Shares of the depth are kept, so that nothing comes out of the water: depths are multiplied by this.
    Shallower(f64),
}

impl Move {
    /// Move from one depth of the ground to another; `None` if it is the same.
    fn between(from_m: f64, to_m: f64) -> Option<Self> {
        match from_m > 0.0 {
            true if to_m > from_m => Some(Self::Down(to_m - from_m)),
            true if to_m < from_m => Some(Self::Shallower(to_m / from_m)),
            _ => None,
        }
    }

    fn depth_m(self, depth_m: f64) -> f64 {
        match self {
            // Places above the sea stay there.
            _ if depth_m <= 0.0 => depth_m,
            Self::Down(by) => depth_m + by,
            Self::Shallower(share) => depth_m * share,
        }
    }
}

/// Moves the places of `base` along to another depth of the ground that `over` sets. One argument of a command line
/// does not move places set by another.
pub(crate) fn lay_out(base: &mut Table, over: &Table, sources: &Sources, warnings: &mut Findings) {
    let default = f64::from(SeabedSettings::default().depth_m);
    let of_base = |key: &str| base.at(&format!("seabed.{key}")).and_then(Node::number).filter(|&number| number > 0.0);
    let Some(depth) = over.at("seabed.depth_m") else { return };
    let Some(depth_m) = depth.number() else { return };
    let from_m = of_base(LAID_OUT_FOR).or_else(|| of_base("depth_m")).unwrap_or(default);
    // Places of a scene without a ground are not relative to it.
    let has_ground = base.at("seabed.present").is_none_or(|present| !matches!(present.value, Value::Bool(false)));
    let to_m = over.at("seabed.laid_out_for_m").and_then(Node::number).filter(|&number| number > 0.0);
    let along = Move::between(from_m, to_m.unwrap_or(depth_m)).filter(|_| has_ground);
    let by_argument = sources.get(&depth.span).rank > 0;
    if let Some(along) = along {
        let places = Places { along, keeps: &|node| by_argument && sources.get(&node.span).rank > 0, moved: 0 };
        let moved = places.all_of(base);
        if moved > 0 && !by_argument {
            let kind = ProblemKind::LaidOutFor { chosen_for_m: from_m, depth_m };
            warnings.add(&depth.span, "seabed.depth_m", kind);
        }
    }
    if let Some(seabed) = base.get_mut("seabed").and_then(Node::table_mut) {
        seabed.take(LAID_OUT_FOR);
    }
}

/// Mover of the places in a scene.
struct Places<'a> {
    along: Move,
    /// Whether a value stays as it is.
    keeps: &'a dyn Fn(&Node) -> bool,
    /// Number of moved values.
    moved: usize,
}

impl Places<'_> {
    /// Moves the places of a scene; returns the number of moved values.
    fn all_of(mut self, scene: &mut Table) -> usize {
        for species in entries(scene, "species") {
            if let Some(depths) = kept_list(species, "depth_m", self.keeps) {
                depths.iter_mut().for_each(|depth| self.number(depth, 1.0));
            }
            let path = kept_list(species, "path_m", self.keeps).into_iter().flatten();
            path.for_each(|point| self.place(point));
        }
        for light in entries(scene, "lights") {
            // Lights that something carries are placed on it.
            if light.get("follow").is_none_or(|carrier| carrier.text() == Some("world")) {
                self.places_of(light, &["at_m", "toward_m"]);
            }
        }
        for prop in entries(scene, "props") {
            let hung = kept_list(prop, "hung", self.keeps).into_iter().flatten();
            hung.for_each(|thing| self.place(thing));
        }
        if let Some(camera) = scene.get_mut("camera").and_then(Node::table_mut) {
            self.places_of(camera, &["eye_m", "target_m"]);
            if let Some(standing) = camera.get_mut("standing").and_then(Node::table_mut) {
                self.places_of(standing, &["at_m", "target_m"]);
            }
            if let Some(views) = camera.get_mut("views").and_then(Node::table_mut) {
                let views = views.0.iter_mut().filter_map(|entry| entry.node.table_mut());
                views.for_each(|view| self.places_of(view, &["eye_m", "target_m"]));
            }
            let rail = kept_list(camera, "rail", self.keeps).into_iter().flatten().filter_map(Node::table_mut);
            rail.for_each(|point| self.places_of(point, &["eye_m", "target_m"]));
        }
        self.moved
    }

    fn places_of(&mut self, table: &mut Table, keys: &[&str]) {
        keys.iter().for_each(|key| {
            if let Some(place) = table.get_mut(key) {
                self.place(place);
            }
        });
    }

    fn place(&mut self, place: &mut Node) {
        if (self.keeps)(place) {
            return;
        }
        if let Value::List(place) = &mut place.value
            && let Some(height) = place.get_mut(1)
        {
            self.number(height, -1.0);
        }
    }

    /// Moves a depth times `sign`.
    fn number(&mut self, node: &mut Node, sign: f64) {
        if let Some(number) = node.number() {
            node.value = Value::Float(sign * self.along.depth_m(sign * number));
            self.moved += 1;
        }
    }
}

/// The tables of a list.
fn entries<'t>(table: &'t mut Table, name: &str) -> impl Iterator<Item = &'t mut Table> {
    let list = table.get_mut(name).and_then(Node::list_mut).into_iter().flatten();
    list.filter_map(Node::table_mut)
}

/// A list that is not kept as it is.
fn kept_list<'t>(table: &'t mut Table, name: &str, keeps: &dyn Fn(&Node) -> bool) -> Option<&'t mut Vec<Node>> {
    table.get_mut(name).filter(|node| !keeps(node))?.list_mut()
}

#[cfg(test)]
mod tests {
    use scene::SceneSettings;

    use crate::load_text;

    const BASE: &str = "extends = \"reef\"\n[camera]\neye_m = [1, -6, 2]\n";

    fn scene(text: &str, sets: &[&str]) -> SceneSettings {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        load_text("mine", text, &sets).expect("a scene").config.scene
    }

    #[test]
    fn places_keep_their_height_over_a_deeper_ground() {
        let (before, deeper) = (scene(BASE, &[]), scene(BASE, &["seabed.depth_m=20"]));
        assert_eq!(before.seabed.depth_m, 8.0);
        assert_eq!(deeper.camera.eye_m, [1.0, -18.0, 2.0]);
        let depths = |scene: &SceneSettings| scene.species.iter().map(|species| species.life.depth_m).collect();
        let (before, deeper): (Vec<[f32; 2]>, Vec<[f32; 2]>) = (depths(&before), depths(&deeper));
        assert!(!before.is_empty());
        let along = |of: &[f32; 2]| of.map(|depth_m| depth_m + 12.0);
        assert_eq!(deeper, before.iter().map(along).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_comes_out_of_shallower_water() {
        assert_eq!(scene(BASE, &["seabed.depth_m=2"]).camera.eye_m, [1.0, -1.5, 2.0]);
    }

    #[test]
    fn places_of_its_own_are_where_they_are_said_to_be() {
        let own = "extends = \"reef\"\n[seabed]\ndepth_m = 20\n[camera]\neye_m = [0, -17, 6]\n\
                   [[species]]\nname = \"other\"\nmodel = \"builtin:clownfish\"\ncount = 1\ndepth_m = [15, 18]\n";
        let at = scene(own, &[]);
        assert_eq!(at.camera.eye_m, [0.0, -17.0, 6.0]);
        assert_eq!(at.species.last().map(|species| species.life.depth_m), Some([15.0, 18.0]));
        assert_eq!(scene(own, &["seabed.depth_m=21"]).camera.eye_m, [0.0, -18.0, 6.0]);
        let said = ["camera.eye_m=[0, -17, 6]", "seabed.depth_m=20"];
        assert_eq!(scene(BASE, &said).camera.eye_m, [0.0, -17.0, 6.0], "in any order");
    }

    #[test]
    fn who_stands_on_the_ground_and_what_hangs_above_it_go_along() {
        let own = format!(
            "{BASE}[camera.standing]\nat_m = [0, -7, 1]\ntarget_m = [0, -5, 0]\n\
             [[props]]\nname = \"cage\"\nmodel = \"builtin:shark_cage\"\nhung = [[1, -6, 2, 0, 2]]\n"
        );
        let scene = scene(&own, &["seabed.depth_m=20"]);
        let standing = scene.camera.standing.expect("a standing place");
        assert_eq!((standing.at_m, standing.target_m), ([0.0, -19.0, 1.0], [0.0, -17.0, 0.0]));
        let cage = scene.props.iter().find(|prop| prop.name == "cage").expect("a cage");
        assert_eq!(cage.hung, [[1.0, -18.0, 2.0, 0.0, 2.0]]);
    }

    #[test]
    fn lamps_of_the_world_go_along_and_those_that_are_carried_do_not() {
        let base = |follow: &str| format!("{BASE}[[lights]]\nname = \"lamp\"\nat_m = [0, -5, 0]\n{follow}");
        let at = |follow: &str| {
            let scene = scene(&base(follow), &["seabed.depth_m=20"]);
            scene.lights.iter().find(|light| light.name == "lamp").expect("the lamp").at_m
        };
        assert_eq!(at(""), [0.0, -17.0, 0.0]);
        assert_eq!(at("follow = \"world\""), [0.0, -17.0, 0.0]);
        assert_eq!(at("follow = \"camera\""), [0.0, -5.0, 0.0]);
    }

    #[test]
    fn without_a_ground_and_for_its_own_depth_nothing_goes_along() {
        let bottomless = format!("{BASE}[seabed]\npresent = false\n");
        assert_eq!(scene(&bottomless, &["seabed.depth_m=20"]).camera.eye_m, [1.0, -6.0, 2.0]);
        let stays = "extends = \"reef\"\n[seabed]\ndepth_m = 20\nlaid_out_for_m = 8\n";
        assert_eq!(scene(stays, &[]).camera.eye_m, scene("extends = \"reef\"\n", &[]).camera.eye_m);
        let later = scene(stays, &["seabed.depth_m=10"]).camera.eye_m[1] - scene(stays, &[]).camera.eye_m[1];
        assert!((later + 2.0).abs() < 1e-3, "from the depth that they were chosen for");
    }
}
