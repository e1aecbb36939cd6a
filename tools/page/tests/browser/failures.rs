//! Tests that missing or broken files are reported in a sentence.

use crate::chromium::Browser;
use crate::site;

/// A file of the page that the reef needs, by its name in the list of assets.
fn file(name: &str) -> String {
    site::manifest()["files"][name]["file"].as_str().expect("it is listed").to_owned()
}

/// Error message of the page with the given damage to a file.
fn said_of(file: &str, damage: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>) -> Option<String> {
    let mut browser = Browser::open(&[])?;
    let site = site::damaged(file, damage);
    Some(browser.failure(&format!("{}?scene=reef&quality=low&lang=en", site::served(site.path()))))
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn a_program_that_is_cut_off_is_told() {
    let program = site::manifest()["program"]["file"].as_str().expect("it is listed").to_owned();
    let Some(said) = said_of(&program, |bytes| Some(bytes[..bytes.len() / 2].to_vec())) else { return };
    assert!(said.contains(&program) && said.contains("cut off after"), "{said}");
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn a_model_that_is_cut_off_or_missing_or_something_else_is_told() {
    let model = file("clownfish.ms3d");
    let half = |bytes: Vec<u8>| Some(bytes[..bytes.len() / 2].to_vec());
    let Some(said) = said_of(&model, half) else { return };
    assert!(said.contains(&model) && said.contains("cut off after"), "{said}");
    let said = said_of(&model, |_| None).expect("Chromium");
    assert!(said.contains(&model) && said.contains("404"), "{said}");
    let page = |bytes: Vec<u8>| Some(b"<!doctype html>".repeat(bytes.len() / 15 + 1)[..bytes.len()].to_vec());
    let said = said_of(&model, page).expect("Chromium");
    assert!(said.contains(&model) && said.contains("something else"), "{said}");
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn letters_that_do_not_come_are_told_and_the_sea_goes_on() {
    let Some(mut browser) = Browser::open(&[]) else { return };
    let font = file("Hack-Regular.ttf");
    let site = site::damaged(&font, |_| None);
    browser.open_sea(&format!("{}?scene=lagoon&quality=low&fish=40&lang=en", site::served(site.path())));
    browser.key("F2", "F2");
    let said = browser.notice();
    assert!(said.contains(&font) && said.contains("404"), "{said}");
    let frames = browser.state()["frames"].as_u64().expect("a number");
    browser.until(&format!("JSON.parse(sea.state()).frames > {frames} + 2"));
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn a_script_that_does_not_come_is_told() {
    let Some(mut browser) = Browser::open(&[]) else { return };
    let folder = site::manifest()["program"]["file"].as_str().expect("it is listed").replace("pelagic.bin", "page.js");
    let site = site::damaged(&folder, |_| None);
    let address = site::served(site.path());
    browser.call("Page.navigate", serde_json::json!({ "url": address }));
    browser.until(
        "document.querySelector('.late') && getComputedStyle(document.querySelector('.late')).visibility === 'visible'",
    );
}

#[test]
#[ignore = "needs the built page and Chromium: make test-web"]
fn without_webgl_a_sentence_says_so() {
    let Some(mut browser) = Browser::open(&["--disable-3d-apis"]) else { return };
    let address = site::served(&site::built());
    let said = browser.failure(&format!("{address}?lang=en"));
    assert!(said.contains("WebGL 2"), "{said}");
    let said = browser.failure(&format!("{address}?lang=zh-CN"));
    assert!(said.contains("不提供 WebGL 2"), "{said}");
}
