use super::*;
use crate::load_text;

fn edits(all: &[(&str, Value)]) -> Edits {
    let path = |keys: &str| keys.split('/').map(str::to_owned).collect();
    Edits(all.iter().map(|(keys, value)| Edit { path: path(keys), value: value.clone() }).collect())
}

fn vector(numbers: &[f64]) -> Value {
    Value::Array(numbers.iter().map(|number| Value::Float(*number)).collect())
}

#[track_caller]
fn check(before: &str, change: &[(&str, Value)], after: &str) {
    let written = edits(change).written_into(before, "mine.toml").expect("it is TOML");
    assert_eq!(written, after);
    load_text("mine", &written, &[]).expect("what is written is a scene");
}

#[test]
fn comments_order_and_blanks_stay() {
    let before = "# A bay.\n\n[waves]\n  wind_m_s = 3.0     # a breeze\n\n# The medium.\n[water]\ntype = \"IA\" # clear\n\n# end\n";
    let after = "# A bay.\n\n[waves]\n  wind_m_s = 7.5     # a breeze\n\n# The medium.\n[water]\ntype = \"3C\" # clear\nturbidity = 2.0\n\n# end\n";
    check(
        before,
        &[("waves/wind_m_s", 7.5.into()), ("water/type", "3C".into()), ("water/turbidity", 2.0.into())],
        after,
    );
}

#[test]
fn what_is_the_same_stays_as_it_is_written() {
    check("[waves]\nwind_m_s = 3 # whole\n", &[("waves/wind_m_s", 3.0.into())], "[waves]\nwind_m_s = 3 # whole\n");
}

#[test]
fn line_ends_stay() {
    let before = "# one\r\nextends = \"reef\"\r\n[sun]\r\nelevation_deg = 5.0 # low\r\n";
    let after =
        "# one\r\nextends = \"reef\"\r\n[sun]\r\nelevation_deg = 9.0 # low\r\n\r\n[post]\r\nexposure_ev = 1.0\r\n";
    check(before, &[("sun/elevation_deg", 9.0.into()), ("post/exposure_ev", 1.0.into())], after);
}

#[test]
fn dotted_keys_and_inline_tables_stay_such() {
    check(
        "extends = \"reef\"\nwater.type = \"IA\"\nsun = { elevation_deg = 5.0 }\n",
        &[("water/type", "II".into()), ("water/turbidity", 2.0.into()), ("sun/brightness", 0.5.into())],
        "extends = \"reef\"\nwater.type = \"II\"\nwater.turbidity = 2.0\nsun = { elevation_deg = 5.0 , brightness = 0.5 }\n",
    );
}

#[test]
fn species_are_found_by_name_and_added_if_only_the_base_has_them() {
    let before = "extends = \"reef\"\n\n# few\n[[species]]\nname = \"sardine\"\ncount = 9 # nine\n\n[[species]]\nname = \"anthias\"\ncount = 3\n";
    let after = "extends = \"reef\"\n\n# few\n[[species]]\nname = \"sardine\"\ncount = 20 # nine\n\n[[species]]\nname = \"anthias\"\ncount = 3\n\n[[species]]\nname = \"manta\"\ncount = 4\n";
    check(before, &[("species/sardine/count", 20.into()), ("species/manta/count", 4.into())], after);
}

#[test]
fn lists_keep_the_comments_of_what_stays() {
    let before = "[[props]]\nname = \"rocks\"\nmodel = \"builtin:boulder\"\nat = [\n  [1.0, 2.0, 0.0, 1.0],   # the first\n  [3.0, 4.0, 0.0, 1.0],   # the second\n]\n";
    let after = before.replace("[3.0, 4.0", "[3.5, 4.0");
    let both = Value::Array(vec![vector(&[1.0, 2.0, 0.0, 1.0]), vector(&[3.5, 4.0, 0.0, 1.0])]);
    check(before, &[("props/rocks/at", both)], &after);
}

#[test]
fn tables_that_are_not_there_are_added_without_empty_ones() {
    check(
        "extends = \"reef\"\n",
        &[("render/effects/bloom", false.into()), ("camera/views/surface/eye_m", vector(&[1.0, -2.0, 3.0]))],
        "extends = \"reef\"\n\n[render.effects]\nbloom = false\n\n[camera.views.surface]\neye_m = [1.0, -2.0, 3.0]\n",
    );
}

#[test]
fn a_broken_file_and_another_kind_of_thing_in_the_way_are_said() {
    let change = edits(&[("water/type", "3C".into())]);
    let broken = change.written_into("[water]\ntype = 3C\n", "mine.toml").expect_err("no TOML").to_string();
    assert!(broken.contains("mine.toml:2"), "{broken}");
    let blocked = change.written_into("water = 3\n", "mine.toml").expect_err("no table").to_string();
    assert!(blocked.contains("water.type"), "{blocked}");
}

#[test]
fn what_is_laid_over_a_scene_is_what_is_written_into_its_file() {
    let text = "extends = \"reef\"\n";
    let change = edits(&[
        ("water/type", "5C".into()),
        ("species/sardine/depth_m", vector(&[2.0, 3.0])),
        ("species/sardine/shelter", Value::Array(vec!["rock".into(), "kelp \"tall\"".into()])),
        ("camera/fov_deg", 50.0.into()),
    ]);
    let over = load_text("mine", text, &change.arguments()).expect("laid over").config;
    let into = load_text("mine", &change.written_into(text, "mine").expect("TOML"), &[]).expect("written").config;
    assert_eq!(over, into);
    assert_ne!(into, load_text("mine", text, &[]).expect("fine").config);
}

#[test]
fn a_place_in_a_list_without_names_changes_the_list() {
    let config = load_text("mine", "extends = \"reef\"\n", &[]).expect("fine").config;
    let values = values(&config);
    let mut change = Edits::default();
    change.set(&path("camera/rail/1/eye_m"), vector(&[1.0, -2.0, 3.0]), &values);
    change.set(&path("species/sardine/path_m/0"), vector(&[0.0, -3.0, 0.0]), &values);
    let changed = load_text("mine", "extends = \"reef\"\n", &change.arguments()).expect("fine").config;
    assert_eq!(changed.scene.camera.rail[1].eye_m, [1.0, -2.0, 3.0]);
    assert_eq!(changed.scene.camera.rail[0], config.scene.camera.rail[0]);
    assert_eq!(changed.scene.species[0].life.path_m[0], [0.0, -3.0, 0.0]);
    assert_eq!(changed.scene.species[0].life.path_m[1], config.scene.species[0].life.path_m[1]);
}

#[test]
fn what_was_before_saving_can_still_be_gone_back_to() {
    let before = values(&load_text("mine", "[water]\ntype = \"I\"\n", &[]).expect("fine").config);
    let saved = edits(&[("water/type", "3C".into()), ("sun/elevation_deg", 9.0.into())]);
    let earlier = edits(&[("water/type", "3C".into())]);
    let after = earlier.after_saving(&saved, &before);
    assert_eq!(after, edits(&[("sun/elevation_deg", before["sun"]["elevation_deg"].clone())]));
    assert_eq!(saved.after_saving(&saved, &before), Edits::default());
}

#[test]
fn a_command_line_is_quoted_for_the_shell() {
    let change = edits(&[("water/type", "3C".into()), ("species/it's/count", 3.into())]);
    assert_eq!(change.command_line(), r#"--set 'water.type="3C"' --set 'species."it'\''s".count=3'"#);
}

fn path(keys: &str) -> Vec<String> {
    keys.split('/').map(str::to_owned).collect()
}

fn scene(text: &str, change: &Edits) -> Config {
    load_text("mine", text, &change.arguments()).expect("a scene").config
}

/// The values of a scene without changes and with `change`.
fn with(text: &str, change: &Edits) -> [Table; 2] {
    [values(&scene(text, &Edits::default())), values(&scene(text, change))]
}

#[test]
fn every_list_takes_more_and_gives_them_back() {
    let text = "extends = \"reef\"\n[[lights]]\nname = \"lamp\"\nintensity = 2.0\n[camera.views.down]\neye_m = [0.0, -1.0, 0.0]\ntarget_m = [0.0, -8.0, 1.0]\n";
    let lists =
        ["species", "props", "lights", "camera/views", "camera/rail", "species/sardine/path_m", "props/arch/at"];
    for list in lists {
        let list = path(list);
        let mut change = Edits::default();
        let [in_file, now] = with(text, &change);
        let count = |values: &Table| match value_at(values, &list) {
            Some(Value::Array(list)) => list.len(),
            Some(Value::Table(map)) => map.len(),
            _ => 0,
        };
        let model = (addition(&list, &now) == Some(Addition::Model)).then_some("blue_tang");
        let new = change.add(&list, model, &now, &in_file).unwrap_or_else(|| panic!("{list:?} takes one more"));
        let [_, more] = with(text, &change);
        assert_eq!((count(&more), value_at(&more, &new).is_some()), (count(&in_file) + 1, true), "{list:?}");
        let written = change.written_into(text, "mine").expect("TOML");
        assert_eq!(scene(&written, &Edits::default()), scene(text, &change), "written as it is laid over: {written}");
        assert!(can_remove(&new, &in_file) && change.remove(&new, &more, &in_file), "{list:?}");
        assert_eq!(scene(text, &change), scene(text, &Edits::default()), "{list:?}");
    }
}

#[test]
fn what_is_in_the_file_is_left_out_with_its_comments_and_comes_back() {
    let text = "extends = \"reef\"\n# mine\n[[species]]\nname = \"wally\" # a tang\nmodel = \"builtin:blue_tang\"\ncount = 3 # shy\n";
    let mut change = Edits::default();
    let [in_file, now] = with(text, &change);
    let names = |scene: &Config| scene.scene.species.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    for name in ["wally", "sardine"] {
        assert!(change.remove(&path(&format!("species/{name}")), &now, &in_file), "{name}");
    }
    let left = scene(text, &change);
    assert!(!names(&left).iter().any(|name| name == "wally" || name == "sardine"), "{:?}", names(&left));
    let saved = change.written_into(text, "mine").expect("TOML");
    assert_eq!(scene(&saved, &Edits::default()), left);
    assert!(saved.contains("# mine") && saved.contains("# a tang") && saved.contains("count = 0 # shy"), "{saved}");
    let back = Edits::default().after_saving(&change, &in_file);
    assert_eq!(names(&scene(&saved, &back)).len(), names(&scene(text, &Edits::default())).len());
}

#[test]
fn an_entry_that_was_added_and_saved_can_be_undone() {
    let text = "extends = \"reef\"\n";
    let mut change = Edits::default();
    let [in_file, now] = with(text, &change);
    let new = change.add(&path("species"), Some("sardine"), &now, &in_file).expect("one more");
    assert_eq!(new, path("species/sardine_2"), "a name that is free");
    let saved = change.written_into(text, "mine").expect("TOML");
    assert!(saved.contains("[[species]]\nname = \"sardine_2\"\nmodel = \"builtin:sardine\"\ncount = 5\n"), "{saved}");
    let undone = Edits::default().after_saving(&change, &in_file);
    assert_eq!(scene(&saved, &undone), scene(text, &Edits::default()));
}

#[test]
fn what_has_a_name_only_cannot_be_taken_out_of_a_file() {
    let text = "extends = \"reef\"\n[camera.views.down]\neye_m = [0.0, -1.0, 0.0]\ntarget_m = [0.0, -8.0, 1.0]\n";
    let [in_file, now] = with(text, &Edits::default());
    let view = path("camera/views/down");
    assert!(!can_remove(&view, &in_file) && !Edits::default().remove(&view, &now, &in_file));
    assert_eq!(addition(&path("water/type"), &now), None);
    assert_eq!(addition(&path("species/sardine/clips"), &now), None, "there is none that another could be like");
}
