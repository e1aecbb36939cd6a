//! The panel of frame statistics.

use bench::run::FrameSample;
use egui::{Align2, Color32, RichText, TextStyle, TextWrapMode, WidgetText, vec2};
use shell::messages::Messages;
use shell::theme;

use crate::frame_times::{FrameHistory, SHOWN};

/// Times of the last frames, to be drawn.
#[derive(Clone, Debug)]
pub struct FrameGraph {
    /// The frames.
    pub history: FrameHistory,
    /// The budget of a frame, if one is held. Unit: ms.
    pub target_ms: Option<f64>,
}

/// The parts of a frame, from the bottom up: text, colour, value.
type Part = (&'static str, Color32, fn(&FrameSample) -> f64);

const PARTS: [Part; 4] = [
    ("part-world", Color32::from_rgb(120, 190, 95), |f| f.simulate_ms + f.extract_ms),
    ("part-submit", Color32::from_rgb(50, 160, 200), |f| f.cull_ms + f.draw_ms),
    ("part-text", Color32::from_rgb(190, 150, 210), |f| f.overlay_ms),
    ("part-wait", Color32::from_rgb(110, 135, 150), |f| f.wait_ms),
];
/// Colour of GPU time.
const GPU: Color32 = Color32::from_rgb(255, 205, 110);
/// Width of a frame's bar where there is room. Unit: points.
const BAR: f32 = 1.5;
/// Height of the graph: where there is room, and at least. Unit: points.
const GRAPH: [f32; 2] = [80.0, 24.0];
/// Height of the legend under it. Unit: points.
const LEGEND: f32 = 24.0;

/// Shows the text of the statistics, and the graph if there is one.
pub fn show(ui: &mut egui::Ui, text: &str, graph: Option<&FrameGraph>, messages: &Messages) {
    let bottom = ui.cursor().top() + ui.available_height();
    let text = WidgetText::from(RichText::new(text).monospace());
    let lines = text.into_galley(ui, Some(TextWrapMode::Wrap), ui.available_width(), TextStyle::Monospace);
    ui.label(lines);
    if let Some(graph) = graph {
        let height = (bottom - ui.cursor().top() - LEGEND).clamp(GRAPH[1], GRAPH[0]);
        draw_graph(ui, graph, height, messages);
    }
}

/// Draws a bar per frame, stacked by the parts of its time, the GPU's time as dots and the budget as a line.
fn draw_graph(ui: &mut egui::Ui, graph: &FrameGraph, height: f32, messages: &Messages) {
    let width = ui.available_width().min(BAR * SHOWN as f32);
    let bar = width / SHOWN as f32;
    let (field, _) = ui.allocate_exact_size(vec2(width, height), egui::Sense::hover());
    let (_, p99) = graph.history.spread().unwrap_or_default();
    let budget = graph.target_ms.unwrap_or(1000.0 / 60.0);
    // The budget is in sight, and one slow frame does not flatten all others.
    let top = (1.3 * budget).max(1.15 * p99) as f32;
    let at = |ms: f64| field.bottom() - (ms as f32 / top).min(1.0) * field.height();
    let mut mesh = egui::Mesh::default();
    let (shown, gpu_is_told) = (graph.history.frames().len(), graph.history.gpu_median().is_some());
    for (i, frame) in graph.history.frames().enumerate() {
        let left = field.right() - bar * (shown - i) as f32;
        let mut below = 0.0;
        let mut part = |from: f64, to: f64, colour| {
            let corners = egui::Rect::from_min_max(egui::pos2(left, at(to)), egui::pos2(left + bar, at(from)));
            mesh.add_colored_rect(corners, colour);
        };
        for (_, colour, value) in PARTS {
            let ms = value(frame);
            part(below, below + ms, colour);
            below += ms;
        }
        if let Some(gpu) = frame.gpu_ms.filter(|_| gpu_is_told) {
            part(gpu, gpu + f64::from(top) * 0.025, GPU);
        }
    }
    let painter = ui.painter();
    painter.add(egui::Shape::mesh(mesh));
    let line = egui::Stroke::new(1.0, Color32::from_rgba_unmultiplied(255, 255, 255, 130));
    painter.hline(field.x_range(), at(budget), line);
    let font = egui::FontId::proportional(11.0);
    let above = field.left_top() + vec2(2.0, at(budget) - field.top() - 14.0);
    painter.text(above, Align2::LEFT_TOP, format!("{budget:.1} ms"), font.clone(), theme::TEXT);
    ui.horizontal_wrapped(|ui| {
        let gpu = graph.history.gpu_median().map(|_| ("part-gpu", GPU));
        for (name, colour) in PARTS.map(|(name, colour, _)| (name, colour)).into_iter().chain(gpu) {
            let (swatch, _) = ui.allocate_exact_size(vec2(9.0, 9.0), egui::Sense::hover());
            ui.painter().rect_filled(swatch, 1.0, colour);
            ui.label(RichText::new(messages.get(name)).font(font.clone()));
        }
    });
}
