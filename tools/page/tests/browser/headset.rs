//! A headset put on and taken off, by IWER, an emulator of WebXR that runs in the page: <https://www.npmjs.com/package/iwer>.
#![expect(clippy::print_stderr, reason = "tests tell what they skip")]

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use image::RgbaImage;
use serde_json::json;

use crate::chromium::Browser;
use crate::pictures::taken;
use crate::site;

/// The emulator, which npm brings.
const EMULATOR: &str = "iwer@2.5.0";

/// Puts an emulated headset with two eyes into a page before its own scripts run.
const INSTALL: &str = "
    const device = new IWER.XRDevice(IWER.metaQuest3);
    device.installRuntime({ forceInstall: true });
    device.stereoEnabled = true;
    device.position.set(0, 1.6, 0);
    globalThis.device = device;
";

/// Script of the emulator; `None`, with a message, where npm cannot bring it.
fn emulator() -> Option<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/iwer");
    let script = folder.join("package/build/iwer.min.js");
    if !script.exists() {
        fs::create_dir_all(&folder).expect("a folder");
        let brought = |program: &str, arguments: &[&str]| {
            let ended = Command::new(program).args(arguments).current_dir(&folder).status();
            ended.is_ok_and(|status| status.success())
        };
        if !brought("npm", &["pack", "--silent", EMULATOR])
            || !brought("sh", &["-c", "tar -xzf iwer-*.tgz package/build/iwer.min.js"])
        {
            eprintln!("skipped: npm does not bring {EMULATOR}");
            return None;
        }
    }
    Some(fs::read_to_string(script).expect("UTF-8"))
}

/// A browser whose pages have the emulated headset, changed by a script of the test's; `None` where one of them is not to
/// be had.
fn with_emulator(changes: &str) -> Option<Browser> {
    let emulator = emulator()?;
    let mut browser = Browser::open(&[])?;
    let script = json!({ "source": format!("{emulator};{INSTALL};{changes}") });
    browser.call("Page.addScriptToEvaluateOnNewDocument", script);
    Some(browser)
}

/// Keeps a picture to be looked at, if a folder for them is named.
fn keep(picture: &RgbaImage, name: &str) {
    if let Some(folder) = env::var_os("PELAGIC_KEEP") {
        picture.save(PathBuf::from(folder).join(name)).expect("saved");
    }
}

/// Mean difference of the halves of a picture, or of two pictures. Unit: levels.
fn apart(a: impl Iterator<Item = [u8; 4]>, b: impl Iterator<Item = [u8; 4]>) -> f64 {
    let off = |(a, b): ([u8; 4], [u8; 4])| (0..3).map(|i| f64::from(a[i].abs_diff(b[i]))).sum::<f64>() / 3.0;
    let all: Vec<f64> = a.zip(b).map(off).collect();
    all.iter().sum::<f64>() / all.len() as f64
}

fn half(picture: &RgbaImage, right: bool) -> impl Iterator<Item = [u8; 4]> {
    let middle = picture.width() / 2;
    picture.enumerate_pixels().filter(move |(x, ..)| (*x >= middle) == right).map(|(.., pixel)| pixel.0)
}

fn until(browser: &mut Browser, condition: &str) {
    browser.until(&format!("((state) => {condition})(JSON.parse(sea.state()))"));
}

fn after_frames(browser: &mut Browser, number: u64) {
    let frames = browser.state()["frames"].as_u64().expect("a number");
    until(browser, &format!("state.frames >= {frames} + {number}"));
}

#[test]
#[ignore = "needs the built page, Chromium and npm: make test-web"]
fn a_headset_is_put_on_used_taken_off_and_put_on_again() {
    let Some(mut browser) = with_emulator("") else { return };
    let address = site::served(&site::built());
    browser.open_sea(&format!("{address}?scene=reef&quality=low&lang=en"));
    browser.until("!document.querySelector('[data-does=headset]').hidden");
    let canvas = "((c) => [c.width, c.height])(document.getElementById('sea'))";
    let before = browser.js(canvas);

    for turn in 0..2 {
        browser.click("[data-does=headset]");
        until(&mut browser, "state.headset");
        after_frames(&mut browser, 3);
        let ahead = browser.picture();
        keep(&ahead, &format!("headset-{turn}.png"));
        let between = apart(half(&ahead, false), half(&ahead, true));
        assert!((0.5..40.0).contains(&between), "two eyes see nearly the same: {between}");

        browser.js("device.controllers.right.updateButtonValue('trigger', 1)");
        until(&mut browser, "state.mind");
        browser.js("device.controllers.right.updateButtonValue('trigger', 0)");
        after_frames(&mut browser, 3);
        keep(&browser.picture(), &format!("mind-{turn}.png"));
        browser.js("device.controllers.right.updateButtonValue('trigger', 1)");
        until(&mut browser, "!state.mind");
        browser.js("device.controllers.right.updateButtonValue('trigger', 0)");
        browser.js("device.controllers.right.updateButtonValue('b-button', 1)");
        until(&mut browser, "state.said.join().includes('food') || state.said.join().includes('Food')");
        browser.js("device.controllers.right.updateButtonValue('b-button', 0)");

        for shown in [true, false] {
            browser.js("device.controllers.left.updateButtonValue('x-button', 1)");
            until(&mut browser, &format!("state.panel === {shown}"));
            browser.js("device.controllers.left.updateButtonValue('x-button', 0)");
            after_frames(&mut browser, 3);
            keep(&browser.picture(), &format!("settings-{shown}-{turn}.png"));
        }

        browser.js("device.controllers.right.updateAxes('thumbstick', 1, 0)");
        after_frames(&mut browser, 3);
        browser.js("device.controllers.right.updateAxes('thumbstick', 0, 0)");
        let turned = browser.picture();
        keep(&turned, &format!("turned-{turn}.png"));
        let by_turning = apart(ahead.pixels().map(|p| p.0), turned.pixels().map(|p| p.0));
        assert!(by_turning > 8.0, "{by_turning}");

        browser.js("device.activeSession.end()");
        until(&mut browser, "!state.headset");
        after_frames(&mut browser, 2);
        assert_eq!(browser.js(canvas), before, "the canvas is as it was");
        keep(&browser.picture(), &format!("after-{turn}.png"));
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "needs the built page, Chromium and npm: make test-web"]
fn both_eyes_see_what_a_stereo_picture_of_the_desktop_shows() {
    // A lens that is as wide as high, and eyes that look in parallel; hands would be in the picture.
    let eyes = "device.ipd = 0.064; device.fovy = Math.PI / 2; \
                for (const hand of Object.values(device.controllers)) hand.connected = false;";
    let Some(mut browser) = with_emulator(eyes) else { return };
    let address = site::served(&site::built());
    // Feet in midwater, where nothing swims before the lens, and the emulator's head above them; the look is level.
    let feet = "camera.standing.at_m=[-0.6,-6.6,5.0]";
    let place = ["camera.eye_m=[-0.6,-5.0,5.0]", "camera.target_m=[0.65,-5.0,0.0]"];
    browser.open_sea(&format!("{address}?scene=reef&quality=low&lang=en&ui=0&sway=0&set={feet}"));
    browser.click("[data-does=headset]");
    until(&mut browser, "state.headset");
    browser.js("sea.act('pause')");
    after_frames(&mut browser, 3);
    let page = browser.picture();
    keep(&page, "eyes-page.png");
    let time_s = browser.state()["step"].as_f64().expect("a number") / 60.0;
    let folder = tempfile::tempdir().expect("a folder");
    let desktop = taken(
        folder.path(),
        page.dimensions(),
        &[
            ["--scene", "reef", "--quality", "low", "--set", place[0], "--set", place[1]].as_slice(),
            &["--stereo", "side-by-side", "--set", "camera.fov_deg=90", "--set", "camera.stereo.interocular_m=0.064"],
            &["--set", "camera.stereo.convergence_m=1000", "--time", &time_s.to_string()],
        ]
        .concat(),
    );
    keep(&desktop, "eyes-desktop.png");
    // Animals know of the wearer there, and eyes grow used to the light.
    for right in [false, true] {
        let [same, other] = [right, !right].map(|eye| apart(half(&page, right), half(&desktop, eye)));
        println!("{same:.3} of 255 from that eye in the mean, {other:.3} from the other");
        assert!(same < 5.0 && other > 2.0 * same, "{same} from that eye of the desktop's, {other} from the other");
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

/// Moments of a wearer one after the other, as calls of the emulator: each is held for some frames.
const PLAY: [(&str, &str); 16] = [
    ("looks-left", "device.quaternion.set(0, 0.38, 0, 0.92)"),
    ("looks-up", "device.quaternion.set(0.3, 0, 0, 0.95)"),
    ("tilts-the-head", "device.quaternion.set(0, 0, 0.26, 0.97)"),
    ("looks-ahead", "device.quaternion.set(0, 0, 0, 1)"),
    ("swims", "left.updateAxes('thumbstick', 0, -1)"),
    ("stops", "left.updateAxes('thumbstick', 0, 0)"),
    ("turns", "right.updateAxes('thumbstick', 1, 0)"),
    ("has-turned", "right.updateAxes('thumbstick', 0, 0)"),
    ("reaches", "right.position.set(0.2, 1.3, -0.7), right.updateButtonValue('squeeze', 1)"),
    ("pulls", "right.position.set(0.2, 1.2, -0.2)"),
    ("lets-go", "right.updateButtonValue('squeeze', 0), right.position.set(0.25, 1.2, -0.4)"),
    ("frightens", "right.updateButtonValue('a-button', 1)"),
    ("has-frightened", "right.updateButtonValue('a-button', 0)"),
    ("lights-a-torch", "left.updateButtonValue('y-button', 1)"),
    ("has-lit-a-torch", "left.updateButtonValue('y-button', 0)"),
    ("stands-elsewhere", "device.position.set(0.4, 1.5, 0.3)"),
];

#[test]
#[ignore = "needs the built page, Chromium and npm: make test-web; HEADSET_MINUTES=5 plays for so long"]
fn a_wearer_plays_for_minutes() {
    let Some(mut browser) = with_emulator("") else { return };
    let address = site::served(&site::built());
    browser.open_sea(&format!("{address}?scene=reef&quality=low&lang=en"));
    browser.click("[data-does=headset]");
    until(&mut browser, "state.headset");
    let minutes: f32 = env::var("HEADSET_MINUTES").ok().and_then(|minutes| minutes.parse().ok()).unwrap_or(0.2);
    let end = Instant::now() + Duration::from_secs_f32(60.0 * minutes);
    let frames = browser.state()["frames"].as_u64().expect("a number");
    let eye = |browser: &mut Browser| {
        let state = browser.state();
        [0, 1, 2].map(|axis| state["eye_m"][axis].as_f64().expect("a number"))
    };
    for turn in 0.. {
        for (name, call) in PLAY {
            let before = eye(&mut browser);
            browser.js(&format!("(({{ left, right }}) => ({call}))(device.controllers)"));
            after_frames(&mut browser, 2);
            let way = eye(&mut browser).into_iter().zip(before).map(|(now, before)| (now - before).abs());
            let way_m = way.fold(0.0, f64::max);
            if ["swims", "pulls"].contains(&name) && turn == 0 {
                assert!(way_m > 0.02, "{name}: by {way_m} m");
            }
            // Pictures of the first turns, and then of one in a while.
            if turn < 2 || turn % 8 == 0 {
                let shown = browser.picture();
                keep(&shown, &format!("play-{turn:02}-{name}.png"));
                let between = apart(half(&shown, false), half(&shown, true));
                assert!((0.3..60.0).contains(&between), "{name}, turn {turn}: {between} between the eyes");
            }
        }
        assert_eq!(browser.state()["headset"], true, "turn {turn}");
        if Instant::now() > end {
            break;
        }
    }
    let drawn = browser.state()["frames"].as_u64().expect("a number") - frames;
    println!("{drawn} frames in {minutes} minutes");
    browser.js("device.activeSession.end()");
    until(&mut browser, "!state.headset");
    assert_eq!(browser.complaints(), [""; 0]);
}

/// Has the emulator's layers leave a margin round each eye's picture (pixels), and know of no floor.
const MARGINS: &str = "
    const space = XRSession.prototype.requestReferenceSpace;
    XRSession.prototype.requestReferenceSpace = async function (kind) {
        if (kind === 'local-floor') throw new DOMException('there is none', 'NotSupportedError');
        return space.call(this, kind);
    };
    const whole = XRWebGLLayer.prototype.getViewport;
    XRWebGLLayer.prototype.getViewport = function (view) {
        const { x, y, width, height } = whole.call(this, view);
        return { x: x + 40, y: y + 60, width: width - 100, height: height - 80 };
    };
";

#[test]
#[ignore = "needs the built page, Chromium and npm: make test-web"]
fn pictures_stand_where_the_runtime_has_its_viewports() {
    let Some(mut browser) = with_emulator(MARGINS) else { return };
    let address = site::served(&site::built());
    browser.open_sea(&format!("{address}?scene=lagoon&quality=low&fish=40&lang=en"));
    browser.click("[data-does=headset]");
    until(&mut browser, "state.headset");
    after_frames(&mut browser, 3);
    let shown = browser.picture();
    keep(&shown, "viewports.png");
    let (width, height) = shown.dimensions();
    let brightest = |x: u32, y: u32, extent: (u32, u32)| {
        let part = image::imageops::crop_imm(&shown, x, y, extent.0, extent.1);
        part.to_image().pixels().map(|pixel| pixel.0[..3].iter().copied().max().unwrap_or(0)).max()
    };
    for left in [0, width / 2] {
        assert_eq!(brightest(left, 0, (38, height)), Some(0), "left of a picture");
        assert_eq!(brightest(left + width / 2 - 58, 0, (58, height)), Some(0), "right of one");
        assert_eq!(brightest(left, 0, (width / 2, 18)), Some(0), "above one");
        assert!(brightest(left + 42, 100, (60, 60)) > Some(40), "a picture");
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn without_a_headset_none_is_offered() {
    let Some(mut browser) = Browser::open(&[]) else { return };
    let address = site::served(&site::built());
    browser.open_sea(&format!("{address}?scene=lagoon&quality=low&fish=40&lang=en"));
    assert_eq!(browser.js("document.querySelector('[data-does=headset]').hidden"), true);
    assert_eq!(browser.complaints(), [""; 0]);
}
