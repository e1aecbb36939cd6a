//! Texts of the window in the person's language: `assets/locale`, in Fluent's syntax.
//!
//! Errors, the log and the terminal are English.

pub mod fonts;
mod language;
mod settings;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

pub use language::Language;

/// The texts of a language.
#[derive(Clone)]
pub struct Messages {
    language: Language,
    bundle: Arc<FluentBundle<FluentResource>>,
}

impl Messages {
    /// Loads the texts of `language`.
    pub fn new(language: Language) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.id()]);
        // No isolation marks around filled-in values: every language here is written from left to right.
        bundle.set_use_isolating(false);
        for source in [language.source(), language.settings()] {
            let texts = FluentResource::try_new(source.to_owned()).expect("it is Fluent's syntax, as a test says");
            bundle.add_resource(texts).expect("no text is there twice, as a test says");
        }
        Self { language, bundle: Arc::new(bundle) }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The text `id`; an unknown id is returned as it is.
    pub fn get(&self, id: &str) -> String {
        self.format(id, &[])
    }

    /// The text `id` with `values` filled in; an unknown id is returned as it is.
    pub fn format(&self, id: &str, values: &[(&str, FluentValue<'_>)]) -> String {
        self.text(id, None, values).unwrap_or_else(|| id.to_owned())
    }

    /// The text `id` or one of its attributes, if it exists.
    fn text(&self, id: &str, attribute: Option<&str>, values: &[(&str, FluentValue<'_>)]) -> Option<String> {
        let message = self.bundle.get_message(id)?;
        let text = match attribute {
            Some(attribute) => message.get_attribute(attribute)?.value(),
            None => message.value()?,
        };
        let values: FluentArgs<'_> = values.iter().map(|(name, value)| (*name, value.clone())).collect();
        // A missing value is shown by its name; a test checks that none is missing.
        Some(self.bundle.format_pattern(text, Some(&values), &mut Vec::new()).into_owned())
    }
}

impl Default for Messages {
    fn default() -> Self {
        Self::new(Language::default())
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Messages").field(&self.language).finish()
    }
}
