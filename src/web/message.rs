//! What the page's script is told, as JSON.

use std::cell::RefCell;

use config::Problem;
use js_sys::Function;
use runtime::AppError;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// Something that has happened.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Message {
    /// Assets have to be fetched.
    Need {
        /// Their names.
        assets: Vec<String>,
    },
    /// What is being done until the first picture is there.
    Step {
        /// In the person's language.
        text: String,
    },
    /// The first picture is there.
    Shown,
    /// What is to be written over the picture.
    Title {
        /// That.
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
    /// It is there again.
    Restored,
    /// It is over, for that reason.
    Failed {
        /// A sentence.
        text: String,
    },
    /// What is wrong with the text of the editor.
    Mistakes {
        /// Each with its place.
        mistakes: Vec<Mistake>,
    },
    /// The graphics were taken away so often that nothing is drawn any more.
    Exhausted,
    /// A scene that was asked for cannot be made; what was shown still is.
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

/// Something that is wrong with a text.
#[derive(Clone, Debug, Serialize)]
pub struct Mistake {
    line: usize,
    column: usize,
    text: String,
}

impl Mistake {
    /// All that an error tells of.
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
    /// What is told once nothing else is being done: who is told may ask at once.
    static OUTBOX: RefCell<Vec<Message>> = const { RefCell::new(Vec::new()) };
}

/// Has `listener` told of everything from now on.
pub fn listen(listener: Function) {
    LISTENER.set(Some(listener));
}

/// Tells of it as soon as nothing else is being done.
pub fn tell(message: Message) {
    OUTBOX.with_borrow_mut(|outbox| outbox.push(message));
}

/// Tells what there is to tell. Nothing of the page may be borrowed.
pub fn deliver() {
    for message in OUTBOX.take() {
        let listener = LISTENER.with_borrow(Clone::clone);
        let (Some(listener), Ok(text)) = (listener, serde_json::to_string(&message)) else { continue };
        if let Err(error) = listener.call1(&JsValue::NULL, &text.into()) {
            log::error!("the page does not take a message: {error:?}");
        }
    }
}
