//! Models in the page's form: with their levels of detail.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::{Context, Result};
use ms3d::raw::Document;
use pelagic::config::{BUILTIN_SCENES, load};
use pelagic::model::files::{BUILTIN, name_of};
use pelagic::model::{Files, ModelRequest, pack_levels};
use pelagic::scene::{SceneModelRequest, model_requests};

/// The project's models in the page's form.
pub struct Models {
    files: BTreeMap<String, (Document, Vec<u8>)>,
    /// Request of each model by built-in scenes, which determines its levels of detail: with its morphs.
    requests: BTreeMap<String, ModelRequest>,
}

impl Models {
    /// Parses the models in `files`, by name.
    ///
    /// # Errors
    /// If one is not a usable model, or a built-in scene is wrong.
    pub fn new(files: impl Iterator<Item = (String, Vec<u8>)>) -> Result<Self> {
        let mut requests = BTreeMap::new();
        for scene in BUILTIN_SCENES {
            for SceneModelRequest { request, .. } in model_requests(&load(scene.name, &[])?.config.scene) {
                requests.entry(name_of(&request.source)).or_insert(request);
            }
        }
        let read = |(name, bytes): (String, Vec<u8>)| -> Result<_> {
            let document = ms3d::read(&bytes, &ms3d::Limits::default())?.document;
            Ok((name, (document, bytes)))
        };
        Ok(Self { files: files.map(read).collect::<Result<_>>()?, requests })
    }

    /// Name and file of each.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Document, &[u8])> {
        self.files.iter().map(|(name, (document, bytes))| (&name[..], document, &bytes[..]))
    }

    /// Packed levels of detail of a model, in the program's format.
    ///
    /// # Errors
    /// If it is not a usable model.
    pub fn levels(&self, name: &str) -> Result<Vec<u8>> {
        let plain = || ModelRequest::new(format!("{BUILTIN}{name}"));
        let levels = pack_levels(&self.requests.get(name).cloned().unwrap_or_else(plain), self)?;
        levels.with_context(|| format!("the levels of detail of {name} cannot be kept"))
    }
}

impl Files for Models {
    fn read(&self, path: &Path, _: u64) -> io::Result<Vec<u8>> {
        // Textures do not affect the shape.
        let is_model = path.extension().is_some_and(|ending| ending == "ms3d");
        let name = path.file_stem().and_then(|name| name.to_str()).filter(|_| is_model);
        let file = name.and_then(|name| self.files.get(name));
        file.map(|(_, bytes)| bytes.clone()).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn names(&self, _: &Path) -> Vec<OsString> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_model_has_its_levels() {
        let file = |name: &str| (name.to_owned(), assets::read(&format!("{name}.ms3d")).expect("a model").to_vec());
        let models = Models::new(["clownfish", "puffer", "puffer_puffed"].map(file).into_iter()).expect("models");
        assert_eq!(models.files().count(), 3);
        for (name, _, bytes) in models.files() {
            let levels = models.levels(name).expect("a model");
            assert!((1000..bytes.len()).contains(&levels.len()), "{name}: {} bytes", levels.len());
        }
    }
}
