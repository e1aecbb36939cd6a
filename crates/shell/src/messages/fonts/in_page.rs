//! In place of the system's fonts in a page, which cannot read them.

use std::collections::BTreeMap;
use std::sync::Arc;

use assets::PANEL_FONTS;
use egui::epaint::text::FontInsert;
use egui::{Context, FontData, FontDefinitions, FontFamily, FontTweak};

use super::OWN;

/// Has the program's own font fetched.
pub fn find() {
    assets::ask(OWN);
}

/// Whether that has come.
pub fn is_known() -> bool {
    assets::read(OWN).is_ok()
}

/// There are none.
pub fn with(_: char) -> Option<FontInsert> {
    None
}

/// Whether the fonts of panels have come; they are asked for.
pub fn are_letters_here() -> bool {
    // Each is asked for.
    PANEL_FONTS.iter().filter(|font| !assets::ask(font)).count() == 0 && letters().is_some()
}

/// Has a context write with the fonts of panels if they have come, and says whether that is so.
pub fn give_letters(egui: &Context) -> bool {
    letters().map(|fonts| egui.set_fonts(fonts)).is_some()
}

/// What egui's own definitions are where it embeds its fonts.
fn letters() -> Option<FontDefinitions> {
    let [light, mono, icons] = PANEL_FONTS;
    let read = |name| assets::read(name).ok().map(FontData::from_static);
    // As large as letters are.
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
