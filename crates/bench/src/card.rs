//! `card.png`: a result as a picture to share. Laid out by egui and drawn on the CPU, since it may be made when there
//! is no driver any more.

use std::sync::Arc;

use egui::{
    Align2, Color32, FontData, FontDefinitions, FontFamily, FontId, LayerId, Painter, Pos2, Rect, Stroke, Vec2, pos2,
    vec2,
};
use image::RgbaImage;
use image::imageops::{self, FilterType};

use crate::html::precise;
use crate::picture::ScenePicture;
use crate::report::Report;
use crate::run::MeasuredRun;
use crate::stats::LOW_1PCT_MIN_FRAMES;
use crate::words;

mod raster;

/// Width and height in pixels, those of a link's preview picture on web pages.
const SIZE: (u32, u32) = (1200, 630);
/// Pixels of a point.
const SCALE: f32 = 2.0;
/// Room at the edges. Unit: points.
const EDGE: f32 = 26.0;
/// Size below which letters are not readable. Unit: points.
const SMALLEST: f32 = 7.5;
/// Columns of the plot.
const COLUMNS: usize = 272;
/// Letters that egui's own fonts lack.
const MORE_LETTERS: &str = "NotoSansSC-subset.otf";

const GROUND: Color32 = Color32::from_rgb(6, 26, 38);
const INK: Color32 = Color32::from_rgb(240, 248, 250);
const DIM: Color32 = Color32::from_rgb(170, 198, 208);
const LINE: Color32 = Color32::from_rgb(110, 216, 240);
const MEDIAN: Color32 = Color32::from_rgb(240, 176, 110);

/// The card as a PNG; `None` if there are no runs to show, or no fonts to write with, as in a page.
pub fn png(report: &Report, runs: &[MeasuredRun], picture: Option<&ScenePicture>) -> Option<Vec<u8>> {
    if report.summary.valid_runs == 0 {
        return None;
    }
    let mut image = ground(picture);
    let egui = egui::Context::default();
    egui.set_fonts(fonts()?);
    let points = vec2(SIZE.0 as f32, SIZE.1 as f32) / SCALE;
    let mut input =
        egui::RawInput { screen_rect: Some(Rect::from_min_size(Pos2::ZERO, points)), ..egui::RawInput::default() };
    input.viewports.entry(input.viewport_id).or_default().native_pixels_per_point = Some(SCALE);
    let mut output = egui.run_ui(input, |ui| {
        let painter = ui.ctx().layer_painter(LayerId::background());
        lay_out(&painter, points, report, runs);
    });
    let primitives = egui.tessellate(output.shapes, output.pixels_per_point);
    raster::paint(&mut image, output.pixels_per_point, &primitives, &mut output.textures_delta);
    let mut png = std::io::Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).ok()?;
    Some(png.into_inner())
}

/// egui's fonts, with the program's own for the letters that they lack; `None` if egui has none.
fn fonts() -> Option<FontDefinitions> {
    let mut fonts = FontDefinitions::default();
    if fonts.font_data.is_empty() {
        return None;
    }
    if let (Ok(own), Some(family)) = (assets::read(MORE_LETTERS), fonts.families.get_mut(&FontFamily::Proportional)) {
        fonts.font_data.insert(MORE_LETTERS.into(), Arc::new(FontData::from_static(own)));
        family.push(MORE_LETTERS.into());
    }
    Some(fonts)
}

/// The scene's picture as large as the card and darker, or plain water.
fn ground(picture: Option<&ScenePicture>) -> RgbaImage {
    let (width, height) = SIZE;
    let Some(scene) = picture.and_then(ScenePicture::decoded) else {
        return RgbaImage::from_pixel(width, height, image::Rgba(GROUND.to_array()));
    };
    // Cropped to the card's shape.
    let (w, h) = scene.dimensions();
    let wide = u64::from(w) * u64::from(height) > u64::from(h) * u64::from(width);
    let part = match wide {
        true => ((u64::from(h) * u64::from(width) / u64::from(height)) as u32, h),
        false => (w, (u64::from(w) * u64::from(height) / u64::from(width)) as u32),
    };
    let part = (part.0.clamp(1, w), part.1.clamp(1, h));
    let part = imageops::crop_imm(&scene, (w - part.0) / 2, (h - part.1) / 2, part.0, part.1).to_image();
    let mut ground = imageops::resize(&part, width, height, FilterType::Triangle);
    shade(&mut ground);
    ground
}

fn lay_out(painter: &Painter, size: Vec2, report: &Report, runs: &[MeasuredRun]) {
    let s = &report.settings;
    let room = size.x - 2.0 * EDGE;
    let mut at = pos2(EDGE, 20.0);
    let mut line = |text: &str, letters: f32, ink: Color32| {
        at.y += write(painter, at, Align2::LEFT_TOP, text, (letters, room), ink) + 2.0;
    };
    let title = report.label.clone().unwrap_or_else(|| format!("Pelagic: {}", s.scene));
    line(&title, 23.0, INK);
    line(&report.gl.brief(), 14.0, INK);
    let governed = if s.governor { " (governed)" } else { "" };
    let what = format!(
        "{} at {} × {}, quality {}{governed}, {} animals, seed {}: {}",
        s.scene,
        s.size.0,
        s.size.1,
        s.quality,
        s.animals,
        s.seed,
        words::runs(report)
    );
    line(&what, 10.5, DIM);
    if let Some(cpu) = &report.host.cpu {
        line(cpu, 10.5, DIM);
    }
    figures(painter, pos2(EDGE, at.y + 10.0), room, report);
    let plot = Rect::from_min_max(pos2(EDGE, size.y - 104.0), pos2(size.x - EDGE, size.y - 34.0));
    frame_times(painter, plot, report, runs);
    let commit = report.app.commit.as_deref().map(|commit| format!(" ({:.10})", commit)).unwrap_or_default();
    let doubts = match report.warnings.len() {
        0 => String::new(),
        1 => ", one warning".into(),
        n => format!(", {n} warnings"),
    };
    let date = report.when.split('T').next().unwrap_or_default();
    let foot = format!(
        "pelagic {}{commit}, {} build, {date}{doubts}. 1 % low: mean frame rate of the slowest 1 % of frames",
        report.app.version, report.app.profile
    );
    write(painter, pos2(EDGE, size.y - 22.0), Align2::LEFT_TOP, &foot, (9.0, room), DIM);
}

/// Darkens a picture, least in its middle, so that letters can be read.
fn shade(image: &mut RgbaImage) {
    const SHARES: [(f32, f32); 4] = [(0.0, 0.88), (0.3, 0.62), (0.55, 0.66), (1.0, 0.94)];
    let height = image.height().max(1) as f32;
    let share_at = |y: f32| {
        let piece = SHARES.windows(2).find(|piece| y <= piece[1].0).unwrap_or(&SHARES[2..]);
        let [(from, upper), (to, lower)] = [piece[0], piece[1]];
        upper + (lower - upper) * (y - from) / (to - from)
    };
    for (y, row) in image.enumerate_rows_mut() {
        // In 256ths, since there are many pixels.
        let share = (share_at(y as f32 / height) * 256.0) as u32;
        let dark = GROUND.to_array().map(|channel| u32::from(channel) * share);
        for (.., pixel) in row {
            for (channel, dark) in pixel.0.iter_mut().zip(dark) {
                *channel = ((u32::from(*channel) * (256 - share) + dark) >> 8) as u8;
            }
        }
    }
}

/// Draws the figures in a row: value, unit, and name.
fn figures(painter: &Painter, at: Pos2, room: f32, report: &Report) {
    let of = |name: &str| report.summary.median_of_runs.get(name).copied();
    let rate = |name: &str| of(name).map(|fps| format!("{fps:.1}"));
    let low = match of("low_1pct_fps") {
        Some(_) => "1 % low".into(),
        None => format!("1 % low: needs {LOW_1PCT_MIN_FRAMES} frames"),
    };
    let figures = [
        (of("median_ms").map(precise), "ms", "median frame".to_owned()),
        (of("p95_ms").map(precise), "ms", "95 % are under".into()),
        (of("p99_ms").map(precise), "ms", "99 % are under".into()),
        (rate("low_1pct_fps"), "fps", low),
        (rate("fps_avg"), "fps", "on average".into()),
    ];
    let width = room / figures.len() as f32;
    for (i, (value, unit, what)) in figures.into_iter().enumerate() {
        let corner = pos2(at.x + i as f32 * width, at.y);
        let room = width - 8.0;
        let (value, unit) = value.map_or(("–".to_owned(), ""), |value| (value, unit));
        let number = painter.layout_no_wrap(value, FontId::proportional(27.0), INK);
        let below = number.size();
        painter.galley(corner, number, INK);
        let base = pos2(corner.x + below.x + 4.0, corner.y + below.y - 6.0);
        write(painter, base, Align2::LEFT_BOTTOM, unit, (11.0, room), DIM);
        write(painter, pos2(corner.x, corner.y + below.y), Align2::LEFT_TOP, &what, (10.5, room), DIM);
    }
}

/// Draws every frame of every run as a small plot: the longest of each column, and the median.
fn frame_times(painter: &Painter, place: Rect, report: &Report, runs: &[MeasuredRun]) {
    let times: Vec<f64> = runs.iter().flat_map(|run| &run.samples).map(|sample| sample.frame_ms).collect();
    let mut sorted = times.clone();
    sorted.sort_by(f64::total_cmp);
    let Some(&longest) = sorted.last().filter(|longest| **longest > 0.0) else { return };
    // A single long frame does not flatten the others.
    let top = longest.min(3.0 * math::quantile(&sorted, 0.99)).max(1.2 * math::quantile(&sorted, 0.5));
    painter.rect_filled(place.expand2(vec2(6.0, 4.0)), 4.0, GROUND.gamma_multiply(0.6));
    let height = |ms: f64| place.bottom() - (ms / top).clamp(0.0, 1.0) as f32 * (place.height() - 14.0);
    let a_column = times.len().div_ceil(COLUMNS).max(1);
    let columns: Vec<f64> = times.chunks(a_column).map(|chunk| chunk.iter().copied().fold(0.0, f64::max)).collect();
    let step = place.width() / (columns.len().max(2) - 1) as f32;
    let points = |i: usize, ms: f64| pos2(place.left() + i as f32 * step, height(ms));
    match columns.as_slice() {
        [one] => painter.hline(place.x_range(), height(*one), Stroke::new(1.2, LINE)),
        _ => {
            let line = columns.iter().enumerate().map(|(i, ms)| points(i, *ms)).collect();
            painter.line(line, Stroke::new(1.2, LINE))
        }
    };
    if let Some(median) = report.summary.median_of_runs.get("median_ms") {
        painter.hline(place.x_range(), height(*median), Stroke::new(0.8, MEDIAN));
    }
    let of_columns = if a_column > 1 { format!(", the longest of each {a_column}") } else { String::new() };
    let over = if longest > top { ", cut" } else { "" };
    let says = format!("time of every frame{of_columns}; longest {} ms{over}", precise(longest));
    write(painter, place.left_top() - vec2(0.0, 1.0), Align2::LEFT_TOP, &says, (8.5, place.width()), DIM);
}

/// Writes a line as large as asked, or smaller to fit the room; a line that does not fit even so ends in dots. Returns
/// its height.
fn write(painter: &Painter, at: Pos2, align: Align2, text: &str, (letters, room): (f32, f32), ink: Color32) -> f32 {
    let layout = |text: &str, letters: f32| painter.layout_no_wrap(text.to_owned(), FontId::proportional(letters), ink);
    let mut galley = layout(text, letters);
    if galley.size().x > room {
        galley = layout(text, (letters * room / galley.size().x).max(SMALLEST));
        let letters = (letters * room / layout(text, letters).size().x).max(SMALLEST);
        let mut kept = text.chars().count();
        while galley.size().x > room && kept > 1 {
            kept -= 1;
            galley = layout(&text.chars().take(kept).chain("...".chars()).collect::<String>(), letters);
        }
    }
    let place = align.anchor_size(at, galley.size());
    painter.galley(place.min, galley, ink);
    place.height()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::tests::frames;
    use crate::report::tests::report_of;

    fn card(report: &Report, runs: &[MeasuredRun], picture: Option<&ScenePicture>) -> RgbaImage {
        let png = png(report, runs, picture).expect("there are runs and letters");
        let card = image::load_from_memory(&png).expect("a PNG").into_rgba8();
        assert_eq!(card.dimensions(), SIZE);
        card
    }

    /// Number of pixels above a brightness of 200.
    fn bright(card: &RgbaImage) -> usize {
        card.pixels().filter(|pixel| pixel.0[..3].iter().all(|channel| *channel > 200)).count()
    }

    #[test]
    fn it_is_written_on_with_and_without_a_picture() {
        let (report, runs) = report_of(&[&frames(400), &frames(400)]);
        let plain = card(&report, &runs, None);
        assert!(bright(&plain) > 3000, "{} bright pixels", bright(&plain));
        let line = plain.pixels().filter(|pixel| pixel.0[2] > 200 && pixel.0[0] < 150).count();
        assert!(line > 500, "{line} pixels of the plot");
        let sea: Vec<u8> = [10, 90, 140, 255].repeat(64 * 36);
        let picture = ScenePicture::of((64, 36), &sea).expect("a picture");
        assert_ne!(card(&report, &runs, Some(&picture)).get_pixel(600, 240), plain.get_pixel(600, 240));
    }

    #[test]
    fn long_names_and_few_frames_are_no_trouble_and_nothing_is_no_card() {
        let (mut report, runs) = report_of(&[&[10.0]]);
        report.label = Some("a label that does not end ".repeat(40));
        report.gl.renderer = "a card of a very long name ".repeat(20);
        card(&report, &runs, None);
        report.summary.valid_runs = 0;
        assert_eq!(png(&report, &runs, None), None);
    }

    #[test]
    fn chinese_labels_have_letters() {
        let (mut report, runs) = report_of(&[&[10.0; 300]]);
        let of = |report: &Report| card(report, &runs, None);
        report.label = Some("鱼鱼鱼".into());
        let fish = of(&report);
        report.label = Some("海海海".into());
        assert_ne!(fish, of(&report), "two letters, not two boxes");
    }
}
