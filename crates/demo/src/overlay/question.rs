//! A modal question, which everything else waits for, about unsaved changes.

use egui::{Button, Event, Id, Key, Modal, RichText, Ui};
use shell::messages::Messages;
use shell::theme;

/// Greatest width, if the screen has room. Unit: points.
const WIDTH: f32 = 460.0;

/// A question, and the reply that was chosen with the mouse.
#[derive(Clone, Debug)]
pub struct Question {
    /// Subject of the question.
    pub about: About,
    /// Text of the question, with the changes that it is about.
    pub text: String,
    /// Reason why the last reply could not be followed, if so.
    pub problem: Option<String>,
    /// The reply that was clicked on.
    pub clicked: Option<Reply>,
}

/// Subject of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The window is to be closed, and there are changes that are not saved.
    Leaving,
    /// Another window has left changes of the scene that is shown.
    LeftChanges,
}

/// A reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Save, or restore.
    Yes,
    /// Discard the changes.
    No,
    /// Decide later.
    Later,
}

/// The replies, each with its key.
const REPLIES: [(Reply, &str); 3] = [(Reply::Yes, "Enter"), (Reply::No, "D"), (Reply::Later, "Esc")];

impl Question {
    /// Question without a reply yet.
    pub fn new(about: About, text: String) -> Self {
        Self { about, text, problem: None, clicked: None }
    }

    /// Lays it out over all else.
    pub fn show(&mut self, ctx: &egui::Context, messages: &Messages) {
        Modal::new(Id::unique("question")).frame(theme::frame()).show(ctx, |ui| self.contents(ui, messages));
    }

    fn contents(&mut self, ui: &mut Ui, messages: &Messages) {
        let room = ui.ctx().content_rect().width() - 4.0 * theme::MARGIN;
        ui.set_max_width(room.clamp(0.0, WIDTH));
        ui.label(&self.text);
        if let Some(problem) = &self.problem {
            ui.label(RichText::new(problem).monospace().color(theme::ERROR));
        }
        ui.add_space(4.0);
        let labels = match self.about {
            About::Leaving => ["save", "discard", "stay"],
            About::LeftChanges => ["restore", "throw-away", "later"],
        };
        ui.horizontal_wrapped(|ui| {
            for ((reply, key), label) in REPLIES.into_iter().zip(labels) {
                let text = format!("{}   {key}", messages.get(label));
                let response = ui.add(Button::new(text));
                ui.ctx().data_mut(|data| data.insert_temp(reply_id(reply), response.rect));
                if response.clicked() {
                    self.clicked = Some(reply);
                }
            }
        });
    }
}

/// Id under which the place of a reply's button on the screen is stored, to be looked up.
pub fn reply_id(reply: Reply) -> Id {
    Id::unique(("reply", reply as u8))
}

/// Reply that a key gives; Escape, which other parts handle too, gives none.
pub fn reply_of(event: &Event) -> Option<Reply> {
    match event {
        Event::Key { key, pressed: true, repeat: false, modifiers, .. } if modifiers.is_none() => match key {
            Key::Enter => Some(Reply::Yes),
            Key::D => Some(Reply::No),
            _ => None,
        },
        _ => None,
    }
}
