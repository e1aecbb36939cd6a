//! Cards: the habits of species, from files of their own, overridden by the scene.

use std::collections::HashMap;
use std::mem;
use std::path::PathBuf;

use located::{Entry, Node, Span, Table, Value, join};
use model::files::BUILTIN;

use crate::layers::{CARDS, Loading, Reference};
use crate::merge::merge;
use crate::problem::ProblemKind;
use crate::schema::{self, CARD_KEY, MODEL_KEY};

/// Value of `card` for a species without one, not even that of its model.
const NO_CARD: &str = "none";

impl Loading {
    /// Fills in the keys that the scene's species leave to their cards, and the names of the cards.
    pub fn lay_cards(&mut self, scene: &mut Table) {
        let Some(Node { value: Value::List(species), .. }) = scene.get_mut("species") else { return };
        let mut known: HashMap<PathBuf, Table> = HashMap::new();
        for entry in species {
            let path = join("species", entry.name().unwrap_or_default());
            let Value::Table(said) = &mut entry.value else { continue };
            let (span, reference) = self.card_of(said, &entry.span);
            let name = match reference {
                None => Ok(NO_CARD.to_owned()),
                Some(reference) => {
                    let key = join(&path, CARD_KEY);
                    reference.and_then(|reference| {
                        let name = name(&reference)?;
                        let card = known.entry(reference.identity()).or_insert_with(|| {
                            let asked = (span.clone(), key.clone());
                            let (_, layers) = self.layers(&CARDS, &name, Ok(reference), Some(asked));
                            let mut card = Table::default();
                            layers.into_iter().rev().for_each(|layer| merge(&mut card, layer, schema::card()));
                            card
                        });
                        let own = mem::replace(said, card.clone());
                        merge(said, own, schema::species());
                        Ok(name)
                    })
                }
            };
            match name {
                Ok(name) => {
                    said.take(CARD_KEY);
                    said.0.push(Entry {
                        name: CARD_KEY.into(),
                        span: span.clone(),
                        node: Node { span, value: Value::Text(name) },
                    });
                }
                Err(kind) => {
                    self.partial = true;
                    self.problems.add(&span, join(&path, CARD_KEY), kind);
                }
            }
        }
    }

    /// The card of an entry at `span`, if it has one, and the place that names it.
    fn card_of(&self, entry: &Table, span: &Span) -> (Span, Option<Result<Reference, ProblemKind>>) {
        let model = entry.get(MODEL_KEY);
        match entry.get(CARD_KEY).and_then(|node| Some((node, node.text()?))) {
            Some((node, NO_CARD)) => (node.span.clone(), None),
            Some((node, card)) => {
                let folder = self.sources.get(&node.span).folder.as_deref();
                (node.span.clone(), Some(CARDS.resolve(card, folder)))
            }
            None => {
                let card = model.and_then(Node::text).and_then(|model| CARDS.find(model.strip_prefix(BUILTIN)?));
                (model.map_or(span, |model| &model.span).clone(), card.map(Ok))
            }
        }
    }
}

/// Name of a card in a resolved scene, by which it is found from any folder.
fn name(card: &Reference) -> Result<String, ProblemKind> {
    match card {
        Reference::Builtin { file, .. } => Ok(file.name.to_owned()),
        other => {
            let path = other.identity();
            path.to_str().map(str::to_owned).ok_or(ProblemKind::PathNotUtf8 { path: path.clone() })
        }
    }
}

#[cfg(test)]
mod tests;
