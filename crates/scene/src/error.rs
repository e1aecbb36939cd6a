//! Errors of building a scene.

/// Reason for which a world could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A model could not be loaded.
    #[error("{entry}: {why}")]
    Model {
        /// The species or prop, such as `species "turtle"`.
        entry: String,
        /// Reason, as the loader gives it.
        why: String,
    },
}
