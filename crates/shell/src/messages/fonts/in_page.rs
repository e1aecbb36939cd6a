//! Replacement for the system's fonts in a page, which cannot read them.

use std::collections::BTreeMap;
use std::sync::Arc;

use assets::PANEL_FONTS;
use egui::epaint::text::FontInsert;
use egui::{Context, FontData, FontDefinitions, FontFamily, FontTweak};

use super::OWN;

/// Requests the program's own font.
pub fn find() {
    assets::ask(OWN);
}

/// Whether the program's own font has been fetched.
pub fn is_known() -> bool {
    assets::read(OWN).is_ok()
}

/// Always `None`: a page has no system fonts.
pub fn with(_: char) -> Option<FontInsert> {
    None
}

/// Whether the fonts of panels have been fetched; requests them.
pub fn are_letters_here() -> bool {
    // `filter` and `count` visit every font, so each is requested.
    PANEL_FONTS.iter().filter(|font| !assets::ask(font)).count() == 0 && letters().is_some()
}

/// Installs the fonts of panels in a context if they have been fetched; returns whether they have.
pub fn give_letters(egui: &Context) -> bool {
    letters().map(|fonts| egui.set_fonts(fonts)).is_some()
}

/// Font definitions as in egui where it embeds its fonts.
fn letters() -> Option<FontDefinitions> {
    let [light, mono, icons] = PANEL_FONTS;
    let read = |name| assets::read(name).ok().map(FontData::from_static);
    // Scales icons to the height of letters.
    let tweak = FontTweak { scale: 0.9, ..FontTweak::default() };
    let fonts = [(light, read(light)?), (mono, read(mono)?), (icons, read(icons)?.tweak(tweak))];
    let family = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Some(FontDefinitions {
        font_data: fonts.into_iter().map(|(name, font)| (name.to_owned(), Arc::new(font))).collect(),
        families: BTreeMap::from([
            (FontFamily::Monospace, family(&[mono, light, icons])),
            (FontFamily::Proportional, family(&[light, icons])),
        ]),
    })
}
