//! The fonts of the system.
#![expect(clippy::disallowed_methods, reason = "fonts are looked for beside the first frame")]

use std::collections::{HashMap, HashSet};
use std::sync::{Once, OnceLock};
use std::thread;
use std::time::Instant;

use egui::epaint::text::FontInsert;
use egui::{Context, FontData};
use fontdb::{Database, FaceInfo, ID, Stretch, Style, Weight};
use ttf_parser::Face;

use super::insert;
use crate::messages::Language;

/// Families of Chinese in simplified characters, the best first. Others may have all characters in another country's
/// shapes.
const CHINESE: [&str; 10] = [
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "PingFang SC",
    "Microsoft YaHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "Hiragino Sans GB",
];

/// The system's fonts, once they have been looked through.
static SYSTEM: OnceLock<SystemFonts> = OnceLock::new();

/// Begins to look through the system's fonts, if that has not begun.
pub fn find() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        let looking = thread::Builder::new().name("fonts".into()).spawn(|| {
            let began = Instant::now();
            let mut fonts = Database::new();
            fonts.load_system_fonts();
            let fonts = SystemFonts::new(fonts);
            let (count, ms) = (fonts.fonts.len(), began.elapsed().as_secs_f64() * 1e3);
            log::debug!("the system's {count} fonts were looked through in {ms:.0} ms");
            SYSTEM.get_or_init(|| fonts);
        });
        if let Err(error) = looking {
            log::warn!("the system's fonts are not used: {error}");
        }
    });
}

/// Whether egui's own fonts are there: always, since it embeds them.
pub fn are_letters_here() -> bool {
    true
}

/// Does nothing: a context already has egui's own fonts.
pub fn give_letters(_: &Context) -> bool {
    true
}

/// Whether the system's fonts have been scanned.
pub fn is_known() -> bool {
    SYSTEM.get().is_some()
}

/// System font that has a letter, as far as the fonts have been scanned.
pub fn with(letter: char) -> Option<FontInsert> {
    SYSTEM.get()?.with(letter)
}

/// Sets an empty list of system fonts.
#[cfg(test)]
pub fn know_none() {
    SYSTEM.get_or_init(|| SystemFonts::new(Database::new()));
}

/// Upright faces of normal weight that the system has, and the face to use for each letter.
struct SystemFonts {
    fonts: Database,
    faces: HashMap<char, ID>,
}

impl SystemFonts {
    fn new(fonts: Database) -> Self {
        let mut usual: Vec<&FaceInfo> = fonts.faces().filter(|face| is_usual(face)).collect();
        usual.sort_by_key(|face| (rank(face), face.monospaced));
        let needed: HashSet<char> = Language::Chinese.letters().collect();
        let (mut whole, mut others) = (Vec::new(), Vec::new());
        for face in usual {
            let letters = letters(&fonts, face.id);
            let has_all = needed.iter().all(|letter| letters.contains(letter));
            if has_all { whole.push((face.id, letters)) } else { others.push((face.id, letters)) }
        }
        let mut faces = HashMap::new();
        // Chinese is written in a single font rather than with letters of several.
        for (id, letters) in whole.into_iter().chain(others) {
            for letter in letters {
                faces.entry(letter).or_insert(id);
            }
        }
        Self { fonts, faces }
    }

    /// A font with that letter.
    fn with(&self, letter: char) -> Option<FontInsert> {
        let face = self.fonts.face(*self.faces.get(&letter)?)?;
        let (bytes, index) = self.fonts.with_face_data(face.id, |bytes, index| (bytes.to_vec(), index))?;
        let data = FontData { index, ..FontData::from_owned(bytes) };
        log::debug!("letters such as {letter} are of the system's {}", face.post_script_name);
        Some(insert(&format!("{} {index}", face.post_script_name), data))
    }
}

fn is_usual(face: &FaceInfo) -> bool {
    face.style == Style::Normal && face.weight == Weight::NORMAL && face.stretch == Stretch::Normal
}

fn rank(face: &FaceInfo) -> usize {
    let rank = |(family, _): &(String, _)| CHINESE.iter().position(|known| known == family);
    face.families.iter().filter_map(rank).min().unwrap_or(CHINESE.len())
}

/// Letters for which a face has outlines.
fn letters(fonts: &Database, face: ID) -> HashSet<char> {
    let letters = fonts.with_face_data(face, |bytes, index| {
        let mut letters = HashSet::new();
        let Ok(face) = Face::parse(bytes, index) else { return letters };
        if face.tables().glyf.is_none() && face.tables().cff.is_none() && face.tables().cff2.is_none() {
            return letters;
        }
        for table in face.tables().cmap.iter().flat_map(|cmap| cmap.subtables).filter(|table| table.is_unicode()) {
            table.codepoints(|code| {
                if let Some(letter) = char::from_u32(code).filter(|_| table.glyph_index(code).is_some()) {
                    letters.insert(letter);
                }
            });
        }
        letters
    });
    letters.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::fonts::OWN;

    #[test]
    fn a_letter_comes_from_the_best_font_that_has_it() {
        let mut fonts = Database::new();
        assert!(SystemFonts::new(fonts.clone()).with('鱼').is_none());
        let own = assets::read(OWN).expect("it is there");
        fonts.load_font_data(own.to_vec());
        let system = SystemFonts::new(fonts);
        let found = system.with('鱼').expect("it has it");
        assert_eq!(found.data.bytes().len(), own.len());
        assert!(system.with('\u{e000}').is_none());
    }
}
