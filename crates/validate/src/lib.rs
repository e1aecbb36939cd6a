//! Cross-field checks of settings: a crate that owns settings reports values that cannot be used together, or are
//! unlikely to be meant, by the keys of its own types; the reader of files adds their positions.
//!
//! ```
//! use validate::Violation;
//!
//! let steep = Violation::warning("swell_height_m", "a swell of this period breaks above 2.0 m".into());
//! let of_scene: Vec<Violation> = validate::within("waves", vec![steep]).collect();
//! assert_eq!(of_scene[0].path, ["waves", "swell_height_m"]);
//! ```

/// A combination of values that do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Path of the key concerned: keys, names of list entries, and indices in lists without names.
    pub path: Vec<String>,
    /// Paths of the other keys that cause the violation.
    pub others: Vec<Vec<String>>,
    /// Whether the settings cannot be used; otherwise they are unlikely to be meant.
    pub is_error: bool,
    /// Message that follows the key: `a swell of this period breaks above 2.0 m`.
    pub message: String,
}

impl Violation {
    /// Returns a violation by values that cannot be used.
    pub fn error(key: &str, message: String) -> Self {
        Self { path: vec![key.into()], others: Vec::new(), is_error: true, message }
    }

    /// Returns a violation by values that are unlikely to be meant.
    pub fn warning(key: &str, message: String) -> Self {
        Self { is_error: false, ..Self::error(key, message) }
    }

    /// Adds `key` as another cause: the violation is reported at the position of the later of its keys.
    pub fn with(mut self, key: &str) -> Self {
        self.others.push(vec![key.into()]);
        self
    }
}

/// Prefixes the paths of violations with `key`, the table that they were found in.
pub fn within(key: &str, violations: impl IntoIterator<Item = Violation>) -> impl Iterator<Item = Violation> {
    violations.into_iter().map(move |mut violation| {
        violation.path.insert(0, key.into());
        violation.others.iter_mut().for_each(|path| path.insert(0, key.into()));
        violation
    })
}
