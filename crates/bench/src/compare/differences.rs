//! Differences between two results, by name and with both values.

use serde::Serialize;
use serde_json::Value;

use crate::report::{Report, Settings};

/// One difference between two results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// A key of the scene, such as `render.effects.shafts`, or the name of something else.
    pub what: String,
    /// Value in the first result.
    pub before: String,
    /// Value in the second result.
    pub after: String,
}

/// Text in place of the keys of a result from before keys were listed.
const NOT_LISTED: &str = "not listed in this older result";
/// Text for a key that a scene does not have.
const NOT_THERE: &str = "not there";
/// Most letters of a value.
const MAX_LETTERS: usize = 60;

#[derive(Default)]
struct Found(Vec<Difference>);

impl Found {
    fn compare(&mut self, what: &str, before: impl ToString, after: impl ToString) {
        let (before, after) = (before.to_string(), after.to_string());
        if before != after {
            self.0.push(Difference { what: what.into(), before, after });
        }
    }
}

/// Differences that must not exist between two results if one is a change of the other.
pub fn differences(before: &Report, after: &Report) -> Vec<Difference> {
    let (a, b) = (&before.settings, &after.settings);
    let size = |(width, height): (u32, u32)| format!("{width}x{height}");
    let mut found = Found::default();
    found.compare("renderer", &before.gl.renderer, &after.gl.renderer);
    found.compare("size", size(a.size), size(b.size));
    scene(&mut found, a, b);
    found.compare("eyes", &a.stereo, &b.stereo);
    let order = |s: &Settings| if s.pipelined { "beside drawing" } else { "before each frame" };
    found.compare("world moved on", order(a), order(b));
    found.compare("frame end", a.frame_end.words(), b.frame_end.words());
    found.compare("build profile", before.app.profile, after.app.profile);
    found.compare("time step", a.step_s, b.step_s);
    found.compare("warm-up frames", a.warmup, b.warmup);
    found.compare("frames", a.frames, b.frames);
    let seconds = |s: Option<f64>| s.map_or("by number".into(), |s| format!("{s} s"));
    found.compare("time measured", seconds(a.measure_s), seconds(b.measure_s));
    found.compare("time of warm-up", seconds(a.warmup_s), seconds(b.warmup_s));
    let place = |s: &Settings| match (s.page, s.live, s.offscreen, s.vsync) {
        (true, ..) => "recorded live in a page",
        (_, true, ..) => "recorded live",
        (_, _, true, _) => "off-screen",
        (_, _, false, Some(true)) => "in a window, waiting for the screen",
        (_, _, false, _) => "in a window",
    };
    found.compare("drawn", place(a), place(b));
    let governor = |on: bool| if on { "at work" } else { "off" };
    found.compare("quality governor", governor(a.governor), governor(b.governor));
    found.0
}

/// All differences between two results: those of [`differences`], and those that may exist between a program and a
/// change of it.
pub fn all_differences(before: &Report, after: &Report) -> Vec<Difference> {
    let (a, b) = (&before.settings, &after.settings);
    let mut found = Found(differences(before, after));
    if found.0.iter().all(|difference| difference.what != "render.quality") {
        found.compare("quality", &a.quality, &b.quality);
    }
    if found.0.iter().all(|difference| difference.what != "render.scale") {
        found.compare("internal resolution", a.render_scale, b.render_scale);
    }
    found.compare("animals", a.animals, b.animals);
    found.compare("driver", &before.gl.version, &after.gl.version);
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "not known".into());
    found.compare("processor", known(&before.host.cpu), known(&after.host.cpu));
    found.compare("threads", before.host.threads, after.host.threads);
    found.compare("system", &before.host.os, &after.host.os);
    found.compare("kernel", known(&before.host.kernel), known(&after.host.kernel));
    found.compare("version", &before.app.version, &after.app.version);
    found.compare("commit", known(&before.app.commit), known(&after.app.commit));
    found.0
}

/// Adds the differences of two scenes: the keys of their settings, the seed, the shaders. Models and seabed follow from
/// the settings and the seed, and are told only where those are the same.
fn scene(found: &mut Found, a: &Settings, b: &Settings) {
    if a.scene_hash == b.scene_hash {
        return;
    }
    let before = found.0.len();
    if a.hashes.config != b.hashes.config {
        found.compare("scene", &a.scene, &b.scene);
        match (&a.config, &b.config) {
            (Some(of_a), Some(of_b)) => keys(found, "", Some(of_a), Some(of_b)),
            _ => {
                let listed = |s: &Settings| {
                    let hash = &s.hashes.config;
                    if s.config.is_some() { format!("hash {hash}") } else { format!("{NOT_LISTED} (hash {hash})") }
                };
                let set = |s: &Settings| if s.set.is_empty() { "nothing".into() } else { s.set.join(" ") };
                found.compare("scene settings", listed(a), listed(b));
                found.compare("--set", set(a), set(b));
                found.compare("quality", &a.quality, &b.quality);
                found.compare("animals", a.animals, b.animals);
            }
        }
    }
    found.compare("seed", a.seed, b.seed);
    if found.0.len() == before {
        found.compare("scene (models, seabed)", &a.hashes.assets, &b.hashes.assets);
    }
    found.compare("scene (shaders)", &a.hashes.shaders, &b.hashes.shaders);
    if found.0.len() == before {
        // For any other parts that the hash may have one day.
        found.compare("scene_hash", &a.scene_hash, &b.scene_hash);
    }
}

/// Adds the keys below `path` whose values differ, named as with `--set`.
fn keys(found: &mut Found, path: &str, a: Option<&Value>, b: Option<&Value>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (a, b) {
        (Some(Value::Object(of_a)), Some(Value::Object(of_b))) => {
            let only_b = of_b.keys().filter(|key| !of_a.contains_key(*key));
            for key in of_a.keys().chain(only_b) {
                keys(found, &below(key), of_a.get(key), of_b.get(key));
            }
        }
        (Some(Value::Array(of_a)), Some(Value::Array(of_b))) if names(of_a).is_some() && names(of_b).is_some() => {
            let (names_a, names_b) = (names(of_a).unwrap_or_default(), names(of_b).unwrap_or_default());
            let only_b = names_b.iter().filter(|name| !names_a.contains(name));
            for name in names_a.iter().chain(only_b) {
                keys(found, &below(name), entry(of_a, name), entry(of_b, name));
            }
        }
        (Some(Value::Array(of_a)), Some(Value::Array(of_b)))
            if of_a.len() == of_b.len() && of_a.iter().chain(of_b).all(Value::is_object) =>
        {
            for (i, (a, b)) in of_a.iter().zip(of_b).enumerate() {
                keys(found, &below(&i.to_string()), Some(a), Some(b));
            }
        }
        _ if a != b => found.compare(path, text(a), text(b)),
        _ => {}
    }
}

/// The names of a list's entries, if each has one.
fn names(list: &[Value]) -> Option<Vec<&str>> {
    list.iter().map(|entry| entry.get("name")?.as_str()).collect()
}

fn entry<'v>(list: &'v [Value], name: &str) -> Option<&'v Value> {
    list.iter().find(|entry| entry.get("name").and_then(Value::as_str) == Some(name))
}

/// A value in a few letters.
fn text(value: Option<&Value>) -> String {
    match value {
        None => NOT_THERE.into(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Object(_)) => "there".into(),
        Some(value) => {
            let text = value.to_string();
            match text.char_indices().nth(MAX_LETTERS) {
                Some((end, _)) => format!("{}...", &text[..end]),
                None => text,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::FrameEnd;
    use crate::report::Profile;
    use crate::report::tests::report_of;

    fn result() -> Report {
        report_of(&[&[10.0; 4]]).0
    }

    fn named(found: &[Difference]) -> Vec<&str> {
        found.iter().map(|difference| difference.what.as_str()).collect()
    }

    #[test]
    fn what_must_agree_is_named_when_it_does_not() {
        let before = result();
        assert_eq!(differences(&before, &before), []);
        type Change = (&'static str, fn(&mut Report));
        let changes: [Change; 9] = [
            ("eyes", |r| r.settings.stereo = "anaglyph".into()),
            ("renderer", |r| r.gl.renderer = "another".into()),
            ("size", |r| r.settings.size = (1, 1)),
            ("frame end", |r| r.settings.frame_end = FrameEnd::Finish),
            ("build profile", |r| r.app.profile = Profile::Debug),
            ("time step", |r| r.settings.step_s = 0.1),
            ("warm-up frames", |r| r.settings.warmup = 0),
            ("frames", |r| r.settings.frames = 10),
            ("scene_hash", |r| r.settings.scene_hash = "0".into()),
        ];
        for (what, change) in changes {
            let mut after = before.clone();
            change(&mut after);
            assert_eq!(named(&differences(&before, &after)), [what]);
        }
        let mut after = before.clone();
        after.settings.scene_hash = "0".into();
        after.settings.hashes.shaders = "0".into();
        assert_eq!(named(&differences(&before, &after)), ["scene (shaders)"]);
    }

    /// Results with these settings.
    fn of_scenes(before: Option<Value>, after: Option<Value>) -> [Report; 2] {
        let (mut a, mut b) = (result(), result());
        (a.settings.config, b.settings.config) = (before, after);
        b.settings.scene_hash = "0".into();
        // The assets follow from the settings, so their hash differs too.
        (b.settings.hashes.config, b.settings.hashes.assets) = ("0".into(), "0".into());
        [a, b]
    }

    #[test]
    fn keys_of_the_scene_are_named_with_both_values() {
        let [before, after] = of_scenes(
            Some(json!({
                "render": {"effects": {"shafts": true, "caustics": true}},
                "species": [{"name": "sardine", "count": 100}, {"name": "turtle", "count": 1}],
                "camera": {"rail": [[0, 1, 2]]},
                "prop": [{"at": 1}],
            })),
            Some(json!({
                "render": {"effects": {"shafts": false, "caustics": true}},
                "species": [{"name": "sardine", "count": 250}, {"name": "ray", "count": 2}],
                "camera": {"rail": [[0, 1, 3]]},
                "prop": [{"at": 2}],
            })),
        );
        let of = |what: &str, before: &str, after: &str| Difference {
            what: what.into(),
            before: before.into(),
            after: after.into(),
        };
        let wanted = [
            of("render.effects.shafts", "true", "false"),
            of("species.sardine.count", "100", "250"),
            of("species.turtle", "there", "not there"),
            of("species.ray", "not there", "there"),
            of("camera.rail", "[[0,1,2]]", "[[0,1,3]]"),
            of("prop.0.at", "1", "2"),
        ];
        assert_eq!(differences(&before, &after), wanted);
    }

    #[test]
    fn an_older_result_says_that_it_does_not_list_its_keys() {
        let [before, mut after] = of_scenes(None, Some(json!({})));
        after.settings.quality = "high".into();
        let found = differences(&before, &after);
        assert_eq!(named(&found), ["scene settings", "quality"]);
        assert!(found[0].before.starts_with("not listed in this older result (hash "), "{}", found[0].before);
        assert_eq!((found[1].before.as_str(), found[1].after.as_str()), ("low", "high"));
    }

    #[test]
    fn machine_and_program_are_told_among_all_that_differs() {
        let (before, mut after) = (result(), result());
        after.host.cpu = Some("another".into());
        (after.gl.version, after.settings.quality, after.settings.animals) = ("2".into(), "high".into(), 3);
        assert_eq!(differences(&before, &after), []);
        assert_eq!(named(&all_differences(&before, &after)), ["quality", "animals", "driver", "processor"]);
    }
}
