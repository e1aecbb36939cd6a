//! What photo mode shows over the picture: thirds, and the dials with their keys.

use egui::{Color32, LayerId, RichText, Stroke};

/// The dials of photo mode, in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhotoStrip {
    /// How they stand.
    pub values: String,
    /// Which keys turn them.
    pub keys: String,
    /// Whether thirds are shown.
    pub thirds: bool,
    /// Whether nothing at all is shown.
    pub hidden: bool,
}

impl PhotoStrip {
    /// Writes how the dials stand and which keys turn them.
    pub fn show(&self, ui: &mut egui::Ui) {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
        ui.label(RichText::new(&self.values).strong());
        ui.label(RichText::new(&self.keys).small());
    }

    /// Draws lines at thirds of the picture.
    pub fn draw_thirds(&self, ctx: &egui::Context) {
        if !self.thirds {
            return;
        }
        let painter = ctx.layer_painter(LayerId::background());
        let picture = ctx.content_rect();
        // Light beside dark is seen on any picture.
        for (offset, colour) in [(0.0, Color32::from_white_alpha(120)), (1.0, Color32::from_black_alpha(90))] {
            let stroke = Stroke::new(1.0, colour);
            for third in [1.0 / 3.0, 2.0 / 3.0] {
                painter.vline(picture.left() + third * picture.width() + offset, picture.y_range(), stroke);
                painter.hline(picture.x_range(), picture.top() + third * picture.height() + offset, stroke);
            }
        }
    }
}
