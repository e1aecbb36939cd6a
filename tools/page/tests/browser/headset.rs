//! A headset put on and taken off, by IWER, an emulator of WebXR that runs in the page: <https://www.npmjs.com/package/iwer>.
#![expect(clippy::print_stderr, reason = "tests tell what they skip")]

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use image::RgbaImage;
use serde_json::json;

use crate::chromium::Browser;
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
    let Some(emulator) = emulator() else { return };
    let Some(mut browser) = Browser::open(&[]) else { return };
    let script = json!({ "source": format!("{emulator};{INSTALL}") });
    browser.call("Page.addScriptToEvaluateOnNewDocument", script);
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

/// Has the emulator's layers leave a margin round each eye's picture. Unit: pixels.
const MARGINS: &str = "
    const whole = XRWebGLLayer.prototype.getViewport;
    XRWebGLLayer.prototype.getViewport = function (view) {
        const { x, y, width, height } = whole.call(this, view);
        return { x: x + 40, y: y + 60, width: width - 100, height: height - 80 };
    };
";

#[test]
#[ignore = "needs the built page, Chromium and npm: make test-web"]
fn pictures_stand_where_the_runtime_has_its_viewports() {
    let Some(emulator) = emulator() else { return };
    let Some(mut browser) = Browser::open(&[]) else { return };
    let script = json!({ "source": format!("{emulator};{INSTALL};{MARGINS}") });
    browser.call("Page.addScriptToEvaluateOnNewDocument", script);
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
