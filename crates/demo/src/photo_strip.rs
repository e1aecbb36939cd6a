//! The overlay of photo mode: thirds, the dials of its camera, and the keys that turn them.

use std::ops::RangeInclusive;

use camera::{APERTURES_MM, MAX_EV, PhotoCamera};
use egui::{Color32, FontId, Grid, Label, LayerId, RichText, Slider, Stroke, TextStyle, Ui};
use shell::messages::Messages;

/// Distances of focus; the nearest stands for focus on the middle of the picture. Unit: m.
const FOCUS_M: RangeInclusive<f32> = 0.2..=100.0;
/// Width of a dial, where there is room and where there is little. Unit: points.
const DIAL: [f32; 2] = [125.0, 40.0];
/// Room for a dial's name and its number. Unit: points.
const NAME: f32 = 172.0;
/// Text sizes of the dials and of the line about keys, where there is room: large enough to be read while composing a
/// picture. Unit: points.
const LETTERS: [f32; 2] = [16.0, 13.5];
/// Height of a dial, likewise. Unit: points.
const HEIGHT: f32 = 22.0;
/// Width below which there is little room. Unit: points.
const NARROW: f32 = 600.0;

/// Lays out the dials of `camera`, which are turned with the mouse, above their keys.
pub fn show(ui: &mut Ui, camera: &mut PhotoCamera, messages: &Messages) {
    let width = ui.available_width();
    let is_narrow = width < NARROW;
    let dial_width = DIAL[usize::from(is_narrow)];
    ui.spacing_mut().slider_width = dial_width;
    if !is_narrow {
        ui.spacing_mut().interact_size.y = HEIGHT;
        for (style, letters) in [(TextStyle::Body, 0), (TextStyle::Button, 0), (TextStyle::Small, 1)] {
            ui.style_mut().text_styles.insert(style, FontId::proportional(LETTERS[letters]));
        }
    }
    let in_a_row = (width / (NAME + dial_width)).floor().max(1.0) as usize;
    Grid::new("dials").show(ui, |ui| {
        let mut dials = 0;
        let mut dial = |name: &str, is_on: bool, slider: Slider<'_>| {
            ui.label(messages.get(name));
            ui.add_enabled(is_on, slider);
            dials += 1;
            if dials % in_a_row == 0 {
                ui.end_row();
            }
        };
        let lengths = camera.focal_lengths_mm();
        let lens = Slider::new(&mut camera.focal_mm, lengths).logarithmic(true).max_decimals(0).suffix(" mm");
        dial("photo-lens", true, lens);
        let exposure = Slider::new(&mut camera.ev, -MAX_EV..=MAX_EV).fixed_decimals(1).suffix(" EV");
        dial("photo-exposure", true, exposure);
        let widest = APERTURES_MM.into_iter().fold(0.0, f32::max);
        let all_sharp = messages.get("photo-all-sharp");
        let opening = Slider::new(&mut camera.aperture_mm, 0.0..=widest).max_decimals(0).integer();
        let opening = opening.custom_formatter(move |mm, _| match mm {
            0.0 => all_sharp.clone(),
            _ => format!("{mm:.0} mm"),
        });
        dial("photo-opening", true, opening);
        let (has_focus, middle) = (camera.aperture_mm > 0.0, messages.get("photo-middle"));
        let mut focus_m = camera.focus_m.unwrap_or(*FOCUS_M.start());
        let is_middle = |metres: f64| metres <= f64::from(*FOCUS_M.start());
        let focus = Slider::new(&mut focus_m, FOCUS_M).logarithmic(true).custom_formatter(move |metres, _| {
            if is_middle(metres) { middle.clone() } else { format!("{metres:.1} m") }
        });
        dial("photo-focus", has_focus, focus);
        camera.focus_m = Some(focus_m).filter(|metres| !is_middle((*metres).into()));
        let tilt = Slider::new(&mut camera.roll_deg, -180.0..=180.0).max_decimals(0).suffix("\u{b0}");
        dial("photo-tilt", true, tilt);
        ui.label(messages.format("photo-size", &[("times", camera.times.to_string().into())]));
    });
    ui.add(Label::new(RichText::new(messages.get("photo-keys")).small()).wrap());
}

/// Draws lines at thirds of the picture.
pub fn draw_thirds(ctx: &egui::Context) {
    let painter = ctx.layer_painter(LayerId::background());
    let picture = ctx.content_rect();
    // A light line beside a dark one is seen on any picture.
    for (offset, colour) in [(0.0, Color32::from_white_alpha(120)), (1.0, Color32::from_black_alpha(90))] {
        let stroke = Stroke::new(1.0, colour);
        for third in [1.0 / 3.0, 2.0 / 3.0] {
            painter.vline(picture.left() + third * picture.width() + offset, picture.y_range(), stroke);
            painter.hline(picture.x_range(), picture.top() + third * picture.height() + offset, stroke);
        }
    }
}
