//! Scene files: TOML in, checked settings out.
//!
//! A scene is a built-in one by name or a file. A file may hold only the differences from the scene that it `extends`,
//! and a species only the differences from its card. The settings structs of the other crates declare the keys; nothing
//! here repeats them. [`load`] reads, checks and merges, and reports every problem at once, each with file, line and
//! column. [`dump`] writes a complete file. [`json_schema`] and [`card_json_schema`] are for editors. [`FileWatcher`]
//! detects edited files. [`Preferences`] are the user's own.
//!
//! ```
//! let error = config::load_text("mine.toml", "[water]\nturbidty = 2", &[]).expect_err("no such key");
//! assert!(error.to_string().starts_with("mine.toml:2:1: water.turbidty: unknown key; did you mean water.turbidity?"));
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files"))]

mod assign;
mod builtin;
mod cards;
mod check;
mod cross_checks;
mod dump;
mod edit;
mod findings;
mod fish;
mod habits;
mod json_schema;
mod laid_out;
mod layers;
mod left_behind;
mod load;
mod merge;
mod preferences;
mod problem;
mod sample;
mod schema;
mod settings;
mod source;
mod suggest;
mod watch;

pub use builtin::{BUILTIN_CARDS, BUILTIN_SCENES, BuiltinFile};
pub use dump::dump;
pub use edit::{Addition, Edit, Edits, SaveError, addition, can_remove, value_at, value_at_mut, values};
pub use findings::PROBLEMS_LISTED;
pub use fish::{FISH_LIMIT, FishError};
pub use json_schema::{card_json_schema, json_schema};
pub use layers::EXTENDS_LIMIT;
pub use left_behind::displaced_by;
pub use load::{LoadedScene, load, load_text};
pub use located::MARKS_LIMIT;
pub use model::import::ENDINGS as MODEL_ENDINGS;
pub use preferences::{LanguageChoice, Preferences, PreferencesError, SIDE, WindowPreferences, preferences};
pub use problem::{ConfigError, Excerpt, Problem, ProblemKind, ReadError, SourceLocation};
pub use sample::{SAMPLE_NAMES, sample};
pub use schema::{CARD_KEY, LIST_LIMIT, MODEL_KEY};
pub use schema::{Content, EntrySchema, NumberRange, TableSchema, ValueKind, ValueSchema, root as settings_schema};
pub use settings::Config;
pub use source::SIZE_LIMIT;
pub use watch::FileWatcher;

#[cfg(test)]
mod tests;
