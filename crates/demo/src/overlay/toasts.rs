//! Transient messages.

use egui::text::LayoutJob;
use egui::{FontSelection, TextFormat, TextStyle, Ui};
use shell::theme;

/// Display time of a message. Unit: s.
const MESSAGE_S: f64 = 4.0;
/// Display time of an error, which is longer than a message and matters more. Unit: s.
const ERROR_S: f64 = 12.0;
/// Lines of an error that are shown; the terminal has the rest.
const ERROR_LINES: usize = 12;
/// Greatest number of messages.
const MAX: usize = 5;

/// A transient message.
#[derive(Clone, Debug, PartialEq)]
struct Message {
    /// Topic: a newer message about the same topic replaces it. Empty for a message that stands alone.
    topic: &'static str,
    text: String,
    until_s: f64,
    error: bool,
}

/// The messages, the newest last.
#[derive(Clone, Debug, Default)]
pub struct Toasts(Vec<Message>);

impl Toasts {
    /// Shows a message for a while in place of the previous one about the same `topic`.
    pub fn notify(&mut self, topic: &'static str, text: String, now_s: f64) {
        self.0.retain(|message| message.error || topic.is_empty() || message.topic != topic);
        self.add(Message { topic, text, until_s: now_s + MESSAGE_S, error: false });
    }

    /// Shows an error about a `topic` for a while, or until it is cleared; `more` is shown in place of lines cut off.
    pub fn show_error(&mut self, topic: &'static str, text: &str, more: &str, now_s: f64) {
        let mut lines: Vec<&str> = text.lines().take(ERROR_LINES + 1).collect();
        if lines.len() > ERROR_LINES {
            lines[ERROR_LINES] = more;
        }
        self.clear_error(topic);
        self.add(Message { topic, text: lines.join("\n"), until_s: now_s + ERROR_S, error: true });
    }

    /// Clears the error about a `topic`: the problem is solved.
    pub fn clear_error(&mut self, topic: &str) {
        self.0.retain(|message| !(message.error && message.topic == topic));
    }

    /// The error about a `topic` that is shown, if there is one.
    pub fn error(&self, topic: &str) -> Option<&str> {
        let about = |message: &&Message| message.error && message.topic == topic;
        self.0.iter().find(about).map(|message| message.text.as_str())
    }

    /// Texts of the messages.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|message| message.text.as_str())
    }

    fn add(&mut self, message: Message) {
        self.0.push(message);
        let surplus = self.0.len().saturating_sub(MAX);
        self.0.drain(..surplus);
    }

    /// Removes the messages whose time is over.
    pub fn pass(&mut self, now_s: f64) {
        self.0.retain(|message| message.until_s > now_s);
    }

    /// Messages that are shown, the oldest first: not the error about the topic that is shown `elsewhere`.
    fn shown(&self, elsewhere: Option<&str>) -> impl DoubleEndedIterator<Item = &Message> {
        self.0.iter().filter(move |message| !(message.error && elsewhere == Some(message.topic)))
    }

    /// Whether no message is shown.
    pub fn is_empty(&self, elsewhere: Option<&str>) -> bool {
        self.shown(elsewhere).next().is_none()
    }

    /// Lays out as many messages as there is room for, the newest below, with lines wrapped at the width of the room.
    pub fn show(&self, ui: &mut Ui, elsewhere: Option<&str>) {
        let room = ui.available_size();
        let (mut left, mut shown) = (room.y, Vec::new());
        for message in self.shown(elsewhere).rev() {
            let (style, colour) = match message.error {
                true => (TextStyle::Monospace, theme::ERROR),
                false => (TextStyle::Body, theme::TEXT),
            };
            let rows = left / ui.text_style_height(&style);
            if rows < 1.0 && !shown.is_empty() {
                break;
            }
            let font = FontSelection::Style(style).resolve(ui.style());
            let mut job = LayoutJob::single_section(message.text.clone(), TextFormat::simple(font, colour));
            job.wrap.max_width = room.x;
            job.wrap.max_rows = (rows as usize).max(1);
            let lines = ui.fonts_mut(|fonts| fonts.layout_job(job));
            left -= lines.size().y + ui.spacing().item_spacing.y;
            shown.push(lines);
        }
        shown.into_iter().rev().for_each(|lines| drop(ui.label(lines)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_pass_and_errors_stay_longer() {
        let mut toasts = Toasts::default();
        toasts.notify("", "saved".into(), 1.0);
        toasts.show_error("scene", "line 3: no such key", "more", 1.0);
        toasts.show_error("shaders", "no such function", "more", 1.0);
        toasts.pass(6.0);
        assert_eq!(toasts.0.len(), 2);
        toasts.clear_error("shaders");
        assert!(toasts.0.iter().all(|message| message.error && message.topic == "scene"));
        toasts.notify("scene", "reef".into(), 6.0);
        assert_eq!(toasts.0.len(), 2, "a message does not replace an error");
        toasts.clear_error("scene");
        toasts.pass(11.0);
        assert!(toasts.is_empty(None));
    }

    #[test]
    fn a_long_error_is_cut_and_says_so() {
        let mut toasts = Toasts::default();
        toasts.show_error("scene", &"wrong\n".repeat(100), "more", 0.0);
        assert_eq!(toasts.error("scene"), Some(("wrong\n".repeat(ERROR_LINES) + "more").as_str()));
    }

    #[test]
    fn messages_do_not_pile_up() {
        let mut toasts = Toasts::default();
        for i in 0..50 {
            toasts.notify("", format!("{i}"), 0.0);
        }
        assert_eq!(toasts.0.len(), MAX);
        assert_eq!(toasts.0[4].text, "49");
        toasts.notify("speed", "2 m/s".into(), 0.0);
        toasts.notify("speed", "3 m/s".into(), 0.0);
        assert_eq!(toasts.0[3].text, "49");
        assert_eq!(toasts.0[4].text, "3 m/s");
    }

    /// Rectangle of the messages on a screen of that size in points.
    fn laid_out(toasts: &Toasts, size: egui::Vec2) -> egui::Rect {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
        let mut place = egui::Rect::NOTHING;
        let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
        let mut drawn = egui::Context::default().run_ui(input, |ui| {
            toasts.show(ui, None);
            place = ui.min_rect();
        });
        // Nothing is drawn.
        drawn.textures_delta.clear();
        place
    }

    #[test]
    fn messages_keep_within_the_room_that_there_is() {
        let mut toasts = Toasts::default();
        toasts.notify(
            "",
            "a picture is written to /home/somebody/Pictures/a/folder/with-a-long-name/and-no-spaces-0001.png".into(),
            0.0,
        );
        toasts.show_error("scene", &"water.tipe: there is no such key; did you mean 'type'?\n".repeat(30), "more", 0.0);
        toasts.notify("", "已写入 /home/某人/图片/珊瑚礁/一个名称很长很长很长很长很长很长很长的文件夹".into(), 0.0);
        for size in [egui::vec2(375.0, 200.0), egui::vec2(120.0, 60.0), egui::vec2(640.0, 360.0)] {
            let place = laid_out(&toasts, size);
            assert!(place.width() > 80.0 && place.max.x <= size.x && place.max.y <= size.y, "{place} in {size}");
        }
    }
}
