//! Tests of using the page.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::site;

/// Greatest download of a first visit to the reef at low quality, in total. Unit: bytes.
const FIRST_VISIT: f64 = 6.5e6;

/// A quick scene: few animals in a small window.
const QUICK: &str = "?scene=lagoon&quality=low&fish=40&lang=en";

/// Opens a browser with the quick scene; `None` if there is no browser.
fn opened(link: &str) -> Option<Browser> {
    let mut browser = Browser::open(&[])?;
    let address = site::served(&site::built());
    browser.open_sea(&format!("{address}{link}"));
    Some(browser)
}

/// Waits until a condition on `state()` holds.
fn until_state(browser: &mut Browser, condition: &str) {
    browser.until(&format!("((state) => {condition})(JSON.parse(sea.state()))"));
}

/// Waits until more frames have been drawn.
fn until_it_swims(browser: &mut Browser) {
    let frames = browser.state()["frames"].as_u64().expect("a number");
    until_state(browser, &format!("state.frames > {frames} + 2"));
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn a_first_visit_is_small_and_asks_this_server_alone() {
    let Some(mut browser) = opened("?scene=reef&quality=low") else { return };
    until_it_swims(&mut browser);
    let here = browser.js("location.origin");
    let mut bytes = 0.0;
    let mut asked = 0;
    for event in &browser.events {
        match event["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                let request = &event["params"]["request"];
                let url = request["url"].as_str().unwrap_or_default();
                assert!(url.starts_with(here.as_str().expect("a text")) || url.starts_with("blob:"), "{url}");
                assert_eq!(request["method"], "GET", "{url}");
                asked += 1;
            }
            Some("Network.loadingFinished") => {
                bytes += event["params"]["encodedDataLength"].as_f64().unwrap_or_default()
            }
            _ => {}
        }
    }
    println!("{asked} requests, {:.2} MB", bytes / 1e6);
    assert!(bytes > 1e6 && bytes <= FIRST_VISIT, "{bytes} bytes");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn keys_and_buttons_do_as_in_the_window() {
    let Some(mut browser) = opened(QUICK) else { return };
    browser.key("Space", " ");
    until_state(&mut browser, "state.paused");
    browser.key("Space", " ");
    until_state(&mut browser, "!state.paused");
    let fonts = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('Ubuntu')).length";
    assert_eq!(browser.js(fonts), 0, "nothing has been written yet");
    browser.key("F2", "F2");
    until_state(&mut browser, "state.panel");
    browser.until(&format!("{fonts} === 1"));
    browser.click("[data-does=settings]");
    until_state(&mut browser, "!state.panel");
    browser.key("F1", "F1");
    browser.until("!document.getElementById('help').hidden");
    browser.key("F1", "F1");
    let fish = browser.state()["fish"].as_u64().expect("a number");
    browser.key("Equal", "+");
    until_state(&mut browser, &format!("state.fish > {fish}"));
    browser.key("Digit2", "2");
    until_state(&mut browser, "state.scene === 'open_blue' && !state.loading");
    // The page follows, and so does the address.
    browser.until("document.getElementById('choose-name').textContent === 'Open blue'");
    browser.until("new URLSearchParams(location.search).get('scene') === 'open_blue'");
    browser.click("#choose");
    browser.click("#scenes [value=lagoon]");
    until_state(&mut browser, "state.scene === 'lagoon' && !state.loading");
    browser.js("(() => { const water = document.getElementById('water'); water.value = '5C'; water.dispatchEvent(new Event('change')); })()");
    browser.until("new URLSearchParams(location.search).get('water') === '5C'");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn a_picture_is_downloaded() {
    let Some(mut browser) = opened(QUICK) else { return };
    browser.click("[data-does=picture]");
    until_event(&mut browser, |event| {
        event["method"] == "Browser.downloadProgress" && event["params"]["state"] == "completed"
    });
    let files: Vec<_> = fs::read_dir(browser.downloads()).expect("a folder").flatten().collect();
    assert_eq!(files.len(), 1);
    assert!(image::open(files[0].path()).expect("a picture").width() > 0);
}

/// Waits for an event; repeated queries make the browser deliver events.
fn until_event(browser: &mut Browser, is_it: impl Fn(&Value) -> bool) {
    for _ in 0..6000 {
        if browser.events.iter().any(&is_it) {
            return;
        }
        browser.js("new Promise((later) => setTimeout(later, 50))");
    }
    panic!("it never came");
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn a_benchmark_is_recorded_and_its_files_are_offered() {
    let Some(mut browser) = opened(QUICK) else { return };
    browser.click("[data-does=benchmark]");
    browser.click("#measure [data-does=record]");
    let result = offered(&mut browser);
    assert!(result["runs"][0]["n"].as_u64() > Some(0), "{result}");
    assert_eq!(result["settings"]["page"], true);
    assert!(result["gl"].to_string().contains("WebGL 2"), "what drew it is told: {result}");
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn a_ladder_of_fish_is_climbed_and_left() {
    let Some(mut browser) = opened(QUICK) else { return };
    browser.click("[data-does=benchmark]");
    browser.click("#measure [data-does=climb]");
    until_state(&mut browser, "state.rung === 1 && state.fish === 1");
    until_state(&mut browser, "state.rung === 100 && state.fish === 100");
    browser.until("document.getElementById('pill').textContent.includes('100 fish')");
    browser.key("KeyB", "b");
    until_state(&mut browser, "!state.recording && state.fish === 40");
    let result = offered(&mut browser);
    assert_eq!((&result["aborted"], &result["ladder"][0]["fish"]), (&true.into(), &1.into()));
    assert!(result["ladder"][0]["median_ms"].as_f64() > Some(0.0), "{result}");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn more_detail_brings_larger_textures_and_the_sea_goes_on() {
    let Some(mut browser) = opened(QUICK) else { return };
    browser.js("void (window.stays = true)");
    let step = browser.state()["step"].as_u64().expect("a number");
    let textures = site::manifest()["textures"]["anthias.png"].clone();
    let fetched = |size: &str| {
        let file = textures[size]["file"].as_str().expect("it is listed");
        format!("performance.getEntriesByType('resource').some(({{ name }}) => name.endsWith('{file}'))")
    };
    browser.until(&fetched("low"));
    assert_eq!(browser.js(&fetched("full")), false);
    browser.js("(() => { const quality = document.getElementById('quality'); quality.value = 'medium'; quality.dispatchEvent(new Event('change')); })()");
    until_state(&mut browser, "state.quality === 'medium' && state.level.includes('medium')");
    browser.until(&fetched("full"));
    browser.until("document.getElementById('pill').hidden");
    until_it_swims(&mut browser);
    assert_eq!(browser.js("window.stays"), true, "the page was not loaded again");
    assert!(browser.state()["step"].as_u64() > Some(step), "the same sea");
    assert!(browser.js("document.getElementById('notice').hidden") == true, "{}", browser.complaints().join("\n"));
    assert_eq!(browser.complaints(), [""; 0]);
}

/// Benchmark result among the files that the page offers.
fn offered(browser: &mut Browser) -> Value {
    browser.until("document.querySelector('#notice a')");
    let names = browser.js("[...document.querySelectorAll('#notice a')].map((link) => link.download)");
    let names: Vec<&str> = names.as_array().expect("links").iter().filter_map(Value::as_str).collect();
    assert!(names.contains(&"report.html"), "{names:?}");
    let json = *names.iter().find(|name| name.ends_with(".json")).unwrap_or_else(|| panic!("no JSON among {names:?}"));
    browser.click(&format!("#notice a[download=\"{json}\"]"));
    until_event(browser, |event| {
        event["method"] == "Browser.downloadProgress" && event["params"]["state"] == "completed"
    });
    let text = fs::read_to_string(browser.downloads().join(json)).expect("downloaded");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn memory_that_is_refused_is_told_and_the_sea_goes_on() {
    let Some(mut browser) = opened(QUICK) else { return };
    // A file with more bytes than fit in memory: only its size is asked for.
    browser.js("void (window.kept = File.prototype.arrayBuffer, File.prototype.arrayBuffer = async () => { throw new RangeError('Array buffer allocation failed'); })");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.toml");
    fs::write(&path, "extends = \"lagoon\"\n").expect("written");
    browser.drop_files(&[&path]);
    let said = browser.notice();
    assert!(said.contains("mine.toml") && said.contains("no more memory"), "{said}");
    browser.js("void (File.prototype.arrayBuffer = window.kept)");
    until_it_swims(&mut browser);
    // The program itself runs out of memory.
    browser.js("void setTimeout(() => sea.putAsset('large', { length: 4_294_967_280 }))");
    browser.until("!document.getElementById('failure').hidden");
    let said = browser.js("document.getElementById('failure-text').textContent");
    assert!(said.as_str().expect("a text").contains("no more memory"), "{said}");
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn own_scenes_and_models_are_dropped_and_bad_ones_told() {
    let Some(mut browser) = opened(QUICK) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, bytes).expect("written");
        path
    };
    let read = |name: &str| assets::read(name).expect("an asset");

    // A folder with a scene and a model that it names.
    file(
        "mine/pool.toml",
        b"extends = \"lagoon\"\n[[species]]\nname = \"tuna\"\nmodel = \"tuna.ms3d\"\nlength_m = 1.0\ncount = 3\n",
    );
    file("mine/tuna.ms3d", read("bluefin_tuna.ms3d"));
    file("mine/bluefin_tuna.png", read("bluefin_tuna.png"));
    browser.drop_files(&[&folder.path().join("mine")]);
    until_state(&mut browser, "state.scene.includes('pool') && !state.loading");
    let shown = browser.state()["scene"].clone();

    let refused = [
        (file("wrong.toml", b"[water]\ntype = \"IA\"\nmurk = 3\n"), "3:1"),
        (
            file("outside.toml", b"[[species]]\nname = \"secret\"\nmodel = \"../../secret.ms3d\"\nlength_m = 1.0\n"),
            "secret.ms3d",
        ),
        (file("noise.xyz", b"\x00\x01 nothing known"), "noise.xyz"),
        (file("broken.ms3d", b"MS3D000000\x04\x00\x00\x00\xff\xff"), "broken.ms3d"),
    ];
    for (path, says) in &refused {
        browser.click("[data-close=notice]");
        browser.drop_files(&[path]);
        let said = browser.notice();
        assert!(said.contains(says), "{}: {said}", path.display());
        assert_eq!(browser.state()["scene"], shown, "the last good scene stays");
    }
    let large = file("large.ms3d", b"MS3D000000");
    fs::OpenOptions::new().write(true).open(&large).expect("opened").set_len(201_000_000).expect("grown");
    browser.click("[data-close=notice]");
    browser.drop_files(&[&large]);
    let said = browser.notice();
    assert!(said.contains("201 MB"), "{said}");

    browser.click("[data-close=notice]");
    let alone = file("alone.ms3d", read("clownfish.ms3d"));
    browser.drop_files(&[&alone, &file("clownfish.png", read("clownfish.png"))]);
    until_state(&mut browser, "state.scene.includes('alone') && !state.loading");
    until_it_swims(&mut browser);

    // A model whose textures are in a separate file.
    let part = |name: &str| {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/mdl")).join(name);
        fs::read(path).expect("a file of the corpus")
    };
    let (textures, model) = (file("guppyT.mdl", &part("textures.mdl")), file("guppy.mdl", &part("everything.mdl")));
    browser.drop_files(&[&textures, &model]);
    until_state(&mut browser, "state.scene.includes('guppy') && !state.loading");
    until_it_swims(&mut browser);
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn the_scene_s_text_is_applied_while_typing() {
    let Some(mut browser) = opened(QUICK) else { return };
    browser.click("[data-does=editor]");
    browser.until("document.getElementById('editor-text').value.includes('[water]')");
    let select = |part: &str| {
        format!(
            "(() => {{ const area = document.getElementById('editor-text'); const at = area.value.indexOf({part:?}); \
             area.focus(); area.setSelectionRange(at, at + {}); return at; }})()",
            part.len()
        )
    };
    let at = browser.js(&select("turbidity"));
    assert!(at.as_i64() > Some(0));
    browser.call("Input.insertText", json!({ "text": "turbidiy" }));
    browser.until("document.getElementById('editor').dataset.state === 'wrong'");
    let said = browser.js("document.getElementById('editor-errors').innerText");
    let said = said.as_str().expect("a text");
    assert!(said.contains("Line ") && said.contains("turbidity"), "{said}");
    assert_eq!(browser.js("document.querySelectorAll('#editor-lines .wrong').length"), 1);

    browser.js(&select("turbidiy"));
    browser.call("Input.insertText", json!({ "text": "turbidity" }));
    browser.until("document.getElementById('editor').dataset.state === 'same'");
    assert_eq!(browser.js("document.getElementById('editor-errors').innerText"), "");

    // A missing model is found when the scene is made.
    browser.js(&select("builtin:chromis"));
    browser.call("Input.insertText", json!({ "text": "builtin:dodo" }));
    browser.until("document.getElementById('editor').dataset.state === 'wrong'");
    let said = browser.js("document.getElementById('editor-errors').innerText");
    let said = said.as_str().expect("a text");
    let before = "document.getElementById('editor-text').value.split('builtin:dodo')[0]";
    let line = browser.js(&format!("{before}.split(String.fromCharCode(10)).length"));
    assert!(said.contains(&format!("Line {line}, column ")) && said.contains("'dodo'"), "{said}");
    browser.js(&select("builtin:dodo"));
    browser.call("Input.insertText", json!({ "text": "builtin:chromis" }));
    browser.until("document.getElementById('editor').dataset.state === 'same'");
    assert_eq!(browser.js("document.getElementById('editor-errors').innerText"), "");
    // The typed characters were text: none of them acted as a key of the demo.
    assert_eq!(browser.state()["scene"], "lagoon");
    until_it_swims(&mut browser);
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn the_picture_follows_the_window_and_the_context() {
    let Some(mut browser) = opened(QUICK) else { return };
    browser.size(500, 300, 2.0, false);
    until_state(&mut browser, "state.size[0] === 1000 && state.size[1] === 600");
    until_it_swims(&mut browser);
    let context = "document.getElementById('sea').getContext('webgl2')";
    browser.js(&format!("void (window.losing = {context}.getExtension('WEBGL_lose_context')).loseContext()"));
    let said = browser.notice();
    assert!(said.contains("comes back by itself"), "{said}");
    browser.js("void window.losing.restoreContext()");
    browser.until("document.getElementById('notice').hidden");
    until_it_swims(&mut browser);
    let picture = browser.picture();
    let colours: std::collections::BTreeSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
    assert!(colours.len() > 500, "only {} colours: the picture is not there again", colours.len());
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn a_picture_that_comes_early_is_soon_whole() {
    let Some(mut browser) = opened("?scene=reef&quality=low&lang=en&ui=0") else { return };
    browser.key("Space", " ");
    until_state(&mut browser, "state.paused && state.lacking > 0");
    let early = browser.picture();
    early.save(site::kept("early.png")).expect("written");
    until_state(&mut browser, "state.lacking === 0");
    browser.picture().save(site::kept("whole.png")).expect("written");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn graphics_that_go_again_and_again_are_told_in_the_page_s_own_words() {
    let Some(mut browser) = opened(QUICK) else { return };
    let context = "document.getElementById('sea').getContext('webgl2')";
    browser.js(&format!("void (window.losing = {context}.getExtension('WEBGL_lose_context'))"));
    for loss in 1..=4 {
        browser.js("void window.losing.loseContext()");
        browser.until("!document.getElementById('notice').hidden");
        browser.js("void window.losing.restoreContext()");
        let over = "!document.getElementById('failure').hidden";
        browser.until(&format!("document.getElementById('notice').hidden || {over}"));
        if loss < 4 {
            until_it_swims(&mut browser);
        } else {
            browser.until(over);
        }
    }
    let said = browser.js("document.getElementById('failure-text').textContent");
    let said = said.as_str().expect("a text");
    assert!(said.contains("again and again") && !said.contains("--"), "{said}");
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn a_link_with_unknown_keys_shows_the_rest() {
    let Some(mut browser) = opened("?scene=lagoon&quality=low&fish=40&lang=en&fsh=2&water=XX") else { return };
    let said = browser.notice();
    assert!(said.contains("fsh") && said.contains("XX"), "{said}");
    until_it_swims(&mut browser);
}
