//! Glyphs that egui's own fonts lack: from the system's fonts, and Chinese ones from the program's own font if the
//! system has none.
//!
//! Another thread scans the system's fonts, since that takes a while, and only once a glyph is missing or [`find`] asks
//! for it. Until then the program's own font is used. A page cannot read the system's fonts; it fetches the program's
//! own font at that point, and egui's fonts as soon as there is text to show.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use egui::epaint::text::{FallbackRequest, FontInsert, FontPriority, FontProvider, InsertFontFamily};
use egui::{Context, FontData, FontFamily};
use ttf_parser::Face;

#[cfg_attr(target_arch = "wasm32", path = "fonts/in_page.rs")]
mod system;

pub use system::find;

/// Subset of Noto Sans CJK SC, among the assets; described in `assets/fonts/README.md`.
pub const OWN: &str = "NotoSansSC-subset.otf";

/// Supplies an egui context with the glyphs that its own fonts lack.
#[derive(Default)]
pub struct MoreLetters {
    provider: Arc<Provider>,
    is_complete: bool,
    can_write: bool,
}

impl MoreLetters {
    /// Installs the fonts into a new context.
    pub fn install(&mut self, egui: &Context) {
        self.is_complete = system::is_known();
        self.can_write = system::give_letters(egui);
        egui.set_font_providers(vec![self.provider.clone()]);
    }

    /// Switches to the fonts that were searched for once they are known. Returns whether there are fonts to write with.
    pub fn refresh(&mut self, egui: &Context) -> bool {
        let has_come = !self.can_write && system::are_letters_here();
        if has_come || !self.is_complete && system::is_known() {
            self.install(egui);
        }
        self.can_write
    }
}

/// Font provider that egui calls for a missing glyph.
#[derive(Default)]
struct Provider {
    /// Letters already reported as missing from every font.
    missed: Mutex<HashSet<char>>,
}

impl FontProvider for Provider {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let letter = request.cluster.chars().next()?;
        let is_complete = system::is_known();
        if !is_complete {
            find();
        }
        let found = system::with(letter).or_else(|| own_with(letter));
        if found.is_none() && is_complete && self.missed.lock().unwrap_or_else(PoisonError::into_inner).insert(letter) {
            log::warn!("no font has the letter {letter} (U+{:04X}); it is shown as a box", u32::from(letter));
        }
        found
    }
}

/// The program's own font, if it has the letter.
fn own_with(letter: char) -> Option<FontInsert> {
    let own = assets::read(OWN).ok()?;
    let has_it = Face::parse(own, 0).is_ok_and(|face| face.glyph_index(letter).is_some());
    has_it.then(|| insert("Noto Sans SC subset", FontData::from_static(own)))
}

fn insert(name: &str, data: FontData) -> FontInsert {
    let both = [FontFamily::Proportional, FontFamily::Monospace];
    let families = both.map(|family| InsertFontFamily { family, priority: FontPriority::Lowest });
    FontInsert::new(name, data, families.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Language;

    #[test]
    fn the_own_font_has_every_letter_of_the_texts_and_the_common_ones() {
        let own = assets::read(OWN).expect("it is there");
        let face = Face::parse(own, 0).expect("a font");
        let missing: String = Language::Chinese.letters().filter(|&c| face.glyph_index(c).is_none()).collect();
        assert_eq!(missing, "", "make it anew: assets/fonts/README.md");
        let han = ('\u{4e00}'..='\u{9fff}').filter(|&c| face.glyph_index(c).is_some()).count();
        assert!(han >= 3755, "{han}");
        assert!(own.len() < 1_200_000, "{}", own.len());
        assert!(own_with('鱼').is_some() && own_with('\u{e000}').is_none());
    }

    #[test]
    fn a_letter_that_no_font_has_is_told_once() {
        let provider = Provider::default();
        system::know_none();
        let request = FallbackRequest { cluster: "\u{e000}", family: &FontFamily::Proportional };
        assert!(provider.font_for(&request).is_none() && provider.font_for(&request).is_none());
        assert_eq!(provider.missed.lock().expect("nobody panicked").len(), 1);
        let request = FallbackRequest { cluster: "鱼", ..request };
        assert!(provider.font_for(&request).is_some());
    }
}
