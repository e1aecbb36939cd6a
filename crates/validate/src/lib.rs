//! Cross-field checks of settings: a crate that owns settings reports values that cannot be used together, or hardly mean
//! to be, in its own types; the reader of files adds where they stand.
//!
//! ```
//! use validate::Violation;
//!
//! let steep = Violation::warning("swell_height_m", "a swell of this period breaks above 2.0 m".into());
//! let of_scene: Vec<Violation> = validate::within("waves", vec![steep]).collect();
//! assert_eq!(of_scene[0].path, ["waves", "swell_height_m"]);
//! ```

/// Values that do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Path of the key that it is about: keys, names of entries of lists, and places in lists without names.
    pub path: Vec<String>,
    /// Paths of other keys that it follows from.
    pub others: Vec<Vec<String>>,
    /// Whether the settings cannot be used; else they are hardly meant.
    pub is_error: bool,
    /// Message that follows the key: `a swell of this period breaks above 2.0 m`.
    pub message: String,
}

impl Violation {
    /// Values that cannot be used.
    pub fn error(key: &str, message: String) -> Self {
        Self { path: vec![key.into()], others: Vec::new(), is_error: true, message }
    }

    /// Values that are hardly meant.
    pub fn warning(key: &str, message: String) -> Self {
        Self { is_error: false, ..Self::error(key, message) }
    }

    /// The same, which follows from `key` as well: it stands where the later of them was said.
    pub fn with(mut self, key: &str) -> Self {
        self.others.push(vec![key.into()]);
        self
    }
}

/// Violations of what stands under `key`, as those of the table around it.
pub fn within(key: &str, violations: impl IntoIterator<Item = Violation>) -> impl Iterator<Item = Violation> {
    violations.into_iter().map(move |mut violation| {
        violation.path.insert(0, key.into());
        violation.others.iter_mut().for_each(|path| path.insert(0, key.into()));
        violation
    })
}
