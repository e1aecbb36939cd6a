//! Scene files: TOML in, checked settings out.
//!
//! A scene is a built-in one by name or a file; a file may say only what differs from the scene it `extends`.
//! [`schema`] is the one table of what may be said. [`load`] reads, checks and merges, and reports everything that is
//! wrong at once, each with file, line and column. [`dump`] writes a complete file. [`Watched`] tells when a file has
//! been edited.

mod assign;
mod builtin;
mod check;
mod dump;
mod file;
mod fish;
mod load;
mod merge;
mod problem;
mod relations;
pub mod schema;
mod settings;
mod source;
mod suggest;
mod tree;
mod watch;

pub use builtin::{BUILTIN_SCENES, BuiltinScene};
pub use dump::dump;
pub use fish::{FISH_LIMIT, FishError};
pub use load::{EXTENDS_LIMIT, Loaded, load};
pub use problem::{ConfigError, Excerpt, Place, Problem, ReadError, What};
pub use settings::*;
pub use source::SIZE_LIMIT;
pub use watch::Watched;

#[cfg(test)]
mod tests;
