//! What can be wrong with a scene.

/// Why a world could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A model could not be loaded.
    #[error("{entry}: {why}")]
    Model {
        /// The species or prop, such as `species "turtle"`.
        entry: String,
        /// What is wrong with its file.
        why: String,
    },
}
