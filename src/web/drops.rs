//! Choice of the file to show among files that were dropped on the page.

use std::ffi::OsStr;
use std::path::Path;

use config::MODEL_ENDINGS;

/// File to show of those that were dropped together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dropped<'a> {
    /// A scene.
    Scene(&'a str),
    /// A model, in a scene of its own.
    Model(&'a str),
}

/// Chooses the file to show among paths: the only scene, or if there is none the only model.
///
/// # Errors
/// With a sentence, if there is nothing to show or several files qualify.
pub fn choose<'a>(paths: &[&'a str]) -> Result<Dropped<'a>, String> {
    let ending = |wanted: &[&str]| -> Vec<&'a str> {
        let is_wanted = |ending: &OsStr| wanted.iter().any(|wanted| ending.eq_ignore_ascii_case(wanted));
        paths.iter().filter(|path| Path::new(path).extension().is_some_and(is_wanted)).copied().collect()
    };
    let several = |what: &str, paths: &[&str]| {
        Err(format!("there are several {what}: {}; drop one of them, or with what it needs", paths.join(", ")))
    };
    let mut models = ending(&MODEL_ENDINGS);
    let all = models.clone();
    models.retain(|path| !is_companion(path, &all));
    match (&ending(&["toml"])[..], &models[..]) {
        ([scene], _) => Ok(Dropped::Scene(scene)),
        // Cards and bases lie deeper in folders than the scene that they belong to.
        (scenes @ [_, ..], _) => {
            let depth = |path: &&str| Path::new(path).components().count();
            let least = scenes.iter().map(depth).min();
            match &scenes.iter().filter(|path| Some(depth(path)) == least).collect::<Vec<_>>()[..] {
                [scene] => Ok(Dropped::Scene(scene)),
                _ => several("scenes", scenes),
            }
        }
        ([], [model]) => Ok(Dropped::Model(model)),
        ([], models @ [_, ..]) => several("models", models),
        ([], []) => Err(format!(
            "there is nothing to show in {}: drop a scene (.toml), a model (.{}) with its textures, or a folder of them",
            paths.join(", "),
            MODEL_ENDINGS.join(", .")
        )),
    }
}

/// Whether `path` is a part of one of `models`: the textures or a group of sequences of an MDL, `NAMEt.mdl` or `NAME01.mdl`.
fn is_companion(path: &str, models: &[&str]) -> bool {
    let stem = |path: &str| path.to_lowercase().strip_suffix(".mdl").map(str::to_owned);
    let Some(part) = stem(path) else { return false };
    let is_part = |name: &str| {
        let end = part.strip_prefix(name).unwrap_or_default();
        end == "t" || (end.len() == 2 && end.bytes().all(|byte| byte.is_ascii_digit()))
    };
    models.iter().filter_map(|model| stem(model)).any(|name| is_part(&name))
}

/// Path and text of a generated scene beside the model at `path`, in which a few of it swim.
pub fn scene_of_model(path: &str) -> (String, String) {
    let file = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = Path::new(&file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let text = format!(
        "# What was dropped, in a sea of its own.\n[seabed]\npresent = false\n\n[[species]]\nname = {}\nmodel = {}\n\
         count = 24\ndepth_m = [3.0, 7.0]\nhome_m = [0.0, 0.0]\nrange_m = 3.0\n\n\
         [camera]\neye_m = [0.0, -4.6, 6.5]\ntarget_m = [0.0, -5.0, 0.0]\n",
        quoted(&name),
        quoted(&file)
    );
    (Path::new(path).with_extension("toml").to_string_lossy().into_owned(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_goes_before_its_models() {
        assert_eq!(choose(&["a/fish.ms3d", "a/mine.TOML", "a/fish.png"]), Ok(Dropped::Scene("a/mine.TOML")));
        assert_eq!(choose(&["a/mine.toml", "a/cards/fish.toml"]), Ok(Dropped::Scene("a/mine.toml")));
        assert_eq!(choose(&["fish.png", "fish.ms3d"]), Ok(Dropped::Model("fish.ms3d")));
        assert_eq!(choose(&["fish.bin", "fish.GLTF"]), Ok(Dropped::Model("fish.GLTF")));
    }

    #[test]
    fn parts_of_a_model_come_with_it() {
        assert_eq!(choose(&["a/fishT.mdl", "a/Fish.mdl", "a/fish01.mdl"]), Ok(Dropped::Model("a/Fish.mdl")));
        assert_eq!(choose(&["fisht.mdl"]), Ok(Dropped::Model("fisht.mdl")));
        assert!(choose(&["fish.mdl", "fish1.mdl"]).is_err());
        assert!(choose(&["a/fish.mdl", "b/fisht.mdl"]).is_err());
    }

    #[test]
    fn what_cannot_be_chosen_is_a_sentence() {
        let told = |paths: &[&str]| choose(paths).expect_err("refused");
        assert!(told(&["a.toml", "b.toml"]).starts_with("there are several scenes: a.toml, b.toml;"));
        assert!(told(&["a.ms3d", "b.ms3d"]).starts_with("there are several models"));
        assert!(told(&["a.txt"]).starts_with("there is nothing to show in a.txt: drop a scene"));
    }

    #[test]
    fn a_model_gets_a_scene_that_is_fine() {
        let (path, text) = scene_of_model("folder/my \"fish\".ms3d");
        assert_eq!(path, "folder/my \"fish\".toml");
        let sardine = text.replace("model = 'my \"fish\".ms3d'", "model = \"builtin:sardine\"");
        config::load_text("dropped", &sardine, &[]).map(drop).expect("a scene");
    }
}
