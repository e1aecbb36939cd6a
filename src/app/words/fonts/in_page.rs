//! In place of the system's fonts in a page, which cannot read them.

use egui::epaint::text::FontInsert;

use super::OWN;

/// Has the program's own font fetched.
pub fn look() {
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
