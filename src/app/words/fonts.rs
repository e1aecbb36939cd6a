//! Letters that egui's own fonts lack: from the system's fonts, and Chinese ones from a font of the program's where the
//! system has none.
//!
//! Looking through the system's fonts takes a while, so another thread does that, and only once a letter is missing or
//! [`look`] asks for it. Meanwhile the program's own font has to do.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use egui::FontFamily;
use egui::epaint::text::{FallbackRequest, FontInsert, FontPriority, FontProvider, InsertFontFamily};
use egui::{Context, FontData};
use fontdb::{Database, FaceInfo, ID, Stretch, Style, Weight};
use ttf_parser::Face;

use crate::app::words::Language;

/// A part of Noto Sans CJK SC; `assets/fonts/README.md` says which.
const OWN: &[u8] = include_bytes!("../../../assets/fonts/NotoSansSC-subset.otf");

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
pub fn look() {
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

/// Sees to it that an egui context finds the letters that its own fonts lack.
#[derive(Default)]
pub struct MoreLetters {
    provider: Arc<Provider>,
    has_system: bool,
}

impl MoreLetters {
    /// For a new context.
    pub fn install(&mut self, egui: &Context) {
        self.has_system = SYSTEM.get().is_some();
        egui.set_font_providers(vec![self.provider.clone()]);
    }

    /// Goes over to the system's fonts once they have been looked through.
    pub fn refresh(&mut self, egui: &Context) {
        if !self.has_system && SYSTEM.get().is_some() {
            self.install(egui);
        }
    }
}

/// Where egui asks for a font.
#[derive(Default)]
struct Provider {
    /// Letters of which has been said that no font has them.
    missed: Mutex<HashSet<char>>,
}

impl FontProvider for Provider {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let letter = request.cluster.chars().next()?;
        let system = SYSTEM.get();
        if system.is_none() {
            look();
        }
        let found = system.and_then(|fonts| fonts.with(letter)).or_else(|| own_with(letter));
        if found.is_none()
            && system.is_some()
            && self.missed.lock().unwrap_or_else(PoisonError::into_inner).insert(letter)
        {
            log::warn!("no font has the letter {letter} (U+{:04X}); it is shown as a box", u32::from(letter));
        }
        found
    }
}

/// The program's own font, if it has the letter.
fn own_with(letter: char) -> Option<FontInsert> {
    let has_it = Face::parse(OWN, 0).is_ok_and(|face| face.glyph_index(letter).is_some());
    has_it.then(|| insert("Noto Sans SC subset", FontData::from_static(OWN)))
}

fn insert(name: &str, data: FontData) -> FontInsert {
    let both = [FontFamily::Proportional, FontFamily::Monospace];
    let families = both.map(|family| InsertFontFamily { family, priority: FontPriority::Lowest });
    FontInsert::new(name, data, families.into())
}

/// The upright faces of usual weight that the system has, and which of them has a letter.
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
        // Chinese is written with one font, not with letters from here and there.
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

/// The letters of which a face has outlines.
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

    #[test]
    fn the_own_font_has_every_letter_of_the_texts_and_the_common_ones() {
        let face = Face::parse(OWN, 0).expect("a font");
        let missing: String = Language::Chinese.letters().filter(|&c| face.glyph_index(c).is_none()).collect();
        assert_eq!(missing, "", "make it anew: assets/fonts/README.md");
        let han = ('\u{4e00}'..='\u{9fff}').filter(|&c| face.glyph_index(c).is_some()).count();
        assert!(han >= 3755, "{han}");
        assert!(OWN.len() < 1_200_000, "{}", OWN.len());
        assert!(own_with('鱼').is_some() && own_with('\u{e000}').is_none());
    }

    #[test]
    fn a_letter_comes_from_the_best_font_that_has_it() {
        let mut fonts = Database::new();
        assert!(SystemFonts::new(fonts.clone()).with('鱼').is_none());
        fonts.load_font_data(OWN.to_vec());
        let system = SystemFonts::new(fonts);
        let found = system.with('鱼').expect("it has it");
        assert_eq!(found.data.bytes().len(), OWN.len());
        assert!(system.with('\u{e000}').is_none());
    }

    #[test]
    fn a_letter_that_no_font_has_is_told_once() {
        let provider = Provider::default();
        SYSTEM.get_or_init(|| SystemFonts::new(Database::new()));
        let request = FallbackRequest { cluster: "\u{e000}", family: &FontFamily::Proportional };
        assert!(provider.font_for(&request).is_none() && provider.font_for(&request).is_none());
        assert_eq!(provider.missed.lock().expect("nobody panicked").len(), 1);
        let request = FallbackRequest { cluster: "鱼", ..request };
        assert!(provider.font_for(&request).is_some());
    }
}
