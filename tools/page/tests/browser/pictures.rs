//! Tests that the page draws the same pictures as the desktop program.

use std::path::Path;
use std::process::Command;

use data_encoding::BASE64;
use image::RgbaImage;

use crate::chromium::Browser;
use crate::site;

/// All built-in scenes.
const SCENES: [&str; 10] =
    ["reef", "open_blue", "lagoon", "kelp", "wreck", "deep", "night_reef", "harbour", "storm", "calibration"];
/// Width and height in pixels.
const SIZE: (u32, u32) = (320, 180);
/// Greatest mean difference of a channel. Unit: 255ths.
const MAX: f64 = 1.0;

/// The page's picture one second into a scene.
fn drawn(browser: &mut Browser, address: &str, scene: &str, quality: &str) -> RgbaImage {
    let (width, height) = SIZE;
    browser.open_sea(&format!("{address}?scene={scene}&quality={quality}&step=60&size={width}x{height}&ui=0"));
    let encoded = browser
        .js("await (async (bytes) => { const reader = new FileReader(); reader.readAsDataURL(new Blob([bytes])); \
         await new Promise((done) => (reader.onload = done)); return reader.result.split(',')[1]; })(sea.pixels())");
    let rgba = BASE64.decode(encoded.as_str().expect("a text").as_bytes()).expect("base 64");
    RgbaImage::from_raw(width, height, rgba).expect("all pixels")
}

/// The desktop's picture of a scene one second into it.
fn shot(folder: &Path, scene: &str, quality: &str) -> RgbaImage {
    taken(folder, SIZE, &["--scene", scene, "--quality", quality, "--time", "1"])
}

/// A picture that the desktop's program takes with those arguments.
pub fn taken(folder: &Path, size: (u32, u32), arguments: &[&str]) -> RgbaImage {
    let program = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/pelagic"));
    let path = folder.join("shot.png");
    let size = format!("{}x{}", size.0, size.1);
    let mut shot = Command::new(program);
    shot.args(["shot", "--quiet", "--size", &size, "--out"]).arg(&path).args(arguments);
    let output = shot.output().expect("make test-web builds pelagic");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    image::open(path).expect("a picture").into_rgba8()
}

/// Mean difference of the channels. Unit: 255ths.
fn difference(a: &RgbaImage, b: &RgbaImage) -> f64 {
    let pairs = a.pixels().zip(b.pixels()).flat_map(|(a, b)| (0..3).map(|i| f64::from(a[i].abs_diff(b[i]))));
    pairs.sum::<f64>() / f64::from(3 * a.width() * a.height())
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn every_scene_is_drawn_as_on_the_desktop() {
    let Some(mut browser) = Browser::open(&[]) else { return };
    let address = site::served(&site::built());
    let folder = tempfile::tempdir().expect("a folder");
    let mut far = Vec::new();
    for scene in SCENES {
        for quality in ["low", "medium"] {
            let (page, desktop) = (drawn(&mut browser, &address, scene, quality), shot(folder.path(), scene, quality));
            let difference = difference(&page, &desktop);
            println!("{scene}, {quality}: {difference:.3} of 255 in the mean");
            if difference > MAX {
                page.save(site::kept(&format!("{scene}-{quality}-page.png"))).expect("saved");
                desktop.save(site::kept(&format!("{scene}-{quality}-desktop.png"))).expect("saved");
                far.push(format!("{scene}, {quality}: {difference:.3}"));
            }
        }
    }
    assert!(far.is_empty(), "more than {MAX} of 255 from the desktop's, see target/browser: {far:?}");
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn the_page_fits_a_phone_a_tablet_and_a_desk() {
    let Some(mut browser) = Browser::open(&[]) else { return };
    let address = site::served(&site::built());
    for (name, width, height, ratio, touched) in
        [("phone", 390, 844, 2.0, true), ("tablet", 820, 1180, 1.0, true), ("desk", 1280, 720, 1.0, false)]
    {
        browser.size(width, height, ratio, touched);
        for (language, lang) in [("en", "en"), ("zh", "zh-CN")] {
            browser.open_sea(&format!("{address}?scene=lagoon&quality=low&fish=50&lang={lang}"));
            // The curtain has faded out.
            browser.until("getComputedStyle(document.getElementById('curtain')).visibility === 'hidden'");
            browser.picture().save(site::kept(&format!("{name}-{language}.png"))).expect("saved");
            for (selector, kept) in
                [("#choose", "scenes"), ("[data-does=help]", "help"), ("[data-does=editor]", "editor")]
            {
                browser.click(selector);
                browser.picture().save(site::kept(&format!("{name}-{language}-{kept}.png"))).expect("saved");
                let outside = browser.js(
                    "[...document.querySelectorAll('#dock, .sheet, #editor, #dock > button')].filter((part) => part.checkVisibility())\
                     .filter((part) => { const box = part.getBoundingClientRect(); \
                     return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight; }).map((part) => part.id)",
                );
                assert_eq!(outside, serde_json::json!([]), "{name}, {language}, {kept}: outside the window");
                let small = browser.js(
                    "[...document.querySelectorAll('#dock button, .sheet select, .sheet button')].filter((part) => part.checkVisibility())\
                     .filter((part) => Math.min(part.offsetWidth, part.offsetHeight) < 40).length",
                );
                assert_eq!(small, 0, "{name}, {language}, {kept}: too small for a finger");
            }
        }
    }
}
