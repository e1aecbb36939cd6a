//! A scene file's whole content.

use crate::render::{PostSettings, RenderSettings};
use crate::scene::SceneSettings;

/// A checked scene file: what the world is made from and how it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The world.
    pub scene: SceneSettings,
    /// The picture.
    pub post: PostSettings,
    /// Quality.
    pub render: RenderSettings,
}
