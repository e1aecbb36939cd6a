//! A scene file's whole content.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::render::{PostSettings, RenderSettings};
use crate::scene::SceneSettings;

/// A checked scene file: what the world is made from and how it is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Config {
    /// The world; its tables stand at the top of the file.
    #[serde(flatten)]
    pub scene: SceneSettings,
    /// From linear radiance to the screen.
    pub post: PostSettings,
    /// Quality.
    pub render: RenderSettings,
}
