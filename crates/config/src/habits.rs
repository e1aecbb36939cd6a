//! Requirements of a species' habits on the rest of its entry and on the scene: shelter, prey, cleaners, clients.

use located::{Node, Table, Value, clip, join};
use model::files::name_of;
use suggest::nearest;

use crate::cross_checks::{CrossChecks, entry_path, text};
use crate::problem::ProblemKind;
use crate::schema::MODEL_KEY;

impl CrossChecks<'_> {
    /// Checks the habits of all species after their cards have been merged. Built-in cards are written for every scene,
    /// so a scene may lack things that they mention.
    pub fn habits(&mut self, scene: &Table) {
        let species = scene.get("species").and_then(Node::list).unwrap_or_default();
        let names: Vec<&str> = species.iter().filter_map(Node::name).collect();
        let models = models_on_the_ground(scene);
        let has = |wanted: &str| species.iter().any(|node| routine(node, wanted).is_some());
        let (has_cleaner, has_client) = (has("clean"), has("visit_cleaner"));
        for node in species {
            let path = entry_path("species", node);
            self.shelter(node, &path, &models);
            for name in self.said_by_user(node, "prey") {
                let prey = name.text().unwrap_or_default();
                if !names.contains(&prey) {
                    self.warnings.add_with(&name.span, || {
                        let suggestion = nearest(prey, names.iter().copied()).map(str::to_owned);
                        (join(&path, "prey"), ProblemKind::NotInScene { noun: "species", name: clip(prey), suggestion })
                    });
                }
            }
            if let Some(client) = routine(node, "visit_cleaner")
                && !has_cleaner
                && !self.sources.is_of_builtin_card(&client.span)
            {
                self.warnings.add(&client.span, join(&path, "routines"), ProblemKind::NoCleaner);
            }
            if let Some(cleaner) = routine(node, "clean")
                && !has_client
            {
                let is_of_card = self.sources.is_of_builtin_card(&cleaner.span);
                let span = if is_of_card { &node.span } else { &cleaner.span };
                self.warnings.add(span, join(&path, "routines"), ProblemKind::NoClients);
            }
        }
    }

    /// Checks the shelters of a species; `models` are those of which something stands on the ground.
    fn shelter(&mut self, node: &Node, path: &str, models: &[String]) {
        let shelters = strings(node, "shelter");
        let stands = |shelter: &Node| shelter.text().is_some_and(|name| models.iter().any(|model| model == name));
        let host = routine(node, "host");
        if let Some(host) = host
            && shelters.is_empty()
        {
            self.problems.add(&host.span, join(path, "routines"), ProblemKind::NoHost);
        }
        let is_guest_without_host = host.is_some() && !shelters.iter().any(stands);
        for shelter in shelters.iter().filter(|shelter| !stands(shelter)) {
            let is_of_card = self.sources.is_of_builtin_card(&shelter.span);
            if is_of_card && !is_guest_without_host {
                continue;
            }
            let span = if is_of_card { &node.span } else { &shelter.span };
            let name = shelter.text().unwrap_or_default();
            self.warnings.add_with(span, || {
                let suggestion = nearest(name, models.iter().map(String::as_str)).map(str::to_owned);
                (join(path, "shelter"), ProblemKind::NoShelter { model: clip(name), suggestion })
            });
        }
    }

    /// The strings of a list, unless a built-in card sets it.
    fn said_by_user<'n>(&self, node: &'n Node, key: &str) -> impl Iterator<Item = &'n Node> + use<'n> {
        let list = strings(node, key);
        let said = list.first().is_some_and(|first| !self.sources.is_of_builtin_card(&first.span));
        list.iter().filter(move |_| said)
    }
}

/// Entry of a species' `routines` that is `wanted`, if there is one.
fn routine<'n>(node: &'n Node, wanted: &str) -> Option<&'n Node> {
    strings(node, "routines").iter().find(|routine| routine.text() == Some(wanted))
}

fn strings<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    node.table().and_then(|table| table.get(key)?.list()).unwrap_or_default()
}

/// Names of the models of props that stand on the ground.
fn models_on_the_ground(scene: &Table) -> Vec<String> {
    let bottomless = matches!(scene.at("seabed.present"), Some(Node { value: Value::Bool(false), .. }));
    let props = if bottomless { None } else { scene.get("props").and_then(Node::list) };
    props.unwrap_or_default().iter().filter_map(|prop| text(prop, MODEL_KEY)).map(name_of).collect()
}

#[cfg(test)]
mod tests {
    use crate::load_text;

    /// Warnings or problems of a scene with a staghorn coral and these species.
    fn said(species: &[&str]) -> Vec<String> {
        let species: String = species.iter().map(|entry| format!("[[species]]\n{entry}\n")).collect();
        let coral = "[[props]]\nname = \"coral\"\nmodel = \"builtin:staghorn_coral\"\ncount = 3\n";
        let said = match load_text("my.toml", &(species + coral), &[]) {
            Ok(loaded) => loaded.warnings,
            Err(error) => error.problems,
        };
        said.iter().map(ToString::to_string).collect()
    }

    const WRASSE: &str = "name = \"wrasse\"\nmodel = \"builtin:cleaner_wrasse\"";
    const TANG: &str = "name = \"tang\"\nmodel = \"builtin:blue_tang\"";

    #[test]
    fn nobody_flees_more_slowly_than_it_cruises() {
        let of = |more: &str| said(&[&format!("{TANG}\n{more}")]);
        let slower = "to flee at 8 body lengths/s is slower than to cruise at 9";
        let burst = format!("my.toml:5:14: species.tang.burst_bl_s: {slower}");
        assert_eq!(of("speed_bl_s = 9\nburst_bl_s = 8"), [burst]);
        let cruise = format!("my.toml:5:14: species.tang.burst_bl_s: {slower}");
        assert_eq!(of("burst_bl_s = 8\nspeed_bl_s = 9"), [cruise], "whichever is said last");
        assert_eq!(of("speed_bl_s = 9"), [""; 0], "the card's is not the scene's fault");
    }

    #[test]
    fn a_shelter_is_something_that_the_scene_has() {
        assert_eq!(said(&[TANG]), [""; 0], "a card of the project is for any scene");
        assert_eq!(
            said(&[&format!("{TANG}\nshelter = [\"staghorn_coral\", \"stag_horn_coral\"]")]),
            [
                "my.toml:4:30: species.tang.shelter: nothing in the scene has the model \"stag_horn_coral\"; did you mean \
                 staghorn_coral?"
            ]
        );
        let clownfish = "name = \"nemo\"\nmodel = \"builtin:clownfish\"";
        assert_eq!(
            said(&[clownfish]),
            ["my.toml:1:1: species.nemo.shelter: nothing in the scene has the model \"anemone\""],
            "a guest needs its host"
        );
        assert_eq!(said(&[&format!("{clownfish}\nshelter = [\"staghorn_coral\"]")]), [""; 0]);
        assert_eq!(
            said(&[&format!("{TANG}\nroutines = [\"rest\", \"host\"]\nshelter = []")]),
            ["my.toml:4:21: species.tang.routines: \"host\" needs a shelter to stay by: name models in shelter"]
        );
    }

    #[test]
    fn cleaners_and_clients_need_each_other() {
        assert_eq!(said(&[TANG, WRASSE]), [""; 0]);
        assert_eq!(
            said(&[WRASSE]),
            [
                "my.toml:1:1: species.wrasse.routines: \"clean\": no species of the scene has the routine \"visit_cleaner\""
            ]
        );
        assert_eq!(
            said(&[&format!("{TANG}\nroutines = [\"visit_cleaner\"]")]),
            [
                "my.toml:4:13: species.tang.routines: \"visit_cleaner\": no species of the scene has the routine \"clean\""
            ]
        );
    }

    #[test]
    fn prey_is_a_species_of_the_scene() {
        assert_eq!(said(&[TANG, "name = \"x\"\nmodel = \"builtin:barracuda\"\nprey = [\"tang\"]"]), [""; 0]);
        assert_eq!(
            said(&[TANG, "name = \"x\"\nmodel = \"builtin:barracuda\"\nprey = [\"tan\"]"]),
            ["my.toml:7:9: species.x.prey: the scene has no species \"tan\"; did you mean tang?"]
        );
    }
}
