//! The model that is viewed, and its files.

use std::path::Path;

use config::FileWatcher;
use model::{LoadedModel, ModelError, ModelRequest};
use runtime::files::load_model;

/// A model with the files that it was loaded from.
#[derive(Debug)]
pub struct Subject {
    request: ModelRequest,
    /// Last version that could be loaded.
    pub loaded: LoadedModel,
    watched: FileWatcher,
}

impl Subject {
    /// Loads a model.
    ///
    /// # Errors
    /// If it cannot be loaded.
    pub fn new(request: ModelRequest) -> Result<Self, ModelError> {
        let loaded = load_model(&request)?;
        let mut watched = FileWatcher::default();
        loaded.files.iter().for_each(|file| watched.watch_since(file));
        Ok(Self { request, loaded, watched })
    }

    /// File or built-in name of the model.
    pub fn source(&self) -> &str {
        &self.request.source
    }

    /// Whether its files have changed since they were read. Meant to be called a few times a second.
    pub fn is_edited(&mut self) -> bool {
        self.watched.changed()
    }

    /// Loads the model from its files again; the current one stays until [`Self::replace`].
    ///
    /// # Errors
    /// If it cannot be loaded now.
    pub fn read_again(&self) -> Result<LoadedModel, ModelError> {
        load_model(&self.request)
    }

    /// The model as it is if it looks another way: the next of [`Forward::ALL`], with how that is written.
    ///
    /// # Errors
    /// If it cannot be loaded now.
    pub fn turned(&self) -> Result<(ModelRequest, LoadedModel, &'static str), ModelError> {
        let (forward, written) = self.request.forward.next();
        let request = ModelRequest { forward, ..self.request.clone() };
        let loaded = load_model(&request)?;
        Ok((request, loaded, written))
    }

    /// Replaces the model and what was asked for; returns the old model.
    pub fn replace_with(&mut self, request: ModelRequest, loaded: LoadedModel) -> LoadedModel {
        self.request = request;
        self.replace(loaded)
    }

    /// Replaces the model; returns the old one.
    pub fn replace(&mut self, loaded: LoadedModel) -> LoadedModel {
        loaded.files.iter().for_each(|file| self.watched.watch_since(file));
        std::mem::replace(&mut self.loaded, loaded)
    }

    /// Title of the window.
    pub fn window_title(&self) -> String {
        format!("Pelagic: {}", self.title())
    }

    /// File name of the model, else its source.
    pub fn title(&self) -> String {
        let name = Path::new(self.source()).file_name();
        name.map_or_else(|| self.source().to_owned(), |name| name.to_string_lossy().into_owned())
    }
}
