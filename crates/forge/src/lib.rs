//! The modeller: the project's own creatures and things, made in code and written as MS3D files with textures.
//!
//! A maker takes a seed and returns a [`Forged`]: an [`ms3d::raw::Document`] and its
//! textures. The steps are always the same: build a [`Mesh`] from [shapes], bind it to a [`Rig`], paint a
//! [`Canvas`], then [`assemble()`]. The same seed gives the same bytes.
//!
//! Axes: right-handed, +y up, creatures look along -z (nose at negative z), lengths near 1 unit.
//!
//! # Materials
//!
//! The model's comment holds properties without a field in MS3D: a line for each material, such as
//! `pelagic: material fins two_sided translucency=0.4 alpha_cut=0.5`, and a line that names the clips on the time line;
//! see [`Material`] and [`Rig`].
//!
//! ```
//! let sardine = forge::find("sardine").expect("it is one of ours");
//! let files = (sardine.make)(1);
//! assert!(forge::catalogue().iter().any(|entry| entry.name == "clownfish"));
//! # let _ = files;
//! ```

pub mod assemble;
pub mod curve;
pub mod files;
pub mod form;
pub mod maths;
pub mod mesh;
pub mod noise;
pub mod paint;
pub mod props;
pub mod rig;
pub mod rounding;
pub mod shapes;
pub mod swimmers;

use std::sync::OnceLock;

pub use assemble::assemble;
pub use curve::Curve;
pub use files::Files;
pub use mesh::{JointWeights, Material, Mesh};
pub use noise::Noise;
pub use paint::{Canvas, Picture};
pub use rig::Rig;

/// Result of a maker: a model and the textures that its materials name.
#[derive(Clone, Debug)]
pub struct Forged {
    /// Name; the model's file is `NAME.ms3d`.
    pub name: String,
    /// The model.
    pub document: ms3d::raw::Document,
    /// Other shapes of the same vertices and triangles: name of the file, without `.ms3d`, and document.
    pub shapes: Vec<(String, ms3d::raw::Document)>,
    /// File name (such as `sardine.png`) and pixels of each texture.
    pub textures: Vec<(String, Picture)>,
}

/// Category of the thing that an [`Entry`] makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// An animal that swims, with a skeleton and a `swim` time line.
    Swimmer,
    /// An animal or plant fixed to the ground.
    Flora,
    /// Stone, wreckage and other dead things.
    Prop,
}

impl Category {
    /// The word that lists show.
    pub fn word(self) -> &'static str {
        match self {
            Self::Swimmer => "swimmer",
            Self::Flora => "flora",
            Self::Prop => "prop",
        }
    }
}

/// One thing the forge can make.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name on the command line and of the files.
    pub name: &'static str,
    /// Category of the thing.
    pub kind: Category,
    /// One line for lists.
    pub description: &'static str,
    /// Makes the thing; equal seeds make equal bytes. The program uses seed 1.
    pub make: fn(seed: u64) -> Forged,
}

/// Everything that the forge can make: swimmers first, then flora and props.
pub fn catalogue() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| swimmers::entries().iter().chain(props::entries()).copied().collect())
}

/// The entry of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    catalogue().iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests;
