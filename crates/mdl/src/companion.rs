//! The other files of a model.

use std::fmt;

/// Another file of the same model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Companion {
    /// Its textures.
    Textures,
    /// A group of sequences, 1 to 99.
    Group(usize),
}

impl Companion {
    /// The name of the file beside a model called `stem.mdl`. On case-sensitive disks its letters may be of any case.
    pub fn file_name(self, stem: &str) -> String {
        match self {
            Self::Textures => format!("{stem}t.mdl"),
            Self::Group(group) => format!("{stem}{group:02}.mdl"),
        }
    }
}

impl fmt::Display for Companion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Textures => f.write_str("texture file (NAMEt.mdl)"),
            Self::Group(group) => write!(f, "sequence file (NAME{group:02}.mdl)"),
        }
    }
}
