//! Messages to the page's script, as JSON.

use std::cell::RefCell;

use config::Problem;
use js_sys::Function;
use runtime::AppError;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// An event reported to the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Message {
    /// Assets have to be fetched.
    Need {
        /// Their names.
        assets: Vec<String>,
    },
    /// Current step of loading, until the first picture is there.
    Step {
        /// Its description in the person's language.
        text: String,
    },
    /// The first picture is there.
    Shown,
    /// New title to be written over the picture.
    Title {
        /// The title.
        text: String,
    },
    /// A file was written.
    File {
        /// Its name.
        name: String,
        /// Its path.
        path: String,
    },
    /// The context is lost.
    Lost,
    /// The context is restored.
    Restored,
    /// The demo has ended with an error.
    Failed {
        /// A sentence.
        text: String,
    },
    /// The mistakes in the editor's text.
    Mistakes {
        /// Each mistake with its position.
        mistakes: Vec<Mistake>,
    },
    /// The graphics were taken away so often that nothing is drawn any more.
    Exhausted,
    /// A requested scene cannot be made; the previous one stays.
    Refused {
        /// A sentence.
        text: String,
    },
    /// Something is not as it was asked for.
    Warning {
        /// A sentence.
        text: String,
    },
}

/// A mistake in a text.
#[derive(Clone, Debug, Serialize)]
pub struct Mistake {
    line: usize,
    column: usize,
    text: String,
}

impl Mistake {
    /// All mistakes in an error.
    pub fn all_of(error: &AppError) -> Vec<Self> {
        let AppError::Config(error) = error else { return vec![Self { line: 1, column: 1, text: error.to_string() }] };
        let each = |problem: &Problem| {
            let (line, column) = problem.location.position.unwrap_or((1, 1));
            Self { line, column, text: problem.without_place() }
        };
        error.problems.iter().map(each).collect()
    }
}

thread_local! {
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
    /// Messages to deliver when the page is idle: the receiver may call back at once.
    static OUTBOX: RefCell<Vec<Message>> = const { RefCell::new(Vec::new()) };
}

/// Sets the receiver of all further messages.
pub fn listen(listener: Function) {
    LISTENER.set(Some(listener));
}

/// Queues a message for [`deliver`].
pub fn tell(message: Message) {
    OUTBOX.with_borrow_mut(|outbox| outbox.push(message));
}

/// Delivers the queued messages. The page must not be borrowed.
pub fn deliver() {
    for message in OUTBOX.take() {
        let listener = LISTENER.with_borrow(Clone::clone);
        let (Some(listener), Ok(text)) = (listener, serde_json::to_string(&message)) else { continue };
        if let Err(error) = listener.call1(&JsValue::NULL, &text.into()) {
            log::error!("the page does not take a message: {error:?}");
        }
    }
}
