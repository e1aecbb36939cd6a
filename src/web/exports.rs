//! Functions exported to the page's script.

use std::path::Path;

use config::BUILTIN_SCENES;
use demo::input::{Action, Input};
use demo::running::RunningDemo;
use headset::HeadsetFrame;
use js_sys::{Array, Function, Uint8Array};
use ms3d::columns;
use runtime::{files, load_quietly};
use serde::Serialize;
use shell::messages::{Language, fonts};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};
use web_sys::{HtmlCanvasElement, UrlSearchParams, WebGlFramebuffer};

use crate::web::canvas::Canvas;
use crate::web::drops::{self, Dropped};
use crate::web::events::press;
use crate::web::link::{Link, in_address, in_scene};
use crate::web::message::{self, Message, Mistake, listen, tell};
use crate::web::page::{self, Page, with};

/// Assets and settings needed by the scene of an address.
#[derive(Serialize)]
struct Needs {
    assets: Vec<String>,
    quality: String,
    scene: String,
    language: &'static str,
}

/// Error of calls before the start or after the end.
const NOTHING: &str = "nothing is shown";

type Answer<T> = Result<T, JsError>;

fn refused(why: impl std::fmt::Display) -> JsError {
    JsError::new(&why.to_string())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn read(link: &str) -> Link {
    let asked = UrlSearchParams::new_with_str(link).ok();
    let pairs = asked.iter().flat_map(|asked| js_sys::try_iter(asked.as_ref()).ok().flatten()).flatten().flatten();
    let text = |pair: &Array, at| pair.get(at).as_string().unwrap_or_default();
    let pairs: Vec<_> = pairs.map(|pair| Array::from(&pair)).map(|pair| (text(&pair, 0), text(&pair, 1))).collect();
    let own = web_sys::window().and_then(|window| window.navigator().language());
    Link::read(&pairs, own.map_or(Language::default(), |language| Language::of_locale(&language)))
}

/// Applies `act` to the page.
fn shown<T>(act: impl FnOnce(&mut Page) -> Result<T, String>) -> Answer<T> {
    with(act).unwrap_or_else(|| Err(NOTHING.into())).map_err(refused)
}

/// Sends the log and panics to the browser's console, and reports a panic to the page.
#[wasm_bindgen(start)]
pub fn prepare() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        tell(Message::Failed { text: format!("a mistake in the program: {panic}") });
        message::deliver();
    }));
    // A logger that the page has already installed stays.
    let _ = console_log::init_with_level(log::Level::Info);
}

/// Version of the program and its commit.
#[wasm_bindgen]
pub fn version() -> String {
    build_info::LONG_VERSION.into()
}

/// Stores an asset that was fetched; models arrive in [columns].
#[wasm_bindgen(js_name = putAsset)]
pub fn put_asset(name: &str, bytes: Vec<u8>) {
    let file = if bytes.starts_with(&columns::FIRST) { columns::unpack(&bytes) } else { Some(bytes) };
    match file {
        Some(file) => assets::put(name, file),
        None => assets::refuse(name, "it is damaged"),
    }
}

/// Replaces textures by larger versions of the same names and shows them. Takes pairs of name and bytes.
#[wasm_bindgen(js_name = renewTextures)]
pub fn renew_textures(textures: &Array) -> Answer<()> {
    files::forget_ahead();
    let mut names = Vec::new();
    for pair in textures.iter().map(|pair| Array::from(&pair)) {
        let name = pair.get(0).as_string().unwrap_or_default();
        assets::renew(&name, Uint8Array::new(&pair.get(1)).to_vec());
        names.push(name);
    }
    shown(|page| page.running().ok_or(NOTHING)?.repaint(&names))
}

/// Records that an asset could not be fetched.
#[wasm_bindgen(js_name = refuseAsset)]
pub fn refuse_asset(name: &str, why: &str) {
    assets::refuse(name, why);
}

/// Needs of the scene of an address, as JSON; the caller has to fetch the assets.
#[wasm_bindgen]
pub fn needs(link: &str) -> Answer<String> {
    let link = read(link);
    let config = load_quietly(&link.scene).map_err(refused)?.config;
    let font = (link.language == Language::Chinese).then(|| fonts::OWN.to_owned());
    let assets: Vec<String> = files::builtin_models(&config.scene).into_iter().chain(font).collect();
    if !files::are_fetched(&assets) {
        // The caller gets the list as the result, so it needs no message as well.
        assets::take_asked();
    }
    Ok(json(&Needs {
        assets,
        quality: config.render.quality.to_string(),
        scene: config.scene.name,
        language: link.language.code(),
    }))
}

/// Starts the scene of an address; `told` receives messages, as JSON.
#[wasm_bindgen]
pub fn start(canvas: HtmlCanvasElement, link: &str, told: Function) -> Answer<()> {
    listen(told);
    let canvas = Canvas::new(canvas).map_err(refused)?;
    let started = page::start(canvas, read(link)).map_err(refused);
    message::deliver();
    started
}

/// Performs the named action, as its key would.
#[wasm_bindgen]
pub fn act(name: &str) -> Answer<()> {
    let action = match name {
        "help" => Action::Help,
        "settings" => Action::Settings,
        "statistics" => Action::Statistics,
        "benchmark" => Action::Benchmark,
        "pause" => Action::Pause,
        "step" => Action::SingleStep,
        "fullscreen" => Action::FullScreen,
        "picture" => Action::Screenshot,
        "reset" => Action::Reset,
        "more" => Action::MoreFish,
        "fewer" => Action::FewerFish,
        "torch" => Action::Torch,
        "mind" => Action::Mind,
        "food" => Action::Food,
        "predator" => Action::Predator,
        "photo" => Action::Photo,
        "stereo" => Action::Stereo,
        "camera" => Action::Camera,
        "next" => Action::Species { before: false },
        "previous" => Action::Species { before: true },
        "escape" => Action::Escape,
        _ => return Err(refused(format!("there is nothing called \"{name}\" to do"))),
    };
    input(press(action))
}

fn input(input: Input) -> Answer<()> {
    shown(|page| {
        page.take(input);
        Ok(())
    })
}

/// Draws a moment of a headset, which shows `rate_hz` frames a second if it tells, into its framebuffer; without one, into
/// the canvas. Eyes and hands are as `headset.js` writes them.
#[wasm_bindgen(js_name = headsetFrame)]
pub fn headset_frame(
    framebuffer: Option<WebGlFramebuffer>,
    rate_hz: Option<f64>,
    eyes: &[f32],
    hands: &[f32],
) -> Answer<()> {
    // A moment without numbers is passed over, as one without poses.
    let Some(frame) = HeadsetFrame::of_floats(rate_hz, eyes, hands) else { return Ok(()) };
    shown(|page| page.wear(framebuffer, frame))
}

/// Height of a headset over the floor that is assumed where nothing is told of it. Unit: m.
#[wasm_bindgen(js_name = eyeHeight)]
pub fn eye_height() -> f32 {
    headset::EYE_HEIGHT_M
}

/// Shows the scene on the canvas again.
#[wasm_bindgen(js_name = takeHeadsetOff)]
pub fn take_headset_off() {
    with(Page::take_off);
}

/// Numbers of fish of a ladder.
#[wasm_bindgen]
pub fn rungs() -> Vec<u32> {
    RunningDemo::RUNGS.to_vec()
}

/// Measures the current scene with each number of fish of the ladder in turn, or stops the measurement.
#[wasm_bindgen]
pub fn climb() -> Answer<()> {
    shown(|page| {
        page.running().ok_or(NOTHING)?.climb_ladder();
        Ok(())
    })
}

/// Shows a scene: a built-in one by name, or a file that was stored.
#[wasm_bindgen]
pub fn open(scene: &str) -> Answer<()> {
    shown(|page| {
        let demo = page.running().ok_or(NOTHING)?;
        demo.open_scene(scene).map_err(|error| error.to_string())
    })
}

/// Shows a built-in scene.
#[wasm_bindgen]
pub fn scene(name: &str) -> Answer<()> {
    open(name)
}

/// Stores a file that was dropped.
#[wasm_bindgen(js_name = putFile)]
pub fn put_file(path: &str, bytes: Vec<u8>) -> Answer<()> {
    storage::put(Path::new(path), bytes).map_err(|why| refused(format!("{path}: {why}")))
}

/// Shows the scene or model chosen among files that were dropped together and stored; returns its path.
#[wasm_bindgen(js_name = openDropped)]
pub fn open_dropped(paths: Vec<String>) -> Answer<String> {
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let scene = match drops::choose(&paths).map_err(refused)? {
        Dropped::Scene(scene) => scene.to_owned(),
        Dropped::Model(model) => {
            let (path, text) = drops::scene_of_model(model);
            put_file(&path, text.into_bytes())?;
            path
        }
    };
    open(&scene)?;
    Ok(scene)
}

/// Names of the built-in scenes, in the order of the digit keys.
#[wasm_bindgen]
pub fn scenes() -> Vec<String> {
    BUILTIN_SCENES.iter().map(|scene| scene.name.to_owned()).collect()
}

/// Changes a setting by its key in an address, or by any key of a scene such as `waves.wind_m_s`.
#[wasm_bindgen]
pub fn set(key: &str, value: &str) -> Answer<()> {
    shown(|page| {
        let demo = page.running().ok_or(NOTHING)?;
        match key {
            "scene" => demo.open_scene(value).map_err(|error| error.to_string()),
            "fish" => demo.change_fish(value.parse().map_err(|_| format!("fish={value}: it is no whole number"))?),
            "lang" => {
                let language = Language::of_locale(value);
                if language == Language::Chinese {
                    fonts::find();
                }
                demo.speak(language);
                Ok(())
            }
            key => demo.change(in_scene(key), value),
        }
    })
}

/// Address of the current scene and its settings.
#[wasm_bindgen]
pub fn link() -> Answer<String> {
    shown(|page| {
        let asked = UrlSearchParams::new().map_err(|_| "the browser makes no addresses")?;
        let (first, language) = (page.link().clone(), page.report().language);
        for (key, value) in page.running().ok_or(NOTHING)?.address() {
            // Nobody else has the file that was dropped here.
            let is_own = key == "scene" && BUILTIN_SCENES.iter().all(|scene| scene.name != value);
            let (key, value) = if is_own { (key, first.scene.scene.clone()) } else { in_address(&key, &value) };
            asked.append(&key, &value);
        }
        if first.says_language || language != first.language.code() {
            asked.append("lang", language);
        }
        Ok(format!("?{}", asked.to_string().as_string().unwrap_or_default()))
    })
}

/// Text of a scene file for the current scene.
#[wasm_bindgen(js_name = sceneText)]
pub fn scene_text() -> Answer<String> {
    shown(|page| Ok(page.running().ok_or(NOTHING)?.scene_text()))
}

/// Shows the scene in `text`; returns its mistakes as JSON: none if it is shown, or will be once its models are loaded.
#[wasm_bindgen(js_name = applyText)]
pub fn apply_text(text: String) -> Answer<String> {
    shown(|page| {
        let demo = page.running().ok_or(NOTHING)?;
        let checked = demo.check_text(&text);
        let mistakes = match checked {
            Ok(_) => {
                page.edit(text);
                Vec::new()
            }
            Err(error) => Mistake::all_of(&error),
        };
        Ok(json(&mistakes))
    })
}

/// Files written since the last call, as pairs of path and bytes.
#[wasm_bindgen(js_name = takeFiles)]
pub fn take_files() -> Array {
    let files = with(Page::take_files).unwrap_or_default();
    let pair = |(path, bytes): (std::path::PathBuf, Vec<u8>)| -> JsValue {
        Array::of2(&path.display().to_string().into(), &Uint8Array::from(&bytes[..])).into()
    };
    files.into_iter().map(pair).collect()
}

/// State of the page, as JSON.
#[wasm_bindgen]
pub fn state() -> String {
    with(|page| json(&page.report())).unwrap_or_else(|| "null".into())
}

/// Requested still picture: RGBA, the upper row first.
#[wasm_bindgen]
pub fn pixels() -> Option<Uint8Array> {
    with(|page| page.still().map(|still| Uint8Array::from(&still.rgba[..]))).flatten()
}
